//! Parts of objects: which member or element an access concerns, and whether two accesses are of
//! different memory locations.

use cfront::span::{Id as _, ObjectId, RecordId};
use cfront::tree::{BinaryOp, ExprKind, Resolved, Storage};
use cfront::types::{QualType, Type};
use cfront::{consteval, ExprId, Memory};

use super::state::{State, Value};
use crate::facts::Facts;

/// A step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    /// The memory location of a member: the index of the member, or of the first of the bit-fields
    /// that are one memory location with it (C11, 3.14).
    Member(RecordId, usize),
    /// An element, by its index if that is constant.
    Element(Option<i128>),
}

/// A part of an object or of allocated memory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Path {
    /// The object or allocation.
    pub memory: Memory,
    /// The way from there.
    pub steps: Vec<Step>,
}

/// A path with the type of the object there.
pub(super) type Located = (Path, QualType);

impl Path {
    /// Whether all its indices are constant.
    pub fn is_constant(&self) -> bool {
        !self.steps.contains(&Step::Element(None))
    }
}

/// Whether two ways from one object lead to parts that do not overlap.
pub(super) fn steps_are_apart(a: &[Step], b: &[Step]) -> bool {
    for (a, b) in a.iter().zip(b) {
        match (a, b) {
            (Step::Member(r, i), Step::Member(s, j)) if r == s => {
                if i != j {
                    return true;
                }
            }
            (Step::Element(Some(i)), Step::Element(Some(j))) => {
                if i != j {
                    return true;
                }
            }
            (Step::Element(_), Step::Element(_)) => {}
            _ => return false,
        }
    }
    false
}

/// The places of lvalues and the targets of pointers where a state holds.
pub(super) struct Places<'a, 'u> {
    pub facts: &'a Facts<'u>,
    pub state: &'a State,
}

impl Places<'_, '_> {
    /// The place of an lvalue, if it is known up to indices.
    pub fn located(&self, lvalue: ExprId) -> Option<Located> {
        let tree = self.facts.tree;
        match &tree.exprs[lvalue].kind {
            ExprKind::Ident(Resolved::Object(o)) => {
                let memory = Memory::Object(*o);
                let steps = Vec::new();
                Some((Path { memory, steps }, tree.objects[*o].ty))
            }
            ExprKind::Member {
                base, arrow, path, ..
            } => {
                let from = match arrow {
                    true => self.target(*base)?,
                    false => self.located(*base)?,
                };
                self.member(from, path)
            }
            ExprKind::Index { base, index } => {
                let (base, index) = match self.is_address(*base) {
                    true => (*base, *index),
                    false => (*index, *base),
                };
                let (mut path, _) = self.pointed(base)?;
                moved(&mut path, self.number(index));
                Some((path, tree.exprs[lvalue].ty))
            }
            ExprKind::Deref(pointer) => self.target(*pointer),
            _ => None,
        }
    }

    fn member(&self, from: Located, path: &[(RecordId, usize)]) -> Option<Located> {
        let types = &self.facts.tree.types;
        let (mut place, mut ty) = from;
        for &(record, index) in path {
            let members = types.records[record].members.as_ref()?;
            if types.records[record].is_union || *types.get(ty) != Type::Record(record) {
                return None;
            }
            place
                .steps
                .push(Step::Member(record, location_of(members, index)));
            ty = members.get(index)?.ty;
        }
        (!path.is_empty()).then_some((place, ty))
    }

    fn is_address(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        let ty = tree.type_of(tree.exprs[e].ty);
        matches!(ty, Type::Array(..) | Type::Pointer(_))
    }

    /// What a pointer points to, if that has the pointer's type.
    fn target(&self, pointer: ExprId) -> Option<Located> {
        let tree = self.facts.tree;
        let to = tree.types.pointee(tree.exprs[pointer].ty)?;
        self.pointed(pointer).filter(|(_, ty)| ty.ty == to.ty)
    }

