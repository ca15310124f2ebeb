//! Formulas in the comments of a C program, in the syntax of Ultimate's LTL Automizer:
//! `//@ ltl invariant NAME: FORMULA;`, or several in `/*@ … */`.

use super::Listed;
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::wire::WireProperty;
use std::ops::Range;

/// Whether a program has formulas in its comments.
pub fn has_annotations(text: &str) -> bool {
    // Most programs have none, and one search says so.
    text.contains("ltl") && comments(text).any(|comment| begins_formula(&text[comment]))
}

/// Reads the formulas in the comments of a program; spans begin at `offset`.
pub(super) fn read(text: &str, offset: usize) -> (Listed, Vec<Diagnostic>) {
    let (mut listed, mut errors) = (Listed::default(), Vec::new());
    for comment in comments(text) {
        let content = &text[comment.clone()];
        if !begins_formula(content) {
            continue;
        }
        let content = Text::plain(content, offset + comment.start);
        for clause in clauses(&content) {
            match property(&clause) {
                Ok(property) => listed.properties.push(property),
                Err(error) => errors.push(*error),
            }
        }
    }
    (listed, errors)
}

/// Whether the content of an annotation is a formula, and not a contract for another tool.
fn begins_formula(content: &str) -> bool {
    let rest = content.trim_start().strip_prefix("ltl");
    rest.is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// The contents of the comments that begin with `@`, in order; string and character constants are
/// skipped. Linear time.
fn comments(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            match (bytes[at], bytes.get(at + 1)) {
                (quote @ (b'"' | b'\''), _) => at = end_of_constant(bytes, at, quote),
                (b'/', Some(&kind @ (b'/' | b'*'))) => {
                    let start = at + 2;
                    let end = match kind {
                        b'/' => end_of_line(bytes, start),
                        _ => text[start..].find("*/").map_or(text.len(), |e| start + e),
                    };
                    at = if kind == b'*' {
                        (end + 2).min(text.len())
                    } else {
                        end
                    };
                    if bytes.get(start) == Some(&b'@') {
                        return Some(start + 1..end);
                    }
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// The offset after a constant, or after the line if the constant does not end on it.
fn end_of_constant(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

/// The end of a line comment; an escaped newline continues it.
fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() && !(bytes[at] == b'\n' && bytes[at - 1] != b'\\') {
        at += 1;
    }
    at
}

/// Splits an annotation at the semicolons outside of all brackets and quotes.
fn clauses(content: &Text) -> Vec<Text> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0usize);
    let mut quote = None;
    for (at, c) in content.char_indices() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '{' | '[') => depth += 1,
            (None, ')' | '}' | ']') => depth = depth.saturating_sub(1),
            (None, ';') if depth == 0 => {
                found.push(content.part(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    // The parser of formulas reports a last clause without a semicolon if it is incomplete.
    found.push(content.part(start..content.len()));
    found.retain(|clause| !clause.trim().is_empty());
    found
}

/// `ltl invariant NAME: FORMULA`.
fn property(clause: &Text) -> Result<WireProperty, Box<Diagnostic>> {
    let malformed = |title: &str| {
        let start = clause.len() - clause.trim_start().len();
        let place = clause.span_of(start..clause.trim_end().len().max(start));
        Box::new(
            Diagnostic::error(title, place)
                .help("write `//@ ltl invariant NAME: [](AP(x == 1) ==> <>AP(y == 0));`"),
        )
    };
    if !begins_formula(clause) {
        return Err(malformed("expected `ltl invariant NAME: FORMULA;`"));
    }
    let Some(colon) = clause.find(':') else {
        return Err(malformed("no name and colon stand in front of the formula"));
    };
    let words: Vec<&str> = clause[..colon].split_whitespace().collect();
    let name = match words.as_slice() {
        ["ltl", "invariant", name] | ["ltl", name] if *name != "invariant" => *name,
        _ => {
            return Err(malformed(
                "expected a name between `ltl invariant` and the colon",
            ))
        }
    };
    let at = clause[..colon].rfind(name).unwrap_or_default();
    let end = clause.trim_end().len().max(colon + 1);
    let start = clause.len() - clause[colon + 1..].trim_start().len();
    let formula = clause.part(start.min(end)..end);
    let name = clause.part(at..at + name.len());
    Ok(WireProperty {
        span: name.span().start..formula.span().end,
        name: Some(name),
        ltl: Some(formula),
        expect: None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn formulas(text: &str) -> Vec<(String, String)> {
        let (listed, errors) = read(text, 0);
        assert!(errors.is_empty(), "{errors:?}");
        let pair = |p: WireProperty| (p.name.unwrap().to_string(), p.ltl.unwrap());
        let all = listed.properties.into_iter().map(pair);
        all.map(|(name, ltl)| {
            assert_eq!(&text[ltl.span()], ltl.as_str());
            (name, ltl.to_string())
        })
        .collect()
    }

    #[test]
    fn annotations_are_found_where_comments_are() {
        let text = "//#Safe\n//@ ltl invariant positive: [](AP(x == 1) ==> <>AP(y == 0));\n\
                    char *s = \"//@ ltl invariant no: p;\"; char c = '\"'; /*@ requires x; */\n\
                    /*@ ltl invariant a: []AP(x != ';');\n    ltl invariant b: <>AP(y); */ // @ ltl none: p;\n";
        let found = formulas(text);
        let expected = [
            ("positive", "[](AP(x == 1) ==> <>AP(y == 0))"),
            ("a", "[]AP(x != ';')"),
            ("b", "<>AP(y)"),
        ];
        let expected = expected.map(|(n, f)| (n.to_owned(), f.to_owned()));
        assert_eq!(found, expected);
        assert!(has_annotations(text));
        assert!(!has_annotations("/*@ requires ltl; */ int x; // ltl a: p;"));
    }

    #[test]
    fn damaged_annotations_have_a_place() {
        for (text, place) in [
            ("//@ ltl invariant [](p);", "ltl invariant [](p)"),
            ("//@ ltl invariant : p;", "ltl invariant : p"),
            ("/*@ ltl a: p; requires x; */", "requires x"),
        ] {
            let (_, errors) = read(text, 0);
            assert_eq!(&text[errors[0].span.clone()], place, "{text}");
        }
        for text in [
            "//@ ltl",
            "/*@ ltl a:",
            "//@ ltl a:",
            "'",
            "\"\\",
            "/*@",
            "//@",
        ] {
            read(text, 0);
        }
    }
}
