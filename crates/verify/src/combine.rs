//! Combines answers into verdicts. The verdict is the least level that some run reaches, if the
//! backend answered for every level that the verdict depends on.

use std::collections::{BTreeMap, BTreeSet};

use backend::{Failure, Finished, OtherFailure, OtherKind, Outcome, Usage};
use cfront::library::{self, Backend, Runs};
use weave::assertion::Asserted;
use weave::check;
use weave::record::{PropertyRecord, Record, SiteEvent, ENDED_FALSE, PREFIX_FALSE, REACH};

use crate::result::{
    Answer, Asked, Evidence, Finding, FindingKind, LevelResult, PropertyResult, Verdict,
};
use crate::run::{advice, assertion, LEVELS};

/// All answers of the backend's runs.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    outcomes: BTreeMap<String, Outcome>,
    /// For each assertion text, the usage of the run that asked, and why there is no answer.
    asked: BTreeMap<String, (Usage, Option<String>)>,
    others: BTreeSet<OtherFailure>,
    pub warnings: Vec<String>,
    /// Why nothing is known: some function without a body may store arbitrary values.
    opaque: Option<String>,
    pub usage: Usage,
    /// Whether some run answered the coverage questions (check `COVER`).
    covers: bool,
    /// Coverage questions that were left open, with reasons.
    covers_open: BTreeMap<String, String>,
    /// Whether some run answered where runs are cut (check `CUTS`).
    cuts: bool,
    /// Why no coverage question has an answer.
    covers_unknown: Option<String>,
    /// Whether a run reached its limit of time or memory.
    pub exhausted: bool,
}

impl Answers {
    /// Joins the runs, each with its mask of questions (`BA_CHECK`).
    pub fn new(record: &Record, finished: Vec<(u32, Finished)>) -> Answers {
        let mut answers = Answers::default();
        for (mask, run) in finished {
            answers.usage.add(run.usage);
            let (mut undecided, mut rest) = (BTreeMap::new(), None);
            if mask & check::COVER != 0 {
                answers.note_covers(&run.result);
            }
            let told = run.result.as_ref().is_ok_and(|answer| {
                let ended = Asserted::Ended.to_string();
                answer.rest.is_none() && !answer.undecided.contains_key(&ended)
            });
            answers.cuts |= mask & check::CUTS != 0 && told;
            let reason = match run.result {
                Err(failure) => {
                    let limit =
                        matches!(failure, Failure::Timeout { .. } | Failure::MemoryOut { .. });
                    answers.exhausted |= limit;
                    Some(match failure {
                        Failure::Cancelled => NOT_NEEDED.to_string(),
                        _ => advice(&failure),
                    })
                }
                Ok(answer) => {
                    undecided = answer.undecided;
                    rest = answer.rest;
                    answers.exhausted |= rest.is_some();
                    answers.others.extend(answer.other_failures);
                    for warning in answer.warnings {
                        if !answers.warnings.contains(&warning) {
                            answers.warnings.push(warning);
                        }
                    }
                    for (text, outcome) in answer.outcomes {
                        // If two runs disagree, a failure that one of them found counts.
                        let known = answers.outcomes.entry(text).or_insert(outcome);
                        *known = (*known).max(outcome);
                    }
                    None
                }
            };
            for text in expected(record, mask) {
                let reason = match (&reason, answers.outcomes.contains_key(&text)) {
                    (_, true) => None,
                    (Some(reason), false) => Some(reason.clone()),
                    (None, false) => Some(
                        undecided
                            .remove(&text)
                            .or_else(|| rest.clone())
                            .unwrap_or_else(|| {
                                format!("the backend did not answer for the assertion \"{text}\"")
                            }),
                    ),
                };
                answers.asked.insert(text, (run.usage, reason));
            }
        }
        answers.opaque = opaque(record, &answers);
        answers
    }

    /// Records the answers to the coverage questions of a run. A question that the answer does not
    /// mention has an assertion in code that no run reaches.
    fn note_covers(&mut self, result: &Result<backend::Answer, Failure>) {
        let answer = match result {
            Ok(answer) => answer,
            Err(failure) => {
                self.covers_unknown = Some(failure.to_string());
                return;
            }
        };
        if let Some(rest) = &answer.rest {
            self.covers_unknown = Some(rest.clone());
            return;
        }
        self.covers = true;
        let about = |text: &str| {
            let what = text.strip_prefix("baproduct:");
            let shows = ["cover:", "area:", "exit:", "starts:"];
            what.is_some_and(|w| shows.iter().any(|s| w.starts_with(s)))
        };
        let open = answer.undecided.iter().filter(|(text, _)| about(text));
        self.covers_open
            .extend(open.map(|(text, why)| (text.clone(), why.clone())));
    }

