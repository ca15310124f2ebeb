//! Raises bounds of loops that the woven program does not cut itself: loops of the backend's own
//! library (`strcpy` of a long string) and of evaluations of propositions.
//!
//! The bound of `--unwind` is for the program's loops, which cut themselves. When the backend
//! reports that it cut another loop, `verify` asks again with a greater bound for that loop alone:
//! the answer is the same as with a greater bound for all loops, and costs less. A loop without end
//! makes this stop, and the verdict stays unknown.

use std::time::Instant;

use backend::{Cancel, Finished, Job, OtherKind};

use crate::run::Run;

/// Runs a job, and repeats it with greater bounds while the backend cuts loops on its own. All runs
/// share the time limit of one; when it is over, the last answer counts.
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

/// The loops that the backend cut on its own, by its names; `None` if the run has no answer.
fn cut(run: &Run, finished: &Finished) -> Option<Vec<String>> {
    let answer = finished.result.as_ref().ok()?;
    let failures = answer.other_failures.iter();
    let cuts = failures.filter(|o| o.kind == OtherKind::Unwinding);
    Some(cuts.filter_map(|o| run.backend.cut_loop(o)).collect())
}
