//! The step form in the place of a program without threads that proofs cannot follow.

use sequentialise::Fairness;
use verify::prove::Limits;

use super::question::{Question, Ways};
use super::{answers, beside, steps};

/// All states of the step form of a program that proofs cannot follow for this reason: where it allocates memory, say, the
/// step form has names for what is allocated.
pub fn by_steps(question: &Question, limits: &Limits, why: String) -> beside::Said {
    let asked = Question {
        until: limits.until,
        ways: Ways {
            explicit: true,
            ..Ways::default()
        },
        publishes: false,
        ..*question
    };
    let form = match steps::form(&asked) {
        Ok(Ok(form)) => form,
        Ok(Err(_)) => return Err(why),
        Err(error) => return Err(error.to_string()),
    };
    // A single thread takes a step whenever it can.
    let found = steps::answers_of(&asked, form, Fairness::None);
    found
        .map(answers::Answers::of)
        .map_err(|error| error.to_string())
}
