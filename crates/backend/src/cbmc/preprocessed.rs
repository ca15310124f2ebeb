//! The program's text as CBMC gets it: preprocessed, with only the declarations of headers that it uses.

use super::declarations;
use crate::job::Job;
use crate::machine::Machine;
use crate::process::{self, Cancel, End, Invocation, Limits};
use crate::scratch::Scratch;
use crate::session::Session;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest time that the preprocessor may take; CBMC does its work itself, then.
const LONGEST: Duration = Duration::from_secs(20);

/// Has the compiler preprocess the files of a job, in the words in which CBMC would ask it, and gives CBMC these texts. CBMC does it
/// itself for other machines than this one's 64-bit model, with options that may concern the preprocessor, and for what the
/// compiler refuses, which CBMC then reports.
pub(super) fn stand_in(session: &mut Session, compiler: &str) {
    if let Some((files, directory)) = texts(session.job, compiler, session.cancel) {
        session.stand_in(files, directory);
    }
}

/// Each file of a job and its text, in a directory.
type Texts = (Vec<(PathBuf, PathBuf)>, Scratch);

fn texts(job: &Job, compiler: &str, cancel: &Cancel) -> Option<Texts> {
    if job.machine != Machine::LP64 || job.machine.not_native().is_some() {
        return None;
    }
    // Options of CBMC itself are long ones; dialects are among them.
    let plain = |argument: &String| argument.starts_with("--") && !argument.starts_with("--c");
    let mut options = job.extra_args.iter().filter(|a| a.starts_with('-'));
    if !options.all(plain) {
        return None;
    }
    let directory = Scratch::new().ok()?;
    let mut files = Vec::new();
    for (number, file) in job.source_arguments().enumerate() {
        let text = preprocessed(&file, job, compiler, cancel)?;
        let name = file.file_name()?.to_string_lossy();
        let path = directory.path().join(format!("{number}-{name}.i"));
        std::fs::write(&path, declarations::used(&text)).ok()?;
        files.push((file, path));
    }
    Some((files, directory))
}

fn preprocessed(file: &Path, job: &Job, compiler: &str, cancel: &Cancel) -> Option<String> {
    let mut invocation = Invocation::new(compiler);
    invocation.args(["-E", "-D__CPROVER__", "-std=gnu11"]);
    invocation.args(job.define_arguments()).arg(file);
    let longest = job.timeout.map_or(LONGEST, |limit| limit.min(LONGEST));
    invocation.limits = Limits {
        timeout: Some(longest),
        memory_mib: job.memory_mib,
        ..Limits::default()
    };
    let ran = process::run(&invocation, cancel, |out| {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let ran = ran.ok()?;
    match ran.end {
        End::Exited(status) if status.success() => ran.value.ok(),
        _ => None,
    }
}
