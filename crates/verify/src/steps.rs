//! Steps of a run, besides its letters, that other threads can see: writes of objects at file
//! scope, locks and unlocks, other synchronisation. The short form of a trace counts these steps,
//! the full one shows them.

use std::collections::{BTreeMap, BTreeSet};

use backend::Location;

use crate::result::Event;

/// The names of the emitted models of synchronisation, after `ba_` or `ba_seq_`, with the kind of
/// event and its words. The first entry that a name ends with counts.
const OPERATIONS: [(&str, Event, &str); 23] = [
    ("mutex_unlock", Event::Unlock, "gives back"),
    ("seq_unlock", Event::Unlock, "gives back"),
    ("rwlock_unlock", Event::Unlock, "gives back"),
    ("spin_unlock", Event::Unlock, "gives back"),
    ("mutex_lock", Event::Lock, "takes"),
    ("mutex_trylock", Event::Lock, "tries to take"),
    ("seq_lock", Event::Lock, "takes"),
    ("seq_trylock", Event::Lock, "tries to take"),
    ("rwlock_rdlock", Event::Lock, "takes, to read,"),
    ("rwlock_wrlock", Event::Lock, "takes, to write,"),
    ("spin_lock", Event::Lock, "takes"),
    (
        "cond_sleep",
        Event::Sync,
        "gives the lock back and waits for",
    ),
    ("cond_wait", Event::Sync, "has waited for"),
    ("cond_timedwait", Event::Sync, "has waited for"),
    ("cond_signal", Event::Sync, "wakes one that waits for"),
    ("cond_broadcast", Event::Sync, "wakes all that wait for"),
    ("barrier_wait", Event::Sync, "has waited at"),
    ("sem_wait", Event::Sync, "has taken one from"),
    ("sem_trywait", Event::Sync, "tries to take one from"),
    ("sem_post", Event::Sync, "puts one into"),
    (
        "join_pthread",
        Event::Sync,
        "has waited for the end of a thread",
    ),
    (
        "join_thrd",
        Event::Sync,
        "has waited for the end of a thread",
    ),
    ("ba_spawn", Event::Sync, "starts a thread"),
];

/// A running call of such a model.
#[derive(Debug)]
struct Call {
    function: String,
    at: Location,
    event: Event,
    words: &'static str,
    object: Option<String>,
}

/// A step to be shown or counted.
#[derive(Debug)]
pub(crate) struct Step {
    pub event: Event,
    pub at: Location,
    pub what: String,
}

/// Collects the steps of a run besides its letters.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// The names of the program's objects at file scope.
    watched: BTreeSet<String>,
    /// The prefix of emitted names.
    emitted: String,
    /// The running calls, by thread.
    calls: BTreeMap<u32, Call>,
    /// Whether `main` has started.
    begun: bool,
}

impl Steps {
    /// A reader for programs with these objects at file scope and this infix of emitted names.
    pub fn new(watched: &[String], infix: &str) -> Steps {
        Steps {
            watched: watched.iter().cloned().collect(),
            emitted: format!("ba_{infix}"),
            ..Steps::default()
        }
    }

    /// `main` starts: writes before are initial values.
    pub fn begin(&mut self) {
        self.begun = true;
    }

    /// Whether a place is in the program itself.
    fn is_own(&self, at: &Location) -> bool {
        let function = at.function.as_deref().unwrap_or_default();
        let thread = function.starts_with("ba_seq_thread_");
        !function.is_empty()
            && (thread || !function.starts_with(&self.emitted))
            && !function.starts_with("__CPROVER")
    }

    /// Reads an assignment; returns a step if it writes a watched object.
    pub fn assigned(&mut self, lhs: &str, value: &str, thread: u32, at: &Location) -> Option<Step> {
        let end = lhs.find(['.', '[', '-']).unwrap_or(lhs.len());
        let object = &lhs[..end];
        if let Some(call) = self.calls.get_mut(&thread) {
            let named = object == format!("{}m", self.emitted);
            let other = ["c", "s", "b", "l"]
                .iter()
                .any(|n| object == format!("{}{n}", self.emitted));
            let member = lhs.contains(".ba_") && self.watched.contains(object);
            if call.object.is_none() && (named || other) && !value.is_empty() {
                call.object = Some(value.trim_start_matches('&').to_owned());
            } else if call.object.is_none() && member {
                call.object = lhs.split(".ba_").next().map(str::to_owned);
            }
        }
        let written = self.begun && self.watched.contains(object) && self.is_own(at);
        let model = lhs.contains(".ba_") || lhs.contains("$pad");
        (written && !model).then(|| Step {
            event: Event::Step,
            at: at.clone(),
            what: format!("{lhs} = {value}"),
        })
    }

    /// Reads a call of a function.
    pub fn called(&mut self, function: &str, thread: u32, at: &Location) {
        let mut known = OPERATIONS.iter();
        let known =
            known.find(|(name, ..)| function.starts_with("ba_") && function.ends_with(name));
        if let (Some((_, event, words)), true) = (known, self.begun && self.is_own(at)) {
            let call = Call {
                function: function.to_owned(),
                at: at.clone(),
                event: *event,
                words,
                object: None,
            };
            self.calls.insert(thread, call);
        }
    }

    /// Reads a return; returns a step if it ends the call of a model.
    pub fn returned(&mut self, function: &str, thread: u32) -> Option<Step> {
        let ends = self
            .calls
            .get(&thread)
            .is_some_and(|c| c.function == function);
        if !ends {
            return None;
        }
        let call = self.calls.remove(&thread)?;
        let object = call.object.unwrap_or_default();
        Some(Step {
            event: call.event,
            at: call.at,
            what: format!("{} {object}", call.words).trim_end().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn at(function: &str) -> Location {
        Location {
            file: Some("p.c".into()),
            line: Some(3),
            function: Some(function.into()),
        }
    }

    #[test]
    fn writes_and_locks_of_the_program_are_steps() {
        let mut steps = Steps::new(&["x".into(), "m".into()], "");
        assert!(steps.assigned("x", "0", 0, &at("main")).is_none());
        steps.begin();
        let step = steps.assigned("x", "1", 0, &at("main")).unwrap();
        assert_eq!((step.event, step.what.as_str()), (Event::Step, "x = 1"));
        assert!(steps.assigned("y", "1", 0, &at("main")).is_none());
        assert!(steps.assigned("x", "1", 0, &at("ba_eval")).is_none());
        steps.called("ba_mutex_lock", 1, &at("t"));
        steps.assigned("ba_m", "m", 1, &at("t"));
        assert!(steps.returned("ba_mutex_take", 0).is_none());
        let step = steps.returned("ba_mutex_lock", 1).unwrap();
        assert_eq!((step.event, step.what.as_str()), (Event::Lock, "takes m"));
    }
}
