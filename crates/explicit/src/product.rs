//! Whether some maximal run of a program violates a formula: the product of the graph of its states with a
//! Büchi automaton of the negation (Vardi and Wolper, LICS 1986), searched for an accepting run.
//!
//! The automaton reads the letters of each step. An infinite run with finitely many letters, and a run that has
//! ended, are judged as if the last letter were repeated for ever.

use std::collections::{BTreeSet, HashMap, VecDeque};

use automata::Buchi;
use ltl::lasso::Letter;
use ltl::AtomId;

use crate::graph::Graph;

/// A violating run: steps of the graph, each as its state and the number of its edge there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violation {
    /// The steps in order.
    pub steps: Vec<(u32, usize)>,
    /// The number of steps before the loop; `None` if the run ends.
    pub loop_start: Option<usize>,
}

/// The automaton over the valuations of a graph.
struct Moves {
    /// The next states, by state and valuation.
    next: Vec<Vec<Vec<u32>>>,
    accepting: Vec<bool>,
    /// Whether the word that repeats a valuation for ever is accepted, by state and valuation.
    stays: Vec<Vec<bool>>,
}

/// Searches a run of `graph` whose word `negation` accepts. `atoms` are the automaton's atoms with their
/// positions in valuations. Prefers violations with few steps. Linear in the product.
pub fn violation(graph: &Graph, negation: &Buchi, atoms: &[(AtomId, usize)]) -> Option<Violation> {
    if graph.nodes.is_empty() {
        return None;
    }
    let moves = Moves::new(graph, negation, atoms);
    let mut product = Product::new(graph, &moves, negation.initial() as u32);
    product.explore();
    product.violation()
}

/// The valuations that letters of maximal runs have, which end or are infinite; empty if there is no
/// such run. Letters of discarded runs do not count.
pub fn letters(graph: &Graph) -> BTreeSet<u32> {
    let goes_on = goes_on(graph);
    let mut found = BTreeSet::new();
    for (node, _) in graph.nodes.iter().zip(&goes_on).filter(|(_, on)| **on) {
        found.insert(node.letter);
        let edges = node.edges.iter().filter(|e| goes_on[e.to as usize]);
        found.extend(edges.flat_map(|e| e.letters()));
    }
    found
}

/// For each state, whether some maximal run goes through it.
fn goes_on(graph: &Graph) -> Vec<bool> {
    let of = strong(graph);
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut open = Vec::new();
    for (n, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            before[edge.to as usize].push(n);
        }
        if node.ended || node.edges.iter().any(|e| of[e.to as usize] == of[n]) {
            open.push(n);
        }
    }
    let mut known = vec![false; graph.nodes.len()];
    while let Some(n) = open.pop() {
        if !std::mem::replace(&mut known[n], true) {
            open.extend(&before[n]);
        }
    }
    known
}

/// The strongly connected components of the states.
fn strong(graph: &Graph) -> Vec<usize> {
    components(graph.nodes.len(), &|n| {
        let edges = graph.nodes[n].edges.iter();
        edges.map(|e| (e.to as usize, false)).collect()
    })
}

