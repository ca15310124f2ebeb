//! Which thread a handle denotes, by the place where it is stored.

use std::collections::{BTreeSet, HashMap};

use cfront::span::TypeId;
use cfront::tree::{ExprKind, Resolved};
use cfront::types::Class;
use cfront::{ExprId, FunctionId, Memory, Span};

use super::Lower;
use crate::code::Place;
use crate::facts::Facts;
use crate::library::Call;

/// The handles at a place of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Handles {
    /// The thread of each handle, if the handle was stored: on some paths it may not have been
    /// stored yet, and the program must not use it there.
    known: HashMap<Place, u32>,
    /// Memory that may contain other handles.
    lost: BTreeSet<Memory>,
    /// Threads that the thread has started and that are not known to be joined.
    live: BTreeSet<u32>,
}

impl Handles {
    /// The thread of the handle at a place.
    pub fn get(&self, place: &Place) -> Option<u32> {
        self.known.get(place).copied()
    }

    /// Records that a thread's handle is stored.
    pub fn store(&mut self, place: Place, thread: u32) {
        self.known.insert(place, thread);
    }

    /// Records that a thread is started.
    pub fn start(&mut self, thread: u32) {
        self.live.insert(thread);
    }

    /// Records that a thread is joined.
    pub fn join(&mut self, thread: u32) {
        self.live.remove(&thread);
    }

    /// Whether threads with these numbers may not have been joined.
    pub fn may_live(&self, threads: std::ops::RangeFrom<u32>) -> bool {
        self.live.range(threads).next().is_some()
    }

    /// Records that an unknown handle is stored in a piece of memory.
    pub fn lose(&mut self, memory: Memory) {
        self.known.retain(|place, _| place.memory != memory);
        self.lost.insert(memory);
    }

    /// Records that a piece of memory comes into existence, without handles.
    pub fn begin(&mut self, memory: Memory) {
        self.lose(memory);
        self.lost.remove(&memory);
    }

    /// The facts that hold on both of two paths to a place.
    pub fn merge(&mut self, other: Handles) {
        for (place, thread) in other.known {
            let same = match self.known.get(&place) {
                Some(&own) => own == thread,
                None if self.lost.contains(&place.memory) => continue,
                None => true,
            };
            match same {
                true => drop(self.known.insert(place, thread)),
                false => self.lose(place.memory),
            }
        }
        self.live.extend(other.live);
        let lost = &other.lost;
        self.known.retain(|place, _| !lost.contains(&place.memory));
        self.lost.extend(other.lost);
    }
}

/// The memory where the program stores handles, and the handles' types.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    memory: BTreeSet<Memory>,
    types: BTreeSet<TypeId>,
    /// Memory in which threads other than the main one store handles.
    foreign: BTreeSet<Memory>,
    /// Whether the program only joins threads by their handles, or cancels them: nothing tells whether a thread has the
    /// handle of an earlier one.
    pub are_joined_only: bool,
}

/// A call that starts a thread: the place for the handle, and the thread's function.
struct Start {
    call: ExprId,
    handle: ExprId,
    function: ExprId,
}

fn starts(facts: &Facts) -> Vec<Start> {
    let all = Span::new(0, facts.unit.text().len());
    let started = facts.calls_in(all).filter_map(|call| {
        let ExprKind::Call { args, .. } = &facts.tree.exprs[call].kind else {
            return None;
        };
        let Some(Call::Create(handle, function, _)) = facts.library(call) else {
            return None;
        };
        Some(Start {
            call,
            handle: *args.get(handle)?,
            function: *args.get(function)?,
        })
    });
    started.collect()
}

impl Stores {
    /// Collects the calls that start threads.
    pub fn of(facts: &Facts) -> Stores {
        let mut stores = Stores::default();
        let tree = facts.tree;
        let starts = starts(facts);
        let begun: BTreeSet<FunctionId> = starts
            .iter()
            .flat_map(|s| facts.pointed(s.function))
            .flat_map(|f| facts.graph.reachable(f))
            .collect();
        let bodies = begun
            .iter()
            .filter_map(|&f| tree.functions[f].body.as_ref());
        let bodies: Vec<Span> = bodies.map(|body| body.span).collect();
        let mut known = !starts.is_empty() && !facts.names_self;
        for start in &starts {
            let places = facts.aliases.pointed_to(start.handle);
            known &= !places.anything;
            let memory = facts.aliases.memory(&places);
            let at = tree.exprs[start.call].span;
            if bodies.iter().any(|body| body.encloses(at)) {
                stores.foreign.extend(&memory);
            }
            stores.memory.extend(memory);
            let ty = tree.types.pointee(tree.exprs[start.handle].ty);
            stores.types.extend(ty.map(|t| t.ty));
        }
        let mut values = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        let shown = |e: ExprId| stores.may_have(facts, e) && facts.shows_handle(e);
        stores.are_joined_only = known && !values.any(|(e, _)| shown(e));
        stores
    }

    /// Whether an expression may designate memory with handles. An lvalue of another type than handles contains none.
    fn may_have(&self, facts: &Facts, lvalue: ExprId) -> bool {
        let tree = facts.tree;
        let expr = &tree.exprs[lvalue];
        let is_place = matches!(
            expr.kind,
            ExprKind::Ident(Resolved::Object(_))
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::Deref(_)
        );
        let has = match tree.types.class(expr.ty) {
            Class::Scalar | Class::Pointer => self.types.contains(&expr.ty.ty),
            Class::Record | Class::Other => true,
            Class::Array | Class::Function | Class::Void => false,
        };
        is_place && has && !self.designated(facts, lvalue).is_disjoint(&self.memory)
    }

    /// The memory that an lvalue may designate, as far as handles may be there.
    fn designated(&self, facts: &Facts, lvalue: ExprId) -> BTreeSet<Memory> {
        if let (Some(object), false) = facts.tree.root(lvalue) {
            return BTreeSet::from([Memory::Object(object)]);
        }
        let places = facts.aliases.designated(lvalue);
        match places.anything {
            true => self.memory.clone(),
            false => facts.aliases.memory(&places),
        }
    }
}

impl Lower<'_, '_> {
    /// Records that an unknown handle is stored through a pointer.
    pub(super) fn lose_handles_at(&mut self, pointer: ExprId) {
        let places = self.facts.aliases.pointed_to(pointer);
        let memory = match places.anything {
            true => self.stores.memory.clone(),
            false => self.facts.aliases.memory(&places),
        };
        for memory in memory {
            self.env.handles.lose(memory);
        }
    }

    /// Records that a thread's handle is stored, if the place is known.
    pub(super) fn store_handle(&mut self, place: Option<Place>, pointer: ExprId, thread: u32) {
        match place.filter(|p| !self.stores.foreign.contains(&p.memory)) {
            Some(place) => self.env.handles.store(place, thread),
            None => self.lose_handles_at(pointer),
        }
    }

    /// Records that an lvalue is written. An lvalue of another type than handles contains none.
    pub(super) fn lose_handles_in(&mut self, lvalue: ExprId) {
        let tree = self.facts.tree;
        let ty = tree.exprs[lvalue].ty;
        let scalar = matches!(tree.types.class(ty), Class::Scalar | Class::Pointer);
        if self.stores.memory.is_empty() || (scalar && !self.stores.types.contains(&ty.ty)) {
            return;
        }
        let memory = self.stores.designated(self.facts, lvalue);
        for memory in memory.intersection(&self.stores.memory) {
            self.env.handles.lose(*memory);
        }
    }
}
