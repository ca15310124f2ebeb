//! Who hears what is to be said of a program and a specification.

use std::any::Any;
use std::fmt;

use cfront::diag::Place;
use spec::{Diagnostic, Sources};

/// Hears what is found while programs and specifications are read and woven.
pub trait Listener: Sync {
    /// A diagnostic about a place of the program, or about no place of it.
    fn program(&self, diagnostic: Diagnostic, place: Option<&Place>);

    /// A diagnostic about a place of a specification or its lists of properties.
    fn specification(&self, diagnostic: &Diagnostic, sources: &Sources);

    /// A remark that is no error.
    fn note(&self, remark: fmt::Arguments);

    /// The warnings of a preprocessor.
    fn warning(&self, messages: &str);

    /// The messages of a preprocessor that refuses a file. Returns whether they were heard; else they are part of the failure.
    fn preprocessor(&self, _messages: &str) -> bool {
        false
    }

    /// Files are read as long as the result lives.
    fn reading(&self, _files: &str) -> Box<dyn Any> {
        Box::new(())
    }
}
