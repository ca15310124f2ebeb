//! What CBMC asks the compiler each time, answered once.
//!
//! Whenever it starts, CBMC (seen with 6.6.0) has the compiler preprocess two questions about its version, then the program,
//! and then each part of CBMC's own library that the program needs: ten runs of the compiler for a program with threads, and
//! more than a third of the processor time of a small search. All but the program's own text are the same in each search. A
//! script that stands before the compiler on the path keeps what the compiler makes of them; the program's text always
//! goes to the compiler.

use crate::process::Invocation;
use crate::scratch::{write_program, Scratch};
use crate::text::quote;
use std::ffi::OsString;
use std::io;

/// The script; `@KEPT@` is its directory.
///
/// A CBMC asks the compiler for its version and its default standards in the same words each time. The standard of C++ concerns no
/// program in C, and asking for it takes as long as to preprocess the program: any answer will do. Texts of its library lie in
/// temporary files, whose names are not part of what is kept for a text; everything else on the command line is. What the compiler
/// refuses is not kept, and without `sha256sum` nothing is.
const SCRIPT: &str = r#"#!/bin/sh
PATH=${PATH#@KEPT@:}
kept= short=
case "$*" in
'-E - -o -') kept=@KEPT@/c short=1 ;;
'-E -x c++ - -o -')
  echo 'default_cxx_standard 201703L'
  exit 0 ;;
-E' '*/tmp.stdin*.c)
  for text; do :; done
  if sums=$(echo "${*%"$text"}" | sha256sum - "$text" 2>/dev/null); then
    options=${sums%% *}
    sums=${sums#*-?}
    kept=@KEPT@/$options-${sums%% *}
  fi ;;
esac
[ -n "$kept" ] || exec @COMPILER@ "$@"
if [ ! -r "$kept" ]; then
  @COMPILER@ "$@" >"$kept.$$"
  status=$?
  if [ "$status" != 0 ]; then
    cat "$kept.$$"
    rm -f "$kept.$$"
    exit "$status"
  fi
  mv "$kept.$$" "$kept"
fi
[ -n "$short" ] || exec cat "$kept"
while IFS= read -r line; do printf '%s\n' "$line"; done <"$kept"
"#;

/// The script, and what it keeps; both are removed with this value.
#[derive(Debug)]
pub(super) struct Compiler {
    directory: Scratch,
}

impl Compiler {
    /// A script for the compiler of this name, which keeps nothing yet.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn remembering(name: &str) -> io::Result<Compiler> {
        let directory = Scratch::new()?;
        let path = directory.path();
        let text = SCRIPT
            .replace("@KEPT@", &quote(&path.to_string_lossy()))
            .replace("@COMPILER@", name);
        write_program(&path.join(name), &text)?;
        Ok(Compiler { directory })
    }

    /// Puts the script before the compiler.
    pub(super) fn stand_before(&self, invocation: &mut Invocation) {
        let Some(path) = std::env::var_os("PATH") else {
            return;
        };
        let mut before = OsString::from(self.directory.path());
        before.push(":");
        before.push(path);
        invocation.env("PATH", before);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::process::{Command, Stdio};

    /// A directory with a compiler that counts its runs, and says what it was asked.
    struct Counting {
        directory: tempfile::TempDir,
        remembering: Compiler,
    }

    impl Counting {
        fn new() -> Counting {
            let directory = tempfile::tempdir().unwrap();
            let text = "#!/bin/sh\necho run >>\"${0%/*}/runs\"\ncase \"$*\" in *broken*) echo no; exit 3 ;; esac\n\
                        for file; do :; done\necho \"$1 $2\"\ncat \"$file\"\n";
            write_program(&directory.path().join("somecc"), text).unwrap();
            Counting {
                remembering: Compiler::remembering("somecc").unwrap(),
                directory,
            }
        }

        /// The answer, its exit status, and how often the compiler itself has run by now.
        fn ask(&self, arguments: &[&str]) -> (String, Option<i32>, usize) {
            let script = self.remembering.directory.path();
            let own = std::env::var("PATH").unwrap();
            let path = format!(
                "{}:{}:{own}",
                script.display(),
                self.directory.path().display()
            );
            let output = Command::new(script.join("somecc"))
                .args(arguments)
                .env("PATH", path)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let runs = std::fs::read_to_string(self.directory.path().join("runs")).unwrap();
            (
                String::from_utf8(output.stdout).unwrap(),
                output.status.code(),
                runs.lines().count(),
            )
        }

        fn file(&self, name: &str, text: &str) -> String {
            let path = self.directory.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_string_lossy().into_owned()
        }
    }

    #[test]
    fn texts_of_the_library_are_preprocessed_once_whatever_their_files_are_called() {
        let compiler = Counting::new();
        let one = compiler.file("tmp.stdin1.a.c", "malloc");
        let same = compiler.file("tmp.stdin2.b.c", "malloc");
        let other = compiler.file("tmp.stdin3.c.c", "free");
        assert_eq!(
            compiler.ask(&["-E", "-m64", &one]),
            ("-E -m64\nmalloc".into(), Some(0), 1)
        );
        assert_eq!(
            compiler.ask(&["-E", "-m64", &same]),
            ("-E -m64\nmalloc".into(), Some(0), 1)
        );
        assert_eq!(
            compiler.ask(&["-E", "-m64", &other]),
            ("-E -m64\nfree".into(), Some(0), 2)
        );
        // Other options may mean another text.
        assert_eq!(
            compiler.ask(&["-E", "-m32", &one]),
            ("-E -m32\nmalloc".into(), Some(0), 3)
        );
    }

    #[test]
    fn the_version_is_asked_once_and_that_of_other_languages_never() {
        let compiler = Counting::new();
        let version = ["-E", "-", "-o", "-"];
        let (told, status, runs) = compiler.ask(&version);
        assert_eq!((told.as_str(), status, runs), ("-E -\n", Some(0), 1));
        assert_eq!(compiler.ask(&version), (told, Some(0), 1));
        let (told, status, runs) = compiler.ask(&["-E", "-x", "c++", "-", "-o", "-"]);
        assert_eq!((status, runs), (Some(0), 1));
        assert!(told.starts_with("default_cxx_standard "), "{told}");
    }

    #[test]
    fn the_program_and_what_is_refused_go_to_the_compiler_each_time() {
        let compiler = Counting::new();
        let program = compiler.file("prog.c", "int x;");
        assert_eq!(compiler.ask(&["-E", "-m64", &program]).2, 1);
        assert_eq!(compiler.ask(&["-E", "-m64", &program]).2, 2);
        let text = compiler.file("tmp.stdin1.a.c", "malloc");
        let refused = ("no\n".to_owned(), Some(3));
        for runs in [3, 4] {
            let (answer, status, seen) = compiler.ask(&["-E", "-Dbroken", &text]);
            assert_eq!(((answer, status), seen), (refused.clone(), runs));
        }
    }
}
