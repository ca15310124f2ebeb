//! Proofs about a program that has more runs than the one that was asked about.

use super::combine::add;
use crate::result::{Holds, VerifyResult};

/// Takes the proofs of a program with all runs of the program and more. Nothing else of it counts: a run that violates a
/// formula may be none of the program, and only becomes a part of the reason why there is no answer, as `rests` says it.
/// `why` says what the further runs are, as the premise of the proofs.
pub fn widened(result: &mut VerifyResult, wide: VerifyResult, why: &str, rests: &str) {
    let VerifyResult {
        properties,
        premises,
        backend,
        ..
    } = wide;
    let mut any = false;
    for found in properties {
        let mut open = result.properties.iter_mut();
        let open =
            open.find(|p| p.asked.name == found.asked.name && p.answer.holds == Holds::Unknown);
        let Some(open) = open else {
            continue;
        };
        match found.answer.holds {
            Holds::Proved => {
                let tried = std::mem::take(&mut open.answer.tried);
                *open = found;
                add(&mut open.answer.tried, tried);
                any = true;
            }
            Holds::Refuted => open.answer.reason = Some(rests.to_owned()),
            _ => {}
        }
    }
    result.backend.runs += backend.runs;
    result.backend.seconds += backend.seconds;
    if any {
        add(&mut result.premises.assumptions, premises.assumptions);
        add(&mut result.premises.rests_on, premises.rests_on);
        add(&mut result.premises.assumptions, vec![why.to_owned()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{PropertyResult, Verdict};

    fn result(all: &[(&str, Holds)]) -> VerifyResult {
        let property = |(name, holds): &(&str, Holds)| {
            let mut property = PropertyResult::default();
            property.asked.name = (*name).to_owned();
            property.answer.holds = *holds;
            property.answer.verdict = match holds {
                Holds::Proved => Verdict::PRESUMABLY_TRUE,
                Holds::Refuted => Verdict::FALSE,
                _ => Verdict::Unknown,
            };
            property
        };
        VerifyResult {
            properties: all.iter().map(property).collect(),
            ..VerifyResult::default()
        }
    }

    #[test]
    fn only_proofs_count() {
        let all = [
            ("a", Holds::Unknown),
            ("b", Holds::Unknown),
            ("c", Holds::Refuted),
        ];
        let mut known = result(&all);
        let wide = [
            ("a", Holds::Proved),
            ("b", Holds::Refuted),
            ("c", Holds::Refuted),
        ];
        widened(&mut known, result(&wide), "more runs", "it may be none");
        let holds: Vec<Holds> = known.properties.iter().map(|p| p.answer.holds).collect();
        assert_eq!(holds, [Holds::Proved, Holds::Unknown, Holds::Refuted]);
        let open = &known.properties[1].answer;
        assert_eq!(open.verdict, Verdict::Unknown);
        assert_eq!(open.reason.as_deref(), Some("it may be none"));
        assert_eq!(known.premises.assumptions, ["more runs"]);
    }
}
