//! ESBMC.
//!
//! One run with `--multi-property` decides all claims. Where the program's own checks are asked, a run
//! without it, which makes one formula of all claims, comes first. The backend asks a version for its options
//! ([`features`]) before it uses them.
//!
//! Requirements of 8.4, found by experiments:
//! - It writes its messages to standard error, so both streams are read as one.
//! - Without `--multi-property` it removes code that it takes for unreachable, such as all code
//!   after `assert(0)`, including other assertions.
//! - With threads, a run with `--multi-property` ends at the first interleaving in which some claim
//!   fails, unless `--all-runs` is given.
//! - Its partial-order reduction is unsound: for a program with one thread and an assumption in
//!   `main` it finds no end. The reduction is switched off.
//! - It reads options from a file and from the environment, which could turn assertions off.
//! - It does not define a macro of its own, so the backend defines one.
//! - Claims that hold before the solver is asked have a line of their own; claims that no run
//!   reaches have none.
//!
//! If a version lacks `--all-runs`, or a run was cut short, only violations count, because each has
//! a counterexample; each open claim then gets a run of its own.

mod features;
mod headers;
mod k_induction;
mod output;
mod pointers;
mod ranges;
mod values;

use crate::answer::{
    Answer, Check, Failure, Finished, OtherFailure, Outcome, Tally, Usage, OWN_PREFIX,
};
use crate::capabilities::{Advice, Assumption, Capabilities, Dialect, Induction};
use crate::job::{Job, Traces};
use crate::locate::Program;
use crate::machine::Machine;
use crate::process::{self, Cancel, Invocation};
use crate::session::{Run, Session};
use crate::Backend;
use features::Features;
use output::{Claim, Output, Verdict};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The first version in which each thread has its own copy of a thread-local object.
const THREAD_LOCALS: (u32, u32, u32) = (8, 4, 0);

/// Options without which an answer would be wrong.
const NEEDED: [&str; 5] = [
    "--multi-property",
    "--show-claims",
    "--claim",
    "--no-remove-unreachable",
    "--no-por",
];

/// Switches off its own checks.
const NO_CHECKS: [&str; 4] = [
    "--no-standard-checks",
    "--no-pointer-check",
    "--no-bounds-check",
    "--no-div-by-zero-check",
];

/// Assertions of its library are not the program's; allocation never fails, as with CBMC.
const ALWAYS: [&str; 3] = [
    "--no-library-assertions",
    "--force-malloc-success",
    "--force-realloc-success",
];

/// Descriptions for users.
pub(crate) const ADVICE: Advice = Advice {
    purpose: "sequential and threaded programs",
    option: None,
    remedies: &[
        "Ubuntu: the package esbmc from the ESBMC project's PPA",
        "macOS, Linux: brew install esbmc",
        "elsewhere: a release of the ESBMC project, then --backend-path or BAPRODUCT_ESBMC",
    ],
};

/// The capabilities of a current version.
pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    searches: true,
    shared_pointers: true,
    nonlocal_jumps: false,
    thread_locals: true,
    assumption: Assumption::Run,
    enumerates: true,
    switches_within: false,
    own_headers: true,
    context_bound: true,
    traces: true,
    shows_calls: false,
    coverage: false,
    sizes: false,
    k_induction: true,
    checks: true,
    avoids_undefined: false,
    checks_pointers_of_threads: true,
    allocates: true,
    encodes_once: false,
    guesses_apart: false,
};

/// An installed ESBMC.
#[derive(Debug)]
pub struct Esbmc {
    program: Program,
    features: OnceLock<Features>,
}

impl Backend for Esbmc {
    fn program(&self) -> &Program {
        &self.program
    }

    fn capabilities(&self) -> Capabilities {
        let has = |option: &str| self.features().is_ok_and(|f| f.has(option));
        Capabilities {
            thread_locals: !self.one_copy(),
            context_bound: has("--context-bound"),
            k_induction: has("--k-induction"),
            allocates: has("--force-malloc-success"),
            ..CAPABILITIES
        }
    }

