//! A running job: one or more runs that share the job's time limit.

use crate::answer::{Answer, Failure, Finished, Usage};
use crate::job::Job;
use crate::process::{self, Cancel, End, Invocation, Ran};
use crate::scratch::Scratch;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::mpsc;
use std::time::Instant;

/// The state that the runs of a job share.
pub(crate) struct Session<'a> {
    pub(crate) job: &'a Job,
    pub(crate) cancel: &'a Cancel,
    start: Instant,
    usage: Usage,
    command: String,
    /// The arguments that its programs get in place of others.
    instead: Vec<(OsString, OsString)>,
    /// Where they lie.
    directory: Option<Scratch>,
}

/// A run that exited by itself.
pub(crate) struct Run<T> {
    /// The value that the reader returned.
    pub(crate) output: T,
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
}

/// The end of a run: exit status and standard error, or why it was ended.
pub(crate) type Ended = Result<(ExitStatus, String), Failure>;

impl<'a> Session<'a> {
    /// Starts a job and its clock.
    pub(crate) fn new(job: &'a Job, cancel: &'a Cancel) -> Self {
        Session {
            job,
            cancel,
            start: Instant::now(),
            usage: Usage::default(),
            command: String::new(),
            instead: Vec::new(),
            directory: None,
        }
    }

    /// Gives programs these files, which are in a directory of their own, in place of others, which command lines for
    /// people name.
    pub(crate) fn stand_in(&mut self, files: Vec<(PathBuf, PathBuf)>, directory: Scratch) {
        let arguments = files.into_iter();
        let arguments = arguments.map(|(file, text)| (file.into(), text.into()));
        self.instead = arguments.collect();
        self.directory = Some(directory);
    }

    /// Runs a program with the rest of the job's limits.
    pub(crate) fn run<T: Send>(
        &mut self,
        invocation: Invocation,
        read: impl FnOnce(&mut dyn Read) -> T + Send,
    ) -> Result<Run<T>, Failure> {
        let (output, ended) = self.run_to_any_end(invocation, read)?;
        let (status, stderr) = ended?;
        Ok(Run {
            output,
            status,
            stderr,
        })
    }

    /// Like [`Session::run`], but also returns the output of a run that did not exit by itself.
    pub(crate) fn run_to_any_end<T: Send>(
        &mut self,
        mut invocation: Invocation,
        read: impl FnOnce(&mut dyn Read) -> T + Send,
    ) -> Result<(T, Ended), Failure> {
        self.prepare(&mut invocation);
        self.command = invocation.shell();
        let ran = process::run(&invocation, self.cancel, read)
            .map_err(|error| not_started(&invocation, &error))?;
        self.usage.add(Usage {
            seconds: ran.elapsed.as_secs_f64(),
            max_rss_kib: ran.max_rss_kib,
            runs: 1,
        });
        let status = process::exit_status(&ran, self.job.timeout);
        Ok((ran.value, status.map(|status| (status, ran.stderr))))
    }

    /// Sets the limits of a run to the rest of the job's, unless its time limit is less, and its files.
    fn prepare(&self, invocation: &mut Invocation) {
        let elapsed = self.start.elapsed();
        let left = self.job.timeout.map(|limit| limit.saturating_sub(elapsed));
        let own = invocation.limits.timeout;
        invocation.limits.timeout = left.into_iter().chain(own).min();
        invocation.limits.memory_mib = self.job.memory_mib;
        invocation.instead.clone_from(&self.instead);
    }

    fn run_of<T>(&self, ran: Ran<T>) -> Result<Run<T>, Failure> {
        let status = process::exit_status(&ran, self.job.timeout)?;
        Ok(Run {
            output: ran.value,
            status,
            stderr: ran.stderr,
        })
    }

