//! Sentences and what they are read as.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::Leaf;
use ltl::{Arena, Atom};

/// Scope, condition and timing of a sentence, and its formula.
fn read(sentence: &str) -> String {
    let tick = "10ms".parse().ok();
    let requirement = parse(sentence, tick).unwrap_or_else(|e| panic!("{sentence}: {e}"));
    let mut arena = Arena::new();
    let root = requirement.formula(&mut arena, &mut |leaf| match leaf {
        Leaf::Name(name) => Atom::Name(name.clone()),
        Leaf::Condition(text) => Atom::Condition(text.clone()),
    });
    format!(
        "{} {} {}: {}",
        requirement.scope.name(),
        requirement.condition.name(),
        requirement.timing.name(),
        ltl::print(&arena, root, ltl::Style::Ascii)
    )
}

#[test]
fn sentences_are_read() {
    for (sentence, expected) in [
        ("the lamp shall satisfy on", "null null eventually: F on"),
        (
            "The lamp SHALL Always Satisfy on.",
            "null null always: G on",
        ),
        ("shall the lamp never satisfy on", "null null never: G !on"),
        (
            "in flight mode, lamp shall always satisfy on",
            "in null always: G(flight -> on)",
        ),
        (
            "While in flight mode lamp shall always satisfy on",
            "in null always: G(flight -> on)",
        ),
        (
            "during mode flight lamp shall always satisfy on",
            "in null always: G(flight -> on)",
        ),
        (
            "when in flight the lamp shall always satisfy on",
            "in null always: G(flight -> on)",
        ),
        (
            "when not in flight the lamp shall always satisfy on",
            "notin null always: G(!flight -> on)",
        ),
        (
            "unless in flight the lamp shall always satisfy on",
            "notin null always: G(!flight -> on)",
        ),
        (
            "except while a & b the lamp shall always satisfy on",
            "notin null always: G(!(a && b) -> on)",
        ),
        (
            "only during flight the lamp shall eventually satisfy on",
            "onlyIn null eventually: G(!flight -> !on)",
        ),
        (
            "only after boot the lamp shall immediately satisfy on",
            "onlyAfter null immediately: !on",
        ),
        (
            "only before boot the lamp shall always satisfy on",
            "onlyBefore null always: !boot W (boot && F !on)",
        ),
        (
            "before boot the lamp shall always satisfy on",
            "before null always: boot || (on W boot)",
        ),
        (
            "after boot the lamp shall always satisfy on",
            "after null always: !boot W (boot && (boot W (!boot && G on)))",
        ),
        (
            "whenever hot the fan shall immediately satisfy fan",
            "null holding immediately: G(hot -> fan)",
        ),
        (
            "if hot then the fan shall satisfy fan",
            "null regular eventually: (hot -> F fan) && G(!hot -> X(hot -> F fan))",
        ),
        (
            "upon hot is false, the fan shall never satisfy fan",
            "null regular never: G(!hot -> G !fan)",
        ),
        (
            "unless cold fan shall never satisfy fan",
            "null regular never: G(!cold -> G !fan)",
        ),
        (
            "when a and if b or when c the d shall never satisfy e",
            "null regular never: G(a && b || c -> G !e)",
        ),
        (
            "whenever a the d shall at the next timepoint satisfy e",
            "null holding next: G(a -> X e)",
        ),
        (
            "the d shall within 3 ticks satisfy e",
            "null null within: F[<=3] e",
        ),
        (
            "the d shall, for 35 milliseconds, satisfy e",
            "null null for: G[<=3] e",
        ),
        (
            "the d shall within 0.1 seconds satisfy e",
            "null null within: F[<=10] e",
        ),
        (
            "the d shall after 0 ticks satisfy e",
            "null null after: !e && F[<=1] e",
        ),
        ("the d shall until f satisfy e", "null null until: e W f"),
        (
            "the d shall before f satisfy e",
            "null null before: !f W (!f && e)",
        ),
        (
            "the d shall always satisfy if a then b xor c",
            "null null always: G(a -> !(b <-> c))",
        ),
        (
            "the d shall always satisfy if x = 3 then a else b",
            "null null always: G(({x == 3} -> a) && (!{x == 3} -> b))",
        ),
        (
            "the d shall always satisfy a => (b <=> c)",
            "null null always: G(a -> (b <-> c))",
        ),
        (
            "the d shall always satisfy !(a | b) & ~c",
            "null null always: G(!(a || b) && !c)",
        ),
        (
            "the d shall always satisfy x = 3",
            "null null always: G {x == 3}",
        ),
        (
            "the d shall always satisfy (x + 2*y[1]) > -3 | (z)",
            "null null always: G({(x + 2 * y[1]) > -3} || z)",
        ),
        (
            "the d shall always satisfy ready = false",
            "null null always: G !ready",
        ),
        (
            "the d shall always satisfy main::x mod 2 != 1",
            "null null always: G {main::x % 2 != 1}",
        ),
        (
            "the d shall always satisfy {p->n > 2} & \"tank full\"",
            "null null always: G({p->n > 2} && \"tank full\")",
        ),
        (
            "the d shall always satisfy 0.5 * m.speed <= 1e3.",
            "null null always: G {0.5 * m.speed <= 1e3}",
        ),
        (
            "whenever mode is FAULT the lamp shall always satisfy x is not 3 & y equals -z.",
            "null holding always: G({mode == FAULT} -> G({x != 3} && {y == -z}))",
        ),
        (
            "When s.mode becomes OFF, the lamp shall never satisfy on",
            "null regular never: G({s.mode == OFF} -> G !on)",
        ),
        (
            "if mode changes to 3 or if a lamp shall never satisfy on",
            "null regular never: G({mode == 3} || a -> G !on)",
        ),
        (
            "the lamp shall always satisfy x ≤ 3 ∧ ¬a ⇒ “tank full”",
            "null null always: G({x <= 3} && !a -> \"tank full\")",
        ),
        // EARS
        ("The pump shall on", "null null always: G on"),
        ("The pump shall not on", "null null never: G !on"),
        (
            "While low, the pump shall on.",
            "in null always: G(low -> on)",
        ),
        (
            "When low, the pump control shall on",
            "null regular eventually: (low -> F on) && G(!low -> X(low -> F on))",
        ),
        (
            "The set shall off, where radio, while low.",
            "in null always: G(radio && low -> off)",
        ),
        (
            "As long as radio & low, the set shall off",
            "in null always: G(radio && low -> off)",
        ),
        (
            "The pump shall on as long as low",
            "in null always: G(low -> on)",
        ),
        (
            "Once low, the pump shall on within 2 ticks",
            "null regular within: (low -> F[<=2] on) && G(!low -> X(low -> F[<=2] on))",
        ),
        (
            "The pump shall on if low within 2 ticks",
            "null regular within: (low -> F[<=2] on) && G(!low -> X(low -> F[<=2] on))",
        ),
        (
            "While radio, the pump shall on when low and when open",
            "in regular eventually: (radio && (low && open) -> radio U (radio && on)) && G(!(radio && (low && open)) -> X(radio && (low && open) -> radio U (radio && on)))",
        ),
        (
            "Where radio, while low, the set shall off",
            "in null always: G(radio && low -> off)",
        ),
        (
            "If low, then the pump shall on within 2 ticks",
            "null regular within: (low -> F[<=2] on) && G(!low -> X(low -> F[<=2] on))",
        ),
        (
            "Whenever low, the auto-pump shall on",
            "null holding immediately: G(low -> on)",
        ),
        // What may be only somewhere is nowhere else.
        (
            "Only in flight mode the set shall off.",
            "onlyIn null eventually: G(!flight -> !off)",
        ),
        (
            "Only when flying, the set shall off.",
            "onlyIn null eventually: G(!flying -> !off)",
        ),
        (
            "The set shall off only in flight mode.",
            "onlyIn null eventually: G(!flight -> !off)",
        ),
        (
            "The set shall off only if p & q",
            "onlyIn null eventually: G(!(p && q) -> !off)",
        ),
        (
            "Where heating is included, the set shall be off.",
            "in null always: G(heating -> off)",
        ),
        (
            "Where heating is included, when low, the set shall not be off",
            "in regular never: G(heating && low -> !off W !heating)",
        ),
    ] {
        assert_eq!(read(sentence), expected, "{sentence}");
    }
}

