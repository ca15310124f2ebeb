//! Compilers' functions for which CBMC 6.6 has no answer, or any result: the comparisons of `<math.h>` that raise no exceptions
//! (`isgreater`, `isunordered`) and `isfinite`, for which the program gets functions that compare; and `__builtin_add_overflow`
//! and its kin of a truth value or an enumeration, which are promoted.

use super::overflows;
use crate::allocations::called_name;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{ExprKind, Tree};
use crate::types::{FloatKind, Type};

/// What the compiler's functions compute.
const COMPARISONS: [(&str, &str); 7] = [
    ("__builtin_isfinite", "a - a == 0"),
    ("__builtin_isgreater", "a > b"),
    ("__builtin_isgreaterequal", "a >= b"),
    ("__builtin_isless", "a < b"),
    ("__builtin_islessequal", "a <= b"),
    ("__builtin_islessgreater", "a < b || a > b"),
    ("__builtin_isunordered", "a != a || b != b"),
];

pub(super) fn written_out(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { args, .. } = &expr.kind else {
            continue;
        };
        let name = called_name(tree, call);
        if name.is_some_and(|name| overflows::operator(name.trim_end_matches("_p")).is_some()) {
            for &argument in args.iter().take(2) {
                let argument = &tree.exprs[argument];
                if matches!(tree.type_of(argument.ty), Type::Bool | Type::Enum(_)) {
                    text.around(argument.span, "+(", ")");
                }
            }
        }
        let known = name.and_then(|name| COMPARISONS.into_iter().find(|(known, _)| *known == name));
        let Some((name, result)) = known else {
            continue;
        };
        let count = 1 + usize::from(result.contains('b'));
        if args.len() != count {
            continue;
        }
        let (ty, suffix) = widest(tree, args);
        let plain = name.trim_start_matches("__builtin_");
        let own = names.free(&format!("{plain}{suffix}_compared"));
        let parameters = [format!("{ty} a"), format!("{ty} b")];
        let parameters = parameters[..count].join(", ");
        let declared = format!("static int {own}({parameters}) {{ return {result}; }} ");
        text.declare_before(call, &own, &declared);
        text.call_instead(call, &own);
    }
    text.changed()
}

/// The type in which numbers are compared, and the letter by which the library tells it.
fn widest(tree: &Tree, args: &[ExprId]) -> (&'static str, &'static str) {
    let kinds = args.iter().map(|arg| tree.type_of(tree.exprs[*arg].ty));
    let kinds: Vec<&Type> = kinds.collect();
    let has = |kind: FloatKind| kinds.iter().any(|ty| **ty == Type::Float(kind));
    match () {
        () if has(FloatKind::LongDouble) => ("long double", "l"),
        () if kinds.iter().all(|ty| **ty == Type::Float(FloatKind::Float)) => ("float", "f"),
        () => ("double", ""),
    }
}
