//! Expressions whose value may depend on an order of evaluation that C leaves unspecified (C11 6.5 and
//! 6.5.2.2): one operand writes an object of static storage that another one reads or writes. Model checkers
//! evaluate in textual order.

use std::collections::{BTreeSet, HashMap};

use cfront::access::{usage, Use};
use cfront::calls::CallGraph;
use cfront::span::{ExprId, FunctionId, ObjectId};
use cfront::tree::{BinaryOp, ExprKind, Resolved};
use cfront::Unit;

/// The objects of static storage that an operand reads and writes.
#[derive(Clone, Debug, Default)]
struct Touched {
    reads: BTreeSet<ObjectId>,
    writes: BTreeSet<ObjectId>,
}

impl Touched {
    fn add(&mut self, other: &Touched) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    /// The objects that one operand writes and the other one reads or writes.
    fn conflicts(&self, other: &Touched) -> BTreeSet<ObjectId> {
        let one = |a: &Touched, b: &Touched| {
            let touched = b.reads.union(&b.writes).copied().collect();
            a.writes.intersection(&touched).copied().collect::<Vec<_>>()
        };
        let both = [one(self, other), one(other, self)].concat();
        both.into_iter().collect()
    }
}

/// The expressions, each with the objects whose values depend on the order. Only expressions with an operand
/// that calls a function of the program are considered: compilers warn of the others. Complexity: linear in the
/// expressions and, once per called function, in the code that the function reaches.
pub fn find(unit: &Unit) -> Vec<(ExprId, BTreeSet<ObjectId>)> {
    let mut effects = Effects {
        unit,
        graph: None,
        known: HashMap::new(),
    };
    let mut found = Vec::new();
    for (id, expr) in unit.tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let operands: Vec<ExprId> = match &expr.kind {
            ExprKind::Binary(op, a, b) if !matches!(op, BinaryOp::And | BinaryOp::Or) => {
                vec![*a, *b]
            }
            ExprKind::Call { args, .. } => args.clone(),
            ExprKind::Index { base, index } => vec![*base, *index],
            _ => continue,
        };
        if operands.len() < 2 || !operands.iter().any(|&o| effects.calls(o)) {
            continue;
        }
        let touched: Vec<Touched> = operands.iter().map(|&o| effects.of(o)).collect();
        let pairs = touched
            .iter()
            .enumerate()
            .flat_map(|(i, a)| touched[i + 1..].iter().map(move |b| a.conflicts(b)));
        let objects: BTreeSet<ObjectId> = pairs.flatten().collect();
        if !objects.is_empty() {
            found.push((id, objects));
        }
    }
    found
}

struct Effects<'a> {
    unit: &'a Unit,
    graph: Option<CallGraph>,
    known: HashMap<FunctionId, Touched>,
}

impl Effects<'_> {
    /// The function of the program that an expression calls, if the expression is such a call.
    fn callee(&self, id: ExprId) -> Option<FunctionId> {
        let tree = &self.unit.tree;
        let ExprKind::Call { callee, .. } = tree.exprs[id].kind else {
            return None;
        };
        match tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) if tree.functions[f].body.is_some() => Some(f),
            _ => None,
        }
    }

    /// Whether an expression contains a call of a function of the program.
    fn calls(&self, id: ExprId) -> bool {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if self.callee(id).is_some() {
                return true;
            }
            todo.extend(self.unit.tree.children(id));
        }
        false
    }

    /// The objects that an expression reads and writes, those of called functions included.
    fn of(&mut self, id: ExprId) -> Touched {
        let tree = &self.unit.tree;
        let (mut out, mut todo) = (Touched::default(), vec![id]);
        while let Some(id) = todo.pop() {
            if let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[id].kind {
                if tree.objects[object].is_static_duration() {
                    let used = usage(tree, id);
                    if matches!(used, Use::Read | Use::ReadWrite) {
                        out.reads.insert(object);
                    }
                    if matches!(used, Use::Write | Use::ReadWrite) {
                        out.writes.insert(object);
                    }
                }
            }
            if let Some(function) = self.callee(id) {
                out.add(&self.function(function));
            }
            todo.extend(tree.children(id));
        }
        out
    }

    fn function(&mut self, function: FunctionId) -> Touched {
        if let Some(known) = self.known.get(&function) {
            return known.clone();
        }
        let unit = self.unit;
        let graph = self.graph.get_or_insert_with(|| CallGraph::new(&unit.tree));
        let effects = unit.effects(graph, function);
        let touched = Touched {
            reads: effects.reads,
            writes: effects.writes.into_iter().map(|(o, _)| o).collect(),
        };
        self.known.insert(function, touched.clone());
        touched
    }
}
