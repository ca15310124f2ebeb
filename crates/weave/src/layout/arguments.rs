//! Parameters of emitted functions, and what sites give for them.

use crate::bind::expression::Leaf;

/// A parameter of an emitted function, and what a site gives for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its C type.
    pub ty: String,
    /// Its name behind `ba_arg_`.
    pub name: String,
    /// The text at a site.
    pub value: String,
    /// What is given.
    pub leaf: Leaf,
}

impl Argument {
    /// Whether its address is given.
    pub fn by_address(&self) -> bool {
        self.leaf.address || self.leaf.value_type.is_none()
    }

    /// Its declaration.
    pub fn declaration(&self) -> String {
        format!("{} ba_arg_{}", self.ty, self.name)
    }
}

/// A list of parameters for a declaration.
pub fn parameter_list(arguments: &[Argument]) -> String {
    let list: Vec<String> = arguments.iter().map(Argument::declaration).collect();
    match list.is_empty() {
        true => "void".into(),
        false => list.join(", "),
    }
}

/// The arguments at a site.
pub fn argument_list(arguments: &[Argument]) -> String {
    let list: Vec<&str> = arguments.iter().map(|a| a.value.as_str()).collect();
    list.join(", ")
}
