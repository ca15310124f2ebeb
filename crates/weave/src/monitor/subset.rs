//! The fall-back for a deterministic monitor that is too large: the set of states that the runs of a Büchi
//! automaton can be in, one bit per state, computed along the word.
//!
//! It is the deterministic monitor with implicit states. The automaton of the formula decides ⊥ exactly (no run
//! is left), that of the negation ⊤; each of the two decides between the presumable values. If only one of them
//! is small, the other definitive value is found only when a single state accepts all words.

use automata::{translate, Buchi, Guard, Limits, Options, TooLarge};
use ltl::{AtomId, B4};
use spec::Property;

use super::{Names, Part, StateVariable};
use crate::items::code::{code, Code, Truth};
use crate::monitor::buchi::{self, condition};

/// Bits of a state variable.
const MOST_STATES: usize = 32;

/// An automaton all of whose runs are followed.
struct Side {
    automaton: Buchi,
    /// For each state, the letters that are accepted if they are repeated for ever.
    accepted: Vec<Guard>,
    variable: String,
}

impl Side {
    fn new(names: &Names, property: &Property, negated: bool) -> Result<Side, TooLarge> {
        let mut arena = names.alphabet.arena.clone().into_owned();
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

    /// The expression whether a run may be in a state.
    fn is_in(&self, set: &Code, state: usize) -> Code {
        code!["(", set, " & ", 1u32 << state, "u)"]
    }

    /// The assignment of the states after a letter; `set` has the states before.
    fn step(&self, names: &Names, set: &Code) -> Code {
        let count = self.automaton.states().len();
        let mut sources: Vec<Vec<Code>> = vec![Vec::new(); count];
        for (number, row) in self.automaton.states().iter().enumerate() {
            for edge in &row.edges {
                let guard = condition(&edge.guard, names);
                let from = self.is_in(set, number);
                sources[edge.target].push(code!["(", from, " && (", guard, "))"]);
            }
        }
        let bits: Vec<Code> = sources
            .into_iter()
            .enumerate()
            .filter(|(_, edges)| !edges.is_empty())
            .map(|(state, edges)| {
                let any = Code::join(edges, " || ");
                code!["(", any, " ? ", 1u32 << state, "u : 0u)"]
            })
            .collect();
        let next = match bits.is_empty() {
            true => "0".into(),
            false => Code::join(bits, " | "),
        };
        code![&self.variable, " = ", next, "; "]
    }

    /// The expression whether some run accepts if the last letter is repeated for ever.
    fn accepts(&self, names: &Names) -> Code {
        let set = Code::read(&self.variable);
        let states = self.accepted.iter().enumerate();
        let accepting: Vec<Code> = states
            .map(|(state, letters)| (state, condition(letters, names)))
            .filter(|(_, letters)| !letters.is_never())
            .map(|(state, letters)| code!["(", self.is_in(&set, state), " && (", letters, "))"])
            .collect();
        match accepting.is_empty() {
            true => "0".into(),
            false => code!["(", Code::join(accepting, " || "), ")"],
        }
    }

    /// The expression whether no run is left.
    fn is_over(&self) -> Code {
        code![Code::read(&self.variable), " == 0"]
    }

    /// The expression whether some run is in a state that accepts all words.
    fn has_all(&self) -> Result<Code, TooLarge> {
        let tables = self.automaton.tables(&Limits::default())?;
        let states = tables.surely_accept.iter().enumerate();
        let mask = states.fold(0u32, |mask, (state, &all)| mask | u32::from(all) << state);
        Ok(code![
            "(",
            Code::read(&self.variable),
            " & ",
            mask,
            "u) != 0"
        ])
    }

    fn describe(&self, names: &Names, negated: bool) -> Vec<String> {
        let of = if negated { "negation" } else { "formula" };
        let lines = buchi::describe(&self.automaton, names);
        lines.into_iter().map(|l| format!("{of}, {l}")).collect()
    }
}

/// The monitor; `bound` is the bound that the deterministic monitor exceeds.
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
            code!["!", good.accepts(names)],
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
    let levels = [
        (B4::False, code!["(", &bottom, ")"]),
        (
            B4::PresumablyFalse,
            code!["(", &violated, " && !(", bottom, "))"],
        ),
        (
            B4::PresumablyTrue,
            code!["(!", violated, " && !(", top, "))"],
        ),
    ];
    let levels = levels
        .into_iter()
        .map(|(level, code)| (level, Truth::If(code)));
    let levels = levels.collect();
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
    levels: Vec<(B4, Truth)>,
    explanation: String,
) -> Part {
    let each = |text: &dyn Fn(&Side) -> Code| -> Code {
        Code::join(sides.iter().map(|(_, side)| text(side)), "")
    };
    let first = |side: &Side| 1u32 << side.automaton.initial();
    let step = each(&|side| side.step(names, &Code::read(&side.variable)));
    let sample = each(&|side| {
        let before = Code::read(&side.variable);
        let set = code!["(ba_more ? ", before, " : ", first(side), "u)"];
        side.step(names, &set)
    });
    let atoms = sides.iter().flat_map(|(_, side)| side.automaton.atoms());
    let atoms: Vec<AtomId> = atoms.copied().collect();
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
        flips: names.flips_by(&atoms, &step),
        first: step.clone(),
        sample: match names.sampled() {
            true => sample,
            false => Code::default(),
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
