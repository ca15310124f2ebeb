//! Insertions: text before, after or inside constructs of the program, ordered so that the text for an
//! inner construct stays inside the text for an outer one.

use crate::facts::Range;

/// One insertion. Its text contains no newline, so every line of the program keeps its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Byte offset in the preprocessed text.
    pub offset: usize,
    /// Order among insertions at the same offset.
    pub order: i32,
    /// The inserted text.
    pub text: String,
}

/// The insertions of a program.
#[derive(Clone, Debug, Default)]
pub struct Insertions {
    list: Vec<Insertion>,
}

/// Closing texts come before opening ones at the same offset.
const CLOSING: i32 = -(1 << 28);

impl Insertions {
    /// Adds text before a construct: outer constructs (smaller depth) first, by `rank` (0 to 7) within
    /// one.
    pub fn open(&mut self, offset: usize, depth: i32, rank: i32, text: impl Into<String>) {
        self.add(offset, depth * 8 + rank, text.into());
    }

    /// Adds text after a construct: inner constructs (greater depth) first, greater rank first within one.
    pub fn close(&mut self, offset: usize, depth: i32, rank: i32, text: impl Into<String>) {
        self.add(offset, CLOSING - (depth * 8 + rank), text.into());
    }

    /// Adds text around a construct.
    pub fn around(
        &mut self,
        range: Range,
        depth: i32,
        rank: i32,
        before: impl Into<String>,
        after: impl Into<String>,
    ) {
        self.open(range.start, depth, rank, before);
        self.close(range.end, depth, rank, after);
    }

    fn add(&mut self, offset: usize, order: i32, text: String) {
        // An empty insertion is allowed anywhere, even in system headers.
        if text.is_empty() {
            return;
        }
        self.list.push(Insertion {
            offset,
            order,
            text,
        });
    }

    /// The places of the insertions so far.
    pub fn offsets(&self) -> Offsets {
        let mut offsets: Vec<usize> = self.list.iter().map(|i| i.offset).collect();
        offsets.sort_unstable();
        Offsets(offsets)
    }

    /// All insertions in textual order, moved to places that the compiler allows.
    pub fn sorted(mut self, text: &str) -> Vec<Insertion> {
        for insertion in &mut self.list {
            insertion.offset = cfront::places::allowed(text, insertion.offset);
        }
        self.list.sort_by_key(|i| (i.offset, i.order));
        self.list
    }
}

/// Sorted places of insertions.
#[derive(Clone, Debug)]
pub struct Offsets(Vec<usize>);

impl Offsets {
    /// Whether there is an insertion in a range, its end included.
    pub fn any_in(&self, range: Range) -> bool {
        let first = self.0.partition_point(|&at| at < range.start);
        self.0.get(first).is_some_and(|&at| at <= range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_kept_at_one_offset() {
        let mut insertions = Insertions::default();
        let outer = Range { start: 0, end: 1 };
        insertions.around(outer, 2, 0, "(b", "b)");
        insertions.around(outer, 1, 0, "(a", "a)");
        insertions.around(Range { start: 1, end: 2 }, 1, 0, "(c", "c)");
        let texts: Vec<String> = insertions
            .sorted("xy")
            .into_iter()
            .map(|i| i.text)
            .collect();
        assert_eq!(texts, ["(a", "(b", "b)", "a)", "(c", "c)"]);
    }
}
