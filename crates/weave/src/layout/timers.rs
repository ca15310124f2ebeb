//! The names of what timers remember.

use crate::layout::weaver::Weaver;

/// The variable with the clock's value when it was last written.
pub(crate) const CLOCK: &str = "ba_clock";
/// The variable with the time since the last letter.
pub(crate) const PASSED: &str = "ba_passed";

/// The numbers of a timer among those of all timers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Numbers {
    memory: usize,
    local: usize,
}

impl Numbers {
    /// The variable that remembers a number from letter to letter.
    pub fn memory(&self, at: usize) -> String {
        format!("ba_timer_{}", self.memory + at)
    }

    /// The local with its value during a step.
    pub fn remembered(&self, at: usize) -> String {
        format!("ba_kept{}", self.memory + at)
    }

    /// A local of a step.
    pub fn local(&self, at: usize) -> String {
        format!("ba_part{}", self.local + at)
    }
}

impl Weaver<'_> {
    /// The numbers of each timer.
    pub(crate) fn timer_numbers(&self) -> Vec<Numbers> {
        let mut next = Numbers::default();
        let mut all = Vec::new();
        for timer in &self.bound.timers.timers {
            all.push(next);
            let machine = timer.machine();
            next.memory += machine.memory.len();
            next.local += machine.locals;
        }
        all
    }

    /// The variables that remember numbers from letter to letter.
    pub(crate) fn timer_memory(&self) -> Vec<String> {
        let timers = self.bound.timers.timers.iter().zip(self.timer_numbers());
        let names = timers.flat_map(|(timer, numbers)| {
            let many = timer.machine().memory.len();
            (0..many).map(move |at| numbers.memory(at))
        });
        names.collect()
    }

    /// The variables of timers with few values, and the numbers of their values.
    pub(crate) fn small_timers(&self) -> Vec<(String, usize)> {
        const FEW: usize = 64;
        let timers = self.bound.timers.timers.iter();
        let values = timers.flat_map(|timer| timer.machine().memory);
        let named = self.timer_memory().into_iter().zip(values);
        let counted = named.map(|(name, most)| (name, most as usize + 1));
        counted.filter(|(_, count)| *count <= FEW).collect()
    }

    /// The state of timers between letters: type and name of each variable. Only where letters are taken at samples,
    /// time passes between them.
    pub(crate) fn timer_state(&self) -> Vec<(&str, String)> {
        let ty = self.timer_type();
        let mut names = self.timer_memory();
        if self.bound.timers.clock.is_some() && self.bound.environment.sampled {
            names.push(PASSED.to_owned());
        }
        let numbers = names.into_iter().map(|name| (ty, name));
        let remembered = self.bound.timers.remembered.iter();
        let remembered = remembered.flat_map(|r| {
            let value = (r.ty.as_str(), r.variable.clone());
            [value, ("_Bool", r.taken.clone())]
        });
        numbers.chain(remembered).collect()
    }

    /// A number that is greater than any bound.
    pub(crate) fn most_passed(&self) -> u32 {
        self.bound.timers.longest() + 2
    }

    /// The type of the numbers: sums of two times fit into it.
    pub(crate) fn timer_type(&self) -> &'static str {
        match self.most_passed() < 1 << 14 {
            true => "unsigned",
            false => "unsigned long",
        }
    }
}
