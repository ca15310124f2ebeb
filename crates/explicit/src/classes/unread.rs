//! Bytes of text that the environment gives. The program reads few of them, so the search begins without values of any: they get
//! the mark of [`super::poison`], and where one is read, the search begins again with values of what is stored there.

use std::collections::BTreeMap;

use cfront::consteval::eval;
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Parent, Tree};
use cfront::Unit;

use super::Choices;
use crate::flows::called;
use crate::kinds::integer;

/// The most places that store such bytes, as in `templates/explicit/stepper.h`.
const PLACES: usize = 4096;

/// The lvalues that get such bytes. Leaves the sites that give them in [`Choices::unread`].
pub(super) fn stores(unit: &Unit, out: &mut Choices) -> Vec<ExprId> {
    let tree = &unit.tree;
    let mut stores: BTreeMap<u32, Vec<ExprId>> = BTreeMap::new();
    let mut calls: BTreeMap<u32, usize> = BTreeMap::new();
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        if !called(tree, *callee).is_some_and(|f| tree.functions[f].name.starts_with("ba_choose_"))
        {
            continue;
        }
        let site = args.first().and_then(|site| eval(tree, *site));
        let site = site.and_then(|site| u32::try_from(site).ok());
        let Some(site) = site.filter(|site| out.values.contains_key(site)) else {
            continue;
        };
        *calls.entry(site).or_default() += 1;
        if let Some(lvalue) = stored_to(tree, call) {
            stores.entry(site).or_default().push(lvalue);
        }
    }
    let several = |site: &u32| out.values.get(site).is_some_and(|values| values.len() > 1);
    stores
        .retain(|site, all| several(site) && all.len() > 1 && calls.get(site) == Some(&all.len()));
    let all: Vec<ExprId> = stores.values().flatten().copied().collect();
    if all.len() > PLACES {
        return Vec::new();
    }
    out.unread = stores.into_keys().collect();
    all
}

/// The element of a parameter's target to which a function of the weaver's stores the value of a call: a byte.
fn stored_to(tree: &Tree, call: ExprId) -> Option<ExprId> {
    let function = tree.function_of(Parent::Expr(call))?;
    if !tree.functions[function].name.starts_with("ba_input_") {
        return None;
    }
    let mut at = call;
    while let Parent::Expr(parent) = tree.exprs[at].parent {
        match &tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if *rhs == at => {
                let byte = integer(tree, tree.exprs[*lhs].ty).is_some_and(|(bits, _)| bits == 8);
                let plain = matches!(tree.exprs[*lhs].kind, ExprKind::Index { .. });
                return (byte && plain).then_some(*lhs);
            }
            ExprKind::Conditional { cond, .. } if *cond != at => at = parent,
            ExprKind::Cast(_) => at = parent,
            _ => return None,
        }
    }
    None
}
