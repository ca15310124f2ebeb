//! Vacuity: parts of a formula that are irrelevant in runs in which some of its propositional parts never
//! change.
//!
//! A formula that holds is vacuous in an occurrence of a subformula if it still holds when the occurrence is
//! replaced by the constant that makes it hardest to hold: false for a positive occurrence, true for a negative
//! one (Kupferman and Vardi, *Vacuity detection in temporal model checking*, 2003). Here the question is
//! answered from the formula alone, for letters in which certain parts are constant: the replaced formula is
//! compared with the original one after both are simplified. So every reported part is irrelevant, but not
//! every irrelevant part is reported: that would take a model checker.

use crate::{Arena, Bounded, Id, Interval, Node};

/// The size and depth of the largest formulas that are analysed: the work is quadratic and recursive.
const LARGEST: u64 = 400;
const DEEPEST: usize = 100;

/// A propositional formula that has one value in every letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The formula.
    pub formula: Id,
    /// Its value.
    pub value: bool,
}

/// An occurrence in a formula: the numbers of the operands on the path from the root.
type Path = Vec<usize>;

/// A formula in which one occurrence of a subformula is replaced by the constant that makes it hardest to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strengthened {
    /// The subformula.
    pub part: Id,
    /// The occurrence: the numbers of the operands on the path from the root.
    pub path: Vec<usize>,
    /// Whether the occurrence is positive, and so replaced by false.
    pub positive: bool,
    /// The formula after the replacement, simplified.
    pub formula: Id,
}

/// A search for irrelevant occurrences.
struct Search<'a> {
    /// The formula.
    root: Id,
    /// The formula, simplified under the constants.
    simple: Id,
    /// The constant parts.
    constants: &'a [Constant],
    /// The path to the current occurrence.
    path: Path,
    /// The irrelevant parts.
    found: Vec<Id>,
}

impl Arena {
    /// The formulas obtained by replacing each occurrence of a subformula that may be irrelevant; an occurrence
    /// precedes those inside it. Empty for a formula that is too large.
    pub fn strengthened(&mut self, root: Id) -> Vec<Strengthened> {
        let mut found = Vec::new();
        if self.is_small(root) {
            self.strengthen(root, root, true, &mut Path::new(), &mut found);
        }
        found
    }

    fn strengthen(
        &mut self,
        root: Id,
        at: Id,
        positive: bool,
        path: &mut Path,
        found: &mut Vec<Strengthened>,
    ) {
        let node = self.node(at).clone();
        if matches!(node, Node::True | Node::False) {
            return;
        }
        if !path.is_empty() {
            let formula = self.simplified(root, Some((path.as_slice(), !positive)), &[]);
            found.push(Strengthened {
                part: at,
                path: path.clone(),
                positive,
                formula,
            });
        }
        for (number, operand) in occurrences(&node) {
            path.push(number);
            self.strengthen(root, operand, positive != turns(&node, number), path, found);
            path.pop();
        }
    }

    /// The propositional subformulas that may make a formula vacuous if they are constant: propositions, and
    /// compound ones that are not negations. Each occurs once; empty for a formula that is too large.
    pub fn units(&self, root: Id) -> Vec<Id> {
        if !self.is_small(root) {
            return Vec::new();
        }
        let wanted = |&id: &Id| match self.node(id) {
            Node::True | Node::False | Node::Not(_) => false,
            _ => id != root && self.is_propositional(id),
        };
        let mut units: Vec<Id> = self.postorder(root).into_iter().filter(wanted).collect();
        if matches!(self.node(root), Node::Atom(_)) {
            units.push(root);
        }
        units
    }

    /// The largest subformulas that are irrelevant if the constants have their values and the formula holds.
    /// Empty for a formula that is too large.
    pub fn vacuous(&mut self, root: Id, constants: &[Constant]) -> Vec<Id> {
        if !self.is_small(root) || constants.is_empty() {
            return Vec::new();
        }
        let mut search = Search {
            root,
            simple: self.simplified(root, None, constants),
            constants,
            path: Path::new(),
            found: Vec::new(),
        };
        self.search(root, true, &mut search);
        search.found
    }

