//! Collects the reads and writes of memory that other threads may access.

use std::collections::{BTreeSet, HashMap};

use cfront::tree::{BinaryOp, ExprKind, Resolved};
use cfront::types::Type;
use cfront::{ExprId, FunctionId, Memory, Span};

use crate::code::{Access, Touched};
use crate::facts::Facts;

/// The accesses of expressions and functions.
pub(crate) struct Accesses<'a, 'u> {
    facts: &'a Facts<'u>,
    by_function: HashMap<FunctionId, Vec<Access>>,
}

/// A walk through an expression, with operands evaluated from left to right.
struct Walk<'a, 'u> {
    facts: &'a Facts<'u>,
    /// Whether the walk follows statements in statement expressions.
    into_statements: bool,
    out: Vec<Access>,
}

impl<'a, 'u> Accesses<'a, 'u> {
    /// Collects the accesses of all defined functions.
    pub fn new(facts: &'a Facts<'u>) -> Self {
        let mut by_function = HashMap::new();
        for (id, _, body) in facts.tree.defined_functions() {
            by_function.insert(id, of_span(facts, body.span));
        }
        Accesses { facts, by_function }
    }

    /// The accesses of evaluating an expression, without calls of defined functions.
    pub fn of_expr(&self, e: ExprId) -> Vec<Access> {
        of_expr(self.facts, e)
    }

    /// The accesses of all evaluations in a part of the text, without calls of defined functions.
    pub fn of_span(&self, span: Span) -> Vec<Access> {
        of_span(self.facts, span)
    }

    /// The accesses in a function's own text.
    pub fn of_function(&self, f: FunctionId) -> &[Access] {
        self.by_function.get(&f).map_or(&[], Vec::as_slice)
    }

    /// The accesses of the functions that calls in a part of the text may run.
    pub fn of_calls_in(&self, span: Span) -> Vec<Access> {
        let mut functions = BTreeSet::new();
        for call in self.facts.calls_in(span) {
            for target in self.facts.targets(call) {
                functions.extend(self.facts.graph.reachable(target));
            }
        }
        let lists = functions.iter().map(|f| self.of_function(*f));
        lists.flatten().cloned().collect()
    }
}

fn of_expr(facts: &Facts, e: ExprId) -> Vec<Access> {
    let mut walk = Walk {
        facts,
        into_statements: true,
        out: Vec::new(),
    };
    walk.value(e);
    walk.out
}

fn of_span(facts: &Facts, span: Span) -> Vec<Access> {
    let mut walk = Walk {
        facts,
        into_statements: false,
        out: Vec::new(),
    };
    for root in facts.roots_in(span) {
        walk.value(root);
    }
    walk.out
}

/// The memory that an lvalue may designate, if other threads may access it.
pub(crate) fn touched(facts: &Facts, lvalue: ExprId) -> Option<Touched> {
    let (root, through_pointer) = facts.tree.root(lvalue);
    let mut touched = Touched::default();
    match root {
        Some(object) if !through_pointer => {
            touched.memory.insert(Memory::Object(object));
        }
        _ => {
            let places = facts.aliases.designated(lvalue);
            touched.anything = places.anything;
            touched.memory = facts.aliases.memory(&places);
        }
    }
    shared_part(facts, touched)
}

fn shared_part(facts: &Facts, mut touched: Touched) -> Option<Touched> {
    touched.memory.retain(|&m| facts.may_be_shared(m));
    Some(touched).filter(|t| t.anything || !t.memory.is_empty())
}

impl Walk<'_, '_> {
    fn access(&mut self, lvalue: ExprId, writes: bool) {
        let class = self.facts.tree.type_of(self.facts.tree.exprs[lvalue].ty);
        if matches!(class, Type::Array(..) | Type::Function(_)) {
            return;
        }
        if let Some(touched) = touched(self.facts, lvalue) {
            self.out.push(Access::new(lvalue, touched, writes));
        }
    }

