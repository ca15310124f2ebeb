//! The monitors of a formula's independent parts, side by side: each has its own state variable, and the
//! verdict is the least or the greatest of theirs.

use automata::{Monitor, Shape, TooLarge};
use ltl::B4;

use super::{deterministic, Flips, Names, Part};
use crate::items::code::{code, Code, Truth};

/// Joins the monitors of all parts.
///
/// # Errors
/// A bound that one of them, or the product of their states, exceeds.
pub(crate) fn part(names: &Names, shape: Shape<Monitor>) -> Result<Part, TooLarge> {
    let mut all = Part {
        every_event: false,
        states: Vec::new(),
        step: Code::default(),
        first: Code::default(),
        sample: Code::default(),
        flips: Flips::new(),
        levels: Vec::new(),
        form: "dfa",
        explanation: String::new(),
        description: Vec::new(),
    };
    let mut add = |monitor: Monitor| {
        let own = Names {
            state: format!("{}_part{}", names.state, all.states.len()),
            alphabet: names.alphabet.clone(),
            ..*names
        };
        let part = deterministic::part(&own, &monitor)?;
        let of = format!("part {}: ", all.states.len());
        all.description
            .extend(part.description.into_iter().map(|line| of.clone() + &line));
        all.every_event |= part.every_event;
        all.states.extend(part.states);
        all.step.push(part.step);
        all.first.push(part.first);
        all.sample.push(part.sample);
        for (proposition, (rise, fall)) in part.flips {
            let flips = all.flips.entry(proposition).or_default();
            flips.0.push(rise);
            flips.1.push(fall);
        }
        Ok(part.levels)
    };
    let shape = shape.try_map(&mut add)?;
    let count = all.states.iter().map(|state| state.count);
    let count = count.fold(1, u64::saturating_mul);
    if count > u64::from(u32::MAX) {
        return Err(TooLarge {
            what: "states of the monitor",
            limit: u32::MAX as usize,
        });
    }
    all.levels = levels(&shape);
    Ok(all)
}

/// The conditions of the verdicts below ⊤.
fn levels(shape: &Shape<Vec<(B4, Truth)>>) -> Vec<(B4, Truth)> {
    let mut below = Truth::Is(false);
    let mut levels = Vec::new();
    for level in [B4::False, B4::PresumablyFalse, B4::PresumablyTrue] {
        let up_to = at_most(shape, level);
        let exactly = and(up_to.clone(), not(&below));
        if up_to != below && !exactly.is_never() {
            levels.push((level, exactly));
        }
        below = up_to;
    }
    levels
}

/// The condition that the verdict is at most this value: a least value is if one of the values is, a greatest
/// one if all are.
fn at_most(shape: &Shape<Vec<(B4, Truth)>>, level: B4) -> Truth {
    match shape {
        Shape::Part(levels) => levels
            .iter()
            .filter(|(value, _)| *value <= level)
            .fold(Truth::Is(false), |all, (_, condition)| {
                or(all, condition.clone())
            }),
        Shape::Least(shapes) => shapes.iter().fold(Truth::Is(false), |all, shape| {
            or(all, at_most(shape, level))
        }),
        Shape::Greatest(shapes) => shapes.iter().fold(Truth::Is(true), |all, shape| {
            and(all, at_most(shape, level))
        }),
    }
}

fn or(a: Truth, b: Truth) -> Truth {
    match (&a, &b) {
        (Truth::Is(true), _) | (_, Truth::Is(true)) => Truth::Is(true),
        (Truth::Is(false), _) => b,
        (_, Truth::Is(false)) => a,
        _ => Truth::If(code!["(", a, " || ", b, ")"]),
    }
}

fn and(a: Truth, b: Truth) -> Truth {
    match (&a, &b) {
        (Truth::Is(false), _) | (_, Truth::Is(false)) => Truth::Is(false),
        (Truth::Is(true), _) => b,
        (_, Truth::Is(true)) => a,
        _ => Truth::If(code!["(", a, " && ", b, ")"]),
    }
}

fn not(a: &Truth) -> Truth {
    match a {
        Truth::Is(value) => Truth::Is(!value),
        Truth::If(code) => Truth::If(code!["!", code]),
    }
}
