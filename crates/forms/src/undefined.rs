//! What a program may do that is undefined, or of which C leaves the order open, and no search sees.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use cfront::span::{ExprId, FunctionId};
use cfront::tree::{Parent, Tree};

use crate::program::Program;

impl Program {
    /// The place of an object to which a pointer may be left when it ends.
    pub fn outlived(&self) -> Option<String> {
        let at = self
            .unit()
            .as_ref()
            .and_then(|unit| cfront::outlived::outlived(&unit.tree, &self.flows))?;
        let (file, line) = self.locate(at);
        Some(format!("{file}:{line}"))
    }

    /// What the program does that is undefined wherever it is evaluated, and no search sees, with its place: an expression that changes and uses
    /// an object without an order, a call by a pointer to functions of another type, what [`cfront::unchecked`] finds, or, with threads,
    /// an automatic object that may be used after its end: the forms for threads keep it.
    pub fn undefined_anywhere(&self) -> Option<String> {
        let unit = self.unit();
        let tree = &unit.as_ref()?.tree;
        let runs = Running::new(tree);
        let is_register = |o| self.registers.objects.contains(&tree.objects[o].name);
        let unsequenced = cfront::unsequenced::unsequenced(tree, |e| runs.may(e), is_register);
        if let Some((e, object)) = unsequenced {
            let name = &tree.objects[object].name;
            return Some(format!(
                "an expression changes and uses `{name}` at {} without an order",
                self.place(tree, e)
            ));
        }
        if let Some((e, function)) = cfront::calls::miscalled(tree, |e| runs.may(e)) {
            let name = &tree.functions[function].name;
            return Some(format!(
                "`{name}` is called at {} by a pointer to functions of another type",
                self.place(tree, e)
            ));
        }
        if let Some((e, what)) = cfront::unchecked::unchecked(tree, &self.flows, |e| runs.may(e)) {
            return Some(format!("{what}, at {}", self.place(tree, e)));
        }
        let at = cfront::outlived::with_threads(tree, &self.flows)?;
        let (file, line) = self.locate(at);
        Some(format!(
            "the object at {file}:{line} may be used after its end, as its address is kept elsewhere"
        ))
    }

    /// Calls whose order C leaves open, and what they share, with their place: a search takes one order, and compilers differ.
    pub fn unordered(&self) -> Option<String> {
        let unit = self.unit();
        let tree = &unit.as_ref()?.tree;
        let runs = Running::new(tree);
        let (e, shared) = cfront::unordered::unordered(tree, |e| runs.may(e))?;
        Some(format!(
            "C leaves the order open in which the operands at {} are evaluated, of which one changes {shared} and another one uses it",
            self.place(tree, e)
        ))
    }

    fn place(&self, tree: &Tree, e: ExprId) -> String {
        let (file, line) = self.locate(tree.exprs[e].span.start);
        format!("{file}:{line}")
    }
}

/// The functions that may run, which are looked for only where a program has an expression about which that is asked: few have.
struct Running<'a> {
    tree: &'a Tree,
    functions: OnceCell<BTreeSet<FunctionId>>,
}

impl<'a> Running<'a> {
    fn new(tree: &'a Tree) -> Self {
        let functions = OnceCell::new();
        Running { tree, functions }
    }

    /// Whether an expression may be evaluated.
    fn may(&self, e: ExprId) -> bool {
        let functions = self.functions.get_or_init(|| {
            cfront::CallGraph::new(self.tree).may_run(self.tree, std::iter::empty())
        });
        let within = self.tree.function_of(Parent::Expr(e));
        within.is_some_and(|f| functions.contains(&f))
    }
}
