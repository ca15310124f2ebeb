//! Inputs that are wrong or made to break the reader get an answer, never a crash.

#![allow(clippy::unwrap_used)]

use crate::common::refused;
use cfront::{Source, Unit};
use proptest::prelude::*;

fn parse(bytes: &[u8]) -> Result<Unit, Vec<cfront::Diagnostic>> {
    Unit::parse(Source::from_bytes(bytes.to_vec()))
}

#[test]
fn nothing_at_all() {
    for text in ["", "\n", ";", ";;;\n", "# 1 \"a.c\"\n", "#pragma x\n"] {
        let unit = parse(text.as_bytes()).unwrap();
        assert!(unit.tree.items.is_empty());
    }
}

#[test]
fn nesting_bombs() {
    let (deep, half) = (
        testing::tried(10_000, 100_000),
        testing::tried(5_000, 50_000),
    );
    let bombs = [
        format!("int x = {}1{};", "(".repeat(deep), ")".repeat(deep)),
        format!("int x = {}1{};", "(".repeat(999), ")".repeat(999)),
        format!("void f(void) {}{}", "{".repeat(deep), "}".repeat(deep)),
        format!("void f(void) {{ {} ; }}", "if (1) ".repeat(deep)),
        format!("void f(void) {{ {} ; }}", "if (1) ; else ".repeat(deep)),
        format!(
            "void f(void) {{ {} ; }}",
            "if (1) if (2) ; else ".repeat(deep)
        ),
        format!("void f(void) {{ {} ; }}", "for (;;) ".repeat(deep)),
        format!(
            "void f(void) {{ {} ; {} }}",
            "do ".repeat(deep),
            "while (1);".repeat(deep)
        ),
        format!(
            "void f(void) {{ {} ; }}",
            (0..half).map(|i| format!("l{i}: ")).collect::<String>()
        ),
        format!(
            "void f(int c) {{ if (c) {} ; }}",
            (0..half).map(|i| format!("l{i}: ")).collect::<String>()
        ),
        format!(
            "void f(int c) {{ switch (c) {{ {} ; }} }}",
            (0..half).map(|i| format!("case {i}: ")).collect::<String>()
        ),
        format!(
            "int x = {}1;",
            "-".repeat(2).to_string().replace("--", "- ").repeat(deep)
        ),
        format!("int x = {}1;", "!".repeat(deep)),
        format!("int x = {}1;", "(int)".repeat(half)),
        format!("int x = {}1;", "sizeof ".repeat(half)),
        format!("int x = 1{};", " + 1".repeat(5 * deep)),
        format!("int x = 1{};", " ? 1 : 1".repeat(half)),
        format!("void f(int a) {{ a{} = 1; }}", " = a".repeat(half)),
        format!("void f(int a) {{ a{}; }}", ".a".repeat(half)),
        format!("void f(int *a) {{ a{}; }}", "[0]".repeat(half)),
        format!("int {}x;", "*".repeat(half)),
        format!("int x{};", "[1]".repeat(half)),
        format!("int {}x{};", "(".repeat(900), ")".repeat(900)),
        format!("int f{};", "(int (*)".repeat(400) + &")".repeat(400)),
        format!("int x[] = {}{};", "{".repeat(900), "}".repeat(900)),
        format!("{}int x;{}", "struct { ".repeat(500), "} a; ".repeat(500)),
        format!("int x = {}1{};", "({ 1 + ".repeat(300), "; })".repeat(300)),
        format!("int x = {}1{};", "f(".repeat(500), ")".repeat(500)),
    ];
    for bomb in bombs {
        let start = std::time::Instant::now();
        let _ = parse(bomb.as_bytes());
        let shown: String = bomb.chars().take(60).collect();
        assert!(start.elapsed().as_secs() < 300, "{shown}");
    }
}