    fn dialect(&self, infix: &str) -> Dialect {
        Dialect {
            chosen_by: chosen_by(infix),
            assertion: "__ESBMC_assert",
            assumption: "__ESBMC_assume",
            objects: None,
        }
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        let mut session = Session::new(job, cancel);
        let result = self.features().and_then(|features| {
            let mut work = Work {
                esbmc: self,
                features,
                session: &mut session,
            };
            work.answer()
        });
        session.finish(result)
    }

    fn k_induction(
        &self,
        job: &Job,
        most: u32,
        cancel: &Cancel,
    ) -> (Result<Induction, Failure>, Usage) {
        let (result, finished) = self.inducts(job, most, cancel);
        (result, finished.usage)
    }

    /// The loop's number in the text of its unwinding assertion.
    fn cut_loop(&self, failure: &OtherFailure) -> Option<String> {
        let number = failure.text.strip_prefix("unwinding assertion loop ")?;
        let number: u32 = number.trim().parse().ok()?;
        Some(number.to_string())
    }
}

/// The macro that tells an emitted program that ESBMC reads it; ESBMC's own macro is not always defined.
fn chosen_by(infix: &str) -> String {
    format!("BA_{infix}ESBMC")
}

/// Switches off inputs besides the command line, and sets variables that it needs.
fn environment(invocation: &mut Invocation) {
    invocation
        .env("ESBMC_OPTS", "")
        .env("ESBMC_CONFIG_FILE", "/dev/null");
    if std::env::var_os("HOME").is_none() {
        invocation.env("HOME", "/");
    }
    // It unpacks its headers, and removes them only if it ends by itself.
    invocation.scratch = true;
    invocation.merged = true;
}

impl Esbmc {
    /// Uses this program.
    pub fn new(program: Program) -> Self {
        Esbmc {
            program,
            features: OnceLock::new(),
        }
    }

    /// The options of this version; asked once.
    fn features(&self) -> Result<&Features, Failure> {
        if let Some(features) = self.features.get() {
            return Ok(features);
        }
        let features = Features::ask(&self.program.path)?;
        if let Some(option) = NEEDED.iter().find(|option| !features.has(option)) {
            let message = format!(
                "ESBMC {} has no option {option}; use version 8.4",
                self.program.version
            );
            return Err(Failure::Refused { message });
        }
        Ok(self.features.get_or_init(|| features))
    }

    /// Whether all threads share one copy of a thread-local object.
    fn one_copy(&self) -> bool {
        self.program.version.numbers < THREAD_LOCALS
    }
}

/// What a run decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// Whether all claims hold.
    Together,
    /// Each claim, by a formula of its own.
    Each,
    /// The claim with this number.
    Alone(u32),
}

/// A running job.
struct Work<'a, 'b> {
    esbmc: &'a Esbmc,
    features: &'a Features,
    session: &'b mut Session<'a>,
}

