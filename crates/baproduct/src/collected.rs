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

    /// Adds the errors of a preprocessor, `FILE:LINE:COLUMN: error: TEXT`, with their places; returns whether there is one.
    pub fn preprocessor(&self, messages: &str) -> bool {
        let mut found = false;
        for line in messages.lines() {
            let Some((place, text)) = line
                .split_once(": fatal error: ")
                .or_else(|| line.split_once(": error: "))
            else {
                continue;
            };
            let mut parts = place.rsplitn(3, ':');
            let mut number = || parts.next().and_then(|p| p.parse::<u32>().ok());
            let (column, line) = (number(), number());
            let (Some(column), Some(line), Some(file)) = (column, line, parts.next()) else {
                continue;
            };
            let start = (column as usize).saturating_sub(1);
            let diagnostic = Diagnostic::error(text, 0..0).in_source(file);
            self.add(
                diagnostic,
                Where::Line(line.saturating_sub(1), start..usize::MAX),
            );
            found = true;
        }
        found
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
