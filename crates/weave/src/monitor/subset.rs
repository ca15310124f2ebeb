//! The fall-back where the deterministic monitor is too large to be written down: the sets of states
//! that the runs of a Büchi automaton can be in, a bit a state, computed as the word goes on.
//!
//! It is the deterministic monitor with its states left implicit. The automaton of the formula
//! decides ⊥ exactly (no run is left), that of the negation ⊤; each of the two
//! tells which of the presumable values it is. Where only one of them is small, the other certain value is known only when a
//! single state has all words.

use automata::{translate, Buchi, Guard, Limits, Options, TooLarge};
use ltl::B4;
use spec::Property;

use super::{Names, Part, StateVariable};
use crate::monitor::buchi::{self, text};
use crate::monitor::single_reads::read;

/// Bits of a state variable.
const MOST_STATES: usize = 32;

/// One automaton whose runs are all followed.
struct Side {
    automaton: Buchi,
    /// For each state the letters that, repeated for ever, are accepted.
    accepted: Vec<Guard>,
    variable: String,
}

impl Side {
    fn new(names: &Names, property: &Property, negated: bool) -> Result<Side, TooLarge> {
        let mut arena = names.alphabet.arena.clone();
        let (root, suffix) = match negated {
            false => (property.root, "_good"),
            true => (arena.negate(property.root), "_bad"),
        };
        let options = Options {
            constraints: names.alphabet.constraints.clone(),
            ..Options::default()
        };
        let automaton = translate(&arena, root, &options)?;
        if automaton.states().len() > MOST_STATES {
            return Err(TooLarge {
                what: "states of the automaton",
                limit: MOST_STATES,
            });
        }
        Ok(Side {
            accepted: automaton.stutter_accept(&options.limits)?,
            variable: format!("{}{suffix}", names.state),
            automaton,
        })
    }

    /// Whether the run may be in this state.
    fn is_in(&self, set: &str, state: usize) -> String {
        format!("({set} & {}u)", 1u32 << state)
    }

    /// The assignment of the states after a letter; `set` are those before.
    fn step(&self, names: &Names, set: &str) -> String {
        let count = self.automaton.states().len();
        let mut sources: Vec<Vec<String>> = vec![Vec::new(); count];
        for (number, row) in self.automaton.states().iter().enumerate() {
            for edge in &row.edges {
                let guard = text(&edge.guard, names);
                let from = self.is_in(set, number);
                sources[edge.target].push(format!("({from} && ({guard}))"));
            }
        }
        let bits: Vec<String> = sources
            .into_iter()
            .enumerate()
            .filter(|(_, edges)| !edges.is_empty())
            .map(|(state, edges)| format!("({} ? {}u : 0u)", edges.join(" || "), 1u32 << state))
            .collect();
        let next = match bits.is_empty() {
            true => "0".to_string(),
            false => bits.join(" | "),
        };
        format!("{} = {next}; ", self.variable)
    }

    /// Whether some run accepts if the last letter is repeated for ever.
    fn accepts(&self, names: &Names) -> String {
        let set = read(&self.variable);
        let states = self.accepted.iter().enumerate();
        let accepting: Vec<String> = states
            .map(|(state, letters)| (state, text(letters, names)))
            .filter(|(_, letters)| letters != "0")
            .map(|(state, letters)| format!("({} && ({letters}))", self.is_in(&set, state)))
            .collect();
        match accepting.is_empty() {
            true => "0".into(),
            false => format!("({})", accepting.join(" || ")),
        }
    }

    /// Whether no run is left.
    fn is_over(&self) -> String {
        format!("{} == 0", read(&self.variable))
    }

    /// Whether a run is in a state that has all words.
    fn has_all(&self) -> Result<String, TooLarge> {
        let tables = self.automaton.tables(&Limits::default())?;
        let states = tables.surely_accept.iter().enumerate();
        let mask = states.fold(0u32, |mask, (state, &all)| mask | u32::from(all) << state);
        Ok(format!("({} & {mask}u) != 0", read(&self.variable)))
    }

