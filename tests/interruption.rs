//! Commands that are killed and resumed: no result is lost or computed twice, and the verdicts are
//! those of an uninterrupted run.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use crate::support::{cbmc, ran, Dir, Ran, PATIENCE};
use serde_json::Value;

const PROGRAM: &str = "int x;\nint main(void) {\n  while (1) { x = x < 9 ? x + 1 : 0; }\n}\n";

/// A slow backend that logs each assertion that it is asked about and reaches ⊥ for every second
/// property. Its answers depend on the program alone.
const SLOW: &str = r#"
if [ "$1" = --version ]; then echo '6.6.0 (cbmc-6.6.0)'; exit 0; fi
for file; do :; done
texts() { grep -o '"baproduct:[a-z0-9]*:*[a-z_]*"' "$file" | tr -d '"' | sort -u; }
case "$*" in *show-properties*)
  n=0 comma=
  printf '[{"properties": ['
  for text in $(texts); do
    n=$((n + 1))
    printf '%s{"name": "f.assertion.%s", "description": "%s"}' "$comma" "$n" "$text"
    comma=,
  done
  echo ']}]'
  exit 0
esac
sleep 0.05
echo '** Results:'
echo 'p.c function ba_finish'
n=0
for text in $(texts); do
  n=$((n + 1))
  case $text in
    baproduct:end | baproduct:cut | *:presumably_true | baproduct:p?[02468]:false) echo "[f.assertion.$n] line 1 $text: FAILURE";;
    *) echo "[f.assertion.$n] line 1 $text: SUCCESS";;
  esac
done
echo
failed=$(grep -o '"baproduct:\(end\|cut\|p[0-9]*:presumably_true\|p[0-9][02468]:false\)"' "$file" | sort -u | wc -l)
echo "** $failed of $n failed (2 iterations)"
echo 'VERIFICATION FAILED'
grep -o '"baproduct:p[0-9]*:false"' "$file" | sort -u | sed "s/^/$*/" >>asked
exit 10
"#;

/// Six properties `p10` to `p15`.
fn list() -> String {
    (10..16)
        .map(|n| format!("p{n}: G {{x != {n}}}\n"))
        .collect()
}

fn project() -> Dir {
    let dir = Dir::with(&[("p.c", PROGRAM), ("l.txt", &list()), ("asked", "")]);
    dir.script("slow", SLOW);
    dir
}

/// Starts the program in a process group of its own, and kills the group after a time.
fn killed(dir: &Dir, args: &[&str], after: Duration) {
    let mut command = dir.command(args);
    command
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(after);
    let group = format!("-{}", child.id());
    // The program may have ended by itself.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &group])
        .stderr(Stdio::null())
        .status()
        .unwrap();
    child.wait().unwrap();
}

/// Pseudo-random moments, the same each time.
fn moments(count: u64, most: u64) -> impl Iterator<Item = Duration> {
    let seed = std::env::var("BAPRODUCT_SEED").map_or(1, |text| text.parse().unwrap());
    (seed..seed + count).map(move |n| Duration::from_millis(n * 7919 % most))
}

fn rounds() -> u64 {
    std::env::var("BAPRODUCT_KILLS").map_or(3, |text| text.parse().unwrap())
}

fn verdicts(ran: &Ran) -> BTreeMap<String, String> {
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    let text = |v: &Value| v.as_str().unwrap().to_string();
    let properties = json["properties"].as_array().unwrap().iter();
    properties
        .map(|p| (text(&p["name"]), text(&p["verdict"])))
        .collect()
}

/// The keys of all results in a file; an incomplete line does not count.
fn keys(dir: &Dir, file: &str) -> Vec<String> {
    let bytes = std::fs::read(dir.path(file)).unwrap_or_default();
    let lines = bytes.split(|&b| b == b'\n');
    let read = |line: &[u8]| {
        let value: Value = serde_json::from_slice(line).ok()?;
        Some(value["key"].as_str()?.to_string())
    };
    lines.filter_map(read).collect()
}

