//! One question, several engines: they run side by side on one question, learn from each other which properties are
//! decided, and their answers are combined by one rule.
//!
//! An engine is a [`Search`]. It is started in its [`Stage`], tells the [`Board`] its answers as they come, and stops
//! when the board says that nothing is open any more. [`run`] is the only place that starts, waits for and ends
//! engines; [`combined`] is the only place that compares answers.

mod board;
mod combine;
mod widened;

pub use board::{Board, News};
pub use combine::{alone, beside, combined, Contradiction};
pub use widened::widened;

use crate::combine::NOT_NEEDED;
use crate::result::{Engine, VerifyResult};
use std::time::{Duration, Instant};

/// When an engine is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// At once: it often has an answer soon.
    First,
    /// When the first engines have ended, and after this time at the latest.
    Beside(Duration),
    /// When the first engines have ended, and the other engines of the stages before, too, or this time is over.
    Late(Duration),
    /// When all others have ended, if something is open then.
    Last,
}

impl Stage {
    /// Whether it is the first one.
    fn is_first(&self) -> bool {
        *self == Stage::First
    }

    /// Whether late engines wait for those of this stage.
    fn is_early(&self) -> bool {
        matches!(self, Stage::First | Stage::Beside(_))
    }
}

/// An engine with its question. `E` is an error that ends the whole question.
pub trait Search<E>: Sync {
    /// Its name; a search that has several engines has the one that it is known by.
    fn engine(&self) -> Engine;

    /// When to start it.
    fn stage(&self) -> Stage;

    /// Searches until it has an answer for every property, or no more is to be found, or the board's
    /// [`Board::cancel`] is cancelled. It tells the board each answer that decides a property.
    ///
    /// # Errors
    /// An error that the user has to mend.
    fn run(&self, board: &Board) -> Result<VerifyResult, E>;
}

/// The answer of one engine.
pub struct Answered<E> {
    /// The engine.
    pub engine: Engine,
    /// Wall-clock time from its start.
    pub took: Duration,
    /// Its result.
    pub result: Result<VerifyResult, E>,
}

/// Asks all engines for these properties, until each property is decided for good or the time is over. Engines
/// that were not started have no answer; the others' are in the order of `searches`. `told` hears what changes.
pub fn run<E: Send>(
    searches: &[&dyn Search<E>],
    properties: Vec<String>,
    until: Instant,
    told: &dyn Fn(&News),
) -> Vec<Answered<E>> {
    let stages: Vec<Stage> = searches.iter().map(|search| search.stage()).collect();
    let board = Board::new(properties, &stages);
    std::thread::scope(|scope| {
        let threads: Vec<_> = searches
            .iter()
            .filter_map(|search| {
                // Ends the engine however its thread ends, even if that cannot be started.
                let place = Place {
                    board: &board,
                    engine: search.engine(),
                    stage: search.stage(),
                };
                // Engines weave programs, whose trees may be deep.
                let builder = std::thread::Builder::new().stack_size(cfront::WALK_STACK);
                let thread = builder.spawn_scoped(scope, move || place.search(*search, until));
                thread.ok()
            })
            .collect();
        board.watch(until, told);
        let joined = threads.into_iter().filter_map(|thread| thread.join().ok());
        joined.flatten().collect()
    })
}

/// Says of properties that were not asked to the end that there was no time: where it is over, nothing else has ended the search.
fn out_of_time(result: &mut VerifyResult) {
    for property in &mut result.properties {
        let reason = &mut property.answer.reason;
        if reason.as_deref() == Some(NOT_NEEDED) {
            *reason = Some("the time was over (--budget)".to_owned());
        }
    }
}

/// The place of an engine at the board, which it leaves when it is dropped.
struct Place<'a> {
    board: &'a Board,
    engine: Engine,
    stage: Stage,
}

impl Place<'_> {
    /// Searches, when its stage has come, if there is anything to do then.
    fn search<E>(self, search: &dyn Search<E>, until: Instant) -> Option<Answered<E>> {
        if !self.board.wait_for(self.stage, until) {
            return None;
        }
        let begun = Instant::now();
        self.board.begins(self.engine);
        let mut result = search.run(self.board);
        if let Ok(result) = &mut result {
            if Instant::now() >= until {
                out_of_time(result);
            }
            self.board.publish(result);
        }
        Some(Answered {
            engine: self.engine,
            took: begun.elapsed(),
            result,
        })
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.board.ends(self.engine, self.stage);
    }
}

#[cfg(test)]
mod tests;
