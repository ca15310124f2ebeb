//! The part of JSON Schema that the schemas of this project use. An unknown keyword is a failure,
//! so that nothing is left unchecked by mistake.

use serde_json::Value;

/// The places at which a value violates a schema, each with its path.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "$", &mut found);
    found
}

/// Keywords without a constraint.
const ANNOTATIONS: [&str; 5] = ["$schema", "$id", "title", "description", "$defs"];

fn check(root: &Value, schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        assert!(schema.is_boolean(), "no schema at {path}");
        if schema == &Value::Bool(false) {
            found.push(format!("{path}: nothing may be here"));
        }
        return;
    };
    for (keyword, wanted) in keywords {
        let mut wrong = |ok: bool| {
            if !ok {
                found.push(format!("{path}: {value} is not as {keyword} {wanted} says"));
            }
        };
        match keyword.as_str() {
            "type" => wrong(one_or_many(wanted).iter().any(|t| is_of(value, t))),
            "const" => wrong(value == wanted),
            "enum" => wrong(wanted.as_array().is_some_and(|all| all.contains(value))),
            "minimum" => wrong(
                value
                    .as_f64()
                    .is_none_or(|v| v >= wanted.as_f64().unwrap_or(0.0)),
            ),
            "minItems" => wrong(
                value
                    .as_array()
                    .is_none_or(|v| v.len() as u64 >= wanted.as_u64().unwrap_or(0)),
            ),
            "required" => {
                let names = one_or_many(wanted);
                wrong(
                    value
                        .as_object()
                        .is_none_or(|o| names.iter().all(|n| o.contains_key(*n))),
                );
            }
            "$ref" => {
                let pointer = wanted.as_str().and_then(|w| w.strip_prefix('#'));
                let target = pointer.and_then(|p| root.pointer(p));
                match target {
                    Some(target) => check(root, target, value, path, found),
                    None => panic!("{wanted} is nothing"),
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, wanted, item, &format!("{path}[{i}]"), found);
                }
            }
            "properties" => {
                for (name, member) in wanted.as_object().into_iter().flatten() {
                    if let Some(item) = value.get(name) {
                        check(root, member, item, &format!("{path}.{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, item) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        check(root, wanted, item, &format!("{path}.{name}"), found);
                    }
                }
            }
            other if ANNOTATIONS.contains(&other) => {}
            other => panic!("the keyword {other} is not known"),
        }
    }
}

fn one_or_many(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the type {other} is not known"),
    }
}
