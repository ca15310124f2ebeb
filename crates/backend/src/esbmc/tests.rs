#![allow(clippy::unwrap_used)]
use super::*;
use crate::answer::{OtherKind, StepKind};
use crate::job::{Selection, Traces};
use crate::locate::{Kind, Version};
use crate::testing::{fake, outcomes};
use std::time::Duration;
use Outcome::{Fails, Holds};

const FALSE: &str = "baproduct:false";
const PRESUMABLY_FALSE: &str = "baproduct:presumably_false";
const PRESUMABLY_TRUE: &str = "baproduct:presumably_true";

/// The path of a recorded run of 8.4.0, or of a later version.
fn recording(name: &str) -> String {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/transcripts");
    match name.starts_with("later-") {
        true => format!("{directory}/esbmc-{name}.txt"),
        false => format!("{directory}/esbmc-8.4.0-{name}.txt"),
    }
}

fn transcript(name: &str) -> String {
    std::fs::read_to_string(recording(name)).unwrap()
}

/// The beginning of a script: it answers `--help` with the options of 8.4.0.
fn helps() -> String {
    format!(
        "case \"$*\" in --help) sed 1d '{}'; exit 0 ;; esac\n",
        recording("help")
    )
}

/// A script that plays recorded runs: the first pattern that matches the command line decides.
fn playing(runs: &[(&str, &str)]) -> String {
    let mut script = "play() { sed '1d;/^exit status:/d' \"$1\" >&2; exit $(sed -n 's/^exit status: //p' \"$1\"); }\ncase \"$* \" in\n".to_owned();
    for (pattern, name) in runs {
        script += &format!("*'{pattern}'*) play '{}' ;;\n", recording(name));
    }
    script + "*) echo \"unexpected: $*\" >&2; exit 99 ;;\nesac"
}

fn run_script(script: &str, change: impl FnOnce(&mut Job)) -> Finished {
    let script = match script.contains("--help)") {
        true => script.to_owned(),
        false => helps() + script,
    };
    let (_dir, program) = fake(Kind::ESBMC, (8, 4, 0), &script);
    let mut job = Job {
        unwind: Some(4),
        timeout: Some(Duration::from_secs(300)),
        ..Job::new("seq.c")
    };
    change(&mut job);
    Esbmc::new(program).run(&job, &Cancel::new())
}

fn run(runs: &[(&str, &str)], change: impl FnOnce(&mut Job)) -> Finished {
    run_script(&playing(runs), change)
}

const SEQUENTIAL: &[(&str, &str)] = &[
    ("--show-claims", "show-claims"),
    ("--multi-property", "sequential-multi-property"),
];

/// All claims in one run, in the format of a later version.
const LATER: &[(&str, &str)] = &[
    ("--show-claims", "show-claims"),
    ("--multi-property", "later-sequential-multi-property"),
];

#[test]
fn one_run_answers_all_claims_of_a_sequential_program() {
    for runs in [SEQUENTIAL, LATER] {
        let finished = run(runs, |job| job.traces = Traces::Full);
        let answer = finished.result.unwrap();
        let expected = [
            (FALSE, Holds),
            (PRESUMABLY_FALSE, Fails),
            (PRESUMABLY_TRUE, Fails),
        ];
        assert_eq!(outcomes(&answer), expected);
        assert_eq!(finished.usage.runs, 2);
        assert_eq!(
            answer.traces.keys().collect::<Vec<_>>(),
            [PRESUMABLY_FALSE, PRESUMABLY_TRUE]
        );
        let trace = &answer.traces[PRESUMABLY_TRUE];
        let names = trace.iter().map(|s| match &s.kind {
            StepKind::Assignment { lhs, value } if value.number.is_some() => lhs.as_str(),
            StepKind::Violation { text } => text,
            other => panic!("{other:?}"),
        });
        let expected = ["v", "x", "v", "x", "v", "x", PRESUMABLY_TRUE];
        assert_eq!(names.collect::<Vec<_>>(), expected);
        assert_eq!(
            (trace[0].thread, trace[0].location.line),
            (Some(0), Some(11))
        );
        assert_eq!(trace[0].location.file.as_deref(), Some("seq.c"));
        assert_eq!(trace[0].location.function.as_deref(), Some("main"));
    }
}

