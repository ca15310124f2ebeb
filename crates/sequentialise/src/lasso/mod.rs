//! Infinite runs: the state is saved at the border of a round and compared at later borders. A run
//! that returns to a state can repeat the steps in between for ever (Biere, Artho, Schuppan 2002).
//!
//! The state consists of the position of each thread, the set of started threads, every object of
//! static lifetime, and the threads' variables that are live at their positions. Irrelevant objects
//! are left out.
//!
//! Fairness is defined for whole threads (Lehmann, Pnueli, Stavi 1981): within the loop, the
//! program records which threads take a step, which were waiting at some time, and which could
//! continue at some time.

mod emit;
mod irrelevant;
mod shapes;
mod state;
mod waits;

pub(crate) use emit::{Text, NOTES};
pub(crate) use shapes::{constants, Kept, MOST_ELEMENTS};
pub(crate) use waits::Waits;

use crate::options::{Fairness, Options};

/// Why an object is refused.
pub(crate) const WHY: &str = "cannot be compared when a run comes back to a state";

/// Whether a thread may stay for ever at any position, because no fairness is required.
pub(crate) fn everywhere(options: &Options) -> bool {
    let lasso = options.lasso.as_ref();
    options.steps || lasso.is_some_and(|l| l.fairness == Fairness::None)
}
