//! The atomic operations of GCC, `__atomic_…` and `__sync_…` (GCC, *Built-in Functions for Memory Model Aware Atomic Operations* and *Legacy
//! `__sync` Built-in Functions*), to which the macros of `<stdatomic.h>` come.

mod plain;

pub use plain::of_one_thread;

/// Sequentially consistent, as a number.
pub const SEQ_CST: &str = "5";

/// What an operation does with the object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Reads it; where the value goes: the result, or where an argument points to.
    Load {
        /// Where an argument points to.
        indirect: bool,
    },
    /// Writes a value, or one that an argument points to.
    Store {
        /// What an argument points to.
        indirect: bool,
    },
    /// Writes zero.
    Clear,
    /// Writes one, and gives what was there as a truth value.
    TestAndSet,
    /// Writes a value, and gives what was there.
    Exchange {
        /// Both go through pointers.
        indirect: bool,
    },
    /// Writes a value if the object has the expected one, to which an argument points.
    Compare {
        /// The new value is what an argument points to.
        indirect: bool,
    },
    /// The same with the expected value itself; the result is whether it was there, or what was.
    CompareValue {
        /// Whether it was there.
        truth: bool,
    },
    /// Computes, and gives the value before or after.
    Compute {
        /// The operator; `~` stands for `nand`.
        operation: char,
        /// The value after it.
        after: bool,
    },
}

impl Kind {
    /// Whether it writes, if only sometimes.
    pub fn writes(self) -> bool {
        !matches!(self, Kind::Load { .. })
    }

    /// Whether it may read a store behind which another one stands that has read and written in one step. What writes in any case
    /// reads the last of such a row.
    pub fn reads(self) -> bool {
        match self {
            Kind::Load { .. } | Kind::Compare { .. } | Kind::CompareValue { .. } => true,
            Kind::Store { .. } | Kind::Clear | Kind::TestAndSet => false,
            Kind::Exchange { .. } | Kind::Compute { .. } => false,
        }
    }
}

/// An atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// The number of arguments in front of the orders.
    pub arguments: usize,
    /// The order, if no argument says it.
    pub order: Option<&'static str>,
}

/// The operation of this name.
pub fn operation(name: &str) -> Option<Operation> {
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
