//! `baproduct prove` with real CBMC: programs whose formulas hold, or not, on runs of any length,
//! and generated ones compared with the oracle's full graph of states.
//!
//! `BAPRODUCT_PROVE_ALL=1` checks all of `prove/table.json`; `BAPRODUCT_CASES=20` checks twenty
//! times as many generated programs, `BAPRODUCT_SEED=7` other ones.

use crate::support::{cbmc, esbmc, oracle, ran, repository, Dir, AMPLE, FEW};
use serde_json::{json, Value};

mod files;
mod pointers;
mod strengthen;
mod tables;
mod texts;

/// The answer, and the property as JSON.
fn prove(dir: &Dir, args: &[&str]) -> (String, Value) {
    let mut all = vec!["prove", "--format", "json", "-q"];
    if !args.contains(&"--budget") {
        all.extend(["--budget", AMPLE]);
    }
    all.extend(args);
    let out = ran(&mut dir.command(&all));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let holds = result["properties"][0]["holds"]
        .as_str()
        .unwrap()
        .to_string();
    let status = match holds.as_str() {
        "proved" => 0,
        "refuted" => 10,
        _ => 5,
    };
    assert_eq!(out.status, status, "{out:?}");
    (holds, result["properties"][0].clone())
}

#[test]
fn a_proof_says_what_it_rests_on() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int n, done;\nint main(void) { n = nondet_int(); while (n > 0) n--; done = 1; return 0; }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let (got, property) = prove(&dir, &["--ltl", "F {done == 1}", "prog.c"]);
    assert_eq!(got, "proved", "{property}");
    assert_eq!(property["evidence"], "ranking");
    let ranking = property["proof"]["ranking"].to_string();
    assert!(ranking.contains("n falls in prog.c:2"), "{ranking}");
    let invariants = property["proof"]["invariants"].to_string();
    assert!(invariants.contains("n > 0"), "{invariants}");
}

#[test]
fn threads_have_no_certificates() {
    let program = "#include <pthread.h>\nint x; void *f(void *p) { x = 1; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let asked = [
        "prove",
        "--ltl",
        "F {x == 1}",
        "prog.c",
        "--certificate",
        "c.c",
    ];
    let out = ran(&mut dir.command(&asked));
    assert_eq!(out.status, 2, "{out:?}");
    assert!(out.stderr.contains("threads"), "{out:?}");
    assert!(!dir.path("c.c").exists());
}

/// A program that no proof can follow is still searched for violations, and the reason is given once.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn why_a_program_cannot_be_followed_is_said_once() {
    if !cbmc() {
        return;
    }
    let program = "#include <semaphore.h>\nsem_t s; int x;\nint main(void) { sem_init(&s, 0, 1); while (1) { sem_wait(&s); x = 1 - x; sem_post(&s); } }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let (got, property) = prove(&dir, &["--ltl", "G {x <= 1}", "prog.c"]);
    assert_eq!(got, "unknown", "{property}");
    let reason = property["reason"].as_str().unwrap();
    let begin = "the program cannot be followed: prog.c:3: `sem_init` changes";
    assert!(reason.starts_with(begin), "{reason}");
    assert_eq!(reason.matches("cannot be followed").count(), 1, "{reason}");
    let (got, _) = prove(&dir, &["--ltl", "G {x == 0}", "prog.c"]);
    assert_eq!(got, "refuted");
}

/// No answer contradicts the oracle, which visits all states.
#[test]
fn generated_programs_are_never_answered_wrongly() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::generate("lasso", 6, 11, &[]) else {
        return;
    };
    generated.agree_on_all_runs(|case| {
        let files = [&case.spec, &case.program].map(|path| path.to_str().unwrap());
        let args = [&["--questions", FEW, "--no-trace"][..], &files].concat();
        prove(&generated.dir, &args).0
    });
}

/// Places in a condition of the formula were once taken for places in the program, whose text there
/// became a candidate: no program of the proof compiled.
#[test]
fn conditions_of_the_formula_are_no_text_of_the_program() {
    if !cbmc() {
        return;
    }
    let program = "extern int __VERIFIER_nondet_int(void);\nint x;\nint main(void)\n{\n    while (1) {\n        \
                   if (__VERIFIER_nondet_int()) { if (x < 10) x++; }\n        else if (x > 0) x--;\n    }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (holds, _) = prove(&dir, &["--ltl", "G {x >= 0 && x <= 10}", "p.c"]);
    assert_eq!(holds, "proved");
}

