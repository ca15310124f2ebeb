//! What the internal variables and the modes of an export of FRET stand for. They belong to a component: those of another
//! one may have the same names.

use crate::diagnostic::{Diagnostic, Severity};
use crate::json::{Kind, Text, Value};
use requirements::Definition;
use std::collections::HashMap;

/// The names of one component.
#[derive(Default)]
pub(super) struct Names {
    /// What names stand for, written in each other's places.
    pub(super) resolved: Vec<Definition>,
    /// Names that are left as they are, since what they stand for cannot be read, each with its warning.
    pub(super) unread: Vec<(String, Diagnostic)>,
}

/// The names of an export, by their components.
#[derive(Default)]
pub(super) struct Definitions {
    of: HashMap<String, Names>,
    /// Of a component without any.
    none: Names,
}

impl Definitions {
    /// The names that a requirement about a component can use.
    pub(super) fn of(&self, component: &str) -> &Names {
        self.of.get(&plain(component)).unwrap_or(&self.none)
    }

    /// Reads the variables of an export. Those without a component are those of all.
    ///
    /// # Errors
    /// Names that stand for themselves, and expressions of FRET that are none.
    pub(super) fn read(value: &Value, offset: usize) -> Result<Definitions, Vec<Diagnostic>> {
        let Kind::Object(fields) = &value.kind else {
            return Ok(Definitions::default());
        };
        let (mut all, mut errors) = (Definitions::default(), Vec::new());
        let variables = fields.iter().filter_map(|(name, value)| match &value.kind {
            Kind::Array(items) if name.as_str() == "variables" => Some(items),
            _ => None,
        });
        for item in variables.flatten() {
            let field = |name| text_field(item, name).filter(|text| !text.trim().is_empty());
            let kind = field("idType");
            let meaning = match kind.as_deref() {
                Some("Internal") => field("assignment"),
                Some("Mode") => field("modeRequirement"),
                _ => None,
            };
            let (Some(name), Some(meaning)) = (field("variable_name"), meaning) else {
                continue;
            };
            let names = match field("component_name") {
                Some(component) => all.of.entry(plain(&component)).or_default(),
                None => &mut all.none,
            };
            match Definition::read(&name, &meaning) {
                Ok(definition) => names.resolved.push(definition),
                Err(error) => {
                    let span = meaning.span_of(error.span);
                    let title = format!(
                        "`{name}` is taken for a variable of the program: what it stands for cannot be read"
                    );
                    let mut warning = Diagnostic::error(title, span.start + offset..span.end + offset)
                        .label(error.message)
                        .help("give it an expression as in a requirement, declare a proposition of its name, or let the program have a variable with this value");
                    warning.severity = Severity::Warning;
                    names.unread.push((name.to_string(), warning));
                }
            }
        }
        let common = &all.none;
        for names in all.of.values_mut() {
            names.resolved.extend(common.resolved.iter().cloned());
            names.unread.extend(common.unread.iter().cloned());
        }
        for names in all.of.values_mut().chain([&mut all.none]) {
            if let Err(name) = Definition::resolve(&mut names.resolved) {
                let title = format!("the variable `{name}` stands for itself");
                errors.push(Diagnostic::error(title, offset..offset));
            }
        }
        errors.dedup();
        match errors.is_empty() {
            true => Ok(all),
            false => Err(errors),
        }
    }
}

/// The name of a component without what two spellings of it differ in.
fn plain(component: &str) -> String {
    let letters = component.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// A text of an object of an export.
pub(super) fn text_field(item: &Value, name: &str) -> Option<Text> {
    let Kind::Object(fields) = &item.kind else {
        return None;
    };
    fields.iter().find_map(|(own, value)| match &value.kind {
        Kind::String(text) if own.as_str() == name => Some(text.clone()),
        _ => None,
    })
}
