//! Data races, beside the verdicts or alone: a static analysis finds the pairs of accesses that may be
//! a race, and with `--races` engines search for a run in which both accesses of one can be next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cfront::memory_model::FILE;
use forms::{Listener, Machine, Possible, Program, Quiet, Reader, Watching, Weaving};
use sequentialise::memory::Asked;
use sequentialise::races::Watched;
use verify::result::{
    Engine, Event, Holds, PropertyResult, RaceAccess, RacePair, Races, Schedules, StartedThread,
    TraceStep, Verdict, VerifyResult,
};

use crate::engines::{Engines, Question, BUDGET};
use crate::prove::steps::STATES;
use crate::selection::Selection;
use crate::settings::{Settings, Threads};
use crate::source::{Input, Source};

/// The part of the time that is left for races when formulas are asked, too, at least.
const LEAST: Duration = Duration::from_secs(10);

/// The states that a search for races that nobody asked for visits at least; else it visits as many as decided the formulas.
/// Time would be no bound: what is found would depend on the machine.
const BESIDE: u64 = 20_000;

/// Why a search beside formulas has no answer.
const NOT_FOUND: &str = "some accesses may be a race, and a search of about as many states as for the formulas did not decide it; --races searches longer";

/// How far races are searched.
pub struct Effort {
    /// When the search ends.
    until: Instant,
    /// The engines that are asked.
    engines: Engines,
    /// The most states that a search of all schedules visits.
    states: u64,
}

impl Effort {
    /// All that there is, until then.
    pub fn full(until: Instant) -> Effort {
        Effort {
            until,
            engines: Engines::of(&[Engine::Rounds, Engine::Steps]),
            states: STATES,
        }
    }

    /// What answers about a whole program, for about as much work as the formulas took.
    fn beside(until: Instant, result: &VerifyResult) -> Effort {
        let visited =
            |p: &PropertyResult| p.answer.proof.as_ref()?.explored.as_ref().map(|v| v.states);
        let most = result.properties.iter().filter_map(visited).max();
        Effort {
            until,
            engines: Engines::of(&[Engine::Steps]),
            states: most.unwrap_or(0).clamp(BESIDE, STATES),
        }
    }
}

/// Adds what is known of races to the result for a specification.
///
/// # Errors
/// A missing backend.
pub fn look(
    settings: &Settings,
    input: &Input,
    begin: Instant,
    output: &dyn Listener,
    result: &mut VerifyResult,
) -> anyhow::Result<()> {
    let Input::Source(source) = input else {
        return Ok(());
    };
    let record = &source.whole.record;
    let watches = settings.backend.capabilities().searches;
    if !record.threads || !watches {
        return Ok(());
    }
    let weaker = record.assumptions.iter().any(|a| a == weave::WEAKER);
    let memory = source.program.memory();
    let open = |p: &PropertyResult| {
        !p.answer.verdict.is_violation() && p.answer.verdict != Verdict::Unknown
    };
    let rests = memory.is_some_and(|memory| memory.without_races.is_some())
        && result.properties.iter().any(open);
    let budget = settings.budget.unwrap_or(BUDGET);
    let search = |effort: Effort, result: &mut VerifyResult| {
        let (program, weaving) = (&source.program, &source.weaving);
        search(settings, program, weaving, (effort, output), result)
    };
    let mut races = if settings.races || rests {
        let until = (begin + budget).max(Instant::now() + LEAST);
        search(Effort::full(until), result)?
    } else {
        let seen = at_first_sight(source.program.possible_races(false));
        match seen.free.is_none() && rests_on_order(result) {
            true => {
                let formulas = (result.backend.name.clone(), result.backend.version.clone());
                let effort = Effort::beside(begin + budget, result);
                let found = search(effort, result)?;
                (result.backend.name, result.backend.version) = formulas;
                match found.holds {
                    Holds::Unknown => Races {
                        reason: Some(NOT_FOUND.to_owned()),
                        ..seen
                    },
                    _ => found,
                }
            }
            false => seen,
        }
    };
    races.asked &= settings.races;
    if races.holds != Holds::Proved {
        let known = match races.free {
            Some(false) => "it has one",
            _ => "whether it has any is not known",
        };
        source.doubt_with_races(known, result);
    }
    verify::result::add_races(races, weaker, result);
    Ok(())
}

