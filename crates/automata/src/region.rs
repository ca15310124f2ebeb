//! The search for the cheapest nested conditions that compute a function of the state and the letter on the
//! pairs that can occur.

use crate::bits::Bits;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use crate::monitor::StateId;
use ltl::AtomId;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// The outcome in a state for the letters of a region.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Entry<R, O> {
    pub state: StateId,
    pub region: R,
    pub outcome: O,
}

/// Nested conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree<L> {
    Leaf(L),
    Atom {
        atom: AtomId,
        then: Box<Tree<L>>,
        els: Box<Tree<L>>,
    },
    State {
        cases: Vec<(StateId, Tree<L>)>,
        otherwise: Box<Tree<L>>,
    },
}

/// The cost of one read, scaled so that averages are integers.
const READ: u64 = 1 << 20;
/// The most propositions for which truth tables are used.
const TABLE: usize = 10;
/// The number of subproblems up to which all orders are tried.
const EXHAUSTIVE: usize = 6_000;
/// The most nodes of nested conditions.
const MAX_NODES: usize = 20_000;
/// The greatest depth of nested conditions, which bounds the recursion.
const MAX_DEPTH: usize = 300;

/// Sets of letters that the search can split.
trait Region: Clone + Eq + Hash {
    /// The letters with this value of the `index`-th proposition.
    fn with(&self, columns: &[Columns<Self>], index: usize, value: bool) -> Self;
    fn is_empty(&self) -> bool;
}

/// What can stand where a search ends.
pub(crate) trait Fits<O> {
    /// What stands there.
    type Leaf: Clone + PartialEq;

    /// What has all of these outcomes, if there is something.
    fn fits<'o>(&self, outcomes: impl Iterator<Item = &'o O> + Clone) -> Option<Self::Leaf>
    where
        O: 'o;

    /// Its cost in reads.
    fn cost(&self, leaf: &Self::Leaf) -> u64;
}

/// The letters in which a proposition holds, and those in which it fails.
struct Columns<R> {
    holds: R,
    fails: R,
}

impl Region for Bits {
    fn with(&self, columns: &[Columns<Self>], index: usize, value: bool) -> Self {
        let column = &columns[index];
        self.intersection(if value { &column.holds } else { &column.fails })
    }

    fn is_empty(&self) -> bool {
        Bits::is_empty(self)
    }
}

impl Region for Guard {
    fn with(&self, columns: &[Columns<Self>], index: usize, value: bool) -> Self {
        let column = &columns[index];
        self.and(if value { &column.holds } else { &column.fails })
    }

    fn is_empty(&self) -> bool {
        self.is_false()
    }
}

/// A question over places of propositions, and how many there are.
type Question<O> = (usize, Problem<Bits, O>);

/// The conditions that were found for questions before, over places of propositions: formulas of one shape ask the same.
pub(crate) struct Found<O, L> {
    of: HashMap<Question<O>, Result<Tree<L>, TooLarge>>,
    /// The number of entries of all questions.
    size: usize,
}

impl<O, L> Default for Found<O, L> {
    fn default() -> Self {
        Found {
            of: HashMap::new(),
            size: 0,
        }
    }
}

/// The most entries of remembered questions; some tens of megabytes.
const MOST: usize = 300_000;

/// The cheapest conditions found. All questions of a memory have the same `fits`.
pub(crate) fn search<O: Clone + Eq + Hash, F: Fits<O>>(
    entries: Vec<Entry<Guard, O>>,
    alphabet: &Guard,
    fits: &F,
    found: &Mutex<Found<O, F::Leaf>>,
) -> Result<Tree<F::Leaf>, TooLarge> {
    let mut atoms: Vec<AtomId> = entries.iter().flat_map(|e| e.region.support()).collect();
    atoms.extend(alphabet.support());
    atoms.sort_unstable();
    atoms.dedup();
    if atoms.len() <= TABLE {
        let entries = entries.into_iter().map(|e| Entry {
            region: minterms(&e.region, &atoms),
            state: e.state,
            outcome: e.outcome,
        });
        let question = (atoms.len(), entries.collect::<Vec<_>>());
        let known = memory(found).of.get(&question).cloned();
        let tree = known.unwrap_or_else(|| {
            let places: Vec<AtomId> = (0..atoms.len() as u32).map(AtomId).collect();
            let columns = (0..atoms.len()).map(|place| table_columns(place, 1 << atoms.len()));
            let tree = Search::new(&places, columns.collect(), fits).run(&question.1);
            let mut found = memory(found);
            if found.size + question.1.len() > MOST {
                *found = Found::default();
            }
            found.size += question.1.len();
            found.of.insert(question, tree.clone());
            tree
        });
        return Ok(tree?.named(&atoms));
    }
    let literal = |atom: AtomId, value| Guard::literal(atom, value).unwrap_or_else(Guard::top);
    let columns = atoms.iter().map(|&atom| Columns {
        holds: literal(atom, true),
        fails: literal(atom, false),
    });
    let columns = columns.collect();
    Search::new(&atoms, columns, fits).run(&entries)
}

