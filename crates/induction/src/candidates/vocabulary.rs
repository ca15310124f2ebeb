//! The vocabulary in which states at a head are described: conditions over the variables that it sees, in groups.

use std::collections::{BTreeMap, BTreeSet};

use super::{comparisons, constants, targets};
use crate::hints::Hints;
use crate::houdini::{Claim, Houdini};
use crate::rank::number;
use crate::system::{Cut, Kind, System, Variable};

/// The most groups.
const GROUPS: usize = 120;

/// Which of the conditions of a group may hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kinds {
    /// Exactly one of them holds: an order, or a condition and its negation.
    All,
    /// At most one of them holds: values.
    One,
    /// `>=`, in the order of the constants, of which the last that holds says most.
    Above,
    /// `<=`, in the order of the constants, of which the first that holds says most.
    Below,
}

/// Conditions about one thing. Its *code* in a state is the number of the condition, from 1, that says most about it, or 0 if
/// none of them holds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    kinds: Kinds,
    conditions: Vec<String>,
    /// The variables that the conditions are about.
    about: Vec<usize>,
}

impl Group {
    /// What is left of it if invariants decide some of the conditions.
    fn open(mut self, known: &dyn Fn(&str) -> bool) -> Option<Group> {
        match self.kinds {
            Kinds::All | Kinds::One if self.conditions.iter().any(|c| known(c)) => return None,
            Kinds::All | Kinds::One => {}
            Kinds::Above | Kinds::Below => self.conditions.retain(|c| !known(c)),
        }
        Some(self).filter(|g| !g.conditions.is_empty())
    }

    /// The expression for its code.
    fn code(&self) -> String {
        let all = self.conditions.iter().enumerate();
        let mut all: Vec<String> = all.map(|(n, c)| format!("{c} ? {} : ", n + 1)).collect();
        if self.kinds == Kinds::Above {
            all.reverse();
        }
        format!("{}0", all.concat())
    }

    /// The condition that it has a code.
    fn has(&self, code: usize) -> String {
        let all = &self.conditions;
        let Some(own) = code.checked_sub(1).and_then(|n| all.get(n)) else {
            return format!("!({})", all.join(" || "));
        };
        let better = match self.kinds {
            Kinds::All | Kinds::One => None,
            Kinds::Above => all.get(code),
            Kinds::Below => code.checked_sub(2).and_then(|n| all.get(n)),
        };
        match better {
            None => own.clone(),
            Some(better) => format!("{own} && !({better})"),
        }
    }
}

/// A condition that holds in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    /// The condition in C.
    pub text: String,
    /// The variables that it is about.
    pub about: Vec<usize>,
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
        let many: Vec<Seen> = seen.iter().map(|&v| (v, &system.variables[v])).collect();
        let many: Vec<Seen> = many
            .into_iter()
            .filter(|(_, v)| v.object.is_some() && v.kind == Kind::Integer)
            .filter(|(_, v)| hints.values(&v.name).is_none())
            .collect();
        let mut groups: Vec<Group> = many.iter().flat_map(|v| bounds(hints, *v)).collect();
        groups.extend(orders(hints, &many));
        groups.extend(conditions(system, hints, &seen));
        all.groups.extend(open(groups, claims, head));
        all.groups.truncate(GROUPS);
        all
    }

    /// The part of the vocabulary that is about variables with few values: each has at most one of them.
    pub fn few(system: &System, hints: &Hints, claims: &Houdini, head: usize) -> Vocabulary {
        let cut = &system.cuts[head];
        let defined = |v: &Variable| system.definitions.iter().any(|(name, _)| *name == v.lvalue);
        let counts = |v: &usize| {
            let v = &system.variables[*v];
            !v.bulk && !v.computed && !defined(v)
        };
        let (added, own): (Vec<usize>, Vec<usize>) = system
            .seen(cut)
            .filter(counts)
            .partition(|&v| !system.variables[v].is_of_program());
        let all = added.iter().chain(&own).map(|&v| (v, &system.variables[v]));
        let groups = all.filter_map(|v| values(hints, v, cut)).collect();
        Vocabulary {
            groups: open(groups, claims, head),
        }
    }

    /// The number of its groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// The number of all combinations in which one condition of each group holds.
    pub fn combinations(&self) -> usize {
        let each = self.groups.iter().map(|g| g.conditions.len());
        each.fold(1, usize::saturating_mul)
    }

    /// Whether nothing can be told about a state.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Expressions for the codes of its groups.
    pub fn codes(&self) -> Vec<String> {
        self.groups.iter().map(Group::code).collect()
    }

    /// The conditions that say most about a state with these codes, without those that say what does not hold.
    pub fn literals(&self, codes: &[usize]) -> Vec<Literal> {
        let own = |(group, code): (&Group, &usize)| {
            let text = group.conditions.get(code.checked_sub(1)?)?.clone();
            let about = group.about.clone();
            Some(Literal { text, about })
        };
        let mut known = BTreeSet::new();
        let all = self.groups.iter().zip(codes).filter_map(own);
        all.filter(|l| known.insert(l.clone())).collect()
    }

    /// The condition that a state has these codes.
    pub fn condition(&self, codes: &[usize]) -> String {
        let one = |code: &usize| BTreeSet::from([*code]);
        self.within(&codes.iter().map(one).collect::<Vec<_>>())
    }

    /// The condition that a state has one of several lists of codes.
    pub fn any(&self, all: &[Vec<usize>]) -> String {
        let boxes: Vec<String> = boxes(all).iter().map(|codes| self.within(codes)).collect();
        match boxes.as_slice() {
            [one] => format!("({one})"),
            several => format!("(({}))", several.join(") || (")),
        }
    }

    /// The condition that each group has one of some codes.
    fn within(&self, codes: &[BTreeSet<usize>]) -> String {
        let one = |(group, codes): (&Group, &BTreeSet<usize>)| {
            let all: Vec<String> = codes.iter().map(|code| group.has(*code)).collect();
            match (group.kinds, all.as_slice()) {
                (Kinds::All, _) if all.len() == group.conditions.len() => None,
                (_, [one]) => Some(one.clone()),
                (_, several) => Some(format!("({})", several.join(" || "))),
            }
        };
        let all: Vec<String> = self.groups.iter().zip(codes).filter_map(one).collect();
        match all.is_empty() {
            true => "1".to_string(),
            false => all.join(" && "),
        }
    }
}

