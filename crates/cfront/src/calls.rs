//! Who calls whom: direct calls, functions whose address is taken, threads, recursion.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::alias::{Aliases, Assumptions};
use crate::span::{ExprId, FunctionId, Id};
use crate::tree::{ExprKind, Parent, Resolved, Tree};
use crate::types::{FunctionType, QualType, Type};
use crate::Unit;

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

/// The functions that a call by a pointer may call although their type is another one (C11, 6.5.2.2): other numbers of parameters, or
/// numbers of other types, as parameters or results. Types of pointers count as one.
pub fn incompatible(tree: &Tree, aliases: &Aliases, callee: ExprId) -> BTreeSet<FunctionId> {
    let is_named = matches!(
        tree.exprs[callee].kind,
        ExprKind::Ident(Resolved::Function(_))
    );
    let wanted = tree.types.function(tree.exprs[callee].ty);
    let Some(wanted) = wanted.filter(|_| !is_named) else {
        return BTreeSet::new();
    };
    let targets = aliases.may_point_to(callee).functions.into_iter();
    let other = |f: &FunctionId| {
        let of = tree.types.function(tree.functions[*f].ty);
        of.is_some_and(|of| !are_alike(tree, wanted, of))
    };
    targets.filter(other).collect()
}

/// The first call by a pointer that leads to no function of its type, and one to which it leads, among those that may run.
pub fn miscalled(tree: &Tree, may_run: impl Fn(ExprId) -> bool) -> Option<(ExprId, FunctionId)> {
    if !casts_functions(tree) {
        return None;
    }
    let whole_program = true;
    let aliases = Aliases::new(tree, Assumptions { whole_program });
    let calls = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
    let found = calls.filter_map(|(id, expr)| match expr.kind {
        ExprKind::Call { callee, .. } => {
            let targets = aliases.may_point_to(callee);
            let others = incompatible(tree, &aliases, callee);
            let all = !targets.anything && others == targets.functions;
            Some((id, others.first().copied().filter(|_| all)?))
        }
        _ => None,
    });
    let mut found = found.filter(|(id, _)| may_run(*id));
    found.next()
}

/// Whether a cast makes a pointer to functions one to functions of a type that is not alike.
pub fn casts_functions(tree: &Tree) -> bool {
    tree.exprs.iter().any(|(_, expr)| match expr.kind {
        ExprKind::Cast(of) => {
            let from = tree.types.function(tree.exprs[of].ty);
            let to = tree.types.function(expr.ty);
            from.is_some()
                && !from
                    .zip(to)
                    .is_some_and(|(from, to)| are_alike(tree, from, to))
        }
        _ => false,
    })
}

/// Whether functions of one type may be called as such of the other.
fn are_alike(tree: &Tree, one: &FunctionType, other: &FunctionType) -> bool {
    let types = &tree.types;
    let alike = |a: QualType, b: QualType| match (types.int_kind(a), types.int_kind(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => match (types.get(a), types.get(b)) {
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (a, b) => a == b,
        },
        _ => false,
    };
    let known = one.prototype && other.prototype;
    let pairs = || one.params.iter().zip(&other.params);
    alike(one.ret, other.ret)
        && (!known
            || one.params.len() == other.params.len()
                && one.variadic == other.variadic
                && pairs().all(|(&a, &b)| alike(a, b)))
}

/// Attributes by which a function runs that nothing names.
const UNNAMED: [&str; 4] = ["cleanup", "constructor", "destructor", "alias"];

/// The functions of a program with bodies that never run: `main` and these others do not lead to them. Linear in the program.
pub fn never_run<'n>(unit: &Unit, others: impl Iterator<Item = &'n str>) -> BTreeSet<FunctionId> {
    let tree = &unit.tree;
    let mut words = unit.tokens.tokens.iter().map(|t| unit.text_of(t.span));
    if words.any(|word| UNNAMED.contains(&word.trim_matches('_'))) {
        return BTreeSet::new();
    }
    let run = CallGraph::new(tree).may_run(tree, others);
    let defined = tree.defined_functions().map(|(id, _, _)| id);
    defined.filter(|id| !run.contains(id)).collect()
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    #[test]
    fn calls_by_pointers_to_functions_of_another_type_are_found() {
        let found = |call: &str| {
            let text = format!(
                "int one(int a) {{ return a; }} int two(int a, int b) {{ return a + b; }} int old(); int in(void);\n\
                 int main(void) {{ return {call}; }}\n"
            );
            let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
            miscalled(&unit.tree, |_| true).is_some()
        };
        for (call, expected) in [
            ("((int (*)(int, int))one)(1, 2)", true),
            ("((long (*)(int))one)(1)", true),
            ("((int (*)(int))(void *)one)(1)", false),
            ("((int (*)(int))one)(1)", false),
            ("((int (*)())one)(1)", false),
            ("(in() ? (int (*)(int, int))one : two)(1, 2)", false),
            ("one(1)", false),
        ] {
            assert_eq!(found(call), expected, "{call}");
        }
    }
}
