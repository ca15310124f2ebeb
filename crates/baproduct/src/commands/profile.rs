//! `baproduct profile`: measures what makes the formula large, by making one thing smaller at a
//! time.

mod changed;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, Failure, Positions, Size};
use forms::rounds::Rounds;
use forms::{Cause, Program, Reader, SpecFile, Woven};
use question::searches::write_sources;
use question::{Wanted, SURE};
use serde::Serialize;
use verify::profile::{followed, size, Followed};
use verify::Verification;
use weave::record::{PropertyRecord, Record};

use super::verify::progress;
use crate::exit::Status;
use crate::options::{Format, Output, Weaving};
use crate::{given, outputs};

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The specification (JSON, or a property file .prp) and the C program; a task definition (.yml); or a
    /// program with `//@ ltl` formulas in its comments
    #[arg(
        required_unless_present = "compile_commands",
        value_name = "SPEC.json PROG.c | FILE.prp PROG.c | TASK.yml | PROG.c"
    )]
    inputs: Vec<PathBuf>,
    /// A formula instead of a specification, with C conditions in braces; again and again for several properties
    #[arg(long, value_name = "FORMULA")]
    ltl: Vec<String>,
    /// The model checker whose formula is measured
    #[arg(long, value_parser = super::verify::backends(), default_value = "cbmc")]
    backend: backend::Kind,
    /// The program of CBMC, if it is not the one on the path
    #[arg(long, value_name = "PATH")]
    backend_path: Option<PathBuf>,
    #[command(flatten)]
    weaving: Weaving,
    /// Which schedules of threads the formula covers: all, or those of at most R rounds [default:
    /// rounds:3]
    #[arg(long, value_name = "all|rounds:R|auto")]
    schedules: Option<Wanted>,
    /// Wall-clock time; the measurements by then are reported
    #[arg(long, value_name = "SECONDS", value_parser = crate::options::seconds, default_value = "60")]
    budget: Duration,
    /// Memory limit of the model checkers and searches that run at a time, together
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// The form of the result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The measurements, in the form of the JSON.
#[derive(Serialize)]
struct Profile {
    /// The bound of loops without a bound of their own.
    unwind: u32,
    /// The rounds of threads; `None` if the formula has all schedules, or the program has no
    /// threads.
    rounds: Option<u32>,
    steps: u64,
    variables: u64,
    clauses: u64,
    /// The measured changes, greatest saving first.
    parts: Vec<Part>,
    /// How often each loop was unrolled.
    unrolled: Vec<Unrolled>,
    /// The places where threads can be interrupted.
    threads: Vec<Thread>,
    /// The changes without time or answer for measuring them.
    not_measured: Vec<String>,
}

/// A measured change.
#[derive(Serialize)]
struct Part {
    kind: &'static str,
    what: String,
    /// The change in words.
    change: String,
    /// How much smaller the formula becomes.
    saved_steps: i64,
    saved_clauses: i64,
    /// The saving as a share of all clauses; of all steps if there are no clauses.
    share: f64,
    /// The option for the change; `None` if it would leave nothing to decide.
    hint: Option<String>,
}

#[derive(Serialize)]
struct Unrolled {
    place: String,
    times: u64,
}

#[derive(Serialize)]
struct Thread {
    thread: u32,
    positions: u64,
    waits: u64,
}

