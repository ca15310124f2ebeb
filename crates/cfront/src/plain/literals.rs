//! Structures of static duration that a compound literal initialises, which GNU C allows: `static struct s x = (struct s){1}` is
//! `static struct s x = {1}`. Model checkers take such a literal in a union for no constant.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{InitId, Span};
use crate::tree::{Designator, ExprKind, InitItem, InitKind, Tree};
use crate::types::{QualType, Type};

pub(super) fn unwrapped(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut found = Vec::new();
    for (_, object) in tree.objects.iter() {
        if let Some(init) = object.init.filter(|_| object.is_static_duration()) {
            literals(tree, init, object.ty, &mut found);
        }
    }
    if found.is_empty() {
        return None;
    }
    let mut text = Text::of(unit);
    for (whole, list) in found {
        text.replace(Span::new(whole.start, list.start), "");
        text.replace(Span::new(list.end, whole.end), "");
    }
    Some(text.sources())
}

/// The literals that initialise an object of a type or parts of it, each with the list in it.
fn literals(tree: &Tree, id: InitId, ty: QualType, out: &mut Vec<(Span, Span)>) {
    let init = &tree.inits[id];
    match &init.kind {
        InitKind::Expr(e) => {
            let expr = &tree.exprs[*e];
            let ExprKind::CompoundLiteral(list) = expr.kind else {
                return;
            };
            if expr.ty.ty == ty.ty && matches!(tree.types.get(ty), Type::Record(_)) {
                out.push((init.span, tree.inits[list].span));
                literals(tree, list, ty, out);
            }
        }
        InitKind::List(items) => {
            for item in items {
                if let Some(part) = initialised(tree, items, item, ty) {
                    literals(tree, item.value, part, out);
                }
            }
        }
    }
}

/// The type of what an item of a list initialises; `None` if braces may be left out before it.
fn initialised(tree: &Tree, items: &[InitItem], item: &InitItem, ty: QualType) -> Option<QualType> {
    let element = |of: QualType| match tree.types.get(of) {
        Type::Array(element, _) => Some(*element),
        _ => None,
    };
    if item.designators.is_empty() {
        let of = element(ty)?;
        let is_whole = |other: &InitItem| match tree.inits[other.value].kind {
            InitKind::List(_) => true,
            InitKind::Expr(e) => tree.exprs[e].ty.ty == of.ty,
        };
        return items.iter().all(is_whole).then_some(of);
    }
    let mut at = ty;
    for designator in &item.designators {
        at = match designator {
            Designator::Member(name) => tree.types.member(at, name)?.1,
            Designator::Index(_) | Designator::Range(..) => element(at)?,
        };
    }
    Some(at)
}
