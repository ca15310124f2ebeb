//! Busy waits: loops of which some iteration may have no effect but to read. Such an iteration
//! changes nothing, so a run with it is a run without it, and a thread that makes no others any more
//! is blocked for good.

use std::collections::HashMap;

use cfront::span::{ExprId, FunctionId, Id, ObjectId, StmtId};
use cfront::tree::{
    BlockItem, Entity, ExprKind, ForInit, InitKind, Label, Parent, Resolved, StmtKind, Storage,
    Tree,
};
use cfront::types::Class;

use crate::facts::{FunctionIndex, ObjectIndex, Range};
use crate::polling;

/// What an iteration without effect is recognised by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BusyWait {
    /// Whether the condition in the loop's head alone decides, so that its body changes nothing.
    pub plain: bool,
    /// Variables from outside the loop that it writes: they have to be the same as before.
    pub locals: Vec<ObjectIndex>,
    /// Variables that live in one iteration: what is declared in the body, or in an expression.
    pub inner: Vec<ObjectIndex>,
    /// Functions that it calls, all of which only read.
    pub calls: Vec<FunctionIndex>,
    /// Where the names of labels in it begin.
    pub labels: Vec<usize>,
    /// Whether an iteration takes locks and gives them back.
    pub polls: bool,
    /// Statements that have an effect, with their depth: an iteration that comes to one is none of
    /// those that only wait.
    pub effects: Vec<(Range, i32)>,
}

/// Library functions that change nothing, beside those that the model gives no meaning.
const READERS: [&str; 10] = [
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

/// Looks whether a loop may be a busy wait; `None` if every iteration has an effect.
pub fn busy_wait(
    tree: &Tree,
    functions: &HashMap<FunctionId, FunctionIndex>,
    id: StmtId,
    depth: i32,
) -> Option<BusyWait> {
    let mut walk = Walk::new(tree, functions);
    let (head, body, tail) = match &tree.stmts[id].kind {
        StmtKind::While { cond, body, .. } => (Some(*cond), *body, None),
        StmtKind::For {
            cond, step, body, ..
        } => (*cond, *body, *step),
        StmtKind::DoWhile { cond, body, .. } => {
            walk.decides = false;
            (Some(*cond), *body, None)
        }
        _ => return None,
    };
    let parts: Vec<ExprId> = head.into_iter().chain(tail).collect();
    let mut clean = true;
    for e in parts {
        clean &= walk.expr(e);
    }
    (clean && walk.stmt(body, depth + 1, false))
        .then(|| walk.finished())
        .flatten()
}

/// A loop that a `goto` back to a label makes, if some round of it only waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusyGoto {
    /// What a round without effect is recognised by.
    pub wait: BusyWait,
    /// From the label to the end of the statement with the `goto` in the label's block.
    pub range: Range,
    /// The depth of that statement.
    pub depth: i32,
}

/// How many items of a block a round by `goto` may have to be looked at. Longer ones are loops as any
/// other, so that many jumps over much text do not take quadratic time.
const LONGEST_ROUND: usize = 4096;

/// As [`busy_wait`], for a `goto` at a depth, to a labelled statement. The label stands in the same
/// block as the `goto`, or in one around it, with nothing but `if` between the two.
pub fn busy_goto(
    tree: &Tree,
    functions: &HashMap<FunctionId, FunctionIndex>,
    id: StmtId,
    target: StmtId,
    depth: i32,
) -> Option<BusyGoto> {
    let StmtKind::Goto { label, .. } = &tree.stmts[id].kind else {
        return None;
    };
    let (first, home) = item_of(tree, target)?;
    let (mut at, mut depth) = (id, depth);
    loop {
        let Parent::Stmt(parent) = tree.stmts[at].parent else {
            return None;
        };
        match &tree.stmts[parent].kind {
            StmtKind::Compound { items, .. } if parent == home => {
                let (first, last) = (position(tree, items, first)?, position(tree, items, at)?);
                let range = items.get(first..=last)?;
                if range.len() > LONGEST_ROUND {
                    return None;
                }
                let wait = rounds(tree, functions, range, label, depth)?;
                let range = Range {
                    start: item_start(tree, &items[first]),
                    end: tree.stmts[at].span.end,
                };
                return Some(BusyGoto { wait, range, depth });
            }
            StmtKind::Compound { .. } | StmtKind::If { .. } | StmtKind::Labeled { .. } => {}
            _ => return None,
        }
        (at, depth) = (parent, depth - 1);
    }
}

