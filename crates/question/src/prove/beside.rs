//! Runs the search of all states in parallel with the other searches: either can end the other with
//! its answer.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use backend::Cancel;
use verify::portfolio::Board;
use verify::result::{Engine, Tried, VerifyResult};

use super::answers::Answers;
use super::search::Search;

impl State {
    /// Whether the search has an answer for a property.
    fn has(&self, number: usize) -> bool {
        let said = matches!(&self.said, Some(Ok(answers)) if answers.has(number));
        said || self.early.contains_key(&number)
    }
}

/// The result of the search: answers, or why there are none.
pub type Said = Result<Answers, String>;

/// A search of all states that may still be running.
#[derive(Default)]
pub struct Beside {
    state: Mutex<State>,
    changed: Condvar,
    /// Cancels the search.
    cancel: Cancel,
}

#[derive(Default)]
struct State {
    said: Option<Said>,
    /// Its answers so far, by the number of the property, with the time that each took.
    early: BTreeMap<usize, (VerifyResult, Duration)>,
    /// When it began.
    begun: Option<Instant>,
    /// When it last went on: it began, came to another part of its work, or had an answer.
    moved: Option<Instant>,
    /// The time of the search.
    took: Duration,
    /// The property that the other searches work on, and their cancellation.
    current: Option<(usize, Cancel)>,
}

impl Beside {
    /// A search that ends when nothing is open on the board.
    pub fn until(board: &Board) -> Beside {
        Beside {
            cancel: board.cancel().part(),
            ..Beside::default()
        }
    }

    /// Tells the board the answers of the search.
    pub fn publish(&self, search: &Search, board: &Board) {
        let state = self.lock();
        let Some(Ok(answers)) = &state.said else {
            return;
        };
        for number in 0..answers.properties.len() {
            if let Ok(result) = answers.result(search, number) {
                board.publish(&result);
            }
        }
    }

    /// No search; the result is this reason.
    pub fn without(why: String) -> Beside {
        let beside = Beside::default();
        beside.lock().said = Some(Err(why));
        beside
    }

    /// Searches in the caller's thread. Ends the other searches if their property has an answer
    /// now.
    pub fn search(&self, search: impl FnOnce(&Cancel) -> Said) {
        let begun = Instant::now();
        {
            let mut state = self.lock();
            (state.begun, state.moved) = (Some(begun), Some(begun));
        }
        let said = search(&self.cancel);
        let mut state = self.lock();
        state.took = begun.elapsed();
        if let (Ok(answers), Some((number, cancel))) = (&said, &state.current) {
            if answers.has(*number) {
                cancel.cancel();
            }
        }
        state.said = Some(said);
        self.changed.notify_all();
    }

    /// Records that the search goes on to another part of its work.
    pub fn moves(&self) {
        self.lock().moved = Some(Instant::now());
    }

    /// Records an answer of the search, which goes on. Ends the other searches of this property.
    pub fn finds(&self, number: usize, result: VerifyResult) {
        let mut state = self.lock();
        let now = Instant::now();
        let took = state.begun.map_or(Duration::ZERO, |begun| now - begun);
        state.moved = Some(now);
        state.early.insert(number, (result, took));
        match &state.current {
            Some((current, cancel)) if *current == number => cancel.cancel(),
            _ => {}
        }
        self.changed.notify_all();
    }

    /// How long to wait for the search, if it is given so much time for each part of its work.
    pub fn patience(&self, part: Duration) -> Duration {
        let moved = self.lock().moved;
        moved.map_or(part, |moved| part.saturating_sub(moved.elapsed()))
    }

    /// Records that other searches work on a property now; `cancel` ends them.
    pub fn begin(&self, number: usize, cancel: &Cancel) {
        let mut state = self.lock();
        if state.has(number) {
            cancel.cancel();
        }
        state.current = Some((number, cancel.clone()));
    }

    /// The result for a property, after waiting at most `wait`; `None` if the search is still
    /// running.
    pub fn result(
        &self,
        search: &Search,
        number: usize,
        wait: Option<Duration>,
    ) -> Option<Result<VerifyResult, String>> {
        let going = |state: &mut State| state.said.is_none() && !state.has(number);
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
        let (result, took) = match (&state.said, state.early.get(&number)) {
            (Some(Ok(answers)), _) if answers.has(number) => {
                (answers.result(search, number), state.took)
            }
            (_, Some((result, took))) => (Ok(result.clone()), *took),
            (Some(Ok(answers)), None) => (answers.result(search, number), state.took),
            (Some(Err(why)), None) => (Err(why.clone()), state.took),
            (None, None) => return None,
        };
        Some(result.map(|mut result| {
            for property in &mut result.properties {
                property.answer.tried = vec![Tried {
                    engine: Engine::Explicit,
                    said: property.answer.holds.name().to_owned(),
                    seconds: took.as_secs_f64(),
                }];
            }
            result
        }))
    }

    /// How long the search took.
    pub fn seconds(&self) -> f64 {
        self.lock().took.as_secs_f64()
    }

    /// Cancels the search.
    pub fn end(&self) {
        self.cancel.cancel();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of a search came only with its last one: where the time was over before, all were lost.
    #[test]
    fn an_answer_stands_before_the_search_has_ended() {
        let (beside, own, other) = (Beside::default(), Cancel::default(), Cancel::default());
        beside.begin(1, &own);
        beside.finds(0, VerifyResult::default());
        assert!(!own.is_cancelled());
        beside.finds(1, VerifyResult::default());
        assert!(own.is_cancelled());
        beside.begin(0, &other);
        assert!(other.is_cancelled());
    }
}