    /// The place that a pointer points to, with the type of the object there.
    pub fn pointed(&self, e: ExprId) -> Option<Located> {
        let tree = self.facts.tree;
        let ty = tree.exprs[e].ty;
        match &tree.exprs[e].kind {
            ExprKind::Cast(of) => self.pointed(*of),
            ExprKind::AddressOf(of) => self.located(*of),
            ExprKind::Assign { op: None, rhs, .. } => self.pointed(*rhs),
            ExprKind::Comma(list) => self.pointed(*list.last()?),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (base, by) = match self.is_address(*a) {
                    true => (*a, *b),
                    false => (*b, *a),
                };
                let (mut path, there) = self.pointed(base)?;
                let by = self.number(by);
                moved(
                    &mut path,
                    if *op == BinaryOp::Sub {
                        by.map(|n| -n)
                    } else {
                        by
                    },
                );
                // A number of other elements, such as bytes, leads elsewhere.
                let to = tree.types.pointee(tree.exprs[base].ty)?;
                (to.ty == there.ty).then_some((path, there))
            }
            _ if matches!(tree.type_of(ty), Type::Array(..)) => {
                let (mut path, _) = self.located(e)?;
                path.steps.push(Step::Element(Some(0)));
                Some((path, tree.types.pointee(ty)?))
            }
            ExprKind::Ident(Resolved::Object(o)) => match self.state.known.get(o) {
                Some(Value::Pointer(path, ty)) => Some((path.clone(), *ty)),
                _ => self.only_target(e),
            },
            _ => self.only_target(e),
        }
    }

    /// The object that a pointer points to, if there is only one, of the pointer's type.
    fn only_target(&self, pointer: ExprId) -> Option<Located> {
        let tree = self.facts.tree;
        let to = tree.types.pointee(tree.exprs[pointer].ty)?;
        let places = self.facts.aliases.pointed_to(pointer);
        let mut memory = self.facts.aliases.memory(&places).into_iter();
        let (memory, None, false) = (memory.next()?, memory.next(), places.anything) else {
            return None;
        };
        let whole = match memory {
            Memory::Object(o) => tree.objects[o].ty.ty == to.ty,
            Memory::Made(call) => {
                let known = call.index() < tree.exprs.len();
                let made = known
                    .then(|| cfront::allocations::allocated(tree, call))
                    .flatten();
                made.is_some_and(|made| made.elements.is_none() && made.ty.ty == to.ty)
            }
        };
        let steps = Vec::new();
        whole.then_some((Path { memory, steps }, to))
    }

    /// The value of an integer, if it is known.
    pub fn number(&self, e: ExprId) -> Option<i128> {
        let known = |o: ObjectId| match self.state.known.get(&o) {
            Some(Value::Number(n)) => Some(*n),
            _ => self.facts.constants.get(&o).copied(),
        };
        consteval::eval_where(self.facts.tree, e, &known)
    }

    /// The value of an expression, if it is known and no other thread can change it.
    pub fn value(&self, e: ExprId) -> Option<Value> {
        if let Some((path, ty)) = self.pointer(e) {
            return Some(Value::Pointer(path, ty));
        }
        let tree = self.facts.tree;
        let e = tree.uncast(e);
        if let ExprKind::Ident(Resolved::Object(o)) = tree.exprs[e].kind {
            if let Some(value) = self.state.known.get(&o) {
                return Some(value.clone());
            }
        }
        self.number(e).map(Value::Number)
    }

    fn pointer(&self, e: ExprId) -> Option<Located> {
        self.is_address(e).then(|| self.pointed(e)).flatten()
    }
}

/// Moves a path to another element of its array.
fn moved(path: &mut Path, by: Option<i128>) {
    if let Some(Step::Element(at)) = path.steps.last_mut() {
        *at = (*at).zip(by).map(|(at, by)| at + by);
    } else if by != Some(0) {
        // An object counts as an array of one element, but the path then does not tell which.
        path.steps.push(Step::Element(None));
    }
}

/// The index of the first member of the memory location that a member belongs to: bit-fields beside
/// each other are one location, unless one of width 0 stands between them.
fn location_of(members: &[cfront::types::Member], index: usize) -> usize {
    let mut first = index;
    let joined = |i: usize| members[i].is_bit_field && members[i].bits != Some(0);
    if !members.get(index).is_some_and(|m| m.is_bit_field) {
        return index;
    }
    while first > 0 && joined(first - 1) {
        first -= 1;
    }
    first
}

/// The members of records by which an lvalue leads from a pointer, and elements behind them: what is
/// known of an access even if the pointer is not.
pub(super) fn suffix(facts: &Facts, lvalue: ExprId) -> Vec<Step> {
    let tree = facts.tree;
    let mut steps = Vec::new();
    let mut at = lvalue;
    loop {
        match &tree.exprs[at].kind {
            ExprKind::Member {
                base, arrow, path, ..
            } => {
                for &(record, index) in path.iter().rev() {
                    let of = &tree.types.records[record];
                    let members = of.members.as_deref().unwrap_or_default();
                    if of.is_union {
                        // What stands in a union overlaps.
                        steps.clear();
                    } else {
                        steps.push(Step::Member(record, location_of(members, index)));
                    }
                }
                if *arrow {
                    break;
                }
                at = *base;
            }
            ExprKind::Index { base, index } => {
                let is_array = matches!(tree.type_of(tree.exprs[*base].ty), Type::Array(..));
                let number = consteval::eval(tree, *index);
                steps.push(Step::Element(number));
                if !is_array {
                    break;
                }
                at = *base;
            }
            _ => break,
        }
    }
    while matches!(steps.last(), Some(Step::Element(_))) {
        steps.pop();
    }
    steps.reverse();
    steps
}

/// Whether the object is of one activation of a function.
pub(super) fn is_automatic(facts: &Facts, object: ObjectId) -> bool {
    let storage = facts.tree.objects[object].storage;
    matches!(storage, Storage::Local | Storage::Parameter)
}
