//! A set of formulas that have to hold together: whether they can, which of them the others imply, and whose
//! trigger the others exclude.
//!
//! Formulas without common propositions are asked apart: each group has a word of its own, and words of independent
//! groups combine to one. Within a group, common words of a few members are searched and compared with the others
//! ([`crate::together`]).

pub use crate::alike::Member;
use crate::alike::{automata, Automata};
use crate::conditions::constraints_of;
use crate::limits::{Limits, TooLarge};
use crate::together::{Alphabet, Asked, Together};
use ltl::{Arena, AtomId, Node};
use std::collections::BTreeSet;

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
    /// Questions that were not answered.
    pub unfinished: Vec<Unfinished>,
}

/// A question about members that was not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// The members.
    pub members: Vec<usize>,
    /// What is not known of them.
    pub question: Question,
    /// The bound that was exceeded.
    pub bound: TooLarge,
}

/// What is asked of members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether some word satisfies all of them; and then nothing else is asked either.
    Together,
    /// Whether others imply each of them, or exclude its trigger.
    Each,
}

/// The searches for all groups may do so many times the work of a translation.
const MOST_WORK: usize = 2;

/// Checks a set of formulas against each other. C conditions that exclude each other are taken into account.
///
/// The work is bounded for the set as a whole: what exceeds the bound is named in [`Consistency::too_large`] and
/// [`Consistency::unfinished`]. Small formulas and small groups come first.
pub fn consistency(arena: &mut Arena, members: &[Member], limits: &Limits) -> Consistency {
    let all = members.iter().map(|m| m.formula).collect();
    let whole = arena.make(Node::And(all));
    let constraints = constraints_of(arena, whole);
    let mut found = Consistency::default();
    let mut sets: Vec<Vec<AtomId>> = members.iter().map(|m| m.atoms(arena)).collect();
    sets.extend(constraints.iter().map(|&c| arena.atoms_of(c)));
    let mut built: Vec<Option<Automata>> = Vec::new();
    for (number, three) in automata(arena, members, &constraints, limits)
        .into_iter()
        .enumerate()
    {
        if let Err(bound) = three {
            found.too_large.push((number, bound));
        }
        built.push(three.ok());
    }
    let groups = {
        let mut groups = groups(&sets, members.len());
        groups.sort_by_key(Vec::len);
        groups
    };
    let alphabet = Alphabet {
        arena,
        constraints: &constraints,
        names: &sets[members.len()..],
        // Letters that take longer to find leave no work for the searches among them.
        limits: Limits {
            work: limits.work / 10,
            ..*limits
        },
    };
    let mut left = limits.work.saturating_mul(MOST_WORK);
    for group in groups {
        let of = |number: usize| Some((number, (members[number], built[number].take()?)));
        let (numbers, of_group): (Vec<usize>, Vec<_>) = group.into_iter().filter_map(of).unzip();
        match Together::new(&alphabet, of_group, &mut left) {
            Ok(together) => Group { numbers, together }.answer(&mut found),
            Err(bound) => found.unfinished.push(Unfinished {
                members: numbers,
                question: Question::Together,
                bound,
            }),
        }
    }
    found.contradictions.sort();
    found.unfinished.sort_by(|a, b| a.members.cmp(&b.members));
    found.implied.sort();
    found.idle.sort();
    found.trivial.sort_unstable();
    found
}

/// The groups with members among sets of propositions: those of `members` members come first, and behind them those of the constraints.
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
    let mut connected: Vec<Vec<usize>> = groups
        .into_iter()
        .map(|(_, mut numbers)| {
            numbers.retain(|&n| n < members);
            numbers.sort_unstable();
            numbers
        })
        .filter(|group| !group.is_empty())
        .collect();
    connected.sort();
    connected
}

/// The members of a group.
struct Group<'a> {
    numbers: Vec<usize>,
    together: Together<'a>,
}

