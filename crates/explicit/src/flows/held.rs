//! The values that places may hold, where all that is stored there is constants and values within intervals.
//!
//! An input that is compared with such a place, or with what is computed from such places, is told apart from it only within the
//! interval of these values: in `queue[i] == wish` with floors from 0 to 5 in the queue, all wishes above 5 are alike, and in
//! `code == 1000 + n` with a number of a door all codes are that are no door's.

use std::collections::BTreeMap;

use cfront::consteval::eval;
use cfront::span::{ExprId, Id, InitId, ObjectId};
use cfront::tree::{BinaryOp, Entity, ExprKind, InitKind, Resolved, StmtKind, UnaryOp};
use cfront::types::{QualType, Type};

use super::intervals::Interval;
use super::{called, fits, last_of, Flows};
use crate::kinds::{integer, keeps, Kind};

/// What a comparison with a value that is no constant says of its other operand.
pub(super) const COMPARED: &str = "is compared with a value that is not constant";

/// The most values of an interval that stands for a place.
const MOST: i128 = 1024;

/// The hull of the values of each group; no interval if they may be any.
struct Held {
    of: BTreeMap<usize, Option<Interval>>,
    /// Whether something may be stored anywhere.
    anything: bool,
}

impl Held {
    fn add(&mut self, group: usize, values: Option<Interval>) {
        let known = self.of.entry(group).or_insert(values);
        *known = known.zip(values).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
    }
}

/// The hull of what an operator makes of the values of two intervals, as numbers without bounds.
fn computed(op: BinaryOp, (a, b): Interval, (c, d): Interval) -> Option<Interval> {
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Mul => {
            let ends = [(a, c), (a, d), (b, c), (b, d)];
            let products = ends.map(|(x, y)| x.checked_mul(y));
            let products: Option<Vec<i128>> = products.into_iter().collect();
            let products = products?;
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        BinaryOp::Div if c > 0 => {
            let ends = [a / c, a / d, b / c, b / d];
            Some((*ends.iter().min()?, *ends.iter().max()?))
        }
        BinaryOp::Rem if c > 0 => {
            let most = d - 1;
            Some((if a < 0 { a.max(-most) } else { 0 }, b.clamp(0, most)))
        }
        _ => None,
    }
}

