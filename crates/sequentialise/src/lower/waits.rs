//! Loops that only wait: no iteration but the last has an effect. Such a loop becomes one place
//! where the thread blocks and one iteration, which is assumed to be the last.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::written;
use cfront::span::ObjectId;
use cfront::tree::{BinaryOp, BlockItem, Entity, ExprKind, InitKind, Resolved, StmtKind, UnaryOp};
use cfront::{consteval, DeclId, ExprId, Span, StmtId};

use super::exprs::enclosed;
use super::{only_reads, Exits, Lower};
use crate::code::{Action, Mover};
use crate::library::{name_of, Call};
use crate::print::Patch;

/// The facts about an iteration from the statements read so far.
struct Iteration {
    /// The place of the loop.
    span: Span,
    /// Conditions of which one holds in an iteration that leaves the loop.
    exits: Vec<String>,
    /// The values of variables that the iteration has assigned.
    values: BTreeMap<ObjectId, String>,
}

impl Iteration {
    /// An iteration of which nothing was read.
    fn of(span: Span) -> Iteration {
        Iteration {
            span,
            exits: Vec::new(),
            values: BTreeMap::new(),
        }
    }
}

impl Lower<'_, '_> {
    /// Whether an iteration reads shared memory several times. Other threads may run in between, so
    /// that it may leave the loop although the condition is true at no moment. In step form such a
    /// loop stays a loop: a position that blocks would lose these runs. Nothing runs in between in an atomic section.
    fn looks_twice(&self, span: Span) -> bool {
        self.env.atomic == 0 && self.with_calls(self.accesses.of_span(span), span).len() > 1
    }

    /// Lowers a loop that only waits; returns whether it is one.
    pub(super) fn waits(
        &mut self,
        cond: &Option<ExprId>,
        body: StmtId,
        body_first: bool,
        span: Span,
    ) -> bool {
        if !self.env.reachable || self.options.steps && self.looks_twice(span) {
            return false;
        }
        if self.facts.calls_in(span).any(|c| self.ends_at(c).is_some()) {
            return false;
        }
        let known = cond.map_or(Some(1), |c| self.value_of(c));
        match (known, cond) {
            (Some(0), _) => false,
            (Some(_), _) if self.is_idle(body) => {
                self.never(span);
                true
            }
            (None, Some(cond)) if self.is_idle(body) => {
                self.wait_until_false(*cond, span) || self.wait_for_try(*cond, span)
            }
            _ => self.wait_for_exit(*cond, body, body_first, span),
        }
    }

    /// Lowers a loop without effect and without end.
    fn never(&mut self, span: Span) {
        self.spin(
            "0".to_string(),
            "nothing: it turns for ever".to_string(),
            span,
        );
        self.give_up(span);
    }

    pub(super) fn give_up(&mut self, span: Span) {
        self.push(
            Action::Text("BA_SEQ_ASSUME(0);".to_string()),
            span,
            Vec::new(),
            Mover::Both,
        );
        self.env.reachable = false;
    }

    fn wait_until_false(&mut self, cond: ExprId, span: Span) -> bool {
        if !self.only_reads(cond) {
            return false;
        }
        let at = self.facts.tree.exprs[cond].span;
        let text = self.print(at, Vec::new());
        let tree = self.facts.tree;
        let until = match tree.exprs[cond].kind {
            ExprKind::Unary(UnaryOp::Not, of) => {
                let of = self.facts.unit.text_of(tree.exprs[of].span);
                format!("until {of} is true")
            }
            _ => format!("until {} is false", self.facts.unit.text_of(at)),
        };
        self.spin(format!("!{}", enclosed(text)), until, span);
        let value = self.value(cond);
        self.assume(format!("!{}", enclosed(value)), span);
        true
    }

    fn assume(&mut self, condition: String, span: Span) {
        self.push(
            Action::Text(format!("BA_SEQ_ASSUME({condition});")),
            span,
            Vec::new(),
            Mover::Both,
        );
    }

    pub(super) fn is_changed_by_others(&self, e: ExprId) -> bool {
        let accesses = self.accesses.of_expr(e);
        accesses.iter().any(|a| self.is_visible(a))
    }

    // Tries -------------------------------------------------------------------------------------