/// Lists of codes as boxes, each of which is all lists with a code of some set at each place: lists that differ at one place only
/// are put together, place by place.
fn boxes(all: &[Vec<usize>]) -> BTreeSet<Vec<BTreeSet<usize>>> {
    let one = |code: &usize| BTreeSet::from([*code]);
    let each = all.iter().map(|codes| codes.iter().map(one).collect());
    let mut boxes: BTreeSet<Vec<BTreeSet<usize>>> = each.collect();
    for place in 0..all.first().map_or(0, Vec::len) {
        let mut merged: BTreeMap<Vec<BTreeSet<usize>>, BTreeSet<usize>> = BTreeMap::new();
        for mut codes in boxes {
            let own = std::mem::take(&mut codes[place]);
            merged.entry(codes).or_default().extend(own);
        }
        let whole = |(mut codes, own): (Vec<BTreeSet<usize>>, _)| {
            codes[place] = own;
            codes
        };
        boxes = merged.into_iter().map(whole).collect();
    }
    boxes
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
        Claim::Keeps(_) | Claim::Returns(_) | Claim::Sum(_) => None,
    }
}

/// A variable with its number.
type Seen<'a> = (usize, &'a Variable);

/// The values of a variable with few.
fn values(hints: &Hints, (v, variable): Seen, cut: &Cut) -> Option<Group> {
    let name = &variable.lvalue;
    let equal = |c: String| format!("{name} == {c}");
    let (kinds, conditions): (Kinds, Vec<String>) = match (variable.kind, variable.states) {
        (Kind::Truth, _) => (Kinds::All, vec![name.clone(), format!("!{name}")]),
        (Kind::Pointer, _) => {
            let all = targets(variable, cut).map(|t| equal(t.to_string()));
            (Kinds::One, all.collect())
        }
        (Kind::Integer, Some(states)) => {
            let all = (0..states).map(|s| equal(s.to_string()));
            (Kinds::One, all.collect())
        }
        (Kind::Integer, None) => {
            let all = hints.values(&variable.name)?;
            let all = all.into_iter().map(|c| equal(number(c)));
            (Kinds::One, all.collect())
        }
        _ => return None,
    };
    let about = vec![v];
    (conditions.len() > 1).then_some(Group {
        kinds,
        conditions,
        about,
    })
}

/// Where a variable lies among the constants that it is compared with.
fn bounds(hints: &Hints, (v, variable): Seen) -> Vec<Group> {
    let mut all = constants(hints, &variable.name);
    all.sort_unstable();
    let by = |kinds, operators: &[&str]| {
        let each = all
            .iter()
            .flat_map(|c| comparisons(variable, *c, operators));
        Group {
            kinds,
            conditions: each.collect(),
            about: vec![v],
        }
    };
    let mut groups = vec![
        by(Kinds::One, &["=="]),
        by(Kinds::Above, &[">="]),
        by(Kinds::Below, &["<="]),
    ];
    // No other comparison says that an unsigned variable is not zero.
    groups.extend(variable.is_unsigned().then(|| Group {
        kinds: Kinds::One,
        conditions: comparisons(variable, 0, &["!="]),
        about: vec![v],
    }));
    groups.retain(|g| !g.conditions.is_empty());
    groups
}

