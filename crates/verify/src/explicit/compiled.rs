//! A program that is compiled with its choices, and the searches of its states.

use std::borrow::Cow;
use std::time::Instant;

use backend::explore::{Ages, Exploration, Visits};
use backend::{Cancel, Usage};
use explicit::classes::ages::Ages as Following;
use explicit::classes::Choices;
use explicit::graph::{Doubts, Graph, Partial};
use explicit::reader::Reader;
use explicit::{product, recorded, text, wide};

use super::violations::{claim, Runs, Watch, ROUNDS};
use super::{
    contracts, for_this_machine, lines_read, printed, reads_texts, walk, words_read, Explored,
    Task, Work, MEMORY_MIB,
};
use crate::prove::Limits;
use crate::result::Visited;

/// How much of the time that is left a search of all states takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Searches of some of the states come behind it, and perhaps this one again.
    First,
    /// Nothing comes behind it.
    Rest,
}

impl Share {
    /// As a part of the time. Random runs take no more than a second or so; lines of text take long, and first of all where contracts
    /// stand for functions of the library, so that a violation need not be one of the program. Few large states are visited in any time.
    fn part(self, (reads_texts, by_contract): (bool, bool), large: bool) -> f64 {
        match (self, reads_texts, by_contract) {
            _ if large => 0.1,
            (Share::Rest, ..) => 1.0,
            (Share::First, false, _) => 0.9,
            (Share::First, true, false) => 0.35,
            (Share::First, true, true) => 0.25,
        }
    }
}

/// A program that was compiled to be visited.
pub(super) struct Compiled {
    pub exploration: Exploration,
    choices: Choices,
    runs: Runs,
    usage: Usage,
    start: Instant,
}

/// Compiles the program with these values of inputs, and contracts or not.
pub(super) fn compiled(
    task: &Task,
    (choices, by_contract): (Choices, bool),
    (limits, cancel): (&Limits, &Cancel),
    told: &dyn Fn(Work),
) -> Result<Compiled, String> {
    let start = Instant::now();
    let left = |until: Instant| until.saturating_duration_since(Instant::now());
    let exploration = Exploration {
        compiler: task.compiler.clone(),
        directory: task.directory.clone(),
        dialect: task.record.dialect.clone(),
        own: task.record.replaceable.clone(),
        unsigned_char: task.record.model.char_unsigned,
        timeout: limits.until.map(left),
        memory_mib: limits.memory_mib.unwrap_or(MEMORY_MIB),
        states: task.states,
        buried: Vec::new(),
        read: Vec::new(),
        ages: Ages::Times,
    };
    told(Work::Compiling);
    let mut usage = Usage::default();
    let words = |failure: backend::Failure| failure.to_string();
    let text = for_this_machine(&task.record, &choices.text)? + text::now(&task.heads);
    let text = recorded::at_once(&task.turns.reports.heard(&text));
    let undefined = exploration
        .compile(&text, cancel, &mut usage)
        .map_err(words)?;
    let own = &task.heads.own;
    // Where only some runs are visited, these functions of the library are executed as they are.
    let executed =
        |name: &str| choices.some && own.contracts.contains(cfront::library::plain_name(name));
    let known = |name: &str| {
        own.harmless.contains(name)
            || executed(name)
            || wide::definition(name).is_some()
            || by_contract && text::OPTIONS.iter().any(|(option, _)| *option == name)
    };
    let mut others = undefined.iter().filter(|name| !known(name));
    if let Some(name) = others.find(|name| text::is_unknown(name)) {
        return Err(format!(
            "the program calls `{name}`, whose effects the search of all states does not know; name what it gives under `inputs`"
        ));
    }
    let quiet = among(&undefined, &|name| {
        text::QUIET.contains(&name) || own.harmless.contains(name)
    });
    let texts = among(&undefined, &|name| text::TEXTS.contains(&name));
    let ends = among(&undefined, &|name| text::ENDS.contains(&name));
    let options = text::OPTIONS.iter();
    let options = options.filter(|(name, _)| undefined.iter().any(|n| n == name));
    let options: String = options.map(|(_, definition)| *definition).collect();
    let atomics: String = undefined
        .iter()
        .filter_map(|n| wide::definition(n))
        .collect();
    exploration
        .link(
            &(choices.choosers.clone() + &options + &atomics),
            (&quiet, &texts, &ends),
            cancel,
            &mut usage,
        )
        .map_err(words)?;
    let runs = Runs {
        doubts: Doubts {
            contracts: match by_contract {
                true => contracts(&task.record),
                false => words_read(task),
            },
            lines: lines_read(task),
            printed: printed(&task.record),
            locals: (0..)
                .zip(&choices.locals)
                .filter_map(|(number, told)| told.as_ref().map(|_| number))
                .collect(),
        },
        locals: choices.locals.clone(),
        go_on: task.turns.fairness.goes_on || !choices.discards,
    };
    Ok(Compiled {
        exploration,
        choices,
        runs,
        usage,
        start,
    })
}

