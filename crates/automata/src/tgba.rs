//! Büchi automata with generalised, transition-based acceptance over the classes of an
//! [`Alphabet`](crate::alphabet::Alphabet): the result of the construction and the input of the reductions.

use crate::bits::Bits;

/// A transition for each letter of the guard.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub dst: u32,
    /// The acceptance sets that the transition belongs to, as bits.
    pub marks: u64,
    pub guard: Bits,
}

/// An automaton; a run is accepted if it meets each acceptance set infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tgba {
    /// The outgoing edges of each state.
    pub states: Vec<Vec<Edge>>,
    pub init: u32,
    /// The number of acceptance sets, at most 63.
    pub sets: u32,
    /// The number of classes of letters.
    pub letters: usize,
    /// Whether acceptance belongs to states: one set, and the edges of a state agree on it.
    pub state_based: bool,
}

/// The strongly connected components of an automaton.
pub(crate) struct Components {
    /// The component of each state; a successor's is never higher.
    pub of: Vec<u32>,
    /// For each component, whether an accepted run can stay in it.
    pub accepting: Vec<bool>,
    /// For each component, whether it contains an edge.
    pub cyclic: Vec<bool>,
}

impl Components {
    pub fn len(&self) -> usize {
        self.accepting.len()
    }
}

impl Tgba {
    /// The automaton without accepted words.
    pub fn empty(letters: usize) -> Tgba {
        Tgba {
            states: vec![Vec::new()],
            init: 0,
            sets: 0,
            letters,
            state_based: false,
        }
    }

    /// For state-based acceptance: whether the state accepts.
    pub fn accepts(&self, state: usize) -> bool {
        self.states[state]
            .first()
            .is_some_and(|edge| edge.marks != 0)
    }

    /// All marks.
    pub fn all_marks(&self) -> u64 {
        (1 << self.sets) - 1
    }

    /// If it is deterministic and accepts every infinite run: the automaton of all other words. Their runs come
    /// to an end, and go on in a state that accepts everything.
    pub fn complement_of_safety(&self) -> Option<Tgba> {
        if self.sets != 0 || !self.is_deterministic() {
            return None;
        }
        let sink = self.states.len() as u32;
        let mut states = self.states.clone();
        states.push(Vec::new());
        for edges in &mut states {
            let mut rest = Bits::full(self.letters);
            edges.iter().for_each(|edge| rest.subtract(&edge.guard));
            edges.push(Edge {
                dst: sink,
                marks: 0,
                guard: rest,
            });
        }
        for edge in &mut states[sink as usize] {
            edge.marks = 1;
        }
        let mut complement = Tgba {
            states,
            sets: 1,
            state_based: false,
            ..self.clone()
        };
        complement.trim();
        Some(complement)
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.states.iter().map(Vec::len).sum()
    }

    /// Whether no letter has two successors in any state.
    pub fn is_deterministic(&self) -> bool {
        self.states.iter().all(|edges| {
            let mut seen = Bits::empty(self.letters);
            edges.iter().all(|edge| {
                let fresh = !seen.intersects(&edge.guard);
                seen.unite(&edge.guard);
                fresh
            })
        })
    }

    /// Joins parallel edges with the same marks, and drops empty ones.
    pub fn merge_edges(&mut self) {
        for edges in &mut self.states {
            edges.retain(|edge| !edge.guard.is_empty());
            edges.sort_unstable();
            edges.dedup_by(|later, kept| {
                let same = later.dst == kept.dst && later.marks == kept.marks;
                if same {
                    kept.guard.unite(&later.guard);
                }
                same
            });
        }
    }

    /// The strongly connected components.
    pub fn components(&self) -> Components {
        let of = components(self.states.len(), |s| {
            self.states[s].iter().map(|edge| edge.dst as usize)
        });
        let count = of.iter().max().map_or(0, |&max| max as usize + 1);
        let mut marks = vec![0; count];
        let mut cyclic = vec![false; count];
        for (src, edge) in self.all_edges() {
            let component = of[src] as usize;
            if of[edge.dst as usize] as usize == component {
                marks[component] |= edge.marks;
                cyclic[component] = true;
            }
        }
        let all = self.all_marks();
        let accepting = (0..count).map(|c| cyclic[c] && marks[c] == all).collect();
        Components {
            of,
            accepting,
            cyclic,
        }
    }

    /// All edges with their sources.
    pub fn all_edges(&self) -> impl Iterator<Item = (usize, &Edge)> {
        let states = self.states.iter().enumerate();
        states.flat_map(|(src, edges)| edges.iter().map(move |edge| (src, edge)))
    }

    /// For each state, whether it accepts some word.
    pub fn live(&self, components: &Components) -> Vec<bool> {
        let mut alive = components.accepting.clone();
        let mut order: Vec<usize> = (0..self.states.len()).collect();
        order.sort_unstable_by_key(|&s| components.of[s]);
        for s in order {
            let leads = |edge: &Edge| alive[components.of[edge.dst as usize] as usize];
            if self.states[s].iter().any(leads) {
                alive[components.of[s] as usize] = true;
            }
        }
        components.of.iter().map(|&c| alive[c as usize]).collect()
    }

    /// Drops states that cannot be reached or accept nothing, and normalises marks: none in a component without
    /// accepted runs, all on edges that leave a component, and a set on all edges of a component if every cycle
    /// of it meets the set.
    pub fn trim(&mut self) {
        self.merge_edges();
        let components = self.components();
        let live = self.live(&components);
        for edges in &mut self.states {
            edges.retain(|edge| live[edge.dst as usize]);
        }
        self.keep_reachable();
        if self.state_based {
            self.normalise_states();
        } else {
            self.normalise_marks();
            self.drop_useless_sets();
        }
        self.merge_edges();
    }

