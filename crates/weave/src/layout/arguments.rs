//! Parameters of emitted functions, and the arguments that sites pass.

use crate::bind::expression::Leaf;

/// A parameter of an emitted function, and the argument that a site passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its C type.
    pub ty: String,
    /// Its name after `ba_arg_`.
    pub name: String,
    /// The argument at a site.
    pub value: String,
    /// The operand that is passed.
    pub leaf: Leaf,
}

impl Argument {
    /// Whether its address is passed.
    pub fn by_address(&self) -> bool {
        self.leaf.address || self.leaf.value_type.is_none()
    }

    /// Its declaration.
    pub fn declaration(&self) -> String {
        format!("{} ba_arg_{}", self.ty, self.name)
    }
}

/// The parameters of a declaration.
pub fn parameter_list(arguments: &[Argument]) -> String {
    let list: Vec<String> = arguments.iter().map(Argument::declaration).collect();
    match list.is_empty() {
        true => "void".into(),
        false => list.join(", "),
    }
}

/// The arguments of a call at a site.
pub fn argument_list(arguments: &[Argument]) -> String {
    let list: Vec<&str> = arguments.iter().map(|a| a.value.as_str()).collect();
    list.join(", ")
}