/// Whether formulas were proved about all schedules, under sequential consistency if the program has no race.
fn rests_on_order(result: &VerifyResult) -> bool {
    let all = result.premises.schedules == Some(Schedules::All);
    let mut properties = result.properties.iter();
    all && properties.all(|p| p.answer.holds != Holds::Unknown)
        && result
            .properties
            .iter()
            .any(|p| p.answer.holds == Holds::Proved)
}

/// What the static analysis alone says.
fn at_first_sight(possible: Result<Possible, String>) -> Races {
    let unknown = |reason: String, possible: Vec<RacePair>| Races {
        reason: Some(reason),
        possible,
        ..Races::default()
    };
    match possible {
        Ok(found) => match found.blind {
            Some(why) => unknown(why, found.pairs),
            None if found.pairs.is_empty() => free(),
            None => {
                let why = "some accesses may be a race; --races searches for a run with one";
                unknown(why.to_owned(), found.pairs)
            }
        },
        Err(why) => unknown(why, Vec::new()),
    }
}

fn free() -> Races {
    Races {
        free: Some(true),
        holds: Holds::Proved,
        ..Races::default()
    }
}

/// Decides whether the program has a race, as far as the time allows.
///
/// # Errors
/// A missing backend.
pub fn search(
    settings: &Settings,
    program: &Program,
    weaving: &Weaving,
    (effort, output): (Effort, &dyn Listener),
    result: &mut VerifyResult,
) -> anyhow::Result<Races> {
    let asked = |races: Races| Races {
        asked: true,
        ..races
    };
    let possible = match program.possible_races(true) {
        Ok(possible) => possible,
        Err(why) => return Ok(asked(at_first_sight(Err(why)))),
    };
    let open = |reason: String| Races {
        reason: Some(reason),
        possible: possible.pairs.clone(),
        ..Races::default()
    };
    let search = |watching: &Watching, result: &mut VerifyResult| {
        let searched = Searched {
            program: &watching.program,
            watch: &watching.watched,
            possible: &possible,
        };
        searched.races(settings, weaving, (&effort, output), result)
    };
    let one = |watching: &Watching, result: &mut VerifyResult| {
        let races = search(watching, result)?;
        match &watching.covering {
            // A race there may be one of memory that no access concerns.
            Some(covering) if races.free.is_none() => {
                let more = search(covering, result)?;
                anyhow::Ok(if more.free == Some(true) { more } else { races })
            }
            _ => Ok(races),
        }
    };
    let races = match (&possible.ordered, &possible.watched) {
        (Some(Ok(ordered)), _) => one(ordered, result)?,
        (of_orders, Some(watched)) => {
            let races = one(watched, result)?;
            match of_orders {
                // Runs with sequential consistency are runs of the program.
                Some(Err(why)) if races.free != Some(false) => open(format!(
                    "no sequentially consistent run has a race, and orders of atomic operations are not followed in this program ({why})"
                )),
                _ => races,
            }
        }
        (_, None) => at_first_sight(Ok(possible)),
    };
    Ok(asked(races))
}

/// A program in which possible races are watched.
struct Searched<'a> {
    program: &'a Arc<Program>,
    watch: &'a Watched,
    possible: &'a Possible,
}

