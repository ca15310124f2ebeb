//! What is printed about one formula.

use super::Form;
use automata::{classify_with, translate, Buchi, Class, Limits, Monitor, Options, TooLarge, B4};
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
        let text = match one_line {
            true => facts.line(arena, root),
            false => facts.explanation(arena, root),
        };
        text.map_err(|e| too_large(&e))
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
    /// The deterministic monitor, or the bound that it exceeds.
    monitor: Result<Monitor, TooLarge>,
    milliseconds: f64,
}

impl Facts {
    fn new(arena: &Arena, root: Id) -> Result<Facts, TooLarge> {
        let start = Instant::now();
        let automaton = translate(arena, root, &Options::default())?;
        let monitor = Monitor::for_formula(arena, root, &[], &Limits::default());
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        Ok(Facts {
            automaton,
            monitor,
            milliseconds,
        })
    }

    /// The number of the monitor's states; 0 if there is none.
    fn dfa_states(&self) -> usize {
        self.monitor.as_ref().map_or(0, Monitor::len)
    }

    /// The line of `--stats`.
    fn stats(&self) -> String {
        format!(
            "states={} edges={} accepting={} deterministic={} dfa_states={} time_ms={:.3}\n",
            self.automaton.states().len(),
            self.automaton.edge_count(),
            self.automaton.accepting_count(),
            self.automaton.is_deterministic(),
            self.dfa_states(),
            self.milliseconds,
        )
    }

    fn class(&self, arena: &Arena, root: Id) -> Result<Class, TooLarge> {
        let monitor = self.monitor.as_ref().ok();
        classify_with(monitor, arena, root, &[], &Limits::default())
    }

    /// The answer on several lines.
    fn explanation(&self, arena: &Arena, root: Id) -> Result<String, TooLarge> {
        let class = self.class(arena, root)?;
        let formula = ltl::print_bounded(arena, root, Style::Ascii, LONGEST_FORMULA);
        let automaton = &self.automaton;
        let mut text = String::new();
        let mut row = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<11}{value}");
        };
        row("formula", &formula);
        row("class", &class.describe());
        if let Some(words) = class.words {
            let verdicts: Vec<String> = words
                .verdicts
                .iter()
                .map(|v| format!("{} ({v})", v.json_name()))
                .collect();
            row("verdicts", &verdicts.join(", "));
        }
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
        match &self.monitor {
            Ok(monitor) => row("monitor", &count(monitor.len(), "state")),
            Err(bound) => row("monitor", &format!("{bound}: the paper's form is used")),
        }
        text.push('\n');
        text.push_str(&class.explain());
        text.push('\n');
        Ok(text)
    }

    /// The answer on one line, for programs as well as for people.
    fn line(&self, arena: &Arena, root: Id) -> Result<String, TooLarge> {
        let class = self.class(arena, root)?;
        let formula = ltl::print_bounded(arena, root, Style::Ascii, LONGEST_FORMULA);
        let known = |value: Option<bool>| value.map_or("unknown".to_owned(), |v| v.to_string());
        let name = match class.name() {
            "both safety and co-safety" => "both",
            "neither safety nor co-safety" => "neither",
            "not known" => "unknown",
            name => name,
        };
        let verdicts = class.words.map_or("unknown".to_owned(), |words| {
            let names: Vec<&str> = words.verdicts.iter().map(B4::json_name).collect();
            names.join(",")
        });
        Ok(format!(
            "class={name} monitorable={} stutter_invariant={} verdicts={verdicts} states={} \
             dfa_states={} formula={formula}\n",
            known(class.words.map(|words| words.monitorable)),
            known(class.stutter_invariant),
            self.automaton.states().len(),
            self.dfa_states(),
        ))
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
