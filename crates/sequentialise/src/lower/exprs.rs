//! Lowers expressions: each access that other threads can observe becomes an operation of its own.

mod assignments;
mod conditions;
mod known;

use cfront::tree::ExprKind;
use cfront::types::Type;
use cfront::{ExprId, Span};

use super::{bounds, Lower};
use crate::code::{Access, Action, Mover, Touched};
use crate::print::Patch;

/// How an expression must be lowered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needs {
    /// Unchanged: no other thread can observe its evaluation.
    Nothing,
    /// As one step: it accesses shared memory once.
    OneStep,
    /// Split into several steps.
    Splitting,
}

impl Lower<'_, '_> {
    /// How a part of the text must be lowered; `accesses` are its own accesses.
    pub(super) fn needs(&mut self, span: Span, accesses: &[Access]) -> Needs {
        let leaves = self.facts.leaving_in(span).next().is_some();
        if leaves || self.facts.assemblers_in(span).next().is_some() {
            return Needs::Splitting;
        }
        // A step comes to an end: while a thread goes round a loop, others take theirs.
        if self.options.steps && self.may_turn_for_ever(span) {
            return Needs::Splitting;
        }
        let mut steps = accesses.iter().filter(|a| self.is_visible(a)).count();
        let calls: Vec<ExprId> = self.facts.calls_in(span).collect();
        for call in calls {
            if self.facts.tree.exprs[call].unevaluated {
                continue;
            }
            match self.call_needs(call) {
                Needs::Nothing if self.options.steps && self.facts.ends_run(call) => steps += 1,
                Needs::Nothing => {}
                Needs::OneStep => steps += 1,
                Needs::Splitting => return Needs::Splitting,
            }
        }
        match steps {
            0 => Needs::Nothing,
            1 => Needs::OneStep,
            _ if self.env.atomic > 0 => Needs::OneStep,
            _ => Needs::Splitting,
        }
    }

    /// Whether a part of the text has loops without a small constant number of iterations.
    fn may_turn_for_ever(&self, span: Span) -> bool {
        let mut loops = self.facts.loops_in(span);
        loops.any(|l| !bounds::is_short(self.facts, l))
    }

    fn expr_needs(&mut self, e: ExprId) -> (Needs, Vec<Access>) {
        let accesses = self.accesses.of_expr(e);
        let needs = self.needs(self.facts.tree.exprs[e].span, &accesses);
        (needs, accesses)
    }

    /// The accesses of a text, with those of the functions that it calls.
    pub(super) fn with_calls(&self, mut accesses: Vec<Access>, span: Span) -> Vec<Access> {
        accesses.extend(self.accesses.of_calls_in(span));
        accesses
    }

    /// The text of an expression, unchanged, for evaluation once and now.
    pub(super) fn printed(&mut self, e: ExprId) -> String {
        let span = self.facts.tree.exprs[e].span;
        let text = self.print(span, Vec::new());
        self.forget_written(span);
        text
    }

    /// The text of an expression with parts replaced.
    fn rebuilt(&mut self, e: ExprId, parts: Vec<(ExprId, String)>) -> String {
        let tree = self.facts.tree;
        let patches: Vec<Patch> = parts
            .into_iter()
            .map(|(part, text)| (tree.exprs[part].span, enclosed(text)))
            .collect();
        self.print(tree.exprs[e].span, patches)
    }

    // Values ------------------------------------------------------------------------------------

    /// Lowers an expression, and returns a text for its value that may be used once.
    pub(super) fn value(&mut self, e: ExprId) -> String {
        if !self.env.reachable {
            return "0".to_string();
        }
        let (needs, accesses) = self.expr_needs(e);
        match needs {
            Needs::Nothing => self.printed(e),
            Needs::OneStep => self.one_step(e, accesses),
            Needs::Splitting => self.split(e, true),
        }
    }

    /// The value as a text that may be used several times.
    pub(super) fn stable(&mut self, e: ExprId) -> String {
        let steady = self.is_stable(e);
        let text = self.value(e);
        if steady || self.is_temp(&text) {
            return text;
        }
        let temp = self.temp(e);
        let span = self.facts.tree.exprs[e].span;
        self.text(format!("{temp} = {text};"), span, Vec::new());
        temp
    }

