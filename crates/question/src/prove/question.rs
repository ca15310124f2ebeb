//! Proofs and refutations for all runs of any length: the searches for each property, in turns, beside a search of all
//! states.

use std::time::{Duration, Instant};

use forms::{Cause, Failure, Listener};
use ltl::Expectation;
use verify::explicit::Turns;
use verify::portfolio::Board;
use verify::prove::certificate::Certificate;
use verify::prove::Limits;
use verify::result::{Engine, Holds, PropertyResult, Tried, Verdict, VerifyResult};
use verify::NO_TRACE;

use super::answers::result_of;
use super::{beside, explicit, origin, search, turns};
use crate::source::Source;

/// The most states that a search visits, unless the user says otherwise.
pub const STATES: u64 = 1_000_000;
/// With several formulas, how long the search of all states runs alone, for each part of its work: it answers for all of them.
const FIRST: Duration = Duration::from_secs(10);
/// How long the other searches run before the k-induction of another model checker starts.
const ALONE: Duration = Duration::from_secs(2);
/// The time limit of the search of all states beside others without a budget; with a budget, it is three quarters of it.
const LONGEST: Duration = Duration::from_secs(120);

/// Takes the text of a certificate.
pub type Certify<'a> = dyn Fn(&str) -> anyhow::Result<()> + Sync + 'a;

/// A question about all runs of a program without threads.
pub struct Question<'a> {
    /// The program and its specification.
    pub source: &'a Source,
    /// The model checker.
    pub backend: &'a dyn backend::Backend,
    /// The options of the search for violations.
    pub options: &'a verify::Options,
    /// When all searches end.
    pub until: Option<Instant>,
    /// Where progress is reported.
    pub output: &'a dyn Listener,
    /// How to search.
    pub ways: Ways,
    /// The most states that a search visits.
    pub states: u64,
    /// The most questions that each search asks the model checker.
    pub questions: Option<u32>,
    /// Who gets the text of a certificate of the proof.
    pub certificate: Option<&'a Certify<'a>>,
    /// What is known of the properties.
    pub board: &'a Board,
    /// The turns of threads in a search of all states of a program in step form.
    pub turns: &'a Turns,
    /// Whether the board is told each answer as it comes. What a form of the program says may not yet be an answer about the program.
    pub publishes: bool,
}

/// The searches that are tried; beside all but the search of all states runs a search for violations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Visit all states.
    pub explicit: bool,
    /// Visit all states by SPIN, too.
    pub spin: bool,
    /// Our own induction.
    pub induction: bool,
    /// The k-induction of another model checker, if it is installed.
    pub k_induction: bool,
    /// The search for violations, even beside none of these.
    pub lasso: bool,
    /// Another engine searches all runs up to bounds: of a program that cannot be followed, this one does not.
    pub beside_bounds: bool,
}

impl Ways {
    /// Whether there is any.
    pub fn any(self) -> bool {
        self.explicit || self.induction || self.k_induction || self.lasso
    }

    fn explicit_alone(self) -> bool {
        self.explicit && !self.induction && !self.k_induction && !self.lasso
    }
}

/// Adds that allocating memory never fails: where objects stand for what is allocated, the calls are gone.
fn assume_allocated(source: &Source, result: &mut VerifyResult) {
    let assumed = &mut result.premises.assumptions;
    for sentence in &source.whole.record.assumptions {
        if sentence.starts_with(weave::ALLOCATES) && !assumed.contains(sentence) {
            assumed.push(sentence.clone());
        }
    }
}

/// The program as proofs follow it, if it differs; or why its files do not stand in one.
fn as_followed(
    source: &Source,
    output: &dyn Listener,
) -> anyhow::Result<(Option<Source>, Option<String>)> {
    let merged = match source.program.followed(source.spec.text())? {
        Some(Ok(program)) => source.of(program, output)?,
        Some(Err(why)) => Err(why),
        None => return Ok((None, None)),
    };
    Ok(match merged {
        Ok(one) => (Some(one), None),
        Err(why) => (None, Some(why)),
    })
}

