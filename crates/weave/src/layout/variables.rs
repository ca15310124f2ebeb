//! The variables that propositions become: where each value lives, and when it is computed.

use std::collections::{BTreeMap, BTreeSet};

use crate::bind::expression::Leaf;
use crate::bind::resolve::Bound;
use crate::facts::{Facts, FunctionIndex, ObjectIndex};
use crate::items::event::Now;
use crate::layout::arguments::Argument;
use crate::layout::pre_reads::PreRead;

/// Where a proposition's value lives and how instances of its area are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Only the frame of the area's function changes it: the frame keeps whether the area is open
    /// and, where threads run or instances are counted, its own contribution.
    Frame {
        /// Whether frames keep their own contribution.
        own: bool,
        /// Whether several instances contribute, so that the non-default ones are counted.
        counted: bool,
    },
    /// Other code changes it too: a global count says how many instances are open, and the values
    /// of local parameters are copied to global variables.
    Remote,
    /// The area is the whole program.
    Whole,
}

/// When a proposition gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// At every event that may change it: between events, its variable has its value.
    Events,
    /// When a letter is taken, from what its evaluation reads: nothing else asks for it.
    Samples,
    /// When a letter is taken at its own label; in all other letters it has its default.
    ItsLabel,
}

/// Which variables, copies and flags the woven program has: what the room `layout` gives.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The propositions as the emission sees them, in the specification's order.
    pub variables: Vec<Variable>,
    /// For each object, whether its address is kept, for writes where it has no name.
    pub addressed: Vec<bool>,
    /// For each object, the propositions that depend on it.
    pub watchers: Vec<Vec<usize>>,
    /// For each object, whether global copies of its value, or of parts, are kept.
    pub copied: Vec<bool>,
    /// For each function, its locals that are copied.
    pub copied_locals: BTreeMap<FunctionIndex, BTreeSet<ObjectIndex>>,
    /// For each object, what is copied.
    pub copies: Vec<Vec<Leaf>>,
    /// For each area, whether its flags are static per thread, because a callee may end the run
    /// inside it.
    pub static_flags: Vec<bool>,
    /// Whether letter 0 is taken at run time.
    pub starts: bool,
    /// The areas of which some run should enter each.
    pub covered_areas: BTreeSet<usize>,
    /// Those of them with an exit label that control can come to from the entry: some run should come there.
    pub covered_exits: BTreeSet<usize>,
}

impl Layout {
    /// Nothing decided yet.
    pub(in crate::layout) fn new(facts: &Facts, bound: &Bound) -> Layout {
        let objects = facts.objects.len();
        Layout {
            variables: Vec::new(),
            addressed: vec![false; objects],
            watchers: vec![Vec::new(); objects],
            copied: vec![false; objects],
            copied_locals: BTreeMap::new(),
            copies: vec![Vec::new(); objects],
            static_flags: vec![false; bound.areas.len()],
            starts: false,
            covered_areas: BTreeSet::new(),
            covered_exits: BTreeSet::new(),
        }
    }
}

/// What the emission has to know of a proposition.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The identifier behind `ba_`, such as `g1`.
    pub name: String,
    /// The value outside the area.
    pub default: bool,
    /// The only thread that changes it keeps a copy of its value, so as not to read the shared one.
    pub thread_copy: bool,
    /// Where its value lives.
    pub storage: Storage,
    /// When it gets its value.
    pub reading: Reading,
    /// Whether it has its other value only if every open instance gives it that.
    pub all: bool,
    /// Where the formula is about one instance alone: the flag of the activation that is followed.
    pub follows: Option<String>,
    /// The frame's locals that are arguments of the evaluation.
    pub locals: Vec<Argument>,
    /// A C condition without which the evaluation has no meaning, such as that a local lives.
    pub condition: Option<String>,
    /// What the evaluation may read at more than one place: it is read once before it.
    pub pre_reads: Vec<PreRead>,
    /// The C expression of the evaluation, in terms of the arguments and of globals, marked with
    /// [`user`] where it is the user's text.
    pub evaluation: String,
}

impl Variable {
    /// The global variable with the proposition's value.
    pub fn value(&self) -> String {
        crate::facts::names::value(&self.name)
    }

    /// What holds this frame's contribution at a site.
    pub fn own(&self) -> String {
        match self.keeps_own() {
            true => format!("ba_own_{}", self.name),
            false => self.value(),
        }
    }

    /// Whether a frame or a thread keeps its own contribution.
    pub fn keeps_own(&self) -> bool {
        self.thread_copy || matches!(self.storage, Storage::Frame { own: true, .. })
    }

    /// Whether the open instances are counted.
    pub fn counts_open(&self) -> bool {
        self.storage == Storage::Remote || self.all
    }

    /// The evaluation as it is called at a site: local parameters by their own names in the frame,
    /// none where global copies of them are kept.
    pub fn evaluation_call(&self) -> Now {
        let arguments = match self.storage {
            Storage::Frame { .. } => self.locals.iter().map(|a| a.value.clone()).collect(),
            _ => Vec::new(),
        };
        self.evaluation_with(arguments)
    }

    /// The evaluation with these arguments.
    pub fn evaluation_with(&self, arguments: Vec<String>) -> Now {
        Now::Evaluated(format!("ba_eval_{}", self.name), arguments)
    }
}
