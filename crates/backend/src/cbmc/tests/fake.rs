//! Tests with scripts that pretend to be CBMC.

use super::super::*;
use super::{outcomes, run};
use crate::answer::{Outcome, StepKind};
use crate::locate::Kind;
use crate::testing::fake;
use std::time::Duration;

/// Runs a script; the limit is so long that only a hanging script reaches it.
fn fake_run(version: (u32, u32, u32), script: &str, traces: Traces) -> Result<Answer, Failure> {
    fake_run_for(version, script, traces, Duration::from_secs(300))
}

fn fake_run_for(
    version: (u32, u32, u32),
    script: &str,
    traces: Traces,
    limit: Duration,
) -> Result<Answer, Failure> {
    let (_dir, program) = fake(Kind::CBMC, version, script);
    let cbmc = Cbmc::new(program);
    let timeout = Some(limit);
    run(
        &cbmc,
        &Job {
            traces,
            timeout,
            ..Job::new("prog.c")
        },
    )
}

fn plain_says(body: &str, exit: i32) -> Result<Answer, Failure> {
    fake_run(
        (6, 6, 0),
        &format!("cat <<'END'\n{body}\nEND\nexit {exit}"),
        Traces::None,
    )
}

fn assert_unparsable(result: Result<Answer, Failure>, what: &str) {
    match result {
        Err(Failure::Unparsable { message }) => assert!(message.contains(what), "{message}"),
        other => panic!("{other:?}"),
    }
}

const GOOD: &str = "** Results:\nprog.c function main\n[main.assertion.1] line 4 baproduct:P:false: SUCCESS\n\n** 0 of 1 failed (1 iterations)\nVERIFICATION SUCCESSFUL";

#[test]
fn a_whole_answer_is_believed() {
    let answer = plain_says(GOOD, 0).unwrap();
    assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Holds)]);
}

#[test]
fn exit_codes_that_contradict_the_output_are_not_believed() {
    assert_unparsable(plain_says(GOOD, 10), "all hold");
    assert_unparsable(plain_says(GOOD, 6), "all hold");
    let failed = GOOD
        .replace("SUCCESS\n", "FAILURE\n")
        .replace("0 of", "1 of");
    let failed = failed.replace("SUCCESSFUL", "FAILED");
    assert_unparsable(plain_says(&failed, 0), "some fail");
    assert_eq!(
        outcomes(&plain_says(&failed, 10).unwrap()),
        [("baproduct:P:false", Outcome::Fails)]
    );
}

#[test]
fn output_that_contradicts_itself_is_not_believed() {
    assert_unparsable(
        plain_says(&GOOD.replace("SUCCESS\n", "FAILURE\n"), 0),
        "summary",
    );
    assert_unparsable(plain_says(&GOOD.replace("0 of 1", "0 of 2"), 0), "summary");
    assert_unparsable(
        plain_says(&GOOD.replace("SUCCESSFUL", "FAILED"), 10),
        "contradicts",
    );
    let line = "[main.assertion.1] line 4 baproduct:P:false: SUCCESS\n";
    let twice = GOOD
        .replace(line, &line.repeat(2))
        .replace("0 of 1", "0 of 2");
    assert_unparsable(plain_says(&twice, 0), "twice");
}

#[test]
fn every_truncation_of_an_answer_is_noticed() {
    for end in 0..GOOD.len() {
        if GOOD.is_char_boundary(end) {
            let output = plain::read(&GOOD.as_bytes()[..end]);
            assert!(output.answer.is_none(), "{}", &GOOD[..end]);
        }
    }
}

proptest::proptest! {
    /// Whatever happens to the lines, there is the right answer or none.
    #[test]
    fn lines_that_are_lost_or_doubled_never_change_an_answer(
        counts in proptest::collection::vec(0usize..3, 12),
    ) {
        let whole = GOOD.replace(
            "[main.assertion.1]",
            "[main.assertion.0] line 3 baproduct:P:true: FAILURE\n[main.assertion.1]",
        );
        let whole = whole.replace("0 of 1", "1 of 2").replace("SUCCESSFUL", "FAILED");
        let lines = whole.lines().zip(counts.iter());
        let text: String = lines.map(|(line, n)| format!("{line}\n").repeat(*n)).collect();
        let right = plain::read(whole.as_bytes()).answer.unwrap();
        if let Some(answer) = plain::read(text.as_bytes()).answer {
            proptest::prop_assert_eq!(answer.outcomes, right.outcomes);
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..300)) {
        proptest::prop_assert!(plain::read(&bytes[..]).answer.is_none());
        proptest::prop_assert!(json::read(Lossy::new(&bytes[..]), &Traces::Full).answer.is_none());
    }
}