impl Group<'_> {
    fn answer(mut self, found: &mut Consistency) {
        let mut all: Vec<usize> = (0..self.numbers.len()).collect();
        for &member in &all {
            // Where this is too much work, the questions about the member are, too.
            if let Ok(Some(_)) = self.together.excluded(Asked::Negation(member), &[]) {
                found.trivial.push(self.numbers[member]);
            }
        }
        // What contradicts itself implies everything: nothing else is asked of it.
        loop {
            match self.together.excluded(Asked::Nothing, &all) {
                Ok(Some(core)) if core.is_empty() => return,
                Ok(Some(core)) => {
                    found.contradictions.push(self.named(&core));
                    all.retain(|member| !core.contains(member));
                }
                Ok(None) => break,
                Err(bound) => {
                    return found.unfinished.push(Unfinished {
                        members: self.named(&all),
                        question: Question::Together,
                        bound,
                    })
                }
            }
        }
        self.of_each(&all, found);
    }

    /// Asks about each of some members beside the others.
    fn of_each(&mut self, all: &[usize], found: &mut Consistency) {
        let open = all.iter().filter_map(|&member| {
            let bound = self.of_member(member, all, found).err()?;
            Some((self.numbers[member], bound))
        });
        let open: Vec<(usize, TooLarge)> = open.collect();
        if let Some(&(_, bound)) = open.first() {
            let numbers = open.into_iter().map(|(number, _)| number);
            found.unfinished.push(Unfinished {
                members: numbers.collect(),
                question: Question::Each,
                bound,
            });
        }
    }

    /// Whether a member's trigger can come, and whether it asks for more than the others.
    fn of_member(
        &mut self,
        member: usize,
        all: &[usize],
        found: &mut Consistency,
    ) -> Result<(), TooLarge> {
        let number = self.numbers[member];
        if found.trivial.contains(&number) {
            return Ok(());
        }
        if let Some(core) = self.together.excluded(Asked::Trigger(member), all)? {
            found.idle.push((number, self.named(&core)));
            // That the others imply it, too, says nothing new.
            return Ok(());
        }
        let others: Vec<usize> = all.iter().copied().filter(|&m| m != member).collect();
        if let Some(core) = self.together.excluded(Asked::Negation(member), &others)? {
            found.implied.push((number, self.named(&core)));
        }
        Ok(())
    }

    fn named(&self, members: &[usize]) -> Vec<usize> {
        members.iter().map(|&m| self.numbers[m]).collect()
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
        let found = checked(&[("F a", "true"), ("G !a", "true"), ("a || !a", "true")]);
        assert_eq!(found.contradictions, [vec![0, 1]]);
        assert_eq!(found.trivial, [2]);
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
    fn long_chains_are_checked() {
        let chain = |n: usize| {
            let texts = (0..n).map(|i| {
                let next = i + 1;
                [format!("G(p{i} -> F[<=3] p{next})"), format!("F p{i}")]
            });
            texts.collect::<Vec<_>>()
        };
        let with = |n: usize, more: &[(&str, &str)]| {
            let texts = chain(n);
            let texts = texts.iter().map(|[f, t]| (f.as_str(), t.as_str()));
            checked(&texts.chain(more.iter().copied()).collect::<Vec<_>>())
        };
        assert_eq!(with(16, &[]), Consistency::default());
        let found = with(16, &[("F p12", "true"), ("G !p14", "true")]);
        assert_eq!(found.contradictions, [vec![12, 13, 16, 17]]);
        let found = with(16, &[("G(p7 -> F[<=6] p9)", "F p7")]);
        assert_eq!(found.implied, [(16, vec![7, 8])]);
        assert!(
            found.idle.is_empty() && found.unfinished.is_empty(),
            "{found:?}"
        );
        let found = with(16, &[("G !p2", "true")]);
        assert_eq!(
            found.idle,
            [(0, vec![0, 1, 16]), (1, vec![1, 16]), (2, vec![16])]
        );
    }

    /// When `p` becomes true.
    fn upon(p: &str, then: &str) -> (String, String) {
        let formula = format!("({p} -> {then}) && G(!({p}) -> X(({p}) -> {then}))");
        (formula, format!("F ({p})"))
    }

    fn checked_together(stated: &[(String, String)]) -> Consistency {
        let texts = stated.iter().map(|(f, t)| (f.as_str(), t.as_str()));
        checked(&texts.collect::<Vec<_>>())
    }

    /// The product of all of these has far more states than any search visits.
    fn pump() -> Vec<(String, String)> {
        let always = |text: &str| (format!("G({text})"), "true".to_owned());
        vec![
            upon("start", "F[<=50] (running || alarm)"),
            upon("stop", "F[<=5] !running"),
            upon("occlusion", "F[<=20] alarm"),
            upon("alarm", "F[<=2] !running"),
            upon("alarm", "G[<=100] !running"),
            upon("open", "F[<=10] alarm"),
            upon("low", "F[<=200] warning"),
            upon("ack", "F[<=3] !warning"),
            always("!(running && open)"),
            upon("running", "F[<=30] flow"),
            upon("!flow", "F[<=15] warning"),
            upon("bolus", "G[<=40] bolus"),
            always("bolus -> running"),
            upon("alarm && running", "F[<=50] flow"),
            upon("led", "G[<=10] led"),
            always("alarm -> led"),
        ]
    }

    #[test]
    fn long_intervals_together_are_checked() {
        let found = checked_together(&pump());
        let expected = Consistency {
            implied: vec![(3, vec![4]), (13, vec![4, 9])],
            ..Consistency::default()
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn of_contradictory_times_those_are_named_that_collide() {
        let mut stated = pump();
        stated.extend(["X bolus", "F[<=20] alarm"].map(|f| (f.to_owned(), "true".to_owned())));
        let found = checked_together(&stated);
        let expected = Consistency {
            contradictions: vec![vec![4, 11, 12, 16, 17]],
            ..Consistency::default()
        };
        assert_eq!(found, expected);
    }

    /// Each contradiction is named, not only one of them.
    #[test]
    fn several_contradictions_are_found() {
        let found = checked(&[
            ("G(a -> F[<=80] b)", "F a"),
            ("F a", "true"),
            ("G !b", "true"),
            ("G(a -> c)", "F a"),
            ("F[<=90] d", "true"),
            ("G(d -> b || e)", "true"),
            ("G(!e && !f)", "true"),
            ("F[<=40] f", "true"),
        ]);
        assert_eq!(found.contradictions, [vec![0, 1, 2], vec![6, 7]]);
    }

    #[test]
    fn conditions_on_one_object_are_compared() {
        let found = checked(&[("G {x > 3}", "true"), ("F {x < 2}", "true")]);
        assert_eq!(found.contradictions, [vec![0, 1]]);
    }

    #[test]
    fn formulas_of_one_shape_are_translated_once_and_all_have_one_bound() {
        // Four edges for each of these: one shape is within the bound, a hundred shapes are not.
        let limits = Limits {
            edges: 64,
            ..Limits::default()
        };
        let found = |formulas: &[String]| {
            let mut arena = Arena::new();
            let yes = arena.make(Node::True);
            let members: Vec<Member> = formulas
                .iter()
                .map(|text| Member {
                    formula: ltl::parse_into(&mut arena, text, None).unwrap().root,
                    trigger: yes,
                })
                .collect();
            consistency(&mut arena, &members, &limits)
        };
        let alike: Vec<String> = (0..500).map(|i| format!("G(a{i} -> F b{i})")).collect();
        assert_eq!(found(&alike), Consistency::default());
        let chain = |n: usize| (0..n).fold("b".to_owned(), |f, i| format!("(b{i} U {f})"));
        let unlike: Vec<String> = (0..40)
            .map(|i| format!("F (a{i} && {})", chain(i % 8)))
            .collect();
        let found = found(&unlike);
        assert!(
            !found.too_large.is_empty() && found.too_large.len() < 40,
            "{found:?}"
        );
    }

    #[test]
    fn alike_formulas_keep_their_constraints() {
        // The same shape but for what the conditions say of each other.
        let found = checked(&[
            ("G({x > 3} -> F {x < 2})", "F {x > 3}"),
            ("G({y > 3} -> {y > 2})", "F {y > 3}"),
            ("G({z > 3} -> {w > 2})", "F {z > 3}"),
            ("G({u > 2} -> {u > 3})", "F {u > 2}"),
        ]);
        assert_eq!(found.trivial, [1]);
    }
}
