//! Lowers loops by unrolling them.

use cfront::tree::{ExprKind, ForInit, Resolved, StmtKind};
use cfront::{ExprId, Span, StmtId};

use super::bounds::{self, Bound};
use super::{Exits, Lower};
use crate::code::{Action, Label, Mover};

/// A loop in any syntax.
pub(super) struct Loop {
    pub(super) cond: Option<ExprId>,
    pub(super) step: Option<ExprId>,
    pub(super) body: StmtId,
    /// Whether the body comes before the condition.
    pub(super) body_first: bool,
    pub(super) span: Span,
}

impl Lower<'_, '_> {
    /// Unrolls a loop up to its bound.
    pub(super) fn unroll(&mut self, stmt: StmtId) {
        let s = &self.facts.tree.stmts[stmt];
        let span = s.span;
        let most = bounds::most(self.facts, stmt, self.env.alone);
        // The number of iterations is that of a loop that begins at its head.
        let entered = self.is_entered(span);
        let trips = match entered {
            true => None,
            false => bounds::trips(self.facts, stmt, &|e| self.value_of(e)),
        };
        let what = match &s.kind {
            StmtKind::While { cond, body, .. } => Loop {
                cond: Some(*cond),
                step: None,
                body: *body,
                body_first: false,
                span,
            },
            StmtKind::DoWhile { cond, body, .. } => Loop {
                cond: Some(*cond),
                step: None,
                body: *body,
                body_first: true,
                span,
            },
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                match init {
                    ForInit::Expr(e) => self.discard(*e),
                    ForInit::Decl(d) => self.declaration(*d),
                    ForInit::None => {}
                }
                Loop {
                    cond: *cond,
                    step: *step,
                    body: *body,
                    body_first: false,
                    span,
                }
            }
            _ => return,
        };
        if entered {
            let bound = bounds::of_body(self.facts, what.body, self.options);
            self.iterate(&what, &bound);
            return;
        }
        if what.step.is_none() && self.waits(&what.cond, what.body, what.body_first, span) {
            self.out.goes_further = true;
            return;
        }
        if what.step.is_none() && self.retries(&what) {
            self.out.goes_further = true;
            return;
        }
        if trips.is_none_or(|n| n > most) && self.cycle(&what) {
            return;
        }
        let mut bound = bounds::of_body(self.facts, what.body, self.options);
        if let Some(trips) = trips.filter(|&n| n <= most) {
            self.out.goes_further |= trips > bound.limit;
            bound.limit = bound.limit.max(trips);
        }
        self.iterate(&what, &bound);
    }

    fn iterate(&mut self, what: &Loop, bound: &Bound) {
        let out = self.label();
        let outer = self.exits;
        for copy in 0u64.. {
            let again = self.label();
            let goes_on = copy < bounds::CONSTANT && self.surely_goes_on(what);
            if !what.body_first {
                self.leave_if_false(what.cond, out);
            }
            let entered = copy == 0 && self.is_entered(what.span);
            if !self.env.reachable && !entered {
                break;
            }
            if copy >= bound.limit && !goes_on && !entered {
                self.cut(&bound.site, what.span);
                break;
            }
            self.out.goes_further |= copy >= bound.limit;
            self.body_and_step(what, again, out);
        }
        self.exits = outer;
        self.place(out, what.span);
    }

    /// Whether a loop that counts, in any syntax, surely goes round once more: its condition reads a
    /// variable that the loop writes, and the value is known.
    fn surely_goes_on(&self, what: &Loop) -> bool {
        let tree = self.facts.tree;
        let Some(cond) = what.cond else { return false };
        let counts = |ident: ExprId| match tree.exprs[ident].kind {
            ExprKind::Ident(Resolved::Object(o)) => {
                self.facts.writes_in(what.span).any(|written| written == o)
            }
            _ => false,
        };
        let known = self.value_of(cond).is_some_and(|value| value != 0);
        known && self.facts.idents_in(tree.exprs[cond].span).any(counts)
    }

    /// Lowers a loop's body and the rest of its iteration: `again` is the target of `continue`,
    /// `out` the end of the loop.
    pub(super) fn body_and_step(&mut self, what: &Loop, again: Label, out: Label) {
        self.exits = Exits {
            on_break: Some(out),
            on_continue: Some(again),
        };
        self.with_labels(what.body, |lower| lower.statement(what.body));
        self.place(again, what.span);
        if let Some(step) = what.step {
            self.discard(step);
        }
        if what.body_first {
            self.leave_if_false(what.cond, out);
        }
    }

    pub(super) fn leave_if_false(&mut self, cond: Option<ExprId>, out: Label) {
        if let Some(cond) = cond {
            self.branch(cond, false, out);
        }
    }

    /// Suspends the thread for ever at a cut. In an atomic section other threads would see half of
    /// the step, so such a run is left out instead.
    pub(super) fn cut(&mut self, site: &str, span: Span) {
        let how = match self.env.atomic {
            0 => "BA_SEQ_CUT",
            _ => "BA_SEQ_LOST",
        };
        self.push(
            Action::Cut(format!("{how}({site});")),
            span,
            Vec::new(),
            Mover::Both,
        );
        self.env.reachable = false;
    }
}