/// The item of a block that a labelled statement is, with all labels in front of it, and the block.
fn item_of(tree: &Tree, labelled: StmtId) -> Option<(StmtId, StmtId)> {
    let mut at = labelled;
    loop {
        let Parent::Stmt(parent) = tree.stmts[at].parent else {
            return None;
        };
        match tree.stmts[parent].kind {
            StmtKind::Labeled { .. } => at = parent,
            StmtKind::Compound { .. } => return Some((at, parent)),
            _ => return None,
        }
    }
}

/// Where a statement stands among the items of its block, which follow each other in the text.
fn position(tree: &Tree, items: &[BlockItem], wanted: StmtId) -> Option<usize> {
    let start = tree.stmts[wanted].span.start;
    let at = items.partition_point(|item| item_start(tree, item) < start);
    let is = |item: &BlockItem| matches!(item, BlockItem::Stmt(s) if *s == wanted);
    at.checked_add(items.get(at..)?.iter().take(2).position(is)?)
}

fn item_start(tree: &Tree, item: &BlockItem) -> usize {
    match item {
        BlockItem::Stmt(s) => tree.stmts[*s].span.start,
        BlockItem::Decl(d) => tree.decls[*d].span.start,
    }
}

fn rounds(
    tree: &Tree,
    functions: &HashMap<FunctionId, FunctionIndex>,
    items: &[BlockItem],
    label: &str,
    depth: i32,
) -> Option<BusyWait> {
    let mut walk = Walk::new(tree, functions);
    walk.again = Some(label.to_string());
    let clean = items.iter().all(|item| match item {
        BlockItem::Decl(d) => walk.declaration(*d),
        BlockItem::Stmt(s) => walk.stmt(*s, depth, false),
    });
    let found = clean.then(|| walk.finished()).flatten()?;
    // Jumped into from elsewhere, nothing would tell what its variables were.
    (found.labels.len() == 1 || found.locals.is_empty()).then_some(found)
}

struct Walk<'a> {
    tree: &'a Tree,
    functions: &'a HashMap<FunctionId, FunctionIndex>,
    found: BusyWait,
    /// Whether only the condition in the head decides.
    decides: bool,
    visiting: Vec<FunctionId>,
    /// The label of a loop that is made by `goto`.
    again: Option<String>,
    /// How many locks the iteration holds.
    held: usize,
    /// Local variables that say which locks those are.
    keys: Vec<ObjectId>,
}

impl<'a> Walk<'a> {
    fn new(tree: &'a Tree, functions: &'a HashMap<FunctionId, FunctionIndex>) -> Self {
        Walk {
            tree,
            functions,
            found: BusyWait::default(),
            decides: true,
            visiting: Vec::new(),
            again: None,
            held: 0,
            keys: Vec::new(),
        }
    }

    /// What was found, if it holds together.
    fn finished(self) -> Option<BusyWait> {
        let mut found = self.found;
        let changes =
            |o: &ObjectId| found.locals.contains(&o.index()) || found.inner.contains(&o.index());
        if self.keys.iter().any(changes) {
            return None;
        }
        found.plain = self.decides && found.locals.is_empty() && found.effects.is_empty();
        Some(found)
    }

