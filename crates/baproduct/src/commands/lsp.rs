//! `baproduct lsp`: the language server on standard input and output.
//!
//! The `lsp` crate speaks the protocol. Here are the files, the checks, which take the path of `check`, and the
//! verifications, each a process that runs `verify`.

mod known;
mod overlay;

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::lsp::{Checked, Finding, Host, Job, Outcome, RunStep, Stop, Where};
use anyhow::Context;
use backend::process::{self, End, Invocation};
use backend::Cancel;
use clap::Parser;
use forms::{entries, Program, SpecFile, Texts};
use known::{Key, Known};
use serde::Deserialize;
use spec::{Diagnostic, Severity};
use verify::result::{PropertyResult, Verdict};

use crate::collected::Collected;
use crate::exit::Status;
use crate::options::{Output, Weaving};

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Speak on standard input and output, which is all that there is; editors give it
    #[arg(long)]
    stdio: bool,
}

/// The time between SIGTERM and SIGKILL for a verification.
const GRACE: Duration = Duration::from_secs(3);

/// The number of formulas of a specification that are explained.
const EXPLAINED: usize = 50;

/// Serves the client.
pub fn run(_: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let editor = Editor {
        output: output.clone(),
        known: Mutex::new(None),
    };
    let input = BufReader::new(std::io::stdin());
    let orderly = ::lsp::serve(Arc::new(editor), input, std::io::stdout());
    Ok(match orderly {
        true => Status::Success.into(),
        false => Status::Failure.into(),
    })
}

/// What the server may do here.
struct Editor {
    output: Output,
    /// The program that was read last. A check takes it out, so that one that panics leaves none behind.
    known: Mutex<Option<Known>>,
}

/// The options that the client sets, as on the command line.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Options {
    #[command(flatten)]
    weaving: Weaving,
}

impl Host for Editor {
    fn read(&self, path: &Path) -> Option<String> {
        forms::read_list(path).ok()
    }

    fn siblings(&self, path: &Path) -> Vec<PathBuf> {
        let entries = path.parent().map(std::fs::read_dir);
        let entries = entries.into_iter().flatten().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files
    }

    fn check(&self, job: &Job, stop: &Stop, named: &dyn Fn(Checked)) -> Option<Checked> {
        let collected = Collected::default();
        let output = Output {
            collected: Some(collected.clone()),
            ..self.output.clone()
        };
        let mut checked = Checked::default();
        let mut findings = None;
        let mut tell = |checked: &Checked| {
            let known = collected.take();
            findings = Some(known.clone());
            named(Checked {
                findings: known,
                ..checked.clone()
            });
        };
        if let Err(error) = self.checked(job, &output, &mut checked, (stop, &mut tell)) {
            let text = format!("{error:#}");
            if !text.is_empty() {
                collected.add(Diagnostic::error(text, 0..0), Where::File);
            }
        }
        if stop.is_asked() {
            return None;
        }
        let rest = collected.take();
        (checked.findings, checked.planned) = match findings {
            Some(known) => (known, Some(rest)),
            None => (rest, Some(Vec::new())),
        };
        if job.programs.is_empty() {
            checked.findings.push(unknown_program());
        }
        Some(checked)
    }

    fn errors(&self, job: &Job) -> Vec<Finding> {
        let collected = Collected::default();
        let output = Output {
            collected: Some(collected.clone()),
            ..self.output.clone()
        };
        let read = || -> anyhow::Result<()> {
            let options = Options::try_parse_from(&job.arguments)?;
            let mut weaving = options.weaving.options()?;
            let texts = overlay::included(&job.programs, &job.unsaved);
            weaving.preprocessor.unsaved = Arc::new(texts);
            Program::read_only(&job.programs, &weaving, &output)
        };
        // A refusal has been collected.
        let _ = read();
        collected.take()
    }

    fn verify(&self, job: &Job, property: &str, stop: &Stop) -> Result<Vec<Outcome>, String> {
        verify(job, property, stop).map_err(|error| format!("{error:#}"))
    }
}

fn unknown_program() -> Finding {
    let mut diagnostic = Diagnostic::error("the program of this specification is not known", 0..0)
        .help("name it in the settings (`programs`), or give it the name of the specification with the ending `.c`");
    diagnostic.severity = Severity::Note;
    Finding {
        file: None,
        place: Where::File,
        diagnostic,
    }
}