    /// The formula under some constants, simplified; the formula itself if it is too large.
    pub fn under(&mut self, root: Id, constants: &[Constant]) -> Id {
        match self.is_small(root) {
            true => self.simplified(root, None, constants),
            false => root,
        }
    }

    fn is_small(&self, root: Id) -> bool {
        self.size(root) <= LARGEST && self.depth(root) <= DEEPEST
    }

    fn depth(&self, root: Id) -> usize {
        let mut depths = vec![0; root.index() + 1];
        for id in self.postorder(root) {
            let below = self.node(id).operands().map(|o| depths[o.index()]).max();
            depths[id.index()] = below.unwrap_or(0) + 1;
        }
        depths[root.index()]
    }

    /// Descends from an occurrence until it finds an irrelevant one.
    fn search(&mut self, at: Id, positive: bool, search: &mut Search) {
        let node = self.node(at).clone();
        if matches!(node, Node::True | Node::False) {
            return;
        }
        if !search.path.is_empty() {
            let hardest = Some((search.path.as_slice(), !positive));
            let replaced = self.simplified(search.root, hardest, search.constants);
            if replaced == search.simple || *self.node(replaced) == Node::True {
                if !search.found.contains(&at) {
                    search.found.push(at);
                }
                return;
            }
        }
        for (number, operand) in occurrences(&node) {
            search.path.push(number);
            self.search(operand, positive != turns(&node, number), search);
            search.path.pop();
        }
    }

    /// A formula with one occurrence replaced by a constant, simplified under the constants.
    fn simplified(
        &mut self,
        id: Id,
        replaced: Option<(&[usize], bool)>,
        constants: &[Constant],
    ) -> Id {
        if let Some(([], value)) = replaced {
            return self.constant(value);
        }
        if replaced.is_none() {
            // A formula around the replaced occurrence is not the one that is known to be constant.
            if let Some(known) = constants.iter().find(|c| c.formula == id) {
                return self.constant(known.value);
            }
        }
        let node = self.node(id).clone();
        let operands: Vec<Id> = node.operands().collect();
        let below = operands.into_iter().enumerate().map(|(number, operand)| {
            let replaced = match replaced {
                Some(([first, rest @ ..], value)) if *first == number => Some((rest, value)),
                _ => None,
            };
            self.simplified(operand, replaced, constants)
        });
        let below: Vec<Id> = below.collect();
        self.combined(&node, &below)
    }

    fn constant(&mut self, value: bool) -> Id {
        self.make(if value { Node::True } else { Node::False })
    }

