//! The vocabulary in which states at a head are described: conditions over the variables that it sees, in groups.

use std::collections::BTreeSet;

use super::{comparisons, constants, targets};
use crate::hints::Hints;
use crate::houdini::{Claim, Houdini};
use crate::rank::number;
use crate::system::{Cut, Kind, System, Variable};

/// Conditions about one thing. Its *code* in a state is the number of the condition, from 1, that says most about it, or 0 if
/// none of them holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Group {
    /// At most one of them holds: values, an order, or a condition and its negation.
    One(Vec<String>),
    /// `>=`, in the order of the constants, of which the last that holds says most.
    Above(Vec<String>),
    /// `<=`, in the order of the constants, of which the first that holds says most.
    Below(Vec<String>),
}

impl Group {
    fn conditions(&self) -> &[String] {
        match self {
            Group::One(all) | Group::Above(all) | Group::Below(all) => all,
        }
    }

    /// What is left of it if invariants decide some of the conditions.
    fn open(self, known: &dyn Fn(&str) -> bool) -> Option<Group> {
        let left = |all: Vec<String>| -> Vec<String> {
            all.into_iter().filter(|c| !known(c)).collect()
        };
        let group = match self {
            Group::One(all) if all.iter().any(|c| known(c)) => return None,
            Group::One(all) => Group::One(all),
            Group::Above(all) => Group::Above(left(all)),
            Group::Below(all) => Group::Below(left(all)),
        };
        Some(group).filter(|g| !g.conditions().is_empty())
    }

    /// The expression for its code.
    fn code(&self) -> String {
        let all = self.conditions().iter().enumerate();
        let mut all: Vec<String> = all.map(|(n, c)| format!("{c} ? {} : ", n + 1)).collect();
        if matches!(self, Group::Above(_)) {
            all.reverse();
        }
        format!("{}0", all.concat())
    }

    /// The condition that it has a code.
    fn has(&self, code: usize) -> String {
        let all = self.conditions();
        let Some(own) = code.checked_sub(1).and_then(|n| all.get(n)) else {
            return format!("!({})", all.join(" || "));
        };
        let better = match self {
            Group::One(_) => None,
            Group::Above(_) => all.get(code),
            Group::Below(_) => code.checked_sub(2).and_then(|n| all.get(n)),
        };
        match better {
            None => own.clone(),
            Some(better) => format!("{own} && !({better})"),
        }
    }
}

/// The conditions that describe the states at a head, the most telling first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    groups: Vec<Group>,
}

impl Vocabulary {
    /// The vocabulary of a head, without conditions that an invariant decides.
    pub fn of(system: &System, hints: &Hints, claims: &Houdini, head: usize) -> Vocabulary {
        let mut all = Vocabulary::few(system, hints, claims, head);
        let cut = &system.cuts[head];
        let counts = |v: &usize| !system.variables[*v].bulk;
        let seen: Vec<usize> = system.seen(cut).filter(counts).collect();
        let many: Vec<&Variable> = seen.iter().map(|&v| &system.variables[v]).collect();
        let many: Vec<&Variable> = many
            .into_iter()
            .filter(|v| v.is_of_program() && v.kind == Kind::Integer)
            .filter(|v| hints.values(&v.name).is_none())
            .collect();
        let mut groups: Vec<Group> = many.iter().flat_map(|v| bounds(hints, v)).collect();
        groups.extend(orders(hints, &many));
        groups.extend(conditions(system, hints, &seen));
        all.groups.extend(open(groups, claims, head));
        all
    }

    /// The part of the vocabulary that is about variables with few values: each has at most one of them.
    pub fn few(system: &System, hints: &Hints, claims: &Houdini, head: usize) -> Vocabulary {
        let cut = &system.cuts[head];
        let counts = |v: &usize| !system.variables[*v].bulk;
        let (added, own): (Vec<usize>, Vec<usize>) = system
            .seen(cut)
            .filter(counts)
            .partition(|&v| !system.variables[v].is_of_program());
        let all = added.iter().chain(&own).map(|&v| &system.variables[v]);
        let groups = all.filter_map(|v| values(hints, v, cut)).collect();
        Vocabulary {
            groups: open(groups, claims, head),
        }
    }

    /// Expressions for the codes of its groups.
    pub fn codes(&self) -> Vec<String> {
        self.groups.iter().map(Group::code).collect()
    }

