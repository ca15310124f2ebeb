//! Task definitions of BenchExec and the competition on software verification (YAML): the C files,
//! the property files and the expected verdicts.

mod yaml;

use crate::diagnostic::Diagnostic;
use crate::json::Text;
use yaml::{Kind, Node};

/// A verification task. Paths are as written: relative to the task definition.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// The C files.
    pub input_files: Vec<Text>,
    /// The property files with their expected verdicts.
    pub properties: Vec<TaskProperty>,
    /// `ILP32` or `LP64`, if given.
    pub data_model: Option<Text>,
}

/// One property of a task.
#[derive(Clone, Debug)]
pub struct TaskProperty {
    /// The property file.
    pub file: Text,
    /// Whether the program is expected to have the property, if given.
    pub expected: Option<bool>,
}

/// Reads a task definition.
///
/// # Errors
/// All errors of the task definition.
pub fn read_task(text: &str) -> Result<Task, Vec<Diagnostic>> {
    let root = yaml::read(text).map_err(|error| vec![*error])?;
    let mut reader = Reader::default();
    let task = reader.task(&root);
    match reader.errors.is_empty() {
        true => Ok(task),
        false => Err(reader.errors),
    }
}

#[derive(Default)]
struct Reader {
    errors: Vec<Diagnostic>,
}

impl Reader {
    fn error(&mut self, title: impl Into<String>, node: &Node) {
        self.errors
            .push(Diagnostic::error(title, node.span.clone()));
    }

    fn task(&mut self, root: &Node) -> Task {
        let mut task = Task::default();
        let Kind::Mapping(_) = root.kind else {
            self.error("a task definition is a mapping with `format_version`", root);
            return task;
        };
        match root.get("format_version").and_then(Node::text) {
            Some(version) if ["1.0", "2.0", "2.1"].contains(&version.as_str()) => {}
            Some(version) => {
                let title = format!("task definitions of version `{version}` are not known");
                let error = Diagnostic::error(title, version.span());
                self.errors.push(error.help("known are 1.0, 2.0 and 2.1"));
            }
            None => self.error("`format_version` is missing", root),
        }
        match root.get("input_files") {
            Some(files) => task.input_files = self.paths(files),
            None => self.error("`input_files` is missing", root),
        }
        if let Some(properties) = root.get("properties") {
            task.properties = self.properties(properties);
        }
        if let Some(options) = root.get("options") {
            self.options(options, &mut task);
        }
        task
    }

    /// Reads one path or a list of paths.
    fn paths(&mut self, node: &Node) -> Vec<Text> {
        let items = match &node.kind {
            Kind::Sequence(items) => items.iter().collect(),
            _ => vec![node],
        };
        let mut paths = Vec::new();
        for item in items {
            match item.text() {
                Some(path) if path.contains(['*', '?']) => {
                    self.error("name each file: patterns are not followed", item);
                }
                Some(path) if !path.is_empty() => paths.push(path.clone()),
                _ => self.error("expected the name of a file", item),
            }
        }
        if paths.is_empty() && self.errors.is_empty() {
            self.error("the task has no file", node);
        }
        paths
    }

    fn properties(&mut self, node: &Node) -> Vec<TaskProperty> {
        let Kind::Sequence(items) = &node.kind else {
            self.error("`properties` is a list", node);
            return Vec::new();
        };
        let read = items.iter().filter_map(|item| self.property(item));
        read.collect()
    }

    fn property(&mut self, item: &Node) -> Option<TaskProperty> {
        let Some(file) = item.get("property_file").and_then(Node::text) else {
            self.error("a property needs `property_file`", item);
            return None;
        };
        let expected = match item.get("expected_verdict") {
            None => None,
            Some(node) => match node.text().map(|t| t.to_ascii_lowercase()).as_deref() {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => {
                    self.error("`expected_verdict` is `true` or `false`", node);
                    None
                }
            },
        };
        Some(TaskProperty {
            file: file.clone(),
            expected,
        })
    }

    fn options(&mut self, options: &Node, task: &mut Task) {
        if let Some(language) = options.get("language") {
            if language.text().map(Text::as_str) != Some("C") {
                self.error("only programs in C are verified", language);
            }
        }
        match options.get("data_model") {
            None => {}
            Some(node) => match node.text() {
                Some(model) if ["ILP32", "LP64"].contains(&model.as_str()) => {
                    task.data_model = Some(model.clone());
                }
                _ => self.error("`data_model` is `ILP32` or `LP64`", node),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_task_of_the_competition_is_read() {
        let text = "format_version: '2.0'\n\n# a comment\ninput_files: 'loop.c'\n\nproperties:\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\n  - property_file: p.prp\n    expected_verdict: false\n    subproperty: valid-deref\n\noptions:\n  language: C\n  data_model: ILP32\n";
        let task = read_task(text).unwrap();
        assert_eq!(task.input_files[0].as_str(), "loop.c");
        let span = task.input_files[0].span();
        assert_eq!(&text[span], "'loop.c'");
        assert_eq!(
            task.properties[0].file.as_str(),
            "../properties/unreach-call.prp"
        );
        assert_eq!(task.properties[0].expected, Some(true));
        assert_eq!(task.properties[1].expected, Some(false));
        assert_eq!(task.data_model.unwrap().as_str(), "ILP32");
        let several = "format_version: \"2.0\"\ninput_files:\n  - a.c\n  - b.c\n";
        assert_eq!(read_task(several).unwrap().input_files.len(), 2);
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        for (text, title, place) in [
            ("- a", "a task definition is a mapping with `format_version`", "- a"),
            ("input_files: a.c", "`format_version` is missing", "input_files: a.c"),
            (
                "format_version: '9'\ninput_files: a.c",
                "task definitions of version `9` are not known",
                "'9'",
            ),
            (
                "format_version: '2.0'\ninput_files: '*.c'",
                "name each file: patterns are not followed",
                "'*.c'",
            ),
            (
                "format_version: '2.0'\ninput_files: é.c\nproperties:\n  - expected_verdict: true\n",
                "a property needs `property_file`",
                "expected_verdict: true",
            ),
        ] {
            let errors = read_task(text).unwrap_err();
            assert_eq!(errors[0].title, title, "{text}");
            assert_eq!(text[errors[0].span.clone()].trim_end(), place, "{text}");
        }
        for text in [
            "",
            "a: [",
            "a: *b",
            "\t",
            "%",
            "a: &x [*x]",
            "? ",
            "{",
            "--- a\n--- b",
        ] {
            assert!(read_task(text).is_err(), "{text:?}");
        }
        let deep = "[".repeat(100_000);
        assert!(read_task(&deep).is_err());
    }
}
