//! Non-local jumps: native runs execute them, and for model checkers the woven program returns
//! through its functions instead. Both give the same letters and verdicts.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::{json, Value};

/// The backends that are installed.
fn backends() -> Vec<&'static str> {
    match cbmc() {
        true => vec!["native", "cbmc"],
        false => vec!["native"],
    }
}

/// Checks the verdicts of a program without inputs whose runs are all complete at bound 8.
fn gives(program: &str, expected: &[(&str, &str)]) {
    let dir = Dir::with(&[("p.c", program)]);
    for backend in backends() {
        for (formula, verdict) in expected {
            let args = [
                "--ltl",
                formula,
                "p.c",
                "--unwind",
                "8",
                "--backend",
                backend,
            ];
            let (result, _) = dir.verify(&args);
            assert_eq!(result["verdict"], json!(verdict), "{backend}: {result}");
            assert!(
                backend == "native" || result["complete"] == json!(true),
                "{result}"
            );
        }
    }
}

/// A non-local jump ends the middle one of three activations and its callee; main continues.
const FAR: &str = "#include <setjmp.h>
int g;
static jmp_buf place;
static void deep(int n) {
in_deep:
  g++;
  if (n == 2) longjmp(place, 7);
  g++;
out_deep:;
}
static void middle(int n) {
  int local = n;
in_middle:
  deep(local);
out_middle:;
}
int main(void) {
  int n = 0;
in_main:
  n = setjmp(place);
  if (n == 0) {
in_first:
    middle(1);
    middle(2);
out_first:
    g = 100;
  } else {
    g = n;
  }
out_main:
  return 0;
}
";

fn far_spec() -> Value {
    let area = |name: &str, condition: &str, of: &str| {
        json!({"name": name, "default": false, "cond": condition,
               "span": [format!("in_{of}"), format!("out_{of}")]})
    };
    json!({"ltl": "G (d -> m) && G F (f || a)", "pa": [
        area("d", "deep::n == 2", "deep"),
        area("m", "middle::local == 2 && g < 50", "middle"),
        area("f", "g > 0", "first"),
        area("a", "g > 0", "main")
    ]})
}

#[test]
fn a_jump_out_of_functions_closes_what_it_leaves_in_one_letter() {
    for backend in backends() {
        letters_of_the_nonlocal_jump(backend);
    }
}

fn letters_of_the_nonlocal_jump(backend: &str) {
    let dir = Dir::with(&[("p.c", FAR), ("s.json", &far_spec().to_string())]);
    let (result, _) = dir.verify(&["s.json", "p.c", "--backend", backend, "--trace"]);
    let steps = result["properties"][0]["trace"].as_array().unwrap().iter();
    let holds = |step: &Value| {
        let props = step["props"].as_object().unwrap().iter();
        let names = props
            .filter(|(_, v)| **v == json!(true))
            .map(|(k, _)| k.as_str());
        names.collect::<String>()
    };
    let mut word: Vec<String> = steps.filter(|s| s["event"] != "end").map(holds).collect();
    word.dedup();
    // deep(1): g becomes 1; middle(2) opens; deep(2) opens; the jump; main continues and ends.
    assert_eq!(word, ["", "af", "afm", "adfm", "a", ""]);
}