/// One formula for all checks decides a program in which all hold; each check is asked only if it does not.
#[test]
fn checks_that_all_hold_are_decided_at_once() {
    let each = playing(SEQUENTIAL);
    let together = |says: &str, exit: i32| {
        let play = format!("echo 'VERIFICATION {says}' >&2; exit {exit}");
        format!("case \"$* \" in *--help*|*--show-claims*|*--multi-property*) ;; *) {play} ;; esac\n{each}")
    };
    let (all, some) = ([Holds, Holds, Holds], [Holds, Fails, Fails]);
    let cases = [
        (true, false, "SUCCESSFUL", 0, 2, all),
        (true, false, "FAILED", 1, 3, some),
        // An answer that contradicts the exit status is not believed.
        (true, false, "SUCCESSFUL", 1, 3, some),
        (false, false, "SUCCESSFUL", 0, 2, some),
        (true, true, "SUCCESSFUL", 0, 2, some),
    ];
    for (safety, threads, says, exit, runs, expected) in cases {
        let script = helps() + &together(says, exit);
        let finished = run_script(&script, |job| (job.safety, job.threads) = (safety, threads));
        let answer = finished.result.unwrap();
        let found = outcomes(&answer);
        let found: Vec<Outcome> = found.into_iter().map(|(_, outcome)| outcome).collect();
        assert_eq!(found, expected, "{safety} {threads} {says} {exit}");
        assert_eq!(
            finished.usage.runs, runs,
            "{safety} {threads} {says} {exit}"
        );
    }
}

/// What the formula for all checks shows to fail is known, even if there is no time left for each.
#[test]
fn a_violation_of_all_checks_together_stands_without_the_others() {
    let script = format!(
        "case \"$* \" in *--multi-property*) sleep 1000;; esac\n{}",
        playing(&[
            ("--show-claims", "show-claims"),
            ("--unwind", "sequential-multi-property"),
        ])
    );
    let finished = run_script(&script, |job| {
        job.safety = true;
        job.timeout = Some(Duration::from_secs(5));
    });
    let answer = finished.result.unwrap();
    let expected = [(PRESUMABLY_FALSE, Fails), (PRESUMABLY_TRUE, Fails)];
    assert_eq!(outcomes(&answer), expected);
    assert!(answer.undecided[FALSE].contains("timed out"));
}

#[test]
fn traces_are_kept_only_where_they_are_wanted() {
    assert!(run(SEQUENTIAL, |_| ()).result.unwrap().traces.is_empty());
    let only_x = run(SEQUENTIAL, |job| {
        job.traces = Traces::Prefixes(vec!["x".into()])
    });
    assert_eq!(only_x.result.unwrap().traces[PRESUMABLY_FALSE].len(), 4);
}

/// A claim that the solver is not asked about has a line, or none if no run reaches it; a claim
/// that failed before is counted as skipped.
#[test]
fn claims_without_a_solver_run_are_decided() {
    let listing = ["a", "b", "c", "d", "end"].map(|t| {
        format!("Claim 7:\n  file hello.c line 2 column 18 function main\n  baproduct:{t}\n  1\n\n")
    });
    let (_dir, file) = crate::testing::c_file(&listing.concat());
    let script = format!(
        "case \"$*\" in *--show-claims*) cat '{}' >&2; exit 0;; esac\n{}",
        file.display(),
        playing(&[("--multi-property", "simplified-and-skipped")])
    );
    let answer = run_script(&script, |_| ()).result.unwrap();
    let expected = [
        ("baproduct:a", Holds),
        ("baproduct:b", Fails),
        ("baproduct:c", Holds),
        ("baproduct:d", Holds),
        ("baproduct:end", Fails),
    ];
    assert_eq!(outcomes(&answer), expected);
}

/// The claims of a program with threads, in a complete report and in a partial one.
#[test]
fn violations_of_threads_stand_in_whole_and_in_partial_reports() {
    for report in [
        ("--multi-property --all-runs", "threads-multi-property"),
        ("--multi-property", "later-threads-multi-property"),
    ] {
        let runs = [("--show-claims", "show-claims"), report];
        let answer = run(&runs, |job| job.threads = true).result.unwrap();
        let expected = [
            (FALSE, Fails),
            (PRESUMABLY_FALSE, Fails),
            (PRESUMABLY_TRUE, Fails),
        ];
        assert_eq!(outcomes(&answer), expected, "{report:?}");
    }
}

