//! The construction of generalised Büchi automata (Couvreur, FM'99, with the refinements of
//! Duret-Lutz, *LTL translation improvements in Spot 1.0*, 2014).
//!
//! One decision diagram over propositions, "next" variables and promises says what a formula requires now, next
//! and eventually. A state is such a diagram, so that formulas with equal diagrams share a state.

use crate::alphabet::Alphabet;
use crate::guard::VARIABLES;
use crate::limits::{Limits, TooLarge};
use crate::nnf::{Op, Store, F};
use crate::pool::{Pool, D};
use crate::tgba::{Edge, Tgba};
use biodivine_lib_bdd::{Bdd, BddNode, BddPointer};
use std::collections::HashMap;

/// The meaning of a variable above the propositions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Sign {
    /// The formula must hold from the next letter on.
    Next(F),
    /// The formula is postponed, but promised.
    Promise(F),
}

/// An edge, before the classes of letters are known.
struct RawEdge {
    guard: D,
    promises: Vec<u16>,
    dst: u32,
}

/// An automaton, before the classes of letters are known.
pub(crate) struct Raw {
    edges: Vec<Vec<RawEdge>>,
    /// The promise variables, each an acceptance set.
    promises: Vec<u16>,
    /// The formula of each state.
    pub formulas: Vec<F>,
}

/// The construction in progress.
pub(crate) struct Tableau<'a> {
    pub store: &'a mut Store,
    pub pool: &'a mut Pool,
    pub limits: &'a Limits,
    signs: Vec<Sign>,
    variables: HashMap<Sign, u16>,
    diagrams: HashMap<F, D>,
    /// Successors of diagrams, shared by all automata built from this tableau.
    expansions: HashMap<D, Vec<(D, Vec<u16>, F)>>,
    /// The states of automata that stand for subformulas.
    states: Vec<Vec<StateEdge>>,
    /// Cubes handled so far.
    work: usize,
}

/// An edge of a state of a deterministic automaton that stands for a subformula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateEdge {
    pub guard: D,
    pub target: F,
    /// Whether a run that only takes this edge is rejected.
    pub put_off: bool,
}

impl<'a> Tableau<'a> {
    pub fn new(store: &'a mut Store, pool: &'a mut Pool, limits: &'a Limits) -> Self {
        Tableau {
            store,
            pool,
            limits,
            signs: Vec::new(),
            variables: HashMap::new(),
            diagrams: HashMap::new(),
            expansions: HashMap::new(),
            states: Vec::new(),
            work: 0,
        }
    }

    fn first_sign(&self) -> usize {
        self.store.atoms.len()
    }

    fn sign(&mut self, sign: Sign) -> Result<D, TooLarge> {
        let index = match self.variables.get(&sign) {
            Some(&known) => known,
            None => {
                let index = self.first_sign() + self.signs.len();
                Limits::check("subformulas", index, usize::from(VARIABLES) - 1)?;
                Limits::check("subformulas", self.signs.len(), self.limits.subformulas)?;
                self.signs.push(sign);
                self.variables.insert(sign, index as u16);
                index as u16
            }
        };
        Ok(self.pool.literal(index, true))
    }

    /// The diagram of `X f`: conjuncts are separate obligations.
    fn next(&mut self, f: F) -> Result<D, TooLarge> {
        match self.store.op(f).clone() {
            Op::True => Ok(Pool::TRUE),
            Op::False => Ok(Pool::FALSE),
            Op::And(all) => {
                let mut both = Pool::TRUE;
                for &g in all.iter() {
                    let next = self.sign(Sign::Next(g))?;
                    both = self.pool.and(both, next);
                }
                Ok(both)
            }
            _ => self.sign(Sign::Next(f)),
        }
    }

    /// The requirements of a formula, as a diagram.
    pub fn diagram(&mut self, root: F) -> Result<D, TooLarge> {
        if let Some(&known) = self.diagrams.get(&root) {
            return Ok(known);
        }
        for f in self.store.subformulas(root) {
            if !self.diagrams.contains_key(&f) {
                let d = self.expand(f)?;
                self.pool.check(self.limits)?;
                self.diagrams.insert(f, d);
            }
        }
        Ok(self.diagrams[&root])
    }

