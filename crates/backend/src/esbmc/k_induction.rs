//! Proofs by k-induction. ESBMC looks for a k such that the assertions hold on all runs of k
//! rounds, and either no run is longer (the forward condition) or a further round after k correct
//! ones is correct (the inductive step).
//!
//! Requirements of 8.4, found by experiments: it skips unknown functions, assertions among them,
//! with a warning, and proves programs without claims; so the claims are listed first.
//! `--multi-property` would search for all violations, and proves nothing.

use std::io::Read;

use super::{output, Verdict, Work};
use crate::answer::{Failure, Finished};
use crate::capabilities::Induction;
use crate::job::Traces;

/// The text before the kind of proof.
const SOLUTION: &str = "Solution found by the ";

impl Work<'_, '_> {
    /// Proves all assertions that the job selects, with k at most `most`.
    ///
    /// # Errors
    /// Why there is no proof; violations are not reported.
    pub(super) fn k_induction(&mut self, most: u32) -> Result<Induction, Failure> {
        self.refusal().map_or(Ok(()), Err)?;
        let undecided = |message: String| Err(Failure::Undecided { message });
        if !self.features.has("--k-induction") {
            return undecided("this version of ESBMC has no k-induction".into());
        }
        if self.session.job.threads {
            return undecided("its k-induction does not follow threads".into());
        }
        if self.claims(false)?.is_empty() {
            return undecided("ESBMC sees none of the assertions".into());
        }
        let mut esbmc = self.base();
        esbmc.args(["--no-remove-unreachable", "--k-induction", "--max-k-step"]);
        esbmc.arg(most.to_string());
        let read = |out: &mut dyn Read| {
            let (mut text, mut solution) = (Vec::new(), None);
            for line in crate::text::lines(out) {
                let found = line.strip_prefix(SOLUTION).and_then(solved);
                solution = found.or(solution);
                text.extend_from_slice(line.as_bytes());
                text.push(b'\n');
            }
            (output::read(text.as_slice(), &Traces::None), solution)
        };
        let run = self.session.run(esbmc, read)?;
        let (output, solution) = run.output;
        if let Some(error) = output.errors.first() {
            let message = error.clone();
            return Err(Failure::Refused { message });
        }
        let proved = output.verdict == Some(Verdict::Successful) && output.violated.is_empty();
        match solution.filter(|_| proved && run.status.code() == Some(0)) {
            Some(found) => Ok(found),
            None => undecided(format!("no k up to {most} is enough for ESBMC")),
        }
    }
}

/// Reads `inductive step (k = 2)` or `forward condition (k = 5)`.
fn solved(text: &str) -> Option<Induction> {
    let (way, k) = text.split_once(" (k = ")?;
    let k = k.trim().strip_suffix(')')?.parse().ok()?;
    let inductive = match way {
        "inductive step" => true,
        "forward condition" => false,
        _ => return None,
    };
    Some(Induction { k, inductive })
}

impl super::Esbmc {
    /// See [`crate::Backend::k_induction`].
    pub(super) fn inducts(
        &self,
        job: &crate::Job,
        most: u32,
        cancel: &crate::Cancel,
    ) -> (Result<Induction, Failure>, Finished) {
        let mut session = crate::session::Session::new(job, cancel);
        let result = self.features().and_then(|features| {
            let mut work = Work {
                esbmc: self,
                features,
                session: &mut session,
            };
            work.k_induction(most)
        });
        (result, session.finish(Ok(crate::Answer::default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_proving_are_read() {
        let found = |k, inductive| Some(Induction { k, inductive });
        assert_eq!(solved("inductive step (k = 2)"), found(2, true));
        assert_eq!(solved("forward condition (k = 15)"), found(15, false));
        assert_eq!(solved("base case (k = 1)"), None);
        assert_eq!(solved("inductive step (k = )"), None);
    }
}
