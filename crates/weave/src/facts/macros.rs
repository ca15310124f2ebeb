//! The macros of a program, by which conditions of a specification may say what they mean.

use std::collections::BTreeMap;

/// The macros of a program as they are defined at its end.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    /// Those without parameters: name and replacement.
    pub plain: BTreeMap<String, String>,
    /// Those with parameters: name, parameters and replacement.
    pub calls: BTreeMap<String, (Vec<String>, String)>,
}

impl Macros {
    /// Notes a definition, as it stands behind `#define`. A macro of a variable number of parameters is left out.
    pub fn define(&mut self, definition: &str) {
        let end = definition
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(definition.len());
        let (name, value) = definition.split_at(end);
        let list = value
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'));
        self.plain.remove(name);
        self.calls.remove(name);
        match list {
            Some((list, _)) if list.contains("...") => {}
            Some((list, body)) => {
                let names = list.split(',').map(|name| name.trim().to_owned());
                let names = names.filter(|name| !name.is_empty()).collect();
                let body = body.trim().to_owned();
                self.calls.insert(name.to_owned(), (names, body));
            }
            None => {
                let value = value.trim().to_owned();
                self.plain.insert(name.to_owned(), value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_definition_replaces_an_earlier_one() {
        let mut macros = Macros::default();
        for definition in [
            "A 1",
            "A(x, y) x+y",
            "B (2)",
            "C() 3",
            "D(...) 4",
            "E(x) x",
            "E 5",
        ] {
            macros.define(definition);
        }
        let plain: Vec<(&str, &str)> = (macros.plain.iter())
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(plain, [("B", "(2)"), ("E", "5")]);
        let names = |name: &str| macros.calls.get(name).map(|(names, _)| names.join(" "));
        let of = ["A", "C", "D", "E"].map(names);
        assert_eq!(
            of,
            [Some("x y".to_owned()), Some(String::new()), None, None]
        );
    }
}
