//! `baproduct explain`: a formula in plain words, with short words that satisfy and violate it; two formulas compared.

use std::process::ExitCode;

use automata::{classify, compare, conditions, witness, Class, Limits, TooLarge, Witness};
use forms::{is_stdin, read_text, Cause, Failure};
use ltl::{Arena, AtomId, Id, Style};
use serde::Serialize;

use super::ltl::ticks;
use crate::exit::Status;
use crate::listener::say;
use crate::options::{Format, Output};
use crate::outputs;
use crate::waveform::{Shown, Word};

/// A shown formula is cut after this many bytes.
const LONGEST_FORMULA: usize = 10_000;

/// The command line of `baproduct explain`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The formula; `-` reads it from standard input
    #[arg(value_name = "FORMULA")]
    formula: String,
    /// Another formula, with which the first is compared
    #[arg(value_name = "FORMULA2")]
    other: Option<String>,
    /// The form of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// A formula that is refused, or a stream that fails.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let mut arena = Arena::new();
    let mut roots = Vec::new();
    for (name, text) in [
        ("FORMULA", Some(&args.formula)),
        ("FORMULA2", args.other.as_ref()),
    ] {
        if let Some(text) = text {
            roots.push(read(text, name, &mut arena, output)?);
        }
    }
    let all = arena.make(ltl::Node::And(roots.clone()));
    let constraints = conditions::constraints_of(&mut arena, all);
    let mut about = About {
        arena,
        constraints,
        limits: Limits::default(),
    };
    let explained: Vec<Explained> = roots.iter().map(|&root| about.explained(root)).collect();
    let compared = match roots.as_slice() {
        [first, second] => Some(about.compared(*first, *second)),
        _ => None,
    };
    let text = match args.format {
        Format::Text => text(&explained, compared.as_ref()),
        Format::Json => json(explained, compared)?,
    };
    outputs::print(text.as_bytes())?;
    Ok(Status::Success.into())
}

/// Reads a formula into an arena, or shows its errors.
fn read(text: &str, name: &str, arena: &mut Arena, output: &Output) -> anyhow::Result<Id> {
    let (name, text) = match is_stdin(text.as_ref()) {
        true => ("-", read_text(text.as_ref())?.trim_end().to_owned()),
        false => (name, text.to_owned()),
    };
    let whole = spec::Text::plain(&text, 0);
    let parsed = ltl::parse_into(arena, &text, None).map_err(|error| {
        let diagnostic = spec::formula_error(&whole, error).in_source(name);
        say(&diagnostic, &text, output);
        Failure::silent(Cause::Refused)
    })?;
    for warning in &parsed.warnings {
        let diagnostic = spec::formula_warning(&whole, warning).in_source(name);
        say(&diagnostic, &text, output);
    }
    Ok(parsed.root)
}

/// What formulas are explained with.
struct About {
    arena: Arena,
    constraints: Vec<Id>,
    limits: Limits,
}

/// A word with its form for JSON; or that there is none; or why that is not known.
type Example = Result<Option<(String, Word)>, TooLarge>;

/// A formula with what is said of it.
struct Explained {
    formula: String,
    words: String,
    class: Class,
    satisfied: Example,
    violated: Example,
}

/// How two formulas relate.
struct Compared {
    first_only: Example,
    second_only: Example,
}

impl About {
    fn explained(&mut self, said: Id) -> Explained {
        let root = ticks::as_letters(&mut self.arena, said);
        let negation = self.arena.negate(root);
        let atoms = self.arena.atoms_of(root);
        let find = |root| witness(&self.arena, root, &self.constraints, &self.limits);
        let (satisfied, violated) = (find(root), find(negation));
        Explained {
            formula: ltl::print_bounded(&self.arena, said, Style::Ascii, LONGEST_FORMULA),
            words: ltl::words(&self.arena, said),
            class: classify(&self.arena, root, &self.constraints, &self.limits),
            satisfied: self.example(satisfied, atoms.clone(), "satisfies it"),
            violated: self.example(violated, atoms, "violates it"),
        }
    }

