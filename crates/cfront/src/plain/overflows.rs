//! `__builtin_add_overflow` and its kin where the operands and the result have several integer types. CBMC 6.6 answers whether the result
//! overflows in the type of the operands, and so is wrong for `__builtin_mul_overflow(-2, -4, &unsigned_long)`. The program gets functions
//! that compute as GCC says: as if with infinite precision, and then converted. Where no type is wide enough for that, they compute with
//! signs and magnitudes.

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
        let Some(name) = called_name(tree, call) else {
            continue;
        };
        // `__builtin_add_overflow_p` has a number of the type in the place of the address.
        let stores = !name.ends_with("_p");
        let known = operator(name.trim_end_matches("_p"));
        let (Some(operator), [a, b, result]) = (known, args.as_slice()) else {
            continue;
        };
        let kinds = [
            promoted(tree, *a),
            promoted(tree, *b),
            match stores {
                true => pointed(tree, *result),
                false => tree.types.int_kind(tree.exprs[*result].ty),
            },
        ];
        let [Some(a), Some(b), Some(r)] = kinds else {
            continue;
        };
        if a == b && b == r {
            continue;
        }
        let plain = name.trim_start_matches("__builtin_");
        let types = [a, b, r].map(IntKind::spelling);
        let suffix = types.map(|ty| ty.replace(' ', "_")).join("_");
        let own = names.free(&format!("{plain}_{suffix}"));
        let body = match wide(tree, operator, [a, b, r]) {
            Some(wide) => exact(wide, operator, types[2]),
            None => by_magnitudes(tree, operator, [a, b, r]),
        };
        let [a, b, r] = types;
        let declared = match stores {
            true => format!("static int {own}({a} a, {b} b, {r} *r) {{ {body} }} "),
            false => {
                format!("static int {own}({a} a, {b} b, {r} c) {{ {r} *r = &c; {body} }} ")
            }
        };
        text.declare_before(call, &own, &declared);
        text.call_instead(call, &own);
    }
    text.changed()
}

/// The statements that compute in a type in which sums and products are exact.
fn exact(wide: &str, operator: &str, result: &str) -> String {
    format!("{wide} exact = ({wide})a {operator} ({wide})b; *r = ({result})exact; return exact != ({wide})*r;")
}

/// The statements that compute a sign and a magnitude, in the widest unsigned type, with what is carried out of it.
fn by_magnitudes(tree: &Tree, operator: &str, kinds: [IntKind; 3]) -> String {
    let types = &tree.types;
    let bits = |kind: IntKind| types.bits(kind);
    let (wide, width) = match kinds.into_iter().map(bits).max() {
        Some(128) => ("unsigned __int128", 128),
        _ => ("unsigned long long", 64),
    };
    let magnitude = |of: &str, kind: IntKind| match types.signed(kind) {
        true => {
            format!("_Bool s{of} = {of} < 0; {wide} m{of} = s{of} ? -({wide}){of} : ({wide}){of}; ")
        }
        false => format!("_Bool s{of} = 0; {wide} m{of} = {of}; "),
    };
    let [a, b, r] = kinds;
    let mut out = format!(
        "{}{}{wide} m; _Bool s, o; ",
        magnitude("a", a),
        magnitude("b", b)
    );
    out += match operator {
        "*" => "s = sa != sb; o = __builtin_mul_overflow(ma, mb, &m); ",
        // A difference is a sum with the other sign.
        "-" => "sb = !sb; ",
        _ => "",
    };
    if operator != "*" {
        out += "if (sa == sb) { s = sa; o = __builtin_add_overflow(ma, mb, &m); } else if (ma >= mb) { s = sa; o = 0; m = ma - mb; } else { s = sb; o = 0; m = mb - ma; } ";
    }
    let most = width - bits(r) + u32::from(types.signed(r));
    let below = match types.signed(r) {
        // The least number has no opposite.
        true => format!("m - s > (({wide})-1 >> {most}) && m"),
        false => format!("s && m || m > (({wide})-1 >> {most})"),
    };
    out + &format!("*r = ({})(s ? -m : m); return o || {below};", r.spelling())
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