    /// Lowers a loop whose condition tries something that has no effect if it fails.
    fn wait_for_try(&mut self, cond: ExprId, span: Span) -> bool {
        let (call, again_if) = self.tried(cond);
        let tree = self.facts.tree;
        if let Some(can) = self.can_succeed(call, again_if) {
            let what = self.facts.unit.text_of(span).to_string();
            self.spin(can, what, span);
            let value = self.value(cond);
            self.assume(format!("!{}", enclosed(value)), span);
            return true;
        }
        let (Some(name), ExprKind::Call { args, .. }) =
            (name_of(tree, call), &tree.exprs[call].kind)
        else {
            return false;
        };
        let args = args.clone();
        let quiet = |a: &ExprId| self.is_pure(*a) && !self.is_changed_by_others(*a);
        if args.is_empty() || !args.iter().all(quiet) {
            return false;
        }
        let mut texts = Vec::new();
        for &arg in &args {
            let at = tree.exprs[arg].span;
            let text = self.print(at, Vec::new());
            texts.push(enclosed(text));
        }
        let stays_one = args.get(1).and_then(|v| consteval::eval(tree, *v)) == Some(1);
        let object = &texts[0];
        let can = match (name, again_if, &texts[1..]) {
            ("__sync_bool_compare_and_swap", false, [old, _, ..]) => format!("*{object} == {old}"),
            ("__sync_lock_test_and_set" | "__atomic_exchange_n", true, [_, ..]) if stays_one => {
                format!("!*{object}")
            }
            ("__atomic_test_and_set", true, _) => format!("!*(char *){object}"),
            ("pthread_mutex_trylock", true, []) => {
                format!("{}({object})", self.model_of("ba_seq_can_lock"))
            }
            ("pthread_spin_trylock", true, []) => {
                format!("{}({object})", self.model_of("ba_seq_can_spin"))
            }
            ("sem_trywait", true, []) => format!("{}({object})", self.model_of("ba_seq_can_sem")),
            _ => return false,
        };
        let what = self.facts.unit.text_of(span).to_string();
        self.spin(can, what, span);
        let value = self.value(cond);
        self.assume(format!("!{}", enclosed(value)), span);
        true
    }

