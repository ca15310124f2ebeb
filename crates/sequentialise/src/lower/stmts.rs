//! Statements and declarations.

use std::collections::HashMap;

use cfront::tree::{BlockItem, Entity, ExprKind, InitKind, Label as CLabel, StmtKind, Storage};
use cfront::types::{ArrayLen, Type};
use cfront::{DeclId, ExprId, Memory, ObjectId, Span, StmtId};

use super::exprs::{enclosed, Needs};
use super::{bounds, case_key, Lower};
use crate::code::Label;
use crate::print::Patch;

/// The rest of a block to whose first statement jumps go back.
struct Once<'a> {
    /// That statement, without its labels.
    inner: StmtId,
    items: &'a [BlockItem],
    /// Where its value goes.
    result: Option<&'a str>,
    /// Its labels.
    names: &'a [String],
    /// Those of them in front of the first statement.
    heads: &'a [String],
    span: Span,
}

impl Lower<'_, '_> {
    /// The body of a function that is inlined, or that a thread begins with.
    pub(super) fn function_body(&mut self, block: StmtId) {
        let scopes = std::mem::take(&mut self.scopes);
        let exits = std::mem::take(&mut self.exits);
        let cases = std::mem::take(&mut self.cases);
        self.with_labels(block, |lower| lower.statement(block));
        self.scopes = scopes;
        self.exits = exits;
        self.cases = cases;
    }

    /// Lowers a part of the program with new labels for those that it defines.
    pub(super) fn with_labels(&mut self, stmt: StmtId, body: impl FnOnce(&mut Self)) {
        let span = self.facts.tree.stmts[stmt].span;
        let names = self.label_names(span);
        let labels = names.into_iter().map(|n| (n, self.label())).collect();
        self.scopes.push(labels);
        body(self);
        self.scopes.pop();
    }

