//! `baproduct prove`: whether a formula holds on all runs, of any length.

use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use verify::prove::{self, refute, Limits, Outcome, Proof, Task};
use verify::result::{PropertyResult, VerifyResult};

use crate::commands::verify::{self as command, reports};
use crate::exit::{Ended, Status};
use crate::options::{Output, Weaving};
use crate::outputs;
use crate::pipeline;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct ProveArgs {
    #[command(flatten)]
    verify: command::Args,
}

/// What was found about one property.
struct Found {
    /// `true` if it is proved, `false` if it is refuted.
    holds: Option<bool>,
    proof: Option<Proof>,
    /// Why there is no proof.
    why: Option<String>,
    /// Under what it holds, and the backend.
    result: VerifyResult,
    seconds: f64,
}

impl Found {
    fn name(&self) -> &'static str {
        match self.holds {
            Some(true) => "proved",
            Some(false) => "refuted",
            None => "unknown",
        }
    }
}

/// Runs the command.
pub fn run(args: &ProveArgs, output: &Output) -> anyhow::Result<ExitCode> {
    command::supported(&args.verify)?;
    reports::check(&args.verify)?;
    let input = command::input(&args.verify, output)?;
    let command::Input::Source(source) = &input else {
        return Err(Ended::error(
            Status::Usage,
            "prove needs the program and its specification, not a program that was instrumented before",
        ));
    };
    if source.whole.record.threads {
        return Err(Ended::error(
            Status::Refused,
            "prove follows programs without threads; `verify --lasso` says what can be said of this one within bounds",
        ));
    }
    let backend = command::open_backend(&args.verify)?;
    let options = command::options_of(&args.verify, source.spec.formulas())?;
    let until = args.verify.budget().map(|budget| Instant::now() + budget);
    let mut all = Vec::new();
    for number in 0..source.spec.formulas() {
        let limits = Limits {
            until,
            timeout: options.timeout,
            memory_mib: options.memory_mib,
        };
        all.push(property(
            source,
            number,
            backend.as_ref(),
            &options,
            &limits,
            output,
        )?);
    }
    let said = match reports::format(&args.verify) {
        report::Format::Json => machine(args, output, &all)?,
        report::Format::Text => text(args, output, &all)?,
        _ => {
            let message = "prove writes text and JSON; verify has the other forms";
            return Err(Ended::error(Status::Usage, message));
        }
    };
    outputs::print(said.as_bytes())?;
    Ok(ExitCode::from(status(&all)))
}

/// 0 if everything is proved, 10 if something is refuted, else 5.
fn status(all: &[Found]) -> u8 {
    match all {
        _ if all.iter().any(|f| f.holds == Some(false)) => 10,
        _ if all.iter().all(|f| f.holds == Some(true)) => 0,
        _ => 5,
    }
}