fn memory<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing is done while it is locked that could leave it half done.
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<L> Tree<L> {
    /// The tree with propositions in their places.
    fn named(self, atoms: &[AtomId]) -> Tree<L> {
        let boxed = |tree: Box<Tree<L>>| Box::new(tree.named(atoms));
        match self {
            Tree::Leaf(leaf) => Tree::Leaf(leaf),
            Tree::Atom { atom, then, els } => Tree::Atom {
                atom: atoms[atom.0 as usize],
                then: boxed(then),
                els: boxed(els),
            },
            Tree::State { cases, otherwise } => Tree::State {
                cases: cases
                    .into_iter()
                    .map(|(state, tree)| (state, tree.named(atoms)))
                    .collect(),
                otherwise: boxed(otherwise),
            },
        }
    }
}

fn table_columns(variable: usize, size: usize) -> Columns<Bits> {
    let mut holds = Bits::empty(size);
    for minterm in (0..size).filter(|m| m >> variable & 1 == 1) {
        holds.insert(minterm);
    }
    let mut fails = Bits::full(size);
    fails.subtract(&holds);
    Columns { holds, fails }
}

/// The truth table of a guard over these propositions.
fn minterms(guard: &Guard, atoms: &[AtomId]) -> Bits {
    let mut table = Bits::empty(1 << atoms.len());
    for minterm in 0..1usize << atoms.len() {
        let holds = |atom: AtomId| {
            atoms
                .binary_search(&atom)
                .is_ok_and(|i| minterm >> i & 1 == 1)
        };
        if guard.eval(holds) {
            table.insert(minterm);
        }
    }
    table
}

type Problem<R, O> = Vec<Entry<R, O>>;

/// A test that splits a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Test {
    Atom(usize),
    State,
}

/// A test, and what it splits a problem into.
struct Split<R, O> {
    test: Test,
    parts: Vec<Problem<R, O>>,
}

struct Search<'a, R, O, F> {
    atoms: &'a [AtomId],
    columns: Vec<Columns<R>>,
    fits: &'a F,
    known: HashMap<Problem<R, O>, (u64, Option<Test>)>,
    nodes: usize,
}

