//! Reads expressions: the named variable, the constant, the test, and the tests around a place.

use cfront::span::{ExprId, FunctionId, ObjectId, StmtId};
use cfront::tree::{BinaryOp, BlockItem, ExprKind, Label, Parent, Resolved, StmtKind};
use cfront::tree::{Storage, Tree, UnaryOp};

use super::{Asker, Constant, Test};

impl Asker<'_> {
    /// The expression of the `switch` around a statement.
    pub(super) fn switched(&self, mut id: StmtId) -> Option<ExprId> {
        loop {
            let Parent::Stmt(outer) = self.tree.stmts[id].parent else {
                return None;
            };
            if let StmtKind::Switch { cond, .. } = self.tree.stmts[outer].kind {
                return Some(cond);
            }
            id = outer;
        }
    }

    /// The expression without casts and address operators around it.
    pub(super) fn stripped(&self, mut id: ExprId) -> ExprId {
        loop {
            match self.tree.exprs[id].kind {
                ExprKind::Cast(inner) | ExprKind::AddressOf(inner) => id = inner,
                _ => return id,
            }
        }
    }

    /// The object at the root of a path; for a path through a pointer, the only variable of the
    /// type.
    pub(super) fn owner(&self, id: ExprId) -> Option<ObjectId> {
        match &self.tree.exprs[id].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(*object),
            ExprKind::Member {
                base, arrow: false, ..
            } => self.owner(*base),
            ExprKind::Member { path, .. } => *self.owners.get(&path.first()?.0)?,
            _ => None,
        }
    }

    /// The path in a condition of a specification; `None` if a condition could not name it.
    pub(super) fn path(&self, id: ExprId) -> Option<String> {
        match &self.tree.exprs[id].kind {
            ExprKind::Ident(Resolved::Object(object)) => self.named(*object),
            ExprKind::Member {
                base,
                arrow: false,
                name,
                ..
            } => Some(format!("{}.{name}", self.path(*base)?)),
            ExprKind::Member { name, path, .. } => {
                let owner = (*self.owners.get(&path.first()?.0)?)?;
                Some(format!("{}.{name}", self.named(owner)?))
            }
            _ => None,
        }
    }

    /// The function and the index of the parameter that an expression names.
    pub(super) fn parameter(&self, id: ExprId) -> Option<(FunctionId, usize)> {
        let ExprKind::Ident(Resolved::Object(object)) = self.tree.exprs[self.stripped(id)].kind
        else {
            return None;
        };
        let function = self.tree.objects[object].function?;
        let body = self.tree.functions[function].body.as_ref()?;
        let number = body.params.iter().position(|&p| p == object)?;
        Some((function, number))
    }

    pub(super) fn named(&self, id: ObjectId) -> Option<String> {
        let object = &self.tree.objects[id];
        let unfit = object.in_system_header || object.thread_local || !object.defined;
        if unfit || object.storage == Storage::Parameter || self.ambiguous.contains(&id) {
            return None;
        }
        Some(match object.function {
            Some(function) => format!("{}::{}", self.tree.functions[function].name, object.name),
            None => object.name.clone(),
        })
    }

    /// A constant with its spelling in the program; a macro by its name.
    pub(super) fn constant(&self, id: ExprId) -> Option<Constant> {
        let expr = &self.tree.exprs[id];
        let value = cfront::consteval::eval(self.tree, id)?;
        let text = self.unit.text_of(expr.bare).trim().to_string();
        let plain = |text: &str| text.trim().trim_matches(['(', ')']).trim().to_string();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if text.chars().all(word) && !text.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(Constant { text, value });
        }
        let place = self.unit.source.place(expr.span);
        let mut names: Vec<&str> = place
            .text
            .split(|c: char| !word(c))
            .filter(|name| {
                let meant = self.facts.macros.plain.get(*name);
                meant.is_some_and(|meant| plain(meant) == plain(&text))
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        let text = match names.as_slice() {
            [name] if place.text_is_original => (*name).to_string(),
            _ if matches!(expr.kind, ExprKind::Int(_) | ExprKind::Char(_)) => text,
            _ => value.to_string(),
        };
        Some(Constant { text, value })
    }

    /// The bound in a comparison of a sum, `x + n <= MAX`, as a bound of the variable.
    pub(super) fn bound_of_sum(
        &self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> Option<(ExprId, Constant)> {
        let orders = [BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
        let sum = |id: ExprId| match self.tree.exprs[self.stripped(id)].kind {
            ExprKind::Binary(BinaryOp::Add, x, _) => self.path(self.stripped(x)).map(|_| x),
            _ => None,
        };
        if !orders.contains(&op) {
            return None;
        }
        match (sum(a), sum(b)) {
            (Some(x), _) => Some((x, self.constant(b)?)),
            (_, Some(x)) => Some((x, self.constant(a)?)),
            _ => None,
        }
    }

    /// A comparison of a variable with a constant, with the variable on the left.
    pub(super) fn comparison(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<Test> {
        let turned = match op {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Ge => BinaryOp::Le,
            BinaryOp::Eq | BinaryOp::Ne => op,
            _ => return None,
        };
        let (variable, op, constant) = match (self.path(self.stripped(a)), self.constant(b)) {
            (Some(variable), Some(constant)) => (variable, op, constant),
            _ => (self.path(self.stripped(b))?, turned, self.constant(a)?),
        };
        Some(Test {
            variable,
            op,
            constant,
        })
    }

    /// Conditions as tests: `x`, `!x`, `x == C`, and conjunctions of these.
    pub(super) fn tests(&self, id: ExprId, out: &mut Vec<Test>) {
        let zero = |variable: String, op: BinaryOp| Test {
            variable,
            op,
            constant: Constant {
                text: "0".into(),
                value: 0,
            },
        };
        match &self.tree.exprs[id].kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.tests(*a, out);
                self.tests(*b, out);
            }
            ExprKind::Binary(op, a, b) => out.extend(self.comparison(*op, *a, *b)),
            ExprKind::Unary(UnaryOp::Not, e) => {
                out.extend(self.path(*e).map(|path| zero(path, BinaryOp::Eq)));
            }
            _ => out.extend(self.path(id).map(|path| zero(path, BinaryOp::Ne))),
        }
    }

    /// Whether only the truth of an expression matters where it stands.
    pub(super) fn asked_for_zero(&self, id: ExprId) -> bool {
        match self.tree.exprs[id].parent {
            Parent::Expr(outer) => match &self.tree.exprs[outer].kind {
                ExprKind::Unary(UnaryOp::Not, _) => true,
                ExprKind::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or),
                ExprKind::Conditional { cond, .. } => *cond == id,
                _ => false,
            },
            Parent::Stmt(stmt) => match &self.tree.stmts[stmt].kind {
                StmtKind::If { cond, .. }
                | StmtKind::While { cond, .. }
                | StmtKind::DoWhile { cond, .. } => *cond == id,
                StmtKind::For { cond, .. } => *cond == Some(id),
                _ => false,
            },
            _ => false,
        }
    }

    /// The tests under which an expression is evaluated, as far as the surrounding text shows.
    pub(super) fn guards(&self, id: ExprId) -> Vec<Test> {
        let mut guards = Vec::new();
        let Some(mut inner) = self.tree.statement_of(self.tree.exprs[id].parent) else {
            return guards;
        };
        while let Parent::Stmt(outer) = self.tree.stmts[inner].parent {
            match &self.tree.stmts[outer].kind {
                StmtKind::If { cond, then, .. } if *then == inner => self.tests(*cond, &mut guards),
                StmtKind::Labeled {
                    label: Label::Case(value),
                    ..
                } => guards.extend(self.case(outer, *value)),
                StmtKind::Compound { items, .. } => {
                    guards.extend(self.case_before(items, inner));
                }
                _ => {}
            }
            inner = outer;
        }
        guards
    }

    /// `case value:` as a test, if no other label leads there.
    pub(super) fn case(&self, label: StmtId, value: ExprId) -> Option<Test> {
        let alone = match self.tree.stmts[label].parent {
            Parent::Stmt(outer) => !matches!(self.tree.stmts[outer].kind, StmtKind::Labeled { .. }),
            _ => false,
        };
        let subject = self.switched(label).filter(|_| alone)?;
        self.comparison(BinaryOp::Eq, subject, value)
    }

    /// The last `case` before a statement of a block.
    pub(super) fn case_before(&self, items: &[BlockItem], stmt: StmtId) -> Option<Test> {
        let before = items
            .iter()
            .take_while(|&&item| item != BlockItem::Stmt(stmt));
        let labels = before.filter_map(|item| match item {
            BlockItem::Stmt(id) => is_case(self.tree, *id).then_some(*id),
            BlockItem::Decl(_) => None,
        });
        let label = labels.last()?;
        let StmtKind::Labeled {
            label: Label::Case(value),
            body,
            ..
        } = &self.tree.stmts[label].kind
        else {
            return None;
        };
        let single = !matches!(self.tree.stmts[*body].kind, StmtKind::Labeled { .. });
        if !single {
            return None;
        }
        self.case(label, *value)
    }
}

/// Whether a statement has a `case` or `default` label.
fn is_case(tree: &Tree, id: StmtId) -> bool {
    match &tree.stmts[id].kind {
        StmtKind::Labeled { label, .. } => !matches!(label, Label::Named(_)),
        _ => false,
    }
}
