//! What is left out of a program where only some parts of memory are needed.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::counting::{counting, is_inside, Counting};
use super::parts::{named_by, root, Part};
use super::Subject;
use crate::allocations::library_name;
use crate::calls::named_function;
use crate::consteval::eval;
use crate::library;
use crate::span::{DeclId, ExprId, ObjectId, Span, StmtId};
use crate::tree::{
    BinaryOp, BlockItem, Entity, ExprKind, ForInit, InitKind, Label, StmtKind, Storage, Tree,
};
use crate::types::{Class, QualType};

/// What is left out, and what stands instead.
#[derive(Default)]
pub(super) struct Cuts {
    /// By part of the text, none within another.
    pub texts: BTreeMap<Span, String>,
    /// Expressions that are gone, with all within them.
    pub gone: Vec<ExprId>,
    /// The names of parts that are looked at for their place, and not read.
    pub places: HashSet<ExprId>,
    /// Whether an assignment is among them.
    pub any_store: bool,
}

/// The program, and the parts that are needed.
struct Cutter<'a> {
    subject: &'a Subject<'a>,
    tree: &'a Tree,
    needed: &'a HashSet<Part>,
    /// The statements that are asked about before: whether nothing of them is left.
    idle: HashMap<StmtId, bool>,
    /// The loops around that count.
    loops: Vec<Counting>,
    cuts: Cuts,
}

/// What an assignment to a part that is not needed leaves.
struct Left {
    /// The lvalue, since its place may be outside of everything.
    place: Option<ExprId>,
    /// The value, since something happens where it is computed.
    value: Option<ExprId>,
}

/// What is left out if these parts are needed. Linear in the program.
pub(super) fn cuts(subject: &Subject, needed: &HashSet<Part>) -> Cuts {
    let tree = &subject.unit.tree;
    let mut cutter = Cutter {
        subject,
        tree,
        needed,
        idle: HashMap::new(),
        loops: Vec::new(),
        cuts: Cuts::default(),
    };
    for (_, _, body) in tree.defined_functions() {
        cutter.items(body.block);
    }
    cutter.arguments();
    cutter.cuts
}

