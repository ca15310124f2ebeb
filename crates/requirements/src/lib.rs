//! Requirements in structured English: a sentence in, its parts, its LTL formula and its reading in words out.
//!
//! The language is FRETish: *scope condition component shall timing response* (Giannakopoulou, Pressburger,
//! Mavridou & Schumann, *Automated formalization of structured natural language requirements*, IST 2021;
//! *Formal requirements elicitation with FRET*, REFSQ 2020). A sentence without the word `satisfy` is read as one of
//! EARS (Mavin, Wilkinson, Harwood & Novak, *Easy approach to requirements syntax*, RE 2009).
//!
//! [`parse`] reads one sentence, [`Requirement::formula`] gives the formula over infinite words, and
//! [`Requirement::reading`] the words. The crate is pure and knows nothing of files.

mod definition;
mod duration;
mod error;
mod expression;
mod formula;
mod lexer;
mod lustre;
mod model;
mod parser;
pub mod previous;
mod reading;
mod temporal;

pub use definition::Definition;
pub use duration::{Tick, TickError};
pub use error::SentenceError;
pub use expression::{Expression, Leaf};
pub use model::{Condition, Requirement, Scope, Style, Timing};
pub use parser::parse;
pub use temporal::Temporal;
