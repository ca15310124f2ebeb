//! Proofs by the k-induction of a model checker, for formulas whose violations all have a bad
//! prefix.
//!
//! At each head, and at ends of runs, two assertions are checked: the monitor is not in a state
//! from which no continuation satisfies the formula, and the stuttering word does not violate the
//! formula. If both hold on runs of any length, no run violates the formula: an infinite run whose
//! letters change for ever has no bad prefix, and a run whose letters stop changing reaches a head
//! with its stuttering word.

use std::fmt::Write;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, Job, Outcome as Answered};
use induction::emit::PREFIX;
use induction::Kind;
use weave::check;

use super::search::Search;
use super::system::{system, DEPTHS};
use super::{Limits, Outcome, Proof, Task, Used};
use crate::job::job_for;

/// The greatest k.
const MOST: u32 = 8;
/// The bound of the search for a run that reaches a head or its end.
const ROUNDS: u32 = 3;

/// Looks for a proof. A `helper` first shows invariants, which are then assumed at heads.
pub fn prove(
    task: &Task,
    backend: &dyn Backend,
    helper: Option<&dyn Backend>,
    limits: &Limits,
    cancel: &Cancel,
) -> (Outcome, Used) {
    let mut used = Used::default();
    let mut shown = Vec::new();
    let found = match helper {
        None => found(task, backend, &[], limits, cancel, &mut used),
        Some(helper) => {
            let helped = helped(task, backend, helper, limits, cancel, &mut used);
            helped.map(|(k, invariants)| {
                shown = invariants;
                k
            })
        }
    };
    let outcome = match found {
        Ok(k) => Outcome::Proved(Box::new(Proof {
            k,
            invariants: shown,
            ..Proof::default()
        })),
        Err(why) => Outcome::Open(why, Vec::new()),
    };
    (outcome, used)
}

/// The invariants of each head, by the head's place.
type Shown = Vec<(String, Vec<String>)>;

/// The k that suffices with invariants of `helper`, and these invariants.
fn helped(
    task: &Task,
    backend: &dyn Backend,
    helper: &dyn Backend,
    limits: &Limits,
    cancel: &Cancel,
    used: &mut Used,
) -> Result<(u32, Shown), String> {
    suits(task)?;
    let told = |_: &str| {};
    let mut search = Search::new(task, helper, limits, cancel, &told)?;
    let settled = search.shows();
    used.runs += search.used.runs;
    used.seconds += search.used.seconds;
    settled?;
    let k = found(task, backend, &search.conditions(), limits, cancel, used)?;
    Ok((k, search.shown()))
}

/// The k that suffices, or why there is no proof. The conditions of `known` hold at the heads with
/// these numbers.
fn found(
    task: &Task,
    backend: &dyn Backend,
    known: &[(usize, String)],
    limits: &Limits,
    cancel: &Cancel,
    used: &mut Used,
) -> Result<u32, String> {
    suits(task)?;
    let mut count = |usage: backend::Usage| {
        used.runs += usage.runs;
        used.seconds += usage.seconds;
    };
    let asserted = check::FALSE | check::PRESUMABLY_FALSE | check::INTERNAL | check::CUT;
    let mut job = job(task, "reaches.c", &reaches(task), check::END, limits)?;
    job.unwind = Some(ROUNDS);
    job.unwinding_assertions = false;
    let finished = backend.run(&job, cancel);
    count(finished.usage);
    let answer = finished.result.map_err(|failure| failure.to_string())?;
    if !answer.outcomes.values().any(|o| *o == Answered::Fails) {
        return Err("no run comes to its end or to a loop".into());
    }
    let job = self::job(
        task,
        "k-induction.c",
        &heads(task, known)?,
        asserted,
        limits,
    )?;
    let (proof, usage) = backend.k_induction(&job, MOST, cancel);
    count(usage);
    match proof.map_err(|failure| failure.to_string())? {
        // ESBMC's inductive step starts from any values of what a loop changes by its name: what the loop stores through a pointer
        // keeps the value that it had before.
        step if step.inductive && task.hints.loops.stores => Err(
            "the inductive step does not follow what the program stores through pointers".into(),
        ),
        proof => Ok(proof.k),
    }
}

