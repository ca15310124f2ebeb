//! The step form of a threaded program, read again as a program without threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use sequentialise::{sequentialise, Options, Sequential};

use super::Program;
use crate::options::{Output, Weaving};
use crate::sources;

/// The step form of a threaded program.
pub struct Stepped {
    /// The step form, as a program without threads.
    pub program: Arc<Program>,
    /// Its threads and positions, whose spans are in the text of [`Stepped::whole`].
    pub made: Sequential,
    /// The threaded program as one file.
    pub whole: cfront::Unit,
    /// The names that a program of several files has instead of those of its text as one file.
    pub renamed: BTreeMap<String, String>,
}

impl Program {
    /// The step form of the program: one loop, each round of which lets a chosen thread take a step
    /// (`docs/semantics.md`, "All schedules, without a bound"). `spec` is the text of the specification,
    /// which tells which static objects keep their names where several files become one. The inner error is
    /// the place that cannot be followed, with the reason.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read.
    pub fn stepped(
        &self,
        spec: &str,
        weaving: &Weaving,
        output: &Output,
    ) -> anyhow::Result<Result<Stepped, String>> {
        let merged = match self.paths.len() {
            0 | 1 => None,
            _ => match self.merged(spec)? {
                Ok(one) => Some(one),
                Err(why) => return Ok(Err(why)),
            },
        };
        let one = merged.as_ref().unwrap_or(self);
        // Weaving has added expressions to the tree of the program, so that it is parsed again.
        let whole = match cfront::Unit::parse(one.source.clone()) {
            Ok(unit) => unit,
            Err(all) => return Ok(Err(said(&one.source, &all))),
        };
        let options = Options {
            spurious_wakeups: weaving.spurious_wakeups,
            steps: true,
            ..Options::default()
        };
        let made = match sequentialise(&whole, &options) {
            Ok(made) => made,
            Err(all) => return Ok(Err(said(&one.source, &all))),
        };
        if let Some(warning) = made.warnings.first() {
            // What rounds only warn about would be an assumption of a proof that nobody reads.
            return Ok(Err(said(&one.source, std::slice::from_ref(warning))));
        }
        let program = self.read_again(&made.text, weaving, output)?;
        Ok(Ok(Stepped {
            program: Arc::new(program),
            made,
            whole,
            renamed: one.renamed.clone(),
        }))
    }

    /// Reads a text that was made of this program, with the same options of the preprocessor.
    fn read_again(
        &self,
        text: &[u8],
        weaving: &Weaving,
        output: &Output,
    ) -> anyhow::Result<Program> {
        let directory = backend::Scratch::new()?;
        let path = directory.path().join("steps.c");
        std::fs::write(&path, text)?;
        let quiet = Output {
            quiet: true,
            ..output.clone()
        };
        let first = self.paths.first().cloned();
        let mut files = sources::list(first.as_slice(), &weaving.preprocessor, &quiet)?;
        for file in &mut files {
            file.path.clone_from(&path);
        }
        let unit = sources::read(&files, &quiet)?;
        Ok(Program::of(unit, first.into_iter().collect()))
    }
}

/// The first diagnostic, with its place.
fn said(source: &cfront::Source, all: &[cfront::Diagnostic]) -> String {
    let Some(first) = all.first() else {
        return String::new();
    };
    let help = first.help.as_ref();
    let help = help.map(|help| format!("; {help}")).unwrap_or_default();
    let place = source.place(first.span);
    match place.file.is_empty() {
        true => format!("{}{help}", first.message),
        false => format!("{}:{}: {}{help}", place.file, place.line, first.message),
    }
}
