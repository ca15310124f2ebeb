//! Runs the C preprocessor: the only part of the reader that accesses files and starts processes.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::file_text::FileText;
use crate::linemap::{quoted, LineMap, RegionKind};
use crate::source::Source;

/// How to preprocess.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The compiler and leading arguments, split at white space; by default `gcc`, or `clang`.
    pub command: Option<String>,
    /// Use clang's preprocessor unless `command` says otherwise.
    pub clang: bool,
    /// Language standard; by default `gnu11`, because strict C11 hides POSIX.
    pub std: Option<String>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-D` and `-U` in the order of the command line.
    pub macros: Vec<MacroOption>,
    /// Further arguments, put before the file.
    pub extra: Vec<String>,
    /// The text of the file, if it is another than that on the disk.
    pub text: Option<String>,
}

/// A macro option of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroOption {
    /// `-D NAME` or `-D NAME=VALUE`
    Define(String),
    /// `-U NAME`
    Undefine(String),
}

/// Why preprocessing failed.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    /// The preprocessor could not be started.
    #[error("cannot run the preprocessor `{command}`: {error}")]
    Start {
        /// The command.
        command: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The preprocessor refused the file; its messages say why.
    #[error("the preprocessor `{command}` refuses `{file}`{status}:\n{messages}")]
    Refused {
        /// The command.
        command: String,
        /// The user's file.
        file: String,
        /// The exit status in words; empty for an ordinary failure.
        status: String,
        /// The preprocessor's standard error.
        messages: String,
    },
}

/// A preprocessed file and the warnings that the preprocessor wrote.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text with the original lines of the user's files.
    pub source: Source,
    /// The preprocessor's standard error; often empty.
    pub warnings: String,
}

/// Preprocesses a file (`-` is standard input). The text keeps macro definitions and include lines,
/// because the output replaces headers by their include lines again.
///
/// # Errors
/// If the preprocessor cannot be started or fails.
pub fn preprocess(file: &Path, options: &Options) -> Result<Preprocessed, PreprocessError> {
    let mut command = command(file, options);
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = match &options.text {
        None => command.output(),
        Some(text) => fed(&mut command, marked(file, text)),
    };
    let output = output.map_err(|error| PreprocessError::Start {
        command: name.clone(),
        error,
    })?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        let status = match output.status.code() {
            Some(1) => String::new(),
            _ => format!(" ({})", output.status),
        };
        let file = file.to_string_lossy().into_owned();
        return Err(PreprocessError::Refused {
            command: name,
            file,
            status,
            messages,
        });
    }
    let mut source = Source::from_bytes(output.stdout);
    source.files = read_files(&source);
    if let Some(text) = &options.text {
        source
            .files
            .insert(file.display().to_string(), text.clone().into());
    }
    Ok(Preprocessed {
        source,
        warnings: messages,
    })
}

/// A text with a line marker, so that the preprocessor takes it for a file.
fn marked(file: &Path, text: &str) -> Vec<u8> {
    let name = quoted(&file.display().to_string());
    format!("# 1 \"{name}\"\n{text}").into_bytes()
}

/// Runs a command with an input, which a thread writes while the output is read.
fn fed(command: &mut Command, input: Vec<u8>) -> std::io::Result<std::process::Output> {
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    let write = move || {
        // A preprocessor that ends early has a message of its own.
        let _ = stdin.map(|mut stdin| stdin.write_all(&input));
    };
    let writer = std::thread::spawn(write);
    let output = child.wait_with_output();
    let _ = writer.join();
    output
}

fn command(file: &Path, options: &Options) -> Command {
    let default = if options.clang { "clang" } else { "gcc" };
    let mut words = options
        .command
        .as_deref()
        .unwrap_or(default)
        .split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(default));
    command.args(words);
    command.args(["-E", "-dD", "-dI"]);
    command.arg(format!(
        "-std={}",
        options.std.as_deref().unwrap_or("gnu11")
    ));
    // Fortified headers replace calls by checking functions with other names.
    command.arg("-U_FORTIFY_SOURCE");
    // With this, glibc's `isalpha` etc. are calls, not look-ups in a table that model checkers
    // lack.
    command.arg("-D__NO_CTYPE");
    for dir in &options.include_dirs {
        command.arg("-I").arg(dir);
    }
    for option in &options.macros {
        match option {
            MacroOption::Define(text) => command.arg(format!("-D{text}")),
            MacroOption::Undefine(name) => command.arg(format!("-U{name}")),
        };
    }
    command.args(&options.extra);
    command.args(["-x", "c"]);
    if options.text.is_some() {
        // Its includes are looked for beside the file itself.
        let directory = file.parent().filter(|d| !d.as_os_str().is_empty());
        command
            .arg("-iquote")
            .arg(directory.unwrap_or(Path::new(".")));
        command.arg("-");
    } else if file.as_os_str() == "-" {
        command.arg("-").stdin(Stdio::inherit());
    } else if file.as_os_str().as_encoded_bytes().first() == Some(&b'-') {
        // A file name must not be read as an option.
        command.arg(Path::new(".").join(file)).stdin(Stdio::null());
    } else {
        command.arg(file).stdin(Stdio::null());
    }
    command
}

/// Reads the user's files, whose lines diagnostics show. A file that cannot be read is left out;
/// diagnostics then show the preprocessed line.
fn read_files(source: &Source) -> HashMap<String, FileText> {
    let map: &LineMap = &source.lines;
    let mut files = HashMap::new();
    for (name, kind) in map.files_with_kinds() {
        if kind == RegionKind::User && !name.starts_with('<') {
            if let Ok(bytes) = std::fs::read(name) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                files.insert(name.to_string(), text.into());
            }
        }
    }
    files
}