    /// For state-based acceptance: states outside cycles become accepting, states of components without
    /// accepted runs become rejecting.
    fn normalise_states(&mut self) {
        let components = self.components();
        for (edges, &c) in self.states.iter_mut().zip(&components.of) {
            let c = c as usize;
            if !components.cyclic[c] {
                edges.iter_mut().for_each(|edge| edge.marks = 1);
            } else if !components.accepting[c] {
                edges.iter_mut().for_each(|edge| edge.marks = 0);
            }
        }
    }

    /// Renumbers the states that can be reached, in breadth-first order.
    pub fn keep_reachable(&mut self) {
        const NONE: u32 = u32::MAX;
        let mut number = vec![NONE; self.states.len()];
        let mut order = vec![self.init as usize];
        number[self.init as usize] = 0;
        let mut next = 0;
        while next < order.len() {
            for edge in &self.states[order[next]] {
                let dst = edge.dst as usize;
                if number[dst] == NONE {
                    number[dst] = order.len() as u32;
                    order.push(dst);
                }
            }
            next += 1;
        }
        let mut states = Vec::with_capacity(order.len());
        for &old in &order {
            let mut edges = std::mem::take(&mut self.states[old]);
            edges
                .iter_mut()
                .for_each(|e| e.dst = number[e.dst as usize]);
            states.push(edges);
        }
        self.states = states;
        self.init = 0;
    }

    fn normalise_marks(&mut self) {
        let components = self.components();
        let all = self.all_marks();
        let mut inevitable = vec![0u64; components.len()];
        for set in 0..self.sets {
            self.inevitable(&components, 1 << set, &mut inevitable);
        }
        for src in 0..self.states.len() {
            let c = components.of[src] as usize;
            for edge in &mut self.states[src] {
                if components.of[edge.dst as usize] as usize != c {
                    edge.marks = all;
                } else if components.accepting[c] {
                    edge.marks |= inevitable[c];
                } else {
                    edge.marks = 0;
                }
            }
        }
    }

    /// Adds the mark to each component all of whose cycles meet it.
    fn inevitable(&self, components: &Components, mark: u64, inevitable: &mut [u64]) {
        let without = |s: usize| {
            self.states[s]
                .iter()
                .filter(move |e| {
                    e.marks & mark == 0 && components.of[e.dst as usize] == components.of[s]
                })
                .map(|e| e.dst as usize)
        };
        let inner = self::components(self.states.len(), without);
        let mut avoidable = vec![false; inevitable.len()];
        for s in 0..self.states.len() {
            if without(s).any(|dst| inner[dst] == inner[s]) {
                avoidable[components.of[s] as usize] = true;
            }
        }
        for (marks, avoidable) in inevitable.iter_mut().zip(avoidable) {
            if !avoidable {
                *marks |= mark;
            }
        }
    }

    /// Drops acceptance sets that contain another one in every accepting component.
    fn drop_useless_sets(&mut self) {
        let components = self.components();
        let mut kept = self.all_marks();
        for set in 0..self.sets {
            let mark = 1 << set;
            let others = kept & !mark;
            let implied = (0..self.sets)
                .filter(|&o| others >> o & 1 == 1)
                .any(|other| {
                    self.all_edges().all(|(src, edge)| {
                        components.of[src] != components.of[edge.dst as usize]
                            || edge.marks >> other & 1 == 0
                            || edge.marks & mark != 0
                    })
                });
            let everywhere = self.all_edges().all(|(src, edge)| {
                !components.accepting[components.of[src] as usize] || edge.marks & mark != 0
            }) && components
                .accepting
                .iter()
                .zip(&components.cyclic)
                .all(|(a, c)| *a || !c);
            if implied || everywhere {
                kept = others;
            }
        }
        self.keep_sets(kept);
    }

    /// Renumbers the acceptance sets so that only those in `kept` remain.
    fn keep_sets(&mut self, kept: u64) {
        if kept == self.all_marks() {
            return;
        }
        let sets: Vec<u32> = (0..self.sets).filter(|&set| kept >> set & 1 == 1).collect();
        for edge in self.states.iter_mut().flatten() {
            let old = edge.marks;
            let bits = sets.iter().enumerate();
            edge.marks = bits.fold(0, |marks, (new, &set)| marks | (old >> set & 1) << new);
        }
        self.sets = sets.len() as u32;
    }
}

/// The strongly connected components of a graph, numbered so that a successor's number is never higher (Tarjan
/// 1972, without recursion).
pub fn components<I: Iterator<Item = usize>>(
    states: usize,
    successors: impl Fn(usize) -> I,
) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut component = vec![NONE; states];
    let mut low = vec![NONE; states];
    let mut stack: Vec<usize> = Vec::new();
    let (mut next, mut count) = (0, 0);
    for root in 0..states {
        if low[root] != NONE {
            continue;
        }
        let mut calls: Vec<(usize, u32, I)> = vec![(root, next, successors(root))];
        low[root] = next;
        next += 1;
        stack.push(root);
        while let Some((s, index, edges)) = calls.last_mut() {
            let (s, index) = (*s, *index);
            if let Some(t) = edges.next() {
                if low[t] == NONE {
                    low[t] = next;
                    calls.push((t, next, successors(t)));
                    next += 1;
                    stack.push(t);
                } else if component[t] == NONE {
                    low[s] = low[s].min(low[t]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, ..)) = calls.last() {
                low[*parent] = low[*parent].min(low[s]);
            }
            if low[s] == index {
                while let Some(t) = stack.pop() {
                    component[t] = count;
                    if t == s {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}
