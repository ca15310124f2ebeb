//! Variables whose values nothing reads any more. In step form they get 0 where a thread stops, so that states
//! that go on alike are the same.

use std::collections::{BTreeMap, BTreeSet};

use cfront::types::Class;

use crate::code::{Action, Label, Op, ThreadCode, Variable};
use crate::facts::Facts;
use crate::live::{live, Live, Mentions};
use crate::positions::Placed;

type Set = BTreeSet<usize>;

/// A walk through the steps of a thread, from each position to the next ones.
pub(super) struct Spent<'a> {
    code: &'a ThreadCode,
    mentions: Mentions<'a>,
    live: Live,
    /// The variables that may have a value; `None` at an unreachable place.
    now: Option<Set>,
    pending: BTreeMap<Label, Set>,
    /// The variables that keep their values.
    kept: Set,
}

impl<'a> Spent<'a> {
    pub fn new(facts: &Facts, code: &'a ThreadCode, placed: &Placed) -> Spent<'a> {
        let mentions = Mentions::of(code);
        // Such iterations are tried where nobody takes a step.
        let tried = retried(code).flat_map(|op| mentions.of_op(op));
        let mut kept: Set = tried.collect();
        for (number, variable) in code.variables.iter().enumerate() {
            if !is_scalar(facts, variable) {
                kept.insert(number);
            }
        }
        Spent {
            code,
            mentions,
            live: live(code, placed),
            now: None,
            pending: BTreeMap::new(),
            kept,
        }
    }

    /// Whether an item of the thread gives a variable a value that nothing reads.
    pub fn is_needless(&self, item: usize) -> bool {
        self.live.needless.contains(&item)
    }

    /// A step begins at a position.
    pub fn begin(&mut self, position: usize) {
        self.now = self.live.at.get(position).cloned();
    }

    /// The step executes an operation.
    pub fn pass(&mut self, op: &Op) {
        if let Action::Label(label) = op.action {
            if let Some(there) = self.pending.remove(&label) {
                self.now.get_or_insert_with(Set::new).extend(there);
            }
        }
        if let Some(now) = &mut self.now {
            now.extend(self.mentions.of_op(op));
            if let Action::Jump { to, .. } = op.action {
                self.pending.entry(to).or_default().extend(now.iter());
            }
        }
    }

    /// What comes behind an operation in the text.
    pub fn leave(&mut self, op: &Op) {
        let ends = matches!(
            op.action,
            Action::Jump {
                condition: None,
                ..
            } | Action::Back(_)
                | Action::Stop
        );
        if ends {
            self.now = None;
        }
    }

    /// The statements that reset what a step leaves behind that stops at a position, or at the end.
    pub fn at(&self, position: usize) -> String {
        let none = Set::new();
        let live = self.live.at.get(position).unwrap_or(&none);
        let now = self.now.iter().flatten();
        let spent = now.filter(|v| !live.contains(v) && !self.kept.contains(v));
        spent
            .map(|&v| format!("{} = 0; ", self.code.variables[v].name))
            .collect()
    }
}

/// Whether 0 can be assigned to a variable.
fn is_scalar(facts: &Facts, variable: &Variable) -> bool {
    let types = &facts.tree.types;
    let scalar =
        |ty| matches!(types.class(ty), Class::Scalar | Class::Pointer) && !ty.quals.is_const;
    variable.ty.is_none_or(scalar) && !variable.declaration.contains('[')
}

/// The operations of iterations that are repeated only while they have no effect.
fn retried(code: &ThreadCode) -> impl Iterator<Item = &Op> {
    let at = |label: Label| {
        let is =
            move |op: &Op| matches!(op.action, Action::Label(l) | Action::Head(l) if l == label);
        code.ops.iter().position(is)
    };
    let ranges = code.retries.iter().map(move |retry| {
        let from = at(retry.from).unwrap_or(0);
        let to = at(retry.again).unwrap_or(code.ops.len());
        &code.ops[from.min(to)..to.max(from)]
    });
    ranges.flatten()
}