impl Moves {
    fn new(graph: &Graph, automaton: &Buchi, atoms: &[(AtomId, usize)]) -> Moves {
        let states = automaton.states();
        // Valuations that agree on the automaton's atoms are one class.
        let mut classes: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut class_of = Vec::new();
        for valuation in &graph.valuations {
            let seen: Vec<bool> = atoms
                .iter()
                .map(|(_, at)| valuation.get(*at).copied().unwrap_or_default())
                .collect();
            let number = classes.len();
            class_of.push(*classes.entry(seen).or_insert(number));
        }
        let mut all: Vec<(Vec<bool>, usize)> = classes.into_iter().collect();
        all.sort_by_key(|(_, n)| *n);
        let letters: Vec<Letter> = all
            .iter()
            .map(|(seen, _)| {
                let held = atoms.iter().zip(seen).filter(|(_, holds)| **holds);
                held.map(|((atom, _), _)| *atom).collect()
            })
            .collect();
        let by_class = |q: usize| -> Vec<Vec<u32>> {
            let of = |letter: &Letter| {
                let fits = states[q].edges.iter().filter(|e| e.guard.contains(letter));
                fits.map(|e| e.target as u32).collect()
            };
            letters.iter().map(of).collect()
        };
        let next: Vec<Vec<Vec<u32>>> = (0..states.len()).map(by_class).collect();
        let accepting: Vec<bool> = states.iter().map(|s| s.accepting).collect();
        let stays = staying(&next, &accepting, letters.len());
        let spread = |row: &Vec<Vec<u32>>| class_of.iter().map(|&c| row[c].clone()).collect();
        Moves {
            next: next.iter().map(spread).collect(),
            stays: stays
                .iter()
                .map(|row| class_of.iter().map(|&c| row[c]).collect())
                .collect(),
            accepting,
        }
    }

    /// The states after reading letters, each with whether an accepting state was passed.
    fn read(&self, from: u32, letters: impl Iterator<Item = u32>) -> Vec<(u32, bool)> {
        let mut now = vec![(from, false)];
        for letter in letters {
            let mut after: Vec<(u32, bool)> = Vec::new();
            for (q, met) in now {
                for &to in &self.next[q as usize][letter as usize] {
                    after.push((to, met || self.accepting[to as usize]));
                }
            }
            after.sort_unstable();
            after.dedup();
            // Of two paths to one state, the one through an accepting state serves for both.
            after.reverse();
            after.dedup_by_key(|(q, _)| *q);
            now = after;
        }
        now
    }
}

/// Whether repeating a letter for ever is accepted, by state and letter.
fn staying(next: &[Vec<Vec<u32>>], accepting: &[bool], letters: usize) -> Vec<Vec<bool>> {
    let mut out = vec![vec![false; letters]; next.len()];
    for letter in 0..letters {
        let good = |q: usize| {
            let mut after = next[q][letter].iter();
            accepting[q] && after.any(|&t| reaches(next, letter, t as usize, q))
        };
        let wanted: Vec<bool> = (0..next.len()).map(good).collect();
        for (q, row) in out.iter_mut().enumerate() {
            let mut seen = vec![false; next.len()];
            let mut open = vec![q];
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                row[letter] |= wanted[at];
                open.extend(next[at][letter].iter().map(|&t| t as usize));
            }
        }
    }
    out
}

fn reaches(next: &[Vec<Vec<u32>>], letter: usize, from: usize, to: usize) -> bool {
    let mut seen = vec![false; next.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(next[at][letter].iter().map(|&t| t as usize));
        }
    }
    false
}

/// A step of the product: its target, its edge of the graph, and what it passes.
#[derive(Clone, Copy)]
struct Move {
    to: u32,
    edge: u32,
    /// Whether it reads letters and passes an accepting state.
    marked: bool,
    /// Whether it reads no letter.
    silent: bool,
}

struct Product<'a> {
    graph: &'a Graph,
    moves: &'a Moves,
    /// Pairs of a state of the program and a state of the automaton.
    nodes: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32>,
    steps: Vec<Vec<Move>>,
    /// The predecessor and edge by which each node was found first.
    found: Vec<(u32, u32)>,
}

