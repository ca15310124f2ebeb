//! Atomic operations of the compiler as calls of the model.

use cfront::tree::ExprKind;
use cfront::{consteval, ExprId, Span};

use crate::facts::Facts;
use crate::library::name_of;

/// Sequentially consistent, as a number.
pub(super) const SEQ_CST: &str = "5";

/// Release, as a number.
pub(super) const RELEASE: &str = "3";

/// A fence that is sequentially consistent, as a statement.
pub(super) const FENCE: &str = "__VERIFIER_atomic_memmodel_fence(5); ";

/// What an operation does with the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Reads it; where the value goes: the result, or where an argument points to.
    Load { indirect: bool },
    /// Writes a value, or one that an argument points to.
    Store { indirect: bool },
    /// Writes zero.
    Clear,
    /// Writes one, and gives what was there as a truth value.
    TestAndSet,
    /// Writes a value, and gives what was there.
    Exchange { indirect: bool },
    /// Writes a value if the object has the expected one, to which an argument points.
    Compare { indirect: bool },
    /// The same with the expected value itself; the result is whether it was there, or what was.
    CompareValue { truth: bool },
    /// Computes, and gives the value before or after.
    Compute { operation: char, after: bool },
}

impl Kind {
    /// Whether it writes, if only sometimes.
    pub(super) fn writes(self) -> bool {
        !matches!(self, Kind::Load { .. })
    }

    /// Whether it may read a store behind which another one stands that has read and written in one step. What writes in any case
    /// reads the last of such a row.
    pub(super) fn reads(self) -> bool {
        match self {
            Kind::Load { .. } | Kind::Compare { .. } | Kind::CompareValue { .. } => true,
            Kind::Store { .. } | Kind::Clear | Kind::TestAndSet => false,
            Kind::Exchange { .. } | Kind::Compute { .. } => false,
        }
    }
}

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

/// An atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Operation {
    pub kind: Kind,
    /// The number of arguments in front of the orders.
    pub arguments: usize,
    /// The order, if no argument says it.
    pub order: Option<&'static str>,
}

impl Operation {
    /// Whether a call of it is known to be weaker than sequentially consistent.
    pub(super) fn is_weak(self, facts: &Facts, call: ExprId) -> bool {
        match (self.order, &facts.tree.exprs[call].kind) {
            (Some(order), _) => order != SEQ_CST,
            (None, ExprKind::Call { args, .. }) => {
                let wanted = match self.kind {
                    Kind::Compare { .. } => 2,
                    _ => 1,
                };
                let orders = args.get(self.arguments..).unwrap_or_default();
                orders.len() >= wanted && orders.iter().all(|&order| is_weak(facts, order))
            }
            _ => false,
        }
    }
}

/// Whether an argument is an order that is known to be weaker than sequentially consistent.
pub(super) fn is_weak(facts: &Facts, order: ExprId) -> bool {
    let order = consteval::eval(facts.tree, order);
    order.is_some_and(|order| (0..5).contains(&order))
}

/// The operation of this name.
pub(super) fn operation(name: &str) -> Option<Operation> {
    let made = |kind, arguments| {
        Some(Operation {
            kind,
            arguments,
            order: None,
        })
    };
    let fixed = |kind, arguments, order| {
        Some(Operation {
            kind,
            arguments,
            order: Some(order),
        })
    };
    match name {
        "__atomic_load_n" => made(Kind::Load { indirect: false }, 1),
        "__atomic_load" => made(Kind::Load { indirect: true }, 2),
        "__atomic_store_n" => made(Kind::Store { indirect: false }, 2),
        "__atomic_store" => made(Kind::Store { indirect: true }, 2),
        "__atomic_clear" => made(Kind::Clear, 1),
        "__atomic_test_and_set" => made(Kind::TestAndSet, 1),
        "__atomic_exchange_n" => made(Kind::Exchange { indirect: false }, 2),
        "__atomic_exchange" => made(Kind::Exchange { indirect: true }, 3),
        "__atomic_compare_exchange_n" => made(Kind::Compare { indirect: false }, 4),
        "__atomic_compare_exchange" => made(Kind::Compare { indirect: true }, 4),
        // "not a full barrier, but rather a release" and "an acquire barrier" (GCC, Legacy __sync Built-in Functions).
        "__sync_lock_release" => fixed(Kind::Clear, 1, "3"),
        "__sync_lock_test_and_set" => fixed(Kind::Exchange { indirect: false }, 2, "2"),
        "__sync_bool_compare_and_swap" => fixed(Kind::CompareValue { truth: true }, 3, SEQ_CST),
        "__sync_val_compare_and_swap" => fixed(Kind::CompareValue { truth: false }, 3, SEQ_CST),
        _ => computing(name),
    }
}

fn computing(name: &str) -> Option<Operation> {
    let (word, after, order) = match name.strip_prefix("__sync_") {
        Some(rest) => match rest.strip_prefix("fetch_and_") {
            Some(word) => (word, false, Some(SEQ_CST)),
            None => (rest.strip_suffix("_and_fetch")?, true, Some(SEQ_CST)),
        },
        None => {
            let rest = name.strip_prefix("__atomic_")?;
            match rest.strip_prefix("fetch_") {
                Some(word) => (word, false, None),
                None => (rest.strip_suffix("_fetch")?, true, None),
            }
        }
    };
    let operation = match word {
        "add" => '+',
        "sub" => '-',
        "and" => '&',
        "or" => '|',
        "xor" => '^',
        "nand" => '~',
        _ => return None,
    };
    Some(Operation {
        kind: Kind::Compute { operation, after },
        arguments: 2,
        order,
    })
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
