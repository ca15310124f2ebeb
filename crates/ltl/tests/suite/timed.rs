//! Operators with times: their syntax, and that timers and a formula without times say the same, by the definition.
#![allow(clippy::unwrap_used)]

use ltl::lasso::{Lasso, Letter};
use ltl::timed::{eliminate, Expression, Machine, Measure, Place, Timer};
use ltl::{parse, print, Arena, Atom, AtomId, Bounded, Id, Interval, Node, Style};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn times_are_read_and_printed() {
    for (text, expected) in [
        ("G(p -> F[<=50 ticks] q)", "G(p -> F[<=50 ticks] q)"),
        ("G[10,50ticks]p", "G[10,50 ticks] p"),
        ("p U[<5 ticks] q", "p U[<=4 ticks] q"),
        (
            "O[>=3 ticks] p S[0,7 ticks] q",
            "O[>=3 ticks] p S[<=7 ticks] q",
        ),
        ("H[1,1 tick] p", "H[1,1 ticks] p"),
    ] {
        let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let printed = print(&parsed.arena, parsed.root, Style::Ascii);
        assert_eq!(printed, expected);
        let again = parse(&printed).unwrap();
        assert_eq!(print(&again.arena, again.root, Style::Ascii), printed);
    }
    for (text, help) in [
        ("X[3 ticks] p", "next counts letters"),
        ("F[5 ticks] p", "a single number"),
        ("F[<=5 ms] p", "ticks of the program's clock"),
        ("F[5,2 ticks] p", "the first number is the smaller one"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.help.unwrap().contains(help), "{text}");
    }
}

#[test]
fn what_cannot_be_measured_is_refused_with_the_reason() {
    for (text, reason) in [
        (
            "G F[<=5 ticks] q || G(p -> X(q U F[<=5 ticks] r))",
            "no times are measured within",
        ),
        (
            "G(Y p -> F[<=5 ticks] q)",
            "can begin to hold when nothing changes any more",
        ),
        ("G(p -> F[<=5 ticks] (Y q))", "looks at the letter before"),
        ("G(p -> F[<=5 ticks] X q)", "is about the future"),
        ("G(p -> F[>=5 ticks] q)", "has no end"),
        ("G(p -> (F q || F[<=5 ticks] r))", "leaves open which"),
        ("G(p -> F[<=5 ticks] O[<=3] q)", "counts letters"),
        ("G(p -> F[<=2000000000 ticks] q)", "too large"),
    ] {
        let mut parsed = parse(text).unwrap();
        let refused = eliminate(
            &mut parsed.arena,
            parsed.root,
            Measure::Ticks,
            &mut Vec::new(),
        );
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(reason), "{text}: {message}");
    }
}

#[test]
fn a_timer_is_a_few_numbers() {
    for (text, numbers) in [
        ("G(p -> F[<=5000 ticks] q)", 1),
        ("G(p -> G[<=5000 ticks] q)", 2),
        ("G(p -> O[<=5000 ticks] q)", 2),
        ("G(p -> G[5000,10000 ticks] q)", 4),
        ("G(Y !p && p -> F[<=5 ticks] q)", 2),
        ("G(O p && Z !O p -> F[<=5 ticks] q)", 3),
        ("G(Y !H p && H p -> F[<=5 ticks] q)", 3),
        ("G((p S r) && Y !(p S r) -> F[<=5 ticks] q)", 3),
        ("G((p B r) && Y !(p B r) -> F[<=5 ticks] q)", 3),
        ("G(p -> F[<=5 ticks] q) && G(r -> F[<=5 ticks] q)", 2),
        ("(p -> F[<=5 ticks] q) W r", 3),
    ] {
        let mut parsed = parse(text).unwrap();
        let mut timers = Vec::new();
        eliminate(&mut parsed.arena, parsed.root, Measure::Ticks, &mut timers).unwrap();
        let all = timers.iter().map(|timer| timer.machine().memory.len());
        assert_eq!(all.sum::<usize>(), numbers, "{text}");
    }
}

