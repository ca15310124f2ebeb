//! Replays a recorded run on the real program: feeds its inputs, and schedules threads so that its
//! letters come out in order.

use super::build::{Compiler, Objects};
use super::log::Log;
use super::recorded::Replay;
use super::sanitizers::{self, Undefined};
use crate::answer::{Failure, Usage};
use crate::job::Job;
use crate::locate::Program;
use crate::process::{self, Cancel, End, Invocation};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The result of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The texts of the assertions that the end of the run violates; `None` if the recorded letters
    /// did not come out.
    pub reached: Option<Vec<String>>,
    /// The greatest number of letters that came out.
    pub letters: u32,
    /// The number of runs.
    pub attempts: u64,
    /// The number of runs that ended without a verdict, by a crash for instance.
    pub crashes: u64,
    /// The number of recorded turns that the threads took, in a run that was made to take them.
    pub turns: Option<u32>,
    /// How often such a run went round the loop of an infinite run, each thread in its turns.
    pub rounds: u32,
    /// The file from which such a run reads the program's lines.
    pub lines: Option<PathBuf>,
    /// Whether no thread could go on at its end.
    pub deadlock: bool,
    /// What the compiler's sanitizers, if they were asked, have seen in the last run, which ends there.
    pub undefined: Option<Undefined>,
    /// Why the last run was given up.
    pub given_up: String,
    /// The program that was built; the seed of the run that followed the letters is `attempts`
    /// minus one.
    pub program: PathBuf,
    /// The command lines that built it.
    pub commands: Vec<String>,
}

/// The greatest number of runs.
const MOST_ATTEMPTS: u64 = 20_000;

/// The greatest number of runs of a program without threads, if each may follow another activation.
const MOST_FOLLOWED: u64 = 256;

/// If the first runs all end without a verdict, the program crashes under every schedule.
const MOST_CRASHES: u64 = 4;

/// Builds the program of `job` and executes it until one run gives the recorded letters or the
/// job's time (by default one minute) is over. A program without threads gets one run. What was compiled for other runs of this source is
/// used again, where `objects` has it.
///
/// # Errors
/// If the program cannot be built or executed.
pub fn replay(
    compiler: &Program,
    job: &Job,
    replay: &Replay,
    objects: Option<&Objects>,
    cancel: &Cancel,
) -> Result<Replayed, Failure> {
    let start = Instant::now();
    let limit = job.timeout.unwrap_or(Duration::from_secs(60));
    let compile = Compiler {
        path: &compiler.path,
        job,
        replay: Some(replay),
        objects,
        cancel,
    };
    let built = compile.build(&mut Usage::default())?;
    let mut out = Replayed {
        program: built.program,
        lines: built.lines,
        commands: built.commands,
        ..Replayed::default()
    };
    let mut most = if job.threads { MOST_ATTEMPTS } else { 1 };
    while out.attempts < most && (out.attempts == 0 || start.elapsed() < limit) {
        let left = limit
            .saturating_sub(start.elapsed())
            .max(Duration::from_secs(1));
        if attempt(&mut out, job, replay, left, cancel)? {
            most = most.max(MOST_FOLLOWED);
        }
        if out.reached.is_some() || out.crashes == out.attempts && out.attempts >= MOST_CRASHES {
            break;
        }
    }
    Ok(out)
}

/// Executes one run; returns whether another run may follow another activation.
fn attempt(
    out: &mut Replayed,
    job: &Job,
    replay: &Replay,
    left: Duration,
    cancel: &Cancel,
) -> Result<bool, Failure> {
    let mut run = Invocation::new(&out.program);
    run.args(&job.extra_args);
    run.args(std::iter::repeat_n("x", replay.arguments()));
    run.env("BA_NATIVE_SEED", out.attempts.to_string());
    if let Some(lines) = &out.lines {
        run.env("BA_NATIVE_LINES", lines);
    }
    if job.sanitized {
        let options =
            "detect_leaks=0:detect_stack_use_after_return=1:detect_invalid_pointer_pairs=2";
        run.env("ASAN_OPTIONS", options);
    }
    (out.turns, out.rounds) = (None, 0);
    let patience = replay.patience.unwrap_or(Duration::from_secs(20));
    run.limits.timeout = Some(left.min(patience));
    run.limits.memory_mib = job.memory_mib;
    out.attempts += 1;
    let ran = process::run(&run, cancel, |stream| Log::read(stream, false)).map_err(|e| {
        Failure::Spawn {
            program: out.program.display().to_string(),
            message: e.to_string(),
        }
    })?;
    let log = ran.value;
    out.undefined = match job.sanitized {
        true => sanitizers::read(&ran.stderr),
        false => None,
    };
    let asked = log.notes.iter().any(|(what, _)| what == "asked");
    for (what, number) in &log.notes {
        match what.as_str() {
            "asked" => continue,
            "turns" => {
                out.turns = number.parse().ok();
                continue;
            }
            "rounds" => {
                out.rounds = number.parse().unwrap_or(0);
                continue;
            }
            "deadlock" => out.deadlock = true,
            "followed" | "spinning" => {}
            _ => out.given_up = what.clone(),
        }
        out.letters = out.letters.max(number.parse().unwrap_or(0));
    }
    match ran.end {
        End::Cancelled => return Err(Failure::Cancelled),
        End::OutOfMemory { mib } => return Err(Failure::MemoryOut { mib }),
        End::TimedOut => out.given_up = "timeout".into(),
        End::TooMuchOutput => out.given_up = "endless".into(),
        End::Exited(status) if !log.complete() => {
            out.crashes += 1;
            out.given_up = format!("the program ended without its verdict ({status})");
        }
        // A run to a label has reached it, whatever comes later.
        End::Exited(_) if log.discarded && replay.letters.is_empty() && !log.reached.is_empty() => {
            out.reached = Some(log.reached);
        }
        End::Exited(_) if log.discarded => out.given_up = "discarded".into(),
        End::Exited(_) => {
            let followed = log.notes.iter().any(|(what, _)| what == "followed");
            let wanted = replay.wants.as_ref();
            // A run that does not reach the assertion may have taken another path.
            match followed && wanted.is_none_or(|text| log.reached.contains(text)) {
                true => out.reached = Some(log.reached),
                false if followed => out.given_up = "elsewhere".into(),
                false => {}
            }
        }
    }
    Ok(asked)
}