/// The model checker whose k-induction is tried, if any.
fn inductive(question: &Question) -> anyhow::Result<Option<Box<dyn backend::Backend>>> {
    let ways = question.ways;
    if !ways.k_induction || question.certificate.is_some() {
        return Ok(None);
    }
    let alone = !ways.induction && !ways.explicit;
    match backend::open_inductive() {
        Ok(found) => Ok(Some(found)),
        Err(failure) if alone => {
            let message = format!("--engine k-induction needs ESBMC: {failure}");
            Err(Failure::error(Cause::NoBackend, message))
        }
        Err(_) => Ok(None),
    }
}

/// All states of another form of a program that cannot be followed for this reason, within limits.
pub type Instead = fn(&Question, &Limits, String) -> beside::Said;

/// Answers for all properties of the question that are open. `instead` searches another form of the program, if it has one.
///
/// # Errors
/// If a program or a file cannot be written, or a proof and a violation of one property are found.
pub fn answers(question: &Question, instead: Option<Instead>) -> anyhow::Result<VerifyResult> {
    let (source, output) = (question.source, question.output);
    let limits = Limits {
        until: question.until,
        timeout: question.options.timeout,
        memory_mib: question.options.memory_mib,
        questions: question.questions,
    };
    let inductive = inductive(question)?;
    let (one, apart) = as_followed(source, output)?;
    let ways = question.ways;
    let search = search::Search {
        source: one.as_ref().unwrap_or(source),
        apart: apart.as_deref(),
        backend: question.backend,
        options: question.options,
        limits: &limits,
        output,
        certifies: question.certificate.is_some(),
        ways: search::Ways {
            induction: ways.induction,
            k_induction: inductive.as_deref().map(|backend| {
                let alone = !ways.induction && !ways.explicit;
                (backend, if alone { Duration::ZERO } else { ALONE })
            }),
            hunts: !ways.beside_bounds,
        },
    };
    let mut whole = answered(question, &search, instead)?;
    assume_allocated(source, &mut whole);
    Ok(whole)
}

/// Answers for all properties, with the searches of the question.
fn answered(
    question: &Question,
    search: &search::Search,
    instead: Option<Instead>,
) -> anyhow::Result<VerifyResult> {
    let output = question.output;
    let work = output.searching(1);
    let told = |what: &str| {
        work.doing(what);
        output.detail(format_args!("{what}\n"));
    };
    let spin = match question.ways.spin {
        true => Some(explicit::spin()?),
        false => None,
    };
    // Only proofs by induction have certificates.
    let visits = question.certificate.is_none() && question.ways.explicit;
    let visit = match visits {
        true => Some(explicit::prepare(
            search,
            (question.states, question.turns),
            spin,
            question.board.cancel(),
        )?),
        false => None,
    };
    // Another form of the program takes as long to be made.
    let instead = instead.filter(|_| !search.limits.over(question.board.cancel()));
    let (visit, beside) = match (visit, instead) {
        (Some(Err(why)), None) => (None, beside::Beside::without(why)),
        (Some(visit), _) => (Some(visit), beside::Beside::until(question.board)),
        (None, _) => (None, beside::Beside::without(String::new())),
    };
    let limits = search.limits;
    let now = Instant::now();
    let left = limits.until.map(|u| u.saturating_duration_since(now));
    // The rest is for violations in the part that was visited.
    let visiting = left.map(|left| left * 3 / 4);
    let visiting = visiting.or((!question.ways.explicit_alone()).then_some(LONGEST));
    let limits = Limits {
        until: visiting.map(|visiting| now + visiting),
        ..limits.clone()
    };
    let whole = std::thread::scope(|scope| {
        if let Some(visit) = visit {
            let (beside, limits) = (&beside, &limits);
            // What only this question asks (whether memory is used that was freed, say) decides whether other answers stand: all come
            // together then.
            let mut names = (0..search.source.spec.formulas()).map(|number| search.name(number));
            let all_asked = names.all(|name| question.board.is_open(name));
            let told = |what: &str| {
                beside.moves();
                told(what);
            };
            let found = move |number, property, backend| {
                if !all_asked {
                    return;
                }
                let result = result_of(search, number, property, backend);
                // What the board tells others is there for them.
                beside.finds(number, result.clone());
                if question.publishes {
                    question.board.publish(&result);
                }
            };
            scope.spawn(move || {
                let hears = explicit::Hears {
                    told: &told,
                    found: &found,
                };
                beside.search(|cancel| match (visit, instead) {
                    (Ok(visit), _) => visit.answers(limits, cancel, &hears),
                    (Err(why), Some(instead)) => instead(question, limits, why),
                    (Err(why), None) => Err(why),
                });
                if question.publishes {
                    beside.publish(search, question.board);
                }
            });
        }
        let whole = properties(question, search, &beside, output);
        beside.end();
        whole
    });
    drop(work);
    whole
}

