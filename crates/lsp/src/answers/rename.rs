//! Renaming a label in the program and in its specifications.

use super::look::{label_at, uses};
use super::At;
use crate::cursor::Field;
use crate::documents::{Subject, Workspace};
use crate::host::Where;
use crate::index::Label;
use crate::places::uri_of;
use lsp_types::{Range, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The words of C that cannot be labels.
const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
];

/// The range of the label at the cursor; `None` if there is none.
pub(crate) fn prepare(space: &Workspace, asked: &TextDocumentPositionParams) -> Option<Range> {
    let at = At::of(space, asked)?;
    label(space, &at)?;
    let (name, bytes) = at.name()?;
    let start = bytes.end - name.rsplit("::").next().unwrap_or(name).len();
    Some(at.document.text.range(start..bytes.end, space.encoding))
}

/// The label at the cursor, and the subject whose it is.
fn label<'a>(space: &'a Workspace, at: &At<'a>) -> Option<(&'a Subject, &'a Label)> {
    // The subjects borrow the workspace, not the path of the question.
    let subjects = space.subjects.values().filter(|s| s.has(&at.path));
    for subject in subjects {
        let label = match at.field {
            Field::Label => {
                let (name, _) = at.name()?;
                let index = subject.checked.index.as_ref();
                let mut labels = index.into_iter().flat_map(|index| &index.labels);
                let (function, plain) = match name.split_once("::") {
                    Some((function, plain)) => (Some(function), plain),
                    None => (None, name),
                };
                labels.find(|l| l.name == plain && function.is_none_or(|f| f == l.function))
            }
            Field::Other => label_at(subject, at),
            _ => None,
        };
        if let Some(label) = label {
            return Some((subject, label));
        }
    }
    None
}

/// The edits that give the label at the cursor another name.
///
/// # Errors
/// Why it cannot be renamed.
pub(crate) fn rename(
    space: &Workspace,
    asked: &TextDocumentPositionParams,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let at = At::of(space, asked).ok_or("there is no label here")?;
    let (subject, label) = label(space, &at).ok_or("there is no label here")?;
    if subject.is_behind() {
        return Err("the program has changed and is not read yet: try again".to_owned());
    }
    let mut characters = new.chars();
    let first = characters
        .next()
        .is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    if !first
        || !characters.all(|c| c == '_' || c.is_ascii_alphanumeric())
        || KEYWORDS.contains(&new)
    {
        return Err(format!("`{new}` is not a name that a label of C can have"));
    }
    let index = subject.checked.index.as_ref();
    let mut labels = index.into_iter().flat_map(|index| &index.labels);
    if labels.any(|l| l.function == label.function && l.name == new) {
        return Err(format!("`{}` has a label `{new}` already", label.function));
    }
    let mut edits: BTreeSet<(PathBuf, u32, u32, u32)> = BTreeSet::new();
    let mut add = |file: &Path, range: Range, written: Option<&str>| {
        if written != Some(label.name.as_str()) {
            let name = file.display();
            return Err(format!(
                "line {} of {name} has changed, or a macro makes the label there; try again when the program is checked",
                range.start.line + 1
            ));
        }
        let (start, end) = (range.start, range.end);
        edits.insert((
            file.to_path_buf(),
            start.line,
            start.character,
            end.character,
        ));
        Ok(())
    };
    for place in std::iter::once(&label.place).chain(&label.jumps) {
        let bytes = place.column..place.column + place.length;
        let text = space.text(&place.file);
        let written = text
            .as_ref()
            .and_then(|t| t.line(place.line as usize).get(bytes.clone()));
        add(
            &place.file,
            space.range(&place.file, &Where::Line(place.line, bytes)),
            written,
        )?;
    }
    // All specifications of the program name it, not only the one that is asked from.
    let others = space.subjects.values().filter(|s| s.has(&label.place.file));
    for subject in others {
        for role in uses(space, subject, label) {
            let text = space.text(&role.file);
            let written = text
                .as_ref()
                .and_then(|t| t.as_str().get(role.bytes.clone()));
            let range = space.range(&role.file, &Where::Bytes(role.bytes));
            add(&role.file, range, written)?;
        }
    }
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for (file, line, from, to) in edits {
        let uri = uri_of(&file).ok_or_else(|| format!("{} is not absolute", file.display()))?;
        let at = |character| lsp_types::Position::new(line, character);
        let edit = TextEdit::new(Range::new(at(from), at(to)), new.to_owned());
        changes.entry(uri).or_default().push(edit);
    }
    Ok(WorkspaceEdit::new(changes))
}
