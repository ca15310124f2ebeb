//! The monitors of all properties as C.

use automata::{classify_with, Condition, Decision, Limits, Monitor, StateId, TooLarge};
use ltl::lasso::Letter;
use ltl::AtomId;
use ltl::B4;
use spec::{Diagnostic, Property, Spec};

use crate::alphabet::{self, Alphabet};
use crate::buchi;
use crate::environment::letter;
use crate::facts::Facts;
use crate::lasso::monitor::{self, LoopMonitor};
use crate::names::Unique;
use crate::reads::read;
use crate::weaver::Proposition;
use crate::Options;

/// The form of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Deterministic where its size allows, else Büchi.
    Auto,
    /// Deterministic.
    Deterministic,
    /// The paper's form.
    Buchi,
}

/// One property's monitor.
#[derive(Clone, Debug)]
pub struct PropertyMonitor {
    /// The property's name.
    pub name: String,
    /// The formula as written.
    pub ltl: String,
    /// The formula as the tool prints it.
    pub formula: String,
    /// What every letter satisfies, printed likewise.
    pub constraints: Vec<String>,
    /// The JSON name of the expected verdict.
    pub expect: Option<String>,
    /// For each verdict below ⊤ that can occur: the C condition under which it is the word's.
    pub levels: Vec<(B4, String)>,
    /// The C variable of the state.
    pub state: String,
    /// `dfa` or `buchi`.
    pub form: &'static str,
    /// What the class of the formula means.
    pub explanation: String,
    /// The automaton in lines of text, for the emitted comment.
    pub description: Vec<String>,
    /// How its loops are judged, if lassos are searched.
    pub lasso: Option<LoopMonitor>,
}

/// A monitor's step to any letter.
#[derive(Clone, Debug, Default)]
pub struct GeneralStep {
    /// The propositions that it reads, by index: a letter in which none of them changed concerns it
    /// only if it counts letters.
    pub propositions: Vec<usize>,
    /// Whether it counts letters.
    pub every_event: bool,
    /// Its statements, with marked reads.
    pub text: String,
}

/// The monitors of all properties.
#[derive(Clone, Debug, Default)]
pub struct Monitors {
    /// Whether each event is a letter, changed or not.
    pub every_event: bool,
    /// Declarations in front of the program.
    pub declarations: Vec<String>,
    /// The general step of each property.
    pub steps: Vec<GeneralStep>,
    /// For each proposition, the statements after it alone rose or fell, with marked reads.
    pub flips: Vec<(String, String)>,
    /// The statements of letter 0, with marked reads.
    pub first: String,
    /// Where letters are taken at samples: the statements of a letter, in which `ba_more` tells
    /// whether there was one before, with marked reads.
    pub sample: String,
    /// The properties.
    pub properties: Vec<PropertyMonitor>,
    /// What is taken for granted about letters, in sentences.
    pub assumptions: Vec<String>,
}

/// The parts of one property's monitor, before they are joined with the others'.
pub(crate) struct Part {
    pub every_event: bool,
    /// The value of the state variable before `main` starts: after letter 0 if that is constant.
    pub initial: u32,
    pub states: usize,
    /// The statements of a general step.
    pub step: String,
    /// The statements of letter 0, if it is not constant.
    pub first: String,
    /// The statements of a letter that is taken at a sample.
    pub sample: String,
    /// For each proposition of the specification.
    pub flips: Vec<(String, String)>,
    pub levels: Vec<(B4, String)>,
    pub form: &'static str,
    /// What finite runs can tell about the formula.
    pub explanation: String,
    pub description: Vec<String>,
}

/// What the parts need to know: the variables of the propositions, and the state's.
pub(crate) struct Names<'a> {
    pub spec: &'a Spec,
    pub propositions: &'a [Proposition],
    pub state: String,
    /// The letters of the property's words.
    pub alphabet: Alphabet,
}

impl Names<'_> {
    /// The C variable of an atom of a formula.
    pub fn atom(&self, atom: AtomId) -> String {
        let index = self.spec.propositions.iter().position(|p| p.atom == atom);
        match index.and_then(|i| self.propositions.get(i)) {
            Some(proposition) if self.sampled() => letter(&proposition.identifier),
            Some(proposition) => crate::events::variable(&proposition.identifier),
            None => "0".into(),
        }
    }

    /// Whether letters are taken at samples only.
    pub fn sampled(&self) -> bool {
        matches!(self.spec.trace, spec::Trace::Sample(_))
    }

    /// Whether letter 0 is the same in every run, and which it is.
    pub fn constant_start(&self) -> Option<Letter> {
        if self.propositions.iter().any(|p| p.area.is_none()) {
            return None;
        }
        let pairs = self.spec.propositions.iter().zip(self.propositions);
        Some(
            pairs
                .filter(|(_, p)| p.default)
                .map(|(s, _)| s.atom)
                .collect(),
        )
    }
}

