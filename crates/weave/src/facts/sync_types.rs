//! The library's synchronisation types as the model sees them.
//!
//! CBMC refuses programs in which threads write pointers that others can see, and the library's types contain
//! some. So the model has its own types. Such a type begins with the shape of the library's type, the same
//! nesting with integers in place of pointers, so that the initialisers to which the library's macros expand
//! still fit, in every version of the library.

use std::collections::{BTreeMap, BTreeSet};

use cfront::library::SYNC_TYPES as TYPES;
use cfront::linemap::RegionKind;
use cfront::span::Offset;
use cfront::token::TokenKind;
use cfront::tree::Tree;
use cfront::types::{ArrayLen, QualType, Record, Type};
use cfront::Unit;

use crate::facts::Range;

/// The members of a type, and the member that keeps the kind of a mutex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Declarations of members, with names of their own.
    pub members: String,
    /// The path of the member that says whether a statically initialised mutex is recursive.
    pub kind: Option<String>,
}

/// Where the user's text names one of the replaced types. If the text declares the type itself, as text
/// preprocessed without line markers does, that declaration is not among them: it stays beside the model's own.
pub fn type_names(unit: &Unit) -> Vec<(Range, String)> {
    let text = &unit.source.text;
    let typedefs = unit.tree.decls.iter().filter(|(_, d)| d.is_typedef);
    let declared: BTreeSet<Offset> = typedefs
        .flat_map(|(_, decl)| decl.declared.iter().map(|d| d.name.start))
        .collect();
    let words = unit
        .tokens
        .tokens
        .iter()
        .filter(|t| t.kind == TokenKind::Word);
    words
        .map(|t| (t.span, t.span.of(text)))
        .filter(|(span, word)| {
            TYPES.contains(word)
                && unit.source.lines.kind(span.start) == RegionKind::User
                && !declared.contains(&span.start)
        })
        .map(|(span, word)| (crate::facts::range(span), word.to_string()))
        .collect()
}

/// Whether the user's text names a kind of mutex (`PTHREAD_MUTEX_...`), as static initialisers of kinds do.
pub fn names_kinds(unit: &Unit) -> bool {
    let text = &unit.source.text;
    unit.tokens.tokens.iter().any(|t| {
        t.kind == TokenKind::Word
            && t.span.of(text).starts_with("PTHREAD_MUTEX_")
            && unit.source.lines.kind(t.span.start) == RegionKind::User
    })
}

/// The shapes of the replaced types that the program declares.
pub fn shapes(tree: &Tree) -> BTreeMap<String, Shape> {
    let mut found = BTreeMap::new();
    for (_, record) in tree.types.records.iter() {
        let Some(name) = record.typedef_name.as_deref() else {
            continue;
        };
        if TYPES.contains(&name) {
            let mut shape = Shape::default();
            let mut number = 0;
            members(tree, record, "", &mut number, &mut shape);
            found.insert(name.to_string(), shape);
        }
    }
    found
}

/// Collects the members of a record. An initialiser in braces reaches only the first member of a union.
fn members(tree: &Tree, record: &Record, path: &str, number: &mut u32, shape: &mut Shape) {
    let list = record.members.as_deref().unwrap_or_default();
    let count = if record.is_union { 1 } else { list.len() };
    for member in list.iter().take(count) {
        let name = format!("ba_x{number}");
        *number += 1;
        let path = format!("{path}.{name}");
        if member.name.as_deref() == Some("__kind") {
            shape.kind = Some(path.clone());
        }
        declare(tree, member.ty, &name, &path, number, shape);
    }
}

fn declare(tree: &Tree, ty: QualType, name: &str, path: &str, number: &mut u32, shape: &mut Shape) {
    match tree.types.get(ty) {
        Type::Record(id) => {
            shape.members.push_str("struct { ");
            members(tree, &tree.types.records[*id], path, number, shape);
            shape.members.push_str(&format!("}} {name}; "));
        }
        Type::Array(of, ArrayLen::Known(n)) => {
            declare(tree, *of, &format!("{name}[{n}]"), path, number, shape)
        }
        Type::Int(kind) => {
            let text = format!("{} {name}; ", kind.spelling());
            shape.members.push_str(&text);
        }
        _ => shape.members.push_str(&format!("long {name}; ")),
    }
}

/// The most parts that are listed of one object; the others are treated like objects without a name.
const MOST_PARTS: usize = 64;

/// The parts of an object that have one of the replaced types: the C text after the object's name, and the
/// type.
pub fn parts(tree: &Tree, ty: QualType) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect_parts(tree, ty, String::new(), &mut found);
    found
}

fn collect_parts(tree: &Tree, ty: QualType, path: String, found: &mut Vec<(String, String)>) {
    match tree.types.get(ty) {
        Type::Array(of, ArrayLen::Known(n)) => {
            for i in 0..*n {
                if found.len() >= MOST_PARTS || (i > 0 && found.is_empty()) {
                    return;
                }
                collect_parts(tree, *of, format!("{path}[{i}]"), found);
            }
        }
        Type::Record(id) => {
            let record = &tree.types.records[*id];
            match record.typedef_name.as_deref() {
                Some(name) if TYPES.contains(&name) => found.push((path, name.to_string())),
                _ if record.is_union => {}
                _ => {
                    for member in record.members.as_deref().unwrap_or_default() {
                        if let Some(name) = &member.name {
                            collect_parts(tree, member.ty, format!("{path}.{name}"), found);
                        }
                    }
                }
            }
        }
        _ => {}
    }
}
