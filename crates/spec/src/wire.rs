//! The wire format of a specification: decodes JSON key by key and checks only its shape.

mod machine;

use crate::diagnostic::Diagnostic;
use crate::json::{Kind, Text, Value};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) use machine::{WireInterrupt, WireMask, WireReads, WireRegister};

/// The keys of the whole specification.
pub(crate) const TOP: &[&str] = &[
    "$schema",
    "$comment",
    "name",
    "ltl",
    "expect",
    "properties",
    "pa",
    "trace",
    "alphabet",
    "inputs",
    "prune",
    "assume",
    "reach",
    "lasso",
    "unwind",
    "target",
    "interrupts",
    "masks",
    "entry",
    "registers",
    "clock",
];
/// The keys of one of `properties`.
pub(crate) const PROPERTY: &[&str] = &["$comment", "name", "ltl", "expect"];
/// The keys of one of `pa`.
pub(crate) const PROPOSITION: &[&str] = &[
    "$comment",
    "name",
    "default",
    "expr",
    "params",
    "cond",
    "span",
    "at",
    "function",
    "instances",
];
/// The keys of `trace`.
pub(crate) const TRACE: &[&str] = &["mode", "at"];
/// The keys of one of `inputs`.
pub(crate) const INPUT: &[&str] = &["call", "variable", "values", "range"];
/// The keys of one of `assume`.
pub(crate) const ASSUME: &[&str] = &["at", "cond"];
/// The keys of one of `interrupts`.
pub(crate) const INTERRUPT: &[&str] = &["handler", "priority", "enabled", "at_most", "fair"];
/// The keys of one of `masks`.
pub(crate) const MASK: &[&str] = &["disable", "enable"];
/// The keys of one of `registers`.
pub(crate) const REGISTER: &[&str] = &["name", "address", "reads"];
/// The keys of one of `reach` that is not just a label.
pub(crate) const REACH: &[&str] = &["at", "expect"];
/// The keys of `lasso`.
pub(crate) const LASSO: &[&str] = &["at", "state"];

/// Keys of other tools, each with the key of this format.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("formula", "ltl"),
    ("spec", "ltl"),
    ("specs", "properties"),
    ("formulas", "properties"),
    ("id", "name"),
    ("propositions", "pa"),
    ("atoms", "pa"),
    ("aps", "pa"),
    ("parameters", "params"),
    ("args", "params"),
    ("condition", "cond"),
    ("expression", "expr"),
    ("area", "span"),
    ("labels", "span"),
    ("expected", "expect"),
    ("verdict", "expect"),
];

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Range<usize>,
}

/// An array with its place.
#[derive(Clone, Debug)]
pub(crate) struct List<T> {
    /// The items that could be read; each other item has caused an error.
    pub(crate) items: Vec<T>,
    /// The number of items in the text.
    pub(crate) written: usize,
    pub(crate) span: Range<usize>,
}

impl<T> List<T> {
    /// The items, or `None` if some could not be read.
    pub(crate) fn complete(&self) -> Option<&[T]> {
        (self.items.len() == self.written).then_some(&self.items)
    }
}

/// A specification; each field is the key of its name.
#[derive(Clone, Debug, Default)]
pub(crate) struct WireSpec {
    pub(crate) name: Option<Text>,
    pub(crate) ltl: Option<Text>,
    pub(crate) expect: Option<Text>,
    pub(crate) properties: Option<List<WireProperty>>,
    pub(crate) pa: Vec<WireProposition>,
    pub(crate) trace: Option<WireTrace>,
    pub(crate) alphabet: Vec<Text>,
    pub(crate) inputs: Vec<WireInput>,
    pub(crate) prune: Vec<Text>,
    pub(crate) assume: Vec<WireAssume>,
    pub(crate) reach: Vec<WireReach>,
    pub(crate) lasso: Option<WireLasso>,
    pub(crate) unwind: Option<Spanned<i128>>,
    /// The machine that the program is for.
    pub(crate) target: Option<Text>,
    pub(crate) interrupts: Vec<WireInterrupt>,
    pub(crate) masks: Vec<WireMask>,
    /// The functions that are called where there is no `main`, or an expression of calls.
    pub(crate) entry: Vec<Text>,
    pub(crate) registers: Vec<WireRegister>,
    /// The variable that counts time.
    pub(crate) clock: Option<Text>,
    pub(crate) span: Range<usize>,
}