/// The greatest number of groups of properties that are left out one by one.
const PROPERTIES: usize = 12;
/// The greatest number of rows shown.
const ROWS: usize = 12;

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let begin = Instant::now();
    measurable(args.backend)?;
    let given = given::needed(&args.inputs, &args.ltl, &args.weaving, output)?;
    let wanted = args.schedules.unwrap_or_default();
    let reader = Reader {
        model: true,
        cbmc: true,
        rounds: wanted != Wanted::All,
        ..Reader::default()
    };
    let weaving = given.weaving(&args.weaving, output)?.read_by(reader);
    let program = Program::read(&given.programs, &weaving, output)?;
    let woven = forms::weave_into(&program, &given.spec, &weaving, output)?;
    let directory = backend::Scratch::new()?;
    let rounds = match wanted {
        _ if !woven.record.threads => None,
        Wanted::All => None,
        Wanted::Rounds(rounds) => Some(rounds),
        Wanted::Auto => Some(SURE),
    };
    let options = verify::Options {
        unwind: weaving.unwind,
        unwindset: weaving.unwindset.clone(),
        deadline: Some(begin + args.budget),
        memory_mib: args.memory,
        rounds,
        ..verify::Options::default()
    };
    let mut measure = Measure {
        args,
        weaving: &weaving,
        options,
        directory: directory.path().to_path_buf(),
        written: 0,
        quiet: Output {
            quiet: true,
            ..output.clone()
        },
        not_measured: Vec::new(),
    };
    let bar = progress::line(output, "measuring the formula".into());
    let profile = measure.all(&program, &given.spec, &woven)?;
    drop(bar);
    let text = match args.format {
        Format::Json => serde_json::to_string_pretty(&profile)? + "\n",
        Format::Text => text(&profile),
    };
    outputs::print(text.as_bytes())?;
    Ok(Status::Success.into())
}

/// Refuses a backend whose formula has no size.
fn measurable(kind: backend::Kind) -> anyhow::Result<()> {
    if kind.capabilities().sizes {
        return Ok(());
    }
    let why = match kind.capabilities().searches {
        true => "does not tell how large its formula is before it solves it; CBMC's formula grows with the same loops, rounds and properties, so leave --backend out",
        false => "executes one run and has no formula",
    };
    Err(forms::Failure::error(
        Cause::Usage,
        format!("--backend {}: it {why}", kind.name()),
    ))
}

/// The state that all measurements share.
struct Measure<'a> {
    args: &'a Args,
    weaving: &'a forms::Weaving,
    options: verify::Options,
    directory: PathBuf,
    /// The number of programs written so far.
    written: usize,
    /// Output without notes: the weaving of the whole program printed them.
    quiet: Output,
    not_measured: Vec<String>,
}

