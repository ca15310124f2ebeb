//! The liveness of a program's locals, which is computed when somebody asks for it, and once.

use std::cell::OnceCell;

use cfront::Unit;
use weave::analysis::live_locals::Live;

/// The liveness of locals.
pub struct Lazy<'a> {
    unit: &'a Unit,
    live: OnceCell<Live>,
}

impl<'a> Lazy<'a> {
    /// Computes nothing yet.
    pub fn of(unit: &'a Unit) -> Lazy<'a> {
        Lazy {
            unit,
            live: OnceCell::new(),
        }
    }

    /// The liveness.
    pub fn get(&self) -> &Live {
        let of = || Live::new(&self.unit.tree, &self.unit.flows);
        self.live.get_or_init(of)
    }
}
