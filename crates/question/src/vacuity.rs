//! `--vacuity full`: for each part of each formula that holds, searches for runs that violate the
//! formula without the part, to decide whether the part matters (Kupferman and Vardi 2003). Such a
//! run is also an interesting witness: it satisfies the formula non-vacuously.

use forms::{Listener, Quiet};
use ltl::Style;
use verify::result::{PropertyResult, Schedules, Vacuous, Verdict, VerifyResult};
use weave::record::REACH;

use crate::searches::verify_files;
use crate::settings::Settings;
use crate::source::Source;

/// The greatest number of parts of all formulas together.
const MOST: usize = 400;

/// A part of a formula, and the property that is the formula without it.
struct Part {
    /// The name of the formula's property.
    of: String,
    /// The part as text.
    what: String,
    /// The path to the part in the formula.
    path: Vec<usize>,
    /// Whether the part has positive polarity: it helps the formula to hold.
    positive: bool,
    /// The name of the property without it; `None` if the rest is no formula.
    without: Option<String>,
}

/// Checks every part of every formula that holds, and records in the result those that do not
/// matter; if every verdict should have a run, formulas that hold get a run in which a part
/// matters.
///
/// # Errors
/// If the program cannot be woven or written.
pub fn look(
    settings: &Settings,
    source: &Source,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    output: &dyn Listener,
    result: &mut VerifyResult,
) -> anyhow::Result<()> {
    let holds = |p: &&PropertyResult| {
        let labels = source.whole.record.properties.iter();
        let label = labels
            .filter(|r| r.monitor == REACH)
            .any(|r| r.name == p.asked.name);
        !label && matches!(p.answer.verdict, Verdict::PRESUMABLY_TRUE | Verdict::TRUE)
    };
    let holding: Vec<String> = result
        .properties
        .iter()
        .filter(holds)
        .map(|p| p.asked.name.clone())
        .collect();
    let mut parts = Vec::new();
    let spec = source
        .spec
        .changed(|spec| parts = strengthen(spec, &holding));
    if parts.len() > MOST {
        result.warnings.push(format!(
            "--vacuity full: the formulas have {} parts, more than {MOST}; choose some of them with --only",
            parts.len()
        ));
        return Ok(());
    }
    if parts.is_empty() {
        return Ok(());
    }
    let trace = options.trace == verify::TraceWish::Always;
    let options = verify::Options {
        trace: verify::TraceWish::Unchecked,
        ..options.clone()
    };
    let found = run(settings, source, &spec, backend, &options, output, result)?;
    note(&parts, &found, result);
    if trace {
        let wanted = witnesses(&parts, &found);
        let names: Vec<&String> = wanted.iter().map(|(_, without)| *without).collect();
        // The formulas themselves stay, so that the traces show their propositions.
        let is_wanted = |name: &String| holding.contains(name) || names.contains(&name);
        let spec = spec.changed(|spec| spec.properties.retain(|p| is_wanted(&p.name)));
        let options = verify::Options {
            trace: verify::TraceWish::Violations,
            all_propositions: true,
            ..options
        };
        if !names.is_empty() {
            let found = run(settings, source, &spec, backend, &options, output, result)?;
            show(source, &wanted, &found, result);
        }
    }
    Ok(())
}

/// Replaces the properties of a specification: those that hold stay, and each of their parts adds
/// the formula without the part. Propositions stay, so that the letters are the same.
fn strengthen(spec: &mut spec::Spec, holding: &[String]) -> Vec<Part> {
    spec.properties.retain(|p| holding.contains(&p.name));
    let (mut parts, mut more) = (Vec::new(), Vec::new());
    for property in &spec.properties {
        for strengthened in spec.arena.strengthened(property.root) {
            let left = spec.arena.atoms_of(strengthened.formula);
            let name = format!("{}#{}", property.name, parts.len());
            let without = (!left.is_empty()).then(|| {
                more.push(spec::Property {
                    name: name.clone(),
                    root: strengthened.formula,
                    expect: None,
                    ..property.clone()
                });
                name
            });
            parts.push(Part {
                of: property.name.clone(),
                what: ltl::print(&spec.arena, strengthened.part, Style::Ascii),
                path: strengthened.path,
                positive: strengthened.positive,
                without,
            });
        }
    }
    spec.properties.extend(more);
    parts
}

