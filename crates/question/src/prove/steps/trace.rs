//! Runs of the step form as runs of the threaded program: threads, functions and places are the user's.

use std::collections::BTreeMap;

use cfront::merge::restored;
use cfront::stepped::{OWN, THREAD};
use forms::steps::Stepped;
use forms::Program;
use verify::result::{
    Engine, Event, Finding, FindingKind, PropertyResult, StartedThread, Threads, TraceStep, Verdict,
};
use verify::{explain, STUCK};
use weave::record::{Record, SiteRecord};

/// What the names of a step form stand for.
pub(super) struct Reader<'a> {
    /// The threaded program.
    program: &'a Program,
    /// Its record.
    record: &'a Record,
    /// The functions of the user's program by file: the first and last line, and the name.
    functions: BTreeMap<String, Vec<(u32, u32, String)>>,
    /// The threads besides the main one.
    threads: Threads,
    /// The local variables of the step form, with their names in the program.
    locals: BTreeMap<String, String>,
}

impl<'a> Reader<'a> {
    /// Collects the names.
    pub(super) fn new(stepped: &Stepped, program: &'a Program, record: &'a Record) -> Reader<'a> {
        let lines = &stepped.whole.source.lines;
        let users = |name: &str| match stepped.renamed.is_empty() {
            true => name.to_owned(),
            false => restored(&stepped.renamed, name),
        };
        let mut functions: BTreeMap<String, Vec<(u32, u32, String)>> = BTreeMap::new();
        for (_, function) in stepped.whole.tree.functions.iter() {
            // Those of a program with its letters are no functions of the user's.
            let body = function.body.as_ref();
            let Some(body) = body.filter(|_| !function.name.starts_with("ba_")) else {
                continue;
            };
            let (file, first) = lines.line(body.span.start);
            let (_, last) = lines.line(body.span.end.saturating_sub(1));
            let place = (first, last, users(&function.name));
            functions.entry(file.to_owned()).or_default().push(place);
        }
        let mut threads = Threads::default();
        for (number, thread) in (0..).zip(&stepped.made.threads) {
            let Some(call) = thread.created_at else {
                continue;
            };
            let (file, line) = lines.line(call.start);
            threads.add(StartedThread {
                thread: number,
                routine: users(&thread.function),
                file: file.to_owned(),
                line,
            });
        }
        let locals = stepped.made.locals.iter();
        let locals = locals.map(|l| (l.name.clone(), l.original.clone()));
        Reader {
            program,
            record,
            functions,
            threads,
            locals: locals.collect(),
        }
    }

    /// Gives the run of a result the names and places of the threaded program. The run is explained again
    /// by the property of the threaded program's record, which has no premise about the schedule.
    ///
    /// # Errors
    /// What the letters show instead, if they do not violate the formula.
    pub(super) fn read(&self, result: &mut PropertyResult, number: usize) -> Result<(), String> {
        let record = self.record;
        let run = &mut result.run;
        run.why = None;
        // Sites are those of the step form, which no replay knows.
        run.schedule.clear();
        if run.trace.is_empty() {
            run.left_out = 0;
            return Ok(());
        }
        run.threads = self.threads.clone();
        for tried in &mut result.answer.tried {
            tried.engine = Engine::Steps;
        }
        let start = run.loop_start;
        let mut kept: Vec<TraceStep> = Vec::new();
        let mut begins = None;
        let mut last = 0;
        let mut places = Vec::new();
        for mut step in std::mem::take(&mut run.trace) {
            places.push(kept.len() as u32);
            if start.is_some_and(|start| step.step >= start) && begins.is_none() {
                begins = Some(kept.len() as u32);
            }
            if self.user(&mut step, &mut last) {
                step.step = kept.len() as u32;
                kept.push(step);
            }
        }
        run.loop_start = begins;
        for context in &mut run.contexts {
            let end = kept.len() as u32;
            context.step = places.get(context.step as usize).copied().unwrap_or(end);
            context.event = 0;
        }
        run.trace = kept;
        let stuck = |step: &TraceStep| step.event == Event::End && step.what == STUCK;
        result.answer.deadlock = run.trace.last().is_some_and(stuck);
        let Some(property) = record.properties.get(number) else {
            return Ok(());
        };
        let told = explain(record, property, result);
        // What violates the formula for good need not violate the one with a premise for good: the premise may still fail.
        if told.is_err() && result.answer.verdict == Verdict::PRESUMABLY_FALSE {
            result.answer.verdict = Verdict::FALSE;
            return explain(record, property, result);
        }
        told
    }

    /// Makes a step one of the threaded program; `false` if that has no such step. `last` is the thread that
    /// took the step before.
    fn user(&self, step: &mut TraceStep, last: &mut u32) -> bool {
        step.props.retain(|name, _| !name.contains(OWN));
        step.values.retain(|name, _| !name.contains(OWN));
        let thread = step.function.strip_prefix(THREAD);
        match thread.and_then(|number| number.parse().ok()) {
            Some(thread) => *last = thread,
            // The monitor is no function of the program; and what threads report has no function.
            None if step.function.is_empty() => *last = step.thread,
            None => {}
        }
        // A function that is called within a step belongs to the thread whose step it is.
        step.thread = *last;
        let functions = self.functions.get(&step.file);
        let at = |(first, last, _): &&(u32, u32, String)| (*first..=*last).contains(&step.line);
        match functions.and_then(|all| all.iter().find(at)) {
            Some((_, _, name)) => step.function.clone_from(name),
            None if step.function.starts_with(THREAD) => step.function.clear(),
            None => {}
        }
        step.what = restored(&self.locals, &step.what);
        if step.what.contains(OWN) {
            // The step form has variables of its own in the place of what the program computes.
            let written = || self.program.line(&step.file, step.line);
            step.what = self.recorded(step).or_else(written).unwrap_or_default();
        }
        let outside = !self.functions.contains_key(&step.file);
        match step.event {
            Event::Start => {
                if let Some((file, (line, name))) = self.main() {
                    (step.file, step.line, step.function) = (file, line, name);
                }
                true
            }
            Event::Save | Event::Repeat | Event::End => {
                if outside {
                    (step.file, step.line, step.function) = (String::new(), 0, String::new());
                    step.what = match step.event {
                        Event::Save => "the loop begins".to_owned(),
                        Event::Repeat => "all is as at its begin".to_owned(),
                        _ if step.what == STUCK => STUCK.to_owned(),
                        _ => "the run is over".to_owned(),
                    };
                }
                true
            }
            _ => !outside,
        }
    }

    /// The finding that a run is a deadlock, with what threads wait for at its end.
    pub(super) fn deadlock(&self, result: &PropertyResult) -> Finding {
        let mut last = 0;
        let steps = result.run.trace.iter().cloned();
        let steps = steps.filter_map(|mut step| self.user(&mut step, &mut last).then_some(step));
        verify::deadlock(&steps.collect::<Vec<_>>(), &self.threads)
    }

    /// The finding that a run uses freed memory, at the last place that the run comes to.
    pub(super) fn use_after_free(&self, result: &PropertyResult) -> Finding {
        let mut last = 0;
        let mut at = None;
        for mut step in result.run.trace.iter().cloned() {
            let ends = matches!(step.event, Event::Save | Event::Repeat | Event::End);
            if !ends && self.user(&mut step, &mut last) {
                at = Some(step);
            }
        }
        Finding {
            kind: FindingKind::UseAfterFree,
            message: "some run uses memory after it was freed, or frees it twice".to_owned(),
            file: at.as_ref().map(|step| step.file.clone()),
            line: at.as_ref().map(|step| step.line),
            function: at.map(|step| step.function),
        }
    }

    /// The text of a letter's place in the threaded program, if its line has no other one.
    fn recorded(&self, step: &TraceStep) -> Option<String> {
        let sites = self.record.sites.iter();
        let here = |s: &&SiteRecord| (&s.file, s.line) == (&step.file, step.line);
        let mut all = sites
            .filter(here)
            .filter(|s| verify::event_of(s) == step.event);
        let only = all.next().filter(|_| all.next().is_none());
        only.map(|site| site.what.clone())
    }

    /// Where the program begins.
    fn main(&self) -> Option<(String, (u32, String))> {
        self.functions.iter().find_map(|(file, all)| {
            let main = all.iter().find(|(_, _, name)| name == "main")?;
            Some((file.clone(), (main.0, main.2.clone())))
        })
    }
}
