//! The results of a campaign: outcomes of tasks, counts of verdicts, exit status.

use serde::Serialize;
use serde_json::Value;

use super::Task;
use crate::result::Verdict;

/// How a task ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// `verify` gave a result: exit status and JSON.
    Done(u8, Value),
    /// `verify` gave no result: exit status and messages.
    Failed(u8, String),
    /// The task did not run, for this reason.
    Open(String),
}

/// A task with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskResult {
    /// The task.
    pub task: Task,
    /// The outcome.
    pub outcome: Outcome,
}

/// How many properties have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// ⊥
    #[serde(rename = "false")]
    pub is_false: usize,
    /// ⊥ᵖ
    pub presumably_false: usize,
    /// ⊤ᵖ
    pub presumably_true: usize,
    /// ⊤
    #[serde(rename = "true")]
    pub is_true: usize,
    /// Properties without a verdict.
    pub unknown: usize,
    /// Properties with a verdict other than the expected one.
    pub unexpected: usize,
}

impl Count {
    /// Adds another count.
    pub fn add(&mut self, other: Count) {
        self.is_false += other.is_false;
        self.presumably_false += other.presumably_false;
        self.presumably_true += other.presumably_true;
        self.is_true += other.is_true;
        self.unknown += other.unknown;
        self.unexpected += other.unexpected;
    }

    /// The number of all properties.
    pub fn all(&self) -> usize {
        self.is_false + self.presumably_false + self.presumably_true + self.is_true + self.unknown
    }
}

impl TaskResult {
    /// The properties in the task's JSON.
    pub fn properties(&self) -> &[Value] {
        match &self.outcome {
            Outcome::Done(_, json) => json["properties"].as_array().map_or(&[], Vec::as_slice),
            _ => &[],
        }
    }

    /// Counts the verdicts.
    pub fn count(&self) -> Count {
        let mut count = Count::default();
        for property in self.properties() {
            let name = property["verdict"].as_str().unwrap_or_default();
            match name.parse::<Verdict>() {
                Ok(Verdict::FALSE) => count.is_false += 1,
                Ok(Verdict::PRESUMABLY_FALSE) => count.presumably_false += 1,
                Ok(Verdict::PRESUMABLY_TRUE) => count.presumably_true += 1,
                Ok(Verdict::TRUE) => count.is_true += 1,
                Ok(Verdict::Unknown) | Err(_) => count.unknown += 1,
            }
            count.unexpected += usize::from(property["as_expected"] == Value::Bool(false));
        }
        count
    }

    /// The backend's time, in seconds.
    pub fn seconds(&self) -> f64 {
        match &self.outcome {
            Outcome::Done(_, json) => json["backend"]["seconds"].as_f64().unwrap_or(0.0),
            _ => 0.0,
        }
    }
}

/// All tasks of a campaign.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The tasks in the order of the manifest.
    pub tasks: Vec<TaskResult>,
}

impl Summary {
    /// The verdicts of all tasks.
    pub fn count(&self) -> Count {
        let mut all = Count::default();
        for task in &self.tasks {
            all.add(task.count());
        }
        all
    }

    /// The exit status, as `verify` would give it for all tasks together: the status of a failed
    /// task takes precedence; a task that did not run counts as unknown.
    pub fn exit_status(&self) -> u8 {
        let of = |task: &TaskResult| match &task.outcome {
            Outcome::Done(status, _) | Outcome::Failed(status, _) => *status,
            Outcome::Open(_) => 5,
        };
        let rank = |status: &u8| match status {
            0 => 0,
            5 => 1,
            10 => 2,
            _ => 3,
        };
        self.tasks.iter().map(of).max_by_key(rank).unwrap_or(0)
    }

    /// The summary as JSON.
    pub fn to_json(&self, name: Option<&str>) -> Value {
        let task = |t: &TaskResult| {
            let mut json = serde_json::json!({
                "name": t.task.name,
                "backend": t.task.backend,
                "id": t.task.id,
                "arguments": t.task.arguments,
                "counts": t.count(),
            });
            let (key, value) = match &t.outcome {
                Outcome::Done(_, result) => ("result", result.clone()),
                Outcome::Failed(_, message) => ("error", message.clone().into()),
                Outcome::Open(reason) => ("open", reason.clone().into()),
            };
            json[key] = value;
            json["status"] = match &t.outcome {
                Outcome::Done(status, _) | Outcome::Failed(status, _) => (*status).into(),
                Outcome::Open(_) => Value::Null,
            };
            json
        };
        serde_json::json!({
            "tool": { "name": "baproduct", "version": env!("CARGO_PKG_VERSION") },
            "campaign": name,
            "tasks": self.tasks.iter().map(task).collect::<Vec<_>>(),
            "counts": self.count(),
            "exit_status": self.exit_status(),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn task(outcome: Outcome) -> TaskResult {
        TaskResult {
            task: Task {
                id: "1".into(),
                name: "a".into(),
                backend: "cbmc".into(),
                arguments: Vec::new(),
            },
            outcome,
        }
    }

    #[test]
    fn verdicts_are_counted_over_all_tasks() {
        let json = serde_json::json!({ "properties": [
            {"verdict": "false", "as_expected": false}, {"verdict": "true", "as_expected": true},
            {"verdict": "unknown", "as_expected": null}, {"verdict": "a new one"},
        ]});
        let summary = Summary {
            tasks: vec![
                task(Outcome::Done(10, json)),
                task(Outcome::Open("no time".into())),
            ],
        };
        let count = summary.count();
        assert_eq!((count.all(), count.unknown, count.unexpected), (4, 2, 1));
        assert_eq!(summary.to_json(None)["counts"]["false"], 1);
    }

    #[test]
    fn the_worst_task_decides_the_status() {
        let done = |status| Outcome::Done(status, Value::Null);
        let cases = [
            (vec![done(0), done(0)], 0),
            (vec![done(0), Outcome::Open(String::new())], 5),
            (vec![done(10), done(5)], 10),
            (vec![done(10), Outcome::Failed(3, String::new())], 3),
            (Vec::new(), 0),
        ];
        for (outcomes, expected) in cases {
            let tasks = outcomes.into_iter().map(task).collect();
            assert_eq!(Summary { tasks }.exit_status(), expected);
        }
    }
}
