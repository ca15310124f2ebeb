//! From formulas to reduced automata of both polarities.

use crate::alphabet::Alphabet;
use crate::compose::{product, union};
use crate::guard::localise;
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::nnf::{Op, Store, F};
use crate::parts::{determinise_parts, worthwhile};
use crate::pool::{Pool, D};
use crate::simulation;
use crate::smallest::by_determinisation;
use crate::tableau::{Raw, Tableau};
use crate::tgba::Tgba;
use biodivine_lib_bdd::Bdd;
use ltl::{Arena, AtomId, Id};
use std::collections::HashMap;

/// The automata of a formula and of its negation, over common classes of letters.
#[derive(Clone)]
pub(crate) struct Translation {
    pub alphabet: Alphabet,
    /// Automata of the formula, the smallest first.
    pub positive: Vec<Tgba>,
    /// Automata of its negation, the smallest first.
    pub negative: Vec<Tgba>,
    /// Why one of the two lists is empty, if one is.
    pub error: TooLarge,
    /// The work left for further reductions.
    pub work: usize,
}

/// How many automata are tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Effort {
    /// One for each polarity, which suffices if it is determinised anyway.
    One,
    /// Several, from different equivalent formulas.
    Several,
}

/// Automata, before the classes of letters are known.
#[derive(Default)]
struct Raws {
    /// The automata of the whole formula, for each polarity.
    whole: [Vec<Raw>; 2],
    /// The parts of different kinds of which the formula is a conjunction (`true`) or a disjunction (`false`),
    /// if it is one.
    parts: Option<(bool, Vec<Part>)>,
    /// The first bound that was exceeded.
    error: Option<TooLarge>,
}

/// Some operands of a formula, joined by its root operator.
struct Part {
    kind: Kind,
    /// One automaton for each polarity.
    automata: [Raw; 2],
}

/// The kind of a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// It has a weak deterministic automaton.
    Obligation,
    /// Nothing is known.
    General,
    /// A word satisfies it exactly if every suffix does.
    Suspendable,
}

impl Translation {
    /// Translates both polarities of a formula without past and bounded operators, and reduces each automaton.
    pub(crate) fn of_future(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
        effort: Effort,
    ) -> Result<Translation, TooLarge> {
        let atoms = arena.atoms_of(root);
        let letters = localise(&letters_over(arena, &atoms, constraints, limits)?, &atoms);
        let mut pool = Pool::new();
        let raws = construct(arena, root, &atoms, &mut pool, limits, effort)?;
        finish(raws, &pool, &atoms, &letters, limits)
    }

    /// The smallest automaton of the formula.
    pub fn positive(&self) -> Result<&Tgba, TooLarge> {
        self.positive.first().ok_or(self.error)
    }

    /// The smallest automaton of its negation.
    pub fn negative(&self) -> Result<&Tgba, TooLarge> {
        self.negative.first().ok_or(self.error)
    }
}

/// The automata of the formula's variants; an error if a polarity has none.
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
    variants(arena, root, &mut store, pool, limits, effort, &mut raws)?;
    if store.has_split() && effort == Effort::Several {
        let mut store = Store::new(atoms.to_vec(), true, false);
        variants(arena, root, &mut store, pool, limits, effort, &mut raws)?;
    }
    if raws.whole.iter().all(Vec::is_empty) {
        // If simplification fails, the plain formula may succeed.
        let mut store = Store::new(atoms.to_vec(), false, false);
        variants(
            arena,
            root,
            &mut store,
            pool,
            limits,
            Effort::One,
            &mut raws,
        )?;
    }
    match raws.error {
        Some(error) if raws.whole.iter().all(Vec::is_empty) => Err(error),
        _ => Ok(raws),
    }
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
    let parts = match effort {
        Effort::One => None,
        Effort::Several => parts_of(store, positive),
    };
    let mut tableau = Tableau::new(store, pool, limits);
    for (f, polarity) in [positive, negative].into_iter().zip([0, 1]) {
        raws.add(polarity, tableau.build(f));
        let regrouped = tableau.store.regroup(f);
        if effort == Effort::Several && regrouped != f {
            raws.add(polarity, tableau.build(regrouped));
        }
        if effort == Effort::Several && worthwhile(tableau.store, f, limits) {
            match determinise_parts(&mut tableau, f) {
                Ok(determinised) if determinised != f => {
                    raws.add(polarity, tableau.build(determinised));
                }
                _ => {}
            }
        }
    }
    if let Some((conjunction, parts)) = parts {
        if let Some(parts) = build_parts(&mut tableau, parts) {
            raws.parts = Some((conjunction, parts));
        }
    }
    Ok(())
}