    /// The diagram of a formula, from the diagrams of its operands.
    fn expand(&mut self, f: F) -> Result<D, TooLarge> {
        let op = self.store.op(f).clone();
        let of = |this: &Self, g: F| this.diagrams[&g];
        Ok(match op {
            Op::True => Pool::TRUE,
            Op::False => Pool::FALSE,
            Op::Literal(atom, value) => self.pool.literal(atom, value),
            Op::And(all) => all
                .iter()
                .fold(Pool::TRUE, |d, g| self.pool.and(d, self.diagrams[g])),
            Op::Or(all) => all
                .iter()
                .fold(Pool::FALSE, |d, g| self.pool.or(d, self.diagrams[g])),
            Op::State(number) => self.expand_state(f, number)?,
            Op::Next(a) => self.next(a)?,
            Op::Globally(a) => {
                let now = self.recurring(a)?;
                let next = self.next(f)?;
                self.pool.and(now, next)
            }
            Op::Finally(a) => {
                let later = self.put_off(f, a)?;
                self.pool.or(of(self, a), later)
            }
            Op::Until(a, b) => {
                let later = self.put_off(f, b)?;
                let later = self.pool.and(of(self, a), later);
                self.pool.or(of(self, b), later)
            }
            Op::Weak(a, b) => {
                let later = self.next(f)?;
                let later = self.pool.and(of(self, a), later);
                self.pool.or(of(self, b), later)
            }
            Op::Release(a, b) => {
                let later = self.next(f)?;
                let later = self.pool.or(of(self, a), later);
                self.pool.and(of(self, b), later)
            }
            Op::Strong(a, b) => {
                let later = self.put_off(f, a)?;
                let later = self.pool.or(of(self, a), later);
                self.pool.and(of(self, b), later)
            }
        })
    }

    /// Makes room for the states of an automaton and returns the number of the first.
    pub fn add_states(&mut self, count: usize) -> u32 {
        let first = self.states.len();
        self.states.resize(first + count, Vec::new());
        first as u32
    }

    /// Sets the edges of a state.
    pub fn set_state(&mut self, number: u32, edges: Vec<StateEdge>) {
        self.states[number as usize] = edges;
    }

    /// The requirements of a state of an automaton that stands for a subformula. Staying in a rejecting state
    /// postpones and promises, as for an until.
    fn expand_state(&mut self, f: F, number: u32) -> Result<D, TooLarge> {
        let mut any = Pool::FALSE;
        for edge in self.states[number as usize].clone() {
            let mut guard = edge.guard;
            if edge.put_off {
                let promise = self.sign(Sign::Promise(f))?;
                guard = self.pool.and(guard, promise);
            }
            let next = self.next(edge.target)?;
            guard = self.pool.and(guard, next);
            any = self.pool.or(any, guard);
        }
        Ok(any)
    }

    /// `f` next, with the promise of `promised`.
    fn put_off(&mut self, f: F, promised: F) -> Result<D, TooLarge> {
        let promise = self.sign(Sign::Promise(promised))?;
        let next = self.next(f)?;
        Ok(self.pool.and(promise, next))
    }

    /// The requirements of `a` inside `G a`: the `G` repeats them, so a conjunct `F b` need only promise `b`,
    /// not repeat itself.
    fn recurring(&mut self, a: F) -> Result<D, TooLarge> {
        let conjuncts = match self.store.op(a) {
            Op::And(all) => all.to_vec(),
            _ => vec![a],
        };
        let mut all = Pool::TRUE;
        for f in conjuncts {
            let d = match *self.store.op(f) {
                Op::Finally(b) => {
                    let promise = self.sign(Sign::Promise(b))?;
                    self.pool.or(self.diagrams[&b], promise)
                }
                _ => self.diagrams[&f],
            };
            all = self.pool.and(all, d);
        }
        Ok(all)
    }

