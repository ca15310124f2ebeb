//! `baproduct ltl`: explains a formula: automata, monitor, class, verdict of a word.

mod answer;
mod facts;
#[cfg(test)]
mod tests;
pub mod ticks;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use answer::{Answer, Request};
use facts::Subject;
use forms::{Cause, Failure};
use spec::Diagnostic;

/// The exit status if a formula is refused.
const REFUSED: u8 = 3;
/// The exit status of a wrong command line.
const USAGE: u8 = 2;

/// The command line of `baproduct ltl`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The formula; `-` reads it from standard input
    #[arg(value_name = "FORMULA", required_unless_present_any = ["file", "hoa_in"])]
    formula: Option<String>,
    /// Read formulas from FILE, one a line, and answer each on one line; empty lines and lines that
    /// begin with `#` are skipped; `-` is standard input
    #[arg(
        short = 'F',
        long = "file",
        value_name = "FILE",
        conflicts_with = "formula"
    )]
    file: Option<PathBuf>,
    /// Take the automaton of the negation from FILE, in the Hanoi format, as another translator wrote
    /// it; without FORMULA it is all that is known
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    hoa_in: Option<PathBuf>,
    /// Take the negation instead
    #[arg(long)]
    negate: bool,
    #[command(flatten)]
    form: Form,
}

/// The form of the output, if not the explanation.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(multiple = false)]
struct Form {
    /// Print one line with the sizes
    #[arg(long)]
    stats: bool,
    /// Print the automaton in the Hanoi format; with -F each on one line, as with the other forms
    #[arg(long)]
    hoa: bool,
    /// Print the automaton for Graphviz
    #[arg(long)]
    dot: bool,
    /// Print the automaton as a never claim of SPIN
    #[arg(long)]
    never: bool,
    /// Print what each state of the automaton says of a word that ends in it: the letters that are
    /// accepted if they are repeated for ever, whether all words are accepted, whether none is
    #[arg(long)]
    tables: bool,
    /// Print the verdict of a finite word: letters separated by `;`, a letter the propositions that
    /// hold, separated by spaces, possibly none
    #[arg(long, value_name = "WORD")]
    word: Option<String>,
}

/// Runs the command with the process's standard streams. A reader that closes the output early is
/// no error.
///
/// # Errors
/// If a file cannot be read, or the output cannot be written.
pub fn run(args: Args, output: &crate::options::Output) -> anyhow::Result<ExitCode> {
    let stdout = io::stdout().lock();
    let mut streams = Streams {
        input: Box::new(io::stdin().lock()),
        out: Box::new(BufWriter::new(stdout)),
        err: Box::new(io::stderr()),
        color: output.color_stderr(),
    };
    match execute(&args, &mut streams) {
        Ok(code) => Ok(ExitCode::from(code)),
        Err(error) if error.is::<io::Error>() => {
            Err(error.context("cannot write to standard output"))
        }
        Err(error) => Err(error),
    }
}

/// The streams of the command; tests replace them.
struct Streams<'a> {
    input: Box<dyn BufRead + 'a>,
    out: Box<dyn Write + 'a>,
    err: Box<dyn Write + 'a>,
    color: bool,
}

impl Streams<'_> {
    /// Shows a diagnostic about a text that begins at a line of its source.
    fn show(&mut self, diagnostic: &Diagnostic, text: &str, line: usize) {
        let shown = spec::render_from(diagnostic, text, line, self.color);
        // A failure to write a message does not change the exit status.
        let _ = writeln!(self.err, "{shown}\n");
    }
}

/// Executes the command; returns the exit status.
fn execute(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<u8> {
    let word = match args.form.word.as_deref().map(ltl::parse_word).transpose() {
        Ok(word) => word,
        Err(error) => {
            let text = args.form.word.as_deref().unwrap_or_default();
            let mut diagnostic = Diagnostic::error(format!("not a word: {error}"), error.span);
            diagnostic.help = error.help;
            let diagnostic = diagnostic.in_source("--word");
            streams.show(&diagnostic, text, 1);
            return Ok(USAGE);
        }
    };
    let request = Request {
        form: &args.form,
        word,
    };
    let code = match (&args.formula, &args.file) {
        (Some(formula), _) => single(args, formula, &request, streams)?,
        (None, Some(path)) => each_line(args, path, &request, streams)?,
        (None, None) => match with_automaton(args, Subject::default(), streams)? {
            Some(subject) => answered(args, "", subject, &request, streams)?,
            None => REFUSED,
        },
    };
    streams.out.flush()?;
    Ok(code)
}

/// Reads a file; returns its name and text.
fn read_all(path: &PathBuf, streams: &mut Streams<'_>) -> anyhow::Result<(String, String)> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let read = match name.as_str() {
        "-" => streams.input.read_to_end(&mut bytes),
        _ => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|e| unreadable(&name, &e))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::error(Cause::Refused, format!("{name} is not UTF-8")))?;
    Ok((name, text))
}

fn unreadable(name: &str, error: &io::Error) -> anyhow::Error {
    Failure::error(Cause::Refused, format!("cannot read {name}: {error}"))
}

