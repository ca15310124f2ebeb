//! Sentences that explain a verdict, for every format that people read.

mod behaviour;
mod engines;
mod rests;

pub use behaviour::{afterwards, unchecked, undefined};
pub use rests::{irrelevant_assumptions, rest, rests, without_influence};

use crate::extent::{followed, no_run_ends};
use verify::holders;
use verify::result::{
    Event, Evidence, FindingKind, Holds, NeverLeft, PropertyResult, Schedules, Vacuous, Verdict,
    VerifyResult,
};

/// All that is known beside the verdict, a sentence each, in the order in which reports show it.
pub fn facts(property: &PropertyResult, result: &VerifyResult) -> Vec<String> {
    let evidence = [
        undefined(property),
        afterwards(property),
        unchecked(property, result),
        vacuity(property),
        never_left(property),
        holds(property, result),
        engines::decided(property),
        rests(property, result),
    ];
    let search = [
        iterations(property),
        completeness(property, result),
        expectation(property),
        formula(property),
    ];
    let evidence = evidence.into_iter().flatten();
    let facts = evidence.chain(engines::tried(property));
    let facts = facts.chain(proof(property));
    facts.chain(search.into_iter().flatten()).collect()
}

/// How a run ends that is blocked for good; `None` if the run is not a deadlock.
pub fn blocked(property: &PropertyResult) -> Option<&'static str> {
    let end = match holders::endless_loop(&property.run.trace) {
        Some(_) => "it goes round the loop for ever, and nothing changes",
        None => "it is blocked for good: no thread can go on",
    };
    property.answer.deadlock.then_some(end)
}

/// The meaning of the verdict for the program and its formula.
pub fn verdict(property: &PropertyResult) -> String {
    if property.answer.observed {
        return observed(property);
    }
    let cut = property.answer.complete == Some(false);
    // No run was cut, or the cut does not matter: if the answer is still open, schedules were left
    // out.
    let partial = property.answer.holds == Holds::Unknown;
    if property.asked.reach {
        return reached(property).to_owned();
    }
    let text = match (property.answer.verdict, property.answer.evidence) {
        (_, Some(Evidence::Induction | Evidence::Ranking)) => {
            "Every run of the program, of any length, satisfies the formula."
        }
        (_, Some(Evidence::Recurrence)) => {
            "The program has an infinite run that violates the formula, along which its state need \
             never repeat."
        }
        _ if property.answer.holds == Holds::Proved && property.answer.proof.is_some() => {
            "The formula holds on every run of the program, however long it is."
        }
        (Verdict::FALSE, Some(Evidence::Lasso)) => {
            "The program has a run that repeats a loop for ever, and this infinite run violates the \
             formula."
        }
        (Verdict::FALSE, Some(Evidence::Prefix)) if property.answer.proof.is_none() => {
            "The program has a run that has violated the formula before it reaches the bound. \
             Whatever it does later, the formula stays violated."
        }
        (Verdict::FALSE, _) => {
            "The program has a run that violates the formula. No continuation of it could satisfy \
             the formula any more."
        }
        (Verdict::PRESUMABLY_FALSE, Some(Evidence::Prefix)) => {
            "The program has a run that, cut at the bound, does not satisfy the formula: if nothing \
             changed any more, the formula would be false. The rest of the run could still satisfy \
             it, so a larger bound may decide."
        }
        (Verdict::PRESUMABLY_FALSE, _)
            if property.answer.deadlock && holders::endless_loop(&property.run.trace).is_some() =>
        {
            "The program has a run that goes round a loop for ever without satisfying the formula. As \
             nothing changes in it any more, the formula stays false."
        }
        (Verdict::PRESUMABLY_FALSE, _) if property.answer.deadlock => {
            "The program has a run that ends in a deadlock without satisfying the formula. As \
             nothing changes any more, the formula stays false."
        }
        (Verdict::PRESUMABLY_FALSE, _) => {
            "The program has a run that ends without satisfying the formula. As nothing changes \
             after the end, the formula is false; only a continuation, if there were one, could \
             still satisfy it."
        }
        (Verdict::PRESUMABLY_TRUE, _) if cut && no_run_ends(property) => {
            "No run violates the formula within the bound. Every explored run was cut there, and what comes \
             after could violate it."
        }
        (Verdict::PRESUMABLY_TRUE, _) if cut => {
            "No run violates the formula within the bound. Some runs were cut there, and what comes \
             after could violate it."
        }
        (Verdict::PRESUMABLY_TRUE, _) if partial => {
            "Every explored run satisfies the formula as it ends. Runs that were not explored may \
             violate it."
        }
        (Verdict::PRESUMABLY_TRUE, _) => {
            "Every run satisfies the formula as it ends. Only a continuation after the end, if there \
             were one, could violate it."
        }
        (Verdict::TRUE, _) if partial => {
            "Every explored run satisfies the formula, whatever comes after it. Runs that were not \
             explored may violate it."
        }
        (Verdict::TRUE, _) if cut => {
            "Every run satisfies the formula, those that were cut at the bound too: whatever comes \
             after, it stays satisfied."
        }
        (Verdict::TRUE, _) => {
            "Every run satisfies the formula. No continuation could violate it any more."
        }
        // Proofs concern infinite runs; none of the four values of finite prefixes expresses their
        // answer.
        (Verdict::Unknown, _) if property.answer.holds == Holds::Proved => {
            "The formula holds on every run of the program, however long it is."
        }
        (Verdict::Unknown, _) if property.answer.holds == Holds::Refuted => {
            "The program has an infinite run that violates the formula."
        }
        (Verdict::Unknown, _) => "There is no verdict.",
    };
    text.to_owned()
}

