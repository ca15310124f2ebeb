//! Sets of small numbers that lie close together: blocks of 64, in ascending order.

/// Members that a block can have.
const BLOCK: usize = 64;

/// A set of numbers. Unions and differences take time linear in the blocks of both sets, lookups
/// logarithmic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    /// The number and the members of each block that is not empty.
    blocks: Vec<(u32, u64)>,
}

impl Bits {
    fn place(member: usize) -> (u32, u64) {
        ((member / BLOCK) as u32, 1 << (member % BLOCK))
    }

    /// Adds a member.
    pub fn insert(&mut self, member: usize) {
        let (block, bit) = Bits::place(member);
        match self.blocks.binary_search_by_key(&block, |b| b.0) {
            Ok(at) => self.blocks[at].1 |= bit,
            Err(at) => self.blocks.insert(at, (block, bit)),
        }
    }

    /// Whether a number is a member.
    pub fn contains(&self, member: usize) -> bool {
        let (block, bit) = Bits::place(member);
        let found = self.blocks.binary_search_by_key(&block, |b| b.0);
        found.is_ok_and(|at| self.blocks[at].1 & bit != 0)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The number of blocks that are stored.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.blocks.iter().flat_map(|&(block, bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(block as usize * BLOCK + bit)
            })
        })
    }

    /// Adds the members of another set; returns whether that made this set larger.
    pub fn unite(&mut self, other: &Bits) -> bool {
        let missing = other.without(self);
        if missing.is_empty() {
            return false;
        }
        if self.blocks.is_empty() {
            self.blocks = missing.blocks;
            return true;
        }
        let mut merged = Vec::with_capacity(self.blocks.len() + missing.blocks.len());
        let mut news = missing.blocks.into_iter().peekable();
        for &(block, bits) in &self.blocks {
            while let Some(first) = news.next_if(|&(b, _)| b < block) {
                merged.push(first);
            }
            let more = news.next_if(|&(b, _)| b == block);
            merged.push((block, bits | more.map_or(0, |(_, bits)| bits)));
        }
        merged.extend(news);
        self.blocks = merged;
        true
    }

    /// The members that are not in the other set.
    pub fn without(&self, other: &Bits) -> Bits {
        let mut others = other.blocks.iter().peekable();
        let mut blocks = Vec::new();
        for &(block, bits) in &self.blocks {
            while others.next_if(|&&(b, _)| b < block).is_some() {}
            let known = others.peek().filter(|&&&(b, _)| b == block);
            let rest = bits & !known.map_or(0, |&&(_, bits)| bits);
            if rest != 0 {
                blocks.push((block, rest));
            }
        }
        Bits { blocks }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn bits(members: &BTreeSet<usize>) -> Bits {
        let mut bits = Bits::default();
        members.iter().for_each(|&m| bits.insert(m));
        bits
    }

    proptest! {
        #[test]
        fn they_are_sets(a in prop::collection::btree_set(0usize..400, 0..60), b in prop::collection::btree_set(0usize..400, 0..60)) {
            let (one, two) = (bits(&a), bits(&b));
            prop_assert_eq!(one.iter().collect::<BTreeSet<_>>(), a.clone());
            let rest = a.difference(&b).copied().collect();
            prop_assert_eq!(one.without(&two), bits(&rest));
            let mut both = one.clone();
            let grew = both.unite(&two);
            prop_assert_eq!(&both, &bits(&a.union(&b).copied().collect()));
            prop_assert_eq!(grew, !b.is_subset(&a));
            for member in 0..400 {
                prop_assert_eq!(one.contains(member), a.contains(&member));
            }
        }
    }
}
