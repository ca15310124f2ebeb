//! Expressions and calls in an iteration that may only wait.

use cfront::span::{ExprId, FunctionId, Id, StmtId};
use cfront::tree::{BinaryOp, ExprKind, Resolved, Storage};
use cfront::types::Class;

use super::walk::Walk;
use super::Turn;
use crate::collect::lock_polls;
use crate::library::{self, Lock};

impl Walk<'_> {
    /// Whether an expression has no effect but writes to the function's own variables.
    pub fn expr(&mut self, id: ExprId) -> bool {
        let tree = self.program.tree;
        let expr = &tree.exprs[id];
        if expr.unevaluated {
            return true;
        }
        if self.is_conditional(id) {
            self.always = false;
        }
        let own = match expr.kind.clone() {
            ExprKind::Assign { op, lhs, .. } => self.write(lhs, op.is_none()),
            ExprKind::IncDec { operand, .. } => self.write(operand, false),
            ExprKind::Call { callee, args, .. } => self.call(id, callee, &args),
            ExprKind::StmtExpr(s) => return self.block(s),
            ExprKind::VaArg(_) => false,
            _ => true,
        };
        own && tree.children(id).into_iter().all(|e| self.expr(e))
    }

    /// Whether some operands of an expression are not always evaluated.
    fn is_conditional(&self, id: ExprId) -> bool {
        matches!(
            self.program.tree.exprs[id].kind,
            ExprKind::Conditional { .. } | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
        )
    }

    /// Whether a statement expression is free of effects. Markers of effects cannot be inserted into it.
    fn block(&mut self, s: StmtId) -> bool {
        let always = std::mem::take(&mut self.always);
        let before = self.found.effects.len() + self.found.callee_effects.len();
        let clean = self.stmt(s, 0, false) == Some(true);
        self.always = always;
        clean && before == self.found.effects.len() + self.found.callee_effects.len()
    }

    /// Notes a write to a variable. A variable from outside the loop may only be assigned as a whole: an update
    /// would never keep its value.
    fn write(&mut self, lhs: ExprId, plain: bool) -> bool {
        let tree = self.program.tree;
        let (Some(object), false) = tree.root(lhs) else {
            return false;
        };
        let o = &tree.objects[object];
        let local = matches!(o.storage, Storage::Local | Storage::Parameter);
        if !local || o.thread_local {
            return false;
        }
        if self.rewrites(object.index()) {
            return true;
        }
        if self.program.irrelevant.is_irrelevant(object) {
            self.found.irrelevant.push(object.index());
            return true;
        }
        let whole = matches!(tree.exprs[lhs].kind, ExprKind::Ident(_));
        let scalar = matches!(tree.types.class(o.ty), Class::Scalar | Class::Pointer);
        self.decides = false;
        self.found.locals.push(object.index());
        plain && scalar && whole
    }

    fn call(&mut self, id: ExprId, callee: ExprId, args: &[ExprId]) -> bool {
        let tree = self.program.tree;
        let (name, body) = match &tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => (
                tree.functions[*f].name.as_str(),
                tree.functions[*f].body.as_ref().map(|b| (*f, b.block)),
            ),
            ExprKind::Ident(Resolved::Unknown(name)) => (name.as_str(), None),
            _ => return false,
        };
        if let Some((function, block)) = body {
            return self.reader(function, block);
        }
        let lock = library::lock(name);
        if lock == Some(Lock::WaitsForTime) {
            return self.timed_wait(id, args);
        }
        if library::no_effect(name) || lock == Some(Lock::Looks) {
            return match name {
                "clock_gettime" | "timespec_get" => self.addressed(args),
                _ if name.starts_with("__atomic") => self.addressed(args.get(1..).unwrap_or(&[])),
                _ => true,
            };
        }
        let tries = lock == Some(Lock::Tries) || crate::library::atomics::changes(name);
        self.decides &= !tries;
        let rest = args.get(1..).unwrap_or(&[]);
        tries && (lock == Some(Lock::Tries) || self.addressed(rest))
    }

    /// A timed wait for a condition variable with a mutex that this iteration took, or with one that is held at
    /// the head of the loop: then rounds begin within the wait.
    fn timed_wait(&mut self, id: ExprId, args: &[ExprId]) -> bool {
        let tree = self.program.tree;
        let [condition, mutex, ..] = *args else {
            return false;
        };
        self.decides = false;
        let known = lock_polls::stable(tree, mutex, &mut self.keys)
            && lock_polls::stable(tree, condition, &mut self.keys);
        match self.locks.taken.last() {
            Some(&last) => {
                self.found.polls = true;
                known && lock_polls::same(tree, last, mutex)
            }
            None if known && self.may_turn() => {
                self.turns(Turn::Waiting(crate::facts::range(tree.exprs[id].span)));
                true
            }
            None => false,
        }
    }

    /// Notes variables whose addresses are passed to a function that may write them.
    fn addressed(&mut self, args: &[ExprId]) -> bool {
        let tree = self.program.tree;
        args.iter().all(|&a| match tree.exprs[a].kind {
            ExprKind::AddressOf(e) => self.write(e, true) || tree.root(e).0.is_none(),
            _ => true,
        })
    }

    /// Whether some path through a function only reads.
    fn reader(&mut self, function: FunctionId, block: StmtId) -> bool {
        let Some(&index) = self.program.functions.get(&function) else {
            return false;
        };
        if self.visiting.contains(&function) {
            return false;
        }
        self.visiting.push(function);
        let mut inner = Walk::new(self.program);
        inner.visiting.clone_from(&self.visiting);
        inner.called = true;
        inner.fuel = self.fuel;
        if let Some(body) = &self.program.tree.functions[function].body {
            inner
                .found
                .inner
                .extend(body.params.iter().map(|p| p.index()));
        }
        let reads = inner.body(block, 1).is_some();
        self.visiting.pop();
        self.fuel = inner.fuel;
        self.decides &= inner.decides;
        let Some(found) = inner.finished().filter(|f| reads && f.turn.is_none()) else {
            return false;
        };
        self.found.calls.push(index);
        self.found.calls.extend(found.calls);
        self.found.inner.extend(found.inner);
        self.found.irrelevant.extend(found.irrelevant);
        self.found.labels.extend(found.labels);
        self.found.callee_effects.extend(found.callee_effects);
        self.found.polls |= found.polls;
        found.locals.is_empty()
    }
}
