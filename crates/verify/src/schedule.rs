//! The schedule of a run by rounds, as the steps of its trace tell it.

use backend::{Location, Value};

use crate::holders::thread;
use crate::result::{Context, Starved, Stop};
use crate::trace::{Reader, Wait};
use crate::waits;

/// The name of a step with which a thread's context begins; its number is the round.
pub const ROUND: &str = "ba_context_begins";
/// The name of one with which it ends: where the thread stands then, and what it would do next; its
/// number is 1 if the thread is cut.
pub const STOPPED: &str = "ba_context_stops";
/// The name of one that says where a thread waits for good.
pub const WAITING: &str = "ba_context_waits";

/// The name of one that says that the state is saved: the loop of a lasso begins.
pub const LOOP: &str = "ba_loop_begins";
/// The name of one that says which thread takes no step in the loop, and where it stands; its number is
/// 1 if it may wait there.
pub const STARVES: &str = "ba_loop_starves";

/// A sentence for each context of a run: who runs in which round, and where it stops.
pub fn contexts(contexts: &[Context]) -> Vec<String> {
    let told = contexts.iter().map(|c| {
        let who = thread(c.thread);
        let round = match c.round {
            0 => "first".to_owned(),
            round => format!("round {round}"),
        };
        match &c.stopped {
            Some(Stop { file, line, what }) => {
                format!("{round}: {who} runs to {file}:{line}{}", behind(what))
            }
            None if c.cut => format!("{round}: {who} runs to the bound of a loop or recursion"),
            None => format!("{round}: {who} runs to its end"),
        }
    });
    told.collect()
}

/// What follows a place: nothing where it cannot be said what comes next.
fn behind(what: &str) -> String {
    match what.is_empty() {
        true => String::new(),
        false => format!("; {what}"),
    }
}

/// A sentence for each thread that takes no step in the loop of a lasso, and on what that rests.
pub fn starved(starved: &[Starved]) -> Vec<String> {
    let told = starved.iter().map(|s| {
        let (who, Stop { file, line, what }) = (thread(s.thread), &s.stop);
        match s.waits {
            true => format!("{who} never goes on at {file}:{line}{}", behind(what)),
            false => format!(
                "{who} could go on at {file}:{line} and never runs{}",
                behind(what)
            ),
        }
    });
    told.collect()
}

/// Whether a step is one of these.
pub(crate) fn is_told(name: &str) -> bool {
    [ROUND, STOPPED, WAITING, LOOP, STARVES].contains(&name)
}

impl Reader<'_> {
    /// A thread's turn begins or ends, or it waits for good.
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
                stopped: None,
                cut: false,
            }),
            STOPPED => {
                let last = self.out.contexts.last_mut();
                if let Some(context) = last.filter(|c| c.thread == thread) {
                    context.stopped = stop;
                    context.cut = number == Some(1);
                }
            }
            LOOP => self.loop_begins(),
            STARVES => self.out.starved.extend(stop.map(|stop| Starved {
                thread,
                waits: number == Some(1),
                stop,
            })),
            _ => {
                self.stops = true;
                self.blocked.extend(self.wait_site(at).map(|site| Wait {
                    site,
                    thread,
                    code: None,
                }));
            }
        }
    }

    /// The state is saved between two contexts.
    fn loop_begins(&mut self) {
        self.flush();
        self.out.loop_start = Some(self.out.steps.len() as u32);
        self.by_rounds = true;
    }

    /// The site of a wait at a place.
    fn wait_site(&self, at: &Location) -> Option<usize> {
        let mut sites = self.record.sites.iter();
        sites.position(|s| {
            waits::is_wait(s) && Some(&s.file) == at.file.as_ref() && Some(s.line) == at.line
        })
    }
}
