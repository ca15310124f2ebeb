//! Candidates about what a recursive function does: its result and the state where it returns, compared with the state at its
//! start.

use super::{atoms, comparisons, constants, implies, values, Stage, COMPARISONS, MOST};
use crate::hints::Hints;
use crate::houdini::{Claim, Houdini};
use crate::rank::number;
use crate::system::{Cut, Entry, Kind, System, Variable};

/// The most constants with which a value at the start is compared to guard others.
const CONSTANTS: usize = 3;
/// Constants with which each result is compared.
const RESULTS: [i64; 3] = [-1, 0, 1];

/// The claims of a stage about returns of the function whose start is a head.
pub(super) fn returns(
    system: &System,
    hints: &Hints,
    head: usize,
    left: &Houdini,
    stage: Stage,
) -> Vec<Claim> {
    let cut = &system.cuts[head];
    let Some(entry) = &cut.entry else {
        return Vec::new();
    };
    let all = conditions(system, hints, cut, entry);
    let all = match stage {
        Stage::Plain => all,
        Stage::Placed | Stage::Sums | Stage::Elements | Stage::Arrays | Stage::Modes => Vec::new(),
        Stage::Phased | Stage::Guarded => {
            let holds = |text: &String| {
                let mut known = left.at(head).map(|(_, claim)| claim);
                known.any(|claim| matches!(claim, Claim::Returns(known) if known == text))
            };
            let open: Vec<String> = all.into_iter().filter(|text| !holds(text)).collect();
            guarded(&guards(system, hints, cut, entry, stage), &open)
        }
    };
    all.into_iter().take(MOST).map(Claim::Returns).collect()
}

fn guarded(guards: &[String], conditions: &[String]) -> Vec<String> {
    let pairs = guards
        .iter()
        .flat_map(|guard| conditions.iter().map(move |c| (guard, c)));
    pairs.map(|(guard, c)| implies(guard, c)).collect()
}

/// A variable's value at the start of the function.
fn old(system: &System, cut: &Cut, v: usize) -> Variable {
    Variable {
        lvalue: cut.at_start(v),
        ..system.variables[v].clone()
    }
}

/// Conditions about a return.
fn conditions(system: &System, hints: &Hints, cut: &Cut, entry: &Entry) -> Vec<String> {
    // That it never returns.
    let mut out = vec!["0".to_string()];
    out.extend(follow(entry));
    out.extend(guarded(&letters(system), &follow(entry)));
    let everywhere = entry
        .remembered
        .iter()
        .filter(|&&v| system.variables[v].everywhere);
    out.extend(everywhere.flat_map(|&v| compared(system, cut, v)));
    if let Some(result) = &entry.result {
        out.extend(results(system, hints, cut, (entry, result)));
    }
    out.extend(atoms(system, hints, &Cut::plain(cut.number)));
    for &v in &entry.remembered {
        if !system.variables[v].everywhere {
            out.extend(values(hints, &old(system, cut, v)));
        }
    }
    out
}

/// A variable compared with its value at the start.
fn compared(system: &System, cut: &Cut, v: usize) -> Vec<String> {
    let variable = &system.variables[v];
    let (now, before) = (&variable.lvalue, cut.at_start(v));
    let all = |ops: &[&str]| {
        ops.iter()
            .map(|op| format!("{now} {op} {before}"))
            .collect()
    };
    match variable.kind {
        Kind::Truth | Kind::Real => all(&["=="]),
        Kind::Integer if variable.unsigned64 => vec![format!("(long long)({now}) == {before}")],
        Kind::Integer if variable.states.is_some() => all(&["=="]),
        Kind::Integer => all(&["==", "<=", ">="]),
        Kind::Pointer => all(&["=="]),
        Kind::Wide => Vec::new(),
    }
}

/// The result, compared with constants, with the state, and with the state at the start.
fn results(
    system: &System,
    hints: &Hints,
    cut: &Cut,
    (entry, result): (&Entry, &Variable),
) -> Vec<String> {
    let name = &result.lvalue;
    if result.kind == Kind::Truth {
        return vec![name.clone(), format!("!{name}")];
    }
    if result.kind != Kind::Integer {
        return Vec::new();
    }
    let mut known = constants(hints, &result.name);
    known.extend(RESULTS);
    known.sort_unstable();
    known.dedup();
    let mut out: Vec<String> = known
        .into_iter()
        .flat_map(|c| comparisons(result, c, &COMPARISONS))
        .collect();
    let integers = entry.remembered.iter().map(|&v| (v, &system.variables[v]));
    let integers = integers.filter(|(_, v)| {
        v.kind == Kind::Integer && v.object.is_some() && v.states.is_none() && !v.unsigned64
    });
    for (v, variable) in integers.filter(|_| !result.unsigned64) {
        let mut others = vec![cut.at_start(v)];
        others.extend(variable.everywhere.then(|| variable.lvalue.clone()));
        for other in others {
            let all = ["==", "<=", ">=", "<", ">"];
            out.extend(all.map(|op| format!("{name} {op} {other}")));
        }
    }
    out
}

/// Conditions about the start, under which others are claimed.
fn guards(system: &System, hints: &Hints, cut: &Cut, entry: &Entry, stage: Stage) -> Vec<String> {
    let mut out = Vec::new();
    for &v in &entry.remembered {
        let variable = old(system, cut, v);
        let name = &variable.lvalue;
        let added = !variable.is_of_program();
        match (variable.kind, variable.states) {
            _ if variable.everywhere && added != (stage == Stage::Phased) => {}
            (Kind::Truth, _) => out.extend([name.clone(), format!("!{name}")]),
            (Kind::Integer, Some(states)) => {
                out.extend((0..states).map(|s| format!("{name} == {s}")))
            }
            (Kind::Integer, None) => {
                for c in constants(hints, &variable.name).into_iter().take(CONSTANTS) {
                    let c = number(c);
                    out.extend(["==", "!=", "<=", ">"].map(|op| format!("{name} {op} {c}")));
                }
            }
            _ => {}
        }
    }
    out
}

/// At a head inside a recursive function: the state, compared with that at the function's start.
pub(super) fn since_start(system: &System, cut: &Cut, seen: &[usize]) -> Vec<String> {
    let around = cut.inside.map(|c| &system.cuts[c]);
    let Some((start, entry)) = around.and_then(|c| Some((c, c.entry.as_ref()?))) else {
        return Vec::new();
    };
    let both = entry.remembered.iter().filter(|v| seen.contains(v));
    let compared = both.flat_map(|&v| compared(system, start, v));
    compared.chain(follow(entry)).collect()
}

/// Conditions about the letter and the automata where the function returns.
fn letters(system: &System) -> Vec<String> {
    let own = system
        .variables
        .iter()
        .filter(|v| v.everywhere && !v.is_of_program());
    let of = |variable: &Variable| {
        let name = &variable.lvalue;
        match (variable.kind, variable.states) {
            (Kind::Truth, _) => vec![name.clone(), format!("!{name}")],
            (_, states) => (0..states.unwrap_or(0))
                .map(|s| format!("{name} == {s}"))
                .collect(),
        }
    };
    own.flat_map(of).collect()
}

/// That one mark occurs only if another one does: letters change, and an accepting state is visited.
fn follow(entry: &Entry) -> Vec<String> {
    let names = || entry.since.iter().map(|(name, _)| name);
    let pairs = names().flat_map(|a| names().filter(move |b| *b != a).map(move |b| (a, b)));
    pairs.map(|(a, b)| format!("(!{a} || {b})")).collect()
}
