//! What a program does with the values of places.

use std::collections::BTreeSet;

use cfront::span::{ExprId, InitId, StmtId};
use cfront::tree::{
    BinaryOp, Entity, ExprKind, ForInit, InitKind, Label, Parent, StmtKind, Tree, UnaryOp,
};

use super::places::Places;
use super::{constant, is_int};
use crate::flows::called;
use crate::text::RECORDED;

/// What the program does in the end with what it computed from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A comparison tells something of it.
    Compared(ExprId),
    /// The program asks whether it is 0.
    Tested(ExprId),
    /// A `switch` asks which value it is.
    Switched(ExprId, StmtId),
    /// It is stored: the place, and the expression of the value.
    Stored(usize, ExprId),
    /// A compound assignment computes with it: the place, and the assignment.
    Updates(usize, ExprId),
    /// A part of the state is recorded.
    Recorded,
    /// Nothing depends on it.
    Shown,
}

/// An occurrence of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// It is read; these expressions are computed from it on the way to the use.
    Read(Vec<ExprId>, Use),
    /// An assignment stores the value of this expression.
    Written(ExprId),
    /// A compound assignment, `++` or `--`.
    Updated(ExprId),
}

impl Occurrence {
    pub fn is_recorded(&self) -> bool {
        matches!(self, Occurrence::Read(_, Use::Recorded))
    }
}

pub(super) struct Uses<'a> {
    tree: &'a Tree,
    quiet: &'a dyn Fn(&str) -> bool,
    pub places: &'a Places,
    /// Expressions in which functions of the program, or statements, run.
    runs: BTreeSet<ExprId>,
}

impl<'a> Uses<'a> {
    pub fn new(tree: &'a Tree, quiet: &'a dyn Fn(&str) -> bool, places: &'a Places) -> Self {
        let mut runs = BTreeSet::new();
        for (id, expr) in tree.exprs.iter() {
            let own = match &expr.kind {
                ExprKind::Call { callee, .. } => {
                    called(tree, *callee).is_none_or(|f| tree.functions[f].body.is_some())
                }
                ExprKind::StmtExpr(_) => true,
                _ => false,
            };
            let mut at = Parent::Expr(id);
            while let (true, Parent::Expr(e)) = (own, at) {
                if !runs.insert(e) {
                    break;
                }
                at = tree.exprs[e].parent;
            }
        }
        Uses {
            tree,
            quiet,
            places,
            runs,
        }
    }

    /// What an occurrence is; `None` if that is not followed.
    pub fn of(&self, id: ExprId) -> Option<Occurrence> {
        if let Parent::Expr(parent) = self.tree.exprs[id].parent {
            match &self.tree.exprs[parent].kind {
                ExprKind::Assign { op, lhs, rhs, .. } if *lhs == id => {
                    let nothing_else = self.is_discarded(parent);
                    nothing_else.then_some(())?;
                    return match op {
                        None => Some(Occurrence::Written(*rhs)),
                        Some(op) => {
                            self.computes(*op, *rhs)?;
                            Some(Occurrence::Updated(parent))
                        }
                    };
                }
                ExprKind::IncDec { .. } => {
                    return self
                        .is_discarded(parent)
                        .then_some(Occurrence::Updated(parent))
                }
                _ => {}
            }
        }
        let mut by = Vec::new();
        let use_ = self.read(id, &mut by)?;
        Some(Occurrence::Read(by, use_))
    }

