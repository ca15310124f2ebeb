//! The step form of a program has one loop, in which everything happens: constants that a program stores in its times in front of its
//! own loops are stored within that one. States may be shifted from where no thread comes to such a store any more, which its
//! position tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::access::{usage, Use};
use cfront::consteval::eval;
use cfront::flow::{Flow, PointId};
use cfront::span::{ExprId, FunctionId};
use cfront::stepped::{POSITION, POSITIONS, THREAD};
use cfront::tree::{ExprKind, Parent, Tree};

/// A point of a thread's function.
type Node = (usize, PointId);

/// How the threads of a program in step form go from position to position.
#[derive(Debug, Default)]
pub(super) struct Positions {
    threads: BTreeMap<usize, Flow>,
    functions: BTreeMap<FunctionId, usize>,
    /// Where each point may be come to from.
    before: BTreeMap<Node, Vec<Node>>,
}

impl Positions {
    /// Reads the steps of a program; nothing if it is not in step form, or a position is set that is not a constant, or is set
    /// outside of the steps. O(size of the steps).
    pub fn of(tree: &Tree) -> Positions {
        Self::read(tree).unwrap_or_default()
    }

    fn read(tree: &Tree) -> Option<Positions> {
        let mut out = Positions::default();
        for (id, function) in tree.functions.iter().filter(|(_, f)| f.body.is_some()) {
            let number = function.name.strip_prefix(THREAD);
            if let Some(number) = number.and_then(|n| n.parse().ok()) {
                out.functions.insert(id, number);
                out.threads.insert(number, Flow::new(tree, id).ok()?);
            }
        }
        for (&thread, flow) in &out.threads {
            for (from, _) in flow.points() {
                for &to in flow.next(from) {
                    let before = out.before.entry((thread, to)).or_default();
                    before.push((thread, from));
                }
            }
        }
        for (id, e) in tree.exprs.iter() {
            let ExprKind::Index { base, index, .. } = e.kind else {
                continue;
            };
            let is_position = tree
                .named(base)
                .is_some_and(|o| tree.objects[o].name == POSITIONS);
            if e.unevaluated || !is_position || usage(tree, id) == Use::Read {
                continue;
            }
            let Parent::Expr(parent) = e.parent else {
                return None;
            };
            let ExprKind::Assign {
                op: None, lhs, rhs, ..
            } = tree.exprs[parent].kind
            else {
                return None;
            };
            let thread = usize::try_from(eval(tree, index)?).ok()?;
            let to = eval(tree, rhs).filter(|_| lhs == id)?;
            let from = out.node(tree, id)?;
            // Behind the last position the thread has ended.
            let label = out.threads.get(&thread)?.label(&format!("{POSITION}{to}"));
            if let Some(label) = label {
                out.before.entry((thread, label)).or_default().push(from);
            }
        }
        Some(out)
    }

    /// Whether the program is in step form.
    pub fn are_known(&self) -> bool {
        !self.threads.is_empty()
    }

    fn node(&self, tree: &Tree, e: ExprId) -> Option<Node> {
        let thread = *self.functions.get(&tree.function_of(Parent::Expr(e))?)?;
        Some((thread, self.threads[&thread].point_of(tree, e)?))
    }

    /// Whether an expression is evaluated in a step of a thread, and there alone.
    pub fn has(&self, tree: &Tree, e: ExprId) -> bool {
        self.node(tree, e).is_some()
    }

    /// C that tells whether no thread comes to one of these expressions any more, where there are some.
    pub fn passed(&self, tree: &Tree, all: &BTreeSet<ExprId>) -> String {
        let mut work: Vec<Node> = all.iter().filter_map(|e| self.node(tree, *e)).collect();
        let mut seen: BTreeSet<Node> = work.iter().copied().collect();
        while let Some(node) = work.pop() {
            let before = self.before.get(&node).into_iter().flatten();
            work.extend(before.filter(|node| seen.insert(**node)));
        }
        let mut out = String::new();
        for (thread, flow) in &self.threads {
            let positions = flow.labels.keys().filter_map(|name| {
                let at: usize = name.strip_prefix(POSITION)?.parse().ok()?;
                let label = flow.label(name)?;
                seen.contains(&(*thread, label)).then_some(at)
            });
            let positions: BTreeSet<usize> = positions.collect();
            if positions.is_empty() {
                continue;
            }
            let cases: String = positions.iter().map(|at| format!("case {at}: ")).collect();
            let _ = write!(
                out,
                "switch ({POSITIONS}[{thread}]) {{ {cases}return 0; }} "
            );
        }
        out
    }
}
