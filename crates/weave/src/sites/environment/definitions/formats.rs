//! What formats of texts that are written and read have in common.

/// The bytes of string literals that stand one after the other; `None` for other texts and escapes by number.
pub(super) fn literal(text: &str) -> Option<Vec<u8>> {
    let mut rest = text.trim();
    let mut bytes = Vec::new();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let mut characters = rest.strip_prefix('"')?.char_indices();
        let end = loop {
            match characters.next()? {
                (at, '"') => break at,
                (_, '\\') => bytes.push(escaped(characters.next()?.1)?),
                (_, c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        };
        rest = rest[1..].get(end + 1..)?.trim_start();
    }
    Some(bytes)
}

fn escaped(c: char) -> Option<u8> {
    Some(match c {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        '\\' | '"' | '\'' | '?' => c as u8,
        _ => return None,
    })
}

/// The type of an integer with these modifiers of its length, and how many bits it has at most.
pub(super) fn integer_type(length: &str, signed: bool) -> Option<(&'static str, u32)> {
    Some(match (length, signed) {
        ("hh", true) => ("signed char", 8),
        ("hh", false) => ("unsigned char", 8),
        ("h", true) => ("short", 16),
        ("h", false) => ("unsigned short", 16),
        ("", true) => ("int", 32),
        ("", false) => ("unsigned", 32),
        ("l" | "z" | "t", true) => ("long", 64),
        ("l" | "z" | "t", false) => ("unsigned long", 64),
        ("ll" | "j", true) => ("long long", 64),
        ("ll" | "j", false) => ("unsigned long long", 64),
        _ => return None,
    })
}
