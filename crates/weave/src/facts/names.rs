//! The names that are emitted: all begin with `ba_` or `BA_`, and none is the user's.

use std::collections::BTreeSet;

/// Turns any text into a piece of a C identifier of at most 40 characters: letters and digits stay, every run
/// of other characters becomes one `_`.
pub fn sanitised(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
        if name.len() >= 40 {
            break;
        }
    }
    name.trim_matches('_').to_string()
}

/// Gives each text an identifier of its own.
#[derive(Default)]
pub struct Unique {
    taken: BTreeSet<String>,
}

impl Unique {
    /// The sanitised text (`fallback` if nothing is left of it), with a number appended if that name is taken.
    pub fn name(&mut self, text: &str, fallback: &str) -> String {
        let base = match sanitised(text) {
            empty if empty.is_empty() => fallback.to_string(),
            base => base,
        };
        self.name_exactly(&base)
    }

    /// This identifier, with a number appended if it is taken.
    pub fn name_exactly(&mut self, base: &str) -> String {
        let mut name = base.to_string();
        let mut n = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        name
    }
}

/// Delimits the user's text inside emitted code, so that [`avoid`] does not rename anything in it.
pub const USER: char = '\u{1}';

/// Marks text as the user's own.
pub fn user(text: &str) -> String {
    format!("{USER}{text}{USER}")
}

/// Delimits the mark after a user's name inside [`user`] text. The mark is the object's number; `v` and the
/// number if the object's value is read; `f` and a function's number.
const OBJECT: char = '\u{2}';

/// Marks the name of an object: in a program of several files a name alone does not identify it.
pub fn object(name: &str, index: usize) -> String {
    user(&identified(name, index))
}

/// Marks the name of an object whose value is read: where a file does not see the object, a function can return
/// the value. The marked name is the whole text between the [`USER`] delimiters.
pub fn value_of_object(name: &str, index: usize) -> String {
    user(&format!("{name}{OBJECT}v{index}{OBJECT}"))
}

/// The name of an object with its number, for use inside [`user`].
pub fn identified(name: &str, index: usize) -> String {
    format!("{name}{OBJECT}{index}{OBJECT}")
}

/// Marks the name of a function with a body by its number among those: static functions of several files may
/// share a name.
pub fn function(name: &str, index: usize) -> String {
    user(&format!("{name}{OBJECT}f{index}{OBJECT}"))
}

/// The global variable that holds the value of the proposition with this identifier. The prefix keeps
/// propositions named `value` or `start` apart from other emitted names.
pub fn value(identifier: &str) -> String {
    format!("ba_p_{identifier}")
}

/// The variable that holds a proposition's value in the last letter.
pub fn letter(name: &str) -> String {
    format!("ba_letter_{name}")
}

/// The variable that holds a proposition's letter at the save of a lasso.
pub fn kept_letter(name: &str) -> String {
    format!("ba_kept_{name}")
}

/// The variable that tells whether a proposition has had both values since the save of a lasso.
pub fn turned(name: &str) -> String {
    format!("ba_turned_{name}")
}

/// The variable that holds the address of a static local, once its declaration is passed.
pub fn address(object: usize) -> String {
    format!("ba_at_{object}")
}

/// A name inside marked text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkedName {
    /// The identifier.
    pub name: String,
    /// The number of the object in its mark.
    pub object: Option<usize>,
    /// The number of the function in its mark.
    pub function: Option<usize>,
    /// Whether the mark asks for the object's value.
    pub value: bool,
}

/// The identifiers in the user's text inside an emitted text, without names of members.
pub fn marked_names(text: &str) -> Vec<MarkedName> {
    let marked = text.split(USER).skip(1).step_by(2);
    marked.flat_map(names_of).collect()
}

/// The length in bytes of the string or character literal that a text begins with, both quotes included.
fn literal_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

fn names_of(piece: &str) -> Vec<MarkedName> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = piece[at..].chars().next() {
        let rest = &piece[at..];
        if c == OBJECT {
            at += rest[1..].find(OBJECT).map_or(rest.len(), |i| i + 2);
        } else if c == '"' || c == '\'' {
            at += literal_length(rest, c);
        } else if word(c) {
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let before = piece[..at].trim_end();
            let member = before.ends_with('.') || before.ends_with("->");
            let mark = rest[end..].strip_prefix(OBJECT);
            let mark = mark.and_then(|m| m.split(OBJECT).next());
            let value = mark.and_then(|m| m.strip_prefix('v'));
            let object = value.or(mark).and_then(|m| m.parse().ok());
            let function = mark.and_then(|m| m.strip_prefix('f')?.parse().ok());
            if !member && !c.is_ascii_digit() {
                found.push(MarkedName {
                    name: rest[..end].to_string(),
                    object,
                    function,
                    value: value.is_some(),
                });
            }
            at += end;
        } else {
            at += c.len_utf8();
        }
    }
    found
}

