//! Explains a trace in words: the value of the word after each letter, and the reason for the last
//! value. Both are computed from the letters and the formula alone, not by the monitor in the
//! program, so that a trace that does not show its verdict is detected.

use automata::{letters_of, Composite, Limits};
use ltl::lasso::{Lasso, Letter};
use ltl::reason::Fact;
use ltl::{Arena, Atom, AtomId, Id, Style, B4};
use weave::record::{PropertyRecord, Record, REACH};

use crate::result::{Evidence, PropertyResult, ShownRun, TraceStep, Verdict};

/// The longest part of a formula that is shown, in characters.
const MOST_TEXT: usize = 80;

/// Fills in the verdict of each letter and the reason for the last one.
///
/// # Errors
/// What the letters show instead, if that is not the property's verdict.
pub fn explain(
    record: &Record,
    property: &PropertyRecord,
    result: &mut PropertyResult,
) -> Result<(), String> {
    if property.monitor == REACH || result.run.trace.is_empty() {
        return Ok(());
    }
    let Some(mut reading) = Reading::new(property) else {
        return Ok(());
    };
    let letters: Vec<usize> = (0..result.run.trace.len())
        .filter(|&i| reading.is_letter(record, &result.run.trace[i]))
        .collect();
    let word: Vec<Letter> = letters
        .iter()
        .map(|&i| reading.letter(&result.run.trace[i]))
        .collect();
    let last = reading.values(&word, &letters, &mut result.run.trace);
    let start = result.run.loop_start.map(|s| s as usize);
    let round = start.map(|start| letters.iter().filter(|&&i| i < start).count());
    let infinite = match round {
        Some(from) if from < word.len() => Lasso::new(word[..from].to_vec(), word[from..].to_vec()),
        // The loop of the run has no letter, so its letter is the last one.
        _ => Lasso::stutter(&word),
    };
    let Some(infinite) = infinite else {
        return Ok(());
    };
    let holds = infinite.satisfies(&reading.arena, reading.root);
    let facts = infinite.reasons(&reading.arena, reading.root);
    let told: Vec<String> = facts
        .iter()
        .map(|fact| reading.sentence(fact, &letters, &result.run.trace, round))
        .collect();
    result.run.why = Some(reading.why(result, last, told));
    confirmed(record, property, result, last, holds)
}

/// Turns a run that violates the property without one of its parts into a witness of the property
/// that holds: the part matters in that run. Returns whether the letters confirm that the run
/// satisfies the formula.
pub fn witness(
    record: &Record,
    property: &PropertyRecord,
    run: &PropertyResult,
    part: &str,
    result: &mut PropertyResult,
) -> bool {
    let mut shown = PropertyResult::unknown(&property.name, &property.ltl, "");
    shown.run = ShownRun {
        trace: run.run.trace.clone(),
        schedule: run.run.schedule.clone(),
        threads: run.run.threads.clone(),
        contexts: run.run.contexts.clone(),
        ..ShownRun::default()
    };
    // The witness needs no verdict of its own: the letters give it.
    let told = explain(record, property, &mut shown);
    let last = shown.run.trace.iter().rev().find_map(|s| s.verdict);
    let satisfies = matches!(last, Some(Verdict::PRESUMABLY_TRUE | Verdict::TRUE));
    if told.is_err() || !satisfies {
        return false;
    }
    let why = format!("a witness: the run satisfies the formula, and `{part}` matters to it");
    result.run = ShownRun {
        why: Some(why),
        ..shown.run
    };
    true
}

/// Checks that the letters have the verdict that the backend found.
fn confirmed(
    record: &Record,
    property: &PropertyRecord,
    result: &PropertyResult,
    last: Option<B4>,
    holds: bool,
) -> Result<(), String> {
    if result.answer.evidence == Some(Evidence::Lasso) {
        return match holds {
            false => Ok(()),
            true => Err("the infinite run that the trace shows satisfies the formula".into()),
        };
    }
    let (Some(last), Some(verdict)) = (last, result.answer.verdict.value()) else {
        return Ok(());
    };
    // What repeats are not states but classes of them: the letters are a prefix of the infinite run.
    if result.answer.evidence == Some(Evidence::Recurrence) && last != B4::True {
        return Ok(());
    }
    let exact = property.monitor == "dfa";
    let weaker = match (verdict, last) {
        (B4::PresumablyFalse, B4::False) => !exact || record.discards,
        (B4::PresumablyTrue, B4::True) => !exact,
        _ => false,
    };
    match last == verdict || weaker {
        true => Ok(()),
        false => Err(format!(
            "the letters of the trace give {} ({}), not {}",
            last.symbol(),
            last.name(),
            result.answer.verdict.symbol()
        )),
    }
}

