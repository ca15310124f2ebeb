//! The templates of the text before the program and after it, filled from the plan.

use std::collections::BTreeSet;

use askama::Template;
use spec::Spec;

use crate::emit::events::{self, Steps};
use crate::emit::files;
use crate::emit::headers::{idle, includes, renamed, silent, Silent};
use crate::emit::record::record;
use crate::emit::verdicts::{at_end, at_stop, cuts_at, property_texts, PropertyText};
use crate::emit::Woven;
use crate::facts::assertion::Asserted;
use crate::facts::heads::bound_at;
use crate::facts::names::{avoid, infix, user};
use crate::facts::options::Options;
use crate::facts::record::{BoundRecord, Record};
use crate::facts::remarks::Refusal;
use crate::facts::remarks::Remark;
use crate::facts::{Facts, Lifetime, Object};
use crate::items::assertion::Assertion;
use crate::items::words::*;
use crate::items::{rendered, Function, Item, Signature, Variable};
use crate::layout::weaver::{Finished, Weaver};
use crate::layout::Program;
use crate::library::effects::RENAMED;
use crate::monitor::Monitors;
use crate::plan::insertions::Insertion;
use crate::sites::environment::CutMarks;

/// The bound of loops if neither the command line nor the specification gives one.
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
    /// The greatest number of threads, `main`'s included.
    copies: usize,
    /// Whether signals run functions of the program.
    handlers: bool,
    /// Whether a search drives the runs.
    driven: bool,
    /// Whether covers are asked for: values of parts of a formula, or areas.
    shows: bool,
    declarations: Vec<Item>,
    models: String,
    /// Whether pointers are converted to narrower integers.
    narrows: bool,
    /// Whether the program writes parts of objects that CBMC stores with others.
    parts: bool,
    /// The most elements of an array in a union, if CBMC has to be told.
    union_elements: Option<u64>,
    /// The prefix of calls of the functions below; empty if macros with the functions' own names do no harm.
    calls: &'static str,
    silent: Vec<Silent>,
    idle: Vec<String>,
    /// Macros that a program needs where it is executed.
    native: &'a [String],
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
    /// Whether a search drives the runs.
    driven: bool,
    functions: Vec<Item>,
    /// Definitions that a program needs where it is executed.
    native: Vec<String>,
    several_ends: bool,
    /// The condition that another thread has discarded the run, if the end has to ask.
    pruned: Option<String>,
    /// In programs without threads: the condition that the run guessed an instance to follow that does not
    /// exist.
    unfollowed: Option<String>,
    /// Whether the end has to ask if the run was cut, so that its word is a prefix.
    prefix: bool,
    /// Whether the function that cuts a thread marks the cut.
    cut: bool,
    /// The sites where a thread is cut in a run that no assumption discards any more.
    sure: Vec<usize>,
    /// The assertions at the end of a run.
    at_end: Vec<Assertion>,
    /// The assertions about a run that the schedule has stopped.
    at_stop: Vec<Assertion>,
    /// The assertion where a thread is cut.
    at_cut: Option<Assertion>,
    /// The assertions that tell where threads are cut.
    cuts_at: Vec<Assertion>,
    properties: Vec<PropertyText>,
    variables: Vec<String>,
    models: bool,
    endings: String,
}

/// The text before the program.
fn prologue(
    weaver: &Weaver,
    monitors: &Monitors,
    options: &Options,
    (record, bounds): (&Record, Vec<(String, String)>),
    models: String,
) -> String {
    let calls = match weaver.options.include_headers {
        true => "",
        false => RENAMED,
    };
    rendered(&Prologue {
        version: &options.version,
        properties: property_texts(weaver, monitors).1,
        propositions: proposition_texts(weaver),
        includes: includes(weaver, options),
        renamed: renamed(weaver, options),
        unwind: record.unwind,
        bounds,
        threads: weaver.analysis.threaded,
        copies: crate::emit::models::room(weaver) + 1,
        handlers: weaver.handles_signals(),
        driven: options.driven,
        shows: !monitors.covers.is_empty()
            || !weaver.layout.covered_areas.is_empty()
            || !weaver.layout.covered_starts.is_empty(),
        declarations: declarations(weaver, monitors),
        models,
        narrows: !weaver.facts.narrowed.is_empty(),
        parts: weaver.stored_with_others().contains(&true),
        union_elements: record.union_elements,
        calls,
        silent: silent(weaver),
        idle: idle(weaver),
        native: &weaver.facts.native.before,
    })
}

