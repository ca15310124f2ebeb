//! Generates the constraints of each expression, call and statement of a unit.

mod atomics;

use std::collections::HashMap;

use super::library::stores_pointers;
use super::solve::{Dynamic, Graph, Loc, Node, Signature};
use super::{Aliases, Assumptions, Location};
use crate::calls::named_function;
use crate::library::{self, Contract, Family, Fills, Writes};
use crate::span::{ExprId, FunctionId, Id, ObjectId};
use crate::tree::{BinaryOp, BlockItem, ExprKind, Resolved, StmtKind, Tree};
use crate::types::{QualType, Type};

/// The node of an expression's value.
pub(super) fn value(e: ExprId) -> Node {
    2 * e.index()
}

/// The node of the locations that an lvalue designates.
pub(super) fn place(e: ExprId) -> Node {
    2 * e.index() + 1
}

pub(super) fn analyse(tree: &Tree, assumptions: Assumptions) -> Aliases {
    let exprs = tree.exprs.len();
    let mut graph = Graph::new(2 * exprs);
    let variadic = graph.node();
    let threads = graph.node();
    let library = graph.node();
    let mut builder = Builder {
        tree,
        graph,
        locations: Vec::new(),
        known: HashMap::new(),
        results: HashMap::new(),
        variadic,
        threads,
        library,
    };
    let unknown = builder.location(Location::Unknown);
    let inside = builder.graph.contents(unknown);
    builder.graph.add(inside, unknown);
    builder.callers(assumptions, unknown);
    for id in tree.exprs.ids() {
        builder.expr(id);
    }
    builder.initializers();
    builder.statements(unknown);
    builder.solve()
}

struct Builder<'a> {
    tree: &'a Tree,
    graph: Graph,
    locations: Vec<Location>,
    known: HashMap<Location, Loc>,
    results: HashMap<FunctionId, Node>,
    /// The values that are passed for `...`.
    variadic: Node,
    /// The values that threads return.
    threads: Node,
    /// The pointers that library functions keep from call to call.
    library: Node,
}