impl Measure<'_> {
    fn all(
        &mut self,
        program: &Program,
        spec: &SpecFile,
        woven: &Woven,
    ) -> anyhow::Result<Profile> {
        let whole = self.of(woven, self.options.rounds, None)?.map_err(|failure| {
            let why = match failure {
                Failure::Timeout { .. } => format!("the formula was not built in {} s; give a larger --budget or a smaller --unwind", self.args.budget.as_secs()),
                other => other.to_string(),
            };
            forms::Failure::error(Cause::Refused, why)
        })?;
        let mut parts = Vec::new();
        self.rounds(woven, &whole, &mut parts)?;
        self.loops(woven, &whole, &mut parts)?;
        self.properties(program, spec, woven, &whole, &mut parts)?;
        self.propositions(program, spec, woven, &whole, &mut parts)?;
        self.locks(program, spec, &whole, &mut parts)?;
        parts.sort_by_key(|p| std::cmp::Reverse((p.saved_clauses, p.saved_steps)));
        let mut loops = whole.unrolled.clone();
        loops.retain(|place, _| !place.starts_with('<'));
        let unrolled = progress::most_unrolled(&loops)
            .into_iter()
            .map(|(place, times)| Unrolled { place, times })
            .collect();
        let thread = |p: &Positions| Thread {
            thread: p.thread,
            positions: p.all,
            waits: p.waits,
        };
        Ok(Profile {
            unwind: self.options.unwind.unwrap_or(woven.record.unwind),
            rounds: self.options.rounds,
            steps: whole.steps,
            variables: whole.variables,
            clauses: whole.clauses,
            parts,
            unrolled,
            threads: whole.threads.iter().map(thread).collect(),
            not_measured: std::mem::take(&mut self.not_measured),
        })
    }

    /// Measures the size of a program's formula.
    fn of(
        &mut self,
        woven: &Woven,
        rounds: Option<u32>,
        smaller: Option<&Followed>,
    ) -> anyhow::Result<Result<Size, Failure>> {
        let directory = self.directory.join(self.written.to_string());
        self.written += 1;
        std::fs::create_dir(&directory)?;
        let (source, linked) = write_sources(&directory, &woven.files)?;
        let options = verify::Options {
            linked,
            rounds,
            ..self.options.clone()
        };
        let backend = self.backend(rounds)?;
        let asked = Verification {
            record: &woven.record,
            source: &source,
            backend: backend.as_ref(),
            options: &options,
            cancel: &Cancel::new(),
        };
        Ok(size(&asked, smaller))
    }

    fn backend(&self, rounds: Option<u32>) -> anyhow::Result<Box<dyn Backend>> {
        let plain = backend::open(self.args.backend, self.args.backend_path.as_deref())
            .map_err(|failure| forms::Failure::error(Cause::NoBackend, failure.to_string()))?;
        Ok(match rounds {
            Some(rounds) => {
                let backend = Rounds::new(plain, rounds, &self.weaving.preprocessor.cpp);
                Box::new(backend.spurious(self.weaving.spurious_wakeups))
            }
            None => plain,
        })
    }

    /// The size, or `None` with a note that it was not measured.
    fn known(&mut self, what: &str, measured: Result<Size, Failure>) -> Option<Size> {
        match measured {
            Ok(size) => Some(size),
            Err(why) => {
                self.not_measured.push(format!("{what}: {why}"));
                None
            }
        }
    }

    /// Measures one round less.
    fn rounds(&mut self, woven: &Woven, whole: &Size, parts: &mut Vec<Part>) -> anyhow::Result<()> {
        let Some(rounds) = self.options.rounds.filter(|r| *r > 1) else {
            return Ok(());
        };
        let measured = self.of(woven, Some(rounds - 1), None)?;
        if let Some(size) = self.known("one round less", measured) {
            let part = Part::new(
                ("rounds", format!("round {rounds}")),
                format!("{} rounds instead of {rounds}", rounds - 1),
                whole,
                &size,
                Some(format!("--schedules rounds:{}", rounds - 1)),
            );
            parts.push(part);
        }
        Ok(())
    }

    /// Measures each loop with one iteration less.
    fn loops(&mut self, woven: &Woven, whole: &Size, parts: &mut Vec<Part>) -> anyhow::Result<()> {
        for one in followed(&woven.record, &self.options) {
            if one.bound < 2 {
                continue;
            }
            let what = format!("{} in {}", one.place, one.function);
            let measured = self.of(woven, self.options.rounds, Some(&one))?;
            let Some(size) = self.known(&what, measured) else {
                continue;
            };
            let part = Part::new(
                ("loop", what),
                format!("{} iterations instead of {}", one.bound - 1, one.bound),
                whole,
                &size,
                Some(format!("--unwindset {}:{}", one.name, one.bound - 1)),
            );
            parts.push(part);
        }
        Ok(())
    }

    /// Measures the program without each property, or without groups of properties if there are
    /// many.
    fn properties(
        &mut self,
        program: &Program,
        spec: &SpecFile,
        woven: &Woven,
        whole: &Size,
        parts: &mut Vec<Part>,
    ) -> anyhow::Result<()> {
        let formulas: Vec<usize> = (0..spec.formulas()).collect();
        if formulas.len() < 2 {
            return Ok(());
        }
        for group in formulas.chunks(formulas.len().div_ceil(PROPERTIES)) {
            let left: Vec<usize> = formulas
                .iter()
                .copied()
                .filter(|f| !group.contains(f))
                .collect();
            let what = named(&woven.record, group);
            let spec = spec.part(&left, true, woven.record.every_event);
            let part = forms::weave_into(program, &spec, self.weaving, &self.quiet)?;
            let measured = self.of(&part, self.options.rounds, None)?;
            let Some(size) = self.known(&what, measured) else {
                continue;
            };
            let change = format!("left out ({})", states(&woven.record, group));
            let hint = format!("a run of its own for {what} (--only)");
            let part = Part::new(("property", what), change, whole, &size, Some(hint));
            parts.push(part);
        }
        Ok(())
    }
}

