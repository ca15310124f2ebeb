//! Clauses that exclude a state: candidates for invariants that are made from a step that fails.
//!
//! A state is described by literals, conditions that hold in it. Each set of a few literals gives a clause: they do not hold
//! together. A clause with fewer literals excludes more states (Bradley, VMCAI 2011, generalises the failing states of an
//! induction in this way, too).

use std::collections::BTreeSet;

use super::{comparisons, constants, targets};
use crate::hints::Hints;
use crate::houdini::{Candidate, Claim, Houdini};
use crate::rank::number;
use crate::system::{Cut, Kind, System, Variable};

/// The most literals of a clause, unless all sets of a state's literals are few.
const LONGEST: usize = 4;
/// The most clauses for one state.
const CLAUSES: usize = 1200;
/// The most literals that describe a state.
const LITERALS: usize = 48;

/// Conditions about one thing, of which those that say most about a state describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Group {
    /// Exactly one of them holds, or none: values, or a condition and its negation.
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

    /// The condition that describes a state, given which of them hold.
    fn of(&self, holds: &[bool]) -> Option<String> {
        let place = match self {
            Group::Above(_) => holds.iter().rposition(|h| *h),
            Group::One(_) | Group::Below(_) => holds.iter().position(|h| *h),
        };
        self.conditions().get(place?).cloned()
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
        let cut = &system.cuts[head];
        let counts = |v: &usize| !system.variables[*v].bulk;
        let seen: Vec<usize> = system.seen(cut).filter(counts).collect();
        let (added, own): (Vec<usize>, Vec<usize>) = seen
            .iter()
            .partition(|&&v| !system.variables[v].is_of_program());
        let values = |all: &[usize]| -> Vec<Group> {
            let all = all.iter().map(|&v| &system.variables[v]);
            all.filter_map(|v| values(hints, v, cut)).collect()
        };
        let mut groups = values(&added);
        groups.extend(values(&own));
        let many: Vec<&Variable> = own.iter().map(|&v| &system.variables[v]).collect();
        let many: Vec<&Variable> = many
            .into_iter()
            .filter(|v| v.kind == Kind::Integer && hints.values(&v.name).is_none())
            .collect();
        groups.extend(many.iter().flat_map(|v| bounds(hints, v)));
        groups.extend(orders(hints, &many));
        groups.extend(conditions(system, hints, &seen));
        let known: BTreeSet<&str> = claims.at(head).filter_map(|(_, c)| text(c)).collect();
        let open = |group: Group| group.open(&|c| known.contains(c));
        let groups = groups.into_iter().filter_map(open).collect();
        Vocabulary { groups }
    }

    /// All conditions, as [`Self::state`] takes their values.
    pub fn conditions(&self) -> Vec<String> {
        let all = self.groups.iter().flat_map(Group::conditions);
        all.cloned().collect()
    }

    /// The literals that describe a state, given which conditions hold in it.
    pub fn state(&self, head: usize, holds: &[bool]) -> State {
        let (mut literals, mut rest) = (Vec::new(), holds);
        for group in &self.groups {
            let own = group.conditions().len().min(rest.len());
            let (here, others) = rest.split_at(own);
            literals.extend(group.of(here));
            rest = others;
        }
        let mut known = BTreeSet::new();
        literals.retain(|l| known.insert(l.clone()));
        literals.truncate(LITERALS);
        State { head, literals }
    }
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

/// A state at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The head, by index.
    pub head: usize,
    /// Conditions that hold in it, the most telling first.
    pub literals: Vec<String>,
}

impl State {
    /// The condition that the state is this one, as far as its literals tell.
    pub fn condition(&self) -> String {
        self.literals.join(" && ")
    }

    /// The clauses that exclude the state.
    pub fn clauses(&self) -> Vec<Clause> {
        let n = self.literals.len();
        let mut out = Vec::new();
        for length in 1..=n {
            // The more literals a clause has, the fewer of them are chosen from.
            let mut from = n;
            while choices(from, length) > CLAUSES - out.len() && from >= length {
                from -= 1;
            }
            let all = from == n;
            if (length > LONGEST && !all) || from < length {
                break;
            }
            out.extend(sets(from, length).into_iter().map(|set| Clause {
                head: self.head,
                literals: set.into_iter().map(|i| self.literals[i].clone()).collect(),
            }));
        }
        out
    }
}

/// The number of sets of `length` of `n` things.
fn choices(n: usize, length: usize) -> usize {
    (0..length).fold(1, |all, i| all.saturating_mul(n.saturating_sub(i)) / (i + 1))
}

/// All sets of `length` numbers below `n`, in ascending order.
fn sets(n: usize, length: usize) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |last| last + 1);
            let set = set.clone();
            (first..n).map(move |next| set.iter().copied().chain([next]).collect())
        };
        out = out.iter().flat_map(longer).collect();
    }
    out
}

/// The claim that some conditions do not hold together at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    head: usize,
    literals: BTreeSet<String>,
}

impl Clause {
    /// The candidate for an invariant.
    pub fn candidate(&self) -> Candidate {
        let all: Vec<&str> = self.literals.iter().map(String::as_str).collect();
        Candidate {
            cut: self.head,
            claim: Claim::Holds(format!("!({})", all.join(" && "))),
        }
    }

    /// Whether it excludes all that another one excludes, and more.
    pub fn is_stronger(&self, other: &Clause) -> bool {
        self.head == other.head
            && self.literals.len() < other.literals.len()
            && self.literals.is_subset(&other.literals)
    }
}
