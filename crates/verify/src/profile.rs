//! What makes the formula of a verification large: it is built again with one thing smaller at a time, and
//! never solved.

use backend::{Failure, Size};
use weave::record::Record;

use crate::run::{Options, Run, Verification, LEVELS};

/// A loop or a recursion that is followed up to a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Its number in the record.
    pub number: usize,
    /// File and line.
    pub place: String,
    /// The function that it belongs to.
    pub function: String,
    /// What `--unwindset` calls it.
    pub name: String,
    /// How many iterations are followed.
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

/// How large the formula of a woven program is that asks for all levels at once. `smaller` is followed one
/// iteration less than it is.
///
/// # Errors
/// Why the backend has no answer.
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
