//! Control flow of a function: which point can follow which, labels, jumps and loops.
//!
//! A point is an evaluation (an expression statement, a condition, a declaration), a label, or an
//! end. The graph contains at least the paths that a run can take. Operands of `&&`, `||` and `?:`
//! count as evaluated, except that a statement expression may be skipped. The graph leaves out the
//! dead branches of constant conditions, the points after calls of functions that do not return, and
//! the second evaluation of the condition of a loop that is a block.

mod block;
mod build;

use std::collections::HashMap;

pub use block::{is_at_most_once, is_once};

use crate::diag::Diagnostic;
use crate::span::{DeclId, ExprId, FunctionId, Offset, Span, StmtId};
use crate::tree::{Parent, StmtKind, Tree};

/// A point of a control flow graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PointId(u32);

impl PointId {
    /// The number of the point in its function, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The point with this number.
    pub fn from_index(index: usize) -> PointId {
        PointId(index as u32)
    }
}

/// What happens at a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// The function is entered.
    Entry,
    /// The function returns to its caller.
    Exit,
    /// An expression statement, `return`, jump or assembler statement is reached.
    Stmt(StmtId),
    /// The condition of this `if`, `switch` or loop is evaluated.
    Cond(StmtId),
    /// The first part of this `for` is evaluated (declarations are points of their own).
    ForInit(StmtId),
    /// The third part of this `for` is evaluated.
    ForStep(StmtId),
    /// The initializers and array lengths of this declaration are evaluated.
    Decl(DeclId),
    /// This label (statement) is reached, by falling through or by a jump.
    Label(StmtId),
    /// The evaluation of an expression begins that contains this statement expression.
    Enter(ExprId),
    /// A call in this statement or evaluation does not return: it ends the run, the thread or the
    /// stack frame (`exit`, `pthread_exit`, `longjmp`, …).
    NoReturn(ExprId),
}

/// The target of a jump.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// To this label statement.
    Label(StmtId),
    /// Behind this loop or `switch`.
    Behind(StmtId),
    /// To the next iteration of this loop.
    Next(StmtId),
    /// Out of the function.
    Caller,
    /// To one of these label statements (`goto *e`, `asm goto`).
    AnyOf(Vec<StmtId>),
}

/// A jump statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jump {
    /// The `goto`, `break`, `continue`, `return` or `asm goto`.
    pub stmt: StmtId,
    /// The target.
    pub target: Target,
}

/// The kind of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// `while`
    While,
    /// `do … while`
    DoWhile,
    /// `for`
    For,
    /// A jump back to a label that can reach the jump.
    Goto,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The kind.
    pub kind: LoopKind,
    /// The loop statement, or the jump.
    pub stmt: StmtId,
    /// The body statement; for a jump back, the label statement that it jumps to.
    pub body: StmtId,
    /// The text that is repeated: the whole loop statement, or the text from the label to the jump.
    pub span: Span,
}

/// The control flow of one function.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The function.
    pub function: FunctionId,
    points: Vec<Point>,
    next: Vec<Vec<PointId>>,
    entry: PointId,
    exit: PointId,
    /// Label statements by label name.
    pub labels: HashMap<String, StmtId>,
    /// Jumps in the order of the text.
    pub jumps: Vec<Jump>,
    /// Loops in the order of the text.
    pub loops: Vec<Loop>,
    /// Whether there is a computed `goto` or `asm goto`.
    pub computed: bool,
    /// The first point of each statement.
    first: HashMap<StmtId, PointId>,
    index: HashMap<Point, PointId>,
}

impl Flow {
    /// Builds the control flow of a function.
    ///
    /// # Errors
    /// If a label is defined twice or not at all, or a jump stands outside of a loop. A function
    /// without body has a flow from entry to exit.
    pub fn new(tree: &Tree, function: FunctionId) -> Result<Flow, Vec<Diagnostic>> {
        build::build(tree, function)
    }

    /// The point where the function begins.
    pub fn entry(&self) -> PointId {
        self.entry
    }

    /// The point where the function returns.
    pub fn exit(&self) -> PointId {
        self.exit
    }

    /// What happens at a point.
    pub fn point(&self, id: PointId) -> Point {
        self.points[id.index()]
    }

