//! Accesses through pointers, for a model checker without checks of them: CBMC has none where threads run.
//!
//! What a pointer leads to must be within an object. Whether the object is still there is not checked.

use cfront::span::ExprId;
use cfront::tree::{ExprKind, Parent};
use cfront::types::{Class, Type};
use cfront::EditError;

use super::{Pass, OWN};

/// The words of the check.
const WHAT: &str = "access outside of an object";

impl Pass<'_> {
    /// Inserts the checks.
    pub(super) fn pointers(&mut self) -> Result<(), EditError> {
        let Some(of) = self.dialect.objects else {
            return Ok(());
        };
        let tree = &self.unit.tree;
        let within = format!(
            "!{}(ba_in, 0) && (unsigned long){}(ba_in) <= {}(ba_in) && sizeof *ba_in <= {}(ba_in) - (unsigned long){}(ba_in)",
            of.same, of.offset, of.size, of.size, of.offset
        );
        for (id, expr) in tree.exprs.iter() {
            let Some((pointer, element)) = self.followed(id) else {
                continue;
            };
            if expr.unevaluated || !self.stands_in_users(id) || self.is_only_computed(id) {
                continue;
            }
            let span = tree.exprs[pointer].span;
            let text = self.unit.text_of(span);
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            if text.contains(['\n', '\\', '#', '"']) || words.any(|w| w.starts_with(OWN)) {
                continue;
            }
            let ask = self.ask(&within, WHAT, self.unit.text_of(expr.span));
            let (before, after) = match element {
                true => (
                    format!("(*({{ __typeof__(&({text})) ba_in = &("),
                    format!("); {ask}; ba_in; }}))"),
                ),
                false => (
                    format!("({{ __typeof__(({text}) + 0) ba_in = ("),
                    format!("); {ask}; ba_in; }})"),
                ),
            };
            self.edits.wrap(span, before, after)?;
        }
        Ok(())
    }

    /// The pointer that an expression follows; or the expression itself, if it is an element behind a pointer.
    fn followed(&self, e: ExprId) -> Option<(ExprId, bool)> {
        let tree = &self.unit.tree;
        let is_array = |e: ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..));
        let class = tree.types.class(tree.exprs[e].ty);
        if matches!(class, Class::Function | Class::Void) {
            return None;
        }
        match tree.exprs[e].kind {
            ExprKind::Deref(pointer) if !is_array(pointer) => Some((pointer, false)),
            ExprKind::Member {
                base, arrow: true, ..
            } if !is_array(base) => Some((base, false)),
            ExprKind::Index { base, index } if !is_array(base) && !is_array(index) => {
                Some((e, true))
            }
            _ => None,
        }
    }

    /// Whether only the address of what an expression names is computed, and not by the weaver for an access.
    fn is_only_computed(&self, mut e: ExprId) -> bool {
        let tree = &self.unit.tree;
        while let Parent::Expr(outer) = tree.exprs[e].parent {
            match tree.exprs[outer].kind {
                ExprKind::AddressOf(_) => return !self.is_kept_by_weaver(outer),
                ExprKind::Member { arrow: false, .. } => e = outer,
                ExprKind::Index { base, .. } if base == e => {
                    if !matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..)) {
                        return false;
                    }
                    e = outer;
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether an expression gives a variable of the weaver its value.
    fn is_kept_by_weaver(&self, e: ExprId) -> bool {
        let tree = &self.unit.tree;
        let Parent::Init(init) = tree.exprs[e].parent else {
            return false;
        };
        let mut objects = tree.objects.iter().map(|(_, object)| object);
        objects.any(|object| object.init == Some(init) && object.name.starts_with(OWN))
    }
}
