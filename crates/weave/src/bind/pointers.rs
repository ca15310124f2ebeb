//! Where a program passes pointers on: with which pointers threads end, and which pointers are stored in memory
//! that other threads may see. CBMC knows only for a thread's own stores what a pointer points to.

use std::collections::BTreeSet;

use cfront::span::{ExprId, FunctionId};
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind, Storage, Tree};
use cfront::types::{Class, QualType, Type};
use cfront::{library, Span};

use crate::bind::code::Code;

impl Code {
    /// The values that may point to memory with which threads of these start routines end: operands of a
    /// routine's `return`, and of any call of `pthread_exit`; each with the function around it.
    pub fn pointers_returned(&self, routines: &BTreeSet<FunctionId>) -> Vec<(FunctionId, Span)> {
        let unit = self.unit();
        let tree = &unit.tree;
        let returned = tree.stmts.iter().filter_map(|(_, stmt)| {
            let of_routine = stmt.function.filter(|f| routines.contains(f));
            match stmt.kind {
                StmtKind::Return(Some(e)) => Some((of_routine?, e)),
                _ => None,
            }
        });
        let exits = tree.exprs.iter().filter_map(|(id, expr)| {
            let ExprKind::Call { args, .. } = &expr.kind else {
                return None;
            };
            let named = name_of(tree, id) == Some("pthread_exit");
            let value = args.first().filter(|_| named)?;
            Some((tree.function_of(expr.parent)?, *value))
        });
        let found: Vec<(FunctionId, ExprId)> = returned.chain(exits).collect();
        let pointer = |&(_, e): &(FunctionId, ExprId)| {
            tree.types.class(tree.exprs[tree.uncast(e)].ty) != Class::Scalar
                && !self.aliases().pointed_to(e).is_empty()
        };
        let pointers = found.into_iter().filter(pointer);
        pointers.map(|(f, e)| (f, tree.exprs[e].span)).collect()
    }

    /// The stores of pointers in memory that other threads may see, besides assignments to pointers: assignments
    /// of structures and unions with pointers, and of integers that pointers were converted to; calls that write
    /// pointers through their arguments, atomic exchanges among them. `routines` are the functions with which
    /// threads begin. Linear in the program, after the points-to analysis.
    pub fn pointers_stored(&self, routines: &[FunctionId]) -> Vec<(FunctionId, Span)> {
        let unit = self.unit();
        let tree = &unit.tree;
        let converted = self.makes_pointers_of_integers();
        let stored = tree.exprs.iter().filter(|(id, expr)| {
            let stores = match &expr.kind {
                ExprKind::Assign { lhs, rhs, .. } => {
                    let ty = tree.exprs[*lhs].ty;
                    let may_hold = match tree.types.class(ty) {
                        Class::Record => may_hold_pointers(tree, ty),
                        Class::Scalar => converted && is_wide(tree, ty),
                        _ => false,
                    };
                    may_hold
                        && self.is_open(tree, *lhs)
                        && !self.aliases().pointed_to(*rhs).is_empty()
                }
                ExprKind::Call { .. } => self.is_stored_by_call(tree, *id, routines),
                _ => false,
            };
            stores && !expr.unevaluated
        });
        let placed = stored.filter_map(|(_, e)| Some((tree.function_of(e.parent)?, e.span)));
        placed.collect()
    }

    /// Whether an lvalue may be anything but an automatic object whose address is never taken.
    fn is_open(&self, tree: &Tree, lvalue: ExprId) -> bool {
        let (Some(object), false) = tree.root(lvalue) else {
            return true;
        };
        let automatic = matches!(
            tree.objects[object].storage,
            Storage::Local | Storage::Parameter
        ) && !tree.objects[object].is_static_duration();
        !automatic || !self.aliases().location_of(object).is_empty()
    }

    /// Whether a call of a function without body may write a pointer to memory that other threads may see.
    fn is_stored_by_call(&self, tree: &Tree, call: ExprId, routines: &[FunctionId]) -> bool {
        let row = name_of(tree, call).and_then(library::function);
        // The models of these write no pointers.
        if row.is_some_and(|f| f.primitive.is_some() || f.hands.is_some()) {
            return false;
        }
        let copies = row.is_some_and(|f| f.fills.is_some());
        let written = self.aliases().arguments_written(tree, call).into_iter();
        let pointers = |&arg: &ExprId| {
            let target = tree.types.pointee(tree.exprs[tree.uncast(arg)].ty);
            let class = target.map(|ty| tree.types.class(ty));
            if class == Some(Class::Pointer) {
                return true;
            }
            let bytes = copies && class == Some(Class::Scalar);
            let may_hold = bytes || target.is_none_or(|ty| may_hold_pointers(tree, ty));
            may_hold
                && self
                    .aliases()
                    .hold_pointers(&self.aliases().pointed_to(arg))
        };
        let mut stores = written.filter(pointers);
        stores.any(|arg| !self.aliases().stays_in_thread(tree, arg, routines))
    }

    /// Whether the program converts integers to pointers that point to something, except in arguments of
    /// functions without body, to which numbers are given as pointers.
    fn makes_pointers_of_integers(&self) -> bool {
        let unit = self.unit();
        let tree = &unit.tree;
        let given = |parent: Parent| match parent {
            Parent::Expr(call) => name_of(tree, call).is_some_and(|name| {
                let of_compiler = ["__atomic_", "__sync_", "__builtin_"];
                let accesses = of_compiler.iter().any(|prefix| name.starts_with(prefix));
                !accesses && library::function(name).is_some()
            }),
            _ => false,
        };
        let mut casts = tree.exprs.iter().filter(|(_, expr)| {
            let ExprKind::Cast(of) = expr.kind else {
                return false;
            };
            tree.types.class(expr.ty) == Class::Pointer
                && is_wide(tree, tree.exprs[of].ty)
                && !given(expr.parent)
        });
        casts.any(|(id, _)| !self.aliases().pointed_to(id).is_empty())
    }
}

/// Whether a type is that of integers that can hold a pointer.
fn is_wide(tree: &Tree, ty: QualType) -> bool {
    tree.types
        .int_kind(ty)
        .is_some_and(|kind| tree.types.bits(kind) >= tree.types.model.pointer)
}

/// Whether values of a type may have parts that are pointers, or integers that can hold one.
fn may_hold_pointers(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(of, _) => may_hold_pointers(tree, *of),
        Type::Record(record) => {
            let mut members = tree.types.records[*record].members.iter().flatten();
            members.any(|m| may_hold_pointers(tree, m.ty))
        }
        Type::Bool | Type::Float(_) | Type::Complex(_) | Type::Enum(_) => false,
        Type::Int(_) => is_wide(tree, ty),
        _ => true,
    }
}

/// The name of the function without body that a call names.
fn name_of(tree: &Tree, call: ExprId) -> Option<&str> {
    let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    match &tree.exprs[*callee].kind {
        ExprKind::Ident(Resolved::Unknown(name)) => Some(name),
        ExprKind::Ident(Resolved::Function(f)) if tree.functions[*f].body.is_none() => {
            Some(&tree.functions[*f].name)
        }
        _ => None,
    }
}
