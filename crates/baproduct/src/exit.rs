//! The exit statuses, fixed for callers.

use std::process::ExitCode;

/// Why the program ends as it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything is as wanted.
    Success = 0,
    /// Anything that has no status of its own.
    Failure = 1,
    /// The command line makes no sense.
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

/// A failure that was already explained and has a status of its own.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Ended {
    /// The status.
    pub status: Status,
    /// What is still to be said; may be empty.
    pub message: String,
}

impl Ended {
    /// A failure with something to say.
    pub fn error(status: Status, message: impl Into<String>) -> anyhow::Error {
        Ended {
            status,
            message: message.into(),
        }
        .into()
    }

    /// A failure about which all is said.
    pub fn silent(status: Status) -> anyhow::Error {
        Ended::error(status, "")
    }
}

/// Says what is still to be said and gives the status. A broken pipe is success: the reader has seen
/// enough.
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
