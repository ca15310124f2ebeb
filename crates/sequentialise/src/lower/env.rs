//! What is known of variables at a place, and whether anything gets there.

use std::collections::{BTreeSet, HashMap};

use super::handles::Handles;
use crate::code::{Place, Pointer};

/// The knowledge at a place.
#[derive(Clone, Debug, Default)]
pub(super) struct Env {
    /// Whether the place is reached at all.
    pub reachable: bool,
    /// Sections of one step that are open.
    pub atomic: u32,
    /// Values of integer variables that nothing points to.
    pub known: HashMap<String, i128>,
    /// What is known of pointers that nothing points to.
    pub pointers: HashMap<String, Pointer>,
    /// Mutexes that the thread holds.
    pub held: BTreeSet<Place>,
    /// Threads by where their handles are stored.
    pub handles: Handles,
}

impl Env {
    /// The knowledge at the beginning of a thread.
    pub fn start() -> Env {
        Env {
            reachable: true,
            ..Env::default()
        }
    }

    /// Whether the same is known at two places.
    pub fn is_as_known_as(&self, other: &Env) -> bool {
        self.known == other.known
            && self.handles == other.handles
            && self.pointers == other.pointers
            && self.held == other.held
    }

    /// Takes over what is known at another place.
    pub fn know_as_much_as(&mut self, other: Env) {
        self.known = other.known;
        self.handles = other.handles;
        self.pointers = other.pointers;
        self.held = other.held;
    }

    /// What holds on all ways to a place.
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
        }
        all
    }
}