/// Visits the states with these values of inputs, and contracts or not; those that differ only in elements which no run reads are
/// one if `buries` says so.
pub(super) fn visited(
    task: &Task,
    chosen: (Choices, bool),
    (buries, share): (bool, Share),
    (limits, cancel): (&Limits, &Cancel),
    told: &dyn Fn(Work),
) -> Result<Explored, String> {
    let mut compiled = compiled(task, chosen, (limits, cancel), told)?;
    if compiled.choices.ranged > 0 {
        told(Work::Visiting("all classes of states"));
        let mut part = compiled.exploration.clone();
        part.timeout = part.timeout.map(|time| time / 2);
        // Which elements of an array are marked depends on values, which classes do not tell apart.
        let of = &compiled.choices.buried;
        let arrays = of.ways.len() - of.constant;
        let constant = |n| usize::from(buries && n >= arrays);
        part.buried = (0..of.ways.len()).map(constant).collect();
        let graph = compiled.guessing(task, &mut part, Visits::Classes, cancel)?;
        if graph.partial.is_none() {
            compiled.exploration = part;
            return Ok(compiled.explored(task, graph, (limits, true)));
        }
    }
    told(Work::Visiting("all states"));
    let ways = compiled.choices.buried.ways.iter();
    let mut guess = compiled.exploration.clone();
    guess.buried = ways.map(|ways| usize::from(buries && *ways > 0)).collect();
    guess.ages = match compiled.choices.ages {
        Following::Times => Ages::Times,
        Following::Exact => Ages::All,
        Following::Limited(_) => Ages::Limited(0),
    };
    let by_contract = !compiled.runs.doubts.contracts.is_empty();
    let large = compiled.choices.bytes > LARGE;
    let part = share.part((reads_texts(task), by_contract), large);
    guess.timeout = guess.timeout.map(|time| time.mul_f64(part));
    let mut graph = compiled.guessing(task, &mut guess, Visits::States, cancel)?;
    let is_narrow = matches!(compiled.choices.ages, Following::Limited(bits) if bits <= NARROW);
    if matches!(guess.ages, Ages::Limited(_))
        && is_narrow
        && compiled.waits(task, &graph, (&guess, limits.until))
    {
        told(Work::Visiting(
            "all states, also those in which the clock has gone round",
        ));
        let mut again = guess.clone();
        again.ages = Ages::All;
        let all = compiled.guessing(task, &mut again, Visits::States, cancel)?;
        // It ends early where violations of all formulas are known, which rest on no round.
        if matches!(all.partial, None | Some(Partial::Enough)) {
            (graph, guess) = (all, again);
        }
    }
    let quotient = guess.ages != Ages::Times || guess.buried.iter().any(|way| *way > 0);
    compiled.exploration = guess;
    Ok(compiled.explored(task, graph, (limits, quotient)))
}

/// States of more bytes than these are large: each step copies some.
pub(super) const LARGE: u64 = 8 << 20;

/// A clock of at most so many bits may go round while a run waits.
const NARROW: u32 = 16;

