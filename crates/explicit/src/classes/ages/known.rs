//! What the search for times asks of a program again and again: where a place is named, what calls of a function pass, what it
//! returns, and which structures are reached in ways that are not followed.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::{usage, Use};
use cfront::calls::{named_function, never_run};
use cfront::consteval::eval;
use cfront::span::{EnumId, ExprId, FunctionId, Id, ObjectId, RecordId};
use cfront::stepped::SPENT;
use cfront::tree::{BinaryOp, ExprKind, Parent, Resolved, StmtKind, Tree};
use cfront::types::{QualType, Type};
use cfront::Unit;

use super::super::OWN;
use super::positions::Positions;
use crate::kinds::integer;

/// An object or the elements of one that is an array, or a member of all structures of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Object(ObjectId),
    Member(RecordId, usize),
}

/// The place that an lvalue designates, if no pointer leads to it.
pub(super) fn place(tree: &Tree, e: ExprId) -> Option<Place> {
    match &tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(o)) => Some(Place::Object(*o)),
        ExprKind::Member { path, arrow, .. } if !arrow => {
            path.last().map(|(record, n)| Place::Member(*record, *n))
        }
        ExprKind::Index { base, .. } => {
            let array = matches!(tree.types.get(tree.exprs[*base].ty), Type::Array(..));
            array.then(|| place(tree, *base)).flatten()
        }
        _ => None,
    }
}

/// What the analysis knows of a program beside its tree.
pub(super) struct Known<'a> {
    pub tree: &'a Tree,
    /// The functions of the weaver that read the clock in ways that do not depend on a shift.
    pub skipped: BTreeSet<FunctionId>,
    /// Whether a function of the library has no effect.
    pub quiet: &'a dyn Fn(&str) -> bool,
    /// The expressions that designate a place, by place.
    pub occurrences: BTreeMap<Place, Vec<ExprId>>,
    /// The calls of each function, with their arguments.
    pub calls: BTreeMap<FunctionId, Vec<ExprId>>,
    /// The functions that are used otherwise than in a call.
    pub passed: BTreeSet<FunctionId>,
    /// The expressions that functions return.
    pub returned: BTreeMap<FunctionId, Vec<ExprId>>,
    /// The records of unions, or that something points to.
    pub opaque: BTreeSet<RecordId>,
    /// What is stored in the place of a value that nothing reads any more.
    pub spent: BTreeSet<ExprId>,
    /// The places of the program in step form where a constant may still be stored.
    pub positions: Positions,
    /// The first loop or label of `main`, where constants may be stored in front of it.
    first_loop: Option<(FunctionId, usize)>,
    /// The functions that are called there and nowhere else.
    prelude: BTreeSet<FunctionId>,
}

