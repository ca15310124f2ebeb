//! The monitors of all properties as C, in four forms: deterministic, product of parts, subset, and Büchi.

pub mod buchi;
mod cover;
mod deterministic;
pub mod lasso;
mod product;
mod subset;

use automata::{classify_composite, classify_with, Composite, Limits, Monitor, Shape, TooLarge};
use ltl::lasso::Letter;
use ltl::AtomId;
use ltl::B4;
use spec::{Diagnostic, Property, Spec};
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;

use crate::bind::alphabet::{self, Alphabet};
use crate::bind::propositions::Proposition;
use crate::facts::names::letter;
use crate::facts::names::Unique;
use crate::facts::options::Form;
use crate::facts::options::Options;
use crate::facts::record::StateRecord;
use crate::facts::Facts;
use crate::items::code::{Code, Truth};
use crate::items::Variable;

pub(crate) use cover::flag as cover_flag;
pub use cover::Cover;
pub(crate) use deterministic::{choice, statements};

/// How a lasso of one property is judged.
#[derive(Clone, Debug)]
pub struct LoopMonitor {
    /// The condition that the word that repeats the loop's letters violates the formula, if these are not all
    /// equal to the letter at the save.
    pub repeated: Option<String>,
    /// The condition that the word that repeats its last letter violates the formula.
    pub stuttering: Truth,
    /// The condition that no continuation satisfies the formula.
    pub certain: Truth,
    /// The statements at the save, where a loop may begin.
    pub begin: String,
    /// The automaton that runs beside the monitor.
    pub run: Option<Run>,
    /// The propositions of the formula, by index.
    pub propositions: Vec<usize>,
}

/// The automaton that runs beside the monitor.
#[derive(Clone, Debug)]
pub struct Run {
    /// The variable of its state.
    pub variable: String,
    /// How many states it has.
    pub states: usize,
    /// The variable of its state at the save.
    pub kept: String,
    /// The variable that remembers an accepting state.
    pub met: String,
    /// Whether it accepts the violations.
    pub of_negation: bool,
}

/// A C variable of a monitor's state.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// Its name.
    pub name: String,
    /// Its value before `main` starts: the state after letter 0 if that letter is constant.
    pub initial: u32,
    /// The number of its values, which are 0 to `count - 1`.
    pub count: u64,
}

impl StateVariable {
    /// The definition.
    pub fn declaration(&self) -> Variable {
        let ty = match self.count < 255 {
            true => "unsigned char",
            false => "unsigned",
        };
        Variable::unused(format!("{ty} {}", self.name)).initially(self.initial)
    }
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
    /// The constraints that every letter satisfies, as the tool prints them.
    pub constraints: Vec<String>,
    /// The JSON name of the expected verdict.
    pub expect: Option<String>,
    /// For each verdict below ⊤ that can occur, the C condition that it is the word's.
    pub levels: Vec<(B4, Truth)>,
    /// The name of the state: the variable's, if a single one holds it.
    pub state: String,
    /// The variables of the state.
    pub states: Vec<StateVariable>,
    /// `dfa`, `subset` or `buchi`.
    pub form: &'static str,
    /// What the class of the formula means for finite runs.
    pub explanation: String,
    /// The automaton in lines of text, for the emitted comment.
    pub description: Vec<String>,
    /// How lassos are judged, if they are searched.
    pub lasso: Option<LoopMonitor>,
}

impl PropertyMonitor {
    /// The variables that make up the state, if there are several; `named` gives their final names.
    pub fn parts(&self, named: impl Fn(&str) -> String) -> Vec<StateRecord> {
        let part = |state: &StateVariable| StateRecord {
            variable: named(&state.name),
            count: state.count,
        };
        match self.states.as_slice() {
            [only] if only.name == self.state => Vec::new(),
            states => states.iter().map(part).collect(),
        }
    }

