//! Memory models: litmus tests as C programs, all of whose outcomes are those that the axioms of the model allow; algorithms.

#[path = "../crates/sequentialise/tests/litmus/axioms.rs"]
#[allow(dead_code)]
mod axioms;
#[path = "../crates/sequentialise/tests/litmus/shapes.rs"]
#[allow(dead_code)]
mod shapes;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::support::{Dir, AMPLE};
use axioms::Model;
use shapes::{Kind, Test};

/// An order as C writes it.
fn name_of(order: i32) -> &'static str {
    match order {
        0 => "memory_order_relaxed",
        2 => "memory_order_acquire",
        3 => "memory_order_release",
        4 => "memory_order_acq_rel",
        _ => "memory_order_seq_cst",
    }
}

/// A litmus test as a program: `main` starts the threads, and reads the objects at the end.
fn program(test: &Test) -> String {
    let mut text = String::from(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x0, x1, x2;\nint r0, r1, r2, r3, r4, r5, f0, f1, f2, done, n0, n1, n2;\n",
    );
    let mut starts = String::new();
    for (number, ops) in test.threads.iter().enumerate() {
        let _ = writeln!(text, "void *t{number}(void *p) {{");
        for op in ops {
            let (place, value, into, order) = (op.place, op.value, op.into, name_of(op.order));
            let _ = match op.kind {
                Kind::Write => writeln!(
                    text,
                    "  atomic_store_explicit(&x{place}, {value}, {order});"
                ),
                Kind::Read => writeln!(
                    text,
                    "  r{into} = atomic_load_explicit(&x{place}, {order});"
                ),
                Kind::Exchange => {
                    writeln!(
                        text,
                        "  r{into} = atomic_exchange_explicit(&x{place}, {value}, {order});"
                    )
                }
                Kind::Compare { expected, failing } => writeln!(
                    text,
                    "  r{into} = {expected}; atomic_compare_exchange_strong_explicit(&x{place}, &r{into}, {value}, {order}, {});",
                    name_of(failing)
                ),
                Kind::Fence => writeln!(text, "  atomic_thread_fence({order});"),
                Kind::Guard => writeln!(
                    text,
                    "  if (atomic_load_explicit(&x{place}, {order}) == 0) return p;"
                ),
                Kind::PlainWrite => writeln!(text, "  n{place} = {value};"),
                Kind::PlainRead => writeln!(text, "  r{into} = n{place};"),
            };
        }
        text.push_str("  return p;\n}\n");
        let _ = writeln!(
            starts,
            "  pthread_t h{number}; pthread_create(&h{number}, 0, t{number}, 0);"
        );
    }
    let joins: String = (0..test.threads.len())
        .map(|t| format!("  pthread_join(h{t}, 0);\n"))
        .collect();
    let reads = "  f0 = atomic_load_explicit(&x0, memory_order_relaxed); f1 = atomic_load_explicit(&x1, memory_order_relaxed); f2 = atomic_load_explicit(&x2, memory_order_relaxed);\n";
    let _ = writeln!(
        text,
        "int main(void) {{\n{starts}{joins}{reads}  done = 1;\n  return 0;\n}}"
    );
    text
}

/// The condition that a run has an outcome.
fn condition(outcome: u64) -> String {
    let digit = |at: u32| outcome >> (3 * (8 - at)) & 7;
    let registers = (0..6).map(|i| format!("r{i} == {}", digit(i)));
    let last = (0..3).map(|i| format!("f{i} == {}", digit(6 + i)));
    let all: Vec<String> = registers.chain(last).collect();
    format!("{} && done", all.join(" && "))
}

