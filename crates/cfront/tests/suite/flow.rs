//! Control flow: labels, jumps, loops, and which points reach which.

#![allow(clippy::unwrap_used)]

use crate::common::{refused, unit};
use cfront::flow::{LoopKind, Target};
use cfront::{Flow, Unit};

/// The flow of the last function.
fn flow(unit: &Unit) -> &Flow {
    let (id, _, _) = unit.tree.defined_functions().last().unwrap();
    &unit.flows[&id]
}

/// Whether `from` reaches `to` without passing `avoiding`; each is a label, `entry` or `exit`.
fn reaches(body: &str, from: &str, to: &str, avoiding: &[&str]) -> bool {
    let text = format!("int c, d; void g(void); void exit(int); void f(void) {{ {body} }}");
    let unit = unit(&text);
    let flow = flow(&unit);
    let at = |name: &str| match name {
        "entry" => flow.entry(),
        "exit" => flow.exit(),
        name => flow.label(name).unwrap(),
    };
    let avoiding: Vec<_> = avoiding.iter().map(|n| at(n)).collect();
    flow.reaches(at(from), at(to), &avoiding)
}

#[track_caller]
fn check(body: &str, expected: &[(&str, &str, &[&str], bool)]) {
    for (from, to, avoiding, want) in expected {
        assert_eq!(
            reaches(body, from, to, avoiding),
            *want,
            "{from} to {to} avoiding {avoiding:?} in\n{body}"
        );
    }
}

#[test]
fn straight_lines_and_branches() {
    check(
        "a: c = 1; if (c) { b: d = 1; return; } else e: d = 2; z: ;",
        &[
            ("entry", "a", &[], true),
            ("a", "b", &[], true),
            ("a", "z", &["e"], false),
            ("b", "z", &[], false),
            ("b", "exit", &[], true),
            ("z", "a", &[], false),
        ],
    );
}

/// Macros write a block with a head as a loop with one iteration.
#[test]
fn loops_with_one_iteration_are_entered_and_left() {
    let of = |init: &str, step: &str, more: &str| {
        let text = format!(
            "int c, n; void h(int *); static int begin(void) {{ c = 1; return 1; }} static int try(void) {{ return c; }}\n\
             void f(void) {{ for (int on = {init}; on; {step}) {{ a: {more} b: ; }} z: ; }}"
        );
        let unit = unit(&text);
        let flow = flow(&unit);
        let at = |name: &str| flow.label(name).unwrap();
        // The body cannot be passed by, and can be left.
        let around = flow.reaches(flow.entry(), at("z"), &[at("a")]);
        assert!(flow.reaches(at("a"), at("z"), &[]), "{text}");
        around
    };
    for (init, step) in [
        ("1", "on = 0"),
        ("begin()", "on = 0"),
        ("begin()", "n++, on = 0"),
    ] {
        assert!(!of(init, step, "if (c) continue;"), "{init} {step}");
    }
    assert!(of("0", "on = 0", ""));
    assert!(of("try()", "on = 0", ""));
    assert!(of("begin()", "on = n", ""));
    assert!(of("begin()", "on = 0", "on = c;"));
    assert!(of("begin()", "on = 0", "h(&on);"));
}

#[test]
fn loops() {
    check(
        "while (c) { a: if (d) break; if (c) continue; b: ; } z: ;",
        &[
            ("a", "a", &[], true),
            ("a", "a", &["b"], true),
            ("b", "z", &["a"], true),
            ("z", "a", &[], false),
        ],
    );
    check(
        "do { a: if (c) continue; b: ; } while (d); z: ;",
        &[
            ("entry", "z", &["a"], false),
            ("a", "z", &["b"], true),
            ("b", "a", &[], true),
        ],
    );
    check(
        "for (int i = 0; i < c; i++) { a: if (d) goto z; } b: ; z: ;",
        &[
            ("entry", "b", &["a"], true),
            ("a", "z", &["b"], true),
            ("a", "a", &["z"], true),
        ],
    );
}

#[test]
fn constant_conditions() {
    check(
        "while (1) { a: ; } z: ;",
        &[
            ("a", "z", &[], false),
            ("a", "a", &[], true),
            ("entry", "exit", &[], false),
        ],
    );
    check(
        "while (1) { a: if (c) break; } z: ;",
        &[("a", "z", &[], true)],
    );
    check("for (;;) a: ; z: ;", &[("entry", "z", &[], false)]);
    check(
        "do { a: ; } while (0); z: ;",
        &[("a", "a", &[], false), ("a", "z", &[], true)],
    );
    check(
        "if (0) { a: ; } z: ;",
        &[("entry", "a", &[], false), ("entry", "z", &[], true)],
    );
}

#[test]
fn switches() {
    check(
        "switch (c) { d = 1; case 1: a: d = 2; case 2: b: break; default: e: ; } z: ;",
        &[
            ("entry", "a", &[], true),
            ("a", "b", &[], true),
            ("a", "e", &[], false),
            ("b", "z", &[], true),
            ("entry", "z", &["b", "e"], false),
        ],
    );
    check(
        "switch (c) { case 1: a: break; } z: ;",
        &[("entry", "z", &["a"], true)],
    );
}

