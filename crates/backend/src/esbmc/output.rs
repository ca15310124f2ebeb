//! Reads ESBMC's text output: counterexamples as they are found, results of claims, a verdict.
//!
//! 8.4 writes a line for each solved claim and, for each interleaving of threads, a line that
//! counts them; later versions write one table at the end; earlier ones write neither.

use super::pointers::Writes;
use super::values;
use crate::answer::{Check, Location, StepKind, TraceStep};
use crate::job::Traces;
use crate::text;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The greatest number of steps kept in a trace.
const MAX_STEPS: usize = 1_000_000;

/// The greatest length of a value that is read.
const MAX_VALUE: usize = 100_000;

/// More claims than any program has.
const MAX_ROWS: usize = 1_000_000;

/// The final verdict line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Successful,
    Failed,
    Unknown,
}

/// A claim in the list of `--show-claims`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) number: u32,
    pub(super) text: String,
}

/// A row of the table of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) check: Check,
    pub(super) id: String,
    pub(super) text: String,
    pub(super) location: Location,
}

/// The contents of a run's output.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) claims: Vec<Claim>,
    pub(super) rows: Vec<Row>,
    /// Failing rows and all rows, from the line below the table.
    pub(super) summary: Option<(usize, usize)>,
    /// Violated claims, with their places, from the ends of counterexamples.
    pub(super) violated: BTreeSet<(String, Location)>,
    /// The number of counterexamples.
    counterexamples: u64,
    /// The lines of single claims, if there are any.
    marks: Marks,
    /// Whether the run stopped before every claim had a verdict.
    pub(super) partial: bool,
    /// Traces by the text of the violated claim.
    pub(super) traces: BTreeMap<String, Vec<TraceStep>>,
    pub(super) errors: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// The last line that is not empty.
    last: String,
    /// The last verdict; `None` if later output contradicts it.
    pub(super) verdict: Option<Verdict>,
}

/// Lines of single claims, and whether they agree with the lines that count claims.
#[derive(Debug, Default)]
struct Marks {
    /// Since the last count: claims given to the solver, claims that hold, claims that fail.
    asked: u64,
    passed: u64,
    failed: u64,
    /// The conditions of the last interleaving, and how many of them are left for the solver.
    generated: Option<(u64, u64)>,
    /// The failing claims of all interleavings.
    all_failed: u64,
    /// Whether there are such lines.
    any: bool,
    /// The first disagreement.
    wrong: Option<String>,
}

impl Marks {
    /// Ends an interleaving: the next one begins, or the output ends.
    fn end(&mut self) {
        if self.generated.take().is_some_and(|(_, left)| left > 0) {
            let wrong = "it does not count the claims that it solved".to_owned();
            self.wrong.get_or_insert(wrong);
        }
        (self.asked, self.passed, self.failed) = (0, 0, 0);
    }

    /// Checks `Properties: 10 verified ✓ 4 passed, ✓ 2 skipped, ✗ 4 failed`; each part but the
    /// first may be missing. Skipped claims failed before; some that hold are not given to the
    /// solver, and have a line of their own only in the first interleaving.
    fn count(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |name: &str| {
            let at = words.iter().position(|w| w.trim_end_matches(',') == name);
            at.map_or(Some(0), |at| words.get(at.checked_sub(1)?)?.parse().ok())
        };
        let told = [
            number("verified"),
            number("passed"),
            number("skipped"),
            number("failed"),
        ];
        let conditions = self.generated.take().map(|(all, _)| all);
        let agrees = match told {
            [Some(all), Some(passed), Some(skipped), Some(failed)] => {
                all == passed + skipped + failed
                    && Some(all) == conditions
                    && failed == self.failed
                    && passed >= self.passed
                    && self.asked == self.passed + self.failed
            }
            _ => false,
        };
        if !agrees {
            let (asked, passed, failed) = (self.asked, self.passed, self.failed);
            let wrong = format!(
                "it has solved {asked} claims, of which {passed} hold and {failed} fail, and says \"{line}\""
            );
            self.wrong.get_or_insert(wrong);
        }
        self.any = true;
        (self.asked, self.passed, self.failed) = (0, 0, 0);
    }
}

/// The part of the output that a line belongs to.
#[derive(Default)]
enum Place {
    #[default]
    Elsewhere,
    /// In `Claim N:`, with the number of lines after it.
    Claim { number: u32, line: u32 },
    /// In the table; its heading gives file and function.
    Table(Location),
    /// In a state of a counterexample.
    State {
        thread: Option<u32>,
        location: Location,
    },
    /// In an assignment whose value goes on.
    Value {
        thread: Option<u32>,
        location: Location,
        text: String,
    },
    /// In `Violated property:`, with the number of lines after it.
    Violation {
        thread: Option<u32>,
        location: Location,
        line: u32,
    },
}

