//! `baproduct prove`: decides whether a formula holds on all runs of any length.

mod beside;
mod explicit;
pub mod origin;
mod search;
mod turns;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ltl::Expectation;
use verify::prove::certificate::Certificate;
use verify::prove::Limits;
use verify::result::{Holds, VerifyResult};
use verify::NO_TRACE;

use crate::commands::verify::{self as command, reports, witness};
use crate::exit::{Ended, Status};
use crate::options::Output;
use crate::outputs;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct ProveArgs {
    #[command(flatten)]
    verify: command::Args,
    /// How to search for an answer
    #[arg(long, value_enum, default_value = "auto")]
    engine: Engine,
    /// The most states that the search of all states visits
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    states: u64,
    /// The most questions that each search asks the model checker; unlike a time limit, it bounds the search
    /// in the same way on every machine
    #[arg(long, value_name = "N")]
    questions: Option<u32>,
    /// Write the proof as a program whose assertions the model checker can decide again; `baproduct
    /// verify FILE` checks them
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

impl ProveArgs {
    /// The arguments for `verify` to weave the same program, with lassos if requested.
    pub fn verifying(self, lasso: bool) -> command::Args {
        let mut verify = self.verify;
        verify.set_lasso(lasso);
        verify.find_state();
        verify
    }
}

/// How an answer for all runs is searched.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    /// All that apply, in parallel; the first definite answer ends the others
    Auto,
    /// Induction and ranking functions, and in parallel a search for violations
    Induction,
    /// The k-induction of ESBMC, for safety formulas, and in parallel a search for violations
    KInduction,
    /// Explore all states of the compiled program
    Explicit,
    /// Also search these states with SPIN: both searches must give the same answers
    Spin,
}

/// With several formulas, how long the search of all states runs alone: it answers for all of them.
const FIRST: Duration = Duration::from_secs(10);
/// How long the other searches run before the k-induction of another model checker starts.
const ALONE: Duration = Duration::from_secs(2);
/// The time limit of this k-induction without a budget; with a budget, it is half of the budget.
const LONGEST: Duration = Duration::from_secs(120);

/// Runs the command.
pub fn run(args: &mut ProveArgs, output: &Output) -> anyhow::Result<ExitCode> {
    args.verify.find_state();
    let args = &*args;
    command::supported(&args.verify)?;
    reports::check(&args.verify)?;
    let input = command::input(&args.verify, output)?;
    let command::Input::Source(source) = &input else {
        return Err(Ended::error(
            Status::Usage,
            "prove needs the program and its specification, not a program that was instrumented before",
        ));
    };
    if source.whole.record.threads {
        return Err(Ended::error(
            Status::Refused,
            "prove follows programs without threads; `verify --lasso` says what can be said of this one within bounds, and `sequentialise --form steps` makes a sequential program of it that prove follows",
        ));
    }
    if args.certificate.is_some() && source.spec.formulas() != 1 {
        return Err(Ended::error(
            Status::Usage,
            "--certificate: a certificate is about one property; the specification has several",
        ));
    }
    let backend = command::open_backend(&args.verify)?;
    let writes = matches!(args.engine, Engine::Auto | Engine::Induction);
    if args.certificate.is_some() && !writes {
        let message = "--certificate wants a proof by induction; use --engine induction. That all states were visited, or \
                       what ESBMC says, can only be confirmed by doing the same again";
        return Err(Ended::error(Status::Usage, message));
    }
    let inductive = inductive(args)?;
    reports::prepare(&args.verify)?;
    let options = command::options_of(&args.verify, source.spec.formulas())?;
    let until = args.verify.budget().map(|budget| Instant::now() + budget);
    let limits = Limits {
        until,
        timeout: options.timeout,
        memory_mib: options.memory_mib,
        questions: args.questions,
    };
    let (one, apart) = as_followed(source, output)?;
    let search = search::Search {
        source: one.as_ref().unwrap_or(source),
        apart: apart.as_deref(),
        backend: backend.as_ref(),
        options: &options,
        limits: &limits,
        output,
        certifies: args.certificate.is_some(),
        ways: search::Ways {
            induction: args.engine != Engine::KInduction,
            k_induction: inductive.as_deref().map(|backend| match args.engine {
                Engine::KInduction => (backend, Duration::ZERO),
                _ => (backend, ALONE),
            }),
        },
    };
    let mut whole = answered(args, &search, output)?;
    assume_allocated(source, &mut whole);
    command::assumptions::look(&input, &mut whole)?;
    whole.command = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    verify::handlers::tell(&source.whole.record, &mut whole);
    reports::save(&args.verify, &whole)?;
    if let Some(path) = args.verify.witness() {
        witness::save(path, source.program.paths(), &whole, output)?;
    }
    let said = reports::rendered(&args.verify, output, &whole)?;
    outputs::print(said.as_bytes())?;
    Ok(ExitCode::from(
        whole.status_of_proofs(args.verify.fails_on()),
    ))
}

