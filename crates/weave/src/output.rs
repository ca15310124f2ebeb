//! The emitted file: the user's lines with the insertions, system headers as `#include` lines or
//! expanded, and every line where it was.

use crate::insert::Insertion;

/// How system headers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headers {
    /// As `#include` lines.
    Include,
    /// As the preprocessor expanded them.
    Expand,
}

/// Macros that change what system headers declare: they have to come before the first header.
const FEATURE_MACROS: [&str; 14] = [
    "_GNU_SOURCE",
    "_DEFAULT_SOURCE",
    "_BSD_SOURCE",
    "_SVID_SOURCE",
    "_POSIX_SOURCE",
    "_POSIX_C_SOURCE",
    "_XOPEN_SOURCE",
    "_XOPEN_SOURCE_EXTENDED",
    "_ISOC99_SOURCE",
    "_ISOC11_SOURCE",
    "_LARGEFILE64_SOURCE",
    "_FILE_OFFSET_BITS",
    "_TIME_BITS",
    "_REENTRANT",
];

/// Joins prologue, program and epilogue. `text` is the preprocessed program, with line markers,
/// macro definitions and include lines. Linear in its length.
pub fn emit(text: &str, prologue: &str, insertions: &[Insertion], epilogue: &str, headers: Headers) -> String {
    let mut writer = Writer { out: String::new(), insertions, next: 0, line: 1, file: String::new() };
    let mut walk = Walk { headers, depth: 0, entering: Vec::new(), defines: Vec::new(), features: Vec::new(), included: false };
    let mut offset = 0;
    let (mut file, mut line) = (String::new(), 1u32);
    for piece in text.split_inclusive('\n') {
        let start = offset;
        offset += piece.len();
        if let Some(marker) = Marker::parse(piece) {
            walk.marker(&marker, &mut writer, &file, line);
            (file, line) = (marker.file, marker.line);
            continue;
        }
        let user = walk.depth == 0 && !file.starts_with('<') && !file.is_empty();
        if piece.starts_with('#') {
            if user && !piece.starts_with("#pragma") {
                walk.directive(piece);
            } else if piece.starts_with("#pragma") && (user || headers == Headers::Expand) {
                writer.directive(&file, line, piece);
            }
        } else if user || (headers == Headers::Expand && !file.is_empty()) {
            writer.text(&file, line, piece, start);
        }
        line += 1;
    }
    writer.rest();
    let mut all = walk.features.concat();
    all.push_str(prologue);
    all.push_str(&writer.out);
    if !all.ends_with('\n') {
        all.push('\n');
    }
    all.push_str(epilogue);
    all
}

/// A line marker: `# 12 "file.c" 1 3`.
struct Marker {
    line: u32,
    file: String,
    enter: bool,
    leave: bool,
    system: bool,
}

impl Marker {
    fn parse(piece: &str) -> Option<Marker> {
        let rest = piece.strip_prefix("# ")?;
        let (number, rest) = rest.split_once(' ')?;
        let line = number.parse().ok()?;
        let rest = rest.trim_end();
        let close = rest.rfind('"')?;
        let file = rest.get(1..close)?.to_string();
        let flags: Vec<&str> = rest[close + 1..].split_whitespace().collect();
        let has = |flag: &str| flags.contains(&flag);
        Some(Marker { line, file, enter: has("1"), leave: has("2"), system: has("3") })
    }
}

/// Where the walk through the preprocessed text is.
struct Walk {
    headers: Headers,
    /// How many headers deep inside a system header; 0 in the user's files.
    depth: u32,
    /// For each header around the current text: whether it counted for `depth`.
    entering: Vec<bool>,
    /// The user's macro definitions since the last include.
    defines: Vec<String>,
    /// The definitions of feature macros, which go to the very top.
    features: Vec<String>,
    /// Whether the include line was seen that the next header belongs to.
    included: bool,
}

impl Walk {
    fn marker(&mut self, marker: &Marker, writer: &mut Writer, file: &str, line: u32) {
        if marker.enter {
            let counts = self.depth > 0 || marker.system;
            let outermost = self.depth == 0 && counts;
            self.depth += u32::from(counts);
            self.entering.push(counts);
            if outermost && self.headers == Headers::Include && !file.starts_with('<') && !file.is_empty() {
                let name = header_name(&marker.file);
                writer.directive(file, line.saturating_sub(1).max(1), &format!("#include <{name}>\n"));
                self.included = true;
            }
        } else if marker.leave && self.entering.pop() == Some(true) {
            self.depth = self.depth.saturating_sub(1);
        }
    }

