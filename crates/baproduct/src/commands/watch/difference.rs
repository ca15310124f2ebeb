//! The text that `watch` shows after each verification: the verdicts, and which of them have
//! changed.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use verify::result::{Event, PropertyResult};

/// The lines that are shown.
#[derive(Default)]
pub struct Told(String);

impl Told {
    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Appends the verdicts. Without earlier results, all are listed under a heading with the
    /// watched files; else a star marks each changed verdict, with the old and the new one.
    pub fn results<'a>(
        &mut self,
        before: Option<&[PropertyResult]>,
        now: &[PropertyResult],
        watched: impl Iterator<Item = &'a Path>,
    ) {
        let Some(before) = before else {
            let files: Vec<String> = watched.map(|p| p.display().to_string()).collect();
            let _ = writeln!(self.0, "watching {}; Ctrl-C ends\n", files.join(", "));
            for property in now {
                let _ = writeln!(
                    self.0,
                    "  {}: {}{}",
                    property.asked.name,
                    verdict(property),
                    place(property)
                );
            }
            return;
        };
        let mut changes = 0;
        for property in now {
            let old = before
                .iter()
                .find(|old| old.asked.name == property.asked.name);
            let name = &property.asked.name;
            let new = verdict(property);
            let line = match old.map(verdict) {
                None => format!("+ {name}: {new}{}", place(property)),
                Some(old) if old != new => format!("* {name}: {old} → {new}{}", place(property)),
                Some(_) => format!("  {name}: {new}"),
            };
            changes += usize::from(!line.starts_with(' '));
            let _ = writeln!(self.0, "{line}");
        }
        let gone = before
            .iter()
            .filter(|old| now.iter().all(|new| new.asked.name != old.asked.name));
        for old in gone {
            changes += 1;
            let _ = writeln!(self.0, "- {}: {}", old.asked.name, verdict(old));
        }
        if changes == 0 {
            let _ = writeln!(self.0, "no verdict has changed");
        }
    }

    /// Appends a line that says that a verification ended without a result. `known`: whether
    /// verdicts of an earlier verification were shown.
    pub fn failed(&mut self, status: u8, known: bool) {
        let kept = match known {
            true => "; the last verdicts are those of before",
            false => "",
        };
        let _ = writeln!(
            self.0,
            "not verified (status {status}){kept}; waiting for the next save"
        );
    }
}

/// A heading that names the saved files.
pub fn saved(files: &[PathBuf]) -> String {
    let names: Vec<String> = files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let was = if names.len() == 1 { "was" } else { "were" };
    format!("\n{} {was} saved\n", names.join(", "))
}

fn verdict(property: &PropertyResult) -> String {
    let mut text = format!(
        "{} {}",
        property.answer.verdict.symbol(),
        property.answer.verdict.words()
    );
    if property.answer.holds != verify::result::Holds::Unknown {
        let _ = write!(text, ", {}", property.answer.holds.name());
    }
    text
}

/// The place of the last step of the counterexample, or the reason why the verdict is unknown.
fn place(property: &PropertyResult) -> String {
    if let Some(reason) = property
        .answer
        .reason
        .as_ref()
        .filter(|_| property.run.trace.is_empty())
    {
        return format!(" ({reason})");
    }
    let placed = property
        .run
        .trace
        .iter()
        .rev()
        .find(|step| step.line > 0 && !step.what.is_empty() && step.event != Event::End);
    match placed.filter(|_| property.answer.verdict.is_violation()) {
        Some(step) => format!(
            "; the run ends at {}:{} {}",
            step.file, step.line, step.what
        ),
        None => String::new(),
    }
}
