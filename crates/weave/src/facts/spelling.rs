//! C types spelled so that the text means the same before, in and after the program.

use std::collections::HashMap;

use cfront::span::{FunctionId, ScopeId};
use cfront::tree::Tree;
use cfront::types::{QualType, Type};

/// Stands for the name in a declaration that is spelled without one.
pub const NAME: char = '\u{3}';

/// A declaration at file scope of something of a type, without qualifiers, with [`NAME`] in place of the name;
/// `None` if the type cannot be named there.
pub(crate) fn declaration(tree: &Tree, ty: QualType) -> Option<String> {
    let unqualified = QualType {
        quals: Default::default(),
        ..ty
    };
    tree.types
        .declare(unqualified, &NAME.to_string(), tree.file_scope())
}

/// Like [`declaration`], for text in a function: the names of the function's file count, and `None` also if a
/// scope of the function gives a name in the type another meaning.
pub(crate) fn declaration_in(
    tree: &Tree,
    ty: QualType,
    function: FunctionId,
    scopes: &[ScopeId],
) -> Option<String> {
    let mut file = tree.functions[function].body.as_ref()?.scope;
    while let Some(parent) = tree.scopes[file].parent {
        file = parent;
    }
    let unqualified = QualType {
        quals: Default::default(),
        ..ty
    };
    let text = tree.types.declare(unqualified, &NAME.to_string(), file)?;
    let hidden = |word: &str| {
        let mut inner = scopes.iter().map(|&s| &tree.scopes[s]);
        inner.any(|s| s.names.contains_key(word) || s.tags.contains_key(word))
    };
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut own = words.filter(|w| !w.is_empty() && !KEYWORDS.contains(w));
    (!own.any(hidden)).then_some(text)
}

/// The scopes of each function.
pub(crate) fn scopes_of_functions(tree: &Tree) -> HashMap<FunctionId, Vec<ScopeId>> {
    let mut scopes: HashMap<FunctionId, Vec<ScopeId>> = HashMap::new();
    for (id, scope) in tree.scopes.iter() {
        if let Some(function) = scope.function {
            scopes.entry(function).or_default().push(id);
        }
    }
    scopes
}

/// Keywords in spelled types, which no declaration can hide.
const KEYWORDS: [&str; 14] = [
    "int", "char", "short", "long", "unsigned", "signed", "_Bool", "void", "float", "double",
    "const", "volatile", "struct", "union",
];

/// A type that holds the values of a scalar and that needs no declaration of the user's.
pub(crate) fn value_type(tree: &Tree, ty: QualType) -> Option<String> {
    use cfront::types::FloatKind;
    match tree.types.get(ty) {
        Type::Bool => Some("_Bool".into()),
        Type::Int(kind) => Some(kind.spelling().into()),
        Type::Float(FloatKind::Float) => Some("float".into()),
        Type::Float(FloatKind::Double) => Some("double".into()),
        Type::Float(FloatKind::LongDouble) => Some("long double".into()),
        Type::Enum(id) => {
            let constants = &tree.types.enums[*id].constants;
            let negative = constants
                .iter()
                .any(|(_, value)| value.is_none_or(|v| v < 0));
            Some(if negative { "int" } else { "unsigned" }.into())
        }
        Type::Pointer(to) if to.quals.is_const => Some("const void *".into()),
        Type::Pointer(_) => Some("void *".into()),
        _ => None,
    }
}
