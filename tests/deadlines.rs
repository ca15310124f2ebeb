//! Deadlines of hundreds of letters: each is a counter in the emitted C, in every search.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::json;

/// A program with a request at the second letter that is served so many letters later, or one more; `step` is how the
/// periods go on.
fn program(after: u32, step: &str) -> String {
    format!(
        "extern int nondet_int(void);
int request, served;
int main(void)
{{
    unsigned due = 1 + {after} + (nondet_int() != 0);
    for (unsigned period = 0; {step}) {{
        request = period == 1;
        served = period > 200 && period == due;
tick:   ;
    }}
    return 0;
}}
"
    )
}

fn spec(ltl: &str) -> String {
    json!({
        "trace": {"mode": "sample", "at": ["tick"]},
        "properties": [{"name": "deadline", "ltl": ltl}]
    })
    .to_string()
}

fn project(ltl: &str, after: u32, step: &str) -> Dir {
    Dir::with(&[("p.c", &program(after, step)), ("s.json", &spec(ltl))])
}

const ENDS: &str = "period < 305; period++";

/// The verdict and what holds of a deadline of so many letters, by these arguments.
fn asked(within: u32, after: u32, step: &str, arguments: &[&str]) -> (String, String) {
    let dir = project(
        &format!("G({{request}} -> F[<={within}] {{served}})"),
        after,
        step,
    );
    let (result, _) = dir.verify(&[arguments, &["s.json", "p.c"]].concat());
    let text = |key: &str| {
        result["properties"][0][key]
            .as_str()
            .unwrap_or_default()
            .to_string()
    };
    (text("verdict"), text("holds"))
}

#[test]
fn the_emitted_step_of_a_deadline_is_short() {
    for bound in [100, 1000, 10_000] {
        let ltl = format!("G({{request}} -> F[<={bound}] {{served}})");
        let dir = project(&ltl, 1000, ENDS);
        let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let text = dir.read("out.c");
        let reads = text.matches("ba_read_state").count();
        assert!((1..40).contains(&reads), "{bound}: {reads} {text}");
    }
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_deadline_of_hundreds_of_letters_is_kept_or_missed() {
    if !cbmc() {
        return;
    }
    for (after, verdict, holds) in [
        (299, "presumably_true", "proved"),
        (300, "false", "refuted"),
    ] {
        let quiet = ["--unwind", "310", "--no-trace"];
        let found = asked(300, after, ENDS, &quiet);
        assert_eq!(found, (verdict.into(), holds.into()), "{after}");
    }
}

#[test]
fn the_end_of_a_run_within_the_deadline_is_presumed() {
    if !cbmc() {
        return;
    }
    // The last letter has neither: repeated for ever, the request is never served.
    let found = asked(
        300,
        300,
        "period < 200; period++",
        &["--unwind", "310", "--no-trace"],
    );
    assert_eq!(found.0, "presumably_false");
}

#[test]
fn all_states_decide_a_deadline_of_a_thousand_letters() {
    for (after, holds) in [(999, "proved"), (1000, "refuted")] {
        let for_ever = "1; period += period < 2000";
        let found = asked(1000, after, for_ever, &["--engine", "explicit"]);
        assert_eq!(found.1, holds, "{after}");
    }
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn induction_reads_what_is_evaluated_at_samples_only() {
    if !cbmc() {
        return;
    }
    // The heads of loops had named a variable that such propositions do not have, and nothing was proved.
    let program = "extern int nondet_int(void);
int on;
int main(void)
{
    for (;;) {
        on = !on && nondet_int();
tick:   ;
    }
}
";
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec("G({on} -> X !{on})"))]);
    let (result, _) = dir.verify(&["--engine", "induction", "s.json", "p.c"]);
    assert_eq!(result["properties"][0]["holds"], "proved", "{result}");
}
