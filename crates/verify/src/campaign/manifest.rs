//! The file that describes a campaign.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A campaign as its author writes it. Relative paths begin at the manifest's directory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What the campaign is called.
    #[serde(default)]
    pub name: Option<String>,
    /// What is verified.
    pub cases: Vec<Case>,
    /// Bounds, for cases without bounds of their own; the specification's if there are none.
    #[serde(default)]
    pub unwind: Vec<u32>,
    /// Model checkers, for cases without some of their own.
    #[serde(default = "cbmc")]
    pub backends: Vec<String>,
    /// More arguments of `verify`, for all cases.
    #[serde(default)]
    pub args: Vec<String>,
    /// How tasks run under Slurm.
    #[serde(default)]
    pub slurm: Slurm,
}

fn cbmc() -> Vec<String> {
    vec!["cbmc".to_owned()]
}

/// One program with one specification.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it is called; the first file if it has no name.
    #[serde(default)]
    pub name: Option<String>,
    /// The C files.
    pub files: Vec<PathBuf>,
    /// The specification.
    #[serde(default)]
    pub spec: Option<PathBuf>,
    /// A formula instead.
    #[serde(default)]
    pub ltl: Option<String>,
    /// Lists of properties.
    #[serde(default)]
    pub properties: Vec<PathBuf>,
    /// Bounds in place of the manifest's.
    #[serde(default)]
    pub unwind: Option<Vec<u32>>,
    /// Model checkers in place of the manifest's.
    #[serde(default)]
    pub backends: Option<Vec<String>>,
    /// Arguments of `verify` beside the manifest's.
    #[serde(default)]
    pub args: Vec<String>,
}

/// How tasks run under Slurm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slurm {
    /// Tasks at a time; no limit if not given.
    #[serde(default)]
    pub tasks_at_a_time: Option<u32>,
    /// Arguments of `sbatch`, such as `--time=60` and `--mem=4G`.
    #[serde(default)]
    pub args: Vec<String>,
}

/// What is wrong with a manifest, and where.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// In words.
    pub message: String,
    /// Line and column, from 1; 0 where it is about the whole.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &str) -> Result<Manifest, Problem> {
        let manifest: Manifest = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let words = message
                .rsplit_once(" at line ")
                .map_or(&*message, |(w, _)| w);
            Problem {
                message: words.to_owned(),
                line: error.line(),
                column: error.column(),
            }
        })?;
        manifest.check().map(|()| manifest)
    }

    fn check(&self) -> Result<(), Problem> {
        let problem = |message: String| {
            Err(Problem {
                message,
                line: 0,
                column: 0,
            })
        };
        if self.cases.is_empty() {
            return problem("`cases` is empty".into());
        }
        for case in &self.cases {
            let name = case.name();
            if case.files.is_empty() {
                return problem(format!("the case `{name}` has no `files`"));
            }
            let formula = case.ltl.is_some();
            if formula && (case.spec.is_some() || !case.properties.is_empty()) {
                return problem(format!(
                    "the case `{name}` has `ltl` beside `spec` or `properties`"
                ));
            }
            if !formula && case.spec.is_none() && case.properties.is_empty() {
                return problem(format!(
                    "the case `{name}` needs one of `spec`, `properties` and `ltl`"
                ));
            }
            let bounds = case.unwind.as_ref().unwrap_or(&self.unwind);
            if bounds.contains(&0) {
                return problem(format!("a bound of the case `{name}` is 0"));
            }
            let backends = case.backends.as_ref().unwrap_or(&self.backends);
            if backends.is_empty() {
                return problem(format!("the case `{name}` has no backend"));
            }
        }
        Ok(())
    }
}

impl Case {
    /// What it is called.
    pub fn name(&self) -> String {
        let file = || self.files.first().map(|f| f.display().to_string());
        self.name.clone().or_else(file).unwrap_or_default()
    }

    /// The files that it reads.
    pub(super) fn inputs(&self, directory: &Path) -> Vec<PathBuf> {
        let files = self.files.iter().chain(&self.spec).chain(&self.properties);
        files.map(|file| directory.join(file)).collect()
    }

    /// The command line of `baproduct` on a backend.
    pub(super) fn arguments(
        &self,
        manifest: &Manifest,
        backend: &str,
        directory: &Path,
    ) -> Vec<String> {
        let path = |path: &PathBuf| directory.join(path).display().to_string();
        let mut arguments = vec!["verify".to_owned()];
        arguments.extend(self.spec.iter().map(path));
        arguments.extend(self.files.iter().map(path));
        for list in &self.properties {
            arguments.extend(["--properties".to_owned(), path(list)]);
        }
        if let Some(formula) = &self.ltl {
            arguments.extend(["--ltl".to_owned(), formula.clone()]);
        }
        arguments.extend(["--backend".to_owned(), backend.to_owned()]);
        let mut bounds = self.unwind.as_ref().unwrap_or(&manifest.unwind).clone();
        bounds.sort_unstable();
        bounds.dedup();
        if !bounds.is_empty() {
            let bounds: Vec<String> = bounds.iter().map(u32::to_string).collect();
            arguments.extend(["--bounds".to_owned(), bounds.join(",")]);
        }
        arguments.extend(manifest.args.iter().chain(&self.args).cloned());
        arguments
    }
}
