//! The objects whose memory is modelled, and the places in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cfront::consteval;
use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Parent, Storage};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{Diagnostic, ExprId, Memory, Span};

use super::bases::Base;
use super::model::{refused, Which};
use super::parts::{Parts, Use};
use crate::accesses::Accesses;
use crate::code::{Access, Lowered, Touched};
use crate::facts::Facts;
use crate::library::name_of;
use crate::models;
use crate::races::WATCH;
use crate::sharing::Sharing;
use crate::synctypes;
use cfront::atomics::operation;

/// The most places of all objects together: the states of a model grow with each.
const MOST: usize = 24;

/// An object of a basic type: a variable, an element, a member.
pub(super) struct Cell {
    /// It as an lvalue.
    pub lvalue: String,
    /// The lvalue whose address accesses have.
    pub at: String,
    /// Its type as a declaration of `memmodel_v`.
    pub declaration: String,
    /// Whether it has any value before the first store.
    pub fresh: bool,
}

/// The objects that are accessed by way of the model.
pub(super) struct Objects {
    memory: BTreeMap<Memory, Range<usize>>,
    /// Where those are that have no name at file scope.
    pub bases: Vec<Base>,
    /// Automatic objects that no other thread accesses.
    private: BTreeSet<ObjectId>,
    /// Members of the objects that are ordinary memory.
    parts: Parts,
    /// The places in them, in order.
    pub cells: Vec<Cell>,
    /// Whether some of them are accessed without atomic operations.
    pub plain: bool,
}

impl Objects {
    /// The objects that threads may access at the same time.
    pub fn of(
        facts: &Facts,
        accesses: &Accesses,
        (lowered, sharing): (&Lowered, &Sharing),
        which: Which,
    ) -> Result<Objects, Vec<Diagnostic>> {
        let private = private(facts);
        let mut found = BTreeSet::new();
        let mut plain = false;
        for (number, thread) in lowered.threads.iter().enumerate() {
            for access in thread.ops.iter().flat_map(|op| &op.accesses) {
                if !sharing.is_shared(number as u32, access) {
                    continue;
                }
                let of = &facts.tree.exprs[access.expr];
                let atomic = match of.kind {
                    ExprKind::Call { .. } => {
                        which == Which::All
                            || name_of(facts.tree, access.expr)
                                .and_then(operation)
                                .is_some()
                    }
                    _ => of.ty.quals.is_atomic,
                };
                if which == Which::Atomic && !atomic {
                    continue;
                }
                plain |= !atomic;
                let touched = touched(facts, &private, access);
                refuse_anything(facts, access.expr, &touched)?;
                found.extend(touched.memory);
            }
        }
        let empty = |parts: Parts| Objects {
            private: private.clone(),
            parts,
            memory: BTreeMap::new(),
            bases: Vec::new(),
            cells: Vec::new(),
            plain,
        };
        empty(Parts::default()).close(facts, accesses, &mut found)?;
        let with = |parts: Parts| {
            let mut objects = empty(parts);
            for memory in &found {
                objects.add(facts, *memory)?;
            }
            Ok(objects)
        };
        let apart = match which {
            Which::Atomic => parts(facts, accesses, &private, &found),
            Which::All => None,
        };
        match apart.map(&with) {
            Some(Ok(objects)) => Ok(objects),
            _ => with(Parts::default()),
        }
    }

    /// Adds what the same accesses may touch.
    fn close(
        &self,
        facts: &Facts,
        accesses: &Accesses,
        found: &mut BTreeSet<Memory>,
    ) -> Result<(), Vec<Diagnostic>> {
        let private = &self.private;
        loop {
            let before = found.len();
            for (id, _, _) in facts.tree.defined_functions() {
                for access in accesses.of_function(id) {
                    let touched = touched(facts, private, access);
                    if !touched.memory.is_disjoint(found) {
                        refuse_anything(facts, access.expr, &touched)?;
                        found.extend(touched.memory);
                    }
                }
            }
            if found.len() == before {
                return Ok(());
            }
        }
    }

