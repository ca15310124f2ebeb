//! Attributes that give a declaration a meaning that no other code shows.

use super::Entity;
use crate::span::Span;

/// The meaning that an attribute or an assembler label gives to the declared entity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Another name of an entity (`alias`, `weakref`, `ifunc`, an assembler label), with the
    /// entity's name.
    Alias(String),
    /// A variable for which a function is called at the end of its lifetime, and the function's name.
    Cleanup(String),
    /// A function that runs after `main` has returned or `exit` was called.
    Destructor,
    /// A function that the processor calls (`signal`, `interrupt`, `isr`).
    Handler,
    /// A function whose parameters with these numbers, from 1, are no null pointers; all if there are none.
    NonNull(Vec<u32>),
    /// An object or a function that the linker places in the named section.
    Section(String),
}

/// A mark with its place and the marked entity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marked {
    /// The mark.
    pub mark: Mark,
    /// The attribute.
    pub span: Span,
    /// The declared entity.
    pub entity: Entity,
}
