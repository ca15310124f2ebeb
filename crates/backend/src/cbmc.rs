//! CBMC, 5.x and 6.x.
//!
//! Runs without traces use its plain output, runs with traces its JSON: with JSON, CBMC builds a
//! trace for each failing assertion even without a request, which takes several times as long if
//! many assertions fail.

mod compiler;
mod declarations;
mod formula;
mod json;
mod library;
mod plain;
mod preprocessed;
mod value;

use crate::answer::{Answer, Failure, Finished, OtherFailure, OtherKind, OWN_PREFIX};
use crate::capabilities::{Advice, Assumption, Capabilities};
use crate::chars;
use crate::coverage::{self, Coverage};
use crate::job::{Job, Selection, Traces};
use crate::locate::Program;
use crate::machine::{Headers32, Machine};
use crate::process::{self, Cancel, Invocation};
use crate::session::{Run, Session};
use crate::size::{self, Size};
use crate::stage;
use crate::text::Lossy;
use crate::Backend;
use compiler::Compiler;
use std::io::Read;
use std::process::ExitStatus;
use std::sync::OnceLock;

/// Descriptions for users.
pub(crate) const ADVICE: Advice = Advice {
    purpose: "sequential and threaded programs",
    option: None,
    remedies: &[
        "any Debian, without root: baproduct doctor --fix",
        "Ubuntu, Debian from 13 on: apt install cbmc",
        "macOS, Linux: brew install cbmc",
        "elsewhere: a release of the CBMC project, then --backend-path or BAPRODUCT_CBMC",
    ],
};

/// Capabilities. CBMC reports that its handling of pointers is unsound with threads.
pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    searches: true,
    shared_pointers: false,
    nonlocal_jumps: false,
    thread_locals: true,
    assumption: Assumption::Thread,
    enumerates: false,
    switches_within: true,
    own_headers: false,
    context_bound: false,
    traces: true,
    shows_calls: true,
    coverage: true,
    sizes: true,
    k_induction: false,
    checks: true,
    avoids_undefined: true,
    checks_pointers_of_threads: false,
    allocates: true,
    encodes_once: true,
    guesses_apart: true,
};

/// The compiler by which CBMC preprocesses programs and its own library.
const COMPILER: &str = "gcc";

/// What it says of a program with more objects than it numbers by default, which is 256.
const TOO_MANY_OBJECTS: &str = "too many addressed objects";

/// An installed CBMC.
#[derive(Debug)]
pub struct Cbmc {
    program: Program,
    /// What its own library includes where the headers of 32-bit programs are not installed.
    headers: OnceLock<Option<Headers32>>,
    /// What stands before the compiler; none if it cannot be written, and CBMC asks the compiler each time.
    compiler: OnceLock<Option<Compiler>>,
}

/// The name of a loop or a recursion in the id of its unwinding assertion.
fn loop_of(id: &str) -> Option<String> {
    match id.rsplit_once(".unwind.") {
        Some((function, number)) => Some(format!("{function}.{number}")),
        None => id.strip_suffix(".recursion").map(str::to_owned),
    }
}

/// CBMC's own checks that apply to every program and exist in all versions.
const CHECKS: [&str; 4] = [
    "--bounds-check",
    "--div-by-zero-check",
    "--signed-overflow-check",
    "--undefined-shift-check",
];

/// The output of one run, before any check of consistency.
#[derive(Debug, Default)]
struct Output {
    /// The answer, if a complete and consistent one was found.
    answer: Option<Answer>,
    /// Whether the answer says that nothing fails.
    all_hold: bool,
    /// Why there is no answer.
    problem: Option<String>,
    /// Messages of the kind "error".
    errors: Vec<String>,
    /// Messages of the kind "warning".
    warnings: Vec<String>,
}

impl Backend for Cbmc {
    fn program(&self) -> &Program {
        &self.program
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        let mut session = Session::new(job, cancel);
        preprocessed::stand_in(&mut session, COMPILER);
        let result = self.answer(&mut session);
        session.finish(result)
    }

