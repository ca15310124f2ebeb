//! The stretches of a word that fit a pattern, by partial derivatives (Antimirov, *Partial derivatives of regular
//! expressions and finite automaton constructions*, 1996): what has to follow a letter so that the pattern fits.

use crate::{Interval, Part, Pattern};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

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

/// What may have to follow after a letter of a word.
struct Next {
    rest: Rest,
    /// Whether a stretch ends with the letter.
    ends: bool,
    /// Whether one may end later, if its letters satisfy whatever is asked.
    possible: bool,
}

/// A pattern on an infinite word whose positions repeat. Stretches that begin at different letters have the same end if the
/// same has to follow at the same position, so that all of them are looked for at once.
pub(crate) struct Matcher<'a> {
    whole: Rest,
    /// Whether the empty stretch fits.
    pub(crate) empty: bool,
    /// For each position and all that may have to follow there, what has to follow behind its letter.
    steps: Vec<BTreeMap<Rest, Vec<Next>>>,
    successor: &'a dyn Fn(usize) -> usize,
}

impl<'a> Matcher<'a> {
    /// A pattern on a word with so many positions; `letters` has for each formula of the pattern its value at each of them.
    pub(crate) fn new(
        pattern: &Pattern,
        letters: &[&[bool]],
        positions: usize,
        successor: &'a dyn Fn(usize) -> usize,
    ) -> Matcher<'a> {
        let mut stretches = Stretches::new(pattern);
        let whole = stretches.whole;
        let mut steps: Vec<BTreeMap<Rest, Vec<Next>>> =
            (0..positions).map(|_| BTreeMap::new()).collect();
        let mut left: Vec<(Rest, usize)> = (0..positions).map(|at| (whole, at)).collect();
        while let Some((rest, position)) = left.pop() {
            if steps[position].contains_key(&rest) {
                continue;
            }
            let reads = |number: u32| letters.get(number as usize).map(|values| values[position]);
            let after = stretches.after(rest, &reads);
            let next = after.into_iter().map(|rest| Next {
                rest,
                ends: stretches.nullable(rest),
                possible: stretches.is_possible(rest),
            });
            let next: Vec<Next> = next.collect();
            let later = successor(position);
            left.extend(next.iter().map(|next| (next.rest, later)));
            steps[position].insert(rest, next);
        }
        Matcher {
            whole,
            empty: stretches.nullable(whole),
            steps,
            successor,
        }
    }

    /// For each position, whether a stretch that begins there ends with one of these letters.
    pub(crate) fn ends_at(&self, last: &dyn Fn(usize) -> bool) -> Vec<bool> {
        self.solved(false, &|next, position, later| {
            next.ends && last(position) || later
        })
    }

    /// For each position, whether no number of letters excludes that a stretch comes that begins there. What leads to something
    /// possible is possible itself: then there are as many letters as one likes between which it is, and thus infinitely many.
    pub(crate) fn open(&self) -> Vec<bool> {
        self.solved(true, &|next, _, later| next.possible && later)
    }

    /// The least (from false) or greatest (from true) solution in which a position has the value that some step from it has.
    fn solved(&self, start: bool, value: &dyn Fn(&Next, usize, bool) -> bool) -> Vec<bool> {
        let all = self.steps.iter();
        let all = all.map(|rests| rests.keys().map(|rest| (*rest, start)).collect());
        let mut values: Vec<BTreeMap<Rest, bool>> = all.collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (position, rests) in self.steps.iter().enumerate().rev() {
                let later = (self.successor)(position);
                for (rest, next) in rests {
                    let of = |next: &Next| values[later].get(&next.rest) == Some(&true);
                    let found = next.iter().any(|next| value(next, position, of(next)));
                    changed |= values[position].insert(*rest, found) != Some(found);
                }
            }
        }
        let whole = values.iter().map(|of| of.get(&self.whole) == Some(&true));
        whole.collect()
    }
}
