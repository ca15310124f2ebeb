//! The forms of a result: printed output and report files.

use std::path::{Path, PathBuf};

use forms::{is_stdin, read_text};
use verify::result::VerifyResult;

use super::args::{Args, Format};
use crate::options::Output;
use crate::outputs;

/// The report files in a directory.
const REPORTS: [(&str, report::Format); 5] = [
    ("report.txt", report::Format::Text),
    ("report.json", report::Format::Json),
    ("report.sarif", report::Format::Sarif),
    ("report.xml", report::Format::Junit),
    ("report.csv", report::Format::Csv),
];

/// The HTML page beside them.
const PAGE: &str = "report.html";

/// The files that will be written.
fn written(args: &Args) -> Vec<PathBuf> {
    let names = REPORTS.iter().map(|(name, _)| *name).chain([PAGE]);
    let reports = args
        .report
        .iter()
        .flat_map(|directory| names.clone().map(move |name| directory.join(name)));
    let files = [&args.csv, &args.many.results, &args.witness];
    files
        .into_iter()
        .flatten()
        .cloned()
        .chain(reports)
        .collect()
}

/// The files that the command line names as inputs.
fn read(args: &Args) -> impl Iterator<Item = &Path> {
    let lists = args.weaving.lists();
    let database = args.weaving.preprocessor.compile_commands.iter();
    let all = args.inputs.iter().chain(lists).chain(database);
    all.map(PathBuf::as_path)
}

/// Refuses output files that are also inputs.
///
/// # Errors
/// The first such file.
pub fn check(args: &Args) -> anyhow::Result<()> {
    outputs::apart(written(args).iter().map(PathBuf::as_path), read(args))
}

/// Creates the directory of reports, before much time is spent.
///
/// # Errors
/// If the directory cannot be created.
pub fn prepare(args: &Args) -> anyhow::Result<()> {
    args.report
        .as_deref()
        .map_or(Ok(()), outputs::make_directory)
}

/// The form of the printed output.
pub fn format(args: &Args) -> report::Format {
    if args.csv.as_deref() == Some(Path::new("-")) {
        return report::Format::Csv;
    }
    match args.format {
        Format::Text => report::Format::Text,
        Format::Json => report::Format::Json,
        Format::Sarif => report::Format::Sarif,
        Format::Junit => report::Format::Junit,
        Format::Csv => report::Format::Csv,
    }
}

/// The printed output.
pub fn rendered(args: &Args, output: &Output, result: &VerifyResult) -> anyhow::Result<String> {
    let colour = Some(output.color_stdout());
    let options = report::terminal::options(colour, output.verbose > 0);
    render(result, format(args), &options)
}

fn render(
    result: &VerifyResult,
    format: report::Format,
    options: &report::Options,
) -> anyhow::Result<String> {
    report::render(result, format, options)
        .map_err(|e| anyhow::anyhow!("cannot write the report: {e}"))
}

/// Gives properties that are requirements their sentences, so that reports can trace one to the other. Requirements from
/// standard input cannot be read again and stay without.
pub fn cite(args: &Args, result: &mut VerifyResult) {
    let weaving = &args.weaving;
    let files = weaving.requirements.iter().filter(|path| !is_stdin(path));
    let texts = files.filter_map(|path| read_text(path).ok());
    let read = texts.filter_map(|text| spec::read_requirements(&text, weaving.tick).ok());
    for stated in read.flatten() {
        let mut properties = result.properties.iter_mut();
        if let Some(property) = properties.find(|p| p.asked.name == stated.id) {
            property.asked.requirement = Some(stated.sentence.as_str().to_owned());
        }
    }
}

/// Writes the files that the arguments request.
///
/// # Errors
/// If a file cannot be written.
pub fn save(args: &Args, result: &VerifyResult) -> anyhow::Result<()> {
    let plain = report::Options::default();
    if let Some(directory) = &args.report {
        for (name, format) in REPORTS {
            let text = render(result, format, &plain)?;
            outputs::write_atomically(&directory.join(name), text.as_bytes())?;
        }
        let page = report::html::render(result, &sources(result))?;
        outputs::write_atomically(&directory.join(PAGE), page.as_bytes())?;
    }
    if let Some(path) = args.csv.as_deref().filter(|p| *p != Path::new("-")) {
        let table = render(result, report::Format::Csv, &plain)?;
        outputs::write_atomically(path, table.as_bytes())?;
    }
    Ok(())
}

/// The texts of the files in traces, relative to the current directory. A file that cannot be read
/// is left out: the page then shows the steps without their source.
fn sources(result: &VerifyResult) -> report::html::Sources {
    let mut sources = report::html::Sources::new();
    let traces = result.properties.iter().map(|property| &property.run.trace);
    for step in traces.flatten() {
        if step.file.is_empty() || sources.contains_key(&step.file) {
            continue;
        }
        if let Ok(bytes) = std::fs::read(&step.file) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            sources.insert(step.file.clone(), text);
        }
    }
    for file in result.coverage.iter().flat_map(|c| &c.files) {
        if let (false, Ok(bytes)) = (sources.contains_key(&file.file), std::fs::read(&file.file)) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            sources.insert(file.file.clone(), text);
        }
    }
    sources
}
