//! A signal, with what it does if the program does not say more.

/// Signals that do nothing, if the program does not say more.
const IGNORED: [i128; 5] = [0, 17, 18, 23, 28];

/// A signal of the program.
pub(super) struct Signal {
    /// Its number.
    pub number: i128,
    /// Its name.
    pub name: &'static str,
    /// Whether functions may be installed for it.
    pub handled: bool,
}

impl Signal {
    /// Its bit in a mask.
    pub(super) fn bit(&self) -> String {
        format!("{}UL", 1u64 << (self.number - 1))
    }

    /// What happens at it if the program does not say more, as a statement.
    pub(super) fn default(&self) -> &'static str {
        match self.number {
            n if IGNORED.contains(&n) => "{ }",
            _ => "_Exit(1);",
        }
    }
}
