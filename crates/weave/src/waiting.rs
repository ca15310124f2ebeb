//! The sites of busy waits.

use crate::busy::BusyWait;
use crate::facts::{Loop, Range};
use crate::names::user;
use crate::weaver::Weaver;

impl Weaver<'_> {
    /// Whether a loop is woven as a busy wait. Without threads only one that does nothing else is:
    /// what it waits for cannot come.
    pub fn is_busy_wait(&self, lp: &Loop) -> bool {
        let Some(busy) = &lp.busy else {
            return false;
        };
        let watched = |o: &usize| !self.watchers[*o].is_empty();
        let in_area = busy
            .calls
            .iter()
            .any(|&f| self.areas.iter().any(|a| a.function == f));
        let letters = self.every_event && busy.locals.iter().any(watched);
        (self.threaded || busy.effects.is_empty())
            && !busy.inner.iter().any(watched)
            && !in_area
            && !letters
    }

    /// The text at the start of a busy wait's iterations. An iteration without effect either is
    /// dropped from the run, or is what the thread does for ever from here on.
    pub fn plan_busy_wait(&mut self, number: usize, bound: &str, cut: usize) -> String {
        let facts = self.facts;
        let lp = &facts.loops[number];
        let Some(busy) = &lp.busy else {
            return String::new();
        };
        self.busy_waits += 1;
        self.modelled = true;
        let head = Range {
            start: lp.range.start,
            end: lp.body.start,
        };
        let wait = self.site(head, lp.function, "wait");
        let spins = format!("ba_spins{number}");
        self.locals[lp.function].push_str(&format!(
            "BA_UNUSED _Bool {spins} = 0; BA_UNUSED unsigned ba_seen{number} = 0; "
        ));
        for (range, depth) in &busy.effects {
            let text = format!("{{ BA_EFFECT({spins}); ");
            self.insertions.around(*range, depth - 1, 7, text, " }");
        }
        let outer: Vec<String> = (0..facts.loops.len())
            .filter(|&o| {
                o != number && self.encloses(o, number) && self.is_busy_wait(&facts.loops[o])
            })
            .map(|o| format!("ba_spins{o} || "))
            .collect();
        let (same, keep) = self.kept(number, busy);
        format!(
            "BA_WAITS(ba_loop{number}, {spins}, ba_seen{number}, {same}, {}, {}0, {bound}, {wait}, {cut}); {keep}",
            u8::from(busy.plain),
            outer.concat(),
        )
    }

    fn encloses(&self, outer: usize, inner: usize) -> bool {
        let (outer, inner) = (&self.facts.loops[outer], &self.facts.loops[inner]);
        outer.function == inner.function
            && outer.range.start <= inner.range.start
            && inner.range.end <= outer.range.end
    }

    /// The condition that the loop's variables are as they were, and what keeps them.
    fn kept(&self, number: usize, busy: &BusyWait) -> (String, String) {
        let (mut same, mut keep) = ("1".to_string(), String::new());
        for &o in &busy.locals {
            let name = user(&self.facts.objects[o].name);
            let kept = format!("ba_kept{number}_{o}");
            if !keep.contains(&kept) {
                same.push_str(&format!(" && {kept} == {name}"));
                keep.push_str(&format!("{kept} = {name}; "));
            }
        }
        if !keep.is_empty() {
            keep = format!("BA_KEEP({}) ", keep.trim_end());
        }
        (same, keep)
    }

    /// Declarations in front of a busy wait, and the text behind it.
    pub fn around_busy_wait(&self, number: usize) -> (String, String) {
        let mut declarations = format!("ba_spins{number} = 0; ");
        if let Some(busy) = &self.facts.loops[number].busy {
            let mut locals = busy.locals.clone();
            locals.sort_unstable();
            locals.dedup();
            for o in locals {
                declarations.push_str(&format!(
                    "BA_UNUSED __typeof__({}) ba_kept{number}_{o}; ",
                    user(&self.facts.objects[o].name)
                ));
            }
        }
        (declarations, format!(" BA_NO_WAIT(ba_spins{number});"))
    }
}
