//! Formatted texts in memory (`sprintf`, `snprintf`), written out by their format: a call whose format is a string literal
//! becomes statements that write each character.
//!
//! The digits of a number are found by comparisons with multiples of powers of ten, which are far less work for a model
//! checker than divisions, and without loops.

use std::fmt::Write;

use super::formats::{integer_type, taken};
use super::Definition;
use crate::facts::types::Scalar;

/// The greatest width or precision that is written out.
const WIDEST: usize = 40;

/// One conversion of a format.
#[derive(Debug, Default, PartialEq, Eq)]
struct Conversion {
    flags: String,
    width: Option<usize>,
    precision: Option<usize>,
    length: String,
    kind: char,
}

/// A part of a format.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Byte(u8),
    Converted(Conversion),
}

/// The parts of a format; `None` for one with other conversions than those of integers, characters and strings.
fn parts(format: &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            0 => return Some(parts),
            b'%' => {}
            _ => {
                parts.push(Part::Byte(byte));
                continue;
            }
        }
        let mut taken = |set: &[u8]| taken(&mut rest, set);
        let number = |digits: String| match digits.is_empty() {
            true => Some(None),
            false => {
                let number: usize = digits.parse().ok()?;
                (number <= WIDEST).then_some(Some(number))
            }
        };
        const DIGITS: &[u8] = b"0123456789";
        let flags = taken(b"-+ 0#");
        let width = number(taken(DIGITS))?;
        let precision = match taken(b".").as_str() {
            "" => None,
            "." => Some(number(taken(DIGITS))?.unwrap_or(0)),
            _ => return None,
        };
        let length = taken(b"hlzjt");
        let kind = char::from(rest.next()?);
        parts.push(match kind {
            '%' => Part::Byte(b'%'),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c' | 's' if !flags.contains('#') => {
                Part::Converted(Conversion {
                    flags,
                    width,
                    precision,
                    length,
                    kind,
                })
            }
            _ => return None,
        });
    }
    Some(parts)
}

/// Whether texts are written by a format, which has only conversions that can be written out.
pub(crate) fn has_texts(format: &[u8]) -> bool {
    let is_text = |part: &Part| matches!(part, Part::Converted(c) if c.kind == 's');
    parts(format).is_some_and(|parts| parts.iter().any(is_text))
}

/// Whether a format stores how many characters were written so far (`%n`).
pub(crate) fn stores_count(format: &[u8]) -> bool {
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            taken(&mut rest, b"-+ 0#123456789.*hlzjtL");
            if rest.next() == Some(b'n') {
                return true;
            }
        }
    }
    false
}

/// Whether a format writes one text as it is.
pub(crate) fn is_text(format: &[u8]) -> bool {
    let as_it_is = |c: &Conversion| c.kind == 's' && c.width.is_none() && c.precision.is_none();
    matches!(parts(format).as_deref(), Some([Part::Converted(c)]) if as_it_is(c))
}

/// The statements that write a text of this format to `ba_s`, which has room for `ba_n` bytes; `arguments` are the types of
/// the values, which begin with parameter `first`. `None` if the format has other conversions, or does not fit the values.
pub(super) fn written(
    format: &[u8],
    arguments: &[Option<&Scalar>],
    first: usize,
) -> Option<Definition> {
    let mut values = (first..).zip(arguments);
    let mut body = String::new();
    let mut helpers = vec![super::PRINT];
    for part in parts(format)? {
        match part {
            Part::Byte(byte) => put(&mut body, "", &byte.to_string()),
            Part::Converted(conversion) => {
                let (number, scalar) = values.next()?;
                let scalar = (*scalar)?;
                if conversion.kind == 's' && !helpers.contains(&super::TEXT) {
                    helpers.push(super::TEXT);
                }
                body += &converted(&conversion, number, scalar)?;
            }
        }
    }
    Some(Definition {
        body: format!(
            "  unsigned long ba_k = 0;\n{body}  if (ba_n) ba_s[ba_k < ba_n ? ba_k : ba_n - 1] = 0;\n  return (int)ba_k;\n"
        ),
        helpers,
        assumes: None,
    })
}

/// Adds the statement that writes a character, under a condition.
fn put(body: &mut String, condition: &str, character: &str) {
    let _ = writeln!(
        body,
        "  {condition}ba_k = ba_put(ba_s, ba_n, ba_k, {character});"
    );
}

