//! Visits some of a program's states, to find violations where not all can be visited: with some lines of text as inputs, and the
//! functions of the library as they are.

use std::collections::BTreeSet;

use backend::explore::Visits;
use backend::Cancel;
use explicit::classes::lines::{Lines, Parts};
use explicit::classes::{Choices, Form};
use explicit::graph::Partial;

use super::{
    choices, chosen, compiled, contracts, in_time, lines_read, parsed, program, reads_texts,
    Explored, Task, Work,
};
use crate::prove::Limits;

/// The most steps of random runs: some seconds of work.
const STEPS: u64 = 300_000;
/// The same where a step is one of a thread: short runs are searched by rounds, too.
const OF_THREADS: u64 = 10_000;
/// The part of the time that is left that each search may take.
const PART: f64 = 0.35;

/// A program of which some states are visited, and how their inputs are chosen.
pub struct Part {
    chosen: (Choices, bool),
    reads_lines: bool,
}

/// Prepares to visit some states. The answers may be violations, and are nothing else.
///
/// # Errors
/// Why no states can be visited, or that there is no time.
pub fn part(task: &Task, limits: &Limits, cancel: &Cancel) -> Result<Part, String> {
    let time = (limits, cancel);
    in_time(time)?;
    let program = program(task)?;
    let unit = parsed(task, &program, false)?;
    in_time(time)?;
    let read = lines_read(task);
    let lines = match reads_texts(task) {
        false => Lines::default(),
        true => {
            let parts = parts(task, &program, &read, time).unwrap_or_else(|| Parts::near(&unit));
            Lines::of(&unit, &task.heads, &read, &parts)
        }
    };
    let form = Form {
        marks: true,
        some: Some(&lines),
    };
    Ok(Part {
        chosen: (choices(task, &unit, form)?, false),
        reads_lines: lines.are_some(),
    })
}

impl Part {
    /// Visits the states of random runs that violate a formula.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn at_random(
        &self,
        task: &Task,
        limits: &Limits,
        cancel: &Cancel,
        told: &dyn Fn(Work),
    ) -> Result<Explored, String> {
        told(Work::Visiting("the states of random runs"));
        let steps = match task.turns.fairness.goes_on {
            true => OF_THREADS,
            false => STEPS,
        };
        let what = Visits::Samples(task.record.properties.len());
        let most = task.states.saturating_mul(3).min(steps);
        self.visited(task, (what, most), (limits, cancel), told)
    }

    /// Visits the states that some lines lead to, if the program reads lines.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn by_lines(
        &self,
        task: &Task,
        limits: &Limits,
        cancel: &Cancel,
        told: &dyn Fn(Work),
    ) -> Result<Explored, String> {
        if !self.reads_lines {
            return Err("the program reads no lines".into());
        }
        told(Work::Visiting("the states that some lines of text lead to"));
        self.visited(task, (Visits::States, task.states), (limits, cancel), told)
    }

    /// Visits states in some way: at most so many, or so many steps. However it ends, not all inputs were tried.
    fn visited(
        &self,
        task: &Task,
        (what, most): (Visits, u64),
        (limits, cancel): (&Limits, &Cancel),
        told: &dyn Fn(Work),
    ) -> Result<Explored, String> {
        let mut compiled = compiled(task, self.chosen.clone(), (limits, cancel), told)?;
        let mut exploration = compiled.exploration.clone();
        exploration.states = most;
        exploration.timeout = exploration.timeout.map(|time| time.mul_f64(PART));
        let mut graph = compiled.search(task, &exploration, what, cancel)?;
        graph.partial.get_or_insert(Partial::Inputs);
        Ok(compiled.explored(task, graph, (limits, false)))
    }
}

/// What lines are made from: the values that matter of what functions of the library give, and of characters; `None` if these cannot be
/// told.
fn parts(
    task: &Task,
    program: &str,
    read: &BTreeSet<u32>,
    time: (&Limits, &Cancel),
) -> Option<Parts> {
    let form = Form {
        marks: true,
        some: None,
    };
    let (choices, _) = chosen(task, program, form, time).ok()?;
    let values = |of: &BTreeSet<u32>| {
        let all = choices.values.iter();
        let all = all.filter(|(site, _)| of.contains(site));
        all.flat_map(|(_, values)| values.iter().copied()).collect()
    };
    Some(Parts {
        numbers: values(&contracts(&task.record)),
        characters: values(read),
    })
}
