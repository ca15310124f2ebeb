//! The input of a verification: a program with its specification, or a program that was
//! instrumented before.

use std::path::PathBuf;
use std::sync::Arc;

use forms::{Cause, Failure, Reader};
use question::{Input, Source, Wanted};
use sequentialise::memory::Asked;
use weave::record::Record;

use super::args::Args;
use super::fairness;
use crate::commands::watched_files;
use crate::given;
use crate::options::Output;

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

/// The files of the program, as the command line names them.
pub(super) fn programs(input: &Input, args: &Args) -> Vec<PathBuf> {
    match input {
        Input::Woven(..) => args.inputs.clone(),
        Input::Source(source) => source.program.paths().to_vec(),
    }
}
