//! Names mean the right declaration, and expressions have the right type.
//!
//! In the programs, `/*n*/` stands before the identifier or expression that a test asks about.

#![allow(clippy::unwrap_used)]

use crate::common::{refused, unit};
use cfront::tree::{Entity, ExprKind, Resolved, Storage};
use cfront::{ExprId, Unit};

/// The largest expression that begins at the first token after a mark.
fn marked(unit: &Unit, mark: &str) -> ExprId {
    let mark = format!("/*{mark}*/");
    let at = unit.text().find(&mark).unwrap() + mark.len();
    let token = unit.tokens.tokens[unit.tokens.at_or_after(at)];
    let here = unit
        .tree
        .exprs
        .iter()
        .filter(|(_, e)| [e.span.start, e.bare.start].contains(&token.span.start));
    here.max_by_key(|(id, e)| (e.span.end, std::cmp::Reverse(*id)))
        .unwrap()
        .0
}

/// The identifier after a mark.
fn name(unit: &Unit, mark: &str) -> String {
    let mark = format!("/*{mark}*/");
    let at = unit.text().find(&mark).unwrap() + mark.len();
    let token = unit.tokens.tokens[unit.tokens.at_or_after(at)];
    let (_, expr) = unit
        .tree
        .exprs
        .iter()
        .find(|(_, e)| e.bare == token.span && matches!(e.kind, ExprKind::Ident(_)))
        .unwrap_or_else(|| panic!("no identifier at {mark}"));
    let ExprKind::Ident(resolved) = &expr.kind else {
        unreachable!()
    };
    match resolved {
        Resolved::Object(id) => {
            let o = &unit.tree.objects[*id];
            let line = unit.source.lines.line(o.name_span.start).1;
            let storage = match o.storage {
                Storage::Global => "global",
                Storage::FileStatic => "file static",
                Storage::Local => "local",
                Storage::StaticLocal => "static local",
                Storage::Parameter => "parameter",
            };
            format!("{storage} {}:{line}", o.name)
        }
        Resolved::Function(f) => format!("function {}", unit.tree.functions[*f].name),
        Resolved::EnumConst(_, v) => format!("constant {}", v.unwrap()),
        Resolved::Unknown(name) => format!("unknown {name}"),
    }
}

fn names(text: &str, expected: &[&str]) {
    let unit = unit(text);
    for (i, want) in expected.iter().enumerate() {
        assert_eq!(
            name(&unit, &(i + 1).to_string()),
            *want,
            "mark {} in\n{text}",
            i + 1
        );
    }
}

fn types(text: &str, expected: &[&str]) {
    let unit = unit(text);
    for (i, want) in expected.iter().enumerate() {
        let id = marked(&unit, &(i + 1).to_string());
        let ty = unit.tree.exprs[id].ty;
        let file = unit.tree.file_scope();
        let got = unit
            .tree
            .types
            .declare(ty, "", file)
            .unwrap_or("?".to_string());
        assert_eq!(got, *want, "mark {} in\n{text}", i + 1);
    }
}

#[test]
fn scopes_shadow() {
    names(
        "int x;\nint f(int x) {\n /*1*/x = 1;\n { /*2*/x = 2; int y = /*3*/x, x = /*4*/x;\n /*5*/x = y; }\n \
         for (int x = 0; /*6*/x < 3;)\n /*7*/x++;\n return /*8*/x; }\nint g(void) { return /*9*/x; }",
        &[
            "parameter x:2",
            "parameter x:2",
            "parameter x:2",
            "local x:4",
            "local x:4",
            "local x:6",
            "local x:6",
            "parameter x:2",
            "global x:1",
        ],
    );
}

#[test]
fn linkage_and_storage() {
    names(
        "static int a;\nextern int b;\nint b = 1;\nint f(void) {\n static int s;\n register int r = 0;\n \
         extern int a;\n extern int c;\n return /*1*/a + /*2*/b + /*3*/c + /*4*/s + /*5*/r; }\nint c;\n\
         int g(void) { return /*6*/c; }",
        &[
            "file static a:1",
            "global b:2",
            "global c:8",
            "static local s:5",
            "local r:6",
            "global c:8",
        ],
    );
}

