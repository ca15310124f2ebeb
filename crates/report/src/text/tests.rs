#![allow(clippy::unwrap_used)]
use super::*;
use crate::testing::{several, violated};
use verify::result::{Evidence, TraceStep};

fn plain() -> Options {
    Options {
        verbose: true,
        ..Options::default()
    }
}

#[test]
fn a_violation_is_shown_with_its_run() {
    insta::assert_snapshot!(render(&violated(), &plain()));
}

#[test]
fn several_properties_are_summed_up() {
    insta::assert_snapshot!(render(&several(), &Options::default()));
}

#[test]
fn proofs_are_summed_up_as_proved_where_no_bound_gives_a_verdict() {
    let mut result = several();
    for property in &mut result.properties {
        property.answer.verdict = Verdict::Unknown;
        property.answer.holds = Holds::Proved;
    }
    result.properties[0].answer.holds = Holds::Refuted;
    let text = render(&result, &Options::default());
    let proved = result.properties.len() - 1;
    let expected = format!("{} properties: 1 refuted, {proved} proved", proved + 1);
    assert!(text.contains(&expected), "{text}");
}

#[test]
fn ascii_and_narrow() {
    let options = Options {
        unicode: false,
        width: 60,
        ..plain()
    };
    let text = render(&violated(), &options);
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
}

#[test]
fn colours_mark_verdict_and_changes() {
    let options = Options {
        colour: true,
        ..Options::default()
    };
    let text = render(&violated(), &options);
    insta::assert_snapshot!(text.replace('\x1b', "␛"));
}

#[test]
fn colour_changes_nothing_but_colour() {
    for result in [violated(), several()] {
        let coloured = render(
            &result,
            &Options {
                colour: true,
                ..plain()
            },
        );
        let mut stripped = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            stripped += before;
            rest = after.split_once('m').unwrap().1;
        }
        stripped += rest;
        assert_eq!(stripped, render(&result, &plain()));
    }
}

#[test]
fn no_line_is_wider_than_the_page_unless_one_word_is() {
    for width in [60, 72, 100, 160] {
        for result in [violated(), several()] {
            let text = render(&result, &Options { width, ..plain() });
            for line in text.lines() {
                assert!(
                    unicode_width::UnicodeWidthStr::width(line) <= width,
                    "{width}: {line}"
                );
            }
        }
    }
}

#[test]
fn many_propositions_are_listed_where_they_change() {
    let mut result = violated();
    for step in &mut result.properties[0].run.trace {
        for i in 0..40 {
            step.props
                .insert(format!("proposition_{i}"), i % 7 == step.step % 7);
        }
    }
    let text = render(&result, &Options::default());
    assert!(
        text.lines()
            .all(|l| unicode_width::UnicodeWidthStr::width(l) <= 100),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn the_value_of_an_input_is_not_cut_off() {
    let mut result = violated();
    let step = &mut result.properties[0].run.trace[1];
    step.what = format!("{}() gives -7", "read_".repeat(20));
    step.input = Some(verify::result::Input {
        name: "read".into(),
        value: -7,
        site: None,
    });
    let text = render(&result, &Options::default());
    assert!(text.contains("… = -7 "), "{text}");
}

#[test]
fn many_values_from_one_place_are_one_line() {
    let mut result = violated();
    let trace = &mut result.properties[0].run.trace;
    let read = |value: i128| TraceStep {
        what: format!("fgets() gives {value}"),
        input: Some(verify::result::Input {
            name: "fgets".into(),
            value,
            site: Some(4),
        }),
        ..trace[1].clone()
    };
    let bytes: Vec<TraceStep> = (0..9).map(|n| read(60 + n)).collect();
    trace.splice(1..2, bytes);
    let text = render(&result, &Options::default());
    let shown: Vec<&str> = text.lines().filter(|l| l.contains("fgets")).collect();
    assert_eq!(shown.len(), 1, "{text}");
    assert!(text.contains("gives 9 values: 60, 61, 62"), "{text}");
}

#[test]
fn a_lasso_says_where_it_goes_on() {
    let mut result = violated();
    result.properties[0].answer.evidence = Some(Evidence::Lasso);
    result.properties[0].run.loop_start = Some(2);
    let text = render(&result, &Options::default());
    assert!(text.contains("repeats a loop for ever"));
    assert!(
        text.contains("↺ from here it repeats the steps from 2 on"),
        "{text}"
    );
}

#[test]
fn hostile_text_cannot_steer_the_terminal() {
    let mut result = violated();
    let nasty = "\x1b[31mred\x07\u{202e}\nnew line".to_owned();
    result.properties[0].asked.name = nasty.clone();
    result.properties[0].asked.ltl = nasty.clone();
    result.properties[0].answer.reason = Some(nasty.clone());
    result.properties[0].run.trace[2].what = nasty.clone();
    result.properties[0].run.trace[2].file = nasty.clone();
    result.properties[0].asked.propositions[0].meaning = nasty.clone();
    result.premises.assumptions.push(nasty.clone());
    result.findings[0].message = nasty.clone();
    result.warnings.push(nasty.clone());
    result.backend.version = nasty;
    for options in [
        plain(),
        Options {
            unicode: false,
            ..plain()
        },
    ] {
        let text = render(&result, &options);
        let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.chars().any(bad), "{text:?}");
    }
}

#[test]
fn an_empty_result_is_no_panic() {
    let mut result = violated();
    result.properties.clear();
    assert!(render(&result, &Options::default()).contains("cbmc 6.6.0"));
    let narrow = Options {
        width: 0,
        ..plain()
    };
    assert!(!render(&violated(), &narrow).is_empty());
}
