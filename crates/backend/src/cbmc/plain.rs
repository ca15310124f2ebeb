//! CBMC's plain output, which has one line for each assertion:
//!
//! ```text
//! ** Results:
//! prog.c function main
//! [main.assertion.1] line 4 baproduct:P:false: SUCCESS
//!
//! ** 0 of 1 failed (1 iterations)
//! VERIFICATION SUCCESSFUL
//! ```
//!
//! A text of the program may contain anything, also line ends. The lines are therefore trusted only
//! if no identifier occurs twice and the summary's counts are those of the lines.

use super::json::MAX_RESULTS;
use super::Output;
use crate::answer::{Check, Location, Tally};
use crate::text;
use std::collections::BTreeSet;
use std::io::Read;

/// How many lines an assertion's text may have.
const MAX_TEXT_LINES: usize = 100;

#[derive(Default)]
struct State {
    tally: Tally,
    ids: BTreeSet<String>,
    failing: usize,
    in_results: bool,
    /// File and function of the following lines.
    heading: Location,
    /// A result whose status has not come yet, and its number of lines.
    open: Option<(String, usize)>,
    /// Failing checks and all checks, from the summary.
    summary: Option<(usize, usize)>,
    verdict: Option<bool>,
    problem: Option<String>,
}

/// Reads the output to its end.
pub(super) fn read(stream: impl Read) -> Output {
    let mut state = State::default();
    for line in text::lines(stream) {
        state.line(line);
    }
    state.output()
}

impl State {
    fn line(&mut self, line: String) {
        if let Some((mut open, lines)) = self.open.take() {
            open.push('\n');
            open.push_str(&line);
            return self.check(open, lines + 1);
        }
        match line.as_str() {
            "** Results:" => self.in_results = true,
            "VERIFICATION SUCCESSFUL" => self.end(true),
            "VERIFICATION FAILED" => self.end(false),
            _ if !self.in_results => {}
            _ if line.starts_with('[') => self.check(line, 1),
            _ if line.starts_with("** ") => self.summary = summary(&line).or(self.summary),
            _ => {
                if let Some(heading) = heading(&line) {
                    self.heading = heading;
                }
            }
        }
    }

    fn end(&mut self, holds: bool) {
        if self.verdict.replace(holds).is_some() {
            self.problem("it tells its verdict twice");
        }
    }

    fn problem(&mut self, what: impl Into<String>) {
        self.problem.get_or_insert(what.into());
    }

    fn check(&mut self, line: String, lines: usize) {
        let Some((id, rest)) = line[1..].split_once("] ") else {
            return self.problem(format!("a result without an identifier: {line}"));
        };
        let Some((text, check)) = split_status(rest) else {
            if lines > MAX_TEXT_LINES {
                return self.problem(format!("a result without a status: {line}"));
            }
            self.open = Some((line, lines));
            return;
        };
        let (file, number, text) = split_place(text);
        if self.ids.len() >= MAX_RESULTS {
            return self.problem("more results than can be");
        }
        if !self.ids.insert(id.to_owned()) {
            self.problem(format!("it reports {id} twice"));
        }
        self.failing += usize::from(check == Check::Fails);
        let mut location = Location {
            line: number,
            ..self.heading.clone()
        };
        if let Some(file) = file {
            location.file = Some(file.to_owned());
        }
        self.tally.add(text, id, location, check);
    }

    fn output(mut self) -> Output {
        let counted = (self.failing, self.ids.len());
        match (self.verdict, self.summary) {
            (None, _) => self.problem("it ends before the verdict"),
            (Some(_), None) => self.problem("it has no summary of the results"),
            (Some(holds), Some(told)) => {
                if told != counted {
                    self.problem(format!(
                        "its summary says {} of {} failed, its results say {} of {}",
                        told.0, told.1, counted.0, counted.1
                    ));
                } else if holds != (counted.0 == 0) {
                    self.problem("its verdict contradicts its results");
                }
            }
        }
        let answer = self.problem.is_none().then(|| self.tally.into_answer());
        Output {
            answer,
            all_hold: self.verdict == Some(true),
            problem: self.problem,
            ..Output::default()
        }
    }
}

/// Splits `TEXT: STATUS`.
fn split_status(rest: &str) -> Option<(&str, Check)> {
    let (text, status) = rest.rsplit_once(": ")?;
    let check = match status {
        "SUCCESS" => Check::Holds,
        "FAILURE" => Check::Fails,
        "UNKNOWN" | "ERROR" | "NOT CHECKED" | "NOT REACHABLE" => Check::Undecided,
        _ => return None,
    };
    Some((text, check))
}

/// Splits `line N TEXT`; the line may be missing. `file NAME` stands in front if the file differs
/// from the heading's, in code that comes from several files.
fn split_place(told: &str) -> (Option<&str>, Option<u32>, &str) {
    let numbered = |text: &'_ str| -> Option<(u32, usize)> {
        let (number, rest) = text.strip_prefix("line ")?.split_once(' ')?;
        Some((number.parse().ok()?, text.len() - rest.len()))
    };
    if let Some((number, length)) = numbered(told) {
        return (None, Some(number), &told[length..]);
    }
    let file = told
        .strip_prefix("file ")
        .and_then(|t| t.split_once(" line "));
    let Some((file, _)) = file else {
        return (None, None, told);
    };
    let rest = &told["file ".len() + file.len() + 1..];
    match numbered(rest) {
        Some((number, length)) => (Some(file), Some(number), &rest[length..]),
        None => (None, None, told),
    }
}

/// Reads `FILE function NAME` or `FILE`.
fn heading(line: &str) -> Option<Location> {
    if line.is_empty() {
        return None;
    }
    let (file, function) = match line.rsplit_once(" function ") {
        Some((file, function)) => (file, Some(function.to_owned())),
        None => (line, None),
    };
    Some(Location {
        file: Some(file.to_owned()),
        line: None,
        function,
    })
}

/// Reads `** 2 of 5 failed (2 iterations)`.
fn summary(line: &str) -> Option<(usize, usize)> {
    let (failed, rest) = line.strip_prefix("** ")?.split_once(" of ")?;
    let (all, _) = rest.split_once(" failed")?;
    Some((failed.parse().ok()?, all.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::split_place;

    #[test]
    fn an_assertion_of_another_file_than_the_heading_names_is_read() {
        let split = split_place("file my dir/a.c line 12 baproduct:p:false");
        assert_eq!(split, (Some("my dir/a.c"), Some(12), "baproduct:p:false"));
        assert_eq!(
            split_place("line 3 x line 4 y"),
            (None, Some(3), "x line 4 y")
        );
        assert_eq!(
            split_place("file handle is line"),
            (None, None, "file handle is line")
        );
    }
}
