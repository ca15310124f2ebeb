//! The rule that combines answers, and the order in which engines start and end.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::result::{Answer, Asked, Evidence, Holds, PropertyResult, Tried, Verdict};
use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

fn property(name: &str, holds: Holds, verdict: Verdict) -> PropertyResult {
    let evidence = (holds == Holds::Proved).then_some(Evidence::Induction);
    Asked::named(name, "G p").answered(Answer {
        verdict,
        holds,
        evidence,
        ..Answer::default()
    })
}

fn result(properties: Vec<PropertyResult>) -> VerifyResult {
    VerifyResult {
        properties,
        ..VerifyResult::default()
    }
}

/// The combination of answers of a bounded search and of induction about one property.
fn of(bounded: (Holds, Verdict), proof: (Holds, Verdict)) -> Result<PropertyResult, Contradiction> {
    let answered = |engine, (holds, verdict)| Answered::<String> {
        engine,
        took: Duration::ZERO,
        result: Ok(result(vec![property("a", holds, verdict)])),
    };
    let both = vec![
        answered(Engine::Bounded, bounded),
        answered(Engine::Induction, proof),
    ];
    let whole = combined(both).expect("there are results");
    whole.map(|whole| whole.properties[0].clone())
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    prop::sample::select([&Verdict::LATTICE[..], &[Verdict::Unknown]].concat())
}

fn holds() -> impl Strategy<Value = Holds> {
    prop::sample::select(vec![Holds::Proved, Holds::Refuted, Holds::Unknown])
}

proptest! {
    #[test]
    fn what_is_decided_stays_and_never_contradicts_the_verdict(
        first in (holds(), verdicts()),
        second in (holds(), verdicts()),
    ) {
        let contradict = first.0 != second.0 && first.0 != Holds::Unknown && second.0 != Holds::Unknown;
        match of(first, second) {
            Err(_) => prop_assert!(contradict),
            Ok(both) => {
                prop_assert!(!contradict);
                let decided = [first.0, second.0].into_iter().find(|h| *h != Holds::Unknown);
                prop_assert_eq!(both.answer.holds, decided.unwrap_or_default());
                match both.answer.holds {
                    Holds::Proved => prop_assert!(both.answer.verdict >= Verdict::PRESUMABLY_TRUE && both.answer.verdict != Verdict::Unknown),
                    Holds::Refuted => prop_assert_eq!(both.answer.verdict, Verdict::FALSE),
                    // A verdict is that of an engine that has one.
                    Holds::Unknown => prop_assert!([first.1, second.1].contains(&both.answer.verdict)),
                }
                prop_assert_eq!(both.answer.decided_by.is_some(), decided.is_some());
                let tried: Vec<Engine> = both.answer.tried.iter().map(|t| t.engine).collect();
                // Who has neither an answer nor a reason is not told of.
                let says = |(holds, verdict)| holds != Holds::Unknown || verdict != Verdict::Unknown;
                let said = [first, second].into_iter().filter(|one| says(*one)).count();
                prop_assert_eq!(tried.len(), said);
            }
        }
    }
}

#[test]
fn a_bounded_verdict_stays_where_nothing_decides() {
    let open = of(
        (Holds::Unknown, Verdict::PRESUMABLY_TRUE),
        (Holds::Unknown, Verdict::Unknown),
    );
    assert_eq!(open.unwrap().answer.verdict, Verdict::PRESUMABLY_TRUE);
    let proved = of(
        (Holds::Unknown, Verdict::PRESUMABLY_FALSE),
        (Holds::Proved, Verdict::Unknown),
    )
    .unwrap();
    assert_eq!(proved.answer.verdict, Verdict::PRESUMABLY_TRUE);
    assert_eq!(proved.answer.decided_by, Some(Engine::Induction));
}

/// An engine that answers at once, or waits to be cancelled.
struct Fake<'a> {
    engine: Engine,
    stage: Stage,
    decides: &'a [&'a str],
    waits: bool,
    started: &'a AtomicUsize,
}