/// The names of the properties of a group.
fn named(record: &Record, group: &[usize]) -> String {
    let name = |n: &usize| record.properties.get(*n).map_or("", |p| p.name.as_str());
    match group {
        [one] => name(one).to_owned(),
        [first, .., last] => format!("{} to {}", name(first), name(last)),
        [] => String::new(),
    }
}

/// The sizes of the monitors of a group.
fn states(record: &Record, group: &[usize]) -> String {
    let uses = |n: usize| {
        let used = record
            .propositions
            .iter()
            .filter(|p| p.used_by.contains(&n));
        used.count()
    };
    let one =
        |p: &PropertyRecord, n: usize| format!("monitor {}, {} propositions", p.monitor, uses(n));
    match group {
        [n] => record
            .properties
            .get(*n)
            .map_or_else(String::new, |p| one(p, *n)),
        more => format!("{} properties", more.len()),
    }
}

impl Part {
    fn new(
        (kind, what): (&'static str, String),
        change: String,
        whole: &Size,
        size: &Size,
        hint: Option<String>,
    ) -> Part {
        let less = |all: u64, now: u64| all as i64 - now as i64;
        let (saved_steps, saved_clauses) = (
            less(whole.steps, size.steps),
            less(whole.clauses, size.clauses),
        );
        let (saved, all) = match whole.clauses {
            0 => (saved_steps, whole.steps),
            clauses => (saved_clauses, clauses),
        };
        // If every run needs all iterations of a loop, no run ends with fewer.
        let empties = size.clauses == 0 && whole.clauses > 0;
        Part {
            kind,
            what,
            change: match empties {
                true => format!("{change}: nothing is left to decide"),
                false => change,
            },
            saved_steps,
            saved_clauses,
            share: saved as f64 / all.max(1) as f64,
            hint: hint.filter(|_| !empties && saved > 0),
        }
    }
}

/// The measurements as text.
fn text(profile: &Profile) -> String {
    let mut out = format!(
        "The formula has {} clauses over {} variables, from {} steps of the program ({}).\n",
        profile.clauses,
        profile.variables,
        profile.steps,
        match profile.rounds {
            Some(rounds) => format!("bound {}, {rounds} rounds", profile.unwind),
            None => format!("bound {}", profile.unwind),
        }
    );
    if profile.clauses == 0 {
        out.push_str("CBMC decides it while it unrolls the program; nothing is left to solve.\n");
    }
    if !profile.parts.is_empty() {
        let wide = |cell: fn(&Part) -> &str| {
            let widths = profile
                .parts
                .iter()
                .take(ROWS)
                .map(|p| cell(p).chars().count());
            widths.max().unwrap_or_default()
        };
        let (what, change) = (wide(|p| &p.what), wide(|p| &p.change));
        out.push_str("\nWhat is saved where one thing is smaller:\n");
        for p in profile.parts.iter().take(ROWS) {
            let _ = writeln!(
                out,
                "  {:>5.1} %  {:>9} clauses  {:<8}  {:<what$}  {:<change$}",
                p.share * 100.0,
                p.saved_clauses,
                p.kind,
                p.what,
                p.change
            );
        }
    }
    if profile.parts.len() > ROWS {
        let _ = writeln!(out, "  … and {} more", profile.parts.len() - ROWS);
    }
    if !profile.unrolled.is_empty() {
        out.push_str("\nMost unrolled:\n");
        for u in profile.unrolled.iter().take(5) {
            let _ = writeln!(out, "  {}  {} times", u.place, u.times);
        }
    }
    if !profile.threads.is_empty() {
        out.push_str("\nWhere threads can be interrupted:\n");
        for t in &profile.threads {
            let _ = writeln!(
                out,
                "  thread {}  {} places, {} of them may wait",
                t.thread, t.positions, t.waits
            );
        }
    }
    for missing in &profile.not_measured {
        let _ = writeln!(out, "\nnot measured: {missing}");
    }
    let best = profile
        .parts
        .iter()
        .find_map(|p| Some((p, p.hint.as_ref()?)));
    if let Some((part, hint)) = best {
        let _ = writeln!(out, "\nWhat saves most: {hint} ({}).", part.change);
    }
    out
}
