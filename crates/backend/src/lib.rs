//! External model checkers: processes, limits, output parsers, traces.
//!
//! A backend is opened once ([`open`]), which finds the program and asks its version, and then runs
//! [`Job`]s. Each run ends in a [`Finished`]: either an [`Answer`], which says for every assertion
//! text what the backend found, or a [`Failure`] with a reason. There is no third way: an assertion
//! that the backend did not decide is simply absent from [`Answer::outcomes`], never guessed.
//!
//! One file for each external program ([`cbmc`], [`esbmc`], and [`native`] for the C compiler); what they share is the process runner
//! ([`process`]) with its limits, its cancellation and its handling of signals, and the reading of
//! untrusted bytes ([`text`]).
//!
//! Architecture invariants:
//! - Exit codes are never trusted alone. An answer needs a complete output whose parts agree with
//!   each other and with the exit code; anything else is [`Failure::Unparsable`].
//! - Assertions are found by their text, never by a generated identifier.
//! - No child outlives its run: each has its own process group, which is killed at the end of the
//!   run, on time-out, on cancellation and when this process gets SIGINT, SIGTERM or SIGHUP.

pub mod answer;
pub mod capabilities;
pub mod cbmc;
mod chars;
mod coverage;
pub mod esbmc;
pub mod explore;
pub mod job;
pub mod locate;
pub mod native;
pub mod process;
mod scratch;
mod session;
mod size;
pub mod stage;
pub mod text;

#[cfg(test)]
mod testing;

pub use answer::{
    Answer, Failure, Finished, Location, OtherFailure, OtherKind, Outcome, StepKind, TraceStep,
    Usage, Value, OWN_PREFIX,
};
pub use capabilities::{Advice, Assumption, Capabilities, Induction};
pub use chars::is_unsigned;
pub use coverage::Coverage;
pub use job::{Job, Selection, Traces};
use locate::Which;
pub use locate::{Kind, Program, Version};
pub use process::{interrupted, Cancel};
pub use scratch::Scratch;
pub use size::{Positions, Size};

use std::path::Path;

impl Kind {
    /// What a current version of it can do.
    pub fn capabilities(self) -> Capabilities {
        match self.0 {
            Which::Cbmc => cbmc::CAPABILITIES,
            Which::Esbmc => esbmc::CAPABILITIES,
            Which::Native => native::CAPABILITIES,
        }
    }

    /// What a user is told of it.
    pub fn advice(self) -> Advice {
        match self.0 {
            Which::Cbmc => cbmc::ADVICE,
            Which::Esbmc => esbmc::ADVICE,
            Which::Native => native::ADVICE,
        }
    }
}

/// A model checker that is installed and has told its version.
pub trait Backend: Send + Sync {
    /// Which program this is, where it is and its version.
    fn program(&self) -> &Program;

    /// What this version of it can do.
    fn capabilities(&self) -> Capabilities {
        self.program().kind.capabilities()
    }

    /// Runs one job to its end. Blocks; `cancel` ends it early from another thread.
    fn run(&self, job: &Job, cancel: &Cancel) -> Finished;

    /// Which lines of a job's program some run within the bounds comes to.
    ///
    /// # Errors
    /// Why there is no answer; [`Failure::Undecided`] where the backend has none to give.
    fn coverage(&self, _job: &Job, _cancel: &Cancel) -> Result<Coverage, Failure> {
        Err(Failure::Undecided {
            message: "it does not tell which lines runs reach".into(),
        })
    }

    /// How large the formula of a job is, without solving it.
    ///
    /// # Errors
    /// Why there is no answer; [`Failure::Undecided`] where the backend has none to give.
    fn size(&self, _job: &Job, _cancel: &Cancel) -> Result<Size, Failure> {
        Err(Failure::Undecided {
            message: "it does not tell how large its formula is".into(),
        })
    }

    /// Proves the assertions of a job for runs of any length by k-induction, with so many rounds at most; for backends that
    /// can ([`Capabilities::k_induction`]). The bounds of the job do not matter.
    ///
    /// # Errors
    /// Why there is no proof; a violation is no answer of this.
    fn k_induction(
        &self,
        _job: &Job,
        _most: u32,
        _cancel: &Cancel,
    ) -> (Result<Induction, Failure>, Usage) {
        let message = "it has no k-induction".into();
        (Err(Failure::Undecided { message }), Usage::default())
    }

    /// The name of the loop or recursion that a failing unwinding assertion is about, as
    /// [`Job::unwindset`] takes it; nothing if the backend has no such names.
    fn cut_loop(&self, _failure: &OtherFailure) -> Option<String> {
        None
    }
}

/// Opens an installed backend that proves by k-induction.
///
/// # Errors
/// [`Failure::NotFound`] where there is none, [`Failure::Undecided`] where its version is too old.
pub fn open_inductive() -> Result<Box<dyn Backend>, Failure> {
    let backend = open(Kind::ESBMC, None)?;
    match backend.capabilities().k_induction {
        true => Ok(backend),
        false => Err(Failure::Undecided {
            message: "this version of ESBMC has no k-induction".into(),
        }),
    }
}

/// Finds the program of `kind` and asks its version.
///
/// `explicit` is a path or name that the user gave (`--backend-path`); it is used or it is an error.
/// See [`locate::find`] for the places that are searched otherwise.
///
/// # Errors
/// [`Failure::NotFound`] where there is none, [`Failure::Crashed`] or [`Failure::Unparsable`] where
/// it does not tell a version.
pub fn open(kind: Kind, explicit: Option<&Path>) -> Result<Box<dyn Backend>, Failure> {
    let program = Program::open(kind, explicit)?;
    Ok(match kind.0 {
        Which::Cbmc => Box::new(cbmc::Cbmc::new(program)),
        Which::Esbmc => Box::new(esbmc::Esbmc::new(program)),
        Which::Native => Box::new(native::Native::new(program)),
    })
}
