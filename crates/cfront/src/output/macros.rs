//! Tracks which macros are defined at the current point, in the original and in the output.
//!
//! The output contains text in which all macros have been replaced. An included header, or a
//! definition that a header needs, may define a macro in the output again. If the name of the macro
//! occurs in the text, the macro must be undefined before: `#define sa_handler
//! __sigaction_handler.sa_handler` would be applied a second time.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::linemap::parse_marker;
use crate::parse::Unit;
use crate::span::Span;

/// The origin of a macro definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The compiler or a system header.
    System,
    /// The user's text or the command line.
    User,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Definition {
    line: String,
    origin: Origin,
    /// Position among all definitions, to keep their order.
    number: usize,
}

#[derive(Default)]
pub(super) struct Macros {
    /// The definitions of the original.
    original: BTreeMap<String, Definition>,
    /// Macros of the original that the output does not define, or defines differently.
    hidden: BTreeSet<String>,
    /// Macros of the output that the original does not define, or defines differently.
    left_over: BTreeSet<String>,
    count: usize,
}

impl Macros {
    /// Records a `#define` line; `rest` is the text after the keyword.
    pub fn define(&mut self, line: &str, rest: &str, origin: Origin) {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
        let name = rest[..end].to_string();
        self.count += 1;
        match origin {
            Origin::System => {
                self.hidden.remove(&name);
                self.left_over.remove(&name);
            }
            Origin::User => {
                let in_output = self.original.contains_key(&name) && !self.hidden.contains(&name)
                    || self.left_over.contains(&name);
                if in_output {
                    // The output still has the definition that the user replaced.
                    self.left_over.insert(name.clone());
                }
                self.hidden.insert(name.clone());
            }
        }
        let definition = Definition {
            line: line.to_string(),
            origin,
            number: self.count,
        };
        self.original.insert(name, definition);
    }

    /// Records an `#undef` line of the user's text or of a header that the output includes.
    pub fn undefine(&mut self, name: &str, origin: Origin) {
        let was_defined = self.original.remove(name).is_some();
        let was_hidden = self.hidden.remove(name);
        match origin {
            Origin::System => {
                self.left_over.remove(name);
            }
            Origin::User if was_defined && !was_hidden => {
                self.left_over.insert(name.to_string());
            }
            Origin::User => {}
        }
    }

    /// Whether the output defines macros that the original does not.
    pub fn has_left_over(&self) -> bool {
        !self.left_over.is_empty()
    }

    /// Makes the output's definitions equal to the original's, before an included header.
    pub fn restore(&mut self, out: &mut Vec<u8>) {
        for name in std::mem::take(&mut self.left_over) {
            out.extend_from_slice(format!("#undef {name}\n").as_bytes());
        }
        let mut lines: Vec<&Definition> = self
            .hidden
            .iter()
            .filter_map(|name| self.original.get(name))
            .collect();
        lines.sort_by_key(|d| d.number);
        for definition in lines {
            // A library may have its own header before the system header of the same name,
            // which includes that one: the output includes it twice, so the macro may be defined
            // already.
            let name = name_of(&definition.line);
            let with_arguments = definition.line.contains(&format!("{name}("));
            if name.starts_with('_') && with_arguments {
                out.extend_from_slice(format!("#undef {name}\n").as_bytes());
            }
            out.extend_from_slice(definition.line.as_bytes());
            out.push(b'\n');
        }
        self.hidden.clear();
    }

    /// Undefines, before text of the user, all macros of the user and those macros of the system
    /// whose names occur in the text.
    pub fn hide(&mut self, names: &HashSet<&str>, out: &mut Vec<u8>) {
        for name in std::mem::take(&mut self.left_over) {
            out.extend_from_slice(format!("#undef {name}\n").as_bytes());
        }
        let hide: Vec<String> = self
            .original
            .iter()
            .filter(|(name, definition)| {
                !self.hidden.contains(*name)
                    && (definition.origin == Origin::User && !is_reserved(name)
                        || names.contains(name.as_str()) && !is_identity(name, &definition.line))
            })
            .map(|(name, _)| name.clone())
            .collect();
        for name in hide {
            out.extend_from_slice(format!("#undef {name}\n").as_bytes());
            self.hidden.insert(name);
        }
    }

