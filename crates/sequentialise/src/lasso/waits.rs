//! What threads wait for, and which operations may end a wait.

use crate::code::{Action, Lowered, Mover, Op, Touched};

/// What the conditions read for which the threads of a program wait.
pub(crate) struct Waits(Touched);

impl Waits {
    /// Those of all threads. The time is linear in their operations.
    pub fn of(lowered: &Lowered) -> Waits {
        let mut all = Touched::default();
        for op in lowered.threads.iter().flat_map(|t| &t.ops) {
            if let Action::Stand { reads, .. } = &op.action {
                all.extend(reads);
            }
        }
        Waits(all)
    }

    /// Whether a wait of another thread may end by an operation. What others cannot tell ends none, nor does the taking of
    /// a lock; else it is what a model does, or a write of something that a condition may read.
    pub fn may_end(&self, op: &Op) -> bool {
        match op.mover {
            Mover::Both | Mover::Right => return false,
            Mover::Left | Mover::None => {}
        }
        if !matches!(op.action, Action::Text(_) | Action::Jump { .. }) {
            return true;
        }
        let mut written = op.accesses.iter().filter(|a| a.writes);
        op.accesses.is_empty()
            || !op.calls.is_empty()
            || written.any(|a| self.0.overlaps(&a.touched))
    }
}
