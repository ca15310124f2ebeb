//! Evaluates integer constant expressions, as array lengths, enumerations and `case` need them.

use crate::span::{ExprId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Resolved, Tree, UnaryOp};
use crate::types::{ArrayLen, FloatKind, QualType, Type};

/// The value of an integer constant expression; `None` if the expression is not constant or of a
/// form that is not computed here.
pub fn eval(tree: &Tree, id: ExprId) -> Option<i128> {
    eval_where(tree, id, &|_| None)
}

/// Whether an expression is 0, perhaps converted: a null pointer, where it is a pointer.
pub fn is_null(tree: &Tree, mut e: ExprId) -> bool {
    while let ExprKind::Cast(of) = tree.exprs[e].kind {
        e = of;
    }
    eval(tree, e) == Some(0)
}

/// The value of an integer expression without effects in which some objects have known values.
pub fn eval_where(
    tree: &Tree,
    id: ExprId,
    known: &dyn Fn(ObjectId) -> Option<i128>,
) -> Option<i128> {
    eval_with(tree, id, &|e| match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => known(object),
        _ => None,
    })
}

/// The value of an integer expression without effects in which some expressions have known values.
pub fn eval_with(tree: &Tree, id: ExprId, known: &dyn Fn(ExprId) -> Option<i128>) -> Option<i128> {
    let expr = &tree.exprs[id];
    if let Some(value) = known(id) {
        return converted(tree, expr.ty, value);
    }
    let eval = |_: &Tree, e: ExprId| eval_with(tree, e, known);
    let value = match &expr.kind {
        ExprKind::Int(value) | ExprKind::Char(value) => (*value)?,
        ExprKind::Ident(Resolved::EnumConst(_, value)) => (*value)?,
        ExprKind::Unary(op, e) => {
            let v = eval(tree, *e)?;
            match op {
                UnaryOp::Plus => v,
                UnaryOp::Minus => v.checked_neg()?,
                UnaryOp::BitNot => !v,
                UnaryOp::Not => i128::from(v == 0),
                UnaryOp::Real | UnaryOp::Imag => return None,
            }
        }
        ExprKind::Binary(op, a, b) => match elements(tree, *op, *a, *b) {
            Some(count) => count,
            None => binary(tree, *op, (*a, *b), known)?,
        },
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => {
            let c = eval(tree, *cond)?;
            match (c != 0, then) {
                (true, Some(then)) => eval(tree, *then)?,
                (true, None) => c,
                (false, _) => eval(tree, *otherwise)?,
            }
        }
        ExprKind::Cast(e) => eval(tree, *e)?,
        ExprKind::SizeofType(ty) => i128::from(size_of(tree, *ty)?),
        ExprKind::SizeofExpr(e) => match tree.exprs[*e].kind {
            ExprKind::Str(size) => i128::from(size?),
            _ => i128::from(size_of(tree, tree.exprs[*e].ty)?),
        },
        ExprKind::Generic { arms, chosen, .. } => eval(tree, arms[(*chosen)?].1)?,
        ExprKind::Call { callee, args, .. } => match tree.selected(id) {
            Some(chosen) => eval(tree, chosen)?,
            None => classified(tree, *callee, args)?,
        },
        _ => return None,
    };
    converted(tree, expr.ty, value)
}

/// Whether an expression is an integer constant expression (C11, 6.6), whatever its value is. Unlike what has a value here,
/// `0 && x` is none.
pub(crate) fn is_constant(tree: &Tree, id: ExprId) -> bool {
    match &tree.exprs[id].kind {
        ExprKind::Int(_)
        | ExprKind::Char(_)
        | ExprKind::Ident(Resolved::EnumConst(..))
        | ExprKind::Alignof(_)
        | ExprKind::OffsetOf(_)
        | ExprKind::TypeBuiltin => true,
        ExprKind::SizeofType(ty) => !is_variable(tree, *ty),
        ExprKind::SizeofExpr(e) => !is_variable(tree, tree.exprs[*e].ty),
        // `(int)2.5` is one.
        ExprKind::Cast(e) => {
            is_constant(tree, *e) || matches!(tree.exprs[*e].kind, ExprKind::Float)
        }
        ExprKind::Unary(_, e) => is_constant(tree, *e),
        ExprKind::Binary(_, a, b) => is_constant(tree, *a) && is_constant(tree, *b),
        ExprKind::Conditional { .. } => {
            let parts = tree.children(id);
            parts.into_iter().all(|e| is_constant(tree, e))
        }
        ExprKind::Generic { arms, chosen, .. } => {
            let arm = chosen.and_then(|n| arms.get(n));
            arm.is_some_and(|(_, e)| is_constant(tree, *e))
        }
        ExprKind::Call { callee, args, .. } => {
            let ExprKind::Ident(Resolved::Unknown(name)) = &tree.exprs[*callee].kind else {
                return false;
            };
            matches!(
                name.as_str(),
                "__builtin_classify_type" | "__builtin_types_compatible_p"
            ) || tree.selected(id).is_some_and(|e| is_constant(tree, e))
                || name == "__builtin_constant_p" && args.iter().all(|e| is_constant(tree, *e))
        }
        _ => false,
    }
}

