//! Guards: conditions on one letter, as binary decision diagrams.

use biodivine_lib_bdd::{op_function, Bdd, BddNode, BddPointer, BddVariable};
use ltl::lasso::Letter;
use ltl::{Arena, Atom, AtomId};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The number of variables of the diagrams: propositions with higher indices have none.
pub(crate) const VARIABLES: u16 = 65_000;

/// A conjunction of literals, ordered by proposition; the empty one is true.
pub type Cube = Vec<(AtomId, bool)>;

/// A set of letters, given by a propositional condition over atomic propositions: a reduced ordered
/// binary decision diagram. Equal guards denote equal sets.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Guard(Bdd);

/// The diagram of a constant.
pub(crate) fn constant(value: bool) -> Bdd {
    let mut nodes = vec![BddNode::mk_zero(VARIABLES)];
    if value {
        nodes.push(BddNode::mk_one(VARIABLES));
    }
    from_nodes(&nodes)
}

/// The diagram of one variable.
pub(crate) fn variable(index: u16, value: bool) -> Bdd {
    let low = BddPointer::from_bool(!value);
    let high = BddPointer::from_bool(value);
    from_nodes(&[
        BddNode::mk_zero(VARIABLES),
        BddNode::mk_one(VARIABLES),
        BddNode::mk_node(BddVariable::from_index(usize::from(index)), low, high),
    ])
}

/// The diagram of nodes in a valid order.
fn from_nodes(nodes: &[BddNode]) -> Bdd {
    Bdd::from_nodes(nodes).expect("the nodes are children first, in the order of variables")
}

/// A copy of a diagram with variable `i` renamed to `names[i]`; the names must be ascending.
pub(crate) fn rename(bdd: &Bdd, names: &[AtomId]) -> Bdd {
    let mut nodes = bdd.clone().to_nodes();
    for node in nodes.iter_mut().skip(2) {
        node.var = BddVariable::from_index(names[node.var.to_index()].0 as usize);
    }
    from_nodes(&nodes)
}

/// The diagram with a value for a variable. The library's own restriction takes a table as long as the variable's
/// index; the variables are numbered by their order first, so that it is as long as the diagram has variables.
fn restrict(bdd: &Bdd, atom: AtomId, value: bool) -> Bdd {
    let support = support(bdd);
    match support.binary_search(&atom) {
        Ok(place) => {
            let local = at_places(bdd, &support);
            let place = BddVariable::from_index(place);
            rename(&local.var_restrict(place, value), &support)
        }
        Err(_) => bdd.clone(),
    }
}

