//! The text of a program whose accesses of some objects are calls of the model.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::memory_model::PREFIX;
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind};
use cfront::types::{QualType, Type};
use cfront::{Barrier, ExprId, FunctionId, ObjectId, Span};

use super::bases::Said;
use super::emit;
use super::locks;
use super::model::{refused, Model, Outcome};
use super::objects::Objects;
use cfront::atomics::{operation, Operation};

use super::operations::{self, Touched, FENCE, RELEASE, SEQ_CST};
use crate::accesses::Accesses;
use crate::code::Lowered;
use crate::facts::Facts;
use crate::library::{name_of, Call, Role};
use crate::lower::bounds;
use crate::races::WATCH;

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

/// The stores of programs with loops that are remembered where races are searched, at least.
const IN_TURNS: usize = 5;

/// Stores of a thread are counted up to so many: no model has room for more.
const COUNTED: usize = 1 << 16;

/// What is asked.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub model: Model,
    /// Whether races are searched.
    pub races: bool,
    /// Whether finite runs show all, and nothing but the threads' accesses reads the objects.
    pub brief: bool,
}

struct Edit {
    span: Span,
    change: Change,
}

/// A program that is being changed.
pub(super) struct Rewriter<'a, 'u> {
    pub facts: &'a Facts<'u>,
    pub model: Model,
    /// See [`Question::brief`].
    pub brief: bool,
    /// What each function does with the objects.
    touched: HashMap<FunctionId, Touched>,
    /// The objects (as bits) with a store that may be weaker than release.
    weak: u32,
    /// The changes; one that is around another stands in front of it.
    edits: Vec<Edit>,
}

