//! The end of a trace: blocked threads, a label, a loop, or the end of the run.

use super::{Read, Reader};
use crate::holders::missing;
use crate::result::{Caller, Event};

/// What is said of the end of a run in which no thread can go on.
pub const STUCK: &str = "no thread can go on";

impl Reader<'_> {
    /// Adds what threads wait for at the end, without threads that merely have not continued yet.
    fn waits(&mut self) {
        let blocked = std::mem::take(&mut self.blocked);
        let blocked = if self.stops { blocked } else { Vec::new() };
        for wait in blocked {
            let Caller {
                file,
                line,
                function,
            } = wait.at;
            self.push(Event::Blocked, file, line, function, wait.thread, wait.what);
            let records = &self.record.waits;
            let known = records
                .iter()
                .find(|w| Some(i128::from(w.code)) == wait.code);
            let Some(step) = self.out.steps.last_mut() else {
                continue;
            };
            step.missing = Some(missing(&step.what).to_string());
            step.holders = wait.holders;
            if let Some(known) = known {
                let number = |t: u32| self.numbers.get(&t).copied().unwrap_or(t);
                step.object = Some(known.name.clone());
                step.holders = self.holders.of(&known.name, self.record, number);
            }
        }
    }

    /// Records that a thread comes to the end of the run, and at which place. An emitted function that ends it has
    /// no place in the program.
    pub(super) fn ends(&mut self, thread: u32, place: &backend::Location) {
        let function = place.function.clone().unwrap_or_default();
        let own = function.starts_with("ba_");
        let place = place.file.clone().zip(place.line).filter(|_| !own);
        let at = place.map(|(file, line)| Caller {
            file,
            line,
            function,
        });
        self.ended.insert(thread, at);
    }

    pub(super) fn finish(mut self) -> Read {
        self.flush();
        if !self.out.steps.iter().any(|step| step.event.is_letter()) {
            self.start();
        }
        if self.by_rounds {
            return self.out;
        }
        if let (Some(site), Some(_)) = (self.repeated.take(), self.out.loop_start) {
            let what = site.what.clone();
            self.push(Event::Repeat, site.file, site.line, site.function, 0, what);
            return self.out;
        }
        if self
            .out
            .steps
            .last()
            .is_some_and(|step| step.event == Event::Reach)
        {
            self.out.reached = true;
            self.out.iterations = self.loops.iter().map(|l| l.1).find(|&n| n > 0);
            return self.out;
        }
        let at = self.violated.and_then(|thread| self.ended.remove(&thread));
        let at = at.flatten();
        // Another thread may stop in front of the end that the trace shows.
        self.stops &= at.is_none();
        let what = match (self.stops, self.out.cut) {
            (_, true) if at.is_none() => "no thread can go on within the bounds",
            (true, false) if !self.blocked.is_empty() => STUCK,
            _ => "the run ends",
        };
        self.waits();
        let ended = at.as_ref().and(self.violated);
        let thread = ended.unwrap_or(self.last_thread);
        let what = match &at {
            Some(at) if !at.function.is_empty() && at.function != "main" => {
                format!("the run ends, in {}", at.function)
            }
            _ => what.to_owned(),
        };
        let Caller {
            file,
            line,
            function,
        } = at.unwrap_or_default();
        self.push(Event::End, file, line, function, thread, what);
        self.out
    }
}
