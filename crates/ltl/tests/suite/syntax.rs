//! The concrete syntax: accepted texts with their readings, and refused texts.
#![allow(clippy::unwrap_used)]

use ltl::{parse, parse_into, print, print_parenthesised, Arena, Atom, Doubt, Style};
use std::collections::HashSet;

/// The reading of a text, fully parenthesised.
fn reading(text: &str) -> String {
    match parse(text) {
        Ok(p) => print_parenthesised(&p.arena, p.root, Style::Ascii, 1000),
        Err(e) => panic!("{text}: {e}"),
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(reading(text), *expected, "{text}");
    }
}

#[test]
fn every_spelling_of_every_operator() {
    check(&[
        ("[]p", "G p"),
        ("<>p", "F p"),
        ("□p", "G p"),
        ("◇p", "F p"),
        ("○p", "X p"),
        ("! p", "!p"),
        ("~p", "!p"),
        ("¬p", "!p"),
        ("not p", "!p"),
        ("p & q", "p && q"),
        ("p && q", "p && q"),
        ("p /\\ q", "p && q"),
        ("p ∧ q", "p && q"),
        ("p and q", "p && q"),
        ("p|q", "p || q"),
        ("p||q", "p || q"),
        ("p\\/q", "p || q"),
        ("p ∨ q", "p || q"),
        ("p or q", "p || q"),
        ("p->q", "p -> q"),
        ("p=>q", "p -> q"),
        ("p==>q", "p -> q"),
        ("p-->q", "p -> q"),
        ("p → q", "p -> q"),
        ("p<->q", "p <-> q"),
        ("p<=>q", "p <-> q"),
        ("p<==>q", "p <-> q"),
        (
            "[](AP(x == 1) ==> <>AP ( f(y) > 0 ))",
            "G({x == 1} -> F {f(y) > 0})",
        ),
        ("AP U AP(c == ')')", "AP U {c == ')'}"),
        ("p ↔ q", "p <-> q"),
        ("p U q", "p U q"),
        ("p R q", "p R q"),
        ("p V q", "p R q"),
        ("p W q", "p W q"),
        ("p WU q", "p W q"),
        ("p M q", "p M q"),
        ("true", "true"),
        ("1", "true"),
        ("⊤", "true"),
        ("TRUE", "true"),
        ("False", "false"),
        ("⊥", "false"),
        ("p xor q", "!(p <-> q)"),
        ("p ^ q", "!(p <-> q)"),
        ("p ⊕ q", "!(p <-> q)"),
        ("F[2:5] p", "F[2,5] p"),
        ("G[0..5] p", "G[<=5] p"),
        ("p U[2:] q", "p U[>=2] q"),
        ("O[3,inf] p", "O[>=3] p"),
        ("H[3,$] p", "H[>=3] p"),
        ("F[>=2 in 0,inf] p", "{p[=2:]}!"),
        ("false", "false"),
        ("0", "false"),
        ("[]<>p", "G F p"),
        ("(\"a b\")U({x>1})", "\"a b\" U {x>1}"),
    ]);
}

#[test]
fn precedence_and_association() {
    check(&[
        ("!a U b", "!a U b"),
        ("G a U b", "G a U b"),
        ("G a -> F b", "G a -> F b"),
        ("a U b U c", "a U (b U c)"),
        ("a U b W c R d M e", "a U (b W (c R (d M e)))"),
        ("a && b U c", "a && (b U c)"),
        ("a U b && c", "(a U b) && c"),
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a -> b <-> c", "a -> (b <-> c)"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a || b -> c && d", "(a || b) -> (c && d)"),
        ("a && b && c", "a && b && c"),
        ("(a && b) && c", "(a && b) && c"),
        ("a and b && c /\\ d", "a && b && c && d"),
        ("((a))", "a"),
    ]);
}

#[test]
fn glued_operators_and_identifiers_that_look_alike() {
    check(&[
        ("GF p", "G F p"),
        ("FG(p)", "F G p"),
        ("XXX p", "X X X p"),
        ("GFp", "G F p"),
        ("FG!p", "F G !p"),
        // The printed name is in quotes, as Spot requires.
        ("Go", "\"Go\""),
        ("F1", "F1"),
        ("G Go", "G \"Go\""),
        ("Green1 U Fork", "\"Green1\" U \"Fork\""),
        ("Fp0 -> p1", "F p0 -> p1"),
        ("Xp1 && Gp0", "X p1 && G p0"),
        ("Fa U a", "F a U a"),
        ("GFX_ok", "GFX_ok"),
        ("pUq", "pUq"),
        (
            "For or FU or Ftrue or (a U true)",
            "\"For\" || FU || \"Ftrue\" || (a U true)",
        ),
    ]);
    assert!(parse("GF p && FG(q) && X X r").unwrap().warnings.is_empty());
    for doubtful in ["Go", "GFp", "Fp0", "Fa -> a"] {
        let warnings = parse(doubtful).unwrap().warnings;
        assert_eq!(warnings.len(), 1, "{doubtful}");
        assert_eq!(warnings[0].doubt, Doubt::Glued);
        assert_eq!(warnings[0].span.start, 0);
    }
    assert_eq!(parse("GFp").unwrap().warnings[0].reading, "G F p");
    assert_eq!(parse("F1 && G(p) && Fork9x").unwrap().warnings.len(), 1);
}

