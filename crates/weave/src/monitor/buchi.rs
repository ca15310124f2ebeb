//! The paper's form of a monitor: a Büchi automaton of the negated formula that guesses its moves, and three
//! tables for the verdict (Hétier & Boucheneb 2018, section 4.1; Morse et al. 2015, section 4).
//!
//! A guess without a matching edge leads to a dead state, which has no verdict. An assumption instead would, in
//! threaded programs, end one thread only and silently lose steps.

use automata::{translate, Buchi, Cube, Guard, Limits, Monitor, Options, TooLarge};
use ltl::B4;
use spec::Property;

use crate::items::code::{code, Code, Truth};
use crate::monitor::{explanation, Names, Part, StateVariable};

/// The monitor of a property.
///
/// # Errors
/// The bound that the automaton exceeds.
pub(crate) fn part(names: &Names, property: &Property) -> Result<Part, TooLarge> {
    let spec = names.spec;
    let mut arena = names.alphabet.arena.clone().into_owned();
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
            &code!["(ba_more ? ", Code::read(&names.state), " : ", initial, ")"],
            GUESS,
        ),
        false => Code::default(),
    };
    let step = step(&automaton, names, &Code::read(&names.state), GUESS);
    let flips = names.flips_by(automaton.atoms(), &step);
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

/// The statement that guesses the next state and checks that an edge with this letter leads there.
pub(crate) fn step(automaton: &Buchi, names: &Names, state: &Code, guess: &str) -> Code {
    let rows = automaton.states().iter().enumerate();
    let rows: Vec<Code> = rows
        .filter(|(_, row)| !row.edges.is_empty())
        .map(|(number, row)| {
            let edges = row.edges.iter().map(|edge| {
                let guard = condition(&edge.guard, names);
                code!["(ba_next == ", edge.target, " && (", guard, "))"]
            });
            let edges = Code::join(edges, " || ");
            code!["(", state, " == ", number, " && (", edges, "))"]
        })
        .collect();
    let possible = match rows.is_empty() {
        true => "0".into(),
        false => Code::join(rows, " || "),
    };
    code![
        "{ unsigned ba_next = ",
        guess,
        "; ",
        &names.state,
        " = (",
        possible,
        ") ? ba_next : ",
        dead(automaton),
        "; } "
    ]
}

/// A guard over the propositions' variables.
pub(crate) fn condition(guard: &Guard, names: &Names) -> Truth {
    let cubes = guard.cubes();
    if cubes.iter().any(Cube::is_empty) || cubes.is_empty() {
        return Truth::Is(!cubes.is_empty());
    }
    let several = cubes.len() > 1;
    let cubes = cubes.iter().map(|cube| {
        let literals = cube.iter().map(|&(atom, value)| {
            let not = if value { "" } else { "!" };
            code![not, Code::read(&names.atom(atom))]
        });
        let literals = Code::join(literals, " && ");
        match several && cube.len() > 1 {
            true => code!["(", literals, ")"],
            false => literals,
        }
    });
    Truth::If(Code::join(cubes, " || "))
}

/// The conditions of the verdicts below ⊤, from the tables: ⊥ in a state whose language is universal, else ⊥ᵖ
/// if the last letter repeated for ever is accepted, else ⊤ᵖ.
fn levels(automaton: &Buchi, names: &Names) -> Result<Vec<(B4, Truth)>, TooLarge> {
    let tables = automaton.tables(&Limits::default())?;
    let state = Code::read(&names.state);
    let (mut bottom, mut presumably_false, mut presumably_true) =
        (Vec::new(), Vec::new(), Vec::new());
    for (number, accepted) in tables.stutter_accept.iter().enumerate() {
        if tables.surely_reject[number] {
            continue;
        }
        if tables.surely_accept[number] {
            bottom.push(code![&state, " == ", number]);
            continue;
        }
        let accepted = condition(accepted, names);
        if !accepted.is_never() {
            presumably_false.push(code!["(", &state, " == ", number, " && (", &accepted, "))"]);
        }
        if !accepted.is_always() {
            presumably_true.push(code![
                "(", &state, " == ", number, " && !(", &accepted, "))"
            ]);
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
        .map(|(level, list)| (level, Truth::If(Code::join(list, " || "))))
        .collect())
}

/// The automaton in words, one line for each state.
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
