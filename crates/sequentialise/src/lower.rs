//! From the tree to threads of operations: calls inlined, loops unrolled, expressions split where
//! they touch shared memory more than once.

mod bounds;
mod calls;
mod cycles;
mod destructors;
mod env;
mod exprs;
mod handles;
mod loops;
mod memory;
mod outcomes;
mod places;
mod stmts;
mod sync;
mod tries;
mod waits;

use std::collections::{HashMap, HashSet};

use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Resolved, Storage};
use cfront::types::{ArrayLen, QualType, Quals, Type};
use cfront::{Diagnostic, ExprId, FunctionId, Span};

use crate::accesses::Accesses;
use crate::code::{Access, Action, Label, Lowered, Mover, Op, Pointer, ThreadCode, Variable};
use crate::facts::{key, Facts};
use crate::options::Options;
use crate::print::{print, Patch};
use crate::sharing::Sharing;
use env::Env;

/// An activation that is inlined.
#[derive(Clone, Debug)]
struct Frame {
    function: FunctionId,
    /// How many activations of the function there are.
    depth: u32,
    /// Where its value goes.
    result: Option<String>,
    /// Where it returns to.
    back: Label,
    /// Whether a thread begins with it.
    is_thread: bool,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug, Default)]
struct Exits {
    on_break: Option<Label>,
    on_continue: Option<Label>,
}

/// The lowering of one thread, and what all of them have in common.
pub(crate) struct Lower<'a, 'u> {
    facts: &'a Facts<'u>,
    accesses: &'a Accesses<'a, 'u>,
    sharing: &'a Sharing,
    options: &'a Options,
    out: Lowered,
    /// Parts of the current thread.
    thread: u32,
    frames: Vec<Frame>,
    env: Env,
    pending: HashMap<Label, Vec<Env>>,
    labels: u32,
    temps: u32,
    /// The labels of the program that can be jumped to, innermost last.
    scopes: Vec<HashMap<String, Label>>,
    exits: Exits,
    cases: Vec<HashMap<usize, Label>>,
    variables: HashSet<String>,
    inlined: HashMap<FunctionId, bool>,
    /// Where handles of threads are stored.
    stores: handles::Stores,
    /// What is known of the arguments of threads.
    params: HashMap<u32, Pointer>,
    total: usize,
    errors: Vec<Diagnostic>,
}

/// Operations above which a program is refused.
const MAX_OPS: usize = 400_000;

impl<'a, 'u> Lower<'a, 'u> {
    /// Lowers all threads of a program.
    ///
    /// # Errors
    /// What cannot be followed.
    pub fn run(
        facts: &'a Facts<'u>,
        accesses: &'a Accesses<'a, 'u>,
        sharing: &'a Sharing,
        options: &'a Options,
        main: FunctionId,
    ) -> Result<Lowered, Vec<Diagnostic>> {
        let mut lower = Lower {
            facts,
            accesses,
            sharing,
            options,
            out: Lowered {
                threads: Vec::new(),
                statics: Vec::new(),
                kept: HashSet::new(),
                made: HashMap::new(),
            },
            thread: 0,
            frames: Vec::new(),
            env: Env::default(),
            pending: HashMap::new(),
            labels: 0,
            temps: 0,
            scopes: Vec::new(),
            exits: Exits::default(),
            cases: Vec::new(),
            variables: HashSet::new(),
            inlined: HashMap::new(),
            stores: handles::Stores::of(facts),
            params: HashMap::new(),
            total: 0,
            errors: Vec::new(),
        };
        lower.new_thread(main, None, 0);
        let mut next = 0;
        while next < lower.out.threads.len() && lower.errors.is_empty() {
            lower.lower_thread(next as u32);
            next += 1;
        }
        match lower.errors.is_empty() {
            true => Ok(lower.out),
            false => Err(lower.errors),
        }
    }

