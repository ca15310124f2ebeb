//! C types as far as emitted declarations need them: scalars spelled without the user's declarations, types of
//! arguments and results of calls, declarations of variables.

use cfront::consteval::{eval, size_of};
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{ExprKind, Resolved, Tree};
use cfront::types::{ArrayLen, FloatKind, IntKind, QualType, Type};

use crate::facts::names::user;
use crate::facts::spelling::NAME;
use crate::facts::{ObjectIndex, Range};

/// A scalar type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scalar {
    /// Its spelling, such as `unsigned char`.
    pub spelling: String,
    /// The least and the greatest value of an integer type.
    pub bounds: Option<(i128, i128)>,
    /// Whether it is a pointer type.
    pub pointer: bool,
}

/// The type of one argument of a call, and what the callee may write through it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument {
    /// Its own type, if that is a scalar (arrays are pointers here).
    pub scalar: Option<Scalar>,
    /// The type that it points to, if that is a scalar that may be written.
    pub target: Option<Scalar>,
    /// The number of elements, if the argument is an array.
    pub elements: Option<u64>,
    /// The number of bytes, if the argument is an array.
    pub array_bytes: Option<u64>,
    /// Whether it is written as the address of an lvalue, `&x`.
    pub address: bool,
    /// Whether the callee may write to what it points to. The library's streams do not count: only the library
    /// looks into them.
    pub writable: bool,
    /// The size of the structure that it points to, if that may be written and has a name. The expression is
    /// valid at the call, and after a program of one file.
    pub bytes: Option<String>,
    /// Whether the callee may write more than one thing of its type, or things of unknown type: the pointer may
    /// point into an array, or to `void`, or to an array.
    pub rest: bool,
    /// The offsets of the pointers in the structure that it points to, as C expressions.
    pub pointers: Vec<String>,
    /// Its value, if that is an integer constant.
    pub constant: Option<i128>,
    /// The type of what it points to, if values of that type may be stored there: that of a scalar, or of a structure with a
    /// name. Valid where [`Argument::bytes`] is.
    pub element: Option<String>,
    /// Whether it is the name of a function.
    pub function: bool,
}

impl Argument {
    /// The size in bytes of the integer that it points to, if it points to one.
    pub fn integer_bytes(&self) -> Option<i128> {
        let (low, high) = self.target.as_ref()?.bounds?;
        let values = high.checked_sub(low)?.checked_add(1)?;
        let bits = values.ilog2();
        (bits % 8 == 0).then_some((bits / 8).into())
    }
}

/// The most pointers of one structure that are kept one by one.
pub const MOST_POINTERS: usize = 32;

/// The types of a call's result and arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTypes {
    /// The result's type; `None` if it is not a scalar.
    pub result: Option<Scalar>,
    /// Whether the call returns nothing.
    pub void: bool,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// A declaration of a variable inside a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The object that it declares.
    pub object: ObjectIndex,
    /// The whole declaration, `;` included.
    pub range: Range,
    /// Its depth, for edits.
    pub depth: i32,
    /// Whether it is an item of a block, so that a statement may follow it.
    pub in_block: bool,
}

/// A variable's type as far as planned inputs need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableType {
    /// The scalar type of the variable, or of its elements.
    pub scalar: Option<Scalar>,
    /// The number of elements, if it is an array.
    pub elements: Option<u64>,
    /// Whether it is `const`.
    pub constant: bool,
}

/// The scalar type that a type is, if it is one.
pub fn scalar(tree: &Tree, ty: QualType) -> Option<Scalar> {
    let plain = |spelling: &str, bounds, pointer| {
        Some(Scalar {
            spelling: spelling.into(),
            bounds,
            pointer,
        })
    };
    match tree.types.get(ty) {
        Type::Bool => plain("_Bool", Some((0, 1)), false),
        Type::Int(kind) => plain(kind.spelling(), Some(bounds(tree, *kind)), false),
        Type::Float(FloatKind::Float) => plain("float", None, false),
        Type::Float(FloatKind::Double) => plain("double", None, false),
        Type::Float(FloatKind::LongDouble) => plain("long double", None, false),
        Type::Enum(id) => {
            let constants = &tree.types.enums[*id].constants;
            match constants.iter().any(|(_, v)| v.is_none_or(|v| v < 0)) {
                true => plain("int", Some(bounds(tree, IntKind::Int)), false),
                false => plain("unsigned", Some(bounds(tree, IntKind::UInt)), false),
            }
        }
        Type::Pointer(to) if to.quals.is_const => plain("const void *", None, true),
        Type::Pointer(_) => plain("void *", None, true),
        _ => None,
    }
}

