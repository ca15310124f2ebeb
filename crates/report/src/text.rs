//! The text report for a terminal: first the verdict and its meaning, then the evidence, then a
//! run.

mod overview;
mod style;
mod table;

use std::collections::BTreeSet;

use crate::meaning;
use style::{duration, memory, Colour, Paint};
pub(crate) use table::changed_values;
use verify::result::{Finding, FindingKind, Holds, PropertyResult, Verdict, VerifyResult};

/// How the report is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to use ANSI colours.
    pub colour: bool,
    /// Whether to use symbols outside ASCII. The user's own text is printed unchanged.
    pub unicode: bool,
    /// The width in columns.
    pub width: usize,
    /// Whether to add the time and memory of each level, and the meaning of the propositions.
    pub verbose: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            colour: false,
            unicode: true,
            width: 100,
            verbose: false,
        }
    }
}

impl Options {
    /// Sets the width to the `columns` of the terminal (100 if unknown), but at least 40 and at
    /// most 160: longer lines are hard to read.
    pub fn with_width(mut self, columns: Option<usize>) -> Self {
        self.width = columns.unwrap_or(100).clamp(40, 160);
        self
    }
}

/// Renders the report with a final newline.
pub fn render(result: &VerifyResult, options: &Options) -> String {
    let mut page = Page {
        paint: Paint::new(options),
        out: String::new(),
    };
    let shown = result.properties.iter();
    for property in shown.filter(|p| overview::in_words(p, result, options)) {
        if !page.out.is_empty() {
            page.line("");
        }
        page.property(property, result);
    }
    page.overview(result);
    page.list("Safety", meaning::safety(result).into_iter());
    let races = result.races.iter().flat_map(|races| races.sentences());
    page.list("Data races", races);
    let idle = result.coverage.iter().flat_map(|c| &c.idle);
    page.list("No explored run comes to", idle.cloned());
    // Races have a section of their own.
    let other = |f: &&Finding| f.kind != FindingKind::DataRace;
    page.list(
        "Findings",
        result.findings.iter().filter(other).map(finding),
    );
    let assumed = result.premises.assumptions.iter().cloned();
    page.list(
        "Assumptions",
        assumed.chain(meaning::irrelevant_assumptions(result)),
    );
    page.list("Warnings", result.warnings.iter().cloned());
    page.footer(result);
    page.out
}

struct Page<'a> {
    paint: Paint<'a>,
    out: String,
}

