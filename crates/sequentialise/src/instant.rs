//! Finds mutexes that no thread holds at a position: no thread ever waits for them, so taking and
//! releasing them can be left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::Memory;

use crate::code::Lowered;
use crate::code::{Action, Label, Mutex, Op, Place, Touched, Use};
use crate::positions::{place, Item, Where};

/// Leaves out waiting for mutexes that are never held at a position. This saves positions, so
/// further mutexes may qualify; it is repeated until none does.
pub(crate) fn leave_out(lowered: &mut Lowered) {
    loop {
        let kept = kept(lowered);
        let mut any = false;
        for thread in &mut lowered.threads {
            for op in &mut thread.ops {
                any |= quieten(op, &kept);
            }
            thread
                .ops
                .retain(|op| !matches!(&op.action, Action::Stand { can: text, .. } | Action::Check { holds: text, .. } if text.is_empty()));
        }
        if !any {
            return;
        }
    }
}

/// Turns an operation into one that ignores its mutex; returns whether that changes it.
fn quieten(op: &mut Op, kept: &Kept) -> bool {
    let Some(mutex) = op.mutex.take_if(|m| !kept.holds(&m.touched)) else {
        return false;
    };
    match &mut op.action {
        Action::Stand { can: text, .. } | Action::Check { holds: text, .. } => text.clear(),
        Action::Text(text) => *text = mutex.quiet,
        _ => {}
    }
    op.calls.clear();
    true
}

/// The mutexes that threads may have to wait for.
#[derive(Default)]
struct Kept {
    all: bool,
    memory: BTreeSet<Memory>,
}

impl Kept {
    fn keep(&mut self, touched: &Touched) {
        self.all |= touched.is_anywhere();
        self.memory.extend(&touched.memory);
    }

    fn holds(&self, touched: &Touched) -> bool {
        self.all || touched.is_anywhere() || !self.memory.is_disjoint(&touched.memory)
    }
}

fn kept(lowered: &Lowered) -> Kept {
    let mut kept = Kept::default();
    let how = Where {
        everywhere: false,
        loops: false,
        wakes: &|_| false,
    };
    for (number, thread) in lowered.threads.iter().enumerate() {
        let placed = place(number, thread, &how);
        let mut walk = Walk {
            lowered,
            kept: &mut kept,
            held: Some(Held::new()),
            pending: HashMap::new(),
        };
        for item in &placed.items {
            match item {
                Item::Position(_) => walk.keep_held(),
                Item::Op(op) => walk.op(op),
            }
        }
    }
    // If a use may concern one of several mutexes and one of them is kept, all are kept.
    let uses = || lowered.threads.iter().flat_map(|t| &t.ops);
    loop {
        let before = kept.memory.len();
        for mutex in uses().filter_map(|op| op.mutex.as_ref()) {
            if kept.holds(&mutex.touched) {
                kept.keep(&mutex.touched);
            }
        }
        if kept.memory.len() == before {
            return kept;
        }
    }
}

/// Mutexes that may be held, by place.
type Held = BTreeMap<Place, Touched>;

/// A walk through a thread.
struct Walk<'a> {
    lowered: &'a Lowered,
    kept: &'a mut Kept,
    /// The mutexes that may be held; `None` at an unreachable place.
    held: Option<Held>,
    pending: HashMap<Label, Held>,
}

impl Walk<'_> {
    fn keep_held(&mut self) {
        for touched in self.held.iter().flat_map(Held::values) {
            self.kept.keep(touched);
        }
    }

    fn op(&mut self, op: &Op) {
        if let Action::Label(label) = op.action {
            let there = self.pending.remove(&label);
            self.held = match (self.held.take(), there) {
                (Some(mut a), Some(b)) => {
                    a.extend(b);
                    Some(a)
                }
                (a, b) => a.or(b),
            };
        }
        if let Some(mutex) = &op.mutex {
            self.uses(mutex);
        }
        match &op.action {
            Action::Jump { condition, to } => {
                if let Some(held) = &self.held {
                    self.pending.entry(*to).or_default().extend(held.clone());
                }
                if condition.is_none() {
                    self.held = None;
                }
            }
            Action::Stop | Action::Cut(_) => {
                self.keep_held();
                self.held = None;
            }
            _ => {}
        }
    }

    fn uses(&mut self, mutex: &Mutex) {
        let Some(held) = &mut self.held else { return };
        let one = |place: &&Place| place.is_single(&self.lowered.made);
        match (mutex.how, mutex.place.as_ref().filter(one)) {
            (Use::Waits, _) => {}
            (Use::Gives, None) => {}
            (Use::Looks | Use::Relocks | Use::Releases, _) | (Use::Takes, None) => {
                self.kept.keep(&mutex.touched);
            }
            // No other thread holds a mutex that is held at no position.
            (Use::Destroys, place) => {
                let own = held.iter().any(|(other, touched)| match place {
                    Some(place) => !other.is_apart(place),
                    None => touched.overlaps(&mutex.touched),
                });
                if own {
                    self.kept.keep(&mutex.touched);
                }
            }
            (Use::Gives, Some(place)) => {
                held.remove(place);
            }
            (Use::Takes, Some(place)) => {
                // A thread that may hold the mutex already would wait for itself.
                let again = held.keys().any(|other| !other.is_apart(place));
                held.insert(place.clone(), mutex.touched.clone());
                if again {
                    self.kept.keep(&mutex.touched);
                }
            }
        }
    }
}