/// The order of variables that are compared or assigned to each other.
fn orders(hints: &Hints, variables: &[Seen]) -> Vec<Group> {
    let mut out = Vec::new();
    for (i, (a, first)) in variables.iter().enumerate() {
        for (b, second) in &variables[i + 1..] {
            if hints.related(&first.name, &second.name) {
                let one = |op| format!("{} {op} {}", first.lvalue, second.lvalue);
                out.push(Group {
                    kinds: Kinds::All,
                    conditions: ["<", "==", ">"].map(one).to_vec(),
                    about: vec![*a, *b],
                });
            }
        }
    }
    out
}

/// Conditions of the program over variables of which some have many values.
fn conditions(system: &System, hints: &Hints, seen: &[usize]) -> Vec<Group> {
    let at = |object: usize| {
        let of = move |v: &&usize| system.variables[**v].object == Some(object);
        seen.iter().filter(of).copied()
    };
    let few = |v: usize| {
        let v = &system.variables[v];
        v.kind == Kind::Truth || hints.values(&v.name).is_some()
    };
    let telling = |(_, objects): &&(String, Vec<usize>)| {
        let known = objects.iter().all(|o| at(*o).next().is_some());
        known && !objects.iter().all(|o| at(*o).all(few))
    };
    let both = |(text, objects): &(String, Vec<usize>)| Group {
        kinds: Kinds::All,
        conditions: vec![format!("({text})"), format!("!({text})")],
        about: objects.iter().flat_map(|o| at(*o)).collect(),
    };
    hints.conditions.iter().filter(telling).map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn group(kinds: Kinds, conditions: &[&str]) -> Group {
        Group {
            kinds,
            conditions: conditions.iter().map(|c| c.to_string()).collect(),
            about: vec![0],
        }
    }

    #[test]
    fn the_code_of_a_bound_is_the_one_that_says_most() {
        let above = group(Kinds::Above, &["x >= 0", "x >= 5"]);
        assert_eq!(above.code(), "x >= 5 ? 2 : x >= 0 ? 1 : 0");
        assert_eq!(above.has(1), "x >= 0 && !(x >= 5)");
        assert_eq!(above.has(2), "x >= 5");
        let below = group(Kinds::Below, &["x <= 0", "x <= 5"]);
        assert_eq!(below.code(), "x <= 0 ? 1 : x <= 5 ? 2 : 0");
        assert_eq!(below.has(2), "x <= 5 && !(x <= 0)");
        assert_eq!(below.has(0), "!(x <= 0 || x <= 5)");
    }

    #[test]
    fn what_an_invariant_decides_tells_no_states_apart() {
        let known = |c: &str| c == "x >= 0" || c == "s == 1";
        let above = group(Kinds::Above, &["x >= 0", "x >= 5"]);
        assert_eq!(
            above.open(&known).map(|g| g.conditions),
            Some(vec!["x >= 5".into()])
        );
        assert_eq!(group(Kinds::One, &["s == 1", "s == 2"]).open(&known), None);
    }

    #[test]
    fn combinations_that_differ_in_one_thing_are_put_together() {
        let vocabulary = Vocabulary {
            groups: vec![
                group(Kinds::One, &["s == 1", "s == 2", "s == 3"]),
                group(Kinds::All, &["on", "!on"]),
            ],
        };
        let any = vocabulary.any(&[vec![1, 1], vec![2, 1], vec![2, 2], vec![1, 2]]);
        assert_eq!(any, "((s == 1 || s == 2))");
        let any = vocabulary.any(&[vec![1, 1], vec![3, 2]]);
        assert_eq!(any, "((s == 1 && on) || (s == 3 && !on))");
        assert_eq!(
            vocabulary.condition(&[0, 2]),
            "!(s == 1 || s == 2 || s == 3) && !on"
        );
    }

    proptest! {
        /// The boxes have the lists that were put in, each once, and no others.
        #[test]
        fn boxes_are_the_same_lists(all in prop::collection::btree_set(prop::collection::vec(0usize..4, 3), 1..20)) {
            let all: Vec<Vec<usize>> = all.into_iter().collect();
            let mut out: Vec<Vec<usize>> = Vec::new();
            for one in boxes(&all) {
                for a in &one[0] {
                    for b in &one[1] {
                        out.extend(one[2].iter().map(|c| vec![*a, *b, *c]));
                    }
                }
            }
            out.sort();
            prop_assert_eq!(out, all);
        }
    }
}
