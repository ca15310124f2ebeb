//! What all engines know of a question.

use super::Stage;
use crate::result::{Engine, Holds, VerifyResult};
use backend::Cancel;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a signal to end is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// The properties of a question that are open, and the engines that still search.
pub struct Board {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
}

struct State {
    /// The open properties, and what ends the searches for each.
    open: HashMap<String, Cancel>,
    /// The stages of the engines that have not ended.
    left: Vec<Stage>,
    /// The engines that search.
    running: Vec<Engine>,
    /// What is decided, in the order of the answers.
    decided: Vec<(String, Holds)>,
}

/// What is known while engines search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The engines that search.
    pub running: Vec<Engine>,
    /// The properties that are decided, in the order of the answers.
    pub decided: Vec<(String, Holds)>,
    /// How many properties are open.
    pub open: usize,
}

impl Board {
    /// A board on which all properties are open, for engines that start in these stages.
    pub(super) fn new(properties: Vec<String>, stages: &[Stage]) -> Board {
        let cancel = Cancel::new();
        let open = properties.into_iter().map(|name| (name, cancel.part()));
        Board {
            state: Mutex::new(State {
                open: open.collect(),
                left: stages.to_vec(),
                running: Vec::new(),
                decided: Vec::new(),
            }),
            changed: Condvar::new(),
            cancel,
        }
    }

    /// A board for an engine that searches alone.
    pub fn alone(properties: Vec<String>) -> Board {
        Board::new(properties, &[])
    }

    /// Ends all searches when nothing is open any more, or when the time is over.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether a property is not decided yet.
    pub fn is_open(&self, property: &str) -> bool {
        self.state().open.contains_key(property)
    }

    /// Ends a search for one property when that is decided, or all searches end.
    pub fn cancel_for(&self, property: &str) -> Cancel {
        let part = self.state().open.get(property).map(Cancel::part);
        part.unwrap_or_else(|| {
            let decided = self.cancel.part();
            decided.cancel();
            decided
        })
    }

    /// Takes over which properties a result decides for good.
    pub fn publish(&self, result: &VerifyResult) {
        let mut state = self.state();
        for property in &result.properties {
            if property.answer.holds != Holds::Unknown {
                if let Some((name, searches)) = state.open.remove_entry(&property.asked.name) {
                    searches.cancel();
                    state.decided.push((name, property.answer.holds));
                }
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
            Stage::Beside(most) => (until.min(begun + most), |s| s.has(Stage::is_first)),
            Stage::Late(most) => {
                drop(self.wait_while(|s| s.has(Stage::is_first), until));
                (until.min(begun + most), |s| s.has(Stage::is_early))
            }
            Stage::Last => (until, |s| s.has(|stage| *stage != Stage::Last)),
        };
        let state = self.wait_while(waits, at);
        !state.open.is_empty() && !self.cancel.is_cancelled() && Instant::now() < until
    }

    /// Waits for another engine that searches, until none of these properties is open, for this time at most: it may show more of a
    /// run.
    pub fn wait_for_engine(&self, engine: Engine, properties: &[&str], most: Duration) {
        let waits = |state: &State| {
            let open = properties.iter().any(|p| state.open.contains_key(*p));
            open && state.running.contains(&engine)
        };
        drop(self.wait_while(waits, Instant::now() + most));
    }

    /// The state when something no longer holds of it, the searches are cancelled, or the time is over.
    fn wait_while(&self, waits: impl Fn(&State) -> bool, until: Instant) -> MutexGuard<'_, State> {
        let mut state = self.state();
        while waits(&state) && !self.cancel.is_cancelled() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Records that an engine searches.
    pub(super) fn begins(&self, engine: Engine) {
        self.state().running.push(engine);
        self.changed.notify_all();
    }

    /// Records that an engine has ended, or was not started.
    pub(super) fn ends(&self, engine: Engine, stage: Stage) {
        let mut state = self.state();
        if let Some(at) = state.running.iter().position(|e| *e == engine) {
            state.running.remove(at);
        }
        if let Some(at) = state.left.iter().position(|s| *s == stage) {
            state.left.remove(at);
        }
        self.changed.notify_all();
    }

    /// Waits until all engines have ended, tells what changes, and cancels them when the time is over.
    pub(super) fn watch(&self, until: Instant, told: &dyn Fn(&News)) {
        let mut last = News::default();
        let mut state = self.state();
        while !state.left.is_empty() {
            let news = state.news();
            if news != last {
                drop(state);
                told(&news);
                last = news;
                state = self.state();
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if !state.left.is_empty() {
            self.cancel.cancel();
            self.changed.notify_all();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether an engine of such a stage has not ended.
    fn has(&self, is: fn(&Stage) -> bool) -> bool {
        self.left.iter().any(is)
    }

    fn news(&self) -> News {
        News {
            running: self.running.clone(),
            decided: self.decided.clone(),
            open: self.open.len(),
        }
    }
}
