//! The answers to questions about a place of a document.

pub(crate) mod actions;
pub(crate) mod complete;
pub(crate) mod diagnostics;
pub(crate) mod look;
pub(crate) mod rename;
pub(crate) mod verdicts;

use crate::cursor::{self, Field};
use crate::documents::{is_c, is_json, Document, Workspace};
use lsp_types::TextDocumentPositionParams;
use std::ops::Range;
use std::path::PathBuf;

use crate::places::path_of;

/// The place that a question is about.
pub(crate) struct At<'a> {
    pub(crate) path: PathBuf,
    pub(crate) document: &'a Document,
    /// The byte.
    pub(crate) offset: usize,
    /// What the text there is for: that of a string, or of a formula in a comment.
    pub(crate) field: Field,
    /// The bytes of this text; those of the whole document in C.
    pub(crate) around: Range<usize>,
}

impl<'a> At<'a> {
    /// The place; `None` if the document is not open.
    pub(crate) fn of(space: &'a Workspace, asked: &TextDocumentPositionParams) -> Option<At<'a>> {
        let path = path_of(&asked.text_document.uri)?;
        let document = space.documents.get(&path)?;
        let offset = document.text.offset(asked.position, space.encoding);
        let text = document.text.as_str();
        let (field, around) = if is_c(&path) {
            match cursor::annotation(text, offset) {
                Some(formula) => (Field::Formula, formula),
                None => (Field::Other, 0..text.len()),
            }
        } else if !is_json(&path) {
            let properties = document.properties(&path);
            let after = properties.partition_point(|p| p.formula.start <= offset);
            let sentence = properties[..after].last().map(|p| p.formula.clone());
            (Field::Sentence, sentence.filter(|s| offset <= s.end)?)
        } else {
            let strings = document.strings();
            let after = strings.partition_point(|s| s.inside.start <= offset);
            let quoted = strings[..after].last().filter(|s| offset <= s.inside.end)?;
            (quoted.field(), quoted.inside.clone())
        };
        Some(At {
            path,
            document,
            offset,
            field,
            around,
        })
    }

    /// The text around.
    pub(crate) fn text(&self) -> &'a str {
        let text = self.document.text.as_str();
        text.get(self.around.clone()).unwrap_or_default()
    }

    /// The name at the cursor, with its bytes in the document.
    pub(crate) fn name(&self) -> Option<(&'a str, Range<usize>)> {
        let inside = cursor::name_at(self.text(), self.offset - self.around.start)?;
        let bytes = self.around.start + inside.start..self.around.start + inside.end;
        Some((&self.text()[inside], bytes))
    }

    /// What the cursor is in, with the C conditions of formulas told apart.
    pub(crate) fn kind(&self) -> Field {
        let at = self.offset - self.around.start;
        match self.field {
            Field::Formula | Field::Sentence if cursor::in_condition(self.text(), at) => {
                Field::Condition
            }
            field => field,
        }
    }
}
