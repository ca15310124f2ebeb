//! Levels, combination of answers into verdicts, result types.

pub mod result;
