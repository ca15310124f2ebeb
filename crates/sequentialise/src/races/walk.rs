//! Evaluates expressions on what is known: collects the accesses of shared memory, and follows locks,
//! starts of threads and known values.

use std::collections::BTreeSet;

use cfront::span::ObjectId;
use cfront::tree::{BinaryOp, ExprKind, Resolved, UnaryOp};
use cfront::types::Type;
use cfront::ExprId;

use super::names::{library_name, tries};
use super::parts::{Path, Step};
use super::paths::{base_pointer, converted, is_automatic, suffix, Places};
use super::run::Run;
use super::site::{Around, Part, Site};
use super::state::{Lock, State, Value};

/// Where an evaluation stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The value is read.
    Value,
    /// Only the place is determined.
    Place,
}

impl Run<'_, '_> {
    /// Evaluates an expression and reads its value. Statement expressions are points of their own.
    pub(super) fn evaluate(&mut self, e: ExprId, state: &mut State) {
        self.eval(e, Mode::Value, state);
    }

    fn eval(&mut self, e: ExprId, mode: Mode, state: &mut State) {
        let tree = self.facts.tree;
        let expr = &tree.exprs[e];
        if expr.unevaluated {
            return;
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                self.place(e, state);
                if mode == Mode::Value {
                    self.value_read(e, state);
                    self.access(e, false, state);
                }
            }
            ExprKind::AddressOf(of) => self.eval(*of, Mode::Place, state),
            ExprKind::Assign { lhs, rhs, op, .. } => {
                self.eval(*lhs, Mode::Place, state);
                self.eval(*rhs, Mode::Value, state);
                self.access(*lhs, true, state);
                self.assigned(*lhs, op.is_none().then_some(*rhs), state);
            }
            ExprKind::IncDec { operand, .. } => {
                self.eval(*operand, Mode::Place, state);
                self.access(*operand, true, state);
                self.assigned(*operand, None, state);
            }
            ExprKind::Call { callee, args, .. } => {
                if cfront::calls::named_function(tree, *callee).is_none() {
                    self.eval(*callee, Mode::Value, state);
                }
                for &arg in args {
                    self.eval(arg, Mode::Value, state);
                }
                self.call(e, args, state);
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.eval(*a, Mode::Value, state);
                let truth = matches!(expr.kind, ExprKind::Binary(BinaryOp::And, ..));
                let mut other = state.clone();
                self.refine(*a, truth, &mut other);
                self.refine(*a, !truth, state);
                self.eval(*b, Mode::Value, &mut other);
                state.join(&other);
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                self.eval(*cond, Mode::Value, state);
                let mut other = state.clone();
                self.refine(*cond, true, state);
                self.refine(*cond, false, &mut other);
                if let Some(then) = then {
                    self.eval(*then, mode, state);
                }
                self.eval(*otherwise, mode, &mut other);
                state.join(&other);
            }
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) | ExprKind::StmtExpr(_) => {}
            ExprKind::Generic { .. } => {
                let arms = tree.selected(e).map(|arm| vec![arm]);
                for arm in arms.unwrap_or_else(|| tree.selectable(e)) {
                    self.eval(arm, mode, state);
                }
            }
            ExprKind::CompoundLiteral(init) => {
                let mut all = Vec::new();
                tree.init_exprs(*init, &mut all);
                for e in all {
                    self.eval(e, Mode::Value, state);
                }
            }
            _ => {
                for child in tree.children(e) {
                    self.eval(child, Mode::Value, state);
                }
            }
        }
    }

    /// Determines which object an lvalue designates.
    fn place(&mut self, e: ExprId, state: &mut State) {
        let tree = self.facts.tree;
        let is_array = |e: ExprId| matches!(tree.type_of(tree.exprs[e].ty), Type::Array(..));
        let of_base = |e: ExprId| {
            if is_array(e) {
                Mode::Place
            } else {
                Mode::Value
            }
        };
        match &tree.exprs[e].kind {
            ExprKind::Member { base, arrow, .. } => {
                let mode = if *arrow { of_base(*base) } else { Mode::Place };
                self.eval(*base, mode, state);
            }
            ExprKind::Index { base, index } => {
                self.eval(*base, of_base(*base), state);
                self.eval(*index, of_base(*index), state);
            }
            ExprKind::Deref(pointer) => self.eval(*pointer, of_base(*pointer), state),
            _ => {}
        }
    }

    /// Records an access of an lvalue.
    pub(super) fn access(&mut self, lvalue: ExprId, writes: bool, state: &State) {
        let tree = self.facts.tree;
        let ty = tree.exprs[lvalue].ty;
        if matches!(tree.type_of(ty), Type::Array(..) | Type::Function(_)) {
            return;
        }
        if self.is_fresh(lvalue, state) {
            return;
        }
        let Some(touched) = crate::accesses::touched(self.facts, lvalue) else {
            return;
        };
        let places = Places {
            facts: self.facts,
            state,
        };
        let direct = match tree.root(lvalue) {
            (Some(object), false) => is_automatic(self.facts, object),
            _ => false,
        };
        let site = Site {
            expr: lvalue,
            writes,
            atomic: ty.quals.is_atomic,
            part: Part::Lvalue,
        };
        let path = places.located(lvalue).map(|(path, _)| path);
        let under = self.under(lvalue, state);
        let indexed = match &path {
            Some(path) => self.indexed(lvalue, path, state),
            None => BTreeSet::new(),
        };
        self.record(
            (site, path, suffix(self.facts, lvalue)),
            touched,
            Around {
                own: direct,
                under,
                indexed,
            },
            state,
        );
    }

    /// The locks that stand beside what an lvalue designates, in the same object, by their steps.
    fn under(&self, lvalue: ExprId, state: &State) -> BTreeSet<Vec<Step>> {
        let Some(of) = base_pointer(self.facts.tree, lvalue) else {
            return BTreeSet::new();
        };
        let locks = state.held.iter().filter_map(|(lock, alone)| match lock {
            Lock::Beside(object, steps) if *object == of && *alone => Some(steps.clone()),
            _ => None,
        });
        locks.collect()
    }

    /// The arrays of locks of which the thread holds the one with the index of the accessed element.
    fn indexed(&self, lvalue: ExprId, path: &Path, state: &State) -> BTreeSet<Path> {
        let variable = path.steps.iter().filter(|step| step.varies()).count();
        let index = (variable == 1)
            .then(|| self.index_variable(lvalue))
            .flatten();
        let locks = state.held.iter().filter_map(|(lock, alone)| match lock {
            Lock::Indexed(array, of) if Some(*of) == index && *alone => Some(array.clone()),
            _ => None,
        });
        locks.collect()
    }

    /// The local variable that is the index of an lvalue, if there is only one index that is not constant.
    pub(super) fn index_variable(&self, lvalue: ExprId) -> Option<ObjectId> {
        let tree = self.facts.tree;
        let (mut at, mut found) = (lvalue, None);
        loop {
            match &tree.exprs[at].kind {
                ExprKind::Member {
                    base, arrow: false, ..
                } => at = *base,
                ExprKind::Index { base, index } => {
                    if cfront::consteval::eval(tree, *index).is_none() {
                        let ExprKind::Ident(Resolved::Object(o)) =
                            tree.exprs[tree.uncast(*index)].kind
                        else {
                            return None;
                        };
                        let own =
                            is_automatic(self.facts, o) && !self.facts.address_taken.contains(&o);
                        if !own || found.replace(o).is_some() {
                            return None;
                        }
                    }
                    at = *base;
                }
                _ => return found,
            }
        }
    }

    /// The value of a local is known, or not known any more.
    pub(super) fn assigned(&mut self, lvalue: ExprId, rhs: Option<ExprId>, state: &mut State) {
        if let ExprKind::Ident(Resolved::Object(object)) = self.facts.tree.exprs[lvalue].kind {
            self.set(object, rhs, state);
            self.flag_written(lvalue, rhs, state);
        }
    }

    /// Sets the value of a local variable.
    pub(super) fn set(&mut self, object: ObjectId, rhs: Option<ExprId>, state: &mut State) {
        let value = rhs.and_then(|rhs| self.value(rhs, state));
        state.forget(object);
        if let Some(rhs) = rhs {
            self.allocated(object, rhs, state);
        }
        let own = is_automatic(self.facts, object) && !self.facts.address_taken.contains(&object);
        let ty = self.facts.tree.objects[object].ty;
        let value = value.and_then(|value| converted(self.facts, value, ty));
        if let Some(value) = value.filter(|_| own) {
            state.known.insert(object, value);
        }
    }

    /// The value of an expression, if it is known.
    pub(super) fn value(&self, e: ExprId, state: &State) -> Option<Value> {
        let tried = self.tried(self.facts.tree.uncast(e), state);
        tried
            .map(|(lock, alone)| Value::Tried(lock, alone))
            .or_else(|| {
                let places = Places {
                    facts: self.facts,
                    state,
                };
                places.value(e)
            })
    }

    /// Adds what follows from the truth of a condition.
    pub(super) fn refine(&self, cond: ExprId, truth: bool, state: &mut State) {
        let tree = self.facts.tree;
        // What another call in the condition has released is not held.
        let calls = self.facts.calls_in(tree.exprs[cond].span);
        let expects =
            |&call: &ExprId| crate::library::name_of(tree, call) != Some("__builtin_expect");
        if calls.filter(expects).count() > 1 {
            return;
        }
        match &tree.exprs[cond].kind {
            ExprKind::Unary(UnaryOp::Not, e) => self.refine(*e, !truth, state),
            ExprKind::Cast(e) => self.refine(*e, truth, state),
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let zero = |e: ExprId| cfront::consteval::eval(tree, e) == Some(0);
                let of = match (zero(*a), zero(*b)) {
                    (false, true) => *a,
                    (true, false) => *b,
                    _ => return,
                };
                self.refine(of, truth == (*op == BinaryOp::Ne), state);
            }
            ExprKind::Binary(BinaryOp::And, a, b) if truth => {
                self.refine(*a, true, state);
                self.refine(*b, true, state);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if !truth => {
                self.refine(*a, false, state);
                self.refine(*b, false, state);
            }
            ExprKind::Call { args, .. }
                if crate::library::name_of(tree, cond) == Some("__builtin_expect") =>
            {
                if let Some(&e) = args.first() {
                    self.refine(e, truth, state);
                }
            }
            _ => {
                if let Some((lock, _)) = self.flag_tried(cond).filter(|(_, zero)| *zero != truth) {
                    state.held.insert(lock, true);
                }
                if let (Some((lock, alone)), false) = (self.tried(cond, state), truth) {
                    state.held.insert(lock, alone);
                }
                if !truth {
                    self.flag_is_zero(cond, state);
                }
            }
        }
    }

    /// The lock that an expression has tried to take, if its value 0 says that it was taken, and
    /// whether it is then held alone.
    fn tried(&self, e: ExprId, state: &State) -> Option<(Lock, bool)> {
        let tree = self.facts.tree;
        match &tree.exprs[e].kind {
            ExprKind::Cast(of) => self.tried(*of, state),
            ExprKind::Assign { op: None, rhs, .. } => self.tried(*rhs, state),
            ExprKind::Ident(Resolved::Object(o)) => match state.known.get(o) {
                Some(Value::Tried(lock, alone)) => Some((lock.clone(), *alone)),
                _ => None,
            },
            ExprKind::Call { args, .. } => {
                let name = library_name(self.facts, e)?;
                let alone = tries(name)?;
                Some((self.lock_at(*args.first()?, state)?, alone))
            }
            _ => None,
        }
    }
}
