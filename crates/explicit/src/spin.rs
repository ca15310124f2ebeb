//! The same search by SPIN (Holzmann, The SPIN Model Checker, 2003): a model whose process takes the steps of
//! the compiled program, and a never claim for each formula.
//!
//! SPIN's never claims move with each step of the model, a formula's automaton with each letter. So the model
//! sets `tick` for one step when it takes a letter; otherwise the claim waits in a state that is not accepting.
//! SPIN repeats the last state of a run that cannot continue; `tick` is unset there, so that no claim accepts a
//! run all of whose continuations are discarded. A run that has ended repeats its last letter itself. At any
//! time, the process may decide that no more letters come (`idle`), and repeats the last letter while it
//! continues without letters.

use std::fmt::Write as _;

use automata::{Buchi, Guard};
use ltl::AtomId;

use crate::product::Claim;

const PROCESS: &str = r"c_decl {
extern int ba_s_steps(int), ba_s_ended(int), ba_s_last(int), ba_s_to(int, int), ba_s_letters(int, int), ba_s_letter(int, int, int), ba_s_holds(int, int);
}
int at, edge, place, letter, total;
bool tick, idle, ended;

active proctype program() {
next:
  atomic {
    c_code { now.total = ba_s_steps(now.at); now.ended = ba_s_ended(now.at); now.edge = 0; now.place = 0; };
    if
    :: ended == 1 -> goto over
    :: ended == 0 && total > 0
    fi;
    do
    :: edge + 1 < total -> edge++
    :: break
    od;
    if
    :: idle == 0
    :: idle = 1
    fi;
    c_code { now.total = ba_s_letters(now.at, now.edge); };
    if
    :: total == 0
    :: total > 0 && idle == 0
    fi
  };
  if
  :: total == 0 && idle == 1 -> d_step { c_code { now.letter = ba_s_last(ba_s_to(now.at, now.edge)); }; tick = 1 }; tick = 0
  :: total > 0 || idle == 0
  fi;
  do
  :: place < total -> d_step { c_code { now.letter = ba_s_letter(now.at, now.edge, now.place); }; place++; tick = 1 }; tick = 0
  :: place >= total -> break
  od;
  skip;
  d_step { c_code { now.at = ba_s_to(now.at, now.edge); now.edge = 0; now.total = 0; now.place = 0; now.letter = 0; } };
  goto next;
over:
  skip;
  d_step { c_code { now.letter = ba_s_last(now.at); now.edge = 0; now.total = 0; }; tick = 1 };
  tick = 0;
  goto over
}
";

/// The model, with a never claim `c0`, `c1`, … for each claim, which makes no demands of fairness.
pub fn model(claims: &[Claim]) -> String {
    let mut text = PROCESS.to_string();
    for (number, claim) in claims.iter().enumerate() {
        let (automaton, atoms) = (&claim.negation, &claim.atoms);
        let _ = write!(
            text,
            "\nnever c{number} {{\n  goto wait_{};\n",
            automaton.initial()
        );
        for (q, state) in automaton.states().iter().enumerate() {
            let moves: String = state
                .edges
                .iter()
                .map(|e| {
                    format!(
                        "  :: c_expr {{ now.tick && ({}) }} -> goto {}\n",
                        condition(&e.guard, atoms),
                        entered(automaton, e.target)
                    )
                })
                .collect();
            for label in [entered(automaton, q), format!("wait_{q}")] {
                let _ = write!(
                    text,
                    "{label}:\n  if\n  :: c_expr {{ !now.tick }} -> goto wait_{q}\n{moves}  fi;\n"
                );
            }
        }
        text.push_str("}\n");
    }
    text
}

/// The label of a state that a letter has just led to.
fn entered(automaton: &Buchi, q: usize) -> String {
    match automaton.states()[q].accepting {
        true => format!("accept_{q}"),
        false => format!("enter_{q}"),
    }
}

fn condition(guard: &Guard, atoms: &[(AtomId, usize)]) -> String {
    let literal = |(atom, value): &(AtomId, bool)| {
        let at = atoms
            .iter()
            .find(|(a, _)| a == atom)
            .map_or(0, |(_, at)| *at);
        let sign = if *value { "" } else { "!" };
        format!("{sign}ba_s_holds(now.letter, {at})")
    };
    let cube = |cube: &automata::Cube| match cube.is_empty() {
        true => "1".to_string(),
        false => cube.iter().map(literal).collect::<Vec<_>>().join(" && "),
    };
    let all: Vec<String> = guard.cubes().iter().map(cube).collect();
    match all.is_empty() {
        true => "0".into(),
        false => all.join(" || "),
    }
}

/// The output of a search by SPIN.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Whether SPIN found a run that the claim accepts; `None` if it did not finish.
    pub accepted: Option<bool>,
    /// The number of states that it counted.
    pub states: u64,
    /// The length of the longest path.
    pub depth: u64,
    /// Whether it gave up a part of the search.
    pub incomplete: bool,
}

/// Reads a line of the output of a search.
pub fn read(said: &mut Said, line: &str) {
    let line = line.trim();
    let number = |text: &str| {
        text.split_ascii_whitespace()
            .next()
            .and_then(|w| w.parse().ok())
    };
    if let Some((before, after)) = line.split_once("errors: ") {
        let errors: Option<u64> = number(after);
        said.accepted = errors.map(|n| n > 0);
        let depth = before.split("depth reached ").nth(1);
        said.depth = depth
            .and_then(|d| d.split(',').next())
            .and_then(|d| d.trim().parse().ok())
            .unwrap_or_default();
    } else if line.ends_with("states, stored") || line.contains("states, stored (") {
        said.states = number(line).unwrap_or_default();
    }
    // An incomplete search proves nothing.
    let gave_up = [
        "max search depth too small",
        "Search not completed",
        "ba_crash",
        "ba_memory",
        "out of memory",
        "memory limit",
    ];
    said.incomplete |= gave_up.iter().any(|g| line.contains(g));
}

/// The answer: whether the claim accepts a run, if the search finished.
pub fn answer(said: &Said) -> Option<bool> {
    said.accepted
        .filter(|accepted| *accepted || !said.incomplete)
}
