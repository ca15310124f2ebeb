//! The interrupt handlers of a question: those of the specification and of the command line.

use cfront::interrupts::{Handler, Interrupts};
use spec::Spec;

use crate::refusal::Refusal;

/// The word for all functions that look like handlers.
const AUTO: &str = "auto";

/// The handlers that come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Those that are named, and the masks.
    named: Interrupts,
    /// Whether all functions that look like handlers come, too.
    auto: bool,
}

impl Asked {
    /// Those of a specification and of `--interrupt`.
    ///
    /// # Errors
    /// A handler that must come, which is not followed.
    pub fn of(spec: &Spec, options: &[String]) -> Result<Asked, Refusal> {
        let mut asked = Asked::default();
        for interrupt in &spec.machine.interrupts {
            let name = interrupt.handler.as_str().to_owned();
            asked.named.handlers.push(Handler {
                name,
                enabled: interrupt.enabled.as_ref().map(|c| c.as_str().to_owned()),
                at_most: interrupt.at_most,
                priority: interrupt.priority,
                fair: interrupt.fair,
            });
        }
        for option in options {
            let (name, priority) = match option.split_once(':') {
                None => (option.as_str(), Ok(0)),
                Some((name, priority)) => (name, priority.parse::<i128>()),
            };
            let Ok(priority) = priority else {
                let message =
                    format!("--interrupt {option}: a priority is a number, as in `HANDLER:2`");
                return Err(Refusal::Option(message));
            };
            if name == AUTO {
                asked.auto = true;
                continue;
            }
            match asked.named.handlers.iter_mut().find(|h| h.name == name) {
                Some(named) => named.priority = priority,
                None => asked.named.handlers.push(Handler {
                    priority,
                    ..Handler::at_any_time(name)
                }),
            }
        }
        let pair = |(disable, enable): &(spec::Text, spec::Text)| {
            (disable.as_str().to_owned(), enable.as_str().to_owned())
        };
        asked.named.masks = spec.machine.masks.iter().map(pair).collect();
        Ok(asked)
    }

    /// These, and no others.
    pub fn named(named: Interrupts) -> Asked {
        Asked { named, auto: false }
    }

    /// Whether handlers are asked for.
    pub fn any(&self) -> bool {
        self.auto || !self.named.handlers.is_empty()
    }

    /// The handlers of a program in which these functions look like ones; `None` if there are none. `meant` tells the function that a
    /// name means.
    pub fn in_program(
        &self,
        look_like: impl Iterator<Item = String>,
        meant: impl Fn(&str) -> String,
    ) -> Option<Interrupts> {
        let mut all = self.named.clone();
        for handler in &mut all.handlers {
            handler.name = meant(&handler.name);
        }
        for name in look_like.filter(|_| self.auto) {
            if all.handlers.iter().all(|h| h.name != name) {
                all.handlers.push(Handler::at_any_time(name));
            }
        }
        (!all.handlers.is_empty()).then_some(all)
    }

    /// Gives handlers the priorities that the program gives them, if nobody names one.
    pub fn by_urgency(&self, unit: &cfront::Unit, all: &mut Interrupts) {
        if !self.auto || all.handlers.iter().any(|h| h.priority != 0) {
            return;
        }
        let names: Vec<String> = all.handlers.iter().map(|h| h.name.clone()).collect();
        if let Some((priorities, _)) = cfront::interrupts::priorities(unit, &names) {
            for (handler, priority) in all.handlers.iter_mut().zip(priorities) {
                handler.priority = priority;
            }
        }
    }
}
