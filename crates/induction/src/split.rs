//! Refinement of the graph: heads are split by the values of variables with few values, and by conditions of
//! the program, so that each direction of a zigzag can have its own ranking function.

use std::collections::BTreeSet;

use crate::hints::Hints;
use crate::houdini::{Claim, Houdini};
use crate::rank::number;
use crate::system::{Kind, System};

/// The most phases of one head.
const MOST: usize = 48;
/// The most values of a variable that splits a head.
const VALUES: usize = 12;

/// Splits the heads of a component, as far as the bound allows. Conditions that `known` decides at a head do
/// not split it. Returns whether any head was split.
pub fn split(system: &mut System, hints: &Hints, known: &Houdini, heads: &BTreeSet<usize>) -> bool {
    let mut any = false;
    for &head in heads {
        let (mut phase, mut count) = system.phases[head].clone();
        for (expression, values) in factors(system, hints, known, head) {
            if count * values <= MOST {
                phase = format!("({phase}) * {values}u + ({expression})");
                count *= values;
                any = true;
            }
        }
        system.phases[head] = (phase, count);
    }
    any
}

/// Unsigned expressions with few values; those that may change in the loop come first.
fn factors(system: &System, hints: &Hints, known: &Houdini, head: usize) -> Vec<(String, usize)> {
    let cut = &system.cuts[head];
    let keeps = |v: usize| known.at(head).any(|(_, c)| *c == Claim::Keeps(v));
    let (kept, changing): (Vec<usize>, Vec<usize>) = system.seen(cut).partition(|v| keeps(*v));
    let mut out = values(system, hints, known, head, &changing);
    out.sort_by_key(|(_, values)| *values);
    let decided = |text: &str| {
        known.holds(head, &format!("({text})")) || known.holds(head, &format!("!({text})"))
    };
    let sees = |objects: &[usize]| {
        let seen = |o| {
            system
                .seen(cut)
                .any(|v| system.variables[v].object == Some(o))
        };
        objects.iter().all(|&o| seen(o))
    };
    // Only the remainder of such a counter matters.
    for (text, _, divisor) in hints.remainders.iter().filter(|r| sees(&r.1)) {
        let shift = divisor - 1;
        out.push((
            format!("(unsigned)(({text}) + {shift})"),
            (divisor + shift) as usize,
        ));
    }
    for (text, _) in hints.conditions.iter().filter(|c| sees(&c.1)) {
        if !decided(text) {
            out.push((format!("!!({text})"), 2));
        }
    }
    out.extend(values(system, hints, known, head, &kept));
    out
}

/// Expressions for variables with few values that are not constant at the head.
fn values(
    system: &System,
    hints: &Hints,
    known: &Houdini,
    head: usize,
    variables: &[usize],
) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    for &v in variables {
        let variable = &system.variables[v];
        let name = &variable.lvalue;
        if variable.object.is_none() || variable.bulk {
            continue;
        }
        match variable.kind {
            Kind::Truth => out.push((format!("!!({name})"), 2)),
            Kind::Integer => {
                let values = hints
                    .values(&variable.name)
                    .filter(|s| (2..=VALUES).contains(&s.len()));
                let Some(values) = values else { continue };
                let is = |value: &i64| known.holds(head, &format!("{name} == {}", number(*value)));
                if values.iter().any(is) {
                    continue;
                }
                let mut text = format!("{}u", values.len());
                for (i, value) in values.iter().enumerate() {
                    text = format!("{name} == {value} ? {i}u : {text}");
                }
                out.push((text, values.len() + 1));
            }
            _ => {}
        }
    }
    out
}
