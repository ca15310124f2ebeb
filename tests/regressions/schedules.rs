//! Threaded programs whose runs of a few rounds once got a wrong verdict.

use crate::support::{cbmc, repository, Dir};
use serde_json::json;

/// The verdicts of a program by rounds and for all schedules.
fn verdicts(program: &str, formula: &str) -> Vec<String> {
    let file = repository("tests/regressions").join(program);
    let verdict = |schedules: &str| {
        let program = file.to_str().unwrap();
        let unwind = ["--unwind", "3"];
        let args = ["--ltl", formula, program, "--schedules", schedules];
        let (got, _) = Dir::new().verify(&[&args[..], &unwind].concat());
        got["verdict"].as_str().unwrap_or_default().to_owned()
    };
    vec![verdict("rounds:3"), verdict("all")]
}

/// A loop that only waits was one iteration, even if what an earlier one has stored was used after
/// the loop: a run with that value was missed.
#[test]
fn a_loop_whose_last_iteration_but_one_is_used_is_no_wait() {
    if cbmc() {
        assert_eq!(verdicts("last_but_one.c", "G {n != 1}"), ["false", "false"]);
    }
}

/// `sem_timedwait` and `sem_trywait` did not set `errno`, so that a program that distinguishes its
/// values was refuted by a run that does not exist.
#[test]
fn semaphores_say_why_they_fail() {
    if cbmc() {
        let told = "F ({got == 1} || {late == 1})";
        assert_eq!(verdicts("semaphore_errors.c", told), ["true", "true"]);
        assert_eq!(
            verdicts("semaphore_errors.c", "F {busy == 1}"),
            ["true", "true"]
        );
    }
}

/// CBMC knows only for a thread's own stores what a pointer points to. It refuses an assignment to a
/// pointer that threads share, but not these stores; then it read any value through the pointer, and
/// formulas that hold were refuted.
#[test]
fn pointers_that_threads_store_in_other_ways_are_not_lost() {
    let file = repository("tests/regressions/stored_pointers.c");
    for number in 1..=5 {
        let kind = format!("-DKIND={number}");
        let ltl = "F {got == 2} && G {got == 0 || got == 2}";
        let args = ["verify", "--ltl", ltl, file.to_str().unwrap(), &kind];
        let dir = Dir::new();
        let all = dir.run(&[&args[..], &["--schedules", "all"]].concat());
        assert_eq!(all.status, 3, "{kind}: {}", all.stderr);
        let why = "a pointer that other threads can see is written while threads run";
        assert!(all.stderr.contains(why), "{kind}: {}", all.stderr);
        // What is refused cannot be wrong; that rounds know the pointer is seen for some of the kinds.
        let by_rounds = crate::support::sample(1..=5, 2).any(|n| n == number);
        if by_rounds && cbmc() {
            let (got, _) = dir.verify(&args[1..]);
            assert_eq!(got["verdict"], "presumably_true", "{kind}");
        }
    }
}

/// CBMC stores some parts of objects with the rest, which it has read before. What another thread wrote in between was lost:
/// formulas that hold were refuted, and a run in which both threads' values are seen did not exist.
#[test]
fn what_is_stored_with_other_parts_changes_none_of_them() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/stored_with_others.c");
    let dir = Dir::with(&[("l.txt", "two: G {seen != 2}\none: G {seen != 1}\n")]);
    for kind in crate::support::sample(1..=6, 3) {
        let kind = format!("-DKIND={kind}");
        let program = [file.to_str().unwrap(), &kind];
        let bounds = ["--schedules", "all", "--unwind", "3", "--no-trace"];
        let (got, _) = dir.verify(&[&["--properties", "l.txt"], &bounds[..], &program].concat());
        let verdict = |n: usize| {
            (
                &got["properties"][n]["name"],
                &got["properties"][n]["verdict"],
            )
        };
        assert_eq!(
            verdict(0),
            (&json!("two"), &json!("presumably_true")),
            "{kind}: {got}"
        );
        assert_eq!(
            verdict(1),
            (&json!("one"), &json!("false")),
            "{kind}: {got}"
        );
    }
}

