//! Proofs by the k-induction of a model checker that has one, for formulas of which every violation has a prefix that
//! is one.
//!
//! At each head, and at ends of runs, two things are asserted: the monitor is not in a state that nothing continues
//! to satisfaction, and the word that stays as it is for ever does not violate the formula. If all of that holds on runs of
//! any length, then no run violates the formula: one along which letters change for ever has no
//! bad prefix, and one along which they stop changing comes to a head with the word that stays.

use std::fmt::Write;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, Job, Outcome as Answered};
use induction::emit::PREFIX;
use induction::Kind;
use weave::check;

use super::search::Search;
use super::system::system;
use super::{Limits, Outcome, Proof, Task, Used};

/// The greatest k.
const MOST: u32 = 8;
/// So many rounds are looked at to see that some run comes to a head or to its end.
const ROUNDS: u32 = 3;

/// Looks for a proof. Where there is a `helper`, it shows invariants first, which are then assumed at heads.
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

/// The invariants of each head, by its place.
type Shown = Vec<(String, Vec<String>)>;

/// The rounds that suffice with invariants that `helper` shows, and these.
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

/// The rounds that suffice, or why there is no proof. What is `known` holds at the head with the number.
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
    proof.map(|p| p.k).map_err(|failure| failure.to_string())
}

/// The error is why it is not tried.
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
    if task.hints.enters_loop {
        return Err("a `case` leads into a loop".into());
    }
    if !task.heads.recursive.is_empty() {
        return Err("k-induction does not follow recursive functions".into());
    }
    let system = system(&task.heads, judged, &task.text, &task.added)?;
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
    let mut job = Job::new(path);
    job.defines = vec![("BA_CHECK".into(), mask.to_string())];
    job.dialect.clone_from(&task.record.dialect);
    job.outside.clone_from(&task.record.outside);
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

/// Static locals keep their own values.
fn statics(task: &Task) -> String {
    let mut out = String::new();
    for local in &task.heads.static_locals {
        let _ = writeln!(out, "#define BA_STATIC_{}(ba_name)", local.number);
    }
    out
}

/// The text in front of the program that asks whether heads are reached.
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

/// The text in front of the program that asserts that nothing is violated at heads, and assumes there what is known.
fn heads(task: &Task, known: &[(usize, String)]) -> Result<String, String> {
    let [judged] = task.heads.judged.as_slice() else {
        return Err("a proof is looked for one property at a time".into());
    };
    let system = system(&task.heads, judged, &task.text, &task.added)?;
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
