//! A preprocessed text with its line map.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Place};
use crate::file_text::FileText;
use crate::linemap::LineMap;
use crate::span::Span;

/// A preprocessed program text.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The bytes as the preprocessor wrote them; the output is cut from them.
    pub bytes: Vec<u8>,
    /// The same text as UTF-8, with `?` for each byte that is not part of valid UTF-8, so that
    /// offsets are the same.
    pub text: String,
    /// Offsets to places.
    pub lines: LineMap,
    /// Original texts of the user's files by the name that the markers use.
    pub files: HashMap<String, FileText>,
}

impl Source {
    /// Takes a preprocessed text.
    pub fn from_bytes(bytes: Vec<u8>) -> Source {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
        }
        let lines = LineMap::new(&text);
        Source {
            bytes,
            text,
            lines,
            files: HashMap::new(),
        }
    }

    /// The text with that of a further file behind it, whose lines have this name.
    pub fn and_file(self, name: &str, text: String) -> Source {
        let mut bytes = self.bytes;
        bytes.extend_from_slice(format!("\n# 1 \"{name}\"\n").as_bytes());
        bytes.extend_from_slice(text.as_bytes());
        let mut files = self.files;
        files.insert(name.to_owned(), text.into());
        Source {
            files,
            ..Source::from_bytes(bytes)
        }
    }

    /// A message with the file and the line that it is about, on one line.
    pub fn told(&self, diagnostic: &Diagnostic) -> String {
        let place = self.place(diagnostic.span);
        format!("{}:{}: {}", place.file, place.line, diagnostic.message)
    }

    /// Concatenates the texts of several files; returns the range of each.
    pub fn concat(sources: Vec<Source>) -> (Source, Vec<Span>) {
        let mut rest = sources.into_iter();
        let mut whole = rest.next().unwrap_or_default();
        let mut parts = vec![Span::new(0, whole.text.len())];
        if rest.len() == 0 {
            return (whole, parts);
        }
        for source in rest {
            if !whole.text.is_empty() && !whole.text.ends_with('\n') {
                whole.text.push('\n');
                whole.bytes.push(b'\n');
            }
            let start = whole.text.len();
            whole.text.push_str(&source.text);
            whole.bytes.extend_from_slice(&source.bytes);
            whole.files.extend(source.files);
            parts.push(Span::new(start, whole.text.len()));
        }
        whole.lines = LineMap::new(&whole.text);
        (whole, parts)
    }

    /// The place of a span.
    pub fn place(&self, span: Span) -> Place {
        self.lines.place(&self.text, span, &self.files)
    }

    /// Adds the place to a diagnostic.
    pub fn resolve(&self, diagnostic: Diagnostic) -> Diagnostic {
        self.lines.resolve(&self.text, &self.files, diagnostic)
    }
}
