//! Words as text: their letters, and a line for each proposition.

use automata::Witness;
use ltl::lasso::Letter;
use ltl::{Arena, Atom, AtomId};
use serde::Serialize;
use std::fmt::Write as _;

/// Words of more letters are shown by their runs of equal letters alone.
const MOST_LETTERS: usize = 24;

/// A word, as JSON has it: each letter is the list of the propositions that hold.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Word {
    /// What is read once.
    prefix: Vec<Vec<String>>,
    /// What is repeated for ever; absent if every continuation of the prefix has the same value.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<Vec<Vec<String>>>,
    /// Whether no other word has fewer letters.
    shortest: bool,
}

/// A word over some propositions, to be shown.
pub struct Shown<'a> {
    arena: &'a Arena,
    atoms: Vec<AtomId>,
    witness: &'a Witness,
}

impl<'a> Shown<'a> {
    /// The word of a formula with these propositions.
    pub fn new(arena: &'a Arena, atoms: Vec<AtomId>, witness: &'a Witness) -> Self {
        Shown {
            arena,
            atoms,
            witness,
        }
    }

    /// What is read once, what is repeated, and whether no word is shorter.
    fn parts(&self) -> (&[Letter], &[Letter], bool) {
        match self.witness {
            Witness::Finite(word) => (word, &[], true),
            Witness::Lasso {
                prefix,
                cycle,
                shortest,
            } => (prefix, cycle, *shortest),
        }
    }

    fn name(&self, atom: AtomId) -> String {
        match self.arena.atoms().get(atom.0 as usize) {
            Some(Atom::Name(name)) => name.clone(),
            Some(Atom::Condition(text)) => format!("{{{text}}}"),
            None => String::new(),
        }
    }

    fn names(&self, letter: &Letter) -> Vec<String> {
        let own = self.atoms.iter().filter(|atom| letter.contains(atom));
        own.map(|&atom| self.name(atom)).collect()
    }

    /// The word for JSON.
    pub fn word(&self) -> Word {
        let (prefix, cycle, shortest) = self.parts();
        let letters = |all: &[Letter]| all.iter().map(|letter| self.names(letter)).collect();
        Word {
            prefix: letters(prefix),
            cycle: (!cycle.is_empty()).then(|| letters(cycle)),
            shortest,
        }
    }

    /// The word in lines that begin with `indent`: a sentence about it, its letters, a line for each proposition.
    /// `value` says what it does, such as `satisfies it`.
    pub fn text(&self, indent: &str, value: &str) -> String {
        let (prefix, cycle, shortest) = self.parts();
        let kind = if shortest {
            "a shortest word"
        } else {
            "a short word"
        };
        let mut text = match (prefix.len(), cycle.len()) {
            (0, 0) => return format!("{indent}every word {value}\n"),
            (1, 0) => format!("{indent}{kind} that {value}, whatever follows its letter:\n"),
            (n, 0) => format!("{indent}{kind} that {value}, whatever follows its {n} letters:\n"),
            (_, n) => {
                let last = match n {
                    1 => "its last letter is".to_owned(),
                    n => format!("its last {n} letters are"),
                };
                format!("{indent}{kind} that {value}; {last} repeated for ever:\n")
            }
        };
        if prefix.len() + cycle.len() <= MOST_LETTERS {
            let letters = |all: &[Letter]| {
                let letters = all.iter().map(|letter| self.names(letter).join(" "));
                letters.collect::<Vec<_>>().join("; ")
            };
            let line = match (prefix.is_empty(), cycle.is_empty()) {
                (_, true) => letters(prefix),
                (true, false) => format!("({})", letters(cycle)),
                (false, false) => format!("{}; ({})", letters(prefix), letters(cycle)),
            };
            let _ = writeln!(text, "{indent}  {}", line.trim_end());
        }
        self.waves(indent, &mut text);
        text
    }

    /// The lines of the propositions under one with the numbers of the letters.
    fn waves(&self, indent: &str, text: &mut String) {
        let (prefix, cycle, _) = self.parts();
        let columns = [runs(prefix, 0), runs(cycle, prefix.len())];
        let labels = columns.iter().flatten().map(|run| run.label.len());
        let width = labels.max().unwrap_or(1) + 1;
        let names: Vec<String> = self.atoms.iter().map(|&atom| self.name(atom)).collect();
        let longest = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let line = |name: &str, cell: &dyn Fn(&Run) -> String| {
            let parts = columns.each_ref().map(|runs| {
                let cells = runs.iter().map(cell);
                cells.collect::<String>()
            });
            let bar = if cycle.is_empty() { "" } else { "│ " };
            format!("{indent}  {name:<longest$}  {}{bar}{}", parts[0], parts[1])
                .trim_end()
                .to_owned()
        };
        let heading = line("", &|run| format!("{:<width$}", run.label));
        let _ = writeln!(text, "{heading}");
        for (&atom, name) in self.atoms.iter().zip(&names) {
            let wave = line(name, &|run| {
                let level = if run.letter.contains(&atom) {
                    "▔"
                } else {
                    "▁"
                };
                level.repeat(width)
            });
            let _ = writeln!(text, "{wave}");
        }
    }
}

/// Equal letters that follow each other.
struct Run<'a> {
    letter: &'a Letter,
    label: String,
}

/// The letters, each with its number; if there are many, equal neighbours become one.
fn runs(letters: &[Letter], first: usize) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let same = letters[at..].iter().take_while(|l| **l == letters[at]);
        let length = match letters.len() > MOST_LETTERS {
            true => same.count(),
            false => 1,
        };
        let label = match length {
            1 => (first + at).to_string(),
            _ => format!("{}…{}", first + at, first + at + length - 1),
        };
        runs.push(Run {
            letter: &letters[at],
            label,
        });
        at += length;
    }
    runs
}
