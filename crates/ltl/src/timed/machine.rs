//! Timers as straight-line programs over a few numbers: the same text runs in tests and is written as C.
//!
//! A time ago is stored as one more than itself; 0 stands for none. Of what is owed in the interval just the oldest
//! matters, since it has the least time left and one goal serves all. What has not come into the interval is kept one by
//! one. Windows in which something is forbidden, or of goals of the past, that meet or overlap are one window from
//! the oldest to the newest.

use super::timer::{Edge, Measure, Rule, Timer};
use crate::{Id, Interval, Node};

/// The most times that a timer remembers one by one. Beyond, nothing is known: [`Place::Lost`].
const ROOM: usize = 6;

/// The greatest bound, so that sums of two times are numbers of 32 bits.
pub(super) const LONGEST: u32 = 1 << 30;

/// Something that is assigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A number that is remembered from letter to letter, 0 before the first one.
    Memory(usize),
    /// A number that is forgotten after the step.
    Local(usize),
    /// One of the timer's propositions.
    Output(usize),
    /// Whether more is to be remembered than there is room for.
    Lost,
}

/// An expression; truth values are 0 and 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// A constant.
    Number(u32),
    /// The value of a place.
    Value(Place),
    /// The time since the letter before, or a greater number than any bound if it is longer.
    Passed,
    /// Whether a propositional formula holds at this letter.
    Holds(Id),
    /// The sum.
    Sum(Box<[Expression; 2]>),
    /// Whether the first is at least the second.
    AtLeast(Box<[Expression; 2]>),
    /// Whether both hold.
    And(Box<[Expression; 2]>),
    /// Whether one holds.
    Or(Box<[Expression; 2]>),
    /// Whether it does not hold.
    Not(Box<Expression>),
    /// The second if the first holds, else the third.
    Choice(Box<[Expression; 3]>),
}

use Expression::{Holds, Number, Passed, Value};

/// A timer as a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// The greatest value of each remembered number.
    pub memory: Vec<u32>,
    /// The number of locals.
    pub locals: usize,
    /// The step of a letter: assignments, one after another.
    pub step: Vec<(Place, Expression)>,
}

fn sum(a: Expression, b: Expression) -> Expression {
    Expression::Sum(Box::new([a, b]))
}

fn at_least(a: Expression, n: u32) -> Expression {
    Expression::AtLeast(Box::new([a, Number(n)]))
}

fn some(a: Expression) -> Expression {
    at_least(a, 1)
}

fn and(a: Expression, b: Expression) -> Expression {
    Expression::And(Box::new([a, b]))
}

fn or(a: Expression, b: Expression) -> Expression {
    Expression::Or(Box::new([a, b]))
}

fn not(a: Expression) -> Expression {
    Expression::Not(Box::new(a))
}

fn choose(condition: Expression, then: Expression, els: Expression) -> Expression {
    Expression::Choice(Box::new([condition, then, els]))
}

impl Timer {
    /// Its program.
    pub fn machine(&self) -> Machine {
        let mut maker = Maker {
            machine: Machine::default(),
            letters: self.measure == Measure::Letters,
        };
        match &self.rule {
            Rule::Past(node) => maker.past(node),
            Rule::Since {
                hold,
                goal,
                interval,
            } => maker.since(*hold, *goal, *interval),
            Rule::Owed {
                start,
                hold,
                goal,
                from,
                to,
            } => maker.owed(*start, [*hold, *goal], *from, *to),
            Rule::Forbidden {
                start,
                hold,
                goal,
                interval,
            } => maker.forbidden(*start, [*hold, *goal], *interval),
            Rule::Passing => maker.passing(),
            Rule::Table {
                watched,
                edges,
                last,
            } => maker.table(watched, edges, *last),
        }
        maker.machine
    }
}

struct Maker {
    machine: Machine,
    letters: bool,
}

/// A window of times ago: what came first in it, and last.
#[derive(Clone)]
struct Window {
    oldest: Expression,
    newest: Expression,
}

impl Maker {
    fn memory(&mut self, most: u32) -> Place {
        self.machine.memory.push(most);
        Place::Memory(self.machine.memory.len() - 1)
    }

