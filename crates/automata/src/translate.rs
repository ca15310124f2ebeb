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
    /// Automata of the formula, the smallest first, at least one.
    pub positive: Vec<Tgba>,
    /// Automata of its negation, the smallest first, at least one.
    pub negative: Vec<Tgba>,
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// One automaton for each polarity: enough where it is determinised anyway.
    One,
    /// Several, from different equivalent formulas.
    Several,
}

/// Automata without classes of letters, for each polarity.
type Raws = [Vec<Raw>; 2];

impl Translation {
    /// Translates both polarities and reduces each automaton.
    pub fn new(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
        effort: Effort,
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
        let mut pool = Pool::new();
        let raws = construct(arena, root, &atoms, &mut pool, limits, effort)?;
        finish(raws, &pool, &atoms, &letters, limits)
    }
}

/// The automata of the formula's variants.
fn construct(
    arena: &Arena,
    root: Id,
    atoms: &[AtomId],
    pool: &mut Pool,
    limits: &Limits,
    effort: Effort,
) -> Result<Raws, TooLarge> {
    let mut raws = Raws::default();
    let mut store = Store::new(atoms.to_vec(), true, true);
    let first = variants(arena, root, &mut store, pool, limits, effort, &mut raws);
    let splits = store.has_split();
    if let Err(error) = first {
        // Where simplification does not end well, the plain formula may.
        raws = Raws::default();
        let mut store = Store::new(atoms.to_vec(), false, false);
        variants(arena, root, &mut store, pool, limits, Effort::One, &mut raws)
            .map_err(|_| error)?;
    } else if splits && effort == Effort::Several {
        let mut store = Store::new(atoms.to_vec(), true, false);
        // These only add to what there is.
        let _ = variants(arena, root, &mut store, pool, limits, effort, &mut raws);
    }
    Ok(raws)
}

/// Adds the automata of the formula as this store simplifies it.
fn variants(
    arena: &Arena,
    root: Id,
    store: &mut Store,
    pool: &mut Pool,
    limits: &Limits,
    effort: Effort,
    raws: &mut Raws,
) -> Result<(), TooLarge> {
    let positive = store.convert(arena, root, limits)?;
    let negative = store.negate(positive);
    let mut tableau = Tableau::new(store, pool, limits);
    for (f, raws) in [positive, negative].into_iter().zip(raws) {
        raws.push(tableau.build(f)?);
        let regrouped = tableau.store.regroup(f);
        if effort == Effort::Several && regrouped != f {
            raws.extend(tableau.build(regrouped));
        }
    }
    Ok(())
}

/// The reduced automata over common classes of letters.
fn finish(
    raws: Raws,
    pool: &Pool,
    atoms: &[AtomId],
    letters: &Bdd,
    limits: &Limits,
) -> Result<Translation, TooLarge> {
    let mut guards: Vec<D> = raws.iter().flatten().flat_map(Raw::guards).collect();
    guards.sort_unstable();
    guards.dedup();
    let diagrams: Vec<&Bdd> = guards.iter().map(|&d| pool.bdd(d)).collect();
    let (alphabet, members) = Alphabet::new(atoms, &diagrams, letters, limits)?;
    let classes: HashMap<D, _> = guards.into_iter().zip(members).collect();
    let [positive, negative] = raws.map(|raws| {
        let automata = raws.iter().map(|raw| {
            let mut automaton = raw.finish(&alphabet, |d| classes[&d].clone());
            simulation::reduce_fully(&mut automaton);
            automaton
        });
        let mut automata: Vec<Tgba> = automata.collect();
        automata.sort_by_key(|a| (a.states.len(), a.sets, a.edges()));
        automata.dedup();
        automata
    });
    Ok(Translation {
        alphabet,
        positive,
        negative,
    })
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
    let t = Translation::new(arena, root, &[], &Limits::default(), Effort::Several).unwrap();
    let mut s = String::new();
    let mut show = |name: &str, a: &Tgba| {
        let _ = writeln!(s, "{name} sets {}", a.sets);
        for (q, e) in a.all_edges() {
            let _ = writeln!(s, "  {q} -> {} marks {:b} {}", e.dst, e.marks, t.alphabet.guard(&e.guard).display(arena));
        }
    };
    for a in &t.positive { show("pos", a); }
    for a in &t.negative { show("neg", a); }
    show("ba", &crate::smallest::smallest(&t.positive, &t.negative));
    show("bn", &crate::smallest::smallest(&t.negative, &t.positive));
    let mut store = Store::new(arena.atoms_of(root), true, true);
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
