//! The text that changes: parts that are replaced, parentheses around others, declarations in front of functions.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::parse::Unit;
use crate::source::Source;
use crate::span::{ExprId, Offset, Span};
use crate::tree::{ExprKind, Item};

/// A program with objects of its own in the place of what it has from outside.
pub struct Substituted {
    /// The text of each file.
    pub sources: Vec<Source>,
    /// What undoes it where the program is executed.
    pub native: Native,
}

/// Lines for compilers, by which a program that is executed has what it has from outside, and no objects in its place.
/// `BA_CHOOSES` is 1 where inputs come from a recorded run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Native {
    /// Macros in front of the program.
    pub before: Vec<String>,
    /// Definitions behind it.
    pub behind: Vec<String>,
}

impl Native {
    /// Adds the lines of another substitution.
    pub fn and(&mut self, other: Native) {
        self.before.extend(other.before);
        self.behind.extend(other.behind);
    }
}

/// This name, or the first one with a number behind it that is not taken.
pub(crate) fn new_name(plain: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|n| format!("{plain}_{n}"));
    let mut all = std::iter::once(plain.to_owned()).chain(numbered);
    let found = all.find(|name| !taken(name));
    found.unwrap_or_else(|| plain.to_owned())
}

/// Names that a program does not have.
pub(crate) struct Names<'a> {
    unit: &'a Unit,
    /// Collected when a name is asked for: most programs need none.
    taken: OnceCell<BTreeSet<&'a str>>,
}

impl<'a> Names<'a> {
    pub fn of(unit: &'a Unit) -> Names<'a> {
        Names {
            unit,
            taken: OnceCell::new(),
        }
    }

    /// This name, or the first one with a number behind it that the program does not have.
    pub fn free(&self, plain: &str) -> String {
        let words = self.unit.tokens.tokens.iter();
        let all = || words.map(|t| self.unit.text_of(t.span)).collect();
        let taken = self.taken.get_or_init(all);
        new_name(plain, |name| taken.contains(name))
    }
}

/// The order of changes at one offset: what closes an expression stands before what opens one; inner ones are closed
/// first and opened last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Close(usize),
    Before(usize),
    Open(std::cmp::Reverse<usize>),
}

pub(crate) struct Text<'a> {
    unit: &'a Unit,
    /// What stands in the place of parts, none within another.
    replaced: BTreeMap<Offset, (Offset, String)>,
    inserted: BTreeMap<(Offset, At), String>,
    /// Where the items of file scope begin and end, in the order of the text.
    items: Vec<Span>,
    /// What is declared, by file and name: in front of which item, its number in the order of declarations, and how.
    declared: BTreeMap<(usize, String), (Offset, usize, String)>,
}

impl<'a> Text<'a> {
    pub fn of(unit: &'a Unit) -> Text<'a> {
        let tree = &unit.tree;
        let span = |item: &Item| match item {
            Item::Function(f) => tree.functions[*f].body.as_ref().map(|body| body.span),
            Item::Decl(d) => Some(tree.decls[*d].span),
        };
        let mut items: Vec<Span> = tree.items.iter().filter_map(span).collect();
        items.sort_unstable();
        Text {
            unit,
            replaced: BTreeMap::new(),
            inserted: BTreeMap::new(),
            items,
            declared: BTreeMap::new(),
        }
    }

    /// Puts a text in the place of a part and of what was replaced in it before.
    pub fn replace(&mut self, part: Span, text: &str) {
        let inner = self.replaced.range(part.start..part.end);
        let inner: Vec<Offset> = inner.map(|(at, _)| *at).collect();
        for at in inner {
            self.replaced.remove(&at);
        }
        let text = format!("{text}{}", self.unit.lines_of(part));
        self.replaced.insert(part.start, (part.end, text));
    }

    /// Puts a text in the place of what a call calls.
    pub fn call_instead(&mut self, call: ExprId, callee: &str) {
        let expr = &self.unit.tree.exprs[call];
        if let ExprKind::Call { lparen, .. } = expr.kind {
            self.replace(Span::new(expr.bare.start, lparen), callee);
        }
    }

    /// Puts a text in front of an expression.
    pub fn open(&mut self, of: Span, text: &str) {
        let at = (of.start, At::Open(std::cmp::Reverse(of.len())));
        self.inserted.entry(at).or_default().push_str(text);
    }

    /// Puts a text behind an expression.
    pub fn close(&mut self, of: Span, text: &str) {
        let at = (of.end, At::Close(of.len()));
        self.inserted.entry(at).or_default().push_str(text);
    }

    /// Puts texts in front of and behind an expression.
    pub fn around(&mut self, of: Span, begin: &str, end: &str) {
        self.open(of, begin);
        self.close(of, end);
    }

    /// The arrow behind the pointer that ends at an offset.
    pub fn arrow_after(&self, end: Offset) -> Span {
        let tokens = &self.unit.tokens;
        let arrow = tokens.tokens.get(tokens.at_or_after(end));
        arrow.map_or(Span::empty(end), |token| token.span)
    }

    /// Whether a name is declared in some file.
    pub fn is_declared(&self, name: &str) -> bool {
        self.declared.keys().any(|(_, known)| known == name)
    }

    /// Whether a name is declared in the file with this number.
    pub fn is_declared_in(&self, part: usize, name: &str) -> bool {
        self.declared.contains_key(&(part, name.to_owned()))
    }

    /// Declares a name in front of the item of file scope that has an expression; a further declaration in the same file
    /// is the same.
    pub fn declare_before(&mut self, e: ExprId, name: &str, declaration: &str) {
        let at = self.unit.tree.exprs[e].span.start;
        let item = self.items.partition_point(|item| item.start <= at);
        let start = self
            .items
            .get(item.saturating_sub(1))
            .map_or(0, |i| i.start);
        let number = self.declared.len();
        let key = (self.unit.part_of(at), name.to_owned());
        let known = self.declared.entry(key);
        let known = known.or_insert_with(|| (start, number, declaration.to_owned()));
        known.0 = known.0.min(start);
    }

    /// A text without line ends and directives.
    pub fn on_a_line(&self, text: &str) -> String {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::trim).collect::<Vec<_>>().join(" ")
    }

