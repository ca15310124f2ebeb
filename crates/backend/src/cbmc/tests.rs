#![allow(clippy::unwrap_used)]
use super::*;
use crate::answer::{OtherKind, Outcome, StepKind};
use crate::locate::Kind;
use crate::testing::{c_file, fake, real_cbmc};
use std::time::Duration;

const SEQUENTIAL: &str = "int nondet_int(void);
void __CPROVER_assert(_Bool, const char *);
int x; unsigned char ba_monitor = 1; _Bool ba_p;
static void ba_finish(void) {
  __CPROVER_assert(!(ba_monitor == 0), \"baproduct:P:false\");
  __CPROVER_assert(!(ba_monitor <= 1), \"baproduct:P:presumably_false\");
  __CPROVER_assert(!(ba_monitor <= 2), \"baproduct:P:presumably_true\");
}
int main(void) {
  for (int i = 0; i < 3; i++) { int v = nondet_int(); x = v; if (x == 5) { ba_p = 1; ba_monitor = 2; } }
  __CPROVER_assert(x != 7, \"x is not 7\"); __CPROVER_assert(!ba_p, \"baproduct:P:pulse\");
  ba_finish();
  return 0;
}";

const THREADS: &str = "#include <pthread.h>
void __CPROVER_assert(_Bool, const char *); void __CPROVER_atomic_begin(void); void __CPROVER_atomic_end(void);
int x; unsigned char ba_monitor = 2;
void *one(void *a) { __CPROVER_atomic_begin(); x = 1; if (x == 2) ba_monitor = 0; __CPROVER_atomic_end(); return 0; }
void *two(void *a) { int v = x + 1; __CPROVER_atomic_begin(); x = v; if (x == 2) ba_monitor = 0; __CPROVER_atomic_end(); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  __CPROVER_assert(ba_monitor != 0, \"baproduct:P:false\");
  __CPROVER_assert(x <= 2, \"baproduct:P:small\");
  return 0;
}";

/// Too hard for minisat within any limit of these tests.
const HARD: &str = "unsigned nondet_uint(void); void __CPROVER_assert(_Bool, const char *);
int main(void) {
  unsigned long long a = nondet_uint(), b = nondet_uint(), c = nondet_uint(), s = 0;
  for (int i = 0; i < 30; i++) { s = s * a + b * c + nondet_uint(); c ^= s; }
  __CPROVER_assert(s * s + a * b * c != 0xdeadbeefcafeULL || a < 3 || b < 3, \"baproduct:P:false\");
  return 0;
}";

fn outcomes(answer: &Answer) -> Vec<(&str, Outcome)> {
    answer
        .outcomes
        .iter()
        .map(|(t, o)| (t.as_str(), *o))
        .collect()
}

fn run(cbmc: &dyn Backend, job: &Job) -> Result<Answer, Failure> {
    cbmc.run(job, &Cancel::new()).result
}

fn job(source: &std::path::Path) -> Job {
    Job {
        unwind: Some(4),
        ..Job::new(source)
    }
}

#[test]
fn real_outcomes_and_other_failures() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(SEQUENTIAL);
    let finished = cbmc.run(&job(&source), &Cancel::new());
    let answer = finished.result.unwrap();
    let expected = [
        ("baproduct:P:false", Outcome::Holds),
        ("baproduct:P:presumably_false", Outcome::Fails),
        ("baproduct:P:presumably_true", Outcome::Fails),
        ("baproduct:P:pulse", Outcome::Fails),
    ];
    assert_eq!(outcomes(&answer), expected);
    assert_eq!(answer.other_failures.len(), 1);
    let other = &answer.other_failures[0];
    assert_eq!(
        (other.kind, other.text.as_str()),
        (OtherKind::Program, "x is not 7")
    );
    assert_eq!(other.location.line, Some(11));
    assert_eq!(other.location.function.as_deref(), Some("main"));
    assert!(answer.traces.is_empty());
    assert!(finished.usage.seconds > 0.0 && finished.usage.max_rss_kib.is_some());
    assert!(finished.command.contains("--unwind 4"));
}

#[test]
fn real_plain_and_json_output_agree() {
    let Some(cbmc) = real_cbmc() else { return };
    for (text, threads) in [(SEQUENTIAL, false), (THREADS, true)] {
        let (_dir, source) = c_file(text);
        let plain = Job {
            threads,
            ..job(&source)
        };
        let traced = Job {
            traces: Traces::Prefixes(vec!["ba_".into()]),
            ..plain.clone()
        };
        let (plain, traced) = (run(&*cbmc, &plain).unwrap(), run(&*cbmc, &traced).unwrap());
        assert_eq!(plain.outcomes, traced.outcomes);
        assert_eq!(plain.other_failures, traced.other_failures);
        assert!(plain.outcomes.len() > 1);
    }
}

#[test]
fn real_bounds_too_small_are_told() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(SEQUENTIAL);
    let answer = run(
        &*cbmc,
        &Job {
            unwind: Some(3),
            ..job(&source)
        },
    )
    .unwrap();
    assert!(
        answer
            .other_failures
            .iter()
            .any(|f| f.kind == OtherKind::Unwinding),
        "{answer:?}"
    );
    let silent = Job {
        unwind: Some(3),
        unwinding_assertions: false,
        ..job(&source)
    };
    let answer = run(&*cbmc, &silent).unwrap();
    assert!(
        answer
            .other_failures
            .iter()
            .all(|f| f.kind != OtherKind::Unwinding),
        "{answer:?}"
    );
}

#[test]
fn real_recursion_has_a_bound_too() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(
        "void __CPROVER_assert(_Bool, const char *);
         static int down(int n) { return n == 0 ? 0 : down(n - 1); }
         int main(void) { __CPROVER_assert(down(3) == 0, \"baproduct:P:false\"); return 0; }",
    );
    let enough = run(
        &*cbmc,
        &Job {
            unwind: Some(5),
            ..job(&source)
        },
    )
    .unwrap();
    assert_eq!(outcomes(&enough), [("baproduct:P:false", Outcome::Holds)]);
    assert!(enough.other_failures.is_empty(), "{enough:?}");
    let few = run(
        &*cbmc,
        &Job {
            unwind: Some(2),
            ..job(&source)
        },
    )
    .unwrap();
    assert_eq!(few.other_failures[0].kind, OtherKind::Unwinding, "{few:?}");
}

#[test]
fn real_functions_without_a_body_are_told() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(
        "void __CPROVER_assert(_Bool, const char *); int elsewhere(int);
         int main(void) { int x = elsewhere(1); __CPROVER_assert(x == x, \"baproduct:P:false\"); return 0; }",
    );
    for traces in [Traces::None, Traces::Full] {
        let answer = run(
            &*cbmc,
            &Job {
                traces,
                ..job(&source)
            },
        )
        .unwrap();
        assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Holds)]);
        assert_eq!(
            answer.other_failures[0].kind,
            OtherKind::NoBody,
            "{answer:?}"
        );
    }
}

#[test]
fn real_traces_have_the_wanted_steps_only() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(SEQUENTIAL);
    let traces = Traces::Prefixes(vec!["ba_".into()]);
    let answer = run(
        &*cbmc,
        &Job {
            traces,
            ..job(&source)
        },
    )
    .unwrap();
    let trace = &answer.traces["baproduct:P:pulse"];
    let assignments: Vec<_> = trace
        .iter()
        .filter_map(|s| match &s.kind {
            StepKind::Assignment { lhs, value } => Some((lhs.as_str(), value.number)),
            _ => None,
        })
        .collect();
    assert!(
        assignments.contains(&("ba_monitor", Some(1))),
        "{assignments:?}"
    );
    assert!(
        assignments.contains(&("ba_monitor", Some(2))),
        "{assignments:?}"
    );
    assert!(assignments.contains(&("ba_p", Some(1))), "{assignments:?}");
    assert!(assignments.iter().all(|(lhs, _)| lhs.starts_with("ba_")));
    assert_eq!(
        assignments
            .iter()
            .filter(|a| **a == ("ba_p", Some(0)))
            .count(),
        1
    );
    let calls = trace
        .iter()
        .filter(|s| matches!(&s.kind, StepKind::Call { function } if function == "ba_finish"));
    assert_eq!(calls.count(), 0, "it is violated before");
    let Some(StepKind::Violation { text }) = trace.last().map(|s| &s.kind) else {
        panic!("{trace:?}")
    };
    assert_eq!(text, "baproduct:P:pulse");
}

#[test]
fn real_threads_are_told_apart() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(THREADS);
    let job = Job {
        threads: true,
        traces: Traces::Full,
        ..job(&source)
    };
    let answer = run(&*cbmc, &job).unwrap();
    let expected = [
        ("baproduct:P:false", Outcome::Fails),
        ("baproduct:P:small", Outcome::Holds),
    ];
    assert_eq!(outcomes(&answer), expected);
    let trace = &answer.traces["baproduct:P:false"];
    let writers: Vec<_> = trace
        .iter()
        .filter(|s| matches!(&s.kind, StepKind::Assignment { lhs, .. } if lhs == "x"))
        .map(|s| {
            (
                s.thread.unwrap(),
                s.location.function.clone().unwrap_or_default(),
            )
        })
        .collect();
    assert!(
        writers.contains(&(1, "one".into())) && writers.contains(&(2, "two".into())),
        "{writers:?}"
    );
}

#[test]
fn real_selection_and_defines() {
    let Some(cbmc) = real_cbmc() else { return };
    let guarded = SEQUENTIAL.replace("x != 7", "x != BOUND");
    let (_dir, source) = c_file(&guarded);
    let wanted = "baproduct:P:presumably_true";
    let mut job = job(&source);
    job.defines = vec![("BOUND".into(), "8 + 1".into())];
    job.selection = Selection::Only([wanted.to_owned()].into());
    let finished = cbmc.run(&job, &Cancel::new());
    let answer = finished.result.unwrap();
    assert_eq!(outcomes(&answer), [(wanted, Outcome::Fails)]);
    assert_eq!(finished.usage.runs, 2);
    job.selection = Selection::Only(["baproduct:Q:false".to_owned()].into());
    assert_eq!(outcomes(&run(&*cbmc, &job).unwrap()), []);
}

#[test]
fn real_timeout_and_cancellation_and_memory() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(HARD);
    let limited = Job {
        timeout: Some(Duration::from_millis(1500)),
        ..Job::new(&source)
    };
    let finished = cbmc.run(&limited, &Cancel::new());
    assert_eq!(
        finished.result.unwrap_err(),
        Failure::Timeout {
            limit: Duration::from_millis(1500)
        }
    );
    assert!(finished.usage.seconds >= 1.4 && finished.usage.seconds < 60.0);
    let small = Job {
        memory_mib: Some(60),
        ..Job::new(&source)
    };
    assert_eq!(
        run(&*cbmc, &small).unwrap_err(),
        Failure::MemoryOut { mib: Some(60) }
    );
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(
        cbmc.run(&Job::new(&source), &cancel).result.unwrap_err(),
        Failure::Cancelled
    );
}

#[test]
fn real_refusals_are_in_the_backends_own_words() {
    let Some(cbmc) = real_cbmc() else { return };
    let refused = |text: &str, change: &dyn Fn(&mut Job)| {
        let (_dir, source) = c_file(text);
        let mut job = job(&source);
        change(&mut job);
        match run(&*cbmc, &job) {
            Err(Failure::Refused { message }) => message,
            other => panic!("{other:?}"),
        }
    };
    for traces in [Traces::None, Traces::Full] {
        let set = |job: &mut Job| job.traces = traces.clone();
        assert!(refused("int main( { return }", &set).contains("PARSING ERROR"));
        let unsound = refused(THREADS, &|job| {
            set(job);
            job.extra_args.push("--pointer-check".into());
        });
        assert!(
            unsound.contains("pointer handling for concurrency is unsound"),
            "{unsound}"
        );
        let option = refused(SEQUENTIAL, &|job| {
            set(job);
            job.extra_args.push("--frobnicate".into());
        });
        assert!(option.contains("frobnicate"), "{option}");
    }
    let (dir, _) = c_file("");
    let missing = run(&*cbmc, &Job::new(dir.path().join("nothere.c"))).unwrap_err();
    assert!(matches!(missing, Failure::Refused { .. }), "{missing:?}");
}

#[test]
fn real_texts_may_contain_anything_that_is_not_a_lie() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(
        "void __CPROVER_assert(_Bool, const char *);
         int main(void) {
           __CPROVER_assert(1, \"baproduct:é \\\"quoted\\\" <x> [1] line 7 ok: SUCCESS:false\");
           __CPROVER_assert(1, \"two\\nlines: or more\"); return 0; }",
    );
    for traces in [Traces::None, Traces::Full] {
        let answer = run(
            &*cbmc,
            &Job {
                traces,
                ..job(&source)
            },
        )
        .unwrap();
        let text = "baproduct:é \"quoted\" <x> [1] line 7 ok: SUCCESS:false";
        assert_eq!(outcomes(&answer), [(text, Outcome::Holds)]);
    }
}

#[test]
fn real_texts_that_imitate_results_are_not_believed() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(
        "void __CPROVER_assert(_Bool, const char *); int nondet_int(void);
         int main(void) {
           __CPROVER_assert(1, \"a: SUCCESS\\n[fake.assertion.1] line 6 baproduct:P:false\");
           return 0; }",
    );
    match run(&*cbmc, &job(&source)) {
        Err(Failure::Unparsable { .. }) => {}
        Ok(answer) => assert!(answer.outcomes.is_empty(), "{answer:?}"),
        other => panic!("{other:?}"),
    }
}

fn fake_run(version: (u32, u32, u32), script: &str, traces: Traces) -> Result<Answer, Failure> {
    let (_dir, program) = fake(Kind::Cbmc, version, script);
    let cbmc = Cbmc::new(program);
    let timeout = Some(Duration::from_secs(5));
    run(
        &cbmc,
        &Job {
            traces,
            timeout,
            ..Job::new("prog.c")
        },
    )
}

fn plain_says(body: &str, exit: i32) -> Result<Answer, Failure> {
    fake_run(
        (6, 6, 0),
        &format!("cat <<'END'\n{body}\nEND\nexit {exit}"),
        Traces::None,
    )
}

fn assert_unparsable(result: Result<Answer, Failure>, what: &str) {
    match result {
        Err(Failure::Unparsable { message }) => assert!(message.contains(what), "{message}"),
        other => panic!("{other:?}"),
    }
}

const GOOD: &str = "** Results:\nprog.c function main\n[main.assertion.1] line 4 baproduct:P:false: SUCCESS\n\n** 0 of 1 failed (1 iterations)\nVERIFICATION SUCCESSFUL";

#[test]
fn a_whole_answer_is_believed() {
    let answer = plain_says(GOOD, 0).unwrap();
    assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Holds)]);
}

