#![allow(clippy::unwrap_used)]
use super::*;
use crate::result::{Answer, Asked, Holds, Premises, Undefined};

fn empty() -> VerifyResult {
    VerifyResult {
        tool_version: "1".into(),
        premises: Premises {
            unwind: Some(3),
            ..Premises::default()
        },
        ..VerifyResult::default()
    }
}

/// A host that records the groups it weaves.
#[derive(Default)]
struct Recorder {
    woven: Vec<Vec<usize>>,
    left: Vec<usize>,
    stop_after: Option<usize>,
    fail: bool,
}

impl Host for Recorder {
    type Woven = Vec<usize>;
    type Error = String;

    fn weave(&mut self, properties: &[usize]) -> Result<Vec<usize>, String> {
        self.woven.push(properties.to_vec());
        Ok(properties.to_vec())
    }

    fn finished(&mut self, _: &VerifyResult, left: usize) -> Result<(), String> {
        self.left.push(left);
        if self.fail {
            return Err("disk full".into());
        }
        Ok(())
    }

    fn cancelled(&self) -> bool {
        self.stop_after.is_some_and(|n| self.left.len() >= n)
    }
}

fn property(name: &str, verdict: Verdict, complete: Option<bool>) -> PropertyResult {
    Asked::named(name, "").answered(Answer {
        verdict,
        complete,
        ..Answer::default()
    })
}

/// A backend that can verify `most` properties at a time, and property 5 never.
fn backend(most: usize) -> impl Fn(&Vec<usize>) -> VerifyResult + Sync {
    move |group| {
        let fits = group.len() <= most && !group.contains(&5);
        let verdict = match fits {
            true => Verdict::TRUE,
            false => Verdict::Unknown,
        };
        let properties = group
            .iter()
            .map(|i| property(&format!("p{i}"), verdict, None));
        VerifyResult {
            properties: properties.collect(),
            exhausted: !fits,
            ..empty()
        }
    }
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("p{i}")).collect()
}

/// Properties without a verdict.
fn wanted(count: usize) -> VerifyResult {
    let properties = names(count).into_iter();
    VerifyResult {
        properties: properties
            .map(|name| PropertyResult::unknown(name, "", "not verified"))
            .collect(),
        ..empty()
    }
}

#[test]
fn a_group_that_is_too_large_is_halved_until_it_fits() {
    let mut host = Recorder::default();
    let done = run(vec![(0..10).collect()], 1, &mut host, &backend(3)).unwrap();
    let joined = join(done, Vec::new(), wanted(10));
    let unknown: Vec<&str> = joined
        .properties
        .iter()
        .filter(|p| p.answer.verdict == Verdict::Unknown)
        .map(|p| p.asked.name.as_str())
        .collect();
    assert_eq!(
        unknown,
        ["p5"],
        "one that cannot be done does not spoil the others"
    );
    let all: Vec<&str> = joined
        .properties
        .iter()
        .map(|p| p.asked.name.as_str())
        .collect();
    assert_eq!(all, names(10));
    assert_eq!(host.left.last(), Some(&0));
    assert!(host.woven.len() < 20, "{:?}", host.woven);
}

#[test]
fn several_groups_run_at_a_time() {
    let (mut host, groups) = (Recorder::default(), vec![vec![0, 1], vec![2], vec![3, 4]]);
    let done = run(groups, 2, &mut host, &backend(3)).unwrap();
    assert_eq!(join(done, Vec::new(), wanted(5)).properties.len(), 5);
}

#[test]
fn what_waits_is_dropped_when_the_user_wants_an_end() {
    let mut host = Recorder {
        stop_after: Some(1),
        ..Recorder::default()
    };
    let groups = (0..5).map(|i| vec![i]).collect();
    let done = run(groups, 1, &mut host, &backend(3)).unwrap();
    let joined = join(done, Vec::new(), wanted(5));
    let reasons: Vec<Option<&str>> = joined
        .properties
        .iter()
        .map(|p| p.answer.reason.as_deref())
        .collect();
    assert_eq!(reasons[1..], [Some("not verified"); 4]);
}

