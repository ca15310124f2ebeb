//! Decides formulas by visiting all states of a program (docs/semantics.md, "Whether the formula
//! holds"). The crate `explicit` describes the method.
//!
//! The states are visited once for all formulas; each formula is then decided on the graph.

mod compiled;
mod part;
mod reports;
mod runs;
mod violations;
mod walk;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use backend::explore::Exploration;
use backend::{Cancel, Usage};
use cfront::library::Contract;
use cfront::preprocess::{preprocess, MacroOption};
use cfront::{Diagnostic, Source, Unit};
use explicit::classes::{self, Choices, Form};
use explicit::graph::{Doubts, Graph, Partial};
use explicit::product::Violation;
use explicit::text;
use ltl::lasso::{Lasso, Letter};
use weave::assertion::Asserted;
use weave::heads::{Heads, CONTRACTS, DRIVER};
use weave::record::{CoverRecord, Record, SiteEvent, SiteRecord};

use crate::prove::Limits;
use crate::result::{Evidence, PropertyResult, Vacuous, Visited};
use crate::vacuity;
pub use compiled::Share;
use compiled::{compiled, visited};
pub use part::{part, Part};
use reports::Asides;
pub use reports::{Hold, Report, Reports, Standing};
use violations::{claim, position, Runs};

/// The input: a program that was woven for a proof, with all its formulas.
#[derive(Clone, Debug)]
pub struct Task {
    /// The woven text.
    pub text: String,
    /// Its record.
    pub record: Record,
    /// Its heads.
    pub heads: Heads,
    /// The record of the same program woven for lassos; reported runs use its sites.
    pub lasso: Record,
    /// A directory for temporary files.
    pub directory: PathBuf,
    /// The C compiler.
    pub compiler: PathBuf,
    /// The greatest number of states.
    pub states: u64,
    /// The turns of threads, if the program is the step form of one with threads.
    pub turns: Turns,
}

/// What is known of the turns of threads in a program in step form.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// Which runs count.
    pub fairness: Fairness,
    /// What threads report along the runs that are shown.
    pub reports: Reports,
}

/// The infinite runs that count, where not all do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fairness {
    /// Whatever of the first holds infinitely often (`None`: it always does), the second does so, too: propositions as
    /// formulas name them.
    pub demands: Vec<(Option<String>, String)>,
    /// The names of properties that stand beside others: that these have answers is enough. They are about all runs.
    pub beside: Vec<String>,
    /// Whether the program discards no run, even if its text has assumptions: they hold wherever they stand.
    pub goes_on: bool,
    /// The name of the property that is no question, but names the propositions of the demands.
    pub names: Option<String>,
}

impl Fairness {
    /// Whether the property of this name only names the propositions of the demands.
    pub fn is_named_by(&self, name: &str) -> bool {
        self.names.as_deref() == Some(name)
    }

    fn is_beside(&self, name: &str) -> bool {
        self.is_named_by(name) || self.beside.iter().any(|n| n == name)
    }

    /// A formula that is violated only by runs that count.
    fn premised(&self, formula: &str) -> String {
        let demand = |(often, then): &(Option<String>, String)| match often {
            Some(often) => format!("(G F {often} -> G F {then})"),
            None => format!("(G F {then})"),
        };
        let demands: Vec<String> = self.demands.iter().map(demand).collect();
        match demands.is_empty() {
            true => formula.to_owned(),
            false => format!("({}) -> ({formula})", demands.join(" && ")),
        }
    }
}

/// The parts of the work of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The program is analysed.
    Choosing,
    /// It is compiled.
    Compiling,
    /// It visits states: which ones.
    Visiting(&'static str),
}

impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Work::Choosing => {
                f.write_str("finding the values of inputs that the program can tell apart")
            }
            Work::Compiling => f.write_str("compiling the program"),
            Work::Visiting(which) => write!(f, "visiting {which}"),
        }
    }
}

/// The default memory limit for states, in MiB.
pub const MEMORY_MIB: u64 = 4096;

/// Why a violation is not shown by a run in which values of inputs are told apart by their order.
const BY_ORDER: &str = "a run that violates the formula needs values of inputs in some order, and there may be no such values";

