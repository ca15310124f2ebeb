//! Why an infinite word satisfies or violates a formula: the positions and subformulas that decide it, found by
//! following the definition from the root.
//!
//! Of several reasons the first one is given: the earliest position at which a `G` fails, the first false
//! operand of a conjunction.

use crate::lasso::Lasso;
use crate::{Arena, Id, Node};
use std::collections::HashSet;

/// One fact about the word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The position, below the number of distinct positions of the word.
    pub position: usize,
    /// The subformula.
    pub formula: Id,
    /// The subformula's value.
    pub value: bool,
    /// Whether the subformula has that value at every position from this one on. If the value is false, the
    /// subformula may be an obligation that is never met.
    pub forever: bool,
}

/// The most facts; more do not explain anything.
const MOST: usize = 6;

impl Lasso {
    /// Facts that together give the formula its value on this word, from the outside in. Time and space are
    /// linear in the size of the formula times the length of the word.
    pub fn reasons(&self, arena: &Arena, root: Id) -> Vec<Fact> {
        let word = self.unrolled(arena, root);
        let mut search = Search {
            word: &word,
            arena,
            values: word.all_values(arena, root),
            temporal: vec![false; root.index() + 1],
            todo: vec![(root, 0)],
            seen: HashSet::new(),
            facts: Vec::new(),
        };
        for id in arena.postorder(root) {
            let node = arena.node(id);
            let below = node.operands().any(|o| search.temporal[o.index()]);
            search.temporal[id.index()] = below || node.is_temporal();
        }
        while let Some((id, position)) = search.todo.pop() {
            if search.facts.len() < MOST && search.seen.insert((id, position)) {
                search.explain(id, position);
            }
        }
        let mut facts = search.facts;
        for fact in &mut facts {
            fact.position = self.folded(fact.position);
        }
        facts
    }
}

struct Search<'a> {
    word: &'a Lasso,
    arena: &'a Arena,
    /// By the formula's index: its values at all positions, and whether it contains a temporal operator.
    values: Vec<Vec<bool>>,
    temporal: Vec<bool>,
    /// The formulas and positions still to be explained, the next one last.
    todo: Vec<(Id, usize)>,
    seen: HashSet<(Id, usize)>,
    facts: Vec<Fact>,
}

