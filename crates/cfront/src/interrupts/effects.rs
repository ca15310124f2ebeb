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
            Effect::Disable => "interrupts_masked = 1;",
            Effect::Enable => "interrupts_enable();",
            Effect::Sleep => "interrupts_woken = 0; while (!interrupts_woken) ;",
            Effect::Wait => "{ __VERIFIER_atomic_begin(); unsigned char interrupts_event = interrupts_woken; interrupts_woken = 0; __VERIFIER_atomic_end(); if (!interrupts_event && !nondet_event()) while (!interrupts_woken) ; }",
            Effect::Event => "interrupts_woken = 1;",
            Effect::EnableAndSleep => {
                "interrupts_woken = 0; interrupts_enable(); while (!interrupts_woken) ;"
            }
        }
    }

    /// The declarations that its text needs.
    pub fn declarations(self) -> &'static str {
        match self {
            Effect::Disable => "static unsigned char interrupts_masked; ",
            Effect::Enable => "static void interrupts_enable(void); ",
            Effect::Sleep | Effect::Event => "static unsigned char interrupts_woken; ",
            Effect::Wait => "static unsigned char interrupts_woken; extern _Bool nondet_event(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); ",
            Effect::EnableAndSleep => {
                "static unsigned char interrupts_woken; static void interrupts_enable(void); "
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
