//! What evaluations read before they write it, and what they surely write.

use std::collections::{BTreeMap, BTreeSet};

use cfront::alias::{Locations, Memory};
use cfront::calls::named_function;
use cfront::flow::Point;
use cfront::span::{DeclId, ExprId, FunctionId, Id, InitId};
use cfront::tree::{BinaryOp, ExprKind, ForInit, Parent, Resolved, StmtKind, Tree};
use cfront::types::{QualType, Type};
use cfront::{Aliases, Assumptions, CallGraph, Flow, Unit};

use super::cells::{place, Cells, Set};
use crate::kinds::integer;
use crate::text::{ARRIVES, PUT, QUIET};

/// The effect of an evaluation, or of a call of a function, on cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Effect {
    /// What it may read before it writes it.
    pub uses: Set,
    /// What it surely writes.
    pub kills: Set,
    /// All that it may read.
    pub reads: Set,
}

impl Effect {
    /// What follows in any case.
    fn then(&mut self, next: Effect) {
        let mut fresh = next.uses;
        fresh.remove(&self.kills);
        self.uses.join(&fresh);
        self.kills.join(&next.kills);
        self.reads.join(&next.reads);
    }

    /// What may follow.
    fn maybe(&mut self, next: Effect) {
        self.then(Effect {
            kills: Set::default(),
            ..next
        });
    }

    /// What is evaluated too, in any order.
    fn beside(&mut self, other: Effect) {
        self.uses.join(&other.uses);
        self.kills.join(&other.kills);
        self.reads.join(&other.reads);
    }
}

/// The effects of a program's evaluations.
pub(super) struct Effects<'a> {
    tree: &'a Tree,
    pub cells: &'a Cells,
    aliases: Aliases,
    /// The functions that an unknown pointer may lead to.
    pointed: BTreeSet<FunctionId>,
    summaries: BTreeMap<FunctionId, Effect>,
    /// The summary of a function that was not looked at: it writes all, and reads nothing.
    unknown: Effect,
}

