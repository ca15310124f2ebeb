//! Lowers assignments, increments and decrements: reads and writes that other threads can observe
//! become separate steps.

use cfront::tree::{BinaryOp, ExprKind, Tree, UnaryOp};
use cfront::types::{IntKind, Type};
use cfront::{consteval, ExprId, Span};

use super::{enclosed, is_word};
use crate::code::Access;
use crate::lower::Lower;

impl Lower<'_, '_> {
    pub(super) fn assign(
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
        let mut value = self.value(rhs);
        let atomic = self.facts.tree.exprs[lhs].ty.quals.is_atomic;
        let visible = writes.iter().any(|a| self.is_visible(a));
        if self.options.steps
            && visible
            && self.env.atomic == 0
            && is_decision(self.facts.tree, rhs)
        {
            value = self.kept_value(rhs, value);
        }
        let result = match op {
            None if !used && !self.is_in_braces(rhs) => {
                let place = self.lvalue(lhs);
                self.text(format!("{place} = {value};"), span, writes);
                self.note_assignment(e);
                "0".to_string()
            }
            None => {
                let temp = self.temp(lhs);
                self.text(format!("{temp} = {value};"), span, Vec::new());
                let place = self.lvalue(lhs);
                self.text(format!("{place} = {temp};"), span, writes);
                temp
            }
            Some(op) if atomic || !self.is_split(lhs) || self.env.atomic > 0 => {
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
                let old = self.computed(lhs, old);
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

    pub(super) fn inc_dec(
        &mut self,
        e: ExprId,
        (prefix, increment): (bool, bool),
        operand: ExprId,
        used: bool,
    ) -> String {
        let span = self.facts.tree.exprs[e].span;
        let sign = if increment { '+' } else { '-' };
        let writes = self.access(operand, true);
        let atomic = self.facts.tree.exprs[operand].ty.quals.is_atomic;
        let assigned = self.assigned(e);
        let result = if atomic || !self.is_split(operand) || self.env.atomic > 0 {
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

    /// Whether others can observe that a place is read first, and written then.
    fn is_split(&self, place: ExprId) -> bool {
        let visible = |writes: bool| {
            let accesses = self.access(place, writes);
            accesses.iter().any(|a| self.is_visible(a))
        };
        visible(false) && visible(true)
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

    /// Keeps the value of an operand for use after another step.
    fn kept_value(&mut self, e: ExprId, text: String) -> String {
        if is_word(&text) {
            return text;
        }
        let temp = self.temp(e);
        let span = self.facts.tree.exprs[e].span;
        self.text(format!("{temp} = {text};"), span, Vec::new());
        temp
    }

    /// Whether a value is a structure in braces. CBMC assigns it member by member and reads each
    /// member only then, so it must be a separate object.
    fn is_in_braces(&self, mut value: ExprId) -> bool {
        loop {
            match &self.facts.tree.exprs[value].kind {
                ExprKind::CompoundLiteral(_) => return true,
                ExprKind::Comma(list) => match list.last() {
                    Some(&last) => value = last,
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    /// The text of an lvalue's value in a computation: the compiler computes with an enumeration
    /// without negative constants as an `unsigned int`, model checkers with an `int`.
    fn computed(&self, lvalue: ExprId, value: String) -> String {
        let tree = self.facts.tree;
        let is_enum = matches!(tree.type_of(tree.exprs[lvalue].ty), Type::Enum(_));
        let kind = tree.types.int_kind(tree.exprs[lvalue].ty);
        match is_enum && kind == Some(IntKind::UInt) && tree.bit_field(lvalue).is_none() {
            true => format!("(unsigned){value}"),
            false => value,
        }
    }

    /// The text of an lvalue that may be used twice.
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
        let types = &self.facts.local_types.types;
        let declared = types.declare_where(ty, &format!("*{name}"), &|_| true);
        let declaration = match declared {
            Some(declared) => declared,
            None => format!("{} *{name}", self.typeof_text(&text, e)),
        };
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
}

/// Whether an expression tells of other values whether something holds. In the form of steps it is decided where they are read: then the
/// state needs its result only, not what it was made from, until the thread writes it.
fn is_decision(tree: &Tree, e: ExprId) -> bool {
    match tree.exprs[tree.uncast(e)].kind {
        ExprKind::Binary(op, ..) => op.is_boolean(),
        ExprKind::Unary(UnaryOp::Not, _) => true,
        _ => false,
    }
}
