//! Answers for threaded programs, for all schedules of any length: the program is written in step form
//! (`sequentialise::Options::steps`), and the searches for programs without threads answer for it.
//!
//! Fairness is a premise of the formula: `(G F fair of each thread) -> φ`. A safety formula needs none: every
//! prefix of a run goes on in a fair run, so that the same prefixes are bad with and without fairness
//! (machine closure; Abadi and Lamport, *The existence of refinement mappings*, 1991, section 2).

mod trace;

use std::collections::BTreeSet;

use automata::classify;
use ltl::{Atom, AtomId, Id, Node};
use spec::{Area, Evaluation, Instances, Property, Proposition, Spec, Text};
use verify::result::{Asked, Finding, FindingKind, Holds, PropertyResult, Schedules, VerifyResult};

use super::question::{self, Question, Ways};
use crate::commands::verify::{fairness, Source};
use crate::pipeline::{self, SpecFile, Stepped};

/// Answers for all properties of a threaded program. What cannot be put in step form has no answer, and the
/// reason names the place.
///
/// # Errors
/// If a file cannot be written, or a proof and a violation of one property are found.
pub fn answers(question: &Question, fairness: fairness::Name) -> anyhow::Result<VerifyResult> {
    let source = question.source;
    let made = source
        .program
        .stepped(source.spec.text(), &source.weaving, question.output)?;
    let stepped = match made {
        Ok(stepped) => stepped,
        Err(why) => {
            return Ok(open(
                source,
                &format!("the program has no step form: {why}"),
            ))
        }
    };
    let formulas = source.spec.formulas();
    let mut kinds: Vec<Kind> = (0..formulas).map(|_| Kind::Plain).collect();
    source.spec.changed(|spec| {
        for (index, kind) in kinds.iter_mut().enumerate() {
            *kind = kind_of(spec, index, &stepped, fairness);
        }
    });
    let chosen = |wanted: &Kind| -> Vec<usize> {
        let all = kinds.iter().enumerate();
        all.filter(|(_, kind)| *kind == wanted)
            .map(|(index, _)| index)
            .collect()
    };
    let (plain, premised) = (chosen(&Kind::Plain), chosen(&Kind::Fair));
    let threads = stepped.made.threads.len();
    let reader = trace::Reader::new(&stepped);
    let record = &source.whole.record;
    let mut whole = VerifyResult::default();
    let mut found: Vec<Option<PropertyResult>> = vec![None; formulas];
    for (numbers, fair) in [(plain, false), (premised, true)] {
        if numbers.is_empty() {
            continue;
        }
        let spec = source.spec.part(&numbers, false, false);
        let spec = spec.changed(|spec| {
            if fair {
                add_premise(spec, threads, fairness);
            }
            add_deadlock(spec);
        });
        let mut part = match asked(question, &stepped, spec, fair)? {
            Ok(part) => part,
            Err(why) => {
                for number in numbers {
                    found[number] = Some(Asked::of(record, number).open(&*why));
                }
                continue;
            }
        };
        for mut result in std::mem::take(&mut part.properties) {
            let named = |n: &&usize| record.properties[**n].name == result.asked.name;
            let Some(&number) = numbers.iter().find(named) else {
                deadlock(&result, &mut part.findings);
                continue;
            };
            result.asked = Asked::of(record, number);
            if fair {
                // They are parts of the formula with its premise.
                result.answer.vacuity.parts.clear();
            }
            let told = reader.read(&mut result, record, number);
            found[number] = Some(match told {
                Ok(()) => result,
                Err(what) => Asked::of(record, number).open(format!(
                    "the run that was found does not violate the formula: {what}. This is an error of baproduct, please report it"
                )),
            });
        }
        join(&mut whole, part);
    }
    whole.properties = found
        .into_iter()
        .zip(kinds)
        .enumerate()
        .map(|(number, (result, kind))| match (result, kind) {
            (Some(result), _) => result,
            (None, Kind::Open(why)) => Asked::of(record, number).open(why),
            (None, _) => Asked::of(record, number).open("it was not asked"),
        })
        .collect();
    premises(&mut whole, source, fairness);
    for property in &whole.properties {
        question.board.publish(&VerifyResult {
            properties: vec![property.clone()],
            ..whole.clone()
        });
    }
    Ok(whole)
}

/// How a formula is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// As it is: it is a safety formula, or all infinite runs count.
    Plain,
    /// Under the premise that the schedule is fair.
    Fair,
    /// Not at all, for this reason.
    Open(String),
}

/// Results without an answer for all properties.
fn open(source: &Source, why: &str) -> VerifyResult {
    let record = &source.whole.record;
    let all = 0..source.spec.formulas();
    VerifyResult {
        properties: all.map(|n| Asked::of(record, n).open(why)).collect(),
        ..VerifyResult::default()
    }
}

