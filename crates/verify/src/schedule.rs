//! The schedule of a run by rounds: the steps that carry it in a trace, and its description in
//! words.

use crate::result::{Context, LoopRests, PropertyResult, RestsOn, Starved, Stop, Threads};

/// The step with which a thread's context begins; its number is the round.
pub const ROUND: &str = "ba_context_begins";
/// The step with which a context ends: where the thread stands and what it would do next; the
/// number is 1 if the thread is cut.
pub const STOPPED: &str = "ba_context_stops";
/// The step that says how many positions at the line where a context ends the thread may have
/// passed in it; before [`STOPPED`].
pub const PASSED: &str = "ba_context_passes";
/// The step that names a created thread's function and the place of its creation; its thread is the
/// created one.
pub const CREATED: &str = "ba_thread_created";
/// The step that says where a thread goes on, with the source text there.
pub const STEPPED: &str = "ba_thread_steps";
/// The step that says where a thread is blocked for ever, with the source text there.
pub const BLOCKED: &str = "ba_thread_blocked";
/// The step that says which thread holds the lock for which the last of [`BLOCKED`] waits, and where it took it.
pub(crate) const HELD: &str = "ba_thread_holds";
/// The step that says at which wait of the program a thread is blocked for ever.
pub const WAITING: &str = "ba_context_waits";

/// The step at which the state is saved: the loop of a lasso begins.
pub const LOOP: &str = "ba_loop_begins";
/// The step that names a thread without steps in the loop, and where it stands; the number is 1 if
/// the thread may wait there, 2 if it goes round a loop meanwhile.
pub const STARVES: &str = "ba_loop_starves";
/// The step that names an assumption of the loop and the thread concerned; the number is that of a
/// [`RestsOn`].
pub const RESTS: &str = "ba_loop_rests";

/// The most turns of threads that are told: the first and the last ones.
const TURNS: (usize, usize) = (8, 12);

/// The sentences about a run's contexts, of which those in the middle are counted if there are many.
fn turns(contexts: Vec<String>) -> Vec<String> {
    let (first, last) = TURNS;
    let left_out = contexts.len().saturating_sub(first + last);
    if left_out < 2 {
        return contexts;
    }
    let behind = contexts[first + left_out..].iter().cloned();
    let before = contexts[..first].iter().cloned();
    before
        .chain([format!("then there are {left_out} more turns")])
        .chain(behind)
        .collect()
}

/// A sentence for each context of a run: the thread, the round, and where it stops.
fn contexts(contexts: &[Context], threads: &Threads) -> Vec<String> {
    let told = contexts.iter().enumerate().map(|(number, c)| {
        let before = contexts[..number].iter().rfind(|b| b.thread == c.thread);
        let back = c.repeats && before.is_some_and(|b| b.stopped == c.stopped);
        let who = threads.name(c.thread);
        let round = match c.round {
            0 if c.repeats => "in the loop".to_owned(),
            0 if number > 0 => "then".to_owned(),
            0 => "first".to_owned(),
            round if c.repeats => format!("round {round}, in the loop"),
            round => format!("round {round}"),
        };
        match &c.stopped {
            Some(Stop { file, line, what }) => {
                let runs = if back {
                    "goes round and comes back to"
                } else {
                    "runs to"
                };
                format!("{round}: {who} {runs} {file}:{line}{}", behind(what))
            }
            None if c.cut => format!("{round}: {who} runs to the bound of a loop or recursion"),
            None => format!("{round}: {who} runs to its end"),
        }
    });
    told.collect()
}

/// The text after a place: the next step, or nothing if it is unknown.
fn behind(what: &str) -> String {
    match what.is_empty() {
        true => String::new(),
        false => format!("; {what}"),
    }
}

/// A sentence for each thread without steps in the loop of a lasso, with the reason.
fn starved(starved: &[Starved], threads: &Threads) -> Vec<String> {
    let told = starved.iter().map(|s| {
        let (who, Stop { file, line, what }) = (threads.name(s.thread), &s.stop);
        match s.waits {
            true if s.spins => {
                format!("{who} goes round its wait at {file}:{line} for ever{}", behind(what))
            }
            true => format!("{who} waits at {file}:{line} for ever{}", behind(what)),
            false => format!(
                "{who} could go on at {file}:{line} and never runs{} (--fairness weak leaves such runs out)",
                behind(what)
            ),
        }
    });
    told.collect()
}

/// A sentence for each assumption of the loop of a lasso.
fn rests_on(rests: &[LoopRests], threads: &Threads) -> Vec<String> {
    let told = rests.iter().map(|r| {
        let who = threads.name(r.thread);
        match r.on {
            RestsOn::Order => format!("this rests on the order in which threads are served, which is any: {who} could go on at some moments of the loop, and others are faster (--fairness strong leaves such runs out)"),
            RestsOn::AnyWaiter => format!("this rests on a condition variable that wakes anyone: {who} signals in the loop while several threads wait, and who is never woken is no case for fairness"),
            RestsOn::SpuriousWakeup => format!("this rests on spurious wakeups: {who} wakes in the loop without a signal"),
            RestsOn::Timeout => format!("this rests on timed waits: in the loop the time of {who} is over"),
        }
    });
    told.collect()
}

/// All sentences about a run's schedule: the turns, what threads wait for at its end, the threads
/// without steps in its loop, and the assumptions of the loop.
pub fn sentences(of: &PropertyResult) -> Vec<String> {
    let run = &of.run;
    let threads = &run.threads;
    let waits = crate::holders::sentences(&run.trace, threads);
    let told = turns(contexts(&run.contexts, threads))
        .into_iter()
        .chain(waits);
    told.chain(starved(&run.starved, threads))
        .chain(rests_on(&run.rests_on, threads))
        .collect()
}

/// Whether a step is one of those above.
pub(crate) fn is_told(name: &str) -> bool {
    [
        ROUND, PASSED, STOPPED, CREATED, WAITING, STEPPED, BLOCKED, HELD, LOOP, STARVES, RESTS,
    ]
    .contains(&name)
}