#[test]
fn name_spaces_are_apart() {
    names(
        "struct s { int s; } s;\nenum e { e = 4, k = e + 1 };\nint t(struct s *q) {\n s: ; /*1*/s.s = /*2*/e;\n \
         goto s; return /*3*/k + q->s; }",
        &["global s:1", "constant 4", "constant 5"],
    );
}

#[test]
fn functions_and_undeclared_names() {
    names(
        "int f();\nint main() { return /*1*/f(1) + /*2*/g(2) + /*3*/__builtin_expect(1, 1); }",
        &["function f", "function g", "unknown __builtin_expect"],
    );
    assert_eq!(
        refused("int f(void) { return y; }"),
        [":1:22: error: `y` is not declared here"]
    );
}

#[test]
fn old_style_definitions() {
    let text = "int f(a, b, c) char *b; long c; { return /*1*/a + *(/*2*/b) + /*3*/c; }\nmain() { static n; return /*4*/n; }";
    names(
        text,
        &[
            "parameter a:1",
            "parameter b:1",
            "parameter c:1",
            "static local n:2",
        ],
    );
    types(text, &["long", "char *", "long", "int"]);
    let unit = unit(text);
    let (_, f, body) = unit.tree.defined_functions().next().unwrap();
    assert!(body.old_style);
    assert_eq!(body.params.len(), 3);
    assert_eq!(f.name, "f");
}

#[test]
fn names_that_lang_c_takes_for_types() {
    names(
        "typedef int T;\nint f(int T) {\n /*1*/T = (/*2*/T) + 1;\n { T * 2; }\n return sizeof(/*3*/T) + (/*4*/T)(1) * 0; }\n\
         T g(T x) { return (T)+ /*5*/x; }"
            .replace("(/*4*/T)(1) * 0", "(/*4*/T)")
            .as_str(),
        &["parameter T:2", "parameter T:2", "parameter T:2", "parameter T:2", "parameter x:6"],
    );
}

#[test]
fn types_that_lang_c_takes_for_names() {
    let text = "typedef struct n { struct n *next; int v; } T;\nint f(T *l) {\n int s = 0;\n \
                for (T *r = l; /*1*/r; r = r->next) s += /*2*/r->v;\n for (T *q;;) { q = l; return /*3*/q->v; }\n }";
    names(text, &["local r:4"]);
    types(text, &["struct n *", "int", "int"]);
}

#[test]
fn visibility() {
    let unit =
        unit("int a;\nint f(int p) {\n int l = 1;\n { int l = 2; L: l++; }\n return l; }\nint z;");
    let stmt = |label: &str| {
        let (f, _, _) = unit.tree.defined_functions().next().unwrap();
        unit.flows[&f].labels[label]
    };
    let view = unit.view_at(stmt("L"));
    let line = |name: &str| {
        let id = unit.tree.visible_at(view.scope, view.offset, name)?;
        Some(
            unit.source
                .lines
                .line(unit.tree.objects[id].name_span.start)
                .1,
        )
    };
    assert_eq!(line("l"), Some(4));
    assert_eq!(line("p"), Some(2));
    assert_eq!(line("a"), Some(1));
    assert_eq!(line("z"), None);
    assert_eq!(unit.tree.scope_at(view.offset), view.scope);
}

#[test]
fn arithmetic_types() {
    types(
        "unsigned char c; short s; unsigned u; long l; unsigned long ul; float f; double d; _Bool b;\n\
         void t(void) { /*1*/c + s; /*2*/u + s; /*3*/l + u; /*4*/ul + l; /*5*/f + l; /*6*/f + d; /*7*/-b; /*8*/!d;\n\
         /*9*/c << l; /*10*/c < d; /*11*/c = 3; /*12*/c++; /*13*/1 ? c : s; /*14*/b ? f : ul; /*15*/(long long)u + 1; }",
        &[
            "int", "unsigned int", "long", "unsigned long", "float", "double", "int", "int", "int", "int",
            "unsigned char", "unsigned char", "int", "float", "long long",
        ],
    );
}