#[test]
fn statuses_that_decide_nothing_leave_the_text_open() {
    for status in ["UNKNOWN", "ERROR"] {
        let output = GOOD.replace("false: SUCCESS", &format!("false: {status}"));
        let answer = plain_says(&output, 0).unwrap();
        assert!(answer.outcomes.is_empty());
        assert!(answer.undecided.contains_key("baproduct:P:false"));
    }
}

const GOOD_JSON: &str = r#"[ {"program": "CBMC 6.6.0"},
  {"messageText": "careful", "messageType": "WARNING"},
  {"result": [ {"description": "baproduct:P:false", "property": "main.assertion.1", "status": "FAILURE",
     "sourceLocation": {"file": "prog.c", "line": "4", "function": "main"},
     "trace": [ {"stepType": "assignment", "lhs": "ba_q", "thread": 1, "hidden": true,
                 "value": {"name": "integer", "type": "unsigned char", "data": "'a'", "binary": "01100001"}},
                {"stepType": "assignment", "lhs": "y", "value": {"name": "boolean", "data": "TRUE"}},
                {"stepType": "failure", "reason": "baproduct:P:false"} ] } ]},
  {"cProverStatus": "failure"} ]"#;

#[test]
fn json_is_read_as_a_whole_or_not_at_all() {
    let traces = Traces::Prefixes(vec!["ba_".into()]);
    let output = json::read(GOOD_JSON.as_bytes(), &traces);
    let answer = output.answer.unwrap();
    assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Fails)]);
    assert_eq!(output.warnings, ["careful"]);
    let trace = &answer.traces["baproduct:P:false"];
    assert_eq!(trace.len(), 2);
    let StepKind::Assignment { value, .. } = &trace[0].kind else {
        panic!()
    };
    assert_eq!((value.text.as_str(), value.number), ("'a'", Some(97)));
    for end in 0..GOOD_JSON.len() {
        assert!(json::read(&GOOD_JSON.as_bytes()[..end], &traces)
            .answer
            .is_none());
    }
}

#[test]
fn json_that_contradicts_itself_is_not_believed() {
    let lies = [
        ("\"failure\"", "\"success\"", "contradicts"),
        ("{\"cProverStatus\": \"failure\"}", "{}", "missing"),
        (
            "{\"cProverStatus\": \"failure\"}",
            "{\"cProverStatus\": \"error\"}",
            "error",
        ),
    ];
    for (from, to, what) in lies {
        let problem = json::read(GOOD_JSON.replace(from, to).as_bytes(), &Traces::Full).problem;
        assert!(
            problem.as_ref().is_some_and(|p| p.contains(what)),
            "{problem:?}"
        );
    }
}