    /// The automaton of a formula.
    pub fn build(&mut self, root: F) -> Result<Raw, TooLarge> {
        let mut raw = Raw {
            edges: Vec::new(),
            promises: Vec::new(),
            formulas: vec![root],
        };
        let first = self.diagram(root)?;
        let mut numbers: HashMap<D, u32> = HashMap::from([(first, 0)]);
        let mut order = vec![first];
        let mut edges = 0;
        while raw.edges.len() < order.len() {
            let state = order[raw.edges.len()];
            let mut out = Vec::new();
            for (guard, promises, dst) in self.successors(state)? {
                let diagram = self.diagram(dst)?;
                if diagram == Pool::FALSE {
                    continue;
                }
                let dst = *numbers.entry(diagram).or_insert_with(|| {
                    order.push(diagram);
                    raw.formulas.push(dst);
                    order.len() as u32 - 1
                });
                let new = promises.iter().filter(|p| !raw.promises.contains(p));
                let new: Vec<u16> = new.copied().collect();
                raw.promises.extend(new);
                out.push(RawEdge {
                    guard,
                    promises,
                    dst,
                });
            }
            edges += out.len();
            raw.edges.push(out);
            Limits::check("states", order.len(), self.limits.states)?;
            Limits::check("edges", edges, self.limits.edges)?;
            Limits::check("acceptance sets", raw.promises.len(), 60)?;
            self.store.check(self.limits)?;
        }
        Ok(raw)
    }

    /// For each class of letters that the diagram distinguishes, the possible successors.
    fn successors(&mut self, state: D) -> Result<Vec<(D, Vec<u16>, F)>, TooLarge> {
        if let Some(known) = self.expansions.get(&state) {
            return Ok(known.clone());
        }
        let bdd = self.pool.bdd(state).clone();
        let mut primes = Primes {
            known: HashMap::new(),
            work: self.work,
        };
        let mut out: Vec<(D, Vec<u16>, F)> = Vec::new();
        let mut places: HashMap<(Vec<u16>, F), usize> = HashMap::new();
        for leaf in leaves(&bdd, self.first_sign()) {
            self.pool.charge(bdd.size());
            self.pool.check(self.limits)?;
            let guard = self.pool.intern(paths_to(&bdd, leaf, self.first_sign()));
            for cube in primes.of(&bdd, leaf, self.limits)? {
                let mut next = Vec::new();
                let mut promises = Vec::new();
                for variable in cube {
                    match self.signs[usize::from(variable) - self.first_sign()] {
                        Sign::Next(f) => next.push(f),
                        Sign::Promise(_) => promises.push(variable),
                    }
                }
                promises.sort_unstable();
                let dst = self.store.plain_and(next);
                match places.get(&(promises.clone(), dst)) {
                    Some(&place) => out[place].0 = self.pool.or(out[place].0, guard),
                    None => {
                        places.insert((promises.clone(), dst), out.len());
                        out.push((guard, promises, dst));
                    }
                }
            }
            Limits::check("edges", out.len(), self.limits.edges)?;
            self.pool.check(self.limits)?;
        }
        self.work = primes.work;
        self.expansions.insert(state, out.clone());
        Ok(out)
    }
}

/// The diagram's nodes below the propositions, except false.
fn leaves(bdd: &Bdd, first_sign: usize) -> Vec<BddPointer> {
    let is_leaf = |p: BddPointer| p.is_terminal() || bdd.var_of(p).to_index() >= first_sign;
    let mut found = Vec::new();
    let mut seen = vec![false; bdd.size()];
    let mut stack = vec![bdd.root_pointer()];
    while let Some(pointer) = stack.pop() {
        if pointer.is_zero() || std::mem::replace(&mut seen[pointer.to_index()], true) {
            continue;
        }
        if is_leaf(pointer) {
            found.push(pointer);
        } else {
            stack.push(bdd.high_link_of(pointer));
            stack.push(bdd.low_link_of(pointer));
        }
    }
    found
}