impl<'a> Fake<'a> {
    fn of(started: &'a AtomicUsize, stage: Stage, decides: &'a [&'a str], waits: bool) -> Fake<'a> {
        Fake {
            engine: Engine::Bounded,
            stage,
            decides,
            waits,
            started,
        }
    }
}

impl Search<String> for Fake<'_> {
    fn engine(&self) -> Engine {
        self.engine
    }

    fn stage(&self) -> Stage {
        self.stage
    }

    fn run(&self, board: &Board) -> Result<VerifyResult, String> {
        self.started.fetch_add(1, Ordering::SeqCst);
        while self.waits && !board.cancel().is_cancelled() {
            std::thread::yield_now();
        }
        let of = |name: &&str| {
            let holds = match self.decides.contains(name) {
                true => Holds::Proved,
                false => Holds::Unknown,
            };
            property(name, holds, Verdict::Unknown)
        };
        Ok(result(["a", "b"].iter().map(of).collect()))
    }
}

fn names() -> Vec<String> {
    vec!["a".to_owned(), "b".to_owned()]
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(600)
}

#[test]
fn what_is_decided_at_once_starts_no_other_engine() {
    let started = AtomicUsize::new(0);
    let fake = |stage, decides| Fake {
        engine: Engine::Bounded,
        stage,
        decides,
        waits: false,
        started: &started,
    };
    let quick = fake(Stage::First, &["a", "b"][..]);
    let beside = fake(Stage::Beside(Duration::from_secs(600)), &[]);
    let last = fake(Stage::Last, &[]);
    let answered = run(&[&quick, &beside, &last], names(), later(), &|_| {});
    assert_eq!(answered.len(), 1);
    assert_eq!(started.load(Ordering::SeqCst), 1);
}

#[test]
fn an_engine_that_finds_nothing_is_ended_by_one_that_does() {
    let started = AtomicUsize::new(0);
    let fake = |stage, decides, waits| Fake::of(&started, stage, decides, waits);
    let slow = fake(Stage::First, &[], true);
    let one = fake(Stage::Beside(Duration::ZERO), &["a"][..], false);
    let other = fake(Stage::Beside(Duration::ZERO), &["b"][..], false);
    let answered = run(&[&slow, &one, &other], names(), later(), &|_| {});
    assert_eq!(answered.len(), 3);
    let whole = combined(answered).unwrap().unwrap();
    let proved = |p: &PropertyResult| p.answer.holds == Holds::Proved;
    assert!(whole.properties.iter().all(proved));
}

#[test]
fn a_late_engine_begins_beside_engines_without_an_answer() {
    let started = AtomicUsize::new(0);
    let fake = |stage, decides, waits| Fake::of(&started, stage, decides, waits);
    let slow = fake(Stage::Beside(Duration::ZERO), &[], true);
    let mut late = fake(Stage::Late(Duration::ZERO), &["a", "b"][..], false);
    late.engine = Engine::Explicit;
    let mut last = fake(Stage::Last, &[], false);
    last.engine = Engine::Induction;
    let answered = run(&[&slow, &late, &last], names(), later(), &|_| {});
    // The slow one may have ended before it has begun; the last stage is not needed.
    let ran: Vec<Engine> = answered.iter().map(|a| a.engine).collect();
    assert!(
        ran.contains(&late.engine) && !ran.contains(&last.engine),
        "{ran:?}"
    );
    // The last stage waits for the late one, which waits for the first.
    let first = fake(Stage::First, &[], false);
    let late = fake(Stage::Late(Duration::from_secs(600)), &["a"][..], false);
    let answered = run(&[&first, &late, &last], names(), later(), &|_| {});
    assert_eq!(answered.len(), 3);
}

#[test]
fn when_the_time_is_over_all_engines_end() {
    let started = AtomicUsize::new(0);
    let fake = |stage| Fake {
        engine: Engine::Bounded,
        stage,
        decides: &[],
        waits: true,
        started: &started,
    };
    let (slow, last) = (fake(Stage::First), fake(Stage::Last));
    let answered = run(&[&slow, &last], names(), Instant::now(), &|_| {});
    assert_eq!(answered.len(), 1, "the last stage has no time");
}

#[test]
fn an_error_is_what_was_tried_if_another_engine_has_a_result() {
    let fails = |engine| Answered {
        engine,
        took: Duration::ZERO,
        result: Err("no".to_owned()),
    };
    let works = Answered {
        engine: Engine::Bounded,
        took: Duration::ZERO,
        result: Ok(result(vec![property("a", Holds::Proved, Verdict::TRUE)])),
    };
    let whole = combined(vec![fails(Engine::Induction), works])
        .unwrap()
        .unwrap();
    let tried: Vec<&Tried> = whole.properties[0].answer.tried.iter().collect();
    assert!(tried
        .iter()
        .any(|t| t.engine == Engine::Induction && t.said == "no"));
    assert_eq!(
        combined(vec![fails(Engine::Explicit)]).err(),
        Some(Some("no".to_owned()))
    );
}

/// An engine that comes to an unexpected end.
struct Broken;

impl Search<String> for Broken {
    fn engine(&self) -> Engine {
        Engine::Explicit
    }

    fn stage(&self) -> Stage {
        Stage::First
    }

    fn run(&self, _: &Board) -> Result<VerifyResult, String> {
        panic!("an error of this engine")
    }
}

#[test]
fn an_engine_that_panics_keeps_nobody_waiting() {
    let started = AtomicUsize::new(0);
    let last = Fake {
        engine: Engine::Bounded,
        stage: Stage::Last,
        decides: &["a", "b"],
        waits: false,
        started: &started,
    };
    let answered = run(&[&Broken, &last], names(), later(), &|_| {});
    assert_eq!(answered.len(), 1);
    assert_eq!(answered[0].engine, Engine::Bounded);
}

/// A bounded search that saw no violation calls parts of the formula vacuous; the violation is found elsewhere.
#[test]
fn no_part_of_a_violated_formula_is_vacuous() {
    let vacuous = |holds| {
        let mut property = property("a", holds, Verdict::PRESUMABLY_TRUE);
        property.answer.vacuity.parts = vec![crate::result::Vacuous {
            what: "F q".to_owned(),
            because: "{p} holds in no explored run".to_owned(),
            constant: false,
        }];
        let answered = Answered::<String> {
            engine: Engine::Induction,
            took: Duration::ZERO,
            result: Ok(result(vec![property])),
        };
        let whole = combined(vec![answered]).expect("there are results");
        let whole = whole.expect("one answer does not contradict itself");
        whole.properties[0].answer.vacuity.parts.len()
    };
    assert_eq!(vacuous(Holds::Proved), 1);
    assert_eq!(vacuous(Holds::Refuted), 0);
}
