//! At the end of a run: who holds the object that a thread waits for, and what would unblock the
//! thread.

use std::collections::BTreeMap;

use weave::record::Record;

use crate::result::{Event, Holder, Threads, TraceStep};

/// The locks that threads hold, as the models report in runs with a trace. Locks without a code
/// have no known name, so they are not reported.
#[derive(Default)]
pub(crate) struct Holders {
    /// By thread and code: the site that locked it.
    held: BTreeMap<(u32, i128), usize>,
    /// By thread: the site of the lock whose code follows.
    locking: BTreeMap<u32, usize>,
}

impl Holders {
    /// A thread is about to report what it locked at a site.
    pub fn locks_at(&mut self, thread: u32, site: i128) {
        if let Ok(site) = usize::try_from(site) {
            self.locking.insert(thread, site);
        }
    }

    /// A thread has locked something.
    pub fn locked(&mut self, thread: u32, code: i128) {
        if let Some(site) = self.locking.remove(&thread) {
            self.held.insert((thread, code), site);
        }
    }

    /// A thread has released something.
    pub fn freed(&mut self, thread: u32, code: i128) {
        self.held.remove(&(thread, code));
    }

    /// The holders of the lock with a name, in the order of the backend's threads; `number` maps
    /// these threads to ours.
    pub fn of(&self, name: &str, record: &Record, number: impl Fn(u32) -> u32) -> Vec<Holder> {
        let named = |code: i128| {
            let mut waits = record.waits.iter();
            waits.any(|w| i128::from(w.code) == code && w.name == name)
        };
        let held = self.held.iter().filter(|((_, code), _)| named(*code));
        held.filter_map(|(&(thread, _), &site)| {
            let site = record.sites.get(site)?;
            Some(Holder {
                thread: number(thread),
                file: site.file.clone(),
                line: site.line,
            })
        })
        .collect()
    }
}

/// What would unblock a thread, derived from the source text of its wait.
pub(crate) fn missing(wait: &str) -> &'static str {
    let name = wait.split('(').next().unwrap_or(wait).trim_end();
    match name {
        "sem_wait" => "a post",
        "pthread_once" | "call_once" => "the end of the first call",
        "pthread_join" | "thrd_join" => "the end of the thread",
        "pthread_barrier_wait" => "more threads at the barrier",
        _ if name.starts_with("pthread_cond_") || name.starts_with("cnd_") => "a signal",
        _ if name.ends_with("lock") => "an unlock",
        _ => "a change of what it reads",
    }
}

/// The loop in which a run without other threads spins for ever, because no iteration changes
/// anything. Such a run is not reported as a deadlock.
pub fn endless_loop(trace: &[TraceStep]) -> Option<&TraceStep> {
    let step = trace.iter().find(|s| s.event == Event::Blocked)?;
    let alone = trace.iter().all(|s| s.thread == step.thread);
    let word = step.what.split(|c: char| !c.is_ascii_alphabetic()).next();
    let turns = matches!(word, Some("while" | "for" | "do" | "goto"));
    (alone && turns).then_some(step)
}

/// A sentence for each thread that is blocked for ever at the end of a run: where and for what it
/// waits, and who holds that object or which event is missing.
pub fn sentences(trace: &[TraceStep], threads: &Threads) -> Vec<String> {
    if let Some(step) = endless_loop(trace) {
        return vec![format!(
            "`{}` at {}:{} goes round for ever: nothing that it reads changes any more",
            step.what, step.file, step.line
        )];
    }
    let blocked = || trace.iter().filter(|s| s.event == Event::Blocked);
    let waits: Vec<u32> = blocked().map(|s| s.thread).collect();
    blocked()
        .map(|step| {
            let place = format!("{}:{}", step.file, step.line);
            let who = threads.name(step.thread);
            let why = why(step, &waits, threads);
            match &step.object {
                Some(object) if !step.what.contains(object.as_str()) => {
                    format!(
                        "{who} waits at {place} for `{object}` (`{}`){why}",
                        step.what
                    )
                }
                _ => format!("{who} waits at {place} for `{}`{why}", step.what),
            }
        })
        .collect()
}

/// The end of the sentence about a waiting thread; `waits` are all waiting threads.
fn why(step: &TraceStep, waits: &[u32], threads: &Threads) -> String {
    let Some(missing) = &step.missing else {
        return String::new();
    };
    if step.holders.is_empty() {
        return format!(": only {missing} would let it go on");
    }
    let holders = step.holders.iter().map(|h| {
        let place = format!("{}:{}", h.file, h.line);
        match h.thread == step.thread {
            true => format!("which it locked itself at {place}"),
            false if waits.contains(&h.thread) => {
                format!("which {} locked at {place}", threads.name(h.thread))
            }
            false => format!(
                "which {}, which does not go on, locked at {place}",
                threads.name(h.thread)
            ),
        }
    });
    let holders: Vec<String> = holders.collect();
    format!(", {}", holders.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(thread: u32, what: &str) -> TraceStep {
        let step = serde_json::json!({
            "step": 0, "file": "a.c", "line": 7, "function": "main", "thread": thread,
            "event": "blocked", "what": what, "props": {}, "monitor": 0,
        });
        serde_json::from_value(step).expect("it has all fields")
    }

    #[test]
    fn a_loop_without_effect_is_no_deadlock_of_a_program_without_threads() {
        let alone = [blocked(0, "while (1)")];
        assert_eq!(
            sentences(&alone, &Threads::default()),
            ["`while (1)` at a.c:7 goes round for ever: nothing that it reads changes any more"]
        );
        let locked = [blocked(0, "format_lock(&m)")];
        assert!(endless_loop(&locked).is_none());
        let two = [blocked(0, "while (!a)"), blocked(1, "while (!b)")];
        assert!(endless_loop(&two).is_none(), "they wait for each other");
    }
}
