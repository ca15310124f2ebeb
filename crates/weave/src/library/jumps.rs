//! Jumps out of functions.

use cfront::calls::plain_name;

/// Whether a library function jumps to a saved place.
pub fn jumps_far(name: &str) -> bool {
    matches!(
        plain_name(name),
        "longjmp" | "_longjmp" | "siglongjmp" | "longjmp_chk"
    )
}

/// Whether a library function saves a place to jump to.
pub fn saves_place(name: &str) -> bool {
    matches!(
        name,
        "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__sigsetjmp_chk"
    )
}
