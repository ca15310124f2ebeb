//! From text to tokens. The meaning of a word can depend on its place (`or`, `not`) and on the other words
//! (`Fp0`), so the parser interprets words.

use crate::error::shorten;
use crate::let_text::{any_comparison, comparison, header};
use crate::operator::{Binary, Bounds, Unary};
use crate::reserved::{is_past_letter, is_reserved};
use crate::sequence_text::{begins_repetition, is_sequence, many, repetition};
use crate::spelling;
use crate::token::{condition, continues_word, starts_word, Brackets, Kind};
use crate::{Interval, Matching, ParseError};
use std::ops::Range;

/// One token with its byte range.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

/// The most sequences within sequences: each is read to its end to tell it from a C condition.
const DEEPEST: usize = 32;

const SYMBOLS: &[(&str, Kind)] = &[
    // Longer symbols come first if a shorter one is their prefix.
    ("<==>", Kind::Binary(Binary::Iff)),
    ("<>->", Kind::Behind(Matching::Some)),
    ("<>=>", Kind::Behind(Matching::SomeNext)),
    ("[]->", Kind::Behind(Matching::Every)),
    ("[]=>", Kind::Behind(Matching::EveryNext)),
    ("|->", Kind::Behind(Matching::Every)),
    ("|=>", Kind::Behind(Matching::EveryNext)),
    ("<->", Kind::Binary(Binary::Iff)),
    ("<=>", Kind::Binary(Binary::Iff)),
    ("<>", Kind::Unary(Unary::Finally)),
    ("[]", Kind::Unary(Unary::Globally)),
    ("==>", Kind::Binary(Binary::Implies)),
    ("-->", Kind::Binary(Binary::Implies)),
    ("->", Kind::Binary(Binary::Implies)),
    ("=>", Kind::Binary(Binary::Implies)),
    ("&&", Kind::Binary(Binary::And)),
    ("&", Kind::Binary(Binary::And)),
    ("/\\", Kind::Binary(Binary::And)),
    ("||", Kind::Binary(Binary::Or)),
    ("|", Kind::Binary(Binary::Or)),
    ("\\/", Kind::Binary(Binary::Or)),
    ("!", Kind::Unary(Unary::Not)),
    ("~", Kind::Unary(Unary::Not)),
    ("(", Kind::Open),
    (")", Kind::Close),
    (";", Kind::Semicolon),
    ("^", Kind::Binary(Binary::Xor)),
    ("⊕", Kind::Binary(Binary::Xor)),
    ("⊤", Kind::Constant(true)),
    ("⊥", Kind::Constant(false)),
    ("¬", Kind::Unary(Unary::Not)),
    ("□", Kind::Unary(Unary::Globally)),
    ("◻", Kind::Unary(Unary::Globally)),
    ("◇", Kind::Unary(Unary::Finally)),
    ("⋄", Kind::Unary(Unary::Finally)),
    ("○", Kind::Unary(Unary::Next)),
    ("◯", Kind::Unary(Unary::Next)),
    ("∧", Kind::Binary(Binary::And)),
    ("∨", Kind::Binary(Binary::Or)),
    ("→", Kind::Binary(Binary::Implies)),
    ("⇒", Kind::Binary(Binary::Implies)),
    ("↔", Kind::Binary(Binary::Iff)),
    ("⇔", Kind::Binary(Binary::Iff)),
];

/// All tokens of a text.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    // The number of sequences that are open.
    let mut depth = 0usize;
    let mut remembers = false;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, len) = match c {
            '{' if depth <= DEEPEST && is_sequence(&text[at..]) => {
                if depth == DEEPEST {
                    let expected = format!("sequences within sequences, at most {DEEPEST}");
                    return Err(ParseError::new("one more `{`", expected, at..at + 1));
                }
                (Kind::OpenSequence, 1)
            }
            '}' if depth > 0 => (Kind::CloseSequence, 1),
            ':' if depth > 0 => (Kind::Binary(Binary::Fusion), 1),
            ';' if depth > 0 => (Kind::Binary(Binary::Then), 1),
            '&' if depth > 0 && !text[at..].starts_with("&&") => (Kind::Binary(Binary::Along), 1),
            _ => match header(text, at)? {
                Some(found) => found,
                None => match comparison(&text[at..]).filter(|_| remembers) {
                    Some(found) => found,
                    None => token(text, at, c).map_err(|error| compared(text, error, &tokens))?,
                },
            },
        };
        match kind {
            Kind::Let(_) => remembers = true,
            Kind::OpenSequence => depth += 1,
            Kind::CloseSequence => depth -= 1,
            _ => {}
        }
        tokens.push(Token {
            kind,
            span: at..at + len,
        });
        at += len;
    }
    Ok(tokens)
}

