//! Compiling the monitored program with its runtime.

use crate::answer::{Failure, Usage};
use crate::job::Job;
use crate::process::{self, Cancel, Invocation};
use crate::text;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The runtime that records a run.
const RECORD: &str = include_str!("../../../../templates/native.c");

/// What is linked with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runtime {
    /// It runs freely.
    Record,
}

/// A compiler at work on one program. What it makes goes beside the source.
#[derive(Debug)]
pub struct Compiler<'a> {
    /// Its path.
    pub path: &'a Path,
    /// What is built.
    pub job: &'a Job,
    /// Ends it early.
    pub cancel: &'a Cancel,
}

impl Compiler<'_> {
    /// Compiles and links; gives the path of the program.
    ///
    /// # Errors
    /// What the compiler says, as [`Failure::Refused`].
    pub(crate) fn build(&self, runtime: Runtime, usage: &mut Usage) -> Result<PathBuf, Failure> {
        let source = &self.job.source;
        let beside = |name: &str| source.with_file_name(name);
        let object = source.with_extension("o");
        let mut compile = self.command();
        // Several files become one object by a relocatable link.
        let several = !self.job.linked.is_empty();
        compile.args([if several { "-r" } else { "-c" }, "-O1", "-g"]);
        compile.args(self.job.define_arguments());
        compile.arg(format!("-DBA_{}NATIVE", self.job.infix));
        compile
            .args(self.job.source_arguments())
            .arg("-o")
            .arg(&object);
        self.run(compile, usage)?
            .map_err(|message| Failure::Refused { message })?;

        let (runtime_source, program) = (beside("ba_runtime.c"), beside("ba_program"));
        write(&runtime_source, RECORD)?;
        let _ = runtime;
        let stubs = beside("ba_inputs.c");
        write(&stubs, "")?;
        let link = || {
            let mut link = self.command();
            link.arg("-O1")
                .arg(self.naming())
                .arg(&object)
                .arg(&runtime_source)
                .arg(&stubs);
            link.arg("-Wl,--wrap=pthread_create")
                .args(["-lm", "-o"])
                .arg(&program);
            link
        };
        let Err(message) = self.run(link(), usage)? else {
            return Ok(program);
        };
        let missing = undefined(&message);
        if missing.is_empty() {
            return Err(Failure::Refused {
                message: shortened(&message),
            });
        }
        write(&stubs, &self.inputs(&missing))?;
        self.run(link(), usage)?
            .map_err(|message| Failure::Refused {
                message: shortened(&message),
            })?;
        Ok(program)
    }

    fn command(&self) -> Invocation {
        let mut command = Invocation::new(self.path);
        // Undefined functions are found by the linker's own words.
        command.env("LC_ALL", "C");
        command.args(["-w", "-pthread"]);
        command.limits.timeout = self.job.timeout;
        command
    }

    /// The names of the runtime's functions as the program calls them.
    fn naming(&self) -> String {
        format!("-DBA_NATIVE_NAME(name)=ba_{}native_##name", self.job.infix)
    }

    /// Runs the compiler: what it says where it fails.
    fn run(
        &self,
        invocation: Invocation,
        usage: &mut Usage,
    ) -> Result<Result<(), String>, Failure> {
        let read = |out: &mut dyn std::io::Read| text::lines(out).count();
        let ran = process::run(&invocation, self.cancel, read).map_err(|e| Failure::Spawn {
            program: self.path.display().to_string(),
            message: e.to_string(),
        })?;
        usage.add(Usage {
            seconds: ran.elapsed.as_secs_f64(),
            max_rss_kib: ran.max_rss_kib,
            runs: 0,
        });
        let status = process::exit_status(&ran, self.job.timeout)?;
        Ok(if status.success() {
            Ok(())
        } else {
            Err(ran.stderr)
        })
    }

    /// Definitions of functions that the program calls and nobody defines: each result is an input.
    fn inputs(&self, missing: &BTreeSet<String>) -> String {
        let function = format!("ba_{}native_input", self.job.infix);
        let mut text = format!("unsigned long long {function}(const char *name);\n");
        for name in missing {
            let ty = result_type(name);
            let _ = writeln!(
                text,
                "{ty} {name}() {{ return ({ty}){function}(\"{name}\"); }}"
            );
        }
        text
    }
}

/// The type of the result of an input function, from its name: `nondet_uint` gives an unsigned int.
/// Where the name does not tell it is a number as wide as a register, of which a caller takes as
/// much as it expects.
fn result_type(name: &str) -> &'static str {
    let ends = |suffix: &str| name.ends_with(suffix);
    match name {
        _ if ends("bool") || ends("_Bool") => "_Bool",
        _ if ends("double") => "double",
        _ if ends("float") => "float",
        _ => "unsigned long long",
    }
}

/// The functions that a linker misses.
fn undefined(message: &str) -> BTreeSet<String> {
    let names = message.lines().filter_map(|line| {
        let (_, rest) = line.split_once("undefined reference to `")?;
        rest.split_once('\'').map(|(name, _)| name.to_owned())
    });
    names
        .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect()
}

/// The first lines of what a compiler says.
fn shortened(message: &str) -> String {
    message.lines().take(5).collect::<Vec<_>>().join("; ")
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|e| Failure::Spawn {
        program: path.display().to_string(),
        message: e.to_string(),
    })
}