    /// Gives macros another replacement, or none: then they are names.
    pub fn define(&mut self, macros: Vec<(String, Option<String>)>) {
        let macros: BTreeMap<String, Option<String>> = macros.into_iter().collect();
        for directive in &self.unit.tokens.directives {
            let Some(rest) = self.unit.text_of(*directive).strip_prefix("#define ") else {
                continue;
            };
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let name = &rest[..end.unwrap_or(rest.len())];
            let text = match macros.get(name) {
                None => continue,
                Some(None) => String::new(),
                Some(Some(value)) => format!("#define {name} {value}"),
            };
            self.replaced.insert(directive.start, (directive.end, text));
        }
    }

    /// The texts of the files, if anything in them changes.
    pub fn changed(self) -> Option<Vec<Source>> {
        let same = self.replaced.is_empty() && self.inserted.is_empty() && self.declared.is_empty();
        (!same).then(|| self.sources())
    }

    /// The changed texts of the files.
    pub fn sources(mut self) -> Vec<Source> {
        for (at, number, text) in std::mem::take(&mut self.declared).into_values() {
            let key = (at, At::Before(number));
            self.inserted.entry(key).or_default().push_str(&text);
        }
        let parts = &self.unit.parts;
        parts.iter().map(|part| self.source(*part)).collect()
    }

    fn source(&self, part: Span) -> Source {
        let source = &self.unit.source;
        let (mut out, mut done) = (Vec::new(), part.start);
        let mut changes: Vec<(Offset, Offset, &str)> = Vec::new();
        let inserted = self.inserted.range((part.start, At::Close(0))..);
        changes.extend(inserted.map(|((at, _), text)| (*at, *at, text.as_str())));
        let replaced = self.replaced.range(part.start..);
        changes.extend(replaced.map(|(at, (end, text))| (*at, *end, text.as_str())));
        // Stable: insertions at one offset keep their order, and stand before what is replaced there.
        changes.sort_by_key(|(at, end, _)| (*at, *end));
        for (at, end, text) in changes.into_iter().filter(|c| c.0 <= part.end) {
            // Within what was replaced.
            if at < done {
                continue;
            }
            out.extend_from_slice(&source.bytes[done..at]);
            out.extend_from_slice(text.as_bytes());
            done = end;
        }
        out.extend_from_slice(&source.bytes[done..part.end]);
        Source {
            files: source.files.clone(),
            ..Source::from_bytes(out)
        }
    }
}

/// The lines of a program of one file behind its first ones, `begin`, once they are rewritten; `None` if they are not.
#[cfg(test)]
pub(crate) fn behind(
    begin: &str,
    text: &str,
    rewriting: impl Fn(&Unit) -> Option<Substituted>,
) -> Option<String> {
    let source = Source::from_bytes(format!("{begin}{text}").into_bytes());
    let unit = Unit::parse(source).expect("it is C");
    let sources = rewriting(&unit)?.sources.into_iter();
    let text: String = sources.map(|source| source.text).collect();
    let lines = text.lines().skip(begin.lines().count());
    Some(lines.collect::<Vec<_>>().join("\n"))
}
