//! Candidates for invariants: templates over the variables that a head sees, filled with hints from the
//! program's text. All are guesses; those that are not inductive are dropped.

use std::collections::{BTreeMap, BTreeSet};

use crate::hints::{self, Hints};
use crate::houdini::{Candidate, Claim, Houdini};
use crate::rank::{number, Rank};
use crate::system::{Cut, Kind, System, Target, Variable};

mod arrays;
pub mod clauses;
mod letters;
mod places;
mod reals;
mod returns;
mod sums;
pub mod vocabulary;

/// The stages of guessing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Values, intervals, relations of two variables, conditions of the program.
    Plain,
    /// Values of variables, guarded by the place at which the program is: a program counter, or another variable with more values than
    /// guard otherwise.
    Placed,
    /// Relations of the sums that the program seems to keep.
    Sums,
    /// Relations of the elements of arrays that count, by the variables that tell which these are, without their sums: these are
    /// hard for a model checker.
    Elements,
    /// The same with their sums, where there are any.
    Arrays,
    /// Intervals, and relations of variables, guarded by a value of a program variable with few values.
    Modes,
    /// Values, intervals, relations and conditions, guarded by a state of an automaton or the value of an added variable.
    Phased,
    /// The same, guarded by a value of a program variable with few values.
    Guarded,
}

/// The most candidates at one head and stage: each is an assertion and an assumption.
const MOST: usize = 2500;
/// The most of the stage that has to be short.
const BRIEF: usize = 600;
/// The most conditions of a program whose conditions are looked at in its modes.
const RULES: usize = 40;
/// The most conditions of the program that guard others at that stage.
const OWN: usize = 12;
/// The most computed expressions, and the most counted variables, that are related to each other.
const COUNTED: usize = 6;
/// The most integers of which all pairs are related.
const FEW: usize = 6;
/// The most values of a variable that guards others.
const GUARDS: usize = 8;
/// The most elements of an array that are summed.
const ELEMENTS: usize = 64;
/// The most values to which a variable's distance is measured.
const DISTANCES: usize = 6;
/// The most constants for one variable.
const CONSTANTS: usize = 12;

/// Adds the candidates of a stage.
pub fn add(system: &System, hints: &Hints, stage: Stage, out: &mut Houdini) {
    for (number, cut) in system.cuts.iter().enumerate() {
        let claims = match stage {
            Stage::Plain => plain(system, hints, cut),
            Stage::Placed => places::placed(system, hints, cut),
            Stage::Sums => sums::sums(system, hints, cut),
            Stage::Elements => {
                let mut all = arrays::elements(system, hints, out, (number, cut));
                all.retain(|claim| !is_sum(claim));
                all
            }
            Stage::Arrays => {
                let all = arrays::elements(system, hints, out, (number, cut));
                match all.iter().any(is_sum) {
                    true => all,
                    false => Vec::new(),
                }
            }
            Stage::Modes | Stage::Phased | Stage::Guarded => {
                guarded(system, hints, number, out, stage)
            }
        };
        let returned = returns::returns(system, hints, number, out, stage);
        let most = match stage {
            Stage::Modes => BRIEF,
            _ => MOST,
        };
        for claim in claims.into_iter().take(most).chain(returned) {
            out.add(Candidate { cut: number, claim });
        }
    }
}

fn is_sum(claim: &Claim) -> bool {
    matches!(claim, Claim::Sum(_))
}

fn plain(system: &System, hints: &Hints, cut: &Cut) -> Vec<Claim> {
    let mut out = Vec::new();
    let all = system.variables.iter().enumerate();
    for (v, variable) in all.filter(|(_, variable)| !variable.bulk && !variable.computed) {
        let saved = system.sees(cut, v)
            || (!variable.everywhere && matches!(variable.kind, Kind::Truth | Kind::Integer));
        let forgotten = matches!(variable.kind, Kind::Truth | Kind::Integer | Kind::Real);
        if saved && (forgotten || !variable.targets.is_empty()) {
            out.push(Claim::Keeps(v));
        }
    }
    let conditions = atoms(system, hints, cut).into_iter();
    let conditions = conditions.chain(letters::letters(system, cut));
    let seen: Vec<usize> = system.seen(cut).collect();
    out.extend(conditions.map(Claim::Holds));
    out.extend(arrays::totals(system, hints, &seen));
    out
}

