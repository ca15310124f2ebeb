//! Many properties of one program: in groups, with results that are kept on the way.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use verify::groups::{self, Grouping};
use verify::result::{BackendInfo, PropertyResult, VerifyResult};
use verify::store::{Key, Store};
use weave::record::Record;

use crate::exit::{Ended, Status};
use crate::options::{Output, Weaving};
use crate::pipeline::{self, Program, SpecFile};

/// How many properties are verified.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// Verify only the properties whose names match; `*` and `?` match anything
    #[arg(long, value_name = "NAME", help_heading = "Many properties")]
    pub only: Vec<String>,
    /// Properties in one run of the model checker at most [default: as many as the memory limit lets
    /// expect]
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Many properties"
    )]
    pub group: usize,
    /// Keep the results in this file, a line of JSON for each, as they come
    #[arg(long, value_name = "FILE.jsonl", help_heading = "Many properties")]
    pub results: Option<PathBuf>,
    /// Go on with the results file of a run that was interrupted
    #[arg(long, requires = "results", help_heading = "Many properties")]
    pub resume: bool,
}

/// Everything that is the same for all groups.
pub struct Job<'a> {
    /// The program.
    pub program: &'a Program,
    /// The specification with all its formulas.
    pub spec: &'a SpecFile,
    /// How it is woven.
    pub weaving: &'a Weaving,
    /// The command line's part.
    pub args: &'a Options,
    /// The model checker.
    pub backend: &'a dyn backend::Backend,
    /// How it is run.
    pub options: &'a verify::Options,
    /// What is said.
    pub output: &'a Output,
}

/// Verifies all properties. `whole` is the program with all monitors.
pub fn run(job: &Job, whole: pipeline::Woven) -> anyhow::Result<VerifyResult> {
    let directory = tempfile::Builder::new().prefix("baproduct-").tempdir()?;
    let units = units(job.spec, &whole.record);
    let names: Vec<String> = whole
        .record
        .properties
        .iter()
        .map(|p| p.name.clone())
        .collect();
    let wanted: Vec<usize> = chosen(job, &units, &names)?;
    let context = context(job);
    let (store, mut found) = open(job)?;
    let mut empty = empty(job);
    empty.properties = wanted
        .iter()
        .flat_map(|&unit| &units[unit])
        .map(|&p| waiting(&whole.record, p))
        .collect();
    let mut kept = Vec::new();
    let mut open = Vec::new();
    for unit in wanted {
        let known = units[unit].iter().map(|&p| {
            let key = key(&context, &whole.record, p);
            found.remove(&key)
        });
        match known.collect::<Option<Vec<PropertyResult>>>() {
            Some(results) => kept.extend(results),
            None => open.push(unit),
        }
    }
    let unwind = job.options.unwind.unwrap_or(whole.record.unwind);
    empty.unwind = Some(unwind);
    let grouping = Grouping {
        largest: job.args.group,
        memory_mib: job.options.memory_mib,
    };
    let groups = groups::plan(&open, &grouping, whole.text.len(), unwind);
    let cancel = backend::Cancel::new();
    let keys = keys(&context, &whole.record);
    let mut host = Host {
        job,
        keys,
        units: &units,
        whole_events: whole.record.every_event,
        directory: directory.path(),
        written: 0,
        store,
        cancel: cancel.clone(),
        progress: progress(job.output, open.len()),
        all: (groups.len() == 1 && open.len() == units.len()).then_some(whole),
        kept: kept.len(),
    };
    let parallel = parallel(job.options.jobs, groups.len());
    let options = verify::Options {
        jobs: if parallel > 1 { 1 } else { job.options.jobs },
        ..job.options.clone()
    };
    let bar = host.progress.clone();
    let quiet = |what: &str| bar.set_message(what.to_owned());
    let verify = |woven: &OnDisk| {
        let (record, source) = (&woven.record, &woven.source);
        verify::verify(record, source, job.backend, &options, &cancel, &quiet)
    };
    let done = groups::run(groups, parallel, &mut host, &verify);
    host.progress.finish_and_clear();
    let done = done?;
    if cancel.is_cancelled() {
        interrupted(job, &host);
    }
    Ok(groups::join(done, kept, empty))
}

/// What is scheduled: each formula, and all labels to be reached together, since one assertion more
/// costs nothing. A unit is a list of indices of the record's properties.
fn units(spec: &SpecFile, record: &Record) -> Vec<Vec<usize>> {
    let formulas = spec.formulas();
    let mut units: Vec<Vec<usize>> = (0..formulas).map(|i| vec![i]).collect();
    if record.properties.len() > formulas {
        units.push((formulas..record.properties.len()).collect());
    }
    units
}

/// The units that `--only` leaves.
fn chosen(job: &Job, units: &[Vec<usize>], names: &[String]) -> anyhow::Result<Vec<usize>> {
    let all = 0..units.len();
    if job.args.only.is_empty() {
        return Ok(all.collect());
    }
    let matches = |pattern: &String, unit: usize| {
        units[unit]
            .iter()
            .any(|&p| spec::matches_glob(pattern, &names[p]))
    };
    if let Some(none) = job
        .args
        .only
        .iter()
        .find(|pattern| !all.clone().any(|unit| matches(pattern, unit)))
    {
        let message = format!("--only: no property is called `{none}`");
        return Err(Ended::error(Status::Usage, message));
    }
    let wanted = |unit: &usize| job.args.only.iter().any(|pattern| matches(pattern, *unit));
    Ok(all.filter(wanted).collect())
}

/// Groups at a time.
fn parallel(jobs: usize, groups: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = if jobs == 0 { cores } else { jobs };
    most.min(groups).max(1)
}