#[test]
fn derived_types() {
    types(
        "struct s { int a[3]; const char *n; struct { volatile int v; union { long w; }; } in; unsigned bit : 3; } s, *p;\n\
         int m[2][5]; int (*fp)(int, char *); int *g(void); enum e { A } e; typedef int (*arr_p)[4]; arr_p ap;\n\
         void t(int q[7], int f(long)) { /*1*/s.a; /*2*/p->a[1]; /*3*/s.n; /*4*/p->in.v; /*5*/s.in.w; /*6*/m[1]; /*7*/&m;\n\
         /*8*/*m; /*9*/fp; /*10*/fp(1, 0); /*11*/*g(); /*12*/g; /*13*/q; /*14*/f; /*15*/e; /*16*/A; /*17*/*ap; /*18*/p + 1;\n\
         /*19*/p - p; /*20*/\"ab\"; /*21*/'a'; /*22*/sizeof(int); /*23*/s; /*24*/s.bit; /*25*/m, m; /*26*/(*fp)(1, 0); /*27*/1[m]; }",
        &[
            "int [3]", "int", "const char *", "volatile int", "long", "int [5]", "int (*)[2][5]", "int [5]",
            "int (*)(int, char *)", "int", "int", "int *(void)", "int *", "int (*)(long)", "enum e", "int",
            "int [4]", "struct s *", "long", "char [3]", "int", "unsigned long", "struct s", "unsigned int",
            "int (*)[5]", "int", "int [5]",
        ],
    );
}

#[test]
fn gnu_types() {
    types(
        "typedef int v4 __attribute__((vector_size(16))); v4 v; __int128 i; unsigned __int128 ui; __auto_type z = 1.5f;\n\
         typedef __builtin_va_list va; _Complex double cd; typedef _Atomic(int) ai; ai at; const _Atomic long cl;\n\
         typedef struct { int x; } anon; anon an; struct { int y; } nameless; extern int inc[]; int inc[7];\n\
         int init[] = { 1, 2, [9] = 3 }; char str[] = \"abc\"; void t(int n, ...) { va list; int vla[n]; __typeof__(n) tn;\n\
         typeof(int *) tp; /*1*/v; /*2*/i; /*3*/ui; /*4*/z; /*5*/list; /*6*/cd; /*7*/at; /*8*/cl; /*9*/an; /*10*/nameless;\n\
         /*11*/inc; /*12*/init; /*13*/str; /*14*/vla; /*15*/tn; /*16*/tp; /*17*/({ int k = 1; k; }); /*18*/n ?: 2L;\n\
         /*19*/(anon){ 1 }; /*20*/_Generic(n, long: 1.0, int: 2L, default: 3); /*21*/__builtin_va_arg(list, double);\n\
         /*22*/(int[]){ 1, 2 }; /*23*/__alignof__(n); /*24*/&&lab; lab: /*25*/__real__ cd; }",
        &[
            "?", "__int128", "unsigned __int128", "float", "__builtin_va_list", "double _Complex", "_Atomic int",
            "const _Atomic long", "anon", "?", "int [7]", "int [10]", "char [4]", "?", "int", "int *", "int", "long",
            "anon", "long", "double", "int [2]", "unsigned long", "void *", "double",
        ],
    );
}

#[test]
fn unevaluated_operands_are_marked() {
    let unit = unit(
        "int f(int n) { int a[n]; sizeof(n++); sizeof(n += 2); sizeof(*&n--); __typeof__(n = 4) t; \
         _Generic(n = 5, int: 0, long: n = 6); sizeof(a[n = 7]); return sizeof(int[n = 8]) + (n = 9); }",
    );
    let writes = cfront::access::writes(&unit.tree);
    let texts: Vec<&str> = writes
        .iter()
        .map(|w| unit.text_of(unit.tree.exprs[w.expr].bare))
        .collect();
    assert_eq!(texts, ["n = 8", "n = 9"]);
}

#[test]
fn typedefs_and_tags_of_blocks_have_no_spelling_outside() {
    types(
        "void f(void) { struct inner { int a; } x; typedef int loc; loc y; /*1*/x; /*2*/y; /*3*/x.a; }",
        &["?", "int", "int"],
    );
}

#[test]
fn declarations_in_order() {
    let unit = unit("void f(int n) { int a = 1, *b = &a, c[] = { 1, n }, d; }");
    let (_, decl) = unit.tree.decls.iter().last().unwrap();
    let inits: Vec<(String, String)> = decl
        .declared
        .iter()
        .map(|d| {
            let init = d.init.map_or("", |i| unit.text_of(unit.tree.inits[i].span));
            (unit.text_of(d.declarator).to_string(), init.to_string())
        })
        .collect();
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(
        inits,
        [
            pair("a", "1"),
            pair("*b", "&a"),
            pair("c[]", "{ 1, n }"),
            pair("d", "")
        ]
    );
    assert!(matches!(decl.declared[0].entity, Entity::Object(_)));
}

