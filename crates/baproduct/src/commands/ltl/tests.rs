#![allow(clippy::unwrap_used)]

use super::*;
use clap::Parser;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

/// The command's output, its messages, and its exit status.
fn ltl_with(arguments: &[&str], input: &[u8]) -> (String, String, u8) {
    let arguments = ["ltl"].iter().chain(arguments);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return (String::new(), error.to_string(), USAGE),
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        input: Box::new(input),
        out: Box::new(&mut out),
        err: Box::new(&mut err),
        color: false,
    };
    let code = execute(&cli.args, &mut streams).unwrap();
    drop(streams);
    (
        String::from_utf8(out).unwrap(),
        String::from_utf8(err).unwrap(),
        code,
    )
}

fn ltl(arguments: &[&str]) -> (String, String, u8) {
    ltl_with(arguments, b"")
}

/// The output of a run without messages.
fn good(arguments: &[&str]) -> String {
    let (out, err, code) = ltl(arguments);
    assert_eq!((err.as_str(), code), ("", 0), "{arguments:?}");
    out
}

#[test]
fn the_verdict_of_a_word() {
    for (formula, word, verdict) in [
        ("G p", "p", "presumably_true"),
        ("G p", "p; ; p", "false"),
        ("F q", "; q; ; q", "true"),
        ("G(p -> F q)", "p", "presumably_false"),
        ("G(p -> F q)", "p; q", "presumably_true"),
        ("G F p", "", "presumably_false"),
        ("G{x > 1; }", "{x > 1;}", "presumably_true"),
        ("G \"a b\"", "\"a b\";", "false"),
        ("1", "", "true"),
        ("p & !p", "p", "false"),
        // Two states together are universal, although neither is: no single state decides the word.
        ("X p || X !p", "p", "true"),
    ] {
        assert_eq!(
            good(&[formula, "--word", word]),
            format!("{verdict}\n"),
            "{formula} {word}"
        );
    }
    assert_eq!(
        good(&["G p", "--negate", "--word", "p"]),
        "presumably_false\n"
    );
}

#[test]
fn a_word_with_foreign_propositions_gets_a_warning() {
    let (out, err, code) = ltl(&["F p", "--word", "r; p; r {x}"]);
    assert_eq!((out.as_str(), code), ("true\n", 0));
    assert_eq!(
        err.matches("does not have the proposition").count(),
        2,
        "{err}"
    );
    let (_, err, code) = ltl(&["F p", "--word", "p, q"]);
    assert_eq!(code, USAGE);
    assert!(
        err.contains("not a word: expected a formula or an operator, found `,`"),
        "{err}"
    );
}

#[test]
fn the_sizes_on_one_line() {
    let line = good(&["G(p -> F q)", "--stats"]);
    let (sizes, time) = line.trim_end().split_once(" time_ms=").unwrap();
    assert_eq!(
        sizes,
        "states=2 edges=4 accepting=1 deterministic=true dfa_states=2"
    );
    assert!(time.parse::<f64>().is_ok_and(|t| t >= 0.0), "{time}");
}

#[test]
fn the_explanation() {
    let out = good(&["G(p -> F q)"]);
    assert!(out.contains("formula    G(p -> F q)\n"), "{out}");
    assert!(
        out.contains("verdicts   presumably_false (⊥ᵖ), presumably_true (⊤ᵖ)\n"),
        "{out}"
    );
    for (formula, verdicts) in [
        ("G p", "false (⊥), presumably_true (⊤ᵖ)"),
        ("F p", "presumably_false (⊥ᵖ), true (⊤)"),
        ("p U q", "false (⊥), presumably_false (⊥ᵖ), true (⊤)"),
        ("true", "true (⊤)"),
        ("p && !p", "false (⊥)"),
    ] {
        let out = good(&[formula]);
        assert!(out.contains(&format!("verdicts   {verdicts}\n")), "{out}");
    }
    let out = good(&["G(p -> F !p) && G(!p -> F p)"]);
    assert!(
        out.contains("class      liveness, not monitorable, stutter-invariant\n"),
        "{out}"
    );
    assert!(
        out.contains("\nNo finite run satisfies or violates this formula whatever follows; ⊥ᵖ is"),
        "{out}"
    );
}

