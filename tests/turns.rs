//! Runs that the search of all states of all schedules finds, as users see them: what threads do, where they wait, who holds
//! what they wait for; and executions of the real program that take the same turns.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support::{cbmc, ran, repository, Dir};

/// The result of a refuted formula for a program of `tests/`, as it stands in a file `run.json`.
fn refuted(dir: &Dir, program: &str, formula: &str, words: &[&str]) -> Value {
    let program = repository("tests").join(program);
    let program = program.to_str().unwrap();
    let asked = ["verify", "--engine", "steps", "--format", "json", "-q"];
    let rest = ["--trace", "full", "--ltl", formula, program];
    let out = ran(&mut dir.command(&[&asked[..], words, &rest].concat()));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let property = &result["properties"][0];
    assert_eq!(property["holds"], "refuted", "{formula}: {out:?}");
    dir.write("run.json", &out.stdout);
    result
}

/// What an execution of the program along the run says.
fn replayed(dir: &Dir) -> String {
    let out = dir.run(&["replay", "run.json"]);
    assert_eq!(out.status, 0, "{out:?}");
    out.stdout
}

/// The steps of a kind: the thread, the line, and the text.
fn steps<'a>(result: &'a Value, event: &str) -> Vec<(u64, u64, &'a str)> {
    let trace = result["properties"][0]["trace"].as_array().unwrap();
    let here = trace.iter().filter(|step| step["event"] == event);
    let number = |value: &Value| value.as_u64().unwrap();
    here.map(|s| {
        (
            number(&s["thread"]),
            number(&s["line"]),
            s["what"].as_str().unwrap(),
        )
    })
    .collect()
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let result = refuted(&dir, "turns/accounts.c", "G F {transfers == 1}", &[]);
    let property = &result["properties"][0];
    assert_eq!(property["deadlock"], true);
    let taken = "takes accounts[from]";
    let mut locks = steps(&result, "lock");
    locks.sort_unstable();
    assert_eq!(locks, [(1, 11, taken), (2, 11, taken)]);
    let second = "pthread_mutex_lock(&accounts[to])";
    let joins = "pthread_join(a, 0)";
    assert_eq!(
        steps(&result, "blocked"),
        [(0, 41, joins), (1, 12, second), (2, 12, second)]
    );
    let trace = property["trace"].as_array().unwrap();
    let blocked = trace.iter().filter(|step| step["event"] == "blocked");
    let holders = blocked.map(|step| step["holders"].as_array().map(|h| h[0].clone()));
    let told: Vec<Option<(Value, Value)>> = holders
        .map(|h| h.map(|h| (h["thread"].clone(), h["line"].clone())))
        .collect();
    let held = |thread: u64| Some((Value::from(thread), Value::from(11)));
    assert_eq!(told, [None, held(2), held(1)]);
    assert_eq!(trace.last().unwrap()["what"], "no thread can go on");
    let finding = result["findings"][0]["message"].as_str().unwrap();
    assert!(
        finding.contains("which thread 2 (right) locked at"),
        "{finding}"
    );
    assert!(replayed(&dir).contains("ends in a deadlock"));
}

#[test]
fn an_infinite_run_says_who_never_goes_on() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let formula = "G ({wants[0] == 1} -> F {served[0] == 1})";
    let result = refuted(&dir, "turns/lock.c", formula, &[]);
    let property = &result["properties"][0];
    let turns = property["contexts"].as_array().unwrap();
    let last = turns.last().unwrap();
    assert_eq!(
        (&last["thread"], &last["repeats"]),
        (&Value::from(2), &Value::from(true))
    );
    // The text of a call with a macro is the one that the user wrote.
    let created = turns[0]["stopped"]["what"].as_str().unwrap();
    assert_eq!(created, "next is `pthread_create(&b, NULL, client, &b)`");
    let starved = property["starved"].as_array().unwrap();
    let first = starved.iter().find(|s| s["thread"] == 1).unwrap();
    assert_eq!(
        (&first["waits"], &first["stop"]["line"]),
        (&Value::from(true), &Value::from(12))
    );
    assert!(replayed(&dir).contains("goes round it"));
}

/// A violation that no continuation takes back is the shortest one, not a run that goes on for ever behind it.
#[test]
fn what_is_violated_for_good_is_told_up_to_there() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let apart = "G !({in0 == 1} && {in1 == 1})";
    let result = refuted(&dir, "steps/peterson.c", apart, &["-DWRONG"]);
    assert_eq!(result["properties"][0]["evidence"], "prefix");
    let told = steps(&result, "step");
    assert!(
        told.iter().any(|(_, _, what)| what.contains("turn")),
        "{told:?}"
    );
    assert!(replayed(&dir).contains("recorded turns"));
}

/// A step of a long run ended earlier in the execution along it than in the search, because what threads report was counted as well.
#[test]
fn what_threads_report_ends_no_step() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let result = refuted(&dir, "steps/token.c", "G F {has[0] == 1}", &["-DWRONG"]);
    assert_eq!(result["properties"][0]["evidence"], "lasso");
}