    /// Whether a run answered the coverage questions.
    pub fn covers_asked(&self) -> bool {
        self.covers
    }

    /// Whether a run answered where runs are cut.
    pub fn cuts_asked(&self) -> bool {
        self.cuts
    }

    /// Whether no run ends other than at a bound, if a run answered where runs are cut.
    pub fn never_ends(&self) -> bool {
        self.asserted(Asserted::Ended) != Some(true)
    }

    /// Whether it is known that no run reaches a coverage assertion.
    pub fn never_shown(&self, asserted: Asserted) -> bool {
        let text = asserted.to_string();
        self.outcome(&text) != Some(true) && !self.covers_open.contains_key(&text)
    }

    /// Why some or all coverage questions have no answer.
    pub fn covers_unknown(&self) -> Option<&String> {
        let open = self.covers_open.values().next();
        self.covers_unknown.as_ref().or(open)
    }

    /// Whether an assertion fails; `None` if there is no answer.
    pub fn outcome(&self, text: &str) -> Option<bool> {
        self.outcomes.get(text).map(|o| *o == Outcome::Fails)
    }

    /// The outcome of an assertion of the emitted program; `None` if there is no answer.
    pub fn asserted(&self, asserted: Asserted) -> Option<bool> {
        self.outcome(&asserted.to_string())
    }

    /// Whether an assertion of the emitted program fails on some run.
    pub fn fails(&self, asserted: Asserted) -> bool {
        self.asserted(asserted) == Some(true)
    }

    fn reason(&self, text: &str) -> String {
        let asked = self.asked.get(text).and_then(|(_, reason)| reason.clone());
        asked.unwrap_or_else(|| format!("the backend was not asked about \"{text}\""))
    }

    /// The place where some run reads something that the emitted program does not model; the run
    /// ends there.
    fn unmodelled(&self, prefix: &str) -> Option<&str> {
        let fails = self.outcomes.iter().filter(|(_, o)| **o == Outcome::Fails);
        let mut texts = fails.map(|(text, _)| text);
        texts.find_map(|text| {
            text.strip_prefix("baproduct:internal:")?
                .strip_prefix(prefix)
        })
    }

    /// Why a passed assertion does not show that no run violates it: something was cut that the
    /// program does not cut itself.
    fn distrust(&self) -> Option<String> {
        if self.fails(Asserted::Threads) {
            return Some("more threads are started than the instrumentation provides for".into());
        }
        if self.unmodelled("timers").is_some() {
            return Some(
                "more than six times are to be remembered at once for one operator with bounds: let it begin where a condition begins, as in \
                 `Y !p && p`"
                    .into(),
            );
        }
        if let Some(place) = self.unmodelled("further:") {
            return Some(format!(
                "the function without body that is called at {place} may change a proposition through pointers that it finds \
                 where its arguments point to; give it a body, or name it under `inputs` if it does not"
            ));
        }
        if let Some(place) = self.unmodelled("assembler:") {
            return Some(format!(
                "what the assembler statement at {place} does is not modelled; write it in C, or use --backend native"
            ));
        }
        if let Some(place) = self.unmodelled("input:") {
            return Some(format!(
                "what is read at {place} is not modelled: a read of bytes is, if they are at most 64 or fill a whole object; \
                 name the function under `inputs`, give it a body, or read into an object of that size"
            ));
        }
        let cut = self
            .others
            .iter()
            .find(|o| o.kind == OtherKind::Unwinding)?;
        if is_of_library(cut) {
            return Some(format!("{OF_LIBRARY}; raise --unwind"));
        }
        let place = match (&cut.location.file, cut.location.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => cut
                .location
                .function
                .clone()
                .unwrap_or_else(|| cut.id.clone()),
        };
        Some(format!(
            "the backend cut a loop on its own ({place}: {}); raise --unwind",
            cut.text
        ))
    }
}

/// What a loop is that the emitted definition of a function of the library has.
const OF_LIBRARY: &str = "a function of the C library that the program calls (such as `strtok` or `qsort`) goes through a text or an array in a \
    loop, which has more rounds than the bound";

/// Whether it is a loop of such a definition that was cut, which has no place in the program.
fn is_of_library(other: &OtherFailure) -> bool {
    let function = other.location.function.as_deref();
    other.kind == OtherKind::Unwinding && function.is_some_and(|f| f.starts_with("ba_input_"))
}

