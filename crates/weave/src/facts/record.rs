//! The record of an instrumentation: all that `verify` needs to know about a woven program. It is a comment
//! with JSON at the end of the C file, so that the file alone is enough.

use std::collections::BTreeMap;

use cfront::data_model::DataModel;
use serde::{Deserialize, Serialize};

/// Whether a data model is the usual one, which a record does not name.
fn is_usual(model: &DataModel) -> bool {
    *model == DataModel::default()
}

/// The text with which the record's comment begins.
const MARK: &str = "/* baproduct-plan ";

/// The level of an assertion that fails where the prefix of a cut run is ⊥ although the run may be discarded
/// later; such a prefix counts as ⊥ᵖ (docs/semantics.md, "Discarded runs").
pub const PREFIX_FALSE: &str = "prefix_false";

/// The level of an assertion that fails where the word of a run that ends is ⊥ᵖ: that run violates the formula,
/// whereas a cut run with ⊥ᵖ may not (docs/semantics.md, "Whether the formula holds").
pub const ENDED_FALSE: &str = "ended_false";

/// The value of [`PropertyRecord::monitor`] for a label whose reachability is asked for.
pub const REACH: &str = "reach";

/// All that is needed to run a backend on a woven program and to read its answer. The room `emit` makes it,
/// once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the tool that wove the program.
    pub version: String,
    /// The bound of loops and recursions where the command line gives none.
    pub unwind: u32,
    /// Whether the program starts threads.
    pub threads: bool,
    /// Whether each event appends a letter, even one that equals the last.
    pub every_event: bool,
    /// Whether letters are taken at sample labels only.
    pub sampled: bool,
    /// Whether the specification discards runs: ⊥ of a cut run then has an assertion of its own,
    /// [`PREFIX_FALSE`].
    pub discards: bool,
    /// The properties, in the specification's order.
    pub properties: Vec<PropertyRecord>,
    /// The propositions, in the order of their variables.
    pub propositions: Vec<PropositionRecord>,
    /// Values that some run has to show, so that every part of a formula has an effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<CoverRecord>,
    /// The sites of events; a site's number is its index.
    pub sites: Vec<SiteRecord>,
    /// The assumptions under which a verdict holds, a sentence each.
    pub assumptions: Vec<String>,
    /// Constructs that verdicts may rest on besides the text; empty unless asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<Vec<RestRecord>>,
    /// Where pointers that several threads see are written while threads run, and what: CBMC cannot
    /// follow these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_pointers: Vec<String>,
    /// Places of the program's own uninterrupted sections, which do not nest with the monitor's steps: only a
    /// sequentialised program may have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<String>,
    /// The C dialect, if it is not gnu11.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The data model of the program.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub model: DataModel,
    /// The most elements of an array in a union, where there are more than CBMC follows without being told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub union_elements: Option<u64>,
    /// Objects that the program uses and no file defines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// Functions of the program that are called and have the names of some of the library which compilers compute themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaceable: Vec<String>,
    /// Functions of the library that may store through their pointers: if a run calls one that the backend has
    /// no body for, nothing is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<String>,
    /// Functions of the library whose values model checkers do not compute: a violation that they show stands if an execution
    /// shows it, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub estimated: Vec<String>,
    /// Functions of the library that compute their results, where a model checker may not know them: with those that it does not
    /// know it is the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computing: Vec<String>,
    /// Where the program jumps out of functions, and how: model checkers do not follow such jumps.
    #[serde(alias = "far_jumps", default, skip_serializing_if = "Vec::is_empty")]
    pub nonlocal_jumps: Vec<String>,
    /// The program's own thread-local objects, with their places: some versions of ESBMC have no copy for each
    /// thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thread_locals: Vec<String>,
    /// Where the program handles or sends signals or starts processes, which model checkers do not follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<String>,
    /// Effects that are not visible in the text and that model checkers do not follow: functions that
    /// attributes call, process ends called through pointers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// Functions that look like interrupt handlers and that the program does not call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncalled_handlers: Vec<HandlerRecord>,
    /// Volatile objects that the program reads and never writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<VolatileRecord>,
    /// The callers of a program without a `main` of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryRecord>,
    /// The objects that threads may wait for, by the code that a thread leaves when it waits for good.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<WaitRecord>,
    /// Macros that bound single loops or functions, beside `BA_UNWIND`.
    pub bounds: Vec<BoundRecord>,
    /// The sites of loops that count to a small constant, and how often they run at most.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counted: BTreeMap<usize, u32>,
    /// The state that is saved and compared, if infinite runs are searched.
    pub lasso: Option<LassoRecord>,
    /// The infix of all emitted names, after `ba_` and `BA_`; not empty if the program has such names, too.
    #[serde(default)]
    pub infix: String,
}

/// The callers of a program without a `main` of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryRecord {
    /// The functions that they call, or one expression of calls, as they are named.
    pub calls: Vec<String>,
    /// The arguments of each function, in the order in which the calls name them first.
    pub arguments: Vec<Vec<cfront::entries::Argument>>,
}

/// A function that looks like an interrupt handler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandlerRecord {
    /// Its file.
    pub file: String,
    /// The line of its name, from 1.
    pub line: u32,
    /// Its name.
    pub function: String,
    /// What makes it look like a handler, in words.
    pub sign: String,
}

/// A volatile object that the program reads and never writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolatileRecord {
    /// Its name as specifications have it: `name`, or `function::name` of a local.
    pub object: String,
    /// The file of its first read.
    pub file: String,
    /// The line of that read, from 1.
    pub line: u32,
}

