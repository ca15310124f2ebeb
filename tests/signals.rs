//! Signal handlers and processes: native runs execute them, and they are refused for model
//! checkers.
#![allow(clippy::unwrap_used)]

use crate::support::Dir;

/// A handler that jumps out of a trapping access, and out of its own code.
const JUMPS: &str = r#"#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
sigjmp_buf place;
int x, traps, *target;
static void handler(int number) { traps++; siglongjmp(place, number); }
static void work(int number) {
  x = 1;
  if (number) raise(number);
  *target = 2;
  x = 0;
}
int main(void) {
  sigset_t mask;
  struct sigaction action = { .sa_handler = handler };
  sigaction(SIGUSR1, &action, 0);
  signal(SIGSEGV, handler);
  sigsetjmp(place, 1);
  if (traps < 2) work(traps ? 0 : SIGUSR1);
  target = &x;
  work(0);
  sigprocmask(SIG_BLOCK, 0, &mask);
  printf("%d %d %d\n", traps, sigismember(&mask, SIGUSR1), sigismember(&mask, SIGSEGV));
  return 0;
}
"#;

/// The letters of a native run, as the values of its propositions, and the verdict.
fn native(dir: &Dir, args: &[&str]) -> (Vec<String>, String) {
    let common = ["--backend", "native", "--trace", "--format", "json"];
    let ran = dir.run(&[&["verify"], args, &common].concat());
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let property = &result["properties"][0];
    let steps = property["trace"].as_array().unwrap();
    let letters = steps.iter().map(|s| s["props"].to_string()).collect();
    (letters, property["verdict"].as_str().unwrap().to_string())
}

#[test]
fn areas_are_left_where_a_handler_jumps_out_of_them() {
    let spec = r#"{ "ltl": "G(!w)", "pa": [ { "name": "w", "default": false, "cond": "1", "function": "work" } ] }"#;
    let open = spec.replace("G(!w)", "G(w -> F !w)");
    let dir = Dir::with(&[("p.c", JUMPS), ("s.json", &open)]);
    let (letters, verdict) = native(&dir, &["s.json", "p.c"]);
    assert_eq!(verdict, "presumably_true");
    // Into and out of `work`: by a signal that is sent, by one that the write raises, and by its
    // end.
    let values: Vec<bool> = letters.iter().map(|l| l.contains("true")).collect();
    assert_eq!(
        &values[..7],
        [false, true, false, true, false, true, false],
        "{letters:?}"
    );
}

#[test]
fn an_event_that_a_trap_interrupts_is_given_up_and_the_next_ones_count() {
    let dir = Dir::with(&[("p.c", JUMPS)]);
    let (letters, verdict) = native(&dir, &["--ltl", "G({x == 1} -> F {x == 2})", "p.c"]);
    assert_eq!(verdict, "presumably_true", "{letters:?}");
    let (_, verdict) = native(&dir, &["--ltl", "G {traps < 2}", "p.c"]);
    assert_eq!(verdict, "false");
    let (_, verdict) = native(&dir, &["--ltl", "G {traps < 3}", "p.c"]);
    assert_eq!(verdict, "presumably_true");
}

#[test]
fn signals_that_were_held_back_come_and_masks_are_as_before() {
    let spec = r#"{ "ltl": "G(a -> F !a)", "pa": [ { "name": "a", "default": false, "cond": "x > 0", "span": ["_begin", "_end"] } ] }"#;
    let dir = Dir::with(&[("p.c", JUMPS), ("s.json", spec)]);
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for (input, output) in [("p.c", "before"), ("o.c", "after")] {
        let mut gcc = std::process::Command::new("gcc");
        let flags = [
            "-std=gnu11",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-null-dereference",
        ];
        let built = gcc
            .current_dir(dir.path(""))
            .args(flags)
            .args([input, "-o", output]);
        assert!(built.status().unwrap().success(), "{input}");
        let ran = std::process::Command::new(dir.path(output))
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "2 0 0\n", "{output}");
    }
}