    /// Whether values are computed by an operator from another operand that is followed.
    fn computes(&self, op: BinaryOp, other: ExprId) -> Option<()> {
        let arithmetic = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem
        );
        (arithmetic && self.is_plain(other)).then_some(())
    }

    /// Whether an operand is an `int`, and nothing happens in it.
    fn is_plain(&self, e: ExprId) -> bool {
        is_int(self.tree, e) && !self.runs.contains(&e)
    }

    /// Follows a value upwards.
    fn read(&self, id: ExprId, by: &mut Vec<ExprId>) -> Option<Use> {
        let tree = self.tree;
        let mut at = id;
        loop {
            let parent = match tree.exprs[at].parent {
                Parent::Expr(parent) => parent,
                Parent::Stmt(stmt) => return self.in_statement(stmt, at),
                Parent::Init(init) => return self.in_initializer(init, at),
                _ => return None,
            };
            match &tree.exprs[parent].kind {
                ExprKind::Unary(UnaryOp::Minus | UnaryOp::Plus, _) => {}
                ExprKind::Unary(UnaryOp::Not, _)
                | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                    return Some(Use::Tested(at))
                }
                ExprKind::Binary(op, a, b) => {
                    let other = if *a == at { *b } else { *a };
                    self.is_plain(other).then_some(())?;
                    if op.is_boolean() {
                        return Some(Use::Compared(parent));
                    }
                    self.computes(*op, other)?;
                }
                ExprKind::Conditional { cond, then, .. } => {
                    then.is_some().then_some(())?;
                    if *cond == at {
                        return Some(Use::Tested(at));
                    }
                    let branches = tree.children(parent);
                    let plain = branches.iter().filter(|e| *e != cond);
                    plain.copied().all(|e| self.is_plain(e)).then_some(())?;
                }
                ExprKind::Assign { op, lhs, rhs, .. } if *rhs == at => {
                    let to = *self.places.of.get(lhs)?;
                    self.is_discarded(parent).then_some(())?;
                    return Some(match op {
                        None => Use::Stored(to, at),
                        Some(op) => {
                            self.computes(*op, at)?;
                            Use::Updates(to, parent)
                        }
                    });
                }
                ExprKind::Comma(all) => {
                    return (all.last() != Some(&at)).then_some(Use::Shown);
                }
                ExprKind::Call { callee, args, .. } if args.contains(&at) => {
                    let function = &tree.functions[called(tree, *callee)?];
                    // The search's own functions are told values.
                    let name = function.name.as_str();
                    let harmless = function.body.is_none()
                        && !name.starts_with(super::super::OWN)
                        && (self.quiet)(name);
                    return harmless.then_some(Use::Shown);
                }
                ExprKind::Cast(_) if self.is_recorded(parent) => return Some(Use::Recorded),
                _ => return None,
            }
            self.is_plain(parent).then_some(())?;
            by.push(parent);
            at = parent;
        }
    }

    fn in_statement(&self, stmt: StmtId, e: ExprId) -> Option<Use> {
        match &self.tree.stmts[stmt].kind {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For {
                cond: Some(cond), ..
            } if *cond == e => Some(Use::Tested(e)),
            StmtKind::Switch { cond, .. } if *cond == e => {
                self.cuts(stmt).map(|_| Use::Switched(e, stmt))
            }
            _ => self.is_discarded(e).then_some(Use::Shown),
        }
    }

    fn in_initializer(&self, init: InitId, e: ExprId) -> Option<Use> {
        let tree = self.tree;
        let Parent::Declarator(decl, n) = tree.inits[init].parent else {
            return None;
        };
        let Entity::Object(object) = tree.decls[decl].declared.get(n)?.entity else {
            return None;
        };
        if tree.objects[object].name == RECORDED {
            return Some(Use::Recorded);
        }
        let place = (object, String::new());
        let to = self.places.all.iter().position(|p| *p == place)?;
        let whole = matches!(tree.inits[init].kind, InitKind::Expr(own) if own == e);
        whole.then_some(Use::Stored(to, e))
    }

    /// Whether a cast of a value is what a state records of it.
    fn is_recorded(&self, cast: ExprId) -> bool {
        match self.tree.exprs[cast].parent {
            Parent::Expr(outer) => {
                matches!(self.tree.exprs[outer].kind, ExprKind::Cast(_)) && self.is_recorded(outer)
            }
            Parent::Init(init) => {
                let Parent::Declarator(decl, n) = self.tree.inits[init].parent else {
                    return false;
                };
                let declared = self.tree.decls[decl].declared.get(n);
                declared.is_some_and(|d| match d.entity {
                    Entity::Object(o) => self.tree.objects[o].name == RECORDED,
                    _ => false,
                })
            }
            _ => false,
        }
    }

    /// Whether nothing reads the value of an expression.
    fn is_discarded(&self, e: ExprId) -> bool {
        match self.tree.exprs[e].parent {
            Parent::Stmt(stmt) => match &self.tree.stmts[stmt].kind {
                StmtKind::Expr(Some(own)) => *own == e && !self.is_value(stmt),
                StmtKind::For { init, step, .. } => {
                    *step == Some(e) || matches!(init, ForInit::Expr(own) if *own == e)
                }
                _ => false,
            },
            Parent::Expr(outer) => match &self.tree.exprs[outer].kind {
                ExprKind::Comma(all) => all.last() != Some(&e) || self.is_discarded(outer),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a statement may be the value of a statement expression.
    fn is_value(&self, stmt: StmtId) -> bool {
        let Parent::Stmt(block) = self.tree.stmts[stmt].parent else {
            return false;
        };
        match &self.tree.stmts[block].kind {
            StmtKind::Compound { items, .. } => {
                let last =
                    matches!(items.last(), Some(cfront::tree::BlockItem::Stmt(s)) if *s == stmt);
                last && matches!(self.tree.stmts[block].parent, Parent::Expr(_))
            }
            _ => false,
        }
    }

    /// The numbers such that a `switch` tells no more of its value than whether it is greater than each of them.
    pub fn cuts(&self, switch: StmtId) -> Option<BTreeSet<i128>> {
        let mut out = BTreeSet::new();
        for (id, stmt) in self.tree.stmts.iter() {
            let StmtKind::Labeled { label, .. } = &stmt.kind else {
                continue;
            };
            let (low, high) = match label {
                Label::Case(e) => (*e, *e),
                Label::CaseRange(low, high) => (*low, *high),
                _ => continue,
            };
            if self.switch_of(id) == Some(switch) {
                out.extend([constant(self.tree, low)? - 1, constant(self.tree, high)?]);
            }
        }
        Some(out)
    }

    fn switch_of(&self, mut stmt: StmtId) -> Option<StmtId> {
        while let Parent::Stmt(outer) = self.tree.stmts[stmt].parent {
            if matches!(self.tree.stmts[outer].kind, StmtKind::Switch { .. }) {
                return Some(outer);
            }
            stmt = outer;
        }
        None
    }

    /// Whether a place is a local: it may have no value.
    pub fn may_have_no_value(&self, place: usize) -> bool {
        let object = self.places.all[place].0;
        self.tree.objects[object].function.is_some()
    }

    /// The initializer of a local.
    pub fn initial(&self, place: usize) -> Option<ExprId> {
        let object = &self.tree.objects[self.places.all[place].0];
        match self.tree.inits[object.init.filter(|_| object.function.is_some())?].kind {
            InitKind::Expr(e) => Some(e),
            _ => None,
        }
    }
}
