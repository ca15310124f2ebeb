//! Recognises calls that allocate objects of a known type, or free them: the search for infinite
//! runs gives such objects names.

use cfront::consteval;
use cfront::library::plain_name;
use cfront::span::Id;
use cfront::tree::{ExprKind, Parent, Tree};
use cfront::types::{QualType, Quals, Type};
use cfront::ExprId;

use crate::library::name_of;

/// The type of the object that a call allocates: `malloc(sizeof(T))`, `malloc(sizeof *p)`,
/// `calloc(1, sizeof(T))`; `None` for other calls.
pub(crate) fn allocated(tree: &Tree, call: ExprId) -> Option<QualType> {
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let name = library_name(tree, call)?;
    let size = match (name, &args[..]) {
        ("malloc", [size]) => *size,
        ("calloc", [count, size]) if consteval::eval(tree, *count) == Some(1) => *size,
        _ => return None,
    };
    let ty = sized(tree, size)?;
    let whole = !matches!(
        tree.types.get(ty),
        Type::Array(..) | Type::Function(_) | Type::Void
    );
    whole.then_some(QualType {
        ty: ty.ty,
        quals: Quals::NONE,
    })
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