fn properties(
    question: &Question,
    search: &search::Search,
    beside: &beside::Beside,
    output: &dyn Listener,
) -> anyhow::Result<VerifyResult> {
    let count = search.source.spec.formulas();
    let mut found: Vec<Option<VerifyResult>> = (0..count).map(|_| None).collect();
    let mut turns = turns::Turns::new(count, search.limits.until);
    while let Some((number, until)) = turns.next() {
        let name = search.name(number);
        if !question.board.is_open(name) {
            // The search of all states may be what decided it.
            if let Some(Ok(result)) = beside.result(search, number, Some(Duration::ZERO)) {
                found[number] = Some(result);
            }
            continue;
        }
        let limits = Limits {
            until,
            ..search.limits.clone()
        };
        let search = search::Search {
            limits: &limits,
            ..*search
        };
        // The search of all states answers for all formulas, so with several of them it is worth
        // waiting for, as long as it goes on.
        let wait = match (question.ways.explicit_alone(), count > 1) {
            (true, _) => None,
            (_, true) => Some(beside.patience(FIRST)),
            (_, false) => Some(Duration::ZERO),
        };
        let begun = Instant::now();
        let one = property(question, &search, beside, (number, wait), output)?;
        if question.publishes {
            question.board.publish(&one);
        }
        if one
            .properties
            .iter()
            .any(|p| p.answer.holds == Holds::Unknown)
        {
            turns.again(number, begun);
        }
        found[number] = Some(match found[number].take() {
            Some(before) => turns::later(before, one),
            None => one,
        });
    }
    // What nobody waited for may be answered by now.
    for (number, none) in found
        .iter_mut()
        .enumerate()
        .filter(|(_, one)| one.is_none())
    {
        let late = beside.result(search, number, Some(Duration::ZERO));
        *none = late.and_then(Result::ok);
    }
    let mut whole = VerifyResult::default();
    let found = found.into_iter().enumerate();
    for (number, mut one) in found.filter_map(|(number, one)| Some((number, one?))) {
        sharpen(search.source, &mut one);
        let expect = search.source.whole.record.properties.get(number);
        let expect = expect.and_then(|p| p.expect.as_deref());
        for property in &mut one.properties {
            property.asked.expect = expect.and_then(Expectation::from_name);
        }
        add(&mut whole, one);
    }
    Ok(whole)
}

/// Whether a proof does not have the verdict ⊤.
fn is_weak(property: &PropertyResult) -> bool {
    property.answer.holds == Holds::Proved && property.answer.verdict != Verdict::TRUE
}

/// Makes ⊤ of proofs, where all runs that satisfy the formula come to ⊤.
pub fn sharpen(source: &Source, result: &mut VerifyResult) {
    for property in &mut result.properties {
        let mut names = source.whole.record.properties.iter();
        let number = names.position(|p| p.name == property.asked.name);
        let shows = |n: &usize| is_weak(property) && source.spec.shows_satisfaction(*n);
        if number.filter(shows).is_some() {
            property.answer.verdict = Verdict::TRUE;
        }
    }
}

