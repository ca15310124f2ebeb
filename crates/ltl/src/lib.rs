//! LTL formulas: hash-consed syntax tree, parser with spans, printer, and the value of a formula on a lasso
//! word.
//!
//! No formula is too deep, since nothing here recurses; only [`Arena::vacuous`] does, within bounds.

mod b4;
mod condition;
mod error;
mod formula;
mod glued;
pub mod lasso;
mod let_text;
mod lexer;
mod operator;
mod parser;
mod pattern;
mod print;
pub mod reason;
mod remembered;
mod reserved;
mod sequence_text;
mod signed;
mod spelling;
mod stretches;
pub mod timed;
mod token;
mod vacuity;
mod walk;
mod word;
mod words;

pub use b4::{Expectation, B4};
pub use error::{Doubt, ParseError, Warning};
pub use formula::{Arena, Atom, AtomId, Bounded, Id, Interval, Node};
pub use parser::{parse, parse_into, Parsed, ParsedInto};
pub use pattern::{Matching, Part, Pattern};
pub use print::{print, print_bounded, print_parenthesised, Style};
pub use remembered::Remembered;
pub use reserved::MAX_TEXT;
pub use signed::Signed;
pub use vacuity::{Constant, Strengthened};
pub use word::parse_word;
pub use words::words;
