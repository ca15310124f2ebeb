//! Infinite runs: the state is saved at the border of a round and compared at later ones. A run that
//! comes back to a state can repeat for ever what it has done in between (Biere, Artho, Schuppan 2002).
//!
//! The state is: where each thread stands; which have been started; every object that lives as long as
//! the run; and of the threads' variables those that are live where the thread stands. Objects that
//! nothing but themselves depends on are left out.
//!
//! Fairness is that of threads as wholes (Lehmann, Pnueli, Stavi 1981): within the loop it is noted which
//! take a step, which are seen waiting, and which are seen able to go on.

mod emit;
mod heap;
mod idle;
mod live;
mod shapes;
mod state;
mod waits;

pub(crate) use heap::Heap;

pub(crate) use emit::{passing, taken, Text, NOTES};
pub(crate) use waits::Waits;

use crate::options::{Fairness, Options};

/// Why something is refused.
const WHY: &str = "cannot be compared when a run comes back to a state";

/// Whether a thread may stay for ever wherever it is: nobody has to be fair to it.
pub(crate) fn everywhere(options: &Options) -> bool {
    let lasso = options.lasso.as_ref();
    lasso.is_some_and(|l| l.fairness == Fairness::None)
}
