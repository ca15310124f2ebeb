//! Specifications that are refused, each with the expected message and place.
#![allow(clippy::unwrap_used)]

use spec::{read, Severity};

/// A specification with an additional key.
fn with(more: &str) -> String {
    format!(r#"{{"ltl": "F {{x}}", {more}}}"#)
}

/// The first error of a text, with the part of the text that it marks.
fn refused(text: &str) -> (String, &str) {
    let errors = match read(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(errors) => errors,
    };
    for error in &errors {
        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
        assert!(!spec::render(error, text, false).is_empty());
    }
    assert_eq!(errors[0].severity, Severity::Error);
    (errors[0].title.clone(), &text[errors[0].span.clone()])
}

#[test]
fn what_is_no_json_is_refused() {
    for (text, title, place) in [
        (
            "",
            "not JSON: expected a value, found the end of the text",
            "",
        ),
        (
            "{} x",
            "not JSON: expected the end of the text, found `x`",
            "x",
        ),
        ("{\"ltl\": }", "not JSON: expected a value, found `}`", "}"),
        ("{\"a\": 1,}", "not JSON: expected a key, found `}`", "}"),
        ("{\"a\" 1}", "not JSON: expected `:`, found `1`", "1"),
        ("[1 2]", "not JSON: expected `,` or `]`, found `2`", "2"),
        (
            "{// x\n}",
            "not JSON: expected a key or `}`, found `/` (JSON has no comments)",
            "/",
        ),
        (
            "{'a': 1}",
            "not JSON: expected a key or `}`, found `'` (JSON has double quotes only)",
            "'",
        ),
        ("\"abc", "not JSON: this string has no end", "\""),
        (
            "\"a\nb\"",
            "not JSON: expected `\"` or an escape such as `\\n`, found the character U+000A",
            "\n",
        ),
        (
            "\"\\x\"",
            "not JSON: expected one of `\"\\/bfnrtu` after `\\`, found `x`",
            "x",
        ),
        (
            "\"\\u12g4\"",
            "not JSON: expected four hexadecimal digits, found `g`",
            "g",
        ),
        (
            "\"\\ud800\"",
            "not JSON: half of a surrogate pair is no character",
            "\\ud800",
        ),
        (
            "\"\\ud800\\u0041\"",
            "not JSON: half of a surrogate pair is no character",
            "\\ud800\\u0041",
        ),
        (
            "01",
            "not JSON: expected the end of the number, found `1`",
            "1",
        ),
        (
            "1.",
            "not JSON: expected a digit, found the end of the text",
            "",
        ),
        (
            "-",
            "not JSON: expected a digit, found the end of the text",
            "",
        ),
        ("True", "not JSON: expected a value, found `True`", "True"),
        ("nul", "not JSON: expected a value, found `nul`", "nul"),
        (
            "\0",
            "not JSON: expected a value, found the character U+0000",
            "\0",
        ),
        (
            "[]",
            "expected a specification (an object), found an array",
            "[]",
        ),
        (
            "null",
            "expected a specification (an object), found null",
            "null",
        ),
    ] {
        assert_eq!(refused(text), (title.to_owned(), place), "{text}");
    }
}

#[test]
fn wrong_keys_and_types_are_refused() {
    for (more, title, place) in [
        (r#""ltll": 1"#, "a specification has no key `ltll`", r#""ltll""#),
        (r#""ltl": "G {y}""#, "the key `ltl` stands twice in a specification", r#""ltl""#),
        (r#""pa": {}"#, "expected `pa` (an array), found an object", "{}"),
        (r#""pa": [1]"#, "expected a proposition (an object), found the number 1", "1"),
        (r#""unwind": 0"#, "`unwind` must be from 1 to 4294967295", "0"),
        (r#""unwind": 1e3"#, "expected `unwind` (an integer), found the number 1e3", "1e3"),
        (r#""unwind": 99999999999999999999999999999999999999999"#,
            "expected `unwind` (an integer), found the number 99999999999999999999999999999999999999999",
            "99999999999999999999999999999999999999999"),
        (r#""trace": {}"#, "`trace` needs the key `mode`", "{}"),
        (r#""trace": {"mode": "smaple"}"#, "`mode` cannot be `smaple`", r#""smaple""#),
        (r#""trace": {"mode": "sample"}"#, "the mode `sample` needs labels in `at`", r#"{"mode": "sample"}"#),
        (r#""trace": {"mode": "changes", "at": ["l"]}"#, "the mode `changes` has no labels `at`", r#"["l"]"#),
        (r#""alphabet": ["F {x}"]"#, "a formula of `alphabet` has a temporal operator", r#""F {x}""#),
        (r#""inputs": [{}]"#, "an input needs `call` or `variable`", "{}"),
        (r#""inputs": [{"call": "f", "range": [2, 1]}]"#, "the range from 2 to 1 is empty", "[2, 1]"),
        (r#""inputs": [{"call": "f", "range": [2]}]"#, "`range` has two bounds, not 1", "[2]"),
        (r#""inputs": [{"call": "f", "values": []}]"#, "no value is left for this input", "[]"),
        (r#""inputs": [{"call": "f", "values": [1.5]}]"#, "expected a value (an integer), found the number 1.5", "1.5"),
        (r#""inputs": [{"call": "f", "values": [1], "range": [1, 2]}]"#, "`values` and `range` exclude each other", "[1, 2]"),
        (r#""inputs": [{"call": "f", "variable": "x"}]"#, "`call` and `variable` exclude each other", r#""x""#),
        (r#""inputs": [{"call": "f(x)"}]"#, "expected the name of a function, found `f(x)`", r#""f(x)""#),
        (r#""prune": ["a b"]"#, "expected a label or a pattern such as `error_*`, found `a b`", r#""a b""#),
        (r#""assume": [{"at": "l", "cond": " "}]"#, "expected a C condition", r#"" ""#),
        (r#""assume": [{"at": "l"}]"#, "an assumption needs the key `cond`", r#"{"at": "l"}"#),
        (r#""lasso": {"at": ["1"]}"#, "expected a label, found `1`", r#""1""#),
        (r#""lasso": {"state": ["x+1"]}"#, "`x+1` names no object: expected `.`, `->`, `[`, `@` or the end, found `+`", "+"),
        (r#""expect": "probably""#, "`expect` cannot be `probably`", r#""probably""#),
        (r#""name": "a:b""#, "the name of a property must not have `:`", ":"),
        (r#""name": """#, "the name of a property has from 1 to 100 characters", r#""""#),
        (r#""properties": []"#, "`ltl` and `properties` exclude each other", r#""F {x}""#),
    ] {
        let text = with(more);
        assert_eq!(refused(&text), (title.to_owned(), place), "{text}");
    }
    for (text, title) in [
        (
            "{}",
            "nothing to verify: `ltl`, `properties` and `reach` are missing",
        ),
        (
            r#"{"properties": []}"#,
            "nothing to verify: `properties` is empty",
        ),
        (
            r#"{"properties": [{"name": "a"}]}"#,
            "a property needs the key `ltl`",
        ),
        (
            r#"{"ltl": 5}"#,
            "expected `ltl` (a string), found the number 5",
        ),
        (
            r#"{"properties": [{"ltl": "1"}], "expect": "true"}"#,
            "`expect` belongs into each of the `properties`",
        ),
        (
            r#"{"properties": [{"name": "a", "ltl": "1"}, {"name": "a", "ltl": "0"}]}"#,
            "two properties are called `a`",
        ),
        (
            r#"{"properties": [{"name": "ltl2", "ltl": "1"}, {"ltl": "0"}]}"#,
            "two properties are called `ltl2`",
        ),
    ] {
        assert_eq!(refused(text).0, title, "{text}");
    }
    assert!(read(r#"{"reach": ["error_*"]}"#)
        .unwrap()
        .properties
        .is_empty());
}

#[test]
fn propositions_are_checked() {
    for (proposition, title, place) in [
        (
            r#"{"cond": "x", "at": "l"}"#,
            "a proposition needs the key `name`",
            r#"{"cond": "x", "at": "l"}"#,
        ),
        (
            r#"{"name": "p", "cond": "x"}"#,
            "a proposition needs one of `span`, `at` and `function`",
            r#"{"name": "p", "cond": "x"}"#,
        ),
        (
            r#"{"name": "p", "at": "l"}"#,
            "a proposition needs `expr` (with `params`) or `cond`",
            r#"{"name": "p", "at": "l"}"#,
        ),
        (
            r#"{"name": "p", "at": "l", "function": "f", "cond": "x"}"#,
            "`span`, `at` and `function` exclude each other",
            r#""f""#,
        ),
        (
            r#"{"name": "p", "at": "l", "expr": "f", "cond": "x"}"#,
            "`expr` and `cond` exclude each other",
            r#""x""#,
        ),
        (
            r#"{"name": "p", "at": "l", "params": [], "cond": "x"}"#,
            "`params` belongs to `expr`",
            "[]",
        ),
        (
            r#"{"name": "p", "at": "l", "expr": "x > 1"}"#,
            "`expr` is the name of a C function",
            r#""x > 1""#,
        ),
        (
            r#"{"name": "p", "at": "l", "expr": "f", "params": ["f()"]}"#,
            "`f()` names no object: a call is no object; put it into the evaluation",
            "(",
        ),
        (
            r#"{"name": "p", "span": ["a"], "cond": "x"}"#,
            "`span` has two labels, not 1",
            r#"["a"]"#,
        ),
        (
            r#"{"name": "p", "span": ["a", "b", "c"], "cond": "x"}"#,
            "`span` has two labels, not 3",
            r#"["a", "b", "c"]"#,
        ),
        (
            r#"{"name": "p", "span": ["a", 1], "cond": "x"}"#,
            "expected a label (a string), found the number 1",
            "1",
        ),
        (
            r#"{"name": "p", "span": ["a", "a"], "cond": "x"}"#,
            "the area begins and ends at the same label",
            r#""a""#,
        ),
        (
            r#"{"name": "p", "span": ["_begin", "a"], "cond": "x"}"#,
            "`_begin` cannot stand beside a label",
            r#""_begin""#,
        ),
        (
            r#"{"name": "p", "span": ["_end", "_begin"], "cond": "x"}"#,
            "`_end` cannot stand beside a label",
            r#""_end""#,
        ),
        (
            r#"{"name": "p", "span": "a", "cond": "x"}"#,
            "expected `span` (an array), found a string",
            r#""a""#,
        ),
        (
            r#"{"name": "p", "default": 2, "at": "l", "cond": "x"}"#,
            "expected `default` (`true` or `false`), found the number 2",
            "2",
        ),
        (
            r#"{"name": "p", "instances": "some", "at": "l", "cond": "x"}"#,
            "`instances` cannot be `some`",
            r#""some""#,
        ),
        (
            r#"{"name": "p", "spam": [], "at": "l", "cond": "x"}"#,
            "a proposition has no key `spam`",
            r#""spam""#,
        ),
        (
            r#"{"name": "", "at": "l", "cond": "x"}"#,
            "a proposition needs a name",
            r#""""#,
        ),
        (
            r#"{"name": "p", "at": "l", "cond": "x"}, {"name": "p", "at": "l", "cond": "x"}"#,
            "the proposition `p` is declared twice",
            r#""p""#,
        ),
    ] {
        let text = format!(r#"{{"pa": [{proposition}], "ltl": "F {{z}}"}}"#);
        assert_eq!(refused(&text), (title.to_owned(), place), "{text}");
        let name_taken = proposition.matches("\"p\"").count() == 1;
        if name_taken {
            // One mistake gives one message; the proposition still counts as declared.
            let text = format!(r#"{{"pa": [{proposition}], "ltl": "F p"}}"#);
            assert_eq!(read(&text).unwrap_err().len(), 1, "{text}");
        }
    }
}

#[test]
fn another_word_for_a_key_is_one_message_that_names_the_key() {
    let text = r#"{"properties": [{"name": "p", "formula": "F {z}"}]}"#;
    let errors = read(text).expect_err("the key is `ltl`");
    let titles: Vec<&str> = errors.iter().map(|e| e.title.as_str()).collect();
    assert_eq!(titles, ["a property has no key `formula`"]);
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `ltl`?"));
}

#[test]
fn errors_in_formulas_point_into_the_string() {
    for (formula, title, place) in [
        ("F q", "the proposition `q` is not declared", "q"),
        (
            r#"p && \"x\u0020y\""#,
            "the proposition `x y` is not declared",
            r#"\"x\u0020y\""#,
        ),
        (
            r"\u25a1 p p",
            "not a formula: expected an operator, found `p`",
            "p",
        ),
        (
            r"p\n\t& & p",
            "not a formula: expected a formula, found `&`",
            "&",
        ),
        (
            r"p \/\\ \/\\ p",
            "not a formula: expected a formula, found `/\\`",
            r"\/\\",
        ),
        (
            r"\ud835\udd58 U",
            "not a formula: expected a formula, found the end of the formula",
            "",
        ),
        (
            "",
            "not a formula: expected a formula, found nothing",
            "\"\"",
        ),
        (
            r"p\u0000",
            "not a formula: expected a formula or an operator, found the character U+0000",
            r"\u0000",
        ),
    ] {
        let text =
            format!(r#"{{"pa": [{{"name": "p", "at": "l", "cond": "x"}}], "ltl": "{formula}"}}"#);
        let (found, at) = refused(&text);
        assert_eq!((found.as_str(), at), (title, place), "{text}");
    }
    let text = r#"{"ltl": "p U (qq"}"#;
    let errors = read(text).unwrap_err();
    assert_eq!(&text[errors[0].secondary[0].span.clone()], "(");
}

#[test]
fn all_errors_are_found_at_once_in_order() {
    let text = r#"{"ltl": "G(p -> F q) &&", "unwind": -1, "foo": 1,
        "pa": [{"name": "p", "cond": "x"}, {"name": 3, "at": "l"}], "reach": [""], "prune": [7]}"#;
    let errors = read(text).unwrap_err();
    assert_eq!(errors.len(), 8, "{errors:#?}");
    assert!(errors
        .windows(2)
        .all(|w| w[0].span.start <= w[1].span.start));
}