    fn add(&mut self, facts: &Facts, memory: Memory) -> Result<(), Vec<Diagnostic>> {
        let first = self.cells.len();
        let named = |o: &ObjectId| {
            let o = &facts.tree.objects[*o];
            matches!(o.storage, Storage::Global | Storage::FileStatic) && !o.thread_local
        };
        let span = match memory {
            Memory::Object(object) => facts.tree.objects[object].name_span,
            // The arguments of `main` are made by no expression.
            Memory::Made(call) => {
                let made = facts.tree.exprs.get(call);
                made.map_or(Span::empty(0), |call| call.span)
            }
        };
        match memory {
            Memory::Object(object) if named(&object) => {
                let o = &facts.tree.objects[object];
                self.cells_of(facts, (o.ty, span), o.name.clone())?;
            }
            memory => {
                let base = Base::of(facts, memory, self.bases.len())?;
                for lvalue in base.lvalues(facts).into_iter().flatten().take(MOST + 1) {
                    self.cells_of(facts, (base.ty, span), lvalue)?;
                }
                for cell in &mut self.cells[first..] {
                    cell.fresh = base.is_fresh(facts);
                }
                self.bases.push(base);
            }
        }
        self.memory.insert(memory, first..self.cells.len());
        match self.cells.len() {
            // Its type cannot be written, or has no parts.
            n if n == first && self.parts.are_none() => refused(span, "the type of this object is not followed under this memory model"),
            n if n > MOST => refused(
                span,
                &format!("threads access more than {MOST} objects at the same time: more are not followed under this memory model"),
            ),
            _ => Ok(()),
        }
    }

    fn cells_of(
        &mut self,
        facts: &Facts,
        (ty, span): (QualType, Span),
        lvalue: String,
    ) -> Result<(), Vec<Diagnostic>> {
        let types = &facts.local_types.types;
        match types.get(ty) {
            Type::Array(of, ArrayLen::Known(length)) if *length <= MOST as u64 => {
                for index in 0..*length {
                    self.cells_of(facts, (*of, span), format!("{lvalue}[{index}]"))?;
                }
                return Ok(());
            }
            &Type::Record(id) => {
                let record = &types.records[id];
                let members = record.members.as_deref().unwrap_or_default();
                if let [one] = members {
                    // `atomic_flag`.
                    if one.name.as_deref() == Some("__val") {
                        self.cells.push(Cell {
                            lvalue: format!("(*(_Bool *)&{lvalue})"),
                            at: lvalue,
                            declaration: "_Bool memmodel_v".to_owned(),
                            fresh: false,
                        });
                        return Ok(());
                    }
                }
                let simple = |m: &cfront::types::Member| m.name.is_some() && !m.is_bit_field;
                let of_model = members.iter().enumerate();
                let of_model = of_model.filter(|(number, _)| !self.parts.has(id, *number));
                let of_model: Vec<_> = of_model.map(|(_, member)| member).collect();
                if !record.is_union && !members.is_empty() && of_model.iter().all(|m| simple(m)) {
                    // Locks are accessed by the library alone.
                    for member in of_model.iter().filter(|m| !is_of_library(facts, m.ty)) {
                        let name = member.name.as_deref().unwrap_or_default();
                        self.cells_of(facts, (member.ty, span), format!("{lvalue}.{name}"))?;
                    }
                    return Ok(());
                }
            }
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => {
                let plain = ty.unqualified();
                let fits = consteval::size_of(facts.tree, plain).is_some_and(|size| size <= 8);
                let declared = types.declare_where(plain, "memmodel_v", &|_| true);
                if let Some(declaration) = declared.filter(|_| fits) {
                    self.cells.push(Cell {
                        at: lvalue.clone(),
                        lvalue,
                        declaration,
                        fresh: false,
                    });
                    return Ok(());
                }
            }
            _ => {}
        }
        let message = format!("`{lvalue}` is accessed by several threads at the same time, and its type is not followed under this memory model");
        refused(span, &message)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The places that an access may touch, as bits; if there are some, it touches no other object.
    pub fn places(&self, facts: &Facts, access: &Access) -> u32 {
        if self.parts.hold(facts, access.expr) {
            return 0;
        }
        let touched = touched(facts, &self.private, access);
        let of = |m: &Memory| self.memory.get(m).cloned().unwrap_or_default();
        let places = touched.memory.iter().flat_map(of);
        places.fold(0, |all, place| all | 1 << place)
    }

    /// Their names.
    pub fn names(&self, facts: &Facts) -> Vec<String> {
        let named = self.memory.keys().filter_map(|m| match m {
            Memory::Object(o) => Some(facts.tree.objects[*o].name.clone()),
            Memory::Made(_) => None,
        });
        let bases = self.bases.iter().map(|base| base.told(facts));
        let all: BTreeSet<String> = named.chain(bases).collect();
        all.into_iter().collect()
    }
}

/// The members of some objects that threads access without atomic operations only; `None` if the type of an object is not known.
fn parts(
    facts: &Facts,
    accesses: &Accesses,
    private: &BTreeSet<ObjectId>,
    found: &BTreeSet<Memory>,
) -> Option<Parts> {
    let type_of = |memory: Memory| match memory {
        Memory::Object(object) => Some(facts.tree.objects[object].ty),
        memory => Base::of(facts, memory, 0).ok().map(|base| base.ty),
    };
    let mut uses = Vec::new();
    for (id, _, _) in facts.tree.defined_functions() {
        for access in accesses.of_function(id) {
            let touched = touched(facts, private, access);
            let within: Vec<Memory> = touched.memory.intersection(found).copied().collect();
            if within.is_empty() || name_of(facts.tree, access.expr) == Some("free") {
                continue;
            }
            uses.push(Use {
                expr: access.expr,
                types: within.into_iter().map(type_of).collect::<Option<_>>()?,
            });
        }
    }
    Some(Parts::of(facts, &uses))
}

/// Whether a type is one of locks and their kin.
fn is_of_library(facts: &Facts, ty: QualType) -> bool {
    let Type::Record(record) = *facts.local_types.types.get(ty) else {
        return false;
    };
    let mut library = models::MEMBERS.iter();
    library.any(|(name, _)| synctypes::record(facts.tree, name) == Some(record))
}

/// The automatic objects whose address is only given to atomic operations, besides the object that these change: they do not keep it.
fn private(facts: &Facts) -> BTreeSet<ObjectId> {
    let tree = facts.tree;
    let automatic = |o: &ObjectId| {
        let storage = tree.objects[*o].storage;
        matches!(storage, Storage::Local | Storage::Parameter)
    };
    let taken = facts.address_taken.iter().copied().filter(automatic);
    let mut private: BTreeSet<ObjectId> = taken.collect();
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let (of, kept) = match expr.kind {
            ExprKind::AddressOf(of) => (of, !is_beside(facts, id)),
            // An array is an address wherever it is not indexed.
            ExprKind::Ident(_) if matches!(tree.type_of(expr.ty), Type::Array(..)) => (id, true),
            _ => continue,
        };
        if let ((Some(object), false), true) = (tree.root(of), kept) {
            private.remove(&object);
        }
    }
    private
}

