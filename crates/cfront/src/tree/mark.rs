//! Declarations to which an attribute gives a meaning that stands nowhere in the code.

use super::Entity;
use crate::span::Span;

/// What an attribute, or an assembler label, makes of what it declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Another name of something (`alias`, `weakref`, `ifunc`, an assembler label), and of what.
    Alias(String),
    /// A variable at the end of whose life a function is called.
    Cleanup,
    /// A function that runs when the process has ended.
    Destructor,
}

/// A mark, where it stands, and what it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marked {
    /// The mark.
    pub mark: Mark,
    /// The attribute.
    pub span: Span,
    /// What is declared with it.
    pub entity: Entity,
}
