//! A proof as a C program: the woven text after definitions that make the invariants and ranking
//! functions assertions, which one run of the model checker decides.
//!
//! The file ends with the argument in a comment. The check generates the text around the program
//! again from the argument, so that the assumptions are exactly what is asserted; a file that
//! differs is damaged. Then all assertions must hold, and the argument over the graph of edges must
//! exclude all infinite paths.

use std::collections::BTreeMap;
use std::path::Path;

use backend::{Backend, Cancel, Job, OtherKind, Outcome as Answered};
use induction::emit::{self, Pattern, Queries};
use induction::houdini::{Candidate, Houdini};
use induction::ranking::{argue, Change, Edge};
use induction::System;
use sha2::{Digest, Sha256};
use weave::check;

use super::attempt::{self, Function};
use super::Limits;

mod wire;

/// The text before the argument.
const MARK: &str = "\n/* baproduct-certificate ";
/// The text after the argument.
const CLOSE: &str = " */\n";
/// The text between the head of the file and the woven program.
const PROGRAM: &str = "/* The program with its monitor. */\n";

/// The inputs of a check, besides the woven program.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The property.
    pub name: String,
    /// Whether an automaton judges infinite runs along which letters change for ever.
    pub run: bool,
    /// Whether it is an automaton of the negation.
    pub of_negation: bool,
    /// The model checker's bound for loops.
    pub unwind: u32,
    /// The k of the induction.
    pub rounds: u32,
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
            only: Some(self.edges.clone()),
            rounds: self.rounds,
            ..Queries::default()
        }
    }

    /// The text of the certificate for a woven program.
    pub fn text(&self, program: &str) -> String {
        let argument = wire::write(self, &hash(program));
        [
            &self.head(),
            PROGRAM,
            program,
            &emit::epilogue(&self.system),
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

    /// Whether the argument excludes all infinite paths that would be violations.
    fn closes(&self) -> bool {
        let changes: BTreeMap<(usize, Edge), Change> = self
            .functions
            .iter()
            .enumerate()
            .flat_map(|(f, function)| function.changes.iter().map(move |(e, c)| ((f, *e), *c)))
            .collect();
        attempt::questions(self.run, self.of_negation)
            .iter()
            .all(|question| {
                let found = argue(&self.edges, question, self.functions.len(), &|f, e| {
                    changes.get(&(f, *e)).copied()
                });
                found.open.is_empty()
            })
    }
}

/// What parts of an argument never contain: with it, a condition or a declaration could discard runs.
const RESERVED: [&str; 5] = [
    "__CPROVER",
    "__ESBMC",
    "__VERIFIER_assume",
    "BA_ASSUME",
    "ba_suppose",
];

fn hash(text: &str) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Whether a text is a certificate.
pub fn is_certificate(text: &str) -> bool {
    text.contains(MARK)
}

/// Reads a certificate, and the woven program in it.
///
/// # Errors
/// How the certificate is damaged, in words.
pub fn read(text: &str) -> Result<(Certificate, String), String> {
    let (front, argument) = text
        .rsplit_once(MARK)
        .ok_or("it has no argument at its end")?;
    let argument = argument.strip_suffix(CLOSE).ok_or("its end is missing")?;
    if let Some(word) = RESERVED.iter().find(|word| argument.contains(**word)) {
        return Err(format!(
            "its argument has the word `{word}`, which only the text made from it may have"
        ));
    }
    let (certificate, known) = wire::read(argument)?;
    let (_, program) = front.split_once(PROGRAM).ok_or("it has no program")?;
    let program = program
        .strip_suffix(&emit::epilogue(&certificate.system))
        .ok_or("the text behind the program is another one")?;
    if hash(program) != known {
        return Err("the program is another one than that of the proof".into());
    }
    if certificate.text(program) != text {
        return Err("what is asserted and assumed is not what the argument says".into());
    }
    Ok((certificate, program.to_string()))
}

/// Checks a certificate again.
///
/// # Errors
/// Why the certificate is not confirmed, in words.
pub fn confirm(
    text: &str,
    path: &Path,
    backend: &dyn Backend,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Confirmed, String> {
    let (certificate, program) =
        read(text).map_err(|why| format!("the certificate is damaged: {why}"))?;
    let record = weave::record::Record::from_program(&program);
    let record = record
        .and_then(Result::ok)
        .ok_or("the certificate is damaged: the program has no plan")?;
    let property = record
        .properties
        .iter()
        .find(|p| p.name == certificate.name)
        .ok_or("the certificate is damaged: it is about another property")?;
    if !certificate.closes() {
        return Err("its functions do not exclude all infinite runs".into());
    }
    let mut job = Job::new(path);
    job.unwind = Some(certificate.unwind);
    job.dialect.clone_from(&record.dialect);
    job.outside.clone_from(&record.outside);
    job.timeout = limits.timeout;
    job.memory_mib = limits.memory_mib;
    let finished = backend.run(&job, cancel);
    let answer = finished.result.map_err(|f| f.to_string())?;
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
    Ok(Confirmed {
        name: property.name.clone(),
        ltl: property.ltl.clone(),
        ranking: !certificate.functions.is_empty(),
        assertions: answer.outcomes.len(),
        seconds: finished.usage.seconds,
        assumptions: record.assumptions,
    })
}
