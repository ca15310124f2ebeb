//! `--races` without a formula: data races alone.

use std::time::Instant;

use forms::{interrupts, Program, Reader};
use question::engines::BUDGET;
use question::races;
use verify::result::VerifyResult;

use super::args::Args;
use crate::given;
use crate::options::Output;

/// The program, if it comes without a specification and only races are asked.
///
/// # Errors
/// Errors of the command line.
pub fn alone(args: &Args, output: &Output) -> anyhow::Result<bool> {
    if !args.races || args.inputs.is_empty() {
        return Ok(false);
    }
    let given = given::specification(&args.inputs, &args.ltl, &args.weaving, output)?;
    Ok(given.is_none() && forms::woven_before(&args.inputs).is_err())
}

/// Asks for races alone.
///
/// # Errors
/// Errors of the program; a missing backend.
pub fn run(args: &Args, begin: Instant, output: &Output) -> anyhow::Result<VerifyResult> {
    let reader = Reader {
        model: true,
        cbmc: !args.backend.capabilities().shared_pointers,
        rounds: true,
        ..Reader::default()
    };
    let mut weaving = args.weaving.options()?.read_by(reader);
    if !args.weaving.no_interrupts {
        let none = forms::spec_of_formula("true", output)?;
        let interrupts = interrupts::Asked::of(none.spec(), &args.weaving.interrupt);
        weaving.machine.interrupts = interrupts.map_err(|refusal| refusal.ended(None, output))?;
    }
    let program = Program::read(&args.inputs, &weaving, output)?;
    let until = begin + args.budget.unwrap_or(BUDGET);
    let mut result = VerifyResult {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        backend: verify::result::BackendInfo {
            name: args.backend.name().to_owned(),
            ..Default::default()
        },
        ..VerifyResult::default()
    };
    let races = races::search(
        &args.settings(1)?,
        &program,
        &weaving,
        (races::Effort::full(until), output),
        &mut result,
    )?;
    verify::result::add_races(races, false, &mut result);
    Ok(result)
}
