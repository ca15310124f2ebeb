//! Data races: the programs of `races/` have in their first line whether they have one. A sample is asked in
//! every run; all are asked with `cargo test -p baproduct --test all races::all_programs -- --ignored --nocapture`.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{self, cbmc, Dir};

/// The programs by name, each with its first line and its text.
fn programs() -> Vec<(String, String, String)> {
    let entries = std::fs::read_dir(support::repository("tests/races")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap();
        let expected = first.trim_start_matches("//").trim().to_owned();
        (name, expected, text)
    };
    paths.into_iter().map(read).collect()
}

/// The answer about races, and whether it is wrong or open.
fn asked(name: &str, expected: &str, text: &str, args: &[&str]) -> (Value, Option<String>) {
    let dir = Dir::with(&[("p.c", text)]);
    let args = [&["verify", "--races", "p.c", "--format", "json"], args].concat();
    let ran = dir.run(&args);
    let result: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|e| panic!("{name}: {e}: {}{}", ran.stdout, ran.stderr));
    let races = result["races"].clone();
    let pairs = races["pairs"].as_array().unwrap();
    let shown = |of: &str| {
        pairs
            .iter()
            .any(|p| p["object"].as_str().unwrap().contains(of))
    };
    let (free, status) = (&races["free"], ran.status);
    let as_expected = match expected.split_once(':') {
        Some((_, object)) => *free == false && status == 10 && shown(object.trim()),
        None if expected == "none" => *free == true && status == 0,
        None if expected == "not none" => *free != true && status != 0,
        None => *free == false && status == 10,
    };
    let wrong = (!as_expected).then(|| {
        let kind = if free.is_null() { "open" } else { "WRONG" };
        format!("{kind} {name} ({expected}): {status} {races}")
    });
    (result, wrong)
}

/// Programs that the static analysis alone decides, of each kind one.
const AT_FIRST_SIGHT: [&str; 20] = [
    "counter_locked",
    "lock_on_both_paths",
    "rwlock_right",
    "one_after_the_other",
    "sections",
    "fields",
    "bit_fields_of_two_units",
    "once",
    "trylock",
    "many_threads_locked",
    "array_of_threads_then_sum",
    "atomic_load_of_a_pointer",
    "lock_in_the_object",
    "elements_by_argument",
    "numbers_of_their_own",
    "workers_of_a_loop",
    "workers_allocated",
    "one_of_two_kinds_each_round",
    "named_handles_joined_by_a_loop",
    "joined_in_a_block",
];

/// Programs that need the model checker.
const SEARCHED: [&str; 14] = [
    "freed_by_who_found_nothing",
    "elements_as_bytes",
    "main_beside_thread",
    "narrowed_argument",
    "object_beside_by_pointer",
    "published_twice",
    "relaxed_flag",
    "release_to_acquire",
    "release_to_relaxed",
    "references_counted_relaxed",
    "shared_index",
    "string_cut_in_the_middle",
    "string_handed_over",
    "string_split_further",
];

