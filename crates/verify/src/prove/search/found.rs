//! What a search has found: invariants, and the proof with its certificate.

use std::collections::BTreeSet;

use cfront::stepped;
use induction::houdini::{Candidate, Claim};
use induction::ranking::Node;
use induction::strongest::strongest;

use super::Search;
use crate::prove::attempt::{functions, Attempt, Judging};
use crate::prove::certificate::Certificate;
use crate::prove::Proof;

impl Search<'_> {
    /// The invariants that were shown; while candidates are being dropped, those shown before.
    pub fn shown(&self) -> Vec<(String, Vec<String>)> {
        match self.settled {
            true => self.invariants(),
            false => self.before.clone(),
        }
    }

    /// The text of a condition with the user's names: propositions, and static locals instead of the prover's variables for them.
    fn named(&self, condition: &str) -> String {
        let variables = self.system.variables.iter();
        let other = variables.filter(|v| !v.computed && v.name != v.lvalue);
        let propositions = self.task.record.propositions.iter();
        let mut all: Vec<(&str, &str)> = other
            .map(|v| (v.lvalue.as_str(), v.name.as_str()))
            .chain(propositions.map(|p| (p.variable.as_str(), p.name.as_str())))
            .collect();
        // The name of one variable may begin the name of another.
        all.sort_by_key(|(lvalue, _)| std::cmp::Reverse(lvalue.len()));
        let replace = |text: String, (lvalue, name): (&str, &str)| text.replace(lvalue, name);
        all.into_iter().fold(condition.to_string(), replace)
    }

    fn invariants(&self) -> Vec<(String, Vec<String>)> {
        let of = |(number, cut): (usize, &induction::Cut)| {
            // Without the last ones the proof failed.
            let (last, others): (Vec<_>, Vec<_>) =
                self.claims.at(number).partition(|(i, _)| *i >= self.first);
            let claims = last.into_iter().chain(others);
            let claims = claims.map(|(_, claim)| match claim {
                Claim::Holds(text) => self.named(text),
                Claim::Keeps(v) => format!("{} keeps its value", self.system.variables[*v].name),
                Claim::Sum(sum) => self.named(&sum.condition()),
                Claim::Returns(text) => format!("when it returns, {}", self.named(text)),
            });
            let mut all = strongest(claims.collect());
            // What is said in the user's names alone comes first.
            all.sort_by_key(|claim| claim.contains(stepped::OWN));
            (self.place(&cut.number.to_string()), all)
        };
        self.system.cuts.iter().enumerate().map(of).collect()
    }

    /// The invariants of a certificate: the shown ones, and that each head is only in reachable
    /// phases, because the certificate has no edges from the others.
    fn certified(&self, nodes: &[Node]) -> Vec<Candidate> {
        let mut all: Vec<Candidate> = self.claims.left().map(|(_, c)| c.clone()).collect();
        for (cut, (phase, count)) in self.system.phases.iter().enumerate() {
            let here = nodes.iter().filter(|n| n.0 == cut).map(|n| n.1);
            let reached: BTreeSet<usize> = here.collect();
            if reached.is_empty() || reached.len() == *count {
                continue;
            }
            let one = reached.iter().map(|p| format!("({phase}) == {p}u"));
            let any: Vec<String> = one.collect();
            all.push(Candidate {
                cut,
                claim: Claim::Holds(format!("({})", any.join(" || "))),
            });
        }
        all
    }

    pub(super) fn proof(&self, attempt: &Attempt) -> Proof {
        let mut proof = Proof {
            k: self.k,
            certificate: Some(Certificate {
                judging: Judging::of(self.judged, &self.system),
                unwind: self.unwind(),
                rounds: self.k,
                skips: self.task.skips,
                depth: self.depth,
                system: self.system.clone(),
                claims: self.certified(&attempt.nodes),
                edges: attempt.edges.clone(),
                functions: functions(attempt),
            }),
            ..Proof::default()
        };
        proof.invariants = self.invariants();
        for (function, edges) in attempt.arguments.iter().flat_map(|a| &a.used) {
            let heads: BTreeSet<usize> = edges.iter().map(|e| e.to.0).collect();
            let places: Vec<String> = heads
                .iter()
                .map(|h| self.place(&self.system.cuts[*h].number.to_string()))
                .collect();
            proof.ranking.push(format!(
                "{} falls in {}",
                self.named(&attempt.ranks[*function].text(&self.system)),
                places.join(", ")
            ));
        }
        proof.ranking.sort();
        proof.ranking.dedup();
        proof
    }
}
