//! What a specification says of the machine: the interrupt handlers of a program and what keeps them off, its registers,
//! and the functions that callers call if it has no `main`.

use std::collections::BTreeSet;
use std::path::Path;

use cfront::interrupts::{Handler, Interrupts};
use cfront::span::{Offset, Span};
use cfront::Unit;
use forms::{entries, interrupts, Weaving};
use serde_json::json;
use weave::facts::Facts;

use crate::options::{Entry, Output};

/// Parts of the names of two functions that keep something off, and let it come again.
const PAIRS: [(&str, &str); 6] = [
    ("disable", "enable"),
    ("enter", "leave"),
    ("enter", "exit"),
    ("mask", "unmask"),
    ("unlock", "lock"),
    ("suspend", "resume"),
];

/// Words of names that are about interrupts.
const ABOUT: [&str; 4] = ["irq", "interrupt", "critical", "isr"];

/// What the program shows of its machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    interrupts: Interrupts,
    entries: Vec<String>,
    registers: Vec<String>,
    /// What was found, with its lines, for a reader.
    pub found: Vec<String>,
}

impl Machine {
    /// Looks at a program without its handlers and callers.
    pub fn of(unit: &Unit, facts: &Facts, registers: &[(String, String)]) -> Machine {
        let mut machine = Machine {
            registers: Vec::new(),
            ..Machine::default()
        };
        // The status register of AVR is followed as the mask of handlers.
        let is_mask = |name: &str| name == "SREG" && !facts.uncalled_handlers.is_empty();
        let registers = || registers.iter().filter(|(name, _)| !is_mask(name));
        machine.registers = registers().map(|(name, _)| name.clone()).collect();
        let place = |at: Offset| {
            let place = unit.source.place(Span::new(at, at));
            let file = Path::new(&place.file).file_name().unwrap_or_default();
            format!("{}:{}", file.to_string_lossy(), place.line)
        };
        for handler in &facts.uncalled_handlers {
            let function = &facts.functions[handler.function];
            machine.found.push(format!(
                "{} at {} looks like an interrupt handler, by {}",
                function.name,
                place(function.place.start),
                handler.sign.words()
            ));
            let flow = cfront::Flow::new(&unit.tree, function.id);
            if flow.is_ok_and(|flow| !flow.returns()) {
                let told = format!("{} never returns, so it is left out of `interrupts`: after it, nothing else runs", function.name);
                machine.found.push(told);
                continue;
            }
            let handler = Handler::at_any_time(function.name.as_str());
            machine.interrupts.handlers.push(handler);
        }
        if !machine.interrupts.handlers.is_empty() {
            machine.masks(facts);
            machine.priorities(unit, &place);
        }
        if unit.tree.function_named("main").is_none() {
            let external = cfront::entries::external(&unit.tree);
            let handles = |name: &&str| {
                facts
                    .uncalled_handlers
                    .iter()
                    .any(|h| facts.functions[h.function].name == *name)
            };
            machine.entries = external
                .filter(|name| !handles(name))
                .map(str::to_owned)
                .collect();
            if !machine.entries.is_empty() {
                let told = "no `main`: `entry` has the functions that other files can call, in any order; an expression such as \"init (push | pop)*\" says more";
                machine.found.push(told.to_owned());
            }
        }
        for (name, place) in registers() {
            let file = Path::new(place).file_name().unwrap_or_default();
            let place = file.to_string_lossy();
            machine.found.push(format!("{name} is a register, read at {place}: \"any\" value; \"memory\" is what was written last"));
        }
        for (object, read) in &facts.unwritten {
            let Some((object, _)) = unit.tree.objects.iter().nth(*object) else {
                continue;
            };
            let name = cfront::registers::name_of(&unit.tree, object);
            machine.found.push(format!("{name} is volatile, read at {} and never written: \"any\" value if hardware writes it, \"memory\" if it keeps its first value", place(read.start)));
            machine.registers.push(name);
        }
        machine
    }

