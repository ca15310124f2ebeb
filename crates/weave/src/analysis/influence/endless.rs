//! What may become undefined only after many turns of a loop: values that depend on themselves, such as counters, if they decide whether
//! a signed number overflows, or whether an access is in its object. A run along which they do not come back need not go on for ever,
//! even if nothing reads them.

use std::collections::BTreeSet;

use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, UnaryOp};
use cfront::types::{Class, Type};

use super::{Builder, Influence, Node, Part};

impl Influence {
    /// The parts of objects whose values depend on themselves and decide whether something undefined happens. Linear in the graph.
    pub fn endless(&self) -> BTreeSet<Part> {
        let decides = self.reaching(self.hazards.iter().copied().collect());
        let edges = |node: usize| self.from[node].iter().copied();
        let component = automata::components(self.from.len(), edges);
        let mut sizes = vec![0usize; self.from.len()];
        for &c in &component {
            if let Some(size) = sizes.get_mut(c as usize) {
                *size += 1;
            }
        }
        let again = |node: Node| {
            let alone = sizes.get(component[node] as usize) == Some(&1);
            !alone || self.from[node].contains(&node)
        };
        let parts = self.parts.iter().enumerate();
        parts
            .filter(|(node, _)| decides[*node] && again(*node))
            .map(|(_, part)| *part)
            .collect()
    }

    /// The parts that decide whether something undefined happens.
    pub fn decides_definedness(&self) -> BTreeSet<Part> {
        let decides = self.reaching(self.hazards.iter().copied().collect());
        let parts = self.parts.iter().enumerate();
        parts
            .filter(|(node, _)| decides[*node])
            .map(|(_, part)| *part)
            .collect()
    }
}

impl Builder<'_> {
    /// Notes what decides whether an operation is defined: its operands, and whether it happens.
    pub(super) fn note_hazard(&mut self, e: ExprId, operands: &[Node], context: Node) {
        if self.is_hazard(e) {
            self.graph.hazards.extend(operands.iter().copied());
            self.graph.hazards.insert(context);
        }
    }

    /// Whether some operands of an expression have no defined result.
    fn is_hazard(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let ty = |e: ExprId| tree.exprs[e].ty;
        let is_pointer = |e: ExprId| matches!(tree.types.class(ty(e)), Class::Pointer);
        let is_real = |e: ExprId| matches!(tree.types.get(ty(e)), Type::Float(_));
        let overflows = |e: ExprId| is_pointer(e) || self.may_overflow(e);
        // A divisor or distance that is always right.
        let known = |e: ExprId| matches!(tree.exprs[e].kind, ExprKind::Int(Some(n)) if n > 0);
        match &tree.exprs[e].kind {
            ExprKind::Binary(op, _, by) => operates(*op, overflows(e), known(*by)),
            ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
                ..
            } => {
                operates(*op, overflows(*lhs) || overflows(*rhs), known(*rhs))
                    || is_real(*rhs) && !is_real(*lhs)
            }
            ExprKind::Assign { lhs, rhs, .. } => is_real(*rhs) && !is_real(*lhs),
            ExprKind::Cast(of) => is_real(*of) && !is_real(e),
            ExprKind::IncDec { operand, .. } => overflows(*operand),
            ExprKind::Unary(UnaryOp::Minus, _) => overflows(e),
            ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } => {
                true
            }
            _ => false,
        }
    }

    /// Whether a signed number may be too large for its type: numbers of narrower types are computed as `int`, where few operations on them are
    /// too large.
    fn may_overflow(&self, e: ExprId) -> bool {
        let types = &self.tree.types;
        let kind = types.int_kind(self.tree.exprs[e].ty);
        let wide = |kind| types.signed(kind) && types.bits(kind) >= types.model.int;
        kind.is_some_and(|kind| wide(kind) && self.digits(e) >= types.bits(kind))
    }

    /// How many binary digits the amount of a number has at most; as many as its type has bits, or more, if nothing is known.
    fn digits(&self, e: ExprId) -> u32 {
        let tree = self.tree;
        let types = &tree.types;
        let of_type = types
            .int_kind(tree.exprs[e].ty)
            .map_or(u32::MAX, |k| types.bits(k));
        let computed = match &tree.exprs[e].kind {
            ExprKind::Int(Some(value)) => Some(i128::BITS - value.unsigned_abs().leading_zeros()),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                Some(self.digits(*a).max(self.digits(*b)).saturating_add(1))
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                Some(self.digits(*a).saturating_add(self.digits(*b)))
            }
            _ => None,
        };
        match computed {
            Some(computed) => computed,
            None => of_type,
        }
    }
}

/// Whether an operation has operands without a defined result: if its type has numbers that overflow, or it divides or shifts by what is
/// not `known` to be right.
fn operates(op: BinaryOp, overflows: bool, known: bool) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => overflows,
        BinaryOp::Shl => overflows || !known,
        BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr => !known,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use cfront::alias::{Aliases, Assumptions};
    use cfront::span::Id;
    use cfront::{Source, Unit};

    /// The names of the globals that depend on themselves, and decide whether something undefined happens, in a loop.
    fn endless(body: &str) -> String {
        let text = format!(
            "extern int in(void); int n, m, a[4]; unsigned u; char c; double d; int *p;\n\
             int next(int i) {{ return i + 1; }}\nint main(void) {{ for (;;) {{ {body} }} }}\n"
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let whole_program = true;
        let aliases = Aliases::new(&unit.tree, Assumptions { whole_program });
        let found = Influence::new(&unit.tree, &aliases).endless();
        let names = unit.tree.objects.iter();
        let named = names
            .filter(|(id, o)| o.function.is_none() && found.iter().any(|p| p.object == id.index()));
        named
            .map(|(_, o)| o.name.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn counters_that_may_overflow_or_leave_an_object_are_endless() {
        for (body, expected) in [
            ("n++;", "n"),
            ("n += in();", "n"),
            ("n = next(n);", "n"),
            ("m = n - 1; n = m;", "n m"),
            ("p = p + 1;", "p"),
            ("a[u++] = 1;", "u"),
            ("c++; if (c > 9) m = 1 / in();", "c"),
            ("d = d * 2; m = d;", "d"),
            // What is unsigned comes back, what is narrow fits again, and what is no number that grows depends on nothing.
            ("u++; n = u % 10 == 0 ? 1 : u >> 3;", ""),
            ("c = c + 3; n = c - 2;", ""),
            ("c++;", ""),
            ("n = m + 1;", ""),
            ("n = n;", ""),
            ("d = d * 2;", ""),
        ] {
            assert_eq!(endless(body), expected, "{body}");
        }
    }
}
