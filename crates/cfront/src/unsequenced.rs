//! Expressions that change an object and use it again, without an order between both (C11, 6.5, paragraph 2): `i = i++ + 1`. What they do
//! is undefined.

use std::collections::BTreeSet;

use crate::access::written;
use crate::span::{ExprId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Resolved, Tree};
use crate::types::Class;

/// The first of them in the text, and the object. Only objects of numbers and pointers that an expression names count (see
/// [`unchecked`](crate::unchecked) for pointers to them), and nothing that called functions do: calls have an order, though any
/// ([`unordered`](crate::unordered)). Neither do those that are `left_out`: a read of a register is an assignment in the text that is
/// made for it, and none in the program. O(n · depth) in the expressions.
pub fn unsequenced(
    tree: &Tree,
    may_run: impl Fn(ExprId) -> bool,
    left_out: impl Fn(ObjectId) -> bool,
) -> Option<(ExprId, ObjectId)> {
    let all = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
    let found = all.filter_map(|(id, _)| Some((id, twice(tree, id, &left_out)?)));
    found
        .filter(|(id, _)| may_run(*id))
        .min_by_key(|(id, _)| tree.exprs[*id].span.start)
}

/// The object that an expression changes while some operand uses it.
fn twice(tree: &Tree, e: ExprId, left_out: &dyn Fn(ObjectId) -> bool) -> Option<ObjectId> {
    let own = written(tree, e).and_then(|lvalue| named(tree, lvalue));
    let own = own.filter(|object| !left_out(*object));
    if let (Some(object), ExprKind::Assign { rhs, op, .. }) = (own, &tree.exprs[e].kind) {
        let mut late = BTreeSet::new();
        pending(tree, *rhs, &mut late);
        if late.contains(&object) || op.is_none() {
            return late.take(&object);
        }
    }
    let operands = tree.unordered_operands(e);
    if operands.len() < 2 {
        return None;
    }
    let uses: Vec<Uses> = operands.iter().map(|&o| Uses::of(tree, o)).collect();
    let clash = |a: usize, b: usize| {
        let other = &uses[b];
        let mut changed = uses[a].changed.iter();
        changed.find(|o| !left_out(**o) && (other.changed.contains(o) || other.read.contains(o)))
    };
    let pairs = (0..uses.len()).flat_map(|a| (0..uses.len()).map(move |b| (a, b)));
    let mut apart = pairs.filter(|(a, b)| a != b);
    apart.find_map(|(a, b)| clash(a, b)).copied()
}

/// The objects that an expression itself uses.
#[derive(Default)]
struct Uses {
    changed: BTreeSet<ObjectId>,
    read: BTreeSet<ObjectId>,
}

impl Uses {
    fn of(tree: &Tree, e: ExprId) -> Uses {
        let mut uses = Uses::default();
        uses.add(tree, e);
        uses
    }

    fn add(&mut self, tree: &Tree, e: ExprId) {
        if tree.exprs[e].unevaluated {
            return;
        }
        match &tree.exprs[e].kind {
            // Of what its statements do, only their order is known.
            ExprKind::StmtExpr(_) => return,
            ExprKind::AddressOf(inner) if named(tree, *inner).is_some() => return,
            ExprKind::Assign { lhs, rhs, op, .. } => {
                if let Some(object) = named(tree, *lhs) {
                    self.changed.insert(object);
                    if op.is_some() {
                        self.read.insert(object);
                    }
                    return self.add(tree, *rhs);
                }
            }
            ExprKind::IncDec { operand, .. } => self.changed.extend(named(tree, *operand)),
            _ => self.read.extend(named(tree, e)),
        }
        for child in tree.children(e) {
            self.add(tree, child);
        }
    }
}

/// The objects that an expression may still have to change when its value is known.
fn pending(tree: &Tree, e: ExprId, late: &mut BTreeSet<ObjectId>) {
    if tree.exprs[e].unevaluated {
        return;
    }
    late.extend(written(tree, e).and_then(|lvalue| named(tree, lvalue)));
    match &tree.exprs[e].kind {
        ExprKind::Call { .. } | ExprKind::StmtExpr(_) => {}
        ExprKind::Comma(all) => all.last().into_iter().for_each(|&e| pending(tree, e, late)),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, second) => pending(tree, *second, late),
        ExprKind::Conditional { cond, .. } => {
            let branches = tree.children(e).into_iter().filter(|child| child != cond);
            branches.for_each(|child| pending(tree, child, late));
        }
        _ => tree
            .children(e)
            .into_iter()
            .for_each(|child| pending(tree, child, late)),
    }
}

/// The number or pointer that an expression names.
fn named(tree: &Tree, e: ExprId) -> Option<ObjectId> {
    match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => {
            let class = tree.types.class(tree.objects[object].ty);
            matches!(class, Class::Scalar | Class::Pointer).then_some(object)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    #[test]
    fn what_is_changed_and_used_without_an_order_is_found() {
        let clashes = |e: &str| {
            let text = format!("int a[9], i, j, *p; int f(int, ...); void g(void) {{ {e}; }}\n");
            let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
            unsequenced(&unit.tree, |_| true, |_| false).is_some()
        };
        for e in [
            "i = i++ + 1",
            "a[i] = i++",
            "j = i++ + i++",
            "f(i++, i)",
            "i = ++i",
            "p = p++",
            "i += i = 2",
            "j = (i = 2) + i",
            "i = (j, i++)",
        ] {
            assert!(clashes(e), "{e}");
        }
        for e in [
            "i = i + 1",
            "i = (i++, 5)",
            "i++, i++",
            "j = i++ && i++",
            "j = i ? i++ : i--",
            "a[i++] = j++",
            "i = f(i++)",
            "f(i, j++)",
            "i += i + 2",
            "j = sizeof(i++) + i",
            "i = j = 3",
            "*p++ = *p == 1 ? 2 : 3, i = 1, f(i, &i)",
            "f(0, &i, i = 3)",
        ] {
            assert_eq!(clashes(e), e.starts_with("*p++ = *p"), "{e}");
        }
    }
}
