//! The graph of loop heads: which follow each other, and how ranking functions change along its edges.

use std::collections::BTreeMap;

use induction::emit::{Pattern, Queries};
use induction::rank::Rank;
use induction::ranking::{Change, Edge, Node};
use induction::System;

use super::{Said, Search, ASSERTIONS};
use crate::prove::attempt::Graph;

impl Search<'_> {
    /// All pairs of heads.
    pub(super) fn pairs(&self) -> Vec<Pattern> {
        let cuts = 0..self.system.cuts.len();
        let pair = |from: usize, to: usize| Pattern {
            from: (from, None),
            to: (to, None),
            marks: None,
        };
        cuts.clone()
            .flat_map(|a| cuts.clone().map(move |b| pair(a, b)))
            .collect()
    }

    /// The nodes and edges of the graph, with phases and marks.
    pub(super) fn edges(&mut self, said: &Said) -> Result<Graph, String> {
        let all = self.pairs().into_iter().enumerate();
        let mut found: Vec<Pattern> = all
            .filter(|(i, _)| !said.holds(&format!("edge:{i}")))
            .map(|(_, p)| p)
            .collect();
        found.retain(|p| self.reached(said, p.from.0) && self.reached(said, p.to.0));
        let nodes = self.nodes(said)?;
        let phases = |cut: usize| nodes.iter().filter(move |n| n.0 == cut).map(|n| n.1);
        let split = |p: Pattern| {
            phases(p.from.0).flat_map(move |i| {
                phases(p.to.0).map(move |j| Pattern {
                    from: (p.from.0, Some(i)),
                    to: (p.to.0, Some(j)),
                    ..p
                })
            })
        };
        let finer: Vec<Pattern> = found.iter().flat_map(|p| split(*p)).collect();
        found = self.existing(finer)?;
        let marked = |p: Pattern| {
            (0..1u8 << System::MARKS).map(move |m| Pattern {
                marks: Some(m),
                ..p
            })
        };
        found = self.existing(found.into_iter().flat_map(marked).collect())?;
        let edge = |p: Pattern| {
            Some(Edge {
                from: (p.from.0, p.from.1?),
                to: (p.to.0, p.to.1?),
                marks: p.marks?,
            })
        };
        let edges = found.into_iter().filter_map(edge).collect();
        Ok(Graph { nodes, edges })
    }

    /// The reachable heads and phases. Unreachable ones have no edges.
    fn nodes(&mut self, said: &Said) -> Result<Vec<Node>, String> {
        let all = self.system.phases.iter().enumerate();
        let all: Vec<Node> = all
            .filter(|(cut, _)| self.reached(said, *cut))
            .flat_map(|(cut, (_, count))| (0..*count).map(move |p| (cut, p)))
            .collect();
        let answer = self.ask(&Queries {
            nodes: all.clone(),
            claims_are_known: true,
            forbidden_is_known: true,
            ..Queries::default()
        })?;
        let reached = |n: usize| !answer.holds(&format!("node:{n}"));
        Ok(all
            .into_iter()
            .enumerate()
            .filter(|(n, _)| reached(*n))
            .map(|(_, node)| node)
            .collect())
    }

    pub(super) fn reached(&self, said: &Said, cut: usize) -> bool {
        said.fails(&format!("arrives:{}", self.system.cuts[cut].number))
    }

    /// The patterns that some run has.
    fn existing(&mut self, patterns: Vec<Pattern>) -> Result<Vec<Pattern>, String> {
        let mut out = Vec::new();
        for part in patterns.chunks(ASSERTIONS) {
            (self.told)(&format!("edges between loops: {}", part.len()));
            let said = self.ask(&Queries {
                edges: part.to_vec(),
                claims_are_known: true,
                forbidden_is_known: true,
                ..Queries::default()
            })?;
            let exists = |i: usize| !said.holds(&format!("edge:{i}"));
            out.extend(
                part.iter()
                    .enumerate()
                    .filter(|(i, _)| exists(*i))
                    .map(|(_, p)| *p),
            );
        }
        Ok(out)
    }

    /// The changes of ranking functions along edges.
    pub(super) fn changes(
        &mut self,
        edges: &[Edge],
        ranks: &[Rank],
    ) -> Result<BTreeMap<(usize, Edge), Change>, String> {
        let mut out = BTreeMap::new();
        if edges.is_empty() {
            return Ok(out);
        }
        let each = (ASSERTIONS / 2 / edges.len()).max(1);
        let functions: Vec<usize> = (0..ranks.len()).collect();
        for part in functions.chunks(each) {
            (self.told)(&format!(
                "ranking functions: {} along {} edges",
                part.len(),
                edges.len()
            ));
            let all = part
                .iter()
                .flat_map(|&f| (0..edges.len()).map(move |e| (f, e)));
            let said = self.ask(&Queries {
                edges: edges.iter().map(|e| Pattern::from(*e)).collect(),
                ranks: ranks.to_vec(),
                changes: all.clone().collect(),
                claims_are_known: true,
                forbidden_is_known: true,
                ..Queries::default()
            })?;
            for (f, e) in all {
                let change = match (
                    said.holds(&format!("falls:{f}:{e}")),
                    said.holds(&format!("stays:{f}:{e}")),
                ) {
                    (true, _) => Change::Falls,
                    (false, true) => Change::Stays,
                    _ => continue,
                };
                out.insert((f, edges[e]), change);
            }
        }
        Ok(out)
    }
}
