//! The stretches of a word that fit a pattern, by partial derivatives (Antimirov, *Partial derivatives of regular
//! expressions and finite automaton constructions*, 1996): what has to follow a letter so that the pattern fits.

use crate::{Interval, Part, Pattern};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What has to follow, by its number.
type Rest = u32;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Term {
    /// No more letter.
    Empty,
    /// A letter at which a formula has this value.
    Letter(u32, bool),
    /// Any letter.
    Any,
    Then(Rest, Rest),
    Fusion(Rest, Rest),
    Either(Vec<Rest>),
    Both(Rest, Rest),
    Repeat(Rest, u32, Option<u32>),
}

/// The letters that a derivative may read: those of a word, or one that satisfies whatever is asked.
pub(crate) type Reads<'a> = &'a dyn Fn(u32) -> Option<bool>;

/// The terms of one pattern.
pub(crate) struct Stretches {
    terms: Vec<Term>,
    numbers: HashMap<Term, Rest>,
    /// Whether some stretch fits, if its letters satisfy whatever is asked.
    possible: HashMap<Rest, bool>,
    whole: Rest,
}

impl Stretches {
    pub(crate) fn new(pattern: &Pattern) -> Stretches {
        let mut new = Stretches {
            terms: Vec::new(),
            numbers: HashMap::new(),
            possible: HashMap::new(),
            whole: 0,
        };
        new.whole = new.make(Term::Empty);
        let whole = pattern.fold(|part, operands| new.part(part, &operands));
        new.whole = whole.unwrap_or(new.whole);
        new
    }

    fn make(&mut self, term: Term) -> Rest {
        let fresh = self.terms.len() as Rest;
        let number = *self.numbers.entry(term.clone()).or_insert(fresh);
        if number == fresh {
            self.terms.push(term);
        }
        number
    }

    fn then(&mut self, a: Rest, b: Rest) -> Rest {
        match (&self.terms[a as usize], &self.terms[b as usize]) {
            (Term::Empty, _) => b,
            (_, Term::Empty) => a,
            _ => self.make(Term::Then(a, b)),
        }
    }

    fn repeat(&mut self, a: Rest, from: u32, to: Option<u32>) -> Rest {
        match to {
            Some(0) => self.make(Term::Empty),
            _ => self.make(Term::Repeat(a, from, to)),
        }
    }

    /// The term of a part.
    fn part(&mut self, part: Part, operands: &[Rest]) -> Rest {
        let pairs = |new: &mut Stretches, join: fn(&mut Stretches, Rest, Rest) -> Rest| {
            let all = operands.iter().rev().copied();
            all.reduce(|right, left| join(new, left, right))
        };
        let joined = match part {
            Part::Letter(number) => return self.make(Term::Letter(number, true)),
            Part::Either(_) => return self.make(Term::Either(operands.to_vec())),
            Part::Then(_) => pairs(self, Stretches::then),
            Part::Fusion => pairs(self, |new, a, b| new.make(Term::Fusion(a, b))),
            Part::Both(_) => pairs(self, |new, a, b| new.make(Term::Both(a, b))),
            Part::Along => pairs(self, Stretches::along),
            Part::Repeat(Interval { from, to }) => {
                let one = operands.first().copied();
                one.map(|one| self.repeat(one, from, to))
            }
            Part::Goto(Interval { from, to }) => self
                .until(operands)
                .map(|(_, one)| self.repeat(one, from, to)),
            Part::Times(Interval { from, to }) => self.until(operands).map(|(others, one)| {
                let times = self.repeat(one, from, to);
                self.then(times, others)
            }),
        };
        joined.unwrap_or(self.whole)
    }

    /// Letters without a formula, and such letters up to one with it.
    fn until(&mut self, operands: &[Rest]) -> Option<(Rest, Rest)> {
        let letter = *operands.first()?;
        let Term::Letter(number, value) = self.terms[letter as usize] else {
            return None;
        };
        let other = self.make(Term::Letter(number, !value));
        let others = self.repeat(other, 0, None);
        Some((others, self.then(others, letter)))
    }

    fn along(&mut self, a: Rest, b: Rest) -> Rest {
        let any = self.make(Term::Any);
        let any = self.repeat(any, 0, None);
        let (longer_a, longer_b) = (self.make(Term::Then(a, any)), self.make(Term::Then(b, any)));
        let both = [(a, longer_b), (longer_a, b)].map(|(a, b)| self.make(Term::Both(a, b)));
        self.make(Term::Either(both.to_vec()))
    }

    /// Whether the empty stretch fits.
    fn nullable(&self, rest: Rest) -> bool {
        match &self.terms[rest as usize] {
            Term::Empty => true,
            Term::Letter(..) | Term::Any | Term::Fusion(..) => false,
            Term::Then(a, b) | Term::Both(a, b) => self.nullable(*a) && self.nullable(*b),
            Term::Either(all) => all.iter().any(|a| self.nullable(*a)),
            Term::Repeat(a, from, _) => *from == 0 || self.nullable(*a),
        }
    }

