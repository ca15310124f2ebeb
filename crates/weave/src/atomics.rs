//! Atomic operations of the compiler, which are one step each.

/// Whether a compiler's function reads, changes and writes an object in one step.
pub fn changes(name: &str) -> bool {
    let _ = name;
    false
}
