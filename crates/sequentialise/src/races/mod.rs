//! Data races: two accesses of one memory location by different threads, one of which writes and one
//! of which is not atomic, and neither of which happens before the other (C11, 5.1.2.4).
//!
//! A static analysis finds the pairs of accesses that may be a race. It follows each thread along all
//! paths with the locks that are held on each of them (lock sets: Savage and others, Eraser, 1997),
//! the threads that may run besides (starts and joins), and what pointers may point to. What it
//! cannot follow counts as possible, so that a program without possible races has none, on any run,
//! of any length. It assumes what the points-to analysis assumes.

mod arrays;
mod calls;
mod counting;
mod fixed;
mod flags;
mod follow;
mod fresh;
mod functions;
mod names;
mod pairs;
mod parts;
mod paths;
mod run;
mod says;
mod site;
mod state;
mod threads;
mod walk;
mod watch;

use std::collections::BTreeSet;

use cfront::{ExprId, Span, Unit};

use crate::facts::Facts;
use run::Run;
use site::{Seen, Site};

pub(crate) use run::{is_in_loop, once};
use says::Form;
pub(crate) use says::WATCH;
pub use watch::Watched;

/// The possible races of a program.
#[derive(Clone, Debug, Default)]
pub struct Possible {
    /// Pairs of accesses, in the order of the text.
    pub pairs: Vec<Pair>,
    /// Why the program could not be followed, with the place if there is one: then any accesses may be
    /// a race.
    pub blind: Option<(String, Option<Span>)>,
    /// A program in which these pairs are watched; `None` if there is none, or nothing to watch.
    pub watched: Option<Watched>,
    /// The same for programs in which atomic operations have weaker orders, to be read with a model of the memory
    /// of C11 ([`crate::memory`]).
    pub ordered: Option<Watched>,
}

/// Two accesses that may be a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The accessed object, as the first access names it.
    pub object: String,
    /// The access that comes first in the text.
    pub first: Access,
    /// The other one; it may be the same place in another thread.
    pub second: Access,
}

/// An access of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Its place.
    pub span: Span,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is atomic.
    pub atomic: bool,
    /// The function with which the thread begins.
    pub thread: String,
    /// The locks that are held on all paths to it.
    pub held: Vec<String>,
}

impl Possible {
    /// Whether the program surely has no race, on any run.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.blind.is_none()
    }
}

/// Finds the possible races of a program; none if it has no function `main`.
pub fn possible(unit: &Unit) -> Possible {
    let main = unit.tree.function_named("main");
    let Some(main) = main.filter(|&f| unit.tree.functions[f].body.is_some()) else {
        return Possible {
            blind: Some(("the program has no function `main`".to_owned(), None)),
            ..Possible::default()
        };
    };
    let facts = Facts::new(unit);
    let run = Run::of(&facts, main);
    let found = run.pairs();
    let mut pairs: Vec<Pair> = Vec::new();
    for (a, b) in found.iter().copied() {
        let pair = described(&run, &run.seen[a], &run.seen[b]);
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    pairs.sort_by_key(|p| (p.first.span.start, p.second.span.start));
    let place = |e: ExprId| unit.tree.exprs[e].span;
    let watch = run.blind.is_none() && !found.is_empty();
    let watched = |form: Form| watch::watched(&run, &found, form);
    Possible {
        pairs,
        watched: watch.then(|| watched(Form::Next)).flatten(),
        ordered: (watch && run.weaker).then(|| watched(Form::Past)).flatten(),
        blind: run.blind.map(|(why, at)| (why, at.map(place))),
    }
}

fn described(run: &Run, a: &Seen, b: &Seen) -> Pair {
    let at = |seen: &Seen| run.facts.tree.exprs[seen.site.expr].span.start;
    let (a, b) = if at(a) <= at(b) { (a, b) } else { (b, a) };
    Pair {
        object: object(run, &a.site),
        first: access(run, a),
        second: access(run, b),
    }
}

fn access(run: &Run, seen: &Seen) -> Access {
    let thread = run.threads[seen.thread].function;
    let locks: BTreeSet<String> = seen.held.keys().map(|lock| lock.name(run.facts)).collect();
    Access {
        span: run.facts.tree.exprs[seen.site.expr].span,
        writes: seen.site.writes,
        atomic: seen.site.atomic,
        thread: run.facts.tree.functions[thread].name.clone(),
        held: locks.into_iter().collect(),
    }
}

/// The accessed object, as the text names it.
fn object(run: &Run, site: &Site) -> String {
    let tree = run.facts.tree;
    let text = |e: ExprId| {
        // Between the tokens of a macro stand lines of the preprocessor.
        let lines = run.facts.unit.text_of(tree.exprs[e].bare).lines();
        let own = lines.filter(|line| !line.trim_start().starts_with('#'));
        own.map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
            .trim()
            .to_owned()
    };
    let argument = match site.part {
        site::Part::Lvalue => return text(site.expr),
        site::Part::Target(n)
        | site::Part::Bytes(n, _)
        | site::Part::Some(n)
        | site::Part::Further(n) => n,
    };
    match &tree.exprs[site.expr].kind {
        cfront::tree::ExprKind::Call { args, .. } => {
            args.get(argument).map_or_else(String::new, |&arg| {
                let text = text(arg);
                match text.strip_prefix('&') {
                    Some(object) => object.to_owned(),
                    None => format!("*{text}"),
                }
            })
        }
        _ => text(site.expr),
    }
}
