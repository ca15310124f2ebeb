//! The size of a job's formula, measured without solving it.

use std::collections::BTreeMap;
use std::io::Read;

use crate::{stage, text};

/// The components of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Steps of the program in the runs up to the bound.
    pub steps: u64,
    /// Variables of the formula.
    pub variables: u64,
    /// Clauses of the formula.
    pub clauses: u64,
    /// How often each loop was unrolled, by its place, summed over all paths to it.
    pub unrolled: BTreeMap<String, u64>,
    /// The places where threads can be interrupted; empty unless the program is sequentialised.
    pub threads: Vec<Positions>,
}

/// The places where one thread can be interrupted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// The thread.
    pub thread: u32,
    /// The number of places.
    pub all: u64,
    /// The number of places where the thread may block.
    pub waits: u64,
}

/// Reads CBMC's output with `--dimacs --outfile /dev/stdout`; `None` if it has no formula.
///
/// The formula itself is not kept: its first line has its size.
///
/// ```text
/// Unwinding loop main.0 iteration 1 file p.c line 5 function main thread 0
/// size of program expression: 160 steps
/// Generated 1 VCC(s), 1 remaining after simplification
/// p cnf 12904 48811
/// ```
pub(crate) fn read(stream: &mut dyn Read) -> Option<Size> {
    let mut size = Size::default();
    let (mut steps, mut decided) = (None, false);
    for line in text::lines(stream) {
        if let Some((_, rest)) = line.split_once("Unwinding loop ") {
            if line.starts_with("Unwinding") {
                *size.unrolled.entry(stage::place(rest)).or_default() += 1;
            }
        } else if let Some(rest) = line.strip_prefix("size of program expression: ") {
            steps = rest.split(' ').next()?.parse().ok();
        } else if line.starts_with("Generated ") {
            decided = line.contains(", 0 remaining");
        } else if let Some(rest) = line.strip_prefix("p cnf ") {
            let (variables, clauses) = rest.split_once(' ')?;
            size.variables = variables.parse().ok()?;
            size.clauses = clauses.trim().parse().ok()?;
            decided = true;
        }
    }
    size.steps = steps?;
    decided.then_some(size)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_first_line_of_a_formula_tells_how_large_it_is() {
        let written = "Unwinding loop main.0 iteration 1 file p.c line 5 function main thread 0\n\
            Not unwinding loop main.0 iteration 2 file p.c line 5 function main thread 0\n\
            size of program expression: 160 steps\n\
            Generated 1 VCC(s), 1 remaining after simplification\n\
            p cnf 12904 48811\n1 -2 0\n";
        let size = read(&mut written.as_bytes()).unwrap_or_default();
        assert_eq!(
            (size.steps, size.variables, size.clauses),
            (160, 12_904, 48_811)
        );
        assert_eq!(size.unrolled.get("p.c:5"), Some(&1));
    }

    #[test]
    fn what_is_decided_without_a_formula_has_none() {
        let written = "size of program expression: 9 steps\nGenerated 1 VCC(s), 0 remaining after simplification\n";
        let size = read(&mut written.as_bytes());
        assert_eq!(size.map(|s| (s.steps, s.clauses)), Some((9, 0)));
        let broken = "size of program expression: 9 steps\nGenerated 1 VCC(s), 1 remaining after simplification\n";
        assert_eq!(read(&mut broken.as_bytes()), None);
    }
}
