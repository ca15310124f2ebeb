//! Invariants from a step that fails: the state from which it begins is excluded by clauses, if these are inductive, perhaps
//! together with clauses that exclude the states from which that state is reached.

use std::collections::BTreeSet;

use backend::{StepKind, TraceStep};
use induction::candidates::clauses::{Clause, State};
use induction::candidates::vocabulary::Vocabulary;
use induction::emit::{self, Flipped, Pattern, Queries, States, PREFIX};
use induction::houdini::Candidate;

use super::combine::codes;
use super::ways::Share;
use super::{Said, Search};
use crate::prove::Proof;

/// The most states that are excluded for one failing step, one leading to the other.
const CHAIN: usize = 24;
/// The most steps that are looked at in one go.
const STEPS: usize = 8;

/// The most times that something is excluded.
const ROUNDS: usize = 60;

impl Search<'_> {
    /// Excludes the states from which obligations fail, and those at which edges begin that no ranking function excludes,
    /// as long as some can be excluded. The inner error names the obligation that resists; there is none where what resisted
    /// before resists again, or only edges are open and the step may use little.
    pub(super) fn strengthen(
        &mut self,
        share: Share,
    ) -> Result<Option<Result<Proof, String>>, String> {
        self.allowed = self.allowed(share);
        self.k = 1;
        let mut said = self.settle()?;
        if share == Share::Little && self.obligations(&said).is_ok() {
            return Ok(None);
        }
        let mut why = String::new();
        // The step before has found out which edges are open.
        let mut known = !self.open.is_empty();
        for _ in 0..ROUNDS {
            let excluded = match self.obligations(&said) {
                Err(resists) => {
                    (why, known) = (resists, false);
                    let failing = self.failing(&said);
                    self.exclude(&Queries::default(), &failing)?
                }
                Ok(()) => {
                    if !std::mem::take(&mut known) {
                        match self.infinite(&said)? {
                            Ok(proof) => return Ok(Some(Ok(proof))),
                            Err(resists) => why = resists,
                        }
                    }
                    self.exclude_edges()?
                }
            };
            match excluded {
                Some(new) => said = new,
                None => break,
            }
        }
        // Otherwise the edges of the step before are still open, which it has said.
        Ok((!why.is_empty()).then_some(Err(why)))
    }

    /// Excludes states at which open edges begin.
    fn exclude_edges(&mut self) -> Result<Option<Said>, String> {
        for edges in self.open.clone().chunks(STEPS) {
            let queries = Queries {
                edges: edges.iter().map(|e| Pattern::from(*e)).collect(),
                ..Queries::default()
            };
            let failing: Vec<String> = (0..edges.len()).map(|n| format!("edge:{n}")).collect();
            if let Some(said) = self.exclude(&queries, &failing)? {
                return Ok(Some(said));
            }
        }
        Ok(None)
    }

    /// Looks for clauses that exclude the states from which some of these assertions of the queries fail. Returns the answers
    /// of the run that shows that they are inductive, or none if nothing is excluded.
    fn exclude(&mut self, queries: &Queries, failing: &[String]) -> Result<Option<Said>, String> {
        self.tried(|search| {
            let wanted = search.before_failing(queries, failing)?;
            search.exclude_one_of(&wanted)
        })
    }

    fn exclude_one_of(&mut self, wanted: &BTreeSet<State>) -> Result<Option<Said>, String> {
        let mut pool: Vec<State> = Vec::new();
        let mut new: Vec<State> = wanted.iter().cloned().collect();
        let before = self.claims.clone();
        while !new.is_empty() && pool.len() < CHAIN && !self.exceeds(self.allowed) {
            pool.append(&mut new);
            (self.told)(&format!("clauses that exclude {} states", pool.len()));
            let clauses: Vec<Vec<Clause>> = pool.iter().map(State::clauses).collect();
            self.claims = before.clone();
            self.claims.forget_dropped();
            for clause in clauses.iter().flatten() {
                self.claims.add(clause.candidate());
            }
            let said = self.settle()?;
            let claims: BTreeSet<&Candidate> = self.claims.left().map(|(_, c)| c).collect();
            let all = clauses.iter().flatten();
            let left: BTreeSet<Clause> = all
                .filter(|c| claims.contains(&c.candidate()))
                .cloned()
                .collect();
            let each = pool.iter().zip(&clauses);
            let reached: Vec<State> = each
                .filter(|(_, all)| !all.iter().any(|c| left.contains(c)))
                .map(|(state, _)| state.clone())
                .collect();
            if wanted.iter().any(|w| !reached.contains(w)) {
                self.only_strongest(&left);
                return Ok(Some(said));
            }
            let found = self.before_states(&reached)?;
            let known = |s: &State| pool.iter().any(|p| p.covers(s));
            new = found.into_iter().filter(|s| !known(s)).collect();
        }
        Ok(None)
    }

    /// Drops the clauses that others imply.
    fn only_strongest(&mut self, clauses: &BTreeSet<Clause>) {
        let implied = |c: &&Clause| clauses.iter().any(|other| other.is_stronger(c));
        let implied: BTreeSet<_> = clauses
            .iter()
            .filter(implied)
            .map(Clause::candidate)
            .collect();
        let numbers = self.claims.left().filter(|(_, c)| implied.contains(c));
        let numbers: Vec<usize> = numbers.map(|(i, _)| i).collect();
        numbers
            .into_iter()
            .for_each(|i| self.claims.drop_candidate(i));
    }

    /// The states from which a step leads to one of these.
    fn before_states(&mut self, states: &[State]) -> Result<BTreeSet<State>, String> {
        let queries = Queries {
            states: States {
                targets: states.iter().map(|s| (s.head, s.condition())).collect(),
                ..States::default()
            },
            ..Queries::default()
        };
        let failing: Vec<String> = (0..states.len()).map(|n| format!("state:{n}")).collect();
        self.before_failing(&queries, &failing)
    }

    /// The states behind a head from which these assertions fail, without those that fail from the start of the program.
    fn before_failing(
        &mut self,
        queries: &Queries,
        failing: &[String],
    ) -> Result<BTreeSet<State>, String> {
        let all = 0..self.system.cuts.len();
        let vocabularies: Vec<Vocabulary> = all
            .map(|h| Vocabulary::of(&self.system, &self.task.hints, &self.claims, h))
            .collect();
        let queries = Queries {
            claims_are_known: true,
            states: States {
                watched: vocabularies.iter().map(Vocabulary::codes).collect(),
                ..queries.states.clone()
            },
            ..queries.clone()
        };
        let texts = failing
            .iter()
            .take(STEPS)
            .map(|text| format!("{PREFIX}{text}"));
        let said = self.ask_for_traces(&queries, texts.collect())?;
        let traces = said.answer.traces.iter();
        let found = traces.filter_map(|(text, t)| Some((text, last(t, &vocabularies)?)));
        let mut all = BTreeSet::new();
        for (text, mut state) in found {
            // Of other assertions it is not asked what about a state makes them fail.
            let text = text.trim_start_matches(PREFIX);
            if ["forbidden:", "state:", "edge:"]
                .iter()
                .any(|kind| text.starts_with(kind))
            {
                self.sort(&queries, text, &mut state)?;
            }
            all.insert(state);
        }
        Ok(all)
    }

    /// Puts the literals of a state in front without which this assertion does not fail.
    fn sort(&mut self, queries: &Queries, text: &str, state: &mut State) -> Result<(), String> {
        let queries = Queries {
            states: States {
                watched: Vec::new(),
                flipped: Some(Flipped {
                    head: state.head,
                    conditions: state.literals.clone(),
                    text: text.to_string(),
                }),
                ..queries.states.clone()
            },
            ..queries.clone()
        };
        let said = self.ask(&queries)?;
        state.sort(|n| said.holds(&format!("flipped:{}", n + 1)));
        Ok(())
    }
}

/// The state behind the last head that a trace leaves.
fn last(trace: &[TraceStep], vocabularies: &[Vocabulary]) -> Option<State> {
    let from = trace.iter().rev().find_map(|step| match &step.kind {
        StepKind::Assignment { lhs, value } if lhs == emit::FROM => value.number,
        _ => None,
    });
    let head = usize::try_from(from?).ok()?.checked_sub(1)?;
    let vocabulary = vocabularies.get(head)?;
    let codes = codes(trace, emit::BEHIND, head, vocabulary.len());
    let state = State::of(vocabulary, head, &codes);
    (!state.literals.is_empty()).then_some(state)
}