impl<'a> Product<'a> {
    fn new(graph: &'a Graph, moves: &'a Moves, initial: u32) -> Product<'a> {
        Product {
            graph,
            moves,
            nodes: vec![(0, initial)],
            numbers: HashMap::from([((0, initial), 0)]),
            steps: Vec::new(),
            found: vec![(0, 0)],
        }
    }

    /// Explores the product breadth-first, so that paths are short.
    fn explore(&mut self) {
        let mut at = 0;
        while at < self.nodes.len() {
            let (n, q) = self.nodes[at];
            let mut steps = Vec::new();
            for (number, edge) in self.graph.nodes[n as usize].edges.iter().enumerate() {
                let silent = edge.letters().next().is_none();
                for (to, marked) in self.moves.read(q, edge.letters()) {
                    let next = self.nodes.len() as u32;
                    let pair = (edge.to, to);
                    let to = *self.numbers.entry(pair).or_insert(next);
                    if to == next {
                        self.nodes.push(pair);
                        self.found.push((at as u32, number as u32));
                    }
                    steps.push(Move {
                        to,
                        edge: number as u32,
                        marked,
                        silent,
                    });
                }
            }
            self.steps.push(steps);
            at += 1;
        }
    }

    fn violation(&self) -> Option<Violation> {
        let count = self.nodes.len();
        let all = components(count, &|n| {
            self.steps[n]
                .iter()
                .map(|m| (m.to as usize, m.marked))
                .collect()
        });
        let silent = components(count, &|n| {
            let quiet = self.steps[n].iter().filter(|m| m.silent);
            quiet.map(|m| (m.to as usize, false)).collect()
        });
        for n in 0..count {
            let (state, q) = self.nodes[n];
            let node = &self.graph.nodes[state as usize];
            let letter = node.letter as usize;
            let stays = || self.moves.stays[q as usize].get(letter) == Some(&true);
            if node.ended {
                if stays() {
                    return Some(self.ended(n));
                }
                continue;
            }
            for step in &self.steps[n] {
                let to = step.to as usize;
                let inside = all[to] == all[n] && step.marked;
                let idles = step.silent && silent[to] == silent[n] && stays();
                if inside || idles {
                    if let Some(round) = self.way(to, n, &|m| !idles || m.silent) {
                        return Some(self.lasso(n, *step, round));
                    }
                }
            }
        }
        None
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

    fn ended(&self, n: usize) -> Violation {
        Violation {
            steps: self.stem(n),
            loop_start: None,
        }
    }

    fn lasso(&self, n: usize, step: Move, round: Vec<(u32, usize)>) -> Violation {
        let mut steps = self.stem(n);
        let loop_start = Some(steps.len());
        steps.push((self.nodes[n].0, step.edge as usize));
        steps.extend(round);
        Violation { steps, loop_start }
    }

    /// A shortest path of allowed moves.
    fn way(
        &self,
        from: usize,
        to: usize,
        allowed: &dyn Fn(&Move) -> bool,
    ) -> Option<Vec<(u32, usize)>> {
        let mut before: HashMap<usize, (usize, u32)> = HashMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            if at == to {
                let mut steps = Vec::new();
                let mut at = to;
                while at != from {
                    let (earlier, edge) = before[&at];
                    steps.push((self.nodes[earlier].0, edge as usize));
                    at = earlier;
                }
                steps.reverse();
                return Some(steps);
            }
            for step in self.steps[at].iter().filter(|m| allowed(m)) {
                let next = step.to as usize;
                if next != from && !before.contains_key(&next) {
                    before.insert(next, (at, step.edge));
                    open.push_back(next);
                }
            }
        }
        None
    }
}

/// The strongly connected components of a graph, by node (Tarjan 1972, without recursion).
fn components(count: usize, next: &dyn Fn(usize) -> Vec<(usize, bool)>) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let (mut index, mut low, mut of) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut counter, mut number) = (0, 0);
    let mut stack = Vec::new();
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut work = vec![(root, next(root), 0_usize)];
        index[root] = counter;
        low[root] = counter;
        counter += 1;
        stack.push(root);
        while let Some((node, edges, at)) = work.last_mut() {
            let node = *node;
            if let Some(&(to, _)) = edges.get(*at) {
                *at += 1;
                if index[to] == NONE {
                    index[to] = counter;
                    low[to] = counter;
                    counter += 1;
                    stack.push(to);
                    work.push((to, next(to), 0));
                } else if of[to] == NONE {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, _, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    of[member] = number;
                    if member == node {
                        break;
                    }
                }
                number += 1;
            }
        }
    }
    of
}
