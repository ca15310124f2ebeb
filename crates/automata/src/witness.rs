//! Short words that satisfy a formula: a finite word of which every continuation does, or a lasso.

use crate::buchi::{translate, Buchi, Options};
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::monitor::{Monitor, StateId};
use ltl::lasso::{Lasso, Letter};
use ltl::{Arena, AtomId, Id, B4};
use std::collections::{HashMap, VecDeque};

/// A word that satisfies a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// A shortest finite word whose continuations all satisfy the formula; empty if all words do.
    Finite(Vec<Letter>),
    /// An infinite word, if no finite word decides.
    Lasso {
        /// What is read once.
        prefix: Vec<Letter>,
        /// What is repeated for ever; not empty.
        cycle: Vec<Letter>,
        /// Whether no other lasso has fewer letters.
        shortest: bool,
    },
}

/// How many lassos are compared with the formula before an automaton is asked.
const MOST_LASSOS: usize = 20_000;
/// How many edges are followed in search of a shorter lasso of the automaton.
const MOST_EDGES: usize = 20_000_000;

/// A short word over the allowed letters that satisfies the formula; `None` if there is none.
///
/// # Errors
/// The bound that the formula exceeds.
pub fn witness(
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Result<Option<Witness>, TooLarge> {
    if let Ok(monitor) = Monitor::for_formula(arena, root, constraints, limits) {
        match monitor.certain(monitor.initial()) {
            Some(B4::False) => return Ok(None),
            Some(B4::True) => return Ok(Some(Witness::Finite(Vec::new()))),
            _ => {}
        }
        if let Some(word) = decided(&monitor) {
            return Ok(Some(Witness::Finite(word)));
        }
    }
    let (small, complete) = small_lasso(arena, root, constraints, limits)?;
    if small.is_some() {
        return Ok(small);
    }
    let options = Options {
        limits: *limits,
        constraints: constraints.to_vec(),
    };
    let automaton = translate(arena, root, &options)?;
    Ok(accepted(&automaton, complete))
}

/// A short word that an automaton accepts; no word with so many letters satisfies its formula.
pub(crate) fn accepted(automaton: &Buchi, complete: usize) -> Option<Witness> {
    let (prefix, cycle) = lasso_of(automaton)?;
    let (prefix, cycle) = folded(prefix, cycle);
    let shortest = prefix.len() + cycle.len() <= complete + 1;
    Some(Witness::Lasso {
        prefix,
        cycle,
        shortest,
    })
}

/// A shortest word that leads the monitor to ⊤.
fn decided(monitor: &Monitor) -> Option<Vec<Letter>> {
    let mut from: HashMap<StateId, (StateId, Letter)> = HashMap::new();
    let mut queue = VecDeque::from([monitor.initial()]);
    while let Some(state) = queue.pop_front() {
        if monitor.certain(state) == Some(B4::True) {
            let mut word = Vec::new();
            let mut at = state;
            while at != monitor.initial() {
                let (before, letter) = from.get(&at)?;
                word.push(letter.clone());
                at = *before;
            }
            word.reverse();
            return Some(word);
        }
        for (guard, target) in monitor.transitions(state) {
            if *target != monitor.initial() && !from.contains_key(target) {
                if let Some(letter) = guard.witness() {
                    from.insert(*target, (state, letter));
                    queue.push_back(*target);
                }
            }
        }
    }
    None
}

/// The first of the smallest lassos that satisfies the formula, and the number of letters up to which all lassos were
/// compared.
fn small_lasso(
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Result<(Option<Witness>, usize), TooLarge> {
    let atoms = arena.atoms_of(root);
    let allowed = letters_over(arena, &atoms, constraints, limits)?;
    if atoms.len() > 12 {
        return Ok((None, 0));
    }
    let all = (0..1usize << atoms.len()).map(|bits| letter_of(&atoms, bits));
    let mut letters: Vec<Letter> = all.filter(|letter| allowed.contains(letter)).collect();
    // Fewer propositions are easier to read.
    letters.sort_by_key(|letter| letter.len());
    let mut tried = 0;
    for length in 1.. {
        let words = letters.len().checked_pow(length as u32);
        let more = words.and_then(|words| words.checked_mul(length));
        match more {
            Some(more) if tried + more <= MOST_LASSOS && !letters.is_empty() => tried += more,
            _ => return Ok((None, length - 1)),
        }
        for cycle in 1..=length {
            if let Some(found) =
                lassos(&letters, length, cycle).find(|word| word.satisfies(arena, root))
            {
                let (prefix, cycle) = found.parts();
                return Ok((
                    Some(Witness::Lasso {
                        prefix: prefix.to_vec(),
                        cycle: cycle.to_vec(),
                        shortest: true,
                    }),
                    length,
                ));
            }
        }
    }
    Ok((None, 0))
}

fn letter_of(atoms: &[AtomId], bits: usize) -> Letter {
    let set = atoms.iter().enumerate();
    set.filter(|(at, _)| bits >> at & 1 == 1)
        .map(|(_, atom)| *atom)
        .collect()
}

/// All lassos with so many letters, of which the last ones are the cycle.
fn lassos(letters: &[Letter], length: usize, cycle: usize) -> impl Iterator<Item = Lasso> + '_ {
    let count = letters.len().pow(length as u32);
    (0..count).filter_map(move |number| {
        let mut rest = number;
        let mut word = Vec::with_capacity(length);
        for _ in 0..length {
            word.push(letters[rest % letters.len()].clone());
            rest /= letters.len();
        }
        word.reverse();
        let cycle = word.split_off(length - cycle);
        Lasso::new(word, cycle)
    })
}

/// The letters of a shortest accepting lasso among the automaton's runs.
fn lasso_of(automaton: &Buchi) -> Option<(Vec<Letter>, Vec<Letter>)> {
    let forward = Search::new(automaton, automaton.initial());
    let mut goals: Vec<usize> = (0..automaton.states().len())
        .filter(|&state| automaton.states()[state].accepting && forward.reaches(state))
        .collect();
    goals.sort_by_key(|&state| forward.distance[state]);
    let mut best: Option<(usize, usize, Search)> = None;
    let mut followed = 0;
    for goal in goals {
        let near = forward.distance[goal].unwrap_or(usize::MAX);
        let least = best.as_ref().map_or(usize::MAX, |(length, ..)| *length);
        if near + 1 >= least || (followed > MOST_EDGES && best.is_some()) {
            break;
        }
        let back = Search::new(automaton, goal);
        followed += automaton.edge_count();
        if let Some(around) = back.around {
            if near + around.0 < least {
                best = Some((near + around.0, goal, back));
            }
        }
    }
    let (_, goal, back) = best?;
    let prefix = forward.word(automaton, goal);
    let (_, last) = back.around?;
    let mut cycle = back.word(automaton, last);
    cycle.push(letter_between(automaton, last, goal)?);
    Some((prefix, cycle))
}

fn letter_between(automaton: &Buchi, from: usize, to: usize) -> Option<Letter> {
    let mut edges = automaton.states()[from].edges.iter();
    edges.find(|edge| edge.target == to)?.guard.witness()
}

/// Shortest ways from a state to the others.
struct Search {
    distance: Vec<Option<usize>>,
    before: Vec<usize>,
    /// The length of a shortest way back to the start, and the last state on it.
    around: Option<(usize, usize)>,
}

impl Search {
    fn new(automaton: &Buchi, start: usize) -> Search {
        let states = automaton.states();
        let mut search = Search {
            distance: vec![None; states.len()],
            before: vec![start; states.len()],
            around: None,
        };
        search.distance[start] = Some(0);
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((state, distance)) = queue.pop_front() {
            for edge in &states[state].edges {
                if edge.target == start && search.around.is_none() {
                    search.around = Some((distance + 1, state));
                }
                if search.distance[edge.target].is_none() {
                    search.distance[edge.target] = Some(distance + 1);
                    search.before[edge.target] = state;
                    queue.push_back((edge.target, distance + 1));
                }
            }
        }
        search
    }

    fn reaches(&self, state: usize) -> bool {
        self.distance[state].is_some()
    }

    /// The letters on the way to a state.
    fn word(&self, automaton: &Buchi, to: usize) -> Vec<Letter> {
        let mut word = Vec::new();
        let mut at = to;
        while self.distance[at] != Some(0) {
            word.extend(letter_between(automaton, self.before[at], at));
            at = self.before[at];
        }
        word.reverse();
        word
    }
}

/// The same infinite word with the shortest cycle, and without a prefix that the cycle repeats.
fn folded(mut prefix: Vec<Letter>, mut cycle: Vec<Letter>) -> (Vec<Letter>, Vec<Letter>) {
    let length = cycle.len();
    let period = (1..=length).find(|&period| {
        length % period == 0 && (period..length).all(|at| cycle[at] == cycle[at - period])
    });
    cycle.truncate(period.unwrap_or(length));
    while !prefix.is_empty() && prefix.last() == cycle.last() {
        prefix.pop();
        cycle.rotate_right(1);
    }
    (prefix, cycle)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(formula: &str) -> Option<Witness> {
        let parsed = ltl::parse(formula).unwrap();
        witness(&parsed.arena, parsed.root, &[], &Limits::default()).unwrap()
    }

    /// The letters as the propositions that hold, `|` in front of the cycle.
    fn shown(formula: &str) -> String {
        let parsed = ltl::parse(formula).unwrap();
        let letter = |letter: &Letter| {
            let names = letter
                .iter()
                .map(|atom| match &parsed.arena.atoms()[atom.0 as usize] {
                    ltl::Atom::Name(text) | ltl::Atom::Condition(text) => text.clone(),
                });
            names.collect::<Vec<_>>().join(" ")
        };
        let word = |all: &[Letter]| all.iter().map(letter).collect::<Vec<_>>().join(";");
        match found(formula) {
            None => "none".to_owned(),
            Some(Witness::Finite(all)) => format!("finite {}: {}", all.len(), word(&all)),
            Some(Witness::Lasso {
                prefix,
                cycle,
                shortest,
            }) => format!("{shortest} {}|{}", word(&prefix), word(&cycle)),
        }
    }

    #[test]
    fn words_are_the_shortest_ones() {
        for (formula, expected) in [
            ("F p", "finite 1: p"),
            ("p && X X q", "finite 3: p;;q"),
            ("G p", "true |p"),
            ("G F p && G F !p", "true |;p"),
            ("p || !p", "finite 0: "),
            ("p && !p", "none"),
            ("G(p -> X !p) && G(!p -> X p)", "true |;p"),
            ("q && G(q <-> X !q) && G F p", "true |q;p"),
            ("G F p && F G !p", "none"),
            ("X X X G p", "true |p"),
            ("!p && X G p", "true |p"),
            ("G(O p) && !p", "none"),
            ("G[<=20] !p && G(O[<=21] p)", "none"),
        ] {
            assert_eq!(shown(formula), expected, "{formula}");
        }
    }
}