/// A program whose states were visited.
#[derive(Debug)]
pub struct Explored {
    exploration: Exploration,
    record: Record,
    lasso: Record,
    graph: Graph,
    /// The valuations that letters of maximal runs have.
    letters: BTreeSet<u32>,
    choices: Choices,
    runs: Runs,
    turns: Turns,
    /// Whether the graph has classes of states.
    quotient: bool,
    /// The proposition that reads the clock of the formulas.
    clock: Option<usize>,
    /// When the time is over.
    until: Option<Instant>,
    /// Sizes of the visited graph.
    pub size: Visited,
    /// Wall-clock seconds of the compiler and the search.
    pub seconds: f64,
}

/// The answer for a formula.
#[derive(Clone, Debug)]
pub enum Decision {
    /// No maximal run violates the formula.
    Holds,
    /// A run violates it.
    Violated(Box<PropertyResult>),
    /// The answer is open, for this reason.
    Open(String),
}

/// Why not all states were visited where the time was over.
const NO_TIME: &str = "the time was over before all states were visited";

/// Visits the states. The error says in words why it cannot.
pub fn explore(
    task: &Task,
    share: Share,
    limits: &Limits,
    cancel: &Cancel,
    told: &dyn Fn(Work),
) -> Result<Explored, String> {
    in_time((limits, cancel))?;
    let program = program(task)?;
    let visited = |marks, buries| {
        let form = Form { marks, some: None };
        told(Work::Choosing);
        let chosen = chosen(task, &program, form, (limits, cancel))?;
        in_time((limits, cancel))?;
        visited(task, chosen, (buries, share), (limits, cancel), told)
    };
    match visited(true, true)? {
        // Some run may read a local that has no value: its values have to be told apart.
        of if of.graph.partial == Some(Partial::Undefined) => visited(false, true),
        // It ended before it came to a read that shows which elements are not buried.
        of if of.graph.partial == Some(Partial::Enough) && of.is_mistaken() => visited(true, false),
        of => Ok(of),
    }
}

/// Refuses to go on where the time is over: each part of the preparation takes seconds for a program of thousands of lines.
fn in_time((limits, cancel): (&Limits, &Cancel)) -> Result<(), String> {
    match limits.over(cancel) {
        true => Err(NO_TIME.into()),
        false => Ok(()),
    }
}

/// The text that is compiled, before its inputs are analysed.
fn program(task: &Task) -> Result<String, String> {
    text::followed(&task.heads)?;
    can_be_visited(&task.record)?;
    let propositions = task.record.propositions.iter();
    let variables: Vec<String> = propositions.map(|p| p.variable.clone()).collect();
    let sampled = task.record.sampled;
    Ok(text::program(&task.text, &task.heads, &variables, sampled) + text::verdict(true))
}

/// The values of inputs, and whether contracts stand for functions of the library. They do so only where the values cannot be
/// found, or the program calls a function whose results the search does not know otherwise.
fn chosen(
    task: &Task,
    program: &str,
    form: Form,
    time: (&Limits, &Cancel),
) -> Result<(Choices, bool), String> {
    let own = &task.heads.own;
    let copies = |name: &&String| {
        let row = cfront::library::function(name);
        row.is_some_and(|row| {
            matches!(
                row.contract,
                Some(Contract::Copy { .. } | Contract::Print(_))
            )
        })
    };
    // Strings are copied as they are.
    let contracts: BTreeSet<String> = own
        .contracts
        .iter()
        .filter(|name| !copies(name))
        .cloned()
        .collect();
    let needed = contracts
        .difference(&own.computed)
        .any(|name| !cfront::library::is_pure(name))
        // What is in the arguments of the command line is not known.
        || program.contains("sequential_arguments")
        || reads_arguments(program) && !contracts.is_empty();
    let of = |by_contract: bool| {
        in_time(time)?;
        let unit = parsed(task, program, by_contract)?;
        in_time(time)?;
        choices(task, &unit, form)
    };
    if needed {
        return Ok((of(true)?, true));
    }
    match of(false) {
        // Strings that are compared byte by byte are many more states than results of the comparison.
        Ok(choices) if !choices.unread.is_empty() && !contracts.is_empty() => {
            let by_contract = of(true).map(|by_contract| (by_contract, true));
            Ok(by_contract.unwrap_or((choices, false)))
        }
        Ok(choices) => Ok((choices, false)),
        Err(why) if contracts.is_empty() => Err(why),
        Err(why) => Ok((of(true).map_err(|_| why)?, true)),
    }
}

