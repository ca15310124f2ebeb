//! The source files of a program: for each its part of the text and what its file-scope names mean.

use std::collections::HashMap;

use cfront::span::FunctionId;

use super::{ObjectIndex, Range};

/// A source file of the program.
#[derive(Clone, Debug)]
pub struct File {
    /// The file's part of the preprocessed text.
    pub range: Range,
    /// What the names of its file scope mean at its end. Empty if there is one file only.
    pub names: HashMap<String, Name>,
}

/// What a name of file scope means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// A variable.
    Object(ObjectIndex),
    /// A function.
    Function(FunctionId),
    /// A type or an enumeration constant.
    Other,
}
