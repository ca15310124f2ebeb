//! Whether several automata accept a common word. Their product is not built: its states are visited as a search for an
//! accepted run comes to them (J.-M. Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999), so that a common
//! word of many automata is found after a few steps, and letters are decision diagrams, however many propositions there are.
//! A state that a state without a word simulates has none either, and is not visited: of the many ways to spend the time until
//! a deadline, those are left out that come later than one in vain.

use crate::bits::Bits;
use crate::buchi::Buchi;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use crate::simulation::{between_states, Relation};
use ltl::lasso::Lasso;
use ltl::AtomId;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most states that one search visits.
const MOST_STATES: usize = 50_000;

/// So many states without a word are compared with a new one: those that were found last.
const MOST_COMPARED: usize = 2_000;

/// So many comparisons of states are as much work as a node of a decision diagram.
const COMPARED_OF_NODE: usize = 8;

/// The most nodes of decision diagrams that one search makes; what else it does counts as nodes, too.
const MOST_NODES: usize = 1_000_000;

/// An automaton as the search reads it.
#[derive(Clone)]
pub(crate) struct Machine {
    initial: u32,
    accepting: Vec<bool>,
    /// The edges of each state; those that lead towards acceptance come first, so that the search does not wait for ever
    /// before it comes to what is owed.
    edges: Vec<Vec<(u32, Guard)>>,
    /// Which states simulate which, if that is known: they have all the words of those.
    better: Option<Arc<Relation>>,
}

impl Machine {
    pub fn new(buchi: &Buchi, limits: &Limits) -> Machine {
        let far = distances(buchi);
        let classes = buchi.to_tgba(limits).ok();
        let better = classes.and_then(|(automaton, _)| between_states(&automaton));
        // How many states have no words that a state has not.
        let mut worse = vec![0usize; buchi.states.len()];
        let all = better.iter().flatten().flat_map(Bits::iter);
        all.for_each(|state| worse[state] += 1);
        let sorted = |state: &crate::BuchiState| {
            let edges = state.edges.iter();
            let mut edges: Vec<(u32, Guard)> = edges
                .map(|edge| (edge.target as u32, edge.guard.clone()))
                .collect();
            edges.sort_by_key(|&(target, _)| {
                (far[target as usize], Reverse(worse[target as usize]))
            });
            edges
        };
        Machine {
            better: better.map(Arc::new),
            initial: buchi.initial as u32,
            accepting: buchi.states.iter().map(|state| state.accepting).collect(),
            edges: buchi.states.iter().map(sorted).collect(),
        }
    }

    /// The machine with proposition `i` renamed to `names[i]`; the names must be ascending.
    pub fn renamed(&self, names: &[AtomId]) -> Machine {
        let renamed = |edges: &Vec<(u32, Guard)>| {
            let edges = edges.iter();
            edges
                .map(|(target, guard)| (*target, guard.renamed(names)))
                .collect()
        };
        Machine {
            edges: self.edges.iter().map(renamed).collect(),
            accepting: self.accepting.clone(),
            better: self.better.clone(),
            ..*self
        }
    }

    /// A machine that accepts one word, as far as some propositions can tell.
    pub fn of_word(word: &Lasso, atoms: &[AtomId]) -> Machine {
        let (prefix, cycle) = word.parts();
        let length = prefix.len() + cycle.len();
        let letters = prefix.iter().chain(cycle).enumerate();
        let edges = letters.map(|(at, letter)| {
            let literals = atoms
                .iter()
                .filter_map(|&atom| Guard::literal(atom, letter.contains(&atom)));
            let guard = literals.fold(Guard::top(), |all, literal| all.and(&literal));
            let next = if at + 1 < length {
                at + 1
            } else {
                prefix.len()
            };
            vec![(next as u32, guard)]
        });
        Machine {
            initial: 0,
            accepting: vec![true; length],
            edges: edges.collect(),
            better: None,
        }
    }

    /// Whether a state has all words of another one, as far as that is known.
    fn has_words_of(&self, state: u32, other: u32) -> bool {
        let better = || self.better.as_ref().map(|better| &better[other as usize]);
        state == other || better().is_some_and(|better| better.contains(state as usize))
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.edges.len()
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Whether every infinite run is accepted.
    fn accepts_all_runs(&self) -> bool {
        self.accepting.iter().all(|&accepting| accepting)
    }
}

/// How many edges each state is away from an accepting one.
fn distances(buchi: &Buchi) -> Vec<usize> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); buchi.states.len()];
    for (from, state) in buchi.states.iter().enumerate() {
        state
            .edges
            .iter()
            .for_each(|edge| into[edge.target].push(from));
    }
    let mut far = vec![usize::MAX; buchi.states.len()];
    let states = 0..buchi.states.len();
    let mut queue: Vec<usize> = states.filter(|&s| buchi.states[s].accepting).collect();
    queue.iter().for_each(|&state| far[state] = 0);
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        for &from in &into[state] {
            if far[from] == usize::MAX {
                far[from] = far[state] + 1;
                queue.push(from);
            }
        }
    }
    far
}

