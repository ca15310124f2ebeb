//! A report as one self-contained HTML file without scripts: the verdicts, and for each trace a
//! timeline with a lane per proposition, the steps, and the source beside them.

mod timeline;

use crate::meaning;
use crate::text::{self, changed_values, names};
use askama::Template;
use std::collections::{BTreeMap, BTreeSet};
use timeline::Timeline;
use verify::result::{CoveredFile, Holds, PropertyResult, TraceStep, Verdict, VerifyResult};

/// How many lines of source are shown before and after each line of a trace.
const CONTEXT: u32 = 6;
/// The number of colours for threads; further threads repeat them.
const COLOURS: u32 = 8;

/// The texts of the files in traces, by the names that the traces use.
pub type Sources = BTreeMap<String, String>;

#[derive(Template)]
#[template(path = "report/report.html")]
struct Page<'a> {
    result: &'a VerifyResult,
    search: String,
    summary: Option<String>,
    safety: Option<String>,
    properties: Vec<Property<'a>>,
    /// Whether some property is a requirement, so that there is a table of them.
    traced: bool,
    covered: Vec<Covered<'a>>,
}

/// A file with the lines that explored runs reach.
struct Covered<'a> {
    name: &'a str,
    reached: usize,
    /// The number of lines that have code.
    all: usize,
    /// Number, CSS class and text of each line.
    lines: Vec<(u32, &'static str, &'a str)>,
}

struct Property<'a> {
    /// Prefix of the identifiers in the page.
    id: String,
    of: &'a PropertyResult,
    class: &'static str,
    /// The answer: its symbol, and its words.
    symbol: &'static str,
    said: String,
    /// What the answer rests on, in a word.
    evidence: &'static str,
    /// Where a run shows the answer, or whether the explored runs come to it at all.
    exercised: String,
    meaning: String,
    facts: Vec<String>,
    names: Vec<String>,
    timeline: Timeline,
    /// Whether values of variables are known.
    has_values: bool,
    steps: Vec<Step<'a>>,
    /// The heading of the trace.
    run: &'static str,
    files: Vec<File<'a>>,
    end: Option<String>,
    /// The turns of the threads and the conditions for which they wait, a sentence each.
    waits: Vec<String>,
    /// Notes on how many steps are left out, and how many come after the one that decides.
    more: Vec<String>,
    /// Why the run has the verdict; code stands between backticks.
    why: &'a str,
}

struct Step<'a> {
    of: &'a TraceStep,
    colour: u32,
    /// For each thread with a lane: whether the step belongs to it.
    lanes: Vec<bool>,
    /// File name and line; the title has the whole path.
    place: String,
    /// The HTML identifier of the step's source line, if that line is shown.
    anchor: Option<String>,
    /// For each proposition: CSS class and text of its value.
    values: Vec<(&'static str, &'static str)>,
    /// The variables whose values changed, with the new values.
    changes: String,
    /// The verdict of the prefix, or the monitor's state, with its CSS class.
    last: String,
    class: &'static str,
    moved: bool,
    /// Whether the step belongs to the loop of an infinite run.
    round: bool,
    /// Whether it comes after the step that decides.
    after: bool,
}

struct File<'a> {
    name: &'a str,
    lines: Vec<Line<'a>>,
}

struct Line<'a> {
    id: String,
    number: u32,
    text: &'a str,
    /// Whether lines before this one are left out.
    gap: bool,
    /// The first steps at this line: number and colour of each.
    steps: Vec<(u32, u32)>,
    /// The number of further steps at this line.
    more: usize,
}

/// How many steps are linked beside a source line.
const LINKS: usize = 3;

/// Renders the page. Files that are missing in `sources` are left out.
///
/// # Errors
/// Only by the signature of the template engine; the template itself cannot fail.
pub fn render(result: &VerifyResult, sources: &Sources) -> Result<String, askama::Error> {
    let all = result.properties.iter().enumerate();
    let page = Page {
        result,
        search: text::search(result),
        summary: meaning::summary(result),
        safety: meaning::safety(result),
        properties: all.map(|(i, p)| property(i, p, result, sources)).collect(),
        traced: result
            .properties
            .iter()
            .any(|p| p.asked.requirement.is_some()),
        covered: covered(result, sources),
    };
    let mut html = page.render()?;
    html.push('\n');
    Ok(html)
}

/// The program's files, each with the lines that explored runs reach and those they never reach.
fn covered<'a>(result: &'a VerifyResult, sources: &'a Sources) -> Vec<Covered<'a>> {
    let files = result.coverage.iter().flat_map(|c| &c.files);
    let one = |file: &'a CoveredFile| {
        let text = sources.get(&file.file)?;
        let class = |number| match (file.reached.contains(&number), file.never.contains(&number)) {
            (true, _) => "reached",
            (_, true) => "never",
            _ => "",
        };
        let lines = (1..).zip(text.lines());
        Some(Covered {
            name: &file.file,
            reached: file.reached.len(),
            all: file.reached.len() + file.never.len(),
            lines: lines.map(|(n, line)| (n, class(n), line)).collect(),
        })
    };
    files.filter_map(one).collect()
}

