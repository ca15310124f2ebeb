//! Tests of the room `analysis`: threads, and effects of writes and calls on propositions.

use std::fmt::Write as _;

use expect_test::{expect, Expect};
use weave::analysis::Analysis;
use weave::bind::resolve::resolve;
use weave::code::Code;

use crate::given::{program, specification, Given, LIBRARY, THREADS};

/// Compares the threads and instances of each function, and the writes and calls that may change a proposition.
fn check(header: &str, text: &str, spec: &str, expected: Expect) {
    let given = program(header, text);
    let lines = |range: weave::facts::Range| given.shown(range);
    let facts = &given.facts;
    let shown_writes: Vec<String> = facts.writes.iter().map(|w| lines(w.range)).collect();
    let shown_calls: Vec<String> = facts.calls.iter().map(|c| lines(c.range)).collect();
    let Given { unit, facts, .. } = given;
    let text = unit.source.text.clone();
    let code = Code::new(unit);
    let bound = resolve(&specification(spec), &facts, &code).unwrap();
    let main = facts
        .functions
        .iter()
        .position(|f| f.name == "main")
        .unwrap();
    let analysis = Analysis::new(&facts, &code, &text, main, &bound, false);
    let threads = &analysis.threads;
    let mut out = format!(
        "threaded: {}, supposes: {}\n",
        analysis.threaded, analysis.supposes
    );
    for (f, function) in facts.functions.iter().enumerate() {
        write!(out, "{}:", function.name).unwrap();
        match threads.only_thread(f) {
            Some(root) => write!(out, " in the thread of {}", facts.functions[root].name).unwrap(),
            None => write!(out, " in {} kinds of threads", threads.roots[f].len()).unwrap(),
        }
        for (holds, what) in [
            (threads.recursive[f], ", recursive"),
            (
                threads.several_instances(f),
                ", several instances at a time",
            ),
        ] {
            out.push_str(if holds { what } else { "" });
        }
        out.push('\n');
    }
    let effects = analysis.effects.writes.iter().zip(shown_writes);
    for (effects, shown) in effects.chain(analysis.effects.calls.iter().zip(shown_calls)) {
        for effect in effects {
            let name = &bound.propositions[effect.proposition].identifier;
            writeln!(out, "{shown} [{name}: {:?}]", effect.overlap).unwrap();
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn who_runs_in_which_thread() {
    let text = "
int x;
void both(void) { x++; }
void *worker(void *a) { both(); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  both();
  return 0;
}";
    check(
        THREADS,
        text,
        "G {x < 3}",
        expect![[r#"
        threaded: true, supposes: false
        both: in 2 kinds of threads, several instances at a time
        worker: in the thread of worker
        main: in the thread of main
        2: x++ [x_3: Surely]
    "#]],
    );
}

#[test]
fn a_thread_that_is_started_in_a_loop_has_several_instances() {
    let text = "
int x;
void *worker(void *a) { x = 1; return a; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0);
  return 0;
}";
    check(
        THREADS,
        text,
        "G {x < 3}",
        expect![[r#"
        threaded: true, supposes: false
        worker: in 1 kinds of threads, several instances at a time
        main: in the thread of main
        2: x = 1 [x_3: Surely]
    "#]],
    );
}

#[test]
fn recursion_through_another_function() {
    let text = "
int x;
int odd(int n);
int even(int n) { return n ? odd(n - 1) : 1; }
int odd(int n) { x = n; return n ? even(n - 1) : 0; }
int main(void) { return even(3); }";
    check(
        "",
        text,
        "G {x < 3}",
        expect![[r#"
        threaded: false, supposes: false
        even: in the thread of main, recursive, several instances at a time
        odd: in the thread of main, recursive, several instances at a time
        main: in the thread of main
        4: x = n [x_3: Surely]
    "#]],
    );
}

#[test]
fn pointers_lead_to_what_their_addresses_are_taken_of() {
    let text = "
int x, y, z;
int main(void) {
  int *p = &x, *q = &y;
  *p = 1;
  *q = 2;
  z = 3;
  return 0;
}";
    check(
        "",
        text,
        "G {x < z}",
        expect![[r#"
        threaded: false, supposes: false
        main: in the thread of main
        4: *p = 1 [x_z: Maybe]
        6: z = 3 [x_z: Surely]
    "#]],
    );
}

#[test]
fn calls_write_what_the_catalogue_says() {
    let text = "
int x, y;
int main(void) {
  memcpy(&x, &y, 4);
  memcpy(&y, &x, 4);
  __VERIFIER_assume(x);
  return 0;
}";
    check(
        LIBRARY,
        text,
        "G {x < 3}",
        expect![[r#"
        threaded: false, supposes: true
        main: in the thread of main
        3: memcpy(&x, &y, 4) [x_3: Maybe]
    "#]],
    );
}

#[test]
fn an_index_that_is_not_known_may_be_the_one_that_is_read() {
    let text = "
int t[4], i;
int main(void) {
  t[1] = 1;
  t[2] = 2;
  t[i] = 3;
  return 0;
}";
    check(
        "",
        text,
        "G {t[1] < 3}",
        expect![[r#"
        threaded: false, supposes: false
        main: in the thread of main
        3: t[1] = 1 [t_1_3: Surely]
        5: t[i] = 3 [t_1_3: Maybe]
    "#]],
    );
}
