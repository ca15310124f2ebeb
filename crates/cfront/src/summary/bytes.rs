//! Where pointers could hide: in numbers, in bytes, in objects of other types.
//!
//! Memory is bytes, whatever types C allows to be used. So that a pointer is where the points-to analysis sees one, and its value
//! is used for nothing but what the other program follows, each access through a pointer must be one of pointers, or one of what
//! has none; everything else is refused.

use super::memory::{Heap, Refusal};
use super::{holds_pointer, is_pointer};
use crate::alias::Memory;
use crate::allocations::library_name;
use crate::calls::named_function;
use crate::consteval::{eval, is_null};
use crate::library::{self, NoEffect};
use crate::span::{ExprId, RecordId};
use crate::tree::{ExprKind, InitKind, Parent, Resolved, StmtKind, Tree};
use crate::types::{QualType, Type};

/// Refuses a program in which a pointer may be something else.
///
/// # Errors
/// The first place.
pub(super) fn checked(heap: &Heap) -> Result<(), Refusal> {
    let views = Views {
        heap,
        tree: heap.tree,
    };
    for (id, expr) in heap.tree.exprs.iter() {
        let found = if expr.unevaluated {
            None
        } else {
            views.obstacle(id)
        };
        if let Some(why) = found {
            return Err((id, why.to_owned()));
        }
    }
    for (_, object) in heap.tree.objects.iter() {
        let Some(InitKind::Expr(e)) = object.init.map(|i| &heap.tree.inits[i].kind) else {
            continue;
        };
        if let Some(why) = views.converted(*e, object.ty) {
            return Err((*e, why.to_owned()));
        }
    }
    for (_, stmt) in heap.tree.stmts.iter() {
        let (StmtKind::Return(Some(e)), Some(f)) = (&stmt.kind, stmt.function) else {
            continue;
        };
        let function = heap.tree.types.function(heap.tree.functions[f].ty);
        if let Some(why) = function.and_then(|of| views.converted(*e, of.ret)) {
            return Err((*e, why.to_owned()));
        }
    }
    Ok(())
}

const NUMBER: &str = "a pointer becomes a number";
const MADE: &str = "a number becomes a pointer";
const BYTES: &str = "a pointer may be accessed as something else, or something else as a pointer";
const FUNCTION: &str = "a pointer to a function becomes one to an object, or the other way";

struct Views<'a> {
    heap: &'a Heap<'a>,
    tree: &'a Tree,
}

