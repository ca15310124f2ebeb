//! What is asked each time that a condition becomes true. `(p -> f) && G(!p -> X(p -> f))` asks for `f` at two places, of
//! which each would have a counter of its own; `G(p && Z !p -> f)` asks for it at one.

use ltl::{Arena, Id, Node};

/// The formula with one place for each such pair, if it has one in which something is counted. Both have the same value at
/// the first letter of every word.
pub(super) fn joined(arena: &Arena, root: Id) -> Option<(Arena, Id)> {
    let mut arena = arena.clone();
    let new = at_first(&mut arena, root, 0);
    (new != root).then_some((arena, new))
}

/// The greatest depth to which pairs are looked for.
const DEEPEST: usize = 100;

/// A formula of the same value at the first letter.
fn at_first(arena: &mut Arena, id: Id, depth: usize) -> Id {
    if depth > DEEPEST || !arena.is_extended(id) {
        return id;
    }
    let node = arena.node(id).clone();
    let node = match node {
        Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) | Node::Iff(..) => {
            node.map_operands(&mut |operand| at_first(arena, operand, depth + 1))
        }
        _ => return id,
    };
    let Node::And(mut all) = node else {
        return arena.make(node);
    };
    while let Some((here, later, risen)) = pair(arena, &all) {
        all.retain(|&operand| operand != here && operand != later);
        all.push(risen);
    }
    match all.as_slice() {
        [one] => *one,
        _ => arena.make(Node::And(all)),
    }
}

/// Two of some operands, and the one that stands for both.
fn pair(arena: &mut Arena, all: &[Id]) -> Option<(Id, Id, Id)> {
    all.iter().find_map(|&later| {
        let Node::Globally(inner) = *arena.node(later) else {
            return None;
        };
        let Node::Implies(without, next) = *arena.node(inner) else {
            return None;
        };
        let Node::Next(here) = *arena.node(next) else {
            return None;
        };
        let Node::Implies(condition, asked) = *arena.node(here) else {
            return None;
        };
        let is_pair =
            all.contains(&here) && arena.is_extended(asked) && arena.negate(condition) == without;
        is_pair.then(|| {
            let before = arena.make(Node::WeakPrevious(without));
            let rises = arena.make(Node::And(vec![condition, before]));
            let asked = arena.make(Node::Implies(rises, asked));
            (here, later, arena.make(Node::Globally(asked)))
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn each_rise_is_asked_at_one_place() {
        for (text, expected) in [
            (
                "(p -> F[<=9] q) && G(!p -> X(p -> F[<=9] q))",
                Some("G(p && Z !p -> F[<=9] q)"),
            ),
            (
                "!((p && m -> F[<=9] q) && G(!(p && m) -> X(p && m -> F[<=9] q)))",
                Some("!G((p && m) && Z !(p && m) -> F[<=9] q)"),
            ),
            ("(p -> F q) && G(!p -> X(p -> F q))", None),
            ("(p -> F[<=9] q) && G(!p -> X(p -> F[<=8] q))", None),
            // `Z` would look at the letter before.
            ("X((p -> F[<=9] q) && G(!p -> X(p -> F[<=9] q)))", None),
        ] {
            let parsed = ltl::parse(text).unwrap();
            let made = joined(&parsed.arena, parsed.root);
            let made = made.map(|(arena, root)| ltl::print(&arena, root, ltl::Style::Ascii));
            assert_eq!(made.as_deref(), expected, "{text}");
        }
    }
}
