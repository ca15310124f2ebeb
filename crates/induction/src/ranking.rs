//! Whether an infinite path can stay in a bad component of the graph of edges.
//!
//! An infinite path finally stays in one strongly connected component. If a function of the state into a finite
//! ordered set grows along no edge of the component, the path takes the edges along which it falls only
//! finitely often. So these can be removed, and the rest divides into smaller components: lexicographic
//! ranking, found edge by edge (compare Podelski & Rybalchenko 2004, Cook et al. 2012). Integers of C have
//! finitely many values, so no lower bound is needed: where a function wraps around, it grows.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

/// A node: a head, by index, and a phase.
pub type Node = (usize, usize);

/// The part of a run between two heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The node at which it begins.
    pub from: Node,
    /// The node at which it ends.
    pub to: Node,
    /// Its marks, one bit each.
    pub marks: u8,
}

/// The change of a ranking function along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It falls.
    Falls,
    /// It does not grow.
    Stays,
}

/// The condition for a component to be bad.
pub struct Question<'a> {
    /// Whether a path can take an edge infinitely often.
    pub takes: &'a dyn Fn(&Edge) -> bool,
    /// Whether a path that takes exactly these edges infinitely often is wrong.
    pub bad: &'a dyn Fn(&[Edge]) -> bool,
}

/// The strongly connected components of a set of edges: for each, the edges inside it.
pub fn components(edges: &[Edge]) -> Vec<Vec<Edge>> {
    let mut graph = DiGraphMap::<Node, ()>::new();
    for edge in edges {
        graph.add_edge(edge.from, edge.to, ());
    }
    let mut number = BTreeMap::new();
    for (i, component) in tarjan_scc(&graph).into_iter().enumerate() {
        number.extend(component.into_iter().map(|node| (node, i)));
    }
    let mut out: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    for edge in edges {
        if number[&edge.from] == number[&edge.to] {
            out.entry(number[&edge.from]).or_default().push(*edge);
        }
    }
    out.into_values().collect()
}

/// A lexicographic argument, and the components without one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument {
    /// The functions used, by number, each with the edges that it removes.
    pub used: Vec<(usize, Vec<Edge>)>,
    /// The components for which no argument was found.
    pub open: Vec<Vec<Edge>>,
}

/// Searches an argument that no infinite path is bad. `change` returns the change of a function along an edge;
/// `None` if it may grow. Polynomial: each round removes an edge.
pub fn argue(
    edges: &[Edge],
    question: &Question,
    functions: usize,
    change: &dyn Fn(usize, &Edge) -> Option<Change>,
) -> Argument {
    let taken: Vec<Edge> = edges
        .iter()
        .filter(|e| (question.takes)(e))
        .copied()
        .collect();
    let mut out = Argument::default();
    let mut open = components(&taken);
    while let Some(component) = open.pop() {
        if !(question.bad)(&component) {
            continue;
        }
        let mut removed: BTreeSet<Edge> = BTreeSet::new();
        for function in 0..functions {
            if component.iter().any(|e| change(function, e).is_none()) {
                continue;
            }
            let falls: Vec<Edge> = component
                .iter()
                .filter(|e| change(function, e) == Some(Change::Falls) && !removed.contains(e))
                .copied()
                .collect();
            if !falls.is_empty() {
                removed.extend(falls.iter().copied());
                out.used.push((function, falls));
            }
        }
        match removed.is_empty() {
            true => out.open.push(component),
            false => {
                let rest: Vec<Edge> = component
                    .into_iter()
                    .filter(|e| !removed.contains(e))
                    .collect();
                open.extend(components(&rest));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize, marks: u8) -> Edge {
        Edge {
            from: (from, 0),
            to: (to, 0),
            marks,
        }
    }

    #[test]
    fn nested_loops_need_two_functions() {
        // Function 0 falls around the outer loop; function 1 falls in the inner one and may grow outside.
        let edges = [edge(0, 1, 0), edge(1, 1, 0), edge(1, 0, 1)];
        let change = |f: usize, e: &Edge| match (f, e.marks, e.from.0 == e.to.0) {
            (0, 1, _) => Some(Change::Falls),
            (0, ..) => Some(Change::Stays),
            (_, _, true) => Some(Change::Falls),
            _ => None,
        };
        let all = Question {
            takes: &|_| true,
            bad: &|_| true,
        };
        let found = argue(&edges, &all, 2, &change);
        assert!(found.open.is_empty());
        assert_eq!(found.used.len(), 2);
        let without = argue(&edges, &all, 1, &change);
        assert_eq!(without.open, [vec![edge(1, 1, 0)]]);
    }

    #[test]
    fn a_component_that_is_not_bad_needs_nothing() {
        let edges = [edge(0, 0, 1), edge(1, 1, 0)];
        let marked = Question {
            takes: &|_| true,
            bad: &|c| c.iter().any(|e| e.marks & 1 != 0),
        };
        let found = argue(&edges, &marked, 0, &|_, _| None);
        assert_eq!(found.open, [vec![edge(0, 0, 1)]]);
    }
}