/// A state of the product: one of each machine.
type State = Box<[u32]>;

/// The successors of a state, one after the other: an edge of each machine, with a letter that all of them allow.
struct Successors {
    state: State,
    /// The edges that were chosen for the first machines, and the letters that they leave.
    chosen: Vec<(usize, Guard)>,
    started: bool,
}

/// A search of the product of some machines.
struct Search<'a> {
    machines: &'a [&'a Machine],
    allowed: &'a Guard,
    /// For each machine that does not accept all runs, its place among those.
    marks: Vec<Option<usize>>,
    /// The number of such machines.
    sets: usize,
    /// The nodes that were made.
    nodes: usize,
    /// States without a word.
    dead: Vec<State>,
}

/// Words that all machines of a search accept: any letter of each guard will do.
pub(crate) struct Run {
    pub prefix: Vec<Guard>,
    /// What is repeated for ever; not empty.
    pub cycle: Vec<Guard>,
}

/// Common words of the machines over the allowed letters, if there are any. The nodes of decision diagrams that this took
/// are subtracted from `left`.
///
/// # Errors
/// The bound that was exceeded.
pub(crate) fn common_run(
    machines: &[&Machine],
    allowed: &Guard,
    left: &mut usize,
) -> Result<Option<Run>, TooLarge> {
    // All guards are intersected with these letters, which is work even where nothing is left of them.
    let most = (*left).min(MOST_NODES);
    Limits::check("nodes of decision diagrams", allowed.size(), most)?;
    let mut sets = 0;
    let marks = machines.iter().map(|machine| {
        let counts = !machine.accepts_all_runs();
        sets += usize::from(counts);
        counts.then(|| sets - 1)
    });
    let mut search = Search {
        machines,
        allowed,
        marks: marks.collect(),
        sets,
        nodes: 0,
        dead: Vec::new(),
    };
    let found = search.run(most);
    *left = left.saturating_sub(search.nodes);
    found
}

