//! Tries ranking functions until no violating infinite path is left.

use std::collections::BTreeSet;

use induction::emit::{Pattern, Queries};
use induction::rank::Rank;
use induction::ranking::{Change, Edge};

use super::{Attempt, Search};

/// The greatest number of lexicographic functions of one length; each component decides where the
/// ones before it stay.
const PAIRS: usize = 600;
/// The greatest number of components of a lexicographic function.
const LONGEST: usize = 3;

impl Search<'_> {
    /// Tries functions level by level, then lexicographic combinations of those that stay. A level
    /// that takes too long is skipped.
    pub(super) fn close(
        &mut self,
        attempt: &mut Attempt,
        levels: &[Vec<Rank>],
    ) -> Result<bool, String> {
        for level in levels {
            if self.try_level(attempt, level)? {
                return Ok(true);
            }
        }
        // Along one edge for several branches, a function may stay on some branches and decrease on
        // others.
        for length in 1..LONGEST {
            let longer = self.longer(attempt, length);
            if longer.is_empty() || attempt.open().is_empty() {
                break;
            }
            if self.try_level(attempt, &longer)? {
                return Ok(true);
            }
        }
        Ok(attempt.open().is_empty())
    }

    /// Lexicographic functions: each extends by one component a function of this length that stays
    /// along all open edges.
    fn longer(&self, attempt: &Attempt, length: usize) -> Vec<Rank> {
        // The monitor's own state decides nothing where the program's state does not.
        let system = &self.system;
        let own = |r: &&Rank| {
            let mut all = r.variables().into_iter();
            all.all(|v| system.variables[v].is_of_program())
        };
        let stay: Vec<&Rank> = attempt
            .staying()
            .into_iter()
            .map(|f| &attempt.ranks[f])
            .collect();
        // A function that neither decreases nor grows anywhere decides nothing.
        let moves = |r: &&Rank| !(stay.contains(r) && stay.contains(&&r.negated()));
        let first = stay.iter().copied().filter(|r| r.length() == length);
        let first: Vec<&Rank> = first.filter(own).filter(moves).collect();
        let simple = attempt.ranks.iter().filter(|r| r.length() == 1);
        let simple = simple.filter(own).filter(moves);
        let all = simple.flat_map(|then| first.iter().map(move |f| (*f, then)));
        let new = all.filter(|(f, then)| !f.contains(then));
        new.map(|(f, then)| f.before(then)).take(PAIRS).collect()
    }

    fn try_level(&mut self, attempt: &mut Attempt, level: &[Rank]) -> Result<bool, String> {
        let open: BTreeSet<Edge> = attempt.open().into_iter().collect();
        if open.is_empty() {
            return Ok(true);
        }
        // A function must be known along all edges of a component, also those that other functions
        // exclude.
        if attempt.wanted.is_empty() {
            attempt.wanted = open.into_iter().collect();
        }
        let first = attempt.ranks.len();
        self.patient = attempt.ranks.is_empty();
        let found = self.changes(&attempt.wanted, level);
        self.patient = true;
        match found {
            Ok(found) => attempt
                .changes
                .extend(found.into_iter().map(|((f, e), c)| ((first + f, e), c))),
            Err(why) if first == 0 || self.is_over() => return Err(why),
            Err(_) => return Ok(false),
        }
        attempt.ranks.extend(level.iter().cloned());
        attempt.argue();
        self.ground(attempt)
    }

    /// A signed integer that only grows would overflow at some time, which C does not define. Its
    /// greatest value is no reason for a loop to end, so such functions do not count as decreasing.
    /// Returns whether the argument holds without them.
    fn ground(&mut self, attempt: &mut Attempt) -> Result<bool, String> {
        loop {
            if !attempt.open().is_empty() {
                return Ok(false);
            }
            let asked = attempt.not_grounded(&self.system);
            if asked.is_empty() {
                return Ok(true);
            }
            let edges: BTreeSet<Edge> = asked.iter().map(|(_, e)| *e).collect();
            let edges: Vec<Edge> = edges.into_iter().collect();
            let number = |e: &Edge| edges.binary_search(e).unwrap_or_default();
            let said = self.ask(&Queries {
                edges: edges.iter().map(|e| Pattern::from(*e)).collect(),
                ranks: attempt.ranks.clone(),
                grounded: asked.iter().map(|(f, e)| (*f, number(e))).collect(),
                claims_are_known: true,
                forbidden_is_known: true,
                ..Queries::default()
            })?;
            for (f, e) in asked {
                if said.holds(&format!("grounded:{f}:{}", number(&e))) {
                    attempt.grounded.insert((f, e));
                } else {
                    attempt.changes.insert((f, e), Change::Stays);
                    attempt.overflows = true;
                }
            }
            attempt.argue();
        }
    }
}
