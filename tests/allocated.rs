//! Programs that allocate memory without a bound: proofs in which it has any content (`crates/cfront/src/summary.rs`).
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};

const HEAD: &str = "#include <stdlib.h>\n#include <string.h>\nextern int in(void);\n\
    struct node { int v; struct node *next; int *where; void (*f)(void); };\n\
    static struct node *head, *tail, *old; static int x, g, count;\n\
    static void hit(void) { g = 1; }\n\
    static struct node *fresh(void) { struct node *n = malloc(sizeof *n); if (!n) exit(1); n->v = 0; n->next = 0; n->where = 0; n->f = 0; return n; }\n";

/// What is said of a formula about a program, by the engines that follow all runs.
fn holds(program: &str, formula: &str) -> String {
    let dir = Dir::with(&[("p.c", &format!("{HEAD}{program}"))]);
    let engines = ["--engine", "induction,explicit", "--vacuity", "none"];
    let (result, _) = dir.verify(&[&engines[..], &["--ltl", formula, "p.c"]].concat());
    let property = &result["properties"][0];
    property["holds"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_array_that_grows_is_proved() {
    if !cbmc() {
        return;
    }
    let vector = "static int *data; static size_t len, cap;\n\
        int main(void) { while (in()) { if (len == cap) { size_t n = cap ? 2 * cap : 2; int *p = realloc(data, n * sizeof *p); if (!p) return 1; data = p; cap = n; }\n\
        data[len++] = in(); if (in() && len) x = data[--len]; } free(data); return 0; }\n";
    assert_eq!(holds(vector, "G {len <= cap}"), "proved");
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_queue_of_nodes_is_proved() {
    if !cbmc() {
        return;
    }
    let queue = "static void put(int v) { struct node *n = fresh(); n->v = v; if (tail) tail->next = n; else head = n; tail = n; count++; }\n\
        static int take(void) { struct node *n = head; int v = n->v; head = n->next; if (!head) tail = 0; free(n); count--; return v; }\n\
        int main(void) { while (1) { if (in()) { if (count < LIMIT) put(in()); } else if (count > 0) x = take() & 1; } }\n";
    let right = queue.replace("LIMIT", "1000");
    assert_eq!(holds(&right, "G {count >= 0 && count <= 1000}"), "proved");
}

/// What lies in allocated memory is no matter of these proofs: this formula is violated.
#[test]
fn formulas_that_read_what_was_allocated_are_not_proved() {
    if !cbmc() {
        return;
    }
    let program = "int main(void) { head = fresh(); while (1) { struct node *n = fresh(); n->next = head; n->v = 1; head = n; } }";
    assert_ne!(
        holds(program, "G {head == 0 || head->v == 0}"),
        "proved",
        "{program}"
    );
}