/// A recursion that was cut at its bound was once taken for the end of a run that never answered.
#[test]
fn a_recursion_that_is_cut_is_no_end() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint busy, done;\nstatic int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n\
                   int main(void) {\n  while (1) { done = 0; busy = 1; sum(nondet_int() % 3); busy = 0; done = 1; }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = "G({busy == 1} -> F {done == 1})";
    let (holds, property) = prove(&dir, &["--ltl", formula, "--questions", FEW, "p.c"]);
    assert_ne!(holds, "refuted", "{property}");
}

/// A counter grows, and no state recurs before it wraps around.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_violation_along_which_a_counter_grows_is_found() {
    if !cbmc() {
        return;
    }
    let program = "int t, done;\nint main(void) { unsigned long k = 0; while (1) { k++; t = (int)(k % 2); if (t > 1) done = 1; } }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let args = ["--engine", "induction", "--ltl", "F {done == 1}", "p.c"];
    let (holds, property) = prove(&dir, &args);
    assert_eq!(holds, "refuted", "{property}");
    assert_eq!(property["evidence"], "recurrence", "{property}");
    let region = property["proof"]["invariants"].to_string();
    assert!(region.contains("done == 0"), "{property}");
    assert!(!property["trace"].as_array().unwrap().is_empty());
}

/// No state recurs, since a counter grows, and what happens for ever does so only after a while: the beginning of the run is followed.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_violation_behind_a_long_beginning_is_found() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int asked, red = 1, phase; unsigned long seconds;\n\
                   int main(void) { while (1) { seconds++; if (nondet_int()) asked = 1; if (phase == 2 && asked) continue; \
                   if (seconds % 5 == 0) { phase = (phase + 1) % 3; red = phase == 0; } } }\n";
    let dir = Dir::with(&[
        ("p.c", program),
        ("right.c", &program.replace("&& asked", "&& asked == 2")),
    ]);
    let asked = |name| {
        prove(
            &dir,
            &[
                "--engine",
                "induction",
                "--questions",
                "200",
                "--ltl",
                "G F {red == 1}",
                name,
            ],
        )
    };
    let (holds, property) = asked("p.c");
    assert_eq!(holds, "refuted", "{property}");
    assert_eq!(property["evidence"], "recurrence", "{property}");
    let inputs = property["proof"]["inputs"].as_str().unwrap();
    assert!(inputs.contains("after 100 visits"), "{inputs}");
    assert_ne!(asked("right.c").0, "refuted");
}

/// A loop that counts to a small constant is followed, round by round, and a certificate does the same.
#[test]
fn loops_with_few_rounds_are_followed() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int a[3], ordered;\nint main(void) {\n  int i, swapped;\n  for (i = 0; i < 3; i++) a[i] = nondet_int();\n  do {\n    swapped = 0;\n    for (i = 0; i < 2; i++) if (a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; swapped = 1; }\n  } while (swapped);\n  ordered = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let formula = "G({ordered == 1} -> {a[0] <= a[2]})";
    let engine = ["--engine", "induction", "--certificate", "proof.c"];
    let (got, property) = prove(&dir, &[&engine[..], &["--ltl", formula, "prog.c"]].concat());
    assert_eq!(got, "proved", "{property}");
    let confirms = |name: &str| ran(&mut dir.command(&["verify", "-q", name])).status;
    assert_eq!(confirms("proof.c"), 0);
}

/// A loop that only seems to count to a small constant is cut.
#[test]
fn a_loop_that_counts_again_is_no_loop_with_few_rounds() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int i, done;\nint main(void) { for (i = 0; i < 3; i++) { if (nondet_int() == 4) i = 0; } done = 1; return 0; }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let engine = ["--engine", "induction"];
    let asked = |formula| prove(&dir, &[&engine[..], &["--ltl", formula, "prog.c"]].concat()).0;
    assert_eq!(asked("F {done == 1}"), "refuted");
    assert_eq!(asked("G {i <= 3}"), "proved");
}