/// Whether the formula holds on all runs, if that was decided for good.
pub fn decided(property: &PropertyResult) -> Option<bool> {
    match property.answer.holds {
        Holds::Proved => Some(true),
        Holds::Refuted => Some(false),
        Holds::Unknown => None,
    }
}

/// Whether the formula holds on all runs, in a word or two; `None` if there is no answer.
pub fn decision(property: &PropertyResult) -> Option<&'static str> {
    match (property.answer.holds, property.answer.verdict) {
        (Holds::Proved, _) => Some("proved"),
        (Holds::Refuted, _) => Some("refuted"),
        (Holds::Unknown, Verdict::Unknown) if property.answer.proof.is_none() => None,
        (Holds::Unknown, _) if property.answer.observed => None,
        (Holds::Unknown, _) => Some("cannot say"),
    }
}

/// Whether the formula holds on all runs of any length, and if that is unknown, which option may
/// decide it.
pub fn holds(property: &PropertyResult, result: &VerifyResult) -> Option<String> {
    let decision = decision(property)?;
    let text = match (property.answer.holds, property.answer.evidence) {
        (Holds::Proved, _) if property.asked.reach => "no run, of any length, reaches the label",
        (Holds::Proved, _) => "every run, of any length, satisfies the formula",
        (Holds::Refuted, _) if property.asked.reach => "a run reaches the label",
        (Holds::Refuted, Some(Evidence::Ended)) => {
            "a run that ends, and so stays as it is, violates the formula"
        }
        (Holds::Refuted, _) => "a run violates the formula",
        (Holds::Unknown, _) if property.answer.proof.is_some() || engines::several(property) => {
            "neither a proof nor a run that violates it was found"
        }
        (Holds::Unknown, _) if property.answer.complete == Some(true) => {
            "not all schedules were explored"
        }
        (Holds::Unknown, _) => return Some(format!("{decision}: {}", open(property, result))),
    };
    let without = match property.answer.holds {
        Holds::Proved => without_hardware(result),
        _ => "",
    };
    Some(format!("{decision}: {text}{without}"))
}

/// What a proof does not cover if the program has interrupt handlers that nothing calls, or volatile objects that nothing
/// writes.
fn without_hardware(result: &VerifyResult) -> &'static str {
    let has = |kind| result.findings.iter().any(|f| f.kind == kind);
    if has(FindingKind::UncalledHandler) {
        return ", as long as no interrupt comes: handlers are never called (see the findings)";
    }
    match has(FindingKind::UnwrittenVolatile) {
        true => ", as long as nothing else writes volatile objects (see the findings)",
        false => "",
    }
}

