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

use super::recurrence::Strategy;
use super::Limits;
use crate::levels::verify;
use crate::result::{Evidence, PropertyResult, Verdict, VerifyResult};
use crate::run::{Options, Verification};

/// The first bounds, before the search for violations without a repeated state.
pub const FIRST: [u32; 5] = [1, 2, 3, 5, 7];
/// The bounds after that search.
pub const LATER: [u32; 9] = [10, 14, 20, 30, 45, 70, 100, 200, 400];

/// How many iterations of a run that goes on for ever are shown.
const BEGINNING: u32 = 3;

/// The beginning of the definition of the function that cuts a run.
const CUT: &str = "static void ba_cut(unsigned ba_site) {";

/// The input of the search.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The program with lassos, and its record.
    pub lasso: Option<(PathBuf, Record)>,
    /// The text of the program with heads, its record and heads.
    pub open: Option<(String, Record, Heads)>,
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

/// Searches at these bounds until the formula is decided, the time is over or the search is
/// cancelled.
pub fn hunt(
    hunt: &Hunt,
    bounds: &[u32],
    backend: &dyn Backend,
    options: &Options,
    limits: &Limits,
    cancel: &Cancel,
) -> Hunted {
    let mut out = Hunted::default();
    for &unwind in bounds {
        let mut nothing_left = false;
        for ends in [false, true] {
            let left = limits
                .until
                .map(|u| u.saturating_duration_since(Instant::now()));
            if cancel.is_cancelled() || left.is_some_and(|l| l.is_zero()) {
                return out;
            }
            let options = Options {
                unwind: Some(unwind),
                timeout: [left, limits.timeout].into_iter().flatten().min(),
                deadline: limits.until.map(|until| until + GRACE),
                memory_mib: limits.memory_mib,
                ..options.clone()
            };
            let found = match ends {
                false => hunt.lasso.as_ref().map(|(source, record)| {
                    let asked = Verification {
                        record,
                        source,
                        backend,
                        options: &options,
                        cancel,
                    };
                    verify(&asked, &|_| {})
                }),
                true => hunt.ended(backend, &options, unwind, cancel),
            };
            let Some(found) = found else { continue };
            let [property] = found.properties.as_slice() else {
                continue;
            };
            let decided = match (ends, decides(property)) {
                // Discarded runs may or may not satisfy the formula.
                (true, Some(false)) => None,
                // Every run of this program has ended, whatever is known of cuts.
                (true, _) if property.answer.verdict == Verdict::PRESUMABLY_FALSE => Some(true),
                (_, decided) => decided,
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
    let options = Options {
        unwind: Some(BEGINNING.max(strategy.first.len() as u32)),
        timeout: limits.timeout,
        deadline: limits.until.map(|until| until + GRACE),
        memory_mib: limits.memory_mib,
        ..options.clone()
    };
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
    /// Verifies the runs that end within a bound.
    fn ended(
        &self,
        backend: &dyn Backend,
        options: &Options,
        unwind: u32,
        cancel: &Cancel,
    ) -> Option<VerifyResult> {
        let (text, record, heads) = self.open.as_ref()?;
        if !record.infix.is_empty() {
            return None;
        }
        // Recursions have bounds of their own; a run cut there has not ended either.
        let text = text.replacen(CUT, &format!("{CUT} __CPROVER_assume(0);"), 1);
        let mut prologue = String::new();
        for head in &heads.heads {
            prologue += &format!("#define BA_HEAD_{}(ba_count) {{ if (++ba_count > {unwind}) __CPROVER_assume(0); }}\n", head.site);
        }
        for local in &heads.static_locals {
            prologue += &format!("#define BA_STATIC_{}(ba_name)\n", local.number);
        }
        let path: &Path = &self.directory.join("ended.c");
        std::fs::write(path, prologue + &text).ok()?;
        let asked = Verification {
            record,
            source: path,
            backend,
            options,
            cancel,
        };
        Some(verify(&asked, &|_| {}))
    }
}
