//! The obligations on the finite parts of a run, and what is said if one fails.

use backend::Outcome as Answered;
use induction::emit::PREFIX;
use ltl::B4;

use super::{Said, Search};

/// Whether an assertion is no obligation: its failure is an answer like another.
fn is_question(text: &str) -> bool {
    let kind = text.split(':').next().unwrap_or_default();
    matches!(kind, "claim" | "arrives" | "returns" | "edge" | "end")
}

impl Search<'_> {
    /// Checks the obligations on each finite part of a run. The error names the first that fails.
    pub(super) fn obligations(&self, said: &Said) -> Result<(), String> {
        if let Some(text) = self.failing(said).first() {
            return Err(self.resistance(text));
        }
        let reaches = |c: &induction::Cut| said.fails(&format!("arrives:{}", c.number));
        if !said.fails("end") && !self.system.cuts.iter().any(reaches) {
            return Err("no run comes to its end or to a loop".into());
        }
        Ok(())
    }

    /// What it means that an obligation fails.
    fn resistance(&self, text: &str) -> String {
        let name = &self.judged.name;
        let parts: Vec<&str> = text.split(':').collect();
        match parts.as_slice() {
            ["forbidden", head] => format!(
                "no invariant excludes that the formula is violated at {}",
                self.place(head)
            ),
            ["pointer", head, ..] => format!("a pointer changes in {}", self.place(head)),
            ["cut"] => format!(
                "{} may be deeper than {} calls",
                self.recursions(),
                self.depth
            ),
            [property, level] if property == name && *level == B4::PresumablyFalse.name() => {
                "no invariant excludes a run that ends while the formula is not fulfilled".into()
            }
            _ => format!("no invariant excludes that `{text}` fails"),
        }
    }

    /// The obligations that fail, by the texts of their assertions.
    pub(super) fn failing(&self, said: &Said) -> Vec<String> {
        let all = said.answer.outcomes.iter();
        let failing = all.filter(|(_, outcome)| **outcome == Answered::Fails);
        let texts = failing.filter_map(|(text, _)| text.strip_prefix(PREFIX));
        let own = texts.filter(|text| !is_question(text));
        own.map(String::from).collect()
    }

    fn recursions(&self) -> String {
        let all = self.task.heads.recursive.iter();
        let all: Vec<String> = all
            .map(|r| format!("the recursion of `{}` ({})", r.name, r.place))
            .collect();
        all.join(" and ")
    }

    /// The place of a head, for messages.
    pub(super) fn place(&self, number: &str) -> String {
        let site = number
            .parse()
            .ok()
            .and_then(|n: usize| self.task.record.sites.get(n));
        site.map_or_else(
            || "a loop".to_string(),
            |s| format!("{}:{} (`{}`)", s.file, s.line, s.what),
        )
    }
}
