//! The values of objects that propositions read, along a trace.

use std::collections::BTreeMap;

use backend::{Location, Value};
use weave::record::ReadRecord;

/// An array or a structure with more parts than this is shown part by part, as the parts are
/// written.
const MOST_PARTS: usize = 16;

/// The objects that propositions read, and their values so far.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    reads: Vec<&'a ReadRecord>,
    /// Values by shown name (with the part, as in `s.len`), and by thread for a local.
    known: BTreeMap<(String, Option<u32>), String>,
}

impl<'a> Values<'a> {
    /// No values yet.
    pub fn new(reads: impl Iterator<Item = &'a ReadRecord>) -> Self {
        let mut reads: Vec<&ReadRecord> = reads.collect();
        reads.sort();
        reads.dedup();
        Values {
            reads,
            known: BTreeMap::new(),
        }
    }

    /// Records an assignment; returns false if it concerns none of these objects.
    pub fn assign(&mut self, lhs: &str, value: &Value, at: &Location, thread: u32) -> bool {
        let end = lhs.find(['.', '[', '-']).unwrap_or(lhs.len());
        let (object, part) = lhs.split_at(end);
        // An argument of an evaluation function has the object's current value.
        let argument = object.strip_prefix("ba_arg_");
        let found = self.reads.iter().find(|read| {
            let local = read.function.is_some();
            let named = read.object == object || local && argument == Some(read.object.as_str());
            named && (!local || read.function == at.function)
        });
        let Some(read) = found else {
            return false;
        };
        let thread = read.function.as_ref().map(|_| thread);
        let Some(part) = constant_path(part) else {
            return true;
        };
        // Several propositions may read different parts.
        let same = |r: &&&ReadRecord| r.object == read.object && r.function == read.function;
        let all: Vec<&&ReadRecord> = self.reads.iter().filter(same).collect();
        let is_read = |part: &str| {
            let wanted = |r: &&&ReadRecord| {
                r.parts.is_empty() || r.parts.iter().any(|p| part.starts_with(p.as_str()))
            };
            all.iter().any(wanted)
        };
        let name = read.name.clone();
        let new = parts(part, &value.text).into_iter();
        let new: Vec<(String, String)> = new.filter(|(part, _)| is_read(part)).collect();
        for (part, text) in new {
            self.known.insert((format!("{name}{part}"), thread), text);
        }
        true
    }

    /// All known values. If several threads have a local, each name gets its thread.
    pub fn all(&self) -> BTreeMap<String, String> {
        let several = |name: &str| self.known.keys().filter(|(n, _)| n == name).count() > 1;
        let one = |((name, thread), text): (&(String, Option<u32>), &String)| {
            let name = match thread {
                Some(thread) if several(name) => format!("{name} (thread {thread})"),
                _ => name.clone(),
            };
            (name, text.clone())
        };
        self.known.iter().map(one).collect()
    }
}

/// `[(signed long int)2l].len` in plain C: `[2].len`; `None` if an index is no number.
fn constant_path(part: &str) -> Option<String> {
    let mut path = String::new();
    let mut rest = part;
    while let Some((before, inside)) = rest.split_once('[') {
        let (index, behind) = inside.split_once(']')?;
        let index = index
            .rsplit(')')
            .next()?
            .trim_end_matches(['l', 'u', 'L', 'U']);
        let number: u64 = index.trim().parse().ok()?;
        path += &format!("{before}[{number}]");
        rest = behind;
    }
    Some(path + rest)
}

/// The parts of a value with their texts: for `{1, 2}` of `a`, 1 for `a[0]` and 2 for `a[1]`.
fn parts(path: String, text: &str) -> Vec<(String, String)> {
    let mut done = Vec::new();
    let mut todo = vec![(path, text)];
    while let Some((path, text)) = todo.pop() {
        let inner = text.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
        let Some(inner) = inner else {
            done.push((path, text.to_string()));
            continue;
        };
        for (index, part) in divided(inner).into_iter().enumerate() {
            let part = part.trim();
            let member = part
                .starts_with('.')
                .then(|| part.split_once('='))
                .flatten();
            todo.push(match member {
                Some((name, value)) => (format!("{path}{name}"), value),
                None => (format!("{path}[{index}]"), part),
            });
        }
        if done.len() + todo.len() > MOST_PARTS {
            return Vec::new();
        }
    }
    done
}

/// Splits at the commas outside of braces.
fn divided(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(&text[from..]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, object: &str, function: Option<&str>) -> ReadRecord {
        ReadRecord {
            name: name.into(),
            object: object.into(),
            function: function.map(str::to_string),
            parts: Vec::new(),
        }
    }

    fn text(text: &str) -> Value {
        Value {
            text: text.into(),
            number: None,
        }
    }

    fn at(function: &str) -> Location {
        Location {
            function: Some(function.into()),
            ..Location::default()
        }
    }

    #[test]
    fn parts_of_objects_have_their_values() {
        let reads = [read("s", "s", None)];
        let mut values = Values::new(reads.iter());
        assert!(values.assign("s", &text("{.a=1, .b={2, {.c=3}}}"), &at("f"), 0));
        assert!(values.assign("s.b[(signed long int)0l]", &text("7"), &at("g"), 1));
        assert!(values.assign("s.b[i]", &text("8"), &at("g"), 1));
        let all: Vec<(String, String)> = values.all().into_iter().collect();
        let expected = [("s.a", "1"), ("s.b[0]", "7"), ("s.b[1].c", "3")];
        assert_eq!(all, expected.map(|(n, v)| (n.to_string(), v.to_string())));
    }

    #[test]
    fn parts_that_nobody_reads_are_not_shown() {
        let mut head = read("q", "q", None);
        head.parts = vec![".head".into()];
        let reads = [head];
        let mut values = Values::new(reads.iter());
        assert!(values.assign("q", &text("{.head=0, .items={1, 2}}"), &at("f"), 0));
        assert!(values.assign("q.items[0]", &text("7"), &at("f"), 0));
        let all: Vec<(String, String)> = values.all().into_iter().collect();
        assert_eq!(all, [("q.head".to_string(), "0".to_string())]);
    }

    #[test]
    fn a_local_belongs_to_its_function_and_its_thread() {
        let reads = [read("f::x", "x", Some("f"))];
        let mut values = Values::new(reads.iter());
        assert!(!values.assign("x", &text("1"), &at("g"), 1));
        assert!(values.assign("ba_arg_x", &text("2"), &at("f"), 1));
        assert_eq!(values.all().get("f::x").map(String::as_str), Some("2"));
        assert!(values.assign("x", &text("3"), &at("f"), 2));
        let all = values.all();
        assert_eq!(all.get("f::x (thread 1)").map(String::as_str), Some("2"));
        assert_eq!(all.get("f::x (thread 2)").map(String::as_str), Some("3"));
    }

    #[test]
    fn large_objects_are_shown_as_they_are_written() {
        let reads = [read("a", "a", None)];
        let mut values = Values::new(reads.iter());
        let zeros = format!("{{{}}}", vec!["0"; 100].join(", "));
        assert!(values.assign("a", &text(&zeros), &at("f"), 0));
        assert!(values.all().is_empty());
        assert!(values.assign("a[42l]", &text("5"), &at("f"), 0));
        assert_eq!(values.all().len(), 1);
    }
}
