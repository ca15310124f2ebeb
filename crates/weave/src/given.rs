//! Calls that give the program a value from outside: the value passes through a variable of its own,
//! so that a model checker's trace shows it and a replay can feed it.

use crate::weaver::Weaver;

/// Functions of the C library whose results nobody can compute.
const SOURCES: [&str; 8] = [
    "rand", "random", "getchar", "fgetc", "getc", "time", "clock", "getpid",
];

impl Weaver<'_> {
    /// Makes the results of functions without a body visible, where their names say what they are.
    pub fn plan_given(&mut self) {
        let facts = self.facts;
        for call in facts
            .calls
            .iter()
            .filter(|c| c.target.is_none() && !c.returns_void)
        {
            let Some(name) = call.callee.as_deref() else {
                continue;
            };
            let is_source = name.starts_with("nondet_")
                || name.starts_with("__VERIFIER_nondet_")
                || SOURCES.contains(&name);
            if !is_source || !call.used {
                continue;
            }
            self.insertions.around(
                call.range,
                call.depth,
                2,
                format!("(__extension__ ({{ __auto_type ba_given_{name} = "),
                format!("; ba_given_{name}; }}))"),
            );
        }
    }
}
