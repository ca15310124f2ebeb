//! The record of an instrumentation: what `verify` has to know about a program that was woven,
//! written as JSON into a comment at its end, so that the C file alone is enough.

use serde::{Deserialize, Serialize};

/// The comment that carries the record begins with this.
const MARK: &str = "/* baproduct-plan ";

/// The level of an assertion that fails where the word of a cut run is ⊥ although the run may be
/// discarded later on; the word counts as ⊥ᵖ then (docs/semantics.md, "Discarded runs").
pub const PREFIX_FALSE: &str = "prefix_false";

/// The level of an assertion that fails where the word of a run that ends is ⊥ᵖ: that run violates the
/// formula, as one that is cut may not (docs/semantics.md, "Whether the formula holds").
pub const ENDED_FALSE: &str = "ended_false";

/// What [`PropertyRecord::monitor`] is for a label whose reachability is asked for.
pub const REACH: &str = "reach";

/// Everything that is needed to run a backend on a woven program and to read its answer. The room `emit` makes it, once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the tool that wove.
    pub version: String,
    /// The bound of loops and recursions where the command line gives none.
    pub unwind: u32,
    /// Whether the program starts threads.
    pub threads: bool,
    /// Whether each event is a letter, changed or not.
    pub every_event: bool,
    /// Whether letters are taken at sample labels only.
    pub sampled: bool,
    /// Whether the specification discards runs: ⊥ of a cut run is then asserted apart, with the
    /// text of [`PREFIX_FALSE`].
    pub discards: bool,
    /// The properties, in the specification's order.
    pub properties: Vec<PropertyRecord>,
    /// The propositions, in the order of their variables.
    pub propositions: Vec<PropositionRecord>,
    /// What some run has to show, so that no part of a formula is without effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<CoverRecord>,
    /// The sites of events; a site's number is its index.
    pub sites: Vec<SiteRecord>,
    /// Under which assumptions a verdict holds, a sentence each.
    pub assumptions: Vec<String>,
    /// Where pointers that several threads see are written while threads run, and what: CBMC cannot
    /// follow these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_pointers: Vec<String>,
    /// Places of the program's own sections that no other thread interrupts, which do not nest with
    /// the monitor's steps: only sequentialised programs may have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// The C dialect, where it is another than gnu11.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// Objects that the program uses and no file defines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// Functions of the library that may store through their pointers: if the backend has no body for
    /// one that a run calls, nothing is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<String>,
    /// Where the program jumps out of functions, and how: model checkers do not.
    #[serde(alias = "far_jumps", default, skip_serializing_if = "Vec::is_empty")]
    pub nonlocal_jumps: Vec<String>,
    /// The program's own thread-local objects, with their places: not all versions of ESBMC have a
    /// copy for each thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thread_locals: Vec<String>,
    /// Where the program does what model checkers do not: handles or sends signals, starts processes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<String>,
    /// What happens where the text does not show it and model checkers do not follow: functions that
    /// attributes call, ends through pointers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// What threads may wait for, by the codes that a thread that waits for good leaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitRecord>,
    /// Macros that bound single loops or functions, beside `BA_UNWIND`.
    pub bounds: Vec<BoundRecord>,
    /// What is saved and compared, if infinite runs are searched.
    pub lasso: Option<LassoRecord>,
    /// What stands behind `ba_` and `BA_` in all emitted names, because the program has such names too.
    #[serde(default)]
    pub infix: String,
}

/// Something that threads may wait for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitRecord {
    /// The code of waiting for it.
    pub code: u32,
    /// Its name: a lock's, such as `accounts[1].lock`, or a thread's.
    pub name: String,
}

/// One property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertyRecord {
    /// Its name, which stands in the texts of its assertions.
    pub name: String,
    /// The formula as the user wrote it.
    pub ltl: String,
    /// The JSON names of the verdicts below ⊤ that are asserted, lowest first.
    pub levels: Vec<String>,
    /// What the formula's class lets a finite run say, for the report.
    pub explanation: String,
    /// The JSON name of the verdict that the user expects.
    pub expect: Option<String>,
    /// `dfa`, `subset` or `buchi`; [`REACH`] for a label to be reached.
    pub monitor: String,
    /// Whether [`ENDED_FALSE`] is asserted.
    #[serde(default)]
    pub ends_apart: bool,
    /// The C variable with the monitor's state.
    pub state: String,
    /// The variables whose values make it up, least significant first, where there is no such
    /// variable: each counts as often as those before have values together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<StateRecord>,
    /// Whether a lasso can violate it, and is asked for.
    pub lasso: bool,
    /// The formula as the tool prints it, which reads the same whatever propositions are declared;
    /// empty for a label to be reached.
    #[serde(default)]
    pub formula: String,
    /// Propositional formulas that every letter satisfies, declared or inferred, printed likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
}

/// A value that a propositional part of a formula should have in some run. The assertion
/// `baproduct:cover:N`, where N is its index, fails if one has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverRecord {
    /// The part, as the tool prints it.
    pub formula: String,
    /// The value.
    pub value: bool,
    /// The properties that it matters to, by index.
    pub properties: Vec<usize>,
}

/// One of several C variables of a monitor's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRecord {
    /// Its name.
    pub variable: String,
    /// Its values are less.
    pub count: u64,
}