/// The text after the program.
fn epilogue(weaver: &Weaver, monitors: &Monitors, marks: CutMarks, endings: String) -> String {
    let (reads, properties) = property_texts(weaver, monitors);
    let pruned = weaver.void_run();
    let variables = weaver.layout.variables.iter();
    rendered(&Epilogue {
        functions: functions(weaver, monitors),
        native: weaver.facts.native.behind.clone(),
        driven: weaver.options.driven,
        several_ends: several_ends(weaver),
        unfollowed: weaver.unfollowed(),
        prefix: marks.at_cuts || marks.at_end,
        cut: marks.at_cuts,
        sure: weaver.out.discards.sure_cuts.iter().copied().collect(),
        at_end: at_end(weaver, monitors, &properties),
        at_stop: at_stop(&properties),
        at_cut: pruned.is_none().then(|| Assertion::new("0", Asserted::Cut)),
        cuts_at: cuts_at(weaver),
        pruned,
        properties,
        reads,
        variables: variables.map(|v| weaver.letter(v)).collect(),
        models: weaver.modelled(),
        endings,
    })
}

/// Fills the templates.
///
/// # Errors
/// An evaluation that no single source file can contain.
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
    let (bounds, bound_records) = bounds(&weaver, options);
    let marks = weaver.cut_marks(monitors);
    let (models, endings) = crate::emit::models::models(&weaver, options, marks);
    let record = record(&weaver, monitors, options, unwind, bound_records, &infix);
    let prologue = prologue(&weaver, monitors, options, (&record, bounds), models);
    let epilogue = epilogue(&weaver, monitors, marks, endings);
    let main = files::file_of(
        program.files,
        program.facts.functions[weaver.analysis.main].place.start,
    );
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

/// The declarations before the program: variables, and prototypes of functions after it.
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
        let flag = |area| Variable::unused(format!("_Bool ba_left_{area}")).into();
        declarations.extend(weaver.layout.covered_exits.iter().map(flag));
    }
    declarations.extend(weaver.environment_prototypes(monitors));
    declarations.extend(weaver.instance_prototypes());
    declarations.extend(weaver.timer_prototypes());
    declarations
}

/// The functions after the program.
fn functions(weaver: &Weaver, monitors: &Monitors) -> Vec<Item> {
    let steps = Steps {
        flips: monitors.flips.clone(),
        general: monitors.steps.clone(),
        every_event: weaver.monitors.every_event,
        sampled: weaver.bound.environment.sampled,
        timed: !weaver.bound.timers.is_empty(),
        clock: weaver.bound.timers.clock,
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
    functions.extend(weaver.timer_functions());
    functions.push(start_function(weaver, monitors).into());
    functions.extend(weaver.lasso_functions(monitors));
    functions.extend(weaver.environment_functions(monitors));
    functions.extend(weaver.instance_functions());
    functions
}

/// The function that reads the objects that the evaluations of one event read more than once.
fn pre_read(number: usize) -> Signature {
    Signature::new(format!("void ba_pre_read_{number}(void)"))
}

fn unseen(names: &str, facts: &Facts) -> Refusal {
    let named = |o: &&Object| {
        let of_file = matches!(o.lifetime, Lifetime::Static | Lifetime::ThreadLocal);
        of_file && !o.system && names.split(", ").any(|name| name == o.name)
    };
    // Objects of the same name are in different files, and the last one is in none of the first files.
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

/// The macros that bound loops and recursions, with their default values.
fn bounds(weaver: &Weaver, options: &Options) -> (Vec<(String, String)>, Vec<BoundRecord>) {
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
    macros.extend(weaver.marks_of_summarised());
    let own = weaver.out.own_bounds.defaults.iter();
    macros.extend(own.map(|(site, default)| (bound_at(*site), default.clone())));
    (macros, records)
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

/// Letter 0: the initial values of the propositions, then the monitors' first step.
fn start_function(weaver: &Weaver, monitors: &Monitors) -> Function {
    let first = monitors.first.block(&[]);
    let timers = match (weaver.bound.timers.is_empty(), weaver.bound.timers.clock) {
        (true, _) => "",
        (false, None) => "  ba_timers(1);\n",
        (false, Some(_)) => "  ba_elapse();\n  ba_timers(1);\n",
    };
    let body = format!("{}{timers}  {first}\n", weaver.initial_values());
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
