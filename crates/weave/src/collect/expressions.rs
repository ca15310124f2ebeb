//! Facts from expressions and declarations: writes, calls, and the objects that a function reads.

use cfront::flow::Point;
use cfront::span::{DeclId, ExprId, Id, InitId, ObjectId, Span};
use cfront::tree::{Entity, ExprKind, InitKind, Parent, Resolved, StmtKind, Storage, UnaryOp};
use cfront::types::{Class, QualType};

use super::{Collector, Node};
use crate::facts::places::Place;
use crate::facts::range;
use crate::facts::types;
use crate::facts::{BitField, Call, Escape, Fixed, HeaderInitialiser, Write, WriteForm};

impl Collector<'_> {
    /// A type as text that is valid in the walked function.
    fn spelled_here(&self, ty: cfront::types::QualType) -> Option<String> {
        let function = self.facts.functions.get(self.function)?;
        self.spelled(ty, function.id)
    }

    /// Walks a declaration. If it is an item of a block, its initialisers are writes.
    pub(crate) fn declaration(&mut self, id: DeclId, depth: i32, in_block: bool) {
        let decl = self.tree.decls[id].clone();
        let node = self.at(Point::Decl(id));
        if in_block {
            self.place_in_declaration(id, depth);
        }
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

    pub(crate) fn expressions(
        &mut self,
        list: impl IntoIterator<Item = ExprId>,
        depth: i32,
        at: Point,
    ) {
        let node = self.at(at);
        for e in list {
            self.expression(e, depth + 1, node);
        }
    }

    pub(crate) fn expression(&mut self, id: ExprId, depth: i32, node: Node) {
        let expr = &self.tree.exprs[id];
        if expr.unevaluated {
            return;
        }
        self.narrowed(id, depth);
        self.misreadings(id, depth);
        let expr = &self.tree.exprs[id];
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
            | ExprKind::VaArg(_)
                if self.is_direct() =>
            {
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

    /// What may change the value of an expression.
    pub(crate) fn fixed(&self, e: ExprId) -> Fixed {
        match self.tree.exprs[e].kind {
            ExprKind::Int(_)
            | ExprKind::Float
            | ExprKind::Char(_)
            | ExprKind::Ident(Resolved::EnumConst(..)) => Fixed::Always,
            ExprKind::Unary(UnaryOp::Minus, of) => match self.fixed(of) {
                Fixed::Always => Fixed::Always,
                _ => Fixed::No,
            },
            ExprKind::Ident(Resolved::Object(object)) if self.is_automatic(object) => Fixed::Local,
            _ => Fixed::No,
        }
    }

    fn is_automatic(&self, object: ObjectId) -> bool {
        matches!(
            self.tree.objects[object].storage,
            Storage::Local | Storage::Parameter
        )
    }

    /// Whether no access to foreign memory is known yet in the walked function.
    fn is_direct(&self) -> bool {
        let function = self.facts.functions.get(self.function);
        function.is_some_and(|f| f.indirect.is_none())
    }

    fn indirect(&mut self, span: Span) {
        if let Some(function) = self.facts.functions.get_mut(self.function) {
            function.indirect.get_or_insert(range(span));
        }
    }

    /// Notes a write to one of several lvalues (`_Generic`, `__builtin_choose_expr`) if the compiler's choice
    /// is not known.
    fn selection(&mut self, lhs: ExprId) {
        if self.tree.selected(lhs).is_some() {
            return;
        }
        for arm in self.tree.selectable(lhs) {
            if let (Some(object), _) = self.tree.root(arm) {
                self.facts.escapes.push(Escape {
                    object: object.index(),
                    range: range(self.tree.exprs[lhs].span),
                    how: "may be written by a selection of the compiler".into(),
                });
            }
        }
    }

    fn write(&mut self, lhs: ExprId, form: WriteForm, whole: Span, depth: i32) {
        self.selection(lhs);
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

    /// Whether the value of the expression around a given one is used.
    fn is_used(&self, within: Parent) -> bool {
        let Parent::Expr(id) = within else {
            return true;
        };
        let parent = self.tree.exprs[id].parent;
        match parent {
            Parent::Stmt(s) => match &self.tree.stmts[s].kind {
                // The last statement of a statement expression gives the expression its value.
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
        self.tree.bit_field(lvalue).map(|_| BitField {
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
            None => name.as_deref().and_then(crate::library::routine_argument),
            Some(_) => None,
        };
        let functions: Vec<Option<usize>> = args.iter().map(|&a| self.named_function(a)).collect();
        let objects = args.iter().map(|&a| self.named_object(a)).collect();
        // In a program of one file, the size is computed after the program, else at the call.
        let spelled = |ty| match self.one_file {
            true => crate::facts::spelling::declaration(self.tree, ty),
            false => self.spelled_here(ty),
        };
        let types = types::call(self.tree, id, callee, args, &spelled);
        self.facts.call_types.push(types);
        let exits = self.ends_process(callee, name.as_deref());
        let composite = args.first().is_some_and(|&first| {
            let types = &self.tree.types;
            let to = types.pointee(self.tree.exprs[first].ty);
            to.is_some_and(|to| types.class(to) == Class::Record)
        });
        self.facts.calls.push(Call {
            function: self.function,
            exits,
            callee: name,
            target,
            expr: id.index(),
            returns_void: self.tree.types.class(self.tree.exprs[id].ty) == Class::Void,
            result: self.spelled_here(self.tree.exprs[id].ty),
            range: range(self.tree.exprs[id].bare),
            callee_range: span(callee),
            arguments: args.iter().map(|&a| span(a)).collect(),
            argument_functions: functions.clone(),
            argument_objects: objects,
            composite,
            depth,
            node: Self::node(node),
            repeated: node.is_some_and(|n| self.cycle[n.index()].is_some()),
            used: !matches!(
                self.tree.exprs[id].parent,
                Parent::Stmt(s)
                    if matches!(self.tree.stmts[s].kind, StmtKind::Expr(Some(e)) if e == id)
            ),
        });
        // The address of a function that is called directly or started as a thread does not count as taken.
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
}
