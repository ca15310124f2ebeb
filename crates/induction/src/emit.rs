//! The C text before a program with heads: the definitions of the macros `BA_HEAD_n`.
//!
//! An assertion is identified by its text, after the prefix that the reader of the model checker's output
//! looks for:
//! - `baproduct:claim:N`: candidate N holds;
//! - `baproduct:arrives:H`: fails if control reaches head H;
//! - `baproduct:forbidden:H`: the forbidden condition does not hold at head H;
//! - `baproduct:pointer:H:V`: the pointer V keeps its value in the loop of H;
//! - `baproduct:pointer:H:V:after`: the pointer V has its value again where the recursive function of H returns;
//! - `baproduct:returns:H`: fails if the recursive function of H returns;
//! - `baproduct:node:N`: fails if control reaches the N-th queried node (head and phase);
//! - `baproduct:state:N`: fails if control reaches the N-th queried state;
//! - `baproduct:flipped:N`: fails if the asserted condition fails without the N-th condition of the state, too;
//! - `baproduct:combination:N:H`: fails if a step leads from the N-th known combination of codes to an unknown one at head H;
//! - `baproduct:edge:N`: fails if the N-th queried edge exists;
//! - `baproduct:only:H`: only the listed edges lead to H;
//! - `baproduct:grounded:F:N`: at the start of edge N, function F is far from the least value of its type;
//! - `baproduct:falls:F:N` and `baproduct:stays:F:N`: the change of ranking function F along edge N.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::houdini::{Claim, Houdini};
use crate::rank::{Ask, Rank};
use crate::ranking::{Edge, Node};
use crate::system::{Cut, Kind, System, Variable};

mod recursion;
mod sums;
mod watched;
use sums::Sums;
use watched::asserted;
pub use watched::{Combinations, Flipped, States, BEHIND, FROM, HERE};

/// The prefix of the texts of assertions.
pub const PREFIX: &str = "baproduct:";

/// ESBMC's names of the functions that assert and assume.
const ESBMC: &str = "#ifdef BA_ESBMC\nvoid __ESBMC_assert(_Bool, const char *);\nvoid __ESBMC_assume(_Bool);\n#define __CPROVER_assert(c, text) __ESBMC_assert(c, text)\n#define __CPROVER_assume(c) __ESBMC_assume(c)\n#endif\n";

/// A set of edges, perhaps with any phases and marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// The head and phase at which the edges begin; `None` stands for any phase.
    pub from: (usize, Option<usize>),
    /// The head and phase at which they end.
    pub to: (usize, Option<usize>),
    /// Their marks; `None` stands for any.
    pub marks: Option<u8>,
}

impl From<Edge> for Pattern {
    fn from(edge: Edge) -> Pattern {
        Pattern {
            from: (edge.from.0, Some(edge.from.1)),
            to: (edge.to.0, Some(edge.to.1)),
            marks: Some(edge.marks),
        }
    }
}

/// The questions beside the candidates.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    /// Nodes, to find out whether they are reached.
    pub nodes: Vec<Node>,
    /// Patterns, to find out whether such edges exist.
    pub edges: Vec<Pattern>,
    /// Ranking functions whose changes along `edges` are asked for.
    pub ranks: Vec<Rank>,
    /// The pairs of a function and an edge, by index, that are asked for.
    pub changes: Vec<(usize, usize)>,
    /// If given: only for these pairs is it asserted that the function does not grow; for all others, that it
    /// falls.
    pub stays: Option<BTreeSet<(usize, usize)>>,
    /// Pairs of a function and an edge, by index: whether the function is far above the least value of its type
    /// at the start of the edge.
    pub grounded: Vec<(usize, usize)>,
    /// Whether the candidates are proved already, and only assumed.
    pub claims_are_known: bool,
    /// Whether it is known, or does not matter, that the forbidden condition holds at no head: it is not asserted.
    pub forbidden_is_known: bool,
    /// Questions about single states.
    pub states: States,
    /// If given: asserts for each head that only these edges lead to it (`baproduct:only:H`). Assertions that a
    /// proof expects to fail are then left out.
    pub only: Option<Vec<Edge>>,
    /// The k of the k-induction that excludes the forbidden condition: 0 or 1 if the claims alone exclude it at
    /// the next head.
    pub rounds: u32,
    /// The visits of heads with which each run begins that are followed instead of being cut, for a program whose first inputs
    /// are fixed: invariants are about what comes after them.
    pub skips: u32,
}