    fn set(&mut self, place: Place, value: Expression) {
        self.machine.step.push((place, value));
    }

    /// A local with this value.
    fn local(&mut self, value: Expression) -> Expression {
        let place = Place::Local(self.machine.locals);
        self.machine.locals += 1;
        self.set(place, value);
        Value(place)
    }

    fn passed(&self) -> Expression {
        match self.letters {
            true => Number(1),
            false => Passed,
        }
    }

    /// A time ago at this letter.
    fn aged(&mut self, place: Place) -> Expression {
        let before = Value(place);
        let now = sum(before.clone(), self.passed());
        self.local(choose(some(before), now, Number(0)))
    }

    fn passing(&mut self) {
        let bit = self.memory(1);
        let turned = choose(some(Value(bit)), Number(0), Number(1));
        let passed = some(self.passed());
        self.set(bit, choose(passed, turned, Value(bit)));
        self.set(Place::Output(0), Value(bit));
    }

    fn table(&mut self, watched: &[Id], edges: &[Edge], last: u32) {
        let state = self.memory(last);
        let before: Vec<Place> = watched.iter().map(|_| self.memory(1)).collect();
        let mut next = Value(state);
        for edge in edges.iter().rev() {
            let (number, begins) = edge.event;
            let (Some(id), Some(place)) = (watched.get(number), before.get(number)) else {
                continue;
            };
            let (now, was) = (Holds(*id), some(Value(*place)));
            let event = match begins {
                true => and(now, not(was)),
                false => and(not(now), was),
            };
            let here = and(
                at_least(Value(state), edge.from),
                not(at_least(Value(state), edge.from + 1)),
            );
            let taken = and(here, and(event, Holds(edge.condition)));
            next = choose(taken, Number(edge.to), next);
        }
        let next = self.local(next);
        for (place, id) in before.iter().zip(watched) {
            self.set(*place, choose(Holds(*id), Number(1), Number(0)));
        }
        self.set(state, next);
        self.set(Place::Output(0), at_least(Value(state), last));
    }

    fn past(&mut self, node: &Node) {
        let bit = self.memory(1);
        let before = some(Value(bit));
        let (value, next) = match node {
            Node::Previous(a) => (before, Holds(*a)),
            // What is remembered is the negation, so that nothing before the first letter means true.
            Node::WeakPrevious(a) => (not(before), not(Holds(*a))),
            Node::Historically(a) => {
                let failed = self.local(or(not(Holds(*a)), before));
                (not(failed.clone()), failed)
            }
            Node::BackTo(a, b) => {
                // The negation is `!a S !b`.
                let failed = or(not(Holds(*b)), and(not(Holds(*a)), before));
                let failed = self.local(failed);
                (not(failed.clone()), failed)
            }
            Node::Since(a, b) => {
                let value = self.local(or(Holds(*b), and(Holds(*a), before)));
                (value.clone(), value)
            }
            Node::Once(a) => {
                let value = self.local(or(Holds(*a), before));
                (value.clone(), value)
            }
            _ => (Number(0), Number(0)),
        };
        self.set(Place::Output(0), value);
        self.set(bit, next);
    }

    fn owed(&mut self, start: Id, [hold, goal]: [Id; 2], from: u32, to: u32) {
        let room = ROOM.min(from as usize + 1);
        let slots: Vec<Place> = (0..room).map(|_| self.memory(to + 1)).collect();
        let aged: Vec<Expression> = slots.iter().map(|slot| self.aged(*slot)).collect();
        let late = self.local(at_least(aged[0].clone(), to + 2));
        // After that, nothing matters.
        let kept: Vec<Expression> = aged
            .into_iter()
            .map(|age| self.local(choose(late.clone(), Number(0), age)))
            .collect();
        let with_new = self.with_new(start, kept);
        let left = self.left(with_new, goal, from);
        let broken = self.local(and(not(Holds(hold)), some(left[0].clone())));
        for (slot, age) in slots.iter().zip(left) {
            self.set(*slot, choose(broken.clone(), Number(0), age));
        }
        let mut missed = or(late, broken);
        if self.letters {
            // The next letter is too late.
            missed = or(missed, at_least(Value(slots[0]), to + 1));
        }
        self.set(Place::Output(0), missed);
        self.set(Place::Output(1), some(Value(slots[0])));
    }

