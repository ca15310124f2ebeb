//! All that a program stores in the places whose values flow.

use cfront::span::{ExprId, Id, InitId, ObjectId};
use cfront::tree::{Entity, ExprKind, InitKind, StmtKind, Storage};
use cfront::types::{QualType, Type};

use super::{called, Flows};
use crate::kinds::{integer, Kind};

/// What is stored in a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored {
    /// The value with which objects of static storage begin.
    Zero,
    /// The value of an expression, in a place of a type.
    Of(ExprId, QualType),
    /// What the initialiser of a structure says, which is of static storage; the rest is zero.
    Initial(ObjectId),
    /// Nothing: a local begins without a value.
    Unset,
    /// Some value.
    Any,
}

impl Flows<'_> {
    /// The stores, each with the node of its place, but those of inputs, and those of the library through pointers.
    pub(super) fn stores(&mut self) -> Vec<(usize, Stored)> {
        let tree = self.tree;
        let mut out = Vec::new();
        self.initial(&mut out);
        for (_, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            match &expr.kind {
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } => {
                    let stored = Stored::Of(*rhs, tree.exprs[*lhs].ty);
                    out.extend(self.group(*lhs).map(|to| (to, stored)));
                }
                ExprKind::Assign { lhs: place, .. } | ExprKind::IncDec { operand: place, .. } => {
                    out.extend(self.group(*place).map(|to| (to, Stored::Any)));
                }
                ExprKind::Call { callee, args, .. } => {
                    let body = called(tree, *callee).and_then(|f| tree.functions[f].body.as_ref());
                    let params = body.iter().flat_map(|b| b.params.iter());
                    let stored = params.zip(args).map(|(param, argument)| {
                        let ty = tree.objects[*param].ty;
                        (param.index(), Stored::Of(*argument, ty))
                    });
                    out.extend(stored);
                }
                _ => {}
            }
        }
        for (_, stmt) in tree.stmts.iter() {
            let (StmtKind::Return(Some(e)), Some(f)) = (&stmt.kind, stmt.function) else {
                continue;
            };
            let stored = match tree.types.function(tree.functions[f].ty) {
                Some(ty) => Stored::Of(*e, ty.ret),
                None => Stored::Any,
            };
            out.push((self.result(f), stored));
        }
        out
    }

    /// Adds the values that objects begin with.
    fn initial(&self, out: &mut Vec<(usize, Stored)>) {
        let tree = self.tree;
        for (id, object) in tree.objects.iter() {
            let plain = self.scalar(id).is_some();
            let is_static = object.is_static_duration();
            let stored = match (object.ty.quals.is_volatile, plain, is_static) {
                (false, true, true) => Stored::Zero,
                (false, false, true) => Stored::Initial(id),
                // What its declaration or its call gives it is added below and with the calls.
                (false, true, false) if self.is_given(id) => continue,
                (false, true, false) if !self.is_parameter(id) => Stored::Unset,
                _ => Stored::Any,
            };
            let nodes = self.parts.nodes(id).chain([id.index()]);
            out.extend(nodes.map(|node| (node, stored)));
        }
        for (_, decl) in tree.decls.iter() {
            for declared in &decl.declared {
                let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                    continue;
                };
                if let Some(ty) = self.scalar(object) {
                    self.initialised(out, object, init, ty);
                }
            }
        }
    }

    /// The type of an integer object, or of the elements of an array of integers.
    fn scalar(&self, object: ObjectId) -> Option<QualType> {
        let mut ty = self.tree.objects[object].ty;
        while let Type::Array(element, _) = self.tree.types.get(ty) {
            ty = *element;
        }
        let kind: Kind = integer(self.tree, ty);
        (kind.is_some() && !ty.quals.is_volatile).then_some(ty)
    }

    /// Whether a local has a value from its declaration or its call on.
    fn is_given(&self, object: ObjectId) -> bool {
        let tree = self.tree;
        let mut functions = tree.functions.iter();
        let param = functions.any(|(_, f)| {
            let params = f.body.iter().flat_map(|b| b.params.iter());
            f.name != "main" && params.clone().any(|p| *p == object)
        });
        let mut decls = tree.objects[object].decls.iter().map(|d| &tree.decls[*d]);
        let initialised = decls.any(|d| {
            let mut all = d.declared.iter();
            all.any(|one| {
                matches!(one.entity, Entity::Object(o) if o == object) && one.init.is_some()
            })
        });
        param || initialised
    }

    fn is_parameter(&self, object: ObjectId) -> bool {
        self.tree.objects[object].storage == Storage::Parameter
    }

    /// Adds the values of an initialiser; the elements that a list leaves out are 0.
    fn initialised(
        &self,
        out: &mut Vec<(usize, Stored)>,
        object: ObjectId,
        init: InitId,
        ty: QualType,
    ) {
        let tree = self.tree;
        match &tree.inits[init].kind {
            InitKind::Expr(e) => out.push(match integer(tree, tree.exprs[*e].ty) {
                Some(_) => (object.index(), Stored::Of(*e, ty)),
                None => (object.index(), Stored::Any),
            }),
            InitKind::List(items) => {
                out.push((object.index(), Stored::Zero));
                for item in items {
                    self.initialised(out, object, item.value, ty);
                }
            }
        }
    }
}
