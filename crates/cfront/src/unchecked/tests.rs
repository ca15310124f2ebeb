#![allow(clippy::unwrap_used)]
use super::unchecked;
use crate::{Source, Unit};

/// What is told of a program.
fn told(before: &str, body: &str) -> Option<String> {
    let text = format!(
        "typedef unsigned long size_t; extern int in(void); extern void *memcpy(void *, const void *, size_t);\n\
         extern void *memset(void *, int, size_t); extern char *strchr(const char *, int);\n\
         typedef long place[8]; extern int setjmp(place); extern void longjmp(place, int) __attribute__((noreturn));\n\
         place b; int bad; {before}\n\
         int main(void) {{ {body} return 0; }}\n"
    );
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    unchecked(&unit.tree, &unit.flows, |_| true).map(|(_, what)| what)
}

/// Each row: declarations, the body of `main`, a word of what is told or nothing.
fn check(rows: &[(&str, &str, &str)]) {
    for (before, body, word) in rows {
        let told = told(before, body);
        let as_expected = match word.is_empty() {
            true => told.is_none(),
            false => told.as_deref().is_some_and(|told| told.contains(word)),
        };
        assert!(as_expected, "{before} {body}: {told:?}");
    }
}

#[test]
fn writes_to_constants_on_the_stack_and_to_constant_members_are_told() {
    let s = "struct s { const int a; int b; };";
    check(&[
        ("", "const int k = 3; int *p = (int *)&k; *p = 4;", "`k`"),
        ("", "const int k = 3; int *p = &k; *p = 4;", "`k`"),
        (
            "void set(int *p) { *p = 4; }",
            "const int k[2] = {3}; set((int *)k);",
            "`k`",
        ),
        ("", "const int k = 3; memcpy((void *)&k, &bad, 4);", "`k`"),
        ("", "const char k[] = \"ab\"; *strchr(k, 'a') = 0;", "`k`"),
        (s, "struct s x = {1}; *(int *)&x.a = 4;", "`x`"),
        (s, "struct s x = {1}; memset(&x, 0, sizeof x);", "`x`"),
        (
            s,
            "struct s x = {1}; struct s *p = &x; p->b = 4; int *q = &x.b; *q = 5;",
            "",
        ),
        (
            s,
            "struct s x = {1}; void *v = &x; struct s *p = v; p->b = 4;",
            "",
        ),
        (
            s,
            "struct s x = {1}, y = x; memcpy(&bad, &x, 4); bad = y.a;",
            "",
        ),
        (
            "",
            "const int k = 3; int v, *p = &v; const int *c = &k; c = &v; *(int *)c = 4; *p = *c;",
            "`k`",
        ),
        (
            "",
            "const int k = 3; int v, *p = &v; const int *c = &k; *p = *c;",
            "",
        ),
        (
            "",
            "int v = 3; const int *c = &v; int *p = (int *)c; *p = 4;",
            "",
        ),
        (
            "struct two { const int *k; int *v; };",
            "const int k = 3; struct two t = { &k, &bad }; *t.v = *t.k;",
            "",
        ),
    ]);
}

#[test]
fn truth_values_that_are_written_as_other_values_are_told() {
    let u = "union { _Bool b; unsigned char c; } u;";
    check(&[
        (
            "",
            "_Bool b; unsigned char c = 5; memcpy(&b, &c, 1); bad = b;",
            "`b`",
        ),
        ("", "_Bool b[2]; *(unsigned char *)&b[1] = 5;", "`b`"),
        (
            "",
            "_Bool b, c = 1; memcpy(&b, &c, 1); memset(&b, 0, 1); bad = b;",
            "",
        ),
        (
            "void set(_Bool *p) { *p = in(); }",
            "_Bool b; set(&b); bad = b;",
            "",
        ),
        (u, "u.c = 5; bad = u.b;", "union"),
        (u, "u.b = 5; bad = u.b;", ""),
    ]);
}