/// An item of `properties`.
#[derive(Clone, Debug)]
pub(crate) struct WireProperty {
    pub(crate) name: Option<Text>,
    pub(crate) ltl: Option<Text>,
    pub(crate) expect: Option<Text>,
    pub(crate) span: Range<usize>,
}

/// An item of `pa`.
#[derive(Clone, Debug)]
pub(crate) struct WireProposition {
    pub(crate) name: Option<Text>,
    pub(crate) default: Option<bool>,
    pub(crate) expr: Option<Text>,
    pub(crate) params: Option<List<Text>>,
    pub(crate) cond: Option<Text>,
    pub(crate) area: Option<WireArea>,
    /// The keys of the area that are present, even if a value could not be read.
    pub(crate) area_keys: Vec<Range<usize>>,
    /// The same for `expr` and `cond`.
    pub(crate) evaluation_keys: Vec<Range<usize>>,
    pub(crate) instances: Option<Text>,
    pub(crate) span: Range<usize>,
}

/// The key that gives the area of a proposition.
#[derive(Clone, Debug)]
pub(crate) enum WireArea {
    Span(List<Text>),
    At(Text),
    Function(Text),
}

/// The value of `trace`.
#[derive(Clone, Debug)]
pub(crate) struct WireTrace {
    pub(crate) mode: Option<Text>,
    pub(crate) at: Option<List<Text>>,
    pub(crate) span: Range<usize>,
}

/// An item of `inputs`.
#[derive(Clone, Debug)]
pub(crate) struct WireInput {
    pub(crate) call: Option<Text>,
    pub(crate) variable: Option<Text>,
    pub(crate) values: Option<List<i128>>,
    pub(crate) range: Option<List<i128>>,
    pub(crate) span: Range<usize>,
}

/// An item of `assume`.
#[derive(Clone, Debug)]
pub(crate) struct WireAssume {
    pub(crate) at: Option<Text>,
    pub(crate) cond: Option<Text>,
    pub(crate) span: Range<usize>,
}

/// An item of `reach`.
#[derive(Clone, Debug)]
pub(crate) struct WireReach {
    pub(crate) at: Option<Text>,
    pub(crate) expect: Option<Text>,
}

/// The value of `lasso`.
#[derive(Clone, Debug)]
pub(crate) struct WireLasso {
    pub(crate) at: Vec<Text>,
    pub(crate) state: Option<Vec<Text>>,
    pub(crate) span: Range<usize>,
}

/// Decodes JSON values and collects the errors.
#[derive(Default)]
pub(crate) struct Decoder {
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The members of an object by key.
struct Fields<'v> {
    members: HashMap<&'v str, &'v Value>,
    /// Known keys for which an unknown key was probably meant.
    misspelt: Vec<String>,
    span: Range<usize>,
}

impl<'v> Fields<'v> {
    fn get(&self, key: &str) -> Option<&'v Value> {
        self.members.get(key).copied()
    }

    fn spans(&self, keys: &[&str]) -> Vec<Range<usize>> {
        keys.iter()
            .filter_map(|key| self.get(key))
            .map(|v| v.span.clone())
            .collect()
    }
}

