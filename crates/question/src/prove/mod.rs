//! Answers for all runs of any length: by induction, by visiting all states, by the step form of threaded programs.

mod answers;
mod beside;
mod explicit;
pub mod origin;
mod question;
mod search;
mod stand_in;
pub mod steps;
mod turns;

pub use explicit::GET_SPIN;
pub use question::{Certify, Question, Ways, STATES};
use verify::result::VerifyResult;

/// Answers for all properties of a program without threads that are open.
///
/// # Errors
/// If a program or a file cannot be written, or a proof and a violation of one property are found.
pub fn answers(question: &Question) -> anyhow::Result<VerifyResult> {
    question::answers(question, Some(stand_in::by_steps))
}

/// As [`answers`], about a program with more runs than the one that is asked about: its own form in steps is not searched.
///
/// # Errors
/// As [`answers`].
pub fn of_any_memory(question: &Question) -> anyhow::Result<VerifyResult> {
    question::answers(question, None)
}
