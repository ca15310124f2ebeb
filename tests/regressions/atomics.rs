//! Atomic operations whose emitted text once computed something else, or did not compile.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};

/// The result of an atomic operation on a narrow object was not wrapped around: 255 + 1 was 256.
#[test]
fn results_of_atomic_operations_wrap_around_in_the_objects_type() {
    if !cbmc() {
        return;
    }
    let program = "unsigned char n = 255; int x;\n\
                   int main(void) { x = __atomic_add_fetch(&n, 1, __ATOMIC_SEQ_CST); return 0; }\n";
    for engine in ["bounded", "explicit"] {
        let dir = Dir::with(&[("p.c", program)]);
        let formula = "G ({n <= 255} && {x <= 255})";
        let (got, _) = dir.verify(&["--engine", engine, "--ltl", formula, "p.c"]);
        assert_eq!(got["holds"], "proved", "{engine}");
    }
}

/// Structures were added and compared as numbers: what was emitted for their atomic operations did not compile.
#[test]
fn structures_are_loaded_exchanged_and_compared_in_one_step() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdatomic.h>\nstruct pair { short a, b; };\n_Atomic struct pair p;\nint ok;\n\
                   int main(void) {\n  struct pair q = atomic_load(&p), r = q;\n  r.a = 3;\n\
                   if (atomic_compare_exchange_strong(&p, &q, r)) ok = 1;\n\
                   struct pair s = atomic_exchange(&p, q);\n  if (s.a == 3) ok++;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = "F ({ok == 2} && {p.a == 0})";
    let (got, _) = dir.verify(&["--ltl", formula, "p.c", "--engine", "bounded"]);
    assert_eq!(got["holds"], "proved");
    let out = dir.run(&["instrument", "--ltl", formula, "p.c", "-o", "out.c"]);
    assert_eq!(out.status, 0, "{out:?}");
    let emitted = dir.path("out.c");
    let mut gcc = std::process::Command::new("gcc");
    let compiled = gcc.args(["-w", "-fsyntax-only"]).arg(emitted).status();
    assert!(compiled.unwrap().success());
}
