//! Whether some maximal run of a program violates a formula: the product of the graph of its states with a
//! Büchi automaton of the negation (Vardi and Wolper, LICS 1986), searched for an accepting run.
//!
//! The automaton reads the letters of each step. An infinite run with finitely many letters, and a run that has
//! ended, are judged as if the last letter were repeated for ever. Demands of fairness are no part of the automaton, which
//! they would multiply: they are conditions on the loops of the product.

mod components;
mod fair;
mod moves;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use automata::Buchi;
use ltl::AtomId;

use crate::graph::{Actions, Graph};
use components::{components, NONE};
use fair::Good;
use moves::Moves;

/// The most demands of fairness.
pub const DEMANDS: usize = 64;

/// The runs that violate a formula.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The automaton of the formula's negation.
    pub negation: Buchi,
    /// Its atoms, with their positions in valuations.
    pub atoms: Vec<(AtomId, usize)>,
    /// Only runs count that meet these demands, at most [`DEMANDS`].
    pub demands: Vec<Demand>,
}

/// A demand of fairness: what holds infinitely often, by positions in valuations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The condition; `None` if the demand always stands.
    pub often: Option<usize>,
    /// What then holds infinitely often, too.
    pub then: usize,
}

/// A violating run: steps of the graph, each as its state and the number of its edge there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violation {
    /// The steps in order.
    pub steps: Vec<(u32, usize)>,
    /// The number of steps before the loop; `None` if the run has none.
    pub loop_start: Option<usize>,
    /// Whether the steps are the beginning of a run, and every run that begins so violates the formula.
    pub is_prefix: bool,
}

/// Searches a run of `graph` that a claim accepts. Prefers violations with few steps. Linear in the product, but for
/// conditional demands.
pub fn violation(graph: &Graph, claim: &Claim) -> Option<Violation> {
    searched(graph, claim, Loops::All, &|product| product.violation())
}

/// The same, of the runs in whose loop no age of an old time stamp is read: while they go on for ever, the clock goes round, and
/// nothing looks at it.
pub fn timeless(graph: &Graph, claim: &Claim) -> Option<Violation> {
    searched(graph, claim, Loops::Timeless, &|product| {
        product.violation()
    })
}

/// The beginning of a run after which the claim accepts whatever comes, if there is one, or else a violation: such a beginning is one if
/// every run of the program goes on or has ended, also beyond what was visited of its states, and it says more than a run that goes on
/// for ever behind it.
pub fn prefix_or_violation(graph: &Graph, claim: &Claim) -> Option<Violation> {
    searched(graph, claim, Loops::All, &|product| {
        product.prefix().or_else(|| product.violation())
    })
}

/// The beginning of a run alone, after which the claim accepts whatever comes.
pub fn prefix(graph: &Graph, claim: &Claim) -> Option<Violation> {
    searched(graph, claim, Loops::All, &|product| product.prefix())
}

fn searched(
    graph: &Graph,
    claim: &Claim,
    loops: Loops,
    search: &dyn Fn(&Product) -> Option<Violation>,
) -> Option<Violation> {
    if graph.nodes.is_empty() {
        return None;
    }
    let moves = Moves::new(graph, claim);
    let mut product = Product::new(graph, &moves, claim, loops);
    product.explore();
    search(&product)
}

/// The valuations that letters of maximal runs have, which end or are infinite; empty if there is no
/// such run. Letters of discarded runs do not count.
pub fn letters(graph: &Graph) -> BTreeSet<u32> {
    let goes_on = goes_on(graph);
    let mut found = BTreeSet::new();
    for (node, _) in graph.nodes.iter().zip(&goes_on).filter(|(_, on)| **on) {
        found.insert(node.letter);
        let edges = node.edges.iter().filter(|e| goes_on[e.to as usize]);
        found.extend(edges.flat_map(|e| graph.actions_of(e).letters()));
    }
    found
}

/// For each state, whether some maximal run goes through it: it is taken away where no step leads on and the run has not ended,
/// until none is. Whatever is left leads on for ever or to an end.
fn goes_on(graph: &Graph) -> Vec<bool> {
    let nodes = graph.nodes.iter();
    let mut left: Vec<usize> = nodes.map(|node| node.edges.len()).collect();
    let stuck = |n: usize, left: usize| left == 0 && !graph.nodes[n].ended;
    let all = left.iter().enumerate();
    let mut open: Vec<usize> = all
        .filter(|(n, left)| stuck(*n, **left))
        .map(|(n, _)| n)
        .collect();
    let mut known = vec![true; left.len()];
    if open.is_empty() {
        return known;
    }
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); left.len()];
    for (n, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            before[edge.to as usize].push(n as u32);
        }
    }
    while let Some(n) = open.pop() {
        known[n] = false;
        for &from in &before[n] {
            let from = from as usize;
            left[from] -= 1;
            if stuck(from, left[from]) {
                open.push(from);
            }
        }
    }
    known
}

/// Which loops count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    All,
    /// Those in which no age of an old time stamp is read.
    Timeless,
}

