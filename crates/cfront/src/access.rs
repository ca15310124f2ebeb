//! How expressions use objects: which objects they write, read, or take the address of.

use std::collections::BTreeMap;

use crate::library::{self, NoEffect};
use crate::parse::Unit;
use crate::span::{ExprId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree};
use crate::types::{ArrayLen, Class, IntKind, Type};

/// A write that the program text contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The expression that writes: assignment, `++` or `--`.
    pub expr: ExprId,
    /// The lvalue that is written.
    pub lvalue: ExprId,
    /// The object at the root of the lvalue, unless the lvalue goes through a pointer. The object
    /// itself or a part of it is written.
    pub object: Option<ObjectId>,
}

/// The evaluated writes of the whole unit, without initializers.
pub fn writes(tree: &Tree) -> Vec<Write> {
    let mut found = Vec::new();
    for (id, expr) in tree.exprs.iter() {
        if let Some(lvalue) = written(tree, id) {
            if !expr.unevaluated {
                let (root, through_pointer) = tree.root(lvalue);
                let object = root.filter(|_| !through_pointer);
                found.push(Write {
                    expr: id,
                    lvalue,
                    object,
                });
            }
        }
    }
    found
}

/// Whether a program may access an object through a pointer, or depend on which object that is: it follows one, indexes what is no array
/// of known size, writes a string, orders or subtracts pointers, or gives one to a function without a body that may go astray with it.
/// Where it does not, each access is to an object that it names, at most at a wrong index. Linear in the program.
pub fn follows_pointers(unit: &Unit) -> bool {
    let tree = &unit.tree;
    let class = |e: ExprId| tree.types.class(tree.exprs[e].ty);
    let sized = |e: ExprId| {
        matches!(
            tree.types.get(tree.exprs[e].ty),
            Type::Array(_, ArrayLen::Known(_) | ArrayLen::Variable)
        )
    };
    tree.exprs.iter().any(|(_, expr)| match &expr.kind {
        _ if expr.unevaluated => false,
        ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } => true,
        ExprKind::Index { base, index } => {
            !sized(*base) && !sized(*index) || [*base, *index].iter().any(|&e| is_string(tree, e))
        }
        ExprKind::Binary(op, lhs, rhs) => {
            let pair = [*lhs, *rhs].iter().all(|&e| is_address(class(e)));
            pair && depends_on_object(*op)
        }
        ExprKind::Call { callee, args, .. } => match tree.exprs[*callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => {
                tree.functions[f].body.is_none() && !stays(unit, &tree.functions[f].name, args)
            }
            _ => !stays(unit, "", args),
        },
        _ => false,
    })
}

/// Whether a function without a body cannot access anything but what it is meant for: it gets no pointers, prints literals and
/// numbers, or reads one number into an `int`.
fn stays(unit: &Unit, name: &str, args: &[ExprId]) -> bool {
    let tree = &unit.tree;
    let class = |e: ExprId| tree.types.class(tree.exprs[e].ty);
    let mut addresses = args.iter().copied().filter(|&arg| {
        let own = !is_stream(tree, arg);
        own && is_address(class(arg))
    });
    let row = library::function(name);
    let prints = row.is_some_and(|row| matches!(row.no_effect, Some(NoEffect::Silent(_))));
    if prints {
        return addresses.all(|e| is_string(tree, e));
    }
    if !matches!(name, "scanf" | "fscanf") {
        return addresses.next().is_none();
    }
    let [.., format, to] = *args else {
        return false;
    };
    let format = tree.exprs[format].bare;
    let format = unit.source.text.get(format.start..format.end);
    let number = matches!(format, Some("\"%d\"" | "\"%i\"" | "\"%u\""));
    let ExprKind::AddressOf(object) = tree.exprs[to].kind else {
        return false;
    };
    let ty = tree.types.get(tree.exprs[object].ty);
    number && addresses.count() == 2 && matches!(ty, Type::Int(IntKind::Int | IntKind::UInt))
}

