//! Many properties of one program: in groups that are small enough for the backend, several at a time,
//! each group halved where it is too large after all.
//!
//! Properties of one group share the unrolling of the program, which is most of the cost; so a group
//! is as large as its estimated memory allows (Morse et al. 2014 ran one process for each property).

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc;

use crate::result::{AtBound, PropertyResult, Verdict, VerifyResult};

/// How properties are grouped.
#[derive(Clone, Copy, Debug)]
pub struct Grouping {
    /// Properties of a group at most; 0 leaves it to the estimate.
    pub largest: usize,
    /// Memory limit of a backend run, in MiB.
    pub memory_mib: Option<u64>,
}

/// What the scheduler asks of its surroundings, all in the thread that called it.
pub trait Host {
    /// A program with the monitors of a group, ready for the backend.
    type Woven: Send;
    /// The error that ends everything.
    type Error;

    /// Weaves the monitors of some properties into the program.
    ///
    /// # Errors
    /// What makes the whole verification fail.
    fn weave(&mut self, properties: &[usize]) -> Result<Self::Woven, Self::Error>;

    /// Keeps the results of a group. `left` is the number of properties that are still open.
    ///
    /// # Errors
    /// As above: results that cannot be kept would be lost later.
    fn finished(&mut self, result: &VerifyResult, left: usize) -> Result<(), Self::Error>;

    /// Whether the user wants an end; groups that wait are dropped then.
    fn cancelled(&self) -> bool;
}

/// Cuts properties into groups of nearly equal size. `bytes` is the size of the program with all
/// monitors, `unwind` the bound of its loops.
pub fn plan(
    properties: &[usize],
    grouping: &Grouping,
    bytes: usize,
    unwind: u32,
) -> Vec<Vec<usize>> {
    let by_memory = grouping.memory_mib.map_or(1, |limit| {
        let estimate = estimate_mib(bytes, unwind);
        usize::try_from(estimate.div_ceil(limit.max(1))).unwrap_or(usize::MAX)
    });
    let by_size = match grouping.largest {
        0 => 1,
        largest => properties.len().div_ceil(largest),
    };
    let groups = by_memory.max(by_size).clamp(1, properties.len().max(1));
    let size = properties.len().div_ceil(groups).max(1);
    properties.chunks(size).map(<[usize]>::to_vec).collect()
}

/// What a backend may need for a program, roughly: measured with CBMC on event-condition-action
/// programs, where a byte of C in a loop took about 200 bytes in each iteration. An estimate that is
/// too low costs one failed run, after which the group is halved.
pub fn estimate_mib(bytes: usize, unwind: u32) -> u64 {
    const PER_BYTE: u64 = 200;
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    bytes
        .saturating_mul(u64::from(unwind))
        .saturating_mul(PER_BYTE)
        >> 20
}

/// Verifies all groups, `jobs` at a time. A group that gets to a limit of time or memory without any
/// verdict is halved and tried again, unless it is a single property. A half that needs too much time
/// as well is given up: then it is the program that takes it.
///
/// # Errors
/// The first error of the host; groups that run are waited for.
pub fn run<H: Host>(
    groups: Vec<Vec<usize>>,
    jobs: usize,
    host: &mut H,
    verify: &(dyn Fn(&H::Woven) -> VerifyResult + Sync),
) -> Result<Vec<VerifyResult>, H::Error> {
    let (sender, receiver) = mpsc::channel();
    let mut left: usize = groups.iter().map(Vec::len).sum();
    let mut queue: VecDeque<(Vec<usize>, bool)> = groups.into_iter().map(|g| (g, false)).collect();
    let mut done = Vec::new();
    std::thread::scope(|scope| {
        let mut running = 0;
        loop {
            if host.cancelled() {
                queue.clear();
            }
            while running < jobs.max(1) {
                let Some((group, was_late)) = queue.pop_front() else {
                    break;
                };
                let woven = host.weave(&group)?;
                let sender = sender.clone();
                running += 1;
                scope.spawn(move || {
                    let result = verify(&woven);
                    // Nobody listens any more if the host failed; then the result is not wanted.
                    let _ = sender.send((group, was_late, result));
                });
            }
            if running == 0 {
                return Ok(());
            }
            let Ok((group, was_late, result)) = receiver.recv() else {
                return Ok(());
            };
            running -= 1;
            let late = timed_out(&result);
            let again = result.exhausted && group.len() > 1 && undecided(&result);
            if again && !(late && was_late) && !host.cancelled() {
                let (first, second) = group.split_at(group.len() / 2);
                queue.push_front((second.to_vec(), late));
                queue.push_front((first.to_vec(), late));
                continue;
            }
            left -= group.len();
            host.finished(&result, left)?;
            done.push(result);
        }
    })?;
    Ok(done)
}

