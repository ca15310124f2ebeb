//! The selection of properties, and where results are stored.

use std::path::{Path, PathBuf};

use forms::{Cause, Failure};

/// How many properties are verified.
#[derive(clap::Args, Debug, Clone)]
pub struct Options {
    /// Verify only the properties whose names match; `*` and `?` match anything
    #[arg(long, value_name = "NAME", help_heading = "Many properties")]
    pub only: Vec<String>,
    /// The most properties in one run of the model checker [default: as many as the memory limit
    /// suggests]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Many properties"
    )]
    pub group: usize,
    /// Verify at these bounds of loops, one after the other; a property with a definitive verdict is
    /// not verified at greater ones
    #[arg(
        long,
        value_name = "K,K,…",
        value_delimiter = ',',
        conflicts_with = "unwind",
        help_heading = "Many properties"
    )]
    pub bounds: Vec<u32>,
    /// Keep the results in this file, one line of JSON each, as soon as they are known
    #[arg(long, value_name = "FILE.jsonl", help_heading = "Many properties")]
    pub results: Option<PathBuf>,
    /// Continue with the results file of an interrupted run
    #[arg(long, requires = "results", help_heading = "Many properties")]
    pub resume: bool,
}

impl Options {
    /// The same options with results in a directory, unless they name a file.
    pub fn kept_in(&self, directory: &Path) -> Options {
        let own = self.results.is_none();
        Options {
            results: self
                .results
                .clone()
                .or(Some(directory.join("results.jsonl"))),
            resume: self.resume || own,
            ..self.clone()
        }
    }

    /// The properties that `--only` selects from these.
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