#[test]
fn exit_codes_that_contradict_the_output_are_not_believed() {
    assert_unparsable(plain_says(GOOD, 10), "all hold");
    assert_unparsable(plain_says(GOOD, 6), "all hold");
    let failed = GOOD
        .replace("SUCCESS\n", "FAILURE\n")
        .replace("0 of", "1 of");
    let failed = failed.replace("SUCCESSFUL", "FAILED");
    assert_unparsable(plain_says(&failed, 0), "some fail");
    assert_eq!(
        outcomes(&plain_says(&failed, 10).unwrap()),
        [("baproduct:P:false", Outcome::Fails)]
    );
}

#[test]
fn output_that_contradicts_itself_is_not_believed() {
    assert_unparsable(
        plain_says(&GOOD.replace("SUCCESS\n", "FAILURE\n"), 0),
        "summary",
    );
    assert_unparsable(plain_says(&GOOD.replace("0 of 1", "0 of 2"), 0), "summary");
    assert_unparsable(
        plain_says(&GOOD.replace("SUCCESSFUL", "FAILED"), 10),
        "contradicts",
    );
    let line = "[main.assertion.1] line 4 baproduct:P:false: SUCCESS\n";
    let twice = GOOD
        .replace(line, &line.repeat(2))
        .replace("0 of 1", "0 of 2");
    assert_unparsable(plain_says(&twice, 0), "twice");
}

