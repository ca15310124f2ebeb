//! From the syntax tree to the [`Facts`] that the plan works on.

use std::collections::{HashMap, HashSet};

use cfront::flow::{LoopKind, Point, PointId};
use cfront::span::{DeclId, ExprId, FunctionId, Id, InitId, ObjectId, ScopeId, Span, StmtId};
use cfront::tree::{
    BlockItem, Entity, ExprKind, ForInit, InitKind, Item, Label as TreeLabel, Parent, Resolved,
    StmtKind, Storage, Tree,
};
use cfront::types::{ArrayLen, Class, QualType, Type};
use cfront::{Flow, Unit};

use crate::expression::{declaration, value_type};
use crate::facts::{
    BitField, Call, ComputedJump, Escape, Facts, Function, HeaderInitialiser, Jump, JumpKind,
    Label, Lifetime, Loop, Object, Range, Return, Write, WriteForm,
};
use crate::names::Unique;
use crate::places::{is_bit_field, Place};
use crate::types;

/// Collects the facts of a unit. Linear in the size of the tree.
pub fn collect(unit: &Unit, line: &dyn Fn(usize) -> (String, u32)) -> Facts {
    let mut collector = Collector {
        tree: &unit.tree,
        text: &unit.source.text,
        flows: &unit.flows,
        flow: None,
        cycle: Vec::new(),
        backward: HashSet::new(),
        facts: Facts::default(),
        functions: HashMap::new(),
        scopes: HashMap::new(),
        declared: HashMap::new(),
        function: 0,
    };
    collector.functions();
    collector.walk_bodies();
    collector.objects(line);
    collector.link_gotos();
    collector.words();
    collector.leave_headers(unit);
    Facts {
        shapes: crate::shapes::shapes(&unit.tree),
        static_kinds: crate::shapes::names_kinds(unit),
        type_words: crate::shapes::type_words(unit),
        ..collector.facts
    }
}

/// A point of the control flow graph of the function that is walked.
type Node = Option<PointId>;

struct Collector<'a> {
    tree: &'a Tree,
    text: &'a str,
    flows: &'a HashMap<FunctionId, Flow>,
    /// The control flow of the function that is walked.
    flow: Option<&'a Flow>,
    /// Its cycles.
    cycle: Vec<Option<usize>>,
    /// Its jumps back.
    backward: HashSet<StmtId>,
    facts: Facts,
    functions: HashMap<FunctionId, usize>,
    /// Scopes that statements open: their depth, and whether it is a `for` header.
    scopes: HashMap<ScopeId, (i32, bool, Span)>,
    /// Where declarations in blocks end.
    declared: HashMap<ObjectId, usize>,
    function: usize,
}

pub(crate) fn range(span: Span) -> Range {
    Range {
        start: span.start,
        end: span.end,
    }
}