const UNCLEAR: &str = "these words can belong to the condition or to the name of the component";

#[test]
fn mistakes_are_told_with_their_place() {
    for (sentence, help) in [
        ("the lamp shall within 5 satisfy on", "`5 ticks`"),
        ("the lamp shall always satisfy x is below 3", "`x = 3`"),
        ("the lamp shall always satisfy x in y", "`x = 1 | x = 2`"),
        ("The lamp must always satisfy on", "`shall` for `must`"),
        ("The lamp shall satisfy on when p", "at the beginning"),
        ("The lamp shall, if p, satisfy on", "at the beginning"),
        ("The lamp shall on unless p", "at the beginning"),
        ("Only in flight the lamp shall not on", "when not in m mode"),
        ("The lamp shall on only after primed", "`G(r -> O m)`"),
        ("The lamp shall not on when p within 2 ticks", "never"),
        ("the lamp shall always satisfy a => b => c", "parentheses"),
        ("At no time shall p & q", "never satisfy"),
        ("No lamp shall always satisfy p", "never satisfy"),
        ("When x falls below 5, the lamp shall satisfy on", "`x > 5`"),
        ("when the door is open the lamp shall on", "no article"),
        (
            "the lamp shall always satisfy 0 <= x <= 3",
            "`0 <= x & x <= 3`",
        ),
        ("the lamp shall always satisfy on U off", "`until q`"),
        (
            "the lamp shall eventually satisfy on within 5 ticks",
            "one timing",
        ),
    ] {
        let said = parse(sentence, None).unwrap_err().help.unwrap_or_default();
        assert!(said.contains(help), "{sentence}: {said}");
    }
    for (sentence, place, message) in [
        (
            "the lamp does satisfy on",
            "the lamp does satisfy on",
            "the sentence has no `shall`",
        ),
        (
            "shall satisfy on",
            "satisfy",
            "expected the name of the component, found `satisfy`",
        ),
        (
            "the lamp shall on on",
            "on",
            "expected the end of the sentence, found `on`",
        ),
        (
            "the lamp shall satisfy",
            "",
            "expected an expression, found the end of the sentence",
        ),
        (
            "the lamp shall soon satisfy on",
            "soon",
            "expected a timing or `satisfy`, found `soon`",
        ),
        (
            "the lamp shall within 5 satisfy on",
            "satisfy",
            "expected `ticks` or a unit of time, found `satisfy`",
        ),
        (
            "the lamp shall within 5 s satisfy on",
            "5 s",
            "how many letters are this time?",
        ),
        (
            "the lamp shall for 1.5 ticks satisfy on",
            "1.5 ticks",
            "this is no number of letters",
        ),
        (
            "the lamp shall for 99999999999 ticks satisfy on",
            "99999999999 ticks",
            "this is no number of letters",
        ),
        (
            "in a & in b the lamp shall satisfy on",
            "in",
            "expected an expression, found `in`",
        ),
        (
            "in a after b the lamp shall satisfy on",
            "after b",
            "a requirement has one scope",
        ),
        (
            "only a the lamp shall satisfy on",
            "a",
            "expected `in`, `during`, `while`, `after` or `before`, found `a`",
        ),
        (
            "when pump.motor is below the pump shall always satisfy rate > 0",
            "is",
            UNCLEAR,
        ),
        (
            "when low pump control shall always satisfy on",
            "pump control shall",
            UNCLEAR,
        ),
        (
            "if hot then a fan of the box shall on",
            "a fan of the",
            UNCLEAR,
        ),
        (
            "whenever on becomes off the lamp shall never satisfy on",
            "becomes",
            UNCLEAR,
        ),
        (
            "when a whenever b the lamp shall satisfy on",
            "whenever b",
            "`whenever` and another condition in one sentence can be read in two ways",
        ),
        (
            "the lamp shall not within 5 ticks satisfy on",
            "not",
            "`not` in front of a response with a timing can be read in two ways",
        ),
        (
            "the lamp shall satisfy f(p & q)",
            "&",
            "expected a number or a variable, found `&`",
        ),
        (
            "the lamp shall satisfy x ^ y > 3",
            "y",
            "expected a whole number from 1 to 16, found `y`",
        ),
        (
            "the lamp shall satisfy 3",
            "",
            "expected a comparison, such as `> 0`, found the end of the sentence",
        ),
        (
            "the lamp shall satisfy x >",
            "",
            "expected a number or a variable, found the end of the sentence",
        ),
        (
            "the lamp shall satisfy {x > 2",
            "{",
            "this brace is not closed: `}` is missing",
        ),
        (
            "the lamp shall satisfy \"\"",
            "\"\"",
            "nothing stands between these quotes",
        ),
        (
            "the lamp shall satisfy (a & b",
            "",
            "expected an operator or `)`, found the end of the sentence",
        ),
    ] {
        let error = parse(sentence, None).unwrap_err();
        assert_eq!(
            (error.message.as_str(), &sentence[error.span]),
            (message, place),
            "{sentence}"
        );
    }
}

