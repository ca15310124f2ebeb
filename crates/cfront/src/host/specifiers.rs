//! The names of types.

use crate::data_model::DataModel;
use crate::edit::Edits;
use crate::integers::IntKind;
use crate::parse::Unit;
use crate::span::Span;
use crate::token::{TokenKind, Tokens};
use crate::tree::Entity;

use super::around;

/// Words that may stand between those of a type.
const BETWEEN: [&str; 12] = [
    "const",
    "__const",
    "volatile",
    "__volatile__",
    "static",
    "extern",
    "register",
    "typedef",
    "inline",
    "__inline",
    "__inline__",
    "__extension__",
];

/// Words of integer types.
const WORDS: [&str; 8] = [
    "int",
    "long",
    "short",
    "char",
    "unsigned",
    "signed",
    "__signed__",
    "__signed",
];

/// The type here that is as wide as one of the program's.
pub(super) fn here(model: &DataModel, kind: IntKind) -> &'static str {
    let same = match model.bits(kind) {
        16 => IntKind::Short,
        32 => IntKind::Int,
        64 => IntKind::LongLong,
        _ => return kind.spelling(),
    };
    match kind.signed() {
        true => same.spelling(),
        false => same.unsigned().spelling(),
    }
}

/// A type of the program's, without names of its own, as it is spelled here.
pub fn spelled(model: &DataModel, ty: &str) -> String {
    let mut edits = Edits::new();
    match Tokens::lex(ty, false) {
        Ok(tokens) => {
            all(model, ty, &tokens, &|_| false, &mut edits);
            String::from_utf8_lossy(&edits.splice(ty.as_bytes())).into_owned()
        }
        Err(_) => ty.to_owned(),
    }
}

/// Gives the integer types of the program the names that they have here, and its enumerations their width. The search's
/// own functions and `main` have the types of this machine.
pub(super) fn renamed(unit: &Unit, edits: &mut Edits) {
    let tree = &unit.tree;
    let mut kept: Vec<Span> = Vec::new();
    for (_, decl) in tree.decls.iter() {
        let own = |entity: &Entity| match entity {
            Entity::Function(f) => {
                let function = &tree.functions[*f];
                function.name.starts_with("ba_x_") && function.body.is_none()
                    || function.name == "main"
            }
            _ => false,
        };
        if !decl.declared.is_empty() && decl.declared.iter().all(|d| own(&d.entity)) {
            kept.push(decl.span);
        }
    }
    for (_, function, body) in tree.defined_functions() {
        if function.name == "main" {
            kept.push(Span::new(body.span.start, body.declarator.end));
        }
    }
    kept.sort_by_key(|span| span.start);
    let is_kept = |at: usize| {
        let next = kept.partition_point(|span| span.start <= at);
        next > 0 && kept[next - 1].contains(at)
    };
    let text = &unit.source.text;
    all(&tree.types.model, text, &unit.tokens, &is_kept, edits);
    if tree.types.model.int == 16 {
        enumerations(text, &unit.tokens, edits);
    }
}

/// Renames the types among tokens, except for those at places that are kept.
fn all(
    model: &DataModel,
    text: &str,
    tokens: &Tokens,
    is_kept: &dyn Fn(usize) -> bool,
    edits: &mut Edits,
) {
    let word = |at: usize| tokens.text(at, text);
    let mut at = 0;
    while at < tokens.tokens.len() {
        let first = at;
        at += 1;
        let single = model.double == 32;
        if word(first) == "double" && single {
            around(edits, tokens.tokens[first].span, "/*", "*/ float ");
        }
        if !WORDS.contains(&word(first)) {
            continue;
        }
        let mut of = vec![first];
        while WORDS.contains(&word(at)) || BETWEEN.contains(&word(at)) {
            if WORDS.contains(&word(at)) {
                of.push(at);
            }
            at += 1;
        }
        if is_kept(tokens.tokens[first].span.start) {
            continue;
        }
        let count = |name: &str| of.iter().filter(|at| word(**at) == name).count();
        if word(at) == "double" && single {
            let blank = |token: &usize| around(edits, tokens.tokens[*token].span, "/*", "*/");
            of.iter().for_each(blank);
            continue;
        }
        let behind = |at: usize| matches!(word(at), "double" | "_Complex" | "__int128");
        if count("char") + count("short") > 0 || behind(at) || first > 0 && behind(first - 1) {
            continue;
        }
        let signed = match count("long") {
            0 => IntKind::Int,
            1 => IntKind::Long,
            _ => IntKind::LongLong,
        };
        let kind = match count("unsigned") {
            0 => signed,
            _ => signed.unsigned(),
        };
        let name = here(model, kind);
        for (number, token) in of.iter().enumerate() {
            let name = if number == 0 { name } else { "" };
            around(
                edits,
                tokens.tokens[*token].span,
                "/*",
                &format!("*/ {name} "),
            );
        }
    }
}

/// Makes enumerations as wide as `int` is there.
fn enumerations(text: &str, tokens: &Tokens, edits: &mut Edits) {
    let word = |at: usize| tokens.text(at, text);
    for at in 0..tokens.tokens.len() {
        if word(at) != "enum" {
            continue;
        }
        let tagged = tokens
            .tokens
            .get(at + 1)
            .is_some_and(|t| t.kind == TokenKind::Word);
        let open = at + 1 + usize::from(tagged);
        let Some(close) = tokens.mates.get(open).filter(|_| word(open) == "{") else {
            continue;
        };
        let end = tokens.tokens[*close as usize].span.end;
        around(edits, Span::empty(end), "", " __attribute__((mode(HI)))");
    }
}
