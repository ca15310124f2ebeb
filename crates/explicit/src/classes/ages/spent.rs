//! Times of the step form that nothing reads any more get a constant, which no shift changes. Flags tell which of them have it: states
//! have no age of those.

use std::collections::BTreeSet;

use cfront::access::{usage, Use};
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{ExprKind, Parent};

use super::known::{place, Place};
use super::Text;

impl Text<'_> {
    /// The times that are spent somewhere.
    fn all_spent(&self) -> BTreeSet<ObjectId> {
        let known = self.times.known;
        let all = known.spent.iter();
        all.filter_map(|e| match self.stored_in(*e)? {
            Place::Object(o) if self.times.places.contains(&Place::Object(o)) => Some(o),
            _ => None,
        })
        .collect()
    }

    /// Where the value of an expression is stored.
    fn stored_in(&self, value: ExprId) -> Option<Place> {
        let Parent::Expr(parent) = self.tree.exprs[value].parent else {
            return None;
        };
        match self.tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if rhs == value => place(self.tree, lhs),
            _ => None,
        }
    }

    /// The flag of a time, if it is spent somewhere.
    pub(super) fn spent_flag(&self, of: Place) -> Option<String> {
        let Place::Object(o) = of else { return None };
        let spent = self.all_spent().contains(&o);
        spent.then(|| format!("ba_x_spent_{}", self.tree.objects[o].name))
    }

    /// Sets the flags where times are spent, and clears them where they get other values.
    pub(super) fn spent(&mut self) {
        for o in self.all_spent() {
            let Some(flag) = self.spent_flag(Place::Object(o)) else {
                continue;
            };
            self.out.flags += &format!("static _Bool {flag};\n");
            for (id, e) in self.tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
                let stored = self.tree.named(id) == Some(o) && usage(self.tree, id) != Use::Read;
                let Parent::Expr(parent) = e.parent else {
                    continue;
                };
                if !stored {
                    continue;
                }
                let value = match self.tree.exprs[parent].kind {
                    ExprKind::Assign { rhs, .. } => self.times.known.spent.contains(&rhs),
                    _ => false,
                };
                let before = format!("({flag} = {}, ", u8::from(value));
                let bare = self.tree.exprs[parent].bare;
                self.out.insertions.around(bare, true, &before, ")");
            }
        }
    }
}
