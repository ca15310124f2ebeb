//! Writes the questions as a specification with comments.

use serde_json::json;

use super::ask::{Meaning, Proposition, Question};
use super::machine::Machine;

/// The text of a specification that asks these questions, without a bound, so that every engine answers them.
/// `head` are comment lines; `schema` is the name of the schema file.
pub fn text(
    questions: &[Question],
    machine: &Machine,
    head: &[String],
    schema: Option<&str>,
) -> String {
    let mut names = Names::default();
    let mut properties = Vec::new();
    for question in questions {
        let mut formula = question.formula.to_string();
        for (index, proposition) in question.propositions.iter().enumerate() {
            let name = quoted(&names.of(proposition));
            formula = formula.replace(&format!("@{index}"), &name);
        }
        properties.push(format!(
            "{{ \"$comment\": {},\n      \"name\": {}, \"ltl\": {} }}",
            json!(format!("{}: {}.", question.pattern, question.why)),
            json!(names.property(&question.name)),
            json!(formula)
        ));
    }
    let propositions: Vec<String> = names.given.iter().map(proposition).collect();
    let head: Vec<String> = head.iter().map(|line| json!(line).to_string()).collect();
    let schema = schema.map_or(String::new(), |file| {
        format!("\"$schema\": \"./{file}\",\n  ")
    });
    format!(
        "{{ {schema}\"$comment\": [\n    {}\n  ],\n  {}\"properties\": [\n    {}\n  ],\n  \"pa\": [\n    {}\n  ] }}\n",
        head.join(",\n    "),
        machine.members(),
        properties.join(",\n    "),
        propositions.join(",\n    ")
    )
}

/// The names given so far, each with its meaning.
#[derive(Default)]
struct Names {
    given: Vec<(String, Meaning)>,
    properties: Vec<String>,
}

impl Names {
    /// The name of a proposition: the wanted one, unless another one has it.
    fn of(&mut self, wanted: &Proposition) -> String {
        let same = |(_, meaning): &&(String, Meaning)| *meaning == wanted.meaning;
        if let Some((name, _)) = self.given.iter().find(same) {
            return name.clone();
        }
        let free = |name: &String| self.given.iter().all(|(other, _)| other != name);
        let name = numbered(&wanted.name).find(free).unwrap_or_default();
        self.given.push((name.clone(), wanted.meaning.clone()));
        name
    }

    /// The name of a property, without characters that are not allowed.
    fn property(&mut self, wanted: &str) -> String {
        let plain = wanted.replace("::", ".").replace([':', '"', '\\'], "_");
        let plain: String = plain.chars().take(90).collect();
        let free = |name: &String| !self.properties.contains(name);
        let name = numbered(&plain).find(free).unwrap_or_default();
        self.properties.push(name.clone());
        name
    }
}

/// The name, then the name with numbers after it.
fn numbered(name: &str) -> impl Iterator<Item = String> + '_ {
    let number = move |n: usize| match n {
        1 => name.to_string(),
        _ => format!("{name}_{n}"),
    };
    (1..).map(number)
}

fn proposition((name, meaning): &(String, Meaning)) -> String {
    let (condition, area) = match meaning {
        Meaning::Condition(text) => (text.as_str(), r#""span": ["_begin", "_end"]"#.to_string()),
        Meaning::Area(entry, exit) => (
            "1",
            format!("\"span\": [{}, {}]", json!(entry), json!(exit)),
        ),
        Meaning::At(label) => ("1", format!("\"at\": {}", json!(label))),
        Meaning::Function(name) => ("1", format!("\"function\": {}", json!(name))),
    };
    format!(
        "{{ \"name\": {}, \"default\": false, \"cond\": {}, {area} }}",
        json!(name),
        json!(condition)
    )
}

/// The name in a formula: in quotes if it could be read as an operator.
fn quoted(name: &str) -> String {
    match name.starts_with(|c: char| c.is_ascii_lowercase()) && !["true", "false"].contains(&name) {
        true => name.to_string(),
        false => format!("\"{name}\""),
    }
}
