//! `baproduct deepen`: verifies with growing bounds until no property is open.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use forms::{Cause, Failure};
use question::kept::{self, Kept, Subject};
use question::searches::write_sources;
use question::Input;
use serde_json::json;
use verify::deepen::{self, Deepened, Plan, Programs, Round, Stop};
use verify::result::{PropertyResult, VerifyResult};
use verify::store::Key;
use weave::record::{PropertyRecord, Record};

use crate::commands::verify::{self as command, reports};
use crate::options::Output;
use crate::outputs;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct DeepenArgs {
    #[command(flatten)]
    verify: command::Args,
}

/// Wall-clock time for all bounds together, unless `--budget` says otherwise.
const BUDGET: Duration = Duration::from_secs(60);

/// Weaves again when properties are decided, so that greater bounds do without their monitors.
struct Weaver<'a> {
    input: &'a Input,
    backend: &'a dyn backend::Backend,
    options: &'a verify::Options,
    output: &'a Output,
    kept: Kept,
    directory: PathBuf,
    made: Option<(Vec<String>, Record)>,
    woven: u32,
    /// The files that were written last.
    sources: verify::deepen::Sources,
}

impl Weaver<'_> {
    fn weave(&mut self, properties: &[String]) -> anyhow::Result<Record> {
        let whole = self.input.record();
        let all = properties.len() == whole.properties.len();
        let wanted = |p: &PropertyRecord| properties.contains(&p.name);
        let (files, record) = match self.input {
            Input::Woven(files, record) => (files.clone(), record.as_ref().clone()),
            Input::Source(source) if all => (source.whole.files.clone(), whole.clone()),
            Input::Source(source) => {
                // The first weaving printed the notes about the program.
                let quiet = Output {
                    quiet: true,
                    ..self.output.clone()
                };
                let formulas = source.spec.formulas();
                let numbers = (0..formulas).filter(|&n| wanted(&whole.properties[n]));
                let reach = whole.properties[formulas..].iter().any(wanted);
                let numbers: Vec<usize> = numbers.collect();
                let spec = source.spec.part(&numbers, reach, whole.every_event);
                let woven = forms::weave_into(&source.program, &spec, &source.weaving, &quiet)?;
                (woven.files, woven.record)
            }
        };
        self.woven += 1;
        let directory = self.directory.join(self.woven.to_string());
        std::fs::create_dir(&directory)?;
        self.sources = write_sources(&directory, &files)?;
        Ok(record)
    }

    /// The key of results at a bound; `None` if results are not stored, or the program was given
    /// woven.
    fn context(&self, unwind: u32) -> Option<Key> {
        let Input::Source(source) = self.input else {
            return None;
        };
        if !self.kept.is_open() {
            return None;
        }
        let subject = Subject {
            program: &source.program,
            spec: &source.spec,
            weaving: &source.weaving,
            backend: self.backend,
            options: self.options,
        };
        Some(subject.context(unwind, &source.whole.record))
    }

    fn property(&self, name: &str) -> Option<&PropertyRecord> {
        let mut properties = self.input.record().properties.iter();
        properties.find(|p| p.name == name)
    }
}

impl Programs for Weaver<'_> {
    fn program(
        &mut self,
        properties: &[String],
    ) -> Result<(Record, verify::deepen::Sources), String> {
        if let Some((known, record)) = &self.made {
            if known == properties {
                return Ok((record.clone(), self.sources.clone()));
            }
        }
        let record = self.weave(properties).map_err(|e| e.to_string())?;
        self.made = Some((properties.to_vec(), record.clone()));
        Ok((record, self.sources.clone()))
    }

    fn known(&self, unwind: u32, properties: &[String]) -> Vec<PropertyResult> {
        let Some(context) = self.context(unwind) else {
            return Vec::new();
        };
        let records = properties.iter().filter_map(|name| self.property(name));
        records
            .filter_map(|p| self.kept.result(&context, p))
            .collect()
    }

    fn found(&mut self, unwind: u32, properties: &[PropertyResult]) -> Result<(), String> {
        let Some(context) = self.context(unwind) else {
            return Ok(());
        };
        let keyed: Vec<(String, &PropertyResult)> = properties
            .iter()
            .filter_map(|p| Some((kept::key(&context, self.property(&p.asked.name)?), p)))
            .collect();
        let lines = keyed.iter().map(|(key, p)| (key.as_str(), *p));
        self.kept.add(lines).map_err(|e| e.to_string())
    }
}

/// Refuses options that have no meaning here.
fn supported(args: &command::Args) -> anyhow::Result<()> {
    let refuse = |message: &str| Err(Failure::error(Cause::Usage, message));
    args.supported()?;
    if args.bounds().contains(&0) {
        return refuse("--bounds: a bound is at least 1");
    }
    if args.last_bound() == Some(0) {
        return refuse("--unwind: the last bound is at least 1");
    }
    if args.many().group != 0 {
        return refuse(
            "deepen verifies all open properties together; --group is an option of verify",
        );
    }
    if args.wants_safety() {
        return refuse(
            "deepen looks at temporal properties alone; --also-safety is an option of verify",
        );
    }
    Ok(())
}

