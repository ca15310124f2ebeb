//! Calls that allocate objects of a known type, or free memory.

use crate::access::{usage, Use};
use crate::calls::named_function;
use crate::consteval;
use crate::library::{self, plain_name};
use crate::span::{ExprId, FunctionId};
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree};
use crate::types::{ArrayLen, QualType, Type};

/// What a call allocates.
#[derive(Clone, Copy, Debug)]
pub struct Allocated {
    /// The type of the object, or of each element.
    pub ty: QualType,
    /// The number of elements; `None` for one object that is no array.
    pub elements: Option<u64>,
}

/// What a call allocates until it is freed, if its size says so: `malloc(sizeof(T))`, `malloc(sizeof *p)`,
/// `malloc(4 * sizeof(T))`, `malloc(sizeof(T[4]))`, `calloc(4, sizeof(T))`; `None` for other calls.
pub fn allocated(tree: &Tree, call: ExprId) -> Option<Allocated> {
    match (library_name(tree, call)?, arguments(tree, call)?) {
        ("malloc", [size]) => of_size(tree, counted(tree, *size)),
        ("calloc", [count, size]) => of_size(tree, (*size, consteval::eval(tree, *count)?)),
        _ => None,
    }
}

/// The type of the elements that a call allocates, and the expression of their number, if that is not constant:
/// `malloc(n * sizeof(T))`, `calloc(n, sizeof(T))`; `None` for other calls.
pub fn allocated_several(tree: &Tree, call: ExprId) -> Option<(QualType, ExprId)> {
    let (count, size) = match (library_name(tree, call)?, arguments(tree, call)?) {
        ("malloc", [size]) => match tree.exprs[tree.uncast(*size)].kind {
            ExprKind::Binary(BinaryOp::Mul, left, right) => match sized(tree, right) {
                Some(_) => (left, right),
                None => (right, left),
            },
            _ => return None,
        },
        ("calloc", [count, size]) => (*count, *size),
        _ => return None,
    };
    let is_variable = consteval::eval(tree, count).is_none() && sized(tree, count).is_none();
    let one = of_size(tree, (size, 1)).filter(|one| one.elements.is_none() && is_variable)?;
    Some((one.ty, count))
}

/// What a call of `alloca` allocates until its caller returns, if its size says so as for [`allocated`].
pub fn allocated_on_stack(tree: &Tree, call: ExprId) -> Option<Allocated> {
    match (library_name(tree, call)?, arguments(tree, call)?) {
        ("alloca", [size]) => of_size(tree, counted(tree, *size)),
        _ => None,
    }
}

fn arguments(tree: &Tree, call: ExprId) -> Option<&[ExprId]> {
    match &tree.exprs[call].kind {
        ExprKind::Call { args, .. } => Some(args),
        _ => None,
    }
}

