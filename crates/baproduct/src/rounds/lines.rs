//! Line coverage of a threaded program by rounds: an assertion before each statement of each thread
//! fails if a run reaches the statement. The prefix up to there belongs to a real run, however its
//! round continues.

use std::collections::BTreeMap;
use std::fmt::Write;

use backend::{Answer, Coverage, Failure, Outcome};

/// The prefix of the texts of these assertions; an index into the lines follows.
const TEXT: &str = "baproduct:line:";

/// File and line of each question, by the number in its assertion.
pub(super) struct Lines(Vec<(String, u32)>);

/// Inserts an assertion for each line of the threads into the text of a sequential program.
pub(super) fn asked(text: &str) -> (String, Lines) {
    let mut known: BTreeMap<(String, u32), usize> = BTreeMap::new();
    let mut lines = Vec::new();
    let mut out = String::with_capacity(text.len() * 2);
    let mut inside = false;
    for line in text.lines() {
        inside |= line.starts_with("static void ba_seq_thread_") && line.ends_with('{');
        inside &= line != "}";
        if let Some(place) = marked(line).filter(|_| inside) {
            let number = *known.entry(place.clone()).or_insert_with(|| {
                lines.push(place);
                lines.len() - 1
            });
            let _ = writeln!(out, "  __CPROVER_assert(0, \"{TEXT}{number}\");");
        }
        out.push_str(line);
        out.push('\n');
    }
    (out, Lines(lines))
}

/// The file and line of a line marker, if the file is the user's.
fn marked(line: &str) -> Option<(String, u32)> {
    let (number, file) = line.strip_prefix("#line ")?.split_once(' ')?;
    let file = file.strip_prefix('"')?.strip_suffix('"')?;
    (!file.starts_with('<')).then_some((file.to_owned(), number.parse().ok()?))
}

impl Lines {
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
        for (number, (file, line)) in self.0.iter().enumerate() {
            let outcome = answer.outcomes.get(&format!("{TEXT}{number}"));
            let of_file = coverage.files.entry(file.clone()).or_default();
            of_file.insert(*line, outcome == Some(&Outcome::Fails));
        }
        Ok(coverage)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const TEXT: &str = "#line 1 \"a.c\"\nint x;\nstatic void ba_seq_thread_0(void) {\n\
        ba_seq_p0: if (ba_seq_pc[0] > 0) goto ba_seq_p1;\n#line 3 \"a.c\"\n  x = 1;\n\
        #line 9 \"<baproduct>\"\n  ba_x = 1;\n#line 3 \"a.c\"\n  x = 2;\n#line 4 \"a.c\"\n  x = 3;\n}\n";

    #[test]
    fn statements_of_threads_are_asked_for_and_nothing_else() {
        let (text, lines) = asked(TEXT);
        assert_eq!(text.matches("__CPROVER_assert(0").count(), 3);
        let mut answer = Answer::default();
        let fails = ("baproduct:line:0".to_owned(), Outcome::Fails);
        answer.outcomes.extend([fails]);
        let found = lines.told(&answer).unwrap();
        let found: Vec<_> = found.files["a.c"].iter().map(|(l, r)| (*l, *r)).collect();
        assert_eq!(found, [(3, true), (4, false)]);
        answer.rest = Some("no time".into());
        assert!(lines.told(&answer).is_err());
    }
}