/// The error for a sign of C, with all of the comparison that it stands in, if it does.
fn compared(text: &str, error: ParseError, before: &[Token]) -> ParseError {
    let at = error.span.start;
    if !text[at..].starts_with(['<', '>', '=', '!', '.', ':']) {
        return error;
    }
    let words = before.iter().rev().take(5).filter(|t| t.kind == Kind::Word);
    for start in words.map(|token| token.span.start) {
        let Some((found, written)) =
            any_comparison(&text[start..]).filter(|(_, c)| start + c.len() > at)
        else {
            continue;
        };
        let operator = found.trim_end_matches('_');
        if is_reserved(operator) || is_past_letter(operator) {
            let help = "bounds are in square brackets, as in `F[<=5] p`";
            return error.help(help);
        }
        let condition = shorten(&written.replace(" = ", " == "), 60);
        return ParseError {
            found: format!("`{}`", shorten(&text[start..start + written.len()], 60)),
            span: start..start + written.len(),
            ..error
        }
        .help(format!(
            "a C condition is written in braces: `{{{condition}}}`"
        ));
    }
    error
}

fn token(text: &str, at: usize, c: char) -> Result<(Kind, usize), ParseError> {
    let rest = &text[at..];
    if continues_word(c) {
        let len = rest.find(|c| !continues_word(c)).unwrap_or(rest.len());
        return match &rest[..len] {
            "1" => Ok((Kind::Constant(true), len)),
            "0" => Ok((Kind::Constant(false), len)),
            // The notation of ACSL-like annotations. Otherwise no word precedes `(`.
            "AP" if rest[len..].trim_start().starts_with('(') => {
                let open = len + (rest[len..].len() - rest[len..].trim_start().len());
                let (kind, end) = condition(&rest[open..], at + open, b"()")?;
                Ok((kind, open + end))
            }
            _ if starts_word(c) => Ok((Kind::Word, len)),
            number => {
                let (before, behind) = (text[..at].trim_end(), rest[len..].trim_start());
                let help = match () {
                    () if before.ends_with("X^") => {
                        format!(
                            "so many letters later is written `X[{}]`",
                            shorten(number, 40)
                        )
                    }
                    () if before.ends_with('(') && behind.starts_with(',') => {
                        "bounds are in square brackets, as in `F[2,5] p`".to_owned()
                    }
                    () => format!(
                        "a proposition of this name is written \"{}\"",
                        shorten(number, 40)
                    ),
                };
                let found = format!("`{}`", shorten(number, 40));
                Err(ParseError::new(found, "a formula", at..at + len).help(help))
            }
        };
    }
    match c {
        '"' => quoted(rest, at),
        '{' => condition(rest, at, b"{}"),
        '[' if rest.starts_with("[]") => symbol(rest, at, c),
        '[' if begins_repetition(rest) => repetition(rest, at),
        '[' => interval(rest, at),
        _ => symbol(rest, at, c),
    }
}

fn symbol(rest: &str, at: usize, c: char) -> Result<(Kind, usize), ParseError> {
    SYMBOLS
        .iter()
        .find(|(symbol, _)| rest.starts_with(symbol))
        .map(|(symbol, kind)| (kind.clone(), symbol.len()))
        .ok_or_else(|| unknown(rest, at, c))
}

/// An error for a character that begins no token.
fn unknown(rest: &str, at: usize, c: char) -> ParseError {
    let mut found = format!("`{c}`");
    if c.is_control() {
        found = format!("the character U+{:04X}", u32::from(c));
    }
    let len = rest.chars().next().map_or(0, char::len_utf8);
    ParseError {
        help: spelling::sign(c).map(str::to_owned),
        ..ParseError::new(found, "a formula or an operator", at..at + len)
    }
}

