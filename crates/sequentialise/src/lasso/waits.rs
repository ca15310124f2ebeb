//! The memory that waits of threads depend on, and the operations that may end a wait.

use crate::code::{Action, Lowered, Mover, Op, Touched};

/// The memory that the conditions of all waits read.
pub(crate) struct Waits(Touched);

impl Waits {
    /// Collects the memory for all threads. Linear in their operations.
    pub fn of(lowered: &Lowered) -> Waits {
        let mut all = Touched::default();
        for op in lowered.threads.iter().flat_map(|t| &t.ops) {
            if let Action::Stand { reads, .. } = &op.action {
                all.extend(reads);
            }
        }
        Waits(all)
    }

    /// Whether an operation may end another thread's wait. Operations that other threads cannot
    /// observe end none, nor does taking a lock; a call of a model may, and so may a write of
    /// memory that a condition may read.
    pub fn may_end(&self, op: &Op) -> bool {
        match op.mover {
            Mover::Both | Mover::Right => return false,
            Mover::Left | Mover::None => {}
        }
        if matches!(op.action, Action::Check { .. }) {
            return false;
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
