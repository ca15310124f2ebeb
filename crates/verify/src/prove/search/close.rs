//! Functions are tried until no infinite run is left that would violate the formula.

use std::collections::BTreeSet;

use induction::emit::{Pattern, Queries};
use induction::rank::Rank;
use induction::ranking::{Change, Edge};

use super::{Attempt, Search};

/// Functions of one length in the lexicographic order, one deciding where the others stay as they are, at most.
const PAIRS: usize = 600;
/// The greatest length of them.
const LONGEST: usize = 3;

impl Search<'_> {
    /// Tries functions in their levels, then those of them that stay, in the lexicographic order. A level that takes too
    /// long says nothing.
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
        // Along one edge of several branches a function may stay in some and fall in others.
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

    /// Functions in the lexicographic order, one longer than those of a length that stay along all open edges.
    fn longer(&self, attempt: &Attempt, length: usize) -> Vec<Rank> {
        // The monitor's own state decides nothing where the program's does not.
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
        // What neither falls nor grows anywhere decides nothing either.
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
        // A function has to be known along all edges of a component, those that others take away, too.
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

    /// A signed integer that only grows would overflow some day, which C does not define: that it has a greatest value is no
    /// reason for a loop to end. Such functions do not count as falling. Gives whether the argument is closed without them.
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