    fn compared(&mut self, first: Id, second: Id) -> Compared {
        let [first, second] = [first, second].map(|root| ticks::as_letters(&mut self.arena, root));
        let both = self.arena.make(ltl::Node::And(vec![first, second]));
        let atoms = self.arena.atoms_of(both);
        let found = compare(
            &mut self.arena,
            first,
            second,
            &self.constraints,
            &self.limits,
        );
        let (one, two) = match found {
            Ok(found) => (Ok(found.first_only), Ok(found.second_only)),
            Err(bound) => (Err(bound), Err(bound)),
        };
        Compared {
            first_only: self.example(one, atoms.clone(), "satisfies only the first"),
            second_only: self.example(two, atoms, "satisfies only the second"),
        }
    }

    fn example(
        &self,
        found: Result<Option<Witness>, TooLarge>,
        atoms: Vec<AtomId>,
        value: &str,
    ) -> Example {
        Ok(found?.map(|witness| {
            let shown = Shown::new(&self.arena, atoms, &witness);
            (shown.text("", value), shown.word())
        }))
    }
}

impl Compared {
    /// The name of the relation, and a sentence.
    fn relation(&self) -> (&'static str, &'static str) {
        match (&self.first_only, &self.second_only) {
            (Ok(None), Ok(None)) => ("equivalent", "the two are equivalent"),
            (Ok(None), Ok(Some(_))) => (
                "implies",
                "the first implies the second, not the other way round",
            ),
            (Ok(Some(_)), Ok(None)) => (
                "implied",
                "the second implies the first, not the other way round",
            ),
            (Ok(Some(_)), Ok(Some(_))) => ("differ", "neither implies the other"),
            _ => ("unknown", "how the two relate is not known"),
        }
    }
}

/// The answer as text.
fn text(explained: &[Explained], compared: Option<&Compared>) -> String {
    let mut parts: Vec<String> = explained.iter().map(Explained::text).collect();
    if let Some(compared) = compared {
        let (_, sentence) = compared.relation();
        let mut text = format!("compared   {sentence}\n");
        for example in [&compared.first_only, &compared.second_only] {
            match example {
                Ok(Some((shown, _))) => text.push_str(&format!("\n{shown}")),
                Ok(None) => {}
                Err(bound) => {
                    text.push_str(&format!("\nnot compared: {bound}\n"));
                    break;
                }
            }
        }
        parts.push(text);
    }
    parts.join("\n")
}

impl Explained {
    fn text(&self) -> String {
        let mut text = format!(
            "formula    {}\nin words   {}\nclass      {}\n\n{}\n",
            self.formula,
            self.words,
            self.class.describe(),
            self.class.explain()
        );
        for (example, none) in [
            (&self.satisfied, "no word satisfies it"),
            (&self.violated, "no word violates it"),
        ] {
            text.push('\n');
            match example {
                Ok(Some((shown, _))) => text.push_str(shown),
                Ok(None) => text.push_str(&format!("{none}\n")),
                Err(bound) => text.push_str(&format!("no word is shown: {bound}\n")),
            }
        }
        text
    }
}

/// The answer as JSON.
#[derive(Serialize)]
struct Answer {
    formulas: Vec<Formula>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_only: Option<Word>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_only: Option<Word>,
    /// Why the relation is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Formula {
    ltl: String,
    words: String,
    class: String,
    /// A word; null if none satisfies the formula.
    satisfied_by: Option<Word>,
    violated_by: Option<Word>,
    /// Why a word is missing, if it is not because there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

fn json(explained: Vec<Explained>, compared: Option<Compared>) -> anyhow::Result<String> {
    let word = |example: &Example| match example {
        Ok(Some((_, word))) => Some(word.clone()),
        _ => None,
    };
    let reason = |one: &Example, two: &Example| {
        let bound = one.as_ref().err().or(two.as_ref().err());
        bound.map(ToString::to_string)
    };
    let formulas = explained.iter().map(|e| Formula {
        ltl: e.formula.clone(),
        words: e.words.clone(),
        class: e.class.describe(),
        satisfied_by: word(&e.satisfied),
        violated_by: word(&e.violated),
        reason: reason(&e.satisfied, &e.violated),
    });
    let answer = Answer {
        formulas: formulas.collect(),
        relation: compared.as_ref().map(|c| c.relation().0),
        first_only: compared.as_ref().and_then(|c| word(&c.first_only)),
        second_only: compared.as_ref().and_then(|c| word(&c.second_only)),
        reason: compared
            .as_ref()
            .and_then(|c| reason(&c.first_only, &c.second_only)),
    };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}