/// Builds the monitors.
///
/// # Errors
/// A formula whose monitor is too large for the form that was asked for.
pub fn build(
    spec: &Spec,
    propositions: &[Proposition],
    facts: &Facts,
    options: &Options,
    lasso: bool,
) -> Result<Monitors, Vec<Diagnostic>> {
    let mut out = Monitors {
        flips: vec![Default::default(); propositions.len()],
        assumptions: alphabet::assumptions(spec),
        ..Default::default()
    };
    let mut errors = Vec::new();
    let mut unique = Unique::default();
    for property in &spec.properties {
        let state = match spec.properties.len() {
            1 => "ba_state".to_string(),
            _ => format!("ba_state_{}", unique.name(&property.name, "property")),
        };
        let names = Names {
            spec,
            propositions,
            state: state.clone(),
            alphabet: alphabet::of(spec, property, propositions, facts),
        };
        let mut part = match part(&names, property, options.form) {
            Ok(part) => part,
            Err(error) => {
                errors.push(*error);
                continue;
            }
        };
        let judged =
            lasso.then(|| monitor::add(&names, property, &mut part, &mut out.declarations));
        let ty = if part.states < 255 {
            "unsigned char"
        } else {
            "unsigned"
        };
        out.declarations
            .push(format!("BA_UNUSED static {ty} {state} = {};", part.initial));
        out.every_event |= part.every_event && !names.sampled();
        out.first.push_str(&part.first);
        out.sample.push_str(&part.sample);
        let used = propositions.iter().enumerate();
        let number = out.properties.len();
        out.steps.push(GeneralStep {
            propositions: used
                .filter(|(_, p)| p.used_by.contains(&number))
                .map(|(i, _)| i)
                .collect(),
            every_event: part.every_event,
            text: part.step,
        });
        for (all, (rise, fall)) in out.flips.iter_mut().zip(part.flips) {
            all.0.push_str(&rise);
            all.1.push_str(&fall);
        }
        out.properties.push(PropertyMonitor {
            name: property.name.clone(),
            ltl: property.text.to_string(),
            formula: names.alphabet.print(property.root),
            constraints: names.alphabet.printed_constraints(),
            expect: property.expect.map(|e| e.name().to_string()),
            levels: part.levels,
            state,
            form: part.form,
            explanation: part.explanation,
            description: [names.alphabet.inferred, part.description].concat(),
            lasso: judged,
        });
    }
    if lasso {
        let sampled = matches!(spec.trace, spec::Trace::Sample(_));
        monitor::follow_turns(propositions, sampled, &mut out);
    }
    if errors.is_empty() {
        Ok(out)
    } else {
        Err(errors)
    }
}

fn part(names: &Names, property: &Property, form: Form) -> Result<Part, Box<Diagnostic>> {
    let too_large = |bound: TooLarge| {
        Box::new(
            Diagnostic::error(
                format!("the monitor of `{}` is too large: {bound}", property.name),
                property.span.clone(),
            )
            .help("split the formula into several properties"),
        )
    };
    match form {
        Form::Buchi => buchi::part(names, property).map_err(too_large),
        Form::Deterministic => deterministic(names, property).map_err(too_large),
        Form::Auto => deterministic(names, property).or_else(|bound| {
            let mut part = buchi::part(names, property).map_err(too_large)?;
            part.explanation = format!(
                "The deterministic monitor would have {bound}, so the paper's form is used \
                 instead: it may say ⊥ᵖ where ⊥ is certain."
            );
            Ok(part)
        }),
    }
}

/// The deterministic monitor, specialised to each proposition and direction of change.
fn deterministic(names: &Names, property: &Property) -> Result<Part, TooLarge> {
    let spec = names.spec;
    let Alphabet {
        arena, constraints, ..
    } = &names.alphabet;
    let monitor = Monitor::for_formula(arena, property.root, constraints, &Limits::default())?;
    let mut flips = Vec::new();
    for proposition in &spec.propositions {
        let concerned = !names.sampled() && monitor.atoms().contains(&proposition.atom);
        flips.push(match concerned {
            true => (
                statements(&monitor.rise(proposition.atom)?, names),
                statements(&monitor.fall(proposition.atom)?, names),
            ),
            false => Default::default(),
        });
    }
    let (step, sample) = match names.sampled() {
        false => (statements(&monitor.step()?, names), String::new()),
        true => (String::new(), sample_step(&monitor, names)?),
    };
    let (initial, first) = match names.constant_start() {
        Some(letter) => (monitor.next(monitor.initial(), &letter), String::new()),
        None => (monitor.initial(), statements(&monitor.first()?, names)),
    };
    let mut levels = Vec::new();
    for level in [B4::False, B4::PresumablyFalse, B4::PresumablyTrue] {
        let text = condition(&monitor.verdict_is(level)?, names);
        if text != "0" {
            levels.push((level, text));
        }
    }
    Ok(Part {
        every_event: !monitor.absorbs_stuttering(),
        initial: initial.0,
        states: monitor.len(),
        step,
        first,
        sample,
        flips,
        levels,
        form: "dfa",
        explanation: explanation(names, property, Some(&monitor)),
        description: describe(&monitor, names),
    })
}

