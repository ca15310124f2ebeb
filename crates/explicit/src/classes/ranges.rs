//! Variables that a program only compares with constants and computes from each other by operations with constants, as in
//! `if (a > 38 && a <= 218) a = a % 25 + 13;`. During the search their values are told apart by classes
//! (`templates/explicit/refine.c`); for that each comparison and each assignment calls the search.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId, StmtId};
use cfront::tree::{
    BinaryOp, Entity, ExprKind, InitKind, Parent, Resolved, StmtKind, Storage, Tree, UnaryOp,
};
use cfront::Unit;

use super::poison::Insertions;
use crate::flows::called;
use crate::kinds::integer;
use crate::text::{RECORDED, STATICS};

/// The most variables that the search follows so (`templates/explicit/ranges.c`).
const MOST: usize = 64;
/// A constant from which on sums lead to so many values that classes of them are worth their time.
const LARGE: i128 = 1000;

/// `int`, the only type of these variables and operations.
const INT: (u32, bool) = (32, true);

/// An operation of a variable's value with a constant, as `templates/explicit/ranges.c` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add(i128),
    Multiply(i128),
    Divide(i128),
    Remainder(i128),
}

impl Operation {
    fn numbers(self) -> (u8, i128) {
        match self {
            Operation::Add(c) => (1, c),
            Operation::Multiply(c) => (2, c),
            Operation::Divide(c) => (3, c),
            Operation::Remainder(c) => (4, c),
        }
    }

    /// Whether repeating it leads to many values.
    fn is_far(self) -> bool {
        !matches!(self, Operation::Add(c) if c.abs() < LARGE)
    }
}

/// What an occurrence of a variable does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Use {
    /// The whole expression tells whether the variable is greater than each of these constants.
    Compared(ExprId, Vec<i128>),
    /// So is what is computed from it by these operations.
    Tested(ExprId, Vec<Operation>, Vec<i128>),
    /// It is stored to.
    Written { value: ExprId },
    /// It gets a value that is computed from the one it has.
    Updated(ExprId, Vec<Operation>),
    /// Another variable, or the same one, gets a value that is computed from it.
    Copied {
        to: ObjectId,
        value: ExprId,
        by: Vec<Operation>,
    },
    /// A part of the state is recorded.
    Recorded,
    /// Nothing depends on it.
    Shown,
}

/// The variables, and the text that follows them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranged {
    /// Their number.
    pub count: usize,
    /// The calls.
    pub insertions: Insertions,
    tables: String,
}

impl Ranged {
    /// What the calls need.
    pub fn declarations(&self) -> String {
        if self.count == 0 {
            return String::new();
        }
        "void ba_x_compares(unsigned, long long);\n\
         void ba_x_computes(unsigned, unsigned, const long long *);\n\
         long long ba_x_stores(unsigned, long long);\n\
         int ba_x_range(unsigned, int);\n"
            .to_string()
            + &self.tables
    }
}

/// Finds the variables. `quiet` tells which functions of the library have no effect.
pub(super) fn ranged(unit: &Unit, quiet: &dyn Fn(&str) -> bool) -> Ranged {
    let tree = &unit.tree;
    let uses = Uses {
        tree,
        quiet,
        passed: passed(tree),
    };
    let mut kept: BTreeMap<ObjectId, Vec<(ExprId, Use)>> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
            continue;
        };
        if expr.unevaluated || refused.contains(&object) {
            continue;
        }
        match uses.candidate(object).then(|| uses.of(id)).flatten() {
            Some(of) => kept.entry(object).or_default().push((id, of)),
            None => {
                refused.insert(object);
                kept.remove(&object);
            }
        }
    }
    kept.retain(|_, all| {
        let recorded = all.iter().filter(|(_, of)| *of == Use::Recorded);
        recorded.count() == 1
    });
    // Whose value goes to a variable that is not followed is not followed either.
    loop {
        let known: BTreeSet<ObjectId> = kept.keys().copied().collect();
        kept.retain(|_, all| {
            let lost = |of: &Use| matches!(of, Use::Copied { to, .. } if !known.contains(to));
            !all.iter().any(|(_, of)| lost(of))
        });
        if kept.len() == known.len() {
            break;
        }
    }
    computed_only(&mut kept);
    let far = |of: &Use| match of {
        Use::Updated(_, by) | Use::Copied { by, .. } => by.iter().any(|o| o.is_far()),
        _ => false,
    };
    let mut all = kept.values().flatten();
    if kept.len() > MOST || !all.any(|(_, of)| far(of)) {
        return Ranged::default();
    }
    written(tree, &kept)
}

