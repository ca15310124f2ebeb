//! `baproduct instrument`: writes the monitored C program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use forms::{Cause, Failure};

use crate::exit::Status;
use crate::given;
use crate::options::{Output, Question, Weaving};
use crate::outputs;
use crate::outputs::tell;
use crate::rests;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Where to write the monitored program: a file, `-` for standard output, or a directory if
    /// there are several files
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    weaving: Weaving,
    /// Write a make dependency file, too
    #[arg(long = "MD")]
    dependencies: bool,
    /// The dependency file [default: the output's name with `.d`]
    #[arg(long = "MF", value_name = "FILE")]
    dependency_file: Option<PathBuf>,
}

/// Writes the output, and the dependencies if requested: all files or none.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let (given, woven) = given::woven(&args.question, &args.weaving, output)?;
    if given
        .weaving(&args.weaving, output)?
        .machine
        .interrupts
        .any()
    {
        let message = "no model checker follows the interrupts of an instrumented program by itself; ask `verify` or `prove`, or leave them out (--no-interrupts)";
        return Err(Failure::error(Cause::Usage, message));
    }
    let outputs = outputs(&args.output, &woven.files)?;
    let inputs = inputs(&given, &woven.dependencies);
    let rule = dependency_file(args)?.map(|file| (file, rule(&outputs, &inputs)));
    let mut files: Vec<(&Path, &[u8])> = Vec::new();
    if let Some((file, text)) = &rule {
        files.push((file, text.as_bytes()));
    }
    if args.output != Path::new("-") {
        let texts = woven.files.iter().map(|(_, text)| text.as_slice());
        files.extend(outputs.iter().map(PathBuf::as_path).zip(texts));
    }
    outputs::apart(
        files.iter().map(|(path, _)| *path),
        inputs.iter().map(Path::new),
    )?;
    if woven.files.len() > 1 {
        outputs::make_directory(&args.output)?;
    }
    outputs::write_all(&files)?;
    if output.verbose > 0 {
        tell(rests::text(&woven.record).trim_end());
    }
    if args.output == Path::new("-") {
        woven
            .files
            .iter()
            .try_for_each(|(_, text)| outputs::print(text))?;
    }
    Ok(Status::Success.into())
}

/// The path of each file; several files go into a directory.
fn outputs(output: &Path, files: &[forms::Emitted]) -> anyhow::Result<Vec<PathBuf>> {
    if files.len() == 1 {
        // A compiler ignores the directives of such a file, and reports misleading errors.
        if output.extension().is_some_and(|e| e == "i") {
            let message = format!(
                "compilers do not preprocess {}, and what is written has directives; name it `.c`",
                output.display()
            );
            return Err(Failure::error(Cause::Usage, message));
        }
        return Ok(vec![output.to_path_buf()]);
    }
    if output == Path::new("-") {
        let message = "several files are written to a directory: -o DIR";
        return Err(Failure::error(Cause::Usage, message));
    }
    Ok(files.iter().map(|(name, _)| output.join(name)).collect())
}

/// The path of the dependency file, if requested.
fn dependency_file(args: &Args) -> anyhow::Result<Option<PathBuf>> {
    match &args.dependency_file {
        Some(file) => Ok(Some(file.clone())),
        None if !args.dependencies => Ok(None),
        None if args.output == Path::new("-") => Err(Failure::error(
            Cause::Usage,
            "-MD with -o - needs the dependency file's name: -MF FILE",
        )),
        None => Ok(Some(args.output.with_extension("d"))),
    }
}

/// The names of all files that were read: specification, property lists, program, headers.
fn inputs(given: &given::Given, dependencies: &[String]) -> Vec<String> {
    let named = given
        .files
        .iter()
        .map(|path| path.to_string_lossy().into_owned());
    let mut names: Vec<String> = named.filter(|name| name != "-").collect();
    for dependency in dependencies {
        if !names.contains(dependency) {
            names.push(dependency.clone());
        }
    }
    names
}

/// A make rule: the outputs depend on the inputs. Each input gets an empty rule, so that a header
/// may disappear.
fn rule(outputs: &[PathBuf], inputs: &[String]) -> String {
    let escape = |name: &str| {
        name.replace('$', "$$")
            .replace(' ', "\\ ")
            .replace('#', "\\#")
    };
    let names: Vec<String> = inputs.iter().map(|input| escape(input)).collect();
    let targets: Vec<String> = outputs
        .iter()
        .map(|o| escape(&o.to_string_lossy()))
        .collect();
    let mut text = format!("{}: {}\n", targets.join(" "), names.join(" \\\n  "));
    for name in &names {
        text.push_str(&format!("{name}:\n"));
    }
    text
}