/// Whether a type is an array of variable length, or an array of them.
fn is_variable(tree: &Tree, mut ty: QualType) -> bool {
    loop {
        ty = match tree.types.get(ty) {
            Type::Array(_, ArrayLen::Variable) => return true,
            Type::Array(of, _) => *of,
            _ => return false,
        };
    }
}

/// The number that GCC has for the class of an operand's type, which is not evaluated; 1 for whether a constant is one.
/// (Whether something else is one depends on what the compiler finds out.)
fn classified(tree: &Tree, callee: ExprId, args: &[ExprId]) -> Option<i128> {
    let ExprKind::Ident(Resolved::Unknown(name)) = &tree.exprs[callee].kind else {
        return None;
    };
    match name.as_str() {
        "__builtin_classify_type" => {}
        "__builtin_types_compatible_p" => {
            let [a, b] = args else { return None };
            let of = |e: ExprId| match tree.exprs[e].kind {
                ExprKind::SizeofType(ty) => Some(ty),
                _ => None,
            };
            return are_compatible(tree, of(*a)?, of(*b)?).map(i128::from);
        }
        "__builtin_constant_p" => return args.iter().all(|e| is_constant(tree, *e)).then_some(1),
        _ => return None,
    }
    match tree.types.get(tree.exprs[*args.first()?].ty) {
        Type::Bool | Type::Int(_) | Type::Enum(_) => Some(1),
        Type::Pointer(_) | Type::Array(..) | Type::Function(_) => Some(5),
        Type::Float(_) => Some(8),
        _ => None,
    }
}

/// The type whose size an expression is.
pub(crate) fn sized(tree: &Tree, e: ExprId) -> Option<QualType> {
    match tree.exprs[e].kind {
        ExprKind::SizeofType(of) => Some(of),
        ExprKind::SizeofExpr(of) => Some(tree.exprs[of].ty),
        _ => None,
    }
}

/// `sizeof table / sizeof table[0]`, whatever the size of an element is.
pub(crate) fn elements(tree: &Tree, op: BinaryOp, whole: ExprId, one: ExprId) -> Option<i128> {
    let (BinaryOp::Div, Some(whole), Some(one)) = (op, sized(tree, whole), sized(tree, one)) else {
        return None;
    };
    match tree.types.get(whole) {
        Type::Array(of, ArrayLen::Known(count)) if of.ty == one.ty => Some(i128::from(*count)),
        _ => None,
    }
}

/// Whether two types are compatible, whatever their own qualifiers are; `None` if that is not known here.
fn are_compatible(tree: &Tree, a: QualType, b: QualType) -> Option<bool> {
    if a.quals.is_atomic != b.quals.is_atomic {
        return None;
    }
    match (tree.types.get(a), tree.types.get(b)) {
        (Type::Pointer(p), Type::Pointer(q)) if p.quals == q.quals => are_compatible(tree, *p, *q),
        (Type::Pointer(_), Type::Pointer(_)) => Some(false),
        (Type::Enum(_), _) | (_, Type::Enum(_)) => None,
        (x, y) if is_simple(x) && is_simple(y) => Some(a.ty == b.ty),
        _ => None,
    }
}

/// Whether a type is compatible with no other one, enumerations aside.
fn is_simple(ty: &Type) -> bool {
    match ty {
        Type::Void | Type::Bool | Type::Int(_) | Type::Pointer(_) | Type::Record(_) => true,
        Type::Float(kind) => *kind != FloatKind::Other,
        _ => false,
    }
}

