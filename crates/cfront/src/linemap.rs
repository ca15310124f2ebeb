//! Maps offsets of the preprocessed text to files, lines and columns that the user knows.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Place};
use crate::file_text::FileText;
use crate::span::{Offset, Span};

/// A stretch of lines between two line markers.
#[derive(Clone, Debug)]
struct Region {
    start: Offset,
    /// Index of the region's first line among the lines of the text.
    first_line: usize,
    file: usize,
    line: u32,
    kind: RegionKind,
    /// Whether the text is of a system header, or of a header with `#pragma GCC system_header`.
    quiet: bool,
}

/// The origin of a stretch of the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RegionKind {
    /// The user's files, and headers that are not in a system directory.
    User,
    /// Headers from the system's directories (`-isystem` included).
    System,
    /// Macros that the compiler or the command line defines.
    Builtin,
}

/// The contents of a line marker (`# 12 "file.c" 1 3`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The line of the file that follows.
    pub line: u32,
    /// The file.
    pub file: String,
    /// Whether an included file begins.
    pub enter: bool,
    /// Whether an included file has ended.
    pub leave: bool,
    /// Whether the text is that of a header of the system.
    pub system: bool,
}

/// The map of a text's offsets to places.
#[derive(Clone, Debug, Default)]
pub struct LineMap {
    files: Vec<String>,
    regions: Vec<Region>,
    line_starts: Vec<Offset>,
}

impl LineMap {
    /// Reads the line markers of a text.
    pub fn new(text: &str) -> LineMap {
        let mut map = LineMap::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut stack = vec![false];
        let mut start = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            map.line_starts.push(start);
            start += line.len();
            let Some(marker) = parse_marker(line) else {
                continue;
            };
            if marker.enter {
                stack.push(marker.system);
            } else if marker.leave && stack.len() > 1 {
                stack.pop();
            }
            // Text of no file, such as an inserted one, is not of the header that it stands in.
            let of_file = !marker.file.starts_with('<');
            let system = of_file && stack.last().copied().unwrap_or(false);
            let builtin = marker.file == "<built-in>" || marker.file == "<command-line>";
            let kind = match (builtin, system) {
                (true, _) => RegionKind::Builtin,
                (false, true) => RegionKind::System,
                (false, false) => RegionKind::User,
            };
            let file = *known.entry(marker.file.clone()).or_insert_with(|| {
                map.files.push(marker.file);
                map.files.len() - 1
            });
            map.regions.push(Region {
                start,
                first_line: index + 1,
                file,
                line: marker.line,
                kind,
                quiet: system || marker.system,
            });
        }
        map
    }

    /// The files that the markers name, in order of appearance.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// The files with the kind of each one's first region.
    pub fn files_with_kinds(&self) -> impl Iterator<Item = (&str, RegionKind)> {
        let mut kinds = vec![None; self.files.len()];
        for region in &self.regions {
            kinds[region.file].get_or_insert(region.kind);
        }
        let named = self.files.iter().map(String::as_str).zip(kinds);
        named.map(|(name, kind)| (name, kind.unwrap_or(RegionKind::User)))
    }

    fn region(&self, offset: Offset) -> Option<&Region> {
        let after = self.regions.partition_point(|r| r.start <= offset);
        after.checked_sub(1).map(|i| &self.regions[i])
    }

    fn line_index(&self, offset: Offset) -> usize {
        self.line_starts
            .partition_point(|&s| s <= offset)
            .saturating_sub(1)
    }

    /// The origin of the text at an offset; without any marker the text is the user's.
    pub fn kind(&self, offset: Offset) -> RegionKind {
        self.region(offset).map_or(RegionKind::User, |r| r.kind)
    }

    /// Whether compilers do not warn of the text at an offset.
    pub(crate) fn is_quiet(&self, offset: Offset) -> bool {
        self.region(offset).is_some_and(|r| r.quiet)
    }

    /// File and line (from 1) of an offset. Without markers the file is empty.
    pub fn line(&self, offset: Offset) -> (&str, u32) {
        let index = self.line_index(offset);
        match self.region(offset) {
            Some(r) => {
                let line = r.line as usize + index.saturating_sub(r.first_line);
                (&self.files[r.file], line as u32)
            }
            None => ("", index as u32 + 1),
        }
    }

    /// The range of the preprocessed line that holds an offset, without its line end.
    pub fn line_span(&self, text: &str, offset: Offset) -> Span {
        let start = self
            .line_starts
            .get(self.line_index(offset))
            .copied()
            .unwrap_or(0);
        let rest = text.get(start..).unwrap_or("");
        let end = start + rest.find('\n').unwrap_or(rest.len());
        Span::new(start, end)
    }

    /// The place of a span with the text of its line. The text is from `files` (name to content) if
    /// they have the file and that line contains the text of the span, else from the preprocessed
    /// text.
    pub fn place(&self, text: &str, span: Span, files: &HashMap<String, FileText>) -> Place {
        let (file, line) = self.line(span.start);
        let line_span = self.line_span(text, span.start);
        let column = span.start.saturating_sub(line_span.start);
        let wanted = first_line(span.of(text));
        let original = files
            .get(file)
            .and_then(|content| content.line(line.max(1)));
        let (shown, at, len) = match original {
            Some(original) => {
                let (at, len) = locate(original, wanted, column);
                (original, at, len)
            }
            None => (line_span.of(text), column, wanted.len()),
        };
        let (shown, start) = clip(shown, at);
        let len = len.min(shown.len() - (at - start));
        Place {
            file: file.to_string(),
            line,
            column: at as u32 + 1,
            text: shown.to_string(),
            underline: (at - start, at - start + len),
            text_is_original: original.is_some(),
        }
    }

    /// Adds the place to a diagnostic.
    pub fn resolve(
        &self,
        text: &str,
        files: &HashMap<String, FileText>,
        mut diagnostic: Diagnostic,
    ) -> Diagnostic {
        diagnostic.place = Some(Box::new(self.place(text, diagnostic.span, files)));
        diagnostic
    }
}

