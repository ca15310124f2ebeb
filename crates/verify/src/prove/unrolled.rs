//! Loops with few rounds, which a proof follows instead of cutting them: no invariant is needed then.
//!
//! The model checker's unwinding assertions confirm the number of rounds, from any state that the invariants allow.

use induction::hints::{Counted, LoopHints};
use weave::heads::{Head, Heads};

/// The most rounds of loops inside each other, together.
const MOST: u32 = 16;

/// The loops that are followed: their heads, by number, and the greatest number of rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unrolled {
    sites: Vec<usize>,
    rounds: u32,
    /// Whether some of them step through an array as far as a variable says.
    indexing: bool,
}

impl Unrolled {
    /// The loops that seem to count through a few values, and contain only such loops; perhaps also those that step through short
    /// arrays.
    pub fn suggested(heads: &Heads, loops: &LoopHints, indexing: bool) -> Unrolled {
        let plain = Unrolled::among(heads, &loops.counted);
        if !indexing || loops.indexing.is_empty() {
            return plain;
        }
        let all = [&loops.counted[..], &loops.indexing[..]].concat();
        let more = Unrolled::among(heads, &all);
        let indexing = more.sites != plain.sites;
        Unrolled { indexing, ..more }
    }

    /// The loops that are followed instead if these have more rounds than they seem to: some of them, or none.
    pub fn fewer(&self, heads: &Heads, loops: &LoopHints) -> Unrolled {
        match self.indexing {
            true => Unrolled::suggested(heads, loops, false),
            false => Unrolled::default(),
        }
    }

    /// The loops with these heads, if a proof may follow them.
    pub fn of(heads: &Heads, loops: &LoopHints, sites: &[usize]) -> Option<Unrolled> {
        let with = Unrolled::suggested(heads, loops, true);
        let ways = [with.fewer(heads, loops), with, Unrolled::default()];
        ways.into_iter().find(|way| way.sites == sites)
    }

    fn among(heads: &Heads, counted: &[Counted]) -> Unrolled {
        let inside = |outer: &Head, h: &Head| {
            h.site != outer.site && outer.range.0 <= h.range.0 && h.range.1 <= outer.range.1
        };
        let rounds = |h: &Head| {
            let plain = h.counter.is_none() && !h.entered && h.inner.is_empty();
            let found = counted.iter().find(|c| c.range == h.range);
            found.filter(|_| plain).map(|c| c.rounds.max(1))
        };
        let mut out = Unrolled::default();
        for head in &heads.heads {
            let within = heads.heads.iter().filter(|h| inside(head, h));
            let mut all = std::iter::once(head).chain(within).map(rounds);
            let product = all.try_fold(1u32, |n, r| Some(n.saturating_mul(r?)));
            if let (Some(own), Some(product)) = (rounds(head), product) {
                if product <= MOST {
                    out.sites.push(head.site);
                    out.rounds = out.rounds.max(own);
                }
            }
        }
        out
    }

    /// Whether some of them step through an array as far as a variable says.
    pub fn is_indexing(&self) -> bool {
        self.indexing
    }

    /// Whether no loop is followed.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The model checker's bound that these loops need.
    pub fn unwind(&self) -> u32 {
        match self.is_empty() {
            true => 0,
            false => self.rounds + 2,
        }
    }

    /// The numbers of their heads.
    pub fn sites(&self) -> &[usize] {
        &self.sites
    }

    /// The program's heads without those of these loops.
    pub fn without(&self, heads: &Heads) -> Heads {
        let mut out = heads.clone();
        out.heads.retain(|h| !self.sites.contains(&h.site));
        out
    }
}
