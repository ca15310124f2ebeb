//! Parts of memory that may be read in another way than by their names: their address is taken, or what points to them becomes
//! a pointer to something else.

use std::collections::{BTreeSet, HashSet};

use super::parts::{is_record, named_by, Part};
use crate::access::{usage, Use};
use crate::allocations::library_name;
use crate::calls::named_function;
use crate::library;
use crate::span::{ExprId, FunctionId, RecordId, TypeId};
use crate::tree::{Entity, ExprKind, InitKind, Parent, StmtKind, Tree};
use crate::types::{FunctionType, QualType, Type};

/// The exposed parts. Linear in the program.
pub(super) fn exposed(tree: &Tree) -> HashSet<Part> {
    let mut found = Exposed {
        tree,
        parts: HashSet::new(),
        records: BTreeSet::new(),
        types: HashSet::new(),
    };
    let unions: Vec<RecordId> = tree
        .types
        .records
        .iter()
        .filter(|(_, record)| record.is_union)
        .map(|(id, _)| id)
        .collect();
    unions.into_iter().for_each(|id| found.record(id));
    for (id, expr) in tree.exprs.iter() {
        if !expr.unevaluated {
            found.address(id);
            found.conversions(id);
        }
    }
    found.initialisers();
    found.results();
    found.parts
}

struct Exposed<'a> {
    tree: &'a Tree,
    parts: HashSet<Part>,
    records: BTreeSet<RecordId>,
    /// The types whose structures are exposed.
    types: HashSet<TypeId>,
}

impl Exposed<'_> {
    /// All members of a structure, and of those that it has or points to.
    fn record(&mut self, id: RecordId) {
        if !self.records.insert(id) {
            return;
        }
        let members = self.tree.types.records[id].members.as_deref();
        for (n, member) in members.unwrap_or_default().iter().enumerate() {
            self.parts.insert(Part::Member(id, n));
            self.structures(member.ty);
        }
    }

    /// The structures of a type, or those that pointers of this type lead to.
    fn structures(&mut self, ty: QualType) {
        if !self.types.insert(ty.ty) {
            return;
        }
        match self.tree.types.get(ty).clone() {
            Type::Record(id) => self.record(id),
            Type::Pointer(to) | Type::Array(to, _) => self.structures(to),
            Type::Function(of) => {
                self.structures(of.ret);
                of.params.into_iter().for_each(|ty| self.structures(ty));
            }
            _ => {}
        }
    }

    /// A part whose address becomes a value.
    fn address(&mut self, e: ExprId) {
        let part = named_by(self.tree, e);
        if let Some(part) = part.filter(|_| usage(self.tree, e) == Use::Address) {
            self.parts.insert(part);
        }
    }

    /// What a value of this type points to, if it is one that points somewhere.
    fn target(&self, ty: QualType) -> Option<QualType> {
        match self.tree.types.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => Some(*to),
            Type::Function(_) => Some(ty),
            _ => None,
        }
    }

    /// A value becomes one of another type.
    fn converted(&mut self, e: ExprId, to: QualType) {
        let from = self.tree.exprs[e].ty;
        let (source, target) = (self.target(from), self.target(to));
        let same = match (source, target) {
            (None, None) => !is_record(self.tree, from) || from.ty == to.ty,
            (Some(a), Some(b)) => a.ty == b.ty,
            // A pointer as a condition; a number as a pointer was one before, or is a constant.
            (Some(_), None) => matches!(self.tree.types.get(to), Type::Bool),
            (None, Some(_)) => true,
        };
        if same || self.is_allocated(e) || self.is_null(e) {
            return;
        }
        self.structures(from);
        self.structures(to);
    }

    /// Whether an expression is memory that nothing else points to yet.
    fn is_allocated(&self, e: ExprId) -> bool {
        let e = self.tree.uncast(e);
        library_name(self.tree, e).is_some_and(library::allocates)
    }

    fn is_null(&self, e: ExprId) -> bool {
        let e = self.tree.uncast(e);
        matches!(self.tree.exprs[e].kind, ExprKind::Int(Some(0)))
    }

    /// The conversions of operands.
    fn conversions(&mut self, e: ExprId) {
        let tree = self.tree;
        let expr = &tree.exprs[e];
        match &expr.kind {
            ExprKind::Cast(inner) if !matches!(tree.types.get(expr.ty), Type::Void) => {
                self.converted(*inner, expr.ty);
            }
            ExprKind::Assign { lhs, rhs, .. }
                if tree.exprs[*lhs].ty.ty != tree.exprs[*rhs].ty.ty =>
            {
                self.converted(*rhs, tree.exprs[*lhs].ty);
            }
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => {
                self.converted(*then, tree.exprs[*otherwise].ty);
            }
            ExprKind::Call { callee, args, .. } => self.arguments(*callee, args),
            ExprKind::VaArg(_) | ExprKind::Opaque => self.structures(expr.ty),
            _ => {}
        }
    }

    /// The arguments of a call.
    fn arguments(&mut self, callee: ExprId, args: &[ExprId]) {
        let tree = self.tree;
        let function = named_function(tree, callee);
        let name = function.map(|f| library::plain_name(&tree.functions[f].name));
        let has_body = function.is_none_or(|f| tree.functions[f].body.is_some());
        let known = self.function_type(callee).filter(|_| has_body);
        for (n, arg) in args.iter().enumerate() {
            let param = known.as_ref().and_then(|f| f.params.get(n).copied());
            match param {
                Some(to) => self.converted(*arg, to),
                None if name == Some("free") || (name == Some("memset") && n == 0) => {}
                None => self.structures(tree.exprs[*arg].ty),
            }
        }
    }

    fn function_type(&self, callee: ExprId) -> Option<FunctionType> {
        let types = &self.tree.types;
        let mut ty = self.tree.exprs[callee].ty;
        while let Type::Pointer(to) = types.get(ty) {
            ty = *to;
        }
        types.function(ty).filter(|f| f.prototype).cloned()
    }

    /// The conversions of initial values. Whose they are within a list is not looked for.
    fn initialisers(&mut self) {
        for (_, init) in self.tree.inits.iter() {
            let InitKind::Expr(e) = init.kind else {
                continue;
            };
            match init.parent {
                Parent::Declarator(decl, n) => {
                    let declared = self.tree.decls[decl].declared.get(n);
                    match declared.map(|declared| declared.entity) {
                        Some(Entity::Object(object)) => {
                            self.converted(e, self.tree.objects[object].ty);
                        }
                        _ => self.structures(self.tree.exprs[e].ty),
                    }
                }
                _ if self.is_null(e) => {}
                _ => self.structures(self.tree.exprs[e].ty),
            }
        }
    }

    /// The conversions of results.
    fn results(&mut self) {
        let result = |f: FunctionId| {
            let ty = self.tree.types.function(self.tree.functions[f].ty);
            ty.map(|f| f.ret)
        };
        let returns: Vec<(ExprId, Option<QualType>)> = self
            .tree
            .stmts
            .iter()
            .filter_map(|(_, stmt)| match stmt.kind {
                StmtKind::Return(Some(e)) => Some((e, stmt.function.and_then(result))),
                _ => None,
            })
            .collect();
        for (e, to) in returns {
            match to {
                Some(to) => self.converted(e, to),
                None => self.structures(self.tree.exprs[e].ty),
            }
        }
    }
}
