//! The quick part of the suite of threaded programs (`tests/schedules`): each variant, explored by
//! rounds, has its expected verdict. `tests/schedules/run.py` runs all of it.

mod several;

use serde_json::Value;

use crate::support::{cbmc, suite, Dir};

fn run(arguments: &[&str]) {
    suite("schedules", arguments);
}

#[test]
fn quick_programs_have_their_verdicts() {
    run(&["--ci"]);
}

#[test]
fn other_names_of_threads_change_no_verdict() {
    run(&["--change", "names", "test_and_set", "lost_wakeup"]);
}

#[test]
fn another_order_of_threads_changes_no_verdict() {
    run(&["--change", "order", "dekker", "lock_order"]);
}

#[test]
fn a_thread_without_effect_changes_no_verdict() {
    run(&["--change", "unused", "test_and_set", "lost_wakeup"]);
}

/// The monitor stands within the text of a header of a preprocessed program. Its variables of each thread were taken for the
/// header's, and there was one for all threads: a formula that holds was refuted.
#[test]
fn a_preprocessed_program_has_the_verdict_of_its_source() {
    run(&["--change", "preprocessed", "handshake", "lost_wakeup"]);
}

/// The wrong variant fails in four rounds and in no fewer. No search of all schedules runs beside the rounds, which did not
/// go on behind the third: the failing assertion was not found with most of the time left.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn rounds_go_on_while_time_is_left() {
    run(&["--schedules", "auto", "nested_joins"]);
}

/// The search of all schedules cuts these loops at the fifth iteration. By rounds, loops that count to a constant are
/// followed to their end, in whatever syntax; before the first thread is started, longer ones too. A loop that counts
/// to a number that nobody knows is cut.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn loops_of_a_constant_number_are_not_cut_where_rounds_follow_them() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        int turns, wrong, seen, many, table[200];
        pthread_mutex_t locks[100];
        void *look(void *a) { seen = 1; return a; }
        int main(void) {
            pthread_t t;
            int i = 0;
            BEFORE;
            pthread_create(&t, 0, look, 0);
            AFTER;
            if (turns == 9 && seen) wrong = 1;
            many++;
            pthread_join(t, 0);
            return 0;
        }";
    let nine = "turns = 9";
    for (before, after, verdict) in [
        ("", "for (i = 0; i < 9; i++) turns++", "false"),
        ("", "while (i < 9) { turns++; i++; }", "false"),
        ("", "do { turns++; i++; } while (i < 9)", "false"),
        (
            "i = many",
            "while (i < 9) { turns++; i++; }",
            "presumably_true",
        ),
        ("for (i = 0; i < 200; i++) table[i] = i", nine, "false"),
        (
            "for (i = 0; i < 100; i++) pthread_mutex_init(&locks[i], 0)",
            nine,
            "false",
        ),
        (
            nine,
            "for (i = 0; i < 200; i++) seen |= 2",
            "presumably_true",
        ),
    ] {
        let text = program.replace("BEFORE", before).replace("AFTER", after);
        let schedules = match verdict {
            "false" => "auto",
            _ => "rounds:2",
        };
        let (result, _) = Dir::with(&[("counts.c", &text)]).verify(&[
            "--ltl",
            "G({wrong == 0})",
            "--unwind",
            "5",
            "--schedules",
            schedules,
            "--no-trace",
            "counts.c",
        ]);
        assert_eq!(result["verdict"], verdict, "{before}, {after}: {result}");
    }
}

/// No word can violate a valid formula, so it does not matter which runs were explored.
#[test]
fn a_valid_formula_is_proved_by_any_schedules() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        int turns;
        void *turn(void *a) { while (turns >= 0) turns++; return a; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, turn, 0);
            pthread_join(t, 0);
            return 0;
        }";
    let dir = Dir::with(&[("turns.c", program)]);
    for (formula, holds) in [
        ("{turns < 9} U ({turns > 3} || !{turns > 3})", "proved"),
        ("G {turns >= 0}", "unknown"),
    ] {
        let arguments = ["--ltl", formula, "--schedules", "rounds:2", "turns.c"];
        let (result, status) = dir.verify(&arguments);
        assert_eq!(result["properties"][0]["holds"], holds, "{result}");
        assert_eq!(status, 0, "{result}");
    }
}

