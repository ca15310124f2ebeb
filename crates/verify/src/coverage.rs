//! Which lines and sites of the program the explored runs reach: it explains surprising verdicts.

use std::path::Path;
use std::time::Duration;

use backend::{Failure, Job, Lines, Scratch};
use weave::record::{Record, SiteEvent};

use crate::result::{Coverage, CoveredFile, VerifyResult};
use crate::rewritten::{self, Reading};
use crate::run::{Run, Verification};
use crate::{bounds, lines};

/// The least time limit of the question; otherwise it has as long as the verdicts took.
const LEAST: Duration = Duration::from_secs(10);

/// Asks which lines of a woven program some run within the bounds reaches, and adds the answer to
/// the result. If there is no answer, the reason becomes a warning.
pub fn cover(of: &Verification, result: &mut VerifyResult) {
    let run = Run::new(of);
    let mut job = run.job(0);
    let known = Duration::try_from_secs_f64(result.backend.seconds).unwrap_or_default();
    job.timeout = [job.timeout, Some(known.max(LEAST))]
        .into_iter()
        .flatten()
        .min();
    result.backend.runs += 1;
    let by_rounds = of.record.threads && of.options.rounds.is_some();
    let tells = by_rounds || of.backend.capabilities().coverage;
    let found = match tells {
        true => of.backend.coverage(&job, of.cancel),
        false => asked(&run, &job),
    };
    match found {
        Ok(found) => result.coverage = Some(told(of.record, &found)),
        Err(backend::Failure::Undecided { message }) => result.warnings.push(format!(
            "which lines the explored runs reach is not known: {} has no answer: {message}",
            result.backend.name
        )),
        Err(why) => result.warnings.push(format!(
            "which lines the explored runs reach is not known: {why}"
        )),
    }
}

/// Asks for each line by an assertion, for model checkers that do not report coverage themselves.
fn asked(run: &Run, job: &Job) -> Result<backend::Coverage, Failure> {
    let refused = |message: String| Failure::Refused { message };
    let directory = Scratch::new().map_err(|e| refused(e.to_string()))?;
    let dialect = run.backend.dialect(&job.infix);
    let how = Reading {
        defines: &job.defines,
        std: job.dialect.as_deref(),
        model: run.record.model,
        dialect: &dialect,
    };
    let mut asked = Lines::default();
    let mut file = |source: &Path| {
        let unit = rewritten::read(source, &how)?;
        let edits = lines::questions(&unit, &dialect, &mut asked).ok()?;
        rewritten::write(&unit, &edits, source, directory.path())
    };
    let unread = |source: &Path| refused(format!("{} cannot be read again", source.display()));
    let mut with = job.clone();
    with.source = file(&job.source).ok_or_else(|| unread(&job.source))?;
    for linked in &mut with.linked {
        *linked = file(linked).ok_or_else(|| unread(linked))?;
    }
    let finished = bounds::ask(run, with, run.cancel);
    asked.told(&finished.result?)
}

fn told(record: &Record, found: &backend::Coverage) -> Coverage {
    let own = |file: &&String| !file.starts_with('<') && !file.starts_with("/usr/");
    let mut names: Vec<&String> = found.files.keys().filter(own).collect();
    names.sort();
    let file = |name: &String| {
        let lines = || found.files.get(name).into_iter().flatten();
        let of = |reached: bool| lines().filter(move |l| *l.1 == reached).map(|l| *l.0);
        CoveredFile {
            file: name.clone(),
            reached: of(true).collect(),
            never: of(false).collect(),
        }
    };
    let is_idle = |file: &str, line: u32| {
        let lines = found.files.get(file);
        lines.and_then(|l| l.get(&line)) == Some(&false)
    };
    let shown = [
        SiteEvent::Write,
        SiteEvent::Enter,
        SiteEvent::Leave,
        SiteEvent::Sample,
        SiteEvent::Reach,
    ];
    let sites = record.sites.iter();
    let idle = sites.filter(|s| shown.contains(&s.event) && is_idle(&s.file, s.line));
    let mut idle: Vec<String> = idle
        .map(|s| format!("{}:{}: {} `{}`", s.file, s.line, s.event.name(), s.what))
        .collect();
    idle.sort();
    idle.dedup();
    Coverage {
        files: names.into_iter().map(file).collect(),
        idle,
    }
}
