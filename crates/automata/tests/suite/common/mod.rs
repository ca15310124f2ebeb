//! Random formulas and words, reproducible by a seed.
#![allow(dead_code)]

pub mod families;

use ltl::lasso::{Lasso, Letter};
use ltl::{Arena, Atom, AtomId, Bounded, Id, Interval, Node};

/// A small generator of pseudo-random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A formula with about this many operators over the first `atoms` propositions.
    pub fn formula(&mut self, arena: &mut Arena, size: usize, atoms: usize) -> Id {
        if size == 0 {
            let index = self.below(atoms * 8);
            let node = match index {
                0 => Node::True,
                1 => Node::False,
                i => Node::Atom(arena.atom(Atom::Name(format!("p{}", i % atoms)))),
            };
            return arena.make(node);
        }
        let kind = self.below(15);
        if kind < 5 {
            let a = self.formula(arena, size - 1, atoms);
            return arena.make(match kind {
                0 => Node::Not(a),
                1 => Node::Next(a),
                2 | 3 => Node::Finally(a),
                _ => Node::Globally(a),
            });
        }
        let left = self.below(size);
        let a = self.formula(arena, left, atoms);
        let b = self.formula(arena, size - 1 - left, atoms);
        arena.make(match kind {
            5 | 6 => Node::And(vec![a, b]),
            7 | 8 => Node::Or(vec![a, b]),
            9 => Node::Implies(a, b),
            10 => Node::Iff(a, b),
            11 => Node::Until(a, b),
            12 => Node::Release(a, b),
            13 => Node::WeakUntil(a, b),
            _ => Node::StrongRelease(a, b),
        })
    }

    /// A formula like [`Random::formula`], in which about a third of the operators are past ones.
    pub fn past_formula(&mut self, arena: &mut Arena, size: usize, atoms: usize) -> Id {
        if size == 0 {
            return self.formula(arena, 0, atoms);
        }
        let kind = self.below(18);
        if kind < 8 {
            let a = self.past_formula(arena, size - 1, atoms);
            return arena.make(match kind {
                0 => Node::Not(a),
                1 => Node::Next(a),
                2 => Node::Finally(a),
                3 => Node::Globally(a),
                4 => Node::Previous(a),
                5 => Node::WeakPrevious(a),
                6 => Node::Once(a),
                _ => Node::Historically(a),
            });
        }
        let left = self.below(size);
        let a = self.past_formula(arena, left, atoms);
        let b = self.past_formula(arena, size - 1 - left, atoms);
        arena.make(match kind {
            8 | 9 => Node::And(vec![a, b]),
            10 => Node::Or(vec![a, b]),
            11 => Node::Implies(a, b),
            12 => Node::Iff(a, b),
            13 => Node::Until(a, b),
            14 => Node::WeakUntil(a, b),
            15 => Node::BackTo(a, b),
            _ => Node::Since(a, b),
        })
    }

    /// A formula in which about a third of the operators are bounded, and some are past ones.
    pub fn bounded_formula(&mut self, arena: &mut Arena, size: usize, atoms: usize) -> Id {
        if size == 0 {
            return self.formula(arena, 0, atoms);
        }
        let (from, length) = (self.below(3) as u32, self.below(3) as u32);
        let interval = Interval {
            from,
            to: (self.below(4) > 0).then_some(from + length),
        };
        let left = self.below(size);
        let a = self.bounded_formula(arena, left, atoms);
        let b = self.bounded_formula(arena, size - 1 - left, atoms);
        let once = Interval {
            from: length,
            to: Some(length),
        };
        arena.make(match self.below(18) {
            0 => Node::Within(Bounded::Next, once, vec![b]),
            1 | 2 => Node::Within(Bounded::Finally, interval, vec![b]),
            3 | 4 => Node::Within(Bounded::Globally, interval, vec![b]),
            5 => Node::Within(Bounded::Until, interval, vec![a, b]),
            6 => Node::Within(Bounded::Once, interval, vec![b]),
            7 => Node::Within(Bounded::Historically, interval, vec![b]),
            8 => Node::Within(Bounded::Since, interval, vec![a, b]),
            9 => Node::Previous(b),
            10 => Node::Not(b),
            11 => Node::Implies(a, b),
            12 => Node::And(vec![a, b]),
            13 => Node::Or(vec![a, b]),
            14 => Node::Globally(b),
            15 => Node::Finally(b),
            16 => Node::Iff(a, b),
            _ => Node::Until(a, b),
        })
    }

    /// A formula in which past, bounded and counting operators and sequences stand within each other.
    pub fn mixed(&mut self, arena: &mut Arena, size: usize, atoms: usize) -> Id {
        if size == 0 {
            return match self.below(6) {
                0 => self.sequences(arena, 0, atoms),
                _ => self.formula(arena, 0, atoms),
            };
        }
        let left = self.below(size);
        let a = self.mixed(arena, left, atoms);
        let b = self.mixed(arena, size - 1 - left, atoms);
        let (from, length) = (self.below(3) as u32, self.below(3) as u32);
        let interval = Interval {
            from,
            to: (self.below(5) > 0).then_some(from + length),
        };
        let steps = Interval {
            from,
            to: Some(from),
        };
        let window = Interval {
            from: 0,
            to: Some(length),
        };
        arena.make(match self.below(25) {
            20 => Node::Within(Bounded::Next, steps, vec![b]),
            21 => Node::Often(window, interval, b),
            22 => Node::Release(a, b),
            23 => Node::StrongRelease(a, b),
            24 => Node::Iff(a, b),
            0 => Node::Within(Bounded::Finally, interval, vec![b]),
            1 => Node::Within(Bounded::Globally, interval, vec![b]),
            2 => Node::Within(Bounded::Until, interval, vec![a, b]),
            3 => Node::Within(Bounded::Once, interval, vec![b]),
            4 => Node::Within(Bounded::Historically, interval, vec![b]),
            5 => Node::Within(Bounded::Since, interval, vec![a, b]),
            6 => Node::Previous(b),
            7 => Node::WeakPrevious(b),
            8 => Node::Once(b),
            9 => Node::Since(a, b),
            10 => Node::BackTo(a, b),
            11 => Node::Not(b),
            12 => Node::Implies(a, b),
            13 => Node::And(vec![a, b]),
            14 => Node::Or(vec![a, b]),
            15 => Node::Globally(b),
            16 => Node::Finally(b),
            17 => Node::Next(b),
            18 => Node::WeakUntil(a, b),
            _ => Node::Until(a, b),
        })
    }

    /// A conjunction or disjunction of requirements such as `G(p -> F[0,2] q)` and a formula of any kind.
    pub fn requirements(&mut self, arena: &mut Arena, size: usize, atoms: usize) -> Id {
        let mut all = vec![self.formula(arena, size / 3, atoms)];
        for _ in 0..1 + self.below(2) {
            let (start, hold) = (self.past(arena, atoms), self.formula(arena, 0, atoms));
            let goal = self.past(arena, atoms);
            let (from, length) = (self.below(3) as u32, self.below(3) as u32);
            let interval = Interval {
                from,
                to: Some(from + length),
            };
            let (operator, operands) = match self.below(3) {
                0 => (Bounded::Globally, vec![goal]),
                1 => (Bounded::Until, vec![hold, goal]),
                _ => (Bounded::Finally, vec![goal]),
            };
            let bounded = arena.make(Node::Within(operator, interval, operands));
            let one = match self.below(4) {
                0 => arena.make(Node::Or(vec![start, bounded])),
                _ => arena.make(Node::Implies(start, bounded)),
            };
            all.push(match self.below(5) {
                0 => one,
                _ => arena.make(Node::Globally(one)),
            });
        }
        let together = match self.below(4) {
            0 => Node::Or(all),
            _ => Node::And(all),
        };
        let together = arena.make(together);
        match self.below(4) {
            0 => arena.make(Node::Not(together)),
            _ => together,
        }
    }

    /// The text of a pattern with about this many operators.
    fn pattern(&mut self, size: usize, atoms: usize) -> String {
        if size == 0 {
            let p = format!("p{}", self.below(atoms));
            let n = self.below(3);
            return match self.below(10) {
                0 => "true".to_owned(),
                1 | 2 => format!("!{p}"),
                3 => format!("{p}[->{}]", n + 1),
                4 => format!("{p}[={n}:{}]", n + 1),
                5 => format!("Y {p}"),
                _ => p,
            };
        }
        let left = self.below(size);
        let (n, m) = (self.below(3), self.below(2));
        let a = self.pattern(left, atoms);
        let b = self.pattern(size - 1 - left, atoms);
        match self.below(12) {
            0..5 => format!("({a}; {b})"),
            5 => format!("({a} : {b})"),
            6 => format!("({a} | {b})"),
            7 => format!("({a} && {b})"),
            8 => format!("({a} & {b})"),
            9 => format!("({a})[*]"),
            10 => format!("({a})[*{n}:{}]", n + m),
            _ => format!("({a})[*{n}:]"),
        }
    }

    /// A formula with a few sequences.
    pub fn sequences(&mut self, arena: &mut Arena, size: usize, atoms: usize) -> Id {
        let text = self.sequence_text(size, atoms);
        let parsed = ltl::parse_into(arena, &text, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        parsed.root
    }

    fn sequence_text(&mut self, size: usize, atoms: usize) -> String {
        let p = format!("p{}", self.below(atoms));
        if size == 0 {
            let (n, a) = (self.below(3), self.below(3));
            return match self.below(8) {
                0 => format!("O[<={n} in <={}] {p}", n + a),
                1 => format!("O[{n},{n} in {a},{}] {p}", n + a),
                2 => format!("F[>={n} in {a},{}] {p}", n + a),
                3 => format!("O[>={} in >={a}] {p}", n + 1),
                _ => p,
            };
        }
        let operators = self.below(4);
        let pattern = self.pattern(operators, atoms);
        let behind = self.sequence_text(size / 2, atoms);
        let other = self.sequence_text(size - 1, atoms);
        match self.below(16) {
            0 | 1 => format!("({{{pattern}}} |-> {behind})"),
            2 => format!("({{{pattern}}} |=> {behind})"),
            3 => format!("({{{pattern}}} <>-> {behind})"),
            4 => format!("({{{pattern}}} <>=> {behind})"),
            5 => format!("{{{pattern}}}!"),
            6 => format!("{{[*0]; {pattern}}}"),
            7 | 8 => format!("G ({other})"),
            9 => format!("F ({other})"),
            10 => format!("G ({p} -> {other})"),
            11 => format!("!({other})"),
            12 => format!("({p} || {other})"),
            13 => format!("({other} && {behind})"),
            14 => format!("({p} U {other})"),
            _ => format!("X ({other})"),
        }
    }

    /// A formula of the present and the past.
    fn past(&mut self, arena: &mut Arena, atoms: usize) -> Id {
        let a = self.formula(arena, 0, atoms);
        match self.below(6) {
            0 => arena.make(Node::Previous(a)),
            1 => {
                let interval = Interval {
                    from: 0,
                    to: Some(2),
                };
                arena.make(Node::Within(Bounded::Once, interval, vec![a]))
            }
            _ => a,
        }
    }

    pub fn letter(&mut self, atoms: usize) -> Letter {
        let bits = self.next();
        (0..atoms as u32)
            .filter(|i| bits >> i & 1 == 1)
            .map(AtomId)
            .collect()
    }

    pub fn word(&mut self, length: usize, atoms: usize) -> Vec<Letter> {
        (0..length).map(|_| self.letter(atoms)).collect()
    }

    pub fn lasso(&mut self, atoms: usize) -> Lasso {
        let prefix = self.below(5);
        let cycle = 1 + self.below(4);
        Lasso::new(self.word(prefix, atoms), self.word(cycle, atoms)).expect("a cycle")
    }
}

