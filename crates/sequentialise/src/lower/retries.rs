//! Loops in which only the last iteration has an effect: tries of an exchange, polls under a lock,
//! calls that fail. No other thread can observe a failed iteration, so the thread waits before
//! the loop until an iteration would succeed, and executes only that one.

use std::collections::{BTreeSet, HashMap};

use cfront::access::{usage, Use as Usage};
use cfront::span::ObjectId;
use cfront::tree::{BlockItem, ExprKind, Resolved, StmtKind, Storage};
use cfront::{ExprId, FunctionId, Memory, Span, StmtId};

use super::exprs::enclosed;
use super::loops::Loop;
use super::{bounds, only_reads, Lower};
use crate::code::{Action, Label, Mover, Op, Place, Retry, Try, Use};
use crate::library::{name_of, Call};

/// What may have happened on the paths to a place in an iteration.
#[derive(Clone, Debug, Default)]
struct Past {
    /// Whether something that is live after the iteration may have changed.
    effect: bool,
    /// Mutexes that the iteration has taken and not released.
    held: BTreeSet<Place>,
    /// Variables that it has surely assigned.
    assigned: BTreeSet<ObjectId>,
    /// A variable: the last step had no effect if it is 0.
    guard: Option<String>,
}

impl Past {
    fn or(mut self, other: Past) -> Past {
        self.effect |= other.effect || self.held != other.held || self.guard != other.guard;
        self.assigned.retain(|o| other.assigned.contains(o));
        self
    }

    /// Splits the past at a jump: returns that of the target, and leaves that of the next
    /// operation.
    fn jumps(&mut self, op: &Op, effect: bool) -> Past {
        let mut there = self.clone();
        let tries = op.tries.as_ref();
        there.effect |= effect && tries.is_none_or(|t| t.jumps);
        self.effect |= effect && tries.is_none_or(|t| !t.jumps);
        if let Some((tested, jumps)) = &op.tests {
            if self.guard.as_ref() == Some(tested) {
                (there.guard, self.guard) = (None, None);
                there.effect |= *jumps;
                self.effect |= !*jumps;
            }
        }
        there
    }
}

/// A loop around the iterations.
struct Around {
    span: Span,
    /// Variables that the loop writes, that are live after an iteration, and that the program
    /// reads.
    outer: BTreeSet<ObjectId>,
}

/// A walk through the operations of an iteration.
#[derive(Default)]
struct Walk {
    /// The past; `None` at an unreachable place.
    past: Option<Past>,
    pending: HashMap<Label, Past>,
    /// For each operation, whether it has an effect.
    effects: Vec<bool>,
    /// Whether variables after the loop may differ from their values in its last iteration.
    stale: bool,
}

impl Lower<'_, '_> {
    /// Lowers a loop whose repeated iterations have no effect; returns whether it is one. Lowers
    /// nothing otherwise. Takes the time of lowering one iteration.
    pub(super) fn retries(&mut self, what: &Loop) -> bool {
        let known = what.cond.and_then(|c| self.value_of(c));
        let once = what.body_first && known == Some(0);
        if once || self.options.turns() || self.env.atomic > 0 || !self.may_retry(what) {
            return false;
        }
        if self.retries_as(what) {
            return true;
        }
        let own = |c: ExprId| self.is_pure(c) && !self.is_changed_by_others(c);
        if what.body_first || !what.cond.is_some_and(own) {
            return false;
        }
        // `while (c) body` is `if (c) do body while (c);`. There the condition reads what this
        // iteration has assigned.
        let before = self.before();
        let out = self.label();
        self.leave_if_false(what.cond, out);
        let turned = Loop {
            body_first: true,
            ..*what
        };
        if !self.env.reachable || !self.retries_as(&turned) {
            self.undo(before);
            return false;
        }
        self.place(out, what.span);
        true
    }

    /// Lowers one iteration of a loop; takes it back if it cannot be repeated without effect.
    fn retries_as(&mut self, what: &Loop) -> bool {
        let before = self.before();
        let first = self.out.threads[self.thread as usize].ops.len();
        let (from, end, out) = (self.label(), self.label(), self.label());
        let name = format!("ba_seq_{}_succeeds{}", self.thread, from.0);
        self.push(Action::Label(from), what.span, Vec::new(), Mover::Both);
        let source = self.facts.unit.text_of(what.span);
        let line = source.lines().next().unwrap_or_default().to_string();
        self.spin(format!("{name}()"), line, what.span);
        let outer = self.exits;
        let again = self.label();
        if !what.body_first {
            self.leave_if_false(what.cond, out);
        }
        self.body_and_step(what, again, out);
        self.exits = outer;
        self.push(Action::Label(end), what.span, Vec::new(), Mover::Both);
        let goes = self.env.reachable && self.env.atomic == 0 && self.errors.is_empty();
        if !goes || !self.is_retry(first, end, what.span) {
            self.undo(before);
            return false;
        }
        let retry = Retry {
            name,
            from,
            again: end,
        };
        self.out.threads[self.thread as usize].retries.push(retry);
        self.give_up(what.span);
        self.place(out, what.span);
        true
    }