/// Why no value is known: a run calls a function without a body that may store through its
/// pointers, or one of the C library that backends have themselves. The backend assumes that it stores nothing and
/// gives any value, so a run that the backend finds may not exist.
fn opaque(record: &Record, answers: &Answers) -> Option<String> {
    let failures = answers.others.iter();
    let missing = failures.filter(|o| o.kind == OtherKind::NoBody).map(|o| {
        let place = match (&o.location.file, o.location.line) {
            (Some(file), Some(line)) => format!(" ({file}:{line})"),
            _ => String::new(),
        };
        (o.text.as_str(), place)
    });
    // The warning of CBMC before version 6.
    let warned = answers.warnings.iter().filter(|w| is_bodiless(w));
    let warned = warned.map(|w| (w.as_str(), String::new()));
    missing.chain(warned).find_map(|(text, place)| {
        let name = text.split_whitespace().last()?;
        if record.opaque.iter().any(|o| o == name) {
            return Some(format!(
                "the backend does not know what `{name}` stores through its pointers{place}; name it under `inputs`, or give it a body"
            ));
        }
        // What installs an ignored handler stores nothing that the program reads.
        let own = library::function(name)
            .is_some_and(|f| f.backend == Backend::Known && !matches!(f.runs, Some(Runs::OnSignal(_))));
        own.then(|| {
            format!(
                "the backend cannot read `{name}` of its own library{place}, and would let it give any value: headers of the target's C library \
                 may be missing; name it under `inputs`, or give it a body"
            )
        })
    })
}

/// The assertions that a run with this mask must answer.
pub(crate) fn expected(record: &Record, mask: u32) -> Vec<String> {
    let mut texts = Vec::new();
    for (level, bit) in LEVELS {
        if mask & bit == 0 {
            continue;
        }
        let properties = record.properties.iter();
        texts.extend(properties.flat_map(|p| texts_of(record, p, level)));
    }
    if mask & check::LASSO != 0 {
        let judged = record.properties.iter().filter(|p| p.lasso);
        texts.extend(judged.map(|p| lasso(&p.name)));
    }
    if mask & check::ENDED != 0 {
        let apart = record.properties.iter().filter(|p| p.ends_apart);
        texts.extend(apart.map(|p| ended_false(&p.name)));
    }
    for (bit, asserted) in [(check::END, Asserted::End), (check::CUT, Asserted::Cut)] {
        if mask & bit != 0 && (bit != check::CUT || can_be_cut(record)) {
            texts.push(asserted.to_string());
        }
    }
    texts
}

/// The assertion that fails if a lasso violates a property.
pub(crate) fn lasso(property: &str) -> String {
    Asserted::Lasso(property).to_string()
}

/// Whether some property searches for lassos.
pub(crate) fn searches_lassos(record: &Record) -> bool {
    record.properties.iter().any(|p| p.lasso)
}

fn has(property: &PropertyRecord, level: Verdict) -> bool {
    property.levels.iter().any(|l| l == level.name())
}

/// The assertion that fails if the word of a cut run is ⊥, although the run may be discarded later.
pub(crate) fn prefix_false(property: &str) -> String {
    Asserted::Level(property, PREFIX_FALSE).to_string()
}

/// The assertion that fails if the word of a run that ends is ⊥ᵖ.
pub(crate) fn ended_false(property: &str) -> String {
    Asserted::Level(property, ENDED_FALSE).to_string()
}

/// The reason of a level whose answer was not needed.
pub(crate) const NOT_NEEDED: &str =
    "not asked to the end, since a lower value was found or the run was interrupted";

/// The reason of a verdict that only such a run supports.
const MAY_NOT_EXIST: &str = "the word of a run that is cut at the bound is false already, but the program or the specification \
    discards runs (prune, assume), so that this one may not exist; raise --unwind to see runs that end";

/// Whether the program has a loop or a recursion. Otherwise the assertion about cuts is in code
/// without a caller, which backends leave out.
fn can_be_cut(record: &Record) -> bool {
    record
        .sites
        .iter()
        .any(|site| site.event == weave::record::SiteEvent::Cut)
}

/// The assertions of which one fails if some run has this value; empty if no word has the value.
pub(crate) fn texts_of(record: &Record, property: &PropertyRecord, level: Verdict) -> Vec<String> {
    let mut texts = Vec::new();
    if has(property, level) {
        texts.push(assertion(&property.name, level));
    }
    let apart = record.discards && can_be_cut(record) && property.monitor != REACH;
    if level == Verdict::PRESUMABLY_FALSE && apart && has(property, Verdict::FALSE) {
        texts.push(prefix_false(&property.name));
    }
    texts
}