impl Queries {
    /// Whether a candidate is asserted.
    fn asserts(&self, claims: &Houdini, candidate: usize) -> bool {
        !self.claims_are_known && claims.is_open(candidate)
    }

    /// Whether a question is asserted; without [`Queries::stays`], both are.
    fn asks(&self, ask: Ask, function: usize, edge: usize) -> bool {
        match &self.stays {
            None => true,
            Some(stays) => stays.contains(&(function, edge)) == (ask == Ask::Stays),
        }
    }
}

/// The condition that the edge that ends here is a listed one; a run that has just started has no edge.
fn is_listed(number: usize, all: &[Edge]) -> String {
    let here = all.iter().filter(|e| e.to.0 == number);
    let one = |e: &Edge| {
        format!(
            " || (ba_from == {} && ba_phase == {} && ba_now == {} && ba_marks == {})",
            e.from.0 + 1,
            e.from.1,
            e.to.1,
            e.marks
        )
    };
    let listed: String = here.map(one).collect();
    format!("ba_from == 0{listed}")
}

/// The text before the program.
pub fn prologue(system: &System, claims: &Houdini, queries: &Queries) -> String {
    let mut out = String::from(
        "long long nondet_ba_integer(void);\nlong double nondet_ba_real(void);\n_Bool nondet_ba_truth(void);\nstatic unsigned ba_from, ba_phase;\nstatic unsigned ba_way, ba_rounds;\nstatic _Bool ba_began;\n",
    );
    out += ESBMC;
    out += &system.declarations;
    out += &watched::declarations(queries);
    if queries.skips > 0 {
        out += "static unsigned ba_skipped;\n";
    }
    for (v, variable) in system.variables.iter().enumerate() {
        let ty = saved_type(variable.kind);
        if ranks(variable.kind) {
            let _ = writeln!(
                out,
                "static {ty} ba_last_{v}; /* {} */",
                plain(&variable.lvalue)
            );
        }
    }
    out += &Sums::of(claims).declarations();
    for (number, cut) in system.cuts.iter().enumerate() {
        for v in kept(system, claims, number) {
            let ty = saved_type(system.variables[v].kind);
            let _ = writeln!(out, "static {ty} ba_in_{}_{v};", cut.number);
        }
        for &v in &cut.hidden {
            let _ = writeln!(out, "static void ba_forget_{v}(void);");
        }
        out += &recursion::declarations(system, cut);
    }
    for site in &system.followed {
        let _ = writeln!(
            out,
            "#define BA_HEAD_{site}(ba_count) {{ (void)ba_count; }}"
        );
    }
    for (v, _) in chosen(system) {
        let _ = writeln!(out, "static void *ba_any_{v}(void);");
        let _ = writeln!(out, "static _Bool ba_within_{v}(const volatile void *);");
    }
    for number in 0..system.cuts.len() {
        out += &head(system, number, claims, queries);
    }
    out
}

/// The pointers that may have one of several values.
fn chosen(system: &System) -> impl Iterator<Item = (usize, &Variable)> {
    let all = system.variables.iter().enumerate();
    all.filter(|(_, v)| !v.targets.is_empty())
}

