//! One question, all engines that apply: what `verify` does where no option asks for a bounded search alone.

mod engines;
mod options;
mod steps;
mod stored;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use verify::portfolio::{self, Search};
use verify::result::VerifyResult;

pub use options::{Engines, Required, VerifyArgs};

use super::args::Args;
use super::{options_of, progress, selection, Input, Source};
use crate::options::Output;
use engines::{Bounded, Deeper, Lassos, Proofs};
use steps::Steps;
use stored::{Stored, Storing};

/// The time for all engines together, unless `--budget` says otherwise.
pub(super) const BUDGET: Duration = Duration::from_secs(60);

/// The options of a question about this many properties. A run is asked of each violation even if it is not to be shown:
/// one that does something undefined refutes nothing.
///
/// # Errors
/// If an option is wrong.
pub(super) fn options(args: &Args, properties: usize) -> anyhow::Result<::verify::Options> {
    let mut options = options_of(args, properties)?;
    if args.no_trace {
        options.trace = ::verify::TraceWish::Violations;
    }
    Ok(options)
}

/// A question, and the engines that may answer it.
pub(super) struct Question<'a> {
    pub(super) args: &'a Args,
    pub(super) input: &'a Input,
    pub(super) source: &'a Source,
    pub(super) backend: &'a dyn backend::Backend,
    pub(super) options: &'a verify::Options,
    pub(super) output: &'a Output,
    pub(super) engines: &'a Engines,
    /// Where answers are stored.
    pub(super) many: &'a selection::Options,
    /// When all engines end.
    pub(super) until: Instant,
}

impl Question<'_> {
    /// The answers of an earlier run, if they are stored, and those of all engines that apply about the other properties.
    ///
    /// # Errors
    /// The error of the first engine, if none has an answer; a proof and a violation of one property; answers that cannot be
    /// stored.
    pub(super) fn answer(&self) -> anyhow::Result<VerifyResult> {
        let mut names = self.properties()?;
        let order = names.clone();
        let stored = Stored::open(self, self.many)?;
        let known = stored.known(&mut names);
        if known.properties.is_empty() {
            return self.searched(names, stored);
        }
        let mut found = vec![known];
        if !names.is_empty() {
            let mut args = self.args.clone();
            args.many.only.clone_from(&names);
            let rest = Question {
                args: &args,
                ..*self
            };
            let mut result = rest.searched(names.clone(), stored)?;
            result.properties.retain(|p| names.contains(&p.asked.name));
            found.push(result);
        }
        Ok(portfolio::beside(found, &order))
    }

    /// Asks all engines that apply about these properties, combines their answers, and stores those that decide.
    fn searched(&self, names: Vec<String>, stored: Stored) -> anyhow::Result<VerifyResult> {
        let quiet = Output {
            quiet: true,
            ..self.output.clone()
        };
        let bounded = Bounded::new(self, &quiet);
        let deeper = Deeper::new(self, &quiet, &bounded);
        let proofs = Proofs::new(self, &quiet);
        let steps = Steps::new(self, &quiet);
        let lassos = Lassos::new(self, &quiet);
        let all: [(bool, &dyn Search<anyhow::Error>); 5] = [
            (bounded.applies(), &bounded),
            (proofs.applies(), &proofs),
            (steps.applies(), &steps),
            (lassos.applies(), &lassos),
            (deeper.applies(), &deeper),
        ];
        let stored = Mutex::new(stored);
        let searches: Vec<Storing> = all
            .into_iter()
            .filter_map(|(applies, search)| applies.then_some(Storing::new(search, &stored)))
            .collect();
        if searches.is_empty() {
            let threads = self.source.whole.record.threads;
            return Err(self.engines.none_applies(threads));
        }
        let searches: Vec<&dyn Search<anyhow::Error>> =
            searches.iter().map(|s| s as &dyn Search<_>).collect();
        let answered = self.run(&searches, names);
        let mut result = match portfolio::combined(answered) {
            Ok(Ok(result)) => result,
            Ok(Err(contradiction)) => return Err(contradiction.into()),
            Err(Some(error)) => return Err(error),
            Err(None) => {
                anyhow::bail!("the time was over before an engine began; give a larger --budget")
            }
        };
        let stored = stored.into_inner();
        stored
            .unwrap_or_else(PoisonError::into_inner)
            .add(&result)?;
        if self.args.no_trace {
            result.properties.iter_mut().for_each(hide_run);
        }
        Ok(result)
    }

    /// Runs searches, and tells what is known meanwhile.
    fn run(
        &self,
        searches: &[&dyn Search<anyhow::Error>],
        names: Vec<String>,
    ) -> Vec<portfolio::Answered<anyhow::Error>> {
        let line = progress::bar(self.output, 1);
        let told = |news: &portfolio::News| {
            let text = said(news);
            line.set_message(text.clone());
            if self.output.verbose > 0 {
                crate::outputs::tell(format!("{text}\n"));
            }
        };
        let answered = portfolio::run(searches, names, self.until, &told);
        line.finish_and_clear();
        answered
    }

    /// The names of the properties that `--only` selects.
    fn properties(&self) -> anyhow::Result<Vec<String>> {
        let record = &self.source.whole.record;
        let names: Vec<String> = record.properties.iter().map(|p| p.name.clone()).collect();
        self.args.many.named(&names)
    }
}

/// What is known while engines search.
fn said(news: &portfolio::News) -> String {
    let running: Vec<&str> = news.running.iter().map(|engine| engine.name()).collect();
    let all = news.decided.len() + news.open;
    let known = match (news.decided.len(), all) {
        (0, _) | (_, 1) => String::new(),
        (some, all) => format!("; {some} of {all} are decided"),
    };
    format!("{}{known}", running.join(", "))
}

/// Removes a run that nobody wants to see.
fn hide_run(property: &mut ::verify::result::PropertyResult) {
    property.run = ::verify::result::ShownRun {
        defined: property.run.defined,
        undefined: std::mem::take(&mut property.run.undefined),
        ..::verify::result::ShownRun::default()
    };
}
