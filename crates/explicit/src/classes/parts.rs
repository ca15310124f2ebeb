//! Inputs of which the program takes only a part right where it reads them: the low bits, also by a conversion to a narrower type, or
//! a remainder.

use cfront::access::{usage, Use};
use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{BinaryOp, Entity, ExprKind, Parent, Resolved, Tree};

use crate::flows::{called, calls_of};
use crate::kinds::integer;

/// The expression on which alone something depends that depends on the input of a call, and its greatest value: `x & 0xfff`,
/// `x % 10u`, `(unsigned char)x`, or `x` in `unsigned char c = x`. It has each value up to that one for the input of this value. The whole input may be stored where nothing
/// reads it, as in the object of a register.
pub(super) fn taken(tree: &Tree, call: ExprId) -> Option<(ExprId, i128)> {
    let mut at = of_own_function(tree, call)?;
    let mut fewest_bits = integer(tree, tree.exprs[call].ty)?.0;
    let mut narrowed = None;
    loop {
        if let Some(bits) = narrower(tree, at).filter(|bits| *bits < fewest_bits) {
            let part = match tree.exprs[at].parent {
                Parent::Expr(cast) if is_cast(tree, cast) => cast,
                _ => at,
            };
            narrowed = Some((part, (1i128 << bits) - 1));
        }
        let Parent::Expr(around) = tree.exprs[at].parent else {
            return narrowed;
        };
        if let Some(greatest) = low_part(tree, at, around) {
            // A negative value of a narrow type would have more bits.
            let fits = greatest < 1i128 << (fewest_bits - 1);
            return fits.then_some((around, greatest)).or(narrowed);
        }
        let goes_on = match tree.exprs[around].kind {
            ExprKind::Cast(_) => true,
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => rhs == at && is_only_written(tree, lhs),
            _ => false,
        };
        let bits = integer(tree, tree.exprs[around].ty).map(|(bits, _)| bits);
        let Some(bits) = bits.filter(|_| goes_on) else {
            return narrowed;
        };
        fewest_bits = fewest_bits.min(bits);
        at = around;
    }
}

/// The greatest value of an expression that takes the lowest bits or a remainder of an operand.
fn low_part(tree: &Tree, operand: ExprId, around: ExprId) -> Option<i128> {
    match tree.exprs[around].kind {
        ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
            let mask = eval(tree, if a == operand { b } else { a })?;
            Some(mask).filter(|mask| *mask > 0 && mask & (mask + 1) == 0)
        }
        ExprKind::Binary(BinaryOp::Rem, a, by) if a == operand => {
            let unsigned = integer(tree, tree.exprs[a].ty).is_some_and(|(_, signed)| !signed);
            let by = eval(tree, by).filter(|by| *by > 1 && unsigned);
            by.map(|by| by - 1)
        }
        _ => None,
    }
}

fn is_cast(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.exprs[e].kind, ExprKind::Cast(_))
}

/// The width of the unsigned type, other than `_Bool`, to which the context of an expression converts it.
fn narrower(tree: &Tree, e: ExprId) -> Option<u32> {
    let ty = match tree.exprs[e].parent {
        Parent::Expr(around) => match tree.exprs[around].kind {
            ExprKind::Cast(_) => tree.exprs[around].ty,
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if rhs == e && tree.bit_field(lhs).is_none() => tree.exprs[lhs].ty,
            ExprKind::Call {
                callee, ref args, ..
            } => {
                let at = args.iter().position(|a| *a == e)?;
                let body = tree.functions[called(tree, callee)?].body.as_ref()?;
                tree.objects[*body.params.get(at)?].ty
            }
            _ => return None,
        },
        Parent::Init(init) => {
            let Parent::Declarator(decl, n) = tree.inits[init].parent else {
                return None;
            };
            let Entity::Object(object) = tree.decls[decl].declared.get(n)?.entity else {
                return None;
            };
            tree.objects[object].ty
        }
        _ => return None,
    };
    integer(tree, ty).and_then(|(bits, signed)| (bits > 1 && !signed).then_some(bits))
}

/// The only call of the function in which the weaver reads an input.
pub(super) fn of_own_function(tree: &Tree, call: ExprId) -> Option<ExprId> {
    let within = tree.function_of(Parent::Expr(call))?;
    if !tree.functions[within].name.starts_with("ba_input_") {
        return Some(call);
    }
    let mut calls = calls_of(tree, within);
    let one = calls.next()?;
    calls.next().is_none().then_some(one)
}

