//! A set of formulas that have to hold together: whether they can, which of them the others imply, and whose
//! trigger the others exclude.
//!
//! Formulas without common propositions are asked apart: each group has a word of its own, and words of independent
//! groups combine to one. Within a group, automata are multiplied.

use crate::bits::Bits;
use crate::buchi::{over_classes, Buchi};
use crate::compose::{product, MAX_STATES};
use crate::conditions::constraints_of;
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::tgba::{Edge, Tgba};
use crate::translate::{Effort, Translation};
use ltl::{Arena, AtomId, Id, Node};
use std::collections::BTreeSet;

/// A formula of a set.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The formula.
    pub formula: Id,
    /// What must come to pass on a word so that the formula asks for anything; `true` if nothing must.
    pub trigger: Id,
}

/// What was found about a set of formulas. Members are named by their places in the set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Consistency {
    /// Sets of members that no word satisfies together; of each, no member can be left out.
    pub contradictions: Vec<Vec<usize>>,
    /// Members that every word satisfies.
    pub trivial: Vec<usize>,
    /// Members that others imply though their triggers can come, with those others, of which none can be left out.
    pub implied: Vec<(usize, Vec<usize>)>,
    /// Members whose trigger never comes on a word that satisfies others, with those others (none, if it never comes at
    /// all), of which none can be left out.
    pub idle: Vec<(usize, Vec<usize>)>,
    /// Members that were left out, with the bound that they exceed.
    pub too_large: Vec<(usize, TooLarge)>,
    /// Groups of members of which not every question was answered, with the bound that was exceeded.
    pub unfinished: Vec<(Vec<usize>, TooLarge)>,
}

/// Edges of the products that are built for one group, at most.
const MOST_EDGES: usize = 5_000_000;

/// Checks a set of formulas against each other. C conditions that exclude each other are taken into account.
pub fn consistency(arena: &mut Arena, members: &[Member], limits: &Limits) -> Consistency {
    let all = members.iter().map(|m| m.formula).collect();
    let whole = arena.make(Node::And(all));
    let constraints = constraints_of(arena, whole);
    let mut found = Consistency::default();
    let mut sets: Vec<Vec<AtomId>> = members.iter().map(|m| atoms(arena, m)).collect();
    sets.extend(constraints.iter().map(|&c| arena.atoms_of(c)));
    for group in groups(&sets, members.len()) {
        check(arena, members, &group, &constraints, limits, &mut found);
    }
    found.implied.sort();
    found.idle.sort();
    found.trivial.sort_unstable();
    found
}

fn atoms(arena: &Arena, member: &Member) -> Vec<AtomId> {
    let mut atoms = arena.atoms_of(member.formula);
    atoms.extend(arena.atoms_of(member.trigger));
    atoms
}

/// The sets that are connected by common propositions, as ascending numbers below `members`.
fn groups(sets: &[Vec<AtomId>], members: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<(BTreeSet<AtomId>, Vec<usize>)> = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let mut joined = (set.iter().copied().collect::<BTreeSet<_>>(), vec![number]);
        let (touched, rest): (Vec<_>, Vec<_>) = groups
            .into_iter()
            .partition(|(atoms, _)| !atoms.is_disjoint(&joined.0));
        for (atoms, numbers) in touched {
            joined.0.extend(atoms);
            joined.1.extend(numbers);
        }
        groups = rest;
        groups.push(joined);
    }
    let mut numbers: Vec<Vec<usize>> = groups
        .into_iter()
        .map(|(_, mut numbers)| {
            numbers.retain(|&n| n < members);
            numbers.sort_unstable();
            numbers
        })
        .filter(|numbers| !numbers.is_empty())
        .collect();
    numbers.sort();
    numbers
}

/// The automata of a member: of its formula, of the negation, and of the trigger.
type Automata = [Buchi; 3];

fn automata(
    arena: &Arena,
    member: &Member,
    constraints: &[Id],
    limits: &Limits,
) -> Result<Automata, TooLarge> {
    let of = |root| Translation::new(arena, root, constraints, limits, Effort::One);
    let formula = of(member.formula)?;
    let trigger = of(member.trigger)?;
    Ok([
        Buchi::of_translation(&formula, true)?,
        Buchi::of_translation(&formula, false)?,
        Buchi::of_translation(&trigger, true)?,
    ])
}

/// Checks a group.
fn check(
    arena: &Arena,
    members: &[Member],
    group: &[usize],
    constraints: &[Id],
    limits: &Limits,
    found: &mut Consistency,
) {
    let (mut numbers, mut buchis) = (Vec::new(), Vec::new());
    for &number in group {
        match automata(arena, &members[number], constraints, limits) {
            Ok(three) => {
                numbers.push(number);
                buchis.extend(three);
            }
            Err(bound) => found.too_large.push((number, bound)),
        }
    }
    let all: Vec<&Buchi> = buchis.iter().collect();
    let mut names: Vec<AtomId> = all.iter().flat_map(|b| b.atoms().to_vec()).collect();
    names.sort_unstable();
    names.dedup();
    let classes = letters_over(arena, &names, constraints, limits)
        .and_then(|allowed| over_classes(&all, &allowed, limits));
    let answered = classes.and_then(|(automata, _)| {
        let automata: Vec<Tgba> = automata.into_iter().map(simplified).collect();
        Group {
            numbers: &numbers,
            automata: &automata,
            edges: 0,
        }
        .answer(found)
    });
    if let Err(bound) = answered {
        found.unfinished.push((numbers, bound));
    }
}

