//! Pre-reads: shared objects that one atomic block may read at several places.
//!
//! If evaluations read an object in alternative branches, CBMC leaves all reads but the first one unconstrained
//! (see [`crate::items::code`]). So such an object is read before the branches, on every path; then its
//! value is fixed in the rest of the block.

/// An object, or a part of one, that is read before other reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PreRead {
    /// The lvalue as it stands in emitted text.
    pub lvalue: String,
    /// The type of its value if that is a scalar; otherwise all of its bytes are read.
    pub value_type: Option<String>,
}

impl PreRead {
    /// The statement that reads it into an unused local.
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

/// The statements that read objects into unused locals, a line each.
pub fn statements(pre_read: &[PreRead]) -> String {
    let lines = pre_read.iter().enumerate();
    lines
        .map(|(i, t)| format!("  {}\n", t.statement(i)))
        .collect()
}