#[test]
fn no_text_makes_it_panic_or_hang() {
    let words = [
        "the",
        "shall",
        "satisfy",
        "when",
        "in",
        "not",
        "only",
        "(",
        ")",
        "!",
        "-",
        "x",
        "3",
        "{",
        "}",
        "\"",
        "after",
        "5 ticks",
        "until",
        "and",
        "<",
        "->",
        "[",
        "]",
        "é",
        ".",
        ",",
        "if",
        "then",
        "mode",
        "is",
        "false",
        "\u{1f600}",
    ];
    let mut state = 88_172_645_463_325_252u64;
    for _ in 0..20_000 {
        let mut text = String::from("the x shall ");
        for _ in 0..12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(words[(state % words.len() as u64) as usize]);
            text.push(' ');
        }
        if let Err(error) = parse(&text, None) {
            assert!(text.get(error.span.clone()).is_some(), "{text} {error:?}");
        }
    }
    let deep = format!(
        "the x shall satisfy {}a{}",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    assert!(parse(&deep, None).unwrap_err().message.contains("nested"));
    let deep = format!("the x shall satisfy {}a", "!".repeat(50_000));
    assert!(parse(&deep, None).is_err());
    let wide = format!("the x shall satisfy {}a", "a & ".repeat(2_000));
    assert!(parse(&wide, None).is_ok());
}

