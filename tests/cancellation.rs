//! Threads that others cancel: they end at cancellation points (POSIX, System Interfaces, 2.9.5), and their cleanup
//! handlers run.

use serde_json::Value;

use crate::support::{cbmc, ran, Dir};

/// What the search of all states says of formulas about a program: whether each holds.
fn answers(dir: &Dir, words: &[&str], formulas: &[&str]) -> Vec<String> {
    let asked = [
        "prove", "--engine", "explicit", "--format", "json", "-q", "p.c",
    ];
    let formulas = formulas.iter().flat_map(|f| ["--ltl", f]);
    let all: Vec<&str> = asked.iter().chain(words).copied().chain(formulas).collect();
    let out = ran(&mut dir.command(&all));
    let got: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let properties = got["properties"].as_array().unwrap().iter();
    let holds = properties.map(|p| p["holds"].as_str().unwrap().to_owned());
    holds.collect()
}

const ENDLESS: &str = "#include <pthread.h>\nint joined, was, before = -1; static int tick;\n\
    static void *spin(void *p) {\n  pthread_setcancelstate(STATE, &before);\n\
      for (;;) { tick = !tick; pthread_testcancel(); }\n  return p;\n}\n\
    int main(void) {\n  pthread_t t; void *result = 0;\n  pthread_create(&t, 0, spin, 0);\n\
      pthread_cancel(t);\n  pthread_join(t, &result);\n  was = result == PTHREAD_CANCELED;\n\
      joined = 1;\n  return 0;\n}\n";

#[test]
fn a_cancelled_thread_ends_unless_it_has_disabled_that() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", ENDLESS)]);
    let formulas = ["F {joined}", "G({joined} -> {was && before == 0})"];
    let enabled = answers(&dir, &["-DSTATE=PTHREAD_CANCEL_ENABLE"], &formulas);
    assert_eq!(enabled, ["proved", "proved"]);
    let disabled = answers(&dir, &["-DSTATE=PTHREAD_CANCEL_DISABLE"], &formulas);
    assert_eq!(disabled, ["refuted", "proved"]);
}

const NESTED: &str = "#include <pthread.h>\n#include <semaphore.h>\nstatic sem_t s;\n\
    int order[4], n, end, got; static int one = 1, two = 2;\n\
    static void note(void *p) { order[n++] = *(int *)p; }\n\
    static void inner(void) { pthread_cleanup_push(note, &two); sem_wait(&s); got = 1; pthread_cleanup_pop(0); }\n\
    static void *w(void *p) { pthread_cleanup_push(note, &one); inner(); pthread_cleanup_pop(0); return p; }\n\
    static void *poster(void *p) { sem_post(&s); return p; }\n\
    int main(void) {\n  pthread_t t, u; void *r = 0;\n  sem_init(&s, 0, 0);\n\
      pthread_create(&t, 0, w, 0);\n  pthread_create(&u, 0, poster, 0);\n  pthread_cancel(t);\n\
      pthread_join(t, &r);\n  pthread_join(u, 0);\n  end = r == PTHREAD_CANCELED ? 1 : 2;\n  return 0;\n}\n";

/// A wait for a semaphore ends by the semaphore or by the request; the handlers of all activations run, the last first.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn handlers_of_all_activations_run_the_last_first() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", NESTED)]);
    let formulas = [
        "F {end}",
        "G({end == 1} -> {got == 0 && n == 2 && order[0] == 2 && order[1] == 1})",
        "G({end == 2} -> {got == 1 && n == 0})",
        "G {end != 1}",
        "G {end != 2}",
    ];
    let got = answers(&dir, &[], &formulas);
    assert_eq!(got, ["proved", "proved", "proved", "refuted", "refuted"]);
    // Rounds find these runs, too.
    let rounds = ["--schedules", "rounds:3", "--no-trace", "p.c"];
    let formulas = formulas[2..4].iter().flat_map(|f| ["--ltl", f]);
    let (found, _) = dir.verify(&rounds.into_iter().chain(formulas).collect::<Vec<_>>());
    assert_ne!(found["properties"][0]["holds"], "refuted", "{found}");
    assert_eq!(found["properties"][1]["holds"], "refuted", "{found}");
}