/// The result of a property, without a trace.
pub(crate) fn property(
    record: &Record,
    index: usize,
    property: &PropertyRecord,
    answers: &Answers,
) -> PropertyResult {
    let asked = Asked::of(record, index);
    let mut levels: Vec<LevelResult> = LEVELS
        .iter()
        .map(|(level, _)| level_result(record, property, *level, answers))
        .collect();
    let complete = match can_be_cut(record) {
        true => answers.asserted(Asserted::Cut).map(|cut| !cut),
        false => Some(true),
    };
    let repeated = property.lasso.then(|| lasso(&property.name));
    if let Some(text) = &repeated {
        join_lasso(&mut levels[0], text, answers);
    }
    let repeats = repeated.is_some_and(|text| answers.outcome(&text) == Some(true));
    let answer = match verdict(record, &levels, answers) {
        Ok(verdict) => {
            let outcome = |text: &str| answers.outcome(text) == Some(true);
            let ended = outcome(&assertion(&property.name, verdict));
            let prefix = outcome(&prefix_false(&property.name));
            let doubtful = verdict == Verdict::PRESUMABLY_FALSE && prefix && !ended;
            let ends = outcome(&ended_false(&property.name));
            Answer {
                // Another run, or a longer one, may reach the label.
                verdict: match asked.reach && verdict == Verdict::TRUE {
                    true => Verdict::PRESUMABLY_TRUE,
                    false => verdict,
                },
                reason: doubtful.then(|| MAY_NOT_EXIST.into()),
                complete,
                evidence: Some(match (complete, verdict.is_violation()) {
                    _ if repeats => Evidence::Lasso,
                    (Some(true), true) => Evidence::Ended,
                    (Some(true), false) => Evidence::Complete,
                    _ if verdict == Verdict::PRESUMABLY_FALSE && ends => Evidence::Ended,
                    _ => Evidence::Prefix,
                }),
                levels,
                ..Answer::default()
            }
        }
        Err(reason) => Answer {
            reason: Some(reason),
            // A run that is not explored to its end is not complete.
            complete: match (complete, answers.asserted(Asserted::End)) {
                (Some(true), Some(false)) => Some(false),
                (Some(true), _) => None,
                (other, _) => other,
            },
            levels,
            ..Answer::default()
        },
    };
    asked.answered(answer)
}

fn level_result(
    record: &Record,
    property: &PropertyRecord,
    level: Verdict,
    answers: &Answers,
) -> LevelResult {
    let asked = texts_of(record, property, level);
    let Some(text) = asked.first().cloned() else {
        // No word has this value, so there is no question.
        return LevelResult {
            level,
            reachable: Some(false),
            seconds: 0.0,
            max_rss_kib: None,
            reason: None,
        };
    };
    let usage = answers
        .asked
        .get(&text)
        .map(|(usage, _)| *usage)
        .unwrap_or_default();
    let outcomes: Vec<Option<bool>> = asked.iter().map(|text| answers.outcome(text)).collect();
    let missing = outcomes.iter().position(Option::is_none);
    let reachable = match (outcomes.contains(&Some(true)), missing) {
        (true, _) => Some(true),
        (false, Some(_)) => None,
        (false, None) => Some(false),
    };
    let unanswered = missing.filter(|_| reachable.is_none());
    LevelResult {
        level,
        reachable,
        seconds: usage.seconds,
        max_rss_kib: usage.max_rss_kib,
        reason: unanswered.map(|i| answers.reason(&asked[i])),
    }
}

/// Joins the answer of the lasso assertion to the level ⊥: a violating lasso reaches ⊥, too.
fn join_lasso(level: &mut LevelResult, text: &str, answers: &Answers) {
    let usage = answers.asked.get(text).map(|(usage, _)| *usage);
    let usage = usage.unwrap_or_default();
    if usage.seconds > level.seconds {
        (level.seconds, level.max_rss_kib) = (usage.seconds, usage.max_rss_kib);
    }
    match (level.reachable, answers.outcome(text)) {
        (Some(true), _) => {}
        (_, Some(true)) => (level.reachable, level.reason) = (Some(true), None),
        (Some(false), None) => {
            (level.reachable, level.reason) = (None, Some(answers.reason(text)));
        }
        _ => {}
    }
}

