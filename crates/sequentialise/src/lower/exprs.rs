//! Expressions: each access that others can see becomes an operation of its own.

use cfront::tree::{BinaryOp, ExprKind, Resolved, UnaryOp};
use cfront::types::Type;
use cfront::{consteval, ExprId, Span};

use super::Lower;
use crate::code::{Access, Action, Label, Mover, Pointer};
use crate::print::Patch;

/// What an expression needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needs {
    /// Nothing: nobody sees when it is evaluated.
    Nothing,
    /// It touches shared memory once: one step.
    OneStep,
    /// It has to be taken apart.
    Splitting,
}

impl Lower<'_, '_> {
    /// What evaluating a part of the text needs; `accesses` are its own.
    pub(super) fn needs(&mut self, span: Span, accesses: &[Access]) -> Needs {
        let mut steps = accesses.iter().filter(|a| self.is_visible(a)).count();
        let calls: Vec<ExprId> = self.facts.calls_in(span).collect();
        for call in calls {
            if self.facts.tree.exprs[call].unevaluated {
                continue;
            }
            match self.call_needs(call) {
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

    fn expr_needs(&mut self, e: ExprId) -> (Needs, Vec<Access>) {
        let accesses = self.accesses.of_expr(e);
        let needs = self.needs(self.facts.tree.exprs[e].span, &accesses);
        (needs, accesses)
    }

    /// The accesses of a text with those of the functions that it calls.
    pub(super) fn with_calls(&self, mut accesses: Vec<Access>, span: Span) -> Vec<Access> {
        accesses.extend(self.accesses.of_calls_in(span));
        accesses
    }

    /// An expression's text as it stands, once and now.
    pub(super) fn printed(&mut self, e: ExprId) -> String {
        let span = self.facts.tree.exprs[e].span;
        let text = self.print(span, Vec::new());
        self.forget_written(span);
        text
    }

    /// An expression with parts replaced.
    fn rebuilt(&mut self, e: ExprId, parts: Vec<(ExprId, String)>) -> String {
        let tree = self.facts.tree;
        let patches: Vec<Patch> = parts
            .into_iter()
            .map(|(part, text)| (tree.exprs[part].span, enclosed(text)))
            .collect();
        self.print(tree.exprs[e].span, patches)
    }

    /// Forgets what is known of variables that a text writes.
    pub(super) fn forget_written(&mut self, span: Span) {
        let written: Vec<_> = self.facts.writes_in(span).collect();
        for object in written {
            self.forget(object);
        }
        let written: Vec<_> = self.facts.written_in(span).collect();
        for lvalue in written {
            self.lose_handles_in(lvalue);
        }
    }

    pub(super) fn forget(&mut self, object: cfront::ObjectId) {
        if let Some(name) = self.name(object) {
            self.forget_name(&name);
        }
    }

    /// Notes the value of a variable to which nothing points.
    pub(super) fn know(&mut self, object: cfront::ObjectId, value: Option<i128>) {
        let o = &self.facts.tree.objects[object];
        let automatic = !o.is_static_duration() && !self.facts.address_taken.contains(&object);
        if !automatic || !self.facts.tree.types.is_integer(o.ty) {
            return;
        }
        let Some(name) = self.name(object) else {
            return;
        };
        let fits = value.filter(|&v| self.fits(o.ty, v));
        self.forget_name(&name);
        if let Some(value) = fits {
            self.env.known.insert(name, value);
        }
    }

    pub(super) fn fits(&self, ty: cfront::types::QualType, value: i128) -> bool {
        match self.facts.tree.type_of(ty) {
            Type::Bool => value == 0 || value == 1,
            Type::Int(kind) if kind.bits() < 128 => {
                let bits = kind.bits() - u32::from(self.facts.tree.types.signed(*kind));
                let low = if self.facts.tree.types.signed(*kind) {
                    -(1i128 << bits)
                } else {
                    0
                };
                value >= low && value < (1i128 << bits)
            }
            Type::Enum(_) => i32::try_from(value).is_ok(),
            _ => false,
        }
    }

    /// The value of an integer expression, if it is known here.
    pub(super) fn value_of(&self, e: ExprId) -> Option<i128> {
        let value = consteval::eval_where(self.facts.tree, e, &|object| {
            if let Some(&value) = self.facts.constants.get(&object) {
                return Some(value);
            }
            self.env.known.get(&self.name(object)?).copied()
        });
        value.or_else(|| self.number(e))
    }

    // Values ------------------------------------------------------------------------------------

    /// Evaluates an expression as far as others can see, and gives a text for its value, which is
    /// to be used once.
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

    /// The value in a variable, so that its text can be used several times.
    pub(super) fn stable(&mut self, e: ExprId) -> String {
        let steady = self.is_stable(e);
        let text = self.value(e);
        if steady || is_word(&text) && text.starts_with("ba_seq_") && text.contains("_t") {
            return text;
        }
        let temp = self.temp(e);
        let span = self.facts.tree.exprs[e].span;
        self.text(format!("{temp} = {text};"), span, Vec::new());
        temp
    }

    /// Whether an expression keeps its value while the thread waits, and can be evaluated again.
    fn is_stable(&self, e: ExprId) -> bool {
        let accesses = self.accesses.of_expr(e);
        let steady = |a: &Access| self.sharing.is_steady(self.thread, a.expr);
        self.is_pure(e) && accesses.iter().all(steady)
    }

    fn has_constant_indices(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        match &tree.exprs[e].kind {
            ExprKind::Index { base, index } => {
                consteval::eval(tree, *index).is_some() && self.has_constant_indices(*base)
            }
            ExprKind::Member { base, .. } => self.has_constant_indices(*base),
            ExprKind::Ident(_) => true,
            _ => false,
        }
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

    /// Evaluates an expression whose value is not used.
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
        if let Some((object, value)) = assigned {
            self.know(object, value);
            self.know_pointer(object, pointer);
        }
        self.after_exit(span);
    }

    /// Nothing comes behind a statement that surely ends the run.
    fn after_exit(&mut self, span: Span) {
        let calls: Vec<ExprId> = self.facts.calls_in(span).collect();
        for call in calls {
            let whole = self.facts.tree.exprs[call].span == span;
            if whole && self.facts.library(call) == Some(crate::library::Call::Exit) {
                self.env.reachable = false;
            }
        }
    }

    /// The variable that a statement assigns, and the value that it has then.
    fn assigned(&self, e: ExprId) -> Option<(cfront::ObjectId, Option<i128>)> {
        let tree = self.facts.tree;
        let object = |lhs: ExprId| match tree.exprs[lhs].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(object),
            _ => None,
        };
        match &tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => Some((object(*lhs)?, self.outcome(*rhs))),
            ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
                ..
            } => {
                let (before, by) = (self.value_of(*lhs), self.value_of(*rhs));
                let value = match (op, before, by) {
                    (BinaryOp::Add, Some(a), Some(b)) => a.checked_add(b),
                    (BinaryOp::Sub, Some(a), Some(b)) => a.checked_sub(b),
                    _ => None,
                };
                Some((object(*lhs)?, value))
            }
            ExprKind::IncDec {
                increment, operand, ..
            } => {
                let by = if *increment { 1 } else { -1 };
                Some((object(*operand)?, self.value_of(*operand).map(|v| v + by)))
            }
            _ => None,
        }
    }

