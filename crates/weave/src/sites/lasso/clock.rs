//! Clocks whose value says nothing: only how much they grow.

use cfront::span::{ExprId, Id, StmtId};
use cfront::tree::{BinaryOp, ExprKind, Parent, Resolved, StmtKind, Tree};

use crate::bind::expression::Piece;
use crate::facts::heads::UnaskedClock;
use crate::facts::ObjectIndex;
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// The proposition that reads the clock, if no formula asks of its value.
    pub(crate) fn unasked_clock(&self) -> Option<UnaskedClock> {
        let timers = &self.bound.timers;
        let clock = timers.clock.filter(|_| !timers.clock_is_asked)?;
        let variable = &self.layout.variables[clock];
        Some(UnaskedClock {
            evaluation: format!("ba_eval_{}", variable.name),
            letter: self.letter(variable),
        })
    }

    /// The proposition that reads the clock, if nothing else depends on the clock's value: the program only adds
    /// constants to it. Then two states that differ in it alone go on alike.
    pub(crate) fn clock_apart(&self) -> Option<usize> {
        let timers = &self.bound.timers;
        let clock = timers.clock.filter(|_| !timers.clock_is_asked)?;
        let proposition = &self.bound.propositions[clock];
        let [object] = proposition.objects.as_slice() else {
            return None;
        };
        let whole = proposition.evaluation.iter().all(|piece| match piece {
            Piece::Leaf(leaf) => leaf.suffix.is_empty(),
            Piece::Text(_) => true,
        });
        let others = self.bound.propositions.iter().enumerate();
        let mut others = others.filter(|(p, _)| *p != clock);
        let read = others.any(|(_, p)| {
            p.objects.contains(object) || p.regions.iter().any(|r| r.place.root.is_none())
        });
        let mut assumed = self.bound.environment.assume.iter();
        let assumed = assumed.any(|assumption| {
            let names = |piece: &Piece| matches!(piece, Piece::Leaf(l) if l.object == *object);
            assumption.evaluation.iter().any(names) || !assumption.functions.is_empty()
        });
        let only_grows = only_grows(&self.program.code.tree(), *object);
        (whole && !read && !assumed && only_grows).then_some(clock)
    }
}

/// Whether a program names an object only to add constants to it.
fn only_grows(tree: &Tree, object: ObjectIndex) -> bool {
    let names = |id: &ExprId| matches!(&tree.exprs[*id].kind, ExprKind::Ident(Resolved::Object(o)) if o.index() == object);
    let uses = tree.exprs.ids().filter(names);
    let mut of_program = uses.filter(|id| !is_of_specification(tree, *id));
    of_program.all(|id| {
        let Parent::Expr(outer) = tree.exprs[id].parent else {
            return false;
        };
        let grows = match &tree.exprs[outer].kind {
            ExprKind::IncDec { .. } => true,
            ExprKind::Assign {
                op: Some(BinaryOp::Add),
                lhs,
                rhs,
                ..
            } => *lhs == id && matches!(tree.exprs[*rhs].kind, ExprKind::Int(_)),
            _ => false,
        };
        grows && is_unused(tree, outer)
    })
}

/// Whether an expression is in a condition of the specification.
fn is_of_specification(tree: &Tree, mut id: ExprId) -> bool {
    while let Parent::Expr(outer) = tree.exprs[id].parent {
        id = outer;
    }
    tree.exprs[id].parent == Parent::Fragment
}

/// Whether nothing reads the value of an expression.
fn is_unused(tree: &Tree, id: ExprId) -> bool {
    let Parent::Stmt(outer) = tree.exprs[id].parent else {
        return false;
    };
    match tree.stmts[outer].kind {
        // The last statement of a block may be its value.
        StmtKind::Expr(_) => is_plain(tree, outer),
        StmtKind::For { step, .. } => step == Some(id),
        _ => false,
    }
}

/// Whether a statement is in no expression.
fn is_plain(tree: &Tree, mut statement: StmtId) -> bool {
    loop {
        match tree.stmts[statement].parent {
            Parent::Stmt(outer) => statement = outer,
            Parent::Function(_) => return true,
            _ => return false,
        }
    }
}