/// Conditions over the variables that a head sees.
fn atoms(system: &System, hints: &Hints, cut: &Cut) -> Vec<String> {
    let mut out: Vec<String> = system
        .definitions
        .iter()
        .map(|(v, e)| format!("{v} == {e}"))
        .collect();
    let counts = |v: &usize| !system.variables[*v].bulk;
    let seen: Vec<usize> = system.seen(cut).filter(counts).collect();
    for (text, objects) in &hints.conditions {
        let known = |o: &usize| seen.iter().any(|&v| system.variables[v].object == Some(*o));
        if objects.iter().all(known) {
            out.push(format!("({text})"));
            out.push(format!("!({text})"));
        }
    }
    for (text, objects, divisor) in &hints.remainders {
        let known = |o: &usize| seen.iter().any(|&v| system.variables[v].object == Some(*o));
        if objects.iter().all(known) {
            out.extend((0..*divisor).map(|r| format!("({text}) == {r}")));
        }
    }
    for &v in &seen {
        out.extend(values(hints, &system.variables[v]));
        out.extend(targets(&system.variables[v], cut).flat_map(|at| {
            let name = &system.variables[v].lvalue;
            [format!("{name} == {at}"), format!("{name} != {at}")]
        }));
        out.extend(ends(&system.variables[v], cut));
        out.extend(residues(system, hints, v));
    }
    out.extend(relations(system, hints, &seen));
    out.extend(positions(system, hints, &seen));
    out.extend(returns::since_start(system, cut, &seen));
    let mut known = BTreeSet::new();
    out.retain(|text| known.insert(text.clone()));
    out
}

/// The values of a pointer that have a name at a head.
fn targets<'a>(variable: &'a Variable, cut: &'a Cut) -> impl Iterator<Item = &'a str> {
    let named = |t: &&Target| t.more == 0 && cut.names(t);
    let named = variable.targets.iter().filter(named);
    named.map(|t| t.text.as_str())
}

/// That a pointer is not behind the last element of an array that it goes through.
fn ends<'a>(variable: &'a Variable, cut: &'a Cut) -> impl Iterator<Item = String> + 'a {
    let arrays = variable.targets.iter();
    let arrays = arrays.filter(|t| t.more > 0 && cut.names(t));
    arrays.map(|t| format!("{} != {} + {}", variable.lvalue, t.text, t.more))
}

fn values(hints: &Hints, variable: &Variable) -> Vec<String> {
    let name = &variable.lvalue;
    let mut out = Vec::new();
    match (variable.kind, variable.states) {
        (Kind::Truth, _) => out.extend([name.clone(), format!("!{name}")]),
        (Kind::Integer, Some(states)) => {
            out.push(format!("{name} < {states}"));
            for s in 0..states {
                out.push(format!("{name} == {s}"));
                out.push(format!("{name} != {s}"));
            }
        }
        (Kind::Integer, None) => {
            if let Some(set) = hints.values(&variable.name).filter(|s| s.len() > 1) {
                let each: Vec<String> = set
                    .iter()
                    .map(|c| format!("{name} == {}", number(*c)))
                    .collect();
                out.push(format!("({})", each.join(" || ")));
            }
            for c in constants(hints, &variable.name) {
                out.extend(comparisons(variable, c, &COMPARISONS));
            }
        }
        (Kind::Real, _) => out.extend(reals::bounds(hints, variable)),
        _ => {}
    }
    out
}

/// The operators that compare.
const COMPARISONS: [&str; 6] = ["==", "<=", ">=", "!=", "<", ">"];

