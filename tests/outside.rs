//! Code outside of the program's own text: loops of the model checker's library and of evaluations,
//! to which `--unwind` does not apply, and functions without body that get pointers.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, Dir, AMPLE};
use serde_json::{json, Value};

/// Verifies a program against a formula with conditions in braces.
fn verify(program: &str, formula: &str, args: &[&str]) -> Value {
    let dir = Dir::with(&[("prog.c", program)]);
    let mut all = vec!["--ltl", formula, "prog.c", "--no-trace"];
    all.extend(args);
    dir.verify(&all).0
}

fn gives(program: &str, formula: &str, verdict: &str) {
    let got = verify(program, formula, &[]);
    assert_eq!(got["reason"], Value::Null, "{formula}\n{program}");
    assert_eq!(got["verdict"], json!(verdict), "{formula}\n{program}");
}

/// CBMC once cut `strcpy` at the bound of the program's loops, so that the verdict was unknown.
#[test]
fn loops_of_the_library_are_followed_past_the_bound() {
    let program = "
        #include <string.h>
        int x, n; char name[40];
        int main(void) {
            for (int i = 0; i < 2; i++) n++;
            strcpy(name, \"a name of thirty characters...\");
            x = strlen(name);
            return 0;
        }";
    if cbmc() {
        for args in [&["--unwind", "2"][..], &["--unwind", "1"]] {
            let got = verify(program, "F {x == 30}", args);
            let cut = args[1] == "1";
            let verdict = if cut { "presumably_false" } else { "true" };
            assert_eq!(got["verdict"], json!(verdict), "{got}");
            assert_eq!(got["complete"], json!(!cut), "{got}");
        }
    }
}

/// The same with the loop of an evaluation, and its recursion; the search for the trace has the
/// same bounds.
#[test]
fn loops_of_evaluations_are_followed_past_the_bound() {
    let program = "
        int t[30], last = 29;
        int sum(void) { int s = 0; for (int i = 0; i < 30; i++) s += t[i]; return s; }
        int least(int i) { return i > last ? 9 : t[i] < least(i + 1) ? t[i] : 9; }
        int main(void) { t[last] = 5; return 0; }";
    if cbmc() {
        gives(program, "F {sum() == 5}", "true");
        gives(program, "G {least(20) == 0}", "false");
        let got = verify(program, "G {sum() == 0}", &["--trace"]);
        assert_eq!(got["verdict"], json!("false"), "{got}");
        assert!(got["properties"][0]["trace"].as_array().unwrap().len() > 1);
    }
}

/// A loop of the library for which no bound suffices.
#[test]
fn a_loop_of_the_library_without_an_end_gives_no_verdict() {
    let program = "
        #include <string.h>
        int x;
        int main(int argc, char **argv) {
            if (argc > 1) x = strlen(argv[1]) > 3;
            return 0;
        }";
    if cbmc() {
        let got = verify(
            program,
            "G {x == 0 || x == 1}",
            &["--unwind", "2", "--timeout", AMPLE],
        );
        assert_eq!(got["verdict"], json!("unknown"), "{got}");
        assert!(got["reason"].as_str().unwrap().contains("cut a loop"));
    }
}

/// Values that the program wrote through a pointer in a structure were once lost after an unknown
/// function got the structure: the pointer became arbitrary.
#[test]
fn pointers_that_unknown_functions_see_stay_as_they_are() {
    let program = "
        int x, other;
        struct node { int v[3]; struct { int *p; } in[2]; char c; };
        struct hook { void (*f)(int *); int n; };
        int look(struct node *);
        void fill(struct node n[]), ask(struct hook *);
        static void set(int *p) { *p = 1; }
        int main(void) {
            struct node a[2] = { { .v = { 1 } } };
            struct hook o = { set, 0 };
            a[1].in[1].p = &other;
            fill(a);
            look(&a[0]);
            *a[1].in[1].p = 3;
            if (other == 3 && a[0].v[0] == 1) x = 2;
            ask(&o);
            if (o.n == 7) o.f(&x);
            return 0;
        }";
    if cbmc() {
        gives(program, "G {x != 1}", "false");
        gives(program, "G {x != 2}", "false");
        gives(program, "F {x == 2}", "presumably_false");
        // Too many pointers to keep each.
        let many = "struct s { int *p[50]; } g; int y, z; void ext(struct s *);
            int main(void) { g.p[49] = &z; ext(&g); *g.p[49] = 4; y = z; return 0; }";
        let got = verify(many, "F {y == 4}", &[]);
        assert_eq!(got["verdict"], json!("unknown"), "{got}");
    }
}

/// A function without body that is called through a pointer was once assumed to store nothing.
#[test]
fn unknown_functions_that_are_called_through_a_pointer_give_no_verdict() {
    let program = "
        int x;
        void set(int *), look(const int *);
        void (*const f[2])(int *) = { 0, set };
        int main(void) { void (*g)(const int *) = look; g(&x); if (x == 0) f[1](&x); return 0; }";
    if cbmc() {
        let got = verify(program, "G {x == 0}", &[]);
        assert_eq!(got["verdict"], json!("unknown"), "{got}");
        let reason = got["reason"].as_str().unwrap();
        assert!(
            reason.contains("`set`") && !reason.contains("look"),
            "{reason}"
        );
        let reads = program.replace("f[1](&x);", ";");
        gives(&reads, "G {x == 0}", "presumably_true");
    }
}

/// Nothing was once said about stores through pointers that an unknown function finds; its call is
/// not without effect.
#[test]
fn what_unknown_functions_may_reach_gives_no_verdict() {
    let list = "
        struct node { int v; struct node *next; } a, b = { 0, &a };
        void visit(struct node *n);
        int main(void) { if (b.v == 0) visit(&b); return 0; }";
    let pointers = "
        int x, y; int *p = &x;
        void move(int **);
        int main(void) { move(&p); return 0; }";
    if cbmc() {
        for (program, formula) in [(list, "G {a.v == 0}"), (pointers, "G {x == 0}")] {
            let got = verify(program, formula, &[]);
            assert_eq!(got["verdict"], json!("unknown"), "{got}");
            let reason = got["reason"].as_str().unwrap();
            assert!(reason.contains("prog.c:4"), "{reason}");
            assert!(reason.contains("pointers that it finds"), "{reason}");
        }
        // Unreachable objects do not matter, and the rest is an assumption.
        let got = verify(pointers, "G {y == 0}", &[]);
        assert_eq!(got["verdict"], json!("presumably_true"), "{got}");
        assert!(got["assumptions"].to_string().contains("stay as they are"));
    }
}

/// CBMC knows no `sprintf`: programs that call it once had no verdict. Floating-point numbers are not written out.
#[test]
fn what_sprintf_writes_is_any_string() {
    let program = "
        #include <stdio.h>
        char text[100], few[9]; int x;
        static void put(char *to, const char *name) { sprintf(to, \"%s=%g\", name, 5.0); }
        int main(void) {
            char name[8] = \"ab\";
            int n = sprintf(few, \"%g\", 0.5);
            put(text, name);
            x = name[0] == 'a' && few[8] == 0 ? 1 : 2;
            if (n == 3) x = 3;
            return 0;
        }";
    if cbmc() {
        gives(program, "F {x == 1 || x == 3}", "true");
        gives(program, "G {text[99] == 0}", "presumably_true");
        // The library writes "0.5" and "ab=5".
        gives(program, "G {x != 3}", "false");
        for holds in ["G {text[50] == 0}", "G {few[0] != 'a'}"] {
            let reason = verify(program, holds, &[])["reason"].to_string();
            assert!(reason.contains("no execution shows it"), "{reason}");
        }
        let got = verify(program, "G {x != 2}", &[]);
        let assumed = got["assumptions"].to_string();
        assert!(assumed.contains("any values come from: sprintf"), "{got}");
    }
}

/// Strings that CBMC's own library returns may have any characters; the result must name this
/// assumption.
#[test]
fn functions_that_the_model_checker_lets_give_anything_are_named() {
    let program = "
        #include <stdio.h>
        char text[8];
        int main(void) { snprintf(text, sizeof text, \"%g\", 0.5); return 0; }";
    if cbmc() {
        let got = verify(program, "F {text[0] == 'a'}", &[]);
        assert_eq!(got["verdict"], json!("presumably_false"), "{got}");
        assert_eq!(
            got["assumptions"],
            json!(["any values come from: snprintf"])
        );
    }
}

/// Model checkers skip assembler statements: their outputs were once taken to be unchanged.
#[test]
fn assembler_statements_that_write_give_no_verdict() {
    let writes = |statement: &str| {
        format!("int x; int main(void) {{ int y = 0, z = 1; if (z)\n {statement} if (y == 5) x = 1; return z; }}")
    };
    if cbmc() {
        for statement in [
            "asm(\"leal 5,%0\" : \"=r\"(y));",
            "__asm__ __volatile__(\"leal 5,%[y]\" : [y] \"+r\"(y) : \"r\"(z) : \"cc\");",
            "asm volatile(\"movl $5,(%0)\" :: \"r\"(&y) : \"memory\");",
            "asm(\"\" : \"=r\"(y) : \"0\"(5));",
        ] {
            let got = verify(&writes(statement), "G {x == 0}", &[]);
            assert_eq!(got["verdict"], json!("unknown"), "{statement} {got}");
            let reason = got["reason"].as_str().unwrap();
            assert!(reason.contains("statement at prog.c:2"), "{reason}");
        }
        for statement in [
            "asm volatile(\"\" ::: \"memory\");",
            "__asm__(\"\" : \"+r\"(y));",
            "asm volatile(\"pause\" : : : \"memory\"); else asm(\"movl $5,%0\" : \"=r\"(y));",
        ] {
            gives(&writes(statement), "G {x == 0}", "presumably_true");
        }
        // A violation before the statement stands.
        let before = "int x; int main(void) { int y; x = 1; asm(\"nop\" : \"=r\"(y)); return 0; }";
        let got = verify(before, "G {x == 0}", &[]);
        assert_eq!(got["verdict"], json!("false"), "{got}");
    }
    // A native run executes the statements.
    let program = writes("asm volatile(\"\" : \"=r\"(y) : \"0\"(5));");
    let got = verify(&program, "G {x == 0}", &["--backend", "native"]);
    assert_eq!(got["verdict"], json!("false"), "{got}");
}

/// By rounds, a thread stops at assembler that is not known, also in a function that it calls as one step.
#[test]
fn assembler_that_is_not_known_cuts_a_thread() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
int x, y, z;
static int five(int v) { __asm__ volatile(\"leal 5,%0\" : \"=r\"(v)); return v; }
int (*table[])(int) = { five };
void *t(void *a) { int v = 1; if (z == 0) { v = table[0](v); } y = v; return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); x = 1; pthread_join(p, 0); return 0; }
";
    for (formula, verdict) in [
        ("G {y != 1}", "unknown"),
        ("G {y != 5}", "unknown"),
        ("G {x == 0}", "false"),
    ] {
        let got = verify(program, formula, &["--schedules", "rounds:2"]);
        assert_eq!(got["verdict"], json!(verdict), "{formula} {got}");
    }
}

/// Natively, such objects were once taken for functions, so that a run that wrote to one crashed.
#[test]
fn objects_that_no_file_defines() {
    let program = "extern int outside; extern char *names[3]; extern struct { int a, b; } pair;
int x;
int main(void) { outside = 3; x = outside + (pair.a == 7); return 0; }
";
    let dir = Dir::with(&[("p.c", program)]);
    let verdict = |backend: &str| {
        let (result, _) = dir.verify(&["--ltl", "F {x == 3}", "p.c", "--backend", backend]);
        let told = "objects that no file defines begin with any value: outside, pair";
        let assumptions = result["assumptions"].as_array().unwrap();
        assert!(assumptions.iter().any(|a| a == told), "{result}");
        result["verdict"].clone()
    };
    assert_eq!(verdict("native"), "true");
    if cbmc() {
        assert_eq!(verdict("cbmc"), "presumably_false");
    }
}

/// What a server reads through pointers comes from outside: which files are ready, who connects, how a process ended. Its loop was
/// once followed by no proof, and had no verdict.
#[test]
fn servers_are_proved() {
    if !cbmc() {
        return;
    }
    let program = "#include <poll.h>\n#include <sys/socket.h>\n#include <sys/wait.h>\n#include <netinet/in.h>\n#include <unistd.h>\n\
        int clients, failed;\nint main(void) {\n  struct sockaddr_in own = {0};\n  struct pollfd p[2] = {{ .fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN }, { .fd = -1, .events = POLLIN }};\n\
        \x20 if (bind(p[0].fd, (struct sockaddr *)&own, sizeof own) < 0 || listen(p[0].fd, 1) < 0) return 1;\n\
        \x20 for (;;) {\n    int status;\n    if (poll(p, 2, -1) < 0) continue;\n\
        \x20   if (p[0].revents & POLLIN && clients == 0) {\n      p[1].fd = accept(p[0].fd, 0, 0);\n      if (p[1].fd >= 0) clients++;\n    }\n\
        \x20   if (p[1].revents) { close(p[1].fd); p[1].fd = -1; clients--; }\n\
        \x20   if (waitpid(-1, &status, WNOHANG) > 0 && WIFEXITED(status)) failed = WEXITSTATUS(status) != 0;\n  }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let proved = |formula: &str| {
        let ran = dir.run(&["verify", "--engine", "induction", "--ltl", formula, "p.c"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(ran.stdout.contains("proved: every run"), "{ran:?}");
        ran.stdout
    };
    let told = proved("G {clients <= 1}");
    assert!(told.contains("poll_revents"), "{told}");
    let ran = dir.run(&["verify", "--unwind", "3", "--ltl", "G {failed == 0}", "p.c"]);
    assert_eq!(ran.status, 10, "{ran:?}");
    assert!(ran.stdout.contains("waitpid_status() gives"), "{ran:?}");
    assert!(!ran.stdout.contains("waitpid_outside("), "{ran:?}");
}

/// Model checkers once gave any value of the type: a descriptor was closed with the result 7, more was written than was there,
/// a second had more than 999 milliseconds, and the day more than 24 hours.
#[test]
fn what_functions_of_the_library_give_lies_where_the_standards_say() {
    let program = "
        #include <stdio.h>
        #include <sys/stat.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        int closed, put, looked, back, pid, began, part, hour, month, day; long wrote, some, elapsed, micro, second;
        int main(int argc, char **argv) {
            struct timespec from, to; struct timeval now; struct stat file; struct tm local;
            char text[9] = \"abc\"; unsigned long n = argc & 7;
            began = 1;
            closed = close(3);
            wrote = write(1, text, 3);
            some = write(1, text, n) - (long)n;
            put = fputs(text, stdout);
            back = ungetc('x', stdin);
            looked = stat(text, &file);
            pid = getpid();
            if (clock_gettime(CLOCK_MONOTONIC, &from) != 0 || clock_gettime(CLOCK_MONOTONIC, &to) != 0) return 1;
            elapsed = (to.tv_sec - from.tv_sec) * 1000000000 + (to.tv_nsec - from.tv_nsec);
            part = to.tv_nsec / 1000000;
            gettimeofday(&now, NULL);
            micro = now.tv_usec;
            second = time(NULL);
            hour = localtime(&second)->tm_hour;
            gmtime_r(&second, &local);
            month = local.tm_mon;
            day = local.tm_mday + 100 * (month == 1);
            return 0;
        }";
    let never = [
        "closed > 0 || closed < -1",
        "wrote > 3 || wrote < -1",
        "some > 0",
        "put < -1",
        "back > 255",
        "looked > 0",
        "pid < 0",
        "elapsed < 0",
        "part > 999",
        "micro > 999999",
        "second < 0",
        "hour > 23",
        "day > 129",
    ];
    let sometimes = [
        "closed == -1",
        "wrote == 2",
        "some == -7",
        "hour == 23",
        "day == 129",
    ];
    let formulas: Vec<String> = never
        .iter()
        .chain(&sometimes)
        .map(|c| format!("G !{{{c}}}"))
        .collect();
    let mut args: Vec<&str> = formulas.iter().skip(1).flat_map(|f| ["--ltl", f]).collect();
    args.extend(["--unwind", "2"]);
    if cbmc() {
        let got = verify(program, &formulas[0], &args);
        for (i, formula) in formulas.iter().enumerate() {
            let of = &got["properties"][i];
            let wanted = match i < never.len() {
                true => "presumably_true",
                false => "false",
            };
            assert_eq!(of["ltl"], json!(formula), "{got}");
            assert_eq!(of["verdict"], json!(wanted), "{formula}: {of}");
        }
    }
}
