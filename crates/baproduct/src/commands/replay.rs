//! `baproduct replay`: repeats a recorded run on the real program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use backend::native::{Replay, Replayed};
use clap::Parser;
use forms::{Cause, Failure};
use question::searches::write_sources;
use verify::replay::{self, Confirmation, Recorded, RecordedProperty};
use verify::result::{Engine, Evidence, Verdict};
use weave::record::Record;

use crate::commands;
use crate::commands::verify::progress;
use crate::options::{MonitorForm, Output};
use crate::outputs;
use crate::{Cli, Command};

/// The exit status if some trace could not be confirmed.
const UNCONFIRMED: u8 = 5;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The output of `verify --format json` or `prove --format json`, or report.json of their
    /// `--report DIR`
    #[arg(value_name = "TRACE.json")]
    trace: PathBuf,
    /// Arguments of `verify` that replace those in the file (the specification, the program,
    /// options)
    #[arg(
        value_name = "ARGUMENTS OF verify",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<String>,
    /// Replay this property alone
    #[arg(long, value_name = "NAME")]
    property: Option<String>,
    /// Keep the C test in this directory, with a script that builds and runs it
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// How long to look for a schedule, for each trace
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = crate::options::seconds)]
    timeout: Duration,
    /// The compiler, if it is not gcc
    #[arg(long, value_name = "PATH")]
    compiler: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let recorded = read(&args.trace)?;
    let wanted = |p: &&RecordedProperty| args.property.as_ref().is_none_or(|name| *name == p.name);
    let properties: Vec<&RecordedProperty> = recorded
        .properties
        .iter()
        .filter(wanted)
        .filter(|p| !p.trace.is_empty())
        .collect();
    if properties.is_empty() {
        return Err(Failure::error(
            Cause::Refused,
            format!("{} has no trace to replay; make one with `verify --format json` (and --trace for verdicts that are no violation)", args.trace.display()),
        ));
    }
    let (files, record) = program(args, &recorded, output)?;
    let compiler = backend::Program::open(backend::Kind::NATIVE, args.compiler.as_deref())
        .map_err(|failure| Failure::error(Cause::NoBackend, failure.to_string()))?;
    let scratch = backend::Scratch::new()?;
    let mut out = String::new();
    let mut all = true;
    for (number, property) in properties.iter().enumerate() {
        let directory = match &args.output {
            Some(kept) if properties.len() > 1 => kept.join((number + 1).to_string()),
            Some(kept) => kept.clone(),
            None => scratch.path().join(number.to_string()),
        };
        outputs::make_directory(&directory)?;
        let sources = write_sources(&directory, &files)?;
        let line = progress::line(
            output,
            format!("{}: compiling and executing", property.name),
        );
        let (confirmed, words) = one(args, &record, property, sources, &compiler)?;
        drop(line);
        all &= confirmed;
        out += &words;
    }
    drop(scratch);
    outputs::print(out.as_bytes())?;
    Ok(if all {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(UNCONFIRMED)
    })
}

