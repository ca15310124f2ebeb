//! The known places of lvalues: elements of arrays by their index, or by the local variable that is
//! the index; members of structures by name.

use std::collections::BTreeSet;

use cfront::span::ObjectId;
use cfront::tree::{BinaryOp, ExprKind, Resolved, Storage};
use cfront::types::{QualType, Type};
use cfront::{ExprId, Memory};

use super::Lower;
use crate::code::{Access, Part, Place, Pointer};
use crate::library::name_of;

/// A place with the type of the object there.
pub(super) type Typed = (Place, QualType);

impl Lower<'_, '_> {
    /// The known value of a pointer.
    pub(super) fn pointer(&self, e: ExprId) -> Option<Pointer> {
        let ty = self.facts.tree.exprs[e].ty;
        self.facts.tree.types.pointee(ty)?;
        match self.pointed(e) {
            Some((place, ty)) if place.is_constant() => Some(Pointer::To(place, ty)),
            _ => self.number(e).map(Pointer::Number),
        }
    }

    /// The known value of a pointer that is assigned now; an allocating call creates new memory.
    pub(super) fn made_here(&mut self, ty: QualType, e: ExprId) -> Option<Pointer> {
        let tree = self.facts.tree;
        let call = tree.uncast(e);
        let is_call = matches!(tree.exprs[call].kind, ExprKind::Call { .. });
        let name = name_of(tree, call).filter(|_| is_call);
        let allocates = matches!(name, Some("malloc" | "calloc"))
            && self
                .facts
                .called(call)
                .is_none_or(|f| tree.functions[f].body.is_none());
        if !allocates {
            return self.pointer(e);
        }
        let memory = Memory::Made(call);
        // Memory from an earlier execution of the call is another piece.
        let same = |p: &Pointer| matches!(p, Pointer::To(place, _) if place.memory == memory);
        self.env.pointers.retain(|_, p| !same(p));
        self.env.held.retain(|p| p.memory != memory);
        self.env.handles.begin(memory);
        let parts = vec![Part::Index(0)];
        let to = tree.types.pointee(ty)?;
        Some(Pointer::To(Place { memory, parts }, to))
    }

    /// The number that a pointer was converted from, or that a pointer is converted to.
    pub(super) fn number(&self, e: ExprId) -> Option<i128> {
        let tree = self.facts.tree;
        match tree.exprs[e].kind {
            ExprKind::Cast(of) => {
                let is_pointer = matches!(tree.type_of(tree.exprs[e].ty), Type::Pointer(_));
                let value = self.value_of(of)?;
                (is_pointer || self.fits(tree.exprs[e].ty, value)).then_some(value)
            }
            ExprKind::Ident(Resolved::Object(o)) => match self.env.pointers.get(&self.name(o)?)? {
                Pointer::Number(value) => Some(*value),
                Pointer::To(..) => None,
            },
            _ => None,
        }
    }

    /// Records the known value of a pointer that nothing points to.
    pub(super) fn know_pointer(&mut self, object: ObjectId, value: Option<Pointer>) {
        let o = &self.facts.tree.objects[object];
        let automatic = !o.is_static_duration() && !self.facts.address_taken.contains(&object);
        let is_pointer = matches!(self.facts.tree.type_of(o.ty), Type::Pointer(_));
        let Some(name) = self.name(object).filter(|_| automatic && is_pointer) else {
            return;
        };
        match value {
            Some(value) => self.env.pointers.insert(name, value),
            None => self.env.pointers.remove(&name),
        };
    }

    /// The place that a pointer points to, if it has the pointer's type and does not change.
    pub(super) fn path_of(&self, pointer: ExprId) -> Option<Place> {
        self.place_of(pointer).filter(Place::is_constant)
    }

    /// The place that a pointer points to, if it has the pointer's type.
    pub(super) fn place_of(&self, pointer: ExprId) -> Option<Place> {
        let to = self
            .facts
            .tree
            .types
            .pointee(self.facts.tree.exprs[pointer].ty)?;
        let (place, ty) = self.pointed(pointer)?;
        (ty.ty == to.ty).then_some(place)
    }

    /// The place of an lvalue, if it does not change.
    pub(super) fn path(&self, lvalue: ExprId) -> Option<Place> {
        let (place, _) = self.located(lvalue)?;
        Some(place).filter(Place::is_constant)
    }

