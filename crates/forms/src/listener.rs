//! Who hears what is to be said of a program and a specification, and how work on them goes on.

use std::fmt;

use cfront::diag::Place;
use spec::{Diagnostic, Severity, Sources};

/// Hears what is found, and what is done.
pub trait Listener: Sync {
    /// A diagnostic about a place of the program, or about no place of it.
    fn program(&self, diagnostic: Diagnostic, place: Option<&Place>);

    /// A diagnostic about a place of a specification or its lists of properties.
    fn specification(&self, diagnostic: &Diagnostic, sources: &Sources);

    /// A remark about the question, which is no error.
    fn note(&self, remark: fmt::Arguments);

    /// What is known meanwhile, or what another program says.
    fn tell(&self, line: fmt::Arguments);

    /// The messages of a preprocessor that refuses a file. Returns whether they were heard; else they are part of the failure.
    fn preprocessor(&self, _messages: &str) -> bool {
        false
    }

    /// A detail of the work, for those who want to know.
    fn detail(&self, _line: fmt::Arguments) {}

    /// Files are read as long as the result lives.
    fn reading(&self, _files: &str) -> Box<dyn Work> {
        Box::new(())
    }

    /// An answer about so many properties is searched as long as the result lives.
    fn searching(&self, _properties: usize) -> Box<dyn Work> {
        Box::new(())
    }
}

/// Work that goes on.
pub trait Work: Send + Sync {
    /// What is done now.
    fn doing(&self, _what: &str) {}

    /// How many properties are left.
    fn left(&self, _properties: usize) {}
}

impl Work for () {}

/// Passes on errors and details alone.
#[derive(Clone, Copy)]
pub struct Quiet<'a>(pub &'a dyn Listener);

impl Listener for Quiet<'_> {
    fn program(&self, diagnostic: Diagnostic, place: Option<&Place>) {
        if diagnostic.severity == Severity::Error {
            self.0.program(diagnostic, place);
        }
    }

    fn specification(&self, diagnostic: &Diagnostic, sources: &Sources) {
        if diagnostic.severity == Severity::Error {
            self.0.specification(diagnostic, sources);
        }
    }

    fn note(&self, _remark: fmt::Arguments) {}

    fn tell(&self, _line: fmt::Arguments) {}

    fn detail(&self, line: fmt::Arguments) {
        self.0.detail(line);
    }

    fn preprocessor(&self, messages: &str) -> bool {
        self.0.preprocessor(messages)
    }
}