impl Searched<'_> {
    /// Decides whether a run has a race, as far as the time allows.
    fn races(
        &self,
        settings: &Settings,
        weaving: &Weaving,
        (effort, output): (&Effort, &dyn Listener),
        result: &mut VerifyResult,
    ) -> anyhow::Result<Races> {
        let quiet = Quiet(output);
        let spec = forms::spec_of_formula(&self.watch.formula, &quiet)?;
        let memory = self.program.memory();
        let memory = memory.map(|memory| Asked::anything(memory.model));
        // Its text is what the preprocessor left.
        let weaving = Weaving {
            lasso: false,
            machine: Machine {
                interrupts: Default::default(),
                memory: memory.clone(),
                ..weaving.machine.clone()
            },
            reader: Reader {
                rounds: true,
                tells: true,
                ..weaving.reader
            },
            ..weaving.clone()
        };
        let whole = match forms::try_weave(self.program, &spec, &weaving, &quiet)? {
            Ok(whole) => whole,
            Err(refused) => {
                return Ok(self.open(refused.first(self.program).unwrap_or_default()));
            }
        };
        let source = Source {
            program: Arc::clone(self.program),
            spec,
            weaving: weaving.clone(),
            whole: Arc::new(whole),
        };
        let settings = Settings {
            threads: Threads {
                memory: memory.map(|memory| memory.model),
                ..settings.threads.clone()
            },
            many: Selection::default(),
            shows_runs: true,
            ..settings.clone()
        };
        let found = match answer(&settings, &source, (effort, &quiet)) {
            Ok(found) => found,
            Err(error) => return Ok(self.open(format!("{error:#}"))),
        };
        result.backend.name.clone_from(&found.backend.name);
        result.backend.version.clone_from(&found.backend.version);
        result.backend.runs += found.backend.runs;
        result.backend.seconds += found.backend.seconds;
        let Some(property) = found.properties.first() else {
            return Ok(self.open("no engine has answered".to_owned()));
        };
        if result.properties.is_empty() {
            result.premises = found.premises.clone();
        }
        Ok(self.decided(property))
    }

    fn open(&self, reason: String) -> Races {
        Races {
            reason: Some(reason),
            possible: self.possible.pairs.clone(),
            ..Races::default()
        }
    }
}

/// Asks the engines whether a run of the watched program violates its formula.
fn answer(
    settings: &Settings,
    source: &Source,
    (effort, output): (&Effort, &dyn Listener),
) -> anyhow::Result<VerifyResult> {
    let backend = settings.open()?;
    let options = verify::Options {
        trace: verify::TraceWish::Violations,
        full_traces: false,
        memory_model: settings.threads.memory.map(|m| m.name().to_owned()),
        ..settings.options.clone()
    };
    let mut found = Question {
        settings,
        source,
        backend: backend.as_ref(),
        options: &options,
        output,
        engines: &effort.engines,
        many: &settings.many,
        states: effort.states,
        until: effort.until,
    }
    .answer()?;
    source.doubt(&mut found);
    Ok(found)
}

