//! Attempts to exclude infinite runs: a graph of edges between heads, and what functions of the state do along
//! them.

use std::collections::{BTreeMap, BTreeSet};

use induction::rank::Rank;
use induction::ranking::{argue, Argument, Change, Edge, Node, Question};
use induction::System;
use weave::heads::Judged;

use super::system::{MET, REJECTED, TURNED};

/// Which infinite paths would be violations: those that take edges without a change for ever while the
/// word that stays violates, and those on which letters change for ever and the automaton
/// says so.
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

/// The heads and phases that are reached, and the edges between them.
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// A graph of edges, and the functions that are known along them.
pub struct Attempt {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    questions: Vec<Question<'static>>,
    /// The edges along which functions are looked at.
    pub wanted: Vec<Edge>,
    pub ranks: Vec<Rank>,
    pub changes: BTreeMap<(usize, Edge), Change>,
    /// What was shown to fall far above the least value of its type.
    pub grounded: BTreeSet<(usize, Edge)>,
    /// Whether something falls only as long as no signed integer overflows.
    pub overflows: bool,
    /// One for each question.
    pub arguments: Vec<Argument>,
}

impl Attempt {
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

    pub fn argue(&mut self) {
        let change = |f: usize, e: &Edge| self.changes.get(&(f, *e)).copied();
        let one = |q: &Question| argue(&self.edges, q, self.ranks.len(), &change);
        self.arguments = self.questions.iter().map(one).collect();
    }

    /// What arguments use that may fall only because a signed integer has a least value.
    pub fn not_grounded(&self, system: &System) -> Vec<(usize, Edge)> {
        let used = self.arguments.iter().flat_map(|a| &a.used);
        let all = used.flat_map(|(f, edges)| edges.iter().map(|e| (*f, *e)));
        let open =
            |u: &(usize, Edge)| !self.grounded.contains(u) && self.ranks[u.0].may_overflow(system);
        all.filter(open).collect()
    }

    /// The functions that stay or fall along all open edges, and fall along none of them.
    pub fn staying(&self) -> Vec<usize> {
        let open = self.open();
        let of = |f: usize| open.iter().map(move |e| self.changes.get(&(f, *e)));
        let stays = |f: &usize| of(*f).all(|c| c.is_some());
        (0..self.ranks.len()).filter(stays).collect()
    }

    /// The edges of components for which there is no argument.
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
    /// What it does along edges; along others it may grow.
    pub changes: Vec<(Edge, Change)>,
}

/// The functions that an argument uses, with what they do along edges.
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