fn bounds(tree: &Tree, kind: IntKind) -> (i128, i128) {
    let least = if tree.types.signed(kind) {
        i128::MIN
    } else {
        0
    };
    let range = tree.types.model.range(kind);
    range.unwrap_or((least, i128::MAX))
}

/// The types of a call. Arguments whose parameter is a pointer to `const`, and string literals, are not
/// written. `spelled` gives the text of a declaration of a type.
pub fn call(
    tree: &Tree,
    call: ExprId,
    callee: ExprId,
    arguments: &[ExprId],
    spelled: &dyn Fn(QualType) -> Option<String>,
) -> CallTypes {
    let ty = tree.exprs[call].ty;
    let prototype = match &tree.exprs[callee].kind {
        ExprKind::Ident(Resolved::Function(f)) => tree.types.function(tree.functions[*f].ty),
        _ => None,
    };
    let read_only = |i: usize, a: ExprId| {
        let declared = prototype.and_then(|p| p.params.get(i));
        let constant = declared.is_some_and(|p| match tree.types.get(*p) {
            Type::Pointer(to) => to.quals.is_const,
            _ => false,
        });
        constant || matches!(tree.exprs[a].kind, ExprKind::Str(_))
    };
    CallTypes {
        result: result(tree, ty),
        void: matches!(tree.types.get(ty), Type::Void),
        arguments: arguments
            .iter()
            .enumerate()
            .map(|(i, &a)| {
                let ty = tree.exprs[a].ty;
                let argument = argument(tree, ty);
                let writable = !read_only(i, a) && writes_through(tree, ty);
                let structure = pointee(tree, ty).filter(|to| writable && is_record(tree, *to));
                let name = structure.and_then(|to| named(tree, to, spelled));
                let pointers = structure.zip(name.as_ref());
                let pointers = pointers.map(|(to, name)| offsets_of_pointers(tree, to, name));
                let bytes = name.as_ref().map(|name| format!("sizeof({name})"));
                let of_scalar = || Some(scalar(tree, pointee(tree, ty)?)?.spelling);
                let element = name.or_else(|| of_scalar().filter(|_| writable));
                Argument {
                    target: argument.target.filter(|_| !read_only(i, a)),
                    writable,
                    address: matches!(tree.exprs[a].kind, ExprKind::AddressOf(_)),
                    rest: writable && has_rest(tree, a) || structure.is_some() && bytes.is_none(),
                    bytes,
                    pointers: pointers.unwrap_or_default(),
                    constant: eval(tree, a),
                    element,
                    function: matches!(tree.types.get(ty), Type::Function(_)),
                    ..argument
                }
            })
            .collect(),
    }
}

/// The scalar type of a call's result. A pointer to a number is one, since the program may compute with it; other pointers are
/// converted to what the program makes of them.
fn result(tree: &Tree, ty: QualType) -> Option<Scalar> {
    let plain = scalar(tree, ty)?;
    let Type::Pointer(to) = tree.types.get(ty) else {
        return Some(plain);
    };
    let Some(of) = scalar(tree, *to).filter(|of| !of.pointer) else {
        return Some(plain);
    };
    let constant = if to.quals.is_const { "const " } else { "" };
    Some(Scalar {
        spelling: format!("{constant}{} *", of.spelling),
        ..plain
    })
}

/// Whether a pointer may point into an array, or to `void` or an array. A pointer to a pointer counts as none
/// of these: no value is chosen for a pointer that is stored through it.
fn has_rest(tree: &Tree, argument: ExprId) -> bool {
    let expr = &tree.exprs[argument];
    let Some(to) = pointee(tree, expr.ty) else {
        return false;
    };
    let one = |e: ExprId| {
        matches!(
            tree.exprs[e].kind,
            ExprKind::Ident(_) | ExprKind::Member { .. }
        )
    };
    match tree.types.get(to) {
        Type::Pointer(_) | Type::Function(_) => false,
        Type::Void | Type::Array(..) => true,
        _ => match tree.types.get(expr.ty) {
            // The elements of an array of numbers are chosen one by one.
            Type::Array(_, len) => is_record(tree, to) || !matches!(len, ArrayLen::Known(_)),
            _ => !matches!(expr.kind, ExprKind::AddressOf(e) if one(e)),
        },
    }
}