impl Searched<'_> {
    /// What the answer about the watched program says of the program.
    fn decided(&self, property: &PropertyResult) -> Races {
        let answer = &property.answer;
        if answer.verdict.is_violation() || answer.holds == Holds::Refuted {
            return self.refuted(property);
        }
        if let Some(why) = &self.watch.partly {
            return self.open(why.clone());
        }
        match (answer.holds, answer.verdict) {
            (Holds::Proved, _) => free(),
            (_, Verdict::Unknown) => self.open(
                answer
                    .reason
                    .clone()
                    .unwrap_or_else(|| "no engine has decided it".to_owned()),
            ),
            _ => {
                let longer = answer.reason.as_ref().map(|reason| format!(": {reason}"));
                let longer = longer.unwrap_or_default();
                // What was cut at bounds of loops may have a race.
                match answer.complete {
                    Some(true) => Races {
                        free: Some(true),
                        ..self.open(format!("other schedules were not searched{longer}"))
                    },
                    _ => self.open(format!(
                        "no searched run has a race; longer runs were not searched{longer}"
                    )),
                }
            }
        }
    }

    /// The race that a run shows.
    fn refuted(&self, property: &PropertyResult) -> Races {
        let trace = &property.run.trace;
        let pair = self.pair(property);
        let meets = |s: &TraceStep| announced(s, &self.watch.second).is_some();
        let last = trace.iter().position(meets).map_or(trace.len(), |i| i + 1);
        let certain = property.answer.holds == Holds::Refuted;
        Races {
            free: Some(false),
            holds: match certain {
                true => Holds::Refuted,
                false => Holds::Unknown,
            },
            pairs: vec![pair],
            reason: match certain {
                true => None,
                false => property.answer.reason.clone(),
            },
            turns: verify::schedule::sentences(property),
            trace: trace[..last]
                .iter()
                // What the model of the memory chooses is nothing that the program does.
                .filter(|step| step.event != Event::End && step.file != FILE)
                .zip(0..)
                .map(|(step, number)| TraceStep {
                    step: number,
                    ..self.told(step.clone())
                })
                .collect(),
            ..Races::default()
        }
    }

    /// A step as readers see it, who know nothing of the variables that watch.
    fn told(&self, step: TraceStep) -> TraceStep {
        let watch = self.watch;
        let what = match (
            announced(&step, &watch.first),
            announced(&step, &watch.second),
        ) {
            (Some(_), _) => "is about to make the first access".to_owned(),
            (_, Some(_)) => "is about to make the second access".to_owned(),
            _ if step.what.starts_with(&watch.first) => "makes the access".to_owned(),
            _ => step.what.clone(),
        };
        TraceStep {
            what,
            props: Default::default(),
            values: Default::default(),
            ..step
        }
    }

    /// The two accesses of the race that a run shows: the last announced one, and the one that met it.
    fn pair(&self, property: &PropertyResult) -> RacePair {
        let steps = &property.run.trace;
        let (watch, possible) = (self.watch, self.possible);
        let met = steps
            .iter()
            .position(|s| announced(s, &watch.second).is_some());
        let before = &steps[..met.unwrap_or(steps.len())];
        let watches = before
            .iter()
            .rposition(|s| announced(s, &watch.first).is_some());
        let (first, second) = (watches.map(|i| &steps[i]), met.map(|i| &steps[i]));
        let site = |step: Option<&TraceStep>, name: &str| {
            let number = step.and_then(|s| announced(s, name))?;
            possible.sites.get(number - 1)
        };
        let a = site(first, &watch.first);
        let b = site(second, &watch.second);
        let is = |access: &RaceAccess, place: Option<&(String, u32)>| {
            place.is_none_or(|(file, line)| access.file == *file && access.line == *line)
        };
        let mut all = possible.pairs.iter();
        let straight = all.find(|p| is(&p.first, a) && is(&p.second, b));
        let found = straight.cloned().or_else(|| {
            let crossed = possible
                .pairs
                .iter()
                .find(|p| is(&p.first, b) && is(&p.second, a));
            crossed.map(|p| RacePair {
                first: p.second.clone(),
                second: p.first.clone(),
                ..p.clone()
            })
        });
        let mut found = found
            .or_else(|| possible.pairs.first().cloned())
            .unwrap_or_default();
        for (access, step) in [(&mut found.first, first), (&mut found.second, second)] {
            access.thread = step.map(|s| s.thread);
            let started = step.and_then(|s| routine(property, s.thread));
            if let Some(routine) = started {
                access.routine = routine;
            }
        }
        found
    }
}

/// The number of the access that a step announces in the variable of this name.
fn announced(step: &TraceStep, variable: &str) -> Option<usize> {
    let value = step
        .what
        .strip_prefix(variable)?
        .trim_start()
        .strip_prefix('=')?;
    value.trim().parse().ok().filter(|&n| n > 0)
}

/// The function with which a thread of a run begins.
fn routine(property: &PropertyResult, thread: u32) -> Option<String> {
    if thread == 0 {
        return Some("main".to_owned());
    }
    let threads = property.run.threads.all();
    let started: Option<&StartedThread> = threads.iter().find(|t| t.thread == thread);
    started.map(|t| t.routine.clone())
}
