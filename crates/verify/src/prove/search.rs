//! The search for a proof. It drops candidates until the rest is inductive, then checks obligations
//! and edges; if these fail, it adds further candidates.

use std::collections::BTreeSet;
use std::time::Duration;

use backend::{
    Answer, Backend, Cancel, OtherFailure, OtherKind, Outcome as Answered, Selection, Traces,
};
use induction::candidates::{self, Levels, Stage};
use induction::emit::{self, Queries, PREFIX};
use induction::houdini::{Candidate, Houdini};
use induction::ranking::Edge;
use induction::System;
use weave::check;
use weave::heads::Judged;

mod close;
mod combine;
mod defined;
mod found;
mod graph;
mod obligations;
mod settle;
mod steps;
mod strengthen;
mod ways;

use self::ways::{Allowance, Combined, PART};
use super::attempt::{Attempt, Judging};
use super::system::{obstacle, system, DEPTHS, SUMMARISED};
use super::unrolled::Unrolled;
use super::{Limits, Outcome, Proof, Task, Used};
use crate::job::job_for;

/// The greatest number of assertions in one run.
const ASSERTIONS: usize = 4000;
/// The time of an expensive question without a time limit.
const PATIENCE: Duration = Duration::from_secs(30);
/// The greatest k of an induction.
const DEEPEST: u32 = 4;

/// The beginning of the reason if a loop goes round too often.
const NOT_FOLLOWED: &str = "a loop or a function that the proof does not follow";

/// The reason that a recursion is deeper than it is followed at first.
const DEEPER: &str = "a recursion is deep";

/// The search for a proof: the system, the remaining candidates, and the used resources.
pub struct Search<'a> {
    task: &'a Task,
    backend: &'a dyn Backend,
    limits: &'a Limits,
    cancel: &'a Cancel,
    told: &'a dyn Fn(&str),
    judged: &'a Judged,
    /// The depth to which recursions are followed.
    depth: u32,
    /// The loops that are followed instead of being cut.
    unrolled: Unrolled,
    /// Whether all short stages are one, since what says how often such a loop goes round needs the others.
    together: bool,
    system: System,
    claims: Houdini,
    pub used: Used,
    /// The k of the induction that excludes forbidden states.
    k: u32,
    /// Whether the remaining candidates are inductive.
    settled: bool,
    /// The invariants that were shown before the last candidates were added.
    before: Vec<(String, Vec<String>)>,
    /// The number of the first candidate that the last step added.
    first: usize,
    /// Whether a question may use all remaining time.
    patient: bool,
    /// Whether a question that takes long is asked in another way.
    hurries: bool,
    /// The edges for which no ranking function was found.
    open: Vec<Edge>,
    /// The number of questions to the model checker.
    asked: u32,
    /// Where other ways are tried.
    allowed: Allowance,
    /// The combinations of values in which heads are reached, if they were found.
    combined: Option<Combined>,
    /// Whether only runs that do nothing undefined are asked about.
    assumes_defined: bool,
    /// What is known if that of these runs is shown, in words.
    of_defined: Option<String>,
}

/// How the runs of the one property of a task are judged.
///
/// # Errors
/// Why no proof is looked for.
pub(super) fn judged(task: &Task) -> Result<&Judged, String> {
    let [judged] = task.heads.judged.as_slice() else {
        return Err("a proof is looked for one property at a time".into());
    };
    if !task.record.infix.is_empty() {
        return Err("the program has names that begin with `ba_`".into());
    }
    if task.record.properties.iter().any(|p| p.monitor == "buchi") {
        return Err("the formula's monitor guesses".into());
    }
    Ok(judged)
}

/// The system of a property; recursions are followed to a depth.
pub(super) fn described(
    task: &Task,
    judged: &Judged,
    depth: u32,
    unrolled: &Unrolled,
) -> Result<System, String> {
    let heads = unrolled.without(&task.heads);
    let mut system = system(&heads, judged, &task.text, &task.added, depth)?;
    system.followed = unrolled.sites().to_vec();
    system.measure(&task.hints.measures);
    Ok(system)
}

/// The answers of one run.
struct Said {
    answer: Answer,
}

impl Said {
    fn fails(&self, text: &str) -> bool {
        self.answer.outcomes.get(&format!("{PREFIX}{text}")) == Some(&Answered::Fails)
    }

    fn holds(&self, text: &str) -> bool {
        self.answer.outcomes.get(&format!("{PREFIX}{text}")) == Some(&Answered::Holds)
    }
}

