//! Reads values and types of literals from their spelling.

use crate::data_model::DataModel;
use crate::types::{FloatKind, IntKind};

/// A number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// An integer constant: its value, unless too large, and its type.
    Int(Option<i128>, IntKind),
    /// A real floating constant.
    Float(FloatKind),
    /// An imaginary floating constant (GNU).
    Imaginary(FloatKind),
    /// An imaginary integer or another extension.
    Other,
}

/// Reads a preprocessing number.
pub fn number(text: &str, model: &DataModel) -> Number {
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float = lower.contains('.')
        || hex && lower.contains('p')
        || !hex && !lower.starts_with("0b") && lower.contains('e');
    if is_float {
        return float(&lower, hex);
    }
    let (radix, digits) = if hex {
        (16, &lower[2..])
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, &lower[1..])
    } else {
        (10, lower.as_str())
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix) && c != '\'')
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let digits: String = digits.chars().filter(|&c| c != '\'').collect();
    let value = if digits.is_empty() {
        (radix == 8).then_some(0)
    } else {
        i128::from_str_radix(&digits, radix).ok()
    };
    let unsigned = suffix.contains('u');
    let longs = suffix.matches('l').count();
    if !matches!(suffix.replace('u', "").as_str(), "" | "l" | "ll") {
        return Number::Other;
    }
    match value {
        Some(v) => match int_type(model, v, radix == 10, unsigned, longs) {
            Some(kind) => Number::Int(Some(v), kind),
            None => Number::Other,
        },
        None => Number::Other,
    }
}

fn float(lower: &str, hex: bool) -> Number {
    // A hexadecimal `f` before the exponent is a digit.
    let tail = if hex {
        lower.rsplit('p').next().unwrap_or("")
    } else {
        lower
    };
    match tail.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.e'".contains(c)) {
        "" => Number::Float(FloatKind::Double),
        "f" => Number::Float(FloatKind::Float),
        "l" => Number::Float(FloatKind::LongDouble),
        "i" | "j" => Number::Imaginary(FloatKind::Double),
        "if" | "jf" | "fi" | "fj" => Number::Imaginary(FloatKind::Float),
        "il" | "jl" | "li" | "lj" => Number::Imaginary(FloatKind::LongDouble),
        s if s.contains(['i', 'j']) => Number::Other,
        _ => Number::Float(FloatKind::Other),
    }
}

/// The first type of the list in C11 6.4.4.1 that holds the value.
fn int_type(
    model: &DataModel,
    value: i128,
    decimal: bool,
    unsigned: bool,
    longs: usize,
) -> Option<IntKind> {
    let candidates = [
        (0, IntKind::Int, false),
        (0, IntKind::UInt, true),
        (1, IntKind::Long, false),
        (1, IntKind::ULong, true),
        (2, IntKind::LongLong, false),
        (2, IntKind::ULongLong, true),
    ];
    candidates
        .into_iter()
        .filter(|&(rank, _, is_unsigned)| {
            rank >= longs && (is_unsigned || !unsigned) && (!is_unsigned || unsigned || !decimal)
        })
        .find(|(_, kind, is_unsigned)| {
            let bits = model.bits(*kind) - u32::from(!is_unsigned);
            value < 1i128 << bits
        })
        .map(|(_, kind, _)| kind)
}

/// The value and type of a character constant.
pub fn character(text: &str) -> (Option<i128>, IntKind) {
    let kind = match text.chars().next() {
        Some('L') => IntKind::Int,
        Some('U') => IntKind::UInt,
        Some('u') if !text.starts_with("u8") => IntKind::UShort,
        Some('u') => IntKind::UChar,
        _ => IntKind::Int,
    };
    let body = text.trim_start_matches(['L', 'U', 'u', '8']);
    let body = body
        .strip_prefix('\'')
        .and_then(|b| b.strip_suffix('\''))
        .unwrap_or("");
    let mut units = units(body);
    let value = match (units.next(), units.next()) {
        (Some(v), None) if v < 128 => Some(i128::from(v)),
        // Plain `char` is signed here; the caller converts the value if it is not.
        (Some(v), None) if v < 256 && text.starts_with('\'') => Some(i128::from(v) - 256),
        (Some(v), None) => Some(i128::from(v)),
        _ => None,
    };
    (value, kind)
}

