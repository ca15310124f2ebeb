//! The objects whose memory is modelled, and the places in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cfront::consteval;
use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Parent, Storage};
use cfront::types::{ArrayLen, QualType, Quals, Type};
use cfront::{Diagnostic, ExprId, Memory, Span};

use super::operations::operation;
use super::Which;
use crate::accesses::Accesses;
use crate::code::{Access, Lowered, Touched};
use crate::facts::Facts;
use crate::library::name_of;
use crate::races::WATCH;
use crate::sharing::Sharing;

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
}

/// The objects that are accessed by way of the model.
pub(super) struct Objects {
    memory: BTreeMap<ObjectId, Range<usize>>,
    /// Automatic objects that no other thread accesses.
    private: BTreeSet<ObjectId>,
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
                if !sharing.is_visible(number as u32, access) {
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
        let mut objects = Objects {
            private,
            memory: BTreeMap::new(),
            cells: Vec::new(),
            plain,
        };
        objects.close(facts, accesses, &mut found)?;
        for memory in found {
            objects.add(facts, memory)?;
        }
        Ok(objects)
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
        let object = match memory {
            Memory::Object(object) => object,
            Memory::Made(call) => {
                let message = "memory that is allocated here is accessed by several threads at the same time, which the memory model does not follow";
                return refused(facts.tree.exprs[call].span, message);
            }
        };
        let o = &facts.tree.objects[object];
        if !matches!(o.storage, Storage::Global | Storage::FileStatic) || o.thread_local {
            let message = format!("`{}` is accessed by several threads at the same time, and the memory model follows only objects at file scope", o.name);
            return refused(o.name_span, &message);
        }
        let first = self.cells.len();
        self.cells_of(facts, (o.ty, o.name_span), o.name.clone())?;
        self.memory.insert(object, first..self.cells.len());
        match self.cells.len() > MOST {
            true => refused(
                o.name_span,
                &format!("threads access more than {MOST} objects at the same time: more are not followed under this memory model"),
            ),
            false => Ok(()),
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
            Type::Record(record) => {
                let record = &types.records[*record];
                let members = record.members.as_deref().unwrap_or_default();
                if let [one] = members {
                    // `atomic_flag`.
                    if one.name.as_deref() == Some("__val") {
                        self.cells.push(Cell {
                            lvalue: format!("(*(_Bool *)&{lvalue})"),
                            at: lvalue,
                            declaration: "_Bool memmodel_v".to_owned(),
                        });
                        return Ok(());
                    }
                }
                let simple = |m: &cfront::types::Member| m.name.is_some() && !m.is_bit_field;
                if !record.is_union && !members.is_empty() && members.iter().all(simple) {
                    for member in members {
                        let name = member.name.as_deref().unwrap_or_default();
                        self.cells_of(facts, (member.ty, span), format!("{lvalue}.{name}"))?;
                    }
                    return Ok(());
                }
            }
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => {
                let plain = QualType {
                    ty: ty.ty,
                    quals: Quals::NONE,
                };
                let fits = consteval::size_of(facts.tree, plain).is_some_and(|size| size <= 8);
                let declared = types.declare_where(plain, "memmodel_v", &|_| true);
                if let Some(declaration) = declared.filter(|_| fits) {
                    self.cells.push(Cell {
                        at: lvalue.clone(),
                        lvalue,
                        declaration,
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
        let touched = touched(facts, &self.private, access);
        let of = |m: &Memory| match m {
            Memory::Object(o) => self.memory.get(o).cloned().unwrap_or_default(),
            Memory::Made(_) => 0..0,
        };
        let places = touched.memory.iter().flat_map(of);
        places.fold(0, |all, place| all | 1 << place)
    }

    /// Their names.
    pub fn names(&self, facts: &Facts) -> Vec<String> {
        let names = self.memory.keys();
        names.map(|o| facts.tree.objects[*o].name.clone()).collect()
    }
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

/// The error with this message.
pub(super) fn refused<T>(span: Span, message: &str) -> Result<T, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error(span, message)])
}
