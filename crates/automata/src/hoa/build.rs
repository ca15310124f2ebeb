//! Converts the text's automaton to a Büchi automaton with state-based acceptance.

use super::accept::{Edges, Product};
use super::body::Edge;
use super::header::Header;
use super::HoaError;
use crate::alphabet::Alphabet;
use crate::buchi::Buchi;
use crate::degeneralise::{degeneralise, strategies};
use crate::guard::{constant, localise, Guard};
use crate::limits::{Limits, TooLarge};
use crate::tgba::{Edge as Transition, Tgba};
use biodivine_lib_bdd::Bdd;
use ltl::AtomId;
use std::collections::{BTreeMap, HashMap};

impl Edges {
    /// Whether an edge with these marks is among them.
    fn has(self, marks: u64) -> bool {
        (marks >> self.set & 1 == 1) != self.complement
    }
}

/// An equivalent automaton with one initial state and state-based acceptance.
pub(super) fn build(
    header: Header,
    states: BTreeMap<u32, Vec<Edge>>,
    limits: &Limits,
) -> Result<Buchi, HoaError> {
    let whole = 0..0;
    let too_large = |error: TooLarge| HoaError::too_large(error, &whole);
    for (start, span) in &header.starts {
        if header.states.as_ref().is_some_and(|(n, _)| start >= n) {
            return Err(HoaError::new(format!("there is no state {start}"), span));
        }
    }
    let mut atoms = header.labels.atoms.clone();
    atoms.sort_unstable();
    let (rows, alphabet) = over_classes(&header, states, &atoms, limits).map_err(too_large)?;
    // Each product copies every edge up to three times.
    let edges: usize = rows.edges.iter().map(Vec::len).sum();
    let copied = edges * header.condition.len();
    Limits::check("edges", copied, 4 * limits.edges).map_err(too_large)?;
    let state_based = match rows.state_based(&header.condition, alphabet.len()) {
        Some(automaton) => automaton,
        None => general(&rows, &header.condition, alphabet.len()),
    };
    Limits::check("states", state_based.states.len(), limits.states).map_err(too_large)?;
    Limits::check("edges", state_based.edges(), limits.edges).map_err(too_large)?;
    Ok(Buchi::of_tgba(&state_based, &alphabet))
}

/// The automaton over classes of letters: states with dense numbers, and the initial ones.
struct Rows {
    edges: Vec<Vec<Transition>>,
    starts: Vec<u32>,
}

impl Rows {
    /// The automaton unchanged, if it has one initial state and a Büchi condition on which the edges of each
    /// state agree.
    fn state_based(&self, condition: &[Product], letters: usize) -> Option<Tgba> {
        let ([product], &[init]) = (condition, &self.starts[..]) else {
            return None;
        };
        let union: &[Edges] = match &product.infinitely[..] {
            // Without a condition, every state accepts.
            [] => &[],
            [union] => union,
            _ => return None,
        };
        let accepted = |edge: &Transition| {
            product.infinitely.is_empty() || union.iter().any(|edges| edges.has(edge.marks))
        };
        let agree = |row: &Vec<Transition>| row.iter().all(|e| accepted(e) == accepted(&row[0]));
        if !product.finitely.is_empty() || !self.edges.iter().all(agree) {
            return None;
        }
        let states = self.edges.iter().map(|row| {
            let edges = row.iter().map(|edge| Transition {
                marks: u64::from(accepted(edge)),
                ..edge.clone()
            });
            edges.collect()
        });
        let mut automaton = Tgba {
            states: states.collect(),
            init,
            sets: 1,
            letters,
            state_based: true,
        };
        automaton.trim();
        Some(automaton)
    }
}

/// An automaton with state-based acceptance, for any condition.
fn general(rows: &Rows, condition: &[Product], letters: usize) -> Tgba {
    let sets = condition.iter().map(|p| p.infinitely.len()).max();
    let mut builder = Builder {
        rows,
        sets: sets.unwrap_or(0).max(1),
        states: Vec::new(),
        letters,
    };
    let mut automaton = builder.automaton(condition);
    automaton.trim();
    degeneralise_best(&automaton)
}