/// No invariant of the templates suffices, but two rounds do: both values recur after them.
const SWAPPED: &str = "int nondet_int(void);\nunsigned x = 1, y = 100;\nint main(void) { while (1) { unsigned t = x; x = y - 5; y = t + 5; } }\n";

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn more_rounds_than_one_prove_more() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("prog.c", SWAPPED)]);
    let engine = ["--engine", "induction", "--certificate", "proof.c"];
    let (got, property) = prove(
        &dir,
        &[&engine[..], &["--ltl", "G {x != 50}", "prog.c"]].concat(),
    );
    assert_eq!(got, "proved", "{property}");
    assert_eq!(property["proof"]["k"], 2, "{property}");
    let confirms = |name: &str| ran(&mut dir.command(&["verify", "-q", name])).status;
    assert_eq!(confirms("proof.c"), 0);
    let broken = SWAPPED.replace("y = 100", "y = 55");
    let dir = Dir::with(&[("prog.c", &broken)]);
    let (got, property) = prove(
        &dir,
        &["--engine", "induction", "--ltl", "G {x != 50}", "prog.c"],
    );
    assert_eq!(got, "refuted", "{property}");
}

#[test]
fn the_k_induction_of_another_model_checker_proves() {
    if !cbmc() || !esbmc() {
        return;
    }
    let rotated = "unsigned a, b = 1, c = 2;\nint main(void) { while (1) { unsigned t = a; a = b; b = c; c = t; } }\n";
    let dir = Dir::with(&[("prog.c", rotated)]);
    let asked = ["--engine", "k-induction", "--ltl", "G {a <= 2}", "prog.c"];
    let limits = ["prove", "--format", "json", "-q", "--budget", AMPLE];
    let out = ran(&mut dir.command(&[&limits[..], &asked].concat()));
    assert_eq!(out.status, 0, "{out:?}");
    let result: Value = serde_json::from_str(&out.stdout).unwrap();
    let property = &result["properties"][0];
    assert_eq!(property["holds"], "proved", "{property}");
    assert!(property["proof"]["k"].as_u64().unwrap() >= 1, "{property}");
    // The result names the solver of the proof.
    assert_eq!(result["backend"]["name"], "esbmc", "{out:?}");
}

/// No answer contradicts the full graph of states, for programs in which one round of a loop says
/// little.
#[test]
fn programs_that_need_several_rounds_are_never_answered_wrongly() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::made_by("rounds.py", 4, 5, &[]) else {
        return;
    };
    let engines: &[&str] = match esbmc() {
        true => &["induction", "k-induction"],
        false => &["induction"],
    };
    for engine in engines {
        generated.agree_on_all_runs(|case| {
            let here = Dir::with(&[("prog.c", &case.program_text())]);
            let formula = ["--ltl", case.formula(), "prog.c"];
            let limits = ["--engine", engine, "--questions", FEW, "--no-trace"];
            prove(&here, &[&limits[..], &formula].concat()).0
        });
    }
}

/// Heads outside a function name the scalars of its static locals through pointers, and begin with their
/// initial values.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn static_locals_begin_with_their_values() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint out;\nstatic void step(int in) {\n  \
                   static struct { char a; short b[2]; } s = { .b = { [1] = 3 } };\n  static int t[3] = { 7, 1 };\n  \
                   if (in) { s.b[1] = (short)(s.b[1] ^ 1); t[2] = s.a; }\n  out = s.b[1] + t[0] + t[2];\n}\n\
                   int main(void) { while (1) step(nondet_int()); }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    for engine in ["induction", "explicit"] {
        let asked = |formula: &str| {
            let args = ["--engine", engine, "--ltl", formula, "prog.c"];
            prove(&dir, &args).0
        };
        assert_eq!(
            asked("G({out == 0} || {out == 9} || {out == 10})"),
            "proved"
        );
        assert_eq!(asked("G {out != 9}"), "refuted");
    }
}

/// A local hides a pointer at the head of the loop, where nothing can compare the pointer. It was once taken for
/// constant.
#[test]
fn a_pointer_that_a_local_hides_is_not_taken_for_constant() {
    if !cbmc() {
        return;
    }
    let program = "int a, b, n;\nint *p = &a;\nstatic void touch(void) { *p = 1; }\n\
                   static void move(void) { if (n < 100000) n++; else p = &b; }\n\
                   int main(void) { int p = 0; while (1) { touch(); move(); p = n & 1; } return p; }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let engine = ["--engine", "induction", "--questions", FEW, "--no-trace"];
    let (got, property) = prove(
        &dir,
        &[&engine[..], &["--ltl", "G {b == 0}", "prog.c"]].concat(),
    );
    assert_ne!(got, "proved", "{property}");
}