    fn coverage(&self, job: &Job, cancel: &Cancel) -> Result<Coverage, Failure> {
        let mut session = Session::new(job, cancel);
        preprocessed::stand_in(&mut session, COMPILER);
        let mut cbmc = self.base(job);
        cbmc.args(["--cover", "location"]);
        explored(&mut cbmc, job);
        cbmc.args(&job.extra_args).args(job.source_arguments());
        let run = session.run(cbmc, coverage::read)?;
        if let Some(message) = library::replaced(&Output::default(), &run.stderr) {
            return Err(Failure::Refused { message });
        }
        match run.output {
            Some(coverage) if run.status.success() => Ok(coverage),
            _ => Err(failure(
                Output::default(),
                run.status,
                &run.stderr,
                job.memory_mib,
            )),
        }
    }

    fn size(&self, job: &Job, cancel: &Cancel) -> Result<Size, Failure> {
        let mut session = Session::new(job, cancel);
        preprocessed::stand_in(&mut session, COMPILER);
        let mut cbmc = self.invocation(job, &[]);
        cbmc.args(["--dimacs", "--outfile", "/dev/stdout"]);
        let run = session.run(cbmc, size::read)?;
        run.output
            .ok_or_else(|| failure(Output::default(), run.status, &run.stderr, job.memory_mib))
    }

    fn cut_loop(&self, failure: &OtherFailure) -> Option<String> {
        loop_of(&failure.id)
    }
}

impl Cbmc {
    /// Uses this program.
    pub fn new(program: Program) -> Self {
        Cbmc {
            program,
            headers: OnceLock::new(),
            compiler: OnceLock::new(),
        }
    }

    /// The headers for 32-bit programs; none if they cannot be made, which CBMC then says.
    fn headers(&self) -> Option<&Headers32> {
        let made = self.headers.get_or_init(|| Headers32::of(COMPILER).ok());
        made.as_ref()
    }

    /// What stands before the compiler.
    fn compiler(&self) -> Option<&Compiler> {
        let made = self
            .compiler
            .get_or_init(|| Compiler::remembering(COMPILER).ok());
        made.as_ref()
    }

    /// The arguments that listing the assertions and the run itself share.
    fn base(&self, job: &Job) -> Invocation {
        let mut cbmc = Invocation::new(&self.program.path);
        if let Some(compiler) = self.compiler() {
            compiler.stand_before(&mut cbmc);
        }
        // Since 6.0, CBMC adds its own checks, and refuses every program with threads because of
        // them.
        if self.program.version.numbers.0 >= 6 {
            cbmc.arg("--no-standard-checks");
        }
        if job.safety || job.avoids_undefined {
            cbmc.args(CHECKS);
            // With threads, CBMC stops because its handling of pointers is unsound.
            if !job.threads {
                cbmc.arg("--pointer-check");
            }
        }
        // Its own checks become assumptions; the program's assertions stay.
        if job.avoids_undefined {
            cbmc.arg("--assert-to-assume");
        }
        cbmc.args(widths(&job.machine).flatten());
        // Its library is preprocessed for a 32-bit machine, then.
        if job.machine.pointer < 64 {
            for directory in self.headers().into_iter().flat_map(Headers32::directories) {
                cbmc.arg("-I").arg(directory);
            }
        }
        if job.machine.big_endian {
            cbmc.arg("--big-endian");
        }
        if job.machine.unsigned_char {
            cbmc.arg("--unsigned-char");
        }
        if let Some(elements) = job.union_elements {
            let option = "--max-field-sensitivity-array-size";
            cbmc.arg(option).arg(elements.to_string());
        }
        cbmc.args(job.define_arguments());
        cbmc
    }

    fn invocation(&self, job: &Job, ids: &[String]) -> Invocation {
        let mut cbmc = self.base(job);
        // Since 6.0, CBMC reports its progress and the size of its formula only at this verbosity.
        cbmc.args(["--verbosity", "8"]);
        if job.traces != Traces::None {
            cbmc.args(["--json-ui", "--trace"]);
        }
        explored(&mut cbmc, job);
        // Off by default in 5.x, and in 6.x because of --no-standard-checks.
        if job.unwinding_assertions {
            cbmc.arg("--unwinding-assertions");
        }
        // Slicing removes assignments that a trace should show.
        if !job.threads && job.traces == Traces::None {
            cbmc.arg("--slice-formula");
        }
        if !job.sat_preprocessor {
            cbmc.arg("--no-sat-preprocessor");
        }
        for id in ids {
            cbmc.arg("--property").arg(id);
        }
        cbmc.args(&job.extra_args).args(job.source_arguments());
        cbmc
    }

