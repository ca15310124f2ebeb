//! The lines of a program that explored runs reach, and those that no run reaches.

use std::collections::BTreeMap;
use std::io::Read;

use crate::answer::{Answer, Failure, Outcome, OWN_PREFIX};
use crate::text;

/// The lines with code, by file, and whether some run reaches them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Lines by the file names in line markers.
    pub files: BTreeMap<String, BTreeMap<u32, bool>>,
}

/// Assertions before the statements of lines: an assertion fails if a run reaches its line.
#[derive(Debug, Default)]
pub struct Lines {
    numbers: BTreeMap<(String, u32), usize>,
}

impl Lines {
    /// The text of the assertion for a line of a file.
    pub fn question(&mut self, file: &str, line: u32) -> String {
        let next = self.numbers.len();
        let number = *self.numbers.entry((file.to_owned(), line)).or_insert(next);
        text_of(number)
    }

    /// Whether no line was asked for.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The coverage that an answer gives.
    ///
    /// # Errors
    /// If some lines have no answer.
    pub fn told(&self, answer: &Answer) -> Result<Coverage, Failure> {
        let open = answer.rest.as_ref().or(answer.undecided.values().next());
        if let Some(message) = open.cloned() {
            return Err(Failure::Undecided { message });
        }
        let mut coverage = Coverage::default();
        for ((file, line), number) in &self.numbers {
            let outcome = answer.outcomes.get(&text_of(*number));
            let of_file = coverage.files.entry(file.clone()).or_default();
            of_file.insert(*line, outcome == Some(&Outcome::Fails));
        }
        Ok(coverage)
    }
}

fn text_of(number: usize) -> String {
    format!("{OWN_PREFIX}line:{number}")
}

/// Reads the output of CBMC with `--cover location`; `None` if it is incomplete.
///
/// ```text
/// [main.coverage.1] file p.c line 5 function main block 1 (lines p.c:main:5,7-8): SATISFIED
/// ** 93 of 121 covered (76.9%)
/// ```
pub(crate) fn read(stream: &mut dyn Read) -> Option<Coverage> {
    let mut coverage = Coverage::default();
    let mut ended = false;
    for line in text::lines(stream) {
        ended |= line.starts_with("** ") && line.contains(" covered (");
        let Some(block) = block(&line) else { continue };
        for (file, number) in block.lines {
            let known = coverage.files.entry(file).or_default();
            *known.entry(number).or_insert(false) |= block.reached;
        }
    }
    ended.then_some(coverage)
}

/// A block of the program: a run executes all of it or nothing.
struct Block {
    lines: Vec<(String, u32)>,
    reached: bool,
}

fn block(line: &str) -> Option<Block> {
    let (id, rest) = line.strip_prefix('[')?.split_once("] ")?;
    if !id.contains(".coverage.") {
        return None;
    }
    let (rest, status) = rest.rsplit_once("): ")?;
    let (_, parts) = rest.rsplit_once("(lines ")?;
    let reached = match status {
        "SATISFIED" => true,
        "FAILED" => false,
        _ => return None,
    };
    let mut lines = Vec::new();
    for part in parts.split("; ") {
        let (place, numbers) = part.rsplit_once(':')?;
        let (file, _function) = place.rsplit_once(':')?;
        for range in numbers.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (first.parse().ok()?, last.parse::<u32>().ok()?);
            let range = (first..=last).map(|n| (file.to_owned(), n));
            lines.extend(range);
        }
    }
    Some(Block { lines, reached })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_line_is_reached_if_one_of_its_blocks_is() {
        let text = "[main.coverage.1] file p.c line 5 function main block 1 (lines p.c:main:5,7-8): SATISFIED\n\
            [main.coverage.2] file p.c line 5 function main block 2 (lines p.c:main:5,9): FAILED\n\
            ** 1 of 2 covered (50.0%)\n";
        let found = read(&mut text.as_bytes()).unwrap();
        let lines: Vec<(u32, bool)> = found.files["p.c"].iter().map(|(n, r)| (*n, *r)).collect();
        assert_eq!(lines, [(5, true), (7, true), (8, true), (9, false)]);
        let half = text.lines().next().unwrap();
        assert!(read(&mut half.as_bytes()).is_none());
    }
}
