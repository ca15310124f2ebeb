//! Insertions into the program text: their order, and the text with them.

use crate::span::{Offset, Span};

/// The side of its offset that an insertion belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    /// The insertion closes the text before the offset.
    Close,
    /// The insertion belongs to neither side.
    Point,
    /// The insertion opens the text after the offset.
    Open,
}

/// One insertion.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Edit {
    at: Offset,
    order: i32,
    side: Side,
    /// Length of the wrapped span; wraps of longer spans stand outside.
    length: usize,
    text: String,
}

impl Edit {
    fn key(&self) -> (Offset, i32, Side, i64) {
        let length = i64::try_from(self.length).unwrap_or(i64::MAX);
        let nesting = match self.side {
            Side::Close => length,
            Side::Point => 0,
            Side::Open => -length,
        };
        (self.at, self.order, self.side, nesting)
    }
}

/// What is wrong with an edit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// The inserted text contains a line break, but lines must keep their numbers.
    #[error("inserted text contains a line break: {0:?}")]
    LineBreak(String),
}

/// Insertions, in any order. They never remove or change a byte of the program.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    /// No insertion.
    pub fn new() -> Edits {
        Edits::default()
    }

    /// Number of insertions.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Inserts `text` at an offset. At one offset, insertions are sorted by `order`; insertions of
    /// the same order are sorted as closing, point, opening; the rest keep the order in which they
    /// were made.
    ///
    /// # Errors
    /// If the text contains a line break.
    pub fn insert(
        &mut self,
        at: Offset,
        order: i32,
        text: impl Into<String>,
    ) -> Result<(), EditError> {
        self.push(Edit {
            at,
            order,
            side: Side::Point,
            length: 0,
            text: text.into(),
        })
    }

    /// Inserts `before` and `after` around a span. Wraps nest: at one offset, wraps of
    /// longer spans stand outside; of two wraps of the same span, the earlier one stands outside.
    ///
    /// # Errors
    /// If a text contains a line break.
    pub fn wrap(
        &mut self,
        span: Span,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Result<(), EditError> {
        let length = span.len();
        let open = Edit {
            at: span.start,
            order: 0,
            side: Side::Open,
            length,
            text: before.into(),
        };
        let close = Edit {
            at: span.end,
            order: 0,
            side: Side::Close,
            length,
            text: after.into(),
        };
        self.push(open)?;
        self.push(close)
    }

    fn push(&mut self, edit: Edit) -> Result<(), EditError> {
        if edit.text.contains(['\n', '\r']) {
            return Err(EditError::LineBreak(edit.text));
        }
        self.list.push(edit);
        Ok(())
    }

    /// The insertions in the order of the output.
    pub(crate) fn sorted(&self) -> Vec<(Offset, &str)> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&i| {
            let edit = &self.list[i];
            // Closing texts are written innermost first. A later wrap of an equal span stands
            // inside, so its closing text comes first.
            let sequence = match edit.side {
                Side::Close => -(i as i64),
                Side::Point | Side::Open => i as i64,
            };
            (edit.key(), sequence)
        });
        order
            .into_iter()
            .map(|i| (self.list[i].at, self.list[i].text.as_str()))
            .collect()
    }

    /// The text with all insertions. A blank separates an insertion from its neighbour where the
    /// two would form one token.
    pub fn splice(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + 16 * self.list.len());
        splice_range(
            bytes,
            Span::new(0, bytes.len() + 1),
            &self.sorted(),
            &mut Place::default(),
            &mut out,
        );
        out
    }
}

/// Whether the next text is inside a comment: insertions open and close comments around program
/// text that they replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Place {
    /// The text is code.
    #[default]
    Code,
    /// The text is in a comment.
    Comment,
}

impl Place {
    /// The place after an inserted text. An inserted text closes its own comments and literals,
    /// except for a comment around program text.
    fn after(self, inserted: &[u8]) -> Place {
        let (mut place, mut quote, mut at) = (self, None, 0);
        while let Some(&byte) = inserted.get(at) {
            let pair = (byte, inserted.get(at + 1).copied());
            at += 1;
            match (place, quote, pair) {
                (Place::Comment, _, (b'*', Some(b'/'))) => (place, at) = (Place::Code, at + 1),
                (Place::Comment, ..) => {}
                (_, Some(_), (b'\\', _)) => at += 1,
                (_, Some(open), _) if byte == open => quote = None,
                (_, Some(_), _) => {}
                (_, None, (b'/', Some(b'*'))) => (place, at) = (Place::Comment, at + 1),
                (_, None, (b'"' | b'\'', _)) => quote = Some(byte),
                _ => {}
            }
        }
        place
    }
}