    /// An operator over simplified operands.
    fn combined(&mut self, node: &Node, operands: &[Id]) -> Id {
        let (yes, no) = (self.constant(true), self.constant(false));
        match (node, operands) {
            (Node::Not(_), &[a]) => self.negate(a),
            (Node::And(_), all) => self.joined(all, yes, no, Node::And),
            (Node::Or(_), all) => self.joined(all, no, yes, Node::Or),
            (Node::Implies(..), &[a, b]) => match (a, b) {
                _ if a == no || b == yes || a == b => yes,
                _ if a == yes => b,
                _ if b == no => self.negate(a),
                _ => self.make(Node::Implies(a, b)),
            },
            (Node::Iff(..), &[a, b]) => match (a, b) {
                _ if a == b => yes,
                _ if a == yes => b,
                _ if b == yes => a,
                _ if a == no => self.negate(b),
                _ if b == no => self.negate(a),
                _ => self.make(Node::Iff(a, b)),
            },
            (Node::Next(_), &[a]) if a == yes || a == no => a,
            (Node::Finally(_), &[a]) => self.always(a, Node::Finally),
            (Node::Globally(_), &[a]) => self.always(a, Node::Globally),
            (Node::Until(..), &[a, b]) => match (a, b) {
                _ if b == yes || b == no => b,
                _ if a == yes => self.always(b, Node::Finally),
                _ if a == no => b,
                _ => self.make(Node::Until(a, b)),
            },
            (Node::Release(..), &[a, b]) => match (a, b) {
                _ if b == yes || b == no => b,
                _ if a == yes => b,
                _ if a == no => self.always(b, Node::Globally),
                _ => self.make(Node::Release(a, b)),
            },
            (Node::WeakUntil(..), &[a, b]) => match (a, b) {
                _ if a == yes || b == yes => yes,
                _ if a == no => b,
                _ if b == no => self.always(a, Node::Globally),
                _ => self.make(Node::WeakUntil(a, b)),
            },
            (Node::StrongRelease(..), &[a, b]) => match (a, b) {
                _ if a == no || b == no => no,
                _ if a == yes => b,
                _ if b == yes => self.always(a, Node::Finally),
                _ => self.make(Node::StrongRelease(a, b)),
            },
            (Node::Next(_), &[a]) => self.make(Node::Next(a)),
            (Node::Previous(_), &[a]) if a == no => a,
            (Node::Previous(_), &[a]) => self.make(Node::Previous(a)),
            (Node::WeakPrevious(_), &[a]) if a == yes => a,
            (Node::WeakPrevious(_), &[a]) => self.make(Node::WeakPrevious(a)),
            (Node::Once(_), &[a]) => self.always(a, Node::Once),
            (Node::Historically(_), &[a]) => self.always(a, Node::Historically),
            (Node::Since(..), &[a, b]) => match (a, b) {
                _ if b == yes || b == no => b,
                _ if a == yes => self.always(b, Node::Once),
                _ if a == no => b,
                _ => self.make(Node::Since(a, b)),
            },
            (Node::BackTo(..), &[a, b]) => match (a, b) {
                _ if b == yes || b == no => b,
                _ if a == yes => b,
                _ if a == no => self.always(b, Node::Historically),
                _ => self.make(Node::BackTo(a, b)),
            },
            // A constant stays one where every interval has a position: everywhere ahead.
            (Node::Within(operator, interval, _), all) => match all {
                [.., b] if (*b == yes || *b == no) && is_everywhere(*operator, *interval) => *b,
                _ => self.make(Node::Within(*operator, *interval, all.to_vec())),
            },
            (Node::Timed(operator, interval, _), all) => {
                self.make(Node::Timed(*operator, *interval, all.to_vec()))
            }
            (Node::Often(window, times, _), &[a]) => self.make(Node::Often(*window, *times, a)),
            (Node::Sequence(matching, pattern, _), all) => match (matching.is_universal(), all) {
                (true, [.., b]) if *b == yes => yes,
                (false, [.., b]) if *b == no && matching.has_formula() => no,
                _ => self.make(Node::Sequence(*matching, pattern.clone(), all.to_vec())),
            },
            (other, _) => self.make(other.clone()),
        }
    }

    /// `F`, `G`, `O` or `H` of a formula; the formula itself if it has that operator already or is a constant.
    fn always(&mut self, inner: Id, operator: fn(Id) -> Node) -> Id {
        let same = matches!(
            (self.node(inner), operator(inner)),
            (Node::True | Node::False, _)
                | (Node::Finally(_), Node::Finally(_))
                | (Node::Globally(_), Node::Globally(_))
                | (Node::Once(_), Node::Once(_))
                | (Node::Historically(_), Node::Historically(_))
        );
        match same {
            true => inner,
            false => self.make(operator(inner)),
        }
    }

    /// A conjunction or disjunction, without neutral operands; a constant if one operand decides it.
    fn joined(
        &mut self,
        all: &[Id],
        neutral: Id,
        decides: Id,
        operator: fn(Vec<Id>) -> Node,
    ) -> Id {
        let mut rest: Vec<Id> = Vec::new();
        for &id in all {
            if id == decides {
                return decides;
            }
            if id != neutral && !rest.contains(&id) {
                rest.push(id);
            }
        }
        match rest.as_slice() {
            [] => neutral,
            [one] => *one,
            _ => self.make(operator(rest)),
        }
    }
}

/// Whether a bounded operator over a constant is that constant at each position.
fn is_everywhere(operator: Bounded, interval: Interval) -> bool {
    match operator {
        Bounded::Next | Bounded::Finally | Bounded::Globally => true,
        Bounded::Until | Bounded::Once | Bounded::Historically | Bounded::Since => {
            interval.from == 0
        }
    }
}