#[test]
fn duffs_device() {
    check(
        "switch (c % 4) { case 0: do { a: d++; case 3: b: d++; case 2: e: d++; } while (--c > 0); } z: ;",
        &[
            ("entry", "e", &["a", "b"], true),
            ("e", "a", &[], true),
            ("a", "e", &["b"], false),
            ("entry", "z", &["a", "b", "e"], true),
        ],
    );
}

#[test]
fn jumps_into_and_out_of_blocks() {
    check(
        "goto b; { a: c = 1; b: c = 2; } goto e; while (c) { e: if (d) goto a; } z: ;",
        &[
            ("entry", "b", &["a"], true),
            ("b", "a", &["e"], false),
            ("e", "a", &[], true),
        ],
    );
}

#[test]
fn calls_that_do_not_return() {
    check(
        "a: exit(1); z: ;",
        &[("a", "z", &[], false), ("a", "exit", &[], false)],
    );
    check("a: if (c) exit(1); z: ;", &[("a", "z", &[], true)]);
    // The call may be skipped.
    check("a: c && (exit(1), 1); z: ;", &[("a", "z", &[], true)]);
}

#[test]
fn statement_expressions() {
    check(
        "a: c = ({ b: if (d) goto z; 1; }) + 1; e: ; z: ;",
        &[
            ("a", "e", &["b"], false),
            ("b", "z", &["e"], true),
            ("b", "e", &[], true),
        ],
    );
    check(
        "a: c = d && ({ b: 1; }); e: ;",
        &[("a", "e", &["b"], true), ("a", "b", &[], true)],
    );
    check(
        "while (({ b: c; })) a: ; z: ;",
        &[("a", "z", &["b"], false), ("a", "b", &[], true)],
    );
}

#[test]
fn computed_gotos() {
    check(
        "static void *t[] = { &&a, &&b }; goto *t[c]; a: d = 1; b: d = 2; e: ;",
        &[
            ("entry", "b", &["a"], true),
            ("entry", "e", &["a", "b"], false),
        ],
    );
    check(
        "__asm__ goto (\"\" : : \"r\"(c) : \"memory\" : b); a: ; b: ;",
        &[("entry", "b", &["a"], true), ("entry", "a", &[], true)],
    );
}

#[test]
fn jump_targets() {
    let unit = unit(
        "void f(int c) { while (c) { switch (c) { case 1: break; case 2: continue; } if (c) goto l; return; } l: ; }",
    );
    let flow = flow(&unit);
    let kinds: Vec<&str> = flow
        .jumps
        .iter()
        .map(|j| match j.target {
            Target::Behind(_) => "behind",
            Target::Next(_) => "next",
            Target::Label(_) => "label",
            Target::Caller => "caller",
            Target::AnyOf(_) => "any",
        })
        .collect();
    assert_eq!(kinds, ["behind", "next", "label", "caller"]);
}

#[test]
fn loops_and_gotos_that_loop() {
    let unit = unit(
        "void f(int c) { again: if (c) goto out; for (;;) { while (c) c--; goto again; } do c++; while (c); \
         goto forward; forward: ; out: ; }",
    );
    let kinds: Vec<LoopKind> = flow(&unit).loops.iter().map(|l| l.kind).collect();
    assert_eq!(
        kinds,
        [
            LoopKind::Goto,
            LoopKind::For,
            LoopKind::While,
            LoopKind::DoWhile
        ]
    );
}

#[test]
fn wrong_labels_and_jumps() {
    for (body, message) in [
        ("l: ; l: ;", "the label `l` is defined twice"),
        ("goto nowhere;", "there is no label `nowhere`"),
        ("break;", "`break` stands outside"),
        ("switch (1) { continue; }", "`continue` stands outside"),
        ("case 1: ;", "stands outside of any `switch`"),
    ] {
        let list = refused(&format!("void f(void) {{ {body} }}"));
        assert!(list.iter().any(|m| m.contains(message)), "{list:?}");
    }
}

#[test]
fn labels_before_declarations_and_braces() {
    let text = "int f(int c) { a: int x = 1; b: c: d: x++; switch (x) { case 1: case 2: default: } if (c) l: x--; else m: n: x++; e: }";
    let unit = unit(text);
    let flow = flow(&unit);
    let mut labels: Vec<(&str, &str)> = flow
        .labels
        .iter()
        .map(|(name, &id)| (name.as_str(), unit.text_of(unit.tree.stmts[id].span)))
        .collect();
    labels.sort_unstable();
    assert_eq!(
        labels,
        [
            ("a", "a:"),
            ("b", "b: c: d: x++;"),
            ("c", "c: d: x++;"),
            ("d", "d: x++;"),
            ("e", "e:"),
            ("l", "l: x--;"),
            ("m", "m: n: x++;"),
            ("n", "n: x++;"),
        ]
    );
}
