//! Answers for threaded programs, for all schedules of any length: the program is written in step form
//! (`sequentialise::Options::steps`), and the searches for programs without threads answer for it.
//!
//! Fairness is a premise of the formula: `(G F fair of each thread) -> φ`. A safety formula needs none: every
//! prefix of a run goes on in a fair run, so that the same prefixes are bad with and without fairness
//! (machine closure; Abadi and Lamport, *The existence of refinement mappings*, 1991, section 2).

mod trace;

use std::sync::Arc;

use cfront::memory_model::LOST;
use forms::steps::{stepping, Asked as About, Stepped, Unasked, DEADLOCK};
use forms::{Quiet, SpecFile};
use sequentialise::{Allocations, Fairness, Freed};
use verify::explicit::Turns;
use verify::result::{Asked, Engine, Holds, PropertyResult, Schedules, VerifyResult};

use super::question::{self, Question, Ways};
use crate::fairness;
use crate::source::Source;

/// The most states that a search visits: schedules of a few threads have more than the runs of a program without any.
pub const STATES: u64 = 10_000_000;

/// Why the states of a program with a model of its memory prove nothing.
const INCOMPLETE: &str = "the model of the memory has not all runs of the program: more stores wait to be seen than it has room for, \
                          or sequentially consistent accesses stand beside others so that not all of their orders are followed";

/// Answers for all properties of a threaded program. What cannot be put in step form has no answer, and the
/// reason names the place.
///
/// # Errors
/// If a file cannot be written, or a proof and a violation of one property are found.
pub fn answers(question: &Question, fairness: Fairness) -> anyhow::Result<VerifyResult> {
    let why = match form(question)? {
        Ok(form) => return answers_of(question, form, fairness),
        Err(why) => format!("the program has no step form: {why}"),
    };
    let record = &question.source.whole.record;
    let open = |number| Asked::of(record, number).open(&why);
    let mut whole = VerifyResult {
        properties: (0..question.source.spec.formulas()).map(open).collect(),
        ..VerifyResult::default()
    };
    premises(&mut whole, question, None);
    Ok(whole)
}

/// The step form of a program, and the directory with its text.
pub struct Form {
    stepped: Stepped,
    _directory: backend::Scratch,
}

/// The step form of the program of a question. The inner error says why it has none, with the place.
///
/// # Errors
/// If a file cannot be written.
pub fn form(question: &Question) -> anyhow::Result<Result<Form, String>> {
    form_with(question, Freed::Forgotten)
}

fn form_with(question: &Question, freed: Freed) -> anyhow::Result<Result<Form, String>> {
    let source = question.source;
    let directory = backend::Scratch::new()?;
    let quiet = quiet(question);
    let made = source.program.stepped(
        &source.spec,
        &source.weaving,
        freed,
        directory.path(),
        &quiet,
    )?;
    Ok(made.map(|stepped| Form {
        stepped,
        _directory: directory,
    }))
}

fn quiet<'a>(question: &Question<'a>) -> Quiet<'a> {
    Quiet(question.output)
}

/// Answers for all properties by the step form of the program.
///
/// # Errors
/// If a file cannot be written, or a proof and a violation of one property are found.
pub fn answers_of(
    question: &Question,
    form: Form,
    fairness: Fairness,
) -> anyhow::Result<VerifyResult> {
    let (mut first, memory) = searched(question, form, fairness)?;
    let open = |p: &PropertyResult| p.answer.holds == Holds::Unknown;
    if !memory.may_be_again() || !first.properties.iter().any(open) {
        return Ok(first);
    }
    // No run uses freed memory before it compares an old pointer with a new one: those in which both are equal are left.
    let Ok(form) = form_with(question, Freed::Anytime)? else {
        return Ok(first);
    };
    let (mut second, _) = searched(question, form, fairness)?;
    let answers = std::mem::take(&mut second.properties);
    for (before, after) in first.properties.iter_mut().zip(answers) {
        if open(before) {
            *before = after;
        }
    }
    join(&mut first, second);
    Ok(first)
}

