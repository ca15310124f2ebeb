//! Damaged inputs: a mutated program, specification or formula is accepted, or refused with a
//! message, and a woven program compiles if the original does.
//!
//! The mutations are the same every time; `BAPRODUCT_MUTATIONS=N` makes N times as many.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::random::Random;
use crate::support::{repository, thorough, Dir, Ran};

const C: [&str; 44] = [
    "int",
    "char *",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "return",
    "if (1)",
    "else",
    "while (0)",
    "do",
    "goto b;",
    "break;",
    "continue;",
    "switch (1)",
    "case 1:",
    "default:",
    "struct { int q; }",
    "enum { QQ }",
    "static",
    "const",
    "volatile",
    "_Atomic",
    "extern",
    "inline",
    "0",
    "1.5",
    "3inline",
    "0x",
    "\"s\"",
    "'c'",
    "x",
    "=",
    "==",
    "++",
    "->",
    "[",
    "]",
    "? :",
    "({ 1; })",
    "__extension__",
    "sizeof(int)",
];

const JSON: [&str; 26] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"\"",
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "\"ltl\"",
    "\"pa\"",
    "\"cond\"",
    "\"at\"",
    "\"_begin\"",
    "\"main::i\"",
    "\"x->y[0]\"",
    "[]",
    "{}",
    "\"each\"",
    "\"p\\u0000\"",
    "\"0W\"",
    "\"x % 1.5\"",
    "\"*x\"",
];

const LTL: [&str; 26] = [
    "G", "F", "X", "U", "R", "V", "W", "M", "[]", "<>", "!", "&&", "|", "->", "<->", "true", "0",
    "(", ")", "{", "}", "p", "q", "{x > 1}", "\"p q\"", "∧",
];

/// Identifiers, numbers, operators and the text between them.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if word && is_word => last.push(c),
            _ => out.push(c.to_string()),
        }
        word = is_word;
    }
    out
}

/// Deletes, duplicates, swaps, replaces or inserts one to three tokens.
fn mutated(text: &str, words: &[&str], random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + random.below(3) {
        let solid: Vec<usize> = (0..tokens.len())
            .filter(|&i| !tokens[i].trim().is_empty())
            .collect();
        if solid.is_empty() {
            break;
        }
        let (at, other) = (
            solid[random.below(solid.len())],
            solid[random.below(solid.len())],
        );
        match random.below(5) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, format!("{} ", tokens[other])),
            2 => tokens.swap(at, other),
            3 => tokens[at] = random.of(words).to_string(),
            _ => tokens.insert(at, format!(" {} ", random.of(words))),
        }
    }
    tokens.concat()
}

/// Exchanges, duplicates or removes whole statements, or wraps one: most of these programs compile.
fn rearranged(text: &str, random: &mut Random) -> String {
    const AROUND: [(&str, &str); 8] = [
        ("if (1) ", ""),
        ("while (0) ", ""),
        ("do { ", " } while (0);"),
        ("{ ", " }"),
        ("for (;;) { ", " break; }"),
        ("switch (1) { case 1: ", " }"),
        ("if (0) ; else ", ""),
        ("({ ", " });"),
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let statements: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].trim_end().ends_with(';') && !lines[i].trim_start().starts_with('#'))
        .collect();
    if statements.is_empty() {
        return text.to_string();
    }
    let at = statements[random.below(statements.len())];
    let other = statements[random.below(statements.len())];
    match random.below(4) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[other].clone()),
        2 => lines.swap(at, other),
        _ => {
            let (before, behind) = AROUND[random.below(AROUND.len())];
            lines[at] = format!("{before}{}{behind}", lines[at].trim());
        }
    }
    lines.join("\n") + "\n"
}

/// The programs of `tests/small` with their specifications.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let entries = std::fs::read_dir(repository("tests/small")).unwrap();
    let mut specs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    specs.retain(|path| path.extension().is_some_and(|e| e == "json"));
    specs.sort();
    let pair = |spec: PathBuf| (spec.with_extension("c"), spec);
    specs.into_iter().map(pair).collect()
}

fn mutations(number: usize) -> usize {
    let times = std::env::var("BAPRODUCT_MUTATIONS").ok();
    number * times.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Checks that there is no crash and no internal error, that each refusal has a message, and that
/// nothing is left behind.
fn sane(ran: &Ran, dir: &Dir, before: &[String], input: &str) {
    assert!([0, 3].contains(&ran.status), "{ran:?}\n{input}");
    assert!(!ran.stderr.contains("panicked"), "{ran:?}\n{input}");
    if ran.status == 3 {
        assert!(ran.stderr.contains("error"), "{ran:?}\n{input}");
        assert_eq!(dir.names(), before, "{input}");
    }
}

fn compiles(file: &Path) -> bool {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-fsyntax-only"]).arg(file);
    gcc.stderr(Stdio::null()).status().unwrap().success()
}

/// Weaves the mutations of all pairs in turn; returns how many were accepted.
fn woven(
    number: usize,
    seed: u64,
    mutate: impl Fn(&str, &str, &mut Random) -> (String, String),
) -> usize {
    let (pairs, mut random) = (pairs(), Random(seed));
    let mut accepted = 0;
    for n in 0..mutations(number) {
        let (program, spec) = &pairs[n * 7 % pairs.len()];
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let (program, spec) = mutate(&read(program), &read(spec), &mut random);
        let dir = Dir::with(&[("p.c", &program), ("s.json", &spec)]);
        let before = dir.names();
        let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
        sane(&ran, &dir, &before, &format!("{spec}\n{program}"));
        if ran.status == 0 && compiles(&dir.path("p.c")) {
            accepted += 1;
            let fine = compiles(&dir.path("out.c"));
            assert!(
                fine,
                "the woven program does not compile:\n{spec}\n{program}"
            );
        }
    }
    accepted
}

#[test]
fn programs_with_other_tokens() {
    woven(100, 1, |program, spec, random| {
        (mutated(program, &C, random), spec.to_string())
    });
}

#[test]
fn programs_with_other_statements() {
    let number = if thorough() { 120 } else { 60 };
    let accepted = woven(number, 2, |program, spec, random| {
        (rearranged(program, random), spec.to_string())
    });
    assert!(
        3 * accepted > number,
        "too few programs were woven to tell: {accepted}"
    );
}

#[test]
fn specifications_with_other_tokens() {
    woven(120, 3, |program, spec, random| {
        (program.to_string(), mutated(spec, &JSON, random))
    });
}

#[test]
fn formulas_with_other_tokens() {
    const FORMULAS: [&str; 6] = [
        "G(p -> F q)",
        "[] (!p U q)",
        "G F p && F G q",
        "p U (q R p) W {x == 1}",
        "X X p <-> \"p q\"",
        "(p M q) V p",
    ];
    let (dir, mut random) = (Dir::new(), Random(4));
    for n in 0..mutations(120) {
        let formula = mutated(FORMULAS[n % FORMULAS.len()], &LTL, &mut random);
        let how = [
            &[][..],
            &["--stats"],
            &["--hoa"],
            &["--never"],
            &["--word", "p;q"],
        ][n % 5];
        let ran = dir.run(&[&["ltl"], how, &["--", &formula]].concat());
        sane(&ran, &dir, &[], &formula);
    }
}