#[test]
fn deeply_nested_json_is_an_error_and_no_overflow() {
    for (open, close) in [
        ("[", "]"),
        ("{\"x\":", "}"),
        (
            "[{\"result\":[{\"trace\":[{\"value\":{\"elements\":[{\"value\":",
            "",
        ),
    ] {
        let text = format!(
            "[{{\"a\": {}{}}}]",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        assert!(json::read(text.as_bytes(), &Traces::Full).answer.is_none());
    }
    let value = "{\"name\":\"struct\",\"members\":[{\"name\":\"m\",\"value\":".repeat(50_000);
    let text = format!("[{{\"result\":[{{\"trace\":[{{\"lhs\":\"x\",\"value\":{value}");
    assert!(json::read(text.as_bytes(), &Traces::Full).answer.is_none());
}

#[test]
fn programs_that_misbehave_are_failures_with_a_reason() {
    let none = || Traces::None;
    let six = (6, 6, 0);
    let limit = Duration::from_secs(2);
    let hangs = fake_run_for(six, "exec sleep 1000", none(), limit);
    assert_eq!(hangs.unwrap_err(), Failure::Timeout { limit });
    let crashes = fake_run(six, "echo half; kill -SEGV $$", none()).unwrap_err();
    assert!(
        matches!(&crashes, Failure::Crashed { status, .. } if status.contains("11")),
        "{crashes:?}"
    );
    let aborts = fake_run(
        six,
        "echo 'invariant violation report' >&2; exit 134",
        none(),
    )
    .unwrap_err();
    assert!(matches!(aborts, Failure::Crashed { .. }));
    let dies_after = format!("cat <<'END'\n{GOOD}\nEND\nkill -KILL $$");
    let killed = fake_run(six, &dies_after, none()).unwrap_err();
    assert!(killed.to_string().contains("no memory"), "{killed}");
    let memory = fake_run(
        six,
        "echo \"terminate called after throwing 'std::bad_alloc'\" >&2; kill -ABRT $$",
        none(),
    );
    assert_eq!(memory.unwrap_err(), Failure::MemoryOut { mib: None });
    assert!(matches!(
        fake_run(six, "", none()),
        Err(Failure::Unparsable { .. })
    ));
    assert!(matches!(
        fake_run(six, "", Traces::Full),
        Err(Failure::Unparsable { .. })
    ));
    let garbage = fake_run(six, "printf '\\377\\376[\\300'; exit 0", Traces::Full);
    assert!(matches!(garbage, Err(Failure::Unparsable { .. })));
    let huge = fake_run(
        six,
        "yes '[main.assertion.1] line' | head -c 30000000; exit 10",
        none(),
    );
    assert!(matches!(huge, Err(Failure::Unparsable { .. })));
    let error_and_result = format!(
        "echo 'OUT' >&2; cat <<'END'\n{}\nEND\nexit 10",
        GOOD_JSON.replace("WARNING", "ERROR")
    );
    assert!(fake_run(six, &error_and_result, Traces::Full).is_err());
}

#[test]
fn bytes_that_are_not_utf8_do_not_hide_an_answer() {
    let script = "printf '** Results:\\n[a\\377.1] line 4 baproduct:P:false: SUCCESS\\n\\n** 0 of 1 failed (1 iterations)\\nVERIFICATION SUCCESSFUL\\n'";
    let answer = fake_run((6, 6, 0), script, Traces::None).unwrap();
    assert_eq!(outcomes(&answer), [("baproduct:P:false", Outcome::Holds)]);
}

#[test]
fn options_fit_the_version() {
    let (_dir, program) = fake(Kind::CBMC, (5, 12, 0), "");
    let five = Cbmc::new(program)
        .invocation(&Job::new("-x.c"), &[])
        .shell();
    assert!(
        !five.contains("--no-standard-checks") && five.ends_with(" ./-x.c"),
        "{five}"
    );
    let (_dir, program) = fake(Kind::CBMC, (6, 6, 0), "");
    let job = Job {
        defines: vec![("A".into(), String::new()), ("B".into(), "1".into())],
        unwindset: vec![("main.0".into(), 3), ("f.1".into(), 4)],
        threads: true,
        sat_preprocessor: false,
        ..Job::new("p.c")
    };
    let six = Cbmc::new(program)
        .invocation(&job, &["main.assertion.1".into()])
        .shell();
    let (_, options) = six.split_once("cbmc ").unwrap();
    assert!(options.ends_with("--no-standard-checks -DA -DB=1 --verbosity 8 --unwindset main.0:3,f.1:4 --unwinding-assertions --no-sat-preprocessor --property main.assertion.1 p.c"), "{six}");
}

/// A CBMC with a dense formula that takes for ever unless the simplifier is off.
const DENSE: &str = r#"echo '10 variables, 900000 clauses'
case "$*" in
  *--no-sat-preprocessor*) ;;
  *) exec sleep 1000 ;;
esac"#;

#[test]
fn a_simplifier_that_takes_long_is_overtaken() {
    let script = format!("{DENSE}\ncat <<'END'\n{GOOD}\nEND\nexit 0");
    let begun = std::time::Instant::now();
    let answer = fake_run((6, 6, 0), &script, Traces::None).unwrap();
    assert!(!answer.outcomes.is_empty());
    assert!(begun.elapsed().as_secs() < 300);
}

#[test]
fn the_run_that_is_left_answers_when_the_other_fails() {
    let script = format!(
        "echo '10 variables, 900000 clauses'\ncase \"$*\" in\n*--no-sat-preprocessor*) exit 64;;\nesac\nsleep 1\ncat <<'END'\n{GOOD}\nEND\nexit 0"
    );
    let answer = fake_run((6, 6, 0), &script, Traces::None).unwrap();
    assert!(!answer.outcomes.is_empty());
}