/// The propositions that a diagram depends on, ascending.
fn support(bdd: &Bdd) -> Vec<AtomId> {
    let nodes = (2..bdd.size()).map(BddPointer::from_index);
    let mut atoms: Vec<AtomId> = nodes
        .map(|node| AtomId(bdd.var_of(node).to_index() as u32))
        .collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// The guard's diagram with propositions renamed to their positions in `atoms`, which must be ascending and
/// contain all of them.
pub(crate) fn localise(guard: &Guard, atoms: &[AtomId]) -> Bdd {
    at_places(&guard.0, atoms)
}

fn at_places(bdd: &Bdd, atoms: &[AtomId]) -> Bdd {
    let mut nodes = bdd.clone().to_nodes();
    for node in nodes.iter_mut().skip(2) {
        let atom = AtomId(node.var.to_index() as u32);
        let place = atoms.binary_search(&atom).unwrap_or(0);
        node.var = BddVariable::from_index(place);
    }
    from_nodes(&nodes)
}

impl Guard {
    /// All letters.
    pub fn top() -> Guard {
        Guard(constant(true))
    }

    /// No letter.
    pub fn bottom() -> Guard {
        Guard(constant(false))
    }

    /// The letters in which the proposition has this value; `None` if the proposition's index is too high for a
    /// diagram (65,000 or more).
    pub fn literal(atom: AtomId, value: bool) -> Option<Guard> {
        let index = u16::try_from(atom.0).ok().filter(|&i| i < VARIABLES)?;
        Some(Guard(variable(index, value)))
    }

    /// The guard of a diagram whose variables are propositions.
    pub(crate) fn from_bdd(bdd: Bdd) -> Guard {
        Guard(bdd)
    }

    /// The guard with proposition `i` renamed to `names[i]`; the names must be ascending.
    pub(crate) fn renamed(&self, names: &[AtomId]) -> Guard {
        Guard(rename(&self.0, names))
    }

    /// The guard with `to[i]` in the place of `from[i]`; both must be ascending.
    pub(crate) fn moved(&self, from: &[AtomId], to: &[AtomId]) -> Guard {
        Guard(rename(&at_places(&self.0, from), to))
    }

    /// The letters of both.
    pub fn and(&self, other: &Guard) -> Guard {
        Guard(self.0.and(&other.0))
    }

    /// The letters of one or both.
    pub fn or(&self, other: &Guard) -> Guard {
        Guard(self.0.or(&other.0))
    }

    /// The number of nodes of the diagram.
    pub(crate) fn size(&self) -> usize {
        self.0.size()
    }

    /// Like [`Guard::and`]; `None` if the diagram would have more nodes than this.
    pub(crate) fn and_within(&self, other: &Guard, nodes: usize) -> Option<Guard> {
        Bdd::binary_op_with_limit(nodes, &self.0, &other.0, op_function::and).map(Guard)
    }

    /// Like [`Guard::or`]; `None` if the diagram would have more nodes than this.
    pub(crate) fn or_within(&self, other: &Guard, nodes: usize) -> Option<Guard> {
        Bdd::binary_op_with_limit(nodes, &self.0, &other.0, op_function::or).map(Guard)
    }

    /// The letters of this guard that are not in the other.
    pub fn and_not(&self, other: &Guard) -> Guard {
        Guard(self.0.and_not(&other.0))
    }

    /// Whether it has all letters.
    pub fn is_true(&self) -> bool {
        self.0.is_true()
    }

    /// Whether it has no letter.
    pub fn is_false(&self) -> bool {
        self.0.is_false()
    }

    /// Whether the other guard contains every letter of this one.
    pub fn implies(&self, other: &Guard) -> bool {
        self.0.and_not(&other.0).is_false()
    }

    /// Whether no letter is in both.
    pub fn is_disjoint(&self, other: &Guard) -> bool {
        self.0.and(&other.0).is_false()
    }

    /// The condition on the other propositions if this one has the given value.
    pub fn restrict(&self, atom: AtomId, value: bool) -> Guard {
        match Self::literal(atom, value) {
            Some(_) => Guard(restrict(&self.0, atom, value)),
            None => self.clone(),
        }
    }

    /// The letters that are in this guard for some value of the proposition.
    pub fn exists(&self, atom: AtomId) -> Guard {
        self.without(&[atom])
    }

    /// The letters that are in this guard for some values of the propositions.
    pub(crate) fn without(&self, atoms: &[AtomId]) -> Guard {
        let support = support(&self.0);
        let places: Vec<BddVariable> = atoms
            .iter()
            .filter_map(|atom| support.binary_search(atom).ok())
            .map(BddVariable::from_index)
            .collect();
        if places.is_empty() {
            return self.clone();
        }
        let either = |bdd: Bdd, &place: &BddVariable| {
            bdd.var_restrict(place, false)
                .or(&bdd.var_restrict(place, true))
        };
        let local = at_places(&self.0, &support);
        Guard(rename(&places.iter().fold(local, either), &support))
    }

    /// The propositions that it depends on, ascending.
    pub fn support(&self) -> Vec<AtomId> {
        support(&self.0)
    }

    /// Whether it contains the letter with these values of the propositions.
    pub fn eval(&self, holds: impl Fn(AtomId) -> bool) -> bool {
        let mut at = self.0.root_pointer();
        while !at.is_terminal() {
            at = if holds(AtomId(self.0.var_of(at).to_index() as u32)) {
                self.0.high_link_of(at)
            } else {
                self.0.low_link_of(at)
            };
        }
        at.is_one()
    }

    /// Whether it contains the letter.
    pub fn contains(&self, letter: &Letter) -> bool {
        self.eval(|atom| letter.contains(&atom))
    }

    /// Some letter of it; only propositions that the diagram's first path needs hold.
    pub fn witness(&self) -> Option<Letter> {
        self.nearest(&Letter::new())
    }

    /// A letter of it that differs from another one only in propositions that the diagram's first path needs.
    pub fn nearest(&self, other: &Letter) -> Option<Letter> {
        if self.is_false() {
            return None;
        }
        let mut letter = other.clone();
        let mut at = self.0.root_pointer();
        while !at.is_terminal() {
            let atom = AtomId(self.0.var_of(at).to_index() as u32);
            let (low, high) = (self.0.low_link_of(at), self.0.high_link_of(at));
            let holds = match letter.contains(&atom) {
                true => !high.is_zero(),
                false => low.is_zero(),
            };
            if holds {
                letter.insert(atom);
            } else {
                letter.remove(&atom);
            }
            at = if holds { high } else { low };
        }
        Some(letter)
    }

    /// An irredundant sum of cubes: every cube, and every literal of every cube, is needed (Minato 1992, after
    /// Morreale 1970). The empty sum is false.
    pub fn cubes(&self) -> Vec<Cube> {
        self.cubes_with(&self.0)
    }

    /// An irredundant sum that contains this guard and is contained in `upper`; letters between the two are
    /// chosen so that the sum is short. `upper` must contain this guard.
    pub fn cubes_within(&self, upper: &Guard) -> Vec<Cube> {
        self.cubes_with(&upper.0.or(&self.0))
    }

    fn cubes_with(&self, upper: &Bdd) -> Vec<Cube> {
        let mut memo = HashMap::new();
        let (mut cubes, _) = isop(&self.0, upper, &mut memo);
        cubes.iter_mut().for_each(|cube| cube.reverse());
        cubes
    }

    /// The irredundant sum as text, such as `p & !q | r`, with the names and operators of the style.
    pub fn text(&self, style: &GuardStyle<'_>) -> String {
        let cubes = self.cubes();
        if cubes.is_empty() {
            return style.bottom.to_string();
        }
        let several = cubes.len() > 1;
        let texts: Vec<String> = cubes
            .iter()
            .map(|cube| cube_text(cube, style, several && style.parenthesise))
            .collect();
        texts.join(style.or)
    }

    /// The irredundant sum with the propositions' names from the arena: `p & !q | r`.
    pub fn display(&self, arena: &Arena) -> String {
        self.text(&GuardStyle {
            name: &|atom| atom_name(arena, atom),
            ..GuardStyle::default()
        })
    }
}

/// The name of a proposition as in a formula's text, or `?7` if the arena does not have it.
pub(crate) fn atom_name(arena: &Arena, atom: AtomId) -> String {
    match arena.atoms().get(atom.0 as usize) {
        Some(Atom::Name(name)) => name.clone(),
        Some(Atom::Condition(condition)) => format!("{{{condition}}}"),
        None => format!("?{}", atom.0),
    }
}

/// The names and operators of [`Guard::text`].
pub struct GuardStyle<'a> {
    /// The name of a proposition.
    pub name: &'a dyn Fn(AtomId) -> String,
    /// Before a negated proposition.
    pub not: &'a str,
    /// Between literals.
    pub and: &'a str,
    /// Between cubes.
    pub or: &'a str,
    /// The set of all letters.
    pub top: &'a str,
    /// The empty set.
    pub bottom: &'a str,
    /// Whether a cube of several literals is in parentheses if there are several cubes.
    pub parenthesise: bool,
}

