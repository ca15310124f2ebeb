//! Replays a recorded trace: the events that a native run has to follow, and whether the run that
//! followed them has the recorded verdict.

use std::path::PathBuf;
use std::time::Duration;

use backend::native::{Replay, Replayed, Round, Turn};
use backend::Job;
use serde::Deserialize;
use weave::assertion::Asserted;
use weave::record::{PropertyRecord, Record, SiteEvent, REACH};

use crate::combine::prefix_false;
use crate::explain::explain;
use crate::result::{
    Answer, Asked, Context, Event, Evidence, PropertyResult, Scheduled, ShownRun, Starved,
    TraceStep, Verdict,
};
use crate::run::assertion;

/// The fields of an earlier `verify --format json` that a replay needs.
#[derive(Clone, Debug, Deserialize)]
pub struct Recorded {
    /// The properties.
    pub properties: Vec<RecordedProperty>,
    /// The arguments of the command that produced the result.
    #[serde(default)]
    pub command: Vec<String>,
}

/// A property of an earlier result.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedProperty {
    /// Its name.
    pub name: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// The evidence of the verdict.
    #[serde(default)]
    pub evidence: Option<Evidence>,
    /// The engine that decided it, where several were asked.
    #[serde(default)]
    pub decided_by: Option<crate::result::Engine>,
    /// The run; empty if none was recorded.
    #[serde(default)]
    pub trace: Vec<TraceStep>,
    /// All events, in order.
    #[serde(default)]
    pub schedule: Vec<Scheduled>,
    /// The turns of the threads, if they were recorded.
    #[serde(default)]
    pub contexts: Vec<Context>,
    /// For a lasso of threads, the threads that take no step in its loop.
    #[serde(default)]
    pub starved: Vec<Starved>,
    /// For a lasso, the step to which the loop goes back.
    #[serde(default, rename = "loop")]
    pub loop_start: Option<u32>,
}

/// The events that a native run of the woven program has to follow.
///
/// # Errors
/// Why the trace does not fit this program, in words.
pub fn plan(record: &Record, property: &RecordedProperty) -> Result<Replay, String> {
    let index = record
        .properties
        .iter()
        .position(|p| p.name == property.name);
    let index =
        index.ok_or_else(|| format!("the specification has no property `{}`", property.name))?;
    if record.properties[index].monitor == "buchi" {
        return Err("its monitor guesses, which an execution cannot".into());
    }
    let reach = record.properties[index].monitor == REACH;
    let watched: Vec<usize> = (0..record.propositions.len())
        .filter(|&i| record.propositions[i].used_by.contains(&index))
        .collect();
    let steps = || property.trace.iter();
    known(record, &property.trace)?;
    let lasso = property.evidence == Some(Evidence::Lasso);
    // A step that saves the state is no event of the program itself.
    let is_letter = move |s: &TraceStep| s.event.is_letter() && s.event != Event::Save && !reach;
    let choice = |s: &TraceStep| {
        let input = s.input.as_ref()?;
        Some((s.thread, input.site?, input.value))
    };
    let begins = property.loop_start.filter(|_| lasso).unwrap_or(u32::MAX);
    let (before, round): (Vec<&TraceStep>, Vec<&TraceStep>) =
        steps().partition(|s| s.step < begins);
    let times = match lasso {
        true => rounds_of(round.len()),
        false => 1,
    };
    let rounds = || std::iter::repeat_n(&round, times).flatten();
    let all = || before.iter().chain(rounds());
    let letters = all().filter(|s| is_letter(s));
    Ok(Replay {
        letters: letters
            .map(|s| letter(record, &watched, s))
            .collect::<Result<_, String>>()?,
        events: match lasso {
            true => Vec::new(),
            false => property
                .schedule
                .iter()
                .map(|e| (e.thread, e.site))
                .collect(),
        },
        watched,
        every_event: (record.every_event || record.sampled) && !reach,
        // A run that reaches no sample has only the initial letter.
        first_letter: steps().any(|s| s.event == Event::Start) && !reach,
        prefix: !reach
            && (lasso
                || steps().any(|s| s.event == Event::Cut)
                || property.evidence == Some(Evidence::Prefix)
                || false_already(record, property)),
        inputs: all()
            .filter_map(|s| s.input.as_ref())
            .filter(|input| input.site.is_none())
            .map(|input| (input.name.clone(), input.value))
            .collect(),
        round: match lasso {
            true => Some(round_of(record, property, (&before, times), &is_letter)?),
            false => None,
        },
        still: property
            .starved
            .iter()
            .map(|s| (s.thread, s.waits))
            .collect(),
        main_arguments: steps().find_map(|s| {
            let input = s.input.as_ref()?;
            let site = record.sites.get(usize::try_from(input.site?).ok()?)?;
            (site.event == SiteEvent::Arguments).then_some(input.value)
        }),
        choices: all().filter_map(|s| choice(s)).collect(),
        turns: turns(property),
        wants: (reach && record.threads).then(|| assertion(&property.name, property.verdict)),
        patience: None,
    })
}

