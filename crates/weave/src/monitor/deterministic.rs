//! A deterministic monitor as C: decisions on the state and the letter, specialised for each proposition's rise
//! and fall.

use automata::{Condition, Decision, Monitor, Span, StateId, TooLarge};
use ltl::B4;

use super::{Names, Part, StateVariable};
use crate::items::code::{code, Code, Truth};

/// The monitor with its state in `names.state`; the caller adds the explanation.
pub(crate) fn part(names: &Names, monitor: &Monitor) -> Result<Part, TooLarge> {
    let flips = names.flips(monitor.atoms(), |atom| {
        let [rise, fall] = [monitor.rise(atom)?, monitor.fall(atom)?];
        Ok((statements(&rise, names), statements(&fall, names)))
    })?;
    let (step, sample) = match names.sampled() {
        false => (statements(&monitor.step()?, names), Code::default()),
        true => (Code::default(), sample_step(monitor, names)?),
    };
    let (initial, first) = match names.constant_start() {
        Some(letter) => (monitor.next(monitor.initial(), &letter), Code::default()),
        None => (monitor.initial(), statements(&monitor.first()?, names)),
    };
    let mut levels = Vec::new();
    for level in [B4::False, B4::PresumablyFalse, B4::PresumablyTrue] {
        let condition = condition(&monitor.verdict_is(level)?, names);
        if !condition.is_never() {
            levels.push((level, condition));
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

/// The step of a letter at a sample as one assignment: in sequential programs, a conditional expression costs a
/// model checker less than branches, which it has to join.
fn sample_step(monitor: &Monitor, names: &Names) -> Result<Code, TooLarge> {
    let state = Code::read(&names.state);
    let more = value(&monitor.step()?, names, &state);
    let first = value(&monitor.first()?, names, &monitor.initial().0.into());
    let new = choose("ba_more", more, first);
    Ok(match new == state {
        true => Code::default(),
        false => code![&names.state, " = ", new, "; "],
    })
}

/// The new state as an expression; `stay` is the expression of the old one.
fn value(decision: &Decision, names: &Names, stay: &Code) -> Code {
    match decision {
        Decision::Stay => stay.clone(),
        Decision::Goto(StateId(state)) => (*state).into(),
        Decision::Count(by) => plus(stay, *by),
        Decision::Atom { atom, then, els } => choose(
            Code::read(&names.atom(*atom)),
            value(then, names, stay),
            value(els, names, stay),
        ),
        Decision::State { cases, otherwise } => {
            let last = value(otherwise, names, stay);
            cases.iter().rev().fold(last, |els, (states, decision)| {
                // If the old state is a known number, that is cheaper than a read.
                let known = states.only().map(|state| state.0.into());
                let then = value(decision, names, known.as_ref().unwrap_or(stay));
                choose(is_in(*states, names), then, els)
            })
        }
    }
}

/// The condition that the monitor is in one of these states.
fn is_in(states: Span, names: &Names) -> Code {
    let state = Code::read(&names.state);
    match states.only() {
        Some(only) => code![state, " == ", only.0],
        None => {
            let (first, last) = (states.first.0, states.last.0);
            code![&state, " >= ", first, " && ", &state, " <= ", last]
        }
    }
}

/// The sum of a number of a state and a constant.
fn plus(state: &Code, by: i64) -> Code {
    let sign = if by < 0 { " - " } else { " + " };
    code!["(", state, sign, by.unsigned_abs().to_string(), ")"]
}

fn choose(condition: impl Into<Code>, then: Code, els: Code) -> Code {
    match then == els {
        true => then,
        false => code!["(", condition, " ? ", then, " : ", els, ")"],
    }
}

/// The monitor in words, one line for each state.
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
pub(crate) fn statements(decision: &Decision, names: &Names) -> Code {
    match decision {
        Decision::Stay => Code::default(),
        Decision::Goto(StateId(state)) => code![&names.state, " = ", *state, "; "],
        Decision::Count(by) => {
            let sum = plus(&Code::read(&names.state), *by);
            code![&names.state, " = ", sum, "; "]
        }
        Decision::Atom { atom, then, els } => choice(
            Code::read(&names.atom(*atom)),
            statements(then, names),
            statements(els, names),
        ),
        Decision::State { cases, otherwise } => {
            let last = statements(otherwise, names);
            cases.iter().rev().fold(last, |els, (states, decision)| {
                choice(is_in(*states, names), statements(decision, names), els)
            })
        }
    }
}

pub(crate) fn choice(condition: impl Into<Code>, then: Code, els: Code) -> Code {
    if then == els {
        return then;
    }
    match (then.is_empty(), els.is_empty()) {
        (true, true) => Code::default(),
        (false, true) => code!["if (", condition, ") { ", then, "} "],
        (true, false) => code!["if (!(", condition, ")) { ", els, "} "],
        (false, false) => code!["if (", condition, ") { ", then, "} else { ", els, "} "],
    }
}

/// A condition of the monitor as a C expression.
fn condition(question: &Condition, names: &Names) -> Truth {
    match question {
        Condition::Is(answer) => Truth::Is(*answer),
        Condition::Atom { atom, then, els } => ternary(
            Code::read(&names.atom(*atom)),
            condition(then, names),
            condition(els, names),
        ),
        Condition::State { cases, otherwise } => {
            let last = condition(otherwise, names);
            cases.iter().rev().fold(last, |els, (states, answer)| {
                ternary(is_in(*states, names), condition(answer, names), els)
            })
        }
    }
}

fn ternary(condition: Code, then: Truth, els: Truth) -> Truth {
    use Truth::Is;
    Truth::If(match (&then, &els) {
        (a, b) if a == b => return then,
        (Is(true), Is(false)) => code!["(", condition, ")"],
        (Is(false), Is(true)) => code!["!(", condition, ")"],
        (_, Is(false)) => code!["((", condition, ") && ", then, ")"],
        (Is(false), _) => code!["(!(", condition, ") && ", els, ")"],
        (Is(true), _) => code!["((", condition, ") || ", els, ")"],
        (_, Is(true)) => code!["(!(", condition, ") || ", then, ")"],
        _ => code!["((", condition, ") ? ", then, " : ", els, ")"],
    })
}
