//! Subformulas with their signs.

use crate::{Arena, Id, Node};

/// A subformula (`true`) or its negation (`false`).
pub type Signed = (Id, bool);

impl Arena {
    /// A subformula or its negation, as a formula.
    pub fn signed(&mut self, (id, positive): Signed) -> Id {
        match positive {
            true => id,
            false => self.negate(id),
        }
    }

    /// The operands of a conjunction (or disjunction), with negations pushed inwards and nested ones flattened.
    pub fn signed_operands(&self, root: Signed, conjunction: bool) -> Vec<Signed> {
        let mut found = Vec::new();
        let mut stack = vec![root];
        while let Some((id, positive)) = stack.pop() {
            match self.node(id) {
                Node::Not(inner) => stack.push((*inner, !positive)),
                Node::And(all) if positive == conjunction => {
                    stack.extend(all.iter().rev().map(|o| (*o, positive)));
                }
                Node::Or(all) if positive != conjunction => {
                    stack.extend(all.iter().rev().map(|o| (*o, positive)));
                }
                Node::Implies(a, b) if positive != conjunction => {
                    stack.extend([(*b, positive), (*a, !positive)]);
                }
                _ => found.push((id, positive)),
            }
        }
        found
    }

    /// `premise && !f && !g && …`
    pub fn where_none(&mut self, premise: Id, others: &[Signed]) -> Id {
        let mut premises = match self.node(premise) {
            Node::True => Vec::new(),
            _ => vec![premise],
        };
        for &(id, positive) in others {
            premises.push(self.signed((id, !positive)));
        }
        match premises.as_slice() {
            [] => premise,
            [one] => *one,
            _ => self.make(Node::And(premises)),
        }
    }
}