    fn label_names(&self, span: Span) -> Vec<String> {
        let labelled = self.facts.labels_in(span);
        let names = labelled.filter_map(|l| match &self.facts.tree.stmts[l].kind {
            StmtKind::Labeled {
                label: CLabel::Named(name),
                ..
            } => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    /// Lowers a statement.
    pub(super) fn statement(&mut self, stmt: StmtId) {
        let tree = self.facts.tree;
        let s = &tree.stmts[stmt];
        let span = s.span;
        if !self.env.reachable && self.facts.labels_in(span).next().is_none() {
            return;
        }
        if self.env.reachable && self.whole(stmt) {
            return;
        }
        match &s.kind {
            StmtKind::Compound { items, .. } => self.items(items, None),
            StmtKind::Expr(Some(e)) => self.discard(*e),
            StmtKind::Expr(None) => {}
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => self.choice(*cond, *then, *otherwise, span),
            StmtKind::Switch { cond, body, .. } => self.switch(*cond, *body, span),
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                self.unroll(stmt);
            }
            StmtKind::Labeled { label, body, .. } => {
                self.place_label(stmt, label, span);
                self.statement(*body);
            }
            StmtKind::Goto { label, label_span } => self.goto(label, *label_span),
            StmtKind::GotoComputed(_) => {
                self.refuse(span, "a computed jump cannot be followed in a thread");
            }
            StmtKind::Continue => self.exit_to(self.exits.on_continue, span),
            StmtKind::Break => self.exit_to(self.exits.on_break, span),
            StmtKind::Return(value) => self.return_from(*value, span),
            StmtKind::Asm {
                is_goto, writes, ..
            } => {
                if *is_goto || *writes {
                    self.refuse(
                        span,
                        "assembler that writes or jumps cannot be followed in a thread",
                    );
                }
            }
        }
    }

    /// Keeps a statement as it is, if nobody can stop in it; says whether it was kept.
    fn whole(&mut self, stmt: StmtId) -> bool {
        let s = &self.facts.tree.stmts[stmt];
        let compound = matches!(
            s.kind,
            StmtKind::If { .. }
                | StmtKind::Switch { .. }
                | StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
        );
        let mut loops = self.facts.loops_in(s.span);
        if !compound || loops.any(|l| self.may_wait(l)) || !self.stays_inside(stmt) {
            return false;
        }
        let accesses = self.accesses.of_span(s.span);
        let needs = self.needs(s.span, &accesses);
        let loops = self.facts.loops_in(s.span).next().is_some();
        match needs {
            Needs::Nothing => {}
            Needs::OneStep if !loops || self.env.atomic > 0 => {}
            _ => return false,
        }
        let accesses = self.with_calls(accesses, s.span);
        let text = self.print(s.span, Vec::new());
        self.forget_written(s.span);
        self.text(text, s.span, accesses);
        true
    }

    /// Whether no jump leaves or enters a statement, and it declares nothing that is static or of
    /// variable length.
    fn stays_inside(&self, stmt: StmtId) -> bool {
        let tree = self.facts.tree;
        let span = tree.stmts[stmt].span;
        let named = |l: StmtId| {
            matches!(
                &tree.stmts[l].kind,
                StmtKind::Labeled {
                    label: CLabel::Named(_),
                    ..
                }
            )
        };
        if self.facts.labels_in(span).any(named) || self.facts.gotos_in(span).next().is_some() {
            return false;
        }
        let plain = self.facts.declarations_in(span).all(|d| {
            tree.decls[d].declared.iter().all(|x| match x.entity {
                Entity::Object(o) => {
                    tree.objects[o].storage == Storage::Local
                        && !matches!(
                            tree.type_of(tree.objects[o].ty),
                            Type::Array(_, ArrayLen::Variable)
                        )
                }
                _ => false,
            })
        });
        plain && self.jumps_stay(stmt, (false, false))
    }

    fn jumps_stay(&self, stmt: StmtId, (breaks, continues): (bool, bool)) -> bool {
        let inside = |s: StmtId, b: bool, c: bool| self.jumps_stay(s, (b, c));
        match &self.facts.tree.stmts[stmt].kind {
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => inside(*s, breaks, continues),
                BlockItem::Decl(_) => true,
            }),
            StmtKind::If {
                then, otherwise, ..
            } => {
                inside(*then, breaks, continues)
                    && otherwise.is_none_or(|o| inside(o, breaks, continues))
            }
            StmtKind::Switch { body, .. } => inside(*body, true, continues),
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => inside(*body, true, true),
            StmtKind::Labeled { body, .. } => inside(*body, breaks, continues),
            StmtKind::Break => breaks,
            StmtKind::Continue => continues,
            StmtKind::Expr(_) => true,
            _ => false,
        }
    }

    fn choice(&mut self, cond: ExprId, then: StmtId, otherwise: Option<StmtId>, span: Span) {
        let (no, end) = (self.label(), self.label());
        self.branch(cond, false, no);
        self.statement(then);
        if otherwise.is_some() {
            self.jump(None, end, span);
        }
        self.place(no, span);
        if let Some(otherwise) = otherwise {
            self.statement(otherwise);
        }
        self.place(end, span);
    }

    fn switch(&mut self, cond: ExprId, body: StmtId, span: Span) {
        let tree = self.facts.tree;
        let out = self.label();
        let known = self.value_of(cond);
        let value = self.stable(cond);
        let mut cases = HashMap::new();
        let mut other = out;
        for stmt in self.cases_of(body) {
            let label = self.label();
            cases.insert(case_key(stmt), label);
            let StmtKind::Labeled { label: c, .. } = &tree.stmts[stmt].kind else {
                continue;
            };
            let at = tree.stmts[stmt].span;
            match c {
                CLabel::Case(e) => match (known, cfront::consteval::eval(tree, *e)) {
                    (Some(a), Some(b)) if a != b => {}
                    (Some(_), Some(_)) => self.jump(None, label, at),
                    _ => {
                        let text = self.print(tree.exprs[*e].span, Vec::new());
                        self.jump(Some(format!("{value} == {}", enclosed(text))), label, at);
                    }
                },
                CLabel::CaseRange(a, b) => {
                    let low = self.print(tree.exprs[*a].span, Vec::new());
                    let high = self.print(tree.exprs[*b].span, Vec::new());
                    let test = format!("{value} >= ({low}) && {value} <= ({high})");
                    self.jump(Some(test), label, at);
                }
                CLabel::Default => other = label,
                CLabel::Named(_) => {}
            }
        }
        self.jump(None, other, span);
        let outer = self.exits;
        self.exits.on_break = Some(out);
        self.cases.push(cases);
        self.statement(body);
        self.cases.pop();
        self.exits = outer;
        self.place(out, span);
    }

