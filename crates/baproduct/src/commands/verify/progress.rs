//! Progress on a terminal: the current work, elapsed time, memory; and hints after a while.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle};

use weave::record::{Record, SiteEvent};

use crate::options::Output;
use crate::outputs::tell;

/// Whether progress is shown.
pub fn is_shown(output: &Output) -> bool {
    !output.quiet && std::io::stderr().is_terminal()
}

fn target(shown: bool) -> ProgressDrawTarget {
    match shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

/// A line with the current work, removed with this value; hidden without a terminal.
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

/// A line with the progress of `count` properties; hidden without a terminal.
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
            // A failure to write the line does not matter.
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

/// The times at which a waiting user is told the current work and what may help.
const WAITS: [Duration; 4] = [
    Duration::from_secs(60),
    Duration::from_secs(300),
    Duration::from_secs(1800),
    Duration::from_secs(7200),
];

/// Reports, after a while, what takes so long, until this value is dropped.
pub struct Hints {
    /// The waiting thread ends when this sender is dropped.
    _until: Option<Sender<()>>,
}

impl Hints {
    /// Starts waiting. Quiet output gets no reports.
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

/// The report to a waiting user.
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

/// The greatest number of loops that are named.
const LOOPS: usize = 3;

/// The loops that are unrolled most often.
fn loops(stage: &backend::stage::Stage) -> String {
    let named: Vec<String> = most_unrolled(&stage.loops)
        .into_iter()
        .take(LOOPS)
        .map(|(place, count)| format!("{place} ({count} times)"))
        .collect();
    match named.is_empty() {
        true => String::new(),
        false => format!(", most unrolled: {}", named.join(", ")),
    }
}

/// The loops in words, with the number of their iterations, the most unrolled first.
pub fn most_unrolled(loops: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut counts = BTreeMap::new();
    for (place, count) in loops {
        *counts.entry(of_loop(place)).or_default() += count;
    }
    let mut all: Vec<(String, u64)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all
}

/// The place of a loop in words: that of the program, or whose loop it is. A loop of an emitted
/// function is named by the function, one of the model checker's library by `<builtin-library-F>`.
fn of_loop(place: &str) -> String {
    let library = place.strip_prefix("<builtin-library-");
    if let Some(function) = library.and_then(|rest| Some(rest.split_once('>')?.0)) {
        return format!("the model checker's `{function}`");
    }
    match (
        sequentialise::modelled_type(place),
        place.starts_with("ba_"),
    ) {
        (Some(name), _) => format!("the model of `{name}`"),
        (None, true) => "the monitor".to_owned(),
        (None, false) => place.to_owned(),
    }
}

/// Reports what makes the formula large: the sites of monitor steps, and the size with its loops.
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

#[cfg(test)]
mod tests {
    use super::most_unrolled;

    #[test]
    fn loops_that_nobody_wrote_are_named_by_what_they_are_for() {
        let loops = [
            ("queue.c:51", 20),
            ("ba_seq_broadcast", 60),
            ("ba_seq_signal", 9),
            ("ba_follow", 3),
            ("<builtin-library-memset>:40", 2),
        ];
        let loops = loops.map(|(place, count)| (place.to_owned(), count));
        let told = [
            ("the model of `pthread_cond_t`", 69),
            ("queue.c:51", 20),
            ("the monitor", 3),
            ("the model checker's `memset`", 2),
        ];
        let told = told.map(|(place, count)| (place.to_owned(), count));
        assert_eq!(most_unrolled(&loops.into_iter().collect()), told);
    }
}