const WAITS: &str = "#include <pthread.h>\n\
    static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\
    static int ready; int after;\nstatic void give(void *p) { pthread_mutex_unlock((pthread_mutex_t *)p); }\n\
    static void *waiter(void *p) {\n  pthread_mutex_lock(&m);\n\
    #ifdef WRONG\n  while (!ready) pthread_cond_wait(&c, &m);\n  give(&m);\n\
    #else\n  pthread_cleanup_push(give, &m);\n  while (!ready) pthread_cond_wait(&c, &m);\n  pthread_cleanup_pop(1);\n\
    #endif\n  return p;\n}\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, waiter, 0);\n  pthread_cancel(t);\n\
      pthread_join(t, 0);\n  pthread_mutex_lock(&m);\n  after = 1;\n  pthread_mutex_unlock(&m);\n  return 0;\n}\n";

/// A thread that is cancelled in `pthread_cond_wait` has the mutex again, and keeps it if no handler gives it back.
#[test]
fn a_cancelled_wait_holds_its_mutex() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", WAITS)]);
    assert_eq!(answers(&dir, &[], &["F {after}"]), ["proved"]);
    assert_eq!(answers(&dir, &["-DWRONG"], &["F {after}"]), ["refuted"]);
}

const HALF: &str = "#include <pthread.h>\n#include <stdio.h>\nint a, b, done;\n\
    static void *w(void *p) { for (int i = 0; i < 2; i++) { a = !a; CALL; b = !b; } return p; }\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, w, 0);\n  pthread_cancel(t);\n\
      pthread_join(t, 0);\n  done = 1;\n  return 0;\n}\n";

/// POSIX lets output be a cancellation point or not: both happens.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn output_may_be_a_cancellation_point() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", HALF)]);
    let formulas = ["G({done} -> {a == b})", "G({done} -> {a != b})"];
    let output = answers(&dir, &["-DCALL=puts(\"half\")"], &formulas);
    assert_eq!(output, ["refuted", "refuted"]);
    assert_eq!(answers(&dir, &["-DCALL=a+=0"], &formulas[..1]), ["proved"]);
}

/// A handler and the thread itself call a function that prints: it has a cancellation point in the thread alone.
#[test]
fn what_a_handler_calls_is_a_point_elsewhere() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <stdio.h>\nint a, done, said;\n\
        static void say(void) { puts(\"here\"); said = !said; }\nstatic void leave(void *p) { say(); (void)p; }\n\
        static void *w(void *p) {\n  pthread_cleanup_push(leave, p);\n  pthread_testcancel();\n\
          say();\n  a = 1;\n  pthread_cleanup_pop(0);\n  return p;\n}\n\
        int main(void) {\n  pthread_t t;\n  void *r = 0;\n  pthread_create(&t, 0, w, 0);\n  pthread_cancel(t);\n\
          pthread_join(t, &r);\n  say();\n  done = r == PTHREAD_CANCELED ? 1 : 2;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formulas = [
        "G({done == 1} -> {a == 0})",
        "G({done == 2} -> {a == 1})",
        "F {done}",
        "G {done != 2}",
    ];
    let got = answers(&dir, &[], &formulas);
    assert_eq!(got, ["proved", "proved", "proved", "refuted"]);
}

/// A loop that does nothing but look for requests was taken, by rounds, for one that turns for ever, and the program for one
/// that deadlocks.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_loop_of_cancellation_points_ends() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint did, done;\n\
        static void *w(void *p) { did = 1; for (;;) pthread_testcancel(); return p; }\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, w, 0);\n  pthread_cancel(t);\n\
          pthread_join(t, 0);\n  done = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    assert_eq!(answers(&dir, &[], &["F {done}"]), ["proved"]);
    let rounds = ["--engine", "rounds", "--no-trace", "--ltl", "F {done}"];
    let (found, _) = dir.verify(&[&rounds[..], &["--ltl", "G {done == 0}", "p.c"]].concat());
    assert_ne!(found["properties"][0]["holds"], "refuted", "{found}");
    assert_eq!(found["properties"][1]["holds"], "refuted", "{found}");
}