impl Compiled {
    /// Whether a formula has no answer because the clock may go round while a run waits: no violation is free of rounds, or the
    /// program does not take the one that seemed to be, since a clock of few bits goes round before its end.
    fn waits(
        &self,
        task: &Task,
        graph: &Graph,
        (exploration, until): (&Exploration, Option<Instant>),
    ) -> bool {
        let open = |index| {
            let claim = claim(&task.record, index, &task.turns.fairness).ok()?;
            let shown = |(of, mut run): (Cow<Graph>, _)| {
                walk::repeating(exploration, &of, &mut run, until, &mut Vec::new()).map(drop)
            };
            match self.runs.violation(graph, &claim)?.and_then(shown) {
                Err(why) if why == ROUNDS => Some(()),
                _ => None,
            }
        };
        graph.reads_ages() && (0..task.record.properties.len()).any(|index| open(index).is_some())
    }

    /// Searches with guesses of what no run reads, until all are right.
    fn guessing(
        &mut self,
        task: &Task,
        guess: &mut Exploration,
        what: Visits,
        cancel: &Cancel,
    ) -> Result<Graph, String> {
        loop {
            let graph = self.search(task, guess, what, cancel)?;
            match graph.partial {
                Some(Partial::Unburied(array)) => {
                    next_way(&mut guess.buried, &self.choices.buried.ways, array);
                }
                Some(Partial::Unchosen(place)) if !guess.read.contains(&place) => {
                    guess.read.push(place);
                }
                Some(Partial::Ages(least)) => match guess.ages.refined(least) {
                    Some(next) => guess.ages = next,
                    None => return Ok(graph),
                },
                _ => return Ok(graph),
            }
        }
    }

    /// One search; what violates all formulas ends it.
    pub fn search(
        &mut self,
        task: &Task,
        exploration: &Exploration,
        what: Visits,
        cancel: &Cancel,
    ) -> Result<Graph, String> {
        let enough = cancel.part();
        let most =
            usize::try_from(exploration.memory_mib.saturating_mul(1 << 20)).unwrap_or(usize::MAX);
        let mut watch = Watch::new(&task.record, &task.turns.fairness, &self.runs);
        let mut reader = Reader::default();
        let ended = exploration.explore(what, &enough, &mut self.usage, &mut |bytes| {
            // What is found does not depend on how soon the search ends.
            if enough.is_cancelled() {
                return;
            }
            reader.push(bytes);
            while reader.advance() {
                if what == Visits::States && watch.look(reader.graph()) {
                    break;
                }
            }
            if watch.has_ended() || reader.bytes() > most {
                enough.cancel();
            }
        });
        match watch.has_ended() {
            true => Ok(reader.ended(Partial::Enough)),
            false if reader.bytes() > most => Ok(reader.ended(Partial::Memory)),
            false => ended
                .map_err(|failure| failure.to_string())
                .map(|()| reader.finish()),
        }
    }

    /// What was visited.
    pub fn explored(
        self,
        task: &Task,
        graph: Graph,
        (limits, quotient): (&Limits, bool),
    ) -> Explored {
        let steps = graph.nodes.iter().map(|n| n.edges.len() as u64).sum();
        Explored {
            exploration: self.exploration,
            record: task.record.clone(),
            lasso: task.lasso.clone(),
            size: Visited {
                states: graph.nodes.len() as u64,
                steps,
                depth: graph.depth,
                memory_kib: self.usage.max_rss_kib,
            },
            letters: product::letters(&graph),
            seconds: self.start.elapsed().as_secs_f64(),
            graph,
            choices: self.choices,
            runs: self.runs,
            quotient,
            clock: task.heads.own.now,
            until: limits.until,
            turns: task.turns.clone(),
        }
    }
}

/// The next guess which elements of an array no run reads; where it is not known whose element was read, none of any.
fn next_way(buried: &mut [usize], ways: &[usize], array: Option<usize>) {
    match array.and_then(|array| Some((buried.get_mut(array)?, ways.get(array)?))) {
        Some((way, count)) if *way > 0 => *way = if *way < *count { *way + 1 } else { 0 },
        _ => buried.fill(0),
    }
}

/// Those of the undefined names for which a condition holds.
fn among<'u>(undefined: &'u [String], are: &dyn Fn(&str) -> bool) -> Vec<&'u str> {
    let all = undefined.iter().map(String::as_str);
    all.filter(|name| are(name)).collect()
}
