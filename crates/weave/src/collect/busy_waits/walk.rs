//! The walk through one iteration: it finds out whether some path is free of effects, and where the other paths
//! have their effects.

use cfront::span::{ExprId, FunctionId, Id, ObjectId, StmtId};
use cfront::tree::{BlockItem, Entity, ForInit, InitKind, Label, StmtKind, Storage};
use cfront::{DeclId, InitId};

use super::{nested_wait, BusyWait, Effect, Program, Turn};
use crate::collect::lock_polls;

/// The locks that an iteration has taken and released up to a point.
#[derive(Clone, Default)]
pub(crate) struct Locks {
    /// The locks that it took and holds, the last one last.
    pub taken: Vec<ExprId>,
    /// The lock that was held at the start of the iteration and that it has released, until it takes the lock
    /// again.
    given: Option<ExprId>,
}

pub(crate) struct Walk<'a> {
    pub program: Program<'a>,
    pub found: BusyWait,
    /// Whether the condition in the loop's head alone decides.
    pub decides: bool,
    pub visiting: Vec<FunctionId>,
    /// The label, if a `goto` makes the loop.
    pub again: Option<String>,
    /// Whether the walk is through a called function.
    pub called: bool,
    pub locks: Locks,
    /// Local variables that select those locks.
    pub keys: Vec<ObjectId>,
    /// Whether the walked statement is in the block of the loop's body itself, so that no branch skips it.
    pub always: bool,
    /// Whether an iteration may have ended before the next statement.
    ended: bool,
    /// Whether an iteration may skip the next statement.
    skips: bool,
    /// Variables that live in the iteration and are written after their declarations.
    rewritten: Vec<usize>,
    /// The locks at the start of each enclosing `switch`.
    switches: Vec<Locks>,
    /// The loop's body, if it is a block.
    top: Option<StmtId>,
    /// How many more statements may be walked, those of called functions included.
    pub fuel: usize,
    /// The number of enclosing loops that are searched, too.
    pub loops: usize,
}

/// The most statements of an iteration that may only wait.
const MOST_STATEMENTS: usize = 20_000;

/// A snapshot of the findings.
struct Mark {
    lengths: [usize; 7],
    polls: bool,
    turn: Option<Turn>,
}

impl Mark {
    fn of(found: &BusyWait) -> Mark {
        Mark {
            lengths: [
                found.locals.len(),
                found.inner.len(),
                found.calls.len(),
                found.labels.len(),
                found.effects.len(),
                found.callee_effects.len(),
                found.irrelevant.len(),
            ],
            polls: found.polls,
            turn: found.turn.clone(),
        }
    }

    /// Forgets everything found since the snapshot.
    fn restore(self, found: &mut BusyWait) {
        let [locals, inner, calls, labels, effects, callee_effects, irrelevant] = self.lengths;
        found.locals.truncate(locals);
        found.inner.truncate(inner);
        found.calls.truncate(calls);
        found.labels.truncate(labels);
        found.effects.truncate(effects);
        found.callee_effects.truncate(callee_effects);
        found.irrelevant.truncate(irrelevant);
        found.polls = self.polls;
        found.turn = self.turn;
    }
}

impl<'a> Walk<'a> {
    pub fn new(program: Program<'a>) -> Self {
        Walk {
            program,
            found: BusyWait::default(),
            decides: true,
            visiting: Vec::new(),
            again: None,
            called: false,
            locks: Locks::default(),
            keys: Vec::new(),
            always: false,
            ended: false,
            skips: false,
            rewritten: Vec::new(),
            switches: Vec::new(),
            top: None,
            fuel: MOST_STATEMENTS,
            loops: 0,
        }
    }

    /// The findings; `None` if the locks that the iteration takes may differ from those that it releases.
    pub fn finished(self) -> Option<BusyWait> {
        let mut found = self.found;
        // A variable that is declared in the iteration may select another lock in the next one.
        let inner = |o: &usize| found.turn.is_some() && found.inner.contains(o);
        let changes = |o: &ObjectId| {
            let o = o.index();
            found.locals.contains(&o) || self.rewritten.contains(&o) || inner(&o)
        };
        if self.keys.iter().any(changes) {
            return None;
        }
        found.plain = self.decides && found.locals.is_empty() && found.effects.is_empty();
        Some(found)
    }

