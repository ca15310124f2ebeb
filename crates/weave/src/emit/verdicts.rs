//! Verdicts as C: the properties with their conditions, and the assertions at ends of runs.

use crate::facts::assertion::Asserted;
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::items::assertion::Assertion;
use crate::items::code::{self, Code};
use crate::layout::weaver::Weaver;
use crate::monitor::{cover_flag, Monitors};
use crate::sites::environment::discard::LevelText;

pub(super) struct PropertyText {
    pub(super) name: String,
    pub(super) state: String,
    /// The number of its state, as a C expression.
    pub(super) value: String,
    pub(super) formula: String,
    pub(super) automaton: Vec<String>,
    pub(super) levels: Vec<LevelText<String>>,
}

/// The reads that the conditions need, and the properties with conditions in terms of these reads.
pub(super) fn property_texts(weaver: &Weaver, monitors: &Monitors) -> (String, Vec<PropertyText>) {
    let levels: Vec<Vec<LevelText<Code>>> = monitors
        .properties
        .iter()
        .map(|p| weaver.level_texts(p))
        .collect();
    let conditions: Vec<&Code> = levels.iter().flatten().map(|l| &l.condition).collect();
    // In programs with models of threads, each condition is emitted three times: for ends, deadlocks and
    // stopped runs.
    let times = if weaver.modelled() { 3 } else { 1 };
    let conditions = conditions.repeat(times);
    let (reads, resolved) = code::resolve(&conditions, &[]);
    let mut resolved = resolved.into_iter();
    let texts = monitors
        .properties
        .iter()
        .zip(levels)
        .map(|(p, levels)| PropertyText {
            name: p.name.clone(),
            state: p.state.clone(),
            value: p.value(),
            formula: user(&p.ltl.replace("*/", "* /").replace(['\n', '\r'], " ")),
            automaton: p
                .description
                .iter()
                .map(|line| user(&line.replace("*/", "* /")))
                .collect(),
            levels: levels
                .into_iter()
                .map(|level| level.with(resolved.next().unwrap_or_default()))
                .collect(),
        })
        .collect();
    (reads, texts)
}

/// The assertions at the end of a run: the levels of all properties, the same for deadlocks, and that no run
/// shows a cover.
pub(super) fn at_end(
    weaver: &Weaver,
    monitors: &Monitors,
    properties: &[PropertyText],
) -> Vec<Assertion> {
    let (models, discarded) = (weaver.modelled(), weaver.void_run().is_some());
    let mut all = Vec::new();
    for p in properties {
        for l in &p.levels {
            all.push(l.assertion(&p.name));
            if models && l.deadlocks {
                let holds = format!("!(({}) && ba_dead)", l.condition);
                all.push(Assertion::new(
                    holds,
                    Asserted::DeadlockOf(&p.name, &l.name),
                ));
            }
        }
    }
    // A discarded run has no verdict.
    let gone = |holds: &str| match discarded {
        true => format!("ba_gone || {holds}"),
        false => holds.to_owned(),
    };
    if models {
        all.push(Assertion::new(gone("!ba_dead"), Asserted::Deadlock));
    }
    if !weaver.analysis.threaded {
        let covers = 0..monitors.covers.len();
        all.extend(
            covers.map(|n| Assertion::new(format!("!{}", cover_flag(n)), Asserted::Cover(n))),
        );
        let areas = weaver.layout.covered_areas.iter();
        all.extend(areas.map(|&n| Assertion::new(format!("!ba_entered_{n}"), Asserted::Area(n))));
        let exits = weaver.layout.covered_exits.iter();
        all.extend(exits.map(|&n| Assertion::new(format!("!ba_left_{n}"), Asserted::Exit(n))));
    }
    let ends = weaver.cut_marks(monitors);
    if weaver.can_be_cut() && (ends.at_cuts || ends.at_end) {
        all.push(Assertion::new(gone("ba_prefix"), Asserted::Ended));
    }
    let end = if discarded { "ba_gone" } else { "0" };
    all.push(Assertion::new(end, Asserted::End));
    if discarded {
        all.push(Assertion::new(gone("!ba_prefix"), Asserted::Cut));
    }
    all
}

/// The most places of cuts that are told apart: each cut asks for all of them.
const MOST_CUTS: usize = 16;

/// The assertions that tell where threads are cut, if there are several such places.
pub(super) fn cuts_at(weaver: &Weaver) -> Vec<Assertion> {
    let sites = weaver.out.sites.iter().enumerate();
    let cuts: Vec<usize> = sites
        .filter(|(_, site)| site.event == SiteEvent::Cut)
        .map(|(number, _)| number)
        .collect();
    if !(2..=MOST_CUTS).contains(&cuts.len()) {
        return Vec::new();
    }
    let elsewhere = |n: usize| match weaver.void_run() {
        Some(void) => format!("{void} || ba_site != {n}"),
        None => format!("ba_site != {n}"),
    };
    let at = |n: usize| Assertion::new(elsewhere(n), Asserted::CutAt(n));
    cuts.into_iter().map(at).collect()
}

/// The assertions about a run that the schedule has stopped: they hold of every prefix of a longer run.
pub(super) fn at_stop(properties: &[PropertyText]) -> Vec<Assertion> {
    let definitive = |p: &PropertyText| {
        let levels = p.levels.iter().filter(|l| l.definitive);
        levels.map(|l| l.assertion(&p.name)).collect::<Vec<_>>()
    };
    properties.iter().flat_map(definitive).collect()
}