/// The text before the nesting, one level of it, its core, the end of a level.
const ENDLESS: [(&str, &str, &str, &str); 12] = [
    ("int x = ", "(", "1", ")"),
    ("int x = ", "- ", "1", ""),
    ("int x = ", "1 + ", "1", ""),
    ("int x = ", "1 ? 1 : ", "1", ""),
    ("int x = ", "1 ? 1, ", "1", " : 1"),
    ("void f(void) ", "{", ";", "}"),
    ("void f(void) { ", "if (1) ", ";", ""),
    ("void f(void) { ", "if (1) ; else ", ";", ""),
    ("void f(void) { ", "do if (1) ; else ", ";", " while (0);"),
    ("void f(void) { ", "if (1) do ; while (0); else ", ";", ""),
    ("void f(void) { ", "for (;;) if (1) { ; } else ", ";", ""),
    (
        "void f(void) { ",
        "switch (1) if (1) ; else case 1: ",
        ";",
        "",
    ),
];

/// Neither separators nor ends of statements hide the depth of the parser's recursion.
#[test]
fn nesting_without_end_is_refused_at_its_place() {
    for (front, level, core, end) in ENDLESS {
        let times = testing::tried(100_000, 300_000);
        let (levels, ends) = (level.repeat(times), end.repeat(times));
        let close = if front.ends_with("{ ") { "}" } else { ";" };
        let text = format!("int before;\n{front}{levels}{core}{ends}{close}\n");
        let start = std::time::Instant::now();
        let list = parse(text.as_bytes()).unwrap_err();
        assert!(list[0].message.contains("too deeply"), "{level}: {list:?}");
        assert!(list[0].span.start > 12, "{level}: {:?}", list[0].span);
        let seconds = start.elapsed().as_secs();
        assert!(seconds < 300, "{level}: {seconds} seconds");
    }
}

/// Pairs of parentheses that lang-c would copy many times are refused before it sees them.
#[test]
fn many_deep_parentheses_are_refused() {
    let one = format!("x = {}1{};", "f(".repeat(900), ")".repeat(900));
    let accepted = format!("int f(int); void g(int x) {{ {one} }}");
    assert!(parse(accepted.as_bytes()).is_ok());
    let text = format!("int f(int); void g(int x) {{ {} }}", one.repeat(20));
    let list = parse(text.as_bytes()).unwrap_err();
    assert!(list[0].message.contains("too deeply"), "{list:?}");
}

#[test]
fn long_flat_programs_are_read() {
    let items: String = (0..20_000).map(|i| format!("int v{i} = {i};\n")).collect();
    let list: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let cases: String = (0..10_000).map(|i| format!("case {i}: ")).collect();
    let text = format!(
        "{items} int a[] = {{ {} }}; void f(int c) {{ switch (c) {{ {cases} ; }} }}",
        list.join(", ")
    );
    match parse(text.as_bytes()) {
        Ok(unit) => assert!(unit.tree.exprs.len() > 100_000),
        Err(list) => panic!("{}", list[0].message),
    }
}

/// Generated programs have expressions and chains of tens of thousands of parts.
#[test]
fn long_flat_expressions_are_read() {
    let parts = testing::tried(10_000, 20_000);
    let chains = [
        ("c = ", "c + ", "1;"),
        ("c = ", "g(c) * 2 - ", "1;"),
        ("if (", "c == 1 && ", "c) c = 1;"),
        ("if (", "(c == 1) || ", "c) c = 1;"),
        ("", "c = 1, ", "c = 2;"),
        ("c = ", "c == 1 ? 2 : ", "3;"),
        ("", "c = ", "1;"),
        ("", "if (c == 1) c = 2; else ", "c = 3;"),
        ("", "if (c == 1) { c = 2; } else ", "{ c = 3; }"),
        ("g(", "c, ", "c);"),
        ("int a[] = { ", "{ 1 }, ", "{ 2 } };"),
        ("char *s = ", "\"ab\" ", "\"c\";"),
    ];
    for (front, part, end) in chains {
        let chain = part.repeat(parts);
        let text = format!("int g(); void f(int c) {{ {front}{chain}{end} }}");
        if let Err(list) = parse(text.as_bytes()) {
            panic!("{part}: {}", list[0].message);
        }
    }
}