/// Kills a command at several moments, then lets it end: the file of results only grows and has
/// every result once, and the verdicts are those of an uninterrupted run.
fn survives(dir: &Dir, command: &[&str], count: usize, most: u64) {
    let without = dir.run(command);
    let expected = verdicts(&without);
    let resumed = [command, &["--results", "r.jsonl", "--resume"]].concat();
    let mut known = Vec::new();
    for moment in moments(rounds(), most) {
        killed(dir, &resumed, moment);
        let now = keys(dir, "r.jsonl");
        assert!(
            now.starts_with(&known),
            "a result is lost: {known:?}, {now:?}"
        );
        known = now;
    }
    dir.write("asked", "");
    let ended = dir.run(&resumed);
    assert_eq!(verdicts(&ended), expected, "{}", ended.stderr);
    assert_eq!(ended.status, without.status);
    let mut all = keys(dir, "r.jsonl");
    assert!(all.starts_with(&known));
    all.sort();
    all.dedup();
    assert_eq!(
        (all.len(), keys(dir, "r.jsonl").len()),
        (count, count),
        "a result is there twice"
    );
    // All results are known, so the model checker is not started.
    dir.write("asked", "");
    let again = dir.run(&resumed);
    assert_eq!(verdicts(&again), expected);
    assert_eq!(dir.read("asked"), "");
}

#[test]
fn verify_loses_nothing_and_does_nothing_twice() {
    let dir = project();
    let command = [
        "verify",
        "--properties",
        "l.txt",
        "p.c",
        "--group",
        "2",
        "--jobs",
        "1",
        "--no-trace",
        "--format",
        "json",
    ];
    let slow = ["--backend-path", "./slow", "--unwind", "3"];
    survives(&dir, &[&command[..], &slow].concat(), 6, 500);
    std::fs::remove_file(dir.path("r.jsonl")).unwrap();
    let bounds = ["--backend-path", "./slow", "--bounds", "1,2,3"];
    // Three are ⊥ at the first bound already.
    survives(&dir, &[&command[..], &bounds].concat(), 6 + 3 + 3, 500);
    if cbmc() {
        std::fs::remove_file(dir.path("r.jsonl")).unwrap();
        survives(&dir, &[&command[..], &["--unwind", "5"]].concat(), 6, 500);
    }
}

#[test]
fn deepen_loses_nothing_and_does_nothing_twice() {
    let dir = project();
    let command = [
        "deepen",
        "--properties",
        "l.txt",
        "p.c",
        "--no-trace",
        "--format",
        "json",
        "--bounds",
        "1,2,3,4,5",
    ];
    survives(
        &dir,
        &[&command[..], &["--backend-path", "./slow"]].concat(),
        6 + 4 * 3,
        500,
    );
}

