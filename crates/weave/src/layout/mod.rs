//! Which variables, copies, flags and instances the woven program has, and how each is named at a site.

pub mod instances;
pub mod operands;
pub mod pre_reads;
pub mod storage;
pub mod variables;
