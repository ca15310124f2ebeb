//! Threads that are started and joined.

use std::collections::BTreeSet;

use cfront::{ExprId, FunctionId};

use super::parts::{steps_are_apart, Path};
use super::paths::Places;
use super::run::{Run, Thread};
use super::state::{State, ThreadId, Value};

impl Run<'_, '_> {
    /// The current thread ends where a state holds.
    pub fn ended(&mut self, state: &State) {
        if state.dead {
            return;
        }
        let thread = &mut self.threads[self.now];
        let before = thread.leaves.len();
        thread.leaves.extend(&state.live);
        self.changed |= thread.leaves.len() > before;
    }

    /// The threads that a call starts with a function.
    pub fn thread(
        &mut self,
        function: FunctionId,
        created_at: Option<ExprId>,
        creator: Option<ThreadId>,
        entry: State,
    ) -> ThreadId {
        // Threads that start each other without end are one.
        let mut above = creator;
        let mut known = None;
        while let Some(id) = above {
            let t = &self.threads[id];
            if t.function == function && t.created_at == created_at {
                known = Some(id);
            }
            above = t.creator;
        }
        let same =
            |t: &Thread| (t.function, t.created_at, t.creator) == (function, created_at, creator);
        let known = known.or_else(|| self.threads.iter().position(same));
        if let Some(id) = known {
            self.changed |= self.threads[id].entry.join(&entry);
            return id;
        }
        self.changed = true;
        self.threads.push(Thread {
            function,
            created_at,
            creator,
            entry,
            created_with: BTreeSet::new(),
            leaves: BTreeSet::new(),
            any_time: false,
        });
        self.threads.len() - 1
    }

    /// Starts threads.
    pub fn create(
        &mut self,
        call: ExprId,
        (handle, function, argument): (ExprId, ExprId, ExprId),
        state: &mut State,
    ) {
        let pointed = self.facts.pointed(function);
        let targets = self.with_body(pointed.clone());
        if targets.is_empty() || targets.len() < pointed.len() {
            return self.blind(
                "the function of this thread is not known".to_owned(),
                Some(call),
            );
        }
        let value = match self.numbered.get(&call) {
            Some(&counter) => {
                let mut counted = state.clone();
                counted.known.insert(counter, Value::Own(call));
                self.value(argument, &counted)
            }
            None => self.value(argument, state),
        };
        let place = self.place_of(handle, state);
        if let Some(place) = &place {
            forget_handles(state, place);
        }
        for &target in &targets {
            let entry = self.entry(target, std::slice::from_ref(&value), State::default());
            let id = self.thread(target, Some(call), Some(self.now), entry);
            let nested = id <= self.now;
            let thread = &mut self.threads[id];
            let before = thread.created_with.len();
            thread.created_with.extend(&state.live);
            if nested {
                thread.created_with.insert(id);
            }
            self.changed |= thread.created_with.len() > before;
        }
        for &target in &targets {
            let entry = State {
                dead: true,
                ..State::default()
            };
            let id = self.thread(target, Some(call), Some(self.now), entry);
            state.live.insert(id);
            if let (Some(place), [_]) = (&place, &targets[..]) {
                state.handles.insert(place.clone(), id);
            }
        }
    }

    /// The place where a handle is stored, if there is only one such place.
    fn place_of(&self, pointer: ExprId, state: &State) -> Option<Path> {
        let places = Places {
            facts: self.facts,
            state,
        };
        places.pointed(pointer).map(|(path, _)| path)
    }

    /// A function may run at any time, in a thread of its own.
    pub fn any_time(&mut self, function: Option<ExprId>) {
        let Some(function) = function else { return };
        let pointed = self.facts.pointed(function);
        for target in self.with_body(pointed) {
            let id = self.thread(target, Some(function), None, State::default());
            self.threads[id].any_time = true;
        }
    }

    /// Waits for the end of a thread.
    pub fn join(&mut self, handle: ExprId, state: &mut State) {
        let places = Places {
            facts: self.facts,
            state,
        };
        let place = places.located(handle).map(|(path, _)| path);
        let place = place.filter(|p| p.is_constant() && self.is_single(p.memory));
        if let Some(id) = place.and_then(|place| state.handles.get(&place).copied()) {
            self.joined(id, state);
        }
    }

    fn joined(&mut self, id: ThreadId, state: &mut State) {
        let thread = &self.threads[id];
        // One of several does not say that all have ended.
        if !thread.created_with.contains(&id) {
            state.live.remove(&id);
            state.live.extend(&thread.leaves);
        }
    }
}

/// A handle is overwritten.
fn forget_handles(state: &mut State, place: &Path) {
    state.handles.retain(|other, _| {
        other.memory != place.memory || steps_are_apart(&other.steps, &place.steps)
    });
}
