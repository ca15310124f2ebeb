//! Recognises calls that allocate objects of a known type, or free them: the search for infinite
//! runs gives such objects names.

use cfront::consteval;
use cfront::library::plain_name;
use cfront::span::Id;
use cfront::tree::{BinaryOp, ExprKind, Parent, Tree};
use cfront::types::{ArrayLen, QualType, Quals, Type};
use cfront::ExprId;

use crate::library::name_of;

/// What a call allocates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocated {
    /// The type of the object, or of each element.
    pub ty: QualType,
    /// The number of elements; `None` for one object that is no array.
    pub elements: Option<u64>,
}

/// What a call allocates, if its size says so: `malloc(sizeof(T))`, `malloc(sizeof *p)`,
/// `malloc(4 * sizeof(T))`, `malloc(sizeof(T[4]))`, `calloc(4, sizeof(T))`; `None` for other calls.
pub(crate) fn allocated(tree: &Tree, call: ExprId) -> Option<Allocated> {
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let name = library_name(tree, call)?;
    let (size, count) = match (name, &args[..]) {
        ("malloc", [size]) => counted(tree, *size),
        ("calloc", [count, size]) => (*size, consteval::eval(tree, *count)?),
        _ => return None,
    };
    let mut ty = sized(tree, size)?;
    let mut elements = u64::try_from(count).ok().filter(|&n| n > 0)?;
    let mut array = elements != 1;
    while let Type::Array(of, ArrayLen::Known(n)) = tree.types.get(ty) {
        elements = elements.checked_mul(*n).filter(|&n| n > 0)?;
        (ty, array) = (*of, true);
    }
    let whole = !matches!(
        tree.types.get(ty),
        Type::Array(..) | Type::Function(_) | Type::Void
    );
    whole.then_some(Allocated {
        ty: QualType {
            ty: ty.ty,
            quals: Quals::NONE,
        },
        elements: array.then_some(elements),
    })
}

/// A size without its constant factor, and the factor: `sizeof(T)` and 4 for `4 * sizeof(T)`.
fn counted(tree: &Tree, size: ExprId) -> (ExprId, i128) {
    if let ExprKind::Binary(BinaryOp::Mul, left, right) = tree.exprs[size].kind {
        for (count, of) in [(left, right), (right, left)] {
            if let (Some(n), true) = (consteval::eval(tree, count), sized(tree, of).is_some()) {
                return (of, n);
            }
        }
    }
    (size, 1)
}

/// Whether a call frees memory.
pub(crate) fn gives_back(tree: &Tree, call: ExprId) -> bool {
    library_name(tree, call) == Some("free")
}

/// The name of a function of the library, if a call names one.
fn library_name(tree: &Tree, call: ExprId) -> Option<&str> {
    let name = name_of(tree, call)?;
    let defined = tree.function_named(name);
    let defined = defined.is_some_and(|f| tree.functions[f].body.is_some());
    (!defined).then(|| plain_name(name))
}

/// The type whose size an expression computes.
fn sized(tree: &Tree, mut e: ExprId) -> Option<QualType> {
    loop {
        match &tree.exprs[e].kind {
            ExprKind::SizeofType(ty) => return Some(*ty),
            ExprKind::SizeofExpr(of) => return Some(tree.exprs[*of].ty),
            ExprKind::Cast(of) => e = *of,
            _ => return None,
        }
    }
}

/// The name that replaces the function of an allocating or freeing call, for the function's
/// identifier.
pub(crate) fn replaced(tree: &Tree, ident: ExprId) -> Option<String> {
    let Parent::Expr(call) = tree.exprs[ident].parent else {
        return None;
    };
    match tree.exprs[call].kind {
        ExprKind::Call { callee, .. } if callee == ident => {}
        _ => return None,
    }
    if gives_back(tree, call) {
        return Some("ba_seq_free".to_owned());
    }
    allocated(tree, call).map(|_| format!("ba_seq_allocate_{}", call.index()))
}
