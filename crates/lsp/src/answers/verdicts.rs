//! The lens "verify" at each property, and the verdicts beside the formulas.

use crate::documents::{PropertyPlace, Workspace};
use crate::host::Outcome;
use crate::places::path_of;
use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel, InlayHintTooltip, Url};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The command that verifies a property: its arguments are the URI of the document and the name.
pub(crate) const VERIFY: &str = "baproduct.verify";

fn properties<'a>(space: &'a Workspace, path: &'a Path) -> &'a [PropertyPlace] {
    let known = space.subjects.contains_key(path);
    match space.documents.get(path).filter(|_| known) {
        Some(document) => document.properties(path),
        None => &[],
    }
}

/// A lens at each property of a document.
pub(crate) fn lenses(space: &Workspace, uri: &Url) -> Vec<CodeLens> {
    let Some((path, document)) = open(space, uri) else {
        return Vec::new();
    };
    let lens = |property: &PropertyPlace| CodeLens {
        range: document
            .text
            .range(property.formula.clone(), space.encoding),
        command: Some(Command::new(
            format!("verify {}", property.name),
            VERIFY.to_owned(),
            Some(vec![json!(uri), json!(property.name)]),
        )),
        data: None,
    };
    properties(space, &path).iter().map(lens).collect()
}

fn open<'a>(space: &'a Workspace, uri: &Url) -> Option<(PathBuf, &'a crate::documents::Document)> {
    let path = path_of(uri)?;
    let document = space.documents.get(&path)?;
    Some((path, document))
}

/// The verdicts of a document, each behind its formula.
pub(crate) fn hints(space: &Workspace, uri: &Url) -> Vec<InlayHint> {
    let Some((path, document)) = open(space, uri) else {
        return Vec::new();
    };
    let outcomes = space.subjects.get(&path).map(|s| s.outcomes.as_slice());
    let hint = |outcome: &Outcome| {
        let mut all = properties(space, &path).iter();
        let property = all.find(|p| p.name == outcome.property)?;
        Some(InlayHint {
            position: document.text.position(property.formula.end, space.encoding),
            label: InlayHintLabel::String(outcome.verdict.clone()),
            kind: None,
            text_edits: None,
            tooltip: outcome.reason.clone().map(InlayHintTooltip::String),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    outcomes
        .unwrap_or_default()
        .iter()
        .filter_map(hint)
        .collect()
}