/// Proof and refutation of one property side by side; the first sure answer ends both.
fn property(
    source: &command::Source,
    number: usize,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    limits: &Limits,
    output: &Output,
) -> anyhow::Result<Found> {
    let start = Instant::now();
    let quiet = Output {
        quiet: true,
        ..output.clone()
    };
    let spec = source
        .spec
        .part(&[number], false, source.whole.record.every_event);
    let weave = |lasso: bool, proves: bool| {
        let weaving = Weaving {
            lasso,
            proves,
            rounds: false,
            headers: crate::options::Headers::Expand,
            ..source.weaving.clone()
        };
        pipeline::weave_into(&source.program, &spec, &weaving, &quiet)
    };
    let open = weave(false, true);
    let lasso = match &open {
        Ok(_) => weave(true, false)?,
        Err(_) => weave(false, false)?,
    };
    let directory = tempfile::Builder::new().prefix("baproduct-").tempdir()?;
    let (path, linked) = command::write_sources(directory.path(), &lasso.files)?;
    let options = verify::Options {
        linked,
        ..options.clone()
    };
    let task = match open {
        Ok(pipeline::Woven {
            files,
            record,
            heads: Some(heads),
            ..
        }) => match files.as_slice() {
            [(_, text)] => Ok(Task {
                text: String::from_utf8_lossy(text).into_owned(),
                record,
                heads,
                hints: source.program.hints(),
                directory: directory.path().to_path_buf(),
            }),
            _ => Err("the program has several files".to_string()),
        },
        _ => Err("the program cannot be followed, as said above".to_string()),
    };
    let hunt = refute::Hunt {
        lasso: Some((path, lasso.record.clone())),
        open: task
            .as_ref()
            .ok()
            .map(|t| (t.text.clone(), t.record.clone(), t.heads.clone())),
        directory: directory.path().to_path_buf(),
    };
    let bar = command::progress::bar(output, 1);
    let cancel = backend::Cancel::new();
    let (outcome, hunted) = std::thread::scope(|scope| {
        let hunter = scope.spawn(|| {
            let hunted = refute::hunt(&hunt, backend, &options, limits, &cancel);
            if hunted.decided.is_some() {
                cancel.cancel();
            }
            hunted
        });
        let outcome = match &task {
            Ok(task) => {
                let (outcome, _) = prove::prove(task, backend, limits, &cancel, &|what| {
                    bar.set_message(what.to_owned())
                });
                if matches!(outcome, Outcome::Proved(_)) {
                    cancel.cancel();
                }
                outcome
            }
            Err(why) => Outcome::Open(why.clone()),
        };
        (outcome, hunter.join())
    });
    bar.finish_and_clear();
    let hunted = hunted.unwrap_or_default();
    let mut found = Found {
        holds: hunted.decided.map(|violated| !violated),
        proof: None,
        why: None,
        result: hunted.result.unwrap_or_default(),
        seconds: start.elapsed().as_secs_f64(),
    };
    match outcome {
        Outcome::Proved(proof) => {
            if found.holds == Some(false) {
                anyhow::bail!("a proof and a counterexample were found: this is an error of baproduct, please report it");
            }
            found.holds = Some(true);
            found.proof = Some(*proof);
        }
        Outcome::Open(why) => found.why = Some(why),
    }
    if found.result.properties.is_empty() {
        let record = &lasso.record.properties[0];
        let reason = "within bounds nothing was decided before the answer was found";
        found.result.properties = vec![PropertyResult::unknown(&record.name, &record.ltl, reason)];
        found.result.assumptions = lasso.record.assumptions;
    }
    Ok(found)
}

fn machine(args: &ProveArgs, output: &Output, all: &[Found]) -> anyhow::Result<String> {
    let mut whole = serde_json::Value::Null;
    for found in all {
        let one: serde_json::Value =
            serde_json::from_str(&reports::rendered(&args.verify, output, &found.result)?)?;
        let mut property = one["properties"][0].clone();
        property["holds"] = json!(found.name());
        property["seconds"] = json!(found.seconds);
        if let Some(proof) = &found.proof {
            property["evidence"] = json!(if proof.ranking.is_empty() {
                "induction"
            } else {
                "ranking"
            });
            let invariants: Vec<String> = proof
                .invariants
                .iter()
                .flat_map(|(at, all)| all.iter().map(move |i| format!("{at}: {i}")))
                .collect();
            property["proof"] =
                json!({ "invariants": invariants, "ranking": proof.ranking, "k": proof.k });
            property["reason"] = json!(null);
        } else if found.holds == Some(true) {
            property["evidence"] = json!("complete");
        } else if let (None, Some(why)) = (found.holds, &found.why) {
            property["reason"] = json!(why);
        }
        if whole.is_null() {
            whole = one;
            whole["properties"] = json!([]);
        }
        if let Some(properties) = whole["properties"].as_array_mut() {
            properties.push(property);
        }
    }
    let single = match all {
        [_] => whole["properties"][0].clone(),
        _ => serde_json::Value::Null,
    };
    for key in ["holds", "evidence", "proof", "reason"] {
        if !single[key].is_null() {
            whole[key] = single[key].clone();
        }
    }
    Ok(serde_json::to_string_pretty(&whole)? + "\n")
}

fn text(args: &ProveArgs, output: &Output, all: &[Found]) -> anyhow::Result<String> {
    let mut out = String::new();
    for found in all {
        let name = found
            .result
            .properties
            .first()
            .map(|p| p.name.clone())
            .unwrap_or_default();
        out += &format!("{name}: {} ({:.1} s)\n", found.name(), found.seconds);
        if let Some(proof) = &found.proof {
            for (place, claims) in &proof.invariants {
                out += &format!("  {place}\n");
                for claim in claims {
                    out += &format!("    always {claim}\n");
                }
            }
            for rank in &proof.ranking {
                out += &format!("  {rank}\n");
            }
        }
        if let (None, Some(why)) = (found.holds, &found.why) {
            out += &format!("  {why}\n");
        }
        if found.holds == Some(false) {
            out += &reports::rendered(&args.verify, output, &found.result)?;
        }
    }
    Ok(out)
}
