//! The sites of busy waits: they recognise an iteration without effect, and stop its thread.

use std::collections::BTreeSet;

use crate::bind::propositions::Extent;
use crate::facts::loops::{BusyGoto, BusyWait, Effect, Turn};
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{FunctionIndex, Loop, Range};
use crate::layout::weaver::Weaver;

/// A loop of any form, with what the text of its busy wait needs.
struct Round<'a> {
    /// The suffix of the names of its variables.
    key: String,
    busy: &'a BusyWait,
    counter: &'a str,
    bound: &'a str,
    /// The sites of the wait and of the cut.
    wait: usize,
    cut: usize,
    /// Conditions that an enclosing loop is at its last iteration, each followed by `||`.
    outer: String,
}

impl Weaver<'_> {
    /// Whether a loop is woven as a busy wait.
    pub fn is_busy_wait(&self, lp: &Loop) -> bool {
        // A variable that the loop's header declares cannot be named before the loop.
        let nameable = |&o: &usize| {
            let object = &self.facts.objects[o];
            object.value_type.is_some() || object.place.start < lp.range.start
        };
        let busy = lp.busy.as_ref();
        busy.is_some_and(|b| self.may_wait(b) && b.locals.iter().all(nameable))
    }

    /// Whether the rounds of a `goto` are woven as a busy wait.
    pub fn is_busy_goto(&self, busy: &BusyGoto) -> bool {
        // The variables that keep values are declared at the start of the function.
        let nameable = |&o: &usize| self.facts.objects[o].value_type.is_some();
        self.may_wait(&busy.wait) && busy.wait.locals.iter().all(nameable)
    }

    /// Whether a loop may be woven as a busy wait. Without threads, only a loop without any effect may: the
    /// event that it waits for cannot come.
    pub fn may_wait(&self, busy: &BusyWait) -> bool {
        // A proof treats a busy wait like any other loop. Where threads are cancelled, a loop without any effect may end
        // by the thread's end.
        if self.proves() || self.calls("pthread_cancel") {
            return false;
        }
        let watched = |o: &usize| !self.layout.watchers[*o].is_empty();
        let in_area = busy
            .calls
            .iter()
            .any(|&f| self.bound.areas.iter().any(|a| a.function == f));
        let letters = self.monitors.every_event && busy.locals.iter().any(watched);
        let alone =
            busy.effects.is_empty() && busy.callee_effects.is_empty() && busy.locals.is_empty();
        let named = self.labels_of_interest();
        let marked = |start: &usize| {
            named
                .iter()
                .any(|&l| self.facts.labels[l].place.start == *start)
        };
        (self.analysis.threaded || alone)
            && !busy.inner.iter().any(watched)
            && !busy.irrelevant.iter().any(watched)
            && !in_area
            && !letters
            && !busy.labels.iter().any(marked)
    }

    /// The labels of areas and of the environment, and save points.
    fn labels_of_interest(&self) -> BTreeSet<usize> {
        let of_areas = self.bound.areas.iter().flat_map(|a| match a.extent {
            Extent::Labels { entry, exit } => vec![entry, exit],
            Extent::At(label) => vec![label],
            Extent::Function => Vec::new(),
        });
        of_areas
            .chain(self.bound.environment.at.keys().copied())
            .chain(self.save_labels())
            .collect()
    }

    /// The text at the start of a busy wait's iterations. The model checker either drops an iteration without
    /// effect from the run, or lets the thread repeat it for ever.
    pub fn plan_busy_wait(&mut self, number: usize, bound: &str, cut: usize) -> String {
        let facts = self.facts;
        let lp = &facts.loops[number];
        let Some(busy) = &lp.busy else {
            return String::new();
        };
        let head = Range {
            start: lp.range.start,
            end: lp.body.start,
        };
        let outer: String = (0..facts.loops.len())
            .filter(|&o| {
                o != number && self.encloses(o, number) && self.is_busy_wait(&facts.loops[o])
            })
            .map(|o| format!("ba_spins{o} || "))
            .collect();
        let round = Round {
            key: number.to_string(),
            busy,
            counter: &format!("ba_loop{number}"),
            bound,
            wait: self.add_site(head, lp.function, SiteEvent::Wait),
            cut,
            outer,
        };
        self.plan_round(lp.function, &round)
    }

    /// Like [`Self::plan_busy_wait`], for a loop that a `goto` makes.
    pub fn plan_busy_goto(
        &mut self,
        number: usize,
        busy: &BusyGoto,
        counter: &str,
        bound: &str,
        cut: usize,
    ) -> String {
        let jump = &self.facts.jumps[number];
        let around = (0..self.facts.loops.len()).filter(|&o| {
            let lp = &self.facts.loops[o];
            lp.function == jump.function
                && lp.range.start <= busy.range.start
                && busy.range.end <= lp.range.end
                && self.is_busy_wait(lp)
        });
        let outer = around.map(|o| format!("ba_spins{o} || ")).collect();
        let key = format!("_g{number}");
        let declarations = self.kept_declarations(&key, &busy.wait);
        self.out.declare(jump.function, &declarations);
        self.out.insertions.close(
            busy.range.end,
            busy.depth,
            0,
            format!(" BA_NO_WAIT(ba_spins{key}); {counter} = 0;"),
        );
        let round = Round {
            key,
            busy: &busy.wait,
            counter,
            bound,
            wait: self.add_site(busy.range, jump.function, SiteEvent::Wait),
            cut,
            outer,
        };
        self.plan_round(jump.function, &round)
    }

    fn plan_round(&mut self, function: FunctionIndex, round: &Round) -> String {
        self.out.waits.busy += 1;
        self.out.waits.needed = true;
        self.out.waits.polls |= round.busy.polls;
        let Round { key, busy, .. } = round;
        self.out.declare(
            function,
            &format!("BA_UNUSED _Bool ba_spins{key} = 0; BA_UNUSED unsigned ba_seen{key} = 0; "),
        );
        for effect in &busy.effects {
            self.plan_effect(effect, &format!("BA_EFFECT(ba_spins{key});"));
        }
        for effect in &busy.callee_effects {
            self.out.waits.polls = true;
            if self.out.waits.callee_effects.insert(effect.range.start) {
                self.plan_effect(effect, "BA_FAR_EFFECT();");
            }
        }
        let (same, keep) = self.kept(key, busy);
        format!(
            "BA_WAITS({}, ba_spins{key}, ba_seen{key}, {same}, {}, {}0, {}, {}, {}); {keep}",
            round.counter,
            u8::from(busy.plain),
            round.outer,
            round.bound,
            round.wait,
            round.cut,
        )
    }

    /// Marks a statement or declaration with an effect.
    fn plan_effect(&mut self, effect: &Effect, text: &str) {
        let (range, depth) = (effect.range, effect.depth);
        match effect.declares {
            true => self
                .out
                .insertions
                .open(range.start, depth, 0, format!("{text} ")),
            false => {
                let open = format!("{{ {text} ");
                self.out.insertions.around(range, depth - 1, 7, open, " }");
            }
        }
    }

    /// Inserts `check` where the rounds of a loop begin that holds a lock at its head.
    pub fn plan_turn(&mut self, number: usize, turn: &Turn, check: &str) {
        match turn {
            Turn::Unlocked(range, depth) => {
                self.out
                    .insertions
                    .close(range.end, *depth, 0, format!(" {}", check.trim_end()));
            }
            Turn::Waiting(range) => {
                let depth = self.facts.loops[number].depth;
                self.out.insertions.open(
                    range.end - 1,
                    depth,
                    0,
                    format!(", {}", check.trim_end()),
                );
            }
        }
    }

    /// Whether the rounds of some loop begin in the wait that is called here.
    pub fn turns_in(&self, call: Range) -> bool {
        let mut waits = self.facts.loops.iter().filter(|lp| self.is_busy_wait(lp));
        waits.any(|lp| {
            let turn = lp.busy.as_ref().and_then(|b| b.turn.as_ref());
            matches!(turn, Some(Turn::Waiting(range)) if *range == call)
        })
    }

    /// Whether model checkers skip a loop: it is a delay within an iteration that only waits, and no
    /// proposition reads what it writes.
    pub fn is_delay(&self, number: usize) -> bool {
        let loops = &self.facts.loops;
        let lp = &loops[number];
        let watched = |o: &usize| !self.layout.watchers[*o].is_empty();
        let irrelevant = lp.delay.as_ref().is_some_and(|d| !d.iter().any(watched));
        let of = |(around, wait): (usize, &Loop)| {
            let called = |b: &BusyWait| b.calls.contains(&lp.function);
            let part = self.encloses(around, number) || wait.busy.as_ref().is_some_and(called);
            around != number && part && self.is_busy_wait(wait)
        };
        self.analysis.threaded && irrelevant && loops.iter().enumerate().any(of)
    }

    fn encloses(&self, outer: usize, inner: usize) -> bool {
        let (outer, inner) = (&self.facts.loops[outer], &self.facts.loops[inner]);
        outer.function == inner.function
            && outer.range.start <= inner.range.start
            && inner.range.end <= outer.range.end
    }

    /// The condition that the loop's variables have the values that they had, and the text that keeps these
    /// values.
    fn kept(&self, key: &str, busy: &BusyWait) -> (String, String) {
        let (mut same, mut keep) = ("1".to_string(), String::new());
        for o in distinct(&busy.locals) {
            let name = user(&self.facts.objects[o].name);
            let kept = format!("ba_kept{key}_{o}");
            same.push_str(&format!(" && {kept} == {name}"));
            keep.push_str(&format!("{kept} = {name}; "));
        }
        if !keep.is_empty() {
            keep = format!("BA_KEEP({}) ", keep.trim_end());
        }
        (same, keep)
    }

    fn kept_declarations(&self, key: &str, busy: &BusyWait) -> String {
        let declared = distinct(&busy.locals).into_iter().map(|o| {
            let object = &self.facts.objects[o];
            let ty = match &object.value_type {
                Some(ty) => ty.clone(),
                None => format!("__typeof__({})", user(&object.name)),
            };
            format!("BA_UNUSED {ty} ba_kept{key}_{o}; ")
        });
        declared.collect()
    }

    /// The declarations before a busy wait, and the text after it.
    pub fn around_busy_wait(&self, number: usize) -> (String, String) {
        let mut declarations = format!("ba_spins{number} = 0; ");
        if let Some(busy) = &self.facts.loops[number].busy {
            declarations.push_str(&self.kept_declarations(&number.to_string(), busy));
        }
        (declarations, format!(" BA_NO_WAIT(ba_spins{number});"))
    }
}

fn distinct(objects: &[usize]) -> BTreeSet<usize> {
    objects.iter().copied().collect()
}
