//! Searches for a run that violates the formula, at growing bounds, in parallel with the search for
//! a proof.
//!
//! Each bound examines two programs: one with cut runs and lassos, and one that discards runs
//! instead of cutting them, so that every run that is found has ended.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use weave::heads::Heads;
use weave::record::Record;

use super::bounds::Bounds;
use super::recurrence::Strategy;
use super::Limits;
use crate::levels::verify;
use crate::result::{Evidence, PropertyResult, Verdict, VerifyResult};
use crate::run::{Options, Verification};

/// A bound of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The bound of all loops.
    All(u32),
    /// The bound of all loops except innermost ones with a greater constant in their text.
    Outer(u32),
    /// The bound of the loops without a greater constant in their text.
    Others(u32),
}

/// The first bounds, before the search for violations without a repeated state.
pub const FIRST: [Bound; 8] = [
    Bound::All(1),
    Bound::All(2),
    Bound::All(3),
    Bound::Outer(2),
    Bound::All(5),
    Bound::Outer(4),
    Bound::Others(3),
    Bound::All(7),
];
/// The bounds after that search.
pub const LATER: [Bound; 14] = [
    Bound::All(10),
    Bound::Outer(10),
    Bound::Others(7),
    Bound::All(14),
    Bound::Outer(20),
    Bound::All(20),
    Bound::Others(20),
    Bound::All(30),
    Bound::All(45),
    Bound::All(70),
    Bound::All(100),
    Bound::Others(100),
    Bound::All(200),
    Bound::All(400),
];
/// The fraction of the remaining time that a search with bounds of single loops may take.
const PART: u32 = 4;

/// How many iterations of a run that goes on for ever are shown.
const BEGINNING: u32 = 3;

/// The input of the search.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The program with lassos, and its record.
    pub lasso: Option<(PathBuf, Record)>,
    /// The text of the program with heads, its record and heads.
    pub open: Option<(String, Record, Heads)>,
    /// The bounds of single loops.
    pub bounds: Bounds,
    /// A directory for files.
    pub directory: PathBuf,
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct Hunted {
    /// A run that violates the formula, or the last result without one.
    pub result: Option<VerifyResult>,
    /// `true` if the formula is refuted, `false` if a complete exploration proved it.
    pub decided: Option<bool>,
    /// The last bound.
    pub unwind: u32,
    /// Whether greater bounds give the same answer.
    pub exhausted: bool,
    /// The number of questions.
    pub asked: u32,
}

/// Whether a maximal run violates the formula (`true`), none does (`false`), or that is open.
fn decides(property: &PropertyResult) -> Option<bool> {
    let ended = property.answer.evidence == Some(Evidence::Ended);
    match property.answer.verdict {
        Verdict::FALSE => Some(true),
        Verdict::PRESUMABLY_FALSE if ended => Some(true),
        Verdict::PRESUMABLY_TRUE | Verdict::TRUE if property.answer.complete == Some(true) => {
            Some(false)
        }
        Verdict::TRUE => Some(false),
        _ => None,
    }
}

/// The same for a program whose every run has ended, whatever is known of cuts. Discarded runs may or may not satisfy the
/// formula.
fn decides_of_ended(property: &PropertyResult) -> Option<bool> {
    match property.answer.verdict {
        Verdict::PRESUMABLY_FALSE => Some(true),
        _ => decides(property).filter(|violated| *violated),
    }
}

/// Searches at these bounds until the formula is decided, the time is over or the search is
/// cancelled.
pub fn hunt(
    hunt: &Hunt,
    bounds: &[Bound],
    backend: &dyn Backend,
    options: &Options,
    limits: &Limits,
    cancel: &Cancel,
) -> Hunted {
    let mut out = Hunted::default();
    for &bound in bounds {
        let Some((unwind, single)) = hunt.bound(bound) else {
            continue;
        };
        let mut nothing_left = false;
        for ends in [false, true] {
            let left = limits
                .until
                .map(|u| u.saturating_duration_since(Instant::now()));
            let all_asked = limits.questions.is_some_and(|all| out.asked >= all);
            if cancel.is_cancelled() || all_asked || left.is_some_and(|l| l.is_zero()) {
                return out;
            }
            out.asked += 1;
            let patience = left.map(|l| if single.is_some() { l / PART } else { l });
            let limits = Limits {
                timeout: [patience, limits.timeout].into_iter().flatten().min(),
                ..limits.clone()
            };
            let asking = Asking {
                backend,
                options: limited(options, &limits, unwind),
                unwind,
                single: single.as_ref(),
                cancel,
            };
            let found = match ends {
                false => hunt.any(&asking),
                true => hunt.ended(&asking),
            };
            let Some(found) = found else { continue };
            let [property] = found.properties.as_slice() else {
                continue;
            };
            let decided = match ends {
                true => decides_of_ended(property),
                false => decides(property),
            };
            nothing_left |= !ends && property.answer.complete == Some(true);
            if decided.is_some()
                || (!ends && property.answer.verdict != Verdict::Unknown)
                || out.result.is_none()
            {
                out.unwind = unwind;
                out.result = Some(found);
            }
            if decided.is_some() {
                out.decided = decided;
                return out;
            }
        }
        if nothing_left {
            out.exhausted = true;
            break;
        }
    }
    out
}