    /// Walks a loop's body.
    pub fn body(&mut self, id: StmtId, depth: i32) -> Option<()> {
        self.top = Some(id);
        self.always = !self.called;
        let goes_on = self.stmt(id, depth, false)?;
        // If no path reaches the end of the body, `locks` belongs to a path that has left it.
        (!goes_on || self.at_rest()).then_some(())
    }

    /// Whether the iteration holds the locks that it held when it began.
    fn at_rest(&self) -> bool {
        self.locks.taken.is_empty() && self.locks.given.is_none()
    }

    fn alike(&self, a: &Locks, b: &Locks) -> bool {
        let same = |x: &ExprId, y: &ExprId| lock_polls::same(self.program.tree, *x, *y);
        a.given.is_some() == b.given.is_some()
            && a.taken.len() == b.taken.len()
            && a.taken.iter().zip(&b.taken).all(|(x, y)| same(x, y))
    }

    /// Walks consecutive statements. `None` if no iteration without effect can pass them; otherwise whether
    /// control may reach their end.
    pub fn items(&mut self, items: &[BlockItem], depth: i32, conditional: bool) -> Option<bool> {
        let (mut goes_on, always) = (true, self.always);
        for item in items {
            self.always = always;
            if goes_on && self.is_case(item) && !self.alike(self.switches.last()?, &self.locks) {
                return None;
            }
            goes_on = match *item {
                BlockItem::Decl(d) => self.declared(d, depth, conditional)?,
                BlockItem::Stmt(s) => match lock_polls::locking(self.program.tree, s) {
                    Some((true, lock)) => self.takes(lock)?,
                    Some((false, lock)) if self.gives(lock, s, depth, conditional) => true,
                    _ => self.stmt(s, depth, conditional)?,
                },
            };
        }
        Some(goes_on)
    }

    fn is_case(&self, item: &BlockItem) -> bool {
        let BlockItem::Stmt(s) = *item else {
            return false;
        };
        let kind = &self.program.tree.stmts[s].kind;
        matches!(kind, StmtKind::Labeled { label, .. } if !matches!(label, Label::Named(_)))
    }

    fn takes(&mut self, lock: ExprId) -> Option<bool> {
        self.found.polls = true;
        self.decides = false;
        let tree = self.program.tree;
        match self.locks.given {
            Some(given) if self.locks.taken.is_empty() && lock_polls::same(tree, given, lock) => {
                self.locks.given = None;
            }
            _ => self.locks.taken.push(lock),
        }
        lock_polls::stable(tree, lock, &mut self.keys).then_some(true)
    }

    /// Whether an unlock releases a lock that the iteration took, or one that was held before the loop.
    fn gives(&mut self, lock: ExprId, id: StmtId, depth: i32, conditional: bool) -> bool {
        let tree = self.program.tree;
        match self.locks.taken.last() {
            Some(&last) if lock_polls::same(tree, last, lock) => {
                self.locks.taken.pop();
                true
            }
            None if self.may_turn() && !conditional => {
                let stable = lock_polls::stable(tree, lock, &mut self.keys);
                self.locks.given = Some(lock);
                let range = crate::facts::range(tree.stmts[id].span);
                self.turns(Turn::Unlocked(range, depth));
                stable
            }
            _ => false,
        }
    }

    /// Whether a round may begin here.
    pub fn may_turn(&self) -> bool {
        self.always && !self.ended && !self.skips && self.found.turn.is_none() && self.at_rest()
    }

    pub fn turns(&mut self, turn: Turn) {
        self.found.turn = Some(turn);
        self.found.polls = true;
        self.decides = false;
    }

