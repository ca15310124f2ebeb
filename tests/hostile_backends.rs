//! Backends that lie, crash, hang, stop halfway or never stop: each gives `unknown` with a reason
//! and, if an option helps, its name; in bounded time and memory, with nothing left behind.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Dir, PATIENCE};
use serde_json::Value;

const PROGRAM: &str = "int x;\nint main(void) { x = 1; return 0; }\n";

/// CBMC's output for the program and the formula `F {x == 1}`.
const HONEST: &str = "\
** Results:
p.c function ba_finish
[ba_finish.assertion.1] line 1 baproduct:ltl:presumably_false: SUCCESS
[ba_finish.assertion.2] line 1 baproduct:end: FAILURE

** 1 of 2 failed (2 iterations)
VERIFICATION FAILED
";

/// A directory with the program and a backend that prints a text, with commands `before` and
/// `after`.
fn dir(before: &str, text: &str, after: &str) -> Dir {
    let dir = Dir::with(&[("p.c", PROGRAM), ("answer", text)]);
    let version = "if [ \"$1\" = --version ]; then echo '6.6.0 (cbmc-6.6.0)'; exit 0; fi";
    let script = format!("{version}\n{before}\ncat answer\n{after}");
    dir.script("fake", &script);
    std::fs::create_dir(dir.path("tmp")).unwrap();
    dir
}

/// The most memory in KiB that the program may use when a backend has more results than are kept.
const MOST_MEMORY: u64 = 140_000;

/// The same when the backend only writes much output.
const LITTLE_MEMORY: u64 = 64_000;

/// Runs a command to its end and measures its peak memory.
fn watched(command: &mut Command, most: u64) -> crate::support::Ran {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let ended = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = 0;
            while !ended.load(std::sync::atomic::Ordering::SeqCst) {
                let text = std::fs::read_to_string(&status).unwrap_or_default();
                let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
                let kib = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok());
                peak = peak.max(kib.unwrap_or(0));
                std::thread::sleep(Duration::from_millis(3));
            }
            peak
        });
        let output = child.wait_with_output().unwrap();
        ended.store(true, std::sync::atomic::Ordering::SeqCst);
        let peak: u64 = watch.join().unwrap();
        assert!(peak < most, "{peak} KiB");
        crate::support::Ran {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    })
}

/// The result of a verification, and its duration.
fn verify(dir: &Dir, more: &[&str]) -> (Value, Duration) {
    verify_within(dir, more, MOST_MEMORY)
}

/// The same, within `most` KiB of memory.
fn verify_within(dir: &Dir, more: &[&str], most: u64) -> (Value, Duration) {
    let args = [
        &["verify", "--format", "json", "--ltl", "F {x == 1}", "p.c"][..],
        &["--no-trace", "--backend-path", "./fake"][..],
        // Nothing but the backend is asked.
        &["--engine", "bounded"][..],
        more,
    ]
    .concat();
    let start = Instant::now();
    let ran = watched(dir.command(&args).env("TMPDIR", dir.path("tmp")), most);
    let json = serde_json::from_str(&ran.stdout);
    let json: Value = json.unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    let left = std::fs::read_dir(dir.path("tmp")).unwrap().count();
    assert_eq!(left, 0, "temporary files are left");
    let expected = if json["verdict"] == "unknown" { 5 } else { 0 };
    assert_eq!(ran.status, expected, "{ran:?}");
    (json, start.elapsed())
}

/// Checks that there is no verdict, for a reason that contains a text.
fn unknown(dir: &Dir, more: &[&str], reason: &str) {
    let (json, time) = verify(dir, more);
    assert_eq!(json["verdict"], "unknown", "{json}");
    let told = json["reason"].as_str().unwrap();
    assert!(told.contains(reason), "{told:?} does not say {reason:?}");
    assert!(time < PATIENCE, "{time:?}");
}

#[test]
fn an_honest_backend_is_believed() {
    let (json, _) = verify(&dir("", HONEST, "exit 10"), &[]);
    assert_eq!(json["verdict"], "true", "{json}");
    assert_eq!(json["complete"], true);
}

