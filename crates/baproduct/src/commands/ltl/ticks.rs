//! Formulas that measure time, where there is no program with a clock: a letter is a tick.

use ltl::{Arena, Id, Node};
use std::collections::HashMap;

/// The formula whose bounds in ticks count letters.
pub fn as_letters(arena: &mut Arena, root: Id) -> Id {
    let mut known: HashMap<Id, Id> = HashMap::new();
    for id in arena.postorder(root) {
        let node = arena.node(id).map_operands(&mut |operand| known[&operand]);
        let counted = match node {
            Node::Timed(operator, interval, operands) => Node::Within(operator, interval, operands),
            node => node,
        };
        known.insert(id, arena.make(counted));
    }
    known[&root]
}