#[test]
fn every_truncation_of_an_answer_is_noticed() {
    for end in 0..GOOD.len() {
        if GOOD.is_char_boundary(end) {
            let output = plain::read(&GOOD.as_bytes()[..end]);
            assert!(output.answer.is_none(), "{}", &GOOD[..end]);
        }
    }
}

proptest::proptest! {
    /// Whatever happens to the lines, the answer is the right one or none.
    #[test]
    fn lines_that_are_lost_or_doubled_never_change_an_answer(
        counts in proptest::collection::vec(0usize..3, 12),
    ) {
        let whole = GOOD.replace(
            "[main.assertion.1]",
            "[main.assertion.0] line 3 baproduct:P:true: FAILURE\n[main.assertion.1]",
        );
        let whole = whole.replace("0 of 1", "1 of 2").replace("SUCCESSFUL", "FAILED");
        let lines = whole.lines().zip(counts.iter());
        let text: String = lines.map(|(line, n)| format!("{line}\n").repeat(*n)).collect();
        let right = plain::read(whole.as_bytes()).answer.unwrap();
        if let Some(answer) = plain::read(text.as_bytes()).answer {
            proptest::prop_assert_eq!(answer.outcomes, right.outcomes);
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        proptest::prop_assert!(plain::read(&bytes[..]).answer.is_none());
        proptest::prop_assert!(json::read(Lossy::new(&bytes[..]), &Traces::Full).answer.is_none());
    }
}

#[test]
fn statuses_that_decide_nothing_leave_the_text_open() {
    for status in ["UNKNOWN", "ERROR"] {
        let output = GOOD.replace("false: SUCCESS", &format!("false: {status}"));
        let answer = plain_says(&output, 0).unwrap();
        assert!(answer.outcomes.is_empty());
        assert!(answer.undecided.contains_key("baproduct:P:false"));
    }
}

const GOOD_JSON: &str = r#"[ {"program": "CBMC 6.6.0"},
  {"messageText": "careful", "messageType": "WARNING"},
  {"result": [ {"description": "baproduct:P:false", "property": "main.assertion.1", "status": "FAILURE",
     "sourceLocation": {"file": "prog.c", "line": "4", "function": "main"},
     "trace": [ {"stepType": "assignment", "lhs": "ba_q", "thread": 1, "hidden": true,
                 "value": {"name": "integer", "type": "unsigned char", "data": "'a'", "binary": "01100001"}},
                {"stepType": "assignment", "lhs": "y", "value": {"name": "boolean", "data": "TRUE"}},
                {"stepType": "failure", "reason": "baproduct:P:false"} ] } ]},
  {"cProverStatus": "failure"} ]"#;