/// Leaves out variables that only ever get values that are not computed from others: these are few.
fn computed_only(kept: &mut BTreeMap<ObjectId, Vec<(ExprId, Use)>>) {
    let mut computed = BTreeSet::new();
    for (object, all) in kept.iter() {
        for (_, of) in all {
            match of {
                Use::Updated(..) => drop(computed.insert(*object)),
                Use::Copied { to, .. } => computed.extend([*object, *to]),
                _ => {}
            }
        }
    }
    kept.retain(|object, _| computed.contains(object));
}

/// The calls for all uses.
fn written(tree: &Tree, kept: &BTreeMap<ObjectId, Vec<(ExprId, Use)>>) -> Ranged {
    let mut out = Ranged {
        count: kept.len(),
        ..Ranged::default()
    };
    let number = |object: &ObjectId| kept.keys().position(|o| o == object).unwrap_or_default();
    // What is stored is computed from a variable, or does not depend on any.
    let copies = kept.values().flatten().filter_map(|(_, of)| match of {
        Use::Copied { value, .. } => Some(*value),
        _ => None,
    });
    let copies: BTreeSet<ExprId> = copies.collect();
    for (object, all) in kept {
        let own = number(object);
        for (id, of) in all {
            match of {
                Use::Compared(e, with) => {
                    let calls: String = with
                        .iter()
                        .map(|c| format!("ba_x_compares({own}, {c}LL), "))
                        .collect();
                    around(&mut out.insertions, tree, *e, &format!("({calls}"), ")");
                }
                Use::Tested(e, by, with) => {
                    // One more symbol is for values that are not stored.
                    let mut calls = computes(&mut out, kept.len(), own, by);
                    for c in with {
                        let _ = write!(calls, ", ba_x_compares({}, {c}LL)", kept.len());
                    }
                    around(&mut out.insertions, tree, *e, &format!("({calls}, "), ")");
                }
                Use::Written { value } if copies.contains(value) => {}
                Use::Written { value } => {
                    let before = format!("ba_x_stores({own}, (");
                    around(&mut out.insertions, tree, *value, &before, "))");
                }
                Use::Updated(e, by) => {
                    let call = computes(&mut out, own, own, by);
                    around(&mut out.insertions, tree, *e, &format!("({call}, "), ")");
                }
                Use::Copied { to, value, by } => {
                    let call = computes(&mut out, number(to), own, by);
                    around(
                        &mut out.insertions,
                        tree,
                        *value,
                        &format!("({call}, "),
                        ")",
                    );
                }
                Use::Recorded => {
                    around(
                        &mut out.insertions,
                        tree,
                        *id,
                        &format!("ba_x_range({own}, "),
                        ")",
                    );
                }
                Use::Shown => {}
            }
        }
    }
    out
}

fn around(insertions: &mut Insertions, tree: &Tree, e: ExprId, before: &str, after: &str) {
    insertions.around(tree.exprs[e].span, true, before, after);
}

/// The call for a computed value, with a table of its operations.
fn computes(out: &mut Ranged, to: usize, from: usize, by: &[Operation]) -> String {
    let table = out.tables.lines().count();
    let _ = write!(
        out.tables,
        "static const long long ba_x_operations_{table}[] = {{ "
    );
    for operation in by {
        let (kind, constant) = operation.numbers();
        let _ = write!(out.tables, "{kind}, {constant}LL, ");
    }
    out.tables.push_str("0 };\n");
    format!("ba_x_computes({to}, {from}, ba_x_operations_{table})")
}

/// The name of the weaver's variable for a value on its way to the object that an assignment stores it to.
const PASSED: &str = "ba_value";

