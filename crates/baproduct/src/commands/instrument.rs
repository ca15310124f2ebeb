//! `baproduct instrument`: the monitored C program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::exit::{Ended, Status};
use crate::options::{Output, Weaving};
use crate::pipeline;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The specification; `-` is standard input
    spec: PathBuf,
    /// The C program
    #[arg(required = true)]
    programs: Vec<PathBuf>,
    /// Where to write the monitored program; `-` is standard output
    #[arg(short, long, value_name = "OUT.c")]
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

/// Writes the output under a temporary name and renames it, so that there is never half a file.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let spec = pipeline::read_spec(Some(&args.spec), &args.weaving.properties, output)?;
    let program = pipeline::single_program(&args.programs)?;
    let woven = pipeline::weave(&spec, program, &args.weaving, output)?;
    if args.output == Path::new("-") {
        let mut out = std::io::stdout().lock();
        out.write_all(woven.text.as_bytes())?;
        out.flush()?;
    } else {
        write_atomically(&args.output, woven.text.as_bytes())?;
    }
    if args.dependencies || args.dependency_file.is_some() {
        let file = args
            .dependency_file
            .clone()
            .unwrap_or_else(|| args.output.with_extension("d"));
        let lists = args.weaving.properties.iter().map(PathBuf::as_path);
        let inputs: Vec<&Path> = [args.spec.as_path()].into_iter().chain(lists).collect();
        write_atomically(
            &file,
            rule(&args.output, &inputs, &woven.dependencies).as_bytes(),
        )?;
    }
    Ok(Status::Success.into())
}

/// Writes a file next to its place and renames it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let directory = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let fail = |e: std::io::Error| {
        Ended::error(
            Status::Failure,
            format!("cannot write {}: {e}", path.display()),
        )
    };
    let mut file = tempfile::Builder::new()
        .prefix(".baproduct-")
        .tempfile_in(directory)
        .map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    permit(&file).with_context(|| format!("cannot write {}", path.display()))?;
    file.persist(path).map_err(|e| fail(e.error))?;
    Ok(())
}

/// Temporary files are private; an output is as readable as any new file.
fn permit(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file()
        .set_permissions(std::fs::Permissions::from_mode(0o644))
}

/// A make rule: the output depends on the specification, the lists, the program and its headers, and each of
/// those has an empty rule so that a header may vanish.
fn rule(output: &Path, inputs: &[&Path], dependencies: &[String]) -> String {
    let escape = |name: &str| {
        name.replace('$', "$$")
            .replace(' ', "\\ ")
            .replace('#', "\\#")
    };
    let mut names: Vec<String> = inputs
        .iter()
        .map(|i| escape(&i.to_string_lossy()))
        .collect();
    for dependency in dependencies.iter().map(|d| escape(d)) {
        if !names.contains(&dependency) {
            names.push(dependency);
        }
    }
    let mut text = format!(
        "{}: {}\n",
        escape(&output.to_string_lossy()),
        names.join(" \\\n  ")
    );
    for name in &names {
        text.push_str(&format!("{name}:\n"));
    }
    text
}