fn over_classes(
    header: &Header,
    states: BTreeMap<u32, Vec<Edge>>,
    atoms: &[AtomId],
    limits: &Limits,
) -> Result<(Rows, Alphabet), TooLarge> {
    let mut index: HashMap<Guard, usize> = HashMap::new();
    let mut guards: Vec<Bdd> = Vec::new();
    for edge in states.values().flatten() {
        if !index.contains_key(&edge.guard) {
            index.insert(edge.guard.clone(), guards.len());
            guards.push(localise(&edge.guard, atoms));
        }
    }
    let local: Vec<&Bdd> = guards.iter().collect();
    let (alphabet, classes) = Alphabet::new(atoms, &local, &constant(true), limits)?;
    // States that only occur as targets have no edges and accept nothing.
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut number = |state: u32| {
        let fresh = numbers.len() as u32;
        *numbers.entry(state).or_insert(fresh)
    };
    states.keys().for_each(|&state| {
        number(state);
    });
    let starts = header.starts.iter().map(|(s, _)| number(*s)).collect();
    let rows = states.values().map(|edges| {
        let edges = edges.iter().map(|edge| Transition {
            dst: number(edge.target),
            marks: edge.marks,
            guard: classes[index[&edge.guard]].clone(),
        });
        edges.collect()
    });
    let mut edges: Vec<Vec<Transition>> = rows.collect();
    edges.resize(numbers.len(), Vec::new());
    Ok((Rows { edges, starts }, alphabet))
}

/// The construction of one automaton with generalised Büchi acceptance.
struct Builder<'a> {
    rows: &'a Rows,
    /// The number of acceptance sets, at least 1.
    sets: usize,
    states: Vec<Vec<Transition>>,
    letters: usize,
}

impl Builder<'_> {
    /// For each product, a copy of the automaton in which only that product can be accepted. If some edges may
    /// be taken only finitely often, a run guesses when it has taken the last of them, and continues in a copy
    /// without them.
    fn automaton(&mut self, condition: &[Product]) -> Tgba {
        let mut init = Vec::new();
        for product in condition {
            let copy = self.copy(product, product.finitely.is_empty());
            if product.finitely.is_empty() {
                self.enter(copy, &mut init);
                continue;
            }
            let waiting = self.waiting(copy);
            self.enter(waiting, &mut init);
        }
        let first = self.states.len() as u32;
        self.states.push(init);
        Tgba {
            states: std::mem::take(&mut self.states),
            init: first,
            sets: self.sets as u32,
            letters: self.letters,
            state_based: false,
        }
    }

    /// Adds the edges of a copy's initial states to a new initial state.
    fn enter(&self, copy: usize, init: &mut Vec<Transition>) {
        for &start in &self.rows.starts {
            for edge in &self.states[copy + start as usize] {
                init.push(Transition {
                    marks: 0,
                    ..edge.clone()
                });
            }
        }
    }

    /// A copy with the product's acceptance, and without the edges that may be taken only finitely often unless
    /// `all`; returns the number of its first state.
    fn copy(&mut self, product: &Product, all: bool) -> usize {
        let first = self.states.len();
        let every: u64 = (1 << self.sets) - 1;
        for row in &self.rows.edges {
            let kept = row
                .iter()
                .filter(|e| all || !product.finitely.iter().any(|f| f.has(e.marks)));
            let edges = kept.map(|edge| {
                let mut marks = every & !((1 << product.infinitely.len()) - 1);
                for (set, union) in product.infinitely.iter().enumerate() {
                    if union.iter().any(|edges| edges.has(edge.marks)) {
                        marks |= 1 << set;
                    }
                }
                Transition {
                    dst: edge.dst + first as u32,
                    marks,
                    guard: edge.guard.clone(),
                }
            });
            let edges = edges.collect();
            self.states.push(edges);
        }
        first
    }

    /// A copy with all edges and no acceptance. Each edge also leads into the copy that begins with
    /// `accepting`.
    fn waiting(&mut self, accepting: usize) -> usize {
        let first = self.states.len();
        for row in &self.rows.edges {
            let edges = row.iter().flat_map(|edge| {
                [first, accepting].map(|copy| Transition {
                    dst: edge.dst + copy as u32,
                    marks: 0,
                    guard: edge.guard.clone(),
                })
            });
            let edges = edges.collect();
            self.states.push(edges);
        }
        first
    }
}

/// With state-based acceptance, by the strategy with the fewest states.
fn degeneralise_best(automaton: &Tgba) -> Tgba {
    let mut best: Option<Tgba> = None;
    for strategy in strategies(automaton) {
        let result = degeneralise(automaton, &strategy);
        let size = |a: &Tgba| (a.states.len(), a.edges());
        if best.as_ref().is_none_or(|best| size(&result) < size(best)) {
            best = Some(result);
        }
        if best.as_ref().is_some_and(|best| best.states.len() > 200) {
            break;
        }
    }
    best.unwrap_or_else(|| Tgba::empty(automaton.letters))
}
