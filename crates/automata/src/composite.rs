//! Monitors of formulas with independent parts: one monitor for each part, and their joint verdict and class.
//!
//! The four-valued verdict of such a formula is the least or greatest of its parts' verdicts. Let φ and ψ be
//! independent and w a word. Some continuation satisfies φ && ψ exactly if some continuation satisfies φ and
//! some, perhaps another one, satisfies ψ: the two constrain different propositions. Every continuation
//! satisfies both exactly if every continuation satisfies each. And the stuttering continuation satisfies both
//! exactly if it satisfies each. So the monitor of a requirement list `G(r1 -> F a1) && … && G(r20 -> F a20)`
//! is twenty monitors of two states, not one of a million.

use crate::class::{Class, Verdicts, Words};
use crate::classify::classify_with;
use crate::limits::{Limits, TooLarge};
use crate::monitor::Monitor;
use crate::product;
use crate::shape::{divided, Shape};
use ltl::lasso::Letter;
use ltl::{Arena, Id, B4};
use std::collections::BTreeSet;

/// The deterministic monitors of a formula's independent parts, and how their verdicts combine.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The monitors, each exact and minimal, in their shape.
    pub shape: Shape<Monitor>,
}

impl Composite {
    /// The monitors of a formula over the letters that satisfy all of `constraints`.
    ///
    /// # Errors
    /// As [`Monitor::for_formula`], for the first part with an error.
    pub fn for_formula(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Composite, TooLarge> {
        let (arena, parts) = divided(arena, root, constraints);
        let mut of = |part| Monitor::for_formula(&arena, part, constraints, limits);
        Ok(Composite {
            shape: parts.try_map(&mut of)?,
        })
    }

    /// An upper bound of the states of a single equivalent monitor.
    pub fn product_states(&self) -> usize {
        product::most_states(&self.shape)
    }

    /// The verdict of each non-empty prefix of a word, shortest first.
    pub fn verdicts_of_prefixes(&self, word: &[Letter]) -> Vec<B4> {
        let run = |monitor: &Monitor| {
            let mut state = monitor.initial();
            let step = |letter: &Letter| {
                state = monitor.next(state, letter);
                monitor.verdict(state, letter)
            };
            word.iter().map(step).collect::<Vec<B4>>()
        };
        let each: Vec<Vec<B4>> = self.shape.parts().into_iter().map(run).collect();
        let at = |position: usize| {
            let mut parts = each.iter();
            self.shape
                .verdict(&mut |_| parts.next().map_or(B4::False, |v| v[position]))
        };
        (0..word.len()).map(at).collect()
    }

    /// The verdict of a word; `None` for the empty word.
    pub fn verdict_of_word(&self, word: &[Letter]) -> Option<B4> {
        self.verdicts_of_prefixes(word).pop()
    }
}

/// The facts about a part, or about joined parts, from which the class of the whole follows.
struct Kind {
    verdicts: Verdicts,
    /// For each state, whether ⊥ and whether ⊤ is reachable from it.
    fates: BTreeSet<(bool, bool)>,
    safety: Option<bool>,
    co_safety: Option<bool>,
}

impl Kind {
    fn joined(kinds: &[Kind], conjunction: bool) -> Kind {
        let absorbing = if conjunction { B4::False } else { B4::True };
        if kinds.iter().any(|kind| kind.verdicts.is_only(absorbing)) {
            return Kind {
                verdicts: [absorbing].into_iter().collect(),
                fates: BTreeSet::from([(conjunction, !conjunction)]),
                safety: Some(true),
                co_safety: Some(true),
            };
        }
        // A part that always holds (in a conjunction), or never (in a disjunction), does not change the whole.
        let kinds = kinds
            .iter()
            .filter(|kind| !kind.verdicts.is_only(!absorbing));
        let start = Kind {
            verdicts: [!absorbing].into_iter().collect(),
            fates: BTreeSet::from([(!conjunction, conjunction)]),
            safety: Some(true),
            co_safety: Some(true),
        };
        kinds.fold(start, |all, kind| all.join(kind, conjunction))
    }

    fn join(&self, other: &Kind, conjunction: bool) -> Kind {
        let extreme = |a: B4, b: B4| if conjunction { a.min(b) } else { a.max(b) };
        let pairs = self.verdicts.iter();
        let pairs = pairs.flat_map(|a| other.verdicts.iter().map(move |b| (a, b)));
        let fates = self.fates.iter();
        let fates = fates.flat_map(|a| other.fates.iter().map(move |b| (*a, *b)));
        let all = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        Kind {
            verdicts: pairs.map(|(a, b)| extreme(a, b)).collect(),
            fates: fates
                .map(|(a, b)| match conjunction {
                    true => (a.0 || b.0, a.1 && b.1),
                    false => (a.0 && b.0, a.1 || b.1),
                })
                .collect(),
            safety: all(self.safety, other.safety),
            co_safety: all(self.co_safety, other.co_safety),
        }
    }

    fn of(shape: &Shape<Kind>) -> Kind {
        let all = |shapes: &[Shape<Kind>], conjunction| {
            let kinds: Vec<Kind> = shapes.iter().map(Kind::of).collect();
            Kind::joined(&kinds, conjunction)
        };
        match shape {
            Shape::Part(kind) => Kind {
                verdicts: kind.verdicts,
                fates: kind.fates.clone(),
                ..*kind
            },
            Shape::Least(shapes) => all(shapes, true),
            Shape::Greatest(shapes) => all(shapes, false),
        }
    }
}

/// For each state, whether ⊥ and whether ⊤ is reachable from it.
fn fates(monitor: &Monitor) -> BTreeSet<(bool, bool)> {
    let reaches = |value: B4| {
        let mut found: Vec<bool> = monitor
            .states()
            .map(|state| monitor.certain(state) == Some(value))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for state in monitor.states().rev() {
                let mut next = monitor.transitions(state).iter();
                if !found[state.index()] && next.any(|(_, target)| found[target.index()]) {
                    found[state.index()] = true;
                    changed = true;
                }
            }
        }
        found
    };
    let (bottom, top) = (reaches(B4::False), reaches(B4::True));
    bottom.into_iter().zip(top).collect()
}

/// The class of a formula, from those of its independent parts. What finite words can tell follows from the
/// parts only if repeating a letter changes no verdict, so that words of one length have all combinations of
/// verdicts; otherwise it stays open.
pub fn classify_composite(
    composite: &Composite,
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Class {
    let (arena, parts) = divided(arena, root, constraints);
    let mut monitors = composite.shape.parts().into_iter();
    let mut next_free = true;
    let mut kind = |part: Id| {
        let monitor = monitors.next().ok_or(())?;
        next_free &= monitor.absorbs_stuttering();
        let class = classify_with(Some(monitor), &arena, part, constraints, limits);
        Ok::<Kind, ()>(Kind {
            verdicts: monitor.verdicts(),
            fates: fates(monitor),
            safety: class.safety,
            co_safety: class.co_safety,
        })
    };
    let Ok(shape) = parts.try_map(&mut kind) else {
        return classify_with(None, &arena, root, constraints, limits);
    };
    let whole = Kind::of(&shape);
    Class {
        safety: whole.safety,
        co_safety: whole.co_safety,
        stutter_invariant: next_free.then_some(true),
        words: next_free.then(|| Words {
            verdicts: whole.verdicts,
            unrestricted: constraints.is_empty().then_some(whole.verdicts),
            monitorable: whole.fates.iter().all(|&(bottom, top)| bottom || top),
            horizon: None,
        }),
    }
}
