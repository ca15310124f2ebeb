//! How the words of two formulas differ.

use crate::buchi::{over_classes, Buchi};
use crate::compose::product_within;
use crate::degeneralise::{degeneralise, strategies};
use crate::guard::Guard;
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::translate::{Effort, Translation};
use crate::witness::{accepted, witness, Witness};
use ltl::{Arena, Id, Node};

/// How the words of two formulas differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// A short word that satisfies the first formula and not the second; `None` if the first implies the second.
    pub first_only: Option<Witness>,
    /// A short word that satisfies the second formula and not the first; `None` if the second implies the first.
    pub second_only: Option<Witness>,
}

/// The most states of the intersection of two automata.
const MOST_STATES: usize = 200_000;

/// Intersections up to this size leave it to the formula of both to give the word: it may be decided by its beginning.
const SMALL: usize = 300;

/// Compares two formulas of an arena over the allowed letters.
///
/// # Errors
/// The bound that they exceed.
pub fn compare(
    arena: &mut Arena,
    first: Id,
    second: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Result<Comparison, TooLarge> {
    let each = [first, second].map(|root| Both::of(arena, root, constraints, limits));
    let [Ok(one), Ok(two)] = &each else {
        // Together they may be smaller than each of them.
        return Ok(Comparison {
            first_only: only(arena, first, second, constraints, limits)?,
            second_only: only(arena, second, first, constraints, limits)?,
        });
    };
    // Conditions of the two may exclude each other.
    let mut atoms = arena.atoms_of(first);
    atoms.extend(arena.atoms_of(second));
    atoms.sort_unstable();
    atoms.dedup();
    let allowed = letters_over(arena, &atoms, constraints, limits)?;
    let mut word = |this: Id, other: Id, common: Result<Buchi, TooLarge>| match common {
        Ok(common) if common.edge_count() == 0 => Ok(None),
        Ok(common) if common.states().len() > SMALL => Ok(accepted(&common, 0)),
        Ok(common) => {
            only(arena, this, other, constraints, limits).or_else(|_| Ok(accepted(&common, 0)))
        }
        Err(_) => only(arena, this, other, constraints, limits),
    };
    let first_only = common(&one.formula, &two.negation, &allowed, limits);
    let second_only = common(&two.formula, &one.negation, &allowed, limits);
    Ok(Comparison {
        first_only: word(first, second, first_only)?,
        second_only: word(second, first, second_only)?,
    })
}

/// A word that satisfies one formula and not the other.
fn only(
    arena: &mut Arena,
    this: Id,
    other: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Result<Option<Witness>, TooLarge> {
    let other = arena.negate(other);
    let both = arena.make(Node::And(vec![this, other]));
    witness(arena, both, constraints, limits)
}

/// The automata of a formula and of its negation.
struct Both {
    formula: Buchi,
    negation: Buchi,
}

impl Both {
    fn of(arena: &Arena, root: Id, constraints: &[Id], limits: &Limits) -> Result<Both, TooLarge> {
        let translation = Translation::new(arena, root, constraints, limits, Effort::One)?;
        Ok(Both {
            formula: Buchi::of_translation(&translation, true)?,
            negation: Buchi::of_translation(&translation, false)?,
        })
    }
}

/// The automaton of the words over the allowed letters that both accept.
fn common(one: &Buchi, other: &Buchi, allowed: &Guard, limits: &Limits) -> Result<Buchi, TooLarge> {
    let (both, alphabet) = over_classes(&[one, other], allowed, limits)?;
    let too_large = TooLarge {
        what: "states of a product of automata",
        limit: MOST_STATES,
    };
    let [one, other] = both.as_slice() else {
        return Err(too_large);
    };
    let product = product_within(one, other, false, MOST_STATES).ok_or(too_large)?;
    let strategy = strategies(&product).swap_remove(0);
    Ok(Buchi::of_tgba(
        &degeneralise(&product, &strategy),
        &alphabet,
    ))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Whether some word satisfies only the first, and whether some satisfies only the second.
    fn relation(first: &str, second: &str) -> (bool, bool) {
        let mut parsed = ltl::parse(first).unwrap();
        let other = ltl::parse_into(&mut parsed.arena, second, None).unwrap();
        let (arena, first) = (&mut parsed.arena, parsed.root);
        let all = arena.make(Node::And(vec![first, other.root]));
        let constraints = crate::conditions::constraints_of(arena, all);
        let limits = Limits::default();
        let found = compare(arena, first, other.root, &constraints, &limits).unwrap();
        for (word, yes, no) in [
            (&found.first_only, first, other.root),
            (&found.second_only, other.root, first),
        ] {
            if let Some(Witness::Lasso { prefix, cycle, .. }) = word {
                let word = ltl::lasso::Lasso::new(prefix.clone(), cycle.clone()).unwrap();
                assert!(word.satisfies(arena, yes) && !word.satisfies(arena, no));
            }
        }
        (found.first_only.is_some(), found.second_only.is_some())
    }

    #[test]
    fn comparisons_have_a_word_each_way() {
        assert_eq!(relation("G(p -> F q)", "G(F q || !p)"), (false, false));
        assert_eq!(relation("G p", "F p"), (false, true));
        assert_eq!(relation("p U q", "p W q"), (false, true));
        assert_eq!(relation("F p", "F q"), (true, true));
        assert_eq!(relation("F[<=3] p", "F[<=2] p"), (true, false));
        assert_eq!(
            relation("G(q -> O p)", "p R !q || G !q || F p"),
            (false, true)
        );
    }

    /// The formula of both would have too many states.
    #[test]
    fn long_intervals_are_compared() {
        for (first, second, expected) in [
            ("G(p -> F[<=50] q)", "G(p -> F[<=60] q)", (false, true)),
            ("G[<=200] p", "G[<=100] p", (false, true)),
            ("G[<=200] p", "G[<=200] p || G p", (false, false)),
            ("G(p -> G[<=200] q)", "G(O[<=200] p -> q)", (false, false)),
            (
                "(p -> F[<=50] q) && G(!p -> X(p -> F[<=50] q))",
                "G(p && !Y p -> F[<=51] q)",
                (false, true),
            ),
            ("G[<=200] {x > 3}", "G[<=200] !{x < 2}", (false, true)),
        ] {
            assert_eq!(relation(first, second), expected, "{first} {second}");
        }
    }
}
