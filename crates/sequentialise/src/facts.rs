//! Facts about the program that are collected before lowering.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use cfront::access::{address_taken, writes};
use cfront::consteval;
use cfront::span::{DeclId, Id, ObjectId, Offset};
use cfront::tree::{ExprKind, InitKind, Parent, Resolved, StmtKind, Storage, Tree};
use cfront::{Aliases, Assumptions, CallGraph, ExprId, FunctionId, Memory, Span, StmtId, Unit};

use crate::library::{self, Call, Point};
use crate::local_types::LocalTypes;
use crate::members;
use crate::pointers::{self, Compared};
use crate::rooms::Rooms;

/// Facts about a program, with indices of its nodes by their position in the text.
pub(crate) struct Facts<'a> {
    /// The program.
    pub unit: &'a Unit,
    /// Its tree.
    pub tree: &'a Tree,
    /// Its types, with names for those of blocks.
    pub local_types: LocalTypes,
    /// The call graph.
    pub graph: CallGraph,
    /// The points-to analysis.
    pub aliases: Aliases,
    /// Identifiers of objects and functions in expressions.
    idents: Vec<(Offset, ExprId)>,
    /// Names of automatic and static objects of functions where the tree has no expression: in
    /// operands of builtins that take types, and the like.
    hidden: Vec<(Offset, (Span, ObjectId))>,
    /// Evaluated expressions that are in no other expression.
    roots: Vec<(Offset, ExprId)>,
    /// Written objects, as a whole or in part.
    writes: Vec<(Offset, ObjectId)>,
    written: Vec<(Offset, ExprId)>,
    loops: Vec<(Offset, StmtId)>,
    declared: Vec<(Offset, ObjectId)>,
    declarations: Vec<(Offset, DeclId)>,
    labels: Vec<(Offset, StmtId)>,
    gotos: Vec<(Offset, StmtId)>,
    returns: Vec<(Offset, StmtId)>,
    calls: Vec<(Offset, ExprId)>,
    statement_expressions: Vec<(Offset, Span)>,
    /// Jumps that may leave a statement expression.
    leaving: Vec<(Offset, StmtId)>,
    /// Addresses of labels.
    label_addresses: Vec<(Offset, ExprId)>,
    /// Pointers through which freed memory may be accessed; `None` if such accesses are not looked for.
    pub checked: Option<Vec<(Offset, ExprId)>>,
    /// Which pointers to allocated memory the program compares.
    pub compared: Compared,
    /// Assembler statements that write or jump.
    assemblers: Vec<(Offset, StmtId)>,
    /// Objects whose address is taken.
    pub address_taken: BTreeSet<ObjectId>,
    /// Automatic objects that another thread may access.
    pub escaping: BTreeSet<ObjectId>,
    /// Integers of static duration that the program never writes, with their values.
    pub constants: HashMap<ObjectId, i128>,
    /// For each object, a name that is unique in its function.
    pub names: HashMap<ObjectId, String>,
    /// Whether the program tries to take locks without waiting.
    pub tries: bool,
    /// Whether the program cancels threads.
    pub cancels: bool,
    /// Whether a thread may ask for its own handle.
    pub names_self: bool,
    /// Replacements of initializers of locks and similar objects.
    pub sync_inits: Vec<(Span, String)>,
    /// The constants that sizes of memory depend on.
    pub rooms: Rooms,
    /// Whether some mutex may be recursive or check its owner.
    pub mutex_kinds: bool,
    /// Whether the program asks for checks of how it uses locks.
    pub asks: bool,
    /// Whether it asks for the check of a call that destroys a lock or the like.
    pub destroys: bool,
}

