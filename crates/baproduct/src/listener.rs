//! What is said of programs and specifications while they are read: on standard error, or to an editor.

use std::fmt;

use cfront::diag::Place;
use forms::{Listener, Work};
use indicatif::ProgressBar;
use lsp::Where;
use spec::{Diagnostic, Severity, Sources};

use crate::commands::verify::progress;
use crate::notes::tell;
use crate::options::Output;

impl Output {
    /// Whether a diagnostic is not wanted.
    fn ignores(&self, diagnostic: &Diagnostic) -> bool {
        self.quiet && diagnostic.severity != Severity::Error
    }
}

impl Listener for Output {
    fn program(&self, diagnostic: Diagnostic, place: Option<&Place>) {
        match place {
            Some(place) => say_at(diagnostic, place, self),
            None => say(&diagnostic, "", self),
        }
    }

    fn specification(&self, diagnostic: &Diagnostic, sources: &Sources) {
        if self.ignores(diagnostic) {
            return;
        }
        if let Some(collected) = &self.collected {
            return match sources.located(diagnostic) {
                Some((own, _)) => {
                    let place = Where::Bytes(own.span.clone());
                    collected.add(own, place);
                }
                None => collected.add(diagnostic.clone(), Where::File),
            };
        }
        tell(sources.show(diagnostic, self.color_stderr()));
    }

    fn note(&self, remark: fmt::Arguments) {
        if !self.quiet {
            tell(format_args!("note: {remark}"));
        }
    }

    fn tell(&self, line: fmt::Arguments) {
        if !self.quiet {
            tell(line);
        }
    }

    fn detail(&self, line: fmt::Arguments) {
        if self.verbose > 0 {
            tell(line);
        }
    }

    fn preprocessor(&self, messages: &str) -> bool {
        let collected = self.collected.as_ref();
        collected.is_some_and(|collected| collected.preprocessor(messages))
    }

    fn reading(&self, files: &str) -> Box<dyn Work> {
        let line = progress::line(self, format!("reading {files}"));
        Box::new(Shown(line))
    }

    fn searching(&self, properties: usize) -> Box<dyn Work> {
        Box::new(Shown(progress::bar(self, properties)))
    }
}

/// A line on the terminal, removed with this value.
struct Shown(ProgressBar);

impl Work for Shown {
    fn doing(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    fn left(&self, properties: usize) {
        let length = self.0.length().unwrap_or_default();
        self.0
            .set_position(length.saturating_sub(properties as u64));
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Prints a diagnostic about a place of a text on standard error.
pub fn say(diagnostic: &Diagnostic, text: &str, output: &Output) {
    if output.ignores(diagnostic) {
        return;
    }
    if let Some(collected) = &output.collected {
        return collected.add(diagnostic.clone(), Where::File);
    }
    tell(spec::render(diagnostic, text, output.color_stderr()));
}

/// Prints a diagnostic about a place of the program. The renderer counts lines itself, so empty
/// lines put the text at the right line number.
fn say_at(mut diagnostic: Diagnostic, place: &Place, output: &Output) {
    if let Some(collected) = &output.collected {
        let start = (place.column as usize).saturating_sub(1);
        let bytes = start..start + (place.underline.1 - place.underline.0);
        return collected.add(diagnostic, Where::Line(place.line.max(1) - 1, bytes));
    }
    let mut before = "\n".repeat((place.line.max(1) - 1) as usize);
    let (from, to) = place.underline;
    // Only a part of an overlong line is shown, at its original columns.
    let cut = (place.column as usize).saturating_sub(1 + from);
    before.push_str(&" ".repeat(cut));
    diagnostic.span = before.len() + from..before.len() + to;
    let text = before + &place.text + "\n";
    say(&diagnostic, &text, output);
}
