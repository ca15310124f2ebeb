//! The arguments of the command line that a program reads.

use std::collections::BTreeMap;

use crate::facts::Range;

/// The elements of `main`'s second parameter that a program may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentsRead {
    /// Those at constant places, each with a read.
    At(BTreeMap<u32, Range>),
    /// Any: a place is computed, or the array goes elsewhere.
    Any,
}

impl Default for ArgumentsRead {
    fn default() -> ArgumentsRead {
        ArgumentsRead::At(BTreeMap::new())
    }
}
