//! A search of all schedules, as the search by rounds beside it sees it: whether it has ended, and
//! whether rounds can add to its answer.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a search of all schedules came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// An answer that no other search changes.
    Settled,
    /// An answer at the wanted bounds of loops, where runs were cut.
    Cut,
    /// An answer at smaller bounds.
    Smaller,
    /// No answer.
    Open,
}

/// A search of all schedules, and the search by rounds beside it.
#[derive(Default)]
pub(crate) struct Whole {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
struct State {
    outcome: Option<Outcome>,
    /// Whether rounds follow some loop further than its bound; `None` until that is known.
    further: Option<bool>,
    /// When the search by rounds may start the backend at the latest.
    opens: Option<Instant>,
    /// Whether the search by rounds has ended.
    rounds_over: bool,
}

impl State {
    /// Whether rounds can add to the answer, as far as is known.
    fn is_worth_rounds(self) -> bool {
        match self.outcome {
            Some(Outcome::Settled) => false,
            // Rounds cut the same loops at the same bounds, and search fewer schedules.
            Some(Outcome::Cut) => self.further != Some(false),
            Some(Outcome::Smaller | Outcome::Open) | None => true,
        }
    }
}

impl Whole {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records what the search of all schedules came to.
    pub(crate) fn ends(&self, outcome: Outcome) {
        self.state().outcome = Some(outcome);
        self.changed.notify_all();
    }

    /// Records that the search by rounds has ended.
    pub(crate) fn rounds_end(&self) {
        self.state().rounds_over = true;
        self.changed.notify_all();
    }

    /// What the search of all schedules came to; `None` while it runs.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.state().outcome
    }

    /// Whether rounds can add to the answer, as far as is known.
    pub(crate) fn is_worth_rounds(&self) -> bool {
        self.state().is_worth_rounds()
    }

    /// Waits until the search of all schedules has ended, at most this long after the first call.
    /// Then says whether to search by rounds, which follow some loop further than its bound, or do
    /// not.
    pub(crate) fn opens(&self, most: Duration, further: bool) -> bool {
        let mut state = self.state();
        state.further = Some(further);
        let at = *state.opens.get_or_insert_with(|| Instant::now() + most);
        drop(state);
        self.wait_while(at, |state| state.outcome.is_none());
        self.is_worth_rounds()
    }

    /// Waits until the search of all schedules has ended, at most this long.
    pub(crate) fn wait(&self, most: Duration) {
        self.wait_while(Instant::now() + most, |state| state.outcome.is_none());
    }

    /// Waits until the search by rounds has ended, at most this long.
    pub(crate) fn wait_for_rounds(&self, most: Duration) {
        self.wait_while(Instant::now() + most, |state| !state.rounds_over);
    }

    fn wait_while(&self, end: Instant, goes_on: impl Fn(&State) -> bool) {
        let mut state = self.state();
        while goes_on(&state) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_searched_where_they_can_add_something() {
        let cases = [
            (None, false, true),
            (Some(Outcome::Settled), true, false),
            (Some(Outcome::Cut), true, true),
            (Some(Outcome::Cut), false, false),
            (Some(Outcome::Smaller), false, true),
            (Some(Outcome::Open), false, true),
        ];
        for (outcome, further, wanted) in cases {
            let whole = Whole::default();
            if let Some(outcome) = outcome {
                whole.ends(outcome);
            }
            let opens = whole.opens(Duration::from_millis(1), further);
            assert_eq!(opens, wanted, "{outcome:?}, {further}");
        }
    }

    #[test]
    fn the_wait_ends_with_the_search() {
        let whole = Whole::default();
        std::thread::scope(|scope| {
            scope.spawn(|| whole.ends(Outcome::Open));
            whole.wait(Duration::from_secs(60));
            scope.spawn(|| whole.rounds_end());
            whole.wait_for_rounds(Duration::from_secs(60));
        });
        assert_eq!(whole.outcome(), Some(Outcome::Open));
    }
}
