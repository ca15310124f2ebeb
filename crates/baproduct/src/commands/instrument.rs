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
    #[arg(required_unless_present = "compile_commands")]
    programs: Vec<PathBuf>,
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

/// Writes the output under a temporary name and renames it, so that there is never half a file.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let spec = pipeline::read_spec(Some(&args.spec), &args.weaving.properties, output)?;
    let woven = pipeline::weave(&spec, &args.programs, &args.weaving, output)?;
    let outputs = outputs(&args.output, &woven.files)?;
    match (&woven.files[..], args.output == Path::new("-")) {
        ([(_, text)], true) => {
            let mut out = std::io::stdout().lock();
            out.write_all(text)?;
            out.flush()?;
        }
        (files, _) => {
            for (path, (_, text)) in outputs.iter().zip(files) {
                write_atomically(path, text)?;
            }
        }
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
            rule(&outputs, &inputs, &woven.dependencies).as_bytes(),
        )?;
    }
    Ok(Status::Success.into())
}

/// Where each file goes: several into a directory, which is made if it is not there.
fn outputs(output: &Path, files: &[pipeline::Emitted]) -> anyhow::Result<Vec<PathBuf>> {
    let to_stdout = output == Path::new("-");
    if files.len() == 1 {
        return Ok(vec![output.to_path_buf()]);
    }
    if to_stdout {
        let message = "several files are written to a directory: -o DIR";
        return Err(Ended::error(Status::Usage, message));
    }
    std::fs::create_dir_all(output).map_err(|e| {
        let output = output.display();
        Ended::error(
            Status::Failure,
            format!("cannot make the directory {output} for several files: {e}"),
        )
    })?;
    Ok(files.iter().map(|(name, _)| output.join(name)).collect())
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

/// A make rule: the outputs depend on the specification, the lists, the program and its headers, and each of
/// those has an empty rule so that a header may vanish.
fn rule(outputs: &[PathBuf], inputs: &[&Path], dependencies: &[String]) -> String {
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
