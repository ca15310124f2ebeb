//! Several files that are linked together: which entities they share, and which they do not.

#![allow(clippy::unwrap_used)]

use cfront::tree::{ExprKind, Resolved};
use cfront::{Edits, OutputOptions, Source, Unit};

fn source(name: &str, text: &str) -> Source {
    Source::from_bytes(format!("# 1 \"{name}\"\n{text}").into_bytes())
}

fn read(texts: &[&str]) -> Result<Unit, Vec<String>> {
    let names = ["a.c", "b.c", "c.c"];
    let sources = names.iter().zip(texts).map(|(n, t)| source(n, t)).collect();
    Unit::parse_all(sources).map_err(|l| l.iter().map(ToString::to_string).collect())
}

/// The meanings of a name's occurrences in expressions, in order; equal strings for the same
/// entity.
fn uses(unit: &Unit, name: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (_, expr) in unit.tree.exprs.iter() {
        let meaning = match &expr.kind {
            ExprKind::Ident(Resolved::Object(o)) if unit.tree.objects[*o].name == name => {
                format!("{o:?}")
            }
            ExprKind::Ident(Resolved::Function(f)) if unit.tree.functions[*f].name == name => {
                format!("{f:?}")
            }
            _ => continue,
        };
        found.push((expr.span.start, meaning));
    }
    found.sort();
    found.into_iter().map(|(_, meaning)| meaning).collect()
}

#[test]
fn external_names_are_one_thing() {
    let unit = read(&[
        "int x = 1; int f(void); int main(void) { x = 2; return f(); }",
        "extern int x; int f(void) { return x; } int g(void) { extern int x; return x + f(); }",
    ])
    .unwrap();
    let x = uses(&unit, "x");
    assert_eq!(x.len(), 3);
    assert!(x.iter().all(|meaning| *meaning == x[0]), "{x:?}");
    let f = uses(&unit, "f");
    assert_eq!(f[0], f[1]);
    assert_eq!(unit.part_of(unit.parts[1].start), 1);
}

#[test]
fn static_names_types_and_tags_stay_apart() {
    let unit = read(&[
        "typedef int t; struct s { int a; }; static int x; static int f(void) { return x; } int main(void) { struct s v = { 1 }; t y = v.a; return f() + y; }",
        "struct s { char *b; }; static char *x; static char *f(struct s *p) { int t = 1; return x + t + (p->b - x); } char *g(struct s *p) { return f(p); }",
    ])
    .unwrap();
    let x = uses(&unit, "x");
    assert!(x[0] != x[1] && x[1] == x[2], "{x:?}");
    let f = uses(&unit, "f");
    assert_ne!(f[0], f[1]);
}

#[test]
fn types_are_those_of_the_file() {
    let unit = read(&[
        "struct s; extern struct s *p; extern struct s v; int f(void) { return p != 0; }",
        "struct s { int a; } v; struct s *p = &v; int main(void) { p->a = 1; return v.a; }",
        "struct s { int b; }; extern struct s v; int h(void) { return v.b; }",
    ])
    .unwrap();
    assert_eq!(unit.tree.defined_functions().count(), 3);
}

#[test]
fn two_definitions_are_refused_and_inline_ones_are_not() {
    let errors = read(&["int f(void) { return 1; }", "int f(void) { return 2; }"]).unwrap_err();
    assert!(errors[0].contains("defined a second time"), "{errors:?}");
    assert!(errors[0].starts_with("b.c:1"), "{errors:?}");
    let inline = "inline int f(void) { return 1; }";
    read(&[inline, inline]).unwrap();
}

#[test]
fn each_file_is_written_alone() {
    let texts = ["int x;\nint main(void) { return x; }\n", "int f(void);\n"];
    let unit = read(&texts).unwrap();
    let mut edits = Edits::new();
    let at = unit.text().rfind("int f").unwrap();
    edits.insert(at, 0, "/* here */ ").unwrap();
    let options = OutputOptions {
        epilogue: "/* end */\n",
        ..OutputOptions::default()
    };
    let written = unit.emit_all(&edits, &[options, options]).unwrap();
    let written: Vec<String> = written
        .into_iter()
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .collect();
    assert!(written[0].contains("int main") && !written[0].contains("here"));
    assert!(written[1].contains("/* here */ int f(void);") && written[1].contains("\"b.c\""));
    assert!(written.iter().all(|text| text.ends_with("/* end */\n")));
}
