//! What may be undefined in C, and neither a model checker nor a compiler's sanitizer sees: writes to objects that are `const` and on the
//! stack or have such members, locals that a `longjmp` leaves without a value, arguments without names that are read as others than
//! they are, truth values that are neither 0 nor 1, and objects that an expression changes and uses through a pointer, without an order.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};

use crate::alias::{Aliases, Assumptions, Memory};
use crate::flow::Flow;
use crate::library::plain_name;
use crate::span::{ExprId, FunctionId, RecordId};
use crate::tree::{ExprKind, Resolved, Tree};
use crate::types::{QualType, Type};
use crate::CallGraph;

mod aliased;
mod constants;
mod saved;
mod truth;
mod variadic;

/// The first place where a run may do something undefined that nothing checks, and what that is; among expressions that may run. The
/// analysis of pointers, if any construct needs it, is the most that it costs.
pub fn unchecked(
    tree: &Tree,
    flows: &HashMap<FunctionId, Flow>,
    may_run: impl Fn(ExprId) -> bool,
) -> Option<(ExprId, String)> {
    let whole_program = true;
    let aliases = LazyCell::new(|| Aliases::new(tree, Assumptions { whole_program }));
    let aliases = || -> &Aliases { &aliases };
    let found = Found {
        tree,
        aliases: &aliases,
        may_run: &may_run,
    };
    found
        .constants()
        .or_else(|| found.truth())
        .or_else(|| found.saved(flows))
        .or_else(|| found.variadic())
        .or_else(|| found.aliased())
}

/// A program that is looked through.
struct Found<'a, 'b> {
    tree: &'a Tree,
    aliases: &'b dyn Fn() -> &'b Aliases,
    may_run: &'b dyn Fn(ExprId) -> bool,
}

impl Found<'_, '_> {
    /// The expressions that are evaluated and may run.
    fn running(&self) -> impl Iterator<Item = (ExprId, &ExprKind)> + '_ {
        let all = self.tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        all.filter(|(id, _)| (self.may_run)(*id))
            .map(|(id, e)| (id, &e.kind))
    }

    /// The memory to which a pointer may lead, and whether it may lead anywhere.
    fn memory(&self, pointer: ExprId) -> (BTreeSet<Memory>, bool) {
        let aliases = (self.aliases)();
        let locations = aliases.pointed_to(pointer);
        (aliases.memory(&locations), locations.anything)
    }

    /// The memory of which an lvalue may be a part, and whether that may be any.
    fn place(&self, lvalue: ExprId) -> (BTreeSet<Memory>, bool) {
        let aliases = (self.aliases)();
        let locations = aliases.designated(lvalue);
        (aliases.memory(&locations), locations.anything)
    }

    /// The name of the function that a call names, as the library calls it, if it has no body.
    fn of_library(&self, call: &ExprKind) -> Option<&str> {
        let ExprKind::Call { callee, .. } = call else {
            return None;
        };
        crate::calls::library_function(self.tree, *callee).map(plain_name)
    }

    /// What pointers of a type lead to: the elements of arrays.
    fn pointee(&self, ty: QualType) -> Option<QualType> {
        match self.tree.types.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => Some(self.element(*to)),
            _ => None,
        }
    }

    /// The elements of an array, of all dimensions; other types as they are.
    fn element(&self, mut ty: QualType) -> QualType {
        while let Type::Array(of, _) = self.tree.types.get(ty) {
            ty = *of;
        }
        ty
    }

    /// The structure or union of a type.
    fn record(&self, ty: QualType) -> Option<RecordId> {
        match self.tree.types.get(self.element(ty)) {
            Type::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// The type of memory that the program declares.
    fn type_of(&self, memory: Memory) -> Option<QualType> {
        match memory {
            Memory::Object(object) => Some(self.tree.objects[object].ty),
            // The arguments of `main` are made by no expression.
            Memory::Made(e) => match self.tree.exprs.get(e)? {
                literal if matches!(literal.kind, ExprKind::CompoundLiteral(_)) => Some(literal.ty),
                _ => None,
            },
        }
    }

    /// The name of memory.
    fn name(&self, memory: Memory) -> &str {
        match memory {
            Memory::Object(object) => &self.tree.objects[object].name,
            Memory::Made(_) => "a literal",
        }
    }

    /// The declared function that an expression names.
    fn named(&self, callee: ExprId) -> Option<FunctionId> {
        match self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => Some(f),
            _ => crate::calls::named_function(self.tree, callee),
        }
    }

    /// Who calls whom.
    fn calls(&self) -> CallGraph {
        CallGraph::resolved(self.tree, (self.aliases)())
    }
}

#[cfg(test)]
mod tests;