#[test]
fn json_is_read_as_a_whole_or_not_at_all() {
    let traces = Traces::Prefixes(vec!["ba_".into()]);
    let output = json::read(GOOD_JSON.as_bytes(), &traces);
    let answer = output.answer.unwrap();
    assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Fails)]);
    assert_eq!(output.warnings, ["careful"]);
    let trace = &answer.traces["baproduct:P:false"];
    assert_eq!(trace.len(), 2);
    let StepKind::Assignment { value, .. } = &trace[0].kind else {
        panic!()
    };
    assert_eq!((value.text.as_str(), value.number), ("'a'", Some(97)));
    for end in 0..GOOD_JSON.len() {
        assert!(json::read(&GOOD_JSON.as_bytes()[..end], &traces)
            .answer
            .is_none());
    }
}

#[test]
fn json_that_contradicts_itself_is_not_believed() {
    let lies = [
        ("\"failure\"", "\"success\"", "contradicts"),
        ("{\"cProverStatus\": \"failure\"}", "{}", "missing"),
        (
            "{\"cProverStatus\": \"failure\"}",
            "{\"cProverStatus\": \"error\"}",
            "error",
        ),
    ];
    for (from, to, what) in lies {
        let problem = json::read(GOOD_JSON.replace(from, to).as_bytes(), &Traces::Full).problem;
        assert!(
            problem.as_ref().is_some_and(|p| p.contains(what)),
            "{problem:?}"
        );
    }
}