    /// All points.
    pub fn points(&self) -> impl Iterator<Item = (PointId, Point)> + '_ {
        self.points
            .iter()
            .enumerate()
            .map(|(i, p)| (PointId::from_index(i), *p))
    }

    /// The direct successors of a point.
    pub fn next(&self, id: PointId) -> &[PointId] {
        &self.next[id.index()]
    }

    /// The id of a point.
    pub fn at(&self, point: Point) -> Option<PointId> {
        self.index.get(&point).copied()
    }

    /// The point at which an expression of the function is evaluated.
    pub fn point_of(&self, tree: &Tree, of: ExprId) -> Option<PointId> {
        let (mut at, mut below) = (tree.exprs[of].parent, of);
        loop {
            at = match at {
                Parent::Expr(e) => {
                    below = e;
                    tree.exprs[e].parent
                }
                Parent::Init(i) => tree.inits[i].parent,
                Parent::Decl(d) | Parent::Declarator(d, _) => return self.at(Point::Decl(d)),
                Parent::Stmt(s) => {
                    let point = match &tree.stmts[s].kind {
                        StmtKind::For { cond, step, .. } => match below {
                            e if *cond == Some(e) => Point::Cond(s),
                            e if *step == Some(e) => Point::ForStep(s),
                            _ => Point::ForInit(s),
                        },
                        StmtKind::If { .. }
                        | StmtKind::Switch { .. }
                        | StmtKind::While { .. }
                        | StmtKind::DoWhile { .. } => Point::Cond(s),
                        _ => Point::Stmt(s),
                    };
                    return self.at(point);
                }
                _ => return None,
            }
        }
    }

    /// The first point of a statement; nothing if it belongs to another function.
    pub fn first_of(&self, stmt: StmtId) -> Option<PointId> {
        self.first.get(&stmt).copied()
    }

    /// The point of a label.
    pub fn label(&self, name: &str) -> Option<PointId> {
        self.at(Point::Label(*self.labels.get(name)?))
    }

    /// Whether the function may come to its end.
    pub fn returns(&self) -> bool {
        self.reaches(self.entry(), self.exit(), &[])
    }

    /// Whether a path of at least one step leads from one point to another without passing any
    /// point of `avoiding`. Both ends may be among `avoiding`: leaving `from` and arriving at `to`
    /// do not count as passing.
    pub fn reaches(&self, from: PointId, to: PointId, avoiding: &[PointId]) -> bool {
        self.reachable(from, avoiding)[to.index()]
    }

    /// For every point (by index), whether a path of at least one step leads to it from `from`
    /// without passing any point of `avoiding` before.
    pub fn reachable(&self, from: PointId, avoiding: &[PointId]) -> Vec<bool> {
        let mut seen = vec![false; self.points.len()];
        let mut work = vec![from];
        while let Some(at) = work.pop() {
            for &next in self.next(at) {
                if !std::mem::replace(&mut seen[next.index()], true) && !avoiding.contains(&next) {
                    work.push(next);
                }
            }
        }
        seen
    }

    /// The points that a path of at least one step leads to from `from` without passing any point
    /// of `avoiding` before.
    pub fn reachable_from(&self, from: PointId, avoiding: &[PointId]) -> Vec<PointId> {
        let seen = self.reachable(from, avoiding);
        self.points()
            .map(|(id, _)| id)
            .filter(|id| seen[id.index()])
            .collect()
    }

    /// Whether control can reach the end of the body without a `return`.
    pub fn falls_off(&self, tree: &Tree) -> bool {
        let live = self.reachable(self.entry, &[]);
        self.points().any(|(id, point)| {
            let returns = matches!(point, Point::Stmt(s) if matches!(tree.stmts[s].kind, StmtKind::Return(_)));
            (id == self.entry || live[id.index()]) && !returns && self.next(id).contains(&self.exit)
        })
    }

    /// For every point (by index), the number of its strongly connected component; `None` if
    /// control cannot come back to the point. Linear.
    pub fn cycles(&self) -> Vec<Option<usize>> {
        let edges = self.points().flat_map(|(from, _)| {
            let next = self.next(from).iter();
            next.map(move |to| (from.0, to.0))
        });
        let mut graph = petgraph::graph::DiGraph::<(), ()>::from_edges(edges);
        while graph.node_count() < self.points.len() {
            graph.add_node(());
        }
        let mut cycle = vec![None; self.points.len()];
        let components = petgraph::algo::kosaraju_scc(&graph);
        for (number, component) in components.into_iter().enumerate() {
            let looping = match component.as_slice() {
                [one] => graph.contains_edge(*one, *one),
                _ => true,
            };
            for point in component.into_iter().filter(|_| looping) {
                cycle[point.index()] = Some(number);
            }
        }
        cycle
    }

    /// Whether control can reach the point from the entry.
    pub fn is_live(&self, point: PointId) -> bool {
        point == self.entry || self.reaches(self.entry, point, &[])
    }

    /// The jump that a statement makes.
    pub fn jump(&self, stmt: StmtId) -> Option<&Jump> {
        self.jumps.iter().find(|j| j.stmt == stmt)
    }
}

/// The offset at which a statement begins.
pub(crate) fn start(tree: &Tree, stmt: StmtId) -> Offset {
    tree.stmts[stmt].span.start
}
