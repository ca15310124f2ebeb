//! How a loop of a run is judged: a Büchi automaton runs beside the monitor, and tells whether the word that
//! repeats the loop's letters for ever violates the formula.
//!
//! The automaton is deterministic if the formula or its negation has a deterministic one. Otherwise the
//! automaton of the negation guesses its moves; a guess without a matching edge leads to a dead state.

use automata::{translate, Limits, Options, Recurrence, StateId, TooLarge};
use ltl::B4;
use spec::{Property, Spec};

use crate::bind::alphabet::Alphabet;
use crate::bind::propositions::Proposition;
use crate::facts::names::{self, letter};
use crate::items::code::{code, Code, Truth};
use crate::items::Variable;
use crate::monitor::buchi;
use crate::monitor::{self, is_timer, Flips, GeneralStep, LoopMonitor, Monitors, Names, Part, Run};

/// The additions of the automaton to the monitor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    pub declarations: Vec<Variable>,
    pub first: Code,
    pub step: Code,
    pub sample: Code,
    pub flips: Flips,
    pub every_event: bool,
    pub repeated: Option<String>,
    pub begin: String,
    pub run: Option<Run>,
}

/// The variables of one property's automaton.
struct Automaton {
    run: String,
    kept: String,
    met: String,
}

impl Automaton {
    fn run(&self, states: usize, of_negation: bool) -> Run {
        Run {
            variable: self.run.clone(),
            states,
            kept: self.kept.clone(),
            met: self.met.clone(),
            of_negation,
        }
    }
}

/// Builds the automaton beside a property's monitor, adds its steps to the monitor's, and returns how loops are
/// judged.
pub(crate) fn add(
    names: &Names,
    property: &Property,
    part: &mut Part,
    out: &mut Vec<Variable>,
) -> LoopMonitor {
    let mut beside = beside(names, property);
    part.every_event |= beside.every_event;
    part.first.push(&beside.first);
    part.step.push(&beside.step);
    part.sample.push(&beside.sample);
    for (proposition, (rise, fall)) in std::mem::take(&mut beside.flips) {
        let all = part.flips.entry(proposition).or_default();
        all.0.push(rise);
        all.1.push(fall);
    }
    out.append(&mut beside.declarations);
    let level = |wanted: B4| {
        let found = part.levels.iter().find(|(level, _)| *level == wanted);
        found.map_or(Truth::Is(false), |(_, condition)| condition.clone())
    };
    let atoms = names.spec.arena.atoms_of(property.root);
    let propositions = names.spec.propositions.iter().enumerate();
    LoopMonitor {
        repeated: beside.repeated,
        stuttering: level(B4::PresumablyFalse),
        certain: level(B4::False),
        begin: beside.begin,
        run: beside.run,
        propositions: propositions
            .filter(|(_, p)| atoms.contains(&p.atom))
            .map(|(i, _)| i)
            .collect(),
    }
}

fn beside(names: &Names, property: &Property) -> Beside {
    let Alphabet {
        arena, constraints, ..
    } = &names.alphabet;
    let limits = Limits::default();
    let found = Recurrence::for_formula(arena, property.root, constraints, &limits);
    let suffix = names.state.trim_start_matches("ba_state");
    let variables = Automaton {
        run: format!("ba_run{suffix}"),
        kept: format!("ba_kept_run{suffix}"),
        met: format!("ba_met{suffix}"),
    };
    let next_free = arena.is_next_free(property.root);
    let beside = match &found {
        // The monitor gives ⊥ to a prefix of every violation.
        Ok(Some(automaton)) if automaton.is_safety() => Some(Beside::default()),
        Ok(Some(automaton)) => deterministic(names, automaton, &variables),
        _ => None,
    };
    let absorbs = matches!(&found, Ok(Some(automaton)) if automaton.absorbs_stuttering());
    let beside = beside.or_else(|| guessed(names, property, &variables));
    Beside {
        every_event: !next_free && !absorbs,
        // If all automata of the formula are too large, the monitor alone judges loops.
        ..beside.unwrap_or_default()
    }
}

fn declarations(variables: &Automaton, states: usize, initial: u32) -> Vec<Variable> {
    let ty = if states < 255 {
        "unsigned char"
    } else {
        "unsigned"
    };
    let Automaton { run, kept, met } = variables;
    vec![
        Variable::unused(format!("{ty} {run}"))
            .initially(initial)
            .remark("runs beside the monitor, for loops"),
        Variable::unused(format!("{ty} {kept}")),
        Variable::unused(format!("_Bool {met}"))
            .remark("it was in an accepting state since the save"),
    ]
}

/// The number of states from which on accepting ones are told by ranges.
const COUNTER: usize = 64;

/// The assignment that remembers accepting states; empty if there are none.
fn remember(variables: &Automaton, accepting: &[usize], states: usize) -> String {
    let Automaton { run, met, .. } = variables;
    // Those of a counter are consecutive.
    let together = |a: &usize, b: &usize| states >= COUNTER && a + 1 == *b;
    let is: Vec<String> = accepting
        .chunk_by(together)
        .map(|chunk| match chunk {
            [first, .., last] => format!("({run} >= {first} && {run} <= {last})"),
            _ => format!("{run} == {}", chunk[0]),
        })
        .collect();
    match accepting.len() {
        0 => String::new(),
        all if all == states => format!("{met} = 1; "),
        _ => format!("if ({}) {met} = 1; ", is.join(" || ")),
    }
}

