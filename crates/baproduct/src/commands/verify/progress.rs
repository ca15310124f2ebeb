//! What is going on, on a terminal: which level, how long, how much memory.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle};

use weave::record::{Record, SiteEvent};

use crate::options::Output;
use crate::outputs::tell;

/// Whether somebody looks.
pub fn is_shown(output: &Output) -> bool {
    !output.quiet && std::io::stderr().is_terminal()
}

fn target(shown: bool) -> ProgressDrawTarget {
    match shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

/// A line that says at once what is done first, and goes with this value; hidden where nobody looks.
pub fn line(output: &Output, doing: String) -> ProgressBar {
    let shown = is_shown(output);
    let line =
        ProgressBar::with_draw_target(None, target(shown)).with_finish(ProgressFinish::AndClear);
    line.set_style(
        ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    if shown {
        line.set_message(doing);
        line.tick();
    }
    line
}

/// A line that tells how far `count` properties are; hidden where nobody looks.
pub fn bar(output: &Output, count: usize) -> ProgressBar {
    let shown = is_shown(output);
    let bar = ProgressBar::with_draw_target(Some(count as u64), target(shown));
    let counted = if count > 1 {
        "{pos}/{len} properties, "
    } else {
        ""
    };
    let template = format!("{counted}{{elapsed}}{{memory}}: {{stage}}{{wide_msg}}");
    let memory = |_: &ProgressState, out: &mut dyn Write| {
        let mib = backend::process::running_kib() / 1024;
        if mib > 0 {
            // A line that cannot be written is no reason to give up.
            let _ = write!(out, ", {mib} MiB");
        }
    };
    let stage = |_: &ProgressState, out: &mut dyn Write| {
        if let Some((stage, since)) = backend::stage::now() {
            let _ = write!(out, "{} for {} s, ", stage.doing, since.as_secs());
        }
    };
    let style = ProgressStyle::with_template(&template).map(|s| s.with_key("memory", memory));
    let style = style.map(|s| s.with_key("stage", stage));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    if shown {
        bar.tick();
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    bar
}

/// When somebody who waits is told what goes on and what may help.
const WAITS: [Duration; 4] = [
    Duration::from_secs(60),
    Duration::from_secs(300),
    Duration::from_secs(1800),
    Duration::from_secs(7200),
];

/// Says after a while what takes so long, until it ends.
pub struct Hints {
    /// The thread that waits ends with it.
    _until: Option<Sender<()>>,
}

impl Hints {
    /// Begins to wait. Nothing is said where only the result is wanted.
    pub fn start(hints: Vec<String>, output: &Output) -> Hints {
        if output.quiet {
            return Hints { _until: None };
        }
        let (stop, stopped) = channel();
        std::thread::spawn(move || {
            let begin = Instant::now();
            for wait in WAITS {
                let left = wait.saturating_sub(begin.elapsed());
                if stopped.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                tell(waiting(wait, &hints));
            }
        });
        Hints { _until: Some(stop) }
    }
}

/// What is said to somebody who waits.
fn waiting(wait: Duration, hints: &[String]) -> String {
    let stage = match backend::stage::now() {
        Some((stage, since)) => {
            format!("{} for {} s{}", stage.doing, since.as_secs(), loops(&stage))
        }
        None => "working".to_owned(),
    };
    let help = match hints {
        [] => String::new(),
        hints => format!("; what may help: {}", hints.join(", ")),
    };
    format!("after {} s: {stage}{help}", wait.as_secs())
}

/// So many loops are named.
const LOOPS: usize = 3;

/// The loops that are unrolled most often.
fn loops(stage: &backend::stage::Stage) -> String {
    let mut all: Vec<(&String, &u64)> = stage.loops.iter().collect();
    all.sort_by_key(|(place, count)| (std::cmp::Reverse(**count), place.as_str()));
    let named: Vec<String> = all
        .iter()
        .take(LOOPS)
        .map(|(place, count)| format!("{place} ({count} times)"))
        .collect();
    match named.is_empty() {
        true => String::new(),
        false => format!(", most unrolled: {}", named.join(", ")),
    }
}

/// Says what makes the formula large: loops, sites of locks and writes, monitors.
pub fn profile(record: &Record) {
    let count = |events: &[SiteEvent]| {
        let sites = record.sites.iter();
        sites.filter(|s| events.contains(&s.event)).count()
    };
    tell(format_args!(
        "the monitors of {} properties take a step at {} writes and at {} ends of areas",
        record.properties.len(),
        count(&[SiteEvent::Write]),
        count(&[SiteEvent::Enter, SiteEvent::Leave]),
    ));
    if let Some(stage) = backend::stage::largest() {
        let (steps, clauses) = (stage.steps, stage.clauses);
        tell(format_args!(
            "the largest formula has {steps} steps and {clauses} clauses{}",
            loops(&stage)
        ));
    }
}
