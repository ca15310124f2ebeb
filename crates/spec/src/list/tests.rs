#![allow(clippy::unwrap_used)]
use super::*;
use crate::{read_with_lists, Sources};
use std::collections::HashSet;

fn rows(name: &str, text: &str) -> Vec<(String, String, String)> {
    let list = List {
        name,
        text,
        expected: None,
        reading: Reading::ByName,
        offset: 0,
    };
    let of = |t: Option<Text>| t.map(|t| t.to_string()).unwrap_or_default();
    read(&list, &HashSet::new(), false)
        .unwrap()
        .properties
        .into_iter()
        .map(|p| (of(p.name), of(p.ltl), of(p.expect)))
        .collect()
}

fn row(name: &str, ltl: &str, expect: &str) -> (String, String, String) {
    (name.into(), ltl.into(), expect.into())
}

/// The errors of a list as `line:column title`.
fn errors(name: &str, text: &str) -> Vec<String> {
    let list = List {
        name,
        text,
        expected: None,
        reading: Reading::ByName,
        offset: 0,
    };
    let result = read_with_lists(None, &[list]);
    let place = |d: &Diagnostic| {
        let (line, column) = d.position(text);
        format!("{line}:{column} {}", d.title)
    };
    result.unwrap_err().iter().map(place).collect()
}

#[test]
fn one_formula_a_line() {
    let text = "# a comment\n\nG {x > 0}\nlive: G F {a ? b : c} # expect: satisfied\n  \
                // more\nodd one : {x == '#'} U \"p:q\" # no word about it\nF p // expect: false\r\n";
    let expected = [
        row("", "G {x > 0}", ""),
        row("live", "G F {a ? b : c}", "satisfied"),
        row("odd one", "{x == '#'} U \"p:q\"", ""),
        row("", "F p", "false"),
    ];
    assert_eq!(rows("list.txt", text), expected);
}

#[test]
fn a_catalogue_of_the_challenge() {
    let text = "#inputs [[A, B]]\n#outputs [[X, U]]\n\n\
                #0: output U occurs before output Z\n(! oZ WU (oU & ! oZ))\n\n\
                # 1 : output U responds to input A\n(G (! iA | (F oU)))\nFormula is satisfied.\n\
                #2:\noutput Z never occurs\n(G ! oZ)\n\
                Formula is not satisfied! An error path is [iA, oZ] ([iB, oU])*\n";
    let expected = [
        row("#0", "(! oZ WU (oU & ! oZ))", ""),
        row("#1", "(G (! iA | (F oU)))", "satisfied"),
        row("#2", "(G ! oZ)", "violated"),
    ];
    assert_eq!(rows("Problem1.txt", text), expected);
}

#[test]
fn tables() {
    let text = "note,name,LTL,expect\r\n,first,\"G (a, \"\"b\"\")\",violated\r\n\r\nx,,F p,\r\n";
    let expected = [row("first", "G (a, \"b\")", "violated"), row("", "F p", "")];
    assert_eq!(rows("t.csv", text), expected);
    // A table is recognised by its heading if the name does not end in `.csv`.
    assert_eq!(
        rows("-", "ltl,expect\nF p,true\n"),
        [row("", "F p", "true")]
    );
}

#[test]
fn the_place_of_every_error() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("l", "\n# only\n", &["1:1 the list has no formula"]),
        (
            "l",
            "#1: x\n#2: y\nG {x}\n",
            &["1:1 no formula follows the heading `#1`"],
        ),
        ("l", "G {x}\na: G\n", &["2:5 not a formula"]),
        (
            "l",
            "a: G {x} # expect: maybe\n",
            &["1:20 `expect` cannot be `maybe`"],
        ),
        (
            "l",
            "a: G {x} # expect:\n",
            &["1:11 no verdict follows `expect:`"],
        ),
        (
            "l",
            "a: G {x}\na: F {x}\n",
            &["2:1 two properties are called `a`"],
        ),
        (
            "l",
            "Formula is satisfied.\n",
            &["1:1 a verdict without a formula in front of it"],
        ),
        (
            "l.csv",
            "name,expect\na,true\n",
            &["1:1 the table has no column `ltl`"],
        ),
        ("l.csv", "name,ltl\na\n", &["2:1 1 cells in a row of 2"]),
        (
            "l.csv",
            "name,ltl\na,\"G {x}\n",
            &["2:3 the quotes are not closed"],
        ),
        (
            "l.csv",
            "name,ltl\na,\"G {x}\"y\n",
            &["2:10 a comma or the end"],
        ),
        ("l.csv", "name,ltl\na, \n", &["2:3 a row without a formula"]),
        (
            "l.csv",
            "ltl,ltl\na,b\n",
            &["1:5 the column `ltl` is there twice"],
        ),
        (
            "l.csv",
            "name,ltl\na,\"G \"\"p\"\" )\"\n",
            &["2:12 not a formula"],
        ),
    ];
    for (name, text, expected) in cases {
        let found = errors(name, text);
        assert_eq!(found.len(), expected.len(), "{text:?}: {found:?}");
        for (found, expected) in found.iter().zip(*expected) {
            assert!(found.starts_with(expected), "{text:?}: {found}");
        }
    }
}

#[test]
fn lists_follow_the_specification() {
    let spec = r#"{"name": "own", "ltl": "G p", "expect": "violated",
                   "pa": [{"name": "p", "cond": "x", "span": ["_begin", "_end"]}]}"#;
    let text = "G F p\nall: p\n";
    let mut sources = Sources::default();
    sources.add("spec.json", spec);
    let offset = sources.next_offset();
    let list = List {
        name: "l",
        text,
        offset,
        expected: None,
        reading: Reading::ByName,
    };
    let read = read_with_lists(Some(spec), &[list]).unwrap();
    let names: Vec<&str> = read.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["own", "ltl2", "all"]);
    assert_eq!(read.properties[0].expect.unwrap().name(), "violated");

    let list = List {
        name: "l",
        text: "G F p\nall: q\n",
        offset,
        expected: None,
        reading: Reading::ByName,
    };
    sources.add("l", list.text);
    let errors = read_with_lists(Some(spec), &[list]).unwrap_err();
    let shown = sources.show(&errors[0], false);
    assert!(
        shown.contains("l:2:6") && shown.contains("all: q"),
        "{shown}"
    );
}