#[test]
fn formulas_of_a_file_are_answered_line_by_line() {
    let input = b"# a comment\n\nG p\r\n  F q  \nG(\np\xff\nX p\nG(a U b U c)";
    let (out, err, code) = ltl_with(&["-F", "-", "--word", "p; q"], input);
    assert_eq!(out, "false\ntrue\nfalse\nfalse\n");
    assert_eq!(code, REFUSED);
    assert!(err.contains(" --> -:5:3"), "{err}");
    assert!(err.contains("line 6 is not UTF-8"), "{err}");
    assert!(err.contains("a U (b U c)"), "{err}");
    let (out, _, code) = ltl_with(&["-F", "-"], b"G p\nF \"x y\"");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(code, 0);
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with(
            "class=safety monitorable=true stutter_invariant=true verdicts=false,presumably_true "
        ),
        "{out}"
    );
    assert!(lines[1].ends_with("formula=F \"x y\""), "{out}");
}

#[test]
fn automata_for_other_tools() {
    let hoa = good(&["G(p -> F q)", "--hoa"]);
    assert!(
        hoa.starts_with("HOA: v1\nname: \"G(p -> F q)\"\nStates: 2\nStart: 0\nAP: 2 \"p\" \"q\"\n"),
        "{hoa}"
    );
    assert!(hoa.ends_with("--END--\n"), "{hoa}");
    let dot = good(&["F p", "--dot"]);
    assert!(
        dot.starts_with("digraph \"automaton\" {\n") && dot.contains("doublecircle"),
        "{dot}"
    );
    let never = good(&["F {x > 1}", "--never"]);
    assert_eq!(
        never,
        "never { /* F {x > 1} */\nT0_init:\n  do\n  :: (!(x > 1)) -> goto T0_init\n  \
         :: ((x > 1)) -> goto accept_all1\n  od;\naccept_all1:\n  skip\n}\n"
    );
    let renamed = good(&["G \"do\" && G \"a b\" && G p_do", "--never"]);
    assert!(
        renamed.contains("/* p_a_b is a b */") && renamed.contains("/* p_do_ is do */"),
        "{renamed}"
    );
    let tables = good(&["F p", "--tables"]);
    assert_eq!(
        tables,
        "state=0 initial=true accepting=false surely_accept=false surely_reject=false stutter_accept=p\n\
         state=1 initial=false accepting=true surely_accept=true surely_reject=false stutter_accept=true\n"
    );
    let negated = good(&["G !p", "--negate", "--tables"]);
    assert_eq!(negated, tables);
}

#[test]
fn each_form_is_one_line_for_each_formula_of_a_file() {
    for form in ["--hoa", "--dot", "--never", "--tables", "--stats"] {
        let (out, err, code) = ltl_with(&["-F", "-", form, "--negate"], b"G p\nF q\np U q\n");
        assert_eq!(
            (out.lines().count(), err.as_str(), code),
            (3, "", 0),
            "{form}: {out}"
        );
    }
    let (out, _, _) = ltl_with(&["-F", "-", "--hoa"], b"G(p -> F q)\n");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, &out).unwrap();
    let path = file.path().to_str().unwrap();
    let stats = good(&["F(p && G !q)", "--hoa-in", path, "--stats"]);
    assert!(
        stats.starts_with("states=2 edges=4 accepting=1 "),
        "{stats}"
    );
}

