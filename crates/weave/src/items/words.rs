//! The words that templates say in front of, in, and behind what they declare at file scope (see
//! [`super::marks`]).

macro_rules! start {
    ($kind:literal, $attribute:literal) => {
        concat!("\u{3}", $kind, $attribute)
    };
}

/// In front of a function's signature.
pub(crate) const FUNCTION: &str = start!("f", "-");
/// In front of the signature of a function that need not be used.
pub(crate) const UNUSED_FUNCTION: &str = start!("f", "u");
/// In front of the signature of a function that runs before `main`.
pub(crate) const CONSTRUCTOR_FUNCTION: &str = start!("f", "c");
/// In front of the signature of a function that is defined elsewhere.
pub(crate) const PROTOTYPE: &str = start!("p", "-");
/// The same for one that need not be used.
pub(crate) const UNUSED_PROTOTYPE: &str = start!("p", "u");
/// The same in front of the macro that says so.
pub(crate) const EARLY_PROTOTYPE: &str = start!("p", "e");
/// In front of a variable's type.
pub(crate) const VARIABLE: &str = start!("v", "-");
/// The same for one that need not be used.
pub(crate) const UNUSED_VARIABLE: &str = start!("v", "u");
/// Between a function's signature and its body.
pub(crate) const BODY: &str = "\u{4}";
/// Behind an item.
pub(crate) const END: &str = "\u{5}";
