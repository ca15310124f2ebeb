//! All runs of small programs, by compiling the sequential program and trying every choice. Each
//! program reports its outcome; the outcomes of R rounds are exactly those that follow from the
//! definition of a round. No model checker is involved.
#![allow(missing_docs, clippy::unwrap_used)]

mod handles;
mod jumps;
mod types;
mod waits;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use cfront::{Source, Unit};
use sequentialise::{sequentialise, Options, Stop};

/// Tries the choices one after the other, each but the last in a process of its own; outcomes are written to
/// standard output.
const HARNESS: &str = r"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void ba_seq_given_up(void) { _exit(0); }
void outcome(int value) { char line[16]; int n = snprintf(line, sizeof line, `%d\n`, value); if (write(1, line, n) != n) abort(); _exit(0); }
unsigned nondet_ba_seq(void) {
  for (unsigned choice = 0; choice < MOST; choice++) {
    pid_t child = fork();
    if (child == 0) return choice;
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) _exit(1);
  }
  return MOST;
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

/// The outcome of a program without threads.
fn native(program: &str) -> BTreeSet<i32> {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let harness = "#include <stdio.h>\nvoid outcome(int value) { printf(\"%d\\n\", value); }\n";
    let declared = "void outcome(int);\n";
    std::fs::write(path("p.c"), format!("{declared}{program}")).unwrap();
    std::fs::write(path("h.c"), harness).unwrap();
    run(Command::new("gcc")
        .args(["-w", "-O1", "-o"])
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
    let bodies = ["x = x + 1; y = x;", "x = x * 2;"];
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
    assert!(message.contains("address of a label"), "{message}");
    assert_eq!(place, "&&a");
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

/// How often it is asked says how far it came.
#[test]
fn a_program_that_grows_is_left_when_it_is_asked_to_end() {
    let program = threads(
        "int x, y;",
        &["while (x) while (y) while (x + y) x++;", "y++;"],
        "x",
    );
    let text = format!("{LIBRARY}{program}");
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    let asked_until = |most: usize| {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let options = Options {
            unwind: 20,
            stop: Stop::when(move || count.fetch_add(1, Ordering::Relaxed) + 1 >= most),
            ..Options::default()
        };
        let errors = sequentialise(&unit, &options).err().unwrap_or_default();
        let messages: Vec<String> = errors.into_iter().map(|e| e.message).collect();
        (messages.join("; "), asked.load(Ordering::Relaxed))
    };
    let (message, asked) = asked_until(3);
    assert!(message.contains("stopped before"), "{message}");
    assert!(asked <= 8, "{asked}");
    let (message, asked) = asked_until(usize::MAX);
    assert!(!message.contains("stopped before"), "{message}");
    assert!(asked > 20, "{asked}");
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
