//! Where known places are after an edit: what stands before it stays, what stands behind it moves with the text, and
//! what it touches is not known until the program is read again.

use crate::host::{Checked, Finding, Where};
use crate::index::{Index, Place};
use crate::text::Text;
use std::ops::Range;
use std::path::Path;

/// A place in a text: a line from 0, and a byte of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Point {
    line: u32,
    column: usize,
}

/// The difference of two texts: some bytes have others in their place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    /// The bytes of the old text.
    old: Range<usize>,
    /// The bytes of the new text in their place.
    pub(crate) new: Range<usize>,
    start: Point,
    /// The end of the old bytes.
    old_end: Point,
    /// The end of the new ones.
    new_end: Point,
}

impl Edit {
    /// The smallest edit that makes the new text of the old one; `None` if they are equal. Linear in the texts.
    pub(crate) fn between(old: &Text, new: &Text) -> Option<Edit> {
        let (a, b) = (old.as_str().as_bytes(), new.as_str().as_bytes());
        if a == b {
            return None;
        }
        let before = common_before(a, b);
        let behind = common_behind(&a[before..], &b[before..]);
        let point = |text: &Text, byte: usize| {
            let (line, column) = text.line_of(byte);
            let line = line as u32;
            Point { line, column }
        };
        let (old_end, new_end) = (a.len() - behind, b.len() - behind);
        Some(Edit {
            old: before..old_end,
            new: before..new_end,
            start: point(old, before),
            old_end: point(old, old_end),
            new_end: point(new, new_end),
        })
    }

    /// Where some bytes are now.
    fn bytes(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        if bytes.end < self.old.start {
            return Some(bytes.clone());
        }
        let moved = |byte: usize| byte - self.old.end + self.new.end;
        (bytes.start > self.old.end).then(|| moved(bytes.start)..moved(bytes.end))
    }

    /// Where some bytes of a line are now.
    fn in_line(&self, line: u32, bytes: &Range<usize>) -> Option<(u32, Range<usize>)> {
        let ends_before =
            line < self.start.line || line == self.start.line && bytes.end < self.start.column;
        if ends_before {
            return Some((line, bytes.clone()));
        }
        if line > self.old_end.line {
            return Some((line - self.old_end.line + self.new_end.line, bytes.clone()));
        }
        let begins_behind = line == self.old_end.line && bytes.start > self.old_end.column;
        let moved = |byte: usize| {
            let behind = byte.saturating_sub(self.old_end.column);
            behind.saturating_add(self.new_end.column)
        };
        begins_behind.then(|| (self.new_end.line, moved(bytes.start)..moved(bytes.end)))
    }

    fn place(&self, place: &Where) -> Option<Where> {
        Some(match place {
            Where::File => Where::File,
            Where::Bytes(bytes) => Where::Bytes(self.bytes(bytes)?),
            Where::Line(line, bytes) => {
                let (line, bytes) = self.in_line(*line, bytes)?;
                Where::Line(line, bytes)
            }
        })
    }

    fn finding(&self, finding: &mut Finding) -> bool {
        let Some(place) = self.place(&finding.place) else {
            return false;
        };
        finding.place = place;
        finding.diagnostic.secondary.retain_mut(|other| {
            let span = self.bytes(&other.span);
            span.map(|span| other.span = span).is_some()
        });
        true
    }

    fn name(&self, place: &Place) -> Option<Place> {
        let bytes = place.column..place.column + place.length;
        let (line, bytes) = self.in_line(place.line, &bytes)?;
        Some(Place {
            line,
            column: bytes.start,
            ..place.clone()
        })
    }

    fn index(&self, index: &mut Index, file: &Path) {
        for symbol in &mut index.symbols {
            let own = symbol.place.as_ref().filter(|place| place.file == file);
            if let Some(place) = own {
                symbol.place = self.name(place);
            }
        }
        let moved = |place: &mut Place| {
            place.file != file || self.name(place).map(|new| *place = new).is_some()
        };
        index.labels.retain_mut(|label| {
            label.jumps.retain_mut(moved);
            moved(&mut label.place)
        });
    }

    /// Moves what is known of a file.
    pub(crate) fn apply(&self, checked: &mut Checked, file: &Path, is_main: bool) {
        let mut moved = |finding: &mut Finding| {
            let own = finding.file.as_deref().map_or(is_main, |of| of == file);
            !own || self.finding(finding)
        };
        checked.findings.retain_mut(&mut moved);
        if let Some(planned) = &mut checked.planned {
            planned.retain_mut(&mut moved);
        }
        if let Some(index) = &mut checked.index {
            self.index(index, file);
        }
    }
}

/// Bytes that are compared at a time.
const BLOCK: usize = 4096;

/// The number of bytes with which both begin.
fn common_before(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let same = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let rest = a[same..].iter().zip(&b[same..]);
    same + rest.take_while(|(a, b)| a == b).count()
}

/// The number of bytes with which both end.
fn common_behind(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let same = BLOCK * blocks.take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    let rest = a.iter().rev().zip(b.iter().rev());
    same + rest.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Each word of the old text that the edit leaves alone is found where it stands in the new one, by bytes and by
    /// lines; words that it touches are found nowhere.
    #[test]
    fn words_are_found_where_they_stand() {
        let old = "one two\nthree four\n\nfive six seven\neight\n";
        let changes = [
            "zero\none two\nthree four\n\nfive six seven\neight\n",
            "one two\nthree\n four\n\nfive six seven\neight\n",
            "one two\nthree six seven\neight\n",
            "one two\nthree four\n\nfive six,x seven\neight\n",
            "one two\nthree four\n\nfive six seven\neight\nnine",
            "",
        ];
        for new in changes {
            let (old_text, new_text) = (Text::new(old.to_owned()), Text::new(new.to_owned()));
            let edit = Edit::between(&old_text, &new_text).unwrap();
            let mut kept = 0;
            for word in old.split_whitespace() {
                let at = old.find(word).unwrap();
                let span = at..at + word.len();
                if let Some(moved) = edit.bytes(&span) {
                    assert_eq!(&new[moved], word, "{new:?}");
                    kept += 1;
                }
                let (line, column) = old_text.line_of(at);
                let bytes = column..column + word.len();
                let moved = edit.in_line(line as u32, &bytes);
                assert_eq!(
                    moved.is_some(),
                    edit.bytes(&span).is_some(),
                    "{word} {new:?}"
                );
                if let Some((line, bytes)) = moved {
                    assert_eq!(&new_text.line(line as usize)[bytes], word, "{new:?}");
                }
            }
            assert!(kept >= 4 || new.is_empty(), "{kept} {new:?}");
        }
        let same = Text::new(old.to_owned());
        assert_eq!(Edit::between(&same, &same), None);
        // Edits of long texts, which are compared in blocks.
        for (before, behind) in [(0, 9000), (4096, 4096), (4095, 8193), (9000, 3)] {
            let text = |middle: &str| {
                let (front, back) = ("x".repeat(before), "y".repeat(behind));
                Text::new(front + middle + &back)
            };
            let edit = Edit::between(&text("a"), &text("bc")).unwrap();
            assert_eq!(
                (edit.old, edit.new),
                (before..before + 1, before..before + 2)
            );
        }
    }
}