    /// Whether lowering an iteration can be undone, and the iteration may be without effect: it
    /// must not allocate memory, start threads, or wait for anything but mutexes.
    fn may_retry(&self, what: &Loop) -> bool {
        let tree = self.facts.tree;
        let mut functions: BTreeSet<FunctionId> = BTreeSet::new();
        for call in self.facts.calls_in(what.span) {
            for target in self.facts.targets(call) {
                functions.extend(self.facts.graph.reachable(target));
            }
        }
        let bodies = functions
            .iter()
            .filter_map(|&f| tree.functions[f].body.as_ref());
        let mut spans: Vec<Span> = bodies.map(|b| b.span).collect();
        spans.push(what.span);
        let fine = |c: ExprId| match self.facts.library(c) {
            _ if self.facts.point(c).is_some() => false,
            Some(
                Call::Nothing
                | Call::Bound
                | Call::Use
                | Call::Begin
                | Call::End
                | Call::Exit
                | Call::ThreadExit,
            ) => true,
            Some(call @ Call::Model(_)) => {
                call.is_about_mutex() && !self.facts.tries && !self.facts.mutex_kinds
            }
            Some(_) => false,
            None => !makes_memory(name_of(tree, c).unwrap_or_default()),
        };
        let recursive = functions.iter().any(|&f| self.facts.graph.is_recursive(f));
        !recursive && spans.iter().all(|&s| self.facts.calls_in(s).all(fine))
    }

    /// Whether the iteration lowered since operation `first` has no effect on its paths to the
    /// label at its end; marks the operations with an effect.
    fn is_retry(&mut self, first: usize, end: Label, span: Span) -> bool {
        let ops: Vec<Op> = self.out.threads[self.thread as usize].ops[first..].to_vec();
        let inside: BTreeSet<Label> = ops.iter().filter_map(label).collect();
        let around = Around {
            span,
            outer: self.outer(span),
        };
        let mut walk = Walk {
            past: Some(Past::default()),
            ..Walk::default()
        };
        for op in &ops {
            self.step(&mut walk, op, &inside, &around);
        }
        let again = walk
            .past
            .take()
            .filter(|_| ops.last().and_then(label) == Some(end));
        let repeats = again.is_some_and(|p| !p.effect && p.held.is_empty() && p.guard.is_none());
        if !repeats || walk.stale {
            return false;
        }
        let marked = &mut self.out.threads[self.thread as usize].ops[first..];
        for (op, effect) in marked.iter_mut().zip(walk.effects) {
            op.has_effect = effect;
        }
        true
    }

    /// Variables that a loop writes, that are live after an iteration, and that the program reads.
    fn outer(&self, span: Span) -> BTreeSet<ObjectId> {
        let tree = self.facts.tree;
        let written: BTreeSet<ObjectId> = self.facts.writes_in(span).collect();
        let outer = |o: &ObjectId| !span.encloses(tree.objects[*o].name_span);
        let read = |o: &ObjectId| {
            let all = Span::new(0, self.facts.unit.text().len());
            let mut uses = self
                .facts
                .idents_in(all)
                .filter(|&i| is_object(tree, i, *o));
            uses.any(|i| !matches!(usage(tree, i), Usage::Write | Usage::None))
        };
        written.into_iter().filter(outer).filter(read).collect()
    }

    fn step(&mut self, walk: &mut Walk, op: &Op, inside: &BTreeSet<Label>, around: &Around) {
        if let Action::Label(label) = op.action {
            let there = walk.pending.remove(&label);
            walk.past = match (walk.past.take(), there) {
                (Some(a), Some(b)) => Some(a.or(b)),
                (a, b) => a.or(b),
            };
        }
        let effect = self.has_effect(op, around);
        walk.effects.push(effect);
        let Some(past) = &mut walk.past else { return };
        past.effect |= self.reads_what_was_before(op, past, around);
        past.assigned.extend(op.assigns);
        past.effect |= self.writes_guard(op, past);
        match (&op.action, &op.mutex) {
            (Action::Text(_), Some(mutex)) => match (mutex.how, &mutex.place) {
                (Use::Takes, Some(place)) => past.effect |= !past.held.insert(place.clone()),
                (Use::Gives, Some(place)) => past.effect |= !past.held.remove(place),
                _ => past.effect = true,
            },
            (Action::Jump { condition, to }, _) => {
                let there = past.jumps(op, effect);
                if !inside.contains(to) {
                    let known = |o| there.assigned.contains(o);
                    walk.stale |= !around.outer.iter().all(known);
                }
                let joined = match walk.pending.remove(to) {
                    Some(known) => known.or(there),
                    None => there,
                };
                walk.pending.insert(*to, joined);
                if condition.is_none() {
                    walk.past = None;
                }
            }
            (Action::Stop | Action::Cut(_) | Action::Back(_), _) => walk.past = None,
            _ if op.guard.is_some() && effect && past.guard.is_none() => {
                past.guard.clone_from(&op.guard);
            }
            _ => past.effect |= effect,
        }
    }

