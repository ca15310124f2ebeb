//! Which objects can influence what a run does next, and its word.
//!
//! A slice of the program that heeds neither the order of statements nor elements of arrays: an
//! object influences another if its value flows into a write to it, or into a condition that decides
//! whether the write happens. What decides jumps, loops, labels and ends influences the run itself.
//! Members of a structure are parts of their own. Pointers are followed by the points-to analysis.

mod calls;

use std::collections::{BTreeSet, HashMap};

use cfront::alias::{Aliases, PointsTo};
use cfront::span::{ExprId, FunctionId, Id, ObjectId, Span, StmtId};
use cfront::tree::{
    BinaryOp, BlockItem, Entity, ExprKind, ForInit, Label, Parent, Resolved, StmtKind, Storage,
    Tree,
};
use cfront::types::{Class, Type};

use crate::facts::ObjectIndex;
use crate::library;

/// A node of the graph: a part of an object, the result or the execution of a function, the
/// outcome of a condition, or the run.
type Node = usize;

/// An object without members, or one member of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// The object.
    pub object: ObjectIndex,
    /// The number of the member in its structure.
    pub member: Option<usize>,
}

impl Part {
    /// An object without members.
    pub fn whole(object: ObjectIndex) -> Part {
        Part {
            object,
            member: None,
        }
    }
}

/// What influences what.
#[derive(Clone, Debug)]
pub struct Influence {
    parts: Vec<Part>,
    /// For each object, its first part and the number of its parts.
    of_object: Vec<(usize, usize)>,
    /// For each node, the nodes that influence it.
    from: Vec<BTreeSet<Node>>,
    written: Vec<bool>,
    run: Node,
    functions: HashMap<String, (Node, Node)>,
    /// The watched expressions, by their places.
    marks: Vec<((usize, usize), Node)>,
    /// Writes into memory that has no name.
    pub unnamed_writes: Vec<Span>,
    /// For each function, the objects that its own code may write without naming them.
    pub through_pointers: HashMap<FunctionId, BTreeSet<ObjectIndex>>,
}

impl Influence {
    /// Follows the whole program.
    pub fn new(tree: &Tree, aliases: &Aliases) -> Influence {
        Influence::watching(tree, aliases, BTreeSet::new())
    }

    /// Follows the whole program, and what becomes of the values of some expressions, which are given by their
    /// places.
    pub fn watching(
        tree: &Tree,
        aliases: &Aliases,
        watched: BTreeSet<(usize, usize)>,
    ) -> Influence {
        let mut builder = Builder::new(tree, aliases);
        builder.watched = watched;
        for (id, _, body) in tree.defined_functions() {
            builder.function = Some(id);
            let context = builder.execution(id);
            builder.statement(body.block, context, None);
        }
        for (id, function, _) in tree.defined_functions() {
            let nodes = (builder.result(id), builder.execution(id));
            builder.graph.functions.insert(function.name.clone(), nodes);
        }
        for (&id, &node) in &builder.results {
            let name = tree.functions[id].name.clone();
            let functions = &mut builder.graph.functions;
            functions.entry(name).or_insert((node, node));
        }
        builder.graph
    }

    /// The functions whose results, and the places of the watched expressions whose values, can influence the run
    /// or these parts.
    pub fn influential(&self, parts: &[Part]) -> (BTreeSet<&str>, BTreeSet<(usize, usize)>) {
        let seen = self.seen(parts.iter().filter_map(|&p| self.index(p)).collect());
        let functions = self.functions.iter().filter(|(_, nodes)| seen[nodes.0]);
        let marked = self.marks.iter().filter(|(_, node)| seen[*node]);
        (
            functions.map(|(name, _)| name.as_str()).collect(),
            marked.map(|(place, _)| *place).collect(),
        )
    }