    /// The number of the state as a C expression.
    pub fn value(&self) -> String {
        let Some((last, others)) = self.states.split_last() else {
            return "0".into();
        };
        others.iter().rev().fold(last.name.clone(), |rest, state| {
            format!("{} + {}u * ({rest})", state.name, state.count)
        })
    }
}

/// A monitor's step on any letter.
#[derive(Clone, Debug, Default)]
pub struct GeneralStep {
    /// The indices of the propositions that it reads: a letter in which none of them has changed needs a step
    /// only if the monitor counts letters.
    pub propositions: Vec<usize>,
    /// Whether it counts letters.
    pub every_event: bool,
    /// Its statements.
    pub text: Code,
}

/// The monitors of all properties.
#[derive(Clone, Debug, Default)]
pub struct Monitors {
    /// Whether each event appends a letter, even an equal one.
    pub every_event: bool,
    /// Variables before the program.
    pub declarations: Vec<Variable>,
    /// The general step of each property.
    pub steps: Vec<GeneralStep>,
    /// For each proposition, the statements for the case that it alone rose or fell.
    pub flips: Vec<(Code, Code)>,
    /// The statements of letter 0.
    pub first: Code,
    /// The statements of a letter at a sample label; `ba_more` tells whether there was a letter before.
    pub sample: Code,
    /// The properties.
    pub properties: Vec<PropertyMonitor>,
    /// Assumptions about letters, as sentences.
    pub assumptions: Vec<String>,
    /// Values that some run has to show, so that every part of a formula has an effect.
    pub covers: Vec<Cover>,
}

/// The statements for a rise and a fall of the propositions that an automaton reads, by their indices in the specification:
/// a property reads few of those that thousands of properties have.
pub(crate) type Flips = BTreeMap<usize, (Code, Code)>;

/// The parts of one property's monitor, before they are joined with the others'.
pub(crate) struct Part {
    pub every_event: bool,
    pub states: Vec<StateVariable>,
    /// The statements of a general step.
    pub step: Code,
    /// The statements of letter 0, if it is not constant.
    pub first: Code,
    /// The statements of a letter that is taken at a sample.
    pub sample: Code,
    pub flips: Flips,
    pub levels: Vec<(B4, Truth)>,
    pub form: &'static str,
    /// What finite runs can tell about the formula.
    pub explanation: String,
    pub description: Vec<String>,
}

/// The names that the parts need: variables of the propositions and of the state.
pub(crate) struct Names<'a> {
    pub spec: &'a Spec,
    pub propositions: &'a [Proposition],
    /// The index of each atom's proposition.
    pub places: &'a HashMap<AtomId, usize>,
    pub state: String,
    /// The letters of the property's words.
    pub alphabet: Alphabet<'a>,
}