/// Whether an operand has the opposite polarity.
fn turns(node: &Node, operand: usize) -> bool {
    match node {
        Node::Not(_) => true,
        Node::Implies(..) => operand == 0,
        Node::Often(_, times, _) => times.from == 0,
        // The more stretches fit, the more is asked.
        Node::Sequence(matching, _, all) => matching.is_universal() && operand + 1 < all.len(),
        _ => false,
    }
}

/// The operands with one polarity, with their numbers: an occurrence of both has no hardest constant.
fn occurrences(node: &Node) -> impl Iterator<Item = (usize, Id)> + '_ {
    let first = match node {
        Node::Iff(..) => usize::MAX,
        Node::Often(_, times, _) if times.from > 0 && times.to.is_some() => usize::MAX,
        Node::Sequence(matching, pattern, all) if !pattern.is_monotone() => {
            all.len() - usize::from(matching.has_formula())
        }
        _ => 0,
    };
    node.operands()
        .enumerate()
        .filter(move |(number, _)| *number >= first)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{parse, parse_into, print, Style};

    #[test]
    fn each_occurrence_is_replaced_by_what_is_hardest() {
        let parsed = parse("G (p -> F q)").unwrap();
        let (mut arena, root) = (parsed.arena, parsed.root);
        let all: Vec<(String, String)> = arena
            .strengthened(root)
            .iter()
            .map(|s| (s.part, s.formula))
            .map(|(part, formula)| {
                (
                    print(&arena, part, Style::Ascii),
                    print(&arena, formula, Style::Ascii),
                )
            })
            .collect();
        let expected = [
            ("p -> F q", "false"),
            ("p", "G F q"),
            ("F q", "G !p"),
            ("q", "G !p"),
        ];
        assert_eq!(all, expected.map(|(a, b)| (a.to_string(), b.to_string())));
    }

    /// The irrelevant parts of a formula if other formulas have these values, as text.
    fn vacuous(formula: &str, constants: &[(&str, bool)]) -> Vec<String> {
        let parsed = parse(formula).unwrap();
        let (mut arena, root) = (parsed.arena, parsed.root);
        let constants: Vec<Constant> = constants
            .iter()
            .map(|(text, value)| Constant {
                formula: parse_into(&mut arena, text, None).unwrap().root,
                value: *value,
            })
            .collect();
        let found = arena.vacuous(root, &constants);
        found
            .into_iter()
            .map(|id| print(&arena, id, Style::Ascii))
            .collect()
    }

    #[test]
    fn what_does_not_matter() {
        for (formula, constants, expected) in [
            ("G (p -> F q)", &[("p", false)][..], &["F q"][..]),
            ("G (p -> F q)", &[("q", true)], &["p"]),
            ("G (p -> F q)", &[("p", true)], &["p"]),
            ("G (p && r -> F q)", &[("p && r", false)], &["F q"]),
            ("G (p -> q)", &[("p", false)], &["q"]),
            ("G !(p && q)", &[("p", false)], &["q"]),
            ("F p || G q", &[("p", false)], &["F p"]),
            ("p U q", &[("p", false)], &["p"]),
            ("p W q", &[("p", true)], &["q"]),
            ("G (p -> X (q U r))", &[("p", false)], &["X(q U r)"]),
            // What the formula itself requires is no vacuity.
            ("G !p", &[("p", false)], &[]),
            ("G p", &[("p", true)], &[]),
            ("G F p", &[("p", true)], &[]),
            ("F p", &[("p", true)], &[]),
            ("G (p -> F q)", &[], &[]),
            ("G !(p && q)", &[("p && q", false)], &[]),
            ("G (p <-> q)", &[("p", false)], &[]),
        ] {
            assert_eq!(
                vacuous(formula, constants),
                expected,
                "{formula} {constants:?}"
            );
        }
    }

    #[test]
    fn units_are_what_may_be_constant() {
        let parsed = parse("G (p && !q -> F (r || p))").unwrap();
        let units = parsed.arena.units(parsed.root);
        let text = |id: &Id| print(&parsed.arena, *id, Style::Ascii);
        let texts: Vec<String> = units.iter().map(text).collect();
        assert_eq!(texts, ["p", "q", "p && !q", "r", "r || p"]);
    }
}
