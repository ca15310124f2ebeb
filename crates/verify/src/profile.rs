//! Finds what makes the formula of a verification large: builds it again with one bound smaller at
//! a time, and never solves it.

use backend::{Failure, Size};
use weave::record::Record;

use crate::run::{Options, Run, Verification, LEVELS};

/// A loop or a recursion with its bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Its index in the record.
    pub number: usize,
    /// File and line.
    pub place: String,
    /// The function that it belongs to.
    pub function: String,
    /// Its name for `--unwindset`.
    pub name: String,
    /// The number of iterations that are followed.
    pub bound: u32,
}

/// The loops and recursions of a woven program, with their bounds under these options.
pub fn followed(record: &Record, options: &Options) -> Vec<Followed> {
    let general = options.unwind.unwrap_or(record.unwind);
    let bounds = record.bounds.iter().enumerate();
    let all = bounds.map(|(number, b)| {
        let name = b.label.as_ref().unwrap_or(&b.function);
        let given = options.unwindset.get(name).copied();
        Followed {
            number,
            place: b.place.clone(),
            function: b.function.clone(),
            name: name.clone(),
            bound: given.or(b.value).unwrap_or(general),
        }
    });
    all.collect()
}

/// The size of the formula for all levels of a woven program. The loop `smaller` gets a bound of
/// one iteration less.
///
/// # Errors
/// If the backend has no answer.
pub fn size(of: &Verification, smaller: Option<&Followed>) -> Result<Size, Failure> {
    let run = Run::new(of);
    let mut job = run.job(LEVELS.iter().fold(0, |mask, (_, bit)| mask | bit));
    if let Some(one) = smaller {
        let name = run.named(&of.record.bounds[one.number].name);
        job.defines.retain(|(known, _)| *known != name);
        let bound = one.bound.saturating_sub(1);
        job.defines.push((name, bound.to_string()));
    }
    of.backend.size(&job, of.cancel)
}
