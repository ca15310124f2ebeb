//! What becomes of a value by its context: statements, initialisers, memory that is given away, and places that it is copied to.

use cfront::consteval::eval;
use cfront::span::{ExprId, FunctionId, Id, InitId, ObjectId, StmtId};
use cfront::tree::{Entity, ExprKind, Label, Parent, Resolved, StmtKind};
use cfront::types::{QualType, Type};

use super::held::COMPARED;
use super::{called, fits, Flows};
use crate::kinds::{integer, keeps, kind_of, scalars, Kind};

impl Flows<'_> {
    /// Exposes objects that a library function may read or write through its arguments: these accesses are not
    /// copies.
    pub(super) fn memory_of(&mut self, callee: ExprId, args: &[ExprId], call: ExprId) {
        let tree = self.tree;
        let is_outside = |f: FunctionId| {
            let function = &tree.functions[f];
            function.body.is_none() && !(self.quiet)(&function.name)
        };
        let outside = match (called(tree, callee), &tree.exprs[callee].kind) {
            (Some(f), _) => is_outside(f),
            // A function of the compiler's, as `__builtin_memcpy`, is declared nowhere.
            (None, ExprKind::Ident(Resolved::Unknown(_))) => true,
            (None, _) => self.pointed.iter().any(|f| is_outside(*f)),
        };
        for argument in args.iter().filter(|_| outside) {
            let places = self.aliases.may_point_to(*argument);
            for object in &places.objects {
                self.expose(
                    object.index(),
                    call,
                    "is in memory that a function of the library is given",
                );
            }
        }
    }

    pub(super) fn in_statement(&mut self, e: ExprId, group: usize, stmt: StmtId) {
        let tree = self.tree;
        match &tree.stmts[stmt].kind {
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => {
                self.compared(group, 0);
            }
            StmtKind::For { cond, .. } if *cond == Some(e) => self.compared(group, 0),
            StmtKind::Return(_) => {
                if let Some(f) = tree.stmts[stmt].function {
                    let ty = tree.types.function(tree.functions[f].ty).map(|t| t.ret);
                    let to = Some(self.result(f));
                    match ty {
                        Some(ty) => self.flows_to(e, group, to, ty),
                        None => self.expose(group, e, "is returned"),
                    }
                }
            }
            StmtKind::Switch { .. } | StmtKind::Expr(_) | StmtKind::For { .. } => {}
            _ => self.expose(group, e, "is used"),
        }
    }

    pub(super) fn initialises(&mut self, e: ExprId, group: usize, mut init: InitId) {
        let tree = self.tree;
        loop {
            match tree.inits[init].parent {
                Parent::Init(outer) => init = outer,
                Parent::Declarator(decl, n) => {
                    let entity = tree.decls[decl].declared.get(n).map(|d| d.entity);
                    let Some(Entity::Object(object)) = entity else {
                        return;
                    };
                    let ty = tree.objects[object].ty;
                    let whole = integer(tree, tree.exprs[e].ty).is_none();
                    return match tree.types.get(ty) {
                        Type::Array(..) | Type::Record(_) if whole => {
                            self.flows_to(e, group, Some(object.index()), tree.exprs[e].ty)
                        }
                        Type::Array(..) | Type::Record(_) => {
                            self.initialises_part(e, group, object)
                        }
                        _ => self.flows_to(e, group, Some(object.index()), ty),
                    };
                }
                _ => return self.expose(group, e, "is in a compound literal"),
            }
        }
    }

    /// A value initialises some part of a structure or an array: it is assumed to be converted to the type of
    /// any part.
    pub(super) fn initialises_part(&mut self, e: ExprId, group: usize, object: ObjectId) {
        for kind in scalars(self.tree, self.tree.objects[object].ty) {
            self.stored(e, group, kind);
        }
        let parts: Vec<usize> = self.parts.nodes(object).collect();
        parts.into_iter().for_each(|p| self.unite(group, p));
        self.unite(group, object.index());
    }

    pub(super) fn stored(&mut self, e: ExprId, group: usize, kind: Kind) {
        match kind {
            Some(kind) => {
                // The tests of a single bit (0 or not, even or odd) are those of both conversions to one.
                self.compared(group, 0);
                self.converted_to(e, group, kind);
            }
            None => self.expose(group, e, "is converted"),
        }
    }

    /// Copies a value to a place of a type.
    pub(super) fn flows_to(&mut self, e: ExprId, group: usize, to: Option<usize>, ty: QualType) {
        let tree = self.tree;
        match (integer(tree, ty), tree.types.get(ty), to) {
            (Some((1, _)), _, _) => self.compared(group, 0),
            (Some(kind), _, Some(to)) => match self.interval(e).filter(|i| fits(*i, Some(kind))) {
                Some(inside) => {
                    let at = tree.exprs[e].span.start;
                    self.copies.push((group, to, inside, at));
                }
                None => {
                    self.converted(e, group, ty);
                    self.unite(group, to);
                }
            },
            (None, Type::Record(_) | Type::Array(..), Some(to)) => self.unite(group, to),
            _ => self.expose(group, e, "is converted"),
        }
    }

    /// Adds the tests of a conversion to another integer type.
    pub(super) fn converted(&mut self, e: ExprId, group: usize, to: QualType) {
        if let Some(to) = integer(self.tree, to) {
            self.converted_to(e, group, to);
        }
    }

    pub(super) fn converted_to(&mut self, e: ExprId, group: usize, (bits, sign): (u32, bool)) {
        let tree = self.tree;
        let Some((from, signed)) = kind_of(tree, e) else {
            return;
        };
        let inside = self.interval(e);
        if keeps((from, signed), (bits, sign))
            || inside.is_some_and(|i| fits(i, Some((bits, sign))))
        {
            return;
        }
        match bits < from {
            true => drop(self.asked(group).conversions.insert(1i128 << bits)),
            false => drop(self.asked(group).wraps.insert(bits)),
        }
    }

    /// Adds the tests of a label of a `switch`.
    pub(super) fn cases(&mut self, id: StmtId) {
        let tree = self.tree;
        let StmtKind::Labeled { label, .. } = &tree.stmts[id].kind else {
            return;
        };
        let (constants, ordered): (Vec<ExprId>, bool) = match label {
            Label::Case(e) => (vec![*e], false),
            Label::CaseRange(from, to) => (vec![*from, *to], true),
            _ => return,
        };
        let mut at = tree.stmts[id].parent;
        while let Parent::Stmt(stmt) = at {
            if let StmtKind::Switch { cond, .. } = tree.stmts[stmt].kind {
                let Some(group) = self.group(cond) else {
                    return;
                };
                for constant in &constants {
                    match eval(tree, *constant) {
                        Some(c) if ordered => self.ordered(group, c),
                        Some(c) => self.compared(group, c),
                        None => self.expose(group, *constant, COMPARED),
                    }
                }
                return;
            }
            at = tree.stmts[stmt].parent;
        }
    }
}