impl Collector<'_> {
    fn functions(&mut self) {
        let mut emitted = Unique::default();
        for item in &self.tree.items {
            let Item::Function(id) = *item else { continue };
            let function = &self.tree.functions[id];
            let Some(body) = &function.body else { continue };
            let ty = self.tree.types.function(function.ty);
            let parameters = match ty {
                Some(ty) if !ty.variadic => Some(body.params.len()),
                _ => None,
            };
            let returns_void = ty.is_some_and(|ty| self.tree.types.class(ty.ret) == Class::Void);
            self.functions.insert(id, self.facts.functions.len());
            let flow = self.flows.get(&id);
            self.facts.functions.push(Function {
                id,
                name: function.name.clone(),
                emitted: emitted.name_exactly(&function.name),
                place: range(function.names.last().copied().unwrap_or(body.declarator)),
                start: body.span.start,
                body: range(self.tree.stmts[body.block].span),
                returns_void,
                result: ty.and_then(|ty| declaration(self.tree, ty.ret)),
                falls_off: flow.is_none_or(|flow| flow.falls_off(self.tree)),
                address_taken: None,
                parameters,
                reads: Vec::new(),
                indirect: None,
                writes_outside: None,
            });
        }
        for (_, function) in self.tree.functions.iter() {
            if function.in_system_header {
                self.facts.declared.insert(function.name.clone());
            }
        }
    }

    fn walk_bodies(&mut self) {
        for item in self.tree.items.clone() {
            match item {
                Item::Function(id) => {
                    let Some(body) = self.tree.functions[id].body.clone() else {
                        continue;
                    };
                    let Some(&index) = self.functions.get(&id) else {
                        continue;
                    };
                    self.function = index;
                    self.enter(id);
                    self.statement(body.block, 1);
                }
                Item::Decl(id) => self.file_scope_declaration(id),
            }
        }
    }

    /// What is asked about the control flow of the function that is walked next.
    fn enter(&mut self, function: FunctionId) {
        self.flow = self.flows.get(&function);
        self.cycle = self.flow.map(Flow::cycles).unwrap_or_default();
        let loops = self.flow.iter().flat_map(|flow| &flow.loops);
        let backward = loops.filter(|l| l.kind == LoopKind::Goto);
        self.backward = backward.map(|l| l.stmt).collect();
    }

    /// The node of the walked function at which this happens.
    fn at(&self, point: Point) -> Node {
        self.flow?.at(point)
    }

    /// A node's number. What is at no node (an initialiser at file scope) is never reached.
    fn node(node: Node) -> usize {
        node.map_or(usize::MAX, PointId::index)
    }

    /// Initialisers at file scope are constant, but they may take addresses.
    fn file_scope_declaration(&mut self, id: DeclId) {
        for declared in self.tree.decls[id].declared.clone() {
            if let Some(init) = declared.init {
                let mut exprs = Vec::new();
                self.tree.init_exprs(init, &mut exprs);
                for e in exprs {
                    self.expression(e, 1, None);
                }
            }
        }
    }

    /// Walks a statement. Chains of `else if` are walked in a loop: generated programs have
    /// thousands of them.
    fn statement(&mut self, id: StmtId, depth: i32) {
        let mut next = Some((id, depth));
        while let Some((id, depth)) = next {
            next = self.link(id, depth).map(|otherwise| (otherwise, depth + 1));
        }
    }

    /// Walks a statement but for its `else` branch, which is the answer.
    fn link(&mut self, id: StmtId, depth: i32) -> Option<StmtId> {
        let stmt = &self.tree.stmts[id];
        let here = range(stmt.span);
        match stmt.kind.clone() {
            StmtKind::Compound { items, scope, .. } => {
                self.scopes.insert(scope, (depth, false, stmt.span));
                for item in items {
                    match item {
                        BlockItem::Decl(d) => self.declaration(d, depth + 1, true),
                        BlockItem::Stmt(s) => self.statement(s, depth + 1),
                    }
                }
            }
            StmtKind::Expr(e) => self.expressions(e, depth, Point::Stmt(id)),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.expressions([cond], depth, Point::Cond(id));
                self.statement(then, depth + 1);
                return otherwise;
            }
            StmtKind::Switch { cond, body, .. } => {
                self.expressions([cond], depth, Point::Cond(id));
                self.statement(body, depth + 1);
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                self.looping(id, body, depth);
                self.expressions([cond], depth, Point::Cond(id));
                self.statement(body, depth + 1);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                scope,
                ..
            } => {
                self.scopes.insert(scope, (depth, true, stmt.span));
                self.looping(id, body, depth);
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.expressions([e], depth, Point::ForInit(id)),
                    ForInit::Decl(d) => self.declaration(d, depth, false),
                }
                self.expressions(cond, depth, Point::Cond(id));
                self.expressions(step, depth, Point::ForStep(id));
                self.statement(body, depth + 1);
            }
            StmtKind::Labeled {
                label,
                label_span,
                colon,
                body,
                ..
            } => {
                if !matches!(label, TreeLabel::Named(_)) {
                    self.case(id, label_span);
                }
                match label {
                    TreeLabel::Named(name) => self.label(id, name, label_span, colon, body, depth),
                    TreeLabel::Case(e) => self.expressions([e], depth, Point::Label(id)),
                    TreeLabel::CaseRange(a, b) => self.expressions([a, b], depth, Point::Label(id)),
                    TreeLabel::Default => {}
                }
                self.statement(body, depth + 1);
            }
            StmtKind::Goto { .. } => self.jump(id, JumpKind::Goto, depth),
            StmtKind::Break => self.jump(id, JumpKind::Break, depth),
            StmtKind::Continue => self.jump(id, JumpKind::Continue, depth),
            StmtKind::GotoComputed(e) => {
                self.facts.computed_jumps.push(ComputedJump {
                    function: self.function,
                    range: here,
                    value: range(self.tree.exprs[e].span),
                    depth,
                    node: self.at(Point::Stmt(id)).map_or(usize::MAX, PointId::index),
                });
                self.expressions([e], depth, Point::Stmt(id));
            }
            StmtKind::Return(value) => {
                self.facts.returns.push(Return {
                    function: self.function,
                    range: here,
                    value: value.map(|e| range(self.tree.exprs[e].span)),
                    depth,
                    node: Self::node(self.at(Point::Stmt(id))),
                });
                self.expressions(value, depth, Point::Stmt(id));
            }
            StmtKind::Asm { mentions, .. } => self.assembler(&mentions),
        }
        None
    }

    /// Notes a label of a `switch`.
    fn case(&mut self, id: StmtId, label: Span) {
        let mut at = self.tree.stmts[id].parent;
        while let Some(parent) = self.tree.statement_of(at) {
            let stmt = &self.tree.stmts[parent];
            if matches!(stmt.kind, StmtKind::Switch { .. }) {
                self.facts.cases.push((label.start, stmt.span.start));
                return;
            }
            at = stmt.parent;
        }
    }

    fn looping(&mut self, id: StmtId, body: StmtId, depth: i32) {
        let mut labels = Vec::new();
        let mut at = self.tree.stmts[id].parent;
        while let cfront::tree::Parent::Stmt(parent) = at {
            let StmtKind::Labeled { label, .. } = &self.tree.stmts[parent].kind else {
                break;
            };
            if let TreeLabel::Named(name) = label {
                labels.push(name.clone());
            }
            at = self.tree.stmts[parent].parent;
        }
        self.facts.loops.push(Loop {
            function: self.function,
            range: range(self.tree.stmts[id].span),
            body: range(self.tree.stmts[body].span),
            braces: matches!(self.tree.stmts[body].kind, StmtKind::Compound { .. }),
            depth,
            labels,
            iterations: crate::counting::iterations(self.tree, id),
            busy: crate::busy::busy_wait(self.tree, &self.functions, id, depth),
        });
    }

    fn label(
        &mut self,
        id: StmtId,
        name: String,
        place: Span,
        colon: usize,
        body: StmtId,
        depth: i32,
    ) {
        let mut top = id;
        while let cfront::tree::Parent::Stmt(parent) = self.tree.stmts[top].parent {
            if !matches!(self.tree.stmts[parent].kind, StmtKind::Labeled { .. }) {
                break;
            }
            top = parent;
        }
        let in_block = match self.tree.stmts[top].parent {
            cfront::tree::Parent::Stmt(parent) => {
                matches!(self.tree.stmts[parent].kind, StmtKind::Compound { .. })
            }
            _ => false,
        };
        self.facts.labels.push(Label {
            function: self.function,
            name,
            place: range(place),
            after_colon: colon + 1,
            statement: Range {
                start: colon + 1,
                end: self.tree.stmts[body].span.end.max(colon + 1),
            },
            in_block,
            depth,
            node: Self::node(self.at(Point::Label(id))),
        });
    }

    fn jump(&mut self, id: StmtId, kind: JumpKind, depth: i32) {
        let Some((flow, from)) = self.flow.zip(self.at(Point::Stmt(id))) else {
            return;
        };
        // Jumps have one target; computed ones are listed elsewhere.
        let Some(&target) = flow.next(from).first() else {
            return;
        };
        let target_offset = match kind {
            JumpKind::Goto => 0,
            JumpKind::Break => self
                .enclosing(id, true)
                .map_or(0, |s| self.tree.stmts[s].span.end),
            JumpKind::Continue => {
                self.enclosing(id, false)
                    .map_or(0, |s| match &self.tree.stmts[s].kind {
                        StmtKind::For { header, .. } => header.rparen,
                        _ => self.tree.stmts[s].span.start,
                    })
            }
        };
        self.facts.jumps.push(Jump {
            function: self.function,
            kind,
            range: range(self.tree.stmts[id].span),
            depth,
            node: from.index(),
            target: target.index(),
            target_offset,
            repeats: None,
            backward: self.backward.contains(&id),
            busy: crate::busy::busy_goto(self.tree, &self.functions, id, depth),
            label: match &self.tree.stmts[id].kind {
                StmtKind::Goto { label, .. } => Some(label.clone()),
                _ => None,
            },
        });
    }

    /// The loop, or with `switches` the loop or switch, around a statement.
    fn enclosing(&self, id: StmtId, switches: bool) -> Option<StmtId> {
        let mut at = self.tree.stmts[id].parent;
        loop {
            let parent = self.tree.statement_of(at)?;
            match self.tree.stmts[parent].kind {
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                    return Some(parent)
                }
                StmtKind::Switch { .. } if switches => return Some(parent),
                _ => at = self.tree.stmts[parent].parent,
            }
        }
    }

    /// Nothing can be inserted into system headers: loops of their inline functions are left to the
    /// backend, which says so where it cuts one.
    fn leave_headers(&mut self, unit: &Unit) {
        use cfront::linemap::RegionKind;
        let own = |range: Range| unit.source.lines.kind(range.start) != RegionKind::System;
        self.facts.loops.retain(|l| own(l.range));
        for jump in self.facts.jumps.iter_mut().filter(|j| !own(j.range)) {
            (jump.backward, jump.repeats, jump.busy) = (false, None, None);
        }
    }

    /// Gotos are linked to labels, which may come later, when all are known.
    fn link_gotos(&mut self) {
        let labels = self.facts.labels.iter().enumerate();
        let labels: HashMap<(usize, &str), (usize, usize)> = labels
            .map(|(i, l)| ((l.function, l.name.as_str()), (i, l.place.start)))
            .collect();
        for jump in &mut self.facts.jumps {
            let Some(name) = &jump.label else { continue };
            if let Some(&(label, start)) = labels.get(&(jump.function, name.as_str())) {
                jump.target_offset = start;
                jump.repeats = jump.backward.then_some(label);
            }
        }
    }

    fn assembler(&mut self, mentions: &[(String, Span)]) {
        for (name, span) in mentions {
            for (id, object) in self.tree.objects.iter() {
                if object.name == *name {
                    self.facts.escapes.push(Escape {
                        object: id.index(),
                        range: range(*span),
                        how: "is named by an assembler statement".into(),
                    });
                }
            }
        }
    }

    /// A declaration; as an item of a block its initialisers are writes.
    fn declaration(&mut self, id: DeclId, depth: i32, in_block: bool) {
        let decl = self.tree.decls[id].clone();
        let node = self.at(Point::Decl(id));
        for e in &decl.type_exprs {
            self.expression(*e, depth + 1, node);
        }
        for declared in &decl.declared {
            if let Entity::Object(object) = declared.entity {
                self.facts.declarations.push(types::Declaration {
                    object: object.index(),
                    range: range(decl.span),
                    depth,
                    in_block,
                });
            }
            if let (Entity::Object(object), true) = (declared.entity, in_block) {
                self.declared.insert(object, decl.span.end);
            }
            let Some(init) = declared.init else { continue };
            self.initialiser(init, depth + 1, node);
            let Entity::Object(object) = declared.entity else {
                continue;
            };
            let automatic = self.tree.objects[object].storage == Storage::Local;
            if in_block && automatic {
                self.facts.writes.push(Write {
                    function: self.function,
                    place: Place::object(object.index()),
                    bit_field: None,
                    atomic: false,
                    pointer: false,
                    used: false,
                    form: WriteForm::Initialiser,
                    range: range(decl.span),
                    depth,
                });
            } else if automatic {
                self.facts.header_initialisers.push(HeaderInitialiser {
                    function: self.function,
                    object: object.index(),
                    range: range(decl.span),
                    value: range(self.tree.inits[init].span),
                    depth: depth + 1,
                });
            }
        }
    }

    fn initialiser(&mut self, id: InitId, depth: i32, node: Node) {
        match self.tree.inits[id].kind.clone() {
            InitKind::Expr(e) => self.expression(e, depth, node),
            InitKind::List(_) => {
                let mut exprs = Vec::new();
                self.tree.init_exprs(id, &mut exprs);
                exprs
                    .into_iter()
                    .for_each(|e| self.expression(e, depth, node));
            }
        }
    }

    fn expressions(&mut self, list: impl IntoIterator<Item = ExprId>, depth: i32, at: Point) {
        let node = self.at(at);
        for e in list {
            self.expression(e, depth + 1, node);
        }
    }

    fn expression(&mut self, id: ExprId, depth: i32, node: Node) {
        let expr = &self.tree.exprs[id];
        if expr.unevaluated {
            return;
        }
        match &expr.kind {
            ExprKind::Assign {
                op_span, lhs, rhs, ..
            } => {
                let form = WriteForm::Assignment {
                    operator: op_span.of(self.text).to_string(),
                    target: range(self.tree.exprs[*lhs].span),
                    value: range(self.tree.exprs[*rhs].span),
                };
                self.write(*lhs, form, expr.bare, depth);
            }
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            } => {
                let operator = if *increment { "++" } else { "--" }.to_string();
                self.write(
                    *operand,
                    WriteForm::Step {
                        target: range(self.tree.exprs[*operand].span),
                        operator,
                        prefix: *prefix,
                    },
                    expr.bare,
                    depth,
                );
            }
            ExprKind::Call { callee, args, .. } => {
                return self.call(id, *callee, args, depth, node)
            }
            ExprKind::LabelAddress(name) => {
                let named = (self.function, name.clone());
                self.facts.label_addresses.push(named);
            }
            ExprKind::StmtExpr(s) => self.statement(*s, depth + 1),
            ExprKind::Ident(resolved) => self.name(resolved, expr.span, expr.ty),
            ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::VaArg(_) => {
                let own = match self.tree.root(id) {
                    (Some(object), false) => self.is_automatic(object),
                    _ => false,
                };
                if !own {
                    self.indirect(expr.span);
                }
            }
            _ => {}
        }
        for child in self.tree.children(id) {
            self.expression(child, depth + 1, node);
        }
    }

    fn is_automatic(&self, object: ObjectId) -> bool {
        matches!(
            self.tree.objects[object].storage,
            Storage::Local | Storage::Parameter
        )
    }

    fn indirect(&mut self, span: Span) {
        if let Some(function) = self.facts.functions.get_mut(self.function) {
            function.indirect.get_or_insert(range(span));
        }
    }

    fn write(&mut self, lhs: ExprId, form: WriteForm, whole: Span, depth: i32) {
        let (root, through_pointer) = self.tree.root(lhs);
        let outside = match root {
            Some(object) => through_pointer || !self.is_automatic(object),
            None => true,
        };
        if outside {
            if let Some(function) = self.facts.functions.get_mut(self.function) {
                function.writes_outside.get_or_insert(range(whole));
            }
        }
        self.facts.writes.push(Write {
            function: self.function,
            place: Place::of(self.tree, lhs),
            bit_field: self.bit_field(lhs),
            atomic: self.tree.exprs[lhs].ty.quals.is_atomic,
            pointer: self.tree.types.class(self.tree.exprs[lhs].ty) == Class::Pointer,
            used: self.is_used(self.tree.exprs[lhs].parent),
            form,
            range: range(whole),
            depth,
        });
    }

    /// Whether the value of the expression that something stands in is used.
    fn is_used(&self, within: Parent) -> bool {
        let Parent::Expr(id) = within else {
            return true;
        };
        let parent = self.tree.exprs[id].parent;
        match parent {
            Parent::Stmt(s) => match &self.tree.stmts[s].kind {
                // The last statement of a statement expression gives its value.
                StmtKind::Expr(_) => {
                    let mut at = self.tree.stmts[s].parent;
                    while let Parent::Stmt(outer) = at {
                        let outer = &self.tree.stmts[outer];
                        at = outer.parent;
                        if !matches!(outer.kind, StmtKind::Labeled { .. }) {
                            break;
                        }
                    }
                    matches!(at, Parent::Expr(_))
                }
                StmtKind::For { cond, .. } => *cond == Some(id),
                _ => true,
            },
            Parent::Expr(e) => match &self.tree.exprs[e].kind {
                ExprKind::Comma(list) if list.last() != Some(&id) => false,
                ExprKind::Comma(_) => self.is_used(parent),
                _ => true,
            },
            _ => true,
        }
    }

    fn bit_field(&self, lvalue: ExprId) -> Option<BitField> {
        let ExprKind::Member {
            base, arrow, name, ..
        } = &self.tree.exprs[lvalue].kind
        else {
            return None;
        };
        is_bit_field(self.tree, lvalue).then(|| BitField {
            base: range(self.tree.exprs[*base].span),
            arrow: *arrow,
            member: name.clone(),
        })
    }

    fn name(&mut self, resolved: &Resolved, span: Span, ty: QualType) {
        match resolved {
            Resolved::Object(object) => {
                let o = &self.tree.objects[*object];
                let index = object.index();
                let outside = !self.is_automatic(*object);
                let scalar = matches!(self.tree.types.class(ty), Class::Scalar | Class::Pointer);
                if let Some(function) = self.facts.functions.get_mut(self.function) {
                    if outside
                        && scalar
                        && o.storage != Storage::StaticLocal
                        && !function.reads.contains(&index)
                    {
                        function.reads.push(index);
                    }
                    if outside && !scalar {
                        function.indirect.get_or_insert(range(span));
                    }
                }
            }
            Resolved::Function(function) => {
                if let Some(&index) = self.functions.get(function) {
                    self.facts.functions[index]
                        .address_taken
                        .get_or_insert(range(span));
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId], depth: i32, node: Node) {
        let (name, target) = match &self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => (
                Some(self.tree.functions[*f].name.clone()),
                self.functions.get(f).copied(),
            ),
            ExprKind::Ident(Resolved::Unknown(name)) => (Some(name.clone()), None),
            _ => (None, None),
        };
        let span = |e: ExprId| range(self.tree.exprs[e].span);
        let routine = match target {
            None => name.as_deref().and_then(crate::sync::routine_argument),
            Some(_) => None,
        };
        let functions: Vec<Option<usize>> = args.iter().map(|&a| self.named_function(a)).collect();
        let objects = args.iter().map(|&a| self.named_object(a)).collect();
        self.facts
            .call_types
            .push(types::call(self.tree, id, callee, args));
        self.facts.calls.push(Call {
            function: self.function,
            callee: name,
            target,
            expr: id.index(),
            returns_void: self.tree.types.class(self.tree.exprs[id].ty) == Class::Void,
            result: declaration(self.tree, self.tree.exprs[id].ty),
            range: range(self.tree.exprs[id].bare),
            callee_range: span(callee),
            arguments: args.iter().map(|&a| span(a)).collect(),
            argument_functions: functions.clone(),
            argument_objects: objects,
            depth,
            node: Self::node(node),
            repeated: node.is_some_and(|n| self.cycle[n.index()].is_some()),
            used: !matches!(
                self.tree.exprs[id].parent,
                cfront::tree::Parent::Stmt(s)
                    if matches!(self.tree.stmts[s].kind, StmtKind::Expr(Some(e)) if e == id)
            ),
        });
        // A name that is called, or that a thread is started with, is no address that is taken.
        let direct = |e: ExprId| self.named_function(e).is_some();
        let mut rest: Vec<ExprId> = Vec::new();
        if !matches!(
            self.tree.exprs[callee].kind,
            ExprKind::Ident(Resolved::Function(_))
        ) {
            rest.push(callee);
        }
        rest.extend(
            args.iter()
                .enumerate()
                .filter(|&(i, &a)| !(routine == Some(i) && direct(a)))
                .map(|(_, &a)| a),
        );
        for e in rest {
            self.expression(e, depth + 1, node);
        }
    }

    fn named_function(&self, id: ExprId) -> Option<usize> {
        match &self.tree.exprs[id].kind {
            ExprKind::Ident(Resolved::Function(f)) => self.functions.get(f).copied(),
            ExprKind::AddressOf(e) | ExprKind::Cast(e) => self.named_function(*e),
            _ => None,
        }
    }

    fn named_object(&self, id: ExprId) -> Option<usize> {
        let inner = match &self.tree.exprs[id].kind {
            ExprKind::AddressOf(e) => *e,
            ExprKind::Cast(e) => return self.named_object(*e),
            ExprKind::Ident(_)
                if matches!(self.tree.types.class(self.tree.exprs[id].ty), Class::Array) =>
            {
                id
            }
            _ => return None,
        };
        match (&self.tree.exprs[inner].kind, self.tree.root(inner)) {
            (ExprKind::Member { .. }, _) => None,
            (_, (Some(object), false)) => Some(object.index()),
            _ => None,
        }
    }

    /// Objects come in the order of their ids, so that an id's index is the object's.
    fn objects(&mut self, line: &dyn Fn(usize) -> (String, u32)) {
        let taken = cfront::access::address_taken(self.tree);
        for (id, object) in self.tree.objects.iter() {
            let function = object
                .function
                .and_then(|f| self.functions.get(&f).copied());
            let lifetime = match (object.storage, function) {
                _ if object.thread_local => Lifetime::ThreadLocal,
                (Storage::Local | Storage::Parameter, Some(f)) => Lifetime::Local(f),
                (Storage::StaticLocal, Some(f)) => Lifetime::StaticLocal(f),
                (Storage::Parameter, None) => Lifetime::Prototype,
                _ => Lifetime::Static,
            };
            let (element, elements) = match self.tree.types.get(object.ty) {
                Type::Array(of, ArrayLen::Known(n)) => (*of, Some(*n)),
                Type::Array(of, _) => (*of, Some(0)),
                _ => (object.ty, None),
            };
            let body = function.map(|f| self.facts.functions[f].body);
            let parameter = object.storage == Storage::Parameter;
            let (scope_depth, scope_is_for, scope) = match (self.scopes.get(&object.scope), body) {
                (_, Some(body)) if parameter => (0, false, body),
                (Some(&(depth, is_for, span)), _) => (depth, is_for, range(span)),
                (None, Some(body)) => (0, false, body),
                (None, None) => (
                    0,
                    false,
                    Range {
                        start: 0,
                        end: usize::MAX,
                    },
                ),
            };
            let (file, line) = line(object.name_span.start);
            self.facts
                .variable_types
                .push(types::variable(self.tree, id));
            self.facts.objects.push(Object {
                name: object.name.clone(),
                place: range(object.name_span),
                file,
                line,
                lifetime,
                system: object.in_system_header,
                value_type: value_type(self.tree, object.ty),
                declaration: declaration(self.tree, object.ty),
                type_name: self.type_name(element),
                elements,
                parts: crate::shapes::parts(self.tree, object.ty),
                scope,
                scope_is_for,
                scope_depth,
                parameter,
                register: object.register,
                address_taken: taken.contains_key(&id),
                initial: self.initial(object),
                declared_at: self.declared.get(&id).copied(),
                atomic: object.ty.quals.is_atomic,
            });
        }
    }

    fn initial(&self, object: &cfront::tree::Object) -> Option<i128> {
        let Some(init) = object.init else {
            return Some(0);
        };
        match self.tree.inits[init].kind {
            InitKind::Expr(e) => cfront::consteval::eval(self.tree, e),
            InitKind::List(_) => None,
        }
    }

    fn type_name(&self, ty: QualType) -> String {
        match self.tree.types.get(ty) {
            Type::Record(id) => self.tree.types.records[*id]
                .typedef_name
                .clone()
                .unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The values of enumeration constants, without those that two enumerations have.
    fn constant_values(&mut self) {
        let mut all: std::collections::BTreeMap<String, Option<i128>> =
            std::collections::BTreeMap::new();
        for (_, e) in self.tree.types.enums.iter() {
            for (name, value) in &e.constants {
                let known = all.entry(name.clone()).or_insert(*value);
                if known != value {
                    *known = None;
                }
            }
        }
        let known = all.into_iter().filter_map(|(n, v)| Some((n, v?)));
        self.facts.constant_values.extend(known);
    }

    /// Enumeration constants, macros and all identifiers of the text.
    fn words(&mut self) {
        let file_scope = &self.tree.scopes[self.tree.file_scope()];
        for (name, meanings) in &file_scope.names {
            let is_type = |m: &(usize, Entity)| matches!(m.1, Entity::Typedef(_));
            if meanings.iter().any(is_type) {
                self.facts.typedefs.insert(name.clone());
            }
        }
        for (_, e) in self.tree.types.enums.iter() {
            self.facts
                .constants
                .extend(e.constants.iter().map(|(name, _)| name.clone()));
        }
        self.constant_values();
        for line in self.text.lines() {
            let Some(definition) = line.strip_prefix("#define ") else {
                continue;
            };
            let end = definition
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(definition.len());
            let (name, value) = definition.split_at(end);
            if !value.starts_with('(') {
                self.facts
                    .macros
                    .insert(name.to_string(), value.trim().to_string());
            }
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for w in self
            .text
            .split(|c: char| !word(c))
            .filter(|w| w.contains("ba_") || w.starts_with("BA_"))
        {
            self.facts.identifiers.insert(w.to_string());
        }
    }
}
