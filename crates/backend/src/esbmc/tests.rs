#![allow(clippy::unwrap_used)]
use super::*;
use crate::answer::{OtherKind, StepKind};
use crate::job::Selection;
use crate::locate::{Kind, Version};
use crate::testing::fake;
use std::time::Duration;
use Outcome::{Fails, Holds};

const FALSE: &str = "baproduct:false";
const PRESUMABLY_FALSE: &str = "baproduct:presumably_false";
const PRESUMABLY_TRUE: &str = "baproduct:presumably_true";

fn transcript(name: &str) -> String {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/transcripts");
    std::fs::read_to_string(format!("{directory}/esbmc-8.4.0-{name}.txt")).unwrap()
}

/// A script that plays recorded runs: the first pattern that fits the command line decides which.
fn playing(runs: &[(&str, &str)]) -> String {
    let mut script = "play() { sed '1d;/^exit status:/d' \"$1\"; exit $(sed -n 's/^exit status: //p' \"$1\"); }\ncase \"$* \" in\n".to_owned();
    for (pattern, name) in runs {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/transcripts");
        script += &format!("*'{pattern}'*) play '{directory}/esbmc-8.4.0-{name}.txt' ;;\n");
    }
    script + "*) echo \"unexpected: $*\" >&2; exit 99 ;;\nesac"
}

fn run_script(script: &str, change: impl FnOnce(&mut Job)) -> Finished {
    let (_dir, program) = fake(Kind::Esbmc, (8, 4, 0), script);
    let mut job = Job {
        unwind: Some(4),
        timeout: Some(Duration::from_secs(20)),
        ..Job::new("seq.c")
    };
    change(&mut job);
    Esbmc::new(program).run(&job, &Cancel::new())
}

fn run(runs: &[(&str, &str)], change: impl FnOnce(&mut Job)) -> Finished {
    run_script(&playing(runs), change)
}

fn outcomes(answer: &Answer) -> Vec<(&str, Outcome)> {
    answer
        .outcomes
        .iter()
        .map(|(t, o)| (t.as_str(), *o))
        .collect()
}

const SEQUENTIAL: &[(&str, &str)] = &[
    ("--show-claims", "show-claims"),
    ("--multi-property", "sequential-multi-property"),
];