#[test]
fn violations_found_before_the_time_is_over_stand() {
    let text = transcript("sequential-multi-property");
    let cut = text.split("Solving claim 'baproduct:false").next().unwrap();
    let (_dir, file) = crate::testing::c_file(cut);
    let script = format!(
        "case \"$*\" in *--multi-property*) sed 1d '{}' >&2; sleep 1000;; esac\n{}",
        file.display(),
        playing(&[("--show-claims", "show-claims")])
    );
    let finished = run_script(&script, |job| job.timeout = Some(Duration::from_secs(5)));
    let answer = finished.result.unwrap();
    assert_eq!(
        outcomes(&answer),
        [(PRESUMABLY_FALSE, Fails), (PRESUMABLY_TRUE, Fails)]
    );
    assert!(answer.undecided[FALSE].contains("timed out"), "{answer:?}");
}

#[test]
fn what_holds_in_a_partial_report_is_asked_again_alone() {
    let partial = transcript("later-sequential-multi-property").replace(
        "\nVERIFICATION",
        "This report is partial: it stopped.\n\nVERIFICATION",
    );
    let (dir, _) = crate::testing::c_file(&partial);
    let file = dir.path().join("prog.c");
    let script = playing(&[
        ("--show-claims", "show-claims"),
        ("--claim 1 ", "later-sequential-one-claim-holds"),
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
    assert_eq!(finished.usage.runs, 4);
}

/// Without `--all-runs` a run with threads ends early; each open claim then gets a run of its own.
#[test]
fn versions_without_all_runs_are_asked_claim_by_claim() {
    let script = playing(&[
        ("--show-claims", "show-claims"),
        (
            "--multi-property --no-remove-unreachable",
            "unwinding-assertion-fails",
        ),
        ("--claim 1 ", "sequential-one-claim-holds"),
        ("--claim 2 ", "sequential-one-claim-failed"),
        ("--claim 3 ", "timeout"),
    ]);
    let old = "case \"$*\" in --help) sed '1d;/--all-runs/d' HELP; exit 0 ;; esac\n";
    let old = old.replace("HELP", &recording("help"));
    let finished = run_script(&(old + &script), |job| {
        job.threads = true;
        job.traces = Traces::Full;
    });
    let answer = finished.result.unwrap();
    assert_eq!(
        outcomes(&answer),
        [(FALSE, Holds), (PRESUMABLY_FALSE, Fails)]
    );
    assert!(answer.undecided[PRESUMABLY_TRUE].contains("Timed out"));
    assert_eq!(answer.other_failures.len(), 1);
    assert_eq!(answer.other_failures[0].kind, OtherKind::Unwinding);
    assert_eq!(finished.usage.runs, 6);
    assert_eq!(answer.traces.keys().collect::<Vec<_>>(), [PRESUMABLY_FALSE]);
}

#[test]
fn a_loop_that_was_cut_has_a_name() {
    let runs = [
        ("--show-claims", "show-claims"),
        ("--multi-property", "unwinding-assertion-fails"),
    ];
    let answer = run(&runs, |_| ()).result.unwrap();
    let cut = &answer.other_failures[0];
    assert_eq!(cut.kind, OtherKind::Unwinding);
    let (_dir, program) = fake(Kind::ESBMC, (8, 4, 0), "");
    assert_eq!(Esbmc::new(program).cut_loop(cut).as_deref(), Some("3"));
}

#[test]
fn no_wanted_claim_is_no_run() {
    let none = run(SEQUENTIAL, |job| {
        job.selection = Selection::Only(["baproduct:Q:true".to_owned()].into())
    });
    assert!(none.result.unwrap().outcomes.is_empty());
    assert_eq!(none.usage.runs, 1);
}

#[test]
fn a_version_that_cannot_do_what_is_needed_is_refused() {
    let script = "case \"$*\" in --help) echo '  --unwind nr  Unwind';; esac";
    match run_script(script, |_| ()).result.unwrap_err() {
        Failure::Refused { message } => assert!(message.contains("--multi-property"), "{message}"),
        other => panic!("{other:?}"),
    }
}

/// The backend asks a version for its options before it uses them.
#[test]
fn an_option_that_a_version_lacks_is_not_used() {
    let options = NEEDED.map(|option| format!("echo '  {option}';")).concat();
    let script =
        format!("case \"$*\" in --help) echo '  --unwind nr'; {options} exit 0 ;; esac\nexit 99");
    let refused = run_script(&script, |job| job.context_bound = Some(2));
    match refused.result {
        Err(Failure::Refused { message }) => {
            assert!(message.contains("no option --context-bound"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(refused.usage.runs, 0);
    let (_dir, program) = fake(Kind::ESBMC, (8, 4, 0), &script);
    let can = Esbmc::new(program).capabilities();
    assert!(!can.context_bound && !can.k_induction && can.traces);
    let (_dir, program) = fake(Kind::ESBMC, (8, 4, 0), &helps());
    let can = Esbmc::new(program).capabilities();
    assert!(can.context_bound && can.k_induction && can.shared_pointers);
}

#[test]
fn claims_that_were_not_checked_are_not_answered() {
    let rows = output::read(transcript("later-k-induction").as_bytes(), &Traces::None);
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
        let runs = [("--show-claims", "show-claims"), ("--multi-property", name)];
        run(&runs, |_| ()).result.unwrap_err()
    };
    assert!(matches!(of("timeout"), Failure::Undecided { .. }));
    assert!(matches!(
        of("later-k-induction-unknown"),
        Failure::Undecided { .. }
    ));
    assert!(matches!(of("later-memory-out"), Failure::MemoryOut { .. }));
    for (name, word) in [
        ("parse-error", "expected ')'"),
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
    let finished = run_script(&script, |_| ());
    drop((dir, other));
    finished.result
}

#[test]
fn output_that_contradicts_itself_or_the_exit_code_is_not_believed() {
    let whole = transcript("sequential-multi-property");
    let expected = [
        (FALSE, Holds),
        (PRESUMABLY_FALSE, Fails),
        (PRESUMABLY_TRUE, Fails),
    ];
    assert_eq!(outcomes(&says(&whole, 1).unwrap()), expected);
    let lies = [
        (whole.clone(), 0),
        (whole.clone(), 6),
        (whole.replacen("✗ FAILED", "✓ PASSED", 1), 1),
        (whole.replacen("✓ PASSED", "✗ FAILED", 1), 1),
        (whole.replacen("✓ PASSED", "? UNKNOWN", 1), 1),
        (whole.replace("3 verified", "4 verified"), 1),
        (whole.replace("Generated 3", "Generated 4"), 1),
        (whole.replace("Properties: ", "Propertie: "), 1),
        (whole.replacen("Violated property:", "", 1), 1),
        (
            whole.replace("VERIFICATION FAILED", "VERIFICATION SUCCESSFUL"),
            0,
        ),
        (whole.replace("VERIFICATION FAILED", ""), 1),
        (String::new(), 0),
    ];
    for (body, exit) in lies {
        let result = says(&body, exit);
        assert!(
            matches!(result, Err(Failure::Unparsable { .. })),
            "{result:?} for {exit} and {body}"
        );
    }
    assert!(matches!(says(&whole, 134), Err(Failure::Crashed { .. })));
}

/// The same for a version that prints a table.
#[test]
fn a_table_that_contradicts_itself_or_the_exit_code_is_not_believed() {
    let whole = transcript("later-sequential-multi-property");
    let lies = [
        (whole.replacen("PASSED", "FAILED", 1), 1),
        (whole.replace("2 of 3", "2 of 4"), 1),
        (whole.replace("** 2 of 3 properties failed", ""), 1),
        (
            whole.replace("VERIFICATION FAILED", "VERIFICATION SUCCESSFUL"),
            0,
        ),
    ];
    assert!(says(&whole, 1).is_ok());
    for (body, exit) in lies {
        let result = says(&body, exit);
        assert!(
            matches!(result, Err(Failure::Unparsable { .. })),
            "{result:?} for {exit} and {body}"
        );
    }
}

#[test]
fn every_line_that_is_missing_at_the_end_is_noticed() {
    let whole = transcript("sequential-multi-property");
    let lines: Vec<&str> = whole.lines().collect();
    let mut verdict = lines.iter();
    let verdict = verdict.position(|l| *l == "VERIFICATION FAILED").unwrap();
    for end in (0..verdict).step_by(8) {
        let body = lines[..end].join("\n");
        assert!(says(&body, 1).is_err(), "{body}");
    }
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
    /// A table with lost or doubled lines is detected, or gives the same outcomes.
    #[test]
    fn a_damaged_table_never_changes_an_outcome(
        counts in proptest::collection::vec(0usize..3, 12),
    ) {
        let whole = transcript("later-sequential-multi-property");
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
