//! Answers in time: smaller bounds come first, so that there is an answer when the time is over.

use std::time::{Duration, Instant};

use forms::Listener;
use verify::groups;
use verify::result::{AtBound, PropertyResult, VerifyResult};

/// The bounds on the way to `unwind`, each twice the one before.
pub fn rungs(unwind: u32) -> Vec<u32> {
    let powers = std::iter::successors(Some(1u32), |k| k.checked_mul(2));
    let below = powers.take_while(|k| *k < unwind);
    below.chain([unwind]).collect()
}

/// Verifies at growing bounds up to `unwind`, until everything is decided or the time of the
/// options is over. `at` verifies at one bound.
///
/// # Errors
/// The error of `at`.
pub fn climb(
    unwind: u32,
    options: &verify::Options,
    output: &dyn Listener,
    at: &mut dyn FnMut(&verify::Options) -> anyhow::Result<VerifyResult>,
) -> anyhow::Result<VerifyResult> {
    let mut known: Option<VerifyResult> = None;
    for unwind in rungs(unwind) {
        if known.is_some() && is_over(options) {
            break;
        }
        let begin = Instant::now();
        let result = at(&verify::Options {
            unwind: Some(unwind),
            ..options.clone()
        })?;
        let known = match &mut known {
            Some(known) => {
                groups::deepen(known, result, unwind);
                known
            }
            None => known.insert(first(result, unwind)),
        };
        told(known, unwind, begin.elapsed(), options, output);
        if known.properties.iter().all(PropertyResult::is_decided) {
            break;
        }
    }
    known.ok_or_else(|| anyhow::anyhow!("no bound was tried"))
}

/// Turns a result into the first of several at growing bounds.
pub fn first(mut result: VerifyResult, unwind: u32) -> VerifyResult {
    for property in &mut result.properties {
        let verdict = property.answer.verdict;
        property.answer.unwind = Some(unwind);
        property.answer.bounds = vec![AtBound { unwind, verdict }];
    }
    result
}

/// Whether the deadline of the options has passed.
pub fn is_over(options: &verify::Options) -> bool {
    options.deadline.is_some_and(|at| Instant::now() >= at)
}

/// Without a time limit, the least time of a bound that is reported: after a faster one the next
/// answer comes soon.
const NOTICED: Duration = Duration::from_secs(1);

/// The greatest number of properties that are reported one by one.
const NAMED: usize = 5;

/// Reports the results at a bound.
pub fn told(
    result: &VerifyResult,
    unwind: u32,
    took: Duration,
    options: &verify::Options,
    output: &dyn Listener,
) {
    let soon = options.deadline.is_none() && took < NOTICED;
    if soon {
        return;
    }
    let here = result.properties.iter().filter(|p| {
        let last = p.answer.bounds.last();
        last.is_some_and(|b| b.unwind == unwind)
    });
    let here: Vec<&PropertyResult> = here.collect();
    let of = |p: &&PropertyResult| {
        let at = p.answer.bounds.last();
        let symbol = at.map_or("?", |b| b.verdict.symbol());
        let sure = if p.is_decided() { ", decided" } else { "" };
        format!("{} {symbol}{sure}", p.asked.name)
    };
    let text = match here.len() {
        0 => return,
        few if few <= NAMED => here.iter().map(of).collect::<Vec<_>>().join("; "),
        many => {
            let decided = here.iter().filter(|p| p.is_decided()).count();
            format!("{decided} of {many} properties are decided")
        }
    };
    output.tell(format_args!(
        "bound {unwind} ({:.1} s): {text}",
        took.as_secs_f64()
    ));
}

#[cfg(test)]
mod tests {
    use super::rungs;

    #[test]
    fn each_bound_is_twice_the_one_before() {
        assert_eq!(rungs(1), [1]);
        assert_eq!(rungs(5), [1, 2, 4, 5]);
        assert_eq!(rungs(8), [1, 2, 4, 8]);
        assert_eq!(rungs(0), [0]);
    }
}
