//! Reductions by direct and by reverse simulation (Somenzi & Bloem, CAV 2000; Babiak et al.,
//! *Compositional approach to suspension and other improvements*, SPIN 2013).

use crate::bits::Bits;
use crate::tgba::{Edge, Tgba};

/// Automata with more states are not reduced.
const MAX_STATES: usize = 600;
/// The most comparisons of edges, counted in machine words, after which a reduction is given up.
const MAX_WORK: usize = 10_000_000;

/// `relation[p]` contains `q` if `q` simulates `p`.
type Relation = Vec<Bits>;

/// The greatest simulation in `start` between the states of a graph with marked edges: for each edge of `p` and
/// each of its letters, `q` has an edge with at least its marks to a state that simulates the target. `None` if
/// the work is used up.
fn simulation(states: &[Vec<Edge>], start: Relation, work: &mut usize) -> Option<Relation> {
    let mut relation = start;
    // The number of machine words of a guard.
    let mut guards = states.iter().flatten().map(|edge| &edge.guard);
    let words = guards.next().map_or(1, Bits::width);
    loop {
        let mut changed = false;
        for p in 0..states.len() {
            let candidates: Vec<usize> = relation[p].iter().filter(|&q| q != p).collect();
            for q in candidates {
                *work = work.checked_sub(states[p].len() * states[q].len() * words + 1)?;
                if !simulates(states, &relation, p, q) {
                    relation[p].remove(q);
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(relation);
        }
    }
}

fn simulates(states: &[Vec<Edge>], relation: &Relation, p: usize, q: usize) -> bool {
    states[p].iter().all(|edge| {
        let mut left = edge.guard.clone();
        for other in &states[q] {
            if covers(relation, edge, other) {
                left.subtract(&other.guard);
                if left.is_empty() {
                    return true;
                }
            }
        }
        left.is_empty()
    })
}

/// Whether `other` is at least as good as `edge`.
fn covers(relation: &Relation, edge: &Edge, other: &Edge) -> bool {
    edge.marks & !other.marks == 0 && relation[edge.dst as usize].contains(other.dst as usize)
}

/// All pairs.
fn anything(states: usize) -> Relation {
    vec![Bits::full(states); states]
}

/// For each state, the lowest equivalent one.
fn representatives(relation: &Relation) -> Vec<u32> {
    let equivalent = |p: usize, q: usize| relation[p].contains(q) && relation[q].contains(p);
    (0..relation.len())
        .map(|p| (0..=p).find(|&q| equivalent(p, q)).unwrap_or(p) as u32)
        .collect()
}

/// Merges states that simulate each other, and drops edges that have a better one. Returns whether anything has
/// changed.
fn reduce(automaton: &mut Tgba, work: &mut usize) -> bool {
    let n = automaton.states.len();
    if n > MAX_STATES {
        return false;
    }
    let Some(relation) = simulation(&automaton.states, anything(n), work) else {
        return false;
    };
    let before = (n, automaton.edges());
    let representative = representatives(&relation);
    for edge in automaton.states.iter_mut().flatten() {
        edge.dst = representative[edge.dst as usize];
    }
    automaton.init = representative[automaton.init as usize];
    automaton.merge_edges();
    for edges in &mut automaton.states {
        drop_covered(edges, |edge, other| covers(&relation, edge, other));
    }
    automaton.trim();
    before != (automaton.states.len(), automaton.edges())
}

/// Removes from each edge the letters that a better edge has; of two equally good edges, the first stays.
fn drop_covered(edges: &mut Vec<Edge>, better: impl Fn(&Edge, &Edge) -> bool) {
    for i in 0..edges.len() {
        for j in 0..edges.len() {
            if i == j || !edges[i].guard.intersects(&edges[j].guard) {
                continue;
            }
            let equal = better(&edges[j], &edges[i]);
            if better(&edges[i], &edges[j]) && (!equal || j < i) {
                let other = edges[j].guard.clone();
                edges[i].guard.subtract(&other);
            }
        }
    }
    edges.retain(|edge| !edge.guard.is_empty());
}

/// The graph with its edges reversed.
fn reversed(automaton: &Tgba) -> Vec<Vec<Edge>> {
    let mut states = vec![Vec::new(); automaton.states.len()];
    for (src, edge) in automaton.all_edges() {
        states[edge.dst as usize].push(Edge {
            dst: src as u32,
            ..edge.clone()
        });
    }
    states
}

/// Merges states that are reached in the same ways, and drops an edge from a state that is reached in fewer
/// ways than another state with the same edge. Returns whether anything has changed.
fn reduce_reverse(automaton: &mut Tgba, work: &mut usize) -> bool {
    let n = automaton.states.len();
    if n > MAX_STATES {
        return false;
    }
    // Only the initial state simulates the initial state.
    let mut start = anything(n);
    let init = automaton.init as usize;
    start[init] = Bits::empty(n);
    start[init].insert(init);
    if automaton.state_based {
        for p in (0..n).filter(|&p| automaton.accepts(p)) {
            let others = (0..n).filter(|&q| !automaton.accepts(q));
            others.for_each(|q| start[p].remove(q));
        }
    }
    let graph = reversed(automaton);
    let Some(relation) = simulation(&graph, start, work) else {
        return false;
    };
    let before = (n, automaton.edges());
    let representative = representatives(&relation);
    let mut merged = vec![Vec::new(); n];
    for (src, edges) in std::mem::take(&mut automaton.states)
        .into_iter()
        .enumerate()
    {
        merged[representative[src] as usize].extend(edges);
    }
    automaton.states = merged;
    for edge in automaton.states.iter_mut().flatten() {
        edge.dst = representative[edge.dst as usize];
    }
    automaton.init = representative[init];
    automaton.merge_edges();
    let mut graph = reversed(automaton);
    for edges in &mut graph {
        drop_covered(edges, |edge, other| covers(&relation, edge, other));
    }
    automaton.states = vec![Vec::new(); n];
    for (dst, edges) in graph.into_iter().enumerate() {
        for edge in edges {
            let src = edge.dst as usize;
            automaton.states[src].push(Edge {
                dst: dst as u32,
                ..edge
            });
        }
    }
    automaton.trim();
    before != (automaton.states.len(), automaton.edges())
}

/// Repeats both reductions until neither changes anything, or until the work `total` is used up.
pub(crate) fn reduce_fully(automaton: &mut Tgba, total: &mut usize) {
    automaton.trim();
    let most = MAX_WORK.min(*total);
    let mut work = most;
    for _ in 0..20 {
        let direct = reduce(automaton, &mut work);
        let reverse = reduce_reverse(automaton, &mut work);
        if !direct && !reverse {
            break;
        }
    }
    *total -= most - work;
}

/// The greatest simulation of an automaton, if it is cheap: the words of each state are among those of the
/// states that simulate it.
pub(crate) fn relation(automaton: &Tgba) -> Option<Vec<Bits>> {
    let n = automaton.states.len();
    if n > MAX_STATES {
        return None;
    }
    simulation(&automaton.states, anything(n), &mut MAX_WORK.clone())
}
