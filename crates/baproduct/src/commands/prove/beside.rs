//! The search of all states beside the other ones: what it finds ends them, and they end it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use backend::Cancel;
use verify::prove::Limits;
use verify::result::VerifyResult;

use super::explicit::{Answers, Visit};
use super::search::Search;

/// What it says, when it has ended: answers, or why there is none.
type Said = Result<Answers, String>;

/// A search of all states that may still go on.
#[derive(Default)]
pub struct Beside {
    state: Mutex<State>,
    changed: Condvar,
    /// Ends it.
    cancel: Cancel,
}

#[derive(Default)]
struct State {
    said: Option<Said>,
    /// The property that others look at meanwhile, and what ends them.
    current: Option<(usize, Cancel)>,
}

impl Beside {
    /// Without a search: nothing is said, for this reason.
    pub fn without(why: String) -> Beside {
        let beside = Beside::default();
        beside.lock().said = Some(Err(why));
        beside
    }

    /// Searches, in the thread of the caller. Those who look at a property that this answers are ended.
    pub fn search(&self, visit: Visit, limits: &Limits, told: &dyn Fn(&str)) {
        let said = visit.answers(limits, &self.cancel, told);
        let mut state = self.lock();
        if let (Ok(answers), Some((number, cancel))) = (&said, &state.current) {
            if answers.has(*number) {
                cancel.cancel();
            }
        }
        state.said = Some(said);
        self.changed.notify_all();
    }

    /// Says that others look at a property now, which `cancel` ends.
    pub fn begin(&self, number: usize, cancel: &Cancel) {
        let mut state = self.lock();
        if matches!(&state.said, Some(Ok(answers)) if answers.has(number)) {
            cancel.cancel();
        }
        state.current = Some((number, cancel.clone()));
    }

    /// What it says of a property, after so much time at most; nothing if it still goes on.
    pub fn result(
        &self,
        search: &Search,
        number: usize,
        wait: Option<Duration>,
    ) -> Option<Result<VerifyResult, String>> {
        let going = |state: &mut State| state.said.is_none();
        let state = self.lock();
        let state = match wait {
            Some(most) => {
                let waited = self.changed.wait_timeout_while(state, most, going);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => {
                let waited = self.changed.wait_while(state, going);
                waited.unwrap_or_else(PoisonError::into_inner)
            }
        };
        Some(match state.said.as_ref()? {
            Ok(answers) => answers.result(search, number),
            Err(why) => Err(why.clone()),
        })
    }

    /// Ends it.
    pub fn end(&self) {
        self.cancel.cancel();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
