//! Reads automata in the Hanoi format, version 1 (Babiak et al., *The Hanoi Omega-Automata Format*, CAV 2015),
//! so that another translator can be used.
//!
//! Every acceptance condition over `Fin` and `Inf` is converted to state-based Büchi acceptance. The text may
//! come from anywhere: nothing here recurses, and every size is bounded.

mod accept;
mod body;
mod build;
mod header;
mod label;
mod lexer;

use crate::buchi::Buchi;
use crate::limits::{Limits, TooLarge};
use ltl::Arena;
use std::ops::Range;

/// The longest accepted text, in bytes.
const MAX_TEXT: usize = 16 << 20;

/// Why a text is not a usable automaton.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct HoaError {
    /// What is wrong.
    pub message: String,
    /// The bytes of the text that the message is about.
    pub span: Range<usize>,
    /// What to do about it.
    pub help: Option<String>,
}

impl HoaError {
    fn new(message: impl Into<String>, span: &Range<usize>) -> HoaError {
        HoaError {
            message: message.into(),
            span: span.clone(),
            help: None,
        }
    }

    fn help(mut self, help: &str) -> HoaError {
        self.help = Some(help.to_owned());
        self
    }

    fn too_large(error: TooLarge, span: &Range<usize>) -> HoaError {
        HoaError::new(format!("the automaton is too large: {error}"), span)
    }
}

impl Buchi {
    /// The automaton of a text in the Hanoi format. Its propositions become those with the same names in the
    /// arena; a name in braces is a C condition.
    ///
    /// # Errors
    /// The text is not in the format, has several automata, is alternating, or is too large.
    pub fn from_hoa(text: &str, arena: &mut Arena, limits: &Limits) -> Result<Buchi, HoaError> {
        if text.len() > MAX_TEXT {
            let message = format!("more than {MAX_TEXT} bytes");
            return Err(HoaError::new(message, &(0..0)));
        }
        let tokens = lexer::tokens(text)?;
        let (mut header, rest) = header::read(&tokens, text.len(), arena)?;
        let states = body::read(&mut header, rest, text.len(), limits)?;
        build::build(header, states, limits)
    }
}
