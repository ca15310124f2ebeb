use std::collections::BTreeSet;

use crate::parse::Unit;
use crate::source::Source;
use crate::tree::ExprKind;

/// The slice for a specification that names these words.
fn sliced(text: &str, named: &[&str]) -> Option<String> {
    let source = Source::from_bytes(format!("# 1 \"p.c\"\n{text}").into_bytes());
    let unit = Unit::parse(source).expect("it is C");
    let own = unit.tree.exprs.iter().count();
    let named: BTreeSet<&str> = named.iter().copied().collect();
    let slice = super::sliced(&unit, own, &named)?;
    let unit = Unit::parse(slice).expect("it is C still");
    Some(unit.text().lines().skip(1).collect::<Vec<_>>().join("\n"))
}

/// Checks the slice of the body of a function with a loop; `x` is asked for.
fn check(start: &str, body: &str, wanted: &str) {
    let text = |body: &str| {
        format!("int x, y, z, a[4], in(void); {start}\nint main(void) {{ while (in()) {{ in(); {body} }} return 0; }}")
    };
    let found = sliced(&text(body), &["x"]).unwrap_or_else(|| text(body));
    assert_eq!(found, text(wanted), "{body}");
}

#[test]
fn assignments_that_nothing_depends_on_are_left_out() {
    check("", "x = 1; y++;", "x = 1; ;");
    check("", "y++; x = y;", "y++; x = y;");
    check("", "z = y; y++; x = 1;", "; ; x = 1;");
    check("", "y += z; if (x > 3) z = y;", "; ;");
    check("", "if (y > 3) x = 1; y++;", "if (y > 3) x = 1; y++;");
    check(
        "",
        "for (y = 0; y < 3; y++) z += y;",
        "for (y = 0; y < 3; y++) ;",
    );
    check(
        "",
        "int i; for (i = 0; i < 4; i++) if (z) a[i] = z;",
        "int i; ;",
    );
    for kept in [
        "for (int i = 0; i <= 4; i++) a[i] = z;",
        "for (int i = 0; i < 4 && z; i++) a[i] = z;",
        "for (int i = 0; i < 4; i++) { a[i] = z; i += x; }",
        "for (int i = -1; i < 4; i++) a[i] = z;",
        // It never ends: a proof that something happens behind it would be wrong.
        "for (signed char i = 0; i <= 127; i++) a[i] = z;",
        "for (_Bool i = 0; i < 2; i++) a[i] = z;",
    ] {
        check("", kept, &kept.replace("a[i] = z", "((void)(a[i]))"));
    }
    check("", "y = in();", "((void)(in()));");
    check("", "int l = y; l++; y = l;", "int l; ; ;");
    check("", "y++; if (z) break;", "; if (z) break;");
    check("", "switch (z) { case 1: y++; break; default: y--; }", ";");
    check(
        "",
        "switch (z) { case 1: y++; break; default: x--; }",
        "switch (z) { case 1: ; break; default: x--; }",
    );
    check("", "do { y++; if (z) y--; } while (0);", ";");
    check("", "if (++y > z) z = y;", ";");
    check("", "if (++y > z) x = 1;", "if (++y > z) x = 1;");
    check("", "y = (z = 1) + (z ? y++ : 0);", ";");
    check("", "y = (x = 1);", "((void)((x = 1)));");
    check("int abs(int);", "y = abs(z);", ";");
    check(
        "char *strcpy(char *, const char *); char b[9], *p;",
        "p = strcpy(b, \"on\");",
        "((void)(strcpy(b, \"on\")));",
    );
    check("", "y++, x++;", "((void)0), x++;");
    check(
        "",
        "if (z == 1) goto on; y++; on: x = 0;",
        "if (z == 1) goto on; ; on: x = 0;",
    );
    check("", "x ? y++ : z++; y && z++;", "; ;");
}

