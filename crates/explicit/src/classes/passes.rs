//! Loops that ask the environment for nothing: a step need not end at their heads.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cfront::consteval::eval;
use cfront::span::{ExprId, FunctionId, StmtId};
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind, Tree};
use cfront::{CallGraph, Span, Unit};

use crate::flows::called;
use crate::text::ARRIVES;

/// The beginning of the names of functions that choose.
const CHOOSES: &str = "nondet_ba_";

/// A C function that tells for the site of a head whether its loop asks for nothing. At these offsets of the text, locals get
/// chosen values.
pub(super) fn passes(unit: &Unit, chosen_at: &[usize]) -> String {
    let tree = &unit.tree;
    let mut choosing = Choosing::new(tree, chosen_at);
    let mut cases = String::new();
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        if called(tree, *callee).is_none_or(|f| tree.functions[f].name != ARRIVES) {
            continue;
        }
        let site = args.first().and_then(|site| eval(tree, *site));
        let around = tree.statement_of(Parent::Expr(call));
        let around = around.and_then(|stmt| loop_around(tree, stmt));
        if let (Some(site), Some(around)) = (site, around) {
            if !choosing.is_in(tree.stmts[around].span) {
                let _ = write!(cases, "case {site}: ");
            }
        }
    }
    if !cases.is_empty() {
        cases.push_str("return 1; ");
    }
    format!("int ba_x_passes(unsigned at) {{ switch (at) {{ {cases}default: return 0; }} }}\n")
}

/// The innermost loop around a statement.
fn loop_around(tree: &Tree, stmt: StmtId) -> Option<StmtId> {
    let mut at = Parent::Stmt(stmt);
    while let Parent::Stmt(stmt) = at {
        if matches!(
            tree.stmts[stmt].kind,
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. }
        ) {
            return Some(stmt);
        }
        at = tree.stmts[stmt].parent;
    }
    None
}

/// What tells whether a part of the text asks the environment.
struct Choosing<'a> {
    tree: &'a Tree,
    graph: CallGraph,
    /// Where the calls of the text are, and what they call, in the order of the text.
    calls: Vec<(Span, ExprId)>,
    chosen_at: &'a [usize],
    /// Whether the functions that were looked at ask.
    known: BTreeMap<FunctionId, bool>,
}

impl<'a> Choosing<'a> {
    fn new(tree: &'a Tree, chosen_at: &'a [usize]) -> Choosing<'a> {
        let evaluated = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        let calls = evaluated.filter_map(|(_, e)| match e.kind {
            ExprKind::Call { callee, .. } => Some((e.span, callee)),
            _ => None,
        });
        let mut calls: Vec<(Span, ExprId)> = calls.collect();
        calls.sort_by_key(|(span, _)| span.start);
        Choosing {
            tree,
            graph: CallGraph::new(tree),
            calls,
            chosen_at,
            known: BTreeMap::new(),
        }
    }

    /// Whether executing a part of the text may ask; what a pointer calls may.
    fn is_in(&mut self, span: Span) -> bool {
        if self.chosen_at.iter().any(|at| span.contains(*at)) {
            return true;
        }
        let first = self
            .calls
            .partition_point(|(call, _)| call.start < span.start);
        let behind = self.calls[first..].iter();
        let behind = behind.take_while(|(call, _)| call.start < span.end);
        let within = behind.filter(|(call, _)| span.encloses(*call));
        let callees: Vec<ExprId> = within.map(|(_, callee)| *callee).collect();
        callees.into_iter().any(|callee| self.asks(callee))
    }

    fn asks(&mut self, callee: ExprId) -> bool {
        let Some(function) = called(self.tree, callee) else {
            let builtin = &self.tree.exprs[callee].kind;
            return !matches!(builtin, ExprKind::Ident(Resolved::Unknown(name)) if !name.starts_with(CHOOSES));
        };
        let f = &self.tree.functions[function];
        let Some(body) = &f.body else {
            return f.name.starts_with(CHOOSES);
        };
        if self.graph.is_recursive(function) {
            return true;
        }
        if let Some(known) = self.known.get(&function) {
            return *known;
        }
        let asks = self.is_in(self.tree.stmts[body.block].span);
        self.known.insert(function, asks);
        asks
    }
}
