//! The emitted text: templates filled from the plan.

use std::collections::BTreeSet;

use askama::Template;
use cfront::library::NoEffect;
use spec::Spec;

use crate::analysis::traced;
use crate::emit::events::{self, Steps};
use crate::emit::files;
use crate::emit::Woven;
use crate::facts::assertion::Asserted;
use crate::facts::names::{avoid, infix, user};
use crate::facts::options::Options;
use crate::facts::record::{BoundRecord, CoverRecord, PropertyRecord, PropositionRecord, Record};
use crate::facts::remarks::Refusal;
use crate::facts::remarks::Remark;
use crate::facts::{Facts, Lifetime, Object};
use crate::items::assertion::Assertion;
use crate::items::code::{self, Code};
use crate::items::words::*;
use crate::items::{rendered, Function, Item, Signature, Variable};
use crate::layout::weaver::{Finished, Weaver};
use crate::layout::Program;
use crate::library;
use crate::library::effects::{without_effect, RENAMED};
use crate::monitor::Monitors;
use crate::plan::insertions::Insertion;
use crate::sites::environment::discard::LevelText;

/// Bound of loops where nobody gives one.
const DEFAULT_UNWIND: u32 = 5;

#[derive(Template)]
#[template(path = "prologue.c", escape = "none")]
struct Prologue<'a> {
    version: &'a str,
    properties: Vec<PropertyText>,
    propositions: Vec<PropositionText>,
    includes: Vec<&'static str>,
    renamed: Vec<&'static str>,
    unwind: u32,
    bounds: Vec<(String, String)>,
    threads: bool,
    /// How many threads there are at most, with `main`'s.
    copies: usize,
    /// Whether signals run functions of the program.
    handlers: bool,
    /// Whether some run has to show something: a part of a formula, or an area.
    shows: bool,
    declarations: Vec<Item>,
    models: String,
    /// Whether pointers become narrower integers.
    narrows: bool,
    /// What calls of the functions below begin with: nothing where macros of their names do no harm.
    calls: &'static str,
    silent: Vec<Silent>,
    idle: Vec<String>,
}

/// A function without effect on the model.
struct Silent {
    name: String,
    /// The type of its result.
    result: &'static str,
    /// Whether no system header declares it: what the program says of it is its declaration.
    own: bool,
}

struct PropertyText {
    name: String,
    state: String,
    /// Its value: an expression.
    value: String,
    formula: String,
    automaton: Vec<String>,
    levels: Vec<LevelText<String>>,
}

struct PropositionText {
    variable: String,
    declaration: Variable,
    description: String,
}

#[derive(Template)]
#[template(path = "epilogue.c", escape = "none")]
struct Epilogue {
    reads: String,
    functions: Vec<Item>,
    several_ends: bool,
    /// Whether the end has to ask if another thread discarded the run.
    pruned: Option<String>,
    /// In programs without threads: the condition under which the guess of an instance to follow
    /// was none.
    unfollowed: Option<String>,
    /// Whether the end has to ask if the word is a prefix.
    prefix: bool,
    /// Whether the function that cuts a thread marks it.
    cut: bool,
    /// Where a thread is cut in a run that surely exists.
    sure: Vec<usize>,
    /// What is asserted at the end of a run.
    at_end: Vec<Assertion>,
    /// What is asserted of a run that the schedule has stopped.
    at_stop: Vec<Assertion>,
    /// What is asserted where a thread is cut.
    at_cut: Option<Assertion>,
    properties: Vec<PropertyText>,
    variables: Vec<String>,
    models: bool,
    endings: String,
}

