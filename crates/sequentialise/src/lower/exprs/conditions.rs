//! Lowers conditions: jumps that depend on an expression, and values of such jumps.

use cfront::tree::{BinaryOp, ExprKind, UnaryOp};
use cfront::types::Type;
use cfront::ExprId;

use super::{enclosed, Needs};
use crate::code::Label;
use crate::lower::Lower;

impl Lower<'_, '_> {
    /// The truth of a condition as a value.
    pub(in crate::lower) fn truth(&mut self, e: ExprId) -> String {
        let span = self.facts.tree.exprs[e].span;
        let temp = self.temp(e);
        let (no, end) = (self.label(), self.label());
        self.branch(e, false, no);
        self.text(format!("{temp} = 1;"), span, Vec::new());
        self.jump(None, end, span);
        self.place(no, span);
        self.text(format!("{temp} = 0;"), span, Vec::new());
        self.place(end, span);
        temp
    }

    /// Jumps if the truth of a condition is `sense`.
    pub(in crate::lower) fn branch(&mut self, e: ExprId, sense: bool, to: Label) {
        if !self.env.reachable {
            return;
        }
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        if let Some(value) = self.value_of(e) {
            if (value != 0) == sense {
                self.jump(None, to, span);
            }
            return;
        }
        if let Some(value) = self.outcome(e) {
            self.discard(e);
            if (value != 0) == sense {
                self.jump(None, to, span);
            }
            return;
        }
        let (needs, accesses) = self.expr_needs(e);
        match (&tree.exprs[e].kind, needs) {
            (ExprKind::Unary(UnaryOp::Not, of), _) => self.branch(*of, !sense, to),
            (ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b), Needs::Splitting) => {
                // `a && b` is false if a is false; `a || b` is true if a is true.
                let early = *op == BinaryOp::Or;
                if early == sense {
                    self.branch(*a, sense, to);
                    self.branch(*b, sense, to);
                } else {
                    let over = self.label();
                    self.branch(*a, early, over);
                    self.branch(*b, sense, to);
                    self.place(over, span);
                }
            }
            (ExprKind::Call { .. }, Needs::Splitting) if self.branch_on_call(e, sense, to) => {}
            (_, Needs::Splitting) => {
                let text = self.value(e);
                self.jump(Some(condition(&text, sense)), to, span);
                self.note_test(e, sense);
            }
            _ => {
                let accesses = self.with_calls(accesses, span);
                let tries = self.exchange_tried(e, sense);
                let text = self.printed(e);
                self.jump_with(Some(condition(&text, sense)), to, span, accesses);
                self.note_try(tries);
            }
        }
    }

    pub(in crate::lower) fn conditional(
        &mut self,
        e: ExprId,
        (cond, then, otherwise): (ExprId, Option<ExprId>, ExprId),
        used: bool,
    ) -> String {
        let span = self.facts.tree.exprs[e].span;
        let is_void = matches!(
            self.facts.tree.type_of(self.facts.tree.exprs[e].ty),
            Type::Void
        );
        let result = Some(())
            .filter(|()| used && !is_void)
            .map(|()| self.temp(e));
        let (no, end) = (self.label(), self.label());
        match then {
            Some(then) => {
                self.branch(cond, false, no);
                self.arm(then, &result);
            }
            None => {
                let value = self.stable(cond);
                self.jump(Some(condition(&value, false)), no, span);
                if let Some(result) = &result {
                    self.text(format!("{result} = {value};"), span, Vec::new());
                }
            }
        }
        self.jump(None, end, span);
        self.place(no, span);
        self.arm(otherwise, &result);
        self.place(end, span);
        result.unwrap_or_else(|| "(void)0".to_string())
    }

    fn arm(&mut self, e: ExprId, result: &Option<String>) {
        match result {
            None => self.discard(e),
            Some(result) => {
                let value = self.value(e);
                let span = self.facts.tree.exprs[e].span;
                self.text(format!("{result} = {value};"), span, Vec::new());
            }
        }
    }
}

/// The condition that the truth of a text is `sense`.
fn condition(text: &str, sense: bool) -> String {
    match sense {
        true => text.to_string(),
        false => format!("!{}", enclosed(text.to_string())),
    }
}