#[test]
fn answers_that_contradict_themselves_are_not_believed() {
    let without_end = HONEST.replace(
        "[ba_finish.assertion.2] line 1 baproduct:end: FAILURE\n",
        "",
    );
    let all_hold = HONEST
        .replace("end: FAILURE", "end: SUCCESS")
        .replace("1 of 2", "0 of 2")
        .replace("FAILED", "SUCCESSFUL");
    let twice = HONEST.replace(
        "assertion.2] line 1 baproduct:end",
        "assertion.1] line 1 baproduct:ltl:presumably_false",
    );
    let undecided = HONEST.replace("SUCCESS", "UNKNOWN");
    let unwinding = HONEST
        .replace(
            "[ba_finish.assertion.2",
            "[main.unwind.0] line 2 unwinding assertion loop 0: FAILURE\n[ba_finish.assertion.2",
        )
        .replace("1 of 2", "2 of 3");
    for (text, after, reason) in [
        (HONEST, "exit 0", "ended with"),
        (HONEST, "exit 6", "ended with"),
        (
            &HONEST.replace("1 of 2", "0 of 2"),
            "exit 10",
            "its summary says",
        ),
        (
            &HONEST.replace("FAILED", "SUCCESSFUL"),
            "exit 0",
            "contradicts",
        ),
        (
            &without_end
                .replace("1 of 2", "0 of 1")
                .replace("FAILED", "SUCCESSFUL"),
            "exit 0",
            "baproduct:end",
        ),
        (&all_hold, "exit 0", "raise --unwind"),
        (&twice, "exit 10", "twice"),
        (&undecided, "exit 10", "presumably_false"),
        (&unwinding, "exit 10", "raise --unwind"),
        (
            &format!("{HONEST}VERIFICATION SUCCESSFUL\n"),
            "exit 10",
            "twice",
        ),
    ] {
        unknown(&dir("", text, after), &[], reason);
    }
}

/// A function of the library that a backend has itself, and cannot read, would give any value: no value is known.
#[test]
fn a_backend_without_its_library_is_not_believed() {
    let missing = HONEST.replace(
        "** 1 of 2",
        "[main.no-body.strlen] line 2 no body for callee strlen: FAILURE\n\n** 2 of 3",
    );
    unknown(
        &dir("", &missing, "exit 10"),
        &[],
        "cannot read `strlen` of its own library",
    );
    let outside = missing.replace("strlen", "measured");
    let (result, _) = verify(&dir("", &outside, "exit 10"), &[]);
    assert_eq!(result["verdict"], "true", "{result}");
}

#[test]
fn answers_that_stop_in_the_middle_are_not_believed() {
    for end in (0..HONEST.len()).step_by(17) {
        unknown(&dir("", &HONEST[..end], "exit 10"), &[], "");
    }
    unknown(&dir("", "", "kill -SEGV $$"), &[], "crashed");
    unknown(&dir("", HONEST, "kill -SEGV $$"), &[], "crashed");
    unknown(&dir("", "", "exit 0"), &[], "ends before the verdict");
}

#[test]
fn what_runs_out_is_told_with_its_option() {
    let slow = dir("sleep 1000", HONEST, "exit 10");
    unknown(
        &slow,
        &["--timeout", "0.3"],
        "timed out after 0.3 s; raise --timeout",
    );
    let big = dir(
        "echo 'terminate called after throwing std::bad_alloc' >&2",
        "",
        "exit 6",
    );
    unknown(&big, &["--memory", "4000"], "raise --memory");
    let unloaded = dir(
        "echo 'cbmc: error while loading shared libraries: failed to map segment from shared object' >&2",
        "",
        "exit 127",
    );
    unknown(&unloaded, &["--memory", "10"], "raise --memory");
    let deaf = dir(
        "trap '' TERM INT; sleep 1000 & sleep 1000",
        HONEST,
        "exit 10",
    );
    unknown(&deaf, &["--timeout", "0.3"], "raise --timeout");
}

#[test]
fn huge_outputs_are_read_in_bounded_memory() {
    for (output, what) in [
        (
            "head -c 60000000 /dev/zero; echo",
            "a line that is none of the results",
        ),
        (
            "yes 'a line' | head -n 1000000",
            "lines that are none of the results",
        ),
        ("yes 'a warning' | head -c 50000000 >&2", "warnings"),
    ] {
        let (json, _) = verify_within(&dir(output, HONEST, "exit 10"), &[], LITTLE_MEMORY);
        assert_eq!(json["verdict"], "true", "{what}");
    }
    let endless = dir("yes '** Results:'", "", "");
    unknown(&endless, &["--timeout", "1"], "raise --timeout");
    let results = "i=0; echo '** Results:'; awk 'BEGIN { for (i = 0; i < 1100000; i++) print \"[a.\" i \"] line 1 x: SUCCESS\" }'";
    unknown(
        &dir(results, HONEST, "exit 10"),
        &[],
        "more results than can be",
    );
}

