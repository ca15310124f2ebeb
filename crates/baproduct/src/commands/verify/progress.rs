//! What is going on, on a terminal: which level, how long, how much memory.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::options::Output;

/// A line that tells how far `count` properties are; hidden where nobody looks.
pub fn bar(output: &Output, count: usize) -> ProgressBar {
    let shown = !output.quiet && std::io::stderr().is_terminal();
    let target = match shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    let counted = if count > 1 {
        "{pos}/{len} properties, "
    } else {
        ""
    };
    let template = format!("{counted}{{elapsed}}{{memory}}: {{wide_msg}}");
    let memory = |_: &ProgressState, out: &mut dyn Write| {
        let mib = backend::process::running_kib() / 1024;
        if mib > 0 {
            // A line that cannot be written is no reason to give up.
            let _ = write!(out, ", {mib} MiB");
        }
    };
    let style = ProgressStyle::with_template(&template).map(|s| s.with_key("memory", memory));
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    if shown {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    bar
}