/// Checks that k-induction applies to the task; the error says why it does not.
fn suits(task: &Task) -> Result<(), String> {
    let [judged] = task.heads.judged.as_slice() else {
        return Err("a proof is looked for one property at a time".into());
    };
    if judged.run.is_some() {
        return Err(
            "k-induction proves only formulas of which every violation has a prefix".into(),
        );
    }
    let record = &task.record;
    if !record.infix.is_empty() || record.properties.iter().any(|p| p.monitor == "buchi") {
        return Err("the formula's monitor guesses".into());
    }
    let entered = task.heads.heads.iter().any(|h| h.entered);
    if entered || task.hints.loops.entered {
        return Err("a jump or a `case` leads into a loop".into());
    }
    if !task.heads.recursive.is_empty() {
        return Err("k-induction does not follow recursive functions".into());
    }
    let system = system(&task.heads, judged, &task.text, &task.added, DEPTHS[0])?;
    match system.variables.iter().find(|v| v.kind == Kind::Pointer) {
        Some(pointer) => Err(format!(
            "k-induction does not forget where `{}` points",
            pointer.name
        )),
        None => Ok(()),
    }
}

fn job(task: &Task, name: &str, prologue: &str, mask: u32, limits: &Limits) -> Result<Job, String> {
    let path = task.directory.join(name);
    std::fs::write(&path, prologue.to_owned() + &task.text).map_err(|e| e.to_string())?;
    let mut job = job_for(&task.record, path);
    job.defines = vec![("BA_CHECK".into(), mask.to_string())];
    job.memory_mib = limits.memory_mib;
    let left = limits
        .until
        .map(|u| u.saturating_duration_since(Instant::now()));
    if left.is_some_and(|l| l < Duration::from_millis(50)) {
        return Err("the time is over".into());
    }
    job.timeout = [left, limits.timeout].into_iter().flatten().min();
    Ok(job)
}

/// Leaves static locals as they are.
fn statics(task: &Task) -> String {
    let mut out = String::new();
    for local in &task.heads.static_locals {
        let _ = writeln!(out, "#define BA_STATIC_{}(ba_name)", local.number);
    }
    out
}

/// The text before the program for asking whether heads are reachable.
fn reaches(task: &Task) -> String {
    let mut out = statics(task);
    for head in &task.heads.heads {
        let site = head.site;
        let _ = writeln!(
            out,
            "#define BA_HEAD_{site}(ba_count) {{ BA_ASSERT(0, \"{PREFIX}arrives:{site}\"); }}"
        );
    }
    out
}

/// The text before the program that asserts at heads that nothing is violated, and assumes the
/// known conditions.
fn heads(task: &Task, known: &[(usize, String)]) -> Result<String, String> {
    let [judged] = task.heads.judged.as_slice() else {
        return Err("a proof is looked for one property at a time".into());
    };
    let system = system(&task.heads, judged, &task.text, &task.added, DEPTHS[0])?;
    let mut out = system.declarations;
    for head in &task.heads.heads {
        let site = head.site;
        let here = known.iter().filter(|(at, _)| *at == site);
        let assumed: String = here
            .map(|(_, condition)| format!("BA_ASSUME({condition}); "))
            .collect();
        let _ = writeln!(
            out,
            "#define BA_HEAD_{site}(ba_count) {{ {}{} {assumed}BA_ASSERT(!({}), \"{PREFIX}forbidden:{site}\"); BA_ASSERT(!({}), \"{PREFIX}stutters:{site}\"); }}",
            system.arrive, judged.reads, judged.certain, judged.stuttering
        );
    }
    Ok(out)
}
