//! Lowers the tree to threads of operations: inlines calls, unrolls loops, and splits expressions
//! that access shared memory more than once.

pub(crate) mod bounds;
mod calls;
mod cancellation;
mod conditions;
mod cycles;
mod destructors;
mod env;
mod exprs;
mod handles;
mod loops;
pub(crate) mod memory;
mod only_reads;
mod outcomes;
mod places;
mod printing;
mod restarts;
mod retries;
mod stmts;
mod sync;
pub(crate) mod texts;
mod tries;
mod uses;
pub(crate) mod variables;
mod waits;

use std::collections::{BTreeSet, HashMap, HashSet};

use cfront::{Diagnostic, FunctionId, Span};

use crate::accesses::Accesses;
use crate::code::{Access, Action, Label, Lowered, Mover, Op, Pointer, ThreadCode};
use crate::facts::{key, Facts};
use crate::options::Options;
use crate::sharing::Sharing;
use env::Env;

/// An inlined activation.
#[derive(Clone, Debug)]
struct Frame {
    function: FunctionId,
    /// The number of activations of the function around it, itself included.
    depth: u32,
    /// The variable for its result.
    result: Option<String>,
    /// The label where it returns to.
    back: Label,
    /// Whether it is the first activation of a thread.
    is_thread: bool,
    /// The jumps that its result decides, if it is used only for them.
    decides: Option<Decides>,
}

/// The jumps that the value of a call decides.
#[derive(Clone, Copy, Debug)]
struct Decides {
    /// The truth value for which control jumps to `to`.
    sense: bool,
    /// The target for this value.
    to: Label,
    /// The target for the other value.
    over: Label,
}

/// The targets of `break` and `continue`.
#[derive(Clone, Copy, Debug, Default)]
struct Exits {
    on_break: Option<Label>,
    on_continue: Option<Label>,
}

/// The lowering of one thread, and the state that all threads share.
pub(crate) struct Lower<'a, 'u> {
    facts: &'a Facts<'u>,
    accesses: &'a Accesses<'a, 'u>,
    sharing: &'a Sharing,
    options: &'a Options,
    out: Lowered,
    /// The number of the current thread; the following fields belong to this thread.
    thread: u32,
    frames: Vec<Frame>,
    env: Env,
    pending: HashMap<Label, Vec<Env>>,
    labels: u32,
    temps: u32,
    /// The program's labels that are targets of jumps, innermost scope last.
    scopes: Vec<HashMap<String, Label>>,
    exits: Exits,
    cases: Vec<HashMap<usize, Label>>,
    variables: HashSet<String>,
    inlined: HashMap<FunctionId, bool>,
    /// The memory where handles of threads are stored.
    stores: handles::Stores,
    /// The known arguments of threads.
    params: HashMap<u32, Pointer>,
    total: usize,
    /// The number of loops around that are not unrolled.
    turning: u32,
    /// The functions of models that the next operation calls.
    calls: Vec<&'static str>,
    /// The jumps that the value of the next inlined call decides.
    decides: Option<Decides>,
    /// The cleanup handlers of the blocks around, the last at the end.
    cleanups: Vec<cancellation::Cleanup>,
    /// Whether a handler of an ending thread is lowered: it is not cancelled again.
    ending: bool,
    errors: Vec<Diagnostic>,
}

/// The number of operations above which a program is refused.
const MAX_OPS: usize = 400_000;

/// After so many operations, [`Options::stop`] is asked again.
const LOOK: usize = 256;