/// Checks that the program still has the places of a trace.
fn known(record: &Record, trace: &[TraceStep]) -> Result<(), String> {
    let places = trace.iter();
    // Where the loop of threads begins is no place of the program.
    let nowhere = |s: &&TraceStep| s.event == Event::Save && s.file.is_empty();
    let letters = places.filter(|s| s.event.is_letter() && s.event != Event::Start);
    let mut places = letters.filter(|s| !nowhere(s));
    let unknown = places.find(|step| {
        let mut sites = record.sites.iter();
        !sites.any(|s| s.file == step.file && s.line == step.line && s.what == step.what)
    });
    match unknown {
        Some(step) => Err(format!(
            "the program has no `{}` at {}:{}; it has changed since",
            step.what, step.file, step.line
        )),
        None => Ok(()),
    }
}

/// The letter of a step: its thread, and the values of the watched propositions.
fn letter(
    record: &Record,
    watched: &[usize],
    step: &TraceStep,
) -> Result<(u32, Vec<bool>), String> {
    let value = |&i: &usize| {
        let name = &record.propositions[i].name;
        let value = step.props.get(name).copied();
        value.ok_or_else(|| {
            format!(
                "step {} says nothing of the proposition `{name}`",
                step.step
            )
        })
    };
    let values: Result<Vec<bool>, String> = watched.iter().map(value).collect();
    Ok((step.thread, values?))
}

/// Whether the word is ⊥ whatever follows its last letter: threads may go on after the last round.
fn false_already(record: &Record, property: &RecordedProperty) -> bool {
    property.verdict == Verdict::FALSE && !property.contexts.is_empty() && !record.discards
}

/// The turns of the threads; consecutive turns of one thread are joined.
fn turns(property: &RecordedProperty) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let ends = property.contexts.iter().skip(1).map(|c| c.event);
    let ends = ends.chain([property.schedule.len() as u32]);
    for (context, end) in property.contexts.iter().zip(ends) {
        let turn = Turn {
            thread: context.thread,
            line: context.stopped.as_ref().map(|stop| stop.line),
            events: end.saturating_sub(context.event),
            cut: context.cut,
            repeats: context.repeats,
            passes: context.passes,
        };
        match turns.last_mut() {
            Some(last) if last.thread == turn.thread && last.repeats == turn.repeats => {
                let same_line = last.line.is_some() && last.line == turn.line;
                *last = Turn {
                    events: last.events + turn.events,
                    passes: last.passes + turn.passes + u32::from(same_line),
                    ..turn
                };
            }
            _ => turns.push(turn),
        }
    }
    turns
}

/// The loop of a lasso: its begin, and the counts of events before it.
fn round_of(
    record: &Record,
    property: &RecordedProperty,
    (before, times): (&[&TraceStep], usize),
    is_letter: &dyn Fn(&TraceStep) -> bool,
) -> Result<Round, String> {
    let count = |is: &dyn Fn(&TraceStep) -> bool| before.iter().filter(|s| is(s)).count() as u32;
    let letters = count(is_letter);
    let choices = count(&|s| s.input.as_ref().is_some_and(|i| i.site.is_some()));
    let rounds = times as u32;
    if record.threads {
        // The state of threads is saved between their turns, at no site of the program.
        return Ok(Round {
            rounds,
            site: u32::MAX,
            letters,
            choices,
        });
    }
    let mut steps = property.trace.iter();
    let save = steps.find(|s| s.event == Event::Save && Some(s.step) == property.loop_start);
    let site = save.and_then(|save| {
        record.sites.iter().position(|site| {
            (&site.file, site.line, &site.what) == (&save.file, save.line, &save.what)
                && site.event == SiteEvent::Save
        })
    });
    let site = site.ok_or("the program has no such save point; it has changed since")?;
    Ok(Round {
        rounds,
        site: site as u32,
        letters,
        choices,
    })
}

/// How many times a replay executes the loop of an infinite run, if that is short.
const ROUNDS: usize = 1000;

/// How many times a replay executes a long loop: what one turn leaves in an object may make a later one undefined.
const FEWEST: usize = 16;

/// The steps after which a long loop need not be executed once more.
const LONGEST: usize = 20_000;

/// How many times a replay executes a loop with so many steps.
fn rounds_of(steps: usize) -> usize {
    (LONGEST / steps.max(1)).clamp(FEWEST, ROUNDS)
}

