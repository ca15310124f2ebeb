//! The members that threads access, but never by atomic operations, of objects of which they access other members so: what a ring's
//! slots hold beside its positions. In programs without data races these members are ordinary memory.

use std::collections::BTreeSet;

use cfront::span::RecordId;
use cfront::tree::{BinaryOp, ExprKind};
use cfront::types::{QualType, Type};
use cfront::ExprId;

use crate::facts::Facts;
use crate::library::name_of;
use cfront::atomics::operation;

/// A member of a structure.
type Member = (RecordId, usize);

/// An access of memory in which some objects are accessed by atomic operations.
pub(super) struct Use {
    /// The lvalue, or the call.
    pub expr: ExprId,
    /// The types of the objects that it may touch.
    pub types: Vec<QualType>,
}

/// What an access says about the place in its object.
struct Place {
    /// The members in which it lies, outermost first, as far as the expression tells.
    members: Vec<Member>,
    /// Its type.
    ty: QualType,
}

/// Members that no atomic operation accesses.
#[derive(Default)]
pub(super) struct Parts {
    apart: BTreeSet<Member>,
}

impl Parts {
    /// The members of structures that these accesses leave to ordinary memory: each access lies within one, or outside of all. Accesses
    /// of which this is not known leave none. Quadratic in the number of members at worst.
    pub fn of(facts: &Facts, uses: &[Use]) -> Parts {
        let mut parts = Parts::default();
        let types = uses.iter().flat_map(|u| &u.types);
        let mut records = BTreeSet::new();
        for ty in types {
            records_in(facts, *ty, &mut records);
        }
        for record in records {
            let of = &facts.local_types.types.records[record];
            let members = of.members.iter().flatten().enumerate();
            let plain = members.filter(|(_, m)| !of.is_union && !has_atomic(facts, m.ty));
            parts
                .apart
                .extend(plain.map(|(number, _)| (record, number)));
        }
        while let Some(kept) = uses.iter().find_map(|u| parts.kept_by(facts, u)) {
            match kept {
                Kept::These(members) => parts.apart.retain(|m| !members.contains(m)),
                Kept::All => parts.apart.clear(),
            }
        }
        parts
    }

    /// Whether there are none.
    pub fn are_none(&self) -> bool {
        self.apart.is_empty()
    }

    /// Whether a member is ordinary memory.
    pub fn has(&self, record: RecordId, number: usize) -> bool {
        self.apart.contains(&(record, number))
    }

    /// Whether all that an access touches is ordinary memory.
    pub fn hold(&self, facts: &Facts, access: ExprId) -> bool {
        if self.are_none() {
            return false;
        }
        let (places, atomic) = places(facts, access);
        !atomic && !places.is_empty() && places.iter().all(|p| self.is_within(facts, p))
    }

    /// Whether a place lies in such a member, or is a structure that has no others.
    fn is_within(&self, facts: &Facts, place: &Place) -> bool {
        let types = &facts.local_types.types;
        let whole = match *types.get(place.ty) {
            Type::Record(record) => {
                let members = types.records[record].members.as_deref();
                let all = |all: &[_]| (0..all.len()).all(|number| self.has(record, number));
                members.is_some_and(|m| !m.is_empty() && all(m))
            }
            _ => false,
        };
        whole || place.members.iter().any(|m| self.apart.contains(m))
    }

    /// The members that are no ordinary memory because of an access; `None` if there are no more.
    fn kept_by(&self, facts: &Facts, of: &Use) -> Option<Kept> {
        if self.apart.is_empty() {
            return None;
        }
        let (places, atomic) = places(facts, of.expr);
        if places.is_empty() {
            return Some(Kept::All);
        }
        places.iter().find_map(|place| {
            // An atomic object is no part of these members.
            if place.members.is_empty() && place.ty.quals.is_atomic {
                return None;
            }
            // The address of another kind of object, or a structure that it is not.
            let known = |ty: &QualType| {
                let mut records = BTreeSet::new();
                records_in(facts, *ty, &mut records);
                let within = place.members.first().map(|(record, _)| *record);
                match (within, facts.local_types.types.get(place.ty)) {
                    (Some(record), _) => records.contains(&record),
                    (None, Type::Record(record)) => records.contains(record),
                    _ => records.is_empty(),
                }
            };
            if !of.types.iter().all(known) {
                return Some(Kept::All);
            }
            if !atomic && self.is_within(facts, place) {
                return None;
            }
            // What lies in it is accessed with it.
            let mut records = BTreeSet::new();
            records_in(facts, place.ty, &mut records);
            let all = self.apart.iter();
            let kept = all.filter(|m| records.contains(&m.0) || place.members.contains(m));
            let kept: BTreeSet<Member> = kept.copied().collect();
            (!kept.is_empty()).then_some(Kept::These(kept))
        })
    }
}