/// All that the verdict of every property depends on.
fn context(job: &Job) -> Key {
    let (program, options, weaving) = (job.backend.program(), job.options, job.weaving);
    let unwindset = format!("{:?}", options.unwindset);
    let how = format!(
        "{:?} {:?} {} {:?} {}",
        options.unwind, weaving.monitor, weaving.strict, options.extra_args, program.version
    );
    Key::default()
        .with(env!("CARGO_PKG_VERSION"))
        .with(job.program.text())
        .with(job.spec.text())
        .with(program.kind.name())
        .with(unwindset)
        .with(how)
}

fn key(context: &Key, record: &Record, property: usize) -> String {
    let property = &record.properties[property];
    context.with(&property.name).with(&property.ltl).digits()
}

fn keys(context: &Key, record: &Record) -> HashMap<String, String> {
    let names = record.properties.iter().map(|p| p.name.clone());
    names.zip((0..).map(|p| key(context, record, p))).collect()
}

/// The results file, and what it holds from an earlier run.
fn open(job: &Job) -> anyhow::Result<(Option<Store>, HashMap<String, PropertyResult>)> {
    let Some(path) = &job.args.results else {
        return Ok(Default::default());
    };
    let fail = |e: std::io::Error| {
        let message = format!("cannot write {}: {e}", path.display());
        Ended::error(Status::Failure, message)
    };
    if job.args.resume {
        let (store, kept) = Store::resume(path).map_err(fail)?;
        if kept.damaged > 0 && !job.output.quiet {
            let lines = kept.damaged;
            eprintln!(
                "warning: {lines} lines of {} cannot be read",
                path.display()
            );
        }
        return Ok((Some(store), kept.results));
    }
    match Store::create(path) {
        Ok(store) => Ok((Some(store), HashMap::new())),
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Err(Ended::error(
            Status::Usage,
            format!(
                "{} exists; go on with it by --resume, or remove it",
                path.display()
            ),
        )),
        Err(e) => Err(fail(e)),
    }
}

fn progress(output: &Output, count: usize) -> ProgressBar {
    let shown = !output.quiet && count > 1 && std::io::stderr().is_terminal();
    let target = match shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    let style = ProgressStyle::with_template("{pos}/{len} properties, {elapsed} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A woven program in a file of its own.
struct OnDisk {
    record: Record,
    source: PathBuf,
}

struct Host<'a> {
    job: &'a Job<'a>,
    /// The key of each property's result, by name.
    keys: HashMap<String, String>,
    units: &'a [Vec<usize>],
    whole_events: bool,
    directory: &'a Path,
    written: usize,
    store: Option<Store>,
    cancel: backend::Cancel,
    progress: ProgressBar,
    /// The program with all monitors, if that is the only group.
    all: Option<pipeline::Woven>,
    /// Results of an earlier run.
    kept: usize,
}

impl groups::Host for Host<'_> {
    type Woven = OnDisk;
    type Error = anyhow::Error;

    fn weave(&mut self, properties: &[usize]) -> anyhow::Result<OnDisk> {
        let woven = match self.all.take() {
            Some(woven) => woven,
            None => {
                let formulas = self.job.spec.formulas();
                let own: Vec<usize> = properties
                    .iter()
                    .copied()
                    .filter(|&u| u < formulas)
                    .collect();
                let reach = properties.iter().any(|&u| u >= formulas);
                let part = self.job.spec.part(&own, reach, self.whole_events);
                // Notes on the program were given when all of it was woven.
                let silent = Output {
                    quiet: true,
                    ..self.job.output.clone()
                };
                pipeline::weave_into(self.job.program, &part, self.job.weaving, &silent)?
            }
        };
        let source = self.directory.join(format!("monitored{}.c", self.written));
        self.written += 1;
        std::fs::write(&source, woven.text)?;
        Ok(OnDisk {
            record: woven.record,
            source,
        })
    }

    fn finished(&mut self, result: &VerifyResult, left: usize) -> anyhow::Result<()> {
        let open = self.units.len() as u64;
        self.progress.set_position(
            self.progress
                .length()
                .unwrap_or(open)
                .saturating_sub(left as u64),
        );
        // What was not answered because the user wanted an end is no result.
        let cancelled = self.cancel.is_cancelled();
        let done = result
            .properties
            .iter()
            .filter(|p| !cancelled || p.verdict != verify::result::Verdict::Unknown);
        let lines = done.filter_map(|p| Some((self.keys.get(&p.name)?.as_str(), p)));
        if let Some(store) = &mut self.store {
            store.add(lines).map_err(|e| {
                let path = self.job.args.results.as_deref().unwrap_or(Path::new(""));
                let message = format!("cannot write {}: {e}", path.display());
                Ended::error(Status::Failure, message)
            })?;
        }
        Ok(())
    }

    fn cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

fn interrupted(job: &Job, host: &Host) {
    if let Some(path) = &job.args.results {
        let kept = host.kept;
        eprintln!(
            "interrupted; {} has what was found ({kept} results were there before); go on by --resume",
            path.display()
        );
    }
}

/// A property that nobody has verified yet.
fn waiting(record: &Record, property: usize) -> PropertyResult {
    let property = &record.properties[property];
    let reason = "it was not verified, because the run was interrupted";
    PropertyResult::unknown(&property.name, &property.ltl, reason)
}

fn empty(job: &Job) -> VerifyResult {
    let program = job.backend.program();
    VerifyResult {
        tool_version: env!("CARGO_PKG_VERSION").to_string(),
        properties: Vec::new(),
        backend: BackendInfo {
            name: program.kind.name().to_string(),
            version: program.version.to_string(),
            runs: 0,
            seconds: 0.0,
        },
        unwind: None,
        assumptions: Vec::new(),
        findings: Vec::new(),
        warnings: Vec::new(),
        exhausted: false,
    }
}