/// Whether nothing was decided, so that smaller groups may help.
fn undecided(result: &VerifyResult) -> bool {
    result
        .properties
        .iter()
        .all(|p| p.answer.verdict == Verdict::Unknown)
}

/// Whether it was time that ran out.
fn timed_out(result: &VerifyResult) -> bool {
    let mut reasons = result
        .properties
        .iter()
        .filter_map(|p| p.answer.reason.as_ref());
    reasons.any(|reason| reason.contains("timed out"))
}

/// One result from those of the groups and from `kept`, which an earlier run found. `empty` has what
/// all of them share, and its properties are those that are wanted, without a verdict: what is not
/// found stays as it is there.
pub fn join(
    done: Vec<VerifyResult>,
    kept: Vec<PropertyResult>,
    empty: VerifyResult,
) -> VerifyResult {
    let mut joined = empty;
    let mut properties = kept;
    if let Some(first) = done.first() {
        joined.premises.unwind = first.premises.unwind;
    }
    for mut result in done {
        properties.append(&mut result.properties);
        joined.backend.runs += result.backend.runs;
        joined.backend.seconds += result.backend.seconds;
        joined.exhausted |= result.exhausted;
        extend_new(
            &mut joined.premises.assumptions,
            result.premises.assumptions,
        );
        extend_new(&mut joined.findings, result.findings);
        extend_new(&mut joined.warnings, result.warnings);
    }
    let names = properties.iter().map(|p| p.asked.name.clone());
    let place: HashMap<String, usize> = names.zip(0..).collect();
    for wanted in &mut joined.properties {
        if let Some(found) = place
            .get(&wanted.asked.name)
            .and_then(|&i| properties.get(i))
        {
            *wanted = found.clone();
        }
    }
    joined
}

/// Adds what was found at a greater bound to what is known from smaller ones. Where the greater bound
/// gave no answer, the verdict of the smaller one stays, with a note.
pub fn deepen(known: &mut VerifyResult, mut greater: VerifyResult, unwind: u32) {
    let properties = std::mem::take(&mut greater.properties);
    for mut new in properties {
        let Some(old) = known
            .properties
            .iter_mut()
            .find(|p| p.asked.name == new.asked.name)
        else {
            continue;
        };
        let mut bounds = std::mem::take(&mut old.answer.bounds);
        bounds.push(AtBound {
            unwind,
            verdict: new.answer.verdict,
        });
        if new.answer.verdict == Verdict::Unknown && old.answer.verdict != Verdict::Unknown {
            let reason = new.answer.reason.unwrap_or_default();
            old.answer.reason = Some(format!("no answer at the bound {unwind}: {reason}"));
        } else {
            new.answer.unwind = Some(unwind);
            *old = new;
        }
        old.answer.bounds = bounds;
    }
    known.backend.runs += greater.backend.runs;
    known.backend.seconds += greater.backend.seconds;
    known.exhausted |= greater.exhausted;
    known.premises.unwind = greater.premises.unwind;
    extend_new(
        &mut known.premises.assumptions,
        greater.premises.assumptions,
    );
    extend_new(&mut known.findings, greater.findings);
    extend_new(&mut known.warnings, greater.warnings);
}

fn extend_new<T: PartialEq>(all: &mut Vec<T>, new: Vec<T>) {
    for item in new {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}

#[cfg(test)]
mod tests;