#[test]
fn a_sample_of_the_programs_has_the_right_answers() {
    if !cbmc() {
        return;
    }
    let mut wrong = Vec::new();
    let searched: Vec<&str> = support::sample(SEARCHED, 7).collect();
    for (name, expected, text) in programs() {
        let first_sight = AT_FIRST_SIGHT.contains(&name.as_str());
        if first_sight || searched.contains(&name.as_str()) {
            let (result, message) = asked(&name, &expected, &text, &["--budget", support::AMPLE]);
            wrong.extend(message);
            if first_sight && result["backend"]["runs"] != 0 {
                wrong.push(format!("{name} is not decided at first sight"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
#[ignore = "takes some minutes"]
fn all_programs() {
    let mut wrong = Vec::new();
    let all = programs();
    for (name, expected, text) in &all {
        let (_, message) = asked(name, expected, text, &["--budget", "60"]);
        println!("{name}: {}", message.as_deref().unwrap_or("right"));
        wrong.extend(message);
    }
    println!("{} programs, {} not as expected", all.len(), wrong.len());
    let open = wrong.iter().filter(|w| w.starts_with("open")).count();
    assert_eq!(open, wrong.len(), "{wrong:#?}");
    assert!(open * 20 <= all.len(), "{wrong:#?}");
}

/// A race is shown with its places, threads and locks.
#[test]
fn a_race_has_its_evidence() {
    if !cbmc() {
        return;
    }
    let (_, expected, text) = named("lock_on_one_path");
    let (result, wrong) = asked("p", &expected, &text, &["--budget", support::AMPLE]);
    assert_eq!(wrong, None);
    let pair = &result["races"]["pairs"][0];
    let accesses = [&pair["first"], &pair["second"]];
    let lines: Vec<_> = accesses
        .iter()
        .map(|a| a["line"].as_u64().unwrap())
        .collect();
    assert!(lines.contains(&9) && lines.contains(&15), "{pair}");
    let later = accesses.iter().find(|a| a["line"] == 15).unwrap();
    assert_eq!(later["held"], serde_json::json!(["m"]), "{pair}");
    assert_eq!(later["routine"], "two", "{pair}");
    assert_eq!(later["thread"], 2, "{pair}");
    assert!(!result["races"]["trace"].as_array().unwrap().is_empty());
}

fn named(name: &str) -> (String, String, String) {
    let mut all = programs().into_iter();
    all.find(|(n, ..)| n == name).unwrap()
}

/// Without races, sequential consistency is no assumption; where they are only possible, it stays one.
#[test]
fn without_races_sequential_consistency_is_no_assumption() {
    if !cbmc() {
        return;
    }
    for (name, free) in [("counter_locked", true), ("counter_unlocked", false)] {
        let (_, _, text) = named(name);
        let dir = Dir::with(&[("p.c", &text)]);
        let args = ["--ltl", "G {count < 5}", "p.c", "--schedules", "rounds:1"];
        let (result, _) = dir.verify(&args);
        let assumed = result["assumptions"].to_string();
        assert_eq!(result["races"]["free"] == true, free, "{name}: {result}");
        assert_eq!(
            !assumed.contains("sequential consistency"),
            free,
            "{name}: {assumed}"
        );
        assert_eq!(!assumed.contains("is not known"), free, "{name}: {assumed}");
    }
}

/// Once formulas are proved on all schedules, races are searched without being asked: what was found counts, but
/// is no failure.
#[test]
fn races_are_searched_once_formulas_are_proved() {
    if !cbmc() {
        return;
    }
    for (name, free) in [("reply_by_pointer", true), ("object_by_pointer", false)] {
        let (_, _, text) = named(name);
        let dir = Dir::with(&[("p.c", &text)]);
        let args = ["--ltl", "G {one[1].out < 9}", "p.c", "--engine", "steps"];
        let (result, status) = dir.verify(&[&args[..], &["--budget", support::AMPLE]].concat());
        let assumed = result["assumptions"].to_string();
        assert_eq!(result["holds"], "proved", "{name}: {result}");
        assert_eq!(result["races"]["free"], free, "{name}: {result}");
        assert_eq!(status, 0, "{name}: {result}");
        assert_eq!(
            !assumed.contains("sequential consistency"),
            free,
            "{name}: {assumed}"
        );
    }
}

/// Its races are searched in C11's memory, which has many more states than its interleavings.
const NUMBERS_DRAWN: &str = r"#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[3]; static atomic_int next; static int data[3]; int done;
static void *run(void *p) {
  int me = atomic_fetch_add(&next, 1);
  for (int i = 0; i < 2; i++) atomic_store_explicit(&x[(me + i) % 3], i + 1, memory_order_relaxed);
  for (int i = 0; i < 2; i++) data[me] += atomic_load_explicit(&x[(me + i) % 3], memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  done = 1;
}
";

/// A search that nobody asked for ends after about as many states as the formulas took, on every machine.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_search_beside_formulas_is_bounded_by_states() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", NUMBERS_DRAWN)]);
    let args = ["--ltl", "G F {done == 1}", "p.c", "--engine", "steps"];
    let (result, status) = dir.verify(&[&args[..], &["--budget", support::AMPLE]].concat());
    let assumed = result["assumptions"].to_string();
    assert_eq!(
        (&result["holds"], status),
        (&"proved".into(), 0),
        "{result}"
    );
    assert_eq!(result["races"]["free"], Value::Null, "{result}");
    let why = "a search of about as many states as for the formulas did not decide it; --races searches longer";
    assert!(assumed.contains(why), "{assumed}");
    assert!(!result["races"]["possible"].as_array().unwrap().is_empty());
}

/// With a memory model, the answer about races is one of the program, not of the text that has its memory.
#[test]
fn races_under_a_memory_model_are_those_of_the_program() {
    if !cbmc() {
        return;
    }
    let (_, _, text) = named("release_to_relaxed");
    let dir = Dir::with(&[("p.c", &text)]);
    let args = ["--ltl", "G {copy >= 0}", "p.c", "--memory-model", "c11"];
    let (result, _) = dir.verify(
        &[
            &args[..],
            &["--engine", "steps", "--budget", support::AMPLE],
        ]
        .concat(),
    );
    let races = &result["races"];
    assert_eq!(races["free"], false, "{races}");
    assert!(races["pairs"].to_string().contains("data"), "{races}");
    assert!(!races.to_string().contains("memmodel"), "{races}");
}
