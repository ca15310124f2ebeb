//! Tests of the planners of control: ends of runs and functions, bounds of loops, non-local jumps.

use expect_test::expect;

use crate::given::{check_text, check_with, inserted, options, LIBRARY};
use weave::Options;

#[test]
fn every_end_of_the_run_has_its_verdict() {
    let text = "
int x;
void f(void) { exit(x); }
int main(void) {
  if (x) return 1;
  f();
  abort();
}";
    check_text(
        LIBRARY,
        text,
        "F {x == 1}",
        expect![[r#"
        void f(void) { exit(⟨(__extension__ ({ int ba_result = (⟩x⟨); ba_finish(); if (BA_MODEL) BA_ASSUME(0); ba_result; }))⟩); }
        int main(void) {⟨ba_start();⟩
        if (x) ⟨{ ba_finish();⟩return 1;⟨}⟩
        ⟨(__extension__ ({ ba_finish(); BA_OVER(); if (BA_MODEL) BA_ASSUME(0);⟩abort()⟨; }))⟩;
    "#]],
    );
}

#[test]
fn loops_gotos_and_recursions_are_cut() {
    let text = "
int x;
int f(int n) { return n ? f(n - 1) : 0; }
int main(void) {
  for (int i = 0; i < 3; i++) x = i;
again:
  if (x++ < 5) goto again;
  do { x--; } while (x);
  return f(x);
}";
    check_text(
        "",
        text,
        "G {x < 9}",
        expect![[r#"
        int f(int n) {⟨BA_BOUND(ba_depth_f, BA_UNWIND_f, 7);⟩ return ⟨(__extension__ ({ int ba_result = (⟩n ? f(n - 1) : 0⟨); ba_depth_f--; ba_result; }))⟩; }
        int main(void) {⟨unsigned ba_loop0 = 0; unsigned ba_loop1 = 0; unsigned ba_goto0 = 0; ba_start();⟩
        ⟨{ ba_loop0 = 0;⟩for (int i = 0; i < 3; i++) ⟨{ BA_BOUND(ba_loop0, BA_UNWIND_3, 3);⟩⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = i⟨; BA_BEGIN(); x = ba_value; ba_event_x_9(0, ba_p_x_9, ba_eval_x_9()); BA_END(); }))⟩;⟨}⟩⟨ba_loop0 = 0; }⟩
        ⟨ba_goto0 = 0;⟩again:
        if (⟨(__extension__ ({ /*⟩x++⟨*/ __typeof__(x) ba_value = x, ba_old; ba_old = ba_value; ++ba_value; BA_BEGIN(); x = ba_value; ba_event_x_9(1, ba_p_x_9, ba_eval_x_9()); BA_END(); ba_old; }))⟩ < 5) ⟨{ BA_BOUND(ba_goto0, BA_UNWIND_main_again, 5);⟩goto again;⟨}⟩
        ⟨{ ba_loop1 = 0;⟩do {⟨BA_BOUND(ba_loop1, BA_UNWIND_main, 4);⟩ ⟨(__extension__ ({ /*⟩x--⟨*/ __typeof__(x) ba_value = x; --ba_value; BA_BEGIN(); x = ba_value; ba_event_x_9(2, ba_p_x_9, ba_eval_x_9()); BA_END(); }))⟩; } while (x);⟨ba_loop1 = 0; }⟩
        return ⟨(__extension__ ({ int ba_result = (⟩f(x)⟨); ba_finish(); ba_result; }))⟩;
    "#]],
    );
}

#[test]
fn a_handler_of_the_end_runs_before_the_verdict() {
    let text = "
int x;
void last(void) { x = 1; }
int main(void) {
  atexit(last);
  return 0;
}";
    check_with(
        LIBRARY,
        text,
        "F {x == 1}",
        &options(),
        &expect![[r#"
        2 last: write x = 1
        3 main: start main
    "#]],
    );
}

#[test]
fn a_nonlocal_jump_becomes_returns_where_the_backend_does_not_make_it() {
    let text = "
int x;
jmp_buf place;
void f(void) { longjmp(place, 1); }
int main(void) {
  if (setjmp(place)) return 0;
  x = 1;
  f();
}";
    check_text(
        LIBRARY,
        text,
        "F {x == 1}",
        expect![[r#"
            void f(void) { ⟨(__extension__ ({⟩⟨BA_LONGJMP(⟩longjmp⟨)⟩(place, ⟨(__extension__ ({ int ba_result = (⟩1⟨); ba_result; }))⟩)⟨; BA_IF_JUMPING(return;) (void)0; }))⟩; }
            int main(void) {⟨BA_UNUSED unsigned ba_place0 = 0, ba_returns0 = 0; ba_start();⟩
            ⟨BA_SETJMP_LABEL(ba_to0);⟩if (⟨(BA_MODEL ? ba_saves(&ba_place0, (void *)(place)) :⟩setjmp(place)⟨)⟩) ⟨{ ba_finish();⟩return 0;⟨}⟩
            ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = 1⟨; BA_BEGIN(); x = ba_value; ba_event_x_1(0, ba_p_x_1, ba_eval_x_1()); BA_END(); }))⟩;
            ⟨(__extension__ ({⟩f()⟨; BA_IF_JUMPING(if (ba_to_place == ba_place0) { BA_BOUND(ba_returns0, BA_UNWIND_main, 2); ba_jumping = 0; ba_jump_arrived = 1; goto ba_to0; } ba_cut(3);) (void)0; }))⟩;
            ⟨ba_finish();⟩}
        "#]],
    );
}

const HANDLER: &str = "
volatile int x;
void handler(int n) { x = n; }
int main(void) {
  signal(2, handler);
  x = 1;
  return 0;
}";

#[test]
fn a_handler_of_a_signal_changes_what_it_writes() {
    check_with(
        LIBRARY,
        HANDLER,
        "F {x == 2}",
        &options(),
        &expect![[r#"
        2 handler: write x = n
        5 main: write x = 1
        3 main: start main
    "#]],
    );
}

#[test]
fn a_handler_of_a_signal_is_refused_where_the_backend_runs_none() {
    let options = Options {
        nonlocal_jumps: false,
        ..options()
    };
    check_with(
        LIBRARY,
        HANDLER,
        "F {x == 2}",
        &options,
        &expect![[r#"
        4 refused: `signal` registers a handler, which is not modelled; model checkers do not run handlers of signals
    "#]],
    );
}

/// A function with a chain of this many branches.
fn chain(branches: usize) -> String {
    let branch = |n| format!("if (n == {n}) {{ return {n}; }}\n");
    let chain: Vec<String> = (0..branches).map(branch).collect();
    format!(
        "int x;\nint f(int n) {{\n{}return 0;\n}}\nint main(void) {{ x = f(2); return 0; }}",
        chain.join("else ")
    )
}

/// The names of the halves whose conditions are computed before a chain.
fn halves(branches: usize) -> Vec<String> {
    let text = inserted("", &chain(branches), "G {x < 9}");
    let declared = text.split("_Bool ba_any_").skip(1);
    declared
        .filter_map(|rest| Some(rest.split_once(' ')?.0.to_string()))
        .collect()
}

#[test]
fn a_long_chain_of_branches_is_divided_into_halves() {
    assert_eq!(halves(31), Vec::<String>::new());
    expect![[r#"
        [
            "0_0_16",
            "0_16_32",
            "0_0_32",
            "0_32_48",
        ]
    "#]]
    .assert_debug_eq(&halves(64));
}
