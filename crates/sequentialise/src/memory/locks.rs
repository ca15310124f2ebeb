//! What calls of locks and the like order in the model of C11.

use std::collections::BTreeSet;

use cfront::library::plain_name;
use cfront::tree::ExprKind;
use cfront::Span;

use crate::facts::Facts;
use crate::library::{name_of, Call, Role};

/// What a call orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// Nothing.
    None,
    /// If it succeeds, the thread has seen what those have who gave the object back.
    Takes,
    /// The same of a read-write lock that the thread has alone.
    TakesAlone,
    /// Who takes the object later has seen what the thread has.
    Gives,
    /// The same of a read-write lock.
    GivesEither,
}

/// What a call of the library orders; `None` if that is not followed.
pub(super) fn order(name: &str, role: Role) -> Option<Order> {
    Some(match (role, plain_name(name)) {
        (Role::Takes | Role::Tries, _) => Order::Takes,
        (Role::Gives, _) => Order::Gives,
        (Role::Signals | Role::Broadcasts | Role::InPlace | Role::MakesKinds, _) => Order::None,
        (_, n) if n.ends_with("_init") || n.starts_with("pthread_mutexattr_") => Order::None,
        (_, "sem_wait" | "sem_trywait" | "sem_timedwait" | "sem_clockwait") => Order::Takes,
        (_, "sem_post") => Order::Gives,
        (_, n) if n.starts_with("pthread_rwlock_") && n.ends_with("rdlock") => Order::Takes,
        (_, n) if n.starts_with("pthread_rwlock_") && n.ends_with("wrlock") => Order::TakesAlone,
        (_, "pthread_rwlock_unlock") => Order::GivesEither,
        _ => return None,
    })
}

/// The most locks that the model remembers.
const MOST: usize = 8;

/// The locks of one argument that may name several.
const SEVERAL: usize = 4;

/// How many locks the model has to remember: by the arguments of calls.
pub(super) fn most(facts: &Facts, all: Span) -> usize {
    let tree = facts.tree;
    let mut known: BTreeSet<(usize, &str)> = BTreeSet::new();
    for call in facts.calls_in(all) {
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            continue;
        };
        let name = name_of(tree, call).unwrap_or_default();
        let (place, each) = match facts.library(call) {
            Some(Call::CondWait(_)) => (1, 1),
            Some(Call::Barrier | Call::Once) => (0, 1),
            Some(Call::Model(model)) => match order(name, model.role) {
                Some(Order::None) | None => continue,
                Some(Order::TakesAlone | Order::GivesEither) => (0, 2),
                Some(Order::Takes | Order::Gives) => (0, 1),
            },
            _ => continue,
        };
        let Some(&argument) = args.get(place) else {
            continue;
        };
        let text = facts.unit.text_of(tree.exprs[argument].span).trim();
        let one = matches!(tree.exprs[tree.uncast(argument)].kind, ExprKind::AddressOf(of) if matches!(tree.exprs[of].kind, ExprKind::Ident(_)));
        known.insert((if one { each } else { SEVERAL }, text));
    }
    known.iter().map(|(n, _)| n).sum::<usize>().clamp(1, MOST)
}