#[test]
fn deeply_nested_json_is_an_error_and_no_overflow() {
    for (open, close) in [
        ("[", "]"),
        ("{\"x\":", "}"),
        (
            "[{\"result\":[{\"trace\":[{\"value\":{\"elements\":[{\"value\":",
            "",
        ),
    ] {
        let text = format!(
            "[{{\"a\": {}{}}}]",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        assert!(json::read(text.as_bytes(), &Traces::Full).answer.is_none());
    }
    let value = "{\"name\":\"struct\",\"members\":[{\"name\":\"m\",\"value\":".repeat(50_000);
    let text = format!("[{{\"result\":[{{\"trace\":[{{\"lhs\":\"x\",\"value\":{value}");
    assert!(json::read(text.as_bytes(), &Traces::Full).answer.is_none());
}

#[test]
fn programs_that_misbehave_are_failures_with_a_reason() {
    let none = || Traces::None;
    let six = (6, 6, 0);
    let hangs = fake_run(six, "exec sleep 100", none());
    assert_eq!(
        hangs.unwrap_err(),
        Failure::Timeout {
            limit: Duration::from_secs(5)
        }
    );
    let crashes = fake_run(six, "echo half; kill -SEGV $$", none()).unwrap_err();
    assert!(
        matches!(&crashes, Failure::Crashed { status, .. } if status.contains("11")),
        "{crashes:?}"
    );
    let aborts = fake_run(
        six,
        "echo 'invariant violation report' >&2; exit 134",
        none(),
    )
    .unwrap_err();
    assert!(matches!(aborts, Failure::Crashed { .. }));
    let dies_after = format!("cat <<'END'\n{GOOD}\nEND\nkill -KILL $$");
    let killed = fake_run(six, &dies_after, none()).unwrap_err();
    assert!(killed.to_string().contains("no memory"), "{killed}");
    let memory = fake_run(
        six,
        "echo \"terminate called after throwing 'std::bad_alloc'\" >&2; kill -ABRT $$",
        none(),
    );
    assert_eq!(memory.unwrap_err(), Failure::MemoryOut { mib: None });
    assert!(matches!(
        fake_run(six, "", none()),
        Err(Failure::Unparsable { .. })
    ));
    assert!(matches!(
        fake_run(six, "", Traces::Full),
        Err(Failure::Unparsable { .. })
    ));
    let garbage = fake_run(six, "printf '\\377\\376[\\300'; exit 0", Traces::Full);
    assert!(matches!(garbage, Err(Failure::Unparsable { .. })));
    let huge = fake_run(
        six,
        "yes '[main.assertion.1] line' | head -c 30000000; exit 10",
        none(),
    );
    assert!(matches!(huge, Err(Failure::Unparsable { .. })));
    let error_and_result = format!(
        "echo 'OUT' >&2; cat <<'END'\n{}\nEND\nexit 10",
        GOOD_JSON.replace("WARNING", "ERROR")
    );
    assert!(fake_run(six, &error_and_result, Traces::Full).is_err());
}

#[test]
fn bytes_that_are_not_utf8_do_not_hide_an_answer() {
    let script = "printf '** Results:\\n[a\\377.1] line 4 baproduct:P:false: SUCCESS\\n\\n** 0 of 1 failed (1 iterations)\\nVERIFICATION SUCCESSFUL\\n'";
    let answer = fake_run((6, 6, 0), script, Traces::None).unwrap();
    assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Holds)]);
}

