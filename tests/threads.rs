//! The table of `tests/threads`: for each means of synchronisation, programs that are correct,
//! wrong, deadlocking and livelocking, with verdict, completeness, deadlock and misuse, checked
//! with real CBMC. Rows marked `heavy` run only with `BAPRODUCT_THOROUGH`.
#![allow(clippy::unwrap_used)]

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{self, cbmc, thorough, Dir};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads")
}

fn strings(row: &Value, key: &str) -> Vec<String> {
    let list = row[key].as_array().into_iter().flatten();
    list.map(|v| v.as_str().unwrap().to_string()).collect()
}

/// Verifies a row with these schedules, each run of the model checker within so many seconds.
fn verify(row: &Value, schedules: &str, timeout: u32) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baproduct"));
    command.current_dir(directory()).args(["verify", "--ltl"]);
    command.arg(row["ltl"].as_str().unwrap());
    command.arg(row["program"].as_str().unwrap());
    for define in strings(row, "define") {
        command.arg("-D").arg(define);
    }
    let unwind = row["unwind"].as_u64().unwrap_or(4).to_string();
    command.args(["--unwind", &unwind, "--format", "json", "--no-trace"]);
    command.args(["--timeout", &timeout.to_string(), "--memory", "6000"]);
    command.args(["--schedules", schedules]);
    command.args(strings(row, "args"));
    let output = command.output().map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// File and line of each finding of a kind.
fn places(result: &Value, kind: &str) -> Vec<String> {
    let findings = result["findings"].as_array().unwrap().iter();
    findings
        .filter(|f| f["kind"] == kind)
        .map(|f| format!("{}:{}", f["file"].as_str().unwrap_or(""), f["line"]))
        .collect()
}

fn check(row: &Value) -> Result<(), String> {
    let result = verify(row, row["schedules"].as_str().unwrap_or("all"), 300)?;
    let mut wrong = Vec::new();
    let mut same = |what: &str, got: &Value, want: Value| {
        if *got != want {
            wrong.push(format!("{what} is {got}, not {want}"));
        }
    };
    let deadlock = row["deadlock"].as_bool().unwrap_or(false);
    same("verdict", &result["verdict"], row["verdict"].clone());
    let complete = row["complete"].as_bool().unwrap_or(true);
    same("complete", &result["complete"], complete.into());
    let mark = &result["properties"][0]["deadlock"];
    same("deadlock", mark, deadlock.into());
    let misuse = places(&result, "misuse").into();
    same("misuse", &misuse, strings(row, "misuse").into());
    if deadlock && places(&result, "deadlock").is_empty() {
        wrong.push("no finding tells of the deadlock".into());
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} ({})", wrong.join(", "), result["reason"])),
    }
}