fn read(path: &Path) -> anyhow::Result<Recorded> {
    let refuse = |why: String| Failure::error(Cause::Refused, format!("{}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| refuse(format!("cannot be read: {e}")))?;
    serde_json::from_slice(&bytes)
        .map_err(|e| refuse(format!("is no result of verify or prove: {e}")))
}

/// The program of the trace, woven again with a deterministic monitor.
fn program(
    args: &Args,
    recorded: &Recorded,
    output: &Output,
) -> anyhow::Result<(Vec<forms::Emitted>, Record)> {
    let command = match args.arguments.is_empty() {
        true => recorded.command.clone(),
        false => [&["verify".to_string()], &args.arguments[..]].concat(),
    };
    let words = ["baproduct".to_string()].into_iter().chain(command);
    let words = crate::joined(words.map(Into::into));
    let parsed = Cli::try_parse_from(words).ok().map(|cli| cli.command);
    // The lassos of proofs repeat a state that is saved as with `verify --lasso`.
    let is_lasso = |p: &RecordedProperty| p.evidence == Some(Evidence::Lasso);
    let lasso = recorded.properties.iter().any(is_lasso);
    let mut verify = match parsed {
        Some(Command::Verify(asked)) => asked.verifying(lasso),
        Some(Command::Prove(prove)) => prove.verifying(lasso),
        _ => {
            return Err(Failure::error(
                Cause::Usage,
                "which program is it? give the arguments of `verify` behind the file: replay TRACE.json SPEC.json PROG.c",
            ))
        }
    };
    verify.set_monitor(MonitorForm::Dfa);
    commands::verify::program(&verify, output)
}

/// Replays one trace; returns whether it was confirmed, and the result in words.
fn one(
    args: &Args,
    record: &Record,
    property: &RecordedProperty,
    (source, linked): (PathBuf, Vec<PathBuf>),
    compiler: &backend::Program,
) -> anyhow::Result<(bool, String)> {
    let name = &property.name;
    let not_confirmed = |why: &str| (false, format!("{name}: not confirmed: {why}\n"));
    if property.evidence == Some(Evidence::Recurrence) {
        return Ok(not_confirmed(
            "no state repeats along the run, so that an execution shows its beginning alone",
        ));
    }
    if property.decided_by == Some(Engine::Steps) && property.contexts.is_empty() {
        return Ok(not_confirmed(
            "the search of all schedules tells the letters of its run and which thread makes each, not every turn of the threads \
             between them; `verify --schedules rounds:3` (with --lasso for infinite runs) shows runs that can be replayed",
        ));
    }
    let plan = match replay::plan(record, property) {
        Ok(plan) => plan,
        Err(why) => return Ok(not_confirmed(&why)),
    };
    let directory = source.parent().unwrap_or(Path::new("")).to_path_buf();
    let job = replay::job(record, source, linked, args.timeout);
    let replayed = backend::native::replay(compiler, &job, &plan, None, &backend::Cancel::new())
        .map_err(|failure| Failure::error(Cause::Other, format!("{name}: {failure}")))?;
    if args.output.is_some() {
        write_script(&directory, &replayed)?;
    }
    Ok(
        match replay::confirmation(record, &plan, property, &replayed) {
            Confirmation::Run(observed) => (true, confirmed(name, observed, &plan, &replayed)),
            Confirmation::Loop => (true, loop_confirmed(name, &plan, &replayed, record.threads)),
            Confirmation::No(why) => not_confirmed(&why),
        },
    )
}

fn confirmed(name: &str, verdict: Verdict, plan: &Replay, replayed: &Replayed) -> String {
    let letters = plan.letters.len();
    let inputs = match plan.inputs.len() + plan.choices.len() {
        0 => String::new(),
        1 => ", 1 input".into(),
        n => format!(", {n} inputs"),
    };
    let runs = match replayed.attempts {
        1 => "the first run".to_string(),
        n => format!("run {n}"),
    };
    let end = if replayed.deadlock {
        ", and ends in a deadlock"
    } else {
        ""
    };
    let taken = turns(plan, replayed);
    format!(
        "{name}: confirmed: {} {}\n  {runs} of the real program gives the {letters} recorded letters{inputs}{taken}{end}\n",
        verdict.symbol(),
        verdict.words()
    )
}

/// How many of the recorded turns the threads took, if they had to follow turns.
fn turns(plan: &Replay, replayed: &Replayed) -> String {
    match (replayed.turns, plan.turns.len()) {
        (Some(taken), all) if taken as usize >= all => {
            format!("; its threads take the {all} recorded turns")
        }
        (Some(taken), all) => {
            format!("; its threads take the first {taken} of the {all} recorded turns")
        }
        (None, _) => String::new(),
    }
}

fn loop_confirmed(name: &str, plan: &Replay, replayed: &Replayed, threads: bool) -> String {
    let times = plan.round.as_ref().map_or(0, |r| r.rounds);
    let letters = plan.letters.len();
    let before = plan.round.as_ref().map_or(0, |r| r.letters as usize);
    // If no thread has a turn in the loop, one that waits there reads for ever.
    let steps = plan.turns.iter().any(|turn| turn.repeats) || plan.turns.is_empty();
    let did = match threads {
        false => format!("goes round the loop {times} times, has the same state after each, and gives the {letters} letters of that"),
        true if letters > before => format!("goes round the loop {times} times: its threads give the {letters} letters of that in their order"),
        true if replayed.rounds > 0 => {
            let rounds = replayed.rounds;
            format!("gives the {letters} letters of the way to the loop, and then goes round it {rounds} times without another one")
        }
        true if !steps => format!("gives the {letters} letters of the way to the loop, and then a thread goes round a wait for ever"),
        true => format!("gives the {letters} letters of the way to the loop, and then goes on for ever without another one"),
    };
    let still = plan.still.iter().filter(|(_, waits)| steps || !waits);
    let still = still.map(|(t, _)| match t {
        0 => "; main never runs there".to_owned(),
        t => format!("; thread {t} never runs there"),
    });
    let taken = match replayed.turns {
        Some(_) => "; its threads take the recorded turns",
        None => "",
    };
    format!(
        "{name}: confirmed: {} {} (infinite run)\n  the real program {did}{}{taken}\n",
        Verdict::FALSE.symbol(),
        Verdict::FALSE.words(),
        still.collect::<String>()
    )
}

/// Writes a script beside the test that builds and runs it again.
fn write_script(directory: &Path, replayed: &Replayed) -> anyhow::Result<()> {
    let prefix = format!("{}/", directory.display());
    let mut script = String::from("#!/bin/sh\n# Builds the program and replays the recorded run. The record comes out on standard output:\n# `N followed` where all letters came, `R baproduct:PROPERTY:VERDICT` for what the end violates.\nset -e\ncd \"$(dirname \"$0\")\"\n");
    for command in &replayed.commands {
        script += &command.replace(&prefix, "");
        script.push('\n');
    }
    let seed = replayed.attempts.saturating_sub(1);
    let lines = replayed.lines.as_ref().and_then(|table| table.file_name());
    if let Some(lines) = lines {
        script += &format!("BA_NATIVE_LINES={} ", lines.to_string_lossy());
    }
    script += &format!("BA_NATIVE_SEED={seed} ./ba_program\n");
    let path = directory.join("run.sh");
    std::fs::write(&path, script)?;
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}
