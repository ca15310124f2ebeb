//! Tests of the planners of areas: where areas are entered and left.

use expect_test::expect;

use crate::given::{check, check_text, with};

const SPEC: &str = r#"{ "properties": [{"name": "q", "ltl": "G p"}],
  "pa": [{"name": "p", "default": true, "cond": "x < 3", "span": ["begin", "end"]}] }"#;

#[test]
fn labels_enter_and_leave() {
    let text = "
int x;
int main(void) {
begin:
  x = 1;
end:
  return x;
}";
    check(
        text,
        SPEC,
        expect![[r#"
        3 main: enter begin
        5 main: leave end
        4 main: write x = 1
        2 main: start main
    "#]],
    );
}

#[test]
fn a_jump_out_of_an_area_leaves_it() {
    let text = "
int x;
int main(void) {
begin:
  x = 1;
  if (x) goto out;
end:
  x = 2;
out:
  return x;
}";
    check(
        text,
        SPEC,
        expect![[r#"
        3 main: enter begin
        6 main: leave end
        4 main: write x = 1
        7 main: write x = 2
        5 main: leave goto out;
        9 main: leave return x;
        2 main: start main
        5 note: the area `p` is left here without reaching `end`; closes the area
    "#]],
    );
}

#[test]
fn a_return_leaves_the_area() {
    let text = "
int x;
int f(void) {
begin:
  if (x) return 1;
end:
  return 0;
}
int main(void) { return f(); }";
    check(
        text,
        SPEC,
        expect![[r#"
        3 f: enter begin
        5 f: leave end
        4 f: leave return 1;
        8 main: start main
        4 note: the area `p` is left here without reaching `end`; closes the area
    "#]],
    );
}

#[test]
fn an_area_can_be_entered_again() {
    let text = "
int x;
int main(void) {
  while (x < 5) {
begin:
    x++;
end: ;
  }
  return 0;
}";
    check(
        text,
        SPEC,
        expect![[r#"
        4 main: enter begin
        6 main: leave end
        5 main: write x++
        3 main: cut while (x < 5)
        2 main: start main
    "#]],
    );
}

#[test]
fn a_whole_function_is_an_area() {
    let spec = with(
        "G p",
        r#""pa": [{"name": "p", "default": true, "cond": "n > 0", "function": "f"}]"#,
    );
    let text = "
int f(int n) { return n - 1; }
int main(void) { return f(2); }";
    check(
        text,
        &spec,
        expect![[r#"
        refused: the program has no variable `n`
    "#]],
    );
}

#[test]
fn a_label_without_a_block_gets_braces() {
    let text = "
int x;
int main(void) {
  if (x)
begin:
    x = 1;
end:
  return x;
}";
    check_text(
        "",
        text,
        SPEC,
        expect![[r#"
            int main(void) {⟨BA_UNUSED _Bool ba_in_p = 0;⟩
            begin:⟨{ BA_BEGIN(); BA_SEE_AREA(0); ba_in_p = 1; ba_event_p(0, ba_p_p, ba_eval_p()); BA_END();⟩
            ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = 1⟨; BA_BEGIN(); x = ba_value; if (ba_in_p) ba_event_p(2, ba_p_p, ba_eval_p()); BA_END(); }))⟩;⟨}⟩
            end:⟨if (ba_in_p) { BA_SEE_EXIT(0); } if (ba_in_p) { BA_BEGIN(); ba_event_p(1, ba_p_p, 1); ba_in_p = 0; BA_END(); }⟩
            return ⟨(__extension__ ({ int ba_result = (⟩x⟨); ba_finish(); ba_result; }))⟩;
        "#]],
    );
}

#[test]
fn a_name_that_means_no_label_is_refused() {
    check(
        "int x; int main(void) { return x; }",
        SPEC,
        expect![[r#"
        refused: the program has no label `begin`
    "#]],
    );
}