/// A formula that is decided at once leaves time for ever more rounds: they must not use it up.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn the_program_s_own_checks_have_their_share_of_the_budget() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        #include <assert.h>
        int made, turns, cfg;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *user(void *a) {
            for (int i = 0; i < 3; i++) {
                if (cfg == i) {
                    pthread_mutex_lock(&m);
                    cfg = i + 1;
                    made++;
                    pthread_mutex_unlock(&m);
                }
                turns++;
            }
            return a;
        }
        int main(void) {
            pthread_t t[3];
            for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, user, 0);
            for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
            assert(made <= 3);
            return 0;
        }";
    let (result, _) = Dir::with(&[("made.c", program)]).verify(&[
        "--ltl",
        "G({turns >= 0})",
        "--unwind",
        "4",
        "--also-safety",
        "--budget",
        "15",
        "--no-trace",
        "made.c",
    ]);
    assert_eq!(result["safety"]["holds"], false, "{result}");
}

/// Two threads fill an array of any length up to three; the second one may write `ahead` elements beyond its end.
fn fills(ahead: u32) -> String {
    format!(
        "#include <pthread.h>
        #include <stdlib.h>
        int __VERIFIER_nondet_int(void);
        int *a, n, done;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *low(void *x) {{ for (int i = 0; i < n / 2; i++) a[i] = 1; return x; }}
        void *high(void *x) {{
            for (int i = n / 2; i < n + {ahead}; i++) a[i] = 1;
            pthread_mutex_lock(&m);
            done = 1;
            pthread_mutex_unlock(&m);
            return x;
        }}
        int main(void) {{
            pthread_t s, t;
            n = __VERIFIER_nondet_int();
            if (n < 1 || n > 3) return 0;
            a = malloc(n * sizeof *a);
            pthread_create(&s, 0, low, 0);
            pthread_create(&t, 0, high, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            free(a);
            return 0;
        }}"
    )
}

/// Memory of a length that is not constant has exactly this length where bounds are checked.
#[test]
fn a_write_behind_an_array_of_any_length_is_found() {
    if !cbmc() {
        return;
    }
    for ahead in [0, 1] {
        let (result, _) = Dir::with(&[("fills.c", &fills(ahead))]).verify(&[
            "--ltl",
            "G({done <= 1})",
            "--schedules",
            "rounds:1",
            "--unwind",
            "4",
            "--also-safety",
            "--no-trace",
            "fills.c",
        ]);
        assert_eq!(result["safety"]["holds"], ahead == 0, "{result}");
        assert!(result["safety"]["reason"].is_null(), "{result}");
    }
}

/// No constant says how much memory this program wants, and it wants more than is guessed.
#[test]
fn a_program_that_wants_more_memory_than_is_guessed_gets_it() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        #include <stdlib.h>
        int lengths[2], last;
        int *a;
        void *fill(void *x) { a[9] = 7; return x; }
        int main(void) {
            pthread_t t;
            lengths[1] = 10;
            a = malloc(lengths[1] * sizeof *a);
            pthread_create(&t, 0, fill, 0);
            pthread_join(t, 0);
            last = a[9];
            return 0;
        }";
    let (result, _) = Dir::with(&[("more.c", program)]).verify(&[
        "--ltl",
        "F({last == 7})",
        "--schedules",
        "rounds:1",
        "--unwind",
        "2",
        "--no-trace",
        "more.c",
    ]);
    assert_eq!(result["verdict"], "true", "{result}");
}

/// A bounded buffer for one item. A sender that asks with `if` whether the buffer is full may find
/// it full again after it was woken.
const BOX: &str = "#include <assert.h>
    #include <pthread.h>
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
    int full, received;
    void *sender(void *unused) {
        pthread_mutex_lock(&mutex);
        if (full) pthread_cond_wait(&not_full, &mutex);
        assert(!full);
        full = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
        return unused;
    }
    void *receiver(void *unused) {
        for (int i = 0; i < 3; i++) {
            pthread_mutex_lock(&mutex);
            while (!full) pthread_cond_wait(&not_empty, &mutex);
            full = 0;
            received++;
            pthread_cond_signal(&not_full);
            pthread_mutex_unlock(&mutex);
        }
        return unused;
    }
    int main(void) {
        pthread_t s[3], r;
        pthread_create(&r, 0, receiver, 0);
        for (int i = 0; i < 3; i++) pthread_create(&s[i], 0, sender, 0);
        for (int i = 0; i < 3; i++) pthread_join(s[i], 0);
        pthread_join(r, 0);
        return 0;
    }";

/// All schedules answer for the formula at once, but not for the assertion, which was then never
/// asked by rounds.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn failing_assertions_are_searched_by_rounds_where_no_run_violates_the_formula() {
    if !cbmc() {
        return;
    }
    let (result, _) = Dir::with(&[("box.c", BOX)]).verify(&[
        "--ltl",
        "G({1})",
        "--unwind",
        "4",
        "--also-safety",
        "--budget",
        "60",
        "--no-trace",
        "box.c",
    ]);
    assert_eq!(result["safety"]["holds"], false, "{result}");
    assert_eq!(result["findings"][0]["kind"], "assertion", "{result}");
}

