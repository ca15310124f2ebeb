//! Resolves the names of a specification in the program: gives propositions, areas and the environment with all
//! names resolved, and the letters that can occur.

pub mod alphabet;
pub mod code;
pub mod condition;
pub mod environment;
pub mod expression;
mod given;
mod macros;
mod missing;
mod numbers;
mod pointers;
pub mod propositions;
pub mod remembered;
pub mod resolve;
mod resolve_environment;
pub(crate) mod scope;
pub mod syntax;
pub mod timers;
mod tokens;