    /// Whether an operation may read a variable that the iteration has not assigned before.
    fn reads_what_was_before(&self, op: &Op, past: &Past, around: &Around) -> bool {
        let tree = self.facts.tree;
        let evaluates = matches!(op.action, Action::Text(_) | Action::Jump { .. });
        let read = |o: ObjectId| {
            let mut uses = self.facts.idents_in(op.span);
            uses.any(|i| is_object(tree, i, o) && usage(tree, i) != Usage::Write)
        };
        let mut open = around.outer.difference(&past.assigned);
        evaluates && open.any(|&o| read(o))
    }

    /// Whether a statement changes the variable that tells whether there was an effect.
    fn writes_guard(&self, op: &Op, past: &Past) -> bool {
        let guard = past.guard.as_ref().or(op.guard.as_ref());
        let mut written = self.facts.written_in(op.span);
        let text = matches!(op.action, Action::Text(_));
        text && guard.is_some() && written.any(|e| self.own_variable(e).as_ref() == guard)
    }

    /// Whether an operation may change something that is live after an iteration. For a part of an
    /// expression, the effects of the whole expression count.
    fn has_effect(&mut self, op: &Op, around: &Around) -> bool {
        match op.action {
            Action::Text(_) | Action::Jump { .. } => {}
            Action::Start(_) | Action::Joined(_) | Action::Head(_) | Action::Back(_) => {
                return true
            }
            _ => return false,
        }
        // The value of the block is in a variable already.
        if op.tests.is_some() {
            return false;
        }
        if op.tries.is_some() {
            return true;
        }
        if op.mutex.is_none() && !op.calls.is_empty() {
            return true;
        }
        // A loop that stays a loop may be cut at its bound, which ends the thread's run.
        let mut loops = self.facts.loops_in(op.span);
        if loops.any(|l| !bounds::is_short(self.facts, l)) {
            return true;
        }
        let written: Vec<ExprId> = self.facts.written_in(op.span).collect();
        let plain = |e: &ExprId| {
            op.assigns
                .is_some_and(|o| is_object(self.facts.tree, *e, o))
        };
        if written
            .iter()
            .any(|&e| !plain(&e) && !self.is_passing(e, around))
        {
            return true;
        }
        let calls: Vec<ExprId> = self.facts.calls_in(op.span).collect();
        calls
            .into_iter()
            .any(|c| !self.is_quiet(c, op.atomic, around))
    }

    /// Whether an lvalue is a variable whose lifetime ends with the iteration, or a part of one.
    fn is_passing(&self, lvalue: ExprId, around: &Around) -> bool {
        let tree = self.facts.tree;
        if let (Some(object), false) = tree.root(lvalue) {
            let o = &tree.objects[object];
            let own = matches!(o.storage, Storage::Local | Storage::Parameter);
            return own && !o.is_static_duration() && !around.outer.contains(&object);
        }
        // A pointer may point to a variable of a function around the loop.
        let places = self.facts.aliases.designated(lvalue);
        let memory = self.facts.aliases.memory(&places);
        let ends = |m: &Memory| match m {
            Memory::Object(object) => {
                let o = &tree.objects[*object];
                let outside = self.frames.iter().any(|f| Some(f.function) == o.function);
                let own = matches!(o.storage, Storage::Local | Storage::Parameter);
                own && !o.is_static_duration() && (around.span.encloses(o.name_span) || !outside)
            }
            Memory::Made(_) => false,
        };
        !places.anything && !memory.is_empty() && memory.iter().all(ends)
    }

