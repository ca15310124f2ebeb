//! Specifications that are accepted, and the resulting models.
#![allow(clippy::unwrap_used)]

use ltl::{Expectation, B4};
use spec::{
    from_ltl, read, Access, Area, Diagnostic, Evaluation, InputTarget, InputValues, Instances,
    Param, Spec, Trace,
};

/// Listing 4 of Hétier & Boucheneb 2018.
const PAPER: &str = r#"{ "ltl": "G(! (p1 && p2))",
  "pa": [
    { "name": "p1",
      "default": false,
      "expr": "f_ev",
      "span": ["b_p1", "e_p1"],
      "params": []
    },
    { "name": "p2",
      "default": false,
      "expr": "f_ev",
      "span": ["b_p2", "e_p2"],
      "params": []
    }
  ]
}"#;

fn good(text: &str) -> Spec {
    read(text).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

#[test]
fn the_listing_of_the_paper_is_read_unchanged() {
    let spec = good(PAPER);
    assert_eq!(spec.warnings, []);
    assert_eq!(spec.properties.len(), 1);
    assert_eq!(spec.properties[0].name, "ltl");
    assert_eq!(
        &PAPER[spec.properties[0].span.clone()],
        "\"G(! (p1 && p2))\""
    );
    assert_eq!(spec.propositions.len(), 2);
    let p2 = &spec.propositions[1];
    assert_eq!(
        (p2.name.as_str(), p2.default, p2.instances),
        ("p2", false, Instances::Any)
    );
    let Area::Labels { entry, exit } = &p2.area else {
        panic!("{:?}", p2.area)
    };
    assert_eq!((entry.name.as_str(), exit.name.as_str()), ("b_p2", "e_p2"));
    assert_eq!(&PAPER[exit.text.span()], "\"e_p2\"");
    assert!(
        matches!(&p2.evaluation, Evaluation::Function { name, params } if &**name == "f_ev" && params.is_empty())
    );
    assert_eq!(spec.trace, Trace::Changes);
    let printed = ltl::print(&spec.arena, spec.properties[0].root, ltl::Style::Ascii);
    assert_eq!(printed, "G !(p1 && p2)");
}

#[test]
fn every_key_is_read() {
    let text = r#"{
      "$schema": "schema.json",
      "properties": [
        { "name": "first", "ltl": "G(p -> F q)", "expect": "presumably_true" },
        { "ltl": "[] !{f::x == '}'} && r && s" }
      ],
      "pa": [
        { "name": "p", "cond": "signal1::status == RED", "at": "f::here", "instances": "each" },
        { "name": "q", "default": 1, "expr": "ev", "params": ["f::s.len", "g"], "function": "main", "instances": "all" },
        { "name": "r", "cond": "a > 0", "span": ["_begin", "_end"] },
        { "name": "s", "cond": "a > 1", "span": ["f::l1", "l2"], "default": true }
      ],
      "trace": { "mode": "sample", "at": ["loop", "f::tick"] },
      "alphabet": ["!(p && q)", "{f::x == '}'} || 1"],
      "inputs": [
        { "call": "scanf", "values": [1, -2, 3] },
        { "call": "read_sensor", "range": [0, 255] },
        { "variable": "main::x" }
      ],
      "prune": ["error_*", "bad_input"],
      "assume": [{ "at": "l1", "cond": "x > 0" }],
      "reach": ["f::err?", { "at": "error_*", "expect": "satisfied" }],
      "lasso": { "at": ["loop"], "state": ["a", "main::b"] },
      "unwind": 5
    }"#;
    let spec = good(text);
    assert_eq!(spec.warnings, []);
    let names: Vec<_> = spec.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["first", "ltl2"]);
    assert_eq!(
        spec.properties[0].expect,
        Some(Expectation::Exactly(B4::PresumablyTrue))
    );
    let names: Vec<_> = spec.propositions.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["p", "q", "r", "s", "{f::x == '}'}"]);
    let [p, q, r, s, braces] = &spec.propositions[..] else {
        panic!()
    };
    assert!(
        matches!(&p.area, Area::At(l) if l.function.as_deref() == Some("f") && l.name == "here")
    );
    assert!(matches!(&q.area, Area::Function(f) if &**f == "main"));
    assert!(q.default && s.default && !r.default);
    assert_eq!(
        (&r.area, &braces.area),
        (&Area::WholeProgram, &Area::WholeProgram)
    );
    assert_eq!(
        (p.instances, q.instances),
        (Instances::Each, Instances::All)
    );
    let Evaluation::Condition(condition) = &braces.evaluation else {
        panic!()
    };
    assert_eq!(&text[condition.span()], "f::x == '}'");
    assert_eq!(&text[braces.span.clone()], "{f::x == '}'}");
    assert!(matches!(&spec.trace, Trace::Sample(at) if at.len() == 2));
    assert_eq!(spec.alphabet.len(), 2);
    let values: Vec<_> = spec.inputs.iter().map(|i| i.values.clone()).collect();
    assert_eq!(
        values,
        [
            InputValues::Set(vec![1, -2, 3]),
            InputValues::Range(0, 255),
            InputValues::Any
        ]
    );
    assert!(matches!(&spec.inputs[2].target, InputTarget::Variable(p) if p.variable == "x"));
    assert!(
        spec.discards.prune[0].matches("any", "error_12")
            && !spec.discards.prune[1].matches("any", "bad")
    );
    assert!(spec.reach[0].at.matches("f", "err1") && !spec.reach[0].at.matches("g", "err1"));
    assert_eq!(
        (spec.reach[0].expect, spec.reach[1].expect),
        (None, Some(Expectation::Satisfied))
    );
    assert_eq!(&*spec.discards.assume[0].condition, "x > 0");
    let lasso = spec.lasso.as_ref().unwrap();
    assert_eq!(
        (lasso.at.len(), lasso.state.as_ref().unwrap().len()),
        (1, 2)
    );
    assert_eq!(spec.unwind, Some(5));
    assert_eq!(spec.proposition(q.atom).unwrap().name, "q");
}

