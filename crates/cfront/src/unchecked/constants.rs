//! Writes through pointers to objects that no program may change (C11, 6.7.3): `const` objects on the stack, and objects with `const`
//! members. Those in memory that cannot be written end the execution of a run.

use std::collections::BTreeSet;

use super::Found;
use crate::access::written;
use crate::alias::Memory;
use crate::span::{ExprId, RecordId};
use crate::tree::{ExprKind, InitKind, Object, Parent, StmtKind};
use crate::types::{QualType, Type};

impl Found<'_, '_> {
    /// The first write that may be one. Only objects count to which a pointer without `const` is made.
    pub(super) fn constants(&self) -> Option<(ExprId, String)> {
        let opened = self.opened();
        if opened.is_empty() {
            return None;
        }
        let meets = |(memory, anything): (BTreeSet<Memory>, bool)| match anything {
            true => opened.iter().copied().max_by_key(|m| self.is_whole(*m)),
            false => {
                let met = memory.intersection(&opened).copied();
                met.max_by_key(|m| self.is_whole(*m))
            }
        };
        let found = self.running().find_map(|(id, _)| {
            let of = match written(self.tree, id) {
                Some(lvalue) => {
                    let (root, through_pointer) = self.tree.root(lvalue);
                    let through = through_pointer || root.is_none();
                    let of = through.then(|| self.place(lvalue)).and_then(meets);
                    of.filter(|of| self.is_whole(*of) || !self.is_of_member(lvalue))
                }
                None => {
                    let to = (self.aliases)().arguments_written(self.tree, id);
                    to.into_iter().find_map(|arg| meets(self.memory(arg)))
                }
            };
            Some((id, of?))
        });
        found.map(|(id, of)| {
            let name = self.name(of);
            (
                id,
                format!("`{name}` or a part of it is const, and may be written through a pointer"),
            )
        })
    }

    /// Whether memory is constant as a whole.
    fn is_whole(&self, memory: Memory) -> bool {
        let ty = self.type_of(memory);
        ty.is_some_and(|ty| self.element(ty).quals.is_const)
    }

    /// Whether an lvalue is a member of a structure that has constant ones: it is none of these, as the compiler sees.
    fn is_of_member(&self, lvalue: ExprId) -> bool {
        let mut at = lvalue;
        loop {
            at = match &self.tree.exprs[at].kind {
                ExprKind::Member { path, .. }
                    if path.iter().any(|(r, _)| self.has_constants(*r)) =>
                {
                    return true
                }
                ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => *base,
                _ => return false,
            }
        }
    }

    /// The constant memory to which a pointer without `const` may be made.
    fn opened(&self) -> BTreeSet<Memory> {
        let mut objects = self.tree.objects.iter();
        let literals = self.tree.exprs.iter().filter(|(_, e)| {
            matches!(e.kind, ExprKind::CompoundLiteral(_)) && self.is_constant(e.ty)
        });
        if literals.count() == 0 && !objects.any(|(_, o)| self.is_candidate(o)) {
            return BTreeSet::new();
        }
        let opening: Vec<ExprId> = self
            .running()
            .filter_map(|(id, kind)| self.opens(id, kind))
            .collect();
        let memory = opening.into_iter().flat_map(|e| self.memory(e).0);
        memory
            .filter(|&m| match m {
                Memory::Object(object) => self.is_candidate(&self.tree.objects[object]),
                Memory::Made(_) => self.type_of(m).is_some_and(|ty| self.is_constant(ty)),
            })
            .collect()
    }

    /// Whether an object is constant, or has a part that is, and a write to it goes unnoticed: a namesake hides it from our own check.
    fn is_candidate(&self, o: &Object) -> bool {
        let hidden = || {
            self.tree
                .objects
                .iter()
                .filter(|(_, other)| other.name == o.name)
                .count()
                > 1
        };
        match self.element(o.ty).quals.is_const {
            true => o.function.is_some() || hidden(),
            false => self.is_constant(o.ty),
        }
    }

    /// Whether a type is constant, or has a member that is.
    fn is_constant(&self, ty: QualType) -> bool {
        let ty = self.element(ty);
        ty.quals.is_const
            || self
                .record(ty)
                .is_some_and(|record| self.has_constants(record))
    }

    fn has_constants(&self, record: RecordId) -> bool {
        let mut members = self.tree.types.records[record].members.iter().flatten();
        members.any(|m| self.is_constant(m.ty))
    }

    /// The pointer to what is constant of which an expression makes one to what is not: what it converts, or a result of the library.
    fn opens(&self, id: ExprId, kind: &ExprKind) -> Option<ExprId> {
        let expr = &self.tree.exprs[id];
        match *kind {
            ExprKind::Cast(of) => self.loses(of, expr.ty).then_some(of),
            // `strchr` and its kin.
            ExprKind::Call { .. } if self.of_library(kind).is_some() => self
                .pointee(expr.ty)
                .filter(|to| !to.quals.is_const)
                .map(|_| id),
            _ => {
                let to = self.converted(id)?;
                self.loses(id, to).then_some(id)
            }
        }
    }

    /// Whether a value of a type of pointers to constants becomes one of another type.
    fn loses(&self, of: ExprId, to: QualType) -> bool {
        let from = self.pointee(self.tree.exprs[of].ty);
        let Some(from) = from.filter(|from| self.is_constant(*from)) else {
            return false;
        };
        match (self.tree.types.get(to), self.pointee(to)) {
            (Type::Void | Type::Bool, _) => false,
            (_, Some(to)) => !to.quals.is_const && (from.quals.is_const || from.ty != to.ty),
            _ => true,
        }
    }

    /// The type to which an operand is converted without a cast.
    fn converted(&self, id: ExprId) -> Option<QualType> {
        let tree = self.tree;
        self.pointee(tree.exprs[id].ty)?;
        match tree.exprs[id].parent {
            Parent::Expr(outer) => match &tree.exprs[outer].kind {
                ExprKind::Assign {
                    lhs, rhs, op: None, ..
                } if *rhs == id => Some(tree.exprs[*lhs].ty),
                ExprKind::Call { callee, args, .. } => {
                    let n = args.iter().position(|arg| *arg == id)?;
                    tree.types
                        .function(tree.exprs[*callee].ty)?
                        .params
                        .get(n)
                        .copied()
                }
                _ => None,
            },
            Parent::Stmt(stmt) => match tree.stmts[stmt].kind {
                StmtKind::Return(_) => {
                    let function = &tree.functions[tree.stmts[stmt].function?];
                    Some(tree.types.function(function.ty)?.ret)
                }
                _ => None,
            },
            Parent::Init(init) => {
                let mut objects = tree.objects.iter();
                let is_own = matches!(tree.inits[init].kind, InitKind::Expr(_));
                let of = objects.find(|(_, o)| o.init == Some(init) && is_own);
                of.map(|(_, o)| o.ty)
            }
            _ => None,
        }
    }
}