    /// The items of a block. A lock that is taken is given back by a later item.
    fn block(&mut self, items: &[BlockItem], depth: i32, conditional: bool) -> bool {
        let mut held: Vec<ExprId> = Vec::new();
        for item in items {
            let s = match item {
                BlockItem::Decl(d) if self.declaration(*d) => continue,
                BlockItem::Decl(_) => return false,
                BlockItem::Stmt(s) => *s,
            };
            let clean = match polling::locking(self.tree, s) {
                Some((true, lock)) => {
                    self.found.polls = true;
                    self.decides = false;
                    self.held += 1;
                    held.push(lock);
                    polling::stable(self.tree, lock, &mut self.keys)
                }
                Some((false, lock))
                    if held
                        .last()
                        .is_some_and(|&l| polling::same(self.tree, l, lock)) =>
                {
                    self.held -= 1;
                    held.pop();
                    true
                }
                _ => self.stmt(s, depth, conditional),
            };
            if !clean {
                return false;
            }
        }
        self.held -= held.len();
        held.is_empty()
    }

    /// Whether an iteration without effect is possible past this statement.
    fn stmt(&mut self, id: StmtId, depth: i32, conditional: bool) -> bool {
        match self.tree.stmts[id].kind.clone() {
            StmtKind::Compound { items, .. } => self.block(&items, depth + 1, conditional),
            StmtKind::Expr(None) => true,
            StmtKind::Labeled {
                label: Label::Named(_),
                label_span,
                body,
                ..
            } => {
                self.found.labels.push(label_span.start);
                self.stmt(body, depth + 1, conditional)
            }
            StmtKind::Expr(Some(e)) => {
                let before = self.found.clone();
                if self.expr(e) {
                    return true;
                }
                self.found = before;
                self.effect(id, depth, conditional)
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.decides = false;
                self.expr(cond)
                    && self.stmt(then, depth + 1, true)
                    && otherwise.is_none_or(|s| self.stmt(s, depth + 1, true))
            }
            StmtKind::Goto { label, .. } if self.again.as_ref() == Some(&label) => {
                self.decides = false;
                self.held == 0 || self.effect(id, depth, conditional)
            }
            // Elsewhere a loop ends where its text ends.
            StmtKind::Break | StmtKind::Continue if self.again.is_some() => {
                self.effect(id, depth, conditional)
            }
            StmtKind::Break => {
                self.decides = false;
                true
            }
            StmtKind::Continue => {
                self.decides = false;
                self.held == 0 || self.effect(id, depth, conditional)
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. }
                if self.again.is_some() || self.held > 0 =>
            {
                self.effect(id, depth, conditional)
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                self.decides = false;
                match busy_wait(self.tree, self.functions, id, depth) {
                    Some(inner) if self.initialises_nothing(id) => {
                        let outside = inner.locals.iter().filter(|&&o| self.is_outside(o));
                        self.found
                            .locals
                            .extend(outside.copied().collect::<Vec<_>>());
                        self.found.inner.extend(inner.inner);
                        self.found.calls.extend(inner.calls);
                        self.found.labels.extend(inner.labels);
                        self.found.polls |= inner.polls;
                        true
                    }
                    _ => self.effect(id, depth, conditional),
                }
            }
            StmtKind::Asm {
                is_goto: false,
                mentions,
            } => mentions.is_empty(),
            StmtKind::Return(_) | StmtKind::Goto { .. } => self.effect(id, depth, conditional),
            _ => false,
        }
    }

    fn initialises_nothing(&self, id: StmtId) -> bool {
        match self.tree.stmts[id].kind {
            StmtKind::For { ref init, .. } => matches!(init, ForInit::None),
            _ => true,
        }
    }

    fn is_outside(&self, object: ObjectIndex) -> bool {
        !self.found.inner.contains(&object)
    }

    fn effect(&mut self, id: StmtId, depth: i32, conditional: bool) -> bool {
        self.decides = false;
        if conditional {
            let span = self.tree.stmts[id].span;
            self.found
                .effects
                .push((crate::collect::range(span), depth));
        }
        conditional
    }

    fn declaration(&mut self, id: cfront::DeclId) -> bool {
        let decl = self.tree.decls[id].clone();
        decl.declared.iter().all(|declared| {
            let Entity::Object(object) = declared.entity else {
                return false;
            };
            if self.tree.objects[object].storage != Storage::Local {
                return false;
            }
            self.found.inner.push(object.index());
            match declared.init {
                None => true,
                Some(init) => match self.tree.inits[init].kind {
                    InitKind::Expr(e) => self.expr(e),
                    InitKind::List(_) => false,
                },
            }
        })
    }

