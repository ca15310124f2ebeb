//! Threaded programs about all of whose schedules a wrong answer was given.

use serde_json::Value;

use crate::support::{cbmc, repository, Dir, AMPLE};

/// What `verify` says about all schedules of a program.
fn verified(program: &str, formula: &str, more: &[&str]) -> Value {
    let program = repository(program);
    let program = program.to_str().unwrap();
    let asked = ["--engine", "steps", "--no-trace", "--ltl", formula, program];
    let (result, _) = Dir::new().verify(&[&asked[..], more].concat());
    result["properties"][0].clone()
}

/// A thread that goes round a loop without an access of shared memory did so within one step, and no other thread could
/// go on: runs in which it spins for ever were unfair, and formulas were proved that such a run violates.
#[test]
fn a_thread_that_spins_within_a_step_is_followed() {
    if !cbmc() {
        return;
    }
    let formula = "G({want == 1} -> F {have == 1})";
    for (name, define) in [("busy", "-DHEAD"), ("waits", "-DSWITCHED")] {
        let program = format!("tests/threads/{name}.c");
        let got = verified(&program, formula, &[define]);
        assert_eq!(got["holds"], "proved", "{name}: {got}");
        let got = verified(&program, formula, &[define, "-DDEAD"]);
        assert_eq!(got["holds"], "refuted", "{name}: {got}");
    }
}

/// The models of waits with a limit gave the codes of POSIX where C11 has its own, and could be late though nothing
/// stood in the way: formulas that hold were refuted.
#[test]
fn waits_with_a_limit_answer_as_their_library_says() {
    if !cbmc() {
        return;
    }
    let either = "F ({got == 1} || {late == 1})";
    let got = verified("tests/threads/timed.c", either, &["-DCONDITION"]);
    assert_eq!(got["holds"], "proved", "{got}");
    let got = verified("tests/threads/mutex.c", "F {have == 1}", &["-DTIMED"]);
    assert_eq!(got["holds"], "proved", "{got}");
}

/// Model checkers take `__builtin_unreachable` for a call without effect, and what comes after it was a ground of refutations.
#[test]
fn nothing_is_refuted_by_what_comes_after_unreachable_code() {
    if !cbmc() {
        return;
    }
    let body =
        |before: &str| format!("{before} if (n == 3) __builtin_unreachable(); if (n == 3) x = 1;");
    let head = "#include <pthread.h>\nextern int nondet_int(void);\nint x, n;\n";
    let threads = |before: &str| {
        let body = body(before);
        format!(
            "{head}void *f(void *a) {{ {body} return a; }}\nint main(void) {{ pthread_t t; n = nondet_int();\n\
            pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }}\n"
        )
    };
    let alone = |before: &str| {
        let body = body(before);
        format!("{head}int main(void) {{ for (;;) {{ n = nondet_int(); {body} }} }}\n")
    };
    // Where there is no answer, searches at growing bounds would go on for ever.
    let few = &["--unwind", "3"][..];
    let steps = &["--engine", "steps"][..];
    let all = &["--engine", "bounded,induction"][..];
    let cases = [
        (alone(""), few, "unknown"),
        (threads(""), few, "unknown"),
        (threads(""), steps, "unknown"),
        (alone("if (n == 3) x = 1;"), all, "refuted"),
    ];
    for (program, how, expected) in cases {
        let dir = Dir::with(&[("p.c", &program)]);
        let (got, _) = dir.verify(&[how, &["--no-trace", "--ltl", "G {x == 0}", "p.c"]].concat());
        let got = &got["properties"][0];
        assert_eq!(got["holds"], expected, "{program} {got}");
    }
}

/// The search of all schedules up to a bound told the other engines that it had a proof, was stopped with them, and gave way to
/// some rounds: what had been proved was no answer.
#[test]
fn a_proof_within_a_bound_is_an_answer_beside_other_engines() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/regressions/once_by_three.c");
    let program = program.to_str().unwrap();
    let asked = ["--engine", "bounded,rounds,steps", "--no-trace", "--ltl"];
    let (result, _) = Dir::new().verify(&[&asked[..], &["F {sum == 21}", program]].concat());
    let got = &result["properties"][0];
    assert_eq!(got["holds"], "proved", "{got}");
}

/// An object was given out again only when no pointer led to it, and no run was searched in which an old pointer equals a new one:
/// formulas were proved that such a run violates (the ABA problem).
#[test]
fn a_new_object_may_be_where_a_freed_one_was() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <stdlib.h>\nint same, rounds;\nvoid *f(void *x) {\n  for (;;) {\n\
        int *a = malloc(sizeof *a);\n    free(a);\n    int *b = malloc(sizeof *b);\n    if (a == b) same = 1;\n\
        free(b);\n    rounds = !rounds;\n  }\n  return x;\n}\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    let list = "never: G {same == 0}\nonce: F {same == 1}\nrounds: G F {rounds == 1}\n";
    let dir = Dir::with(&[("p.c", program), ("l.txt", list)]);
    let asked = ["--engine", "steps", "--no-trace", "--budget", AMPLE];
    let (result, _) = dir.verify(&[&asked[..], &["--properties", "l.txt", "p.c"]].concat());
    for (n, expected) in ["refuted", "refuted", "proved"].into_iter().enumerate() {
        assert_eq!(result["properties"][n]["holds"], expected, "{result}");
    }
}

/// Functions with a variable number of arguments that only print these were refused where a thread may stop in them. The
/// arguments are evaluated.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn arguments_that_are_only_printed_are_left_out() {
    if !cbmc() {
        return;
    }
    for (formula, expected) in [
        ("G {failed == 0}", "refuted"),
        ("G {x < 4 || failed == 0}", "refuted"),
        ("G ({x <= 4} && ({x == 3} -> {failed == 0}))", "proved"),
    ] {
        let got = verified("tests/regressions/printed_arguments.c", formula, &[]);
        assert_eq!(got["holds"], expected, "{formula}: {got}");
    }
    let program = repository("tests/regressions/printed_arguments.c");
    let program = program.to_str().unwrap();
    let asked = ["--engine", "rounds", "--ltl", "G {failed == 0}", program];
    let (result, _) = Dir::new().verify(&asked);
    assert_eq!(result["verdict"], "false", "{result}");
}

/// Assembler that is not known, in a function in which no thread can stop, ended the runs that came to it, and formulas were
/// proved on the others. Instructions that are known are followed, and privileged ones do not end the search.
#[test]
fn assembler_in_a_function_that_stays_whole() {
    if !cbmc() {
        return;
    }
    let program = "tests/regressions/assembler_in_a_function.c";
    let got = verified(program, "G {torn == 0}", &[]);
    assert_eq!(got["holds"], "unknown", "{got}");
    let known = "-DSAVE=\"pushf; pop %0\"";
    for (formula, expected) in [("G {torn == 0}", "refuted"), ("G {a <= 1}", "proved")] {
        let got = verified(program, formula, &[known]);
        assert_eq!(got["holds"], expected, "{formula}: {got}");
    }
}