    /// The case labels that belong to a switch.
    fn cases_of(&self, body: StmtId) -> Vec<StmtId> {
        let tree = self.facts.tree;
        let span = tree.stmts[body].span;
        let inner: Vec<Span> = tree
            .stmts
            .iter()
            .filter(|(_, s)| {
                matches!(s.kind, StmtKind::Switch { .. }) && span.encloses(s.span) && s.span != span
            })
            .map(|(_, s)| s.span)
            .collect();
        let is_case = |l: &StmtId| {
            let s = &tree.stmts[*l];
            let named = matches!(
                &s.kind,
                StmtKind::Labeled {
                    label: CLabel::Named(_),
                    ..
                }
            );
            !named && !inner.iter().any(|i| i.encloses(s.span))
        };
        self.facts.labels_in(span).filter(is_case).collect()
    }

    fn place_label(&mut self, stmt: StmtId, label: &CLabel, span: Span) {
        let label = match label {
            CLabel::Named(name) => self.scopes.last().and_then(|s| s.get(name)).copied(),
            _ => self
                .cases
                .iter()
                .rev()
                .find_map(|c| c.get(&case_key(stmt)))
                .copied(),
        };
        if let Some(label) = label {
            self.place(label, span);
        }
    }

    fn goto(&mut self, name: &str, span: Span) {
        if !self.env.reachable {
            return;
        }
        let found = self.scopes.iter().rev().find_map(|s| s.get(name)).copied();
        match found {
            Some(label) => self.jump(None, label, span),
            None => self.refuse(
                span,
                format!("the jump to `{name}` enters a loop or a block, which cannot be followed in a thread"),
            ),
        }
    }

    fn exit_to(&mut self, to: Option<Label>, span: Span) {
        if let Some(to) = to {
            self.jump(None, to, span);
        }
    }

    fn return_from(&mut self, value: Option<ExprId>, span: Span) {
        if !self.env.reachable {
            return;
        }
        let frame = self.frame().clone();
        let target = match (frame.is_thread, self.thread) {
            (true, 0) => None,
            (true, t) => Some(format!("ba_seq_result[{t}]")),
            (false, _) => frame.result,
        };
        match (value, target) {
            (Some(e), Some(target)) => {
                let value = self.value(e);
                let cast = match frame.is_thread {
                    true => "(void *)(unsigned long)",
                    false => "",
                };
                let value = format!("{target} = {cast}{};", enclosed(value));
                self.text(value, span, Vec::new());
            }
            (Some(e), None) if !self.is_pure(e) => self.discard(e),
            _ => {}
        }
        self.jump(None, frame.back, span);
    }

    // Blocks ------------------------------------------------------------------------------------

    /// The statements of a statement expression, whose last one gives the value.
    pub(super) fn block_with_value(&mut self, block: StmtId, result: Option<&str>) {
        let StmtKind::Compound { items, .. } = &self.facts.tree.stmts[block].kind else {
            return;
        };
        self.with_labels(block, |lower| lower.items(items, result));
    }

    fn items(&mut self, items: &[BlockItem], result: Option<&str>) {
        for index in 0..items.len() {
            if self.returns_to(items, index) {
                self.repeat(&items[index..], result);
                return;
            }
            self.item(items, index, result);
        }
    }

