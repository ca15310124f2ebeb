//! Sets of small numbers, in one machine word if that suffices.

/// A set of numbers below a size; the user of the set keeps track of the size.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Bits {
    /// Numbers below 64.
    One(u64),
    /// Numbers below 64 times the length. Operands of an operation have the same length.
    Many(Box<[u64]>),
}

impl Bits {
    /// The empty set of numbers below `size`.
    pub fn empty(size: usize) -> Bits {
        if size <= 64 {
            Bits::One(0)
        } else {
            Bits::Many(vec![0; size.div_ceil(64)].into())
        }
    }

    /// The number of machine words.
    pub fn width(&self) -> usize {
        match self {
            Bits::One(_) => 1,
            Bits::Many(words) => words.len(),
        }
    }

    /// All numbers below `size`.
    pub fn full(size: usize) -> Bits {
        let mut all = Bits::empty(size);
        let words = all.words_mut();
        for (index, word) in words.iter_mut().enumerate() {
            let left = size.saturating_sub(index * 64);
            *word = if left >= 64 {
                u64::MAX
            } else {
                (1 << left) - 1
            };
        }
        all
    }

    fn words(&self) -> &[u64] {
        match self {
            Bits::One(word) => std::slice::from_ref(word),
            Bits::Many(words) => words,
        }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        match self {
            Bits::One(word) => std::slice::from_mut(word),
            Bits::Many(words) => words,
        }
    }

    pub fn insert(&mut self, index: usize) {
        self.words_mut()[index / 64] |= 1 << (index % 64);
    }

    pub fn remove(&mut self, index: usize) {
        self.words_mut()[index / 64] &= !(1 << (index % 64));
    }

    pub fn contains(&self, index: usize) -> bool {
        self.words()[index / 64] >> (index % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    pub fn len(&self) -> usize {
        self.words().iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Adds the other's members.
    pub fn unite(&mut self, other: &Bits) {
        for (a, b) in self.words_mut().iter_mut().zip(other.words()) {
            *a |= b;
        }
    }

    /// Removes the other's members.
    pub fn subtract(&mut self, other: &Bits) {
        for (a, b) in self.words_mut().iter_mut().zip(other.words()) {
            *a &= !b;
        }
    }

    /// Keeps only the other's members.
    pub fn intersect(&mut self, other: &Bits) {
        for (a, b) in self.words_mut().iter_mut().zip(other.words()) {
            *a &= b;
        }
    }

    pub fn intersection(&self, other: &Bits) -> Bits {
        let mut both = self.clone();
        both.intersect(other);
        both
    }

    pub fn intersects(&self, other: &Bits) -> bool {
        let mut pairs = self.words().iter().zip(other.words());
        pairs.any(|(a, b)| a & b != 0)
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.words().iter().enumerate();
        words.flat_map(|(index, &word)| members(word).map(move |bit| index * 64 + bit))
    }
}

/// A set that takes just the space of its machine words with members: for many small sets of large numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sparse {
    /// Numbers below 64.
    One(u64),
    /// The words with members and their places, ascending.
    Many(Box<[(u32, u64)]>),
}

impl Sparse {
    pub fn new(bits: &Bits) -> Sparse {
        match bits {
            Bits::One(word) => Sparse::One(*word),
            Bits::Many(words) => {
                let words = words.iter().enumerate().filter(|(_, word)| **word != 0);
                Sparse::Many(words.map(|(at, word)| (at as u32, *word)).collect())
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let (one, many) = match self {
            Sparse::One(word) => (Some((0, *word)), [].as_slice()),
            Sparse::Many(words) => (None, &words[..]),
        };
        let words = one.into_iter().chain(many.iter().copied());
        words.flat_map(|(at, word)| members(word).map(move |bit| at as usize * 64 + bit))
    }

    /// The same set of numbers below `size`.
    pub fn to_bits(&self, size: usize) -> Bits {
        let mut bits = Bits::empty(size);
        self.iter().for_each(|member| bits.insert(member));
        bits
    }
}

/// The places of the bits of a word, ascending.
fn members(word: u64) -> impl Iterator<Item = usize> {
    std::iter::successors((word != 0).then_some(word), |&w| {
        let rest = w & (w - 1);
        (rest != 0).then_some(rest)
    })
    .map(|w| w.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_as_a_set() {
        for size in [1, 63, 64, 65, 130] {
            let all = Bits::full(size);
            assert_eq!(all.len(), size);
            assert_eq!(
                all.iter().collect::<Vec<_>>(),
                (0..size).collect::<Vec<_>>()
            );
            let mut some = Bits::empty(size);
            let model: BTreeSet<usize> = (0..size).filter(|i| i % 7 == 3 || i % 5 == 0).collect();
            model.iter().for_each(|&i| some.insert(i));
            assert!(all.intersects(&some));
            assert_eq!(some.iter().collect::<BTreeSet<_>>(), model);
            let sparse = Sparse::new(&some);
            assert_eq!(sparse.to_bits(size), some);
            assert_eq!(sparse.is_empty(), some.is_empty());
            let mut rest = all.clone();
            rest.subtract(&some);
            assert!(!rest.intersects(&some));
            assert_eq!(rest.len() + some.len(), size);
            some.unite(&rest);
            assert_eq!(some, all);
            some.remove(size - 1);
            assert!(!some.contains(size - 1) && some != all);
        }
    }
}
