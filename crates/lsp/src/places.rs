//! From paths and bytes to URIs and ranges of the protocol.

use crate::documents::Workspace;
use crate::host::Where;
use crate::index::Place;
use lsp_types::{Location, Position, Range, Url};
use std::path::{Path, PathBuf};

/// The path of a document; `None` if it is no file.
pub(crate) fn path_of(uri: &Url) -> Option<PathBuf> {
    (uri.scheme() == "file")
        .then(|| uri.to_file_path().ok())
        .flatten()
}

/// The URI of a file; `None` if its path is not absolute.
pub(crate) fn uri_of(path: &Path) -> Option<Url> {
    Url::from_file_path(path).ok()
}

impl Workspace {
    /// The range of a place in a file; the beginning of the file if it cannot be read.
    pub(crate) fn range(&self, path: &Path, place: &Where) -> Range {
        let Some(text) = self.text(path) else {
            return Range::default();
        };
        match place {
            Where::File => {
                let end = text.column(0, usize::MAX, self.encoding);
                Range::new(Position::new(0, 0), end)
            }
            Where::Bytes(bytes) => text.range(bytes.clone(), self.encoding),
            Where::Line(line, bytes) => {
                let at = |byte| text.column(*line as usize, byte, self.encoding);
                Range::new(at(bytes.start), at(bytes.end))
            }
        }
    }

    /// The location of a name of the program.
    pub(crate) fn location(&self, place: &Place) -> Option<Location> {
        let bytes = place.column..place.column + place.length;
        let range = self.range(&place.file, &Where::Line(place.line, bytes));
        Some(Location::new(uri_of(&place.file)?, range))
    }

    /// The location of a whole line.
    pub(crate) fn line(&self, path: &Path, line: u32) -> Option<Location> {
        let text = self.text(path)?;
        let content = text.line(line as usize);
        let blank = content.len() - content.trim_start().len();
        let range = self.range(path, &Where::Line(line, blank..content.len()));
        Some(Location::new(uri_of(path)?, range))
    }
}
