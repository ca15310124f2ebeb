//! Jumps of every kind and ends of runs: programs whose verdicts were worked out by hand.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::{json, Value};

/// Checks the verdicts of formulas with conditions in braces at bound 4, and that all runs are
/// complete.
fn formulas(program: &str, expected: &[(&str, &str)]) {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, verdict) in expected {
        let (result, _) = dir.verify(&["--ltl", formula, "p.c", "--unwind", "4"]);
        assert_eq!(result["verdict"], json!(verdict), "{formula}: {result}");
        assert_eq!(result["complete"], json!(true), "{formula}");
    }
}

/// The result for a program and a specification.
fn with_spec(program: &str, spec: &Value, more: &[&str]) -> Value {
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let args = [&["s.json", "p.c", "--unwind", "6"], more].concat();
    dir.verify(&args).0
}

/// Five elements, unrolled four times: one before the loop's first test, four in one round.
#[test]
fn duffs_device() {
    let program = "int to[8];
int main(void) {
  int n = 5, i = 0;
  switch (n % 4) {
  case 0: do { to[i++] = 1;
  case 3:      to[i++] = 1;
  case 2:      to[i++] = 1;
  case 1:      to[i++] = 1;
          } while ((n -= 4) > 0);
  }
  return 0;
}
";
    formulas(
        program,
        &[
            ("F {to[4] == 1}", "true"),
            ("F {to[5] == 1}", "presumably_false"),
            ("!{to[1] == 1} U {to[0] == 1}", "true"),
        ],
    );
}

/// The statement after `if` begins at its label, and a jump comes there from elsewhere.
#[test]
fn a_label_without_braces() {
    let program = "int choose(void);
int x, y;
int main(void) {
  int c = choose();
  if (c > 0) here: x++;
  y = 1;
  if (x == 1 && c == 2) goto here;
  return 0;
}
";
    let spec = |ltl: &str| {
        json!({"ltl": ltl, "pa": [
            {"name": "p", "default": false, "cond": "x == 1", "at": "here"},
            {"name": "q", "default": false, "cond": "y == 0", "at": "here"}
        ]})
    };
    if !cbmc() {
        return;
    }
    let verdict = |ltl: &str| with_spec(program, &spec(ltl), &[])["verdict"].clone();
    // With 2, the goto arrives with x == 1 and y == 1: only p holds.
    assert_eq!(verdict("G !p"), json!("false"));
    // The first arrival has x == 0 and y == 0.
    assert_eq!(verdict("G (p -> !q)"), json!("presumably_true"));
    assert_eq!(verdict("F q"), json!("presumably_false"));
}

/// A jump to a computed address may lead to each label whose address is in the table.
#[test]
fn computed_goto() {
    let program = "int choose(void);
int x, at;
int main(void) {
  static void *const table[] = { &&one, &&two, &&out };
  int k = choose();
  if (k < 0 || k > 2) return 1;
again:
  goto *table[k];
one: at = 1; k = 1; x++; goto again;
two: at = 2; k = 2; goto again;
out: at = 3;
  return 0;
}
";
    formulas(
        program,
        &[
            ("G ({at == 1} -> F {at == 3})", "presumably_true"),
            ("G !{at == 2}", "false"),
            ("G {x < 2}", "presumably_true"),
            ("F {at == 3}", "presumably_false"),
        ],
    );
}

/// Two files have static thread routines of one name, and each starts its own.
#[test]
fn thread_routines_of_one_name() {
    if !cbmc() {
        return;
    }
    let file = |name: &str, object: &str| {
        format!(
            "#include <pthread.h>
int {object};
static void *run(void *a) {{ (void)a; {object} = 1; return 0; }}
pthread_t start_{name}(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); return t; }}
"
        )
    };
    let main = "#include <pthread.h>
