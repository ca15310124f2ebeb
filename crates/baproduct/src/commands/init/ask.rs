//! Questions that are worth asking about a program: property patterns (Dwyer, Avrunin, Corbett
//! 1999) over the findings of the interview.

mod variables;

use super::areas::{self, Marked};
use super::interview::{Interview, Spot};
use variables::{assigns_constants, change, flag, flags_of_two, range, reaction, state, switched};
use weave::facts::Facts;

/// The greatest number of questions.
pub const QUESTIONS: usize = 3;

/// When a proposition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A condition, in the whole program.
    Condition(String),
    /// Between two labels.
    Area(String, String),
    /// At a label.
    At(String),
    /// In a function.
    Function(String),
}

/// A proposition of a question.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name, unless another proposition has it.
    pub name: String,
    /// When it holds.
    pub meaning: Meaning,
}

/// A property that is worth verifying.
#[derive(Clone, Debug)]
pub struct Question {
    /// The pattern's name in the documentation.
    pub pattern: &'static str,
    /// The property's name.
    pub name: String,
    /// The formula, with `@0`, `@1` … for the propositions.
    pub formula: &'static str,
    /// Its propositions.
    pub propositions: Vec<Proposition>,
    /// The reason: what in the program suggests the question.
    pub why: String,
    /// The subject: two questions about one subject are enough.
    about: String,
    /// The rank; questions with a higher rank are more informative.
    rank: u32,
}

/// Parts of names for undesired events.
const BAD: [&str; 12] = [
    "err",
    "fail",
    "fault",
    "bad",
    "panic",
    "abort",
    "overflow",
    "underflow",
    "corrupt",
    "crash",
    "invalid",
    "illegal",
];

fn is_bad(name: &str) -> bool {
    let name = name.to_lowercase();
    BAD.iter().any(|word| name.contains(word))
}

/// All questions, best first.
pub fn questions(found: &Interview, facts: &Facts) -> Vec<Question> {
    let mut all = Vec::new();
    areas(facts, &mut all);
    for variable in &found.variables {
        match variable.compared.len() {
            2.. if assigns_constants(variable) => state(variable, &mut all),
            _ => flag(variable, &mut all),
        }
        range(variable, &mut all);
        change(variable, &mut all);
        reaction(variable, found, &mut all);
    }
    flags_of_two(found, &mut all);
    threads(found, &mut all);
    functions(found, facts, &mut all);
    labels(facts, &mut all);
    all.sort_by_key(|question| std::cmp::Reverse(question.rank));
    all
}

/// The best accepted questions: first of different patterns, then further ones.
pub fn chosen(all: Vec<Question>, mut accept: impl FnMut(&Question) -> bool) -> Vec<Question> {
    let mut chosen: Vec<Question> = Vec::new();
    let mut left = all;
    for different in [true, false] {
        let mut later = Vec::new();
        for question in left {
            // Generic questions fill up to two.
            let filler = question.rank < FILLER && chosen.len() > 1;
            if chosen.len() == QUESTIONS || filler || told(&question, &chosen) {
                continue;
            }
            let alike = |other: &&Question| other.pattern == question.pattern;
            let most = if question.pattern == "Response" { 2 } else { 1 };
            if different && chosen.iter().filter(alike).count() >= most {
                later.push(question);
            } else if accept(&question) {
                chosen.push(question);
            }
        }
        left = later;
    }
    chosen
}

/// Whether the chosen questions cover a question's subject.
fn told(question: &Question, chosen: &[Question]) -> bool {
    let mut alike = chosen.iter().filter(|other| other.about == question.about);
    alike.clone().any(|other| other.pattern == question.pattern) || alike.nth(1).is_some()
}

/// Questions below this rank are asked about any program.
const FILLER: u32 = 30;

/// The text as an identifier: other characters become `_`.
fn identifier(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    text.chars().map(plain).collect()
}

/// Asks whether threads end.
fn threads(found: &Interview, all: &mut Vec<Question>) {
    for (thread, spot) in &found.threads {
        if found.endless.contains(thread) {
            continue;
        }
        let locks: Vec<&str> = found.locks.iter().map(String::as_str).collect();
        let waits = match locks.is_empty() {
            true => String::new(),
            false => format!(", and threads lock {}", locks.join(", ")),
        };
        all.push(Question {
            pattern: "Response",
            name: format!("{thread} ends"),
            formula: "G(@0 -> F !@0)",
            propositions: vec![function(thread)],
            why: format!("{spot} starts a thread with `{thread}`{waits}"),
            about: format!("thread {thread}"),
            rank: if locks.is_empty() { 62 } else { 87 },
        });
    }
}

fn function(name: &str) -> Proposition {
    Proposition {
        name: identifier(name),
        meaning: Meaning::Function(name.to_string()),
    }
}

