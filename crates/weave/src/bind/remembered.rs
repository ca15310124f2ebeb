//! Values that formulas remember.

use ltl::Id;
use spec::Spec;

use crate::bind::condition::Given;

/// A value that formulas remember at one letter of a run.
#[derive(Clone, Debug)]
pub struct Remembered {
    /// Its name in formulas.
    pub name: String,
    /// The variable with the value.
    pub variable: String,
    /// The variable that tells whether there is one.
    pub taken: String,
    /// The C type of the value.
    pub ty: String,
    /// The proposition that it is remembered at this letter.
    pub proposition: usize,
    /// The proposition that reads the program's value.
    pub read: usize,
    /// The propositional formula without which it is not remembered.
    pub guard: Id,
    /// The propositions that read it.
    pub compared: Vec<usize>,
    /// Whether some formula with it tells repeated letters from single ones.
    pub counts: bool,
}

/// The variable with the remembered value of a number.
pub(crate) fn variable(number: usize) -> String {
    format!("ba_let_{number}")
}

/// The variable that tells whether it is remembered.
pub(crate) fn taken(number: usize) -> String {
    format!("ba_let_taken_{number}")
}

/// The remembered values that the formulas of a specification need.
pub(super) fn of(spec: &Spec, given: &[Given]) -> Vec<Remembered> {
    let roots = spec.properties.iter();
    let atoms: Vec<ltl::AtomId> = roots.flat_map(|p| spec.atoms_behind(p.root)).collect();
    let at = |atom| spec.propositions.iter().position(|p| p.atom == atom);
    let all = spec.machine.remembered.iter().enumerate();
    let needed = all.filter(|(_, r)| atoms.contains(&r.atom));
    let bound = needed.filter_map(|(number, r)| {
        Some(Remembered {
            name: r.name.clone(),
            variable: variable(number),
            taken: taken(number),
            ty: given.get(number)?.ty.clone(),
            proposition: at(r.atom)?,
            read: at(r.read)?,
            guard: r.guard,
            compared: r.compared.iter().filter_map(|atom| at(*atom)).collect(),
            counts: r.counts,
        })
    });
    bound.collect()
}