impl<'a, R, O, F> Search<'a, R, O, F>
where
    R: Region,
    O: Clone + Eq + Hash,
    F: Fits<O>,
{
    fn new(atoms: &'a [AtomId], columns: Vec<Columns<R>>, fits: &'a F) -> Self {
        Search {
            atoms,
            columns,
            fits,
            known: HashMap::new(),
            nodes: 0,
        }
    }

    fn leaf(&self, problem: &[Entry<R, O>]) -> Option<F::Leaf> {
        self.fits.fits(problem.iter().map(|entry| &entry.outcome))
    }

    fn run(mut self, problem: &Problem<R, O>) -> Result<Tree<F::Leaf>, TooLarge> {
        self.build(problem, 0)
    }

    /// The conditions for a problem.
    fn build(&mut self, problem: &Problem<R, O>, depth: usize) -> Result<Tree<F::Leaf>, TooLarge> {
        self.nodes += 1;
        Limits::check("nested conditions in a step", self.nodes, MAX_NODES)?;
        Limits::check("nested conditions in a step", depth, MAX_DEPTH)?;
        if let Some(leaf) = self.leaf(problem) {
            return Ok(Tree::Leaf(leaf));
        }
        let test = match self.solve(problem, depth) {
            (_, Some(test)) => test,
            // Entries that no test separates contradict each other, which is impossible for a function.
            (_, None) => {
                return Err(TooLarge {
                    what: "outcomes of one step",
                    limit: 1,
                })
            }
        };
        match test {
            Test::Atom(index) => {
                let [els, then] = self.divide(problem, index);
                let then = self.build(&then, depth + 1)?;
                let els = self.build(&els, depth + 1)?;
                if then == els {
                    return Ok(then);
                }
                Ok(Tree::Atom {
                    atom: self.atoms[index],
                    then: Box::new(then),
                    els: Box::new(els),
                })
            }
            Test::State => {
                let mut rest = Vec::new();
                for part in by_state(problem) {
                    rest.push((part[0].state, self.build(&part, depth + 1)?));
                }
                let first = rest.swap_remove(0);
                Ok(cases_tree(first, rest))
            }
        }
    }

    /// The least cost found, and the first test; no test if a leaf fits.
    fn solve(&mut self, problem: &Problem<R, O>, depth: usize) -> (u64, Option<Test>) {
        if let Some(leaf) = self.leaf(problem) {
            return (self.fits.cost(&leaf) * READ, None);
        }
        if let Some(&known) = self.known.get(problem) {
            return known;
        }
        let mut best = (u64::MAX, None);
        let mut tests = self.tests(problem);
        let exhausted = self.known.len() > EXHAUSTIVE || self.atoms.len() > TABLE;
        if exhausted || depth >= MAX_DEPTH {
            // The test with the most leaves; of equally good ones the first.
            tests.sort_by_cached_key(|split| std::cmp::Reverse(self.leaves_after(&split.parts)));
            tests.truncate(1);
        }
        if exhausted {
            best = (2 * READ, tests.first().map(|split| split.test));
        } else {
            for Split { test, parts } in tests {
                let cost = READ + self.cost_after(&parts, depth);
                if cost < best.0 {
                    best = (cost, Some(test));
                }
            }
        }
        self.known.insert(problem.clone(), best);
        best
    }

    /// The tests that split the problem. Propositions come first, since the first of equally cheap tests is
    /// taken.
    fn tests(&self, problem: &Problem<R, O>) -> Vec<Split<R, O>> {
        let divided = (0..self.atoms.len()).map(|index| Split {
            test: Test::Atom(index),
            parts: self.divide(problem, index).into(),
        });
        let mut tests: Vec<Split<R, O>> = divided
            .filter(|split| split.parts.iter().all(|part| !part.is_empty()))
            .collect();
        if problem.iter().any(|e| e.state != problem[0].state) {
            tests.push(Split {
                test: Test::State,
                parts: by_state(problem),
            });
        }
        tests
    }

    /// The average cost of the parts.
    fn cost_after(&mut self, parts: &[Problem<R, O>], depth: usize) -> u64 {
        let count = parts.len() as u64;
        let total: u64 = parts.iter().map(|part| self.solve(part, depth + 1).0).sum();
        total / count.max(1)
    }

    fn leaves_after(&self, parts: &[Problem<R, O>]) -> usize {
        let leaves = parts.iter().filter(|part| self.leaf(part).is_some());
        leaves.count() * 1000 / parts.len().max(1)
    }

    /// The entries where the proposition fails, and where it holds.
    fn divide(&self, problem: &Problem<R, O>, index: usize) -> [Problem<R, O>; 2] {
        [false, true].map(|value| {
            let entries = problem.iter().filter_map(|entry| {
                let region = entry.region.with(&self.columns, index, value);
                (!region.is_empty()).then(|| Entry {
                    state: entry.state,
                    region,
                    outcome: entry.outcome.clone(),
                })
            });
            entries.collect()
        })
    }
}

/// The entries of each state, in the order in which the states come.
fn by_state<R: Region, O: Clone>(problem: &[Entry<R, O>]) -> Vec<Problem<R, O>> {
    let mut parts: Vec<Problem<R, O>> = Vec::new();
    let mut places: HashMap<StateId, usize> = HashMap::new();
    for entry in problem {
        let place = *places.entry(entry.state).or_insert(parts.len());
        match parts.get_mut(place) {
            Some(part) => part.push(entry.clone()),
            None => parts.push(vec![entry.clone()]),
        }
    }
    parts
}

/// A branch on the state, with the most frequent tree as the default.
fn cases_tree<L: Clone + PartialEq>(
    first: (StateId, Tree<L>),
    rest: Vec<(StateId, Tree<L>)>,
) -> Tree<L> {
    let mut cases = rest;
    // The different trees, and how many states have each: of equally many the first state's, then the others in order.
    let mut counts: Vec<(usize, &Tree<L>)> = Vec::new();
    for (_, tree) in std::iter::once(&first).chain(&cases) {
        match counts.iter_mut().find(|(_, known)| *known == tree) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, tree)),
        }
    }
    let most = counts.iter().map(|(count, _)| *count).max();
    let frequent = counts.iter().find(|(count, _)| Some(*count) == most);
    let otherwise = frequent.map_or_else(|| first.1.clone(), |(_, tree)| (*tree).clone());
    cases.push(first);
    cases.retain(|(_, tree)| *tree != otherwise);
    if cases.is_empty() {
        return otherwise;
    }
    cases.sort_by_key(|(state, _)| *state);
    Tree::State {
        cases,
        otherwise: Box::new(otherwise),
    }
}
