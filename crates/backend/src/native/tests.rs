#![allow(clippy::unwrap_used)]
use super::*;

fn read(text: &str) -> Log {
    Log::read(text.as_bytes(), true)
}

const RUN_TEXT: &str = "V ba_p\nM ba_state\nL 0 - 0 0:4\nI 0 nondet_int 7\nL 1 3 1 1:1\nR baproduct:a:false\nR baproduct:end\nE\n";

#[test]
fn a_record_becomes_outcomes_and_steps() {
    let log = read(RUN_TEXT);
    assert!(log.complete());
    let answer = answer(log).unwrap();
    assert_eq!(
        answer.outcomes.get("baproduct:a:false"),
        Some(&Outcome::Fails)
    );
    let names: Vec<(u32, String, i128)> = answer.traces[RUN]
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Assignment { lhs, value } => Some((step.thread?, lhs.clone(), value.number?)),
            _ => None,
        })
        .collect();
    let expected = [
        (0, "ba_p", 0),
        (0, "ba_state", 0),
        (0, "return_value_nondet_int", 7),
        (1, "ba_site", 3),
        (1, "ba_p", 1),
        (1, "ba_state", 1),
    ];
    assert_eq!(names, expected.map(|(t, n, v)| (t, n.to_owned(), v)));
}

#[test]
fn a_record_that_is_cut_or_damaged_is_not_complete() {
    for end in 0..RUN_TEXT.len() - 2 {
        assert!(!read(&RUN_TEXT[..end]).complete(), "{end}");
    }
    for damage in [
        "L 0 - 00 0:4\n",
        "L 0 x 0 0:4\n",
        "L 0 - 2 0:4\n",
        "?\n",
        "I 0 f\n",
    ] {
        assert!(!read(&format!("{damage}{RUN_TEXT}")).complete(), "{damage}");
    }
    let without_end = read("V ba_p\nM ba_state\nE\n");
    assert!(answer(without_end).is_err());
}