/// A copy is no step of its own for CBMC, and it, too, stores the rest of the object. Such programs are searched by rounds.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn copies_to_parts_that_threads_share_are_left_to_rounds() {
    let file = repository("tests/regressions/stored_with_others.c");
    let program = file.to_str().unwrap();
    let dir = Dir::new();
    let args = ["--ltl", "G {seen != 2}", program, "-DKIND=7"];
    let all = dir.run(&[&["verify"], &args[..], &["--schedules", "all"]].concat());
    assert_eq!(all.status, 3, "{}", all.stderr);
    let why = "memory that other threads can see is filled while threads run";
    assert!(all.stderr.contains(why), "{}", all.stderr);
    if cbmc() {
        let (got, _) = dir.verify(&args);
        assert_eq!(got["verdict"], "presumably_true", "{got}");
    }
}

/// By rounds, attempts to take a read-write lock within a time took nothing: a formula that holds
/// was refuted.
#[test]
fn read_write_locks_are_taken_within_a_time() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/timed_read_write.c");
    for schedules in ["rounds:2", "all"] {
        let args = [
            "--ltl",
            "G {both == 0}",
            file.to_str().unwrap(),
            "--schedules",
            schedules,
        ];
        let (got, _) = Dir::new().verify(&args);
        assert_eq!(got["verdict"], "presumably_true", "{schedules}: {got}");
    }
}

/// In a program with locks and without threads, the model called a macro that was not defined: the
/// model checker reported an unknown function, and ESBMC's compiler refused the text.
#[test]
fn locks_without_threads_need_nothing_else() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        #include <semaphore.h>
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; sem_t s; int done;
        int main(void) {
            pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); sem_init(&s, 0, 1); sem_wait(&s);
            done = 1;
            sem_post(&s); pthread_mutex_unlock(&m);
            return 0;
        }";
    let dir = Dir::with(&[("p.c", program)]);
    let (got, _) = dir.verify(&["--ltl", "F {done == 1}", "p.c"]);
    assert_eq!(got["verdict"], "true", "{got}");
    assert_eq!(got["findings"].as_array().map(Vec::len), Some(0), "{got}");
}

/// With a weak memory model, atomic operations with weaker orders were sequentially consistent: a proof of store
/// buffering, which every such machine shows.
#[test]
fn weaker_orders_under_a_weak_model_are_not_sequentially_consistent() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y; int a, b, over;\n\
        #define SET(v) atomic_store_explicit(&v, 1, memory_order_relaxed)\n\
        #define GET(v) atomic_load_explicit(&v, memory_order_relaxed)\n\
        void *f(void *p) { SET(x); a = GET(y); return p; }\n\
        void *g(void *p) { SET(y); b = GET(x); return p; }\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n\
        pthread_join(s, 0); pthread_join(t, 0); over = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = "G ({over == 1} -> {a == 1 || b == 1})";
    for (model, verdict) in [("tso", "refuted"), ("c11", "refuted"), ("sc", "proved")] {
        let asked = ["--engine", "steps", "--memory-model", model];
        let (got, _) = dir.verify(&[&["--ltl", formula, "p.c"], &asked[..]].concat());
        assert_eq!(got["properties"][0]["holds"], verdict, "{model}: {got}");
    }
}

/// A thread that was created could load before it had the view of its creator, and lose then what it had loaded: a violation of
/// message passing with release and acquire.
#[test]
fn a_thread_begins_with_what_its_creator_has_seen() {
    let program = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int flag; int data, a, b = 1, over;\n\
        void *f(void *p) { data = 1; atomic_store_explicit(&flag, 1, memory_order_release); return p; }\n\
        void *g(void *p) { a = atomic_load_explicit(&flag, memory_order_acquire); if (a) b = data; return p; }\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n\
        pthread_join(s, 0); pthread_join(t, 0); over = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = ["--engine", "steps", "--memory-model", "c11"];
    let formula = "G {!over || b == 1}";
    let (got, _) = dir.verify(&[&["--ltl", formula, "p.c"], &asked[..]].concat());
    assert_eq!(got["properties"][0]["holds"], "proved", "{got}");
}
