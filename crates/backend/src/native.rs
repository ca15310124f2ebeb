//! The native backend compiles and executes the monitored program with real threads and inputs; its
//! runtime (`templates/native.c`) records the run.
//!
//! One run is no search: only what the record reaches is known. The answer has outcomes for the
//! assertions of that run; `verify` reports it as one observed run.

mod build;
mod lines;
mod log;
mod recorded;
mod replay;
mod sanitizers;

use crate::answer::{Answer, Failure, Finished, Outcome, StepKind, TraceStep, Usage, Value};
use crate::capabilities::{Advice, Assumption, Capabilities};
use crate::job::{Job, Traces};
use crate::locate::Program;
use crate::process::{self, Cancel, End, Invocation};
use crate::Backend;
use log::{Line, Log};
use std::time::Instant;

use build::Compiler;
pub use build::Objects;
pub use recorded::{Replay, Round, Turn};
pub use replay::{replay, Replayed};
pub use sanitizers::{Undefined, PAIR};

/// The key of the observed run's steps in [`Answer::traces`].
pub const RUN: &str = "baproduct:run";

/// Descriptions for users.
pub(crate) const ADVICE: Advice = Advice {
    purpose: "one observed run of a program",
    option: Some("No search: compile the program and execute it once"),
    remedies: &["Debian, Ubuntu: apt install gcc"],
};

/// The capabilities of an executed program.
pub(crate) const CAPABILITIES: Capabilities = Capabilities {
    searches: false,
    shared_pointers: true,
    nonlocal_jumps: true,
    thread_locals: true,
    assumption: Assumption::Run,
    enumerates: false,
    switches_within: true,
    own_headers: false,
    context_bound: false,
    traces: true,
    shows_calls: true,
    coverage: false,
    sizes: false,
    k_induction: false,
    checks: false,
    avoids_undefined: false,
    checks_pointers_of_threads: false,
    allocates: false,
    encodes_once: false,
    guesses_apart: false,
};

/// The system's C compiler, and the programs that it builds.
#[derive(Debug)]
pub struct Native {
    program: Program,
}

impl Native {
    /// Uses this compiler.
    pub fn new(program: Program) -> Self {
        Native { program }
    }

    fn execute(
        &self,
        job: &Job,
        cancel: &Cancel,
        usage: &mut Usage,
        command: &mut String,
    ) -> Result<Answer, Failure> {
        let compiler = Compiler {
            path: &self.program.path,
            job,
            replay: None,
            objects: None,
            cancel,
        };
        let program = compiler.build(usage)?.program;
        let mut run = Invocation::new(&program);
        run.args(&job.extra_args);
        run.limits.timeout = job.timeout;
        run.limits.memory_mib = job.memory_mib;
        run.interactive = true;
        run.env("BA_NATIVE_SEED", job.seed.to_string());
        *command = run.shell();
        let keep = job.traces != Traces::None;
        let ran = process::measured(&run, cancel, (1, usage), |out| Log::read(out, keep))?;
        let limit = job.timeout.unwrap_or_default();
        match ran.end {
            End::Cancelled => return Err(Failure::Cancelled),
            End::OutOfMemory { mib } => return Err(Failure::MemoryOut { mib }),
            End::TooMuchOutput => {
                return Err(Failure::unparsable("the program records without end"))
            }
            // If it could, the runtime recorded the verdict of the word up to this point.
            End::TimedOut if !ran.value.complete() => return Err(Failure::Timeout { limit }),
            End::TimedOut => {}
            End::Exited(status) if !ran.value.complete() => {
                return Err(process::crash(status, "").unwrap_or_else(|| {
                    Failure::unparsable(format!("the program ended without its verdict ({status})"))
                }))
            }
            End::Exited(_) => {}
        }
        answer(ran.value)
    }
}

impl Backend for Native {
    fn program(&self) -> &Program {
        &self.program
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        let (mut usage, mut command) = (Usage::default(), String::new());
        let start = Instant::now();
        let result = self.execute(job, cancel, &mut usage, &mut command);
        usage.seconds = start.elapsed().as_secs_f64();
        Finished {
            result,
            usage,
            command,
        }
    }
}

/// The answer from the record of a complete run.
fn answer(log: Log) -> Result<Answer, Failure> {
    let mut answer = Answer::default();
    if log.discarded {
        return Err(Failure::Undecided {
            message: "the specification discards the observed run (prune, assume)".into(),
        });
    }
    if log.stopped {
        answer.warnings.push(STOPPED.into());
    }
    for text in &log.reached {
        answer.outcomes.insert(text.clone(), Outcome::Fails);
    }
    if !answer.outcomes.contains_key("baproduct:end") {
        return Err(Failure::unparsable("the program ended without its verdict"));
    }
    answer.traces.insert(RUN.into(), steps(&log));
    Ok(answer)
}

/// The warning about a run that was ended from outside.
pub const STOPPED: &str = "the run was ended from outside; its word is a prefix";

/// The record in the form of model checkers' traces: thread and site, and the values of the emitted
/// variables after the event.
fn steps(log: &Log) -> Vec<TraceStep> {
    let mut steps = Vec::new();
    for line in &log.lines {
        let mut assign = |thread: u32, lhs: &str, number: i128| {
            steps.push(TraceStep {
                thread: Some(thread),
                location: Default::default(),
                kind: StepKind::Assignment {
                    lhs: lhs.to_owned(),
                    value: Value {
                        text: number.to_string(),
                        number: Some(number),
                    },
                },
            });
        };
        match line {
            Line::Letter(letter) => {
                if let Some(site) = letter.site {
                    assign(letter.thread, "ba_site", site.into());
                }
                for (name, value) in log.variables.iter().zip(&letter.values) {
                    assign(letter.thread, name, i128::from(*value));
                }
                for (name, (state, _)) in log.states.iter().zip(&letter.states) {
                    assign(letter.thread, name, i128::from(*state));
                }
            }
            Line::Input {
                thread,
                name,
                value,
            } => {
                assign(*thread, &format!("return_value_{name}"), *value);
            }
        }
    }
    steps
}

#[cfg(test)]
mod tests;
