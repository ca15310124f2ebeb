//! The selection of properties, and where results are stored.

use std::path::{Path, PathBuf};

use forms::{Cause, Failure};

/// Which properties are asked at which bounds, and where results are stored.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Patterns of names, in which `*` and `?` match anything; all properties if there is none.
    pub only: Vec<String>,
    /// The most properties in one run of the model checker; 0 for as many as the memory limit suggests.
    pub group: usize,
    /// The bounds of loops, one after the other; a property with a definitive verdict is not verified at greater ones.
    pub bounds: Vec<u32>,
    /// The file of results, one line of JSON each.
    pub results: Option<PathBuf>,
    /// Whether the file of an interrupted run is continued.
    pub resume: bool,
}

impl Selection {
    /// The same with results in a directory, unless a file is named.
    #[must_use]
    pub fn kept_in(&self, directory: &Path) -> Selection {
        let own = self.results.is_none();
        Selection {
            results: self
                .results
                .clone()
                .or(Some(directory.join("results.jsonl"))),
            resume: self.resume || own,
            ..self.clone()
        }
    }

    /// The properties that are selected from these.
    ///
    /// # Errors
    /// If a pattern matches no name (wrong usage).
    pub fn named(&self, names: &[String]) -> anyhow::Result<Vec<String>> {
        let matches = |pattern: &String, name: &String| spec::matches_glob(pattern, name);
        let unknown = |pattern: &&String| !names.iter().any(|name| matches(pattern, name));
        if let Some(none) = self.only.iter().find(unknown) {
            let message = format!("--only: no property is called `{none}`");
            return Err(Failure::error(Cause::Usage, message));
        }
        let wanted = |name: &&String| {
            self.only.is_empty() || self.only.iter().any(|pattern| matches(pattern, name))
        };
        Ok(names.iter().filter(wanted).cloned().collect())
    }
}
