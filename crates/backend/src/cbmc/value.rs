//! Values in CBMC's JSON traces.

use crate::answer::Value;
use serde::Deserialize;

/// A value in CBMC's JSON: a number or a pointer has data, other values have parts.
#[derive(Deserialize)]
pub(super) struct RawValue {
    #[serde(default)]
    name: String,
    /// Usually a string; a truth value of CBMC's own type is a JSON truth value.
    #[serde(default)]
    data: Option<serde_json::Value>,
    #[serde(default, rename = "type")]
    c_type: Option<String>,
    #[serde(default)]
    binary: Option<String>,
    #[serde(default)]
    members: Vec<RawMember>,
    #[serde(default)]
    elements: Vec<RawElement>,
    #[serde(default)]
    member: Option<Box<RawMember>>,
}

#[derive(Deserialize)]
struct RawMember {
    #[serde(default)]
    name: String,
    value: RawValue,
}

#[derive(Deserialize)]
struct RawElement {
    value: RawValue,
}

/// The value as in C source. The JSON parser bounds the depth.
pub(super) fn value(raw: RawValue) -> Value {
    let list = |parts: Vec<String>| Value {
        text: format!("{{{}}}", parts.join(", ")),
        number: None,
    };
    let member = |m: RawMember| format!(".{}={}", m.name, value(m.value).text);
    match raw.name.as_str() {
        "struct" => return list(raw.members.into_iter().map(member).collect()),
        "union" => return list(raw.member.into_iter().map(|m| member(*m)).collect()),
        name if name == "array" || !raw.elements.is_empty() => {
            let element = |e: RawElement| value(e.value).text;
            return list(raw.elements.into_iter().map(element).collect());
        }
        "unknown" => {
            return Value {
                text: "?".to_owned(),
                number: None,
            }
        }
        _ => {}
    }
    let data = match raw.data {
        Some(serde_json::Value::String(data)) => data,
        Some(serde_json::Value::Bool(data)) => data.to_string().to_uppercase(),
        Some(data) => data.to_string(),
        None => "?".to_owned(),
    };
    let c_type = raw.c_type.unwrap_or_default();
    let from_bits = || {
        raw.binary
            .as_deref()
            .and_then(|bits| number_of_bits(bits, &c_type))
    };
    match (raw.name.as_str(), data.as_str()) {
        (_, "TRUE") => Value {
            text: "true".to_owned(),
            number: Some(1),
        },
        (_, "FALSE") => Value {
            text: "false".to_owned(),
            number: Some(0),
        },
        ("integer", _) => {
            let digits = data.trim_end_matches(['u', 'U', 'l', 'L']);
            match digits.parse::<i128>() {
                Ok(number) => Value {
                    text: digits.to_owned(),
                    number: Some(number),
                },
                Err(_) => {
                    let text = data.trim_start_matches("/*enum*/").to_owned();
                    Value {
                        text,
                        number: from_bits(),
                    }
                }
            }
        }
        _ => Value {
            text: data,
            number: None,
        },
    }
}

/// The number of a bit pattern, by the C type that CBMC reports.
fn number_of_bits(bits: &str, c_type: &str) -> Option<i128> {
    if bits.is_empty() || bits.len() > 127 {
        return None;
    }
    let number = i128::from_str_radix(bits, 2).ok()?;
    let signed = c_type.starts_with("signed") || c_type == "char" || c_type == "enum";
    let negative = signed && bits.starts_with('1');
    Some(if negative {
        number - (1i128 << bits.len())
    } else {
        number
    })
}
