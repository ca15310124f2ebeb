//! Arguments without names that may be read as of another type than they are passed (C11, 7.16.1.1).

use std::collections::BTreeSet;

use super::Found;
use crate::integers::IntKind;
use crate::span::{ExprId, FunctionId};
use crate::tree::ExprKind;
use crate::types::{FloatKind, QualType, Type};

impl Found<'_, '_> {
    /// The first call with an argument that is read so: the called function, or one to which it gives its list, reads no argument
    /// without a name as of the type of this one.
    pub(super) fn variadic(&self) -> Option<(ExprId, String)> {
        let tree = self.tree;
        let reads: Vec<(ExprId, FunctionId)> = self
            .running()
            .filter(|(_, kind)| matches!(kind, ExprKind::VaArg(_)))
            .filter_map(|(id, _)| Some((id, tree.function_of(crate::tree::Parent::Expr(id))?)))
            .collect();
        if reads.is_empty() {
            return None;
        }
        let graph = self.calls();
        let read_by = |function: FunctionId| {
            let mut seen = BTreeSet::from([function]);
            let mut work = vec![function];
            while let Some(f) = work.pop() {
                let next = graph.callees(f).filter(|&g| !self.is_variadic(g));
                work.extend(next.filter(|&g| seen.insert(g)));
            }
            let own = reads.iter().filter(move |(_, f)| seen.contains(f));
            own.map(|(id, _)| tree.exprs[*id].ty).collect::<Vec<_>>()
        };
        self.running().find_map(|(id, kind)| {
            let ExprKind::Call { callee, args, .. } = kind else {
                return None;
            };
            let ty = tree.types.function(tree.exprs[*callee].ty)?;
            let rest = args.get(ty.params.len()..).filter(|_| ty.variadic)?;
            let targets = match self.named(*callee) {
                Some(f) => BTreeSet::from([f]),
                None => (self.aliases)().may_point_to(*callee).functions,
            };
            let read: Vec<QualType> = targets.into_iter().flat_map(&read_by).collect();
            let other = rest.iter().find(|arg| {
                let passed = tree.exprs[**arg].ty;
                // A function that reads several types is told by other arguments which ones, as `printf` is.
                let mut read = read.iter();
                read.len() > 0 && read.all(|as_ty| !self.is_read_as(passed, *as_ty))
            })?;
            let what =
                "an argument without a name may be read as of another type than it is passed";
            Some((*other, what.to_owned())).filter(|_| (self.may_run)(id))
        })
    }

    fn is_variadic(&self, function: FunctionId) -> bool {
        let ty = self.tree.types.function(self.tree.functions[function].ty);
        ty.is_some_and(|ty| ty.variadic)
    }

    /// Whether an argument that is passed may be read as of a type. Types of pointers count as one, and signed and unsigned ones.
    fn is_read_as(&self, passed: QualType, read: QualType) -> bool {
        let types = &self.tree.types;
        let is_small = |kind: IntKind| types.bits(kind) < types.bits(IntKind::Int);
        match (types.int_kind(passed), types.int_kind(read)) {
            (Some(a), Some(_)) if is_small(a) => self.is_int(read),
            (Some(a), Some(b)) => {
                a == b || types.signed(a) != types.signed(b) && rank(a) == rank(b)
            }
            (Some(_), None) | (None, Some(_)) => {
                matches!(types.get(passed), Type::Bool) && self.is_int(read)
            }
            (None, None) => match (types.get(passed), types.get(read)) {
                (Type::Bool, _) => self.is_int(read),
                (Type::Float(FloatKind::Float), read) => *read == Type::Float(FloatKind::Double),
                (Type::Pointer(_) | Type::Array(..) | Type::Function(_), Type::Pointer(_)) => true,
                (Type::Unknown, _) => false,
                (a, b) => a == b,
            },
        }
    }

    fn is_int(&self, ty: QualType) -> bool {
        self.tree
            .types
            .int_kind(ty)
            .is_some_and(|kind| rank(kind) == rank(IntKind::Int))
    }
}

/// The signed type of a pair.
fn rank(kind: IntKind) -> IntKind {
    match kind {
        IntKind::UInt => IntKind::Int,
        IntKind::ULong => IntKind::Long,
        IntKind::ULongLong => IntKind::LongLong,
        other => other,
    }
}
