//! The engine for all schedules of a threaded program: all states of its step form.

use std::sync::Arc;
use std::time::Duration;

use ::verify::portfolio::{Board, Search, Stage};
use ::verify::result::{Asked, Engine, Event, Holds, PropertyResult, TraceStep, VerifyResult};
use sequentialise::Fairness;
use weave::record::Record;

use super::Question;
use crate::commands::prove;
use crate::commands::verify::Source;
use crate::options::Output;
use crate::pipeline;
use crate::pipeline::steps::{self as form, Stepped};

/// How long the bounded search has the machine for itself.
const ALONE: Duration = Duration::from_millis(400);

/// What names of the step form begin with.
const OWN: &str = "sequential_";

/// All states, on all schedules.
pub(super) struct Steps<'a> {
    question: &'a Question<'a>,
    output: &'a Output,
}

impl<'a> Steps<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a Output) -> Self {
        Steps { question, output }
    }

    /// Whether it is asked, and applies.
    pub(super) fn applies(&self) -> bool {
        let source = self.question.source;
        let threads = source.whole.record.threads;
        threads && source.spec.formulas() > 0 && self.question.engines.has(Engine::Steps)
    }

    fn fairness(&self) -> Fairness {
        self.question.args.fairness.unwrap_or_default().into()
    }

    /// The results of the formulas of one question about the step form.
    fn asked(
        &self,
        program: &Arc<pipeline::Program>,
        threads: &[String],
        asked: &form::Asked,
        board: &Board,
    ) -> anyhow::Result<Vec<PropertyResult>> {
        let question = self.question;
        let weaving = form::stepping(&question.source.weaving);
        let woven = pipeline::try_weave(program, &asked.spec, &weaving, self.output)?;
        let whole = match woven {
            Ok(whole) => Arc::new(whole),
            Err(refused) => {
                let why = refused.first(program).unwrap_or_default();
                let why =
                    format!("the step form does not have what the specification names: {why}");
                return Ok(asked.numbers.iter().map(|&n| self.open(n, &why)).collect());
            }
        };
        let source = Source {
            program: Arc::clone(program),
            spec: asked.spec.clone(),
            weaving,
            whole,
        };
        let result = prove::answers(&prove::Question {
            source: &source,
            backend: question.backend,
            options: question.options,
            until: Some(question.until),
            output: self.output,
            ways: prove::Ways {
                explicit: true,
                ..prove::Ways::default()
            },
            states: prove::STATES,
            questions: None,
            certificate: None,
            board,
        })?;
        let record = &question.source.whole.record;
        let mut properties = Vec::new();
        for property in result.properties {
            let lines = |file: &str, line: u32| question.source.program.line(file, line);
            properties.push(of_threads(property, record, threads, &lines));
        }
        Ok(properties)
    }

    /// The result of a property that is not answered.
    fn open(&self, number: usize, why: &str) -> PropertyResult {
        let record = &self.question.source.whole.record.properties[number];
        PropertyResult::unknown(&record.name, &record.ltl, why)
    }

    fn premises(&self, fair: bool) -> ::verify::result::Premises {
        let question = self.question;
        let mut assumptions = question.options.assumptions(&question.source.whole.record);
        if fair {
            let name = question.args.fairness.unwrap_or_default();
            assumptions.push(name.sentence().to_owned());
        }
        ::verify::result::Premises {
            assumptions,
            schedules: Some(::verify::result::Schedules::All),
            ..::verify::result::Premises::default()
        }
    }
}

impl Search<anyhow::Error> for Steps<'_> {
    fn engine(&self) -> Engine {
        Engine::Steps
    }

    fn stage(&self) -> Stage {
        match self.question.engines.has(Engine::Bounded) {
            true => Stage::Beside(ALONE),
            false => Stage::First,
        }
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let source = question.source;
        let scratch = backend::Scratch::new()?;
        let stepped = source
            .program
            .stepped(&source.weaving, scratch.path(), self.output)?;
        let mut result = VerifyResult {
            tool_version: env!("CARGO_PKG_VERSION").to_string(),
            ..VerifyResult::default()
        };
        let program = question.backend.program();
        result.backend.name = program.kind.name().to_string();
        result.backend.version = program.version.to_string();
        let Stepped { program, threads } = match stepped {
            Ok(stepped) => stepped,
            Err(why) => {
                let all = 0..source.spec.formulas();
                result.properties = all.map(|number| self.open(number, &why)).collect();
                return Ok(result);
            }
        };
        let program = Arc::new(program);
        let (all, unasked) = source.spec.about_steps(threads.len(), self.fairness());
        let mut fair = false;
        for unasked in unasked {
            result
                .properties
                .push(self.open(unasked.number, &unasked.why));
        }
        for asked in &all {
            let found = self.asked(&program, &threads, asked, board)?;
            let decided = |p: &PropertyResult| p.answer.holds != Holds::Unknown;
            fair |= asked.fair && found.iter().any(decided);
            result.properties.extend(found);
        }
        prove::sharpen(source, &mut result);
        result.premises = self.premises(fair);
        Ok(result)
    }
}

/// A result about the step form as one about the threaded program: the user's formula, names and steps.
fn of_threads(
    mut property: PropertyResult,
    record: &Record,
    threads: &[String],
    lines: &dyn Fn(&str, u32) -> Option<String>,
) -> PropertyResult {
    let mut properties = record.properties.iter();
    if let Some(known) = properties.find(|p| p.name == property.asked.name) {
        property.asked = Asked {
            explanation: known.explanation.clone(),
            expect: property.asked.expect,
            ..Asked::named(&known.name, &known.ltl)
        };
    }
    property
        .answer
        .vacuity
        .parts
        .retain(|part| !part.what.contains(OWN));
    for tried in &mut property.answer.tried {
        tried.engine = Engine::Steps;
    }
    let run = &mut property.run;
    let before = run.trace.len();
    let kept = run.trace.drain(..).filter(|step| !is_own(step)).collect();
    run.trace = kept;
    run.left_out += u32::try_from(before - run.trace.len()).unwrap_or_default();
    // They are events of the step form, which no execution of the program has.
    run.schedule.clear();
    for step in &mut run.trace {
        if step.file == GENERATED {
            (step.file, step.line) = (String::new(), 0);
            match step.event {
                Event::Save => "the run comes back to this state".clone_into(&mut step.what),
                Event::Repeat => "the state is the same".clone_into(&mut step.what),
                _ => {}
            }
        }
        if step.what.contains(OWN) {
            // The step form has its own variables in the place of what the program computes.
            step.what = lines(&step.file, step.line).unwrap_or_default();
        }
        step.props.retain(|name, _| !name.contains(OWN));
        step.values.retain(|name, _| !name.contains(OWN));
        let thread = step.function.strip_prefix("sequential_thread_");
        let thread = thread.and_then(|number| number.parse::<u32>().ok());
        if let Some(thread) = thread {
            step.thread = thread;
            if let Some(function) = threads.get(thread as usize) {
                step.function.clone_from(function);
            }
        }
    }
    property
}

/// Whether a step of a trace is one of the step form itself.
fn is_own(step: &TraceStep) -> bool {
    let marks = matches!(
        step.event,
        Event::Start | Event::Save | Event::Repeat | Event::End
    );
    !marks && step.file == GENERATED
}

/// The name of the lines that are not the user's.
const GENERATED: &str = "sequentialised";
