//! The [`Output`]: what planners contribute to the woven program.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::record::SiteRecord;
use crate::facts::remarks::Remark;
use crate::facts::{Facts, FunctionIndex};
use crate::items::Item;
use crate::layout::lasso::Lasso;
use crate::layout::pre_reads::PreRead;
use crate::plan::inputs::{Discards, Emission};
use crate::plan::insertions::Insertions;

/// All that planners have contributed so far to the woven program.
pub struct Output<'a> {
    /// What is inserted.
    pub insertions: Insertions,
    /// The sites so far.
    pub sites: Vec<SiteRecord>,
    /// Refusals and notes.
    pub remarks: Vec<Remark>,
    /// Declarations in front of the program.
    pub globals: Vec<Item>,
    /// For each function, what stands at the start of its body.
    pub(in crate::layout) bodies: Vec<Body>,
    /// For each function that a thread begins with, what that thread does first.
    pub thread_starts: Vec<String>,
    /// Functions that several sites share.
    pub shared: Shared,
    /// What is known of waiting.
    pub waits: Waits,
    /// What is emitted for values from outside.
    pub inputs: Emission,
    /// What is emitted for runs that are discarded.
    pub discards: Discards,
    /// Calls whose function the model may replace.
    pub replaced: Replaced,
    /// The search for infinite runs, if they are searched.
    pub lasso: Option<Lasso<'a>>,
}

/// What stands at the start of a function's body.
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
    /// The lvalues that functions of the epilogue compare addresses with, each with the pointers
    /// on the way to it.
    pub compared: Vec<(String, Vec<String>)>,
    /// Pointers to locals where these are hidden.
    pub outers: BTreeSet<String>,
}

/// What is known of waiting.
#[derive(Debug, Default)]
pub struct Waits {
    /// How many loops only wait for a condition.
    pub busy: usize,
    /// Whether some of them take locks and give them back.
    pub polls: bool,
    /// Where statements are marked that have an effect in functions that busy waits call.
    pub far_effects: BTreeSet<usize>,
    /// Whether loops need the models of threads.
    pub needed: bool,
}

/// Calls, by their expressions, whose function the model may replace.
#[derive(Debug, Default)]
pub struct Replaced {
    /// The name that a call is made by: the planner of writes gives it.
    pub names: BTreeMap<usize, String>,
    /// The calls for which an input stands: the planner of inputs says so. All others call what the
    /// program calls.
    pub by_input: BTreeSet<usize>,
}

impl Output<'_> {
    /// Nothing yet.
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
        }
    }

    /// Declares something in front of the program.
    pub fn global(&mut self, item: impl Into<Item>) {
        self.globals.push(item.into());
    }

    /// Declares something at the start of a function.
    pub fn declare(&mut self, function: FunctionIndex, text: &str) {
        self.bodies[function].declarations.push_str(text);
    }

    /// Declares something at the start of a function, if nobody has.
    pub fn declare_once(&mut self, function: FunctionIndex, text: &str) {
        if !self.bodies[function].declarations.contains(text) {
            self.declare(function, text);
        }
    }

    /// Statements behind the declarations of a function.
    pub fn begin(&mut self, function: FunctionIndex, text: &str) {
        self.bodies[function].start.push_str(text);
    }
}
