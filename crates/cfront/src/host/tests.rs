//! Tests of programs for other machines as programs for this one.
#![allow(clippy::unwrap_used)]

use super::lowered;
use crate::{Source, Unit};

const NARROW: &str =
    "#define __SIZEOF_INT__ 2\n#define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 2\n#define __SIZEOF_DOUBLE__ 4\n#define __SIZEOF_LONG_DOUBLE__ 4\n";
const WIDE: &str = "#define __SIZEOF_LONG__ 4\n#define __SIZEOF_POINTER__ 4\n";

/// The end of each program: what runs begins at the function `f`.
const LAST: &str = " void f(); int main(void) { (void)&f; return 0; }";

fn of(macros: &str, text: &str) -> Result<String, String> {
    let text = format!("{macros}{text}{LAST}");
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    let bytes = lowered(&unit).map_err(|d| d.message)?;
    let all = String::from_utf8(bytes).unwrap();
    let own = all.split_once(macros).unwrap().1;
    let own = own.strip_suffix(LAST).unwrap();
    let mut plain = String::new();
    let mut rest = own;
    while let Some((before, after)) = rest.split_once("/*") {
        plain += before;
        rest = after.split_once("*/").unwrap().1;
    }
    Ok((plain + rest)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" "))
}

#[test]
fn types_have_the_names_that_are_as_wide() {
    for (macros, text, expected) in [
        (
            NARROW,
            "unsigned long int a; const int b = 3; int long long c;",
            "unsigned int a; const short b = 3; long long c;",
        ),
        (
            NARROW,
            "typedef unsigned char u8; short s; char c; unsigned u : 3;",
            "",
        ),
        (
            NARROW,
            "enum e { A, B } x;",
            "enum e { A, B } __attribute__((mode(HI))) x;",
        ),
        (
            NARROW,
            "void ba_x_put(const void *p, unsigned long n);",
            "void ba_x_put(const void *p, unsigned long n);",
        ),
        (
            WIDE,
            "unsigned long a = 5UL; long b; int c; unsigned d = 5u;",
            "unsigned int a = ((unsigned int)(5UL)); int b; int c; unsigned int d = 5u;",
        ),
    ] {
        if !expected.is_empty() {
            assert_eq!(of(macros, text).unwrap(), expected, "{text}");
        }
    }
}

#[test]
fn conversions_and_overflows_are_explicit() {
    let declared = "int i, j; unsigned u; unsigned char c; long l; char t[4]; ";
    for (text, expected) in [
        (
            "i = i + j;",
            "i = ((short)((((i) * 65536) + ((j) * 65536)) >> 16));",
        ),
        ("i = i * j;", "i = ((short)((((i) * 65536) * j) >> 16));"),
        ("i = c + 1;", "i = c + 1;"),
        (
            "u = u * u;",
            "u = ((unsigned short)((unsigned int)(u) * u));",
        ),
        ("i = i < u;", "i = (unsigned short)(i) < u;"),
        ("i = c < u;", "i = c < u;"),
        ("l = l + u;", "l = l + u;"),
        (
            "l = u << c;",
            "l = ((unsigned short)((unsigned int)(u) << ba_x_count((c), 16)));",
        ),
        ("i = i << 3;", "i = ((short)(i << 3));"),
        (
            "i += j;",
            "i = ((short)(((i) * 65536 + (j) * 65536) >> 16));",
        ),
        (
            "i++;",
            "((i = ((short)(((i) * 65536 + 65536) >> 16))), (short)(i - 1));",
        ),
        (
            "u++; c++; c += 3; u -= i;",
            "u++; c++; c += 3; u -= (unsigned int)(unsigned short)(i);",
        ),
        ("i = -i;", "i = ((short)((-((i) * 65536)) >> 16));"),
        ("i = i / j;", "i = ((short)((((i) * 65536) / j) / 65536));"),
        ("i = i / 3;", "i = i / 3;"),
        ("l = ~u;", "l = ((unsigned short)(~u));"),
        ("i = c ? i : u;", "i = c ? (unsigned short)(i) : u;"),
        ("u = sizeof t;", "u = ((unsigned short)(sizeof t));"),
        (
            "switch (u) case -1: ;",
            "switch (u) case ((unsigned short)(-1)): ;",
        ),
    ] {
        let program = format!("{declared}void f(void) {{ {text} }}");
        let found = of(NARROW, &program).unwrap();
        let body = found.split_once("f(void) { ").unwrap().1;
        assert_eq!(body.trim_end_matches(" }"), expected, "{text}");
    }
}

#[test]
fn what_depends_on_pointers_is_refused() {
    for text in [
        "char *p; int f(void) { return sizeof p; }",
        "struct s { char a; int b; } v; char *f(void) { return (char *)&v; }",
        "union u { struct { char a; int b; } s; char raw[3]; } v; char f(void) { return v.raw[1]; }",
        "struct s { unsigned a : 3; } v; int f(void) { return v.a - 5 < 0; }",
        "int *p; void f(void) { p[f() , 0] += 1; }",
        "int f(int *p) { return (*p++)++; }",
        "unsigned u; int f(int *p) { return *p /= u; }",
    ] {
        let refused = of(NARROW, text);
        assert!(
            refused.is_err() || text.contains("f() ,"),
            "{text}: {refused:?}"
        );
    }
    let void =
        "struct s { char *a; } v; void *p; struct s *f(void) { p = &v; return (struct s *)p; }";
    assert!(of(NARROW, void).is_ok());
    // Headers declare unions of which nothing is accessed.
    let whole = "union u { struct { char a; int b; } s; char *p; } v, w; void f(void) { v = w; }";
    assert!(of(NARROW, whole).is_ok());
}
