//! The meaning of a requirement over infinite words, as a formula.
//!
//! A requirement says: in each interval of its scope, from each trigger on, the response comes as the timing says.
//! Intervals end at a letter or never; how a timing ends with its interval is the table of Giannakopoulou et al. 2021.
//! The formulas here are our own: most look at the first letter behind an interval, so that a requirement
//! that counts no letters needs `X` only for triggers.

mod temporal;

use crate::expression::{Expression, Leaf};
use crate::model::{Condition, Requirement, Scope, Timing};
use ltl::timed::Measure;
use ltl::{Arena, Atom, Bounded, Id, Interval, Node};

impl Requirement {
    /// The formula of the requirement. `atom` tells what a name or a C condition is in the formula.
    pub fn formula(&self, arena: &mut Arena, atom: &mut dyn FnMut(&Leaf) -> Atom) -> Id {
        self.formula_by(Measure::Letters, arena, atom)
    }

    /// The formula in which durations are times, if they can be measured: those of timings, and none in expressions.
    /// Times are measured from letters that a condition about present and past tells, so the past says here whether a
    /// letter is in an interval.
    pub fn timed_formula(
        &self,
        arena: &mut Arena,
        atom: &mut dyn FnMut(&Leaf) -> Atom,
    ) -> Option<Id> {
        let measured = !self.counts_in_expressions();
        measured.then(|| self.formula_by(Measure::Ticks, arena, atom))
    }

    /// Whether the past says which letters are in an interval, where durations are counted: then what is asked has one
    /// place in the formula, from whose letters one counter counts, and not one for each interval.
    fn past_tells(&self, measure: Measure, asked: &Asked) -> bool {
        match self.scope {
            Scope::Whole => false,
            _ if measure == Measure::Ticks => true,
            Scope::In(_) | Scope::NotIn(_) | Scope::OnlyIn(_) => false,
            Scope::OnlyAfter(_) => true,
            Scope::Before(_) => !matches!(asked.when, When::Start),
            // Two operators, or one letter after many, are too much to guess where they may begin.
            Scope::After(_) | Scope::OnlyBefore(_) => {
                let just_after = matches!(asked.what, What::After(_) | What::NotAfter(_));
                !matches!(asked.when, When::Start) || just_after
            }
        }
    }

    fn formula_by(
        &self,
        measure: Measure,
        arena: &mut Arena,
        atom: &mut dyn FnMut(&Leaf) -> Atom,
    ) -> Id {
        let mut maker = Maker {
            arena,
            atom,
            scope: Some(&self.scope),
            measure,
        };
        let response = maker.expression(&self.response);
        let (timing, response) = maker.timing(&self.timing, response, self.scope.negates());
        let condition = match &self.condition {
            Condition::None => When::Start,
            Condition::Trigger(e) => When::Rises(maker.expression(e)),
            Condition::Holding(e) => When::Holds(maker.expression(e)),
        };
        let asked = Asked {
            when: condition,
            what: timing,
            response,
        };
        if asked.what.has_duration() && self.past_tells(measure, &asked) {
            let inside = maker.inside_scope(&self.scope);
            return maker.inside(inside, &asked);
        }
        match &self.scope {
            Scope::Whole => maker.starting_here(&asked),
            Scope::In(mode) => {
                let mode = maker.mode(mode);
                maker.inside(mode, &asked)
            }
            Scope::NotIn(mode) | Scope::OnlyIn(mode) => {
                let mode = maker.mode(mode);
                let outside = maker.not(mode);
                maker.inside(outside, &asked)
            }
            Scope::Before(mode) => {
                let mode = maker.mode(mode);
                maker.before(mode, &asked)
            }
            Scope::OnlyAfter(mode) => {
                let mode = maker.mode(mode);
                maker.until_exit(mode, &asked)
            }
            Scope::After(mode) => {
                let mode = maker.mode(mode);
                let rest = maker.starting_here(&asked);
                let outside = maker.not(mode);
                let behind = maker.and(outside, rest);
                let exit = maker.make(Node::WeakUntil(mode, behind));
                maker.at_first(mode, exit)
            }
            Scope::OnlyBefore(mode) => {
                let mode = maker.mode(mode);
                let rest = maker.starting_here(&asked);
                maker.at_first(mode, rest)
            }
        }
    }
}

/// The triggers of an interval.
#[derive(Clone, Copy)]
enum When {
    Start,
    Rises(Id),
    Holds(Id),
}

/// A timing whose expressions are formulas.
#[derive(Clone, Copy)]
enum What {
    Immediately,
    Next,
    Within(u32),
    For(u32),
    After(u32),
    /// Of `not (after n)`: within n, or not for n + 1.
    NotAfter(u32),
    Until(Id),
    Before(Id),
    Always,
    Eventually,
    Finally,
}

