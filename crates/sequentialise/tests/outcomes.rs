//! All runs of small programs, by compiling the sequential program and trying every choice. Each
//! program reports its outcome; the outcomes of R rounds are exactly those that follow from the
//! definition of a round. No model checker is involved.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use cfront::{Source, Unit};
use sequentialise::{sequentialise, Options};

/// Tries the choices one after the other, each in a process of its own; outcomes are written to
/// standard output.
const HARNESS: &str = r"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void ba_seq_given_up(void) { _exit(0); }
void outcome(int value) { char line[16]; int n = snprintf(line, sizeof line, `%d\n`, value); if (write(1, line, n) != n) abort(); _exit(0); }
unsigned nondet_ba_seq(void) {
  for (unsigned choice = 0; choice <= MOST; choice++) {
    pid_t child = fork();
    if (child == 0) return choice;
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) _exit(1);
  }
  _exit(0);
}
";

/// The library declarations that the programs need, without headers.
const LIBRARY: &str = r"
typedef unsigned long pthread_t;
typedef struct { int state; } pthread_mutex_t;
typedef struct { int state; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
typedef struct { int state; } pthread_mutexattr_t;
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void outcome(int);
";

/// The outcomes of a program; 100 stands for a deadlock.
fn outcomes(program: &str, rounds: u32, unwind: u32) -> BTreeSet<i32> {
    let text = format!("{LIBRARY}{program}");
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    let options = Options {
        rounds,
        unwind,
        ..Options::default()
    };
    let sequential = sequentialise(&unit, &options).unwrap();
    let most = sequential.threads.iter().map(|t| t.cut).max().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("p.c"), &sequential.text).unwrap();
    let harness = HARNESS
        .replace('`', "\"")
        .replace("MOST", &most.to_string());
    std::fs::write(path("h.c"), harness).unwrap();
    run(Command::new("gcc")
        .args(["-w", "-O1", "-DBA_SEQ_NATIVE", "-o"])
        .args([path("p"), path("p.c"), path("h.c")]));
    let told = run(&mut Command::new(path("p")));
    told.lines().map(|l| l.parse().unwrap()).collect()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let name = Path::new(command.get_program()).display();
    assert!(output.status.success(), "{name}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// A program of threads with these bodies, whose outcome is an expression.
fn threads(globals: &str, bodies: &[&str], result: &str) -> String {
    let mut text = format!("{globals}\n");
    let (mut starts, mut joins) = (String::new(), String::new());
    for (n, body) in bodies.iter().enumerate() {
        text += &format!("void *thread_{n}(void *arg) {{ {body} return 0; }}\n");
        starts += &format!("pthread_create(&t[{n}], 0, thread_{n}, 0); ");
        joins += &format!("pthread_join(t[{n}], 0); ");
    }
    let count = bodies.len();
    text + &format!(
        "int main(void) {{ pthread_t t[{count}]; {starts}{joins}outcome({result}); return 0; }}\n"
    )
}

#[track_caller]
fn check(program: &str, rounds: u32, expected: &[i32]) {
    let expected: BTreeSet<i32> = expected.iter().copied().collect();
    assert_eq!(outcomes(program, rounds, 3), expected, "{program}");
}

#[test]
fn an_increment_is_lost_when_a_thread_is_interrupted() {
    let program = threads("int x;", &["x++;", "x++;"], "x");
    check(&program, 1, &[2]);
    check(&program, 2, &[1, 2]);
    check(&program, 3, &[1, 2]);
}

#[test]
fn locks_keep_increments_together() {
    let body = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
    let program = threads("int x; pthread_mutex_t m;", &[body, body], "x");
    for rounds in 1..=3 {
        check(&program, rounds, &[2]);
    }
}

#[test]
fn sections_are_one_step() {
    let body = "__VERIFIER_atomic_begin(); x = x + 1; x = x * 2; __VERIFIER_atomic_end();";
    let program = threads("int x;", &[body, body], "x");
    for rounds in 1..=3 {
        check(&program, rounds, &[6]);
    }
}

/// Regression: such runs were left out, and the deadlock with them.
#[test]
fn a_section_that_waits_at_its_beginning_is_taken_as_a_whole_or_not_at_all() {
    let over = "void ba_over(_Bool deadlock) { outcome(deadlock ? 100 : 99); }";
    let globals = format!("int x, y; pthread_mutex_t m, n; {over}");
    let section =
        |body: &str| format!("__VERIFIER_atomic_begin(); {body} __VERIFIER_atomic_end();");
    let never = [
        "pthread_mutex_lock(&m);",
        &section("pthread_mutex_lock(&m); x = 1;"),
    ];
    check(&threads(&globals, &never, "x"), 1, &[100]);
    let crossed = [
        "pthread_mutex_lock(&m); y++; pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
        &format!("pthread_mutex_lock(&n); y++; {} pthread_mutex_unlock(&n);", section("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);")),
    ];
    check(&threads(&globals, &crossed, "x"), 1, &[1, 100]);
    let named = format!("{globals} void __VERIFIER_atomic_take(pthread_mutex_t *l) {{ int here = 2; pthread_mutex_lock(l); x += here; }}");
    let bodies = ["pthread_mutex_lock(&m);", "__VERIFIER_atomic_take(&m);"];
    check(&threads(&named, &bodies, "x"), 1, &[100]);
    let turning = [&section("while (!y); x = 1;"), "y = 0;"];
    check(&threads(&globals, &turning, "x"), 2, &[100]);
    let turning = [&section("while (!y); x = y;"), "y = 1; y = 2;"];
    check(&threads(&globals, &turning, "x"), 2, &[1, 2]);
    // An operation on the path that does not wait is no reason to wait.
    let chosen = [
        &section("if (arg) pthread_mutex_lock(&m); x = 3;"),
        "pthread_mutex_lock(&m);",
    ];
    check(&threads(&globals, &chosen, "x"), 1, &[3]);
}

/// Regression: other threads saw the half of the section before the place where the thread was
/// cut.
#[test]
fn a_thread_is_not_cut_in_the_middle_of_a_section() {
    let over =
        "void ba_over(_Bool deadlock) { outcome(99); } void ba_cut(unsigned site) { (void)site; }";
    let globals = format!("int x, y, n = 5; {over}");
    let turns = "__VERIFIER_atomic_begin(); x = 1; for (int i = 0; i < n; i++) y++; x = 0; __VERIFIER_atomic_end();";
    let program = threads(&globals, &[turns, "outcome(x); n = 9;"], "x");
    check(&program, 2, &[0]);
}

#[test]
fn waiting_in_the_middle_of_a_section_is_refused_with_its_place() {
    for (body, place) in [
        ("x = 1; pthread_mutex_lock(&m);", "pthread_mutex_lock(&m)"),
        (
            "pthread_mutex_lock(&n); pthread_mutex_lock(&m);",
            "pthread_mutex_lock(&m)",
        ),
        ("if (y) x = 1; while (!y);", "while (!y);"),
        ("pthread_cond_wait(&c, &m);", "pthread_cond_wait(&c, &m)"),
    ] {
        let globals = "int x, y; pthread_mutex_t m, n; pthread_cond_t c;";
        let body = format!("__VERIFIER_atomic_begin(); {body} __VERIFIER_atomic_end();");
        let text = format!(
            "{LIBRARY}{}",
            threads(globals, &[&body, "x = 2; y = 1;"], "x")
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let errors = sequentialise(&unit, &Options::default()).unwrap_err();
        assert!(
            errors[0].message.contains("in the middle of a section"),
            "{errors:?}"
        );
        assert_eq!(unit.text_of(errors[0].span), place);
    }
}

#[test]
fn both_reads_may_come_before_both_writes_but_not_after() {
    // Store buffering: under sequential consistency one of the reads sees a write.
    let bodies = ["x = 1; r = y;", "y = 1; s = x;"];
    let program = threads("int x, y, r, s;", &bodies, "10 * r + s");
    check(&program, 1, &[1]);
    check(&program, 2, &[1, 10, 11]);
    check(&program, 3, &[1, 10, 11]);
}

#[test]
fn operands_are_read_one_after_the_other() {
    let bodies = ["x = 1; y = 1;", "s = x + 2 * y;"];
    let program = threads("int x, y, s;", &bodies, "s");
    check(&program, 1, &[3]);
    // x is read before y: 2 means that both are written between the reads.
    check(&program, 2, &[0, 1, 2, 3]);
}

#[test]
fn conditions_are_read_as_far_as_they_matter() {
    let bodies = [
        "x = 1; y = 1;",
        "if (x && y) s = 1; else s = 2; if (x || y) s += 4;",
    ];
    let program = threads("int x, y, s;", &bodies, "s");
    check(&program, 1, &[5]);
    check(&program, 2, &[2, 5, 6]);
}

#[test]
fn loops_calls_and_jumps_stop_anywhere() {
    let bodies = [
        "for (int i = 0; i < 3; i++) x = x + 1;",
        "switch (x) { case 0: r = 1; break; case 2: r = 2; default: r += 10; }",
    ];
    let program = threads("int x, r;", &bodies, "r");
    check(&program, 1, &[10]);
    check(&program, 2, &[1, 10, 12]);
    let bodies = [
        "int i = 0; again: x = x + 1; i++; if (i < 2) goto again;",
        "r = twice(x);",
    ];
    let helper = "int x, r; static int twice(int v) { int w = v + x; return w; }";
    let program = threads(helper, &bodies, "r");
    check(&program, 1, &[4]);
    // The values of the two reads do not decrease, and the other thread must end in its second
    // context.
    check(&program, 2, &[0, 2, 3, 4]);
}

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

#[test]
fn elements_and_members_are_told_apart() {
    let program = |body: &str, main: &str| {
        format!(
            "struct part {{ int x, y; }}; struct part parts[2]; int sum[2], n;
            void *work(void *arg) {{ {body} return 0; }}
            int main(void) {{ pthread_t t, u; {main}
              pthread_join(t, 0); pthread_join(u, 0); outcome(10 * parts[0].x + parts[1].x); return 0; }}"
        )
    };
    let own = "pthread_create(&t, 0, work, &parts[0]); pthread_create(&u, 0, work, &parts[1]);";
    let body = "struct part *p = arg; p->x = p->x + 1; p->x++;";
    check(&program(body, own), 3, &[22]);
    // Both threads get the same element, once by pointer arithmetic.
    let same = "pthread_create(&t, 0, work, &parts[1]); pthread_create(&u, 0, work, parts + 1);";
    check(&program("struct part *p = arg; p->x++;", same), 2, &[1, 2]);
    let next = "struct part *p = arg; p = p + n; p->x++;";
    check(
        &program(
            next,
            "n = 0; pthread_create(&t, 0, work, &parts[0]); pthread_create(&u, 0, work, parts);",
        ),
        2,
        &[10, 20],
    );
    // A pointer is assigned from the object that it pointed to.
    let chain = "struct node { struct node *next; int x; } a, b; void *work(void *arg) { struct node *p = &a; p = p->next; p->x++; return 0; }
        void *other(void *arg) { a.next = &b; b.x++; return 0; }
        int main(void) { a.next = &a; pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_create(&u, 0, other, 0);
          pthread_join(t, 0); pthread_join(u, 0); outcome(10 * a.x + b.x); return 0; }";
    check(chain, 2, &[1, 2, 11]);
    // Elements and the mutexes with the same index.
    let locked = |mutex: &str, first: &str| {
        format!(
            "int tab[3], one = 1; pthread_mutex_t m[3]; void *work(void *arg) {{ int h = one {first}; pthread_mutex_lock(&m[{mutex}]); tab[h] = tab[h] + 1; pthread_mutex_unlock(&m[{mutex}]); return 0; }}
            int main(void) {{ pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, (void *)1);
              pthread_join(t, 0); pthread_join(u, 0); outcome(10 * tab[1] + tab[2]); return 0; }}"
        )
    };
    check(&locked("h", ""), 3, &[20]);
    check(&locked("h", "+ (arg != 0)"), 3, &[11]);
    check(&locked("(arg != 0)", ""), 3, &[10, 20]);
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

#[test]
fn threads_start_threads_and_give_results() {
    let text = "int x; void *child(void *p) { x += 1; return p; }
        void *parent(void *p) { pthread_t t; void *r; pthread_create(&t, 0, child, (void *)5); x += 10; pthread_join(t, &r); return r; }
        int main(void) { pthread_t t; void *r; pthread_create(&t, 0, parent, 0); pthread_join(t, &r); outcome(x * 10 + (int)(long)r); return 0; }";
    // The parent continues after its child in the second round. Losing its sum takes another
    // round: the child reads before it and writes after it, and then the parent waits for the
    // child.
    check(text, 1, &[]);
    check(text, 2, &[105, 115]);
    check(text, 3, &[15, 105, 115]);
}

#[test]
fn functions_get_the_data_of_threads_that_end() {
    let program = "typedef unsigned pthread_key_t;
        int pthread_key_create(pthread_key_t *, void (*)(void *));
        int pthread_setspecific(pthread_key_t, const void *);
        void *pthread_getspecific(pthread_key_t);
        pthread_key_t first, second; int sum; int one = 1, ten = 10;
        void gone(void *data) { sum = 2 * sum + *(int *)data; }
        void *f(void *a) {
            pthread_setspecific(first, &one);
            if (a) pthread_setspecific(second, &ten);
            return 0;
        }
        int main(void) {
            pthread_t t;
            pthread_key_create(&first, gone);
            pthread_key_create(&second, gone);
            pthread_create(&t, 0, f, ARGUMENT);
            pthread_join(t, 0);
            outcome(pthread_getspecific(first) ? -1 : sum);
        }";
    // Either of two keys may come first.
    let both = outcomes(&program.replace("ARGUMENT", "&one"), 1, 2);
    assert_eq!(both, BTreeSet::from([12, 21]));
    assert_eq!(
        outcomes(&program.replace("ARGUMENT", "0"), 1, 2),
        BTreeSet::from([1])
    );
}

#[test]
fn memory_of_any_size_has_room_for_what_is_used() {
    let program = "void *malloc(unsigned long); int n = 2;
        void *f(void *a) { n = 3; return a; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, f, 0);
            int *p = malloc(sizeof(int) * n);
            p[1] = 7;
            pthread_join(t, 0);
            outcome(p[1] + n);
        }";
    assert_eq!(outcomes(program, 2, 2), BTreeSet::from([10]));
    // The constants ask for this size.
    let large = program
        .replace("n = 3", "n = 65")
        .replace("n = 2", "n = 65");
    assert_eq!(outcomes(&large, 2, 2), BTreeSet::from([72]));
    // Runs that need more than the guess are left out.
    let hidden = program
        .replace("int n = 2;", "int n = 2, lengths[1] = {9};")
        .replace("sizeof(int) * n", "sizeof(int) * lengths[0]");
    assert_eq!(outcomes(&hidden, 2, 2), BTreeSet::new());
}

#[test]
fn more_rounds_show_no_less() {
    let bodies = ["x = x + 1; y = x;", "x = x * 2; y = y + x;"];
    let program = threads("int x = 1, y;", &bodies, "10 * x + y");
    let mut before = BTreeSet::new();
    for rounds in 1..=3 {
        let now = outcomes(&program, rounds, 2);
        assert!(before.is_subset(&now), "{rounds}: {before:?} {now:?}");
        before = now;
    }
}

#[test]
fn what_cannot_be_followed_is_refused_with_its_place() {
    let refused = |program: &str, options: &Options| {
        let text = format!("{LIBRARY}{program}");
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let errors = sequentialise(&unit, options).unwrap_err();
        let first = unit.source.resolve(errors[0].clone());
        (first.message.clone(), unit.text_of(first.span).to_string())
    };
    let program = threads(
        "int x, y;",
        &["void *l = &&a; goto *l; a: x = y;", "x = 1; y = 2;"],
        "x",
    );
    let (message, place) = refused(&program, &Options::default());
    assert!(message.contains("computed jump"), "{message}");
    assert_eq!(place, "goto *l;");
    let program = threads("int x;", &["x++;", "x++;"], "x");
    let few = Options {
        max_positions: 3,
        ..Options::default()
    };
    let (message, _) = refused(&program, &few);
    assert!(
        message.contains("places where threads may stop"),
        "{message}"
    );
    let one = Options {
        max_threads: 2,
        ..Options::default()
    };
    let (message, place) = refused(&program, &one);
    assert!(message.contains("more than 2"), "{message}");
    assert!(place.starts_with("pthread_create(&t[1]"), "{place}");
    let (message, _) = refused("int f(void) { return 0; }", &Options::default());
    assert!(message.contains("no function `main`"), "{message}");
}

/// A program whose main thread starts a number of threads that another thread may change; `handles`
/// declares the memory for their handles.
fn open_number(handles: &str) -> String {
    let text = "int n = 1, done[2];
        void *malloc(unsigned long);
        void *grow(void *a) { n = 2; return a; }
        void *note(void *a) { *(int *)a = 1; return 0; }
        int main(void) {
            pthread_t g;
            pthread_create(&g, 0, grow, 0);
            int k = n;
            HANDLES;
            for (int i = 0; i < k; i++) pthread_create(&t[i], 0, note, &done[i]);
            for (int i = 0; i < k; i++) pthread_join(t[i], 0);
            outcome(10 * k + done[0] + done[1]);
        }";
    text.replace("HANDLES", handles)
}

#[test]
fn threads_of_an_open_number_are_joined() {
    for handles in [
        "pthread_t t[k]",
        "pthread_t *t = malloc(k * sizeof(pthread_t))",
    ] {
        let program = open_number(handles);
        check(&program, 1, &[11]);
        check(&program, 2, &[11, 22]);
    }
}

#[test]
fn a_handle_stands_for_the_thread_that_was_stored_last() {
    let program = "pthread_t t[2];
        void *one(void *a) { return (void *)1; }
        void *two(void *a) { return (void *)2; }
        int main(void) {
            void *r = 0;
            pthread_create(&t[0], 0, one, 0);
            pthread_create(&t[1], 0, two, 0);
            CHANGE
            pthread_join(t[0], &r);
            outcome((int)(long)r);
        }";
    let changed = |change: &str| program.replace("CHANGE", change);
    check(&changed(""), 1, &[1]);
    check(&changed("t[0] = t[1];"), 1, &[2]);
    check(&changed("pthread_t *p = t; *p = t[1];"), 1, &[2]);
    check(&changed("if (t[1] != 7) t[0] = t[1];"), 1, &[2]);
    check(&changed("pthread_create(t, 0, two, 0);"), 1, &[2]);
}

#[test]
fn another_thread_may_store_a_handle_in_the_same_place() {
    let program = "pthread_t t;
        void *two(void *a) { return (void *)2; }
        void *one(void *a) { pthread_create(&t, 0, two, 0); return (void *)1; }
        int main(void) {
            void *r = 0;
            pthread_create(&t, 0, one, 0);
            pthread_join(t, &r);
            outcome((int)(long)r);
        }";
    check(program, 1, &[1, 2]);
}

#[test]
fn calls_that_may_fail_are_told_from_those_that_do_not() {
    let plain = "pthread_mutex_t m; void *f(void *a) { return a; }
        int main(void) {
            pthread_t t; int error;
            if ((error = pthread_create(&t, 0, f, 0)) != 0) outcome(1);
            error = pthread_mutex_lock(&m);
            if (error) outcome(2);
            outcome(pthread_join(t, 0) == 0 ? 3 : 4);
        }";
    check(plain, 1, &[3]);
    let checked = "void *f(void *a) { return a; }
        int main(void) {
            pthread_t t; pthread_mutex_t m; pthread_mutexattr_t kind;
            pthread_create(&t, 0, f, 0);
            pthread_mutexattr_init(&kind);
            pthread_mutexattr_settype(&kind, 2);
            pthread_mutex_init(&m, &kind);
            if (pthread_mutex_lock(&m) != 0) outcome(1);
            if (pthread_mutex_lock(&m) != 0) outcome(2);
            outcome(3);
        }";
    check(checked, 1, &[2]);
}

#[test]
fn loops_that_count_to_a_constant_are_followed_to_their_end() {
    let program = "int i, x; void *f(void *a) { for (int k = 0; k < 10; k += 2) x++; return a; }
        int main(void) {
            pthread_t t;
            for (i = 0; i < 7; i++) x += 10;
            pthread_create(&t, 0, f, 0);
            pthread_join(t, 0);
            outcome(x);
        }";
    check(program, 1, &[75]);
}
