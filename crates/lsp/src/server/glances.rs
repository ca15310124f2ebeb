//! Errors in the function that is typed, told before the whole program is read again.

use super::{Event, Server};
use crate::documents::is_c;
use crate::edit::Edit;
use crate::host::{Finding, Host, Job, Where};
use crate::outline::Excerpt;
use crate::text::Text;
use spec::Severity;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// At most one excerpt is read at a time, and the edit that came last waits.
#[derive(Default)]
pub(super) struct Glances {
    running: bool,
    wanted: Option<(PathBuf, Range<usize>)>,
}

/// The errors that an excerpt has.
pub(super) struct Glanced {
    file: PathBuf,
    version: i32,
    findings: Vec<Finding>,
}

impl Server {
    /// Moves what is known of a document with an edit of it, and looks at what was edited.
    pub(super) fn moved(&mut self, path: &Path, old: &Text) {
        let Some(document) = self.space.documents.get(path) else {
            return;
        };
        let Some(edit) = Edit::between(old, &document.text) else {
            return;
        };
        for subject in self.space.subjects.values_mut() {
            subject.moved(&edit, path);
        }
        if is_c(path) {
            self.glances.wanted = Some((path.to_path_buf(), edit.new));
            self.glance();
        }
    }

    /// Reads the excerpt of the edit that waits, beside the conversation.
    fn glance(&mut self) {
        if self.glances.running {
            return;
        }
        let Some((file, edited)) = self.glances.wanted.take() else {
            return;
        };
        let Some(document) = self.space.documents.get(&file) else {
            return;
        };
        let subject = self.space.subjects_of(&file).next();
        let Some((_, subject)) = subject.filter(|(_, s)| s.programs.contains(&file)) else {
            return;
        };
        let version = document.version;
        let mut job = self.space.job(subject);
        job.programs = vec![file.clone()];
        let (host, events) = (Arc::clone(&self.space.host), self.events.clone());
        let work = move || {
            let look = || errors(&*host, job, &file, &edited);
            let findings = catch_unwind(AssertUnwindSafe(look)).unwrap_or_default();
            let _ = events.send(Event::Glanced(Glanced {
                file,
                version,
                findings,
            }));
        };
        let thread = std::thread::Builder::new().stack_size(cfront::WALK_STACK);
        self.glances.running = thread.spawn(work).is_ok();
    }

    /// Publishes the errors of an excerpt, unless the text has changed meanwhile, or the whole program was read. That there
    /// are none is not told: only the whole program can say so.
    pub(super) fn glanced(&mut self, glanced: Glanced) {
        self.glances.running = false;
        let document = self.space.documents.get(&glanced.file);
        let is_current = document.is_some_and(|d| d.version == glanced.version);
        if is_current && !glanced.findings.is_empty() {
            let subjects = self.space.subjects.iter_mut();
            let behind = subjects.filter(|(_, s)| s.has(&glanced.file) && s.is_behind());
            let keys: Vec<PathBuf> = behind
                .map(|(key, subject)| {
                    subject.glanced.clone_from(&glanced.findings);
                    key.clone()
                })
                .collect();
            keys.iter().for_each(|key| self.tell(key));
        }
        self.glance();
    }
}

/// The errors of what was edited in a file; none if it cannot be read alone.
fn errors(host: &dyn Host, mut job: Job, file: &Path, edited: &Range<usize>) -> Vec<Finding> {
    let whole = job.unsaved.get(file).map_or("", String::as_str);
    let Some(excerpt) = Excerpt::around(whole, edited) else {
        return Vec::new();
    };
    let text = Text::new(excerpt.text.clone());
    job.unsaved.insert(file.to_path_buf(), excerpt.text.clone());
    let mut found = host.errors(&job);
    found.retain(|finding| {
        let byte = match &finding.place {
            Where::File => None,
            Where::Bytes(bytes) => Some(bytes.start),
            Where::Line(line, bytes) => text.byte_of(*line as usize, bytes.start),
        };
        finding.diagnostic.severity == Severity::Error
            && finding.file.as_deref() == Some(file)
            && byte.is_some_and(|byte| excerpt.tells(byte))
    });
    found
}