/// Copies a range of the text with the insertions in it. Updates `place` to the place after the
/// range; returns the number of insertions used.
pub(crate) fn splice_range(
    bytes: &[u8],
    range: Span,
    sorted: &[(Offset, &str)],
    place: &mut Place,
    out: &mut Vec<u8>,
) -> usize {
    let end = range.end.min(bytes.len());
    let mut at = range.start.min(end);
    let mut used = 0;
    for (offset, text) in sorted {
        if *offset >= range.end {
            break;
        }
        let upto = (*offset).clamp(at, end);
        append_source(out, &bytes[at..upto], *place);
        append(out, text.as_bytes());
        *place = place.after(text.as_bytes());
        at = upto;
        used += 1;
    }
    append_source(out, &bytes[at..end], *place);
    used
}

/// Appends program text. Inside a comment, its literals must neither end nor begin a comment.
fn append_source(out: &mut Vec<u8>, piece: &[u8], place: Place) {
    let marks = |pair: &[u8]| pair == b"*/" || pair == b"/*";
    if place == Place::Code || !piece.windows(2).any(marks) {
        return append(out, piece);
    }
    let mut rest = piece;
    while let Some(at) = rest.windows(2).position(marks) {
        let (before, after) = rest.split_at(at + 1);
        append(out, before);
        out.push(b' ');
        rest = after;
    }
    append(out, rest);
}

fn append(out: &mut Vec<u8>, piece: &[u8]) {
    if let (Some(&before), Some(&after)) = (out.last(), piece.first()) {
        if grows_together(before, after) {
            out.push(b' ');
        }
    }
    out.extend_from_slice(piece);
}

fn grows_together(before: u8, after: u8) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let quote = |b: u8| b == b'"' || b == b'\'';
    let operator = |b: u8| b"+-*/%&|^<>=!.#:".contains(&b);
    (word(before) && (word(after) || quote(after)))
        || (word(before) && after == b'.')
        || (before == b'.' && word(after))
        || (operator(before) && operator(after))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn spliced(text: &str, edit: impl Fn(&mut Edits)) -> String {
        let mut edits = Edits::new();
        edit(&mut edits);
        String::from_utf8(edits.splice(text.as_bytes())).unwrap()
    }

    #[test]
    fn wraps_nest_by_length() {
        let text = spliced("a+b", |e| {
            e.wrap(Span::new(0, 1), "(", ")").unwrap();
            e.wrap(Span::new(0, 3), "[", "]").unwrap();
            e.wrap(Span::new(2, 3), "(", ")").unwrap();
        });
        assert_eq!(text, "[(a)+(b)]");
    }

    #[test]
    fn equal_wraps_nest_by_sequence() {
        let text = spliced("a", |e| {
            e.wrap(Span::new(0, 1), "[", "]").unwrap();
            e.wrap(Span::new(0, 1), "(", ")").unwrap();
        });
        assert_eq!(text, "[(a)]");
    }

    #[test]
    fn order_comes_first() {
        let text = spliced("ab", |e| {
            e.insert(1, 1, "/*2*/").unwrap();
            e.insert(1, 0, "/*1*/").unwrap();
            e.insert(2, 0, "/*3*/").unwrap();
        });
        assert_eq!(text, "a/*1*//*2*/b/*3*/".replace("/*1*//", "/*1*/ /"));
    }

    #[test]
    fn tokens_do_not_grow_together() {
        let text = spliced("x-1", |e| e.insert(2, 0, "-y").unwrap());
        assert_eq!(text, "x- -y1".replace("y1", "y 1"));
    }

    #[test]
    fn line_breaks_are_refused() {
        let mut edits = Edits::new();
        assert!(matches!(
            edits.insert(0, 0, "a\nb"),
            Err(EditError::LineBreak(_))
        ));
    }
}