/// Members that are no ordinary memory.
enum Kept {
    These(BTreeSet<Member>),
    All,
}

/// The places that an access touches, and whether it is an atomic operation; none if they are not known.
fn places(facts: &Facts, access: ExprId) -> (Vec<Place>, bool) {
    let tree = facts.tree;
    let ExprKind::Call { args, .. } = &tree.exprs[access].kind else {
        let place = Place {
            members: members(facts, access),
            ty: tree.exprs[access].ty,
        };
        let atomic = place.ty.quals.is_atomic;
        return (vec![place], atomic);
    };
    let atomic = name_of(tree, access).and_then(operation).is_some();
    // The other arguments of an atomic operation point to objects that it accesses besides.
    let of = if atomic { 1 } else { args.len() };
    let pointers = args.iter().take(of);
    let pointers = pointers.filter(|a| {
        matches!(
            tree.type_of(tree.exprs[**a].ty),
            Type::Pointer(_) | Type::Array(..)
        )
    });
    let places: Option<Vec<Place>> = pointers.map(|a| pointed(facts, *a)).collect();
    (places.unwrap_or_default(), atomic)
}

/// The place to which an argument points.
fn pointed(facts: &Facts, argument: ExprId) -> Option<Place> {
    let tree = facts.tree;
    let ty = tree.exprs[argument].ty;
    match &tree.exprs[argument].kind {
        ExprKind::AddressOf(of) => Some(Place {
            members: members(facts, *of),
            ty: tree.exprs[*of].ty,
        }),
        ExprKind::Cast(of) => pointed(facts, *of),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            let is_integer = |e: ExprId| tree.types.is_integer(tree.exprs[e].ty);
            pointed(facts, if is_integer(*a) { *b } else { *a })
        }
        // An array is an address, and what is behind its end no part of it.
        _ if matches!(tree.type_of(ty), Type::Array(..)) => Some(Place {
            members: members(facts, argument),
            ty,
        }),
        _ => tree.types.pointee(ty).map(|ty| Place {
            members: Vec::new(),
            ty,
        }),
    }
}

/// The members in which an lvalue lies, outermost first.
fn members(facts: &Facts, mut lvalue: ExprId) -> Vec<Member> {
    let tree = facts.tree;
    let is_array = |e: ExprId| matches!(tree.type_of(tree.exprs[e].ty), Type::Array(..));
    let mut found = Vec::new();
    loop {
        lvalue = match &tree.exprs[lvalue].kind {
            ExprKind::Member {
                base, arrow, path, ..
            } => {
                found.extend(path.iter().rev().copied());
                match arrow {
                    true if !is_array(*base) => break,
                    _ => *base,
                }
            }
            ExprKind::Index { base, .. } if is_array(*base) => *base,
            ExprKind::Deref(of) if is_array(*of) => *of,
            _ => break,
        };
    }
    found.reverse();
    found
}

/// The structures and unions in a type.
fn records_in(facts: &Facts, ty: QualType, found: &mut BTreeSet<RecordId>) {
    let types = &facts.local_types.types;
    match types.get(ty) {
        Type::Array(of, _) => records_in(facts, *of, found),
        Type::Record(record) if found.insert(*record) => {
            for member in types.records[*record].members.iter().flatten() {
                records_in(facts, member.ty, found);
            }
        }
        _ => {}
    }
}

/// Whether an atomic object is a part of an object of a type.
fn has_atomic(facts: &Facts, ty: QualType) -> bool {
    if ty.quals.is_atomic {
        return true;
    }
    let types = &facts.local_types.types;
    match types.get(ty) {
        Type::Array(of, _) => has_atomic(facts, *of),
        Type::Record(record) => {
            let members = types.records[*record].members.as_deref();
            members.is_none_or(|all| all.iter().any(|m| has_atomic(facts, m.ty)))
        }
        _ => false,
    }
}
