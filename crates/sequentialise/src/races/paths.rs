//! Which part of an object an lvalue designates, and a pointer points to.

use cfront::span::{Id as _, ObjectId, RecordId};
use cfront::tree::{BinaryOp, ExprKind, Resolved, Storage};
use cfront::types::{QualType, Type};
use cfront::{allocations, consteval, ExprId, Memory};

use super::parts::{Located, Path, Step};
use super::state::{State, Value};
use crate::facts::Facts;

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
                let (mut path, there) = self.pointed(base)?;
                moved(&mut path, self.index(index));
                // Elements of another size are parts of these, or of several.
                let ty = tree.exprs[lvalue].ty;
                let size = |ty| consteval::size_of(tree, ty);
                let same = ty.ty == there.ty || size(ty).is_some_and(|s| Some(s) == size(there));
                same.then_some((path, ty))
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
            ExprKind::Call { .. } => self.allocated(e).or_else(|| self.only_target(e)),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (base, by) = match self.is_address(*a) {
                    true => (*a, *b),
                    false => (*b, *a),
                };
                let (mut path, there) = self.pointed(base)?;
                let by = match (op, self.index(by)) {
                    (BinaryOp::Sub, Some(Value::Number(n))) => Some(Value::Number(-n)),
                    (BinaryOp::Sub, _) => None,
                    (_, by) => by,
                };
                moved(&mut path, by);
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

    /// The first element of the array that a call allocates.
    fn allocated(&self, call: ExprId) -> Option<Located> {
        let tree = self.facts.tree;
        let several = || allocations::allocated_several(tree, call).map(|(ty, _)| ty);
        let array = allocations::allocated(tree, call).filter(|made| made.elements.is_some());
        let ty = array.map(|made| made.ty).or_else(several)?;
        let path = Path {
            memory: Memory::Made(call),
            steps: vec![Step::Element(Some(0))],
        };
        Some((path, ty))
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
                let made = known.then(|| allocations::allocated(tree, call)).flatten();
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

    /// The value of an index, if it is known.
    fn index(&self, e: ExprId) -> Option<Value> {
        let value = self.value(e);
        value.filter(|value| matches!(value, Value::Number(_) | Value::Own(..) | Value::Apart(..)))
    }

    /// The value of an expression, if it is known and no other thread can change it.
    pub fn value(&self, e: ExprId) -> Option<Value> {
        if let Some((path, ty)) = self.pointer(e) {
            return Some(Value::Pointer(path, ty));
        }
        let tree = self.facts.tree;
        let known = match tree.exprs[e].kind {
            ExprKind::Cast(of) => self.value(of),
            ExprKind::Ident(Resolved::Object(o)) => self.state.known.get(&o).cloned(),
            _ => None,
        };
        match known {
            Some(value) => converted(self.facts, value, tree.exprs[e].ty),
            None => self.number(e).map(Value::Number),
        }
    }

    fn pointer(&self, e: ExprId) -> Option<Located> {
        self.is_address(e).then(|| self.pointed(e)).flatten()
    }
}

/// A value converted to a type, if it is known then.
pub(super) fn converted(facts: &Facts, value: Value, ty: QualType) -> Option<Value> {
    let tree = facts.tree;
    let is_pointer = matches!(tree.type_of(ty), Type::Pointer(_));
    match value {
        _ if is_pointer => Some(value),
        Value::Number(n) => consteval::converted(tree, ty, n).map(Value::Number),
        // Narrower types, and `_Bool`, do not tell them from each other.
        Value::Own(_, width) | Value::Apart(_, width) => {
            let bytes = tree.types.int_kind(ty).and(consteval::size_of(tree, ty))?;
            (8 * bytes >= u64::from(width)).then_some(value)
        }
        // A pointer that becomes an integer, and back, where that is wide enough.
        Value::Pointer(..) => {
            (consteval::size_of(tree, ty) == Some(tree.types.model.pointer.into())).then_some(value)
        }
        Value::Tried(..) => Some(value),
    }
}

/// Moves a path to another element of its array.
fn moved(path: &mut Path, by: Option<Value>) {
    match (path.steps.last_mut(), by) {
        (Some(Step::Element(Some(at))), Some(Value::Number(by))) => *at += by,
        (Some(step @ Step::Element(Some(0))), Some(Value::Own(call, _))) => *step = Step::Own(call),
        (Some(step @ Step::Element(Some(0))), Some(Value::Apart(calls, _))) => {
            *step = Step::Apart(calls);
        }
        (Some(Step::Own(_) | Step::Apart(_)), Some(Value::Number(0))) => {}
        (Some(step @ (Step::Element(_) | Step::Own(_) | Step::Apart(_))), _) => {
            *step = Step::Element(None);
        }
        (_, Some(Value::Number(0))) => {}
        // An object counts as an array of one element, but the path then does not tell which.
        _ => path.steps.push(Step::Element(None)),
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
    while matches!(
        steps.last(),
        Some(Step::Element(_) | Step::Own(_) | Step::Apart(_))
    ) {
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

/// The local pointer from which members lead to an lvalue.
pub(super) fn base_pointer(tree: &cfront::tree::Tree, lvalue: ExprId) -> Option<ObjectId> {
    let mut at = lvalue;
    loop {
        match &tree.exprs[at].kind {
            ExprKind::Member { base, arrow, .. } => {
                if *arrow {
                    return match tree.exprs[tree.uncast(*base)].kind {
                        ExprKind::Ident(Resolved::Object(o)) => Some(o),
                        _ => None,
                    };
                }
                at = *base;
            }
            ExprKind::Index { base, .. }
                if matches!(tree.type_of(tree.exprs[*base].ty), Type::Array(..)) =>
            {
                at = *base;
            }
            ExprKind::Deref(pointer) => {
                return match tree.exprs[tree.uncast(*pointer)].kind {
                    ExprKind::Ident(Resolved::Object(o)) => Some(o),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}
