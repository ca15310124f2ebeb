//! Interrupt handlers as threads whose every turn is one uninterrupted call.
//!
//! A handler may come between two accesses of what it shares with the code that it interrupts, runs to
//! its end, and need not come at all. A thread that again and again either calls the handler, without
//! a step of another thread in between, or does nothing, has exactly these runs, if infinite runs in
//! which the interrupted code takes no step do not count (weak fairness). So all that is known about
//! threads serves: schedules, steps, lassos, proofs. Handlers do not interrupt one another.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::calls::CallGraph;
use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::source::Source;
use crate::span::{FunctionId, Offset, Span};
use crate::tree::{ExprKind, Resolved, StmtKind, Tree};
use crate::types::{Class, Type};

/// A function that the processor may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its name.
    pub name: String,
    /// The condition, in C, without which it does not come.
    pub enabled: Option<String>,
    /// How often it comes in a run at most.
    pub at_most: Option<u32>,
}

impl Handler {
    /// A handler that comes at any time and as often as it likes.
    pub fn at_any_time(name: impl Into<String>) -> Handler {
        Handler {
            name: name.into(),
            enabled: None,
            at_most: None,
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
pub const THREAD: &str = "interrupt_";

/// The file that lines of the text behind the program are from.
pub const FILE: &str = "interrupts";

/// The function that says whether a handler comes.
pub const COMES: &str = "nondet_interrupt";

/// Functions of the field that keep all handlers off, and the ones that let them come again.
const MASKS: [(&str, &str); 3] = [
    ("__disable_irq", "__enable_irq"),
    ("cli", "sei"),
    ("noInterrupts", "interrupts"),
];

/// Functions that wait until a handler is due.
const SLEEPS: [&str; 3] = ["__WFI", "sleep_cpu", "wait_for_interrupt"];

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
const STATUS: i128 = 0x5f;

/// Whether a text has one of these words in it.
fn says(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// What an instruction or function does to interrupts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Disable,
    Enable,
    Sleep,
    /// Enable, and sleep before a handler can come: processors execute the instruction behind the
    /// enabling one first (AVR Instruction Set Manual, `SEI`).
    EnableAndSleep,
}

impl Effect {
    /// As a statement.
    fn text(self) -> &'static str {
        match self {
            Effect::Disable => "interrupts_masked = 1;",
            Effect::Enable => "interrupts_enable();",
            Effect::Sleep => "interrupts_woken = 0; while (!interrupts_woken) ;",
            Effect::EnableAndSleep => {
                "interrupts_woken = 0; interrupts_enable(); while (!interrupts_woken) ;"
            }
        }
    }

    /// The declarations that its text needs.
    fn declarations(self) -> &'static str {
        match self {
            Effect::Disable => "static unsigned char interrupts_masked; ",
            Effect::Enable => "static void interrupts_enable(void); ",
            Effect::Sleep => "static unsigned char interrupts_woken; ",
            Effect::EnableAndSleep => {
                "static unsigned char interrupts_woken; static void interrupts_enable(void); "
            }
        }
    }

    fn masks(self) -> bool {
        self != Effect::Sleep
    }

    fn sleeps(self) -> bool {
        matches!(self, Effect::Sleep | Effect::EnableAndSleep)
    }
}

/// The program with its handlers as threads, as a text in which every line of the program has its
/// number. Linear in the program for each handler.
///
/// # Errors
/// A handler or mask that there is not, a handler with parameters, a program without `main`, or an
/// access in a handler that the processor makes in several parts.
pub fn interleaved(unit: &Unit, interrupts: &Interrupts) -> Result<Source, Diagnostic> {
    let mut weaver = Weaver {
        unit,
        interrupts,
        changes: BTreeMap::new(),
        end: String::new(),
        masked: false,
        sleeps: false,
    };
    weaver.handlers()?;
    weaver.masks()?;
    weaver.refuse_others()?;
    weaver.instructions();
    weaver.threads()?;
    Ok(weaver.source())
}

struct Weaver<'a> {
    unit: &'a Unit,
    interrupts: &'a Interrupts,
    /// What replaces parts of the text, or is inserted, in order.
    changes: BTreeMap<(Offset, Offset), String>,
    /// What follows the program.
    end: String,
    /// Whether the program keeps handlers off.
    masked: bool,
    /// Whether it waits for one.
    sleeps: bool,
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
        let graph = CallGraph::new(self.tree());
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
            for reached in graph.reachable(function).into_iter().chain([function]) {
                self.narrow_enough(reached, &handler.name)?;
            }
        }
        Ok(())
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

    /// Refuses accesses that the processor makes in several parts, between which a handler could come.
    fn narrow_enough(&self, function: FunctionId, handler: &str) -> Result<(), Diagnostic> {
        let tree = self.tree();
        // Processors with 16-bit `int` read and write single bytes; others whole words.
        let width = match tree.types.model.int {
            16 => 8,
            _ => tree.types.model.pointer,
        };
        let Some(body) = &tree.functions[function].body else {
            return Ok(());
        };
        for (_, expr) in tree.exprs.iter() {
            let accesses = match &expr.kind {
                ExprKind::Ident(Resolved::Object(o)) => tree.objects[*o].is_static_duration(),
                ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Member { .. } => true,
                _ => false,
            };
            if !accesses || expr.unevaluated || !body.span.contains(expr.span.start) {
                continue;
            }
            let bits = match tree.types.get(expr.ty) {
                Type::Pointer(_) => tree.types.model.pointer,
                Type::Array(..) | Type::Function(_) | Type::Record(_) => continue,
                _ => crate::consteval::size_of(tree, expr.ty)
                    .and_then(|bytes| u32::try_from(8 * bytes).ok())
                    .unwrap_or(u32::MAX),
            };
            if bits > width {
                let message = format!(
                    "the handler `{handler}` accesses {bits} bits here, and the processor {width} at once: another access could come in between, which is not followed"
                );
                let help =
                    "use parts of that width, or a flag that says whether all parts are there";
                return Err(Diagnostic::error(expr.span, message).help(help));
            }
        }
        Ok(())
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
        for (name, effect) in masks.chain(sleeps) {
            let known = self.tree().function_named(name);
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
                let _ = writeln!(self.end, "{ty} {name}(void) {{ {}{back} }}", effect.text());
                self.note(effect);
            }
        }
        Ok(())
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
        for (_, stmt) in tree.stmts.iter() {
            if !matches!(stmt.kind, StmtKind::Asm { .. }) {
                continue;
            }
            let text = self.unit.text_of(stmt.span);
            if instruction(text).is_none() && says(&text.to_lowercase(), &MASKING) {
                return unknown(stmt.span, "this assembler statement");
            }
        }
        for (id, expr) in tree.exprs.iter() {
            match &expr.kind {
                ExprKind::Call { callee, .. } => {
                    let called = crate::calls::named_function(tree, *callee);
                    let without_body = called.filter(|f| tree.functions[*f].body.is_none());
                    let name = without_body.map(|f| tree.functions[f].name.to_lowercase());
                    if name.is_some_and(|name| says(&name, &MASKING)) {
                        return unknown(expr.span, "this function");
                    }
                }
                // The status register of AVR.
                ExprKind::Assign { lhs, .. } if tree.types.model.int == 16 => {
                    let at = match tree.exprs[*lhs].kind {
                        ExprKind::Deref(pointer) => {
                            crate::consteval::eval(tree, tree.uncast(pointer))
                        }
                        _ => None,
                    };
                    if at == Some(STATUS)
                        && tree.function_of(crate::tree::Parent::Expr(id)).is_some()
                    {
                        return unknown(expr.span, "writing the status register");
                    }
                }
                _ => {}
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
            let function = tree.function_of(crate::tree::Parent::Stmt(id));
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
                // What is between is the frame of a macro at most.
                let between = self.unit.text_of(Span::new(span.end, next.start));
                let mut words = between.split(|c: char| c.is_whitespace() || ";{}".contains(c));
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
        self.insert(start, "static void interrupts_begin(void); ");
        self.insert(inner, " interrupts_begin();");
        let declared = |name: &str| tree.function_named(name).is_some();
        let (handle, create) = match declared("pthread_create") {
            true => ("pthread_t", ""),
            false => (
                "unsigned long",
                "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n",
            ),
        };
        let mut text = String::from(create);
        for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
            if !declared(name) {
                let _ = writeln!(text, "extern void {name}(void);");
            }
        }
        let _ = writeln!(text, "extern _Bool {COMES}(void);");
        // After the reset of such processors no handler comes until the program lets it.
        let initial = match (tree.types.model.int, self.masked) {
            (16, true) => " = 1",
            _ => "",
        };
        if self.masked {
            let _ = writeln!(text, "static unsigned char interrupts_masked{initial};");
        }
        if self.sleeps {
            text += "static unsigned char interrupts_woken;\n";
        }
        for handler in &self.interrupts.handlers {
            text += &thread(handler, self.masked, self.sleeps);
        }
        if self.masked {
            // A handler that woke the processor while it was kept off comes now, before the others.
            let waiting = self.interrupts.handlers.iter().filter(|_| self.sleeps);
            let waiting = waiting.map(|h| {
                let name = &h.name;
                format!(" if ({THREAD}{name}_waits) {{ {THREAD}{name}_waits = 0; interrupts_woken = 1; {name}(); }}")
            });
            let waiting: String = waiting.collect();
            let _ = writeln!(
                text,
                "static void interrupts_enable(void) {{{waiting} interrupts_masked = 0; }}"
            );
        }
        text += "static void interrupts_begin(void) {";
        for handler in &self.interrupts.handlers {
            let _ = write!(
                text,
                " static {handle} {THREAD}{0}_thread; pthread_create(&{THREAD}{0}_thread, 0, {THREAD}{0}, 0);",
                handler.name
            );
        }
        text += " }\n";
        self.end = text + &self.end;
        Ok(())
    }

    fn source(self) -> Source {
        let source = &self.unit.source;
        let (mut out, mut done) = (Vec::new(), 0);
        for ((start, end), text) in self.changes {
            out.extend_from_slice(&source.bytes[done..start]);
            out.extend_from_slice(text.as_bytes());
            done = end;
        }
        out.extend_from_slice(&source.bytes[done..]);
        out.extend_from_slice(format!("\n# 1 \"{FILE}\"\n").as_bytes());
        out.extend_from_slice(self.end.as_bytes());
        Source {
            files: source.files.clone(),
            ..Source::from_bytes(out)
        }
    }
}

