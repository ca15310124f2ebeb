//! Reductions by direct and by reverse simulation (Somenzi & Bloem, CAV 2000; Babiak et al.,
//! *Compositional approach to suspension and other improvements*, SPIN 2013).

use crate::bits::Bits;
use crate::tgba::{Edge, Tgba};

/// Automata with more states are not reduced.
const MAX_STATES: usize = 600;
/// The most comparisons of edges, counted in machine words, after which a reduction is given up.
const MAX_WORK: usize = 10_000_000;

/// `relation[p]` contains `q` if `q` simulates `p`.
pub(crate) type Relation = Vec<Bits>;

/// Automata with more states are not compared with themselves.
const MAX_COMPARED: usize = 2_000;
/// The work of a comparison.
const MAX_COMPARISON: usize = 4 * MAX_WORK;

/// Which states simulate which; `None` if that takes too long.
pub(crate) fn between_states(automaton: &Tgba) -> Option<Relation> {
    let n = automaton.states.len();
    let mut work = MAX_COMPARISON;
    (n <= MAX_COMPARED).then(|| simulation(&automaton.states, anything(n), &mut work))?
}

/// The greatest simulation in `start` between the states of a graph with marked edges: for each edge of `p` and
/// each of its letters, `q` has an edge with at least its marks to a state that simulates the target. `None` if
/// the work is used up.
///
/// A pair is looked at again only if a pair of targets was removed that its edges lead to: in an automaton that
/// counts to n, each of the n rounds removes n pairs, and only those before them can be next.
fn simulation(states: &[Vec<Edge>], start: Relation, work: &mut usize) -> Option<Relation> {
    let n = states.len();
    let mut relation = start;
    // The number of machine words of a guard.
    let mut guards = states.iter().flatten().map(|edge| &edge.guard);
    let words = guards.next().map_or(1, Bits::width);
    let before = predecessors(states);
    let mut pending = relation.clone();
    loop {
        let mut removed: Vec<Bits> = vec![Bits::empty(n); n];
        let mut changed = false;
        for p in 0..n {
            for q in pending[p].iter().filter(|&q| q != p) {
                *work = work.checked_sub(states[p].len() * states[q].len() * words + 1)?;
                if !simulates(states, &relation, p, q) {
                    relation[p].remove(q);
                    removed[p].insert(q);
                    changed = true;
                }
            }
        }
        if !changed {
            return Some(relation);
        }
        pending.iter_mut().for_each(|row| *row = Bits::empty(n));
        for (target, lost) in removed.iter().enumerate() {
            let mut sources = Bits::empty(n);
            lost.iter().for_each(|q| sources.unite(&before[q]));
            for p in before[target].iter() {
                pending[p].unite(&sources);
            }
        }
        for (row, left) in pending.iter_mut().zip(&relation) {
            row.intersect(left);
        }
    }
}

/// For each state, those with an edge to it.
fn predecessors(states: &[Vec<Edge>]) -> Vec<Bits> {
    let n = states.len();
    let mut before = vec![Bits::empty(n); n];
    for (src, edges) in states.iter().enumerate() {
        for edge in edges {
            before[edge.dst as usize].insert(src);
        }
    }
    before
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// All pairs again and again, until none is removed.
    fn by_definition(states: &[Vec<Edge>], start: Relation) -> Relation {
        let mut relation = start;
        loop {
            let pairs = (0..states.len()).flat_map(|p| (0..states.len()).map(move |q| (p, q)));
            let wrong = |&(p, q): &(usize, usize)| {
                p != q && relation[p].contains(q) && !simulates(states, &relation, p, q)
            };
            match pairs.into_iter().find(wrong) {
                Some((p, q)) => relation[p].remove(q),
                None => return relation,
            }
        }
    }

    #[test]
    fn pairs_that_are_looked_at_again_suffice() {
        let mut seed = 5u64;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut related = 0;
        for _ in 0..300 {
            let n = 1 + random(9);
            let states: Vec<Vec<Edge>> = (0..n)
                .map(|_| {
                    let edge = |dst, letters: usize, marks| {
                        let mut guard = Bits::empty(3);
                        (0..3)
                            .filter(|l| letters >> l & 1 == 1)
                            .for_each(|l| guard.insert(l));
                        Edge {
                            dst: dst as u32,
                            guard,
                            marks,
                        }
                    };
                    (0..random(4))
                        .map(|_| edge(random(n), 1 + random(7), random(4) as _))
                        .collect()
                })
                .collect();
            let mut start = anything(n);
            let (p, q) = (random(n), random(n));
            if p != q {
                start[p].remove(q);
            }
            let mut work = usize::MAX;
            let found = simulation(&states, start.clone(), &mut work).unwrap();
            assert_eq!(found, by_definition(&states, start), "{states:?}");
            related += found.iter().map(|row| row.len() - 1).sum::<usize>();
        }
        assert!(related > 300, "{related} pairs besides the equal ones");
    }

    #[test]
    fn the_work_for_a_counter_grows_with_the_pairs_of_its_states() {
        // Of each state less is asked than of the one before: all pairs but those of one order are removed, one by one.
        let work_of = |n: usize| {
            let step = |dst: usize| Edge {
                dst: dst as u32,
                guard: Bits::full(1),
                marks: 0,
            };
            let mut states: Vec<Vec<Edge>> = (1..n).map(|next| vec![step(next)]).collect();
            states.push(Vec::new());
            let mut left = usize::MAX;
            let relation = simulation(&states, anything(n), &mut left).unwrap();
            let kept: usize = relation.iter().map(Bits::len).sum();
            assert_eq!(kept, n * (n + 1) / 2);
            usize::MAX - left
        };
        let (small, large) = (work_of(50), work_of(200));
        assert!(large < 20 * small, "{small}, {large}");
    }
}