    fn item(&mut self, items: &[BlockItem], index: usize, result: Option<&str>) {
        match items[index] {
            BlockItem::Decl(decl) => self.declaration(decl),
            BlockItem::Stmt(stmt) => {
                let last = index + 1 == items.len();
                match (&self.facts.tree.stmts[stmt].kind, result) {
                    (StmtKind::Expr(Some(e)), Some(result)) if last => {
                        let value = self.value(*e);
                        let span = self.facts.tree.exprs[*e].span;
                        self.text(format!("{result} = {value};"), span, Vec::new());
                    }
                    _ => self.statement(stmt),
                }
            }
        }
    }

    /// The name of a label in front of an item to which a later item of the block jumps back.
    fn returns_to(&self, items: &[BlockItem], index: usize) -> bool {
        !self.back_labels(items, index).is_empty()
    }

    fn back_labels(&self, items: &[BlockItem], index: usize) -> Vec<String> {
        let tree = self.facts.tree;
        let mut names = Vec::new();
        let BlockItem::Stmt(mut stmt) = items[index] else {
            return names;
        };
        let start = tree.stmts[stmt].span.start;
        while let StmtKind::Labeled { label, body, .. } = &tree.stmts[stmt].kind {
            if let CLabel::Named(name) = label {
                names.push(name.clone());
            }
            stmt = *body;
        }
        let end = items.iter().map(|item| match item {
            BlockItem::Stmt(s) => tree.stmts[*s].span.end,
            BlockItem::Decl(d) => tree.decls[*d].span.end,
        });
        let rest = Span::new(start, end.max().unwrap_or(start));
        names.retain(|name| {
            self.facts.gotos_in(rest).any(
                |g| matches!(&tree.stmts[g].kind, StmtKind::Goto { label, .. } if label == name),
            )
        });
        names
    }

    /// The rest of a block, to whose first statement jumps go back: a loop.
    fn repeat(&mut self, items: &[BlockItem], result: Option<&str>) {
        let BlockItem::Stmt(first) = items[0] else {
            return;
        };
        let tree = self.facts.tree;
        let span = tree.stmts[first].span;
        let heads = self.back_labels(items, 0);
        let end = match items[items.len() - 1] {
            BlockItem::Stmt(s) => tree.stmts[s].span.end,
            BlockItem::Decl(d) => tree.decls[d].span.end,
        };
        let names = self.label_names(Span::new(span.start, end));
        let mut inner = first;
        while let StmtKind::Labeled { label, body, .. } = &tree.stmts[inner].kind {
            self.place_label(inner, label, span);
            inner = *body;
        }
        let once = Once {
            inner,
            items,
            result,
            names: &names,
            heads: &heads,
            span,
        };
        if self.may_turn() && self.turn(span, |lower, out| lower.once_round(&once, out)) {
            return;
        }
        let bound = bounds::of_body(self.facts, inner, self.options);
        let out = self.label();
        for copy in 0..=bound.limit {
            if !self.env.reachable {
                break;
            }
            if copy == bound.limit {
                self.cut(&bound.site, span);
                break;
            }
            self.once_round(&once, out);
        }
        self.place(out, span);
    }

    /// One time round a loop that jumps make: behind it is where they lead, and `out` where the block ends.
    fn once_round(&mut self, once: &Once, out: Label) {
        let again = self.label();
        let labels = once
            .names
            .iter()
            .map(|name| match once.heads.contains(name) {
                true => (name.clone(), again),
                false => {
                    self.labels += 1;
                    (name.clone(), Label(self.labels))
                }
            });
        let labels: HashMap<String, Label> = labels.collect();
        self.scopes.push(labels);
        self.statement(once.inner);
        for index in 1..once.items.len() {
            if self.returns_to(once.items, index) {
                self.repeat(&once.items[index..], once.result);
                break;
            }
            self.item(once.items, index, once.result);
        }
        self.scopes.pop();
        self.jump(None, out, once.span);
        self.place(again, once.span);
    }

    // Declarations ------------------------------------------------------------------------------

