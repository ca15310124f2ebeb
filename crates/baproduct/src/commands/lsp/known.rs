//! The program that was read last: typing in a specification does not change it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use ::lsp::{Finding, Index, Job};
use forms::{entries, Program};

use crate::collected::Collected;
use crate::options::Output;

/// What a program is read from, but for files on the disk.
#[derive(PartialEq)]
pub(super) struct Key {
    programs: Vec<PathBuf>,
    arguments: Vec<String>,
    /// The texts of open documents, without the specification.
    unsaved: BTreeMap<PathBuf, String>,
    /// The functions that a specification names.
    entries: Option<entries::Asked>,
}

impl Key {
    pub(super) fn of(job: &Job, weaving: &forms::Weaving) -> Key {
        let mut unsaved = job.unsaved.clone();
        for file in job.spec.iter().chain(&job.requirements) {
            unsaved.remove(file);
        }
        Key {
            programs: job.programs.clone(),
            arguments: job.arguments.clone(),
            unsaved,
            entries: weaving.machine.entries.clone(),
        }
    }
}

/// When a file was changed, and its size; `None` if it is not there.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(file: &PathBuf) -> Stamp {
    let about = std::fs::metadata(file).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// A program that was read, with what was told then.
pub(super) struct Known {
    key: Key,
    stamps: Vec<(PathBuf, Stamp)>,
    pub(super) program: Program,
    pub(super) index: Index,
    pub(super) findings: Vec<Finding>,
}

impl Known {
    /// Reads a program. If it is refused, the reasons are among the findings.
    pub(super) fn read(
        key: Key,
        weaving: &forms::Weaving,
        output: &Output,
    ) -> (anyhow::Result<Known>, Vec<Finding>) {
        let collected = Collected::default();
        let output = Output {
            collected: Some(collected.clone()),
            ..output.clone()
        };
        let program = Program::read(&key.programs, weaving, &output);
        let findings = collected.take();
        let known = program.and_then(|program| {
            let index = program.with_unit(|unit, _| Index::of(unit))?;
            let files = program.read_from().into_iter();
            Ok(Known {
                stamps: files.map(|file| (file.clone(), stamp(&file))).collect(),
                key,
                program,
                index,
                findings: findings.clone(),
            })
        });
        (known, findings)
    }

    /// Whether it is what would be read now. A header that is new in a directory of the search path is not noticed.
    pub(super) fn is_current(&self, key: &Key) -> bool {
        self.key == *key && self.stamps.iter().all(|(file, was)| stamp(file) == *was)
    }
}