impl Names<'_> {
    /// The same names with another state variable.
    pub fn with_state(&self, state: &str) -> Self {
        Names {
            spec: self.spec,
            propositions: self.propositions,
            places: self.places,
            state: state.into(),
            alphabet: self.alphabet.clone(),
        }
    }

    /// The C variable of an atom of a formula.
    pub fn atom(&self, atom: AtomId) -> String {
        match self
            .places
            .get(&atom)
            .and_then(|&i| self.propositions.get(i))
        {
            Some(proposition) if self.sampled() => letter(&proposition.identifier),
            Some(proposition) => crate::facts::names::value(&proposition.identifier),
            None => "0".into(),
        }
    }

    /// Whether timers give some value in a property's formula.
    fn timed(&self, property: &Property) -> bool {
        let atoms = self.spec.arena.atoms_of(property.root);
        let machine = &self.spec.machine;
        let mut timers = machine.timers.iter();
        let mut remembered = machine.remembered.iter();
        timers.any(|timer| timer.outputs.iter().any(|output| atoms.contains(output)))
            || remembered
                .any(|r| atoms.contains(&r.atom) || r.compared.iter().any(|c| atoms.contains(c)))
    }

    /// Whether letters are taken at sample labels only.
    pub fn sampled(&self) -> bool {
        matches!(self.spec.trace, spec::Trace::Sample(_))
    }

    /// The steps of an automaton over these atoms, ascending, where a proposition rises or falls alone: none at samples.
    pub fn flips<E>(
        &self,
        atoms: &[AtomId],
        mut of: impl FnMut(AtomId) -> Result<(Code, Code), E>,
    ) -> Result<Flips, E> {
        let read = atoms.iter().filter(|_| !self.sampled());
        let places = read.filter_map(|atom| Some((*self.places.get(atom)?, *atom)));
        places.map(|(place, atom)| Ok((place, of(atom)?))).collect()
    }

    /// The same where each of these steps is a general one.
    pub fn flips_by(&self, atoms: &[AtomId], step: &Code) -> Flips {
        let same = |_| Ok::<_, Infallible>((step.clone(), step.clone()));
        let Ok(flips) = self.flips(atoms, same);
        flips
    }

    /// Letter 0, if it is the same in every run.
    pub fn constant_start(&self) -> Option<Letter> {
        let atoms: Vec<AtomId> = self.spec.propositions.iter().map(|p| p.atom).collect();
        self.start_of(&atoms)
    }

    /// The part of letter 0 with these atoms, if it is the same in every run: no area is open then.
    pub fn start_of(&self, atoms: &[AtomId]) -> Option<Letter> {
        let pairs = self.spec.propositions.iter().zip(self.propositions);
        let pairs = pairs.filter(|(s, _)| atoms.contains(&s.atom));
        if pairs.clone().any(|(_, p)| p.area.is_none()) {
            return None;
        }
        Some(
            pairs
                .filter(|(_, p)| p.default)
                .map(|(s, _)| s.atom)
                .collect(),
        )
    }
}

/// The index of each atom's proposition, the first one if there are several.
fn places(spec: &Spec) -> HashMap<AtomId, usize> {
    let all = spec.propositions.iter().enumerate().rev();
    all.map(|(index, p)| (p.atom, index)).collect()
}

/// Whether a timer gives the value of a proposition, or changes it where it chooses what is remembered.
fn is_timer(spec: &Spec, proposition: usize) -> bool {
    let proposition = spec.propositions.get(proposition);
    proposition.is_some_and(|p| {
        let compares = spec.machine.read_by(p.atom).next().is_some();
        compares || p.evaluation == spec::Evaluation::Timer
    })
}

/// Builds the monitors.
///
/// # Errors
/// A formula whose monitor is too large for the requested form.
pub fn build(
    spec: &Spec,
    propositions: &[Proposition],
    facts: &Facts,
    options: &Options,
    lasso: bool,
    threaded: bool,
) -> Result<Monitors, Vec<Diagnostic>> {
    let mut out = Monitors {
        flips: vec![Default::default(); propositions.len()],
        assumptions: alphabet::assumptions(spec),
        ..Default::default()
    };
    let mut errors = Vec::new();
    let mut unique = Unique::default();
    let values = alphabet::constants(facts);
    let places = places(spec);
    for property in &spec.properties {
        let state = match spec.properties.len() {
            1 => "ba_state".to_string(),
            _ => format!("ba_state_{}", unique.name(&property.name, "property")),
        };
        let names = Names {
            spec,
            propositions,
            places: &places,
            state,
            alphabet: alphabet::of(spec, property, propositions, facts, &values),
        };
        let mut part = match part(&names, property, options.form) {
            Ok(part) => part,
            Err(error) => {
                errors.push(*error);
                continue;
            }
        };
        // Timers take every letter.
        part.every_event |= names.timed(property);
        let judged = lasso.then(|| lasso::add(&names, property, &mut part, &mut out.declarations));
        add(&mut out, names, property, part, judged);
    }
    if lasso {
        lasso::follow_turns(spec, propositions, &mut out);
    }
    if let Some(first) = spec.properties.first() {
        let names = Names {
            spec,
            propositions,
            places: &places,
            state: String::new(),
            alphabet: alphabet::of(spec, first, propositions, facts, &values),
        };
        cover::add(spec, &names, threaded, &mut out);
    }
    if errors.is_empty() {
        Ok(out)
    } else {
        Err(errors)
    }
}

