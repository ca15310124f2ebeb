#![allow(clippy::unwrap_used)]
use super::*;
use crate::parse::Unit;
use crate::source::Source;

fn driver(program: &str, calls: &str) -> Result<Driver, crate::diag::Diagnostic> {
    let unit = Unit::parse(Source::from_bytes(program.as_bytes().to_vec())).unwrap();
    let entries = Entries {
        calls: Calls::of(&[calls.to_string()]).unwrap(),
        length: 3,
        depth: 2,
        nonnull: false,
    };
    Driver::new(&unit, &entries)
}

/// The text behind a program, which is read as C.
fn behind(program: &str, calls: &str) -> String {
    let driver = driver(program, calls).unwrap();
    let text = driver.source.files[FILE].to_string();
    Unit::parse(driver.source).unwrap();
    text
}

#[test]
fn arrays_end_where_their_length_says() {
    let text = behind(
        "int f(const short *a, unsigned long n) { return a[n - 1]; }\n",
        "f",
    );
    for line in [
        "unsigned long entry_n = entry_length_f_n == 1 ? 1 : entry_length_f_n == 2 ? 2 : 3;",
        "const short *entry_a = nondet_entry_f_a() ? &entry_f_a[3 - entry_n] : 0;",
        "f(entry_a, entry_n);",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn attributes_exclude_null() {
    let program =
        "__attribute__((nonnull(2))) void f(int *a, int *b);\nvoid f(int *a, int *b) { *b = 0; }\n\
        int g(const char *s) __attribute__((nonnull));\nint g(const char *s) { return *s; }\n";
    let text = behind(program, "f g");
    for line in [
        "int *entry_a = nondet_entry_f_a() ? &entry_f_a[0] : 0;",
        "int *entry_b = &entry_f_b[0];",
        "const char *entry_s = &entry_g_s[0];",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn structures_end_at_the_depth() {
    let program = "struct node { int v; struct node *next; };\nint sum(const struct node *n) { return n->v; }\n";
    let text = behind(program, "sum");
    for line in [
        "entry_sum_n[0].v = nondet_entry_sum_n_v();",
        "entry_sum_n[0].next = nondet_entry_sum_n_next() ? &entry_sum_n_next[0] : 0;",
        "entry_sum_n_next[0].next = 0;",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let assumptions = driver(program, "sum").unwrap().assumptions.join("\n");
    assert!(assumptions.contains("at most 2 pointers"), "{assumptions}");
}

#[test]
fn constant_members_have_values_and_locks_are_zero() {
    let lock = "typedef union { struct { int lock; } data; long align; } pthread_mutex_t;\n";
    let program = "struct s { const int a; const char *const t; const short m[2]; pthread_mutex_t lock; };\nvoid f(struct s *p) { }\n";
    let text = behind(&format!("{lock}{program}"), "f");
    for line in [
        "(*(int *)&entry_s.a) = nondet_entry_s_a();",
        "(*(const char **)&entry_s.t) = ",
        "(*(short *)&entry_s.m[1]) = nondet_entry_s_m_1();",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!text.contains("entry_s.lock"), "{text}");
}

/// Regression: two members had one variable, and the text was refused.
#[test]
fn lengths_of_members_with_one_name_are_two() {
    let text = behind(
        "struct str { unsigned len; char *data; };\nstruct s { char *type; unsigned type_len; struct str type_; };\nstruct t { struct str a_b; struct { struct str b; } a; };\nvoid f(struct s s, struct t t) { }\n",
        "f",
    );
    assert!(text.contains("entry_length_f_t_a_b_len_2"), "{text}");
}

/// Two parameters that lead to the same name have functions of their own where their types differ.
#[test]
fn choices_of_other_types_have_other_names() {
    let text = behind("void a(int b_c) { }\nvoid a_b(char c) { }\n", "(a | a_b)*");
    assert!(text.contains("int nondet_entry_a_b_c(void)"), "{text}");
    assert!(text.contains("char nondet_entry_a_b_c_2(void)"), "{text}");
}

#[test]
fn all_kinds_of_parameters_are_read_as_c() {
    behind(
        "enum e { A, B }; union u { int i; float f; };\nstruct s { char name[4]; const char *text; union u u; int (*f)(int, char *); struct { short x, y; }; unsigned b : 3; };\n\
         typedef struct { int *data; unsigned len; } view;\nint cb(int x, char *y) { return x; }\n\
         void f(enum e e, struct s by_value, struct s *p, const struct s *q, view v, void *data, double d, char **argv, int m[][2], int (*g)(int, char *), _Bool b) { }\n",
        "f",
    );
}

/// Regression: the definition had other parameters than the declaration, and did not compile.
#[test]
fn a_declared_main_has_its_parameters() {
    let begin = |declared: &str| {
        let text = behind(&format!("{declared} int f(void) {{ return 1; }}\n"), "f");
        let line = text.lines().find(|line| line.starts_with("int main"));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(begin(""), "int main(void)");
    assert_eq!(begin("int main();"), "int main(void)");
    assert_eq!(
        begin("extern int main(int, char **);"),
        "int main(int entry_argc, char **entry_argv)"
    );
}