/// The text of the program with the model, which has room for these threads.
pub(super) fn rewritten(
    (facts, accesses): (&Facts, &Accesses),
    objects: &Objects,
    apart: &Lowered,
    Question {
        model,
        races,
        brief,
    }: Question,
) -> Outcome<String> {
    let mut rewriter = Rewriter {
        facts,
        model,
        brief,
        touched: HashMap::new(),
        weak: 0,
        edits: Vec::new(),
    };
    rewriter.refuse_sections()?;
    for (id, function, _) in facts.tree.defined_functions() {
        if function.in_system_header {
            continue;
        }
        rewriter.function((id, accesses), objects)?;
    }
    rewriter.bases(objects)?;
    rewriter.barriers()?;
    rewriter.library()?;
    if model == Model::C11 {
        rewriter.once()?;
    }
    rewriter.handles();
    if races {
        rewriter.watch();
    }
    let turns = facts.loops_in(rewriter.all()).next().is_some()
        || facts.gotos_in(rewriter.all()).next().is_some();
    // A finite run shows a race.
    let learns = model == Model::C11 && turns && !races && !brief;
    rewriter.main(learns);
    let bases = objects
        .bases
        .iter()
        .map(|b| format!("static void *{}; ", b.name));
    let head = emit::head(model, learns, brief) + &bases.collect::<String>();
    let first = facts.tree.defined_functions();
    let first = first.filter(|(_, f, _)| !f.in_system_header);
    if let Some(at) = first.map(|(_, _, body)| body.span.start).min() {
        rewriter.text(Span::empty(at), head);
    }
    let threads = apart.threads.iter();
    let stores = threads
        .map(|thread| rewriter.from(thread.function).stores)
        .sum();
    let main = apart.threads.first().map(|main| main.function);
    let mut size = emit::Size {
        threads: match (model, brief) {
            (Model::C11, _) | (_, true) => apart.threads.len() + 2,
            _ => 2 * apart.threads.len() + 2,
        },
        stores: match races && turns {
            true => IN_TURNS.max(stores),
            false => stores,
        },
        learns,
        brief,
        ordered: rewriter.edits.iter().any(|e| rewriter.orders(&e.change)),
        main: main.map_or(Touched::ANYTHING, |main| rewriter.from(main)),
        locks: locks::most(facts, rewriter.all()),
        races,
        fences: true,
        weak: rewriter.weak,
    };
    let all = rewriter.all();
    rewriter.edits.sort_by_key(|e| {
        let empty = !e.span.is_empty();
        (e.span.start, empty, std::cmp::Reverse(e.span.end))
    });
    let mut text = rewriter.render(all, 0)?;
    // The declaration is one.
    size.fences = text.matches("memmodel_fence(").count() > 1;
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
        let own = |name: &str| {
            (name.starts_with("__VERIFIER_atomic_") || name.contains(PREFIX)) && name != WATCH
        };
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
    ) -> Outcome<()> {
        let tree = self.facts.tree;
        let mut seen = std::collections::BTreeSet::new();
        for access in accesses.of_function(id) {
            let places = objects.places(self.facts, access);
            if places == 0 {
                continue;
            }
            self.touched.entry(id).or_default().accessed |= places;
            let e = access.expr;
            let span = tree.exprs[e].span;
            let (of, change, (reads, writes)) = match &tree.exprs[e].kind {
                ExprKind::Call { .. } => {
                    let name = name_of(tree, e).unwrap_or_default();
                    if name == "free" {
                        self.freed(span);
                        continue;
                    }
                    let Some(operation) = operation(name) else {
                        let message = format!("what `{name}` does with memory that several threads access is not followed under a weak memory model");
                        return refused(span, &message);
                    };
                    let does = (operation.kind.reads(), operation.kind.writes());
                    (e, Change::Operation(e, operation), does)
                }
                _ => {
                    if tree.bit_field(e).is_some()
                        || matches!(tree.type_of(tree.exprs[e].ty), Type::Record(_))
                    {
                        let message = "this access of memory that several threads access is not followed under a weak memory model";
                        return refused(span, message);
                    }
                    match self.written_by(e) {
                        // A compound assignment may be a read and a write.
                        Some(of) => (of, Change::Write(of), (true, true)),
                        None => (e, Change::Read(e), (true, false)),
                    }
                }
            };
            let times = self.times(span, self.span_of(id));
            let touched = self.touched.entry(id).or_default();
            if reads {
                touched.read |= places;
            }
            if seen.insert(of) {
                if writes {
                    touched.stores = touched.stores.saturating_add(times);
                    if !self.releases(&change) {
                        self.weak |= places;
                    }
                }
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

    /// A call that frees memory: no access comes later, but stores of the thread may still be delayed.
    fn freed(&mut self, call: Span) {
        if self.model != Model::C11 {
            let before = format!("({}", FENCE.replace("; ", ", "));
            self.edits.push(Edit {
                span: call,
                change: Change::Around(before, ")".to_owned()),
            });
        }
    }

    /// Lets the program say where objects are.
    fn bases(&mut self, objects: &Objects) -> Outcome<()> {
        for base in &objects.bases {
            match base.said(self.facts)? {
                Said::Behind(at, text) => self.text(at, text),
                Said::Around(span, before, behind) => self.edits.push(Edit {
                    span,
                    change: Change::Around(before, behind),
                }),
            }
        }
        Ok(())
    }

    /// Finds the barriers among assembler statements.
    fn barriers(&mut self) -> Outcome<()> {
        let stmts = self.facts.tree.stmts.iter();
        let asm = stmts.filter(|(_, s)| matches!(s.kind, StmtKind::Asm { .. }));
        let asm: Vec<Span> = asm.map(|(_, s)| s.span).collect();
        if asm.is_empty() {
            return Ok(());
        }
        let known: BTreeMap<usize, (Span, Barrier)> = cfront::barriers(&self.facts.unit.source)
            .into_iter()
            .map(|(span, barrier)| (span.start, (span, barrier)))
            .collect();
        for at in asm {
            let (span, barrier) = match known.get(&at.start) {
                Some((span, barrier)) => (*span, *barrier),
                None => (at, Barrier::Unknown),
            };
            let change = match (barrier, self.model) {
                (Barrier::Nothing, _) | (Barrier::Stores | Barrier::Loads, Model::Tso) => continue,
                (Barrier::Full, _) => Change::Fence(None),
                (Barrier::Stores, Model::Pso) => {
                    Change::Text(format!("__VERIFIER_atomic_memmodel_fence({RELEASE})"))
                }
                (Barrier::Loads, Model::Pso) => continue,
                (Barrier::Unknown, _) | (Barrier::Stores | Barrier::Loads, Model::C11) => {
                    let message = "what this assembler statement orders is not known to the memory model: `atomic_thread_fence`, and full barriers that clobber \"memory\", are";
                    return refused(at, message);
                }
            };
            self.edits.push(Edit { span, change });
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
    fn library(&mut self) -> Outcome<()> {
        let any = self.touched.values().any(|touched| touched.stores > 0);
        let facts = self.facts;
        for call in facts.calls_in(self.all()) {
            let Some(of) = facts.library(call) else {
                continue;
            };
            let ends = of == Call::Exit && any;
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

    /// Lets each function that is run once give back what it has seen, at its ends: whose call of `pthread_once` returns later
    /// has seen the same.
    fn once(&mut self) -> Outcome<()> {
        let tree = self.facts.tree;
        let mut known: BTreeMap<FunctionId, (ObjectId, usize)> = BTreeMap::new();
        let mut calls = Vec::new();
        for call in self.facts.calls_in(self.all()) {
            if self.facts.library(call) != Some(Call::Once) {
                continue;
            }
            let Some((object, routine)) = self.once_of(call) else {
                return self.refuse_call(call).map(drop);
            };
            let of = known.entry(routine).or_insert((object, 0));
            of.1 += 1;
            calls.push((call, routine, object));
        }
        for (call, routine, object) in calls {
            // Another object, or a call of the function itself, would order more than there is.
            let (first, count) = known[&routine];
            let named = tree.exprs.iter().filter(|(_, e)| {
                !e.unevaluated
                    && matches!(e.kind, ExprKind::Ident(Resolved::Function(f)) if f == routine)
            });
            if first != object || named.count() != count {
                return self.refuse_call(call).map(drop);
            }
        }
        for (routine, (object, _)) in known {
            let name = &tree.objects[object].name;
            let gives = format!("__VERIFIER_atomic_memmodel_unlock(&{name});");
            let block = self.span_of(routine);
            for (_, stmt) in tree.stmts.iter() {
                if matches!(stmt.kind, StmtKind::Return(None)) && stmt.function == Some(routine) {
                    self.text(stmt.span, format!("{{ {gives} return; }}"));
                }
            }
            self.text(Span::empty(block.end - 1), format!(" {gives} "));
        }
        Ok(())
    }

    /// The object at file scope, and the function that sees it, of a call of `pthread_once`.
    fn once_of(&self, call: ExprId) -> Option<(ObjectId, FunctionId)> {
        let tree = self.facts.tree;
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return None;
        };
        let (&once, &routine) = (args.first()?, args.get(1)?);
        let ExprKind::AddressOf(of) = tree.exprs[tree.uncast(once)].kind else {
            return None;
        };
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[of].kind else {
            return None;
        };
        let routine = cfront::calls::named_function(tree, routine)?;
        let body = tree.functions[routine].body.as_ref()?;
        let o = &tree.objects[object];
        let sees = o.function.is_none() && o.name_span.end < body.span.start;
        let plain = sees && !tree.functions[routine].in_system_header;
        plain.then_some((object, routine))
    }

    /// Leaves what is told of accesses to the model, which has a function for it.
    fn watch(&mut self) {
        let tree = self.facts.tree;
        let watch = tree.function_named(WATCH);
        if let Some(body) = watch.and_then(|f| tree.functions[f].body.as_ref()) {
            self.text(tree.stmts[body.block].span, ";".to_owned());
        }
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
    fn main(&mut self, learns: bool) {
        let tree = self.facts.tree;
        let Some(main) = tree.function_named("main") else {
            return;
        };
        let Some(body) = &tree.functions[main].body else {
            return;
        };
        let block = tree.stmts[body.block].span;
        if learns {
            self.text(
                Span::empty(block.start + 1),
                " memmodel_begins();".to_owned(),
            );
        }
        if self.model == Model::C11 || self.from(main).stores == 0 {
            return;
        }
        if !self.brief {
            let serve = " memmodel_serve(0);".to_owned();
            self.text(Span::empty(block.start + 1), serve);
        }
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

    /// What a function and those that it calls do with the objects; stores are counted for each call in the text.
    fn from(&self, function: FunctionId) -> Touched {
        let reached = self.facts.graph.reachable(function).into_iter();
        let all: BTreeSet<FunctionId> = reached.chain([function]).collect();
        let of = all.iter().filter_map(|f| self.touched.get(f));
        let touched = of.fold(Touched::default(), |all, of| Touched {
            stores: 0,
            accessed: all.accessed | of.accessed,
            read: all.read | of.read,
        });
        Touched {
            stores: self.stores(function, &mut HashMap::new()),
            ..touched
        }
    }

    /// How often a part of a function is executed in one call of it, as far as the loops around it have constant numbers of
    /// iterations; others count once.
    fn times(&self, part: Span, function: Span) -> usize {
        let loops = self.facts.loops_in(function);
        let around = loops.filter(|l| self.facts.tree.stmts[*l].span.encloses(part));
        // Of a loop that may go on for ever, two rounds have room: what the last one stores, and what of the one before is still read.
        let many = if self.model == Model::C11 { 2 } else { 1 };
        let counts = around.map(|l| bounds::constant(self.facts, l).unwrap_or(many));
        let times = counts.fold(1, u64::saturating_mul);
        usize::try_from(times).unwrap_or(COUNTED).min(COUNTED)
    }

    /// The stores of a function and of its calls, in which a recursive function counts once.
    fn stores(&self, function: FunctionId, known: &mut HashMap<FunctionId, usize>) -> usize {
        if let Some(&stores) = known.get(&function) {
            return stores;
        }
        known.insert(function, 0);
        let own = self.touched.get(&function).map_or(0, |t| t.stores);
        let calls = self.facts.calls_in(self.span_of(function));
        let called: usize = calls
            .map(|call| {
                let targets = self.facts.targets(call).into_iter();
                let most = targets.map(|target| self.stores(target, known)).max();
                let at = self.facts.tree.exprs[call].span;
                let times = most.map_or(0, |_| self.times(at, self.span_of(function)));
                most.unwrap_or(0).saturating_mul(times)
            })
            .fold(0, usize::saturating_add);
        let stores = own.saturating_add(called).min(COUNTED);
        known.insert(function, stores);
        stores
    }

    /// The same of a thread by the argument that names its function; `None` if that is not known.
    pub(super) fn started(&self, routine: ExprId) -> Option<Touched> {
        let function = cfront::calls::named_function(self.facts.tree, routine)?;
        Some(self.from(function))
    }

    // Text --------------------------------------------------------------------------------------

    /// The text of a part of the program with the changes from a number on.
    pub fn render(&self, span: Span, from: usize) -> Outcome<String> {
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

    /// Whether a change makes a store that is known to be a release, or stronger.
    fn releases(&self, change: &Change) -> bool {
        match change {
            Change::Operation(call, of) => operations::releases(*of, self.facts, *call),
            // An atomic object is accessed in the order of sequential consistency.
            _ => self.orders(change),
        }
    }

    /// Whether a change makes an access or a fence that may be sequentially consistent.
    fn orders(&self, change: &Change) -> bool {
        let tree = self.facts.tree;
        let is_atomic = |e: ExprId| tree.exprs[e].ty.quals.is_atomic;
        match change {
            Change::Read(e) => is_atomic(*e),
            Change::Write(e) => match tree.exprs[*e].kind {
                ExprKind::Assign { lhs, .. } => is_atomic(lhs),
                ExprKind::IncDec { operand, .. } => is_atomic(operand),
                _ => true,
            },
            Change::Operation(call, of) => !operations::calls_weakly(*of, self.facts, *call),
            Change::Fence(order) => !order.is_some_and(|e| operations::is_weak(self.facts, e)),
            Change::Text(_) | Change::Around(..) | Change::Library(..) => false,
        }
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
}
