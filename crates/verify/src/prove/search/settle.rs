//! Dropping candidates until the rest is inductive, all at once or, where that is too hard, a few at a time.
//!
//! What is hard for a SAT solver is often only that many claims are asked about together: that each of ten bins, counted by a computed
//! index, is no greater than the number of samples takes it eight seconds in one question, and a tenth of a second for four of them.

use std::time::Duration;

use backend::{Selection, Traces};
use induction::emit::{Queries, PREFIX};
use induction::houdini::Claim;

use super::{Said, Search, NOT_FOLLOWED};

/// The greatest number of rounds that drop candidates; each round drops at least one.
const ROUNDS: usize = 60;
/// The most candidates that are asked about in parts.
const FEW: usize = 80;
/// The candidates of a part.
const PART: usize = 4;
/// The fraction (1/SOON) of the remaining time for a question that can be asked in parts, and the least and the usual time.
const SOON: u32 = 15;
const LEAST: Duration = Duration::from_secs(2);
const USUAL: Duration = Duration::from_secs(4);

impl Search<'_> {
    /// Drops candidates until the remaining ones are inductive. Returns the answers of the last
    /// run, which also asked for pairs of heads.
    pub(super) fn settle(&mut self) -> Result<Said, String> {
        let pairs = self.pairs();
        // A bound of questions is asked for where the machine's speed shall make no difference.
        let calls = self.system.cuts.iter().any(|cut| cut.entry.is_some());
        let mut can_part = !self.patient && !calls && self.limits.questions.is_none();
        for round in 1..=ROUNDS {
            (self.told)(&format!(
                "induction, round {round}: {} candidates",
                self.claims.len()
            ));
            let queries = Queries {
                edges: pairs.clone(),
                ..Queries::default()
            };
            let open = self.still_open();
            self.hurries = can_part && open.len() <= FEW;
            let parts = self.hurries;
            let said = self.ask(&queries);
            self.hurries = false;
            let said = match said {
                Err(why) if self.is_over() => {
                    let left = self.claims.len();
                    return Err(format!("{why} with {left} candidates for invariants"));
                }
                Err(why) if parts && !why.starts_with(NOT_FOLLOWED) => {
                    can_part = false;
                    self.settle_in_parts()?;
                    continue;
                }
                said => said?,
            };
            let failed: Vec<usize> = open
                .into_iter()
                .filter(|i| !said.holds(&format!("claim:{i}")))
                .collect();
            // Answers have no assertions of heads that are never reached.
            let failed: Vec<usize> = failed
                .into_iter()
                .filter(|&i| self.is_told(&said, i))
                .collect();
            if failed.is_empty() {
                self.claims.settle();
                self.settled = true;
                return Ok(said);
            }
            failed
                .into_iter()
                .for_each(|i| self.claims.drop_candidate(i));
        }
        Err("the candidates for invariants did not settle".into())
    }

    /// Whether the model checker saw the head of a candidate as part of the program.
    fn is_told(&self, said: &Said, candidate: usize) -> bool {
        let mut left = self.claims.left();
        let found = left.find(|(i, _)| *i == candidate).map(|(_, c)| c);
        let number = found
            .map(|c| self.system.cuts[c.cut].number)
            .unwrap_or_default();
        let left_claim = found.map(|c| &c.claim);
        let about_returns = left_claim.is_some_and(|c| matches!(c, Claim::Returns(_)));
        let place = match about_returns {
            true => "returns",
            false => "arrives",
        };
        said.fails(&format!("{place}:{number}")) || said.fails(&format!("claim:{candidate}"))
    }

    /// The candidates that are neither dropped nor shown.
    fn still_open(&self) -> Vec<usize> {
        let left = self.claims.left().map(|(i, _)| i);
        left.filter(|i| self.claims.is_open(*i)).collect()
    }

    /// The time of a question that can be asked in parts.
    pub(super) fn soon(&self) -> Duration {
        self.left().map_or(USUAL, |left| (left / SOON).max(LEAST))
    }

    /// Drops candidates until the remaining ones are inductive, and asks about a few at a time: each part is asserted while all are
    /// assumed, and the last pass drops none. That no loop goes round too often is asked afterwards, with everything else.
    fn settle_in_parts(&mut self) -> Result<(), String> {
        for _ in 0..ROUNDS {
            let open = self.still_open();
            let mut failed = Vec::new();
            for part in open.chunks(PART) {
                let (asked, all) = (part.len(), open.len());
                (self.told)(&format!("induction: {asked} of {all} candidates"));
                let said = self.ask_only(part)?;
                let fails =
                    |i: &&usize| !said.holds(&format!("claim:{i}")) && self.is_told(&said, **i);
                failed.extend(part.iter().filter(fails).copied());
            }
            if failed.is_empty() {
                self.claims.settle();
                return Ok(());
            }
            failed
                .into_iter()
                .for_each(|i| self.claims.drop_candidate(i));
        }
        Err("the candidates for invariants did not settle".into())
    }

    /// The answers about these candidates.
    fn ask_only(&mut self, candidates: &[usize]) -> Result<Said, String> {
        let heads = self.system.cuts.iter();
        let heads = heads.map(|cut| format!("{PREFIX}arrives:{}", cut.number));
        let claims = candidates.iter().map(|i| format!("{PREFIX}claim:{i}"));
        let wanted = Selection::Only(heads.chain(claims).collect());
        self.run_once(&Queries::default(), (wanted, Traces::None), false)
    }
}