/// The variables of the weaver that do nothing but hold a value until it is stored: by the expression of the value, the expression of the
/// variable where the value is stored.
fn passed(tree: &Tree) -> BTreeMap<ExprId, ExprId> {
    let mut reads: BTreeMap<ObjectId, Vec<ExprId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        match expr.kind {
            ExprKind::Ident(Resolved::Object(o)) if tree.objects[o].name == PASSED => {
                reads.entry(o).or_default().push(id);
            }
            _ => {}
        }
    }
    let mut out = BTreeMap::new();
    for (_, decl) in tree.decls.iter() {
        for declared in &decl.declared {
            let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                continue;
            };
            let value = match tree.inits[init].kind {
                InitKind::Expr(e) => Some(e),
                _ => None,
            };
            let once = match reads.get(&object).map(Vec::as_slice) {
                Some([read]) => Some(*read),
                _ => None,
            };
            let int = integer(tree, tree.objects[object].ty) == Some(INT);
            if let (Some(value), Some(read), true) = (value, once, int) {
                out.insert(value, read);
            }
        }
    }
    out
}

struct Uses<'a> {
    tree: &'a Tree,
    quiet: &'a dyn Fn(&str) -> bool,
    passed: BTreeMap<ExprId, ExprId>,
}

impl Uses<'_> {
    /// Whether an object can be such a variable.
    fn candidate(&self, object: ObjectId) -> bool {
        let o = &self.tree.objects[object];
        let quals = o.ty.quals;
        let plain = !quals.is_volatile && !quals.is_const && !quals.is_atomic;
        let at_file_scope = o.is_static_duration() && o.storage != Storage::StaticLocal;
        plain && at_file_scope && !o.name.starts_with(super::OWN) && self.is_int_type(object)
    }

    fn is_int_type(&self, object: ObjectId) -> bool {
        integer(self.tree, self.tree.objects[object].ty) == Some(INT)
    }

    fn is_int(&self, e: ExprId) -> bool {
        integer(self.tree, self.tree.exprs[e].ty) == Some(INT)
    }

    /// The value of a constant of type `int`.
    fn constant(&self, e: ExprId) -> Option<i128> {
        let value = eval(self.tree, e).filter(|_| self.is_int(e))?;
        i32::try_from(value).ok().map(i128::from)
    }

    /// What an occurrence does; `None` if that is not followed.
    fn of(&self, id: ExprId) -> Option<Use> {
        let parent = match self.tree.exprs[id].parent {
            Parent::Expr(parent) => parent,
            Parent::Init(_) => return self.recorded(id).or_else(|| self.copied(id)),
            Parent::Stmt(stmt) => {
                let told = self.decides(stmt, id);
                return told.then(|| Use::Compared(id, vec![-1, 0]));
            }
            _ => return None,
        };
        match &self.tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if *lhs == id => {
                let passed = self.passed.iter().find(|(_, read)| *read == rhs);
                let value = passed.map_or(*rhs, |(value, _)| *value);
                integer(self.tree, self.tree.exprs[value].ty)?;
                self.is_statement(parent).then_some(Use::Written { value })
            }
            ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
                ..
            } if *lhs == id && self.is_statement(parent) => {
                let by = with_constant(*op, self.constant(*rhs)?)?;
                Some(Use::Updated(parent, vec![by]))
            }
            ExprKind::IncDec { increment, .. } if self.is_statement(parent) => {
                let by = Operation::Add(if *increment { 1 } else { -1 });
                Some(Use::Updated(parent, vec![by]))
            }
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                Some(Use::Compared(id, vec![-1, 0]))
            }
            ExprKind::Binary(op, a, b) if op.is_boolean() => {
                let first = *a == id;
                let constant = self.constant(if first { *b } else { *a })?;
                Some(Use::Compared(parent, cuts(*op, first, constant)))
            }
            ExprKind::Call { callee, args, .. } if args.contains(&id) => {
                let function = &self.tree.functions[called(self.tree, *callee)?];
                // The search's own functions are told values.
                let name = function.name.as_str();
                let harmless =
                    function.body.is_none() && !name.starts_with(super::OWN) && (self.quiet)(name);
                harmless.then_some(Use::Shown)
            }
            ExprKind::Cast(_) => self.recorded(id),
            _ => self.copied(id),
        }
    }

    /// Whether a statement asks whether a value is 0, and nothing else of it.
    fn decides(&self, stmt: StmtId, e: ExprId) -> bool {
        match &self.tree.stmts[stmt].kind {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. } => *cond == e,
            _ => false,
        }
    }

    /// Whether nothing reads the value of an assignment.
    fn is_statement(&self, e: ExprId) -> bool {
        match self.tree.exprs[e].parent {
            Parent::Stmt(stmt) => {
                matches!(self.tree.stmts[stmt].kind, StmtKind::Expr(Some(own)) if own == e)
            }
            _ => false,
        }
    }

    /// A value that is recorded as a part of every state.
    fn recorded(&self, id: ExprId) -> Option<Use> {
        let tree = self.tree;
        let mut at = tree.exprs[id].parent;
        while let Parent::Expr(outer) = at {
            matches!(tree.exprs[outer].kind, ExprKind::Cast(_)).then_some(())?;
            at = tree.exprs[outer].parent;
        }
        let Parent::Init(init) = at else { return None };
        let Parent::Declarator(decl, n) = tree.inits[init].parent else {
            return None;
        };
        let cfront::tree::Entity::Object(object) = tree.decls[decl].declared.get(n)?.entity else {
            return None;
        };
        let within = tree.decls[decl].function?;
        let recorded =
            tree.objects[object].name == RECORDED && tree.functions[within].name == STATICS;
        recorded.then_some(Use::Recorded)
    }

    /// A value from which another one is computed and stored.
    fn copied(&self, id: ExprId) -> Option<Use> {
        let tree = self.tree;
        let (mut at, mut by) = (id, Vec::new());
        loop {
            // What the weaver's variable holds goes on from where it is read.
            let from = match self.passed.get(&at) {
                Some(read) if matches!(tree.exprs[at].parent, Parent::Init(_)) => *read,
                _ => at,
            };
            let Parent::Expr(parent) = tree.exprs[from].parent else {
                return None;
            };
            match &tree.exprs[parent].kind {
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } if *rhs == from && self.is_statement(parent) => {
                    let ExprKind::Ident(Resolved::Object(to)) = tree.exprs[*lhs].kind else {
                        return None;
                    };
                    let value = at;
                    return self.candidate(to).then_some(Use::Copied { to, value, by });
                }
                // Nothing else is done with what the weaver's variable holds.
                _ if from != at => return None,
                ExprKind::Unary(UnaryOp::Minus, _) => by.push(Operation::Multiply(-1)),
                ExprKind::Unary(UnaryOp::Plus, _) => {}
                ExprKind::Binary(op, a, b) if op.is_boolean() => {
                    let first = *a == at;
                    let constant = self.constant(if first { *b } else { *a })?;
                    let compares = !matches!(op, BinaryOp::And | BinaryOp::Or);
                    return compares.then(|| Use::Tested(parent, by, cuts(*op, first, constant)));
                }
                ExprKind::Binary(op, a, b) => {
                    let constant = self.constant(if *a == at { *b } else { *a })?;
                    match op {
                        BinaryOp::Sub if *b == at => {
                            by.extend([Operation::Multiply(-1), Operation::Add(constant)]);
                        }
                        BinaryOp::Div | BinaryOp::Rem if *b == at => return None,
                        _ => by.push(with_constant(*op, constant)?),
                    }
                }
                _ => return None,
            }
            self.is_int(parent).then_some(())?;
            at = parent;
        }
    }
}

/// The operation `value op constant`.
fn with_constant(op: BinaryOp, constant: i128) -> Option<Operation> {
    match op {
        BinaryOp::Add => Some(Operation::Add(constant)),
        BinaryOp::Sub => Some(Operation::Add(-constant)),
        BinaryOp::Mul => Some(Operation::Multiply(constant)),
        // Dividing by -1 may overflow.
        BinaryOp::Div if constant != 0 && constant != -1 => Some(Operation::Divide(constant)),
        BinaryOp::Rem if constant != 0 && constant != -1 => Some(Operation::Remainder(constant)),
        _ => None,
    }
}

/// The constants such that the comparison tells no more of the value than whether it is greater than each of them.
fn cuts(op: BinaryOp, first: bool, constant: i128) -> Vec<i128> {
    match (op, first) {
        (BinaryOp::Lt | BinaryOp::Ge, true) | (BinaryOp::Gt | BinaryOp::Le, false) => {
            vec![constant - 1]
        }
        (BinaryOp::Le | BinaryOp::Gt, true) | (BinaryOp::Ge | BinaryOp::Lt, false) => {
            vec![constant]
        }
        _ => vec![constant - 1, constant],
    }
}