impl What {
    fn has_duration(self) -> bool {
        matches!(
            self,
            What::Within(_) | What::For(_) | What::After(_) | What::NotAfter(_)
        )
    }
}

/// What is asked at each trigger.
#[derive(Clone, Copy)]
struct Asked {
    when: When,
    what: What,
    response: Id,
}

impl Asked {
    /// Whether what a trigger asks for contains all that later triggers of its interval ask for.
    fn stays(&self) -> bool {
        matches!(self.what, What::Always)
    }
}

/// The end of an interval, seen from a letter of it.
#[derive(Clone, Copy)]
enum End {
    Never,
    /// The formula is true at the first letter behind the interval, and at no letter of it.
    Behind(Id),
    /// The formula is true at the last letter of the interval, and at no letter of it before.
    Last(Id),
}

struct Maker<'a> {
    arena: &'a mut Arena,
    atom: &'a mut dyn FnMut(&Leaf) -> Atom,
    /// The scope in whose intervals expressions stand; without it, they speak of the whole run, as a mode does.
    scope: Option<&'a Scope>,
    /// What durations count.
    measure: Measure,
}

/// Operators.
impl Maker<'_> {
    fn make(&mut self, node: Node) -> Id {
        self.arena.make(node)
    }

    fn not(&mut self, a: Id) -> Id {
        self.arena.negate(a)
    }

    fn is(&self, a: Id, node: &Node) -> bool {
        self.arena.node(a) == node
    }

    /// A conjunction; `true` is left out.
    fn and(&mut self, a: Id, b: Id) -> Id {
        match () {
            () if self.is(a, &Node::True) || a == b => b,
            () if self.is(b, &Node::True) => a,
            () => self.make(Node::And(vec![a, b])),
        }
    }

    fn or(&mut self, a: Id, b: Id) -> Id {
        self.make(Node::Or(vec![a, b]))
    }

    /// An implication; of a premise that is `true` only the conclusion.
    fn implies(&mut self, a: Id, b: Id) -> Id {
        match self.is(a, &Node::True) {
            true => b,
            false => self.make(Node::Implies(a, b)),
        }
    }

    fn globally(&mut self, a: Id) -> Id {
        self.make(Node::Globally(a))
    }

    /// An operator for so many letters, or as long in time.
    fn up_to(&mut self, operator: Bounded, most: u32, operands: Vec<Id>) -> Id {
        let interval = Interval {
            from: 0,
            to: Some(most),
        };
        self.bounded(operator, interval, operands)
    }

    fn bounded(&mut self, operator: Bounded, interval: Interval, operands: Vec<Id>) -> Id {
        self.make(match self.measure {
            Measure::Letters => Node::Within(operator, interval, operands),
            Measure::Ticks => Node::Timed(operator, interval, operands),
        })
    }

    /// `F` or `G` for so many letters, or as long in time. In no time there may be several letters.
    fn for_letters(&mut self, operator: Bounded, letters: u32, a: Id) -> Id {
        match (letters, self.measure) {
            (0, Measure::Letters) => a,
            _ => self.up_to(operator, letters, vec![a]),
        }
    }

    fn expression(&mut self, expression: &Expression) -> Id {
        let node = match expression {
            Expression::Constant(true) => Node::True,
            Expression::Constant(false) => Node::False,
            Expression::Leaf(leaf, _) => {
                let atom = (self.atom)(leaf);
                Node::Atom(self.arena.atom(atom))
            }
            Expression::Not(inner) => {
                let inner = self.expression(inner);
                return self.not(inner);
            }
            Expression::And(left, right) => Node::And(self.operands(left, right).into()),
            Expression::Or(left, right) => Node::Or(self.operands(left, right).into()),
            Expression::Xor(left, right) => {
                let [left, right] = self.operands(left, right);
                let equal = self.make(Node::Iff(left, right));
                Node::Not(equal)
            }
            Expression::Implies(left, right) => {
                let [left, right] = self.operands(left, right);
                Node::Implies(left, right)
            }
            Expression::Iff(left, right) => {
                let [left, right] = self.operands(left, right);
                Node::Iff(left, right)
            }
            Expression::Temporal(temporal, operands) => return self.temporal(*temporal, operands),
        };
        self.make(node)
    }

    /// The mode of the scope, which says where the intervals are.
    fn mode(&mut self, mode: &Expression) -> Id {
        let scope = self.scope.take();
        let mode = self.expression(mode);
        self.scope = scope;
        mode
    }

    fn operands(&mut self, left: &Expression, right: &Expression) -> [Id; 2] {
        [self.expression(left), self.expression(right)]
    }
}

