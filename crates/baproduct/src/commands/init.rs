//! `baproduct init`: writes a first specification for a program, for editing; or prints the schema.

mod areas;
mod ask;
mod interview;
mod machine;
mod page;
mod specification;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ask::Question;
use forms::entries::Asked;
use forms::{Cause, Failure, Program, Reader, Weaving};
use machine::Machine;

use crate::exit::Status;
use crate::options::{Entry, Output, Preprocessor};
use crate::outputs;
use interview::Interview;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The C program
    #[arg(required_unless_present_any = ["schema", "result_schema", "compile_commands"], value_name = "PROG.c")]
    programs: Vec<PathBuf>,
    /// Where the specification goes; an existing file is not overwritten
    #[arg(short, long, value_name = "SPEC.json", default_value = "-")]
    output: PathBuf,
    /// Also write a page with the source, the findings and the places where the monitor would be
    /// woven
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schema", "result_schema"])]
    html: Option<PathBuf>,
    /// Print the JSON Schema of specifications instead, for editors
    #[arg(long, conflicts_with = "programs")]
    schema: bool,
    /// Print the JSON Schema of `verify --format json` instead, for programs that read it
    #[arg(long, conflicts_with_all = ["programs", "schema"])]
    result_schema: bool,
    /// Write a `main` for a program that has none instead: it calls the functions that other files can call in any
    /// order, with any arguments, for ever
    #[arg(long, conflicts_with_all = ["schema", "result_schema", "html"])]
    harness: bool,
    #[command(flatten)]
    entry: Entry,
    #[command(flatten)]
    preprocessor: Preprocessor,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    if !args.entry.entry.is_empty() && !args.harness {
        let message = "--entry: `init` writes the calls of functions with --harness";
        return Err(Failure::error(Cause::Usage, message));
    }
    if args.schema || args.result_schema {
        let text = match args.result_schema {
            true => report::RESULT_SCHEMA,
            false => spec::SCHEMA,
        };
        match to_file(args)? {
            Some(path) => outputs::write_atomically(path, text.as_bytes())?,
            None => outputs::print(text.as_bytes())?,
        }
        return Ok(Status::Success.into());
    }
    let file = to_file(args)?;
    let inputs = args.programs.iter().map(PathBuf::as_path);
    outputs::apart(file.into_iter().chain(args.html.as_deref()), inputs)?;
    if args.harness {
        let program = Program::read(
            &args.programs,
            &Weaving::of(&args.preprocessor.options()),
            output,
        )?;
        let text = harness(&program, &args.entry, output)?;
        return match file {
            None => outputs::print(text.as_bytes()),
            Some(path) => outputs::write_atomically(path, text.as_bytes()),
        }
        .map(|()| Status::Success.into());
    }
    let first = first_specification(args, output)?;
    match file {
        None => outputs::print(first.text(None).as_bytes())?,
        Some(path) => {
            write_with_schema(path, &first.text(Some(SCHEMA_FILE)))?;
            if !output.quiet {
                outputs::tell(first.next(path));
            }
        }
    }
    if let Some(path) = &args.html {
        outputs::write_atomically(path, first.page()?.as_bytes())?;
    }
    Ok(Status::Success.into())
}

/// A `main` that calls the functions named, or all that other files can call.
fn harness(program: &Program, named: &Entry, output: &Output) -> anyhow::Result<String> {
    let all = program.with_unit(|unit, _| {
        let names = cfront::entries::external(&unit.tree);
        names
            .filter(|name| *name != "main")
            .map(str::to_owned)
            .collect::<Vec<_>>()
    })?;
    let named = match named.entry.is_empty() {
        true => Entry {
            entry: all,
            ..named.clone()
        },
        false => named.clone(),
    };
    let Some(asked) =
        Asked::of(None, &named.wanted()).map_err(|refusal| refusal.ended(None, output))?
    else {
        let message = "the program defines no function that other files can call";
        return Err(Failure::error(Cause::Refused, message));
    };
    program.with_unit(|unit, _| {
        let text = cfront::entries::written(unit, &asked.entries);
        text.map_err(|d| forms::refused(&[unit.source.resolve(d)], output))
    })?
}

/// The output file; `None` for standard output.
fn to_file(args: &Args) -> anyhow::Result<Option<&Path>> {
    if args.output == Path::new("-") {
        return Ok(None);
    }
    if args.output.exists() {
        let path = args.output.display();
        let message = format!("{path} is there already and is not overwritten; give another name");
        return Err(Failure::error(Cause::Usage, message));
    }
    Ok(Some(&args.output))
}