    fn pointed(&self, pointer: ExprId) -> Option<Typed> {
        let tree = self.facts.tree;
        let ty = tree.exprs[pointer].ty;
        match &tree.exprs[pointer].kind {
            ExprKind::Cast(of) => self.pointed(*of),
            ExprKind::AddressOf(of) => self.located(*of),
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                let (base, by) = match tree.types.pointee(tree.exprs[*a].ty) {
                    Some(_) => (*a, *b),
                    None => (*b, *a),
                };
                let from = self.pointed(base)?;
                let by = Part::Index(self.value_of(by)?);
                moved(from, by, tree.types.pointee(ty)?)
            }
            _ if matches!(tree.type_of(ty), Type::Array(..)) => {
                let (mut place, _) = self.located(pointer)?;
                place.parts.push(Part::Index(0));
                Some((place, tree.types.pointee(ty)?))
            }
            ExprKind::Ident(Resolved::Object(o)) => {
                let known = self.name(*o).and_then(|n| self.env.pointers.get(&n));
                match known {
                    Some(Pointer::To(place, ty)) => Some((place.clone(), *ty)),
                    _ => self.only_object(pointer),
                }
            }
            _ => self.only_object(pointer),
        }
    }

    /// The object that a pointer points to, if there is only one and it has the pointer's type.
    fn only_object(&self, pointer: ExprId) -> Option<Typed> {
        let tree = self.facts.tree;
        let places = self.facts.aliases.pointed_to(pointer);
        let memory = self.facts.aliases.memory(&places);
        let [memory] = memory.into_iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        let to = tree.types.pointee(tree.exprs[pointer].ty)?;
        let whole = match memory {
            Memory::Object(o) => self.is_single(o) && tree.objects[o].ty.ty == to.ty,
            // The number of allocations is known only after lowering.
            Memory::Made(e) => self.makes_one(e, to),
        };
        let surely = whole && !places.anything;
        let parts = Vec::new();
        surely.then_some((Place { memory, parts }, to))
    }

    /// Whether a call allocates memory for one object of a structure type.
    fn makes_one(&self, call: ExprId, ty: QualType) -> bool {
        let tree = self.facts.tree;
        let Some(ExprKind::Call { args, .. }) = tree.exprs.get(call).map(|e| &e.kind) else {
            return false;
        };
        let [size] = args[..] else {
            return false;
        };
        let of = match &tree.exprs[size].kind {
            ExprKind::SizeofType(of) => *of,
            ExprKind::SizeofExpr(e) => tree.exprs[*e].ty,
            _ => return false,
        };
        matches!(tree.type_of(ty), Type::Record(_)) && of.ty == ty.ty
    }

    fn located(&self, lvalue: ExprId) -> Option<Typed> {
        let tree = self.facts.tree;
        let ty = tree.exprs[lvalue].ty;
        let as_told =
            |(place, there): Typed, told: QualType| (there.ty == told.ty).then_some(place);
        match &tree.exprs[lvalue].kind {
            ExprKind::Ident(Resolved::Object(o)) if self.is_single(*o) => {
                let memory = Memory::Object(*o);
                let parts = Vec::new();
                Some((Place { memory, parts }, tree.objects[*o].ty))
            }
            ExprKind::Member {
                base,
                arrow,
                name,
                path,
            } => {
                // The members of a union overlap.
                if path.iter().any(|&(r, _)| tree.types.records[r].is_union) {
                    return None;
                }
                let mut place = match arrow {
                    true => {
                        let to = tree.types.pointee(tree.exprs[*base].ty)?;
                        as_told(self.pointed(*base)?, to)?
                    }
                    false => self.located(*base)?.0,
                };
                place.parts.push(Part::Member(name.clone()));
                Some((place, ty))
            }
            ExprKind::Deref(pointer) => Some((as_told(self.pointed(*pointer)?, ty)?, ty)),
            ExprKind::Index { base, index } => {
                let (base, index) = match tree.types.pointee(tree.exprs[*base].ty) {
                    Some(_) => (*base, *index),
                    None => (*index, *base),
                };
                let index = match self.value_of(index) {
                    Some(value) => Part::Index(value),
                    None => Part::Variable(self.steady_variable(index)?),
                };
                moved(self.pointed(base)?, index, ty)
            }
            _ => None,
        }
    }

    /// The name of a local variable that nothing points to.
    fn steady_variable(&self, e: ExprId) -> Option<String> {
        let ExprKind::Ident(Resolved::Object(o)) = self.facts.tree.exprs[e].kind else {
            return None;
        };
        let object = &self.facts.tree.objects[o];
        let automatic = matches!(object.storage, Storage::Local | Storage::Parameter);
        let steady = automatic && !self.facts.address_taken.contains(&o);
        self.name(o).filter(|_| steady)
    }

    /// Whether an object exists once in the program: it is static, or a local of `main`.
    fn is_single(&self, object: ObjectId) -> bool {
        let o = &self.facts.tree.objects[object];
        if o.is_static_duration() {
            return !o.thread_local;
        }
        let main = self.out.threads[0].function;
        o.function == Some(main) && !self.facts.graph.is_recursive(main)
    }

    // Mutexes that are held ---------------------------------------------------------------------

    /// Records that the thread takes a mutex.
    pub(super) fn takes(&mut self, mutex: Option<Place>) {
        if let Some(mutex) = mutex {
            self.env.held.insert(mutex);
        }
    }

    /// Records that the thread releases a mutex. Returns its place, if it surely was taken as this
    /// place, or does not change.
    pub(super) fn gives(&mut self, mutex: Option<Place>) -> Option<Place> {
        let Some(mutex) = mutex else {
            self.env.held.clear();
            return None;
        };
        let surely = self.env.held.remove(&mutex) || mutex.is_constant();
        self.env.held.retain(|other| other.is_apart(&mutex));
        Some(mutex).filter(|_| surely)
    }

    /// Forgets a variable's value, and the held mutexes whose places have it as an index.
    pub(super) fn forget_name(&mut self, name: &str) {
        self.env.known.remove(name);
        self.env.pointers.remove(name);
        let by_it = |p: &Part| matches!(p, Part::Variable(n) if n == name);
        self.env.held.retain(|place| !place.parts.iter().any(by_it));
    }

    /// Adds to an access the part of an object that it concerns, and the held mutexes with the same
    /// index.
    pub(super) fn detail(&self, access: &mut Access) {
        let tree = self.facts.tree;
        let function = self.frame().function;
        let is_here =
            self.facts
                .idents_in(tree.exprs[access.expr].span)
                .all(|i| match tree.exprs[i].kind {
                    ExprKind::Ident(Resolved::Object(o)) => {
                        let o = &tree.objects[o];
                        let automatic = matches!(o.storage, Storage::Local | Storage::Parameter);
                        !automatic || o.function == Some(function)
                    }
                    _ => true,
                });
        if !is_here || self.facts.graph.is_recursive(function) {
            return;
        }
        let Some((place, _)) = self.located(access.expr) else {
            return;
        };
        access.under = self
            .env
            .held
            .iter()
            .flat_map(|m| together(m, &place))
            .collect();
        access.place = Some(place);
    }
}

