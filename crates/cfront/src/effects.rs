//! The effects of calls besides their result: checks that an evaluation function of a proposition
//! is pure.

use std::collections::BTreeSet;

use crate::access::{usage, written, Use};
use crate::calls::{CallGraph, Callee};
use crate::parse::Unit;
use crate::span::{ExprId, FunctionId, Id, ObjectId, Span};
use crate::tree::{ExprKind, Resolved, StmtKind, Tree};
use crate::types::Type;

/// The effects of a function and of all functions that it may call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Objects of static duration that are read.
    pub reads: BTreeSet<ObjectId>,
    /// Objects of static duration that are written, and where.
    pub writes: Vec<(ObjectId, Span)>,
    /// Writes through pointers, and to unknown objects.
    pub pointer_writes: Vec<Span>,
    /// Reads through pointers, by `*`, `->` or `[]`.
    pub pointer_reads: Vec<Span>,
    /// Calls of functions that this unit does not define, by name, and where.
    pub unknown_calls: Vec<(String, Span)>,
    /// Calls through pointers.
    pub indirect_calls: Vec<Span>,
    /// Loops.
    pub loops: Vec<Span>,
    /// Assembler statements.
    pub assembler: Vec<Span>,
    /// Accesses of `volatile` objects.
    pub volatile: Vec<Span>,
    /// The reachable functions that may call themselves.
    pub recursive: BTreeSet<FunctionId>,
}

impl Effects {
    /// Whether a call has no effect but its result, as far as this unit shows: it writes only its
    /// own local variables, has no assembler, and calls no unknown function except those that are
    /// pure by `is_pure`. Reading `volatile` objects is allowed.
    pub fn is_pure(&self, is_pure: impl Fn(&str) -> bool) -> bool {
        self.writes.is_empty()
            && self.pointer_writes.is_empty()
            && self.indirect_calls.is_empty()
            && self.assembler.is_empty()
            && self.unknown_calls.iter().all(|(name, _)| is_pure(name))
    }
}

impl Unit {
    /// The effects of calling a function.
    pub fn effects(&self, graph: &CallGraph, function: FunctionId) -> Effects {
        let mut effects = Effects::default();
        let functions = graph.reachable(function);
        for &f in &functions {
            if graph.is_recursive(f) {
                effects.recursive.insert(f);
            }
            if let Some(flow) = self.flows.get(&f) {
                effects.loops.extend(flow.loops.iter().map(|l| l.span));
            }
        }
        let function_of = self.tree.functions_of_expressions();
        for (id, expr) in self.tree.exprs.iter() {
            let inside = !expr.unevaluated
                && function_of[id.index()].is_some_and(|f| functions.contains(&f));
            if inside {
                effects.of_expr(&self.tree, id);
            }
        }
        for (_, stmt) in self.tree.stmts.iter() {
            if let (StmtKind::Asm { .. }, Some(f)) = (&stmt.kind, stmt.function) {
                if functions.contains(&f) {
                    effects.assembler.push(stmt.span);
                }
            }
        }
        for call in &graph.calls {
            if call.caller.is_some_and(|f| functions.contains(&f)) {
                effects.of_call(&self.tree, &call.callee, call.expr);
            }
        }
        effects
    }

    /// The effects of evaluating an expression, such as a condition of a specification.
    pub fn expr_effects(&self, graph: &CallGraph, expr: ExprId) -> Effects {
        let mut effects = Effects::default();
        let mut work = vec![expr];
        while let Some(id) = work.pop() {
            if self.tree.exprs[id].unevaluated {
                continue;
            }
            effects.of_expr(&self.tree, id);
            work.extend(self.tree.children(id));
            let ExprKind::Call { callee, .. } = self.tree.exprs[id].kind else {
                continue;
            };
            match crate::calls::named_function(&self.tree, callee) {
                Some(f) => {
                    effects.of_call(&self.tree, &Callee::Direct(f), id);
                    effects.add(self.effects(graph, f));
                }
                None => match &self.tree.exprs[callee].kind {
                    ExprKind::Ident(Resolved::Unknown(name)) => {
                        effects.of_call(&self.tree, &Callee::Builtin(name.clone()), id);
                    }
                    _ => effects.of_call(&self.tree, &Callee::Indirect(callee), id),
                },
            }
        }
        effects
    }
}

impl Effects {
    fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.pointer_writes.extend(other.pointer_writes);
        self.pointer_reads.extend(other.pointer_reads);
        self.unknown_calls.extend(other.unknown_calls);
        self.indirect_calls.extend(other.indirect_calls);
        self.loops.extend(other.loops);
        self.assembler.extend(other.assembler);
        self.volatile.extend(other.volatile);
        self.recursive.extend(other.recursive);
    }

    fn of_expr(&mut self, tree: &Tree, id: ExprId) {
        let expr = &tree.exprs[id];
        if let Some(lvalue) = written(tree, id) {
            let (root, through_pointer) = tree.root(lvalue);
            match root {
                Some(_) if !through_pointer => {}
                _ => self.pointer_writes.push(expr.span),
            }
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(object)) => self.of_object(tree, id, *object),
            ExprKind::Member { arrow: true, .. } => self.pointer_reads.push(expr.span),
            ExprKind::Deref(e) if !is_array(tree, *e) => self.pointer_reads.push(expr.span),
            ExprKind::Index { base, index }
                if !is_array(tree, *base) && !is_array(tree, *index) =>
            {
                self.pointer_reads.push(expr.span);
            }
            ExprKind::VaArg(_) => self.pointer_writes.push(expr.span),
            _ => {}
        }
    }

    fn of_object(&mut self, tree: &Tree, id: ExprId, object: ObjectId) {
        let o = &tree.objects[object];
        if o.ty.quals.is_volatile {
            self.volatile.push(tree.exprs[id].span);
        }
        if !o.is_static_duration() {
            return;
        }
        match usage(tree, id) {
            Use::Read | Use::Address => {
                self.reads.insert(object);
            }
            Use::Write => self.writes.push((object, tree.exprs[id].span)),
            Use::ReadWrite => {
                self.reads.insert(object);
                self.writes.push((object, tree.exprs[id].span));
            }
            Use::None => {}
        }
    }

    fn of_call(&mut self, tree: &Tree, callee: &Callee, call: ExprId) {
        let span = tree.exprs[call].span;
        match callee {
            Callee::Direct(f) => {
                let function = &tree.functions[*f];
                if function.body.is_none() {
                    self.unknown_calls.push((function.name.clone(), span));
                }
            }
            Callee::Indirect(_) => self.indirect_calls.push(span),
            Callee::Builtin(name) => self.unknown_calls.push((name.clone(), span)),
        }
    }
}

fn is_array(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..))
}