/// The file that specifications name as their schema, so that editors complete and check them.
const SCHEMA_FILE: &str = "baproduct.schema.json";

/// Writes a specification that names its schema, and the schema beside it unless it exists.
fn write_with_schema(path: &Path, text: &str) -> anyhow::Result<()> {
    let schema = path.with_file_name(SCHEMA_FILE);
    if schema.exists() {
        return outputs::write_atomically(path, text.as_bytes());
    }
    outputs::write_all(&[(path, text.as_bytes()), (&schema, spec::SCHEMA.as_bytes())])
}

/// A program with the questions about it.
struct First {
    program: Program,
    found: Interview,
    machine: Machine,
    questions: Vec<Question>,
    record: weave::record::Record,
}

impl First {
    fn text(&self, schema: Option<&str>) -> String {
        specification::text(&self.questions, &self.machine, &self.head(), schema)
    }

    /// The head of the specification: the findings, and what to do next.
    fn head(&self) -> Vec<String> {
        let files: Vec<String> = self
            .program
            .paths()
            .iter()
            .map(|p| p.display().to_string())
            .collect();
        let files = files.join(" ");
        let mut lines = vec![format!(
            "Questions that {files} suggests. Keep those that matter, change them, ask others: docs/patterns.md has more."
        )];
        lines.extend(
            ask::summary(&self.found)
                .into_iter()
                .chain(self.machine.found.iter().cloned())
                .map(|line| format!("found: {line}")),
        );
        lines.push(format!(
            "check SPEC.json {files} shows where it is woven, verify SPEC.json {files} answers"
        ));
        lines
    }

    /// A summary of the written specification, with the next command.
    fn next(&self, specification: &Path) -> String {
        let names: Vec<String> = self
            .questions
            .iter()
            .map(|question| format!("  {}", question.name))
            .collect();
        let files = self.program.paths().iter();
        let files: Vec<String> = files.map(|p| p.display().to_string()).collect();
        format!(
            "{} asks:\n{}\nFor the answers: baproduct verify {0} {}",
            specification.display(),
            names.join("\n"),
            files.join(" ")
        )
    }

    fn page(&self) -> anyhow::Result<String> {
        page::render(&self.program, &self.found, &self.questions, &self.record)
    }
}

/// A program as `verify` reads it.
const VERIFIED: Reader = Reader {
    model: true,
    cbmc: true,
    rounds: true,
    proves: false,
    also: weave::Also::Nothing,
    driven: false,
    tells: false,
};

/// Interviews the program, and keeps the best questions that can be woven into it.
fn first_specification(args: &Args, output: &Output) -> anyhow::Result<First> {
    let plain = Weaving::of(&args.preprocessor.options());
    let as_verified = plain.clone().read_by(VERIFIED);
    let program = Program::read(&args.programs, &as_verified, output)?;
    let found = program.with_unit(interview::interview)?;
    let all = ask::questions(&found, program.facts());
    let machine =
        program.with_unit(|unit, facts| Machine::of(unit, facts, &program.registers.any))?;
    // A native run may support what model checkers do not.
    for weaving in [&as_verified, &plain] {
        let whole = match machine.is_plain() {
            true => None,
            false => {
                let weaving = machine.onto(weaving.clone(), &args.entry, output)?;
                Some(Program::read(&args.programs, &weaving, output)?)
            }
        };
        let whole = whole.as_ref().unwrap_or(&program);
        let mut record = None;
        let mut kept: Vec<Question> = Vec::new();
        let questions = ask::chosen(all.clone(), |question| {
            let together: Vec<Question> = kept.iter().chain([question]).cloned().collect();
            let text = specification::text(&together, &machine, &[], None);
            let Some(found) = forms::tried(whole, &text, weaving) else {
                return false;
            };
            kept = together;
            record = Some(found);
            true
        });
        if let Some(record) = record {
            return Ok(First {
                program,
                found,
                machine,
                questions,
                record,
            });
        }
    }
    // The program itself is refused: report why, as `check` does.
    let spec = forms::spec_of_formula("F {0}", output)?;
    if !machine.is_plain() {
        let weaving = machine.onto(as_verified, &args.entry, output)?;
        let whole = Program::read(&args.programs, &weaving, output)?;
        forms::weave_into(&whole, &spec, &weaving, output)?;
    }
    forms::weave_into(&program, &spec, &plain, output)?;
    Err(Failure::error(
        Cause::Refused,
        "nothing is found in the program that can be asked about",
    ))
}
