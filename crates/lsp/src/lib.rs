//! The language server: what an editor asks about specifications and C programs, answered by the
//! language server protocol 3.17 on two streams.
//!
//! [`serve`] is the loop. It keeps the texts of open documents, has each specification checked with its
//! program some time after the last change, and answers questions from the last result, so that no
//! question waits for the C to be parsed. What touches files and processes is in the [`Host`], which the
//! command implements: this crate starts nothing.

mod answers;
mod cursor;
mod documents;
mod edit;
mod frame;
mod host;
mod index;
mod outline;
mod places;
mod server;
mod text;

pub use host::{Checked, Finding, Host, Job, Outcome, RunStep, Stop, Where};
pub use index::{Index, Label, Place, Symbol, SymbolKind};
pub use server::serve;
