//! The paper's form of a monitor: a Büchi automaton of the negated formula that guesses its way, and
//! three tables for the verdict (Hétier & Boucheneb 2018, section 4.1; Morse et al. 2015, section 4).
//!
//! A guess that fits no edge leads to a dead state, which has no verdict: in threaded programs an
//! assumption would end one thread only and lose steps silently.

use automata::{translate, Buchi, Guard, GuardStyle, Limits, Monitor, Options, TooLarge};
use ltl::B4;
use spec::Property;

use crate::monitor::single_reads::read;
use crate::monitor::{explanation, Names, Part, StateVariable};

/// The monitor of a property.
///
/// # Errors
/// The bound that the automaton exceeds.
pub(crate) fn part(names: &Names, property: &Property) -> Result<Part, TooLarge> {
    let spec = names.spec;
    let mut arena = names.alphabet.arena.clone();
    let negation = arena.negate(property.root);
    let constraints = names.alphabet.constraints.clone();
    let options = Options {
        constraints: constraints.clone(),
        ..Options::default()
    };
    let automaton = translate(&arena, negation, &options)?;
    let initial = automaton.initial();
    let sample = match names.sampled() {
        true => step(
            &automaton,
            names,
            &format!("(ba_more ? {} : {initial})", read(&names.state)),
            GUESS,
        ),
        false => String::new(),
    };
    let step = step(&automaton, names, &read(&names.state), GUESS);
    let flips = spec
        .propositions
        .iter()
        .map(
            |p| match !names.sampled() && automaton.atoms().contains(&p.atom) {
                true => (step.clone(), step.clone()),
                false => Default::default(),
            },
        )
        .collect();
    let monitor =
        Monitor::for_formula(&arena, property.root, &constraints, &Limits::default()).ok();
    let every_event = match &monitor {
        Some(monitor) => !monitor.absorbs_stuttering(),
        None => !spec.arena.is_next_free(property.root),
    };
    Ok(Part {
        every_event,
        states: vec![StateVariable {
            name: names.state.clone(),
            initial: initial as u32,
            count: automaton.states().len() as u64 + 1,
        }],
        first: step.clone(),
        step,
        sample,
        flips,
        levels: levels(&automaton, names)?,
        form: "buchi",
        explanation: explanation(names, property, monitor.as_ref()),
        description: describe(&automaton, names)
            .into_iter()
            .map(|line| format!("negation, {line}"))
            .collect(),
    })
}

/// A value that the model checker chooses.
const GUESS: &str = "nondet_ba_unsigned()";

/// The number of the state without verdict.
fn dead(automaton: &Buchi) -> usize {
    automaton.states().len()
}

/// A guess of the next state, and the check that an edge leads there with this letter.
pub(crate) fn step(automaton: &Buchi, names: &Names, state: &str, guess: &str) -> String {
    let rows: Vec<String> = automaton
        .states()
        .iter()
        .enumerate()
        .filter(|(_, row)| !row.edges.is_empty())
        .map(|(number, row)| {
            let edges: Vec<String> = row
                .edges
                .iter()
                .map(|edge| {
                    format!(
                        "(ba_next == {} && ({}))",
                        edge.target,
                        text(&edge.guard, names)
                    )
                })
                .collect();
            format!("({state} == {number} && ({}))", edges.join(" || "))
        })
        .collect();
    let possible = if rows.is_empty() {
        "0".to_string()
    } else {
        rows.join(" || ")
    };
    format!(
        "{{ unsigned ba_next = {guess}; {} = ({possible}) ? ba_next : {}; }} ",
        names.state,
        dead(automaton)
    )
}

/// A guard over the propositions' variables.
pub(crate) fn text(guard: &Guard, names: &Names) -> String {
    guard.text(&GuardStyle {
        name: &|atom| read(&names.atom(atom)),
        not: "!",
        and: " && ",
        or: " || ",
        top: "1",
        bottom: "0",
        parenthesise: true,
    })
}

/// The conditions of the verdicts below ⊤, out of the tables: ⊥ in states whose language is
/// universal, else ⊥ᵖ where the last letter repeated for ever is accepted, else ⊤ᵖ.
fn levels(automaton: &Buchi, names: &Names) -> Result<Vec<(B4, String)>, TooLarge> {
    let tables = automaton.tables(&Limits::default())?;
    let state = read(&names.state);
    let (mut bottom, mut presumably_false, mut presumably_true) =
        (Vec::new(), Vec::new(), Vec::new());
    for (number, accepted) in tables.stutter_accept.iter().enumerate() {
        if tables.surely_reject[number] {
            continue;
        }
        if tables.surely_accept[number] {
            bottom.push(format!("{state} == {number}"));
            continue;
        }
        let accepted = text(accepted, names);
        if accepted != "0" {
            presumably_false.push(format!("({state} == {number} && ({accepted}))"));
        }
        if accepted != "1" {
            presumably_true.push(format!("({state} == {number} && !({accepted}))"));
        }
    }
    let all = [
        (B4::False, bottom),
        (B4::PresumablyFalse, presumably_false),
        (B4::PresumablyTrue, presumably_true),
    ];
    Ok(all
        .into_iter()
        .filter(|(_, list)| !list.is_empty())
        .map(|(level, list)| (level, list.join(" || ")))
        .collect())
}

/// The automaton in words, a state a line.
pub(crate) fn describe(automaton: &Buchi, names: &Names) -> Vec<String> {
    let rows = automaton.states().iter().enumerate().map(|(number, row)| {
        let accepting = if row.accepting { " (accepting)" } else { "" };
        let edges: Vec<String> = row
            .edges
            .iter()
            .map(|edge| {
                format!(
                    "{} -> {}",
                    edge.guard.display(&names.spec.arena),
                    edge.target
                )
            })
            .collect();
        format!("state {number}{accepting}: {}", edges.join(", "))
    });
    rows.collect()
}