/// The least level that some run reaches. ⊥ needs only its own answer; every greater value needs
/// the answers of all levels below it, and a backend that cut nothing on its own.
fn verdict(record: &Record, levels: &[LevelResult], answers: &Answers) -> Result<Verdict, String> {
    if let Some(reason) = &answers.opaque {
        return Err(reason.clone());
    }
    for level in levels {
        match level.reachable {
            None => return Err(level.reason.clone().unwrap_or_default()),
            Some(true) if level.level == Verdict::FALSE => return Ok(Verdict::FALSE),
            Some(true) => return answers.distrust().map_or(Ok(level.level), Err),
            Some(false) => {}
        }
    }
    if let Some(reason) = answers.distrust() {
        return Err(reason);
    }
    match answers.asserted(Asserted::End) {
        Some(true) => Ok(Verdict::TRUE),
        Some(false) => Err(no_end(record)),
        None => Err(answers.reason(&Asserted::End.to_string())),
    }
}

/// Why no run reaches an end, not even at the bound: all runs are discarded, or block at a wait
/// that is not modelled.
fn no_end(record: &Record) -> String {
    let discarding = record.sites.iter();
    let discarding = discarding.filter(|s| matches!(s.event, SiteEvent::Assume | SiteEvent::Prune));
    let places: Vec<String> = discarding
        .map(|s| format!("{}:{}", s.file, s.line))
        .collect();
    let alone = "no run reaches an end within the bounds, so nothing is known of any run";
    match places.as_slice() {
        [] => format!("{alone}; raise --unwind, or look for a wait that is not modelled"),
        [one] => format!("every run is discarded: none gets past the assumption at {one}, so that nothing is known of any run"),
        [first, ..] => format!(
            "every run is discarded by one of {} assumptions (the first is at {first}), so that nothing is known of any run; look for one that contradicts \
             another, or what comes before it",
            places.len()
        ),
    }
}

/// Whether a warning reports a function without a body: some model checkers warn, others let a
/// check fail.
pub(crate) fn is_bodiless(warning: &str) -> bool {
    warning.contains("no body for ")
}

/// The function without a body that a message names. Emitted functions (`ba_…`) have none on
/// purpose.
fn bodiless(message: &str) -> Option<&str> {
    let name = message.split_whitespace().last()?;
    (!name.starts_with("ba_")).then_some(name)
}

/// The assumption that functions unknown to the backend return any value; `None` if there are no
/// such functions. The explored runs may do more than the real functions allow. `silent` functions
/// have no effect.
pub(crate) fn unknown_functions(answers: &Answers, silent: &[String]) -> Option<String> {
    let names = bodiless_functions(answers);
    let names = names
        .into_iter()
        .filter(|name| !silent.iter().any(|s| s == name));
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| {
        format!(
            "any values come from functions that the model checker does not know: {}",
            names.join(", ")
        )
    })
}

/// The functions without a body that runs call.
pub(crate) fn bodiless_functions(answers: &Answers) -> BTreeSet<&str> {
    let failures = answers.others.iter();
    let missing = failures.filter(|o| o.kind == OtherKind::NoBody);
    let warned = answers.warnings.iter().filter(|w| is_bodiless(w));
    let texts = missing.map(|o| &o.text).chain(warned);
    texts.filter_map(|text| bodiless(text)).collect()
}

/// Findings besides the verdicts. A `silent` function without a body is no finding: it has no
/// effect.
pub(crate) fn findings(answers: &Answers, silent: &[String]) -> Vec<Finding> {
    let told = |name: &str| !silent.iter().any(|s| s == name);
    let of_library = answers.others.iter().any(is_of_library);
    let of_library = of_library.then(|| Finding {
        kind: FindingKind::Bound,
        message: OF_LIBRARY.to_owned(),
        file: None,
        line: None,
        function: None,
    });
    let others = answers.others.iter().filter(|o| !is_of_library(o));
    let others = others
        .filter(|other| other.kind != OtherKind::NoBody || bodiless(&other.text).is_some_and(told))
        .map(|other| Finding {
            kind: match other.kind {
                OtherKind::Unwinding => FindingKind::Bound,
                OtherKind::NoBody => FindingKind::NoBody,
                OtherKind::Program => FindingKind::Assertion,
            },
            message: match (other.kind, bodiless(&other.text)) {
                (OtherKind::NoBody, Some(name)) => format!(
                    "the model checker does not know `{name}` and lets it give any value; give it a body, or say under `inputs` what it gives"
                ),
                _ => other.text.clone(),
            },
            file: other.location.file.clone(),
            line: other.location.line,
            function: other.location.function.clone(),
        });
    of_library.into_iter().chain(others).collect()
}
