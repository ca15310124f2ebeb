//! Places the positions at which a thread may stop: before each operation that other threads
//! can observe, unless it forms one step with those before it (Lipton 1975), and wherever the
//! thread may block.

use std::collections::{HashMap, HashSet};

use cfront::Span;

use crate::code::{Action, Label, Mover, Op, ThreadCode};

/// An item of a thread.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    /// A position. Its number is the number of positions before it.
    Position(Stop),
    /// An operation.
    Op(&'a Op),
}

/// A place where a thread may stop.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The place of the next operation.
    pub span: Span,
    /// The condition that the thread waits for, and its description in words.
    pub waits: Option<(String, String)>,
    /// The condition under which the thread must continue eventually, if it may continue without
    /// it.
    pub must: Option<String>,
    /// Whether the thread goes round a loop while it waits.
    pub spins: bool,
    /// Whether a wait of another thread may have ended since the previous position of this one.
    pub woke: bool,
    /// A pointer to the object that it waits for, as C text.
    pub object: Option<String>,
}

/// A thread with its positions.
#[derive(Debug)]
pub(crate) struct Placed<'a> {
    /// Positions and operations in order; the first is a position.
    pub items: Vec<Item<'a>>,
    /// The number of positions, which is also the number of the end.
    pub end: u32,
    /// For each label, the number of the first position after it.
    pub behind: HashMap<Label, u32>,
    /// The heads of loops that a step goes round as a whole.
    pub whole: HashSet<Label>,
    /// The places where the thread would block in the middle of an atomic section.
    pub halfway: Vec<Span>,
}

impl Placed<'_> {
    /// The positions, in the order of their numbers.
    pub fn stops(&self) -> impl Iterator<Item = &Stop> {
        self.items.iter().filter_map(|item| match item {
            Item::Position(stop) => Some(stop),
            Item::Op(_) => None,
        })
    }
}

/// The wait of a thread at a place; by default none.
#[derive(Clone, Debug, Default)]
struct Wait {
    /// As in [`Stop`].
    waits: Option<(String, String)>,
    /// As in [`Stop`].
    must: Option<String>,
    /// As in [`Stop`].
    spins: bool,
    /// As in [`Stop`].
    object: Option<String>,
}

/// What may have happened on the paths to a place.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// Whether other threads may have observed something since the last position.
    seen: bool,
    /// Whether the atomic section around the place has done something that other threads can
    /// observe.
    begun: bool,
    /// Whether a wait of another thread may have ended since the last position.
    woke: bool,
}

impl Past {
    fn or(self, other: Past) -> Past {
        Past {
            seen: self.seen || other.seen,
            begun: self.begun || other.begun,
            woke: self.woke || other.woke,
        }
    }
}

/// The state of a walk.
struct Walk<'a> {
    items: Vec<Item<'a>>,
    count: u32,
    /// What may have happened before; `None` at an unreachable place.
    past: Option<Past>,
    pending: HashMap<Label, Past>,
    halfway: Vec<Span>,
    /// The index of the last position, if only statements followed that no other thread can
    /// observe.
    idle: Option<usize>,
    /// The prefix of the thread's variables.
    own: String,
    /// Whether a thread may stay for ever at any place, so that the exact place matters.
    everywhere: bool,
    /// Whether an operation may end a wait of another thread.
    wakes: &'a dyn Fn(&Op) -> bool,
    /// See [`Placed::whole`].
    whole: HashSet<Label>,
}

/// How positions are placed.
pub(crate) struct Where<'a> {
    /// Before each operation that other threads may observe, even if it forms one step with those before it.
    pub everywhere: bool,
    /// Whether a step may go round a loop that counts and of which other threads can observe nothing.
    pub loops: bool,
    /// Whether an operation may end a wait of another thread.
    pub wakes: &'a dyn Fn(&Op) -> bool,
}

/// The heads of loops that surely end, and of which other threads can observe nothing: each is a part of a step. Quadratic in the depth of loops.
fn whole(thread: &ThreadCode, wakes: &dyn Fn(&Op) -> bool) -> HashSet<Label> {
    // Functions may give values from outside, and would give them in one step.
    let calls = |text: &str| {
        let mut before = ' ';
        text.replace("sizeof", " ").chars().any(|c| {
            let calls = c == '(' && (before.is_alphanumeric() || before == '_');
            before = c;
            calls
        })
    };
    let is_quiet = |op: &Op| {
        let kind = match &op.action {
            Action::Text(text) => !calls(text),
            Action::Jump { condition, .. } => condition.as_deref().is_none_or(|c| !calls(c)),
            Action::Label(_) => true,
            Action::Head(head) | Action::Back(head) => thread.counted.contains(head),
            _ => false,
        };
        kind && op.mover == Mover::Both
            && !op.atomic
            && op.mutex.is_none()
            && op.tries.is_none()
            && op.undefines.is_none()
            && !wakes(op)
    };
    let loops = thread.ops.iter().enumerate();
    let heads = loops.filter_map(|(at, op)| match op.action {
        Action::Head(head) if thread.counted.contains(&head) => Some((at, head)),
        _ => None,
    });
    let is_whole = |&(at, head): &(usize, Label)| {
        let is_back = |op: &Op| matches!(op.action, Action::Back(to) if to == head);
        let last = thread.ops.iter().rposition(is_back);
        last.is_some_and(|last| thread.ops[at..=last].iter().all(is_quiet))
    };
    heads.filter(is_whole).map(|(_, head)| head).collect()
}

