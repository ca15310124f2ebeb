//! What is written of the sequential program so far, and why it may not be written at all.

use cfront::{Diagnostic, Edits, Span};

use crate::code::Lowered;
use crate::facts::Facts;
use crate::options::Options;

/// The state of an emission: it reads the program and its threads, and collects edits of the text.
pub(crate) struct Emit<'a, 'u> {
    /// What is known of the program.
    pub(crate) facts: &'a Facts<'u>,
    /// Its threads.
    pub(crate) lowered: &'a Lowered,
    /// How it is sequentialised.
    pub(crate) options: &'a Options,
    /// What is put into the program's text.
    pub(crate) edits: Edits,
    /// Parts of the text that do not stay.
    pub(crate) dropped: Vec<Span>,
    /// Whether functions that stay allocate memory of a size that is not constant.
    pub(crate) bounds_memory: bool,
    /// What should be looked at.
    pub(crate) warnings: Vec<Diagnostic>,
    /// What cannot be followed.
    pub(crate) errors: Vec<Diagnostic>,
}

impl Emit<'_, '_> {
    pub(crate) fn insert(&mut self, at: usize, order: i32, text: impl Into<String>) {
        // Texts are made on one line.
        if let Err(error) = self.edits.insert(at, order, text.into()) {
            self.errors
                .push(Diagnostic::error(Span::empty(at), error.to_string()));
        }
    }

    pub(crate) fn replace(&mut self, span: Span, text: &str) {
        self.insert(span.start, 0, format!("{text} /* "));
        self.insert(span.end, -1, " */");
    }

    /// Whether a part of the text belongs to a function whose body does not stay.
    pub(crate) fn is_dropped(&self, span: Span) -> bool {
        self.dropped.iter().any(|d| d.encloses(span))
    }

    /// A hook that the program defines.
    pub(crate) fn hook(&self, name: &str) -> Option<String> {
        let f = self.facts.tree.function_named(name)?;
        self.facts.tree.functions[f].body.as_ref()?;
        Some(name.to_string())
    }
}
