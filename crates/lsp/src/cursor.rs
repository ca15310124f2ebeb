//! What stands at the cursor: found in the text itself, because while someone types neither the JSON
//! nor the C can be parsed.

use std::ops::Range;

/// What the text at the cursor is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    /// A formula.
    Formula,
    /// A C condition or a parameter.
    Condition,
    /// A requirement in structured English.
    Sentence,
    /// A label, perhaps with its function.
    Label,
    /// A function.
    Function,
    /// A variable, perhaps with its function.
    Variable,
    /// A key of an object of the specification.
    Key,
    /// Something else.
    Other,
}

/// A string of a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Quoted {
    /// What is in the quotation marks.
    pub(crate) inside: Range<usize>,
    /// The keys on the way to it.
    pub(crate) keys: Vec<String>,
    /// Whether it is a key itself.
    pub(crate) is_key: bool,
}

impl Quoted {
    /// What the string is for.
    pub(crate) fn field(&self) -> Field {
        if self.is_key {
            return Field::Key;
        }
        let keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        match keys[..] {
            [.., "ltl"] | ["alphabet"] => Field::Formula,
            [.., "cond"] => Field::Condition,
            [.., "fulltext"] => Field::Sentence,
            ["pa", "params"] | ["lasso", "state"] | ["inputs", "variable"] => Field::Variable,
            [.., "span" | "at"] | ["prune" | "reach"] => Field::Label,
            ["pa", "function" | "expr"] | ["inputs", "call"] => Field::Function,
            _ => Field::Other,
        }
    }
}

