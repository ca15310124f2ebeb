//! The marks that templates write before, in, and after their declarations at file scope (see
//! [`super::marks`]).

macro_rules! start {
    ($kind:literal, $attribute:literal) => {
        concat!("\u{3}", $kind, $attribute)
    };
}

/// Before a function's signature.
pub(crate) const FUNCTION: &str = start!("f", "-");
/// Before the signature of a function that need not be used.
pub(crate) const UNUSED_FUNCTION: &str = start!("f", "u");
/// Before the signature of a function that runs before `main`.
pub(crate) const CONSTRUCTOR_FUNCTION: &str = start!("f", "c");
/// Before the signature of a function that is defined elsewhere.
pub(crate) const PROTOTYPE: &str = start!("p", "-");
/// Before such a signature, if the function need not be used.
pub(crate) const UNUSED_PROTOTYPE: &str = start!("p", "u");
/// Like [`UNUSED_PROTOTYPE`], before the definition of the macro `BA_UNUSED`.
pub(crate) const EARLY_PROTOTYPE: &str = start!("p", "e");
/// Before a variable's type.
pub(crate) const VARIABLE: &str = start!("v", "-");
/// Before the type of a variable that need not be used.
pub(crate) const UNUSED_VARIABLE: &str = start!("v", "u");
/// Between a function's signature and its body.
pub(crate) const BODY: &str = "\u{4}";
/// After an item.
pub(crate) const END: &str = "\u{5}";
