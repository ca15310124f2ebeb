//! Classes of letters: the letters that an automaton cannot tell apart form a class.
//!
//! Two letters in the same guards behave alike. After the construction, all work is done on classes as small
//! numbers, so that sets of letters are machine words.

use crate::bits::Bits;
use crate::guard::{constant, rename, Guard};
use crate::limits::{Limits, TooLarge};
use biodivine_lib_bdd::{Bdd, BddPointer};
use ltl::AtomId;
use std::collections::HashMap;

/// The most propositions for which the classes are computed from truth tables.
const TABLE: usize = 12;

/// The classes of letters.
#[derive(Clone, Debug)]
pub(crate) struct Alphabet {
    /// The propositions, ascending; variable `i` of the classes' diagrams is the `i`-th.
    pub atoms: Vec<AtomId>,
    classes: Classes,
}

/// The letters of each class. The classes are disjoint; together they have the letters that the constraints
/// allow.
#[derive(Clone, Debug)]
enum Classes {
    /// As truth tables: bit `m` for the letter whose propositions are the bits of `m`.
    Tables(Vec<Bits>),
    Diagrams(Vec<Bdd>),
}

impl Alphabet {
    /// The coarsest classes of the letters in `allowed` such that no guard divides a class, and each guard as a
    /// set of classes.
    pub fn new(
        atoms: &[AtomId],
        guards: &[&Bdd],
        allowed: &Bdd,
        limits: &Limits,
    ) -> Result<(Alphabet, Vec<Bits>), TooLarge> {
        let (classes, signatures) = if atoms.len() <= TABLE {
            let (tables, signatures) = by_table(atoms.len(), guards, allowed);
            (Classes::Tables(tables), signatures)
        } else {
            let (diagrams, signatures) = by_refinement(guards, allowed, limits)?;
            (Classes::Diagrams(diagrams), signatures)
        };
        let count = signatures.len();
        Limits::check("letters", count, limits.letters)?;
        let members = guards.iter().enumerate().map(|(index, _)| {
            let mut members = Bits::empty(count);
            for (class, signature) in signatures.iter().enumerate() {
                if signature.contains(index) {
                    members.insert(class);
                }
            }
            members
        });
        let members = members.collect();
        let atoms = atoms.to_vec();
        Ok((Alphabet { atoms, classes }, members))
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        match &self.classes {
            Classes::Tables(tables) => tables.len(),
            Classes::Diagrams(diagrams) => diagrams.len(),
        }
    }

    /// The letters of one class; variable `i` of the diagram is the `i`-th proposition.
    pub fn class(&self, class: usize) -> Bdd {
        match &self.classes {
            Classes::Tables(tables) => from_table(&tables[class], self.atoms.len()),
            Classes::Diagrams(diagrams) => diagrams[class].clone(),
        }
    }

    /// The classes as one guard.
    pub fn guard(&self, set: &Bits) -> Guard {
        let sum = match &self.classes {
            Classes::Tables(tables) => {
                let mut sum = Bits::empty(1 << self.atoms.len());
                set.iter().for_each(|class| sum.unite(&tables[class]));
                from_table(&sum, self.atoms.len())
            }
            Classes::Diagrams(diagrams) => set
                .iter()
                .fold(constant(false), |sum, class| sum.or(&diagrams[class])),
        };
        Guard::from_bdd(rename(&sum, &self.atoms))
    }
}

/// The truth table of a diagram over `atoms` variables: bit `m` stands for the letter whose propositions are
/// the bits of `m`.
fn table(bdd: &Bdd, atoms: usize, known: &mut Vec<Option<Bits>>) -> Bits {
    let size = 1usize << atoms;
    known.clear();
    known.resize(bdd.size().max(2), None);
    known[0] = Some(Bits::empty(size));
    known[1] = Some(Bits::full(size));
    // Children precede their parents.
    for index in 2..bdd.size() {
        let pointer = BddPointer::from_index(index);
        let column = column(bdd.var_of(pointer).to_index(), size);
        let (low, high) = (bdd.low_link_of(pointer), bdd.high_link_of(pointer));
        let (Some(low), Some(high)) = (&known[low.to_index()], &known[high.to_index()]) else {
            continue;
        };
        let mut result = low.clone();
        result.subtract(&column);
        result.unite(&high.intersection(&column));
        known[index] = Some(result);
    }
    let root = bdd.root_pointer().to_index();
    known[root].take().unwrap_or_else(|| Bits::empty(size))
}