/// Text at the head of a loop names variables that the program declares behind the loop.
#[test]
fn variables_may_be_declared_behind_a_loop() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint n;\nvoid tick(void);\nstatic void wait(void) { while (n > 0) { n--; tick(); } }\n\
                   int late;\nstatic short rows[2];\nstruct pair { int a; } pair;\n\
                   void tick(void) { late = 1 - late; rows[1] = (short)(1 - rows[1]); pair.a = 0; }\n\
                   int main(void) { while (1) { n = nondet_int(); wait(); } }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let asked = |formula: &str| {
        let args = ["--engine", "induction", "--ltl", formula, "prog.c"];
        prove(&dir, &args)
    };
    let formula = "G({late >= 0 && late <= 1} && {rows[1] >= 0 && rows[1] <= 1})";
    let (got, property) = asked(formula);
    assert_eq!(got, "proved", "{property}");
    let (got, property) = asked("G {pair.a != 1}");
    assert_ne!(got, "refuted", "{property}");
    assert_eq!(asked("G {late == rows[1]}").0, "refuted");
}

/// A function that calls itself twice is followed to a small depth first.
#[test]
fn a_recursion_is_followed_deeper_where_it_must() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint most;\n\
                   static int down(int n) { if (n > most) most = n; return n <= 0 ? 0 : down(n - 1); }\n\
                   int main(void) { while (1) down(nondet_int() & 7); }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let engine = ["--engine", "induction", "--certificate", "proof.c"];
    let args = [&engine[..], &["--ltl", "G {most <= 7}", "prog.c"]].concat();
    assert_eq!(prove(&dir, &args).0, "proved");
    assert_eq!(
        ran(&mut dir.command(&["verify", "-q", "proof.c"])).status,
        0
    );
}

/// No answer contradicts the full graph of states, for programs in which jumps and cases lead into loops.
#[test]
fn programs_that_jump_into_loops_are_never_answered_wrongly() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::made_by("entering.py", 4, 3, &[]) else {
        return;
    };
    for engine in ["induction", "explicit"] {
        generated.agree_on_all_runs(|case| {
            let here = Dir::with(&[("prog.c", &case.program_text())]);
            let formula = ["--ltl", case.formula(), "prog.c"];
            let limits = ["--engine", engine, "--questions", FEW, "--no-trace"];
            prove(&here, &[&limits[..], &formula].concat()).0
        });
    }
}

/// No answer contradicts the full graph of states, for programs whose loops count to small constants, or seem to.
#[test]
fn programs_that_count_are_never_answered_wrongly() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::made_by("counting.py", 4, 3, &[]) else {
        return;
    };
    generated.agree_on_all_runs(|case| {
        let here = Dir::with(&[("prog.c", &case.program_text())]);
        let formula = ["--ltl", case.formula(), "prog.c"];
        let limits = ["--engine", "induction", "--questions", FEW, "--no-trace"];
        prove(&here, &[&limits[..], &formula].concat()).0
    });
}

/// No answer contradicts the full graph of states, for programs over small types that wrap around,
/// with inputs, early ends, assumptions, nested loops, jumps and static locals.
#[test]
fn programs_that_wrap_around_are_never_answered_wrongly() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::made_by("wrapping.py", 4, 3, &[]) else {
        return;
    };
    generated.agree_on_all_runs(|case| {
        let here = Dir::with(&[("prog.c", &case.program_text())]);
        let formula = ["--ltl", case.formula(), "prog.c"];
        let args = [&["--questions", FEW, "--no-trace"][..], &formula].concat();
        prove(&here, &args).0
    });
}

/// No answer contradicts the full graph of states, for programs over more of C: pointers to functions, recursion, `switch`,
/// `do` and `for` loops, computed indices, structures, `exit` and `abort`.
#[test]
fn programs_over_more_of_c_are_never_answered_wrongly() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::made_by("wide.py", 4, 3, &[]) else {
        return;
    };
    for engine in ["explicit", "auto", "induction"] {
        generated.agree_on_all_runs(|case| {
            let here = Dir::with(&[("prog.c", &case.program_text())]);
            let formula = ["--ltl", case.formula(), "prog.c"];
            let limits = ["--engine", engine, "--questions", FEW, "--no-trace"];
            prove(&here, &[&limits[..], &formula].concat()).0
        });
    }
}