    /// Evaluates an expression and reads its value.
    fn value(&mut self, e: ExprId) {
        let tree = self.facts.tree;
        let expr = &tree.exprs[e];
        if expr.unevaluated {
            return;
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                self.place(e);
                self.access(e, false);
            }
            ExprKind::AddressOf(of) => self.place(*of),
            ExprKind::Assign { lhs, rhs, op, .. } => {
                self.place(*lhs);
                if op.is_some() && !expr_is_atomic(self.facts, *lhs) {
                    self.access(*lhs, false);
                }
                self.value(*rhs);
                self.access(*lhs, true);
            }
            ExprKind::IncDec { operand, .. } => {
                self.place(*operand);
                if !expr_is_atomic(self.facts, *operand) {
                    self.access(*operand, false);
                }
                self.access(*operand, true);
            }
            // `__builtin_choose_expr` evaluates one operand.
            ExprKind::Call { .. } if tree.selected(e).is_some() => {
                if let Some(arm) = tree.selected(e) {
                    self.value(arm);
                }
            }
            ExprKind::Call { callee, args, .. } => {
                if cfront::calls::named_function(tree, *callee).is_none() {
                    self.value(*callee);
                }
                for &arg in args {
                    self.value(arg);
                }
                self.library_call(e, args);
            }
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => {}
            ExprKind::StmtExpr(body) => {
                if self.into_statements {
                    self.into_statements = false;
                    for root in self.facts.roots_in(tree.stmts[*body].span) {
                        self.value(root);
                    }
                    self.into_statements = true;
                }
            }
            ExprKind::Generic { .. } => {
                for arm in tree
                    .selected(e)
                    .map_or_else(|| tree.selectable(e), |a| vec![a])
                {
                    self.value(arm);
                }
            }
            ExprKind::VaArg(list) => self.place(*list),
            _ => {
                for child in tree.children(e) {
                    self.value(child);
                }
            }
        }
    }

    /// Evaluates which object an lvalue designates.
    fn place(&mut self, e: ExprId) {
        let tree = self.facts.tree;
        let is_array = |e: ExprId| matches!(tree.type_of(tree.exprs[e].ty), Type::Array(..));
        match &tree.exprs[e].kind {
            ExprKind::Ident(_) => {}
            ExprKind::Member { base, arrow, .. } if !*arrow => self.place(*base),
            ExprKind::Member { base, .. } => self.value(*base),
            ExprKind::Index { base, index } => {
                for part in [*base, *index] {
                    match is_array(part) {
                        true => self.place(part),
                        false => self.value(part),
                    }
                }
            }
            ExprKind::Deref(pointer) if is_array(*pointer) => self.place(*pointer),
            ExprKind::Deref(pointer) => self.value(*pointer),
            _ => self.value(e),
        }
    }

    /// A function without body may read and write the memory that its arguments point to.
    fn library_call(&mut self, call: ExprId, args: &[ExprId]) {
        let facts = self.facts;
        if facts.library(call).is_some() || !facts.targets(call).is_empty() {
            return;
        }
        let ty = match &facts.tree.exprs[call].kind {
            ExprKind::Call { callee, .. } => {
                facts.tree.types.function(facts.tree.exprs[*callee].ty)
            }
            _ => None,
        };
        let mut touched = Touched::default();
        let mut writes = false;
        for (index, &arg) in args.iter().enumerate() {
            let places = facts.aliases.pointed_to(arg);
            let param = ty.and_then(|t| t.params.get(index));
            let constant = param
                .and_then(|&p| facts.tree.types.pointee(p))
                .is_some_and(|to| to.quals.is_const);
            let is_pointer = facts.tree.types.pointee(facts.tree.exprs[arg].ty).is_some();
            if is_pointer && places.anything {
                touched.anything = true;
                writes |= !constant;
            }
            let memory = facts.aliases.memory(&places);
            let shared = memory.into_iter().filter(|&m| facts.may_be_shared(m));
            let before = touched.memory.len();
            touched.memory.extend(shared);
            writes |= touched.memory.len() > before && !constant;
        }
        if touched.anything || !touched.memory.is_empty() {
            self.out.push(Access::new(call, touched, writes));
        }
    }
}

/// Whether a compound access of an lvalue is atomic.
fn expr_is_atomic(facts: &Facts, e: ExprId) -> bool {
    facts.tree.exprs[e].ty.quals.is_atomic
}

/// Whether the second operand of an operator is evaluated only for some values of the first.
pub(crate) fn is_short_circuit(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or)
}
