//! Tests of the planners of writes: the sites that change a proposition, and the text there.

use expect_test::expect;

use crate::given::{check, check_text, check_with, options, LIBRARY};

#[test]
fn each_way_to_write_a_variable_is_an_event() {
    let text = "
int x, y;
int main(void) {
  x = 1;
  x += 2;
  x++;
  --x;
  y = 3;
  return 0;
}";
    check(
        text,
        "G {x < 3}",
        expect![[r#"
        3 main: write x = 1
        4 main: write x += 2
        5 main: write x++
        6 main: write --x
        2 main: start main
    "#]],
    );
}

#[test]
fn a_write_through_a_pointer_compares_addresses() {
    let text = "
int x, y;
int main(void) {
  int *p = y ? &x : &y;
  *p = 1;
  return 0;
}";
    check_text(
        "",
        text,
        "G {x < 3}",
        expect![[r#"
        int main(void) {⟨ba_start();⟩
        ⟨(__extension__ ({ __auto_type ba_at = &(⟩*p⟨); __typeof__(*ba_at) ba_value⟩ = 1⟨; BA_BEGIN(); *ba_at = ba_value; if (ba_hits_0(ba_at, sizeof *(ba_at))) ba_event_x_3(0, ba_p_x_3, ba_eval_x_3()); BA_END(); }))⟩;
        ⟨{ ba_finish();⟩return 0;⟨}⟩
    "#]],
    );
}

#[test]
fn only_the_element_and_the_member_that_are_read_count() {
    let text = "
struct { int a, b; } s;
int t[4];
int main(void) {
  s.a = 1;
  s.b = 2;
  t[1] = 3;
  t[2] = 4;
  return 0;
}";
    check(
        text,
        "G {s.a < t[2]}",
        expect![[r#"
        4 main: write s.a = 1
        7 main: write t[2] = 4
        3 main: start main
    "#]],
    );
}

#[test]
fn what_the_library_writes_is_an_event() {
    let text = "
int x, y, z;
int main(void) {
  memcpy(&x, &y, sizeof x);
  memset(&z, 0, sizeof z);
  return 0;
}";
    check_with(
        LIBRARY,
        text,
        "G {x < 3}",
        &options(),
        &expect![[r#"
        3 main: write memcpy(&x, &y, sizeof x)
        2 main: start main
    "#]],
    );
}

#[test]
fn two_propositions_change_in_one_event() {
    let text = "
int x;
int main(void) {
  x = 1;
  return 0;
}";
    check_text(
        "",
        text,
        "G ({x < 3} || {x > 5})",
        expect![[r#"
        int main(void) {⟨ba_start();⟩
        ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = 1⟨; BA_BEGIN(); x = ba_value; { _Bool ba_now0 = ba_eval_x_3(), ba_now1 = ba_eval_x_5(); ba_events_0(0, ba_p_x_3, ba_now0, ba_p_x_5, ba_now1); } BA_END(); }))⟩;
        ⟨{ ba_finish();⟩return 0;⟨}⟩
    "#]],
    );
}

#[test]
fn the_value_of_a_write_is_kept_where_it_is_used() {
    let text = "
int x, y;
int main(void) {
  y = (x = 2) + x++;
  return 0;
}";
    check_text(
        "",
        text,
        "G {x < 3}",
        expect![[r#"
        int main(void) {⟨ba_start();⟩
        y = (⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = 2⟨; BA_BEGIN(); x = ba_value; ba_event_x_3(0, ba_p_x_3, ba_eval_x_3()); BA_END(); ba_value; }))⟩) + ⟨(__extension__ ({ /*⟩x++⟨*/ __typeof__(x) ba_value = x, ba_old; ba_old = ba_value; ++ba_value; BA_BEGIN(); x = ba_value; ba_event_x_3(1, ba_p_x_3, ba_eval_x_3()); BA_END(); ba_old; }))⟩;
        ⟨{ ba_finish();⟩return 0;⟨}⟩
    "#]],
    );
}

#[test]
fn a_call_of_an_evaluated_function_reads_what_its_body_reads() {
    let text = "
int x, y;
int small(void) { return x < 3; }
int main(void) {
  x = 1;
  y = 2;
  return 0;
}";
    check(
        text,
        "G {small()}",
        expect![[r#"
        4 main: write x = 1
        3 main: start main
    "#]],
    );
}

#[test]
fn operands_of_enumerated_types_are_converted_as_the_compiler_does() {
    let text = "
enum value { A, B };
struct { enum value narrow : 2; enum value full; } s;
int x;
int main(void) {
  x = s.full > B;
  x = s.narrow > B;
  return s.full == A;
}";
    check_text(
        "",
        text,
        "G {x < 2}",
        expect![[r#"
        int main(void) {⟨ba_start();⟩
        ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = ⟨(unsigned)(⟩s.full⟨)⟩ > B⟨; BA_BEGIN(); x = ba_value; ba_event_x_2(0, ba_p_x_2, ba_eval_x_2()); BA_END(); }))⟩;
        ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = s.narrow > B⟨; BA_BEGIN(); x = ba_value; ba_event_x_2(1, ba_p_x_2, ba_eval_x_2()); BA_END(); }))⟩;
        return ⟨(__extension__ ({ int ba_result = (⟩s.full == A⟨); ba_finish(); ba_result; }))⟩;
    "#]],
    );
}