/// A model checker never calls the handler of a program that was woven before, so it would find the formula satisfied.
#[test]
fn a_woven_program_with_handlers_is_refused_for_model_checkers() {
    let program = "#include <signal.h>\nint x;\nvoid h(int n) { x = n; }\n\
        int main(void) {\n  signal(SIGUSR1, h);\n  raise(SIGUSR1);\n  return 0;\n}\n";
    let dir = Dir::with(&[
        ("p.c", program),
        ("s.json", r#"{"ltl": "G {x == 0}", "pa": []}"#),
    ]);
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = dir.run(&["verify", "o.c"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stderr.contains("p.c:5: signal("), "{}", ran.stderr);
}

/// A signal that the program sends to itself comes at once, and a handler that is gone does not come.
#[test]
fn model_checkers_follow_handlers() {
    if !crate::support::cbmc() {
        return;
    }
    let program = "#include <signal.h>\nint x;\nvoid h(int n) { x = n; }\n\
        int main(void) {\n  signal(SIGUSR1, h);\n  raise(SIGUSR1);\n  signal(SIGUSR1, SIG_IGN);\n\
        \x20 x = 1;\n  for (;;) ;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, expected) in [
        ("F {x == 10}", "proved"),
        ("F G {x == 1}", "proved"),
        ("G {x != 10}", "refuted"),
    ] {
        let ran = dir.run(&["prove", "--format", "json", "-q", "--ltl", formula, "p.c"]);
        let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(result["properties"][0]["holds"], expected, "{formula}");
    }
    let ran = dir.run(&["verify", "--no-interrupts", "--ltl", "G {x == 0}", "p.c"]);
    assert_eq!(ran.status, 3, "{ran:?}");
}

/// What was sent while it was blocked comes once, before the call that lets it come returns.
#[test]
fn a_pending_signal_comes_once() {
    if !crate::support::cbmc() {
        return;
    }
    let program = "#include <signal.h>\nvolatile sig_atomic_t n;\nint after;\nstatic void h(int s) { n++; }\n\
        int main(void) {\n  sigset_t s, o;\n  struct sigaction a = {0};\n  a.sa_handler = h;\n  sigaction(SIGSEGV, &a, 0);\n\
        \x20 sigemptyset(&s);\n  sigaddset(&s, SIGSEGV);\n  sigprocmask(SIG_BLOCK, &s, &o);\n  raise(SIGSEGV);\n  raise(SIGSEGV);\n\
        \x20 after = 1;\n  sigprocmask(SIG_SETMASK, &o, 0);\n  after = 2;\n  for (;;) ;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    for formula in [
        "G ({after == 2} -> {n == 1})",
        "G ({after == 0} -> {n == 0})",
    ] {
        let ran = dir.run(&["prove", "--format", "json", "-q", "--ltl", formula, "p.c"]);
        let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(result["properties"][0]["holds"], "proved", "{formula}");
    }
}

#[test]
fn signals_that_are_ignored_are_no_obstacle() {
    let program = "#include <signal.h>\nint x;\nint main(void) { signal(SIGPIPE, SIG_IGN); x = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (_, verdict) = native(&dir, &["--ltl", "F {x == 1}", "p.c"]);
    assert_eq!(verdict, "true");
    if crate::support::cbmc() {
        let (result, status) = dir.verify(&["--ltl", "F {x == 1}", "p.c"]);
        assert_eq!(result["verdict"], "true", "{result}");
        assert_eq!(status, 0);
    }
}

/// Two child processes: one with its own memory, and one that would share it.
const PROCESSES: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
    int x, done;\n\
    int main(void) {\n  int status;\n  x = 1;\n  if (fork() == 0) { x = 5; exit(x); }\n  wait(&status);\n\
    \x20 if (vfork() == 0) { x = 7; _exit(3); }\n  wait(&status);\n  x = 2;\n  done = WEXITSTATUS(status);\n  return 0;\n}\n";

