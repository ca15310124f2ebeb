//! The record of a woven program, in its last comment, and the assumptions in it.

use std::collections::BTreeSet;

use crate::analysis::{dependence, traced};
use crate::facts::names::avoid;
use crate::facts::options::Options;
use crate::facts::record::{
    BoundRecord, CoverRecord, PropertyRecord, PropositionRecord, ReadRecord, Record, RestRecord,
    UnwrittenRecord,
};
use crate::facts::FunctionIndex;
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::effects::without_effect;
use crate::monitor::Monitors;

pub(super) fn record(
    weaver: &Weaver,
    monitors: &Monitors,
    options: &Options,
    unwind: u32,
    bounds: Vec<BoundRecord>,
    infix: &str,
) -> Record {
    let propositions = proposition_records(weaver, infix);
    let unit = weaver.program.code.unit();
    let sites = &weaver.out.sites;
    let estimates = &weaver.out.inputs.known;
    let estimates = [&estimates.estimated, &estimates.computing];
    let rests_on = match options.tells || estimates.iter().any(|names| !names.is_empty()) {
        true => dependence::records(&unit, weaver.facts, sites, &propositions),
        false => None,
    };
    let [estimated, computing] = estimates.map(|names| relevant(names, rests_on.as_deref()));
    let rests_on = rests_on.filter(|_| options.tells);
    let entered = options.entered.as_ref();
    Record {
        version: options.version.clone(),
        unwind,
        threads: weaver.analysis.threaded,
        every_event: weaver.monitors.every_event,
        sampled: weaver.bound.environment.sampled,
        discards: weaver.discards(),
        properties: property_records(weaver, monitors, infix),
        propositions,
        covers: cover_records(monitors),
        sites: weaver.out.sites.clone(),
        assumptions: [
            entered.map_or(Vec::new(), |e| e.assumptions.clone()),
            assumptions(weaver),
            monitors.assumptions.clone(),
        ]
        .concat(),
        rests_on,
        bounds,
        counted: weaver.out.own_bounds.counted.clone(),
        shared_pointers: weaver.shared_pointer_places(),
        sections: weaver.section_places(),
        opaque: weaver.out.inputs.opaque.clone(),
        estimated,
        computing,
        dialect: options.dialect.clone(),
        model: weaver.program.code.tree().types.model,
        union_elements: cfront::unions::longest_array(&unit).map(|(elements, _)| elements),
        outside: weaver.program.code.outside_objects().into_iter().collect(),
        replaceable: replaceable(weaver),
        nonlocal_jumps: weaver.nonlocal_jump_places(),
        thread_locals: weaver.thread_local_places(),
        signals: weaver.signal_places(),
        hidden: weaver.hidden_places(),
        uncalled_handlers: weaver.uncalled_handlers(),
        unwritten: weaver.unwritten(),
        entry: entered.map(|e| e.record.clone()),
        waits: crate::emit::models::wait_records(weaver),
        lasso: weaver.out.lasso.as_ref().map(|l| l.record.clone()),
        infix: infix.to_string(),
    }
}

/// The functions of these that can influence a proposition or where a run goes.
fn relevant(names: &BTreeSet<String>, rests: Option<&[RestRecord]>) -> Vec<String> {
    let irrelevant = |name: &&String| {
        let mut known = rests.unwrap_or_default().iter();
        // The analysis takes what a builtin gives for known.
        known.any(|rest| rest.what == **name && !rest.matters) && !name.starts_with("__builtin_")
    };
    let names = names.iter().filter(|name| !irrelevant(name));
    names.cloned().collect()
}

fn property_records(weaver: &Weaver, monitors: &Monitors, infix: &str) -> Vec<PropertyRecord> {
    let asked = monitors.properties.iter().map(|p| PropertyRecord {
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
    });
    asked.chain(weaver.reach_records()).collect()
}

fn proposition_records(weaver: &Weaver, infix: &str) -> Vec<PropositionRecord> {
    let propositions = weaver.bound.propositions.iter();
    propositions
        .zip(&weaver.layout.variables)
        .enumerate()
        .map(|(number, (p, v))| {
            let (mut reads, unshown) = traced::reads(weaver.facts, &p.objects, &p.evaluation);
            let remembered = weaver.bound.timers.remembered.iter();
            let chosen = remembered.filter(|r| r.proposition == number);
            reads.extend(chosen.map(|r| ReadRecord {
                name: r.name.clone(),
                object: avoid(&r.variable, infix),
                function: None,
                parts: Vec::new(),
            }));
            PropositionRecord {
                name: p.name.clone(),
                variable: avoid(&weaver.letter(v), infix),
                initial: p.default,
                meaning: p.description.clone(),
                used_by: p.used_by.clone(),
                area: p
                    .area
                    .filter(|area| weaver.layout.covered_areas.contains(area)),
                exit: p.area.and_then(|area| weaver.exit_of_covers(area)),
                always: p.always,
                unwritten: unwritten_record(weaver, number),
                reads,
                unshown,
            }
        })
        .collect()
}

fn unwritten_record(weaver: &Weaver, proposition: usize) -> Option<UnwrittenRecord> {
    let known = weaver.analysis.unwritten.get(proposition)?.as_ref()?;
    let name = |f: &FunctionIndex| weaver.facts.functions[*f].name.clone();
    Some(UnwrittenRecord {
        objects: known.objects.clone(),
        idle: known.idle.iter().map(name).collect(),
        routines: known.routines.iter().map(|f| (*f, name(f))).collect(),
    })
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

/// Functions of the library that compilers compute themselves, also without optimisation, and that the program defines and calls.
fn replaceable(weaver: &Weaver) -> Vec<String> {
    const COMPUTED: [&str; 8] = [
        "abs", "labs", "llabs", "imaxabs", "fabs", "fabsf", "fabsl", "copysign",
    ];
    let facts = weaver.facts;
    let tree = weaver.program.code.tree();
    let calls = facts.calls.iter().filter_map(|call| call.target);
    let called: BTreeSet<usize> = calls.collect();
    let own = called.into_iter().map(|of| &facts.functions[of]);
    let own = own.filter(|f| COMPUTED.contains(&f.name.as_str()));
    // A static function is the program's alone.
    let own = own.filter(|f| !tree.functions[f.id].is_static);
    own.map(|f| f.name.clone()).collect()
}

/// The assumptions under which a verdict holds.
fn assumptions(weaver: &Weaver) -> Vec<String> {
    let mut out = weaver.environment_assumptions();
    let cancels = weaver.calls("pthread_cancel");
    let silent: Vec<&str> = without_effect(weaver.facts)
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !library::ends_process(name))
        .filter(|name| !(cancels && library::about_cancellation(name)))
        .collect();
    if !silent.is_empty() {
        out.push(format!(
            "calls without effect on the model: {}",
            silent.join(", ")
        ));
    }
    let replaceable: Vec<String> = replaceable(weaver);
    if !replaceable.is_empty() {
        let names = replaceable.join(", ");
        out.push(format!(
            "functions of the program do what the library's of the same name do, which compilers may take in their place: {names}"
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
    let handlers: Vec<String> = weaver
        .uncalled_handlers()
        .into_iter()
        .map(|handler| handler.function)
        .collect();
    if !handlers.is_empty() {
        out.push(format!(
            "no interrupt comes: the handlers are never called ({})",
            handlers.join(", ")
        ));
    }
    let unwritten: Vec<String> = weaver.unwritten().into_iter().map(|u| u.object).collect();
    if !unwritten.is_empty() {
        out.push(format!(
            "volatile objects that the program only reads keep their first values: {}",
            unwritten.join(", ")
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