impl<'a> Effects<'a> {
    pub fn new(unit: &'a Unit, cells: &'a Cells) -> Effects<'a> {
        let tree = &unit.tree;
        let whole = Assumptions {
            whole_program: true,
        };
        Effects {
            tree,
            cells,
            aliases: Aliases::new(tree, whole),
            pointed: CallGraph::new(tree).address_taken.into_keys().collect(),
            summaries: BTreeMap::new(),
            unknown: Effect {
                kills: cells.all(),
                ..Effect::default()
            },
        }
    }

    /// The summary of a function with a body.
    pub fn summary(&self, f: FunctionId) -> &Effect {
        self.summaries.get(&f).unwrap_or(&self.unknown)
    }

    /// Lets a function of which nothing is known read anything.
    pub fn give_up(&mut self, f: FunctionId) {
        self.summarise(f, self.everything());
    }

    /// Replaces the summary.
    pub fn summarise(&mut self, f: FunctionId, summary: Effect) {
        self.summaries.insert(f, summary);
    }

    /// The effects of the points of a function.
    pub fn points(&self, flow: &Flow) -> Vec<Effect> {
        flow.points().map(|(_, point)| self.point(point)).collect()
    }

    fn point(&self, point: Point) -> Effect {
        if let Point::Enter(inside) = point {
            // What the evaluation reads besides the statement expression may be read before it: after it is where the flow has
            // it.
            let whole = match self.around(inside) {
                Parent::Decl(d) | Parent::Declarator(d, _) => self.all_of(&self.evaluated_by(d)),
                Parent::Expr(e) => self.expression(e),
                _ => self.everything(),
            };
            return Effect {
                kills: Set::default(),
                ..whole
            };
        }
        if let Point::Stmt(s) = point {
            if matches!(self.tree.stmts[s].kind, StmtKind::Asm { .. }) {
                return self.everything();
            }
        }
        self.all_of(&self.evaluated_at(point))
    }

    /// The whole evaluation that an expression is a part of: an expression, or a declaration.
    fn around(&self, mut e: ExprId) -> Parent {
        let tree = self.tree;
        let mut at = tree.exprs[e].parent;
        loop {
            at = match at {
                Parent::Expr(outer) => {
                    e = outer;
                    tree.exprs[outer].parent
                }
                Parent::Init(init) => match tree.inits[init].parent {
                    // A compound literal.
                    Parent::Expr(outer) => Parent::Expr(outer),
                    parent => parent,
                },
                Parent::Stmt(_) => return Parent::Expr(e),
                other => return other,
            };
        }
    }

    /// The expressions that a point evaluates.
    fn evaluated_at(&self, point: Point) -> Vec<ExprId> {
        let stmts = &self.tree.stmts;
        match point {
            Point::Decl(d) => self.evaluated_by(d),
            Point::Stmt(s) => match stmts[s].kind {
                StmtKind::Expr(Some(e)) | StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => {
                    vec![e]
                }
                _ => Vec::new(),
            },
            Point::Cond(s) => stmts[s].kind.condition().into_iter().collect(),
            Point::ForInit(s) => match stmts[s].kind {
                StmtKind::For {
                    init: ForInit::Expr(e),
                    ..
                } => vec![e],
                _ => Vec::new(),
            },
            Point::ForStep(s) => match stmts[s].kind {
                StmtKind::For { step: Some(e), .. } => vec![e],
                _ => Vec::new(),
            },
            Point::Entry | Point::Exit | Point::Label(_) | Point::Enter(_) | Point::NoReturn(_) => {
                Vec::new()
            }
        }
    }

    fn evaluated_by(&self, declaration: DeclId) -> Vec<ExprId> {
        let decl = &self.tree.decls[declaration];
        let mut all = decl.type_exprs.clone();
        // Those of static locals are constants.
        for init in decl.declared.iter().filter_map(|declared| declared.init) {
            self.tree.init_exprs(init, &mut all);
        }
        all
    }

    fn all_of(&self, all: &[ExprId]) -> Effect {
        let mut out = Effect::default();
        all.iter().for_each(|&e| out.beside(self.expression(e)));
        out
    }

    fn initialised(&self, init: InitId) -> Effect {
        let mut all = Vec::new();
        self.tree.init_exprs(init, &mut all);
        self.all_of(&all)
    }

    /// May read anything.
    fn everything(&self) -> Effect {
        self.reading(self.cells.all())
    }

    fn reading(&self, cells: Set) -> Effect {
        Effect {
            uses: cells.clone(),
            kills: Set::default(),
            reads: cells,
        }
    }

    /// The evaluation of an expression, without that of the statements in it: they are points of their own.
    fn expression(&self, e: ExprId) -> Effect {
        let tree = self.tree;
        let expr = &tree.exprs[e];
        if expr.unevaluated {
            return Effect::default();
        }
        let of = |e: ExprId| self.expression(e);
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                let mut effect = self.address(e);
                effect.beside(self.read(e));
                effect
            }
            ExprKind::AddressOf(lvalue) => self.address(*lvalue),
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let mut effect = self.address(*lhs);
                effect.beside(of(*rhs));
                if op.is_some() {
                    effect.beside(self.read(*lhs));
                }
                self.write(*lhs, &mut effect);
                effect
            }
            ExprKind::IncDec { operand, .. } => {
                let mut effect = of(*operand);
                self.write(*operand, &mut effect);
                effect
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                let mut effect = of(*left);
                effect.maybe(of(*right));
                effect
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let mut effect = of(*cond);
                let mut ways = of(then.unwrap_or(*cond));
                let other = of(*otherwise);
                let kills = ways.kills.meet(&other.kills);
                ways.beside(other);
                ways.kills = kills;
                effect.then(ways);
                effect
            }
            ExprKind::Comma(list) => {
                let mut effect = Effect::default();
                list.iter().for_each(|&e| effect.then(of(e)));
                effect
            }
            ExprKind::Call { callee, args, .. } => self.call(*callee, args),
            ExprKind::Generic {
                chosen: Some(chosen),
                arms,
                ..
            } if *chosen < arms.len() => of(arms[*chosen].1),
            ExprKind::Generic { arms, .. } => {
                let mut effect = Effect::default();
                arms.iter().for_each(|(_, arm)| effect.maybe(of(*arm)));
                effect
            }
            ExprKind::CompoundLiteral(init) => self.initialised(*init),
            ExprKind::Opaque => self.everything(),
            _ => self.all_of(&tree.children(e)),
        }
    }

    /// What is evaluated to find where an lvalue is.
    fn address(&self, lvalue: ExprId) -> Effect {
        match &self.tree.exprs[lvalue].kind {
            ExprKind::Ident(_) => Effect::default(),
            ExprKind::Member {
                base, arrow: false, ..
            } => self.address(*base),
            ExprKind::Member { base, .. } | ExprKind::Deref(base) => self.expression(*base),
            ExprKind::Index { base, index } => self.all_of(&[*base, *index]),
            _ => self.expression(lvalue),
        }
    }

    /// Reads what an lvalue designates. An array has no value but its address.
    fn read(&self, lvalue: ExprId) -> Effect {
        let ty = self.tree.types.get(self.tree.exprs[lvalue].ty);
        if matches!(ty, Type::Array(..) | Type::Function(_)) {
            return Effect::default();
        }
        let mut cells = Set::default();
        match place(self.tree, lvalue) {
            Some(place) => self.cells.add_met(&place, &mut cells),
            None => {
                let to = self.aliases.may_designate(lvalue);
                if to.anything {
                    return self.everything();
                }
                let all = to.objects.into_iter();
                all.for_each(|object| self.cells.add_object(object, &mut cells));
            }
        }
        self.reading(cells)
    }

    /// Adds that an lvalue gets a value behind everything else.
    fn write(&self, lvalue: ExprId, effect: &mut Effect) {
        if let Some(place) = place(self.tree, lvalue) {
            self.cells.add_overwritten(&place, &mut effect.kills);
        }
    }

    fn call(&self, callee: ExprId, args: &[ExprId]) -> Effect {
        let mut effect = self.all_of(args);
        if is_builtin(self.tree, callee) {
            // It need not evaluate them.
            effect.kills = Set::default();
        } else if named_function(self.tree, callee).is_none() {
            effect.beside(self.expression(callee));
        }
        match self.known_callees(callee) {
            Some(callees) => match callees.iter().next() {
                Some(one) if callees.len() == 1 => effect.then(self.summary(*one).clone()),
                _ => callees
                    .iter()
                    .for_each(|&f| effect.maybe(self.summary(f).clone())),
            },
            None if self.is_indifferent(callee) => {}
            None => effect.maybe(self.outside(args)),
        }
        effect
    }

    /// Whether what a function without a body reads makes no difference to runs: it is only shown or recorded, or is the frames of callers.
    fn is_indifferent(&self, callee: ExprId) -> bool {
        let named = named_function(self.tree, callee);
        named.is_some_and(|f| {
            let name = self.tree.functions[f].name.as_str();
            name == ARRIVES || name == PUT || QUIET.contains(&name)
        })
    }

    /// The functions with bodies that a call may call; `None` if it calls another one.
    fn known_callees(&self, callee: ExprId) -> Option<BTreeSet<FunctionId>> {
        let tree = self.tree;
        if let Some(f) = named_function(tree, callee) {
            return tree.functions[f].body.is_some().then(|| [f].into());
        }
        if is_builtin(tree, callee) {
            return None;
        }
        let to = self.aliases.may_point_to(callee);
        let all = if to.anything {
            &self.pointed
        } else {
            &to.functions
        };
        let with_body = |f: &FunctionId| tree.functions[*f].body.is_some();
        (!all.is_empty() && all.iter().all(with_body)).then(|| all.clone())
    }

    /// What can be reached from arguments by following pointers.
    fn reached(&self, args: &[ExprId]) -> Locations {
        let mut reached = Locations::default();
        // The library follows no numbers.
        let tree = self.tree;
        let leads = |e: ExprId| integer(tree, tree.exprs[e].ty).is_none() && !is_text(tree, e);
        for &arg in args.iter().filter(|arg| leads(**arg)) {
            reached.join(&self.aliases.pointed_to(arg));
        }
        loop {
            let before = reached.clone();
            for memory in self.aliases.memory(&before) {
                let has_numbers = match memory {
                    Memory::Object(object) => are_numbers(tree, tree.objects[object].ty),
                    Memory::Made(made) => is_text(tree, made),
                };
                if !has_numbers {
                    reached.join(&self.aliases.stored_in(memory));
                }
            }
            if reached == before {
                return reached;
            }
        }
    }

    /// A function without a body reads what its arguments lead to, and may call the functions among that.
    fn outside(&self, args: &[ExprId]) -> Effect {
        let reached = self.reached(args);
        if reached.anything {
            return self.everything();
        }
        let mut cells = Set::default();
        for memory in self.aliases.memory(&reached) {
            if let Memory::Object(object) = memory {
                self.cells.add_object(object, &mut cells);
            }
        }
        for f in self.aliases.functions(&reached) {
            cells.join(&self.summary(f).reads);
        }
        self.reading(cells)
    }

    /// The functions with bodies that the evaluations of a point may call.
    pub fn callees(&self, point: Point) -> BTreeSet<FunctionId> {
        let tree = self.tree;
        let mut out = BTreeSet::new();
        let mut work = self.evaluated_at(point);
        while let Some(e) = work.pop() {
            let expr = &tree.exprs[e];
            if expr.unevaluated {
                continue;
            }
            if let ExprKind::Call { callee, args, .. } = &expr.kind {
                match self.known_callees(*callee) {
                    Some(callees) => out.extend(callees),
                    None => out.extend(self.called_back(args)),
                }
            }
            if let ExprKind::CompoundLiteral(init) = expr.kind {
                tree.init_exprs(init, &mut work);
            }
            work.extend(tree.children(e));
        }
        out
    }

    /// The functions that a function without a body may call.
    fn called_back(&self, args: &[ExprId]) -> BTreeSet<FunctionId> {
        let reached = self.reached(args);
        match reached.anything {
            true => self.pointed.clone(),
            false => self.aliases.functions(&reached),
        }
    }
}

/// Whether a type is that of an integer or an array of integers.
fn are_numbers(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(element, _) => are_numbers(tree, *element),
        _ => integer(tree, ty).is_some(),
    }
}

/// Whether an expression is a string, in which there are no pointers.
fn is_text(tree: &Tree, e: ExprId) -> bool {
    e.index() < tree.exprs.len() && matches!(tree.exprs[tree.uncast(e)].kind, ExprKind::Str(_))
}

/// Whether a call calls what only the compiler knows.
fn is_builtin(tree: &Tree, callee: ExprId) -> bool {
    matches!(
        tree.exprs[callee].kind,
        ExprKind::Ident(Resolved::Unknown(_))
    )
}
