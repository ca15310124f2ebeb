//! Diagnostics of the whole tool: a message about a place of an input text, and how it is rendered.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// Probably a mistake; the input is accepted.
    Warning,
    /// The input is refused.
    Error,
}

impl Severity {
    /// The severity as a lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place with an explanation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Annotation {
    /// Byte offsets in the source.
    pub span: Range<usize>,
    /// A few words.
    pub text: String,
}

/// A message about one place in one source text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// The name of the source text, as the user gave it: a path, `-`, or the name of an option.
    pub source: String,
    /// The severity.
    pub severity: Severity,
    /// The message itself: one line that makes sense without the source.
    pub title: String,
    /// The bytes that the message concerns; an empty range is a place between two characters.
    pub span: Range<usize>,
    /// A few words, shown at the place.
    pub label: Option<String>,
    /// Other places in the same source that explain the message.
    pub secondary: Vec<Annotation>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// What the user can do.
    pub help: Option<String>,
    /// The text that was probably meant, in the place of the one at [`Diagnostic::span`].
    pub replacement: Option<String>,
}

impl Diagnostic {
    /// An error at a place, in a source that [`Diagnostic::source`] will name.
    pub fn error(title: impl Into<String>, span: Range<usize>) -> Self {
        Diagnostic {
            source: String::new(),
            severity: Severity::Error,
            title: title.into(),
            span,
            label: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            replacement: None,
        }
    }