#[test]
fn one_run_answers_all_claims_of_a_sequential_program() {
    let finished = run(SEQUENTIAL, |job| job.traces = Traces::Full);
    let answer = finished.result.unwrap();
    let expected = [
        (FALSE, Holds),
        (PRESUMABLY_FALSE, Fails),
        (PRESUMABLY_TRUE, Fails),
    ];
    assert_eq!(outcomes(&answer), expected);
    assert_eq!(finished.usage.runs, 2);
    let steps: Vec<_> = answer.traces[PRESUMABLY_TRUE]
        .iter()
        .map(|s| match &s.kind {
            StepKind::Assignment { lhs, value } => format!("{lhs}={}", value.number.unwrap()),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(steps[..3], ["v=5", "x=5", "v=0"]);
    assert!(steps[6].contains("Violation"));
    let first = &answer.traces[PRESUMABLY_TRUE][0];
    assert_eq!((first.thread, first.location.line), (Some(0), Some(11)));
    assert_eq!(first.location.file.as_deref(), Some("seq.c"));
    assert_eq!(first.location.function.as_deref(), Some("main"));
}

#[test]
fn traces_are_kept_only_where_they_are_wanted() {
    assert!(run(SEQUENTIAL, |_| ()).result.unwrap().traces.is_empty());
    let only_x = run(SEQUENTIAL, |job| {
        job.traces = Traces::Prefixes(vec!["x".into()])
    });
    assert_eq!(only_x.result.unwrap().traces[PRESUMABLY_FALSE].len(), 4);
}

#[test]
fn violations_of_a_partial_report_stand() {
    let runs = [
        ("--show-claims", "show-claims"),
        ("--multi-property", "threads-multi-property"),
    ];
    let answer = run(&runs, |job| job.threads = true).result.unwrap();
    let expected = [
        (FALSE, Fails),
        (PRESUMABLY_FALSE, Fails),
        (PRESUMABLY_TRUE, Fails),
    ];
    assert_eq!(outcomes(&answer), expected);
}

#[test]
fn what_holds_in_a_partial_report_is_asked_again_alone() {
    let partial = transcript("sequential-multi-property").replace(
        "\nVERIFICATION",
        "This report is partial: it stopped.\n\nVERIFICATION",
    );
    let (dir, _) = crate::testing::c_file(&partial);
    let file = dir.path().join("prog.c");
    let script = playing(&[
        ("--show-claims", "show-claims"),
        ("--claim 1 ", "threads-one-claim"),
    ])
    .replace(
        "case",
        &format!(
            "case \"$*\" in *--multi-property*) play '{}';; esac\ncase",
            file.display()
        ),
    );
    let finished = run_script(&script, |_| ());
    let expected = [
        (FALSE, Holds),
        (PRESUMABLY_FALSE, Fails),
        (PRESUMABLY_TRUE, Fails),
    ];
    assert_eq!(outcomes(&finished.result.unwrap()), expected);
    assert_eq!(finished.usage.runs, 3);
}

#[test]
fn claims_that_the_table_leaves_out_get_a_run_each() {
    let runs = [
        ("--show-claims", "show-claims"),
        ("--multi-property", "unwinding-assertion-fails"),
        ("--claim 1 ", "sequential-one-claim-holds"),
        ("--claim 2 ", "sequential-one-claim-failed"),
        ("--claim 3 ", "timeout"),
    ];
    let finished = run(&runs, |job| job.traces = Traces::Full);
    let answer = finished.result.unwrap();
    assert_eq!(
        outcomes(&answer),
        [(FALSE, Holds), (PRESUMABLY_FALSE, Fails)]
    );
    assert!(answer.undecided[PRESUMABLY_TRUE].contains("Timed out"));
    assert_eq!(answer.other_failures.len(), 1);
    assert_eq!(answer.other_failures[0].kind, OtherKind::Unwinding);
    assert_eq!(finished.usage.runs, 5);
    assert_eq!(answer.traces.keys().collect::<Vec<_>>(), [PRESUMABLY_FALSE]);
}

#[test]
fn another_violation_in_a_run_alone_leaves_the_claim_open() {
    let runs = [
        ("--show-claims", "show-claims"),
        ("--claim 1 ", "unwinding-assertion-fails"),
    ];
    let only = |job: &mut Job| job.selection = Selection::Only([FALSE.to_owned()].into());
    let answer = run(&runs, only).result.unwrap();
    assert!(answer.outcomes.is_empty());
    assert!(answer.undecided.contains_key(FALSE));
}

#[test]
fn one_wanted_claim_is_one_run_and_none_is_no_run() {
    let runs = [
        ("--show-claims", "show-claims"),
        ("--claim 2 ", "sequential-one-claim-failed"),
    ];
    let finished = run(&runs, |job| {
        job.selection = Selection::Only([PRESUMABLY_FALSE.to_owned()].into())
    });
    assert_eq!(
        outcomes(&finished.result.unwrap()),
        [(PRESUMABLY_FALSE, Fails)]
    );
    assert_eq!(finished.usage.runs, 2);
    let none = run(&runs, |job| {
        job.selection = Selection::Only(["baproduct:Q:true".to_owned()].into())
    });
    assert!(none.result.unwrap().outcomes.is_empty());
    assert_eq!(none.usage.runs, 1);
}

#[test]
fn claims_that_were_not_checked_are_not_answered() {
    let rows = output::read(transcript("k-induction").as_bytes(), &Traces::None);
    assert_eq!(rows.contradiction(), None);
    let checks: Vec<_> = rows.rows.iter().map(|r| r.check).collect();
    assert_eq!(
        checks,
        [
            Check::Undecided,
            Check::Fails,
            Check::Fails,
            Check::Undecided
        ]
    );
    assert_eq!(rows.rows[0].location.line, Some(6));
    assert_eq!(rows.rows[3].text, "unwinding assertion loop 3");
}

#[test]
fn failures_are_told_apart_although_exit_codes_are_not() {
    let of = |name: &str| {
        let runs = [("--show-claims", "show-claims"), ("--claim 1 ", name)];
        let only = |job: &mut Job| job.selection = Selection::Only([FALSE.to_owned()].into());
        run(&runs, only).result.unwrap_err()
    };
    assert!(matches!(of("timeout"), Failure::Undecided { .. }));
    assert!(matches!(
        of("k-induction-unknown"),
        Failure::Undecided { .. }
    ));
    assert!(matches!(of("memory-out"), Failure::MemoryOut { .. }));
    for (name, word) in [
        ("parse-error", "expected parameter declarator"),
        ("missing-file", "failed to open input file"),
        ("no-such-claim", "claim 99 not found"),
        ("bad-option", "frobnicate"),
    ] {
        match of(name) {
            Failure::Refused { message } => assert!(message.contains(word), "{message}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let early = run(&[("--show-claims", "parse-error")], |_| ())
        .result
        .unwrap_err();
    assert!(matches!(early, Failure::Refused { .. }));
}

fn says(body: &str, exit: i32) -> Result<Answer, Failure> {
    let listing = transcript("show-claims");
    let (dir, listing) = crate::testing::c_file(&listing);
    let (other, body) = crate::testing::c_file(body);
    let script = format!(
        "case \"$*\" in *--show-claims*) cat '{}'; exit 0 ;; *) cat '{}'; exit {exit} ;; esac",
        listing.display(),
        body.display()
    );
    let finished = run_script(&script, |job| {
        job.selection = Selection::Only([FALSE.to_owned()].into())
    });
    drop((dir, other));
    finished.result
}

#[test]
fn output_that_contradicts_itself_or_the_exit_code_is_not_believed() {
    let holds = transcript("sequential-one-claim-holds");
    assert_eq!(outcomes(&says(&holds, 0).unwrap()), [(FALSE, Holds)]);
    let failed = holds
        .replace("PASSED", "FAILED")
        .replace("0 of 1", "1 of 1")
        .replace("SUCCESSFUL", "FAILED");
    assert_eq!(outcomes(&says(&failed, 1).unwrap()), [(FALSE, Fails)]);
    let lies = [
        (holds.clone(), 1),
        (holds.clone(), 6),
        (failed.clone(), 0),
        (holds.replace("PASSED", "FAILED"), 0),
        (holds.replace("0 of 1", "0 of 2"), 0),
        (holds.replace("SUCCESSFUL", "FAILED"), 1),
        (holds.replace("VERIFICATION SUCCESSFUL", ""), 0),
        (
            holds.replace("** 0 of 1 properties failed, 1 passed", ""),
            0,
        ),
        (String::new(), 0),
    ];
    for (body, exit) in lies {
        let result = says(&body, exit);
        assert!(
            matches!(result, Err(Failure::Unparsable { .. })),
            "{result:?} for {exit} and {body}"
        );
    }
    assert!(matches!(says(&holds, 134), Err(Failure::Crashed { .. })));
}

#[test]
fn every_line_that_is_missing_at_the_end_is_noticed() {
    let holds = transcript("sequential-one-claim-holds");
    let lines: Vec<&str> = holds.lines().collect();
    let verdict = lines
        .iter()
        .position(|l| *l == "VERIFICATION SUCCESSFUL")
        .unwrap();
    for end in (0..verdict).step_by(4) {
        let body = lines[..end].join("\n");
        assert!(says(&body, 0).is_err(), "{body}");
    }
}

#[test]
fn a_text_of_two_claims_holds_only_if_both_do() {
    let listing = transcript("show-claims").replace(PRESUMABLY_FALSE, FALSE);
    let (_dir, file) = crate::testing::c_file(&listing);
    let script = playing(&[
        ("--claim 1 ", "sequential-one-claim-holds"),
        ("--claim 2 ", "sequential-one-claim-holds"),
        ("--multi-property", "sequential-multi-property"),
    ])
    .replace(
        "case",
        &format!(
            "case \"$*\" in *--show-claims*) cat '{}'; exit 0;; esac\ncase",
            file.display()
        ),
    );
    let finished = run_script(&script, |_| ());
    assert_eq!(
        outcomes(&finished.result.unwrap()),
        [(FALSE, Holds), (PRESUMABLY_TRUE, Fails)]
    );
    assert_eq!(
        finished.usage.runs, 4,
        "one row of the table does not decide two claims"
    );
}

#[test]
fn values_and_places_are_read_as_they_come() {
    let text = "[Counterexample]\n\nState 1 file a line b.c line 3 thread 2\n----\n  s = { .a=1, .b=2 } (00 01)\n  c = 97 (01100001)\n\nState 2 thread 1\n----\n  p = TRUE\nViolated property:\n  file a line b.c line 3\n  baproduct:x\n  cond\n";
    let output = output::read(text.as_bytes(), &Traces::Full);
    let trace = &output.traces["baproduct:x"];
    assert_eq!(trace.len(), 4);
    assert_eq!(trace[0].location.file.as_deref(), Some("a line b.c"));
    assert_eq!(
        (trace[0].location.line, trace[0].thread),
        (Some(3), Some(2))
    );
    let StepKind::Assignment { value, .. } = &trace[0].kind else {
        panic!()
    };
    assert_eq!(value.text, "{ .a=1, .b=2 }");
    assert_eq!(
        (trace[2].thread, trace[2].location.file.as_deref()),
        (Some(1), None)
    );
}

#[test]
fn the_version_is_found_in_its_own_words() {
    assert_eq!(
        Version::parse(&transcript("version").replace("$ esbmc", ""))
            .unwrap()
            .numbers,
        (8, 4, 0)
    );
}

proptest::proptest! {
    /// Lines of a whole table that are lost or doubled are noticed, or change nothing.
    #[test]
    fn a_damaged_table_never_changes_an_outcome(
        counts in proptest::collection::vec(0usize..3, 12),
    ) {
        let whole = transcript("sequential-multi-property");
        let (before, table) = whole.split_once("** Results:").unwrap();
        let table = format!("** Results:{table}");
        let lines = table.lines().zip(counts.iter().chain(std::iter::repeat(&1)));
        let damaged: String = lines.map(|(line, n)| format!("{line}\n").repeat(*n)).collect();
        let output = output::read(format!("{before}{damaged}").as_bytes(), &Traces::None);
        let right = output::read(whole.as_bytes(), &Traces::None);
        if output.contradiction().is_none() && output.verdict.is_some() {
            for row in &output.rows {
                let same = |r: &&output::Row| r.text == row.text && r.check == row.check;
                proptest::prop_assert!(right.rows.iter().any(|r| same(&r)));
            }
        }
    }

    #[test]
    fn any_lines_are_read_without_panic(
        lines in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::strategy::Just("[Counterexample]".to_owned()),
                proptest::strategy::Just("State 1 file a line 1 thread 0".to_owned()),
                proptest::strategy::Just("Violated property:".to_owned()),
                proptest::strategy::Just("** Results:".to_owned()),
                proptest::strategy::Just("Claim 1:".to_owned()),
                "[ \\[\\]()=*a-z0-9]{0,20}",
                "\\PC{0,12}",
            ],
            0..20,
        )
    ) {
        output::read(lines.join("\n").as_bytes(), &Traces::Full);
    }
}