    /// For each node whether it influences the run or one of these.
    fn seen(&self, mut stack: Vec<Node>) -> Vec<bool> {
        stack.push(self.run);
        let mut seen = vec![false; self.from.len()];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend(self.from[node].iter().copied());
            }
        }
        seen
    }

    /// The parts of an object.
    pub fn parts_of(&self, object: ObjectIndex) -> &[Part] {
        let (first, count) = self.of_object[object];
        &self.parts[first..first + count]
    }

    /// The part of an object that is this member, or all parts.
    pub fn member(&self, object: ObjectIndex, member: Option<usize>) -> Vec<Part> {
        let parts = self.parts_of(object).iter().copied();
        parts
            .filter(|p| member.is_none() || p.member.is_none() || p.member == member)
            .collect()
    }

    /// Whether some statement or call writes the part.
    pub fn is_written(&self, part: Part) -> bool {
        self.index(part).is_some_and(|i| self.written[i])
    }

    fn index(&self, part: Part) -> Option<usize> {
        let (first, count) = self.of_object[part.object];
        (first..first + count).find(|&i| self.parts[i] == part)
    }

    /// The parts that influence the run, these parts, the results of these functions, or whether
    /// those functions are called.
    pub fn relevant(&self, parts: &[Part], results: &[&str], calls: &[&str]) -> BTreeSet<Part> {
        let mut stack: Vec<Node> = Vec::new();
        stack.extend(parts.iter().filter_map(|&p| self.index(p)));
        stack.extend(
            results
                .iter()
                .filter_map(|n| self.functions.get(*n))
                .map(|f| f.0),
        );
        stack.extend(
            calls
                .iter()
                .filter_map(|n| self.functions.get(*n))
                .map(|f| f.1),
        );
        let seen = self.seen(stack);
        let parts = self.parts.iter().enumerate();
        parts.filter(|(i, _)| seen[*i]).map(|(_, p)| *p).collect()
    }
}

/// What a `break` belongs to: the condition of a `switch`, or else a loop.
type Switch = Option<Node>;

struct Builder<'a> {
    tree: &'a Tree,
    aliases: &'a Aliases,
    graph: Influence,
    results: HashMap<FunctionId, Node>,
    executions: HashMap<FunctionId, Node>,
    function: Option<FunctionId>,
    watched: BTreeSet<(usize, usize)>,
}

