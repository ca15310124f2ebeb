//! Attempts to exclude infinite runs: a graph of edges between heads, and the change of ranking
//! functions along the edges.

use std::collections::{BTreeMap, BTreeSet};

use induction::rank::Rank;
use induction::ranking::{argue, Argument, Change, Edge, Node, Question};
use induction::System;
use weave::heads::Judged;

use super::system::{MET, REJECTED, TURNED};

/// Which infinite paths would be violations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judging {
    /// Whether an automaton judges paths along which letters change for ever.
    pub run: bool,
    /// Whether it is an automaton of the negation.
    pub of_negation: bool,
    /// The heads, by index, that are starts of recursive functions, unless a prefix shows each violation.
    pub starts: BTreeSet<usize>,
}

impl Judging {
    /// How a property's infinite paths are judged.
    pub fn of(judged: &Judged, system: &System) -> Judging {
        let by_prefixes = judged.stuttering == judged.certain;
        let cuts = system.cuts.iter().enumerate();
        let starts = cuts.filter(|(_, cut)| cut.entry.is_some() && !by_prefixes);
        Judging {
            run: judged.run.is_some(),
            of_negation: judged.of_negation,
            starts: starts.map(|(number, _)| number).collect(),
        }
    }

    /// The arguments that exclude the violations, one for each kind: paths along which letters never change again while
    /// the stuttering word violates the formula; paths along which letters change for ever and which the automaton marks as
    /// violations; and recursions that do not end while letters change for ever. Such a recursion has used up the stack
    /// at some time, and nothing tells which letter is the last one.
    pub fn arguments(
        &self,
        edges: &[Edge],
        functions: usize,
        change: &dyn Fn(usize, &Edge) -> Option<Change>,
    ) -> Vec<Argument> {
        let marked = |e: &Edge, mark: u8| e.marks & mark != 0;
        let any = |all: &[Edge], mark: u8| all.iter().any(|e| marked(e, mark));
        let exclude = |takes: &dyn Fn(&Edge) -> bool, bad: &dyn Fn(&[Edge]) -> bool| {
            argue(edges, &Question { takes, bad }, functions, change)
        };
        let still = |e: &Edge| !marked(e, TURNED) && marked(e, REJECTED);
        let mut out = vec![exclude(&still, &|_| true)];
        if self.run {
            out.push(match self.of_negation {
                true => exclude(&|_| true, &|all| any(all, MET) && any(all, TURNED)),
                false => exclude(&|e| !marked(e, MET), &|all| any(all, TURNED)),
            });
        }
        if !self.starts.is_empty() {
            let calls = |all: &[Edge]| all.iter().any(|e| self.starts.contains(&e.to.0));
            let varies = |all: &[Edge]| any(all, TURNED) || any(all, REJECTED);
            out.push(exclude(&|_| true, &|all| calls(all) && varies(all)));
        }
        out
    }
}

/// The reachable heads and phases, and the edges between them.
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// A graph of edges, and what is known of functions along them.
pub struct Attempt {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    judging: Judging,
    /// The edges for which ranking functions are tried.
    pub wanted: Vec<Edge>,
    pub ranks: Vec<Rank>,
    pub changes: BTreeMap<(usize, Edge), Change>,
    /// Functions shown to decrease along an edge only far above the least value of their type.
    pub grounded: BTreeSet<(usize, Edge)>,
    /// Whether some function decreases only if no signed integer overflows.
    pub overflows: bool,
    /// One argument for each question.
    pub arguments: Vec<Argument>,
}

impl Attempt {
    /// An attempt without ranking functions.
    pub fn new(graph: Graph, judging: Judging) -> Attempt {
        let mut out = Attempt {
            nodes: graph.nodes,
            edges: graph.edges,
            judging,
            wanted: Vec::new(),
            ranks: Vec::new(),
            changes: BTreeMap::new(),
            grounded: BTreeSet::new(),
            overflows: false,
            arguments: Vec::new(),
        };
        out.argue();
        out
    }

    /// Derives the arguments from the known changes of the functions.
    pub fn argue(&mut self) {
        let change = |f: usize, e: &Edge| self.changes.get(&(f, *e)).copied();
        self.arguments = self
            .judging
            .arguments(&self.edges, self.ranks.len(), &change);
    }

    /// The functions and edges that arguments use and that may decrease only because a signed
    /// integer overflows.
    pub fn not_grounded(&self, system: &System) -> Vec<(usize, Edge)> {
        let used = self.arguments.iter().flat_map(|a| &a.used);
        let all = used.flat_map(|(f, edges)| edges.iter().map(|e| (*f, *e)));
        let open =
            |u: &(usize, Edge)| !self.grounded.contains(u) && self.ranks[u.0].may_overflow(system);
        all.filter(open).collect()
    }

    /// The functions that stay or decrease along all open edges.
    pub fn staying(&self) -> Vec<usize> {
        let open = self.open();
        let of = |f: usize| open.iter().map(move |e| self.changes.get(&(f, *e)));
        let stays = |f: &usize| of(*f).all(|c| c.is_some());
        (0..self.ranks.len()).filter(stays).collect()
    }

    /// The edges of components without an argument.
    pub fn open(&self) -> Vec<Edge> {
        let all = self.arguments.iter().flat_map(|a| a.open.iter().flatten());
        all.copied().collect()
    }
}

/// A function that an argument uses.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The function.
    pub rank: Rank,
    /// Its change along edges; along other edges it may grow.
    pub changes: Vec<(Edge, Change)>,
}

/// The functions that arguments use, with their changes along edges.
pub fn functions(attempt: &Attempt) -> Vec<Function> {
    let used = attempt.arguments.iter().flat_map(|a| &a.used);
    let used: BTreeSet<usize> = used.map(|u| u.0).collect();
    let one = |number: usize| Function {
        rank: attempt.ranks[number].clone(),
        changes: attempt
            .changes
            .iter()
            .filter(|((f, _), _)| *f == number)
            .map(|((_, edge), change)| (*edge, *change))
            .collect(),
    };
    used.into_iter().map(one).collect()
}