/// The comparisons of a variable with a constant by some operators, as C evaluates them: comparisons that always hold for an
/// unsigned variable are left out, and a negative constant is written as the unsigned value that it equals.
fn comparisons(variable: &Variable, c: i64, operators: &[&str]) -> Vec<String> {
    let name = &variable.lvalue;
    let equal = |op: &&str| matches!(*op, "==" | "!=");
    let (only_equal, c) = match variable.is_unsigned() {
        true if c < 0 => match (variable.bits, i32::try_from(c)) {
            (32, Ok(c)) => (true, format!("{}u", c as u32)),
            (64, _) => (true, format!("{}ULL", c as u64)),
            _ => return Vec::new(),
        },
        unsigned => (unsigned && c == 0, number(c)),
    };
    let operators = operators.iter().filter(|op| !only_equal || equal(op));
    operators.map(|op| format!("{name} {op} {c}")).collect()
}

/// Remainders: a variable that changes by a constant keeps its remainder.
fn residues(system: &System, hints: &Hints, v: usize) -> Vec<String> {
    let variable = &system.variables[v];
    let steps = hints.steps.get(&variable.name);
    let steps = steps.filter(|_| variable.bits > 0 && variable.kind == Kind::Integer);
    let of = |&step: &i64| (0..step).map(move |r| format!("{} % {step} == {r}", variable.lvalue));
    steps.into_iter().flatten().flat_map(of).collect()
}

fn constants(hints: &Hints, name: &str) -> Vec<i64> {
    let mut all: Vec<i64> = hints.known(name).into_iter().collect();
    if !all.contains(&0) {
        all.push(0);
    }
    all.sort_by_key(|c| c.unsigned_abs());
    all.truncate(CONSTANTS);
    all
}

fn relations(system: &System, hints: &Hints, seen: &[usize]) -> Vec<String> {
    let integers: Vec<(&str, &str)> = seen
        .iter()
        .map(|&v| &system.variables[v])
        .filter(|v| v.kind == Kind::Integer && v.states.is_none() && v.object.is_some())
        .map(|v| (v.lvalue.as_str(), v.name.as_str()))
        .collect();
    let mut out = Vec::new();
    for (i, (a, x)) in integers.iter().enumerate() {
        for (b, y) in &integers[i + 1..] {
            if integers.len() <= FEW || hints.related(x, y) {
                out.extend(["==", "<=", ">=", "<", ">", "!="].map(|op| format!("{a} {op} {b}")));
                out.push(format!("{a} == {b} + 1"));
                out.push(format!("{b} == {a} + 1"));
            }
        }
    }
    out
}

/// That a variable that is counted tells where a pointer in an array stands, or what a condition of the program computes.
fn positions(system: &System, hints: &Hints, seen: &[usize]) -> Vec<String> {
    let all = seen.iter().map(|&v| &system.variables[v]);
    let integers = all.filter(|v| v.kind == Kind::Integer && v.states.is_none());
    let (computed, own): (Vec<&Variable>, Vec<&Variable>) = integers.partition(|v| v.computed);
    let is_counted = |v: &&&Variable| {
        let mut names = hints::names(&v.name).into_iter();
        names.any(|name| hints.kept.counted.contains(&name))
    };
    let counted: Vec<&&Variable> = own.iter().filter(is_counted).take(COUNTED).collect();
    let each = computed.iter().take(COUNTED);
    let equal = |c: &&Variable| {
        let c = c.lvalue.clone();
        counted
            .iter()
            .map(move |v| format!("{c} == {}", v.lvalue))
            .collect::<Vec<_>>()
    };
    each.flat_map(equal).collect()
}

/// The condition that one condition holds wherever another one does.
fn implies(guard: &str, condition: &str) -> String {
    format!("(!({guard}) || ({condition}))")
}

