//! The formulas of temporal predicates.
//!
//! A predicate looks no further than the interval in which it stands, and intervals have no gaps. So it is enough to
//! ask of each letter on the way whether it is inside.

use super::Maker;
use crate::expression::Expression;
use crate::model::Scope;
use crate::temporal::Temporal;
use ltl::{Bounded, Id, Interval, Node};

/// The direction in which a predicate looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Past,
    Future,
}

impl Maker<'_> {
    pub(super) fn temporal(&mut self, temporal: Temporal, operands: &[Expression]) -> Id {
        let read: Vec<Id> = operands.iter().map(|e| self.expression(e)).collect();
        let first = read.first().copied();
        let first = first.unwrap_or_else(|| self.make(Node::True));
        let last = read.last().copied().unwrap_or(first);
        match temporal {
            Temporal::Persisted(n) => {
                let always = self.persisting(Bounded::Historically, n, first);
                let long = self.long_ago(n);
                self.and(long, always)
            }
            Temporal::Persists(n) => self.persisting(Bounded::Globally, n, first),
            Temporal::Occurred(n) => self.occurring(Side::Past, n, first),
            Temporal::Occurs(n) => self.occurring(Side::Future, n, first),
            Temporal::PreviousOccurrence => {
                let other = self.nearest(Side::Past, first, last);
                let other = self.make(Node::Previous(other));
                self.not(other)
            }
            Temporal::NextOccurrence => {
                let other = self.nearest(Side::Future, first, last);
                let other = self.not(other);
                self.make(Node::Next(other))
            }
            Temporal::Before => {
                let no_letter = self.make(Node::False);
                let beginning = self.make(Node::WeakPrevious(no_letter));
                let at_first = self.and(beginning, first);
                let before = self.make(Node::Previous(last));
                self.or(at_first, before)
            }
        }
    }

    /// The operand holds here and at so many letters on a side, all of the interval.
    fn persisting(&mut self, operator: Bounded, n: u32, p: Id) -> Id {
        let side = match operator.is_past() {
            true => Side::Past,
            false => Side::Future,
        };
        let inside = self.interval(side);
        let both = self.and(inside, p);
        self.for_letters(operator, n, both)
    }

    /// There are at least so many letters before this one.
    fn long_ago(&mut self, n: u32) -> Id {
        let yes = self.make(Node::True);
        if n == 0 {
            return yes;
        }
        let exactly = Interval {
            from: n,
            to: Some(n),
        };
        self.make(Node::Within(Bounded::Once, exactly, vec![yes]))
    }

    /// The operand holds here or at one of so many letters on a side, with no letter outside the interval before.
    fn occurring(&mut self, side: Side, n: u32, p: Id) -> Id {
        let inside = self.interval(side);
        let there = self.and(inside, p);
        let (unary, binary) = match side {
            Side::Past => (Bounded::Once, Bounded::Since),
            Side::Future => (Bounded::Finally, Bounded::Until),
        };
        if n == 0 || self.is(inside, &Node::True) {
            return self.for_letters(unary, n, there);
        }
        self.up_to(binary, n, vec![inside, there])
    }

    /// At the nearest letter of the interval with `p`, this one or one on a side, `q` does not hold.
    fn nearest(&mut self, side: Side, p: Id, q: Id) -> Id {
        let inside = self.interval(side);
        let none = self.not(p);
        let way = self.and(inside, none);
        let contrary = self.not(q);
        let there = self.and(p, contrary);
        let there = self.and(inside, there);
        self.make(match side {
            Side::Past => Node::Since(way, there),
            Side::Future => Node::Until(way, there),
        })
    }

    /// A letter is inside the interval, if those between it and a letter of the interval are.
    fn interval(&mut self, side: Side) -> Id {
        let yes = self.make(Node::True);
        let Some(scope) = self.scope else {
            return yes;
        };
        let Some(mode) = scope.mode() else {
            return yes;
        };
        let mode = self.mode(mode);
        match (scope, side) {
            (Scope::In(_), _) => mode,
            (Scope::NotIn(_) | Scope::OnlyIn(_), _) => self.not(mode),
            (Scope::Before(_), Side::Future) => self.not(mode),
            (Scope::OnlyBefore(_), Side::Past) => self.make(Node::Once(mode)),
            (Scope::After(_), Side::Past) => self.left(mode),
            (Scope::OnlyAfter(_), Side::Future) => {
                let left = self.left(mode);
                self.not(left)
            }
            _ => yes,
        }
    }

    /// A letter is in an interval of the scope: for each scope, it and those before it tell.
    pub(super) fn inside_scope(&mut self, scope: &Scope) -> Id {
        let Some(mode) = scope.mode() else {
            return self.make(Node::True);
        };
        let mode = self.mode(mode);
        match scope {
            Scope::Whole | Scope::In(_) => mode,
            Scope::NotIn(_) | Scope::OnlyIn(_) => self.not(mode),
            Scope::Before(_) => {
                let outside = self.not(mode);
                self.make(Node::Historically(outside))
            }
            Scope::After(_) => self.left(mode),
            Scope::OnlyBefore(_) => self.make(Node::Once(mode)),
            Scope::OnlyAfter(_) => {
                let left = self.left(mode);
                self.not(left)
            }
        }
    }

    /// The first interval of letters with the mode has ended.
    fn left(&mut self, mode: Id) -> Id {
        let outside = self.not(mode);
        let once = self.make(Node::Once(mode));
        let both = self.and(outside, once);
        self.make(Node::Once(both))
    }
}
