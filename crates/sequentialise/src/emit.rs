//! Emits the sequential program as C.

mod around;
mod program;
mod retries;
mod spent;
mod steps;
mod threads;
mod vacate;

use std::collections::BTreeSet;

use cfront::{Diagnostic, Edits, Headers, OutputOptions, Span};

use crate::code::{Action, Lowered, Op, ThreadCode};
use crate::facts::Facts;
use crate::lasso;
use crate::lower::variables::static_name;
use crate::options::{Local, Options, Position, Sequential, Thread};
use crate::positions::{place, Item, Placed, Where};
use crate::tells::{self, Tells};
use crate::written::Emit;

/// What a warning says of assembler whose effect is not known.
pub(crate) const LEFT_OUT: &str =
    "runs that come to this assembler statement are left out: what it does is not known";

/// Why assembler has no step form, in which all runs are followed.
pub(crate) const UNKNOWN: &str = "what this assembler statement does is not known";

/// Writes the program.
pub(crate) fn emit(
    facts: &Facts,
    lowered: Lowered,
    options: &Options,
) -> Result<Sequential, Vec<Diagnostic>> {
    let everywhere = lasso::everywhere(options);
    let waits = lasso::Waits::of(&lowered);
    let wakes = |op: &Op| waits.may_end(op);
    let how = Where {
        everywhere,
        loops: options.steps,
        wakes: &wakes,
    };
    let placed: Vec<Placed> = lowered
        .threads
        .iter()
        .enumerate()
        .map(|(number, thread)| place(number, thread, &how))
        .collect();
    refuse_halfway(&placed)?;
    refuse_too_many(&placed, &lowered, options)?;
    let mut emit = Emit {
        facts,
        lowered: &lowered,
        options,
        edits: Edits::new(),
        dropped: Vec::new(),
        bounds_memory: false,
        goes_further: false,
        sizes: lowered.sizes.clone(),
        tells: Tells::new(options.steps && options.tells, &lowered, &placed),
        warnings: left_out(facts, &lowered, options),
        errors: Vec::new(),
    };
    if options.turns() {
        emit.refuse_unending(&placed);
    }
    let threads = emit.threads(&placed);
    let lasso = match &options.lasso {
        Some(lasso) => Some(emit.lasso(lasso, &placed)?),
        None => None,
    };
    emit.program(&threads);
    if options.steps {
        emit.refuse_bounds(&placed);
    }
    let bounds = match options.steps {
        true => emit.ends_at_bounds(&placed),
        false => BTreeSet::new(),
    };
    for &span in &bounds {
        let message = match lowered.lengths.contains(&span) {
            true => "runs in which this array is longer than there is room for end, and set `sequential_full`",
            false => "runs that start more threads here, or call deeper, than there are copies end, and set `sequential_full`",
        };
        emit.warnings.push(Diagnostic::warning(span, message));
    }
    let heap = emit.heap();
    let prologue = emit.prologue(&heap);
    let epilogue = emit.epilogue(&placed, &threads, &heap, lasso.as_ref());
    let errors = std::mem::take(&mut emit.errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let output = OutputOptions {
        headers: match options.expand_headers {
            true => Headers::Expand,
            false => Headers::Include,
        },
        prologue: &prologue,
        epilogue: &epilogue,
        own_name: "sequentialised",
    };
    let mut text = facts.unit.emit(&emit.edits, &output).map_err(|d| vec![d])?;
    if options.steps {
        text = steps::named(facts.unit, text)?;
    }
    Ok(Sequential {
        text,
        threads: threads_of(facts, &lowered, &placed),
        positions: positions(facts, &placed),
        locals: match options.steps {
            true => locals(facts, &lowered, steps::renamed),
            false => locals(facts, &lowered, |name| name),
        },
        told: told(facts, &lowered),
        tells: tells::all(&lowered, &placed),
        warnings: emit.warnings,
        guesses_memory: emit.bounds_memory || lowered.bounds_memory,
        allocations: heap.allocations.filter(|_| options.steps),
        bounds: bounds.into_iter().collect(),
        goes_further: emit.goes_further || lowered.goes_further,
    })
}

/// Says of assembler statements in threads that runs which come to them are left out. A woven program has told so.
fn left_out(facts: &Facts, lowered: &Lowered, options: &Options) -> Vec<Diagnostic> {
    if facts.tree.function_named(&options.hooks.cut).is_some() {
        return Vec::new();
    }
    let cuts = lowered.threads.iter().flat_map(|t| &t.ops);
    let cuts = cuts.filter(|op| matches!(op.action, Action::Cut(_)));
    let of_assembler = cuts.filter(|op| facts.assemblers_in(op.span).next().is_some());
    let places: BTreeSet<Span> = of_assembler.map(|op| op.span).collect();
    let warned = |span| Diagnostic::warning(span, LEFT_OUT);
    places.into_iter().map(warned).collect()
}

impl Emit<'_, '_> {
    /// The text of a function's body.
    fn body_of(&self, function: cfront::FunctionId) -> Span {
        let body = self.facts.tree.functions[function].body.as_ref();
        body.map_or(Span::empty(0), |body| body.span)
    }

    /// Refuses loops and waits in handlers that others interrupt, where infinite runs are followed: whether such a handler
    /// comes to its end decides whether the interrupted code must go on.
    fn refuse_unending(&mut self, placed: &[Placed]) {
        let enables = self.facts.tree.function_named(cfront::interrupts::ENABLE);
        let enables = enables.map_or(Span::empty(0), |f| self.body_of(f));
        for (number, placed) in placed.iter().enumerate() {
            let function = &self.facts.tree.functions[self.lowered.threads[number].function].name;
            if self.open(number).is_none() || cfront::interrupts::comer(function).is_none() {
                continue;
            }
            let backs = placed.items.iter().filter_map(|item| match item {
                Item::Op(op) if matches!(op.action, Action::Back(_)) => Some(op.span),
                _ => None,
            });
            // The first head is the thread's own loop.
            let own = self.body_of(self.lowered.threads[number].function);
            let waits = placed
                .stops()
                .filter(|stop| stop.waits.is_some())
                .map(|stop| stop.span);
            let known = |at: &Span| own.encloses(*at) || enables.encloses(*at);
            let places: Vec<Span> = backs.chain(waits).filter(|at| !known(at)).collect();
            for at in places {
                let message = "here a handler that others interrupt goes round a loop, or waits, and whether that comes to an end is not known";
                let help = "give all handlers the same priority, or search up to a bound (--engine bounded)";
                self.errors.push(Diagnostic::error(at, message).help(help));
            }
        }
    }
}

/// Refuses sections in which a thread may block after visible operations. An atomic section is
/// executed as a whole or not at all, so its beginning must show whether the thread can execute it.
fn refuse_halfway(placed: &[Placed]) -> Result<(), Vec<Diagnostic>> {
    let mut places: Vec<Span> = placed.iter().flat_map(|p| p.halfway.clone()).collect();
    places.sort();
    places.dedup();
    if places.is_empty() {
        return Ok(());
    }
    let message = "a thread may have to wait here, in the middle of a section of one step, after an operation that other threads can observe";
    let refused = |span| {
        Diagnostic::error(span, message).help("wait at the beginning of the section, or before it")
    };
    Err(places.into_iter().map(refused).collect())
}

/// Refuses programs with more positions than the options allow: no model checker could handle them.
fn refuse_too_many(
    placed: &[Placed],
    lowered: &Lowered,
    options: &Options,
) -> Result<(), Vec<Diagnostic>> {
    let count: u32 = placed.iter().map(|p| p.end).sum();
    if count as usize <= options.max_positions {
        return Ok(());
    }
    let message = format!(
        "the program has {count} places where threads may stop: more than {} are not followed",
        options.max_positions
    );
    let span = lowered.threads[0]
        .ops
        .first()
        .map_or(Span::empty(0), |op| op.span);
    let help = "choose smaller bounds (--unwind)";
    Err(vec![Diagnostic::error(span, message).help(help)])
}

/// Whether a thread is strongly fair in all runs that count.
pub(crate) fn is_fair(facts: &Facts, thread: &ThreadCode) -> bool {
    let tree = facts.tree;
    cfront::interrupts::is_strongly_fair(tree, &tree.functions[thread.function].name)
}

fn threads_of(facts: &Facts, lowered: &Lowered, placed: &[Placed]) -> Vec<Thread> {
    let all = lowered.threads.iter().zip(placed);
    all.map(|(t, p)| Thread {
        function: facts.tree.functions[t.function].name.clone(),
        fair: is_fair(facts, t),
        created_at: t.created_at,
        end: p.end,
        cut: p.end + 1,
    })
    .collect()
}

fn positions(facts: &Facts, placed: &[Placed]) -> Vec<Position> {
    let mut all = Vec::new();
    for (thread, placed) in placed.iter().enumerate() {
        for (index, stop) in placed.stops().enumerate() {
            let text = facts.unit.text_of(stop.span);
            let what = match &stop.waits {
                Some((_, what)) => what.clone(),
                None => text.lines().next().unwrap_or_default().trim().to_string(),
            };
            all.push(Position {
                thread: thread as u32,
                index: index as u32,
                span: stop.span,
                what,
                waits: stop.waits.is_some(),
                spins: stop.spins,
            });
        }
    }
    all
}

fn told(facts: &Facts, lowered: &Lowered) -> Vec<(Span, String)> {
    let told: BTreeSet<(Span, Span)> = lowered.told.iter().copied().collect();
    let text = |(call, pointer)| (call, facts.unit.text_of(pointer).to_string());
    told.into_iter().map(text).collect()
}

/// The local variables; `named` gives a name as it stands in the output.
fn locals(facts: &Facts, lowered: &Lowered, named: fn(String) -> String) -> Vec<Local> {
    let mut all = Vec::new();
    for (thread, code) in lowered.threads.iter().enumerate() {
        for variable in &code.variables {
            let Some((function, object, call)) = variable.of else {
                continue;
            };
            all.push(Local {
                name: named(variable.name.clone()),
                function: facts.tree.functions[function].name.clone(),
                original: facts.tree.objects[object].name.clone(),
                thread: Some(thread as u32),
                call,
            });
        }
    }
    for &object in &lowered.statics {
        let o = &facts.tree.objects[object];
        let (Some(name), Some(function)) = (static_name(facts, object), o.function) else {
            continue;
        };
        all.push(Local {
            name: named(name),
            function: facts.tree.functions[function].name.clone(),
            original: o.name.clone(),
            thread: None,
            call: 1,
        });
    }
    all
}
