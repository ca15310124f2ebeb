//! The output for one formula.

use super::facts::{Facts, Subject};
use super::Form;
use automata::{conditions, Composite, Limits};
use ltl::lasso::Letter;
use ltl::Atom;
use ltl::B4;

/// The question about each formula.
pub(super) struct Request<'a> {
    pub(super) form: &'a Form,
    pub(super) word: Option<Vec<Vec<Atom>>>,
}

/// The answer about one formula.
pub(super) struct Answer {
    /// The output, with its final newline.
    pub(super) text: String,
    /// Propositions of the word that the formula does not have, as in the word.
    pub(super) unknown: Vec<String>,
}

impl Request<'_> {
    /// The answer for a formula, on any number of lines.
    ///
    /// # Errors
    /// Why the formula cannot be translated.
    pub(super) fn answer(&self, subject: Subject) -> Result<Answer, String> {
        let unknown = self.unknown(&subject);
        let text = self.text(subject, false)?;
        Ok(Answer { text, unknown })
    }

    /// The answer on one line, without a newline. Every form stays valid without its line breaks.
    ///
    /// # Errors
    /// As for [`Request::answer`].
    pub(super) fn answer_in_line(&self, subject: Subject) -> Result<String, String> {
        let text = self.text(subject, true)?;
        let break_as = if self.form.tables { "; " } else { " " };
        Ok(text.trim_end().replace('\n', break_as))
    }

    fn text(&self, subject: Subject, one_line: bool) -> Result<String, String> {
        if let Some(word) = &self.word {
            let verdict = verdict(subject, word)?;
            return Ok(format!("{}\n", verdict.name()));
        }
        let form = self.form;
        let facts = Facts::new(subject).map_err(|e| e.to_string())?;
        let text = match () {
            () if form.stats => facts.stats(),
            () if form.hoa => facts.hoa(),
            () if form.dot => facts.dot(),
            () if form.never => facts.never(),
            () if form.tables => facts.tables(),
            () if one_line => Ok(facts.line()),
            () => Ok(facts.explanation()),
        };
        text.map_err(|e| format!("this formula is too large: {e}"))
    }

    /// Propositions of the word without influence.
    fn unknown(&self, subject: &Subject) -> Vec<String> {
        let mut known = subject
            .root
            .map_or(Vec::new(), |root| subject.arena.atoms_of(root));
        if let Some(automaton) = &subject.negation {
            known.extend(automaton.atoms());
        }
        let mut unknown = Vec::new();
        for atom in self.word.iter().flatten().flatten() {
            let shown = match atom {
                Atom::Name(name) => format!("`{name}`"),
                Atom::Condition(condition) => format!("`{{{condition}}}`"),
            };
            let id = subject.arena.find_atom(atom);
            if !id.is_some_and(|id| known.contains(&id)) && !unknown.contains(&shown) {
                unknown.push(shown);
            }
        }
        unknown
    }
}

/// The verdict of a finite word. Propositions that the formula does not have are ignored.
fn verdict(mut subject: Subject, word: &[Vec<Atom>]) -> Result<B4, String> {
    let limits = Limits::default();
    let letter = |subject: &Subject, atoms: &Vec<Atom>| -> Letter {
        let atoms = atoms.iter();
        atoms.filter_map(|a| subject.arena.find_atom(a)).collect()
    };
    let word: Vec<Letter> = word.iter().map(|atoms| letter(&subject, atoms)).collect();
    let found = match (subject.root, &subject.negation) {
        (Some(root), None) => {
            let mut constraints = conditions::constraints_of(&mut subject.arena, root);
            // A word that the conditions exclude is evaluated without them.
            let allowed = automata::letters_of(&subject.arena, &constraints, &limits);
            if !allowed.is_ok_and(|allowed| word.iter().all(|letter| allowed.contains(letter))) {
                constraints.clear();
            }
            Composite::for_formula(&subject.arena, root, &constraints, &limits)
                .map_err(|e| format!("this formula is too large: {e}"))?
                .verdict_of_word(&word)
        }
        _ => {
            let facts = Facts::new(subject).map_err(|e| e.to_string())?;
            let monitor = facts.into_monitor().map_err(|e| e.to_string())?;
            monitor.verdict_of_word(&word)
        }
    };
    found.ok_or_else(|| "the empty word has no verdict".to_owned())
}