/// Fills the templates.
///
/// # Errors
/// An evaluation that no source file can contain.
pub fn render(
    weaver: Finished,
    spec: &Spec,
    program: &Program,
    monitors: &Monitors,
    options: &Options,
    notes: Vec<Remark>,
) -> Result<Woven, Vec<Refusal>> {
    let unwind = options.unwind.or(spec.unwind).unwrap_or(DEFAULT_UNWIND);
    let infix = infix(program.facts.identifiers.iter().map(String::as_str));
    let (bounds, bound_records) = bounds(&weaver, options, unwind);
    let marks = weaver.cut_marks(monitors);
    let (models, endings) = crate::emit::models::models(&weaver, options, marks);
    let prologue = Prologue {
        version: &options.version,
        properties: property_texts(&weaver, monitors).1,
        propositions: proposition_texts(&weaver),
        includes: includes(&weaver, options),
        renamed: renamed(&weaver, options),
        unwind,
        bounds,
        threads: weaver.analysis.threaded,
        copies: crate::emit::models::room(&weaver) + 1,
        handlers: weaver.handles_signals(),
        shows: !monitors.covers.is_empty() || !weaver.layout.covered_areas.is_empty(),
        declarations: declarations(&weaver, monitors),
        models,
        narrows: !weaver.facts.narrowed.is_empty(),
        calls: if !weaver.options.include_headers {
            RENAMED
        } else {
            ""
        },
        silent: silent(&weaver),
        idle: idle(&weaver),
    };
    let functions = functions(&weaver, monitors);
    let (reads, properties) = property_texts(&weaver, monitors);
    let epilogue = Epilogue {
        functions,
        several_ends: several_ends(&weaver),
        pruned: weaver.void_run(),
        unfollowed: weaver.unfollowed(),
        prefix: marks.at_cuts || marks.at_end,
        cut: marks.at_cuts,
        sure: weaver.out.discards.sure_cuts.iter().copied().collect(),
        at_end: at_end(&weaver, monitors, &properties),
        at_stop: at_stop(&properties),
        at_cut: (weaver.void_run().is_none()).then(|| Assertion::new("0", Asserted::Cut)),
        properties,
        reads,
        variables: weaver
            .layout
            .variables
            .iter()
            .map(|v| weaver.letter(v))
            .collect(),
        models: weaver.modelled(),
        endings,
    };
    let record = record(&weaver, monitors, options, unwind, bound_records, &infix);
    let main = files::file_of(
        program.files,
        program.facts.functions[weaver.analysis.main].place.start,
    );
    let (prologue, epilogue) = (rendered(&prologue), rendered(&epilogue));
    let texts = files::distribute(&prologue, &epilogue, program.facts, program.files, main)
        .map_err(|names| vec![unseen(&names, program.facts)])?;
    let mut texts: Vec<files::Texts> = texts
        .into_iter()
        .map(|text| files::Texts {
            prologue: avoid(&text.prologue, &infix),
            epilogue: avoid(&text.epilogue, &infix),
        })
        .collect();
    if let Some(text) = texts.get_mut(main) {
        let plan = record.to_comment_text();
        text.epilogue
            .push_str(&format!("/* baproduct-plan {plan} */\n"));
    }
    let heads = weaver.proof_heads(monitors);
    let insertions = weaver.insertions().sorted(program.text);
    Ok(Woven {
        texts,
        insertions: insertions
            .into_iter()
            .map(|i| Insertion {
                text: avoid(&i.text, &infix),
                ..i
            })
            .collect(),
        record,
        heads,
        notes,
    })
}

/// What stands in front of the program: variables, and prototypes of what stands behind it.
fn declarations(weaver: &Weaver, monitors: &Monitors) -> Vec<Item> {
    let states = monitors.declarations.iter().cloned();
    let mut declarations: Vec<Item> = states.map(Item::from).collect();
    declarations.extend(events::prototypes(
        &weaver.layout.variables,
        &weaver.out.shared.groups,
    ));
    let pre_reads = 0..weaver.out.shared.pre_reads.len();
    declarations.extend(pre_reads.map(|i| pre_read(i).into()));
    declarations.extend(weaver.comparison_prototypes());
    declarations.extend(weaver.handler_prototypes());
    declarations.extend(weaver.out.globals.iter().cloned());
    declarations.extend(weaver.lasso_prototypes());
    if several_ends(weaver) {
        let over = Variable::new("_Bool ba_over").remark("the process has ended");
        declarations.push(over.into());
    }
    if !weaver.analysis.threaded {
        let flag = |area| Variable::unused(format!("_Bool ba_entered_{area}")).into();
        declarations.extend(weaver.layout.covered_areas.iter().map(flag));
    }
    declarations.extend(weaver.environment_prototypes(monitors));
    declarations.extend(weaver.instance_prototypes());
    declarations
}

