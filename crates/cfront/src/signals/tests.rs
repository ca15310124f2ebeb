#![allow(clippy::unwrap_used)]
use super::*;

/// What the header declares, shortened.
const HEADER: &str = "typedef struct { unsigned long bits[2]; } sigset_t;\n\
    struct sigaction { union { void (*sa_handler)(int); void (*sa_sigaction)(int, void *, void *); } __sigaction_handler; sigset_t sa_mask; int sa_flags; };\n\
    extern void (*signal(int, void (*)(int)))(int); extern int raise(int); extern int kill(int, int); extern int getpid(void); extern unsigned alarm(unsigned);\n\
    extern int sigaction(int, const struct sigaction *, struct sigaction *); extern int sigemptyset(sigset_t *); extern int pause(void);\n\
    extern int sigprocmask(int, const sigset_t *, sigset_t *); extern void longjmp(void *, int); extern int sem_wait(void *);\n";

/// The program with its handlers as threads; `Ok(None)` if it has none.
fn made(program: &str) -> Result<Option<String>, String> {
    let text = format!("# 1 \"p.c\"\n{HEADER}{program}");
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    let Some(made) = interleaved(&unit).map_err(|d| d.message)? else {
        return Ok(None);
    };
    let text = made.text.clone();
    Unit::parse(made).unwrap();
    Ok(Some(text))
}

