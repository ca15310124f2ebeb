//! The names of registers: those of the macros that expand to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::macros::{words, Macros};
use crate::parse::Unit;
use crate::span::{Id, TypeId};
use crate::token::TokenKind;

use super::{Home, Key};

pub(super) struct Names {
    macros: Macros,
    /// The words that the text has.
    taken: BTreeSet<String>,
    /// The texts for which macros stand, without the parentheses around them, and whether they name the object
    /// rather than its address.
    wanted: HashMap<Vec<String>, (Key, bool)>,
    /// The macros that name each object, the best names first.
    found: BTreeMap<Key, Vec<(String, bool)>>,
    /// The functions for reads, with the types of their results.
    functions: HashMap<String, TypeId>,
}

impl Names {
    pub fn of(unit: &Unit) -> Names {
        let words = unit.tokens.tokens.iter();
        let words = words.filter(|t| t.kind == TokenKind::Word);
        Names {
            macros: Macros::of(unit),
            taken: words.map(|t| unit.text_of(t.span).to_owned()).collect(),
            wanted: HashMap::new(),
            found: BTreeMap::new(),
            functions: HashMap::new(),
        }
    }

    /// Notes a text that names an object, or its address.
    pub fn wants(&mut self, key: Key, text: &str, is_object: bool) {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let text: Vec<&str> = lines.collect();
        if let Some(words) = words(&text.join(" ")) {
            self.wanted.insert(bare(&words).to_vec(), (key, is_object));
        }
    }

    /// Looks for the macros of what is wanted. `bytes` are objects of one byte by their addresses: assembler names them
    /// by numbers, and headers by the same numbers. Linear in the macros.
    pub fn search(&mut self, bytes: &BTreeMap<u64, Key>) {
        let names: Vec<String> = self.macros.names().map(str::to_owned).collect();
        for name in names {
            let expanded = self.macros.expanded(&name);
            let known = expanded.as_deref().and_then(|e| {
                let byte = || Some((*bytes.get(&byte_at(bare(e))?)?, true));
                self.wanted.get(bare(e)).copied().or_else(byte)
            });
            if let Some((key, is_object)) = known {
                self.found.entry(key).or_default().push((name, is_object));
            }
        }
        // Objects that are named without a macro, by constant pointers.
        for (text, (key, is_object)) in &self.wanted {
            if let [name] = &text[..] {
                let plain = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
                if plain && !is_object {
                    self.found
                        .entry(*key)
                        .or_default()
                        .push((name.clone(), false));
                }
            }
        }
        let macros = &self.macros;
        for names in self.found.values_mut() {
            names.sort_by_key(|(name, is_object)| {
                (!is_object, macros.renames(name), name.len(), name.clone())
            });
        }
    }

    /// The name of an object, and all names that the program has for it.
    pub fn given(&self, key: Key) -> (String, Vec<String>) {
        let found = self.found.get(&key).map_or(&[][..], Vec::as_slice);
        let name = match found.first() {
            Some((name, true)) if !self.taken.contains(name) => name.clone(),
            Some((name, true)) => format!("{name}_register"),
            Some((name, false)) => format!("{name}_registers"),
            None => match key.0 {
                Home::Address(address) => format!("register_{address:x}"),
                Home::Own(object) => format!("register_{}", object.index()),
            },
        };
        let mut name = name;
        while self.taken.contains(&name) {
            name.push('_');
        }
        let called = found.iter().map(|(name, _)| name.clone());
        (name, called.collect())
    }

    /// A name for the function that gives what a register is read with, by the type of the result.
    pub fn function(&mut self, name: &str, of: TypeId) -> String {
        let mut name = name.to_owned();
        loop {
            let free = !self.taken.contains(&name);
            if free && *self.functions.entry(name.clone()).or_insert(of) == of {
                return name;
            }
            name.push('_');
        }
    }

    /// The macros that name an object, each with its new replacement; none where it has become the object's name.
    pub fn macros(&self, key: Key, object: &str) -> Vec<(String, Option<String>)> {
        let found = self.found.get(&key).into_iter().flatten();
        let replaced = found.map(|(name, is_object)| {
            let by = match is_object {
                true if name == object => None,
                true => Some(object.to_owned()),
                false => Some(format!("(&{object})")),
            };
            (name.clone(), by)
        });
        replaced.collect()
    }
}

/// The address in `*(volatile uint8_t *)((0x05) + 0x20)`, the form of avr-libc's names.
fn byte_at(tokens: &[String]) -> Option<u64> {
    let [star, open, volatile, ty, pointer, close, address @ ..] = tokens else {
        return None;
    };
    let pointed = [star, open, volatile, pointer, close];
    if pointed.map(String::as_str) != ["*", "(", "volatile", "*", ")"] || ty != "uint8_t" {
        return None;
    }
    let numbers = address
        .iter()
        .filter(|token| !matches!(token.as_str(), "(" | ")" | "+"));
    numbers
        .map(|token| match token.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => token.parse().ok(),
        })
        .sum()
}

/// Tokens without the parentheses around all of them.
fn bare(tokens: &[String]) -> &[String] {
    let [first, inner @ .., last] = tokens else {
        return tokens;
    };
    if first != "(" || last != ")" {
        return tokens;
    }
    let mut depth = 1;
    for token in inner {
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return tokens;
        }
    }
    bare(inner)
}