/// The functions behind the program.
fn functions(weaver: &Weaver, monitors: &Monitors) -> Vec<Item> {
    let steps = Steps {
        flips: monitors.flips.clone(),
        general: monitors.steps.clone(),
        every_event: weaver.monitors.every_event,
        sampled: weaver.bound.environment.sampled,
    };
    let mut functions =
        events::functions(&weaver.layout.variables, &weaver.out.shared.groups, &steps);
    let pre_reads = weaver.out.shared.pre_reads.iter().enumerate();
    functions.extend(pre_reads.map(|(i, objects)| {
        let statements = crate::layout::pre_reads::statements(objects);
        Function::new(pre_read(i), statements)
            .for_reason("These are read more than once in one event.")
            .into()
    }));
    functions.extend(weaver.comparisons());
    functions.extend(weaver.handler_functions());
    functions.extend(weaver.signal_functions());
    functions.extend(weaver.refresh_functions());
    functions.push(start_function(weaver, monitors).into());
    functions.extend(weaver.lasso_functions(monitors));
    functions.extend(weaver.environment_functions(monitors));
    functions.extend(weaver.instance_functions());
    functions
}

/// The function that reads what the evaluations of one event read more than once.
fn pre_read(number: usize) -> Signature {
    Signature::new(format!("void ba_pre_read_{number}(void)"))
}

/// The functions without effect on the model that the program calls.
fn silent(weaver: &Weaver) -> Vec<Silent> {
    let called = without_effect(weaver.facts).into_iter();
    let silent = called.filter_map(|(name, effect)| match effect {
        NoEffect::Silent(result) => Some((name, result)),
        NoEffect::Passes => None,
    });
    silent
        .map(|(name, result)| Silent {
            name: name.into(),
            result,
            own: !weaver.facts.declared.contains(name) && !name.starts_with("__builtin_"),
        })
        .collect()
}

/// The functions that pass time or set an attribute and that the program calls.
fn idle(weaver: &Weaver) -> Vec<String> {
    let called = without_effect(weaver.facts).into_iter();
    let idle = called.filter(|(_, effect)| *effect == NoEffect::Passes);
    idle.map(|(name, _)| name.into()).collect()
}

fn unseen(names: &str, facts: &Facts) -> Refusal {
    let named = |o: &&Object| {
        let of_file = matches!(o.lifetime, Lifetime::Static | Lifetime::ThreadLocal);
        of_file && !o.system && names.split(", ").any(|name| name == o.name)
    };
    // Two of one name are in different files, and the last is in none of the first files.
    let declared = facts.objects.iter().rev().find(named);
    Refusal::Program(Remark {
        range: declared.map(|o| o.place).unwrap_or_default(),
        message: format!("no source file sees all of these: {names}"),
        label: "this is one of them".into(),
        help: Some(
            "declare them with `extern` in one file, or write a function for it there".into(),
        ),
        error: true,
    })
}

/// The headers of what the monitor uses itself.
fn includes(weaver: &Weaver, options: &Options) -> Vec<&'static str> {
    let declared = |name: &str| weaver.facts.declared.contains(name);
    let headers = [
        (
            "pthread.h",
            weaver.analysis.threaded || declared("pthread_create"),
        ),
        ("semaphore.h", declared("sem_wait")),
        ("threads.h", declared("thrd_create")),
    ];
    needed(&headers, options)
}