/// Whether the compiled program reads arguments of its command line.
fn reads_arguments(program: &str) -> bool {
    program.contains("ba_arguments_at")
}

/// The sites at which a program reads lines of text.
fn lines_read(task: &Task) -> BTreeSet<u32> {
    sites(&task.record, |site| {
        site.event == SiteEvent::Input && site.what.starts_with("fgets")
    })
}

/// The sites at which `scanf` and relatives read words, whose bytes are any.
fn words_read(task: &Task) -> BTreeSet<u32> {
    sites(&task.record, |site| {
        let name = site.what.split('(').next().unwrap_or_default();
        site.event == SiteEvent::Contract && name.trim_end().ends_with("scanf")
    })
}

/// The sites at which the program uses how many characters a function has printed, whose format is not a text as it is.
fn printed(record: &Record) -> BTreeSet<u32> {
    sites(record, |site| {
        let Some((name, rest)) = site.what.split_once('(') else {
            return false;
        };
        let format = match name.trim_end() {
            "printf" => rest,
            "fprintf" => rest.split_once(',').map_or("", |(_, format)| format),
            _ => "",
        };
        let is_text = format.trim_start().starts_with('"') && !site.what.contains('%');
        let counts = record.estimated.iter().any(|own| own == name.trim_end());
        site.event == SiteEvent::Input && name.trim_end().ends_with("printf") && counts && !is_text
    })
}

/// The numbers of these sites.
fn sites(record: &Record, wanted: impl Fn(&SiteRecord) -> bool) -> BTreeSet<u32> {
    let all = (0u32..).zip(&record.sites);
    all.filter(|(_, site)| wanted(site))
        .map(|(number, _)| number)
        .collect()
}

/// Whether a program reads lines of text, or arguments of the command line.
fn reads_texts(task: &Task) -> bool {
    reads_arguments(&task.text) || !lines_read(task).is_empty()
}

/// The sites at which contracts give results.
fn contracts(record: &Record) -> BTreeSet<u32> {
    sites(record, |site| site.event == SiteEvent::Contract)
}

/// Checks that the search can visit the states of the program.
fn can_be_visited(record: &Record) -> Result<(), String> {
    if !record.infix.is_empty() {
        return Err("the program has names that begin with `ba_`".into());
    }
    if record.model.big_endian != cfg!(target_endian = "big") {
        return Err("the program is for a machine with another order of bytes".into());
    }
    if record.properties.iter().any(|p| p.monitor == "buchi") {
        return Err("a formula's monitor guesses".into());
    }
    if let Some(what) = record.thread_locals.first() {
        return Err(format!("the program has thread-local objects: {what}"));
    }
    // Where only that it is zero, or not, matters, nothing is estimated.
    let mut estimated = record.estimated.iter();
    if let Some(name) = estimated.find(|name| weave::tells_class(name)) {
        return Err(format!(
            "what `{name}` gives is any number but zero, or zero, and more than that is asked of it"
        ));
    }
    match record.outside.first() {
        Some(what) => Err(format!("the object `{what}` is defined in no file")),
        None => Ok(()),
    }
}

/// The text as this machine's compiler reads it: of a program for another machine, one that computes the same here.
fn for_this_machine<'t>(record: &Record, text: &'t str) -> Result<Cow<'t, str>, String> {
    if crate::job::machine(&record.model).not_native().is_none() {
        let changed = cfront::without_privileged(text);
        return Ok(changed.map_or(Cow::Borrowed(text), Cow::Owned));
    }
    let source = Source::from_bytes(text.as_bytes().to_vec());
    let unit = Unit::parse(source).map_err(again)?;
    let lowered = cfront::host::lowered(&unit).map_err(|diagnostic| {
        let (file, line) = unit.source.lines.line(diagnostic.span.start);
        let what = diagnostic.message;
        format!("{file}:{line}: the program is for another machine than this one: {what}")
    })?;
    let text = String::from_utf8_lossy(&lowered).into_owned();
    Ok(Cow::Owned(
        cfront::without_privileged(&text).unwrap_or(text),
    ))
}

/// The values of each input that the program can tell apart.
fn choices(task: &Task, unit: &Unit, form: Form) -> Result<Choices, String> {
    classes::resolve(unit, &task.heads, form).map_err(|obstacle| {
        let (file, line) = unit.source.lines.line(obstacle.at);
        format!("{file}:{line}: {}", obstacle.message)
    })
}

