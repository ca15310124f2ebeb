//! The engines that can answer a question, as results name them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A way to search for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// All runs up to a bound of loops.
    Bounded,
    /// The runs of threads in a few rounds.
    Rounds,
    /// Runs that repeat a state.
    Lasso,
    /// All states.
    Explicit,
    /// All states of threads, on all schedules.
    Steps,
    /// Invariants and ranking functions.
    Induction,
    /// The k-induction of a model checker.
    KInduction,
}

impl Engine {
    /// All engines, quick ones first.
    pub const ALL: [Engine; 7] = [
        Engine::Bounded,
        Engine::Rounds,
        Engine::Lasso,
        Engine::Explicit,
        Engine::Steps,
        Engine::Induction,
        Engine::KInduction,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Bounded => "bounded",
            Engine::Rounds => "rounds",
            Engine::Lasso => "lasso",
            Engine::Explicit => "explicit",
            Engine::Steps => "steps",
            Engine::Induction => "induction",
            Engine::KInduction => "k-induction",
        }
    }

    /// What it does, to be read after "by".
    pub fn words(self) -> &'static str {
        match self {
            Engine::Bounded => "a search of all runs up to a bound",
            Engine::Rounds => "a search of the runs of a few rounds",
            Engine::Lasso => "a search for infinite runs",
            Engine::Explicit => "a search of all states",
            Engine::Steps => "a search of all states of all schedules",
            Engine::Induction => "induction",
            Engine::KInduction => "the k-induction of a model checker",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        let found = Engine::ALL.into_iter().find(|e| e.name() == text);
        found.ok_or_else(|| {
            let names = Engine::ALL.map(Engine::name).join(", ");
            format!("the engines are {names}, and auto for all that apply")
        })
    }
}

/// What an engine said about a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The engine.
    pub engine: Engine,
    /// Its answer, or why it has none.
    pub said: String,
    /// Wall-clock seconds until then.
    pub seconds: f64,
}
