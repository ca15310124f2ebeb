//! `--also-safety`: the program's own assertions and the backend's checks beside the verdict.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::Value;

/// The findings of a kind: line and message.
fn findings(json: &Value, kind: &str) -> Vec<(u64, String)> {
    let all = json["findings"].as_array().unwrap().iter();
    let wanted = all.filter(|f| f["kind"] == kind);
    wanted
        .map(|f| {
            let message = f["message"].as_str().unwrap().to_owned();
            (f["line"].as_u64().unwrap(), message)
        })
        .collect()
}

const SEQUENTIAL: &str = r#"#include <assert.h>
#include <stdlib.h>
int a[3], done;
int main(void) {
  int zero = 0;
  for (int i = 0; i < 4; i++) a[i] = i;
  int *q = malloc(sizeof *q);
  if (q) { *q = 3; free(q); zero = *q; }
  done = 1;
  assert(done == 2);
  return 10 / zero;
}
"#;

#[test]
fn failing_checks_stand_beside_the_verdict() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", SEQUENTIAL)]);
    let (json, status) = dir.verify(&["--ltl", "F {done == 1}", "p.c", "--also-safety"]);
    assert_eq!(
        (json["verdict"].as_str(), status),
        (Some("true"), 10),
        "{json}"
    );
    assert_eq!(json["safety"]["holds"], false);
    let asserted = findings(&json, "assertion");
    assert_eq!(
        asserted,
        [(10, "the program's assertion `done == 2` fails".to_owned())]
    );
    let checks = findings(&json, "check");
    let lines: Vec<u64> = checks.iter().map(|c| c.0).collect();
    // The run ends at the assertion, so it does not reach the division.
    assert_eq!(lines, [6, 8], "{checks:?}");
    assert!(checks[0].1.contains("bound"), "{checks:?}");
    assert!(checks[1].1.contains("deallocated"), "{checks:?}");

    // Without the option there are no such checks, and the verdict is the same.
    let (json, status) = dir.verify(&["--ltl", "F {done == 1}", "p.c"]);
    assert_eq!(
        (json["verdict"].as_str(), status),
        (Some("true"), 0),
        "{json}"
    );
    assert!(json.get("safety").is_none());
}

#[test]
fn a_program_in_which_nothing_fails_is_safe() {
    if !cbmc() {
        return;
    }
    let program =
        "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); return 4 / x; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let args = ["--ltl", "F {x == 2}", "p.c", "--also-safety"];
    let (json, status) = dir.verify(&args);
    assert_eq!(
        (json["verdict"].as_str(), status),
        (Some("presumably_false"), 10)
    );
    assert_eq!(json["safety"]["holds"], true, "{json}");
    assert_eq!(json["findings"], serde_json::json!([]));
    let text = dir.run(&[&["verify"][..], &args[..]].concat());
    assert!(text.stdout.contains("\nSafety\n"), "{}", text.stdout);
}

#[test]
fn threads_are_checked_but_for_their_pointers() {
    if !cbmc() {
        return;
    }
    let program = r#"#include <pthread.h>
#include <assert.h>
int a[3], n;
void *w(void *p) { n = n + 1; assert(n < 2); a[n + 1] = 1; return p; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
"#;
    let dir = Dir::with(&[("p.c", program)]);
    let (json, status) = dir.verify(&["--ltl", "G {n < 3}", "p.c", "--also-safety"]);
    assert_eq!(
        (json["verdict"].as_str(), status),
        (Some("presumably_true"), 10),
        "{json}"
    );
    assert_eq!(findings(&json, "assertion").len(), 1, "{json}");
    assert_eq!(findings(&json, "check").len(), 1, "{json}");
    let reason = json["safety"]["reason"].as_str().unwrap();
    assert!(reason.contains("pointers were not checked"), "{reason}");
}

#[test]
fn no_answer_is_no_safety() {
    let dir = Dir::with(&[("p.c", "int x;\nint main(void) { x = 1; return 0; }\n")]);
    dir.script(
        "fake",
        "case \"$*\" in --version) echo '6.6.0 (cbmc-6.6.0)'; exit 0;; *bounds-check*) exit 0;; esac\n\
         printf '** Results:\\n[a.1] line 1 baproduct:ltl:presumably_false: SUCCESS\\n[a.2] line 1 baproduct:end: FAILURE\\n\\n** 1 of 2 failed (1 iterations)\\nVERIFICATION FAILED\\n'; exit 10",
    );
    let (json, status) = dir.verify(&[
        "--ltl",
        "F {x == 1}",
        "p.c",
        "--also-safety",
        "--backend-path",
        "./fake",
    ]);
    assert_eq!(
        (json["verdict"].as_str(), status),
        (Some("true"), 5),
        "{json}"
    );
    assert_eq!(json["safety"]["holds"], Value::Null);
    assert!(!json["safety"]["reason"].as_str().unwrap().is_empty());
    let native = dir.run(&[
        "verify",
        "--ltl",
        "F {x == 1}",
        "p.c",
        "--also-safety",
        "--backend",
        "native",
    ]);
    assert_eq!(native.status, 2);
}