    /// Defines, before a prologue that may include headers, the user's macros that select
    /// declarations of system headers. If no header was included yet, takes them from the text
    /// before the first include.
    ///
    /// Also defines the guards of user headers that stand before system headers of the same
    /// name, so that the prologue includes the system headers.
    pub fn before_prologue(&mut self, out: &mut Vec<u8>, unit: &Unit, part: Span, before: Span) {
        self.feature_macros(out, unit, before);
        for guard in replacements(unit, part) {
            let name = name_of(&guard).to_string();
            let is_defined = self.original.contains_key(&name) && !self.hidden.contains(&name);
            if !is_defined && self.left_over.insert(name) {
                out.extend_from_slice(guard.as_bytes());
                out.push(b'\n');
            }
        }
    }

    fn feature_macros(&mut self, out: &mut Vec<u8>, unit: &Unit, before: Span) {
        let mut later = Macros::default();
        let mut all = self.original.clone();
        for directive in unit.tokens.directives_in(before) {
            let line = directive.of(&unit.source.text);
            if parse_marker(line).is_some() {
                continue;
            }
            if let Some(rest) = line.strip_prefix("#define ") {
                later.define(line, rest, Origin::User);
            }
        }
        for (name, definition) in later.original {
            all.entry(name).or_insert(definition);
        }
        let mut features: Vec<(&String, &Definition)> = all
            .iter()
            .filter(|(name, d)| d.origin == Origin::User && is_feature(name))
            .filter(|(name, _)| self.hidden.contains(*name) || !self.original.contains_key(*name))
            .collect();
        features.sort_by_key(|(_, d)| d.number);
        for (name, definition) in features {
            out.extend_from_slice(definition.line.as_bytes());
            out.push(b'\n');
            if !self.hidden.remove(name) {
                self.left_over.insert(name.clone());
            }
        }
    }
}

/// The guards of user headers that include a system header of their own name: the first macro
/// without text that each defines. Takes time linear in the directives.
fn replacements(unit: &Unit, part: Span) -> Vec<String> {
    struct Open {
        name: String,
        is_system: bool,
        guard: Option<String>,
    }
    let mut files: Vec<Open> = Vec::new();
    let mut found: Vec<String> = Vec::new();
    for directive in unit.tokens.directives_in(part) {
        let line = directive.of(&unit.source.text).trim_end();
        match (parse_marker(line), files.last_mut()) {
            (Some(marker), outer) if marker.enter => {
                let name = marker.file.rsplit('/').next().unwrap_or_default();
                let outer = outer.filter(|o| marker.system && !o.is_system && o.name == name);
                if let Some(guard) = outer.and_then(|o| o.guard.clone()) {
                    if !found.contains(&guard) {
                        found.push(guard);
                    }
                }
                files.push(Open {
                    name: name.to_string(),
                    is_system: marker.system,
                    guard: None,
                });
            }
            (Some(marker), _) if marker.leave => {
                files.pop();
            }
            (None, Some(open)) if open.guard.is_none() && !open.is_system => {
                let is_empty = line.split_whitespace().count() == 2;
                if is_empty && line.starts_with("#define ") {
                    open.guard = Some(line.to_string());
                }
            }
            _ => {}
        }
    }
    found
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '\\'
}

/// Reserved names. Compilers warn when these are undefined: programs define them to ask headers for
/// more declarations (`__STDC_WANT_LIB_EXT2__`).
fn is_reserved(name: &str) -> bool {
    name.starts_with("__STDC_")
}

/// The name that a `#define` line defines.
fn name_of(line: &str) -> &str {
    let rest = line.trim_start_matches("#define").trim_start();
    let end = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
    &rest[..end]
}

/// `#define stdin stdin`
fn is_identity(name: &str, line: &str) -> bool {
    line.split_whitespace().collect::<Vec<_>>() == ["#define", name, name]
}

/// Whether a name is one of the reserved names that select features of headers.
fn is_feature(name: &str) -> bool {
    name.starts_with('_') && (name.ends_with("_SOURCE") || name.ends_with("_BITS"))
}