pthread_t start_a(void), start_b(void);
int main(void) {
  pthread_t a = start_a(), b = start_b();
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";
    let dir = Dir::with(&[
        ("main.c", main),
        ("a.c", &file("a", "x")),
        ("b.c", &file("b", "y")),
    ]);
    let verdict = |ltl: &str| {
        let (result, _) = dir.verify(&["--ltl", ltl, "main.c", "a.c", "b.c", "--unwind", "2"]);
        assert_eq!(result["complete"], json!(true), "{result}");
        result["verdict"].clone()
    };
    assert_eq!(verdict("F ({x == 1} && {y == 1})"), json!("true"));
    assert_eq!(verdict("!{y == 1} U {x == 1}"), json!("false"));
}

/// Exit handlers run in the reverse order of registration, each as often as it was registered.
#[test]
fn handlers_of_exit_run_in_reverse() {
    let program = "#include <stdlib.h>
int a, b, c;
void first(void) { b = a; }
void second(void) { a++; }
void other(void) { c = 1; }
int main(void) {
  atexit(first);
  atexit(second);
  atexit(second);
  at_quick_exit(other);
  exit(0);
}
";
    formulas(
        program,
        &[
            ("F {b == 2}", "true"),
            ("F {c == 1}", "presumably_false"),
            ("!{b == 2} U {a == 2}", "true"),
        ],
    );
    let quick = program.replace("exit(0)", "quick_exit(0)");
    formulas(
        &quick,
        &[("F {c == 1}", "true"), ("F {a == 1}", "presumably_false")],
    );
    let none = program.replace("exit(0)", "_Exit(0)");
    formulas(
        &none,
        &[
            ("F {c == 1}", "presumably_false"),
            ("F {a == 1}", "presumably_false"),
        ],
    );
}

/// Three activations with `n` = 2, 1 and 0; `depth` is one more than the number of open areas.
#[test]
fn recursion_with_areas() {
    if !cbmc() {
        return;
    }
    let program = "int depth;
void f(int n) {
  depth++;
in:
  if (n > 0) f(n - 1);
out:
  depth--;
}
int main(void) {
  f(2);
  return 0;
}
";
    let verdict = |ltl: &str, instances: &str| {
        let spec = json!({"ltl": ltl, "pa": [
            {"name": "p", "default": false, "cond": "f::n > 0", "span": ["in", "out"], "instances": instances}
        ]});
        let result = with_spec(program, &spec, &[]);
        assert_eq!(result["complete"], json!(true), "{result}");
        result["verdict"].clone()
    };
    // While the third is open, p holds in two of three.
    let deepest = "G ({depth == 3} -> p)";
    assert_eq!(verdict(deepest, "any"), json!("presumably_true"));
    assert_eq!(verdict(deepest, "all"), json!("false"));
    assert_eq!(verdict(deepest, "each"), json!("false"));
    // While depth is 2, the third is closed.
    let middle = "G ({depth == 2} -> p)";
    assert_eq!(verdict(middle, "any"), json!("presumably_true"));
    assert_eq!(verdict(middle, "all"), json!("presumably_true"));
    // The second area opens after depth has become 2.
    assert_eq!(verdict(middle, "each"), json!("false"));
    assert_eq!(verdict("F p", "any"), json!("true"));
    assert_eq!(verdict("F p", "each"), json!("presumably_false"));
}

/// The end of a run once left only the area of the innermost activation; the others stayed open.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn the_end_leaves_the_areas_of_all_activations() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>
int x;
static void stop(void) { exit(0); }
static void f(int n) {
  if (n == 0) END;
  f(n - 1);
}
int main(void) { f(3); return 0; }
";
    let spec = |instances: &str, over: &str| {
        let formula = format!("F({over}) && F G !in");
        json!({ "ltl": formula, "pa": [
          { "name": "in", "default": false, "cond": "f::n < 3", "function": "f", "instances": instances } ] })
    };
    for end in ["exit(0)", "stop()"] {
        let program = program.replace("END", end);
        for (instances, over, verdict) in [
            ("any", "in", "presumably_true"),
            ("each", "in", "presumably_false"),
            ("all", "in", "presumably_false"),
            ("all", "!in", "presumably_true"),
            ("each", "!in", "presumably_true"),
        ] {
            let result = with_spec(&program, &spec(instances, over), &[]);
            assert_eq!(
                result["verdict"],
                json!(verdict),
                "{end}, {instances}, {over}"
            );
            assert_eq!(result["complete"], json!(true), "{end}, {instances}");
        }
    }
}