fn parsed(task: &Task, program: &str, by_contract: bool) -> Result<Unit, String> {
    let path = task.directory.join("explicit.c");
    std::fs::write(&path, program).map_err(|e| e.to_string())?;
    let define = |text: &str| MacroOption::Define(text.to_string());
    let check = weave::check::END | weave::check::INTERNAL | weave::check::FALSE;
    let options = cfront::preprocess::Options {
        command: Some(task.compiler.display().to_string()),
        std: task.record.dialect.clone(),
        macros: [define(DRIVER), define(&format!("BA_CHECK={check}"))]
            .into_iter()
            .chain(by_contract.then(|| define(CONTRACTS)))
            .chain(task.record.model.macro_options())
            .collect(),
        ..cfront::preprocess::Options::default()
    };
    let text = preprocess(&path, &options).map_err(|e| e.to_string())?;
    Unit::parse(text.source).map_err(again)
}

/// Why an emitted text is not read.
fn again(diagnostics: Vec<Diagnostic>) -> String {
    let first = diagnostics.first().map(|d| d.message.clone());
    format!(
        "the woven program cannot be read again: {}",
        first.unwrap_or_default()
    )
}

impl Explored {
    /// Whether there was no time for the rest of the states, and more time may help.
    pub fn is_out_of_time(&self) -> bool {
        self.graph.partial == Some(Partial::Time) && self.choices.bytes <= compiled::LARGE
    }

    /// Whether its answers are those of all runs: all states were visited, with the values of inputs themselves, and nothing stands for
    /// what the program does.
    pub fn is_exact(&self) -> bool {
        let doubts = &self.runs.doubts;
        self.graph.partial.is_none() && *doubts == Doubts::default() && !self.choices.are_ordered()
    }

    /// Why not all states were visited; `None` if all were.
    pub fn partial(&self) -> Option<String> {
        let what = match self.graph.partial.as_ref()? {
            Partial::States => "the program has too many states".to_string(),
            Partial::Memory => "the states do not fit into the memory that it may use".into(),
            Partial::Inputs => "only some inputs were tried".into(),
            Partial::Enough => "the search ended with the first violations".into(),
            Partial::Time => NO_TIME.into(),
            Partial::Crash(signal) => format!(
                "the program does something that C leaves undefined (signal {signal}), such as a division by zero or an index out of bounds, or a recursion does not end"
            ),
            Partial::Ages(_) => "the ages of time stamps cannot be told apart".into(),
            Partial::Classes => "the values cannot be told apart by few classes".into(),
            Partial::Undefined | Partial::Unburied(_) | Partial::Unchosen(_) => {
                "a local may be read before it has a value".into()
            }
            Partial::Internal => "the search of all states went wrong".into(),
        };
        Some(format!(
            "{what}; {} states were visited",
            self.graph.nodes.len()
        ))
    }

    /// The parts of a formula that holds and that do not matter, because no maximal run has a letter
    /// in which they would (if `shows`), or because of C's types.
    pub fn vacuous(&self, index: usize, shows: bool) -> Vec<Vacuous> {
        let never = |asserted: Asserted| match asserted {
            Asserted::Cover(number) if shows => {
                let cover = self.record.covers.get(number);
                cover.and_then(|c| self.shows(c)) == Some(false)
            }
            // The graph does not tell where areas begin.
            _ => false,
        };
        vacuity::parts(&self.record, index, &never)
    }

