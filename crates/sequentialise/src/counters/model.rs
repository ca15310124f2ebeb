//! The model of memory that a program in step form may have.

use cfront::tree::Tree;

/// The model's function that says which of its places an address is.
pub(super) const PLACE: &str = "memmodel_place";

/// A function of the program in step form that takes an amount off all stores of a place.
pub(super) const STORES: &str = "sequential_shift_stores";

/// The definition of [`STORES`].
pub(super) const DEFINITION: &str = "
static void sequential_shift_stores(unsigned at, unsigned long long amount) {
  if (at >= sizeof memmodel_count / sizeof *memmodel_count) return;
  for (unsigned i = 0; i < memmodel_count[at]; i++)
    memmodel_log[at][i].value = memmodel_as(at, (long)((unsigned long long)memmodel_log[at][i].value - amount));
}
";

/// What a program has of a model of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// None.
    Plain,
    /// Views, whose stores can be shifted.
    Views,
    /// Another one.
    Other,
}

/// Which model of memory a program has.
pub(super) fn of(tree: &Tree) -> Memory {
    let has = |name: &str| tree.objects.iter().any(|(_, o)| o.name == name);
    match tree.function_named(PLACE) {
        None => Memory::Plain,
        Some(_) if has("memmodel_log") => Memory::Views,
        Some(_) => Memory::Other,
    }
}
