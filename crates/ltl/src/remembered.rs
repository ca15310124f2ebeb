//! Values that are remembered at one letter and compared at later ones: `let v = msg in F {data == v}`.
//!
//! The formula behind `in` is about one letter and the value that is remembered there. Where it is asked of each letter of a
//! kind, as under `G`, it holds if it holds for each letter taken alone: one letter is chosen, and never another one, and the
//! formula has to hold whatever is chosen. So the formula becomes `v := msg -> F {data == v}`, in which `v := msg` is a
//! proposition that holds at the chosen letter alone.
//!
//! That is exact where the choice can be made before the word is read: where all operators around commute with the
//! conjunction over letters (or, below a negation, with the disjunction). Elsewhere, as in `F let …`, each of several letters
//! would need its own value, and the formula is refused.

use crate::{Arena, AtomId, Bounded, Id, Node, ParseError, Signed};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A value that a formula remembers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// Its name in the formula.
    pub name: String,
    /// The bytes of the C expression that gives it.
    pub value: Range<usize>,
    /// The proposition that it is remembered at this letter.
    pub atom: AtomId,
    /// Formulas about one letter without which it makes no difference whether it is remembered there.
    pub guards: Vec<Id>,
    /// The conditions that read it, with their bytes.
    pub compared: Vec<(AtomId, Range<usize>)>,
    /// The bytes from `let` to `in`.
    pub span: Range<usize>,
}

/// The name of the proposition that a value is remembered.
pub(crate) fn proposition(name: &str, value: &str) -> String {
    format!("{name} := {value}")
}

/// Whether a proposition has such a name.
pub(crate) fn is_proposition(name: &str) -> bool {
    name.contains(" := ")
}

/// Checks where the values of a formula are remembered and read, and turns those below a negation from
/// `v := msg -> f` into `v := msg && f`, which is the same there.
///
/// # Errors
/// The first place where several letters would need values of their own, or where a value is read of letters before it.
pub(crate) fn placed(
    arena: &mut Arena,
    root: Id,
    all: &mut [Remembered],
) -> Result<Id, ParseError> {
    if all.is_empty() {
        return Ok(root);
    }
    let mut negative = HashSet::new();
    for remembered in all.iter_mut() {
        let path = Path::to(arena, root, remembered)?;
        remembered.guards = path.guards(arena);
        if !path.positive {
            negative.insert(remembered.atom);
        }
        let compared: Vec<AtomId> = remembered.compared.iter().map(|(atom, _)| *atom).collect();
        looks_ahead(arena, root, remembered, &compared)?;
    }
    let mut new: HashMap<Id, Id> = HashMap::new();
    for id in arena.postorder(root) {
        let node = arena.node(id).map_operands(&mut |operand| new[&operand]);
        let turned = match node {
            Node::Implies(a, b) if matches!(arena.node(a), Node::Atom(atom) if negative.contains(atom)) => {
                Node::And(vec![a, b])
            }
            node => node,
        };
        new.insert(id, arena.make(turned));
    }
    for remembered in all {
        for guard in &mut remembered.guards {
            *guard = *new.get(guard).unwrap_or(guard);
        }
    }
    Ok(new[&root])
}

fn refused(remembered: &Remembered, found: String, help: &str) -> ParseError {
    ParseError {
        help: Some(help.to_owned()),
        ..ParseError::new(found, "one value at a time", remembered.span.clone())
    }
}

const ONE: &str = "one letter is chosen before the word is read, which decides formulas such as `G (p -> let v = x in F {y == v})`: around `let` there may be G, X, H, Y, &&, ||, the right of -> and R and M, and the left of U, W and S; below a negation their duals";

/// The way from the root to the formula of a remembered value.
struct Path {
    positive: bool,
    /// What is known at the letter: formulas beside the way since the last temporal operator, with their signs.
    beside: Vec<Signed>,
}

impl Path {
    fn to(arena: &Arena, root: Id, remembered: &Remembered) -> Result<Path, ParseError> {
        let holds: HashSet<Id> = containing(arena, root, &[remembered.atom]);
        let mut path = Path {
            positive: true,
            beside: Vec::new(),
        };
        let mut at = root;
        loop {
            let node = arena.node(at);
            let operands: Vec<Id> = node.operands().collect();
            // The implication that the parser has made of `let`.
            if let Node::Implies(a, _) = node {
                if matches!(arena.node(*a), Node::Atom(atom) if *atom == remembered.atom) {
                    return Ok(path);
                }
            }
            let next = operands.iter().position(|id| holds.contains(id));
            let Some(number) = next else {
                return Ok(path);
            };
            if !path.goes_on(node, number) {
                let sign = name(node);
                let found = match path.positive {
                    true => format!("`let {}` within `{sign}`", remembered.name),
                    false => format!("`let {}` within a negated `{sign}`", remembered.name),
                };
                return Err(refused(remembered, found, ONE));
            }
            path.step(arena, node, number);
            at = operands[number];
        }
    }

