//! `--also-safety`: the program's own assertions and the backend's checks of memory and arithmetic,
//! in a run of their own, so that they neither mask the temporal verdict nor are masked by it.

use backend::{Answer, Backend, OtherFailure, OtherKind, Outcome, Selection};
use weave::check;
use weave::record::{Record, SiteEvent, SiteRecord};

use crate::bounds;
use crate::result::{Finding, FindingKind, Safety, VerifyResult};
use crate::run::{advice, Run, Verification};

/// The checks of such a run.
const MASK: u32 = check::INTERNAL | check::PROGRAM;

/// The text before the site number in the program's own assertions.
const ASSERTION: &str = "baproduct:assertion:";

/// What a run of the checks shows.
#[derive(Debug, Default)]
pub struct Checked {
    /// The answer.
    pub safety: Safety,
    /// The checks that fail.
    findings: Vec<Finding>,
    /// The number of the backend's runs.
    runs: u32,
}

impl Checked {
    /// Adds the answer and the findings to a result.
    pub fn add_to(self, result: &mut VerifyResult) {
        self.add_costs(result);
        for finding in self.findings {
            if !result.findings.contains(&finding) {
                result.findings.push(finding);
            }
        }
        result.safety = Some(self.safety);
    }

    /// The answer together with that for the assertions alone, possibly of more rounds. The latter stands where all checks
    /// have no answer, or where an assertion fails.
    pub fn or_of_assertions(mut self, assertions: Checked) -> Checked {
        self.runs += assertions.runs;
        self.safety.seconds += assertions.safety.seconds;
        self.safety.max_rss_kib = self.safety.max_rss_kib.max(assertions.safety.max_rss_kib);
        if self.safety.holds.is_none() || assertions.safety.holds == Some(false) {
            self.findings = assertions.findings;
            self.safety.assertions = assertions.safety.holds;
            self.safety.holds = assertions.safety.holds.filter(|holds| !holds);
        }
        self
    }

    /// Adds the time that the checks took to a result.
    pub fn add_costs(&self, result: &mut VerifyResult) {
        result.backend.runs += self.runs;
        result.backend.seconds += self.safety.seconds;
    }
}

/// Which checks a run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// The program's own assertions. Where threads share memory that is allocated, they may take a tenth of the time
    /// of all checks, because pointers are not checked.
    Assertions,
    /// The program's own assertions, and the backend's checks of memory and arithmetic.
    All,
}

/// Whether a program has assertions of its own.
pub fn asserts(record: &Record) -> bool {
    record.sites.iter().any(|s| s.event == SiteEvent::Fail)
}

/// Runs the checks on a woven program.
pub fn check(of: &Verification, checks: Checks) -> Checked {
    let record = of.record;
    let run = Run::new(of);
    let mut job = run.job(MASK);
    job.safety = checks == Checks::All;
    job.selection = Selection::All;
    let finished = bounds::ask(&run, job, of.cancel);
    let mut checked = Checked {
        safety: Safety {
            seconds: finished.usage.seconds,
            max_rss_kib: finished.usage.max_rss_kib,
            ..Safety::default()
        },
        runs: finished.usage.runs,
        ..Checked::default()
    };
    match finished.result {
        Err(failure) => checked.safety.reason = Some(advice(&failure)),
        Ok(answer) => {
            checked.findings = failing(record, &answer);
            let any = !checked.findings.is_empty();
            (checked.safety.holds, checked.safety.reason) = holds(of, &answer, any);
        }
    }
    checked
}

/// The failing checks of an answer, in the order of their places.
fn failing(record: &Record, answer: &Answer) -> Vec<Finding> {
    let own = answer.outcomes.iter();
    let fails = own.filter(|(_, outcome)| **outcome == Outcome::Fails);
    let asserted = fails.filter_map(|(text, _)| assertion(record, text));
    let checks = answer.other_failures.iter();
    let checks = checks.filter_map(|failure| checked(record, failure));
    let mut found: Vec<Finding> = asserted.chain(checks).collect();
    found.sort_by(|a, b| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)));
    found.dedup();
    found
}

/// Whether no check fails, and why there is no answer, or what was not checked.
fn holds(of: &Verification, answer: &Answer, fails: bool) -> (Option<bool>, Option<String>) {
    let mut others = answer.other_failures.iter();
    let cut = others.any(|o| o.kind == OtherKind::Unwinding);
    let undecided = answer.rest.as_ref().or(answer.undecided.values().next());
    match (fails, cut, undecided) {
        (true, _, Some(why)) => {
            let why = format!("further checks were not decided: {why}");
            (Some(false), Some(why))
        }
        (true, _, None) => (Some(false), unchecked(of.backend, of.record)),
        (false, true, _) => {
            let why = "the backend cut a loop on its own; raise --unwind";
            (None, Some(why.into()))
        }
        (false, false, Some(why)) => (None, Some(why.clone())),
        (false, false, None) => (Some(true), unchecked(of.backend, of.record)),
    }
}

/// The checks that a backend cannot do for this program.
fn unchecked(backend: &dyn Backend, record: &Record) -> Option<String> {
    let all = backend.capabilities().checks_pointers_of_threads;
    (!all && record.threads).then(|| {
        let name = backend.program().kind.name().to_uppercase();
        format!("pointers were not checked: {name} has no sound checks of them for programs with threads")
    })
}

/// The finding of a failing assertion of the program.
fn assertion(record: &Record, text: &str) -> Option<Finding> {
    let number: usize = text.strip_prefix(ASSERTION)?.parse().ok()?;
    let site = record.sites.get(number)?;
    Some(Finding {
        kind: FindingKind::Assertion,
        message: format!("the program's assertion {} fails", condition(site)),
        file: Some(site.file.clone()),
        line: Some(site.line),
        function: Some(site.function.clone()),
    })
}

/// The condition of an assertion: the text that its expansion passes on.
fn condition(site: &SiteRecord) -> String {
    let text = site.what.split_once('"').and_then(|(_, rest)| {
        let mut escaped = false;
        let end = rest.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        end.map(|end| &rest[..end])
    });
    format!("`{}`", text.unwrap_or(&site.what).replace("\\\"", "\""))
}

/// The finding of a failing backend check in the program itself, not in an emitted function.
fn checked(record: &Record, failure: &OtherFailure) -> Option<Finding> {
    let emitted = format!("ba_{}", record.infix);
    let function = failure.location.function.clone();
    let own = function.as_deref().is_some_and(|f| f.starts_with(&emitted));
    (failure.kind == OtherKind::Program && !own).then(|| Finding {
        kind: match failure.id.contains("assertion") {
            true => FindingKind::Assertion,
            false => FindingKind::Check,
        },
        message: failure.text.clone(),
        file: failure.location.file.clone(),
        line: failure.location.line,
        function,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_of_an_assertion_is_what_the_user_wrote() {
        for (what, condition_text) in [
            (
                "__assert_fail (\"x == 1\", \"a.c\", 3, __func__)",
                "`x == 1`",
            ),
            (
                "__assert_fail (\"s[0] == \\\"a\\\"\", \"a.c\")",
                "`s[0] == \"a\"`",
            ),
            ("__assert_perror_fail(e, …", "`__assert_perror_fail(e, …`"),
        ] {
            let site = SiteRecord {
                file: "a.c".into(),
                line: 1,
                function: "f".into(),
                event: weave::record::SiteEvent::Fail,
                what: what.into(),
                decided: None,
            };
            assert_eq!(condition(&site), condition_text);
        }
    }
}