impl Cutter<'_> {
    fn is_needed(&self, part: Part) -> bool {
        self.needed.contains(&part)
    }

    /// Whether a value of this type can be left out by itself.
    fn is_simple(&self, ty: QualType) -> bool {
        let class = self.tree.types.class(ty);
        !ty.quals.is_atomic && matches!(class, Class::Scalar | Class::Pointer)
    }

    /// What an expression leaves that assigns to a part which is not needed; `None` for others.
    fn left(&self, e: ExprId) -> Option<Left> {
        let tree = self.tree;
        let (lvalue, value) = match tree.exprs[e].kind {
            ExprKind::Assign { lhs, rhs, .. } => (lhs, Some(rhs)),
            ExprKind::IncDec { operand, .. } => (operand, None),
            _ => return None,
        };
        let part = named_by(tree, root(tree, lvalue)?)?;
        let is_left_out = !self.is_needed(part) && self.is_simple(tree.exprs[lvalue].ty);
        is_left_out.then(|| Left {
            place: (!self.is_safe(lvalue)).then_some(lvalue),
            value: value.filter(|value| !self.can_go(*value)),
        })
    }

    /// Whether an lvalue lies in its object wherever it is evaluated, without effects.
    fn is_safe(&self, lvalue: ExprId) -> bool {
        match &self.tree.exprs[lvalue].kind {
            ExprKind::Ident(_) => true,
            ExprKind::Member {
                base, arrow: false, ..
            } => self.is_safe(*base),
            ExprKind::Index { base, index } => {
                is_inside(self.tree, *base, *index, &self.loops)
                    && self.is_safe(*base)
                    && self.can_go(*index)
            }
            _ => false,
        }
    }

    /// Whether an expression does nothing but compute a value, and assign to parts that are not needed.
    fn can_go(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let kind = &tree.exprs[e].kind;
        let may = match kind {
            _ if tree.exprs[e].unevaluated => return true,
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } => self
                .left(e)
                .is_some_and(|left| left.place.is_none() && left.value.is_none()),
            // What pointers lead to may be written.
            ExprKind::Call { args, .. } => {
                let is_number = |arg: &ExprId| tree.types.is_arithmetic(tree.exprs[*arg].ty);
                library_name(tree, e).is_some_and(library::is_pure) && args.iter().all(is_number)
            }
            ExprKind::StmtExpr(_) | ExprKind::VaArg(_) | ExprKind::Opaque => false,
            _ => true,
        };
        may && tree.children(e).into_iter().all(|e| self.can_go(e))
    }

    /// Whether nothing is left of an expression whose value nobody looks at.
    fn is_idle(&self, e: ExprId) -> bool {
        let tree = self.tree;
        if self.can_go(e) {
            return true;
        }
        match &tree.exprs[e].kind {
            ExprKind::Cast(inner) => self.is_idle(*inner),
            ExprKind::Comma(all) => all.iter().all(|e| self.is_idle(*e)),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let mut arms = then.iter().chain([otherwise]);
                self.can_go(*cond) && arms.all(|arm| self.is_idle(*arm))
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, lhs, rhs) => {
                self.can_go(*lhs) && self.is_idle(*rhs)
            }
            ExprKind::Call { args, .. } => {
                self.is_silent(e) && args.iter().all(|arg| self.can_go(*arg))
            }
            _ => false,
        }
    }

    /// Whether a call only writes something outside of the program. What `%n` is given is written inside of it.
    fn is_silent(&self, call: ExprId) -> bool {
        let text = self.subject.unit.text_of(self.tree.exprs[call].span);
        let name = library_name(self.tree, call);
        let formats = name.is_some_and(|name| name.ends_with("printf"));
        let ends = |name| self.subject.cancels && library::cancellation_point(name).is_some();
        let is_asked = |name| self.subject.named.contains(name);
        name.is_some_and(|name| library::silent(name).is_some() && !is_asked(name) && !ends(name))
            && (!formats || (text.contains('"') && !text.contains("%n")))
    }

    /// Whether nothing is left of a statement; `breaks` if what `break` leaves goes with it.
    fn is_idle_statement(&mut self, stmt: StmtId, breaks: bool) -> bool {
        if let (Some(known), false) = (self.idle.get(&stmt), breaks) {
            return *known;
        }
        let tree = self.tree;
        let idle = match &tree.stmts[stmt].kind {
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(stmt) => self.is_idle_statement(*stmt, breaks),
                BlockItem::Decl(decl) => self.is_idle_declaration(*decl),
            }),
            StmtKind::Expr(e) => e.is_none_or(|e| self.is_idle(e)),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.can_go(*cond)
                    && self.is_idle_statement(*then, breaks)
                    && otherwise.is_none_or(|stmt| self.is_idle_statement(stmt, breaks))
            }
            StmtKind::Switch { cond, body, .. } => {
                self.can_go(*cond) && self.is_idle_statement(*body, true)
            }
            StmtKind::Labeled { label, body, .. } => {
                !matches!(label, Label::Named(_)) && breaks && self.is_idle_statement(*body, breaks)
            }
            // The body of a macro with several statements.
            StmtKind::DoWhile { cond, body, .. } => {
                eval(tree, *cond) == Some(0) && self.is_idle_statement(*body, true)
            }
            StmtKind::For { body, .. } => self.is_idle_loop(stmt, *body),
            StmtKind::Break => breaks,
            _ => false,
        };
        if !breaks {
            self.idle.insert(stmt, idle);
        }
        idle
    }

    /// Whether nothing is left of a loop that ends for sure.
    fn is_idle_loop(&mut self, stmt: StmtId, body: StmtId) -> bool {
        let counting = counting(self.tree, &self.subject.uses, stmt);
        let Some(one) = counting.filter(|one| self.is_idle_local(one.counter)) else {
            return false;
        };
        self.loops.push(one);
        let idle = self.is_idle_statement(body, true);
        self.loops.pop();
        idle
    }

    /// Whether a declaration only declares variables that nobody looks at, if these statements go.
    fn is_idle_declaration(&self, decl: DeclId) -> bool {
        let decl = &self.tree.decls[decl];
        decl.type_exprs.is_empty()
            && !decl.is_typedef
            && decl.declared.iter().all(|declared| {
                let Entity::Object(object) = declared.entity else {
                    return false;
                };
                self.is_idle_local(object)
                    && declared
                        .init
                        .is_none_or(|init| match self.tree.inits[init].kind {
                            InitKind::Expr(e) => self.can_go(e),
                            InitKind::List(_) => false,
                        })
            })
    }

    fn is_idle_local(&self, id: ObjectId) -> bool {
        let object = &self.tree.objects[id];
        object.storage == Storage::Local
            && self.is_simple(object.ty)
            && !self.is_needed(Part::Object(id))
    }

    /// Cuts within the statements of a block.
    fn items(&mut self, block: StmtId) {
        let tree = self.tree;
        if let StmtKind::Compound { items, .. } = &tree.stmts[block].kind {
            for item in items {
                match item {
                    BlockItem::Stmt(stmt) => self.statement(*stmt),
                    BlockItem::Decl(decl) => self.declaration(*decl),
                }
            }
        }
    }

    /// Cuts a statement, or what it has inside.
    fn statement(&mut self, stmt: StmtId) {
        let tree = self.tree;
        // One whose value is looked at stays as it is.
        if tree.gives_value_of(stmt).is_some() {
            return;
        }
        if self.is_idle_statement(stmt, false) {
            return self.cut_statement(stmt);
        }
        match &tree.stmts[stmt].kind {
            StmtKind::Compound { .. } => self.items(stmt),
            StmtKind::Expr(Some(e)) => self.unused(*e),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.statement(*then);
                otherwise.iter().for_each(|stmt| self.statement(*stmt));
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Labeled { body, .. } => self.statement(*body),
            StmtKind::For {
                init, step, body, ..
            } => {
                match init {
                    ForInit::Expr(e) => self.unused(*e),
                    ForInit::Decl(decl) => self.declaration(*decl),
                    ForInit::None => {}
                }
                step.iter().for_each(|e| self.unused(*e));
                self.statement(*body);
            }
            _ => {}
        }
    }

    /// Leaves out a whole statement.
    fn cut_statement(&mut self, stmt: StmtId) {
        let tree = self.tree;
        let whole = tree.stmts[stmt].span;
        let is_empty = matches!(&tree.stmts[stmt].kind, StmtKind::Expr(None))
            || matches!(&tree.stmts[stmt].kind, StmtKind::Compound { items, .. } if items.is_empty());
        if whole.is_empty() || is_empty {
            return;
        }
        self.expressions(stmt);
        self.cuts.texts.insert(whole, ";".to_owned());
    }

    /// All expressions of a statement of which nothing is left.
    fn expressions(&mut self, stmt: StmtId) {
        let tree = self.tree;
        let kind = &tree.stmts[stmt].kind;
        kind.condition().into_iter().for_each(|e| self.gone(e));
        match kind {
            StmtKind::Expr(Some(e)) => self.gone(*e),
            StmtKind::Compound { items, .. } => {
                for item in items {
                    match item {
                        BlockItem::Stmt(stmt) => self.expressions(*stmt),
                        BlockItem::Decl(decl) => self.initial_values(*decl),
                    }
                }
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.expressions(*then);
                otherwise.iter().for_each(|stmt| self.expressions(*stmt));
            }
            StmtKind::For {
                init, step, body, ..
            } => {
                match init {
                    ForInit::Expr(e) => self.gone(*e),
                    ForInit::Decl(decl) => self.initial_values(*decl),
                    ForInit::None => {}
                }
                self.cuts.gone.extend(*step);
                self.expressions(*body);
            }
            StmtKind::Switch { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::Labeled { body, .. } => {
                self.expressions(*body);
            }
            _ => {}
        }
    }

    fn initial_values(&mut self, decl: DeclId) {
        for declared in &self.tree.decls[decl].declared {
            let init = declared.init.map(|init| &self.tree.inits[init].kind);
            if let Some(InitKind::Expr(e)) = init {
                self.cuts.gone.push(*e);
            }
        }
    }

    /// An expression of which nothing is left.
    fn gone(&mut self, e: ExprId) {
        self.cuts.any_store |= self.assigns(e);
        self.cuts.gone.push(e);
    }

    /// Whether it assigns something, so that it is no mere output.
    fn assigns(&self, e: ExprId) -> bool {
        let is_one = self.left(e).is_some();
        is_one || self.tree.children(e).into_iter().any(|e| self.assigns(e))
    }

    /// Cuts within an expression whose value nobody looks at.
    fn unused(&mut self, e: ExprId) {
        let tree = self.tree;
        let expr = &tree.exprs[e];
        if self.is_idle(e) {
            self.gone(e);
            self.cuts.texts.insert(expr.span, "((void)0)".to_owned());
            return;
        }
        match &expr.kind {
            ExprKind::Comma(all) => all.iter().for_each(|e| self.unused(*e)),
            ExprKind::Cast(inner) if tree.types.class(expr.ty) == Class::Void => {
                self.unused(*inner);
            }
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } => {
                if let Some(left) = self.left(e) {
                    self.reduce(e, &left);
                }
            }
            _ => {}
        }
    }

    /// Leaves of an assignment what has an effect.
    fn reduce(&mut self, e: ExprId, left: &Left) {
        let tree = self.tree;
        let all: Vec<ExprId> = left.place.into_iter().chain(left.value).collect();
        let texts = all
            .iter()
            .map(|e| self.subject.unit.text_of(tree.exprs[*e].span));
        let texts: Vec<String> = texts.map(|text| format!("(void)({text})")).collect();
        for child in tree.children(e) {
            if !all.contains(&child) {
                self.cuts.gone.push(child);
            }
        }
        let place = left.place.and_then(|lvalue| root(tree, lvalue));
        self.cuts.places.extend(place);
        self.cuts.any_store = true;
        self.cuts
            .texts
            .insert(tree.exprs[e].span, format!("({})", texts.join(", ")));
    }

    /// Cuts the initial values of variables that nobody looks at.
    fn declaration(&mut self, decl: DeclId) {
        let tree = self.tree;
        for declared in &tree.decls[decl].declared {
            let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                continue;
            };
            let InitKind::Expr(e) = tree.inits[init].kind else {
                continue;
            };
            if self.is_idle_local(object) && self.can_go(e) {
                let whole = Span::new(declared.declarator.end, tree.inits[init].span.end);
                self.cuts.texts.insert(whole, String::new());
                self.cuts.gone.push(e);
            }
        }
    }

    /// Whether a part of the text stands in one that is replaced.
    fn is_replaced(&self, part: Span) -> bool {
        let before = self.cuts.texts.range(..=Span::new(part.start, usize::MAX));
        let around = before.map(|(span, _)| span).next_back();
        around.is_some_and(|around| part.end <= around.end)
    }

    /// Puts zero in the place of arguments for parameters that nobody looks at.
    fn arguments(&mut self) {
        let tree = self.tree;
        for (_, expr) in tree.exprs.iter().take(self.subject.own) {
            let ExprKind::Call { callee, args, .. } = &expr.kind else {
                continue;
            };
            let function = named_function(tree, *callee);
            let body = function.and_then(|f| tree.functions[f].body.as_ref());
            let Some(body) = body.filter(|_| !expr.unevaluated) else {
                continue;
            };
            // An old definition takes values as they come.
            if body.old_style || self.is_replaced(expr.span) {
                continue;
            }
            for (param, arg) in body.params.iter().zip(args) {
                let is_constant = matches!(tree.exprs[*arg].kind, ExprKind::Int(_));
                let simple = self.is_simple(tree.objects[*param].ty);
                let needed = self.is_needed(Part::Object(*param));
                if simple && !needed && !is_constant && self.can_go(*arg) {
                    self.cuts.gone.push(*arg);
                    self.cuts
                        .texts
                        .insert(tree.exprs[*arg].span, "0".to_owned());
                }
            }
        }
    }
}
