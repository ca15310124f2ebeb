//! ESBMC.
//!
//! One run with `--multi-property` is tried first. With threads it may stop early; then what it says
//! of violated claims stands, because each has its counterexample, and nothing else does. A claim that
//! it left open, or that it does not mention, gets a run of its own.
//!
//! Versions before 8.4 have no table of results: what is violated is then what counterexamples end
//! with, and a claim holds only if a run for it alone says so. They also lack the option that drops
//! the library's assertions, so that it is left out once it was refused, and have one copy of each
//! thread-local object for all threads, which the emitted program is told by a macro.

mod output;

use crate::answer::{Answer, Check, Failure, Finished, Outcome, Tally, OWN_PREFIX};
use crate::chars;
use crate::job::{Job, Traces};
use crate::locate::Program;
use crate::process::{self, Cancel, Invocation};
use crate::session::{Run, Session};
use crate::Backend;
use output::{Claim, Output, Verdict};
use std::collections::BTreeMap;

/// The first version in which each thread has its own copy of a thread-local object.
const THREAD_LOCALS: (u32, u32, u32) = (8, 4, 0);

/// Options without which an answer is the same, and which not all versions have.
const OPTIONAL: [&str; 1] = ["--no-library-assertions"];

/// An installed ESBMC.
#[derive(Debug)]
pub struct Esbmc {
    program: Program,
}

impl Backend for Esbmc {
    fn program(&self) -> &Program {
        &self.program
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        let mut work = Work {
            esbmc: self,
            session: Session::new(job, cancel),
            unknown: Vec::new(),
        };
        let result = work.answer();
        work.session.finish(result)
    }
}

impl Esbmc {
    /// Uses a program that was found.
    pub fn new(program: Program) -> Self {
        Esbmc { program }
    }

    /// Whether all threads have one copy of a thread-local object.
    fn one_copy(&self) -> bool {
        self.program.version.numbers < THREAD_LOCALS
    }

    /// What all runs have in common: ESBMC's own checks are out of the way. `unknown` are options
    /// that this version does not have.
    fn base(&self, job: &Job, unknown: &[&str]) -> Invocation {
        let mut esbmc = Invocation::new(&self.program.path);
        esbmc.args(job.source_arguments());
        if job.safety {
            esbmc.arg("--overflow-check");
        } else {
            esbmc.args([
                "--no-pointer-check",
                "--no-bounds-check",
                "--no-div-by-zero-check",
            ]);
        }
        esbmc.args(OPTIONAL.iter().filter(|option| !unknown.contains(option)));
        esbmc.args(job.define_arguments());
        if job.threads && self.one_copy() {
            esbmc.arg(format!("-DBA_{}ONE_COPY", job.infix));
        }
        esbmc
    }

    /// A run that decides: all claims with `--multi-property`, or one of them.
    fn invocation(&self, job: &Job, unknown: &[&str], claim: Option<u32>) -> Invocation {
        let mut esbmc = self.base(job, unknown);
        match claim {
            None => esbmc.arg("--multi-property"),
            Some(number) => esbmc.arg("--claim").arg(number.to_string()),
        };
        if let Some(bound) = job.unwind {
            esbmc.arg("--unwind").arg(bound.to_string());
        }
        for (name, bound) in &job.unwindset {
            esbmc.arg("--unwindsetname").arg(format!("{name}:{bound}"));
        }
        if !job.unwinding_assertions {
            esbmc.arg("--no-unwinding-assertions");
        }
        if let Some(bound) = job.context_bound {
            esbmc.arg("--context-bound").arg(bound.to_string());
        }
        // What is sliced away does not appear in a trace.
        if job.traces != Traces::None {
            esbmc.arg("--no-slice");
        }
        esbmc.args(&job.extra_args);
        esbmc
    }
}

/// A job on its way.
struct Work<'a> {
    esbmc: &'a Esbmc,
    session: Session<'a>,
    /// Options that this version was found not to have.
    unknown: Vec<&'static str>,
}