    fn answer(&self, session: &mut Session) -> Result<Answer, Failure> {
        let job = session.job;
        if widths(&job.machine).is_none() {
            let message =
                "CBMC has no data model with the widths of `int`, `long` and pointers that the program has"
                    .to_owned();
            return Err(Failure::Refused { message });
        }
        if let Some(line) = Some(job)
            .filter(|job| job.machine.unsigned_char)
            .and_then(chars::large_constant)
        {
            // Seen with 5.12 and 6.6.0: '\xff' stays -1 under --unsigned-char.
            let message = format!(
                "CBMC takes character constants above 127 for negative even where `char` is unsigned; write the number, as 0xff, in `{line}`"
            );
            return Err(Failure::Refused { message });
        }
        let ids = match &job.selection {
            Selection::All => Vec::new(),
            Selection::Only(_) | Selection::Checks(_) => {
                let ids = self.ids(session)?;
                if ids.is_empty() {
                    // Without --property, CBMC would check all assertions; no wanted one exists.
                    return Ok(Answer::default());
                }
                ids
            }
        };
        match self.run_once(session, job, &ids) {
            Err(Failure::Refused { message }) if message.contains(TOO_MANY_OBJECTS) => {
                match with_more_objects(job) {
                    Some(wider) => self.run_once(session, &wider, &ids),
                    None => Err(Failure::Refused { message }),
                }
            }
            answer => answer,
        }
    }

    /// Runs it on these assertions.
    fn run_once(
        &self,
        session: &mut Session,
        job: &Job,
        ids: &[String],
    ) -> Result<Answer, Failure> {
        let read = |out: &mut dyn Read| {
            let mut out = stage::Watched::new(out);
            match job.traces {
                Traces::None => plain::read(&mut out),
                _ => json::read(Lossy::new(&mut out), &job.traces),
            }
        };
        let invocation = self.invocation(job, ids);
        let run = match chooses_solver(job) {
            true => session.run(invocation, read)?,
            false => {
                let plain = Job {
                    sat_preprocessor: false,
                    ..job.clone()
                };
                let other = self.invocation(&plain, ids);
                session.race(invocation, other, &[0, 10], &|out, another| {
                    read(&mut formula::Watched::new(out, another))
                })?
            }
        };
        conclude(run, job.memory_mib)
    }

    /// The identifiers of the wanted assertions.
    fn ids(&self, session: &mut Session) -> Result<Vec<String>, Failure> {
        let job = session.job;
        let mut invocation = self.base(job);
        invocation
            .args(["--json-ui", "--show-properties"])
            .args(job.source_arguments());
        let run = session.run(invocation, |out| json::read_properties(Lossy::new(out)))?;
        let (properties, output) = run.output;
        match properties {
            Some(found) if run.status.success() => {
                let checked = |p: &json::Property| {
                    job.safety
                        && job.selection.wants_check(&p.description)
                        && !p.description.starts_with(OWN_PREFIX)
                        && OtherKind::of(&p.name, &p.description) == OtherKind::Program
                };
                let wanted = found
                    .into_iter()
                    .filter(|p| job.selection.wants(&p.description) || checked(p));
                Ok(wanted.map(|p| p.name).collect())
            }
            _ => Err(failure(output, run.status, &run.stderr, job.memory_mib)),
        }
    }
}

/// The argument for the widths of types; `None` if CBMC has no such model.
fn widths(machine: &Machine) -> Option<Option<&'static str>> {
    match machine.widths() {
        (32, 64, 64) => Some(None),
        (32, 32, 32) => Some(Some("--32")),
        (32, 32, 64) => Some(Some("--LLP64")),
        (64, 64, 64) => Some(Some("--ILP64")),
        // Its only model with 16-bit `int` has wider pointers; what depends on their width is refused
        // before.
        (16, 32, 16 | 32) => Some(Some("--16")),
        _ => None,
    }
}

