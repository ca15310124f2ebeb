//! Pointers that are converted to narrower integers. CBMC keeps only the offset of such a pointer in its
//! object, so that it never takes the branch of `if ((int)(long)&x)`.

use cfront::span::ExprId;
use cfront::tree::{Entity, ExprKind, Parent, StmtKind, Storage};
use cfront::types::{Class, QualType, Type};

use super::{range, Collector};
use crate::facts::Placed;

impl Collector<'_> {
    /// Notes a pointer that the surrounding expression converts to a narrower integer.
    pub(crate) fn narrowed(&mut self, id: ExprId, depth: i32) {
        let expr = &self.tree.exprs[id];
        let class = self.tree.types.class(expr.ty);
        if matches!(class, Class::Pointer | Class::Array) && self.becomes_narrow(id) {
            self.facts.narrowed.push(Placed {
                range: range(expr.span),
                depth,
            });
        }
    }

    /// Whether the value of an expression is converted, perhaps through several casts, to an integer narrower
    /// than a pointer.
    fn becomes_narrow(&self, id: ExprId) -> bool {
        match self.tree.exprs[id].parent {
            Parent::Expr(outer) => match &self.tree.exprs[outer].kind {
                ExprKind::Cast(_) => {
                    let ty = self.tree.exprs[outer].ty;
                    self.is_narrow(ty)
                        || self.tree.types.is_integer(ty) && self.becomes_narrow(outer)
                }
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } if *rhs == id => self.is_narrow(self.tree.exprs[*lhs].ty),
                ExprKind::Call { callee, args, .. } => {
                    let number = args.iter().position(|&a| a == id);
                    let ty = self.tree.exprs[*callee].ty;
                    let ty = self.tree.types.pointee(ty).unwrap_or(ty);
                    let function = self.tree.types.function(ty).filter(|f| f.prototype);
                    let parameter = number.zip(function).and_then(|(n, f)| f.params.get(n));
                    parameter.is_some_and(|&p| self.is_narrow(p))
                }
                _ => false,
            },
            Parent::Init(_) | Parent::Declarator(..) => self.initialises_narrow(id),
            Parent::Stmt(stmt) => match self.tree.stmts[stmt].kind {
                StmtKind::Return(Some(_)) => {
                    let function = self.tree.stmts[stmt].function;
                    let ty = function.map(|f| self.tree.functions[f].ty);
                    let function = ty.and_then(|ty| self.tree.types.function(ty));
                    function.is_some_and(|f| self.is_narrow(f.ret))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression initialises a local that is a narrow integer.
    fn initialises_narrow(&self, id: ExprId) -> bool {
        let declarator = match self.tree.exprs[id].parent {
            Parent::Init(init) => self.tree.inits[init].parent,
            other => other,
        };
        let Parent::Declarator(decl, number) = declarator else {
            return false;
        };
        let declared = self.tree.decls[decl].declared.get(number);
        match declared.map(|d| d.entity) {
            Some(Entity::Object(o)) => {
                let object = &self.tree.objects[o];
                object.storage == Storage::Local && self.is_narrow(object.ty)
            }
            _ => false,
        }
    }

    fn is_narrow(&self, ty: QualType) -> bool {
        let types = &self.tree.types;
        match types.get(ty) {
            Type::Int(kind) => types.bits(*kind) < types.model.pointer,
            Type::Enum(_) => true,
            _ => false,
        }
    }
}
