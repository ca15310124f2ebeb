//! The marks that templates write in front of, in, and behind their declarations at file scope (see
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
/// In front of such a signature, if the function need not be used.
pub(crate) const UNUSED_PROTOTYPE: &str = start!("p", "u");
/// Like [`UNUSED_PROTOTYPE`], in front of the definition of the macro `BA_UNUSED`.
pub(crate) const EARLY_PROTOTYPE: &str = start!("p", "e");
/// In front of a variable's type.
pub(crate) const VARIABLE: &str = start!("v", "-");
/// In front of the type of a variable that need not be used.
pub(crate) const UNUSED_VARIABLE: &str = start!("v", "u");
/// Between a function's signature and its body.
pub(crate) const BODY: &str = "\u{4}";
/// Behind an item.
pub(crate) const END: &str = "\u{5}";