/// The answers of the searches for one step form, and what is known about its limits.
fn searched(
    question: &Question,
    form: Form,
    fairness: Fairness,
) -> anyhow::Result<(VerifyResult, Memory)> {
    let source = question.source;
    let record = &source.whole.record;
    let stepped = form.stepped;
    let quiet = quiet(question);
    let open = |number: usize, why: &str| Asked::of(record, number).open(why);
    let mut found: Vec<PropertyResult> = (0..source.spec.formulas())
        .map(|number| open(number, "it was not asked"))
        .collect();
    let mut whole = VerifyResult::default();
    let (all, unasked) = source.spec.about_steps(&stepped, fairness, record.discards);
    for Unasked { number, why } in unasked {
        found[number] = open(number, &why);
    }
    let reader = trace::Reader::new(&stepped, &source.program, record);
    let is_fair = fairness != Fairness::None;
    let mut fair = false;
    let mut memory = Memory::of(stepped.made.allocations, stepped.bound());
    let mut complete = !source.program.models_memory();
    let reports = stepped.reports(&source.program, question.options.full_traces);
    for about in &all {
        let turns = Turns {
            fairness: about.fairness.clone(),
            reports: reports.clone(),
        };
        let mut part = match asked(question, &stepped, (about, &turns), &quiet)? {
            Ok(part) => part,
            Err(why) => {
                for &number in &about.numbers {
                    found[number] = open(number, &why);
                }
                continue;
            }
        };
        for mut result in std::mem::take(&mut part.properties) {
            let named = |n: &&usize| record.properties[**n].name == result.asked.name;
            let Some(&number) = about.numbers.iter().find(named) else {
                match result.asked.name.as_str() {
                    Allocations::FULL => memory.fits = result.answer.holds == Holds::Proved,
                    Allocations::STALE => {
                        memory.clean = result.answer.holds == Holds::Proved;
                        if result.answer.holds == Holds::Refuted {
                            let finding = reader.use_after_free(&result);
                            let place = finding.file.as_ref().zip(finding.line);
                            memory.used =
                                place.map(|(file, line)| format!(", as at {file}:{line}"));
                            part.findings.push(finding);
                        }
                    }
                    Allocations::AGAIN => memory.distinct = result.answer.holds == Holds::Proved,
                    LOST => complete = result.answer.holds == Holds::Proved,
                    DEADLOCK if result.answer.holds == Holds::Refuted => {
                        part.findings.push(reader.deadlock(&result));
                    }
                    _ => {}
                }
                continue;
            };
            fair |= is_fair && about.is_fair() && result.answer.holds != Holds::Unknown;
            result.asked = Asked::of(record, number);
            if about.is_fair() {
                // They are parts of the formula with its premise.
                result.answer.vacuity.parts.clear();
            }
            let told = reader.read(&mut result, number);
            found[number] = match told {
                Ok(()) => result,
                Err(what) => open(
                    number,
                    &format!("the run that was found does not violate the formula: {what}. This is an error of baproduct, please report it"),
                ),
            };
        }
        join(&mut whole, part);
    }
    if !complete {
        verify::memory::incomplete(&mut found, INCOMPLETE);
    }
    // All states of the step form are those of all schedules.
    let tried = found.iter_mut().flat_map(|p| &mut p.answer.tried);
    for one in tried.filter(|one| one.engine == Engine::Explicit) {
        one.engine = Engine::Steps;
    }
    for (number, property) in found.iter_mut().enumerate() {
        if let Some(why) = memory.contradicts(property.answer.holds) {
            *property = open(number, &why);
        }
    }
    whole.properties = found;
    question::sharpen(source, &mut whole);
    premises(&mut whole, question, fair.then_some(fairness));
    Ok((whole, memory))
}

/// What is known about the limits of the step form.
struct Memory {
    /// The objects of the step form; `None` if nothing is allocated.
    of: Option<Allocations>,
    /// A place at which a run may start more threads, or call deeper, than the step form has copies of.
    bound: Option<String>,
    /// Whether no run needs more objects.
    fits: bool,
    /// Whether no run uses memory that was freed.
    clean: bool,
    /// Where one does, in words.
    used: Option<String>,
    /// Whether no run has a pointer to freed memory where a new object may be at the same place.
    distinct: bool,
}

impl Memory {
    /// Nothing is known yet.
    fn of(of: Option<Allocations>, bound: Option<String>) -> Memory {
        Memory {
            of,
            bound,
            fits: false,
            clean: false,
            used: None,
            distinct: false,
        }
    }

    /// Whether all that stands against proofs may be that old pointers were taken to differ from new ones.
    fn may_be_again(&self) -> bool {
        self.clean && self.of.is_some_and(|of| of.compares) && !self.distinct
    }

    /// Why an answer does not stand. A run that needs more objects, or uses freed memory, ends there, and only what such a
    /// run violates before is a violation.
    fn contradicts(&self, holds: Holds) -> Option<String> {
        let heap = |of: fn(&Allocations) -> bool| self.of.as_ref().is_some_and(of);
        match holds {
            Holds::Unknown => None,
            Holds::Refuted if heap(|of| of.frees && !of.checks) => Some(
                "some run violates the formula if memory that was freed is not used in it, which was not checked".to_owned(),
            ),
            Holds::Proved if heap(|of| of.frees && !of.checks) => Some(
                "the formula holds if no run uses memory that was freed, which was not checked".to_owned(),
            ),
            Holds::Refuted => None,
            Holds::Proved if heap(|of| of.checks) && !self.clean => Some(format!(
                "some run may use memory that was freed{}, and C does not say what it does then",
                self.used.as_deref().unwrap_or_default()
            )),
            Holds::Proved if heap(|of| of.compares) && !self.distinct => Some(
                "some run may compare a pointer to freed memory with one to a new object, which may be at the same place, \
                 and the search took them to differ".to_owned(),
            ),
            Holds::Proved if self.fits => None,
            Holds::Proved => self.outgrown(),
        }
    }