#[test]
fn a_formula_alone_has_conditions_as_propositions() {
    let text = "G({pressed} -> F { charge > min })";
    let spec = from_ltl(text).unwrap();
    assert_eq!(spec.properties[0].name, "ltl");
    assert_eq!(spec.properties[0].span, 0..text.len());
    let names: Vec<_> = spec.propositions.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["{pressed}", "{charge > min}"]);
    for proposition in &spec.propositions {
        let Evaluation::Condition(condition) = &proposition.evaluation else {
            panic!()
        };
        assert_eq!(&text[condition.span()], condition.as_str());
        assert_eq!(proposition.area, Area::WholeProgram);
    }
    let errors = from_ltl("G(pressed -> q) && pressed").unwrap_err();
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0].span, 2..9);
    assert_eq!(
        errors[0].help.as_deref(),
        Some("write `{pressed}` if it is a C condition")
    );
    assert_eq!(from_ltl("G(").unwrap_err()[0].span, 2..2);
    assert_eq!(from_ltl("").unwrap_err()[0].span, 0..0);
    assert_eq!(from_ltl("{a} U {b} U {c}").unwrap().warnings.len(), 1);
}

#[test]
fn names_resolve_what_would_be_a_guess() {
    let spec = |name: &str, formula: &str| {
        read(&format!(
            r#"{{"pa": [{{"name": "{name}", "at": "l", "cond": "x"}}], "ltl": "{formula}"}}"#
        ))
    };
    assert!(spec("Go", "Go").unwrap().warnings.is_empty());
    assert!(spec("p0", "GFp0").unwrap().warnings.is_empty());
    assert_eq!(
        spec("p0", "Go").unwrap_err()[0].title,
        "the proposition `Go` is not declared"
    );
    let near = spec("pressed", "F presed").unwrap_err();
    assert_eq!(near[0].help.as_deref(), Some("did you mean `pressed`?"));
}