#[test]
fn the_place_of_an_element_stays() {
    check("", "a[x++] = y;", "((void)(a[x++]));");
    check("", "a[y] = in();", "((void)(a[y]), (void)(in()));");
    check("", "if (z) a[y] = 1;", "if (z) ((void)(a[y]));");
}

#[test]
fn members_are_told_apart() {
    let start = "struct s { int x, n; } s, *p = &s;";
    check(start, "s.n++; p->x = 1;", "; p->x = 1;");
    check(start, "p->n += 2;", "((void)(p->n));");
    check(start, "s.n++; x = p->n;", "s.n++; x = p->n;");
    check(
        start,
        "struct s t = s; s.n++; s = t;",
        "struct s t = s; ; s = t;",
    );
}

#[test]
fn what_is_read_in_another_way_stays() {
    let same = |start: &str, body: &str| check(start, body, body);
    same("int *p = &y;", "y++; x = *p;");
    same(
        "struct s { int n; } s; void out(void *);",
        "s.n++; out(&s);",
    );
    same(
        "struct s { int n; } s; struct t { int m; } *p;",
        "p = (struct t *)&s; s.n++; x = p->m;",
    );
    same(
        "union u { struct s { int n; } s; int m; } u;",
        "u.s.n++; x = u.m;",
    );
    same(
        "struct s { int n; } s; void out(struct s);",
        "s.n++; out(s);",
    );
    same(
        "struct s { int n; } s; void *v(void) { return &s; }",
        "s.n++; x = *(int *)v();",
    );
    same("_Atomic int shared;", "shared++;");
    same("extern int outside;", "outside = 1; in();");
    same("", "y++; __asm__(\"\" : : \"r\"(y));");
    same("", "a[1] = 2; x = a[z];");
}

#[test]
fn output_and_what_it_shows_are_left_out() {
    let start = "int printf(const char *, ...);";
    check(start, "y++; printf(\"%d\", y); x++;", "; ; x++;");
    // A thread may end where it writes.
    let start = format!("{start} int puts(const char *);");
    check(&start, "puts(\"a\"); y++; x++;", "; ; x++;");
    let cancelling = format!("{start} int pthread_cancel(unsigned long);");
    check(
        &cancelling,
        "pthread_cancel(1); puts(\"a\"); y++;",
        "pthread_cancel(1); puts(\"a\"); ;",
    );
    let counted = "y++; printf(\"%d%n\", y, &z);";
    check(&start, counted, counted);
    assert_eq!(
        sliced(
            &format!("{start} int y; int main(void) {{ y++; printf(\"a\"); }}"),
            &["y"]
        ),
        None
    );
}

/// Calls in conditions of the specification have texts of their own.
#[test]
fn arguments_in_conditions_of_the_specification_stay() {
    let text =
        "# 1 \"p.c\"\nint x, y; int is(int v) { return x; }\nint main(void) { y++; return is(y); }";
    let unit = Unit::parse(Source::from_bytes(text.into())).expect("it is C");
    let all = unit.tree.exprs.iter().count();
    let call = unit
        .tree
        .exprs
        .iter()
        .position(|(_, e)| matches!(e.kind, ExprKind::Call { .. }));
    let parts = |own| {
        let named = BTreeSet::new();
        super::sliced(&unit, own, &named).map(|source| source.text)
    };
    assert!(parts(all).is_some_and(|text| text.contains("is(0)")));
    let kept = parts(call.expect("a call")).unwrap_or_else(|| text.to_owned());
    assert!(kept.contains("is(y)"), "{kept}");
}

#[test]
fn arguments_that_nobody_looks_at_are_left_out() {
    let note = "void note(int v, int w) { y += v; x += w; }";
    let left = "void note(int v, int w) { ; x += w; }";
    let text = |note: &str, call: &str| {
        format!("int x, y, z; {note}\nint main(void) {{ for (;;) {{ z++; {call} }} }}")
    };
    let found = sliced(&text(note, "note(z, 1);"), &["x"]);
    let wanted = text(left, "note(0, 1);").replace("z++;", ";");
    assert_eq!(found, Some(wanted));
}