    /// What has to follow after one letter.
    fn after(&mut self, rest: Rest, reads: Reads<'_>) -> BTreeSet<Rest> {
        let mut found = BTreeSet::new();
        match self.terms[rest as usize].clone() {
            Term::Empty => {}
            Term::Any => {
                found.insert(self.make(Term::Empty));
            }
            Term::Letter(number, value) => {
                if reads(number).is_none_or(|read| read == value) {
                    found.insert(self.make(Term::Empty));
                }
            }
            Term::Then(a, b) => {
                for left in self.after(a, reads) {
                    found.insert(self.then(left, b));
                }
                if self.nullable(a) {
                    found.extend(self.after(b, reads));
                }
            }
            Term::Fusion(a, b) => {
                for left in self.after(a, reads) {
                    found.insert(self.make(Term::Fusion(left, b)));
                    if self.nullable(left) {
                        found.extend(self.after(b, reads));
                    }
                }
            }
            Term::Either(all) => {
                for one in all {
                    found.extend(self.after(one, reads));
                }
            }
            Term::Both(a, b) => {
                let (left, right) = (self.after(a, reads), self.after(b, reads));
                for a in left {
                    for &b in &right {
                        found.insert(self.make(Term::Both(a, b)));
                    }
                }
            }
            Term::Repeat(a, from, to) => {
                let rest = self.repeat(a, from.saturating_sub(1), to.map(|to| to - 1));
                for left in self.after(a, reads) {
                    found.insert(self.then(left, rest));
                }
            }
        }
        found
    }

    /// Whether some stretch fits what has to follow, if its letters satisfy whatever is asked.
    fn is_possible(&mut self, rest: Rest) -> bool {
        if let Some(&known) = self.possible.get(&rest) {
            return known;
        }
        let mut seen = HashSet::from([rest]);
        let mut stack = vec![rest];
        let mut possible = false;
        while let Some(one) = stack.pop() {
            possible |= self.nullable(one) || self.possible.get(&one) == Some(&true);
            if possible {
                break;
            }
            stack.extend(
                self.after(one, &|_| None)
                    .into_iter()
                    .filter(|n| seen.insert(*n)),
            );
        }
        self.possible.insert(rest, possible);
        possible
    }
}

/// The stretches of an infinite word that begin at one position and fit a pattern.
pub(crate) struct Found {
    /// The positions of their last letters, each once.
    pub(crate) ends: Vec<usize>,
    /// Whether the empty stretch fits.
    pub(crate) empty: bool,
    /// Whether no number of letters excludes that one comes.
    pub(crate) open: bool,
}

/// A pattern on a word whose positions repeat.
pub(crate) struct Matcher<'a> {
    stretches: Stretches,
    /// For each formula of the pattern, its value at each position.
    letters: Vec<&'a [bool]>,
    successor: &'a dyn Fn(usize) -> usize,
    steps: HashMap<(Rest, usize), BTreeSet<Rest>>,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(
        pattern: &Pattern,
        letters: Vec<&'a [bool]>,
        successor: &'a dyn Fn(usize) -> usize,
    ) -> Matcher<'a> {
        Matcher {
            stretches: Stretches::new(pattern),
            letters,
            successor,
            steps: HashMap::new(),
        }
    }

    fn step(&mut self, rest: Rest, position: usize) -> &BTreeSet<Rest> {
        let Matcher {
            stretches,
            letters,
            steps,
            ..
        } = self;
        steps.entry((rest, position)).or_insert_with(|| {
            let reads = |number: u32| letters.get(number as usize).map(|values| values[position]);
            stretches.after(rest, &reads)
        })
    }

    /// The stretches that begin at a position.
    pub(crate) fn from(&mut self, start: usize) -> Found {
        let whole = self.stretches.whole;
        let mut found = Found {
            ends: Vec::new(),
            empty: self.stretches.nullable(whole),
            open: true,
        };
        let mut position = start;
        let mut rests = BTreeSet::from([whole]);
        let mut seen: HashSet<(BTreeSet<Rest>, usize)> = HashSet::new();
        while seen.insert((rests.clone(), position)) {
            let mut next = BTreeSet::new();
            for &rest in &rests {
                next.extend(self.step(rest, position).iter().copied());
            }
            let ends = next.iter().any(|&rest| self.stretches.nullable(rest));
            if ends && !found.ends.contains(&position) {
                found.ends.push(position);
            }
            found.open &= next.iter().any(|&rest| self.stretches.is_possible(rest));
            rests = next;
            position = (self.successor)(position);
        }
        found
    }
}