    /// Whether a text is the name of a temporary variable.
    fn is_temp(&self, text: &str) -> bool {
        let variables = &self.out.threads[self.thread as usize].variables;
        // Starts with the latest ones: values usually use a new variable.
        let mut made = variables.iter().rev().filter(|v| v.of.is_none());
        made.any(|v| v.name == text)
    }

    /// Whether an expression keeps its value while the thread waits, and may be evaluated again.
    fn is_stable(&self, e: ExprId) -> bool {
        let accesses = self.accesses.of_expr(e);
        let steady = |a: &Access| self.sharing.is_steady(self.thread, a.expr);
        self.is_pure(e) && accesses.iter().all(steady)
    }

    fn one_step(&mut self, e: ExprId, accesses: Vec<Access>) -> String {
        let span = self.facts.tree.exprs[e].span;
        let accesses = self.with_calls(accesses, span);
        let text = self.printed(e);
        if matches!(
            self.facts.tree.type_of(self.facts.tree.exprs[e].ty),
            Type::Void
        ) {
            self.text(format!("{text};"), span, accesses);
            return "(void)0".to_string();
        }
        let temp = self.temp(e);
        self.text(format!("{temp} = {text};"), span, accesses);
        temp
    }

    /// Lowers an expression whose value is not used.
    pub(super) fn discard(&mut self, e: ExprId) {
        if !self.env.reachable {
            return;
        }
        let span = self.facts.tree.exprs[e].span;
        let (needs, accesses) = self.expr_needs(e);
        if needs == Needs::Splitting {
            self.split(e, false);
            return;
        }
        let assigned = self.assigned(e);
        let pointer = self.assigned_pointer(e);
        let accesses = self.with_calls(accesses, span);
        let text = self.printed(e);
        self.text(format!("{text};"), span, accesses);
        self.note_assignment(e);
        if let Some((object, value)) = assigned {
            self.know(object, value);
            self.know_pointer(object, pointer);
        }
        self.after_exit(span);
    }

    /// Marks the following place as unreachable if the statement surely ends the run.
    fn after_exit(&mut self, span: Span) {
        let calls: Vec<ExprId> = self.facts.calls_in(span).collect();
        for call in calls {
            let whole = self.facts.tree.exprs[call].span == span;
            if whole && self.facts.library(call) == Some(crate::library::Call::Exit) {
                self.env.reachable = false;
            }
        }
    }