#[test]
fn a_campaign_loses_nothing_and_does_nothing_twice() {
    let dir = project();
    let cases: Vec<String> = (0..6)
        .map(|n| format!(r#"{{ "name": "c{n}", "files": ["p.c"], "properties": ["l.txt"], "unwind": [{}] }}"#, n + 1))
        .collect();
    let manifest = format!(
        r#"{{ "args": ["--backend-path", "{}", "--no-trace"], "cases": [{}] }}"#,
        dir.path("slow").display(),
        cases.join(", ")
    );
    dir.write("c.json", manifest);
    let command = ["campaign", "c.json", "--format", "json", "--jobs", "1"];
    let whole = dir.run(&[&command[..], &["--state", "other"]].concat());
    for moment in moments(rounds(), 500) {
        killed(&dir, &command, moment);
    }
    let ended = dir.run(&command);
    assert_eq!(ended.status, whole.status, "{ended:?}");
    let outcome = |ran: &Ran| {
        let json: Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
        json["counts"].clone()
    };
    assert_eq!(outcome(&ended), outcome(&whole));
    dir.write("asked", "");
    let again = dir.run(&command);
    assert_eq!(
        (again.stdout, dir.read("asked")),
        (ended.stdout, String::new())
    );
}

/// The key of a result contains everything on which the verdict depends: options that change the
/// runs, and, if all events are letters, the other propositions.
#[test]
fn a_result_of_another_question_is_not_taken() {
    if !cbmc() {
        return;
    }
    let program = "#include <assert.h>\nint x, y;\nint main(void) { x = 1; y = 1; x = 2; assert(x == 1); return 0; }\n";
    let dir = Dir::with(&[
        ("p.c", program),
        ("l.txt", "a: G {x != 2}   # expect: violated\n"),
    ]);
    let verify = |more: &[&str]| {
        let args = [
            "verify",
            "--properties",
            "l.txt",
            "p.c",
            "--no-trace",
            "--format",
            "json",
            "--results",
            "r.jsonl",
            "--resume",
        ];
        dir.run(&[&args[..], more].concat())
    };
    let ends = verify(&[]);
    assert_eq!((verdicts(&ends)["a"].as_str(), ends.status), ("false", 0));
    let before = keys(&dir, "r.jsonl").len();
    // Every remaining run fails, and what is unknown is not stored.
    assert_eq!(verdicts(&verify(&["--assert-prunes"]))["a"], "unknown");
    // The expectation is no part of the key.
    dir.write("l.txt", "a: G {x != 2}   # expect: satisfied\n");
    let other = verify(&[]);
    assert_eq!(
        (verdicts(&other)["a"].as_str(), other.status),
        ("false", 10)
    );
    assert_eq!(
        keys(&dir, "r.jsonl").len(),
        before,
        "nothing was verified again"
    );
    // With X, each event is a letter, also those of other formulas.
    let next = "next: G ({x == 1} -> X {x == 2})\n";
    dir.write("l.txt", next);
    assert_eq!(verdicts(&verify(&[]))["next"], "presumably_true");
    dir.write("l.txt", format!("{next}more: F {{y == 1}}\n"));
    assert_eq!(verdicts(&verify(&[]))["next"], "false");
}

/// Whether a process exists and is no zombie.
fn runs(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    status.is_ok_and(|text| !text.contains(") Z "))
}

/// A backend and its children end soon after the program is killed, although the program cannot end
/// them.
#[test]
fn a_killed_program_leaves_no_backend_behind() {
    for timeout in [&["--timeout", "600", "--memory", "4000"][..], &[]] {
        let dir = Dir::with(&[("p.c", PROGRAM)]);
        dir.script(
            "endless",
            "if [ \"$1\" = --version ]; then echo '6.6.0 (cbmc-6.6.0)'; exit 0; fi
             sleep 600 & echo $! $$ >>pids; wait",
        );
        let mut command = dir.command(&["verify", "--ltl", "G {x != 3}", "p.c"]);
        command.args(["--backend-path", "./endless", "--jobs", "1"]);
        command
            .args(timeout)
            .env("TMPDIR", dir.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let pids = || -> Vec<String> {
            let text = std::fs::read_to_string(dir.path("pids")).unwrap_or_default();
            text.split_whitespace().map(str::to_string).collect()
        };
        wait_until(|| pids().len() >= 2);
        assert!(pids().iter().all(|pid| runs(pid)));
        child.kill().unwrap();
        child.wait().unwrap();
        wait_until(|| !pids().iter().any(|pid| runs(pid)));
        next_one_cleans_up(&dir);
    }
}

/// The next program removes the temporary files of a killed one, unless they are so new that
/// another process may still use them.
fn next_one_cleans_up(dir: &Dir) {
    let left = || -> Vec<String> {
        let names = dir.names().into_iter();
        names
            .filter(|name| name.starts_with("baproduct-"))
            .collect()
    };
    let next = || {
        let args = ["verify", "--ltl", "G {x != 3}", "p.c", "--backend-path"];
        let mut command = dir.command(&[&args[..], &["./endless", "--timeout", "1"]].concat());
        ran(command.env("TMPDIR", dir.path("")))
    };
    let killed = left();
    assert!(!killed.is_empty(), "the killed one has directories");
    next();
    assert_eq!(left(), killed, "they are new");
    let hour = Duration::from_secs(3600);
    for name in &killed {
        let directory = std::fs::File::open(dir.path(name)).unwrap();
        directory.set_modified(SystemTime::now() - hour).unwrap();
    }
    next();
    assert_eq!(left(), Vec::<String>::new());
}

/// Waits until a condition holds, but not for ever.
fn wait_until(holds: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < PATIENCE,
            "still not so after {PATIENCE:?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
