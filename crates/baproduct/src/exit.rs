//! The exit statuses, on which callers rely.

use std::process::ExitCode;

use forms::{Cause, Failure};

/// The reason for which the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The command did its work and found nothing wrong.
    Success = 0,
    /// Any failure without a status of its own.
    Failure = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The specification or the C code is refused.
    Refused = 3,
    /// There is no usable backend.
    NoBackend = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

impl From<Cause> for Status {
    fn from(cause: Cause) -> Status {
        match cause {
            Cause::Other => Status::Failure,
            Cause::Usage => Status::Usage,
            Cause::Refused => Status::Refused,
            Cause::NoBackend => Status::NoBackend,
        }
    }
}

/// Prints the message of an error and returns its exit status. A broken pipe is success: the reader
/// has seen enough.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        return Status::Success.into();
    }
    let status = error
        .downcast_ref::<Failure>()
        .map_or(Status::Failure, |failure| failure.cause.into());
    let text = format!("{error:#}");
    if !text.is_empty() {
        crate::notes::tell(format_args!("error: {text}"));
    }
    status.into()
}