/// A property's formula, parsed again from the record.
struct Reading {
    arena: Arena,
    root: Id,
    constraints: Vec<Id>,
    atoms: Vec<(String, AtomId)>,
}

impl Reading {
    fn new(property: &PropertyRecord) -> Option<Reading> {
        let parsed = ltl::parse(&property.formula).ok()?;
        let (mut arena, root) = (parsed.arena, parsed.root);
        let constraints = property.constraints.iter().map(|text| {
            let parsed = ltl::parse_into(&mut arena, text, None).ok();
            parsed.map(|p| p.root)
        });
        let constraints = constraints.collect::<Option<Vec<Id>>>()?;
        let name = |atom: AtomId| match arena.atoms().get(atom.0 as usize)? {
            Atom::Name(name) => Some((name.clone(), atom)),
            Atom::Condition(condition) => Some((format!("{{{condition}}}"), atom)),
        };
        let atoms = arena.atoms_of(root).into_iter().filter_map(name).collect();
        Some(Reading {
            arena,
            root,
            constraints,
            atoms,
        })
    }

    /// Whether a step is a letter of the word. A step that saves the state is a letter only if it
    /// stands for the letter at that place.
    fn is_letter(&self, record: &Record, step: &TraceStep) -> bool {
        let every = record.every_event || record.sampled;
        step.event.is_letter() && !(every && step.event == crate::result::Event::Save)
    }

    fn letter(&self, step: &TraceStep) -> Letter {
        let holds = |name: &String| step.props.get(name) == Some(&true);
        let atoms = self.atoms.iter().filter(|(name, _)| holds(name));
        atoms.map(|(_, atom)| *atom).collect()
    }

    /// Computes the value of the word after each letter, and writes it into the trace's steps.
    /// `None` if the monitor is too large to build here.
    fn values(
        &mut self,
        word: &[Letter],
        letters: &[usize],
        trace: &mut [TraceStep],
    ) -> Option<B4> {
        let limits = Limits::default();
        let allowed = letters_of(&self.arena, &self.constraints, &limits).ok()?;
        // A word with impossible letters is evaluated without the constraints.
        if !word.iter().all(|letter| allowed.contains(letter)) {
            self.constraints.clear();
        }
        let monitors =
            Composite::for_formula(&self.arena, self.root, &self.constraints, &limits).ok()?;
        let values = monitors.verdicts_of_prefixes(word);
        for (&value, &index) in values.iter().zip(letters) {
            trace[index].verdict = Some(Verdict::Value(value));
        }
        values.last().copied()
    }

    fn text(&self, id: Id) -> String {
        format!(
            "`{}`",
            ltl::print_bounded(&self.arena, id, Style::Ascii, MOST_TEXT)
        )
    }

    /// The sentence for a fact about the word, with number and place of the step.
    fn sentence(
        &self,
        fact: &Fact,
        letters: &[usize],
        trace: &[TraceStep],
        round: Option<usize>,
    ) -> String {
        let step = letters.get(fact.position).and_then(|&i| trace.get(i));
        let number = step.map_or(0, |s| s.step);
        let place = match step {
            Some(s) if s.line > 0 => {
                let file = s.file.rsplit('/').next().unwrap_or(&s.file);
                format!(" ({file}:{})", s.line)
            }
            _ => String::new(),
        };
        let formula = self.text(fact.formula);
        let repeated = round.is_some_and(|from| fact.position >= from);
        let again = if repeated {
            ", in every round of the loop"
        } else {
            ""
        };
        match (fact.forever, fact.value) {
            (true, true) => format!("{formula} holds from step {number}{place} on, for ever"),
            (true, false) => format!("{formula} never holds from step {number}{place} on"),
            (false, true) => format!("{formula} holds in step {number}{place}{again}"),
            (false, false) => format!("{formula} does not hold in step {number}{place}{again}"),
        }
    }

    /// The reason for the whole verdict.
    fn why(&self, result: &PropertyResult, last: Option<B4>, told: Vec<String>) -> String {
        let lasso = result.answer.evidence == Some(Evidence::Lasso);
        let facts = told.join(", and ");
        let decided = || {
            let mut steps = result.run.trace.iter();
            let step = steps.find(|s| s.verdict == last.map(Verdict::Value))?;
            Some(step.step)
        };
        match (last, lasso) {
            (_, true) => format!("in the infinite run {facts}"),
            (Some(B4::False | B4::True), _) => match decided() {
                Some(step) => format!("decided in step {step}: {facts}"),
                None => facts,
            },
            (Some(B4::PresumablyFalse), _) => {
                format!("an obligation is open at the end: if the run stays as it is, {facts}")
            }
            (Some(B4::PresumablyTrue), _) => {
                format!("no obligation is open at the end: if the run stays as it is, {facts}")
            }
            (None, _) => facts,
        }
    }
}
