//! A recorded run that the real program should repeat, and its form in C.

use std::fmt::Write as _;
use std::time::Duration;

/// A recorded run, as far as it can be enforced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// For each letter, the thread (in the order of creation, `main` is 0) and the values of the
    /// property's propositions.
    pub letters: Vec<(u32, Vec<bool>)>,
    /// The thread and site of every event, including those that are not letters; empty if unknown.
    pub events: Vec<(u32, u32)>,
    /// The propositions of the property, as indices into those of the program.
    pub watched: Vec<usize>,
    /// Whether an event that changes none of them is a letter.
    pub every_event: bool,
    /// Whether the first letter is the initial one.
    pub first_letter: bool,
    /// Whether the recorded run was cut after its last letter.
    pub prefix: bool,
    /// For each input in order, the function that returns it, and the value.
    pub inputs: Vec<(String, i128)>,
    /// The number of arguments of `main`, including its own name, if the run determines it.
    pub main_arguments: Option<i128>,
    /// For each choice of the environment in order, the thread, site and value.
    pub choices: Vec<(u32, u32, i128)>,
    /// For an infinite run, the threads that take no step in its loop, and whether each stands at a
    /// place where it may wait.
    pub still: Vec<(u32, bool)>,
    /// For an infinite run, its loop.
    pub round: Option<Round>,
    /// The turns of the threads in order, if known.
    pub turns: Vec<Turn>,
    /// The text of the assertion that the run must violate, if its letters alone do not determine
    /// the run.
    pub wants: Option<String>,
    /// The time that each execution has, if it is not that of the job, which building takes, too.
    pub patience: Option<Duration>,
}

/// The steps of a thread between two switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The thread.
    pub thread: u32,
    /// The line where it stops; `None` if it ends or is cut.
    pub line: Option<u32>,
    /// The number of its events until it stops.
    pub events: u32,
    /// Whether it is cut at a bound: its steps after its events are unknown.
    pub cut: bool,
    /// Whether it belongs to the loop of an infinite run.
    pub repeats: bool,
    /// How often it may come to the line before.
    pub passes: u32,
}

/// The loop of an infinite run. A [`Replay`] has the letters and choices before the loop and of all
/// its iterations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The number of iterations.
    pub rounds: u32,
    /// The site of the save point where it begins and ends; `u32::MAX` if there is none, as for
    /// threads.
    pub site: u32,
    /// The number of letters before the loop.
    pub letters: u32,
    /// The number of choices before the loop.
    pub choices: u32,
}

/// The greatest number of arguments that are passed.
const MOST_ARGUMENTS: usize = 1000;

impl Replay {
    /// Whether the program must be built to read its inputs from the recorded run.
    pub(super) fn feeds(&self) -> bool {
        !self.choices.is_empty() || self.round.is_some()
    }

    /// The number of the process's arguments, without its own name. If `main` must get a number too
    /// large for a process, it is told that number, but finds fewer arguments.
    pub(super) fn arguments(&self) -> usize {
        let number = self.main_arguments.map_or(0, |n| n.saturating_sub(1));
        usize::try_from(number).unwrap_or(0).min(MOST_ARGUMENTS)
    }

    /// C declarations of the data that the scheduler follows.
    pub(super) fn declare(&self, own: &dyn Fn(&str) -> String, text: &mut String) {
        let letters = self.letters.iter().map(|(thread, values)| {
            let values: String = values.iter().map(|v| if *v { '1' } else { '0' }).collect();
            format!("{thread}, \"{values}\"")
        });
        text.push_str("struct scheduled { unsigned thread; const char *values; };\n");
        let heading = format!("const struct scheduled {}[]", own("schedule"));
        table(text, &heading, letters, "0, 0", &own("scheduled"));
        let choices = self.choices.iter().map(|(thread, site, value)| {
            let bits = *value as i64 as u64;
            format!("{thread}, {site}, (long long){bits}ull")
        });
        text.push_str("struct choice { unsigned thread, site; long long value; };\n");
        let heading = format!("const struct choice {}[]", own("choices"));
        table(text, &heading, choices, "0, 0, 0", &own("chosen"));
        let round = self.round.clone().unwrap_or_default();
        for (name, number) in [
            ("rounds", round.rounds),
            ("begins", round.site),
            ("letters_before", round.letters),
            ("choices_before", round.choices),
            ("stills", self.still.len() as u32),
            ("watches", self.watched.len() as u32),
        ] {
            let _ = writeln!(text, "const unsigned {} = {number};", own(name));
        }
        let still = self.still.iter().map(|(thread, _)| thread.to_string());
        numbers(text, &own("still"), still);
        let waits = self
            .still
            .iter()
            .map(|(_, waits)| u8::from(*waits).to_string());
        numbers(text, &own("still_waits"), waits);
        let events = self.events.iter();
        let events = events.map(|(thread, site)| format!("{thread}, {site}"));
        text.push_str("struct event { unsigned thread; long site; };\n");
        let heading = format!("const struct event {}[]", own("event"));
        table(text, &heading, events, "0, 0", &own("events"));
        self.declare_turns(own, text);
        let watched = self.watched.iter().map(usize::to_string);
        numbers(text, &own("watched"), watched);
        for (name, is) in [
            ("every_event", self.every_event),
            ("first_letter", self.first_letter),
            ("prefix", self.prefix),
        ] {
            let _ = writeln!(text, "const int {} = {};", own(name), u8::from(is));
        }
    }

    fn declare_turns(&self, own: &dyn Fn(&str) -> String, text: &mut String) {
        let turns = self.turns.iter().map(|turn| {
            let (cut, repeats) = (u8::from(turn.cut), u8::from(turn.repeats));
            let (thread, line, events) = (turn.thread, turn.line.unwrap_or(0), turn.events);
            format!(
                "{thread}, {line}, {events}, {cut}, {repeats}, {}",
                turn.passes
            )
        });
        text.push_str(
            "struct turn { unsigned thread, line, events; int cut, repeats; unsigned passes; };\n",
        );
        let heading = format!("const struct turn {}[]", own("turn"));
        table(text, &heading, turns, "0, 0, 0, 0, 0, 0", &own("turns"));
    }
}

/// Writes a table in C and its number of rows. C has no empty arrays, so a final row follows.
fn table(
    text: &mut String,
    heading: &str,
    rows: impl ExactSizeIterator<Item = String>,
    last: &str,
    number: &str,
) {
    let count = rows.len();
    let _ = writeln!(text, "{heading} = {{");
    for row in rows {
        let _ = writeln!(text, "  {{ {row} }},");
    }
    let _ = writeln!(
        text,
        "  {{ {last} }}\n}};\nconst unsigned {number} = {count};"
    );
}

/// Writes an array of numbers with a final 0.
fn numbers(text: &mut String, name: &str, numbers: impl Iterator<Item = String>) {
    let numbers: Vec<String> = numbers.chain(["0".to_owned()]).collect();
    let _ = writeln!(
        text,
        "const unsigned {name}[] = {{ {} }};",
        numbers.join(", ")
    );
}
