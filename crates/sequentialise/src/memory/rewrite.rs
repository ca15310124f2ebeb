//! The text of a program whose accesses of some objects are calls of the model.

use std::collections::HashMap;

use cfront::memory_model::PREFIX;
use cfront::tree::{BinaryOp, ExprKind, Parent, StmtKind};
use cfront::types::{QualType, Quals, Type};
use cfront::{Diagnostic, ExprId, FunctionId, Span};

use super::objects::{refused, Objects};
use super::operations::{self, operation, Kind, Operation, SEQ_CST};
use super::{emit, Model};
use crate::accesses::Accesses;
use crate::facts::Facts;
use crate::library::{name_of, Call, Role};

/// The order of an access that is not atomic.
const PLAIN: &str = "-1";

/// What replaces a piece of text.
enum Change {
    /// This text.
    Text(String),
    /// A read of the lvalue.
    Read(ExprId),
    /// An assignment, increment or decrement.
    Write(ExprId),
    /// An atomic operation.
    Operation(ExprId, Operation),
    /// A fence, with the argument that says its order.
    Fence(Option<ExprId>),
    /// A call of the library about threads.
    Library(ExprId, Call),
    /// This before an expression, and this behind it.
    Around(String, String),
}

struct Edit {
    span: Span,
    change: Change,
}

/// A program that is being changed.
struct Rewriter<'a, 'u> {
    facts: &'a Facts<'u>,
    model: Model,
    /// The changes; one that is around another stands in front of it.
    edits: Vec<Edit>,
}

type Outcome<T> = Result<T, Vec<Diagnostic>>;

/// The text of the program with the model, which has room for this many threads.
pub(super) fn rewritten(
    facts: &Facts,
    accesses: &Accesses,
    objects: &Objects,
    (model, threads): (Model, usize),
) -> Outcome<String> {
    let mut rewriter = Rewriter {
        facts,
        model,
        edits: Vec::new(),
    };
    rewriter.refuse_sections()?;
    let mut stores: HashMap<FunctionId, usize> = HashMap::new();
    for (id, function, _) in facts.tree.defined_functions() {
        if function.in_system_header {
            continue;
        }
        rewriter.function((id, accesses), objects, &mut stores)?;
    }
    rewriter.library(&stores)?;
    rewriter.handles();
    let turns = facts.loops_in(rewriter.all()).next().is_some()
        || facts.gotos_in(rewriter.all()).next().is_some();
    let settles = model == Model::C11 && turns;
    rewriter.main(&stores, settles);
    let head = emit::head(model, settles);
    let first = facts.tree.defined_functions();
    let first = first.filter(|(_, f, _)| !f.in_system_header);
    if let Some(at) = first.map(|(_, _, body)| body.span.start).min() {
        rewriter.text(Span::empty(at), head);
    }
    let size = emit::Size {
        threads: 2 * threads + 2,
        stores: stores.values().sum::<usize>(),
        settles,
    };
    let all = rewriter.all();
    rewriter.edits.sort_by_key(|e| {
        let empty = !e.span.is_empty();
        (e.span.start, empty, std::cmp::Reverse(e.span.end))
    });
    let mut text = rewriter.render(all, 0)?;
    text.push_str(&emit::model(facts, objects, model, &size));
    Ok(text)
}