    fn describe(&self, names: &Names, negated: bool) -> Vec<String> {
        let of = if negated { "negation" } else { "formula" };
        let lines = buchi::describe(&self.automaton, names);
        lines.into_iter().map(|l| format!("{of}, {l}")).collect()
    }
}

/// The monitor; `bound` is the one that the deterministic monitor exceeds.
///
/// # Errors
/// The bound that all forms exceed.
pub(crate) fn part(names: &Names, property: &Property, bound: TooLarge) -> Result<Part, TooLarge> {
    let good = Side::new(names, property, false).ok();
    let bad = Side::new(names, property, true).ok();
    let too_large = format!("The deterministic monitor would have {bound}, so ");
    let (bottom, violated, top, what) = match (&good, &bad) {
        (Some(good), Some(bad)) => (
            good.is_over(),
            bad.accepts(names),
            bad.is_over(),
            "all runs of the automata of the formula and of its negation are followed instead.",
        ),
        (Some(good), None) => (
            good.is_over(),
            format!("!{}", good.accepts(names)),
            good.has_all()?,
            "all runs of the formula's automaton are followed instead: it may say ⊤ᵖ where ⊤ is \
             certain.",
        ),
        (None, Some(bad)) => (
            bad.has_all()?,
            bad.accepts(names),
            bad.is_over(),
            "all runs of the automaton of the negation are followed instead: it may say ⊥ᵖ where \
             ⊥ is certain.",
        ),
        (None, None) => {
            let mut part = buchi::part(names, property)?;
            part.explanation =
                too_large + "the paper's form is used instead: it may say ⊥ᵖ where ⊥ is certain.";
            return Ok(part);
        }
    };
    let levels = vec![
        (B4::False, format!("({bottom})")),
        (B4::PresumablyFalse, format!("({violated} && !({bottom}))")),
        (B4::PresumablyTrue, format!("(!{violated} && !({top}))")),
    ];
    let sides: Vec<(bool, Side)> = [(false, good), (true, bad)]
        .into_iter()
        .filter_map(|(negated, side)| Some((negated, side?)))
        .collect();
    Ok(joined(names, property, &sides, levels, too_large + what))
}

fn joined(
    names: &Names,
    property: &Property,
    sides: &[(bool, Side)],
    levels: Vec<(B4, String)>,
    explanation: String,
) -> Part {
    let each = |text: &dyn Fn(&Side) -> String| -> String {
        sides.iter().map(|(_, side)| text(side)).collect()
    };
    let first = |side: &Side| 1u32 << side.automaton.initial();
    let step = each(&|side| side.step(names, &read(&side.variable)));
    let sample = each(&|side| {
        let set = format!("(ba_more ? {} : {}u)", read(&side.variable), first(side));
        side.step(names, &set)
    });
    let concerns = |p: &spec::Proposition| {
        let mut atoms = sides.iter().flat_map(|(_, side)| side.automaton.atoms());
        !names.sampled() && atoms.any(|atom| *atom == p.atom)
    };
    Part {
        every_event: !names.spec.arena.is_next_free(property.root),
        states: sides
            .iter()
            .map(|(_, side)| StateVariable {
                name: side.variable.clone(),
                initial: first(side),
                count: 1 << side.automaton.states().len(),
            })
            .collect(),
        flips: names
            .spec
            .propositions
            .iter()
            .map(|p| match concerns(p) {
                true => (step.clone(), step.clone()),
                false => Default::default(),
            })
            .collect(),
        first: step.clone(),
        sample: match names.sampled() {
            true => sample,
            false => String::new(),
        },
        step,
        levels,
        form: "subset",
        explanation,
        description: sides
            .iter()
            .flat_map(|(negated, side)| side.describe(names, *negated))
            .collect(),
    }
}
