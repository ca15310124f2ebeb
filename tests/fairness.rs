//! Fair infinite runs of threads: the quick part of `tests/fairness`, which has programs from the
//! literature with the expected results without fairness, with weak and with strong fairness, and
//! repeats what is found on the real programs.
//! `tests/fairness/run.py` runs all of it.

use crate::support::{cbmc, repository, suite, Dir, AMPLE};

#[test]
fn quick_programs_have_their_answers() {
    suite("fairness", &["--ci", "--replay"]);
}

/// The report names the assumptions on which a starvation rests.
#[test]
fn who_starves_is_told_with_what_it_waits_for() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/fairness/programs/lost_wakeup.c");
    let (got, _) = Dir::new().verify(&[
        "--lasso",
        "--schedules",
        "rounds:3",
        "--ltl",
        "F {done}",
        program.to_str().unwrap(),
    ]);
    let property = &got["properties"][0];
    assert_eq!(property["evidence"], "lasso", "{got}");
    let starved = property["starved"].as_array().unwrap();
    let waits = starved.iter().any(|s| {
        let what = s["stop"]["what"].as_str().unwrap();
        s["thread"] == 1 && s["waits"] == true && what.contains("pthread_cond_wait")
    });
    assert!(waits, "{starved:?}");
}

/// A thread that waits in a function can continue whenever the objects that the function reads
/// allow it. The search once considered only the objects in the loop's own text, and reported an
/// unfair run as strongly fair.
#[test]
fn a_wait_that_calls_a_function_may_end_by_what_the_function_reads() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint flag, done;\nint ready(void) { return flag; }\n\
        void *toggles(void *a) { while (1) { flag = 1; flag = 0; } return a; }\n\
        void *waits(void *a) { while (!ready()) ; done = 1; return a; }\n\
        int main(void) {\n  pthread_t t, w;\n  pthread_create(&t, 0, toggles, 0);\n\
        pthread_create(&w, 0, waits, 0);\n  pthread_join(w, 0);\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let search = ["--lasso", "--schedules", "rounds:2", "--unwind", "3"];
    let asked = ["--no-trace", "--ltl", "F {done == 1}", "p.c"];
    let found = |fairness: &str| {
        let (got, _) = dir.verify(&[&search[..], &asked, &["--fairness", fairness]].concat());
        got["properties"][0]["holds"].clone()
    };
    assert_eq!(found("weak"), "refuted");
    assert_eq!(found("strong"), "unknown");
}

/// An object that cannot be named in the state is refused with its place.
#[test]
fn a_state_without_a_name_is_refused() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <stdlib.h>\nint *p; int b;\n\
        void *f(void *x) { while (1) { *p = 1 - *p; b = *p; } return x; }\n\
        int main(void) {\n  pthread_t t;\n  p = malloc((2 + b) * sizeof(int));\n  *p = 0;\n\
        pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (got, _) = dir.verify(&[
        "--lasso",
        "--schedules",
        "rounds:2",
        "--ltl",
        "F {b == 2}",
        "p.c",
    ]);
    assert_eq!(got["verdict"], "unknown", "{got}");
    let reason = got["reason"].as_str().unwrap();
    assert!(reason.contains("p.c:7:"), "{reason}");
    assert!(reason.contains("`malloc` allocates memory"), "{reason}");
}

/// A union is compared member by member, and its copy must have the same bytes: one with a `_Bool`
/// is refused.
#[test]
fn a_union_whose_copy_may_differ_is_refused() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nunion { unsigned number; _Bool flag; } u;\n\
        void *f(void *x) { while (1) u.number += 2; return x; }\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let search = [
        "--lasso",
        "--schedules",
        "rounds:2",
        "--ltl",
        "F {u.number == 7}",
        "p.c",
    ];
    let (got, _) = dir.verify(&search);
    assert_eq!(got["verdict"], "unknown", "{got}");
    let reason = got["reason"].as_str().unwrap();
    assert!(reason.contains("p.c:2:"), "{reason}");
    assert!(
        reason.contains("`u` is a union with other parts than integers"),
        "{reason}"
    );
}

/// The assumptions on which a lasso of a program of `tests/fairness` rests, as the report lists
/// them.
fn rests_on(arguments: &[&str], name: &str) -> Vec<(String, u64)> {
    let program = repository(&format!("tests/fairness/programs/{name}.c"));
    let mut all = vec!["--lasso", "--schedules", "rounds:3"];
    all.extend(arguments);
    all.push(program.to_str().unwrap());
    let (got, _) = Dir::new().verify(&all);
    let property = &got["properties"][0];
    assert_eq!(property["evidence"], "lasso", "{got}");
    let rests = property["rests_on"].as_array().into_iter().flatten();
    let told = rests.map(|r| {
        let on = r["on"].as_str().unwrap().to_owned();
        (on, r["thread"].as_u64().unwrap())
    });
    told.collect()
}

