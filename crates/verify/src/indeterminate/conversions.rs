//! Conversions of pointers to addresses that do not suit their types (C11, 6.3.2.3), and arrays whose length is not positive (6.7.6.2):
//! model checkers follow both. Objects begin at addresses that suit any type.

use cfront::library::allocates;
use cfront::span::{ExprId, InitId};
use cfront::tree::{Entity, ExprKind, InitKind, Parent};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::EditError;

use super::Pass;

/// The words for the address.
const UNSUITED: &str = "address that does not suit its type";

/// The words for the length.
const LENGTH: &str = "length of an array that is not positive";

impl Pass<'_> {
    /// Inserts checks of pointers that are cast, or assigned from ones to `void`, to types that may need another alignment.
    pub(super) fn addresses(&mut self) -> Result<(), EditError> {
        let Some(of) = self.dialect.objects else {
            return Ok(());
        };
        let tree = &self.unit.tree;
        for (id, expr) in tree.exprs.iter() {
            if expr.unevaluated || !self.stands_in_users(id) || self.is_static(id) {
                continue;
            }
            let text = self.unit.text_of(expr.span);
            let Some(like) = self.aligned_like(id, text) else {
                continue;
            };
            if text.contains(['\n', '\\', '#']) {
                continue;
            }
            let name = match text.contains('"') {
                true => "a string",
                false => text,
            };
            let suits = format!(
                "(unsigned long){}(ba_at) % __alignof__(*({like})) == 0",
                of.offset
            );
            let ask = self.ask(&suits, UNSUITED, name);
            let before = format!("({{ __typeof__({text}) ba_at = (");
            self.edits
                .wrap(expr.span, before, format!("); {ask}; ba_at; }})"))?;
        }
        Ok(())
    }

    /// A pointer, as C, of the type to which an expression converts one, or is converted itself, if that may need another alignment.
    fn aligned_like(&self, id: ExprId, text: &str) -> Option<String> {
        let tree = &self.unit.tree;
        let expr = &tree.exprs[id];
        if let ExprKind::Cast(from) = expr.kind {
            let to = tree.types.pointee(expr.ty)?;
            return self.needs_more(from, to).then(|| "ba_at".to_owned());
        }
        let from = tree.types.pointee(expr.ty)?;
        if !matches!(tree.types.get(from), Type::Void) || text.contains("ba_") {
            return None;
        }
        let (to, like) = match expr.parent {
            Parent::Expr(outer) => match tree.exprs[outer].kind {
                ExprKind::Assign {
                    lhs, rhs, op: None, ..
                } if rhs == id => (tree.exprs[lhs].ty, self.again(lhs)?.to_owned()),
                _ => return None,
            },
            Parent::Init(init) => {
                let (ty, name) = self.initialised(init)?;
                (ty, name.to_owned())
            }
            _ => return None,
        };
        let to = tree.types.pointee(to)?;
        self.needs_more(id, to).then_some(like)
    }

    /// The local that an initialiser gives its value, with its type.
    fn initialised(&self, init: InitId) -> Option<(QualType, &str)> {
        let tree = &self.unit.tree;
        let Parent::Declarator(decl, n) = tree.inits[init].parent else {
            return None;
        };
        let is_expr = matches!(tree.inits[init].kind, InitKind::Expr(_));
        match tree.decls[decl].declared.get(n)?.entity {
            Entity::Object(object) if is_expr => {
                let object = &tree.objects[object];
                Some((object.ty, &object.name))
            }
            _ => None,
        }
    }

    /// Whether a pointer may lead to an address that does not suit this type: not what the library allocates, nor a larger number.
    fn needs_more(&self, from: ExprId, to: QualType) -> bool {
        let tree = &self.unit.tree;
        let types = &tree.types;
        let size = |ty| cfront::consteval::size_of(tree, ty);
        let allocated = cfront::allocations::called_name(tree, tree.uncast(from));
        let of = match types.get(tree.exprs[from].ty) {
            Type::Pointer(of) | Type::Array(of, _) => *of,
            _ => return false,
        };
        let number = |ty: QualType| {
            matches!(
                types.get(ty),
                Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Enum(_)
            )
        };
        let complete = match types.get(to) {
            Type::Record(record) => types.records[*record].members.is_some(),
            _ => number(to),
        };
        let larger = number(of) && number(to) && size(of) >= size(to);
        complete
            && size(to) != Some(1)
            && of.ty != to.ty
            && !larger
            && !allocated.is_some_and(allocates)
    }

    /// Whether an expression initialises an object that lives for the whole run, or is no part of what runs.
    fn is_static(&self, id: ExprId) -> bool {
        let tree = &self.unit.tree;
        let mut at = tree.exprs[id].parent;
        loop {
            at = match at {
                Parent::Expr(e) => tree.exprs[e].parent,
                Parent::Init(i) => tree.inits[i].parent,
                Parent::Declarator(decl, n) => {
                    let declared = tree.decls[decl].declared.get(n);
                    return declared.is_none_or(|d| match d.entity {
                        Entity::Object(object) => tree.objects[object].is_static_duration(),
                        _ => true,
                    });
                }
                Parent::Stmt(_) => return false,
                _ => return true,
            }
        }
    }

    /// Checks that the lengths of arrays are positive which are no constants: behind the declaration, or where the length is computed
    /// if that cannot be done again.
    pub(super) fn lengths(&mut self) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for (id, decl) in tree.decls.iter() {
            if !decl.function.is_some_and(|f| self.is_users(f)) || !self.begins_anew(id) {
                continue;
            }
            let variable = decl.declared.iter().find_map(|d| match d.entity {
                Entity::Object(object) if self.is_variable(tree.objects[object].ty) => {
                    Some(&tree.objects[object].name)
                }
                _ => None,
            });
            let Some(name) = variable else { continue };
            for &length in &decl.type_exprs {
                let before = self.unit.text().get(..tree.exprs[length].span.start);
                let is_length = before.is_some_and(|text| text.trim_end().ends_with('['));
                if !is_length {
                    continue;
                }
                if let Some(text) = self.again(length) {
                    let ask = self.ask(&format!("({text}) > 0"), LENGTH, name);
                    self.edits.insert(decl.span.end, 0, format!(" {ask};"))?;
                    continue;
                }
                let span = tree.exprs[length].span;
                let text = self.unit.text_of(span);
                if !text.contains(['\n', '\\', '#']) {
                    let ask = self.ask("ba_length > 0", LENGTH, name);
                    let before = format!("({{ __typeof__({text}) ba_length = (");
                    let after = format!("); {ask}; ba_length; }})");
                    self.edits.wrap(span, before, after)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a type is an array of a length that is no constant.
    fn is_variable(&self, ty: QualType) -> bool {
        match self.unit.tree.types.get(ty) {
            Type::Array(_, ArrayLen::Variable) => true,
            Type::Array(of, _) => self.is_variable(*of),
            _ => false,
        }
    }
}
