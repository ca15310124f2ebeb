//! Memory that is weaker than sequential consistency, as a part of the program: accesses of objects that
//! threads access at the same time become calls of functions that are a model of the memory. What they
//! choose (which store a load reads, when a store becomes visible) are choices of the program, which is then
//! sequentially consistent. So all that is known about threads serves: schedules, steps, lassos, proofs.
//!
//! The models are those of x86 and SPARC with buffers of stores (`templates/memory/buffers.c`), and that of C11 as repaired by
//! Lahav and others (RC11, PLDI 2017) with views (`templates/memory/views.c`).
//!
//! Only objects that two threads may access at the same time, one of them writing, and without a common lock, are
//! accessed so. Other accesses are ordered by locks, by starts and ends of threads, which make the stores before them
//! visible in all of these models: they read the last store.

mod bases;
mod emit;
mod locks;
mod model;
mod objects;
mod operations;
mod parts;
mod rewrite;
mod text;

pub use model::{Asked, Model};
use model::{Outcome, Which};

use cfront::source::Source;
use cfront::{Diagnostic, Span, Unit};

use crate::accesses::Accesses;
use crate::code::Lowered;
use crate::facts::Facts;
use crate::lower::Lower;
use crate::options::Options;
use crate::sharing::Sharing;

/// A program with its memory.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// Its text, in which every line of the program has its number; `None` if the model makes no difference to it.
    pub source: Option<Source>,
    /// The objects that are accessed by way of the model.
    pub objects: Vec<String>,
    /// Whether some of them are accessed without atomic operations.
    pub plain: bool,
    /// Why accesses that are not atomic read the last store here although some of them may race: answers are about a program
    /// without data races.
    pub without_races: Option<Diagnostic>,
}

/// The program with a model of its memory. Quadratic in the accesses of shared objects.
///
/// # Errors
/// What the model does not follow, with its place.
pub fn remembered(unit: &Unit, asked: &Asked) -> Result<Remembered, Vec<Diagnostic>> {
    about(unit, |question| {
        // Without races, accesses that are not atomic read the last store that happens before them; and without weaker orders, all
        // is sequentially consistent. Partial store order does not keep what C promises of release.
        let promised = asked.model == Model::C11 || !question.facts.has_weaker_orders();
        if promised && crate::races::possible(unit).is_empty() {
            let made = question.made(asked, Which::Atomic, false);
            if made.is_ok() {
                return made;
            }
        }
        question.made(asked, Which::All, false).or_else(|why| {
            let atomic = promised.then(|| question.made(asked, Which::Atomic, false));
            match atomic {
                Some(Ok(made)) => Ok(Remembered {
                    without_races: why.first().cloned(),
                    ..made
                }),
                _ => Err(why),
            }
        })
    })
}

/// A program that says which accesses may be a race ([`crate::races::Possible::ordered`]), with the memory of C11. Without a
/// text, its atomic operations are in order.
///
/// # Errors
/// As [`remembered`].
pub fn ordered(watched: &Unit) -> Result<Remembered, Vec<Diagnostic>> {
    let asked = Asked::anything(Model::C11);
    about(watched, |question| {
        question.made(&asked, Which::Atomic, true)
    })
}

/// A program, and what its threads access.
struct Question<'a, 'u> {
    facts: &'a Facts<'u>,
    accesses: &'a Accesses<'a, 'u>,
    apart: Lowered,
    sharing: Sharing,
}

/// Asks something about a program.
fn about<T>(unit: &Unit, ask: impl FnOnce(&Question) -> Outcome<T>) -> Outcome<T> {
    let main = unit.tree.function_named("main");
    let Some(main) = main.filter(|&f| unit.tree.functions[f].body.is_some()) else {
        let message = "the program has no function `main`";
        return Err(vec![Diagnostic::error(Span::empty(0), message)]);
    };
    let facts = Facts::new(unit);
    let accesses = Accesses::new(&facts);
    let options = Options {
        steps: true,
        ..Options::default()
    };
    let apart = Lower::run(&facts, &accesses, &Sharing::all(), &options, main)?;
    let sharing = Sharing::of(facts.tree, &apart);
    ask(&Question {
        facts: &facts,
        accesses: &accesses,
        apart,
        sharing,
    })
}

impl Question<'_, '_> {
    /// The program with the model of some of its objects; `races` tells whether races are searched in it.
    fn made(&self, asked: &Asked, which: Which, races: bool) -> Outcome<Remembered> {
        let (facts, model) = (self.facts, asked.model);
        let lowered = (&self.apart, &self.sharing);
        let objects = objects::Objects::of(facts, self.accesses, lowered, which)?;
        let in_order = model == Model::C11 || which == Which::Atomic;
        if objects.is_empty() || (in_order && !objects.plain && !facts.has_weaker_orders()) {
            return Ok(Remembered {
                source: None,
                objects: Vec::new(),
                plain: objects.plain,
                without_races: None,
            });
        }
        let names = objects.names(facts);
        let read = |names: &Vec<String>| match &asked.finite {
            Some(known) => names.iter().any(|name| known.contains(name)),
            None => true,
        };
        let question = rewrite::Question {
            model,
            races,
            brief: !races && !read(&names),
        };
        let text = rewrite::rewritten((facts, self.accesses), &objects, &self.apart, question)?;
        Ok(Remembered {
            source: Some(Source {
                files: facts.unit.source.files.clone(),
                ..Source::from_bytes(text.into_bytes())
            }),
            objects: names,
            plain: objects.plain,
            without_races: None,
        })
    }
}