    fn split(&mut self, e: ExprId, used: bool) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        match tree.exprs[e].kind.clone() {
            ExprKind::Ident(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => self.read(e),
            ExprKind::AddressOf(of) => format!("&{}", enclosed(self.lvalue(of))),
            ExprKind::Assign { op, lhs, rhs, .. } => self.assign(e, op, (lhs, rhs), used),
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            } => self.inc_dec(e, (prefix, increment), operand, used),
            ExprKind::Binary(op, ..) if crate::accesses::is_short_circuit(op) => self.truth(e),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => self.conditional(e, (cond, then, otherwise), used),
            ExprKind::Comma(list) => {
                let (last, before) = match list.split_last() {
                    Some(parts) => parts,
                    None => return "0".to_string(),
                };
                for &part in before {
                    self.discard(part);
                }
                self.value_or_discard(*last, used)
            }
            ExprKind::Cast(of) if !used => {
                self.discard(of);
                "0".to_string()
            }
            // `__builtin_choose_expr` evaluates one operand.
            ExprKind::Call { .. } => match tree.selected(e) {
                Some(arm) => self.value_or_discard(arm, used),
                None => match cfront::consteval::eval(self.facts.tree, e) {
                    // A class of types, whose operand is not evaluated.
                    Some(constant) => constant.to_string(),
                    None => self.call(e, used),
                },
            },
            ExprKind::StmtExpr(body) => self.statements(e, body, used),
            ExprKind::Generic { .. } => match tree.selected(e) {
                Some(arm) => self.value_or_discard(arm, used),
                None => self.split_children(e),
            },
            ExprKind::VaArg(_) => {
                self.refuse(span, "variable arguments in a function that threads can be stopped in cannot be followed");
                "0".to_string()
            }
            _ => self.split_children(e),
        }
    }

    fn value_or_discard(&mut self, e: ExprId, used: bool) -> String {
        if used {
            return self.value(e);
        }
        self.discard(e);
        "0".to_string()
    }

    fn split_children(&mut self, e: ExprId) -> String {
        let mut parts = Vec::new();
        for child in self.facts.tree.children(e) {
            let text = self.value(child);
            parts.push((child, text));
        }
        self.rebuilt(e, parts)
    }

    /// Lowers a read of an lvalue.
    fn read(&mut self, e: ExprId) -> String {
        let span = self.facts.tree.exprs[e].span;
        let place = self.lvalue(e);
        let access = self.access(e, false);
        match access.iter().any(|a| self.is_visible(a)) {
            true => {
                let temp = self.temp(e);
                self.text(format!("{temp} = {place};"), span, access);
                temp
            }
            false => place,
        }
    }

    fn access(&self, lvalue: ExprId, writes: bool) -> Vec<Access> {
        let touched = crate::accesses::touched(self.facts, lvalue);
        let access = touched.map(|touched| Access::new(lvalue, touched, writes));
        access.into_iter().collect()
    }

    /// The text of an lvalue, after the reads that it needs.
    pub(super) fn lvalue(&mut self, e: ExprId) -> String {
        let tree = self.facts.tree;
        let is_array = |e: ExprId| matches!(tree.type_of(tree.exprs[e].ty), Type::Array(..));
        let parts: Vec<(ExprId, bool)> = match &tree.exprs[e].kind {
            ExprKind::Ident(_) => Vec::new(),
            ExprKind::Member { base, arrow, .. } => vec![(*base, !*arrow)],
            ExprKind::Index { base, index } => {
                vec![(*base, is_array(*base)), (*index, is_array(*index))]
            }
            ExprKind::Deref(pointer) => vec![(*pointer, is_array(*pointer))],
            _ => match self.expr_needs(e).0 {
                Needs::Nothing => return self.printed(e),
                _ => return self.value(e),
            },
        };
        let mut texts = Vec::new();
        for (part, is_place) in parts {
            let text = match is_place {
                true => self.lvalue(part),
                false => self.value(part),
            };
            texts.push((part, text));
        }
        let text = self.rebuilt(e, texts);
        self.forget_written(tree.exprs[e].span);
        text
    }

    /// Lowers a statement expression: its statements, and the value of the last one.
    fn statements(&mut self, e: ExprId, body: cfront::StmtId, used: bool) -> String {
        let tree = self.facts.tree;
        let is_void = matches!(tree.type_of(tree.exprs[e].ty), Type::Void);
        let result = Some(())
            .filter(|()| used && !is_void)
            .map(|()| self.temp(e));
        self.block_with_value(body, result.as_deref());
        result.unwrap_or_else(|| "(void)0".to_string())
    }

    /// Adds a place where the thread may block.
    pub(super) fn stand(&mut self, can: String, what: String, span: Span) {
        self.stand_until((can, None), what, span);
    }

    /// Adds a place where the thread may block: the condition under which it can continue, and the
    /// one under which it must continue eventually, if that differs.
    pub(super) fn stand_until(
        &mut self,
        conditions: (String, Option<String>),
        what: String,
        span: Span,
    ) {
        self.wait(conditions, false, what, span);
    }

    /// Adds a place where the thread goes round a loop until a condition holds.
    pub(super) fn spin(&mut self, can: String, what: String, span: Span) {
        self.wait((can, None), true, what, span);
    }

    /// The place that was added last is one where the thread waits for the object that a pointer leads to.
    pub(super) fn waits_for(&mut self, pointer: &str) {
        let thread = &mut self.out.threads[self.thread as usize];
        if let Some(Action::Stand { object, .. }) = thread.ops.last_mut().map(|op| &mut op.action) {
            *object = Some(pointer.to_owned());
        }
    }

    fn wait(
        &mut self,
        (can, must): (String, Option<String>),
        spins: bool,
        what: String,
        span: Span,
    ) {
        let mut reads = Touched::default();
        if self.options.lasso.is_some() {
            for access in self.with_calls(self.accesses.of_span(span), span) {
                reads.extend(&access.touched);
            }
        }
        let action = Action::Stand {
            can,
            what,
            must,
            spins,
            object: None,
            reads,
        };
        self.push(action, span, Vec::new(), Mover::Both);
    }
}

/// The text in parentheses, unless it is an operand of any operator already.
pub(super) fn enclosed(text: String) -> String {
    match is_word(&text) || text.starts_with('(') && closes_at_end(&text) {
        true => text,
        false => format!("({text})"),
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether the parenthesis at the start is closed by the one at the end.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '"' | '\'' => return false,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}
