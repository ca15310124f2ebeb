//! Shared objects that one atomic block may read at several places.
//!
//! Where evaluations read an object in alternative branches, CBMC leaves all reads but the first one
//! free (see [`crate::items::code`]). So what may be read at several places is read in front of them, by
//! all paths; then it is known in the rest of the block.

/// An object, or a part of one, that is read in front of other reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PreRead {
    /// The lvalue as it stands in emitted text.
    pub lvalue: String,
    /// The type of its value if that is a scalar; all of its bytes are read otherwise.
    pub value_type: Option<String>,
}

impl PreRead {
    /// The statement that reads it into a local that nobody uses.
    pub fn statement(&self, number: usize) -> String {
        match &self.value_type {
            Some(ty) => format!(
                "{ty} ba_pre_read{number} = {}; (void)ba_pre_read{number};",
                self.lvalue
            ),
            None => format!("BA_PRE_READ({number}, {})", self.lvalue),
        }
    }
}

/// Reads objects into locals that nobody uses, a line each.
pub fn statements(pre_read: &[PreRead]) -> String {
    let lines = pre_read.iter().enumerate();
    lines
        .map(|(i, t)| format!("  {}\n", t.statement(i)))
        .collect()
}