/// The element of an array at a distance from another one.
fn moved((mut place, there): Typed, by: Part, ty: QualType) -> Option<Typed> {
    let at = match (place.parts.pop()?, by) {
        (Part::Index(a), Part::Index(b)) => Part::Index(a.checked_add(b)?),
        (Part::Index(0), by) => by,
        _ => return None,
    };
    place.parts.push(at);
    (there.ty == ty.ty).then_some((place, ty))
}

/// The mutexes of the same array, one for each common index of a held mutex and an element; the
/// index in the mutex's place is replaced by the element's.
fn together(mutex: &Place, element: &Place) -> BTreeSet<Place> {
    let mut all = BTreeSet::new();
    for (at, part) in element.parts.iter().enumerate() {
        if matches!(part, Part::Member(_)) {
            continue;
        }
        let same = |p: &Part| p == part;
        let before = &element.parts[..at];
        if before.iter().any(|p| matches!(p, Part::Variable(_))) {
            break;
        }
        for k in (0..mutex.parts.len()).filter(|&k| same(&mutex.parts[k])) {
            let mut place = mutex.clone();
            place.parts[k] = Part::Variable(format!("index of {:?} {before:?}", element.memory));
            let others = place.parts.iter().enumerate().filter(|(i, _)| *i != k);
            if others
                .into_iter()
                .all(|(_, p)| !matches!(p, Part::Variable(_)))
            {
                all.insert(place);
            }
        }
    }
    all
}