/// The automaton without acceptance sets where every run is accepted, so that products stay small.
fn simplified(mut automaton: Tgba) -> Tgba {
    automaton.trim();
    let marks = automaton.all_marks();
    let mut edges = automaton.states.iter().flatten();
    if edges.all(|edge| edge.marks == marks) {
        automaton.sets = 0;
        automaton.state_based = false;
        for edge in automaton.states.iter_mut().flatten() {
            edge.marks = 0;
        }
    }
    automaton
}

/// The automaton that accepts every word.
fn universal(letters: usize) -> Tgba {
    let edge = Edge {
        dst: 0,
        marks: 0,
        guard: Bits::full(letters),
    };
    Tgba {
        states: vec![vec![edge]],
        ..Tgba::empty(letters)
    }
}

/// The members of a group with their automata, three each.
struct Group<'a> {
    numbers: &'a [usize],
    automata: &'a [Tgba],
    edges: usize,
}

impl Group<'_> {
    fn answer(&mut self, found: &mut Consistency) -> Result<(), TooLarge> {
        let all: Vec<usize> = (0..self.numbers.len()).collect();
        for &member in &all {
            if self.excluded(&self.automata[3 * member + 1].clone(), &[])? {
                found.trivial.push(self.numbers[member]);
            }
        }
        let everything = universal(self.automata.first().map_or(0, |a| a.letters));
        if self.excluded(&everything, &all)? {
            let core = self.core(&everything, &all)?;
            found.contradictions.push(self.named(&core));
            // Whatever contradicts itself implies everything: the other questions have no useful answer.
            return Ok(());
        }
        for &member in &all {
            let number = self.numbers[member];
            if found.trivial.contains(&number) {
                continue;
            }
            let trigger = self.automata[3 * member + 2].clone();
            if self.excluded(&trigger, &all)? {
                let core = self.core(&trigger, &all)?;
                found.idle.push((number, self.named(&core)));
                // That the others imply it, too, says nothing new.
                continue;
            }
            let negation = self.automata[3 * member + 1].clone();
            let others: Vec<usize> = all.iter().copied().filter(|&m| m != member).collect();
            if self.excluded(&negation, &others)? {
                let core = self.core(&negation, &others)?;
                found.implied.push((number, self.named(&core)));
            }
        }
        Ok(())
    }

    fn named(&self, members: &[usize]) -> Vec<usize> {
        members.iter().map(|&m| self.numbers[m]).collect()
    }

    /// Whether no word of the automaton satisfies all of these members.
    fn excluded(&mut self, automaton: &Tgba, members: &[usize]) -> Result<bool, TooLarge> {
        let mut all = automaton.clone();
        for &member in members {
            if all.edges() == 0 {
                return Ok(true);
            }
            let next = product(&all, &self.automata[3 * member], false);
            all = next.ok_or(TooLarge {
                what: "states of a product of automata",
                limit: MAX_STATES,
            })?;
            self.edges += 1 + all.edges();
            Limits::check("edges of products of automata", self.edges, MOST_EDGES)?;
        }
        Ok(all.edges() == 0)
    }

    /// Those of the members that exclude the automaton, of which none can be left out.
    fn core(&mut self, automaton: &Tgba, members: &[usize]) -> Result<Vec<usize>, TooLarge> {
        let mut core = members.to_vec();
        for &member in members {
            let without: Vec<usize> = core.iter().copied().filter(|&m| m != member).collect();
            if self.excluded(automaton, &without)? {
                core = without;
            }
        }
        Ok(core)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn checked(formulas: &[(&str, &str)]) -> Consistency {
        let mut arena = Arena::new();
        let mut read = |text: &str| ltl::parse_into(&mut arena, text, None).unwrap().root;
        let members: Vec<Member> = formulas
            .iter()
            .map(|(formula, trigger)| Member {
                formula: read(formula),
                trigger: read(trigger),
            })
            .collect();
        consistency(&mut arena, &members, &Limits::default())
    }

    #[test]
    fn contradictions_have_no_member_too_many() {
        let found = checked(&[
            ("G(a -> b)", "true"),
            ("G(c -> d)", "true"),
            ("F a", "true"),
            ("G !b", "true"),
        ]);
        assert_eq!(found.contradictions, [vec![0, 2, 3]]);
        assert_eq!(
            checked(&[("G F a", "true"), ("F G !a", "true")]).contradictions,
            [vec![0, 1]]
        );
    }

    #[test]
    fn what_others_imply_is_found_with_them() {
        let found = checked(&[
            ("G(a -> F b)", "F a"),
            ("G(b -> F c)", "F b"),
            ("G(a -> F c)", "F a"),
            ("G(a -> a)", "F a"),
            ("G !e", "true"),
            ("G(e -> F a)", "F e"),
        ]);
        assert_eq!(found.implied, [(2, vec![0, 1])]);
        assert_eq!(found.trivial, [3]);
        assert_eq!(found.idle, [(5, vec![4])]);
        assert!(found.contradictions.is_empty() && found.unfinished.is_empty());
    }

    #[test]
    fn conditions_on_one_object_are_compared() {
        let found = checked(&[("G {x > 3}", "true"), ("F {x < 2}", "true")]);
        assert_eq!(found.contradictions, [vec![0, 1]]);
    }
}