/// Why cut runs leave the answer open, and which bound to raise. `prove` is only offered for
/// programs without threads.
fn open(property: &PropertyResult, result: &VerifyResult) -> String {
    let cut = match no_run_ends(property) {
        true => "every explored run was cut, and what comes after decides",
        false => "runs were cut, and what comes after decides",
    };
    let lasso = result.command.iter().any(|argument| argument == "--lasso");
    match (result.premises.schedules, lasso) {
        (None, false) => format!("{cut}; a larger --unwind, --lasso or `prove` may tell"),
        (None, true) => format!("{cut}; a larger --unwind or `prove` may tell"),
        (Some(Schedules::Rounds(rounds)), false) => {
            let more = rounds + 1;
            format!("{cut}; a larger --unwind, more rounds (--schedules rounds:{more}) or --lasso may tell")
        }
        (Some(Schedules::Rounds(rounds)), true) => {
            let more = rounds + 1;
            format!(
                "no infinite run that violates the formula was found that counts and fits the rounds; more rounds \
                 (--schedules rounds:{more}) or a larger --unwind may tell, and --fairness says which infinite runs count"
            )
        }
        (Some(_), false) => format!("{cut}; a larger --unwind or --lasso may tell"),
        (Some(_), true) => format!("{cut}; a larger --unwind may tell"),
    }
}

/// How many states a search of all states visited.
fn visited(of: &verify::result::Visited) -> String {
    let memory = of
        .memory_kib
        .map_or(String::new(), |kib| format!(", {} MiB", kib.div_ceil(1024)));
    let all = |n: u64, one: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {one}s"),
    };
    // It is known when all was visited.
    let depth = match of.depth {
        0 => String::new(),
        depth => format!(", depth {depth}"),
    };
    format!(
        "visited: {}, {}{depth}{memory}",
        all(of.states, "state"),
        all(of.steps, "step")
    )
}

/// The most invariants that are shown of each loop.
const INVARIANTS: usize = 12;

/// The same without an answer, where they may be many and nothing says which of them matter: the shortest.
const FACTS: usize = 5;

/// How many combinations of values an invariant lists, if it does and they are several.
fn combinations(condition: &str) -> Option<usize> {
    let inner = condition.strip_prefix("((")?.strip_suffix("))")?;
    let all: Vec<&str> = inner.split(") || (").collect();
    let values = |one: &&str| one.contains(" && ");
    (all.len() > 1 && all.iter().all(values)).then_some(all.len())
}

/// What is said of a proof about a slice.
const SLICED: &str =
    "proved of a slice: computations on which the formula does not depend are left out";

