//! Replaying a recorded run on the real program: its inputs are fed, its letters have to come out in
//! their order, threads take turns so that they do.

use super::build::Compiler;
use super::log::Log;
use crate::answer::{Failure, Usage};
use crate::job::Job;
use crate::locate::Program;
use crate::process::{self, Cancel, End, Invocation};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A recorded run, as far as it can be enforced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The thread (in the order of starts, `main` is 0) and the values of the property's
    /// propositions, for each letter.
    pub letters: Vec<(u32, Vec<bool>)>,
    /// The thread and the site of every event, those that are no letters too; empty where they are not
    /// known.
    pub events: Vec<(u32, u32)>,
    /// The propositions of the property, as indices into those of the program.
    pub watched: Vec<usize>,
    /// Whether an event that changes none of them is a letter, too.
    pub every_event: bool,
    /// Whether the first letter is that of the start.
    pub first_letter: bool,
    /// Whether the recorded run was cut behind its last letter.
    pub prefix: bool,
    /// The function that gives it, and the value, for each input, in order.
    pub inputs: Vec<(String, i128)>,
    /// The thread, the site and the value of each choice of the environment, in order.
    pub choices: Vec<(u32, u32, i128)>,
    /// For an infinite run, its loop.
    pub round: Option<Round>,
}

/// The loop of an infinite run. The letters and choices of a [`Replay`] are then those before it and
/// those of all rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// How often it is gone round.
    pub rounds: u32,
    /// The site of the save point at which it begins and ends.
    pub site: u32,
    /// The letters before it.
    pub letters: u32,
    /// The choices before it.
    pub choices: u32,
}

/// How a replay went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The texts of the assertions that the end of the run violates, if the recorded letters came
    /// out.
    pub reached: Option<Vec<String>>,
    /// How many letters came out, at most.
    pub letters: u32,
    /// How many runs were tried.
    pub attempts: u64,
    /// How many of them ended without their verdict, by a crash for instance.
    pub crashes: u64,
    /// At its end no thread could go on.
    pub deadlock: bool,
    /// Why the last run was given up.
    pub given_up: String,
    /// The program that was built; the seed of the run that followed the letters is the number of
    /// attempts minus one.
    pub program: PathBuf,
    /// The command lines that built it.
    pub commands: Vec<String>,
}

impl Replay {
    /// Whether the program has to be built so that it takes its inputs from here.
    pub(super) fn feeds(&self) -> bool {
        !self.choices.is_empty() || self.round.is_some()
    }

    /// C declarations of what the scheduler follows.
    pub(super) fn declare(&self, own: &dyn Fn(&str) -> String, text: &mut String) {
        let _ = writeln!(
            text,
            "struct scheduled {{ unsigned thread; const char *values; }};"
        );
        let _ = writeln!(text, "const struct scheduled {}[] = {{", own("schedule"));
        for (thread, values) in &self.letters {
            let values: String = values.iter().map(|v| if *v { '1' } else { '0' }).collect();
            let _ = writeln!(text, "  {{ {thread}, \"{values}\" }},");
        }
        let _ = writeln!(
            text,
            "  {{ 0, 0 }}\n}};\nconst unsigned {} = {};",
            own("scheduled"),
            self.letters.len()
        );
        let _ = writeln!(
            text,
            "struct choice {{ unsigned thread, site; long long value; }};"
        );
        let _ = writeln!(text, "const struct choice {}[] = {{", own("choices"));
        for (thread, site, value) in &self.choices {
            let bits = *value as i64;
            let _ = writeln!(
                text,
                "  {{ {thread}, {site}, (long long){}ull }},",
                bits as u64
            );
        }
        let _ = writeln!(
            text,
            "  {{ 0, 0, 0 }}\n}};\nconst unsigned {} = {};",
            own("chosen"),
            self.choices.len()
        );
        let round = self.round.clone().unwrap_or_default();
        for (name, number) in [
            ("rounds", round.rounds),
            ("begins", round.site),
            ("letters_before", round.letters),
            ("choices_before", round.choices),
        ] {
            let _ = writeln!(text, "const unsigned {} = {number};", own(name));
        }
        let _ = writeln!(text, "struct event {{ unsigned thread; long site; }};");
        let _ = writeln!(text, "const struct event {}[] = {{", own("event"));
        for (thread, site) in &self.events {
            let _ = writeln!(text, "  {{ {thread}, {site} }},");
        }
        let _ = writeln!(
            text,
            "  {{ 0, 0 }}\n}};\nconst unsigned {} = {};",
            own("events"),
            self.events.len()
        );
        let watched = self.watched.iter().chain(&[0]);
        let watched: Vec<String> = watched.map(usize::to_string).collect();
        let _ = writeln!(
            text,
            "const unsigned {}[] = {{ {} }};",
            own("watched"),
            watched.join(", ")
        );
        let _ = writeln!(
            text,
            "const unsigned {} = {};",
            own("watches"),
            self.watched.len()
        );
        let _ = writeln!(
            text,
            "const int {} = {}, {} = {}, {} = {};",
            own("every_event"),
            u8::from(self.every_event),
            own("first_letter"),
            u8::from(self.first_letter),
            own("prefix"),
            u8::from(self.prefix)
        );
    }
}

