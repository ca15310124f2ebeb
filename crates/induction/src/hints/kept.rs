//! What suggests that a program keeps relations between positions in arrays, numbers of elements and sums.

use std::collections::{BTreeMap, BTreeSet};

use cfront::span::{ExprId, InitId, RecordId};
use cfront::tree::{BinaryOp, Designator, ExprKind, InitItem, InitKind};
use cfront::types::{ArrayLen, QualType, Type};

use super::sums::{self, Move, Sum};
use super::Walk;

/// The greatest constant at which positions wrap around.
const GREATEST: i64 = 256;

/// Relations that a program may keep, by names of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Sums that may keep their values.
    pub sums: Vec<Sum>,
    /// The variables in the indices of an array, by the array's name.
    pub indices: BTreeMap<String, BTreeSet<String>>,
    /// The constants at which positions wrap around: divisors, masks, and lengths of arrays.
    pub moduli: BTreeSet<i64>,
    /// Variables that change by constants.
    pub counted: BTreeSet<String>,
    /// Variables that change by other amounts.
    pub accumulated: BTreeSet<String>,
    /// The sums of the initial elements of arrays, or of a member of them, by the name of an element: `a[]`, `a[].m`.
    pub totals: BTreeMap<String, i64>,
}

/// The relations that the first `own` expressions suggest.
pub(super) fn kept(walk: &Walk, own: usize) -> Kept {
    let mut out = Kept {
        sums: sums::sums(walk, own),
        ..Kept::default()
    };
    for (id, expr) in walk.tree.exprs.iter().take(own) {
        match &expr.kind {
            ExprKind::Index { base, index } => out.indexed(walk, *base, *index),
            ExprKind::Binary(op, _, b)
            | ExprKind::Assign {
                op: Some(op),
                rhs: b,
                ..
            } => {
                out.moduli.extend(modulus(walk, *op, *b));
            }
            _ => {}
        }
        if let Some(Move { name, amount, .. }) = sums::moved(walk, id) {
            let by_constant = amount.parse::<i64>().is_ok();
            match by_constant {
                true => out.counted.insert(name),
                false => out.accumulated.insert(name),
            };
        }
    }
    for (_, object) in walk.tree.objects.iter() {
        let Some(init) = object.init else { continue };
        match walk.tree.types.get(object.ty) {
            Type::Array(of, _) => out.totals.extend(totals(walk, &object.name, *of, init)),
            Type::Record(record) => out.totals.extend(inside(walk, &object.name, *record, init)),
            _ => {}
        }
    }
    out
}

impl Kept {
    fn indexed(&mut self, walk: &Walk, base: ExprId, index: ExprId) {
        let names = read(walk, index);
        let Some(array) = walk.lvalue(base).filter(|_| !names.is_empty()) else {
            return;
        };
        if let Type::Array(_, ArrayLen::Known(length)) =
            walk.tree.types.get(walk.tree.exprs[base].ty)
        {
            let length = i64::try_from(*length).ok();
            self.moduli
                .extend(length.filter(|l| (2..=GREATEST).contains(l)));
        }
        self.indices.entry(array).or_default().extend(names);
    }
}

/// The variables that an expression reads.
fn read(walk: &Walk, id: ExprId) -> Vec<String> {
    let (mut open, mut out) = (vec![id], Vec::new());
    while let Some(e) = open.pop() {
        match walk.lvalue(e) {
            Some(name) => out.push(name),
            None => open.extend(walk.tree.children(e)),
        }
    }
    out
}

/// The constant by which `% c` or `& (c - 1)` lets values wrap around.
fn modulus(walk: &Walk, op: BinaryOp, by: ExprId) -> Option<i64> {
    let by = walk.constant(by)?;
    let modulus = match op {
        BinaryOp::Rem => by,
        BinaryOp::BitAnd if by > 0 && (by as u64 + 1).is_power_of_two() => by.checked_add(1)?,
        _ => return None,
    };
    (2..=GREATEST).contains(&modulus).then_some(modulus)
}

/// The sums of the constants in the list that initialises an array, one for each member where the elements are structures. What
/// is not given is 0.
fn totals(walk: &Walk, array: &str, of: QualType, init: InitId) -> BTreeMap<String, i64> {
    let mut out = BTreeMap::new();
    let InitKind::List(elements) = &walk.tree.inits[init].kind else {
        return out;
    };
    let Type::Record(record) = walk.tree.types.get(of) else {
        let mut all = elements.iter().map(|item| constant(walk, item.value));
        let total = all.try_fold(0i64, |sum, c| sum.checked_add(c?));
        out.extend(total.map(|total| (format!("{array}[]"), total)));
        return out;
    };
    let members = walk.tree.types.records[*record].members.iter().flatten();
    for (at, member) in members.enumerate() {
        let Some(name) = &member.name else { break };
        let mut all = elements
            .iter()
            .map(|item| constant(walk, given(walk, item.value, (at, name))?));
        if let Some(total) = all.try_fold(0i64, |sum, c| sum.checked_add(c?)) {
            out.insert(format!("{array}[].{name}"), total);
        }
    }
    out
}

/// The same of the arrays in a structure.
fn inside(walk: &Walk, object: &str, of: RecordId, init: InitId) -> BTreeMap<String, i64> {
    let mut out = BTreeMap::new();
    let members = walk.tree.types.records[of].members.iter().flatten();
    for (at, member) in members.enumerate() {
        let Some(name) = &member.name else { break };
        let list = given(walk, init, (at, name));
        if let (Type::Array(of, _), Some(list)) = (walk.tree.types.get(member.ty), list) {
            out.extend(totals(walk, &format!("{object}.{name}"), *of, list));
        }
    }
    out
}

/// What the list of a structure gives a member, told by its place or its name.
fn given(walk: &Walk, structure: InitId, (at, name): (usize, &str)) -> Option<InitId> {
    let InitKind::List(items) = &walk.tree.inits[structure].kind else {
        return None;
    };
    let designated = |item: &&InitItem| matches!(item.designators.as_slice(), [Designator::Member(m)] if m == name);
    let placed = items.get(at);
    let placed = placed.filter(|_| items.iter().all(|item| item.designators.is_empty()));
    let found = items.iter().find(designated).or(placed);
    found.map(|item| item.value)
}

fn constant(walk: &Walk, init: InitId) -> Option<i64> {
    match walk.tree.inits[init].kind {
        InitKind::Expr(e) => walk.constant(e),
        InitKind::List(_) => None,
    }
}
