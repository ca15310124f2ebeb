//! A text with positions in lines and columns, in the units that client and server agreed on.

use lsp_types::{Position, Range as LspRange};
use std::ops::Range;

/// The unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Encoding {
    /// UTF-16 code units: the protocol's default.
    #[default]
    Utf16,
    /// Bytes.
    Utf8,
}

/// A text and where its lines begin.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    content: String,
    starts: Vec<usize>,
}

impl Text {
    /// Takes a text; lines end with `\n`, `\r\n` or `\r`.
    pub(crate) fn new(content: String) -> Text {
        let starts = std::iter::once(0).chain(begun(&content, 0..content.len()));
        let starts = starts.collect();
        Text { content, starts }
    }

    /// The whole text.
    pub(crate) fn as_str(&self) -> &str {
        &self.content
    }

    /// A line without its end; empty if there is none of this number (from 0).
    pub(crate) fn line(&self, number: usize) -> &str {
        let Some(&start) = self.starts.get(number) else {
            return "";
        };
        let end = self.starts.get(number + 1).copied();
        let line = self.content.get(start..end.unwrap_or(self.content.len()));
        line.unwrap_or_default().trim_end_matches(['\r', '\n'])
    }

    /// The byte of a position. A column behind the end of a line is that end, a line behind the text the
    /// end of the text, and the middle of a character its beginning, as the protocol wants it.
    pub(crate) fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let number = position.line as usize;
        let Some(&start) = self.starts.get(number) else {
            return self.content.len();
        };
        let (line, wanted) = (self.line(number), position.character as usize);
        let mut units = 0;
        for (at, character) in line.char_indices() {
            units += width(character, encoding);
            if units > wanted {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The line of a byte, from 0, and the bytes of it in front of that one.
    pub(crate) fn line_of(&self, byte: usize) -> (usize, usize) {
        let number = self.starts.partition_point(|&start| start <= byte) - 1;
        (number, byte - self.starts[number])
    }

    /// The byte of the text that a byte of a line is; a byte behind the end of the line is that end.
    pub(crate) fn byte_of(&self, line: usize, byte: usize) -> Option<usize> {
        let start = *self.starts.get(line)?;
        Some(start + byte.min(self.line(line).len()))
    }

    /// The position of a byte.
    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let (number, byte) = self.line_of(offset.min(self.content.len()));
        self.column(number, byte, encoding)
    }

    /// The position of a byte of a line.
    pub(crate) fn column(&self, number: usize, byte: usize, encoding: Encoding) -> Position {
        let before = self.line(number).char_indices();
        let before = before.take_while(|(at, c)| at + c.len_utf8() <= byte);
        let units: usize = before.map(|(_, c)| width(c, encoding)).sum();
        Position::new(number as u32, units as u32)
    }

    /// The range of some bytes.
    pub(crate) fn range(&self, bytes: Range<usize>, encoding: Encoding) -> LspRange {
        LspRange::new(
            self.position(bytes.start, encoding),
            self.position(bytes.end, encoding),
        )
    }

    /// The text after a change: of a range, or of all of it.
    pub(crate) fn changed(&self, range: Option<LspRange>, new: &str, encoding: Encoding) -> Text {
        let Some(range) = range else {
            return Text::new(new.to_owned());
        };
        let from = self.offset(range.start, encoding);
        let to = self.offset(range.end, encoding).max(from);
        let mut content = self.content.clone();
        content.replace_range(from..to, new);
        // Lines are looked for from the line before the change, whose end may become part of `\r\n`, to the line behind it.
        let first = self.line_of(from).0.saturating_sub(1);
        let behind = self.starts.partition_point(|&start| start <= to);
        let moved = |start: &usize| start - to + from + new.len();
        let rest = self.starts[behind..].iter().map(moved);
        let until = rest.clone().next().map_or(content.len(), |next| next - 1);
        let mut starts = self.starts[..=first].to_vec();
        starts.extend(begun(&content, self.starts[first]..until));
        starts.extend(rest);
        Text { content, starts }
    }
}

/// Where lines begin whose predecessors end in these bytes.
fn begun(content: &str, bytes: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let all = content.as_bytes();
    let ends = bytes.filter(|&at| match all[at] {
        b'\n' => true,
        b'\r' => all.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    ends.map(|at| at + 1)
}

fn width(character: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf16 => character.len_utf16(),
        Encoding::Utf8 => character.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_both_units_and_back() {
        let text = Text::new("a\r\nü𝄞x\rlast".into());
        for (encoding, column) in [(Encoding::Utf16, 3), (Encoding::Utf8, 6)] {
            let at = Position::new(1, column);
            let x = text.offset(at, encoding);
            assert_eq!(&text.as_str()[x..=x], "x");
            assert_eq!(text.position(x, encoding), at);
        }
        // In the middle of a character, behind a line, and behind the text.
        assert_eq!(text.offset(Position::new(1, 2), Encoding::Utf16), 5);
        assert_eq!(text.offset(Position::new(0, 99), Encoding::Utf16), 1);
        assert_eq!(
            text.offset(Position::new(9, 0), Encoding::Utf8),
            text.as_str().len()
        );
        assert_eq!(text.line(2), "last");
    }

    #[test]
    fn changes_of_ranges_and_of_everything() {
        let text = Text::new("one\ntwo\n".into());
        let range = LspRange::new(Position::new(0, 2), Position::new(1, 1));
        let changed = text.changed(Some(range), "-", Encoding::Utf16);
        assert_eq!(changed.as_str(), "on-wo\n");
        // A range from its end to its beginning changes nothing but what it inserts.
        let backwards = LspRange::new(range.end, range.start);
        let changed = text.changed(Some(backwards), "-", Encoding::Utf16);
        assert_eq!(changed.as_str(), "one\nt-wo\n");
        assert_eq!(text.changed(None, "x", Encoding::Utf16).as_str(), "x");
    }

    /// Every change of every range of a text with ends of lines of all kinds gives the lines that the new text has.
    #[test]
    fn lines_are_those_of_the_new_text() {
        let text = Text::new("a\r\nb\n\rc\r\n\n".into());
        for from in 0..=text.as_str().len() {
            for to in from..=text.as_str().len() {
                for new in ["", "x", "\n", "\r", "\r\n", "\n\r", "x\ny"] {
                    let at = |byte| text.position(byte, Encoding::Utf8);
                    let range = LspRange::new(at(from), at(to));
                    let changed = text.changed(Some(range), new, Encoding::Utf8);
                    let again = Text::new(changed.as_str().to_owned());
                    assert_eq!(changed.starts, again.starts, "{from} {to} {new:?}");
                }
            }
        }
    }
}