/// Bounds in brackets: `[a,b]`, `[n]`, `[<=b]`, `[<b]`, `[>=a]` or `[>a]`.
fn interval(rest: &str, at: usize) -> Result<(Kind, usize), ParseError> {
    let open = rest
        .find([')', ']'])
        .filter(|&end| rest[end..].starts_with(')'));
    if let Some(end) = open.filter(|&end| rest[1..end].contains(',')) {
        let found = format!("`{}`", shorten(&rest[..=end], 40));
        let help = "bounds have both ends: `[2,5)` is `[2,4]`, and `[2,inf)` is `[>=2]`";
        return Err(ParseError::new(found, "bounds", at..at + end + 1).help(help));
    }
    let brackets = Brackets::read(rest, at, "the bounds begin here")?;
    let text = brackets.inside();
    let refused = |help: &str| brackets.refused("bounds", help);
    if text.ends_with('!') {
        return Err(refused(
            "words here have no end, so that `X[!]` is `X`, and `F[2,5!]` is `F[2,5]`",
        ));
    }
    // `inf` begins so, too.
    let often = text
        .split_once("in")
        .filter(|(_, window)| !window.starts_with('f'));
    if let Some((times, window)) = often {
        let times = limits(times.strip_prefix('=').unwrap_or(times));
        let Some((times, window)) = times.zip(limits(window)) else {
            return Err(refused(
                "how often within which letters: `[<=2 in <=9]`, `[>=3 in 2,5]` or `[=1 in <=9]`",
            ));
        };
        return Ok((Kind::Often(times, window), brackets.len()));
    }
    let digits = text.trim_end_matches("ticks").trim_end_matches("tick");
    let ticks = digits.len() < text.len();
    let Some(interval) = limits(digits) else {
        let help = match text.ends_with(|c: char| c.is_alphabetic()) {
            true => "bounds count letters (`[<=5]`), or ticks of the program's clock (`[<=50 ticks]`, `[10,50 ticks]`)",
            false => "bounds count letters: `[2,5]`, `[<=5]` or `[>=2]`; `[]` is always, and a C condition is written in braces",
        };
        return Err(refused(help));
    };
    if interval.to.is_some_and(|to| to < interval.from) {
        return Err(refused("the first number is the smaller one"));
    }
    Ok((Kind::Interval(Bounds { interval, ticks }), brackets.len()))
}

/// `a,b`, `n`, `<=b`, `<b`, `>=a` or `>a`; also `a:b` as in Spot, `a..b`, and `a:` or `a,inf` without an end.
fn limits(text: &str) -> Option<Interval> {
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|n| *n < u32::MAX);
    let (from, to) = match () {
        () if text.starts_with("<=") => number(&text[2..]).map(|to| (0, Some(to))),
        () if text.starts_with('<') => number(&text[1..])
            .and_then(|n| n.checked_sub(1))
            .map(|to| (0, Some(to))),
        () if text.starts_with(">=") => number(&text[2..]).map(|from| (from, None)),
        () if text.starts_with('>') => number(&text[1..]).map(|n| (n + 1, None)),
        () => return many(text),
    }?;
    Some(Interval { from, to })
}

/// A name in double quotes, in which `\"` and `\\` stand for `"` and `\`.
fn quoted(rest: &str, at: usize) -> Result<(Kind, usize), ParseError> {
    let mut name = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' if name.is_empty() => {
                return Err(ParseError::new(
                    "an empty name",
                    "a proposition",
                    at..at + i + 1,
                ));
            }
            '"' => return Ok((Kind::Quoted(name), i + 1)),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => name.push(escaped),
                Some((_, other)) => name.extend(['\\', other]),
                None => break,
            },
            _ => name.push(c),
        }
    }
    let open = at..at + 1;
    Err(ParseError::new(
        "the end of the formula",
        "a closing `\"`",
        at + rest.len()..at + rest.len(),
    )
    .beside(open, "the name begins here"))
}
