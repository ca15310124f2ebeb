//! Line coverage of a threaded program by rounds: an assertion before each statement of each thread
//! fails if a run reaches the statement. The prefix up to there belongs to a real run, however its
//! round continues.

use std::fmt::Write;

use backend::Lines;

/// Inserts an assertion for each line of the threads into the text of a sequential program.
pub(super) fn asked(text: &str) -> (String, Lines) {
    let mut lines = Lines::default();
    let mut out = String::with_capacity(text.len() * 2);
    let mut inside = false;
    for line in text.lines() {
        inside |= line.starts_with("static void ba_seq_thread_") && line.ends_with('{');
        inside &= line != "}";
        if let Some((file, number)) = marked(line).filter(|_| inside) {
            let question = lines.question(&file, number);
            let _ = writeln!(out, "  __CPROVER_assert(0, \"{question}\");");
        }
        out.push_str(line);
        out.push('\n');
    }
    (out, lines)
}

/// The file and line of a line marker, if the file is the user's.
fn marked(line: &str) -> Option<(String, u32)> {
    let (number, file) = line.strip_prefix("#line ")?.split_once(' ')?;
    let file = file.strip_prefix('"')?.strip_suffix('"')?;
    (!file.starts_with('<')).then_some((file.to_owned(), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use backend::{Answer, Outcome};

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