impl<'u> Rewriter<'_, 'u> {
    fn all(&self) -> Span {
        Span::new(0, self.facts.unit.text().len())
    }

    fn text(&mut self, span: Span, text: String) {
        self.edits.push(Edit {
            span,
            change: Change::Text(text),
        });
    }

    fn add(&mut self, of: ExprId, change: Change) {
        let span = self.facts.tree.exprs[of].span;
        self.edits.push(Edit { span, change });
    }

    /// The program's own sections of one step would hold accesses that are steps of their own.
    fn refuse_sections(&self) -> Outcome<()> {
        let facts = self.facts;
        for call in facts.calls_in(self.all()) {
            if facts.library(call) == Some(Call::Begin) {
                let message =
                    "the program's own atomic sections are not followed under a weak memory model";
                return refused(facts.tree.exprs[call].span, message);
            }
        }
        let own = |name: &str| name.starts_with("__VERIFIER_atomic_") || name.contains(PREFIX);
        for (_, function) in facts.tree.functions.iter() {
            if function.body.is_some() && own(&function.name) {
                let at = function.names.first().copied().unwrap_or(Span::empty(0));
                let message = format!(
                    "the function `{}` cannot be followed under a weak memory model",
                    function.name
                );
                return refused(at, &message);
            }
        }
        Ok(())
    }

    // Accesses ----------------------------------------------------------------------------------

    /// Finds the accesses of a function, and counts its stores.
    fn function(
        &mut self,
        (id, accesses): (FunctionId, &Accesses),
        objects: &Objects,
        stores: &mut HashMap<FunctionId, usize>,
    ) -> Outcome<()> {
        let tree = self.facts.tree;
        let mut seen = std::collections::BTreeSet::new();
        for access in accesses.of_function(id) {
            if !objects.has(self.facts, access) {
                continue;
            }
            let e = access.expr;
            let span = tree.exprs[e].span;
            let (of, change, writes) = match &tree.exprs[e].kind {
                ExprKind::Call { .. } => {
                    let name = name_of(tree, e).unwrap_or_default();
                    let Some(operation) = operation(name) else {
                        let message = format!("what `{name}` does with memory that several threads access is not followed under a weak memory model");
                        return refused(span, &message);
                    };
                    let writes = !matches!(operation.kind, Kind::Load { .. });
                    (e, Change::Operation(e, operation), writes)
                }
                _ => {
                    if tree.bit_field(e).is_some()
                        || matches!(tree.type_of(tree.exprs[e].ty), Type::Record(_))
                    {
                        let message = "this access of memory that several threads access is not followed under a weak memory model";
                        return refused(span, message);
                    }
                    match self.written_by(e) {
                        Some(of) => (of, Change::Write(of), true),
                        None => (e, Change::Read(e), false),
                    }
                }
            };
            if seen.insert(of) {
                *stores.entry(id).or_default() += usize::from(writes);
                self.add(of, change);
            }
        }
        for call in self.facts.calls_in(self.span_of(id)) {
            if let Some(order) = operations::fence(self.facts, call) {
                self.add(call, Change::Fence(order));
            }
        }
        Ok(())
    }

    fn span_of(&self, id: FunctionId) -> Span {
        let body = self.facts.tree.functions[id].body.as_ref();
        body.map_or(Span::empty(0), |body| body.span)
    }

    /// The assignment, increment or decrement that writes an lvalue.
    fn written_by(&self, lvalue: ExprId) -> Option<ExprId> {
        let tree = self.facts.tree;
        let Parent::Expr(around) = tree.exprs[lvalue].parent else {
            return None;
        };
        let writes = match &tree.exprs[around].kind {
            ExprKind::Assign { lhs, .. } => *lhs == lvalue,
            ExprKind::IncDec { .. } => true,
            _ => false,
        };
        writes.then_some(around)
    }

    // Threads -----------------------------------------------------------------------------------

    /// Finds the calls of the library about threads.
    fn library(&mut self, stores: &HashMap<FunctionId, usize>) -> Outcome<()> {
        let facts = self.facts;
        for call in facts.calls_in(self.all()) {
            let Some(of) = facts.library(call) else {
                continue;
            };
            let ends = of == Call::Exit && !stores.is_empty();
            let counts = match of {
                Call::Create(..) | Call::Join | Call::CondWait(_) | Call::Barrier | Call::Once => {
                    true
                }
                Call::Model(m) => m.role != Role::InPlace && m.role != Role::MakesKinds,
                _ => false,
            };
            if counts || (ends && self.model != Model::C11) {
                self.add(call, Change::Library(call, of));
            }
        }
        Ok(())
    }

    /// Gives the handles of threads a value from the beginning: the model reads them.
    fn handles(&mut self) {
        let tree = self.facts.tree;
        for (id, object) in tree.objects.iter() {
            let types = &tree.types;
            let is_handle = |ty: QualType| matches!(types.declare(ty, "", tree.file_scope()), Some(t) if t.trim() == "pthread_t" || t.trim() == "unsigned long");
            let zero = match tree.type_of(object.ty) {
                Type::Array(of, _) if is_handle(*of) => " = {0}",
                _ if is_handle(object.ty) => " = 0",
                _ => continue,
            };
            let local = object.function.is_some() && object.storage == cfront::tree::Storage::Local;
            if local && object.init.is_none() && self.facts.address_taken.contains(&id)
                || local && object.init.is_none() && zero == " = {0}"
            {
                self.text(Span::empty(object.declarator.end), zero.to_owned());
            }
        }
    }

    /// What `main` does at its beginning and at its ends.
    fn main(&mut self, stores: &HashMap<FunctionId, usize>, settles: bool) {
        let tree = self.facts.tree;
        let Some(main) = tree.function_named("main") else {
            return;
        };
        let Some(body) = &tree.functions[main].body else {
            return;
        };
        let block = tree.stmts[body.block].span;
        if settles {
            self.text(
                Span::empty(block.start + 1),
                " memmodel_begins();".to_owned(),
            );
        }
        if self.model == Model::C11 || !self.writes(main, stores) {
            return;
        }
        self.text(
            Span::empty(block.start + 1),
            " memmodel_serve(0);".to_owned(),
        );
        self.text(Span::empty(block.end - 1), format!(" {FENCE} "));
        for (_, stmt) in tree.stmts.iter() {
            if let (StmtKind::Return(value), true) = (&stmt.kind, stmt.function == Some(main)) {
                match value {
                    Some(value) => self.add(
                        *value,
                        Change::Around("(__VERIFIER_atomic_memmodel_fence(5), ".into(), ")".into()),
                    ),
                    None => self.text(Span::empty(stmt.span.start), format!("{FENCE} ")),
                }
            }
        }
    }

    /// Whether a function, or one that it calls, stores by way of the model.
    fn writes(&self, function: FunctionId, stores: &HashMap<FunctionId, usize>) -> bool {
        let reached = self.facts.graph.reachable(function).into_iter();
        let mut reached = reached.chain([function]);
        reached.any(|f| stores.get(&f).is_some_and(|n| *n > 0))
    }

    // Text --------------------------------------------------------------------------------------

    /// The text of a part of the program with the changes from a number on.
    fn render(&self, span: Span, from: usize) -> Outcome<String> {
        let source = self.facts.unit.text();
        let (mut out, mut at) = (String::new(), span.start);
        let mut index = from + self.edits[from..].partition_point(|e| e.span.start < span.start);
        while let Some(edit) = self.edits.get(index) {
            if edit.span.start > span.end || (edit.span.start == span.end && !edit.span.is_empty())
            {
                break;
            }
            index += 1;
            if edit.span.start < at || edit.span.end > span.end {
                continue;
            }
            // Only the whole text has insertions at its border.
            if edit.span.is_empty() && edit.span.start == span.end && span != self.all() {
                continue;
            }
            out.push_str(&source[at..edit.span.start]);
            let new = self.changed(edit, index)?;
            let lines = |text: &str| text.matches('\n').count();
            let old = lines(&source[edit.span.start..edit.span.end]);
            out.push_str(&new);
            out.push_str(&"\n".repeat(old.saturating_sub(lines(&new))));
            at = edit.span.end;
        }
        out.push_str(&source[at..span.end]);
        Ok(out)
    }

    fn changed(&self, edit: &Edit, index: usize) -> Outcome<String> {
        let tree = self.facts.tree;
        Ok(match &edit.change {
            Change::Text(text) => text.clone(),
            Change::Around(before, behind) => {
                format!("{before}{}{behind}", self.render(edit.span, index)?)
            }
            Change::Read(e) => self.load(*e, &self.render(edit.span, index)?)?,
            Change::Write(e) => self.write(*e, index)?,
            Change::Operation(e, operation) => self.operation(*e, *operation, index)?,
            Change::Fence(order) => {
                let order = match order {
                    Some(order) => self.render(tree.exprs[*order].span, index)?,
                    None => SEQ_CST.to_owned(),
                };
                format!("__VERIFIER_atomic_memmodel_fence({order})")
            }
            Change::Library(e, call) => self.about_threads(*e, *call, (edit.span, index))?,
        })
    }

    /// The type of the value of an lvalue, in parentheses.
    fn cast(&self, ty: QualType, span: Span) -> Outcome<String> {
        let plain = QualType {
            ty: ty.ty,
            quals: Quals::NONE,
        };
        let types = &self.facts.local_types.types;
        match types.declare_where(plain, "", &|_| true) {
            Some(text) => Ok(format!("({})", text.trim())),
            None => refused(
                span,
                "the type of this access cannot be written here, as a weak memory model needs it",
            ),
        }
    }

    fn order_of(&self, lvalue: ExprId) -> &'static str {
        match self.facts.tree.exprs[lvalue].ty.quals.is_atomic {
            true => SEQ_CST,
            false => PLAIN,
        }
    }

    fn load(&self, e: ExprId, text: &str) -> Outcome<String> {
        let of = &self.facts.tree.exprs[e];
        let (cast, order) = (self.cast(of.ty, of.span)?, self.order_of(e));
        Ok(format!(
            "({cast}__VERIFIER_atomic_memmodel_load(&{text}, {order}))"
        ))
    }

    /// An assignment, increment or decrement.
    fn write(&self, e: ExprId, index: usize) -> Outcome<String> {
        let tree = self.facts.tree;
        let used = !matches!(tree.exprs[e].parent, Parent::Stmt(_))
            || !matches!(tree.exprs[e].parent, Parent::Stmt(s) if matches!(tree.stmts[s].kind, StmtKind::Expr(_)));
        let (lhs, op, rhs, after) = match &tree.exprs[e].kind {
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let rhs = self.render(tree.exprs[*rhs].span, index)?;
                (*lhs, *op, rhs, true)
            }
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            } => {
                let op = if *increment {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                (*operand, Some(op), "1".to_owned(), *prefix)
            }
            _ => {
                return refused(
                    tree.exprs[e].span,
                    "this write is not followed under a weak memory model",
                )
            }
        };
        let of = &tree.exprs[lhs];
        let place = self.render(of.span, index)?;
        let (cast, order) = (self.cast(of.ty, of.span)?, self.order_of(lhs));
        if let (Some(op), true) = (op, of.ty.quals.is_atomic) {
            let operation =
                computes(op).filter(|_| !matches!(tree.type_of(of.ty), Type::Pointer(_)));
            let Some(operation) = operation else {
                return refused(
                    tree.exprs[e].span,
                    "this operation of an atomic object is not followed under a weak memory model",
                );
            };
            return Ok(computed(
                (&cast, &format!("&{place}")),
                operation,
                after,
                (&rhs, SEQ_CST),
            ));
        }
        let store = |value: &str| {
            format!("__VERIFIER_atomic_memmodel_store(&{place}, (long)({value}), {order})")
        };
        let Some(op) = op else {
            return Ok(match used {
                false => store(&rhs),
                true => format!(
                    "({{ {} = ({rhs}); {}; memmodel_v; }})",
                    self.variable(of.ty, of.span)?,
                    store("memmodel_v")
                ),
            });
        };
        let old = self.load(lhs, &place)?;
        let op = op.spelling();
        Ok(match used {
            false => store(&format!("{cast}({old} {op} ({rhs}))")),
            true => {
                let variable = self.variable(of.ty, of.span)?;
                match after {
                    true => format!(
                        "({{ {variable} = ({old} {op} ({rhs})); {}; memmodel_v; }})",
                        store("memmodel_v")
                    ),
                    false => format!(
                        "({{ {variable} = {old}; {}; memmodel_v; }})",
                        store(&format!("{cast}(memmodel_v {op} 1)"))
                    ),
                }
            }
        })
    }

    /// A variable `memmodel_v` of a type.
    fn variable(&self, ty: QualType, span: Span) -> Outcome<String> {
        let plain = QualType {
            ty: ty.ty,
            quals: Quals::NONE,
        };
        let types = &self.facts.local_types.types;
        match types.declare_where(plain, "memmodel_v", &|_| true) {
            Some(text) => Ok(text),
            None => refused(
                span,
                "the type of this access cannot be written here, as a weak memory model needs it",
            ),
        }
    }

    /// What each argument points to, as lvalues.
    fn pointed(&self, args: &[ExprId], index: usize) -> Outcome<Vec<String>> {
        let exprs = &self.facts.tree.exprs;
        let lvalue = |&arg: &ExprId| match exprs[arg].kind {
            ExprKind::AddressOf(of) => Ok(format!("({})", self.render(exprs[of].span, index)?)),
            _ => Ok(format!("(*({}))", self.render(exprs[arg].span, index)?)),
        };
        args.iter().map(lvalue).collect()
    }

    fn operation(&self, call: ExprId, of: Operation, index: usize) -> Outcome<String> {
        let tree = self.facts.tree;
        let span = tree.exprs[call].span;
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return Ok(String::new());
        };
        if args.len() < of.arguments {
            return refused(span, "this call has too few arguments");
        }
        let texts: Outcome<Vec<String>> = args
            .iter()
            .map(|a| self.render(tree.exprs[*a].span, index))
            .collect();
        let texts = texts?;
        let order = match of.order {
            Some(order) => order.to_owned(),
            None => texts
                .get(of.arguments)
                .cloned()
                .unwrap_or(SEQ_CST.to_owned()),
        };
        let at = &texts[0];
        let byte = matches!(of.kind, Kind::Clear | Kind::TestAndSet);
        let (cast, variable) = match tree.types.pointee(tree.exprs[args[0]].ty) {
            Some(to) if !byte => (self.cast(to, span)?, self.variable(to, span)?),
            _ => ("(_Bool)".to_owned(), "_Bool memmodel_v".to_owned()),
        };
        let change = |what: char, by: &str, expected: &str, failing: &str| {
            format!("__VERIFIER_atomic_memmodel_change({at}, '{what}', (long)({by}), (long)({expected}), {order}, {failing})")
        };
        let pointed = self.pointed(args, index)?;
        let value = |i: usize, indirect: bool| match indirect {
            true => pointed[i].clone(),
            false => texts[i].clone(),
        };
        Ok(match of.kind {
            Kind::Load { indirect } => {
                let load = format!("{cast}__VERIFIER_atomic_memmodel_load({at}, {order})");
                match indirect {
                    true => format!("({} = {load})", pointed[1]),
                    false => format!("({load})"),
                }
            }
            Kind::Store { indirect } => {
                format!(
                    "__VERIFIER_atomic_memmodel_store({at}, (long)({}), {order})",
                    value(1, indirect)
                )
            }
            Kind::Clear => format!("__VERIFIER_atomic_memmodel_store({at}, 0, {order})"),
            Kind::TestAndSet => format!("((_Bool){})", change('x', "1", "0", &order)),
            Kind::Exchange { indirect: false } => {
                format!("({cast}{})", change('x', &texts[1], "0", &order))
            }
            Kind::Exchange { indirect: true } => {
                format!(
                    "({} = {cast}{})",
                    pointed[2],
                    change('x', &value(1, true), "0", &order)
                )
            }
            Kind::Compare { indirect } => {
                let failing = texts
                    .get(of.arguments + 1)
                    .cloned()
                    .unwrap_or(SEQ_CST.to_owned());
                let expected = &pointed[1];
                let tried = change('c', &value(2, indirect), "memmodel_e", &failing);
                let was = variable.replace("memmodel_v", "memmodel_e");
                format!("({{ {was} = {expected}; {variable} = {cast}{tried}; if (memmodel_v != memmodel_e) {expected} = memmodel_v; memmodel_v == memmodel_e; }})")
            }
            Kind::CompareValue { truth } => {
                let was = variable.replace("memmodel_v", "memmodel_e");
                let tried = change('c', &texts[2], "memmodel_e", &order);
                let result = if truth {
                    "memmodel_v == memmodel_e"
                } else {
                    "memmodel_v"
                };
                format!(
                    "({{ {was} = ({}); {variable} = {cast}{tried}; {result}; }})",
                    texts[1]
                )
            }
            Kind::Compute { operation, after } => {
                computed((&cast, at), operation, after, (&texts[1], &order))
            }
        })
    }

    /// A call about threads: what it orders.
    fn about_threads(
        &self,
        call: ExprId,
        of: Call,
        (span, index): (Span, usize),
    ) -> Outcome<String> {
        let tree = self.facts.tree;
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return Ok(String::new());
        };
        let whole = self.render(span, index)?;
        let argument = |i: usize| match args.get(i) {
            Some(a) => self.render(tree.exprs[*a].span, index),
            None => refused(span, "this call has too few arguments"),
        };
        let result = |before: &str, behind: &str| {
            format!("({{ {before}int memmodel_r = {whole}; {behind} memmodel_r; }})")
        };
        let views = self.model == Model::C11;
        Ok(match of {
            Call::Create(handle, ..) => {
                let handle = format!("(unsigned long)*({})", argument(handle)?);
                match views {
                    // The thread must not begin before it has the view of its creator.
                    true => result(
                        "__VERIFIER_atomic_begin(); ",
                        &format!("__VERIFIER_atomic_memmodel_created({handle}); __VERIFIER_atomic_end();"),
                    ),
                    false => result(FENCE, &format!("memmodel_serve({handle});")),
                }
            }
            Call::Join => {
                let handle = format!("(unsigned long)({})", argument(0)?);
                match views {
                    true => result("", &format!("__VERIFIER_atomic_memmodel_joined({handle});")),
                    false => result(FENCE, &format!("while (memmodel_pending[{handle}]) ;")),
                }
            }
            Call::Exit => format!("(__VERIFIER_atomic_memmodel_fence(5), {whole})"),
            _ if !views => format!("(__VERIFIER_atomic_memmodel_fence(5), {whole})"),
            Call::CondWait(_) => {
                let m = argument(1)?;
                result(
                    &format!("__VERIFIER_atomic_memmodel_unlock({m}); "),
                    &format!("__VERIFIER_atomic_memmodel_lock({m});"),
                )
            }
            Call::Model(model) => match model.role {
                Role::Takes => result(
                    "",
                    &format!("__VERIFIER_atomic_memmodel_lock({});", argument(0)?),
                ),
                Role::Tries => result(
                    "",
                    &format!(
                        "if (memmodel_r == 0) __VERIFIER_atomic_memmodel_lock({});",
                        argument(0)?
                    ),
                ),
                Role::Gives => format!(
                    "(__VERIFIER_atomic_memmodel_unlock({}), {whole})",
                    argument(0)?
                ),
                Role::Signals | Role::Broadcasts => whole,
                _ if matches!(
                    model.does,
                    "ba_seq_mutex_init"
                        | "ba_seq_mtx_init"
                        | "ba_seq_cond_init"
                        | "ba_seq_spin_init"
                ) =>
                {
                    whole
                }
                _ => return self.refuse_call(call),
            },
            _ => return self.refuse_call(call),
        })
    }

    fn refuse_call(&self, call: ExprId) -> Outcome<String> {
        let name = name_of(self.facts.tree, call).unwrap_or_default();
        let message = format!("what `{name}` orders is not followed under --memory-model c11");
        refused(self.facts.tree.exprs[call].span, &message)
    }
}

/// A fence that is sequentially consistent, as a statement.
const FENCE: &str = "__VERIFIER_atomic_memmodel_fence(5); ";

/// An operation that computes, with its value before or after.
fn computed(
    (cast, at): (&str, &str),
    operation: char,
    after: bool,
    (by, order): (&str, &str),
) -> String {
    let change = |by: &str| {
        format!("__VERIFIER_atomic_memmodel_change({at}, '{operation}', {by}, 0, {order}, {order})")
    };
    match after {
        false => format!("({cast}{})", change(&format!("(long)({by})"))),
        true => format!("({{ long memmodel_b = (long)({by}); {cast}memmodel_result('{operation}', {}, memmodel_b); }})", change("memmodel_b")),
    }
}

/// The model's operation for an operator.
fn computes(op: BinaryOp) -> Option<char> {
    Some(match op {
        BinaryOp::Add => '+',
        BinaryOp::Sub => '-',
        BinaryOp::BitAnd => '&',
        BinaryOp::BitOr => '|',
        BinaryOp::BitXor => '^',
        _ => return None,
    })
}
