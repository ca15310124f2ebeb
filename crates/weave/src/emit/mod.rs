//! Fills the templates with what was planned, and distributes the text over the source files.

pub mod events;
pub mod files;
mod headers;
pub mod models;
pub mod record;
pub mod render;
mod timers;
mod verdicts;

use crate::facts::heads::Heads;
use crate::facts::record::Record;
use crate::facts::remarks::Remark;
use crate::plan::insertions::Insertion;

/// A woven program, as text and insertions.
#[derive(Clone, Debug)]
pub struct Woven {
    /// For each source file, the text before it and after it.
    pub texts: Vec<files::Texts>,
    /// The insertions, in order.
    pub insertions: Vec<Insertion>,
    /// All that `verify` needs to know.
    pub record: Record,
    /// The facts for a proof by induction, if one is wanted.
    pub heads: Option<Heads>,
    /// Notes on the program.
    pub notes: Vec<Remark>,
}
