//! The numbers of signals that an expression may give.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::{address_taken, writes};
use crate::calls::{CallGraph, Callee};
use crate::consteval::eval;
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{ExprKind, Resolved, Storage, Tree};

/// What a program says of the values of its objects.
pub(super) struct Numbers<'a> {
    tree: &'a Tree,
    graph: &'a CallGraph,
    /// Functions that the processor calls with the number of a signal that they handle.
    handlers: &'a BTreeSet<FunctionId>,
    /// The values that assignments give each object; `None` if something else changes it.
    given: BTreeMap<ObjectId, Option<Vec<ExprId>>>,
}

impl<'a> Numbers<'a> {
    /// Of a program in which these functions are handlers. Linear in the program.
    pub fn of(
        tree: &'a Tree,
        graph: &'a CallGraph,
        handlers: &'a BTreeSet<FunctionId>,
    ) -> Numbers<'a> {
        let mut given: BTreeMap<ObjectId, Option<Vec<ExprId>>> = BTreeMap::new();
        for write in writes(tree) {
            let Some(object) = write.object else { continue };
            let known = given.entry(object).or_insert_with(|| Some(Vec::new()));
            match (&tree.exprs[write.expr].kind, known) {
                (
                    ExprKind::Assign {
                        op: None, rhs, lhs, ..
                    },
                    Some(all),
                ) if matches!(tree.exprs[*lhs].kind, ExprKind::Ident(_)) => all.push(*rhs),
                (_, known) => *known = None,
            }
        }
        for (object, places) in address_taken(tree) {
            let is_index = |e: &ExprId| is_indexed(tree, *e);
            if !places.iter().all(is_index) {
                given.insert(object, None);
            }
        }
        Numbers {
            tree,
            graph,
            handlers,
            given,
        }
    }

    /// All numbers that an expression may give, besides those of signals that handlers are called with; `None` if they are not
    /// known.
    pub fn all(&self, e: ExprId) -> Option<BTreeSet<i128>> {
        let mut seen = BTreeSet::new();
        self.within(e, &mut seen)
    }

    fn within(&self, e: ExprId, seen: &mut BTreeSet<ObjectId>) -> Option<BTreeSet<i128>> {
        if let Some(value) = eval(self.tree, e) {
            return Some(BTreeSet::from([value]));
        }
        match &self.tree.exprs[self.tree.uncast(e)].kind {
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => self.union(&[*then, *otherwise], seen),
            ExprKind::Ident(Resolved::Object(object)) => self.object(*object, seen),
            ExprKind::Index { base, .. } => {
                let ExprKind::Ident(Resolved::Object(array)) = &self.tree.exprs[*base].kind else {
                    return None;
                };
                self.elements(*array, seen)
            }
            _ => None,
        }
    }

    fn union(&self, all: &[ExprId], seen: &mut BTreeSet<ObjectId>) -> Option<BTreeSet<i128>> {
        let parts = all.iter().map(|e| self.within(*e, seen));
        let parts: Option<Vec<BTreeSet<i128>>> = parts.collect();
        Some(parts?.into_iter().flatten().collect())
    }

    /// The values of an object that is written by assignments alone, or of a parameter.
    fn object(&self, object: ObjectId, seen: &mut BTreeSet<ObjectId>) -> Option<BTreeSet<i128>> {
        if !seen.insert(object) {
            return Some(BTreeSet::new());
        }
        let of = &self.tree.objects[object];
        let mut given = match self.given.get(&object) {
            Some(None) => return None,
            Some(Some(given)) => given.clone(),
            None => Vec::new(),
        };
        match of.storage {
            Storage::Parameter => given.extend(self.arguments(object)?),
            Storage::Global if !of.defined => return None,
            _ => {}
        }
        if let Some(init) = of.init {
            self.tree.init_exprs(init, &mut given);
        }
        self.union(&given, seen)
    }

    /// What calls pass as a parameter; `None` if not all calls are known.
    fn arguments(&self, parameter: ObjectId) -> Option<Vec<ExprId>> {
        let function = self.tree.objects[parameter].function?;
        let of = &self.tree.functions[function];
        let body = of.body.as_ref()?;
        let at = body.params.iter().position(|p| *p == parameter)?;
        let handles = self.handlers.contains(&function) && at == 0;
        let others = self.graph.address_taken.contains_key(&function);
        if of.name == "main" || others && !handles {
            return None;
        }
        let calls = self.graph.calls.iter();
        let calls = calls.filter(|call| call.callee == Callee::Direct(function));
        let passed = calls.map(|call| match &self.tree.exprs[call.expr].kind {
            ExprKind::Call { args, .. } => args.get(at).copied(),
            _ => None,
        });
        passed.collect()
    }

    /// The elements of an array that nothing writes.
    fn elements(&self, array: ObjectId, seen: &mut BTreeSet<ObjectId>) -> Option<BTreeSet<i128>> {
        let of = &self.tree.objects[array];
        if of.storage == Storage::Parameter || self.given.contains_key(&array) {
            return None;
        }
        let mut all = Vec::new();
        self.tree.init_exprs(of.init?, &mut all);
        self.union(&all, seen)
    }
}

/// Whether an array's name only stands in front of an index, or as the operand of `sizeof`.
fn is_indexed(tree: &Tree, name: ExprId) -> bool {
    let crate::tree::Parent::Expr(around) = tree.exprs[name].parent else {
        return false;
    };
    match &tree.exprs[around].kind {
        ExprKind::Index { base, .. } => {
            let element = tree.exprs[around].ty;
            *base == name
                && tree.types.is_arithmetic(element)
                && crate::access::usage(tree, around) == crate::access::Use::Read
        }
        _ => false,
    }
}