/// Answers for one property within the limits of its turn; `wait` is the time to wait for the
/// search of all states first.
fn property(
    question: &Question,
    search: &search::Search,
    beside: &beside::Beside,
    (number, wait): (usize, Option<Duration>),
    output: &dyn Listener,
) -> anyhow::Result<VerifyResult> {
    let alone = question.ways.explicit_alone();
    match beside.result(search, number, wait) {
        Some(Ok(result)) => return Ok(result),
        Some(Err(why)) if alone => {
            let mut open = search.open(number, &why);
            for property in &mut open.properties {
                property.answer.tried = vec![Tried {
                    engine: Engine::Explicit,
                    said: why.clone(),
                    seconds: beside.seconds(),
                }];
            }
            return Ok(open);
        }
        _ => {}
    }
    let cancel = question.board.cancel_for(search.name(number));
    beside.begin(number, &cancel);
    let begun = Instant::now();
    let (mut result, certificate) = search.property(number, &cancel)?;
    for open in &mut result.properties {
        open.answer.tried = vec![Tried {
            engine: Engine::Induction,
            said: open.answer.reason.clone().unwrap_or_default(),
            seconds: begun.elapsed().as_secs_f64(),
        }];
    }
    if let Some(take) = question.certificate {
        certify(take, certificate.as_ref(), search, output)?;
    }
    // A later turn can ask for a result that the search of all states does not have yet.
    let left = search.limits.until;
    let left = left.map(|until| until.saturating_duration_since(Instant::now()));
    Ok(first_sure(result, (left, beside.seconds()), |left| {
        beside.result(search, number, left)
    }))
}

/// The answer of the searches for one property; if they have none, the answer of the search of all
/// states, which may take as long as `left`. That search also has the run if it ended the others
/// while they were making the trace of a violation.
fn first_sure(
    mut result: VerifyResult,
    (left, seconds): (Option<Duration>, f64),
    states: impl FnOnce(Option<Duration>) -> Option<Result<VerifyResult, String>>,
) -> VerifyResult {
    let open = result.properties.iter();
    if !open.clone().any(|p| p.answer.holds == Holds::Unknown) {
        return match result.warnings.iter().any(|w| w.starts_with(NO_TRACE)) {
            true => match states(Some(Duration::ZERO)) {
                Some(Ok(found)) => found,
                _ => result,
            },
            false => result,
        };
    }
    match states(left) {
        Some(Ok(found)) => return found,
        Some(Err(why)) => note(&mut result, Some(why).filter(|w| !w.is_empty()), seconds),
        None => {}
    }
    result
}

/// Adds to a property without an answer why the search of all states has none, if the reason is another one.
fn note(result: &mut VerifyResult, why: Option<String>, seconds: f64) {
    let open = result
        .properties
        .iter_mut()
        .find(|p| p.answer.holds == Holds::Unknown);
    if let (Some(property), Some(why)) = (open, why) {
        property.answer.tried.push(Tried {
            engine: Engine::Explicit,
            said: why.clone(),
            seconds,
        });
        let reason = property.answer.reason.take().unwrap_or_default();
        property.answer.reason = Some(match reason.is_empty() {
            true => format!("all states: {why}"),
            false if reason == why => reason,
            false => format!("{reason}; all states: {why}"),
        });
    }
}

/// Hands the certificate on, or says why there is none.
fn certify(
    take: &Certify,
    certificate: Option<&Certificate>,
    search: &search::Search,
    output: &dyn Listener,
) -> anyhow::Result<()> {
    let text = match certificate {
        Some(certificate) => origin::certified(certificate, search)?,
        None => Err("nothing was proved by induction".into()),
    };
    match text {
        Ok(text) => take(&text),
        Err(why) => {
            output.tell(format_args!("no certificate was written: {why}\n"));
            Ok(())
        }
    }
}

/// Adds the result of one more property.
fn add(whole: &mut VerifyResult, one: VerifyResult) {
    if whole.properties.is_empty() {
        *whole = one;
        return;
    }
    whole.properties.extend(one.properties);
    whole.backend.runs += one.backend.runs;
    whole.backend.seconds += one.backend.seconds;
    whole.premises.unwind = whole.premises.unwind.max(one.premises.unwind);
    let new = |all: &mut Vec<String>, more: Vec<String>| {
        for item in more {
            if !all.contains(&item) {
                all.push(item);
            }
        }
    };
    new(&mut whole.premises.assumptions, one.premises.assumptions);
    new(&mut whole.warnings, one.warnings);
    for finding in one.findings {
        if !whole.findings.contains(&finding) {
            whole.findings.push(finding);
        }
    }
    whole.exhausted |= one.exhausted;
}
