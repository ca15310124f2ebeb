use super::PASSES;
use crate::parse::Unit;
use crate::source::Source;

/// The text after all changes.
fn plain(text: &str) -> String {
    let source = Source::from_bytes(format!("# 1 \"p.c\"\n{text}").into_bytes());
    let mut unit = Unit::parse(source).expect("it is C");
    for pass in PASSES {
        if let Some(sources) = pass(&unit) {
            unit = Unit::parse_all(sources).expect("it is C still");
        }
    }
    unit.text().lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn escapes_end_where_c_ends_them() {
    let cases = [
        (r#""1\0002""#, r#""1\000" "2""#),
        (r#""\128""#, r#""\12" "8""#),
        (r#"L"\0001""#, r#"L"\000" "1""#),
        (r#""\e[1m\e[0m""#, r#""\033[1m\033[0m""#),
        (r#""\e1""#, r#""\033" "1""#),
        (r#""\0339\0""#, r#""\033" "9\0""#),
    ];
    for (from, to) in cases {
        let text = format!("const void *p = {from};");
        assert_eq!(plain(&text), format!("const void *p = {to};"));
    }
    for same in [r#""\\0002""#, r#""\033[0m\x1b9\n9\"1""#, r#""\377\377""#] {
        let text = format!("const void *p = {same};");
        assert_eq!(plain(&text), text);
    }
    assert_eq!(plain("int c = '\\e';"), "int c = '\\033';");
}

#[test]
fn casts_of_vectors_keep_the_bytes() {
    let start = "typedef int v2 __attribute__((vector_size(8))); v2 v; long long n; double d; typedef float f2 __attribute__((vector_size(8))); f2 real; ";
    let kept = |n: u32, value: &str, to: &str| {
        format!("(__extension__ ({{ union {{ __typeof__({value}) from; {to} to; }} vector_{n}; vector_{n}.from = ({value}); vector_{n}.to; }}))")
    };
    for (text, wanted) in [
        (
            "n = (long long)v;",
            format!("n = {};", kept(1, "v", "long long")),
        ),
        ("v = (v2)n;", format!("v = {};", kept(1, "n", "v2"))),
        (
            "v = (v2)real + (__typeof__(v))v;",
            format!(
                "v = {} + {};",
                kept(1, "real", "v2"),
                kept(2, "v", "__typeof__(v)")
            ),
        ),
        ("n = (int)v[1];", "n = (int)v[1];".to_owned()),
        ("n = (int)d;", plain("int f(double d) { return (int)d; }")),
    ] {
        let is_vector = wanted.contains("union");
        let made = plain(&format!("{start}void f(void) {{ {text} }}"));
        match is_vector {
            true => assert_eq!(made, format!("{start}void f(void) {{ {wanted} }}")),
            false => assert!(!made.contains("union"), "{made}"),
        }
    }
    let same = format!("{start}unsigned s = sizeof((long long)v);");
    assert_eq!(plain(&same), same);
}

#[test]
fn overflows_of_several_types_are_those_of_the_result() {
    let start = "int a; unsigned u; unsigned long long r; int i; ";
    let of = |call: &str| plain(&format!("{start}int f(void) {{ return {call}; }}"));
    let own = |name: &str, result: &str, wide: &str, operator: &str, [a, b]: [&str; 2]| {
        format!("static int {name}({a} a, {b} b, {result} *r) {{ {wide} exact = ({wide})a {operator} ({wide})b; *r = ({result})exact; return exact != ({wide})*r; }} ")
    };
    let name = "mul_overflow_int_int_unsigned_long_long";
    let wanted = own(name, "unsigned long long", "__int128", "*", ["int", "int"]);
    let call = format!("{name}(a, -4, &r)");
    assert_eq!(
        of("__builtin_mul_overflow(a, -4, &r)"),
        format!("{start}{wanted}int f(void) {{ return {call}; }}")
    );
    let name = "sub_overflow_unsigned_int_unsigned_int_int";
    let wanted = own(
        name,
        "int",
        "long long",
        "-",
        ["unsigned int", "unsigned int"],
    );
    assert!(of("__builtin_sub_overflow(u, 1u, &i)").contains(&wanted));
    let name = "mul_overflow_unsigned_int_unsigned_int_int";
    let wanted = own(
        name,
        "int",
        "unsigned long long",
        "*",
        ["unsigned int", "unsigned int"],
    );
    assert!(of("__builtin_mul_overflow(u, u, &i)").contains(&wanted));
    let same = "__builtin_add_overflow(a, 1, &i)";
    assert!(of(same).contains(same));
    // Parentheses around a call stay.
    let name = "add_overflow_long_int_int";
    let within = of("(__builtin_add_overflow(1l, a, &i))");
    assert!(
        within.contains(&format!("return ({name}(1l, a, &i));")),
        "{within}"
    );
}

#[test]
fn overflows_without_a_wider_type_are_those_of_magnitudes() {
    let made = plain(
        "__int128 a; unsigned __int128 r; int f(void) { return __builtin_sub_overflow(a, 1, &r); }",
    );
    assert!(made.contains("static int sub_overflow___int128_int_unsigned___int128(__int128 a, int b, unsigned __int128 *r) { _Bool sa = a < 0;"), "{made}");
    assert!(made.contains("sb = !sb;"), "{made}");
    assert!(
        made.contains("return o || s && m || m > ((unsigned __int128)-1 >> 0); }"),
        "{made}"
    );
    let made = plain("int f(int a, long b) { return __builtin_add_overflow_p(a, b, (char)0); }");
    let own = "add_overflow_p_int_long_char";
    let wanted =
        format!("static int {own}(int a, long b, char c) {{ char *r = &c; __int128 exact =");
    assert!(made.contains(&wanted), "{made}");
    assert!(made.contains(&format!("return {own}(a, b, (char)0);")));
}

#[test]
fn literals_to_which_control_comes_again_are_objects() {
    let start = "struct s { int n; } *p; int *q; int g(const int *); ";
    let of = |body: &str| plain(&format!("{start}void f(int n) {{{body} }}"));
    let is = |body: &str, wanted: &str| {
        assert_eq!(of(body), format!("{start}void f(int n) {{{wanted} }}"));
    };
    is(
        " again: p = &(struct s){n}; if (n--) goto again;",
        " __typeof__(struct s) literal_0; again: p = &(*(literal_0 = (struct s){n}, &literal_0)); if (n--) goto again;",
    );
    is(
        " while (g((const int[]){n, 2})) n--;",
        " __typeof__(const int) literal_0[2]; while (g((*(__builtin_memcpy((void *)&literal_0, &(const int[]){n, 2}, sizeof literal_0), &literal_0)))) n--;",
    );
    for same in [
        " p = &(struct s){n}; again: if (n--) goto again;",
        " again: { p = &(struct s){n}; } if (n--) goto again;",
        " while (n--) p = &(struct s){n};",
        " again: n = (struct s){n}.n; if (n--) goto again;",
    ] {
        is(same, same);
    }
}

#[test]
fn constants_are_those_of_the_text() {
    let start = "int n; ";
    let of = |e: &str| plain(&format!("{start}int f(void) {{ return {e}; }}"));
    for (argument, value) in [
        ("3 + 4", "| 1"),
        ("1.5f", "| 1"),
        ("\"hi\"", "| 1"),
        ("sizeof n", "| 1"),
        ("n", "& 0"),
        ("&n", "& 0"),
        ("\"hi\"[0]", "& 0"),
    ] {
        let call = format!("__builtin_constant_p({argument})");
        let wanted = format!("{start}int f(void) {{ return ({call} {value}); }}");
        assert_eq!(of(&call), wanted);
    }
}

#[test]
fn constants_outside_of_their_type_are_checked() {
    let of = |body: &str| plain(&format!("int f(void) {{ {body} }}"));
    for outside in [
        "return (int)2147483648.0f;",
        "return (int)(float)2147483647;",
        "return -3e9;",
        "unsigned char c = 256.0; return c;",
        "return (unsigned)-1.0;",
    ] {
        assert!(of(outside).contains(" | (2147483647 + !"), "{outside}");
    }
    for inside in [
        "return (int)-2147483648.9;",
        "return (unsigned)-0.5;",
        "return (int)1.5e3L;",
        "static int n = (int)3e9; return n;",
        "switch (1) { case (int)3e9: return 1; } return 0;",
    ] {
        assert!(!of(inside).contains("2147483647 +"), "{inside}");
    }
}

#[test]
fn types_that_initialisers_give_are_spelled() {
    let start =
        "struct s { int a; } *p; typedef struct { int b; } t; t u; int (*f)(int, char *); int n;";
    let of = |body: &str| plain(&format!("{start} void g(int k) {{ {body} }}"));
    let spelled = [
        (
            "__auto_type x = ({ int y = n; y; });",
            "__typeof__(int) x = ({ int y = n; y; });",
        ),
        (
            "const __auto_type x = ({ p; });",
            "const __typeof__(struct s *) x = ({ p; });",
        ),
        ("__auto_type const x = u;", "__typeof__(t) const x = u;"),
        (
            "__auto_type x = f;",
            "__typeof__(int (*)(int, char *)) x = f;",
        ),
    ];
    for (body, wanted) in spelled {
        assert!(of(body).contains(wanted), "{}", of(body));
    }
    // What has no name here, or another meaning.
    for body in [
        "struct { int c; } w; __auto_type x = w;",
        "int t = 1; __auto_type x = u;",
        "struct s { char a; } q; __auto_type x = p;",
        "int v[k]; __auto_type x = &v;",
    ] {
        assert!(of(body).contains(body), "{}", of(body));
    }
}

#[test]
fn guards_in_the_head_of_a_loop_end_behind_it() {
    let text = "void end(int *); int n; void f(void) { if (n) for (int g __attribute__((cleanup(end))) = 1, *once = 0; !once; once = &n) { if (g) break; n++; } }";
    let made = plain(text);
    let wanted = "if (n) { int g __attribute__((unused)) = 1, *once = 0; for (; !once; once = &n) { if (g) break; n++; }  end(&g); } }";
    assert!(made.contains(wanted), "{made}");
}

#[test]
fn guards_are_those_of_their_declarators() {
    let ended = |declaration: &str| {
        let made = plain(&format!(
            "void end(int *); void f(void) {{ {declaration}; }}"
        ));
        let calls = made.split("end(&").skip(1);
        let names = calls.map(|call| call.split(')').next().unwrap_or_default().to_owned());
        names.collect::<Vec<String>>().concat()
    };
    let guard = "__attribute__((aligned(4), cleanup(end)))";
    for (declaration, wanted) in [
        (format!("int a {guard} = 1, b = 2"), "a"),
        (format!("int a = 1, b {guard} = 2, c"), "b"),
        (format!("int a = 1, {guard} b = 2, c"), "b"),
        (format!("{guard} int a = 1, b = 2"), "ba"),
        (format!("int {guard} a = 1, b = 2"), "ba"),
    ] {
        assert_eq!(ended(&declaration), wanted, "{declaration}");
    }
}

#[test]
fn small_enumerations_say_so() {
    let text = "# 1 \"p.c\"\n#define __ARM_SIZEOF_MINIMAL_ENUM 1\nenum e { A, B = (2) } x; enum e f(enum e y) { return y; } typedef enum { C } t;";
    let unit = Unit::parse(Source::from_bytes(text.into())).expect("it is C");
    let sources = super::small_enumerations(&unit).expect("they are small");
    let wanted = "enum e { A, B = (2) } __attribute__((packed)) x; enum e f(enum e y) { return y; } typedef enum { C } __attribute__((packed)) t;";
    assert!(sources[0].text.contains(wanted), "{}", sources[0].text);
    let unit = Unit::parse_all(sources).expect("it is C still");
    let kinds = unit.tree.types.enums.iter();
    let kinds: Vec<_> = kinds
        .map(|(_, e)| e.int_kind(&unit.tree.types.model))
        .collect();
    assert_eq!(kinds, [Some(crate::types::IntKind::UChar); 2]);
}

/// The text after the changes for all.
fn selected(text: &str) -> String {
    let source = Source::from_bytes(format!("# 1 \"p.c\"\n{text}").into_bytes());
    let mut unit = Unit::parse(source).expect("it is C");
    for pass in super::FOR_ALL {
        if let Some(sources) = pass(&unit) {
            unit = Unit::parse_all(sources).expect("it is C still");
        }
    }
    unit.text().lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn attributes_in_brackets_characters_of_utf_8_and_bare_labels_are_written_as_before() {
    for (text, wanted) in [
        (
            "[[nodiscard]] [[gnu::pure]] int f(void);",
            "  int f(void);",
        ),
        (
            "struct [[gnu::packed]] s { char c; [[gnu::aligned(2), maybe_unused]] int i; };",
            "struct __attribute__((__packed__)) s { char c; __attribute__((__aligned__( 2 ), __unused__)) int i; };",
        ),
        ("int c = u8'a';", "int c = ((unsigned char)'a');"),
        (
            "int f(int i) { switch (i) { case 1: int j = i; return j; [[fallthrough]]; default: } end: }",
            "int f(int i) { switch (i) { case 1: ; int j = i; return j; ; default: ; } end: ; }",
        ),
        ("int a[2], b[1]; int g(void) { return a[b[0]]; }", "int a[2], b[1]; int g(void) { return a[b[0]]; }"),
    ] {
        assert_eq!(selected(text), wanted);
    }
}

#[test]
fn digits_are_not_separated() {
    let text =
        "unsigned u = 1'000'000u; char c = '0'; double d = 1'0.2'5; int b = 0b1010'1010 + 0x1'F;";
    let wanted =
        "unsigned u = 1000000u; char c = '0'; double d = 10.25; int b = 0b10101010 + 0x1F;";
    assert_eq!(selected(text), wanted);
}

/// The meaning of `auto` without a type has changed in C23; both are the same for `int`.
#[test]
fn what_has_another_type_in_another_standard_is_refused() {
    let parsed = |text: &str| {
        let text = format!("# 1 \"p.c\"\nint f(void) {{ {text} return 0; }}");
        Unit::parse(Source::from_bytes(text.into_bytes()))
    };
    for accepted in [
        "auto k = 3;",
        "auto int k = 3;",
        "auto double d = 2.5;",
        "__auto_type d = 2.5;",
    ] {
        assert!(parsed(accepted).is_ok(), "{accepted}");
    }
    for refused in ["auto d = 2.5;", "auto const p = \"a\";", "auto u = 3u;"] {
        let all = parsed(refused).err().unwrap_or_default();
        assert!(
            all.iter().any(|d| d.message.contains("write the type")),
            "{refused}: {all:?}"
        );
    }
}

#[test]
fn what_constants_select_is_selected() {
    let begin = "enum { A = 2 }; const int k = 3; int x; ";
    let choice =
        |c: &str| format!("{begin}int f(int i) {{ return __builtin_choose_expr({c}, i, x); }}");
    let chosen = |e: &str| format!("{begin}int f(int i) {{ return ({e}); }}");
    let is_constant =
        |e: &str| format!("sizeof(int) == sizeof(*(8 ? ((void *)((long)({e}) * 0l)) : (int *)8))");
    // As gcc 12 selects.
    for (condition, wanted) in [
        ("1".to_owned(), "i"),
        ("sizeof(x) < 4".to_owned(), "x"),
        ("__builtin_constant_p(A)".to_owned(), "i"),
        ("__builtin_choose_expr(0, 1, 0)".to_owned(), "x"),
        (is_constant("A > 3"), "i"),
        (is_constant("(int)2.5"), "i"),
        (is_constant("sizeof(i)"), "i"),
        (is_constant("__builtin_types_compatible_p(int, long)"), "i"),
        (is_constant("i"), "x"),
        (is_constant("k"), "x"),
        (is_constant("0 && i"), "x"),
        (is_constant("({ 1; })"), "x"),
        (is_constant("(1, 2)"), "x"),
        (is_constant("sizeof(char[i])"), "x"),
    ] {
        assert_eq!(selected(&choice(&condition)), chosen(wanted), "{condition}");
    }
    // Here nothing is selected, but whether it is a constant.
    let asked = |e: &str| format!("{begin}int f(int i) {{ return {}; }}", is_constant(e));
    let said = "int f(int i) { return sizeof(int) == sizeof(char); }";
    assert_eq!(selected(&asked("i")), format!("{begin}{said}"));
    assert_eq!(selected(&asked("A")), asked("A"));
    // What is not known stays.
    let unknown = choice("__builtin_constant_p(i)");
    assert_eq!(selected(&unknown), unknown);
}

#[test]
fn what_types_select_is_selected() {
    let begin = "int q[2]; const int k = 3; float f; int (*p)[2]; int main(void);";
    let choice = |e: &str| {
        format!("{begin} int x = _Generic({e}, int: 1, char *: 2, int *: 3, int (*)(void): 4, const int *: 5, default: 6);")
    };
    // As gcc 12 selects.
    for (control, wanted) in [("\"x\"", 2), ("(\"x\")", 2), ("q", 3), ("*p", 3)] {
        let expected = format!("{begin} int x = ({wanted});");
        assert_eq!(selected(&choice(control)), expected, "{control}");
    }
    // What model checkers follow stays.
    for control in ["k", "&k", "main", "f", "*q"] {
        let text = choice(control);
        assert_eq!(selected(&text), text);
    }
    // Those in what is left out are left out with it.
    let nested =
        "_Generic(q, int *: _Generic(*p, int *: 7, default: 1), default: _Generic(q, int *: 8))";
    assert_eq!(
        selected(&format!("{begin} int x = {nested};")),
        format!("{begin} int x = ((7));")
    );
}

#[test]
fn literals_that_initialise_static_objects_are_lists() {
    let begin =
        "struct i { int a, b; }; struct o { struct i x; union { long l; struct i y; } u; }; ";
    let whole = |text: &str| format!("{begin}{text}");
    for (text, wanted) in [
        (
            "struct o v = { .x = (struct i){ 1, 2 }, .u.y = ((struct i){ .b = 3 }) };",
            "struct o v = { .x = { 1, 2 }, .u.y = { .b = 3 } };",
        ),
        (
            "struct i v[] = { (struct i){ 1 }, { 2 }, [3] = (const struct i) { 4 } };",
            "struct i v[] = { { 1 }, { 2 }, [3] = { 4 } };",
        ),
        (
            "int f(void) { static struct i v = (struct i){ 1 }; return v.a; }",
            "int f(void) { static struct i v = { 1 }; return v.a; }",
        ),
    ] {
        assert_eq!(selected(&whole(text)), whole(wanted));
    }
    // Braces may be left out; an object that is not static is as it was; an address needs its object.
    for same in [
        "struct o v = { (struct i){ 1, 2 } };",
        "int f(void) { struct i v = (struct i){ 1 }; return v.a; }",
        "struct i *p = &(struct i){ 1 };",
    ] {
        assert_eq!(selected(&whole(same)), whole(same));
    }
}

#[test]
fn ranges_are_written_out() {
    let text = "int a[4] = { [0 ... 1] = 7, [2 ... 3] = 8 };";
    assert_eq!(
        plain(text),
        "int a[4] = { [0] = 7, [1] = 7, [2] = 8, [3] = 8 };"
    );
    let text =
        "struct { int m[2][2], n; } a[2] = { [0 ... 1].m[1][0 ... 1] = 7, [1] = { .n = 2 } };";
    let wanted = "struct { int m[2][2], n; } a[2] = { [0].m[1][0] = 7, [0].m[1][1] = 7, [1].m[1][0] = 7, [1].m[1][1] = 7, [1] = { .n = 2 } };";
    assert_eq!(plain(text), wanted);
    let text = "struct s { int m[2]; } a[2] = { [0 ... 1] = { .m[0 ... 1] = 3 } };";
    let wanted = "struct s { int m[2]; } a[2] = { [0] = { .m[0] = 3, .m[1] = 3 }, [1] = { .m[0] = 3, .m[1] = 3 } };";
    assert_eq!(plain(text), wanted);
}

#[test]
fn a_value_that_is_computed_once_stays() {
    let text = "int f(void); int g(void) { int a[4] = { [0 ... 3] = f() }; return a[0]; }";
    assert_eq!(plain(text), text);
}

#[test]
fn computed_jumps_compare_their_target() {
    let text = "int f(int i) { static void *const t[] = { &&a, &&b }; goto *t[i]; a: return 1; b: return 2; }";
    let wanted = "static const char labels_of_f[2] = {0}; int f(int i) { static void *const t[] = { ((void *)&labels_of_f[0]), ((void *)&labels_of_f[1]) }; { const void *label_of_jump = t[i]; if (label_of_jump == &labels_of_f[0]) goto a; goto b; } a: return 1; b: return 2; }";
    assert_eq!(plain(text), wanted);
}

#[test]
fn distances_of_labels_stay() {
    let text = "int f(int i) { static const int t[] = { &&a - &&a, &&b - &&a }; goto *(&&a + t[i]); a: return 1; b: return 2; }";
    assert_eq!(plain(text), text);
}

#[test]
fn cleanups_are_called_where_lifetimes_end() {
    let text = "void r(int *); int f(int c) { while (c) { int x __attribute__((cleanup(r))) = 1; if (c > 2) break; if (c > 1) return x; } return 0; }";
    let wanted = "void r(int *); int f(int c) { while (c) { int x __attribute__((unused)) = 1; if (c > 2) { r(&x); break; } if (c > 1) { int value_at_end = x; r(&x); return value_at_end; }  r(&x); } return 0; }";
    assert_eq!(plain(text), wanted);
}

#[test]
fn cleanups_of_hidden_variables_go_through_pointers() {
    let text = "void r(int *); int f(void) { int x __attribute__((cleanup(r))) = 1; { int x __attribute__((__cleanup__(r))) = 2; return x; } }";
    let wanted = "void r(int *); int f(void) { int x __attribute__((unused)) = 1; __typeof__(x) *cleaned_1 = &x; { int x __attribute__((unused)) = 2; __typeof__(x) *cleaned_2 = &x; { int value_at_end = x; r(cleaned_2); r(cleaned_1); return value_at_end; }  r(cleaned_2); }  r(cleaned_1); }";
    assert_eq!(plain(text), wanted);
}

#[test]
fn a_value_of_a_statement_expression_is_computed_before_the_call() {
    let text = "void r(int *); int f(void) { return ({ int x __attribute__((cleanup(r))) = 1; x + 1; }); }";
    let wanted = "void r(int *); int f(void) { return ({ int x __attribute__((unused)) = 1; int value_at_end = x + 1; r(&x); value_at_end; }); }";
    assert_eq!(plain(text), wanted);
}

#[test]
fn a_jump_into_the_life_of_a_variable_stays() {
    let text = "void r(int *); int f(int c) { if (c) goto in; { int x __attribute__((cleanup(r))) = 1; in: c = 2; } return c; }";
    assert_eq!(plain(text), text);
}

#[test]
fn lengths_with_one_value_are_constants() {
    let text = "static int s(int n, int m, int b[n][m]) { return b[n - 1][m - 1]; } int main(void) { int n = 3, m = n - 1; int b[n][m]; return s(n, m, b); }";
    let wanted = "static int s(int n, int m, int b[3][2]) { return b[n - 1][m - 1]; } int main(void) { int n = 3, m = n - 1; int b[3][2]; return s(n, m, b); }";
    assert_eq!(plain(text), wanted);
    let text = "int main(int n, char **v) { int m = 2; m++; int b[n][m]; return sizeof b; }";
    assert_eq!(plain(text), text);
}

#[test]
fn the_program_remembers_where_it_is_in_a_string() {
    let header = "extern char *strtok(char *, const char *);";
    let text = format!(
        "{header} int f(char *s) {{ char *p = strtok(s, \",\"); return p && strtok(0, \";\"); }}"
    );
    let declared = "extern char *strtok_r(char *__restrict, const char *__restrict, char **__restrict); static char *strtok_rest;";
    let wanted = format!("{header} {declared} int f(char *s) {{ char *p = (strtok_r)(s, \",\", &strtok_rest); return p && (strtok_r)(0, \";\", &strtok_rest); }}");
    assert_eq!(plain(&text), wanted);
    let of_main = format!("{header} int main(void) {{ char s[9]; return strtok(s, \",\") != 0; }}");
    let library =
        "extern char *strtok_r(char *__restrict, const char *__restrict, char **__restrict);";
    let wanted = format!("{header} {library} int main(void) {{ char *strtok_rest = 0; char s[9]; return (strtok_r)(s, \",\", &strtok_rest) != 0; }}");
    assert_eq!(plain(&of_main), wanted);
    let own = format!("{text} char *strtok_r(char *s, const char *t, char **r) {{ return 0; }}");
    assert_eq!(plain(&own), own);
}

#[test]
fn divisions_with_a_structure_are_computed() {
    let header = "typedef struct { int quot, rem; } div_t; div_t div(int, int);";
    let text =
        format!("{header} int f(int a) {{ div_t d = div(a, 3); return div(d.quot, d.rem).rem; }}");
    let own = "static div_t div_computed(int number, int by) { div_t parts = { .quot = number / by, .rem = number % by }; return parts; }";
    let wanted = format!("{header} {own} int f(int a) {{ div_t d = div_computed(a, 3); return div_computed(d.quot, d.rem).rem; }}");
    assert_eq!(plain(&text), wanted);
    let unnamed = "struct { int quot, rem; } div(int, int); int f(int a) { return div(a, 3).rem; }";
    assert_eq!(plain(unnamed), unnamed);
}

#[test]
fn arrays_go_on_to_the_end_of_their_objects() {
    let start = "struct s { int n; char data[1]; } o; struct o { struct s last; int other[1], end[2]; } *q; ";
    let changed = |text: &str| plain(&format!("{start}{text}")).split_off(start.len());
    assert_eq!(
        changed("int f(struct s *p, int i) { return p->data[p->data[2]] + (*p).data [ i ]; }"),
        "int f(struct s *p, int i) { return (*(p->data + ((*(p->data + (2)))))) + (*((*p).data  + ( i ))); }"
    );
    assert_eq!(
        changed("int f(struct s *p) { return q[1].last.data[3]; }"),
        "int f(struct s *p) { return (*(q[1].last.data + (3))); }"
    );
    let same =
        "int f(struct s *p, int i) { return p->data[0] + o.data[i] + q->other[i] + q->end[i]; }";
    assert_eq!(changed(same), same);
}

#[test]
fn arguments_without_a_prototype_are_promoted() {
    let start = "struct s { unsigned w : 32, b : 3; } v; char c; float x; int n, old(), sum(int, ...), new(char), printf(const char *, ...); ";
    let end = " int old(p) char p; { return p; } int sum(int m, ...) { return m; } int new(char p) { return p; }";
    let changed = |text: &str| {
        let all = plain(&format!("{start}int f(void) {{ {text} }}{end}"));
        let rest = all
            .strip_prefix(&format!("{start}int f(void) {{ "))
            .expect("it starts so");
        let inner = rest.strip_suffix(&format!(" }}{end}")).expect("it ends so");
        inner.to_owned()
    };
    assert_eq!(
        changed("return old(c) + sum(c, c, n, x, v.b, v.w);"),
        "return old(+(c)) + sum(c, +(c), n, (double)(x), +(v.b), v.w);"
    );
    let same = "return new(c) + printf(\"%c\", c) + old(n);";
    assert_eq!(changed(same), same);
}

#[test]
fn bit_fields_that_would_cross_a_boundary_are_padded() {
    for (text, wanted) in [
        ("struct { unsigned a : 20, b : 20; };", "struct { unsigned a : 20, : 12, b : 20; };"),
        ("union { int a; char b[5]; };", "union { int a; char b[5]; char union_0_bytes[8]; };"),
        ("union { unsigned a : 20, b : 20; };", "union { unsigned a : 20, b : 20; char union_0_bytes[4]; };"),
        ("union { int a; char b[8]; };", "union { int a; char b[8]; };"),
        ("union { int a; char b[5]; } __attribute__((packed));", "union { int a; char b[5]; } __attribute__((packed));"),
        ("struct s { char c; unsigned : 2, : 28; struct t { int n : 5; } t; unsigned char x : 5, y : 5; };", "struct s { char c; unsigned : 2, : 22, : 28; struct t { int n : 5; } t; unsigned char x : 5, : 3, y : 5; };"),
        ("struct { unsigned a : 3; unsigned char b : (1 ? 7 : 2); };", "struct { unsigned a : 3; unsigned char : 5, b : (1 ? 7 : 2); };"),
        ("struct { enum e { A } a : 20; enum e b : 20, c : 20; };", "struct { enum e { A } a : 20; unsigned : 12; enum e b : 20, : 12, c : 20; };"),
        ("struct { char c; int : 0; char d; int e : 3; int : 0; };", "struct { char c; char : 8; char : 8; char : 8; char : 0; char d; int e : 3; int : 0; };"),
        ("struct { short s; struct { char c[3]; } t; unsigned short w : 9, v : 9; };", "struct { short s; struct { char c[3]; } t; unsigned short : 8, w : 9, : 7, v : 9; };"),
    ] {
        let text = format!("{text} x;").replace("; x;", " x;");
        let wanted = format!("{wanted} x;").replace("; x;", " x;");
        assert_eq!(plain(&text), wanted);
    }
    for same in [
        "struct __attribute__((packed)) { unsigned a : 20, b : 20; } x;",
        "struct s { unsigned a : 20, b : 20; } __attribute__((packed)) x;",
        "struct s { unsigned a : 20; unsigned : 0; unsigned b : 20; } x;",
        "struct { int a : 3; short b : 5; int c : 24; } x;",
    ] {
        assert_eq!(plain(same), same);
    }
    let packed = "#pragma pack(1)\nstruct { unsigned a : 20, b : 20; } x;";
    assert!(!plain(packed).contains(": 12"));
}

#[test]
fn bit_fields_wider_than_int_are_cut_off() {
    let start = "struct { unsigned long a : 40, : 24, b : 33, : 31; long s : 40; unsigned n : 20; } w; int i; long l; unsigned u; ";
    for (text, wanted) in [
        ("w.a + 1", "((w.a + 1) & 0xfffffffffful)"),
        (
            "w.a / i",
            "((w.a / ((unsigned long)(i) & 0xfffffffffful)) & 0xfffffffffful)",
        ),
        ("w.a == i", "w.a == ((unsigned long)(i) & 0xfffffffffful)"),
        ("w.a < l", "((long)(w.a)) < l"),
        (
            "~w.b << 3",
            "((((~w.b) & 0x1fffffffful) << 3) & 0x1fffffffful)",
        ),
        (
            "w.s * w.b",
            "((long)((unsigned long)(w.s * ((long)(w.b))) << 24) >> 24)",
        ),
        ("w.s + w.a", "((w.s + w.a) & 0xfffffffffful)"),
        (
            "i ? w.a : i",
            "i ? w.a : ((unsigned long)(i) & 0xfffffffffful)",
        ),
        ("w.a /= i", "w.a /= ((unsigned long)(i) & 0xfffffffffful)"),
    ] {
        let text = format!("{start}void f(void) {{ l = {text}; }}");
        assert_eq!(
            plain(&text),
            format!("{start}void f(void) {{ l = {wanted}; }}")
        );
    }
    for same in [
        "w.a",
        "w.a >> 3",
        "w.n + 1",
        "sizeof(w.a + 1)",
        "w.a == u",
        "(unsigned long)w.a + 1",
    ] {
        let text = format!("{start}void f(void) {{ l = {same}; }}");
        assert_eq!(plain(&text), text);
    }
}

#[test]
fn conversions_of_floating_numbers_are_checked() {
    let start = "double d; float x; volatile double v; double floor(double), other(void); int i; unsigned char c; long long w; void take(unsigned); ";
    for (text, wanted) in [
        ("i = d;", "i = ((int)(d) | (2147483647 + !((d) > -2147483649.0 && (d) < 2147483648.0)) >> 31);"),
        ("c = (unsigned char)(d + 1);", "c = (unsigned char)(((unsigned char)(d + 1)) | (2147483647 + !(((d + 1)) > -1.0 && ((d + 1)) < 256.0)) >> 31);"),
        ("w = (long long)x;", "w = (((long long)x) | (2147483647 + !((x) >= -9223372036854775808.0 && (x) < 9223372036854775808.0)) >> 31);"),
        ("i = other();", "i = (__extension__ ({ double converted_number = (other()); (int)converted_number | (2147483647 + !((converted_number) > -2147483649.0 && (converted_number) < 2147483648.0)) >> 31; }));"),
        ("c = (unsigned char)(v);", "c = (unsigned char)(__extension__ ({ double converted_number = ((v)); (unsigned char)converted_number | (2147483647 + !((converted_number) > -1.0 && (converted_number) < 256.0)) >> 31; }));"),
        ("i += x;", "i = (__extension__ ({ float converted_number = i + ( x); (int)converted_number | (2147483647 + !((converted_number) > -2147483649.0 && (converted_number) < 2147483648.0)) >> 31; }));"),
        ("int a[2] = { 1, d };", "int a[2] = { 1, ((int)(d) | (2147483647 + !((d) > -2147483649.0 && (d) < 2147483648.0)) >> 31) };"),
        ("struct { int a; double b; int c; } s = { .b = d, d };", "struct { int a; double b; int c; } s = { .b = d, ((int)(d) | (2147483647 + !((d) > -2147483649.0 && (d) < 2147483648.0)) >> 31) };"),
        ("take(floor(d));", "take(((unsigned int)(floor(d)) | (2147483647 + !((floor(d)) > -1.0 && (floor(d)) < 4294967296.0)) >> 31));"),
    ] {
        let text = format!("{start}void f(void) {{ {text} }}");
        assert_eq!(plain(&text), format!("{start}void f(void) {{ {wanted} }}"));
    }
    for same in [
        "i = 2.5;",
        "i = 2.5 + 1;",
        "d += i;",
        "d = i;",
        "x = d;",
        "i = sizeof((int)d);",
    ] {
        let text = format!("{start}void f(void) {{ {same} }}");
        assert_eq!(plain(&text), text);
    }
}

#[test]
fn complex_numbers_are_compared_by_their_parts() {
    let start = "_Complex double z; float _Complex g; double cimag(_Complex double); float _Complex conjf(float _Complex); ";
    for (text, wanted) in [
        (
            "return z == 1;",
            "return (__extension__ ({ double _Complex complex_left = (z), complex_right = (1); __real__ complex_left == __real__ complex_right && __imag__ complex_left == __imag__ complex_right; }));",
        ),
        (
            "return g != (z);",
            "return (__extension__ ({ double _Complex complex_left = (g), complex_right = ((z)); __real__ complex_left != __real__ complex_right || __imag__ complex_left != __imag__ complex_right; }));",
        ),
        (
            "return 2 * 1.0iF ? 1 : 0;",
            "return (__extension__ ({ float _Complex complex_truth = (2 * 1.0iF); __real__ complex_truth != 0 || __imag__ complex_truth != 0; })) ? 1 : 0;",
        ),
        (
            "if (g) return !z;",
            "if ((__extension__ ({ float _Complex complex_truth = (g); __real__ complex_truth != 0 || __imag__ complex_truth != 0; }))) return !(__extension__ ({ double _Complex complex_truth = (z); __real__ complex_truth != 0 || __imag__ complex_truth != 0; }));",
        ),
        (
            "return cimag(z) > 0;",
            "return __imag__ (double _Complex)(z) > 0;",
        ),
        (
            "_Bool b = z; return b;",
            "_Bool b = (__extension__ ({ double _Complex complex_truth = (z); __real__ complex_truth != 0 || __imag__ complex_truth != 0; })); return b;",
        ),
        ("z = ~(z);", "z = (__extension__ ({ double _Complex complex_conjugate = ((z)); __imag__ complex_conjugate = -__imag__ complex_conjugate; complex_conjugate; }));"),
        ("g = conjf(g);", "g = (__extension__ ({ float _Complex complex_conjugate = ((g)); __imag__ complex_conjugate = -__imag__ complex_conjugate; complex_conjugate; }));"),
    ] {
        let text = format!("{start}int f(void) {{ {text} }}");
        assert_eq!(
            plain(&text),
            format!("{start}int f(void) {{ {wanted} }}")
        );
    }
}

#[test]
fn wide_literals_have_numbers() {
    for (text, wanted) in [
        (r#"L"aé1""#, r#"L"a\xe9" L"1""#),
        (r#"L"a" "é" "\351""#, r#"L"a" L"\xe9" L"\351""#),
        (r#"u"\U0001f600\\u00e9""#, r#"u"\xd83d\xde00\\u00e9""#),
        (r#"u8"é""#, r#""é""#),
        ("U'€'", r"U'\x20ac'"),
    ] {
        let text = format!("void g(); void f(void) {{ g({text}); }}");
        assert_eq!(
            plain(&text),
            format!("void g(); void f(void) {{ g({wanted}); }}")
        );
    }
    for same in [r#""é" "b""#, r#"L"a\u00e9" L"b""#, "'a'"] {
        let text = format!("void g(); void f(void) {{ g({same}); }}");
        assert_eq!(plain(&text), text);
    }
}

#[test]
fn quiet_comparisons_are_functions() {
    let text = "float x; int f(double d) { return __builtin_isunordered(x, x) || __builtin_isless(d, x) || __builtin_isfinite(x); }";
    let declared = "static int isunorderedf_compared(float a, float b) { return a != a || b != b; } static int isless_compared(double a, double b) { return a < b; } static int isfinitef_compared(float a) { return a - a == 0; } ";
    let wanted = format!("float x; {declared}int f(double d) {{ return isunorderedf_compared(x, x) || isless_compared(d, x) || isfinitef_compared(x); }}");
    assert_eq!(plain(text), wanted);
}

#[test]
fn long_double_is_rounded_to_its_own_length() {
    let begin = "#define __LDBL_MANT_DIG__ 64\n";
    let start = "long double x, y = 0.1L; ";
    let declared = "static long double rounded_to_extended(long double number)";
    for (text, wanted) in [
        (
            "x = x * y + 1.0L;",
            "x = rounded_to_extended(rounded_to_extended(x * y) + 1.0L);",
        ),
        (
            "x += y / 3;",
            "x = rounded_to_extended(x + ( rounded_to_extended(y / 3)));",
        ),
        ("x = 0.1L;", "x = rounded_to_extended(0.1L);"),
    ] {
        let changed = plain(&format!("{begin}{start}void f(void) {{ {text} }}"));
        assert!(changed.contains(declared), "{changed}");
        assert!(
            changed.ends_with(&format!("void f(void) {{ {wanted} }}")),
            "{changed}"
        );
    }
    for same in [
        "static long double z = 0.1L * 3;",
        "x = y;",
        "x = 2.0L;",
        "x = sizeof(x * y);",
    ] {
        let text = format!("{begin}{start}void f(void) {{ {same} }}");
        assert_eq!(plain(&text), text);
    }
    let exact = format!("{start}void f(void) {{ x = x * y; }}");
    assert_eq!(plain(&exact), exact);
}

#[test]
fn truth_values_are_promoted_before_arithmetic_that_tells_overflows() {
    let text = "enum e { A } e; _Bool b; int f(int *p) { return __builtin_add_overflow(b, 1, p) + __builtin_mul_overflow_p(1, e, 0); }";
    let made = plain(text);
    let wanted = "int f(int *p) { return __builtin_add_overflow(+(b), 1, p) + mul_overflow_p_int_unsigned_int_int(1, +(e), 0); }";
    assert!(made.ends_with(wanted), "{made}");
}