/// The headers of functions that have another name for model checkers: renaming macros may not
/// reach the declarations, so these come first. Compilers do without: a project may have a
/// `unistd.h` of its own that wants to be included behind other headers.
fn renamed(weaver: &Weaver, options: &Options) -> Vec<&'static str> {
    let called = without_effect(weaver.facts).into_iter();
    let declared: BTreeSet<&str> = called
        .filter_map(|(name, _)| {
            library::function(name)
                .filter(|row| row.name == name)?
                .header
        })
        .collect();
    let headers = ["stdio.h", "stdlib.h", "unistd.h", "time.h", "sched.h"];
    needed(
        &headers.map(|header| (header, declared.contains(header))),
        options,
    )
}

fn needed(headers: &[(&'static str, bool)], options: &Options) -> Vec<&'static str> {
    let needed = headers.iter().filter(|(_, needed)| *needed);
    let names = needed.map(|(header, _)| *header);
    names.filter(|_| options.include_headers).collect()
}

/// The macros that bound loops and recursions, with their default values.
fn bounds(
    weaver: &Weaver,
    options: &Options,
    _unwind: u32,
) -> (Vec<(String, String)>, Vec<BoundRecord>) {
    let facts = weaver.facts;
    let mut names = BTreeSet::new();
    let nested = (0..facts.functions.len()).filter(|&f| weaver.analysis.threads.nested[f]);
    names.extend(nested.map(|f| (f, None)));
    names.extend(facts.computed_jumps.iter().map(|j| (j.function, None)));
    names.extend(weaver.longjmp_functions().map(|f| (f, None)));
    let loops = facts.loops.iter();
    let loops = loops.map(|l| (l.function, l.labels.first().cloned()));
    let gotos = facts.jumps.iter().filter_map(|j| {
        let label = &facts.labels[j.repeats?];
        Some((j.function, Some(label.name.clone())))
    });
    for (f, label) in loops.chain(gotos) {
        names.insert((f, None));
        names.insert((f, label));
    }
    let (mut macros, mut records) = (Vec::new(), Vec::new());
    for (f, label) in names {
        let function = &facts.functions[f];
        let of_function = format!("BA_UNWIND_{}", function.emitted);
        let (name, default, key) = match &label {
            None => (of_function, "BA_UNWIND".to_string(), function.name.clone()),
            Some(l) => (format!("{of_function}_{l}"), of_function, l.clone()),
        };
        let value = options.unwindset.get(&key).map_or(default, u32::to_string);
        macros.push((name.clone(), value));
        let (file, line) = (weaver.program.locate)(function.place.start);
        let value = options.unwindset.get(&key).copied();
        records.push(BoundRecord {
            name,
            function: function.name.clone(),
            label,
            value,
            place: format!("{file}:{line}"),
        });
    }
    (macros, records)
}

/// The reads that the verdict needs, and the properties with their conditions in terms of these.
fn property_texts(weaver: &Weaver, monitors: &Monitors) -> (String, Vec<PropertyText>) {
    let levels: Vec<Vec<LevelText<Code>>> = monitors
        .properties
        .iter()
        .map(|p| weaver.level_texts(p))
        .collect();
    let conditions: Vec<&Code> = levels.iter().flatten().map(|l| &l.condition).collect();
    // Where deadlocks and stopped runs are told, each condition stands three times.
    let times = if weaver.modelled() { 3 } else { 1 };
    let conditions = conditions.repeat(times);
    let (reads, resolved) = code::resolve(&conditions, &[]);
    let mut resolved = resolved.into_iter();
    let texts = monitors
        .properties
        .iter()
        .zip(levels)
        .map(|(p, levels)| PropertyText {
            name: p.name.clone(),
            state: p.state.clone(),
            value: p.value(),
            formula: user(&p.ltl.replace("*/", "* /").replace(['\n', '\r'], " ")),
            automaton: p
                .description
                .iter()
                .map(|line| user(&line.replace("*/", "* /")))
                .collect(),
            levels: levels
                .into_iter()
                .map(|level| level.with(resolved.next().unwrap_or_default()))
                .collect(),
        })
        .collect();
    (reads, texts)
}

fn proposition_texts(weaver: &Weaver) -> Vec<PropositionText> {
    let pairs = weaver
        .bound
        .propositions
        .iter()
        .zip(&weaver.layout.variables);
    pairs
        .map(|(p, v)| {
            let variable = weaver.letter(v);
            let declaration = Variable::unused(format!("_Bool {variable}"));
            PropositionText {
                declaration: declaration.initially(u8::from(p.default)),
                variable,
                description: user(&p.description),
            }
        })
        .collect()
}

/// Letter 0: the propositions whose area is the whole program, then the first step.
fn start_function(weaver: &Weaver, monitors: &Monitors) -> Function {
    let first = monitors.first.block(&[]);
    let body = format!("{}  {first}\n", weaver.initial_values());
    Function::new(Signature::unused("void ba_start(void)"), body)
        .for_reason("Letter 0: the valuation when main starts.")
}

/// Whether threads other than `main` may end the process.
fn several_ends(weaver: &Weaver) -> bool {
    weaver.analysis.threaded
        && weaver.facts.calls.iter().any(|c| {
            c.exits && weaver.analysis.threads.only_thread(c.function) != Some(weaver.analysis.main)
        })
}

fn record(
    weaver: &Weaver,
    monitors: &Monitors,
    options: &Options,
    unwind: u32,
    bounds: Vec<BoundRecord>,
    infix: &str,
) -> Record {
    let mut properties: Vec<PropertyRecord> = monitors
        .properties
        .iter()
        .map(|p| PropertyRecord {
            name: p.name.clone(),
            ltl: p.ltl.clone(),
            levels: p
                .levels
                .iter()
                .map(|(level, _)| level.name().to_string())
                .collect(),
            explanation: p.explanation.clone(),
            expect: p.expect.clone(),
            monitor: p.form.to_string(),
            ends_apart: weaver.ends_apart(p),
            state: avoid(&p.state, infix),
            parts: p.parts(|name| avoid(name, infix)),
            lasso: weaver.judges_loops(p),
            formula: p.formula.clone(),
            constraints: p.constraints.clone(),
        })
        .collect();
    properties.extend(weaver.reach_records());
    let propositions = weaver
        .bound
        .propositions
        .iter()
        .zip(&weaver.layout.variables)
        .map(|(p, v)| PropositionRecord {
            name: p.name.clone(),
            variable: avoid(&weaver.letter(v), infix),
            initial: p.default,
            meaning: p.description.clone(),
            used_by: p.used_by.clone(),
            area: p
                .area
                .filter(|area| weaver.layout.covered_areas.contains(area)),
            reads: traced::reads(weaver.facts, &p.objects, &p.evaluation),
        })
        .collect();
    Record {
        version: options.version.clone(),
        unwind,
        threads: weaver.analysis.threaded,
        every_event: weaver.monitors.every_event,
        sampled: weaver.bound.environment.sampled,
        discards: weaver.discards(),
        properties,
        propositions,
        covers: cover_records(monitors),
        sites: weaver.out.sites.clone(),
        assumptions: [assumptions(weaver), monitors.assumptions.clone()].concat(),
        bounds,
        shared_pointers: weaver.shared_pointer_places(),
        sections: weaver.section_places(),
        opaque: weaver.out.inputs.opaque.clone(),
        dialect: options.dialect.clone(),
        outside: weaver.program.code.outside_objects().into_iter().collect(),
        nonlocal_jumps: weaver.nonlocal_jump_places(),
        thread_locals: weaver.thread_local_places(),
        signals: weaver.signal_places(),
        hidden: weaver.hidden_places(),
        waits: crate::emit::models::wait_records(weaver),
        lasso: weaver.out.lasso.as_ref().map(|l| l.record.clone()),
        infix: infix.to_string(),
    }
}

/// What is asserted at the end of a run: the levels of all properties, that no deadlock has them, and that
/// nobody comes here with what has to be shown.
fn at_end(weaver: &Weaver, monitors: &Monitors, properties: &[PropertyText]) -> Vec<Assertion> {
    let (models, discarded) = (weaver.modelled(), weaver.void_run().is_some());
    let mut all = Vec::new();
    for p in properties {
        for l in &p.levels {
            all.push(l.assertion(&p.name));
            if models && l.deadlocks {
                let holds = format!("!(({}) && ba_dead)", l.condition);
                all.push(Assertion::new(
                    holds,
                    Asserted::DeadlockOf(&p.name, &l.name),
                ));
            }
        }
    }
    // A run that is discarded has no verdict.
    let gone = |holds: &str| match discarded {
        true => format!("ba_gone || {holds}"),
        false => holds.to_owned(),
    };
    if models {
        all.push(Assertion::new(gone("!ba_dead"), Asserted::Deadlock));
    }
    if !weaver.analysis.threaded {
        let covers = 0..monitors.covers.len();
        all.extend(covers.map(|n| Assertion::new(format!("!ba_seen_{n}"), Asserted::Cover(n))));
        let areas = weaver.layout.covered_areas.iter();
        all.extend(areas.map(|&n| Assertion::new(format!("!ba_entered_{n}"), Asserted::Area(n))));
    }
    let end = if discarded { "ba_gone" } else { "0" };
    all.push(Assertion::new(end, Asserted::End));
    if discarded {
        all.push(Assertion::new(gone("!ba_prefix"), Asserted::Cut));
    }
    all
}

/// What is asserted of a run that the schedule has stopped: longer runs begin so.
fn at_stop(properties: &[PropertyText]) -> Vec<Assertion> {
    let definitive = |p: &PropertyText| {
        let levels = p.levels.iter().filter(|l| l.definitive);
        levels.map(|l| l.assertion(&p.name)).collect::<Vec<_>>()
    };
    properties.iter().flat_map(definitive).collect()
}

fn cover_records(monitors: &Monitors) -> Vec<CoverRecord> {
    let record = |cover: &crate::monitor::Cover| CoverRecord {
        formula: cover.text.clone(),
        value: cover.value,
        properties: cover.properties.clone(),
    };
    monitors.covers.iter().map(record).collect()
}

/// The assumption about memory, which `verify --memory-model` replaces.
pub const SEQUENTIAL: &str = "threads interleave under sequential consistency";

/// What a reader has to know to believe a verdict.
fn assumptions(weaver: &Weaver) -> Vec<String> {
    let mut out = weaver.environment_assumptions();
    let silent: Vec<&str> = without_effect(weaver.facts)
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !library::ends_process(name))
        .collect();
    if !silent.is_empty() {
        out.push(format!(
            "calls without effect on the model: {}",
            silent.join(", ")
        ));
    }
    let outside: Vec<String> = weaver.program.code.outside_objects().into_iter().collect();
    if !outside.is_empty() {
        let names = outside.join(", ");
        out.push(format!(
            "objects that no file defines begin with any value: {names}"
        ));
    }
    let enders: Vec<&str> = weaver.enders().into_iter().collect();
    if !enders.is_empty() {
        let names = enders.join(", ");
        out.push(format!(
            "functions without body that end the process: {names}"
        ));
    }
    if weaver.calls("fork") || weaver.calls("vfork") {
        out.push(
            "processes that the program starts are not followed: they have runs of their own"
                .into(),
        );
    }
    out.extend(weaver.narrow_assumption());
    if weaver.emulates_longjmp() {
        out.push("variables keep their values over jumps out of functions".into());
    }
    if weaver.analysis.threaded {
        out.push(SEQUENTIAL.into());
        out.extend(crate::sites::writes::atomics::assumptions(weaver));
        out.push("starting a thread and creating a synchronisation object never fail".into());
    }
    out
}
