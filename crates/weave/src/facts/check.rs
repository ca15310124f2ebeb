//! The bits of `BA_CHECK`, which choose the assertions of an emitted program. They are part of the program's
//! interface: the prologue lists them, and the templates test them by number.

use ltl::B4;

/// No run ends with ⊥.
pub const FALSE: u32 = 1;
/// No run ends with ⊥ᵖ.
pub const PRESUMABLY_FALSE: u32 = 2;
/// No run ends with ⊤ᵖ.
pub const PRESUMABLY_TRUE: u32 = 4;
/// No lasso violates a property. As the level of a letter of a native run, the bit stands for ⊤.
pub const LASSO: u32 = 8;
/// No run comes to its end. This assertion has to fail: if no run ends, all others hold vacuously.
pub const END: u32 = 16;
/// No run is cut at the bound.
pub const CUT: u32 = 32;
/// The instrumentation keeps its own bounds, for instance on the number of threads.
pub const INTERNAL: u32 = 64;
/// No run is a deadlock.
pub const DEADLOCK: u32 = 128;
/// Locks and the like are used correctly.
pub const MISUSE: u32 = 256;
/// The program's own assertions.
pub const PROGRAM: u32 = 512;
/// No run that ends, rather than being cut, has the value ⊥ᵖ.
pub const ENDED: u32 = 1024;
/// Covers: values, areas, exits and starts that some run has to show so that an answer means something. Their
/// assertions fail where a run shows one.
pub const COVER: u32 = 2048;
/// Whether some run ends other than at a bound, and at which bounds runs are cut.
pub const CUTS: u32 = 4096;

/// The bit of a level's assertion. ⊤ is never asserted; its bit marks letters of native runs (see [`LASSO`]).
pub fn of_level(level: B4) -> u32 {
    1 << level as u32
}