impl<'a> Search<'a> {
    pub fn new(
        task: &'a Task,
        backend: &'a dyn Backend,
        limits: &'a Limits,
        cancel: &'a Cancel,
        told: &'a dyn Fn(&str),
    ) -> Result<Search<'a>, String> {
        let judged = judged(task)?;
        let depth = match Self::follows(task) {
            // Functions that call each other have too many activations at any depth.
            true if task.heads.recursive.len() > 1 && obstacle(&task.heads).is_ok() => SUMMARISED,
            true => DEPTHS[0],
            false => SUMMARISED,
        };
        let unrolled = Unrolled::suggested(&task.heads, &task.hints.loops, true);
        Ok(Search {
            task,
            backend,
            limits,
            cancel,
            told,
            judged,
            depth,
            system: described(task, judged, depth, &unrolled)?,
            unrolled,
            together: false,
            claims: Houdini::default(),
            used: Used::default(),
            k: 1,
            settled: false,
            before: Vec::new(),
            first: 0,
            patient: true,
            hurries: false,
            open: Vec::new(),
            asked: 0,
            allowed: Allowance::default(),
            combined: None,
            assumes_defined: false,
            of_defined: None,
        })
    }

    fn describe(&mut self) -> Result<(), String> {
        self.system = described(self.task, self.judged, self.depth, &self.unrolled)?;
        self.claims.reopen();
        self.combined = None;
        Ok(())
    }

    /// Runs the search. The error says why there is no proof.
    pub fn run(&mut self) -> Result<Outcome, String> {
        let mut found = self.attempt();
        if matches!(&found, Err(why) if why == DEEPER) {
            self.restart(SUMMARISED)?;
            found = self.attempt();
        }
        let done = matches!(found, Ok(Outcome::Proved(_))) || self.is_over();
        if done || self.depth != SUMMARISED || !Self::follows(self.task) {
            return found;
        }
        let shown = self.shown();
        self.restart(DEPTHS[1])?;
        match (self.attempt(), found) {
            (Ok(Outcome::Proved(proof)), _) => Ok(Outcome::Proved(proof)),
            (_, Err(why)) => Ok(Outcome::Open(why, shown)),
            (_, open) => open,
        }
    }

    /// Whether recursive functions can be followed to some depth.
    fn follows(task: &Task) -> bool {
        let mut all = task.heads.recursive.iter();
        !all.any(|r| r.loops)
    }

    /// Begins again with another depth of recursions.
    fn restart(&mut self, depth: u32) -> Result<(), String> {
        self.depth = depth;
        self.unrolled = Unrolled::suggested(&self.task.heads, &self.task.hints.loops, true);
        self.forget()
    }

    fn attempt(&mut self) -> Result<Outcome, String> {
        loop {
            let found = self.stages();
            match &found {
                Err(why) if why.starts_with(NOT_FOLLOWED) && !self.unrolled.is_empty() => {
                    let loops = &self.task.hints.loops;
                    self.together = self.unrolled.is_indexing() && !self.together;
                    if !self.together {
                        self.unrolled = self.unrolled.fewer(&self.task.heads, loops);
                    }
                    self.forget()?;
                }
                _ => return found,
            }
        }
    }

    /// Begins again, and cuts all loops.
    fn cut_all(&mut self) -> Result<(), String> {
        self.unrolled = Unrolled::default();
        self.forget()
    }

    /// Describes the system anew, without candidates.
    fn forget(&mut self) -> Result<(), String> {
        self.claims = Houdini::default();
        self.settled = false;
        self.before.clear();
        self.describe()
    }

    /// Adds the candidates of a stage, and drops those that fail. Returns the answers of the last run; none if no candidate about
    /// sums is left.
    fn invariants_of(&mut self, stage: Stage) -> Result<Option<Said>, String> {
        let known: BTreeSet<usize> = self.claims.left().map(|(i, _)| i).collect();
        // What the other stages add tells at least of which conditions none is an invariant.
        let optional = matches!(
            stage,
            Stage::Placed | Stage::Sums | Stage::Elements | Stage::Arrays | Stage::Modes
        );
        let adds_nothing = |search: &Self| optional && search.claims.len() == known.len();
        self.unsettle();
        let first = match stage {
            Stage::Plain if self.together => &[Stage::Modes, Stage::Arrays][..],
            _ => &[],
        };
        if stage == Stage::Arrays {
            // What is not inductive alone may be so with the sums.
            self.claims.forget_dropped();
        }
        for &stage in first.iter().chain([&stage]) {
            candidates::add(&self.system, &self.task.hints, stage, &mut self.claims);
        }
        if adds_nothing(self) {
            self.settled = true;
            return Ok(None);
        }
        // Equations of long sums may be too hard for the model checker; other stages can do without.
        self.patient = !optional;
        let settled = self.settle();
        self.patient = true;
        let mut said = match settled {
            Err(why) if optional && !why.starts_with(NOT_FOLLOWED) && !self.is_over() => {
                self.keep_only(&known);
                return Ok(None);
            }
            settled => settled?,
        };
        if said.fails("cut") && self.depth == DEPTHS[0] {
            if obstacle(&self.task.heads).is_ok() {
                return Err(DEEPER.into());
            }
            // Candidates that were dropped fail at any greater depth, too.
            self.depth = DEPTHS[1];
            self.describe()?;
            said = self.settle()?;
        }
        Ok((!adds_nothing(self)).then_some(said))
    }

    /// Remembers what is shown, before more candidates are added.
    fn unsettle(&mut self) {
        self.before = self.shown();
        self.settled = false;
        self.first = self.claims.total();
    }

    /// Drops all candidates but these, which are inductive.
    fn keep_only(&mut self, known: &BTreeSet<usize>) {
        let left: Vec<usize> = self.claims.left().map(|(i, _)| i).collect();
        let other = left.into_iter().filter(|i| !known.contains(i));
        other.for_each(|i| self.claims.drop_candidate(i));
        self.settled = true;
    }

    /// Shows as many invariants as it can, for another prover, which cuts all loops.
    pub fn shows(&mut self) -> Result<(), String> {
        self.cut_all()?;
        for stage in [Stage::Plain, Stage::Phased] {
            candidates::add(&self.system, &self.task.hints, stage, &mut self.claims);
            self.settle()?;
        }
        Ok(())
    }

    /// The shown conditions, each with the number of its head.
    pub fn conditions(&self) -> Vec<(usize, String)> {
        let of = |c: &Candidate| {
            let condition = c.claim.condition()?.into_owned();
            Some((self.system.cuts[c.cut].number, condition))
        };
        self.claims.left().filter_map(|(_, c)| of(c)).collect()
    }

    /// If no invariant suffices: finds a `k` such that `k` rounds of the loops without a violation
    /// are always followed by another one. Returns `k`, or why there is none.
    fn deeper(&mut self) -> Result<u32, String> {
        let mut why = String::new();
        if self.system.summarises() {
            return Err(why);
        }
        for k in 2..=DEEPEST {
            (self.told)(&format!("induction with k = {k}"));
            (self.k, self.patient) = (k, false);
            let said = self.ask(&Queries {
                claims_are_known: true,
                rounds: k,
                ..Queries::default()
            });
            (self.k, self.patient) = (1, true);
            match said.and_then(|said| self.obligations(&said)) {
                Ok(()) => return Ok(k),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// The model checker's bound for loops: each jump to a label adds one, because all jumps to one
    /// label are a single loop for it.
    fn unwind(&self) -> u32 {
        let jumps = self.task.heads.heads.iter().filter(|h| h.counter.is_some());
        let recursion = match self.task.heads.recursive.is_empty() {
            true => 0,
            false => self.depth,
        };
        let once = 1 + jumps.count() as u32;
        let deeper = match self.k {
            0 | 1 => 0,
            k => k * once,
        };
        self.task.skips + (2 + once + recursion + deeper).max(self.unrolled.unwind())
    }

    /// Runs the model checker once.
    fn ask(&mut self, queries: &Queries) -> Result<Said, String> {
        self.run_once(queries, (Selection::All, Traces::None), false)
    }

    /// Runs the model checker once for assertions with these texts, and for the heads on the runs that violate them.
    fn ask_for_traces(
        &mut self,
        queries: &Queries,
        wanted: BTreeSet<String>,
    ) -> Result<Said, String> {
        let shown = [emit::HERE, emit::BEHIND, emit::FROM].map(String::from);
        let traces = Traces::Prefixes(shown.to_vec());
        self.run_once(queries, (Selection::Only(wanted), traces), false)
    }

    fn run_once(
        &mut self,
        queries: &Queries,
        (selection, traces): (Selection, Traces),
        checked: bool,
    ) -> Result<Said, String> {
        let queries = &Queries {
            skips: self.task.skips,
            ..queries.clone()
        };
        let text = [
            emit::prologue(&self.system, &self.claims, queries),
            self.task.text.clone(),
            emit::epilogue(&self.system, &self.claims, queries),
        ];
        let path = self.task.directory.join("prove.c");
        std::fs::write(&path, text.concat()).map_err(|e| e.to_string())?;
        let mut job = job_for(&self.task.record, path);
        let mask =
            check::FALSE | check::PRESUMABLY_FALSE | check::END | check::INTERNAL | check::CUT;
        job.defines = vec![("BA_CHECK".into(), mask.to_string())];
        // A head is reached at most twice; the third time is only for the assertion that it is not.
        job.unwind = Some(self.unwind());
        (job.selection, job.traces) = (selection, traces);
        (job.safety, job.avoids_undefined) = (checked, self.assumes_defined);
        job.memory_mib = self.limits.memory_mib;
        let left = self.left();
        if self.is_over() {
            return Err(self.ended().into());
        }
        let patience = match self.patient {
            true => left,
            false => Some(left.map_or(PATIENCE, |l| l / PART)),
        };
        let soon = self.hurries.then(|| self.soon());
        let limits = [patience, self.limits.timeout, soon];
        job.timeout = limits.into_iter().flatten().min();
        let finished = self.backend.run(&job, self.cancel);
        self.asked += 1;
        self.used.runs += finished.usage.runs;
        self.used.seconds += finished.usage.seconds;
        let answer = finished.result.map_err(|failure| match self.is_over() {
            // The last run had only the remaining time, so its own limit would mislead the reader.
            true => self.ended().into(),
            false => failure.to_string(),
        })?;
        if let Some((text, why)) = answer.undecided.iter().next() {
            return Err(format!("the model checker left `{text}` open: {why}"));
        }
        // Runs end where a timer has no room: nothing is known of them.
        let timers = format!("{PREFIX}internal:timers");
        if answer.outcomes.get(&timers) == Some(&Answered::Fails) {
            return Err(
                "the formula may have to remember more times at once than it has room for".into(),
            );
        }
        // What a function without a body is assumed not to change, it does not change here.
        let harmless = |text: &str| {
            let name = text.split_whitespace().last();
            name.is_some_and(|name| self.task.heads.own.harmless.contains(name))
        };
        let wrong = |other: &&OtherFailure| match other.kind {
            OtherKind::Unwinding => true,
            OtherKind::NoBody => !harmless(&other.text),
            OtherKind::Program => false,
        };
        if let Some(other) = answer.other_failures.iter().find(wrong) {
            return Err(format!("{NOT_FOLLOWED}: {}", other.text));
        }
        Ok(Said { answer })
    }

    /// Checks that infinite runs are excluded. The inner error says why they are not.
    fn infinite(&mut self, said: &Said) -> Result<Result<Proof, String>, String> {
        let levels = candidates::ranks(&self.system, &self.task.hints);
        let mut coarse = self.attempt_of(said)?;
        if self.close(&mut coarse, &levels.cheap)? {
            return Ok(Ok(self.proof(&coarse)));
        }
        self.open = coarse.open();
        let resists = self.resists(&self.open);
        match self.finer(said, &mut coarse, &levels) {
            Ok(Some(proof)) => return Ok(Ok(proof)),
            Ok(None) => {}
            Err(ended) => return Err(format!("{resists}; then {ended}")),
        }
        let overflow = match coarse.overflows {
            true => "; the functions that were found fall only because a signed integer overflows",
            false => "",
        };
        Ok(Err(resists + overflow))
    }

    /// An argument about the edges as heads are split now, without functions yet.
    fn attempt_of(&mut self, said: &Said) -> Result<Attempt, String> {
        let graph = self.edges(said)?;
        Ok(Attempt::new(graph, Judging::of(self.judged, &self.system)))
    }

    /// Splits the heads of the edges that are open, and tries the dearer functions.
    fn finer(
        &mut self,
        said: &Said,
        coarse: &mut Attempt,
        Levels { cheap, dear }: &Levels,
    ) -> Result<Option<Proof>, String> {
        let plain = self.system.phases.clone();
        let open = coarse.open();
        let heads: BTreeSet<usize> = open.iter().map(|e| e.from.0).collect();
        if self.split_by_combinations(&heads) {
            let mut attempt = self.attempt_of(said)?;
            if self.close(&mut attempt, cheap)? {
                return Ok(Some(self.proof(&attempt)));
            }
            self.system.phases = plain.clone();
        }
        let mut fine = None;
        if induction::split::split(&mut self.system, &self.task.hints, &self.claims, &heads) {
            let phases = self.system.phases.clone();
            let mut attempt = self.attempt_of(said)?;
            if self.close(&mut attempt, cheap)? {
                return Ok(Some(self.proof(&attempt)));
            }
            self.system.phases = plain.clone();
            fine = Some((attempt, phases));
        }
        if self.close(coarse, dear)? {
            return Ok(Some(self.proof(coarse)));
        }
        if let Some((mut attempt, phases)) = fine {
            self.system.phases = phases;
            if self.close(&mut attempt, dear)? {
                return Ok(Some(self.proof(&attempt)));
            }
            self.system.phases = plain;
        }
        Ok(None)
    }

    fn resists(&self, component: &[Edge]) -> String {
        let heads: BTreeSet<usize> = component.iter().map(|e| e.from.0).collect();
        let places: Vec<String> = heads
            .iter()
            .map(|h| self.place(&self.system.cuts[*h].number.to_string()))
            .collect();
        format!(
            "no ranking function was found for runs that stay for ever in {}",
            places.join(" and ")
        )
    }
}