/// The text after the program.
pub fn epilogue(system: &System, claims: &Houdini, queries: &Queries) -> String {
    let mut hidden: Vec<usize> = system
        .cuts
        .iter()
        .flat_map(|c| c.hidden.iter().copied())
        .collect();
    hidden.sort_unstable();
    hidden.dedup();
    let mut out = String::new();
    for v in hidden {
        let text = forget(system, v);
        let _ = write!(out, "\nstatic void ba_forget_{v}(void) {{ {text} }}");
    }
    for (v, variable) in chosen(system) {
        let everywhere = variable.targets.iter().filter(|t| !t.local);
        let cases = everywhere.clone().enumerate();
        let cases = cases.map(|(n, t)| format!("case {n}: {} ", t.chosen(("return ", ";"))));
        let cases: String = cases.collect();
        let same: Vec<String> = everywhere.map(|t| t.is("ba_p")).collect();
        let same = same.join(" || ");
        let _ = write!(out, "\nstatic void *ba_any_{v}(void) {{ switch (nondet_ba_integer()) {{ {cases}}} __CPROVER_assume(0); return (void *)0; }}");
        let _ = write!(
            out,
            "\nstatic _Bool ba_within_{v}(const volatile void *ba_p) {{ return {same}; }}"
        );
    }
    for number in 0..system.cuts.len() {
        out += &recursion::definitions(system, number, claims, queries);
    }
    out
}

/// The text, made safe for a comment.
fn plain(text: &str) -> String {
    text.replace("*/", "")
}

fn saved_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Truth => "_Bool",
        Kind::Integer => "long long",
        Kind::Real => "long double",
        Kind::Wide => "__int128",
        Kind::Pointer => "const volatile void *",
    }
}

/// Whether ranking functions use variables of this kind.
fn ranks(kind: Kind) -> bool {
    matches!(kind, Kind::Truth | Kind::Integer)
}

/// The statement that gives a variable any value, or any of its known values.
fn forget(system: &System, v: usize) -> String {
    let variable = &system.variables[v];
    let lvalue = &variable.lvalue;
    match variable.kind {
        Kind::Pointer if variable.is_fixed() => String::new(),
        Kind::Pointer => format!("{lvalue} = (__typeof__({lvalue}))ba_any_{v}();"),
        kind => anything(lvalue, kind),
    }
}

/// The statement that gives an object of a kind any value.
fn anything(lvalue: &str, kind: Kind) -> String {
    match kind {
        Kind::Truth => format!("{lvalue} = nondet_ba_truth();"),
        Kind::Integer => format!("{lvalue} = nondet_ba_integer();"),
        Kind::Real => format!("{lvalue} = nondet_ba_real();"),
        Kind::Wide => format!("{lvalue} = ((__int128)nondet_ba_integer() << 64) | (unsigned long long)nondet_ba_integer();"),
        Kind::Pointer => String::new(),
    }
}

/// The condition that the value is the saved one, bit by bit.
fn same(lvalue: &str, saved: &str, kind: Kind) -> String {
    match kind {
        Kind::Real => format!(
            "({lvalue} == {saved} && !__builtin_signbit({lvalue}) == !__builtin_signbit({saved}))"
        ),
        Kind::Integer => format!("(long long)({lvalue}) == {saved}"),
        Kind::Pointer => format!("(const volatile void *)({lvalue}) == {saved}"),
        _ => format!("{lvalue} == {saved}"),
    }
}

