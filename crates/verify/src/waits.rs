//! Reports of the models of threads and synchronisation besides the verdict: deadlocks and misuse
//! of locks.

use weave::assertion::Asserted;
use weave::record::{Record, SiteEvent, SiteRecord};

use crate::combine::Answers;
use crate::result::{
    Event, Evidence, Finding, FindingKind, PropertyResult, Threads, TraceStep, Verdict,
};

/// The text of the assertion that no deadlock has a property's level.
pub(crate) fn deadlock_assertion(property: &str, level: Verdict) -> String {
    Asserted::DeadlockOf(property, level.name()).to_string()
}

/// Marks the properties whose verdict some deadlock has.
pub(crate) fn mark(properties: &mut [PropertyResult], answers: &Answers) {
    for property in properties {
        let text = deadlock_assertion(&property.asked.name, property.answer.verdict);
        property.answer.deadlock = answers.outcome(&text) == Some(true);
        if property.answer.deadlock && property.answer.verdict == Verdict::PRESUMABLY_FALSE {
            // A deadlock cuts no thread.
            property.answer.evidence = Some(Evidence::Ended);
        }
    }
}

/// The findings about misuse, each with its place.
pub(crate) fn misuse(record: &Record, answers: &Answers) -> Vec<Finding> {
    let sites = record.sites.iter().enumerate();
    sites
        .filter(|(number, _)| answers.fails(Asserted::Use(*number)))
        .map(|(_, site)| Finding {
            kind: FindingKind::Misuse,
            message: format!("`{}` {}", site.what, complaint(&site.what)),
            file: Some(site.file.clone()),
            line: Some(site.line),
            function: Some(site.function.clone()),
        })
        .collect()
}

/// The misuse in words, from the name of the called function.
fn complaint(call: &str) -> &'static str {
    let name = call.split('(').next().unwrap_or(call).trim_end();
    match name.rsplit('_').next().unwrap_or(name) {
        "destroy" => "while it is in use",
        "unlock" => "in a thread that does not hold it",
        "wait" | "timedwait" | "clockwait" => "in a thread that does not hold the mutex",
        _ => "in the thread that holds it already: it waits for itself",
    }
}

/// The finding that some run is a deadlock, with what its threads wait for if a run is known.
pub fn deadlock(steps: &[TraceStep], threads: &Threads) -> Finding {
    let told = crate::holders::sentences(steps, threads);
    let what = match crate::holders::endless_loop(steps) {
        Some(_) => "some run never leaves a loop",
        None => "some run ends in a deadlock",
    };
    let message = match told.is_empty() {
        true => what.to_string(),
        false => format!("{what}: {}", told.join("; ")),
    };
    let first = steps.iter().find(|s| s.event == Event::Blocked);
    Finding {
        kind: FindingKind::Deadlock,
        message,
        file: first.map(|s| s.file.clone()),
        line: first.map(|s| s.line),
        function: first.map(|s| s.function.clone()),
    }
}

/// Whether a site is a place where a thread may block.
pub(crate) fn is_wait(site: &SiteRecord) -> bool {
    site.event == SiteEvent::Wait
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_use_is_told_by_the_call() {
        for (call, words) in [
            ("pthread_mutex_unlock(&m)", "does not hold it"),
            ("mtx_lock (&m)", "waits for itself"),
            (
                "pthread_cond_timedwait(&c, &m, &t)",
                "does not hold the mutex",
            ),
            ("pthread_rwlock_destroy(&l)", "in use"),
        ] {
            assert!(complaint(call).contains(words), "{call}");
        }
    }
}
