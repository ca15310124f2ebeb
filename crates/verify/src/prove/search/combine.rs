//! Invariants that list the combinations of values in which heads are reached: those that a run reaches are found step by step, each
//! by the failing assertion that there are no others (predicate abstraction: Graf and Saïdi, CAV 1997).

use std::collections::{BTreeMap, BTreeSet};

use backend::{StepKind, TraceStep};
use induction::candidates::vocabulary::Vocabulary;
use induction::candidates::{self, Stage};
use induction::emit::{self, Combinations, Queries, States, PREFIX};
use induction::houdini::{Candidate, Claim};

use super::ways::{Combine, Combined, Reached, Share};
use super::{Said, Search};

/// The most things of which combinations are found.
const GROUPS: usize = 64;
/// The most combinations of one head by which its visits are told apart.
const PHASES: usize = 64;

impl Search<'_> {
    /// Finds the combinations in which heads are reached, and makes an invariant of them. Returns the answers of the run that shows it; none
    /// if there are too many, if finding them takes too long, or if nothing new comes of it.
    pub(super) fn combine(&mut self, combine: Combine) -> Result<Option<Said>, String> {
        if self.combined.is_some() && combine == Combine::Many {
            return Ok(None);
        }
        let of = match combine {
            Combine::Few | Combine::Many => Vocabulary::few,
            Combine::Conditions => Vocabulary::of,
        };
        let heads = 0..self.system.cuts.len();
        let vocabularies: Vec<Vocabulary> = heads
            .clone()
            .map(|h| of(&self.system, &self.task.hints, &self.claims, h))
            .collect();
        if vocabularies.iter().any(|v| v.len() > GROUPS) {
            return Ok(None);
        }
        let Some(known) = self.combinations(&vocabularies, combine.most())? else {
            return Ok(None);
        };
        let combined = Combined {
            vocabularies,
            known,
        };
        if !combined.excludes() {
            return Ok(None);
        }
        for cut in heads {
            let here = combined.known.iter().filter(|(h, _)| *h == cut);
            let here: Vec<Vec<usize>> = here.map(|(_, codes)| codes.clone()).collect();
            if !here.is_empty() {
                let claim = Claim::Holds(combined.vocabularies[cut].any(&here));
                self.claims.add(Candidate { cut, claim });
            }
        }
        self.combined = Some(combined);
        // What failed before may be an invariant together with the new ones.
        self.claims.forget_dropped();
        candidates::add(
            &self.system,
            &self.task.hints,
            Stage::Plain,
            &mut self.claims,
        );
        self.settle().map(Some)
    }

    /// Tells the visits of these heads apart by the combinations in which they are reached. Returns whether any were told
    /// apart.
    pub(super) fn split_by_combinations(&mut self, heads: &BTreeSet<usize>) -> bool {
        let Some(combined) = &self.combined else {
            return false;
        };
        let mut any = false;
        for &head in heads {
            let all = combined.at(head);
            if !(2..=PHASES).contains(&all.len()) {
                continue;
            }
            let (phase, count) = &mut self.system.phases[head];
            let each = all.iter().enumerate();
            let each: String = each.map(|(n, c)| format!("({c}) ? {n}u : ")).collect();
            let others = all.len() + 1;
            *phase = format!("({phase}) * {others}u + ({each}{}u)", all.len());
            *count *= others;
            any = true;
        }
        any
    }

    fn combinations(
        &mut self,
        vocabularies: &[Vocabulary],
        most: usize,
    ) -> Result<Option<Vec<Reached>>, String> {
        let allowed = self.allowed(Share::Part);
        let mut found = Combinations {
            known: Vec::new(),
            open: vec![0],
        };
        while !found.open.is_empty() {
            if found.known.len() > most || self.exceeds(allowed) {
                return Ok(None);
            }
            (self.told)(&format!("combinations of values: {}", found.known.len()));
            let texts = self.asked(&found);
            let queries = Queries {
                claims_are_known: true,
                states: States {
                    watched: vocabularies.iter().map(Vocabulary::codes).collect(),
                    combinations: Some(found.clone()),
                    ..States::default()
                },
                ..Queries::default()
            };
            let said = self.ask_for_traces(&queries, texts)?;
            let mut again: BTreeSet<usize> = BTreeSet::new();
            let mut new: BTreeSet<Reached> = BTreeSet::new();
            for (text, trace) in &said.answer.traces {
                let Some((from, head)) = numbers(text) else {
                    continue;
                };
                again.insert(from);
                let groups = vocabularies.get(head).map_or(0, |v| v.len());
                new.insert((head, codes(trace, emit::HERE, head, groups)));
            }
            let first = found.known.len() + 1;
            found.known.extend(new);
            again.extend(first..=found.known.len());
            found.open = again.into_iter().collect();
        }
        Ok(Some(found.known))
    }

    /// The texts of the assertions about the open combinations.
    fn asked(&self, found: &Combinations) -> BTreeSet<String> {
        let heads = 0..self.system.cuts.len();
        let all = found.open.iter();
        all.flat_map(|n| {
            let text = move |h| format!("{PREFIX}combination:{n}:{h}");
            heads.clone().map(text)
        })
        .collect()
    }
}

/// The numbers in the text of an assertion.
fn numbers(text: &str) -> Option<(usize, usize)> {
    let rest = text.strip_prefix(PREFIX)?.strip_prefix("combination:")?;
    let (from, head) = rest.split_once(':')?;
    Some((from.parse().ok()?, head.parse().ok()?))
}

/// The codes of a head that a trace shows last.
pub(super) fn codes(trace: &[TraceStep], prefix: &str, head: usize, groups: usize) -> Vec<usize> {
    let mut seen: BTreeMap<&str, i128> = BTreeMap::new();
    for step in trace {
        if let StepKind::Assignment { lhs, value } = &step.kind {
            seen.extend(value.number.map(|number| (lhs.as_str(), number)));
        }
    }
    let code = |g| {
        let name = format!("{prefix}{head}_{g}");
        let value = seen.get(name.as_str()).copied().unwrap_or_default();
        usize::try_from(value).unwrap_or_default()
    };
    (0..groups).map(code).collect()
}