/// A timer that runs.
struct Running<'a> {
    timer: &'a Timer,
    machine: Machine,
    memory: Vec<u32>,
}

impl<'a> Running<'a> {
    fn new(timer: &'a Timer) -> Running<'a> {
        let machine = timer.machine();
        Running {
            timer,
            memory: vec![0; machine.memory.len()],
            machine,
        }
    }

    /// Adds the timer's propositions to a letter; whether it knows all.
    fn step(&mut self, arena: &Arena, letter: &mut Letter, passed: u32) -> bool {
        let mut locals = vec![0; self.machine.locals];
        let mut lost = false;
        let mut outputs = vec![false; self.timer.outputs.len()];
        let seen = letter.clone();
        for (place, expression) in &self.machine.step {
            let value = value(expression, arena, &seen, passed, &self.memory, &locals);
            match place {
                Place::Memory(n) => self.memory[*n] = value,
                Place::Local(n) => locals[*n] = value,
                Place::Output(n) => outputs[*n] = value != 0,
                Place::Lost => lost |= value != 0,
            }
        }
        for (most, value) in self.machine.memory.iter().zip(&self.memory) {
            assert!(value <= most, "{:?}", self.timer);
        }
        let given = self.timer.outputs.iter().zip(outputs);
        letter.extend(given.filter(|(_, value)| *value).map(|(atom, _)| *atom));
        !lost
    }
}

fn value(
    e: &Expression,
    arena: &Arena,
    letter: &Letter,
    passed: u32,
    memory: &[u32],
    locals: &[u32],
) -> u32 {
    let of = |e: &Expression| value(e, arena, letter, passed, memory, locals);
    match e {
        Expression::Number(n) => *n,
        Expression::Value(Place::Memory(n)) => memory[*n],
        Expression::Value(Place::Local(n)) => locals[*n],
        Expression::Value(_) => panic!("outputs are not read"),
        Expression::Passed => passed,
        Expression::Holds(id) => {
            let lasso = Lasso::stutter(std::slice::from_ref(letter)).unwrap();
            u32::from(lasso.satisfies(arena, *id))
        }
        Expression::Sum(both) => of(&both[0]) + of(&both[1]),
        Expression::AtLeast(both) => u32::from(of(&both[0]) >= of(&both[1])),
        Expression::And(both) => of(&both[0]) & of(&both[1]),
        Expression::Or(both) => of(&both[0]) | of(&both[1]),
        Expression::Not(one) => 1 - of(one),
        Expression::Choice(all) => match of(&all[0]) {
            0 => of(&all[2]),
            _ => of(&all[1]),
        },
    }
}

/// A word with the time from the letter before to each letter.
type Timed = Vec<(Letter, u32)>;

/// The letters with the timers' propositions, the rounds of the cycle until all repeats; `None` if a timer has no room.
fn extended(
    arena: &Arena,
    timers: &[Timer],
    prefix: &Timed,
    cycle: &Timed,
) -> Option<(Vec<Letter>, Vec<Letter>)> {
    let mut running: Vec<Running> = timers.iter().map(Running::new).collect();
    let mut read = |letters: &Timed| {
        let one = |(letter, passed): &(Letter, u32)| {
            let mut letter = letter.clone();
            let known: Vec<bool> = running
                .iter_mut()
                .map(|timer| timer.step(arena, &mut letter, *passed))
                .collect();
            known.into_iter().all(|known| known).then_some(letter)
        };
        let letters: Option<Vec<Letter>> = letters.iter().map(one).collect();
        let memory: Vec<Vec<u32>> = running.iter().map(|timer| timer.memory.clone()).collect();
        Some((letters?, memory))
    };
    let (mut first, mut memory) = read(prefix)?;
    let mut rounds: Vec<(Vec<Vec<u32>>, Vec<Letter>)> = Vec::new();
    loop {
        if let Some(at) = rounds.iter().position(|(before, _)| *before == memory) {
            let letters = |rounds: &[(Vec<Vec<u32>>, Vec<Letter>)]| {
                let all = rounds.iter().flat_map(|(_, letters)| letters.clone());
                all.collect::<Vec<Letter>>()
            };
            first.extend(letters(&rounds[..at]));
            return Some((first, letters(&rounds[at..])));
        }
        let (letters, after) = read(cycle)?;
        rounds.push((std::mem::replace(&mut memory, after), letters));
    }
}

/// The value of a formula with times at the first letter, by the definition.
fn holds(arena: &Arena, root: Id, prefix: &Timed, cycle: &Timed) -> bool {
    const ROUNDS: usize = 24;
    let mut arena = arena.clone();
    let unrolled = std::iter::repeat_n(cycle, ROUNDS).flatten();
    let letters: Timed = prefix.iter().chain(unrolled).cloned().collect();
    let (first, length) = (letters.len() - cycle.len(), letters.len());
    let mut words: Vec<Letter> = letters.iter().map(|(letter, _)| letter.clone()).collect();
    let passed: Vec<u32> = letters.iter().map(|(_, passed)| *passed).collect();
    let mut new: std::collections::HashMap<Id, Id> = std::collections::HashMap::new();
    for id in arena.postorder(root) {
        let node = arena.node(id).map_operands(&mut |o| new[&o]);
        let made = arena.make(node.clone());
        let Node::Timed(operator, interval, operands) = &node else {
            new.insert(id, made);
            continue;
        };
        let lasso = Lasso::new(words[..first].to_vec(), words[first..].to_vec()).unwrap();
        let values: Vec<Vec<bool>> = operands.iter().map(|o| lasso.values(&arena, *o)).collect();
        let at = |i: usize| measured(*operator, *interval, &values, &passed, first, i);
        let values: Vec<bool> = (0..length).map(at).collect();
        let atom = arena.atom(Atom::Name(format!("time {}", id.index())));
        for (letter, value) in words.iter_mut().zip(values) {
            if value {
                letter.insert(atom);
            }
        }
        let replaced = arena.make(Node::Atom(atom));
        new.insert(id, replaced);
    }
    let lasso = Lasso::new(words[..first].to_vec(), words[first..].to_vec()).unwrap();
    lasso.satisfies(&arena, new[&root])
}

/// The value of an operator with times at a position; those from `first` on repeat.
fn measured(
    operator: Bounded,
    interval: Interval,
    of: &[Vec<bool>],
    passed: &[u32],
    first: usize,
    at: usize,
) -> bool {
    let (right, left) = of.split_last().unwrap();
    let dual = matches!(operator, Bounded::Globally | Bounded::Historically);
    let (mut position, mut time, mut steps) = (at, 0, 0);
    // With what repeats, nothing new comes after as many rounds as there are times.
    while steps < 40 * (passed.len() - first) + passed.len() {
        if interval.contains(time) && right[position] != dual {
            return !dual;
        }
        if !left.first().is_none_or(|left| left[position]) {
            return dual;
        }
        if operator.is_past() {
            if position == 0 {
                return dual;
            }
            time += passed[position];
            position -= 1;
        } else {
            position = if position + 1 < passed.len() {
                position + 1
            } else {
                first
            };
            time += passed[position];
        }
        steps += 1;
    }
    dual
}

/// A formula with times of a kind that timers have, by some numbers.
struct Maker<'a> {
    arena: &'a mut Arena,
    numbers: std::slice::Iter<'a, u8>,
    letters: bool,
}