#[test]
fn broken_programs() {
    for (text, message) in [
        ("int main(void) { return 0;", "never closed"),
        ("int main(void) { return 0; }}", "no partner"),
        ("int x = (1];", "no partner"),
        ("char *s = \"abc;\n", "no end"),
        ("int c = 'a;\n", "no end"),
        ("/* comment", "no end"),
        ("int x = @;", "no C token"),
        ("int x = 1", "ends in the middle"),
        ("int f(void) { x = ; }", "syntax error at `;`"),
        (
            "int f(void) { int g(void) { return 1; } return g(); }",
            "a function within a function",
        ),
        (
            "int f(void) { return 1; } int f(void) { return 2; }",
            "defined a second time",
        ),
        ("T x;", "syntax error"),
        (
            "struct s { int a; }; int f(struct s *p) { return p->b; }",
            "no member `b`",
        ),
        ("int x; void x(void) {}", "something else"),
    ] {
        let list = refused(text);
        assert!(list.iter().any(|m| m.contains(message)), "{text}: {list:?}");
    }
}

#[test]
fn diagnostics_have_places() {
    let text = "# 1 \"dir/x.c\"\nint a;\n\n  int b = zz + 1;\n";
    let list = parse(text.as_bytes()).unwrap_err();
    let place = list[0].place.clone().unwrap();
    assert_eq!(
        (place.file.as_str(), place.line, place.column),
        ("dir/x.c", 3, 11)
    );
    assert_eq!(&place.text[place.underline.0..place.underline.1], "zz");
}

#[test]
fn original_lines_are_shown() {
    let mut source = Source::from_bytes(b"# 7 \"x.c\"\nint b = (1 + zz);\n".to_vec());
    let original = format!("{}int b = ONE_PLUS(zz); /* zzz */\n", "\n".repeat(6));
    source.files.insert("x.c".to_string(), original.into());
    let list = Unit::parse(source).unwrap_err();
    let place = list[0].place.clone().unwrap();
    assert!(place.text_is_original);
    assert_eq!((place.line, place.column), (7, 18));
    assert_eq!(&place.text[place.underline.0..place.underline.1], "zz");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: testing::tried(80, 200) as u32, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn any_tokens_get_an_answer(words in proptest::collection::vec(0..VOCABULARY.len(), 0..60)) {
        let text: Vec<&str> = words.iter().map(|&i| VOCABULARY[i]).collect();
        let _ = parse(text.join(" ").as_bytes());
        let body = format!("typedef int T; int x, *p; int f(int a) {{ {} }}", text.join(" "));
        if let Ok(unit) = parse(body.as_bytes()) {
            spans_are_sound(&unit);
        }
    }
}

const VOCABULARY: [&str; 52] = [
    "int",
    "T",
    "x",
    "p",
    "a",
    "f",
    "1",
    "\"s\"",
    "'c'",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ";",
    ",",
    "=",
    "+=",
    "++",
    "*",
    "&",
    "&&",
    "-",
    "?",
    ":",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "return",
    "goto",
    "L",
    "break",
    "struct",
    "typedef",
    "static",
    "sizeof",
    "__attribute__((x))",
    "__extension__",
    "asm(\"\")",
    ".",
    "->",
    "_Alignas(8)",
    "_Static_assert(1);",
    "__auto_type",
    "#pragma x\n",
];

/// Every expression begins and ends with a token, and encloses its text without parentheses.
fn spans_are_sound(unit: &Unit) {
    let boundary = |at: usize, end: bool| {
        unit.tokens.tokens.iter().any(|t| {
            if end {
                t.span.end == at
            } else {
                t.span.start == at
            }
        })
    };
    for (_, e) in unit.tree.exprs.iter() {
        assert!(
            boundary(e.span.start, false) && boundary(e.span.end, true),
            "{:?}",
            e
        );
        assert!(e.span.encloses(e.bare));
    }
    for (id, e) in unit.tree.exprs.iter() {
        for child in unit.tree.children(id) {
            assert!(e.span.encloses(unit.tree.exprs[child].span), "{:?}", e);
        }
    }
    for (_, s) in unit.tree.stmts.iter().filter(|(_, s)| !s.span.is_empty()) {
        assert!(
            boundary(s.span.start, false) && boundary(s.span.end, true),
            "{:?}",
            s
        );
    }
}
