//! Lowers the checks of how locks are used.

use cfront::ExprId;

use super::exprs::enclosed;
use super::Lower;
use crate::code::{Access, Action, Mover, Use};
use crate::library::name_of;
use crate::uses;

impl Lower<'_, '_> {
    /// Adds the check of a call, if the program asks for it; `text` is the value of the argument
    /// that points to the lock.
    pub(super) fn check(&mut self, call: ExprId, pointer: ExprId, text: &str) {
        let tree = self.facts.tree;
        let told = uses::text_of(tree, call);
        let asked = name_of(tree, call).and_then(uses::asked);
        let (Some(told), Some(asked)) = (told, asked) else {
            return;
        };
        let kinds = self.facts.mutex_kinds;
        let action = Action::Check {
            holds: asked.condition(&enclosed(text.to_string()), kinds),
            text: self.facts.unit.text_of(tree.exprs[told].span).to_string(),
        };
        // A thread alone changes what it holds. Whether others use a lock may change at any time.
        let accesses: Vec<Access> = match asked.destroys {
            true => self.concerned(call, pointer, true).into_iter().collect(),
            false => Vec::new(),
        };
        let mover = self.observed(Mover::Both, &accesses);
        self.push(action, tree.exprs[call].span, accesses, mover);
        let place = self.place_of(pointer);
        let about = asked.mutex.map(|how| {
            let held = |p: &_| how != Use::Releases || self.env.held.contains(p);
            self.mutex(how, pointer, place.filter(held))
        });
        self.note(about);
    }

    /// Lowers a call that destroys a lock or the like: nothing but its check.
    pub(super) fn destroy(&mut self, call: ExprId, pointer: ExprId) -> String {
        let object = self.stable(pointer);
        self.check(call, pointer, &object);
        "0".to_string()
    }

    /// The access of a call to a lock or the like, for the checks where one is destroyed: the check
    /// is a write that other threads' uses of the object observe, unless they are over.
    pub(super) fn concerned(
        &self,
        call: ExprId,
        pointer: ExprId,
        destroys: bool,
    ) -> Option<Access> {
        let about = self.mutex(Use::Looks, pointer, self.place_of(pointer));
        let mut touched = about.touched;
        touched.anything = touched.is_anywhere();
        let mut access = Access::new(call, touched, destroys);
        access.place = about.place;
        Some(access).filter(|_| self.facts.destroys)
    }

    /// In which directions an operation commutes that has these accesses besides what `mover` says.
    pub(super) fn observed(&self, mover: Mover, accesses: &[Access]) -> Mover {
        match accesses.iter().any(|a| self.is_visible(a)) {
            true => Mover::None,
            false => mover,
        }
    }
}
