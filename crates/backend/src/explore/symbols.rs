//! The symbols of an object file that it does not define.
//!
//! The file is the compiler's own, a moment old. `nm` would tell the same, after it has loaded the plug-ins of each compiler that is
//! installed, which takes as long as to compile a small program.

use object::{File, Object, ObjectSymbol};

/// The names that an object file uses and does not define; nothing if it is of another format than expected.
pub(super) fn undefined(object: &[u8]) -> Option<Vec<String>> {
    let file = File::parse(object).ok()?;
    let used = file.symbols().filter(|symbol| symbol.is_undefined());
    let names = used.map(|symbol| symbol.name().map(str::to_owned).ok());
    let names: Option<Vec<String>> = names.collect();
    Some(names?.into_iter().filter(|n| !n.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::process::Command;

    /// The object of a program, by the host's compiler.
    fn object(program: &str) -> Option<(tempfile::TempDir, Vec<u8>)> {
        if !testing::installed("gcc") {
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("p.c"), program).unwrap();
        let mut gcc = Command::new("gcc");
        gcc.args(["-c", "-O0", "-fPIC", "p.c"]);
        assert!(gcc
            .current_dir(directory.path())
            .status()
            .unwrap()
            .success());
        let bytes = std::fs::read(directory.path().join("p.o")).unwrap();
        Some((directory, bytes))
    }

    const PROGRAM: &str = "extern int used; extern int also(int); extern int not_used; int own; static int hidden(void) { return 1; }\n\
        __attribute__((weak)) extern int weak(void);\n\
        int main(void) { own = used + hidden() + (weak ? weak() : 0); return also(own); }\n";

    #[test]
    fn names_are_those_of_nm() {
        let Some((directory, object)) = object(PROGRAM) else {
            return;
        };
        let mut names = undefined(&object).unwrap();
        names.retain(|name| name != "_GLOBAL_OFFSET_TABLE_");
        names.sort();
        assert_eq!(names, ["also", "used", "weak"]);
        if testing::installed("nm") {
            let mut nm = Command::new("nm");
            nm.arg("-u").arg(directory.path().join("p.o"));
            let text = String::from_utf8(nm.output().unwrap().stdout).unwrap();
            let told = text.lines().filter_map(|l| l.split_whitespace().last());
            let mut told: Vec<&str> = told.filter(|n| *n != "_GLOBAL_OFFSET_TABLE_").collect();
            told.sort_unstable();
            assert_eq!(names, told);
        }
    }

    #[test]
    fn other_and_broken_files_have_no_names() {
        assert_eq!(undefined(b"\x7fELF\x01\x01 of 32 bits"), None);
        assert_eq!(undefined(b""), None);
        let Some((_directory, object)) = object(PROGRAM) else {
            return;
        };
        for end in 0..object.len() {
            // What is cut off is never a reason to panic, nor for other names.
            if let Some(names) = undefined(&object[..end]) {
                assert_eq!(Some(names), undefined(&object));
            }
        }
    }
}