impl<'a> Facts<'a> {
    /// Collects the facts.
    pub fn new(unit: &'a Unit) -> Facts<'a> {
        let tree = &unit.tree;
        let whole = Assumptions {
            whole_program: true,
        };
        let taken: BTreeSet<ObjectId> = address_taken(tree).into_keys().collect();
        let aliases = Aliases::new(tree, whole);
        let checked = pointers::followed(tree, &aliases);
        let compared = pointers::compared(tree, &aliases);
        let at = |e: ExprId| (tree.exprs[e].span.start, e);
        let mut facts = Facts {
            unit,
            tree,
            local_types: LocalTypes::of(unit),
            graph: CallGraph::resolved(tree, &aliases),
            aliases,
            idents: Vec::new(),
            hidden: Vec::new(),
            roots: Vec::new(),
            writes: Vec::new(),
            written: Vec::new(),
            loops: Vec::new(),
            declared: Vec::new(),
            declarations: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            returns: Vec::new(),
            calls: Vec::new(),
            statement_expressions: Vec::new(),
            leaving: Vec::new(),
            label_addresses: Vec::new(),
            checked: checked.map(|all| all.into_iter().map(at).collect()),
            compared,
            assemblers: Vec::new(),
            address_taken: taken,
            escaping: BTreeSet::new(),
            constants: HashMap::new(),
            names: HashMap::new(),
            tries: false,
            cancels: false,
            names_self: false,
            sync_inits: Vec::new(),
            rooms: Rooms::of(tree),
            mutex_kinds: false,
            asks: false,
            destroys: false,
        };
        (facts.sync_inits, facts.mutex_kinds) = crate::synctypes::initializers(unit);
        facts.index();
        facts.checked.iter_mut().for_each(|all| all.sort());
        facts.find_hidden();
        facts.find_escaping();
        facts.find_constants();
        facts.name_objects();
        facts
    }

    fn index(&mut self) {
        let tree = self.tree;
        for (id, expr) in tree.exprs.iter() {
            let at = expr.bare.start;
            match &expr.kind {
                ExprKind::Ident(Resolved::Object(_) | Resolved::Function(_)) => {
                    self.idents.push((at, id));
                }
                ExprKind::LabelAddress(_) => self.label_addresses.push((at, id)),
                ExprKind::StmtExpr(_) if !expr.unevaluated => {
                    self.statement_expressions
                        .push((expr.span.start, expr.span));
                }
                ExprKind::Call { .. } if !expr.unevaluated => {
                    self.calls.push((at, id));
                    let call = library::of_call(tree, id);
                    self.tries |= call.is_some_and(Call::tries);
                    self.cancels |= call.is_some_and(Call::cancels);
                    self.names_self |= call.is_some_and(Call::names_self);
                    self.mutex_kinds |= call.is_some_and(Call::makes_kinds);
                    self.asks |= call == Some(Call::Use);
                    self.destroys |= call == Some(Call::Destroy);
                }
                _ => {}
            }
            let inside = matches!(expr.parent, Parent::Expr(_) | Parent::Constant);
            if !inside && !expr.unevaluated && !matches!(expr.kind, ExprKind::Opaque) {
                self.roots.push((expr.span.start, id));
            }
        }
        for write in writes(tree) {
            let at = tree.exprs[write.expr].span.start;
            self.written.push((at, write.lvalue));
            if let Some(object) = write.object {
                self.writes
                    .push((tree.exprs[write.expr].span.start, object));
            }
        }
        for (id, stmt) in tree.stmts.iter() {
            if leaves_expression(tree, id) {
                self.leaving.push((stmt.span.start, id));
            }
            let list = match stmt.kind {
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                    &mut self.loops
                }
                StmtKind::Labeled { .. } => &mut self.labels,
                StmtKind::Goto { .. } => &mut self.gotos,
                StmtKind::Return(_) => &mut self.returns,
                StmtKind::Asm { writes: true, .. } => &mut self.assemblers,
                _ => continue,
            };
            list.push((stmt.span.start, id));
        }
        for (id, object) in tree.objects.iter() {
            if object.function.is_some() {
                self.declared.push((object.name_span.start, id));
            }
            if object.init.is_some() {
                self.writes.push((object.name_span.start, id));
            }
        }
        for (id, decl) in tree.decls.iter() {
            self.declarations.push((decl.span.start, id));
        }
        self.idents.sort();
        self.roots.sort();
        self.writes.sort();
        self.written.sort();
        self.loops.sort();
        self.declared.sort();
        self.declarations.sort();
        self.labels.sort();
        self.gotos.sort();
        self.calls.sort();
        self.statement_expressions.sort_by_key(|(at, _)| *at);
        self.leaving.sort();
        self.returns.sort();
        self.label_addresses.sort();
        self.assemblers.sort();
    }