/// One proposition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropositionRecord {
    /// Its name in the specification.
    pub name: String,
    /// The C variable with its value.
    pub variable: String,
    /// Its value before the first event.
    pub initial: bool,
    /// What it means: its evaluation, area and default.
    pub meaning: String,
    /// The properties whose formulas use it, by index.
    pub used_by: Vec<usize>,
    /// The number of its area, if some run should enter it: the assertion `baproduct:area:N` fails if one
    /// does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<usize>,
    /// The exit label of that area, if some run that is in it should come there: the assertion
    /// `baproduct:exit:N` fails if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The value that it has in every letter whatever the program does, because of C's types: `u >= 0` of an
    /// unsigned number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<bool>,
    /// The objects that it reads and whose values a trace can show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<ReadRecord>,
}

/// An object whose value a trace shows beside a proposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRecord {
    /// What a reader knows it by: `x`, or `f::x` for a local of `f`.
    pub name: String,
    /// Its name in the program.
    pub object: String,
    /// The function that it is a local or a parameter of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The parts that are read, as the C text behind the name; all of it if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

/// What happens at a site. A new kind is added here; what reads the record has to say what it means in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteEvent {
    /// `main` begins: letter 0.
    Start,
    /// Something that a proposition reads is written.
    Write,
    /// An area is entered.
    Enter,
    /// An area is left.
    Leave,
    /// A sample label.
    Sample,
    /// The state may be saved: a lasso may begin.
    Save,
    /// The saved state may have come back.
    Repeat,
    /// A label whose reachability is asked for.
    Reach,
    /// The environment gives a value.
    Input,
    /// The environment gives `main` the number of its arguments.
    Arguments,
    /// The run is discarded.
    Prune,
    /// The run is discarded unless a condition holds.
    Assume,
    /// A thread may wait.
    Wait,
    /// An assertion of the program fails.
    Fail,
    /// A thread is cut at a bound.
    Cut,
}

impl SiteEvent {
    /// Its name in the record.
    pub fn name(self) -> &'static str {
        match self {
            SiteEvent::Start => "start",
            SiteEvent::Write => "write",
            SiteEvent::Enter => "enter",
            SiteEvent::Leave => "leave",
            SiteEvent::Sample => "sample",
            SiteEvent::Save => "save",
            SiteEvent::Repeat => "repeat",
            SiteEvent::Reach => "reach",
            SiteEvent::Input => "input",
            SiteEvent::Arguments => "arguments",
            SiteEvent::Prune => "prune",
            SiteEvent::Assume => "assume",
            SiteEvent::Wait => "wait",
            SiteEvent::Fail => "fail",
            SiteEvent::Cut => "cut",
        }
    }
}

/// A place of the user's program where something observable happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteRecord {
    /// File as in the line markers.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Function.
    pub function: String,
    /// What happens there.
    pub event: SiteEvent,
    /// The source text, on one line.
    pub what: String,
    /// For a write of which only the run decides whether it touches what a proposition reads: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
}

/// The search for infinite runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LassoRecord {
    /// The sites of the save points, each with the locals that are compared there.
    pub points: Vec<(usize, Vec<String>)>,
    /// The objects of static storage that are compared, or the declared state.
    pub state: Vec<String>,
    /// Whether the specification declares the state.
    pub declared: bool,
    /// Objects of static storage that the program changes, and that influence nothing that counts.
    pub ignored: Vec<String>,
}

/// A macro for the bound of one loop or function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundRecord {
    /// The macro's name.
    pub name: String,
    /// The function it belongs to.
    pub function: String,
    /// The label at the loop's head, if it has one.
    pub label: Option<String>,
    /// Its value, if it is not that of the macro it stands under.
    pub value: Option<u32>,
    /// File and line of the loop or function.
    pub place: String,
}

impl Record {
    /// The record as one line that can stand in a C comment (neither `*/` nor `/*` can occur in it).
    pub fn to_comment_text(&self) -> String {
        serde_json::to_string(self)
            .unwrap_or_default()
            .replace('/', "\\/")
            .replace("\\/*", "\\/\\u002a")
            .replace("??", "?\\u003f")
    }

    /// The record of a woven program, `None` if the text is not one, and an error if it is damaged.
    pub fn from_program(text: &str) -> Option<Result<Record, serde_json::Error>> {
        let start = text.rfind(MARK)? + MARK.len();
        let rest = &text[start..];
        let end = rest.find(" */")?;
        Some(serde_json::from_str(&rest[..end]))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_record_survives_its_comment() {
        let record = Record {
            version: "1".into(),
            unwind: 3,
            threads: false,
            every_event: false,
            sampled: false,
            discards: false,
            properties: Vec::new(),
            propositions: Vec::new(),
            covers: Vec::new(),
            sites: vec![SiteRecord {
                file: "dir/a.c".into(),
                line: 2,
                function: "main".into(),
                event: SiteEvent::Write,
                what: "x = a */ b; \"??/\"".into(),
                decided: None,
            }],
            assumptions: Vec::new(),
            bounds: Vec::new(),
            shared_pointers: Vec::new(),
            sections: Vec::new(),
            opaque: Vec::new(),
            dialect: None,
            outside: Vec::new(),
            nonlocal_jumps: Vec::new(),
            thread_locals: Vec::new(),
            signals: Vec::new(),
            hidden: Vec::new(),
            waits: Vec::new(),
            lasso: None,
            infix: String::new(),
        };
        let text = record.to_comment_text();
        assert!(!text.contains("*/") && !text.contains("??"), "{text}");
        let program = format!("int x;\n/* baproduct-plan {text} */\n");
        assert_eq!(Record::from_program(&program).unwrap().unwrap(), record);
        assert!(Record::from_program("int x;").is_none());
        assert!(Record::from_program("/* baproduct-plan {\"version\" */")
            .unwrap()
            .is_err());
    }
}