    /// Like [`Self::items`], for one statement.
    pub fn stmt(&mut self, id: StmtId, depth: i32, conditional: bool) -> Option<bool> {
        let always = self.always;
        self.fuel = self.fuel.checked_sub(1)?;
        match self.program.tree.stmts[id].kind.clone() {
            StmtKind::Compound { items, .. } => {
                self.always = always && self.top == Some(id);
                let goes_on = self.items(&items, depth + 1, conditional)?;
                self.always = always;
                Some(goes_on)
            }
            StmtKind::Expr(None) => Some(true),
            StmtKind::Labeled {
                label,
                label_span,
                body,
                ..
            } => {
                match label {
                    Label::Named(_) => self.found.labels.push(label_span.start),
                    _ => self.locks = self.switches.last()?.clone(),
                }
                let conditional = conditional || !matches!(label, Label::Named(_));
                self.always = false;
                self.stmt(body, depth + 1, conditional)
            }
            StmtKind::Expr(Some(e)) => match self.tried(|walk| walk.expr(e)) {
                true => Some(true),
                false => self.effect(id, depth, conditional),
            },
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.decides = false;
                if !self.tried(|walk| walk.expr(cond)) {
                    return self.effect(id, depth, conditional);
                }
                self.always = false;
                let goes_on = self.branches(then, otherwise, depth + 1);
                self.always = always;
                goes_on
            }
            StmtKind::Switch { cond, body, .. } => self.switch(id, cond, body, depth, conditional),
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                self.looping(id, depth, conditional)
            }
            StmtKind::Asm {
                is_goto: false,
                mentions,
                ..
            } => mentions.is_empty().then_some(true),
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto { .. } => {
                self.jump(id, depth, conditional)
            }
            _ => None,
        }
    }

    /// Whether a part is free of effects. If it is not, its findings are forgotten.
    fn tried(&mut self, part: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = Mark::of(&self.found);
        let clean = part(self);
        if !clean {
            before.restore(&mut self.found);
        }
        clean
    }

    fn branches(&mut self, then: StmtId, otherwise: Option<StmtId>, depth: i32) -> Option<bool> {
        let (before, found) = (self.locks.clone(), Mark::of(&self.found));
        let taken = self.stmt(then, depth, true)?;
        let after = std::mem::replace(&mut self.locks, before.clone());
        let other = match otherwise {
            Some(s) => self.stmt(s, depth, true)?,
            None => true,
        };
        match (taken, other) {
            (true, true) if !self.alike(&after, &self.locks) => {
                // If both branches go on with different locks, the first one counts as an effect.
                found.restore(&mut self.found);
                self.locks = before;
                self.effect(then, depth, true)?;
                match otherwise {
                    Some(s) => self.stmt(s, depth, true),
                    None => Some(true),
                }
            }
            (true, false) => {
                self.locks = after;
                Some(true)
            }
            (_, other) => Some(other),
        }
    }

    fn switch(
        &mut self,
        id: StmtId,
        cond: ExprId,
        body: StmtId,
        depth: i32,
        conditional: bool,
    ) -> Option<bool> {
        self.decides = false;
        if self.again.is_some() || !self.tried(|walk| walk.expr(cond)) {
            return self.effect(id, depth, conditional);
        }
        let (always, before) = (std::mem::take(&mut self.always), self.locks.clone());
        self.switches.push(before.clone());
        let goes_on = self.stmt(body, depth + 1, true)?;
        self.switches.pop();
        self.always = always;
        let falls_out = std::mem::replace(&mut self.locks, before);
        (!goes_on || self.alike(&falls_out, &self.locks)).then_some(true)
    }

    fn jump(&mut self, id: StmtId, depth: i32, conditional: bool) -> Option<bool> {
        self.decides = false;
        let clean = match &self.program.tree.stmts[id].kind {
            StmtKind::Break => match self.switches.last().cloned() {
                Some(before) => self.alike(&before, &self.locks),
                // In a round made by `goto`, `break` leaves an enclosing loop.
                None => self.again.is_none(),
            },
            StmtKind::Continue => self.again.is_none() && self.ends_round(),
            StmtKind::Goto { label, .. } => self.again.as_ref() == Some(label) && self.ends_round(),
            StmtKind::Return(e) => {
                let e = *e;
                self.called
                    && e.is_none_or(|e| self.tried(|walk| walk.expr(e)))
                    && self.ends_round()
            }
            _ => false,
        };
        let left = match clean {
            true => Some(false),
            false => {
                self.skips = true;
                self.effect(id, depth, conditional)
            }
        };
        if let Some(before) = self.switches.last() {
            self.locks = before.clone();
        }
        left
    }

    /// Whether the iteration may end here without an effect. The statements that follow do not run in every
    /// iteration then.
    fn ends_round(&mut self) -> bool {
        let clean = self.at_rest();
        self.ended |= clean;
        clean
    }

    fn looping(&mut self, id: StmtId, depth: i32, conditional: bool) -> Option<bool> {
        if let Some(written) = self.program.irrelevant.delay(id) {
            self.found
                .irrelevant
                .extend(written.iter().map(|o| o.index()));
            return Some(true);
        }
        self.decides = false;
        if self.again.is_some() || self.called || !self.at_rest() || self.found.turn.is_some() {
            return self.effect(id, depth, conditional);
        }
        match nested_wait(self.program, id, depth, self.loops + 1) {
            Some(inner) if inner.turn.is_none() && self.initialises_nothing(id) => {
                let outside = inner
                    .locals
                    .iter()
                    .filter(|o| !self.found.inner.contains(o));
                let outside: Vec<usize> = outside.copied().collect();
                self.rewritten.extend(&inner.locals);
                self.found.locals.extend(outside);
                self.found.inner.extend(inner.inner);
                self.found.calls.extend(inner.calls);
                self.found.labels.extend(inner.labels);
                self.found.irrelevant.extend(inner.irrelevant);
                self.found.callee_effects.extend(inner.callee_effects);
                self.found.polls |= inner.polls;
                Some(true)
            }
            _ => self.effect(id, depth, conditional),
        }
    }

    fn initialises_nothing(&self, id: StmtId) -> bool {
        match self.program.tree.stmts[id].kind {
            StmtKind::For { ref init, .. } => matches!(init, ForInit::None),
            _ => true,
        }
    }

    /// Whether a variable lives in the iteration; notes the write if it does.
    pub fn rewrites(&mut self, object: usize) -> bool {
        let inner = self.found.inner.contains(&object);
        if inner {
            self.rewritten.push(object);
        }
        inner
    }

    /// Notes a statement with an effect; `None` if every iteration reaches it.
    fn effect(&mut self, id: StmtId, depth: i32, conditional: bool) -> Option<bool> {
        self.decides = false;
        let stmt = &self.program.tree.stmts[id];
        let leaves = matches!(
            stmt.kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Goto { .. }
        );
        let effect = Effect {
            range: crate::facts::range(stmt.span),
            depth,
            declares: false,
        };
        self.note(effect, conditional)?;
        Some(!leaves)
    }

    fn note(&mut self, effect: Effect, conditional: bool) -> Option<()> {
        // In a program without threads, a called function with an effect rules out a busy wait.
        if self.called && !self.program.irrelevant.threads() {
            return None;
        }
        let list = match self.called {
            true => &mut self.found.callee_effects,
            false => &mut self.found.effects,
        };
        list.push(effect);
        (conditional || self.ended).then_some(())
    }

    fn declared(&mut self, id: DeclId, depth: i32, conditional: bool) -> Option<bool> {
        if self.tried(|walk| walk.declaration(id)) {
            return Some(true);
        }
        let decl = &self.program.tree.decls[id];
        let range = crate::facts::range(decl.span);
        for declared in &decl.declared {
            let Entity::Object(object) = declared.entity else {
                return None;
            };
            self.found.inner.push(object.index());
        }
        let effect = Effect {
            range,
            depth,
            declares: true,
        };
        self.decides = false;
        self.note(effect, conditional)?;
        Some(true)
    }

    fn declaration(&mut self, id: DeclId) -> bool {
        let decl = self.program.tree.decls[id].clone();
        decl.declared.iter().all(|declared| {
            let Entity::Object(object) = declared.entity else {
                return false;
            };
            if self.program.tree.objects[object].storage != Storage::Local {
                return false;
            }
            self.found.inner.push(object.index());
            declared.init.is_none_or(|init| self.initializer(init))
        })
    }

    fn initializer(&mut self, init: InitId) -> bool {
        if let InitKind::Expr(e) = self.program.tree.inits[init].kind {
            return self.expr(e);
        }
        let mut exprs = Vec::new();
        self.program.tree.init_exprs(init, &mut exprs);
        exprs.into_iter().all(|e| self.expr(e))
    }
}
