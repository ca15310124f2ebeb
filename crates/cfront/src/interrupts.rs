//! Interrupt handlers as threads whose every turn is one uninterrupted call.
//!
//! A handler may come between two accesses of what it shares with the code that it interrupts, runs to
//! its end, and need not come at all. A thread that again and again either calls the handler, without
//! a step of another thread in between, or does nothing, has exactly these runs, if infinite runs in
//! which the interrupted code takes no step do not count (weak fairness). So all that is known about
//! threads serves: schedules, steps, lassos, proofs. A handler that others may interrupt is no single step: while it
//! runs, [`LEVEL`] keeps the threads of lower priority from steps.

mod bit_fields;
mod copies;
mod critical;
mod effects;
mod exclusive;
mod held;
mod instructions;
mod parts;
mod primask;
mod priority;
mod shared;
mod status;
mod tags;
pub(crate) mod threads;
mod torn;
mod vectors;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::source::Source;
use crate::span::{FunctionId, Offset, Span};
use crate::tree::{ExprKind, Parent, StmtKind, Tree};
use crate::types::Class;

use effects::Effect;
pub use exclusive::{alone, is_exclusive};
use instructions::{instruction, restores};
pub use priority::{priorities, urgencies, Urgency};
use threads::Needs;
pub use vectors::handler_named;

/// A function that the processor may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its name.
    pub name: String,
    /// The condition, in C, without which it does not come.
    pub enabled: Option<String>,
    /// How often it comes in a run at most.
    pub at_most: Option<u32>,
    /// A handler of a larger number interrupts one of a smaller.
    pub priority: i128,
    /// Whether it comes infinitely often if it infinitely often could.
    pub fair: bool,
}

impl Handler {
    /// A handler that comes at any time and as often as it likes.
    pub fn at_any_time(name: impl Into<String>) -> Handler {
        Handler {
            name: name.into(),
            enabled: None,
            at_most: None,
            priority: 0,
            fair: false,
        }
    }
}

/// Which handlers come, and which functions keep them off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interrupts {
    /// The handlers.
    pub handlers: Vec<Handler>,
    /// Pairs of functions: after the first no handler comes, until the second is called.
    pub masks: Vec<(String, String)>,
}

/// The name of the thread of a handler, with the handler's name behind it.
pub const THREAD: &str = "interrupt__";

/// The name of the thread of a signal, with the signal's name behind it.
pub const SIGNAL_THREAD: &str = "signal_";

/// What a thread stands for, if its function is one that calls a handler: the word for it, and the handler's or the signal's
/// name.
pub fn comer(function: &str) -> Option<(&'static str, &str)> {
    let interrupt = function.strip_prefix(THREAD);
    let signal = || Some(("signal", function.strip_prefix(SIGNAL_THREAD)?));
    interrupt.map(|name| ("interrupt", name)).or_else(signal)
}

/// The file that lines of the text behind the program are from.
pub const FILE: &str = "interrupts";

/// The function that says whether a handler comes.
pub const COMES: &str = "nondet_interrupt";

/// The object that has the priority of the handler that runs, as a number from 1, if handlers interrupt one another.
pub const LEVEL: &str = "interrupts__level";

/// The object that says whether the program keeps handlers off.
const MASKED: &str = "interrupts__masked";

/// The function that lets handlers come. Where handlers interrupt one another, it waits for those that are due, which comes
/// to an end.
pub const ENABLE: &str = "interrupts__enable";

/// The end of the constant that has the priority of a thread, behind its name.
pub const PRIORITY: &str = "_priority";

/// The end of the constant that the thread of a fair handler has, behind its name.
pub const FAIR: &str = "_fair";

/// The end of the constant that the thread of a handler has which comes for sure when it is due, behind its name.
const STRONG: &str = "_strong";

/// Whether a function is the thread of a handler that comes infinitely often if it infinitely often could.
pub fn is_fair(tree: &Tree, function: &str) -> bool {
    has_constant(tree, function, FAIR)
}

/// Whether a function is the thread of a handler that takes infinitely many steps if it infinitely often can: it waits until
/// the handler can come, which then comes.
pub fn is_strongly_fair(tree: &Tree, function: &str) -> bool {
    has_constant(tree, function, FAIR) || has_constant(tree, function, STRONG)
}