/// Whether an expression is one of the library's streams.
fn is_stream(tree: &Tree, e: ExprId) -> bool {
    let ExprKind::Ident(Resolved::Object(o)) = tree.exprs[e].kind else {
        return false;
    };
    let object = &tree.objects[o];
    object.in_system_header && matches!(&*object.name, "stdin" | "stdout" | "stderr")
}

/// Whether values of a class are addresses.
fn is_address(class: Class) -> bool {
    matches!(class, Class::Pointer | Class::Array)
}

/// Whether an expression is a string.
fn is_string(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.exprs[e].kind, ExprKind::Str(_))
}

/// Whether an operation with two pointers needs them to point into one object (C11, 6.5.6 and 6.5.8).
fn depends_on_object(op: BinaryOp) -> bool {
    use BinaryOp::{Ge, Gt, Le, Lt, Sub};
    matches!(op, Sub | Lt | Gt | Le | Ge)
}

/// The lvalue that an expression itself writes, if the expression is an assignment, `++` or `--`.
pub fn written(tree: &Tree, id: ExprId) -> Option<ExprId> {
    match &tree.exprs[id].kind {
        ExprKind::Assign { lhs, .. } => Some(*lhs),
        ExprKind::IncDec { operand, .. } => Some(*operand),
        _ => None,
    }
}

/// Whether evaluating an expression, once or again, changes nothing; calls count as changes. Linear in the
/// expression.
pub fn is_pure(tree: &Tree, e: ExprId) -> bool {
    let expr = &tree.exprs[e];
    let changes = matches!(
        expr.kind,
        ExprKind::Assign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(_)
            | ExprKind::Opaque
    );
    expr.unevaluated || !changes && tree.children(e).into_iter().all(|c| is_pure(tree, c))
}

/// How an identifier's object is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// The value of the object, or of a part of it, is read.
    Read,
    /// The object, or a part of it, is written.
    Write,
    /// The object is read and written: `+=`, `++`.
    ReadWrite,
    /// The address of the object, or of a part of it, becomes a value: `&x`, `&x.m`, `&a[i]`, or an
    /// array that decays to a pointer.
    Address,
    /// The object is not accessed at run time (`sizeof x`).
    None,
}

/// How an identifier expression uses the object that it names.
pub fn usage(tree: &Tree, ident: ExprId) -> Use {
    if tree.exprs[ident].unevaluated {
        return Use::None;
    }
    let mut at = ident;
    loop {
        let Parent::Expr(parent) = tree.exprs[at].parent else {
            return value_use(tree, at);
        };
        match &tree.exprs[parent].kind {
            ExprKind::Member { arrow: false, .. } => at = parent,
            ExprKind::Index { .. } if is_array(tree, at) => at = parent,
            ExprKind::Deref(_) if is_array(tree, at) => at = parent,
            ExprKind::AddressOf(_) => return Use::Address,
            ExprKind::Assign { lhs, op, .. } if *lhs == at => {
                return if op.is_some() {
                    Use::ReadWrite
                } else {
                    Use::Write
                };
            }
            ExprKind::IncDec { .. } => return Use::ReadWrite,
            ExprKind::SizeofExpr(_) => return Use::None,
            _ => return value_use(tree, at),
        }
    }
}

/// How the use of a value uses the object: the value of an array is its address.
fn value_use(tree: &Tree, at: ExprId) -> Use {
    match tree.exprs[at].ty {
        ty if matches!(tree.types.class(ty), Class::Array) => Use::Address,
        _ => Use::Read,
    }
}

fn is_array(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..))
}

/// The objects whose address is taken, each with the identifiers where the address is taken.
/// Objects that an assembler statement names are left out.
pub fn address_taken(tree: &Tree) -> BTreeMap<ObjectId, Vec<ExprId>> {
    let mut found: BTreeMap<ObjectId, Vec<ExprId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
            if usage(tree, id) == Use::Address {
                found.entry(object).or_default().push(id);
            }
        }
    }
    found
}
