//! Tests of single bits, as programs make them of registers: `USART1->SR & 32`, `(x >> 3) & 1`, and copies in which
//! other bits are set, cleared or inverted, `PORTB = read_PORTB() | 8`.

use cfront::consteval::eval;
use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Parent, Tree};

use super::asked::Asked;
use super::Flows;
use crate::kinds::{integer, kind_of};

/// The most bits whose settings are all tried.
const FEW: u32 = 8;

impl Flows<'_> {
    /// Whether an operator takes single bits of an operand whose other operand is a constant. Then the bits are noted.
    pub(super) fn of_bits(
        &mut self,
        e: ExprId,
        group: usize,
        (op, constant): (BinaryOp, Option<i128>),
    ) -> bool {
        let tree = self.tree;
        let Some((width, false)) = integer(tree, tree.exprs[e].ty) else {
            return false;
        };
        let (Some(constant), Parent::Expr(whole)) = (constant, tree.exprs[e].parent) else {
            return false;
        };
        let above = match tree.exprs[whole].parent {
            Parent::Expr(above) => Some(above),
            _ => None,
        };
        let all = u64::MAX >> (64 - width.clamp(1, 64));
        let mask = |of: i128| (of as u64) & all;
        match op {
            // Its low bits alone are a remainder.
            BinaryOp::BitAnd if is_low(constant) => false,
            BinaryOp::BitAnd if mask(constant).count_ones() <= FEW => {
                self.asked(group).bits |= mask(constant);
                true
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                let to = above.and_then(|above| self.assigned(whole, above, width));
                if let Some(to) = to {
                    let at = tree.exprs[e].span.start;
                    self.bitwise.push((group, to, at));
                }
                to.is_some()
            }
            BinaryOp::Shr => {
                let Some(ExprKind::Binary(BinaryOp::BitAnd, a, b)) =
                    above.map(|above| &tree.exprs[above].kind)
                else {
                    return false;
                };
                let tested = eval(tree, *a).or(eval(tree, *b)).filter(|m| *m >= 0);
                let by = u32::try_from(constant).ok().filter(|by| *by < width);
                let shifted = matches!(tree.exprs[whole].kind, ExprKind::Binary(_, x, _) if x == e);
                match (tested, by) {
                    (Some(tested), Some(by)) if shifted && tested >> 63 == 0 => {
                        self.asked(group).bits |= mask(tested << by);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The group of the object to which a value of at most this width is assigned.
    fn assigned(&mut self, value: ExprId, above: ExprId, width: u32) -> Option<usize> {
        let tree = self.tree;
        match tree.exprs[above].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if rhs == value => {
                let (bits, signed) = integer(tree, tree.exprs[lhs].ty)?;
                let same = !signed && bits == width && tree.bit_field(lhs).is_none();
                same.then(|| self.group(lhs)).flatten()
            }
            _ => None,
        }
    }

    /// Adds the tests of bits that follow copies.
    pub(super) fn tests_of_bits(&mut self, group: usize, out: &mut Asked) {
        let bitwise = self.bitwise.clone();
        let sources: Vec<usize> = bitwise.iter().map(|(from, ..)| self.find(*from)).collect();
        let copied: Vec<usize> = self.copies.clone().iter().map(|c| self.find(c.0)).collect();
        for (n, (_, to, at)) in bitwise.into_iter().enumerate() {
            let target = self.find(to);
            if sources[n] != group || target == group {
                continue;
            }
            let behind = self.asked(target).clone();
            let ends = !copied.contains(&target) && !sources.contains(&target);
            match behind.tests_bits_only() && ends {
                true => out.bits |= behind.bits,
                false => drop(out.exposed.get_or_insert(("is computed with".into(), at))),
            }
        }
    }
}

/// Whether a mask takes the lowest bits.
fn is_low(mask: i128) -> bool {
    mask > 0 && (mask & (mask + 1)) == 0
}

/// The operand of which a mask takes all bits, as in `c & 0xff` with an `unsigned char`: the whole has its value.
pub(super) fn unmasked(tree: &Tree, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    if op != BinaryOp::BitAnd {
        return None;
    }
    let takes_all = |(value, mask): (ExprId, ExprId)| {
        let (bits, signed) = kind_of(tree, value)?;
        let of_type = 1i128.checked_shl(bits).filter(|_| !signed && bits < 64)? - 1;
        (eval(tree, mask)? & of_type == of_type && of_type > 1).then_some(value)
    };
    [(a, b), (b, a)].into_iter().find_map(takes_all)
}
