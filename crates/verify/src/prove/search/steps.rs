//! The ways to invariants, in the order in which they are tried.

use std::time::{Duration, Instant};

use induction::candidates::Stage;

use super::ways::{Allowance, Combine, Share};
use super::Search;
use crate::prove::{Outcome, Proof};

/// A way to more invariants.
#[derive(Clone, Copy)]
enum Step {
    Guess(Stage),
    Combine(Combine),
    Strengthen(Share),
    Define,
}

impl Step {
    /// Whether inductions with a greater k follow it.
    fn deepens(self) -> bool {
        matches!(self, Step::Guess(Stage::Phased | Stage::Guarded))
    }
}

/// The ways in the order in which they are tried.
const STEPS: [Step; 15] = [
    Step::Guess(Stage::Plain),
    Step::Guess(Stage::Placed),
    Step::Guess(Stage::Sums),
    Step::Guess(Stage::Elements),
    Step::Guess(Stage::Arrays),
    Step::Guess(Stage::Modes),
    Step::Combine(Combine::Few),
    Step::Define,
    Step::Guess(Stage::Phased),
    Step::Strengthen(Share::Little),
    Step::Guess(Stage::Guarded),
    Step::Strengthen(Share::Part),
    Step::Combine(Combine::Many),
    Step::Combine(Combine::Conditions),
    Step::Strengthen(Share::All),
];

/// The first of them that are tried for runs whose beginning is followed: there are many such beginnings.
const PLAIN: usize = 5;

impl Search<'_> {
    pub(super) fn stages(&mut self) -> Result<Outcome, String> {
        let mut why = String::new();
        let steps = match self.task.skips {
            0 => &STEPS[..],
            _ => &STEPS[..PLAIN],
        };
        for &step in steps {
            match step {
                Step::Define if self.assumes_defined => break,
                // What is left is a bound of a counter, which the dearer steps do not find either.
                Step::Combine(_) if self.of_defined.is_some() => break,
                _ => {}
            }
            match self.at(step) {
                Ok(None) => {}
                Ok(Some(Ok(proof))) => return Ok(Outcome::Proved(Box::new(proof))),
                Ok(Some(Err(resists))) => why = resists,
                // What resisted before says more than the end of the time.
                Err(ended) if !why.is_empty() => {
                    return Err(format!("{}; then {ended}", self.resisting(why)))
                }
                Err(ended) => return Err(ended),
            }
        }
        Ok(Outcome::Open(self.resisting(why), self.shown()))
    }

    /// Runs one step of the search. The inner error names the obligation that resists; there is none where the step
    /// adds no invariant, so that what resisted resists again.
    fn at(&mut self, step: Step) -> Result<Option<Result<Proof, String>>, String> {
        let said = match step {
            Step::Guess(stage) => self.invariants_of(stage)?,
            Step::Combine(combine) => self.tried(|search| search.combine(combine))?,
            Step::Strengthen(share) => return self.strengthen(share),
            Step::Define => return self.of_defined_runs().map(|()| None),
        };
        let Some(said) = said else {
            return Ok(None);
        };
        let shown = match self.obligations(&said) {
            Err(why) if !step.deepens() => Err(why),
            Err(why) => self.deeper().map_err(|_| why).map(|k| self.k = k),
            Ok(()) => {
                self.k = 1;
                Ok(())
            }
        };
        match shown {
            Err(why) => Ok(Some(Err(why))),
            Ok(()) => self.infinite(&said).map(Some),
        }
    }

    /// Tries something that may be too hard: what was shown before stays, and no question may use all of the time.
    pub(super) fn tried<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<Option<T>, String>,
    ) -> Result<Option<T>, String> {
        let before = self.claims.clone();
        self.unsettle();
        self.patient = false;
        let found = step(self);
        self.patient = true;
        match found {
            Ok(Some(found)) => return Ok(Some(found)),
            Err(ended) if self.is_over() => return Err(ended),
            Ok(None) | Err(_) => {}
        }
        self.claims = before;
        self.settled = true;
        Ok(None)
    }

    /// What a step may use from now on.
    pub(super) fn allowed(&self, share: Share) -> Allowance {
        let part = |part| Some(Instant::now() + self.left()? / part);
        Allowance {
            questions: share.questions().map(|most| self.asked + most),
            until: share.part().and_then(part),
        }
    }

    /// Whether a step has used what it may use.
    pub(super) fn exceeds(&self, allowed: Allowance) -> bool {
        allowed.questions.is_some_and(|most| self.asked >= most)
            || allowed.until.is_some_and(|until| Instant::now() > until)
    }

    pub(super) fn is_over(&self) -> bool {
        self.has_no_time() || self.has_no_question() || self.cancel.is_cancelled()
    }

    pub(super) fn has_no_question(&self) -> bool {
        self.limits.questions.is_some_and(|all| self.asked >= all)
    }

    pub(super) fn has_no_time(&self) -> bool {
        self.left().is_some_and(|l| l < Duration::from_millis(50))
    }

    /// Why the search ended.
    pub(super) fn ended(&self) -> &'static str {
        match (self.has_no_time(), self.has_no_question()) {
            (true, _) => "the time is over",
            (false, true) => "all its questions were asked",
            (false, false) => "it was interrupted",
        }
    }

    pub(super) fn left(&self) -> Option<Duration> {
        let until = self.limits.until?;
        Some(until.saturating_duration_since(Instant::now()))
    }
}