#[test]
fn an_error_of_the_host_ends_it() {
    let mut host = Recorder {
        fail: true,
        ..Recorder::default()
    };
    let groups = (0..5).map(|i| vec![i]).collect();
    assert_eq!(
        run(groups, 2, &mut host, &backend(3)).unwrap_err(),
        "disk full"
    );
}

#[test]
fn results_of_an_earlier_run_keep_their_places() {
    let mut host = Recorder::default();
    let done = run(vec![vec![0, 2]], 1, &mut host, &backend(3)).unwrap();
    let kept = vec![property("p1", Verdict::FALSE, None)];
    let joined = join(done, kept, wanted(3));
    let verdicts: Vec<Verdict> = joined.properties.iter().map(|p| p.answer.verdict).collect();
    assert_eq!(verdicts, [Verdict::TRUE, Verdict::FALSE, Verdict::TRUE]);
}

#[test]
fn groups_are_as_large_as_the_limits_allow() {
    let all: Vec<usize> = (0..100).collect();
    let sizes = |largest, memory_mib, bytes| {
        let grouping = Grouping {
            largest,
            memory_mib,
        };
        let groups = plan(&all, &grouping, bytes, 10);
        assert_eq!(groups.concat(), all);
        groups.iter().map(Vec::len).max().unwrap()
    };
    assert_eq!(sizes(0, None, 1 << 30), 100);
    assert_eq!(sizes(30, None, 1 << 10), 25);
    assert_eq!(sizes(0, Some(1000), 1 << 20), 50, "about 2000 MiB");
    assert_eq!(sizes(0, Some(1), 1 << 30), 1);
    assert!(plan(
        &[],
        &Grouping {
            largest: 0,
            memory_mib: None
        },
        1,
        1
    )
    .is_empty());
}

#[test]
fn a_greater_bound_adds_to_what_is_known() {
    let mut known = wanted(2);
    let at = |first, second| {
        let mut result = wanted(2);
        result.properties[0].answer.verdict = first;
        result.properties[1].answer.verdict = second;
        result
    };
    deepen(
        &mut known,
        at(Verdict::PRESUMABLY_TRUE, Verdict::PRESUMABLY_TRUE),
        2,
    );
    deepen(&mut known, at(Verdict::FALSE, Verdict::Unknown), 4);
    let [first, second] = &known.properties[..] else {
        panic!("two properties");
    };
    assert_eq!(
        (first.answer.verdict, first.answer.unwind),
        (Verdict::FALSE, Some(4))
    );
    assert_eq!(
        (second.answer.verdict, second.answer.unwind),
        (Verdict::PRESUMABLY_TRUE, Some(2))
    );
    assert_eq!(
        second.answer.reason.as_deref(),
        Some("no answer at the bound 4: not verified")
    );
    let history: Vec<(u32, Verdict)> = second
        .answer
        .bounds
        .iter()
        .map(|b| (b.unwind, b.verdict))
        .collect();
    assert_eq!(
        history,
        [(2, Verdict::PRESUMABLY_TRUE), (4, Verdict::Unknown)]
    );
}

/// All violations at a small bound rested on undefined behaviour; at a great one there was no time to ask, and the formula was
/// refuted.
#[test]
fn a_violation_that_nobody_checked_adds_nothing_to_one_that_was_taken_back() {
    let undefined = || Undefined {
        what: "unreachable code that is reached".into(),
        file: None,
        line: Some(4),
        function: None,
        after: false,
    };
    let at = |verdict, defined, undefined: Vec<Undefined>| {
        let mut result = wanted(1);
        let property = &mut result.properties[0];
        property.answer.verdict = verdict;
        (property.run.defined, property.run.undefined) = (defined, undefined);
        property.doubt();
        result
    };
    let mut known = wanted(1);
    deepen(
        &mut known,
        at(Verdict::FALSE, Some(false), vec![undefined()]),
        2,
    );
    deepen(&mut known, at(Verdict::FALSE, None, Vec::new()), 4);
    deepen(&mut known, wanted(1), 8);
    let property = &known.properties[0];
    assert_eq!(property.answer.verdict, Verdict::Unknown);
    let reason = property.answer.reason.as_deref().unwrap_or_default();
    assert!(reason.contains("only by unreachable code"), "{reason}");
    deepen(&mut known, at(Verdict::FALSE, Some(true), Vec::new()), 16);
    assert_eq!(known.properties[0].answer.verdict, Verdict::FALSE);
}