impl Editor {
    /// Does what `check` does, and keeps what the server answers from: calls `tell` before the plan is made, and ends early if it
    /// is asked to.
    fn checked(
        &self,
        job: &Job,
        output: &Output,
        checked: &mut Checked,
        (stop, tell): (&Stop, &mut dyn FnMut(&Checked)),
    ) -> anyhow::Result<()> {
        let options = Options::try_parse_from(&job.arguments).context("the setting `arguments`")?;
        let given = options.weaving;
        let mut weaving = given.options()?;
        weaving.reader.tells = true;
        let texts = overlay::included(&job.programs, &job.unsaved);
        weaving.preprocessor.unsaved = Arc::new(texts);
        let spec = specification(job, given.tick, output);
        if let Ok(spec) = &spec {
            checked.formulas = spec.explained(EXPLAINED);
        }
        if job.programs.is_empty() || stop.is_asked() {
            return spec.map(|_| ());
        }
        let named = spec.as_ref().ok().map(|spec| spec.spec());
        let asked = entries::Asked::of(named, &given.entry.wanted());
        weaving.machine.entries =
            asked.map_err(|refusal| refusal.ended(spec.as_ref().ok(), output))?;
        // The names of the program are of use even if the specification is refused.
        let known = self.program(job, &weaving, output);
        if let Ok(known) = &known {
            checked.index = Some(known.index.clone());
        }
        let (spec, known) = match (spec, known) {
            (Ok(spec), Ok(known)) => (spec, known),
            (Err(error), known) => {
                *self.last() = known.ok();
                return Err(error);
            }
            (_, Err(error)) => return Err(error),
        };
        let fits = forms::fit_into(&known.program, &spec, &weaving, output, |meanings| {
            checked.meanings = meanings;
            let wanted = !stop.is_asked();
            if wanted {
                tell(checked);
            }
            wanted
        });
        *self.last() = Some(known);
        fits
    }

    /// The program of a job, read anew if something of it has changed; what is to be said of it is told.
    fn program(
        &self,
        job: &Job,
        weaving: &forms::Weaving,
        output: &Output,
    ) -> anyhow::Result<Known> {
        let key = Key::of(job, weaving);
        let last = self.last().take().filter(|last| last.is_current(&key));
        let (known, findings) = match last {
            Some(last) => {
                let findings = last.findings.clone();
                (Ok(last), findings)
            }
            None => Known::read(key, weaving, output),
        };
        if let Some(collected) = &output.collected {
            findings
                .into_iter()
                .for_each(|finding| collected.put(finding));
        }
        known
    }

    fn last(&self) -> std::sync::MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the specification as it stands in the editor.
fn specification(
    job: &Job,
    tick: Option<requirements::Tick>,
    output: &Output,
) -> anyhow::Result<SpecFile> {
    let text = |path: &Path| -> anyhow::Result<(String, String)> {
        let text = match job.unsaved.get(path) {
            Some(text) => text.clone(),
            None => forms::read_list(path)?,
        };
        Ok((path.display().to_string(), text))
    };
    let (file, lists) = match &job.spec {
        Some(spec) => (Some(text(spec)?), Vec::new()),
        None if job.requirements.is_some() => (None, Vec::new()),
        None => {
            let lists: anyhow::Result<Vec<_>> = job.programs.iter().map(|p| text(p)).collect();
            (None, lists?)
        }
    };
    let texts = Texts::of(file, lists);
    match &job.requirements {
        Some(path) => texts.with_requirements(text(path)?, tick).read(output),
        None => texts.read(output),
    }
}

/// The fields of a result that are read.
#[derive(Deserialize)]
struct Answer {
    properties: Vec<PropertyResult>,
}

/// Runs `verify` on the files, for one property.
fn verify(job: &Job, property: &str, stop: &Stop) -> anyhow::Result<Vec<Outcome>> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut invocation = Invocation::new(program);
    invocation.arg("verify").args(&job.spec).args(&job.programs);
    if let Some(requirements) = &job.requirements {
        invocation.arg("--requirements").arg(requirements);
    }
    invocation.args(&job.arguments).args(&job.verify_arguments);
    invocation.arg("--only").arg(property);
    invocation.args(["--format", "json", "--color", "never"]);
    invocation.limits.grace = GRACE;
    let cancel = Cancel::new();
    let read = |out: &mut dyn Read| {
        let mut text = Vec::new();
        out.read_to_end(&mut text).map(|_| text)
    };
    let ran = std::thread::scope(|scope| {
        let run = scope.spawn(|| process::run(&invocation, &cancel, read));
        while !run.is_finished() {
            if stop.is_asked() {
                cancel.cancel();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        run.join()
    });
    let ran = ran.map_err(|_| anyhow::anyhow!("the verification could not be run"))?;
    let ran = ran.context("cannot start the verification")?;
    match ran.end {
        End::Exited(_) => {}
        End::Cancelled => anyhow::bail!("cancelled"),
        End::TimedOut | End::TooMuchOutput | End::OutOfMemory { .. } => {
            anyhow::bail!("the verification came to no end")
        }
    }
    let answer: Result<Answer, _> = serde_json::from_slice(&ran.value?);
    let answer = answer.map_err(|_| anyhow::anyhow!("{}", ran.stderr.trim().to_owned()))?;
    Ok(answer.properties.into_iter().map(outcome).collect())
}

fn outcome(result: PropertyResult) -> Outcome {
    let verdict = result.answer.verdict;
    let holds = result.answer.holds;
    let steps = result.run.trace.into_iter().filter(|step| step.line > 0);
    let run = steps.map(|step| RunStep {
        file: std::path::absolute(&step.file).unwrap_or_else(|_| PathBuf::from(&step.file)),
        line: step.line - 1,
        what: step.what,
    });
    Outcome {
        property: result.asked.name,
        verdict: format!("{} {}, {}", verdict.symbol(), verdict.words(), holds.name()),
        violated: matches!(verdict, Verdict::FALSE | Verdict::PRESUMABLY_FALSE),
        reason: result.answer.reason,
        run: run.collect(),
    }
}
