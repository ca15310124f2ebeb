//! The points-to analysis: the targets of the argument of `probe(p)`. Each program is compared with
//! the real targets, so that an answer may be larger but never smaller; where the analysis is meant
//! to be exact, it must be equal.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use cfront::span::ExprId;
use cfront::tree::{ExprKind, Resolved};
use cfront::{Aliases, Assumptions, Unit};

/// The arguments of the calls of `probe`, in the order of the text.
fn probes(unit: &Unit) -> Vec<ExprId> {
    let tree = &unit.tree;
    let mut found = Vec::new();
    for (_, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        match &tree.exprs[*callee].kind {
            ExprKind::Ident(Resolved::Function(f)) if tree.functions[*f].name == "probe" => {
                found.push((expr.span.start, args[0]));
            }
            _ => {}
        }
    }
    found.sort_by_key(|(start, _)| *start);
    found.into_iter().map(|(_, e)| e).collect()
}

/// The targets of each probe's argument, `*` for anything.
fn answers(program: &str) -> Vec<BTreeSet<String>> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("alias{number}.c"));
    let (headers, rest) = match program.rfind("#include") {
        Some(at) => program.split_at(at + program[at..].find('\n').unwrap() + 1),
        None => ("", program),
    };
    let own = "void probe(const void *p) { (void)p; }\nint a, b, c, *gp;\n";
    std::fs::write(&file, format!("{headers}{own}{rest}\n")).unwrap();
    let unit = common::read(&file);
    let assumptions = Assumptions {
        whole_program: true,
    };
    let aliases = Aliases::new(&unit.tree, assumptions);
    let names = |e: ExprId| {
        let set = aliases.may_point_to(e);
        match set.anything {
            true => BTreeSet::from(["*".to_string()]),
            false => {
                let objects = set.objects.iter();
                objects
                    .map(|&o| unit.tree.objects[o].name.clone())
                    .collect()
            }
        }
    };
    probes(&unit).into_iter().map(names).collect()
}

#[track_caller]
fn exactly(program: &str, expected: &[&[&str]]) {
    let expected: Vec<BTreeSet<String>> = expected
        .iter()
        .map(|set| set.iter().map(|s| s.to_string()).collect())
        .collect();
    assert_eq!(answers(program), expected, "{program}");
}

/// Checks that the answer to the last probe contains at least these names.
#[track_caller]
fn at_least(program: &str, expected: &[&str]) {
    let answers = answers(program);
    let last = answers.last().unwrap();
    let has = |name: &&str| last.contains("*") || last.contains(*name);
    assert!(expected.iter().all(has), "{program}: {last:?}");
}

#[test]
fn addresses_copies_and_choices() {
    exactly(
        "int main(void) { int *p = &a; probe(p); return 0; }",
        &[&["a"]],
    );
    exactly(
        "int main(void) { int *p = &a, *q = p; p = &b; probe(q); probe(c ? p : &c); return 0; }",
        &[&["a", "b"], &["a", "b", "c"]],
    );
    exactly(
        "int main(void) { probe((c, &a)); probe(c ? &a : 0); return 0; }",
        &[&["a"], &["a"]],
    );
    exactly(
        "int main(void) { int *p; p = gp = &b; probe(p); probe(gp); return 0; }",
        &[&["b"], &["b"]],
    );
}

#[test]
fn loads_and_stores_through_pointers() {
    exactly(
        "int main(void) { int *p, **pp = &p; *pp = &a; probe(p); probe(*pp); return 0; }",
        &[&["a"], &["a"]],
    );
    exactly(
        "int main(void) { int *p, *q, **pp = c ? &p : &q; *pp = &a; q = &b; probe(p); probe(*pp); return 0; }",
        &[&["a"], &["a", "b"]],
    );
}

#[test]
fn members_and_elements_stand_for_their_object() {
    at_least(
        "struct s { int *p; struct s *next; } x, y; \
         int main(void) { x.next = &y; x.next->p = &a; probe(y.p); return 0; }",
        &["a"],
    );
    at_least(
        "int *t[3]; int main(void) { t[c] = &a; t[1] = &b; probe(t[2]); return 0; }",
        &["a", "b"],
    );
    at_least(
        "struct s { struct { int *p; } in; } x, y; int main(void) { x.in.p = &a; y = x; probe(y.in.p); return 0; }",
        &["a"],
    );
    at_least(
        "union u { int *p; long n; } x; int main(void) { x.p = &a; long n = x.n; probe((int *)n); return 0; }",
        &["a"],
    );
    at_least(
        "struct s { int n, m; } x; int main(void) { int *p = &x.n; probe(p + 1); return 0; }",
        &["x"],
    );
}

#[test]
fn arguments_results_and_function_pointers() {
    at_least(
        "int *same(int *p) { return p; } int main(void) { probe(same(&a)); return 0; }",
        &["a"],
    );
    exactly(
        "int *first(int *p, int *q) { (void)q; return p; } int main(void) { probe(first(&a, &b)); return 0; }",
        &[&["a"]],
    );
    at_least(
        "int *same(int *p) { return p; } int *none(int *p) { (void)p; return &c; } \
         int main(void) { int *(*f)(int *) = c ? same : none; probe(f(&a)); return 0; }",
        &["a", "c"],
    );
    at_least(
        "struct op { int *(*f)(int *); }; int *same(int *p) { return p; } \
         static const struct op ops[] = { { same } }; int main(void) { probe(ops[0].f(&b)); return 0; }",
        &["b"],
    );
    at_least(
        "#include <stdarg.h>\nint *pick(int n, ...) { va_list l; va_start(l, n); int *p = va_arg(l, int *); va_end(l); return p; } \
         int main(void) { probe(pick(1, &a)); return 0; }",
        &["a"],
    );
    at_least("int *rec(int n, int *p) { return n ? rec(n - 1, p) : p; } int main(void) { probe(rec(3, &c)); return 0; }", &["c"]);
}

