//! The variables of propositions: where each value is stored, and when it is computed.

use std::collections::{BTreeMap, BTreeSet};

use crate::bind::expression::Leaf;
use crate::bind::resolve::Bound;
use crate::facts::{Facts, FunctionIndex, ObjectIndex};
use crate::items::event::Now;
use crate::layout::arguments::Argument;
use crate::layout::pre_reads::PreRead;

/// Where the value of a proposition is stored, and how instances of its area are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Only the frame of the area's function changes it. The frame keeps whether the area is open and, if
    /// threads run or instances are counted, its own contribution.
    Frame {
        /// Whether frames keep their own contribution.
        own: bool,
        /// Whether several instances contribute, so that contributions that differ from the default are
        /// counted.
        counted: bool,
    },
    /// Other code changes it, too: a global counter has the number of open instances, and the values of locals
    /// are copied to global variables.
    Remote,
    /// The area is the whole program.
    Whole,
}

/// When a proposition is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// At every event that may change it: its variable is always up to date.
    Events,
    /// When a letter is taken; no event evaluates it.
    Samples,
    /// When a letter is taken at its own label; in all other letters it has its default.
    ItsLabel,
    /// When a letter is taken, by a timer, from the values of others.
    Timers,
}

/// The variables, copies and flags of the woven program: the result of the room `layout`.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The propositions with their emitted forms, in the specification's order.
    pub variables: Vec<Variable>,
    /// For each object, whether its address is stored, for writes where it has no name.
    pub addressed: Vec<bool>,
    /// For each object, the propositions that depend on it.
    pub watchers: Vec<Vec<usize>>,
    /// For each object, whether global copies of its value, or of parts, exist.
    pub copied: Vec<bool>,
    /// For each function, its locals that are copied.
    pub copied_locals: BTreeMap<FunctionIndex, BTreeSet<ObjectIndex>>,
    /// For each object, the parts that are copied.
    pub copies: Vec<Vec<Leaf>>,
    /// For each area, whether its flags are static for each thread, because a callee may end the run inside it.
    pub static_flags: Vec<bool>,
    /// Whether letter 0 is computed at run time.
    pub starts: bool,
    /// The areas that some run should enter.
    pub covered_areas: BTreeSet<usize>,
    /// Those of these areas whose exit label control can reach from the entry: some run should do so.
    pub covered_exits: BTreeSet<usize>,
    /// The start functions of threads that some run should start: only these threads write what some proposition
    /// reads.
    pub covered_starts: BTreeSet<FunctionIndex>,
}

impl Layout {
    /// A layout in which nothing is decided.
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
            covered_starts: BTreeSet::new(),
        }
    }
}

/// A proposition with its emitted form.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The identifier in its emitted names, such as `g1`.
    pub name: String,
    /// The value outside the area.
    pub default: bool,
    /// Whether the only thread that changes it keeps a copy of its value, to avoid reads of the shared
    /// variable.
    pub thread_copy: bool,
    /// Where its value is stored.
    pub storage: Storage,
    /// When it is evaluated.
    pub reading: Reading,
    /// Whether it differs from its default only if every open instance says so.
    pub all: bool,
    /// The flag of the followed activation, if the formula is about a single instance.
    pub follows: Option<String>,
    /// The frame's locals that are arguments of the evaluation.
    pub locals: Vec<Argument>,
    /// A C condition without which the evaluation has no meaning, for instance that a local is alive.
    pub condition: Option<String>,
    /// Objects that the evaluation may read at several places: they are read once before it.
    pub pre_reads: Vec<PreRead>,
    /// Whether it reads a remembered value, so that it changes where the value is chosen, too.
    pub compares: bool,
    /// The C expression of the evaluation over the arguments and globals; [`crate::facts::names::user`] marks the user's text.
    pub evaluation: String,
}

impl Variable {
    /// The global variable with the proposition's value.
    pub fn value(&self) -> String {
        crate::facts::names::value(&self.name)
    }

    /// The variable with this frame's contribution.
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

    /// The evaluation as a site calls it: with the frame's locals by name, or without arguments if global
    /// copies exist.
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