impl Maker<'_> {
    fn below(&mut self, n: u8) -> u8 {
        self.numbers.next().copied().unwrap_or(0) % n
    }

    fn atom(&mut self) -> Id {
        let name = ["p", "q", "r"][usize::from(self.below(3))];
        let atom = self.arena.atom(Atom::Name(name.into()));
        self.arena.make(Node::Atom(atom))
    }

    /// About present and past, without `Y` and `Z`.
    fn steady(&mut self, depth: u8) -> Id {
        if depth == 0 {
            return self.atom();
        }
        let a = self.steady(depth - 1);
        let kind = self.below(12);
        let b = match kind {
            4..=7 => self.steady(depth - 1),
            _ => a,
        };
        let node = match kind {
            0 => Node::Not(a),
            1 => Node::Once(a),
            2 => Node::Historically(a),
            4 => Node::And(vec![a, b]),
            5 => Node::Or(vec![a, b]),
            6 => Node::Since(a, b),
            7 => Node::BackTo(a, b),
            8 if !self.letters => {
                let interval = self.interval(true);
                let operators = [Bounded::Once, Bounded::Historically];
                let operator = operators[usize::from(self.below(2))];
                Node::Timed(operator, interval, vec![a])
            }
            9 if !self.letters => {
                let interval = self.interval(true);
                let b = self.atom();
                Node::Timed(Bounded::Since, interval, vec![a, b])
            }
            _ => return a,
        };
        self.arena.make(node)
    }

    fn interval(&mut self, endless: bool) -> Interval {
        let from = u32::from(self.below(5));
        let length = u32::from(self.below(4));
        let ends = !endless || self.below(4) > 0;
        Interval {
            from,
            to: ends.then_some(from + length),
        }
    }

    fn timed(&mut self) -> Id {
        let a = self.steady(1);
        let b = self.steady(1);
        let interval = self.interval(false);
        let (operator, operands) = match self.below(3) {
            0 => (Bounded::Finally, vec![a]),
            1 => (Bounded::Globally, vec![a]),
            _ => (Bounded::Until, vec![a, b]),
        };
        self.arena.make(match self.letters {
            true => Node::Within(operator, interval, operands),
            false => Node::Timed(operator, interval, operands),
        })
    }

    /// `timed` as long as something lasts, or from when it ends.
    fn lasting(&mut self, timed: Id) -> Id {
        let other = self.steady(1);
        let (a, b) = match self.below(2) {
            0 => (timed, other),
            _ => (other, timed),
        };
        let node = match self.below(4) {
            0 => Node::Until(a, b),
            1 => Node::WeakUntil(a, b),
            2 => Node::Release(a, b),
            _ => Node::StrongRelease(a, b),
        };
        self.arena.make(node)
    }

    fn formula(&mut self, depth: u8) -> Id {
        if depth > 0 && self.below(2) == 0 {
            let a = self.formula(depth - 1);
            let b = self.formula(depth - 1);
            let node = match self.below(4) {
                0 => Node::Or(vec![a, b]),
                1 => Node::Implies(a, b),
                2 => Node::Not(a),
                _ => Node::And(vec![a, b]),
            };
            return self.arena.make(node);
        }
        let timed = self.timed();
        let premise = self.steady(2);
        let inner = match self.below(9) {
            6 => {
                let lasting = self.lasting(timed);
                self.arena.make(Node::Implies(premise, lasting))
            }
            7 => self.lasting(timed),
            8 => {
                let lasting = self.lasting(timed);
                self.arena.make(Node::Not(lasting))
            }
            0 => timed,
            1 => self.arena.make(Node::Not(timed)),
            2 => {
                let changed = self.atom();
                let not = self.arena.negate(changed);
                let before = self.arena.make(Node::Previous(not));
                let rises = self.arena.make(Node::And(vec![before, changed]));
                self.arena.make(Node::Implies(rises, timed))
            }
            3 => {
                let always = self.arena.make(Node::Globally(timed));
                self.arena.make(Node::Implies(premise, always))
            }
            _ => self.arena.make(Node::Implies(premise, timed)),
        };
        match self.below(5) {
            0 => inner,
            1 => self.arena.make(Node::Finally(inner)),
            _ => self.arena.make(Node::Globally(inner)),
        }
    }
}