#[test]
fn locals_that_are_changed_before_a_jump_and_read_after_it_are_told() {
    check(&[
        (
            "",
            "int x = 1; if (setjmp(b)) { bad = x; return 0; } x = 2; longjmp(b, 1);",
            "`x`",
        ),
        (
            "void f(void) { longjmp(b, 1); }",
            "int x = 1; if (setjmp(b)) bad = x; else { x++; f(); }",
            "`x`",
        ),
        (
            "void set(int *p) { *p = 2; longjmp(b, 1); }",
            "int x = 1; if (setjmp(b)) bad = x; else set(&x);",
            "`x`",
        ),
        (
            "",
            "volatile int x = 1; if (setjmp(b)) { bad = x; return 0; } x = 2; longjmp(b, 1);",
            "",
        ),
        (
            "",
            "static int x = 1; if (setjmp(b)) { bad = x; return 0; } x = 2; longjmp(b, 1);",
            "",
        ),
        (
            "",
            "int x = 1; if (setjmp(b)) { bad = x; return 0; } longjmp(b, 1);",
            "",
        ),
        (
            "",
            "int x = 1; if (setjmp(b)) { x = 3; bad = x; return 0; } x = 2; longjmp(b, 1);",
            "",
        ),
        (
            "int f(void) { longjmp(b, 1); }",
            "int x = 1; if (setjmp(b)) { bad = x; return 0; } x = f();",
            "",
        ),
        (
            "void f(void) { longjmp(b, 1); }",
            "for (int i = 0; i < 3; i++) { if (setjmp(b) == 0) f(); }",
            "",
        ),
        ("void f(void) { longjmp(b, 1); } void (*act)(void) = f;", "int k = 0; for (int i = 0; i < 3; i++) { if (!setjmp(b)) act(); else k += i; } bad = k;", ""),
        ("void f(void) { longjmp(b, 1); } void (*act)(void) = f;", "int k = 0; if (setjmp(b)) bad = k; k = 1; act();", "`k`"),
        ("place *now; void f(void) { longjmp(*now, 1); }", "place own; now = &own; if (setjmp(own)) return 1; f();", ""),
        (
            "",
            "int r = setjmp(b); if (r == 0) longjmp(b, 1); bad = r;",
            "",
        ),
    ]);
}

#[test]
fn arguments_without_names_that_are_read_as_of_another_type_are_told() {
    let f = |ty: &str| {
        format!(
            "typedef __builtin_va_list list; int take(list l) {{ return __builtin_va_arg(l, {ty}) == 3; }}\n\
             int f(int n, ...) {{ list a; __builtin_va_start(a, n); int r = take(a); __builtin_va_end(a); return r; }}"
        )
    };
    let (int, unsigned, double) = (f("int"), f("unsigned"), f("double"));
    let both = int.replace("== 3", "== 3 || *__builtin_va_arg(l, const char *)");
    check(&[
        (&int, "bad = f(0, 3L);", "argument"),
        (&int, "bad = f(0, 3.0);", "argument"),
        (&both, "bad = f(0, 3); bad = f(0, \"x\");", ""),
        (&both, "bad = f(0, 3.0);", "argument"),
        (&double, "bad = f(0, 3);", "argument"),
        (
            &int,
            "bad = f(0, 3, 'c'); short s = 1; _Bool t = 1; bad = f(0, s, t);",
            "",
        ),
        (&unsigned, "bad = f(0, 3, 4u);", ""),
        (&double, "float x = 1; bad = f(0, 3.0, x);", ""),
        ("int f(const char *s, ...);", "f(\"%d\", 3L);", ""),
    ]);
}

#[test]
fn objects_that_are_changed_and_used_through_a_pointer_without_an_order_are_told() {
    let before = "int two(int a, int b);";
    check(&[
        (before, "int i = 1, *p = &i, k = *p + i++;", "`i`"),
        (before, "int i = 1, *p = &i; i = (*p)++;", "`i`"),
        (before, "int i = 1, *p = &i; *p = i++;", "`i`"),
        (before, "int i = 1, *p = &i; two(i, *p = 2);", "`i`"),
        (before, "int i = 1, *p = &i, k; k = p[0] + ++i;", "`i`"),
        (before, "int i = 1, j, *p = &j, k = *p + i++; p = &k;", ""),
        (before, "int i = 1, *p = &i; i = *p + 1; *p += i;", ""),
        (before, "int i = 1, *p = &i; two(i, *p);", ""),
        (before, "int i = 1, *p = &i; i++, *p = 2;", ""),
        (before, "int i = 1, *p = &i; *p && i++;", ""),
        (
            before,
            "int a[4], i = 1, *p = a; *p++ = i++; *p = a[i];",
            "",
        ),
    ]);
}
