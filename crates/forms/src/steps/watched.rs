//! Which writes of a threaded program the formulas about it can observe. The others need not be steps of their own where
//! no other thread can observe them.

use std::collections::BTreeSet;

use cfront::memory_model::LOST;
use cfront::token::TokenKind;
use cfront::tree::{Entity, Tree};
use cfront::types::{QualType, Type};
use cfront::{ObjectId, Unit};
use sequentialise::Watched;
use spec::{Evaluation, Spec};

/// The writes that the propositions of a specification observe. With letters, each event of the program is noted; and a
/// model of the memory has steps of its own.
pub(super) fn by(spec: &Spec, unit: &Unit, has_letters: bool) -> Watched {
    let tree = &unit.tree;
    if tree.lookup(tree.file_scope(), usize::MAX, LOST).is_some() {
        return Watched::Accesses;
    }
    if has_letters {
        return Watched::Writes;
    }
    read_by(spec, tree).map_or(Watched::Writes, Watched::Objects)
}

/// The objects that the propositions of a specification read; `None` if they may read others.
pub(super) fn read_by(spec: &Spec, tree: &Tree) -> Option<BTreeSet<ObjectId>> {
    let mut all = BTreeSet::new();
    for proposition in &spec.propositions {
        let read = match &proposition.evaluation {
            Evaluation::Condition(condition) => objects(tree, condition.as_str()),
            // A timer reads nothing but other propositions.
            Evaluation::Timer => Some(BTreeSet::new()),
            Evaluation::Function { .. } => None,
        };
        all.extend(read?);
    }
    Some(all)
}

/// The words of C that a condition may have besides names.
const KEYWORDS: [&str; 11] = [
    "sizeof", "int", "char", "short", "long", "unsigned", "signed", "_Bool", "float", "double",
    "const",
];

/// The objects that a condition reads; `None` if it may read others through pointers, or is not understood.
fn objects(tree: &Tree, condition: &str) -> Option<BTreeSet<ObjectId>> {
    let tokens = cfront::token::Tokens::lex(condition, false).ok()?;
    let mut found = BTreeSet::new();
    let mut before = "";
    let mut follows = false;
    for token in &tokens.tokens {
        let word = token.span.of(condition);
        let is_member = matches!(std::mem::replace(&mut before, word), "." | "->");
        follows |= matches!(word, "*" | "->" | "[");
        if token.kind != TokenKind::Word || is_member || KEYWORDS.contains(&word) {
            continue;
        }
        match tree.lookup(tree.file_scope(), usize::MAX, word)? {
            Entity::Object(object) => found.insert(object),
            Entity::EnumConst(..) => continue,
            Entity::Function(_) | Entity::Typedef(_) => return None,
        };
    }
    let leads_on = |&object: &ObjectId| has_pointers(tree, tree.objects[object].ty);
    (!follows || !found.iter().any(leads_on)).then_some(found)
}

/// Whether values of a type hold pointers.
fn has_pointers(tree: &Tree, ty: QualType) -> bool {
    match tree.type_of(ty) {
        Type::Array(element, _) => has_pointers(tree, *element),
        Type::Record(record) => {
            let members = tree.types.records[*record].members.as_ref();
            members.is_none_or(|all| all.iter().any(|m| has_pointers(tree, m.ty)))
        }
        Type::Pointer(_) | Type::Function(_) | Type::Vector(_) | Type::Unknown => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(condition: &str) -> Option<Vec<String>> {
        let text = "enum color { RED }; struct node { struct node *next; int n; } one, *top; int x, y, a[2]; int f(void);\n\
            struct plain { int n; } all[2];";
        let unit = Unit::parse(cfront::Source::from_bytes(text.into())).unwrap();
        let found = objects(&unit.tree, condition)?;
        let names = found.iter().map(|o| unit.tree.objects[*o].name.clone());
        Some(names.collect())
    }

    #[test]
    fn conditions_read_the_objects_that_they_name() {
        let names = |all: &[&str]| Some(all.iter().map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(read("x == 1 && y * 2 > RED"), names(&["x", "y"]));
        assert_eq!(read("a[x] == 1"), names(&["x", "a"]));
        assert_eq!(read("all[0].n == 1"), names(&["all"]));
        assert_eq!(read("top != 0 && one.n"), names(&["one", "top"]));
    }

    #[test]
    fn what_leads_through_pointers_is_not_told() {
        for condition in ["top->n == 1", "*top", "f() == 1", "z == 1", "one.next[0].n"] {
            assert_eq!(read(condition), None, "{condition}");
        }
    }
}