/// The arguments that say which runs are explored: the bounds.
fn explored(cbmc: &mut Invocation, job: &Job) {
    if let Some(bound) = job.unwind {
        cbmc.arg("--unwind").arg(bound.to_string());
    }
    if !job.unwindset.is_empty() {
        let each = job.unwindset.iter();
        let each = each.map(|(name, bound)| format!("{name}:{bound}"));
        cbmc.arg("--unwindset")
            .arg(each.collect::<Vec<_>>().join(","));
    }
}

/// Whether the job itself chooses the solver.
fn chooses_solver(job: &Job) -> bool {
    let words = ["sat", "smt", "solver", "z3", "dimacs", "outfile"];
    let named = |argument: &String| words.iter().any(|word| argument.contains(word));
    !job.sat_preprocessor || job.extra_args.iter().any(named)
}

/// The job with more bits of a pointer for the number of its object, where an offset still has enough of them; none if the job itself
/// says how many. All runs with these bits from the start would make every formula larger.
fn with_more_objects(job: &Job) -> Option<Job> {
    let own = job
        .extra_args
        .iter()
        .any(|argument| argument.starts_with("--object-bits"));
    (job.machine.pointer == 64 && !own).then(|| {
        let mut wider = job.clone();
        wider
            .extra_args
            .extend(["--object-bits", "16"].map(Into::into));
        wider
    })
}

/// Accepts an answer that is complete and agrees with the exit code.
fn conclude(run: Run<Output>, memory_mib: Option<u64>) -> Result<Answer, Failure> {
    let Run {
        mut output,
        status,
        stderr,
    } = run;
    if let Some(message) = library::replaced(&output, &stderr) {
        return Err(Failure::Refused { message });
    }
    let expected = if output.all_hold { 0 } else { 10 };
    let Some(mut answer) = output.answer.take() else {
        return Err(failure(output, status, &stderr, memory_mib));
    };
    if !output.errors.is_empty() {
        return Err(failure(output, status, &stderr, memory_mib));
    }
    if status.code() != Some(expected) {
        let verdict = if output.all_hold {
            "all hold"
        } else {
            "some fail"
        };
        return Err(match process::crash(status, &stderr) {
            Some(crash) => crash,
            None => Failure::unparsable(format!("it says that {verdict}, but ended with {status}")),
        });
    }
    answer.warnings = output.warnings;
    let more = stderr
        .lines()
        .filter_map(|l| l.strip_prefix("**** WARNING: "));
    for warning in more.map(str::to_owned) {
        if !answer.warnings.contains(&warning) && answer.warnings.len() < 100 {
            answer.warnings.push(warning);
        }
    }
    Ok(answer)
}

/// Why there is no answer, from CBMC's messages.
fn failure(output: Output, status: ExitStatus, stderr: &str, memory_mib: Option<u64>) -> Failure {
    let mut words = output.errors;
    words.extend(
        stderr
            .lines()
            .map(str::trim)
            .filter(|l| is_error_line(l))
            .map(str::to_owned),
    );
    let memory = [
        "out of memory",
        "bad_alloc",
        "cannot allocate memory",
        "Out of memory",
    ];
    // With very little memory, the program cannot even be loaded.
    let unloaded = memory_mib.is_some() && stderr.contains("failed to map segment");
    let told = words
        .iter()
        .chain([&stderr.to_owned()])
        .any(|w| memory.iter().any(|m| w.contains(m)));
    if told || unloaded {
        return Failure::MemoryOut { mib: memory_mib };
    }
    if let Some(crash) = process::crash(status, stderr) {
        return crash;
    }
    if stderr.contains("invariant violation") {
        return Failure::Crashed {
            status: status.to_string(),
            stderr: stderr.to_owned(),
        };
    }
    // Exit code 6 is an internal error or an unsupported feature, 64 a bad option, 1 an exception.
    if matches!(status.code(), Some(1 | 6 | 64)) && !words.is_empty() {
        words.truncate(5);
        return Failure::Refused {
            message: words.join("; "),
        };
    }
    let problem = output
        .problem
        .unwrap_or_else(|| "it ends without a result".to_owned());
    Failure::unparsable(format!("{problem} ({status})"))
}

/// Lines on standard error that are not about warnings.
fn is_error_line(line: &str) -> bool {
    !line.is_empty() && !line.contains("warning:") && !line.starts_with("**** WARNING")
}

#[cfg(test)]
mod tests;
