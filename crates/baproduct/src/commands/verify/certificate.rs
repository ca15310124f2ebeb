//! Checks certificates that `prove` wrote.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use backend::{Backend, Cancel};
use question::prove::origin::Origin;
use verify::prove::certificate::{self, is_certificate, Confirmed};
use verify::prove::Limits;
use verify::result::{
    Answer, Asked, BackendInfo, Evidence, Holds, PropertyResult, Rests, VerifyResult,
};

use super::args::Args;
use super::reports;
use crate::given;
use crate::options::Output;
use crate::outputs;

/// The path and text of a certificate, if the inputs begin with one. The others are the program that it should be about, perhaps
/// with a specification.
pub fn given(inputs: &[PathBuf]) -> Option<(PathBuf, String)> {
    let path = inputs.first()?;
    let c = path.extension().is_some_and(|e| e == "c");
    let bytes = c.then(|| forms::read_bytes(path).ok()).flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    is_certificate(&text).then(|| (path.clone(), text))
}

/// How the program and the specification of a certificate differ from those of the command line, if there are any.
fn differs(args: &Args, origin: &Origin, output: &Output) -> anyhow::Result<Option<String>> {
    let Some(rest) = args.inputs.get(1..).filter(|rest| !rest.is_empty()) else {
        return Ok(None);
    };
    let given = given::specification(rest, &args.ltl, &args.weaving, output)?;
    let programs = given.as_ref().map_or(rest, |given| &given.programs);
    let program = forms::Program::read(programs, &args.weaving.options()?, output)?;
    let specification = given.as_ref().map(|given| given.spec.texts());
    Ok(origin.compare(&program, specification)?.err())
}

/// What a report says of a confirmed certificate.
fn told(args: &Args, confirmed: &Confirmed) -> String {
    let all = confirmed.assertions;
    let same = match args.inputs.len() {
        1 => "about the program in it; name your program behind it to compare them",
        _ => "about this program",
    };
    format!("the certificate is confirmed: all of its {all} assertions hold, {same}")
}

/// Weaves the program of a certificate again, and checks the proof. The inner error says why it is not confirmed.
fn confirmed(
    args: &Args,
    text: &str,
    backend: &dyn Backend,
    limits: &Limits,
    output: &Output,
) -> anyhow::Result<Result<Confirmed, String>> {
    let scratch = backend::Scratch::new()?;
    let directory = scratch.path();
    let damaged = |why: String| format!("the certificate is damaged: {why}");
    let read = certificate::read(text);
    let read = read.and_then(|hints| Ok((Origin::read(hints.origin())?, hints)));
    let (origin, hints) = match read {
        Ok(read) => read,
        Err(why) => return Ok(Err(damaged(why))),
    };
    if let Some(why) = differs(args, &origin, output)? {
        return Ok(Err(format!("it is about something else: {why}")));
    }
    let woven = match origin.task(directory, backend, output) {
        Ok(woven) => woven.map_err(damaged),
        Err(_) => Err(damaged("its program or specification is refused".into())),
    };
    Ok(woven.and_then(|(task, types)| {
        let program = (&task, &types);
        certificate::confirm(text, &hints, program, backend, limits, &Cancel::new())
    }))
}

/// Checks a certificate: exit status 0 if it is confirmed, 5 if not.
///
/// # Errors
/// If there is no usable backend, or a report cannot be written.
pub fn run(args: &Args, path: &Path, text: &str, output: &Output) -> anyhow::Result<ExitCode> {
    let backend = args.settings(1)?.open()?;
    reports::prepare(args)?;
    let limits = Limits {
        timeout: args.timeout,
        memory_mib: args.memory,
        ..Limits::default()
    };
    let confirmed = confirmed(args, text, backend.as_ref(), &limits, output)?;
    let program = backend.program();
    let mut result = VerifyResult {
        tool_version: env!("CARGO_PKG_VERSION").to_string(),
        backend: BackendInfo {
            name: program.kind.name().to_string(),
            version: program.version.to_string(),
            runs: 1,
            seconds: 0.0,
        },
        ..VerifyResult::default()
    };
    let (property, status) = match confirmed {
        Ok(confirmed) => {
            let property = Asked::named(&confirmed.name, &confirmed.ltl).answered(Answer {
                reason: Some(told(args, &confirmed)),
                holds: Holds::Proved,
                evidence: Some(match confirmed.ranking {
                    true => Evidence::Ranking,
                    false => Evidence::Induction,
                }),
                proof: Some(Rests {
                    k: confirmed.k,
                    ..Rests::default()
                }),
                ..Answer::default()
            });
            result.premises.assumptions = confirmed.assumptions;
            result.backend.seconds = confirmed.seconds;
            (property, 0)
        }
        Err(why) => {
            let name = path.display().to_string();
            (
                PropertyResult::unknown(name, "", format!("not confirmed: {why}")),
                5,
            )
        }
    };
    result.properties = vec![property];
    result.command = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    reports::cite(args, &mut result);
    reports::save(args, &result)?;
    outputs::print(reports::rendered(args, output, &result)?.as_bytes())?;
    Ok(ExitCode::from(status))
}
