//! Threads that wait: for each other, for locks, and in loops without effect.

use super::*;

#[test]
fn waiting_threads_go_on_when_they_can() {
    let bodies = [
        "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); r = x; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); x = 7; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
    ];
    let globals = "int x, r; pthread_mutex_t m; pthread_cond_t c; void ba_over(_Bool deadlock) { outcome(deadlock ? 100 : 99); }";
    let program = threads(globals, &bodies, "r");
    check(&program, 1, &[]);
    check(&program, 2, &[7]);
    let lost = program.replace("while (!x)", "");
    check(&lost, 2, &[7, 100]);
}

#[test]
fn busy_waits_are_waits() {
    let bodies = ["while (!x); r = y;", "y = 3; x = 1;"];
    let program = threads("int x, y, r;", &bodies, "r");
    check(&program, 1, &[]);
    check(&program, 2, &[3]);
}

#[test]
fn waits_through_functions_that_only_read_are_waits() {
    let globals = "int x, y, r;
        int is_set(const int *at) { int now = *at; if (now) return 1; return 0; }
        int ready(void) { return is_set(&x); }
        void ba_over(_Bool deadlock) { outcome(deadlock ? 100 : 99); }";
    let globals = format!("{globals} pthread_mutex_t m;
        int asked(void) {{ pthread_mutex_lock(&m); int now = x; pthread_mutex_unlock(&m); return now; }}
        int any(void) {{ for (int i = 0; i < 2; i++) if ((&x)[0]) return 1; return 0; }}");
    let globals = globals.as_str();
    for wait in [
        "while (!x);",
        "while (!ready());",
        "do { } while (!is_set(&x));",
        "while (1) { if (x) break; }",
        "int now; while (1) { now = ready(); if (now) break; }",
        "for (;;) { int now = x; if (!now) continue; break; }",
        "while (!any());",
        "while (1) { int now = asked(); if (now) break; }",
        "while (1) { pthread_mutex_lock(&m); if (x) { pthread_mutex_unlock(&m); break; } pthread_mutex_unlock(&m); }",
    ] {
        let first = format!("{wait} r = y;");
        let program = threads(globals, &[&first, "y = 3; x = 1;"], "r");
        check(&program, 1, &[]);
        check(&program, 2, &[3]);
        let program = threads(globals, &[&first, "y = 3;"], "r");
        check(&program, 2, &[100]);
    }
}

/// An iteration that leaves something behind counts each time: something that other threads see,
/// that a later iteration reads, or that is read after the loop.
#[test]
fn iterations_with_an_effect_are_not_left_out() {
    let globals = "int x, n, last; int *seen;
        int fails(int *tries) { if (x) return 0; (*tries)++; return 1; }
        int counts(void) { static int calls; calls++; n = calls; return x; }";
    for body in [
        "int tries = 1; while (1) { int now = x; if (now) break; tries++; } n = tries;",
        "n = 1; while (1) { if (x) break; n++; }",
    ] {
        check(&threads(globals, &[body, "x = 1;"], "n"), 2, &[1, 2, 3]);
    }
    // A condition is evaluated once more than the body.
    for body in [
        "int tries = 1; while (fails(&tries)); n = tries;",
        "while (!counts());",
    ] {
        check(&threads(globals, &[body, "x = 1;"], "n"), 2, &[1, 2, 3, 4]);
    }
    let stale = "int old = 5; while (1) { int now = x; if (now == 2) break; old = now; } n = old;";
    check(&threads(globals, &[stale, "x = 1; x = 2;"], "n"), 1, &[]);
    check(
        &threads(globals, &[stale, "x = 1; x = 2;"], "n"),
        2,
        &[0, 5],
    );
    check(
        &threads(globals, &[stale, "x = 1; x = 2;"], "n"),
        3,
        &[0, 1, 5],
    );
    // The same with a variable that is declared before the loop, and in a loop that is left at its
    // head.
    let before =
        "int old = 5, now; while (1) { now = x; if (now == 2) break; old = now; } n = old;";
    let head = "int old = 5; while (x != 2) { old = x; } n = old;";
    for (stale, expected) in [(before, vec![0, 1, 5]), (head, vec![0, 1, 2, 5])] {
        let program = threads(globals, &[stale, "x = 1; x = 2;"], "n");
        check(&program, 3, &expected);
    }
    let told = "while (1) { last = x; if (last == 2) break; }";
    check(
        &threads(globals, &[told, "x = 1; n = last; x = 2;"], "n"),
        3,
        &[0, 1],
    );
}

/// A failed exchange has no effect, so a thread tries when it succeeds; the values in between are
/// observable.
#[test]
fn exchanges_are_tried_where_they_succeed() {
    let cas = "do { old = x; } while (!__sync_bool_compare_and_swap(&x, old, old + 1));";
    let adds = format!("int old; {cas} {cas}");
    let program = threads("int x;", &[&adds, &adds], "x");
    check(&program, 2, &[4]);
    let first = format!("int old; {cas} n = n * 3 + old;");
    let second = format!("int old; {cas} n = n * 3 + old;");
    let program = threads("int x, n;", &[&first, &second], "n");
    check(&program, 1, &[1]);
    check(&program, 2, &[0, 1, 3]);
}

/// The values that a function reads one after the other may never hold together.
#[test]
fn a_wait_for_two_values_may_end_though_they_never_hold_together() {
    let globals = "int a, b = 1, r; int busy(void) { return a || b; }";
    for wait in ["while (a || b);", "while (busy());"] {
        let program = threads(globals, &[&format!("{wait} r = 5;"), "a = 1; b = 0;"], "r");
        check(&program, 2, &[5]);
    }
}

/// A loop that calls a function with a visible write is not a wait: each iteration counts.
#[test]
fn a_loop_that_calls_what_writes_is_no_wait() {
    let globals = "int x, n; int counts(void) { n++; return x; }";
    let program = threads(globals, &["while (!counts());", "x = 1;"], "n");
    check(&program, 1, &[]);
    check(&program, 2, &[1, 2, 3, 4]);
}

#[test]
fn what_others_wait_for_in_the_other_order_is_a_deadlock() {
    let take = |a: &str, b: &str| {
        format!("pthread_mutex_lock(&{a}); pthread_mutex_lock(&{b}); x++; pthread_mutex_unlock(&{b}); pthread_mutex_unlock(&{a});")
    };
    let (first, second) = (take("m", "n"), take("n", "m"));
    let globals = "int x; pthread_mutex_t m, n; void ba_over(_Bool deadlock) { outcome(deadlock ? 100 : 99); }";
    let program = threads(globals, &[&first, &second], "x");
    check(&program, 1, &[2, 100]);
    let program = threads(globals, &[&first, &first], "x");
    check(&program, 3, &[2]);
}

/// A mutex that is never held at a position is left out; the others stay.
#[test]
fn mutexes_are_waited_for_where_they_may_be_held() {
    let over = "void ba_over(_Bool deadlock) { outcome(deadlock ? 100 : 99); }";
    let both = |a: &str, b: &str, body: &str| {
        format!("pthread_mutex_lock({a}); pthread_mutex_lock({b}); {body} pthread_mutex_unlock({b}); pthread_mutex_unlock({a});")
    };
    let globals = format!("int x, y, n = 1; pthread_mutex_t m[3]; {over}");
    let nested = both("&m[0]", "&m[1]", "x++; y = x;");
    let last = "pthread_mutex_lock(m + 1); y = 7; pthread_mutex_unlock(&m[1]);";
    check(
        &threads(&globals, &[&nested, &nested, last], "10 * x + y"),
        2,
        &[22, 27],
    );
    // The same mutex twice, once by an unknown index.
    let twice = both("&m[0]", "&m[n - 1]", "x++;");
    check(&threads(&globals, &[&twice], "x"), 2, &[100]);
    let other = both("&m[0]", "&m[n]", "x++;");
    check(&threads(&globals, &[&other, &other], "x"), 2, &[2]);
    // The thread releases another mutex.
    let wrong = "pthread_mutex_lock(&m[0]); x++; pthread_mutex_unlock(&m[n]);";
    check(&threads(&globals, &[wrong, wrong], "x"), 2, &[100]);
    // The index changes while the mutex is held.
    let moved =
        "int i = n; pthread_mutex_lock(&m[i]); x++; i = n + 1; pthread_mutex_unlock(&m[i]);";
    check(&threads(&globals, &[moved, moved], "x"), 2, &[100]);
    let kept = "int i = n; pthread_mutex_lock(&m[i]); x++; pthread_mutex_unlock(&m[i]);";
    check(&threads(&globals, &[kept, kept], "x"), 2, &[2]);
}

/// Regression: the kind of a mutex was not set, so a thread waited for itself.
#[test]
fn a_recursive_mutex_is_taken_again() {
    let text = |kind: &str| {
        format!(
            "int x; pthread_mutex_t m; void ba_over(_Bool deadlock) {{ outcome(deadlock ? 100 : 99); }}
            void *again(void *p) {{ pthread_mutex_lock(&m); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); x++; pthread_mutex_unlock(&m); return 0; }}
            int main(void) {{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); {kind} pthread_mutex_init(&m, &a);
              pthread_t t, u; pthread_create(&t, 0, again, 0); pthread_create(&u, 0, again, 0); pthread_join(t, 0); pthread_join(u, 0); outcome(x); return 0; }}"
        )
    };
    check(&text("pthread_mutexattr_settype(&a, 1);"), 2, &[4]);
    check(&text(""), 2, &[100]);
}
