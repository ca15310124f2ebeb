//! Constraints of the compiler's atomic operations. They copy values between the atomic object, the objects that further
//! arguments point to, and the result, and keep no pointer: the local that `atomic_load` of a header reads into stays a
//! local of its thread.

use super::{Builder, Node};
use crate::span::ExprId;

/// What an argument of an operation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A value for the atomic object.
    Value,
    /// A pointer to a value for the atomic object.
    Given,
    /// A pointer to where the object's value is written.
    Taken,
}

/// The arguments behind the pointer to the atomic object that matter, by their places.
fn roles(name: &str) -> Option<&'static [(usize, Role)]> {
    use Role::{Given, Taken, Value};
    Some(match name {
        "__atomic_load_n" | "__sync_lock_release" => &[],
        "__atomic_load" => &[(1, Taken)],
        "__atomic_store" => &[(1, Given)],
        "__atomic_exchange" => &[(1, Given), (2, Taken)],
        "__atomic_compare_exchange" => &[(1, Taken), (2, Given)],
        "__atomic_compare_exchange_n" => &[(1, Taken), (2, Value)],
        "__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap" => &[(2, Value)],
        "__atomic_store_n" | "__atomic_exchange_n" | "__sync_lock_test_and_set" => &[(1, Value)],
        _ if name.starts_with("__atomic_fetch_")
            || name.starts_with("__sync_fetch_and_")
            || name.starts_with("__atomic_") && name.ends_with("_fetch")
            || name.starts_with("__sync_") && name.ends_with("_and_fetch") =>
        {
            &[(1, Value)]
        }
        _ => return None,
    })
}

impl Builder<'_> {
    /// Handles a call of an atomic operation; returns whether it is one with its arguments.
    pub(super) fn atomic_call(&mut self, id: ExprId, name: &str, args: &[Node]) -> bool {
        let (Some(roles), Some(&object)) = (roles(name), args.first()) else {
            return false;
        };
        if roles.iter().any(|(at, _)| *at >= args.len()) {
            return false;
        }
        let held = self.graph.node();
        self.graph.load(object, held);
        let result = self.call_result(id);
        self.graph.copy(held, result);
        for &(at, role) in roles {
            let arg = args[at];
            match role {
                Role::Value => {
                    self.graph.store(arg, object);
                    // Sums and differences point into the same objects.
                    self.graph.copy(arg, result);
                }
                Role::Given => {
                    let given = self.graph.node();
                    self.graph.load(arg, given);
                    self.graph.store(given, object);
                }
                Role::Taken => self.graph.store(held, arg),
            }
        }
        true
    }
}