#[test]
fn options_fit_the_version() {
    let (_dir, program) = fake(Kind::Cbmc, (5, 12, 0), "");
    let five = Cbmc::new(program)
        .invocation(&Job::new("-x.c"), &[])
        .shell();
    assert!(
        !five.contains("--no-standard-checks") && five.ends_with(" ./-x.c"),
        "{five}"
    );
    let (_dir, program) = fake(Kind::Cbmc, (6, 6, 0), "");
    let job = Job {
        defines: vec![("A".into(), String::new()), ("B".into(), "1".into())],
        unwindset: vec![("main.0".into(), 3), ("f.1".into(), 4)],
        threads: true,
        sat_preprocessor: false,
        ..Job::new("p.c")
    };
    let six = Cbmc::new(program)
        .invocation(&job, &["main.assertion.1".into()])
        .shell();
    let (_, options) = six.split_once("cbmc ").unwrap();
    assert!(options.ends_with("--no-standard-checks -DA -DB=1 --unwindset main.0:3,f.1:4 --unwinding-assertions --no-sat-preprocessor --property main.assertion.1 p.c"), "{six}");
}

/// A CBMC whose formula is dense, and which takes for ever unless the simplifier is off.
const DENSE: &str = r#"echo '10 variables, 900000 clauses'
case "$*" in
  *--no-sat-preprocessor*) ;;
  *) exec sleep 100 ;;
esac"#;

#[test]
fn a_simplifier_that_takes_long_is_overtaken() {
    let script = format!("{DENSE}\ncat <<'END'\n{GOOD}\nEND\nexit 0");
    let begun = std::time::Instant::now();
    let answer = fake_run((6, 6, 0), &script, Traces::None).unwrap();
    assert!(!answer.outcomes.is_empty());
    assert!(begun.elapsed().as_secs() < 50);
}

#[test]
fn the_run_that_is_left_answers_when_the_other_fails() {
    let script = format!(
        "echo '10 variables, 900000 clauses'\ncase \"$*\" in\n*--no-sat-preprocessor*) exit 64;;\nesac\nsleep 1\ncat <<'END'\n{GOOD}\nEND\nexit 0"
    );
    let answer = fake_run((6, 6, 0), &script, Traces::None).unwrap();
    assert!(!answer.outcomes.is_empty());
}