    /// Finds the names of functions' own objects that no expression of the tree shows. Linear in the
    /// number of tokens; scopes are searched only for names that no expression has.
    fn find_hidden(&mut self) {
        let (tree, unit) = (self.tree, self.unit);
        let own = tree.objects.iter().filter(|(_, o)| o.function.is_some());
        let names: HashSet<&str> = own.map(|(_, o)| o.name.as_str()).collect();
        let seen: HashSet<Offset> = self.idents.iter().map(|(at, _)| *at).collect();
        let declared: HashSet<Offset> = self.declared.iter().map(|(at, _)| *at).collect();
        let tokens = &unit.tokens;
        let members = members::named(tokens, unit.text());
        for (_, _, body) in tree.defined_functions() {
            let first = tokens.at_or_after(body.span.start);
            let last = tokens.at_or_after(body.span.end);
            for index in first..last {
                let at = tokens.tokens[index].span;
                let word = at.of(unit.text());
                let known = seen.contains(&at.start) || declared.contains(&at.start);
                if known || members.contains(&index) || !names.contains(word) {
                    continue;
                }
                let before = index
                    .checked_sub(1)
                    .map_or("", |t| tokens.text(t, unit.text()));
                let label = tokens.text(index + 1, unit.text()) == ":" && before != "?";
                if label || matches!(before, "." | "->" | "goto" | "struct" | "union" | "enum") {
                    continue;
                }
                let scope = tree.scope_at(at.start);
                if let Some(object) = tree.visible_at(scope, at.start, word) {
                    self.hidden.push((at.start, (at, object)));
                }
            }
        }
        self.hidden.sort();
    }

    fn find_escaping(&mut self) {
        let starts: Vec<FunctionId> = self.graph.address_taken.keys().copied().collect();
        for &object in &self.address_taken {
            let o = &self.tree.objects[object];
            let automatic = matches!(o.storage, Storage::Local | Storage::Parameter);
            if automatic && self.aliases.leaves_its_thread(self.tree, object, &starts) {
                self.escaping.insert(object);
            }
        }
    }

    fn find_constants(&mut self) {
        let written: BTreeSet<ObjectId> = writes(self.tree)
            .into_iter()
            .filter_map(|w| w.object)
            .collect();
        for (id, object) in self.tree.objects.iter() {
            let constant = object.is_static_duration()
                && object.defined
                && !object.thread_local
                && self.tree.types.is_integer(object.ty)
                && !written.contains(&id)
                && !self.address_taken.contains(&id);
            if !constant {
                continue;
            }
            let value = match object.init.map(|init| &self.tree.inits[init].kind) {
                None => Some(0),
                Some(InitKind::Expr(e)) => consteval::eval(self.tree, *e),
                Some(InitKind::List(_)) => None,
            };
            if let Some(value) = value {
                self.constants.insert(id, value);
            }
        }
    }

    fn name_objects(&mut self) {
        let mut used: BTreeMap<(FunctionId, &str), u32> = BTreeMap::new();
        for &(_, id) in &self.declared {
            let object = &self.tree.objects[id];
            let Some(function) = object.function else {
                continue;
            };
            let count = used.entry((function, object.name.as_str())).or_default();
            *count += 1;
            let name = match *count {
                1 => object.name.clone(),
                n => format!("{}_{n}", object.name),
            };
            self.names.insert(id, name);
        }
    }

    /// Identifiers in a part of the text.
    pub fn idents_in(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        within(&self.idents, span)
    }

    /// Pointers in a part of the text through which freed memory may be accessed.
    pub fn checked_in(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        within(self.checked.as_deref().unwrap_or_default(), span)
    }

