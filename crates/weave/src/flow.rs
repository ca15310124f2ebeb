//! The control flow graph over statements. A node is a statement, reached when control comes to it;
//! `for` and `do` have a second node, where the condition is evaluated.

use std::collections::HashMap;

use cfront::span::{ExprId, FunctionId, Id, StmtId};
use cfront::tree::{BlockItem, ExprKind, Label, StmtKind, Tree};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::collect::Targets;
use crate::facts::FunctionIndex;
use crate::weaver::Flow;

/// The control flow of all functions of a unit.
pub struct Graph {
    successors: Vec<Vec<usize>>,
    targets: HashMap<usize, usize>,
    /// Bodies at whose end control can arrive.
    falls_off: std::collections::HashSet<usize>,
    /// For each node its strongly connected component, `None` if control cannot come back to it.
    cycle: Vec<Option<usize>>,
}

/// Where control goes from a place; `None` leaves the function.
type Next = Option<usize>;

impl Graph {
    /// Builds the graph. Linear in the number of statements.
    pub fn new(tree: &Tree) -> Graph {
        let statements = tree.stmts.len();
        let mut builder = Builder {
            tree,
            statements,
            successors: vec![Vec::new(); statements * 2],
            targets: HashMap::new(),
            labels: HashMap::new(),
            label_addresses: HashMap::new(),
            exits: vec![false; statements * 2],
        };
        builder.collect_labels();
        for (_, function) in tree.functions.iter() {
            if let Some(body) = &function.body {
                builder.statement(body.block, None, Jumps::default());
            }
        }
        let cycle = cycles(&builder.successors);
        let mut graph = Graph {
            successors: builder.successors,
            targets: builder.targets,
            cycle,
            falls_off: Default::default(),
        };
        let bodies = tree.functions.iter().filter_map(|(_, f)| f.body.as_ref());
        for body in bodies.map(|b| b.block.index()) {
            if graph.arrives(body, &builder.exits) {
                graph.falls_off.insert(body);
            }
        }
        graph
    }
}

impl Graph {
    /// Whether control that enters a body can arrive at a node that goes on to the body's end.
    fn arrives(&self, body: usize, exits: &[bool]) -> bool {
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            if seen.insert(node) {
                if exits[node] {
                    return true;
                }
                stack.extend(self.successors[node].iter().copied());
            }
        }
        false
    }
}

fn cycles(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut graph = DiGraph::<(), ()>::with_capacity(successors.len(), successors.len());
    for _ in successors {
        graph.add_node(());
    }
    for (from, list) in successors.iter().enumerate() {
        for &to in list {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    let mut cycle = vec![None; successors.len()];
    for (number, component) in petgraph::algo::kosaraju_scc(&graph).into_iter().enumerate() {
        let looping = component.len() > 1
            || component
                .first()
                .is_some_and(|n| successors[n.index()].contains(&n.index()));
        if looping {
            component
                .iter()
                .for_each(|n| cycle[n.index()] = Some(number));
        }
    }
    cycle
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy, Default)]
struct Jumps {
    on_break: Option<Next>,
    on_continue: Option<Next>,
    switch: Option<usize>,
}

struct Builder<'a> {
    tree: &'a Tree,
    statements: usize,
    successors: Vec<Vec<usize>>,
    targets: HashMap<usize, usize>,
    labels: HashMap<(Option<FunctionId>, String), usize>,
    label_addresses: HashMap<Option<FunctionId>, Vec<usize>>,
    /// Nodes from which control can go to the end of the function's body.
    exits: Vec<bool>,
}