impl<'a> Work<'a, '_> {
    fn answer(&mut self) -> Result<Answer, Failure> {
        self.refusal().map_or(Ok(()), Err)?;
        let by_text = self.claims(false)?;
        let mut answer = Answer::default();
        if by_text.is_empty() && !self.session.job.safety {
            return Ok(answer);
        }
        if self.at_once(&mut answer, &by_text)? {
            return Ok(answer);
        }
        let (output, ended) = self.run(Asked::Each)?;
        add_together(&mut answer, output, &by_text);
        let mut first_failure = ended.err();
        let mut numbers = BTreeMap::new();
        for text in by_text.keys() {
            if answer.outcomes.contains_key(text) {
                continue;
            }
            if numbers.is_empty() && first_failure.is_none() {
                numbers = self.claims(true)?;
            }
            let numbers = numbers.get(text).map(Vec::as_slice).unwrap_or_default();
            let failure = match &first_failure {
                Some(failure) => failure.clone(),
                None => match self.alone(&mut answer, text, numbers) {
                    Ok(()) => continue,
                    Err(failure) => failure,
                },
            };
            answer.undecided.insert(text.clone(), failure.to_string());
            first_failure.get_or_insert(failure);
        }
        match first_failure {
            // Results that were found before stand.
            Some(failure) if !answer.shows_violation() => Err(failure),
            _ => Ok(answer),
        }
    }

    /// Why this version must refuse the job, if so.
    fn refusal(&self) -> Option<Failure> {
        let job = self.session.job;
        let message = if widths(&job.machine).is_none() {
            "ESBMC has no data model with the widths of `int`, `long` and pointers that the program has; use CBMC".to_owned()
        } else if job.machine.unsigned_char {
            // 8.4 has --funsigned-char, but `(char)200 > 100` is false even with it.
            "the program was read with -funsigned-char, and ESBMC takes `char` for signed; use CBMC or a native run".to_owned()
        } else if !job.thread_locals.is_empty() && job.threads && self.esbmc.one_copy() {
            format!(
                "ESBMC before 8.4 has one copy of each thread-local object for all threads, and the program has such objects ({}); use a later version or CBMC",
                job.thread_locals.join(", ")
            )
        } else if let Some(option) = self.missing() {
            format!(
                "ESBMC {} has no option {option}; use version 8.4, or CBMC",
                self.esbmc.program.version
            )
        } else if let Some(range) = ranges::first(job) {
            format!(
                "ESBMC takes only the first value of a range of cases (`{range}`), so that verdicts would be wrong; write the cases out, or use CBMC"
            )
        } else {
            return None;
        };
        Some(Failure::Refused { message })
    }

    /// An option that the job needs and this version lacks.
    fn missing(&self) -> Option<&'static str> {
        let job = self.session.job;
        let needed = [
            (job.context_bound.is_some(), "--context-bound"),
            (!job.unwindset.is_empty(), "--unwindset"),
        ];
        let mut needed = needed.into_iter().filter(|(needed, _)| *needed);
        needed.find_map(|(_, option)| (!self.features.has(option)).then_some(option))
    }

    /// The arguments that all runs share.
    fn base(&self) -> Invocation {
        let job = self.session.job;
        let mut esbmc = Invocation::new(&self.esbmc.program.path);
        environment(&mut esbmc);
        esbmc.args(job.source_arguments());
        match job.safety {
            true => esbmc.args(self.features.of(&["--overflow-check"])),
            false => esbmc.args(self.features.of(&NO_CHECKS)),
        };
        esbmc.args(self.features.of(&ALWAYS));
        esbmc.args(widths(&job.machine).flatten());
        if job.machine.big_endian {
            esbmc.arg("--big-endian");
        }
        esbmc.arg(format!("-D{}", chosen_by(&job.infix)));
        esbmc.args(headers::arguments(job));
        esbmc.args(job.define_arguments());
        if job.threads && self.esbmc.one_copy() {
            esbmc.arg(format!("-DBA_{}ONE_COPY", job.infix));
        }
        esbmc
    }

    /// Decides all checks of a sequential program by one formula for all of them, if they hold. A
    /// formula for each takes many times longer, and is needed only if some check fails; the one that
    /// the first formula shows to fail is known then, whatever becomes of the others.
    fn at_once(
        &mut self,
        answer: &mut Answer,
        claims: &BTreeMap<String, Vec<u32>>,
    ) -> Result<bool, Failure> {
        let job = self.session.job;
        if !job.safety || job.threads {
            return Ok(false);
        }
        let (mut output, ended) = self.run(Asked::Together)?;
        if ended.is_err() || output.partial {
            return Ok(false);
        }
        // It stops at the first violation.
        output.partial = output.verdict != Some(Verdict::Successful);
        let all = !output.partial;
        add_together(answer, output, claims);
        Ok(all && answer.outcomes.len() == claims.len() && answer.other_failures.is_empty())
    }

    /// A deciding run.
    fn invocation(&self, asked: Asked) -> Invocation {
        let job = self.session.job;
        let mut esbmc = self.base();
        match asked {
            Asked::Together => {}
            Asked::Each => {
                esbmc.arg("--multi-property");
                if job.threads {
                    esbmc.args(self.features.of(&["--all-runs"]));
                }
            }
            Asked::Alone(number) => {
                esbmc.arg("--claim").arg(number.to_string());
            }
        }
        esbmc.arg("--no-remove-unreachable");
        if job.threads {
            esbmc.arg("--no-por");
        }
        if let Some(bound) = job.unwind {
            esbmc.arg("--unwind").arg(bound.to_string());
        }
        if !job.unwindset.is_empty() {
            let each = job.unwindset.iter();
            let each = each.map(|(name, bound)| format!("{name}:{bound}"));
            esbmc
                .arg("--unwindset")
                .arg(each.collect::<Vec<_>>().join(","));
        }
        if !job.unwinding_assertions {
            esbmc.arg("--no-unwinding-assertions");
        }
        if let Some(bound) = job.context_bound {
            esbmc.arg("--context-bound").arg(bound.to_string());
        }
        // A trace does not show assignments that were sliced away.
        if job.traces != Traces::None {
            esbmc.arg("--no-slice");
        }
        esbmc.args(&job.extra_args);
        esbmc
    }

    /// The wanted claims with their numbers, by text. Reading the C library takes most of the time
    /// of a small run; without the library the claims are the same, but `--claim` takes other
    /// numbers.
    fn claims(&mut self, numbered: bool) -> Result<BTreeMap<String, Vec<u32>>, Failure> {
        let mut invocation = self.base();
        invocation.args(["--show-claims", "--no-remove-unreachable"]);
        if !numbered {
            invocation.args(self.features.of(&["--no-library"]));
        }
        let read = |out: &mut dyn std::io::Read| output::read(out, &Traces::None);
        let run = self.session.run(invocation, read)?;
        let job = self.session.job;
        if let Some(failure) = failure(&run, job.memory_mib) {
            return Err(failure);
        }
        if !run.status.success() {
            return Err(Failure::unparsable(format!(
                "it lists its claims, but ended with {}",
                run.status
            )));
        }
        let mut by_text: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let wanted = |c: &Claim| c.text.starts_with(OWN_PREFIX) && job.selection.wants(&c.text);
        for claim in run.output.claims.into_iter().filter(wanted) {
            by_text.entry(claim.text).or_default().push(claim.number);
        }
        Ok(by_text)
    }

    /// Decides one text by a run for each of its claims: the text holds if all of them hold.
    fn alone(&mut self, answer: &mut Answer, text: &str, claims: &[u32]) -> Result<(), Failure> {
        let mut holds = !claims.is_empty();
        for claim in claims {
            let (output, ended) = self.run(Asked::Alone(*claim))?;
            ended?;
            let all_pass = output.rows.iter().all(|r| r.check == Check::Holds);
            holds &= output.verdict == Some(Verdict::Successful) && all_pass && !output.partial;
            merge_rest(answer, &output);
            if output.violates(text) {
                answer.outcomes.insert(text.to_owned(), Outcome::Fails);
                let traces = output.traces.into_iter();
                answer.traces.extend(traces.filter(|(t, _)| t == text));
                return Ok(());
            }
        }
        if !holds {
            let message = "ESBMC reports another violation, not this claim".to_owned();
            return Err(Failure::Undecided { message });
        }
        answer.outcomes.insert(text.to_owned(), Outcome::Holds);
        Ok(())
    }

    /// Runs to a verdict. A run that was ended or crashed returns its
    /// results so far, marked as partial, and the reason of its end.
    fn run(&mut self, asked: Asked) -> Result<(Output, Result<(), Failure>), Failure> {
        let job = self.session.job;
        let mut invocation = self.invocation(asked);
        if asked == Asked::Together {
            // The rest is for a formula for each claim.
            invocation.limits.timeout = job.timeout.map(|limit| limit / 2);
        }
        let read = |out: &mut dyn std::io::Read| output::read(out, &job.traces);
        let (output, ended) = self.session.run_to_any_end(invocation, read)?;
        let (mut output, ended) = match ended {
            Err(failure) => (output, Err(failure)),
            Ok((status, stderr)) => {
                let run = Run {
                    output,
                    status,
                    stderr,
                };
                let checked = check(&run, job);
                (run.output, checked)
            }
        };
        // Results of a run that its limits ended are right so far. Those of other failed runs are
        // dropped.
        match &ended {
            Err(Failure::Timeout { .. } | Failure::MemoryOut { .. }) => output.partial = true,
            Err(_) => output = Output::default(),
            // With threads and without `--all-runs`, it stops at the first interleaving with a
            // violation.
            Ok(()) if job.threads && asked == Asked::Each => {
                output.partial |= !self.features.has("--all-runs");
            }
            Ok(()) => {}
        }
        Ok((output, ended))
    }
}