impl Page<'_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn paragraph(&mut self, first: &str, rest: &str, text: &str) {
        for line in self.paint.wrap(first, rest, text) {
            self.line(&line);
        }
    }

    fn property(&mut self, property: &PropertyResult, result: &VerifyResult) {
        let colour = colour_of(property);
        let verdict = if self.paint.options.unicode && property.answer.verdict != Verdict::Unknown {
            format!(
                "{} {}",
                property.answer.verdict.symbol(),
                property.answer.verdict.words()
            )
        } else {
            property.answer.verdict.words().to_owned()
        };
        let verdict = self.paint.in_colour(colour, &verdict);
        let name = self.paint.bold(&self.paint.clean(&property.asked.name));
        let decision = meaning::decision(property);
        let first = match (decision, property.answer.verdict) {
            (Some(decision), Verdict::Unknown) => self.paint.in_colour(colour, decision),
            (Some(decision), _) => format!("{verdict}, {decision}"),
            (None, _) => verdict,
        };
        self.line(&format!("{name}: {first}"));
        self.paragraph("  ", "    ", &self.paint.clean(&property.asked.ltl));
        self.line("");
        self.paragraph("  ", "  ", &meaning::verdict(property));
        if let Some(reason) = &property.answer.reason {
            let head = if property.answer.verdict == Verdict::Unknown {
                "Reason: "
            } else {
                "Note: "
            };
            let reason = format!("{head}{}", self.paint.clean(reason));
            self.paragraph("  ", "  ", &reason);
        }
        for fact in meaning::facts(property, result) {
            let bullet = self.paint.bullet();
            self.paragraph(&format!("  {bullet} "), "    ", &self.readable(&fact));
        }
        if self.paint.options.verbose {
            self.levels(property);
            self.propositions(property);
        }
        if !property.run.trace.is_empty() {
            self.trace(property);
        }
    }

    /// Replaces the symbols of verdicts by words if the terminal shows ASCII only.
    fn readable(&self, text: &str) -> String {
        if self.paint.options.unicode {
            return text.to_owned();
        }
        // Longer symbols first: they begin with the shorter ones.
        let presumably = [Verdict::PRESUMABLY_FALSE, Verdict::PRESUMABLY_TRUE];
        let all = presumably.into_iter().chain(Verdict::LATTICE);
        all.fold(text.to_owned(), |text, verdict| {
            text.replace(verdict.symbol(), verdict.words())
        })
    }

    fn overview(&mut self, result: &VerifyResult) {
        let rows = overview::rows(result, &self.paint);
        if !rows.is_empty() && !self.out.is_empty() {
            self.line("");
        }
        for row in rows {
            self.line(&row);
        }
    }

    fn levels(&mut self, property: &PropertyResult) {
        if property.answer.levels.is_empty() {
            return;
        }
        self.line("");
        self.line("  Levels");
        for level in &property.answer.levels {
            let answer = match level.reachable {
                Some(true) => "some run ends with it",
                Some(false) => "no run ends with it",
                None => "no answer",
            };
            let mut text = format!(
                "{:<17} {answer}, {}",
                level.level.words(),
                duration(level.seconds)
            );
            if let Some(kib) = level.max_rss_kib {
                text += &format!(", {}", memory(kib));
            }
            if let Some(reason) = &level.reason {
                text += &format!(" ({})", self.paint.clean(reason));
            }
            self.paragraph("    ", "      ", &text);
        }
    }

    fn propositions(&mut self, property: &PropertyResult) {
        let explained = property
            .asked
            .propositions
            .iter()
            .filter(|p| !p.meaning.is_empty());
        let lines: Vec<_> = explained
            .map(|p| format!("{}: {}", p.name, p.meaning))
            .collect();
        if !lines.is_empty() {
            self.line("");
            self.line("  Propositions");
        }
        for line in lines {
            self.paragraph("    ", "      ", &self.paint.clean(&line));
        }
    }

    fn trace(&mut self, property: &PropertyResult) {
        self.line("");
        self.line(&format!("  {}", meaning::run(property)));
        for line in table::rows(property, &self.paint) {
            self.line(&format!("  {line}"));
        }
        if let Some(more) = meaning::left_out(property) {
            let more = self.paint.faint(&more);
            self.line(&format!("  {more}"));
        }
        if let Some(after) = crate::extent::after_decision(property) {
            self.paragraph("  ", "  ", &after);
        }
        if let Some(why) = &property.run.why {
            let why = format!("Why: {}", self.readable(&self.paint.clean(why)));
            self.paragraph("  ", "  ", &why);
        }
        if let Some(step) = property.run.loop_start {
            let sign = if self.paint.options.unicode {
                "↺ "
            } else {
                ""
            };
            self.line(&format!(
                "  {sign}from here it repeats the steps from {step} on, for ever"
            ));
        } else if let Some(end) = meaning::blocked(property) {
            self.line(&format!("  here {end}"));
        }
        for told in property.run.threads.origins() {
            self.paragraph("  ", "    ", &self.paint.clean(&told));
        }
        if !property.run.contexts.is_empty() {
            self.line("  the threads take turns:");
        }
        for told in verify::schedule::sentences(property) {
            let bullet = self.paint.bullet();
            self.paragraph(
                &format!("    {bullet} "),
                "      ",
                &self.paint.clean(&told),
            );
        }
    }

    fn list(&mut self, heading: &str, items: impl Iterator<Item = String>) {
        let mut first = true;
        for item in items {
            if first {
                self.line("");
                let heading = self.paint.bold(heading);
                self.line(&heading);
                first = false;
            }
            let bullet = self.paint.bullet();
            self.paragraph(&format!("  {bullet} "), "    ", &self.paint.clean(&item));
        }
    }

    fn footer(&mut self, result: &VerifyResult) {
        self.line("");
        for line in self.paint.wrap("", "", &self.paint.clean(&search(result))) {
            let line = self.paint.faint(&line);
            self.line(&line);
        }
        let summary = meaning::summary(result).unwrap_or_default();
        for line in self.paint.wrap("", "", &summary) {
            if !line.is_empty() {
                let line = self.paint.bold(&line);
                self.line(&line);
            }
        }
    }
}

