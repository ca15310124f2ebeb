//! Finer graphs: heads are told apart by the values of variables that have few, and by conditions of
//! the program, so that each direction of a zigzag has a ranking function of its own.

use std::collections::BTreeSet;

use crate::hints::Hints;
use crate::system::{Kind, System};

/// Phases of one head at most.
const MOST: usize = 48;
/// A variable that tells heads apart has no more values than these.
const VALUES: usize = 12;

/// Splits the heads of a component, as far as the bound allows. Gives whether anything was split.
pub fn split(system: &mut System, hints: &Hints, heads: &BTreeSet<usize>) -> bool {
    let mut any = false;
    for &head in heads {
        let (mut phase, mut count) = system.phases[head].clone();
        for (expression, values) in factors(system, hints, head) {
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

/// Unsigned expressions with few values.
fn factors(system: &System, hints: &Hints, head: usize) -> Vec<(String, usize)> {
    let cut = &system.cuts[head];
    let mut out = Vec::new();
    for v in system.seen(cut) {
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
                let mut text = format!("{}u", values.len());
                for (i, value) in values.iter().enumerate() {
                    text = format!("{name} == {value} ? {i}u : {text}");
                }
                out.push((text, values.len() + 1));
            }
            _ => {}
        }
    }
    out.sort_by_key(|(_, values)| *values);
    let known = |objects: &[usize]| {
        let seen = |o| {
            system
                .seen(cut)
                .any(|v| system.variables[v].object == Some(o))
        };
        objects.iter().all(|&o| seen(o))
    };
    // A counter of which only the remainder matters.
    for (text, _, divisor) in hints.remainders.iter().filter(|r| known(&r.1)) {
        let shift = divisor - 1;
        out.push((
            format!("(unsigned)(({text}) + {shift})"),
            (divisor + shift) as usize,
        ));
    }
    for (text, _) in hints.conditions.iter().filter(|c| known(&c.1)) {
        out.push((format!("!!({text})"), 2));
    }
    out
}