impl Decoder {
    /// Decodes a whole specification; `None` if it is no object.
    pub(crate) fn spec(&mut self, value: &Value) -> Option<WireSpec> {
        let fields = self.fields(value, "a specification", TOP)?;
        Some(WireSpec {
            name: self.text(&fields, "name"),
            ltl: self.text(&fields, "ltl"),
            expect: self.text(&fields, "expect"),
            properties: self.list(&fields, "properties", Self::property),
            pa: self
                .list(&fields, "pa", Self::proposition)
                .map_or(Vec::new(), |l| l.items),
            trace: fields.get("trace").and_then(|v| self.trace(v)),
            alphabet: self.texts(&fields, "alphabet"),
            inputs: self
                .list(&fields, "inputs", Self::input)
                .map_or(Vec::new(), |l| l.items),
            prune: self.texts(&fields, "prune"),
            assume: self
                .list(&fields, "assume", Self::assume)
                .map_or(Vec::new(), |l| l.items),
            reach: self
                .list(&fields, "reach", Self::reach)
                .map_or(Vec::new(), |l| l.items),
            lasso: fields.get("lasso").and_then(|v| self.lasso(v)),
            target: self.text(&fields, "target"),
            interrupts: self
                .list(&fields, "interrupts", Self::interrupt)
                .map_or(Vec::new(), |l| l.items),
            masks: self
                .list(&fields, "masks", Self::mask)
                .map_or(Vec::new(), |l| l.items),
            clock: self.text(&fields, "clock"),
            entry: fields.get("entry").map_or(Vec::new(), |v| self.entry(v)),
            registers: self
                .list(&fields, "registers", Self::register)
                .map_or(Vec::new(), |l| l.items),
            unwind: fields.get("unwind").and_then(|v| {
                let value = self.integer(v, "`unwind`")?;
                Some(Spanned {
                    value,
                    span: v.span.clone(),
                })
            }),
            span: fields.span,
        })
    }

    fn property(&mut self, value: &Value) -> Option<WireProperty> {
        let fields = self.fields(value, "a property", PROPERTY)?;
        self.require(&fields, "ltl", "a property");
        Some(WireProperty {
            name: self.text(&fields, "name"),
            ltl: self.text(&fields, "ltl"),
            expect: self.text(&fields, "expect"),
            span: fields.span,
        })
    }

    fn proposition(&mut self, value: &Value) -> Option<WireProposition> {
        let fields = self.fields(value, "a proposition", PROPOSITION)?;
        self.require(&fields, "name", "a proposition");
        let span = self
            .list(&fields, "span", |d, v| d.string(v, "a label"))
            .map(WireArea::Span);
        let at = self.text(&fields, "at").map(WireArea::At);
        let function = self.text(&fields, "function").map(WireArea::Function);
        Some(WireProposition {
            name: self.text(&fields, "name"),
            default: fields.get("default").and_then(|v| self.boolean(v)),
            expr: self.text(&fields, "expr"),
            params: self.list(&fields, "params", |d, v| d.string(v, "a parameter")),
            cond: self.text(&fields, "cond"),
            area: span.or(at).or(function),
            area_keys: fields.spans(&["span", "at", "function"]),
            evaluation_keys: fields.spans(&["expr", "cond"]),
            instances: self.text(&fields, "instances"),
            span: fields.span,
        })
    }

    fn trace(&mut self, value: &Value) -> Option<WireTrace> {
        let fields = self.fields(value, "`trace`", TRACE)?;
        self.require(&fields, "mode", "`trace`");
        Some(WireTrace {
            mode: self.text(&fields, "mode"),
            at: self.list(&fields, "at", |d, v| d.string(v, "a label")),
            span: fields.span,
        })
    }

    fn input(&mut self, value: &Value) -> Option<WireInput> {
        let fields = self.fields(value, "an input", INPUT)?;
        Some(WireInput {
            call: self.text(&fields, "call"),
            variable: self.text(&fields, "variable"),
            values: self.list(&fields, "values", |d, v| d.integer(v, "a value")),
            range: self.list(&fields, "range", |d, v| d.integer(v, "a bound")),
            span: fields.span,
        })
    }

    /// Reads an expression of calls, or a list of functions.
    fn entry(&mut self, value: &Value) -> Vec<Text> {
        match &value.kind {
            Kind::Array(items) if items.is_empty() => {
                let title = "`entry` names at least one function";
                self.push(Diagnostic::error(title, value.span.clone()));
                Vec::new()
            }
            Kind::Array(items) => {
                let names = items.iter().map(|item| self.string(item, "a function"));
                names.collect::<Vec<_>>().into_iter().flatten().collect()
            }
            _ => {
                let what = "an expression of calls, or a list of functions";
                self.string(value, what).into_iter().collect()
            }
        }
    }

    fn assume(&mut self, value: &Value) -> Option<WireAssume> {
        let fields = self.fields(value, "an assumption", ASSUME)?;
        self.require(&fields, "at", "an assumption");
        self.require(&fields, "cond", "an assumption");
        Some(WireAssume {
            at: self.text(&fields, "at"),
            cond: self.text(&fields, "cond"),
            span: fields.span,
        })
    }

