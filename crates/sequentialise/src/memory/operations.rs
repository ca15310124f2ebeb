//! Atomic operations of the compiler as calls of the model.

use cfront::atomics::{operation, Kind, Operation};
use cfront::tree::ExprKind;
use cfront::{consteval, ExprId, Span};

use crate::facts::Facts;
use crate::library::name_of;

/// Sequentially consistent, as a number.
pub(super) const SEQ_CST: &str = cfront::atomics::SEQ_CST;

/// Release, as a number.
pub(super) const RELEASE: &str = "3";

/// A fence that is sequentially consistent, as a statement.
pub(super) const FENCE: &str = "__VERIFIER_atomic_memmodel_fence(5); ";

/// What functions do with the objects, which are bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Touched {
    /// The number of their stores.
    pub stores: usize,
    /// The objects that they access.
    pub accessed: u32,
    /// Those of which they may read a store that is not the last one at which an operation may take place that reads and writes in one step.
    pub read: u32,
}

impl Touched {
    /// What is known of a function that is not known.
    pub const ANYTHING: Touched = Touched {
        stores: 1,
        accessed: u32::MAX,
        read: u32::MAX,
    };
}

/// Whether a call of an operation is known to be weaker than sequentially consistent.
pub(super) fn calls_weakly(of: Operation, facts: &Facts, call: ExprId) -> bool {
    match (of.order, &facts.tree.exprs[call].kind) {
        (Some(order), _) => order != SEQ_CST,
        (None, ExprKind::Call { args, .. }) => {
            let wanted = match of.kind {
                Kind::Compare { .. } => 2,
                _ => 1,
            };
            let orders = args.get(of.arguments..).unwrap_or_default();
            orders.len() >= wanted && orders.iter().all(|&order| is_weak(facts, order))
        }
        _ => false,
    }
}

/// Whether a call of an operation that writes is known to be a release, or stronger.
pub(super) fn releases(of: Operation, facts: &Facts, call: ExprId) -> bool {
    let order = match (of.order, &facts.tree.exprs[call].kind) {
        (Some(order), _) => order.parse().ok(),
        (None, ExprKind::Call { args, .. }) => {
            let order = args.get(of.arguments);
            order.and_then(|&order| consteval::eval(facts.tree, order))
        }
        _ => None,
    };
    order.is_some_and(|order| (3..=5).contains(&order))
}

/// Whether an argument is an order that is known to be weaker than sequentially consistent.
pub(super) fn is_weak(facts: &Facts, order: ExprId) -> bool {
    let order = consteval::eval(facts.tree, order);
    order.is_some_and(|order| (0..5).contains(&order))
}

/// The fence of a call: the argument with its order, or none where it is sequentially consistent.
pub(super) fn fence(facts: &Facts, call: ExprId) -> Option<Option<ExprId>> {
    let ExprKind::Call { args, .. } = &facts.tree.exprs[call].kind else {
        return None;
    };
    match name_of(facts.tree, call)? {
        "__atomic_thread_fence" => Some(args.first().copied()),
        "__sync_synchronize" => Some(None),
        _ => None,
    }
}

impl Facts<'_> {
    /// Whether some atomic operation is weaker than sequentially consistent.
    pub(super) fn has_weaker_orders(&self) -> bool {
        let all = Span::new(0, self.unit.text().len());
        let weaker = |call: ExprId| {
            let ExprKind::Call { args, .. } = &self.tree.exprs[call].kind else {
                return false;
            };
            let of = name_of(self.tree, call).and_then(operation);
            of.is_some_and(|of| {
                let mut orders = args.iter().skip(of.arguments);
                let sc = Some(5);
                of.order.is_some_and(|order| order != SEQ_CST)
                    || orders.any(|&order| consteval::eval(self.tree, order) != sc)
            })
        };
        self.calls_in(all).any(weaker)
    }
}
