//! Conditions of a specification, read in the scope of the program.

#![allow(clippy::unwrap_used)]

use crate::common::unit;
use cfront::tree::{ExprKind, Parent, Storage};
use cfront::{CallGraph, Unit, View};

const PROGRAM: &str = "\
# 1 \"dir/a.c\"
enum colour { RED, GREEN };
typedef struct { int len; int v[4]; } S;
typedef int T;
int charge, min;
static S s;
int check(int);
void signal1(int p) {
    static int status;
    int twice = 1;
    { int twice = 2; L: twice++; }
    charge = status + p;
}
# 1 \"dir/b-c.c\"
static int local_to_b;
int later;
";

fn read(text: &str, view: impl Fn(&Unit) -> View) -> Result<(Unit, Vec<String>), Vec<String>> {
    let mut unit = unit(PROGRAM);
    let view = view(&unit);
    match unit.fragment(text, view) {
        Ok(fragment) => {
            let names = fragment
                .names
                .iter()
                .map(|n| {
                    let o = &unit.tree.objects[n.object];
                    let line = unit.source.lines.line(o.name_span.start).1;
                    format!("{} {}:{line}", n.span.of(text), o.name)
                })
                .collect();
            assert_eq!(unit.tree.exprs[fragment.expr].parent, Parent::Fragment);
            assert_eq!(unit.tree.exprs[fragment.expr].span.of(text), text.trim());
            Ok((unit, names))
        }
        Err(list) => Err(list
            .iter()
            .map(|d| format!("{}: {}", d.span.of(text), d.message))
            .collect()),
    }
}

fn at_label(unit: &Unit) -> View {
    let f = unit.tree.function_named("signal1").unwrap();
    unit.view_at(unit.flows[&f].labels["L"])
}

#[track_caller]
fn accepts(text: &str, view: impl Fn(&Unit) -> View, names: &[&str]) {
    assert_eq!(read(text, view).unwrap().1, names, "{text}");
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    let list = read(text, |u| u.file_view()).map(|_| ()).unwrap_err();
    assert!(list[0].contains(message), "{list:?}");
}

#[test]
fn names_of_file_scope() {
    accepts(
        "charge > min",
        |u| u.file_view(),
        &["charge charge:4", "min min:4"],
    );
    accepts("later == RED", |u| u.file_view(), &["later later:2"]);
    accepts(
        "s.v[min] < (T)s.len",
        |u| u.file_view(),
        &["s s:5", "min min:4", "s s:5"],
    );
    accepts(
        "check(charge) && sizeof(S) > 3",
        |u| u.file_view(),
        &["charge charge:4"],
    );
}

#[test]
fn names_of_functions() {
    accepts(
        "signal1::status == RED || signal1::p",
        |u| u.file_view(),
        &["signal1::status status:8", "signal1::p p:7"],
    );
    accepts("signal1::twice > 0", at_label, &["signal1::twice twice:10"]);
    accepts(
        "signal1::twice@9 > 0",
        at_label,
        &["signal1::twice@9 twice:9"],
    );
    accepts("twice", at_label, &["twice twice:10"]);
}

#[test]
fn names_of_files() {
    accepts(
        "b-c.c::local_to_b - a.c::charge",
        |u| u.file_view(),
        &["b-c.c::local_to_b local_to_b:1", "a.c::charge charge:4"],
    );
    accepts(
        "min-signal1::p",
        |u| u.file_view(),
        &["min min:4", "signal1::p p:7"],
    );
}

#[test]
fn what_is_wrong() {
    refuses("nothing > 0", "nothing: `nothing` is not declared here");
    refuses(
        "signal1::nothing",
        "there is no `nothing` in the function `signal1`",
    );
    refuses("signal1::twice", "there are several `twice`");
    refuses("other::x", "no function or file `other`");
    refuses("signal1::twice@3", "in line 3");
    refuses("charge; min", "one C expression");
    refuses("charge; } int x; {", "no partner");
    refuses("int x", "one C expression");
    refuses("", "one C expression");
    refuses("if (charge) min", "");
    refuses("charge >", "syntax error");
    refuses("({ int x = 1; x; })", "no statements");
    refuses("T + 1", "");
    refuses("s.nothing", "nothing: there is no member `nothing`");
    refuses("undeclared(3)", "`undeclared` is not declared");
    refuses("\"abc", "no end");
    refuses("charge // min", "");
    refuses("::x", "stands between");
    refuses("signal1::", "stands between");
    refuses(
        &format!("{}1{}", "(".repeat(5000), ")".repeat(5000)),
        "too deeply",
    );
    refuses(&format!("{}1", "!".repeat(100_000)), "too deeply");
}

#[test]
fn a_refused_condition_leaves_the_unit_usable() {
    let mut unit = unit(PROGRAM);
    let view = unit.file_view();
    unit.fragment("nothing", view).unwrap_err();
    let fragment = unit.fragment("charge", view).unwrap();
    assert!(matches!(
        unit.tree.exprs[fragment.expr].kind,
        ExprKind::Ident(_)
    ));
    let status = unit
        .tree
        .objects
        .iter()
        .find(|(_, o)| o.name == "status")
        .unwrap()
        .1;
    assert_eq!(status.storage, Storage::StaticLocal);
}

#[test]
fn effects_of_conditions() {
    let mut unit = unit(
        "int g, h; int *p; int pure(int x) { int l = x; for (int i = 0; i < 3; i++) l += g; return l; }\n\
         int impure(void) { return h++; } int deep(void) { return impure(); } int rec(int n) { return n ? rec(n - 1) : 0; }\n\
         int ptr(void) { return *p; } int wptr(void) { return *p = 1; } int unknown(void); int asmf(void) { __asm__(\"\"); return 0; }",
    );
    let graph = CallGraph::new(&unit.tree);
    let view = unit.file_view();
    let mut effects = |text: &str| {
        let fragment = unit.fragment(text, view).unwrap();
        let e = unit.expr_effects(&graph, fragment.expr);
        let count = (
            e.reads.len(),
            e.writes.len(),
            e.loops.len(),
            e.recursive.len(),
        );
        (e.is_pure(|_| false), count, e.pointer_reads.len())
    };
    assert_eq!(effects("g > h"), (true, (2, 0, 0, 0), 0));
    assert_eq!(effects("pure(g)"), (true, (1, 0, 1, 0), 0));
    assert_eq!(effects("deep() == 1"), (false, (1, 1, 0, 0), 0));
    assert_eq!(effects("rec(2)"), (true, (0, 0, 0, 1), 0));
    assert_eq!(effects("ptr()"), (true, (1, 0, 0, 0), 1));
    assert!(!effects("wptr()").0);
    assert!(!effects("unknown()").0);
    assert!(!effects("asmf()").0);
    assert!(!effects("g = 1").0);
    assert!(effects("sizeof(g = 1)").0);
}