#[test]
fn what_initialisers_hold() {
    at_least(
        "int *t[] = { &a, [2] = &c }; int main(void) { probe(t[0]); return 0; }",
        &["a", "c"],
    );
    at_least("struct s { int n; int *p; }; int main(void) { probe(((struct s){ .p = &b }).p); return 0; }", &["b"]);
    at_least(
        "int main(void) { int **pp = (int *[]){ &a, &b }; probe(pp[1]); return 0; }",
        &["a", "b"],
    );
}

#[test]
fn casts_numbers_and_copies_of_bytes() {
    at_least(
        "int main(void) { long n = (long)&a; n += 4; n -= 4; probe((int *)n); return 0; }",
        &["a"],
    );
    at_least(
        "int main(void) { char *p = (char *)&a; probe(p + c); return 0; }",
        &["a"],
    );
    at_least(
        "#include <string.h>\nint main(void) { int *p = &a, *q; memcpy(&q, &p, sizeof p); probe(q); return 0; }",
        &["a"],
    );
    at_least(
        "#include <stdlib.h>\nint main(void) { int **h = malloc(8); *h = &b; int **k = realloc(h, 16); probe(*k); return 0; }",
        &["b"],
    );
}

#[test]
fn threads_callbacks_and_what_the_library_gives_back() {
    at_least(
        "#include <pthread.h>\nvoid *run(void *p) { probe(p); return 0; } \
         int main(void) { pthread_t t; pthread_create(&t, 0, run, &a); return 0; }",
        &["a"],
    );
    at_least(
        "#include <stdlib.h>\nstatic int order(const void *p, const void *q) { probe(p); return p < q; } \
         int t[4]; int main(void) { qsort(t, 4, sizeof *t, order); return 0; }",
        &["t"],
    );
    at_least("#include <stdlib.h>\nchar s[4]; int main(void) { char *e; strtol(s, &e, 10); probe(e); return 0; }", &["s"]);
}

/// What is found in a string is a place in it, and in no other memory.
#[test]
fn what_is_found_in_a_string_lies_in_it() {
    for found in [
        "strchr(s, 'x')",
        "strrchr(s, 'x')",
        "strstr(s, t)",
        "strpbrk(s, t)",
        "memchr(s, 0, 4)",
    ] {
        exactly(
            &format!("#include <string.h>\nchar s[4], t[4]; int main(void) {{ probe({found}); return 0; }}"),
            &[&["s"]],
        );
    }
}

/// An unknown function may return every pointer that an unknown function was given.
#[test]
fn functions_of_nobody() {
    at_least(
        "void keep(int *); int *give(void); int main(void) { keep(&a); probe(give()); return 0; }",
        &["a"],
    );
}

/// The memory that `memset` or a copy writes does not get the address of its argument, and `free`
/// calls no function whose address is in the memory that it is given.
#[test]
fn what_the_library_does_with_memory_is_known() {
    exactly(
        "#include <string.h>\nstruct s { int *p; } s; int main(void) { struct s *q = &s; memset(q, 0, sizeof s); q->p = &a; probe(q->p); return 0; }",
        &[&["a"]],
    );
    exactly(
        "#include <string.h>\nint main(void) { int *p = &a, *q = &b; probe(memcpy(&q, &p, sizeof p)); probe(q); return 0; }",
        &[&["q"], &["a", "b"]],
    );
    exactly(
        "#include <stdlib.h>\nvoid run(void *p) { probe(p); } struct s { void (*run)(void *); int *p; }; \
         int main(void) { struct s *s = malloc(sizeof *s); s->run = run; s->p = &a; run(&b); free(s); return 0; }",
        &[&["b"]],
    );
}

/// Atomic operations copy values between the object, the places that they are given, and their result, and keep no address.
#[test]
fn atomic_operations_copy_values() {
    exactly(
        "int *o; int main(void) { int *r, *s = &a; __atomic_store(&o, &s, 5); __atomic_load(&o, &r, 5); probe(r); probe(o); return 0; }",
        &[&["a"], &["a"]],
    );
    exactly(
        "int *o = &a; int main(void) { int *r, *s = &b; __atomic_exchange(&o, &s, &r, 5); probe(r); probe(__atomic_exchange_n(&o, &c, 5)); probe(o); return 0; }",
        &[&["a", "b", "c"], &["a", "b", "c"], &["a", "b", "c"]],
    );
    exactly(
        "int *o = &a; int main(void) { int *e = &b, *d = &c; __atomic_compare_exchange(&o, &e, &d, 0, 5, 5); probe(e); probe(d); \
         __sync_val_compare_and_swap(&o, e, d); probe(o); return 0; }",
        &[&["a", "b", "c"], &["c"], &["a", "c"]],
    );
}

#[test]
fn unrelated_objects_stay_apart() {
    exactly(
        "int main(void) { int *p = &a, *q = &b; *p = *q; probe(p); probe(q); return 0; }",
        &[&["a"], &["b"]],
    );
    exactly(
        "int main(void) { int n = a; int *p = &b; p[n] = 1; probe(p); return 0; }",
        &[&["b"]],
    );
}
