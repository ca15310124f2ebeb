//! `watch` verifies again after each save, shows what has changed, and ends cleanly.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crate::support::{cbmc, Dir, PATIENCE};

const PROGRAM: &str =
    "#include \"limit.h\"\nint x, y;\nint main(void) { x = LIMIT; y = 1; return 0; }\n";

const SPEC: &str = r#"{ "properties": [ { "name": "small", "ltl": "G{x < 3}" }, { "name": "one", "ltl": "F{y == 1}" } ] }"#;

fn project() -> Dir {
    let files = [
        ("p.c", PROGRAM),
        ("limit.h", "#define LIMIT 2\n"),
        ("s.json", SPEC),
    ];
    Dir::with(&files)
}

/// A running `watch`, and the lines that it prints.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(dir: &Dir, args: &[&str]) -> Watch {
        let all = [&["watch"], args].concat();
        let mut command = dir.command_with_signals(&all);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .stdin(Stdio::null());
        command.env("TMPDIR", dir.path(""));
        let mut child = command.spawn().unwrap();
        let (tell, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in out.lines() {
                if tell.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Watch { child, lines }
    }

    /// The lines up to the first one that contains a text.
    fn until(&self, text: &str) -> Vec<String> {
        let start = Instant::now();
        let mut seen = Vec::new();
        while start.elapsed() < PATIENCE {
            let Ok(line) = self.lines.recv_timeout(Duration::from_millis(100)) else {
                continue;
            };
            let found = line.contains(text);
            seen.push(line);
            if found {
                return seen;
            }
        }
        panic!("`{text}` does not come: {seen:?}");
    }

    /// Sends a signal and returns the exit status.
    fn end(mut self, signal: &str) -> Option<i32> {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(sent.success());
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        self.child.kill().unwrap();
        panic!("it does not end");
    }
}

/// Writes a file as editors do: a new file replaces the old one.
fn save_by_rename(dir: &Dir, name: &str, text: &str) {
    dir.write(".new~", text);
    std::fs::rename(dir.path(".new~"), dir.path(name)).unwrap();
}

#[test]
fn what_is_saved_is_verified_again_and_the_difference_shown() {
    if !cbmc() {
        return;
    }
    let dir = project();
    let watch = Watch::start(&dir, &["s.json", "p.c"]);
    let first = watch.until("one: ").join("\n");
    assert!(
        first.contains("watching limit.h, p.c, s.json; Ctrl-C ends"),
        "{first}"
    );
    assert!(first.contains("small: ⊤ᵖ presumably true"), "{first}");
    // A header, saved in place.
    dir.write("limit.h", "#define LIMIT 4\n");
    let second = watch.until("one: ").join("\n");
    assert!(second.contains("limit.h was saved"), "{second}");
    assert!(second.contains("* small: ⊤ᵖ presumably true"), "{second}");
    assert!(second.contains("→ ⊥ false"), "{second}");
    assert!(second.contains("p.c:3 x = "), "{second}");
    assert!(second.contains("  one: ⊤ true"), "{second}");
    // The program, saved as editors do; for a moment it is no valid C.
    save_by_rename(&dir, "p.c", "int main(void) { x = }\n");
    watch.until("not verified (status 3); the last verdicts are those of before");
    save_by_rename(&dir, "p.c", PROGRAM);
    assert!(watch
        .until("no verdict has changed")
        .join("\n")
        .contains("p.c was saved"));
    // The specification: one property less, one more.
    let other = SPEC.replace("\"one\"", "\"first\"");
    save_by_rename(&dir, "s.json", &other);
    let last = watch.until("- one").join("\n");
    assert!(last.contains("+ first: ⊤ true"), "{last}");
    assert_eq!(watch.end("-INT"), Some(0));
    let mut left = dir.names();
    left.retain(|name| name.starts_with("baproduct-"));
    assert!(left.is_empty(), "{left:?}");
}

/// A backend that logs its process ids and never answers.
const ENDLESS: &str = "if [ \"$1\" = --version ]; then echo '6.6.0 (cbmc-6.6.0)'; exit 0; fi\nsleep 600 & echo $! $$ >>pids; wait";

/// Whether a process exists and is no zombie.
fn runs(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    status.is_ok_and(|text| !text.contains(") Z "))
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A save ends the outdated verification with its backend; a signal ends everything.
#[test]
fn no_backend_is_left_by_a_save_or_by_a_signal() {
    for signal in ["-INT", "-TERM"] {
        let dir = project();
        dir.script("endless", ENDLESS);
        let args = [
            "s.json",
            "p.c",
            "--backend-path",
            "./endless",
            "--jobs",
            "1",
        ];
        let watch = Watch::start(&dir, &args);
        let pids = || -> Vec<String> {
            let text = std::fs::read_to_string(dir.path("pids")).unwrap_or_default();
            text.split_whitespace().map(str::to_string).collect()
        };
        wait_until("a backend", || pids().len() >= 2);
        let old = pids();
        dir.write("limit.h", "#define LIMIT 7\n");
        watch.until("limit.h was saved");
        wait_until("the next backend", || pids().len() >= 4);
        wait_until("the old one ends", || !old.iter().any(|pid| runs(pid)));
        assert_eq!(watch.end(signal), Some(0));
        wait_until("no backend is left", || !pids().iter().any(|pid| runs(pid)));
    }
}

/// An error that no save can fix ends `watch`, with the status of `verify`.
#[test]
fn wrong_usage_ends_it() {
    let dir = project();
    for (args, status) in [
        (vec!["watch", "s.json", "-"], 2),
        (
            vec!["watch", "s.json", "p.c", "--backend-path", "./missing"],
            4,
        ),
        (vec!["watch", "p.c", "s.json"], 2),
    ] {
        let ran = dir.run(&args);
        assert_eq!(ran.status, status, "{ran:?}");
        assert!(!ran.stderr.is_empty());
    }
}
