//! Where a program computes something else under a model checker with 16-bit `int` than on its own
//! 16-bit machine. Model checkers have one such model (LP32): pointers, sizes and differences have
//! 32 bits, `double` has 64, and members of structures are aligned. Programs with no place where
//! this matters have the same runs.

use crate::access::is_pure;
use crate::consteval::{elements, eval, eval_with, size_of, sized};
use crate::library::{self, Writes};
use crate::parse::Unit;
use crate::span::{ExprId, FunctionId, Span};
use crate::tree::{BinaryOp, ExprKind, Parent, Tree};
use crate::types::{ArrayLen, Class, FloatKind, QualType, Record, Type};

/// The first place where the wider types could change a value, and what is there; `None` if there is
/// none. Linear in the program.
pub fn matters(unit: &Unit) -> Option<(Span, &'static str)> {
    let tree = &unit.tree;
    let without = without_influence(unit);
    let within = |e: &crate::tree::Expr| without.iter().any(|of| of.contains(e.span.start));
    let evaluated = tree
        .exprs
        .iter()
        .filter(|(_, e)| !e.unevaluated && !within(e));
    let mut places = evaluated.filter_map(|(id, e)| Some((e.span, what(unit, id)?)));
    places.next()
}

/// The functions of system headers that no function of the program reaches, and those that only take time, such as
/// `_delay_ms` of avr-libc, with their arguments: they give nothing, have no effect, and end.
fn without_influence(unit: &Unit) -> Vec<Span> {
    let tree = &unit.tree;
    let graph = crate::calls::CallGraph::new(tree);
    let defined = || tree.defined_functions();
    let own = defined().filter(|(_, function, _)| !function.in_system_header);
    let mut reached: std::collections::BTreeSet<_> = graph.address_taken.keys().copied().collect();
    for (id, _, _) in own {
        reached.extend(graph.reachable(id));
    }
    let only_takes_time = |id: FunctionId| {
        let effects = unit.effects(&graph, id);
        let of = tree.types.function(tree.functions[id].ty);
        of.is_some_and(|of| matches!(tree.types.get(of.ret), Type::Void))
            && effects.loops.is_empty()
            && effects.recursive.is_empty()
            && effects.is_pure(changes_nothing)
    };
    let headers = || defined().filter(|(_, of, _)| of.in_system_header);
    let times: Vec<FunctionId> = headers()
        .map(|(id, ..)| id)
        .filter(|id| reached.contains(id) && only_takes_time(*id))
        .collect();
    let bodies = headers().filter(|(id, ..)| !reached.contains(id) || times.contains(id));
    let mut without: Vec<Span> = bodies.map(|(_, _, body)| body.span).collect();
    for (_, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        if crate::calls::named_function(tree, *callee).is_some_and(|f| times.contains(&f)) {
            let pure = args.iter().filter(|arg| is_pure(tree, **arg));
            without.extend(pure.map(|arg| tree.exprs[*arg].span));
        }
    }
    without
}

/// Whether a function of the library writes no memory.
fn changes_nothing(name: &str) -> bool {
    library::function(name).is_some_and(|f| f.writes == Some(Writes::Nothing))
}

fn what(unit: &Unit, id: ExprId) -> Option<&'static str> {
    let tree = &unit.tree;
    let expr = &tree.exprs[id];
    if matches!(
        tree.types.get(expr.ty),
        Type::Float(FloatKind::Double | FloatKind::LongDouble)
    ) {
        return Some("a number of type `double`, whose width differs");
    }
    match (&expr.kind, sized(tree, id)) {
        (_, Some(_)) if counts_elements(tree, id) => None,
        (_, Some(of)) if plain_size(unit, of).is_none() => {
            Some("the size of a type with pointers, or of a structure that may be padded")
        }
        (ExprKind::OffsetOf(_) | ExprKind::Alignof(_), _) => Some("a place within a structure"),
        (_, Some(_)) if is_computed_with(unit, id) => {
            Some("arithmetic with a size, whose type is wider")
        }
        (ExprKind::Binary(BinaryOp::Sub, a, b), _)
            if is_address(tree, *a) && is_address(tree, *b) && is_computed_with(unit, id) =>
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

/// Whether the size stands in `sizeof table / sizeof table[0]`.
fn counts_elements(tree: &Tree, e: ExprId) -> bool {
    let Parent::Expr(parent) = tree.exprs[e].parent else {
        return false;
    };
    match tree.exprs[parent].kind {
        ExprKind::Binary(op, a, b) => elements(tree, op, a, b).is_some(),
        _ => false,
    }
}

/// The size of a type in both models; `None` if it differs.
fn plain_size(unit: &Unit, ty: QualType) -> Option<u64> {
    Some(plain_layout(unit, ty)?.0)
}

/// The size and the alignment of a type, if both models agree on it: a model checker aligns each number to its own size,
/// and such a machine packs them, which is the same where that leaves no gap.
pub(crate) fn plain_layout(unit: &Unit, ty: QualType) -> Option<(u64, u64)> {
    let tree = &unit.tree;
    match tree.types.get(ty) {
        Type::Array(of, ArrayLen::Known(count)) => {
            let (size, align) = plain_layout(unit, *of)?;
            Some((size.checked_mul(*count)?, align))
        }
        Type::Record(record) => {
            let of = &tree.types.records[*record];
            let packed = is_packed(unit, of);
            let (mut size, mut most) = (0u64, 1);
            for member in of.members.as_ref()? {
                if member.is_bit_field {
                    return None;
                }
                let (of_member, align) = plain_layout(unit, member.ty)?;
                let align = if packed { 1 } else { align };
                match of.is_union {
                    true => size = size.max(of_member),
                    false if size % align != 0 => return None,
                    false => size = size.checked_add(of_member)?,
                }
                most = most.max(align);
            }
            (size % most == 0).then_some((size, most))
        }
        Type::Bool | Type::Void | Type::Int(_) | Type::Enum(_) | Type::Float(FloatKind::Float) => {
            let size = size_of(tree, ty)?;
            Some((size, size.max(1)))
        }
        _ => None,
    }
}

/// Whether an attribute behind the members of a structure says that it has no padding.
fn is_packed(unit: &Unit, record: &Record) -> bool {
    let tokens = &unit.tokens;
    let texts = tokens.tokens[tokens.at_or_after(record.span.start)..].iter();
    let (mut depth, mut closed, mut attribute) = (0i32, false, false);
    for text in texts.map(|t| unit.text_of(t.span)) {
        match text {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                closed = depth == 0;
            }
            ";" if depth == 0 => return false,
            "__attribute__" | "__attribute" if closed => attribute = true,
            "packed" | "__packed__" if attribute => return true,
            // What is declared behind it has attributes of its own.
            word if closed && !in_attribute(word) => return false,
            _ => {}
        }
    }
    false
}

