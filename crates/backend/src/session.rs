//! A job on its way: one or more runs that share the job's time limit.

use crate::answer::{Answer, Failure, Finished, Usage};
use crate::job::Job;
use crate::process::{self, Cancel, Invocation};
use std::io::Read;
use std::process::ExitStatus;
use std::time::Instant;

/// What the runs of a job have in common.
pub(crate) struct Session<'a> {
    pub(crate) job: &'a Job,
    cancel: &'a Cancel,
    start: Instant,
    usage: Usage,
    command: String,
}

/// A run that ended by itself.
pub(crate) struct Run<T> {
    /// What the reader made of standard output.
    pub(crate) output: T,
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
}

impl<'a> Session<'a> {
    /// Begins a job; its time runs from now on.
    pub(crate) fn new(job: &'a Job, cancel: &'a Cancel) -> Self {
        Session {
            job,
            cancel,
            start: Instant::now(),
            usage: Usage::default(),
            command: String::new(),
        }
    }

    /// Runs a program with what is left of the job's limits.
    pub(crate) fn run<T: Send>(
        &mut self,
        mut invocation: Invocation,
        read: impl FnOnce(&mut dyn Read) -> T + Send,
    ) -> Result<Run<T>, Failure> {
        let elapsed = self.start.elapsed();
        invocation.limits.timeout = self.job.timeout.map(|limit| limit.saturating_sub(elapsed));
        invocation.limits.memory_mib = self.job.memory_mib;
        self.command = invocation.shell();
        let ran = process::run(&invocation, self.cancel, read).map_err(|e| Failure::Spawn {
            program: invocation.program.display().to_string(),
            message: e.to_string(),
        })?;
        self.usage.add(Usage {
            seconds: ran.elapsed.as_secs_f64(),
            max_rss_kib: ran.max_rss_kib,
            runs: 1,
        });
        let status = process::exit_status(&ran, self.job.timeout)?;
        Ok(Run {
            output: ran.value,
            status,
            stderr: ran.stderr,
        })
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