    fn new_thread(&mut self, function: FunctionId, created_at: Option<Span>, creator: u32) -> u32 {
        self.out.threads.push(ThreadCode {
            function,
            created_at,
            creator,
            ops: Vec::new(),
            variables: Vec::new(),
        });
        self.out.threads.len() as u32 - 1
    }

    fn lower_thread(&mut self, thread: u32) {
        let function = self.out.threads[thread as usize].function;
        self.thread = thread;
        self.env = Env::start();
        self.pending.clear();
        self.inlined.clear();
        self.labels = 0;
        self.temps = 0;
        self.variables = self.out.threads[thread as usize]
            .variables
            .iter()
            .map(|v| v.name.clone())
            .collect();
        let Some(body) = self.facts.tree.functions[function].body.as_ref() else {
            let name = &self.facts.tree.functions[function].name;
            let span = self.out.threads[thread as usize].created_at;
            self.refuse(
                span.unwrap_or(Span::empty(0)),
                format!("a thread begins with `{name}`, which the program does not define"),
            );
            return;
        };
        let back = self.label();
        let block = body.block;
        let params = body.params.clone();
        self.frames.push(Frame {
            function,
            depth: 1,
            result: None,
            back,
            is_thread: true,
        });
        let known = self.params.remove(&thread);
        for (index, param) in params.into_iter().enumerate() {
            self.variable(param);
            if index == 0 {
                self.know_pointer(param, known.clone());
            }
        }
        self.function_body(block);
        self.place(back, body.span);
        let end = Span::new(body.span.end.saturating_sub(1), body.span.end);
        // With the main one the process ends.
        if thread != 0 {
            self.leave_data(end);
        }
        self.stop(end);
        self.frames.pop();
        self.refuse_lost_jumps();
    }

    /// A jump whose label was not met behind it goes back into a block, or into a loop.
    fn refuse_lost_jumps(&mut self) {
        let pending = &self.pending;
        let lost =
            |op: &&Op| matches!(op.action, Action::Jump { to, .. } if pending.contains_key(&to));
        let ops = &self.out.threads[self.thread as usize].ops;
        let spans: Vec<Span> = ops.iter().filter(lost).map(|op| op.span).collect();
        if let Some(&span) = spans.first() {
            let message = "this jump goes into a loop or back into a block, which cannot be followed in a thread";
            self.refuse(span, message);
        }
    }

    /// A new variable of type `int`.
    fn int_temp(&mut self) -> String {
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        self.add_variable(Variable {
            declaration: format!("int {name}"),
            name: name.clone(),
            ty: None,
            of: None,
        });
        name
    }

    /// The thread ends here; with the main one the process ends.
    fn stop(&mut self, span: Span) {
        if self.thread == 0 {
            self.text("BA_SEQ_OVER();".to_string(), span, Vec::new());
        }
        self.push(Action::Stop, span, Vec::new(), Mover::Left);
        self.env.reachable = false;
    }

    // Messages ----------------------------------------------------------------------------------

    fn refuse(&mut self, span: Span, message: impl Into<String>) {
        if self.errors.len() < 20 {
            self.errors.push(Diagnostic::error(span, message));
        }
    }

    // Operations --------------------------------------------------------------------------------

    fn push(&mut self, action: Action, span: Span, mut accesses: Vec<Access>, mover: Mover) {
        if !self.env.reachable {
            return;
        }
        // Ways back to heads of loops would change what variables mean there.
        let known = self.options.lasso.is_none();
        for access in accesses.iter_mut().filter(|_| known) {
            if span.encloses(self.facts.tree.exprs[access.expr].span) {
                self.detail(access);
            }
        }
        self.total += 1;
        if self.total == MAX_OPS {
            let message = "the program is too large when its loops are unrolled and its calls inlined: this is where it becomes too much";
            self.errors
                .push(Diagnostic::error(span, message).help("choose smaller bounds (--unwind)"));
        }
        if self.total >= MAX_OPS {
            self.env.reachable = false;
            return;
        }
        let atomic = self.env.atomic > 0;
        self.out.threads[self.thread as usize].ops.push(Op {
            action,
            span,
            accesses,
            mover,
            atomic,
            mutex: None,
        });
    }