/// Whether a token can stand in an attribute without arguments.
fn in_attribute(text: &str) -> bool {
    matches!(text, "(" | ")" | ",") || text.starts_with("__")
}

/// Whether an operator that could overflow in the narrower type takes the value, and the result is not
/// a constant.
fn is_computed_with(unit: &Unit, e: ExprId) -> bool {
    let tree = &unit.tree;
    let Parent::Expr(parent) = tree.exprs[e].parent else {
        return false;
    };
    let computes = match &tree.exprs[parent].kind {
        ExprKind::Binary(op, ..) => !op.is_boolean(),
        ExprKind::Assign { op, rhs, .. } => op.is_some() && *rhs == e,
        ExprKind::Unary(..) => true,
        ExprKind::Conditional { .. } | ExprKind::Comma(_) => return is_computed_with(unit, parent),
        _ => false,
    };
    let size = |e: ExprId| plain_size(unit, sized(tree, e)?).map(i128::from);
    match (computes, eval_with(tree, parent, &size)) {
        (false, _) => false,
        (true, Some(value)) => value > 0x7fff || is_computed_with(unit, parent),
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
        matters(&unit).map(|(_, what)| what)
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
            "struct s { char tag, len, text[64]; } v = { 1, sizeof(struct s) - 2, \"\" };",
            "\n# 1 \"/usr/lib/avr/include/util/delay.h\" 1 3\nextern void __builtin_avr_delay_cycles(unsigned long); \
             extern double ceil(double); static void wait(double ms) { __builtin_avr_delay_cycles((unsigned long)ceil(16e3 * ms)); }\n\
             # 2 \"p.c\" 2\nvoid f(void) { wait(0.5); }",
            "struct s { char a; long b; } __attribute__((__packed__)); struct s v = { sizeof(struct s), 0 };",
            "struct s { int a; char b, c; union { int d; char e[2]; } u; } v; int n = sizeof v;",
            "struct s { char *p; int n; } all[3]; int f(int i) { return i < sizeof(all) / sizeof(struct s); }",
        ];
        for text in same {
            assert_eq!(found(text), None, "{text}");
        }
        let other = [
            "int *p; int f(void) { return sizeof p; }",
            "struct s { char a; int b; } v; int n = sizeof v;",
            "struct s { int b; char a; } v; int n = sizeof v;",
            "struct s { int b; long a; } v; int n = sizeof v;",
            "unsigned u; char b[8]; int f(void) { return u + sizeof b; }",
            "char b[8], *p = b; int f(int n) { return n + (p - b); }",
            "char b[8]; unsigned u; void f(void) { u = (unsigned)b; }",
            "char *p; unsigned u; void f(void) { p = (char *)u; }",
            "float x; void f(void) { x = x * 2.5; }",
            "struct s { char a; long b; } v __attribute__((packed)); int n = sizeof v;",
            "struct packed { char a; long b; } packed; int n = sizeof packed;",
            "struct s { char a; long b; }; struct t { char c; } __attribute__((packed)); int n = sizeof(struct s);",
            "struct s { char tag, len, text[30000]; } v; unsigned n = sizeof v + 30000;",
            "\n# 1 \"/usr/lib/avr/include/util/delay.h\" 1 3\nextern double ceil(double); unsigned long left; \
             static void wait(double ms) { left = (unsigned long)ceil(16e3 * ms); }\n# 2 \"p.c\" 2\nvoid f(void) { wait(10); }",
        ];
        for text in other {
            assert!(found(text).is_some(), "{text}");
        }
    }
}
