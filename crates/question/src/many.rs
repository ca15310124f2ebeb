//! Verifies many properties of one program, in groups, and stores results as they come.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use forms::{Cause, Failure, Listener, Program, Quiet, SpecFile, Weaving, Work};
use verify::groups::{self, Grouping};
use verify::portfolio::Board;
use verify::result::{BackendInfo, Premises, PropertyResult, Verdict, VerifyResult};
use verify::store::Key;
use weave::record::Record;

use crate::budget;
use crate::kept::{self, Kept, Subject};
use crate::searches::write_sources;
use crate::selection::Selection;

/// The inputs that all groups share.
pub struct Job<'a> {
    /// The program.
    pub program: &'a Program,
    /// The specification with all its formulas.
    pub spec: &'a SpecFile,
    /// The options of weaving.
    pub weaving: &'a Weaving,
    /// The selection of properties.
    pub args: &'a Selection,
    /// The model checker.
    pub backend: &'a dyn backend::Backend,
    /// The options of the model checker's runs.
    pub options: &'a verify::Options,
    /// Where messages go.
    pub output: &'a dyn Listener,
    /// What other engines know of the properties, if there are any.
    pub board: Option<&'a Board>,
}

impl Job<'_> {
    fn cancel(&self) -> backend::Cancel {
        self.board.map(|b| b.cancel().part()).unwrap_or_default()
    }

    /// Tells the other engines what is decided.
    fn publish(&self, result: &VerifyResult) {
        if let Some(board) = self.board {
            board.publish(result);
        }
    }

    /// Whether another engine has decided a property.
    fn is_decided(&self, property: &str) -> bool {
        self.board.is_some_and(|board| !board.is_open(property))
    }
}

/// Verifies all properties. `whole` is the program with all monitors.
pub fn run(job: &Job, whole: &forms::Woven) -> anyhow::Result<VerifyResult> {
    let directory = backend::Scratch::new()?;
    let units = units(job.spec, &whole.record);
    let names: Vec<String> = whole
        .record
        .properties
        .iter()
        .map(|p| p.name.clone())
        .collect();
    let mut open = chosen(job, &units, &names)?;
    let kept = Kept::open(job.args, job.output)?;
    let mut many = Many {
        job,
        whole,
        units: &units,
        directory: directory.path(),
        written: 0,
        kept,
        cancel: job.cancel(),
    };
    let unwind = job.options.unwind.unwrap_or(whole.record.unwind);
    let climbs = job.args.bounds.is_empty() && job.options.climbs;
    let bounds = bounds_of(job, unwind, climbs)?;
    let Some(&first) = bounds.first() else {
        return many.at(unwind, &open);
    };
    let mut known = many.waiting(&open, first);
    for unwind in bounds {
        if unwind > first && budget::is_over(job.options) {
            break;
        }
        let begin = Instant::now();
        let result = many.at(unwind, &open)?;
        groups::deepen(&mut known, result, unwind);
        job.publish(&known);
        if climbs {
            budget::told(&known, unwind, begin.elapsed(), job.options, job.output);
        }
        let known = known.properties.iter().filter(|p| is_open(p));
        let left: HashSet<&str> = known.map(|p| p.asked.name.as_str()).collect();
        open.retain(|&unit| {
            let mut names = units[unit].iter().map(|&p| names[p].as_str());
            names.any(|name| left.contains(name) && !job.is_decided(name))
        });
        if open.is_empty() || many.cancel.is_cancelled() {
            break;
        }
    }
    Ok(known)
}

/// The bounds of the verification, each once and the least first; empty for a single bound.
fn bounds_of(job: &Job, unwind: u32, climbs: bool) -> anyhow::Result<Vec<u32>> {
    let mut bounds = match climbs {
        true => budget::rungs(unwind),
        false => job.args.bounds.clone(),
    };
    bounds.sort_unstable();
    bounds.dedup();
    if bounds.first() == Some(&0) {
        let message = "--bounds: a loop is followed at least once";
        return Err(Failure::error(Cause::Usage, message));
    }
    Ok(bounds)
}