/// Threads that start threads of their own kind have the bound of recursion; a program that is not
/// told where it is cut cannot have it.
#[test]
fn threads_that_start_threads_are_followed_up_to_the_bound() {
    if !cbmc() {
        return;
    }
    let program = |statement: &str| {
        format!(
            "#include <pthread.h>
            int depth;
            void *descend(void *left) {{
                pthread_t below;
                {statement}
                if (left != 0) {{
                    pthread_create(&below, 0, descend, (char *)left - 1);
                    pthread_join(below, 0);
                }}
                return 0;
            }}
            int main(void) {{
                descend((char *)3);
                return 0;
            }}"
        )
    };
    let told = "for (int i = 0; i < 2; i++) if (i) depth++;";
    let rows = [
        (told, "5", "true", serde_json::json!(true)),
        (told, "2", "presumably_false", serde_json::json!(false)),
        ("depth++;", "2", "unknown", Value::Null),
    ];
    for (statement, unwind, verdict, complete) in rows {
        let text = program(statement);
        let (result, _) = Dir::with(&[("descend.c", &text)]).verify(&[
            "--ltl",
            "F({depth == 4})",
            "--schedules",
            "rounds:3",
            "--unwind",
            unwind,
            "--no-trace",
            "descend.c",
        ]);
        assert_eq!(result["verdict"], verdict, "{result}");
        assert_eq!(result["complete"], complete, "{result}");
    }
}

/// The search of all schedules cuts the loops at the bound, and a cut run is one of its runs; rounds
/// follow loops of a constant number of iterations to their end.
#[test]
fn runs_that_are_cut_at_the_bound_count_where_all_schedules_are_searched() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        int done, turns;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *work(void *unused) {
            for (int i = 0; i < 3; i++) {
                pthread_mutex_lock(&m);
                turns++;
                pthread_mutex_unlock(&m);
            }
            return unused;
        }
        int main(void) {
            pthread_t s, t;
            pthread_create(&s, 0, work, 0);
            pthread_create(&t, 0, work, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            done = 1;
            return 0;
        }";
    let dir = Dir::with(&[("turns.c", program)]);
    for (bound, schedules, verdict) in [
        ("2", "auto", "presumably_false"),
        ("2", "rounds:3", "true"),
        ("3", "auto", "true"),
    ] {
        let arguments = ["--ltl", "F({done == 1})", "--unwind", bound];
        let (result, _) = dir.verify(
            &[
                &arguments[..],
                &["--schedules", schedules, "--no-trace", "turns.c"],
            ]
            .concat(),
        );
        assert_eq!(result["verdict"], verdict, "{bound}, {schedules}: {result}");
    }
}

/// Where the search of all schedules has cut runs at a loop that rounds cut at the same bound, rounds have nothing to
/// add, and CBMC is not started for them. A loop of a constant number of iterations is worth rounds.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn rounds_are_searched_beside_cut_runs_only_where_they_go_further() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        int turns;
        void *work(void *unused) { for (LOOP) turns++; return unused; }
        int main(void) {
            pthread_t t;
            pthread_create(&t, 0, work, 0);
            pthread_join(t, 0);
            return 0;
        }";
    let cbmc = backend::open(backend::Kind::CBMC, None).unwrap();
    let real = cbmc.program().path.display();
    for (head, rounds) in [(";;", false), ("int i = 0; i < 5; i++", true)] {
        let dir = Dir::with(&[("turns.c", &program.replace("LOOP", head))]);
        let counting = format!("echo \"$*\" >> asked\nexec '{real}' \"$@\"");
        dir.script("counting", &counting);
        let path = dir.path("counting").display().to_string();
        for checks in [&[][..], &["--also-safety"]] {
            dir.write("asked", "");
            let asked = ["--ltl", "G({turns >= 0})", "--unwind", "2", "--no-trace"];
            let (result, _) =
                dir.verify(&[&asked[..], &["--backend-path", &path, "turns.c"], checks].concat());
            assert_eq!(result["verdict"], "presumably_true", "{head}: {result}");
            let text = dir.read("asked");
            let searched = text.lines().any(|line| line.contains("sequential.c"));
            assert_eq!(searched, rounds, "{head}, {checks:?}: {text}");
            let versions = text.lines().filter(|line| line.contains("--version"));
            assert_eq!(versions.count(), 1, "{head}, {checks:?}: {text}");
        }
    }
}