/// Asks for every outcome that some model allows whether some run has it, and compares with the axioms of one model. Returns whether all
/// were decided.
fn check(test: &Test, model: Model) -> bool {
    let name = match model {
        Model::Sc => "sc",
        Model::Tso => "tso",
        Model::Pso => "pso",
        Model::C11 => "c11",
    };
    let all: BTreeSet<u64> = [Model::Sc, Model::Tso, Model::Pso, Model::C11]
        .into_iter()
        .flat_map(|model| axioms::outcomes(test, model))
        .collect();
    let allowed = axioms::outcomes(test, model);
    let properties: Vec<serde_json::Value> = all
        .iter()
        .map(|o| serde_json::json!({"name": format!("o{o}"), "ltl": format!("G !{{{}}}", condition(*o))}))
        .collect();
    let spec = serde_json::json!({ "properties": properties }).to_string();
    let text = program(test);
    let dir = Dir::with(&[("p.c", text.as_str()), ("s.json", spec.as_str())]);
    let (got, _) = dir.verify(&[
        "s.json",
        "p.c",
        "--engine",
        "steps",
        "--memory-model",
        name,
        "--no-trace",
    ]);
    let mut decided = true;
    for (outcome, property) in all
        .iter()
        .zip(got["properties"].as_array().into_iter().flatten())
    {
        let expected = match allowed.contains(outcome) {
            true => "refuted",
            false => "proved",
        };
        if property["holds"] == "unknown" {
            decided = false;
            continue;
        }
        assert_eq!(
            property["holds"],
            expected,
            "{} under {name}, {}: {property}",
            test.name,
            condition(*outcome)
        );
    }
    assert_eq!(
        got["properties"].as_array().map(Vec::len),
        Some(all.len()),
        "{got}"
    );
    decided
}

fn named(name: &str) -> Test {
    let found = shapes::all().into_iter().find(|t| t.name == name);
    found.unwrap_or_else(|| panic!("no test is called {name}"))
}

#[test]
fn litmus_tests_have_the_outcomes_of_their_axioms() {
    let rows = [
        ("SB 0,0,-2 0,0,-2", Model::C11),
        ("SB 3,2,-2 3,2,-2", Model::Tso),
        ("MP 3,2,-2 3,2,-2", Model::C11),
        ("LB 0,0,-2 0,0,-2", Model::C11),
        ("MP 0,0,-2 0,0,-2", Model::Pso),
        ("2+2W 0,0,-2 0,0,-2", Model::C11),
        ("SB 0,0,5 0,0,5", Model::C11),
        ("RMW 3,2,-2 3,2,-2 3,2,-2", Model::C11),
    ];
    for (name, model) in crate::support::sample(rows, 4) {
        assert!(check(&named(name), model), "{name}");
    }
}

/// All tests of few orders under all models.
#[test]
#[ignore = "an hour: about two thousand runs"]
fn all_litmus_programs_have_the_outcomes_of_their_axioms() {
    let every = std::env::var("BAPRODUCT_LITMUS")
        .ok()
        .and_then(|n| n.parse().ok());
    let tests: Vec<Test> = shapes::all()
        .into_iter()
        .step_by(every.unwrap_or(7))
        .collect();
    let mut open = 0;
    for test in &tests {
        for model in [Model::Sc, Model::Tso, Model::Pso, Model::C11] {
            open += usize::from(!check(test, model));
            println!("{} {model:?}", test.name);
        }
    }
    println!(
        "{} programs, {open} of {} questions open",
        tests.len(),
        4 * tests.len()
    );
}

/// The answer about one formula.
fn holds(text: &str, formula: &str, model: &str) -> serde_json::Value {
    let dir = Dir::with(&[("p.c", text)]);
    let (got, _) = dir.verify(&[
        "--ltl",
        formula,
        "p.c",
        "--engine",
        "steps",
        "--memory-model",
        model,
        "--no-trace",
        "--timeout",
        AMPLE,
    ]);
    got["holds"].clone()
}

/// A fence of the machine in assembler is one of the model; one that keeps only the compiler from moving accesses is none.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn barriers_in_assembler_are_fences() {
    let text = |barrier: &str| {
        format!(
            "#include <pthread.h>\nvolatile int x, y; int r1, r2, bad;\n\
             void *f(void *p) {{ x = 1; __asm__ volatile(\"{barrier}\" ::: \"memory\"); r1 = y; return p; }}\n\
             void *g(void *p) {{ y = 1; __asm__ volatile(\"{barrier}\" ::: \"memory\"); r2 = x; return p; }}\n\
             int main(void) {{\n  pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);\n\
             pthread_join(a, 0); pthread_join(b, 0);\n  bad = r1 == 0 && r2 == 0;\n  return 0;\n}}\n"
        )
    };
    for (barrier, expected) in [("mfence", "proved"), ("", "refuted"), ("cpuid", "unknown")] {
        let got = holds(&text(barrier), "G !{bad}", "tso");
        assert_eq!(got, expected, "`{barrier}`");
    }
}