/// The step of a letter at a sample as one assignment: in sequential programs a conditional
/// expression costs a model checker less than branches, each of which it has to join again.
fn sample_step(monitor: &Monitor, names: &Names) -> Result<String, TooLarge> {
    let state = &names.state;
    let more = value(&monitor.step()?, names, &read(state));
    let initial = monitor.initial().0.to_string();
    let first = value(&monitor.first()?, names, &initial);
    let new = choose("ba_more", more, first);
    Ok(match new == read(state) {
        true => String::new(),
        false => format!("{state} = {new}; "),
    })
}

/// The new state as an expression; `stay` is the old one.
fn value(decision: &Decision, names: &Names, stay: &str) -> String {
    match decision {
        Decision::Stay => stay.to_string(),
        Decision::Goto(StateId(state)) => state.to_string(),
        Decision::Atom { atom, then, els } => choose(
            &read(&names.atom(*atom)),
            value(then, names, stay),
            value(els, names, stay),
        ),
        Decision::State { cases, otherwise } => {
            let last = value(otherwise, names, stay);
            cases.iter().rev().fold(last, |els, (state, decision)| {
                let is = format!("{} == {}", read(&names.state), state.0);
                // Where it stays, the new state is this one: a number is worth more than a read.
                choose(&is, value(decision, names, &state.0.to_string()), els)
            })
        }
    }
}

fn choose(condition: &str, then: String, els: String) -> String {
    match then == els {
        true => then,
        false => format!("({condition} ? {then} : {els})"),
    }
}

/// The monitor in words, a state a line.
fn describe(monitor: &Monitor, names: &Names) -> Vec<String> {
    const LONGEST: usize = 24;
    let mut lines: Vec<String> = monitor
        .states()
        .take(LONGEST)
        .map(|state| {
            let certain = monitor
                .certain(state)
                .map(|v| format!(" ({v})"))
                .unwrap_or_default();
            let moves: Vec<String> = monitor
                .transitions(state)
                .iter()
                .filter(|(_, target)| *target != state)
                .map(|(guard, target)| {
                    format!("{} -> {}", guard.display(&names.spec.arena), target.0)
                })
                .collect();
            format!(
                "state {}{certain}: {}",
                state.0,
                if moves.is_empty() {
                    "stays".into()
                } else {
                    moves.join(", ")
                }
            )
        })
        .collect();
    if monitor.len() > LONGEST {
        lines.push(format!("… {} states in all", monitor.len()));
    }
    lines
}

/// What the class of a property's formula lets finite runs say.
pub(crate) fn explanation(names: &Names, property: &Property, monitor: Option<&Monitor>) -> String {
    let Alphabet {
        arena, constraints, ..
    } = &names.alphabet;
    let limits = Limits::default();
    classify_with(monitor, arena, property.root, constraints, &limits).explain()
}

/// A step as C statements on one line; empty if it does nothing.
pub(crate) fn statements(decision: &Decision, names: &Names) -> String {
    match decision {
        Decision::Stay => String::new(),
        Decision::Goto(StateId(state)) => format!("{} = {state}; ", names.state),
        Decision::Atom { atom, then, els } => choice(
            &read(&names.atom(*atom)),
            statements(then, names),
            statements(els, names),
        ),
        Decision::State { cases, otherwise } => {
            let mut text = statements(otherwise, names);
            for (state, decision) in cases.iter().rev() {
                text = choice(
                    &format!("{} == {}", read(&names.state), state.0),
                    statements(decision, names),
                    text,
                );
            }
            text
        }
    }
}

pub(crate) fn choice(condition: &str, then: String, els: String) -> String {
    if then == els {
        return then;
    }
    match (then.is_empty(), els.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("if ({condition}) {{ {then}}} "),
        (true, false) => format!("if (!({condition})) {{ {els}}} "),
        (false, false) => format!("if ({condition}) {{ {then}}} else {{ {els}}} "),
    }
}

/// A question as a C expression; `0` and `1` if it is none.
fn condition(question: &Condition, names: &Names) -> String {
    match question {
        Condition::Is(answer) => u8::from(*answer).to_string(),
        Condition::Atom { atom, then, els } => ternary(
            &read(&names.atom(*atom)),
            condition(then, names),
            condition(els, names),
        ),
        Condition::State { cases, otherwise } => {
            let mut text = condition(otherwise, names);
            for (state, answer) in cases.iter().rev() {
                text = ternary(
                    &format!("{} == {}", read(&names.state), state.0),
                    condition(answer, names),
                    text,
                );
            }
            text
        }
    }
}

fn ternary(condition: &str, then: String, els: String) -> String {
    match (then.as_str(), els.as_str()) {
        (a, b) if a == b => then,
        ("1", "0") => format!("({condition})"),
        ("0", "1") => format!("!({condition})"),
        (_, "0") => format!("(({condition}) && {then})"),
        ("0", _) => format!("(!({condition}) && {els})"),
        ("1", _) => format!("(({condition}) || {els})"),
        (_, "1") => format!("(!({condition}) || {then})"),
        _ => format!("(({condition}) ? {then} : {els})"),
    }
}