/// Whether an expression is an argument of an atomic operation, but not the first.
fn is_beside(facts: &Facts, argument: ExprId) -> bool {
    let tree = facts.tree;
    let Parent::Expr(call) = tree.exprs[argument].parent else {
        return false;
    };
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return false;
    };
    let name = name_of(tree, call).unwrap_or_default();
    name == WATCH || operation(name).is_some() && args.iter().skip(1).any(|a| *a == argument)
}

/// The memory that an access touches. An atomic operation is one of the object to which its first argument points; the others
/// point to objects that it accesses besides.
fn touched(facts: &Facts, private: &BTreeSet<ObjectId>, access: &Access) -> Touched {
    let tree = facts.tree;
    let is_private = |m: &Memory| matches!(m, Memory::Object(o) if private.contains(o));
    let ExprKind::Call { args, .. } = &tree.exprs[access.expr].kind else {
        let mut touched = access.touched.clone();
        touched.memory.retain(|m| !is_private(m));
        return touched;
    };
    let known = name_of(tree, access.expr).and_then(operation);
    let Some(&first) = args.first().filter(|_| known.is_some()) else {
        return access.touched.clone();
    };
    let places = facts.aliases.pointed_to(first);
    let mut memory = facts.aliases.memory(&places);
    memory.retain(|m| facts.may_be_shared(*m) && !is_private(m));
    Touched {
        memory,
        anything: places.anything,
    }
}

fn refuse_anything(facts: &Facts, expr: ExprId, touched: &Touched) -> Result<(), Vec<Diagnostic>> {
    match touched.anything {
        true => refused(
            facts.tree.exprs[expr].span,
            "which object this accesses is not known, so that the memory model does not follow it",
        ),
        false => Ok(()),
    }
}
