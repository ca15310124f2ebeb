//! Outputs: never over an input, atomic, and robust against closed streams and full disks.
#![allow(clippy::unwrap_used)]

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{symlink, FileTypeExt};
use std::process::Stdio;

use crate::support::Dir;

const PROGRAM: &str = "#include \"h.h\"\nint main(void) { x = 1; return 0; }\n";

fn dir() -> Dir {
    Dir::with(&[
        ("p.c", PROGRAM),
        ("h.h", "int x;\n"),
        ("s.json", "{ \"ltl\": \"G {x < 3}\" }\n"),
        ("list.txt", "a: G {x < 4}\n"),
    ])
}

/// Runs the program, which must refuse and leave every file unchanged.
fn refused(dir: &Dir, args: &[&str], said: &str) {
    let texts = || -> Vec<(String, String)> {
        let names = dir.names().into_iter();
        names.map(|n| (n.clone(), dir.read(&n))).collect()
    };
    let before = texts();
    let ran = dir.run(args);
    assert_eq!(ran.status, 2, "{args:?}: {ran:?}");
    assert!(ran.stderr.contains(said), "{args:?}: {ran:?}");
    assert_eq!(texts(), before, "{args:?}");
}

#[test]
fn an_input_is_never_overwritten() {
    let dir = dir();
    symlink(dir.path("p.c"), dir.path("soft.c")).unwrap();
    std::fs::hard_link(dir.path("s.json"), dir.path("hard.json")).unwrap();
    for output in ["p.c", "./p.c", "s.json", "h.h", "soft.c", "hard.json"] {
        refused(
            &dir,
            &["instrument", "s.json", "p.c", "-o", output],
            "would be overwritten",
        );
    }
    let listed = [
        "instrument",
        "s.json",
        "p.c",
        "--properties",
        "list.txt",
        "-o",
        "list.txt",
    ];
    refused(&dir, &listed, "would be overwritten");
    let rule = ["instrument", "s.json", "p.c", "-o", "out.c", "-MF", "p.c"];
    refused(&dir, &rule, "would be overwritten");
    let same = ["instrument", "s.json", "p.c", "-o", "out.c", "-MF", "out.c"];
    refused(&dir, &same, "two outputs");
    for option in ["--csv", "--results"] {
        let ran = ["verify", "s.json", "p.c", option, "p.c"];
        refused(&dir, &ran, "would be overwritten");
    }
}

#[test]
fn the_files_of_a_program_are_not_written_over_themselves() {
    let dir = Dir::with(&[
        (
            "a.c",
            "int x;\nvoid f(void);\nint main(void) { f(); return 0; }\n",
        ),
        ("b.c", "extern int x;\nvoid f(void) { x = 1; }\n"),
        ("s.json", "{ \"ltl\": \"G {x < 3}\" }\n"),
    ]);
    refused(
        &dir,
        &["instrument", "s.json", "a.c", "b.c", "-o", "."],
        "would be overwritten",
    );
}

#[test]
fn arguments_in_the_wrong_place_are_told() {
    let dir = dir();
    refused(
        &dir,
        &["verify", "p.c", "s.json"],
        "in front of the program",
    );
    refused(&dir, &["verify", "s.json"], "no C program");
    refused(
        &dir,
        &["verify", "--ltl", "G {x < 3}", "s.json", "p.c"],
        "leave one of them out",
    );
    refused(
        &dir,
        &["instrument", "s.json", "p.c", "-o", "-", "-MD"],
        "-MF FILE",
    );
    refused(
        &dir,
        &["verify", "s.json", "p.c", "--memory", "0"],
        "--memory",
    );
}

#[test]
fn a_device_is_written_to_and_stays_one() {
    let dir = dir();
    let pipe = dir.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "pipe"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(reader.join().unwrap().contains("ba_"));
    let kind = std::fs::symlink_metadata(&pipe).unwrap().file_type();
    assert!(kind.is_fifo());
}

#[test]
fn an_output_beside_no_directory_is_told_by_its_own_name() {
    let dir = dir();
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "none/out.c"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.stderr.starts_with("error: cannot write none/out.c: "),
        "{ran:?}"
    );
    assert!(!ran.stderr.contains(".baproduct"), "{ran:?}");
}

#[test]
fn a_full_disk_is_a_failure_and_no_crash() {
    let dir = dir();
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    for args in [
        &["instrument", "s.json", "p.c", "-o", "-"][..],
        &["check", "s.json", "p.c"],
        &["ltl", "G p"],
        &["init", "p.c"],
        &["--help"],
    ] {
        let child = dir.command(args).stdout(full()).output().unwrap();
        assert_eq!(child.status.code(), Some(1), "{args:?}");
        let said = String::from_utf8_lossy(&child.stderr).into_owned();
        assert!(said.contains("cannot write"), "{args:?}: {said}");
    }
    // A message that cannot be printed does not change the exit status.
    let quiet = Stdio::from(File::create(dir.path("o")).unwrap());
    let mut command = dir.command(&["check", "none.json", "p.c"]);
    let child = command.stdout(quiet).stderr(full()).status().unwrap();
    assert_eq!(child.code(), Some(3));
}