#[test]
fn noreturn_is_seen_in_every_spelling() {
    let unit = unit(
        "void a(void) __attribute__((noreturn)); _Noreturn void b(void); __attribute__((__noreturn__)) void c(void); void d(void);",
    );
    let seen: Vec<bool> = unit
        .tree
        .functions
        .iter()
        .map(|(_, f)| f.is_noreturn)
        .collect();
    assert_eq!(seen, [true, true, true, false]);
}

/// Conditions that types decide have a value; those that the program or the width of `long` decides
/// have none.
#[test]
fn conditions_that_types_decide() {
    let cases = [
        ("u >= 0", Some(true)),
        ("u < 0", Some(false)),
        ("0 <= u", Some(true)),
        ("!(u < 0)", Some(true)),
        ("c < 256", Some(true)),
        ("c == 300", Some(false)),
        ("c != -1", Some(true)),
        ("b > 1", Some(false)),
        ("s >= -32768 && s <= 32767", Some(true)),
        ("i == 0 || u >= 0", Some(true)),
        ("i == 1 && c > 255", Some(false)),
        ("p->c < 256", Some(true)),
        ("(unsigned char)i < 256", Some(true)),
        ("u > 4294967295u", Some(false)),
        // In a comparison with an unsigned type of the same or larger size, the other operand is
        // converted.
        ("u == -1", None),
        ("u > -1", Some(false)),
        ("i < 1u", None),
        ("c > -1", Some(true)),
        // The widths of `long` and of `unsigned` decide these.
        ("l > u", None),
        ("u > -1L", None),
        ("ul <= 4294967295u", None),
        // The program decides these.
        ("u > 0", None),
        ("c <= 254", None),
        ("i >= 0", None),
        ("u - 1 >= 0", None),
        ("p->f > -1", None),
        ("e >= 0", None),
        ("d >= 0", None),
        ("i", None),
    ];
    let texts = cases.iter().enumerate();
    let texts: String = texts
        .map(|(i, (text, _))| format!("r = /*{i}*/({text});\n"))
        .collect();
    let unit = unit(&format!(
        "unsigned u; unsigned char c; short s; int i, r; _Bool b; long l; unsigned long ul; double d;\n\
         enum colour {{ RED, BLUE }} e; struct part {{ unsigned char c; unsigned f : 3; }} *p;\n\
         void f(void) {{ {texts} }}"
    ));
    for (i, (text, expected)) in cases.iter().enumerate() {
        let found = cfront::ranges::truth(&unit.tree, marked(&unit, &i.to_string()));
        assert_eq!(found, *expected, "{text}");
    }
}

/// What prints literals and numbers, or reads a number into an `int`, goes nowhere else; what gets other pointers may.
#[test]
fn functions_of_the_library_that_follow_pointers() {
    let declared = "# 1 \"/usr/include/stdio.h\" 1 3\ntypedef struct F FILE; extern FILE *stdout; extern FILE *other;\n\
                    int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int scanf(const char *, ...); int atoi(const char *);\n\
                    # 1 \"prog.c\" 2\nint n; char text[4]; unsigned char small; int (*called)(int *);\n";
    let follows = |body: &str| {
        let text = format!("{declared}int main(void) {{ {body} }}\n");
        cfront::access::follows_pointers(&unit(&text))
    };
    for body in [
        "printf(\"%d %s\\n\", n, \"x\");",
        "fprintf(stdout, \"%d\", n);",
        "scanf(\"%d\", &n);",
        "text[n] = 1;",
    ] {
        assert!(!follows(body), "{body}");
    }
    for body in [
        "printf(\"%s\", text);",
        "fprintf(other, \"%d\", n);",
        "scanf(\"%d\", &small);",
        "scanf(\"%ld\", &n);",
        "scanf(\"%d\", text);",
        "scanf(\"%d%d\", &n, &n);",
        "n = atoi(\"12\");",
        "called(&n);",
    ] {
        assert!(follows(body), "{body}");
    }
}
