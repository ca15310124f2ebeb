//! Guesses how large memory of variable size may get, from the constants that are assigned to its
//! size or compared with it. Runs that need more are left out, so a wrong guess gives no wrong answer.

use std::collections::{BTreeSet, HashMap};

use cfront::consteval;
use cfront::span::RecordId;
use cfront::tree::{BinaryOp, ExprKind, InitKind, Resolved, StmtKind, Tree};
use cfront::{ExprId, FunctionId, ObjectId};

/// The greatest number of elements that constants may suggest.
pub(crate) const MOST: u64 = 64;

/// An object that may hold a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Holder {
    Object(ObjectId),
    Member(RecordId, usize),
    Result(FunctionId),
}

/// The known values of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The largest known value.
    pub most: u64,
    /// Whether it may have other values, too.
    pub open: bool,
}

/// The sources of numbers in a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rooms {
    /// The values that are assigned to a holder.
    from: HashMap<Holder, Vec<ExprId>>,
    /// The largest small constant with which a holder is compared: inputs are kept small like that.
    limits: HashMap<Holder, u64>,
    /// Holders that the program increments or multiplies.
    grow: BTreeSet<Holder>,
}

impl Rooms {
    /// Reads the whole program.
    pub fn of(tree: &Tree) -> Rooms {
        let mut rooms = Rooms::default();
        for (id, object) in tree.objects.iter() {
            if let Some(InitKind::Expr(e)) = object.init.map(|i| &tree.inits[i].kind) {
                rooms.give(Holder::Object(id), *e);
            }
        }
        for (id, _) in tree.exprs.iter() {
            rooms.expression(tree, id);
        }
        for (_, stmt) in tree.stmts.iter() {
            if let (StmtKind::Return(Some(e)), Some(f)) = (&stmt.kind, stmt.function) {
                rooms.give(Holder::Result(f), *e);
            }
        }
        rooms
    }

    fn give(&mut self, holder: Holder, value: ExprId) {
        self.from.entry(holder).or_default().push(value);
    }

    fn expression(&mut self, tree: &Tree, e: ExprId) {
        match &tree.exprs[e].kind {
            ExprKind::Assign { op, lhs, rhs, .. } => {
                if let Some(holder) = holder(tree, *lhs) {
                    self.give(holder, *rhs);
                    if op.is_some() {
                        self.grow.insert(holder);
                    }
                }
            }
            ExprKind::IncDec { operand, .. } => self.grow.extend(holder(tree, *operand)),
            ExprKind::Binary(op, a, b) if op.is_boolean() => {
                for (one, other) in [(*a, *b), (*b, *a)] {
                    let limit = consteval::eval(tree, other).and_then(|v| u64::try_from(v).ok());
                    // Comparisons with 0 and 1 say nothing of a size.
                    let limit = limit.filter(|v| (2..=MOST).contains(v));
                    if let (Some(limit), Some(holder)) = (limit, holder(tree, one)) {
                        let most = self.limits.entry(holder).or_default();
                        *most = limit.max(*most);
                    }
                }
            }
            ExprKind::Call { callee, args, .. } => {
                let Some(f) = cfront::calls::named_function(tree, *callee) else {
                    return;
                };
                if let Some(body) = &tree.functions[f].body {
                    for (&param, &arg) in body.params.iter().zip(args) {
                        self.give(Holder::Object(param), arg);
                    }
                }
            }
            _ => {}
        }
    }

    /// The largest number among those that a value may come from.
    pub fn most(&self, tree: &Tree, value: ExprId) -> Found {
        self.search(tree, value, &mut BTreeSet::new())
    }

    fn search(&self, tree: &Tree, e: ExprId, seen: &mut BTreeSet<Holder>) -> Found {
        if let Some(value) = consteval::eval(tree, e) {
            return Found::known(u64::try_from(value).unwrap_or(0));
        }
        match &tree.exprs[e].kind {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.search(tree, *a, seen), self.search(tree, *b, seen));
                match op {
                    BinaryOp::Add => a.and(b, u64::saturating_add),
                    BinaryOp::Mul => a.and(b, u64::saturating_mul),
                    BinaryOp::Sub | BinaryOp::Div | BinaryOp::Shr => a,
                    BinaryOp::Rem if !b.open => Found::known(b.most.saturating_sub(1)),
                    BinaryOp::BitAnd if !a.open || !b.open => {
                        let known = [a, b].into_iter().filter(|f| !f.open);
                        Found::known(known.map(|f| f.most).min().unwrap_or(0))
                    }
                    _ => Found::OPEN,
                }
            }
            ExprKind::Cast(of) => self.search(tree, *of, seen),
            ExprKind::Assign { rhs, .. } => self.search(tree, *rhs, seen),
            ExprKind::Comma(parts) => match parts.last() {
                Some(&last) => self.search(tree, last, seen),
                None => Found::OPEN,
            },
            ExprKind::Conditional {
                then: Some(a),
                otherwise,
                ..
            } => {
                let (a, b) = (
                    self.search(tree, *a, seen),
                    self.search(tree, *otherwise, seen),
                );
                a.and(b, u64::max)
            }
            ExprKind::Call { callee, .. } => match cfront::calls::named_function(tree, *callee) {
                Some(f) => self.held(tree, Holder::Result(f), seen),
                None => Found::OPEN,
            },
            _ => match holder(tree, e) {
                Some(holder) => self.held(tree, holder, seen),
                None => Found::OPEN,
            },
        }
    }

    fn held(&self, tree: &Tree, holder: Holder, seen: &mut BTreeSet<Holder>) -> Found {
        // A cycle of assignments adds no value.
        if !seen.insert(holder) {
            return Found::known(0);
        }
        let values = self.from.get(&holder).map_or(&[][..], Vec::as_slice);
        let each = values.iter().map(|&e| self.search(tree, e, seen));
        let found = each.reduce(|a, b| a.and(b, u64::max));
        let mut found = found.unwrap_or(Found::OPEN);
        if self.grow.contains(&holder) {
            found.most = found.most.saturating_mul(4);
        }
        match self.limits.get(&holder) {
            Some(&limit) if found.open => Found::known(found.most.max(limit)),
            _ => found,
        }
    }
}

impl Rooms {
    /// The largest number up to this one with which the program compares a number that it counts, and keeps between calls of its
    /// functions.
    pub fn counted(&self, tree: &Tree, most: u64) -> Option<u64> {
        let lasting = |holder: &Holder| match holder {
            Holder::Object(object) => tree.objects[*object].is_static_duration(),
            Holder::Member(..) => true,
            Holder::Result(_) => false,
        };
        let all = self.limits.iter();
        let counted = all.filter(|(holder, _)| self.grow.contains(holder) && lasting(holder));
        let small = counted
            .map(|(_, limit)| *limit)
            .filter(|limit| *limit <= most);
        small.max()
    }
}

impl Found {
    const OPEN: Found = Found {
        most: 0,
        open: true,
    };

    fn known(most: u64) -> Found {
        Found { most, open: false }
    }

    fn and(self, other: Found, with: impl Fn(u64, u64) -> u64) -> Found {
        Found {
            most: with(self.most, other.most),
            open: self.open || other.open,
        }
    }
}

/// The holder that an lvalue designates.
fn holder(tree: &Tree, e: ExprId) -> Option<Holder> {
    match &tree.exprs[tree.uncast(e)].kind {
        ExprKind::Ident(Resolved::Object(object)) => Some(Holder::Object(*object)),
        ExprKind::Member { path, .. } => path
            .last()
            .map(|&(record, index)| Holder::Member(record, index)),
        _ => None,
    }
}