/// What so many times the size of a type has room for.
fn of_size(tree: &Tree, (size, count): (ExprId, i128)) -> Option<Allocated> {
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
        ty: ty.unqualified(),
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
pub fn gives_back(tree: &Tree, call: ExprId) -> bool {
    library_name(tree, call) == Some("free")
}

/// The name of a function of the library, if a call names one that the program does not define.
pub fn library_name(tree: &Tree, call: ExprId) -> Option<&str> {
    let (name, function) = called_function(tree, call)?;
    let function = function.or_else(|| tree.function_named(name));
    let defined = function.is_some_and(|f| tree.functions[f].body.is_some());
    (!defined).then(|| plain_name(name))
}

/// The name of the function that a call names.
pub fn called_name(tree: &Tree, call: ExprId) -> Option<&str> {
    Some(called_function(tree, call)?.0)
}

/// Whether a program calls by its name a function that starts a thread. Linear in the program.
pub(crate) fn starts_threads(tree: &Tree) -> bool {
    let mut all = tree.exprs.ids();
    all.any(|e| called_name(tree, e).is_some_and(library::starts_thread))
}

/// The name of the function that a call names, and the function, unless it is known by its name only.
fn called_function(tree: &Tree, call: ExprId) -> Option<(&str, Option<FunctionId>)> {
    let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    match &tree.exprs[*callee].kind {
        ExprKind::Ident(Resolved::Unknown(name)) => Some((name, None)),
        _ => {
            let function = named_function(tree, *callee)?;
            Some((&tree.functions[function].name, Some(function)))
        }
    }
}

/// The type whose size an expression computes.
fn sized(tree: &Tree, e: ExprId) -> Option<QualType> {
    sized_within(tree, e, WRAPPED)
}

/// How many functions may hand a size on: `kcalloc` calls `kmalloc_array`, which calls `malloc`.
const WRAPPED: u32 = 3;

fn sized_within(tree: &Tree, mut e: ExprId, wrapped: u32) -> Option<QualType> {
    while let ExprKind::Cast(of) = tree.exprs[e].kind {
        e = of;
    }
    consteval::sized(tree, e).or_else(|| sized_by_callers(tree, e, wrapped.checked_sub(1)?))
}

/// The type whose size all callers of a function hand to a parameter that only they give a value: the size in
/// `void *make(size_t n) { return malloc(n); }`, if the program makes objects of one type so. Linear in the program.
fn sized_by_callers(tree: &Tree, e: ExprId, wrapped: u32) -> Option<QualType> {
    let ExprKind::Ident(Resolved::Object(parameter)) = tree.exprs[e].kind else {
        return None;
    };
    let function = tree.objects[parameter].function?;
    let params = &tree.functions[function].body.as_ref()?.params;
    let place = params.iter().position(|p| *p == parameter)?;
    let mut common: Option<QualType> = None;
    for (id, expr) in tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated) {
        match expr.kind {
            ExprKind::Ident(Resolved::Object(o)) if o == parameter => {
                let reads = matches!(usage(tree, id), Use::Read | Use::None);
                reads.then_some(())?;
            }
            ExprKind::Ident(Resolved::Function(f)) if f == function => {
                // A function whose address is taken may have other callers.
                let Parent::Expr(call) = expr.parent else {
                    return None;
                };
                let args = match &tree.exprs[call].kind {
                    ExprKind::Call { callee, args, .. } if *callee == id => args,
                    _ => return None,
                };
                let ty = sized_within(tree, *args.get(place)?, wrapped)?;
                (common.is_none_or(|known| known.ty == ty.ty)).then_some(())?;
                common = Some(ty);
            }
            _ => {}
        }
    }
    common.filter(|_| is_alone(tree, function))
}

/// Whether only the calls of the text call a function: it is `static`, or the program has a `main`, so that nobody else is its caller.
fn is_alone(tree: &Tree, function: FunctionId) -> bool {
    tree.functions[function].is_static || tree.function_named("main").is_some()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    /// The number of the program's calls of which it is known what they allocate.
    fn known(rest: &str) -> usize {
        let text = format!(
            "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);\n\
             struct s {{ int a; }} *p; struct t {{ int b; }} *q;\n\
             static void *zalloc(size_t n, int flags) {{ (void)flags; return calloc(1, n); }}\n{rest}\n"
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let calls = unit.tree.exprs.ids();
        calls
            .filter(|&e| allocated(&unit.tree, e).is_some())
            .count()
    }

    #[test]
    fn a_size_that_all_callers_hand_on_is_known() {
        for (rest, expected) in [
            ("int main(void) { p = zalloc(sizeof *p, 1); p = zalloc(sizeof(struct s), 2); }", 1),
            ("static void *more(size_t n) { return zalloc(n, 0); } int main(void) { p = more(sizeof *p); }", 1),
            ("int main(void) { p = zalloc(sizeof *p, 1); q = zalloc(sizeof *q, 1); }", 0),
            ("int main(void) { p = zalloc(7, 1); }", 0),
            ("void *(*f)(size_t, int) = zalloc; int main(void) { p = zalloc(sizeof *p, 1); }", 0),
            ("static void *odd(size_t n) { n++; return malloc(n); } int main(void) { p = odd(sizeof *p); }", 0),
        ] {
            assert_eq!(known(rest), expected, "{rest}");
        }
    }
}
