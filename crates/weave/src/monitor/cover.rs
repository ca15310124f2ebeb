//! Covers: values that propositional parts of formulas should have in some run, so that an answer means
//! something (docs/semantics.md, "Vacuity").
//!
//! A cover is asked for only if some part of a formula would be irrelevant without it, and if the formula could hold
//! without it, so a formula such as `G !bad` asks for none. Without threads, a flag is asserted at the end of the run, so that discarded runs do
//! not count. With threads, an assertion at the place where the value appears saves accesses to a shared
//! object, but shows the value in a prefix only.

use ltl::lasso::Letter;
use ltl::{Arena, AtomId, Constant, Id, Node};
use spec::Spec;

use super::{is_timer, GeneralStep, Monitors, Names};
use crate::items::code::{code, Code, Truth};
use crate::items::Variable;

/// A value that a propositional formula should have in some letter of some run.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The formula, as the tool prints it.
    pub text: String,
    /// The value.
    pub value: bool,
    /// The indices of the properties of which a part would be irrelevant without the value.
    pub properties: Vec<usize>,
    /// The formula, in the arena of the specification.
    formula: Id,
}

/// Finds the covers, and adds the statements that notice them to the monitors.
pub(super) fn add(spec: &Spec, names: &Names, threaded: bool, out: &mut Monitors) {
    let mut arena = spec.arena.clone();
    let mut covers: Vec<Cover> = Vec::new();
    for (index, property) in spec.properties.iter().enumerate() {
        for unit in arena.units(property.root) {
            if is_measured(spec, unit) {
                continue;
            }
            for value in [true, false] {
                let without = [Constant {
                    formula: unit,
                    value: !value,
                }];
                let at_start = |letter: &Letter| holds(&spec.arena, unit, letter) == value;
                let start = names.start_of(&spec.arena.atoms_of(unit));
                let start = start.filter(|_| !names.sampled());
                // Without the value the formula would be false, so a formula that holds has it in some letter.
                let implied = arena.under(property.root, &without);
                if start.as_ref().is_some_and(at_start)
                    || matches!(arena.node(implied), Node::False)
                    || arena.vacuous(property.root, &without).is_empty()
                {
                    continue;
                }
                match covers
                    .iter_mut()
                    .find(|c| (c.formula, c.value) == (unit, value))
                {
                    Some(known) => known.properties.push(index),
                    None => covers.push(Cover {
                        text: ltl::print(&spec.arena, unit, ltl::Style::Ascii),
                        value,
                        properties: vec![index],
                        formula: unit,
                    }),
                }
            }
        }
    }
    for (number, cover) in covers.iter().enumerate() {
        notice(spec, names, number, cover, out);
        if !threaded {
            let flag = Variable::unused(format!("_Bool {}", flag(number)));
            out.declarations.push(flag);
        }
    }
    out.covers = covers;
}

/// Whether a timer gives a value in a formula. That a time is never missed is what such a formula asks for.
fn is_measured(spec: &Spec, formula: Id) -> bool {
    let atoms = spec.arena.atoms_of(formula);
    let mut outputs = spec.machine.timers.iter().flat_map(|timer| &timer.outputs);
    outputs.any(|output| atoms.contains(output))
}

/// The variable that tells whether the value of a cover has appeared.
pub(crate) fn flag(number: usize) -> String {
    format!("ba_seen_{number}")
}

/// Adds the statements that notice a value where it may appear.
fn notice(spec: &Spec, names: &Names, number: usize, cover: &Cover, out: &mut Monitors) {
    let atoms = spec.arena.atoms_of(cover.formula);
    let text = |fixed: Option<(AtomId, bool)>| {
        let condition = condition(&spec.arena, cover.formula, names, fixed);
        match (condition, cover.value) {
            (Truth::Is(is), value) if is == value => code!["BA_SEE(", number, "); "],
            (Truth::Is(_), _) => Code::default(),
            (Truth::If(text), true) => code!["if (", text, ") { BA_SEE(", number, "); } "],
            (Truth::If(text), false) => code!["if (!(", text, ")) { BA_SEE(", number, "); } "],
        }
    };
    if names.sampled() {
        out.sample.push(text(None));
        return;
    }
    if names.constant_start().is_none() {
        out.first.push(text(None));
    }
    for (proposition, (rise, fall)) in spec.propositions.iter().zip(&mut out.flips) {
        if atoms.contains(&proposition.atom) {
            rise.push(text(Some((proposition.atom, true))));
            fall.push(text(Some((proposition.atom, false))));
        }
    }
    let used = spec.propositions.iter().enumerate();
    let used = used.filter(|(_, p)| atoms.contains(&p.atom));
    let propositions: Vec<usize> = used.map(|(number, _)| number).collect();
    out.steps.push(GeneralStep {
        every_event: propositions.iter().any(|p| is_timer(spec, *p)),
        propositions,
        text: text(None),
    });
}

/// A propositional formula as a C expression, with the value of one proposition perhaps known. Recursive, since
/// formulas with covers are small.
fn condition(arena: &Arena, id: Id, names: &Names, fixed: Option<(AtomId, bool)>) -> Truth {
    let of = |id: Id| condition(arena, id, names, fixed);
    match arena.node(id) {
        Node::True => Truth::Is(true),
        Node::False => Truth::Is(false),
        Node::Atom(atom) => match fixed {
            Some((known, value)) if known == *atom => Truth::Is(value),
            _ => Truth::If(Code::read(&names.atom(*atom))),
        },
        Node::Not(inner) => not(of(*inner)),
        Node::And(all) => joined(all.iter().map(|&a| of(a)), true),
        Node::Or(all) => joined(all.iter().map(|&a| of(a)), false),
        Node::Implies(a, b) => joined([not(of(*a)), of(*b)].into_iter(), false),
        Node::Iff(a, b) => match (of(*a), of(*b)) {
            (Truth::Is(a), Truth::Is(b)) => Truth::Is(a == b),
            (Truth::Is(true), other) | (other, Truth::Is(true)) => other,
            (Truth::Is(false), other) | (other, Truth::Is(false)) => not(other),
            (Truth::If(a), Truth::If(b)) => Truth::If(code!["!(", a, ") == !(", b, ")"]),
        },
        // A propositional part contains no other operators.
        _ => Truth::Is(false),
    }
}

fn not(known: Truth) -> Truth {
    match known {
        Truth::Is(value) => Truth::Is(!value),
        Truth::If(code) => Truth::If(code!["!(", code, ")"]),
    }
}

/// The conjunction (`and`) or disjunction of all.
fn joined(all: impl Iterator<Item = Truth>, and: bool) -> Truth {
    let mut texts = Vec::new();
    for one in all {
        match one {
            Truth::Is(value) if value == and => {}
            Truth::Is(value) => return Truth::Is(value),
            Truth::If(code) => texts.push(code!["(", code, ")"]),
        }
    }
    match texts.is_empty() {
        true => Truth::Is(and),
        false => Truth::If(Code::join(texts, if and { " && " } else { " || " })),
    }
}

/// The value of a propositional formula in a letter.
fn holds(arena: &Arena, id: Id, letter: &Letter) -> bool {
    let of = |id: Id| holds(arena, id, letter);
    match arena.node(id) {
        Node::True => true,
        Node::Atom(atom) => letter.contains(atom),
        Node::Not(inner) => !of(*inner),
        Node::And(all) => all.iter().all(|&a| of(a)),
        Node::Or(all) => all.iter().any(|&a| of(a)),
        Node::Implies(a, b) => !of(*a) || of(*b),
        Node::Iff(a, b) => of(*a) == of(*b),
        _ => false,
    }
}
