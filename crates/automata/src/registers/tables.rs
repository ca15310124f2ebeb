//! Deterministic machines that follow sequences of letters: which stretches end at a letter, and what has become of
//! those that are asked for.

use super::sequences::Nfa;
use crate::bits::Bits;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use crate::partition::refine;
use std::collections::HashMap;
use std::hash::Hash;

/// A deterministic machine with an output for each step. State 0 is the initial one.
pub(super) struct Table {
    /// Classes of letters.
    pub letters: Vec<Guard>,
    /// For each state and class, the next state and the output.
    pub steps: Vec<Vec<(u32, u8)>>,
}

/// States of an automaton, ascending.
type Set = Vec<u32>;

/// An automaton over classes of letters.
struct Classes {
    letters: Vec<Guard>,
    /// For each state and class, the targets.
    next: Vec<Vec<Set>>,
    starts: Set,
    accepting: Vec<bool>,
    /// For each class, which of the further guards its letters satisfy.
    further: Vec<Vec<bool>>,
}

impl Classes {
    fn new(nfa: &Nfa, further: &[&Guard], limits: &Limits) -> Result<Classes, TooLarge> {
        let mut guards: Vec<&Guard> = further.to_vec();
        let mut index: HashMap<&Guard, usize> = HashMap::new();
        for (guard, _) in nfa.edges.iter().flatten() {
            index.entry(guard).or_insert_with(|| {
                guards.push(guard);
                guards.len() - 1
            });
        }
        let mut classes = vec![(Guard::top(), Vec::new())];
        for guard in &guards {
            let mut divided = Vec::new();
            for (letters, inside) in classes {
                for side in [true, false] {
                    let part = match side {
                        true => letters.and(guard),
                        false => letters.and_not(guard),
                    };
                    if !part.is_false() {
                        divided.push((part, [inside.as_slice(), &[side]].concat()));
                    }
                }
            }
            classes = divided;
            Limits::check("letters of a sequence", classes.len(), limits.letters)?;
        }
        let row = |edges: &Vec<(Guard, u32)>| {
            let targets = |(_, inside): &(Guard, Vec<bool>)| {
                let taken = edges.iter().filter(|(guard, _)| inside[index[guard]]);
                sorted(taken.map(|(_, to)| *to).collect())
            };
            classes.iter().map(targets).collect()
        };
        Ok(Classes {
            next: nfa.edges.iter().map(row).collect(),
            starts: nfa.starts.clone(),
            accepting: nfa.accepting.clone(),
            further: classes
                .iter()
                .map(|(_, inside)| inside[..further.len()].to_vec())
                .collect(),
            letters: classes.into_iter().map(|(letters, _)| letters).collect(),
        })
    }

    fn step(&self, set: &[u32], class: usize) -> Set {
        let targets = set.iter().flat_map(|&s| &self.next[s as usize][class]);
        sorted(targets.copied().collect())
    }

    fn ends(&self, set: &[u32]) -> bool {
        set.iter().any(|&state| self.accepting[state as usize])
    }
}

fn sorted(mut set: Set) -> Set {
    set.sort_unstable();
    set.dedup();
    set
}

/// The machine that a step function makes from an initial memory, minimised.
fn explored<M: Clone + Eq + Hash>(
    letters: Vec<Guard>,
    initial: M,
    limits: &Limits,
    step: impl Fn(&M, usize) -> (M, u8),
) -> Result<Table, TooLarge> {
    let mut numbers: HashMap<M, u32> = HashMap::from([(initial.clone(), 0)]);
    let mut order = vec![initial];
    let mut steps: Vec<Vec<(u32, u8)>> = Vec::new();
    while let Some(memory) = order.get(steps.len()).cloned() {
        let mut row = Vec::with_capacity(letters.len());
        for class in 0..letters.len() {
            let (next, output) = step(&memory, class);
            let fresh = order.len() as u32;
            let number = *numbers.entry(next.clone()).or_insert(fresh);
            if number == fresh {
                order.push(next);
            }
            row.push((number, output));
        }
        steps.push(row);
        Limits::check(
            "states of a sequence's machine",
            order.len(),
            limits.monitor_states,
        )?;
    }
    Ok(minimised(letters, &steps))
}

