//! What is printed about one formula.

use super::Form;
use automata::{translate, Buchi, Limits, Monitor, Options, TooLarge, B4};
use ltl::lasso::Letter;
use ltl::{Arena, Atom, Id, Style};
use std::fmt::Write as _;
use std::time::Instant;

/// A shown formula is cut after this many bytes.
const LONGEST_FORMULA: usize = 10_000;

/// What is asked about each formula.
pub(super) struct Request<'a> {
    pub(super) form: &'a Form,
    pub(super) word: Option<Vec<Vec<Atom>>>,
}

/// The answer about one formula.
pub(super) struct Answer {
    /// To be printed, with the newline at its end.
    pub(super) text: String,
    /// Propositions of the word that the formula does not have, as they are written.
    pub(super) unknown: Vec<String>,
}

impl Request<'_> {
    /// The answer for a formula, on as many lines as it takes.
    ///
    /// # Errors
    /// Why the formula cannot be translated.
    pub(super) fn answer(&self, arena: &Arena, root: Id) -> Result<Answer, String> {
        let unknown = self.unknown(arena, root);
        let text = self.text(arena, root, false)?;
        Ok(Answer { text, unknown })
    }

    /// The answer on one line, without a newline.
    ///
    /// # Errors
    /// As [`Request::answer`].
    pub(super) fn answer_in_line(&self, arena: &Arena, root: Id) -> Result<String, String> {
        Ok(self.text(arena, root, true)?.trim_end().to_owned())
    }

    fn text(&self, arena: &Arena, root: Id, one_line: bool) -> Result<String, String> {
        if let Some(word) = &self.word {
            let verdict = verdict(arena, root, word)?;
            return Ok(format!("{}\n", verdict.json_name()));
        }
        let facts = Facts::new(arena, root).map_err(|e| too_large(&e))?;
        if self.form.stats {
            return Ok(facts.stats());
        }
        Ok(if one_line {
            facts.line(arena, root)
        } else {
            facts.explanation(arena, root)
        })
    }

    /// Propositions of the word that change nothing.
    fn unknown(&self, arena: &Arena, root: Id) -> Vec<String> {
        let known = arena.atoms_of(root);
        let mut unknown = Vec::new();
        for atom in self.word.iter().flatten().flatten() {
            let shown = match atom {
                Atom::Name(name) => format!("`{name}`"),
                Atom::Condition(condition) => format!("`{{{condition}}}`"),
            };
            let id = arena.find_atom(atom);
            if !id.is_some_and(|id| known.contains(&id)) && !unknown.contains(&shown) {
                unknown.push(shown);
            }
        }
        unknown
    }
}

fn too_large(error: &TooLarge) -> String {
    format!("this formula is too large: {error}")
}

/// The verdict of a finite word. Propositions that the formula does not have change nothing.
fn verdict(arena: &Arena, root: Id, word: &[Vec<Atom>]) -> Result<B4, String> {
    let monitor = Monitor::for_formula(arena, root, &[], &Limits::default());
    let monitor = monitor.map_err(|e| too_large(&e))?;
    let letter = |atoms: &Vec<Atom>| -> Letter {
        atoms
            .iter()
            .filter_map(|atom| arena.find_atom(atom))
            .collect()
    };
    let word: Vec<Letter> = word.iter().map(letter).collect();
    monitor
        .verdict_of_word(&word)
        .ok_or_else(|| "the empty word has no verdict".to_owned())
}

/// What is known of a formula.
struct Facts {
    automaton: Buchi,
    monitor: Monitor,
    milliseconds: f64,
}

impl Facts {
    fn new(arena: &Arena, root: Id) -> Result<Facts, TooLarge> {
        let start = Instant::now();
        let automaton = translate(arena, root, &Options::default())?;
        let monitor = Monitor::for_formula(arena, root, &[], &Limits::default())?;
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        Ok(Facts {
            automaton,
            monitor,
            milliseconds,
        })
    }

    /// The line of `--stats`.
    fn stats(&self) -> String {
        format!(
            "states={} edges={} accepting={} deterministic={} dfa_states={} time_ms={:.3}\n",
            self.automaton.states().len(),
            self.automaton.edge_count(),
            self.automaton.accepting_count(),
            self.automaton.is_deterministic(),
            self.monitor.len(),
            self.milliseconds,
        )
    }

    /// The values that some word has, least first.
    fn possible(&self) -> Vec<B4> {
        let occurs = |value: B4| {
            self.monitor.states().any(|state| {
                let guard = self.monitor.verdict_guard(state, value);
                !guard.is_disjoint(self.monitor.entered_by(state))
            })
        };
        B4::ALL.into_iter().filter(|&value| occurs(value)).collect()
    }

    /// The answer on several lines.
    fn explanation(&self, arena: &Arena, root: Id) -> String {
        let formula = ltl::print_bounded(arena, root, Style::Ascii, LONGEST_FORMULA);
        let automaton = &self.automaton;
        let mut text = String::new();
        let mut row = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<11}{value}");
        };
        row("formula", &formula);
        let verdicts: Vec<String> = self
            .possible()
            .iter()
            .map(|v| format!("{} ({v})", v.json_name()))
            .collect();
        row("verdicts", &verdicts.join(", "));
        let kind = if automaton.is_deterministic() {
            "deterministic"
        } else {
            "non-deterministic"
        };
        let states = count(automaton.states().len(), "state");
        let edges = count(automaton.edge_count(), "edge");
        let accepting = automaton.accepting_count();
        row(
            "automaton",
            &format!("{states}, {edges}, {accepting} accepting, {kind}"),
        );
        row("monitor", &count(self.monitor.len(), "state"));
        text
    }

    /// The answer on one line, for programs as well as for people.
    fn line(&self, arena: &Arena, root: Id) -> String {
        let formula = ltl::print_bounded(arena, root, Style::Ascii, LONGEST_FORMULA);
        let verdicts: Vec<&str> = self.possible().iter().map(|v| v.json_name()).collect();
        format!(
            "verdicts={} states={} dfa_states={} formula={formula}\n",
            verdicts.join(","),
            self.automaton.states().len(),
            self.monitor.len(),
        )
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