fn table() -> Vec<Value> {
    let text = std::fs::read_to_string(directory().join("table.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The rows by rounds: what they find, all schedules find, so no verdict may be worse than the
/// row's, unless it says itself that runs were cut: some loops that only wait are none by rounds.
/// A verdict that is better is told, but no error: more rounds may be needed. Rows without an answer
/// in time are told, too. Wrong uses of locks are the row's. Takes every ninetieth row and some
/// of those that use locks wrongly; with `BAPRODUCT_THOROUGH`, all; `BAPRODUCT_ROUNDS` changes the number of
/// rounds.
#[test]
fn no_row_is_worse_by_rounds() {
    if !cbmc() {
        return;
    }
    let rounds = std::env::var("BAPRODUCT_ROUNDS").unwrap_or_else(|_| "4".into());
    let every = if thorough() { 1 } else { 90 };
    let order = ["false", "presumably_false", "presumably_true", "true"];
    let level = |verdict: &Value| order.iter().position(|v| *verdict == **v);
    let (mut tried, mut same, mut failures) = (0, 0, Vec::new());
    let wrong = |row: &Value| row["misuse"].is_array();
    let table = table();
    let rows = table.iter().enumerate();
    let taken = rows.filter(|(number, row)| {
        number % every == 0 || (wrong(row) && (thorough() || number % 10 == 0))
    });
    for (_, row) in taken {
        let label = format!("{} {} {}", row["program"], row["define"], row["ltl"]);
        tried += 1;
        let result = match verify(row, &format!("rounds:{rounds}"), 25) {
            Ok(result) => result,
            Err(error) => {
                failures.push(format!("{label}: {error}"));
                continue;
            }
        };
        let (found, wanted) = (level(&result["verdict"]), level(&row["verdict"]));
        let misuse = places(&result, "misuse");
        if found.is_some() && misuse != strings(row, "misuse") {
            failures.push(format!("{label}: wrong uses at {misuse:?}"));
        }
        match found.cmp(&wanted) {
            _ if found.is_none() => println!("{label}: no answer: {}", result["reason"]),
            Ordering::Less if result["complete"] == false && result["verdict"] != "false" => {
                println!("{label}: {} of runs that were cut", result["verdict"]);
            }
            Ordering::Less => failures.push(format!("{label}: {}", result["verdict"])),
            Ordering::Equal => same += 1,
            Ordering::Greater => println!("{label}: {} in {rounds} rounds", result["verdict"]),
        }
    }
    println!("{same} of {tried} rows have the verdict of all schedules in {rounds} rounds");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(same * 10 >= tried * 8, "{same} of {tried} rows");
}

/// Runs the rows of one program.
fn rows_of(program: &str) {
    if !cbmc() {
        return;
    }
    let table = table();
    let heavy = thorough();
    let mine = table.iter().filter(|row| row["program"] == program);
    let mine: Vec<&Value> = mine.collect();
    assert!(!mine.is_empty(), "no row for {program}");
    let run = mine.iter().filter(|row| heavy || row["heavy"] != true);
    let run = crate::support::sample(run, 10);
    let failures: Vec<String> = run
        .filter_map(|row| {
            let label = format!("{} {} {}", row["program"], row["define"], row["ltl"]);
            check(row).err().map(|e| format!("{label}: {e}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The finding of a deadlock names the locks, even if the source text shows only pointers, and the
/// threads.
#[test]
fn a_deadlock_names_what_its_threads_wait_for() {
    if !cbmc() {
        return;
    }
    let mut verify = Command::new(env!("CARGO_BIN_EXE_baproduct"));
    verify.current_dir(directory());
    verify.args([
        "verify",
        "--ltl",
        "F {done0 == 1}",
        "--engine",
        "rounds",
        "objects.c",
        "--format",
        "json",
    ]);
    let output = verify.output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let trace = result["properties"][0]["trace"].as_array().unwrap();
    let blocked = trace.iter().filter(|step| step["event"] == "blocked");
    let waits: BTreeSet<(u64, &str)> = blocked
        .map(|step| {
            (
                step["thread"].as_u64().unwrap(),
                step["object"].as_str().unwrap(),
            )
        })
        .collect();
    let wanted = [(1, "accounts[1].lock"), (2, "accounts[0].lock")];
    assert!(wanted.iter().all(|w| waits.contains(w)), "{waits:?}");
    assert!(
        waits
            .iter()
            .any(|(t, o)| *t == 0 && o.starts_with("thread ")),
        "{waits:?}"
    );
    // Each of the two threads holds the lock for which the other one waits, and took it in the line
    // before.
    for (waits, holds) in [(1, 2), (2, 1)] {
        let held = serde_json::json!([{ "thread": holds, "file": "objects.c", "line": 17 }]);
        let mut steps = trace.iter().filter(|s| s["event"] == "blocked");
        let step = steps.find(|s| s["thread"] == waits).unwrap();
        assert_eq!(step["holders"], held);
        assert_eq!(step["missing"], "an unlock");
    }
    let findings = result["findings"].as_array().unwrap();
    let told = findings.iter().find(|f| f["kind"] == "deadlock").unwrap();
    let message = told["message"].as_str().unwrap();
    for part in [
        "objects.c:18",
        "accounts[0].lock",
        "accounts[1].lock",
        "which thread 2 (back) locked at objects.c:17",
        "only the end of the thread would let it go on",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

/// Programs that CBMC would misinterpret are refused with their place before CBMC is started.
#[test]
fn what_cannot_be_followed_is_refused() {
    let scratch = std::env::temp_dir().join(format!("baproduct-refused-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let begin = "#include <pthread.h>\nint x, cells[2];\n";
    let end = "int main(void)\n{\n    pthread_t t;\n    int *p;\n    pthread_create(&t, NULL, f, NULL);\n    \
               pthread_join(t, (void **)&p);\n    x = *p;\n    return 0;\n}\n";
    let joined = "void *f(void *arg) { (void)arg; return &cells[1]; }\n";
    let atomic = "void __VERIFIER_atomic_begin(void);\n\
                  void *f(void *arg) { (void)arg; __VERIFIER_atomic_begin(); return NULL; }\n";
    let cases = [
        (joined, "prog.c:3:40", "`pthread_join`", "--backend esbmc"),
        (
            atomic,
            "prog.c:4:33",
            "`__VERIFIER_atomic_begin` is not modelled",
            "use a mutex",
        ),
    ];
    for (routine, place, what, help) in cases {
        std::fs::write(scratch.join("prog.c"), format!("{begin}{routine}{end}")).unwrap();
        let mut verify = Command::new(env!("CARGO_BIN_EXE_baproduct"));
        verify.current_dir(&scratch);
        let output = verify
            .args(["verify", "--ltl", "F {x == 1}", "prog.c"])
            .args(["--schedules", "all"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        for part in [place, what, help] {
            assert!(said.contains(part), "{part} in {said}");
        }
    }
    std::fs::remove_dir_all(&scratch).unwrap();
}

/// A report names the assumptions about atomic operations if a program rests on them.
#[test]
fn what_is_assumed_of_atomic_operations_is_told() {
    if !cbmc() {
        return;
    }
    let assumptions = |define: &str| {
        let row = serde_json::json!({ "program": "busy.c", "define": [define], "ltl": "F {have == 1}", "unwind": 2 });
        verify(&row, "all", 300).unwrap()["assumptions"].to_string()
    };
    let (weak, plain) = (assumptions("WEAK"), assumptions("GOTO"));
    for part in ["weaker orders", "atomic_compare_exchange_weak"] {
        assert!(weak.contains(part), "{part} in {weak}");
        assert!(!plain.contains(part), "{part} in {plain}");
    }
}

/// Sequential consistency is not listed as an assumption if another memory model was chosen.
#[test]
fn one_memory_model_is_told() {
    let program = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 1; return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = ["--engine", "steps", "--memory-model", "tso"];
    let (got, _) = dir.verify(&[&["--ltl", "F {x != 0}", "p.c"], &asked[..]].concat());
    assert_eq!(got["properties"][0]["holds"], "proved", "{got}");
    let told = got["assumptions"].to_string();
    assert!(told.contains("memory model tso"), "{told}");
    assert!(!told.contains("sequential consistency"), "{told}");
}

/// The output of a command that succeeds.
fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The identifiers of a text that begin with `beginning`.
fn identifiers(text: &str, beginning: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let found = words.filter(|w| w.starts_with(beginning));
    found.map(str::to_string).collect()
}

/// A compiler, with a macro for each version of ESBMC: its front end is clang's; gcc replaces a
/// missing clang.
fn compilers() -> [(&'static str, &'static str); 2] {
    let compiler = support::compilers().pop().unwrap_or("gcc");
    ["-DBA_TRACE", "-DBA_ONE_COPY"].map(|version| (compiler, version))
}

/// The text emitted for ESBMC is C that a compiler accepts, without names that only CBMC knows, and
/// with no names of ESBMC's but the intended ones: a misspelt one would be a function without a
/// body. Every atomic block that begins also ends.
#[test]
fn what_esbmc_is_given() {
    let text = std::fs::read_to_string(directory().join("table.json")).unwrap();
    let table: Vec<Value> = serde_json::from_str(&text).unwrap();
    let scratch = std::env::temp_dir().join(format!("baproduct-esbmc-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let (spec, woven) = (scratch.join("spec.json"), scratch.join("woven.c"));
    let mut seen = BTreeSet::new();
    let compilers = compilers();
    for row in crate::support::sample(&table, 24) {
        let what = (row["program"].to_string(), row["define"].to_string());
        if !seen.insert(what) {
            continue;
        }
        std::fs::write(&spec, format!("{{\"ltl\": {}}}", row["ltl"])).unwrap();
        let mut instrument = Command::new(env!("CARGO_BIN_EXE_baproduct"));
        instrument.current_dir(directory()).arg("instrument");
        instrument.arg(&spec).arg(row["program"].as_str().unwrap());
        for define in strings(row, "define") {
            instrument.arg("-D").arg(define);
        }
        output_of(instrument.arg("-o").arg(&woven));
        let strict = [
            "-Werror=implicit",
            "-Werror=int-conversion",
            "-Werror=incompatible-pointer-types",
        ];
        for &(compiler, copies) in &compilers {
            output_of(
                Command::new(compiler)
                    .args(["-std=gnu11", "-fsyntax-only", "-w", "-DBA_ESBMC", copies])
                    .args(strict)
                    .arg(&woven),
            );
        }
        let text = output_of(
            Command::new("gcc")
                .args(["-E", "-P", "-DBA_ESBMC"])
                .arg(&woven),
        );
        assert_eq!(identifiers(&text, "__CPROVER"), BTreeSet::new(), "{row}");
        let known = [
            "assert",
            "assume",
            "atomic_begin",
            "atomic_end",
            "terminate_thread",
        ];
        let known = known.iter().map(|n| format!("__ESBMC_{n}")).collect();
        let used = identifiers(&text, "__ESBMC");
        assert!(used.is_subset(&known), "{row}: {used:?}");
        let times = |name: &str| text.matches(name).count();
        assert_eq!(
            times("__ESBMC_atomic_begin()"),
            times("__ESBMC_atomic_end()"),
            "{row}"
        );
    }
    std::fs::remove_dir_all(&scratch).unwrap();
}

macro_rules! programs {
    ($($name:ident),* $(,)?) => {
        $(#[test] fn $name() { rows_of(concat!(stringify!($name), ".c")); })*

        #[test]
        fn every_program_is_run() {
            let mut found: Vec<String> = std::fs::read_dir(directory()).unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|e| e == "c"))
                .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
                .collect();
            found.sort();
            let mut listed = vec![$(stringify!($name)),*];
            listed.sort();
            assert_eq!(found, listed);
        }
    };
}

programs! {
    atomics, bakery, barber, barrier, buffer, busy, c11, condition, dekker, double_checked, elevator, endings, inversion, kinds, lamport, misuse, mutex, objects, once, peterson, philosophers, place, read_write, readers, rwlock, semaphore, spin, szymanski, timed, waits, wrong_uses,
}