/// Whether nothing reads an object, or this member of it, and no pointer leads there.
fn is_only_written(tree: &Tree, lhs: ExprId) -> bool {
    let (object, member) = match &tree.exprs[lhs].kind {
        ExprKind::Ident(Resolved::Object(object)) => (*object, None),
        ExprKind::Member {
            base,
            arrow: false,
            path,
            ..
        } => match tree.exprs[*base].kind {
            ExprKind::Ident(Resolved::Object(object)) if tree.bit_field(lhs).is_none() => {
                (object, path.first().copied())
            }
            _ => return false,
        },
        _ => return false,
    };
    let is_this =
        |kind: &ExprKind| matches!(kind, ExprKind::Ident(Resolved::Object(o)) if *o == object);
    let mut uses = tree.exprs.iter().filter(|(_, e)| is_this(&e.kind));
    uses.all(|(id, _)| match usage(tree, id) {
        Use::Write | Use::None => true,
        _ => is_another_member(tree, id, object, member),
    })
}

/// Whether the use of a structure is one of a member other than this; those of unions share their memory.
fn is_another_member(
    tree: &Tree,
    ident: ExprId,
    object: ObjectId,
    member: Option<(cfront::span::RecordId, usize)>,
) -> bool {
    let Parent::Expr(around) = tree.exprs[ident].parent else {
        return false;
    };
    let union = |record| tree.types.records[record].is_union;
    match (&tree.exprs[around].kind, member) {
        (
            ExprKind::Member {
                base,
                arrow: false,
                path,
                ..
            },
            Some(member),
        ) => {
            debug_assert!(tree.root(around).0 == Some(object));
            *base == ident && path.first().is_some_and(|other| *other != member) && !union(member.0)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use cfront::{Source, Unit};

    fn of(body: &str) -> Option<i128> {
        let text = format!(
            "struct registers {{ unsigned status, data; }}; static struct registers adc; unsigned seen; unsigned input(void);\n\
             int main(void) {{ {body} return 0; }}\n"
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let tree = &unit.tree;
        let input = tree.function_named("input").unwrap();
        let call = calls_of(tree, input).next().unwrap();
        taken(tree, call).map(|(_, greatest)| greatest)
    }

    #[test]
    fn low_bits_and_remainders_are_parts() {
        assert_eq!(of("seen = input() & 0xfff;"), Some(0xfff));
        assert_eq!(of("seen = (unsigned short)input() & 0xfff;"), Some(0xfff));
        assert_eq!(of("seen = input() % 10;"), Some(9));
        assert_eq!(
            of("seen = (adc.data = input()) & 0xfff; if (adc.status) seen = 1;"),
            Some(0xfff)
        );
    }

    #[test]
    fn conversions_to_narrower_types_take_low_bits() {
        for body in [
            "seen = (unsigned char)input();",
            "seen = (unsigned char)(int)input() + 1;",
            "unsigned char c = input(); seen = c;",
            "unsigned char c; c = input(); seen = c;",
            "seen = (unsigned char)(adc.data = input());",
            "seen = (unsigned char)(unsigned short)input();",
        ] {
            assert_eq!(of(body), Some(255), "{body}");
        }
        assert_eq!(of("seen = (unsigned char)input() & 7;"), Some(7));
        for body in [
            "seen = (signed char)input();",
            "seen = (_Bool)input();",
            "seen = (unsigned long)input();",
            "seen = (unsigned char)(seen = input()); if (seen > 300) return 1;",
            "seen = (unsigned char)(signed char)input();",
        ] {
            assert_eq!(of(body), None, "{body}");
        }
    }

    #[test]
    fn what_is_read_elsewhere_is_no_part() {
        for body in [
            "seen = input() & 0xf0;",
            "seen = (int)input() % 10;",
            "seen = (signed char)input() & 0xff;",
            "seen = (signed char)input() & 0xfff;",
            "seen = (seen = input()) & 0xfff; if (seen) return 1;",
            "seen = (adc.data = input()) & 0xfff; if (adc.data > 9) seen = 1;",
            "unsigned *p = &adc.data; seen = (adc.data = input()) & 0xfff; if (*p > 9) seen = 1;",
            "struct registers all; seen = (adc.data = input()) & 0xfff; all = adc; if (all.data) seen = 1;",
        ] {
            assert_eq!(of(body), None, "{body}");
        }
    }
}
