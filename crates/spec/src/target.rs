//! The machine that a program is for, by name.

/// A kind of machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// What the preprocessor's own macros say.
    Macros,
    /// 64-bit machines of the Unix family.
    Lp64,
    /// 32-bit machines.
    Ilp32,
    /// 64-bit Windows.
    Llp64,
    /// AVR: `int` and pointers have 16 bits; the processor reads and writes one byte at once.
    Avr,
    /// Arm Cortex-M: `int`, `long` and pointers have 32 bits; `char` is unsigned.
    CortexM,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 6] = [
        Target::Macros,
        Target::Lp64,
        Target::Ilp32,
        Target::Llp64,
        Target::Avr,
        Target::CortexM,
    ];

    /// The name in specifications and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Macros => "macros",
            Target::Lp64 => "lp64",
            Target::Ilp32 => "ilp32",
            Target::Llp64 => "llp64",
            Target::Avr => "avr",
            Target::CortexM => "cortex-m",
        }
    }

    /// The target with a name.
    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|t| t.name() == name)
    }
}
