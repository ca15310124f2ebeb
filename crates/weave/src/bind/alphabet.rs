//! The letters that can occur: constraints that the specification declares, and constraints inferred from
//! several conditions over the same object.

use std::borrow::Cow;
use std::collections::BTreeMap;

use automata::conditions::{impossible, never, CCondition};
use automata::Cube;
use ltl::{Arena, Id};
use spec::{Property, Spec};

use crate::bind::expression::{Leaf, Piece};
use crate::bind::propositions::Proposition;
use crate::facts::names::USER;
use crate::facts::{Facts, Lifetime};

/// The possible letters of one property's words.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet<'a> {
    /// The specification's arena, with the inferred formulas added if there are any: a large specification has as many
    /// alphabets as properties.
    pub arena: Cow<'a, Arena>,
    /// Propositional formulas that hold in every letter.
    pub constraints: Vec<Id>,
    /// The inferred constraints, a line each, for people.
    pub inferred: Vec<String>,
}

impl Alphabet<'_> {
    /// A formula of the arena as text that does not depend on the declared propositions.
    pub fn print(&self, root: Id) -> String {
        ltl::print(&self.arena, root, ltl::Style::Ascii)
    }

    /// The constraints as text.
    pub fn printed_constraints(&self) -> Vec<String> {
        self.constraints.iter().map(|&c| self.print(c)).collect()
    }
}

/// The possible letters of a property's words: declared constraints, and inferred ones.
pub(crate) fn of<'a>(
    spec: &'a Spec,
    property: &Property,
    propositions: &[Proposition],
    facts: &Facts,
    values: &Constants<'_>,
) -> Alphabet<'a> {
    let mut arena = Cow::Borrowed(&spec.arena);
    let mut constraints: Vec<Id> = spec.alphabet.iter().map(|f| f.root).collect();
    let cubes = inferred(spec, property, propositions, (facts, values));
    let lines = cubes.iter().map(|cube| together(&arena, cube)).collect();
    if !cubes.is_empty() {
        constraints.extend(never(arena.to_mut(), &cubes));
    }
    Alphabet {
        arena,
        constraints,
        inferred: lines,
    }
}

/// The declared constraints as a sentence for the report; nothing if there are none.
pub(crate) fn assumptions(spec: &Spec) -> Vec<String> {
    let all: Vec<&str> = spec.alphabet.iter().map(|f| &*f.text).collect();
    let hold = match all.len() {
        0 => return Vec::new(),
        1 => "always holds",
        _ => "always hold",
    };
    vec![format!(
        "the specification's alphabet: {} {hold}",
        all.join(", ")
    )]
}

fn together(arena: &Arena, cube: &Cube) -> String {
    let literals = cube.iter().map(|&(atom, value)| {
        let guard = automata::Guard::literal(atom, value);
        guard.map_or_else(String::new, |guard| guard.display(arena))
    });
    let literals: Vec<String> = literals.collect();
    format!("never at once: {}", literals.join(", "))
}

/// The conjunctions of the property's propositions that never hold. The inference is sound because all
/// propositions that read an object are evaluated at once whenever it is written.
fn inferred(
    spec: &Spec,
    property: &Property,
    propositions: &[Proposition],
    (facts, values): (&Facts, &Constants<'_>),
) -> Vec<Cube> {
    let mut leaves = Vec::new();
    let used = spec.arena.atoms_of(property.root);
    let pairs = spec.propositions.iter().zip(propositions);
    let texts: Vec<(ltl::AtomId, String, Option<bool>)> = pairs
        .filter(|(wanted, proposition)| {
            let compares = || spec.machine.read_by(wanted.atom).next().is_some();
            used.contains(&wanted.atom)
                && !compares()
                && proposition.objects.iter().all(|&o| is_one(facts, o))
        })
        .map(|(wanted, proposition)| {
            let outside = proposition.area.map(|_| proposition.default);
            (
                wanted.atom,
                text(&proposition.evaluation, values, &mut leaves),
                outside,
            )
        })
        .collect();
    let conditions: Vec<CCondition<'_>> = texts
        .iter()
        .map(|(atom, text, outside)| CCondition {
            atom: *atom,
            text,
            outside: *outside,
        })
        .collect();
    impossible(&conditions, &|path| is_integer(&leaves, path))
}

/// Whether the program has exactly one such object, so that all conditions read the same one.
fn is_one(facts: &Facts, object: usize) -> bool {
    facts
        .objects
        .get(object)
        .is_some_and(|o| matches!(o.lifetime, Lifetime::Static | Lifetime::StaticLocal(_)))
}

/// Whether a leaf is a scalar of an integer type, in an object or a part of one.
fn is_integer(leaves: &[Leaf], path: &str) -> bool {
    let number = path.strip_prefix('@').and_then(|n| n.parse::<usize>().ok());
    let leaf = number.and_then(|n| leaves.get(n));
    let ty = leaf.and_then(|leaf| leaf.value_type.as_deref());
    ty.is_some_and(|ty| {
        let word = |w: &str| ty.split_whitespace().any(|t| t == w);
        !word("float") && !word("double") && !ty.contains('*') && !word("void")
    })
}

/// Values of names in conditions.
pub(crate) type Constants<'a> = BTreeMap<&'a str, String>;

/// The values of enumeration constants, and of macros that expand to a number.
pub(crate) fn constants(facts: &Facts) -> Constants<'_> {
    let macros = facts.macros.plain.iter().filter_map(|(name, value)| {
        let value = value.trim_matches(['(', ')', ' ']);
        let number = value.strip_prefix('-').unwrap_or(value);
        let plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        plain.then(|| (name.as_str(), value.to_owned()))
    });
    let enumerated = facts
        .constant_values
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_string()));
    macros.chain(enumerated).collect()
}

/// A condition as text with numbers for constants and `@number` for objects and parts of them; the numbers are
/// indices into `leaves`.
fn text(evaluation: &[Piece], constants: &Constants<'_>, leaves: &mut Vec<Leaf>) -> String {
    let mut text = String::new();
    for piece in evaluation {
        match piece {
            Piece::Leaf(leaf) => {
                let known = leaves.iter().position(|l| l == leaf);
                let number = known.unwrap_or_else(|| {
                    leaves.push(leaf.clone());
                    leaves.len() - 1
                });
                text.push_str(&format!("@{number}"));
            }
            Piece::Text(piece) => {
                let piece = piece.replace(USER, "");
                text.push_str(constants.get(piece.as_str()).unwrap_or(&piece));
            }
        }
    }
    text
}