impl Work<'_> {
    fn answer(&mut self) -> Result<Answer, Failure> {
        if chars::is_unsigned(self.session.job) {
            let message = "the program was read with -funsigned-char, which ESBMC is not told; use CBMC or a native run";
            return Err(Failure::Refused {
                message: message.into(),
            });
        }
        let own = &self.session.job.thread_locals;
        if !own.is_empty() && self.session.job.threads && self.esbmc.one_copy() {
            let message = format!(
                "ESBMC before 8.4 has one copy of each thread-local object for all threads, and the program has such objects ({}); use a later version or CBMC",
                own.join(", ")
            );
            return Err(Failure::Refused { message });
        }
        let claims = self.claims()?;
        let mut by_text: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for claim in claims {
            by_text.entry(claim.text).or_default().push(claim.number);
        }
        let mut answer = Answer::default();
        if self.session.job.safety || by_text.values().map(Vec::len).sum::<usize>() > 1 {
            let output = self.run(None)?;
            add_together(&mut answer, output, &by_text);
        }
        let mut first_failure = None;
        for (text, numbers) in &by_text {
            if !answer.outcomes.contains_key(text) {
                if let Err(failure) = self.alone(&mut answer, text, numbers) {
                    answer.undecided.insert(text.clone(), failure.to_string());
                    first_failure.get_or_insert(failure);
                }
            }
        }
        match first_failure {
            Some(failure) if answer.outcomes.is_empty() => Err(failure),
            _ => Ok(answer),
        }
    }

    /// The wanted claims, with the numbers that `--claim` takes.
    fn claims(&mut self) -> Result<Vec<Claim>, Failure> {
        let job = self.session.job;
        let Run { output, status, .. } = self.start(|esbmc, unknown| {
            let mut invocation = esbmc.base(job, unknown);
            invocation.arg("--show-claims");
            invocation
        })?;
        if !status.success() {
            return Err(Failure::unparsable(format!(
                "it lists its claims, but ended with {status}"
            )));
        }
        let wanted = |c: &Claim| c.text.starts_with(OWN_PREFIX) && job.selection.wants(&c.text);
        Ok(output.claims.into_iter().filter(wanted).collect())
    }

    /// Decides one text by a run for each of its claims: it holds if all of them hold.
    fn alone(&mut self, answer: &mut Answer, text: &str, claims: &[u32]) -> Result<(), Failure> {
        let mut holds = true;
        for claim in claims {
            let output = self.run(Some(*claim))?;
            let fails = output.violates(text);
            // Without a condition left after simplification there is no table, only the verdict.
            let all_pass = output.rows.iter().all(|r| r.check == Check::Holds);
            holds &= output.verdict == Some(Verdict::Successful) && all_pass && !output.partial;
            merge_rest(answer, &output);
            if fails {
                answer.outcomes.insert(text.to_owned(), Outcome::Fails);
                answer
                    .traces
                    .extend(output.traces.into_iter().filter(|(t, _)| t == text));
                return Ok(());
            }
        }
        if holds {
            answer.outcomes.insert(text.to_owned(), Outcome::Holds);
        } else {
            let reason = "ESBMC reports another violation, not this claim".to_owned();
            answer.undecided.insert(text.to_owned(), reason);
        }
        Ok(())
    }

    /// Runs to a verdict, with all claims or one of them.
    fn run(&mut self, claim: Option<u32>) -> Result<Output, Failure> {
        let job = self.session.job;
        let Run {
            output,
            status,
            stderr,
        } = self.start(|esbmc, unknown| esbmc.invocation(job, unknown, claim))?;
        let (verdict, expected) = match output.verdict {
            Some(Verdict::Successful) => ("SUCCESSFUL", 0),
            Some(Verdict::Failed) => ("FAILED", 1),
            Some(Verdict::Unknown) => {
                return Err(Failure::Undecided {
                    message: "VERIFICATION UNKNOWN".to_owned(),
                })
            }
            None => {
                return Err(Failure::unparsable(format!(
                    "it ends before its verdict ({status})"
                )))
            }
        };
        if status.code() != Some(expected) {
            return Err(process::crash(status, &stderr).unwrap_or_else(|| {
                Failure::unparsable(format!("it says {verdict}, but ended with {status}"))
            }));
        }
        match output.contradiction() {
            Some(what) => Err(Failure::unparsable(what)),
            None => Ok(output),
        }
    }

    /// Runs, without the options that this version turns out not to have, and sorts out the failures
    /// that ESBMC names itself.
    fn start(
        &mut self,
        invocation: impl Fn(&Esbmc, &[&str]) -> Invocation,
    ) -> Result<Run<Output>, Failure> {
        let job = self.session.job;
        loop {
            let run = self
                .session
                .run(invocation(self.esbmc, &self.unknown), |out| {
                    output::read(out, &job.traces)
                })?;
            let refused = |option: &&str| run.refuses(option) && !self.unknown.contains(option);
            match OPTIONAL.into_iter().find(refused) {
                Some(option) => self.unknown.push(option),
                None => return failure(&run, job.memory_mib).map_or(Ok(run), Err),
            }
        }
    }
}

