//! Lowers statements and declarations.

mod blocks;
mod declarations;
mod jumps;

use cfront::tree::{BlockItem, Entity, Label as CLabel, StmtKind, Storage};
use cfront::types::{ArrayLen, Type};
use cfront::{ExprId, Span, StmtId};

use super::exprs::Needs;
use super::Lower;
use crate::code::{Action, Mover};

impl Lower<'_, '_> {
    /// Lowers the body of a function that is inlined or starts a thread.
    pub(super) fn function_body(&mut self, block: StmtId) {
        let scopes = std::mem::take(&mut self.scopes);
        let exits = std::mem::take(&mut self.exits);
        let cases = std::mem::take(&mut self.cases);
        self.with_labels(block, |lower| lower.statement(block));
        self.scopes = scopes;
        self.exits = exits;
        self.cases = cases;
    }

    /// Lowers a part of the program with new labels for the labels that it defines.
    pub(super) fn with_labels(&mut self, stmt: StmtId, body: impl FnOnce(&mut Self)) {
        let span = self.facts.tree.stmts[stmt].span;
        let names = self.label_names(span);
        let labels = names.into_iter().map(|n| (n, self.label())).collect();
        self.scopes.push(labels);
        body(self);
        self.scopes.pop();
    }

    fn label_names(&self, span: Span) -> Vec<String> {
        let labelled = self.facts.labels_in(span);
        let names = labelled.filter_map(|l| match &self.facts.tree.stmts[l].kind {
            StmtKind::Labeled {
                label: CLabel::Named(name),
                ..
            } => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    /// Lowers a statement.
    pub(super) fn statement(&mut self, stmt: StmtId) {
        let tree = self.facts.tree;
        let s = &tree.stmts[stmt];
        let span = s.span;
        if !self.env.reachable && self.facts.labels_in(span).next().is_none() {
            return;
        }
        if self.options.times.contains(&stmt) || self.env.reachable && self.whole(stmt) {
            return;
        }
        match &s.kind {
            StmtKind::Compound { items, .. } => {
                let cleanups = self.cleanups.len();
                self.items(items, None);
                self.cleanups.truncate(cleanups);
            }
            StmtKind::Expr(Some(e)) => self.discard(*e),
            StmtKind::Expr(None) => {}
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => self.choice(*cond, *then, *otherwise, span),
            StmtKind::Switch { cond, body, .. } => self.switch(*cond, *body, span),
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                self.unroll(stmt);
            }
            StmtKind::Labeled { label, body, .. } => {
                self.place_label(stmt, label, span);
                self.statement(*body);
            }
            StmtKind::Goto { label, label_span } => self.goto(label, *label_span),
            StmtKind::GotoComputed(_) => {
                self.refuse(span, "a computed jump cannot be followed in a thread");
            }
            StmtKind::Continue => self.exit_to(self.exits.on_continue, span),
            StmtKind::Break => self.exit_to(self.exits.on_break, span),
            StmtKind::Return(value) => self.return_from(*value, span),
            StmtKind::Asm {
                is_goto, writes, ..
            } => {
                let hooks = &self.options.hooks;
                let woven = self.facts.tree.function_named(&hooks.cut).is_some();
                match *is_goto || *writes {
                    // A woven program has told by now that the run is cut.
                    true if woven => self.cut("(unsigned)-1", span),
                    true => {
                        let lost = Action::Cut("BA_SEQ_LOST((unsigned)-1);".to_string());
                        self.push(lost, span, Vec::new(), Mover::Both);
                        self.env.reachable = false;
                    }
                    false => {}
                }
            }
        }
    }

    /// Keeps a statement unchanged if no thread can stop in it; returns whether it was kept.
    fn whole(&mut self, stmt: StmtId) -> bool {
        let s = &self.facts.tree.stmts[stmt];
        let compound = matches!(
            s.kind,
            StmtKind::If { .. }
                | StmtKind::Switch { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
        );
        let mut loops = self.facts.loops_in(s.span);
        if !compound || loops.any(|l| self.may_wait(l)) || !self.stays_inside(stmt) {
            return false;
        }
        let accesses = self.accesses.of_span(s.span);
        let needs = self.needs(s.span, &accesses);
        let loops = self.facts.loops_in(s.span).next().is_some();
        match needs {
            Needs::Nothing => {}
            Needs::OneStep if !loops || self.env.atomic > 0 => {}
            _ => return false,
        }
        let accesses = self.with_calls(accesses, s.span);
        let text = self.print(s.span, Vec::new());
        self.forget_written(s.span);
        self.text(text, s.span, accesses);
        self.note_guard(stmt);
        true
    }

    /// Whether no jump leaves or enters a statement, and it declares no static objects or arrays of
    /// variable length.
    fn stays_inside(&self, stmt: StmtId) -> bool {
        let tree = self.facts.tree;
        let span = tree.stmts[stmt].span;
        let named = |l: StmtId| {
            matches!(
                &tree.stmts[l].kind,
                StmtKind::Labeled {
                    label: CLabel::Named(_),
                    ..
                }
            )
        };
        if self.facts.labels_in(span).any(named) || self.facts.gotos_in(span).next().is_some() {
            return false;
        }
        let plain = self.facts.declarations_in(span).all(|d| {
            tree.decls[d].declared.iter().all(|x| match x.entity {
                Entity::Object(o) => {
                    tree.objects[o].storage == Storage::Local
                        && !matches!(
                            tree.type_of(tree.objects[o].ty),
                            Type::Array(_, ArrayLen::Variable)
                        )
                }
                _ => false,
            })
        });
        plain && self.jumps_stay(stmt, (false, false))
    }

    fn jumps_stay(&self, stmt: StmtId, (breaks, continues): (bool, bool)) -> bool {
        let inside = |s: StmtId, b: bool, c: bool| self.jumps_stay(s, (b, c));
        match &self.facts.tree.stmts[stmt].kind {
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => inside(*s, breaks, continues),
                BlockItem::Decl(_) => true,
            }),
            StmtKind::If {
                then, otherwise, ..
            } => {
                inside(*then, breaks, continues)
                    && otherwise.is_none_or(|o| inside(o, breaks, continues))
            }
            StmtKind::Switch { body, .. } => inside(*body, true, continues),
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => inside(*body, true, true),
            StmtKind::Labeled { body, .. } => inside(*body, breaks, continues),
            StmtKind::Break => breaks,
            StmtKind::Continue => continues,
            StmtKind::Expr(_) => true,
            _ => false,
        }
    }

    fn choice(&mut self, cond: ExprId, then: StmtId, otherwise: Option<StmtId>, span: Span) {
        let (no, end) = (self.label(), self.label());
        self.branch(cond, false, no);
        self.statement(then);
        if otherwise.is_some() {
            self.jump(None, end, span);
        }
        self.place(no, span);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.place(end, span);
    }

    // Declarations ------------------------------------------------------------------------------
}
