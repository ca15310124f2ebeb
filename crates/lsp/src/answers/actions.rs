//! Quick fixes: what `check` proposes instead of what is written.

use crate::documents::Workspace;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, TextEdit, WorkspaceEdit,
};
use std::collections::HashMap;

/// The fixes of the diagnostics in a range.
pub(crate) fn fixes(space: &Workspace, asked: &CodeActionParams) -> CodeActionResponse {
    let Some(path) = crate::places::path_of(&asked.text_document.uri) else {
        return Vec::new();
    };
    let subjects = space.subjects_of(&path);
    let all = subjects.flat_map(|(_, subject)| {
        let mut of = super::diagnostics::of(space, subject);
        of.remove(&path).unwrap_or_default()
    });
    let (start, end) = (asked.range.start, asked.range.end);
    let here = all.filter(|d| d.range.start <= end && start <= d.range.end);
    let wanted = asked.context.only.as_ref().is_none_or(|only| {
        only.contains(&CodeActionKind::QUICKFIX) || only.contains(&CodeActionKind::EMPTY)
    });
    let fixes = here.filter(|_| wanted).filter_map(|diagnostic| {
        let new = diagnostic.data.as_ref()?.as_str()?.to_owned();
        let edit = TextEdit::new(diagnostic.range, new.clone());
        let changes = HashMap::from([(asked.text_document.uri.clone(), vec![edit])]);
        Some(CodeAction {
            title: format!("Replace by `{new}`"),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(WorkspaceEdit::new(changes)),
            is_preferred: Some(true),
            ..CodeAction::default()
        })
    });
    fixes.map(Into::into).collect()
}