/// Replaces each marked value of an object that `by` has a text for.
pub fn replace_marked(text: &str, by: &std::collections::BTreeMap<MarkedName, String>) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, text) in text.split(USER).enumerate() {
        if i % 2 == 0 {
            out.push_str(text);
            continue;
        }
        let value = names_of(text).into_iter().find(|name| name.value);
        match value.and_then(|name| by.get(&name)) {
            Some(replacement) => out.push_str(replacement),
            None => out.push_str(&user(text)),
        }
    }
    out
}

/// The text without its marks.
fn stripped(piece: &str) -> String {
    piece.split(OBJECT).step_by(2).collect()
}

/// The infix that makes emitted names differ from every identifier of the program: empty if no identifier looks
/// like an emitted one, else a number to follow `ba_`.
pub fn infix<'a>(identifiers: impl Iterator<Item = &'a str>) -> String {
    let own: BTreeSet<&str> = identifiers
        .filter(|name| {
            name.starts_with("ba_") || name.starts_with("BA_") || name.contains("nondet_ba_")
        })
        .collect();
    if own.is_empty() {
        return String::new();
    }
    let clash = |n: u32| {
        own.iter().any(|name| {
            name.strip_prefix("ba_")
                .or(name.strip_prefix("BA_"))
                .is_some_and(|rest| rest.starts_with(&format!("{n}_")))
        })
    };
    let n = (1..).find(|&n| !clash(n)).unwrap_or(1);
    format!("{n}_")
}

/// Puts the infix into every emitted name of a text and removes the marks of the user's text.
pub fn avoid(text: &str, infix: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, piece) in text.split(USER).enumerate() {
        if i % 2 == 1 {
            out.push_str(&stripped(piece));
        } else if infix.is_empty() {
            out.push_str(piece);
        } else {
            rename(piece, infix, &mut out);
        }
    }
    out
}

fn rename(piece: &str, infix: &str, out: &mut String) {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = piece;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if !word(before) && word(c) {
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            let name = &rest[..end];
            match name.get(..3) {
                Some(prefix @ ("ba_" | "BA_")) => {
                    out.push_str(prefix);
                    out.push_str(infix);
                    out.push_str(&name[3..]);
                }
                _ => out.push_str(name),
            }
            before = 'a';
            rest = &rest[end..];
        } else {
            out.push(c);
            before = c;
            rest = &rest[c.len_utf8()..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_valid() {
        let mut unique = Unique::default();
        assert_eq!(unique.name("p", "x"), "p");
        assert_eq!(unique.name("p", "x"), "p_2");
        assert_eq!(unique.name("i % 2 == 0", "x"), "i_2_0");
        assert_eq!(unique.name("→", "x"), "x");
    }

    #[test]
    fn marked_names_know_their_objects() {
        let (x, rest) = (value_of_object("x", 7), user("s.y + \"z\" + g(1)"));
        let text = format!("f({x}, {rest})");
        let found: Vec<(String, Option<usize>, bool)> = marked_names(&text)
            .into_iter()
            .map(|n| (n.name, n.object, n.value))
            .collect();
        let expected = [("x", Some(7), true), ("s", None, false), ("g", None, false)];
        assert_eq!(found, expected.map(|(n, o, w)| (n.to_string(), o, w)));
        let x = marked_names(&text).remove(0);
        let by = [(x, "r()".to_string())].into_iter().collect();
        assert_eq!(
            avoid(&replace_marked(&text, &by), ""),
            "f(r(), s.y + \"z\" + g(1))"
        );
        assert_eq!(avoid(&text, ""), "f(x, s.y + \"z\" + g(1))");
        assert!(!marked_names(&object("x", 7))[0].value);
    }

    #[test]
    fn escaped_quotes_do_not_end_a_literal() {
        let text = user(r#"f("a \" b", '\'', x) + '\\' + "y""#);
        let found: Vec<String> = marked_names(&text).into_iter().map(|n| n.name).collect();
        assert_eq!(found, ["f", "x"]);
    }

    #[test]
    fn a_clash_moves_every_emitted_name_and_no_user_name() {
        let infix = infix(["ba_1_x", "ba_p", "main"].into_iter());
        assert_eq!(infix, "2_");
        let text = format!("ba_p = BA_END(ba_q) + {} + xba_y;", user("ba_p"));
        assert_eq!(
            avoid(&text, &infix),
            "ba_2_p = BA_2_END(ba_2_q) + ba_p + xba_y;"
        );
        assert_eq!(avoid(&text, ""), "ba_p = BA_END(ba_q) + ba_p + xba_y;");
    }
}