#[test]
fn odd_specifications_get_warnings() {
    let spec = good(
        r#"{"ltl": "p U p U p", "pa": [{"name": "p", "at": "l", "cond": "x"}, {"name": "q", "at": "l", "cond": "x"}]}"#,
    );
    let titles: Vec<_> = spec.warnings.iter().map(|w| w.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "SPIN, ltl2ba and Spot do not all group repeated `U` alike; read as `p U (p U p)`",
            "no formula has the proposition `q`"
        ]
    );
    let spec = good(
        r#"{"ltl": "G {x > 1}", "pa": [{"name": "p", "at": "l", "cond": "x"}, {"name": "q", "at": "l", "cond": "x"}]}"#,
    );
    let titles: Vec<_> = spec.warnings.iter().map(|w| w.title.as_str()).collect();
    assert_eq!(titles, ["no formula has the propositions `p`, `q`"]);
}

#[test]
fn parameters() {
    let parse = |text: &str| Param::parse(&spec::Text::plain(text, 0));
    let p = parse("x").unwrap();
    assert_eq!(
        (p.file, p.function, p.line, p.variable.as_str()),
        (None, None, None, "x")
    );
    let p = parse("src/file.c::x").unwrap();
    assert_eq!(
        (p.file.as_deref(), p.function, p.variable.as_str()),
        (Some("src/file.c"), None, "x")
    );
    let p = parse("file.c::f::x@12.a").unwrap();
    assert_eq!(
        (p.file.as_deref(), p.function.as_deref(), p.line),
        (Some("file.c"), Some("f"), Some(12))
    );
    assert_eq!(p.path, [Access::Field("a".to_owned())]);
    let p = parse("f::s.len@3").unwrap();
    assert_eq!(
        (p.function.as_deref(), p.line, p.path.len()),
        (Some("f"), Some(3), 1)
    );
    let p = parse(" *g -> next [ 2 ] . v [N] ").unwrap();
    assert_eq!(
        p.path,
        [
            Access::Arrow("next".to_owned()),
            Access::Index(2),
            Access::Field("v".to_owned()),
            Access::IndexName("N".to_owned()),
            Access::Deref
        ]
    );
    for (text, span) in [
        ("", 0..0),
        ("1", 0..1),
        ("f::", 3..3),
        ("a::b::c", 4..5),
        ("x[", 2..2),
        ("x[1", 3..3),
        ("x[1+1]", 3..4),
        ("x[012]", 2..5),
        ("x[99999999999999999999]", 2..22),
        ("x.", 2..2),
        ("x@", 2..2),
        ("x@0", 3..3),
        ("x y", 2..3),
        ("&x", 0..1),
        ("é\0", 2..3),
    ] {
        assert_eq!(parse(text).unwrap_err().span, span, "{text:?}");
    }
}

#[test]
fn rendering_underlines_the_place() {
    let show =
        |d: &Diagnostic, text: &str| spec::render(&d.clone().in_source("spec.json"), text, false);
    let mut out = String::new();
    for text in [
        "{\n  \"ltl\": \"G(p1 -> \\u25c7 q)\",\n  \"pa\": [\n    {\"nam\": \"p1\", \"cond\": \"x\"},\n    {\"name\": \"p1\", \"at\": \"l\", \"cond\": \"x\"},\n    {\"name\": \"p1\", \"at\": \"l\", \"cond\": \"x\"}\n  ]\n}",
        "{\"ltl\": \"(p\"}",
        "{\"ltl\": \"F {x} U {y} U {größe > 1}\",\n \"expect\": \"maybe\"}",
        "",
        "{\"ltl\": \"\t\"}",
    ] {
        for error in read(text).unwrap_err() {
            out += &show(&error, text);
            out += "\n\n";
        }
    }
    insta::assert_snapshot!(out);
    let colored = spec::render(&read("").unwrap_err()[0], "", true);
    assert!(colored.contains("\u{1b}["));
}