#[test]
fn declared_names_leave_nothing_to_guess() {
    let declared: HashSet<String> = ["Fp0", "a", "GF"].map(str::to_owned).into();
    let read = |text: &str| {
        let mut arena = Arena::new();
        let p = parse_into(&mut arena, text, Some(&declared)).unwrap();
        assert!(p.warnings.is_empty(), "{text}");
        print_parenthesised(&arena, p.root, Style::Spin, 100)
    };
    assert_eq!(read("Fp0"), "\"Fp0\"");
    assert_eq!(read("GFa"), "[]<>a");
    assert_eq!(read("GF U a"), "\"GF\" U a");
    assert_eq!(read("Go"), "\"Go\"");
}

#[test]
fn words_are_operators_only_where_operators_stand() {
    check(&[
        ("G(r1 or r2)", "G(r1 || r2)"),
        ("not not p", "!!p"),
        ("not (p)", "!p"),
        ("not and p", "\"not\" && p"),
        ("or or and", "\"or\" || \"and\""),
        ("not", "\"not\""),
        ("not U not", "\"not\" U \"not\""),
    ]);
}

#[test]
fn conditions_keep_their_braces_strings_and_comments() {
    for (text, condition) in [
        ("{ a > b }", "a > b"),
        ("{ (struct s){1,2}.x }", "(struct s){1,2}.x"),
        ("{c == '}'}", "c == '}'"),
        ("{c == '\\''}", "c == '\\''"),
        ("{!strcmp(s, \"}{\\\"\")}", "!strcmp(s, \"}{\\\"\")"),
        ("{a /* } */ > 1}", "a /* } */ > 1"),
        ("{a /*/ } */ > 1}", "a /*/ } */ > 1"),
        ("{größe > 1}", "größe > 1"),
    ] {
        let p = parse(text).unwrap();
        assert_eq!(
            p.arena.atoms(),
            [Atom::Condition(condition.to_owned())],
            "{text}"
        );
        assert_eq!(p.occurrences[0].1, 0..text.len(), "{text}");
    }
}

#[test]
fn equal_propositions_are_shared_and_occurrences_listed() {
    let p = parse("p U \"p\" && {p}").unwrap();
    assert_eq!(p.arena.atoms().len(), 2);
    let spans: Vec<_> = p
        .occurrences
        .iter()
        .map(|(a, s)| (a.0, s.clone()))
        .collect();
    assert_eq!(spans, [(0, 0..1), (0, 4..7), (1, 11..14)]);
    assert_eq!(parse("GFp0").unwrap().occurrences[0].1, 2..4);
}

#[test]
fn mixtures_get_one_warning_with_the_reading() {
    for (text, span, reading) in [
        ("a U b U c", 0..9, "a U (b U c)"),
        ("p || (a U b R c)", 6..15, "a U (b R c)"),
        ("a -> b <-> c", 0..12, "a -> (b <-> c)"),
        ("a -> b -> c", 0..11, "a -> (b -> c)"),
        ("a && b U c", 0..10, "a && (b U c)"),
        ("a U b || c", 0..10, "(a U b) || c"),
        ("F(a || b && c)", 2..13, "a || (b && c)"),
        ("a U b U c U d && e", 0..18, "(a U (b U (c U d))) && e"),
        ("a U b U c -> d", 0..9, "a U (b U c)"),
        ("a -> b && c", 0..11, "a -> (b && c)"),
    ] {
        let warnings = parse(text).unwrap().warnings;
        assert_eq!(warnings.len(), 1, "{text}: {warnings:?}");
        assert_eq!(warnings[0].span, span, "{text}");
        assert_eq!(warnings[0].reading, reading, "{text}");
    }
    for plain in [
        "a U (b U c)",
        "a && (b U c)",
        "a && b || c",
        "a && b -> c",
        "a -> b || c",
        "a <-> b <-> c",
        "G a && F b",
        "a -> F b",
        "[]<>p -> []<>q",
        "G(a -> b U c)",
    ] {
        assert!(parse(plain).unwrap().warnings.is_empty(), "{plain}");
    }
}

#[test]
fn the_three_styles() {
    let p = parse("G(r -> F a) && X(b R \"G\") && !(true M {x > 1})").unwrap();
    let styles = [Style::Ascii, Style::Spin, Style::Unicode].map(|s| print(&p.arena, p.root, s));
    assert_eq!(
        styles,
        [
            "G(r -> F a) && X(b R \"G\") && !(true M {x > 1})",
            "[](r -> <>a) && X(b V \"G\") && !(true M {x > 1})",
            "□(r → ◇a) ∧ ○(b R \"G\") ∧ ¬(true M {x > 1})",
        ]
    );
}