/// The evidence of an answer for runs of any length, a sentence each; without an answer, the facts
/// that were shown.
pub fn proof(property: &PropertyResult) -> Vec<String> {
    let Some(proof) = &property.answer.proof else {
        return Vec::new();
    };
    let mut out: Vec<String> = Vec::new();
    out.extend(
        proof
            .inputs
            .iter()
            .map(|i| format!("it is violated for ever {i}")),
    );
    out.extend(proof.sliced.then(|| SLICED.to_owned()));
    out.extend(proof.explored.iter().map(visited));
    let mut loops: Vec<(&str, Vec<String>)> = Vec::new();
    for text in &proof.invariants {
        let (place, condition) = text.split_once("): ").unwrap_or(("", text));
        let shown = match combinations(condition) {
            Some(n) => format!("one of {n} combinations of values (the JSON result has them)"),
            // Invariants over the monitor's own variables do not help a reader.
            None if condition.contains("ba_") => continue,
            None => format!("`{condition}`"),
        };
        match loops.iter_mut().find(|(p, _)| *p == place) {
            Some((_, all)) => all.push(shown),
            None => loops.push((place, vec![shown])),
        }
    }
    let most = match property.answer.holds {
        Holds::Unknown => FACTS,
        _ => INVARIANTS,
    };
    for (place, mut conditions) in loops {
        if property.answer.holds == Holds::Unknown {
            conditions.sort_by_key(String::len);
        }
        let shown: Vec<String> = conditions.iter().take(most).cloned().collect();
        let more = match conditions.len().saturating_sub(most) {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        let close = if place.is_empty() { "" } else { ")" };
        out.push(format!(
            "always at {place}{close}: {}{more}",
            shown.join(", ")
        ));
    }
    out.extend(proof.ranking.iter().cloned());
    if proof.k > 1 {
        out.push(format!(
            "by k-induction with k = {}: nothing is violated within {} rounds of the loops, and where it was not for so many, it is not in the next one",
            proof.k, proof.k
        ));
    }
    out
}

/// The parts of the formula that do not influence the verdict, each with the reason; `None` if all
/// do.
pub fn vacuity(property: &PropertyResult) -> Option<String> {
    let within = match property.answer.complete {
        // A later iteration may show what no explored run does.
        Some(false) => " within the bound",
        _ => "",
    };
    let part = |v: &Vacuous| {
        let (what, because) = (&v.what, &v.because);
        if v.constant {
            return format!("`{what}` has one value alone, because {because}");
        }
        format!("`{what}` does not matter{within}, because {because}")
    };
    let parts: Vec<String> = property.answer.vacuity.parts.iter().map(part).collect();
    (!parts.is_empty()).then(|| format!("vacuous: {}", parts.join("; ")))
}

/// The areas that explored runs enter without ever reaching their exit labels; `None` if there are
/// none.
pub fn never_left(property: &PropertyResult) -> Option<String> {
    let area = |a: &NeverLeft| {
        format!(
            "no explored run that enters the area of `{}` comes to its end `{}`",
            a.what, a.label
        )
    };
    let areas: Vec<String> = property
        .answer
        .vacuity
        .never_left
        .iter()
        .map(area)
        .collect();
    (!areas.is_empty()).then(|| areas.join("; "))
}

/// The meaning of the verdict for a label.
fn reached(property: &PropertyResult) -> &'static str {
    match property.answer.verdict {
        Verdict::FALSE | Verdict::PRESUMABLY_FALSE => {
            "The program has a run that reaches the label."
        }
        Verdict::PRESUMABLY_TRUE | Verdict::TRUE if property.answer.complete == Some(false) => {
            "No run reaches the label within the bound; longer runs may."
        }
        Verdict::PRESUMABLY_TRUE | Verdict::TRUE => "No run reaches the label.",
        Verdict::Unknown => "There is no answer.",
    }
}

/// Says how many steps of the run the trace leaves out; `None` if it shows all.
pub fn left_out(property: &PropertyResult) -> Option<String> {
    match property.run.left_out {
        _ if property.run.trace.is_empty() => None,
        0 => None,
        1 => Some("1 more step of this run can be seen by others: --trace full".into()),
        n => Some(format!(
            "{n} more steps of this run can be seen by others: --trace full"
        )),
    }
}

/// How many threads have a lane of their own in a trace; 0 if the trace has letters only.
pub fn lanes(property: &PropertyResult) -> u32 {
    let steps = || property.run.trace.iter();
    let beside = |e: Event| matches!(e, Event::Step | Event::Lock | Event::Unlock | Event::Sync);
    let threads = steps().map(|s| s.thread + 1).max().unwrap_or(0);
    match steps().any(|s| beside(s.event)) && (2..=LANES).contains(&threads) {
        true => threads,
        false => 0,
    }
}

/// With more threads, no lanes are shown: they would not fit.
const LANES: u32 = 12;

/// The heading of a property's trace: a run can show a violation, but not that there is none.
pub fn run(property: &PropertyResult) -> &'static str {
    match property.answer.verdict.is_violation() {
        true => "A run that shows it",
        false => "A run with this verdict",
    }
}

/// The iteration in which a label is reached.
pub fn iterations(property: &PropertyResult) -> Option<String> {
    let n = property.run.iterations?;
    Some(format!("reached in iteration {n} of the outermost loop"))
}

/// The meaning of the verdict for the one run that was executed.
fn observed(property: &PropertyResult) -> String {
    let cut = property.answer.evidence == Some(Evidence::Prefix);
    let text = match property.answer.verdict {
        Verdict::FALSE => "The observed run violates the formula, however it goes on.",
        Verdict::PRESUMABLY_FALSE if cut => {
            "The observed run had not satisfied the formula when it was ended; it could still have done so."
        }
        Verdict::PRESUMABLY_FALSE => "The observed run ends without satisfying the formula.",
        Verdict::PRESUMABLY_TRUE if cut => {
            "The observed run had not violated the formula when it was ended; it could still have done so."
        }
        Verdict::PRESUMABLY_TRUE => "The observed run satisfies the formula as it ends.",
        Verdict::TRUE => "The observed run satisfies the formula, however it goes on.",
        Verdict::Unknown => "There is no verdict.",
    };
    text.to_owned()
}