/// What steps of the product pass.
struct Kind {
    /// Whether loops that count may have them.
    lasts: bool,
    /// Whether they read letters and pass an accepting state.
    marked: bool,
    /// Whether they read no letter.
    silent: bool,
    /// The demands whose condition holds in some letter.
    asked: u64,
    /// The demands that are met by some letter.
    served: u64,
}

/// A step of the product.
#[derive(Clone, Copy)]
struct Move {
    /// Its target.
    to: u32,
    /// Its edge of the graph.
    edge: u32,
    /// What it passes.
    kind: u32,
}

struct Product<'a> {
    graph: &'a Graph,
    moves: &'a Moves,
    demands: &'a [Demand],
    loops: Loops,
    /// The demands that always stand.
    always: u64,
    /// Pairs of a state of the program and a state of the automaton.
    nodes: Vec<(u32, u32)>,
    /// The steps of all nodes, in the order of the nodes.
    all_steps: Vec<Move>,
    /// By node, where its steps begin; then where the last ones end.
    begins: Vec<usize>,
    /// The predecessor and edge by which each node was found first.
    found: Vec<(u32, u32)>,
    kinds: Vec<Kind>,
    /// Steps between states of the automaton that loops which count may have, and whether an accepting one is among those of
    /// a pair.
    turns: BTreeMap<(u32, u32), bool>,
}

/// The most pairs whose numbers stand in one array.
const DENSE: usize = 1 << 28;

/// The numbers of pairs of a number and a state of the automaton; [`NONE`] for those without.
enum Numbers {
    Dense(Vec<u32>, usize),
    Sparse(HashMap<(u32, u32), u32>),
}

impl Numbers {
    fn new(states: usize, of_automaton: usize) -> Numbers {
        match states.checked_mul(of_automaton) {
            Some(all) if all <= DENSE => Numbers::Dense(vec![NONE; all], of_automaton),
            _ => Numbers::Sparse(HashMap::new()),
        }
    }

    fn of(&mut self, pair: (u32, u32)) -> &mut u32 {
        match self {
            Numbers::Dense(all, width) => &mut all[pair.0 as usize * *width + pair.1 as usize],
            Numbers::Sparse(all) => all.entry(pair).or_insert(NONE),
        }
    }
}

