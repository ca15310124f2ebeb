//! Times of the step form that nothing reads any more get a constant, which no shift changes. Flags tell which of them have it: states
//! have no age of those.

use std::collections::BTreeSet;

use cfront::span::{ExprId, ObjectId};
use cfront::tree::{ExprKind, Parent};

use super::known::{place, Place};
use super::times::Times;
use super::Text;

/// The times that are spent somewhere.
pub(super) fn spent(times: &Times) -> BTreeSet<ObjectId> {
    let tree = times.known.tree;
    let stored_in = |value: &ExprId| match tree.exprs[*value].parent {
        Parent::Expr(parent) => match tree.exprs[parent].kind {
            ExprKind::Assign { op: None, lhs, .. } => place(tree, lhs),
            _ => None,
        },
        _ => None,
    };
    let all = times.known.spent.iter().filter_map(stored_in);
    let of_times = all.filter(|place| times.places.contains(place));
    of_times
        .filter_map(|place| match place {
            Place::Object(o) => Some(o),
            Place::Member(..) => None,
        })
        .collect()
}

impl Text<'_> {
    /// The flag of a time, if it is spent somewhere.
    pub(super) fn spent_flag(&self, of: Place) -> Option<String> {
        let Place::Object(o) = of else { return None };
        let spent = self.spent.contains(&o);
        spent.then(|| format!("ba_x_spent_{}", self.tree.objects[o].name))
    }

    /// Sets the flags where times are spent, and clears them where they get other values.
    pub(super) fn flag_spent(&mut self) {
        let known = self.times.known;
        for &o in &self.spent {
            let Some(flag) = self.spent_flag(Place::Object(o)) else {
                continue;
            };
            self.out.flags += &format!("static _Bool {flag};\n");
            for parent in known.stores(Place::Object(o)) {
                let value = match self.tree.exprs[parent].kind {
                    ExprKind::Assign { rhs, .. } => known.spent.contains(&rhs),
                    _ => false,
                };
                let before = format!("({flag} = {}, ", u8::from(value));
                let bare = self.tree.exprs[parent].bare;
                self.out.insertions.around(bare, true, &before, ")");
            }
        }
    }
}