/// Threads may read old stores again and again, as long as each store is seen in the end.
#[test]
fn a_thread_may_be_late_in_each_round() {
    let text = "#include <pthread.h>\n#include <stdatomic.h>\n#define RLX memory_order_relaxed\n#define ACQ memory_order_acquire\n#define REL memory_order_release\n\
        atomic_int x, y, ack; int bad;\n\
        void *f(void *p) { for (;;) { atomic_store_explicit(&x, 1, RLX); atomic_store_explicit(&y, 1, RLX); while (!atomic_load_explicit(&ack, ACQ)) ;\n\
          atomic_store_explicit(&x, 0, RLX); atomic_store_explicit(&y, 0, REL); while (atomic_load_explicit(&ack, ACQ)) ; } return p; }\n\
        void *g(void *p) { for (;;) { while (!atomic_load_explicit(&y, RLX)) ; bad = !atomic_load_explicit(&x, RLX);\n\
          atomic_store_explicit(&ack, 1, REL); while (atomic_load_explicit(&y, ACQ)) ; atomic_store_explicit(&ack, 0, REL); } return p; }\n\
        int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); return 0; }\n";
    assert_eq!(holds(text, "F G !{bad}", "c11"), "refuted");
}

/// Whose call of `pthread_once` returns has seen what the function did, and no more than that.
#[test]
fn what_runs_once_is_seen_by_all() {
    let text = "#include <pthread.h>\n#include <stdatomic.h>\n#define RLX memory_order_relaxed\n\
        static pthread_once_t once = PTHREAD_ONCE_INIT; atomic_int set, later, seen = -1, late = -1;\n\
        static void init(void) { atomic_store_explicit(&set, 1, RLX); if (atomic_load_explicit(&late, RLX) == 5) return; }\n\
        void *f(void *p) { pthread_once(&once, init); atomic_store_explicit(&later, 1, RLX); pthread_once(&once, init); return p; }\n\
        void *g(void *p) { pthread_once(&once, init); int l = atomic_load_explicit(&later, RLX), s = atomic_load_explicit(&set, RLX); seen = s; late = l; return p; }\n\
        int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
    assert_eq!(holds(text, "G !{seen == 0}", "c11"), "proved");
    let other = text.replace("pthread_once(&once, init); int l", "init(); int l");
    assert_eq!(holds(&other, "G !{seen == 0}", "c11"), "unknown");
}

/// What programs without data races do under C11 does not depend on the places of their objects: all of them may be allocated, stand on a
/// stack or have locks beside them.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn programs_without_races_are_followed_wherever_their_objects_are() {
    let text = |order: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\nstruct config {{ int a, b; }};\n\
            static _Atomic(struct config *) instance; static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; int created, bad;\n\
            static struct config *get(void) {{\n  struct config *c = atomic_load_explicit(&instance, memory_order_acquire);\n\
              if (c == NULL) {{ pthread_mutex_lock(&lock); c = atomic_load_explicit(&instance, memory_order_relaxed);\n\
                if (c == NULL) {{ c = malloc(sizeof *c); if (c == NULL) abort(); c->a = 1; c->b = 2; created++; atomic_store_explicit(&instance, c, {order}); }}\n\
                pthread_mutex_unlock(&lock); }}\n  return c;\n}}\n\
            static void *user(void *p) {{ struct config *c = get(); if (c->a != 1 || c->b != 2) bad = 1; return p; }}\n\
            int main(void) {{ pthread_t s, t; pthread_create(&s, 0, user, 0); pthread_create(&t, 0, user, 0); pthread_join(s, 0); pthread_join(t, 0); free(atomic_load(&instance)); return 0; }}\n"
        )
    };
    // The second formula is violated by a program that frees memory, whose model keeps pointers as numbers.
    let list = "right: G !{bad}\nlate: G {created == 0}\n";
    let asked = |order: &str| {
        let dir = Dir::with(&[("p.c", text(order).as_str()), ("l.txt", list)]);
        let (got, _) = dir.verify(&[
            "--properties",
            "l.txt",
            "p.c",
            "--budget",
            AMPLE,
            "--engine",
            "steps",
            "--memory-model",
            "c11",
            "--no-trace",
        ]);
        got
    };
    let right = asked("memory_order_release");
    assert_eq!(right["properties"][0]["holds"], "proved", "{right}");
    assert_eq!(right["properties"][1]["holds"], "refuted", "{right}");
    assert_eq!(right["races"]["free"], true, "{right}");
    let wrong = asked("memory_order_relaxed");
    assert_eq!(wrong["properties"][0]["holds"], "unknown", "{wrong}");
    assert_eq!(wrong["races"]["holds"], "refuted", "{wrong}");
}