    /// What is known of the pointer that a statement assigns.
    fn assigned_pointer(&mut self, e: ExprId) -> Option<Pointer> {
        match self.facts.tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => self.made_here(self.facts.tree.exprs[lhs].ty, rhs),
            _ => None,
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
            ExprKind::Call { .. } => self.call(e, used),
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

    /// Reads an lvalue.
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

    /// The text of an lvalue, all that has to be read for it read.
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

    /// The text of an lvalue that can be used twice.
    fn stable_lvalue(&mut self, e: ExprId) -> String {
        let tree = self.facts.tree;
        let text = self.lvalue(e);
        let simple = matches!(tree.root(e), (Some(_), false)) && self.has_constant_indices(e);
        if simple
            || matches!(&tree.exprs[e].kind, ExprKind::Member { path, .. }
            if path.iter().any(|&(r, m)| tree.types.records[r].members.as_ref().is_some_and(|l| l[m].is_bit_field)))
        {
            return text;
        }
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        let mut ty = tree.exprs[e].ty;
        ty.quals = cfront::types::Quals {
            is_atomic: ty.quals.is_atomic,
            ..cfront::types::Quals::NONE
        };
        let declared = tree.types.declare_where(ty, &format!("*{name}"), &|_| true);
        let declaration = declared.unwrap_or_else(|| format!("__typeof__({text}) *{name}"));
        self.add_variable(crate::code::Variable {
            declaration,
            name: name.clone(),
            ty: None,
            of: None,
        });
        let span = tree.exprs[e].span;
        self.text(
            format!("{name} = (void *)&{};", enclosed(text)),
            span,
            Vec::new(),
        );
        format!("(*{name})")
    }

    fn assign(
        &mut self,
        e: ExprId,
        op: Option<BinaryOp>,
        (lhs, rhs): (ExprId, ExprId),
        used: bool,
    ) -> String {
        let span = self.facts.tree.exprs[e].span;
        let writes = self.access(lhs, true);
        let assigned = self.assigned(e);
        let pointer = self.assigned_pointer(e);
        let value = self.value(rhs);
        let atomic = self.facts.tree.exprs[lhs].ty.quals.is_atomic;
        let visible = writes.iter().any(|a| self.is_visible(a));
        let result = match op {
            None if !used => {
                let place = self.lvalue(lhs);
                self.text(format!("{place} = {value};"), span, writes);
                "0".to_string()
            }
            None => {
                let temp = self.temp(lhs);
                self.text(format!("{temp} = {value};"), span, Vec::new());
                let place = self.lvalue(lhs);
                self.text(format!("{place} = {temp};"), span, writes);
                temp
            }
            Some(op) if atomic || !visible || self.env.atomic > 0 => {
                let place = self.lvalue(lhs);
                let text = format!("{place} {}= {value}", op.spelling());
                self.finish_write(lhs, text, (span, writes), used)
            }
            Some(op) => {
                let value = self.kept_value(rhs, value);
                let place = self.stable_lvalue(lhs);
                let old = self.temp(lhs);
                let reads = self.access(lhs, false);
                self.text(format!("{old} = {place};"), span, reads);
                let text = format!("{place} = {old} {} {}", op.spelling(), enclosed(value));
                self.finish_write(lhs, text, (span, writes), used)
            }
        };
        self.forget_root(lhs);
        if let Some((object, value)) = assigned {
            self.know(object, value);
            self.know_pointer(object, pointer);
        }
        result
    }

    /// The value of an operand that is used behind another step.
    fn kept_value(&mut self, e: ExprId, text: String) -> String {
        if is_word(&text) {
            return text;
        }
        let temp = self.temp(e);
        let span = self.facts.tree.exprs[e].span;
        self.text(format!("{temp} = {text};"), span, Vec::new());
        temp
    }

    fn finish_write(
        &mut self,
        lhs: ExprId,
        text: String,
        (span, accesses): (Span, Vec<Access>),
        used: bool,
    ) -> String {
        if !used {
            self.text(format!("{text};"), span, accesses);
            return "0".to_string();
        }
        let temp = self.temp(lhs);
        self.text(format!("{temp} = ({text});"), span, accesses);
        temp
    }

    fn forget_root(&mut self, lvalue: ExprId) {
        self.lose_handles_in(lvalue);
        if let (Some(object), false) = self.facts.tree.root(lvalue) {
            self.forget(object);
        }
    }

    fn inc_dec(
        &mut self,
        e: ExprId,
        (prefix, increment): (bool, bool),
        operand: ExprId,
        used: bool,
    ) -> String {
        let span = self.facts.tree.exprs[e].span;
        let sign = if increment { '+' } else { '-' };
        let writes = self.access(operand, true);
        let visible = writes.iter().any(|a| self.is_visible(a));
        let atomic = self.facts.tree.exprs[operand].ty.quals.is_atomic;
        let assigned = self.assigned(e);
        let result = if atomic || !visible || self.env.atomic > 0 {
            let place = self.lvalue(operand);
            let text = match prefix {
                true => format!("{sign}{sign}{}", enclosed(place)),
                false => format!("{}{sign}{sign}", enclosed(place)),
            };
            self.finish_write(operand, text, (span, writes), used)
        } else {
            let place = self.stable_lvalue(operand);
            let old = self.temp(operand);
            let reads = self.access(operand, false);
            self.text(format!("{old} = {place};"), span, reads);
            let text = format!("{place} = {old} {sign} 1");
            let new = self.finish_write(operand, text, (span, writes), used && prefix);
            if prefix {
                new
            } else {
                old
            }
        };
        self.forget_root(operand);
        if let Some((object, value)) = assigned {
            self.know(object, value);
        }
        result
    }

    // Conditions --------------------------------------------------------------------------------

    /// The truth of a condition as a value.
    fn truth(&mut self, e: ExprId) -> String {
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
    pub(super) fn branch(&mut self, e: ExprId, sense: bool, to: Label) {
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
                // `a && b` fails where a fails; `a || b` holds where a holds.
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
            (_, Needs::Splitting) => {
                let text = self.value(e);
                self.jump(Some(condition(&text, sense)), to, span);
            }
            _ => {
                let accesses = self.with_calls(accesses, span);
                let text = self.printed(e);
                self.jump_with(Some(condition(&text, sense)), to, span, accesses);
            }
        }
    }

    fn conditional(
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

    /// A statement expression: its statements, and the value of the last one.
    fn statements(&mut self, e: ExprId, body: cfront::StmtId, used: bool) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let is_void = matches!(tree.type_of(tree.exprs[e].ty), Type::Void);
        let result = Some(())
            .filter(|()| used && !is_void)
            .map(|()| self.temp(e));
        self.block_with_value(body, result.as_deref());
        let _ = span;
        result.unwrap_or_else(|| "(void)0".to_string())
    }

    /// Marks a place where the thread may have to wait.
    pub(super) fn stand(&mut self, can: String, what: String, span: Span) {
        self.stand_until((can, None), what, span);
    }

    /// A place where the thread may have to wait: whether it can go on, and whether it has to some time,
    /// where that is not the same.
    pub(super) fn stand_until(
        &mut self,
        (can, must): (String, Option<String>),
        what: String,
        span: Span,
    ) {
        let action = Action::Stand { can, what, must };
        self.push(action, span, Vec::new(), Mover::Both);
    }
}

/// A text as an operand of any operator.
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

/// A condition that holds where the truth of a text is `sense`.
fn condition(text: &str, sense: bool) -> String {
    match sense {
        true => text.to_string(),
        false => format!("!{}", enclosed(text.to_string())),
    }
}