fn binary(
    tree: &Tree,
    op: BinaryOp,
    (a, b): (ExprId, ExprId),
    known: &dyn Fn(ExprId) -> Option<i128>,
) -> Option<i128> {
    let eval = |tree: &Tree, e: ExprId| eval_with(tree, e, known);
    let x = eval(tree, a);
    match op {
        // The other operand need not be a constant.
        BinaryOp::And if x == Some(0) => return Some(0),
        BinaryOp::Or if x.is_some_and(|x| x != 0) => return Some(1),
        _ => {}
    }
    let y = eval(tree, b)?;
    if op == BinaryOp::Mul && y == 0 && x.is_none() && is_constant(tree, a) {
        return Some(0);
    }
    let x = x?;
    // C compares values of different signedness in their common type.
    let (x, y) = if op.is_boolean() && !matches!(op, BinaryOp::And | BinaryOp::Or) {
        common(tree, a, b, x, y)?
    } else {
        (x, y)
    };
    let truth = |b: bool| Some(i128::from(b));
    match op {
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Rem => x.checked_rem(y),
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Shl => {
            let by = u32::try_from(y).ok().filter(|&n| n < 64)?;
            x.checked_mul(1i128.checked_shl(by)?)
        }
        BinaryOp::Shr => {
            let by = u32::try_from(y).ok().filter(|&n| n < 64)?;
            Some(x >> by)
        }
        BinaryOp::Lt => truth(x < y),
        BinaryOp::Gt => truth(x > y),
        BinaryOp::Le => truth(x <= y),
        BinaryOp::Ge => truth(x >= y),
        BinaryOp::Eq => truth(x == y),
        BinaryOp::Ne => truth(x != y),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::And => truth(x != 0 && y != 0),
        BinaryOp::Or => truth(x != 0 || y != 0),
    }
}

fn common(tree: &Tree, a: ExprId, b: ExprId, x: i128, y: i128) -> Option<(i128, i128)> {
    let int = tree.types.model.int;
    let bits = |e: ExprId| match tree.types.get(tree.exprs[e].ty) {
        Type::Bool => Some((int, true)),
        _ => {
            let kind = tree.types.int_kind(tree.exprs[e].ty)?;
            Some((tree.types.bits(kind), tree.types.signed(kind)))
        }
    };
    let ((wa, sa), (wb, sb)) = (bits(a)?, bits(b)?);
    let unsigned = (!sa && wa >= int && wa >= wb) || (!sb && wb >= int && wb >= wa);
    let width = wa.max(wb).max(int);
    if !unsigned || width >= 128 {
        return Some((x, y));
    }
    let mask = (1i128 << width) - 1;
    Some((x & mask, y & mask))
}

/// The value converted to an integer type or `_Bool`; `None` for other types.
pub fn converted(tree: &Tree, ty: QualType, value: i128) -> Option<i128> {
    match tree.types.get(ty) {
        Type::Bool => Some(i128::from(value != 0)),
        _ => {
            let kind = tree.types.int_kind(ty)?;
            let width = tree.types.bits(kind);
            if width >= 128 {
                return Some(value);
            }
            let low = value & ((1i128 << width) - 1);
            let negative = tree.types.signed(kind) && low >> (width - 1) != 0;
            Some(if negative {
                low - (1i128 << width)
            } else {
                low
            })
        }
    }
}

/// The size of a type in bytes; `None` for structures and unions, whose layout the
/// compiler decides, and for types without a known size.
pub fn size_of(tree: &Tree, ty: QualType) -> Option<u64> {
    let model = &tree.types.model;
    let bytes = |bits: u32| Some(u64::from(bits / 8));
    match tree.types.get(ty) {
        Type::Bool | Type::Void => Some(1),
        Type::Int(kind) => bytes(model.bits(*kind)),
        Type::Float(FloatKind::Float) => Some(4),
        Type::Float(FloatKind::Double) => bytes(model.double),
        Type::Float(FloatKind::LongDouble) => bytes(model.long_double),
        Type::Pointer(_) => bytes(model.pointer),
        Type::Enum(id) => bytes(model.bits(tree.types.enums[*id].int_kind(model)?)),
        Type::Array(of, ArrayLen::Known(n)) => size_of(tree, *of)?.checked_mul(*n),
        _ => None,
    }
}
