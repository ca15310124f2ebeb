//! Verifies many properties of one program in groups that are small enough for the backend, several
//! groups at a time. A group that proves too large is halved.
//!
//! The properties of a group share the unrolling of the program, which is most of the cost, so a
//! group is as large as its estimated memory allows (Morse et al. 2014 ran one process per
//! property).

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc;

use crate::result::{AtBound, Premises, PropertyResult, Schedules, Verdict, VerifyResult};
use crate::run::is_about_schedules;

/// How properties are grouped.
#[derive(Clone, Copy, Debug)]
pub struct Grouping {
    /// The greatest number of properties in a group; 0 leaves it to the estimate.
    pub largest: usize,
    /// Memory limit of the model checkers and searches that run at a time, together, in MiB.
    pub memory_mib: Option<u64>,
}

/// The operations that the scheduler needs; all are called in the caller's thread.
pub trait Host {
    /// A program with the monitors of a group, ready for the backend.
    type Woven: Send;
    /// An error that ends the whole verification.
    type Error;

    /// Weaves the monitors of some properties into the program.
    ///
    /// # Errors
    /// If the whole verification must fail.
    fn weave(&mut self, properties: &[usize]) -> Result<Self::Woven, Self::Error>;

    /// Stores the results of a group. `left` is the number of properties that are still open.
    ///
    /// # Errors
    /// If the results cannot be stored, since they would be lost.
    fn finished(&mut self, result: &VerifyResult, left: usize) -> Result<(), Self::Error>;

    /// Whether the user asked to stop; waiting groups are then dropped.
    fn cancelled(&self) -> bool;
}

/// Splits properties into groups of nearly equal size. `bytes` is the size of the program with all
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

/// A rough estimate of a backend's memory, in MiB, measured with CBMC on event-condition-action
/// programs: a byte of C in a loop took about 200 bytes in each iteration. If the estimate is too
/// low, one run fails and the group is halved.
pub fn estimate_mib(bytes: usize, unwind: u32) -> u64 {
    const PER_BYTE: u64 = 200;
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    bytes
        .saturating_mul(u64::from(unwind))
        .saturating_mul(PER_BYTE)
        >> 20
}

/// Verifies all groups, `jobs` at a time. A group of several properties that reaches a limit of
/// time or memory without any verdict is halved and tried again. A half that also times out is
/// given up: then the program itself takes the time.
///
/// # Errors
/// The first error of the host, after running groups have ended.
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
                    // The receiver is gone if the host failed; then the result is not needed.
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

/// Whether no property was decided, so that smaller groups may help.
fn undecided(result: &VerifyResult) -> bool {
    result
        .properties
        .iter()
        .all(|p| p.answer.verdict == Verdict::Unknown)
}

/// Whether the time limit was reached.
fn timed_out(result: &VerifyResult) -> bool {
    let mut reasons = result
        .properties
        .iter()
        .filter_map(|p| p.answer.reason.as_ref());
    reasons.any(|reason| reason.contains("timed out"))
}

/// Joins the results of the groups with `kept`, the results of an earlier run. `empty` has the
/// fields that all results share, and the wanted properties without verdicts; a property without a
/// result stays as it is there.
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

/// Adds results at a greater bound to known results. If the greater bound gave no answer, the known
/// verdict stays, with a note; a violation that rests on undefined behaviour is one, and a later one of which nobody has checked
/// whether it does adds nothing to it.
pub fn deepen(known: &mut VerifyResult, mut greater: VerifyResult, unwind: u32) {
    let properties = std::mem::take(&mut greater.properties);
    let (mut kept, mut replaced) = (false, false);
    for mut new in properties {
        let Some(old) = known
            .properties
            .iter_mut()
            .find(|p| p.asked.name == new.asked.name)
        else {
            continue;
        };
        let mut bounds = std::mem::take(&mut old.answer.bounds);
        let rests = new.is_no_better_than(old);
        let verdict = match rests {
            true => Verdict::Unknown,
            false => new.answer.verdict,
        };
        bounds.push(AtBound { unwind, verdict });
        let answers = verdict != Verdict::Unknown || new.is_doubted();
        if rests || !answers && old.is_doubted() {
            // It keeps its reason, the place of what is undefined.
            kept = true;
        } else if !answers && old.answer.verdict != Verdict::Unknown {
            let reason = new.answer.reason.unwrap_or_default();
            old.answer.reason = Some(format!("no answer at the bound {unwind}: {reason}"));
            kept = true;
        } else {
            replaced |= answers;
            new.answer.unwind = Some(unwind);
            *old = new;
        }
        old.answer.bounds = bounds;
    }
    known.backend.runs += greater.backend.runs;
    known.backend.seconds += greater.backend.seconds;
    known.exhausted |= greater.exhausted;
    known.premises.unwind = greater.premises.unwind;
    let others = match (kept, replaced) {
        (_, false) => false,
        (false, true) => true,
        (true, true) => is_fewer(greater.premises.schedules, known.premises.schedules),
    };
    join_premises(&mut known.premises, greater.premises, others);
    extend_new(&mut known.findings, greater.findings);
    extend_new(&mut known.warnings, greater.warnings);
}

/// Joins what two searches rest on. A result states one set of schedules: with `others` that of
/// the other search, and without the assumption about those that it does not state.
fn join_premises(known: &mut Premises, mut other: Premises, others: bool) {
    let left_out = match others {
        true => {
            known.schedules = other.schedules;
            &mut known.assumptions
        }
        false => &mut other.assumptions,
    };
    left_out.retain(|assumption| !is_about_schedules(assumption));
    extend_new(&mut known.assumptions, other.assumptions);
}

/// Whether the first are fewer schedules than the second. What is found in them is found in the
/// second, too, so that answers of both rest on the first.
fn is_fewer(first: Option<Schedules>, second: Option<Schedules>) -> bool {
    match (first, second) {
        (Some(Schedules::Rounds(first)), Some(Schedules::Rounds(second))) => first < second,
        (Some(Schedules::Rounds(_)), _) => true,
        _ => false,
    }
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
