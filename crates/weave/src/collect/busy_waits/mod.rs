//! Busy waits: loops with an iteration that may only read. Such an iteration changes nothing, so a run with it
//! is equivalent to the run without it, and a thread that makes only such iterations is blocked for good.

mod expressions;
mod walk;

use std::collections::HashMap;

use cfront::span::{ExprId, FunctionId, StmtId};
use cfront::tree::{BlockItem, Parent, StmtKind, Tree};

use crate::collect::irrelevant::Irrelevant;
use crate::facts::loops::{BusyGoto, BusyWait, Effect, Turn};
use crate::facts::{FunctionIndex, Range};
use walk::Walk;

/// What the search needs of the program.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The program.
    pub tree: &'a Tree,
    /// Its functions.
    pub functions: &'a HashMap<FunctionId, FunctionIndex>,
    /// Its irrelevant variables and delays.
    pub irrelevant: &'a Irrelevant,
}

/// How to recognise a busy wait's iterations without effect; `None` if every iteration of the loop has an
/// effect.
pub fn busy_wait(program: Program, id: StmtId, depth: i32) -> Option<BusyWait> {
    nested_wait(program, id, depth, 0)
}

/// The deepest nesting of loops that is searched; deeper loops count as an effect. Without the bound, nested
/// loops would take quadratic time.
const MOST_LOOPS: usize = 32;

/// Like [`busy_wait`], for a loop inside `loops` others that are searched, too.
fn nested_wait(program: Program, id: StmtId, depth: i32, loops: usize) -> Option<BusyWait> {
    if loops > MOST_LOOPS {
        return None;
    }
    // A delay terminates, so it is not a wait; its counter is irrelevant.
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

/// The most items of a block that a round made by `goto` may span. Longer rounds are treated like any other
/// loop, so that many jumps over much text do not take quadratic time.
const LONGEST_ROUND: usize = 4096;

/// Like [`busy_wait`], for a `goto` at a depth to a labelled statement. The label stands in the block of the
/// `goto`, or in an enclosing one, with nothing but `if` and labels between the two.
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

/// The item of a block that a labelled statement is part of, with all labels in front, and that block.
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

/// The position of a statement among the items of its block, by binary search.
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
    // Control that enters at another label skips the copies of the variables' values.
    (found.labels.len() == 1 || found.locals.is_empty()).then_some(found)
}
