//! The page of `init --html`: the source, the findings in it, and the sites where the monitor would
//! be woven.

use std::collections::BTreeMap;

use forms::Program;
use report::places::{File, Line, Mark, Page, Property};
use weave::record::Record;

use super::ask::{self, Question};
use super::interview::{Interview, Spot};

/// Marks by file and line.
type Marks = BTreeMap<String, BTreeMap<u32, Vec<Mark>>>;

/// The page.
///
/// # Errors
/// If the template fails.
pub fn render(
    program: &Program,
    found: &Interview,
    questions: &[Question],
    record: &Record,
) -> anyhow::Result<String> {
    let mut marks = Marks::new();
    for site in &record.sites {
        let spot = Spot {
            file: site.file.clone(),
            line: site.line,
        };
        put(&mut marks, &spot, "site", site.event.name(), &site.what);
    }
    for variable in &found.variables {
        if variable.compared.len() > 1 && !variable.written.is_empty() {
            put(&mut marks, &variable.spot, "found", "state", &variable.path);
        }
    }
    for (thread, spot) in &found.threads {
        put(&mut marks, spot, "found", "thread", thread);
    }
    for (spot, _) in &found.main_loops {
        put(
            &mut marks,
            spot,
            "found",
            "main loop",
            "it has no end of its own",
        );
    }
    for (input, spot) in &found.outside {
        put(&mut marks, spot, "found", "outside", input);
    }
    let page = Page {
        version: env!("CARGO_PKG_VERSION").to_string(),
        properties: record
            .properties
            .iter()
            .zip(questions)
            .map(|(property, question)| Property {
                name: property.name.clone(),
                ltl: property.ltl.clone(),
                why: format!("{}: {}.", question.pattern, question.why).replace('`', ""),
            })
            .collect(),
        propositions: record
            .propositions
            .iter()
            .map(|p| (p.name.clone(), p.meaning.clone()))
            .collect(),
        found: ask::summary(found),
        files: program
            .texts()
            .into_iter()
            .map(|(name, text)| file(name, text, marks.remove(name).unwrap_or_default()))
            .collect(),
    };
    Ok(page.text()?)
}

fn put(marks: &mut Marks, spot: &Spot, class: &'static str, label: &str, title: &str) {
    let lines = marks.entry(spot.file.clone()).or_default();
    let list = lines.entry(spot.line).or_default();
    let mark = Mark {
        class,
        label: label.to_string(),
        title: title.to_string(),
    };
    if !list.contains(&mark) {
        list.push(mark);
    }
}

fn file(name: &str, text: &str, mut marks: BTreeMap<u32, Vec<Mark>>) -> File {
    let lines = (1..).zip(text.lines()).map(|(number, text)| Line {
        number,
        text: text.to_string(),
        marks: marks.remove(&number).unwrap_or_default(),
    });
    File {
        name: name.to_string(),
        lines: lines.collect(),
    }
}
