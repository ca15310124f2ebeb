//! The threads of a run as readers know them: by their start functions and the calls that create
//! them.

use serde::{Deserialize, Serialize};

/// A thread that a call creates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartedThread {
    /// Its number in the order of creation, from 1; `main` is 0.
    pub thread: u32,
    /// The function that it begins with.
    pub routine: String,
    /// The file of the call that creates it.
    pub file: String,
    /// The line there.
    pub line: u32,
}

impl StartedThread {
    /// The interrupt handler or signal whose calls are the thread, with the word for it, if it is none of the program's own.
    fn handler(&self) -> Option<(&'static str, &str)> {
        let ours = self.file == cfront::interrupts::FILE;
        cfront::interrupts::comer(&self.routine).filter(|_| ours)
    }
}

/// The known threads of a run, without `main`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Threads(Vec<StartedThread>);

impl Threads {
    /// Whether no thread is known, as in a program without threads.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All known threads, without `main`.
    pub fn all(&self) -> &[StartedThread] {
        &self.0
    }

    /// Adds a thread, unless its number is known already.
    pub fn add(&mut self, started: StartedThread) {
        if self.0.iter().all(|t| t.thread != started.thread) {
            self.0.push(started);
        }
    }

    /// The interrupt handler or signal that a thread stands for, with the word for it.
    pub fn handler(&self, number: u32) -> Option<(&'static str, &str)> {
        let thread = self.0.iter().find(|t| t.thread == number)?;
        thread.handler()
    }

    /// The name for readers: `main`, `thread 2 (consumer)`, or `thread 2` if its function is
    /// unknown.
    pub fn name(&self, number: u32) -> String {
        let routine = self.0.iter().find(|t| t.thread == number);
        if let Some((word, name)) = routine.and_then(StartedThread::handler) {
            return format!("{word} {name}");
        }
        match (number, routine) {
            (0, _) => "main".into(),
            (n, Some(t)) => format!("thread {n} ({})", t.routine),
            (n, None) => format!("thread {n}"),
        }
    }

    /// The name with the place where the thread is created, if known; none for interrupts.
    pub fn origin(&self, number: u32) -> Option<String> {
        let mut all = self.0.iter();
        let started = all.find(|t| t.thread == number && t.handler().is_none())?;
        let StartedThread { file, line, .. } = started;
        Some(format!("{}, created at {file}:{line}", self.name(number)))
    }

    /// A sentence for each known thread, in the order of their numbers.
    pub fn origins(&self) -> Vec<String> {
        let mut numbers: Vec<u32> = self.0.iter().map(|t| t.thread).collect();
        numbers.sort_unstable();
        numbers.into_iter().filter_map(|n| self.origin(n)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{StartedThread, Threads};

    #[test]
    fn threads_are_known_by_their_routines() {
        let mut threads = Threads::default();
        for routine in ["consumer", "another"] {
            threads.add(StartedThread {
                thread: 2,
                routine: routine.into(),
                file: "p.c".into(),
                line: 30,
            });
        }
        let names: Vec<String> = (0..3).map(|n| threads.name(n)).collect();
        assert_eq!(names, ["main", "thread 1", "thread 2 (consumer)"]);
        let origins = threads.origins();
        assert_eq!(origins, ["thread 2 (consumer), created at p.c:30"]);
    }
}
