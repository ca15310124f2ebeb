//! Diagnostics that are collected for an editor instead of printed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lsp::{Finding, Where};
use spec::Diagnostic;

/// A list of diagnostics, to which all that share it add.
#[derive(Clone, Debug, Default)]
pub struct Collected(Arc<Mutex<Vec<Finding>>>);

impl Collected {
    /// Adds a diagnostic about a place of the source that it names.
    pub fn add(&self, diagnostic: Diagnostic, place: Where) {
        let file = Some(&diagnostic.source).filter(|name| !name.is_empty());
        let finding = Finding {
            file: file.map(PathBuf::from),
            place,
            diagnostic,
        };
        self.all().push(finding);
    }

    /// Adds a finding that was taken before.
    pub fn put(&self, finding: Finding) {
        self.all().push(finding);
    }

    /// Takes the diagnostics.
    pub fn take(&self) -> Vec<Finding> {
        std::mem::take(&mut *self.all())
    }

    fn all(&self) -> std::sync::MutexGuard<'_, Vec<Finding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