fn converted(conversion: &Conversion, number: usize, scalar: &Scalar) -> Option<String> {
    let width = conversion.width.unwrap_or(0);
    let left = conversion.flags.contains('-');
    match conversion.kind {
        's' => {
            let most = conversion.precision.map_or(-1, |p| p as i64);
            let fits = scalar.pointer && conversion.length.is_empty();
            fits.then(|| {
                format!(
                    "  ba_k = ba_put_text(ba_s, ba_n, ba_k, (const char *)ba_a{number}, {most}, {width}, {});\n",
                    u8::from(left)
                )
            })
        }
        'c' => {
            scalar.bounds.filter(|_| conversion.length.is_empty())?;
            let mut body = String::new();
            let padding = |body: &mut String| (1..width).for_each(|_| put(body, "", "' '"));
            if !left {
                padding(&mut body);
            }
            put(&mut body, "", &format!("(unsigned char)ba_a{number}"));
            if left {
                padding(&mut body);
            }
            Some(body)
        }
        _ => integer(conversion, number, scalar),
    }
}

/// The statements for a number. The sign, the digits and the padding are written under conditions, without a loop.
fn integer(conversion: &Conversion, number: usize, scalar: &Scalar) -> Option<String> {
    let (low, high) = scalar.bounds?;
    let is_negative = low < 0;
    let signed = matches!(conversion.kind, 'd' | 'i');
    let (ty, bits) = integer_type(&conversion.length, signed)?;
    let (low, high) = (low.unsigned_abs(), high.unsigned_abs());
    let most: u128 = match signed {
        true => low.max(high).min(1 << (bits - 1)),
        // Negative values are the greatest ones.
        false if is_negative => (1 << bits) - 1,
        false => high.min((1 << bits) - 1),
    };
    let base: u128 = match conversion.kind {
        'x' | 'X' => 16,
        'o' => 8,
        _ => 10,
    };
    let mut powers: Vec<u128> = vec![1];
    while powers[powers.len() - 1] * base <= most {
        powers.push(powers[powers.len() - 1] * base);
    }
    let magnitude = if most <= u32::MAX.into() {
        "unsigned"
    } else {
        "unsigned long long"
    };
    let mut body = format!("  {{\n  {ty} ba_x = ({ty})ba_a{number};\n");
    let _ = writeln!(
        body,
        "  {magnitude} ba_v = {};",
        match signed {
            true => format!("ba_x < 0 ? -({magnitude})ba_x : ({magnitude})ba_x"),
            false => "ba_x".into(),
        }
    );
    let shown = |flag: char, sign: &str| conversion.flags.contains(flag).then(|| sign.to_owned());
    let positive = shown('+', "'+'").or_else(|| shown(' ', "' '"));
    let positive = positive.filter(|_| signed).unwrap_or_else(|| "0".into());
    let sign = if signed {
        format!("ba_x < 0 ? '-' : {positive}")
    } else {
        positive
    };
    let _ = writeln!(body, "  char ba_sign = {sign};");
    let longer: String = powers[1..]
        .iter()
        .map(|p| format!(" + (ba_v >= {p}u)"))
        .collect();
    let _ = writeln!(body, "  int ba_digits = 1{longer};");
    match conversion.precision {
        Some(0) => body += "  if (!ba_v) ba_digits = 0;\n",
        Some(least) => {
            let _ = writeln!(body, "  if (ba_digits < {least}) ba_digits = {least};");
        }
        None => {}
    }
    let width = conversion.width.unwrap_or(0);
    let left = conversion.flags.contains('-');
    let zeros = conversion.flags.contains('0') && !left && conversion.precision.is_none();
    let padding = |body: &mut String, character: &str| {
        for place in 1..=width {
            let condition = format!("if (ba_digits + (ba_sign != 0) < {place}) ");
            put(body, &condition, character);
        }
    };
    if !left && !zeros {
        padding(&mut body, "' '");
    }
    put(&mut body, "if (ba_sign) ", "ba_sign");
    if zeros {
        padding(&mut body, "'0'");
    }
    for place in (powers.len()..conversion.precision.unwrap_or(0)).rev() {
        put(&mut body, &format!("if (ba_digits > {place}) "), "'0'");
    }
    digits(&mut body, &powers, most, conversion.kind == 'X');
    if left {
        padding(&mut body, "' '");
    }
    Some(body + "  }\n")
}

/// The statements that write the digits, the first one first.
fn digits(body: &mut String, powers: &[u128], most: u128, upper: bool) {
    *body += "  unsigned ba_d;\n";
    for (place, power) in powers.iter().enumerate().rev() {
        *body += "  ba_d = 0;\n";
        for times in [8, 4, 2, 1] {
            let value = power * times;
            if value <= most {
                let _ = writeln!(
                    body,
                    "  if (ba_v >= {value}u) {{ ba_v -= {value}u; ba_d += {times}; }}"
                );
            }
        }
        let letter = if upper { 'A' } else { 'a' };
        put(
            body,
            &format!("if (ba_digits > {place}) "),
            &format!("ba_d < 10 ? '0' + ba_d : '{letter}' + (ba_d - 10)"),
        );
    }
}
