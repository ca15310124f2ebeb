//! The text by which calls of recursive functions are summaries.
//!
//! A call either returns, or it does not. If it returns, its effect is any that the claims about returns allow. These claims
//! speak of the state at the start (`ba_old_H_V`), the state where the function returns, and its result. If the call does not
//! return, nothing of its callers matters any more: the state is forgotten as at the head of a loop, and the body runs once from
//! there, in which each call is again one or the other. Where the body would return, the claims are asserted, and the run ends.
//! In one run the body of each function is followed only once, so that the texts of calls inside each other end.
//!
//! The claims hold by induction: of two calls that return, the inner one returns first. An infinite run has either finally one
//! activation that never ends, in which calls return and loops and heads are as without recursion; or infinitely many calls
//! that do not return, each of which is an edge from head to head.

use std::fmt::Write;

use super::{anything, check, chosen, forget, same, saved_type, Queries};
use crate::houdini::{Claim, Houdini};
use crate::system::{Cut, Entry, Kind, System};

/// The variables and prototypes of one recursive function.
pub(super) fn declarations(system: &System, cut: &Cut) -> String {
    let Some(entry) = &cut.entry else {
        return String::new();
    };
    let site = cut.number;
    let mut out = format!("static _Bool ba_deeper_{site};\nstatic void ba_call_{site}(void);\nstatic void ba_follow_{site}(void);\nstatic void ba_exit_{site}(void);\n");
    for &v in &entry.remembered {
        let ty = saved_type(system.variables[v].kind);
        let _ = writeln!(out, "static {ty} {};", cut.at_start(v));
    }
    if let Some(result) = &entry.result {
        let ty = saved_type(result.kind);
        let _ = writeln!(out, "static {ty} {};", result.lvalue);
    }
    out
}

/// Assignments that remember the parameters, which only the function itself names.
fn parameters(system: &System, cut: &Cut, entry: &Entry) -> String {
    let own = entry
        .remembered
        .iter()
        .filter(|&&v| !system.variables[v].everywhere);
    own.map(|&v| format!("{} = {}; ", cut.at_start(v), system.variables[v].lvalue))
        .collect()
}

/// Assignments that remember the rest of the state.
fn others(system: &System, cut: &Cut, entry: &Entry) -> String {
    let all = entry
        .remembered
        .iter()
        .filter(|&&v| system.variables[v].everywhere);
    all.map(|&v| format!("{} = {}; ", cut.at_start(v), system.variables[v].lvalue))
        .collect()
}

/// The text at a start for a call that returns. What an outer activation remembers is the same afterwards.
pub(super) fn returned(system: &System, cut: &Cut, entry: &Entry) -> String {
    let site = cut.number;
    let (mut keep, mut restore) = (String::new(), String::new());
    for &v in &entry.remembered {
        let (ty, old) = (saved_type(system.variables[v].kind), cut.at_start(v));
        let _ = write!(keep, "{ty} ba_outer_{v} = {old}; ");
        let _ = write!(restore, "{old} = ba_outer_{v}; ");
    }
    let gives = match &entry.result {
        Some(result) => format!("return {};", result.lvalue),
        None => "return;".to_string(),
    };
    format!(
        "if ({} || nondet_ba_truth()) {{ {keep}{}ba_call_{site}(); {restore}{gives} }} ",
        cut.counter(),
        parameters(system, cut, entry)
    )
}

/// The text at a start for a call that is followed, behind the text that forgets the state.
pub(super) fn followed(system: &System, cut: &Cut, entry: &Entry) -> String {
    format!(
        "{}ba_follow_{}(); ",
        parameters(system, cut, entry),
        cut.number
    )
}

/// The macros that stand at the returns of a function.
pub(super) fn ends(cut: &Cut, entry: &Entry) -> String {
    let (name, site) = (&entry.name, cut.number);
    let result = entry.result.as_ref();
    let keep = result.map(|r| format!("{} = ba_result; ", r.lvalue));
    format!(
        "#define BA_LEAVE_{name} {}ba_exit_{site}();\n#define BA_FALL_{name} ba_exit_{site}();\n",
        keep.unwrap_or_default()
    )
}