/// Checks that a run that ended by itself can be trusted.
fn check(run: &Run<Output>, job: &Job) -> Result<(), Failure> {
    if let Some(failure) = failure(run, job.memory_mib) {
        return Err(failure);
    }
    let (verdict, expected) = match run.output.verdict {
        Some(Verdict::Successful) => ("SUCCESSFUL", 0),
        Some(Verdict::Failed) => ("FAILED", 1),
        Some(Verdict::Unknown) => {
            return Err(Failure::Undecided {
                message: "VERIFICATION UNKNOWN".to_owned(),
            })
        }
        None => {
            return Err(Failure::unparsable(format!(
                "it ends before its verdict ({})",
                run.status
            )))
        }
    };
    if run.status.code() != Some(expected) {
        return Err(Failure::unparsable(format!(
            "it says {verdict}, but ended with {}",
            run.status
        )));
    }
    match run.output.contradiction() {
        Some(what) => Err(Failure::unparsable(what)),
        None => Ok(()),
    }
}

/// Takes the results of a run for all claims: every violation, and, if the run was complete, texts
/// that hold. A table, in versions that print one, must have as many passed rows for a text as the
/// program has claims; without a table, a text without a failure holds at every place that runs
/// reach.
fn add_together(answer: &mut Answer, output: Output, claims: &BTreeMap<String, Vec<u32>>) {
    for (text, numbers) in claims {
        let rows = output.rows.iter().filter(|r| r.text == *text);
        let rows: Vec<Check> = rows.map(|r| r.check).collect();
        let all = !output.has_table() || rows.len() == numbers.len();
        if output.violates(text) {
            answer.outcomes.insert(text.clone(), Outcome::Fails);
        } else if !output.partial && all && rows.iter().all(|r| *r == Check::Holds) {
            answer.outcomes.insert(text.clone(), Outcome::Holds);
        }
    }
    merge_rest(answer, &output);
    let traces = output.traces.into_iter();
    answer
        .traces
        .extend(traces.filter(|(text, _)| claims.contains_key(text)));
}