/// Joins the monitor of one more property with the others.
fn add(
    out: &mut Monitors,
    names: Names,
    property: &Property,
    part: Part,
    judged: Option<LoopMonitor>,
) {
    let declared = part.states.iter().map(StateVariable::declaration);
    out.declarations.extend(declared);
    out.every_event |= part.every_event && !names.sampled();
    out.first.push(&part.first);
    out.sample.push(&part.sample);
    let used = names.propositions.iter().enumerate();
    let number = out.properties.len();
    out.steps.push(GeneralStep {
        propositions: used
            .filter(|(_, p)| p.used_by.contains(&number))
            .map(|(i, _)| i)
            .collect(),
        every_event: part.every_event,
        text: part.step,
    });
    for (proposition, (rise, fall)) in part.flips {
        if let Some(all) = out.flips.get_mut(proposition) {
            all.0.push(rise);
            all.1.push(fall);
        }
    }
    out.properties.push(PropertyMonitor {
        name: property.name.clone(),
        ltl: property.text.to_string(),
        formula: names.alphabet.print(property.root),
        constraints: names.alphabet.printed_constraints(),
        expect: property.expect.map(|e| e.name().to_string()),
        levels: part.levels,
        state: names.state,
        states: part.states,
        form: part.form,
        explanation: part.explanation,
        description: [names.alphabet.inferred, part.description].concat(),
        lasso: judged,
    });
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
    let part = match form {
        Form::Buchi => return buchi::part(names, property).map_err(too_large),
        Form::Deterministic => deterministic(names, property).map_err(too_large)?,
        Form::Auto => match deterministic(names, property) {
            Ok(part) => part,
            Err(bound) => return subset::part(names, property, bound).map_err(too_large),
        },
    };
    Ok(part)
}

/// The number of states from which on a decomposable formula gets one monitor for each part.
const LARGE: usize = 12;

/// The deterministic monitor, or the product of several if the formula has independent parts.
fn deterministic(names: &Names, property: &Property) -> Result<Part, TooLarge> {
    let (limits, root) = (Limits::default(), property.root);
    let Alphabet {
        arena, constraints, ..
    } = &names.alphabet;
    let composite = Composite::for_formula(arena, root, constraints, &limits)?;
    let part = match composite.shape {
        Shape::Part(monitor) => Ok(monitor),
        _ if composite.product_states() >= LARGE => Err(composite),
        _ => Ok(Monitor::for_formula(arena, root, constraints, &limits)?),
    };
    match part {
        Ok(monitor) => Ok(Part {
            explanation: explanation(names, property, Some(&monitor)),
            ..deterministic::part(names, &monitor)?
        }),
        Err(composite) => {
            let class = classify_composite(&composite, arena, root, constraints, &limits);
            let parts = composite.shape.parts().len();
            Ok(Part {
                explanation: match class.words {
                    Some(_) => class.explain(),
                    None => format!(
                        "The formula falls into {parts} independent parts; its verdict is the \
                         least, or the greatest, of theirs."
                    ),
                },
                ..product::part(names, composite.shape)?
            })
        }
    }
}

/// What finite runs can tell about a property, by the class of its formula.
pub(crate) fn explanation(names: &Names, property: &Property, monitor: Option<&Monitor>) -> String {
    let Alphabet {
        arena, constraints, ..
    } = &names.alphabet;
    let limits = Limits::default();
    classify_with(monitor, arena, property.root, constraints, &limits).explain()
}
