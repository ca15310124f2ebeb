//! The search for lassos, as far as it is planned.

use std::collections::BTreeSet;

use crate::analysis::influence::Part;
use crate::analysis::state_slice::{Kept, Observed};
use crate::facts::heads::Head;
use crate::facts::record::LassoRecord;

/// The search for lassos in a program.
#[derive(Clone, Debug)]
pub struct Lasso<'a> {
    /// What is known of the objects.
    pub(crate) observed: &'a Observed,
    /// Whether only some of the program's files see an object.
    pub several_files: bool,
    /// The parts that count, of objects that live as long as the run and of locals.
    pub(crate) relevant: BTreeSet<Part>,
    /// What is saved once for all points.
    pub statics: Vec<Kept>,
    /// The labels that the specification names as save points; loops if there are none.
    pub labels: BTreeSet<usize>,
    /// What the specification declares to be the state.
    pub declared: Option<Vec<Kept>>,
    /// The sites of the save points so far.
    pub points: Vec<usize>,
    /// The cuts so far, if the program is woven for a proof.
    pub(crate) heads: Option<Vec<Head>>,
    /// Whether threads run, and the state is saved at the borders of their rounds.
    pub by_rounds: bool,
    /// What `check` shows.
    pub record: LassoRecord,
}
