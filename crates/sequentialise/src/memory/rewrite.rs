//! The text of a program whose accesses of some objects are calls of the model.

use std::collections::HashMap;

use cfront::memory_model::PREFIX;
use cfront::tree::{ExprKind, Parent, StmtKind};
use cfront::types::{QualType, Type};
use cfront::{Diagnostic, ExprId, FunctionId, Span};

use super::emit;
use super::locks;
use super::model::Model;
use super::objects::{refused, Objects};
use super::operations::{self, operation, Kind, Operation, FENCE, SEQ_CST};
use crate::accesses::Accesses;
use crate::facts::Facts;
use crate::library::{name_of, Call, Role};
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

struct Edit {
    span: Span,
    change: Change,
}

/// A program that is being changed.
pub(super) struct Rewriter<'a, 'u> {
    pub facts: &'a Facts<'u>,
    pub model: Model,
    /// The changes; one that is around another stands in front of it.
    edits: Vec<Edit>,
}

pub(super) type Outcome<T> = Result<T, Vec<Diagnostic>>;

/// The text of the program with the model, which has room for this many threads. Whether races are searched.
pub(super) fn rewritten(
    facts: &Facts,
    accesses: &Accesses,
    objects: &Objects,
    (model, threads, races): (Model, usize, bool),
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
    if races {
        rewriter.watch();
    }
    let turns = facts.loops_in(rewriter.all()).next().is_some()
        || facts.gotos_in(rewriter.all()).next().is_some();
    // A finite run shows a race.
    let settles = model == Model::C11 && turns && !races;
    rewriter.main(&stores, settles);
    let head = emit::head(model, settles);
    let first = facts.tree.defined_functions();
    let first = first.filter(|(_, f, _)| !f.in_system_header);
    if let Some(at) = first.map(|(_, _, body)| body.span.start).min() {
        rewriter.text(Span::empty(at), head);
    }
    let size = emit::Size {
        threads: 2 * threads + 2,
        stores: match races && turns {
            true => stores.values().sum::<usize>().max(IN_TURNS),
            false => stores.values().sum(),
        },
        settles,
        locks: locks::most(facts, rewriter.all()),
        races,
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
