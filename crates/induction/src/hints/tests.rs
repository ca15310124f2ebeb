//! Hints for small programs.

#![allow(clippy::unwrap_used)]
use super::*;
use cfront::Source;

fn hints(text: &str) -> Hints {
    let source = Source::from_bytes(text.as_bytes().to_vec());
    let unit = Unit::parse(source).unwrap();
    let own = unit.tree.exprs.iter().count();
    collect(&unit, own)
}

#[test]
fn what_gets_constants_alone_has_few_values() {
    let text = "int f(void); int state, other, n; void g(int p) { state = p; }\n\
        int main(void) { int in = f(); state = in > 0 ? 3 : 5; if (state == 7) g(4); other = in; n++; if (n < other) return 1; return 0; }\n";
    let found = hints(text);
    let values = |name: &str| {
        found
            .values(name)
            .map(|v| v.into_iter().collect::<Vec<_>>())
    };
    assert_eq!(values("p"), Some(vec![4]));
    assert_eq!(values("state"), Some(vec![0, 3, 4, 5]));
    assert_eq!(values("other"), None);
    assert_eq!(values("n"), None);
    assert!(found.constants["state"].contains(&7));
    assert!(found.pairs.contains(&("n".into(), "other".into())));
    assert!(found.conditions.iter().any(|(text, _)| text == "n < other"));
}

#[test]
fn what_happens_through_pointers_is_known_of_members() {
    let found = hints("struct m { int phase, ticks; } m; void f(struct m *p) { if (p->phase == 0) p->phase = 2; p->ticks++; if (p->ticks > 9) p->phase = 0; }\n");
    assert!(found.known("m.ticks").contains(&9));
    assert_eq!(found.values("m.ticks"), None);
    let phases = found.values("m.phase").map(|v| v.len());
    assert_eq!(phases, Some(2));
}

#[test]
fn elements_are_known_by_any_index() {
    let found = hints("int a[4], at; int main(void) { if (a[at] > 50) a[at] = 1; while (a[a[at]] > 0) at++; return 0; }\n");
    assert!(found.known("a[2]").contains(&50));
    assert_eq!(found.values("a[2]"), Some(BTreeSet::from([0, 1])));
    let texts: Vec<&str> = found.conditions.iter().map(|(t, _)| t.as_str()).collect();
    assert!(
        texts.contains(&"(unsigned long)(at) < 4ul && (a[at] > 50)"),
        "{texts:?}"
    );
    assert!(
        texts.contains(
            &"(unsigned long)(at) < 4ul && (unsigned long)(a[at]) < 4ul && (a[a[at]] > 0)"
        ),
        "{texts:?}"
    );
}

#[test]
fn masks_and_divisors_bound_what_gets_their_values() {
    let found = hints("int f(void); int to, at, n; int main(void) { to = f() & 7; n = f() % 50; while (at < to) at++; return 0; }\n");
    assert!(found.known("to").contains(&7));
    assert!(found.known("at").contains(&7));
    assert!(found.known("n").contains(&49) && found.known("n").contains(&-49));
}

#[test]
fn a_case_inside_a_loop_is_noticed() {
    let text = "int n; int main(void) { switch (n) { case 0: do { n++; case 1: n--; } while (n); } return 0; }\n";
    assert!(hints(text).loops.entered);
    let text = "int n; int main(void) { while (n) switch (n) { case 0: n++; } return 0; }\n";
    assert!(!hints(text).loops.entered);
}

#[test]
fn what_is_compared_is_related() {
    let found = hints("struct m { int at, to; } m; int f(struct m *p) { return ++p->at == p->to; }\n\
        unsigned n; int k; int main(void) { while (2 * k - 3 > (long)n) k--; return n++ + 1 > 3; }\n");
    assert!(found.related("m.to", "m.at"));
    assert!(!found.related("m.to", "n"));
    let texts: Vec<&str> = found.measures.iter().map(|m| m.text.as_str()).collect();
    let through = ["p != 0 ? p->at : 0", "p != 0 ? p->to : 0"];
    assert_eq!(texts, [&["2 * k - 3"][..], &through].concat());
    assert!(found.measures[0].signed && found.measures[0].bits == 32);
    assert!(found.related("2 * k - 3", "n"));
}

