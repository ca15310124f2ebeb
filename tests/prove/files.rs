//! Programs of several files.

use super::prove;
use crate::support::{cbmc, ran, Dir, AMPLE, FEW};

const FILES: [(&str, &str); 3] = [
    (
        "queue.h",
        "typedef struct queue { int length; int most; } queue_t;\nextern queue_t q;\nvoid put(int n);\nvoid drain(void);\n\
         static inline int least(int a, int b) { return a < b ? a : b; }\n",
    ),
    (
        "main.c",
        "#include \"queue.h\"\nextern int nondet_int(void);\nstatic int state;\nstatic void work(int n) { put(n); drain(); }\nint idle;\n\
         int main(void) {\n  while (1) {\n    idle = 0; int n = nondet_int();\n    if (least(n, 4) > 0) { state = 1; work(n); state = 0; }\n\
         idle = 1;\n  }\n}\n",
    ),
    (
        "queue.c",
        "#include \"queue.h\"\nqueue_t q;\nstatic int state;\nstatic void work(int n) { q.length = n; state = state + 1; }\n\
         void put(int n) { work(least(n, 1000)); }\nvoid drain(void) {\n  while (q.length > 0) {\n    if (q.length != STUCK) q.length--;\n  }\n  state = 0;\n}\n",
    ),
];

/// Files are proved as one program. Statics of one name are told apart, and what a header declares in both is one.
#[test]
fn several_files_are_one_program() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&FILES);
    let drains = "G({q.length > 0} -> F {q.length == 0})";
    let asked = |formula: &str, stuck: &str, more: &[&str]| {
        let define = format!("STUCK={stuck}");
        let args = ["--ltl", formula, "-D", &define, "main.c", "queue.c"];
        prove(&dir, &[&args[..], more].concat())
    };
    let of_queue = "G({queue.c::state == 1} -> F {queue.c::state == 0})";
    let rows = [
        (drains, "7", "refuted"),
        ("G F {idle == 1}", "0", "proved"),
        (of_queue, "0", "proved"),
        (of_queue, "7", "refuted"),
        (
            "G({main.c::state == 1} -> F {main.c::state == 0})",
            "0",
            "proved",
        ),
    ];
    for (formula, stuck, expected) in crate::support::sample(rows, 2) {
        let (got, property) = asked(formula, stuck, &[]);
        assert_eq!(got, expected, "{formula} {stuck}: {property}");
    }
    let (got, property) = asked(drains, "0", &["--certificate", "proof.c"]);
    assert_eq!(got, "proved");
    let ranking = property["proof"]["ranking"].to_string();
    assert!(ranking.contains("queue.c:7"), "{ranking}");
    let out = ran(&mut dir.command(&["verify", "proof.c"]));
    assert_eq!(out.status, 0, "{out:?}");
    assert!(
        out.stdout.contains("the certificate is confirmed"),
        "{out:?}"
    );
}

/// The run names what the user wrote, and the real program repeats it.
#[test]
fn a_run_of_several_files_is_replayed() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&FILES);
    let formula = "G({q.length > 0} -> F {q.length == 0})";
    let args = [
        "prove", "--format", "json", "-q", "--budget", AMPLE, "--ltl", formula,
    ];
    let files = ["-D", "STUCK=7", "main.c", "queue.c"];
    let out = ran(&mut dir.command(&[&args[..], &files].concat()));
    assert_eq!(out.status, 10, "{out:?}");
    let at = |line: &str| out.stdout.contains(line);
    assert!(
        at("\"file\": \"queue.c\"") && !at("work_2"),
        "{}",
        out.stdout
    );
    std::fs::write(dir.path("trace.json"), &out.stdout).unwrap();
    let out = ran(&mut dir.command(&["replay", "trace.json"]));
    assert_eq!(out.status, 0, "{out:?}");
}

/// A type of two meanings keeps files apart; a violation is still found.
#[test]
fn files_that_disagree_about_a_type_are_not_proved() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        ("a.c", "struct s { int n; }; static struct s own; int next(void);\nint main(void) { while (1) own.n = next(); }\n"),
        ("b.c", "struct s { long n; }; static struct s other;\nint next(void) { other.n++; return other.n > 3; }\n"),
    ]);
    let (got, property) = prove(
        &dir,
        &["--questions", FEW, "--ltl", "G {own.n < 2}", "a.c", "b.c"],
    );
    assert_eq!(got, "unknown");
    let reason = property["reason"].as_str().unwrap();
    assert!(
        reason.contains("b.c:1: `s` has different meanings in two files"),
        "{reason}"
    );
    let (got, _) = prove(&dir, &["--ltl", "G {own.n == 0}", "a.c", "b.c"]);
    assert_eq!(got, "refuted");
}
