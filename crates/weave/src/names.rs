//! The names that are emitted: all begin with `ba_` or `BA_`, and none is the user's.

use std::collections::BTreeSet;

/// Turns any text into a piece of a C identifier: letters and digits stay, the rest is `_`.
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
    /// The sanitised text, with a number behind it if it was given away before.
    pub fn name(&mut self, text: &str, fallback: &str) -> String {
        let base = match sanitised(text) {
            empty if empty.is_empty() => fallback.to_string(),
            base => base,
        };
        let mut name = base.clone();
        let mut n = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        name
    }
}

/// In front of a user's text inside emitted code, so that [`avoid`] leaves it alone.
pub const USER: char = '\u{1}';

/// Marks text as the user's own.
pub fn user(text: &str) -> String {
    format!("{USER}{text}{USER}")
}

/// The infix that makes emitted names differ from every identifier of the program: empty, or a
/// number behind `ba_`.
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

/// Puts the infix into every emitted name of a text and takes the marks of the user's text away.
pub fn avoid(text: &str, infix: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, piece) in text.split(USER).enumerate() {
        if i % 2 == 1 || infix.is_empty() {
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