/// A program with locks alone, in a structure with more data than the model follows, and with arguments on a stack: without races, C11 is sequentially consistent, and
/// with one nothing is proved.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn locks_beside_their_data_and_arguments_on_a_stack() {
    let text = |locks: bool| {
        let (lock, unlock) = match locks {
            true => (
                "pthread_mutex_lock(&box.lock);",
                "pthread_mutex_unlock(&box.lock);",
            ),
            false => ("", ""),
        };
        format!(
            "#include <pthread.h>\nstruct box {{ pthread_mutex_t lock; int sum, steps, rest[30]; }};\nstatic struct box box; int total;\n\
            static void *add(void *p) {{ int *by = p; {lock} box.sum += *by; box.steps++; {unlock} *by = 0; return 0; }}\n\
            int main(void) {{ int by[2] = {{1, 2}}; pthread_t t[2]; pthread_mutex_init(&box.lock, 0);\n\
              for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, &by[i]);\n  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n\
              total = box.sum; return by[0] + by[1]; }}\n"
        )
    };
    for (locks, formula, expected) in [
        (true, "G {total == 0 || total == 3}", "proved"),
        (false, "G {total == 0 || total == 3}", "refuted"),
        (false, "G {total <= 3}", "unknown"),
    ] {
        let got = holds(&text(locks), formula, "c11");
        assert_eq!(got, expected, "{locks} {formula}");
    }
}

/// Objects of `main`, and one that is allocated once, are followed as those at file scope.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn atomic_objects_on_a_stack_and_allocated_ones() {
    let text = |publish: &str, last: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\
            struct object {{ pthread_mutex_t lock; atomic_int refs; int value; }};\nstruct work {{ atomic_int *ready; int *data; struct object *o; }};\n\
            int seen = -1, bad, frees;\n\
            static void put(struct object *o) {{\n\
              if (atomic_fetch_sub_explicit(&o->refs, 1, {last}) == 1) {{ if (o->value != 7) bad = 1; frees++; free(o); }}\n}}\n\
            static void *f(void *p) {{ struct work *w = p; *w->data = 42; atomic_store_explicit(w->ready, 1, {publish}); w->o->value = 7; put(w->o); return 0; }}\n\
            static void *g(void *p) {{ struct work *w = p; if (atomic_load_explicit(w->ready, memory_order_acquire)) seen = *w->data; put(w->o); return 0; }}\n\
            int main(void) {{\n  atomic_int ready = 0; int data = 0; struct object *o = malloc(sizeof *o);\n  if (!o) return 1;\n\
              pthread_mutex_init(&o->lock, 0); atomic_init(&o->refs, 2); struct work w = {{&ready, &data, o}};\n\
              pthread_t a, b; pthread_create(&a, 0, f, &w); pthread_create(&b, 0, g, &w); pthread_join(a, 0); pthread_join(b, 0);\n  return 0;\n}}\n"
        )
    };
    let (release, relaxed, both) = (
        "memory_order_release",
        "memory_order_relaxed",
        "memory_order_acq_rel",
    );
    for (publish, last, formula, expected) in [
        (
            release,
            both,
            "G ({seen == -1 || seen == 42} && !{bad})",
            "proved",
        ),
        (relaxed, both, "G {seen == -1 || seen == 42}", "refuted"),
        (release, relaxed, "G !{bad}", "refuted"),
    ] {
        let got = holds(&text(publish, last), formula, "c11");
        assert_eq!(got, expected, "{publish} {last} {formula}");
    }
}

/// What nobody has stored in allocated memory is any value: where a thread may read it, nothing is proved.
#[test]
fn allocated_memory_has_no_value_before_the_first_store() {
    let text = |allocate: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\nint bad;\n\
            static void *f(void *p) {{ atomic_store_explicit((atomic_int *)p, 0, memory_order_relaxed); return 0; }}\n\
            static void *g(void *p) {{ if (atomic_load_explicit((atomic_int *)p, memory_order_relaxed) != 0) bad = 1; return 0; }}\n\
            int main(void) {{\n  atomic_int *o = {allocate};\n  if (!o) return 1;\n\
              pthread_t a, b; pthread_create(&a, 0, f, o); pthread_create(&b, 0, g, o); pthread_join(a, 0); pthread_join(b, 0);\n  return 0;\n}}\n"
        )
    };
    let got = holds(&text("calloc(1, sizeof *o)"), "G !{bad}", "c11");
    assert_eq!(got, "proved");
    let got = holds(&text("malloc(sizeof *o)"), "G !{bad}", "c11");
    assert_ne!(got, "proved");
}