impl Default for GuardStyle<'_> {
    fn default() -> Self {
        GuardStyle {
            name: &|atom| format!("?{}", atom.0),
            not: "!",
            and: " & ",
            or: " | ",
            top: "true",
            bottom: "false",
            parenthesise: false,
        }
    }
}

fn cube_text(cube: &Cube, style: &GuardStyle<'_>, parenthesise: bool) -> String {
    if cube.is_empty() {
        return style.top.to_string();
    }
    let mut text = String::new();
    for (index, &(atom, value)) in cube.iter().enumerate() {
        let and = if index > 0 { style.and } else { "" };
        let not = if value { "" } else { style.not };
        let _ = write!(text, "{and}{not}{}", (style.name)(atom));
    }
    if parenthesise && cube.len() > 1 {
        format!("({text})")
    } else {
        text
    }
}

type IsopMemo = HashMap<(Bdd, Bdd), (Vec<Cube>, Bdd)>;

/// An irredundant sum between `lower` and `upper`, with its diagram. The literals of a cube are in descending
/// order. The recursion is as deep as the support has propositions.
fn isop(lower: &Bdd, upper: &Bdd, memo: &mut IsopMemo) -> (Vec<Cube>, Bdd) {
    if lower.is_false() {
        return (Vec::new(), constant(false));
    }
    if upper.is_true() {
        return (vec![Vec::new()], constant(true));
    }
    let key = (lower.clone(), upper.clone());
    if let Some(known) = memo.get(&key) {
        return known.clone();
    }
    let top = |bdd: &Bdd| bdd.var_of(bdd.root_pointer());
    let v = top(lower).min(top(upper));
    let atom = AtomId(v.to_index() as u32);
    let [l0, l1] = [false, true].map(|value| restrict(lower, atom, value));
    let [u0, u1] = [false, true].map(|value| restrict(upper, atom, value));
    // First the letters that only cubes with the literal can cover, then the others without it.
    let (cubes0, sum0) = isop(&l0.and_not(&u1), &u0, memo);
    let (cubes1, sum1) = isop(&l1.and_not(&u0), &u1, memo);
    let rest = l0.and_not(&sum0).or(&l1.and_not(&sum1));
    let (shared, sum) = isop(&rest, &u0.and(&u1), memo);
    let literal = |cubes: Vec<Cube>, value: bool| {
        cubes.into_iter().map(move |mut cube| {
            cube.push((atom, value));
            cube
        })
    };
    let mut cubes: Vec<Cube> = literal(cubes0, false).collect();
    cubes.extend(literal(cubes1, true));
    cubes.extend(shared);
    let index = v.to_index() as u16;
    let with0 = variable(index, false).and(&sum0);
    let with1 = variable(index, true).and(&sum1);
    let result = (cubes, with0.or(&with1).or(&sum));
    memo.insert(key, result.clone());
    result
}
