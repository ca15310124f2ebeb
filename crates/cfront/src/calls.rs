//! Who calls whom: direct calls, functions whose address is taken, threads, recursion.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::alias::Aliases;
use crate::span::{ExprId, FunctionId, Id};
use crate::tree::{ExprKind, Parent, Resolved, Tree};

/// The target of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// This function.
    Direct(FunctionId),
    /// Any function whose address is taken, or one of another unit: the target of this pointer.
    Indirect(ExprId),
    /// A builtin of the compiler.
    Builtin(String),
}

/// A call that can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function that contains the call; `None` in an initializer at file scope.
    pub caller: Option<FunctionId>,
    /// The call.
    pub expr: ExprId,
    /// The target.
    pub callee: Callee,
}

/// A call that starts a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The function that contains the call.
    pub caller: Option<FunctionId>,
    /// The call of `pthread_create` or `thrd_create`.
    pub call: ExprId,
    /// The function that the thread begins with, if the call names it.
    pub function: Option<FunctionId>,
}

/// The call graph of a unit.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// Calls in the order of the expressions; calls that are never evaluated are left out.
    pub calls: Vec<Call>,
    /// Starts of threads.
    pub starts: Vec<Start>,
    /// Functions whose address is taken, and where.
    pub address_taken: BTreeMap<FunctionId, Vec<ExprId>>,
    /// For each function, the functions that it may call, directly or through a pointer. A function
    /// without body may call back the functions that it is given; they count as called by its
    /// caller. The function that a thread begins with does not count as called.
    callees: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    recursive: BTreeSet<FunctionId>,
}

impl CallGraph {
    /// Builds the call graph: a call through a pointer may call every function whose address is taken.
    pub fn new(tree: &Tree) -> CallGraph {
        Self::with(tree, |_| None)
    }

    /// Builds the call graph: a call through a pointer calls what the points-to analysis finds.
    pub fn resolved(tree: &Tree, aliases: &Aliases) -> CallGraph {
        Self::with(tree, |callee| {
            let pointed = aliases.may_point_to(callee);
            (!pointed.anything).then_some(pointed.functions)
        })
    }

    /// Builds the call graph; `targets` gives the functions that a pointer may point to, if they are
    /// known.
    fn with(tree: &Tree, targets: impl Fn(ExprId) -> Option<BTreeSet<FunctionId>>) -> CallGraph {
        let mut graph = CallGraph {
            calls: Vec::new(),
            starts: Vec::new(),
            address_taken: BTreeMap::new(),
            callees: BTreeMap::new(),
            recursive: BTreeSet::new(),
        };
        graph.collect(tree);
        graph.link(tree, targets);
        graph.find_recursion(tree);
        graph
    }