/// Places the positions of a thread.
pub(crate) fn place<'a>(number: usize, thread: &'a ThreadCode, how: &Where<'a>) -> Placed<'a> {
    let mut walk = Walk {
        items: Vec::new(),
        count: 0,
        past: Some(Past::default()),
        pending: HashMap::new(),
        halfway: Vec::new(),
        idle: None,
        own: format!("ba_seq_{number}_"),
        everywhere: how.everywhere,
        wakes: how.wakes,
        whole: match how.loops {
            true => whole(thread, how.wakes),
            false => HashSet::new(),
        },
    };
    let start = thread.ops.first().map_or(Span::empty(0), |op| op.span);
    walk.stop(start, Wait::default());
    for op in &thread.ops {
        walk.op(op);
    }
    let end = walk.count;
    let mut behind = HashMap::new();
    let mut next = end;
    for item in walk.items.iter().rev() {
        match item {
            Item::Position(_) => next -= 1,
            Item::Op(op) => {
                if let Action::Label(label) | Action::Head(label) = op.action {
                    behind.insert(label, next);
                }
            }
        }
    }
    Placed {
        items: walk.items,
        end,
        behind,
        whole: walk.whole,
        halfway: walk.halfway,
    }
}

impl<'a> Walk<'a> {
    fn stop(&mut self, span: Span, wait: Wait) {
        let Wait {
            waits,
            must,
            spins,
            object,
        } = wait;
        let mut woke = false;
        if let Some(past) = &mut self.past {
            past.seen = false;
            woke = std::mem::take(&mut past.woke);
        }
        let here = self.items.len();
        let own = |w: &(String, String)| w.0.contains(&self.own);
        let early = self
            .idle
            .filter(|&at| at + 1 == here || !waits.as_ref().is_some_and(own));
        if let Some(Item::Position(last)) = early.and_then(|at| self.items.get_mut(at)) {
            // No other thread can observe whether this one waits before the statements or
            // after them.
            if last.waits.is_none() {
                (last.waits, last.must, last.spins) = (waits, must, spins);
                last.object = object;
                last.span = span;
                last.woke |= woke;
                return;
            }
            // Nor whether it stops between the end of its wait and the operation that it waits for, which assumes that the wait
            // is over; in a loop that spins nothing does.
            if waits.is_none() && !last.spins {
                last.woke |= woke;
                return;
            }
        }
        self.idle = Some(here);
        self.items.push(Item::Position(Stop {
            span,
            waits,
            must,
            spins,
            woke,
            object,
        }));
        self.count += 1;
    }

    /// Adds a place where the thread may block. In an atomic section it blocks before the
    /// whole section; other threads cannot observe whether statements without visible effect came
    /// before.
    fn stand(&mut self, op: &Op, wait: Wait, past: Past) {
        if op.atomic && past.begun {
            self.halfway.push(op.span);
            return;
        }
        self.stop(op.span, wait);
    }

    fn op(&mut self, op: &'a Op) {
        if let Action::Label(label) = op.action {
            let there = self.pending.remove(&label);
            self.past = match (self.past, there) {
                (Some(a), Some(b)) => Some(a.or(b)),
                (a, b) => a.or(b),
            };
        }
        let Some(past) = self.past else { return };
        match &op.action {
            Action::Stand {
                can,
                what,
                must,
                spins,
                object,
                ..
            } => {
                let wait = Wait {
                    waits: Some((can.clone(), what.clone())),
                    must: must.clone(),
                    spins: *spins,
                    object: object.clone(),
                };
                return self.stand(op, wait, past);
            }
            Action::Begin if !op.atomic => {
                if past.seen || self.everywhere {
                    self.stop(op.span, Wait::default());
                }
                if let Some(past) = &mut self.past {
                    past.begun = false;
                }
                return;
            }
            Action::Head(head) if self.whole.contains(head) => {
                self.idle = None;
                self.items.push(Item::Op(op));
                return;
            }
            Action::Head(_) => {
                self.items.push(Item::Op(op));
                // Other threads may run between iterations, and the jump back must lead here.
                self.idle = None;
                self.stop(op.span, Wait::default());
                return;
            }
            Action::Joined(_) | Action::Take(_) | Action::Give(_) | Action::Begin | Action::End => {
                return
            }
            _ => {}
        }
        let stops = match op.mover {
            Mover::None | Mover::Right => past.seen || self.everywhere,
            Mover::Left => self.everywhere,
            Mover::Both => false,
        };
        if stops && !op.atomic {
            self.stop(op.span, Wait::default());
        }
        self.goes_on(op);
    }

    /// Executes an operation without stopping, and adds its visibility to the past.
    fn goes_on(&mut self, op: &'a Op) {
        if let Some(past) = &mut self.past {
            past.seen |= matches!(op.mover, Mover::None | Mover::Left);
            past.begun |= op.mover != Mover::Both;
            past.woke |= (self.wakes)(op);
        }
        // A write that no other thread can observe may still concern the run's word.
        let writes = op.accesses.iter().any(|a| a.writes);
        if writes || op.mover != Mover::Both || !matches!(op.action, Action::Text(_)) {
            self.idle = None;
        }
        self.items.push(Item::Op(op));
        match &op.action {
            Action::Jump { condition, to } => {
                let now = self.past.unwrap_or_default();
                let there = self.pending.entry(*to).or_default();
                *there = there.or(now);
                if condition.is_none() {
                    self.past = None;
                }
            }
            Action::Stop | Action::Cut(_) | Action::Back(_) => self.past = None,
            _ => {}
        }
    }
}
