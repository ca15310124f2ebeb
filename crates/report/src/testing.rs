//! Sample results for the tests of all formats.

use ltl::{Expectation, B4};
use std::collections::BTreeMap;
use verify::result::{
    Answer, Asked, BackendInfo, Event, Evidence, Finding, FindingKind, LevelResult, Premises,
    Proposition, ShownRun, TraceStep, Verdict, VerifyResult,
};

fn level(level: Verdict, reachable: Option<bool>) -> LevelResult {
    let reason = reachable
        .is_none()
        .then(|| "timed out after 60 s".to_owned());
    LevelResult {
        level,
        reachable,
        seconds: 0.354,
        max_rss_kib: Some(41_000),
        reason,
    }
}

fn step(
    step: u32,
    line: u32,
    thread: u32,
    event: Event,
    what: &str,
    props: [bool; 2],
    monitor: u32,
) -> TraceStep {
    let names = ["p1", "critical2"].map(str::to_owned);
    TraceStep {
        step,
        file: "src/mutex.c".to_owned(),
        line,
        function: if thread == 0 {
            "main".to_owned()
        } else {
            format!("worker{thread}")
        },
        thread,
        event,
        what: what.to_owned(),
        props: names.into_iter().zip(props).collect::<BTreeMap<_, _>>(),
        monitor,
        values: match line {
            0 => BTreeMap::new(),
            _ => BTreeMap::from([("inside[0]".to_owned(), u8::from(step > 1).to_string())]),
        },
        verdict: match (event, monitor) {
            (Event::End, _) => None,
            (_, 0) => Some(Verdict::PRESUMABLY_TRUE),
            _ => Some(Verdict::FALSE),
        },
        object: None,
        holders: Vec::new(),
        missing: None,
        input: None,
        called: None,
        call: None,
        argument_of: None,
        interrupt: None,
        interrupted: None,
    }
}

/// A violation: two threads are in their critical sections at once.
pub(crate) fn violated() -> VerifyResult {
    let trace = vec![
        step(0, 21, 0, Event::Start, "main starts", [false, false], 0),
        step(1, 9, 1, Event::Enter, "b_p1", [false, false], 0),
        step(2, 10, 1, Event::Write, "inside[0] = 1", [true, false], 0),
        step(
            3,
            15,
            2,
            Event::Write,
            "inside[1] = read_the_other_one(inside, <unsafe>) & \"mask\"",
            [true, true],
            1,
        ),
        step(4, 16, 1, Event::Leave, "return", [false, true], 1),
        step(5, 0, 0, Event::End, "main returns", [false, true], 1),
    ];
    let asked = Asked {
        propositions: vec![
            Proposition {
                name: "p1".into(),
                meaning: "inside[0] == 1 from b_p1 to e_p1, else false".into(),
            },
            Proposition {
                name: "critical2".into(),
                meaning: "f_ev(inside) from b_p2 to e_p2, else false".into(),
            },
        ],
        ..Asked::named("mutual exclusion", "G(! (p1 && critical2))")
    };
    let mut property = asked.answered(Answer {
        verdict: Verdict::FALSE,
        complete: Some(false),
        evidence: Some(Evidence::Prefix),
        levels: vec![level(Verdict::FALSE, Some(true))],
        ..Answer::default()
    });
    let why = "decided in step 3: `p1 && critical2` holds in step 3 (src/mutex.c:15)";
    property.run = ShownRun {
        trace,
        why: Some(why.into()),
        defined: Some(true),
        ..ShownRun::default()
    };
    VerifyResult {
        tool_version: "0.1.0".into(),
        properties: vec![property],
        backend: BackendInfo {
            name: "cbmc".into(),
            version: "6.6.0".into(),
            runs: 1,
            seconds: 1.2,
        },
        premises: Premises {
            unwind: Some(5),
            assumptions: vec![
                "scanf stores one of 1, 2, 3".into(),
                "runs that reach bad_input are discarded".into(),
            ],
            ..Premises::default()
        },
        findings: vec![Finding {
            kind: FindingKind::Assertion,
            message: "the program's assertion \"n < 3\" fails".into(),
            file: Some("src/mutex.c".into()),
            line: Some(17),
            function: Some("worker1".into()),
        }],
        warnings: vec!["sem_wait has no model: it does not wait".into()],
        command: vec!["verify".into(), "mutex.json".into(), "src/mutex.c".into()],
        exhausted: false,
        safety: None,
        coverage: None,
        races: None,
    }
}

/// One property of each kind.
pub(crate) fn several() -> VerifyResult {
    let mut result = violated();
    let plain = |name: &str, ltl: &str, verdict: Verdict| {
        Asked::named(name, ltl).answered(Answer {
            verdict,
            complete: Some(true),
            evidence: Some(Evidence::Ended),
            ..Answer::default()
        })
    };
    let mut progress = plain("progress", "F done", Verdict::PRESUMABLY_FALSE);
    progress.asked.expect = Some(Expectation::Exactly(B4::PresumablyFalse));
    progress.answer.deadlock = true;
    let hard = Asked {
        expect: Some(Expectation::Exactly(B4::True)),
        ..Asked::named("hard", "G F tick")
    };
    let hard = hard.answered(Answer {
        reason: Some("level presumably_false: timed out after 60 s".into()),
        levels: vec![
            level(Verdict::FALSE, Some(false)),
            level(Verdict::PRESUMABLY_FALSE, None),
        ],
        ..Answer::default()
    });
    result.properties = vec![
        plain(
            "answered",
            "G(request -> F answer)",
            Verdict::PRESUMABLY_TRUE,
        ),
        plain("started", "F started", Verdict::TRUE),
        progress,
        hard,
    ];
    result.findings.clear();
    result
}
