//! What instructions and functions of the processor do to interrupts, as statements.

/// What an instruction or function does to interrupts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Disable,
    Enable,
    Sleep,
    /// Wait until there was an event, which beginnings of handlers are, or go on all the same: an event that was there
    /// before is taken at once (ARMv7-M Architecture Reference Manual, `WFE`).
    Wait,
    /// An event.
    Event,
    /// Enable, and sleep before a handler can come: processors execute the instruction behind the
    /// enabling one first (AVR Instruction Set Manual, `SEI`).
    EnableAndSleep,
}

impl Effect {
    /// As a statement.
    pub fn text(self) -> &'static str {
        match self {
            Effect::Disable => "interrupts__masked = 1;",
            Effect::Enable => "interrupts__enable();",
            Effect::Sleep => "interrupts__woken = 0; while (!interrupts__woken) ;",
            Effect::Wait => "{ __VERIFIER_atomic_begin(); unsigned char interrupts__event = interrupts__woken; interrupts__woken = 0; __VERIFIER_atomic_end(); if (!interrupts__event && !nondet_event()) while (!interrupts__woken) ; }",
            Effect::Event => "interrupts__woken = 1;",
            Effect::EnableAndSleep => {
                "interrupts__woken = 0; interrupts__enable(); while (!interrupts__woken) ;"
            }
        }
    }

    /// The declarations that its text needs.
    pub fn declarations(self) -> &'static str {
        match self {
            Effect::Disable => "static unsigned char interrupts__masked; ",
            Effect::Enable => "static void interrupts__enable(void); ",
            Effect::Sleep | Effect::Event => "static unsigned char interrupts__woken; ",
            Effect::Wait => "static unsigned char interrupts__woken; extern _Bool nondet_event(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); ",
            Effect::EnableAndSleep => {
                "static unsigned char interrupts__woken; static void interrupts__enable(void); "
            }
        }
    }

    pub fn masks(self) -> bool {
        matches!(
            self,
            Effect::Disable | Effect::Enable | Effect::EnableAndSleep
        )
    }

    pub fn sleeps(self) -> bool {
        !matches!(self, Effect::Disable | Effect::Enable)
    }
}