/// A request that was made before a thread waits is acted upon, whatever else has happened.
#[test]
fn a_request_counts_before_the_semaphore() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\nstatic sem_t s; static atomic_int go; int got;\n\
        static void *w(void *p) { while (!atomic_load(&go)) ; sem_wait(&s); got = 1; return p; }\n\
        int main(void) {\n  pthread_t t;\n  sem_init(&s, 0, 1);\n  pthread_create(&t, 0, w, 0);\n  pthread_cancel(t);\n\
          atomic_store(&go, 1);\n  pthread_join(t, 0);\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    assert_eq!(answers(&dir, &[], &["G {got == 0}"]), ["proved"]);
}

#[test]
fn what_of_cancellation_is_not_followed_is_refused() {
    let anywhere = "#include <pthread.h>\nint x;\nstatic void *w(void *p) {\n\
        int old;\n  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);\n  x = 1;\n  return p;\n}\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", anywhere)]);
    let words = ["sequentialise", "--form", "steps", "-q", "-o", "o.c", "p.c"];
    let out = ran(&mut dir.command(&words));
    assert!(out.stderr.contains("PTHREAD_CANCEL_DEFERRED"), "{out:?}");
    assert!(out.stderr.contains("p.c:5"), "{out:?}");
    // An area that the thread is in would never be left.
    let area = r#"{ "ltl": "G(in -> F !in)", "pa": [ { "name": "in", "cond": "x >= 0", "span": ["begin", "end"] } ] }"#;
    let program = anywhere.replace("ASYNCHRONOUS", "DEFERRED");
    let program = program.replace("x = 1;", "begin: x = 1; pthread_testcancel(); end:;");
    let dir = Dir::with(&[("p.c", &program), ("s.json", area)]);
    let out = ran(&mut dir.command(&["verify", "s.json", "p.c"]));
    assert!(out.stderr.contains("would not leave its areas"), "{out:?}");
}

/// Rounds see what a thread says of requests, and points in calls without another effect.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn rounds_see_calls_without_another_effect() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", HALF), ("e.c", ENDLESS)]);
    let asked = ["--engine", "rounds", "--no-trace", "--ltl"];
    let (found, _) = dir.verify(
        &[
            &asked[..],
            &["G({done} -> {a == b})", "p.c", "-DCALL=puts(\"half\")"],
        ]
        .concat(),
    );
    assert_eq!(found["properties"][0]["holds"], "refuted", "{found}");
    let (found, _) = dir.verify(
        &[
            &asked[..],
            &["G {joined == 0}", "e.c", "-DSTATE=PTHREAD_CANCEL_ENABLE"],
        ]
        .concat(),
    );
    assert_eq!(found["properties"][0]["holds"], "refuted", "{found}");
    let (found, _) = dir.verify(
        &[
            &asked[..],
            &["G {joined == 0}", "e.c", "-DSTATE=PTHREAD_CANCEL_DISABLE"],
        ]
        .concat(),
    );
    assert_ne!(found["properties"][0]["holds"], "refuted", "{found}");
}

/// What stands in place of an input is no call of the library any more, so that a thread would not end in it.
#[test]
fn inputs_that_are_cancellation_points_are_refused() {
    let program = "#include <pthread.h>\n#include <stdio.h>\nint n; static char line[8];\n\
        static void *w(void *p) { while (fgets(line, 8, stdin)) n = !n; return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let out = ran(&mut dir.command(&["verify", "--ltl", "F {n}", "p.c"]));
    let told = out
        .stderr
        .contains("`fgets` is not followed beside `pthread_cancel`");
    assert!(told && out.stderr.contains("p.c:4"), "{out:?}");
}
