//! Completion.

use super::At;
use crate::cursor::{self, Field};
use crate::documents::Workspace;
use crate::index::{Index, SymbolKind};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionResponse, CompletionTextEdit,
    Range, TextDocumentPositionParams, TextEdit,
};

/// The most offers in an answer. A program of thousands of functions has too many names to be sent at each key.
const MOST: usize = 200;

/// The operators of formulas, with what they say.
pub(crate) const OPERATORS: &[(&str, &str)] = &[
    ("G", "always: from here on, at every letter"),
    ("F", "eventually: at this or a later letter"),
    ("X", "at the next letter"),
    (
        "U",
        "until: the left holds up to a letter at which the right holds, which comes",
    ),
    (
        "W",
        "weak until: the left holds up to a letter at which the right holds, or for ever",
    ),
    (
        "R",
        "release: the right holds up to and with a letter at which the left holds, or for ever",
    ),
    ("Y", "at the letter before, if there is one"),
    ("Z", "at the letter before, or there is none"),
    ("O", "once: at this or an earlier letter"),
    ("H", "historically: at this and every earlier letter"),
    (
        "S",
        "since: the right held, and the left at every letter after that",
    ),
    ("true", "holds always"),
    ("false", "holds never"),
];

/// What can stand at the cursor.
pub(crate) fn complete(
    space: &Workspace,
    asked: &TextDocumentPositionParams,
) -> CompletionResponse {
    let Some(at) = At::of(space, asked) else {
        return CompletionResponse::Array(Vec::new());
    };
    let inside = at.offset - at.around.start;
    let prefix = cursor::prefix(at.text(), inside);
    let start = at.around.start + prefix.start;
    let range = at.document.text.range(start..at.offset, space.encoding);
    let subjects = space.subjects_of(&at.path);
    let indexes: Vec<&Index> = subjects
        .filter_map(|(_, subject)| subject.checked.index.as_ref())
        .collect();
    let offers = Offers { at: &at, indexes };
    let mut found = match at.kind() {
        Field::Formula => offers.formula(),
        Field::Condition | Field::Variable => offers.expression(&prefix),
        Field::Sentence => {
            let mut found = offers.expression(&prefix);
            if prefix.path.is_empty() && prefix.function.is_none() {
                found.extend(offers.sentence(space));
            }
            found
        }
        Field::Label => offers.labels(&prefix),
        Field::Function => offers.functions(),
        Field::Key | Field::Other => Vec::new(),
    };
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.dedup_by(|a, b| a.name == b.name);
    let cut = found.len() > MOST;
    if cut {
        let typed = at.text().get(prefix.start..inside).unwrap_or_default();
        found = likeliest(found, typed);
    }
    let items = found.into_iter().map(|offer| offer.item(range)).collect();
    match cut {
        false => CompletionResponse::Array(items),
        // The client asks again when more is typed.
        true => CompletionResponse::List(CompletionList {
            is_incomplete: true,
            items,
        }),
    }
}

/// The offers that can be meant by what is typed: first those that begin with it, then those that have its characters
/// in order.
fn likeliest(found: Vec<Offer>, typed: &str) -> Vec<Offer> {
    let typed = typed.to_lowercase();
    let fits = |name: &str| {
        let mut rest = name.chars();
        typed.chars().all(|c| rest.any(|other| other == c))
    };
    let named = found.into_iter().filter_map(|offer| {
        let name = offer.name.to_lowercase();
        let inner = name.rsplit("::").next().unwrap_or(&name);
        let begins = name.starts_with(&typed) || inner.starts_with(&typed);
        fits(&name).then_some((!begins, name.len(), offer))
    });
    let mut named: Vec<(bool, usize, Offer)> = named.collect();
    named.sort_by_key(|(other, length, _)| (*other, *length));
    named.truncate(MOST);
    named.into_iter().map(|(_, _, offer)| offer).collect()
}

/// The words of requirements, with what they say.
const WORDS: &[(&str, &str)] = &[
    ("shall", "stands behind the component"),
    ("satisfy", "stands before the response"),
    ("when", "each time that the condition becomes true"),
    ("whenever", "as long as the condition is true"),
    ("while", "in each interval in which the mode holds"),
    ("within", "at most so much later"),
    ("immediately", "at the trigger"),
    ("eventually", "there or later"),
    ("always", "from there on"),
    ("never", "nowhere from there on"),
    ("until", "up to a letter with the condition"),
    ("before", "at least once before the condition"),
    ("at the next timepoint", "one letter later"),
];

struct Offer {
    name: String,
    kind: CompletionItemKind,
    detail: String,
}

