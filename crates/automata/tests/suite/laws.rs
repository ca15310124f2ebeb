//! Laws that hold for every formula, checked on random ones: the languages of the automata, the verdicts of the
//! monitor, the tables, the class, the Hanoi format.
//!
//! The reference is `ltl::lasso`, which computes the value of a formula on an ultimately periodic word from the
//! definition and shares no code with the translation. `BAPRODUCT_FORMULAS=N` checks N times as many formulas,
//! different from the default ones.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::{arena, lasso_after, Random};
use automata::{classify_with, translate, Buchi, Limits, Monitor, Options, Tables, TooLarge};
use ltl::lasso::{Lasso, Letter};
use ltl::B4;
use ltl::{print, Arena, Id, Node, Style};

/// How many times as many formulas as usual are checked.
fn factor() -> usize {
    let factor = std::env::var("BAPRODUCT_FORMULAS").ok();
    factor.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// The number of formulas in each of the tests below.
fn rounds() -> usize {
    factor() * testing::tried(800, 2_500)
}

/// One formula with everything built from it.
struct Case {
    arena: Arena,
    root: Id,
    text: String,
    atoms: usize,
    /// Automata of the formula and of its negation.
    automata: [Buchi; 2],
    monitor: Monitor,
    tables: Option<Tables>,
}

impl Case {
    fn new(mut arena: Arena, root: Id, atoms: usize) -> Result<Case, TooLarge> {
        let text = print(&arena, root, Style::Ascii);
        let negation = arena.negate(root);
        let limits = Limits::default();
        let automaton = |f| translate(&arena, f, &Options::default());
        let automata = [automaton(root)?, automaton(negation)?];
        let monitor = Monitor::for_formula(&arena, root, &[], &limits)?;
        Ok(Case {
            monitor,
            tables: automata[1].tables(&limits).ok(),
            arena,
            root,
            text,
            atoms,
            automata,
        })
    }

    fn holds(&self, lasso: &Lasso) -> bool {
        lasso.satisfies(&self.arena, self.root)
    }

    /// Checks both automata on an infinite word; returns whether the word satisfies the formula.
    fn on_lasso(&self, prefix: &[Letter], cycle: &[Letter]) -> bool {
        let lasso = Lasso::new(prefix.to_vec(), cycle.to_vec()).unwrap();
        let holds = self.holds(&lasso);
        for (automaton, expected) in self.automata.iter().zip([holds, !holds]) {
            let accepts = automaton.accepts(prefix, cycle);
            assert_eq!(accepts, expected, "{} {prefix:?} {cycle:?}", self.text);
        }
        holds
    }

    /// Checks definition 2 of Morse et al. 2015, with a certificate for each possible continuation.
    fn on_word(&self, word: &[Letter]) {
        let context = || format!("{} {word:?}", self.text);
        let verdict = self.monitor.verdict_of_word(word).unwrap();
        let stutter = self.holds(&Lasso::stutter(word).unwrap());
        assert_eq!(verdict >= B4::PresumablyTrue, stutter, "{}", context());
        for (automaton, impossible, wanted) in [
            (&self.automata[0], B4::False, true),
            (&self.automata[1], B4::True, false),
        ] {
            let continuation = lasso_after(automaton, word);
            assert_eq!(
                continuation.is_none(),
                verdict == impossible,
                "{}",
                context()
            );
            if let Some(lasso) = continuation {
                assert_eq!(self.holds(&lasso), wanted, "{} {lasso:?}", context());
            }
        }
        if let Some(tables) = &self.tables {
            self.by_tables(tables, word, verdict);
        }
    }

    /// Checks the paper's monitor, which follows single runs: it may only miss ⊥.
    fn by_tables(&self, tables: &Tables, word: &[Letter], verdict: B4) {
        let automaton = &self.automata[1];
        let mut states = vec![automaton.initial()];
        for letter in word {
            let edges = states.iter().flat_map(|&s| &automaton.states()[s].edges);
            let taken = edges.filter(|edge| edge.guard.contains(letter));
            let mut next: Vec<usize> = taken.map(|edge| edge.target).collect();
            next.sort_unstable();
            next.dedup();
            states = next;
        }
        states.retain(|&s| !tables.surely_reject[s]);
        let last = word.last().unwrap();
        let accepted = |&s: &usize| tables.stutter_accept[s].contains(last);
        let told = match () {
            () if states.is_empty() => B4::True,
            () if states.iter().any(|&s| tables.surely_accept[s]) => B4::False,
            () if states.iter().any(accepted) => B4::PresumablyFalse,
            () => B4::PresumablyTrue,
        };
        let missed = verdict == B4::False && told == B4::PresumablyFalse;
        assert!(told == verdict || missed, "{} {word:?}: {told}", self.text);
    }

    /// Checks that the automaton survives being written in the Hanoi format and read back.
    fn written_and_read(&mut self, prefix: &[Letter], cycle: &[Letter]) {
        let text = self.automata[0].to_hoa(&self.arena, &self.text);
        let again = Buchi::from_hoa(&text, &mut self.arena, &Limits::default()).unwrap();
        assert_eq!(
            again.states().len(),
            self.automata[0].states().len(),
            "{text}"
        );
        assert_eq!(
            again.accepts(prefix, cycle),
            self.automata[0].accepts(prefix, cycle),
            "{text}"
        );
    }

    /// Checks the promises of the class on one infinite word.
    fn class(&self, prefix: &[Letter], cycle: &[Letter]) {
        let limits = Limits::default();
        let class = classify_with(Some(&self.monitor), &self.arena, self.root, &[], &limits);
        let holds = self.holds(&Lasso::new(prefix.to_vec(), cycle.to_vec()).unwrap());
        // After so many rounds, the monitor has visited every state that it will visit.
        let rounds = cycle
            .iter()
            .cycle()
            .take(cycle.len() * (1 + self.monitor.len()));
        let mut state = self.monitor.initial();
        for letter in prefix.iter().chain(rounds) {
            state = self.monitor.next(state, letter);
            let words = class.words.unwrap();
            let verdict = self.monitor.verdict(state, letter);
            assert!(words.verdicts.has(verdict), "{}", self.text);
        }
        let certain = self.monitor.certain(state);
        // Automata of formulas that count can be too large to be compared.
        let counts = self.arena.counts_letters(self.root);
        assert!(counts || class.safety.is_some() && class.co_safety.is_some());
        if class.safety == Some(true) && !holds {
            assert_eq!(certain, Some(B4::False), "{}", self.text);
        }
        if class.co_safety == Some(true) && holds {
            assert_eq!(certain, Some(B4::True), "{}", self.text);
        }
        if class.stutter_invariant == Some(true) {
            let twice = |word: &[Letter]| -> Vec<Letter> {
                word.iter().flat_map(|l| [l.clone(), l.clone()]).collect()
            };
            let slower = Lasso::new(twice(prefix), twice(cycle)).unwrap();
            assert_eq!(
                self.holds(&slower),
                holds,
                "{} {prefix:?} {cycle:?}",
                self.text
            );
        }
    }
}

/// How a random formula is made: the operators about that many, over so many propositions.
type Maker = fn(&mut Random, &mut Arena, usize, usize) -> Id;

fn check(shard: u64) {
    check_with(shard, 9, Random::formula);
}

fn check_with(shard: u64, largest: usize, make: Maker) {
    check_some(shard, largest, rounds(), make);
}

fn check_some(shard: u64, largest: usize, rounds: usize, make: Maker) {
    let seed = match factor() {
        1 => shard,
        more => shard + 2_500_000 * more as u64,
    };
    let mut random = Random(seed);
    let mut too_large = 0;
    for round in 0..rounds {
        let atoms = 1 + random.below(3);
        let mut arena = arena(atoms);
        let size = 1 + random.below(largest);
        let root = make(&mut random, &mut arena, size, atoms);
        let text = print(&arena, root, Style::Ascii);
        // Sequences within sequences can ask for sets of sets of places, and counts for sets of numbers.
        let counted = |id: &Id| matches!(arena.node(*id), Node::Often(..));
        let hard = arena.has_sequences(root) || arena.postorder(root).iter().any(counted);
        let mut case = match Case::new(arena, root, atoms) {
            Ok(case) => case,
            Err(bound) => {
                assert!(hard, "{text}: {bound}");
                too_large += 1;
                continue;
            }
        };
        for _ in 0..12 {
            let (p, c) = (random.below(4), 1 + random.below(4));
            case.on_lasso(&random.word(p, atoms), &random.word(c, atoms));
        }
        for _ in 0..4 {
            let n = 1 + random.below(5);
            let word = random.word(n, case.atoms);
            case.on_word(&word);
        }
        let (prefix, cycle) = (random.word(2, atoms), random.word(2, atoms));
        case.written_and_read(&prefix, &cycle);
        if round % 2 == 0 {
            case.class(&prefix, &cycle);
        }
    }
    assert!(too_large * 50 <= rounds, "{too_large} of {rounds}");
}

#[test]
fn formulas_of_the_first_seed() {
    check(1);
}

#[test]
fn formulas_of_the_second_seed() {
    check(2);
}

#[test]
fn formulas_of_the_third_seed() {
    check(3);
}

#[test]
fn formulas_of_the_fourth_seed() {
    check(4);
}

#[test]
fn formulas_with_past_operators() {
    check_with(5, 6, Random::past_formula);
}

#[test]
fn formulas_with_bounded_operators() {
    check_some(6, 4, rounds() / 2, Random::bounded_formula);
}

#[test]
fn requirements_beside_other_formulas() {
    check_some(7, 4, rounds() / 20, Random::requirements);
}

#[test]
fn formulas_with_sequences() {
    check_some(8, 4, rounds() / 20, Random::sequences);
}

#[test]
fn formulas_with_all_operators_within_each_other() {
    check_some(9, 4, rounds() / 20, Random::mixed);
}

/// What is said of two formulas: the word between them is one, and where there is none, no word is.
#[test]
fn comparisons_agree_with_the_definition() {
    let mut random = Random(10 + 2_500 * factor() as u64);
    let (mut implied, mut told) = (0, 0);
    for _ in 0..rounds() / 8 {
        let atoms = 1 + random.below(2);
        let mut arena = arena(atoms);
        let size = 1 + random.below(3);
        let first = random.mixed(&mut arena, size, atoms);
        let second = match random.below(3) {
            0 => random.mixed(&mut arena, size, atoms),
            1 => {
                let other = random.mixed(&mut arena, 1, atoms);
                arena.make(Node::Or(vec![first, other]))
            }
            _ => {
                let not = arena.negate(first);
                let later = arena.make(Node::Finally(not));
                arena.negate(later)
            }
        };
        let limits = Limits::default();
        let Ok(found) = automata::compare(&mut arena, first, second, &[], &limits) else {
            continue;
        };
        told += 1;
        for (word, yes, no) in [
            (&found.first_only, first, second),
            (&found.second_only, second, first),
        ] {
            let text = [yes, no].map(|root| print(&arena, root, Style::Ascii));
            match word {
                Some(automata::Witness::Lasso { prefix, cycle, .. }) => {
                    let word = Lasso::new(prefix.clone(), cycle.clone()).unwrap();
                    assert!(word.satisfies(&arena, yes), "{text:?} {word:?}");
                    assert!(!word.satisfies(&arena, no), "{text:?} {word:?}");
                }
                Some(automata::Witness::Finite(prefix)) => {
                    for _ in 0..5 {
                        let cycle = random.word(2, atoms);
                        let word = Lasso::new(prefix.clone(), cycle).unwrap();
                        assert!(word.satisfies(&arena, yes), "{text:?} {word:?}");
                        assert!(!word.satisfies(&arena, no), "{text:?} {word:?}");
                    }
                }
                None => {
                    implied += 1;
                    for _ in 0..40 {
                        let word = random.lasso(atoms);
                        let both = !word.satisfies(&arena, yes) || word.satisfies(&arena, no);
                        assert!(both, "{text:?} {word:?}");
                    }
                }
            }
        }
    }
    assert!(implied > 20 && told > 60, "{implied} {told}");
}

/// Pairs of equivalent formulas over two operands.
fn laws(arena: &mut Arena, a: Id, b: Id) -> Vec<(Id, Id)> {
    let mut make = |node| arena.make(node);
    let (not_a, not_b) = (make(Node::Not(a)), make(Node::Not(b)));
    let truth = make(Node::True);
    let until = make(Node::Until(a, b));
    let weak = make(Node::WeakUntil(a, b));
    let release = make(Node::Release(a, b));
    let strong = make(Node::StrongRelease(a, b));
    let both = make(Node::And(vec![a, b]));
    let always = make(Node::Globally(a));
    let eventually = make(Node::Finally(b));
    let next = |make: &mut dyn FnMut(Node) -> Id, f| make(Node::Next(f));
    let mut pairs = Vec::new();
    let dual = make(Node::Until(not_a, not_b));
    pairs.push((release, make(Node::Not(dual))));
    let dual = make(Node::WeakUntil(not_a, not_b));
    pairs.push((strong, make(Node::Not(dual))));
    pairs.push((weak, make(Node::Or(vec![until, always]))));
    pairs.push((until, make(Node::And(vec![weak, eventually]))));
    pairs.push((strong, make(Node::Until(b, both))));
    pairs.push((eventually, make(Node::Until(truth, b))));
    let never = make(Node::Finally(not_a));
    pairs.push((always, make(Node::Not(never))));
    let later = next(&mut make, until);
    let on = make(Node::And(vec![a, later]));
    pairs.push((until, make(Node::Or(vec![b, on]))));
    let implies = make(Node::Implies(a, b));
    pairs.push((implies, make(Node::Or(vec![not_a, b]))));
    let other = make(Node::Implies(b, a));
    let equal = make(Node::Iff(a, b));
    pairs.push((equal, make(Node::And(vec![implies, other]))));
    let (next_a, next_b) = (next(&mut make, a), next(&mut make, b));
    let apart = make(Node::Until(next_a, next_b));
    pairs.push((next(&mut make, until), apart));
    let twice = make(Node::Globally(eventually));
    pairs.push((twice, make(Node::Finally(twice))));
    pairs
}

#[test]
fn formulas_that_mean_the_same_have_monitors_of_the_same_size() {
    let limits = Limits::default();
    let mut random = Random(17);
    for _ in 0..rounds() / 12 {
        let mut arena = arena(3);
        let sizes = (random.below(4), random.below(4));
        let a = random.formula(&mut arena, sizes.0, 3);
        let b = random.formula(&mut arena, sizes.1, 3);
        for (left, right) in laws(&mut arena, a, b) {
            let text = print(&arena, left, Style::Ascii)
                + "   and   "
                + &print(&arena, right, Style::Ascii);
            let [one, other] =
                [left, right].map(|f| Monitor::for_formula(&arena, f, &[], &limits).unwrap());
            // Minimal monitors are unique.
            assert_eq!(one.len(), other.len(), "{text}");
            let negation = arena.negate(left);
            let dual = Monitor::for_formula(&arena, negation, &[], &limits).unwrap();
            assert_eq!(one.len(), dual.len(), "{text}");
            for _ in 0..3 {
                let n = 1 + random.below(5);
                let word = random.word(n, 3);
                let verdict = one.verdict_of_word(&word);
                assert_eq!(verdict, other.verdict_of_word(&word), "{text} {word:?}");
                assert_eq!(
                    verdict.map(|v| !v),
                    dual.verdict_of_word(&word),
                    "{text} {word:?}"
                );
            }
        }
    }
}

/// With a restricted alphabet, verdicts range over the words that it allows.
#[test]
fn restricted_alphabets_follow_the_definition() {
    let limits = Limits::default();
    let mut random = Random(31);
    for _ in 0..rounds() / 4 {
        let mut arena = arena(3);
        let size = 1 + random.below(7);
        let root = random.formula(&mut arena, size, 3);
        let atoms: Vec<Id> = (0..3)
            .map(|i| arena.make(Node::Atom(ltl::AtomId(i))))
            .collect();
        let both = arena.make(Node::And(vec![atoms[0], atoms[1]]));
        let never = arena.make(Node::Not(both));
        let implied = arena.make(Node::Implies(atoms[2], atoms[0]));
        let constraints = [never, implied];
        let text = print(&arena, root, Style::Ascii);
        let monitor = Monitor::for_formula(&arena, root, &constraints, &limits).unwrap();
        let options = Options {
            limits,
            constraints: constraints.to_vec(),
        };
        let negation = arena.negate(root);
        let automata = [root, negation].map(|f| translate(&arena, f, &options).unwrap());
        for _ in 0..6 {
            // ∅, {0}, {1}, {0, 2}
            let letters = [&[][..], &[0], &[1], &[0, 2]];
            let n = 1 + random.below(4);
            let word: Vec<Letter> = (0..n)
                .map(|_| {
                    letters[random.below(4)]
                        .iter()
                        .map(|&i| ltl::AtomId(i))
                        .collect()
                })
                .collect();
            let verdict = monitor.verdict_of_word(&word).unwrap();
            let stutter = Lasso::stutter(&word).unwrap().satisfies(&arena, root);
            assert_eq!(verdict >= B4::PresumablyTrue, stutter, "{text} {word:?}");
            for (automaton, impossible) in automata.iter().zip([B4::False, B4::True]) {
                let found = lasso_after(automaton, &word);
                assert_eq!(found.is_none(), verdict == impossible, "{text} {word:?}");
                if let Some(lasso) = found {
                    let wanted = impossible == B4::False;
                    assert_eq!(lasso.satisfies(&arena, root), wanted, "{text} {lasso:?}");
                }
            }
        }
    }
}