fn minimised(letters: Vec<Guard>, steps: &[Vec<(u32, u8)>]) -> Table {
    let mut outputs: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut block = Vec::with_capacity(steps.len());
    for row in steps {
        let fresh = outputs.len() as u32;
        let output = row.iter().map(|(_, output)| *output).collect();
        block.push(*outputs.entry(output).or_insert(fresh));
    }
    let next: Vec<Vec<u32>> = steps
        .iter()
        .map(|row| row.iter().map(|(to, _)| *to).collect())
        .collect();
    // Blocks are numbered by their first states, so the initial state is in block 0.
    let block = refine(&next, &block);
    let mut rows: Vec<Vec<(u32, u8)>> = Vec::new();
    for (state, row) in steps.iter().enumerate() {
        if block[state] as usize == rows.len() {
            let moved = row
                .iter()
                .map(|(to, output)| (block[*to as usize], *output));
            rows.push(moved.collect());
        }
    }
    Table {
        letters,
        steps: rows,
    }
}

/// The machine whose output is 1 at the last letter of each stretch that fits and began at a letter of `start`.
pub(super) fn matched(nfa: &Nfa, start: &Guard, limits: &Limits) -> Result<Table, TooLarge> {
    let classes = Classes::new(nfa, &[start], limits)?;
    let letters = classes.letters.clone();
    explored(letters, Set::new(), limits, |set, class| {
        let mut set = set.clone();
        if classes.further[class][0] {
            set.extend(&classes.starts);
        }
        let next = classes.step(&set, class);
        let ends = classes.ends(&next);
        (next, u8::from(ends))
    })
}

/// What is asked for at each letter of a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// That a stretch begins there at whose last letter the goal holds.
    Match,
    /// That one begins there, or that one may come for ever.
    Open,
    /// That it comes to a letter from which on none can come, and none came.
    Closed,
}

/// The output bit of a letter at which something that is asked for can no longer come.
pub(super) const MISSED: u8 = 1;
/// The output bit of a letter at which all has come that was asked for at the last such letter. If there are such
/// letters again and again, all comes (Miyano & Hayashi, *Alternating finite automata on ω-words*, 1984).
pub(super) const SETTLED: u8 = 2;

/// The deterministic automaton of a sequence; where no stretch can come any more, there is no state.
struct Dfa {
    next: Vec<Vec<Option<u32>>>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// State 0 is where a stretch begins; `None` if no letter can begin one. If it `stops`, nothing is asked for after
    /// the first stretch that ends.
    fn new(classes: &Classes, stops: bool, limits: &Limits) -> Result<Option<Dfa>, TooLarge> {
        if classes.starts.is_empty() {
            return Ok(None);
        }
        let mut numbers: HashMap<Set, u32> = HashMap::from([(classes.starts.clone(), 0)]);
        let mut order = vec![classes.starts.clone()];
        // No state of the automaton has this number.
        let end = vec![u32::MAX];
        let mut next = Vec::new();
        while let Some(set) = order.get(next.len()).cloned() {
            let mut row = Vec::with_capacity(classes.letters.len());
            for class in 0..classes.letters.len() {
                let target = match set == end {
                    true => Set::new(),
                    false => classes.step(&set, class),
                };
                let target = match stops && classes.ends(&target) {
                    true => end.clone(),
                    false => target,
                };
                let number = (!target.is_empty()).then(|| {
                    *numbers.entry(target).or_insert_with_key(|target| {
                        order.push(target.clone());
                        order.len() as u32 - 1
                    })
                });
                row.push(number);
            }
            next.push(row);
            Limits::check(
                "states of a sequence's machine",
                order.len(),
                limits.monitor_states,
            )?;
        }
        let accepting = order
            .iter()
            .map(|set| *set == end || classes.ends(set))
            .collect();
        Ok(Some(Dfa { next, accepting }))
    }

