//! Which locals are live at the head of a loop, and which loops only count.

use std::collections::{BTreeSet, HashMap};

use cfront::access::{usage, Use};
use cfront::span::{ExprId, Id, ObjectId, StmtId};
use cfront::tree::{BlockItem, ExprKind, ForInit, Label, Parent, Resolved, StmtKind, Tree};

use super::influence::{is_automatic, within};
use crate::facts::ObjectIndex;
use crate::flow::Graph;

/// A set of locals.
type Set = BTreeSet<ObjectIndex>;

/// The locals that a node reads before it writes them, and those that it surely writes as a whole.
#[derive(Clone, Debug, Default)]
struct Effect {
    uses: Set,
    kills: Set,
}

impl Effect {
    fn then(&mut self, next: Effect) {
        let fresh = next.uses.difference(&self.kills).copied();
        self.uses.extend(fresh.collect::<Vec<_>>());
        self.kills.extend(next.kills);
    }
}

/// The locals that are live when control reaches a statement: a backward analysis over the
/// statements. Objects whose address is taken are not told apart from live ones.
#[derive(Clone, Debug, Default)]
pub struct Live {
    before: Vec<Set>,
    /// Locals whose address is taken.
    pub escaping: Set,
}

impl Live {
    /// Analyses all functions. O(statements · locals) in practice.
    pub fn new(tree: &Tree, graph: &Graph) -> Live {
        let statements = tree.stmts.len();
        let mut effects = vec![Effect::default(); statements * 2];
        for (id, _) in tree.stmts.iter() {
            statement(tree, id, statements, &mut effects);
        }
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); statements * 2];
        for node in 0..statements * 2 {
            for &next in graph.successors(node) {
                readers[next].push(node);
            }
        }
        let mut before: Vec<Set> = effects.iter().map(|e| e.uses.clone()).collect();
        let mut todo: Vec<usize> = (0..statements * 2).collect();
        while let Some(node) = todo.pop() {
            for &earlier in &readers[node] {
                let kept = before[node].difference(&effects[earlier].kills);
                let fresh: Vec<ObjectIndex> =
                    kept.filter(|o| !before[earlier].contains(o)).copied().collect();
                if !fresh.is_empty() {
                    before[earlier].extend(fresh);
                    todo.push(earlier);
                }
            }
        }
        let taken = cfront::access::address_taken(tree);
        let escaping = taken.keys().filter(|&&o| is_automatic(tree, o));
        Live {
            before,
            escaping: escaping.map(|o| o.index()).collect(),
        }
    }

    /// Whether a local may be read, from a node on, before it is written.
    pub fn at(&self, node: usize, object: ObjectIndex) -> bool {
        self.escaping.contains(&object)
            || self.before.get(node).is_some_and(|set| set.contains(&object))
    }
}

/// The effects of the parts of a statement that are evaluated at its own nodes.
fn statement(tree: &Tree, id: StmtId, statements: usize, effects: &mut [Effect]) {
    let (node, condition) = (id.index(), statements + id.index());
    match &tree.stmts[id].kind {
        StmtKind::Compound { items, .. } => {
            for item in items {
                if let BlockItem::Decl(d) = item {
                    effects[node].uses.extend(declaration(tree, *d).uses);
                }
            }
        }
        StmtKind::Expr(Some(e)) => effects[node].then(expression(tree, *e)),
        StmtKind::If { cond, .. }
        | StmtKind::Switch { cond, .. }
        | StmtKind::While { cond, .. } => effects[node].then(expression(tree, *cond)),
        StmtKind::DoWhile { cond, .. } => effects[condition].then(expression(tree, *cond)),
        StmtKind::For {
            init, cond, step, ..
        } => {
            match init {
                ForInit::None => {}
                ForInit::Expr(e) => effects[node].then(expression(tree, *e)),
                ForInit::Decl(d) => effects[node].then(declaration(tree, *d)),
            }
            // The step is evaluated before the condition, except the first time.
            let parts = step.iter().chain(cond);
            let uses = parts.flat_map(|&e| expression(tree, e).uses);
            effects[condition].uses.extend(uses);
        }
        StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => {
            effects[node].then(expression(tree, *e));
        }
        StmtKind::Labeled {
            label: Label::Case(e),
            ..
        } => effects[node].then(expression(tree, *e)),
        StmtKind::Asm { mentions, .. } => {
            let named = |name: &String| {
                let objects = tree.objects.iter();
                objects
                    .filter(move |(_, o)| o.name == *name)
                    .map(|(o, _)| o.index())
                    .collect::<Vec<_>>()
            };
            let objects = mentions.iter().flat_map(|(name, _)| named(name));
            effects[node].uses.extend(objects);
        }
        _ => {}
    }
}