/// The letters that lead to a leaf.
fn paths_to(bdd: &Bdd, leaf: BddPointer, first_sign: usize) -> Bdd {
    if bdd.root_pointer() == leaf {
        return crate::guard::constant(true);
    }
    let mut nodes = vec![BddNode::mk_zero(VARIABLES), BddNode::mk_one(VARIABLES)];
    let mut renamed = vec![BddPointer::zero(); bdd.size()];
    renamed[leaf.to_index()] = BddPointer::one();
    for index in 2..bdd.size() {
        let pointer = BddPointer::from_index(index);
        if pointer == leaf || bdd.var_of(pointer).to_index() >= first_sign {
            continue;
        }
        let low = renamed[bdd.low_link_of(pointer).to_index()];
        let high = renamed[bdd.high_link_of(pointer).to_index()];
        nodes.push(BddNode::mk_node(bdd.var_of(pointer), low, high));
        renamed[index] = BddPointer::from_index(nodes.len() - 1);
    }
    // The conjunction reduces the diagram.
    match Bdd::from_nodes(&nodes) {
        Ok(paths) => paths.and(&crate::guard::constant(true)),
        Err(_) => crate::guard::constant(false),
    }
}

/// The prime implicants of monotone diagrams; these are their only irredundant sums.
struct Primes {
    known: HashMap<usize, Vec<Vec<u16>>>,
    work: usize,
}

impl Primes {
    /// The prime implicants below a node, each as the variables that it needs, lowest last.
    fn of(
        &mut self,
        bdd: &Bdd,
        root: BddPointer,
        limits: &Limits,
    ) -> Result<Vec<Vec<u16>>, TooLarge> {
        let mut stack = vec![root];
        while let Some(&pointer) = stack.last() {
            if self.known.contains_key(&pointer.to_index()) {
                stack.pop();
                continue;
            }
            if pointer.is_terminal() {
                let primes = if pointer.is_one() {
                    vec![Vec::new()]
                } else {
                    Vec::new()
                };
                self.known.insert(pointer.to_index(), primes);
                continue;
            }
            let (low, high) = (bdd.low_link_of(pointer), bdd.high_link_of(pointer));
            let known = (
                self.known.get(&low.to_index()),
                self.known.get(&high.to_index()),
            );
            let (Some(without), Some(with)) = known else {
                stack.extend([low, high]);
                continue;
            };
            let mut primes = without.clone();
            for cube in with {
                // A comparison costs about as much as a new node of a diagram.
                self.work += 1 + without.len() / 2;
                let covered = |small: &Vec<u16>| small.iter().all(|v| cube.contains(v));
                if !without.iter().any(covered) {
                    let mut cube = cube.clone();
                    cube.push(bdd.var_of(pointer).to_index() as u16);
                    primes.push(cube);
                }
            }
            Limits::check("edges", primes.len(), limits.edges)?;
            Limits::check("steps of the construction", self.work, limits.work)?;
            self.known.insert(pointer.to_index(), primes);
        }
        Ok(self.known[&root.to_index()].clone())
    }
}

impl Raw {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// The guards of all edges, each once.
    pub fn guards(&self) -> Vec<D> {
        let mut guards: Vec<D> = self.edges.iter().flatten().map(|e| e.guard).collect();
        guards.sort_unstable();
        guards.dedup();
        guards
    }

    /// The automaton over classes of letters; `class` maps each guard to a set of classes.
    pub fn finish(&self, alphabet: &Alphabet, class: impl Fn(D) -> crate::bits::Bits) -> Tgba {
        let set = |p: &u16| self.promises.iter().position(|q| q == p).unwrap_or(0);
        let all: u64 = (1 << self.promises.len()) - 1;
        let edge = |raw: &RawEdge| Edge {
            dst: raw.dst,
            marks: raw.promises.iter().fold(all, |m, p| m & !(1 << set(p))),
            guard: class(raw.guard),
        };
        let states = self.edges.iter();
        Tgba {
            states: states
                .map(|edges| edges.iter().map(edge).collect())
                .collect(),
            init: 0,
            sets: self.promises.len() as u32,
            letters: alphabet.len(),
            state_based: false,
        }
    }
}
