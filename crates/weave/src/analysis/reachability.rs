//! Reachability in the call graph, with bit sets that functions share.

use std::sync::Arc;

/// A call, or the start of a thread, in the body of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The function in whose body it stands.
    pub from: usize,
    /// The function that is called or started.
    pub to: usize,
    /// Whether one activation of `from` may execute it more than once.
    pub repeated: bool,
}

/// Machine words of a chunk.
const WORDS: usize = 16;
/// Components whose bits one chunk holds.
const BITS: usize = 64 * WORDS;

/// The bits of [`BITS`] components.
type Chunk = [u64; WORDS];

/// A set of components. Empty chunks are left out, and a caller shares the chunks that equal its callee's: most
/// callers add little to the set of one of their callees.
#[derive(Clone, Debug, Default)]
struct Set(Vec<Option<Arc<Chunk>>>);

impl Set {
    fn contains(&self, component: usize) -> bool {
        let chunk = self.0.get(component / BITS).and_then(Option::as_ref);
        chunk.is_some_and(|c| c[component % BITS / 64] >> (component % 64) & 1 == 1)
    }

    fn insert(&mut self, component: usize) {
        self.lengthen(component / BITS + 1);
        let chunk = self.0[component / BITS].get_or_insert_with(Default::default);
        Arc::make_mut(chunk)[component % BITS / 64] |= 1 << (component % 64);
    }

    fn lengthen(&mut self, chunks: usize) {
        if self.0.len() < chunks {
            self.0.resize(chunks, None);
        }
    }

    fn add(&mut self, other: &Set) {
        self.lengthen(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            let Some(theirs) = theirs else { continue };
            match mine {
                Some(mine) if Arc::ptr_eq(mine, theirs) || within(theirs, mine) => {}
                Some(mine) if !within(mine, theirs) => {
                    let words = Arc::make_mut(mine).iter_mut().zip(theirs.iter());
                    words.for_each(|(a, b)| *a |= b);
                }
                _ => *mine = Some(Arc::clone(theirs)),
            }
        }
    }
}

/// Whether all bits of one chunk are in another.
fn within(part: &Chunk, whole: &Chunk) -> bool {
    part.iter().zip(whole).all(|(a, b)| a & !b == 0)
}

/// The functions that calls reach from each function: a set of components for each strongly connected
/// component.
#[derive(Clone, Debug)]
pub struct Reach {
    component: Vec<usize>,
    /// For each component, whether it contains a cycle.
    cyclic: Vec<bool>,
    /// For each component, the components that it reaches, itself included.
    sets: Vec<Set>,
}

impl Reach {
    /// Follows the calls. Time per edge and memory per component are proportional to the number of components
    /// divided by 1024; in addition, each chunk that sets do not share takes a bit for each of its components.
    pub fn new(functions: usize, calls: &[Edge]) -> Reach {
        let edges = calls.iter().map(|e| (e.from as u32, e.to as u32));
        let mut graph = petgraph::graph::DiGraph::<(), ()>::from_edges(edges);
        while graph.node_count() < functions {
            graph.add_node(());
        }
        // Kosaraju's algorithm numbers callees before their callers.
        let components = petgraph::algo::kosaraju_scc(&graph);
        let mut component = vec![0; graph.node_count()];
        for (number, members) in components.iter().enumerate() {
            members.iter().for_each(|f| component[f.index()] = number);
        }
        let mut sets: Vec<Set> = Vec::with_capacity(components.len());
        let mut cyclic = Vec::with_capacity(components.len());
        for (number, members) in components.iter().enumerate() {
            let mut set = Set::default();
            let mut cycle = members.len() > 1;
            for callee in members.iter().flat_map(|&f| graph.neighbors(f)) {
                let callee = component[callee.index()];
                if callee == number {
                    cycle = true;
                } else if !set.contains(callee) {
                    set.add(&sets[callee]);
                }
            }
            set.insert(number);
            sets.push(set);
            cyclic.push(cycle);
        }
        Reach {
            component,
            cyclic,
            sets,
        }
    }

    /// Whether calls lead from a function to another; every function reaches itself.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        self.sets[self.component[from]].contains(self.component[to])
    }

    /// Whether calls lead from a function back to it.
    pub fn recursive(&self, function: usize) -> bool {
        self.cyclic[self.component[function]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges drawn by a linear congruential generator (the constants of Knuth's MMIX).
    fn drawn(functions: usize, edges: usize) -> Vec<Edge> {
        let mut state = 1u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % functions
        };
        let edge = |_| Edge {
            from: draw(),
            to: draw(),
            repeated: false,
        };
        (0..edges).map(edge).collect()
    }

    #[test]
    fn shared_sets_answer_as_a_search_does() {
        let functions = 2 * BITS + 500;
        // Few edges: many components; as many as functions: also a large one.
        for edges in [functions / 2, functions * 9 / 10, functions * 3 / 2] {
            let calls = drawn(functions, edges);
            let mut next = vec![Vec::new(); functions];
            calls.iter().for_each(|e| next[e.from].push(e.to));
            let reach = Reach::new(functions, &calls);
            for from in (0..functions).step_by(7) {
                let mut called = vec![false; functions];
                let mut work = vec![from];
                while let Some(f) = work.pop() {
                    for &g in &next[f] {
                        if !std::mem::replace(&mut called[g], true) {
                            work.push(g);
                        }
                    }
                }
                assert_eq!(reach.recursive(from), called[from]);
                called[from] = true;
                for (to, &reached) in called.iter().enumerate() {
                    assert_eq!(reach.reaches(from, to), reached, "{from} to {to}");
                }
            }
        }
    }

    #[test]
    fn a_chain_of_calls_shares_its_chunks() {
        let functions = 20 * BITS;
        let chain = (1..functions).map(|f| Edge {
            from: f,
            to: f - 1,
            repeated: false,
        });
        let reach = Reach::new(functions, &chain.collect::<Vec<_>>());
        assert!(reach.reaches(functions - 1, 0) && !reach.reaches(0, functions - 1));
        let chunks = reach.sets.iter().flat_map(|set| set.0.iter().flatten());
        let chunks: std::collections::HashSet<_> = chunks.map(Arc::as_ptr).collect();
        // One for each function, not one for each function and each chunk that it reaches.
        assert!(chunks.len() <= functions, "{} chunks", chunks.len());
    }
}
