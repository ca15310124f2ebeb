//! Lowers jumps and their targets: labels, cases of a `switch`, `goto`, `break`, `continue`,
//! `return`.

use std::collections::HashMap;

use cfront::tree::{Label as CLabel, StmtKind};
use cfront::{ExprId, Span, StmtId};

use crate::code::Label;
use crate::lower::exprs::enclosed;
use crate::lower::{case_key, Decides, Lower};

impl Lower<'_, '_> {
    pub(super) fn switch(&mut self, cond: ExprId, body: StmtId, span: Span) {
        let tree = self.facts.tree;
        let out = self.label();
        let known = self.value_of(cond);
        let value = self.stable(cond);
        let mut cases = HashMap::new();
        let mut other = out;
        for stmt in self.cases_of(body) {
            let label = self.label();
            cases.insert(case_key(stmt), label);
            let StmtKind::Labeled { label: c, .. } = &tree.stmts[stmt].kind else {
                continue;
            };
            let at = tree.stmts[stmt].span;
            match c {
                CLabel::Case(e) => match (known, cfront::consteval::eval(tree, *e)) {
                    (Some(a), Some(b)) if a != b => {}
                    (Some(_), Some(_)) => self.jump(None, label, at),
                    _ => {
                        let text = self.print(tree.exprs[*e].span, Vec::new());
                        self.jump(Some(format!("{value} == {}", enclosed(text))), label, at);
                    }
                },
                CLabel::CaseRange(a, b) => {
                    let low = self.print(tree.exprs[*a].span, Vec::new());
                    let high = self.print(tree.exprs[*b].span, Vec::new());
                    let test = format!("{value} >= ({low}) && {value} <= ({high})");
                    self.jump(Some(test), label, at);
                }
                CLabel::Default => other = label,
                CLabel::Named(_) => {}
            }
        }
        self.jump(None, other, span);
        let outer = self.exits;
        self.exits.on_break = Some(out);
        self.cases.push(cases);
        self.statement(body);
        self.cases.pop();
        self.exits = outer;
        self.place(out, span);
    }

    /// The case labels that belong to a switch.
    fn cases_of(&self, body: StmtId) -> Vec<StmtId> {
        let tree = self.facts.tree;
        let span = tree.stmts[body].span;
        let inner: Vec<Span> = tree
            .stmts
            .iter()
            .filter(|(_, s)| {
                matches!(s.kind, StmtKind::Switch { .. }) && span.encloses(s.span) && s.span != span
            })
            .map(|(_, s)| s.span)
            .collect();
        let is_case = |l: &StmtId| {
            let s = &tree.stmts[*l];
            let named = matches!(
                &s.kind,
                StmtKind::Labeled {
                    label: CLabel::Named(_),
                    ..
                }
            );
            !named && !inner.iter().any(|i| i.encloses(s.span))
        };
        self.facts.labels_in(span).filter(is_case).collect()
    }

    pub(super) fn place_label(&mut self, stmt: StmtId, label: &CLabel, span: Span) {
        for label in self.labels_at(stmt, label) {
            self.place(label, span);
        }
    }

    /// The labels of jumps to a labelled statement: from where it is, and from outside of the loops and blocks around
    /// it, whose first iteration such jumps enter.
    fn labels_at(&self, stmt: StmtId, label: &CLabel) -> Vec<Label> {
        let CLabel::Named(name) = label else {
            let mut cases = self.cases.iter().rev();
            let found = cases.find_map(|c| c.get(&case_key(stmt)));
            return found.copied().into_iter().collect();
        };
        let mut scopes = self.scopes.iter().rev();
        let mut all: Vec<Label> = scopes
            .next()
            .and_then(|s| s.get(name))
            .copied()
            .into_iter()
            .collect();
        let outer = scopes.filter_map(|s| s.get(name)).copied();
        let entered = outer.filter(|l| self.pending.contains_key(l));
        let entered: Vec<Label> = entered.collect();
        // A local label (`__label__`) may have the name of another one.
        if !entered.is_empty() && self.is_only_label(name) {
            all.extend(entered);
        }
        all
    }

    fn is_only_label(&self, name: &str) -> bool {
        let tree = self.facts.tree;
        let Some(body) = &tree.functions[self.frame().function].body else {
            return false;
        };
        let named = |l: &StmtId| matches!(&tree.stmts[*l].kind, StmtKind::Labeled { label: CLabel::Named(n), .. } if n == name);
        self.facts.labels_in(body.span).filter(named).count() == 1
    }

    /// Whether jumps from outside enter a part of the program.
    pub(in crate::lower) fn is_entered(&self, span: Span) -> bool {
        let tree = self.facts.tree;
        self.facts
            .labels_in(span)
            .any(|l| match &tree.stmts[l].kind {
                StmtKind::Labeled {
                    label: CLabel::Named(name),
                    ..
                } => {
                    let mut scopes = self.scopes.iter().filter_map(|s| s.get(name));
                    scopes.any(|l| self.pending.contains_key(l)) && self.is_only_label(name)
                }
                StmtKind::Labeled { .. } => {
                    let mut cases = self.cases.iter().rev();
                    let found = cases.find_map(|c| c.get(&case_key(l)));
                    found.is_some_and(|l| self.pending.contains_key(l))
                }
                _ => false,
            })
    }

    pub(super) fn goto(&mut self, name: &str, span: Span) {
        if !self.env.reachable {
            return;
        }
        let found = self.scopes.iter().rev().find_map(|s| s.get(name)).copied();
        match found {
            Some(label) => self.jump(None, label, span),
            None => self.refuse(
                span,
                format!("the jump to `{name}` enters a loop or a block, which cannot be followed in a thread"),
            ),
        }
    }

    pub(super) fn exit_to(&mut self, to: Option<Label>, span: Span) {
        if let Some(to) = to {
            self.jump(None, to, span);
        }
    }

    pub(super) fn return_from(&mut self, value: Option<ExprId>, span: Span) {
        if !self.env.reachable {
            return;
        }
        let frame = self.frame().clone();
        if let (Some(Decides { sense, to, over }), Some(e)) = (frame.decides, value) {
            let tree = self.facts.tree;
            let ty = tree.types.function(tree.functions[frame.function].ty);
            let fits = |&v: &i128| ty.is_some_and(|t| self.fits(t.ret, v));
            if let Some(v) = self.value_of(e).filter(fits) {
                let to = if (v != 0) == sense { to } else { over };
                self.jump(None, to, span);
                return;
            }
        }
        let target = match (frame.is_thread, self.thread) {
            (true, 0) => None,
            (true, t) => Some(format!("ba_seq_result[{t}]")),
            (false, _) => frame.result,
        };
        match (value, target) {
            (Some(e), Some(target)) => {
                let value = self.value(e);
                let cast = match frame.is_thread {
                    true => "(void *)(unsigned long)",
                    false => "",
                };
                let value = format!("{target} = {cast}{};", enclosed(value));
                self.text(value, span, Vec::new());
            }
            (Some(e), None) if !self.is_pure(e) => self.discard(e),
            _ => {}
        }
        self.jump(None, frame.back, span);
    }
}
