//! The input of a verification: a program with its specification, or a program that was
//! instrumented before.

use std::path::PathBuf;
use std::sync::Arc;

use ::verify::result::{Engine, VerifyResult};
use forms::{Cause, Failure, Reader};
use sequentialise::memory::{Asked, Model};
use weave::record::Record;

use super::args::Args;
use super::fairness;
use super::wanted::Wanted;
use crate::commands::watched_files;
use crate::given;
use crate::options::Output;

/// The input of a verification.
pub enum Input {
    /// A program that `instrument` wrote, with its record.
    Woven(Vec<forms::Emitted>, Box<Record>),
    /// A program and a specification.
    Source(Box<Source>),
}

/// A program and a specification, read once.
#[derive(Clone)]
pub struct Source {
    /// The program.
    pub program: Arc<forms::Program>,
    /// The specification.
    pub spec: forms::SpecFile,
    /// The options of weaving.
    pub weaving: forms::Weaving,
    /// The program with all monitors.
    pub whole: Arc<forms::Woven>,
}

impl Source {
    /// The same specification for another form of the program. The inner error says why it does not fit.
    ///
    /// # Errors
    /// If the options do not fit the program.
    pub fn of(
        &self,
        program: forms::Program,
        output: &Output,
    ) -> anyhow::Result<Result<Source, String>> {
        let quiet = Output {
            quiet: true,
            ..output.clone()
        };
        let (spec, weaving) = (self.spec.clone(), self.weaving.clone());
        let woven = forms::try_weave(&program, &spec, &weaving, &quiet)?;
        Ok(match woven {
            Ok(whole) => Ok(Source {
                program: Arc::new(program),
                spec,
                weaving,
                whole: Arc::new(whole),
            }),
            Err(refused) => Err(refused.first(&program).unwrap_or_default()),
        })
    }
}

impl Source {
    /// The same question without the specification's section on infinite runs, as proofs ask it.
    pub fn without_state(&self, output: &Output) -> Source {
        Source {
            program: Arc::clone(&self.program),
            spec: forms::without_state(self.spec.clone(), output),
            weaving: self.weaving.clone(),
            whole: Arc::clone(&self.whole),
        }
    }

    /// Whether a finite run shows each violation of a property.
    fn is_safety(&self, name: &str) -> bool {
        let spec = self.spec.spec();
        let property = spec.properties.iter().find(|p| p.name.as_str() == name);
        property.is_some_and(|p| forms::steps::is_safety(&spec.arena, p.root))
    }

    /// Takes back what runs with sequential consistency do not show about a weaker memory model that is not followed, and tells
    /// what answers about one that is rest on. Whether the program has races is not asked.
    pub fn doubt(&self, result: &mut VerifyResult) {
        self.doubt_unless_races_are_asked(result);
        self.doubt_with_races("whether it has any is not known", result);
    }

    /// Takes back what a program that may have data races, of which this is known, does not show.
    pub fn doubt_with_races(&self, known: &str, result: &mut VerifyResult) {
        let memory = self.program.memory();
        let why = memory.and_then(|m| m.doubt_with_races(known));
        if let Some(why) = why {
            ::verify::memory::doubt(result, &why);
        }
    }

    /// [`Self::doubt`], if races are asked later.
    pub fn doubt_unless_races_are_asked(&self, result: &mut VerifyResult) {
        let Some(memory) = self.program.memory() else {
            return;
        };
        if let Some(why) = memory.doubt() {
            ::verify::memory::doubt(result, &why);
        } else if !memory.objects.is_empty() {
            ::verify::memory::only_by(Engine::Steps, result);
            if memory.model == Model::Pso {
                ::verify::memory::unfair(result, |name| self.is_safety(name));
            }
        }
        let assumptions = &mut result.premises.assumptions;
        let known = |text: &&str| assumptions.iter().any(|a| a == *text);
        if let Some(text) = memory.assumption().filter(|text| !known(text)) {
            assumptions.push(text.to_owned());
        }
    }

    /// The same question, in which runs that repeat a state count as infinite.
    ///
    /// # Errors
    /// If the program cannot be woven so.
    pub fn with_lassos(&self, output: &Output) -> anyhow::Result<Source> {
        let spec = forms::without_state(self.spec.clone(), output);
        let weaving = forms::Weaving {
            lasso: true,
            reader: Reader {
                rounds: true,
                ..self.weaving.reader
            },
            ..self.weaving.clone()
        };
        let woven = forms::try_weave(&self.program, &spec, &weaving, output)?;
        let refused = |refused: forms::Refused| {
            let why = refused.first(&self.program).unwrap_or_default();
            anyhow::anyhow!("infinite runs cannot be followed: {why}")
        };
        Ok(Source {
            program: Arc::clone(&self.program),
            whole: Arc::new(woven.map_err(refused)?),
            spec,
            weaving,
        })
    }
}

impl Input {
    /// The files of the program, as the command line names them.
    pub(super) fn programs(&self, args: &Args) -> Vec<PathBuf> {
        match self {
            Input::Woven(..) => args.inputs.clone(),
            Input::Source(source) => source.program.paths().to_vec(),
        }
    }

