//! The command line of baproduct.

mod commands;

fn main() {}