/// The search in one line: `cbmc 6.6.0, 2 runs, 0.46 s, unwind 5, schedules of at most 2 rounds`.
pub(crate) fn search(result: &VerifyResult) -> String {
    let backend = &result.backend;
    let named = format!("{} {}", backend.name, backend.version);
    let runs = if backend.runs == 1 { "run" } else { "runs" };
    let mut parts = vec![named.trim().to_owned()];
    parts.push(format!("{} {runs}", backend.runs));
    parts.push(duration(backend.seconds));
    parts.extend(unwind(result));
    parts.extend(result.premises.schedules.map(|s| s.to_string()));
    parts.join(", ")
}

/// The bound of the answers. With growing bounds, the last one may have no answer, and properties
/// may have theirs at different ones.
fn unwind(result: &VerifyResult) -> Option<String> {
    let general = result.premises.unwind;
    let answers = result.properties.iter().map(|p| &p.answer);
    let known = answers.filter(|a| a.verdict != Verdict::Unknown);
    let bounds: BTreeSet<u32> = known.filter_map(|a| a.unwind.or(general)).collect();
    match (bounds.first().or(general.as_ref())?, bounds.last()) {
        (least, Some(most)) if least != most => Some(format!("unwind {least} to {most}")),
        (one, _) => Some(format!("unwind {one}")),
    }
}

/// The propositions in the order of the property, then those that occur in the trace only.
pub(crate) fn names(property: &PropertyResult) -> Vec<String> {
    let mut names: Vec<String> = property
        .asked
        .propositions
        .iter()
        .map(|p| p.name.clone())
        .collect();
    for name in property.run.trace.iter().flat_map(|step| step.props.keys()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Green for a desired answer, red for an undesired one, yellow for an uncertain one.
fn colour_of(property: &PropertyResult) -> Colour {
    match property.answer.holds {
        Holds::Proved if property.answer.proof.is_some() => return Colour::Green,
        Holds::Refuted if property.answer.proof.is_some() => return Colour::Red,
        _ => {}
    }
    match (property.as_expected(), property.answer.verdict) {
        (Some(true), _) => Colour::Green,
        (Some(false), Verdict::Unknown) | (None, Verdict::Unknown) => Colour::Yellow,
        (Some(false), _) | (None, Verdict::FALSE | Verdict::PRESUMABLY_FALSE) => Colour::Red,
        (None, Verdict::PRESUMABLY_TRUE | Verdict::TRUE) => Colour::Green,
    }
}

/// A finding on one line, with its place.
pub(crate) fn finding(finding: &Finding) -> String {
    let mut place = finding.file.clone().unwrap_or_default();
    if let Some(line) = finding.line {
        place += &format!(":{line}");
    }
    if let Some(function) = &finding.function {
        place += &format!(" in {function}");
    }
    if place.is_empty() {
        finding.message.clone()
    } else {
        format!("{}: {}", place.trim_start(), finding.message)
    }
}

#[cfg(test)]
mod tests;