/// The functions of one recursive function, at the end of the program, where no local hides a name.
pub(super) fn definitions(
    system: &System,
    number: usize,
    claims: &Houdini,
    queries: &Queries,
) -> String {
    let cut = &system.cuts[number];
    let Some(entry) = &cut.entry else {
        return String::new();
    };
    let (site, others) = (cut.number, others(system, cut, entry));
    let started: String = entry
        .since
        .iter()
        .map(|(name, _)| format!("{name} = 0; "))
        .collect();
    let call = call(system, number, claims, entry);
    let exit = exit(system, number, claims, queries);
    format!(
        "\nstatic void ba_call_{site}(void) {{ {others}{call}}}\nstatic void ba_follow_{site}(void) {{ {others}{started}}}\nstatic void ba_exit_{site}(void) {{ {exit}}}\n"
    )
}

/// The claims about returns of the function whose start is this head.
fn returns(claims: &Houdini, number: usize) -> impl Iterator<Item = (usize, &String)> {
    claims.at(number).filter_map(|(i, claim)| match claim {
        Claim::Returns(condition) => Some((i, condition)),
        Claim::Holds(_) | Claim::Sum(_) | Claim::Keeps(_) => None,
    })
}

/// Any effect that a call may have.
fn call(system: &System, number: usize, claims: &Houdini, entry: &Entry) -> String {
    let (mut out, mut merged) = (String::new(), String::new());
    for (i, (name, marks)) in entry.since.iter().enumerate() {
        let _ = write!(out, "_Bool ba_before_{i} = {name}; ");
        for mark in marks {
            let _ = write!(merged, "{mark} = {mark} || {name}; ");
        }
        let _ = write!(merged, "{name} = {name} || ba_before_{i}; ");
    }
    let variables = system.variables.iter().enumerate();
    for (v, _) in variables.filter(|(_, v)| v.everywhere && !v.computed) {
        out += &forget(system, v);
        out += " ";
    }
    if let Some(result) = &entry.result {
        out += &anything(&result.lvalue, result.kind);
        out += " ";
    }
    out += &system.resume;
    for (_, condition) in returns(claims, number) {
        let _ = write!(out, "__CPROVER_assume({condition}); ");
    }
    out + &merged
}

/// The text where a call that is followed would return.
fn exit(system: &System, number: usize, claims: &Houdini, queries: &Queries) -> String {
    let cut = &system.cuts[number];
    let site = cut.number;
    let mut out = system.arrive.clone();
    if queries.only.is_none() {
        out += &check("0", &format!("returns:{site}"));
    }
    for (i, condition) in returns(claims, number).filter(|(i, _)| queries.asserts(claims, *i)) {
        out += &check(condition, &format!("claim:{i}"));
    }
    out + &pointers(system, cut) + "__CPROVER_assume(0); "
}

/// The checks that pointers have the values again that they had at the start, or one of those that they may have behind a call.
fn pointers(system: &System, cut: &Cut) -> String {
    let site = cut.number;
    let all = system.variables.iter().enumerate();
    let fixed = all.filter(|(_, v)| v.is_fixed() && v.everywhere);
    let fixed = fixed.map(|(v, variable)| {
        let saved = format!("ba_in_{site}_{v}");
        (v, same(&variable.lvalue, &saved, Kind::Pointer))
    });
    let chosen = chosen(system).filter(|(_, v)| v.everywhere);
    let chosen = chosen.map(|(v, variable)| (v, format!("ba_within_{v}({})", variable.lvalue)));
    let one =
        |(v, condition): (usize, String)| check(&condition, &format!("pointer:{site}:{v}:after"));
    fixed.chain(chosen).map(one).collect()
}
