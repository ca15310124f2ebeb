//! Tests of the planner of lassos: save points, and the state that is saved there.

use expect_test::expect;

use crate::given::{check_lasso, with};

#[test]
fn the_head_of_a_loop_saves_what_counts() {
    let text = "
int x, unused;
int main(void) {
  int step = 1;
  while (1) {
    unused = x;
    x = (x + step) % 3;
  }
}";
    check_lasso(
        text,
        "G F {x == 0}",
        expect![[r#"
        state: x
        6 main: write x = (x + step) % 3
        4 main: cut while (1)
        4 main: save while (1)
        4 main: repeat while (1)
        2 main: start main
    "#]],
    );
}

#[test]
fn a_loop_that_counts_to_a_constant_saves_nothing() {
    let text = "
int x;
int main(void) {
  for (int i = 0; i < 4; i++) x = i;
  while (1) x = 1;
}";
    check_lasso(
        text,
        "F G {x == 1}",
        expect![[r#"
        state: x
        3 main: write x = i
        4 main: write x = 1
        3 main: cut for (int i = 0; i < 4; i++)
        4 main: cut while (1)
        4 main: save while (1)
        4 main: repeat while (1)
        2 main: start main
    "#]],
    );
}

#[test]
fn labels_of_the_specification_are_the_save_points() {
    let spec = with(
        "G F {x == 0}",
        r#""lasso": {"at": ["here"], "state": ["x"]}"#,
    );
    let text = "
int x, other;
int main(void) {
here:
  x = !x;
  other++;
  goto here;
}";
    check_lasso(
        text,
        &spec,
        expect![[r#"
        state: x
        3 main: save here
        3 main: repeat here
        4 main: write x = !x
        6 main: cut goto here;
        2 main: start main
    "#]],
    );
}

#[test]
fn a_state_that_cannot_be_named_is_refused() {
    let spec = with("G F {x == 0}", r#""lasso": {"state": ["nothing"]}"#);
    let text = "
int x;
int main(void) {
  while (1) x = !x;
}";
    check_lasso(
        text,
        &spec,
        expect![[r#"
        refused: the program has no variable `nothing`
    "#]],
    );
}

#[test]
fn a_jump_back_is_a_save_point() {
    let text = "
int x;
int main(void) {
again:
  x = !x;
  goto again;
}";
    check_lasso(
        text,
        "G F {x == 0}",
        expect![[r#"
        state: x
        4 main: write x = !x
        5 main: cut goto again;
        5 main: save goto again;
        5 main: repeat goto again;
        2 main: start main
    "#]],
    );
}
