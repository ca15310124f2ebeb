//! Maps offsets over several texts back to the text and the place in it.

use crate::diagnostic::{render, Diagnostic};

/// The texts from which a specification was read: the specification itself at offset 0, then its
/// lists of properties. Spans in each text begin at the text's offset.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Offset, name and text, in the order of the offsets.
    parts: Vec<(usize, String, String)>,
}

impl Sources {
    /// The offset of the text that is added next.
    pub fn next_offset(&self) -> usize {
        // One more than the end of the last text, since the end is a place in that text.
        self.parts
            .last()
            .map_or(0, |(offset, _, text)| offset + text.len() + 1)
    }

    /// Adds a text under the name by which the user knows it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) {
        let offset = self.next_offset();
        self.parts.push((offset, name.into(), text.into()));
    }

    /// Renders a diagnostic with the name and the lines of the text that contains its span.
    pub fn show(&self, diagnostic: &Diagnostic, color: bool) -> String {
        match self.located(diagnostic) {
            Some((own, text)) => render(&own, text, color),
            None => render(diagnostic, "", color),
        }
    }

    /// The diagnostic with the name of the text that contains its span, its spans in that text, and the text;
    /// `None` if there are no texts.
    pub fn located(&self, diagnostic: &Diagnostic) -> Option<(Diagnostic, &str)> {
        let after = self
            .parts
            .partition_point(|(offset, _, _)| *offset <= diagnostic.span.start);
        let (offset, name, text) = after.checked_sub(1).and_then(|i| self.parts.get(i))?;
        let mut own = diagnostic.clone().in_source(name.clone());
        let inside = |span: &std::ops::Range<usize>| {
            span.start.checked_sub(*offset).filter(|&s| s <= text.len())
        };
        own.span = diagnostic.span.start - offset..diagnostic.span.end.saturating_sub(*offset);
        own.secondary
            .retain(|annotation| inside(&annotation.span).is_some());
        for annotation in &mut own.secondary {
            annotation.span =
                annotation.span.start - offset..annotation.span.end.saturating_sub(*offset);
        }
        Some((own, text))
    }
}