/// The variables whose values are saved at the entry of a loop: pointers whose values are not known, and
/// variables that are claimed to keep their values.
fn kept(system: &System, claims: &Houdini, cut: usize) -> Vec<usize> {
    let head = &system.cuts[cut];
    let pointers = system
        .seen(head)
        .filter(|&v| system.variables[v].is_fixed());
    let claimed = claims.at(cut).filter_map(|(_, claim)| match claim {
        Claim::Keeps(v) => Some(*v),
        Claim::Holds(_) | Claim::Sum(_) | Claim::Returns(_) => None,
    });
    let mut all: Vec<usize> = pointers.chain(claimed).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The expression of a variable's value at a head.
fn place(system: &System, cut: &Cut, v: usize) -> String {
    match system.sees(cut, v) {
        true => system.variables[v].lvalue.clone(),
        false => format!("ba_last_{v}"),
    }
}

fn head(system: &System, number: usize, claims: &Houdini, queries: &Queries) -> String {
    let cut = &system.cuts[number];
    let site = cut.number;
    let name = match &cut.entry {
        Some(entry) => format!("BA_ENTER_{}", entry.name),
        None => format!("BA_HEAD_{site}(ba_count)"),
    };
    let skips = match queries.skips {
        0 => String::new(),
        skips => format!("if (ba_skipped < {skips}u) ++ba_skipped; else "),
    };
    let mut out = format!(
        "#define {name} {{ {skips}{{ {}{}",
        system.arrive, system.reads
    );
    let phase = &system.phases[number].0;
    let marks: Vec<String> = system
        .marks
        .iter()
        .enumerate()
        .map(|(i, m)| format!("(unsigned)!!({m}) << {i}"))
        .collect();
    let marks = match marks.is_empty() {
        true => "0u".to_string(),
        false => marks.join(" | "),
    };
    let _ = write!(
        out,
        "unsigned ba_marks = {marks}, ba_now = {phase}; (void)ba_marks; (void)ba_now; "
    );
    out += &deep(system, number, claims, queries.rounds);
    out += &match &queries.only {
        None => check("0", &format!("arrives:{site}")),
        Some(all) => check(&is_listed(number, all), &format!("only:{site}")),
    };
    if queries.rounds <= 1 && !queries.forbidden_is_known {
        let condition = format!("!({})", system.forbidden);
        out += &asserted(queries, &condition, &format!("forbidden:{site}"));
    }
    let sums = Sums::of(claims);
    for (i, claim) in claims
        .at(number)
        .filter(|(i, _)| queries.asserts(claims, *i))
    {
        let condition = match claim {
            Claim::Holds(condition) => condition.clone(),
            Claim::Sum(balance) => sums.asserted(balance),
            Claim::Keeps(_) | Claim::Returns(_) => continue,
        };
        out += &check(&condition, &format!("claim:{i}"));
    }
    for (n, node) in queries
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.0 == number)
    {
        out += &check(&format!("ba_now != {}", node.1), &format!("node:{n}"));
    }
    out += &watched::arrives(number, queries);
    let states = queries.states.targets.iter().enumerate();
    for (n, (_, state)) in states.filter(|(_, state)| state.0 == number) {
        out += &asserted(queries, &format!("!({state})"), &format!("state:{n}"));
    }
    out += &edges(system, number, queries);
    let all = kept(system, claims, number);
    out += &within(system, cut, &all);
    out += &again(system, number, claims, queries, &all);
    if let Some(entry) = &cut.entry {
        out += &recursion::returned(system, cut, entry);
    }
    let _ = write!(out, "{} = 1; ", cut.counter());
    for counter in &cut.inner {
        let _ = write!(out, "{counter} = 0; ");
    }
    out += &onwards(system, number, claims, queries, &all);
    if let Some(entry) = &cut.entry {
        out += &recursion::followed(system, cut, entry);
    }
    if queries.rounds > 1 {
        let _ = write!(
            out,
            "{{ {} __CPROVER_assume(!({})); }} if (ba_way == 3) ba_began = nondet_ba_truth(); }} ",
            system.reads, system.forbidden
        );
    }
    let ends = cut.entry.as_ref().map(|e| recursion::ends(cut, e));
    out + "} }\n" + &ends.unwrap_or_default()
}