/// A formula with its timers; `None` for the kinds that are refused.
fn made(numbers: &[u8], measure: Measure) -> Option<(Arena, [Id; 2], Vec<Timer>)> {
    let mut arena = Arena::new();
    let mut maker = Maker {
        arena: &mut arena,
        numbers: numbers.iter(),
        letters: measure == Measure::Letters,
    };
    let root = maker.formula(2);
    let mut timers = Vec::new();
    let made = eliminate(&mut arena, root, measure, &mut timers).ok()?;
    assert!(!arena.has_time(made));
    Some((arena, [root, made], timers))
}

fn letters(arena: &Arena, numbers: &[(u8, u8)], measure: Measure) -> Timed {
    let names = ["p", "q", "r"].map(|name| arena.find_atom(&Atom::Name(name.into())));
    let one = |&(bits, passed): &(u8, u8)| {
        let held = names.iter().enumerate();
        let held = held.filter(|(n, _)| bits >> n & 1 == 1);
        let letter: Letter = held
            .filter_map(|(_, atom): (usize, &Option<AtomId>)| *atom)
            .collect();
        let passed = match measure {
            Measure::Letters => 1,
            Measure::Ticks => [0, 1, 1, 2, 0, 3, 5, 9][usize::from(passed % 8)],
        };
        (letter, passed)
    };
    numbers.iter().map(one).collect()
}

