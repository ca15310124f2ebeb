//! The names that vendors' headers have for handlers: macros for the functions that vector tables name.

use crate::macros::Macros;
use crate::parse::Unit;

/// The function that a handler's name means: the one that is called so, or the one that a macro stands for (`TIMER1_COMPA_vect`, which
/// is `__vector_11`). A name that means no function with a body stays as it is. Linear in the directives of the program for a name
/// that no function has.
pub fn handler_named(unit: &Unit, name: &str) -> String {
    let has_body = |name: &str| {
        let function = unit.tree.function_named(name);
        function.is_some_and(|f| unit.tree.functions[f].body.is_some())
    };
    if !has_body(name) {
        if let Some([function]) = Macros::of(unit).expanded(name).as_deref() {
            if has_body(function) {
                return function.clone();
            }
        }
    }
    name.to_owned()
}
