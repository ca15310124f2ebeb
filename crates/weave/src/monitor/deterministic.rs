//! A deterministic monitor as C: decisions on the state and the letter, specialised to each
//! proposition and direction of change.

use automata::{Condition, Decision, Monitor, StateId, TooLarge};
use ltl::B4;

use super::{Names, Part, StateVariable};
use crate::monitor::single_reads::read;

/// The parts of a monitor whose state is in `names.state`; its explanation is left to the caller.
pub(crate) fn part(names: &Names, monitor: &Monitor) -> Result<Part, TooLarge> {
    let mut flips = Vec::new();
    for proposition in &names.spec.propositions {
        let concerned = !names.sampled() && monitor.atoms().contains(&proposition.atom);
        flips.push(match concerned {
            true => (
                statements(&monitor.rise(proposition.atom)?, names),
                statements(&monitor.fall(proposition.atom)?, names),
            ),
            false => Default::default(),
        });
    }
    let (step, sample) = match names.sampled() {
        false => (statements(&monitor.step()?, names), String::new()),
        true => (String::new(), sample_step(monitor, names)?),
    };
    let (initial, first) = match names.constant_start() {
        Some(letter) => (monitor.next(monitor.initial(), &letter), String::new()),
        None => (monitor.initial(), statements(&monitor.first()?, names)),
    };
    let mut levels = Vec::new();
    for level in [B4::False, B4::PresumablyFalse, B4::PresumablyTrue] {
        let text = condition(&monitor.verdict_is(level)?, names);
        if text != "0" {
            levels.push((level, text));
        }
    }
    Ok(Part {
        every_event: !monitor.absorbs_stuttering(),
        states: vec![StateVariable {
            name: names.state.clone(),
            initial: initial.0,
            count: monitor.len() as u64,
        }],
        step,
        first,
        sample,
        flips,
        levels,
        form: "dfa",
        explanation: String::new(),
        description: describe(monitor, names),
    })
}

/// The step of a letter at a sample as one assignment: in sequential programs a conditional
/// expression costs a model checker less than branches, each of which it has to join again.
fn sample_step(monitor: &Monitor, names: &Names) -> Result<String, TooLarge> {
    let state = &names.state;
    let more = value(&monitor.step()?, names, &read(state));
    let initial = monitor.initial().0.to_string();
    let first = value(&monitor.first()?, names, &initial);
    let new = choose("ba_more", more, first);
    Ok(match new == read(state) {
        true => String::new(),
        false => format!("{state} = {new}; "),
    })
}

/// The new state as an expression; `stay` is the old one.
fn value(decision: &Decision, names: &Names, stay: &str) -> String {
    match decision {
        Decision::Stay => stay.to_string(),
        Decision::Goto(StateId(state)) => state.to_string(),
        Decision::Atom { atom, then, els } => choose(
            &read(&names.atom(*atom)),
            value(then, names, stay),
            value(els, names, stay),
        ),
        Decision::State { cases, otherwise } => {
            let last = value(otherwise, names, stay);
            cases.iter().rev().fold(last, |els, (state, decision)| {
                let is = format!("{} == {}", read(&names.state), state.0);
                // Where it stays, the new state is this one: a number is worth more than a read.
                choose(&is, value(decision, names, &state.0.to_string()), els)
            })
        }
    }
}

fn choose(condition: &str, then: String, els: String) -> String {
    match then == els {
        true => then,
        false => format!("({condition} ? {then} : {els})"),
    }
}

/// The monitor in words, a state a line.
fn describe(monitor: &Monitor, names: &Names) -> Vec<String> {
    const LONGEST: usize = 24;
    let mut lines: Vec<String> = monitor
        .states()
        .take(LONGEST)
        .map(|state| {
            let certain = monitor
                .certain(state)
                .map(|v| format!(" ({v})"))
                .unwrap_or_default();
            let moves: Vec<String> = monitor
                .transitions(state)
                .iter()
                .filter(|(_, target)| *target != state)
                .map(|(guard, target)| {
                    format!("{} -> {}", guard.display(&names.spec.arena), target.0)
                })
                .collect();
            format!(
                "state {}{certain}: {}",
                state.0,
                if moves.is_empty() {
                    "stays".into()
                } else {
                    moves.join(", ")
                }
            )
        })
        .collect();
    if monitor.len() > LONGEST {
        lines.push(format!("… {} states in all", monitor.len()));
    }
    lines
}

/// A step as C statements on one line; empty if it does nothing.
pub(crate) fn statements(decision: &Decision, names: &Names) -> String {
    match decision {
        Decision::Stay => String::new(),
        Decision::Goto(StateId(state)) => format!("{} = {state}; ", names.state),
        Decision::Atom { atom, then, els } => choice(
            &read(&names.atom(*atom)),
            statements(then, names),
            statements(els, names),
        ),
        Decision::State { cases, otherwise } => {
            let mut text = statements(otherwise, names);
            for (state, decision) in cases.iter().rev() {
                text = choice(
                    &format!("{} == {}", read(&names.state), state.0),
                    statements(decision, names),
                    text,
                );
            }
            text
        }
    }
}

pub(crate) fn choice(condition: &str, then: String, els: String) -> String {
    if then == els {
        return then;
    }
    match (then.is_empty(), els.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("if ({condition}) {{ {then}}} "),
        (true, false) => format!("if (!({condition})) {{ {els}}} "),
        (false, false) => format!("if ({condition}) {{ {then}}} else {{ {els}}} "),
    }
}

/// A question as a C expression; `0` and `1` if it is none.
fn condition(question: &Condition, names: &Names) -> String {
    match question {
        Condition::Is(answer) => u8::from(*answer).to_string(),
        Condition::Atom { atom, then, els } => ternary(
            &read(&names.atom(*atom)),
            condition(then, names),
            condition(els, names),
        ),
        Condition::State { cases, otherwise } => {
            let mut text = condition(otherwise, names);
            for (state, answer) in cases.iter().rev() {
                text = ternary(
                    &format!("{} == {}", read(&names.state), state.0),
                    condition(answer, names),
                    text,
                );
            }
            text
        }
    }
}

fn ternary(condition: &str, then: String, els: String) -> String {
    match (then.as_str(), els.as_str()) {
        (a, b) if a == b => then,
        ("1", "0") => format!("({condition})"),
        ("0", "1") => format!("!({condition})"),
        (_, "0") => format!("(({condition}) && {then})"),
        ("0", _) => format!("(!({condition}) && {els})"),
        ("1", _) => format!("(({condition}) || {els})"),
        (_, "1") => format!("(!({condition}) || {then})"),
        _ => format!("(({condition}) ? {then} : {els})"),
    }
}