fn begin(variables: &Automaton) -> String {
    let Automaton { run, kept, met } = variables;
    format!("{kept} = {run}; {met} = 0; ")
}

/// A loop violates the formula if the automaton is back in the same state and has met an accepting state
/// (automaton of the negation) or none (of the formula).
fn deterministic(names: &Names, automaton: &Recurrence, variables: &Automaton) -> Option<Beside> {
    let names = names.with_state(&variables.run);
    let accepting: Vec<usize> = automaton.accepting().map(StateId::index).collect();
    let remember = remember(variables, &accepting, automaton.len());
    let text = |decision| code![monitor::statements(&decision, &names), &remember];
    let (step, begins) = (text(automaton.step().ok()?), text(automaton.first().ok()?));
    let sample = match names.sampled() {
        true => monitor::choice("ba_more", step.clone(), begins.clone()),
        false => Code::default(),
    };
    let (initial, first) = match names.constant_start() {
        _ if names.sampled() => (automaton.initial(), Code::default()),
        Some(letter) => (
            automaton.next(automaton.initial(), &letter),
            Code::default(),
        ),
        None => (automaton.initial(), begins),
    };
    let flip = |atom, value| Ok(text(automaton.flip(atom, value)?));
    let flips = names.flips(automaton.atoms(), |atom| {
        Ok::<_, TooLarge>((flip(atom, true)?, flip(atom, false)?))
    });
    let Automaton { run, kept, met } = variables;
    let sign = if automaton.of_negation() { "" } else { "!" };
    Some(Beside {
        declarations: declarations(variables, automaton.len(), initial.0),
        first,
        step: match names.sampled() {
            true => Code::default(),
            false => step,
        },
        sample,
        flips: flips.ok()?,
        repeated: Some(format!("{run} == {kept} && {sign}{met}")),
        begin: begin(variables),
        run: Some(variables.run(automaton.len(), automaton.of_negation())),
        every_event: false,
    })
}

/// The automaton of the negation, which guesses; `None` if it is too large.
fn guessed(names: &Names, property: &Property, variables: &Automaton) -> Option<Beside> {
    let names = names.with_state(&variables.run);
    let mut arena = names.alphabet.arena.clone().into_owned();
    let negation = arena.negate(property.root);
    let options = Options {
        constraints: names.alphabet.constraints.clone(),
        ..Options::default()
    };
    let automaton = translate(&arena, negation, &options).ok()?;
    let states = automaton.states().iter().enumerate();
    let accepting: Vec<usize> = states
        .filter(|(_, s)| s.accepting)
        .map(|(i, _)| i)
        .collect();
    let count = automaton.states().len() + 1;
    let remember = remember(variables, &accepting, count);
    let (state, initial) = (Code::read(&names.state), automaton.initial());
    let step = |state: &Code| {
        let step = buchi::step(&automaton, &names, state, "BA_GUESS()");
        code![step, &remember]
    };
    let (step, sample) = match names.sampled() {
        false => (step(&state), Code::default()),
        true => {
            let state = code!["(ba_more ? ", state, " : ", initial, ")"];
            (Code::default(), step(&state))
        }
    };
    let flips = names.flips_by(automaton.atoms(), &step);
    let Automaton { run, kept, met } = variables;
    Some(Beside {
        declarations: declarations(variables, count, automaton.initial() as u32),
        first: step.clone(),
        flips,
        step: step.clone(),
        sample,
        repeated: Some(format!("{run} == {kept} && {met}")),
        begin: begin(variables),
        run: Some(variables.run(count, true)),
        every_event: false,
    })
}

/// Adds statements that remember every change of a proposition, and every letter that differs from the letter
/// at the save: a loop without any repeats one letter.
pub(crate) fn follow_turns(spec: &Spec, propositions: &[Proposition], monitors: &mut Monitors) {
    let sampled = matches!(spec.trace, spec::Trace::Sample(_));
    let flips = propositions.iter().zip(&mut monitors.flips);
    for (number, (p, (rise, fall))) in flips.enumerate() {
        let turned = names::turned(&p.identifier);
        let value = match sampled {
            true => letter(&p.identifier),
            false => names::value(&p.identifier),
        };
        rise.push(format!("{turned} = 1; "));
        fall.push(format!("{turned} = 1; "));
        let kept = names::kept_letter(&p.identifier);
        let text = code![
            "if (",
            Code::read(&value),
            " != ",
            &kept,
            ") ",
            &turned,
            " = 1; "
        ];
        match sampled {
            true => monitors.sample.push(text),
            false => monitors.steps.push(GeneralStep {
                propositions: vec![number],
                // A timer's proposition changes with any other.
                every_event: is_timer(spec, number),
                text,
            }),
        }
        let declaration = Variable::unused(format!("_Bool {turned}")).and(kept);
        monitors.declarations.push(declaration);
    }
}
