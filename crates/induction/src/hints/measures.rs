//! Expressions that conditions compare and that are no variables: computed ones, elements, and what pointers lead to.

use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind};
use cfront::types::Type;

use super::conditions::SOMEWHERE;
use super::{Measure, Walk};

impl Walk<'_> {
    /// The name of a side of a comparison: a variable, even one that is stepped there, or a computed
    /// expression, which is noted.
    pub(super) fn measured(&mut self, id: ExprId) -> Option<String> {
        let at = match self.tree.exprs[id].kind {
            ExprKind::IncDec { operand, .. } => operand,
            _ => id,
        };
        if let Some(lvalue) = self.lvalue(at) {
            if lvalue.contains("[]") || lvalue.starts_with("->") {
                self.element(at);
            }
            return Some(lvalue);
        }
        if let ExprKind::Deref(_) = self.tree.exprs[at].kind {
            self.element(at);
            return None;
        }
        // A cast to a narrow type around a difference is how clocks that wrap around are compared.
        let inner = self.tree.uncast(id);
        let computed = matches!(
            self.tree.exprs[inner].kind,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
        );
        let (text, objects, _) = self.plain(id).filter(|_| computed)?;
        self.measures(id, (text.clone(), text.clone()), objects)?;
        Some(text)
    }

    /// The variables that a sum or difference adds and subtracts.
    pub(super) fn summands(&self, id: ExprId) -> Vec<String> {
        let (mut open, mut out) = (vec![id], Vec::new());
        while let Some(e) = open.pop() {
            if let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = self.tree.exprs[e].kind {
                for operand in [a, b].map(|operand| self.tree.uncast(operand)) {
                    out.extend(self.lvalue(operand));
                    open.push(operand);
                }
            }
        }
        out
    }

    /// Notes the distance of two variables that are compared in more than one way: one of them approaches the other from both
    /// sides.
    pub(super) fn approached(&mut self, op: BinaryOp, a: ExprId, b: ExprId) {
        let (Some(x), Some(y)) = (self.lvalue(a), self.lvalue(b)) else {
            return;
        };
        let ((a, x), (b, y), turned) = match x < y {
            true => ((a, x), (b, y), false),
            false => ((b, y), (a, x), true),
        };
        let order = match (op, turned) {
            (BinaryOp::Lt, false) | (BinaryOp::Gt, true) => "<",
            (BinaryOp::Gt, false) | (BinaryOp::Lt, true) => ">",
            (BinaryOp::Eq | BinaryOp::Ne, _) => "==",
            _ => return,
        };
        let known = self.orders.entry((x, y)).or_default();
        if !known.insert(order) || known.len() != 2 {
            return;
        }
        let narrow = |id: ExprId| match self.tree.types.get(self.tree.exprs[id].ty) {
            Type::Int(kind) => self.tree.types.bits(*kind) <= 32,
            _ => false,
        };
        let (Some((x, mut objects, _)), Some((y, more, _))) = (self.plain(a), self.plain(b)) else {
            return;
        };
        if narrow(a) && narrow(b) {
            objects.extend(more);
            let (p, q) = (format!("(long long)({x})"), format!("(long long)({y})"));
            self.out.measures.push(Measure {
                name: format!("|{x} - {y}|"),
                text: format!("{p} < {q} ? {q} - {p} : {p} - {q}"),
                objects,
                bits: 64,
                signed: true,
            });
        }
    }

    /// Notes an element whose index is computed, or what a pointer leads to: no variable has its name.
    fn element(&mut self, id: ExprId) {
        let mut guards = Vec::new();
        if let Some((text, objects, _)) = self.guarded(id, &mut guards) {
            let leads = guards.iter().any(|guard| guard.ends_with(SOMEWHERE));
            let guarded = match leads {
                true => format!("{} ? {text} : 0", guards.join(" && ")),
                false => text.clone(),
            };
            // A member that is reached through a pointer with one target is a variable.
            if !guards.is_empty() {
                self.measures(id, (text, guarded), objects);
            }
        }
    }

    /// Notes an expression with this name, whose text can be evaluated in any state.
    fn measures(
        &mut self,
        id: ExprId,
        (name, text): (String, String),
        objects: Vec<usize>,
    ) -> Option<()> {
        let Type::Int(kind) = self.tree.types.get(self.tree.exprs[id].ty) else {
            return None;
        };
        self.out.measures.push(Measure {
            name,
            text,
            objects,
            bits: self.tree.types.bits(*kind),
            signed: self.tree.types.signed(*kind),
        });
        Some(())
    }
}
