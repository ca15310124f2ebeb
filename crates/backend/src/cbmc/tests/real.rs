//! Tests with a real CBMC.

use super::super::*;
use super::{job, outcomes, run};
use crate::answer::{OtherKind, Outcome, StepKind};
use crate::testing::{c_file, real_cbmc};
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

/// CBMC writes control characters of literals as they are where it describes its own checks.
#[test]
fn real_json_with_control_characters_in_literals_is_read() {
    let Some(cbmc) = real_cbmc() else { return };
    let (_dir, source) = c_file(
        "void *malloc(unsigned long); void *memcpy(void *, const void *, unsigned long);
int main(void) { char *p = malloc(2); memcpy(p, \"\\1\\2\", 2); __CPROVER_assert(p[1] == 1, \"baproduct:P:false\"); return 0; }",
    );
    let traced = Job {
        traces: Traces::Prefixes(vec!["ba_".into()]),
        ..job(&source)
    };
    let answer = run(&*cbmc, &traced).unwrap();
    assert_eq!(
        outcomes(&answer),
        [("baproduct:P:false", Outcome::Fails)],
        "{answer:?}"
    );
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
    assert!(finished.usage.seconds >= 1.4 && finished.usage.seconds < 300.0);
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
