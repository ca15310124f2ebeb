//! Bounds of single loops that the backend needed greater than the general bound.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The factor by which a loop's bound grows each time.
const FACTOR: u32 = 4;

/// A loop that still goes on at this bound may have no end, so its bound is not raised further.
const ENOUGH: u32 = 256;

/// The raised bounds, by the backend's names for the loops.
#[derive(Debug, Default)]
pub(crate) struct Needed(Mutex<BTreeMap<String, u32>>);

impl Needed {
    /// The bounds raised so far.
    pub(crate) fn all(&self) -> Vec<(String, u32)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|(name, n)| (name.clone(), *n)).collect()
    }

    /// Raises the bounds of some loops, which start at `first`; returns whether any could be
    /// raised.
    pub(crate) fn raise(&self, loops: Vec<String>, first: u32) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut raised = false;
        for name in loops {
            let bound = known.entry(name).or_insert(first);
            if *bound < ENOUGH {
                *bound = bound.saturating_mul(FACTOR);
                raised = true;
            }
        }
        raised
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow_up_to_a_limit() {
        let needed = Needed::default();
        assert!(needed.raise(vec!["f.0".into()], 7));
        assert_eq!(needed.all(), [("f.0".to_string(), 28)]);
        while needed.raise(vec!["f.0".into()], 7) {}
        assert_eq!(needed.all(), [("f.0".to_string(), 448)]);
        assert!(needed.raise(vec!["f.0".into(), "g.1".into()], 7));
        assert_eq!(needed.all()[1], ("g.1".to_string(), 28));
    }
}
