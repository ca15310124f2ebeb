//! Writes to what no program may write: strings and constants (C11, 6.4.5 and 6.7.3). Model checkers write them.
//!
//! A write through a pointer that may lead there, as the analysis of pointers says, checks that it does not. So does a call of a
//! function of the library that writes through its argument.

use cfront::access::{address_taken, written};
use cfront::alias::Memory;
use cfront::span::{ExprId, ObjectId, Span};
use cfront::tree::{ExprKind, InitKind, Parent, Resolved};
use cfront::types::{Class, QualType, Type};
use cfront::{Aliases, Assumptions, EditError};

use super::{Pass, OWN};

/// The words of the check.
const WHAT: &str = "write to a constant";

impl Pass<'_> {
    /// Inserts the checks. Nothing is analysed where there is no string or constant to which a pointer may lead.
    pub(super) fn unwritable(&mut self) -> Result<(), EditError> {
        let Some(same) = self.dialect.objects.map(|o| o.same) else {
            return Ok(());
        };
        let tree = &self.unit.tree;
        if !self.has_constants() {
            return Ok(());
        }
        let aliases = Aliases::new(
            tree,
            Assumptions {
                whole_program: true,
            },
        );
        for (id, expr) in tree.exprs.iter() {
            if expr.unevaluated || !self.stands_in_users(id) {
                continue;
            }
            let pointers = match written(tree, id) {
                Some(lvalue) => self.pointer_in(lvalue).into_iter().collect(),
                None => aliases.arguments_written(tree, id),
            };
            for pointer in pointers {
                let pointer = self.computed(pointer);
                let memory = aliases.memory(&aliases.pointed_to(pointer));
                let constants = memory.into_iter().filter_map(|m| self.address(m, pointer));
                let constants: Vec<String> = constants.collect();
                self.written_through(pointer, &constants, same)?;
            }
        }
        Ok(())
    }

    /// Checks a pointer through which something is written.
    fn written_through(
        &mut self,
        pointer: ExprId,
        constants: &[String],
        same: &str,
    ) -> Result<(), EditError> {
        let span = self.unit.tree.exprs[pointer].span;
        let text = self.unit.text_of(span);
        if constants.is_empty() || text.contains(['\n', '\\', '#']) {
            return Ok(());
        }
        let name = match text.contains('"') {
            true => "a string",
            false => text,
        };
        let apart = constants.iter().map(|c| format!("!{same}(ba_to, {c})"));
        let apart = apart.collect::<Vec<_>>().join(" && ");
        let ask = self.ask(&apart, WHAT, name);
        // A string itself is an array: as an operand of `+` it is a pointer.
        let before = format!("({{ __typeof__(({text}) + 0) ba_to = (");
        self.edits
            .wrap(span, before, format!("); {ask}; ba_to; }})"))
    }

    /// Whether a pointer may lead to a string or constant at all.
    fn has_constants(&self) -> bool {
        let tree = &self.unit.tree;
        let is_own = |e: ExprId| match tree.exprs[e].parent {
            Parent::Init(_) => true,
            _ => self.stands_in_users(e),
        };
        let mut exprs = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
        exprs.any(|(id, expr)| matches!(expr.kind, ExprKind::Str(_)) && is_own(id))
            || address_taken(tree).keys().any(|o| self.is_constant(*o))
    }

    /// The pointer through which an lvalue leads, perhaps an array of characters that is a string.
    fn pointer_in(&self, lvalue: ExprId) -> Option<ExprId> {
        let tree = &self.unit.tree;
        let is_array = |e: ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..));
        let is_number = |e: ExprId| tree.types.class(tree.exprs[e].ty) == Class::Scalar;
        let mut at = lvalue;
        loop {
            let (base, follows) = match tree.exprs[at].kind {
                ExprKind::Member { base, arrow, .. } => (base, arrow),
                ExprKind::Deref(pointer) => (pointer, true),
                ExprKind::Index { base, index } if is_number(base) => (index, true),
                ExprKind::Index { base, .. } => (base, true),
                _ => return None,
            };
            let is_string = matches!(tree.exprs[base].kind, ExprKind::Str(_));
            if follows && (!is_array(base) || is_string) {
                return Some(base);
            }
            at = base;
        }
    }

    /// The expression for a pointer, also where the weaver keeps it in a variable for an atomic access: an assumption that fails within
    /// one is none that CBMC follows.
    fn computed(&self, pointer: ExprId) -> ExprId {
        let tree = &self.unit.tree;
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[pointer].kind else {
            return pointer;
        };
        let object = &tree.objects[object];
        let init = object.init.filter(|_| object.name.starts_with(OWN));
        match init.map(|init| &tree.inits[init].kind) {
            Some(InitKind::Expr(value)) => *value,
            _ => pointer,
        }
    }

    /// The address of a string or constant as C, if it has a name where a pointer is used.
    fn address(&self, memory: Memory, at: ExprId) -> Option<String> {
        let tree = &self.unit.tree;
        let used = tree.exprs[at].span;
        match memory {
            Memory::Made(e) => {
                let expr = &tree.exprs[e];
                let text = self.unit.text_of(expr.span);
                let is_string = matches!(expr.kind, ExprKind::Str(_));
                (is_string && !text.contains('\n')).then(|| format!("({text})"))
            }
            Memory::Object(object) => {
                let seen = self.is_constant(object) && self.is_visible(object, used);
                seen.then(|| format!("(&{})", tree.objects[object].name))
            }
        }
    }

    /// Whether no assignment may change an object.
    fn is_constant(&self, object: ObjectId) -> bool {
        let tree = &self.unit.tree;
        let mut ty: QualType = tree.objects[object].ty;
        while let Type::Array(element, _) = tree.types.get(ty) {
            ty = *element;
        }
        ty.quals.is_const && !ty.quals.is_volatile
    }

    /// Whether the name of an object means it at a place.
    fn is_visible(&self, object: ObjectId, at: Span) -> bool {
        let tree = &self.unit.tree;
        let o = &tree.objects[object];
        let namesake =
            |(id, other): (ObjectId, &cfront::tree::Object)| id != object && other.name == o.name;
        (o.scope == tree.file_scope() || tree.scopes[o.scope].span.contains(at.start))
            && o.name_span.start < at.start
            && !tree.objects.iter().any(namesake)
    }
}