/// Asks about functions: never called, one after another, returning.
fn functions(found: &Interview, facts: &Facts, all: &mut Vec<Question>) {
    let mut add = |pattern, name, formula, functions: &[&str], why, rank| {
        all.push(Question {
            pattern,
            name,
            formula,
            propositions: functions.iter().map(|name| function(name)).collect(),
            why,
            about: format!("function {}", functions[0]),
            rank,
        });
    };
    for (name, spot) in &found.called {
        if is_bad(name) && !found.threads.contains_key(name) {
            let rank = if name == "reach_error" { 90 } else { 57 };
            let why = format!("{spot} calls `{name}`");
            let text = format!("{name} is never called");
            add("Absence", text, "G !@0", &[name.as_str()], why, rank);
        }
    }
    for (spot, called) in &found.main_loops {
        if let [first, .., last] = called.as_slice() {
            let why = format!("the loop at {spot} calls `{first}` first and `{last}` last");
            let text = format!("{last} follows {first}");
            add("Response", text, "G(@0 -> F @1)", &[first, last], why, 44);
        }
    }
    for defined in &facts.functions {
        let name = &defined.name;
        let loops = facts
            .loops
            .iter()
            .any(|l| facts.functions[l.function].name == *name);
        let why = format!(
            "`{name}` {}",
            if loops { "has a loop" } else { "is called" }
        );
        let rank = match (name == "main", loops, found.endless.contains(name)) {
            (true, ..) => 5,
            (_, true, false) => 20,
            (_, _, true) => 6,
            _ => 12,
        };
        let is_thread = found.threads.contains_key(name);
        if (name == "main" || found.called.contains_key(name)) && !is_thread {
            let why = if name == "main" {
                "it is the whole program".into()
            } else {
                why
            };
            let text = format!("{name} returns");
            add(
                "Response",
                text,
                "G(@0 -> F !@0)",
                &[name.as_str()],
                why,
                rank,
            );
        }
    }
}

/// Asks about pairs of labels that mark areas.
fn areas(facts: &Facts, all: &mut Vec<Question>) {
    let marked = areas::areas(facts);
    let proposition = |area: &Marked| Proposition {
        name: area.name.clone(),
        meaning: Meaning::Area(area.entry.clone(), area.exit.clone()),
    };
    let spoken = |area: &Marked| format!("{} … {}", area.entry, area.exit);
    if let [one, other, ..] = marked.as_slice() {
        all.push(Question {
            pattern: "Exclusion",
            name: format!("not {} and {}", one.name, other.name),
            formula: "G !(@0 && @1)",
            propositions: vec![proposition(one), proposition(other)],
            why: format!("labels mark {} and {}", spoken(one), spoken(other)),
            about: "areas".into(),
            rank: 100,
        });
    }
    for area in &marked {
        all.push(Question {
            pattern: "Response",
            name: format!("{} ends", area.name),
            formula: "G(@0 -> F !@0)",
            propositions: vec![proposition(area)],
            why: format!("labels mark {}", spoken(area)),
            about: "areas".into(),
            rank: 86,
        });
    }
}

/// Asks about labels that mark no area.
fn labels(facts: &Facts, all: &mut Vec<Question>) {
    let places = areas::places(facts, &areas::areas(facts));
    let pulse = |label: &String| Proposition {
        name: identifier(label),
        meaning: Meaning::At(label.clone()),
    };
    let mut add = |pattern, name, formula, labels: &[&String], why, rank| {
        all.push(Question {
            pattern,
            name,
            formula,
            propositions: labels.iter().map(|label| pulse(label)).collect(),
            why,
            about: "labels".into(),
            rank,
        });
    };
    let (bad, good): (Vec<&String>, Vec<&String>) = places.iter().partition(|l| is_bad(l));
    if let [bad, ..] = bad.as_slice() {
        let why = format!("the program has the label `{bad}`");
        add(
            "Absence",
            format!("never at {bad}"),
            "G !@0",
            &[bad],
            why,
            78,
        );
    }
    match good.as_slice() {
        [one, other, ..] => {
            let why = format!("the program has the labels `{one}` and `{other}`");
            let text = format!("{other} follows {one}");
            add("Response", text, "G(@0 -> F @1)", &[one, other], why, 40);
        }
        [one] => {
            let why = format!("the program has the label `{one}`");
            add(
                "Existence",
                format!("{one} is reached"),
                "F @0",
                &[one],
                why,
                38,
            );
        }
        [] => {}
    }
}

/// The findings, one per line, for the head of the specification.
pub fn summary(found: &Interview) -> Vec<String> {
    let mut lines = Vec::new();
    for variable in &found.variables {
        let name = &variable.path;
        if variable.compared.len() > 1 && assigns_constants(variable) {
            let states: Vec<&str> = variable.compared.iter().map(|c| c.text.as_str()).collect();
            lines.push(format!(
                "state {name} ({}): {}",
                variable.spot,
                states.join(", ")
            ));
        } else if switched(variable).is_some() {
            lines.push(format!("flag {name} ({})", variable.spot));
        }
    }
    lines.truncate(12);
    let listed = |what: &str, all: Vec<(&String, &Spot)>| {
        let shown: Vec<String> = all
            .iter()
            .take(6)
            .map(|(n, s)| format!("{n} ({s})"))
            .collect();
        let more = if all.len() > 6 { ", …" } else { "" };
        (!shown.is_empty()).then(|| format!("{what}: {}{more}", shown.join(", ")))
    };
    lines.extend(listed("threads", found.threads.iter().collect()));
    if !found.locks.is_empty() {
        let locks: Vec<&str> = found.locks.iter().map(String::as_str).collect();
        lines.push(format!("locks: {}", locks.join(", ")));
    }
    for (spot, called) in found.main_loops.iter().take(3) {
        let calls = match called.is_empty() {
            true => String::new(),
            false => format!(", calls {}", called.join(", ")),
        };
        lines.push(format!("endless loop at {spot}{calls}"));
    }
    lines.extend(listed(
        "functions without a body here",
        found.outside.iter().collect(),
    ));
    lines
}
