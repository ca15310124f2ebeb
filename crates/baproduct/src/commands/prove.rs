//! `baproduct prove`: decides whether a formula holds on all runs of any length.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use forms::{Cause, Failure};
use question::prove::{self, steps, Certify, Question, Ways, STATES};
use question::{assumptions, races, Input, Source, Wider};
use verify::portfolio::{self, Board};
use verify::result::Engine;

use crate::commands::verify::{self as command, reports, witness};
use crate::options::Output;
use crate::outputs;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct ProveArgs {
    #[command(flatten)]
    verify: command::Args,
    /// How to search for an answer
    #[arg(long, value_enum, default_value = "auto")]
    engine: Named,
    /// The most states that the search of all states visits [default: 1000000; of a program with threads 10000000]
    #[arg(long, value_name = "N")]
    states: Option<u64>,
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
enum Named {
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

impl Named {
    fn ways(self) -> Ways {
        let auto = self == Named::Auto;
        Ways {
            explicit: auto || matches!(self, Named::Explicit | Named::Spin),
            spin: self == Named::Spin,
            induction: auto || self == Named::Induction,
            k_induction: auto || self == Named::KInduction,
            lasso: auto,
            beside_bounds: false,
        }
    }
}

/// Runs the command.
pub fn run(args: &mut ProveArgs, output: &Output) -> anyhow::Result<ExitCode> {
    args.verify.find_state();
    let args = &*args;
    args.verify.supported()?;
    reports::check(&args.verify)?;
    let input = command::input(&args.verify, output)?;
    let Input::Source(source) = &input else {
        return Err(Failure::error(
            Cause::Usage,
            "prove needs the program and its specification, not a program that was instrumented before",
        ));
    };
    let threads = source.whole.record.threads;
    if threads && args.certificate.is_some() {
        return Err(Failure::error(
            Cause::Usage,
            "--certificate: certificates are about programs without threads; `sequentialise --form steps` makes one of this program",
        ));
    }
    if args.certificate.is_some() && source.spec.formulas() != 1 {
        return Err(Failure::error(
            Cause::Usage,
            "--certificate: a certificate is about one property; the specification has several",
        ));
    }
    let settings = args.verify.settings(source.spec.formulas())?;
    let backend = settings.open()?;
    let writes = matches!(args.engine, Named::Auto | Named::Induction);
    if args.certificate.is_some() && !writes {
        let message = "--certificate wants a proof by induction; use --engine induction. That all states were visited, or \
                       what ESBMC says, can only be confirmed by doing the same again";
        return Err(Failure::error(Cause::Usage, message));
    }
    reports::prepare(&args.verify)?;
    let names = source.whole.record.properties.iter();
    let names: Vec<String> = names.map(|p| p.name.clone()).collect();
    let begun = Instant::now();
    let engine = if threads {
        Engine::Steps
    } else {
        Engine::Induction
    };
    let certificate = args.certificate.as_deref();
    let certificate =
        certificate.map(|path| move |text: &str| outputs::write_atomically(path, text.as_bytes()));
    let answer = |source: &Source| -> anyhow::Result<_> {
        let board = Board::alone(names.clone());
        let question = Question {
            source,
            backend: backend.as_ref(),
            options: &settings.options,
            until: args.verify.budget().map(|budget| begun + budget),
            output,
            ways: args.engine.ways(),
            states: args.states.unwrap_or(match threads {
                true => steps::STATES,
                false => STATES,
            }),
            questions: args.questions,
            certificate: certificate.as_ref().map(|write| write as &Certify),
            board: &board,
            turns: &verify::explicit::Turns::default(),
            publishes: true,
        };
        let result = match threads {
            true => steps::answers(&question, args.verify.fairness())?,
            false => prove::answers(&question)?,
        };
        Ok(portfolio::alone(engine, begun.elapsed(), result))
    };
    let mut whole = answer(source)?;
    // A certificate is about the program itself.
    if args.certificate.is_none() && Wider::is_needed(&whole) {
        if let Some(wider) = Wider::of(source, output)? {
            // Without an answer, the first one stands.
            if let Ok(found) = answer(&wider.source) {
                wider.onto(&mut whole, found);
            }
        }
    }
    source.doubt_unless_races_are_asked(&mut whole);
    races::look(&settings, &input, begun, output, &mut whole)?;
    assumptions::look(&input, &mut whole)?;
    whole.command = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    verify::handlers::tell(&source.whole.record, &mut whole);
    reports::cite(&args.verify, &mut whole);
    reports::save(&args.verify, &whole)?;
    if let Some(path) = args.verify.witness() {
        let model = &source.whole.record.model;
        witness::save(path, source.program.paths(), (&whole, model), output)?;
    }
    let said = reports::rendered(&args.verify, output, &whole)?;
    outputs::print(said.as_bytes())?;
    Ok(ExitCode::from(
        whole.status_of_proofs(args.verify.fails_on()),
    ))
}
