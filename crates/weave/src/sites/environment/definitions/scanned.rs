//! Texts in memory that are read by a format (`sscanf`), written out: a call whose format is a string literal becomes
//! statements that skip characters, read numbers and words, and store them.

use std::fmt::Write;

use super::formats::{integer_type, taken};
use super::Definition;
use crate::facts::types::Scalar;

/// The statements that read a text by this format; `targets` are the types of what the arguments from parameter `first` on
/// point to. `None` if the format has other conversions than those of integers, characters and words, or does not fit.
pub(super) fn read(format: &[u8], targets: &[Option<&Scalar>], first: usize) -> Option<Definition> {
    let mut body = "  const char *ba_s = (const char *)ba_a0;\n  int ba_count = 0;\n".to_owned();
    let mut arguments = (first..).zip(targets);
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            0 => break,
            b' ' | 9..=13 => {
                body += SKIP;
                continue;
            }
            b'%' => {}
            _ => {
                literal(&mut body, byte);
                continue;
            }
        }
        let ignored = rest.next_if_eq(&b'*').is_some();
        let width = taken(&mut rest, b"0123456789");
        let length = taken(&mut rest, b"hlzjt");
        let kind = rest.next()?;
        if kind == b'%' {
            body += SKIP;
            literal(&mut body, b'%');
            continue;
        }
        let target = match ignored {
            true => None,
            false => {
                let (number, scalar) = arguments.next()?;
                (*scalar)?;
                Some(number)
            }
        };
        let width = (!width.is_empty()).then_some(width);
        body += &converted(kind, &length, width, target)?;
    }
    body += "  return ba_count;\n";
    Some(Definition::new(body, &[super::NUMBER]))
}

/// What skips white space.
const SKIP: &str = "  while (*ba_s == ' ' || (*ba_s >= 9 && *ba_s <= 13)) ba_s++;\n";

/// What ends the call where the text ends: before the first value is stored, it says so.
const ENDS: &str = "  if (!*ba_s) return ba_count ? ba_count : -1;\n";

/// Adds the statements that read one character as it is.
fn literal(body: &mut String, byte: u8) {
    *body += ENDS;
    let _ = writeln!(
        body,
        "  if (*ba_s != (char){byte}) return ba_count;\n  ba_s++;"
    );
}

/// The statements that read and store a value.
fn converted(
    kind: u8,
    length: &str,
    width: Option<String>,
    target: Option<usize>,
) -> Option<String> {
    // What is stored as a type, at a place behind the target; nothing if the value is skipped.
    let stored = |ty: &str, place: &str, value: &str| {
        target.map_or_else(String::new, |number| {
            format!("(({ty} *)ba_a{number})[{place}] = {value};")
        })
    };
    let counted = if target.is_some() { " ba_count++;" } else { "" };
    Some(match kind {
        b'c' if width.is_none() && length.is_empty() => {
            format!(
                "{ENDS}  {}{counted}\n  ba_s++;\n",
                stored("char", "0", "*ba_s")
            )
        }
        b's' if length.is_empty() => {
            let most = width.map_or_else(String::new, |most| format!("ba_i < {most} && "));
            let copied = stored("char", "ba_i", "*ba_s");
            let ended = stored("char", "ba_i", "0");
            format!(
                "{SKIP}{ENDS}  {{\n  unsigned long ba_i = 0;\n\
                 \x20 for (; {most}*ba_s && *ba_s != ' ' && !(*ba_s >= 9 && *ba_s <= 13); ba_i++, ba_s++) {{ {copied} }}\n\
                 \x20 {ended}{counted}\n  }}\n"
            )
        }
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if width.is_none() => {
            let base = match kind {
                b'i' => 0,
                b'x' | b'X' => 16,
                b'o' => 8,
                _ => 10,
            };
            let signed = matches!(kind, b'd' | b'i');
            let (ty, _) = integer_type(length, signed)?;
            let most = "((unsigned long)-1 >> 1)";
            let (most, least) = match signed {
                true => (most.to_owned(), format!("({most} + 1)")),
                false => ("(unsigned long)-1".to_owned(), "0".to_owned()),
            };
            let value = format!("({ty})(ba_negative ? -ba_value : ba_value)");
            let value = stored(ty, "0", &value);
            format!(
                "{SKIP}{ENDS}  {{\n  const char *ba_end;\n  _Bool ba_negative;\n\
                 \x20 unsigned long long ba_value = ba_number(ba_s, {most}, {least}, {base}, &ba_negative, &ba_end, ba_site);\n\
                 \x20 if (ba_end == ba_s) return ba_count;\n  ba_s = ba_end;\n  {value}{counted}\n  }}\n"
            )
        }
        _ => return None,
    })
}