    /// The call in a condition, and whether the loop goes on if its result is not 0.
    pub(super) fn tried(&self, mut e: ExprId) -> (ExprId, bool) {
        let tree = self.facts.tree;
        let mut sense = true;
        loop {
            e = match &tree.exprs[e].kind {
                ExprKind::Unary(UnaryOp::Not, of) => {
                    sense = !sense;
                    *of
                }
                ExprKind::Cast(of) => *of,
                ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                    if consteval::eval(tree, *b) != Some(0) {
                        return (e, sense);
                    }
                    sense = sense == (*op == BinaryOp::Ne);
                    *a
                }
                _ => return (e, sense),
            };
        }
    }

    // Iterations --------------------------------------------------------------------------------

    /// Lowers a loop whose iterations only read, assign variables of their own, and leave the loop.
    /// `while (c) body` is lowered as `if (c) do body while (c);`, so the last iteration is executed
    /// whole, or left by a `break` before which it has assigned what is used after the loop.
    fn wait_for_exit(
        &mut self,
        cond: Option<ExprId>,
        body: StmtId,
        body_first: bool,
        span: Span,
    ) -> bool {
        let tree = self.facts.tree;
        let assigned: BTreeSet<ObjectId> = self.facts.writes_in(tree.stmts[body].span).collect();
        let own = assigned.iter().all(|o| {
            let object = &tree.objects[*o];
            !object.is_static_duration() && !self.facts.address_taken.contains(o)
        });
        let known = cond.map_or(Some(1), |c| consteval::eval(tree, c));
        if !own {
            return false;
        }
        let mut iteration = Iteration::of(span);
        if !self.read_statement(body, &assigned, &mut iteration) {
            return false;
        }
        if known.is_none() {
            let Some(text) = cond.and_then(|c| self.read_text(c, &assigned, &iteration)) else {
                return false;
            };
            iteration.exits.push(format!("!{}", enclosed(text)));
        }
        if iteration.exits.is_empty() {
            return false;
        }
        let (out, again) = (self.label(), self.label());
        if let (false, None, Some(cond)) = (body_first, known, cond) {
            self.branch(cond, false, out);
        }
        let source = self.facts.unit.text_of(span);
        let what = source.lines().next().unwrap_or_default().to_string();
        self.spin(iteration.exits.join(" || "), what, span);
        let outer = self.exits;
        self.exits = Exits {
            on_break: Some(out),
            on_continue: Some(again),
        };
        self.statement(body);
        self.exits = outer;
        self.place(again, span);
        if let (None, Some(cond)) = (known, cond) {
            self.branch(cond, false, out);
        }
        if self.env.reachable {
            self.give_up(span);
        }
        self.place(out, span);
        true
    }

    /// Reads a statement of an iteration; returns whether its form is known.
    fn read_statement(
        &mut self,
        stmt: StmtId,
        assigned: &BTreeSet<ObjectId>,
        iteration: &mut Iteration,
    ) -> bool {
        if self.is_idle(stmt) && !matches!(self.facts.tree.stmts[stmt].kind, StmtKind::Continue) {
            return true;
        }
        match self.facts.tree.stmts[stmt].kind.clone() {
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => self.read_statement(*s, assigned, iteration),
                BlockItem::Decl(d) => self.read_declaration(*d, assigned, iteration),
            }),
            StmtKind::If {
                cond,
                then,
                otherwise: None,
                ..
            } if self.is_break(then) => {
                let text = self.read_text(cond, assigned, iteration);
                iteration.exits.extend(text.clone());
                text.is_some()
            }
            StmtKind::Expr(Some(e)) => match self.facts.tree.exprs[e].kind {
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } => {
                    let ExprKind::Ident(Resolved::Object(object)) = self.facts.tree.exprs[lhs].kind
                    else {
                        return false;
                    };
                    self.read_value(object, rhs, assigned, iteration)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Reads the declaration of a variable with a value.
    fn read_declaration(
        &mut self,
        declaration: DeclId,
        assigned: &BTreeSet<ObjectId>,
        iteration: &mut Iteration,
    ) -> bool {
        let tree = self.facts.tree;
        let mut declared = tree.decls[declaration].declared.iter();
        declared.all(|one| {
            let Entity::Object(object) = one.entity else {
                return false;
            };
            let o = &tree.objects[object];
            let own = !o.is_static_duration() && !self.facts.address_taken.contains(&object);
            match o.init.map(|i| &tree.inits[i].kind) {
                Some(InitKind::Expr(e)) if own => self.read_value(object, *e, assigned, iteration),
                _ => false,
            }
        })
    }

    /// Reads the value that an iteration gives to one of its variables, as the variable's type has
    /// it.
    fn read_value(
        &mut self,
        object: ObjectId,
        value: ExprId,
        assigned: &BTreeSet<ObjectId>,
        iteration: &mut Iteration,
    ) -> bool {
        // After the loop, the variable has the value of the last iteration but one if this one is
        // left before the assignment.
        if !iteration.exits.is_empty() && self.is_used_outside(object, iteration.span) {
            return false;
        }
        let Some(text) = self.read_text(value, assigned, iteration) else {
            return false;
        };
        let tree = self.facts.tree;
        let text = match tree.types.is_integer(tree.objects[object].ty) {
            true => format!("(__typeof__({})){}", self.variable(object), enclosed(text)),
            false => text,
        };
        iteration.values.insert(object, text);
        true
    }

    /// Whether a variable is used outside of a part of the text.
    fn is_used_outside(&self, object: ObjectId, part: Span) -> bool {
        let tree = self.facts.tree;
        let all = Span::new(0, self.facts.unit.text().len());
        let mut idents = self.facts.idents_in(all);
        idents.any(|i| {
            let is_it =
                matches!(tree.exprs[i].kind, ExprKind::Ident(Resolved::Object(o)) if o == object);
            is_it && !part.encloses(tree.exprs[i].span)
        })
    }

    fn is_break(&self, stmt: StmtId) -> bool {
        match &self.facts.tree.stmts[stmt].kind {
            StmtKind::Break => true,
            StmtKind::Compound { items, .. } => match items[..] {
                [BlockItem::Stmt(s)] => self.is_break(s),
                _ => false,
            },
            _ => false,
        }
    }

    /// The text of an expression without effect, with the values that the iteration has assigned;
    /// `None` if it reads a value from an earlier iteration.
    fn read_text(
        &mut self,
        e: ExprId,
        assigned: &BTreeSet<ObjectId>,
        iteration: &Iteration,
    ) -> Option<String> {
        if !self.only_reads(e) {
            return None;
        }
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let mut patches: Vec<Patch> = Vec::new();
        for ident in self.facts.idents_in(span) {
            let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[ident].kind else {
                continue;
            };
            match iteration.values.get(&object) {
                Some(value) => patches.push((tree.exprs[ident].bare, enclosed(value.clone()))),
                None if assigned.contains(&object) => return None,
                None => {}
            }
        }
        Some(self.print(span, patches))
    }

    /// Whether a loop has the form of one that waits.
    pub(super) fn may_wait(&self, stmt: StmtId) -> bool {
        match &self.facts.tree.stmts[stmt].kind {
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => self.is_poll(*body),
            StmtKind::For { body, step, .. } => step.is_none() && self.is_poll(*body),
            _ => false,
        }
    }

    /// Whether a statement only reads, and may leave the loop around it.
    fn is_poll(&self, stmt: StmtId) -> bool {
        let tree = self.facts.tree;
        match &tree.stmts[stmt].kind {
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => self.is_poll(*s),
                BlockItem::Decl(d) => tree.decls[*d]
                    .declared
                    .iter()
                    .all(|x| self.is_read(x.entity)),
            }),
            StmtKind::If {
                cond,
                then,
                otherwise: None,
                ..
            } => self.only_reads(*cond) && self.is_poll(*then),
            StmtKind::Break => true,
            StmtKind::Expr(Some(e)) => self.is_remembered(*e) || self.is_idle(stmt),
            _ => self.is_idle(stmt),
        }
    }

    /// Whether an expression assigns a variable a value that is only read and does not depend on
    /// the variable.
    fn is_remembered(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        let ExprKind::Assign {
            op: None, lhs, rhs, ..
        } = tree.exprs[e].kind
        else {
            return false;
        };
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[lhs].kind else {
            return false;
        };
        let is_it = |i: ExprId| matches!(tree.exprs[i].kind, ExprKind::Ident(Resolved::Object(o)) if o == object);
        let own = !tree.objects[object].is_static_duration();
        own && self.only_reads(rhs) && !self.facts.idents_in(tree.exprs[rhs].span).any(is_it)
    }

    /// Whether a declaration is of an automatic variable whose initial value is only read.
    fn is_read(&self, declared: Entity) -> bool {
        let Entity::Object(object) = declared else {
            return false;
        };
        let o = &self.facts.tree.objects[object];
        let value = |i| match self.facts.tree.inits[i].kind {
            InitKind::Expr(e) => self.only_reads(e),
            InitKind::List(_) => false,
        };
        !o.is_static_duration() && o.init.is_none_or(value)
    }

    /// Whether a statement has no effect.
    fn is_idle(&self, stmt: StmtId) -> bool {
        let tree = self.facts.tree;
        match &tree.stmts[stmt].kind {
            StmtKind::Expr(None) => true,
            StmtKind::Expr(Some(e)) => {
                let nothing = [Some(Call::Nothing), Some(Call::Bound)];
                nothing.contains(&self.facts.library(*e)) || self.is_without_effect(*e)
            }
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => self.is_idle(*s),
                BlockItem::Decl(_) => false,
            }),
            StmtKind::Continue => true,
            _ => false,
        }
    }

    /// Whether a statement is a call of a function that changes nothing.
    fn is_without_effect(&self, e: ExprId) -> bool {
        let quiet = |call| {
            let function = self.facts.called(call);
            function.is_some_and(|f| only_reads::has_no_effect(self.facts, f))
        };
        let is_call = matches!(self.facts.tree.exprs[e].kind, ExprKind::Call { .. });
        is_call && self.is_pure_with(e, &quiet)
    }

    /// Whether an expression only reads, including the functions of the program that it calls.
    fn only_reads(&self, e: ExprId) -> bool {
        self.is_pure_with(e, &|call| {
            let function = self.facts.called(call);
            function.is_some_and(|f| only_reads::function(self.facts, f))
        })
    }

    /// Whether an expression only reads, and calls nothing.
    pub(super) fn is_pure(&self, e: ExprId) -> bool {
        self.is_pure_with(e, &|_| false)
    }

    /// Whether an expression only reads, if its calls for which `reads` is true only read.
    fn is_pure_with(&self, e: ExprId, reads: &dyn Fn(ExprId) -> bool) -> bool {
        let tree = self.facts.tree;
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if written(tree, e).is_some() {
                return false;
            }
            match &tree.exprs[e].kind {
                ExprKind::Call { args, .. } if name_of(tree, e) == Some("__atomic_load_n") => {
                    work.extend(args);
                }
                ExprKind::Call { args, .. } if reads(e) => work.extend(args),
                ExprKind::StmtExpr(_) if self.is_atomic_load(e) => {}
                ExprKind::Call { .. } | ExprKind::StmtExpr(_) | ExprKind::VaArg(_) => return false,
                _ => work.extend(tree.children(e)),
            }
        }
        true
    }

    /// Whether a statement expression is the library's `atomic_load`: only a call that reads into a
    /// variable of its own.
    fn is_atomic_load(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let mut calls = self.facts.calls_in(span);
        let loads = calls.all(|c| name_of(tree, c) == Some("__atomic_load"));
        let own = |o: ObjectId| span.encloses(tree.objects[o].name_span);
        loads && self.facts.calls_in(span).next().is_some() && self.facts.writes_in(span).all(own)
    }
}
