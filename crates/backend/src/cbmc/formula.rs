//! Reads the size of the propositional formula, which CBMC prints before it runs the SAT solver.
//!
//! If a formula has many clauses per variable, the solver's simplifier, which otherwise saves much
//! time, may take longer than everything else (RERS 2012, Problem 4: more than 280 s instead of 11
//! s). No criterion is certain, so both ways are tried in doubt.

use std::io::{self, Read};

/// Clauses per variable at which the simplifier may take long.
const DENSE: u64 = 10;
/// Clauses below which simplifying takes no time.
const LARGE: u64 = 500_000;
/// The greatest length of a line about a formula.
const LONGEST: usize = 200;

/// A stream that calls a function when the output reports a large and dense formula.
pub(super) struct Watched<'a> {
    stream: &'a mut dyn Read,
    line: Vec<u8>,
    dense: Option<&'a mut dyn FnMut()>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(stream: &'a mut dyn Read, dense: &'a mut dyn FnMut()) -> Self {
        Watched {
            stream,
            line: Vec::new(),
            dense: Some(dense),
        }
    }

    fn see(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte != b'\n' {
                if self.line.len() < LONGEST {
                    self.line.push(byte);
                }
                continue;
            }
            let size = size(&String::from_utf8_lossy(&self.line));
            self.line.clear();
            let Some((variables, clauses)) = size else {
                continue;
            };
            // Later formulas are this one with more clauses.
            let dense = self.dense.take();
            if clauses >= LARGE && clauses / DENSE >= variables {
                if let Some(dense) = dense {
                    dense();
                }
            }
            return;
        }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        if self.dense.is_some() {
            self.see(&buffer[..count]);
        }
        Ok(count)
    }
}

/// The variables and clauses in a line such as `163545 variables, 3762082 clauses`.
fn size(line: &str) -> Option<(u64, u64)> {
    let (before, behind) = line.split_once(" variables, ")?;
    let digits = |c: char| !c.is_ascii_digit();
    let variables = before.rsplit(digits).next()?;
    let (clauses, _) = behind.split_once(" clauses")?;
    Some((variables.parse().ok()?, clauses.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sizes_are_found_in_both_forms_of_output() {
        assert_eq!(size("12 variables, 345 clauses"), Some((12, 345)));
        let json = r#"    "messageText": "12 variables, 345 clauses","#;
        assert_eq!(size(json), Some((12, 345)));
        for other in ["x variables, 3 clauses", "12 variables", "3 clauses", ""] {
            assert_eq!(size(other), None, "{other}");
        }
    }

    #[test]
    fn a_dense_formula_is_told_once_and_the_stream_stays_as_it_is() {
        for (text, expected) in [
            (
                "a\n1000 variables, 600000 clauses\n1000 variables, 700000 clauses\n",
                1,
            ),
            ("1000 variables, 6000 clauses\n", 0),
            (
                "100000 variables, 600000 clauses\n1 variables, 700000 clauses\n",
                0,
            ),
        ] {
            let (mut told, mut out) = (0, String::new());
            let mut stream = text.as_bytes();
            let mut tell = || told += 1;
            Watched::new(&mut stream, &mut tell)
                .read_to_string(&mut out)
                .unwrap();
            assert_eq!((told, out.as_str()), (expected, text));
        }
    }
}