/// Numbers of letters and of times.
type Numbers<'a> = &'a [(u8, u8)];

fn check(numbers: &[u8], word: [Numbers; 2], measure: Measure) {
    let Some((arena, [root, made], timers)) = made(numbers, measure) else {
        return;
    };
    let (prefix, cycle) = (
        letters(&arena, word[0], measure),
        letters(&arena, word[1], measure),
    );
    let shown = print(&arena, root, Style::Ascii);
    if let Some((first, again)) = extended(&arena, &timers, &prefix, &cycle) {
        let lasso = Lasso::new(first, again).unwrap();
        let expected = match measure {
            Measure::Ticks => holds(&arena, root, &prefix, &cycle),
            Measure::Letters => {
                let plain = |of: &Timed| of.iter().map(|(letter, _)| letter.clone()).collect();
                Lasso::new(plain(&prefix), plain(&cycle))
                    .unwrap()
                    .satisfies(&arena, root)
            }
        };
        let found = lasso.satisfies(&arena, made);
        assert_eq!(found, expected, "{shown} on {prefix:?} {cycle:?}");
    }
    // A finite word, at whose last letter time stands still, or letters go on.
    let word: Timed = prefix.iter().chain(&cycle).cloned().collect();
    let last = (
        word.last().unwrap().0.clone(),
        u32::from(measure == Measure::Letters),
    );
    if let Some((letters, _)) = extended(&arena, &timers, &word, &vec![last.clone()]) {
        let expected = match measure {
            Measure::Ticks => holds(&arena, root, &word, &vec![last]),
            Measure::Letters => {
                let plain: Vec<Letter> = word.iter().map(|(letter, _)| letter.clone()).collect();
                Lasso::stutter(&plain).unwrap().satisfies(&arena, root)
            }
        };
        let found = Lasso::stutter(&letters[..word.len()]).unwrap();
        let found = found.satisfies(&arena, made);
        assert_eq!(found, expected, "{shown} on the prefix {word:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::tried(1000, 3000) as u32))]

    #[test]
    fn timers_measure_what_is_defined(
        numbers in vec(any::<u8>(), 1..60),
        prefix in vec((any::<u8>(), any::<u8>()), 0..10),
        cycle in vec((any::<u8>(), any::<u8>()), 1..4),
    ) {
        check(&numbers, [&prefix, &cycle], Measure::Ticks);
    }

    #[test]
    fn timers_count_letters(
        numbers in vec(any::<u8>(), 1..60),
        prefix in vec((any::<u8>(), any::<u8>()), 0..10),
        cycle in vec((any::<u8>(), any::<u8>()), 1..4),
    ) {
        check(&numbers, [&prefix, &cycle], Measure::Letters);
    }
}