struct Reader<'a> {
    traces: &'a Traces,
    place: Place,
    trace: Vec<TraceStep>,
    /// Whether the trace has reached the first letter.
    started: bool,
    /// Unfinished writes through pointers.
    writes: Writes,
    output: Output,
}

/// Reads the output to its end.
pub(super) fn read(stream: impl Read, traces: &Traces) -> Output {
    let place = Place::default();
    let mut reader = Reader {
        traces,
        place,
        trace: Vec::new(),
        started: false,
        writes: Writes::default(),
        output: Output::default(),
    };
    for line in text::lines(stream) {
        reader.line(&line);
    }
    // Counting lines matter neither in a run with a table nor in a run for a single claim.
    if reader.output.has_table() || !reader.output.marks.any {
        reader.output.marks.generated = None;
    }
    reader.output.marks.end();
    reader.output
}

impl Output {
    /// Whether there is a table of results. Versions before 8.4 have none; later ones omit it if no
    /// claim is left after simplification.
    pub(super) fn has_table(&self) -> bool {
        !self.rows.is_empty() || self.summary.is_some()
    }

    /// Whether a claim with this text is violated.
    pub(super) fn violates(&self, text: &str) -> bool {
        let fails = |r: &Row| r.text == text && r.check == Check::Fails;
        match self.has_table() {
            true => self.rows.iter().any(fails),
            false => self.violated.iter().any(|(t, _)| t == text),
        }
    }

    /// The last line of the output, for the report of a crash.
    pub(super) fn last_words(&self) -> String {
        self.last.clone()
    }

    /// A contradiction in the output, if there is one: the table must agree with its summary, and
    /// the verdict with the table, or without a table with the counterexamples.
    pub(super) fn contradiction(&self) -> Option<String> {
        if !self.has_table() {
            let failed = self.verdict == Some(Verdict::Failed);
            if failed == self.violated.is_empty() {
                return Some("its verdict contradicts its counterexamples".to_owned());
            }
            let marks = &self.marks;
            if marks.any && marks.all_failed != self.counterexamples {
                return Some(format!(
                    "it has {} claims that fail, and {} counterexamples",
                    marks.all_failed, self.counterexamples
                ));
            }
            return marks.wrong.clone();
        }
        let failing = self.rows.iter().filter(|r| r.check == Check::Fails).count();
        let counted = (failing, self.rows.len());
        match self.summary {
            None if !self.rows.is_empty() => Some("its table of results has no end".to_owned()),
            Some(told) if told != counted => Some(format!(
                "its table has {counted:?} failing and all rows, its summary {told:?}"
            )),
            _ if (failing > 0) != (self.verdict == Some(Verdict::Failed)) => {
                Some("its verdict contradicts its table".to_owned())
            }
            _ => None,
        }
    }
}