impl Offer {
    fn item(self, range: Range) -> CompletionItem {
        CompletionItem {
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(
                range,
                self.name.clone(),
            ))),
            label: self.name,
            kind: Some(self.kind),
            detail: Some(self.detail),
            ..CompletionItem::default()
        }
    }
}

struct Offers<'a> {
    at: &'a At<'a>,
    indexes: Vec<&'a Index>,
}

impl Offers<'_> {
    fn formula(&self) -> Vec<Offer> {
        let operators = OPERATORS.iter().map(|(name, meaning)| Offer {
            name: (*name).to_owned(),
            kind: CompletionItemKind::OPERATOR,
            detail: (*meaning).to_owned(),
        });
        let text = self.at.document.text.as_str();
        let strings = match self.at.path.extension().is_some_and(|e| e == "json") {
            true => self.at.document.strings(),
            false => &[],
        };
        let names = strings
            .iter()
            .filter(|s| !s.is_key && s.keys == ["pa", "name"]);
        let propositions = names.map(|s| Offer {
            name: text[s.inside.clone()].to_owned(),
            kind: CompletionItemKind::VALUE,
            detail: "proposition".to_owned(),
        });
        operators.chain(propositions).collect()
    }

    /// Words of requirements, and the propositions of specifications.
    fn sentence(&self, space: &Workspace) -> Vec<Offer> {
        let words = WORDS.iter().map(|(word, meaning)| Offer {
            name: (*word).to_owned(),
            kind: CompletionItemKind::KEYWORD,
            detail: (*meaning).to_owned(),
        });
        let subjects = space.subjects_of(&self.at.path);
        let propositions = subjects.flat_map(|(_, subject)| subject.checked.meanings.iter());
        // What stands in braces is no proposition.
        let declared = propositions.filter(|(name, _)| !name.starts_with('{'));
        let declared = declared.map(|(name, meaning)| Offer {
            name: name.clone(),
            kind: CompletionItemKind::VALUE,
            detail: meaning.clone(),
        });
        words.chain(declared).collect()
    }

    fn expression(&self, prefix: &cursor::Prefix) -> Vec<Offer> {
        let mut found = Vec::new();
        for index in &self.indexes {
            if let Some((first, rest)) = prefix.path.split_first() {
                found.extend(fields(index, prefix.function.as_deref(), first, rest));
                continue;
            }
            let symbols = index.symbols.iter().filter(|s| match &prefix.function {
                Some(function) => s.function.as_ref() == Some(function),
                None => true,
            });
            found.extend(symbols.map(|s| Offer {
                name: match (&s.function, &prefix.function) {
                    (Some(function), None) => format!("{function}::{}", s.name),
                    _ => s.name.clone(),
                },
                kind: match s.kind {
                    SymbolKind::Function => CompletionItemKind::FUNCTION,
                    SymbolKind::Constant => CompletionItemKind::CONSTANT,
                    SymbolKind::Global | SymbolKind::Local => CompletionItemKind::VARIABLE,
                },
                detail: s.declaration.clone(),
            }));
        }
        found
    }

    fn labels(&self, prefix: &cursor::Prefix) -> Vec<Offer> {
        let labels = self.indexes.iter().flat_map(|index| {
            let all = index.labels.iter();
            all.map(|label| (label, index.labelled(&label.name).count() > 1))
        });
        let wanted = labels.filter(|(label, _)| match &prefix.function {
            Some(function) => label.function == *function,
            None => true,
        });
        wanted
            .map(|(label, several)| Offer {
                name: match several && prefix.function.is_none() {
                    true => format!("{}::{}", label.function, label.name),
                    false => label.name.clone(),
                },
                kind: CompletionItemKind::REFERENCE,
                detail: format!("label of `{}`", label.function),
            })
            .collect()
    }

    fn functions(&self) -> Vec<Offer> {
        let symbols = self.indexes.iter().flat_map(|index| &index.symbols);
        let functions = symbols.filter(|s| s.kind == SymbolKind::Function);
        functions
            .map(|s| Offer {
                name: s.name.clone(),
                kind: CompletionItemKind::FUNCTION,
                detail: s.declaration.clone(),
            })
            .collect()
    }
}

/// The fields of `first.rest…`.
fn fields(index: &Index, function: Option<&str>, first: &str, rest: &[String]) -> Vec<Offer> {
    let of = |record: Option<usize>| record.and_then(|r| index.fields.get(&r));
    let mut record = index.named(first, function).find_map(|s| s.record);
    for name in rest {
        let field = of(record).and_then(|fields| fields.iter().find(|f| f.name == *name));
        record = field.and_then(|field| field.record);
    }
    let fields = of(record).into_iter().flatten();
    fields
        .map(|field| Offer {
            name: field.name.clone(),
            kind: CompletionItemKind::FIELD,
            detail: field.declaration.clone(),
        })
        .collect()
}