    /// A declaration in a block.
    pub(super) fn declaration(&mut self, decl: DeclId) {
        if !self.env.reachable {
            return;
        }
        let d = &self.facts.tree.decls[decl];
        if d.is_typedef {
            return;
        }
        for declared in &d.declared {
            let Entity::Object(object) = declared.entity else {
                continue;
            };
            let o = &self.facts.tree.objects[object];
            if o.storage != Storage::Local {
                continue;
            }
            let name = self.variable(object);
            let is_variable = matches!(
                self.facts.tree.type_of(o.ty),
                Type::Array(_, ArrayLen::Variable)
            );
            if is_variable {
                self.allocate(decl, object, &name);
                continue;
            }
            match declared.init.map(|i| self.facts.tree.inits[i].kind.clone()) {
                None => self.undefine(object, &name, d.span),
                Some(InitKind::Expr(e)) if !self.is_array(object) => {
                    let known = self.outcome(e);
                    let pointer = self.made_here(o.ty, e);
                    self.initial_value(&name, e);
                    self.know(object, known);
                    self.know_pointer(object, pointer);
                }
                Some(_) => {
                    if let Some(init) = declared.init {
                        self.initialise(object, &name, init);
                    }
                }
            }
        }
    }

    fn is_array(&self, object: ObjectId) -> bool {
        let ty = self.facts.tree.objects[object].ty;
        matches!(self.facts.tree.type_of(ty), Type::Array(..))
    }

    fn initial_value(&mut self, name: &str, e: ExprId) {
        let span = self.facts.tree.exprs[e].span;
        let accesses = self.accesses.of_expr(e);
        if self.needs(span, &accesses) == Needs::Splitting {
            let value = self.value(e);
            self.text(format!("{name} = {value};"), span, Vec::new());
            return;
        }
        let accesses = self.with_calls(accesses, span);
        let value = self.printed(e);
        self.text(format!("{name} = {value};"), span, accesses);
    }

    /// An initializer list, or a string for an array.
    fn initialise(&mut self, object: ObjectId, name: &str, init: cfront::InitId) {
        let tree = self.facts.tree;
        let span = tree.inits[init].span;
        let mut exprs = Vec::new();
        tree.init_exprs(init, &mut exprs);
        let mut patches: Vec<Patch> = Vec::new();
        for e in exprs {
            let at = tree.exprs[e].span;
            let accesses = self.accesses.of_expr(e);
            if self.needs(at, &accesses) != Needs::Nothing {
                let value = self.value(e);
                patches.push((at, value));
            }
        }
        let text = self.print(span, patches);
        self.forget_written(span);
        self.forget(object);
        self.env.handles.lose(Memory::Object(object));
        let ty = self.stored(tree.objects[object].ty);
        let Some(declaration) = self.declare(ty, "ba_seq_v") else {
            return;
        };
        self.text(
            format!("{{ {declaration} = {text}; {} }}", self.copy(object, name)),
            span,
            Vec::new(),
        );
    }

    /// Assigns `ba_seq_v` to a variable, an array element by element.
    fn copy(&self, object: ObjectId, name: &str) -> String {
        let mut ty = self.facts.tree.objects[object].ty;
        let (mut heads, mut index) = (String::new(), String::new());
        while let Type::Array(of, _) = *self.facts.tree.type_of(ty) {
            let i = format!("ba_seq_i{}", heads.matches("for").count());
            let part = format!("{name}{index}");
            heads.push_str(&format!(
                "for (unsigned {i} = 0; {i} < sizeof {part} / sizeof {part}[0]; {i}++) "
            ));
            index.push_str(&format!("[{i}]"));
            ty = of;
        }
        format!("{heads}{name}{index} = ba_seq_v{index};")
    }

    /// A variable without initializer has any value, unless it is assigned before it is read.
    fn undefine(&mut self, object: ObjectId, name: &str, span: Span) {
        self.forget(object);
        self.env.handles.begin(Memory::Object(object));
        if self.is_assigned_first(object) {
            return;
        }
        let ty = self.stored(self.facts.tree.objects[object].ty);
        let Some(declaration) = self.declare(ty, "ba_seq_v") else {
            return;
        };
        let copy = self.copy(object, name);
        self.text(format!("{{ {declaration}; {copy} }}"), span, Vec::new());
    }