impl Reader<'_> {
    fn line(&mut self, line: &str) {
        if !line.trim().is_empty() {
            line.clone_into(&mut self.output.last);
        }
        if self.mark(line) || self.landmark(line) {
            return;
        }
        match std::mem::take(&mut self.place) {
            Place::Elsewhere => {}
            Place::Claim { number, line: at } => {
                // The lines are the place, the text, the condition.
                if at == 1 && self.output.claims.len() < MAX_ROWS {
                    self.output.claims.push(Claim {
                        number,
                        text: line.trim().to_owned(),
                    });
                } else {
                    self.place = Place::Claim {
                        number,
                        line: at + 1,
                    };
                }
            }
            Place::Table(heading) => self.table_line(line, heading),
            Place::State { thread, location } => self.state_line(line, thread, location),
            Place::Value {
                thread,
                location,
                text,
            } => self.assignment(format!("{text} {}", line.trim()), thread, location),
            Place::Violation {
                thread,
                location,
                line: at,
            } => {
                if at == 1 {
                    self.violation(thread, location, line.trim().to_owned());
                } else {
                    self.place = Place::Violation {
                        thread,
                        location,
                        line: at + 1,
                    };
                }
            }
        }
    }

    /// Reads lines of single claims and their counts.
    fn mark(&mut self, line: &str) -> bool {
        let marks = &mut self.output.marks;
        if line.starts_with("✓ PASSED: '") {
            // A claim that was not solved has its place after the quotation mark.
            marks.passed += u64::from(line.ends_with('\''));
            marks.any = true;
        } else if line.starts_with("Solving claim '") {
            marks.asked += 1;
        } else if line.starts_with("✗ FAILED: '") {
            marks.failed += 1;
            marks.any = true;
            marks.all_failed += 1;
        } else if line.starts_with("Properties: ") {
            marks.count(line);
        } else if let Some(rest) = line.strip_prefix("Generated ") {
            marks.generated = parse_generated(rest);
        } else if line.starts_with("Thread interleavings ") {
            marks.end();
        } else {
            return false;
        }
        self.place = Place::Elsewhere;
        true
    }

    /// Reads lines that say what follows, in every part of the output. The lines of a violated
    /// claim are indented, so no text of a program looks like one of these.
    fn landmark(&mut self, line: &str) -> bool {
        let verdict = match line {
            "VERIFICATION SUCCESSFUL" => Some(Verdict::Successful),
            "VERIFICATION FAILED" => Some(Verdict::Failed),
            "VERIFICATION UNKNOWN" => Some(Verdict::Unknown),
            _ => None,
        };
        if verdict.is_some() {
            self.output.verdict = verdict;
        } else if line == "[Counterexample]" {
            self.trace.clear();
            self.writes = Writes::default();
            self.started = false;
        } else if line == "** Results:" {
            self.output.rows.clear();
            self.place = Place::Table(Location::default());
            return true;
        } else if line.starts_with("This report is partial") {
            self.output.partial = true;
        } else if let Some(number) = numbered(line, "Claim ", ":") {
            self.place = Place::Claim { number, line: 0 };
            return true;
        } else if let Some((_, rest)) = line.strip_prefix("State ").and_then(|l| l.split_once(' '))
        {
            let (location, thread) = place(rest);
            self.place = Place::State { thread, location };
            return true;
        } else if line.starts_with(' ') {
            return false;
        } else if line.starts_with("ERROR: ")
            || line.contains(": error: ")
            || line.contains("bad_alloc")
            || line.contains("unrecognised option '")
        {
            push(&mut self.output.errors, line);
        } else if line.contains(": warning: ") {
            // Warnings of its compiler, about the program or inserted text; the user's compiler
            // reports those that matter.
        } else if line.starts_with("WARNING: ") {
            push(
                &mut self.output.warnings,
                line.trim_start_matches("WARNING: "),
            );
        } else {
            return false;
        }
        self.place = Place::Elsewhere;
        true
    }

    fn table_line(&mut self, line: &str, heading: Location) {
        if line.starts_with("** ") {
            self.output.summary = parse_summary(line);
            return;
        }
        self.place = match line.strip_prefix("  ") {
            Some(row) => {
                // A table without end agrees with no summary.
                if self.output.rows.len() < MAX_ROWS {
                    self.output.rows.extend(parse_row(row, &heading));
                }
                Place::Table(heading)
            }
            None => {
                let (file, function) = match line.rsplit_once(", function ") {
                    Some((file, function)) => (file, Some(function.to_owned())),
                    None => (line, None),
                };
                Place::Table(Location {
                    file: Some(file.to_owned()),
                    line: None,
                    function,
                })
            }
        };
    }

    fn state_line(&mut self, line: &str, thread: Option<u32>, location: Location) {
        if line == "Violated property:" {
            self.place = Place::Violation {
                thread,
                location,
                line: 0,
            };
            return;
        }
        match line.strip_prefix("  ").filter(|l| l.contains(" = ")) {
            Some(text) => self.assignment(text.to_owned(), thread, location),
            None => self.place = Place::State { thread, location },
        }
    }

    /// Reads an assignment, unless its value goes on in the next line.
    fn assignment(&mut self, text: String, thread: Option<u32>, location: Location) {
        let (lhs, value) = text.split_once(" = ").unwrap_or((&text, ""));
        if !values::is_closed(value) && text.len() < MAX_VALUE {
            self.place = Place::Value {
                thread,
                location,
                text,
            };
            return;
        }
        self.start(thread, &location);
        let told = self
            .writes
            .step(shown(lhs.trim()), value, thread, &location);
        let told = told.filter(|(lhs, _)| self.traces.keeps(lhs, false));
        for (lhs, value) in told.iter().flat_map(|(l, v)| values::assignments(l, v)) {
            if self.trace.len() < MAX_STEPS {
                self.trace.push(TraceStep {
                    thread,
                    location: location.clone(),
                    kind: StepKind::Assignment {
                        lhs,
                        value: values::parse(&value),
                    },
                });
            }
        }
        self.place = Place::State { thread, location };
    }

    /// Traces have no steps for calls, so the first step in the emitted start function stands for
    /// its call.
    fn start(&mut self, thread: Option<u32>, location: &Location) {
        let Some(function) = location.function.as_deref() else {
            return;
        };
        let emitted = function.starts_with("ba_") && function.ends_with("start");
        if emitted && !self.started && self.traces.keeps(function, false) {
            self.started = true;
            self.trace.push(TraceStep {
                thread,
                location: location.clone(),
                kind: StepKind::Call {
                    function: function.to_owned(),
                },
            });
        }
    }

    fn violation(&mut self, thread: Option<u32>, location: Location, text: String) {
        self.output.counterexamples += 1;
        if self.output.violated.len() < MAX_ROWS {
            let place = (text.clone(), location.clone());
            self.output.violated.insert(place);
        }
        if *self.traces == Traces::None {
            return;
        }
        let kind = StepKind::Violation { text: text.clone() };
        self.trace.push(TraceStep {
            thread,
            location,
            kind,
        });
        let trace = std::mem::take(&mut self.trace);
        self.output.traces.entry(text).or_insert(trace);
    }
}

