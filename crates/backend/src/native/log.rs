//! Reads the record that a natively executed program writes.

use crate::text;
use std::io::Read;

/// The greatest number of lines kept. The verdict does not depend on them.
const MAX_LINES: usize = 1_000_000;

/// One letter of the word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    /// The thread, numbered in the order of creation; `main` is 0.
    pub thread: u32,
    /// The site; `None` for letter 0.
    pub site: Option<u32>,
    /// The propositions' values.
    pub values: Vec<bool>,
    /// For each monitor, its state and the bit of the word's value so far.
    pub states: Vec<(u32, u32)>,
}

/// A line of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A letter.
    Letter(Letter),
    /// A function without a definition was called.
    Input {
        thread: u32,
        name: String,
        value: i128,
    },
}

/// A whole record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub variables: Vec<String>,
    pub states: Vec<String>,
    pub lines: Vec<Line>,
    /// Texts of the assertions that the end of the run violates.
    pub reached: Vec<String>,
    /// Whether the specification discards the run.
    pub discarded: bool,
    /// Whether the process was asked to end.
    pub stopped: bool,
    /// The messages of a replay's scheduler: a keyword and the rest.
    pub notes: Vec<(String, String)>,
    ended: bool,
    /// Whether a line was not understood.
    damaged: bool,
}

impl Log {
    /// Reads to the end of the stream; `keep` says whether to keep letters and inputs.
    pub fn read(stream: impl Read, keep: bool) -> Log {
        let mut log = Log::default();
        for line in text::lines(stream) {
            if log.line(&line, keep).is_none() {
                log.damaged = true;
            }
        }
        log
    }

    /// Whether the record has its end and every line was understood.
    pub fn complete(&self) -> bool {
        self.ended && !self.damaged
    }

    fn line(&mut self, line: &str, keep: bool) -> Option<()> {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words = || rest.split(' ').filter(|w| !w.is_empty()).map(str::to_owned);
        match kind {
            "V" => self.variables = words().collect(),
            "M" => self.states = words().collect(),
            "R" => self.reached.push(rest.to_owned()),
            "X" => self.discarded = true,
            "P" => self.stopped = true,
            "E" => self.ended = true,
            "N" => {
                let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                self.notes.push((word.to_owned(), rest.to_owned()));
            }
            "L" if !keep || self.lines.len() >= MAX_LINES => {}
            "I" if !keep || self.lines.len() >= MAX_LINES => {}
            "L" => {
                let letter = letter(rest)?;
                if letter.values.len() != self.variables.len()
                    || letter.states.len() != self.states.len()
                {
                    return None;
                }
                self.lines.push(Line::Letter(letter));
            }
            "I" => self.lines.push(input(rest)?),
            _ => return None,
        }
        Some(())
    }
}

fn letter(rest: &str) -> Option<Letter> {
    let mut words = rest.split(' ');
    let thread = words.next()?.parse().ok()?;
    let site = match words.next()? {
        "-" => None,
        number => Some(number.parse().ok()?),
    };
    let values = words.next()?.chars().map(|c| match c {
        '0' => Some(false),
        '1' => Some(true),
        _ => None,
    });
    let values = values.collect::<Option<Vec<bool>>>()?;
    let state = |word: &str| -> Option<(u32, u32)> {
        let (state, level) = word.split_once(':')?;
        Some((state.parse().ok()?, level.parse().ok()?))
    };
    let states = words.map(state).collect::<Option<Vec<_>>>()?;
    Some(Letter {
        thread,
        site,
        values,
        states,
    })
}

fn input(rest: &str) -> Option<Line> {
    let mut words = rest.split(' ');
    let thread = words.next()?.parse().ok()?;
    let name = words.next()?.to_owned();
    let value = words.next()?.parse().ok()?;
    Some(Line::Input {
        thread,
        name,
        value,
    })
}
