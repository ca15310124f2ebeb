//! Texts of the user's: reads them, and prints diagnostics about places in them.

use std::io::Read;
use std::path::Path;

use lsp::Where;
use spec::{Diagnostic, Severity};

use crate::exit::{Ended, Status};
use crate::notes::tell;
use crate::options::Output;

/// The name of an emitted file, and its text as bytes: string literals need not be UTF-8.
pub type Emitted = (String, Vec<u8>);

/// Prints a diagnostic about a place of a text on standard error.
pub fn say(diagnostic: &Diagnostic, text: &str, output: &Output) {
    if output.quiet && diagnostic.severity != Severity::Error {
        return;
    }
    if let Some(collected) = &output.collected {
        return collected.add(diagnostic.clone(), Where::File);
    }
    tell(spec::render(diagnostic, text, output.color_stderr()));
}

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file; `-` is standard input.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = if is_stdin(path) {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    bytes.map_err(|e| {
        Ended::error(
            Status::Refused,
            format!("cannot read {}: {e}", path.display()),
        )
    })
}

/// Reads a file as text; `-` is standard input.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        Ended::error(
            Status::Refused,
            format!("{} is not UTF-8: {e}", path.display()),
        )
    })
}

/// Reads a list of properties. Comments of a C program may have another encoding: each byte that is
/// not UTF-8 becomes `?`, so that offsets stay the same.
pub fn read_list(path: &Path) -> anyhow::Result<String> {
    if !path.extension().is_some_and(|e| e == "c" || e == "i") {
        return read_text(path);
    }
    let source = cfront::source::Source::from_bytes(read_bytes(path)?);
    Ok(source.text)
}

/// Prints a diagnostic about a place of the program. The renderer counts lines itself, so empty
/// lines put the text at the right line number.
pub fn say_at(mut diagnostic: Diagnostic, place: &cfront::diag::Place, output: &Output) {
    if let Some(collected) = &output.collected {
        let start = (place.column as usize).saturating_sub(1);
        let bytes = start..start + (place.underline.1 - place.underline.0);
        return collected.add(diagnostic, Where::Line(place.line.max(1) - 1, bytes));
    }
    let mut before = "\n".repeat((place.line.max(1) - 1) as usize);
    let (from, to) = place.underline;
    // Only a part of an overlong line is shown, at its original columns.
    let cut = (place.column as usize).saturating_sub(1 + from);
    before.push_str(&" ".repeat(cut));
    diagnostic.span = before.len() + from..before.len() + to;
    let text = before + &place.text + "\n";
    say(&diagnostic, &text, output);
}
