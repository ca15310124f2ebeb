//! Wide literals of characters outside of ASCII, with each of these as a number: `L"é"` is `L"\xe9"`. Model checkers take each
//! byte of the source for a character, and the parts of a pair of UTF-16 for one. `u8"é"` is `"é"`, the same bytes.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::token::TokenKind;

pub(super) fn by_number(unit: &Unit) -> Option<Vec<Source>> {
    let tokens = &unit.tokens.tokens;
    let literal = |at: usize| unit.text_of(tokens[at].span);
    let is_string = |at: usize| tokens.get(at).is_some_and(|t| t.kind == TokenKind::Str);
    let mut text = Text::of(unit);
    let mut at = 0;
    while at < tokens.len() {
        let mut end = at + 1;
        if is_string(at) {
            // Adjacent literals are one, with the prefix of any.
            while is_string(end) {
                end += 1;
            }
        } else if tokens[at].kind != TokenKind::Char {
            at = end;
            continue;
        }
        let prefixes = (at..end).map(|i| prefix(literal(i)));
        let wide = prefixes.clone().find(|p| matches!(*p, "L" | "u" | "U"));
        for (index, own) in (at..end).zip(prefixes) {
            let whole = literal(index);
            let body = &whole[own.len()..];
            let new = match wide {
                Some(wide)
                    if !body.is_ascii() || own != wide || wide == "u" && body.contains("\\U") =>
                {
                    numbered(wide, body)
                }
                None if own == "u8" && !body.is_ascii() => body.to_owned(),
                _ => continue,
            };
            text.replace(tokens[index].span, &new);
        }
        at = end;
    }
    text.changed()
}

/// The prefix of a literal.
fn prefix(literal: &str) -> &str {
    let quote = literal.find(['"', '\'']).unwrap_or(0);
    &literal[..quote]
}

/// A literal with a prefix, its characters outside of ASCII by their numbers.
fn numbered(prefix: &str, body: &str) -> String {
    let mut out = prefix.to_owned();
    let is_string = body.starts_with('"');
    let mut rest = body;
    while let Some(first) = rest.chars().next() {
        let (character, length) = match (first, named(rest)) {
            (_, Some(found)) => found,
            // What an escape stands for is no escape itself.
            ('\\', None) => {
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..length]);
                rest = &rest[length..];
                continue;
            }
            _ => (first, first.len_utf8()),
        };
        rest = &rest[length..];
        if character.is_ascii() {
            out.push(character);
            continue;
        }
        let mut pair = [0u16; 2];
        let units: Vec<u32> = match prefix {
            "u" => character
                .encode_utf16(&mut pair)
                .iter()
                .map(|unit| u32::from(*unit))
                .collect(),
            _ => vec![u32::from(character)],
        };
        out.extend(units.iter().map(|unit| format!("\\x{unit:x}")));
        // A digit would belong to the number.
        if is_string && rest.starts_with(|c: char| c.is_ascii_hexdigit()) {
            out.push_str(&format!("\" {prefix}\""));
        }
    }
    out
}

/// The character that a text begins with by its universal name, and the length of the name.
fn named(text: &str) -> Option<(char, usize)> {
    let digits = match text.get(..2)? {
        "\\u" => 4,
        "\\U" => 8,
        _ => return None,
    };
    let number = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
    Some((char::from_u32(number)?, 2 + digits))
}