/// A part of a very long line around an offset, and the offset where the part begins.
fn clip(line: &str, at: usize) -> (&str, usize) {
    const AROUND: usize = 120;
    let boundary = |mut i: usize| {
        while !line.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    if line.len() <= 2 * AROUND {
        return (line, 0);
    }
    let start = boundary(at.min(line.len()).saturating_sub(AROUND));
    let end = boundary((at + AROUND).min(line.len()));
    (&line[start..end], start)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("").trim_end()
}

/// Finds the text of a span in the original line: the occurrence nearest to its column after
/// preprocessing, else its first word, else the first character that is not blank.
fn locate(line: &str, wanted: &str, column: usize) -> (usize, usize) {
    let word_len = wanted
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|&n| n > 0)
        .unwrap_or(wanted.len());
    for needle in [wanted, wanted.get(..word_len).unwrap_or("")] {
        if needle.is_empty() {
            continue;
        }
        let nearest = line
            .match_indices(needle)
            .map(|(at, _)| at)
            .filter(|&at| is_whole_word(line, at, needle))
            .min_by_key(|&at| at.abs_diff(column));
        if let Some(at) = nearest {
            return (at, needle.len());
        }
    }
    let blank = line.len() - line.trim_start().len();
    (blank, line.trim().len())
}

fn is_whole_word(line: &str, at: usize, needle: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let before = word(line[..at].chars().next_back()) && word(needle.chars().next());
    let after = word(line[at + needle.len()..].chars().next()) && word(needle.chars().next_back());
    !before && !after
}

/// The name of a file as it stands between the quotes of a directive.
pub fn quoted(file: &str) -> String {
    file.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Reads a line marker, in gcc's form or as a `#line` directive.
pub fn parse_marker(line: &str) -> Option<Marker> {
    let rest = line
        .strip_prefix("# ")
        .or_else(|| line.strip_prefix("#line "))?
        .trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    if digits == 0 {
        return None;
    }
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start().strip_prefix('"')?;
    let mut file = String::new();
    let mut chars = rest.char_indices();
    let mut end = None;
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                end = Some(at + 1);
                break;
            }
            '\\' => file.extend(chars.next().map(|(_, c)| c)),
            c => file.push(c),
        }
    }
    let flags = &rest[end?..];
    let has = |flag: &str| flags.split_whitespace().any(|f| f == flag);
    Some(Marker {
        line: number,
        file,
        enter: has("1"),
        leave: has("2"),
        system: has("3"),
    })
}
