//! Reads the turns of threads in a run by rounds.

use backend::{Location, Value};
use weave::record::SiteRecord;

use super::{Reader, Wait};
use crate::result::{
    Caller, Context, Event, Holder, LoopRests, RestsOn, StartedThread, Starved, Stop,
};
use crate::schedule::{
    BLOCKED, CREATED, HELD, LOOP, PASSED, RESTS, ROUND, STARVES, STEPPED, STOPPED,
};
use crate::steps::Step;
use crate::waits;

impl Reader<'_> {
    /// Reads a step of the schedule: a thread's turn begins or ends, or it is blocked for ever.
    pub(crate) fn turn(&mut self, name: &str, value: &Value, thread: u32, at: &Location) {
        let number = value.number.and_then(|n| u32::try_from(n).ok());
        let stop = at.file.clone().map(|file| Stop {
            file,
            line: at.line.unwrap_or(0),
            what: value.text.clone(),
        });
        match name {
            ROUND => self.out.contexts.push(Context {
                round: number.unwrap_or(0),
                thread,
                step: self.out.steps.len() as u32,
                event: self.out.schedule.len() as u32,
                stopped: None,
                cut: false,
                repeats: self.out.loop_start.is_some(),
                passes: 0,
            }),
            PASSED => {
                let last = self.out.contexts.last_mut();
                if let Some(context) = last.filter(|c| c.thread == thread) {
                    context.passes = number.unwrap_or(0);
                }
            }
            STOPPED => {
                let last = self.out.contexts.last_mut();
                if let Some(context) = last.filter(|c| c.thread == thread) {
                    context.stopped = stop;
                    context.cut = number == Some(1);
                }
            }
            CREATED => {
                if let Some(Stop { file, line, what }) = stop {
                    self.out.threads.add(StartedThread {
                        thread,
                        routine: what,
                        file,
                        line,
                    });
                }
            }
            LOOP => self.loop_begins(),
            RESTS => {
                let on = number.and_then(RestsOn::of_number);
                self.out
                    .rests_on
                    .extend(on.map(|on| LoopRests { on, thread }));
            }
            STARVES => self.out.starved.extend(stop.map(|stop| Starved {
                thread,
                waits: number.is_some_and(|n| n > 0),
                spins: number == Some(2),
                stop,
            })),
            STEPPED => {
                let step = Step {
                    event: Event::Step,
                    at: at.clone(),
                    what: value.text.clone(),
                };
                self.beside(step, thread);
            }
            HELD => {
                let wait = self.blocked.last_mut();
                let holder = stop.map(|Stop { file, line, .. }| Holder { thread, file, line });
                if let (Some(wait), Some(holder)) = (wait, holder) {
                    wait.holders.push(holder);
                }
            }
            BLOCKED => {
                self.stops = true;
                self.blocked.extend(stop.map(|stop| Wait {
                    at: Caller {
                        file: stop.file,
                        line: stop.line,
                        function: String::new(),
                    },
                    what: stop.what,
                    thread,
                    code: None,
                    holders: Vec::new(),
                }));
            }
            _ => {
                self.stops = true;
                let site = self.wait_site(at, &value.text);
                self.blocked
                    .extend(site.and_then(|site| Wait::at_site(site, thread)));
            }
        }
    }

    /// Records that the state is saved between two contexts.
    fn loop_begins(&mut self) {
        self.flush();
        // The initial letter comes before all turns and is not part of the loop.
        let first = u32::from(!self.record.sampled);
        self.out.loop_start = Some((self.out.steps.len() as u32).max(first));
        self.by_rounds = true;
    }

    /// The site of a wait at a place. If the line has several, the description of the wait tells which: it has the
    /// call's text, or at least the name of the called function.
    fn wait_site(&self, at: &Location, described: &str) -> Option<&SiteRecord> {
        let here = |s: &SiteRecord| {
            waits::is_wait(s) && Some(&s.file) == at.file.as_ref() && Some(s.line) == at.line
        };
        let sites = || self.record.sites.iter().filter(|s| here(s));
        let described = without_spaces(described);
        let called = |s: &SiteRecord| {
            let name = without_spaces(s.what.split('(').next().unwrap_or_default());
            described.contains(&format!("{name}("))
                || (name.ends_with("join") && described.contains("fortheendofthread"))
        };
        let exact = sites().find(|s| described.contains(&without_spaces(&s.what)));
        exact
            .or_else(|| sites().find(|s| called(s)))
            .or_else(|| sites().next())
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
