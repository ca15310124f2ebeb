//! Threads that are started and joined.

use std::collections::BTreeSet;

use cfront::{ExprId, FunctionId, Memory, StmtId};

use super::parts::{steps_are_apart, Path, Step};
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
        let value = self.argument(call, argument, state);
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

    /// The argument of a thread that is about to be started.
    fn argument(&mut self, call: ExprId, argument: ExprId, state: &mut State) -> Option<Value> {
        let Some(numbered) = self.loops.numbered.get(&call).copied() else {
            return self.value(argument, state).and_then(settled);
        };
        let own = Value::Own(call, numbered.width);
        let mut counted = state.clone();
        counted
            .known
            .insert(numbered.counting.variable, own.clone());
        // Other places by the number of the next thread are those of this thread.
        let of_next = |calls: u64, width| {
            Some(match calls & numbered.bit {
                0 => Value::Apart(calls, width),
                _ => own.clone(),
            })
        };
        for value in counted.known.values_mut() {
            value.replace_apart(&of_next);
        }
        state.started(numbered.bit);
        self.value(argument, &counted).and_then(settled)
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

    /// A call that joins the thread of the element that a counter names has joined it: the counter is the number of no thread any more
    /// that the calls have started which fill the array.
    pub fn joined_by_number(&self, call: ExprId, state: &mut State) {
        let loops = &self.loops;
        let Some(counting) = loops.joined.get(&call) else {
            return;
        };
        let handles = loops.joins.get(&counting.stmt);
        let filling = loops.filled.iter().filter(|(_, of)| Some(*of) == handles);
        let numbered = filling.filter_map(|(call, _)| loops.numbered.get(call));
        let calls = numbered.fold(0, |calls, one| calls | one.bit);
        if let (Some(width), 1..) = (counting.width(self.facts), calls) {
            let apart = Value::Apart(calls, width);
            state.known.insert(counting.variable, apart);
        }
    }

    /// A loop that joins threads is over.
    pub fn joined_by_loop(&mut self, stmt: StmtId, state: &mut State) {
        if let Some((handles, from, to)) = self.loops.emptied.get(&stmt).copied() {
            let is_element = |path: &Path| {
                let (index, member) = match path.steps[..] {
                    [Step::Element(Some(index))] => (index, None),
                    [Step::Element(Some(index)), Step::Member(record, member)] => {
                        (index, Some((record, member)))
                    }
                    _ => return false,
                };
                path.memory == Memory::Object(handles.array)
                    && (handles.member, true) == (member, (from..to).contains(&index))
            };
            let elements = state.handles.iter().filter(|(path, _)| is_element(path));
            let of_one = elements.filter(|(path, _)| self.is_single(path.memory));
            for id in of_one.map(|(_, id)| *id).collect::<Vec<_>>() {
                self.joined(id, state);
            }
        }
        let Some(handles) = self.loops.joins.get(&stmt).copied() else {
            return;
        };
        for (id, thread) in self.threads.iter().enumerate() {
            let call = thread.created_at;
            let call = call.filter(|_| thread.creator == Some(self.now));
            if call.and_then(|call| self.loops.filled.get(&call)) == Some(&handles) {
                state.live.remove(&id);
                state
                    .live
                    .extend(thread.leaves.iter().filter(|&&l| l != id));
            }
        }
    }

    /// The counter of a loop that starts threads, at the beginning of a round, is the number of none of them.
    pub fn round_begins(&self, stmt: StmtId, state: &mut State) {
        let numbered = self.loops.numbered.values();
        let mut of_loop = numbered.filter(|one| one.counting.stmt == stmt).peekable();
        let Some(first) = of_loop.peek().copied() else {
            return;
        };
        let calls = of_loop.fold(0, |calls, one| calls | one.bit);
        // What the last rounds have called so is another number.
        state.started(calls);
        if calls != 0 {
            let apart = Value::Apart(calls, first.width);
            state.known.insert(first.counting.variable, apart);
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

/// A value for another thread: what is apart for this one need not be for that one.
fn settled(mut value: Value) -> Option<Value> {
    value.replace_apart(&|_, _| None).then_some(value)
}