#[track_caller]
fn has(program: &str, parts: &[&str]) {
    let text = made(program).unwrap().unwrap();
    for part in parts {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[track_caller]
fn refused(program: &str, part: &str) {
    let why = made(program).unwrap_err();
    assert!(why.contains(part), "{why}");
}

const STOP: &str = "int stop; void h(int n) { stop = 1; }\n";

#[test]
fn a_signal_is_a_thread_that_calls_its_handler() {
    let program = format!("{STOP}int main(void) {{ signal(2, h); while (!stop) ; return 0; }}\n");
    has(
        &program,
        &[
            "int main(void) { signals_begin(); signals_install(2, h); while (!stop) ; return 0; }",
            "if (signals_does_SIGINT > 1 && (nondet_interrupt())) signals_deliver_SIGINT();",
            "if (signals_runs == 2) h(2);",
        ],
    );
    assert!(!made(&program).unwrap().unwrap().contains("signals_blocked"));
}

#[test]
fn without_functions_nothing_changes() {
    for body in ["signal(13, (void (*)(int))1);", "stop = 0;"] {
        let program = format!("{STOP}int main(void) {{ {body} return 0; }}\n");
        assert_eq!(made(&program), Ok(None));
    }
}

#[test]
fn structures_numbers_and_masks_are_followed() {
    let program = format!(
        "{STOP}static const int all[] = {{ 2, 15 }};\n\
         static void install(int n, void (*f)(int)) {{ struct sigaction a; a.__sigaction_handler.sa_handler = f; sigemptyset(&a.sa_mask); a.sa_flags = 0; sigaction(n, &a, 0); }}\n\
         int main(void) {{ sigset_t s; for (int i = 0; i < 2; i++) install(all[i], h); sigprocmask(0, &s, 0); return 0; }}\n"
    );
    has(
        &program,
        &[
            "struct sigaction { struct { void (*sa_handler)(int);",
            "signals_action(n, &a, 0)",
            "static void *signal_SIGINT(",
            "static void *signal_SIGTERM(",
            "!(signals_blocked & 2UL)",
        ],
    );
}

#[test]
fn a_timer_comes_when_it_is_set_and_errors_do_not_come() {
    let program =
        format!("{STOP}int main(void) {{ signal(14, h); signal(11, h); alarm(1); return 0; }}\n");
    has(
        &program,
        &[
            "signals_does_SIGALRM > 1 && (signals_alarm)",
            "signals_does_SIGSEGV > 1 && (0)",
        ],
    );
}

#[test]
fn handlers_of_several_steps_interrupt_one_another() {
    let two = "int a, b; void f(int n) { a = 1; b = 1; } void g(int n) { b = 0; }\n";
    let program = format!("{two}int main(void) {{ signal(10, f); signal(12, g); return 0; }}\n");
    has(
        &program,
        &[
            "static unsigned char signals_top;",
            "enum { signal_SIGUSR1_number = 10 };",
        ],
    );
    let one = format!("{two}int main(void) {{ signal(10, f); return 0; }}\n");
    assert!(!made(&one).unwrap().unwrap().contains("signals_top"));
}

#[test]
fn what_is_not_followed_is_refused() {
    let main = |body: &str| format!("int main(void) {{ signal(2, h); {body} return 0; }}\n");
    let with = |body: &str| format!("{STOP}{}", main(body));
    refused(&with("kill(7, 2);"), "another process");
    refused(&with("extern int n; signal(n, h);"), "which signal");
    refused(&with("signal(6, h);"), "SIGABRT");
    refused(&with("if (alarm(2)) return 1;"), "time that is left");
    refused(
        &with("extern void out(int); signal(15, out);"),
        "has no body",
    );
    let jumps = format!(
        "void *place; void h(int n) {{ longjmp(place, 1); }}\n{}",
        main("")
    );
    refused(&jumps, "calls `longjmp`");
    let sends = format!(
        "int x; void h(int n) {{ x = n; raise(15); }}\n{}",
        main("raise(2);")
    );
    refused(&sends, "other than its own");
    let threads = "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); void *f(void *a) { return a; }\n";
    let started = "unsigned long t; pthread_create(&t, 0, f, 0);";
    let steps = format!(
        "{threads}int x; void h(int n) {{ x++; }}\n{}",
        main(started)
    );
    refused(&steps, "more than one step");
    refused(
        &format!("{threads}{STOP}{}", main(&format!("{started} pause();"))),
        "which thread",
    );
    let waits = format!(
        "{STOP}int main(void) {{ int s; struct sigaction a; a.__sigaction_handler.sa_handler = h; a.sa_flags = 0; sigaction(2, &a, 0); sem_wait(&s); return 0; }}\n"
    );
    refused(&waits, "sem_wait");
    let restarts = waits.replace("sa_flags = 0", "sa_flags = 0x10000000");
    assert!(made(&restarts).unwrap().is_some());
}

#[test]
fn a_structure_of_a_header_gets_another_name() {
    let text = format!("# 1 \"p.c\"\n# 1 \"h.h\" 1 3\n{HEADER}typedef struct {{ int n; }} siginfo_t;\n# 1 \"p.c\" 2\n{STOP}int x;\nstruct sigaction last;\nint main(void) {{ struct sigaction a; sigaction(2, &a, &last); return 0; }}\n");
    let given = "void install(struct sigaction *a) { a->__sigaction_handler.sa_handler = h; }\n";
    let unit = Unit::parse(Source::from_bytes(format!("{text}{given}").into_bytes())).unwrap();
    let made = interleaved(&unit).unwrap().unwrap();
    for part in [
        "int x;\nstruct signals_disposition { struct { void (*sa_handler)(int);",
        "; }; struct signals_disposition last;\n",
        "struct signals_disposition a; signals_action(2, &a, &last);",
        "struct sigaction { union {",
    ] {
        assert!(made.text.contains(part), "{part}\n{}", made.text);
    }
    Unit::parse(made).unwrap();
}

/// A signal that becomes free is taken once: by the program or by its thread.
#[test]
fn what_is_pending_is_taken_in_one_step() {
    let program = format!("{STOP}int main(void) {{ signal(2, h); raise(2); return 0; }}\n");
    has(
        &program,
        &["do { signals_runs = 0; __VERIFIER_atomic_begin(); if (signals_pending_SIGINT && !(signals_blocked & 2UL)) { signals_pending_SIGINT = 0;"],
    );
}

#[test]
fn a_thread_may_take_signals() {
    let waits = "extern int sigwait(const sigset_t *, int *); extern int sigaddset(sigset_t *, int); extern int pthread_sigmask(int, const sigset_t *, sigset_t *); sigset_t s;\n";
    let program = |body: &str| {
        format!("{waits}int main(void) {{ int n; sigaddset(&s, 15); {body} sigwait(&s, &n); return 0; }}\n")
    };
    has(
        &program("pthread_sigmask(0, &s, 0);"),
        &[
            "signals_mask(0, &s, 0); signals_wait(&s, &n);",
            "if (!got && (of & 16384UL) && (nondet_interrupt())) { if (!(signals_blocked & 16384UL)) _Exit(1); got = 15; }",
        ],
    );
    has(
        &program("raise(15);"),
        &["signals_pending_SIGTERM || nondet_interrupt()"],
    );
    refused(
        &program("alarm(1);"),
        "this is not followed beside `sigwait`",
    );
    let handled = program("signal(15, h);");
    refused(
        &format!("{STOP}{handled}"),
        "`sigwait` is not followed beside handlers",
    );
}
