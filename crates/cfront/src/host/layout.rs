//! Where the width of pointers or the gaps in structures matter.

use crate::consteval::eval;
use crate::narrow_model::plain_layout;
use crate::parse::Unit;
use crate::span::{ExprId, Span};
use crate::tree::{Entity, ExprKind, Parent, Resolved, Tree};
use crate::types::{Class, FloatKind, QualType, Type};

use super::Program;

/// The first such place, and what is there; `None` if there is none. Linear in the program.
pub(super) fn matters(of: &Program) -> Option<(Span, &'static str)> {
    let (unit, tree) = (of.unit, &of.unit.tree);
    let evaluated = tree
        .exprs
        .iter()
        .filter(|(id, e)| !e.unevaluated && of.has(*id));
    let mut places = evaluated.filter_map(|(id, e)| {
        let what = what(unit, id).or_else(|| overlaid(unit, &e.kind))?;
        Some((e.span, what))
    });
    places.next()
}

/// Whether a member of a union is accessed in which structures with gaps lie over other members. One of which no member
/// is accessed is only copied as a whole.
fn overlaid(unit: &Unit, kind: &ExprKind) -> Option<&'static str> {
    let ExprKind::Member { path, .. } = kind else {
        return None;
    };
    let mut unions = path.iter().filter(|(record, _)| {
        let record = &unit.tree.types.records[*record];
        let members = record.members.as_deref().unwrap_or_default();
        let mut gaps = members
            .iter()
            .filter(|m| !m.is_bit_field && has_own_layout(unit, m.ty));
        record.is_union && members.len() > 1 && gaps.next().is_some()
    });
    unions.next().map(|_| "a union with such a member")
}

/// Whether the bytes of a type lie otherwise here: it has pointers, gaps or bit-fields.
fn has_own_layout(unit: &Unit, ty: QualType) -> bool {
    let tree = &unit.tree;
    match tree.types.get(ty) {
        Type::Array(of, _) => has_own_layout(unit, *of),
        Type::Record(record) => {
            // One whose members are not known is never looked into.
            tree.types.records[*record].members.is_some() && plain_layout(unit, ty).is_none()
        }
        Type::Pointer(_) => true,
        _ => false,
    }
}

fn is_address(tree: &Tree, e: ExprId) -> bool {
    let class = tree.types.class(tree.exprs[e].ty);
    matches!(class, Class::Pointer | Class::Array)
}

fn what(unit: &Unit, id: ExprId) -> Option<&'static str> {
    let tree = &unit.tree;
    let expr = &tree.exprs[id];
    let model = &tree.types.model;
    let real = match tree.types.get(expr.ty) {
        Type::Float(FloatKind::Double) => !matches!(model.double, 32 | 64),
        Type::Float(FloatKind::LongDouble) => model.long_double != 32 || model.double != 32,
        Type::Float(FloatKind::Other) | Type::Complex(_) => true,
        _ => false,
    };
    if real {
        return Some("a number of a floating type");
    }
    if matches!(tree.types.get(expr.ty), Type::Enum(_)) && tree.types.int_kind(expr.ty).is_none() {
        return Some("an enumeration whose width is not known");
    }
    match &expr.kind {
        ExprKind::SizeofType(of) => size(unit, *of),
        ExprKind::SizeofExpr(_) if is_for_the_search(tree, expr.parent) => None,
        ExprKind::SizeofExpr(of) => size(unit, tree.exprs[*of].ty),
        ExprKind::OffsetOf(_) | ExprKind::Alignof(_) => Some("a place within a structure"),
        ExprKind::TypeBuiltin | ExprKind::Generic { .. } if model.int == 16 => {
            Some("a choice by types")
        }
        ExprKind::VaArg(_) if model.int == 16 => Some("a list of arguments"),
        ExprKind::Cast(_) if is_own(tree, expr.parent) => None,
        ExprKind::Cast(of) => cast(unit, expr.ty, *of),
        _ => None,
    }
}

/// Whether something is an argument of one of the search's own functions, or fills memory: these take sizes as they are
/// here.
fn is_for_the_search(tree: &Tree, parent: Parent) -> bool {
    let Parent::Expr(parent) = parent else {
        return false;
    };
    let ExprKind::Call { callee, .. } = &tree.exprs[parent].kind else {
        return false;
    };
    let called = crate::calls::named_function(tree, *callee);
    let own = called.is_some_and(|f| tree.functions[f].name.starts_with("ba_x_"));
    let fills = matches!(&tree.exprs[*callee].kind, ExprKind::Ident(Resolved::Unknown(name)) if name == "__builtin_memset");
    own || fills
}

/// The variable of a statement by which the search of all states records a value: neither the program's own names nor the weaver's
/// begin so.
pub const RECORDED: &str = "ba_x_part";

/// Whether a conversion is one of the search's own: of a pointer that belongs to the state, or in a function that compares
/// places. Both take addresses as they are here.
fn is_own(tree: &Tree, parent: Parent) -> bool {
    if let Parent::Init(init) = parent {
        if let Parent::Declarator(decl, number) = tree.inits[init].parent {
            let declared = tree.decls[decl].declared.get(number);
            let entity = declared.map(|declared| declared.entity);
            return matches!(entity, Some(Entity::Object(o)) if tree.objects[o].name == RECORDED);
        }
    }
    let function = tree.function_of(parent);
    function.is_some_and(|f| tree.functions[f].name.starts_with("ba_"))
}

fn size(unit: &Unit, ty: QualType) -> Option<&'static str> {
    let other = has_own_layout(unit, ty);
    other.then_some("the size of a type with pointers, gaps or bit-fields")
}

fn cast(unit: &Unit, to: QualType, of: ExprId) -> Option<&'static str> {
    let tree = &unit.tree;
    let from = tree.exprs[of].ty;
    if is_address(tree, of) && tree.types.is_integer(to) {
        return Some("a pointer that becomes a number");
    }
    if tree.types.class(to) != Class::Pointer {
        return None;
    }
    if tree.types.is_integer(from) && eval(tree, of).is_none() {
        return Some("a number that becomes a pointer");
    }
    let (Some(a), Some(b)) = (tree.types.pointee(to), tree.types.pointee(from)) else {
        return None;
    };
    let void = |ty: QualType| matches!(tree.types.get(ty), Type::Void | Type::Function(_));
    let viewed = a.ty != b.ty && !void(a) && !void(b);
    let other = viewed && (has_own_layout(unit, a) || has_own_layout(unit, b));
    other.then_some("a view of the bytes of a structure")
}