/// Whether the infinite run of a lasso's trace violates the formula, by its letters alone; `None`
/// if the letters do not decide.
fn loop_violates(
    record: &Record,
    property: &PropertyRecord,
    recorded: &RecordedProperty,
) -> Option<bool> {
    let mut result = PropertyResult {
        asked: Asked::default(),
        answer: Answer {
            verdict: recorded.verdict,
            evidence: recorded.evidence,
            ..Answer::default()
        },
        run: ShownRun {
            trace: recorded.trace.clone(),
            loop_start: recorded.loop_start,
            ..ShownRun::default()
        },
    };
    let confirmed = explain(record, property, &mut result).is_ok();
    result.run.why.as_ref().map(|_| confirmed)
}

/// The verdict of the run that followed the trace; `None` if no run did.
fn observed(property: &PropertyRecord, replayed: &Replayed) -> Option<Verdict> {
    let reached = replayed.reached.as_ref()?;
    let has = |text: String| reached.contains(&text);
    let levels = Verdict::LATTICE.iter().copied();
    let found = levels
        .filter(|level| *level != Verdict::TRUE)
        .find(|level| {
            has(assertion(&property.name, *level))
                || (*level == Verdict::PRESUMABLY_FALSE && has(prefix_false(&property.name)))
        });
    // A label that was not reached is only known not to be reached within the bound.
    let otherwise = match property.monitor == REACH {
        true => Verdict::PRESUMABLY_TRUE,
        false => Verdict::TRUE,
    };
    Some(found.unwrap_or(otherwise))
}

/// Whether a run with this verdict confirms the recorded one. ⊥ of a cut run counts as ⊥ᵖ if the
/// specification discards runs.
fn confirms(record: &Record, plan: &Replay, recorded: Verdict, observed: Verdict) -> bool {
    let cut = record.discards && plan.prefix;
    recorded == observed
        || (cut && recorded == Verdict::PRESUMABLY_FALSE && observed == Verdict::FALSE)
}

/// What an execution says of a recorded violation.
pub enum Confirmation {
    /// A run gives the recorded letters, and has this verdict.
    Run(Verdict),
    /// A run goes round the recorded loop, which violates the formula.
    Loop,
    /// Neither, in words.
    No(String),
}

/// Compares what was executed with the record.
pub fn confirmation(
    record: &Record,
    plan: &Replay,
    recorded: &RecordedProperty,
    replayed: &Replayed,
) -> Confirmation {
    let known = record.properties.iter().find(|p| p.name == recorded.name);
    if let (Some(Evidence::Lasso), Some(known)) = (recorded.evidence, known) {
        let lasso = Asserted::Lasso(&recorded.name).to_string();
        let violates = replayed.reached.as_ref().map(|reached| {
            let asserted = reached.contains(&lasso);
            asserted || loop_violates(record, known, recorded) == Some(true)
        });
        return match violates {
            None => Confirmation::No(excuse(plan, replayed)),
            Some(true) => Confirmation::Loop,
            Some(false) => Confirmation::No(
                "the infinite run that its letters give does not violate the formula".into(),
            ),
        };
    }
    let level = recorded.verdict;
    match known.and_then(|p| observed(p, replayed)) {
        None => Confirmation::No(excuse(plan, replayed)),
        Some(observed) if confirms(record, plan, level, observed) => Confirmation::Run(observed),
        Some(observed) => Confirmation::No(format!(
            "the run has the verdict {} ({}), not {} ({})",
            observed.symbol(),
            observed.words(),
            level.symbol(),
            level.words()
        )),
    }
}

/// The job that executes a recorded run.
pub fn job(record: &Record, source: PathBuf, linked: Vec<PathBuf>, timeout: Duration) -> Job {
    let mut job = crate::job_for(record, source);
    job.linked = linked;
    job.threads = record.threads;
    job.defines = vec![(format!("BA_{}CHECK", record.infix), "127".to_string())];
    job.timeout = Some(timeout);
    job
}

/// Why no run followed the trace, in words.
fn excuse(plan: &Replay, replayed: &Replayed) -> String {
    let runs = match replayed.attempts {
        1 => "the run".to_string(),
        n => format!("none of {n} runs"),
    };
    let (letters, all) = (replayed.letters, plan.letters.len());
    let did = if replayed.attempts == 1 {
        "gave"
    } else {
        "gave more than"
    };
    match replayed.given_up.as_str() {
        "timeout" => format!("{runs} came to an end in time; {letters} of {all} letters came out"),
        "endless" => format!("{runs} came to the next letter; {letters} of {all} letters came out"),
        "elsewhere" => format!("{runs} came to the label"),
        "discarded" => "the specification discards the run".into(),
        "diverged" | "short" => format!(
            "{runs} {did} {letters} of the {all} recorded letters: the program depends on something that the trace \
             does not say, such as an uninitialised variable or an interleaving within one expression"
        ),
        other => other.to_string(),
    }
}
