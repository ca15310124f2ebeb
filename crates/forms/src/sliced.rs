//! Programs without the computations on which nothing depends that is asked.

use std::collections::BTreeSet;

use crate::program::Program;

impl Program {
    /// The program without the computations on which nothing depends that the specification with this text asks about, which was
    /// woven into it; `None` if it has none, or several files. What holds on all runs of the other one holds.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub fn sliced(&self, spec: &str) -> anyhow::Result<Option<Program>> {
        let is_letter = |c: char| c == '_' || c.is_alphanumeric();
        let words: BTreeSet<&str> = spec.split(|c| !is_letter(c)).collect();
        self.made(|unit| cfront::slice::sliced(unit, self.own, &words))
    }
}