/// Whether a violation rests on undefined behaviour had no answer, and the formula was refuted: a refutation needs a run without any.
#[test]
fn a_violation_whose_checks_have_no_answer_refutes_nothing() {
    let lifetimes = || Undefined {
        what: "whether runs use objects after their end was asked, and not answered".into(),
        file: None,
        line: None,
        function: None,
        after: false,
    };
    let rows = [
        (None, Vec::new(), Verdict::Unknown),
        (None, vec![lifetimes()], Verdict::Unknown),
        (Some(true), Vec::new(), Verdict::FALSE),
    ];
    for (defined, undefined, expected) in rows {
        let mut result = wanted(1);
        let property = &mut result.properties[0];
        property.answer.verdict = Verdict::FALSE;
        property.answer.holds = Holds::Refuted;
        (property.run.defined, property.run.undefined) = (defined, undefined);
        property.doubt_unanswered();
        assert_eq!(property.answer.verdict, expected);
        let open = property.answer.holds == Holds::Unknown;
        assert_eq!(open, expected == Verdict::Unknown);
        let reason = property.answer.reason.as_deref().unwrap_or_default();
        assert_eq!(reason.contains("asked, and not answered"), open, "{reason}");
    }
}

/// Whoever looked at smaller bounds by three rounds, and had no time for one round at the wanted bound, was told that threads
/// take turns in one round, too.
#[test]
fn one_set_of_schedules_is_stated() {
    let about = |rounds: u32| format!("threads take turns in at most {rounds} rounds: …");
    let by = |rounds, verdicts: [Verdict; 2]| {
        let mut result = wanted(2);
        for (property, verdict) in result.properties.iter_mut().zip(verdicts) {
            property.answer.verdict = verdict;
        }
        result.premises.schedules = Some(Schedules::Rounds(rounds));
        result.premises.assumptions = vec!["memory is enough".into(), about(rounds)];
        result
    };
    let (yes, unknown) = (Verdict::PRESUMABLY_TRUE, Verdict::Unknown);
    for (first, second, stated) in [
        ((3, [yes, yes]), (1, [unknown, unknown]), 3),
        ((3, [yes, yes]), (1, [yes, unknown]), 1),
        ((3, [yes, yes]), (1, [yes, yes]), 1),
        ((1, [yes, yes]), (3, [yes, unknown]), 1),
        ((1, [yes, yes]), (3, [yes, yes]), 3),
    ] {
        let mut known = by(first.0, first.1);
        deepen(&mut known, by(second.0, second.1), 4);
        let premises = known.premises;
        assert_eq!(premises.schedules, Some(Schedules::Rounds(stated)));
        assert_eq!(premises.assumptions.len(), 2, "{premises:?}");
        assert!(
            premises.assumptions.contains(&about(stated)),
            "{premises:?}"
        );
    }
}

#[test]
fn what_no_greater_bound_can_change() {
    let property = |verdict, complete| property("p", verdict, complete);
    for (verdict, complete, decided) in [
        (Verdict::FALSE, Some(false), true),
        (Verdict::TRUE, Some(false), true),
        (Verdict::PRESUMABLY_TRUE, Some(false), false),
        (Verdict::PRESUMABLY_FALSE, None, false),
        (Verdict::PRESUMABLY_TRUE, Some(true), true),
        (Verdict::Unknown, Some(true), false),
    ] {
        assert_eq!(
            property(verdict, complete).is_decided(),
            decided,
            "{verdict}"
        );
    }
}

#[test]
fn a_half_that_is_late_again_is_given_up() {
    let mut host = Recorder::default();
    let verify = |woven: &Vec<usize>| {
        let mut result = wanted(woven.len());
        result.exhausted = true;
        for property in &mut result.properties {
            property.answer.reason = Some("timed out after 5 s".into());
        }
        result
    };
    let done = run(vec![(0..8).collect()], 1, &mut host, &verify).unwrap();
    assert_eq!(done.len(), 2);
    assert_eq!(host.woven.len(), 3, "{:?}", host.woven);
}