    /// Reads a label, or an object with a label and an expected verdict.
    fn reach(&mut self, value: &Value) -> Option<WireReach> {
        if !matches!(value.kind, Kind::Object(_)) {
            return Some(WireReach {
                at: Some(self.string(value, "a label")?),
                expect: None,
            });
        }
        let fields = self.fields(value, "an item of `reach`", REACH)?;
        self.require(&fields, "at", "an item of `reach`");
        Some(WireReach {
            at: self.text(&fields, "at"),
            expect: self.text(&fields, "expect"),
        })
    }

    fn lasso(&mut self, value: &Value) -> Option<WireLasso> {
        let fields = self.fields(value, "`lasso`", LASSO)?;
        let state = self.list(&fields, "state", |d, v| d.string(v, "an object"));
        Some(WireLasso {
            at: self.texts(&fields, "at"),
            state: state.map(|s| s.items),
            span: fields.span,
        })
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn require(&mut self, fields: &Fields<'_>, key: &str, what: &str) {
        // A misspelt key was already reported.
        if fields.get(key).is_none() && !fields.misspelt.iter().any(|k| k == key) {
            self.push(Diagnostic::error(
                format!("{what} needs the key `{key}`"),
                fields.span.clone(),
            ));
        }
    }

    /// Checks that a value is an object with known keys, each at most once.
    fn fields<'v>(&mut self, value: &'v Value, what: &str, keys: &[&str]) -> Option<Fields<'v>> {
        let Kind::Object(members) = &value.kind else {
            self.expected(&format!("{what} (an object)"), value);
            return None;
        };
        let mut first: HashMap<&str, (&Text, &Value)> = HashMap::new();
        let mut misspelt = Vec::new();
        for (key, member) in members {
            if !keys.contains(&key.as_str()) {
                misspelt.extend(self.unknown_key(key, what, keys));
            } else if let Some((before, _)) = first.get(key.as_str()) {
                let title = format!("the key `{key}` stands twice in {what}");
                let span = before.span();
                self.push(Diagnostic::error(title, key.span()).secondary(span, "first here"));
            } else {
                first.insert(key.as_str(), (key, member));
            }
        }
        let members = first
            .into_iter()
            .map(|(key, (_, member))| (key, member))
            .collect();
        Some(Fields {
            members,
            misspelt,
            span: value.span.clone(),
        })
    }

    /// Reports an unknown key; returns the known key that was probably meant.
    fn unknown_key(&mut self, key: &Text, what: &str, keys: &[&str]) -> Option<String> {
        let title = format!("{what} has no key `{}`", shorten(key));
        let mut error = Diagnostic::error(title, key.span());
        let known: Vec<&str> = keys
            .iter()
            .copied()
            .filter(|k| !k.starts_with('$'))
            .collect();
        let other = OTHER_WORDS.iter().find(|(word, _)| *word == key.as_str());
        let other = other.and_then(|(_, ours)| known.iter().copied().find(|k| k == ours));
        let near = other.or_else(|| nearest(key, known.iter().copied()));
        error.replacement = near.map(str::to_owned);
        error.help = Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys are `{}`", known.join("`, `")),
        });
        self.push(error);
        near.map(str::to_owned)
    }

    fn expected(&mut self, what: &str, value: &Value) {
        let found = match &value.kind {
            Kind::Bool(b) => format!("`{b}`"),
            Kind::Number(n) => format!("the number {}", shorten(n)),
            other => other.name().to_owned(),
        };
        let title = format!("expected {what}, found {found}");
        self.push(Diagnostic::error(title, value.span.clone()));
    }

    fn string(&mut self, value: &Value, what: &str) -> Option<Text> {
        if let Kind::String(text) = &value.kind {
            return Some(text.clone());
        }
        self.expected(&format!("{what} (a string)"), value);
        None
    }

    fn text(&mut self, fields: &Fields<'_>, key: &str) -> Option<Text> {
        fields
            .get(key)
            .and_then(|value| self.string(value, &format!("`{key}`")))
    }

    fn list<T>(
        &mut self,
        fields: &Fields<'_>,
        key: &str,
        item: impl Fn(&mut Self, &Value) -> Option<T>,
    ) -> Option<List<T>> {
        let value = fields.get(key)?;
        let Kind::Array(items) = &value.kind else {
            self.expected(&format!("`{key}` (an array)"), value);
            return None;
        };
        let read: Vec<T> = items.iter().filter_map(|v| item(self, v)).collect();
        Some(List {
            items: read,
            written: items.len(),
            span: value.span.clone(),
        })
    }

    fn texts(&mut self, fields: &Fields<'_>, key: &str) -> Vec<Text> {
        let what = format!("an item of `{key}`");
        self.list(fields, key, |d, v| d.string(v, &what))
            .map_or(Vec::new(), |l| l.items)
    }

    /// Reads `true` or `false`, or 1 or 0 as in the papers' own files.
    fn boolean(&mut self, value: &Value) -> Option<bool> {
        match &value.kind {
            Kind::Bool(b) => Some(*b),
            Kind::Number(n) if n == "1" || n == "0" => Some(n == "1"),
            _ => {
                self.expected("`default` (`true` or `false`)", value);
                None
            }
        }
    }

    fn integer(&mut self, value: &Value, what: &str) -> Option<i128> {
        if let Kind::Number(n) = &value.kind {
            if let Ok(integer) = n.parse() {
                return Some(integer);
            }
        }
        self.expected(&format!("{what} (an integer)"), value);
        None
    }
}