/// Conditions that guard others at a stage.
fn guards(system: &System, hints: &Hints, cut: &Cut, stage: Stage) -> Vec<String> {
    let mut out = Vec::new();
    for v in system.seen(cut).filter(|v| !system.variables[*v].bulk) {
        let variable = &system.variables[v];
        let name = &variable.lvalue;
        let added = !variable.is_of_program();
        match (variable.kind, variable.states) {
            _ if added != (stage == Stage::Phased) => {}
            (Kind::Pointer, _) if variable.targets.len() <= GUARDS => {
                out.extend(targets(variable, cut).map(|at| format!("{name} == {at}")));
            }
            (Kind::Truth, _) => out.extend([name.clone(), format!("!{name}")]),
            _ => out.extend(
                few(hints, variable)
                    .iter()
                    .map(|c| format!("{name} == {c}")),
            ),
        }
    }
    out
}

/// The values of an integer that has so few of them that each may guard other conditions.
fn few(hints: &Hints, variable: &Variable) -> Vec<String> {
    match (variable.kind, variable.states) {
        (Kind::Integer, Some(states)) => (0..states).map(|s| s.to_string()).collect(),
        (Kind::Integer, None) => {
            let known = hints.values(&variable.name);
            let known = known.filter(|set| set.len() <= GUARDS);
            known.into_iter().flatten().map(number).collect()
        }
        _ => Vec::new(),
    }
}

/// Those of the conditions that most often hold in one mode of a program only: bounds of variables with many values, and the
/// program's own conditions.
fn brief(system: &System, hints: &Hints, cut: &Cut) -> Vec<String> {
    let many = |v: &usize| {
        let variable = &system.variables[*v];
        let plain = variable.kind == Kind::Integer && variable.states.is_none();
        let own = variable.is_of_program() && !variable.bulk && !variable.name.contains('[');
        own && plain && hints.values(&variable.name).is_none()
    };
    let seen: Vec<usize> = system.seen(cut).filter(many).collect();
    let mut out = Vec::new();
    for (i, &v) in seen.iter().enumerate() {
        let variable = &system.variables[v];
        for c in constants(hints, &variable.name) {
            out.extend(comparisons(variable, c, &["==", "<=", ">="]));
        }
        for &w in &seen[i + 1..] {
            let other = &system.variables[w];
            if hints.related(&variable.name, &other.name) {
                let one = |op| format!("{} {op} {}", variable.lvalue, other.lvalue);
                out.extend(["==", "<=", ">=", "<", ">"].map(one));
            }
        }
    }
    let named = |o: &usize| {
        let mut all = system.seen(cut);
        all.any(|v| system.variables[v].object == Some(*o))
    };
    // A program of many rules has too many conditions, and its modes are combinations.
    let rules = hints.conditions.len() > RULES;
    for (text, objects) in hints.conditions.iter().filter(|_| !rules) {
        if objects.iter().all(named) {
            out.extend([format!("({text})"), format!("!({text})")]);
        }
    }
    let mut known = BTreeSet::new();
    out.retain(|text| known.insert(text.clone()));
    out
}

fn guarded(
    system: &System,
    hints: &Hints,
    number: usize,
    left: &Houdini,
    stage: Stage,
) -> Vec<Claim> {
    let cut = &system.cuts[number];
    let atoms = match stage {
        Stage::Modes => brief(system, hints, cut),
        _ => atoms(system, hints, cut),
    };
    let atoms: Vec<String> = atoms
        .into_iter()
        .filter(|a| !left.holds(number, a))
        .collect();
    let mut out = Vec::new();
    let mut guards = guards(system, hints, cut, stage);
    if stage == Stage::Modes {
        let own = |a: &&String| a.starts_with('(') || a.starts_with("!(");
        guards.extend(atoms.iter().filter(own).take(OWN).cloned());
    }
    for guard in guards {
        // A guard that is false under an invariant guards nothing.
        if left.holds(number, &format!("!{guard}")) {
            continue;
        }
        for atom in &atoms {
            if *atom != guard {
                out.push(Claim::Holds(implies(&guard, atom)));
            }
        }
    }
    out
}

