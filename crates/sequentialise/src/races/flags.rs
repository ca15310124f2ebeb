//! Variables that programs use as locks: 0 means free, and a thread takes the lock by a step that finds 0
//! and leaves another value.
//!
//! A variable is a lock if it is 0 at first and every write of it is of one of two kinds: a step that no
//! other thread interrupts and that writes a constant other than 0 where it has found 0 (an atomic
//! section with an assumption or a condition, a compare and swap, a test and set), or a write of 0 by
//! a thread that has taken the lock on all paths and not released it since. Then at most one thread is
//! between the two at a time: as long as one is, the variable is not 0. The analysis begins with all
//! variables that may be locks, and drops each one of which it finds another write.

use std::collections::BTreeSet;

use cfront::access::address_taken;
use cfront::span::ObjectId;
use cfront::tree::{ExprKind, InitKind, Parent, Resolved};
use cfront::{consteval, ExprId};

use super::names::library_name;
use super::run::Run;
use super::state::{Lock, State};
use crate::facts::Facts;

/// The variables that may be locks: static integers that are 0 at first and whose address only atomic
/// operations get.
pub(super) fn candidates(facts: &Facts) -> BTreeSet<ObjectId> {
    let tree = facts.tree;
    let addresses = address_taken(tree);
    let objects = tree.objects.iter().filter(|(id, object)| {
        let zero = match object.init.map(|init| &tree.inits[init].kind) {
            None => true,
            Some(InitKind::Expr(e)) => consteval::eval(tree, *e) == Some(0),
            Some(InitKind::List(_)) => false,
        };
        let uses = addresses.get(id).map(Vec::as_slice).unwrap_or_default();
        let once = object.is_static_duration() && !object.thread_local && object.defined;
        once && zero
            && tree.types.is_integer(object.ty)
            && uses.iter().all(|&ident| is_operand(facts, ident))
            && !tree
                .assembler_words
                .iter()
                .any(|(word, _)| *word == object.name)
    });
    objects.map(|(id, _)| id).collect()
}

/// Whether the address of an identifier is the first operand of an atomic operation.
fn is_operand(facts: &Facts, ident: ExprId) -> bool {
    let tree = facts.tree;
    let mut at = ident;
    while let Parent::Expr(parent) = tree.exprs[at].parent {
        match &tree.exprs[parent].kind {
            ExprKind::AddressOf(_) | ExprKind::Cast(_) => at = parent,
            ExprKind::Call { args, .. } => {
                let name = library_name(facts, parent);
                let atomic =
                    name.is_some_and(|n| n.starts_with("__atomic_") || n.starts_with("__sync_"));
                return atomic && args.first() == Some(&at);
            }
            _ => return false,
        }
    }
    false
}

/// What an atomic operation does to a variable that may be a lock.
enum Operation {
    /// It changes nothing.
    Reads,
    /// It takes the lock if its result says so: 0, or not 0.
    Takes { if_zero: bool },
    /// It writes 0.
    Gives,
    /// Anything else.
    Other,
}

impl Run<'_, '_> {
    /// The variable that may be a lock, if an expression names one.
    fn flag(&self, e: ExprId) -> Option<ObjectId> {
        match self.facts.tree.exprs[self.facts.tree.uncast(e)].kind {
            ExprKind::Ident(Resolved::Object(o)) => Some(o).filter(|o| self.flags.contains(o)),
            _ => None,
        }
    }

    /// The variable whose address is the first operand of an atomic operation.
    fn operand(&self, args: &[ExprId]) -> Option<ObjectId> {
        let tree = self.facts.tree;
        match tree.exprs[tree.uncast(*args.first()?)].kind {
            ExprKind::AddressOf(of) => self.flag(of),
            _ => None,
        }
    }