#[test]
fn an_automaton_of_the_negation_from_elsewhere() {
    let negation = good(&["G p", "--negate", "--hoa"]);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, &negation).unwrap();
    let path = file.path().to_str().unwrap();
    for arguments in [&["G p", "--hoa-in", path][..], &["--hoa-in", path]] {
        let with = |more: &[&str]| good(&[arguments, more].concat());
        assert_eq!(with(&["--word", "p; p"]), "presumably_true\n");
        assert_eq!(with(&["--word", "p; "]), "false\n");
        assert!(with(&[]).contains("of the negation\nmonitor    2 states\n"));
        assert!(with(&["--stats"]).contains(" dfa_states=2 "));
    }
    let (out, err, code) = ltl(&["F p", "--hoa-in", path]);
    assert_eq!((out.as_str(), code), ("", REFUSED));
    assert!(err.contains("it is not one of the negation"), "{err}");
    std::fs::write(
        &file,
        "HOA: v1\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 [0] 0\n--END--\n",
    )
    .unwrap();
    let (out, err, code) = ltl(&["F p", "--hoa-in", path]);
    assert_eq!((out.as_str(), code), ("", REFUSED));
    assert!(
        err.contains("not a usable automaton: there is no proposition 0"),
        "{err}"
    );
    assert!(err.contains(":4:11"), "{err}");
    assert_eq!(ltl(&["-F", "x", "--hoa-in", path]).2, USAGE);
}

#[test]
fn conditions_over_the_same_object_exclude_each_other() {
    let out = good(&["F({x == 1} && {x == 2})"]);
    assert!(out.contains("verdicts   false (⊥)\n"), "{out}");
    assert!(
        out.contains("alphabet   !{x == 1} || !{x == 2} always holds\n"),
        "{out}"
    );
    assert_eq!(
        good(&["G({x < 3} -> X !{5 < x})", "--word", "{x < 3}; "]),
        "presumably_true\n"
    );
    assert_eq!(good(&["{x == 1} && {x == 2}", "--word", ""]), "false\n");
    // A word that the conditions exclude still gets a verdict.
    assert_eq!(
        good(&["F({x == 1} && {x == 2})", "--word", "{x == 1} {x == 2}"]),
        "true\n"
    );
}

#[test]
fn formulas_that_are_refused() {
    let (out, err, code) = ltl(&["G(p"]);
    assert_eq!((out.as_str(), code), ("", REFUSED));
    assert!(
        err.starts_with("error: not a formula: expected an operator or `)`"),
        "{err}"
    );
    let deep = format!("{}p", "X ".repeat(10_000));
    let (out, err, code) = ltl(&[&deep]);
    assert_eq!((out.as_str(), code), ("", REFUSED));
    assert!(
        err.contains("this formula is too large: more than "),
        "{err}"
    );
}

#[test]
fn the_formula_can_come_from_standard_input() {
    let (out, _, code) = ltl_with(&["-", "--word", "p"], b"G\n(p)\n");
    assert_eq!((out.as_str(), code), ("presumably_true\n", 0));
}

#[test]
fn command_lines_that_make_no_sense() {
    for arguments in [
        &[][..],
        &["p", "-F", "x"],
        &["p", "--stats", "--word", "p"],
        &["p", "q"],
    ] {
        assert_eq!(ltl(arguments).2, USAGE, "{arguments:?}");
    }
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let cli = Cli::try_parse_from(["ltl", "-F", "no/such/file"]).unwrap();
    let mut streams = Streams {
        input: Box::new(&b""[..]),
        out: Box::new(io::sink()),
        err: Box::new(io::sink()),
        color: false,
    };
    let error = execute(&cli.args, &mut streams).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot read no/such/file: "),
        "{error}"
    );
}

#[test]
fn a_closed_pipe_is_told_from_other_errors() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let cli = Cli::try_parse_from(["ltl", "G p"]).unwrap();
    let mut streams = Streams {
        input: Box::new(&b""[..]),
        out: Box::new(Closed),
        err: Box::new(io::sink()),
        color: false,
    };
    let error = execute(&cli.args, &mut streams).unwrap_err();
    assert_eq!(crate::exit::report(&error), ExitCode::SUCCESS);
}
