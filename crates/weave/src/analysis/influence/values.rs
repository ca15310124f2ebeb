//! How values flow through expressions: from what is read to what is written.

use cfront::alias::PointsTo;
use cfront::span::{ExprId, InitId, ObjectId, RecordId, StmtId};
use cfront::tree::{BinaryOp, BlockItem, ExprKind, InitKind, Resolved, StmtKind};
use cfront::types::{Class, Type};

use super::{structure, Builder, Node, FEW};

/// Structures of one type, each a variable or an element of an array.
pub(super) struct Wholes {
    pub record: RecordId,
    pub objects: Vec<ObjectId>,
}

impl Builder<'_> {
    pub(super) fn values(&mut self, exprs: &[ExprId], context: Node) -> Vec<Node> {
        let all = exprs.iter().map(|&e| self.value(e, context));
        let mut all: Vec<Node> = all.collect::<Vec<_>>().concat();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The nodes that stand for the values of these parts.
    fn read(&mut self, parts: Vec<Node>) -> Vec<Node> {
        if parts.len() <= FEW {
            return parts;
        }
        if let Some(&node) = self.read_together.get(&parts) {
            return vec![node];
        }
        let node = self.node();
        self.edges(&parts, node);
        self.read_together.insert(parts, node);
        vec![node]
    }

    pub(super) fn write(&mut self, targets: &[Node], sources: &[Node], context: Node) {
        if targets.len() <= FEW {
            for &target in targets {
                self.edges(sources, target);
                self.edge(context, target);
                self.mark_written(target);
            }
            return;
        }
        let all = match self.written_together.get(targets) {
            Some(&node) => node,
            None => {
                let node = self.node();
                for &target in targets {
                    self.edge(node, target);
                    self.mark_written(target);
                }
                self.written_together.insert(targets.to_vec(), node);
                node
            }
        };
        self.edges(sources, all);
        self.edge(context, all);
    }

    fn mark_written(&mut self, target: Node) {
        if let Some(written) = self.graph.written.get_mut(target) {
            *written = true;
        }
    }

    /// The nodes that the value of an expression depends on; its effects become edges.
    pub(super) fn value(&mut self, e: ExprId, context: Node) -> Vec<Node> {
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
                if let Some((of, to)) = self.copied(lhs, rhs).filter(|_| op.is_none()) {
                    let way = [self.place(lhs, context).1, self.place(rhs, context).1].concat();
                    self.note_indirect(lhs);
                    return self.copy(&of, &to, &way, context);
                }
                let mut sources = self.value(rhs, context);
                let (targets, way) = self.place(lhs, context);
                sources.extend(way);
                if op.is_some() {
                    sources.extend(self.read(targets.clone()));
                }
                self.note_hazard(e, &sources, context);
                self.note_indirect(lhs);
                self.write(&targets, &sources, context);
                sources
            }
            ExprKind::IncDec { operand, .. } => {
                let (targets, way) = self.place(operand, context);
                self.note_indirect(operand);
                let mut sources = self.read(targets.clone());
                sources.extend(way);
                self.note_hazard(e, &sources, context);
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
                    // The value is an address, which is constant.
                    Class::Array | Class::Function => way,
                    _ => [self.read(targets), way].concat(),
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
                let operands = self.values(&children, context);
                self.note_hazard(e, &operands, context);
                operands
            }
        }
    }

    /// The structures that an assignment copies, from and to, if each is a whole one of the same type.
    pub(super) fn copied(&self, lhs: ExprId, rhs: ExprId) -> Option<(Wholes, Wholes)> {
        let (of, to) = (self.wholes(rhs)?, self.wholes(lhs)?);
        (of.record == to.record).then_some((of, to))
    }

    /// The structures that an lvalue designates, if they are whole variables or elements of arrays.
    pub(super) fn wholes(&self, lvalue: ExprId) -> Option<Wholes> {
        let Type::Record(record) = *self.tree.types.get(self.tree.exprs[lvalue].ty) else {
            return None;
        };
        match self.tree.exprs[lvalue].kind {
            ExprKind::Ident(_) | ExprKind::Index { .. } | ExprKind::Deref(_) => {}
            _ => return None,
        }
        match self.whole(lvalue) {
            Some(object) => self.alike(record, vec![object]),
            None => self.alike_of(record, &self.aliases.may_designate(lvalue)),
        }
    }

    /// The structures that a pointer leads to, if it is one to structures and they are whole variables or elements of arrays.
    pub(super) fn wholes_behind(&self, pointer: ExprId) -> Option<Wholes> {
        let types = &self.tree.types;
        let (Type::Pointer(to) | Type::Array(to, _)) = types.get(self.tree.exprs[pointer].ty)
        else {
            return None;
        };
        let Type::Record(record) = *types.get(*to) else {
            return None;
        };
        self.alike_of(record, &self.aliases.may_point_to(pointer))
    }

    fn alike_of(&self, record: RecordId, set: &PointsTo) -> Option<Wholes> {
        let objects = (!set.anything).then(|| self.objects(set))?;
        self.alike(record, objects)
    }

    fn alike(&self, record: RecordId, objects: Vec<ObjectId>) -> Option<Wholes> {
        let of_type = |&o: &ObjectId| structure(self.tree, self.tree.objects[o].ty) == Some(record);
        objects
            .iter()
            .all(of_type)
            .then_some(Wholes { record, objects })
    }

    /// Initialises a local structure member by member; false, without effect, if that is not known.
    pub(super) fn initialised(&mut self, object: ObjectId, init: InitId, context: Node) -> bool {
        let Type::Record(record) = *self.tree.types.get(self.tree.objects[object].ty) else {
            return false;
        };
        let objects = vec![object];
        let to = Wholes { record, objects };
        let items = match &self.tree.inits[init].kind {
            InitKind::Expr(e) => return self.passed(*e, &to, context),
            InitKind::List(items) => items,
        };
        let types = &self.tree.types;
        let of = &types.records[record];
        let members = of.members.as_deref().filter(|_| !of.is_union);
        let Some(members) = members.filter(|members| items.len() <= members.len()) else {
            return false;
        };
        let mut values = Vec::new();
        for (item, member) in items.iter().zip(members) {
            let InitKind::Expr(e) = self.tree.inits[item.value].kind else {
                return false;
            };
            let plain = !matches!(types.class(member.ty), Class::Array | Class::Record);
            if !plain || member.name.is_none() || !item.designators.is_empty() {
                return false;
            }
            values.push(e);
        }
        for member in 0..members.len() {
            let value = values.get(member).map(|&e| self.value(e, context));
            let targets = self.members(object, member);
            self.write(&targets, &value.unwrap_or_default(), context);
        }
        true
    }

    /// Copies a structure that an expression gives; false, without effect, if it is no whole one of that type.
    pub(super) fn passed(&mut self, e: ExprId, to: &Wholes, context: Node) -> bool {
        let Some(of) = self.wholes(e).filter(|of| of.record == to.record) else {
            return false;
        };
        let way = self.place(e, context).1;
        self.copy(&of, to, &way, context);
        true
    }

    /// Copies structures member by member; returns what the value of the copy depends on.
    pub(super) fn copy(
        &mut self,
        of: &Wholes,
        to: &Wholes,
        way: &[Node],
        context: Node,
    ) -> Vec<Node> {
        let members = self.tree.types.records[of.record].members.as_ref();
        let mut all = way.to_vec();
        for member in 0..members.map_or(0, Vec::len) {
            let part = |wholes: &Wholes| {
                let objects = wholes.objects.iter();
                objects.flat_map(|&o| self.members(o, member)).collect()
            };
            let (from, targets): (Vec<Node>, Vec<Node>) = (part(of), part(to));
            let sources = [&*self.read(from), way].concat();
            self.write(&targets, &sources, context);
            all.extend(sources);
        }
        all
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

    /// The parts that an lvalue may designate, and the nodes that decide which of them.
    pub(super) fn place(&mut self, e: ExprId, context: Node) -> (Vec<Node>, Vec<Node>) {
        match self.tree.exprs[e].kind.clone() {
            ExprKind::Ident(Resolved::Object(object)) => (self.all_parts(object), Vec::new()),
            ExprKind::Member {
                base,
                arrow: false,
                path,
                ..
            } => {
                let (targets, way) = self.place(base, context);
                match (self.whole(base), path.first()) {
                    (Some(object), Some(&(_, member))) => (self.members(object, member), way),
                    _ => (targets, way),
                }
            }
            ExprKind::Member { base, path, .. } => {
                let way = self.value(base, context);
                self.note_hazard(e, &way, context);
                (self.designated(e, path.first().copied()), way)
            }
            ExprKind::Index { base, index } => {
                let (array, index) = match self.tree.types.class(self.tree.exprs[index].ty) {
                    Class::Array | Class::Pointer => (index, base),
                    _ => (base, index),
                };
                let (targets, mut way) = self.element(e, array, context);
                way.extend(self.value(index, context));
                self.note_hazard(e, &way, context);
                (targets, way)
            }
            ExprKind::Deref(pointer) => {
                let (targets, way) = self.element(e, pointer, context);
                self.note_hazard(e, &way, context);
                (targets, way)
            }
            ExprKind::Ident(_) => Default::default(),
            ExprKind::Assign { .. } | ExprKind::Call { .. } => (self.value(e, context), Vec::new()),
            _ => {
                let children = self.tree.children(e);
                (self.values(&children, context), Vec::new())
            }
        }
    }

    /// The parts that `*array` or `array[…]` designates.
    fn element(&mut self, e: ExprId, array: ExprId, context: Node) -> (Vec<Node>, Vec<Node>) {
        if self.tree.types.class(self.tree.exprs[array].ty) == Class::Array {
            return self.place(array, context);
        }
        let way = self.value(array, context);
        (self.designated(e, None), way)
    }

    /// The object that an lvalue names, or an element of which it names.
    fn whole(&self, mut e: ExprId) -> Option<ObjectId> {
        loop {
            let is_array = |e: ExprId| {
                let class = self.tree.types.class(self.tree.exprs[e].ty);
                (class == Class::Array).then_some(e)
            };
            e = match self.tree.exprs[e].kind {
                ExprKind::Ident(Resolved::Object(object)) => return Some(object),
                ExprKind::Index { base, index } => is_array(base).or_else(|| is_array(index))?,
                ExprKind::Deref(array) => is_array(array)?,
                _ => return None,
            };
        }
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

    fn designated(&self, e: ExprId, member: Option<(RecordId, usize)>) -> Vec<Node> {
        let set = self.aliases.may_designate(e);
        let mut parts = Vec::new();
        for object in self.objects(&set) {
            let record = structure(self.tree, self.tree.objects[object].ty);
            match member {
                Some((of, member)) if record == Some(of) => {
                    parts.extend(self.members(object, member));
                }
                _ => parts.extend(self.all_parts(object)),
            }
        }
        parts
    }

    /// The objects of a points-to set; all objects if the set is unknown.
    pub(super) fn objects(&self, set: &PointsTo) -> Vec<ObjectId> {
        match set.anything {
            true => self.tree.objects.ids().collect(),
            false => set.objects.iter().copied().collect(),
        }
    }
}