/// Static objects of functions are followed as those at file scope.
#[test]
fn atomic_objects_that_are_static_in_a_function() {
    let text = |number: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\nint id[2], same;\n\
            static int take(void) {{ static atomic_int n; {number} }}\n\
            static void *f(void *p) {{ *(int *)p = take() + 1; return 0; }}\n\
            int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, &id[0]); pthread_create(&b, 0, f, &id[1]);\n\
              pthread_join(a, 0); pthread_join(b, 0); same = id[0] == id[1]; return 0; }}\n"
        )
    };
    let one = "return atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);";
    let two = "int x = atomic_load_explicit(&n, memory_order_relaxed); atomic_store_explicit(&n, x + 1, memory_order_relaxed); return x;";
    for (number, expected) in [(one, "proved"), (two, "refuted")] {
        let got = holds(&text(number), "G !{same == 1}", "c11");
        assert_eq!(got, expected, "{number}");
    }
}

/// Stores are counted for each call of the function that makes them, and those that nobody can read any more take no room.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn the_model_has_room_for_the_stores_of_each_call() {
    let text = |main: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x; int r[2], done;\n\
            static void set(int v) {{ atomic_store_explicit(&x, v, memory_order_release); }}\n\
            static int add(void) {{ return atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); }}\n\
            static void *f(void *p) {{ r[0] = atomic_load_explicit(&x, memory_order_acquire); r[1] = atomic_load_explicit(&x, memory_order_acquire); return 0; }}\n\
            static void *g(void *p) {{ for (int i = 0; i < 6; i++) r[0] += add() >= 0; return 0; }}\n\
            int main(void) {{ pthread_t a; {main} pthread_join(a, 0); done = 1; return 0; }}\n"
        )
    };
    let sets = text("pthread_create(&a, 0, f, 0); set(1); set(2); set(3); set(4);");
    let adds = text("pthread_create(&a, 0, g, 0); for (int i = 0; i < 6; i++) add();");
    for (text, formula, expected) in [
        (
            &sets,
            "F {done == 1} && G {r[1] == 0 || r[0] <= r[1]}",
            "proved",
        ),
        (&sets, "G !({r[0] == 1} && {r[1] == 4})", "refuted"),
        (&adds, "F ({done == 1} && {r[0] == 6})", "proved"),
    ] {
        assert_eq!(holds(text, formula, "c11"), expected, "{formula}");
    }
}

/// A store in a loop with a constant number of iterations is as many stores: a reader that comes late has all of them to read.
#[test]
fn the_model_has_room_for_the_stores_of_each_iteration() {
    let text = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x; int back, third;\n\
        static void *w(void *p) { for (int i = 1; i <= 3; i++) atomic_store_explicit(&x, i, memory_order_relaxed); return p; }\n\
        static void *r(void *p) {\n  int last = 0;\n  for (int i = 0; i < 3; i++) {\n\
            int v = atomic_load_explicit(&x, memory_order_relaxed);\n    if (v < last) back = 1;\n    last = v;\n  }\n\
          third = last;\n  return p;\n}\n\
        int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, r, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n";
    assert_eq!(holds(text, "G {back == 0}", "c11"), "proved");
    assert_eq!(holds(text, "G {third != 1}", "c11"), "refuted");
}

/// A model with more than a thousand numbers is followed: without the fence, a deque gives its last item to two threads.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_deque_without_its_fence_gives_an_item_twice() {
    let text = format!("#define WRONG\n{}", include_str!("memory_models/deque.c"));
    assert_eq!(holds(&text, "G !{twice == 1}", "c11"), "refuted");
}

/// Who compares the number of the last item takes it only if nobody else has: no order of sequentially consistent events leaves more to read.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn the_last_item_of_a_deque_is_taken_once() {
    let text = format!("#define ONCE\n{}", include_str!("memory_models/deque.c"));
    assert_eq!(holds(&text, "G !{twice == 1}", "c11"), "proved");
}

/// An event that is not known to be behind all of its past leaves something open only where a thread is kept from an older store.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn what_is_announced_is_not_freed() {
    let program = include_str!("memory_models/hazard.c");
    for (define, expected) in [("RIGHT", "proved"), ("WRONG", "refuted")] {
        let text = format!("#define {define}\n{program}");
        let got = holds(&text, "G !{freed_is_read == 1}", "c11");
        assert_eq!(got, expected, "{define}");
    }
}

