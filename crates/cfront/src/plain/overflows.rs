//! `__builtin_add_overflow` and its kin where the operands and the result have several integer types. CBMC 6.6 answers whether the result
//! overflows in the type of the operands, and so is wrong for `__builtin_mul_overflow(-2, -4, &unsigned_long)`. The program gets functions
//! that compute as GCC says: as if with infinite precision, and then converted.

use crate::allocations::called_name;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{ExprKind, Tree};
use crate::types::IntKind;

/// The operator by which a function computes that says whether its result overflows, of any integer types.
pub(super) fn operator(name: &str) -> Option<&'static str> {
    Some(match name {
        "__builtin_add_overflow" => "+",
        "__builtin_sub_overflow" => "-",
        "__builtin_mul_overflow" => "*",
        _ => return None,
    })
}

pub(super) fn of_several_types(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { args, .. } = &expr.kind else {
            continue;
        };
        let known = called_name(tree, call).and_then(|name| Some((name, operator(name)?)));
        let (Some((name, operator)), [a, b, result]) = (known, args.as_slice()) else {
            continue;
        };
        let kinds = [
            promoted(tree, *a),
            promoted(tree, *b),
            pointed(tree, *result),
        ];
        let [Some(a), Some(b), Some(r)] = kinds else {
            continue;
        };
        let Some(wide) = wide(tree, operator, [a, b, r]).filter(|_| a != b || b != r) else {
            continue;
        };
        let plain = name.trim_start_matches("__builtin_");
        let types = [a, b, r].map(IntKind::spelling);
        let suffix = types.map(|ty| ty.replace(' ', "_")).join("_");
        let own = names.free(&format!("{plain}_{suffix}"));
        let [a, b, r] = types;
        let declared = format!(
            "static int {own}({a} a, {b} b, {r} *r) {{ {wide} exact = ({wide})a {operator} ({wide})b; *r = ({r})exact; return exact != ({wide})*r; }} "
        );
        text.declare_before(call, &own, &declared);
        text.call_instead(call, &own);
    }
    text.changed()
}

/// The type of an operand after its promotion.
fn promoted(tree: &Tree, e: ExprId) -> Option<IntKind> {
    let kind = tree.types.int_kind(tree.exprs[e].ty)?;
    Some(if kind.rank() < IntKind::Int.rank() {
        IntKind::Int
    } else {
        kind
    })
}

/// The type that the result has.
fn pointed(tree: &Tree, e: ExprId) -> Option<IntKind> {
    tree.types.int_kind(tree.types.pointee(tree.exprs[e].ty)?)
}

/// A type in which sums and products are exact, for operands and a result of these types.
fn wide(tree: &Tree, operator: &str, kinds: [IntKind; 3]) -> Option<&'static str> {
    let types = &tree.types;
    let widest = kinds.iter().map(|kind| types.bits(*kind)).max()?;
    // A product of unsigned numbers may have twice their bits. What is negative and not as wide is none after its conversion.
    let is_unsigned = kinds[..2].iter().all(|kind| !types.signed(*kind));
    let is_unsigned_product = operator == "*" && is_unsigned;
    Some(match (widest, is_unsigned_product) {
        (..=16, false) => "long",
        (..=16, true) => "unsigned long",
        (..=32, false) => "long long",
        (..=32, true) => "unsigned long long",
        (64, _) if types.model.pointer != 64 => return None,
        (64, false) => "__int128",
        (64, true) => "unsigned __int128",
        _ => return None,
    })
}