    /// The priorities that the program gives its handlers: a smaller number of CMSIS is more urgent, and a larger
    /// `priority` is.
    fn priorities(&mut self, unit: &Unit, place: &dyn Fn(Offset) -> String) {
        let handlers = &mut self.interrupts.handlers;
        let names: Vec<String> = handlers.iter().map(|h| h.name.clone()).collect();
        let Some((priorities, given)) = cfront::interrupts::priorities(unit, &names) else {
            return;
        };
        for (handler, priority) in handlers.iter_mut().zip(priorities) {
            handler.priority = priority;
        }
        for urgency in &given {
            self.found.push(format!(
                "{} has the priority {} of CMSIS, by {}: handlers with a smaller number interrupt it, in `interrupts` those with a larger `priority`",
                urgency.handler,
                urgency.number,
                place(urgency.at.start)
            ));
        }
    }

    /// Pairs of functions without a body here whose names say that they keep handlers off and let them come.
    fn masks(&mut self, facts: &Facts) {
        let unknown = facts.calls.iter().filter(|call| call.target.is_none());
        let called: BTreeSet<&str> = unknown.filter_map(|call| call.callee.as_deref()).collect();
        for name in &called {
            let lower = name.to_lowercase();
            if name.starts_with("__") || !ABOUT.iter().any(|word| lower.contains(word)) {
                continue;
            }
            for (off, on) in PAIRS {
                let other = name.replace(off, on);
                if other != **name && called.contains(other.as_str()) {
                    self.found.push(format!(
                        "{name} and {other} seem to keep handlers off and to let them come"
                    ));
                    self.interrupts.masks.push(((*name).to_owned(), other));
                }
            }
        }
    }

    /// Whether there is nothing to say.
    pub fn is_plain(&self) -> bool {
        self.interrupts.handlers.is_empty() && self.entries.is_empty()
    }

    /// How a program with them is read.
    ///
    /// # Errors
    /// None that names of functions cause.
    pub fn onto(
        &self,
        weaving: Weaving,
        entry: &Entry,
        output: &Output,
    ) -> anyhow::Result<Weaving> {
        let named = Entry {
            entry: self.entries.clone(),
            ..entry.clone()
        };
        let entries = entries::Asked::of(None, &named.wanted());
        let machine = forms::Machine {
            interrupts: interrupts::Asked::named(self.interrupts.clone()),
            entries: entries.map_err(|refusal| refusal.ended(None, output))?,
            ..weaving.machine
        };
        Ok(Weaving { machine, ..weaving })
    }

    /// The members of a specification, each with a comma behind it.
    pub fn members(&self) -> String {
        let list = |name: &str, all: Vec<String>| match all.is_empty() {
            true => String::new(),
            false => format!("\"{name}\": [\n    {}\n  ],\n  ", all.join(",\n    ")),
        };
        let entries = self.entries.iter().map(|name| json!(name).to_string());
        let handlers = self.interrupts.handlers.iter();
        let equal = self.interrupts.handlers.iter().all(|h| h.priority == 0);
        let handlers = handlers.map(|h| match equal {
            true => format!("{{ \"handler\": {} }}", json!(h.name)),
            false => format!(
                "{{ \"handler\": {}, \"priority\": {} }}",
                json!(h.name),
                h.priority
            ),
        });
        let masks = self.interrupts.masks.iter();
        let masks = masks.map(|(off, on)| {
            format!(
                "{{ \"disable\": {}, \"enable\": {} }}",
                json!(off),
                json!(on)
            )
        });
        let registers = self.registers.iter();
        let registers =
            registers.map(|name| format!("{{ \"name\": {}, \"reads\": \"any\" }}", json!(name)));
        list("entry", entries.collect())
            + &list("interrupts", handlers.collect())
            + &list("masks", masks.collect())
            + &list("registers", registers.collect())
    }
}
