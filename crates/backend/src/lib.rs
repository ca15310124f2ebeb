//! External model checkers: processes, limits, output parsers, traces.
//!
//! [`open`] finds a backend's program and asks its version; the backend then runs [`Job`]s. Each
//! run ends in a [`Finished`]: an [`Answer`], which has the outcome of each decided assertion by
//! text, or a [`Failure`] with a reason. An assertion that the backend did not decide is absent
//! from [`Answer::outcomes`], never guessed.
//!
//! Each external program has a file ([`cbmc`], [`esbmc`], and [`native`] for the C compiler). They
//! share the process runner ([`process`]) with limits, cancellation and handling of signals, and
//! the reading of untrusted bytes ([`text`]).
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
mod machine;
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
pub use capabilities::{Advice, Assumption, Capabilities, Dialect, Induction, ObjectFunctions};
pub use coverage::{Coverage, Lines};
pub use job::{Job, Selection, Traces};
use locate::Which;
pub use locate::{Kind, Program, Version};
pub use machine::{Headers32, Machine};
pub use process::{interrupted, Cancel};
pub use scratch::Scratch;
pub use size::{Positions, Size};

use std::path::Path;

impl Kind {
    /// The capabilities of a current version.
    pub fn capabilities(self) -> Capabilities {
        match self.0 {
            Which::Cbmc => cbmc::CAPABILITIES,
            Which::Esbmc => esbmc::CAPABILITIES,
            Which::Native => native::CAPABILITIES,
        }
    }

    /// Descriptions for users.
    pub fn advice(self) -> Advice {
        match self.0 {
            Which::Cbmc => cbmc::ADVICE,
            Which::Esbmc => esbmc::ADVICE,
            Which::Native => native::ADVICE,
        }
    }
}

/// A model checker that is installed and has reported its version.
pub trait Backend: Send + Sync {
    /// The program: its kind, path and version.
    fn program(&self) -> &Program;

    /// The capabilities of this version.
    fn capabilities(&self) -> Capabilities {
        self.program().kind.capabilities()
    }

    /// The names by which C code addresses it; emitted names have `infix` after their prefix.
    fn dialect(&self, _infix: &str) -> Dialect {
        Dialect::default()
    }

    /// Runs one job to its end. Blocks; `cancel` ends it early from another thread.
    fn run(&self, job: &Job, cancel: &Cancel) -> Finished;

    /// The lines of a job's program that some run within the bounds reaches.
    ///
    /// # Errors
    /// Why there is no answer; [`Failure::Undecided`] if the backend has none.
    fn coverage(&self, _job: &Job, _cancel: &Cancel) -> Result<Coverage, Failure> {
        Err(Failure::Undecided {
            message: "it does not tell which lines runs reach".into(),
        })
    }

    /// The size of a job's formula, without solving it.
    ///
    /// # Errors
    /// Why there is no answer; [`Failure::Undecided`] if the backend has none.
    fn size(&self, _job: &Job, _cancel: &Cancel) -> Result<Size, Failure> {
        Err(Failure::Undecided {
            message: "it does not tell how large its formula is".into(),
        })
    }

    /// Proves the assertions of a job for runs of any length by k-induction with k at most `most`;
    /// for backends with [`Capabilities::k_induction`]. The job's bounds do not matter.
    ///
    /// # Errors
    /// Why there is no proof; violations are not reported.
    fn k_induction(
        &self,
        _job: &Job,
        _most: u32,
        _cancel: &Cancel,
    ) -> (Result<Induction, Failure>, Usage) {
        let message = "it has no k-induction".into();
        (Err(Failure::Undecided { message }), Usage::default())
    }

    /// The name, for [`Job::unwindset`], of the loop or recursion of a failing unwinding assertion;
    /// `None` if the backend has no such names.
    fn cut_loop(&self, _failure: &OtherFailure) -> Option<String> {
        None
    }
}

/// Opens an installed backend that proves by k-induction.
///
/// # Errors
/// [`Failure::NotFound`] if there is none, [`Failure::Undecided`] if its version is too old.
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
/// `explicit` is a path or name that the user gave (`--backend-path`); if it does not work, that is
/// an error. See [`locate::find`] for the places that are searched otherwise.
///
/// # Errors
/// [`Failure::NotFound`] if there is none, [`Failure::Crashed`] or [`Failure::Unparsable`] if it
/// reports no version.
pub fn open(kind: Kind, explicit: Option<&Path>) -> Result<Box<dyn Backend>, Failure> {
    Program::open(kind, explicit).map(of)
}

/// The backend that runs a program which was found and asked before.
pub fn of(program: Program) -> Box<dyn Backend> {
    match program.kind.0 {
        Which::Cbmc => Box::new(cbmc::Cbmc::new(program)),
        Which::Esbmc => Box::new(esbmc::Esbmc::new(program)),
        Which::Native => Box::new(native::Native::new(program)),
    }
}
