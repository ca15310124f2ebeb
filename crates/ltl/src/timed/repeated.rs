//! Whether what begins at a letter can begin anew when the letter is repeated.
//!
//! A finite word is judged as if its last letter were repeated for ever. Timers do not read these letters, so nothing may
//! begin there that did not begin at the last letter of the word: `Y !p && p` cannot, `Y p` can.

use crate::{Arena, Id, Node};
use std::collections::HashMap;

/// The most propositions and past operators of which all values are tried.
const MOST: usize = 12;

/// Whether a formula about present and past that does not hold at a letter does not hold at the next one either if that
/// is the same letter, whatever has been before. `false` if it is too large to tell.
pub(super) fn begins_no_more(arena: &Arena, root: Id) -> bool {
    let order = arena.postorder(root);
    let free: Vec<Id> = order
        .iter()
        .copied()
        .filter(|id| matches!(arena.node(*id), Node::Atom(_)) || arena.node(*id).is_past())
        .collect();
    if free.len() > MOST {
        return false;
    }
    (0u32..1 << free.len()).all(|bits| {
        let given = free.iter().enumerate();
        let given: HashMap<Id, bool> = given.map(|(n, id)| (*id, bits >> n & 1 == 1)).collect();
        let (mut now, mut next) = (HashMap::new(), HashMap::new());
        for &id in &order {
            let (value, repeated) = values(arena.node(id), given.get(&id), &now, &next);
            if !is_possible(arena, id, value, &now) {
                return true;
            }
            now.insert(id, value);
            next.insert(id, repeated);
        }
        now[&root] || !next[&root]
    })
}

/// Whether an operator of the past can have a value at a letter at which its operands have these.
fn is_possible(arena: &Arena, id: Id, value: bool, now: &HashMap<Id, bool>) -> bool {
    match arena.node(id) {
        Node::Once(a) => value || !now[a],
        Node::Historically(a) => !value || now[a],
        Node::Since(a, b) => match value {
            true => now[a] || now[b],
            false => !now[b],
        },
        Node::BackTo(a, b) => match value {
            true => now[b],
            false => !(now[a] && now[b]),
        },
        // What an operator said at the letter before, it says with its operands at this one.
        Node::Previous(before) => match arena.node(*before) {
            Node::Since(a, b) => now[before] == (now[b] || now[a] && value),
            Node::Once(a) => now[before] == (now[a] || value),
            _ => true,
        },
        _ => true,
    }
}

/// The value at a letter, and at the same letter repeated.
fn values(
    node: &Node,
    given: Option<&bool>,
    now: &HashMap<Id, bool>,
    next: &HashMap<Id, bool>,
) -> (bool, bool) {
    let both = |f: &dyn Fn(&HashMap<Id, bool>) -> bool| (f(now), f(next));
    match (node, given) {
        (Node::Atom(_), Some(&value)) => (value, value),
        (Node::Previous(a) | Node::WeakPrevious(a), Some(&value)) => (value, now[a]),
        (Node::Once(a), Some(&value)) => (value, next[a] || value),
        (Node::Historically(a), Some(&value)) => (value, next[a] && value),
        (Node::Since(a, b), Some(&value)) => (value, next[b] || next[a] && value),
        (Node::BackTo(a, b), Some(&value)) => (value, next[b] && (next[a] || value)),
        (Node::True, _) => (true, true),
        (Node::Not(a), _) => both(&|of| !of[a]),
        (Node::And(all), _) => both(&|of| all.iter().all(|a| of[a])),
        (Node::Or(all), _) => both(&|of| all.iter().any(|a| of[a])),
        (Node::Implies(a, b), _) => both(&|of| !of[a] || of[b]),
        (Node::Iff(a, b), _) => both(&|of| of[a] == of[b]),
        // Nothing else is about present and past; this is no evidence.
        (Node::False, _) => (false, false),
        _ => (false, true),
    }
}
