//! Bounds of loops that the woven program does not cut itself: those of the backend's own library
//! (`strcpy` of a long string) and of evaluations of propositions.
//!
//! The bound of `--unwind` is about the program's loops, which cut themselves. Where the backend says
//! that it cut another loop, it is asked again with more iterations of that loop alone: the answer
//! stays what it would be with a greater bound for the backend, and costs less. A loop without
//! an end makes that stop, and the verdict unknown, as before.

use std::time::Instant;

use backend::{Cancel, Finished, Job, OtherKind};

use crate::run::Run;

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