    /// A plain write of a variable; `value` is what is assigned, if that is all that happens.
    pub(super) fn flag_written(
        &mut self,
        lvalue: ExprId,
        value: Option<ExprId>,
        state: &mut State,
    ) {
        let Some(flag) = self.flag(lvalue) else {
            return;
        };
        let found_zero = state.zero.remove(&flag) && state.held.contains_key(&Lock::Atomic);
        let value = value.and_then(|e| consteval::eval(self.facts.tree, e));
        match value {
            Some(0) => self.flag_given(flag, state),
            Some(_) if found_zero => {
                state.held.insert(Lock::Flag(flag), true);
            }
            _ => self.no_flag(flag),
        }
    }

    /// A variable becomes 0.
    fn flag_given(&mut self, flag: ObjectId, state: &mut State) {
        state.forget_tries();
        let held = state.held.remove(&Lock::Flag(flag)).is_some();
        // Before there are other threads, nobody else has the lock.
        let alone = self.now == 0 && state.live.is_empty();
        if !held && !alone {
            self.no_flag(flag);
        }
    }

    /// The variable is no lock.
    fn no_flag(&mut self, flag: ObjectId) {
        self.changed |= self.flags.remove(&flag);
    }

    /// A condition has found the variable to be 0; that stays so until the end of the atomic section.
    pub(super) fn flag_is_zero(&self, e: ExprId, state: &mut State) {
        if let Some(flag) = self
            .flag(e)
            .filter(|_| state.held.contains_key(&Lock::Atomic))
        {
            state.zero.insert(flag);
        }
    }

    /// An atomic operation of the compiler on a variable that may be a lock.
    pub(super) fn flag_operation(&mut self, name: &str, args: &[ExprId], state: &mut State) {
        let Some(flag) = self.operand(args) else {
            return;
        };
        state.zero.remove(&flag);
        match self.operation(name, args) {
            Operation::Reads | Operation::Takes { .. } => {}
            Operation::Gives => self.flag_given(flag, state),
            Operation::Other => self.no_flag(flag),
        }
    }

    /// The lock that an atomic operation takes if its result is 0, or if it is not 0.
    pub(super) fn flag_tried(&self, call: ExprId) -> Option<(Lock, bool)> {
        let ExprKind::Call { args, .. } = &self.facts.tree.exprs[call].kind else {
            return None;
        };
        let name = library_name(self.facts, call)?;
        let flag = self.operand(args)?;
        match self.operation(cfront::library::plain_name(name), args) {
            Operation::Takes { if_zero } => Some((Lock::Flag(flag), if_zero)),
            _ => None,
        }
    }

    fn operation(&self, name: &str, args: &[ExprId]) -> Operation {
        let number = |index: usize| {
            let value = args
                .get(index)
                .map(|&e| consteval::eval(self.facts.tree, e));
            value.flatten()
        };
        let sets = |index: usize| number(index).is_some_and(|n| n != 0);
        // C11's orders as numbers: 2 acquire, 3 release, 4 both, 5 sequentially consistent.
        let acquires = |index: usize| matches!(number(index), Some(2 | 4 | 5));
        let releases = |index: usize| matches!(number(index), Some(3..=5));
        match name {
            "__atomic_load_n" | "__atomic_load" => Operation::Reads,
            "__sync_bool_compare_and_swap" if number(1) == Some(0) && sets(2) => {
                Operation::Takes { if_zero: false }
            }
            "__sync_val_compare_and_swap" if number(1) == Some(0) && sets(2) => {
                Operation::Takes { if_zero: true }
            }
            "__sync_lock_test_and_set" if sets(1) => Operation::Takes { if_zero: true },
            "__atomic_test_and_set" if acquires(1) => Operation::Takes { if_zero: true },
            "__atomic_exchange_n" if sets(1) && acquires(2) => Operation::Takes { if_zero: true },
            "__sync_lock_release" => Operation::Gives,
            "__atomic_clear" if releases(1) => Operation::Gives,
            "__atomic_store_n" if number(1) == Some(0) && releases(2) => Operation::Gives,
            _ => Operation::Other,
        }
    }
}
