//! Where a program computes something else under a model checker with 16-bit `int` than on its own
//! 16-bit machine. Model checkers have one such model (LP32): pointers, sizes and differences have
//! 32 bits, `double` has 64, and members of structures are aligned. Programs with no place where
//! this matters have the same runs.

use crate::consteval::{eval, size_of};
use crate::span::{ExprId, Span};
use crate::tree::{BinaryOp, ExprKind, Parent, Tree};
use crate::types::{Class, FloatKind, QualType, Type};

/// The first place where the wider types could change a value, and what is there; `None` if there is
/// none. Linear in the program.
pub fn matters(tree: &Tree) -> Option<(Span, &'static str)> {
    let unused = unused(tree);
    let within = |e: &crate::tree::Expr| unused.iter().any(|of| of.contains(e.span.start));
    let evaluated = tree
        .exprs
        .iter()
        .filter(|(_, e)| !e.unevaluated && !within(e));
    let mut places = evaluated.filter_map(|(id, e)| Some((e.span, what(tree, id)?)));
    places.next()
}

/// The functions of system headers that no function of the program reaches.
fn unused(tree: &Tree) -> Vec<Span> {
    let graph = crate::calls::CallGraph::new(tree);
    let defined = || tree.defined_functions();
    let own = defined().filter(|(_, function, _)| !function.in_system_header);
    let mut reached: std::collections::BTreeSet<_> = graph.address_taken.keys().copied().collect();
    for (id, _, _) in own {
        reached.extend(graph.reachable(id));
    }
    let unused = defined().filter(|(id, of, _)| of.in_system_header && !reached.contains(id));
    unused.map(|(_, _, body)| body.span).collect()
}

fn what(tree: &Tree, id: ExprId) -> Option<&'static str> {
    let expr = &tree.exprs[id];
    if matches!(
        tree.types.get(expr.ty),
        Type::Float(FloatKind::Double | FloatKind::LongDouble)
    ) {
        return Some("a number of type `double`, whose width differs");
    }
    let sized = match expr.kind {
        ExprKind::SizeofType(of) => Some(of),
        ExprKind::SizeofExpr(of) => Some(tree.exprs[of].ty),
        _ => None,
    };
    match (&expr.kind, sized) {
        (_, Some(of)) if !has_size(tree, of) => {
            Some("the size of a type with pointers, or of a structure that may be padded")
        }
        (ExprKind::OffsetOf | ExprKind::Alignof, _) => Some("a place within a structure"),
        (_, Some(_)) if is_computed_with(tree, id) => {
            Some("arithmetic with a size, whose type is wider")
        }
        (ExprKind::Binary(BinaryOp::Sub, a, b), _)
            if is_address(tree, *a) && is_address(tree, *b) && is_computed_with(tree, id) =>
        {
            Some("arithmetic with a difference of pointers, whose type is wider")
        }
        (ExprKind::Cast(of), _) if is_address(tree, *of) && tree.types.is_integer(expr.ty) => {
            Some("a pointer that becomes a number")
        }
        (ExprKind::Cast(of), _)
            if tree.types.class(expr.ty) == Class::Pointer
                && tree.types.is_integer(tree.exprs[*of].ty)
                && eval(tree, *of).is_none() =>
        {
            Some("a number that becomes a pointer")
        }
        _ => None,
    }
}

fn is_address(tree: &Tree, e: ExprId) -> bool {
    let class = tree.types.class(tree.exprs[e].ty);
    matches!(class, Class::Pointer | Class::Array)
}

/// Whether a type has the same size in both models.
fn has_size(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(of, _) => has_size(tree, *of),
        Type::Record(_) => same_size(tree, ty).is_some(),
        Type::Bool | Type::Void | Type::Int(_) | Type::Float(FloatKind::Float) => true,
        Type::Enum(_) => size_of(tree, ty).is_some(),
        _ => false,
    }
}

/// The size of all scalars in a type; `None` if they differ, so that a structure may be padded, or if
/// one is no number.
fn same_size(tree: &Tree, ty: QualType) -> Option<u64> {
    match tree.types.get(ty) {
        Type::Array(of, _) => same_size(tree, *of),
        Type::Record(record) => {
            let members = tree.types.records[*record].members.as_ref()?;
            let mut sizes = members.iter().map(|m| match m.is_bit_field {
                true => None,
                false => same_size(tree, m.ty),
            });
            let first = sizes.next()??;
            sizes.all(|size| size == Some(first)).then_some(first)
        }
        _ => size_of(tree, ty).filter(|_| has_size(tree, ty)),
    }
}

/// Whether an operator that could overflow in the narrower type takes the value, and the result is not
/// a constant.
fn is_computed_with(tree: &Tree, e: ExprId) -> bool {
    let Parent::Expr(parent) = tree.exprs[e].parent else {
        return false;
    };
    let computes = match &tree.exprs[parent].kind {
        ExprKind::Binary(op, ..) => !op.is_boolean(),
        ExprKind::Assign { op, rhs, .. } => op.is_some() && *rhs == e,
        ExprKind::Unary(..) => true,
        ExprKind::Conditional { .. } | ExprKind::Comma(_) => return is_computed_with(tree, parent),
        _ => false,
    };
    match (computes, eval(tree, parent)) {
        (false, _) => false,
        (true, Some(value)) => value > 0x7fff || is_computed_with(tree, parent),
        (true, None) => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    fn found(text: &str) -> Option<&'static str> {
        let macros =
            "#define __SIZEOF_INT__ 2\n#define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 2\n";
        let text = format!("{macros}{text}");
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        matters(&unit.tree).map(|(_, what)| what)
    }

    #[test]
    fn places_where_wider_types_matter() {
        let same = [
            "char b[8]; int f(void) { return sizeof b; }",
            "struct s { char a, b[3]; } v; int n = sizeof(struct s);",
            "int i; char b[8]; int f(void) { return i < sizeof(b) / sizeof(b[0]); }",
            "char b[8], *p = b; int f(void) { return p - b < 3; }",
            "void f(void) { *(volatile unsigned char *)0x25 = 1; }",
            "float x; void f(void) { x = x * 2; }",
        ];
        for text in same {
            assert_eq!(found(text), None, "{text}");
        }
        let other = [
            "int *p; int f(void) { return sizeof p; }",
            "struct s { char a; int b; } v; int n = sizeof v;",
            "unsigned u; char b[8]; int f(void) { return u + sizeof b; }",
            "char b[8], *p = b; int f(int n) { return n + (p - b); }",
            "char b[8]; unsigned u; void f(void) { u = (unsigned)b; }",
            "char *p; unsigned u; void f(void) { p = (char *)u; }",
            "float x; void f(void) { x = x * 2.5; }",
        ];
        for text in other {
            assert!(found(text).is_some(), "{text}");
        }
    }
}