/// A jump is refused if the run decides which areas it leaves.
#[test]
fn jumps_into_recursive_functions_with_areas_are_refused() {
    let recursive = FAR
        .replace(
            "static void middle(int n) {",
            "static void middle(int n) {\n  if (n > 5) middle(n - 1);",
        )
        .replace("  deep(local);\n", "  if (!setjmp(place)) deep(local);\n")
        .replace("  n = setjmp(place);\n", "");
    let dir = Dir::with(&[("p.c", &recursive), ("s.json", &far_spec().to_string())]);
    let ran = dir.run(&["verify", "s.json", "p.c", "--backend", "native"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("`middle` is recursive"),
        "{}",
        ran.stderr
    );
}

/// A parser: the error ends all activations of its function, and leaves their areas in one letter.
#[test]
fn jumps_over_all_activations_of_a_function() {
    let program = "#include <setjmp.h>
jmp_buf failed; int state, budget = 3;
static void check(void) { if (--budget < 1) longjmp(failed, 5); }
static int parse(int depth) { check(); state = depth; return depth ? parse(depth - 1) + 1 : 0; }
int main(void) {
  int code = setjmp(failed);
  if (code) { state = 9; budget = 9; parse(1); return 1; }
  parse(4);
  return 0;
}
";
    let spec = |formula: &str| {
        json!({ "ltl": formula, "pa": [
          { "name": "in", "default": false, "cond": "1", "function": "parse" },
          { "name": "low", "default": false, "cond": "parse::depth < 4", "function": "parse", "instances": "all" } ] })
    };
    for (formula, verdict) in [
        (
            "F(in && F(!in && F({state == 9} && F(in && F !in))))",
            "true",
        ),
        ("G({state == 9} -> !in) && F G !in", "false"),
        (
            "G(!{state == 9} || G !in) || F(low && {state == 1})",
            "true",
        ),
        ("G(low -> {budget >= 7})", "presumably_true"),
    ] {
        let dir = Dir::with(&[("p.c", program), ("s.json", &spec(formula).to_string())]);
        for backend in backends() {
            let args = ["s.json", "p.c", "--unwind", "8", "--backend", backend];
            let (result, _) = dir.verify(&args);
            assert_eq!(result["verdict"], json!(verdict), "{backend}: {result}");
        }
    }
}

#[test]
fn a_place_is_come_back_to_until_nothing_fails() {
    let program = "#include <setjmp.h>
jmp_buf e; int tries, done, after;
static int work(int n) { tries++; if (n < 3) longjmp(e, n + 1); return n; }
int main(void) {
  volatile int last = 0;
  switch (setjmp(e)) {
  case 0: last = work(0); break;
  case 1: last = work(1); break;
  case 2: last = work(2); break;
  default: after = 7; last = work(3);
  }
  done = last;
  return 0;
}
";
    gives(
        program,
        &[
            ("G !{done==3}", "false"),
            ("F({tries==4} && F({after==7} && F {done==3}))", "true"),
            ("G F {tries==4}", "presumably_true"),
        ],
    );
}

/// Jumps past results that are structures, calls in conditions, loops and sums, and to `jmp_buf`s
/// of functions that have returned.
#[test]
fn jumps_through_calls_of_all_kinds() {
    let program = "#include <setjmp.h>
#include <string.h>
struct r { int a, b; };
jmp_buf top, *now; int x, y, seen;
static struct r make(int n) { struct r v = { n, n + 1 }; if (n == 2) longjmp(*now, 5); return v; }
static int sum(int k) { int s = 0; for (int i = 0; i < 4; i++) { s += make(i + k).b; x = s; } return s; }
static int guarded(int k) {
  jmp_buf own, *before = now; int result;
  now = &own;
  if ((result = setjmp(own)) == 0) { result = sum(k) + 1; y = 1; }
  else { seen++; y = 2; }
  now = before;
  return result;
}
int main(void) {
  int r = setjmp(top);
  if (r) { y = 9; return 0; }
  now = &top;
  int a = guarded(0), b = guarded(5);
  x = a * 100 + b;
  while (sum(9) < 0) x = -1;
  if (sum(1) > 0) y = 4;
  y = 5;
  return 0;
}
";
    gives(
        program,
        &[
            ("F {seen==2}", "presumably_false"),
            ("F ({y==2} && F({y==1} && F{y==9}))", "true"),
            ("F {y==4}", "presumably_false"),
            ("G{x<535}", "presumably_true"),
        ],
    );
}

#[test]
fn jumps_out_of_recursions_and_through_pointers() {
    let program = "#include <setjmp.h>
jmp_buf e; int x, depth; void (*act)(int);
static void down(int n) { depth = n; if (n == 0) longjmp(e, 2); down(n - 1); x = 77; }
static void call(int n) { act(n); x = 78; }
int main(void) {
  int k = 0;
  act = down;
  for (int i = 0; i < 3; i++) {
    if (!setjmp(e)) { call(i); x = 80; } else { k += i; x = k; }
  }
  x = 100 + k;
  return 0;
}
";
    gives(
        program,
        &[
            ("F {x>=77 && x<=80}", "presumably_false"),
            ("F({x==1} && F ({x==3} && F {x==103}))", "true"),
        ],
    );
}

#[test]
fn several_places_in_one_function() {
    let program = "#include <setjmp.h>
jmp_buf a, b; int x, n;
static void to(jmp_buf *j, int v) { longjmp(*j, v); }
int main(void) {
  if (setjmp(a) == 0) {
    if (setjmp(b) == 0) { x = 1; to(&b, 0); }
    x = 2;
    to(&a, 3);
  } else x = 3;
  if (n++ < 2) longjmp(b, 4);
  x = 4;
  return 0;
}
";
    gives(
        program,
        &[
            ("F({x==1} && F({x==2} && F({x==3} && F{x==4})))", "true"),
            ("G {n<3}", "false"),
        ],
    );
}

/// A run that returns to `setjmp` more often than the bound is cut.
#[test]
fn jumps_are_bounded_like_loops() {
    if !cbmc() {
        return;
    }
    let program = "#include <setjmp.h>
jmp_buf place; int x;
static void back(void) { longjmp(place, 1); }
int main(void) { setjmp(place); x++; if (x < 6) back(); return 0; }
";
    let dir = Dir::with(&[("p.c", program)]);
    for (unwind, verdict, complete) in [("5", "true", true), ("3", "presumably_false", false)] {
        let args = ["--ltl", "F {x == 6}", "p.c", "--unwind", unwind];
        let (result, _) = dir.verify(&args);
        assert_eq!(result["verdict"], json!(verdict), "{result}");
        assert_eq!(result["complete"], json!(complete), "{result}");
    }
}

/// Jumps that the weaver cannot replace by returns are refused for model checkers, also after
/// `instrument`.
#[test]
fn jumps_that_cannot_be_made_are_refused_with_their_place() {
    let looping = FAR.replace("n = setjmp(place);", "while ((n = setjmp(place)) > 9);");
    let dir = Dir::with(&[("p.c", &looping), ("s.json", &far_spec().to_string())]);
    let ran = dir.run(&["verify", "s.json", "p.c"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    assert!(ran.stderr.contains("p.c:20:3"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--backend native"), "{}", ran.stderr);
    assert_eq!(dir.run(&["check", "s.json", "p.c"]).status, 0);
    // An instrumented program refuses them itself.
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = dir.run(&["verify", "o.c"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("p.c:7: longjmp(place, 7)"),
        "{}",
        ran.stderr
    );
}

/// A call of a jump that the program declares itself was woven twice, so that the text did not compile.
#[test]
fn jumps_that_no_header_declares() {
    let program = "struct __jmp_buf_tag { long at[32]; }; typedef struct __jmp_buf_tag place[1];
extern int _setjmp(place); extern void longjmp(place, int);
place here; int x;
static void back(int n) { if (n > 2) longjmp(here, 1); back(n + 1); }
int main(void) { if (_setjmp(here) == 0) back(0); else x = 1; return 0; }
";
    gives(program, &[("F {x == 1}", "true")]);
}
