//! Sequences of letters, the regular expressions of PSL (IEEE 1850): patterns over formulas about one letter.

use crate::{Id, Interval};
use std::sync::Arc;

/// The most parts of a pattern, so that what walks over one may recurse.
pub(crate) const MOST_PARTS: usize = 1_000;

/// One part of a pattern, in postfix notation: operands come before their operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    /// One letter, of which a formula holds: the number of the formula.
    Letter(u32),
    /// `a; b; …`: the second begins at the letter after the last one of the first, and so on.
    Then(u32),
    /// `a : b`: the second begins at the last letter of the first.
    Fusion,
    /// `a | b | …`: one of so many.
    Either(u32),
    /// `a && b && …`: all of so many, for the same letters.
    Both(u32),
    /// `a & b`: both, from the same letter on; the longer one says where it ends.
    Along,
    /// `a[*n:m]`: so many times, one after the other.
    Repeat(Interval),
    /// `a[->n:m]`: up to a letter at which a formula holds for the n-th time; `a` is a letter.
    Goto(Interval),
    /// `a[=n:m]`: letters of which so many satisfy a formula; `a` is a letter.
    Times(Interval),
}

impl Part {
    /// The number of operands.
    pub fn arity(self) -> usize {
        match self {
            Part::Letter(_) => 0,
            Part::Repeat(_) | Part::Goto(_) | Part::Times(_) => 1,
            Part::Fusion | Part::Along => 2,
            Part::Then(n) | Part::Either(n) | Part::Both(n) => n as usize,
        }
    }
}

/// A pattern of letters. Its formulas are the operands of the [`crate::Node`] that has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern(Arc<[Part]>);

impl Pattern {
    /// The pattern with these parts, of which the last one is the outermost.
    pub(crate) fn new(parts: Vec<Part>) -> Pattern {
        Pattern(parts.into())
    }

    /// The parts, operands first.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// Whether more letters at which its formulas hold make more matches: no formula occurs negated.
    pub(crate) fn is_monotone(&self) -> bool {
        !self
            .0
            .iter()
            .any(|part| matches!(part, Part::Goto(_) | Part::Times(_)))
    }

    /// What `of` makes of the outermost part, from what it made of the operands of each.
    pub fn fold<T>(&self, mut of: impl FnMut(Part, Vec<T>) -> T) -> Option<T> {
        let mut stack: Vec<T> = Vec::new();
        for &part in self.0.iter() {
            let operands = stack.split_off(stack.len().saturating_sub(part.arity()));
            stack.push(of(part, operands));
        }
        stack.pop()
    }

    /// The pattern, and one more letter of this number.
    pub fn followed_by(&self, number: u32) -> Pattern {
        let more = [Part::Letter(number), Part::Then(2)];
        Pattern(self.0.iter().copied().chain(more).collect())
    }

    /// Whether the syntax shows that stretches that fit are not longer than some number.
    pub fn is_bounded(&self) -> bool {
        let bounded = |part: Part, below: Vec<bool>| match part {
            Part::Letter(_) => true,
            Part::Goto(_) | Part::Times(_) => false,
            Part::Repeat(interval) => interval.to.is_some() && below.iter().all(|b| *b),
            Part::Both(_) => below.iter().any(|b| *b),
            _ => below.iter().all(|b| *b),
        };
        self.fold(bounded).unwrap_or(true)
    }

    /// A bound of the letters that the pattern tells apart by their place: each part as often as it is repeated.
    pub fn places(&self) -> u64 {
        let times = |interval: Interval| u64::from(interval.to.unwrap_or(interval.from).max(1));
        let count = |part: Part, below: Vec<u64>| match part {
            Part::Letter(_) => 1,
            Part::Repeat(i) | Part::Goto(i) | Part::Times(i) => {
                below.iter().sum::<u64>().saturating_mul(times(i))
            }
            Part::Both(_) => below.iter().fold(1, |all, n| u64::saturating_mul(all, *n)),
            Part::Along => below.iter().fold(2, |all, n| u64::saturating_mul(all, *n)),
            Part::Then(_) | Part::Fusion | Part::Either(_) => {
                below.iter().fold(0, |all, n| u64::saturating_add(all, *n))
            }
        };
        self.fold(count).unwrap_or(0)
    }
}

/// What is asked of the stretches of letters that fit a pattern and begin here. A stretch has at least one letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Matching {
    /// `{r} |-> f`: at the last letter of each one, `f` holds.
    Every,
    /// `{r} |=> f`: at the letter after each one, `f` holds; the stretch may be empty.
    EveryNext,
    /// `{r} <>-> f`: at the last letter of some one, `f` holds.
    Some,
    /// `{r} <>=> f`: at the letter after some one, `f` holds; the stretch may be empty.
    SomeNext,
    /// `{r}!`: there is one.
    Strong,
    /// `{r}`: there is one, or one may come for ever: no number of letters excludes it, whatever satisfies the rest.
    Weak,
}

impl Matching {
    /// Whether there is a formula behind the pattern.
    pub fn has_formula(self) -> bool {
        !matches!(self, Matching::Strong | Matching::Weak)
    }

    /// Whether all stretches are asked.
    pub fn is_universal(self) -> bool {
        matches!(self, Matching::Every | Matching::EveryNext)
    }

    /// The sign between the pattern and the formula behind it, or at the end of the pattern.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Matching::Every => " |-> ",
            Matching::EveryNext => " |=> ",
            Matching::Some => " <>-> ",
            Matching::SomeNext => " <>=> ",
            Matching::Strong => "!",
            Matching::Weak => "",
        }
    }
}

/// A part of a pattern that is being read, with formulas in place of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    Letter(Id),
    Part(Part),
}

/// The pattern of pieces, and its formulas: each once.
pub(crate) fn numbered(pieces: &[Piece]) -> (Pattern, Vec<Id>) {
    let mut letters: Vec<Id> = Vec::new();
    let parts = pieces.iter().map(|piece| match piece {
        Piece::Part(part) => *part,
        Piece::Letter(id) => {
            let known = letters.iter().position(|letter| letter == id);
            let number = known.unwrap_or_else(|| {
                letters.push(*id);
                letters.len() - 1
            });
            Part::Letter(number as u32)
        }
    });
    let parts = parts.collect();
    (Pattern::new(parts), letters)
}

/// How often, as it is written: `2:4`, `2`, `2:`, or nothing for any number.
pub(crate) fn times(Interval { from, to }: Interval) -> String {
    match to {
        None if from == 0 => String::new(),
        None => format!("{from}:"),
        Some(to) if to == from => from.to_string(),
        Some(to) => format!("{from}:{to}"),
    }
}