impl<'a> Known<'a> {
    /// Collects what the analysis needs. `cut_elsewhere`: some loop outside of `main` ends steps.
    pub fn of(
        unit: &'a Unit,
        skipped: &dyn Fn(&str) -> bool,
        quiet: &'a dyn Fn(&str) -> bool,
        cut_elsewhere: bool,
    ) -> Known<'a> {
        let tree = &unit.tree;
        let functions = tree.functions.iter();
        let skipped = functions.filter(|(_, f)| skipped(&f.name));
        let mut out = Known {
            tree,
            skipped: skipped.map(|(id, _)| id).collect(),
            quiet,
            occurrences: BTreeMap::new(),
            calls: BTreeMap::new(),
            passed: BTreeSet::new(),
            returned: BTreeMap::new(),
            opaque: BTreeSet::new(),
            spent: BTreeSet::new(),
            positions: Positions::of(tree),
            first_loop: None,
            prelude: BTreeSet::new(),
        };
        let own = tree.functions.iter().map(|(_, f)| f.name.as_str());
        let never_run = never_run(unit, own.filter(|name| name.starts_with(OWN)));
        out.collect(&never_run);
        if !cut_elsewhere {
            out.first_loop = first_loop(tree);
            out.collect_prelude();
        }
        out
    }

    fn collect(&mut self, never_run: &BTreeSet<FunctionId>) {
        let tree = self.tree;
        let functions = tree.functions_of_expressions();
        let runs = |id: ExprId| functions[id.index()].is_none_or(|f| !never_run.contains(&f));
        let evaluated = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        for (id, e) in evaluated.filter(|(id, _)| runs(*id)) {
            if let Some(place) = place(tree, id) {
                self.occurrences.entry(place).or_default().push(id);
            }
            match &e.kind {
                ExprKind::Call { callee, .. } => {
                    if let Some(f) = named_function(tree, *callee) {
                        self.calls.entry(f).or_default().push(id);
                    }
                }
                ExprKind::Ident(Resolved::Function(f)) if !is_callee(tree, id) => {
                    self.passed.insert(*f);
                }
                ExprKind::Ident(Resolved::EnumConst(of, _)) if is_spent(tree, *of) => {
                    self.spent.insert(id);
                }
                _ => {}
            }
            match tree.types.get(e.ty) {
                Type::Pointer(to) => self.records_in(*to, 0),
                Type::Array(of, _) if !is_indexed(tree, id) => self.records_in(*of, 0),
                _ => {}
            }
        }
        for (id, record) in tree.types.records.iter() {
            if record.is_union {
                self.opaque.insert(id);
                for member in record.members.iter().flatten() {
                    self.records_in(member.ty, 0);
                }
            }
        }
        for (_, stmt) in tree.stmts.iter() {
            if let (StmtKind::Return(Some(e)), Some(f)) = (&stmt.kind, stmt.function) {
                self.returned.entry(f).or_default().push(*e);
            }
        }
    }

    /// Leaves the structures in objects of a type: they are reached in ways that are not followed.
    fn records_in(&mut self, ty: QualType, depth: usize) {
        if depth > 20 {
            return;
        }
        match self.tree.types.get(ty) {
            Type::Array(element, _) => self.records_in(*element, depth + 1),
            Type::Record(record) if self.opaque.insert(*record) => {
                let members = self.tree.types.records[*record].members.iter().flatten();
                let inner: Vec<QualType> = members.map(|m| m.ty).collect();
                inner
                    .into_iter()
                    .for_each(|ty| self.records_in(ty, depth + 1));
            }
            _ => {}
        }
    }

    /// The places that are operands of differences of two values of one type: the first of each.
    pub fn candidates(&self) -> Vec<(Place, u32)> {
        let tree = self.tree;
        let mut out = Vec::new();
        for (_, e) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let ExprKind::Binary(BinaryOp::Sub, a, b) = e.kind else {
                continue;
            };
            let first = place(tree, a).or_else(|| place(tree, b));
            let (Some(first), Some((bits, false))) = (first, integer(tree, tree.exprs[a].ty))
            else {
                continue;
            };
            let same = integer(tree, tree.exprs[b].ty) == Some((bits, false));
            let fits = same && matches!(bits, 8 | 16 | 32 | 64) && eval(tree, b).is_none();
            if fits && !out.contains(&(first, bits)) {
                out.push((first, bits));
            }
        }
        out
    }

    /// Whether something reads a place: all its names are not those to which something is assigned.
    pub fn is_read(&self, place: Place) -> bool {
        let stored = |e: ExprId| match self.tree.exprs[e].parent {
            Parent::Expr(p) => {
                matches!(self.tree.exprs[p].kind, ExprKind::Assign { op: None, lhs, .. } if lhs == e)
            }
            _ => false,
        };
        let mut all = self.occurrences.get(&place).into_iter().flatten();
        !all.all(|e| stored(*e))
    }

    /// The expressions that store something in a place.
    pub fn stores(&self, place: Place) -> impl Iterator<Item = ExprId> + '_ {
        let all = self.occurrences.get(&place).into_iter().flatten();
        let written = all.filter(|e| usage(self.tree, **e) != Use::Read);
        written.filter_map(|e| match self.tree.exprs[*e].parent {
            Parent::Expr(parent) => Some(parent),
            _ => None,
        })
    }

    /// Collects the functions that are called only where `main` has come to no loop yet. What they store is in the first state.
    fn collect_prelude(&mut self) {
        loop {
            let begins = |f: &FunctionId| {
                let mut calls = self.calls[f].iter();
                !self.passed.contains(f) && calls.all(|call| self.is_prelude(*call))
            };
            let all: BTreeSet<FunctionId> = self.calls.keys().copied().filter(begins).collect();
            if all == self.prelude {
                return;
            }
            self.prelude = all;
        }
    }

    /// Whether `main` evaluates an expression before any loop.
    pub fn is_in_main(&self, e: ExprId) -> bool {
        let within = self.tree.function_of(Parent::Expr(e));
        self.is_prelude(e) && within == self.first_loop.map(|(main, _)| main)
    }

    /// Whether an expression is evaluated in the first step alone: in `main` before any loop, or in a function that is only called there.
    pub fn is_prelude(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let Some((main, first)) = self.first_loop else {
            return false;
        };
        match tree.function_of(Parent::Expr(e)) {
            Some(f) if f == main => tree.exprs[e].span.end <= first,
            Some(f) => self.prelude.contains(&f),
            None => false,
        }
    }
}

/// Whether only an element of an array is used, or its size.
pub(super) fn is_indexed(tree: &Tree, id: ExprId) -> bool {
    match tree.exprs[id].parent {
        Parent::Expr(p) => match tree.exprs[p].kind {
            ExprKind::Index { base, .. } => base == id,
            ExprKind::SizeofExpr(_) => true,
            _ => false,
        },
        _ => false,
    }
}

/// Whether the only constant of an enumeration is the one of the step form.
fn is_spent(tree: &Tree, of: EnumId) -> bool {
    let constants = &tree.types.enums[of].constants;
    constants.iter().all(|(name, _)| name == SPENT)
}

fn is_callee(tree: &Tree, id: ExprId) -> bool {
    match tree.exprs[id].parent {
        Parent::Expr(p) => {
            matches!(tree.exprs[p].kind, ExprKind::Call { callee, .. } if callee == id)
        }
        _ => false,
    }
}

/// `main`, and where its first loop or label begins; nothing if it is called.
fn first_loop(tree: &Tree) -> Option<(FunctionId, usize)> {
    let main = tree.function_named("main")?;
    let called = |e: &cfront::tree::Expr| matches!(e.kind, ExprKind::Ident(Resolved::Function(f)) if f == main);
    if tree.exprs.iter().any(|(_, e)| called(e)) {
        return None;
    }
    let end = tree.functions[main].body.as_ref()?.span.end;
    let mut first = end;
    for (_, stmt) in tree.stmts.iter().filter(|(_, s)| s.function == Some(main)) {
        let repeats = matches!(
            stmt.kind,
            StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
                | StmtKind::Labeled { .. }
        );
        if repeats {
            first = first.min(stmt.span.start);
        }
    }
    Some((main, first))
}

/// Whether an object of a type is such a structure, or has one in it.
pub(super) fn contains(tree: &Tree, ty: QualType, record: RecordId, depth: usize) -> bool {
    match tree.types.get(ty) {
        Type::Array(of, _) => contains(tree, *of, record, depth),
        Type::Record(of) if *of == record => true,
        Type::Record(of) if depth < 20 => {
            let mut members = tree.types.records[*of].members.iter().flatten();
            members.any(|m| contains(tree, m.ty, record, depth + 1))
        }
        _ => false,
    }
}