/// The element type of adjacent string literals, and the number of elements with the final zero, if
/// it is known.
pub fn string(parts: &[&str]) -> (IntKind, Option<u64>) {
    let mut kind = IntKind::Char;
    let mut len = Some(1u64);
    let mut ascii = true;
    for part in parts {
        let body = part.trim_start_matches(['L', 'U', 'u', '8']);
        match &part[..part.len() - body.len()] {
            "L" => kind = IntKind::Int,
            "U" => kind = IntKind::UInt,
            "u" => kind = IntKind::UShort,
            _ => {}
        }
        let body = body
            .strip_prefix('"')
            .and_then(|b| b.strip_suffix('"'))
            .unwrap_or("");
        ascii &= body.is_ascii() && !body.contains("\\u") && !body.contains("\\U");
        len = len.map(|n| n + units(body).count() as u64);
    }
    // Outside ASCII the number of elements depends on the encoding. A plain string has one element
    // for each byte, also where a byte that is not UTF-8 was replaced, since each was replaced by
    // one byte.
    if !ascii && kind != IntKind::Char {
        len = None;
    }
    if parts.iter().any(|p| p.contains("\\u") || p.contains("\\U")) {
        len = None;
    }
    (kind, len)
}

/// The text of a plain string literal; `None` for a prefix, and for escapes by number or name.
pub fn plain_text(token: &str) -> Option<String> {
    let inside = token.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '"' => return None,
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'a' => '\x07',
                'b' => '\x08',
                'f' => '\x0c',
                'v' => '\x0b',
                c @ ('"' | '\\' | '\'' | '?') => c,
                _ => return None,
            },
            c => c,
        });
    }
    Some(out)
}

/// The bytes or escaped characters of a literal's body.
fn units(body: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = body.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let &byte = bytes.get(at)?;
        at += 1;
        if byte != b'\\' {
            return Some(u32::from(byte));
        }
        let &escape = bytes.get(at)?;
        at += 1;
        Some(match escape {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' => 27,
            b'x' => digits(bytes, &mut at, 16, usize::MAX),
            b'0'..=b'7' => {
                at -= 1;
                digits(bytes, &mut at, 8, 3)
            }
            b'u' => digits(bytes, &mut at, 16, 4),
            b'U' => digits(bytes, &mut at, 16, 8),
            other => u32::from(other),
        })
    })
}

fn digits(bytes: &[u8], at: &mut usize, radix: u32, most: usize) -> u32 {
    let mut value = 0u32;
    let mut count = 0;
    while count < most {
        let Some(d) = bytes.get(*at).and_then(|&b| (b as char).to_digit(radix)) else {
            break;
        };
        value = value.wrapping_mul(radix).wrapping_add(d);
        *at += 1;
        count += 1;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        super::number(text, &DataModel::LP64)
    }

    #[test]
    fn plain_texts_have_no_rare_escapes() {
        assert_eq!(plain_text(r#""a\n\"""#), Some("a\n\"".to_owned()));
        assert_eq!(plain_text(r#""a" "b""#), None);
        assert_eq!(plain_text(r#""\x41""#), None);
    }

    #[test]
    fn numbers() {
        let int = |v: i128, k| Number::Int(Some(v), k);
        assert_eq!(number("0"), int(0, IntKind::Int));
        assert_eq!(number("2147483648"), int(1 << 31, IntKind::Long));
        assert_eq!(number("0x80000000"), int(1 << 31, IntKind::UInt));
        assert_eq!(number("017"), int(15, IntKind::Int));
        assert_eq!(number("0b101u"), int(5, IntKind::UInt));
        assert_eq!(number("1ull"), int(1, IntKind::ULongLong));
        assert_eq!(
            number("18446744073709551615u"),
            int((1 << 64) - 1, IntKind::ULong)
        );
        assert_eq!(number("1e5"), Number::Float(FloatKind::Double));
        assert_eq!(number("0x1.8p3f"), Number::Float(FloatKind::Float));
        assert_eq!(number("1.L"), Number::Float(FloatKind::LongDouble));
        assert_eq!(number("0xfe"), int(254, IntKind::Int));
        assert_eq!(number("1.0f128"), Number::Float(FloatKind::Other));
        assert_eq!(number("2i"), Number::Other);
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(character("'a'"), (Some(97), IntKind::Int));
        assert_eq!(character(r"'\n'"), (Some(10), IntKind::Int));
        assert_eq!(character(r"'\377'"), (Some(-1), IntKind::Int));
        assert_eq!(character(r"L'\x1234'"), (Some(0x1234), IntKind::Int));
        assert_eq!(character("'ab'"), (None, IntKind::Int));
        assert_eq!(string(&[r#""ab\n""#, r#""c""#]), (IntKind::Char, Some(5)));
        assert_eq!(string(&[r#"L"ab""#]), (IntKind::Int, Some(3)));
        assert_eq!(string(&[r#"L"ä""#]), (IntKind::Int, None));
    }
}
