//! The undefined behaviour of the run that a result shows.

use verify::result::{PropertyResult, Undefined, VerifyResult};

/// Says that every run with the verdict has undefined behaviour, or perhaps has, and where the
/// shown run does; `None` if some run has none, or if this was not checked.
pub fn undefined(property: &PropertyResult) -> Option<String> {
    let parts = behaviour(property, false)?;
    Some(match property.run.defined {
        Some(false) => format!("rests on undefined behaviour: every run with this verdict does something that C gives no meaning; this one: {parts}"),
        // An entry without a place is no event of a run, but a check without an answer.
        _ if property.run.undefined.iter().all(|u| u.line.is_none()) => {
            format!("perhaps rests on undefined behaviour: {parts}")
        }
        _ => format!("perhaps rests on undefined behaviour: some run does this, and whether this one does is not known: {parts}"),
    })
}

/// Says which undefined behaviour the shown run has after the step that decides; `None` if it has
/// none. The verdict does not rest on it, so this is no doubt about the verdict.
pub fn afterwards(property: &PropertyResult) -> Option<String> {
    let parts = behaviour(property, true)?;
    Some(format!(
        "after the violation, which does not rest on it, the run does something that C gives no meaning: {parts}"
    ))
}

/// The undefined behaviour of the shown run up to the step that decides, or after it.
fn behaviour(property: &PropertyResult, after: bool) -> Option<String> {
    let part = |u: &Undefined| {
        let file = u.file.as_deref().map(|f| f.rsplit('/').next().unwrap_or(f));
        let line = u.line.map(|line| format!(":{line}"));
        match file {
            Some(file) => format!("{} ({file}{})", u.what, line.unwrap_or_default()),
            None => u.what.clone(),
        }
    };
    let parts = property.run.undefined.iter().filter(|u| u.after == after);
    let parts: Vec<String> = parts.map(part).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Says how far it was checked that a violation does not rest on undefined behaviour, where no check gave an answer, and why;
/// `None` if it was checked, or if no run has a place in the program.
pub fn unchecked(property: &PropertyResult, result: &VerifyResult) -> Option<String> {
    let asked = property.run.defined.is_some() || !property.run.undefined.is_empty();
    let searched = result.backend.name != "native" && !property.asked.reach;
    if asked || !searched || !property.answer.verdict.is_violation() {
        return None;
    }
    let proof = property.answer.proof.as_ref();
    if proof.is_some_and(|p| p.explored.is_some()) {
        return Some(EXECUTED.to_string());
    }
    let why = match property.run.trace.is_empty() {
        true => "no run of it is shown",
        false => "its checks gave no answer",
    };
    Some(format!(
        "not checked whether a run with this verdict does something undefined, because {why}"
    ))
}

/// What is known of a run that the search of all states has executed.
const EXECUTED: &str = "executed: on the way no signed number overflows, none is divided by zero, no index lies outside of its array, \
     and no null pointer is followed; accesses through pointers past their objects would go unnoticed";