    /// Names of objects of functions in a part of the text where the tree has no expression.
    pub fn hidden_in(&self, span: Span) -> impl Iterator<Item = (Span, ObjectId)> + '_ {
        within(&self.hidden, span)
    }

    /// Expressions in a part of the text that are in no other expression.
    pub fn roots_in(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        within(&self.roots, span)
    }

    /// Objects that a part of the text writes by name.
    pub fn writes_in(&self, span: Span) -> impl Iterator<Item = ObjectId> + '_ {
        within(&self.writes, span)
    }

    /// Lvalues that a part of the text writes.
    pub fn written_in(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        within(&self.written, span)
    }

    /// Loops in a part of the text.
    pub fn loops_in(&self, span: Span) -> impl Iterator<Item = StmtId> + '_ {
        within(&self.loops, span)
    }

    /// Labelled statements in a part of the text.
    pub fn labels_in(&self, span: Span) -> impl Iterator<Item = StmtId> + '_ {
        within(&self.labels, span)
    }

    /// Jumps to labels in a part of the text.
    pub fn gotos_in(&self, span: Span) -> impl Iterator<Item = StmtId> + '_ {
        within(&self.gotos, span)
    }

    /// Statements in a part of the text that return from a function.
    pub fn returns_in(&self, span: Span) -> impl Iterator<Item = StmtId> + '_ {
        within(&self.returns, span)
    }

    /// Jumps in a part of the text that may leave a statement expression.
    pub fn leaving_in(&self, span: Span) -> impl Iterator<Item = StmtId> + '_ {
        within(&self.leaving, span)
    }

    /// Addresses of labels in a part of the text.
    pub fn label_addresses_in(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        within(&self.label_addresses, span)
    }

    /// Assembler statements in a part of the text that write or jump.
    pub fn assemblers_in(&self, span: Span) -> impl Iterator<Item = StmtId> + '_ {
        within(&self.assemblers, span)
    }

    /// Calls in a part of the text.
    pub fn calls_in(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        within(&self.calls, span)
    }

    /// Statement expressions in a part of the text.
    pub fn statement_expressions_in(&self, span: Span) -> impl Iterator<Item = Span> + '_ {
        within(&self.statement_expressions, span)
    }

    /// Where expressions name an object.
    pub fn idents_of(&self, object: ObjectId) -> impl Iterator<Item = ExprId> + '_ {
        let all = self.idents.iter().map(|(_, e)| *e);
        all.filter(move |&e| {
            let expr = &self.tree.exprs[e];
            !expr.unevaluated
                && matches!(expr.kind, ExprKind::Ident(Resolved::Object(o)) if o == object)
        })
    }

    /// Calls in a part of the text, and calls whose arguments contain it.
    pub fn calls_around(&self, span: Span) -> impl Iterator<Item = ExprId> + '_ {
        let holds = move |&call: &ExprId| self.tree.exprs[call].span.encloses(span);
        let mut outer = Vec::new();
        if let Some(first) = self.roots_in_or_around(span) {
            outer.extend(self.calls_in(first).filter(holds));
        }
        let inside = self.calls_in(span).filter(move |c| !holds(c));
        outer.into_iter().chain(inside)
    }

    /// The span of the last outermost expression that begins at or before a place, if it encloses
    /// it.
    fn roots_in_or_around(&self, span: Span) -> Option<Span> {
        let behind = self.roots.partition_point(|(at, _)| *at <= span.start);
        let (_, root) = self.roots.get(behind.checked_sub(1)?)?;
        Some(self.tree.exprs[*root].span).filter(|s| s.encloses(span))
    }

    /// Declarations in a part of the text.
    pub fn declarations_in(&self, span: Span) -> impl Iterator<Item = DeclId> + '_ {
        within(&self.declarations, span)
    }

    /// Whether no started thread can execute a function.
    pub fn is_of_main_alone(&self, function: FunctionId) -> bool {
        // Threads begin with functions whose address is taken.
        let mut begins = self.graph.address_taken.keys();
        !begins.any(|&f| self.graph.reachable(f).contains(&function))
    }

    /// Calls that create keys of thread-specific data, each with its destructor.
    pub fn keys_made(&self) -> Vec<(ExprId, ExprId)> {
        let all = Span::new(0, self.unit.text().len());
        let made = self.calls_in(all).filter_map(|call| {
            let name = library::name_of(self.tree, call)?;
            let ExprKind::Call { args, .. } = &self.tree.exprs[call].kind else {
                return None;
            };
            let makes = matches!(name, "pthread_key_create" | "tss_create");
            args.get(1).filter(|_| makes).map(|&f| (call, f))
        });
        made.collect()
    }

    /// The function that a call names.
    pub fn called(&self, call: ExprId) -> Option<FunctionId> {
        match &self.tree.exprs[call].kind {
            ExprKind::Call { callee, .. } => cfront::calls::named_function(self.tree, *callee),
            _ => None,
        }
    }

    /// The meaning of a call in the library.
    pub fn library(&self, call: ExprId) -> Option<Call> {
        library::of_call(self.tree, call)
    }

    /// Whether a thread that is cancelled may end in a call.
    pub fn point(&self, call: ExprId) -> Option<Point> {
        library::point_of(self.tree, call).filter(|_| self.cancels)
    }

    /// Whether a call ends the process.
    pub fn ends_run(&self, call: ExprId) -> bool {
        let expr = &self.tree.exprs[call];
        let row = library::name_of(self.tree, call).and_then(cfront::library::function);
        let ends = row.and_then(|row| row.ends) == Some(cfront::library::Ends::Process);
        ends && !expr.unevaluated && self.targets(call).is_empty()
    }

    /// The defined functions that a call may call.
    pub fn targets(&self, call: ExprId) -> Vec<FunctionId> {
        let has_body = |f: &FunctionId| self.tree.functions[*f].body.is_some();
        if let Some(f) = self.called(call) {
            return Some(f).filter(has_body).into_iter().collect();
        }
        let ExprKind::Call { callee, args, .. } = &self.tree.exprs[call].kind else {
            return Vec::new();
        };
        if matches!(
            self.tree.exprs[*callee].kind,
            ExprKind::Ident(Resolved::Unknown(_))
        ) {
            return Vec::new();
        }
        self.pointed(*callee)
            .into_iter()
            .filter(has_body)
            .filter(|&f| {
                let ty = self.tree.functions[f].ty;
                let ty = self.tree.types.function(ty);
                ty.is_none_or(|t| !t.prototype || t.variadic || t.params.len() == args.len())
            })
            .collect()
    }

    /// The functions that a value may point to.
    pub fn pointed(&self, value: ExprId) -> Vec<FunctionId> {
        if let Some(f) = cfront::calls::named_function(self.tree, value) {
            return vec![f];
        }
        let pointed = self.aliases.may_point_to(value);
        match pointed.anything {
            true => self.graph.address_taken.keys().copied().collect(),
            false => pointed.functions.into_iter().collect(),
        }
    }

    /// Whether several threads may access a piece of memory.
    pub fn may_be_shared(&self, memory: Memory) -> bool {
        match memory {
            Memory::Object(o) => {
                let object = &self.tree.objects[o];
                match object.storage {
                    Storage::Local | Storage::Parameter => self.escaping.contains(&o),
                    _ if object.ty.quals.is_const || self.constants.contains_key(&o) => false,
                    _ => !object.thread_local || self.address_taken.contains(&o),
                }
            }
            Memory::Made(e) => match self.tree.exprs.get(e) {
                Some(expr) => !matches!(expr.kind, ExprKind::Str(_)),
                None => true,
            },
        }
    }
}