/// How the formula of a property is asked.
fn kind_of(spec: &Spec, index: usize, stepped: &Stepped, fairness: fairness::Name) -> Kind {
    if let Some(why) = beyond(spec, index, stepped) {
        return Kind::Open(format!("all schedules: {why}"));
    }
    let root = spec.properties[index].root;
    let class = classify(&spec.arena, root, &[], &automata::Limits::default());
    if class.stutter_invariant != Some(true) {
        // The step form computes values in temporary variables, and writes of the premise are letters, too.
        let why = "the formula counts letters (it is not stutter-invariant), and the step form has others";
        return Kind::Open(format!("all schedules: {why}"));
    }
    match fairness == fairness::Name::None || class.safety == Some(true) {
        true => Kind::Plain,
        false => Kind::Fair,
    }
}

/// What a specification says that the step form does not keep, if it says such a thing.
fn beyond(spec: &Spec, index: usize, stepped: &Stepped) -> Option<String> {
    let labels = "the step form has no labels of the program";
    if !spec.prune.is_empty() || !spec.assume.is_empty() {
        return Some(format!("{labels}, which `prune` and `assume` name"));
    }
    if spec.trace != spec::Trace::Changes {
        return Some(format!("{labels}, at which samples are taken"));
    }
    let has_body = |name: &str| {
        let tree = &stepped.whole.tree;
        let function = tree.function_named(name);
        function.is_some_and(|f| tree.functions[f].body.is_some())
    };
    for input in &spec.inputs {
        match &input.target {
            spec::InputTarget::Call(name) if !has_body(name) => {}
            spec::InputTarget::Call(name) => return Some(format!(
                "the input `{name}` is a function of the program, which the step form takes apart"
            )),
            spec::InputTarget::Variable(param) => {
                return Some(format!(
                    "the input `{param}` is a declaration, which the step form takes apart"
                ))
            }
        }
    }
    let atoms = spec.arena.atoms_of(spec.properties[index].root);
    atoms
        .into_iter()
        .filter_map(|atom| spec.proposition(atom))
        .find_map(|proposition| apart(proposition, stepped))
}

/// Why a proposition cannot be followed in the step form.
fn apart(proposition: &Proposition, stepped: &Stepped) -> Option<String> {
    let name = &proposition.name;
    if proposition.area != Area::WholeProgram {
        return Some(format!(
            "the area of `{name}` is part of a thread, and the step form has no areas"
        ));
    }
    if proposition.instances != Instances::Any {
        return Some(format!("`{name}` is about instances of an area"));
    }
    match &proposition.evaluation {
        Evaluation::Condition(condition) if condition.contains("::") => {
            Some(format!("`{name}` reads a local object of a thread"))
        }
        Evaluation::Condition(_) => None,
        Evaluation::Function { params, .. } if params.iter().any(|p| p.function.is_some()) => {
            Some(format!("`{name}` reads a local object of a thread"))
        }
        Evaluation::Function { name: function, .. } => {
            let kept = stepped.program.facts().functions.iter();
            let is_kept = kept.clone().any(|f| f.name == function.as_str());
            (!is_kept).then(|| {
                format!("the function `{function}` of `{name}` is called by no thread, and the step form has only those")
            })
        }
    }
}

/// Asks the searches for programs without threads about the step form. The inner error says why that is not
/// possible.
fn asked(
    question: &Question,
    stepped: &Stepped,
    spec: SpecFile,
    fair: bool,
) -> anyhow::Result<Result<VerifyResult, String>> {
    let quiet = crate::options::Output {
        quiet: true,
        ..question.output.clone()
    };
    let weaving = crate::options::Weaving {
        rounds: false,
        lasso: false,
        ..question.source.weaving.clone()
    };
    let woven = pipeline::try_weave(&stepped.program, &spec, &weaving, &quiet)?;
    let whole = match woven {
        Ok(whole) => whole,
        Err(refused) => {
            let why = refused.first(&stepped.program).unwrap_or_default();
            return Ok(Err(format!("the step form: {why}")));
        }
    };
    let names = whole.record.properties.iter().map(|p| p.name.clone());
    let board = verify::portfolio::Board::alone(names.collect());
    let program = std::sync::Arc::clone(&stepped.program);
    let source = Source {
        program,
        spec,
        weaving,
        whole: std::sync::Arc::new(whole),
    };
    let options = verify::Options {
        // Parts of the premise are no parts of the user's formula.
        shows: question.options.shows && !fair,
        ..question.options.clone()
    };
    let ask = |ways: Ways| {
        question::answers(&Question {
            source: &source,
            options: &options,
            ways,
            board: &board,
            ..*question
        })
    };
    let ways = Ways {
        // Violations of few contexts are found by rounds, on the threaded program itself.
        lasso: false,
        ..question.ways
    };
    if !ways.explicit {
        return ask(ways).map(Ok);
    }
    let states = Ways {
        induction: false,
        k_induction: false,
        ..ways
    };
    let visited = ask(states)?;
    let is_open = |p: &PropertyResult| p.answer.holds == Holds::Unknown;
    let others = ways.induction && visited.properties.iter().any(is_open);
    if !others {
        return Ok(Ok(visited));
    }
    // Invariants are searched where the states are too many to be visited.
    let inductive = ask(Ways {
        explicit: false,
        spin: false,
        ..ways
    })?;
    Ok(Ok(later(visited, inductive)))
}

