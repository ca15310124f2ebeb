//! What all engines know of a question.

use super::Stage;
use crate::result::{Holds, VerifyResult};
use backend::Cancel;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The properties of a question that are open, and the engines that still search.
pub struct Board {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
}

struct State {
    open: HashSet<String>,
    /// How many engines of the first stage have not ended.
    first: usize,
    /// How many engines before the last stage have not ended.
    others: usize,
    /// How many engines have not ended.
    running: usize,
}

impl Board {
    /// A board on which all properties are open, for engines that start in these stages.
    pub(super) fn new(properties: Vec<String>, stages: &[Stage]) -> Board {
        let count = |is: fn(&Stage) -> bool| stages.iter().filter(|s| is(s)).count();
        Board {
            state: Mutex::new(State {
                open: properties.into_iter().collect(),
                first: count(|stage| *stage == Stage::First),
                others: count(|stage| *stage != Stage::Last),
                running: stages.len(),
            }),
            changed: Condvar::new(),
            cancel: Cancel::new(),
        }
    }

    /// Ends all searches when nothing is open any more, or when the time is over.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether a property is not decided yet.
    pub fn is_open(&self, property: &str) -> bool {
        self.state().open.contains(property)
    }

    /// Takes over which properties a result decides for good.
    pub fn publish(&self, result: &VerifyResult) {
        let mut state = self.state();
        for property in &result.properties {
            if property.answer.holds != Holds::Unknown {
                state.open.remove(&property.asked.name);
            }
        }
        if state.open.is_empty() {
            self.cancel.cancel();
        }
        self.changed.notify_all();
    }

    /// Waits until an engine may start; false if there is nothing left for it to do.
    pub(super) fn wait_for(&self, stage: Stage, until: Instant) -> bool {
        let begun = Instant::now();
        let (at, waits): (Instant, fn(&State) -> bool) = match stage {
            Stage::First => return true,
            Stage::Beside(most) => (until.min(begun + most), |s| s.first > 0),
            Stage::Last => (until, |s| s.others > 0),
        };
        let mut state = self.state();
        while waits(&state) && !self.cancel.is_cancelled() {
            let left = at.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        !state.open.is_empty() && !self.cancel.is_cancelled() && Instant::now() < until
    }

    /// Records that an engine has ended, or was not started.
    pub(super) fn ends(&self, stage: Stage) {
        let mut state = self.state();
        if stage == Stage::First {
            state.first -= 1;
        }
        if stage != Stage::Last {
            state.others -= 1;
        }
        state.running -= 1;
        self.changed.notify_all();
    }

    /// Waits until all engines have ended, and cancels them when the time is over.
    pub(super) fn watch(&self, until: Instant) {
        let mut state = self.state();
        while state.running > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.running > 0 {
            self.cancel.cancel();
            self.changed.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
