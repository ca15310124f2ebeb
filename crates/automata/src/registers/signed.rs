//! Subformulas with their signs.

use ltl::{Arena, Id, Node};

/// A subformula (`true`) or its negation (`false`).
pub(super) type Signed = (Id, bool);

/// The operands of a conjunction (or disjunction), with negations pushed inwards and nested ones flattened.
pub(super) fn operands(arena: &Arena, root: Signed, conjunction: bool) -> Vec<Signed> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some((id, positive)) = stack.pop() {
        match arena.node(id) {
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