impl Views<'_> {
    fn obstacle(&self, id: ExprId) -> Option<&'static str> {
        let tree = self.tree;
        match &tree.exprs[id].kind {
            ExprKind::Deref(pointer)
            | ExprKind::Index { base: pointer, .. }
            | ExprKind::Member {
                base: pointer,
                arrow: true,
                ..
            } => self.accessed(*pointer),
            ExprKind::Cast(of) => match self.is_accessed_at_once(id) && eval(tree, *of).is_some() {
                true => None,
                false => self.converted(*of, tree.exprs[id].ty),
            },
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => self.converted(*rhs, tree.exprs[*lhs].ty),
            ExprKind::Call { callee, args, .. } => self.call(id, *callee, args),
            _ => None,
        }
    }

    /// Whether a pointer that is a number is used for nothing but an access: a register of the machine.
    fn is_accessed_at_once(&self, id: ExprId) -> bool {
        let Parent::Expr(around) = self.tree.exprs[id].parent else {
            return false;
        };
        match self.tree.exprs[around].kind {
            ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } => true,
            ExprKind::Index { base, .. } => base == id,
            ExprKind::Cast(_) => self.is_accessed_at_once(around),
            _ => is_given_to_library(self.tree, id),
        }
    }

    /// An access through a pointer.
    fn accessed(&self, pointer: ExprId) -> Option<&'static str> {
        let to = self.tree.types.pointee(self.tree.exprs[pointer].ty)?;
        let objects = self.objects(pointer);
        let fits = |object: &QualType| self.fits(*object, to);
        (!objects.iter().all(fits)).then_some(BYTES)
    }

    /// The types of the objects besides allocated memory that a pointer may lead to.
    fn objects(&self, pointer: ExprId) -> Vec<QualType> {
        let all = self.heap.memory(pointer).into_iter();
        let types = all.filter_map(|memory| match memory {
            Memory::Object(object) => Some(self.tree.objects[object].ty),
            Memory::Made(e) => {
                let known = crate::span::Id::index(e) < self.tree.exprs.len();
                let literal = known
                    && matches!(
                        self.tree.exprs[e].kind,
                        ExprKind::CompoundLiteral(_) | ExprKind::Str(_)
                    );
                literal.then(|| self.tree.exprs[e].ty)
            }
        });
        types.collect()
    }

    /// Whether an access with this type takes pointers of an object as pointers, and what is none as none.
    fn fits(&self, object: QualType, accessed: QualType) -> bool {
        let tree = self.tree;
        match tree.types.get(accessed) {
            Type::Void | Type::Function(_) => true,
            Type::Array(of, _) => self.fits(object, *of),
            Type::Record(record) => self.has_part(object, *record, 0),
            Type::Pointer(_) => {
                holds_pointer(tree, object, 0) && !self.has_union_of_pointers(object, 0)
            }
            Type::Unknown | Type::Vector(_) | Type::VaList => false,
            _ => !holds_pointer(tree, object, 0),
        }
    }

    fn has_part(&self, object: QualType, wanted: RecordId, depth: usize) -> bool {
        match self.tree.types.get(object) {
            _ if depth > 50 => false,
            Type::Array(of, _) => self.has_part(*of, wanted, depth + 1),
            Type::Record(record) if *record == wanted => true,
            Type::Record(record) => {
                let record = &self.tree.types.records[*record];
                let mut members = record.members.iter().flatten();
                members.any(|m| self.has_part(m.ty, wanted, depth + 1))
            }
            _ => false,
        }
    }

    fn has_union_of_pointers(&self, object: QualType, depth: usize) -> bool {
        match self.tree.types.get(object) {
            _ if depth > 50 => true,
            Type::Array(of, _) => self.has_union_of_pointers(*of, depth + 1),
            Type::Record(record) => {
                let record = &self.tree.types.records[*record];
                let mut members = record.members.iter().flatten();
                record.is_union && holds_pointer(self.tree, object, depth)
                    || members.any(|m| self.has_union_of_pointers(m.ty, depth + 1))
            }
            _ => false,
        }
    }

    /// A value that becomes one of this type.
    fn converted(&self, e: ExprId, to: QualType) -> Option<&'static str> {
        let types = &self.tree.types;
        if is_null(self.tree, e) {
            return None;
        }
        let from = self.tree.exprs[e].ty;
        let number = |ty| types.is_arithmetic(ty) && !matches!(types.get(ty), Type::Bool);
        let pointer_of = is_pointer(self.tree, from) || types.function(from).is_some();
        match types.get(to) {
            _ if pointer_of && number(to) => self.heap.leads_somewhere(e).then_some(NUMBER),
            Type::Pointer(_) if number(from) => Some(MADE),
            Type::Pointer(target) if pointer_of => {
                let to_function = matches!(types.get(*target), Type::Function(_));
                let own = types.pointee(from);
                let of_void = |ty: QualType| matches!(types.get(ty), Type::Void);
                let of_function = types.function(from).is_some();
                let any = of_void(*target) || own.is_some_and(of_void);
                if to_function != of_function && !any {
                    return Some(FUNCTION);
                }
                // Bytes become pointers.
                let stores = |ty: QualType| matches!(types.get(ty), Type::Pointer(_));
                let plain = |ty: QualType| types.is_arithmetic(ty);
                (stores(*target) && own.is_some_and(plain)).then_some(BYTES)
            }
            _ => None,
        }
    }

    /// The conversions of arguments, and a call of a function without a body: it may take the bytes of pointers.
    fn call(&self, id: ExprId, callee: ExprId, args: &[ExprId]) -> Option<&'static str> {
        let tree = self.tree;
        let function = named_function(tree, callee);
        let name = library_name(tree, id);
        let parameters = tree.types.function(tree.exprs[callee].ty);
        let mut passed = args.iter().zip(parameters.iter().flat_map(|of| &of.params));
        if let Some(why) = passed.find_map(|(e, ty)| self.converted(*e, *ty)) {
            return Some(why);
        }
        if function.is_some_and(|f| tree.functions[f].body.is_some()) {
            return None;
        }
        let of_pointers = |e: &&ExprId| {
            let mut objects = self.objects(**e).into_iter();
            !self.is_without_pointers(**e) && objects.any(|ty| holds_pointer(tree, ty, 0))
        };
        let given = args.iter().find(of_pointers);
        let Some(name) = name else {
            let outside = self.heap.calls_outside(callee) && given.is_some();
            return outside.then_some("a function that is not known gets pointers to pointers");
        };
        let row = library::function(name);
        let silent = row.is_some_and(|row| matches!(row.no_effect, Some(NoEffect::Silent(_))));
        if given.is_none() || silent || super::memory::allocates(name) {
            return None;
        }
        match (name, args) {
            ("free", _) | ("memset", _) => None,
            ("memcpy" | "memmove", [to, from, _]) => {
                let (to, from) = (self.objects(*to), self.objects(*from));
                let mut all = to.iter().chain(&from);
                let plain = |ty: QualType| self.element(ty).ty;
                let same = to.first().is_none_or(|first| {
                    all.all(|ty| plain(*ty) == plain(*first) && !self.has_union_of_pointers(*ty, 0))
                });
                (!same).then_some(BYTES)
            }
            _ => Some("a function of the library gets pointers to pointers"),
        }
    }

    /// The type of the elements of an array, or the type itself.
    fn element(&self, ty: QualType) -> QualType {
        match self.tree.types.get(ty) {
            Type::Array(of, _) => self.element(*of),
            _ => ty,
        }
    }

    /// Whether an argument is a part of an object that has no pointers, by its own type.
    fn is_without_pointers(&self, e: ExprId) -> bool {
        let of = match self.tree.exprs[e].kind {
            ExprKind::AddressOf(of) => of,
            _ => e,
        };
        let ty = self.tree.exprs[of].ty;
        let is_part = of != e || matches!(self.tree.types.get(ty), Type::Array(..));
        is_part && !holds_pointer(self.tree, ty, 0)
    }
}

/// Whether an expression is an object that other code defines, with pointers of which nothing is known. Arguments of functions of
/// the library are none, as `stderr`.
pub(super) fn comes_from_elsewhere(tree: &Tree, id: ExprId) -> bool {
    let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[id].kind else {
        return false;
    };
    let object = &tree.objects[object];
    !object.defined && holds_pointer(tree, object.ty, 0) && !is_given_to_library(tree, id)
}

/// Whether an expression is an argument of a function of the library.
fn is_given_to_library(tree: &Tree, id: ExprId) -> bool {
    let Parent::Expr(call) = tree.exprs[id].parent else {
        return false;
    };
    library_name(tree, call).is_some_and(|name| library::function(name).is_some())
}
