//! Formulas over the places of their propositions: those that differ only in names are the same formula.

use ltl::{Arena, Atom, AtomId, Id, Node};
use std::collections::HashMap;

/// A copy of a formula in which proposition `i` of `into` stands for `atoms[i]`. These must be ascending, so that
/// diagrams can be renamed, and contain the formula's.
pub(crate) fn placed(into: &mut Arena, arena: &Arena, root: Id, atoms: &[AtomId]) -> Id {
    for place in into.atoms().len()..atoms.len() {
        into.atom(Atom::Name(format!("p{place}")));
    }
    let mut copies: HashMap<Id, Id> = HashMap::new();
    let mut last = root;
    for id in arena.postorder(root) {
        let node = match arena.node(id) {
            Node::Atom(atom) => {
                let place = atoms.binary_search(atom).unwrap_or_default();
                Node::Atom(AtomId(place as u32))
            }
            node => node.map_operands(&mut |operand| copies[&operand]),
        };
        last = into.make(node);
        copies.insert(id, last);
    }
    last
}