    /// Runs `first`, and `second` beside it once `read` calls the function that it gets. The first
    /// run that ends with one of the `good` exit codes is the answer; the other is ended.
    pub(crate) fn race<T, F>(
        &mut self,
        first: Invocation,
        second: Invocation,
        good: &[i32],
        read: &F,
    ) -> Result<Run<T>, Failure>
    where
        T: Send,
        F: Fn(&mut dyn Read, &mut dyn FnMut()) -> T + Sync,
    {
        let begun = Instant::now();
        let (cancels, this) = ([self.cancel.part(), self.cancel.part()], &*self);
        let (tell, told) = mpsc::channel();
        let mut runs = 0;
        let mut standing = Standing {
            best: None,
            rss: None,
        };
        std::thread::scope(|scope| {
            let start = |number: usize, mut invocation: Invocation| {
                this.prepare(&mut invocation);
                let (tell, cancel) = (tell.clone(), &cancels[number]);
                scope.spawn(move || {
                    let mut another = || drop(tell.send(Event::Another));
                    let ran = process::run(&invocation, cancel, |out| read(out, &mut another));
                    // The receiver lives until both runs have sent their ends.
                    drop(tell.send(Event::Ended(Box::new(Racer {
                        number,
                        invocation,
                        ran,
                    }))));
                });
            };
            start(0, first);
            runs += 1;
            let (mut running, mut second) = (1, Some(second));
            while running > 0 {
                match told.recv() {
                    Ok(Event::Another) => {
                        if let Some(second) = second.take() {
                            start(1, second);
                            (running, runs) = (running + 1, runs + 1);
                        }
                    }
                    Ok(Event::Ended(racer)) => {
                        running -= 1;
                        second = None;
                        let other = &cancels[1 - racer.number];
                        if standing.ended(racer, good) {
                            other.cancel();
                        }
                    }
                    Err(_) => break,
                }
            }
        });
        self.usage.add(Usage {
            seconds: begun.elapsed().as_secs_f64(),
            max_rss_kib: standing.rss,
            runs,
        });
        let Some((_, racer)) = standing.best else {
            return Err(Failure::Cancelled);
        };
        self.command = racer.invocation.shell();
        let ran = racer.ran;
        self.run_of(ran.map_err(|error| not_started(&racer.invocation, &error))?)
    }

    /// Ends the job.
    pub(crate) fn finish(self, result: Result<Answer, Failure>) -> Finished {
        Finished {
            result,
            usage: self.usage,
            command: self.command,
        }
    }
}

/// A message from a run of a race.
enum Event<T> {
    /// The other run should start.
    Another,
    /// A run has ended.
    Ended(Box<Racer<T>>),
}

/// A finished run of a race.
struct Racer<T> {
    number: usize,
    invocation: Invocation,
    ran: io::Result<Ran<T>>,
}

/// The state of a race.
struct Standing<T> {
    /// The run that counts so far, and whether it answers.
    best: Option<(bool, Box<Racer<T>>)>,
    /// The greatest memory of the runs, in KiB.
    rss: Option<u64>,
}

impl<T> Standing<T> {
    /// Adds a finished run; returns whether it answers.
    fn ended(&mut self, racer: Box<Racer<T>>, good: &[i32]) -> bool {
        self.rss = self
            .rss
            .max(racer.ran.as_ref().ok().and_then(|r| r.max_rss_kib));
        let answers = ended_with(&racer.ran, good);
        // If neither run answers, the first one's reason counts.
        let known = self.best.as_ref().is_some_and(|(known, _)| *known);
        if !known && (answers || racer.number == 0 || self.best.is_none()) {
            self.best = Some((answers, racer));
        }
        answers
    }
}

fn ended_with<T>(ran: &io::Result<Ran<T>>, good: &[i32]) -> bool {
    match ran {
        Ok(Ran {
            end: End::Exited(status),
            ..
        }) => status.code().is_some_and(|code| good.contains(&code)),
        _ => false,
    }
}

fn not_started(invocation: &Invocation, error: &io::Error) -> Failure {
    Failure::Spawn {
        program: invocation.program.display().to_string(),
        message: error.to_string(),
    }
}
