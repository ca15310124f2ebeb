//! The [`Output`] of the planners: their contributions to the woven program.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::record::SiteRecord;
use crate::facts::remarks::Remark;
use crate::facts::{Facts, FunctionIndex};
use crate::items::Item;
use crate::layout::lasso::Lasso;
use crate::layout::pre_reads::PreRead;
use crate::plan::inputs::{Discards, Emission};
use crate::plan::insertions::Insertions;

/// All contributions of the planners so far.
pub struct Output<'a> {
    /// The insertions.
    pub insertions: Insertions,
    /// The sites so far.
    pub sites: Vec<SiteRecord>,
    /// Refusals and notes.
    pub remarks: Vec<Remark>,
    /// Declarations before the program.
    pub globals: Vec<Item>,
    /// For each function, the text at the start of its body.
    pub(in crate::layout) bodies: Vec<Body>,
    /// For each start routine, the text with which its threads begin.
    pub thread_starts: Vec<String>,
    /// Functions that several sites share.
    pub shared: Shared,
    /// Facts about waiting.
    pub waits: Waits,
    /// The emitted text for values from outside.
    pub inputs: Emission,
    /// The emitted text for discarded runs.
    pub discards: Discards,
    /// Calls whose function the model may replace.
    pub replaced: Replaced,
    /// The search for infinite runs, if there is one.
    pub lasso: Option<Lasso<'a>>,
    /// The bounds of single loops.
    pub own_bounds: OwnBounds,
}

/// The bounds of single loops, by the sites of their cuts.
#[derive(Clone, Debug, Default)]
pub struct OwnBounds {
    /// The macro whose value each has by default.
    pub defaults: BTreeMap<usize, String>,
    /// How often loops run at most that count to a small constant.
    pub counted: BTreeMap<usize, u32>,
}

/// The text at the start of a function's body.
#[derive(Clone, Debug, Default)]
pub(in crate::layout) struct Body {
    /// Declarations.
    pub(in crate::layout) declarations: String,
    /// Statements.
    pub(in crate::layout) start: String,
}

/// Emitted functions and variables that several sites share.
#[derive(Debug, Default)]
pub struct Shared {
    /// Sets of propositions that one event can change together.
    pub groups: Vec<Vec<usize>>,
    /// Sets of objects that several evaluations of one event read.
    pub pre_reads: Vec<Vec<PreRead>>,
    /// The lvalues with whose addresses functions of the epilogue compare, each with the pointers that its path
    /// dereferences.
    pub compared: Vec<(String, Vec<String>)>,
    /// Pointers to locals that an inner declaration hides.
    pub outers: BTreeSet<String>,
}

/// Facts about waiting.
#[derive(Debug, Default)]
pub struct Waits {
    /// How many loops only wait for a condition.
    pub busy: usize,
    /// Whether some of them take locks and release them.
    pub polls: bool,
    /// The marked statements with an effect in functions that busy waits call, by offset.
    pub callee_effects: BTreeSet<usize>,
    /// Whether loops need the models of threads.
    pub needed: bool,
}

/// Calls, by their expressions, whose function the model may replace.
#[derive(Debug, Default)]
pub struct Replaced {
    /// The emitted name of each call; the planner of writes chooses it.
    pub names: BTreeMap<usize, String>,
    /// The calls that an input replaces; the planner of inputs notes them. All other emitted names stand for
    /// the program's functions.
    pub by_input: BTreeSet<usize>,
    /// Whether the macros around calls that a model may replace are emitted.
    pub framed: bool,
}

impl Output<'_> {
    /// An empty output.
    pub fn new(facts: &Facts) -> Self {
        Output {
            insertions: Insertions::default(),
            sites: Vec::new(),
            remarks: Vec::new(),
            globals: Vec::new(),
            bodies: vec![Body::default(); facts.functions.len()],
            thread_starts: vec![String::new(); facts.functions.len()],
            shared: Shared::default(),
            waits: Waits::default(),
            inputs: Emission::default(),
            discards: Discards::default(),
            replaced: Replaced::default(),
            lasso: None,
            own_bounds: OwnBounds::default(),
        }
    }

    /// Adds a declaration before the program.
    pub fn global(&mut self, item: impl Into<Item>) {
        self.globals.push(item.into());
    }

    /// Adds a declaration at the start of a function.
    pub fn declare(&mut self, function: FunctionIndex, text: &str) {
        self.bodies[function].declarations.push_str(text);
    }

    /// Adds a declaration at the start of a function, unless it is there already.
    pub fn declare_once(&mut self, function: FunctionIndex, text: &str) {
        if !self.bodies[function].declarations.contains(text) {
            self.declare(function, text);
        }
    }

    /// Adds statements after the declarations of a function.
    pub fn begin(&mut self, function: FunctionIndex, text: &str) {
        self.bodies[function].start.push_str(text);
    }
}
