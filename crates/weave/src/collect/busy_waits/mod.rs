//! Busy waits: loops of which some iteration may have no effect but to read. Such an iteration
//! changes nothing, so a run with it is a run without it, and a thread that makes no others any more
//! is blocked for good.

mod expressions;
mod walk;

use std::collections::HashMap;

use cfront::span::{ExprId, FunctionId, StmtId};
use cfront::tree::{BlockItem, Parent, StmtKind, Tree};

use crate::collect::irrelevant::Irrelevant;
use crate::facts::loops::{BusyGoto, BusyWait, Effect, Turn};
use crate::facts::{FunctionIndex, Range};
use walk::Walk;

/// What the search for busy waits looks things up in.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The program.
    pub tree: &'a Tree,
    /// Its functions.
    pub functions: &'a HashMap<FunctionId, FunctionIndex>,
    /// Its irrelevant variables and delays.
    pub irrelevant: &'a Irrelevant,
}

/// Looks whether a loop may be a busy wait; `None` if every iteration has an effect.
pub fn busy_wait(program: Program, id: StmtId, depth: i32) -> Option<BusyWait> {
    nested_wait(program, id, depth, 0)
}

/// So many loops deep an iteration is looked into; deeper ones count as an effect. Without the bound
/// loops within loops would take quadratic time.
const MOST_LOOPS: usize = 32;

/// As [`busy_wait`], for a loop in so many others that are looked at.
fn nested_wait(program: Program, id: StmtId, depth: i32, loops: usize) -> Option<BusyWait> {
    if loops > MOST_LOOPS {
        return None;
    }
    // A delay ends; its counter is irrelevant because nothing else depends on it.
    if program.irrelevant.delay(id).is_some() {
        return None;
    }
    let mut walk = Walk::new(program);
    walk.loops = loops;
    let (head, body, tail) = match &program.tree.stmts[id].kind {
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
    if !parts.into_iter().all(|e| walk.expr(e)) {
        return None;
    }
    walk.body(body, depth + 1)?;
    walk.finished()
}

/// How many items of a block a round by `goto` may have to be looked at. Longer ones are loops as any
/// other, so that many jumps over much text do not take quadratic time.
const LONGEST_ROUND: usize = 4096;

/// As [`busy_wait`], for a `goto` at a depth, to a labelled statement. The label stands in the same
/// block as the `goto`, or in one around it, with nothing but `if` between the two.
pub fn busy_goto(program: Program, id: StmtId, target: StmtId, depth: i32) -> Option<BusyGoto> {
    let tree = program.tree;
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
                let wait = rounds(program, range, label, depth)?;
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

fn rounds(program: Program, items: &[BlockItem], label: &str, depth: i32) -> Option<BusyWait> {
    let mut walk = Walk::new(program);
    walk.again = Some(label.to_string());
    walk.items(items, depth, false)?;
    let found = walk.finished()?;
    // Jumped into from elsewhere, nothing would tell what its variables were.
    (found.labels.len() == 1 || found.locals.is_empty()).then_some(found)
}