/// A failed assertion ends its run; with the option it discards the run.
#[test]
fn failed_assertions_end_runs_or_discard_them() {
    if !cbmc() {
        return;
    }
    let program = "#include <assert.h>
int choose(void);
int x, done;
int main(void) {
  x = choose();
  assert(x > 0);
  done = 1;
  return 0;
}
";
    let spec = |ltl: &str| json!({"ltl": ltl, "pa": []});
    let verdict = |ltl: &str, more: &[&str]| with_spec(program, &spec(ltl), more);
    let prunes = ["--assert-prunes"];
    assert_eq!(
        verdict("F {done == 1}", &[])["verdict"],
        json!("presumably_false")
    );
    assert_eq!(verdict("G {x >= 0}", &[])["verdict"], json!("false"));
    let result = verdict("F {done == 1}", &prunes);
    assert_eq!(result["verdict"], json!("true"));
    let said = json!("runs are discarded in which an assertion of the program fails");
    assert!(
        result["assumptions"].as_array().unwrap().contains(&said),
        "{result}"
    );
    assert_eq!(
        verdict("G {x >= 0}", &prunes)["verdict"],
        json!("presumably_true")
    );
    // Without an assertion in the program, the option changes nothing.
    let plain = with_spec(
        "int x; int main(void) { x = 1; return 0; }\n",
        &spec("F {x == 1}"),
        &prunes,
    );
    assert_eq!(plain["verdict"], json!("true"));
    assert_eq!(plain["assumptions"], json!([]));
}

/// A handler may register another one, which runs next; handlers of several files may have one name.
#[test]
fn handlers_that_register_handlers() {
    if !cbmc() {
        return;
    }
    let main = "#include <stdlib.h>
int x, y;
void register_more(void);
static void done(void) { x = 1; }
static void later(void) { y = x + 1; }
static void early(void) { atexit(later); x = 5; }
int main(void) {
  atexit(done);
  register_more();
  atexit(early);
  return 0;
}
";
    let other = "#include <stdlib.h>
extern int x, y;
int z;
static void done(void) { z = x; }
void register_more(void) { atexit(done); }
";
    let dir = Dir::with(&[("main.c", main), ("other.c", other)]);
    let verdict = |ltl: &str| {
        let (result, _) = dir.verify(&["--ltl", ltl, "main.c", "other.c"]);
        result["verdict"].clone()
    };
    assert_eq!(verdict("F ({y == 6} && F {x == 1})"), json!("true"));
    assert_eq!(verdict("F {z == 5}"), json!("true"));
    assert_eq!(verdict("!{x == 1} U {z == 5}"), json!("true"));
}

/// A function without a body that ends the process and gets the address of an object that a
/// proposition reads: nothing is emitted after its call, and the call is no input.
#[test]
fn a_foreign_function_that_ends_the_process_gets_an_address() {
    let program = "_Noreturn void fatal(int code, int *p);
int g;
int main(int argc, char **argv) {
  g = 1;
  if (argc > 2) fatal(g, &g);
  g = 2;
  return argv == 0;
}
";
    let dir = Dir::with(&[("p.c", program), ("s.json", r#"{"ltl": "F {g == 2}"}"#)]);
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let mut gcc = std::process::Command::new("gcc");
    let object = dir.path("out.o");
    gcc.args(["-Wall", "-Wextra", "-Werror", "-c", "-o"])
        .arg(object);
    let compiled = crate::support::ran(gcc.arg(dir.path("out.c")));
    assert_eq!(compiled.status, 0, "{}", compiled.stderr);
    formulas(
        program,
        &[
            ("F {g == 2}", "presumably_false"),
            ("F {g == 1}", "true"),
            ("G {g < 3}", "presumably_true"),
        ],
    );
}