/// For a k-induction with k > 1, three kinds of runs: runs from head to head that check the claims (way 1);
/// first parts of the program's runs with k heads, which forget nothing (way 2); and runs that forget the state
/// until they start to count at some head, and then visit k heads, all but the last of which assume that the
/// forbidden condition does not hold (way 3; Sheeran, Singh and Stålmarck, FMCAD 2000). The rest of the head's
/// text is not for runs that count.
///
/// No argument is circular: the claims at a head follow from the state at the head before; that the forbidden
/// condition does not hold there follows from the claims up to it and from the heads before.
fn deep(system: &System, number: usize, claims: &Houdini, rounds: u32) -> String {
    if rounds <= 1 {
        return String::new();
    }
    let site = system.cuts[number].number;
    let holds = claims.at(number).filter_map(|(_, c)| c.condition());
    let holds: String = holds.map(|c| format!("__CPROVER_assume({c}); ")).collect();
    let (forbidden, last) = (&system.forbidden, rounds - 1);
    let asserted = check(
        &format!("!(ba_way == 2 || ba_rounds >= {last}) || !({forbidden})"),
        &format!("forbidden:{site}"),
    );
    format!(
        "if (!ba_way) ba_way = nondet_ba_truth() ? 1 : nondet_ba_truth() ? 2 : 3; \
         if (ba_way == 2 || ba_began) {{ {holds}{asserted}__CPROVER_assume(!({forbidden})); \
         if (++ba_rounds >= {rounds}) __CPROVER_assume(0); }} else {{ \
         if (ba_way == 3) __CPROVER_assume(!({forbidden})); "
    )
}

/// The checks that pointers have one of their known values where they are forgotten.
fn within(system: &System, cut: &Cut, kept: &[usize]) -> String {
    let site = cut.number;
    let forgotten = chosen(system).filter(|(v, _)| system.sees(cut, *v) && !kept.contains(v));
    let one = |(v, variable): (usize, &Variable)| {
        let here = system.local_targets(cut, v);
        let here = here.map(|t| format!(" || {}", t.is(&variable.lvalue)));
        let here: String = here.collect();
        let condition = format!("ba_within_{v}({}){here}", variable.lvalue);
        check(&condition, &format!("pointer:{site}:{v}"))
    };
    forgotten.map(one).collect()
}

/// The text for a repeated visit of a head: it checks the values that are claimed constant, and ends the path.
fn again(
    system: &System,
    number: usize,
    claims: &Houdini,
    queries: &Queries,
    all: &[usize],
) -> String {
    let cut = &system.cuts[number];
    let site = cut.number;
    let mut out = format!("if ({}) {{ ", cut.counter());
    for (i, claim) in claims
        .at(number)
        .filter(|(i, _)| queries.asserts(claims, *i))
    {
        if let Claim::Keeps(v) = claim {
            let kind = system.variables[*v].kind;
            out += &check(
                &same(&place(system, cut, *v), &format!("ba_in_{site}_{v}"), kind),
                &format!("claim:{i}"),
            );
        }
    }
    for &v in all.iter().filter(|&&v| system.variables[v].is_fixed()) {
        out += &check(
            &same(
                &place(system, cut, v),
                &format!("ba_in_{site}_{v}"),
                Kind::Pointer,
            ),
            &format!("pointer:{site}:{v}"),
        );
    }
    match cut.entry {
        // A call may still return.
        Some(_) => out + "} ",
        None => out + "__CPROVER_assume(0); } ",
    }
}

/// The text that continues after a head: in any state that the claims allow.
fn onwards(
    system: &System,
    number: usize,
    claims: &Houdini,
    queries: &Queries,
    all: &[usize],
) -> String {
    let cut = &system.cuts[number];
    let (site, phase) = (cut.number, &system.phases[number].0);
    let mut out = String::new();
    for &v in all {
        let value = place(system, cut, v);
        let _ = write!(out, "ba_in_{site}_{v} = {value}; ");
    }
    for v in (0..system.variables.len()).filter(|v| !all.contains(v)) {
        out += &forgotten(system, cut, v);
    }
    out += &system.resume;
    for condition in claims.at(number).filter_map(|(_, claim)| claim.condition()) {
        let _ = write!(out, "__CPROVER_assume({condition}); ");
    }
    out += &Sums::of(claims).remembered(number);
    out += &watched::behind(number, queries);
    for v in system
        .seen(cut)
        .filter(|&v| ranks(system.variables[v].kind))
    {
        let _ = write!(out, "ba_last_{v} = {}; ", system.variables[v].lvalue);
    }
    let _ = write!(
        out,
        "ba_from = {}; ba_phase = {phase}; {} ",
        number + 1,
        system.begin
    );
    out
}