    /// Ages, the oldest first, and a new one behind them.
    fn with_new(&mut self, start: Id, kept: Vec<Expression>) -> Vec<Expression> {
        if let [only] = kept.as_slice() {
            let new = and(Holds(start), not(some(only.clone())));
            return vec![self.local(choose(new, Number(1), only.clone()))];
        }
        // At the time of an earlier letter there may be one already.
        let same = kept
            .iter()
            .map(|age| and(some(age.clone()), not(at_least(age.clone(), 2))));
        let same = same.reduce(or).unwrap_or(Number(0));
        let new = self.local(and(Holds(start), not(same)));
        let full = kept.last().cloned().map(some).unwrap_or(Number(0));
        self.set(Place::Lost, and(new.clone(), full));
        let mut before = Number(1);
        let mut all = Vec::new();
        for age in kept {
            let here = and(new.clone(), and(not(some(age.clone())), before));
            all.push(self.local(choose(here, Number(1), age.clone())));
            before = some(age);
        }
        all
    }

    /// What of these ages is still owed.
    fn left(&mut self, ages: Vec<Expression>, goal: Id, from: u32) -> Vec<Expression> {
        if let [only] = ages.as_slice() {
            let served = and(Holds(goal), at_least(only.clone(), from + 1));
            return vec![self.local(choose(served, Number(0), only.clone()))];
        }
        let inside = ages.iter().map(|age| at_least(age.clone(), from + 1));
        let inside = inside.reduce(sum).unwrap_or(Number(0));
        let inside = self.local(inside);
        let goal = self.local(Holds(goal));
        // Without a goal the oldest of them stays.
        let younger = ages[1..].iter().map(|age| at_least(age.clone(), from + 1));
        let fewer = younger.reduce(sum).unwrap_or(Number(0));
        let gone = self.local(choose(goal.clone(), inside, fewer));
        let shifted = |at: usize| shifted(&ages, at, &gone);
        let mut left = vec![choose(goal, shifted(0), ages[0].clone())];
        left.extend((1..ages.len()).map(shifted));
        left.into_iter().map(|age| self.local(age)).collect()
    }

    fn since(&mut self, hold: Id, goal: Id, interval: Interval) {
        let places = self.windows(interval);
        let aged = self.aged_windows(&places, interval);
        let hold = self.local(Holds(hold));
        let kept = self.kept(aged, &hold);
        let now = self.with_moment(kept, goal, interval);
        let inside = self.inside(&now, interval);
        self.set(Place::Output(0), inside);
        self.remember(&places, now);
    }

    fn forbidden(&mut self, start: Id, [hold, goal]: [Id; 2], interval: Interval) {
        let places = self.windows(interval);
        let aged = self.aged_windows(&places, interval);
        let now = self.with_moment(aged, start, interval);
        let inside = self.inside(&now, interval);
        self.set(Place::Output(0), and(Holds(goal), inside));
        let hold = self.local(Holds(hold));
        let kept = self.kept(now, &hold);
        let active = kept.iter().map(|window| some(window.newest.clone()));
        let active = active.reduce(or).unwrap_or(Number(0));
        self.set(Place::Output(1), active);
        self.remember(&places, kept);
    }

    /// The windows, the oldest first; those without an end are one, of which the newest does not matter.
    fn windows(&mut self, Interval { from, to }: Interval) -> Vec<[Place; 2]> {
        let many = to.map_or(1, |to| to / (to - from + 2) + 1);
        (0..ROOM.min(many as usize))
            .map(|_| {
                [
                    self.memory(from + 1),
                    self.memory(to.map_or(1, |to| to + 1)),
                ]
            })
            .collect()
    }

