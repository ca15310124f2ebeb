//! The options by which engines are chosen.

use forms::{Cause, Failure};
use question::engines::Engines;
use question::Input;
use verify::result::Engine;

use super::args::{Args, LevelsName};
use crate::options::MonitorForm;

/// The arguments of `verify`.
#[derive(clap::Args, Debug)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub verify: Args,
    /// How to search for an answer, several separated by commas: bounded, rounds, lasso, explicit, steps, induction, k-induction;
    /// auto is all that apply [default: auto without a bound, else bounded]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = named)]
    engine: Vec<Named>,
    /// Give exit status 0 only if every formula is proved, as `prove` does
    #[arg(long, value_enum, value_name = "WHAT")]
    pub require: Option<Required>,
}

/// What counts as success.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// Every formula holds on all runs of any length
    Proved,
}

/// An engine, or all that apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Auto,
    One(Engine),
}

fn named(text: &str) -> Result<Named, String> {
    match text {
        "auto" => Ok(Named::Auto),
        text => text.parse().map(Named::One),
    }
}

impl VerifyArgs {
    /// The arguments by which the program of a run is woven; a lasso may be the answer of a proof, which finds the state
    /// itself.
    pub fn verifying(self, lasso: bool) -> Args {
        let mut verify = self.verify;
        if lasso && !verify.weaving.lasso {
            verify.set_lasso(true);
            verify.find_state();
        }
        verify
    }

    /// The arguments of the searches for an answer. Where all engines may be asked, the answers are stored beside the searches:
    /// where they are stored, says nothing about how a program is woven.
    pub fn searched(&self) -> Args {
        let mut args = self.verify.clone();
        let bounded =
            self.engine == [Named::One(Engine::Bounded)] || bounded_option(&args).is_some();
        if !bounded {
            args.many.results = None;
            args.many.resume = false;
        }
        args
    }

    /// The engines for a question; `None` for a bounded search alone, which has options of its own.
    ///
    /// # Errors
    /// If options of the bounded search stand beside engines that know nothing of them (wrong usage).
    pub fn engines(&self, input: &Input) -> anyhow::Result<Option<Engines>> {
        let Input::Source(source) = input else {
            return match self.engine.iter().all(|e| *e == Named::One(Engine::Bounded)) {
                true => Ok(None),
                false => Err(usage("--engine needs the program and its specification, not a program that was instrumented before")),
            };
        };
        if self.engine.is_empty() {
            let open = source.spec.bound().is_none() && bounded_option(&self.verify).is_none();
            let searches = self.verify.backend.capabilities().searches;
            return Ok((open && searches).then(Engines::all));
        }
        if self.engine == [Named::One(Engine::Bounded)] {
            return Ok(None);
        }
        if let Some(option) = bounded_option(&self.verify).filter(|o| *o != "--unwind") {
            let message =
                format!("{option} is about a bounded search; it goes with --engine bounded alone");
            return Err(usage(&message));
        }
        if self.engine.contains(&Named::Auto) {
            return Ok(Some(Engines::all()));
        }
        let named = self.engine.iter().filter_map(|e| match e {
            Named::One(engine) => Some(*engine),
            Named::Auto => None,
        });
        Ok(Some(Engines::of(&named.collect::<Vec<_>>())))
    }
}

fn usage(message: &str) -> anyhow::Error {
    Failure::error(Cause::Usage, message)
}

/// The first option that only a bounded search understands.
fn bounded_option(args: &Args) -> Option<&'static str> {
    let options = [
        ("--unwind", args.weaving.unwind.is_some()),
        ("--unwindset", !args.weaving.unwindset.is_empty()),
        ("--bounds", !args.many.bounds.is_empty()),
        ("--context-bound", args.context_bound.is_some()),
        ("--schedules", args.schedules.is_some()),
        ("--monitor", args.weaving.monitor != MonitorForm::Auto),
        ("--levels", args.levels != LevelsName::Auto),
        ("--group", args.many.group != 0),
        ("--backend native", !args.backend.capabilities().searches),
    ];
    options
        .into_iter()
        .find(|(_, given)| *given)
        .map(|(name, _)| name)
}