fn forgotten(system: &System, cut: &Cut, v: usize) -> String {
    let variable = &system.variables[v];
    let mut out = String::new();
    match system.sees(cut, v) {
        true if variable.computed => {}
        true => {
            out += &forget(system, v);
            let lvalue = &variable.lvalue;
            let lead = format!("{lvalue} = (__typeof__({lvalue}))");
            for target in system.local_targets(cut, v) {
                let chosen = target.chosen((&lead, ";"));
                let _ = write!(out, " if (nondet_ba_truth()) {chosen}");
            }
        }
        false if variable.everywhere => {
            let _ = write!(out, "ba_forget_{v}();");
        }
        false => {}
    }
    if !system.sees(cut, v) && ranks(variable.kind) {
        out += &anything(&format!("ba_last_{v}"), variable.kind);
    }
    out + " "
}

fn check(condition: &str, text: &str) -> String {
    format!("__CPROVER_assert({condition}, \"{PREFIX}{text}\"); ")
}

fn edges(system: &System, number: usize, queries: &Queries) -> String {
    let cut = &system.cuts[number];
    let mut out = String::new();
    for (e, pattern) in queries.edges.iter().enumerate() {
        if pattern.to.0 != number {
            continue;
        }
        let mut conditions = vec![format!("ba_from == {}", pattern.from.0 + 1)];
        conditions.extend(pattern.from.1.map(|p| format!("ba_phase == {p}")));
        conditions.extend(pattern.to.1.map(|p| format!("ba_now == {p}")));
        conditions.extend(pattern.marks.map(|m| format!("ba_marks == {m}")));
        let condition = conditions.join(" && ");
        let of = |all: &[(usize, usize)]| -> Vec<usize> {
            all.iter().filter(|p| p.1 == e).map(|p| p.0).collect()
        };
        let (changes, grounded) = (of(&queries.changes), of(&queries.grounded));
        if changes.is_empty() && grounded.is_empty() {
            if queries.only.is_none() {
                out += &asserted(queries, &format!("!({condition})"), &format!("edge:{e}"));
            }
            continue;
        }
        let _ = write!(out, "if ({condition}) {{ ");
        let (now, before) = (
            |v: usize| place(system, cut, v),
            |v: usize| format!("ba_last_{v}"),
        );
        for f in changes {
            let asked = |ask| queries.ranks[f].change(system, &now, &before, ask);
            if queries.asks(Ask::Falls, f, e) {
                out += &check(&asked(Ask::Falls), &format!("falls:{f}:{e}"));
            }
            if queries.asks(Ask::Stays, f, e) {
                out += &check(&asked(Ask::Stays), &format!("stays:{f}:{e}"));
            }
        }
        for f in grounded {
            let condition = queries.ranks[f].is_grounded(system, &before);
            out += &check(&condition, &format!("grounded:{f}:{e}"));
        }
        out += "} ";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_run_is_followed_without_a_claim() {
        let system = System {
            cuts: vec![Cut::plain(7)],
            phases: vec![("0u".to_string(), 1)],
            forbidden: "0".to_string(),
            ..System::default()
        };
        let text = |skips| {
            let queries = Queries {
                skips,
                ..Queries::default()
            };
            prologue(&system, &Houdini::default(), &queries)
        };
        let (plain, skipping) = (text(0), text(5));
        assert!(
            plain.contains("#define BA_HEAD_7(ba_count) { { "),
            "{plain}"
        );
        assert!(!plain.contains("ba_skipped"), "{plain}");
        let begins = "#define BA_HEAD_7(ba_count) { if (ba_skipped < 5u) ++ba_skipped; else { ";
        assert!(skipping.contains(begins), "{skipping}");
    }
}
