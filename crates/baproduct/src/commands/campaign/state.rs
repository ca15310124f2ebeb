//! The state directory: for each task a script and its results.

use std::path::{Path, PathBuf};

use backend::text::quote;
use forms::{Cause, Failure};
use serde_json::Value;
use verify::campaign::{Outcome, Summary, Task, TaskResult};

use crate::outputs::write_atomically;

/// The directory with its tasks.
pub struct State {
    place: PathBuf,
    tasks: Vec<Task>,
}

impl State {
    /// Creates the directory with the scripts of all tasks. `jobs` is the number of backend
    /// processes that a task runs at a time; 0 leaves it to the task.
    pub fn open(place: &Path, tasks: Vec<Task>, jobs: usize) -> anyhow::Result<State> {
        let state = State {
            place: place.to_owned(),
            tasks,
        };
        let program = std::env::current_exe()?;
        let here = std::env::current_dir()?;
        for task in &state.tasks {
            let directory = state.of(task);
            std::fs::create_dir_all(&directory).map_err(|e| {
                let message = format!("cannot make {}: {e}", directory.display());
                Failure::error(Cause::Other, message)
            })?;
            let text = script(task, &program, &here, &directory, jobs);
            write_atomically(&directory.join("run.sh"), text.as_bytes())?;
        }
        Ok(state)
    }

    /// The directory itself.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// All tasks, in the order of the manifest.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The directory of a task.
    pub fn of(&self, task: &Task) -> PathBuf {
        self.place.join(&task.id)
    }

    /// The script of a task.
    pub fn script(&self, task: &Task) -> PathBuf {
        self.of(task).join("run.sh")
    }

    /// The indices of the tasks to execute: those that were not executed or failed, and with
    /// `retry` those that left a property without a verdict.
    pub fn open_tasks(&self, retry: bool) -> Vec<usize> {
        let is_open = |task: &Task| match self.result(task).outcome {
            Outcome::Done(_, _) => retry && self.result(task).count().unknown > 0,
            Outcome::Failed(_, _) | Outcome::Open(_) => true,
        };
        let open = (0..self.tasks.len()).filter(|&i| is_open(&self.tasks[i]));
        open.collect()
    }

    /// Removes the status of a task before it is executed again; otherwise the old status would
    /// count for the new execution.
    pub fn reopen(&self, task: &Task) -> std::io::Result<()> {
        match std::fs::remove_file(self.of(task).join("status")) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// Whether the script of a task has ended.
    pub fn has_ended(&self, task: &Task) -> bool {
        self.of(task).join("status").exists()
    }

    /// The result of a task.
    pub fn result(&self, task: &Task) -> TaskResult {
        TaskResult {
            task: task.clone(),
            outcome: self.outcome(task),
        }
    }

    fn outcome(&self, task: &Task) -> Outcome {
        let directory = self.of(task);
        let read = |name: &str| std::fs::read_to_string(directory.join(name));
        let Ok(status) = read("status") else {
            return Outcome::Open("it was not done yet".into());
        };
        let Ok(status) = status.trim().parse::<u8>() else {
            return Outcome::Open("its status is damaged".into());
        };
        let messages = read("messages.txt").unwrap_or_default();
        match (
            status,
            read("result.json").map(|t| serde_json::from_str::<Value>(&t)),
        ) {
            (0 | 5 | 10, Ok(Ok(json))) => Outcome::Done(status, json),
            (0 | 5 | 10, _) => Outcome::Failed(1, "its result cannot be read".into()),
            _ => Outcome::Failed(status, messages.trim().to_owned()),
        }
    }

    /// The results of all tasks.
    pub fn summary(&self) -> Summary {
        Summary {
            tasks: self.tasks.iter().map(|t| self.result(t)).collect(),
        }
    }
}

/// The script of a task. It writes the status last and renames it into place, so that a status
/// exists only with complete results.
fn script(task: &Task, program: &Path, here: &Path, directory: &Path, jobs: usize) -> String {
    let path = |p: &Path| quote(&p.display().to_string());
    let mut arguments: Vec<String> = task.arguments.iter().map(|a| quote(a)).collect();
    if !task.arguments.iter().any(|a| a == "--jobs") && jobs > 0 {
        arguments.push(format!("--jobs {jobs}"));
    }
    let name = task.name.replace(['\n', '\r'], " ");
    format!(
        "#!/bin/sh
# {name} on {backend}: a task of a campaign. It may be run by hand, and more than once.
here={here}
state={directory}
cd \"$here\" || exit 1
{program} {arguments} --format json --quiet --results \"$state/results.jsonl\" --resume \\
  >\"$state/result.part\" 2>\"$state/messages.part\"
status=$?
mv \"$state/messages.part\" \"$state/messages.txt\" &&
mv \"$state/result.part\" \"$state/result.json\" &&
echo $status >\"$state/status.part\" &&
mv \"$state/status.part\" \"$state/status\"
",
        backend = task.backend,
        here = path(here),
        directory = path(directory),
        program = path(program),
        arguments = arguments.join(" "),
    )
}
