//! Inputs of which the program takes only a part right where it reads them: the low bits, or a remainder.

use cfront::access::{usage, Use};
use cfront::consteval::eval;
use cfront::span::{ExprId, FunctionId, ObjectId};
use cfront::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree};

use crate::flows::called;
use crate::kinds::integer;

/// The expression on which alone something depends that depends on the input of a call, and its greatest value: `x & 0xfff`
/// or `x % 10u`. It has each value up to that one for the input of this value. The whole input may be stored where nothing
/// reads it, as in the object of a register.
pub(super) fn taken(tree: &Tree, call: ExprId) -> Option<(ExprId, i128)> {
    let mut at = of_own_function(tree, call)?;
    let mut fewest_bits = integer(tree, tree.exprs[call].ty)?.0;
    loop {
        let Parent::Expr(around) = tree.exprs[at].parent else {
            return None;
        };
        let greatest = match tree.exprs[around].kind {
            ExprKind::Cast(_) => None,
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if rhs == at && is_only_written(tree, lhs) => None,
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                let mask = eval(tree, if a == at { b } else { a })?;
                Some(mask).filter(|mask| *mask > 0 && mask & (mask + 1) == 0)
            }
            ExprKind::Binary(BinaryOp::Rem, a, by) if a == at => {
                let unsigned = integer(tree, tree.exprs[at].ty).is_some_and(|(_, signed)| !signed);
                let by = eval(tree, by).filter(|by| *by > 1 && unsigned);
                by.map(|by| by - 1)
            }
            _ => return None,
        };
        if let Some(greatest) = greatest {
            // A negative value of a narrow type would have more bits.
            let fits = greatest < 1i128 << (fewest_bits - 1);
            return fits.then_some((around, greatest));
        }
        if matches!(tree.exprs[around].kind, ExprKind::Binary(..)) {
            return None;
        }
        fewest_bits = fewest_bits.min(integer(tree, tree.exprs[around].ty)?.0);
        at = around;
    }
}

/// The only call of the function in which the weaver reads an input.
fn of_own_function(tree: &Tree, call: ExprId) -> Option<ExprId> {
    let within = tree.function_of(Parent::Expr(call))?;
    if !tree.functions[within].name.starts_with("ba_input_") {
        return Some(call);
    }
    let mut calls = tree
        .exprs
        .iter()
        .filter(|(_, e)| is_call(tree, &e.kind, within));
    let (one, _) = calls.next()?;
    calls.next().is_none().then_some(one)
}

fn is_call(tree: &Tree, kind: &ExprKind, function: FunctionId) -> bool {
    matches!(kind, ExprKind::Call { callee, .. } if called(tree, *callee) == Some(function))
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
        let mut calls = tree
            .exprs
            .iter()
            .filter(|(_, e)| is_call(tree, &e.kind, input));
        let call = calls.next().unwrap().0;
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