/// A loop that reads into a variable until its condition holds for it is a wait, no loop to be cut: `while (c) body` is
/// `if (c) do body while (c)`. Whatever the last iteration has read may be used after it.
#[test]
fn loops_that_read_until_the_value_suits_are_waits() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        void __VERIFIER_atomic_begin(void);
        void __VERIFIER_atomic_end(void);
        int flag = 3, got, over;
        void *reader(void *unused) {
            int seen = flag;
            while (seen >= 3) READ;
            got = seen;
            over = 1;
            return unused;
        }
        void *writer(void *unused) {
            flag = 2;
            flag = 1;
            return unused;
        }
        int main(void) {
            pthread_t s, t;
            pthread_create(&s, 0, reader, 0);
            pthread_create(&t, 0, writer, 0);
            pthread_join(s, 0);
            pthread_join(t, 0);
            return 0;
        }";
    let section = "{ __VERIFIER_atomic_begin(); seen = flag; __VERIFIER_atomic_end(); }";
    let last_but_one = "{ int now = flag; if (now < 3) break; seen = now + 1; }";
    let each = "over: F({over == 1})\none: G({got != 1})\ntwo: G({got != 2})\n";
    let verdicts = ["true", "false", "false"];
    for (read, formulas, verdicts) in [
        ("seen = flag", each, &verdicts[..]),
        (section, each, &verdicts),
        (last_but_one, "four: G({got != 4})\n", &["false"]),
    ] {
        let text = program.replace("READ", read);
        let dir = Dir::with(&[("reads.c", &text), ("l.txt", formulas)]);
        let rounds = ["--schedules", "rounds:3", "--no-trace"];
        let list = ["--properties", "l.txt", "reads.c"];
        let (result, _) = dir.verify(&[&rounds[..], &list].concat());
        let all = result["properties"].as_array().unwrap();
        assert_eq!(all.len(), verdicts.len(), "{read}: {result}");
        for (property, verdict) in all.iter().zip(verdicts) {
            assert_eq!(property["verdict"], *verdict, "{read}: {property}");
        }
    }
}

/// Wrong uses of locks of all kinds are found by rounds, in runs that end and in infinite ones, as by
/// all schedules; nothing is assumed about them.
#[test]
fn wrong_uses_of_locks_of_all_kinds_are_found_by_rounds() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        TYPE l; int x;
        void *w(void *a) { LOCK(&l); x++; UNLOCK(&l); UNLOCK(&l); return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }";
    for kind in ["mutex", "rwlock", "spin"] {
        let lock = match kind {
            "rwlock" => "pthread_rwlock_wrlock".to_owned(),
            _ => format!("pthread_{kind}_lock"),
        };
        let ty = match kind {
            "spin" => "pthread_spinlock_t".to_owned(),
            _ => format!("pthread_{kind}_t"),
        };
        let text = program
            .replace("UNLOCK", &format!("pthread_{kind}_unlock"))
            .replace("LOCK", &lock)
            .replace("TYPE", &ty);
        let dir = Dir::with(&[("p.c", &text)]);
        for schedules in [&["rounds:2"][..], &["rounds:2", "--lasso"], &["all"]] {
            let asked = ["--ltl", "G {x <= 2}", "p.c", "--schedules"];
            let (result, _) = dir.verify(&[&asked[..], schedules].concat());
            let assumptions = result["assumptions"].to_string();
            assert!(!assumptions.contains("locks are used"), "{kind}: {result}");
            let found = result["findings"].to_string();
            let told = "in a thread that does not hold it";
            assert!(found.contains(told), "{kind}, {schedules:?}: {result}");
        }
    }
}

/// The sequential program is one like any other: it can be verified, too. Its types of locks are its own.
#[test]
fn a_sequential_program_can_be_verified_like_any_other() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
        struct queue { pthread_mutex_t lock; int count; } q = { PTHREAD_MUTEX_INITIALIZER, 0 };
        void *w(void *a) {
            pthread_mutex_lock(&q.lock); q.count++; pthread_mutex_unlock(&q.lock); return a;
        }
        int main(void) {
            pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); return 0;
        }";
    let dir = Dir::with(&[("p.c", program)]);
    let made = dir.run(&["sequentialise", "p.c", "--rounds", "2", "-o", "s.c"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    for (formula, verdict) in [
        ("G {q.count <= 2}", "presumably_true"),
        ("G {q.count <= 1}", "false"),
    ] {
        let (got, _) = dir.verify(&["--ltl", formula, "s.c", "--no-trace"]);
        assert_eq!(got["verdict"], verdict, "{formula}: {got}");
    }
}