/// So many runs are tried at most.
const MOST_ATTEMPTS: u64 = 20_000;

/// A program whose first runs all end without their verdict crashes whatever the schedule is.
const MOST_CRASHES: u64 = 4;

/// Builds the program of `job` and tries runs of it, until one gives the recorded letters or the
/// job's time (one minute if it has none) is over. A program without threads has one run.
///
/// # Errors
/// Where it cannot be built or executed at all.
pub fn replay(
    compiler: &Program,
    job: &Job,
    replay: &Replay,
    cancel: &Cancel,
) -> Result<Replayed, Failure> {
    let start = Instant::now();
    let limit = job.timeout.unwrap_or(Duration::from_secs(60));
    let compile = Compiler {
        path: &compiler.path,
        job,
        replay: Some(replay),
        cancel,
    };
    let built = compile.build(&mut Usage::default())?;
    let mut out = Replayed {
        program: built.program,
        commands: built.commands,
        ..Replayed::default()
    };
    let most = if job.threads { MOST_ATTEMPTS } else { 1 };
    while out.attempts < most && (out.attempts == 0 || start.elapsed() < limit) {
        let left = limit
            .saturating_sub(start.elapsed())
            .max(Duration::from_secs(1));
        attempt(&mut out, job, replay, left, cancel)?;
        if out.reached.is_some() || out.crashes == out.attempts && out.attempts >= MOST_CRASHES {
            break;
        }
    }
    Ok(out)
}

fn attempt(
    out: &mut Replayed,
    job: &Job,
    replay: &Replay,
    left: Duration,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let mut run = Invocation::new(&out.program);
    run.args(&job.extra_args);
    run.env("BA_NATIVE_SEED", out.attempts.to_string());
    run.limits.timeout = Some(left.min(Duration::from_secs(20)));
    run.limits.memory_mib = job.memory_mib;
    out.attempts += 1;
    let ran = process::run(&run, cancel, |stream| Log::read(stream, false)).map_err(|e| {
        Failure::Spawn {
            program: out.program.display().to_string(),
            message: e.to_string(),
        }
    })?;
    let log = ran.value;
    for (what, number) in &log.notes {
        match what.as_str() {
            "deadlock" => out.deadlock = true,
            "followed" | "spinning" => {}
            _ => out.given_up = what.clone(),
        }
        out.letters = out.letters.max(number.parse().unwrap_or(0));
    }
    match ran.end {
        End::Cancelled => return Err(Failure::Cancelled),
        End::TimedOut => out.given_up = "timeout".into(),
        End::TooMuchOutput => out.given_up = "endless".into(),
        End::Exited(status) if !log.complete() => {
            out.crashes += 1;
            out.given_up = format!("the program ended without its verdict ({status})");
        }
        // A run to a label has reached it whatever comes later.
        End::Exited(_) if log.discarded && replay.letters.is_empty() && !log.reached.is_empty() => {
            out.reached = Some(log.reached);
        }
        End::Exited(_) if log.discarded => out.given_up = "discarded".into(),
        End::Exited(_) => {
            if log.notes.iter().any(|(what, _)| what == "followed") {
                out.reached = Some(log.reached);
            }
        }
    }
    Ok(())
}
