//! The facts known at a place, and whether any path reaches it.

use std::collections::{BTreeSet, HashMap};

use super::handles::Handles;
use crate::code::{Place, Pointer};

/// The facts at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    /// Whether a path reaches the place.
    pub reachable: bool,
    /// Whether no thread was started yet on any path to the place.
    pub alone: bool,
    /// The number of open atomic sections.
    pub atomic: u32,
    /// Known values of integer variables that nothing points to.
    pub known: HashMap<String, i128>,
    /// Known targets of pointer variables that nothing points to.
    pub pointers: HashMap<String, Pointer>,
    /// Mutexes that the thread holds.
    pub held: BTreeSet<Place>,
    /// Threads by the places of their handles.
    pub handles: Handles,
}

impl Env {
    /// The facts at the beginning of a thread; the main thread is alone there.
    pub fn start(alone: bool) -> Env {
        Env {
            reachable: true,
            alone,
            ..Env::default()
        }
    }

    /// Whether the same facts are known at two places.
    pub fn is_as_known_as(&self, other: &Env) -> bool {
        self.known == other.known
            && self.alone == other.alone
            && self.handles == other.handles
            && self.pointers == other.pointers
            && self.held == other.held
    }

    /// Replaces the facts by those of another place.
    pub fn know_as_much_as(&mut self, other: Env) {
        self.known = other.known;
        self.alone = other.alone;
        self.handles = other.handles;
        self.pointers = other.pointers;
        self.held = other.held;
    }

    /// The facts that hold on all paths to a place.
    pub fn merge(from: Vec<Env>) -> Env {
        let mut ways = from.into_iter();
        let Some(mut all) = ways.next() else {
            return Env::default();
        };
        for way in ways {
            all.known
                .retain(|name, value| way.known.get(name) == Some(value));
            all.pointers
                .retain(|name, value| way.pointers.get(name) == Some(value));
            all.held.retain(|place| way.held.contains(place));
            all.handles.merge(way.handles);
            all.atomic = all.atomic.max(way.atomic);
            all.alone &= way.alone;
        }
        all
    }
}