fn property<'a>(
    index: usize,
    of: &'a PropertyResult,
    result: &VerifyResult,
    sources: &'a Sources,
) -> Property<'a> {
    let id = format!("p{index}");
    let names = names(of);
    let files = files(&id, &of.run.trace, sources);
    let end = match of.run.loop_start {
        Some(step) => Some(format!(
            "From here it repeats the steps from {step} on, for ever."
        )),
        None => meaning::blocked(of)
            .filter(|_| !of.run.trace.is_empty())
            .map(|end| format!("Here {end}.")),
    };
    let (class, symbol, said) = answer(of);
    Property {
        class,
        symbol,
        said,
        evidence: of.answer.evidence.map_or("", |evidence| evidence.name()),
        exercised: exercised(of),
        meaning: meaning::verdict(of),
        facts: meaning::facts(of, result),
        waits: verify::schedule::sentences(of),
        more: [meaning::left_out(of), crate::extent::after_decision(of)]
            .into_iter()
            .flatten()
            .collect(),
        timeline: Timeline::of(of, &names),
        has_values: of.run.trace.iter().any(|s| !s.values.is_empty()),
        steps: steps(of, &names, &files),
        run: crate::meaning::run(of),
        names,
        files,
        end,
        why: of.run.why.as_deref().unwrap_or_default(),
        id,
        of,
    }
}

/// Where a run shows the answer about a requirement; without such a run, what of it no explored run comes to.
fn exercised(of: &PropertyResult) -> String {
    if let Some(step) = crate::sarif::deciding_step(&of.run.trace) {
        return place(step);
    }
    let parts = &of.answer.vacuity.parts;
    match (parts.as_slice(), of.answer.verdict) {
        ([], Verdict::Unknown) => "not known".to_owned(),
        ([], _) => "by the explored runs".to_owned(),
        (parts, _) => {
            let whats: Vec<&str> = parts.iter().map(|part| part.what.as_str()).collect();
            format!("not all of it: {}", whats.join(", "))
        }
    }
}

/// The CSS class, the symbol and the words of the answer. If no verdict is known, the proof's
/// answer counts.
fn answer(of: &PropertyResult) -> (&'static str, &'static str, String) {
    let verdict = of.answer.verdict;
    let (class, symbol) = match (verdict, of.answer.holds) {
        (Verdict::Unknown, Holds::Proved) => ("good", "✓"),
        (Verdict::Unknown, Holds::Refuted) => ("bad", "✗"),
        _ => (class(verdict), verdict.symbol()),
    };
    let said = match (meaning::decision(of), verdict) {
        (Some(decision), Verdict::Unknown) => decision.to_owned(),
        (Some(decision), _) => format!("{}, {decision}", verdict.words()),
        (None, _) => verdict.words().to_owned(),
    };
    (class, symbol, said)
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::FALSE => "bad",
        Verdict::PRESUMABLY_FALSE => "doubtful",
        Verdict::PRESUMABLY_TRUE => "likely",
        Verdict::TRUE => "good",
        Verdict::Unknown => "unknown",
    }
}

/// `file:line`, without the directory.
fn place(step: &TraceStep) -> String {
    let file = step.file.rsplit('/').next().unwrap_or(&step.file);
    match step.line {
        0 => file.to_owned(),
        line => format!("{file}:{line}"),
    }
}

/// Splits a text at backticks; each part says whether it is code.
fn code<T: AsRef<str> + ?Sized>(text: &T) -> Vec<(&str, bool)> {
    let parts = text.as_ref().split('`').enumerate();
    parts.map(|(i, part)| (part, i % 2 == 1)).collect()
}

