//! Which variables, copies, flags and instances the woven program has, and how each is named at a site.

pub mod addresses;
pub mod arguments;
pub mod instances;
pub mod lasso;
pub mod operands;
pub mod output;
pub mod pre_reads;
mod shared_reads;
pub mod storage;
pub mod variables;
pub mod weaver;

use crate::analysis::flow::Graphs;
use crate::analysis::state_slice::Observed;
use crate::bind::code::Code;
use crate::facts::files::File;
use crate::facts::Facts;

/// The program that is woven into.
pub struct Program<'a> {
    /// Its preprocessed text.
    pub text: &'a str,
    /// What is in it.
    pub facts: &'a Facts,
    /// Its control flow.
    pub flow: &'a Graphs<'a>,
    /// The code itself, which expressions of the specification are added to.
    pub code: &'a Code,
    /// File and line of an offset.
    pub locate: &'a dyn Fn(usize) -> (String, u32),
    /// Its source files, in the order of the text.
    pub files: &'a [File],
    /// What the search for lassos has to know of it; nothing if none are searched.
    pub lasso: Option<&'a Observed>,
}

impl Program<'_> {
    /// Whether it has several files.
    pub fn several_files(&self) -> bool {
        self.files.len() > 1
    }
}