    /// The conditions that say most about a state with these codes, without those that say what does not hold.
    pub fn literals(&self, codes: &[usize]) -> Vec<String> {
        let own = |(group, code): (&Group, &usize)| {
            group.conditions().get(code.checked_sub(1)?).cloned()
        };
        let mut known = BTreeSet::new();
        let all = self.groups.iter().zip(codes).filter_map(own);
        all.filter(|l| known.insert(l.clone())).collect()
    }

    /// The condition that a state has these codes.
    pub fn condition(&self, codes: &[usize]) -> String {
        let all = self.groups.iter().zip(codes);
        let all: Vec<String> = all.map(|(group, code)| group.has(*code)).collect();
        match all.is_empty() {
            true => "1".to_string(),
            false => all.join(" && "),
        }
    }
}

/// The groups, without conditions that an invariant decides.
fn open(groups: Vec<Group>, claims: &Houdini, head: usize) -> Vec<Group> {
    let known: BTreeSet<&str> = claims.at(head).filter_map(|(_, c)| text(c)).collect();
    let groups = groups.into_iter();
    groups
        .filter_map(|group| group.open(&|c| known.contains(c)))
        .collect()
}

fn text(claim: &Claim) -> Option<&str> {
    match claim {
        Claim::Holds(text) => Some(text),
        Claim::Keeps(_) | Claim::Returns(_) => None,
    }
}

/// The values of a variable with few.
fn values(hints: &Hints, variable: &Variable, cut: &Cut) -> Option<Group> {
    let name = &variable.lvalue;
    let equal = |c: String| format!("{name} == {c}");
    let all: Vec<String> = match (variable.kind, variable.states) {
        (Kind::Truth, _) => vec![name.clone(), format!("!{name}")],
        (Kind::Pointer, _) => targets(variable, cut)
            .map(|t| equal(t.to_string()))
            .collect(),
        (Kind::Integer, Some(states)) => (0..states).map(|s| equal(s.to_string())).collect(),
        (Kind::Integer, None) => {
            let all = hints.values(&variable.name)?;
            all.into_iter().map(|c| equal(number(c))).collect()
        }
        _ => return None,
    };
    (all.len() > 1).then_some(Group::One(all))
}

/// Where a variable lies among the constants that it is compared with.
fn bounds(hints: &Hints, variable: &Variable) -> Vec<Group> {
    let mut all = constants(hints, &variable.name);
    all.sort_unstable();
    let by = |operators: &[&str]| -> Vec<String> {
        let each = all.iter().flat_map(|c| comparisons(variable, *c, operators));
        each.collect()
    };
    let one = Group::One(by(&["=="]));
    let groups = [one, Group::Above(by(&[">="])), Group::Below(by(&["<="]))];
    let groups = groups.into_iter().filter(|g| !g.conditions().is_empty());
    // No other comparison says that an unsigned variable is not zero.
    let nonzero = variable.is_unsigned().then(|| comparisons(variable, 0, &["!="]));
    groups.chain(nonzero.map(Group::One)).collect()
}

/// The order of variables that are compared or assigned to each other.
fn orders(hints: &Hints, variables: &[&Variable]) -> Vec<Group> {
    let mut out = Vec::new();
    for (i, a) in variables.iter().enumerate() {
        for b in &variables[i + 1..] {
            if hints.related(&a.name, &b.name) {
                let one = |op| format!("{} {op} {}", a.lvalue, b.lvalue);
                out.push(Group::One(["<", "==", ">"].map(one).to_vec()));
            }
        }
    }
    out
}

/// Conditions of the program over variables of which some have many values.
fn conditions(system: &System, hints: &Hints, seen: &[usize]) -> Vec<Group> {
    let at = |object: usize| {
        let all = seen.iter().map(|&v| &system.variables[v]);
        all.filter(move |v| v.object == Some(object))
    };
    let few = |v: &Variable| v.kind == Kind::Truth || hints.values(&v.name).is_some();
    let telling = |objects: &&(String, Vec<usize>)| {
        let mut all = objects.1.iter();
        all.all(|o| at(*o).next().is_some()) && !objects.1.iter().all(|o| at(*o).all(few))
    };
    let both = |(text, _): &(String, Vec<usize>)| {
        Group::One(vec![format!("({text})"), format!("!({text})")])
    };
    hints.conditions.iter().filter(telling).map(both).collect()
}

