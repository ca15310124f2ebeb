//! What the tests of meanings have in common: the cases, random words, and the formulas of sentences.

use ltl::lasso::{Lasso, Letter};
use ltl::{Arena, Atom, AtomId};
use requirements::{parse, Leaf, Requirement};

/// The scopes, as sentences write them, with mode `m`.
pub const SCOPES: [&str; 8] = [
    "",
    "in m",
    "unless in m",
    "before m",
    "after m",
    "only in m",
    "only before m",
    "only after m",
];

/// The conditions, with `c`.
pub const CONDITIONS: [&str; 3] = ["", "upon c", "whenever c"];

/// The timings, with stop condition `s`; `N` stands for a number.
pub const TIMINGS: [&str; 11] = [
    "immediately",
    "at the next timepoint",
    "within N ticks",
    "for N ticks",
    "after N ticks",
    "until s",
    "before s",
    "always",
    "never",
    "eventually",
    "finally",
];

/// Pseudo-random numbers (xorshift), so that a failure can be seen again.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// The infinite word `prefix · cycle^ω`; bit 0 of a letter is `m`, then come `c`, `s` and `r`.
pub struct Word {
    pub prefix: Vec<u8>,
    pub cycle: Vec<u8>,
}

impl Word {
    pub fn random(random: &mut Random) -> Word {
        // Letters repeat often, so that intervals have several letters.
        let sticky = random.below(3) > 0;
        let mut letters = Vec::new();
        for _ in 0..random.below(8) + 1 + random.below(4) {
            let fresh = random.below(16) as u8;
            let letter = match letters.last() {
                Some(before) if sticky => before ^ (1 << random.below(4)),
                _ => fresh,
            };
            letters.push(letter);
        }
        let at = random.below(letters.len() as u64) as usize;
        let cycle = letters.split_off(at);
        Word {
            prefix: letters,
            cycle,
        }
    }

    pub fn holds(&self, bit: u8, at: usize) -> bool {
        let letter = match at.checked_sub(self.prefix.len()) {
            None => self.prefix[at],
            Some(beyond) => self.cycle[beyond % self.cycle.len()],
        };
        letter >> bit & 1 == 1
    }

    pub fn m(&self, at: usize) -> bool {
        self.holds(0, at)
    }

    pub fn c(&self, at: usize) -> bool {
        self.holds(1, at)
    }

    pub fn s(&self, at: usize) -> bool {
        self.holds(2, at)
    }

    pub fn r(&self, at: usize) -> bool {
        self.holds(3, at)
    }

    /// From here on the word has gone through its cycle several times: what has not come will not come.
    pub fn far(&self) -> usize {
        self.prefix.len() + 8 * self.cycle.len() + 16
    }

    /// Positions before this one meet every way in which a trigger can be followed.
    pub fn near(&self) -> usize {
        self.prefix.len() + 3 * self.cycle.len() + 1
    }

    pub fn lasso(&self) -> Lasso {
        let letters = |all: &[u8]| -> Vec<Letter> {
            let letter = |bits: &u8| {
                (0..4)
                    .filter(|bit| bits >> bit & 1 == 1)
                    .map(AtomId)
                    .collect()
            };
            all.iter().map(letter).collect()
        };
        Lasso::new(letters(&self.prefix), letters(&self.cycle)).unwrap()
    }
}

/// The words for each case; more of them on request.
pub fn words_each(usual: usize) -> usize {
    let asked = std::env::var("BAPRODUCT_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The formula of a sentence, with the propositions `m c s r` as the first four.
pub fn formula(sentence: &str) -> (Arena, ltl::Id) {
    formula_by(sentence, |requirement, arena, atom| {
        requirement.formula(arena, atom)
    })
}

/// The formula with times, of which each letter takes one.
pub fn timed_formula(sentence: &str) -> (Arena, ltl::Id) {
    formula_by(sentence, |requirement, arena, atom| {
        requirement.timed_formula(arena, atom).unwrap()
    })
}

type AtomOf<'a> = &'a mut dyn FnMut(&Leaf) -> Atom;

fn formula_by(
    sentence: &str,
    of: impl Fn(&Requirement, &mut Arena, AtomOf) -> ltl::Id,
) -> (Arena, ltl::Id) {
    let mut arena = Arena::new();
    for name in ["m", "c", "s", "r"] {
        arena.atom(Atom::Name(name.to_owned()));
    }
    let requirement = parse(sentence, None).unwrap();
    let mut atom = |leaf: &Leaf| match leaf {
        Leaf::Name(name) => Atom::Name(name.clone()),
        Leaf::Condition(text) => Atom::Condition(text.clone()),
    };
    let root = of(&requirement, &mut arena, &mut atom);
    (arena, root)
}

/// Compares the formula of a sentence with what is expected of so many random words; counts those that violate and satisfy it.
pub fn compare(
    sentence: &str,
    words: usize,
    random: &mut Random,
    expected: impl Fn(&Word) -> bool,
    both: &mut [usize; 2],
) {
    compare_formula(formula(sentence), sentence, words, random, expected, both);
}

/// The same for a formula that a sentence has.
pub fn compare_formula(
    (arena, root): (Arena, ltl::Id),
    sentence: &str,
    words: usize,
    random: &mut Random,
    expected: impl Fn(&Word) -> bool,
    both: &mut [usize; 2],
) {
    for _ in 0..words {
        let word = Word::random(random);
        let found = word.lasso().satisfies(&arena, root);
        let text = ltl::print(&arena, root, ltl::Style::Ascii);
        assert_eq!(
            found,
            expected(&word),
            "{sentence}: {text}, {:?} {:?}",
            word.prefix,
            word.cycle
        );
        both[usize::from(found)] += 1;
    }
}
