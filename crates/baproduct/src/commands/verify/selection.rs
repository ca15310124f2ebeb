//! The options about many properties.

use std::path::PathBuf;

use question::Selection;

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
    /// The selection.
    pub fn selection(&self) -> Selection {
        Selection {
            only: self.only.clone(),
            group: self.group,
            bounds: self.bounds.clone(),
            results: self.results.clone(),
            resume: self.resume,
        }
    }
}