impl<'a> Product<'a> {
    fn new(graph: &'a Graph, moves: &'a Moves, claim: &'a Claim, loops: Loops) -> Product<'a> {
        let always = claim.demands.iter().enumerate();
        let always = always.filter(|(_, demand)| demand.often.is_none());
        Product {
            graph,
            moves,
            demands: &claim.demands,
            loops,
            always: always.fold(0, |all, (n, _)| all | 1 << n),
            nodes: vec![(0, claim.negation.initial() as u32)],
            all_steps: Vec::new(),
            begins: vec![0],
            found: vec![(0, 0)],
            kinds: Vec::new(),
            turns: BTreeMap::new(),
        }
    }

    /// Explores the product breadth-first, so that paths are short.
    fn explore(&mut self) {
        let graph = self.graph;
        // The next states of the automaton and the kinds of the steps that lead there, by the actions and the state of the automaton.
        let mut read: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut readings = Numbers::new(graph.actions.len(), self.moves.states());
        let mut numbers = Numbers::new(graph.nodes.len(), self.moves.states());
        *numbers.of(self.nodes[0]) = 0;
        let mut at = 0;
        while at < self.nodes.len() {
            let (n, q) = self.nodes[at];
            for (number, edge) in graph.nodes[n as usize].edges.iter().enumerate() {
                let reading = readings.of((edge.actions, q));
                if *reading == NONE {
                    *reading = read.len() as u32;
                    read.push(self.read(q, graph.actions_of(edge)));
                }
                for &(state, kind) in &read[*reading as usize] {
                    let fresh = self.nodes.len() as u32;
                    let pair = (edge.to, state);
                    let known = numbers.of(pair);
                    if *known == NONE {
                        *known = fresh;
                        self.nodes.push(pair);
                        self.found.push((at as u32, number as u32));
                    }
                    let to = *known;
                    let edge = number as u32;
                    self.all_steps.push(Move { to, edge, kind });
                }
            }
            self.begins.push(self.all_steps.len());
            at += 1;
        }
    }

    /// What a state of the automaton makes of a step's letters.
    fn read(&mut self, q: u32, actions: &Actions) -> Vec<(u32, u32)> {
        let silent = actions.letters().next().is_none();
        let (mut asked, mut served) = (0, 0);
        for letter in actions.letters() {
            let (of, by) = self.met(letter);
            (asked, served) = (asked | of, served | by);
        }
        let lasts = self.loops == Loops::All || actions.ages() == (false, false);
        let mut next = Vec::new();
        for (to, marked) in self.moves.read(q, actions.letters()) {
            next.push((to, self.kinds.len() as u32));
            let marked = marked && !silent;
            if lasts {
                *self.turns.entry((q, to)).or_insert(false) |= marked;
            }
            self.kinds.push(Kind {
                lasts,
                marked,
                silent,
                asked,
                served,
            });
        }
        next
    }

    /// The demands whose condition holds in a letter, and those that it meets.
    fn met(&self, letter: u32) -> (u64, u64) {
        let values = self.graph.valuations.get(letter as usize);
        let holds = |at: usize| values.and_then(|values| values.get(at)) == Some(&true);
        let (mut asked, mut served) = (0, 0);
        for (number, demand) in self.demands.iter().enumerate() {
            asked |= u64::from(demand.often.is_some_and(holds)) << number;
            served |= u64::from(holds(demand.then)) << number;
        }
        (asked, served)
    }

    /// The steps of a node.
    fn steps(&self, n: usize) -> &[Move] {
        &self.all_steps[self.begins[n]..self.begins[n + 1]]
    }

    /// Whether a run that takes no letter any more at a node violates the formula.
    fn stays(&self, n: usize) -> bool {
        let (state, q) = self.nodes[n];
        let letter = self.graph.nodes[state as usize].letter;
        let (asked, served) = match self.demands.is_empty() {
            true => (0, 0),
            false => self.met(letter),
        };
        (self.always | asked) & !served == 0 && self.moves.stays(q, letter)
    }

    fn violation(&self) -> Option<Violation> {
        let count = self.nodes.len();
        let good = Good::new(self);
        let stays = |step: &Move| {
            let kind = &self.kinds[step.kind as usize];
            kind.silent && kind.lasts
        };
        let silent = self.kinds.iter().any(|kind| kind.silent).then(|| {
            let (of, _) = components(count, &|n, at| {
                let step = self.steps(n).get(at)?;
                Some(stays(step).then_some(step.to as usize))
            });
            of
        });
        for n in 0..count {
            let node = &self.graph.nodes[self.nodes[n].0 as usize];
            if node.ended {
                if self.stays(n) {
                    return Some(self.ended(n, false));
                }
                continue;
            }
            for step in self.steps(n) {
                let kind = &self.kinds[step.kind as usize];
                let of = silent.as_ref().filter(|_| stays(step));
                if of.is_some_and(|of| of[n] == of[step.to as usize]) && self.stays(n) {
                    let mut round = vec![(n, *step)];
                    round.extend(self.way(step.to as usize, n, &|_, m| stays(m)));
                    let state = |(from, m): &(usize, Move)| (self.nodes[*from].0, m.edge as usize);
                    return Some(self.lasso(n, round.iter().map(state).collect()));
                }
                if kind.marked && good.has(self, n, step) {
                    return Some(self.lasso(n, good.round(self, n, *step)));
                }
            }
        }
        None
    }

    /// The beginning of a run after which every word is accepted.
    fn prefix(&self) -> Option<Violation> {
        if !self.demands.is_empty() {
            return None;
        }
        let accepts = |&n: &usize| self.moves.is_universal(self.nodes[n].1);
        let n = (0..self.nodes.len()).find(accepts)?;
        Some(self.ended(n, true))
    }

    /// The steps from the start to a node of the product.
    fn stem(&self, mut at: usize) -> Vec<(u32, usize)> {
        let mut steps = Vec::new();
        while at != 0 {
            let (from, edge) = self.found[at];
            steps.push((self.nodes[from as usize].0, edge as usize));
            at = from as usize;
        }
        steps.reverse();
        steps
    }

    fn ended(&self, n: usize, is_prefix: bool) -> Violation {
        Violation {
            steps: self.stem(n),
            loop_start: None,
            is_prefix,
        }
    }

    fn lasso(&self, n: usize, round: Vec<(u32, usize)>) -> Violation {
        let mut steps = self.stem(n);
        let loop_start = Some(steps.len());
        steps.extend(round);
        Violation {
            steps,
            loop_start,
            is_prefix: false,
        }
    }

    /// A shortest path of allowed moves between two nodes of one component.
    fn way(
        &self,
        from: usize,
        to: usize,
        allowed: &dyn Fn(usize, &Move) -> bool,
    ) -> Vec<(usize, Move)> {
        match from == to {
            true => Vec::new(),
            false => {
                let path = self.path(from, allowed, &|m| m.to as usize == to);
                path.unwrap_or_default()
            }
        }
    }

    /// A shortest path of allowed moves whose last one is wanted: each with the node that it leaves.
    fn path(
        &self,
        from: usize,
        allowed: &dyn Fn(usize, &Move) -> bool,
        wanted: &dyn Fn(&Move) -> bool,
    ) -> Option<Vec<(usize, Move)>> {
        let mut before: HashMap<usize, (usize, Move)> = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            for step in self.steps(at).iter().filter(|m| allowed(at, m)) {
                if wanted(step) {
                    let mut path = vec![(at, *step)];
                    let mut at = at;
                    while at != from {
                        let (earlier, step) = before[&at];
                        path.push((earlier, step));
                        at = earlier;
                    }
                    path.reverse();
                    return Some(path);
                }
                let next = step.to as usize;
                if next != from && !before.contains_key(&next) {
                    before.insert(next, (at, *step));
                    open.push_back(next);
                }
            }
        }
        None
    }
}