/// Timings.
impl Maker<'_> {
    /// The timing and the response; with `negated`, those that say the contrary of the sentence, as FRET does.
    fn timing(&mut self, timing: &Timing, response: Id, negated: bool) -> (What, Id) {
        let contrary = self.not(response);
        let own = if negated { contrary } else { response };
        let other = if negated { response } else { contrary };
        match timing {
            Timing::Immediately => (What::Immediately, own),
            Timing::Next => (What::Next, own),
            Timing::Finally => (What::Finally, own),
            Timing::Always if negated => (What::Eventually, own),
            Timing::Always => (What::Always, own),
            Timing::Never if negated => (What::Eventually, other),
            Timing::Never => (What::Always, other),
            Timing::Eventually if negated => (What::Always, own),
            Timing::Eventually => (What::Eventually, own),
            Timing::Within(n) if negated => (What::For(*n), own),
            Timing::Within(n) => (What::Within(*n), own),
            Timing::For(n) if negated => (What::Within(*n), own),
            Timing::For(n) => (What::For(*n), own),
            Timing::After(n) if negated => (What::NotAfter(*n), response),
            Timing::After(n) => (What::After(*n), response),
            Timing::Until(stop) => {
                let stop = self.expression(stop);
                let what = if negated { What::Before } else { What::Until };
                (what(stop), own)
            }
            Timing::Before(stop) => {
                let stop = self.expression(stop);
                let what = if negated { What::Until } else { What::Before };
                (what(stop), own)
            }
        }
    }

    /// What is asked at a trigger.
    fn asked(&mut self, asked: &Asked, end: End) -> Id {
        let r = asked.response;
        match asked.what {
            What::Immediately => r,
            What::Next => self.next(r, end),
            What::Within(n) => self.within(n, r, end),
            What::For(n) => self.throughout(n, r, end),
            What::After(n) => {
                let contrary = self.not(r);
                let none = self.throughout(n, contrary, end);
                let then = self.within(n + 1, r, end);
                self.and(none, then)
            }
            What::NotAfter(n) => self.not_just_after(n, r, end),
            What::Until(stop) => self.until(stop, r, end),
            What::Before(stop) => self.sooner(stop, r, end),
            What::Always => self.always(r, end),
            What::Eventually => self.eventually(r, end),
            What::Finally => self.last(r, end),
        }
    }

    fn next(&mut self, r: Id, end: End) -> Id {
        match end {
            End::Never => self.make(Node::Next(r)),
            End::Behind(behind) => {
                let either = self.or(behind, r);
                self.make(Node::Next(either))
            }
            End::Last(last) => {
                let next = self.make(Node::Next(r));
                self.or(last, next)
            }
        }
    }

    /// The first letter behind the interval, seen from a letter of it; `None` if there is none.
    fn behind(&mut self, end: End) -> Option<Id> {
        match end {
            End::Never => None,
            End::Behind(behind) => Some(behind),
            End::Last(last) => Some(self.make(Node::Previous(last))),
        }
    }

    fn within(&mut self, n: u32, r: Id, end: End) -> Id {
        if n == 0 && self.measure == Measure::Letters {
            return r;
        }
        let comes = match self.behind(end) {
            None => r,
            Some(behind) => self.or(r, behind),
        };
        self.for_letters(Bounded::Finally, n, comes)
    }

    fn throughout(&mut self, n: u32, r: Id, end: End) -> Id {
        if n == 0 && self.measure == Measure::Letters {
            return r;
        }
        let Some(behind) = self.behind(end) else {
            return self.for_letters(Bounded::Globally, n, r);
        };
        // One operator, for which one counter counts.
        let inside = self.not(behind);
        let contrary = self.not(r);
        let fails = self.and(inside, contrary);
        let fails = self.up_to(Bounded::Until, n, vec![inside, fails]);
        self.not(fails)
    }

    /// That the response does not come first when so much time and one tick more, or so many letters and one more, have
    /// passed: one operator, where two of them would leave open which one holds.
    fn not_just_after(&mut self, n: u32, r: Id, end: End) -> Id {
        let inside = match self.behind(end) {
            Some(behind) => self.not(behind),
            None => self.make(Node::True),
        };
        let contrary = self.not(r);
        let (none, comes) = (self.and(inside, contrary), self.and(inside, r));
        let then = Interval {
            from: n + 1,
            to: Some(n + 1),
        };
        let just = self.bounded(Bounded::Until, then, vec![none, comes]);
        self.not(just)
    }

    fn until(&mut self, stop: Id, r: Id, end: End) -> Id {
        match end {
            End::Never => self.make(Node::WeakUntil(r, stop)),
            End::Behind(behind) => {
                let either = self.or(stop, behind);
                self.make(Node::WeakUntil(r, either))
            }
            End::Last(_) => {
                let stops = self.make(Node::WeakUntil(r, stop));
                let whole = self.always(r, end);
                self.or(stops, whole)
            }
        }
    }

    /// The response comes before the stop.
    fn sooner(&mut self, stop: Id, r: Id, end: End) -> Id {
        let open = self.not(stop);
        let goal = match end {
            End::Last(last) => {
                let either = self.or(r, last);
                return self.make(Node::Release(either, open));
            }
            End::Never => self.and(open, r),
            End::Behind(behind) => {
                let comes = self.and(open, r);
                self.or(behind, comes)
            }
        };
        self.make(Node::WeakUntil(open, goal))
    }

    fn always(&mut self, r: Id, end: End) -> Id {
        match end {
            End::Never => self.globally(r),
            End::Behind(behind) => self.make(Node::WeakUntil(r, behind)),
            End::Last(last) => self.make(Node::Release(last, r)),
        }
    }

    fn eventually(&mut self, r: Id, end: End) -> Id {
        match end {
            End::Never => self.make(Node::Finally(r)),
            End::Behind(behind) => {
                let inside = self.not(behind);
                let comes = self.and(inside, r);
                self.make(Node::Until(inside, comes))
            }
            End::Last(last) => {
                let before = self.not(last);
                self.make(Node::Until(before, r))
            }
        }
    }

    fn last(&mut self, r: Id, end: End) -> Id {
        let last = match end {
            End::Never => return self.make(Node::True),
            End::Behind(behind) => self.make(Node::Next(behind)),
            End::Last(last) => last,
        };
        let before = self.not(last);
        let holds = self.and(last, r);
        self.make(Node::WeakUntil(before, holds))
    }
}

