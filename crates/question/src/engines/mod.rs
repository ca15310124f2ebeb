//! One question, all engines that apply: what `verify` does where no option asks for a bounded search alone.

mod bounded;
mod lassos;
mod memory;
mod proofs;
mod sliced;
mod steps;
mod stored;
mod wide;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use forms::{Cause, Failure, Listener, Quiet};
use verify::portfolio::{self, Search, Stage};
use verify::result::{Engine, VerifyResult};

use crate::selection::Selection;
use crate::settings::Settings;
use crate::source::Source;
use bounded::{Bounded, Deeper};
use lassos::Lassos;
use memory::Memory;
use proofs::Proofs;
use sliced::Sliced;
use steps::Steps;
use stored::{Stored, Storing};

/// The time for all engines together, unless `--budget` says otherwise.
pub const BUDGET: Duration = Duration::from_secs(60);

/// The engines that are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engines {
    named: Vec<Engine>,
}

impl Engines {
    /// All engines.
    pub fn all() -> Engines {
        Engines {
            named: Engine::ALL.to_vec(),
        }
    }

    /// These engines.
    pub fn of(named: &[Engine]) -> Engines {
        Engines {
            named: named.to_vec(),
        }
    }

    /// Whether an engine is asked.
    pub fn has(&self, engine: Engine) -> bool {
        self.named.contains(&engine)
    }

    /// The error where no engine that was named applies to the program.
    pub fn none_applies(&self, threads: bool) -> anyhow::Error {
        let names: Vec<&str> = self.named.iter().map(|e| e.name()).collect();
        let kind = match threads {
            true => "threads; bounded, rounds, lasso and steps do",
            false => "no threads; bounded, lasso, explicit, induction and k-induction do",
        };
        Failure::error(
            Cause::Usage,
            format!(
                "--engine {}: this does not apply to a program with {kind}",
                names.join(",")
            ),
        )
    }
}

/// An engine of the table.
trait Applies: Search<anyhow::Error> {
    /// Whether it is asked, and can answer the question.
    fn applies(&self) -> bool;
}

/// A question, and the engines that may answer it.
pub struct Question<'a> {
    /// How it is asked.
    pub settings: &'a Settings,
    /// The program and its specification.
    pub source: &'a Source,
    /// The model checker.
    pub backend: &'a dyn backend::Backend,
    /// The options of its runs. A run is asked of each violation even if it is not to be shown: one that does something
    /// undefined refutes nothing.
    pub options: &'a verify::Options,
    /// Who hears what is known meanwhile.
    pub output: &'a dyn Listener,
    /// The engines that are asked.
    pub engines: &'a Engines,
    /// Where answers are stored.
    pub many: &'a Selection,
    /// The most states that a search of all schedules visits.
    pub states: u64,
    /// When all engines end.
    pub until: Instant,
}

impl Question<'_> {
    /// The answers of an earlier run, if they are stored, and those of all engines that apply about the other properties.
    ///
    /// # Errors
    /// The error of the first engine, if none has an answer; a proof and a violation of one property; answers that cannot be
    /// stored.
    pub fn answer(&self) -> anyhow::Result<VerifyResult> {
        let mut names = self.properties()?;
        let order = names.clone();
        let stored = Stored::open(self, self.many)?;
        let known = stored.known(&mut names);
        if known.properties.is_empty() {
            return self.searched(names, stored);
        }
        let mut found = vec![known];
        if !names.is_empty() {
            let mut settings = self.settings.clone();
            settings.many.only.clone_from(&names);
            let rest = Question {
                settings: &settings,
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
        let quiet = Quiet(self.output);
        let bounded = Bounded::new(self, &quiet);
        let [late, last] = Deeper::new(self, &quiet, &bounded);
        let table: [&dyn Applies; 8] = [
            &bounded,
            &Proofs::new(self, &quiet),
            &Memory::new(self, &quiet),
            &Steps::new(self, &quiet),
            &Sliced::new(self, &quiet),
            &Lassos::new(self, &quiet),
            &late,
            &last,
        ];
        let stored = Mutex::new(stored);
        let applicable = table.into_iter().filter(|engine| engine.applies());
        let searches: Vec<Storing> = applicable
            .map(|engine| Storing::new(engine, &stored))
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
        if !self.settings.shows_runs {
            for property in &mut result.properties {
                property.run = std::mem::take(&mut property.run).hidden();
            }
        }
        Ok(result)
    }

    /// Runs searches, and tells what is known meanwhile.
    fn run(
        &self,
        searches: &[&dyn Search<anyhow::Error>],
        names: Vec<String>,
    ) -> Vec<portfolio::Answered<anyhow::Error>> {
        let work = self.output.searching(1);
        let told = |news: &portfolio::News| {
            let text = said(news);
            work.doing(&text);
            self.output.detail(format_args!("{text}\n"));
        };
        portfolio::run(searches, names, self.until, &told)
    }

    /// The names of the properties that `--only` selects.
    fn properties(&self) -> anyhow::Result<Vec<String>> {
        let record = &self.source.whole.record;
        let names: Vec<String> = record.properties.iter().map(|p| p.name.clone()).collect();
        self.settings.many.named(&names)
    }
}

/// How long the bounded search has the machine for itself.
const ALONE: Duration = Duration::from_millis(400);

impl Question<'_> {
    /// When an engine starts that follows all runs: soon after the bounded search, if that is asked.
    pub(super) fn beside(&self) -> Stage {
        match self.engines.has(Engine::Bounded) && !self.leaves_rounds() {
            true => Stage::Beside(ALONE),
            false => Stage::First,
        }
    }

    /// Whether rounds wait for the search of all states: a model of the memory makes many steps of each access, which rounds
    /// write out one by one.
    fn leaves_rounds(&self) -> bool {
        self.source.program.models_memory() && self.engines.has(Engine::Steps)
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
