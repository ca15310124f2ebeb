//! The schedule of a run by rounds, as the steps of its trace tell it.

use crate::result::{Context, LoopRests, PropertyResult, RestsOn, Starved, Stop, Threads};

/// The name of a step with which a thread's context begins; its number is the round.
pub const ROUND: &str = "ba_context_begins";
/// The name of one with which it ends: where the thread stands then, and what it would do next; its
/// number is 1 if the thread is cut.
pub const STOPPED: &str = "ba_context_stops";
/// The name of one that says which function a thread begins with, and where it is created; its thread is the one that is
/// created.
pub const CREATED: &str = "ba_thread_created";
/// The name of one that says where a thread waits for good.
pub const WAITING: &str = "ba_context_waits";

/// The name of one that says that the state is saved: the loop of a lasso begins.
pub const LOOP: &str = "ba_loop_begins";
/// The name of one that says which thread takes no step in the loop, and where it stands; its number is
/// 1 if it may wait there.
pub const STARVES: &str = "ba_loop_starves";
/// The name of one that says what the loop rests on, and of which thread that is said; its number is that of a
/// [`RestsOn`].
pub const RESTS: &str = "ba_loop_rests";

/// A sentence for each context of a run: who runs in which round, and where it stops.
fn contexts(contexts: &[Context], threads: &Threads) -> Vec<String> {
    let told = contexts.iter().map(|c| {
        let who = threads.name(c.thread);
        let round = match c.round {
            0 => "first".to_owned(),
            round if c.repeats => format!("round {round}, in the loop"),
            round => format!("round {round}"),
        };
        match &c.stopped {
            Some(Stop { file, line, what }) => {
                format!("{round}: {who} runs to {file}:{line}{}", behind(what))
            }
            None if c.cut => format!("{round}: {who} runs to the bound of a loop or recursion"),
            None => format!("{round}: {who} runs to its end"),
        }
    });
    told.collect()
}

/// What follows a place: nothing where it cannot be said what comes next.
fn behind(what: &str) -> String {
    match what.is_empty() {
        true => String::new(),
        false => format!("; {what}"),
    }
}

/// A sentence for each thread that takes no step in the loop of a lasso, and on what that rests.
fn starved(starved: &[Starved], threads: &Threads) -> Vec<String> {
    let told = starved.iter().map(|s| {
        let (who, Stop { file, line, what }) = (threads.name(s.thread), &s.stop);
        match s.waits {
            true => format!("{who} never goes on at {file}:{line}{}", behind(what)),
            false => format!(
                "{who} could go on at {file}:{line} and never runs{} (--fairness weak leaves such runs out)",
                behind(what)
            ),
        }
    });
    told.collect()
}

/// A sentence for each thing that the loop of a lasso rests on.
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

/// All that is to be said of a run's schedule, a sentence each: the turns, what threads wait for at its end, who takes no
/// step in its loop, and on what that rests.
pub fn sentences(of: &PropertyResult) -> Vec<String> {
    let run = &of.run;
    let threads = &run.threads;
    let waits = crate::holders::sentences(&run.trace, threads);
    let told = contexts(&run.contexts, threads).into_iter().chain(waits);
    told.chain(starved(&run.starved, threads))
        .chain(rests_on(&run.rests_on, threads))
        .collect()
}

/// Whether a step is one of these.
pub(crate) fn is_told(name: &str) -> bool {
    [ROUND, STOPPED, CREATED, WAITING, LOOP, STARVES, RESTS].contains(&name)
}
