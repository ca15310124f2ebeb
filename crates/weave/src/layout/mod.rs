//! The layout of the woven program: its variables, copies, flags and instances, and their names at sites.

pub mod addresses;
pub mod arguments;
pub mod instances;
pub mod lasso;
pub mod operands;
pub mod output;
pub mod pre_reads;
mod shared_reads;
pub mod storage;
pub mod timers;
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
    /// The collected facts.
    pub facts: &'a Facts,
    /// Its control flow.
    pub flow: &'a Graphs<'a>,
    /// The tree, to which expressions of the specification are added.
    pub code: &'a Code,
    /// File and line of an offset.
    pub locate: &'a dyn Fn(usize) -> (String, u32),
    /// Its source files, in the order of the text.
    pub files: &'a [File],
    /// The facts for the search for lassos; `None` if lassos are not searched.
    pub lasso: Option<&'a Observed>,
}

impl Program<'_> {
    /// Whether it has several files.
    pub fn several_files(&self) -> bool {
        self.files.len() > 1
    }
}