/// Verifies the properties of a specification with the bounds and schedules of the result.
fn run(
    settings: &Settings,
    source: &Source,
    spec: &forms::SpecFile,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    output: &dyn Listener,
    result: &mut VerifyResult,
) -> anyhow::Result<VerifyResult> {
    // The notes on the program were printed before.
    let silent = Quiet(output);
    let woven = forms::weave_into(&source.program, spec, &source.weaving, &silent)?;
    let cancel = backend::Cancel::new();
    let options = verify::Options {
        unwind: result.premises.unwind.or(options.unwind),
        ..options.clone()
    };
    let found = match result.premises.schedules {
        Some(Schedules::Rounds(rounds)) if options.rounds.is_none() => {
            let plain = settings.open_plain()?;
            let backend = settings.rounds(plain, rounds);
            let options = verify::Options {
                rounds: Some(rounds),
                ..options
            };
            verify_files(
                &woven.files,
                &woven.record,
                &backend,
                &options,
                &cancel,
                output,
            )?
        }
        _ => verify_files(
            &woven.files,
            &woven.record,
            backend,
            &options,
            &cancel,
            output,
        )?,
    };
    result.backend.runs += found.backend.runs;
    result.backend.seconds += found.backend.seconds;
    Ok(found)
}

/// The result of a formula without a part.
fn without<'a>(part: &Part, found: &'a VerifyResult) -> Option<&'a PropertyResult> {
    let name = part.without.as_ref()?;
    found.properties.iter().find(|p| p.asked.name == *name)
}

/// Records the largest parts without which the formulas still hold.
fn note(parts: &[Part], found: &VerifyResult, result: &mut VerifyResult) {
    for property in &mut result.properties {
        let own: Vec<&Part> = parts
            .iter()
            .filter(|p| p.of == property.asked.name)
            .collect();
        let mut idle: Vec<&[usize]> = Vec::new();
        let mut unknown = None;
        for part in own {
            if idle.iter().any(|above| part.path.starts_with(above)) {
                continue;
            }
            let Some(without) = without(part, found) else {
                continue;
            };
            match without.answer.verdict {
                Verdict::PRESUMABLY_TRUE | Verdict::TRUE => {
                    idle.push(&part.path);
                    if !property
                        .answer
                        .vacuity
                        .parts
                        .iter()
                        .any(|v| v.what == part.what)
                    {
                        property.answer.vacuity.parts.push(Vacuous {
                            what: part.what.clone(),
                            because: "the formula holds without it in the explored runs".into(),
                            constant: false,
                        });
                    }
                }
                Verdict::Unknown => unknown = without.answer.reason.clone(),
                _ => {}
            }
        }
        if let Some(reason) = unknown {
            result.warnings.push(format!(
                "whether every part of {} matters is not known: {reason}",
                property.asked.name
            ));
        }
    }
}

/// For each property, the first part that matters to some run, with the property without it. Parts
/// with positive polarity come first: without the answer to a request, a run with a request is
/// found.
fn witnesses<'a>(parts: &'a [Part], found: &VerifyResult) -> Vec<(&'a Part, &'a String)> {
    let mut wanted: Vec<(&Part, &String)> = Vec::new();
    let helping = parts.iter().filter(|p| p.positive);
    for part in helping.chain(parts.iter().filter(|p| !p.positive)) {
        let matters = without(part, found).is_some_and(|p| p.answer.verdict.is_violation());
        if let (true, Some(name)) = (matters, &part.without) {
            if !wanted.iter().any(|(known, _)| known.of == part.of) {
                wanted.push((part, name));
            }
        }
    }
    wanted
}

/// Copies the found runs into the result.
fn show(
    source: &Source,
    wanted: &[(&Part, &String)],
    found: &VerifyResult,
    result: &mut VerifyResult,
) {
    let record = &source.whole.record;
    for (part, name) in wanted {
        let run = found.properties.iter().find(|p| p.asked.name == **name);
        let of = record.properties.iter().find(|p| p.name == part.of);
        let shown = result
            .properties
            .iter_mut()
            .find(|p| p.asked.name == part.of);
        if let (Some(run), Some(of), Some(shown)) = (run, of, shown) {
            verify::witness(record, of, run, &part.what, shown);
        }
    }
}