/// Whether a greater bound may say more about a property: a property without an answer at a bound
/// has none at greater ones, unless only runs with undefined behaviour were found there.
pub fn is_open(property: &PropertyResult) -> bool {
    let last = property.answer.bounds.last();
    let answered = last.is_some_and(|b| b.verdict != Verdict::Unknown);
    (answered || property.is_doubted()) && !property.is_decided()
}

/// The state that all bounds share.
struct Many<'a> {
    job: &'a Job<'a>,
    whole: &'a forms::Woven,
    units: &'a [Vec<usize>],
    directory: &'a Path,
    /// The number of programs written so far.
    written: usize,
    kept: Kept,
    cancel: backend::Cancel,
}

impl Many<'_> {
    /// Verifies some units at a bound.
    fn at(&mut self, unwind: u32, wanted: &[usize]) -> anyhow::Result<VerifyResult> {
        let (job, record) = (self.job, &self.whole.record);
        let subject = Subject {
            program: job.program,
            spec: job.spec,
            weaving: job.weaving,
            backend: job.backend,
            options: job.options,
        };
        let context = subject.context(unwind, record);
        let (mut kept, mut open) = (Vec::new(), Vec::new());
        for &unit in wanted {
            let known = self.units[unit].iter();
            let known = known.map(|&p| self.kept.result(&context, &record.properties[p]));
            match known.collect::<Option<Vec<PropertyResult>>>() {
                Some(results) => kept.extend(results),
                None => open.push(unit),
            }
        }
        let empty = self.waiting(wanted, unwind);
        let grouping = Grouping {
            largest: job.args.group,
            memory_mib: job.options.memory_mib,
        };
        let groups = groups::plan(&open, &grouping, self.whole.size(), unwind);
        let parallel = parallel(job.options.jobs, groups.len());
        let options = verify::Options {
            unwind: Some(unwind),
            jobs: if parallel > 1 { 1 } else { job.options.jobs },
            ..job.options.clone()
        };
        let work: Arc<dyn Work> = job.output.searching(open.len()).into();
        let all = groups.len() == 1 && open.len() == self.units.len();
        let cancel = self.cancel.clone();
        let told = |what: &str| work.doing(what);
        let verify = |woven: &OnDisk| {
            let options = verify::Options {
                linked: woven.linked.clone(),
                ..options.clone()
            };
            let asked = verify::Verification {
                record: &woven.record,
                source: &woven.source,
                backend: job.backend,
                options: &options,
                cancel: &cancel,
            };
            verify::verify(&asked, &told)
        };
        let mut host = Host {
            keys: keys(&context, record),
            work: Arc::clone(&work),
            all,
            many: self,
        };
        let done = groups::run(groups, parallel, &mut host, &verify);
        drop(work);
        let done = done?;
        if cancel.is_cancelled() {
            interrupted(job, kept.len());
        }
        Ok(groups::join(done, kept, empty))
    }

    /// The result before any answer.
    fn waiting(&self, units: &[usize], unwind: u32) -> VerifyResult {
        let program = self.job.backend.program();
        let properties = units.iter().flat_map(|&unit| &self.units[unit]);
        let options = &self.job.options;
        VerifyResult {
            tool_version: env!("CARGO_PKG_VERSION").to_string(),
            properties: properties
                .map(|&p| waiting(&self.whole.record, p))
                .collect(),
            backend: BackendInfo {
                name: program.kind.name().to_string(),
                version: program.version.to_string(),
                runs: 0,
                seconds: 0.0,
            },
            premises: Premises {
                unwind: Some(unwind),
                schedules: options.schedules(&self.whole.record, self.job.backend),
                assumptions: options.assumptions(&self.whole.record),
                rests_on: Vec::new(),
            },
            ..VerifyResult::default()
        }
    }
}

/// The units of scheduling: each formula is one, and all labels to be reached are one, because a
/// further assertion costs nothing. A unit is a list of indices of the record's properties.
fn units(spec: &SpecFile, record: &Record) -> Vec<Vec<usize>> {
    let formulas = spec.formulas();
    let mut units: Vec<Vec<usize>> = (0..formulas).map(|i| vec![i]).collect();
    if record.properties.len() > formulas {
        units.push((formulas..record.properties.len()).collect());
    }
    units
}

