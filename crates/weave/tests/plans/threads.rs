//! Tests of the planners of threads: their starts and ends, busy waits, shared pointers.

use expect_test::expect;

use crate::given::{check_text, check_with, options, with, THREADS};
use weave::Options;

#[test]
fn a_thread_starts_and_is_joined() {
    let text = "
int x;
void *worker(void *a) { x = 1; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return x;
}";
    check_text(
        THREADS,
        text,
        "F {x == 1}",
        expect![[r#"
            void *worker(void *a) {⟨ba_own_x_1 = ba_p_x_1; BA_SEE_START(0);⟩ ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = 1⟨; BA_BEGIN(); x = ba_value; ba_own_x_1 = ba_event_x_1(0, ba_own_x_1, ba_eval_x_1()); BA_END(); }))⟩; return a; }
            int main(void) {⟨ba_start();⟩
            ⟨ba_create_worker /*⟩pthread_create⟨*/⟩(&t, 0, worker, 0);
            ⟨ba_pthread_join /*⟩pthread_join⟨*/⟩(⟨1,⟩t, 0);
            return ⟨(__extension__ ({ int ba_result = (⟩x⟨); ba_finish(); ba_result; }))⟩;
        "#]],
    );
}

#[test]
fn a_loop_that_only_waits_stops_its_thread() {
    let text = "
int ready, x;
void *worker(void *a) { while (!ready) ; x = 1; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  ready = 1;
  pthread_join(t, 0);
  return 0;
}";
    check_text(
        THREADS,
        text,
        "F {x == 1}",
        expect![[r#"
            void *worker(void *a) {⟨unsigned ba_loop0 = 0; BA_UNUSED _Bool ba_spins0 = 0; BA_UNUSED unsigned ba_seen0 = 0; ba_own_x_1 = ba_p_x_1; BA_SEE_START(0);⟩ ⟨{ ba_loop0 = 0; ba_spins0 = 0;⟩while (!ready) ⟨{ BA_WAITS(ba_loop0, ba_spins0, ba_seen0, 1, 1, 0, BA_UNWIND_worker, 2, 1);⟩;⟨}⟩⟨BA_NO_WAIT(ba_spins0); ba_loop0 = 0; }⟩ ⟨(__extension__ ({ __typeof__(⟩x⟨) ba_value⟩ = 1⟨; BA_BEGIN(); x = ba_value; ba_own_x_1 = ba_event_x_1(0, ba_own_x_1, ba_eval_x_1()); BA_END(); }))⟩; return a; }
            int main(void) {⟨ba_start();⟩
            ⟨ba_create_worker /*⟩pthread_create⟨*/⟩(&t, 0, worker, 0);
            ⟨ba_pthread_join /*⟩pthread_join⟨*/⟩(⟨3,⟩t, 0);
            ⟨{ ba_finish();⟩return 0;⟨}⟩
        "#]],
    );
}

#[test]
fn locks_and_conditions_are_waited_for() {
    let text = "
int full;
pthread_mutex_t m;
pthread_cond_t c;
void *worker(void *a) {
  pthread_mutex_lock(&m);
  full = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  while (!full) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}";
    check_with(
        THREADS,
        text,
        "F {full}",
        &options(),
        &expect![[r#"
        6 worker: write full = 1
        15 main: cut while (!full)
        5 worker: wait pthread_mutex_lock(&m)
        8 worker: wait pthread_mutex_unlock(&m)
        14 main: wait pthread_mutex_lock(&m)
        15 main: wait pthread_cond_wait(&c, &m)
        16 main: wait pthread_mutex_unlock(&m)
        11 main: start main
    "#]],
    );
}

#[test]
fn a_pointer_that_threads_share_is_refused_where_it_cannot_be_followed() {
    let text = "
int x, y, *p = &y;
void *worker(void *a) { p = &x; *p = 1; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  *p = 2;
  pthread_join(t, 0);
  return 0;
}";
    let options = Options {
        shared_pointers: false,
        ..options()
    };
    check_with(
        THREADS,
        text,
        "F {x == 1}",
        &options,
        &expect![[r#"
        2 refused: a pointer that other threads can see is written while threads run, which CBMC cannot follow; written here
    "#]],
    );
}

#[test]
fn a_local_that_another_thread_writes_is_refused() {
    let text = "
int x;
void *worker(void *a) { *(int *)a = 1; return 0; }
int main(void) {
  pthread_t t;
  int mine = 0;
  pthread_create(&t, 0, worker, &mine);
  x = 1;
  pthread_join(t, 0);
  return 0;
}";
    let spec = with(
        "F p",
        r#""pa": [{"name": "p", "default": false, "cond": "main::mine > x", "function": "main"}]"#,
    );
    check_with(
        THREADS,
        text,
        &spec,
        &options(),
        &expect![[r#"
        refused: the local variable `mine` is not visible where the area begins
    "#]],
    );
}
