//! What a verdict may rest on besides the program's text.

use super::decided;
use verify::result::{Assumed, PropertyResult, RestKind, Verdict, VerifyResult};

/// The assumptions that cannot influence the formulas, in one sentence.
pub fn irrelevant_assumptions(result: &VerifyResult) -> Option<String> {
    // Another note lists the calls that the model leaves out.
    let left_out = |a: &&Assumed| !a.assumption.starts_with("calls without effect");
    let rests = result.premises.rests_on.iter();
    let irrelevant = rests.filter(|a| a.matters == Some(false)).filter(left_out);
    without_influence(irrelevant.map(|a| (a.kind, a.about.as_str(), a.places.as_slice())))
}

/// What cannot influence the formulas, in one sentence; `None` if there is nothing.
pub fn without_influence<'a>(
    all: impl Iterator<Item = (Option<RestKind>, &'a str, &'a [String])>,
) -> Option<String> {
    let all: Vec<String> = all
        .map(|(kind, about, places)| subject(kind, about, places))
        .collect();
    (!all.is_empty()).then(|| {
        format!(
            "without influence on what the formulas speak of, and on where runs go: {}",
            all.join(", ")
        )
    })
}

/// What the machine may do otherwise than the model, where this can decide the verdict; `None` if
/// there is nothing of that kind. Some run that violates a formula stays one where the model leaves
/// others out, so such a verdict does not rest on allocation.
pub fn rests(property: &PropertyResult, result: &VerifyResult) -> Option<String> {
    let all = [RestKind::Allocation, RestKind::Narrow, RestKind::Order];
    let violated = decided(property) == Some(false) || property.answer.verdict.is_violation();
    let kinds = match (violated, property.answer.verdict, decided(property)) {
        (true, ..) => &all[1..],
        (false, Verdict::Unknown, None) => return None,
        (false, ..) => &all[..],
    };
    let mut told: Vec<String> = Vec::new();
    for one in &result.premises.rests_on {
        let relevant = one.matters == Some(true) && !property.answer.observed;
        if relevant && one.kind.is_some_and(|kind| kinds.contains(&kind)) {
            told.push(rest(one.kind, &one.about, &one.places));
        }
    }
    (!told.is_empty()).then(|| format!("may rest on: {}", told.join("; ")))
}

/// Something that a verdict may rest on besides the program's text, with its places.
pub fn rest(kind: Option<RestKind>, about: &str, places: &[String]) -> String {
    match kind {
        Some(RestKind::Outside) => placed(
            &format!("what `{about}` gives or stores, which has no body here"),
            places,
        ),
        Some(RestKind::Allocation) => placed(&format!("that `{about}` never fails"), places),
        _ => subject(kind, about, places),
    }
}

/// The name of something that a verdict could have rested on, with its places.
fn subject(kind: Option<RestKind>, about: &str, places: &[String]) -> String {
    let what = match kind {
        Some(RestKind::Narrow) => "numbers that were pointers".to_owned(),
        Some(RestKind::Order) => format!("the order in which `{about}` is evaluated"),
        None if about.is_empty() => return format!("what is at {}", places.join(", ")),
        None | Some(RestKind::Outside | RestKind::Allocation) => format!("`{about}`"),
    };
    placed(&what, places)
}

fn placed(what: &str, places: &[String]) -> String {
    match places.is_empty() {
        true => what.to_owned(),
        false => format!("{what} ({})", places.join(", ")),
    }
}
