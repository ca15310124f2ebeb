//! Variables whose values nothing reads any more. In step form they get 0 where a thread stops, so that states
//! that go on alike are the same.

use std::collections::{BTreeMap, BTreeSet};

use cfront::types::{Class, Type};

use crate::code::{Action, Label, Op, ThreadCode, Variable};
use crate::facts::Facts;
use crate::live::{live, Live, Mentions};
use crate::positions::{Item, Placed};

type Set = BTreeSet<usize>;

/// The constant 0, which integers get that nothing reads any more.
pub(super) const SPENT: &str = "ba_seq_spent";

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
    integers: Set,
    /// Those in loops that a step goes round as a whole.
    rounds: BTreeMap<Label, Set>,
    /// Those that keep them at a position.
    tried: BTreeMap<usize, Set>,
    /// Whether all threads forget at the end of a round, and none where it stops.
    together: bool,
}

impl<'a> Spent<'a> {
    pub fn new(facts: &Facts, code: &'a ThreadCode, placed: &Placed, together: bool) -> Spent<'a> {
        let mentions = Mentions::of(code);
        let (mut kept, mut integers) = (Set::new(), Set::new());
        for (number, variable) in code.variables.iter().enumerate() {
            if !is_scalar(facts, variable) {
                kept.insert(number);
            }
            if is_integer(facts, variable) {
                integers.insert(number);
            }
        }
        Spent {
            code,
            mentions,
            live: live(code, placed),
            tried: tried(code, placed),
            now: None,
            pending: BTreeMap::new(),
            rounds: rounds(code, placed),
            kept,
            integers,
            together,
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
            if let Action::Head(label) = op.action {
                now.extend(self.rounds.get(&label).into_iter().flatten());
            }
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
        match self.together {
            true => String::new(),
            false => self.resets(position, self.now.iter().flatten()),
        }
    }

    /// The statements that reset, at each position, all variables that nothing reads, with those of the position after the end.
    pub fn everywhere(&self, positions: usize) -> Vec<String> {
        let all: Set = (0..self.code.variables.len()).collect();
        (0..=positions)
            .map(|at| self.resets(at, all.iter()))
            .collect()
    }

    fn resets<'s>(&self, position: usize, of: impl Iterator<Item = &'s usize>) -> String {
        let none = Set::new();
        let live = self.live.at.get(position).unwrap_or(&none);
        let tried = self.tried.get(&position).unwrap_or(&none);
        let spent = of.filter(|v| ![live, &self.kept, tried].iter().any(|s| s.contains(v)));
        spent
            .map(|&v| {
                let variable = &self.code.variables[v];
                let zero = if self.integers.contains(&v) {
                    SPENT
                } else {
                    "0"
                };
                format!("{} = {zero}; ", variable.name)
            })
            .collect()
    }
}

/// The variables that loops mention which a step goes round as a whole.
fn rounds(code: &ThreadCode, placed: &Placed) -> BTreeMap<Label, Set> {
    let mentions = Mentions::of(code);
    let mut open: Vec<Label> = Vec::new();
    let mut found: BTreeMap<Label, Set> = BTreeMap::new();
    for op in &code.ops {
        match op.action {
            Action::Head(head) if placed.whole.contains(&head) => open.push(head),
            Action::Back(head) => open.retain(|label| *label != head),
            _ => {}
        }
        for label in &open {
            found.entry(*label).or_default().extend(mentions.of_op(op));
        }
    }
    found
}

/// Whether a variable is an integer.
fn is_integer(facts: &Facts, variable: &Variable) -> bool {
    let types = &facts.tree.types;
    match variable.ty {
        Some(ty) => matches!(types.get(ty), Type::Int(_)),
        None => !variable.declaration.contains('*'),
    }
}

/// Whether 0 can be assigned to a variable.
fn is_scalar(facts: &Facts, variable: &Variable) -> bool {
    let types = &facts.tree.types;
    let scalar =
        |ty| matches!(types.class(ty), Class::Scalar | Class::Pointer) && !ty.quals.is_const;
    variable.ty.is_none_or(scalar) && !variable.declaration.contains('[')
}

/// The variables that iterations use which are tried where nobody takes a step, by the positions at which they are tried.
fn tried(code: &ThreadCode, placed: &Placed) -> BTreeMap<usize, Set> {
    let mentions = Mentions::of(code);
    let mut found: BTreeMap<usize, Set> = BTreeMap::new();
    for retry in &code.retries {
        let (mut inside, mut next, mut used) = (false, 0, Set::new());
        let mut at = BTreeSet::new();
        for item in &placed.items {
            match item {
                Item::Position(stop) => {
                    let waits = |(can, _): &(String, String)| can.contains(&retry.name);
                    if inside || stop.waits.as_ref().is_some_and(waits) {
                        at.insert(next);
                    }
                    next += 1;
                }
                Item::Op(op) => {
                    if let Action::Label(label) | Action::Head(label) = op.action {
                        inside = label == retry.from || inside && label != retry.again;
                    }
                    if inside {
                        used.extend(mentions.of_op(op));
                    }
                }
            }
        }
        for position in at {
            found.entry(position).or_default().extend(&used);
        }
    }
    found
}
