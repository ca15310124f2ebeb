//! How a question is asked.

use std::path::PathBuf;
use std::time::Duration;

use backend::Backend;
use forms::rounds::Rounds;
use forms::{Cause, Failure};
use sequentialise::memory::Model;
use sequentialise::Fairness;
use weave::record::Record;

use crate::selection::Selection;
use crate::wanted::{can_search_all, Wanted, SURE};

/// The model checker, the limits, and what is asked besides the verdicts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The model checker.
    pub backend: backend::Kind,
    /// The model checker's program, if it is not the one on the path.
    pub backend_path: Option<PathBuf>,
    /// How threads are followed.
    pub threads: Threads,
    /// The options of the model checker's runs.
    pub options: verify::Options,
    /// The time for everything.
    pub budget: Option<Duration>,
    /// Whether a violating run is shown.
    pub shows_runs: bool,
    /// Whether data races are searched.
    pub races: bool,
    /// The properties.
    pub many: Selection,
}

/// How threads are followed.
#[derive(Debug, Clone)]
pub struct Threads {
    /// The command that preprocesses programs before they are sequentialised.
    pub cpp: String,
    /// Whether waiting for a condition variable may end without a signal.
    pub spurious_wakeups: bool,
    /// The infinite runs that count.
    pub fairness: Fairness,
    /// The schedules.
    pub schedules: Wanted,
    /// The memory model, if it is weaker than sequential consistency.
    pub memory: Option<Model>,
}

/// How the schedules of a program are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// By the backend alone.
    Plain,
    /// By rounds, as many as the time allows.
    Rounds,
    /// All schedules, and rounds in parallel.
    Both,
}

/// Whether threads may take turns in rounds: a model checker that searches, without a bound of switches, asks once.
pub fn can_take_rounds(backend: backend::Kind, switches: Option<u32>, many: &Selection) -> bool {
    let once = many.bounds.is_empty() && many.results.is_none();
    backend.capabilities().searches && switches.is_none() && once
}

impl Settings {
    /// The options with a run of each violation, even if none is to be shown: one that does something undefined refutes
    /// nothing.
    pub fn showing_violations(&self) -> verify::Options {
        let mut options = self.options.clone();
        if !self.shows_runs {
            options.trace = verify::TraceWish::Violations;
        }
        options
    }

    /// How the schedules of a program with this record are searched.
    pub fn schedule(&self, record: &Record) -> Schedule {
        // Infinite runs of threads are searched by rounds only.
        let infinite = record.threads && record.lasso.is_some();
        let asked = self.threads.schedules == Wanted::Auto;
        let rounds = can_take_rounds(self.backend, self.options.context_bound, &self.many);
        if !asked || !record.threads || !rounds {
            return Schedule::Plain;
        }
        // The steps of a memory model are as many as those of the program: all schedules of both are too many for a bounded search.
        let strong = self.threads.memory.is_none();
        match can_search_all(self.backend.capabilities(), record) {
            true if !infinite && strong => Schedule::Both,
            _ => Schedule::Rounds,
        }
    }

    /// The model checker behind a sequentialisation of this many rounds.
    pub fn rounds(&self, plain: Box<dyn Backend>, rounds: u32) -> Rounds<'static> {
        let threads = &self.threads;
        Rounds::new(plain, rounds, &threads.cpp)
            .spurious(threads.spurious_wakeups)
            .fair(threads.fairness)
    }

    /// The model checker, behind a sequentialisation if rounds are asked for.
    ///
    /// # Errors
    /// If it is not installed.
    pub fn open(&self) -> anyhow::Result<Box<dyn Backend>> {
        let plain = self.open_plain()?;
        Ok(match self.threads.schedules {
            Wanted::Rounds(rounds) => Box::new(self.rounds(plain, rounds)),
            _ => plain,
        })
    }

    /// The model checker for one program, with its options: infinite runs of threads are searched by rounds
    /// even if none are asked for.
    ///
    /// # Errors
    /// If it is not installed.
    pub fn open_for(
        &self,
        record: &Record,
        options: verify::Options,
    ) -> anyhow::Result<(Box<dyn Backend>, verify::Options)> {
        let infinite = record.threads && record.lasso.is_some();
        if !infinite || options.rounds.is_some() {
            return Ok((self.open()?, options));
        }
        let backend = self.rounds(self.open_plain()?, SURE);
        let options = verify::Options {
            rounds: Some(SURE),
            ..options
        };
        Ok((Box::new(backend), options))
    }

    /// The model checker, without sequentialisation.
    ///
    /// # Errors
    /// If it is not installed.
    pub fn open_plain(&self) -> anyhow::Result<Box<dyn Backend>> {
        backend::open(self.backend, self.backend_path.as_deref()).map_err(|failure| {
            Failure::error(
                Cause::NoBackend,
                format!(
                    "{failure}; `baproduct doctor` says what is installed and how to get the rest"
                ),
            )
        })
    }
}