/// An arena whose first propositions are p0, p1, …, with indices in order.
pub fn arena(atoms: usize) -> Arena {
    let mut arena = Arena::new();
    for i in 0..atoms {
        arena.atom(Atom::Name(format!("p{i}")));
    }
    arena
}

/// The formula of a text.
pub fn parse(text: &str) -> (Arena, Id) {
    let parsed = ltl::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    (parsed.arena, parsed.root)
}

/// An infinite word that begins with this one and that the automaton accepts, if there is one; found by a
/// search over states and edges.
pub fn lasso_after(automaton: &automata::Buchi, word: &[Letter]) -> Option<Lasso> {
    let mut current = vec![automaton.initial()];
    for letter in word {
        let edges = current.iter().flat_map(|&s| &automaton.states()[s].edges);
        let taken = edges.filter(|edge| edge.guard.contains(letter));
        current = taken.map(|edge| edge.target).collect();
        current.sort_unstable();
        current.dedup();
    }
    let accepting = automaton.states().iter().enumerate();
    for (target, _) in accepting.filter(|(_, state)| state.accepting) {
        let Some(cycle) = path(automaton, &[target], target, 1) else {
            continue;
        };
        if let Some(path) = path(automaton, &current, target, 0) {
            return Lasso::new([word.to_vec(), path].concat(), cycle);
        }
    }
    None
}

/// Letters that lead from one of the states to a state, at least `least` (0 or 1) of them.
fn path(
    automaton: &automata::Buchi,
    from: &[usize],
    to: usize,
    least: usize,
) -> Option<Vec<Letter>> {
    if least == 0 && from.contains(&to) {
        return Some(Vec::new());
    }
    let mut paths: Vec<Option<Vec<Letter>>> = vec![None; automaton.states().len()];
    let mut queue: std::collections::VecDeque<(usize, Vec<Letter>)> =
        from.iter().map(|&s| (s, Vec::new())).collect();
    while let Some((state, so_far)) = queue.pop_front() {
        for edge in &automaton.states()[state].edges {
            let mut longer = so_far.clone();
            longer.push(edge.guard.witness()?);
            if edge.target == to {
                return Some(longer);
            }
            if paths[edge.target].is_none() {
                paths[edge.target] = Some(longer.clone());
                queue.push_back((edge.target, longer));
            }
        }
    }
    None
}