/// Something that threads may wait for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitRecord {
    /// The code of a wait for it.
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
    /// What a finite run can tell about the formula, by its class; for the report.
    pub explanation: String,
    /// The JSON name of the verdict that the user expects.
    pub expect: Option<String>,
    /// `dfa`, `subset` or `buchi`; [`REACH`] for a label to be reached.
    pub monitor: String,
    /// Whether [`ENDED_FALSE`] is asserted.
    #[serde(default)]
    pub ends_apart: bool,
    /// The C variable with the monitor's state; empty if `parts` has several.
    pub state: String,
    /// The variables that make up the state where no single one does, least significant first, as the digits of
    /// a number with mixed bases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<StateRecord>,
    /// Whether a lasso can violate it, and is asked for.
    pub lasso: bool,
    /// The formula as the tool prints it, which does not depend on the declared propositions; empty for a label
    /// to be reached.
    #[serde(default)]
    pub formula: String,
    /// Propositional formulas that every letter satisfies, declared or inferred, as the tool prints them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
}

/// A value that a propositional part of a formula should have in some run. The assertion `baproduct:cover:N`,
/// where N is the record's index, fails in such a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverRecord {
    /// The part, as the tool prints it.
    pub formula: String,
    /// The value.
    pub value: bool,
    /// The indices of the properties whose formulas contain the part.
    pub properties: Vec<usize>,
}

/// One of several C variables of a monitor's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateRecord {
    /// Its name.
    pub variable: String,
    /// The number of its values, which are 0 to `count - 1`.
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
    /// The indices of the properties whose formulas use it.
    pub used_by: Vec<usize>,
    /// The number of its area, if some run should enter it: the assertion `baproduct:area:N` fails in such a
    /// run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<usize>,
    /// The exit label of that area, if some run should reach it from inside: the assertion `baproduct:exit:N`
    /// fails in such a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The value that it has in every letter because of its C types, as `u >= 0` for an unsigned `u`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<bool>,
    /// Who writes what it reads, if `main` never does: perhaps it has one value alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwritten: Option<UnwrittenRecord>,
    /// The objects that it reads and whose values a trace can show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<ReadRecord>,
    /// The other objects that it reads: a trace may confuse them with objects of the same name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unshown: Vec<ReadRecord>,
}

/// What is known of the writes to the memory of a proposition that `main` never writes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnwrittenRecord {
    /// The objects that it reads.
    pub objects: Vec<String>,
    /// The functions that write some of it and that no thread runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle: Vec<String>,
    /// The start functions of the threads that may write some of it, each with its number: the assertion
    /// `baproduct:starts:N` fails in a run that starts such a thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routines: Vec<(usize, String)>,
}

/// An object whose value a trace shows beside a proposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRecord {
    /// The name that a report shows: `x`, or `f::x` for a local of `f`.
    pub name: String,
    /// Its name in the program.
    pub object: String,
    /// The function that it is a local or a parameter of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The parts that are read, as the C text after the name; empty if the whole object is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
}

/// What happens at a site. For a new kind, `verify/src/trace.rs` has to say what it means in a trace.
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
    /// A contract gives the result of a function of the library, in a program for proofs.
    Contract,
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
            SiteEvent::Contract => "contract",
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
    /// For a write where only the run decides whether it changes what a proposition reads: the reason.
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
    /// Objects of static storage that the program changes and that influence nothing relevant.
    pub ignored: Vec<String>,
}

/// A construct that a verdict may rest on besides the program's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestRecord {
    /// The kind of construct.
    pub kind: RestKind,
    /// The function's name, or the expression; empty for pointers.
    pub what: String,
    /// Its places, as `file:line`.
    pub places: Vec<String>,
    /// Whether it can influence a proposition or where a run goes.
    pub matters: bool,
}

/// The kinds of constructs that verdicts may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestKind {
    /// A function that is called and has no body in the program.
    Outside,
    /// Such a function that allocates memory: the model assumes that it never fails.
    Allocation,
    /// Pointers that become narrower integers.
    Narrow,
    /// Operands whose order of evaluation C leaves open, and whose order matters.
    Order,
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
    /// Its value, if it differs from that of the macro that it defaults to.
    pub value: Option<u32>,
    /// File and line of the loop or function.
    pub place: String,
}

impl PropertyRecord {
    /// Whether no word has a value below ⊤, so that every run satisfies the formula.
    pub fn is_valid(&self) -> bool {
        self.levels.is_empty()
    }
}

impl Record {
    /// Whether every run satisfies all formulas, whatever the program does.
    pub fn is_valid(&self) -> bool {
        self.properties.iter().all(PropertyRecord::is_valid)
    }

    /// The record as one line that is safe in a C comment: it contains neither `*/` nor `/*` nor a trigraph.
    pub fn to_comment_text(&self) -> String {
        serde_json::to_string(self)
            .unwrap_or_default()
            .replace('/', "\\/")
            .replace("\\/*", "\\/\\u002a")
            .replace("??", "?\\u003f")
    }

    /// The record of a woven program; `None` if the text has none, an error if the record is damaged.
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
            rests_on: None,
            bounds: Vec::new(),
            counted: BTreeMap::new(),
            shared_pointers: Vec::new(),
            sections: Vec::new(),
            opaque: Vec::new(),
            estimated: Vec::new(),
            computing: Vec::new(),
            dialect: None,
            model: DataModel::default(),
            union_elements: None,
            outside: Vec::new(),
            replaceable: Vec::new(),
            nonlocal_jumps: Vec::new(),
            thread_locals: Vec::new(),
            signals: Vec::new(),
            hidden: Vec::new(),
            uncalled_handlers: Vec::new(),
            unwritten: Vec::new(),
            entry: None,
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