    /// The files of the program with all monitors.
    pub fn files(&self) -> &[forms::Emitted] {
        match self {
            Input::Woven(files, _) => files,
            Input::Source(source) => &source.whole.files,
        }
    }

    /// The record of the program with all monitors.
    pub fn record(&self) -> &Record {
        match self {
            Input::Woven(_, record) => record,
            Input::Source(source) => &source.whole.record,
        }
    }
}

/// Reads the input, and refuses a program that the backend cannot follow.
///
/// # Errors
/// Errors of the specification, the program or the options.
pub fn input(args: &Args, output: &Output) -> anyhow::Result<Input> {
    if let Some(given) = specification(args, output)? {
        let reader = Reader {
            model: args.backend.capabilities().searches,
            cbmc: !args.backend.capabilities().shared_pointers,
            // A replay must weave a program as it was woven for the search for infinite runs.
            rounds: args.can_be_sequentialised(),
            ..Reader::default()
        };
        let mut weaving = given.weaving(&args.weaving, output)?.read_by(reader);
        weaving.machine.memory = args.memory_model.weaker().map(|model| Asked {
            model,
            finite: forms::memory::finite(given.spec.spec()),
        });
        let given::Given {
            spec,
            programs,
            files,
            ..
        } = given;
        let program = forms::Program::read(&programs, &weaving, output)?;
        let comes = weaving.machine.interrupts.any() || program.has_handlers();
        if comes && args.fairness == Some(fairness::Name::None) {
            let message = "--fairness none: interrupts and signals come finitely often between two steps of the code that they interrupt; leave the option out";
            return Err(Failure::error(Cause::Usage, message));
        }
        if let Some(directory) = &args.watched {
            watched_files::tell_files(directory, &files, &program.dependencies())?;
        }
        let whole = forms::weave_into(&program, &spec, &weaving, output)?;
        return Ok(Input::Source(Box::new(Source {
            program: Arc::new(program),
            spec,
            weaving,
            whole: Arc::new(whole),
        })));
    }
    let (files, record) = forms::woven_before(&args.inputs)?;
    forms::check_bounds(&args.weaving.bounds()?, &record)?;
    forms::check_lasso(args.weaving.lasso, &record)?;
    if !args.many.only.is_empty() || args.many.results.is_some() {
        let message = "--only and --results need the program and its specification, not a program that was instrumented before";
        return Err(Failure::error(Cause::Usage, message));
    }
    refuse_untracked(args, &record)?;
    Ok(Input::Woven(files, Box::new(record)))
}

/// The monitored program and its record, woven now or by an earlier `instrument`.
pub fn program(args: &Args, output: &Output) -> anyhow::Result<(Vec<forms::Emitted>, Record)> {
    if let Some(given) = specification(args, output)? {
        // Infinite runs of threads are searched in a program woven for sequentialisation.
        let reader = Reader {
            rounds: args.can_be_sequentialised(),
            ..Reader::default()
        };
        let weaving = given.weaving(&args.weaving, output)?.read_by(reader);
        let woven = forms::weave(&given.spec, &given.programs, &weaving, output)?;
        return Ok((woven.files, woven.record));
    }
    forms::woven_before(&args.inputs)
}

/// The specification and the program's files; `None` if the files were woven before.
pub(super) fn specification(args: &Args, output: &Output) -> anyhow::Result<Option<given::Given>> {
    let given = given::specification(&args.inputs, &args.ltl, &args.weaving, output)?;
    Ok(given.map(|given| given::Given {
        spec: match args.finds_state {
            true => forms::without_state(given.spec, output),
            false => given.spec,
        },
        ..given
    }))
}

/// Refuses a program that was instrumented for another backend and that this one cannot follow.
fn refuse_untracked(args: &Args, record: &Record) -> anyhow::Result<()> {
    let searches = args.backend.capabilities().searches;
    let all = args.schedules() == Wanted::All || !args.can_take_rounds();
    let causes = [
        (
            searches,
            &record.nonlocal_jumps,
            "the program jumps out of functions, which model checkers do not; use --backend native",
        ),
        (
            searches,
            &record.signals,
            "the program handles signals, starts processes or the like, which model checkers cannot follow; use --backend native",
        ),
        (
            searches,
            &record.hidden,
            "the program runs code that its text does not show, which model checkers do not; use --backend native",
        ),
        (
            all && !args.backend.capabilities().shared_pointers,
            &record.shared_pointers,
            "pointers that other threads can see are written while threads run, which CBMC cannot follow; use --schedules auto or --backend esbmc",
        ),
        (
            all,
            &record.sections,
            "only the sequentialisation of threads models parts of the program: sections that no other thread interrupts, which do not nest with the monitor's steps, or data of threads; use --schedules auto",
        ),
    ];
    match causes
        .iter()
        .find(|(matters, places, _)| *matters && !places.is_empty())
    {
        Some((_, places, message)) => {
            let message = format!("{message}\n  {}", places.join("\n  "));
            Err(Failure::error(Cause::Refused, message))
        }
        None => Ok(()),
    }
}
