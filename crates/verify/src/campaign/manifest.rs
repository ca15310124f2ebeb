//! The manifest: the file that describes a campaign.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A campaign as the user writes it. Relative paths start at the manifest's directory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name of the campaign.
    #[serde(default)]
    pub name: Option<String>,
    /// The programs with their specifications.
    pub cases: Vec<Case>,
    /// Bounds for cases without bounds of their own; if empty, the specification's bound.
    #[serde(default)]
    pub unwind: Vec<u32>,
    /// Model checkers for cases that name none.
    #[serde(default = "cbmc")]
    pub backends: Vec<String>,
    /// Further arguments of `verify` for all cases.
    #[serde(default)]
    pub args: Vec<String>,
    /// Settings for Slurm.
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
    /// The name of the case; by default its first file.
    #[serde(default)]
    pub name: Option<String>,
    /// The C files.
    pub files: Vec<PathBuf>,
    /// The specification.
    #[serde(default)]
    pub spec: Option<PathBuf>,
    /// A formula instead of a specification.
    #[serde(default)]
    pub ltl: Option<String>,
    /// Lists of properties.
    #[serde(default)]
    pub properties: Vec<PathBuf>,
    /// Bounds that replace the manifest's.
    #[serde(default)]
    pub unwind: Option<Vec<u32>>,
    /// Model checkers that replace the manifest's.
    #[serde(default)]
    pub backends: Option<Vec<String>>,
    /// Arguments of `verify` in addition to the manifest's.
    #[serde(default)]
    pub args: Vec<String>,
}

/// Settings for running tasks under Slurm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slurm {
    /// How many tasks may run at a time; unlimited by default.
    #[serde(default)]
    pub tasks_at_a_time: Option<u32>,
    /// Arguments of `sbatch`, such as `--time=60` and `--mem=4G`.
    #[serde(default)]
    pub args: Vec<String>,
}

/// An error in a manifest, with its place.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The error in words.
    pub message: String,
    /// Line, from 1; 0 if the error concerns the whole manifest.
    pub line: usize,
    /// Column, from 1; 0 if the error concerns the whole manifest.
    pub column: usize,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// The first error in the text.
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
    /// The name of the case.
    pub fn name(&self) -> String {
        let file = || self.files.first().map(|f| f.display().to_string());
        self.name.clone().or_else(file).unwrap_or_default()
    }

    /// The files that the case reads.
    pub(super) fn inputs(&self, directory: &Path) -> Vec<PathBuf> {
        let files = self.files.iter().chain(&self.spec).chain(&self.properties);
        files.map(|file| directory.join(file)).collect()
    }

    /// The arguments of `baproduct` for this case on a backend.
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
