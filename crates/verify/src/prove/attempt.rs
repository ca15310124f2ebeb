//! Attempts to exclude infinite runs: a graph of edges between heads, and the change of ranking
//! functions along the edges.

use std::collections::{BTreeMap, BTreeSet};

use induction::rank::Rank;
use induction::ranking::{argue, Argument, Change, Edge, Node, Question};
use induction::System;
use weave::heads::Judged;

use super::system::{MET, REJECTED, TURNED};

/// The infinite paths that would be violations: paths along which letters never change again while
/// the stuttering word violates the formula, and paths along which letters change for ever and
/// which the automaton marks as violations.
pub fn questions(run: bool, of_negation: bool) -> Vec<Question<'static>> {
    let still = Question {
        takes: &|e| e.marks & TURNED == 0 && e.marks & REJECTED != 0,
        bad: &|_| true,
    };
    let mut out = vec![still];
    if !run {
        return out;
    }
    out.push(match of_negation {
        true => Question {
            takes: &|_| true,
            bad: &|c| {
                c.iter().any(|e| e.marks & MET != 0) && c.iter().any(|e| e.marks & TURNED != 0)
            },
        },
        false => Question {
            takes: &|e| e.marks & MET == 0,
            bad: &|c| c.iter().any(|e| e.marks & TURNED != 0),
        },
    });
    out
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
    questions: Vec<Question<'static>>,
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
    pub fn new(graph: Graph, judged: &Judged) -> Attempt {
        let mut out = Attempt {
            nodes: graph.nodes,
            edges: graph.edges,
            questions: questions(judged.run.is_some(), judged.of_negation),
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
        let one = |q: &Question| argue(&self.edges, q, self.ranks.len(), &change);
        self.arguments = self.questions.iter().map(one).collect();
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
