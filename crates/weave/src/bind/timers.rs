//! What measures time, and counts letters, for the formulas of a specification: the timers that some formula needs, and
//! the clock in the program.

use ltl::timed::{Measure, Timer};
use ltl::{Arena, AtomId};
use spec::{Diagnostic, Spec};

use crate::bind::condition::Given;
use crate::bind::expression::{Leaf, Piece};
use crate::bind::propositions::Proposition;
use crate::bind::remembered::{self, Remembered};

/// The timers of the formulas.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    /// The timers, each behind those whose propositions it reads.
    pub timers: Vec<Timer>,
    /// The arena of their formulas.
    pub arena: Arena,
    /// The atoms of the propositions.
    pub atoms: Vec<AtomId>,
    /// The proposition that reads the clock, if one of them measures time.
    pub clock: Option<usize>,
    /// Whether a formula asks for the value of that proposition, too.
    pub clock_is_asked: bool,
    /// The values that formulas remember.
    pub remembered: Vec<Remembered>,
}

impl Timers {
    /// The timers that the formulas of a specification need.
    ///
    /// # Errors
    /// A clock that is no integer.
    pub(crate) fn of(
        spec: &Spec,
        propositions: &[Proposition],
        given: &[Given],
    ) -> Result<Timers, Box<Diagnostic>> {
        let roots = spec.properties.iter();
        let atoms: Vec<AtomId> = roots.flat_map(|p| spec.atoms_behind(p.root)).collect();
        let needed = |timer: &&Timer| timer.outputs.iter().any(|output| atoms.contains(output));
        let timers: Vec<Timer> = spec.machine.timers.iter().filter(needed).cloned().collect();
        let remembered = remembered::of(spec, given);
        if timers.is_empty() && remembered.is_empty() {
            return Ok(Timers::default());
        }
        let mut out = Timers {
            arena: spec.arena.clone(),
            atoms: spec.propositions.iter().map(|p| p.atom).collect(),
            clock: None,
            clock_is_asked: false,
            timers,
            remembered,
        };
        let measures = out.timers.iter().any(|t| t.measure == Measure::Ticks);
        let clock = spec.machine.clock.as_ref().filter(|_| measures);
        let Some(clock) = clock else { return Ok(out) };
        let at = out.atoms.iter().position(|atom| *atom == clock.atom);
        out.clock = at;
        let roots = spec.properties.iter().map(|p| p.root);
        let constraints = spec.alphabet.iter().map(|f| f.root);
        let operands = out.timers.iter().flat_map(|timer| timer.rule.operands());
        let mut all = roots.chain(constraints).chain(operands);
        out.clock_is_asked = all.any(|id| spec.arena.atoms_of(id).contains(&clock.atom));
        match at.and_then(|p| propositions.get(p)).map(is_counter) {
            Some(true) => Ok(out),
            _ => {
                let title = format!("the clock `{}` is no integer of the program", clock.name);
                let error = Diagnostic::error(title, clock.name.span());
                Err(Box::new(error.help(
                    "a clock is a variable at file scope, or a member of one, that counts ticks",
                )))
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.timers.is_empty() && self.remembered.is_empty()
    }

    /// Whether a timer gives the value of a proposition.
    pub fn give(&self, proposition: usize) -> bool {
        let atom = self.atoms.get(proposition);
        let timed = |atom: &AtomId| self.timers.iter().any(|timer| timer.outputs.contains(atom));
        let mut chosen = self.remembered.iter();
        atom.is_some_and(timed) || chosen.any(|r| r.proposition == proposition)
    }

    /// The remembered values that a proposition reads.
    pub fn read_by(&self, proposition: usize) -> impl Iterator<Item = &Remembered> {
        let all = self.remembered.iter();
        all.filter(move |r| r.compared.contains(&proposition))
    }

    /// The proposition of an atom.
    pub fn proposition(&self, atom: AtomId) -> Option<usize> {
        self.atoms.iter().position(|known| *known == atom)
    }

    /// The greatest time that one of them tells from others.
    pub fn longest(&self) -> u32 {
        let timers = self.timers.iter();
        timers.map(|t| t.rule.longest()).max().unwrap_or(0)
    }
}

/// Whether a proposition reads just one integer, which lives as long as the program.
fn is_counter(proposition: &Proposition) -> bool {
    let integer = |leaf: &Leaf| {
        let ty = leaf.value_type.as_deref().unwrap_or("float");
        let other = ["float", "double", "_Bool", "void"];
        !ty.contains('*') && !ty.split_whitespace().any(|word| other.contains(&word))
    };
    let leaves = proposition.evaluation.iter();
    let leaves = leaves.filter_map(|piece| match piece {
        Piece::Leaf(leaf) => Some(leaf),
        Piece::Text(_) => None,
    });
    let leaves: Vec<&Leaf> = leaves.collect();
    matches!(leaves.as_slice(), [only] if integer(only)) && proposition.functions.is_empty()
}
