//! Headers as they stand in the editor: the preprocessor reads files, so that their text takes the place of the lines that
//! include them. A header that only a file on the disk includes has the text on the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

/// The texts of the program's files, with those of open headers in them.
pub(super) fn included(
    programs: &[PathBuf],
    unsaved: &BTreeMap<PathBuf, String>,
) -> BTreeMap<PathBuf, String> {
    let is_header = |path: &PathBuf| path.extension().is_some_and(|e| e == "h");
    let mut texts = unsaved.clone();
    if !unsaved.keys().any(is_header) {
        return texts;
    }
    for program in programs {
        let text = match unsaved.get(program) {
            Some(text) => Some(text.clone()),
            None => forms::read_list(program).ok(),
        };
        let mut writer = Writer {
            unsaved,
            open: BTreeSet::new(),
            any: false,
            out: String::new(),
        };
        writer.file(program, &text.unwrap_or_default());
        if writer.any {
            texts.insert(program.clone(), writer.out);
        }
    }
    texts
}

struct Writer<'a> {
    unsaved: &'a BTreeMap<PathBuf, String>,
    /// The files that are being written: one that includes itself is left to the preprocessor.
    open: BTreeSet<PathBuf>,
    any: bool,
    out: String,
}

impl Writer<'_> {
    fn file(&mut self, path: &Path, text: &str) {
        self.open.insert(path.to_path_buf());
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let header = quoted(line).map(|name| beside(path, name));
            let header = header.filter(|header| !self.open.contains(header));
            let Some((header, text)) =
                header.and_then(|h| Some((h.clone(), self.unsaved.get(&h)?)))
            else {
                self.out.push_str(line);
                continue;
            };
            self.any = true;
            // Writing to a string cannot fail.
            let _ = writeln!(self.out, "# 1 \"{}\" 1", header.display());
            self.file(&header, text);
            if !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            let _ = writeln!(self.out, "# {} \"{}\" 2", number + 2, path.display());
        }
        self.open.remove(path);
    }
}

/// The name in a line `#include "NAME"`.
fn quoted(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("include")?.trim_start();
    let (name, _) = rest.strip_prefix('"')?.split_once('"')?;
    Some(name)
}

/// A file that another one names, without `.` and `..`.
fn beside(file: &Path, name: &str) -> PathBuf {
    let mut path = file.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(name).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn open_headers_stand_where_they_are_included() {
        let unsaved = BTreeMap::from([
            (
                PathBuf::from("/w/a.c"),
                "int x;\n#include \"h/b.h\"\nint y;\n".to_owned(),
            ),
            (
                PathBuf::from("/w/h/b.h"),
                "#include \"../a.c\"\n#include \"b.h\"\nint z;".to_owned(),
            ),
        ]);
        let texts = included(&[PathBuf::from("/w/a.c")], &unsaved);
        assert_eq!(
            texts[Path::new("/w/a.c")],
            "int x;\n# 1 \"/w/h/b.h\" 1\n#include \"../a.c\"\n#include \"b.h\"\nint z;\n# 3 \"/w/a.c\" 2\nint y;\n"
        );
    }
}