/// Whether a function is the thread of a handler that has a constant with this end.
fn has_constant(tree: &Tree, function: &str, end: &str) -> bool {
    let constant = || tree.lookup(tree.file_scope(), usize::MAX, &format!("{function}{end}"));
    function.starts_with(THREAD) && constant().is_some()
}

/// Functions of the field that keep all handlers off, and the ones that let them come again.
const MASKS: [(&str, &str); 9] = [
    ("__disable_irq", "__enable_irq"),
    ("cli", "sei"),
    ("noInterrupts", "interrupts"),
    ("__disable_interrupts", "__enable_interrupts"),
    ("local_irq_disable", "local_irq_enable"),
    ("vPortDisableInterrupts", "vPortEnableInterrupts"),
    ("portDISABLE_INTERRUPTS", "portENABLE_INTERRUPTS"),
    ("taskDISABLE_INTERRUPTS", "taskENABLE_INTERRUPTS"),
    ("chSysLock", "chSysUnlock"),
];

/// Functions that wait until a handler is due.
const SLEEPS: [&str; 3] = ["__WFI", "sleep_cpu", "wait_for_interrupt"];

/// Functions about the event register of Arm's processors.
const EVENTS: [(&str, Effect); 2] = [("__WFE", Effect::Wait), ("__SEV", Effect::Event)];

/// Attributes of functions that the processor calls.
const FRAMES: [&str; 6] = [
    "interrupt",
    "signal",
    "isr",
    "interrupt_handler",
    "nmi_handler",
    "OS_main",
];

/// Words of instructions and functions that change the mask.
const MASKING: [&str; 7] = [
    "primask",
    "basepri",
    "faultmask",
    "cpsi",
    "sreg",
    "__restore_irq",
    "irq_restore",
];

/// The address of AVR's status register in data memory.
pub const STATUS: u64 = 0x5f;

/// Whether a text has one of these words in it.
fn says(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// The program with its handlers as threads, as a text in which every line of the program has its
/// number. Linear in the program for each handler.
///
/// # Errors
/// A handler or mask that there is not, a handler with parameters, or a program without `main`.
pub fn interleaved(unit: &Unit, interrupts: &Interrupts) -> Result<Source, Diagnostic> {
    let mut weaver = Weaver::of(unit, interrupts);
    weaver.handlers()?;
    weaver.plain_functions();
    weaver.tags();
    weaver.start();
    weaver.masks()?;
    weaver.critical()?;
    weaver.status()?;
    weaver.primask();
    weaver.basepri()?;
    weaver.exclusive();
    weaver.refuse_others()?;
    weaver.instructions();
    weaver.threads()?;
    Ok(weaver.source())
}

/// The program of [`interleaved`] in which what the processor accesses in several parts is accessed in parts, where a
/// handler may come in between; `None` if there is nothing like that. Linear in the program, besides the analyses of pointers and
/// of the mask.
///
/// # Errors
/// An access that cannot be divided.
pub fn divided(unit: &Unit, interrupts: &Interrupts) -> Result<Option<Source>, Diagnostic> {
    let mut weaver = Weaver::of(unit, interrupts);
    let tree = &unit.tree;
    weaver.masked = tree
        .visible_at(tree.file_scope(), usize::MAX, MASKED)
        .is_some();
    weaver.torn()?;
    Ok((!weaver.changes.is_empty()).then(|| weaver.source()))
}

/// The functions that may run: those that `main`, the handlers, threads and pointers lead to.
fn reached(unit: &Unit, interrupts: &Interrupts) -> BTreeSet<FunctionId> {
    let handlers = interrupts.handlers.iter().map(|h| h.name.as_str());
    crate::calls::CallGraph::new(&unit.tree).may_run(&unit.tree, handlers)
}

struct Weaver<'a> {
    unit: &'a Unit,
    interrupts: &'a Interrupts,
    /// What replaces parts of the text, or is inserted, in order.
    changes: Changes,
    /// What follows the program.
    end: String,
    /// Whether the program keeps handlers off.
    masked: bool,
    /// Whether it waits for one.
    sleeps: bool,
    /// Whether it keeps handlers off by their priorities.
    by_priority: bool,
    /// Whether it has exclusive accesses.
    exclusive: bool,
    /// Whether it reads the number of the exception that runs.
    numbered: bool,
    /// The functions that may run.
    reached: BTreeSet<FunctionId>,
}