    /// A statement. Its accesses say how it moves.
    fn text(&mut self, text: String, span: Span, accesses: Vec<Access>) {
        let visible = accesses.iter().any(|a| self.is_visible(a));
        let mover = if visible { Mover::None } else { Mover::Both };
        self.push(Action::Text(text), span, accesses, mover);
    }

    fn is_visible(&self, access: &Access) -> bool {
        self.sharing.is_visible(self.thread, access.expr)
    }

    fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels)
    }

    fn jump(&mut self, condition: Option<String>, to: Label, span: Span) {
        self.jump_with(condition, to, span, Vec::new());
    }

    fn jump_with(
        &mut self,
        condition: Option<String>,
        to: Label,
        span: Span,
        accesses: Vec<Access>,
    ) {
        if !self.env.reachable {
            return;
        }
        let visible = accesses.iter().any(|a| self.is_visible(a));
        let mover = if visible { Mover::None } else { Mover::Both };
        let always = condition.is_none();
        self.push(Action::Jump { condition, to }, span, accesses, mover);
        self.pending.entry(to).or_default().push(self.env.clone());
        if always {
            self.env.reachable = false;
        }
    }

    /// Puts a label here, if anything gets here.
    fn place(&mut self, label: Label, span: Span) {
        let mut from = self.pending.remove(&label).unwrap_or_default();
        if from.is_empty() {
            return;
        }
        if self.env.reachable {
            from.push(std::mem::take(&mut self.env));
        }
        self.env = Env::merge(from);
        self.push(Action::Label(label), span, Vec::new(), Mover::Both);
    }

    // Names -------------------------------------------------------------------------------------

    fn frame(&self) -> &Frame {
        // A frame is there as long as a thread is lowered.
        &self.frames[self.frames.len() - 1]
    }

    /// The name of an object in the current activation; nothing if it keeps its own.
    fn name(&self, object: ObjectId) -> Option<String> {
        let o = &self.facts.tree.objects[object];
        let unique = self.facts.names.get(&object).unwrap_or(&o.name);
        match o.storage {
            Storage::Local | Storage::Parameter => {
                let frame = self.frame();
                let function = &self.facts.tree.functions[frame.function].name;
                let thread = self.thread;
                let depth = match frame.depth {
                    1 => String::new(),
                    n => format!("_{n}"),
                };
                Some(format!("ba_seq_{thread}_{function}{depth}_{unique}"))
            }
            _ => static_name(self.facts, object).map(|name| match o.thread_local {
                true => format!("{name}[{}]", self.thread),
                false => name,
            }),
        }
    }

    /// The name of a local object, which becomes a variable of the thread.
    fn variable(&mut self, object: ObjectId) -> String {
        let name = self.name(object).unwrap_or_default();
        if self.variables.contains(&name) {
            return name;
        }
        let o = &self.facts.tree.objects[object];
        let span = o.declarator;
        let frame = self.frame();
        let of = Some((frame.function, object, frame.depth));
        let ty = self.stored(o.ty);
        let Some(declaration) = self.declare(ty, &name) else {
            let message = format!(
                "the type of `{}` cannot be written outside its block",
                o.name
            );
            self.refuse(span, message);
            return name;
        };
        self.add_variable(Variable {
            declaration,
            name: name.clone(),
            ty: Some(ty),
            of,
        });
        name
    }

    fn add_variable(&mut self, variable: Variable) {
        if self.variables.insert(variable.name.clone()) {
            self.out.threads[self.thread as usize]
                .variables
                .push(variable);
        }
    }

    /// The type of a variable that stands for an object: one whose length is not constant is in
    /// allocated memory.
    fn stored(&self, ty: QualType) -> QualType {
        QualType {
            ty: ty.ty,
            quals: Quals {
                is_atomic: ty.quals.is_atomic,
                ..Quals::NONE
            },
        }
    }

    /// A declaration of a name with a type that can be assigned.
    fn declare(&self, ty: QualType, name: &str) -> Option<String> {
        let types = &self.facts.tree.types;
        match types.get(ty) {
            Type::Array(of, ArrayLen::Variable) => {
                types.declare_where(*of, &format!("(*{name})"), &|_| true)
            }
            Type::Array(of, ArrayLen::Known(n)) => {
                let of = self.stored(*of);
                match types.get(of) {
                    Type::Array(..) => self.declare(of, &format!("{name}[{n}]")),
                    _ => types.declare_where(of, &format!("{name}[{n}]"), &|_| true),
                }
            }
            _ => types.declare_where(ty, name, &|_| true),
        }
    }

    /// A new variable for the value of an expression.
    fn temp(&mut self, e: ExprId) -> String {
        let expr = &self.facts.tree.exprs[e];
        self.temp_of(expr.ty, expr.span)
    }

    fn temp_of(&mut self, ty: QualType, span: Span) -> String {
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        let types = &self.facts.tree.types;
        let ty = QualType {
            ty: ty.ty,
            quals: Quals::NONE,
        };
        let whole = !matches!(types.get(ty), Type::Array(..) | Type::Function(_));
        let declared = match types.get(ty) {
            Type::Array(of, _) => types.declare_where(*of, &format!("*{name}"), &|_| true),
            Type::Function(_) => types.declare_where(ty, &format!("(*{name})"), &|_| true),
            _ => types.declare_where(ty, &name, &|_| true),
        };
        let declaration = match declared {
            Some(declaration) => declaration,
            None => {
                let text = self.print(span, Vec::new());
                format!("__typeof__({text}) {name}")
            }
        };
        self.add_variable(Variable {
            declaration,
            name: name.clone(),
            ty: whole.then_some(ty),
            of: None,
        });
        name
    }

    // Text --------------------------------------------------------------------------------------

    /// The text of a span in the current activation, with parts replaced.
    fn print(&mut self, span: Span, mut patches: Vec<Patch>) -> String {
        let facts = self.facts;
        for ident in facts.idents_in(span) {
            let expr = &facts.tree.exprs[ident];
            if self.options.lasso.is_some() {
                if let Some(name) = crate::lasso::replaced(facts.tree, ident) {
                    patches.push((expr.bare, name));
                    continue;
                }
            }
            match expr.kind {
                ExprKind::Ident(Resolved::Object(object)) => {
                    let o = &facts.tree.objects[object];
                    if span.encloses(o.name_span) && o.storage == Storage::Local {
                        continue;
                    }
                    let automatic = matches!(o.storage, Storage::Local | Storage::Parameter);
                    let name = match automatic {
                        true => Some(self.variable(object)),
                        false => self.use_static(object),
                    };
                    if let Some(name) = name {
                        patches.push((expr.bare, name));
                    }
                }
                ExprKind::Ident(Resolved::Function(function)) => {
                    if let Some(name) = replaced_function(facts, function) {
                        patches.push((expr.bare, name.to_string()));
                    } else if facts.tree.functions[function].body.is_some() {
                        self.out.kept.insert(function);
                    }
                }
                _ => {}
            }
        }
        let known = |size: ExprId| self.value_of(size).is_some();
        patches.extend(memory::bounded(facts, self.options, span, &known));
        self.count_calls(span);
        self.count_loops(span, &mut patches);
        print(facts, span, patches)
    }

    /// The new name of a static object, which is declared once.
    fn use_static(&mut self, object: ObjectId) -> Option<String> {
        let name = self.name(object)?;
        if !self.out.statics.contains(&object) {
            self.out.statics.push(object);
        }
        Some(name)
    }

    /// Counts the calls of a text that is executed at this point, for memory that they make.
    fn count_calls(&mut self, span: Span) {
        // A loop that is not unrolled makes a call again and again.
        let cycles = self.options.lasso.is_some();
        let several = cycles || self.facts.loops_in(span).next().is_some();
        let calls: Vec<ExprId> = self.facts.calls_in(span).collect();
        for call in calls {
            *self.out.made.entry(call).or_default() += if several { 2 } else { 1 };
            for target in self.facts.targets(call) {
                for function in self.facts.graph.reachable(target) {
                    if let Some(body) = &self.facts.tree.functions[function].body {
                        for inner in self.facts.calls_in(body.span) {
                            *self.out.made.entry(inner).or_default() += 2;
                        }
                    }
                }
            }
        }
    }

    /// Loops that stay loops are cut at their bound.
    fn count_loops(&mut self, span: Span, patches: &mut Vec<Patch>) {
        let loops: Vec<_> = self.facts.loops_in(span).collect();
        for stmt in loops {
            if span.encloses(self.facts.tree.stmts[stmt].span) {
                let suspends = self.env.atomic == 0;
                bounds::counted(self.facts, self.options, stmt, suspends, patches);
            }
        }
    }
}