    /// A `#define`, `#undef` or `#include` line of the user's.
    fn directive(&mut self, piece: &str) {
        let name = piece.strip_prefix("#define ").and_then(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next());
        if let Some(name) = name.filter(|n| FEATURE_MACROS.contains(n)) {
            self.features.push(format!("#ifndef {name}\n{}\n#endif\n", piece.trim_end()));
        }
        self.defines.push(piece.to_string());
    }
}

/// The name by which a system header is included.
fn header_name(path: &str) -> &str {
    const DIRECTORIES: [&str; 4] = ["/usr/local/include/", "/usr/include/x86_64-linux-gnu/", "/usr/include/aarch64-linux-gnu/", "/usr/include/"];
    for directory in DIRECTORIES {
        if let Some(name) = path.strip_prefix(directory) {
            return name;
        }
    }
    match path.rfind("/include/") {
        Some(at) => &path[at + "/include/".len()..],
        None => path.rsplit('/').next().unwrap_or(path),
    }
}

/// Writes text so that each line stands where the line counter says.
struct Writer<'a> {
    out: String,
    insertions: &'a [Insertion],
    next: usize,
    line: u32,
    file: String,
}

impl Writer<'_> {
    /// Brings the output to a line of a file: by newlines if it is near, by a marker otherwise.
    fn go_to(&mut self, file: &str, line: u32) {
        const NEAR: u32 = 12;
        if self.file == file && line >= self.line && line - self.line <= NEAR {
            for _ in self.line..line {
                self.out.push('\n');
            }
        } else {
            if !self.out.is_empty() && !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            self.out.push_str(&format!("# {line} \"{file}\"\n"));
            self.file = file.to_string();
        }
        self.line = line;
    }

    fn directive(&mut self, file: &str, line: u32, text: &str) {
        self.go_to(file, line);
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
            self.out.push_str(&format!("# {line} \"{file}\"\n"));
        }
        self.out.push_str(text);
        self.line += 1;
    }

    /// One line of the program with the insertions that fall into it.
    fn text(&mut self, file: &str, line: u32, piece: &str, start: usize) {
        let content = piece.strip_suffix('\n').unwrap_or(piece);
        let end = start + content.len();
        let touched = self.insertions.get(self.next).is_some_and(|i| i.offset <= end);
        if content.trim().is_empty() && !touched {
            return;
        }
        let continued = self.line == line && self.file == file && !self.out.ends_with('\n');
        self.go_to(file, line);
        let mut at = start;
        if continued {
            // The preprocessor pads the pieces of a line that it splits.
            let blank = content.len() - content.trim_start().len();
            self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
            self.out.push(' ');
            at += blank;
        }
        while let Some(insertion) = self.insertions.get(self.next).filter(|i| i.offset <= end) {
            let offset = insertion.offset.max(at);
            self.out.push_str(&content[at - start..offset - start]);
            self.out.push_str(&insertion.text);
            at = offset;
            self.next += 1;
        }
        self.out.push_str(&content[at - start..]);
    }

    fn rest(&mut self) {
        for insertion in &self.insertions[self.next.min(self.insertions.len())..] {
            self.out.push_str(&insertion.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "# 0 \"a.c\"\n# 0 \"<built-in>\"\n#define __x86_64__ 1\n# 1 \"a.c\"\n#define _GNU_SOURCE \n#include <stdio.h>\n# 2 \"a.c\"\n# 1 \"/usr/include/stdio.h\" 1 3 4\nint printf();\n# 3 \"a.c\" 2\n\nint x = \n# 4 \"a.c\" 3 4\n       ((void *)0)\n# 4 \"a.c\"\n       ;\n";

    #[test]
    fn headers_collapse_and_lines_keep_their_places() {
        let out = emit(PROGRAM, "P\n# 1 \"a.c\"\n", &[], "E\n", Headers::Include);
        assert!(out.starts_with("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\nP\n"), "{out}");
        assert!(out.contains("#include <stdio.h>\n"), "{out}");
        assert!(!out.contains("int printf"), "{out}");
        let line = out.lines().find(|l| l.starts_with("int x")).unwrap_or_default();
        assert!(line.contains("((void *)0)") && line.ends_with(';'), "{out}");
        let expanded = emit(PROGRAM, "", &[], "", Headers::Expand);
        assert!(expanded.contains("int printf();") && !expanded.contains("#include"), "{expanded}");
    }
}