/// What the initialisers of a declaration read.
fn declaration(tree: &Tree, id: cfront::span::DeclId) -> Effect {
    let decl = &tree.decls[id];
    let mut exprs = decl.type_exprs.clone();
    for declared in &decl.declared {
        if let Some(init) = declared.init {
            tree.init_exprs(init, &mut exprs);
        }
    }
    let uses = exprs.into_iter().flat_map(|e| reads(tree, e));
    Effect {
        uses: uses.collect(),
        kills: Set::new(),
    }
}

/// What an expression reads, and what a plain assignment, or a list of them, writes.
fn expression(tree: &Tree, e: ExprId) -> Effect {
    match &tree.exprs[e].kind {
        ExprKind::Comma(list) => {
            let mut all = Effect::default();
            list.iter().for_each(|&e| all.then(expression(tree, e)));
            all
        }
        ExprKind::Assign {
            op: None, lhs, rhs, ..
        } => match tree.exprs[*lhs].kind {
            ExprKind::Ident(Resolved::Object(object)) => {
                let mut effect = expression(tree, *rhs);
                effect.kills.insert(object.index());
                effect
            }
            _ => Effect {
                uses: reads(tree, e),
                kills: Set::new(),
            },
        },
        _ => Effect {
            uses: reads(tree, e),
            kills: Set::new(),
        },
    }
}

/// Every local that an expression names, other than to assign to it as a whole or to a part of it.
fn reads(tree: &Tree, e: ExprId) -> Set {
    let mut found = Set::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[e].kind {
            let read = !matches!(usage(tree, e), Use::Write | Use::None);
            if read && is_automatic(tree, object) {
                found.insert(object.index());
            }
        }
        todo.extend(tree.children(e));
    }
    found
}

/// For the body of each `for` loop that steps a local once in each iteration and changes it nowhere
/// else: that local. Two visits of its head within one execution of the loop never see the same
/// value, so no lasso lies there.
pub fn counters(tree: &Tree, escaping: &Set) -> HashMap<usize, ObjectIndex> {
    let mut counters = HashMap::new();
    let writes = cfront::access::writes(tree);
    for (id, stmt) in tree.stmts.iter() {
        let StmtKind::For {
            step: Some(step),
            body,
            ..
        } = stmt.kind
        else {
            continue;
        };
        let ExprKind::IncDec { operand, .. } = tree.exprs[step].kind else {
            continue;
        };
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[operand].kind else {
            continue;
        };
        let inside = |e: ExprId| e != step && within(tree, Parent::Expr(e), id);
        let elsewhere = writes.iter().any(|w| {
            // The first part of the header runs once, before the first iteration.
            w.object == Some(object) && inside(w.expr) && !in_init(tree, id, w.expr)
        });
        let single = is_automatic(tree, object) && !escaping.contains(&object.index());
        if single && !elsewhere {
            counters.insert(body.index(), object.index());
        }
    }
    counters
}

fn in_init(tree: &Tree, id: StmtId, e: ExprId) -> bool {
    match tree.stmts[id].kind {
        StmtKind::For {
            init: ForInit::Expr(init),
            ..
        } => tree.exprs[init].span.encloses(tree.exprs[e].span),
        _ => false,
    }
}

/// The object as the facts number it.
pub(super) fn index(object: ObjectId) -> ObjectIndex {
    object.index()
}