    fn aged_windows(&mut self, places: &[[Place; 2]], interval: Interval) -> Vec<Window> {
        let Interval { from, to } = interval;
        let mut all = Vec::new();
        for [oldest, newest] in places {
            let oldest = self.aged(*oldest);
            // Beyond the beginning of the interval, all are alike.
            let early = not(at_least(oldest.clone(), from + 1));
            let oldest = self.local(choose(early, oldest, Number(from + 1)));
            let newest = match to {
                Some(_) => self.aged(*newest),
                None => Value(*newest),
            };
            // A window whose newest is not there is none.
            let oldest = choose(some(newest.clone()), oldest, Number(0));
            all.push(Window { oldest, newest });
        }
        let Some(to) = to else { return all };
        let over = all
            .iter()
            .map(|window| at_least(window.newest.clone(), to + 2));
        let over = over.reduce(sum).unwrap_or(Number(0));
        let over = self.local(over);
        let oldest: Vec<Expression> = all.iter().map(|w| w.oldest.clone()).collect();
        let newest: Vec<Expression> = all.iter().map(|w| w.newest.clone()).collect();
        (0..all.len())
            .map(|at| Window {
                oldest: self.local(shifted(&oldest, at, &over)),
                newest: self.local(shifted(&newest, at, &over)),
            })
            .collect()
    }

    /// The windows if a condition holds, else none.
    fn kept(&mut self, windows: Vec<Window>, hold: &Expression) -> Vec<Window> {
        let mut one = |age: Expression| self.local(choose(hold.clone(), age, Number(0)));
        windows
            .into_iter()
            .map(|Window { oldest, newest }| Window {
                oldest: one(oldest),
                newest: one(newest),
            })
            .collect()
    }

    /// The windows with one more moment, if `new` holds now.
    fn with_moment(
        &mut self,
        windows: Vec<Window>,
        new: Id,
        Interval { from, to }: Interval,
    ) -> Vec<Window> {
        let new = self.local(Holds(new));
        // The windows of two moments meet if no letter can be between them.
        let gap = to.map_or(u32::MAX, |to| to - from + 1);
        let meets = |window: &Window| match gap {
            u32::MAX => some(window.newest.clone()),
            _ => and(
                some(window.newest.clone()),
                not(at_least(window.newest.clone(), gap + 2)),
            ),
        };
        let mut all = Vec::new();
        for (at, window) in windows.iter().enumerate() {
            let is_last = windows
                .get(at + 1)
                .map_or(Number(1), |next| not(some(next.newest.clone())));
            let joins = self.local(and(new.clone(), and(is_last, meets(window))));
            let begins = and(new.clone(), not(some(window.newest.clone())));
            let begins = match at.checked_sub(1).and_then(|before| windows.get(before)) {
                None => begins,
                Some(before) => and(begins, and(some(before.newest.clone()), not(meets(before)))),
            };
            let begins = self.local(begins);
            let oldest = choose(begins.clone(), Number(1), window.oldest.clone());
            let newest = choose(or(begins, joins), Number(1), window.newest.clone());
            all.push(Window {
                oldest: self.local(oldest),
                newest: self.local(newest),
            });
        }
        if let (Some(last), false) = (windows.last(), gap == u32::MAX) {
            let full = and(some(last.newest.clone()), not(meets(last)));
            self.set(Place::Lost, and(new, full));
        }
        all
    }

    /// Whether this letter is in the window of some moment.
    fn inside(&mut self, windows: &[Window], Interval { from, to }: Interval) -> Expression {
        let one = |window: &Window| {
            let begun = at_least(window.oldest.clone(), from + 1);
            match to {
                None => begun,
                Some(to) => and(begun, not(at_least(window.newest.clone(), to + 2))),
            }
        };
        let inside = windows.iter().map(one).reduce(or).unwrap_or(Number(0));
        self.local(inside)
    }

    fn remember(&mut self, places: &[[Place; 2]], windows: Vec<Window>) {
        for ([oldest, newest], window) in places.iter().zip(windows) {
            self.set(*oldest, window.oldest);
            self.set(*newest, window.newest);
        }
    }
}

/// The element that is `by` elements behind `at`; 0 if there is none.
fn shifted(all: &[Expression], at: usize, by: &Expression) -> Expression {
    let behind = all[at..].iter().cloned().chain([Number(0)]);
    let mut behind: Vec<Expression> = behind.collect();
    let last = behind.pop().unwrap_or(Number(0));
    let numbered = behind.into_iter().enumerate().rev();
    numbered.fold(last, |rest, (distance, one)| {
        let further = at_least(by.clone(), distance as u32 + 1);
        choose(further, rest, one)
    })
}
