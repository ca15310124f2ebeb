//! Threads that begin in the place of others: a loop that starts threads and joins them in the same iteration is not
//! unrolled in step form. Each start in its text has one place, which the join gives back, in the state in which it was
//! before any thread began there. A run that comes to a start whose place is taken ends there, and that is told.

use cfront::tree::{ExprKind, Parent};
use cfront::{ExprId, Span};

use super::env::Env;
use super::{bounds, Lower};
use crate::code::{Action, Mover};
use crate::facts::Facts;
use crate::library::Call;

impl Lower<'_, '_> {
    /// Whether a start where control now is may be executed again.
    pub(super) fn starts_again(&self) -> bool {
        let creator = self.out.threads.get(self.thread as usize);
        self.turning > 0 || creator.is_some_and(|creator| creator.again)
    }

    /// Whether an iteration has started threads, besides the first ones, that cannot begin again in the next one.
    pub(super) fn leaves_started(&self, threads: usize, end: &Env) -> bool {
        let started = self.out.threads.len() > threads;
        let known = self.options.steps && self.stores.are_joined_only && !self.facts.shows_owners();
        started && (!known || end.reachable && end.handles.may_live(threads as u32..))
    }

    /// Ends the run, and tells it, if the last thread that a start has started was not joined.
    pub(super) fn wait_for_place(&mut self, number: u32, span: Span) {
        if !self.out.threads[number as usize].again {
            return;
        }
        let taken = self.int_temp();
        let text = format!("{taken} = ba_seq_on[{number}];");
        self.push(Action::Text(text), span, Vec::new(), Mover::None);
        let free = self.label();
        self.jump(Some(format!("!{taken}")), free, span);
        self.cut(bounds::NO_SITE, span);
        self.place(free, span);
    }

    /// A thread was joined: its place is free.
    pub(super) fn vacate(&mut self, known: Option<u32>, handle: &str, span: Span) {
        if let Some(thread) = known {
            self.env.handles.join(thread);
        }
        let once = |thread: u32| !self.out.threads[thread as usize].again;
        if !self.options.steps || !self.sharing.restarts() || known.is_some_and(once) {
            return;
        }
        self.out.vacates = true;
        let text = format!("ba_seq_vacate({handle});");
        self.push(Action::Text(text), span, Vec::new(), Mover::None);
    }
}

impl Facts<'_> {
    /// Whether something but the wait for a lock depends on which thread owns it: a thread that ends with a lock owns it
    /// for good.
    fn shows_owners(&self) -> bool {
        self.asks || self.mutex_kinds
    }

    /// Whether an expression reads a handle, or an object with one, in another way than to join the thread or the like: the
    /// handles of two threads that are never there at the same time may be equal or not.
    pub(super) fn shows_handle(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let expr = &tree.exprs[e];
        match expr.parent {
            Parent::Expr(around) => match &tree.exprs[around].kind {
                ExprKind::AddressOf(_) | ExprKind::Member { .. } => false,
                ExprKind::Assign { op: None, lhs, .. } => *lhs != e,
                ExprKind::Call { .. } => match self.library(around) {
                    Some(Call::Join | Call::Nothing) => false,
                    Some(Call::Model(model)) => model.does != "ba_seq_cancel",
                    _ => true,
                },
                _ => true,
            },
            // An expression that stands alone has no use.
            _ => true,
        }
    }
}