    /// A warning at a place.
    pub fn warning(title: impl Into<String>, span: Range<usize>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(title, span)
        }
    }

    /// Sets the name of the source text.
    pub fn in_source(mut self, name: impl Into<String>) -> Self {
        self.source = name.into();
        self
    }

    /// Sets the words at the place.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets the advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the text that was probably meant.
    pub fn replacement(mut self, text: impl Into<String>) -> Self {
        self.replacement = Some(text.into());
        self
    }

    /// Adds a fact that explains the message.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds another place with an explanation.
    pub fn secondary(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.secondary.push(Annotation {
            span,
            text: text.into(),
        });
        self
    }

    /// Line and column of the place in `text`, both from 1; the column counts characters.
    pub fn position(&self, text: &str) -> (usize, usize) {
        let before = &text[..clamp(text, &self.span).start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}

/// Longer lines are not shown whole: the place would be hard to find.
const LONGEST_LINE: usize = 1000;

/// The largest distance in bytes of a secondary place that is shown.
const FARTHEST: usize = 1 << 16;

/// Renders the message with the lines of the source, underlined, without a newline at the end.
/// `text` is the source text; `color` adds terminal colours.
pub fn render(diagnostic: &Diagnostic, text: &str, color: bool) -> String {
    render_from(diagnostic, text, 1, color)
}

/// As [`render`], for a text whose first line is line `first_line` of the source.
pub fn render_from(diagnostic: &Diagnostic, text: &str, first_line: usize, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group: Group<'_> = Group::with_title(level.primary_title(printable(&diagnostic.title)));
    group = match window(diagnostic, text) {
        Some(window) => group.element(snippet(diagnostic, text, window, first_line)),
        None if diagnostic.source.is_empty() && text.is_empty() => group,
        None => {
            let (line, column) = diagnostic.position(text);
            let origin = Origin::path(printable(&diagnostic.source));
            let line = line + first_line.saturating_sub(1);
            let group = group.element(origin.line(line).char_column(column));
            match part(diagnostic, text) {
                Some(part) => group.element(part.line_start(line)),
                None => group,
            }
        }
    };
    let notes = diagnostic
        .notes
        .iter()
        .map(|n| Level::NOTE.message(printable(n)));
    let help = diagnostic
        .help
        .iter()
        .map(|h| Level::HELP.message(printable(h)));
    group = group.elements(notes.chain(help));
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let rendered = renderer.render(&[group]);
    // Before a part of a line, the renderer repeats an empty heading for the source.
    let mut lines = rendered.lines().filter(|line| !is_empty_heading(line));
    let first = lines.next().unwrap_or_default().to_string();
    lines.fold(first, |text, line| text + "\n" + line)
}

/// Whether a line consists of the sign of a heading and colours only.
fn is_empty_heading(line: &str) -> bool {
    let mut rest = line.to_string();
    while let Some(start) = rest.find('\u{1b}') {
        let length = rest[start..]
            .find('m')
            .map_or(rest.len() - start, |i| i + 1);
        rest.replace_range(start..start + length, "");
    }
    rest.trim() == ":::"
}

/// Replaces control characters: they would reach the terminal or break the layout.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() && c != '\n' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// Moves a span inside the text and to character boundaries.
fn clamp(text: &str, span: &Range<usize>) -> Range<usize> {
    let floor = |i: usize| {
        (0..=i.min(text.len()))
            .rev()
            .find(|&i| text.is_char_boundary(i))
    };
    let start = floor(span.start).unwrap_or(0);
    let end = floor(span.end).unwrap_or(0);
    start..end.max(start)
}

/// The bytes of whole lines around all places, or `None` if they are too long to be shown.
fn window(diagnostic: &Diagnostic, text: &str) -> Option<Range<usize>> {
    if text.is_empty() {
        return None;
    }
    let mut all = clamp(text, &diagnostic.span);
    all.end = all.end.min(all.start + FARTHEST);
    for annotation in shown(diagnostic, text) {
        let span = clamp(text, &annotation.span);
        all = all.start.min(span.start)..all.end.max(span.end);
    }
    let all = clamp(text, &all);
    let start = text[..all.start].rfind('\n').map_or(0, |i| i + 1);
    let end = text[all.end..]
        .find('\n')
        .map_or(text.len(), |i| all.end + i);
    let lines = &text[start..end];
    lines
        .split('\n')
        .all(|line| line.len() <= LONGEST_LINE)
        .then_some(start..end)
}

/// How many bytes of an overlong line are shown on each side of the place.
const AROUND: usize = 60;

/// The part of an overlong line around the place, underlined. Its columns differ from those of the
/// line, so the caller prints the real ones.
fn part<'a>(
    diagnostic: &Diagnostic,
    text: &'a str,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let place = clamp(text, &diagnostic.span);
    let line_start = text[..place.start].rfind('\n').map_or(0, |i| i + 1);
    let rest = text[place.start..].find('\n');
    let line_end = rest.map_or(text.len(), |i| place.start + i);
    let from = place.start.saturating_sub(AROUND).max(line_start);
    let to = place.end.saturating_add(AROUND).min(line_end);
    let shown = clamp(text, &(from..to.min(place.start + 2 * AROUND)));
    let cut = |i: usize| i.clamp(shown.start, shown.end) - shown.start;
    let label = diagnostic.label.as_deref().map(printable);
    let underlined = AnnotationKind::Primary.span(cut(place.start)..cut(place.end));
    let snippet = Snippet::source(&text[shown.clone()]).annotation(underlined.label(label));
    (!shown.is_empty()).then_some(snippet)
}

/// The secondary places that are near enough to be shown.
fn shown<'a>(diagnostic: &'a Diagnostic, text: &'a str) -> impl Iterator<Item = &'a Annotation> {
    let place = diagnostic.span.start;
    diagnostic.secondary.iter().filter(move |a| {
        a.span.start.abs_diff(place) < FARTHEST
            && a.span.len() < FARTHEST
            && a.span.start <= text.len()
    })
}

fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    text: &'a str,
    window: Range<usize>,
    first_line: usize,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let line = text[..window.start].bytes().filter(|b| *b == b'\n').count() + first_line.max(1);
    let within = |span: &Range<usize>| {
        let span = clamp(text, span);
        let cut = |i: usize| i.clamp(window.start, window.end) - window.start;
        cut(span.start)..cut(span.end)
    };
    let primary = AnnotationKind::Primary.span(within(&diagnostic.span));
    let secondary = shown(diagnostic, text).map(|a| {
        AnnotationKind::Context
            .span(within(&a.span))
            .label(printable(&a.text))
    });
    Snippet::source(&text[window.clone()])
        .path(printable(&diagnostic.source))
        .line_start(line)
        .annotation(primary.label(diagnostic.label.as_deref().map(printable)))
        .annotations(secondary.collect::<Vec<_>>())
}