#[test]
fn remainders_and_steps_are_noted() {
    let found = hints("unsigned n; int m, k; int main(void) { n = n + 1; m += 4; k = k - 3; if ((n + 1) % 10 == 0) return m % 1000; return m / 2; }\n");
    assert_eq!(found.remainders.len(), 1);
    assert_eq!(found.remainders[0].0, "(n + 1) % 10");
    assert_eq!(found.remainders[0].2, 10);
    assert_eq!(found.steps["m"], BTreeSet::from([4]));
    assert_eq!(found.steps["k"], BTreeSet::from([3]));
    assert!(!found.steps.contains_key("n"));
}

#[test]
fn a_difference_in_a_narrow_type_is_measured() {
    let found = hints("unsigned short now, last; int main(void) { if ((unsigned short)(now - last) >= 100) last = now; return 0; }\n");
    let [measure] = found.measures.as_slice() else {
        panic!("{:?}", found.measures);
    };
    assert_eq!(measure.text, "(unsigned short)(now - last)");
    assert_eq!((measure.bits, measure.signed), (16, false));
    assert!(found.known(&measure.text).contains(&100));
}

#[test]
fn a_condition_through_a_pointer_with_one_target_names_the_target() {
    let found = hints(
        "struct s { int at, to; } one, two; int n; void f(struct s *p, struct s *q) { if (p->at < p->to + n) q->at = 1; if (q->at > q->to) n++; }\n\
         int main(void) { f(&one, &one); f(&one, &two); return 0; }\n",
    );
    let texts: Vec<&str> = found.conditions.iter().map(|(t, _)| t.as_str()).collect();
    assert!(texts.contains(&"one.at < one.to + n"), "{texts:?}");
    assert!(texts.contains(&"q != 0 && (q->at > q->to)"), "{texts:?}");
    let names: Vec<&str> = found.measures.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["one.to + n", "q->at", "q->to"]);
}

#[test]
fn amounts_that_move_between_variables_make_sums() {
    let found = hints(
        "int total, used, avail, x, y, z; void grab(int n) { avail -= n; used = used + n; }\n\
        void both(int k) { x += k; y += k; } void set(void) { total = used + z; }\n",
    );
    let sum =
        |all: &[(&str, i64)]| -> Sum { all.iter().map(|(n, f)| (n.to_string(), *f)).collect() };
    for wanted in [
        sum(&[("avail", 1), ("used", 1)]),
        sum(&[("x", 1), ("y", -1)]),
        sum(&[("total", 1), ("used", -1), ("z", -1)]),
    ] {
        assert!(found.kept.sums.contains(&wanted), "{:?}", found.kept.sums);
    }
}

#[test]
fn loops_that_count_through_few_values_are_known() {
    let text = "void g(int); void f(int n) { for (int i = 0; i < 4; i++) g(i); int k; for (k = 9; k >= 3; k -= 3) g(k);\n\
        for (k = 0; k < n; k++) g(k); for (k = 0; k < 100; k++) g(k); for (k = 0; n < 4; k++) g(k); }\n";
    let rounds: Vec<u32> = hints(text).loops.counted.iter().map(|c| c.rounds).collect();
    assert_eq!(rounds, [4, 3]);
}

#[test]
fn results_of_functions_have_the_constants_of_what_is_returned() {
    let text = "int nondet(void); int t; int clamp(void) { int v = nondet(); if (v > 100) v = 100; return v; }\n\
        void f(void) { if (t == 7) t = clamp(); }\n";
    assert!(hints(text).known("t").contains(&100));
}

#[test]
fn what_a_variable_begins_with_is_no_bound_of_it() {
    let text = "int nondet(void); int limit = 50, level, state = 1; void f(void) { int n = nondet(); if (n >= 10 && n <= 1000) limit = n;\n\
        if (level > limit) level = limit; if (state == n) state = 2; }\n";
    let found = hints(text);
    for name in ["limit", "level"] {
        assert!(
            found.known(name).is_superset(&BTreeSet::from([10, 1000])),
            "{name}"
        );
    }
    // Bounds of its own do not stand in the way of those of what is stored in it.
    let bounded = hints(&format!(
        "{text} void g(void) {{ if (limit < 20) limit = 20; }}\n"
    ));
    assert!(bounded
        .known("limit")
        .is_superset(&BTreeSet::from([10, 20, 1000])));
    // It has these values and no others.
    assert_eq!(found.known("state"), BTreeSet::from([1, 2]));
}

