//! When two C conditions are one proposition: when they have the same tokens, whatever white space and comments stand
//! between these.

use std::borrow::Cow;

/// The signs of C of more than one character, longer ones first.
const SIGNS: [&str; 24] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "::",
];

/// The tokens of a condition with one space between each and the next: the same text for conditions that differ in
/// nothing else. What is in quotes stays as it is.
pub(crate) fn tokens(text: &str) -> Cow<'_, str> {
    let is_one = |c: char| c.is_alphanumeric() || c == '_';
    if text.chars().all(is_one) {
        return Cow::Borrowed(text);
    }
    let mut spaced = String::with_capacity(text.len() * 2);
    let mut rest = text;
    loop {
        rest = behind_spaces(rest);
        let length = token(rest);
        if length == 0 {
            return Cow::Owned(spaced);
        }
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(&rest[..length]);
        rest = &rest[length..];
    }
}

/// What stands behind white space and comments.
fn behind_spaces(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let inside = match rest.get(..2) {
            Some("/*") => rest[2..].find("*/").map(|end| end + 4),
            Some("//") => rest.find('\n'),
            _ => return rest,
        };
        rest = rest[inside.unwrap_or(rest.len())..].trim_start();
    }
}

/// The length of the first token; 0 at the end.
fn token(text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
    let second = text[first.len_utf8()..].chars().next();
    match first {
        '"' | '\'' => quoted(text, first),
        '0'..='9' => number(text),
        '.' if second.is_some_and(|c| c.is_ascii_digit()) => number(text),
        _ if is_word(first) => {
            let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
            let prefix = matches!(&text[..word], "L" | "u" | "U" | "u8");
            match text[word..].chars().next().filter(|_| prefix) {
                Some(quote @ ('"' | '\'')) => word + quoted(&text[word..], quote),
                _ => word,
            }
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
            sign.map_or(first.len_utf8(), |sign| sign.len())
        }
    }
}

/// The length of a number as the preprocessor divides a text: with all letters and points, and the sign of an exponent.
fn number(text: &str) -> usize {
    let mut before = ' ';
    let end = text.find(|c: char| {
        let exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        let inside = c.is_alphanumeric() || matches!(c, '_' | '.') || exponent;
        before = c;
        !inside
    });
    end.unwrap_or(text.len())
}

/// The length of a string or a character, up to the end if nothing closes it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn conditions_with_the_same_tokens_are_one() {
        for (one, two) in [
            ("x==1", "x == 1"),
            ("f(a,b[ 2 ])", "f( a, b[2] )"),
            ("p->x>-1", "p -> x > - 1"),
            ("a&&!b", "a /* and */ && ! b // not"),
            ("sizeof(int)>x", "sizeof (int)\n> x"),
            ("c=='\\''&&d==' '", "c == '\\'' && d == ' '"),
            ("f::x+1<2", "f :: x + 1 < 2"),
        ] {
            assert_eq!(tokens(one), tokens(two), "{one}");
        }
    }

    #[test]
    fn conditions_with_other_tokens_are_two() {
        for (one, two) in [
            ("a - -b", "a -- b"),
            ("a & &b", "a && b"),
            ("x == 10", "x == 1 0"),
            ("x < 1e-5", "x < 1e - 5"),
            ("x > > y", "x >> y"),
            ("unsigned x", "unsignedx"),
            ("s == \"a b\"", "s == \"ab\""),
            ("s == \"a\\\" b\"", "s == \"a\\\"b\""),
            ("c == ' '", "c == ''"),
            ("s == \"/* a */\"", "s == \"\""),
            ("a / *p", "a /*p"),
            ("L'a' == c", "L 'a' == c"),
        ] {
            assert_ne!(tokens(one), tokens(two), "{one}");
        }
    }
}
