//! The tests of the whole program, one module per subject. They are one binary, since linking
//! dozens takes longer than running most of them. `tests/README.md` says how to add one.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

mod ages;
mod agreement;
mod allocated;
mod arguments;
mod bad_input;
mod cancellation;
mod certificates;
mod challenge;
mod clock;
mod command_line;
mod completeness;
mod constructs;
mod contracts;
mod control_flow;
mod data;
mod deadlines;
mod deepen;
mod differential;
mod docs;
mod drivers;
mod eca;
mod ends;
mod entries;
mod environment;
mod esbmc;
mod evidence;
mod examples;
mod explicit;
mod fairness;
mod field;
mod formats;
mod formulas;
mod handlers;
mod harness;
mod hidden;
mod hostile_backends;
mod init;
mod instances;
mod integration;
mod interruption;
mod interrupts;
mod intervals;
mod lasso;
mod library;
mod lsp;
mod machines;
mod memory_models;
mod misleading;
mod mutations;
mod native;
mod nested_interrupts;
mod nonlocal_jumps;
mod one_question;
mod outputs;
mod outside;
mod parts;
mod properties;
mod prove;
mod races;
mod reads;
mod recursion;
mod registers;
mod regressions;
mod replay;
mod requirements;
mod results;
mod safety;
mod schedules;
mod schemas;
mod sequences;
mod several_files;
mod signals;
mod slices;
mod small;
mod steps;
mod targets;
mod terminal;
mod threads;
mod transparency;
mod turns;
mod undefined;
mod unread;
mod vacuity;
mod wakeups;
mod warnings;
mod watch;
mod writes;

/// A file that is no module would never be run.
#[test]
fn every_file_is_a_module() {
    let own = include_str!("main.rs");
    for entry in std::fs::read_dir(support::repository("tests")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy();
        if path.extension().is_some_and(|e| e == "rs") && name != "main" {
            let declared = own.lines().any(|line| line == format!("mod {name};"));
            assert!(declared, "tests/main.rs has no line `mod {name};`");
        }
    }
}