/// All strings of a JSON text, in order; also of one that is not complete.
pub(crate) fn strings(text: &str) -> Vec<Quoted> {
    let bytes = text.as_bytes();
    let mut found: Vec<Quoted> = Vec::new();
    // The open objects (with the key that was read last) and arrays (without one).
    let mut open: Vec<Option<String>> = Vec::new();
    let mut is_object: Vec<bool> = Vec::new();
    let mut value = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => {
                is_object.push(bytes[at] == b'{');
                open.push(None);
                value = false;
            }
            b'}' | b']' => {
                is_object.pop();
                open.pop();
                value = true;
            }
            b':' => value = true,
            b',' => value = false,
            b'"' => {
                let end = end_of_string(bytes, at + 1);
                let is_key = is_object.last() == Some(&true) && !value;
                let inside = at + 1..end;
                if is_key {
                    if let Some(last) = open.last_mut() {
                        *last = Some(text[inside.clone()].to_owned());
                    }
                }
                let depth = open.len() - usize::from(is_key && !open.is_empty());
                let keys = open[..depth].iter().flatten().cloned().collect();
                found.push(Quoted {
                    inside,
                    keys,
                    is_key,
                });
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The closing quotation mark, or the end of the line of a string without one.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\n' => return at,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Whether a JSON text is meant as a specification: it has a key that only specifications have.
pub(crate) fn is_specification(text: &str) -> bool {
    let ours = |quoted: &Quoted| {
        quoted.is_key
            && quoted.keys.is_empty()
            && match &text[quoted.inside.clone()] {
                "pa" | "ltl" => true,
                "properties" | "reach" => {
                    let rest = text[quoted.inside.end..]
                        .trim_start_matches(['"', ':', ' ', '\t', '\n', '\r']);
                    rest.starts_with('[')
                }
                _ => false,
            }
    };
    strings(text).iter().any(ours)
}

/// Whether a text states requirements: JSON as FRET exports it, or sentences with `shall`.
pub(crate) fn states_requirements(text: &str, json: bool) -> bool {
    let words = |line: &str| {
        let mut words = line.split(|c: char| !is_name(c));
        words.any(|word| word.eq_ignore_ascii_case("shall"))
    };
    match json {
        true => strings(text)
            .iter()
            .any(|s| s.is_key && &text[s.inside.clone()] == "fulltext"),
        false => text.lines().any(words),
    }
}

/// A byte of names of C.
fn is_name(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// The name around a byte, with the function in front of it (`f::x`).
pub(crate) fn name_at(text: &str, at: usize) -> Option<Range<usize>> {
    let part = |c: char| is_name(c) || c == ':';
    let start = text.get(..at)?.char_indices().rev();
    let start = start.take_while(|(_, c)| part(*c)).last();
    let start = start.map_or(at, |(i, _)| i);
    let end = text.get(at..)?.char_indices();
    let end = end.take_while(|(_, c)| part(*c)).last();
    let end = end.map_or(at, |(i, c)| at + i + c.len_utf8());
    let name = text.get(start..end)?;
    let trimmed = name.trim_matches(':');
    let start = start + (name.len() - name.trim_start_matches(':').len());
    // A single colon ends a name: `label: x`.
    let single = |(i, _): &(usize, &str)| {
        !trimmed[..*i].ends_with(':') && !trimmed[i + 1..].starts_with(':')
    };
    let cut = trimmed.match_indices(':').find(single).map(|(i, _)| i);
    let (start, end) = match cut {
        Some(cut) if start + cut < at => (start + cut + 1, start + trimmed.len()),
        Some(cut) => (start, start + cut),
        None => (start, start + trimmed.len()),
    };
    (start < end).then_some(start..end)
}

/// What is being completed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prefix {
    /// The beginning of the name that is typed.
    pub(crate) start: usize,
    /// The function in front of `::`.
    pub(crate) function: Option<String>,
    /// The names in front of `.` and `->`, the first one first.
    pub(crate) path: Vec<String>,
}

/// The expression in front of the cursor.
pub(crate) fn prefix(text: &str, at: usize) -> Prefix {
    let before = text.get(..at).unwrap_or_default();
    let mut rest = before.trim_end_matches(is_name);
    let start = rest.len();
    let mut path = Vec::new();
    loop {
        let stripped = rest.strip_suffix("->").or_else(|| rest.strip_suffix('.'));
        let Some(front) = stripped else { break };
        let mut front = front.trim_end();
        // Elements of arrays are of the same structure: `a[i].x`.
        while let Some(inner) = front.strip_suffix(']') {
            front = inner
                .rfind('[')
                .map_or("", |open| &inner[..open])
                .trim_end();
        }
        let head = front.trim_end_matches(is_name);
        let name = &front[head.len()..];
        if name.is_empty() {
            break;
        }
        path.insert(0, name.to_owned());
        rest = head;
    }
    let function = rest.strip_suffix("::").map(|front| {
        let head = front.trim_end_matches(is_name);
        front[head.len()..].to_owned()
    });
    Prefix {
        start,
        function: function.filter(|f| !f.is_empty()),
        path,
    }
}

/// Whether a byte of a formula is in a C condition: `{…}` or `AP(…)`.
pub(crate) fn in_condition(formula: &str, at: usize) -> bool {
    let before = formula.get(..at).unwrap_or_default();
    let braces = before.matches('{').count() > before.matches('}').count();
    let call = before.rfind("AP(").map(|start| &before[start + 2..]);
    let open = |text: &str| text.matches('(').count() > text.matches(')').count();
    braces || call.is_some_and(open)
}

/// The formula of a comment `//@ ltl invariant NAME: FORMULA;` around a byte.
pub(crate) fn annotation(text: &str, at: usize) -> Option<Range<usize>> {
    let line = text.get(..at)?.rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    let comment = text[..at]
        .rfind("/*@")
        .filter(|&open| !text[open..at].contains("*/"));
    let begin = comment.or_else(|| text[line..at].find("//@").map(|i| line + i))?;
    let body = begin + 3;
    let front = text.get(body..at)?;
    let word = front.rfind("ltl")?;
    let colon = front[word..].find(':')? + word + 1;
    let start = body + colon;
    let stop = text[start..].find(';').map_or(end, |i| start + i);
    (start <= at && at <= stop).then_some(start..stop)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The text without the mark `|`, and where it stood.
    fn marked(text: &str) -> (String, usize) {
        let at = text.find('|').unwrap();
        (text.replacen('|', "", 1), at)
    }

    fn field(text: &str) -> Option<Field> {
        let (text, at) = marked(text);
        let strings = strings(&text);
        let string = strings
            .iter()
            .find(|s| s.inside.start <= at && at <= s.inside.end);
        string.map(Quoted::field)
    }

    #[test]
    fn fields_of_specifications_that_are_not_complete() {
        assert_eq!(field(r#"{ "ltl": "G |"#), Some(Field::Formula));
        assert_eq!(
            field(r#"{ "properties": [ { "name": "a", "ltl": "G |" } ] }"#),
            Some(Field::Formula)
        );
        assert_eq!(field(r#"{ "pa": [ { "name": "|" "#), Some(Field::Other));
        assert_eq!(
            field("{ \"pa\": [ { \"span\": [\"a\", \"|\n"),
            Some(Field::Label)
        );
        assert_eq!(
            field(r#"{ "pa": [ { "cond": "x\"|y" } ]"#),
            Some(Field::Condition)
        );
        assert_eq!(field(r#"{ "pa": [ { "na|"#), Some(Field::Key));
        assert_eq!(
            field(r#"{ "trace": { "mode": "sample", "at": ["|"] } }"#),
            Some(Field::Label)
        );
        assert_eq!(field(r#"{ "reach": ["|"] }"#), Some(Field::Label));
        assert_eq!(field(r#"] } { "x": |"#), None);
    }

    #[test]
    fn which_json_is_a_specification() {
        assert!(is_specification(r#"{ "ltl": "p" "#));
        assert!(is_specification(r#"{ "properties": [ ] }"#));
        assert!(!is_specification(r#"{ "properties": { "ltl": 1 } }"#));
        assert!(!is_specification(r#"{ "name": "ltl" }"#));
    }

    #[test]
    fn names() {
        for (text, name) in [
            ("a + f::x|y", Some("f::xy")),
            ("|out: x", Some("out")),
            ("case 1:ou|t", Some("out")),
            ("a | b", None),
            ("f:|:x", Some("f::x")),
        ] {
            let (text, at) = marked(text);
            assert_eq!(name_at(&text, at).map(|r| &text[r]), name, "{text}");
        }
    }

    #[test]
    fn prefixes() {
        let of = |text: &str| {
            let (text, at) = marked(text);
            let p = prefix(&text, at);
            (text[p.start..at].to_owned(), p.function, p.path)
        };
        let path = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        assert_eq!(of("1 + ab|"), ("ab".into(), None, path(&[])));
        assert_eq!(
            of("main::s.t|"),
            ("t".into(), Some("main".into()), path(&["s"]))
        );
        assert_eq!(
            of("q[i + 1].in->|"),
            (String::new(), None, path(&["q", "in"]))
        );
        assert_eq!(
            of("main::|"),
            (String::new(), Some("main".into()), path(&[]))
        );
        assert_eq!(of("::|"), (String::new(), None, path(&[])));
    }

    #[test]
    fn formulas_in_comments() {
        let of = |text: &str| {
            let (text, at) = marked(text);
            annotation(&text, at).map(|r| text[r].trim().to_owned())
        };
        assert_eq!(
            of("int x;\n//@ ltl invariant a: G|{x};\n"),
            Some("G{x}".into())
        );
        assert_eq!(
            of("/*@ ltl invariant a: G {x};\nltl invariant b: F|{y}; */"),
            Some("F{y}".into())
        );
        assert_eq!(of("/*@ ltl invariant a: G{x}; */ int |y;"), None);
        assert_eq!(of("int |x;"), None);
        assert!(in_condition("G {x", 4));
        assert!(!in_condition("G {x}", 5));
        assert!(in_condition("G AP(x", 6));
    }
}