    /// What some run may need more of; `None` if there is no limit.
    fn outgrown(&self) -> Option<String> {
        let objects = self.of.map(|of| {
            let larger = match of.varies {
                true => ", or larger ones",
                false => "",
            };
            format!(
                "have more than {} objects at a time that one call allocates{larger}",
                of.objects
            )
        });
        let copies = self.bound.as_ref().map(|at| {
            format!("start more threads, call deeper, or have a longer array, at {at} than the step form has room for")
        });
        let all: Vec<String> = copies.into_iter().chain(objects).collect();
        let what = all.join(", or ");
        (!all.is_empty()).then(|| format!("some run may {what}, and the search has no more"))
    }
}

/// Asks the searches for programs without threads about the step form. The inner error says why that is not
/// possible.
fn asked(
    question: &Question,
    stepped: &Stepped,
    (about, turns): (&About, &Turns),
    quiet: &Quiet,
) -> anyhow::Result<Result<VerifyResult, String>> {
    let options = verify::Options {
        // Parts of the premise are no parts of the user's formula.
        shows: question.options.shows && !about.is_fair(),
        ..question.options.clone()
    };
    let ask = |spec: &SpecFile, ways: Ways| {
        let source = match stepping_source(question, stepped, spec, quiet)? {
            Ok(source) => source,
            Err(why) => return Ok(Err(why)),
        };
        let asked = Question {
            source: &source,
            options: &options,
            ways,
            output: quiet,
            turns,
            ..*question
        };
        question::answers(&asked, None).map(Ok)
    };
    let ways = Ways {
        // Violations of few contexts are found by rounds, on the threaded program itself.
        lasso: false,
        ..question.ways
    };
    if !ways.explicit {
        return ask(&about.premised, ways);
    }
    // Without premises the formulas are the same for all searches, and no proof needs another question's answer.
    let limited = stepped.made.allocations.is_some() || stepped.bound().is_some();
    if !about.is_fair() && !limited && !question.source.program.models_memory() {
        return ask(&about.spec, ways);
    }
    let states = Ways {
        induction: false,
        k_induction: false,
        ..ways
    };
    let visited = match ask(&about.spec, states)? {
        Ok(visited) => visited,
        Err(why) => return Ok(Err(why)),
    };
    let is_open = |p: &PropertyResult| {
        let is_asked = !about.fairness.is_named_by(&p.asked.name);
        is_asked && p.answer.holds == Holds::Unknown
    };
    let others = ways.induction && visited.properties.iter().any(is_open);
    if !others {
        return Ok(Ok(visited));
    }
    // Invariants are searched where the states are too many to be visited.
    let others = Ways {
        explicit: false,
        spin: false,
        ..ways
    };
    let inductive = ask(&about.premised, others)?;
    Ok(inductive.map(|inductive| later(visited, inductive)))
}

/// The step form with formulas. The inner error says why it does not have what they name.
fn stepping_source(
    question: &Question,
    stepped: &Stepped,
    spec: &SpecFile,
    quiet: &Quiet,
) -> anyhow::Result<Result<Source, String>> {
    let model = &question.source.whole.record.model;
    let weaving = stepping(&question.source.weaving, model);
    let woven = forms::try_weave(&stepped.program, spec, &weaving, quiet)?;
    Ok(match woven {
        Ok(whole) => Ok(Source {
            program: Arc::clone(&stepped.program),
            spec: spec.clone(),
            weaving,
            whole: Arc::new(whole),
        }),
        Err(refused) => {
            let why = refused.first(&stepped.program).unwrap_or_default();
            Err(format!(
                "the step form does not have what the specification names: {why}"
            ))
        }
    })
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

/// What the answers rest on. The assumptions of the step form itself, such as those about its choices, are no
/// assumptions about the threaded program.
fn premises(whole: &mut VerifyResult, question: &Question, fairness: Option<Fairness>) {
    let assumptions = question.options.assumptions(&question.source.whole.record);
    let fairness = fairness.map(|name| fairness::sentence(name).to_owned());
    whole.tool_version = env!("CARGO_PKG_VERSION").to_owned();
    whole.premises.schedules = Some(Schedules::All);
    whole.premises.assumptions = assumptions.into_iter().chain(fairness).collect();
}