/// The report tells which choices of the environment a loop needs again and again: the order of a
/// lock, the time of a wait, wakeups without a signal.
#[test]
fn what_a_loop_rests_on_is_told() {
    if !cbmc() {
        return;
    }
    let order = rests_on(&["--ltl", "G ({asks} -> F {in})"], "mutex");
    assert_eq!(order, [("order".to_owned(), 1)]);
    let timeout = rests_on(&["--ltl", "F G {!late}"], "timed");
    assert_eq!(timeout, [("timeout".to_owned(), 1)]);
    if !crate::support::thorough() {
        return;
    }
    let spurious = ["--spurious-wakeups", "--ltl", "F G {!early}"];
    let spurious = rests_on(&spurious, "spurious");
    assert_eq!(spurious, [("spurious_wakeup".to_owned(), 1)]);
    // A thread that is never woken is never enabled: strong fairness concerns only the scheduler.
    let chosen = rests_on(
        &["--fairness", "strong", "--ltl", "G F {served}"],
        "any_waiter",
    );
    assert_eq!(chosen, [("any_waiter".to_owned(), 3)]);
}

/// What `replay` says of the infinite run that is found in a program of `tests/fairness`.
fn replayed(fairness: &str, formula: &str, name: &str) -> String {
    let program = repository(&format!("tests/fairness/programs/{name}.c"));
    let dir = Dir::new();
    let mut all = vec!["--lasso", "--schedules", "rounds:3", "--fairness", fairness];
    all.extend(["--ltl", formula, program.to_str().unwrap()]);
    let (got, _) = dir.verify(&all);
    assert_eq!(got["properties"][0]["evidence"], "lasso", "{got}");
    dir.write("trace.json", got.to_string());
    let replayed = dir.run(&["replay", "trace.json", "--timeout", AMPLE]);
    assert_eq!(replayed.status, 0, "{replayed:?}");
    replayed.stdout
}

/// The loop of an infinite run of threads is executed on the real program; here it has no letters.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn loops_of_threads_are_replayed() {
    if !cbmc() {
        return;
    }
    let told = replayed("weak", "G ({asks} -> F {in})", "test_and_set");
    let rounds = "goes round it 1000 times without another one; main never runs there; thread 1 never runs there";
    assert!(told.contains(rounds), "{told}");
}

/// A replay reads the propositions of the first letter while no other thread may go on. It once let
/// one go on, which then waited for the replay's own lock for ever.
#[test]
fn a_replay_reads_its_first_letter_alone() {
    if !cbmc() {
        return;
    }
    let told = replayed("weak", "G ({asks} -> F {in})", "trylock");
    assert!(told.contains("confirmed"), "{told}");
}

/// Without fairness, a thread that goes round a busy wait for ever is an infinite run: its letters
/// are those of the way there.
#[test]
fn a_thread_that_spins_for_ever_runs() {
    if !cbmc() {
        return;
    }
    let told = replayed("none", "G F {eats}", "spinning_producer");
    let spins = "a thread goes round a wait for ever";
    assert!(told.contains(spins), "{told}");
}

/// The prefix before the loop is executed once: a thread that is stopped for good must first reach
/// its place.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn the_way_to_a_loop_of_threads_is_replayed_once() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/fairness/programs/lost_wakeup.c");
    for (fairness, variant) in [("weak", None), ("none", Some("-DREPAIRED"))] {
        let dir = Dir::new();
        let mut all = vec!["--lasso", "--schedules", "rounds:3", "--fairness", fairness];
        all.extend(["--ltl", "F {done}", program.to_str().unwrap()]);
        all.extend(variant);
        let (got, _) = dir.verify(&all);
        let property = &got["properties"][0];
        assert_eq!(property["evidence"], "lasso", "{got}");
        let contexts = property["contexts"].as_array().unwrap();
        assert_eq!(contexts[0]["repeats"], false, "{contexts:?}");
        assert_eq!(contexts.last().unwrap()["repeats"], true, "{contexts:?}");
        dir.write("trace.json", got.to_string());
        let replayed = dir.run(&["replay", "trace.json", "--timeout", AMPLE]);
        assert_eq!(replayed.status, 0, "{replayed:?}");
    }
}

/// Members that are `const` are part of the state, and cannot be assigned. The search was refused with an error of the model
/// checker.
#[test]
fn objects_with_constant_members_are_compared() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nstruct part { const int id; int n; };\n\
        static struct part all[2] = { { 0, 0 }, { 1, 0 } };\nint here;\n\
        static void *turns(void *p) {\n  struct part *part = p;\n\
        for (;;) { const struct part now = { part->id, 1 }; const struct part *seen = &now; here = seen->id; part->n = !part->n; }\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, turns, &all[1]);\n  pthread_join(t, 0);\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let search = ["--lasso", "--schedules", "rounds:2", "--unwind", "3"];
    let asked = ["--no-trace", "--ltl", "F G {here == 0}", "p.c"];
    let (got, _) = dir.verify(&[&search[..], &asked].concat());
    assert_eq!(got["properties"][0]["evidence"], "lasso", "{got}");
}