impl Raws {
    fn add(&mut self, polarity: usize, built: Result<Raw, TooLarge>) {
        match built {
            Ok(raw) => self.whole[polarity].push(raw),
            Err(error) => self.error = Some(error),
        }
    }
}

/// The operands of a conjunction (`true`) or disjunction (`false`) by kinds, if there are several kinds.
fn parts_of(store: &mut Store, root: F) -> Option<(bool, Vec<(Kind, F)>)> {
    let (conjunction, operands) = match store.op(root) {
        Op::And(all) => (true, all.to_vec()),
        Op::Or(all) => (false, all.to_vec()),
        _ => return None,
    };
    let mut groups: [(Kind, Vec<F>); 3] =
        [Kind::Obligation, Kind::General, Kind::Suspendable].map(|kind| (kind, Vec::new()));
    for f in operands {
        let traits = store.traits(f);
        let group = match () {
            () if traits.obligation => 0,
            () if traits.suspendable() => 2,
            () => 1,
        };
        groups[group].1.push(f);
    }
    let mut parts = Vec::new();
    for (kind, group) in groups.into_iter().filter(|(_, group)| !group.is_empty()) {
        let joined = if conjunction {
            store.plain_and(group)
        } else {
            store.plain_or(group)
        };
        parts.push((kind, joined));
    }
    (parts.len() > 1).then_some((conjunction, parts))
}

fn build_parts(tableau: &mut Tableau<'_>, parts: Vec<(Kind, F)>) -> Option<Vec<Part>> {
    let mut built = Vec::new();
    for (kind, f) in parts {
        let negation = tableau.store.negate(f);
        let automata = [tableau.build(f).ok()?, tableau.build(negation).ok()?];
        built.push(Part { kind, automata });
    }
    Some(built)
}

/// The reduced automata over common classes of letters.
fn finish(
    raws: Raws,
    pool: &Pool,
    atoms: &[AtomId],
    letters: &Bdd,
    limits: &Limits,
) -> Result<Translation, TooLarge> {
    let parts = raws.parts.iter().flat_map(|(_, parts)| parts);
    let all = raws.whole.iter().flatten();
    let all = all.chain(parts.flat_map(|part| &part.automata));
    let mut guards: Vec<D> = all.flat_map(Raw::guards).collect();
    guards.sort_unstable();
    guards.dedup();
    let diagrams: Vec<&Bdd> = guards.iter().map(|&d| pool.bdd(d)).collect();
    let (alphabet, members) = Alphabet::new(atoms, &diagrams, letters, limits)?;
    let classes: HashMap<D, _> = guards.into_iter().zip(members).collect();
    let mut work = limits.work / 2;
    let mut reduced = |raw: &Raw| {
        let mut automaton = raw.finish(&alphabet, |d| classes[&d].clone());
        simulation::reduce_fully(&mut automaton, &mut work);
        automaton
    };
    let mut automata = raws
        .whole
        .each_ref()
        .map(|raws| -> Vec<Tgba> { raws.iter().map(&mut reduced).collect() });
    if let Some((conjunction, parts)) = &raws.parts {
        let parts: Vec<(Kind, [Tgba; 2])> = parts
            .iter()
            .map(|part| (part.kind, part.automata.each_ref().map(&mut reduced)))
            .collect();
        let composed = [
            compose(*conjunction, &parts, 0, &mut work),
            compose(!*conjunction, &parts, 1, &mut work),
        ];
        for (automata, composed) in automata.iter_mut().zip(composed) {
            automata.extend(composed);
        }
    }
    let [positive, negative] = automata.map(|mut automata| {
        automata.sort_by_key(|a| (a.states.len(), a.sets, a.edges()));
        automata.dedup();
        automata
    });
    // Not read if both lists have automata.
    let none = TooLarge {
        what: "states",
        limit: limits.states,
    };
    Ok(Translation {
        alphabet,
        positive,
        negative,
        error: raws.error.unwrap_or(none),
        work,
    })
}

/// The automaton of a conjunction or disjunction of parts, each given in both polarities.
fn compose(
    conjunction: bool,
    parts: &[(Kind, [Tgba; 2])],
    polarity: usize,
    work: &mut usize,
) -> Option<Tgba> {
    let mut whole: Option<Tgba> = None;
    for (kind, automata) in parts {
        let (this, other) = (&automata[polarity], &automata[1 - polarity]);
        let mut part = this.clone();
        if *kind == Kind::Obligation {
            if let Some(mut weak) = by_determinisation(this, other) {
                weak.state_based = false;
                weak.trim();
                part = weak;
            }
        }
        whole = Some(match whole {
            None => part,
            Some(left) if conjunction => product(&left, &part, *kind == Kind::Suspendable)?,
            Some(left) => union(&left, &part)?,
        });
    }
    let mut whole = whole?;
    simulation::reduce_fully(&mut whole, work);
    Some(whole)
}
