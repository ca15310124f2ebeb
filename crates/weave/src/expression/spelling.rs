//! Types as C text that means the same in front of, in and behind the program.

use cfront::tree::Tree;
use cfront::types::{QualType, Type};

use super::NAME;

/// A declaration at file scope of something of a type, qualifiers left out, with [`NAME`] where
/// the name stands; `None` if the type has no name there.
pub(crate) fn declaration(tree: &Tree, ty: QualType) -> Option<String> {
    let unqualified = QualType {
        quals: Default::default(),
        ..ty
    };
    tree.types
        .declare(unqualified, &NAME.to_string(), tree.file_scope())
}

/// A type that holds the values of a scalar and needs no declaration of the user's.
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