    /// The functions that a function may call.
    pub fn callees(&self, function: FunctionId) -> impl Iterator<Item = FunctionId> + '_ {
        self.callees.get(&function).into_iter().flatten().copied()
    }

    /// The functions that may run: those that `main`, these functions, threads and pointers lead to.
    pub fn may_run<'n>(
        &self,
        tree: &Tree,
        others: impl Iterator<Item = &'n str>,
    ) -> BTreeSet<FunctionId> {
        let named = others
            .chain(["main"])
            .filter_map(|name| tree.function_named(name));
        let started = self.starts.iter().filter_map(|start| start.function);
        let taken = self.address_taken.keys().copied();
        let roots = named.chain(started).chain(taken);
        roots.flat_map(|root| self.reachable(root)).collect()
    }

    /// The functions that may run during a call of this one, itself included.
    pub fn reachable(&self, function: FunctionId) -> BTreeSet<FunctionId> {
        let mut seen = BTreeSet::from([function]);
        let mut work = vec![function];
        while let Some(f) = work.pop() {
            work.extend(self.callees(f).filter(|&g| seen.insert(g)));
        }
        seen
    }

    /// Whether a function may be called again before it returns, by itself or by other functions.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive.contains(&function)
    }

    fn collect(&mut self, tree: &Tree) {
        let functions = tree.functions_of_expressions();
        for (id, expr) in tree.exprs.iter() {
            if expr.unevaluated || matches!(expr.parent, Parent::Fragment) {
                continue;
            }
            match &expr.kind {
                ExprKind::Call { callee, args, .. } => {
                    let caller = functions[id.index()];
                    self.call(tree, caller, (id, *callee), args);
                }
                ExprKind::Ident(Resolved::Function(f)) if !is_called(tree, id) => {
                    self.address_taken.entry(*f).or_default().push(id);
                }
                _ => {}
            }
        }
    }

    fn call(
        &mut self,
        tree: &Tree,
        caller: Option<FunctionId>,
        (id, callee): (ExprId, ExprId),
        args: &[ExprId],
    ) {
        let target = match named_function(tree, callee) {
            Some(f) => Callee::Direct(f),
            None => match &tree.exprs[callee].kind {
                ExprKind::Ident(Resolved::Unknown(name)) => Callee::Builtin(name.clone()),
                _ => Callee::Indirect(callee),
            },
        };
        if let Callee::Direct(f) = target {
            if let Some(index) = crate::library::thread_argument(&tree.functions[f].name) {
                let function = args.get(index).and_then(|&a| named_function(tree, a));
                self.starts.push(Start {
                    caller,
                    call: id,
                    function,
                });
            }
        }
        self.calls.push(Call {
            caller,
            expr: id,
            callee: target,
        });
    }

    fn link(&mut self, tree: &Tree, targets: impl Fn(ExprId) -> Option<BTreeSet<FunctionId>>) {
        let taken: BTreeSet<FunctionId> = self.address_taken.keys().copied().collect();
        for call in &self.calls {
            let Some(caller) = call.caller else { continue };
            let entry = self.callees.entry(caller).or_default();
            match &call.callee {
                Callee::Indirect(pointer) => match targets(*pointer) {
                    Some(known) => entry.extend(known),
                    None => entry.extend(&taken),
                },
                Callee::Builtin(_) => {}
                Callee::Direct(f) => {
                    entry.insert(*f);
                    let known = &tree.functions[*f];
                    if known.body.is_none()
                        && crate::library::thread_argument(&known.name).is_none()
                    {
                        entry.extend(given_functions(tree, call.expr));
                    }
                }
            }
        }
    }

    fn find_recursion(&mut self, tree: &Tree) {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in tree.functions.ids() {
            graph.add_node(());
        }
        for (from, to) in &self.callees {
            for t in to {
                graph.add_edge(NodeIndex::new(from.index()), NodeIndex::new(t.index()), ());
            }
        }
        for component in tarjan_scc(&graph) {
            let cyclic =
                component.len() > 1 || component.iter().any(|&n| graph.find_edge(n, n).is_some());
            if cyclic {
                self.recursive
                    .extend(component.iter().map(|n| FunctionId::from_index(n.index())));
            }
        }
    }
}

/// The function that an expression names: `f`, `&f`, `*f`, `(T)f`.
pub fn named_function(tree: &Tree, mut id: ExprId) -> Option<FunctionId> {
    loop {
        match &tree.exprs[id].kind {
            ExprKind::Ident(Resolved::Function(f)) => return Some(*f),
            ExprKind::AddressOf(e) | ExprKind::Deref(e) | ExprKind::Cast(e) => id = *e,
            _ => return None,
        }
    }
}

/// The name of the function without a body here, of the library or of the compiler, that a call names.
pub fn library_function(tree: &Tree, callee: ExprId) -> Option<&str> {
    match (named_function(tree, callee), &tree.exprs[callee].kind) {
        (Some(f), _) => {
            let function = &tree.functions[f];
            function.body.is_none().then_some(&function.name)
        }
        (None, ExprKind::Ident(Resolved::Unknown(name))) => Some(name),
        _ => None,
    }
}

/// Whether a function's name is the callee of a call, directly or as `(*f)(…)`.
fn is_called(tree: &Tree, mut id: ExprId) -> bool {
    loop {
        let Parent::Expr(parent) = tree.exprs[id].parent else {
            return false;
        };
        match &tree.exprs[parent].kind {
            ExprKind::Call { callee, .. } => return *callee == id,
            ExprKind::AddressOf(_) | ExprKind::Deref(_) | ExprKind::Cast(_) => id = parent,
            _ => return false,
        }
    }
}

/// The functions that are arguments of a call.
fn given_functions(tree: &Tree, call: ExprId) -> Vec<FunctionId> {
    match &tree.exprs[call].kind {
        ExprKind::Call { args, .. } => args
            .iter()
            .filter_map(|&a| named_function(tree, a))
            .collect(),
        _ => Vec::new(),
    }
}