#[test]
fn the_word_of_a_native_run_has_no_letters_of_other_processes() {
    let dir = Dir::with(&[("p.c", PROCESSES)]);
    let (letters, verdict) = native(
        &dir,
        &["--ltl", "G{x < 3} && F({x == 2} && F{done == 3})", "p.c"],
    );
    assert_eq!(verdict, "presumably_true", "{letters:?}");
}

/// A child process that started while another thread was in a step of the monitor once waited for
/// ever for the end of that step.
#[test]
fn programs_with_threads_may_start_processes() {
    let program = "#include <pthread.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint x, fine;\npid_t child;\n\
        static void *run(void *a) { for (int i = 0; i < 20000; i++) x = i; return a; }\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  \
        for (int i = 0; i < 40; i++) {\n    int status;\n    child = fork();\n    \
        if (child == 0) { x = -1; x = -2; _exit(3); }\n    waitpid(child, &status, 0);\n    \
        if (WEXITSTATUS(status) != 3) return 1;\n    pid_t other = i & 1 ? vfork() : 0;\n    \
        if (i & 1 && other == 0) _exit(0);\n    if (i & 1) waitpid(other, &status, 0);\n  }\n  \
        pthread_join(t, 0);\n  fine = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = "G{x >= 0} && F({child > 0} && F{fine})";
    let (letters, verdict) = native(&dir, &["--ltl", formula, "p.c"]);
    assert_eq!(verdict, "presumably_true", "{} letters", letters.len());
}

#[test]
fn processes_are_refused_for_model_checkers() {
    let dir = Dir::with(&[("p.c", PROCESSES)]);
    let ran = dir.run(&["verify", "--ltl", "G{x < 3}", "p.c"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stderr.contains("p.c:9:7"), "{}", ran.stderr);
    assert!(ran.stderr.contains("p.c:11:7"), "{}", ran.stderr);
}

/// Natively nothing is missed, and by rounds the destructors of thread-specific keys run at the
/// threads' ends; the model of all schedules has none.
#[test]
fn keys_of_threads_are_followed_natively_and_by_rounds() {
    let program = "#include <pthread.h>\nint x;\n\
        static pthread_key_t key;\nstatic void gone(void *p) { (void)p; x = 3; }\n\
        static void *run(void *p) {\n  pthread_setspecific(key, p);\n  x = 2;\n  return p;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_key_create(&key, gone);\n  pthread_create(&t, 0, run, &x);\n  \
        pthread_join(t, 0);\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = "F({x == 2} && F {x == 3})";
    let (letters, verdict) = native(&dir, &["--ltl", formula, "p.c"]);
    assert_eq!(verdict, "true", "{letters:?}");
    let all = ["verify", "--ltl", formula, "p.c", "--schedules", "all"];
    let ran = dir.run(&all);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stderr.contains("p.c:6"), "{}", ran.stderr);
    if crate::support::cbmc() {
        let ran = dir.run(&["verify", "--ltl", formula, "p.c"]);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        let never = ["verify", "--ltl", "G !{x == 3}", "p.c"];
        let ran = dir.run(&never);
        assert!(ran.stdout.contains("ltl: false"), "{}", ran.stdout);
    }
}

/// The run decides which function the handler is; it is unsupported for model checkers.
#[test]
fn computed_handlers_of_the_end_are_for_native_runs_only() {
    let program = "#include <stdlib.h>\nint x;\nstatic void last(void) { x = 2; }\n\
        int main(void) {\n  void (*handler)(void) = last;\n  atexit(handler);\n  x = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (letters, verdict) = native(&dir, &["--ltl", "F {x == 2}", "p.c"]);
    assert_eq!(verdict, "true", "{letters:?}");
    let ran = dir.run(&["verify", "--ltl", "F {x == 2}", "p.c"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert!(ran.stderr.contains("p.c:6:3"), "{}", ran.stderr);
}