/// Adds that allocating memory never fails: where objects stand for what is allocated, the calls are gone.
fn assume_allocated(source: &command::Source, result: &mut VerifyResult) {
    let assumed = &mut result.premises.assumptions;
    for sentence in &source.whole.record.assumptions {
        if sentence.starts_with(weave::ALLOCATES) && !assumed.contains(sentence) {
            assumed.push(sentence.clone());
        }
    }
}

/// The program as proofs follow it, if it differs; or why its files do not stand in one.
fn as_followed(
    source: &command::Source,
    output: &Output,
) -> anyhow::Result<(Option<command::Source>, Option<String>)> {
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
fn inductive(args: &ProveArgs) -> anyhow::Result<Option<Box<dyn backend::Backend>>> {
    let found = backend::open_inductive();
    match args.engine {
        Engine::KInduction => found.map(Some).map_err(|failure| {
            let message = format!("--engine k-induction needs ESBMC: {failure}");
            Ended::error(Status::NoBackend, message)
        }),
        Engine::Auto if args.certificate.is_none() => Ok(found.ok()),
        _ => Ok(None),
    }
}

/// Answers for all properties, with the searches that the engine selects.
fn answered(
    args: &ProveArgs,
    search: &search::Search,
    output: &Output,
) -> anyhow::Result<VerifyResult> {
    let bar = command::progress::bar(output, 1);
    let told = |what: &str| {
        bar.set_message(what.to_owned());
        if output.verbose > 0 {
            outputs::tell(format!("{what}\n"));
        }
    };
    let spin = match args.engine {
        Engine::Spin => Some(explicit::spin()?),
        _ => None,
    };
    // Only proofs by induction have certificates.
    let alone = matches!(args.engine, Engine::Induction | Engine::KInduction);
    let visits = args.certificate.is_none() && !alone;
    let visit = match visits {
        true => Some(explicit::prepare(search, args.states, spin)?),
        false => None,
    };
    let (visit, beside) = match visit {
        Some(Ok(visit)) => (Some(visit), beside::Beside::default()),
        Some(Err(why)) => (None, beside::Beside::without(why)),
        None => (None, beside::Beside::without(String::new())),
    };
    let limits = search.limits;
    let limits = match args.engine {
        Engine::Auto => {
            let now = Instant::now();
            let half = limits.until.map(|u| u.saturating_duration_since(now) / 2);
            Limits {
                until: Some(now + half.unwrap_or(LONGEST)),
                ..limits.clone()
            }
        }
        _ => limits.clone(),
    };
    let whole = std::thread::scope(|scope| {
        if let Some(visit) = visit {
            let (beside, limits, told) = (&beside, &limits, &told);
            scope.spawn(move || beside.search(visit, limits, told));
        }
        let whole = properties(args, search, &beside, output);
        beside.end();
        whole
    });
    bar.finish_and_clear();
    whole
}

fn properties(
    args: &ProveArgs,
    search: &search::Search,
    beside: &beside::Beside,
    output: &Output,
) -> anyhow::Result<VerifyResult> {
    let count = search.source.spec.formulas();
    let mut found: Vec<Option<VerifyResult>> = (0..count).map(|_| None).collect();
    let mut turns = turns::Turns::new(count, search.limits.until);
    while let Some((number, until)) = turns.next() {
        let limits = Limits {
            until,
            ..search.limits.clone()
        };
        let search = search::Search {
            limits: &limits,
            ..*search
        };
        // The search of all states answers for all formulas, so with several of them it is worth
        // waiting for.
        let wait = match (args.engine, found.iter().all(Option::is_none) && count > 1) {
            (Engine::Explicit | Engine::Spin, _) => None,
            (_, true) => Some(FIRST),
            (_, false) => Some(Duration::ZERO),
        };
        let begun = Instant::now();
        let one = property(args, &search, beside, (number, wait), output)?;
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
    let mut whole = VerifyResult::default();
    for (number, mut one) in found.into_iter().flatten().enumerate() {
        let expect = search.source.whole.record.properties.get(number);
        let expect = expect.and_then(|p| p.expect.as_deref());
        for property in &mut one.properties {
            property.asked.expect = expect.and_then(Expectation::from_name);
        }
        add(&mut whole, one);
    }
    Ok(whole)
}

/// Answers for one property within the limits of its turn; `wait` is the time to wait for the
/// search of all states first.
fn property(
    args: &ProveArgs,
    search: &search::Search,
    beside: &beside::Beside,
    (number, wait): (usize, Option<Duration>),
    output: &Output,
) -> anyhow::Result<VerifyResult> {
    let alone = matches!(args.engine, Engine::Explicit | Engine::Spin);
    match beside.result(search, number, wait) {
        Some(Ok(result)) => return Ok(result),
        Some(Err(why)) if alone => return Ok(search.open(number, &why)),
        _ => {}
    }
    let cancel = backend::Cancel::new();
    beside.begin(number, &cancel);
    let (result, certificate) = search.property(number, &cancel)?;
    if let Some(path) = &args.certificate {
        certify(path, certificate.as_ref(), search, output)?;
    }
    // A later turn can ask for a result that the search of all states does not have yet.
    let left = search.limits.until;
    let left = left.map(|until| until.saturating_duration_since(Instant::now()));
    Ok(first_sure(result, left, |left| {
        beside.result(search, number, left)
    }))
}

/// The answer of the searches for one property; if they have none, the answer of the search of all
/// states, which may take as long as `left`. That search also has the run if it ended the others
/// while they were making the trace of a violation.
fn first_sure(
    mut result: VerifyResult,
    left: Option<Duration>,
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
        Some(Err(why)) => note(&mut result, Some(why).filter(|w| !w.is_empty())),
        None => {}
    }
    result
}

/// Adds to a property without an answer why the search of all states has none, if the reason is another one.
fn note(result: &mut VerifyResult, why: Option<String>) {
    let open = result
        .properties
        .iter_mut()
        .find(|p| p.answer.holds == Holds::Unknown);
    if let (Some(property), Some(why)) = (open, why) {
        let reason = property.answer.reason.take().unwrap_or_default();
        property.answer.reason = Some(match reason.is_empty() {
            true => format!("all states: {why}"),
            false if reason == why => reason,
            false => format!("{reason}; all states: {why}"),
        });
    }
}

/// Writes the certificate, or reports why there is none.
fn certify(
    path: &Path,
    certificate: Option<&Certificate>,
    search: &search::Search,
    output: &Output,
) -> anyhow::Result<()> {
    let text = match certificate {
        Some(certificate) => origin::certified(certificate, search)?,
        None => Err("nothing was proved by induction".into()),
    };
    match text {
        Ok(text) => outputs::write_atomically(path, text.as_bytes()),
        Err(_) if output.quiet => Ok(()),
        Err(why) => {
            outputs::tell(format!("no certificate was written: {why}\n"));
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
