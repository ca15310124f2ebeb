//! The progress of this process's model checkers, for waiting users: the current stage, since when,
//! and what makes the formula large. It is read from CBMC's output.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The greatest length of a relevant line.
const LONGEST: usize = 400;

/// The progress of a model checker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// The current work in words; empty before it begins.
    pub doing: String,
    /// Steps of the program in the runs up to the bound.
    pub steps: u64,
    /// Clauses of the formula.
    pub clauses: u64,
    /// How often each loop was unrolled, by its place, summed over all paths to it.
    pub loops: BTreeMap<String, u64>,
}

/// The stage of the run that reported last, and since when.
static NOW: Mutex<Option<(Stage, Instant)>> = Mutex::new(None);

/// The current stage, and for how long; `None` if no model checker has reported anything.
pub fn now() -> Option<(Stage, Duration)> {
    let now = NOW.lock().unwrap_or_else(PoisonError::into_inner);
    now.as_ref()
        .map(|(stage, at)| (stage.clone(), at.elapsed()))
}

/// The largest formula of this process so far.
static LARGEST: Mutex<Option<Stage>> = Mutex::new(None);

/// The composition of this process's largest formula; `None` if there was none.
pub fn largest() -> Option<Stage> {
    LARGEST
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// A stream of a model checker's output that reports progress.
pub(crate) struct Watched<'a> {
    stream: &'a mut dyn Read,
    line: Vec<u8>,
}

impl<'a> Watched<'a> {
    /// Starts a new run.
    pub fn new(stream: &'a mut dyn Read) -> Self {
        let begun = Stage {
            doing: "translating".into(),
            ..Stage::default()
        };
        *NOW.lock().unwrap_or_else(PoisonError::into_inner) = Some((begun, Instant::now()));
        Watched {
            stream,
            line: Vec::new(),
        }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        for &byte in &buffer[..count] {
            match byte {
                b'\n' => {
                    see(&String::from_utf8_lossy(&self.line));
                    self.line.clear();
                }
                _ if self.line.len() < LONGEST => self.line.push(byte),
                _ => {}
            }
        }
        Ok(count)
    }
}

/// Records the progress that a line reports.
fn see(line: &str) {
    let Some(seen) = read(line) else { return };
    let mut now = NOW.lock().unwrap_or_else(PoisonError::into_inner);
    let (stage, at) = now.get_or_insert_with(|| (Stage::default(), Instant::now()));
    let before = stage.doing.clone();
    match seen {
        Seen::Loop(place) => {
            *stage.loops.entry(place).or_default() += 1;
            stage.doing = "unrolling".into();
        }
        Seen::Steps(steps) => {
            stage.steps = steps;
            stage.doing = format!("building the formula of {} steps", grouped(steps));
        }
        Seen::Clauses(clauses) => {
            stage.clauses = clauses;
            stage.doing = format!("solving {} clauses", grouped(clauses));
        }
    }
    if stage.doing != before {
        *at = Instant::now();
    }
    if stage.clauses > 0 {
        let mut largest = LARGEST.lock().unwrap_or_else(PoisonError::into_inner);
        if largest.as_ref().is_none_or(|l| l.clauses < stage.clauses) {
            *largest = Some(stage.clone());
        }
    }
}

/// The progress in a line of CBMC's output, plain or JSON.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    /// A loop at this place is unrolled once more.
    Loop(String),
    Steps(u64),
    Clauses(u64),
}

fn read(line: &str) -> Option<Seen> {
    if let Some((_, rest)) = line.split_once("Unwinding loop ") {
        return Some(Seen::Loop(place(rest)));
    }
    if let Some((_, rest)) = line.split_once("size of program expression: ") {
        return rest.split(' ').next()?.parse().ok().map(Seen::Steps);
    }
    let (before, _) = line.split_once(" clauses")?;
    let (_, number) = before.rsplit_once(" variables, ")?;
    number.parse().ok().map(Seen::Clauses)
}

/// The place of the program in `main.0 iteration 3 file p.c line 5 function main thread 0`; the
/// function's name if the function is emitted, since its line is one that nobody wrote.
pub(crate) fn place(rest: &str) -> String {
    let function = rest.split(['.', ' ']).next().unwrap_or_default();
    if function.starts_with("ba_") {
        return function.to_owned();
    }
    let behind = |word: &str| rest.split_once(word).map(|(_, r)| r);
    let file = behind(" file ").and_then(|r| r.split_once(" line "));
    match file {
        Some((file, rest)) => {
            let file = file.rsplit('/').next().unwrap_or(file);
            let line = rest.split(|c: char| !c.is_ascii_digit()).next();
            format!("{file}:{}", line.unwrap_or_default())
        }
        None => rest.split(' ').next().unwrap_or(rest).to_owned(),
    }
}

/// A number with separators between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_what_is_going_on() {
        let unwinding =
            "Unwinding loop main.0 iteration 3 file src/p.c line 5 function main thread 0";
        assert_eq!(read(unwinding), Some(Seen::Loop("p.c:5".into())));
        let emitted = "Unwinding loop ba_seq_signal.0 iteration 3 file sequentialised line 51 function ba_seq_signal thread 0";
        assert_eq!(read(emitted), Some(Seen::Loop("ba_seq_signal".into())));
        assert_eq!(
            read("size of program expression: 1234 steps"),
            Some(Seen::Steps(1234))
        );
        assert_eq!(
            read("\"messageText\": \"163545 variables, 3762082 clauses\","),
            Some(Seen::Clauses(3_762_082))
        );
        assert_eq!(read("Parsing p.c"), None);
        assert_eq!(grouped(3_762_082), "3,762,082");
        assert_eq!(grouped(82), "82");
    }
}