#[test]
fn a_huge_trace_is_read_in_bounded_memory() {
    // The run for the verdict prints plain text; the one for the trace prints JSON that never ends.
    let program = "int x;\nint main(void) { x = 1; return 0; }\n";
    let violated = HONEST
        .replace("presumably_false: SUCCESS", "presumably_false: FAILURE")
        .replace("1 of 2", "2 of 2");
    let dir = dir(
        "case \"$*\" in *show-properties*) cat properties; exit 0;; *json-ui*) printf '[{\"messageText\": \"'; head -c 40000000 /dev/zero | tr '\\0' a; exit 10;; esac",
        &violated,
        "exit 10",
    );
    dir.write("p.c", program);
    dir.write(
        "properties",
        r#"[{"properties": [{"name": "ba_finish.assertion.1", "description": "baproduct:ltl:presumably_false"}]}]"#,
    );
    let args = ["verify", "--format", "json", "--ltl", "F {x == 1}", "p.c"];
    let mut command = dir.command(&args);
    command.args(["--backend-path", "./fake", "--engine", "bounded"]);
    let ran = watched(&mut command, LITTLE_MEMORY);
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    // Nor is it known whether the violation rests on undefined behaviour.
    assert_eq!(json["verdict"], "unknown");
    let reason = json["reason"].as_str().unwrap();
    assert!(reason.contains("was asked, and not answered"), "{reason}");
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("no trace"), "{warnings}");
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let (json, _) = verify(
        &dir(
            "printf '\\377\\376\\n[\\200] \\201: SUCCESS\\n'",
            HONEST,
            "exit 10",
        ),
        &[],
    );
    assert_eq!(
        json["verdict"], "true",
        "they stand in front of the results"
    );
    let dirty = HONEST.replace(
        "** 1 of 2",
        "[\u{fffd}] line 1 \u{fffd}: SUCCESS\n** 1 of 2",
    );
    unknown(&dir("", &dirty, "exit 10"), &[], "its summary says");
}

#[test]
fn a_program_that_is_no_model_checker_is_none() {
    for version in [
        "echo hello",
        "exit 1",
        "kill -SEGV $$",
        "printf '\\377\\376'",
    ] {
        let dir = Dir::with(&[("p.c", PROGRAM)]);
        dir.script("fake", version);
        let ran = dir.run(&[
            "verify",
            "--ltl",
            "F {x == 1}",
            "p.c",
            "--backend-path",
            "./fake",
        ]);
        assert_eq!(ran.status, 4, "{version}: {ran:?}");
        assert!(ran.stderr.contains("doctor"), "{ran:?}");
    }
}

#[test]
fn esbmc_is_not_believed_more_easily() {
    let help = "  --unwind nr\n  --multi-property\n  --show-claims\n  --claim nr\n  --no-remove-unreachable\n  --no-por\n";
    let claims =
        "Claim 1:\n  file p.c line 1 function ba_finish\n  baproduct:ltl:presumably_false\n  0\n\n";
    for (run, reason) in [
        ("echo 'VERIFICATION UNKNOWN'; exit 0", "UNKNOWN"),
        ("echo 'ERROR: Timed out'; exit 1", "Timed out"),
        ("echo 'ERROR: Out of memory'; exit 6", "memory"),
        ("echo 'VERIFICATION FAILED'; exit 0", ""),
        ("echo 'VERIFICATION SUCCESSFUL'; exit 1", ""),
        ("exit 0", "before its verdict"),
        ("kill -ABRT $$", "crashed"),
    ] {
        let dir = Dir::with(&[("p.c", PROGRAM), ("claims", claims), ("help", help)]);
        dir.script(
            "fake",
            &format!(
                "case \"$*\" in --version) echo 'ESBMC version 8.4.0 64-bit'; exit 0;; --help) cat help; exit 0;; *show-claims*) cat claims; exit 0;; esac\n{run}"
            ),
        );
        let (json, status) = dir.verify(&[
            "--ltl",
            "F {x == 1}",
            "p.c",
            "--backend",
            "esbmc",
            "--backend-path",
            "./fake",
            "--no-trace",
        ]);
        assert_eq!(
            (json["verdict"].as_str(), status),
            (Some("unknown"), 5),
            "{run}: {json}"
        );
        let told = json["reason"].as_str().unwrap();
        assert!(told.contains(reason), "{run}: {told}");
    }
}

/// Whether a process exists and is no zombie.
fn alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn a_signal_leaves_nothing_behind() {
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        for deaf in ["", "trap '' TERM INT HUP\n"] {
            let dir = dir(
                &format!("{deaf}sleep 10000 & echo $! > child; sleep 10000 & echo $! > other; echo $$ > leader; wait"),
                HONEST,
                "exit 10",
            );
            let mut command = dir.command_with_signals(&["verify", "--ltl", "F {x == 1}", "p.c"]);
            command.args(["--backend-path", "./fake", "--report", "report"]);
            command.env("TMPDIR", dir.path("tmp"));
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            let start = Instant::now();
            while !dir.path("leader").exists() {
                assert!(start.elapsed() < PATIENCE, "it does not start");
                std::thread::sleep(Duration::from_millis(10));
            }
            std::thread::sleep(Duration::from_millis(50));
            let told = Instant::now();
            let pid = child.id().to_string();
            crate::support::ran(Command::new("kill").args([&format!("-{signal}"), &pid]));
            let status = child.wait().unwrap();
            assert!(told.elapsed() < PATIENCE, "{:?}", told.elapsed());
            let by = std::os::unix::process::ExitStatusExt::signal(&status);
            assert!(by == Some(number) || status.code() == Some(5), "{status}");
            for name in ["child", "other", "leader"] {
                assert!(!alive(&dir.read(name)), "{name} is left");
            }
            let left = std::fs::read_dir(dir.path("tmp")).unwrap().count();
            assert_eq!(left, 0, "temporary files are left");
        }
    }
}