impl Flows<'_> {
    /// Adds the tests of those comparisons of inputs with values that are no constants.
    pub(super) fn relate(&mut self) {
        let all = std::mem::take(&mut self.relations);
        if all.is_empty() {
            return;
        }
        let held = self.held();
        for (group, e, other) in all {
            match self.values_of(&held, other) {
                Some((low, high)) if high - low < MOST => {
                    let used = (COMPARED.to_string(), self.tree.exprs[e].span.start);
                    // Only some of these values may come to the comparison.
                    let own = self.copied(e).unwrap_or((low, high));
                    let both = (low.max(own.0), high.min(own.1));
                    let asked = self.asked(group);
                    asked.constants.extend([low, high]);
                    asked.ordered = true;
                    if low < high && both.0 <= both.1 {
                        asked.within.insert(both, used);
                    }
                }
                _ => self.expose(group, e, COMPARED),
            }
        }
    }

    /// The hull of the values that an expression may have, if it is that of a place, or computed from places.
    fn values_of(&mut self, held: &Held, e: ExprId) -> Option<Interval> {
        let tree = self.tree;
        let constant = eval(tree, e).map(|c| (c, c));
        if let Some(known) = constant.or_else(|| self.interval(e)) {
            return Some(known);
        }
        let kind = integer(tree, tree.exprs[e].ty);
        let computed = match tree.exprs[e].kind {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.values_of(held, a)?, self.values_of(held, b)?);
                // Operands are converted to the type of the result.
                (fits(a, kind) && fits(b, kind))
                    .then(|| computed(op, a, b))
                    .flatten()
            }
            ExprKind::Cast(inner) if integer(tree, tree.exprs[inner].ty).is_some() => {
                self.values_of(held, inner)
            }
            _ => None,
        };
        if let Some(computed) = computed.filter(|values| fits(*values, kind)) {
            return Some(computed);
        }
        let group = self.place(e).filter(|_| !held.anything)?;
        let group = self.find(group);
        held.of.get(&group).copied().flatten()
    }

    /// The group of a place that an expression reads, through conversions that keep all values.
    fn place(&mut self, e: ExprId) -> Option<usize> {
        let tree = self.tree;
        match tree.exprs[e].kind {
            ExprKind::Cast(inner) | ExprKind::Unary(UnaryOp::Plus, inner) => self
                .kept(inner, tree.exprs[e].ty)
                .then(|| self.place(inner))
                .flatten(),
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Deref(_)
            | ExprKind::Assign { op: None, .. } => self.group(e),
            ExprKind::Call { ref callee, .. } => {
                let function = called(tree, *callee)?;
                let has_body = tree.functions[function].body.is_some();
                (has_body && !self.sources.contains_key(&e)).then(|| self.result(function))
            }
            _ => None,
        }
    }

    /// Whether a conversion to a type keeps all values of an expression.
    fn kept(&self, e: ExprId, ty: QualType) -> bool {
        let (from, to) = (
            integer(self.tree, self.tree.exprs[e].ty),
            integer(self.tree, ty),
        );
        from.zip(to).is_some_and(|(from, to)| keeps(from, to))
    }

    /// The values that all groups hold.
    fn held(&mut self) -> Held {
        let tree = self.tree;
        let mut held = Held {
            of: BTreeMap::new(),
            anything: tree
                .stmts
                .iter()
                .any(|(_, s)| matches!(s.kind, StmtKind::Asm { .. })),
        };
        let any: Vec<usize> = self
            .sources
            .values()
            .copied()
            .chain([self.elsewhere()])
            .collect();
        for node in any {
            self.stores(&mut held, node, None);
        }
        for object in cfront::access::address_taken(tree).into_keys() {
            self.stores(&mut held, object.index(), None);
        }
        self.initial(&mut held);
        for (_, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            match &expr.kind {
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } => {
                    if let Some(to) = self.group(*lhs) {
                        self.holds(&mut held, to, *rhs, tree.exprs[*lhs].ty);
                    }
                }
                ExprKind::Assign { lhs: place, .. } | ExprKind::IncDec { operand: place, .. } => {
                    if let Some(to) = self.group(*place) {
                        self.stores(&mut held, to, None);
                    }
                }
                ExprKind::Call { callee, args, .. } => {
                    let body = called(tree, *callee).and_then(|f| tree.functions[f].body.as_ref());
                    let params = body.iter().flat_map(|b| b.params.iter());
                    for (param, argument) in params.zip(args) {
                        self.holds(&mut held, param.index(), *argument, tree.objects[*param].ty);
                    }
                }
                _ => {}
            }
        }
        for (_, stmt) in tree.stmts.iter() {
            let (StmtKind::Return(Some(e)), Some(f)) = (&stmt.kind, stmt.function) else {
                continue;
            };
            match tree.types.function(tree.functions[f].ty) {
                Some(ty) => self.holds(&mut held, self.result(f), *e, ty.ret),
                None => held.anything = true,
            }
        }
        held
    }

    fn stores(&mut self, held: &mut Held, node: usize, values: Option<Interval>) {
        let group = self.find(node);
        held.add(group, values);
    }

    /// Adds the values that objects begin with.
    fn initial(&mut self, held: &mut Held) {
        let tree = self.tree;
        for (id, object) in tree.objects.iter() {
            let nodes: Vec<usize> = self.parts.nodes(id).chain([id.index()]).collect();
            let plain = self.scalar(id).is_some() && !object.ty.quals.is_volatile;
            let values = match (plain, object.is_static_duration()) {
                (true, true) => Some((0, 0)),
                // What its declaration or its call gives it is added below and with the calls.
                (true, false) if self.is_given(id) => continue,
                _ => None,
            };
            for node in nodes {
                self.stores(held, node, values);
            }
        }
        for (_, decl) in tree.decls.iter() {
            for declared in &decl.declared {
                let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                    continue;
                };
                if let Some(ty) = self.scalar(object) {
                    self.initialised(held, object, init, ty);
                }
            }
        }
    }

    /// The type of an integer object, or of the elements of an array of integers.
    fn scalar(&self, object: ObjectId) -> Option<QualType> {
        let mut ty = self.tree.objects[object].ty;
        while let Type::Array(element, _) = self.tree.types.get(ty) {
            ty = *element;
        }
        let kind: Kind = integer(self.tree, ty);
        (kind.is_some() && !ty.quals.is_volatile).then_some(ty)
    }

    /// Whether a local has a value from its declaration or its call on.
    fn is_given(&self, object: ObjectId) -> bool {
        let tree = self.tree;
        let mut functions = tree.functions.iter();
        let param = functions.any(|(_, f)| {
            let params = f.body.iter().flat_map(|b| b.params.iter());
            f.name != "main" && params.clone().any(|p| *p == object)
        });
        let mut decls = tree.objects[object].decls.iter().map(|d| &tree.decls[*d]);
        let initialised = decls.any(|d| {
            let mut all = d.declared.iter();
            all.any(|one| {
                matches!(one.entity, Entity::Object(o) if o == object) && one.init.is_some()
            })
        });
        param || initialised
    }

    /// Adds the values of an initialiser; the elements that a list leaves out are 0.
    fn initialised(&mut self, held: &mut Held, object: ObjectId, init: InitId, ty: QualType) {
        let tree = self.tree;
        match &tree.inits[init].kind {
            InitKind::Expr(e) => match integer(tree, tree.exprs[*e].ty) {
                Some(_) => self.holds(held, object.index(), *e, ty),
                None => self.stores(held, object.index(), None),
            },
            InitKind::List(items) => {
                self.stores(held, object.index(), Some((0, 0)));
                for item in items {
                    self.initialised(held, object, item.value, ty);
                }
            }
        }
    }

    /// Adds the values of an expression that is stored in a place of a type.
    fn holds(&mut self, held: &mut Held, to: usize, e: ExprId, ty: QualType) {
        let tree = self.tree;
        let kind = integer(tree, ty);
        let constant = eval(tree, e).map(|c| (c, c));
        if let Some(known) = constant
            .or_else(|| self.interval(e))
            .filter(|i| fits(*i, kind))
        {
            return self.stores(held, to, Some(known));
        }
        match tree.exprs[e].kind {
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                self.holds(held, to, then.unwrap_or(cond), ty);
                return self.holds(held, to, otherwise, ty);
            }
            ExprKind::Comma(ref all) => {
                if let Some(last) = all.last() {
                    return self.holds(held, to, *last, ty);
                }
            }
            ExprKind::StmtExpr(block) => {
                if let Some(last) = last_of(tree, block) {
                    return self.holds(held, to, last, ty);
                }
            }
            _ => {}
        }
        let from = self.place(e).filter(|_| self.kept(e, ty));
        let same = from.is_some_and(|from| self.find(from) == self.find(to));
        if !same {
            self.stores(held, to, None);
        }
    }
}