/// The candidate that was probably meant by a misspelt name.
pub(crate) fn nearest<'c>(
    word: &str,
    candidates: impl Iterator<Item = &'c str>,
) -> Option<&'c str> {
    // The distance takes time proportional to the product of the lengths; no real name is longer.
    if word.len() > 100 {
        return None;
    }
    let lower = word.to_lowercase();
    candidates
        .filter(|c| c.len() <= 100)
        .map(|c| (strsim::damerau_levenshtein(&lower, &c.to_lowercase()), c))
        .filter(|(distance, c)| *distance <= (c.chars().count().max(2) / 2).min(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

/// Shortens text of the input for a message.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(60) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn sorted<'a>(keys: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut keys: Vec<&str> = keys.into_iter().collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn the_schema_has_the_same_keys() {
        let schema: serde_json::Value = serde_json::from_str(crate::SCHEMA).unwrap();
        let of = |object: &serde_json::Value, keys: &[&str], name: &str| {
            let properties = object["properties"].as_object().unwrap();
            let known = sorted(keys.iter().copied());
            assert_eq!(
                sorted(properties.keys().map(String::as_str)),
                known,
                "{name}"
            );
            assert_eq!(object["additionalProperties"], false, "{name}");
        };
        of(&schema, TOP, "the top level");
        let defs = [
            ("property", PROPERTY),
            ("proposition", PROPOSITION),
            ("trace", TRACE),
            ("input", INPUT),
            ("assume", ASSUME),
            ("reach", REACH),
            ("lasso", LASSO),
        ];
        for (name, keys) in defs {
            of(&schema["$defs"][name], keys, name);
        }
        let objects = schema["$defs"].as_object().unwrap().values();
        assert_eq!(
            objects.filter(|d| d["type"] == "object").count(),
            defs.len()
        );
    }

    #[test]
    fn the_schema_has_the_same_choices() {
        let schema: serde_json::Value = serde_json::from_str(crate::SCHEMA).unwrap();
        let verdicts: Vec<&str> = ltl::Expectation::ALL.iter().map(|e| e.name()).collect();
        assert_eq!(
            schema["$defs"]["verdict"]["enum"],
            serde_json::json!(verdicts)
        );
    }

    #[test]
    fn nearest_finds_typing_errors_and_nothing_else() {
        assert_eq!(
            nearest("propertys", TOP.iter().copied()),
            Some("properties")
        );
        assert_eq!(
            nearest("Param", PROPOSITION.iter().copied()),
            Some("params")
        );
        assert_eq!(nearest("psan", PROPOSITION.iter().copied()), Some("span"));
        assert_eq!(nearest("formula", TOP.iter().copied()), None);
        assert_eq!(nearest(&"x".repeat(100_000), TOP.iter().copied()), None);
    }
}
