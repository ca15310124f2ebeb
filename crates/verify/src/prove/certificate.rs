//! A proof as a C program: the woven text after definitions that make the invariants and ranking
//! functions assertions, which one run of the model checker decides.
//!
//! The file ends with the argument in a comment: the program and its specification as they were given, and hints (invariants, edges,
//! ranking functions). A check weaves the program again and makes the whole text again from it and the hints, so that nothing but the hints
//! is believed, and these are asserted: the text has to be the file's, all assertions must hold, and the argument over the graph of edges must
//! exclude all infinite paths.

use std::collections::{BTreeMap, BTreeSet};

use backend::{Answer, Backend, Cancel, OtherKind, Outcome as Answered};
use induction::emit::{self, Pattern, Queries};
use induction::houdini::{Candidate, Claim, Houdini};
use induction::ranking::{Argument, Change, Edge};
use induction::System;
use serde_json::Value;
use weave::check;

use super::attempt::{Function, Judging};
use super::search::{described, judged};
use super::unrolled::Unrolled;
use super::{Limits, Task};
use crate::job::job_for;

mod plain;
mod wire;

pub use wire::Hints;

/// The text before the argument.
const MARK: &str = "\n/* baproduct-certificate ";
/// The text after the argument.
const CLOSE: &str = " */\n";
/// The text between the head of the file and the woven program.
const PROGRAM: &str = "/* The program with its monitor. */\n";

/// The inputs of a check, besides the woven program.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// Which infinite paths would be violations.
    pub judging: Judging,
    /// The model checker's bound for loops.
    pub unwind: u32,
    /// The k of the induction.
    pub rounds: u32,
    /// The first visits of heads that are followed: 0 if the argument is about all runs of the program.
    pub skips: u32,
    /// The depth to which recursions are followed; 0 if their calls are summaries.
    pub depth: u32,
    /// The state and the heads.
    pub system: System,
    /// The invariants.
    pub claims: Vec<Candidate>,
    /// The edges of the graph.
    pub edges: Vec<Edge>,
    /// The ranking functions.
    pub functions: Vec<Function>,
}

/// A confirmed certificate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Confirmed {
    /// The property's name.
    pub name: String,
    /// Its formula.
    pub ltl: String,
    /// Whether ranking functions were needed.
    pub ranking: bool,
    /// The k of the induction.
    pub k: u32,
    /// The number of assertions that were checked.
    pub assertions: usize,
    /// Wall-clock seconds of the run.
    pub seconds: f64,
    /// The assumptions under which the formula holds.
    pub assumptions: Vec<String>,
}

impl Certificate {
    fn claims(&self) -> Houdini {
        let mut out = Houdini::default();
        self.claims.iter().cloned().for_each(|c| out.add(c));
        out
    }

    fn queries(&self) -> Queries {
        let numbers: BTreeMap<Edge, usize> = self.edges.iter().copied().zip(0..).collect();
        let all = || {
            let functions = self.functions.iter().enumerate();
            functions.flat_map(|(f, function)| {
                function
                    .changes
                    .iter()
                    .map(move |(e, change)| (f, e, *change))
            })
        };
        let number = |f: usize, e: &Edge| Some((f, *numbers.get(e)?));
        Queries {
            edges: self.edges.iter().map(|e| Pattern::from(*e)).collect(),
            ranks: self.functions.iter().map(|f| f.rank.clone()).collect(),
            changes: all().filter_map(|(f, e, _)| number(f, e)).collect(),
            stays: Some(
                all()
                    .filter(|(.., change)| *change == Change::Stays)
                    .filter_map(|(f, e, _)| number(f, e))
                    .collect(),
            ),
            grounded: self.grounded().filter_map(|(f, e)| number(f, &e)).collect(),
            only: Some(self.edges.clone()),
            rounds: self.rounds,
            skips: self.skips,
            ..Queries::default()
        }
    }

    /// The text of the certificate for a woven program, made from `origin`.
    pub fn text(&self, program: &str, origin: &Value) -> String {
        let argument = wire::write(self, origin);
        [
            &self.head(),
            PROGRAM,
            program,
            &emit::epilogue(&self.system, &self.claims(), &self.queries()),
            MARK,
            &argument,
            CLOSE,
        ]
        .concat()
    }

    /// The text before the program.
    fn head(&self) -> String {
        let mask = check::FALSE | check::PRESUMABLY_FALSE | check::INTERNAL | check::CUT;
        let mut out = format!(
            "/* A proof that all runs satisfy a formula. Its assertions are decided by\n *   cbmc --no-standard-checks --unwinding-assertions --unwind {} FILE\n * and `baproduct verify FILE` checks the argument at its end, too.\n */\n#ifndef BA_CHECK\n#define BA_CHECK {mask}\n#endif\n",
            self.unwind
        );
        out += &emit::prologue(&self.system, &self.claims(), &self.queries());
        out
    }

    /// The arguments that exclude infinite paths that would be violations, one for each question.
    fn arguments(&self) -> Vec<Argument> {
        let changes: BTreeMap<(usize, Edge), Change> = self
            .functions
            .iter()
            .enumerate()
            .flat_map(|(f, function)| function.changes.iter().map(move |(e, c)| ((f, *e), *c)))
            .collect();
        let change = |f: usize, e: &Edge| changes.get(&(f, *e)).copied();
        self.judging
            .arguments(&self.edges, self.functions.len(), &change)
    }