/// Options for a bound within limits.
fn limited(options: &Options, limits: &Limits, unwind: u32) -> Options {
    Options {
        unwind: Some(unwind),
        timeout: limits.timeout,
        deadline: limits.until.map(|until| until + GRACE),
        memory_mib: limits.memory_mib,
        ..options.clone()
    }
}

/// The questions of a search at a bound.
struct Asking<'a> {
    backend: &'a dyn Backend,
    options: Options,
    /// The bound of all loops that have none of their own.
    unwind: u32,
    single: Option<&'a Bounds>,
    cancel: &'a Cancel,
}

impl Asking<'_> {
    fn verify(&self, record: &Record, source: &Path) -> VerifyResult {
        let single = self.single.map(|s| s.at_sites(record, self.unwind));
        let options = Options {
            bounds_at: single.unwrap_or_default(),
            ..self.options.clone()
        };
        let asked = Verification {
            record,
            source,
            backend: self.backend,
            options: &options,
            cancel: self.cancel,
        };
        verify(&asked, &|_| {})
    }
}

/// The time for showing a run when the limit is over: the answer stands without it.
const GRACE: Duration = Duration::from_secs(2);

/// The beginning of the run under an input strategy, if there is time to show it.
pub fn beginning(
    hunt: &Hunt,
    strategy: &Strategy,
    backend: &dyn Backend,
    options: &Options,
    limits: &Limits,
    cancel: &Cancel,
) -> Option<VerifyResult> {
    let (path, record) = hunt.lasso.as_ref()?;
    let text = std::fs::read_to_string(path).ok()?;
    let path = hunt.directory.join("beginning.c");
    std::fs::write(&path, strategy.applied(&text)).ok()?;
    let unwind = BEGINNING.max(strategy.first.len() as u32);
    let options = limited(options, limits, unwind);
    let asked = Verification {
        record,
        source: &path,
        backend,
        options: &options,
        cancel,
    };
    let mut found = verify(&asked, &|_| {});
    let [property] = found.properties.as_mut_slice() else {
        return None;
    };
    property.answer.verdict.is_violation().then_some(found)
}

impl Hunt {
    /// The bound of all loops, and those of single loops; `None` if the latter add nothing.
    fn bound(&self, bound: Bound) -> Option<(u32, Option<Bounds>)> {
        let (unwind, single) = match bound {
            Bound::All(unwind) => return Some((unwind, None)),
            Bound::Outer(unwind) => (unwind, self.bounds.of_innermost()),
            Bound::Others(_) if self.bounds.are_innermost() => return None,
            Bound::Others(unwind) => (unwind, self.bounds.clone()),
        };
        (!single.adds_nothing(unwind)).then_some((unwind, Some(single)))
    }

    /// Verifies all runs, cut at the bound.
    fn any(&self, asking: &Asking) -> Option<VerifyResult> {
        let (source, record) = self.lasso.as_ref()?;
        Some(asking.verify(record, source))
    }

    /// Verifies the runs that end within a bound.
    fn ended(&self, asking: &Asking) -> Option<VerifyResult> {
        let (text, record, heads) = self.open.as_ref()?;
        if !record.infix.is_empty() {
            return None;
        }
        // Recursions have bounds of their own; a run cut there has not ended either.
        let mut prologue = String::from("#define BA_AT_CUT() __CPROVER_assume(0)\n");
        for head in &heads.heads {
            let bound = match asking.single {
                Some(single) => single.at(record, head.site, asking.unwind),
                None => asking.unwind,
            };
            prologue += &format!("#define BA_HEAD_{}(ba_count) {{ if (++ba_count > {bound}) __CPROVER_assume(0); }}\n", head.site);
        }
        for local in &heads.static_locals {
            prologue += &format!("#define BA_STATIC_{}(ba_name)\n", local.number);
        }
        let path: &Path = &self.directory.join("ended.c");
        std::fs::write(path, prologue + text).ok()?;
        Some(asking.verify(record, path))
    }
}