    /// Whether the first use of an object behind its declaration writes it, in the same block.
    fn is_assigned_first(&self, object: ObjectId) -> bool {
        let tree = self.facts.tree;
        let o = &tree.objects[object];
        if o.is_static_duration()
            || !matches!(
                tree.types.class(o.ty),
                cfront::types::Class::Scalar | cfront::types::Class::Pointer
            )
        {
            return false;
        }
        let scope = tree.scopes[o.scope].span;
        let rest = Span::new(o.declarator.end, scope.end);
        let first = self.facts.idents_in(rest).find(|&i| {
            matches!(&tree.exprs[i].kind, ExprKind::Ident(cfront::tree::Resolved::Object(x)) if *x == object)
        });
        let Some(first) = first else {
            return true;
        };
        let cfront::tree::Parent::Expr(assignment) = tree.exprs[first].parent else {
            return false;
        };
        if cfront::access::usage(tree, first) != cfront::access::Use::Write {
            return false;
        }
        let cfront::tree::Parent::Stmt(stmt) = tree.exprs[assignment].parent else {
            return false;
        };
        let rhs_reads = match &tree.exprs[assignment].kind {
            ExprKind::Assign { rhs, .. } => self
                .facts
                .idents_in(tree.exprs[*rhs].span)
                .any(|i| matches!(&tree.exprs[i].kind, ExprKind::Ident(cfront::tree::Resolved::Object(x)) if *x == object)),
            _ => true,
        };
        let in_block = match &tree.stmts[stmt].kind {
            StmtKind::Expr(_) => tree.stmts[stmt].scope == o.scope,
            StmtKind::For { init, .. } => {
                tree.stmts[stmt].scope == o.scope
                    && matches!(init, cfront::tree::ForInit::Expr(e) if *e == assignment)
            }
            _ => false,
        };
        let direct = match tree.stmts[stmt].parent {
            cfront::tree::Parent::Stmt(block) => {
                matches!(tree.stmts[block].kind, StmtKind::Compound { .. })
            }
            _ => false,
        };
        in_block && direct && !rhs_reads
    }

    /// An array of variable length is in allocated memory.
    fn allocate(&mut self, decl: DeclId, object: ObjectId, name: &str) {
        let tree = self.facts.tree;
        let span = tree.decls[decl].span;
        let lengths = &tree.decls[decl].type_exprs;
        let (Type::Array(of, _), [length]) =
            (tree.type_of(tree.objects[object].ty), lengths.as_slice())
        else {
            self.refuse(
                span,
                "an array with several variable lengths cannot be followed in a thread",
            );
            return;
        };
        let Some(element) = tree.types.declare_where(*of, "", &|_| true) else {
            self.refuse(
                span,
                "the type of this array cannot be written outside its block",
            );
            return;
        };
        self.env.handles.begin(Memory::Object(object));
        let known = self.value_of(*length);
        let length = enclosed(self.value(*length));
        if self.options.exact_memory {
            let text = format!("{name} = malloc(sizeof({element}) * {length});");
            self.text(text, span, Vec::new());
            return;
        }
        // Model checkers reason faster about an object that has a name.
        let (most, checked) = match known.and_then(|n| u64::try_from(n).ok()) {
            Some(n) => (n.max(1), String::new()),
            None => {
                let most = super::memory::MOST;
                let checked = format!("(void)ba_seq_few((unsigned long){length}, {most}); ");
                (most, checked)
            }
        };
        let Some(elements) = tree
            .types
            .declare_where(*of, &format!("ba_seq_a[{most}]"), &|_| true)
        else {
            return;
        };
        let whole = format!("static struct {{ {elements}; }} ba_seq_w");
        let text = format!(
            "{{ {checked}{whole}; __typeof__(ba_seq_w) ba_seq_v; ba_seq_w = ba_seq_v; {name} = ba_seq_w.ba_seq_a; }}"
        );
        self.text(text, span, Vec::new());
    }
}