impl Search<'_> {
    fn at(&self, id: Id, position: usize) -> bool {
        self.values[id.index()][position]
    }

    /// The first position from a given one on, once round the loop, that satisfies a condition.
    fn first(&self, from: usize, is: impl Fn(usize) -> bool) -> Option<usize> {
        let mut position = from;
        for _ in 0..self.word.len() {
            if is(position) {
                return Some(position);
            }
            position = self.word.successor(position);
        }
        None
    }

    fn tell(&mut self, formula: Id, position: usize, forever: bool) {
        let fact = Fact {
            position,
            formula,
            value: self.at(formula, position),
            forever,
        };
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// Explains the value of a formula at a position, or puts the operands that decide it on the list.
    fn explain(&mut self, id: Id, position: usize) {
        let value = self.at(id, position);
        match self.arena.node(id) {
            Node::Not(a) => self.todo.push((*a, position)),
            _ if !self.temporal[id.index()] => self.tell(id, position, false),
            Node::True | Node::False | Node::Atom(_) => self.tell(id, position, false),
            Node::Next(a) => self.todo.push((*a, self.word.successor(position))),
            Node::And(all) => self.operands(all, position, value, false),
            Node::Or(all) => self.operands(all, position, value, true),
            Node::Implies(a, b) => match value {
                true if self.at(*b, position) => self.todo.push((*b, position)),
                true => self.todo.push((*a, position)),
                false => self.both(*a, *b, position),
            },
            Node::Iff(a, b) => self.both(*a, *b, position),
            Node::Finally(b) => self.decided(None, *b, position, true),
            Node::Until(a, b) | Node::WeakUntil(a, b) => {
                self.decided(Some(*a), *b, position, true);
            }
            Node::Globally(b) => self.decided(None, *b, position, false),
            Node::Release(a, b) | Node::StrongRelease(a, b) => {
                self.decided(Some(*a), *b, position, false);
            }
            Node::Previous(a) | Node::WeakPrevious(a) => match position.checked_sub(1) {
                Some(before) => self.todo.push((*a, before)),
                None => self.tell(id, position, false),
            },
            Node::Within(..) | Node::Timed(..) | Node::Often(..) | Node::Sequence(..) => {
                self.tell(id, position, false)
            }
            Node::Once(b) => self.was_decided(id, None, *b, position, true),
            Node::Since(a, b) => self.was_decided(id, Some(*a), *b, position, true),
            Node::Historically(b) => self.was_decided(id, None, *b, position, false),
            Node::BackTo(a, b) => self.was_decided(id, Some(*a), *b, position, false),
        }
    }

    /// A past operator is decided at the last position at which `b` has the value `decides` (true for O and S,
    /// false for H and B), or `a` has the other; without such a position, it is a fact itself.
    fn was_decided(&mut self, id: Id, a: Option<Id>, b: Id, from: usize, decides: bool) {
        let ends = |i: usize| a.is_some_and(|a| self.at(a, i) != decides);
        let last = (0..=from)
            .rev()
            .find(|&i| self.at(b, i) == decides || ends(i));
        match last {
            Some(i) if self.at(b, i) == decides => self.todo.push((b, i)),
            Some(i) => a.into_iter().for_each(|a| self.both(a, b, i)),
            None => self.tell(id, from, false),
        }
    }

    fn both(&mut self, a: Id, b: Id, position: usize) {
        self.todo.extend([(b, position), (a, position)]);
    }

    /// For a disjunction (or conjunction), one operand with the value `deciding` suffices; without one, all
    /// operands count.
    fn operands(&mut self, all: &[Id], position: usize, value: bool, deciding: bool) {
        let one = all.iter().find(|&&o| self.at(o, position) == deciding);
        match one.filter(|_| value == deciding) {
            Some(&one) => self.todo.push((one, position)),
            None => self.todo.extend(all.iter().rev().map(|&o| (o, position))),
        }
    }

    /// A temporal operator is decided at the first position at which `b` has the value `decides` (true for U
    /// and W, false for R and M), or `a` has the other; without such a position, the values last for ever.
    fn decided(&mut self, a: Option<Id>, b: Id, from: usize, decides: bool) {
        let ends = |i: usize| a.is_some_and(|a| self.at(a, i) != decides);
        match self.first(from, |i| self.at(b, i) == decides || ends(i)) {
            Some(i) if self.at(b, i) == decides => self.todo.push((b, i)),
            Some(i) => a.into_iter().for_each(|a| self.both(a, b, i)),
            None => {
                a.into_iter().for_each(|a| self.tell(a, from, true));
                self.tell(b, from, true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::lasso::Letter;
    use crate::{parse, parse_word, print, Style};

    /// The facts as text, for the finite word with its last letter repeated.
    fn reasons(formula: &str, word: &str) -> Vec<String> {
        let parsed = parse(formula).unwrap();
        let letter = |atoms: &Vec<crate::Atom>| -> Letter {
            let ids = atoms.iter().filter_map(|a| parsed.arena.find_atom(a));
            ids.collect()
        };
        let word: Vec<Letter> = parse_word(word).unwrap().iter().map(letter).collect();
        let lasso = Lasso::stutter(&word).unwrap();
        let facts = lasso.reasons(&parsed.arena, parsed.root);
        let text = |f: &Fact| {
            let formula = print(&parsed.arena, f.formula, Style::Ascii);
            let forever = if f.forever { "…" } else { "" };
            format!("{}{forever}:{formula}={}", f.position, u8::from(f.value))
        };
        facts.iter().map(text).collect()
    }

    #[test]
    fn an_open_obligation_is_found_where_it_was_raised() {
        let facts = reasons("G(r -> F a)", "; r; a; r; ");
        assert_eq!(facts, ["3:r=1", "3…:a=0"]);
        let facts = reasons("G(r -> (w U a))", "r a; r w; w");
        assert_eq!(facts, ["1:r=1", "1…:w=1", "1…:a=0"]);
    }

    #[test]
    fn a_violation_is_found_where_it_happens() {
        assert_eq!(reasons("G !(p && q)", "p; ; p q; "), ["2:p && q=1"]);
        assert_eq!(reasons("!p U q", "; p; q"), ["1:p=1", "1:q=0"]);
        assert_eq!(reasons("G(p -> X q)", "p q; q; p; "), ["2:p=1", "3:q=0"]);
        assert_eq!(reasons("q R p", "p; ; q"), ["1:p=0"]);
    }

    #[test]
    fn what_holds_has_its_reason_too() {
        assert_eq!(reasons("F p", "; ; p"), ["2:p=1"]);
        assert_eq!(reasons("p U q || G r", "p; q"), ["1:q=1"]);
        assert_eq!(reasons("G(p || q)", "p; q"), ["0…:p || q=1"]);
    }

    #[test]
    fn the_value_of_a_fact_is_that_at_its_position() {
        for formula in [
            "(a U b) <-> G F c",
            "!((a R b) M (c W a))",
            "X X (a -> F !b)",
        ] {
            for word in ["", "a; b; c", "a b; a; a c", "c; ; b a"] {
                assert!(!reasons(formula, word).is_empty(), "{formula} on {word}");
            }
        }
    }
}