/// The name that a static object of a function, or a thread-local one, has in the output.
pub(crate) fn static_name(facts: &Facts, object: ObjectId) -> Option<String> {
    let o = &facts.tree.objects[object];
    match (o.storage, o.function) {
        (Storage::StaticLocal, Some(function)) => {
            let function = &facts.tree.functions[function].name;
            let unique = facts.names.get(&object).unwrap_or(&o.name);
            Some(format!("ba_seq_s_{function}_{unique}"))
        }
        _ if o.thread_local && !o.in_system_header => Some(format!("ba_seq_tl_{}", o.name)),
        _ => None,
    }
}

/// What is called in the place of a library function.
pub(crate) fn replaced_function(facts: &Facts, function: FunctionId) -> Option<&'static str> {
    let f = &facts.tree.functions[function];
    if f.body.is_some() {
        return None;
    }
    Some(match f.name.as_str() {
        "exit" | "_exit" | "_Exit" | "quick_exit" => "ba_seq_exit",
        "abort" => "ba_seq_abort",
        "pthread_self" | "thrd_current" => "ba_seq_self",
        "pthread_equal" | "thrd_equal" => "ba_seq_equal",
        "pthread_setspecific" | "tss_set" => "ba_seq_setspecific",
        "pthread_getspecific" | "tss_get" => "ba_seq_getspecific",
        "__VERIFIER_assume" => "ba_seq_assume",
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "__CPROVER_atomic_begin"
        | "__CPROVER_atomic_end"
        | "__ESBMC_atomic_begin"
        | "__ESBMC_atomic_end"
        | "sched_yield"
        | "pthread_yield"
        | "thrd_yield" => "ba_seq_nothing",
        name => match crate::library::is_nothing(name) {
            true => "ba_seq_nothing",
            false => return None,
        },
    })
}

/// What lets the loops of a function that stays one be cut at their bounds.
pub(crate) fn counted_in_function(facts: &Facts, options: &Options, span: Span) -> Vec<Patch> {
    let mut patches = Vec::new();
    for stmt in facts.loops_in(span) {
        bounds::counted(facts, options, stmt, false, &mut patches);
    }
    patches
}

/// What gives allocations in a function that stays one a constant size.
pub(crate) fn bounded_in_function(facts: &Facts, options: &Options, span: Span) -> Vec<Patch> {
    memory::bounded(facts, options, span, &|_| false)
}

/// The key of a statement in maps of labels.
fn case_key(stmt: cfront::StmtId) -> usize {
    key(stmt)
}