#[test]
fn positions_and_sums_of_arrays_are_known() {
    let found = hints(
        "int q[4], n, head, total, b[2] = {3, 4}; struct r { int at; char buf[9]; } *p;\n\
        void f(int x) { q[n++] = x; total += x; head = (head + 1) % 4; p->buf[p->at & 7] = q[head]; b[x] -= x; }\n",
    );
    let set = |all: &[&str]| -> BTreeSet<String> { all.iter().map(|n| n.to_string()).collect() };
    assert_eq!(found.kept.indices["q"], set(&["n", "head"]));
    assert_eq!(found.indices("q[3]"), set(&["n", "head"]));
    assert_eq!(found.indices("one.buf[2]"), set(&["->at"]));
    assert_eq!(found.kept.moduli, BTreeSet::from([2, 4, 8, 9]));
    assert_eq!(found.kept.counted, set(&["n"]));
    assert_eq!(found.kept.accumulated, set(&["b[]", "total"]));
    assert_eq!(found.kept.totals, BTreeMap::from([("b[]".to_string(), 7)]));
}

#[test]
fn what_a_sum_may_not_exceed_is_known_of_its_summands() {
    let found = hints("int credit, spent; void f(long coin) { if (credit + (int)coin - spent <= 500) credit += coin; if (credit * 7 > 90) credit = 0; }\n");
    for name in ["credit", "coin", "spent"] {
        assert!(found.known(name).contains(&500), "{name}");
        assert!(!found.known(name).contains(&90), "{name}");
    }
}

#[test]
fn sums_of_members_of_initialised_elements_are_known() {
    let totals = |text: &str| hints(text).kept.totals;
    let known = |all: &[(&str, i64)]| -> BTreeMap<String, i64> {
        all.iter().map(|(n, c)| (n.to_string(), *c)).collect()
    };
    let record = "struct r { int id, balance; };\n";
    let of = |list: &str| totals(&format!("{record}struct r all[2] = {list};\n"));
    assert_eq!(
        of("{{1, 50}, {2, 70}}"),
        known(&[("all[].id", 3), ("all[].balance", 120)])
    );
    assert_eq!(
        of("{{.balance = 50, .id = 1}, {.balance = 70}}"),
        known(&[("all[].balance", 120)])
    );
    assert_eq!(of("{{1, 50}, {2}}"), known(&[("all[].id", 3)]));
    assert_eq!(of("{1, 50, 2, 70}"), known(&[]));
    let inside =
        "struct m { int sold; int stock[3]; } m = { .stock = {2, 3, 4} }, n = {1, {5, 6}};\n";
    assert_eq!(
        totals(inside),
        known(&[("m.stock[]", 9), ("n.stock[]", 11)])
    );
}

#[test]
fn loops_through_short_arrays_are_known() {
    let text = "int q[4], far[99], n; int g(int); void f(int t) { int i; for (i = 1; i < n; i++) q[i - 1] = q[i];\n\
        while (i > 0 && q[i - 1] > t) { q[i] = q[i - 1]; i--; } for (i = 0; i < n; i++) far[i] = 0;\n\
        for (i = 0; i < n; i++) q[i] = g(i); for (i = 0; i < n; i++) q[0]++; for (i = 0; i < n; i += 2) q[i] = 0; }\n";
    let loops = hints(text).loops;
    let rounds: Vec<u32> = loops.indexing.iter().map(|c| c.rounds).collect();
    assert_eq!(rounds, [4, 4]);
    assert!(loops.counted.is_empty());
}

#[test]
fn stores_through_pointers_are_noticed() {
    let stores = |body: &str| {
        let text = format!(
            "struct s {{ int m; int a[3]; }} s; char text[9]; int n;\n\
             char *strncpy(char *, const char *, unsigned long); unsigned long strlen(const char *); int printf(const char *, ...);\n\
             void none(int *p) {{ *p = 1; }}\nint main(void) {{ {body} return 0; }}\n"
        );
        hints(&text).loops.stores
    };
    assert!(!stores(
        "s.m = 1; s.a[n]++; text[n] = 'x'; n = strlen(text); printf(\"%s\", text);"
    ));
    for body in [
        "struct s *p = &s; p->m = 1;",
        "char *p = text; p[n] = 'x';",
        "int *p = &n; ++*p;",
        "none(&n);",
        "strncpy(text, \"long\", n);",
    ] {
        assert!(stores(body), "{body}");
    }
}
