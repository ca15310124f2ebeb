//! Variables whose type their initialiser gives, with the type in words: `__auto_type b = f(a)` is `__typeof__(int *) b = f(a)`.
//! CBMC 6.6 reads the initialiser of such a variable twice, and refuses it if it declares something; monitors declare things in
//! expressions, too.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{DeclId, Span};
use crate::tree::{Decl, Entity, Tree};

pub(super) fn spelled(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    for (id, decl) in tree.decls.iter() {
        let Some(word) = word_of(unit, decl) else {
            continue;
        };
        if let Some(ty) = type_of(tree, id) {
            text.replace(word, &format!("__typeof__({ty})"));
        }
    }
    text.changed()
}

/// Where `__auto_type` stands among the specifiers of a declaration.
fn word_of(unit: &Unit, decl: &Decl) -> Option<Span> {
    let end = decl.declared.first()?.declarator.start;
    let first = unit.tokens.at_or_after(decl.span.start);
    let tokens = unit.tokens.tokens[first..].iter().map(|token| token.span);
    let mut specifiers = tokens.take_while(|span| span.start < end);
    specifiers.find(|span| unit.text_of(*span) == "__auto_type")
}

/// The type of the variable of a declaration, in words that mean it there; `None` if it has no name, or one of a block.
fn type_of(tree: &Tree, id: DeclId) -> Option<String> {
    let decl = &tree.decls[id];
    let [declared] = &decl.declared[..] else {
        return None;
    };
    let Entity::Object(object) = declared.entity else {
        return None;
    };
    let ty = tree.objects[object].ty;
    let ty = tree.types.declare(ty, "", tree.file_scope())?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = ty.split(|c| !is_word(c));
    words
        .all(|word| !is_hidden(tree, decl, word))
        .then(|| ty.trim().to_string())
}

/// Whether a name of file scope has another meaning where a declaration stands.
fn is_hidden(tree: &Tree, decl: &Decl, word: &str) -> bool {
    let mut scope = decl.scope;
    while let Some(outer) = tree.scopes[scope].parent {
        let here = &tree.scopes[scope];
        if here.names.contains_key(word) || here.tags.contains_key(word) {
            return true;
        }
        scope = outer;
    }
    false
}
