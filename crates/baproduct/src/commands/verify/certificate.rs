//! Checks certificates that `prove` wrote.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use backend::Cancel;
use verify::prove::certificate::{confirm, is_certificate};
use verify::prove::Limits;
use verify::result::{
    Answer, Asked, BackendInfo, Evidence, Holds, PropertyResult, Rests, VerifyResult,
};

use super::args::Args;
use super::{reports, searches};
use crate::options::Output;
use crate::outputs;
use crate::pipeline;

/// The path and text of a certificate, if the inputs are one.
pub fn given(inputs: &[PathBuf]) -> Option<(PathBuf, String)> {
    let [path] = inputs else { return None };
    let c = path.extension().is_some_and(|e| e == "c");
    let bytes = c.then(|| pipeline::read_bytes(path).ok()).flatten()?;
    let text = String::from_utf8(bytes).ok()?;
    is_certificate(&text).then(|| (path.clone(), text))
}

/// Checks a certificate: exit status 0 if it is confirmed, 5 if not.
///
/// # Errors
/// If there is no usable backend, or a report cannot be written.
pub fn run(args: &Args, path: &Path, text: &str, output: &Output) -> anyhow::Result<ExitCode> {
    let backend = searches::open_backend(args)?;
    reports::prepare(args)?;
    let limits = Limits {
        timeout: args.timeout,
        memory_mib: args.memory,
        ..Limits::default()
    };
    let confirmed = confirm(text, path, backend.as_ref(), &limits, &Cancel::new());
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
                reason: Some(format!(
                    "the certificate is confirmed: all of its {} assertions hold",
                    confirmed.assertions
                )),
                holds: Holds::Proved,
                evidence: Some(match confirmed.ranking {
                    true => Evidence::Ranking,
                    false => Evidence::Induction,
                }),
                proof: Some(Rests {
                    k: 1,
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
    reports::save(args, &result)?;
    outputs::print(reports::rendered(args, output, &result)?.as_bytes())?;
    Ok(ExitCode::from(status))
}
