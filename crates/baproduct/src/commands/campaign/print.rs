//! Prints the results of a campaign as text and CSV.

use report::csv::{table, HEADING};
use serde_json::Value;
use verify::campaign::{Count, Outcome, Summary, TaskResult};

/// A task in one line.
pub fn line(task: &TaskResult) -> String {
    let name = format!("{} on {}", task.task.name, task.task.backend);
    match &task.outcome {
        Outcome::Done(_, _) => {
            let seconds = task.seconds();
            format!("{name}: {}, {seconds:.1} s", words(&task.count()))
        }
        Outcome::Failed(status, message) => {
            let first = message.lines().next().unwrap_or_default();
            format!("{name}: failed with status {status}: {first}")
        }
        Outcome::Open(reason) => format!("{name}: {reason}"),
    }
}

fn words(count: &Count) -> String {
    let parts = [
        (count.is_false, "false"),
        (count.presumably_false, "presumably false"),
        (count.presumably_true, "presumably true"),
        (count.is_true, "true"),
        (count.unknown, "unknown"),
        (count.unexpected, "not as expected"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = parts.map(|(n, word)| format!("{n} {word}")).collect();
    match words.is_empty() {
        true => "no property".to_owned(),
        false => words.join(", "),
    }
}

/// A table of the tasks, with the messages of failed tasks below.
pub fn text(summary: &Summary, unicode: bool) -> String {
    let headings = match unicode {
        true => ["⊥", "⊥ᵖ", "⊤ᵖ", "⊤", "?"],
        false => ["false", "pf", "pt", "true", "?"],
    };
    let name = |t: &TaskResult| t.task.name.chars().count();
    let widest = summary.tasks.iter().map(name).max().unwrap_or(0);
    let table = Table {
        width: widest.clamp(4, 40),
    };
    let headings = headings.map(str::to_owned);
    let mut out = table.row(["task", ""], headings, "unexpected", "seconds");
    for task in &summary.tasks {
        let rest = match &task.outcome {
            Outcome::Done(_, _) => format!("{:.1}", task.seconds()),
            Outcome::Failed(status, _) => format!("failed with status {status}"),
            Outcome::Open(_) => "not done".to_owned(),
        };
        let names = [task.task.name.as_str(), &task.task.backend];
        out += &table.counted(names, &task.count(), &rest);
    }
    let all = summary.count();
    let seconds: f64 = summary.tasks.iter().map(TaskResult::seconds).sum();
    out += &table.counted(["all", ""], &all, &format!("{seconds:.1}"));
    for task in &summary.tasks {
        if let Outcome::Failed(_, message) = &task.outcome {
            let (name, backend) = (&task.task.name, &task.task.backend);
            out += &format!("\n{name} on {backend}:\n{message}\n");
        }
    }
    let (tasks, properties) = (summary.tasks.len(), all.all());
    out + &format!(
        "\n{tasks} tasks, {properties} properties: {}\n",
        words(&all)
    )
}

/// Rows of a table of tasks.
struct Table {
    /// The width of the names of tasks, in characters.
    width: usize,
}

impl Table {
    fn row(
        &self,
        [name, backend]: [&str; 2],
        cells: [String; 5],
        unexpected: &str,
        rest: &str,
    ) -> String {
        let width = self.width;
        let name: String = name.chars().take(width).collect();
        let cells = cells.map(|c| format!("{c:>5}")).join(" ");
        let line = format!("{name:<width$}  {backend:<6} {cells}  {unexpected:>10}  {rest}");
        line.trim_end().to_owned() + "\n"
    }

    /// A row with the number of properties for each verdict.
    fn counted(&self, names: [&str; 2], count: &Count, rest: &str) -> String {
        let cells = [
            count.is_false,
            count.presumably_false,
            count.presumably_true,
            count.is_true,
            count.unknown,
        ];
        let unexpected = count.unexpected.to_string();
        self.row(names, cells.map(|n| n.to_string()), &unexpected, rest)
    }
}

/// The columns of the table: task, backend, and the columns of a report without those for costs.
fn heading() -> impl Iterator<Item = &'static str> {
    let costs = |column: &&str| matches!(*column, "seconds" | "max_rss_kib");
    let of_report = HEADING.into_iter().filter(move |column| !costs(column));
    ["task", "backend"].into_iter().chain(of_report)
}

/// A row: task, backend, and the other columns by name.
fn row_of([task, backend]: &[String; 2], cell: impl Fn(&str) -> String) -> Vec<String> {
    let cells = heading().map(|column| match column {
        "task" => task.clone(),
        "backend" => backend.clone(),
        other => cell(other),
    });
    cells.collect()
}

/// A row for a task without a result, with the reason.
fn row_without_result(head: &[String; 2], reason: &str) -> Vec<String> {
    row_of(head, |column| match column {
        "verdict" => "unknown".to_owned(),
        "reason" => reason.to_owned(),
        _ => String::new(),
    })
}

/// A line for each property of each task, and one for each task without a result.
pub fn csv(summary: &Summary) -> String {
    let mut rows: Vec<Vec<String>> = vec![heading().map(str::to_owned).collect()];
    for task in &summary.tasks {
        let head = [task.task.name.clone(), task.task.backend.clone()];
        for property in task.properties() {
            let unwind = match &property["bounds"].as_array().and_then(|b| b.last()) {
                Some(last) => plain(&last["unwind"]),
                None => match &task.outcome {
                    Outcome::Done(_, json) => plain(&json["unwind"]),
                    _ => String::new(),
                },
            };
            rows.push(row_of(&head, |column| match column {
                "unwind" => unwind.clone(),
                "vacuous" => vacuous(&property["vacuous"]),
                key => plain(&property[key]),
            }));
        }
        let reason = match &task.outcome {
            Outcome::Done(_, _) => continue,
            Outcome::Failed(_, message) => message,
            Outcome::Open(reason) => reason,
        };
        rows.push(row_without_result(&head, reason));
    }
    table(&rows)
}

/// The parts that do not matter as a cell, as in the report.
fn vacuous(parts: &Value) -> String {
    let parts = parts.as_array().into_iter().flatten();
    report::csv::vacuous(parts.filter_map(|part| part["what"].as_str()))
}

/// A value as a cell.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_without_a_result_has_its_reason_in_the_column_for_reasons() {
        let head = ["a".to_owned(), "cbmc".to_owned()];
        let row = row_without_result(&head, "it was stopped");
        let column = |name: &str| heading().position(|h| h == name);
        assert_eq!(row.len(), heading().count());
        let reason = column("reason").map(|at| row[at].as_str());
        assert_eq!(reason, Some("it was stopped"));
    }
}