impl<'a> Weaver<'a> {
    fn of(unit: &'a Unit, interrupts: &'a Interrupts) -> Self {
        Weaver {
            unit,
            interrupts,
            changes: BTreeMap::new(),
            end: String::new(),
            masked: false,
            sleeps: false,
            by_priority: false,
            exclusive: false,
            numbered: false,
            reached: reached(unit, interrupts),
        }
    }
}

impl Weaver<'_> {
    fn tree(&self) -> &Tree {
        &self.unit.tree
    }

    fn insert(&mut self, at: Offset, text: &str) {
        self.changes.entry((at, at)).or_default().push_str(text);
    }

    /// Checks the handlers and what they access.
    fn handlers(&self) -> Result<(), Diagnostic> {
        for handler in &self.interrupts.handlers {
            let function = self.body(&handler.name, "an interrupt handler")?;
            let of = &self.tree().functions[function];
            let parameters = of.body.as_ref().map_or(0, |body| body.params.len());
            if parameters > 0 {
                let at = of.names.first().copied().unwrap_or(Span::empty(0));
                let message = format!(
                    "`{}` has parameters: no interrupt handler has any",
                    handler.name
                );
                return Err(Diagnostic::error(at, message));
            }
        }
        Ok(())
    }

    /// Takes away the attributes by which compilers give functions the frames of handlers: threads call them.
    fn plain_functions(&mut self) {
        let unit = self.unit;
        let tokens = &unit.tokens;
        let text = |at: usize| tokens.tokens.get(at).map_or("", |t| unit.text_of(t.span));
        for at in 0..tokens.tokens.len() {
            if !matches!(text(at), "__attribute__" | "__attribute") {
                continue;
            }
            let Some(close) = tokens.mates.get(at + 1).map(|close| *close as usize) else {
                continue;
            };
            let mut words = (at + 2..close).map(|word| text(word).trim_matches('_'));
            if words.any(|word| FRAMES.contains(&word)) {
                let span = Span::new(tokens.tokens[at].span.start, tokens.tokens[close].span.end);
                let kept = unit.lines_of(span);
                self.changes.insert((span.start, span.end), kept);
            }
        }
    }

    /// Takes the call of `main` from functions that neither the program nor a handler reaches: the start of the machine,
    /// which is over when the run begins.
    fn start(&mut self) {
        let unit = self.unit;
        let tree = &unit.tree;
        let graph = crate::calls::CallGraph::new(tree);
        let handlers = self.interrupts.handlers.iter().map(|h| h.name.as_str());
        let named = handlers
            .chain(["main"])
            .filter_map(|name| tree.function_named(name));
        let started = graph.starts.iter().filter_map(|start| start.function);
        let runs: BTreeSet<FunctionId> = named
            .chain(started)
            .flat_map(|root| graph.reachable(root))
            .collect();
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Call { callee, .. } = &expr.kind else {
                continue;
            };
            let called = crate::calls::named_function(tree, *callee);
            let function = tree.function_of(Parent::Expr(id));
            let is_main = called.is_some_and(|f| tree.functions[f].name == "main");
            if is_main && function.is_some_and(|f| !runs.contains(&f)) {
                let span = expr.span;
                let text = format!("0{}", unit.lines_of(span));
                self.changes.insert((span.start, span.end), text);
            }
        }
    }

    fn body(&self, name: &str, what: &str) -> Result<FunctionId, Diagnostic> {
        let function = self.tree().function_named(name);
        let defined = function.filter(|f| self.tree().functions[*f].body.is_some());
        defined.ok_or_else(|| {
            let message =
                format!("there is no function `{name}` with a body, which is named as {what}");
            Diagnostic::error(Span::empty(0), message)
        })
    }

    /// Gives the functions that keep handlers off, and those that wait for one, their effect.
    fn masks(&mut self) -> Result<(), Diagnostic> {
        let named = self.interrupts.masks.clone();
        for (disable, enable) in &named {
            for (name, effect) in [(disable, Effect::Disable), (enable, Effect::Enable)] {
                if self.tree().function_named(name).is_none() {
                    let message =
                        format!("there is no function `{name}`, which is named under `masks`");
                    return Err(Diagnostic::error(Span::empty(0), message));
                }
                self.function(name, effect)?;
            }
        }
        let is_named = |name: &str| named.iter().any(|(a, b)| a == name || b == name);
        let masks = MASKS
            .iter()
            .flat_map(|(a, b)| [(*a, Effect::Disable), (*b, Effect::Enable)]);
        let sleeps = SLEEPS.iter().map(|name| (*name, Effect::Sleep));
        for (name, effect) in masks.chain(sleeps).chain(EVENTS) {
            let known = self.tree().function_named(name);
            let known = known.filter(|f| self.reached.contains(f));
            let without_body = known.is_some_and(|f| self.tree().functions[f].body.is_none());
            if without_body && !is_named(name) {
                self.function(name, effect)?;
            }
        }
        Ok(())
    }

    /// Puts an effect at the beginning of a function, or defines the function with this effect.
    fn function(&mut self, name: &str, effect: Effect) -> Result<(), Diagnostic> {
        let tree = self.tree();
        let Some(id) = tree.function_named(name) else {
            return Ok(());
        };
        let function = &tree.functions[id];
        match &function.body {
            Some(body) => {
                let (start, inner) = (body.span.start, tree.stmts[body.block].span.start + 1);
                self.effect_at(start, effect);
                self.insert(inner, &format!(" {}", effect.text()));
            }
            None => {
                let returns = tree
                    .types
                    .function(function.ty)
                    .map(|f| tree.types.class(f.ret));
                let (ty, back) = match returns {
                    Some(Class::Void) => ("void", ""),
                    _ if function.implicit => ("int", " return 0;"),
                    _ => {
                        let at = function.names.first().copied().unwrap_or(Span::empty(0));
                        let message = format!("`{name}` has no body and gives a value, so that how it masks interrupts is not known");
                        return Err(Diagnostic::error(at, message).help("give it a body"));
                    }
                };
                let declared = match effect {
                    Effect::Wait => effect.declarations(),
                    _ => "",
                };
                let does = effect.text();
                let _ = writeln!(self.end, "{declared}{ty} {name}(void) {{ {does}{back} }}");
                self.note(effect);
            }
        }
        Ok(())
    }

    /// Whether a text at this place is replaced.
    fn replaced(&self, at: Offset) -> bool {
        let mut before = self.changes.range(..(at + 1, 0));
        before.any(|((_, end), _)| *end > at)
    }

    fn note(&mut self, effect: Effect) {
        self.masked |= effect.masks();
        self.sleeps |= effect.sleeps();
    }

    /// Declares what an effect needs in front of the function that has it.
    fn effect_at(&mut self, function: Offset, effect: Effect) {
        self.note(effect);
        self.insert(function, effect.declarations());
    }

    /// Refuses what changes the mask in a way that is not followed: a handler would be kept off for ever,
    /// or never.
    fn refuse_others(&self) -> Result<(), Diagnostic> {
        let tree = self.tree();
        let unknown = |span: Span, what: &str| {
            let message = format!("{what} keeps interrupt handlers off, or lets them come, in a way that is not followed");
            let help = "use `cli` and `sei`, `__disable_irq` and `__enable_irq`, or name functions for it under `masks`";
            Err(Diagnostic::error(span, message).help(help))
        };
        let runs = |of: Parent| {
            tree.function_of(of)
                .is_none_or(|f| self.reached.contains(&f))
        };
        for (id, stmt) in tree.stmts.iter() {
            if !matches!(stmt.kind, StmtKind::Asm { .. }) || !runs(Parent::Stmt(id)) {
                continue;
            }
            let text = self.unit.text_of(stmt.span);
            let known = self.replaced(stmt.span.start) || restores(text);
            if instruction(text).is_none() && says(&text.to_lowercase(), &MASKING) && !known {
                return unknown(stmt.span, "this assembler statement");
            }
        }
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Call { callee, .. } = &expr.kind else {
                continue;
            };
            if !runs(Parent::Expr(id)) {
                continue;
            }
            let called = crate::calls::named_function(tree, *callee);
            let without_body = called.filter(|f| tree.functions[*f].body.is_none());
            let name = without_body.map(|f| tree.functions[f].name.to_lowercase());
            let is_said = |name: &str| says(name, &MASKING) || critical::is_said(name);
            let is_known = |name: &str| {
                status::is_known(name)
                    || priority::is_known(name)
                    || critical::is_known(name)
                    || self.is_mask_of_user(name)
            };
            if name.is_some_and(|name| is_said(&name) && !is_known(&name)) {
                return unknown(expr.span, "this function");
            }
        }
        Ok(())
    }

    /// Replaces assembler statements that consist of an instruction about interrupts.
    fn instructions(&mut self) {
        let tree = &self.unit.tree;
        let mut found = Vec::new();
        for (id, stmt) in tree.stmts.iter() {
            if !matches!(stmt.kind, StmtKind::Asm { .. }) {
                continue;
            }
            let text = self.unit.text_of(stmt.span);
            // Headers have functions for all instructions: those that nothing calls have no effect.
            let function = tree
                .function_of(Parent::Stmt(id))
                .filter(|f| self.reached.contains(f));
            if let (Some(effect), Some(function)) = (instruction(text), function) {
                found.push((stmt.span, effect, function));
            }
        }
        found.sort_by_key(|(span, ..)| span.start);
        let mut at = 0;
        while let Some(&(span, effect, function)) = found.get(at) {
            let mut effect = effect;
            let mut span = span;
            at += 1;
            if let Some(&(next, Effect::Sleep, _)) =
                found.get(at).filter(|_| effect == Effect::Enable)
            {
                // What is between is the frame of a macro at most, and the lines that say where that is from.
                let between = self.unit.text_of(Span::new(span.end, next.start));
                let lines = between.lines().filter(|l| !l.trim_start().starts_with('#'));
                let mut words =
                    lines.flat_map(|l| l.split(|c: char| c.is_whitespace() || ";{}".contains(c)));
                if words.all(|word| matches!(word, "" | "do")) {
                    let lines = self.unit.text_of(span).matches('\n').count();
                    self.changes
                        .insert((span.start, span.end), format!(";{}", "\n".repeat(lines)));
                    (effect, span) = (Effect::EnableAndSleep, next);
                    at += 1;
                }
            }
            let body = self.unit.tree.functions[function].body.as_ref();
            let Some(start) = body.map(|body| body.span.start) else {
                continue;
            };
            self.effect_at(start, effect);
            let lines = self.unit.text_of(span).matches('\n').count();
            let text = format!("{{ {} }}{}", effect.text(), "\n".repeat(lines));
            self.changes.insert((span.start, span.end), text);
        }
    }

    /// Adds the threads and starts them at the beginning of `main`.
    fn threads(&mut self) -> Result<(), Diagnostic> {
        let main = self.body("main", "the begin of the program")?;
        let tree = &self.unit.tree;
        let Some(body) = &tree.functions[main].body else {
            return Ok(());
        };
        let (start, inner) = (body.span.start, tree.stmts[body.block].span.start + 1);
        self.insert(start, "static void interrupts__begin(void); ");
        self.insert(inner, " interrupts__begin();");
        let mut text = threads::declarations(tree);
        // After the reset of such processors no handler comes until the program lets it.
        let narrow = tree.types.model.int == 16;
        let initial = if narrow { " = 1" } else { "" };
        let needs = Needs {
            masked: self.masked,
            sleeps: self.sleeps,
            by_priority: self.by_priority,
            unmasks: narrow && self.masked,
            exclusive: self.exclusive,
            numbered: self.numbered,
        };
        let handlers = &self.interrupts.handlers;
        let numbers: Vec<i128> = (0..handlers.len())
            .map(|at| exclusive::number(tree, handlers, at))
            .collect();
        text += &threads::shared(self.interrupts, needs, initial);
        text += &threads::all(self.interrupts, &numbers, needs);
        if self.masked {
            text += &threads::enable(self.interrupts, &numbers, needs);
        }
        let started = self.interrupts.handlers.iter();
        let started = started.map(|handler| format!("{THREAD}{}", handler.name));
        text += &threads::begin("interrupts__begin", tree, started);
        self.end = text + &self.end;
        Ok(())
    }

    fn source(self) -> Source {
        changed(self.unit, self.changes, &self.end)
    }
}

/// What replaces parts of a text, or is inserted, by their places.
pub(crate) type Changes = BTreeMap<(Offset, Offset), String>;

/// The text of a program with changes, and with a text behind it, whose lines are from [`FILE`].
pub(crate) fn changed(unit: &Unit, changes: Changes, end: &str) -> Source {
    let source = &unit.source;
    let (mut out, mut done) = (Vec::new(), 0);
    for ((start, end), text) in changes {
        out.extend_from_slice(&source.bytes[done..start]);
        out.extend_from_slice(text.as_bytes());
        done = end;
    }
    out.extend_from_slice(&source.bytes[done..]);
    out.extend_from_slice(format!("\n# 1 \"{FILE}\"\n").as_bytes());
    out.extend_from_slice(end.as_bytes());
    Source {
        files: source.files.clone(),
        ..Source::from_bytes(out)
    }
}

#[cfg(test)]
mod tests;
