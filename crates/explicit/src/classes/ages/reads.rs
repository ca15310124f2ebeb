//! Where ages are read: the comparisons with a number in which the difference of the clock and a stamp is an operand.

use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Parent, Tree};

/// Where an age is read.
pub(super) struct Read {
    pub difference: ExprId,
    /// The operand that is the stamp.
    pub stamp: ExprId,
    /// Whether the clock is subtracted from the stamp: what is left until then.
    pub is_left: bool,
    pub comparison: ExprId,
    /// The other operand of the comparison.
    pub with: ExprId,
    /// Whether the difference is converted to the signed type of its width.
    pub is_signed: bool,
}

/// The comparison that an age is the operand of, that operand, and whether it is signed.
pub(super) fn compared(
    tree: &Tree,
    difference: ExprId,
    bits: u32,
) -> Option<(ExprId, ExprId, bool)> {
    let mut at = difference;
    // Of a promoted difference only the conversion to the width of times matters.
    let of = crate::kinds::integer(tree, tree.exprs[difference].ty);
    let mut promoted = of != Some((bits, false));
    let mut is_signed = false;
    loop {
        let Parent::Expr(parent) = tree.exprs[at].parent else {
            return None;
        };
        match &tree.exprs[parent].kind {
            ExprKind::Cast(_) => {
                let of = |e: ExprId| crate::kinds::integer(tree, tree.exprs[e].ty);
                let ((from, _), (to, signed)) = (of(at)?, of(parent)?);
                match (promoted, is_signed, signed) {
                    (true, ..) => (to == bits).then(|| is_signed = signed)?,
                    // No other conversion changes the value.
                    (false, false, true) if to == bits && from == bits => is_signed = true,
                    (false, false, true) => (to > from).then_some(())?,
                    (false, false, false) | (false, true, true) => (to >= from).then_some(())?,
                    (false, true, false) => return None,
                }
                promoted = false;
                at = parent;
            }
            ExprKind::Binary(
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne,
                ..,
            ) => return Some((parent, at, is_signed)),
            _ => return None,
        }
    }
}