    /// Whether some maximal run shows the value that a cover asks for; `None` if its formula
    /// cannot be read.
    fn shows(&self, cover: &CoverRecord) -> Option<bool> {
        let parsed = ltl::parse(&cover.formula).ok()?;
        let mut atoms = Vec::new();
        for atom in parsed.arena.atoms_of(parsed.root) {
            atoms.push((atom, position(&self.record, &parsed.arena, atom).ok()?));
        }
        for number in &self.letters {
            let values = self.graph.valuations.get(*number as usize)?;
            let holding = atoms
                .iter()
                .filter(|(_, at)| values.get(*at) == Some(&true));
            let letter: Letter = holding.map(|(atom, _)| *atom).collect();
            let word = Lasso::stutter(&[letter])?;
            if word.satisfies(&parsed.arena, parsed.root) == cover.value {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Lets SPIN search the same states for every property: whether some run violates it, or why
    /// that is unknown. `spin` is the program of SPIN.
    ///
    /// # Errors
    /// If the search cannot run, with the reason.
    pub fn spin(
        &self,
        spin: &Path,
        cancel: &Cancel,
        told: &dyn Fn(&str),
    ) -> Result<Vec<Result<bool, String>>, String> {
        let count = self.record.properties.len();
        let mut record = self.record.clone();
        let all = record.properties.iter_mut();
        for property in all.filter(|p| !self.turns.fairness.is_beside(&p.name)) {
            // A never claim has the demands of fairness in its automaton.
            property.formula = self.turns.fairness.premised(&property.formula);
        }
        let all = Fairness::default();
        let claims: Vec<_> = (0..count).map(|n| claim(&record, n, &all)).collect();
        let known: Vec<_> = claims.iter().flatten().cloned().collect();
        let mut usage = Usage::default();
        let words = |failure: backend::Failure| failure.to_string();
        told("compiling SPIN's search");
        let model = explicit::spin::model(&known);
        self.exploration
            .pan(spin, &model, cancel, &mut usage)
            .map_err(words)?;
        let mut number = 0;
        let mut out = Vec::new();
        for claim in claims {
            if let Err(why) = claim {
                out.push(Err(why));
                continue;
            }
            told(&format!("SPIN, claim {} of {}", number + 1, known.len()));
            let mut said = explicit::spin::Said::default();
            let name = format!("c{number}");
            self.exploration
                .search(&name, cancel, &mut usage, &mut |line| {
                    explicit::spin::read(&mut said, line)
                })
                .map_err(words)?;
            let answer = explicit::spin::answer(&said);
            out.push(answer.ok_or_else(|| "SPIN did not finish its search".to_string()));
            number += 1;
        }
        Ok(out)
    }

    /// Decides a property, given by its index in the record.
    pub fn decide(&self, index: usize) -> Decision {
        let claim = match claim(&self.record, index, &self.turns.fairness) {
            Ok(claim) => claim,
            Err(why) => return Decision::Open(why),
        };
        match self.runs.violation(&self.graph, &claim) {
            Some(Ok(_)) if self.choices.are_ordered() => Decision::Open(BY_ORDER.into()),
            Some(Ok((graph, violation))) => match self.shown(index, &graph, violation) {
                Ok(result) => Decision::Violated(Box::new(result)),
                Err(why) => Decision::Open(why),
            },
            Some(Err(why)) => Decision::Open(why),
            None => match self.partial() {
                Some(why) => Decision::Open(why),
                None if !self.reaches() => {
                    Decision::Open("no run comes to its end or goes on for ever".into())
                }
                None => Decision::Holds,
            },
        }
    }

    /// Whether some violation is one of classes of states alone, which no run of the program has.
    fn is_mistaken(&self) -> bool {
        let missing =
            |index| matches!(self.decide(index), Decision::Open(why) if why == walk::NOT_TAKEN);
        self.quotient && (0..self.record.properties.len()).any(missing)
    }

    /// The result for a violation. A run through classes of states is executed, to see where a state comes back.
    fn shown(
        &self,
        index: usize,
        graph: &Graph,
        mut violation: Violation,
    ) -> Result<PropertyResult, String> {
        let (mut told, until) = (Vec::new(), self.until);
        let repeats = match self.quotient {
            true => walk::repeating(&self.exploration, graph, &mut violation, until, &mut told)?,
            false => true,
        };
        let tells = self.clock.is_some() || !self.turns.reports.is_empty();
        if !self.quotient && tells {
            told = walk::asides(&self.exploration, graph, &violation, until);
        }
        let asides = Asides {
            clock: self.clock,
            reports: &self.turns.reports,
            told: &told,
        };
        let run = (&violation, &asides);
        let mut result = runs::told(&self.lasso, &self.record, index, graph, run)?;
        if !repeats {
            result.answer.evidence = Some(Evidence::Recurrence);
            result.run.loop_start = None;
        }
        Ok(result)
    }

    /// Whether there is a maximal run at all.
    fn reaches(&self) -> bool {
        !self.letters.is_empty()
    }

    /// The number of values of each input site.
    pub fn inputs(&self) -> Vec<(u32, usize)> {
        let all = self.choices.values.iter();
        all.map(|(site, values)| (*site, values.len())).collect()
    }
}
