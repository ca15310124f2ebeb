//! Behaviour that depends on a terminal, tested through a pseudo-terminal.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Stdio};

use crate::support::{cbmc, installed, ran, Dir, Ran};

/// Runs a command on a pseudo-terminal and returns its output.
const PTY: &str =
    "import os, pty, sys\nsys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

fn on_a_terminal(dir: &Dir, args: &[&str]) -> Ran {
    let mut command = Command::new("python3");
    command
        .args(["-c", PTY, env!("CARGO_BIN_EXE_baproduct")])
        .args(args)
        .current_dir(dir.path(""))
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .env("TERM", "dumb");
    ran(&mut command)
}

/// On a terminal smaller bounds come first, without a time limit too: sequentially, and for threads by rounds.
/// Elsewhere only the requested bound is searched.
#[test]
fn smaller_bounds_come_first_where_somebody_waits() {
    if !cbmc() || !installed("python3") {
        return;
    }
    let sequential =
        "int n;\nint main(void) { for (int i = 0; i < 6; i++) n++; n = 9; return 0; }\n";
    let threaded =
        "#include <pthread.h>\nint n;\nvoid *t(void *q) { while (n < 6) n++; n = 9; return q; }\n\
        int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return 0; }\n";
    for (program, schedules) in [(sequential, "auto"), (threaded, "rounds:2")] {
        let dir = Dir::with(&[("p.c", program)]);
        let args = [
            "verify",
            "--ltl",
            "G {n < 10}",
            "p.c",
            "--unwind",
            "8",
            "--schedules",
            schedules,
            "--no-trace",
        ];
        let seen = on_a_terminal(&dir, &args);
        assert_eq!(seen.status, 0, "{seen:?}");
        // Bounds 1, 2, 4 and 8.
        assert!(seen.stdout.contains(", 4 runs, "), "{schedules}: {seen:?}");
        let unseen = dir.run(&args);
        assert_eq!(unseen.status, 0, "{unseen:?}");
        assert!(unseen.stdout.contains(", 1 run"), "{schedules}: {unseen:?}");
        // JSON is for programs, on a terminal too.
        let json = on_a_terminal(&dir, &[&args[..], &["--format", "json"]].concat());
        assert!(
            json.stdout.contains("\"runs\": 1,"),
            "{schedules}: {json:?}"
        );
    }
}
