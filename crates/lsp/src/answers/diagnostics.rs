//! Diagnostics: what `check` says, and the verdicts of violated properties.

use crate::documents::{Subject, Workspace};
use crate::host::{Finding, Where};
use crate::places::uri_of;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
};
use spec::Severity;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The source that diagnostics name.
const SOURCE: &str = "baproduct";

/// The diagnostics of a subject, by file.
pub(crate) fn of(space: &Workspace, subject: &Subject) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    let main = subject.main();
    let known = || subject.checked.all();
    let is_new = |finding: &&Finding| {
        let mut same = known().filter(|k| k.file == finding.file && k.place == finding.place);
        !same.any(|k| k.diagnostic.title == finding.diagnostic.title)
    };
    for finding in known().chain(subject.glanced.iter().filter(is_new)) {
        let file = finding.file.as_ref().or(main);
        if let Some(file) = file.filter(|file| file.is_absolute()) {
            let diagnostic = diagnostic(space, file, finding);
            found.entry(file.clone()).or_default().push(diagnostic);
        }
    }
    if let Some(main) = main {
        found
            .entry(main.clone())
            .or_default()
            .extend(violations(space, subject, main));
    }
    found
}

fn diagnostic(space: &Workspace, file: &Path, finding: &Finding) -> Diagnostic {
    let said = &finding.diagnostic;
    let mut message = said.title.clone();
    let more = said.notes.iter().chain(&said.help);
    for line in said.label.iter().chain(more) {
        message.push('\n');
        message.push_str(line);
    }
    let related = said.secondary.iter().filter_map(|other| {
        let range = space.range(file, &Where::Bytes(other.span.clone()));
        Some(DiagnosticRelatedInformation {
            location: Location::new(uri_of(file)?, range),
            message: other.text.clone(),
        })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: space.range(file, &finding.place),
        severity: Some(match said.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String("check".to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        // Quick fixes are made of it, so that no request reads the message.
        data: said.replacement.clone().map(serde_json::Value::String),
        ..Diagnostic::default()
    }
}

/// The violated properties, each with the run that shows it.
fn violations(space: &Workspace, subject: &Subject, main: &Path) -> Vec<Diagnostic> {
    let Some(document) = space.documents.get(main) else {
        return Vec::new();
    };
    let violated = subject.outcomes.iter().filter(|o| o.violated);
    let mut found = Vec::new();
    for outcome in violated {
        let mut properties = document.properties(main).iter();
        let Some(place) = properties.find(|p| p.name == outcome.property) else {
            continue;
        };
        let steps = outcome.run.iter().filter_map(|step| {
            Some(DiagnosticRelatedInformation {
                location: space.line(&step.file, step.line)?,
                message: step.what.clone(),
            })
        });
        found.push(Diagnostic {
            range: document.text.range(place.formula.clone(), space.encoding),
            severity: Some(DiagnosticSeverity::ERROR),
            code: Some(NumberOrString::String("verify".to_owned())),
            source: Some(SOURCE.to_owned()),
            message: format!("{}: {}", outcome.property, outcome.verdict),
            related_information: Some(steps.collect()),
            ..Diagnostic::default()
        });
    }
    found
}
