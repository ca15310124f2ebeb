//! Tables of programs with formulas and their answers, as the program is and with `BROKEN` defined.
//!
//! `prove/table.json` has a program for each kind of argument, `reactive/table.json` programs as newcomers write them. `BAPRODUCT_PROVE_ALL=1` asks for all rows.

use super::prove;
use crate::support::{cbmc, number, repository, sample, Dir, AMPLE};

/// Whether all rows are asked for.
const ALL: &str = "BAPRODUCT_PROVE_ALL";

/// Rows that always run, by program and number among its rows: one for each kind of argument. What other tests ask (flags that are
/// counted, combinations of values, elements of arrays) is not asked here, too; sums that a program keeps take longest, and are
/// asked with all rows.
const KINDS: [(&str, usize); 13] = [
    ("toggle", 0),
    ("lock_with_loop", 0),
    ("poll", 0),
    ("traffic", 0),
    ("counters", 0),
    ("assumed", 0),
    ("lock_walk", 0),
    ("walk_line", 0),
    ("tank", 0),
    ("assumed_effect", 0),
    ("device", 0),
    ("recursive", 0),
    ("rec_waits", 0),
];

/// Rows of the reactive programs that always run: those that take a second or two.
const REACTIVE: [(&str, usize); 6] = [
    ("mailbox", 2),
    ("history", 2),
    ("stack", 1),
    ("backoff", 3),
    ("commands", 2),
    ("scheduler", 2),
];

/// A program, a formula, and the answers for both variants, if they are asked for.
type Row = (String, String, Option<String>, Option<String>);

/// Asks for the rows of a table within a budget each; so many of a hundred may be open.
fn answered(folder: &str, always: &[(&str, usize)], budget: &str, most: usize) {
    let folder = repository(folder);
    let text = std::fs::read_to_string(folder.join("table.json")).unwrap();
    let table: Vec<Row> = serde_json::from_str(&text).unwrap();
    let all = number(ALL, 0) != 0;
    let always: Vec<_> = sample(always.iter().copied(), 8).collect();
    let (mut wrong, mut open, mut asked) = (Vec::new(), Vec::new(), 0);
    let mut seen = std::collections::BTreeMap::<&str, usize>::new();
    for (name, formula, right, broken) in &table {
        let row = seen.entry(name).or_insert(0);
        let chosen = all || always.contains(&(name.as_str(), *row));
        *row += 1;
        if !chosen {
            continue;
        }
        let program = std::fs::read_to_string(folder.join(format!("{name}.c"))).unwrap();
        let dir = Dir::with(&[("prog.c", &program)]);
        for (variant, expected) in [(&[][..], right), (&["-D", "BROKEN"][..], broken)] {
            let Some(expected) = expected else { continue };
            let asked_for = ["--no-trace", "--budget", budget, "--ltl", formula, "prog.c"];
            let args = [&asked_for[..], variant].concat();
            let (got, property) = prove(&dir, &args);
            asked += 1;
            if got == "unknown" {
                open.push(format!(
                    "{name} {variant:?} {formula}: {}",
                    property["reason"]
                ));
            } else if got != *expected {
                wrong.push(format!("{name} {variant:?} {formula}: {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
    assert!(
        open.len() * 100 <= asked * most,
        "{} of {asked} are open: {open:#?}",
        open.len()
    );
}

#[test]
fn the_table_is_answered() {
    if cbmc() {
        answered("tests/prove", &KINDS, AMPLE, 10);
    }
}

/// Ring buffers, queues, stacks, parsers, schedulers, lifts and the like.
#[test]
fn reactive_programs_are_answered() {
    if cbmc() {
        // All rows have the minute that `verify` has; the few that always run are answered by then however busy the machine is.
        let budget = if number(ALL, 0) != 0 { "60" } else { AMPLE };
        answered("tests/reactive", &REACTIVE, budget, 20);
    }
}