impl Run<Output> {
    /// Whether it ended because it does not know an option.
    fn refuses(&self, option: &str) -> bool {
        let errors = self.output.errors.iter().map(String::as_str);
        let mut lines = errors.chain(self.stderr.lines());
        let told = format!("unrecognised option '{option}'");
        !self.status.success() && lines.any(|line| line.contains(&told))
    }
}

/// Takes what a run with all claims settles: every violation; and that a text holds, if the run was
/// complete and its table has as many passed rows with this text as the program has claims.
fn add_together(answer: &mut Answer, output: Output, claims: &BTreeMap<String, Vec<u32>>) {
    for (text, numbers) in claims {
        let rows: Vec<Check> = output
            .rows
            .iter()
            .filter(|r| r.text == *text)
            .map(|r| r.check)
            .collect();
        if output.violates(text) {
            answer.outcomes.insert(text.clone(), Outcome::Fails);
        } else if !output.partial
            && rows.len() == numbers.len()
            && rows.iter().all(|r| *r == Check::Holds)
        {
            answer.outcomes.insert(text.clone(), Outcome::Holds);
        }
    }
    merge_rest(answer, &output);
    answer.traces.extend(
        output
            .traces
            .into_iter()
            .filter(|(text, _)| claims.contains_key(text)),
    );
}

/// Takes the failures of other checks and the warnings, each once.
fn merge_rest(answer: &mut Answer, output: &Output) {
    let mut tally = Tally::default();
    for row in output
        .rows
        .iter()
        .filter(|r| !r.text.starts_with(OWN_PREFIX))
    {
        tally.add(&row.text, &row.id, row.location.clone(), row.check);
    }
    if !output.has_table() {
        let others = output.violated.iter();
        for (text, location) in others.filter(|(text, _)| !text.starts_with(OWN_PREFIX)) {
            tally.add(text, "", location.clone(), Check::Fails);
        }
    }
    answer
        .other_failures
        .extend(tally.into_answer().other_failures);
    answer.other_failures.sort();
    answer.other_failures.dedup();
    for warning in &output.warnings {
        if !answer.warnings.contains(warning) && answer.warnings.len() < 100 {
            answer.warnings.push(warning.clone());
        }
    }
}

/// A failure that ESBMC names itself, or its crash. Its exit code alone says little: 1 is a violation
/// and a time-out, 6 a refusal and memory that ran out.
fn failure(run: &Run<Output>, memory_mib: Option<u64>) -> Option<Failure> {
    let Run {
        output,
        status,
        stderr,
    } = run;
    let on_stderr = stderr
        .lines()
        .filter(|l| l.contains("ERROR:") || l.contains(" error: "));
    let errors: Vec<&str> = output
        .errors
        .iter()
        .map(String::as_str)
        .chain(on_stderr.map(str::trim))
        .collect();
    let says = |what: &str| errors.iter().any(|e| e.contains(what));
    if says("Out of memory") || stderr.contains("bad_alloc") {
        return Some(Failure::MemoryOut { mib: memory_mib });
    }
    if says("Timed out") {
        return Some(Failure::Undecided {
            message: "it gave up: Timed out".to_owned(),
        });
    }
    if let Some(crash) = process::crash(*status, stderr) {
        return Some(crash);
    }
    if !errors.is_empty() {
        let message = errors.into_iter().take(5).collect::<Vec<_>>().join("; ");
        return Some(Failure::Refused { message });
    }
    None
}

#[cfg(test)]
mod tests;