/// Answers for the formula of the command line.
fn single(
    args: &Args,
    formula: &str,
    request: &Request<'_>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<u8> {
    let (source, text) = match formula {
        "-" => read_all(&PathBuf::from("-"), streams)?,
        _ => ("FORMULA".to_owned(), formula.to_owned()),
    };
    let Some(subject) = read_formula(args, &text, &source, 1, streams)? else {
        return Ok(REFUSED);
    };
    let Some(subject) = with_automaton(args, subject, streams)? else {
        return Ok(REFUSED);
    };
    answered(args, &text, subject, request, streams)
}

/// Reads the automaton of `--hoa-in`, or shows its errors.
fn with_automaton(
    args: &Args,
    subject: Subject,
    streams: &mut Streams<'_>,
) -> anyhow::Result<Option<Subject>> {
    let Some(path) = &args.hoa_in else {
        return Ok(Some(subject));
    };
    let (name, text) = read_all(path, streams)?;
    match subject.with_automaton(&text) {
        Ok(subject) => Ok(Some(subject)),
        Err(error) => {
            let title = format!("not a usable automaton: {error}");
            let mut diagnostic = Diagnostic::error(title, error.span);
            diagnostic.help = error.help;
            streams.show(&diagnostic.in_source(name), &text, 1);
            Ok(None)
        }
    }
}

/// Prints the answer, or why there is none.
fn answered(
    args: &Args,
    text: &str,
    subject: Subject,
    request: &Request<'_>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<u8> {
    match request.answer(subject) {
        Ok(Answer {
            text: answer,
            unknown,
        }) => {
            for name in unknown {
                let title = format!("the formula does not have the proposition {name}");
                let word = args.form.word.as_deref().unwrap_or_default();
                let warning = Diagnostic::warning(title, 0..word.len()).in_source("--word");
                streams.show(&warning, word, 1);
            }
            streams.out.write_all(answer.as_bytes())?;
            Ok(0)
        }
        Err(reason) => {
            let error = Diagnostic::error(reason, 0..text.trim_end().len()).in_source("FORMULA");
            streams.show(&error, text, 1);
            Ok(REFUSED)
        }
    }
}

/// Answers for each line of a file as it is read, for interactive use.
fn each_line(
    args: &Args,
    path: &PathBuf,
    request: &Request<'_>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<u8> {
    let name = path.display().to_string();
    let mut file = match name.as_str() {
        "-" => None,
        _ => Some(BufReader::new(
            File::open(path).map_err(|e| unreadable(&name, &e))?,
        )),
    };
    let mut code = 0;
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let read = match &mut file {
            Some(file) => file.read_until(b'\n', &mut bytes),
            None => streams.input.read_until(b'\n', &mut bytes),
        };
        if read.map_err(|e| unreadable(&name, &e))? == 0 {
            break;
        }
        let Ok(text) = std::str::from_utf8(&bytes) else {
            let error = Diagnostic::error(format!("line {line} is not UTF-8"), 0..0);
            streams.show(&error.in_source(&name), "", line);
            code = REFUSED;
            continue;
        };
        let text = text.trim_end_matches(['\n', '\r']);
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        if !line_answered(args, text, (&name, line), request, streams)? {
            code = REFUSED;
        }
    }
    Ok(code)
}

/// Answers for one line, or shows why it cannot.
fn line_answered(
    args: &Args,
    text: &str,
    (name, line): (&str, usize),
    request: &Request<'_>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<bool> {
    let Some(subject) = read_formula(args, text, name, line, streams)? else {
        return Ok(false);
    };
    match request.answer_in_line(subject) {
        Ok(answer) => {
            writeln!(streams.out, "{answer}")?;
            // The caller may wait for the answer before it sends the next formula.
            streams.out.flush()?;
            Ok(true)
        }
        Err(reason) => {
            let error = Diagnostic::error(reason, 0..text.len()).in_source(name);
            streams.show(&error, text, line);
            Ok(false)
        }
    }
}

/// Reads a formula, or shows its errors.
fn read_formula(
    args: &Args,
    text: &str,
    source: &str,
    line: usize,
    streams: &mut Streams<'_>,
) -> anyhow::Result<Option<Subject>> {
    let whole = spec::Text::plain(text, 0);
    let mut parsed = match ltl::parse(text) {
        Ok(parsed) => parsed,
        Err(error) => {
            let diagnostic = spec::formula_error(&whole, error).in_source(source);
            streams.show(&diagnostic, text, line);
            return Ok(None);
        }
    };
    for warning in &parsed.warnings {
        let diagnostic = spec::formula_warning(&whole, warning).in_source(source);
        streams.show(&diagnostic, text, line);
    }
    let root = ticks::as_letters(&mut parsed.arena, parsed.root);
    let root = match args.negate {
        true => parsed.arena.negate(root),
        false => root,
    };
    Ok(Some(Subject {
        arena: parsed.arena,
        root: Some(root),
        negation: None,
    }))
}
