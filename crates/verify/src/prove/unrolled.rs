//! Loops with few rounds, which a proof follows instead of cutting them: no invariant is needed then.
//!
//! The model checker's unwinding assertions confirm the number of rounds, from any state that the invariants allow.

use induction::hints::{Counted, LoopHints};
use weave::heads::{Head, Heads, StatePart};

/// The most rounds of loops inside each other, together.
const MOST: u32 = 16;
/// The rounds of a loop that cannot be cut, if nothing tells them; more, if an array of a caller is longer.
const NEEDED: u32 = 16;
/// The longest array that such a loop is followed through.
const LONGEST: u32 = 96;
/// The most rounds of such loops inside each other, together.
const MOST_NEEDED: u32 = NEEDED * NEEDED;

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
        if self.indexing {
            return Unrolled::suggested(heads, loops, false);
        }
        let needed = Unrolled::among(heads, &[]);
        match needed.sites.len() < self.sites.len() {
            true => needed,
            false => Unrolled::default(),
        }
    }

    /// The loops with these heads, if a proof may follow them.
    pub fn of(heads: &Heads, loops: &LoopHints, sites: &[usize]) -> Option<Unrolled> {
        let mut way = Unrolled::suggested(heads, loops, true);
        while way.sites != sites && !way.is_empty() {
            way = way.fewer(heads, loops);
        }
        (way.sites == sites).then_some(way)
    }

    /// The loops that have few rounds by this list, and those that cannot be cut because their state cannot be described, such as a
    /// function's loop over an array that is a local of its caller.
    fn among(heads: &Heads, counted: &[Counted]) -> Unrolled {
        let inside = |outer: &Head, h: &Head| {
            h.site != outer.site && outer.range.0 <= h.range.0 && h.range.1 <= outer.range.1
        };
        let rounds = |h: &Head, needed: u32| {
            let plain = h.counter.is_none() && !h.entered && h.inner.is_empty();
            let found = counted.iter().find(|c| c.range == h.range);
            let found = found.map(|c| c.rounds.max(1));
            let needed = h.obstacle.is_some().then_some(needed);
            found.or(needed).filter(|_| plain)
        };
        let longest = longest(heads.heads.iter().flat_map(|h| &h.locals));
        // A function may go over a part of an array that is longer.
        let longest = Some(longest).filter(|n| (NEEDED..=LONGEST).contains(n));
        let mut out = Unrolled::default();
        for head in &heads.heads {
            let most = match head.obstacle {
                Some(_) => MOST_NEEDED,
                None => MOST,
            };
            let followed = |needed: u32| -> Option<u32> {
                let within = heads.heads.iter().filter(|h| inside(head, h));
                let mut all = std::iter::once(head).chain(within);
                let product = all.try_fold(1u32, |n, h| Some(n.saturating_mul(rounds(h, needed)?)));
                product.filter(|product| *product <= most)?;
                rounds(head, needed)
            };
            if let Some(own) = longest.and_then(followed).or_else(|| followed(NEEDED)) {
                out.sites.push(head.site);
                out.rounds = out.rounds.max(own);
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

/// The number of elements of the longest array among these locals of cuts: what a caller's array may have that a loop goes over.
fn longest<'a>(locals: impl Iterator<Item = &'a StatePart>) -> u32 {
    let elements = locals.filter_map(|part| {
        let index = part.lvalue.strip_suffix(']')?.rsplit('[').next()?;
        index.parse::<u32>().ok()
    });
    elements.max().map_or(0, |last| last.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use weave::heads::Scalar;

    #[test]
    fn the_longest_array_is_that_with_the_greatest_index() {
        let part = |lvalue: &str| StatePart {
            lvalue: lvalue.into(),
            object: lvalue.into(),
            number: None,
            scalar: Scalar::Truth,
            targets: Vec::new(),
        };
        let of = |lvalues: &[&str]| {
            let parts: Vec<StatePart> = lvalues.iter().map(|l| part(l)).collect();
            longest(parts.iter())
        };
        assert_eq!(of(&["x", "s.a", "s.a[3].n"]), 0);
        assert_eq!(of(&["t[2][4]", "buf[0]", "buf[31]", "n"]), 32);
        assert_eq!(of(&["a[i]", "a[4294967295]"]), u32::MAX);
    }
}
