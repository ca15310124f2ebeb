//! `--also-safety`: the program's own assertions and the backend's checks of memory and arithmetic,
//! in a run of their own, so that they neither mask the temporal verdict nor are masked by it.

use backend::{Backend, OtherFailure, OtherKind, Outcome, Selection};
use weave::check;
use weave::record::{Record, SiteRecord};

use crate::bounds;
use crate::result::{Finding, FindingKind, Safety, VerifyResult};
use crate::run::{advice, Run, Verification};

/// The checks of such a run.
const MASK: u32 = check::INTERNAL | check::PROGRAM;

/// The text before the site number in the program's own assertions.
const ASSERTION: &str = "baproduct:assertion:";

/// Runs the checks on a woven program and adds their findings to a result.
pub fn check(of: &Verification, result: &mut VerifyResult) {
    let record = of.record;
    let run = Run::new(of);
    let mut job = run.job(MASK);
    job.safety = true;
    job.selection = Selection::All;
    let finished = bounds::ask(&run, job, of.cancel);
    result.backend.runs += finished.usage.runs;
    result.backend.seconds += finished.usage.seconds;
    let mut safety = Safety {
        seconds: finished.usage.seconds,
        max_rss_kib: finished.usage.max_rss_kib,
        ..Safety::default()
    };
    match finished.result {
        Err(failure) => safety.reason = Some(advice(&failure)),
        Ok(answer) => {
            let own = answer.outcomes.iter();
            let fails = own.filter(|(_, outcome)| **outcome == Outcome::Fails);
            let asserted = fails.filter_map(|(text, _)| assertion(record, text));
            let checks = answer.other_failures.iter();
            let checks = checks.filter_map(|failure| checked(record, failure));
            let mut found: Vec<Finding> = asserted.chain(checks).collect();
            found.sort_by(|a, b| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)));
            found.dedup();
            let cut = answer
                .other_failures
                .iter()
                .find(|o| o.kind == OtherKind::Unwinding);
            safety.holds = match (found.is_empty(), cut) {
                (false, _) => Some(false),
                (true, Some(_)) => None,
                (true, None) if !answer.undecided.is_empty() => None,
                (true, None) => Some(true),
            };
            safety.reason = match safety.holds {
                None if cut.is_some() => {
                    Some("the backend cut a loop on its own; raise --unwind".into())
                }
                None => answer.undecided.values().next().cloned(),
                Some(_) => unchecked(of.backend, record),
            };
            for finding in found {
                if !result.findings.contains(&finding) {
                    result.findings.push(finding);
                }
            }
        }
    }
    result.safety = Some(safety);
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