/// The units that `--only` selects.
fn chosen(job: &Job, units: &[Vec<usize>], names: &[String]) -> anyhow::Result<Vec<usize>> {
    let all = 0..units.len();
    let named = job.args.named(names)?;
    let wanted = |unit: &usize| units[*unit].iter().any(|&p| named.contains(&names[p]));
    Ok(all.filter(wanted).collect())
}

/// The number of groups that run at a time.
fn parallel(jobs: usize, groups: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = if jobs == 0 { cores } else { jobs };
    most.min(groups).max(1)
}

fn keys(context: &Key, record: &Record) -> HashMap<String, String> {
    let properties = record.properties.iter();
    properties
        .map(|p| (p.name.clone(), kept::key(context, p)))
        .collect()
}

/// A woven program in its own directory.
struct OnDisk {
    record: Record,
    source: PathBuf,
    /// The program's other files.
    linked: Vec<PathBuf>,
}

struct Host<'a, 'm> {
    many: &'a mut Many<'m>,
    /// The key of each property's result, by name.
    keys: HashMap<String, String>,
    /// Whether the only group consists of all units.
    all: bool,
    work: Arc<dyn Work>,
}

impl Host<'_, '_> {
    /// Weaves the program with the monitors of some units.
    fn part(&self, units: &[usize]) -> anyhow::Result<(Vec<forms::Emitted>, Record)> {
        let job = self.many.job;
        let formulas = job.spec.formulas();
        let own: Vec<usize> = units.iter().copied().filter(|&u| u < formulas).collect();
        let reach = units.iter().any(|&u| u >= formulas);
        let part = job
            .spec
            .part(&own, reach, self.many.whole.record.every_event);
        // The weaving of the whole program printed the notes.
        let silent = Quiet(job.output);
        let woven = forms::weave_into(job.program, &part, job.weaving, &silent)?;
        Ok((woven.files, woven.record))
    }
}

impl groups::Host for Host<'_, '_> {
    type Woven = OnDisk;
    type Error = anyhow::Error;

    fn weave(&mut self, properties: &[usize]) -> anyhow::Result<OnDisk> {
        // A half of the group of all units comes here again with fewer units.
        let all = self.all && properties.len() == self.many.units.len();
        let whole = &self.many.whole;
        let (files, record) = match all {
            true => (whole.files.clone(), whole.record.clone()),
            false => self.part(properties)?,
        };
        let number = self.many.written;
        let directory = self.many.directory.join(format!("group{number}"));
        self.many.written += 1;
        std::fs::create_dir(&directory)?;
        let (source, linked) = write_sources(&directory, &files)?;
        Ok(OnDisk {
            record,
            source,
            linked,
        })
    }

    fn finished(&mut self, result: &VerifyResult, left: usize) -> anyhow::Result<()> {
        self.work.left(left);
        // A property without an answer after an interruption has no result.
        let cancelled = self.many.cancel.is_cancelled();
        let properties = result.properties.iter();
        let done = properties.filter(|p| !cancelled || p.answer.verdict != Verdict::Unknown);
        let lines = done.filter_map(|p| Some((self.keys.get(&p.asked.name)?.as_str(), p)));
        self.many.kept.add(lines)
    }

    fn cancelled(&self) -> bool {
        self.many.cancel.is_cancelled()
    }
}

fn interrupted(job: &Job, kept: usize) {
    if let Some(path) = &job.args.results {
        job.output.tell(format_args!(
            "interrupted; {} has what was found ({kept} results were there before); go on by --resume",
            path.display()
        ));
    }
}

/// The result of a property that has not been verified.
fn waiting(record: &Record, property: usize) -> PropertyResult {
    let property = &record.properties[property];
    let reason = "it was not verified, because the run was interrupted";
    PropertyResult::unknown(&property.name, &property.ltl, reason)
}