/// The truth table of one variable.
fn column(variable: usize, size: usize) -> Bits {
    let mut column = Bits::empty(size);
    for minterm in (0..size).filter(|m| m >> variable & 1 == 1) {
        column.insert(minterm);
    }
    column
}

/// Each class, and the indices of the guards that contain it.
fn by_table(atoms: usize, guards: &[&Bdd], allowed: &Bdd) -> (Vec<Bits>, Vec<Bits>) {
    let mut scratch = Vec::new();
    let tables: Vec<Bits> = guards
        .iter()
        .map(|g| table(g, atoms, &mut scratch))
        .collect();
    let allowed = table(allowed, atoms, &mut scratch);
    let mut index: HashMap<Bits, usize> = HashMap::new();
    let (mut classes, mut signatures) = (Vec::new(), Vec::new());
    for minterm in allowed.iter() {
        let mut signature = Bits::empty(guards.len());
        for (guard, table) in tables.iter().enumerate() {
            if table.contains(minterm) {
                signature.insert(guard);
            }
        }
        let class = *index.entry(signature).or_insert_with_key(|signature| {
            classes.push(Bits::empty(1 << atoms));
            signatures.push(signature.clone());
            classes.len() - 1
        });
        classes[class].insert(minterm);
    }
    (classes, signatures)
}

/// The diagram of the letters in a truth table.
fn from_table(table: &Bits, atoms: usize) -> Bdd {
    use biodivine_lib_bdd::{BddNode, BddVariable};
    let mut nodes = vec![
        BddNode::mk_zero(crate::guard::VARIABLES),
        BddNode::mk_one(crate::guard::VARIABLES),
    ];
    let mut unique: HashMap<(usize, usize, usize), usize> = HashMap::new();
    let mut level: Vec<usize> = vec![0; 1 << atoms];
    table.iter().for_each(|m| level[m] = 1);
    // Fold the highest variable first: it is the lowest level of the diagram.
    for variable in (0..atoms).rev() {
        let half = 1 << variable;
        let mut folded = Vec::with_capacity(half);
        for rest in 0..half {
            let (low, high) = (level[rest], level[rest | half]);
            folded.push(if low == high {
                low
            } else {
                *unique.entry((variable, low, high)).or_insert_with(|| {
                    nodes.push(BddNode::mk_node(
                        BddVariable::from_index(variable),
                        BddPointer::from_index(low),
                        BddPointer::from_index(high),
                    ));
                    nodes.len() - 1
                })
            });
        }
        level = folded;
    }
    match level[0] {
        0 => constant(false),
        1 => constant(true),
        // The conjunction orders the nodes as the library does, so that equal sets have equal diagrams; the
        // root is the last node.
        _ => Bdd::from_nodes(&nodes)
            .unwrap_or_else(|_| constant(false))
            .and(&constant(true)),
    }
}

/// Like [`by_table`], for more propositions than a table can have: splits the classes by one guard after the
/// other.
fn by_refinement(
    guards: &[&Bdd],
    allowed: &Bdd,
    limits: &Limits,
) -> Result<(Vec<Bdd>, Vec<Bits>), TooLarge> {
    let mut classes = Vec::new();
    if !allowed.is_false() {
        classes.push((allowed.clone(), Bits::empty(guards.len())));
    }
    let mut work = 0;
    for (index, guard) in guards.iter().enumerate() {
        let mut divided = Vec::with_capacity(classes.len() + 1);
        for (class, signature) in classes {
            let inside = class.and(guard);
            let outside = class.and_not(guard);
            work += inside.size() + outside.size();
            if !inside.is_false() {
                let mut signature = signature.clone();
                signature.insert(index);
                divided.push((inside, signature));
            }
            if !outside.is_false() {
                divided.push((outside, signature));
            }
        }
        Limits::check("letters", divided.len(), limits.letters)?;
        Limits::check("nodes of decision diagrams", work, limits.work)?;
        classes = divided;
    }
    Ok(classes.into_iter().unzip())
}