fn steps<'a>(of: &'a PropertyResult, names: &[String], files: &[File<'a>]) -> Vec<Step<'a>> {
    let mut before: Option<&TraceStep> = None;
    let mut steps = Vec::new();
    let known = of.run.trace.iter().any(|s| s.verdict.is_some());
    let decided = crate::extent::decided_at(of);
    for (step, changes) in of.run.trace.iter().zip(changed_values(&of.run.trace)) {
        if step.argument_of.is_some() {
            // Its value stands in the call.
            continue;
        }
        let value = |name: &String| {
            let was = before.and_then(|b| b.props.get(name));
            match (step.props.get(name), was) {
                (None, _) => ("", "·"),
                (Some(true), Some(false)) => ("rise", "1"),
                (Some(false), Some(true)) => ("fall", "0"),
                (Some(true), _) => ("", "1"),
                (Some(false), _) => ("", "0"),
            }
        };
        let file = files.iter().find(|f| f.name == step.file);
        let line = file.and_then(|f| f.lines.iter().find(|l| l.number == step.line));
        steps.push(Step {
            of: step,
            colour: step.thread % COLOURS,
            lanes: (0..meaning::lanes(of)).map(|t| t == step.thread).collect(),
            place: place(step),
            anchor: line.map(|l| l.id.clone()),
            values: names.iter().map(value).collect(),
            changes,
            last: match known {
                true => step.verdict.map_or("", Verdict::symbol).to_owned(),
                false => step.monitor.to_string(),
            },
            class: step.verdict.map_or("", class),
            moved: before.is_some_and(|b| match known {
                true => step.verdict.is_some() && b.verdict != step.verdict,
                false => b.monitor != step.monitor,
            }),
            round: of.run.loop_start.is_some_and(|start| start <= step.step),
            after: decided.is_some_and(|(number, _)| number < step.step),
        });
        before = Some(step);
    }
    steps
}

/// The excerpts of the files at which the trace has steps, in the order of the trace.
fn files<'a>(id: &str, trace: &'a [TraceStep], sources: &'a Sources) -> Vec<File<'a>> {
    let mut names: Vec<&str> = Vec::new();
    for step in trace {
        if sources.contains_key(&step.file) && !names.contains(&step.file.as_str()) {
            names.push(&step.file);
        }
    }
    let file = |(index, name): (usize, &'a str)| {
        let text = sources.get(name).map(String::as_str).unwrap_or_default();
        let here: Vec<&TraceStep> = trace
            .iter()
            .filter(|s| s.file == name && s.line > 0)
            .collect();
        File {
            name,
            lines: excerpt(&format!("{id}-f{index}"), text, &here),
        }
    };
    names.into_iter().enumerate().map(file).collect()
}

fn excerpt<'a>(id: &str, text: &'a str, steps: &[&TraceStep]) -> Vec<Line<'a>> {
    let mut wanted = BTreeSet::new();
    let mut at: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for step in steps {
        wanted.extend(step.line.saturating_sub(CONTEXT)..=step.line.saturating_add(CONTEXT));
        at.entry(step.line)
            .or_default()
            .push((step.step, step.thread % COLOURS));
    }
    let mut lines: Vec<Line> = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        if wanted.contains(&number) {
            let before = lines.last().map_or(0, |line| line.number);
            let mut steps = at.remove(&number).unwrap_or_default();
            let more = match steps.len() {
                few if few <= LINKS => 0,
                many => many - (LINKS - 1),
            };
            steps.truncate(steps.len() - more);
            lines.push(Line {
                id: format!("{id}-l{number}"),
                number,
                text,
                gap: !lines.is_empty() && before + 1 < number,
                steps,
                more,
            });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{several, violated};

    fn sources() -> Sources {
        let text = (1..60)
            .map(|n| format!("  line {n} <of> \"the\" source;\n"))
            .collect();
        Sources::from([("src/mutex.c".to_owned(), text)])
    }

    #[test]
    fn a_violation_has_its_timeline_and_its_source() {
        insta::assert_snapshot!(render(&violated(), &sources()).unwrap());
    }

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        for result in [violated(), several()] {
            let page = render(&result, &sources()).unwrap();
            for word in ["http://", "https://", "<script", "src=", "@import", "url("] {
                assert!(!page.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn every_link_has_its_target_and_every_target_is_unique() {
        let page = render(&violated(), &sources()).unwrap();
        let values = |key: &str| -> Vec<String> {
            let parts = page.split(key).skip(1);
            parts
                .map(|p| p.split('"').next().unwrap().to_owned())
                .collect()
        };
        let targets = values(" id=\"");
        let unique: BTreeSet<_> = targets.iter().collect();
        assert_eq!(unique.len(), targets.len());
        let links = values("href=\"#");
        assert!(links.len() > 10);
        for link in links {
            assert!(unique.contains(&link), "{link}");
        }
    }

    #[test]
    fn markup_in_names_is_text() {
        let mut result = violated();
        let nasty = "</td><script>alert(1)</script>\"'&";
        let property = &mut result.properties[0];
        property.asked.name = nasty.into();
        property.asked.ltl = nasty.into();
        property.answer.reason = Some(nasty.into());
        property.asked.propositions[0].name = nasty.into();
        property.run.trace[1].what = nasty.into();
        property.run.trace[1].file = nasty.into();
        property.run.trace[1].props.insert(nasty.into(), true);
        result.premises.assumptions.push(nasty.into());
        let page = render(&result, &Sources::from([(nasty.into(), nasty.repeat(30))])).unwrap();
        assert!(!page.contains("<script"), "{page}");
    }

    #[test]
    fn places_that_are_not_in_the_source_are_no_panic() {
        let mut result = violated();
        result.properties[0].run.trace[1].line = u32::MAX;
        result.properties[0].run.trace[2].line = 5000;
        render(&result, &sources()).unwrap();
        render(&result, &Sources::new()).unwrap();
    }
}