/// The answers of the search of all states, and in the place of open ones those of the induction.
fn later(mut visited: VerifyResult, inductive: VerifyResult) -> VerifyResult {
    let named = |name: &str| inductive.properties.iter().find(|p| p.asked.name == name);
    for before in &mut visited.properties {
        let Some(after) = named(&before.asked.name) else {
            continue;
        };
        match (before.answer.holds, after.answer.holds) {
            (Holds::Unknown, Holds::Unknown) => {
                before.answer.tried.extend(after.answer.tried.clone());
            }
            (Holds::Unknown, _) => *before = after.clone(),
            _ => {}
        }
    }
    join(&mut visited, inductive);
    visited
}

/// Adds what a further result says besides its properties.
fn join(whole: &mut VerifyResult, part: VerifyResult) {
    if whole.backend.name.is_empty() {
        whole.backend = part.backend.clone();
        (whole.backend.runs, whole.backend.seconds) = (0, 0.0);
    }
    for finding in part.findings {
        if !whole.findings.contains(&finding) {
            whole.findings.push(finding);
        }
    }
    for warning in part.warnings {
        if !whole.warnings.contains(&warning) {
            whole.warnings.push(warning);
        }
    }
    whole.backend.runs += part.backend.runs;
    whole.backend.seconds += part.backend.seconds;
    whole.exhausted |= part.exhausted;
}

/// Adds a finding if some run is a deadlock. `result` answers [`add_deadlock`]'s property.
fn deadlock(result: &PropertyResult, findings: &mut Vec<Finding>) {
    if result.answer.holds == Holds::Refuted {
        findings.push(Finding {
            kind: FindingKind::Deadlock,
            message: "some run ends in a deadlock: no thread can go on, and some have not ended"
                .to_owned(),
            file: None,
            line: None,
            function: None,
        });
    }
}

/// What the answers rest on. The assumptions of the step form itself, such as those about its choices, are no
/// assumptions about the threaded program.
fn premises(whole: &mut VerifyResult, source: &Source, fairness: fairness::Name) {
    whole.tool_version = env!("CARGO_PKG_VERSION").to_owned();
    whole.premises.schedules = Some(Schedules::All);
    whole
        .premises
        .assumptions
        .clone_from(&source.whole.record.assumptions);
    whole.premises.assumptions.push(fairness.words().to_owned());
}

/// Makes each formula one about the fair runs of the step form.
fn add_premise(spec: &mut Spec, threads: usize, fairness: fairness::Name) {
    let each: Vec<Id> = (0..threads)
        .map(|thread| match fairness {
            fairness::Name::Strong => {
                let can = often(spec, &format!("sequential_can_{thread}"));
                let step = often(spec, &format!("sequential_step_{thread}"));
                spec.arena.make(Node::Implies(can, step))
            }
            _ => often(spec, &format!("sequential_fair_{thread}")),
        })
        .collect();
    let premise = match each.as_slice() {
        [one] => *one,
        _ => spec.arena.make(Node::And(each)),
    };
    for property in &mut spec.properties {
        property.root = spec.arena.make(Node::Implies(premise, property.root));
    }
}

/// `G F {variable == 1}`
fn often(spec: &mut Spec, variable: &str) -> Id {
    let condition = format!("{variable} == 1");
    let atom = proposition(spec, condition);
    let atom = spec.arena.make(Node::Atom(atom));
    let finally = spec.arena.make(Node::Finally(atom));
    spec.arena.make(Node::Globally(finally))
}

/// The atom of a condition over the whole program.
fn proposition(spec: &mut Spec, condition: String) -> AtomId {
    let atom = spec.arena.atom(Atom::Condition(condition.clone()));
    let known: BTreeSet<AtomId> = spec.propositions.iter().map(|p| p.atom).collect();
    if !known.contains(&atom) {
        spec.propositions.push(Proposition {
            name: format!("{{{condition}}}"),
            atom,
            name_span: 0..0,
            default: false,
            area: Area::WholeProgram,
            evaluation: Evaluation::Condition(Text::plain(&condition, 0)),
            instances: Instances::Any,
            span: 0..0,
        });
    }
    atom
}

/// The name of the property that no run is a deadlock, and of the variable of the step form that tells it.
const DEADLOCK: &str = "sequential_deadlock";

/// Adds the property that no run is a deadlock.
fn add_deadlock(spec: &mut Spec) {
    if spec.properties.iter().any(|p| p.name == DEADLOCK) {
        return;
    }
    let atom = proposition(spec, format!("{DEADLOCK} == 1"));
    let atom = spec.arena.make(Node::Atom(atom));
    let not = spec.arena.make(Node::Not(atom));
    let root = spec.arena.make(Node::Globally(not));
    spec.properties.push(Property {
        name: DEADLOCK.to_owned(),
        text: Text::plain("no deadlock", 0),
        root,
        span: 0..0,
        expect: None,
    });
}