/// Memory that a run allocates at most once belongs to the state, by a name after its pointer; the proof says that it rests on
/// allocations that succeed, and its certificate is confirmed about the user's own program.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn memory_that_is_allocated_once_belongs_to_the_state() {
    if !cbmc() {
        return;
    }
    let program = std::fs::read_to_string(repository("tests/prove/device.c")).unwrap();
    let dir = Dir::with(&[("prog.c", &program)]);
    let proof = ["--engine", "induction", "--certificate", "proof.c"];
    let asked = ["--ltl", "F {closed == 1}", "prog.c"];
    let (holds, property) = prove(&dir, &[&proof[..], &asked].concat());
    assert_eq!(holds, "proved");
    let text = property.to_string();
    assert!(text.contains("memory_of_left"), "{text}");
    let out = ran(&mut dir.command(&["prove", "--budget", AMPLE, asked[0], asked[1], asked[2]]));
    assert!(
        out.stdout
            .contains("may rest on: that `malloc` never fails (prog.c:12)"),
        "{out:?}"
    );
    let confirms = |program: &str| dir.command(&["verify", "-q", "proof.c", program]);
    assert_eq!(ran(&mut confirms("prog.c")).status, 0);
    dir.write("other.c", program.replace("*left - 1", "*left - 2"));
    assert_eq!(ran(&mut confirms("other.c")).status, 5);
}

/// Recursive functions without loops are followed to their full depth; where it is not known, something has to fall.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_recursion_of_known_depth_is_followed() {
    if !cbmc() {
        return;
    }
    let program = |depth: &str| {
        format!("int nondet_int(void);\nint busy;\nstatic void work(int n) {{ if (n > 0) work(n - 1); }}\n\
                 int main(void) {{ while (1) {{ busy = 1; int n = nondet_int(); if (n > {depth}) n = 5; work(n); busy = 0; }} }}\n")
    };
    let formula = "G({busy == 1} -> F {busy == 0})";
    let asked = |program: &str| {
        let dir = Dir::with(&[("p.c", program)]);
        let args = ["--engine", "induction", "--ltl", formula, "p.c"];
        prove(&dir, &args)
    };
    let (holds, property) = asked(&program("5"));
    assert_eq!(holds, "proved", "{property}");
    // A deeper one is not followed: its argument falls.
    let (holds, property) = asked(&program("1000"));
    assert_eq!(holds, "proved", "{property}");
    let ranking = property["proof"]["ranking"].to_string();
    assert!(ranking.contains("n falls in p.c:3"), "{property}");
}

/// The greatest value of a signed integer is no reason for a loop to end: overflow is undefined in
/// C.
#[test]
fn no_proof_needs_an_overflow() {
    if !cbmc() {
        return;
    }
    let program = |bound: &str| {
        format!("int nondet_int(void);\nint x, done;\nint main(void) {{ x = nondet_int(); if (x < 0) x = 5; while (x >= 0 && x <= {bound}) {{ x++; }} done = 1; return 0; }}\n")
    };
    for (bound, questions, expected) in
        [("0x7fffffff", "10", "unknown"), ("1000000", FEW, "proved")]
    {
        let dir = Dir::with(&[("p.c", &program(bound))]);
        let limit = ["--engine", "induction", "--questions", questions];
        let asked = ["--ltl", "F {done == 1}", "p.c"];
        let (holds, property) = prove(&dir, &[&limit[..], &asked].concat());
        assert_eq!(holds, expected, "{property}");
    }
}

/// What a few questions of an induction tell of a formula about `p.c`.
fn by_induction(dir: &Dir, formula: &str) -> (String, Value) {
    let bounds = ["--engine", "induction", "--questions", FEW];
    prove(dir, &[&bounds[..], &["--ltl", formula, "p.c"]].concat())
}

/// A counter that only grows is never negative before it overflows: the answer names the place instead of a head.
#[test]
fn what_only_an_overflow_may_violate_is_told() {
    if !cbmc() {
        return;
    }
    let program =
        "int nondet_int(void);\nint errors, mode;\nstatic void fail(void) { errors++; }\n\
                   int main(void) { for (;;) { if (nondet_int() == 3) fail(); else mode = 1; } }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (holds, property) = by_induction(&dir, "G {errors >= 0}");
    assert_eq!(holds, "unknown", "{property}");
    let reason = property["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("overflow on signed + in `errors++`, p.c:3"),
        "{property}"
    );
}

