//! From formulas to reduced automata.

use crate::alphabet::Alphabet;
use crate::guard::{constant, variable};
use crate::limits::{Limits, TooLarge};
use crate::nnf::Store;
use crate::pool::{Pool, D};
use crate::simulation;
use crate::tableau::{Raw, Tableau};
use crate::tgba::Tgba;
use biodivine_lib_bdd::Bdd;
use ltl::{Arena, AtomId, Id, Node};
use std::collections::HashMap;

/// The automata of a formula and of its negation, over common classes of letters.
pub(crate) struct Translation {
    pub alphabet: Alphabet,
    pub positive: Tgba,
    pub negative: Tgba,
}

impl Translation {
    /// Translates both polarities and reduces each.
    pub fn new(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Translation, TooLarge> {
        let mut atoms = arena.atoms_of(root);
        for &constraint in constraints {
            atoms.extend(arena.atoms_of(constraint));
        }
        atoms.sort_unstable();
        atoms.dedup();
        let mut letters = constant(true);
        for &constraint in constraints {
            letters = letters.and(&allowed(arena, constraint, &atoms, limits)?);
        }
        // Where simplification does not end well, the plain formula may.
        Translation::with(arena, root, &atoms, &letters, limits, true)
            .or_else(|_| Translation::with(arena, root, &atoms, &letters, limits, false))
    }

    fn with(
        arena: &Arena,
        root: Id,
        atoms: &[AtomId],
        letters: &Bdd,
        limits: &Limits,
        simplify: bool,
    ) -> Result<Translation, TooLarge> {
        let mut store = Store::new(atoms.to_vec(), simplify);
        let positive = store.convert(arena, root, limits)?;
        let negative = store.negate(positive);
        let mut pool = Pool::new();
        let mut tableau = Tableau::new(&mut store, &mut pool, limits);
        let raws = [tableau.build(positive)?, tableau.build(negative)?];
        let (alphabet, [positive, negative]) = finish(&raws, &pool, atoms, letters, limits)?;
        Ok(Translation {
            alphabet,
            positive,
            negative,
        })
    }
}

/// The reduced automata over common classes of letters.
fn finish<const N: usize>(
    raws: &[Raw; N],
    pool: &Pool,
    atoms: &[AtomId],
    letters: &Bdd,
    limits: &Limits,
) -> Result<(Alphabet, [Tgba; N]), TooLarge> {
    let mut guards: Vec<D> = raws.iter().flat_map(Raw::guards).collect();
    guards.sort_unstable();
    guards.dedup();
    let diagrams: Vec<&Bdd> = guards.iter().map(|&d| pool.bdd(d)).collect();
    let (alphabet, members) = Alphabet::new(atoms, &diagrams, letters, limits)?;
    let classes: HashMap<D, _> = guards.into_iter().zip(members).collect();
    let automata = std::array::from_fn(|i| {
        let mut automaton = raws[i].finish(&alphabet, |d| classes[&d].clone());
        simulation::reduce_fully(&mut automaton);
        automaton
    });
    Ok((alphabet, automata))
}

/// The letters that satisfy a propositional formula, over the indices of the propositions.
///
/// # Errors
/// If the formula has a temporal operator.
pub(crate) fn allowed(
    arena: &Arena,
    root: Id,
    atoms: &[AtomId],
    limits: &Limits,
) -> Result<Bdd, TooLarge> {
    let order = arena.postorder(root);
    Limits::check("subformulas", order.len(), limits.subformulas)?;
    let mut known: HashMap<Id, Bdd> = HashMap::with_capacity(order.len());
    let mut work = 0;
    for id in order {
        let of = |id: &Id| &known[id];
        let bdd = match arena.node(id) {
            Node::True => constant(true),
            Node::False => constant(false),
            Node::Atom(atom) => {
                let index = atoms.binary_search(atom).unwrap_or(usize::MAX);
                let most = usize::from(crate::guard::VARIABLES) / 2;
                Limits::check("propositions", index, most)?;
                variable(index as u16, true)
            }
            Node::Not(a) => of(a).not(),
            Node::And(all) => all.iter().fold(constant(true), |d, a| d.and(of(a))),
            Node::Or(all) => all.iter().fold(constant(false), |d, a| d.or(of(a))),
            Node::Implies(a, b) => of(a).imp(of(b)),
            Node::Iff(a, b) => of(a).iff(of(b)),
            _ => {
                return Err(TooLarge {
                    what: "temporal operators in a constraint on letters",
                    limit: 0,
                })
            }
        };
        work += bdd.size();
        Limits::check("nodes of decision diagrams", work, limits.work)?;
        known.insert(id, bdd);
    }
    Ok(known.remove(&root).unwrap_or_else(|| constant(true)))
}

pub fn debug(arena: &Arena, root: Id) -> String {
    use std::fmt::Write;
    let t = Translation::new(arena, root, &[], &Limits::default()).unwrap();
    let mut s = String::new();
    let mut show = |name: &str, a: &Tgba| {
        let _ = writeln!(s, "{name} sets {}", a.sets);
        for (q, e) in a.all_edges() {
            let _ = writeln!(s, "  {q} -> {} marks {:b} {}", e.dst, e.marks, t.alphabet.guard(&e.guard).display(arena));
        }
    };
    show("pos", &t.positive);
    show("neg", &t.negative);
    show("ba", &crate::smallest::smallest(&t.positive, &t.negative));
    show("bn", &crate::smallest::smallest(&t.negative, &t.positive));
    let mut store = Store::new(arena.atoms_of(root), true);
    let f = store.convert(arena, root, &Limits::default()).unwrap();
    let _ = writeln!(s, "{}", show_f(&store, f));
    let f = store.negate(f);
    let _ = writeln!(s, "{}", show_f(&store, f));
    s
}
pub(crate) fn show_f(store: &Store, f: crate::nnf::F) -> String {
    use crate::nnf::Op::*;
    let s = |g: &crate::nnf::F| show_f(store, *g);
    match store.op(f) {
        True => "1".into(), False => "0".into(),
        Literal(a, v) => format!("{}{a}", if *v {"p"} else {"!p"}),
        And(all) => format!("({})", all.iter().map(s).collect::<Vec<_>>().join(" & ")),
        Or(all) => format!("({})", all.iter().map(s).collect::<Vec<_>>().join(" | ")),
        Next(a) => format!("X{}", s(a)), Finally(a) => format!("F{}", s(a)), Globally(a) => format!("G{}", s(a)),
        Until(a, b) => format!("({} U {})", s(a), s(b)), Release(a, b) => format!("({} R {})", s(a), s(b)),
        Weak(a, b) => format!("({} W {})", s(a), s(b)), Strong(a, b) => format!("({} M {})", s(a), s(b)),
    }
}
