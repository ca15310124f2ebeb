//! Whether several automata accept a common word. Their product is not built: its states are visited as a search for an
//! accepted run comes to them (J.-M. Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999), so that a common
//! word of many automata is found after a few steps, and letters are decision diagrams, however many propositions there are.

use crate::bits::Bits;
use crate::buchi::Buchi;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use ltl::AtomId;
use std::collections::HashMap;

/// The most states that one search visits.
const MOST_STATES: usize = 10_000;

/// The most nodes of decision diagrams that one search makes.
const MOST_NODES: usize = 2_000_000;

/// An automaton as the search reads it.
#[derive(Clone)]
pub(crate) struct Machine {
    initial: u32,
    accepting: Vec<bool>,
    /// The edges of each state; those that lead towards acceptance come first, so that the search does not wait for ever
    /// before it comes to what is owed.
    edges: Vec<Vec<(u32, Guard)>>,
}

impl Machine {
    pub fn new(buchi: &Buchi) -> Machine {
        let far = distances(buchi);
        let sorted = |state: &crate::BuchiState| {
            let edges = state.edges.iter();
            let mut edges: Vec<(u32, Guard)> = edges
                .map(|edge| (edge.target as u32, edge.guard.clone()))
                .collect();
            edges.sort_by_key(|(target, _)| far[*target as usize]);
            edges
        };
        Machine {
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
            ..*self
        }
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
}

/// Whether the machines accept a common word over the allowed letters. The nodes of decision diagrams that this took are
/// subtracted from `left`.
///
/// # Errors
/// The bound that was exceeded.
pub(crate) fn have_common_word(
    machines: &[&Machine],
    allowed: &Guard,
    left: &mut usize,
) -> Result<bool, TooLarge> {
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
    };
    let found = search.run(most);
    *left = left.saturating_sub(search.nodes);
    found
}

impl Search<'_> {
    fn run(&mut self, most: usize) -> Result<bool, TooLarge> {
        let initial: State = self.machines.iter().map(|m| m.initial).collect();
        let mut numbers: HashMap<State, usize> = HashMap::from([(initial.clone(), 0)]);
        // Whether the component of a state was left: no accepted run goes through it.
        let mut left = vec![false];
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
                        if state == number {
                            break;
                        }
                    }
                }
                continue;
            };
            match numbers.get(&target) {
                None => {
                    let fresh = numbers.len();
                    Limits::check("states of a product of automata", fresh, MOST_STATES)?;
                    numbers.insert(target.clone(), fresh);
                    left.push(false);
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
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
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
}
