//! Several texts whose places are told apart by one number.

use crate::diagnostic::{render, Diagnostic};

/// The texts that a specification was read from: the specification itself at offset 0, then its
/// lists of properties. A span of any of them counts from the offset of its text.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Offset, name and text, in the order of the offsets.
    parts: Vec<(usize, String, String)>,
}

impl Sources {
    /// The offset of the next text that is added.
    pub fn next_offset(&self) -> usize {
        // One more than the end of the last text, which is a place of that one.
        self.parts
            .last()
            .map_or(0, |(offset, _, text)| offset + text.len() + 1)
    }

    /// Adds a text under the name that the user gave it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) {
        let offset = self.next_offset();
        self.parts.push((offset, name.into(), text.into()));
    }

    /// The diagnostic as [`render`] shows it, with the name and the lines of its own text.
    pub fn show(&self, diagnostic: &Diagnostic, color: bool) -> String {
        let after = self
            .parts
            .partition_point(|(offset, _, _)| *offset <= diagnostic.span.start);
        let Some((offset, name, text)) = after.checked_sub(1).and_then(|i| self.parts.get(i))
        else {
            return render(diagnostic, "", color);
        };
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
        render(&own, text, color)
    }
}
