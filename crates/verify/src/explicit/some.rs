//! Visits some of a program's states, to find violations where not all can be visited: with some lines of text as inputs, and the
//! functions of the library as they are.

use std::collections::BTreeSet;

use backend::explore::Visits;
use backend::Cancel;
use explicit::classes::lines::{Lines, Parts};
use explicit::classes::Form;
use explicit::graph::Partial;
use weave::record::SiteEvent;

use super::{choices, chosen, compiled, contracts, parsed, program, Explored, Task};
use crate::prove::Limits;

/// The most steps of random runs.
const STEPS: u64 = 3_000_000;
/// The part of the time that they may take.
const PART: f64 = 0.6;

/// Visits some states: those of random runs that violate a formula, and, if the program reads lines, those that some lines lead to.
/// The answers may be violations, and are nothing else.
///
/// # Errors
/// Why no states can be visited.
pub fn some(
    task: &Task,
    limits: &Limits,
    cancel: &Cancel,
    told: &dyn Fn(&str),
) -> Result<Vec<Explored>, String> {
    let program = program(task)?;
    let unit = parsed(task, &program, false)?;
    let all = (0u32..).zip(&task.record.sites);
    let read: BTreeSet<u32> = all
        .filter(|(_, s)| s.event == SiteEvent::Input && s.what.starts_with("fgets"))
        .map(|(number, _)| number)
        .collect();
    let lines = Lines::of(&unit, &task.heads, &read, &parts(task, &program, &read));
    let form = Form {
        marks: false,
        some: Some(&lines),
    };
    told("taking random runs");
    let chosen = (choices(task, &unit, form)?, false);
    let formulas = task.record.properties.len();
    let mut out = Vec::new();
    let mut first = compiled(task, chosen.clone(), (limits, cancel), told)?;
    let mut exploration = first.exploration.clone();
    exploration.states = STEPS;
    exploration.timeout = exploration.timeout.map(|time| time.mul_f64(PART));
    let graph = first.search(task, &exploration, Visits::Samples(formulas), cancel)?;
    out.push(first.explored(task, graph, (limits, false)));
    if lines.are_some() {
        told("visiting the states that some lines of text lead to");
        let mut second = compiled(task, chosen, (limits, cancel), told)?;
        let exploration = second.exploration.clone();
        let graph = second.search(task, &exploration, Visits::States, cancel)?;
        out.push(second.explored(task, graph, (limits, false)));
    }
    for explored in &mut out {
        explored.graph.partial.get_or_insert(Partial::Inputs);
    }
    Ok(out)
}

/// What lines are made from: the values that matter of what functions of the library give, and of characters.
fn parts(task: &Task, program: &str, read: &BTreeSet<u32>) -> Parts {
    let form = Form {
        marks: true,
        some: None,
    };
    let Ok((choices, _)) = chosen(task, program, form) else {
        return Parts::default();
    };
    let values = |of: &BTreeSet<u32>| {
        let all = choices.values.iter();
        let all = all.filter(|(site, _)| of.contains(site));
        all.flat_map(|(_, values)| values.iter().copied()).collect()
    };
    Parts {
        numbers: values(&contracts(&task.record)),
        characters: values(read),
    }
}