fn push(list: &mut Vec<String>, line: &str) {
    let line = line.trim();
    if list.len() < 100 && !list.iter().any(|l| l == line) {
        list.push(line.to_owned());
    }
}

fn numbered(line: &str, before: &str, after: &str) -> Option<u32> {
    line.strip_prefix(before)?.strip_suffix(after)?.parse().ok()
}

/// Reads `3 VCC(s), 1 remaining after simplification (19 assignments)`.
fn parse_generated(rest: &str) -> Option<(u64, u64)> {
    let (all, rest) = rest.split_once(" VCC(s), ")?;
    let (left, _) = rest.split_once(" remaining")?;
    Some((all.parse().ok()?, left.parse().ok()?))
}

/// Reads `** 2 of 4 properties failed, 2 not checked`.
fn parse_summary(line: &str) -> Option<(usize, usize)> {
    let (failed, rest) = line.strip_prefix("** ")?.split_once(" of ")?;
    let (all, _) = rest.split_once(" properties failed")?;
    Some((failed.parse().ok()?, all.parse().ok()?))
}

/// Reads `FAILED       [main.assertion.1]  line 11  unwinding assertion loop 3`.
fn parse_row(row: &str, heading: &Location) -> Option<Row> {
    let (status, rest) = row.split_once('[')?;
    let (id, rest) = rest.split_once(']')?;
    let check = match status.trim() {
        "PASSED" => Check::Holds,
        "FAILED" => Check::Fails,
        _ => Check::Undecided,
    };
    let rest = rest.trim_start();
    let numbered = rest.strip_prefix("line").map(str::trim_start);
    let numbered = numbered.and_then(|r| r.split_once(' '));
    let (line, text) = match numbered.and_then(|(n, text)| Some((n.parse().ok()?, text))) {
        Some((number, text)) => (Some(number), text),
        None => (None, rest),
    };
    let location = Location {
        line,
        ..heading.clone()
    };
    Some(Row {
        check,
        id: id.to_owned(),
        text: text.trim().to_owned(),
        location,
    })
}

/// Reads `file F line L column C function G thread T`, in which all parts may be missing, from the
/// right, because only the file name may contain spaces.
fn place(text: &str) -> (Location, Option<u32>) {
    let (text, thread) = cut(text, "thread ");
    let (text, function) = cut(text, "function ");
    let (text, _) = cut(text, "column ");
    let (text, line) = cut(text, "line ");
    let file = text.strip_prefix("file ").map(str::to_owned);
    let number = |t: Option<&str>| t.and_then(|t| t.trim().parse().ok());
    let function = function.map(|f| f.trim().to_owned());
    (
        Location {
            file,
            line: number(line),
            function,
        },
        number(thread),
    )
}

fn cut<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    match text.rfind(word) {
        Some(0) => ("", Some(&text[word.len()..])),
        Some(at) if text[..at].ends_with(' ') => {
            (text[..at].trim_end(), Some(&text[at + word.len()..]))
        }
        _ => (text, None),
    }
}

/// The emitted name that `BA_SHOW` copies for the trace: `ba_site` for `ba_shown_ba_site`; other
/// names are unchanged.
fn shown(name: &str) -> &str {
    match name.split_once("shown_") {
        Some((before, name)) if before.starts_with("ba_") => name,
        _ => name,
    }
}
