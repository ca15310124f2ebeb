//! Loops that count: `for (i = A; i < B; i++) body`, in which only the header writes `i`.

use cfront::span::ObjectId;
use cfront::tree::{BinaryOp, Entity, ExprKind, ForInit, InitKind, StmtKind};
use cfront::types::IntKind;
use cfront::{consteval, ExprId, StmtId};

use super::paths::is_automatic;
use crate::facts::Facts;

/// The greatest number of rounds of which every integer type can count each.
const FEW: i128 = 128;

/// A loop whose counter grows by one from round to round.
#[derive(Clone, Copy)]
pub(super) struct Counting {
    /// The loop.
    pub stmt: StmtId,
    /// The counter.
    pub variable: ObjectId,
    pub body: StmtId,
    from: ExprId,
    cond: Option<ExprId>,
}

/// The end of a counting loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The first number that it does not count to.
    Number(i128),
    /// The value of a local variable that no pointer leads to.
    Variable(ObjectId),
}

impl Counting {
    /// What a statement counts, if it is such a loop.
    pub fn of(facts: &Facts, stmt: StmtId) -> Option<Counting> {
        let tree = facts.tree;
        let StmtKind::For {
            init,
            cond,
            step: Some(step),
            body,
            ..
        } = tree.stmts[stmt].kind
        else {
            return None;
        };
        let (variable, from) = match init {
            ForInit::Expr(e) => match tree.exprs[e].kind {
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } => (facts.tree.named(lhs)?, rhs),
                _ => return None,
            },
            ForInit::Decl(decl) => {
                let [declared] = tree.decls[decl].declared[..] else {
                    return None;
                };
                match (declared.entity, &tree.inits[declared.init?].kind) {
                    (Entity::Object(o), InitKind::Expr(e)) => (o, *e),
                    _ => return None,
                }
            }
            ForInit::None => return None,
        };
        let counts = match tree.exprs[step].kind {
            ExprKind::IncDec {
                increment: true,
                operand,
                ..
            } => facts.tree.named(operand) == Some(variable),
            _ => false,
        };
        let parts = [tree.stmts[body].span].into_iter();
        let parts = parts.chain(cond.map(|cond| tree.exprs[cond].span));
        let written = parts.flat_map(|part| facts.writes_in(part));
        let written = written.filter(|&o| o == variable).count() > 0;
        let local = !facts.address_taken.contains(&variable) && is_automatic(facts, variable);
        (counts && !written && local).then_some(Counting {
            stmt,
            variable,
            body,
            from,
            cond,
        })
    }

    /// The first number, if it is constant.
    pub fn from(&self, facts: &Facts) -> Option<i128> {
        constant(facts, self.from)
    }

    fn compared(&self, facts: &Facts) -> Option<(BinaryOp, ExprId)> {
        match facts.tree.exprs[self.cond?].kind {
            ExprKind::Binary(op, left, right) if facts.tree.named(left) == Some(self.variable) => {
                Some((op, right))
            }
            _ => None,
        }
    }

    /// Where it ends, if it does not end before, and that is known.
    pub fn to(&self, facts: &Facts) -> Option<Bound> {
        let (op, right) = self.compared(facts)?;
        match (op, constant(facts, right)) {
            (BinaryOp::Lt | BinaryOp::Ne, Some(n)) => Some(Bound::Number(n)),
            (BinaryOp::Le, Some(n)) => Some(Bound::Number(n + 1)),
            (BinaryOp::Lt | BinaryOp::Ne, None) => {
                let of = facts.tree.named(right)?;
                let own = !facts.address_taken.contains(&of) && is_automatic(facts, of);
                own.then_some(Bound::Variable(of))
            }
            _ => None,
        }
    }

    /// The bits of integers that tell the values of the counter from each other; `None` if the counter may come back to a value.
    pub fn width(&self, facts: &Facts) -> Option<u32> {
        let few = matches!(self.to(facts), Some(Bound::Number(n)) if n <= FEW);
        if few && self.from(facts).is_some_and(|n| n >= 0) {
            return Some(8);
        }
        let tree = facts.tree;
        let bits = |ty| Some(8 * u32::try_from(consteval::size_of(tree, ty)?).ok()?);
        let ty = tree.objects[self.variable].ty;
        let kind = tree.types.int_kind(ty)?;
        let own = bits(ty)?;
        // Arithmetic of signed integers that are not promoted does not wrap around.
        let grows = matches!(kind, IntKind::Int | IntKind::Long | IntKind::LongLong)
            || match self.compared(facts) {
                Some((BinaryOp::Lt, to)) => bits(tree.exprs[to].ty).is_some_and(|to| to <= own),
                _ => false,
            };
        (grows && own >= 32).then_some(own)
    }
}

fn constant(facts: &Facts, e: ExprId) -> Option<i128> {
    consteval::eval_where(facts.tree, e, &|o| facts.constants.get(&o).copied())
}