    /// Whether the choice of a letter may be made before this operator is read, for a value in one of its operands.
    fn goes_on(&self, node: &Node, number: usize) -> bool {
        let positive = self.positive;
        match node {
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) => true,
            Node::Next(_) | Node::Previous(_) | Node::WeakPrevious(_) => true,
            Node::Within(Bounded::Next, ..) => true,
            Node::Globally(_) | Node::Historically(_) => positive,
            Node::Finally(_) | Node::Once(_) => !positive,
            Node::Until(..) | Node::WeakUntil(..) | Node::Since(..) => positive == (number == 0),
            Node::Release(..) | Node::StrongRelease(..) | Node::BackTo(..) => {
                positive == (number == 1)
            }
            Node::Within(operator, ..) | Node::Timed(operator, ..) => match operator {
                Bounded::Globally | Bounded::Historically => positive,
                Bounded::Finally | Bounded::Once => !positive,
                Bounded::Until | Bounded::Since => positive == (number == 0),
                Bounded::Next => true,
            },
            _ => false,
        }
    }

    fn step(&mut self, arena: &Arena, node: &Node, number: usize) {
        let others = |known: bool| {
            let operands = node.operands().enumerate();
            let others = operands.filter(move |(i, _)| *i != number);
            others.map(move |(_, id)| (id, known)).collect::<Vec<_>>()
        };
        match node {
            Node::Not(_) => self.positive = !self.positive,
            // It makes no difference where another operand decides.
            Node::And(_) => self.beside.extend(others(true)),
            Node::Or(_) => self.beside.extend(others(false)),
            Node::Implies(a, b) => match number {
                0 => {
                    self.positive = !self.positive;
                    self.beside.push((*b, false));
                }
                _ => self.beside.push((*a, true)),
            },
            _ => self.beside.clear(),
        }
        self.beside.retain(|(id, _)| arena.is_propositional(*id));
    }

    fn guards(&self, arena: &mut Arena) -> Vec<Id> {
        let beside = self.beside.iter();
        beside.map(|&signed| arena.signed(signed)).collect()
    }
}

/// Refuses conditions with a remembered value below operators that look back: before the value is remembered, it is not
/// known.
fn looks_ahead(
    arena: &Arena,
    root: Id,
    remembered: &Remembered,
    compared: &[AtomId],
) -> Result<(), ParseError> {
    let reading = containing(arena, root, compared);
    let chosen = containing(arena, root, &[remembered.atom]);
    for id in arena.postorder(root) {
        let node = arena.node(id);
        // An operator around the whole `let` asks for it at another letter.
        if node.is_past() && reading.contains(&id) && !chosen.contains(&id) {
            let found = format!("`{}` below `{}`", remembered.name, name(node));
            let help = "what was so before the value was remembered is not known: remember the earlier one of the two values, and compare it later";
            return Err(refused(remembered, found, help));
        }
    }
    Ok(())
}

/// The subformulas in which one of these propositions occurs.
fn containing(arena: &Arena, root: Id, atoms: &[AtomId]) -> HashSet<Id> {
    let mut found = HashSet::new();
    for id in arena.postorder(root) {
        let node = arena.node(id);
        let own = matches!(node, Node::Atom(atom) if atoms.contains(atom));
        if own || node.operands().any(|operand| found.contains(&operand)) {
            found.insert(id);
        }
    }
    found
}

/// The sign of an operator, for messages.
fn name(node: &Node) -> &'static str {
    match node {
        Node::Finally(_) => "F",
        Node::Globally(_) => "G",
        Node::Once(_) => "O",
        Node::Historically(_) => "H",
        Node::Previous(_) => "Y",
        Node::WeakPrevious(_) => "Z",
        Node::Until(..) => "U",
        Node::WeakUntil(..) => "W",
        Node::Release(..) => "R",
        Node::StrongRelease(..) => "M",
        Node::Since(..) => "S",
        Node::BackTo(..) => "B",
        Node::Iff(..) => "<->",
        Node::Often(..) => "O[… in …]",
        Node::Sequence(..) => "{…}",
        Node::Within(operator, ..) | Node::Timed(operator, ..) => match operator {
            Bounded::Next => "X[…]",
            Bounded::Finally => "F[…]",
            Bounded::Globally => "G[…]",
            Bounded::Until => "U[…]",
            Bounded::Once => "O[…]",
            Bounded::Historically => "H[…]",
            Bounded::Since => "S[…]",
        },
        _ => "!",
    }
}