/// Ranking functions, in levels of cost.
pub struct Levels {
    /// Each integer and its negation; sums of an array's elements; sums and differences of related variables.
    pub cheap: Vec<Vec<Rank>>,
    /// Distances to values that a variable is compared with; sums with small coefficients.
    pub dear: Vec<Vec<Rank>>,
}

/// The ranking functions to try.
pub fn ranks(system: &System, hints: &Hints) -> Levels {
    const PLAIN: [(i64, i64); 2] = [(1, -1), (1, 1)];
    const FACTORS: [(i64, i64); 4] = [(2, 1), (1, 2), (2, -1), (1, -2)];
    let all = system.variables.iter().enumerate();
    let plain = all.filter(|(_, v)| matches!(v.kind, Kind::Integer | Kind::Truth) && !v.bulk);
    let integers: Vec<usize> = plain.map(|(i, _)| i).collect();
    let single = |&v: &usize| [1, -1].map(|factor| Rank::linear(vec![(v, factor)]));
    let filled = |levels: Vec<Vec<Rank>>| {
        let all = levels.into_iter().filter(|l| !l.is_empty());
        all.collect()
    };
    Levels {
        // Sums of many variables are hard to compare, and most programs do without.
        cheap: filled(vec![
            integers.iter().flat_map(single).collect(),
            pairs(system, hints, &integers, &PLAIN),
            sums(system, &integers),
        ]),
        dear: filled(vec![
            distances(system, hints, &integers),
            pairs(system, hints, &integers, &FACTORS),
        ]),
    }
}

/// The elements of each array, or a member of its elements, among these variables: of arrays of which at least two are, and at
/// most so many.
fn arrays(system: &System, variables: &[usize], most: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut arrays: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
    for &v in variables {
        let variable = &system.variables[v];
        if let Some(object) = variable.object.filter(|_| variable.lvalue.contains('[')) {
            let of = (object, hints::element(&variable.lvalue));
            arrays.entry(of).or_default().push(v);
        }
    }
    let several = arrays.into_values();
    several.filter(move |all| (2..=most).contains(&all.len()))
}

/// The sums of the elements of arrays, or of a member of the elements: a step changes one element, and a run finally all of
/// them.
fn sums(system: &System, integers: &[usize]) -> Vec<Rank> {
    let both = |all: Vec<usize>| {
        [1, -1].map(|factor| Rank::linear(all.iter().map(|&v| (v, factor)).collect()))
    };
    arrays(system, integers, ELEMENTS).flat_map(both).collect()
}

fn distances(system: &System, hints: &Hints, integers: &[usize]) -> Vec<Rank> {
    let mut out = Vec::new();
    for &v in integers {
        let variable = &system.variables[v];
        // Signed overflow is undefined, so such a variable does not wrap around.
        if variable.object.is_none() || variable.bits == 0 || variable.overflows {
            continue;
        }
        for c in constants(hints, &variable.name).into_iter().take(DISTANCES) {
            out.extend([1, -1].map(|factor: i64| Rank {
                terms: vec![(v, factor)],
                distance: Some((c.saturating_mul(-factor), variable.bits)),
                then: None,
            }));
        }
    }
    out
}

fn pairs(system: &System, hints: &Hints, integers: &[usize], factors: &[(i64, i64)]) -> Vec<Rank> {
    let mut out = Vec::new();
    for (i, &a) in integers.iter().enumerate() {
        for &b in &integers[i + 1..] {
            let (x, y) = (&system.variables[a].name, &system.variables[b].name);
            if hints.related(x, y) {
                for &(m, n) in factors {
                    out.push(Rank::linear(vec![(a, m), (b, n)]));
                    out.push(Rank::linear(vec![(a, -m), (b, -n)]));
                }
            }
        }
    }
    out
}