/// Whether a statement is a jump in a statement expression and may leave it.
fn leaves_expression(tree: &Tree, jump: StmtId) -> bool {
    let (mut breaks, mut continues) = match tree.stmts[jump].kind {
        StmtKind::Goto { .. } | StmtKind::GotoComputed(_) | StmtKind::Return(_) => (false, false),
        StmtKind::Break => (true, false),
        StmtKind::Continue => (false, true),
        _ => return false,
    };
    let leaves_loop = breaks || continues;
    let mut at = tree.stmts[jump].parent;
    loop {
        match at {
            Parent::Stmt(around) => {
                match tree.stmts[around].kind {
                    StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                        (breaks, continues) = (false, false);
                    }
                    StmtKind::Switch { .. } => breaks = false,
                    _ => {}
                }
                at = tree.stmts[around].parent;
            }
            Parent::Expr(_) => return !leaves_loop || breaks || continues,
            _ => return false,
        }
    }
}

fn within<T: Copy>(sorted: &[(Offset, T)], span: Span) -> impl Iterator<Item = T> + '_ {
    let from = sorted.partition_point(|(at, _)| *at < span.start);
    sorted[from..]
        .iter()
        .take_while(move |(at, _)| *at < span.end)
        .map(|(_, what)| *what)
}

/// The index of a node, as a key for maps.
pub(crate) fn key(id: impl Id) -> usize {
    id.index()
}