/// The thread of a handler.
fn thread(handler: &Handler, masked: bool, sleeps: bool) -> String {
    let name = &handler.name;
    let mut comes = format!("{COMES}()");
    if let Some(condition) = &handler.enabled {
        let _ = write!(comes, " && ({condition})");
    }
    let (mut counter, mut counts) = (String::new(), "");
    let counted;
    if let Some(most) = handler.at_most {
        counter = format!("static unsigned {THREAD}{name}_came;\n");
        let _ = write!(comes, " && {THREAD}{name}_came < {most}");
        counted = format!("{THREAD}{name}_came++; ");
        counts = &counted;
    }
    let wakes = if sleeps { "interrupts_woken = 1; " } else { "" };
    let mut waits = String::new();
    let call = format!("{{ {name}(); }}");
    let call = match (masked, sleeps) {
        (false, _) => call,
        (true, false) => format!("if (!interrupts_masked) {call}"),
        (true, true) => {
            waits = format!("static unsigned char {THREAD}{name}_waits;\n");
            format!("if (!interrupts_masked) {call} else {THREAD}{name}_waits = 1;")
        }
    };
    format!(
        "{counter}{waits}static void *{THREAD}{name}(void *unused) {{ for (;;) {{ __VERIFIER_atomic_begin(); if ({comes}) {{ {wakes}{counts}{call} }} __VERIFIER_atomic_end(); }} return unused; }}\n"
    )
}

/// The effect of an assembler statement that consists of one instruction about interrupts, besides
/// barriers and `nop`.
fn instruction(text: &str) -> Option<Effect> {
    let strings = text.split('"').skip(1).step_by(2);
    let template = strings.take(1).next()?;
    let mut effects = Vec::new();
    for part in template.split(['\n', ';']).flat_map(|p| p.split("\\n")) {
        match part.replace("\\t", " ").trim().to_lowercase().as_str() {
            "cli" | "cpsid i" => effects.push(Effect::Disable),
            "sei" | "cpsie i" => effects.push(Effect::Enable),
            "sleep" | "wfi" => effects.push(Effect::Sleep),
            "" | "nop" | "dsb" | "isb" | "dmb" => {}
            _ => return None,
        }
    }
    match effects[..] {
        [effect] => Some(effect),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
