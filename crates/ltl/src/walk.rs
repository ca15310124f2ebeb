//! Questions about the structure of formulas. Everything here is iterative, and linear in the number of
//! distinct subformulas.

use crate::{Arena, AtomId, Id, Node};

impl Node {
    /// The operands from left to right; none for constants and propositions.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = Id> + '_ {
        let (pair, many): ([Option<Id>; 2], &[Id]) = match self {
            Node::True | Node::False | Node::Atom(_) => ([None, None], &[]),
            Node::Not(a)
            | Node::Next(a)
            | Node::Finally(a)
            | Node::Globally(a)
            | Node::Previous(a)
            | Node::WeakPrevious(a)
            | Node::Once(a)
            | Node::Historically(a)
            | Node::Often(_, _, a) => ([Some(*a), None], &[]),
            Node::Implies(a, b)
            | Node::Iff(a, b)
            | Node::Until(a, b)
            | Node::Release(a, b)
            | Node::WeakUntil(a, b)
            | Node::StrongRelease(a, b)
            | Node::Since(a, b)
            | Node::BackTo(a, b) => ([Some(*a), Some(*b)], &[]),
            Node::And(all)
            | Node::Or(all)
            | Node::Within(_, _, all)
            | Node::Timed(_, _, all)
            | Node::Sequence(_, _, all) => ([None, None], all),
        };
        pair.into_iter().flatten().chain(many.iter().copied())
    }

    /// The same operator over other operands.
    pub fn map_operands(&self, of: &mut impl FnMut(Id) -> Id) -> Node {
        match self {
            Node::True | Node::False | Node::Atom(_) => self.clone(),
            Node::Not(a) => Node::Not(of(*a)),
            Node::And(all) => Node::And(all.iter().map(|&a| of(a)).collect()),
            Node::Or(all) => Node::Or(all.iter().map(|&a| of(a)).collect()),
            Node::Implies(a, b) => Node::Implies(of(*a), of(*b)),
            Node::Iff(a, b) => Node::Iff(of(*a), of(*b)),
            Node::Next(a) => Node::Next(of(*a)),
            Node::Finally(a) => Node::Finally(of(*a)),
            Node::Globally(a) => Node::Globally(of(*a)),
            Node::Until(a, b) => Node::Until(of(*a), of(*b)),
            Node::Release(a, b) => Node::Release(of(*a), of(*b)),
            Node::WeakUntil(a, b) => Node::WeakUntil(of(*a), of(*b)),
            Node::StrongRelease(a, b) => Node::StrongRelease(of(*a), of(*b)),
            Node::Previous(a) => Node::Previous(of(*a)),
            Node::WeakPrevious(a) => Node::WeakPrevious(of(*a)),
            Node::Once(a) => Node::Once(of(*a)),
            Node::Historically(a) => Node::Historically(of(*a)),
            Node::Since(a, b) => Node::Since(of(*a), of(*b)),
            Node::BackTo(a, b) => Node::BackTo(of(*a), of(*b)),
            Node::Often(window, times, a) => Node::Often(*window, *times, of(*a)),
            Node::Within(operator, interval, all) => {
                Node::Within(*operator, *interval, all.iter().map(|&a| of(a)).collect())
            }
            Node::Timed(operator, interval, all) => {
                Node::Timed(*operator, *interval, all.iter().map(|&a| of(a)).collect())
            }
            Node::Sequence(matching, pattern, all) => {
                let all = all.iter().map(|&a| of(a)).collect();
                Node::Sequence(*matching, pattern.clone(), all)
            }
        }
    }
}

impl Arena {
    /// The negation of a formula; a negation at its root is removed instead.
    pub fn negate(&mut self, root: Id) -> Id {
        match *self.node(root) {
            Node::Not(inner) => inner,
            Node::True => self.make(Node::False),
            Node::False => self.make(Node::True),
            _ => self.make(Node::Not(root)),
        }
    }

    /// The distinct subformulas of `root`: each after its operands, those of a left operand before those of a
    /// right one, `root` last.
    pub fn postorder(&self, root: Id) -> Vec<Id> {
        let mut seen = vec![false; root.index() + 1];
        let mut order = Vec::new();
        // The flag says that the operands are on the stack or done.
        let mut stack = vec![(root, false)];
        while let Some((id, expanded)) = stack.pop() {
            if expanded {
                order.push(id);
                continue;
            }
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            stack.push((id, true));
            let operands = self.node(id).operands().rev();
            stack.extend(operands.filter(|o| !seen[o.index()]).map(|o| (o, false)));
        }
        order
    }

