//! The tests that a program applies to the values of a group.

use std::collections::{BTreeMap, BTreeSet};

/// The tests of the values of a group.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Constants that the values are compared with.
    pub constants: BTreeSet<i128>,
    /// Whether more than equality with them is asked, as by `<`.
    pub ordered: bool,
    /// Widths at which the values are converted between signed and unsigned.
    pub wraps: BTreeSet<u32>,
    /// The divisors, greater than 1, on whose remainders something depends; so it does on a value that is less than the divisor.
    pub divisors: BTreeSet<i128>,
    /// The numbers of values of narrower types to which the values are converted. What depends on the result is noted apart.
    pub conversions: BTreeSet<i128>,
    /// The bits that are tested, whatever the others are.
    pub bits: u64,
    /// A use that depends on the value in another way, and its offset in the text.
    pub exposed: Option<(String, usize)>,
    /// The same for uses that only values of an interval come to.
    pub within: BTreeMap<(i128, i128), (String, usize)>,
}

impl Asked {
    /// Adds the tests of another group.
    pub(super) fn join(&mut self, other: Asked) {
        self.constants.extend(other.constants);
        self.ordered |= other.ordered;
        self.wraps.extend(other.wraps);
        self.divisors.extend(other.divisors);
        self.conversions.extend(other.conversions);
        self.bits |= other.bits;
        if self.exposed.is_none() {
            self.exposed = other.exposed;
        }
        self.within.extend(other.within);
    }

    /// The least number that all divisors divide, also those of conversions.
    pub fn modulus(&self) -> i128 {
        let divisors = self.divisors.iter().chain(&self.conversions);
        divisors.fold(1, |all, by| least_common_multiple(all, *by))
    }

    /// The tests without conversions that change no value of an interval.
    pub fn of_values(&self, (low, high): (i128, i128)) -> Asked {
        let half = |bits: &u32| 1i128 << (*bits).clamp(1, 65).saturating_sub(1);
        let mut out = self.clone();
        if low >= 0 && self.wraps.iter().all(|bits| half(bits) > high) {
            out.wraps.clear();
            out.conversions.retain(|by| *by <= high);
        }
        out
    }

    /// Whether something depends on the values at all: a conversion alone does not.
    pub(super) fn are_some(&self) -> bool {
        let used = self.exposed.is_some() || !self.within.is_empty();
        used || !self.constants.is_empty() || self.bits != 0
    }

    /// Whether no use but comparisons with constants depends on the values.
    pub(super) fn compares_only(&self) -> bool {
        let converted = self.modulus() > 1 || !self.wraps.is_empty();
        self.exposed.is_none() && self.within.is_empty() && !converted && self.bits == 0
    }

    /// Whether no use but tests of bits depends on the values.
    pub(super) fn tests_bits_only(&self) -> bool {
        let others = Asked {
            bits: 0,
            ..self.clone()
        };
        others.compares_only() && others.constants.is_empty()
    }

    /// The tests, if values may be other ones before a conversion. Remainders say nothing about them; between signed and unsigned they
    /// differ by a power of two for each width.
    pub(super) fn without_intervals(mut self) -> Asked {
        if self.exposed.is_none() && self.modulus() > 1 {
            self.exposed = std::mem::take(&mut self.within).into_values().next();
        }
        for bits in &self.wraps {
            let size = 1i128 << (*bits).min(64);
            for ((low, high), used) in self.within.clone() {
                for by in [-size, size] {
                    self.within.insert((low + by, high + by), used.clone());
                }
            }
        }
        self
    }
}

/// The least common multiple of two numbers.
fn least_common_multiple(a: i128, b: i128) -> i128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}
