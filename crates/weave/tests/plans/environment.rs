//! Tests of the planners of the environment: values from outside, samples, discarded runs, labels to be
//! reached.

use expect_test::expect;

use crate::given::{check_text, check_with, options, with, LIBRARY};
use weave::Options;

#[test]
fn an_input_stands_for_a_call() {
    let spec = with(
        "G {x < 3}",
        r#""inputs": [{"call": "sensor", "values": [1, 5]}]"#,
    );
    let text = "
int sensor(void);
int x;
int main(void) {
  x = sensor();
  return 0;
}";
    check_text(
        "",
        text,
        &spec,
        expect![[r#"
        int main(void) {⟨ba_start();⟩
        ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = ⟨ba_input_0 /*⟩sensor⟨*/⟩()⟨; BA_BEGIN(); x = ba_value; ba_event_x_3(0, ba_p_x_3, ba_eval_x_3()); BA_END(); }))⟩;
        ⟨{ ba_finish();⟩return 0;⟨}⟩
    "#]],
    );
}

#[test]
fn an_input_gives_a_variable_its_value() {
    let spec = with(
        "G {x < 3}",
        r#""inputs": [{"variable": "main::start", "range": [0, 9]}]"#,
    );
    let text = "
int x;
int main(void) {
  int start = 4;
  x = start;
  return 0;
}";
    check_text(
        "",
        text,
        &spec,
        expect![[r#"
        int main(void) {⟨ba_start();⟩
        int start = 4;⟨BA_INPUT(start = ba_choose_0(1); )⟩
        ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = start⟨; BA_BEGIN(); x = ba_value; ba_event_x_3(0, ba_p_x_3, ba_eval_x_3()); BA_END(); }))⟩;
        ⟨{ ba_finish();⟩return 0;⟨}⟩
    "#]],
    );
}

#[test]
fn letters_are_taken_at_samples() {
    let spec = with(
        "G {x < 3}",
        r#""trace": {"mode": "sample", "at": ["tick"]}"#,
    );
    let text = "
int x;
int main(void) {
  x = 5;
  x = 1;
tick:
  x = 2;
  return 0;
}";
    check_with(
        "",
        text,
        &spec,
        &options(),
        &expect![[r#"
        5 main: sample tick
        2 main: start main
    "#]],
    );
}

#[test]
fn runs_are_discarded_at_labels_and_reached_labels_are_told() {
    let spec = with(
        "G {x < 3}",
        r#""prune": ["dead"], "assume": [{"at": "here", "cond": "x > 0"}], "reach": ["goal"]"#,
    );
    let text = "
int x;
int main(void) {
  if (x) { dead: return 1; }
here:
  x = 2;
goal:
  return 0;
}";
    check_with(
        "",
        text,
        &spec,
        &options(),
        &expect![[r#"
        3 main: prune dead
        4 main: assume here
        6 main: reach goal
        5 main: write x = 2
        2 main: start main
    "#]],
    );
}

#[test]
fn what_is_read_is_any_value() {
    let text = "
int x, c;
char buffer[4];
int main(void) {
  scanf(\"%d\", &x);
  c = getchar();
  read(0, buffer, 4);
  return 0;
}";
    check_with(
        LIBRARY,
        text,
        "G ({x < 3} && {buffer[0] == 0})",
        &options(),
        &expect![[r#"
            4 main: write scanf("%d", &x)
            6 main: write read(0, buffer, 4)
            4 main: input scanf("%d", &x)
            5 main: input getchar()
            6 main: input read(0, buffer, 4)
            6 main: cut read(0, buffer, 4)
            3 main: start main
        "#]],
    );
}

#[test]
fn the_program_assumes_and_a_failed_assertion_discards() {
    let text = "
int x;
void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void) {
  x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 2);
  if (x == 7) __assert_fail(\"x\", \"p.c\", 6, \"main\");
  return 0;
}";
    let options = Options {
        assert_prunes: true,
        ..options()
    };
    check_with(
        LIBRARY,
        text,
        "G {x > 2}",
        &options,
        &expect![[r#"
        4 main: write x = __VERIFIER_nondet_int()
        5 main: assume __VERIFIER_assume(x > 2)
        6 main: prune __assert_fail("x", "p.c", 6, "main")
        3 main: start main
    "#]],
    );
}