    /// The propositions that occur in `root`, in order of their ids, each once.
    pub fn atoms_of(&self, root: Id) -> Vec<AtomId> {
        let mut atoms: Vec<AtomId> = self
            .postorder(root)
            .into_iter()
            .filter_map(|id| match self.node(id) {
                Node::Atom(atom) => Some(*atom),
                _ => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// The number of operators, constants and propositions of `root`, written out as a tree. With much sharing
    /// the tree can be exponentially larger than the formula; the count stops at `u64::MAX`.
    /// [`Arena::postorder`] counts distinct subformulas.
    pub fn size(&self, root: Id) -> u64 {
        let mut sizes = vec![0u64; root.index() + 1];
        for id in self.postorder(root) {
            sizes[id.index()] = self
                .node(id)
                .operands()
                .fold(1u64, |sum, o| sum.saturating_add(sizes[o.index()]));
        }
        sizes[root.index()]
    }

    /// Whether the formula has no `X`, `Y` or `Z`, no sequences, and counts no letters. Then it is stutter-invariant: repeating
    /// a letter does not change its value (Lamport 1983, *What good is temporal logic?*). The converse does not
    /// hold.
    pub fn is_next_free(&self, root: Id) -> bool {
        !self.has(root, |node| {
            matches!(
                node,
                Node::Next(_)
                    | Node::Previous(_)
                    | Node::WeakPrevious(_)
                    | Node::Within(..)
                    | Node::Often(..)
                    | Node::Sequence(..)
            )
        })
    }

    /// Whether the formula has past operators.
    pub fn has_past(&self, root: Id) -> bool {
        self.has(root, Node::is_past)
    }

    /// Whether the formula has operators that count letters: with bounds, or of sequences.
    pub fn counts_letters(&self, root: Id) -> bool {
        self.has(root, |node| {
            matches!(
                node,
                Node::Within(..) | Node::Often(..) | Node::Sequence(..)
            )
        })
    }

    /// Whether the formula has sequences of letters.
    pub fn has_sequences(&self, root: Id) -> bool {
        self.has(root, |node| matches!(node, Node::Sequence(..)))
    }

    /// Whether the formula has operators that books on automata do not have: of the past, with bounds, or of
    /// sequences.
    pub fn is_extended(&self, root: Id) -> bool {
        self.has(root, |node| {
            node.is_past()
                || matches!(
                    node,
                    Node::Within(..) | Node::Timed(..) | Node::Sequence(..)
                )
        })
    }

    /// Whether the formula has operators that measure time.
    pub fn has_time(&self, root: Id) -> bool {
        self.has(root, |node| matches!(node, Node::Timed(..)))
    }

    /// Whether the value at a letter depends on that letter and earlier ones only, as the syntax shows.
    pub fn is_present(&self, root: Id) -> bool {
        !self.has(root, |node| node.is_temporal() && !node.is_past())
    }

    /// Whether some subformula has such a root.
    fn has(&self, root: Id, is: impl Fn(&Node) -> bool) -> bool {
        self.postorder(root).into_iter().any(|id| is(self.node(id)))
    }

    /// Whether the formula has no temporal operator.
    pub fn is_propositional(&self, root: Id) -> bool {
        let mut nodes = self.postorder(root).into_iter();
        nodes.all(|id| !self.node(id).is_temporal())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{parse, Node};

    #[test]
    fn postorder_lists_each_subformula_once_after_its_operands() {
        let parsed = parse("(a U b) && F(a U b) && !a").unwrap();
        let order = parsed.arena.postorder(parsed.root);
        assert_eq!(order.len(), 6);
        assert_eq!(order.last(), Some(&parsed.root));
        for (i, &id) in order.iter().enumerate() {
            for operand in parsed.arena.node(id).operands() {
                assert!(order[..i].contains(&operand));
            }
        }
    }

    #[test]
    fn size_counts_the_tree_and_saturates() {
        let mut parsed = parse("(a U b) && F(a U b)").unwrap();
        assert_eq!(parsed.arena.size(parsed.root), 8);
        let mut root = parsed.root;
        for _ in 0..100 {
            root = parsed.arena.make(Node::Iff(root, root));
        }
        assert_eq!(parsed.arena.size(root), u64::MAX);
    }

    #[test]
    fn atoms_are_those_of_the_root_only() {
        let mut first = parse("x && y && x").unwrap();
        let second = crate::parse_into(&mut first.arena, "z -> y", None).unwrap();
        assert_eq!(first.arena.atoms().len(), 3);
        let ids: Vec<u32> = first
            .arena
            .atoms_of(second.root)
            .iter()
            .map(|a| a.0)
            .collect();
        assert_eq!(ids, [1, 2]);
    }

    #[test]
    fn next_free_and_propositional() {
        for (text, next_free, propositional) in [
            ("a && (b -> !true)", true, true),
            ("G(a U b)", true, false),
            ("G(a -> X b)", false, false),
        ] {
            let parsed = parse(text).unwrap();
            assert_eq!(parsed.arena.is_next_free(parsed.root), next_free, "{text}");
            assert_eq!(
                parsed.arena.is_propositional(parsed.root),
                propositional,
                "{text}"
            );
        }
    }

    #[test]
    fn negation_takes_a_negation_away() {
        let mut parsed = parse("!a").unwrap();
        let a = parsed.arena.negate(parsed.root);
        assert!(matches!(parsed.arena.node(a), Node::Atom(_)));
        assert_eq!(parsed.arena.negate(a), parsed.root);
    }
}
