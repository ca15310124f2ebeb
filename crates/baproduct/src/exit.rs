//! The exit statuses, on which callers rely, and the error that carries one.

use std::process::ExitCode;

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

/// A failure with its own status.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Ended {
    /// The status.
    pub status: Status,
    /// The message that is still to be printed; empty if the failure was already explained.
    pub message: String,
}

impl Ended {
    /// A failure with a message that is still to be printed.
    pub fn error(status: Status, message: impl Into<String>) -> anyhow::Error {
        Ended {
            status,
            message: message.into(),
        }
        .into()
    }

    /// A failure that was already explained.
    pub fn silent(status: Status) -> anyhow::Error {
        Ended::error(status, "")
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
        .downcast_ref::<Ended>()
        .map_or(Status::Failure, |e| e.status);
    let text = format!("{error:#}");
    if !text.is_empty() {
        crate::notes::tell(format_args!("error: {text}"));
    }
    status.into()
}