    /// Whether an expression has no effect but writes to variables of the function's own.
    fn expr(&mut self, id: ExprId) -> bool {
        let expr = &self.tree.exprs[id];
        if expr.unevaluated {
            return true;
        }
        let own = match expr.kind.clone() {
            ExprKind::Assign { op, lhs, .. } => self.write(lhs, op.is_none()),
            ExprKind::IncDec { operand, .. } => self.write(operand, false),
            ExprKind::Call { callee, args, .. } => self.call(callee, &args),
            ExprKind::StmtExpr(s) => return self.stmt(s, 0, false),
            ExprKind::VaArg(_) => false,
            _ => true,
        };
        own && self.tree.children(id).into_iter().all(|e| self.expr(e))
    }

    /// A write of a variable: one from outside has to be a plain one, else it never stays the same.
    fn write(&mut self, lhs: ExprId, plain: bool) -> bool {
        let ExprKind::Ident(Resolved::Object(object)) = self.tree.exprs[lhs].kind else {
            return false;
        };
        let o = &self.tree.objects[object];
        let local = matches!(o.storage, Storage::Local | Storage::Parameter);
        if !local || o.thread_local {
            return false;
        }
        if !self.is_outside(object.index()) {
            return true;
        }
        let scalar = matches!(self.tree.types.class(o.ty), Class::Scalar | Class::Pointer);
        self.decides = false;
        self.found.locals.push(object.index());
        plain && scalar
    }

    fn call(&mut self, callee: ExprId, args: &[ExprId]) -> bool {
        let (name, body) = match &self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => (
                self.tree.functions[*f].name.as_str(),
                self.tree.functions[*f].body.as_ref().map(|b| (*f, b.block)),
            ),
            ExprKind::Ident(Resolved::Unknown(name)) => (name.as_str(), None),
            _ => return false,
        };
        if let Some((function, block)) = body {
            return self.reader(function, block);
        }
        let silent = crate::library::SILENT.iter().any(|(n, _)| *n == name);
        if silent || READERS.contains(&name) || crate::library::IDLE.contains(&name) {
            return !name.starts_with("__atomic") || self.addressed(args);
        }
        let tries = TRIES.contains(&name) || crate::atomics::changes(name);
        self.decides &= !tries;
        tries && (TRIES.contains(&name) || self.addressed(args))
    }

    /// Variables whose addresses are handed to a function that may write them.
    fn addressed(&mut self, args: &[ExprId]) -> bool {
        args.iter().skip(1).all(|&a| match self.tree.exprs[a].kind {
            ExprKind::AddressOf(e) => self.write(e, true) || self.tree.root(e).0.is_none(),
            _ => true,
        })
    }

    /// Whether a function only reads: declarations, reads and a result.
    fn reader(&mut self, function: FunctionId, block: StmtId) -> bool {
        let Some(&index) = self.functions.get(&function) else {
            return false;
        };
        if self.visiting.contains(&function) {
            return false;
        }
        self.visiting.push(function);
        let mut inner = Walk::new(self.tree, self.functions);
        inner.visiting.clone_from(&self.visiting);
        let reads = inner.reading(block) && inner.found.locals.is_empty();
        self.visiting.pop();
        self.decides &= inner.decides;
        self.found.calls.push(index);
        self.found.calls.extend(inner.found.calls);
        self.found.inner.extend(inner.found.inner);
        reads
    }

    fn reading(&mut self, id: StmtId) -> bool {
        match self.tree.stmts[id].kind.clone() {
            StmtKind::Compound { items, .. } => items.into_iter().all(|item| match item {
                BlockItem::Decl(d) => self.declaration(d),
                BlockItem::Stmt(s) => self.reading(s),
            }),
            StmtKind::Expr(e) => e.is_none_or(|e| self.expr(e)),
            StmtKind::Return(e) => e.is_none_or(|e| self.expr(e)),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => self.expr(cond) && self.reading(then) && otherwise.is_none_or(|s| self.reading(s)),
            _ => false,
        }
    }
}
