//! Identifiers: those that expressions of the specification may use, and those that emitted names have to
//! avoid.

use cfront::tree::Entity;

use super::Collector;

impl Collector<'_> {
    /// Notes the values of enumeration constants; a name with different values in two enumerations has none.
    fn constant_values(&mut self) {
        let mut all: std::collections::BTreeMap<String, Option<i128>> =
            std::collections::BTreeMap::new();
        for (_, e) in self.tree.types.enums.iter() {
            for (name, value) in &e.constants {
                let known = all.entry(name.clone()).or_insert(*value);
                if known != value {
                    *known = None;
                }
            }
        }
        let known = all.into_iter().filter_map(|(n, v)| Some((n, v?)));
        self.facts.constant_values.extend(known);
    }

    /// Notes type names, enumeration constants, macros, and all identifiers of the text that look like emitted
    /// ones.
    pub(crate) fn identifiers(&mut self) {
        let file_scope = &self.tree.scopes[self.tree.file_scope()];
        for (name, meanings) in &file_scope.names {
            let is_type = |m: &(usize, Entity)| matches!(m.1, Entity::Typedef(_));
            if meanings.iter().any(is_type) {
                self.facts.typedefs.insert(name.clone());
            }
        }
        for (_, e) in self.tree.types.enums.iter() {
            self.facts
                .constants
                .extend(e.constants.iter().map(|(name, _)| name.clone()));
        }
        self.constant_values();
        for line in self.text.lines() {
            if let Some(definition) = line.strip_prefix("#define ") {
                self.facts.macros.define(definition);
            }
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        for w in self
            .text
            .split(|c: char| !word(c))
            .filter(|w| w.contains("ba_") || w.starts_with("BA_"))
        {
            self.facts.identifiers.insert(w.to_string());
        }
    }
}
