//! Threaded programs of several files, by rounds.

use crate::support::{cbmc, ran, repository, Dir};

/// A directory with the program of `tests/schedules/several`.
fn queue() -> Dir {
    let text = |name: &str| {
        let path = repository(&format!("tests/schedules/several/{name}"));
        std::fs::read_to_string(path).unwrap()
    };
    let files = ["queue.h", "main.c", "queue.c"].map(|name| (name, text(name)));
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    Dir::with(&files)
}

const FORMULA: &str = "G {queue.count >= 0} && F {taken == 2}";

/// Two files have static functions and objects of one name, and a header declares things for both. Verdicts, places and names
/// are the user's; the trace is that of a run of the real program.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn programs_of_several_files_are_searched_by_rounds() {
    if !cbmc() {
        return;
    }
    let dir = queue();
    let files = ["--ltl", FORMULA, "main.c", "queue.c"];
    for schedules in crate::support::sample(["rounds:2", "auto"], 2) {
        let asked = [&["--schedules", schedules, "--unwind", "2"][..], &files].concat();
        let (right, _) = dir.verify(&asked);
        assert_eq!(right["verdict"], "presumably_true", "{schedules}: {right}");
        let (wrong, _) = dir.verify(&[&asked[..], &["-DWRONG"]].concat());
        assert_eq!(wrong["verdict"], "false", "{schedules}: {wrong}");
        dir.write("trace.json", wrong.to_string());
    }
    let asked = [
        "verify",
        "--schedules",
        "rounds:2",
        "--unwind",
        "2",
        "-DWRONG",
    ];
    let out = ran(&mut dir.command(&[&asked[..], &files].concat()));
    for told in [
        "thread 1 (run), created at main.c:",
        "thread 2 (consumer), created at main.c:",
        "runs to queue.c:",
    ] {
        assert!(out.stdout.contains(told), "{told}: {out:?}");
    }
    assert!(!out.stdout.contains("run_2"), "{out:?}");
    let replayed = ran(&mut dir.command(&["replay", "trace.json"]));
    assert_eq!(replayed.status, 0, "{replayed:?}");
}

/// The program's own assertions, too, with the function that the user wrote.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn assertions_of_several_files_are_checked_by_rounds() {
    if !cbmc() {
        return;
    }
    let dir = queue();
    let asked = [
        "--ltl",
        "G({1})",
        "--also-safety",
        "--budget",
        "60",
        "main.c",
        "queue.c",
    ];
    let (wrong, _) = dir.verify(&[&asked[..], &["-DWRONG"]].concat());
    let finding = &wrong["findings"][0];
    assert_eq!(finding["file"], "queue.c", "{wrong}");
    assert_eq!(finding["function"], "run", "{wrong}");
}

/// `sequentialise` makes one program of several files, which a compiler takes.
#[test]
fn several_files_become_one_sequential_program() {
    let dir = queue();
    let asked = ["sequentialise", "main.c", "queue.c", "-o", "one.c"];
    let out = ran(&mut dir.command(&asked));
    assert_eq!(out.status, 0, "{out:?}");
    assert!(out.stderr.contains("4 threads"), "{out:?}");
    let compiled = std::process::Command::new("gcc")
        .args(["-fsyntax-only", "-DBA_SEQ_NATIVE", "one.c"])
        .current_dir(dir.path("."))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
}

/// A lasso of threads in two files; the search goes on behind the first round, whose runs are only cut.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn infinite_runs_of_several_files_are_found() {
    if !cbmc() {
        return;
    }
    let first = "#include <pthread.h>
        extern int turn;
        int entered;
        static int busy;
        void *other(void *);
        static void *me(void *x) {
            while (1) {
                while (turn != 0)
                    ;
                entered = 1;
                busy = 1;
                entered = 0;
                turn = 1;
            }
            return x;
        }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, me, 0);
            pthread_create(&b, 0, other, 0);
            pthread_join(a, 0);
            return 0;
        }";
    let second = "int turn;
        static int busy;
        void *other(void *x) {
            while (1) {
                while (turn != 1)
                    ;
                busy = 2;
                if (GIVES)
                    turn = 0;
            }
            return x;
        }";
    let dir = Dir::with(&[("a.c", first), ("b.c", second)]);
    for (gives, fairness, refuted) in [
        ("0", "weak", true),
        ("1", "none", true),
        ("1", "weak", false),
    ] {
        let gives = format!("-DGIVES={gives}");
        let asked = ["--lasso", "--fairness", fairness, "--ltl", "G F {entered}"];
        let (result, _) = dir.verify(&[&asked[..], &[&gives, "a.c", "b.c"]].concat());
        assert_eq!(
            result["verdict"] == "false",
            refuted,
            "{gives} {fairness}: {result}"
        );
    }
}