    /// Whether a call that may be a part of an operation changes nothing.
    fn is_quiet(&mut self, call: ExprId, atomic: bool, around: &Around) -> bool {
        let tree = self.facts.tree;
        match self.facts.library(call) {
            _ if self.facts.point(call).is_some() => return false,
            Some(Call::Nothing | Call::Bound | Call::Use | Call::Begin | Call::End) => return true,
            // Uses of mutexes are tracked separately.
            Some(Call::Model(_)) => return true,
            Some(_) => return false,
            None => {}
        }
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return false;
        };
        match (name_of(tree, call), &args[..]) {
            (Some("__atomic_load_n"), _) => return true,
            (Some("__atomic_load"), [_, into, ..]) => {
                return matches!(tree.exprs[*into].kind, ExprKind::AddressOf(of) if self.is_passing(of, around));
            }
            _ => {}
        }
        let targets = self.facts.targets(call);
        let inlined = match atomic {
            true => targets.iter().any(|&f| self.may_wait_in(f)),
            false => targets.iter().any(|&f| self.is_inlined(f)),
        };
        let reads = |&f: &FunctionId| only_reads::function(self.facts, f);
        !targets.is_empty() && (inlined || targets.iter().all(reads))
    }

    // Annotations of operations ----------------------------------------------------------------

    /// Annotates the last operation as an assignment to an automatic variable, if it is one.
    pub(super) fn note_assignment(&mut self, e: ExprId) {
        let tree = self.facts.tree;
        let ExprKind::Assign { op: None, lhs, .. } = tree.exprs[e].kind else {
            return;
        };
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[lhs].kind else {
            return;
        };
        // Other threads may see a variable whose address is taken.
        if self.env.reachable && self.own_variable(lhs).is_some() {
            if let Some(op) = self.out.threads[self.thread as usize].ops.last_mut() {
                op.assigns = Some(object);
            }
        }
    }

    /// The exchange that a condition tries: it has no effect if it fails.
    pub(super) fn exchange_tried(&mut self, e: ExprId, sense: bool) -> Option<Try> {
        let tree = self.facts.tree;
        let (call, succeeds_if) = self.tried(e);
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return None;
        };
        let [object, old, new, ..] = args[..] else {
            return None;
        };
        let quiet = [object, old, new]
            .iter()
            .all(|&a| self.is_pure(a) && !self.is_changed_by_others(a));
        if name_of(tree, call) != Some("__sync_bool_compare_and_swap") || !quiet {
            return None;
        }
        let object = self.print(tree.exprs[object].span, Vec::new());
        let old = self.print(tree.exprs[old].span, Vec::new());
        Some(Try {
            can: format!("*{} == {}", enclosed(object), enclosed(old)),
            jumps: sense == succeeds_if,
        })
    }

    /// Annotates the last operation with the variable that its unchanged `if` tests.
    pub(super) fn note_guard(&mut self, stmt: StmtId) {
        let StmtKind::If {
            cond,
            otherwise: None,
            ..
        } = self.facts.tree.stmts[stmt].kind
        else {
            return;
        };
        let guard = self.own_variable(cond);
        if let Some(op) = self.out.threads[self.thread as usize].ops.last_mut() {
            op.guard = guard;
        }
    }

    /// Annotates the last operation, a jump by a block's value, with the block's variable.
    pub(super) fn note_test(&mut self, block: ExprId, sense: bool) {
        let tree = self.facts.tree;
        let ExprKind::StmtExpr(body) = tree.exprs[block].kind else {
            return;
        };
        let StmtKind::Compound { items, .. } = &tree.stmts[body].kind else {
            return;
        };
        let Some(BlockItem::Stmt(last)) = items.last() else {
            return;
        };
        let StmtKind::Expr(Some(value)) = tree.stmts[*last].kind else {
            return;
        };
        let tested = self.own_variable(value).map(|name| (name, sense));
        if let (Some(op), true) = (
            self.out.threads[self.thread as usize].ops.last_mut(),
            self.env.reachable,
        ) {
            op.tests = tested;
        }
    }

    /// The name of an automatic variable that nothing points to.
    fn own_variable(&self, e: ExprId) -> Option<String> {
        let ExprKind::Ident(Resolved::Object(object)) = self.facts.tree.exprs[e].kind else {
            return None;
        };
        let o = &self.facts.tree.objects[object];
        let own = !o.is_static_duration() && !self.facts.address_taken.contains(&object);
        self.name(object).filter(|_| own)
    }

    /// Annotates the last operation, a jump, with what it tries.
    pub(super) fn note_try(&mut self, tries: Option<Try>) {
        if let Some(op) = self.out.threads[self.thread as usize].ops.last_mut() {
            op.tries = tries;
        }
    }
}

fn label(op: &Op) -> Option<Label> {
    match op.action {
        Action::Label(label) => Some(label),
        _ => None,
    }
}

fn is_object(tree: &cfront::tree::Tree, e: ExprId, object: ObjectId) -> bool {
    matches!(tree.exprs[e].kind, ExprKind::Ident(Resolved::Object(o)) if o == object)
}

fn makes_memory(name: &str) -> bool {
    [
        "malloc",
        "calloc",
        "realloc",
        "alloca",
        "aligned_alloc",
        "strdup",
        "reallocarray",
    ]
    .contains(&name.trim_start_matches("__builtin_"))
}