#[test]
fn temporal_predicates_calls_and_powers_are_read() {
    let response = |sentence: &str| {
        let requirement = parse(sentence, None).unwrap_or_else(|e| panic!("{sentence}: {e}"));
        requirement.response.to_string()
    };
    for (sentence, read) in [
        (
            "The sw shall always satisfy if occurred(7, temp > high) then alarm",
            "occurred(7, {temp > high}) -> alarm",
        ),
        (
            "in mode m the sw shall always satisfy at the previous occurrence of p, q | r.",
            "prevOcc(p, q | r)",
        ),
        (
            "the sw shall satisfy at the next occurrence of p & s, q",
            "nextOcc(p & s, q)",
        ),
        (
            "The sw shall always satisfy preBool(false, p) => !persisted(3, q)",
            "preBool(false, p) -> !persisted(3, q)",
        ),
        (
            "The EB shall always satisfy abs(c - 1.0)<eps & dot((a - b), c) = 0",
            "{abs(c - 1.0) < eps} & {dot((a - b), c) == 0}",
        ),
        (
            "The sw shall satisfy bright(lamp2, 0.7)",
            "bright(lamp2, 0.7)",
        ),
        (
            "The sw shall always satisfy -x^2 + (y + 1)^3 <= 4.0",
            "{-(x * x) + ((y + 1) * (y + 1) * (y + 1)) <= 4.0}",
        ),
    ] {
        assert_eq!(response(sentence), read, "{sentence}");
    }
    for (sentence, message) in [
        (
            "The sw shall always satisfy x > preInt(0, preInt(0, x))",
            "two operands",
        ),
        (
            "The sw shall always satisfy persisted(p, q)",
            "a number of letters",
        ),
        ("The sw shall always satisfy prevOcc(p)", "`,`"),
        (
            "when p the device within 3 ticks shall satisfy alarm",
            "behind `shall`",
        ),
        ("The pump always shall satisfy p", "behind `shall`"),
        ("The sw shall always satisfy x^1000 > 1", "from 1 to 16"),
        (
            "The sw shall always satisfy f(p & q) > 1",
            "a number or a variable",
        ),
        ("The sw shall with probability > 0.9 satisfy p", "every run"),
        (
            "The sw shall always satisfy at the last occurrence of p, q",
            "the previous",
        ),
    ] {
        let error = parse(sentence, None).expect_err(sentence);
        assert!(error.message.contains(message), "{sentence}: {error}");
    }
}