/// Scopes.
impl Maker<'_> {
    /// The interval begins here and never ends.
    fn starting_here(&mut self, asked: &Asked) -> Id {
        let what = self.asked(asked, End::Never);
        match asked.when {
            When::Start => what,
            When::Rises(condition) if !asked.stays() => self.rises(condition, what),
            When::Rises(condition) | When::Holds(condition) => {
                let each = self.implies(condition, what);
                self.globally(each)
            }
        }
    }

    /// At each letter with the condition, if there is none at the letter before: what is asked.
    fn rises(&mut self, condition: Id, what: Id) -> Id {
        let here = self.implies(condition, what);
        let next = self.make(Node::Next(here));
        let without = self.not(condition);
        let later = self.implies(without, next);
        let later = self.globally(later);
        self.and(here, later)
    }

    /// In each interval of letters with the mode. A condition becomes true in it, or is true at its beginning, exactly
    /// where mode and condition become true together.
    fn inside(&mut self, mode: Id, asked: &Asked) -> Id {
        let outside = self.not(mode);
        if asked.stays() && matches!(asked.when, When::Start) {
            let each = self.implies(mode, asked.response);
            return self.globally(each);
        }
        let what = self.asked(asked, End::Behind(outside));
        let trigger = match asked.when {
            When::Start => mode,
            When::Rises(condition) | When::Holds(condition) => self.and(mode, condition),
        };
        if asked.stays() || matches!(asked.when, When::Holds(_)) {
            let each = self.implies(trigger, what);
            return self.globally(each);
        }
        self.rises(trigger, what)
    }

    /// From the start up to the first letter with the mode, without it.
    fn before(&mut self, mode: Id, asked: &Asked) -> Id {
        let what = self.asked(asked, End::Behind(mode));
        match asked.when {
            When::Start => self.or(mode, what),
            When::Rises(condition) if !asked.stays() => {
                let here = self.implies(condition, what);
                let without = self.not(condition);
                let next = self.or(mode, here);
                let next = self.make(Node::Next(next));
                let later = self.implies(without, next);
                let later = self.make(Node::WeakUntil(later, mode));
                let both = self.and(here, later);
                self.or(mode, both)
            }
            When::Rises(condition) | When::Holds(condition) => {
                let each = self.implies(condition, what);
                self.make(Node::WeakUntil(each, mode))
            }
        }
    }

    /// From the start to the end of the first interval of letters with the mode.
    fn until_exit(&mut self, mode: Id, asked: &Asked) -> Id {
        let outside = self.not(mode);
        let leaves = self.make(Node::Next(outside));
        let last = self.and(mode, leaves);
        let what = self.asked(asked, End::Last(last));
        match asked.when {
            When::Start => what,
            When::Rises(condition) if !asked.stays() => {
                let here = self.implies(condition, what);
                let without = self.not(condition);
                let next = self.make(Node::Next(here));
                let later = self.implies(without, next);
                let later = self.make(Node::WeakUntil(later, last));
                self.and(here, later)
            }
            When::Rises(condition) | When::Holds(condition) => {
                let each = self.implies(condition, what);
                self.make(Node::Release(last, each))
            }
        }
    }

    /// At the first letter with the mode, if there is one: what follows.
    fn at_first(&mut self, mode: Id, what: Id) -> Id {
        let without = self.not(mode);
        let there = self.and(mode, what);
        self.make(Node::WeakUntil(without, there))
    }
}