#[test]
fn errors_say_where_and_what() {
    for (text, span, message) in [
        ("", 0..0, "expected a formula, found nothing"),
        ("  \n", 3..3, "expected a formula, found nothing"),
        (
            "p U",
            3..3,
            "expected a formula, found the end of the formula",
        ),
        (
            "G",
            1..1,
            "expected a formula, found the end of the formula",
        ),
        ("p q", 2..3, "expected an operator, found `q`"),
        ("p U U q", 4..5, "expected a formula, found `U`"),
        (
            "(p",
            2..2,
            "expected an operator or `)`, found the end of the formula",
        ),
        (
            "p)",
            1..2,
            "expected an operator or the end of the formula, found `)`",
        ),
        ("()", 1..2, "expected a formula, found `)`"),
        ("p && && q", 5..7, "expected a formula, found `&&`"),
        (
            "x > 1",
            0..5,
            "expected a formula or an operator, found `x > 1`",
        ),
        (
            "{x",
            2..2,
            "expected a closing `}`, found the end of the formula",
        ),
        (
            "{x == \"}",
            8..8,
            "expected a closing `}`, found the end of the formula",
        ),
        (
            "{ }",
            0..3,
            "expected a C condition in the braces, found `{}`",
        ),
        (
            "\"x",
            2..2,
            "expected a closing `\"`, found the end of the formula",
        ),
        ("\"\"", 0..2, "expected a proposition, found an empty name"),
        (
            "\"\\",
            2..2,
            "expected a closing `\"`, found the end of the formula",
        ),
        ("17", 0..2, "expected a formula, found `17`"),
        (
            "p\0",
            1..2,
            "expected a formula or an operator, found the character U+0000",
        ),
        ("p !", 2..3, "expected an operator, found `!`"),
        ("é 𝔘 é", 3..7, "expected an operator, found `𝔘`"),
        ("a €", 2..5, "expected a formula or an operator, found `€`"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(error.span, span, "{text}");
    }
    let open = parse("a && (b").unwrap_err();
    assert_eq!(open.beside.unwrap().0, 5..6);
}

/// Operators in the spelling of other languages: the error is at the word, and says what to write.
#[test]
fn who_writes_another_language_is_told_what_to_write() {
    for (text, place, help) in [
        ("always (p -> q)", "always", "`G`"),
        ("G(p -> s_eventually q)", "s_eventually", "`F`"),
        ("p && next[3] q", "next", "`X[3]`"),
        ("never p", "never", "`G !p`"),
        ("p until q", "until", "`p W q`"),
        ("p releases q", "releases", "`R`"),
        ("p T q", "T", "`B`"),
        ("G p implies F q", "implies", "`->`"),
        ("p U_[0,5] q", "U_", "`p U[2,5] q`"),
        ("G_[0,5] p", "G_", "`F[2,5] p`"),
        ("F(2,5) p", "2", "`F[2,5] p`"),
        ("F[2,5) p", "[2,5)", "`[2,4]`"),
        ("F<=5 p", "<", "`F[<=5] p`"),
        ("X[!] p", "[!]", "`X`"),
        ("X^3 p", "3", "`X[3]`"),
        ("AG p", "AG", "`G p`"),
        ("A[] p", "A", "`G p`"),
        ("LTLSPEC G p", "LTLSPEC", "alone"),
        ("G p;", ";", "without a sign"),
        ("if p then q", "if", "`p -> q`"),
        ("G x > 3", "x > 3", "`{x > 3}`"),
        ("!s.n = 3 U y", "s.n = 3", "`{s.n == 3}`"),
        ("b[2] > y && q", "b[2] > y", "`{b[2] > y}`"),
        ("full(q)", "(", "`{full(…)}`"),
        ("$rose(p)", "$", "`p && !Y p`"),
        ("p ##1 q", "#", "`{a; b}`"),
        ("G p, F q", ",", "`&&`"),
        ("p ? q : r", "?", "`(p -> q) && (!p -> r)`"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(&text[error.span.clone()], place, "{text}: {error}");
        let said = error.help.unwrap_or_default();
        assert!(said.contains(help), "{text}: {said}");
    }
}

/// Tools group exclusive or in different ways.
#[test]
fn exclusive_or_beside_others_gets_a_warning() {
    for (text, reading) in [
        ("p ^ q || r", "!(p <-> (q || r))"),
        ("p && q xor r", "!((p && q) <-> r)"),
        ("p -> q xor r", "p -> !(q <-> r)"),
    ] {
        let parsed = parse(text).unwrap();
        let readings: Vec<&str> = parsed.warnings.iter().map(|w| w.reading.as_str()).collect();
        assert_eq!(readings, [reading], "{text}");
    }
    assert!(parse("p xor q xor r").unwrap().warnings.is_empty());
}

#[test]
fn the_sample_formulas_of_the_papers() {
    check(&[
        ("G(! (p1 && p2))", "G !(p1 && p2)"),
        ("! oW WU (oY & ! oW)", "!oW W (oY && !oW)"),
        ("(G (! iA | (F oU)))", "G(!iA || F oU)"),
        (
            "!({input == 1} R !{output != 26})",
            "!({input == 1} R !{output != 26})",
        ),
    ]);
}
