//! Why work on a program ends without a result.

/// The kind of a failure, on which callers act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Any failure without a kind of its own.
    Other,
    /// What was asked has no meaning.
    Usage,
    /// The specification or the C code is refused.
    Refused,
    /// There is no usable backend.
    NoBackend,
}

/// A failure of a kind of its own.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The kind.
    pub cause: Cause,
    /// The message that is still to be said; empty if the listener has heard what is wrong.
    pub message: String,
}

impl Failure {
    /// A failure with a message that is still to be said.
    pub fn error(cause: Cause, message: impl Into<String>) -> anyhow::Error {
        Failure {
            cause,
            message: message.into(),
        }
        .into()
    }

    /// A failure of which the listener has heard.
    pub fn silent(cause: Cause) -> anyhow::Error {
        Failure::error(cause, "")
    }
}