/// A thread that is started where another one was waited for continues none of its release sequences.
#[test]
fn a_thread_has_released_nothing_when_it_starts() {
    let text = include_str!("memory_models/started_again.c");
    assert_eq!(holds(text, "G !{d == 0}", "c11"), "refuted");
}

/// Positions that only grow are compared by their differences: states in which all of them are greater are the same, the stores that may still
/// be read among them.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn positions_of_a_ring_may_run_freely() {
    let program = include_str!("memory_models/free_ring.c");
    for (define, expected) in [("RIGHT", "proved"), ("WRONG", "refuted")] {
        let text = format!("#define {define}\n{program}");
        assert_eq!(holds(&text, "G !{bad == 1}", "c11"), expected, "{define}");
    }
}

/// What lies beside atomic members of a structure, and is accessed without atomic operations only, is ordinary memory: structures as a whole,
/// too. With a race on it nothing is proved.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn members_that_no_atomic_operation_accesses_are_ordinary_memory() {
    let program = include_str!("memory_models/ring.c");
    for (define, expected) in [("RIGHT", "proved"), ("WRONG", "unknown")] {
        let text = format!("#define {define}\n{program}");
        assert_eq!(holds(&text, "G !{bad == 1}", "c11"), expected, "{define}");
    }
}

/// A store that happens before its load brings no sequentially consistent accesses of which it is not known what comes first.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn what_is_known_already_leaves_no_order_open() {
    let text = |order: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z; int a, b, done;\n\
            void *f(void *p) {{ atomic_store(&x, 1); atomic_store_explicit(&y, 1, memory_order_relaxed); atomic_store_explicit(&z, 1, memory_order_{order}); return p; }}\n\
            void *g(void *p) {{ if (atomic_load(&z)) {{ a = atomic_load_explicit(&y, memory_order_relaxed); b = atomic_load(&x); done = 1; }} return p; }}\n\
            int main(void) {{ pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }}\n"
        )
    };
    for (order, expected) in [("seq_cst", "proved"), ("relaxed", "refuted")] {
        let got = holds(&text(order), "G !{done == 1 && a == 0}", "c11");
        assert_eq!(got, expected, "{order}");
    }
}

/// Sequentially consistent accesses are ordered by less than happens-before: their orders that no interleaving has are no proofs.
#[test]
fn a_later_access_may_come_before_an_earlier_one_in_the_order_of_sequential_consistency() {
    let text = |order: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y; int a, b, c, bad;\n\
            static void *f(void *p) {{ atomic_store(&x, 1); atomic_store_explicit(&y, 1, memory_order_{order}); return 0; }}\n\
            static void *g(void *p) {{ b = atomic_fetch_add(&y, 1); c = atomic_load_explicit(&y, memory_order_relaxed); return 0; }}\n\
            static void *h(void *p) {{ atomic_store(&y, 3); a = atomic_load(&x); return 0; }}\n\
            int main(void) {{ pthread_t t[3]; pthread_create(&t[0], 0, f, 0); pthread_create(&t[1], 0, g, 0); pthread_create(&t[2], 0, h, 0);\n\
              for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n\
              bad = b == 1 && c == 3 && a == 0; return 0; }}\n"
        )
    };
    for (order, expected) in [("release", "unknown"), ("seq_cst", "proved")] {
        let got = holds(&text(order), "G !{bad == 1}", "c11");
        assert_eq!(got, expected, "{order}");
    }
}

/// A comparison that fails is a load, and may read older stores than the order of a successful one allows.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_comparison_that_fails_has_an_order_of_its_own() {
    let text = |failing: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y; int r = -1, v = -1, done;\n\
            void *f(void *p) {{ atomic_store(&x, 1); r = atomic_load(&y); return p; }}\n\
            void *g(void *p) {{ atomic_store(&y, 1); int e = 5; atomic_compare_exchange_strong_explicit(&x, &e, 6, memory_order_seq_cst, memory_order_{failing}); v = e; return p; }}\n\
            int main(void) {{ pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0); done = 1; return 0; }}\n"
        )
    };
    for (failing, model, expected) in [
        ("relaxed", "c11", "refuted"),
        ("seq_cst", "c11", "proved"),
        ("relaxed", "tso", "proved"),
    ] {
        let got = holds(&text(failing), "G !{r == 0 && v == 0 && done}", model);
        assert_eq!(got, expected, "{failing} {model}");
    }
}