impl<'a, 'u> Lower<'a, 'u> {
    /// Lowers all threads of a program.
    ///
    /// # Errors
    /// The constructs that cannot be followed.
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
                only_named: HashSet::new(),
                made: HashMap::new(),
                allocates: false,
                bounds_memory: false,
                lengths: BTreeSet::new(),
                goes_further: false,
                told: Vec::new(),
                tells: Vec::new(),
                sizes: BTreeSet::new(),
                vacates: false,
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
            turning: 0,
            calls: Vec::new(),
            decides: None,
            cleanups: Vec::new(),
            ending: false,
            errors: Vec::new(),
        };
        lower.new_thread(main, None, 0);
        let mut next = 0;
        while next < lower.out.threads.len() && lower.errors.is_empty() {
            lower.lower_thread(next as u32);
            next += 1;
        }
        if options.steps {
            let all = facts.tree.defined_functions().map(|(f, _, _)| f);
            lower.out.only_named = all.filter(|&f| lower.stops_in_library(f)).collect();
        }
        match lower.errors.is_empty() {
            true => Ok(lower.out),
            false => Err(lower.errors),
        }
    }

    fn new_thread(&mut self, function: FunctionId, created_at: Option<Span>, creator: u32) -> u32 {
        let again = self.starts_again();
        self.out.threads.push(ThreadCode {
            function,
            created_at,
            creator,
            ops: Vec::new(),
            variables: Vec::new(),
            retries: Vec::new(),
            counted: HashSet::new(),
            again,
        });
        self.out.threads.len() as u32 - 1
    }

    fn lower_thread(&mut self, thread: u32) {
        let function = self.out.threads[thread as usize].function;
        self.thread = thread;
        self.env = Env::start(thread == 0);
        self.pending.clear();
        self.inlined.clear();
        self.labels = 0;
        self.temps = 0;
        self.cleanups.clear();
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
            decides: None,
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
        // The end of the main thread ends the process.
        if thread != 0 {
            self.leave_data(end);
        }
        self.stop(end);
        self.frames.pop();
        self.refuse_lost_jumps();
    }

    /// Refuses jumps whose label does not follow: they go back into a block, or into a loop.
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

    /// Ends the thread; the end of the main thread ends the process.
    fn stop(&mut self, span: Span) {
        if self.thread == 0 {
            let text = Action::Text("BA_SEQ_OVER();".to_string());
            // Others may still take steps before.
            let mover = match self.options.steps {
                true => Mover::None,
                false => Mover::Both,
            };
            self.push(text, span, Vec::new(), mover);
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
        let calls = std::mem::take(&mut self.calls);
        if !self.env.reachable {
            return;
        }
        // Where a round of infinite runs ends is not known; in step form what is known at a head holds in each iteration (`turn`).
        let known = self.options.steps || !self.options.turns();
        for access in accesses.iter_mut().filter(|_| known) {
            if span.encloses(self.facts.tree.exprs[access.expr].span) {
                self.detail(access);
            }
        }
        self.total += 1;
        if self.total % LOOK == 0 && self.total < MAX_OPS && self.options.stop.is_asked() {
            self.errors.push(Diagnostic::error(span, crate::STOPPED));
            // As above the limit: nothing is added any more.
            self.total = MAX_OPS;
            self.env.reachable = false;
            return;
        }
        if self.total == MAX_OPS {
            let message = "the program is too large after unrolling its loops and inlining its calls: it exceeds the limit here";
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
            calls,
            assigns: None,
            tries: None,
            guard: None,
            tests: None,
            undefines: None,
            has_effect: false,
        });
    }

    /// Adds a statement; its accesses say in which directions it commutes.
    fn text(&mut self, text: String, span: Span, accesses: Vec<Access>) {
        let visible = accesses.iter().any(|a| self.is_visible(a)) || self.ends_run(span);
        let mover = if visible { Mover::None } else { Mover::Both };
        self.push(Action::Text(text), span, accesses, mover);
    }

    /// Whether a part of the text has a call that ends the process, which is a step of its own in step form: others may
    /// take steps before.
    fn ends_run(&self, span: Span) -> bool {
        let mut calls = self.facts.calls_in(span);
        self.options.steps && calls.any(|call| self.facts.ends_run(call))
    }

    /// The name of a model's function, which the next operation calls.
    fn model_of(&mut self, name: &'static str) -> &'static str {
        self.calls.push(name);
        name
    }

    fn is_visible(&self, access: &Access) -> bool {
        self.sharing.is_visible(self.thread, access)
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

    /// Places a label here, if any path reaches it.
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

    fn frame(&self) -> &Frame {
        // There is a frame while a thread is lowered.
        &self.frames[self.frames.len() - 1]
    }
}

/// The key of a statement in maps of labels.
fn case_key(stmt: cfront::StmtId) -> usize {
    key(stmt)
}