impl<'a> Builder<'a> {
    fn new(tree: &'a Tree, aliases: &'a Aliases) -> Builder<'a> {
        let mut parts = Vec::new();
        let mut of_object = Vec::new();
        for (id, object) in tree.objects.iter() {
            let first = parts.len();
            let members = match tree.types.get(object.ty) {
                Type::Record(record) if !tree.types.records[*record].is_union => {
                    tree.types.records[*record].members.as_ref().map(Vec::len)
                }
                _ => None,
            };
            let object = id.index();
            match members {
                Some(count) if count > 0 => parts.extend((0..count).map(|m| Part {
                    object,
                    member: Some(m),
                })),
                _ => parts.push(Part {
                    object,
                    member: None,
                }),
            }
            of_object.push((first, parts.len() - first));
        }
        let run = parts.len();
        let graph = Influence {
            written: vec![false; parts.len()],
            from: vec![BTreeSet::new(); run + 1],
            parts,
            of_object,
            run,
            functions: HashMap::new(),
            marks: Vec::new(),
            unnamed_writes: Vec::new(),
            through_pointers: HashMap::new(),
        };
        Builder {
            tree,
            aliases,
            graph,
            results: HashMap::new(),
            executions: HashMap::new(),
            function: None,
            watched: BTreeSet::new(),
        }
    }

    fn node(&mut self) -> Node {
        self.graph.from.push(BTreeSet::new());
        self.graph.from.len() - 1
    }

    fn edge(&mut self, from: Node, to: Node) {
        self.graph.from[to].insert(from);
    }

    fn edges(&mut self, from: &[Node], to: Node) {
        self.graph.from[to].extend(from.iter().copied());
    }

    /// Whatever decides `context` decides something about the run itself.
    fn decides_run(&mut self, context: Node) {
        self.edge(context, self.graph.run);
    }

    fn result(&mut self, function: FunctionId) -> Node {
        if let Some(&node) = self.results.get(&function) {
            return node;
        }
        let node = self.node();
        self.results.insert(function, node);
        node
    }

    fn execution(&mut self, function: FunctionId) -> Node {
        if let Some(&node) = self.executions.get(&function) {
            return node;
        }
        let node = self.node();
        self.executions.insert(function, node);
        node
    }

    /// The outcome of a condition.
    fn condition(&mut self, context: Node, sources: &[Node]) -> Node {
        let node = self.node();
        self.edge(context, node);
        self.edges(sources, node);
        node
    }

    fn all_parts(&self, object: ObjectId) -> Vec<Node> {
        let (first, count) = self.graph.of_object[object.index()];
        (first..first + count).collect()
    }

    fn statement(&mut self, id: StmtId, context: Node, switch: Switch) {
        match self.tree.stmts[id].kind.clone() {
            StmtKind::Compound { items, .. } => {
                for item in items {
                    match item {
                        BlockItem::Decl(d) => self.declaration(d, context),
                        BlockItem::Stmt(s) => self.statement(s, context, switch),
                    }
                }
            }
            StmtKind::Expr(e) => {
                e.into_iter().for_each(|e| drop(self.value(e, context)));
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                let sources = self.value(cond, context);
                let outcome = self.condition(context, &sources);
                self.statement(then, outcome, switch);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, outcome, switch);
                }
            }
            StmtKind::Switch { cond, body, .. } => {
                let sources = self.value(cond, context);
                let outcome = self.condition(context, &sources);
                self.statement(body, outcome, Some(outcome));
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                self.looping(context, Some(cond), None, body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => drop(self.value(e, context)),
                    ForInit::Decl(d) => self.declaration(d, context),
                }
                self.looping(context, cond, step, body);
            }
            StmtKind::Labeled { label, body, .. } => {
                if matches!(label, Label::Named(_)) {
                    self.decides_run(context);
                }
                self.statement(body, context, switch);
            }
            kind => self.jump(&kind, context, switch),
        }
    }

    fn looping(&mut self, context: Node, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) {
        let outcome = self.condition(context, &[]);
        self.decides_run(outcome);
        if let Some(cond) = cond {
            let sources = self.value(cond, outcome);
            self.edges(&sources, outcome);
        }
        step.into_iter().for_each(|e| drop(self.value(e, outcome)));
        self.statement(body, outcome, None);
    }

    fn jump(&mut self, kind: &StmtKind, context: Node, switch: Switch) {
        match (kind, switch) {
            (StmtKind::Break, Some(switch)) => self.edge(context, switch),
            (StmtKind::Return(value), _) => {
                let Some(function) = self.function else {
                    return;
                };
                let (result, execution) = (self.result(function), self.execution(function));
                if let Some(value) = *value {
                    let sources = self.value(value, context);
                    self.edges(&sources, result);
                }
                self.edge(context, result);
                self.edge(context, execution);
                if self.tree.functions[function].name == "main" {
                    self.decides_run(context);
                }
            }
            (StmtKind::GotoComputed(e), _) => {
                let sources = self.value(*e, context);
                self.edges(&sources, self.graph.run);
                self.decides_run(context);
            }
            _ => self.decides_run(context),
        }
    }

    fn declaration(&mut self, id: cfront::span::DeclId, context: Node) {
        for declared in self.tree.decls[id].declared.clone() {
            let (Some(init), Entity::Object(object)) = (declared.init, declared.entity) else {
                continue;
            };
            let mut exprs = Vec::new();
            self.tree.init_exprs(init, &mut exprs);
            let sources = self.values(&exprs, context);
            let automatic = self.tree.objects[object].storage == Storage::Local;
            if automatic {
                let targets = self.all_parts(object);
                self.write(&targets, &sources, context);
            }
        }
    }

    fn values(&mut self, exprs: &[ExprId], context: Node) -> Vec<Node> {
        let all = exprs.iter().map(|&e| self.value(e, context));
        let mut all: Vec<Node> = all.collect::<Vec<_>>().concat();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn write(&mut self, targets: &[Node], sources: &[Node], context: Node) {
        for &target in targets {
            self.edges(sources, target);
            self.edge(context, target);
            if let Some(written) = self.graph.written.get_mut(target) {
                *written = true;
            }
        }
    }

    /// What the value of an expression is made of; its effects become edges.
    fn value(&mut self, e: ExprId, context: Node) -> Vec<Node> {
        let mut sources = self.value_of(e, context);
        let span = self.tree.exprs[e].span;
        if self.watched.contains(&(span.start, span.end)) {
            let node = self.node();
            self.graph.marks.push(((span.start, span.end), node));
            sources.push(node);
        }
        sources
    }

    fn value_of(&mut self, e: ExprId, context: Node) -> Vec<Node> {
        let expr = &self.tree.exprs[e];
        if expr.unevaluated {
            return Vec::new();
        }
        match expr.kind.clone() {
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let mut sources = self.value(rhs, context);
                let (targets, way) = self.place(lhs, context);
                sources.extend(way);
                if op.is_some() {
                    sources.extend(targets.iter().copied());
                }
                self.note_indirect(lhs);
                self.write(&targets, &sources, context);
                sources
            }
            ExprKind::IncDec { operand, .. } => {
                let (targets, way) = self.place(operand, context);
                self.note_indirect(operand);
                let sources = [&targets[..], &way[..]].concat();
                self.write(&targets, &sources, context);
                sources
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let mut sources = self.value(a, context);
                let outcome = self.condition(context, &sources);
                sources.extend(self.value(b, outcome));
                sources
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let mut sources = self.value(cond, context);
                let outcome = self.condition(context, &sources);
                for part in then.into_iter().chain([otherwise]) {
                    sources.extend(self.value(part, outcome));
                }
                sources
            }
            ExprKind::Call { callee, args, .. } => self.call(callee, &args, context),
            ExprKind::Ident(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                let (targets, way) = self.place(e, context);
                match self.tree.types.class(self.tree.exprs[e].ty) {
                    // An address, which is constant.
                    Class::Array | Class::Function => way,
                    _ => [&targets[..], &way[..]].concat(),
                }
            }
            ExprKind::AddressOf(operand) => {
                self.note_literal(operand);
                self.place(operand, context).1
            }
            ExprKind::CompoundLiteral(_) => {
                if self.tree.types.class(self.tree.exprs[e].ty) == Class::Array {
                    self.note_literal(e);
                }
                let children = self.tree.children(e);
                self.values(&children, context)
            }
            ExprKind::StmtExpr(s) => self.statement_expression(s, context),
            _ => {
                let children = self.tree.children(e);
                self.values(&children, context)
            }
        }
    }

    fn statement_expression(&mut self, s: StmtId, context: Node) -> Vec<Node> {
        self.statement(s, context, None);
        let last = match &self.tree.stmts[s].kind {
            StmtKind::Compound { items, .. } => items.last().copied(),
            _ => None,
        };
        match last {
            Some(BlockItem::Stmt(last)) => match self.tree.stmts[last].kind {
                StmtKind::Expr(Some(e)) => self.value(e, context),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The parts that an lvalue may designate, and what decides which of them.
    fn place(&mut self, e: ExprId, context: Node) -> (Vec<Node>, Vec<Node>) {
        match self.tree.exprs[e].kind.clone() {
            ExprKind::Ident(Resolved::Object(object)) => (self.all_parts(object), Vec::new()),
            ExprKind::Member {
                base,
                arrow: false,
                path,
                ..
            } => {
                let (targets, way) = self.place(base, context);
                let own = match self.tree.exprs[base].kind {
                    ExprKind::Ident(Resolved::Object(object)) => Some(object),
                    _ => None,
                };
                match (own, path.first()) {
                    (Some(object), Some(&(_, member))) => (self.members(object, member), way),
                    _ => (targets, way),
                }
            }
            ExprKind::Member { base, path, .. } => {
                let way = self.value(base, context);
                (self.designated(e, path.first().copied()), way)
            }
            ExprKind::Index { base, index } => {
                let (array, index) = match self.tree.types.class(self.tree.exprs[index].ty) {
                    Class::Array | Class::Pointer => (index, base),
                    _ => (base, index),
                };
                let (targets, mut way) = self.element(e, array, context);
                way.extend(self.value(index, context));
                (targets, way)
            }
            ExprKind::Deref(pointer) => self.element(e, pointer, context),
            ExprKind::Ident(_) => Default::default(),
            ExprKind::Assign { .. } | ExprKind::Call { .. } => (self.value(e, context), Vec::new()),
            _ => {
                let children = self.tree.children(e);
                (self.values(&children, context), Vec::new())
            }
        }
    }

    /// What `*array` or `array[…]` designates.
    fn element(&mut self, e: ExprId, array: ExprId, context: Node) -> (Vec<Node>, Vec<Node>) {
        if self.tree.types.class(self.tree.exprs[array].ty) == Class::Array {
            return self.place(array, context);
        }
        let way = self.value(array, context);
        (self.designated(e, None), way)
    }

    fn members(&self, object: ObjectId, member: usize) -> Vec<Node> {
        let parts = self.all_parts(object);
        let wanted = parts
            .iter()
            .copied()
            .filter(|&p| self.graph.parts[p].member == Some(member));
        match wanted.collect::<Vec<_>>() {
            none if none.is_empty() => parts,
            some => some,
        }
    }

    fn designated(&self, e: ExprId, member: Option<(cfront::span::RecordId, usize)>) -> Vec<Node> {
        let set = self.aliases.may_designate(e);
        let mut parts = Vec::new();
        for object in self.objects(&set) {
            let record = match self.tree.types.get(self.tree.objects[object].ty) {
                Type::Record(record) => Some(*record),
                _ => None,
            };
            match member {
                Some((of, member)) if record == Some(of) => {
                    parts.extend(self.members(object, member));
                }
                _ => parts.extend(self.all_parts(object)),
            }
        }
        parts
    }

    /// The objects of a set; all of them if it may be anything.
    fn objects(&self, set: &PointsTo) -> Vec<ObjectId> {
        match set.anything {
            true => self.tree.objects.ids().collect(),
            false => set.objects.iter().copied().collect(),
        }
    }
}

/// Whether an object lives in the activations of its function.
pub(crate) fn is_automatic(tree: &Tree, object: ObjectId) -> bool {
    matches!(
        tree.objects[object].storage,
        Storage::Local | Storage::Parameter
    )
}

/// Whether a statement stands inside another.
pub(crate) fn within(tree: &Tree, mut at: Parent, outer: StmtId) -> bool {
    while let Some(statement) = tree.statement_of(at) {
        if statement == outer {
            return true;
        }
        at = tree.stmts[statement].parent;
    }
    false
}