/// Adds the failures of other checks and the warnings, each once.
fn merge_rest(answer: &mut Answer, output: &Output) {
    let mut tally = Tally::default();
    let others = output.rows.iter();
    for row in others.filter(|r| !r.text.starts_with(OWN_PREFIX)) {
        tally.add(&row.text, &row.id, row.location.clone(), row.check);
    }
    if !output.has_table() {
        let others = output.violated.iter();
        for (text, location) in others.filter(|(t, _)| !t.starts_with(OWN_PREFIX)) {
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

/// A failure that ESBMC reports, or its crash. The exit code alone is ambiguous: 1 is a violation
/// or a time-out, 6 a refusal or lack of memory.
fn failure(run: &Run<Output>, memory_mib: Option<u64>) -> Option<Failure> {
    let errors = &run.output.errors;
    let says = |what: &str| errors.iter().any(|e| e.contains(what));
    if says("Out of memory") || says("bad_alloc") {
        return Some(Failure::MemoryOut { mib: memory_mib });
    }
    if says("Timed out") {
        return Some(Failure::Undecided {
            message: "it gave up: Timed out".to_owned(),
        });
    }
    if let Some(crash) = process::crash(run.status, &run.output.last_words()) {
        return Some(crash);
    }
    if !errors.is_empty() {
        let message = errors.iter().take(5).cloned().collect::<Vec<_>>();
        return Some(Failure::Refused {
            message: message.join("; "),
        });
    }
    None
}

/// The argument for the widths of types; `None` if ESBMC has no such model.
fn widths(machine: &Machine) -> Option<Option<&'static str>> {
    match machine.widths() {
        (32, 64, 64) => Some(None),
        (32, 32, 32) => Some(Some("--32")),
        (16, 32, 32) => Some(Some("--16")),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