/// Whether all runs were explored to their end, and if not, up to which bound.
pub fn completeness(property: &PropertyResult, result: &VerifyResult) -> Option<String> {
    if property.answer.observed {
        return Some("one run was executed; nothing is known of others".to_owned());
    }
    match (
        property.answer.complete,
        property.answer.unwind.or(result.premises.unwind),
    ) {
        // The reason for the missing verdict says it.
        _ if property.answer.verdict == Verdict::Unknown => None,
        // The search beside a proof may have cut runs, but the proof is about all of them.
        (Some(false), _)
            if property.answer.holds == Holds::Proved && property.answer.proof.is_some() =>
        {
            Some("the proof has no bound; only the search beside it cut runs".to_owned())
        }
        (Some(true), _) => Some("complete: no run was cut at a bound".to_owned()),
        (Some(false), Some(bound)) => {
            let times = if bound == 1 {
                "once".to_owned()
            } else {
                format!("{bound} times")
            };
            Some(followed(property.answer.vacuity.cuts.as_ref(), &times))
        }
        (Some(false), None) => Some("some runs were cut at a bound".to_owned()),
        (None, _) => None,
    }
}

/// Whether the verdict is the expected one.
pub fn expectation(property: &PropertyResult) -> Option<String> {
    let expected = property.asked.expect?;
    Some(if property.as_expected() == Some(true) {
        "as the spec expects".to_owned()
    } else {
        format!("the spec expects {}", expected.words())
    })
}

/// What is known about the formula for every program.
pub fn formula(property: &PropertyResult) -> Option<String> {
    let text = property.asked.explanation.trim();
    (!text.is_empty()).then(|| format!("about the formula: {text}"))
}

/// The result of the program's assertions and the backend's checks, if they were requested.
pub fn safety(result: &VerifyResult) -> Option<String> {
    let safety = result.safety.as_ref()?;
    let text = match (safety.holds, safety.assertions) {
        (Some(true), _) => {
            "no assertion of the program and no check of the backend fails within the bounds"
        }
        (Some(false), Some(_)) => {
            "assertions of the program fail, see the findings; no answer for the backend's checks of memory and arithmetic"
        }
        (Some(false), None) => {
            "assertions of the program or checks of the backend fail, see the findings"
        }
        (None, Some(_)) => {
            "no assertion of the program fails within the bounds; no answer for the backend's checks of memory and arithmetic"
        }
        (None, None) => "no answer for the program's assertions and the backend's checks",
    };
    let reason = safety.reason.as_ref().map(|r| format!("; {r}"));
    Some(format!("{text}{}", reason.unwrap_or_default()))
}

/// The words under which the summary counts a property: its verdict, or what a proof or refutation for runs of any
/// length says where there is no verdict within a bound.
fn outcome(property: &PropertyResult) -> &'static str {
    match (property.answer.verdict, property.answer.holds) {
        (Verdict::Unknown, Holds::Proved) => "proved",
        (Verdict::Unknown, Holds::Refuted) => "refuted",
        (verdict, _) => verdict.words(),
    }
}

/// `3 properties: 1 false, 2 presumably true`; `None` for a single property.
pub fn summary(result: &VerifyResult) -> Option<String> {
    if result.properties.len() < 2 {
        return None;
    }
    let verdicts = Verdict::LATTICE.into_iter().chain([Verdict::Unknown]);
    let all = verdicts.map(Verdict::words).chain(["refuted", "proved"]);
    let counts = all.filter_map(|words| {
        let has = |p: &&PropertyResult| outcome(p) == words;
        let count = result.properties.iter().filter(has).count();
        (count > 0).then(|| format!("{count} {words}"))
    });
    let unexpected = result
        .properties
        .iter()
        .filter(|p| p.as_expected() == Some(false))
        .count();
    let mut text = format!(
        "{} properties: {}",
        result.properties.len(),
        counts.collect::<Vec<_>>().join(", ")
    );
    if unexpected > 0 {
        text += &format!("; {unexpected} not as the spec expects");
    }
    Some(text)
}
