//! Equations of sums, asserted as equations of what the summands have gained since the head before.
//!
//! An equation that was assumed at the head before holds of the values there, so that it holds now if and only if both sides have
//! gained the same since, modulo 2^32. Nothing is believed for it: where the run comes from a head without this claim, or from the
//! start of the program, the equation itself is asserted. Where an amount moves between two of five elements with computed indices, this
//! question takes a SAT solver a second, and that about the whole sum half a minute.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::houdini::{unsigned, Balance, Claim, Houdini};

/// The equations that are claimed at some heads.
pub(super) struct Sums<'a> {
    /// Each with the heads, by index, where it is assumed.
    heads: BTreeMap<&'a Balance, BTreeSet<usize>>,
    /// Their sides, each with its number.
    sides: BTreeMap<&'a str, usize>,
}

/// The variable with the value that a side had at the head before.
fn before(number: usize) -> String {
    format!("ba_term_{number}")
}

impl Sums<'_> {
    /// Those of the remaining claims.
    pub(super) fn of(claims: &Houdini) -> Sums<'_> {
        let mut heads: BTreeMap<&Balance, BTreeSet<usize>> = BTreeMap::new();
        for (_, candidate) in claims.left() {
            if let Claim::Sum(balance) = &candidate.claim {
                heads.entry(balance).or_default().insert(candidate.cut);
            }
        }
        let sides: BTreeSet<&str> = heads.keys().flat_map(|b| b.sides()).collect();
        Sums {
            heads,
            sides: sides.into_iter().zip(0..).collect(),
        }
    }

    /// The declarations of the variables that remember the sides.
    pub(super) fn declarations(&self) -> String {
        let numbers = self.sides.values();
        numbers
            .map(|number| format!("static unsigned {};\n", before(*number)))
            .collect()
    }

    /// The statements that remember the sides of the equations that are assumed at a head.
    pub(super) fn remembered(&self, head: usize) -> String {
        let here = self.heads.iter().filter(|(_, at)| at.contains(&head));
        let here: BTreeSet<&str> = here.flat_map(|(b, _)| b.sides()).collect();
        let mut out = String::new();
        for (side, number) in self.sides.iter().filter(|(side, _)| here.contains(*side)) {
            let _ = write!(out, "{} = {}; ", before(*number), unsigned(side));
        }
        out
    }

    /// The condition that is asserted for an equation.
    pub(super) fn asserted(&self, balance: &Balance) -> String {
        let numbers = balance.sides().map(|side| self.sides.get(side).copied());
        let numbers: Option<Vec<usize>> = numbers.collect();
        let (Some(numbers), Some(heads)) = (numbers, self.heads.get(balance)) else {
            return balance.condition();
        };
        let from: Vec<String> = heads
            .iter()
            .map(|h| format!("ba_from == {}", h + 1))
            .collect();
        format!(
            "({}) ? {} : {}",
            from.join(" || "),
            balance.gained(&|n| before(numbers[n])),
            balance.condition()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::houdini::Candidate;

    #[test]
    fn what_is_gained_is_asserted_only_behind_heads_with_the_same_claim() {
        let balance = |total: &str| Balance {
            terms: vec!["a[0]".to_string(), "s ? x : 0".to_string()],
            total: total.to_string(),
        };
        let mut claims = Houdini::default();
        for (cut, total) in [(0, "t"), (2, "t"), (1, "9")] {
            claims.add(Candidate {
                cut,
                claim: Claim::Sum(balance(total)),
            });
        }
        let sums = Sums::of(&claims);
        assert_eq!(
            sums.asserted(&balance("t")),
            "(ba_from == 1 || ba_from == 3) ? ((unsigned)a[0] - ba_term_1) + ((unsigned)(s ? x : 0) - ba_term_2) \
             == ((unsigned)t - ba_term_3) : (unsigned)a[0] + (unsigned)(s ? x : 0) == (unsigned)t"
        );
        assert_eq!(
            sums.remembered(1),
            "ba_term_0 = (unsigned)9; ba_term_1 = (unsigned)a[0]; ba_term_2 = (unsigned)(s ? x : 0); "
        );
        claims.drop_candidate(1);
        let asserted = Sums::of(&claims).asserted(&balance("t"));
        assert!(asserted.starts_with("(ba_from == 1) ? "), "{asserted}");
    }
}