    /// The functions and edges that the arguments use and along which the function must be far above the least value of its
    /// type: else it falls only because a signed integer overflows.
    fn grounded(&self) -> impl Iterator<Item = (usize, Edge)> + '_ {
        let used = self.arguments().into_iter().flat_map(|a| a.used);
        let all = used.flat_map(|(f, edges)| edges.into_iter().map(move |e| (f, e)));
        all.filter(|(f, _)| self.functions[*f].rank.may_overflow(&self.system))
    }

    /// Whether the arguments exclude all infinite paths that would be violations.
    fn closes(&self) -> bool {
        self.arguments().iter().all(|found| found.open.is_empty())
    }
}

/// What is wrong with a file whose argument is a proof.
const ANOTHER_TEXT: &str =
    "its text is not what its program, specification and argument make, though these are a proof";

/// Whether a text is a certificate.
pub fn is_certificate(text: &str) -> bool {
    text.contains(MARK)
}

/// Reads the argument of a certificate.
///
/// # Errors
/// How the certificate is damaged, in words.
pub fn read(text: &str) -> Result<Hints, String> {
    let (_, argument) = text
        .rsplit_once(MARK)
        .ok_or("it has no argument at its end")?;
    let argument = argument.strip_suffix(CLOSE).ok_or("its end is missing")?;
    wire::read(argument)
}

impl Hints {
    /// The certificate that these hints make for a woven program, of which `types` are the names of types.
    ///
    /// # Errors
    /// Which hint does not fit the program.
    fn certificate(&self, task: &Task, types: &BTreeSet<String>) -> Result<Certificate, String> {
        let judged = judged(task)?;
        let unrolled = Unrolled::of(&task.heads, &task.hints.loops, self.follows())
            .ok_or("it follows loops that a proof does not follow")?;
        let system = described(task, judged, self.depth(), &unrolled)?;
        if system.summarises() && self.rounds() > 1 {
            return Err(
                "its argument counts rounds, which summaries of recursive functions do not have"
                    .into(),
            );
        }
        let mut certificate = Certificate {
            judging: Judging::of(judged, &system),
            unwind: self.unwind(),
            rounds: self.rounds(),
            skips: 0,
            depth: self.depth(),
            system,
            claims: Vec::new(),
            edges: Vec::new(),
            functions: Vec::new(),
        };
        self.complete(&mut certificate)?;
        let names = plain::Names::new(&certificate.system, types);
        for candidate in &certificate.claims {
            let further = certificate.system.remembered_at(candidate);
            match &candidate.claim {
                Claim::Holds(text) | Claim::Returns(text) => names.check(text, &further)?,
                Claim::Sum(sum) => {
                    sum.sides()
                        .try_for_each(|side| names.check(side, &further))?;
                }
                Claim::Keeps(_) => {}
            }
        }
        let phases = certificate.system.phases.iter().map(|(text, _)| text);
        phases
            .into_iter()
            .try_for_each(|text| names.check(text, &[]))?;
        Ok(certificate)
    }
}

/// The text of the certificate that the hints make for a program that was woven again.
///
/// # Errors
/// Which hint does not fit the program, in words.
pub fn again(hints: &Hints, task: &Task, types: &BTreeSet<String>) -> Result<String, String> {
    let certificate = hints.certificate(task, types)?;
    Ok(certificate.text(&task.text, hints.origin()))
}

/// Checks a certificate again: `hints` are its argument, and `task` is the program that was woven again from its origin, of which
/// `types` are the names of types. The model checker reads a text that is made now, not that of the file.
///
/// # Errors
/// Why the certificate is not confirmed, in words.
pub fn confirm(
    text: &str,
    hints: &Hints,
    (task, types): (&Task, &BTreeSet<String>),
    backend: &dyn Backend,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Confirmed, String> {
    let damaged = |why: &str| format!("the certificate is damaged: {why}");
    let certificate = hints
        .certificate(task, types)
        .map_err(|why| damaged(&why))?;
    if !certificate.closes() {
        return Err("its functions do not exclude all infinite runs".into());
    }
    let [property] = task.record.properties.as_slice() else {
        return Err(damaged("it is not about one property"));
    };
    let made = certificate.text(&task.text, hints.origin());
    let path = task.directory.join("again.c");
    std::fs::write(&path, &made).map_err(|e| e.to_string())?;
    let mut job = job_for(&task.record, path);
    job.unwind = Some(certificate.unwind);
    job.timeout = limits.timeout;
    job.memory_mib = limits.memory_mib;
    let finished = backend.run(&job, cancel);
    let answer = finished.result.map_err(|f| f.to_string())?;
    all_hold(&answer)?;
    if made != text {
        return Err(damaged(ANOTHER_TEXT));
    }
    Ok(Confirmed {
        name: property.name.clone(),
        ltl: property.ltl.clone(),
        ranking: !certificate.functions.is_empty(),
        k: certificate.rounds,
        assertions: answer.outcomes.len(),
        seconds: finished.usage.seconds,
        assumptions: task.record.assumptions.clone(),
    })
}

/// Whether all assertions hold. The error names one that does not.
fn all_hold(answer: &Answer) -> Result<(), String> {
    if let Some((text, why)) = answer.undecided.iter().next() {
        return Err(format!("the model checker left `{text}` open: {why}"));
    }
    let wrong = |kind: OtherKind| matches!(kind, OtherKind::Unwinding | OtherKind::NoBody);
    if let Some(other) = answer.other_failures.iter().find(|f| wrong(f.kind)) {
        return Err(format!("something is not followed: {}", other.text));
    }
    let failing = answer.outcomes.iter().find(|(_, o)| **o != Answered::Holds);
    if let Some((text, _)) = failing {
        return Err(format!("`{text}` does not hold"));
    }
    if answer.outcomes.is_empty() {
        return Err("the model checker saw none of its assertions".into());
    }
    Ok(())
}