impl Builder<'_> {
    fn collect_labels(&mut self) {
        for (id, stmt) in self.tree.stmts.iter() {
            if let StmtKind::Labeled {
                label: Label::Named(name),
                ..
            } = &stmt.kind
            {
                self.labels
                    .insert((stmt.function, name.clone()), id.index());
                self.label_addresses
                    .entry(stmt.function)
                    .or_default()
                    .push(id.index());
            }
        }
    }

    fn edge(&mut self, from: usize, to: Next) {
        if let Some(to) = to {
            if !self.successors[from].contains(&to) {
                self.successors[from].push(to);
            }
        } else {
            self.exits[from] = true;
        }
    }

    fn statement(&mut self, id: StmtId, next: Next, jumps: Jumps) {
        let node = id.index();
        let condition = self.statements + node;
        match self.tree.stmts[id].kind.clone() {
            StmtKind::Compound { items, .. } => self.block(node, &items, next, jumps),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.edge(node, Some(then.index()));
                self.edge(node, otherwise.map(Id::index).or(next));
                self.nested(node, Some(cond), next);
                self.statement(then, next, jumps);
                otherwise
                    .into_iter()
                    .for_each(|s| self.statement(s, next, jumps));
            }
            StmtKind::Switch { cond, body, .. } => {
                self.nested(node, Some(cond), next);
                let inner = Jumps {
                    on_break: Some(next),
                    switch: Some(node),
                    ..jumps
                };
                self.statement(body, next, inner);
                if !self.has_default(node) {
                    self.edge(node, next);
                }
            }
            StmtKind::While { cond, body, .. } => {
                self.nested(node, Some(cond), Some(node));
                self.branch(node, cond, body, next);
                let inner = Jumps {
                    on_break: Some(next),
                    on_continue: Some(Some(node)),
                    ..jumps
                };
                self.statement(body, Some(node), inner);
            }
            StmtKind::DoWhile { body, cond, .. } => {
                self.edge(node, Some(body.index()));
                self.nested(condition, Some(cond), Some(condition));
                self.branch(condition, cond, body, next);
                let inner = Jumps {
                    on_break: Some(next),
                    on_continue: Some(Some(condition)),
                    ..jumps
                };
                self.statement(body, Some(condition), inner);
            }
            StmtKind::For {
                cond, step, body, ..
            } => {
                self.edge(node, Some(condition));
                self.nested(condition, cond.into_iter().chain(step), Some(condition));
                match cond {
                    Some(cond) => self.branch(condition, cond, body, next),
                    None => self.edge(condition, Some(body.index())),
                }
                let inner = Jumps {
                    on_break: Some(next),
                    on_continue: Some(Some(condition)),
                    ..jumps
                };
                self.statement(body, Some(condition), inner);
            }
            StmtKind::Labeled { label, body, .. } => {
                if let (Some(switch), true) = (jumps.switch, !matches!(label, Label::Named(_))) {
                    self.edge(switch, Some(node));
                }
                self.edge(node, Some(body.index()));
                self.statement(body, next, jumps);
            }
            kind => self.simple(id, &kind, next, jumps),
        }
    }

    fn simple(&mut self, id: StmtId, kind: &StmtKind, next: Next, jumps: Jumps) {
        let node = id.index();
        let function = self.tree.stmts[id].function;
        match kind {
            StmtKind::Goto { label, .. } => {
                if let Some(&target) = self.labels.get(&(function, label.clone())) {
                    self.jump(node, Some(target));
                }
            }
            StmtKind::Break => self.jump(node, jumps.on_break.flatten()),
            StmtKind::Continue => self.jump(node, jumps.on_continue.flatten()),
            StmtKind::GotoComputed(_) => {
                for target in self
                    .label_addresses
                    .get(&function)
                    .cloned()
                    .unwrap_or_default()
                {
                    self.edge(node, Some(target));
                }
            }
            StmtKind::Return(value) => self.nested(node, *value, None),
            StmtKind::Expr(e) => {
                self.edge(node, next);
                self.nested(node, *e, next);
            }
            _ => self.edge(node, next),
        }
    }

    fn jump(&mut self, node: usize, target: Next) {
        self.edge(node, target);
        // A jump to the end of the function leads nowhere else; its own number stands for that.
        self.targets.insert(node, target.unwrap_or(usize::MAX));
    }

    fn block(&mut self, node: usize, items: &[BlockItem], next: Next, jumps: Jumps) {
        let statements: Vec<StmtId> = items
            .iter()
            .filter_map(|item| match item {
                BlockItem::Stmt(s) => Some(*s),
                BlockItem::Decl(_) => None,
            })
            .collect();
        self.edge(node, statements.first().map(|s| s.index()).or(next));
        for (i, &statement) in statements.iter().enumerate() {
            let after = statements.get(i + 1).map(|s| s.index()).or(next);
            self.statement(statement, after, jumps);
        }
    }

    /// The two ways of a loop's condition; a constant one has one way.
    fn branch(&mut self, node: usize, cond: ExprId, body: StmtId, next: Next) {
        let constant = match self.tree.exprs[cond].kind {
            ExprKind::Int(value) => value.map(|v| v != 0),
            _ => None,
        };
        if constant != Some(false) {
            self.edge(node, Some(body.index()));
        }
        if constant != Some(true) {
            self.edge(node, next);
        }
    }

    /// Statement expressions inside expressions: control goes through them and comes back.
    fn nested(&mut self, node: usize, roots: impl IntoIterator<Item = ExprId>, next: Next) {
        let mut todo: Vec<ExprId> = roots.into_iter().collect();
        while let Some(e) = todo.pop() {
            if let ExprKind::StmtExpr(s) = self.tree.exprs[e].kind {
                self.edge(node, Some(s.index()));
                self.statement(s, next.or(Some(node)), Jumps::default());
            }
            todo.extend(self.tree.children(e));
        }
    }

    fn has_default(&self, switch: usize) -> bool {
        self.successors[switch].iter().any(|&s| {
            s < self.statements
                && matches!(
                    self.tree.stmts[StmtId::from_index(s)].kind,
                    StmtKind::Labeled {
                        label: Label::Default,
                        ..
                    }
                )
        })
    }
}

impl Flow for Graph {
    fn reaches(
        &self,
        _function: FunctionIndex,
        from: usize,
        to: usize,
        avoiding: Option<usize>,
    ) -> bool {
        let Some(first) = self.successors.get(from) else {
            return false;
        };
        let mut seen = std::collections::HashSet::new();
        let mut stack = first.clone();
        while let Some(node) = stack.pop() {
            if node == to {
                return true;
            }
            if Some(node) != avoiding && seen.insert(node) {
                stack.extend(self.successors[node].iter().copied());
            }
        }
        false
    }
}

impl Targets for Graph {
    fn target(&self, jump: StmtId) -> Option<usize> {
        self.targets.get(&jump.index()).copied()
    }

    fn falls_off(&self, body: StmtId) -> bool {
        self.falls_off.contains(&body.index())
    }

    fn repeated(&self, statement: StmtId) -> bool {
        let condition = self.successors.len() / 2 + statement.index();
        let within = |node: usize| self.cycle.get(node).is_some_and(Option::is_some);
        within(statement.index()) || within(condition)
    }

    fn leads(&self, from: StmtId, to: StmtId) -> bool {
        let of = |s: StmtId| self.cycle.get(s.index()).copied().flatten();
        of(from).is_some() && of(from) == of(to)
    }
}
