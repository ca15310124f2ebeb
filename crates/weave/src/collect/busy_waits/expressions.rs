//! Expressions and calls in an iteration that may only wait.

use cfront::span::{ExprId, FunctionId, Id, StmtId};
use cfront::tree::{BinaryOp, ExprKind, Resolved, Storage};
use cfront::types::Class;

use super::walk::Walk;
use super::Turn;
use crate::collect::lock_polls;

/// Library functions that change nothing, beside those that the model gives no meaning.
const READERS: [&str; 12] = [
    "__atomic_load_n",
    "__atomic_load",
    "__atomic_thread_fence",
    "__atomic_signal_fence",
    "__sync_synchronize",
    "__builtin_expect",
    "__builtin_ia32_pause",
    "pthread_self",
    "pthread_equal",
    "thrd_current",
    "clock_gettime",
    "timespec_get",
];

/// Functions that tell, by the model's counter of effects, whether they changed something.
const TRIES: [&str; 13] = [
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_mutex_clocklock",
    "mtx_trylock",
    "mtx_timedlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_spin_trylock",
    "sem_trywait",
    "sem_timedwait",
    "thrd_equal",
];

/// Waits for a condition that end after some time: the mutex is given back and taken again. The
/// model's counter of effects tells whether one took a signal.
const TIMED_WAITS: [&str; 3] = [
    "pthread_cond_timedwait",
    "pthread_cond_clockwait",
    "cnd_timedwait",
];

impl Walk<'_> {
    /// Whether an expression has no effect but writes to variables of the function's own.
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

    /// Whether parts of an expression are not always evaluated.
    fn is_conditional(&self, id: ExprId) -> bool {
        matches!(
            self.program.tree.exprs[id].kind,
            ExprKind::Conditional { .. } | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
        )
    }

    /// A block that is an expression: no text that marks effects is put into it.
    fn block(&mut self, s: StmtId) -> bool {
        let always = std::mem::take(&mut self.always);
        let before = self.found.effects.len() + self.found.far_effects.len();
        let clean = self.stmt(s, 0, false) == Some(true);
        self.always = always;
        clean && before == self.found.effects.len() + self.found.far_effects.len()
    }

    /// A write of a variable: one from outside has to be a plain one, else it never stays the same.
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
        if self.program.idle.is_idle(object) {
            self.found.idle.push(object.index());
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
        if TIMED_WAITS.contains(&name) {
            return self.timed_wait(id, args);
        }
        let silent = crate::library::effects::SILENT
            .iter()
            .any(|(n, _)| *n == name);
        if silent || READERS.contains(&name) || crate::library::effects::IDLE.contains(&name) {
            return match name {
                "clock_gettime" | "timespec_get" => self.addressed(args),
                _ if name.starts_with("__atomic") => self.addressed(args.get(1..).unwrap_or(&[])),
                _ => true,
            };
        }
        let tries = TRIES.contains(&name) || crate::library::atomics::changes(name);
        self.decides &= !tries;
        let rest = args.get(1..).unwrap_or(&[]);
        tries && (TRIES.contains(&name) || self.addressed(rest))
    }

    /// A wait for a condition with a mutex that this iteration took; or that is held at the head of
    /// the loop: then rounds begin within the wait.
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

    /// Variables whose addresses are handed to a function that may write them.
    fn addressed(&mut self, args: &[ExprId]) -> bool {
        let tree = self.program.tree;
        args.iter().all(|&a| match tree.exprs[a].kind {
            ExprKind::AddressOf(e) => self.write(e, true) || tree.root(e).0.is_none(),
            _ => true,
        })
    }

    /// Whether some way through a function only reads.
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
        self.found.idle.extend(found.idle);
        self.found.labels.extend(found.labels);
        self.found.far_effects.extend(found.far_effects);
        self.found.polls |= found.polls;
        found.locals.is_empty()
    }
}
