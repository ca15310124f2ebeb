//! The state of the planned search for lassos.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::influence::Part;
use crate::analysis::state_slice::{Kept, Observed};
use crate::facts::heads::Head;
use crate::facts::record::LassoRecord;
use crate::facts::FunctionIndex;

/// The search for lassos in a program.
#[derive(Clone, Debug)]
pub struct Lasso<'a> {
    /// The facts about objects.
    pub(crate) observed: &'a Observed,
    /// Whether the program has several files, so that some files do not see some objects.
    pub several_files: bool,
    /// The relevant parts of static objects and of locals.
    pub(crate) relevant: BTreeSet<Part>,
    /// The objects that are saved once for all points.
    pub statics: Vec<Kept>,
    /// The labels that the specification names as save points; if there are none, loops are save points.
    pub labels: BTreeSet<usize>,
    /// The state that the specification declares.
    pub declared: Option<Vec<Kept>>,
    /// The sites of the save points so far.
    pub points: Vec<usize>,
    /// The cuts so far, if the program is woven for a proof.
    pub(crate) heads: Option<Vec<Head>>,
    /// The sites of the starts of recursive functions.
    pub(crate) entries: BTreeMap<FunctionIndex, usize>,
    /// Whether threads run, and the state is saved between their rounds.
    pub by_rounds: bool,
    /// The record of the search, for `check` and `verify`.
    pub record: LassoRecord,
}
