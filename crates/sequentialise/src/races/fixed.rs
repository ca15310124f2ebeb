//! Pointers to functions in objects that the program never writes.

use cfront::span::ObjectId;
use cfront::tree::{Designator, ExprKind, InitItem, InitKind, Resolved};
use cfront::{ExprId, FunctionId, Span};

use crate::facts::Facts;

/// The function that a call by a pointer calls, if the pointer is one that the program never writes: a
/// static object, or a member of one, with an initializer.
pub(super) fn target(facts: &Facts, call: ExprId) -> Option<FunctionId> {
    let tree = facts.tree;
    let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let mut pointer = tree.uncast(*callee);
    while let ExprKind::Deref(of) = tree.exprs[pointer].kind {
        pointer = tree.uncast(of);
    }
    match &tree.exprs[pointer].kind {
        ExprKind::Ident(Resolved::Object(o)) => match never_written(facts, *o)? {
            InitKind::Expr(e) => cfront::calls::named_function(tree, *e),
            InitKind::List(_) => None,
        },
        ExprKind::Member {
            base,
            arrow: false,
            path,
            name,
        } => {
            let (ExprKind::Ident(Resolved::Object(o)), [(_, index)]) =
                (&tree.exprs[*base].kind, &path[..])
            else {
                return None;
            };
            let InitKind::List(items) = never_written(facts, *o)? else {
                return None;
            };
            let named = |item: &&InitItem| matches!(&item.designators[..], [Designator::Member(m)] if m == name);
            let item = match items.iter().all(|item| item.designators.is_empty()) {
                true => items.get(*index)?,
                false => items.iter().rev().find(named)?,
            };
            match &tree.inits[item.value].kind {
                InitKind::Expr(e) => cfront::calls::named_function(tree, *e),
                InitKind::List(_) => None,
            }
        }
        _ => None,
    }
}

/// The initializer of a static object that nothing else writes.
fn never_written<'a>(facts: &Facts<'a>, object: ObjectId) -> Option<&'a InitKind> {
    let tree = facts.tree;
    let of = &tree.objects[object];
    let all = Span::new(0, facts.unit.text().len());
    // The initializer counts as one write.
    let once = facts.writes_in(all).filter(|o| *o == object).count() == 1;
    let fixed = of.is_static_duration() && once && !facts.address_taken.contains(&object);
    fixed
        .then(|| of.init.map(|init| &tree.inits[init].kind))
        .flatten()
}