/// Runs the command.
pub fn run(args: &DeepenArgs, output: &Output) -> anyhow::Result<ExitCode> {
    supported(&args.verify)?;
    reports::check(&args.verify)?;
    let input = command::input(&args.verify, output)?;
    let record = input.record();
    let all: Vec<String> = record.properties.iter().map(|p| p.name.clone()).collect();
    let properties = args.verify.many().selection().named(&all)?;
    let settings = args.verify.settings(properties.len())?;
    let (backend, options) = settings.open_for(record, settings.options.clone())?;
    reports::prepare(&args.verify)?;
    let directory = backend::Scratch::new()?;
    let mut weaver = Weaver {
        input: &input,
        backend: backend.as_ref(),
        options: &options,
        output,
        kept: Kept::open(&args.verify.many().selection(), output)?,
        directory: directory.path().to_path_buf(),
        made: None,
        woven: 0,
        sources: Default::default(),
    };
    let plan = Plan {
        bounds: args.verify.bounds().to_vec(),
        last: args.verify.last_bound(),
        budget: Some(args.verify.budget().unwrap_or(BUDGET)),
    };
    let bar = command::progress::bar(output, 1);
    let format = reports::format(&args.verify);
    let text = format == report::Format::Text;
    let mut told = |round: &Round| {
        if text {
            // A closed standard output is detected at the end.
            let _ = bar.suspend(|| writeln!(std::io::stdout(), "{}", line(round)));
        }
    };
    let deepened = deepen::deepen(
        &mut weaver,
        &properties,
        backend.as_ref(),
        &options,
        &plan,
        &backend::Cancel::new(),
        &mut told,
    )
    .map_err(|e| Failure::error(Cause::Refused, e))?;
    bar.finish_and_clear();
    drop(directory);
    let mut result = last(&deepened);
    if result.premises.assumptions.is_empty() {
        // An earlier run had found all results of the last bound.
        result.premises.assumptions.clone_from(&record.assumptions);
    }
    result
        .premises
        .assumptions
        .extend(args.verify.assumption(record));
    if let Input::Source(source) = &input {
        source.doubt(&mut result);
    }
    verify::handlers::tell(record, &mut result);
    reports::save(&args.verify, &result)?;
    let said = match format {
        report::Format::Json => machine(&deepened, &result)?,
        _ => reports::rendered(&args.verify, output, &result)?,
    };
    let said = match text {
        true => format!("{}\n{said}", conclusion(&deepened)),
        false => said,
    };
    outputs::print(said.as_bytes())?;
    Ok(ExitCode::from(result.exit_status(args.verify.fails_on())))
}

/// The line for a bound: the verdicts of the properties that were open.
fn line(round: &Round) -> String {
    let properties = &round.result.properties;
    let one = |p: &verify::result::PropertyResult| {
        let complete = if p.answer.complete == Some(true) {
            " complete"
        } else {
            ""
        };
        format!("{} {}{complete}", p.asked.name, p.answer.verdict.symbol())
    };
    let verdicts: Vec<String> = match properties.len() {
        0..=8 => properties.iter().map(one).collect(),
        n => vec![format!(
            "{n} properties, {} of them decided here",
            properties.iter().filter(|p| deepen::is_decided(p)).count()
        )],
    };
    format!(
        "unwind {:>3}  {:>7.2} s  {}",
        round.unwind,
        round.seconds,
        verdicts.join(", ")
    )
}

/// The last result of every property, as one result.
fn last(deepened: &Deepened) -> VerifyResult {
    let mut result = match deepened.rounds.last() {
        Some(round) => round.result.clone(),
        None => return VerifyResult::default(),
    };
    result.properties = deepened.properties.iter().map(|(_, p)| p.clone()).collect();
    result.backend.runs = deepened.rounds.iter().map(|r| r.result.backend.runs).sum();
    result.backend.seconds = deepened
        .rounds
        .iter()
        .map(|r| r.result.backend.seconds)
        .sum();
    result
}

/// Why deepening stopped, and the meanings of the sequences.
fn conclusion(deepened: &Deepened) -> String {
    let mut out = match &deepened.stop {
        Stop::Decided => "every property is decided".to_string(),
        Stop::Oscillating => "stopped: larger bounds would go on like this".into(),
        Stop::Bounds => "stopped: this was the last bound".into(),
        Stop::Budget => "stopped: the time is over (--budget)".into(),
        Stop::Unanswered(reason) => format!("stopped: no answer at this bound: {reason}"),
        Stop::Cancelled => "stopped from outside".into(),
    };
    out.push('\n');
    for (_, property) in &deepened.properties {
        let sequence = deepened.sequence(&property.asked.name);
        if let Some(meaning) = deepen::meaning(&sequence).filter(|_| !deepen::is_decided(property))
        {
            out += &format!("{}: {meaning}\n", property.asked.name);
        }
    }
    out
}

fn machine(deepened: &Deepened, result: &VerifyResult) -> anyhow::Result<String> {
    let round = |round: &Round| {
        let properties: Vec<_> = round
            .result
            .properties
            .iter()
            .map(|p| json!({ "name": p.asked.name, "verdict": p.answer.verdict.name(), "complete": p.answer.complete, "reason": p.answer.reason }))
            .collect();
        json!({ "unwind": round.unwind, "seconds": round.seconds, "properties": properties })
    };
    let mut value = serde_json::to_value(result)?;
    value["rounds"] = deepened.rounds.iter().map(round).collect();
    value["stopped"] = json!(deepened.stop.name());
    let reason = match &deepened.stop {
        Stop::Unanswered(reason) => json!(reason),
        _ => json!(null),
    };
    value["stopped_reason"] = reason;
    let meanings = deepened.properties.iter().map(|(unwind, p)| {
        let sequence = deepened.sequence(&p.asked.name);
        let verdicts: Vec<_> = sequence.iter().map(|(_, v)| *v).collect();
        json!({ "name": p.asked.name, "decided": deepen::is_decided(p), "oscillates": deepen::oscillates(&verdicts),
            "meaning": deepen::meaning(&sequence), "unwind": unwind })
    });
    value["sequences"] = meanings.collect();
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}