impl Search<'_> {
    fn run(&mut self, most: usize) -> Result<Option<Run>, TooLarge> {
        let initial: State = self.machines.iter().map(|m| m.initial).collect();
        let mut numbers: HashMap<State, usize> = HashMap::from([(initial.clone(), 0)]);
        // Whether the component of a state was left: no accepted run goes through it.
        let mut left = vec![false];
        let mut states = vec![initial.clone()];
        // The first state of each component on the path, and the acceptance sets of its states.
        let mut roots = vec![(0, self.marks_of(&initial))];
        let mut open = vec![0];
        let mut path = vec![(0, Successors::of(initial))];
        while let Some((number, successors)) = path.last_mut() {
            let number = *number;
            let Some(target) = self.next(successors, most)? else {
                path.pop();
                if roots.last().is_some_and(|root| root.0 == number) {
                    roots.pop();
                    while let Some(state) = open.pop() {
                        left[state] = true;
                        self.bury(&states[state]);
                        if state == number {
                            break;
                        }
                    }
                }
                continue;
            };
            match numbers.get(&target) {
                None if self.is_dead(&target) => {}
                None => {
                    self.nodes += self.dead.len().min(MOST_COMPARED) / COMPARED_OF_NODE;
                    let fresh = numbers.len();
                    Limits::check("states of a product of automata", fresh, MOST_STATES)?;
                    numbers.insert(target.clone(), fresh);
                    left.push(false);
                    states.push(target.clone());
                    roots.push((fresh, self.marks_of(&target)));
                    open.push(fresh);
                    path.push((fresh, Successors::of(target)));
                }
                Some(&known) if left[known] => {}
                Some(&known) => {
                    // A cycle: the components from that state on are one.
                    let mut marks = Bits::empty(self.sets);
                    while let Some((root, of_root)) = roots.pop() {
                        marks.unite(&of_root);
                        if root <= known {
                            roots.push((root, marks.clone()));
                            break;
                        }
                    }
                    if marks.len() == self.sets {
                        let root = roots.last().map_or(0, |root| root.0);
                        let inside = |state: &State| {
                            let number = numbers.get(state).copied();
                            number.is_some_and(|number| number >= root && !left[number])
                        };
                        return self.accepted(&path, root, &inside, most).map(Some);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Remembers that a state has no word.
    fn bury(&mut self, state: &State) {
        if !self.is_dead(state) {
            self.dead.push(state.clone());
        }
    }

    /// Whether a state is known to have no word, since one that simulates it has none.
    fn is_dead(&self, state: &State) -> bool {
        let mut last = self.dead.iter().rev().take(MOST_COMPARED);
        last.any(|dead| {
            let mut each = self.machines.iter().zip(dead.iter().zip(state));
            each.all(|(machine, (&dead, &state))| machine.has_words_of(dead, state))
        })
    }

    /// The letters of a run that goes along the path to the first state of a component, and then round and round in it
    /// through states of all acceptance sets.
    fn accepted(
        &mut self,
        path: &[(usize, Successors)],
        root: usize,
        inside: &dyn Fn(&State) -> bool,
        most: usize,
    ) -> Result<Run, TooLarge> {
        // What the search has used is no measure of what the way round needs.
        let most = self.nodes + most;
        let before = path.iter().take_while(|(number, _)| *number != root);
        let prefix: Vec<Guard> = before
            .map(|(_, chosen)| chosen.letters(self.allowed))
            .collect();
        let start = match path.get(prefix.len()) {
            Some((_, successors)) => successors.state.clone(),
            None => self.machines.iter().map(|m| m.initial).collect(),
        };
        let mut cycle = Vec::new();
        let (mut at, mut seen) = (start.clone(), self.marks_of(&start));
        while seen.len() < self.sets {
            let fresh = |search: &Self, state: &State| {
                let mut marks = search.marks_of(state);
                marks.subtract(&seen);
                !marks.is_empty()
            };
            at = self.way(at, &mut cycle, inside, &fresh, most)?;
            seen.unite(&self.marks_of(&at));
        }
        if at != start || cycle.is_empty() {
            self.way(at, &mut cycle, inside, &|_, state| *state == start, most)?;
        }
        Ok(Run { prefix, cycle })
    }

    /// Follows a shortest way in a component, of one step or more, to a state of a kind; the state.
    fn way(
        &mut self,
        from: State,
        letters: &mut Vec<Guard>,
        inside: &dyn Fn(&State) -> bool,
        wanted: &dyn Fn(&Self, &State) -> bool,
        most: usize,
    ) -> Result<State, TooLarge> {
        let mut steps: Vec<(usize, Guard, State)> = vec![(0, Guard::bottom(), from.clone())];
        let mut known = HashSet::new();
        let mut next = 0;
        while let Some((_, _, state)) = steps.get(next) {
            let mut successors = Successors::of(state.clone());
            while let Some(target) = self.next(&mut successors, most)? {
                if !inside(&target) || !known.insert(target.clone()) {
                    continue;
                }
                let found = wanted(self, &target);
                steps.push((next, successors.letters(self.allowed), target));
                if found {
                    return Ok(walked(&steps, letters));
                }
            }
            next += 1;
        }
        // Whatever is wanted is in the component.
        Ok(from)
    }

    fn marks_of(&self, state: &State) -> Bits {
        let mut marks = Bits::empty(self.sets);
        for ((machine, mark), &at) in self.machines.iter().zip(&self.marks).zip(state) {
            if let Some(mark) = mark.filter(|_| machine.accepting[at as usize]) {
                marks.insert(mark);
            }
        }
        marks
    }

    /// The next successor of a state.
    fn next(
        &mut self,
        successors: &mut Successors,
        most: usize,
    ) -> Result<Option<State>, TooLarge> {
        let chosen = &mut successors.chosen;
        let mut from = match std::mem::replace(&mut successors.started, true) {
            false => 0,
            // A state of no machines has one successor.
            true => match chosen.pop() {
                Some((edge, _)) => edge + 1,
                None => return Ok(None),
            },
        };
        while let Some(machine) = self.machines.get(chosen.len()) {
            let edges = &machine.edges[successors.state[chosen.len()] as usize];
            let letters = chosen.last().map_or(self.allowed, |(_, letters)| letters);
            let mut found = None;
            for (edge, (_, guard)) in edges.iter().enumerate().skip(from) {
                let both = letters.and(guard);
                self.nodes += both.size();
                if !both.is_false() {
                    found = Some((edge, both));
                    break;
                }
            }
            Limits::check("nodes of decision diagrams", self.nodes, most)?;
            from = match (found, chosen.is_empty()) {
                (Some(found), _) => {
                    chosen.push(found);
                    0
                }
                (None, true) => return Ok(None),
                (None, false) => chosen.pop().map_or(0, |(edge, _)| edge + 1),
            };
        }
        let edges = chosen.iter().zip(self.machines).zip(&successors.state);
        let target = edges.map(|(((edge, _), machine), &at)| machine.edges[at as usize][*edge].0);
        Ok(Some(target.collect()))
    }
}

impl Successors {
    fn of(state: State) -> Successors {
        Successors {
            state,
            chosen: Vec::new(),
            started: false,
        }
    }

    /// The letters of the successor that was given last.
    fn letters(&self, allowed: &Guard) -> Guard {
        let last = self.chosen.last();
        last.map_or_else(|| allowed.clone(), |(_, letters)| letters.clone())
    }
}

/// Adds the letters of the last of some steps, and of those that lead to it; its state.
fn walked(steps: &[(usize, Guard, State)], letters: &mut Vec<Guard>) -> State {
    let (mut at, added) = (steps.len() - 1, letters.len());
    let state = steps[at].2.clone();
    while at > 0 {
        letters.push(steps[at].1.clone());
        at = steps[at].0;
    }
    letters[added..].reverse();
    state
}