/// What a controller with floating-point numbers gives is bounded, since what it remembers is clamped, or at least finite; and a
/// wide sum of the last samples is one of narrow numbers.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn clamped_numbers_and_wide_sums_have_bounds() {
    if !cbmc() {
        return;
    }
    let rows = [
        ("heater", "G {output >= 0.0f && output <= 100.0f}"),
        ("average", "G {sum >= 0}"),
    ];
    for (program, formula) in crate::support::sample(rows, 2) {
        let file = repository(&format!("tests/reactive/{program}.c"));
        let text = std::fs::read_to_string(file).unwrap();
        let dir = Dir::with(&[("p.c", &text)]);
        let (holds, property) = by_induction(&dir, formula);
        assert_eq!(holds, "proved", "{property}");
    }
}

/// What moves between members of the elements of an array stays, and what its elements lose is what a variable gains.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn sums_of_arrays_and_what_is_taken_of_them_are_kept() {
    if !cbmc() {
        return;
    }
    let accounts = "int nondet_int(void);\nstruct { int id, sum; } all[2] = {{1, 50}, {2, 50}};\nint main(void) { while (1) {\n\
                    int a = nondet_int(), b = nondet_int(), x = nondet_int();\n\
                    if (a < 0 || a > 1 || b < 0 || b > 1 || x <= 0 || x > all[a].sum) continue;\n\
                    all[a].sum -= x; all[b].sum += x; } }\n";
    let stock = "int nondet_int(void);\nint stock[2] = {3, 4}, sold;\nint main(void) { while (1) { int a = nondet_int();\n\
                 if (a >= 0 && a < 2 && stock[a] > 0) { stock[a]--; sold++; } } }\n";
    let rows = [
        (stock, "G {sold <= 7}"),
        (accounts, "G {all[1].sum <= 100}"),
    ];
    for (program, formula) in crate::support::sample(rows, 2) {
        let dir = Dir::with(&[("p.c", program)]);
        let bounds = ["--engine", "induction", "--questions", AMPLE];
        let (holds, property) = prove(&dir, &[&bounds[..], &["--ltl", formula, "p.c"]].concat());
        assert_eq!(holds, "proved", "{property}");
    }
}

/// No single ranking function decreases along both branches, but a pair of functions does.
#[test]
fn branches_of_one_loop_have_a_lexicographic_order() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint x, y, done;\nint main(void) { x = nondet_int(); y = nondet_int();\n\
                   while (x > 0 && y > 0) { if (nondet_int()) { x--; y = nondet_int(); } else y--; }\ndone = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let args = [
        "--engine",
        "induction",
        "--ltl",
        "F {done == 1}",
        "--certificate",
        "proof.c",
        "p.c",
    ];
    let (holds, property) = prove(&dir, &args);
    assert_eq!(holds, "proved", "{property}");
    let out = ran(&mut dir.command(&["verify", "-q", "proof.c"]));
    assert_eq!(out.status, 0, "{out:?}");
}

/// The exit status depends on the expectation in the specification.
#[test]
fn what_is_expected_decides_the_status() {
    if !cbmc() {
        return;
    }
    let spec = json!({"properties": [{"name": "p", "ltl": "G {x == 0}", "expect": "false"}]});
    let program = "int x;\nint main(void) { while (1) { x = !x; } }\n";
    let dir = Dir::with(&[("spec.json", &spec.to_string()), ("p.c", program)]);
    let out = ran(&mut dir.command(&["prove", "-q", "--budget", AMPLE, "spec.json", "p.c"]));
    assert_eq!(out.status, 0, "{out:?}");
}

/// The value of a static local was once not forgotten at loop heads, so that it seemed constant.
#[test]
fn a_static_local_changes_between_heads() {
    if !cbmc() {
        return;
    }
    let program = std::fs::read_to_string(repository("tests/prove/static_count.c")).unwrap();
    let dir = Dir::with(&[("p.c", &program)]);
    let formula = "G({asked == 1} -> F {answered == 1})";
    let args = [
        "--engine",
        "induction",
        "--questions",
        FEW,
        "--ltl",
        formula,
        "p.c",
    ];
    let (holds, property) = prove(&dir, &args);
    assert_ne!(holds, "refuted", "{property}");
}
