//! Executes tasks as job arrays of a Slurm cluster. The state directory must be on a file system
//! that the nodes share.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use backend::text::quote;
use forms::{Cause, Failure};
use verify::campaign::Slurm;

use super::state::State;
use super::Watch;
use crate::outputs::{tell, write_atomically};

/// Slurm's default limit of an array is 1001.
const LARGEST_ARRAY: usize = 1000;

/// The pause between two queries of the queue.
const PAUSE: Duration = Duration::from_secs(2);

/// How many queries may fail in a row: the controller may restart while we wait.
const FAILURES: u32 = 30;

/// Submits the open tasks, unless jobs of an earlier call are still in the queue, and waits.
pub fn run(
    state: &State,
    open: &[usize],
    options: &Slurm,
    no_wait: bool,
    watch: &Watch,
) -> anyhow::Result<()> {
    let mut jobs = submitted(state);
    if !jobs.is_empty() && queued(&jobs)?.is_empty() {
        jobs.clear();
    }
    match jobs.is_empty() {
        true => {
            for task in open {
                state.reopen(&state.tasks()[*task])?;
            }
            for chunk in open.chunks(LARGEST_ARRAY) {
                let job = submit(state, chunk, options, jobs.len())?;
                watch.note(&format!("submitted job {job} with {} tasks", chunk.len()));
                jobs.push(job);
                remember(state, &jobs)?;
            }
        }
        false => watch.note(&format!("jobs {} are in the queue", jobs.join(", "))),
    }
    if !no_wait {
        wait(state, open, &jobs, watch)?;
    }
    Ok(())
}

/// The file with the jobs of the last call.
fn memory(state: &State) -> PathBuf {
    state.place().join("slurm-jobs")
}

fn submitted(state: &State) -> Vec<String> {
    let text = std::fs::read_to_string(memory(state)).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

fn remember(state: &State, jobs: &[String]) -> anyhow::Result<()> {
    write_atomically(&memory(state), (jobs.join("\n") + "\n").as_bytes())
}

/// Submits an array of tasks and returns the number of the job.
fn submit(state: &State, tasks: &[usize], options: &Slurm, part: usize) -> anyhow::Result<String> {
    let place = state.place();
    let list: Vec<&str> = tasks
        .iter()
        .map(|&t| state.tasks()[t].id.as_str())
        .collect();
    let tasks_file = place.join(format!("slurm-{part}.tasks"));
    write_atomically(&tasks_file, (list.join("\n") + "\n").as_bytes())?;
    let script = place.join(format!("slurm-{part}.sh"));
    let path = |p: &std::path::Path| quote(&p.display().to_string());
    let text = format!(
        "#!/bin/sh
# One task of an array: the line of the list with its number.
task=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {list})
exec sh {place}/\"$task\"/run.sh
",
        list = path(&tasks_file),
        place = path(place),
    );
    write_atomically(&script, text.as_bytes())?;
    let mut array = format!("--array=0-{}", tasks.len() - 1);
    if let Some(limit) = options.tasks_at_a_time {
        array.push_str(&format!("%{limit}"));
    }
    let mut sbatch = Command::new("sbatch");
    sbatch
        .arg("--parsable")
        .arg("--job-name=baproduct")
        .arg(array)
        .arg(format!("--output={}/slurm-%A_%a.out", place.display()))
        .args(&options.args)
        .arg(&script);
    let answer = ask(sbatch)?;
    // `--parsable` prints the number; with several clusters, the cluster's name follows after a
    // semicolon.
    let job = answer.trim().split(';').next().unwrap_or_default();
    match !job.is_empty() && job.chars().all(|c| c.is_ascii_digit()) {
        true => Ok(job.to_owned()),
        false => Err(Failure::error(
            Cause::Other,
            format!(
                "sbatch did not tell the number of the job: `{}`",
                answer.trim()
            ),
        )),
    }
}

/// The elements of jobs that wait or run, as squeue names them; an array that has not begun is one
/// element.
fn queued(jobs: &[String]) -> anyhow::Result<BTreeSet<String>> {
    let mut squeue = Command::new("squeue");
    squeue.args(["--noheader", "--format=%i"]);
    // With --jobs, squeue fails for a job that it no longer knows.
    let mut own = ask(squeue)?
        .lines()
        .map(|line| line.trim().to_owned())
        .collect::<BTreeSet<String>>();
    own.retain(|id| {
        let job = id.split('_').next().unwrap_or_default();
        jobs.iter().any(|j| j == job)
    });
    Ok(own)
}

/// Waits until no job is in the queue, and reports tasks as they end.
fn wait(state: &State, open: &[usize], jobs: &[String], watch: &Watch) -> anyhow::Result<()> {
    let cancel = backend::Cancel::new();
    let mut told = BTreeSet::new();
    let mut failures = 0;
    loop {
        // The queue comes first: a task has written its results before it leaves the queue.
        let queue = match queued(jobs) {
            Ok(queue) => {
                failures = 0;
                Some(queue)
            }
            Err(error) if failures >= FAILURES => return Err(error),
            Err(_) => {
                failures += 1;
                None
            }
        };
        for &index in open {
            let task = &state.tasks()[index];
            if state.has_ended(task) && told.insert(index) {
                watch.finished(&state.result(task));
            }
        }
        if told.len() == open.len() || queue.is_some_and(|q| q.is_empty()) {
            return Ok(());
        }
        if cancel.is_cancelled() {
            let jobs = jobs.join(" ");
            tell(format_args!(
                "the jobs go on; the same command waits for them, `scancel {jobs}` ends them"
            ));
            return Ok(());
        }
        std::thread::sleep(PAUSE);
    }
}

/// Runs a command of Slurm and returns its output.
fn ask(mut command: Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| {
        let message = format!("cannot run {name}: {e}; is Slurm installed here?");
        Failure::error(Cause::NoBackend, message)
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let message = format!("{name} failed ({}): {said}", output.status);
        return Err(Failure::error(Cause::Other, message));
    }
    String::from_utf8(output.stdout).context("Slurm's answer is not UTF-8")
}