    /// For each state, those at which at least the same stretches end: the greatest simulation. `None` if there are
    /// too many states to compare.
    fn simulation(&self) -> Option<Vec<Bits>> {
        let n = self.next.len();
        if n > MOST_COMPARED {
            return None;
        }
        let classes = self.next.first().map_or(0, Vec::len);
        let mut sources: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); n]; classes];
        for (state, row) in self.next.iter().enumerate() {
            for (class, to) in row.iter().enumerate() {
                if let Some(to) = to {
                    sources[class][*to as usize].push(state as u32);
                }
            }
        }
        let fails = |a: usize, b: usize| {
            let mut steps = self.next[a].iter().zip(&self.next[b]);
            self.accepting[a] && !self.accepting[b]
                || steps.any(|(a, b)| a.is_some() && b.is_none())
        };
        let mut above = vec![Bits::full(n); n];
        let mut removed: Vec<(usize, usize)> = Vec::new();
        for (a, row) in above.iter_mut().enumerate() {
            for b in (0..n).filter(|b| fails(a, *b)) {
                row.remove(b);
                removed.push((a, b));
            }
        }
        while let Some((a, b)) = removed.pop() {
            for class in &sources {
                for &source in &class[a] {
                    for &other in &class[b] {
                        let (source, other) = (source as usize, other as usize);
                        if above[source].contains(other) {
                            above[source].remove(other);
                            removed.push((source, other));
                        }
                    }
                }
            }
        }
        Some(above)
    }
}

/// The most states that are compared with each other.
const MOST_COMPARED: usize = 2_500;

/// What is still asked for: where its automaton is, and whether it was asked for when the last one was settled.
type Pending = Vec<(u32, bool)>;

/// The machine that follows what is asked for at the letters of `start`; `settles` says whether it tells when all has
/// come.
pub(super) fn asked(
    nfa: &Nfa,
    (asked, settles): (Asked, bool),
    [start, goal]: [&Guard; 2],
    limits: &Limits,
) -> Result<Table, TooLarge> {
    let classes = Classes::new(nfa, &[start, goal], limits)?;
    let letters = classes.letters.clone();
    let stops = asked != Asked::Match || goal.is_true();
    let dfa = Dfa::new(&classes, stops, limits)?;
    let above = dfa.as_ref().and_then(Dfa::simulation);
    // Whether, if the first comes, the second comes, too.
    let brings = |first: u32, second: u32| {
        let (small, large) = match asked {
            Asked::Match | Asked::Open => (first, second),
            Asked::Closed => (second, first),
        };
        let above = above.as_ref().map(|above| &above[small as usize]);
        above.is_some_and(|above| above.contains(large as usize))
    };
    explored(letters, Pending::new(), limits, |pending, class| {
        let [starts, goal] = [0, 1].map(|n| classes.further[class][n]);
        let new = starts.then_some((0, false));
        let mut output = 0;
        let mut kept = Pending::new();
        for (state, old) in pending.iter().copied().chain(new) {
            let next = dfa.as_ref().and_then(|dfa| dfa.next[state as usize][class]);
            let ends = next
                .is_some_and(|next| dfa.as_ref().is_some_and(|dfa| dfa.accepting[next as usize]));
            let (comes, misses) = match asked {
                Asked::Match => (ends && goal, next.is_none()),
                Asked::Open => (ends, next.is_none()),
                Asked::Closed => (next.is_none(), ends),
            };
            match next {
                _ if comes => {}
                Some(next) if !misses => kept.push((next, old)),
                _ => output |= MISSED,
            }
        }
        let mut kept = needed(&kept, brings);
        if !kept.iter().any(|(_, old)| *old) {
            output |= SETTLED;
            kept.iter_mut().for_each(|(_, old)| *old = settles);
        }
        (kept, output)
    })
}

/// What is asked for without what comes anyway if the rest does. Of two at one place, which have one future, one is kept,
/// and is as old as the older one. What is old goes only for something old: else each could go for a newer one for ever,
/// and all would seem to have come.
fn needed(all: &Pending, brings: impl Fn(u32, u32) -> bool) -> Pending {
    let mut all = all.clone();
    all.sort_unstable_by_key(|(state, old)| (*state, !old));
    all.dedup_by_key(|(state, _)| *state);
    let goes_for = |(at, (state, old)): (usize, &(u32, bool)),
                    (other, (first, older)): (usize, &(u32, bool))| {
        // Of several that bring each other, the first of the older ones is kept.
        let before = (!older, other) < (!old, at);
        at != other
            && (*older || !old)
            && brings(*first, *state)
            && (before || !brings(*state, *first))
    };
    let needed = all
        .iter()
        .enumerate()
        .filter(|one| !all.iter().enumerate().any(|other| goes_for(*one, other)));
    needed.map(|(_, one)| *one).collect()
}
