//! Finds constant loops that were cut, and the bounds that would follow them to their end.

use std::collections::BTreeMap;

use verify::result::{Holds, VerifyResult};
use weave::facts::loops::Iterations;
use weave::facts::Facts;

/// The greatest number of iterations for which unrolling is suggested.
const MOST: u64 = 1000;

/// The greatest number of functions that are named.
const NAMED: usize = 4;

/// Adds a warning if a run was cut in a loop with a constant number of iterations above the bound,
/// such as a loop over a table. `given` are the bounds of single functions and labels.
pub fn look(facts: &Facts, given: &BTreeMap<String, u32>, result: &mut VerifyResult) {
    let open = result
        .properties
        .iter()
        .filter(|p| p.answer.complete == Some(false) && p.answer.holds == Holds::Unknown);
    let Some(unwind) = open
        .filter_map(|p| p.answer.unwind.or(result.premises.unwind))
        .max()
    else {
        return;
    };
    let wanted = wanted(facts, unwind, given);
    if wanted.is_empty() {
        return;
    }
    let options = wanted.iter().take(NAMED);
    let options: Vec<String> = options
        .map(|(name, times)| format!("--unwindset {name}:{times}"))
        .collect();
    let more = match wanted.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    result.warnings.push(format!(
        "loops that count to a constant were cut at {unwind} before their end; to follow them: {}{more}",
        options.join(" ")
    ));
}

/// For each function with such a loop, the greatest number of iterations; greatest first.
fn wanted<'a>(facts: &'a Facts, unwind: u32, given: &BTreeMap<String, u32>) -> Vec<(&'a str, u64)> {
    let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
    for each in facts.loops.iter().filter(|l| l.delay.is_none()) {
        let Some(Iterations::Times(times)) = each.iterations else {
            continue;
        };
        let name = facts.functions[each.function].name.as_str();
        let keys = each.labels.iter().map(String::as_str).chain([name]);
        let own = keys.filter_map(|key| given.get(key)).next();
        if times > u64::from(*own.unwrap_or(&unwind)) && times <= MOST {
            let most = wanted.entry(name).or_default();
            *most = times.max(*most);
        }
    }
    let mut wanted: Vec<(&str, u64)> = wanted.into_iter().collect();
    wanted.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    wanted
}
