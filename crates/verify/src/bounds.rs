//! Bounds of loops that the woven program does not cut itself: those of the backend's own library
//! (`strcpy` of a long string) and of evaluations of propositions.
//!
//! The bound of `--unwind` is about the program's loops, which cut themselves. Where the backend says
//! that it cut another loop, it is asked again with more iterations of that loop alone: the answer
//! stays what it would be with a greater bound for the backend, and costs less. A loop without
//! an end makes that stop, and the verdict unknown, as before.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use backend::{Cancel, Finished, Job, OtherKind};

use crate::levels::Run;

/// How much greater each next bound of a loop is.
const FACTOR: u32 = 4;

/// A loop that was followed so often and goes on has perhaps no end: it is not followed further.
const ENOUGH: u32 = 256;

/// Bounds of single loops that turned out to be needed, by the backend's names for these loops.
#[derive(Debug, Default)]
pub(crate) struct Needed(Mutex<BTreeMap<String, u32>>);

impl Needed {
    fn all(&self) -> Vec<(String, u32)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|(name, n)| (name.clone(), *n)).collect()
    }

    /// Raises the bounds of some loops, which were `first` or are known; whether one could be raised.
    fn raise(&self, loops: Vec<String>, first: u32) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut raised = false;
        for name in loops {
            let bound = known.entry(name).or_insert(first);
            if *bound < ENOUGH {
                *bound = bound.saturating_mul(FACTOR);
                raised = true;
            }
        }
        raised
    }
}

/// Runs a job, and again with greater bounds as long as the backend cuts loops on its own. All runs
/// together have the time of one; where it is over, the answer is the last one that there was.
pub(crate) fn ask(run: &Run, mut job: Job, cancel: &Cancel) -> Finished {
    let (begin, limit) = (Instant::now(), job.timeout);
    job.unwindset.extend(run.needed.all());
    let mut finished = run.backend.run(&job, cancel);
    while let Some(loops) = cut(run, &finished).filter(|loops| !loops.is_empty()) {
        if !run.needed.raise(loops, job.unwind.unwrap_or(1)) {
            break;
        }
        job.unwindset = run.needed.all();
        job.timeout = limit.map(|limit| limit.saturating_sub(begin.elapsed()));
        if job.timeout.is_some_and(|left| left.is_zero()) {
            break;
        }
        let mut next = run.backend.run(&job, cancel);
        next.usage.add(finished.usage);
        if next.result.is_err() {
            finished.usage = next.usage;
            break;
        }
        finished = next;
    }
    finished
}

/// The loops that the backend cut on its own, by its names; nothing if it has no such names.
fn cut(run: &Run, finished: &Finished) -> Option<Vec<String>> {
    let answer = finished.result.as_ref().ok()?;
    let failures = answer.other_failures.iter();
    let cuts = failures.filter(|o| o.kind == OtherKind::Unwinding);
    Some(cuts.filter_map(|o| run.backend.cut_loop(o)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow_up_to_a_limit() {
        let needed = Needed::default();
        assert!(needed.raise(vec!["f.0".into()], 7));
        assert_eq!(needed.all(), [("f.0".to_string(), 28)]);
        while needed.raise(vec!["f.0".into()], 7) {}
        assert_eq!(needed.all(), [("f.0".to_string(), 448)]);
        assert!(needed.raise(vec!["f.0".into(), "g.1".into()], 7));
        assert_eq!(needed.all()[1], ("g.1".to_string(), 28));
    }
}