impl Builder<'_> {
    fn location(&mut self, location: Location) -> Loc {
        if let Some(&known) = self.known.get(&location) {
            return known;
        }
        let loc = self.graph.location();
        self.locations.push(location);
        self.known.insert(location, loc);
        loc
    }

    fn contents_of(&mut self, object: ObjectId) -> Node {
        let location = self.location(Location::Object(object));
        self.graph.contents(location)
    }

    fn result(&mut self, function: FunctionId) -> Node {
        if let Some(&node) = self.results.get(&function) {
            return node;
        }
        let node = self.graph.node();
        self.results.insert(function, node);
        node
    }

    /// Whether a value of this type can hold a pointer.
    fn carries(&self, ty: QualType) -> bool {
        let types = &self.tree.types;
        match types.get(ty) {
            Type::Int(kind) => types.bits(*kind) >= types.model.pointer,
            Type::Void | Type::Bool | Type::Float(_) | Type::Complex(_) | Type::Enum(_) => false,
            Type::Array(of, _) => self.carries(*of),
            Type::Unknown
            | Type::Vector(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Record(_)
            | Type::VaList => true,
        }
    }

    fn ty(&self, e: ExprId) -> QualType {
        self.tree.exprs[e].ty
    }

    fn decays(&self, e: ExprId) -> bool {
        matches!(
            self.tree.types.get(self.ty(e)),
            Type::Array(..) | Type::Function(_)
        )
    }

    /// Constraints of the program's start: parameters and globals whose values come from outside.
    fn callers(&mut self, assumptions: Assumptions, unknown: Loc) {
        for (_, function, body) in self.tree.defined_functions() {
            let from_outside = !assumptions.whole_program && !function.is_static;
            for &param in &body.params {
                if !self.carries(self.tree.objects[param].ty) {
                    continue;
                }
                if function.name == "main" {
                    // The arguments of `main` are memory of their own.
                    let node = self.contents_of(param);
                    let arguments =
                        self.location(Location::Made(ExprId::from_index(u32::MAX as usize)));
                    let inside = self.graph.contents(arguments);
                    self.graph.add(inside, arguments);
                    self.graph.add(node, arguments);
                } else if from_outside {
                    let node = self.contents_of(param);
                    self.graph.add(node, unknown);
                }
            }
        }
        if !assumptions.whole_program {
            for (id, object) in self.tree.objects.iter() {
                if object.storage == crate::tree::Storage::Global && self.carries(object.ty) {
                    let node = self.contents_of(id);
                    self.graph.add(node, unknown);
                }
            }
        }
    }

    // Expressions -------------------------------------------------------------------------------

    fn expr(&mut self, id: ExprId) {
        let tree = self.tree;
        let expr = &tree.exprs[id];
        // Conditions of a specification are analysed too: the caller asks what their calls read.
        if expr.unevaluated {
            return;
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(object)) => {
                let location = self.location(Location::Object(*object));
                self.graph.add(place(id), location);
                self.read(id);
            }
            ExprKind::Ident(Resolved::Function(f)) => {
                let location = self.location(Location::Function(*f));
                self.graph.add(place(id), location);
                self.graph.add(value(id), location);
            }
            ExprKind::Str(_) => self.made(id),
            ExprKind::CompoundLiteral(init) => {
                self.made(id);
                let location = self.location(Location::Made(id));
                let inside = self.graph.contents(location);
                let mut parts = Vec::new();
                tree.init_exprs(*init, &mut parts);
                for part in parts {
                    self.graph.copy(value(part), inside);
                }
            }
            ExprKind::Member {
                base, arrow: true, ..
            } => {
                self.graph.copy(value(*base), place(id));
                self.read(id);
            }
            ExprKind::Member { base, .. } => {
                self.graph.copy(place(*base), place(id));
                self.graph.copy(value(*base), value(id));
                self.read(id);
            }
            ExprKind::Index { base, index } => {
                for operand in self.pointers(*base, *index) {
                    self.graph.copy(value(operand), place(id));
                }
                self.read(id);
            }
            ExprKind::Deref(pointer) => {
                self.graph.copy(value(*pointer), place(id));
                self.read(id);
            }
            ExprKind::AddressOf(operand) => self.graph.copy(place(*operand), value(id)),
            _ if !self.tree.selectable(id).is_empty() => {
                for arm in self.tree.selectable(id) {
                    self.graph.copy(value(arm), value(id));
                    self.graph.copy(place(arm), place(id));
                }
            }
            ExprKind::Call { callee, args, .. } => self.call(id, *callee, args),
            _ => self.plain_value(id),
        }
    }

    /// The operand of `a[i]` that is the pointer, or both operands if neither is known to be one.
    fn pointers(&self, base: ExprId, index: ExprId) -> Vec<ExprId> {
        let is_pointer = |e: ExprId| self.tree.types.pointee(self.ty(e)).is_some();
        match (is_pointer(base), is_pointer(index)) {
            (true, _) => vec![base],
            (_, true) => vec![index],
            _ => vec![base, index],
        }
    }

    /// The value of an lvalue: the contents of its locations, or the locations themselves for an
    /// array.
    fn read(&mut self, id: ExprId) {
        if self.decays(id) {
            self.graph.copy(place(id), value(id));
        } else if self.carries(self.ty(id)) {
            self.graph.load(place(id), value(id));
        }
    }

    fn made(&mut self, id: ExprId) {
        let location = self.location(Location::Made(id));
        self.graph.add(place(id), location);
        self.read(id);
    }

    /// Expressions whose value comes from the values of their operands.
    fn plain_value(&mut self, id: ExprId) {
        let tree = self.tree;
        let mut from = Vec::new();
        match &tree.exprs[id].kind {
            ExprKind::Assign { op, lhs, rhs, .. } => {
                from.push(*rhs);
                if op.is_some() {
                    from.push(*lhs);
                }
                if self.carries(self.ty(*lhs)) {
                    self.graph.store(value(*rhs), place(*lhs));
                }
            }
            ExprKind::IncDec { operand, .. } => from.push(*operand),
            ExprKind::Unary(_, e) | ExprKind::Cast(e) => from.push(*e),
            ExprKind::Binary(op, a, b) if !op.is_boolean() => {
                from.push(*a);
                // The count of a shift is no part of the result.
                if !matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                    from.push(*b);
                }
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                from.extend([then.unwrap_or(*cond), *otherwise]);
            }
            ExprKind::Comma(list) => from.extend(list.last()),
            ExprKind::StmtExpr(block) => from.extend(last_value(tree, *block)),
            ExprKind::VaArg(_) if self.carries(self.ty(id)) => {
                self.graph.copy(self.variadic, value(id));
            }
            _ => {}
        }
        if self.carries(self.ty(id)) {
            for e in from {
                self.graph.copy(value(e), value(id));
            }
        }
    }

    // Calls -------------------------------------------------------------------------------------

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) {
        let nodes = || args.iter().map(|&a| value(a)).collect();
        match named_function(self.tree, callee) {
            Some(f) if self.tree.functions[f].body.is_some() => {
                // The callee's value is the function, so this is a dynamic call with one target.
                self.dynamic_call(id, value(callee), nodes());
            }
            Some(f) => {
                let function = &self.tree.functions[f];
                let name = function.name.clone();
                // A program may declare a library function without including its header.
                let known = function.in_system_header || library::function(&name).is_some();
                let is_library = known && !function.implicit;
                self.outside_call(id, (Some(f), &name), args, is_library);
            }
            None => match &self.tree.exprs[callee].kind {
                ExprKind::Ident(Resolved::Unknown(name)) => {
                    let name = name.clone();
                    self.outside_call(id, (None, &name), args, true);
                }
                _ => {
                    let callee = value(callee);
                    self.dynamic_call(id, callee, nodes());
                    // The callee may be a function of another unit.
                    self.graph.load(callee, value(id));
                }
            },
        }
    }

    /// A call of any function that the node `callee` may contain.
    fn dynamic_call(&mut self, id: ExprId, callee: Node, args: Vec<Node>) {
        let result = self.call_result(id);
        self.graph.dynamic(Dynamic {
            callee,
            args,
            open: false,
            result,
        });
    }

    fn call_result(&mut self, id: ExprId) -> Node {
        if self.carries(self.ty(id)) {
            value(id)
        } else {
            self.graph.node()
        }
    }

    /// A call of a function without body. A library function may mix its arguments and return some of them or new memory;
    /// nothing is known of any other function.
    fn outside_call(
        &mut self,
        id: ExprId,
        (function, name): (Option<FunctionId>, &str),
        given: &[ExprId],
        is_library: bool,
    ) {
        let args: &[Node] = &given.iter().map(|&a| value(a)).collect::<Vec<_>>();
        if self.known_call(name, args) || is_library && self.atomic_call(id, name, args) {
            return;
        }
        if is_library && matches!(name, "strdup" | "strndup") {
            // New memory, with a copy of characters.
            let memory = self.location(Location::Made(id));
            let result = self.call_result(id);
            self.graph.add(result, memory);
            return;
        }
        let row = library::function(name).filter(|_| is_library);
        if row.is_some_and(|f| f.fills.is_some_and(|fills| self.fill(id, fills, args))) {
            return;
        }
        let contract = row.and_then(|f| f.contract);
        if let (true, Some(&searched)) = (contract.is_some_and(Contract::finds), args.first()) {
            // No memory of the library's own.
            let result = self.call_result(id);
            self.graph.copy(searched, result);
            return;
        }
        let pure = row.is_some_and(|f| f.writes == Some(Writes::Nothing));
        let mixed = self.graph.node();
        for &arg in args {
            self.graph.copy(arg, mixed);
            self.graph.load(arg, mixed);
        }
        for (at, &arg) in args.iter().enumerate().filter(|_| !pure) {
            if !is_library {
                self.graph.store(mixed, arg);
            } else if stores_pointers(self.tree, (function, name), given, at) {
                let stored = self.stored_by_library(args, at);
                self.graph.store(stored, arg);
            }
        }
        let result = self.call_result(id);
        // Numbers that the library computes are no addresses.
        if !is_library || !self.tree.types.is_arithmetic(self.ty(id)) {
            self.graph.copy(mixed, result);
        }
        // A function that writes nothing calls only what it registers.
        if !pure || row.is_some_and(|f| f.runs.is_some()) {
            let callback = self.graph.node();
            self.graph.dynamic(Dynamic {
                callee: mixed,
                args: vec![mixed],
                open: true,
                result: callback,
            });
        }
        if is_library {
            let memory = self.location(Location::Made(id));
            self.graph.add(result, memory);
        } else {
            let unknown = self.location(Location::Unknown);
            let inside = self.graph.contents(unknown);
            self.graph.add(mixed, unknown);
            self.graph.copy(mixed, inside);
        }
        match name {
            "pthread_exit" => self.graph.copy(mixed, self.threads),
            "pthread_join" => self.graph.copy(self.threads, mixed),
            _ if keeps_pointers(name) => {
                self.graph.copy(mixed, self.library);
                self.graph.copy(self.library, mixed);
            }
            _ => {}
        }
    }

    /// What a function of the library may store where an argument leads: no address of an object in that object.
    fn stored_by_library(&mut self, args: &[Node], at: usize) -> Node {
        let stored = self.graph.node();
        for &arg in args {
            self.graph.load(arg, stored);
            if arg != args[at] {
                self.graph.copy(arg, stored);
            }
        }
        stored
    }

    /// Handles a call of a function that only copies memory to the target of its first argument, or
    /// sets the bytes there, and may return that argument; returns whether it has its arguments.
    fn fill(&mut self, id: ExprId, fills: Fills, args: &[Node]) -> bool {
        let Some(&to) = args.first() else {
            return false;
        };
        // Otherwise the bytes are those of a character.
        if fills.reads {
            let Some(&from) = args.get(1) else {
                return false;
            };
            let copied = self.graph.node();
            self.graph.load(from, copied);
            self.graph.store(copied, to);
        }
        let result = self.call_result(id);
        self.graph.copy(to, result);
        true
    }

    /// Handles a call if the catalogue knows everything that the function does with pointers;
    /// returns whether it does.
    fn known_call(&mut self, name: &str, args: &[Node]) -> bool {
        let starts = match name {
            "pthread_create" => Some((2, 3)),
            "thrd_create" => Some((1, 2)),
            _ => None,
        };
        if let Some((function, argument)) = starts {
            let (Some(&callee), Some(&given)) = (args.get(function), args.get(argument)) else {
                return false;
            };
            // The call writes the thread's number; a join gets the value that the thread's function
            // returns.
            let result = self.graph.node();
            self.graph.dynamic(Dynamic {
                callee,
                args: vec![given],
                open: true,
                result,
            });
            self.graph.copy(result, self.threads);
            return true;
        }
        // The state of a lock or the like points to no memory of the program.
        library::primitive(name).is_some_and(|p| !matches!(p.family, Family::Thread | Family::Once))
    }

    // Declarations and statements ---------------------------------------------------------------

    fn initializers(&mut self) {
        let tree = self.tree;
        for (id, object) in tree.objects.iter() {
            let Some(init) = object.init else { continue };
            if !self.carries(object.ty) {
                continue;
            }
            let mut parts = Vec::new();
            tree.init_exprs(init, &mut parts);
            let node = self.contents_of(id);
            for part in parts {
                self.graph.copy(value(part), node);
            }
        }
    }

    fn statements(&mut self, unknown: Loc) {
        let tree = self.tree;
        for (_, stmt) in tree.stmts.iter() {
            match &stmt.kind {
                StmtKind::Return(Some(e)) => {
                    if let Some(f) = stmt.function {
                        let result = self.result(f);
                        self.graph.copy(value(*e), result);
                    }
                }
                StmtKind::Asm { .. } => {
                    for (object, _) in tree.named_by_assembler(stmt) {
                        let node = self.contents_of(object);
                        self.graph.add(node, unknown);
                        self.graph.load(node, node);
                    }
                }
                _ => {}
            }
        }
    }

    fn solve(mut self) -> Aliases {
        let mut signatures: HashMap<Loc, Signature> = HashMap::new();
        let tree = self.tree;
        for (f, _, body) in tree.defined_functions() {
            let location = self.location(Location::Function(f));
            let params = body
                .params
                .iter()
                .map(|&p| match self.carries(tree.objects[p].ty) {
                    true => self.contents_of(p),
                    false => self.graph.node(),
                })
                .collect();
            let result = self.result(f);
            let signature = Signature {
                params,
                rest: self.variadic,
                result,
            };
            signatures.insert(location, signature);
        }
        self.graph
            .solve(|location| signatures.get(&location).cloned());
        Aliases {
            locations: self.locations,
            numbers: self.known,
            graph: self.graph,
            exprs: tree.exprs.len(),
        }
    }
}

/// The expression that gives a statement expression its value.
fn last_value(tree: &Tree, block: crate::span::StmtId) -> Option<ExprId> {
    let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
        return None;
    };
    let mut last = match items.last()? {
        BlockItem::Stmt(last) => *last,
        BlockItem::Decl(_) => return None,
    };
    while let StmtKind::Labeled { body, .. } = tree.stmts[last].kind {
        last = body;
    }
    match tree.stmts[last].kind {
        StmtKind::Expr(e) => e,
        _ => None,
    }
}

/// Whether a library function keeps pointers that another call may return.
fn keeps_pointers(name: &str) -> bool {
    library::function(name).is_some_and(|f| f.keeps_pointers)
}