/// What a pointer or an array points to.
fn pointee(tree: &Tree, ty: QualType) -> Option<QualType> {
    match tree.types.get(ty) {
        Type::Array(of, _) => Some(*of),
        Type::Pointer(to) => Some(*to),
        _ => None,
    }
}

/// Whether a callee can write through an argument of this type.
fn writes_through(tree: &Tree, ty: QualType) -> bool {
    const STREAMS: [&str; 2] = ["_IO_FILE", "__dirstream"];
    let Some(to) = pointee(tree, ty).filter(|to| !to.quals.is_const) else {
        return false;
    };
    match tree.types.get(to) {
        Type::Function(_) => false,
        Type::Record(id) => {
            let tag = tree.types.records[*id].tag.as_deref();
            tag.is_none_or(|tag| !STREAMS.contains(&tag))
        }
        _ => true,
    }
}

fn is_record(tree: &Tree, ty: QualType) -> bool {
    matches!(tree.types.get(ty), Type::Record(_))
}

/// The name of the type of a structure or union whose size is known.
fn named(
    tree: &Tree,
    ty: QualType,
    spelled: &dyn Fn(QualType) -> Option<String>,
) -> Option<String> {
    let Type::Record(id) = tree.types.get(ty) else {
        return None;
    };
    tree.types.records[*id].members.as_ref()?;
    let name = spelled(ty)?.replace(NAME, "");
    Some(user(name.trim_end()))
}

/// The offsets of pointers in the structure of this name, as constant expressions. Members of unions are left
/// out: they may hold something else.
fn offsets_of_pointers(tree: &Tree, ty: QualType, name: &str) -> Vec<String> {
    let mut paths = Vec::new();
    pointers_in(tree, ty, "", &mut paths);
    // Not by `offsetof`: model checkers define it as a macro, which needs a header.
    let offset = |path: &String| format!("(unsigned long)&(({name} *)0)->{}", user(path));
    paths.iter().map(offset).collect()
}

/// Adds the designators of all pointers in a type to `paths`, which then has at most `MOST_POINTERS + 1`.
fn pointers_in(tree: &Tree, ty: QualType, path: &str, paths: &mut Vec<String>) {
    match tree.types.get(ty) {
        _ if paths.len() > MOST_POINTERS => {}
        Type::Pointer(_) => paths.push(path.to_string()),
        Type::Array(of, ArrayLen::Known(n)) => {
            let before = paths.len();
            for i in 0..*n {
                pointers_in(tree, *of, &format!("{path}[{i}]"), paths);
                if paths.len() == before || paths.len() > MOST_POINTERS {
                    break;
                }
            }
        }
        Type::Record(id) if !tree.types.records[*id].is_union => {
            let members = tree.types.records[*id].members.iter().flatten();
            for member in members {
                let inner = match (&member.name, path) {
                    (None, path) => path.to_string(),
                    (Some(name), "") => name.clone(),
                    (Some(name), path) => format!("{path}.{name}"),
                };
                pointers_in(tree, member.ty, &inner, paths);
            }
        }
        _ => {}
    }
}

fn argument(tree: &Tree, ty: QualType) -> Argument {
    let written = |of: QualType| {
        let target = scalar(tree, of).filter(|s| !s.pointer && !of.quals.is_const);
        (of, target)
    };
    match tree.types.get(ty) {
        Type::Array(of, len) => {
            let (of, target) = written(*of);
            let pointer = if of.quals.is_const {
                "const void *"
            } else {
                "void *"
            };
            Argument {
                scalar: Some(Scalar {
                    spelling: pointer.into(),
                    bounds: None,
                    pointer: true,
                }),
                target,
                elements: match len {
                    ArrayLen::Known(n) => Some(*n),
                    _ => None,
                },
                array_bytes: size_of(tree, ty),
                ..Argument::default()
            }
        }
        Type::Pointer(to) => Argument {
            scalar: scalar(tree, ty),
            target: written(*to).1,
            ..Argument::default()
        },
        _ => Argument {
            scalar: scalar(tree, ty),
            ..Argument::default()
        },
    }
}

/// The type of a variable, as far as planned inputs need it.
pub fn variable(tree: &Tree, object: ObjectId) -> VariableType {
    let ty = tree.objects[object].ty;
    let (of, elements) = match tree.types.get(ty) {
        Type::Array(of, ArrayLen::Known(n)) => (*of, Some(*n)),
        _ => (ty, None),
    };
    VariableType {
        scalar: scalar(tree, of),
        elements,
        constant: of.quals.is_const || ty.quals.is_const,
    }
}
