//! Loops that are not unrolled, for infinite runs: the end of an iteration jumps back to the head.

use std::collections::HashMap;

use cfront::Span;

use super::bounds;
use super::env::Env;
use super::loops::Loop;
use super::Lower;
use crate::code::{Action, Label, Mover};

/// The state that is restored to lower an iteration again.
pub(super) struct Before {
    ops: usize,
    total: usize,
    pending: HashMap<Label, Vec<Env>>,
    env: Env,
}

impl Lower<'_, '_> {
    /// Lowers a loop once, with a jump back; returns whether it could. Loops in atomic sections cannot
    /// have one, and of loops that start threads only those that join them in each iteration.
    pub(super) fn cycle(&mut self, what: &Loop) -> bool {
        let once = what.body_first && what.cond.is_some_and(|c| self.value_of(c) == Some(0));
        if once || !self.may_turn() {
            return false;
        }
        let turns = self.turn(what.span, |lower, out| lower.iteration(what, out));
        if turns && bounds::counts(self.facts, what.cond, what.step, what.body) {
            let thread = &mut self.out.threads[self.thread as usize];
            let back = thread.ops.iter().rev().find_map(|op| match op.action {
                Action::Back(head) => Some(head),
                _ => None,
            });
            thread.counted.extend(back);
        }
        turns
    }

    /// Whether a loop may have a jump back here.
    pub(super) fn may_turn(&self) -> bool {
        self.options.turns() && self.env.reachable && self.env.atomic == 0
    }

    /// Lowers one iteration, up to the jump back.
    fn iteration(&mut self, what: &Loop, out: Label) {
        let again = self.label();
        let outer = self.exits;
        if !what.body_first {
            self.leave_if_false(what.cond, out);
        }
        self.body_and_step(what, again, out);
        self.exits = outer;
    }

    /// Lowers iterations until the facts at the head hold in each iteration.
    pub(super) fn turn(&mut self, span: Span, iteration: impl Fn(&mut Self, Label)) -> bool {
        let threads = self.out.threads.len();
        loop {
            let before = self.before();
            let (head, out) = (self.label(), self.label());
            self.push(Action::Head(head), span, Vec::new(), Mover::Both);
            self.turning += 1;
            iteration(self, out);
            self.turning -= 1;
            let end = self.env.clone();
            let starts = self.leaves_started(threads, &end);
            let known = match end.reachable {
                true => Env::merge(vec![before.env.clone(), end.clone()]),
                false => before.env.clone(),
            };
            let same = known.is_as_known_as(&before.env);
            if !self.errors.is_empty() {
                return true;
            }
            if starts || end.atomic != before.env.atomic || !same {
                let mut entry = before.env.clone();
                self.out.threads.truncate(threads);
                self.undo(before);
                if starts || end.atomic != entry.atomic {
                    return false;
                }
                entry.know_as_much_as(known);
                self.env = entry;
                continue;
            }
            self.push(Action::Back(head), span, Vec::new(), Mover::Both);
            self.env.reachable = false;
            self.place(out, span);
            return true;
        }
    }

    /// Saves the state for lowering the following text again.
    pub(super) fn before(&self) -> Before {
        Before {
            ops: self.out.threads[self.thread as usize].ops.len(),
            total: self.total,
            pending: self.pending.clone(),
            env: self.env.clone(),
        }
    }

    /// Undoes the lowering since then.
    pub(super) fn undo(&mut self, before: Before) {
        self.out.threads[self.thread as usize]
            .ops
            .truncate(before.ops);
        self.total = before.total;
        self.pending = before.pending;
        self.env = before.env;
    }
}
